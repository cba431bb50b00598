//! A memory of 32-bit words with byte strobes and a registered read port.
//!
//! It maps to the block RAM of an FPGA, however small it is. The read register keeps its word until the next enabled read, so that a place
//! that holds a read holds its word, whatever is written meanwhile. A read of a byte that is written at the same edge gives the old byte
//! in a simulation, and any value in an FPGA: the owner's contracts say that nobody needs it.

use rust_hdl::prelude::*;

use crate::memory::Words;
use crate::verilog::STROBE_MEMORY;

/// `2^A` words of 32 bits, all zero at power-up.
#[derive(Clone, Debug, Default, LogicBlock)]
pub struct StrobeMemory<const A: usize> {
    /// Rising edge reads and writes.
    pub clock: Signal<In, Clock>,
    /// Load `read_data` at the next edge.
    pub read_enable: Signal<In, Bit>,
    /// Word to read.
    pub read_address: Signal<In, Bits<A>>,
    /// The word read last.
    pub read_data: Signal<Out, Bits<32>>,
    /// Bytes to write at the next edge.
    pub write_strobe: Signal<In, Bits<4>>,
    /// Word to write.
    pub write_address: Signal<In, Bits<A>>,
    /// Value to write.
    pub write_data: Signal<In, Bits<32>>,
    _words: Words<A, u32>,
}

impl<const A: usize> Logic for StrobeMemory<A> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            if self.read_enable.val() {
                self.read_data.next = u64::from(self._words.0[self.read_address.val().index()]).into();
            }
            let word = &mut self._words.0[self.write_address.val().index()];
            let data = self.write_data.val().to_u64() as u32;
            for byte in (0..4).filter(|byte| self.write_strobe.val().get_bit(*byte)) {
                *word = (*word & !(0xff << (8 * byte))) | (data & (0xff << (8 * byte)));
            }
        }
    }

    fn connect(&mut self) {
        self.read_data.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(STROBE_MEMORY.to_string())
    }
}
