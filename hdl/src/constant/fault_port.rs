//! `FaultPort`: register F: one fault record for the `fault` port, from D (first) or from S.

use rust_hdl::prelude::*;

use crate::{Register, dff_setup};

/// Register F and its two sources.
#[derive(LogicBlock)]
pub struct FaultPort<const LANES: usize, const ADDR: usize> {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// D sends a memory_error record; only while `data_ready`.
    pub data_valid: Signal<In, Bit>,
    /// F is free at this edge.
    pub data_ready: Signal<Out, Bit>,
    /// Operation in D.
    pub data_tag: Signal<In, Bits<8>>,
    /// Failed lanes.
    pub data_lanes: Signal<In, Bits<LANES>>,
    /// Address of the lowest one.
    pub data_address: Signal<In, Bits<16>>,
    /// S offers the record of a faulty operation.
    pub issue_valid: Signal<In, Bit>,
    /// F is free at this edge and D sends nothing.
    pub issue_ready: Signal<Out, Bit>,
    /// Operation in S.
    pub issue_tag: Signal<In, Bits<8>>,
    /// Why.
    pub issue_cause: Signal<In, Bits<3>>,
    /// Faulting lanes.
    pub issue_lanes: Signal<In, Bits<LANES>>,
    /// Address of the lowest one.
    pub issue_address: Signal<In, Bits<32>>,
    /// A record is offered.
    pub fault_valid: Signal<Out, Bit>,
    /// Taken at this edge.
    pub fault_ready: Signal<In, Bit>,
    /// Its operation.
    pub fault_tag: Signal<Out, Bits<8>>,
    /// 1 misaligned_register, 2 illegal_instruction, 3 misaligned_address, 5 memory_error.
    pub fault_cause: Signal<Out, Bits<3>>,
    /// Faulting lanes.
    pub fault_lanes: Signal<Out, Bits<LANES>>,
    /// Address of the lowest one.
    pub fault_addr: Signal<Out, Bits<ADDR>>,

    full: Register<Bit>,
    tag: Register<Bits<8>>,
    cause: Register<Bits<3>>,
    lanes: Register<Bits<LANES>>,
    address: Register<Bits<32>>,
}

impl<const LANES: usize, const ADDR: usize> Default for FaultPort<LANES, ADDR> {
    fn default() -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            data_valid: Default::default(),
            data_ready: Default::default(),
            data_tag: Default::default(),
            data_lanes: Default::default(),
            data_address: Default::default(),
            issue_valid: Default::default(),
            issue_ready: Default::default(),
            issue_tag: Default::default(),
            issue_cause: Default::default(),
            issue_lanes: Default::default(),
            issue_address: Default::default(),
            fault_valid: Default::default(),
            fault_ready: Default::default(),
            fault_tag: Default::default(),
            fault_cause: Default::default(),
            fault_lanes: Default::default(),
            fault_addr: Default::default(),
            full: Default::default(),
            tag: Default::default(),
            cause: Default::default(),
            lanes: Default::default(),
            address: Default::default(),
        }
    }
}

impl<const LANES: usize, const ADDR: usize> Logic for FaultPort<LANES, ADDR> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, full, tag, cause, lanes, address);
        self.data_ready.next = !self.full.q.val() | self.fault_ready.val();
        self.issue_ready.next = self.data_ready.val() & !self.data_valid.val();
        if self.data_ready.val() {
            self.full.d.next = self.data_valid.val() | self.issue_valid.val();
            if self.data_valid.val() {
                self.tag.d.next = self.data_tag.val();
                self.cause.d.next = 5.into();
                self.lanes.d.next = self.data_lanes.val();
                self.address.d.next = bit_cast::<32, 16>(self.data_address.val());
            } else {
                self.tag.d.next = self.issue_tag.val();
                self.cause.d.next = self.issue_cause.val();
                self.lanes.d.next = self.issue_lanes.val();
                self.address.d.next = self.issue_address.val();
            }
        }
        self.fault_valid.next = self.full.q.val();
        self.fault_tag.next = self.tag.q.val();
        self.fault_cause.next = self.cause.q.val();
        self.fault_lanes.next = self.lanes.q.val();
        self.fault_addr.next = bit_cast::<ADDR, 32>(self.address.q.val());
    }
}
