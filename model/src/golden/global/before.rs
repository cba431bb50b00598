//! The cycle before: what was to be read then and which rows MSHRs named, and what `tag` did at the edge since. The rules that keep a
//! row's content for who still needs it ask about these.

use super::line::Line;
use super::rows::Row;

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
    readings: Vec<Reading>,
    named: Vec<Row>,
    /// The row of the way that the pass found that `tag` moved, or that it took as its victim.
    moved_to: Option<Row>,
}

impl Before {
    /// Becomes that of a cycle with these readings, and these rows of the MSHRs in use in it.
    pub(super) fn begin(&mut self, readings: impl Iterator<Item = Reading>, named: impl Iterator<Item = Row>) {
        self.clear();
        readings.for_each(|reading| self.add(reading));
        self.named.extend(named);
    }

    /// Nothing is to be respected.
    pub(super) fn clear(&mut self) {
        self.readings.clear();
        self.named.clear();
        self.moved_to = None;
    }

    /// `tag` sends a pass to be read at this edge.
    pub(super) fn add(&mut self, reading: Reading) {
        if reading.sectors != 0 {
            self.readings.push(reading);
        }
    }

    /// `tag` moves a pass that has a way, found or taken.
    pub(super) fn moves_to(&mut self, row: Option<Row>) {
        self.moved_to = row;
    }

    /// What counts as to be read.
    pub(super) fn readings(&self) -> &[Reading] {
        &self.readings
    }

    /// Rule PINNED: the rows whose ways are pinned.
    pub(super) fn pinned(&self) -> impl Iterator<Item = Row> {
        let named = self.named.iter().copied();
        named.chain(self.readings.iter().map(|reading| reading.row)).chain(self.moved_to)
    }
}
