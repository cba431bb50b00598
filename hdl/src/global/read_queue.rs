//! `ReadQueue`: read requests in the order in which their passes left `tag`.
//!
//! The head asks for its sectors one by one, lowest first, at the one port that it is for. There are as many places as waiters, so the queue never overflows.

use super::local_line::LocalLine;
use super::prelude::*;

/// A queue of `2^ENTRY_BITS` passes: read requests in the order in which they left `tag`.
#[derive(LogicBlock, Default)]
pub struct ReadQueue {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// A waiter is free, and so is a place here: it takes what is there, whether or not that comes.
    pub has_place: Signal<In, Bit>,
    /// A pass asks for sectors.
    pub push: Signal<In, Bit>,
    /// Which.
    pub pushed: Signal<In, ReadRequest>,

    /// A sector of memory is asked for.
    pub valid: Signal<Out, Bit>,
    /// Taken at this edge, if there is one.
    pub ready: Signal<In, Bit>,
    /// A sector of another CTA's shared memory is asked for.
    pub cluster_valid: Signal<Out, Bit>,
    /// Taken at this edge, if there is one.
    pub cluster_ready: Signal<In, Bit>,
    /// What memory is told of the head's operation.
    pub attributes: Signal<Out, RequestAttributes>,
    /// MSHR of the head.
    pub request_mshr: Signal<Out, Bits<ENTRY_BITS>>,
    /// The sector.
    pub request_sector: Signal<Out, Bits<2>>,
    /// Sector-aligned byte address.
    pub address: Signal<Out, Bits<ADDR>>,
    /// Bytes asked for: all, or those of an mmio element.
    pub strobe: Signal<Out, Bits<32>>,

    requests: Memory<ENTRY_BITS, ReadRequest>,
    operation: Signal<Local, Operation>,
    memory_line: LocalLine,
    head: Register<Bits<ENTRY_BITS>>,
    tail: Register<Bits<ENTRY_BITS>>,
    used: Register<Bit>,
    sent: Register<Bits<4>>,
    is_remote: Signal<Local, Bit>,
    goes: Signal<Local, Bit>,
    left: Signal<Local, Bits<4>>,
    lowest: Signal<Local, Bits<4>>,
    is_last: Signal<Local, Bit>,
    element: Signal<Local, Bits<32>>,
}

impl Logic for ReadQueue {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, head, tail, used, sent);
        self.requests.clock.next = self.clock.val();
        self.requests.write_enable.next = self.has_place.val();
        self.requests.write_address.next = self.tail.q.val();
        self.requests.write_data.next = self.pushed.val();
        self.requests.read_address.next = self.head.q.val();

        // Rule REQUEST: the lowest sector that has not been sent; x & -x keeps the lowest 1.
        self.left.next = self.requests.read_data.val().ask & !self.sent.q.val();
        self.lowest.next = self.left.val() & (!self.left.val() + 1);
        self.is_last.next = !(self.left.val() & !self.lowest.val()).any();
        self.request_sector.next = 0.into();
        for i in 1..4 {
            if self.lowest.val().get_bit(i) {
                self.request_sector.next = i.to_bits::<2>();
            }
        }
        self.is_remote.next = self.requests.read_data.val().line.get_bit(MEMORY_LINE);
        self.valid.next = self.used.q.val() & !self.is_remote.val();
        self.cluster_valid.next = self.used.q.val() & self.is_remote.val();
        self.goes.next = self.ready.val();
        if self.is_remote.val() {
            self.goes.next = self.cluster_ready.val();
        }
        self.operation.next = self.requests.read_data.val().operation;
        self.attributes.next.sem = self.operation.val().sem;
        self.attributes.next.scope = self.operation.val().scope;
        self.attributes.next.cop = self.operation.val().cop;
        self.attributes.next.l2_evict = self.operation.val().l2_evict;
        self.attributes.next.prefetch = self.operation.val().prefetch;
        self.attributes.next.policy_en = self.operation.val().policy_en;
        self.attributes.next.policy = self.operation.val().policy;
        self.request_mshr.next = self.requests.read_data.val().mshr;
        self.memory_line.line.next = self.requests.read_data.val().line;
        self.address.next = (bit_cast::<ADDR, LINE>(self.memory_line.other.val()) << 7)
            | (bit_cast::<ADDR, 2>(self.request_sector.val()) << 5);
        self.element.next = 1.into();
        if self.operation.val().size == SIZE_16 {
            self.element.next = 3.into();
        }
        if self.operation.val().size == SIZE_32 {
            self.element.next = 15.into();
        }
        if self.operation.val().size == SIZE_64 {
            self.element.next = 255.into();
        }
        if self.operation.val().size == SIZE_128 {
            self.element.next = 65535.into();
        }
        self.strobe.next = 0xffffffffu64.into();
        if self.operation.val().mmio {
            self.strobe.next = self.element.val() << self.requests.read_data.val().leader_byte;
        }

        if self.used.q.val() & self.goes.val() {
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
