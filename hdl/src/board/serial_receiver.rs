//! `SerialReceiver`: bytes from a serial line: a start bit (0), eight bits, the lowest first, and a stop bit (1).
//!
//! ```text
//! rx ─► two registers ─► start bit ─► half a bit later: still 0? ─► a bit every clocks_per_bit ─► stop bit: byte, came
//! ```
//!
//! What begins with no start bit of half a bit's length, or ends without a stop bit, is no byte.
//!
//! Assertions: `contract_clocks`.

use rust_hdl::prelude::*;

use crate::{Register, dff_setup};

/// Bits of a frame: start, eight, stop.
const FRAME: u64 = 10;

/// Bytes from a serial line.
#[derive(LogicBlock, Default)]
pub struct SerialReceiver {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset: waits for a start bit.
    pub reset: Signal<In, Bit>,
    /// The line; 1 while nothing is sent. It need not be synchronous to the clock.
    pub rx: Signal<In, Bit>,
    /// Clocks in a bit, at least 4; constant.
    pub clocks_per_bit: Signal<In, Bits<16>>,
    /// A byte has come; for one cycle.
    pub came: Signal<Out, Bit>,
    /// This one.
    pub data: Signal<Out, Bits<8>>,
    /// The line is 0, as it was a clock ago.
    early: Register<Bit>,
    /// The line is 0, as it was two clocks ago.
    low: Register<Bit>,
    /// Bits of the frame that are still to come; 0 between frames.
    left: Register<Bits<4>>,
    /// Clocks to the middle of the next one, counted down to 1.
    clocks: Register<Bits<16>>,
    bits: Register<Bits<8>>,
    is_complete: Register<Bit>,
    /// The line is looked at.
    samples: Signal<Local, Bit>,
    /// A bit takes at least 4 clocks.
    contract_clocks: Signal<Local, Bit>,
}

impl Logic for SerialReceiver {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, early, low, left, clocks, bits, is_complete);
        // The line is kept upside down, so that after reset it is at rest.
        self.early.d.next = !self.rx.val();
        self.low.d.next = self.early.q.val();

        self.samples.next = (self.left.q.val() != 0) & (self.clocks.q.val() == 1);
        self.is_complete.d.next = false;
        self.clocks.d.next = self.clocks.q.val() - 1;
        if self.samples.val() {
            self.clocks.d.next = self.clocks_per_bit.val();
            self.left.d.next = self.left.q.val() - 1;
            if self.left.q.val() == 1 {
                self.is_complete.d.next = !self.low.q.val();
            } else {
                self.bits.d.next = (self.bits.q.val() >> 1).replace_bit(7, !self.low.q.val());
            }
            // What was too short for a start bit is none.
            if (self.left.q.val() == FRAME) & !self.low.q.val() {
                self.left.d.next = 0.into();
            }
        }
        if (self.left.q.val() == 0) & self.low.q.val() {
            self.left.d.next = FRAME.into();
            self.clocks.d.next = self.clocks_per_bit.val() >> 1;
        }
        self.came.next = self.is_complete.q.val();
        self.data.next = self.bits.q.val();
        self.contract_clocks.next = self.clocks_per_bit.val() >= 4;
    }
}
