//! Local memory in the order of its threads: what each of them has stored, and what of it may have been lost.
//!
//! Nobody but its thread changes a byte of local memory, so that each of its loads has one value that is right. Three things make it
//! uncertain: somebody writes to where the byte lies in memory, by another way; it was loaded for the last time, and need not have
//! been kept; it could not be written back. (What a reset loses, it loses for good: then memory alone counts.)

use std::collections::BTreeMap;

use super::super::versions::{SectorBytes, SharedHistory, WriteBack};
use crate::pins::SECTOR_BYTES;

/// What a thread has left in a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Left {
    Nothing,
    /// It stores there, and its data have not come.
    Something,
    Value(u8),
}

/// What may be seen in a byte.
#[derive(Clone, Copy, Debug)]
pub(super) struct Byte {
    left: Left,
    /// The moment at which that store was accepted.
    since: u64,
    /// It may have been lost, and memory may hold something older.
    is_doubtful: bool,
}

const UNTOUCHED: Byte = Byte { left: Left::Nothing, since: 0, is_doubtful: false };

/// Whom a byte is compared with.
pub(super) struct Memory<'a> {
    pub history: &'a SharedHistory,
    /// Number of the unit in the history.
    pub unit: usize,
    /// Nothing that lies in L1 is older than this moment.
    pub floor: u64,
    /// The little-endian word of memory at an address, for sectors that nobody has written.
    pub word: &'a dyn Fn(u64) -> u32,
}

impl Byte {
    /// Whether the byte at `address` may be seen with `value`.
    fn allows(&self, address: u64, value: u8, memory: &Memory<'_>) -> bool {
        let Memory { history, unit, floor, word } = *memory;
        let floor = floor.max(self.since);
        let is_in_memory = || word(address / 4 * 4).to_le_bytes()[address as usize % 4] == value;
        match self.left {
            Left::Something => false,
            Left::Value(stored) if stored == value => true,
            Left::Nothing => {
                history.held_or_written_by_others(address, value, floor, unit).unwrap_or_else(is_in_memory)
            }
            Left::Value(_) if self.is_doubtful => {
                history.held_after(address, value, floor).unwrap_or_else(is_in_memory)
            }
            Left::Value(_) => history.written_by_others(address, value, self.since, unit),
        }
    }
}

/// What an operation does to a sector.
#[derive(Clone, Debug)]
enum Change {
    /// It stores these bytes, once its data have come.
    Store(Option<SectorBytes>),
    /// It is the last to need it.
    LastUse,
}

#[derive(Clone, Debug)]
struct Event {
    serial: u64,
    moment: u64,
    strobes: u32,
    change: Change,
    /// Bytes in which it has taken effect for certain.
    effective: u32,
    /// What it stores has been written back, or some of it.
    is_written_back: bool,
    /// It was not written back well.
    is_doubtful: bool,
}

impl Event {
    fn is_store(&self) -> bool {
        matches!(self.change, Change::Store(_))
    }

    fn concerns(&self, byte: usize) -> bool {
        self.strobes >> byte & 1 == 1
    }

    /// What a byte is after it.
    fn after(&self, byte: usize, before: Byte) -> Byte {
        match &self.change {
            _ if !self.concerns(byte) => before,
            Change::Store(data) => {
                let left = data.as_ref().map_or(Left::Something, |bytes| Left::Value(bytes[byte]));
                Byte { left, since: self.moment, is_doubtful: self.is_doubtful }
            }
            Change::LastUse => Byte { is_doubtful: true, ..before },
        }
    }
}

/// When an operation is accepted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Accepted {
    /// Numbers the operations.
    pub serial: u64,
    pub moment: u64,
    /// No operation before this one is in flight.
    pub oldest: u64,
}

#[derive(Clone, Debug)]
struct Sector {
    /// What operations before all `events` have left.
    settled: [Byte; SECTOR_BYTES],
    /// They have stored something since the last write-back.
    is_dirty: bool,
    events: Vec<Event>,
}

impl Sector {
    fn new() -> Self {
        Self { settled: [UNTOUCHED; SECTOR_BYTES], is_dirty: false, events: Vec::new() }
    }

    /// No operation before `oldest` is in flight.
    fn settle(&mut self, oldest: u64) {
        let old = self.events.iter().take_while(|event| event.serial < oldest).count();
        for event in self.events.drain(..old) {
            self.is_dirty |= event.is_store() && !event.is_written_back;
            for (byte, settled) in self.settled.iter_mut().enumerate() {
                *settled = event.after(byte, *settled);
            }
        }
    }

