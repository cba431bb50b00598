//! What every byte of memory has held, and until when: the history that all units of a run share.
//!
//! Moments are counted in events, not in cycles: whatever is reported later has a later moment. Every rule about values
//! has the form "held at some moment after a floor", so what ended before every floor that can still matter is forgotten;
//! and of a sector that is written very often without any floor moving, only the set of old values is kept.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::pins::{SECTOR_BYTES, SECTOR_WORDS};

/// Writes of one sector that are remembered one by one.
const REMEMBERED_WRITES: usize = 64;

/// Bytes of a sector, lowest address first.
pub(super) type SectorBytes = [u8; SECTOR_BYTES];

/// The bytes of little-endian words.
pub(super) fn bytes_of(words: &[u32; SECTOR_WORDS]) -> SectorBytes {
    std::array::from_fn(|index| words[index / 4].to_le_bytes()[index % 4])
}

#[derive(Clone, Debug)]
struct Write {
    moment: u64,
    strobes: u32,
    bytes: SectorBytes,
    written_back: Option<WriteBack>,
}

/// A unit writes its local memory back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WriteBack {
    /// Its number.
    pub unit: usize,
    /// The bytes that are as its threads have stored them. (The others are as memory was once.)
    pub stored: u32,
}

impl WriteBack {
    /// The unit, if one of its threads has stored the byte.
    fn author(&self, byte: usize) -> Option<usize> {
        (self.stored >> byte & 1 == 1).then_some(self.unit)
    }
}

impl Write {
    fn author(&self, byte: usize) -> Option<usize> {
        self.written_back.and_then(|written_back| written_back.author(byte))
    }
}

/// What a byte has held.
#[derive(Clone, Copy, Debug)]
struct Value {
    byte: u8,
    /// From this moment, up to that one.
    begin: u64,
    end: u64,
    /// The unit that wrote it back as its thread had stored it.
    author: Option<usize>,
}

/// Values that bytes held before all remembered writes: which, but no longer when exactly.
#[derive(Clone, Debug)]
struct Blurred {
    /// The last of them ended here.
    ended: u64,
    values: Box<[[u64; 4]; SECTOR_BYTES]>,
}

#[derive(Clone, Debug)]
struct Sector {
    /// Before the writes, since when, and by whom.
    base: SectorBytes,
    base_begins: Box<[u64; SECTOR_BYTES]>,
    base_authors: Box<[Option<usize>; SECTOR_BYTES]>,
    writes: Vec<Write>,
    blurred: Option<Blurred>,
}

impl Sector {
    /// The first of a byte's values for which `is_it` holds; the latest is the last one, and without end.
    fn find(&self, byte: usize, is_it: impl Fn(&Value) -> bool) -> Option<Value> {
        let (begin, author) = (self.base_begins[byte], self.base_authors[byte]);
        let mut held = Value { byte: self.base[byte], begin, end: u64::MAX, author };
        for write in self.writes.iter().filter(|write| write.strobes >> byte & 1 == 1) {
            held.end = write.moment;
            if is_it(&held) {
                return Some(held);
            }
            held = Value { byte: write.bytes[byte], begin: write.moment, end: u64::MAX, author: write.author(byte) };
        }
        is_it(&held).then_some(held)
    }

    /// Whether a byte has held `value` at a moment after `floor` that is not remembered any more.
    fn is_blurred(&self, byte: usize, value: u8, floor: u64) -> bool {
        self.blurred.as_ref().is_some_and(|blurred| {
            blurred.ended > floor && blurred.values[byte][usize::from(value / 64)] >> (value % 64) & 1 == 1
        })
    }

    /// Forgets what ended at or before `floor`, and blurs the oldest writes if there are too many.
    fn forget(&mut self, floor: u64) {
        if self.blurred.as_ref().is_some_and(|blurred| blurred.ended <= floor) {
            self.blurred = None;
        }
        let old = self.writes.iter().take_while(|write| write.moment <= floor).count();
        let too_many = self.writes.len().saturating_sub(REMEMBERED_WRITES);
        for (number, write) in self.writes.drain(..old.max(too_many)).enumerate() {
            if number >= old {
                let blurred =
                    self.blurred.get_or_insert_with(|| Blurred { ended: 0, values: Box::new([[0; 4]; SECTOR_BYTES]) });
                blurred.ended = write.moment;
                for (values, value) in blurred.values.iter_mut().zip(self.base) {
                    values[usize::from(value / 64)] |= 1 << (value % 64);
                }
            }
            for byte in (0..SECTOR_BYTES).filter(|byte| write.strobes >> byte & 1 == 1) {
                self.base[byte] = write.bytes[byte];
                self.base_begins[byte] = write.moment;
                self.base_authors[byte] = write.author(byte);
            }
        }
    }
}

