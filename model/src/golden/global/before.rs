//! The cycle before: what was to be read then and which rows MSHRs named, and what `tag` did at the edge since. The rules that keep a
//! row's content for who still needs it ask about these.

use super::line::Line;
use super::misses::MAX_MSHRS;
use super::rows::Row;

/// Room for the passes in `hit`, `ro_hit` and `resume`, two each, for that in `ro_read`, and for one that `tag` sent to one of them.
const MAX_READINGS: usize = 8;

/// What is to be read of a row.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reading {
    pub row: Row,
    /// The line that the pass asked for.
    pub line: Line,
    pub sectors: u8,
}

/// What the cycle before and its edge left to be respected.
#[derive(Clone, Debug, Default)]
pub(super) struct Before {
    readings: [Reading; MAX_READINGS],
    reading_count: usize,
    named: [Row; MAX_MSHRS],
    named_count: usize,
    /// The row of the way that the pass found that `tag` moved, or that it took as its victim.
    moved_to: Option<Row>,
}

impl Before {
    /// From the readings of a cycle, and the rows of the MSHRs in use in it.
    pub(super) fn new(readings: impl Iterator<Item = Reading>, named: impl Iterator<Item = Row>) -> Self {
        let mut before = Self::default();
        readings.for_each(|reading| before.add(reading));
        for row in named {
            before.named[before.named_count] = row;
            before.named_count += 1;
        }
        before
    }

    /// `tag` sends a pass to be read at this edge.
    pub(super) fn add(&mut self, reading: Reading) {
        if reading.sectors != 0 {
            self.readings[self.reading_count] = reading;
            self.reading_count += 1;
        }
    }

    /// `tag` moves a pass that has a way, found or taken.
    pub(super) fn moves_to(&mut self, row: Option<Row>) {
        self.moved_to = row;
    }

    /// What counts as to be read.
    pub(super) fn readings(&self) -> &[Reading] {
        &self.readings[..self.reading_count]
    }

    /// Rule PINNED: the rows whose ways are pinned.
    pub(super) fn pinned(&self) -> impl Iterator<Item = Row> {
        let named = self.named[..self.named_count].iter().copied();
        named.chain(self.readings().iter().map(|reading| reading.row)).chain(self.moved_to)
    }
}
