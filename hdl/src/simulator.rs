//! rust_hdl's own simulation of the unit, stepped by clock cycles.
//!
//! The same description that becomes Verilog runs here without it, slowly (thousands of cycles a second), so
//! that a difference between engines names its culprit: the description, the Verilog writer, or the specification.
//!
//! Pins are two runs of 32-bit words, inputs and outputs. In each, the ports stand in order of their names, least
//! significant word first, each beginning at a new word; `clk` is driven here and stands in neither.

use rust_hdl::prelude::*;
use thiserror::Error;

use crate::Many;
use crate::preset::{self, STACK};

/// Updates after which combinational logic counts as looping.
const MAX_UPDATES: usize = 200;

/// Why a cycle could not be simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SimulationError {
    /// The logic did not settle: a combinational loop in the description.
    #[error("the rust_hdl simulation did not settle after {MAX_UPDATES} updates: a combinational loop")]
    Unsettled,
}

/// A unit that can be stepped.
pub trait Simulate {
    /// One clock cycle: applies the inputs, settles, samples every output, then passes the rising edge of `clk`.
    ///
    /// # Errors
    /// The logic does not settle.
    fn step(&mut self, inputs: &[u32], outputs: &mut [u32]) -> Result<(), SimulationError>;

    /// The outputs of a cycle with these inputs, without the edge that ends it: nothing is remembered.
    ///
    /// # Errors
    /// The logic does not settle.
    fn settle(&mut self, inputs: &[u32], outputs: &mut [u32]) -> Result<(), SimulationError>;
}

/// The simulation of a preset's unit; `None` for a name that is no preset.
pub fn simulator(preset: &str) -> Option<Box<dyn Simulate>> {
    Some((preset::named(preset)?.simulator)())
}

/// Reads ports one after the other.
pub(crate) struct Reader<'a> {
    pub(crate) words: &'a [u32],
    pub(crate) bit: usize,
}

impl Reader<'_> {
    pub(crate) fn align(&mut self) {
        self.bit = self.bit.next_multiple_of(32);
    }

    /// The next `width` bits, at most 64.
    fn take(&mut self, width: usize) -> u64 {
        let bits = self.bit..self.bit + width;
        self.bit = bits.end;
        bits.rev().fold(0, |value, bit| value << 1 | u64::from(self.words[bit / 32] >> (bit % 32) & 1))
    }
}

/// Writes ports one after the other.
pub(crate) struct Writer<'a> {
    pub(crate) words: &'a mut [u32],
    pub(crate) bit: usize,
}

impl Writer<'_> {
    pub(crate) fn align(&mut self) {
        self.bit = self.bit.next_multiple_of(32);
    }

    /// Appends the low `width` bits of `value`.
    fn put(&mut self, value: u64, width: usize) {
        for place in 0..width {
            let (word, bit) = (&mut self.words[self.bit / 32], self.bit % 32);
            *word = *word & !(1 << bit) | ((value >> place & 1) as u32) << bit;
            self.bit += 1;
        }
    }
}

/// An input port, or an array of them.
pub(crate) trait Load {
    fn load(&mut self, reader: &mut Reader);
}

impl Load for Signal<In, Bit> {
    fn load(&mut self, reader: &mut Reader) {
        self.next = reader.take(1) == 1;
    }
}

impl<const N: usize> Load for Signal<In, Bits<N>> {
    fn load(&mut self, reader: &mut Reader) {
        self.next = reader.take(N).into();
    }
}

impl<T: Load, const N: usize> Load for Many<T, N> {
    fn load(&mut self, reader: &mut Reader) {
        self.iter_mut().for_each(|port| port.load(reader));
    }
}

/// An output port, or an array of them.
pub(crate) trait Store {
    fn store(&self, writer: &mut Writer);
}

impl Store for Signal<Out, Bit> {
    fn store(&self, writer: &mut Writer) {
        writer.put(self.val().into(), 1);
    }
}

impl<const N: usize> Store for Signal<Out, Bits<N>> {
    fn store(&self, writer: &mut Writer) {
        writer.put(self.val().into(), N);
    }
}

impl<T: Store, const N: usize> Store for Many<T, N> {
    fn store(&self, writer: &mut Writer) {
        self.iter().for_each(|port| port.store(writer));
    }
}

pub(crate) fn settle(unit: &mut impl Block) -> Result<(), SimulationError> {
    stacker::maybe_grow(STACK / 2, STACK, || {
        for _ in 0..MAX_UPDATES {
            unit.update_all();
            if !unit.has_changed() {
                return Ok(());
            }
        }
        Err(SimulationError::Unsettled)
    })
}
