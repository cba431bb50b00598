//! `FaultRegister`: place F of either path: one fault record from a pass whose sectors failed, or from S.
//!
//! A failed pass goes first; S waits.

use rust_hdl::prelude::*;

use super::sizes::*;
use crate::codes::*;
use crate::{Register, dff_setup};

/// Place F of either path: one fault record.
#[derive(LogicBlock, Default)]
pub struct FaultRegister {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// F is free at this edge.
    pub free: Signal<Out, Bit>,
    /// A picked pass has failed lanes to report: S waits, whether or not it goes in this cycle.
    pub failed_waits: Signal<In, Bit>,
    /// It reports them at this edge; only while `free`.
    pub failed_valid: Signal<In, Bit>,
    /// Its operation.
    pub failed_tag: Signal<In, Bits<8>>,
    /// Its failed lanes.
    pub failed_lanes: Signal<In, Bits<LANES>>,
    /// Address of the lowest.
    pub failed_address: Signal<In, Bits<ADDR>>,
    /// S offers a fault.
    pub issue_valid: Signal<In, Bit>,
    /// It is taken at this edge.
    pub issue_ready: Signal<Out, Bit>,
    /// Its operation.
    pub issue_tag: Signal<In, Bits<8>>,
    /// Why.
    pub issue_cause: Signal<In, Bits<3>>,
    /// Every faulting lane.
    pub issue_lanes: Signal<In, Bits<LANES>>,
    /// Address of the lowest.
    pub issue_address: Signal<In, Bits<ADDR>>,
    /// A record is offered.
    pub fault_valid: Signal<Out, Bit>,
    /// It is taken at this edge.
    pub fault_ready: Signal<In, Bit>,
    /// Its operation.
    pub fault_tag: Signal<Out, Bits<8>>,
    /// Why.
    pub fault_cause: Signal<Out, Bits<3>>,
    /// Every faulting lane.
    pub fault_lanes: Signal<Out, Bits<LANES>>,
    /// Address of the lowest.
    pub fault_addr: Signal<Out, Bits<ADDR>>,
    full: Register<Bit>,
    tag: Register<Bits<8>>,
    cause: Register<Bits<3>>,
    lanes: Register<Bits<LANES>>,
    address: Register<Bits<ADDR>>,
}

impl Logic for FaultRegister {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, full, tag, cause, lanes, address);
        self.free.next = !self.full.q.val() | self.fault_ready.val();
        self.issue_ready.next = self.free.val() & !self.failed_waits.val();
        if self.free.val() {
            self.full.d.next = self.failed_valid.val() | (self.issue_valid.val() & !self.failed_waits.val());
            if self.failed_valid.val() {
                self.tag.d.next = self.failed_tag.val();
                self.cause.d.next = CAUSE_MEMORY_ERROR.into();
                self.lanes.d.next = self.failed_lanes.val();
                self.address.d.next = self.failed_address.val();
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
        self.fault_addr.next = self.address.q.val();
    }
}
