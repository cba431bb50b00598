//! A cache of 128-byte lines in four sectors: tags, ages and classes of L1 and of the read-only cache. Their data are in the
//! row store.

use super::line::{Line, Memory};
use super::rows::Row;
use super::shape::Class;

/// Room for the ways of every preset.
pub(super) const MAX_WAYS: usize = 8;

/// Where a line lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(in crate::golden) struct Slot {
    pub set: usize,
    pub way: u8,
}

/// A sector of a way of L1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::golden) struct WaySector {
    pub slot: Slot,
    pub sector: u8,
}

/// Tags of one set.
#[derive(Clone, Debug)]
struct Set {
    lines: [Line; MAX_WAYS],
    /// Valid sectors of each way.
    valid: [u8; MAX_WAYS],
    /// Those where a local store has left bytes that memory does not have.
    written: [u8; MAX_WAYS],
    classes: [Class; MAX_WAYS],
    /// Way numbers, the one used longest ago first.
    by_age: [u8; MAX_WAYS],
}

const NEW_SET: Set = Set {
    lines: [Line { memory: Memory::Global, number: 0 }; MAX_WAYS],
    valid: [0; MAX_WAYS],
    written: [0; MAX_WAYS],
    classes: [Class::Normal; MAX_WAYS],
    by_age: [0, 1, 2, 3, 4, 5, 6, 7],
};

/// One cache.
#[derive(Clone, Debug)]
pub(super) struct Cache {
    ways: usize,
    sets: Box<[Set]>,
    /// The row of way 0 of set 0.
    first_row: u16,
}

impl Cache {
    /// A cache whose ways have the rows from number `first_row` on.
    pub(super) fn new(sets: usize, ways: usize, first_row: usize) -> Self {
        assert!((1..=MAX_WAYS).contains(&ways) && sets > 0, "a cache has sets, and 1 to {MAX_WAYS} ways");
        Self { ways, sets: vec![NEW_SET; sets].into_boxed_slice(), first_row: first_row as u16 }
    }

    /// Rule ROW: the row of a way.
    pub(super) fn row(&self, slot: Slot) -> Row {
        Row(self.first_row + (slot.set * self.ways) as u16 + u16::from(slot.way))
    }

    /// The way whose row this is, if it is one of this cache.
    pub(super) fn slot(&self, row: Row) -> Option<Slot> {
        let number = usize::from(row.0.checked_sub(self.first_row)?);
        let slot = Slot { set: number / self.ways, way: (number % self.ways) as u8 };
        (slot.set < self.sets.len()).then_some(slot)
    }

    /// The ways of set `number` whose rows are among `rows`.
    pub(super) fn ways_of(&self, number: usize, rows: impl Iterator<Item = Row>) -> u32 {
        let slots = rows.filter_map(|row| self.slot(row)).filter(|slot| slot.set == number);
        slots.fold(0, |ways, slot| ways | 1 << slot.way)
    }

    /// As after reset: nothing valid, way 0 the oldest.
    pub(super) fn clear(&mut self) {
        self.sets.fill(NEW_SET);
    }

    /// No sector of a `local` line, or of any other, is valid any more; ages and classes stay.
    pub(super) fn invalidate(&mut self, local: bool) {
        for set in &mut self.sets {
            for (line, valid) in set.lines.iter().zip(&mut set.valid) {
                if line.is_local() == local {
                    *valid = 0;
                }
            }
        }
    }

    /// Rule HIT: the set of `line`.
    pub(super) fn set_of(&self, line: Line) -> usize {
        let sets = self.sets.len() as u64;
        let number = if line.is_local() { line.number ^ (line.number / sets) } else { line.number };
        (number % sets) as usize
    }

    /// The way that is present (it has a valid sector, or is among the `reserved`) and holds `line`.
    pub(super) fn find(&self, line: Line, reserved: u32) -> Option<Slot> {
        let number = self.set_of(line);
        let set = &self.sets[number];
        let holds = |way: &usize| set.lines[*way] == line && (set.valid[*way] != 0 || reserved >> way & 1 == 1);
        (0..self.ways).find(holds).map(|way| Slot { set: number, way: way as u8 })
    }

    /// The lines of the ways that are present in the set of `line`.
    pub(super) fn present(&self, line: Line, reserved: u32) -> impl Iterator<Item = Line> {
        let set = &self.sets[self.set_of(line)];
        let is_present = move |way: &usize| set.valid[*way] != 0 || reserved >> way & 1 == 1;
        (0..self.ways).filter(is_present).map(|way| set.lines[way])
    }

    /// Rule VICTIM: the way that a new line gets in set `number`, if there is one; what is reserved is pinned, too.
    pub(super) fn victim(&self, number: usize, pinned: u32) -> Option<Slot> {
        let set = &self.sets[number];
        let is_free = |way: &u8| pinned >> way & 1 == 0;
        let absent = (0..self.ways as u8).filter(is_free).find(|way| set.valid[usize::from(*way)] == 0);
        let has = |class: &Class| set.classes[..self.ways].contains(class);
        let class = [Class::First, Class::Normal, Class::Last].into_iter().find(has);
        let is_of_class = |way: &u8| Some(set.classes[usize::from(*way)]) == class;
        let oldest = || set.by_age[..self.ways].iter().copied().filter(is_of_class).find(is_free);
        let way = absent.or_else(oldest);
        way.map(|way| Slot { set: number, way })
    }

    /// `slot` takes over `line`, without a valid or a written sector.
    pub(super) fn assign(&mut self, slot: Slot, line: Line) {
        let set = &mut self.sets[slot.set];
        set.lines[usize::from(slot.way)] = line;
        set.valid[usize::from(slot.way)] = 0;
        set.written[usize::from(slot.way)] = 0;
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

    /// The line that `slot` has, or had last.
    pub(super) fn line(&self, slot: Slot) -> Line {
        self.sets[slot.set].lines[usize::from(slot.way)]
    }

    /// Rule WRITE-BACK: the lowest dirty sector, written and valid, of the lowest-numbered way of set `number` that has one.
    pub(super) fn dirty(&self, number: usize) -> Option<WaySector> {
        let set = &self.sets[number];
        let dirty = |way: &usize| set.written[*way] & set.valid[*way];
        let way = (0..self.ways).find(|way| dirty(way) != 0)?;
        let slot = Slot { set: number, way: way as u8 };
        Some(WaySector { slot, sector: dirty(&way).trailing_zeros() as u8 })
    }

    /// Rule UPDATE: a local store has left its bytes in a sector.
    pub(super) fn set_written(&mut self, slot: Slot, sector: u8) {
        self.sets[slot.set].written[usize::from(slot.way)] |= 1 << sector;
    }

    /// What these sectors hold need not go to memory any more.
    pub(super) fn forget_written(&mut self, slot: Slot, sectors: u8) {
        self.sets[slot.set].written[usize::from(slot.way)] &= !sectors;
    }

    /// Rule DROP: these sectors are not valid any more.
    pub(super) fn drop_sectors(&mut self, slot: Slot, sectors: u8) {
        self.sets[slot.set].valid[usize::from(slot.way)] &= !sectors;
    }

    /// A sector has come from memory, or a store has written all of it.
    pub(super) fn validate(&mut self, slot: Slot, sector: u8) {
        self.sets[slot.set].valid[usize::from(slot.way)] |= 1 << sector;
    }
}
