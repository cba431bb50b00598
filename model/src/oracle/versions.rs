//! What every byte of memory has held, and until when: the history that all units of a run share.
//!
//! Moments are counted in events, not in cycles: whatever is reported later has a later moment. Every rule about values
//! has the form "held at some moment after a floor", so what ended before every floor that can still matter is forgotten;
//! and of a sector that is written very often without any floor moving, only the set of old values is kept.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::pins::SECTOR_WORDS;

/// Bytes of a sector.
pub(super) const SECTOR_BYTES: usize = 4 * SECTOR_WORDS;

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
    /// Before the writes.
    base: SectorBytes,
    writes: Vec<Write>,
    blurred: Option<Blurred>,
}

impl Sector {
    /// Values of a byte with the moments in which they began and ended, the latest last and without end.
    fn values(&self, byte: usize) -> impl Iterator<Item = (u8, u64, u64)> {
        let changes = self.writes.iter().filter(move |write| write.strobes >> byte & 1 == 1);
        let begins = std::iter::once((self.base[byte], 0))
            .chain(changes.clone().map(move |write| (write.bytes[byte], write.moment)));
        let ends = changes.map(|write| write.moment).chain(std::iter::once(u64::MAX));
        begins.zip(ends).map(|((value, begin), end)| (value, begin, end))
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
        self.write(address, strobes, &bytes_of(data));
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
        let new = || Sector { base: contents(), writes: Vec::new(), blurred: None };
        versions.sectors.entry(address).or_insert_with(new);
    }

    /// The memory side has taken a write to a sector that it was told to remember. The moment.
    pub(super) fn write(&self, address: u64, strobes: u32, bytes: &SectorBytes) -> u64 {
        let mut versions = self.0.borrow_mut();
        versions.moment += 1;
        let moment = versions.moment;
        let floor = versions.floors.iter().copied().min().unwrap_or(0);
        if let Some(sector) = versions.sectors.get_mut(&address) {
            sector.writes.push(Write { moment, strobes, bytes: *bytes });
            sector.forget(floor);
        }
        moment
    }

    /// Whether the byte at `address` has held `value` at some moment after `floor`; `None` if it was never written.
    pub(super) fn held_after(&self, address: u64, value: u8, floor: u64) -> Option<bool> {
        self.held_between(address, value, floor, u64::MAX)
    }

    /// The same, if it began to `before` that moment. (Of a sector that is written very often it is not known when.)
    pub(super) fn held_between(&self, address: u64, value: u8, floor: u64, before: u64) -> Option<bool> {
        let byte = address as usize % SECTOR_BYTES;
        let versions = self.0.borrow();
        let sector = versions.sectors.get(&(address - byte as u64))?;
        let is_blurred = sector.blurred.as_ref().is_some_and(|blurred| {
            blurred.ended > floor && blurred.values[byte][usize::from(value / 64)] >> (value % 64) & 1 == 1
        });
        let is_held = |(held, begin, end)| held == value && end > floor && begin < before;
        Some(is_blurred || sector.values(byte).any(is_held))
    }

    /// The earliest moment from which the byte at `address` can have been read as `value`, if that was after `floor`.
    pub(super) fn seen_since(&self, address: u64, value: u8, floor: u64) -> u64 {
        let byte = address as usize % SECTOR_BYTES;
        let versions = self.0.borrow();
        let Some(sector) = versions.sectors.get(&(address - byte as u64)) else { return floor };
        if sector.blurred.as_ref().is_some_and(|blurred| blurred.ended > floor) {
            return floor;
        }
        let first = sector.values(byte).find(|(held, _, end)| *held == value && *end > floor);
        first.map_or(floor, |(_, begin, _)| begin.max(floor))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(history: &SharedHistory, value: u8) -> u64 {
        history.write(0x40, 1 << 3, &[value; SECTOR_BYTES])
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
        assert_eq!(history.held_between(0x43, 1, first, second), Some(true));
        assert_eq!(history.held_between(0x43, 2, first, second), Some(false));
        assert_eq!(history.held_after(0x44, 9, second + 100), Some(true));
        assert_eq!(history.seen_since(0x43, 2, 0), second);
        assert_eq!(history.seen_since(0x43, 1, second - 1), second - 1);
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
