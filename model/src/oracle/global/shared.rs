//! Shared memory without time: accesses take effect in the order in which their operations were accepted.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

/// The bytes that a store writes, by their place in shared memory; no values while its data have not all come.
pub(super) type StoredBytes = FxHashMap<u64, Option<u8>>;

/// An operation that accesses shared memory and can still matter.
#[derive(Clone, Debug)]
struct Access {
    serial: u64,
    /// What it writes; nothing if it is a load.
    stored: StoredBytes,
    /// It has been answered.
    ended: bool,
}

/// The bytes as they are when every earlier access has taken effect, and the accesses since.
#[derive(Clone, Debug)]
pub(super) struct SharedMemory {
    bytes: Box<[u8]>,
    /// Bytes that hold one of several values: those of stores that a reset met before they were answered.
    doubtful: FxHashMap<u64, Vec<u8>>,
    /// In the order of acceptance. The first is not answered, or there is none.
    accesses: VecDeque<Access>,
}

impl SharedMemory {
    /// All 0, as at power-up.
    pub(super) fn new(bytes: usize) -> Self {
        Self { bytes: vec![0; bytes].into_boxed_slice(), doubtful: FxHashMap::default(), accesses: VecDeque::new() }
    }

    /// An operation is accepted.
    pub(super) fn accept(&mut self, serial: u64, stored: StoredBytes) {
        self.accesses.push_back(Access { serial, stored, ended: false });
    }

    fn access(&mut self, serial: u64) -> Option<&mut Access> {
        self.accesses.iter_mut().find(|access| access.serial == serial)
    }

    /// All data of a store have come.
    pub(super) fn know(&mut self, serial: u64, stored: StoredBytes) {
        if let Some(access) = self.access(serial) {
            access.stored = stored;
        }
    }

    /// An operation has been answered.
    pub(super) fn end(&mut self, serial: u64) {
        if let Some(access) = self.access(serial) {
            access.ended = true;
        }
        while let Some(first) = self.accesses.pop_front_if(|first| first.ended) {
            self.write(&first.stored);
        }
    }

    fn write(&mut self, stored: &StoredBytes) {
        for (place, value) in stored {
            if let Some(value) = value {
                self.bytes[*place as usize] = *value;
                self.doubtful.remove(place);
            }
        }
    }

    /// After a reset each byte of a store that was not answered has been written, or has not; without its data it has not.
    pub(super) fn reset(&mut self) {
        for access in std::mem::take(&mut self.accesses) {
            if access.ended {
                self.write(&access.stored);
                continue;
            }
            for (place, value) in access.stored {
                if let Some(value) = value {
                    let before = self.bytes[place as usize];
                    self.doubtful.entry(place).or_insert_with(|| vec![before]).push(value);
                }
            }
        }
    }

    /// Whether the load `serial` may be given `value` for a byte; if not, the rule that speaks against it.
    pub(super) fn judge(&self, serial: u64, place: u64, value: u8) -> Result<(), &'static str> {
        let mut earlier = self.accesses.iter().rev().skip_while(|access| access.serial >= serial);
        let is_right = match earlier.find_map(|access| access.stored.get(&place)) {
            Some(Some(stored)) => *stored == value,
            Some(None) => return Err("a load of shared memory waits for the data of the store before it"),
            None => match self.doubtful.get(&place) {
                Some(values) => values.contains(&value),
                None => self.bytes[place as usize] == value,
            },
        };
        if is_right { Ok(()) } else { Err("a load of shared memory sees the last store accepted before it") }
    }
}
