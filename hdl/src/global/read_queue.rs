//! `ReadQueue`: read requests in the order in which their passes left T.
//!
//! The head asks for its sectors one by one, lowest first. There are as many places as waiters, so the queue never overflows.

use rust_hdl::prelude::*;

use super::operation::Operation;
use super::sizes::*;
use crate::codes::*;
use crate::{Memory, Register, dff_setup};

/// A queue of `2^ENTRY_BITS` passes: read requests in the order in which they left T.
#[derive(LogicBlock, Default)]
pub struct ReadQueue {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// A pass asks for sectors.
    pub push: Signal<In, Bit>,
    /// Which.
    pub ask: Signal<In, Bits<4>>,
    /// Of this line.
    pub line: Signal<In, Bits<LINE>>,
    /// For this MSHR.
    pub mshr: Signal<In, Bits<ENTRY_BITS>>,
    /// Its operation.
    pub operation: Signal<In, Operation>,
    /// Byte in its sector of the lowest lane.
    pub leader_byte: Signal<In, Bits<5>>,

    /// A sector is asked for.
    pub valid: Signal<Out, Bit>,
    /// Taken at this edge.
    pub ready: Signal<In, Bit>,
    /// Operation of the head.
    pub request: Signal<Out, Operation>,
    /// MSHR of the head.
    pub request_mshr: Signal<Out, Bits<ENTRY_BITS>>,
    /// The sector.
    pub request_sector: Signal<Out, Bits<2>>,
    /// Sector-aligned byte address.
    pub address: Signal<Out, Bits<ADDR>>,
    /// Bytes asked for: all, or those of an mmio element.
    pub strobe: Signal<Out, Bits<32>>,

    asks: Memory<ENTRY_BITS, Bits<4>>,
    lines: Memory<ENTRY_BITS, Bits<LINE>>,
    mshrs: Memory<ENTRY_BITS, Bits<ENTRY_BITS>>,
    operations: Memory<ENTRY_BITS, Operation>,
    bytes: Memory<ENTRY_BITS, Bits<5>>,
    head: Register<Bits<ENTRY_BITS>>,
    tail: Register<Bits<ENTRY_BITS>>,
    used: Register<Bit>,
    sent: Register<Bits<4>>,
    left: Signal<Local, Bits<4>>,
    lowest: Signal<Local, Bits<4>>,
    is_last: Signal<Local, Bit>,
    element: Signal<Local, Bits<32>>,
}

impl Logic for ReadQueue {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, head, tail, used, sent);
        self.asks.clock.next = self.clock.val();
        self.asks.write_enable.next = self.push.val();
        self.asks.write_address.next = self.tail.q.val();
        self.asks.write_data.next = self.ask.val();
        self.asks.read_address.next = self.head.q.val();
        self.lines.clock.next = self.clock.val();
        self.lines.write_enable.next = self.push.val();
        self.lines.write_address.next = self.tail.q.val();
        self.lines.write_data.next = self.line.val();
        self.lines.read_address.next = self.head.q.val();
        self.mshrs.clock.next = self.clock.val();
        self.mshrs.write_enable.next = self.push.val();
        self.mshrs.write_address.next = self.tail.q.val();
        self.mshrs.write_data.next = self.mshr.val();
        self.mshrs.read_address.next = self.head.q.val();
        self.operations.clock.next = self.clock.val();
        self.operations.write_enable.next = self.push.val();
        self.operations.write_address.next = self.tail.q.val();
        self.operations.write_data.next = self.operation.val();
        self.operations.read_address.next = self.head.q.val();
        self.bytes.clock.next = self.clock.val();
        self.bytes.write_enable.next = self.push.val();
        self.bytes.write_address.next = self.tail.q.val();
        self.bytes.write_data.next = self.leader_byte.val();
        self.bytes.read_address.next = self.head.q.val();

        // The lowest sector that has not been sent; x & -x keeps the lowest 1.
        self.left.next = self.asks.read_data.val() & !self.sent.q.val();
        self.lowest.next = self.left.val() & (!self.left.val() + 1);
        self.is_last.next = !(self.left.val() & !self.lowest.val()).any();
        self.request_sector.next = 0.into();
        if self.lowest.val().get_bit(1) {
            self.request_sector.next = 1.into();
        }
        if self.lowest.val().get_bit(2) {
            self.request_sector.next = 2.into();
        }
        if self.lowest.val().get_bit(3) {
            self.request_sector.next = 3.into();
        }
        self.valid.next = self.used.q.val();
        self.request.next = self.operations.read_data.val();
        self.request_mshr.next = self.mshrs.read_data.val();
        self.address.next = (bit_cast::<ADDR, LINE>(self.lines.read_data.val()) << 7)
            | (bit_cast::<ADDR, 2>(self.request_sector.val()) << 5);
        self.element.next = 1.into();
        if self.operations.read_data.val().size == SIZE_16 {
            self.element.next = 3.into();
        }
        if self.operations.read_data.val().size == SIZE_32 {
            self.element.next = 15.into();
        }
        if self.operations.read_data.val().size == SIZE_64 {
            self.element.next = 255.into();
        }
        if self.operations.read_data.val().size == SIZE_128 {
            self.element.next = 65535.into();
        }
        self.strobe.next = 0xffffffffu64.into();
        if self.operations.read_data.val().mmio {
            self.strobe.next = self.element.val() << self.bytes.read_data.val();
        }

        if self.used.q.val() & self.ready.val() {
            self.sent.d.next = self.sent.q.val() | self.lowest.val();
            if self.is_last.val() {
                self.sent.d.next = 0.into();
                self.head.d.next = self.head.q.val() + 1;
                // Empty unless something else is queued: head meets tail exactly when this was the last.
                self.used.d.next = (self.head.q.val() + 1) != self.tail.q.val();
            }
        }
        if self.push.val() {
            self.tail.d.next = self.tail.q.val() + 1;
            self.used.d.next = true;
        }
    }
}
