//! A memory of 32-bit words with byte strobes and registered read ports.
//!
//! It maps to the block RAM of an FPGA, however small it is: a block RAM for each read port, all of which are written alike.
//! The read registers keep their words until the next enabled read, so that a place that holds a read holds its word, whatever is written
//! meanwhile. A read of a byte that is written at the same edge gives the old byte
//! in a simulation, and any value in an FPGA: the owner's contracts say that nobody needs it.

use rust_hdl::prelude::*;

use crate::Many;
use crate::memory::Words;
use crate::verilog::STROBE_MEMORY;

/// `2^A` words of 32 bits, all zero at power-up, of which `R` may be read at once.
#[derive(Clone, Debug, Default, LogicBlock)]
pub struct StrobeMemory<const A: usize, const R: usize> {
    /// Rising edge reads and writes.
    pub clock: Signal<In, Clock>,
    /// Load `read_data` at the next edge.
    pub read_enable: Signal<In, Bit>,
    /// Word to read at each port.
    pub read_address: Many<Signal<In, Bits<A>>, R>,
    /// The word read last at each.
    pub read_data: Many<Signal<Out, Bits<32>>, R>,
    /// Bytes to write at the next edge.
    pub write_strobe: Signal<In, Bits<4>>,
    /// Word to write.
    pub write_address: Signal<In, Bits<A>>,
    /// Value to write.
    pub write_data: Signal<In, Bits<32>>,
    _words: Words<A, u32>,
}

impl<const A: usize, const R: usize> Logic for StrobeMemory<A, R> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            if self.read_enable.val() {
                for (data, address) in self.read_data.iter_mut().zip(self.read_address.iter()) {
                    data.next = u64::from(self._words.0[address.val().index()]).into();
                }
            }
            let word = &mut self._words.0[self.write_address.val().index()];
            let data = self.write_data.val().to_u64() as u32;
            for byte in (0..4).filter(|byte| self.write_strobe.val().get_bit(*byte)) {
                *word = (*word & !(0xff << (8 * byte))) | (data & (0xff << (8 * byte)));
            }
        }
    }

    fn connect(&mut self) {
        self.read_data.iter_mut().for_each(Signal::connect);
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(STROBE_MEMORY.to_string())
    }
}
