//! `FaultRegister`: place `fault` of either path: one fault record from a pass whose sectors failed, or from `issue`.
//!
//! A failed pass goes first; `issue` waits.
//!
//! Assertions: `contract_free`.

use super::prelude::*;

/// Place `fault` of either path: one fault record.
#[derive(LogicBlock, Default)]
pub struct FaultRegister {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// `fault` is free at this edge.
    pub free: Signal<Out, Bit>,
    /// Failed lanes are to be reported before what `issue` offers, in this cycle or a later one.
    pub failed_waits: Signal<In, Bit>,
    /// It reports them at this edge.
    pub failed_valid: Signal<In, Bit>,
    /// The record.
    pub failed: Signal<In, FaultRecord>,
    /// `issue` offers a fault.
    pub issue_valid: Signal<In, Bit>,
    /// It is taken at this edge.
    pub issue_ready: Signal<Out, Bit>,
    /// The record.
    pub issue: Signal<In, FaultRecord>,
    /// A record is offered.
    pub faults: FaultPort,
    full: Register<Bit>,
    held: Register<FaultRecord>,

    /// A failed pass reports only while free.
    contract_free: Signal<Local, Bit>,
}

impl Logic for FaultRegister {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, full, held);
        self.free.next = !self.full.q.val() | self.faults.fault_ready.val();
        self.issue_ready.next = self.free.val() & !self.failed_waits.val();
        if self.free.val() {
            self.full.d.next = self.failed_valid.val() | (self.issue_valid.val() & !self.failed_waits.val());
            self.held.d.next = self.issue.val();
            if self.failed_valid.val() {
                self.held.d.next = self.failed.val();
            }
        }
        self.faults.fault_valid.next = self.full.q.val();
        self.faults.fault.next = self.held.q.val();

        self.contract_free.next = !self.failed_valid.val() | self.free.val();
    }
}