    /// An operation that is accepted changes it.
    fn add(&mut self, change: Change, strobes: u32, Accepted { serial, moment, oldest }: Accepted) {
        self.settle(oldest);
        let (effective, is_written_back, is_doubtful) = (0, false, false);
        self.events.push(Event { serial, moment, strobes, change, effective, is_written_back, is_doubtful });
    }

    /// A byte as the operation `serial` finds it.
    fn before(&self, byte: usize, serial: u64) -> Byte {
        let earlier = self.events.iter().take_while(|event| event.serial < serial);
        earlier.fold(self.settled[byte], |before, event| event.after(byte, before))
    }

    /// What a byte is after the events that have certainly taken effect in it, and after each one more; with the event's number.
    fn possible(&self, byte: usize) -> impl Iterator<Item = (Option<usize>, Byte)> {
        let last = self.events.iter().rposition(|event| event.effective >> byte & 1 == 1);
        let certain = last.map_or(0, |last| last + 1);
        let first = self.events[..certain].iter().fold(self.settled[byte], |before, event| event.after(byte, before));
        let later = self.events.iter().enumerate().skip(certain).filter(move |(_, event)| event.concerns(byte));
        let later = later.scan(first, move |state, (number, event)| {
            *state = event.after(byte, *state);
            Some((Some(number), *state))
        });
        std::iter::once((last, first)).chain(later)
    }

    /// Takes note of a write-back. Whether there is anything stored that has not been written back.
    fn is_written_back(&mut self) -> bool {
        let mut was_dirty = std::mem::take(&mut self.is_dirty);
        let is_open = |event: &&mut Event| event.is_store() && !event.is_written_back;
        for event in self.events.iter_mut().filter(is_open) {
            if event.effective != 0 {
                event.is_written_back = true;
                was_dirty = true;
            }
        }
        if !was_dirty && let Some(event) = self.events.iter_mut().find(is_open) {
            event.is_written_back = true;
            was_dirty = true;
        }
        was_dirty
    }
}

/// What speaks against a write-back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Objection {
    /// Nothing was stored in the sector since it was written back.
    Clean,
    /// This byte is none that its thread has left there.
    Byte { address: u64, got: u8 },
}

/// The sectors of local memory in which threads have stored.
#[derive(Clone, Debug, Default)]
pub(super) struct LocalMemory(BTreeMap<u64, Sector>);

impl LocalMemory {
    /// Everything is lost that is not in memory.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// An operation is accepted that stores these bytes of a sector; what, is not known yet.
    pub(super) fn store(&mut self, sector: u64, strobes: u32, accepted: Accepted) {
        let sector = self.0.entry(sector).or_insert_with(Sector::new);
        sector.add(Change::Store(None), strobes, accepted);
    }

    /// The store's data have come.
    pub(super) fn know(&mut self, sector: u64, serial: u64, bytes: &SectorBytes) {
        if let Some(event) = self.event(sector, serial) {
            event.change = Change::Store(Some(*bytes));
        }
    }

    /// An operation is accepted that is the last to need a sector.
    pub(super) fn last_use(&mut self, sector: u64, accepted: Accepted) {
        if let Some(sector) = self.0.get_mut(&sector) {
            sector.add(Change::LastUse, u32::MAX, accepted);
        }
    }

    /// The store has failed in these bytes: they are as if it had never been.
    pub(super) fn fail(&mut self, sector: u64, serial: u64, strobes: u32) {
        if let Some(event) = self.event(sector, serial) {
            event.strobes &= !strobes;
        }
    }

    /// A store of the sector that is in flight may have failed.
    pub(super) fn doubt(&mut self, sector: u64) {
        let events = self.0.get_mut(&sector).into_iter().flat_map(|sector| &mut sector.events);
        events.for_each(|event| event.is_doubtful = true);
    }

    /// The store is done.
    pub(super) fn end(&mut self, sector: u64, serial: u64) {
        if let Some(event) = self.event(sector, serial) {
            event.effective = event.strobes;
        }
    }

    fn event(&mut self, sector: u64, serial: u64) -> Option<&mut Event> {
        self.0.get_mut(&sector)?.events.iter_mut().find(|event| event.serial == serial)
    }

