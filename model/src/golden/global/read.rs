//! Places `read` and `landing`: one read of a pass, between the row store and `collect`.

use super::pass::Readable;
use super::rows::{Row, RowData};
use super::shape::Shape;
use crate::pins::MAX_LANES;

/// One read of a picked load. `data` is what its row held at the edge at which the pass was picked.
#[derive(Clone, Debug, Default)]
pub(in crate::golden) struct Read {
    pub shape: Shape,
    /// Which of the pass's reads, or of a local pass which word, c in the contract.
    pub number: u8,
    /// Lanes that take their quad: those that have not failed.
    pub lanes: u32,
    /// The operation ends with this.
    pub last: bool,
    /// Where its lanes are read; none without lanes, and none of a shared load.
    pub row: Option<Row>,
    pub offsets: [u8; MAX_LANES],
    pub data: RowData,
}

impl Read {
    /// The next read of the pass that is picked, with its row's `data`; `last` if the operation ends with it.
    pub(super) fn make(&mut self, readable: &Readable, data: &RowData, last: bool) {
        self.shape = readable.pass.shape;
        // A local pass has one read and a word, any other reads and no word.
        self.number = readable.reads + readable.pass.word;
        self.lanes = readable.pass.lanes & !readable.failed;
        self.last = last;
        self.row = (readable.to_be_read != 0 && self.lanes != 0).then_some(readable.row);
        self.offsets = readable.pass.offsets;
        self.data = *data;
    }
}
