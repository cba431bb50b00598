//! `LineIndex`: where a cache's line memory holds a line: way, then set. Combinational.

use super::prelude::*;

/// Index of a line in a memory of `2^INDEX` lines, `INDEX` = `SET_BITS` + `WAY_BITS`.
#[derive(LogicBlock, Default)]
pub struct LineIndex<const SET_BITS: usize, const WAY_BITS: usize, const INDEX: usize> {
    /// The line; its low bits are its set.
    pub line: Signal<In, Bits<LINE>>,
    /// Its way.
    pub way: Signal<In, Bits<WAY_BITS>>,
    /// The place in the memory.
    pub index: Signal<Out, Bits<INDEX>>,
}

impl<const SET_BITS: usize, const WAY_BITS: usize, const INDEX: usize> Logic for LineIndex<SET_BITS, WAY_BITS, INDEX> {
    #[hdl_gen]
    fn update(&mut self) {
        self.index.next = 0.into();
        for i in 0..SET_BITS {
            self.index.next = self.index.val().replace_bit(i, self.line.val().get_bit(i));
        }
        for i in 0..WAY_BITS {
            self.index.next = self.index.val().replace_bit(i + SET_BITS, self.way.val().get_bit(i));
        }
    }
}
