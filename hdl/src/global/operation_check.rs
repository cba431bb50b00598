//! `OperationCheck`: place `check` of the global path: faults in their order of precedence, and the first leader.
//!
//! ```text
//! intake ─┬──────────────► elder ─► lanes in windows, lanes out of range, address of the leader ─► issue
//!         └─► second ─┘
//! ```
//!
//! Rule FREE: `check` is a queue of two: the elder is checked, the other waits behind it, so that whether `check` is free is known from the start of the cycle.
//!
//! Rule FAULT: what `intake` found of the operation's fields and of alignment comes before what it found of addresses, but for a generic window
//! that does not serve the operation: that is an `illegal_instruction`, before `misaligned_address`; `address_out_of_range` is last.

use super::prelude::*;

/// Place `check` of the global path: faults in their order of precedence, and the first leader.
#[derive(LogicBlock, Default)]
pub struct OperationCheck {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// An operation is offered.
    pub in_valid: Signal<In, Bit>,
    /// `check` holds fewer than two: the operation is taken at this edge.
    pub in_ready: Signal<Out, Bit>,
    /// The operation.
    pub in_addressed: Signal<In, AddressedOperation>,
    /// Address of each lane.
    pub in_address: Many<Signal<In, Bits<ADDR>>, LANES>,
    /// The same in memory, of windowed lanes.
    pub in_bank_address: Many<Signal<In, Bits<ADDR>>, LANES>,

    /// An operation is offered to `issue`.
    pub valid: Signal<Out, Bit>,
    /// It is taken at this edge.
    pub next_ready: Signal<In, Bit>,
    /// The operation.
    pub operation: Signal<Out, Operation>,
    /// Fault cause, 0 for none.
    pub cause: Signal<Out, Bits<3>>,
    /// Lanes that make passes, if there is no fault.
    pub lanes: Signal<Out, Bits<LANES>>,
    /// Lanes that the fault names, if there is one.
    pub fault_lanes: Signal<Out, Bits<LANES>>,
    /// The lowest of those that make passes, if any does.
    pub leader: Signal<Out, Bits<LANES>>,
    /// Its address.
    pub leader_address: Signal<Out, Bits<ADDR>>,
    /// Shared lanes.
    pub shared: Signal<Out, Bits<LANES>>,
    /// From a shared lane's address to its shared address, in granules.
    pub shared_shift: Signal<Out, Bits<GRANULE_BITS>>,
    /// Local lanes that are not beyond local memory.
    pub local_lanes: Signal<Out, Bits<LANES>>,
    /// Address of each lane.
    pub address: Many<Signal<Out, Bits<ADDR>>, LANES>,

    full: Register<Bit>,
    /// The elder.
    held: Register<CheckedOperation>,
    held_operation: Register<Operation>,
    held_address: Registers<Bits<ADDR>, LANES>,
    /// The other.
    second_full: Register<Bit>,
    second: Register<CheckedOperation>,
    second_operation: Register<Operation>,
    second_address: Registers<Bits<ADDR>, LANES>,
    coming: Signal<Local, CheckedOperation>,
    comes: Signal<Local, Bit>,
    shifts: Signal<Local, Bit>,
    has_refused: Signal<Local, Bit>,
    outside: Signal<Local, Bits<LANES>>,
    has_outside: Signal<Local, Bit>,
    has_lower: Signal<Local, Bit>,
    first_leader: Signal<Local, Bits<LANES>>,
}

impl Logic for OperationCheck {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, full, held, held_operation, held_address);
        dff_setup!(self, clock, second_full, second, second_operation, second_address);
        self.in_ready.next = !self.second_full.q.val();
        self.valid.next = self.full.q.val();
        self.shifts.next = !self.full.q.val() | self.next_ready.val();
        self.comes.next = self.second_full.q.val() | self.in_valid.val();
        self.second_full.d.next = self.comes.val() & !self.shifts.val();
        self.operation.next = self.held_operation.q.val();
        Arrays::join(&mut self.address, &mut self.held_address.q);
        self.coming.next.cause = self.in_addressed.val().cause;
        self.coming.next.lanes = self.in_addressed.val().lanes;
        // Rule FAULT: sums and windows are known last: which of them counts is told a place later.
        self.coming.next.refused = self.in_addressed.val().refused & self.in_addressed.val().mask;
        self.coming.next.outside = self.in_addressed.val().outside & self.in_addressed.val().mask;
        self.coming.next.beyond_bank = self.in_addressed.val().beyond_bank & self.in_addressed.val().mask;
        self.coming.next.shared = self.in_addressed.val().shared;
        self.coming.next.shared_shift = self.in_addressed.val().shared_shift;
        self.coming.next.local_lanes = self.in_addressed.val().local_lanes;

        // The lowest of the lanes that make passes, if any does.
        self.has_lower.next = false;
        self.first_leader.next = 0.into();
        for i in 0..LANES {
            self.first_leader.next =
                self.first_leader.val().replace_bit(i, self.in_addressed.val().mask.get_bit(i) & !self.has_lower.val());
            self.has_lower.next = self.has_lower.val() | self.in_addressed.val().mask.get_bit(i);
        }
        self.coming.next.leader = self.first_leader.val();
        // While no other waits its place takes what is there: whether that is an operation is known beside it.
        if self.in_ready.val() {
            self.second.d.next = self.coming.val();
            self.second_operation.d.next = self.in_addressed.val().operation;
            for i in 0..LANES {
                // Rule WINDOW.
                self.second_address.d[i].next = self.in_address[i].val();
                if self.in_addressed.val().windowed.get_bit(i) {
                    self.second_address.d[i].next = self.in_bank_address[i].val();
                }
            }
        }
        if self.shifts.val() {
            self.full.d.next = self.comes.val();
            // What waits, or else what would.
            self.held.d.next = self.second.d.val();
            self.held_operation.d.next = self.second_operation.d.val();
            Arrays::join(&mut self.held_address.d, &mut self.second_address.d);
        }

        self.outside.next = self.held.q.val().outside | self.held.q.val().beyond_bank;
        self.has_refused.next = ((self.held.q.val().cause == CAUSE_NONE)
            | (self.held.q.val().cause == CAUSE_MISALIGNED_ADDRESS))
            & self.held.q.val().refused.any();
        self.has_outside.next = (self.held.q.val().cause == CAUSE_NONE) & self.outside.val().any();
        self.cause.next = self.held.q.val().cause;
        // Which lanes make passes is known from the start of the cycle, whether there is a fault later.
        self.lanes.next = self.held.q.val().lanes;
        self.fault_lanes.next = self.held.q.val().lanes;
        self.leader.next = self.held.q.val().leader;
        self.shared.next = self.held.q.val().shared;
        self.shared_shift.next = self.held.q.val().shared_shift;
        self.local_lanes.next = self.held.q.val().local_lanes;
        if self.has_refused.val() {
            self.cause.next = CAUSE_ILLEGAL_INSTRUCTION.into();
            self.fault_lanes.next = self.held.q.val().refused;
        } else if self.has_outside.val() {
            self.cause.next = CAUSE_ADDRESS_OUT_OF_RANGE.into();
            self.fault_lanes.next = self.outside.val();
        }
        self.leader_address.next = 0.into();
        for i in 0..LANES {
            if self.leader.val().get_bit(i) {
                self.leader_address.next = self.leader_address.val() | self.address[i].val();
            }
        }
    }
}