#[derive(Debug, Default)]
struct Versions {
    moment: u64,
    /// Sectors that have been written.
    sectors: FxHashMap<u64, Sector>,
    /// By unit: no rule will ask for what ended at or before this moment.
    floors: Vec<u64>,
}

/// The history of memory. Clones share it: give one to the oracle of every unit.
#[derive(Clone, Debug, Default)]
pub struct SharedHistory(Rc<RefCell<Versions>>);

impl SharedHistory {
    /// A history of memory that nobody has written yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Somebody else than the units writes the sector at `address`, which holds `before`: the bytes of `data` that
    /// `strobes` names.
    pub fn write_from_outside(
        &self,
        address: u64,
        strobes: u32,
        data: &[u32; SECTOR_WORDS],
        before: &[u32; SECTOR_WORDS],
    ) {
        self.remember(address, || bytes_of(before));
        self.write(address, strobes, &bytes_of(data), None);
    }

    /// Another unit takes part; its number.
    pub(super) fn join(&self) -> usize {
        let mut versions = self.0.borrow_mut();
        versions.floors.push(0);
        versions.floors.len() - 1
    }

    /// A new moment, later than all before.
    pub(super) fn tick(&self) -> u64 {
        let mut versions = self.0.borrow_mut();
        versions.moment += 1;
        versions.moment
    }

    /// Unit `number` will not ask for what ended at or before `floor`.
    pub(super) fn set_floor(&self, number: usize, floor: u64) {
        self.0.borrow_mut().floors[number] = floor;
    }

    /// Remembers what the sector at `address` holds before it is written for the first time.
    pub(super) fn remember(&self, address: u64, contents: impl FnOnce() -> SectorBytes) {
        let mut versions = self.0.borrow_mut();
        let new = || Sector {
            base: contents(),
            base_begins: Box::new([0; SECTOR_BYTES]),
            base_authors: Box::new([None; SECTOR_BYTES]),
            writes: Vec::new(),
            blurred: None,
        };
        versions.sectors.entry(address).or_insert_with(new);
    }

    /// The memory side has taken a write to a sector that it was told to remember, perhaps from a unit that writes its local memory
    /// back. The moment.
    pub(super) fn write(
        &self,
        address: u64,
        strobes: u32,
        bytes: &SectorBytes,
        written_back: Option<WriteBack>,
    ) -> u64 {
        let mut versions = self.0.borrow_mut();
        versions.moment += 1;
        let moment = versions.moment;
        let floor = versions.floors.iter().copied().min().unwrap_or(0);
        if let Some(sector) = versions.sectors.get_mut(&address) {
            sector.writes.push(Write { moment, strobes, bytes: *bytes, written_back });
            sector.forget(floor);
        }
        moment
    }

    /// Whether the byte at `address` has held `value` at some moment after `floor`; `None` if it was never written.
    pub(super) fn held_after(&self, address: u64, value: u8, floor: u64) -> Option<bool> {
        self.has_held(address, value, floor, |held| held.end > floor)
    }

    /// Whether the byte at `address` held `value` at the moment `floor`, or was given it later, but not by the unit with this number
    /// as its thread had stored it; `None` if it was never written. (Of a sector that is written very often it is not known when, and by
    /// whom.)
    pub(super) fn held_or_written_by_others(&self, address: u64, value: u8, floor: u64, unit: usize) -> Option<bool> {
        let is_others = |held: &Value| held.begin > floor && held.author != Some(unit);
        self.has_held(address, value, floor, |held| held.end > floor && (held.begin <= floor || is_others(held)))
    }

    /// Whether the byte at `address` was given `value` after `floor`, but not by the unit with this number as its thread had stored it.
    pub(super) fn written_by_others(&self, address: u64, value: u8, floor: u64, unit: usize) -> bool {
        let is_others = |held: &Value| held.begin > floor && held.author != Some(unit);
        self.has_held(address, value, floor, is_others).unwrap_or(false)
    }

    /// Whether the sector of the byte at `address` was ever written.
    pub(super) fn has_written(&self, address: u64) -> bool {
        self.0.borrow().sectors.contains_key(&(address / SECTOR_BYTES as u64 * SECTOR_BYTES as u64))
    }

    /// What memory holds at `address`; `None` if it was never written.
    pub(super) fn latest(&self, address: u64) -> Option<u8> {
        let byte = address as usize % SECTOR_BYTES;
        let versions = self.0.borrow();
        let sector = versions.sectors.get(&(address - byte as u64))?;
        sector.find(byte, |held| held.end == u64::MAX).map(|held| held.byte)
    }

