//! `SerialTransmitter`: bytes to a serial line, as [`SerialReceiver`](super::serial_receiver::SerialReceiver) reads them.

use rust_hdl::prelude::*;

use crate::{Register, dff_setup};

/// Bits of a frame: start, eight, stop.
const FRAME: u64 = 10;

/// Bytes to a serial line.
#[derive(LogicBlock, Default)]
pub struct SerialTransmitter {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset: nothing is sent.
    pub reset: Signal<In, Bit>,
    /// A byte is offered.
    pub valid: Signal<In, Bit>,
    /// It is taken at this edge.
    pub ready: Signal<Out, Bit>,
    /// The byte.
    pub data: Signal<In, Bits<8>>,
    /// Clocks in a bit, at least 1; constant.
    pub clocks_per_bit: Signal<In, Bits<16>>,
    /// The line; 1 while nothing is sent.
    pub tx: Signal<Out, Bit>,
    /// Bits of the frame that are still to be sent; 0 between frames.
    left: Register<Bits<4>>,
    /// Clocks to the end of the one on the line, counted down to 1.
    clocks: Register<Bits<16>>,
    /// What is 0 on the line, the lowest bit now, the others later.
    low: Register<Bits<9>>,
}

impl Logic for SerialTransmitter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, left, clocks, low);
        self.ready.next = self.left.q.val() == 0;
        self.tx.next = !self.low.q.val().get_bit(0);
        self.clocks.d.next = self.clocks.q.val() - 1;
        if self.clocks.q.val() == 1 {
            self.clocks.d.next = self.clocks_per_bit.val();
            self.left.d.next = self.left.q.val() - 1;
            self.low.d.next = self.low.q.val() >> 1;
        }
        if self.left.q.val() == 0 {
            self.left.d.next = 0.into();
            if self.valid.val() {
                self.left.d.next = FRAME.into();
                self.clocks.d.next = self.clocks_per_bit.val();
                // The start bit is 0; behind the last bit the line rests at 1.
                self.low.d.next = (bit_cast::<9, 8>(!self.data.val()) << 1).replace_bit(0, true);
            }
        }
    }
}
