//! Miss entries: passes that wait for a line, and those whose line has arrived.

use super::cache::Slot;
use super::pass::{Key, Pass};

/// What an entry that is not empty holds.
#[derive(Clone, Debug)]
pub(in crate::golden) struct Entry {
    pub pass: Pass,
    pub in_bounds: u32,
    /// The bank's address in memory when the pass left the tag place.
    pub base: u64,
    /// The entry that started the fetch.
    pub fetch: u8,
    /// A command has emptied the cache since: the line may not be kept.
    pub killed: bool,
    pub progress: Progress,
}

/// How far an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::golden) enum Progress {
    Waiting,
    /// The line lies in `slot`; `errors[s]` if its sector s is bad.
    Ready {
        slot: Slot,
        errors: [bool; 2],
    },
}

/// All entries, by number.
#[derive(Clone, Debug)]
pub(in crate::golden) struct Misses {
    entries: Vec<Option<Entry>>,
    /// Entries that are not empty, kept so that an idle cycle looks at none.
    occupied: u32,
    ready: u32,
}

impl Misses {
    pub(in crate::golden) fn new(count: usize) -> Self {
        Self { entries: vec![None; count], occupied: 0, ready: 0 }
    }

    pub(in crate::golden) fn clear(&mut self) {
        self.entries.fill(None);
        self.occupied = 0;
        self.ready = 0;
    }

    pub(in crate::golden) fn entries(&self) -> &[Option<Entry>] {
        &self.entries
    }

    pub(in crate::golden) fn any(&self) -> bool {
        self.occupied != 0
    }

    pub(in crate::golden) fn any_ready(&self) -> bool {
        self.ready != 0
    }

    /// The lowest-numbered empty entry.
    pub(in crate::golden) fn lowest_empty(&self) -> Option<u8> {
        let number = self.occupied.trailing_ones();
        ((number as usize) < self.entries.len()).then_some(number as u8)
    }

    /// Whether a pass of the operation `tag` is in an entry.
    pub(in crate::golden) fn holds(&self, tag: u8) -> bool {
        self.occupied != 0 && self.entries.iter().flatten().any(|entry| entry.pass.shape.tag == tag)
    }

    /// Rule SHARE: the fetch under way for `key` that a new entry may join.
    pub(in crate::golden) fn joinable(&self, key: Key) -> Option<u8> {
        if self.occupied == 0 {
            return None;
        }
        let mut waiting = self.entries.iter().flatten().filter(|entry| entry.progress == Progress::Waiting);
        waiting.find(|entry| entry.pass.key == key && !entry.killed).map(|entry| entry.fetch)
    }

    /// The keys of the fetches under way that a new entry may join.
    pub(in crate::golden) fn joinable_keys(&self) -> impl Iterator<Item = Key> {
        let waiting = self.entries.iter().flatten().filter(|entry| entry.progress == Progress::Waiting);
        waiting.filter(|entry| !entry.killed).map(|entry| entry.pass.key)
    }

    /// Entries that are not empty.
    pub(in crate::golden) fn in_use(&self) -> u32 {
        self.occupied.count_ones()
    }

    pub(in crate::golden) fn put(&mut self, number: u8, entry: Entry) {
        self.entries[usize::from(number)] = Some(entry);
        self.occupied |= 1 << number;
    }

    pub(in crate::golden) fn get(&self, number: u8) -> Option<&Entry> {
        self.entries.get(usize::from(number)).and_then(Option::as_ref)
    }

    /// Rule REPLAY: empties the lowest-numbered ready entry and hands out what it held.
    pub(in crate::golden) fn take_ready(&mut self) -> Option<Entry> {
        if self.ready == 0 {
            return None;
        }
        let number = self.ready.trailing_zeros();
        self.ready &= !(1 << number);
        self.occupied &= !(1 << number);
        self.entries[number as usize].take()
    }

    /// The line of `fetch` has arrived.
    pub(in crate::golden) fn complete(&mut self, fetch: u8, slot: Slot, errors: [bool; 2]) {
        for (number, entry) in self.entries.iter_mut().enumerate() {
            if let Some(entry) = entry
                && entry.fetch == fetch
                && entry.progress == Progress::Waiting
            {
                entry.progress = Progress::Ready { slot, errors };
                self.ready |= 1 << number;
            }
        }
    }

    /// Rule KILL: no line on its way may be kept.
    pub(in crate::golden) fn kill_waiting(&mut self) {
        let waiting = self.entries.iter_mut().flatten().filter(|entry| entry.progress == Progress::Waiting);
        for entry in waiting {
            entry.killed = true;
        }
    }
}
