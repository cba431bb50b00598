//! rust_hdl's own simulation of the unit, stepped by clock cycles.
//!
//! The same description that becomes Verilog runs here without it, slowly (tens to hundreds of cycles a second,
//! by the preset), so that a difference between engines names its culprit: the description, the Verilog writer, or the specification.
//!
//! Pins are two runs of 32-bit words, inputs and outputs. In each, the ports stand in order of their names, least
//! significant word first, each beginning at a new word; `clk` is driven here and stands in neither.

use std::ops::Range;

use rust_hdl::prelude::*;
use thiserror::Error;

use crate::Many;

/// Stack that building or stepping a unit may need: a unit is one large value with many temporaries.
pub(crate) const STACK: usize = 256 << 20;

/// Updates after which combinational logic counts as looping.
const MAX_UPDATES: usize = 200;

/// The logic did not settle: a combinational loop in the description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the rust_hdl simulation did not settle after {MAX_UPDATES} updates: a combinational loop")]
pub struct SimulationError;

/// A unit that can be stepped.
pub trait Simulate {
    /// One clock cycle: applies the inputs, settles, samples every output, then passes the rising edge of `clk`.
    ///
    /// # Errors
    /// The logic does not settle.
    fn step(&mut self, inputs: &[u32], outputs: &mut [u32]) -> Result<(), SimulationError>;
}

/// Words of pins, passed bit by bit.
pub(crate) struct Pins<W> {
    words: W,
    bit: usize,
}

impl<W> Pins<W> {
    pub(crate) fn new(words: W) -> Self {
        Self { words, bit: 0 }
    }

    /// Goes on at a new word: a port begins.
    pub(crate) fn align(&mut self) -> &mut Self {
        self.bit = self.bit.next_multiple_of(32);
        self
    }

    fn pass(&mut self, width: usize) -> Range<usize> {
        let bits = self.bit..self.bit + width;
        self.bit = bits.end;
        bits
    }
}

/// A port, or an array of them.
pub(crate) trait Port<W> {
    /// An input takes its value from the words, an output puts it there; at most 64 bits.
    fn exchange(&mut self, pins: &mut Pins<W>);
}

impl Port<&[u32]> for Signal<In, Bit> {
    fn exchange(&mut self, pins: &mut Pins<&[u32]>) {
        self.next = take(pins, 1) == 1;
    }
}

impl<const N: usize> Port<&[u32]> for Signal<In, Bits<N>> {
    fn exchange(&mut self, pins: &mut Pins<&[u32]>) {
        self.next = take(pins, N).into();
    }
}

fn take(pins: &mut Pins<&[u32]>, width: usize) -> u64 {
    pins.pass(width).rev().fold(0, |value, bit| value << 1 | u64::from(pins.words[bit / 32] >> (bit % 32) & 1))
}

impl<T: Synth + Into<u64>> Port<&mut [u32]> for Signal<Out, T> {
    fn exchange(&mut self, pins: &mut Pins<&mut [u32]>) {
        let value = self.val().into();
        for (place, bit) in pins.pass(T::BITS).enumerate() {
            let (word, bit) = (&mut pins.words[bit / 32], bit % 32);
            *word = *word & !(1 << bit) | ((value >> place & 1) as u32) << bit;
        }
    }
}

impl<W, T: Port<W>, const N: usize> Port<W> for Many<T, N> {
    fn exchange(&mut self, pins: &mut Pins<W>) {
        self.iter_mut().for_each(|port| port.exchange(pins));
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
        Err(SimulationError)
    })
}
