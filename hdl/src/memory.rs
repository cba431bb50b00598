//! A small memory with an asynchronous read port and a synchronous write port.
//!
//! It maps to the distributed (LUT) RAM of an FPGA. It has no reset and no byte enables; a block
//! that needs either keeps valid bits in registers beside it.

use rust_hdl::prelude::*;

use crate::verilog::MEMORY;

/// `2^A` words of type `T`, all zero at power-up.
#[derive(Clone, Debug, Default, LogicBlock)]
pub struct Memory<const A: usize, T: Synth> {
    /// Rising edge writes.
    pub clock: Signal<In, Clock>,
    /// Word to read.
    pub read_address: Signal<In, Bits<A>>,
    /// The word at `read_address`, in the same cycle; a write shows after its edge.
    pub read_data: Signal<Out, T>,
    /// Write `write_data` at the next edge.
    pub write_enable: Signal<In, Bit>,
    /// Word to write.
    pub write_address: Signal<In, Bits<A>>,
    /// Value to write.
    pub write_data: Signal<In, T>,
    _words: Words<A, T>,
}

/// The words of a memory: `2^A`, each with the default value of `T`.
#[derive(Clone, Debug)]
pub(crate) struct Words<const A: usize, T>(pub(crate) Vec<T>);

impl<const A: usize, T: Clone + Default> Default for Words<A, T> {
    fn default() -> Self {
        Self(vec![T::default(); 1 << A])
    }
}

impl<const A: usize, T: Synth> Logic for Memory<A, T> {
    fn update(&mut self) {
        if self.clock.pos_edge() && self.write_enable.val() {
            self._words.0[self.write_address.val().index()] = self.write_data.val();
        }
        self.read_data.next = self._words.0[self.read_address.val().index()];
    }

    fn connect(&mut self) {
        self.read_data.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(MEMORY.to_string())
    }
}