    /// Whether one of the times in which the byte at `address` has held `value` is right, or is not remembered any more and ended after
    /// `floor`; `None` if it was never written.
    fn has_held(&self, address: u64, value: u8, floor: u64, is_right: impl Fn(&Value) -> bool) -> Option<bool> {
        let byte = address as usize % SECTOR_BYTES;
        let versions = self.0.borrow();
        let sector = versions.sectors.get(&(address - byte as u64))?;
        let held = || sector.find(byte, |held| held.byte == value && is_right(held));
        Some(sector.is_blurred(byte, value, floor) || held().is_some())
    }

    /// The earliest moment from which the byte at `address` can have been read as `value`, if that was after `floor`.
    pub(super) fn seen_since(&self, address: u64, value: u8, floor: u64) -> u64 {
        let byte = address as usize % SECTOR_BYTES;
        let versions = self.0.borrow();
        let Some(sector) = versions.sectors.get(&(address - byte as u64)) else { return floor };
        if sector.blurred.as_ref().is_some_and(|blurred| blurred.ended > floor) {
            return floor;
        }
        let first = sector.find(byte, |held| held.byte == value && held.end > floor);
        first.map_or(floor, |held| held.begin.max(floor))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(history: &SharedHistory, value: u8) -> u64 {
        history.write(0x40, 1 << 3, &[value; SECTOR_BYTES], None)
    }

    #[test]
    fn values_are_held_from_write_to_write() {
        let history = SharedHistory::new();
        assert_eq!(history.held_after(0x43, 9, 0), None);
        history.remember(0x40, || [9; SECTOR_BYTES]);
        let first = write(&history, 1);
        let second = write(&history, 2);
        assert_eq!(history.held_after(0x43, 9, first - 1), Some(true));
        assert_eq!(history.held_after(0x43, 9, first), Some(false));
        assert_eq!(history.held_after(0x43, 1, first), Some(true));
        assert_eq!(history.held_after(0x43, 1, second), Some(false));
        assert_eq!(history.held_after(0x43, 2, second + 100), Some(true));
        assert_eq!(history.held_after(0x44, 9, second + 100), Some(true));
        assert_eq!(history.seen_since(0x43, 2, 0), second);
        assert_eq!(history.seen_since(0x43, 1, second - 1), second - 1);
    }

    #[test]
    fn a_unit_does_not_see_what_it_writes_back() {
        let history = SharedHistory::new();
        let unit = history.join();
        assert_eq!(history.held_or_written_by_others(0x43, 9, 0, unit), None);
        assert_eq!((history.written_by_others(0x43, 9, 0, unit), history.latest(0x43)), (false, None));
        history.remember(0x40, || [9; SECTOR_BYTES]);
        let first = write(&history, 1);
        history.write(0x40, 1 << 3, &[2; SECTOR_BYTES], Some(WriteBack { unit, stored: 1 << 3 }));
        history.write(0x40, 1 << 5, &[2; SECTOR_BYTES], Some(WriteBack { unit, stored: 1 << 3 }));
        assert!(history.written_by_others(0x45, 2, 0, unit));
        assert_eq!(history.latest(0x43), Some(2));
        let seen =
            |floor| [9, 1, 2].map(|value| history.held_or_written_by_others(0x43, value, floor, unit) == Some(true));
        assert_eq!((seen(0), seen(first)), ([true, true, false], [false, true, false]));
        let written = |floor, unit| [9, 1, 2].map(|value| history.written_by_others(0x43, value, floor, unit));
        assert_eq!(written(0, unit), [false, true, false]);
        assert_eq!(written(first, unit), [false; 3]);
        assert_eq!(written(first, unit + 1), [false, false, true]);
        // The same when nothing older is remembered.
        history.set_floor(unit, first + 10);
        while history.tick() < first + 10 {}
        history.write(0x40, 1 << 4, &[0; SECTOR_BYTES], None);
        assert_eq!(written(0, unit), [false; 3]);
        assert_eq!(written(0, unit + 1), [false, false, true]);
    }

    #[test]
    fn what_no_floor_reaches_is_forgotten() {
        let history = SharedHistory::new();
        let unit = history.join();
        history.remember(0x40, || [9; SECTOR_BYTES]);
        for value in 0..200 {
            write(&history, value);
        }
        // More than are remembered one by one, but every value is still known.
        for value in (0..200).filter(|value| *value != 199) {
            assert_eq!(history.held_after(0x43, value, 0), Some(true), "{value}");
        }
        assert_eq!(history.held_after(0x43, 200, 0), Some(false));
        history.set_floor(unit, 198);
        write(&history, 200);
        assert_eq!(history.held_after(0x43, 150, 0), Some(false));
        assert_eq!(history.held_after(0x43, 198, 198), Some(true));
        assert_eq!(history.0.borrow().sectors[&0x40].writes.len(), 3);
    }
}
