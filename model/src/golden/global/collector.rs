//! Places `collect` and `emit`: the words of one operation's lanes are collected and sent, one register a cycle.

use super::super::lanes::bits;
use super::read::Read;
use super::shape::Shape;
use crate::pins::{MAX_LANES, RZ, Writeback};

/// 32-bit words of what one read takes for each lane.
const QUAD_WORDS: usize = 4;

/// Up to four words of every lane of one operation.
#[derive(Clone, Debug, Default)]
pub(in crate::golden) struct Collected {
    pub shape: Shape,
    /// Which of a pass's reads, or which word.
    pub number: u8,
    /// Lanes that have been read.
    pub lanes: u32,
    /// The operation ends with this.
    pub last: bool,
    /// The next register to be sent, counted from 0; 0 in `collect`.
    pub sent: u8,
    offsets: [u8; MAX_LANES],
    quads: [[u32; QUAD_WORDS]; MAX_LANES],
}

impl Collected {
    /// Begins with a read, without lanes so far.
    pub(super) fn begin(&mut self, read: &Read) {
        self.shape = read.shape;
        self.number = read.number;
        self.lanes = 0;
        self.last = false;
        self.sent = 0;
        // The same in every pass of the operation with this word, if it is local, and in every one that is not.
        self.offsets = read.offsets;
    }

    /// Rule SAME: whether `read` belongs here.
    pub(super) fn is_same(&self, read: &Read) -> bool {
        let is_alike = read.shape.is_local() == self.shape.is_local();
        read.shape.tag == self.shape.tag && read.number == self.number && is_alike
    }

    /// The quads of the lanes of a read.
    pub(super) fn collect(&mut self, read: &Read) {
        let (quads, _) = read.data.as_chunks::<QUAD_WORDS>();
        // The word of a local pass lies at the pass's own addresses.
        let further = if read.shape.is_local() { 0 } else { usize::from(read.number) };
        for lane in bits(read.lanes).map(usize::from) {
            let number = usize::from(read.offsets[lane] >> 4) + further;
            self.quads[lane] = quads[number % quads.len()];
        }
        self.lanes |= read.lanes;
        self.last |= read.last;
    }

    /// Whether the register that is sent next is the last one.
    pub(super) fn is_on_last_register(&self) -> bool {
        self.sent + 1 >= self.shape.registers_of_read()
    }

    /// The number of the register that is sent next.
    pub(super) fn next_register(&self) -> u8 {
        self.shape.rd.wrapping_add(self.number * self.shape.registers_of_read() + self.sent)
    }

    /// Rule EMIT: the register that is sent next.
    pub(super) fn register(&self, writeback: &mut Writeback) {
        let shape = &self.shape;
        let register = self.number * shape.registers_of_read() + self.sent;
        let element = register / shape.element_registers.max(1);
        let is_sunk = shape.rd == RZ || u32::from(shape.sink) >> element & 1 == 1;
        writeback.tag = shape.tag;
        writeback.rd = self.next_register();
        writeback.mask = if is_sunk { 0 } else { self.lanes };
        writeback.last = self.last && self.is_on_last_register();
        writeback.data = [0; MAX_LANES];
        let upper = shape.extended && self.sent % 2 == 1;
        let index = if shape.extended { self.sent / 2 } else { self.sent };
        let first = usize::from(index * shape.part);
        // Left by `unused` and back again, as a number with or without sign.
        let unused = 32 - 8 * u32::from(shape.part);
        for lane in bits(writeback.mask).map(usize::from) {
            let at = usize::from(self.offsets[lane] % 16) + first;
            let word = self.quads[lane][at / 4 % QUAD_WORDS] >> (8 * (at % 4));
            let shifted = word << unused;
            let value = if shape.sign { (shifted as i32 >> unused) as u32 } else { shifted >> unused };
            writeback.data[lane] = match (upper, shape.sign) {
                (false, _) => value,
                (true, true) => (value as i32 >> 31) as u32,
                (true, false) => 0,
            };
        }
    }
}
