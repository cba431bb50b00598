//! A pass: the lanes of one operation that one line, or one word of each bank, serves; and a pass that knows its row.

use super::super::lanes::lanes_where;
use super::line::{Line, SECTORS};
use super::rows::Row;
use super::shape::Shape;
use crate::pins::{FaultCause, FaultRecord, MAX_LANES};

/// One pass; a command counts as one too.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::golden) struct Pass {
    pub shape: Shape,
    /// None in an empty pass, and in a command.
    pub lanes: u32,
    /// Its lanes lie in shared memory.
    pub shared: bool,
    /// Of a local pass: which word of its lanes it serves.
    pub word: u8,
    /// Without lanes, or of a shared pass, its number means nothing.
    pub line: Line,
    /// Bits 6..0 of each lane's address, of its address in memory, or of its shared address.
    pub offsets: [u8; MAX_LANES],
}

impl Pass {
    pub(super) fn has_line(&self) -> bool {
        self.lanes != 0 && !self.shared
    }

    /// Lanes in these sectors.
    pub(super) fn lanes_in(&self, sectors: u8) -> u32 {
        lanes_where(&self.offsets, |offset| sectors >> (offset >> 5 & 3) & 1 == 1) & self.lanes
    }

    /// The sectors in which its lanes lie; none without a line.
    pub(super) fn need(&self) -> u8 {
        if self.shared {
            return 0;
        }
        (0..SECTORS).filter(|sector| self.lanes_in(1 << sector) != 0).fold(0, |need, sector| need | 1 << sector)
    }

    /// The memory_error record for these lanes.
    pub(super) fn error(&self, lanes: u32) -> FaultRecord {
        let lowest = lanes.trailing_zeros() as usize % MAX_LANES;
        let addr = self.line.number << 7 | u64::from(self.offsets[lowest]);
        FaultRecord { tag: self.shape.tag, cause: FaultCause::MemoryError.code(), lanes, addr }
    }
}

/// A pass whose data can be read (or that needs none), in `hit`, `bank`, `ro_read`, `ro_hit` or `resume`.
#[derive(Clone, Debug, Default)]
pub(in crate::golden) struct Readable {
    pub pass: Pass,
    /// Where its lanes are read; means nothing without a line.
    pub row: Row,
    /// The sectors of the row that are to be read: those of a load's lanes with a line.
    pub to_be_read: u8,
    /// Lanes whose sector came back with an error.
    pub failed: u32,
    /// Reads made.
    pub reads: u8,
}

impl Readable {
    /// A pass that needs no row: an empty one, a shared one, a store's, a command.
    pub(super) fn put(&mut self, pass: &Pass) {
        *self = Self { pass: *pass, ..Self::default() };
    }

    /// The `lanes` of a load's pass that lie in these `sectors` of `row`.
    pub(super) fn put_in_row(&mut self, pass: &Pass, lanes: u32, row: Row, sectors: u8) {
        self.put(pass);
        self.pass.lanes = lanes;
        (self.row, self.to_be_read) = (row, sectors);
    }

    /// Rule REPORT: its next step, if it goes, gives a memory_error record.
    pub(super) fn reports(&self) -> bool {
        self.failed != 0 && self.reads == 0
    }

    /// Its next read is its last.
    pub(super) fn is_on_last_read(&self) -> bool {
        self.reads + 1 == self.pass.shape.reads
    }
}
