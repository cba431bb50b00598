//! Tags, ages and data: 4 sets of 64-byte lines, true least-recently-used replacement.

use super::pass::Key;
use crate::pins::SECTOR_WORDS;

const SETS: usize = 4;

/// One line's bytes as little-endian words.
pub(in crate::golden) type Line = [u32; 2 * SECTOR_WORDS];

/// Where a line lies in the cache; stays readable when the line is no longer valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(in crate::golden) struct Slot {
    set: usize,
    way: usize,
}

#[derive(Clone, Debug)]
struct Set {
    /// The key that each way holds, if it is valid.
    keys: Vec<Option<Key>>,
    lines: Vec<Line>,
    /// Way numbers, the oldest first.
    by_age: Vec<usize>,
}

impl Set {
    fn new(ways: usize) -> Self {
        Self { keys: vec![None; ways], lines: vec![[0; 2 * SECTOR_WORDS]; ways], by_age: (0..ways).collect() }
    }

    fn make_youngest(&mut self, way: usize) {
        if let Some(rank) = self.by_age.iter().position(|other| *other == way) {
            self.by_age[rank..].rotate_left(1);
        }
    }
}

/// The cache.
#[derive(Clone, Debug)]
pub(in crate::golden) struct Cache {
    sets: Vec<Set>,
}

impl Cache {
    pub(in crate::golden) fn new(ways: usize) -> Self {
        Self { sets: vec![Set::new(ways); SETS] }
    }

    /// As after reset: nothing valid, way 0 the oldest.
    pub(in crate::golden) fn clear(&mut self) {
        for set in &mut self.sets {
            set.keys.fill(None);
            for (rank, way) in set.by_age.iter_mut().enumerate() {
                *way = rank;
            }
        }
    }

    /// The `invalidate constant cache` command: no line is valid any more; ages stay.
    pub(in crate::golden) fn invalidate(&mut self) {
        for set in &mut self.sets {
            set.keys.fill(None);
        }
    }

    /// The keys that the ways of the set of `key` hold.
    pub(in crate::golden) fn keys(&self, key: Key) -> impl Iterator<Item = Key> {
        self.sets[usize::from(key.line()) % SETS].keys.iter().copied().flatten()
    }

    /// Looks `key` up; the way that holds it becomes the youngest.
    pub(in crate::golden) fn hit(&mut self, key: Key) -> Option<Slot> {
        let number = usize::from(key.line()) % SETS;
        let set = &mut self.sets[number];
        let way = set.keys.iter().position(|held| *held == Some(key))?;
        set.make_youngest(way);
        Some(Slot { set: number, way })
    }

    /// The oldest way of the set receives `line`. If the line may be `kept` it becomes valid and youngest, otherwise the
    /// way becomes invalid and its age stays.
    pub(in crate::golden) fn install(&mut self, key: Key, line: Line, kept: bool) -> Slot {
        let number = usize::from(key.line()) % SETS;
        let set = &mut self.sets[number];
        let way = set.by_age[0];
        set.lines[way] = line;
        set.keys[way] = kept.then_some(key);
        if kept {
            set.make_youngest(way);
        }
        Slot { set: number, way }
    }

    pub(in crate::golden) fn line(&self, slot: Slot) -> &Line {
        &self.sets[slot.set].lines[slot.way]
    }
}
