//! A cache of 128-byte lines in four sectors: tags, ages, classes and data of L1 and of the read-only cache.

use super::pass::{LINE_WORDS, Line, SECTORS};
use super::shape::Class;
use super::store::SectorData;
use crate::pins::SECTOR_WORDS;

/// Room for the ways of every preset.
pub(super) const MAX_WAYS: usize = 8;

/// Where a line lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(in crate::golden) struct Slot {
    pub set: usize,
    pub way: u8,
}

/// Tags of one set.
#[derive(Clone, Debug)]
struct Set {
    lines: [u64; MAX_WAYS],
    /// Valid sectors of each way.
    valid: [u8; MAX_WAYS],
    classes: [Class; MAX_WAYS],
    /// Way numbers, the one used longest ago first.
    by_age: [u8; MAX_WAYS],
}

const NEW_SET: Set = Set {
    lines: [0; MAX_WAYS],
    valid: [0; MAX_WAYS],
    classes: [Class::Normal; MAX_WAYS],
    by_age: [0, 1, 2, 3, 4, 5, 6, 7],
};

/// One cache.
#[derive(Clone, Debug)]
pub(super) struct Cache {
    ways: usize,
    sets: Box<[Set]>,
    data: Box<[Line]>,
}

impl Cache {
    pub(super) fn new(sets: usize, ways: usize) -> Self {
        assert!((1..=MAX_WAYS).contains(&ways) && sets > 0, "a cache has sets, and 1 to {MAX_WAYS} ways");
        let data = vec![[0; LINE_WORDS]; sets * ways].into_boxed_slice();
        Self { ways, sets: vec![NEW_SET; sets].into_boxed_slice(), data }
    }

    /// As after reset: nothing valid, way 0 the oldest. The data stay, unreachable.
    pub(super) fn clear(&mut self) {
        self.sets.fill(NEW_SET);
    }

    /// No sector is valid any more; ages and classes stay.
    pub(super) fn invalidate(&mut self) {
        for set in &mut self.sets {
            set.valid = [0; MAX_WAYS];
        }
    }

    /// The set of `line`.
    pub(super) fn set_of(&self, line: u64) -> usize {
        (line % self.sets.len() as u64) as usize
    }

    /// The way that is present (it has a valid sector, or is among the `reserved`) and holds `line`.
    pub(super) fn find(&self, line: u64, reserved: u32) -> Option<Slot> {
        let number = self.set_of(line);
        let set = &self.sets[number];
        let holds = |way: &usize| set.lines[*way] == line && (set.valid[*way] != 0 || reserved >> way & 1 == 1);
        (0..self.ways).find(holds).map(|way| Slot { set: number, way: way as u8 })
    }

    /// The lines of the ways that are present in the set of `line`.
    pub(super) fn present(&self, line: u64, reserved: u32) -> impl Iterator<Item = u64> {
        let set = &self.sets[self.set_of(line)];
        let is_present = move |way: &usize| set.valid[*way] != 0 || reserved >> way & 1 == 1;
        (0..self.ways).filter(is_present).map(|way| set.lines[way])
    }

    /// Rule VICTIM: the way that a new line displaces in set `number`.
    pub(super) fn victim(&self, number: usize, reserved: u32) -> Slot {
        let set = &self.sets[number];
        let absent = (0..self.ways).find(|way| set.valid[*way] == 0 && reserved >> way & 1 == 0);
        let way = absent.map(|way| way as u8).unwrap_or_else(|| {
            let oldest_of = |class| {
                let mut by_age = set.by_age[..self.ways].iter();
                by_age.find(|way| set.classes[usize::from(**way)] == class).copied()
            };
            let classes = [Class::First, Class::Normal, Class::Last];
            classes.into_iter().find_map(oldest_of).unwrap_or(set.by_age[0])
        });
        Slot { set: number, way }
    }

    /// `slot` takes over `line`, without a valid sector.
    pub(super) fn assign(&mut self, slot: Slot, line: u64) {
        let set = &mut self.sets[slot.set];
        set.lines[usize::from(slot.way)] = line;
        set.valid[usize::from(slot.way)] = 0;
    }

    /// Rule TOUCH: `slot` becomes its set's youngest, with this class.
    pub(super) fn touch(&mut self, slot: Slot, class: Class) {
        let set = &mut self.sets[slot.set];
        set.classes[usize::from(slot.way)] = class;
        let by_age = &mut set.by_age[..self.ways];
        if let Some(rank) = by_age.iter().position(|way| *way == slot.way) {
            by_age[rank..].rotate_left(1);
        }
    }

    /// Valid sectors.
    pub(super) fn valid(&self, slot: Slot) -> u8 {
        self.sets[slot.set].valid[usize::from(slot.way)]
    }

    /// Rule DROP: these sectors are not valid any more.
    pub(super) fn drop_sectors(&mut self, slot: Slot, sectors: u8) {
        self.sets[slot.set].valid[usize::from(slot.way)] &= !sectors;
    }

    pub(super) fn line(&self, slot: Slot) -> &Line {
        &self.data[slot.set * self.ways + usize::from(slot.way)]
    }

    /// A sector arrives from memory and becomes valid.
    pub(super) fn fill(&mut self, slot: Slot, sector: u8, data: &[u32; SECTOR_WORDS]) {
        self.sets[slot.set].valid[usize::from(slot.way)] |= 1 << sector;
        let line = &mut self.data[slot.set * self.ways + usize::from(slot.way)];
        line[usize::from(sector % SECTORS) * SECTOR_WORDS..][..SECTOR_WORDS].copy_from_slice(data);
    }

    /// A store writes its bytes into a sector.
    pub(super) fn update(&mut self, slot: Slot, sector: u8, stored: &SectorData) {
        let line = &mut self.data[slot.set * self.ways + usize::from(slot.way)];
        let words = &mut line[usize::from(sector % SECTORS) * SECTOR_WORDS..][..SECTOR_WORDS];
        for (index, (word, new)) in words.iter_mut().zip(stored.words()).enumerate() {
            let mask = byte_mask(stored.strobes >> (4 * index));
            *word = *word & !mask | new & mask;
        }
    }
}

/// The bits of the bytes whose strobes are the low four of `strobes`.
pub(super) fn byte_mask(strobes: u32) -> u32 {
    // Strobe i goes to bit 8i, and each such bit fills its byte.
    let spread = strobes & 1 | (strobes & 2) << 7 | (strobes & 4) << 14 | (strobes & 8) << 21;
    spread * 0xff
}