    /// Judges a load's byte: the load's number is `serial`.
    pub(super) fn judge(&self, address: u64, value: u8, serial: u64, memory: &Memory<'_>) -> Result<(), &'static str> {
        let at = address as usize % SECTOR_BYTES;
        let byte = self.0.get(&(address - at as u64)).map_or(UNTOUCHED, |sector| sector.before(at, serial));
        match byte.left {
            _ if byte.allows(address, value, memory) => Ok(()),
            Left::Something => Err("a load of local memory waits for the stores of its thread before it"),
            Left::Nothing | Left::Value(_) => Err("a load of local memory sees what its thread stored last before it"),
        }
    }

    /// Judges the write of a whole sector that no operation makes.
    pub(super) fn write_back(
        &mut self,
        first: u64,
        bytes: &SectorBytes,
        memory: &Memory<'_>,
    ) -> Result<WriteBack, Objection> {
        let sector = self.0.get_mut(&first).ok_or(Objection::Clean)?;
        let mut stored = 0;
        for (byte, value) in bytes.iter().enumerate() {
            let address = first + byte as u64;
            let allowed = sector.possible(byte).find(|(_, state)| state.allows(address, *value, memory));
            let (number, state) = allowed.ok_or(Objection::Byte { address, got: *value })?;
            stored |= u32::from(state.left == Left::Value(*value)) << byte;
            if let Some(number) = number {
                sector.events[number].effective |= 1 << byte;
            }
        }
        let written_back = WriteBack { unit: memory.unit, stored };
        if sector.is_written_back() { Ok(written_back) } else { Err(Objection::Clean) }
    }

    /// A write-back of the sector was answered with an error: when it is fetched again, it is what it was.
    pub(super) fn write_back_failed(&mut self, sector: u64) {
        self.doubt(sector);
        let settled = self.0.get_mut(&sector).into_iter().flat_map(|sector| &mut sector.settled);
        settled.for_each(|byte| byte.is_doubtful = true);
    }

    /// A byte that memory does not hold, and what it holds instead, although everything from before the operation `serial` has been
    /// written back.
    pub(super) fn missing(&self, serial: u64, held: impl Fn(u64) -> u8, memory: &Memory<'_>) -> Option<(u64, u8)> {
        let bytes = self.0.iter().flat_map(|(first, sector)| (0..SECTOR_BYTES).map(move |byte| (*first, sector, byte)));
        let mut missing = bytes.filter_map(|(first, sector, byte)| {
            let address = first + byte as u64;
            let later = sector.events.iter().filter(|event| event.serial > serial);
            let before = sector.before(byte, serial);
            let after = later.scan(before, |state, event| {
                *state = event.after(byte, *state);
                Some(*state)
            });
            let got = held(address);
            let is_there = std::iter::once(before).chain(after).any(|state| state.allows(address, got, memory));
            (!is_there).then_some((address, got))
        });
        missing.next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECTOR: u64 = 0x40;
    const OLD: u8 = 9;

    /// Local memory over a history of memory, all of whose bytes are OLD.
    struct Bench {
        local: LocalMemory,
        history: SharedHistory,
        unit: usize,
        serial: u64,
    }

    impl Bench {
        fn new() -> Self {
            let history = SharedHistory::new();
            let unit = history.join();
            Self { local: LocalMemory::default(), history, unit, serial: 0 }
        }

        fn accept(&mut self) -> Accepted {
            self.serial += 1;
            Accepted { serial: self.serial, moment: self.history.tick(), oldest: 1 }
        }

        /// A store of byte 3, which is done.
        fn store(&mut self, value: u8) -> u64 {
            let serial = self.begin(value);
            self.local.end(SECTOR, serial);
            serial
        }

        fn begin(&mut self, value: u8) -> u64 {
            let accepted = self.accept();
            self.local.store(SECTOR, 1 << 3, accepted);
            self.local.know(SECTOR, accepted.serial, &[value; SECTOR_BYTES]);
            accepted.serial
        }

        fn write(&self, value: u8, by: Option<WriteBack>) {
            self.history.remember(SECTOR, || [OLD; SECTOR_BYTES]);
            self.history.write(SECTOR, 1 << 3, &[value; SECTOR_BYTES], by);
        }

        fn with<T>(&self, judge: impl FnOnce(&LocalMemory, &Memory<'_>) -> T) -> T {
            let word = |_| u32::from_le_bytes([OLD; 4]);
            judge(&self.local, &Memory { history: &self.history, unit: self.unit, floor: 0, word: &word })
        }

        /// The values, of 0 to 9, that a load with this number may be given.
        fn values(&self, serial: u64) -> Vec<u8> {
            let judge = |value| self.with(|local, memory| local.judge(SECTOR + 3, value, serial, memory));
            (0..10).filter(|value| judge(*value).is_ok()).collect()
        }

        fn clone_write_back(&self, value: u8) -> Result<WriteBack, Objection> {
            let mut bytes = [OLD; SECTOR_BYTES];
            bytes[3] = value;
            self.with(|local, memory| local.clone().write_back(SECTOR, &bytes, memory))
        }

        /// Memory takes a write-back of the sector with this value of byte 3.
        fn write_back(&mut self, value: u8) -> Result<WriteBack, Objection> {
            let mut bytes = [OLD; SECTOR_BYTES];
            bytes[3] = value;
            let mut local = std::mem::take(&mut self.local);
            let verdict = self.with(|_, memory| local.write_back(SECTOR, &bytes, memory));
            self.local = local;
            self.write(value, verdict.ok());
            verdict
        }
    }

    #[test]
    fn a_load_sees_the_store_before_it() {
        let mut bench = Bench::new();
        assert_eq!(bench.values(1), [OLD]);
        let (one, two) = (bench.store(1), bench.store(2));
        assert_eq!((bench.values(one), bench.values(two), bench.values(two + 1)), (vec![OLD], vec![1], vec![2]));
        // Old ones are not told apart any more.
        let accepted = Accepted { oldest: 3, ..bench.accept() };
        bench.local.store(SECTOR, 1 << 3, accepted);
        assert_eq!((bench.values(two), bench.values(3), bench.values(4)), (vec![2], vec![2], vec![]));
        bench.local.fail(SECTOR, 3, 1 << 3);
        assert_eq!(bench.values(4), [2]);
    }

    #[test]
    fn what_is_written_back_was_stored_and_is_not_older_than_what_is_done() {
        let mut bench = Bench::new();
        let own = Ok(WriteBack { unit: bench.unit, stored: 1 << 3 });
        assert_eq!(bench.clone_write_back(OLD), Err(Objection::Clean));
        bench.store(1);
        bench.begin(2);
        let byte = |got| Err(Objection::Byte { address: SECTOR + 3, got });
        assert_eq!(bench.clone_write_back(OLD), byte(OLD));
        assert_eq!(bench.clone_write_back(3), byte(3));
        assert!(bench.clone_write_back(1).is_ok());
        assert_eq!(bench.write_back(2), own);
        // What was written back cannot become older, and is written back once.
        bench.begin(3);
        assert_eq!(bench.clone_write_back(1), byte(1));
        assert_eq!(bench.write_back(3), own);
        assert_eq!(bench.clone_write_back(3), Err(Objection::Clean));
    }

    #[test]
    fn own_write_backs_show_a_load_nothing() {
        let mut bench = Bench::new();
        let own = Ok(WriteBack { unit: bench.unit, stored: 1 << 3 });
        let first = bench.store(1);
        assert_eq!(bench.write_back(1), own);
        assert_eq!(bench.values(first), [OLD]);
        bench.store(2);
        assert_eq!(bench.values(first + 2), [2]);
        // Somebody else's writes may be seen.
        bench.write(7, None);
        bench.write(8, Some(WriteBack { unit: bench.unit + 1, stored: 1 << 3 }));
        assert_eq!(bench.values(first + 2), [2, 7, 8]);
        assert_eq!(bench.values(first), [7, 8, OLD]);
        bench.store(3);
        assert_eq!(bench.values(first + 3), [3]);
    }

    #[test]
    fn what_may_be_lost_may_be_older() {
        let mut bench = Bench::new();
        let first = bench.store(1);
        let accepted = bench.accept();
        bench.local.last_use(SECTOR, accepted);
        assert_eq!((bench.values(first + 1), bench.values(first + 2)), (vec![1], vec![1, OLD]));
        assert!(bench.clone_write_back(OLD).is_ok());
        bench.store(2);
        assert_eq!(bench.values(first + 3), [2]);
        bench.local.write_back_failed(SECTOR);
        assert_eq!(bench.values(first + 3), [2, OLD]);
        bench.store(3);
        assert_eq!(bench.values(first + 4), [3]);
    }

    #[test]
    fn what_is_not_in_memory_is_missing() {
        let mut bench = Bench::new();
        let first = bench.store(1);
        let missing = |bench: &Bench, held| {
            bench.with(|local, memory| {
                local.missing(first + 1, |address| if address == SECTOR + 3 { held } else { OLD }, memory)
            })
        };
        assert_eq!(missing(&bench, OLD), Some((SECTOR + 3, OLD)));
        assert_eq!(missing(&bench, 1), None);
        // What is stored behind the command may be there, or not yet.
        bench.serial += 1;
        bench.begin(2);
        assert_eq!([OLD, 1, 2].map(|held| missing(&bench, held).is_none()), [false, true, true]);
    }
}
