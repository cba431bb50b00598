//! `OperationCheck`: place `check` of the global path: faults in their order of precedence, and the first leader.
//!
//! ```text
//! intake ─► faults but for sums and windows ─┬──────────────► elder ─► lanes in windows, lanes out of range, address of the leader ─► issue
//!                                            └─► second ─┘
//! ```
//!
//! Rule FREE: `check` is a queue of two: the elder is checked, the other waits behind it, so that whether `check` is free is known from the start of the cycle.
//!
//! Rule FAULT, against the operation's lanes: `misaligned_register`, `illegal_instruction` (with the generic windows that do
//! not serve it, which the address unit finds), `misaligned_address`, `address_out_of_range`.
//!
//! Rule WINDOW: a windowed lane of an operation without a fault goes on with its address in memory.

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
    coming_address: Many<Signal<Local, Bits<ADDR>>, LANES>,
    is_translated: Signal<Local, Bits<LANES>>,
    asked: Signal<Local, Operation>,
    mask: Signal<Local, Bits<LANES>>,
    comes: Signal<Local, Bit>,
    shifts: Signal<Local, Bit>,
    has_refused: Signal<Local, Bit>,
    outside: Signal<Local, Bits<LANES>>,
    has_outside: Signal<Local, Bit>,
    has_lower: Signal<Local, Bit>,
    first_lanes: Signal<Local, Bits<LANES>>,
    first_leader: Signal<Local, Bits<LANES>>,
    is_load: Signal<Local, Bit>,
    registers: Signal<Local, Bits<3>>,
    destination: LoadDestination,
    illegal: Signal<Local, Bit>,
    misaligned: Signal<Local, Bits<LANES>>,
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
        self.asked.next = self.in_addressed.val().operation;
        self.is_load.next = !self.asked.val().is_store;
        self.mask.next = self.in_addressed.val().mask;

        // Rule FAULT.
        self.registers.next =
            bit_cast::<3, 2>(self.asked.val().element_registers) + bit_cast::<3, 2>(self.asked.val().vec);
        self.destination.rd.next = self.asked.val().rd;
        self.destination.registers.next = self.registers.val();
        self.destination.vec.next = self.asked.val().vec;
        self.destination.sink.next = self.asked.val().sink;

        self.illegal.next = (self.asked.val().size > SIZE_128)
            | (self.in_addressed.val().total > 5)
            | (self.asked.val().space == SPACE_CONST)
            | (self.asked.val().space == SPACE_PARAM_ENTRY)
            | ((self.asked.val().space > SPACE_GLOBAL) & self.in_addressed.val().refuses)
            | (self.asked.val().mmio & self.asked.val().vec.any());
        if self.is_load.val() {
            if (self.asked.val().cop > COP_CV)
                | (self.asked.val().sem == SEM_RELEASE)
                | (self.asked.val().sem == SEM_MMIO_RELEASE)
            {
                self.illegal.next = true;
            }
            if self.asked.val().nc
                & (self.asked.val().sem.any() | (self.asked.val().cop == COP_LU) | (self.asked.val().cop == COP_CV))
            {
                self.illegal.next = true;
            }
        } else if (self.asked.val().cop == COP_CA)
            | (self.asked.val().cop == COP_LU)
            | (self.asked.val().cop == COP_CV)
            | (self.asked.val().sem == SEM_ACQUIRE)
            | (self.asked.val().sem == SEM_MMIO_ACQUIRE)
            | self.asked.val().nc
        {
            self.illegal.next = true;
        }

        self.misaligned.next = self.in_addressed.val().misaligned & self.mask.val();
        self.coming.next.cause = CAUSE_NONE.into();
        // Sums and windows are known last: which of them rule FAULT asks of is told a place later.
        self.coming.next.refused = self.in_addressed.val().refused & self.mask.val();
        self.coming.next.outside = self.in_addressed.val().outside & self.mask.val();
        self.coming.next.beyond_bank = self.in_addressed.val().beyond_bank & self.mask.val();
        self.first_lanes.next = self.mask.val();
        if self.mask.val().any() {
            if self.is_load.val() & self.destination.misaligned.val() {
                self.coming.next.cause = CAUSE_MISALIGNED_REGISTER.into();
            } else if self.illegal.val() {
                self.coming.next.cause = CAUSE_ILLEGAL_INSTRUCTION.into();
            } else if self.misaligned.val().any() {
                self.coming.next.cause = CAUSE_MISALIGNED_ADDRESS.into();
                self.first_lanes.next = self.misaligned.val();
            } else if self.is_load.val() & self.destination.all_sunk.val() {
                // A load whose elements are all sunk needs nothing.
                self.first_lanes.next = 0.into();
            }
        }
        self.coming.next.lanes = self.first_lanes.val();
        self.coming.next.shared = self.in_addressed.val().shared;
        self.coming.next.shared_shift = self.in_addressed.val().shared_shift;
        self.coming.next.local_lanes = self.in_addressed.val().local_lanes;

        // Rule WINDOW: a fault names a lane's own address. What makes one of lanes is found later, but those are no lanes that a window serves.
        // (An operation without active lanes has none either: it does not matter what is said of them.)
        self.is_translated.next = self.in_addressed.val().windowed;
        if self.destination.misaligned.val() | self.illegal.val() | self.misaligned.val().any() {
            self.is_translated.next = 0.into();
        }
        for i in 0..LANES {
            self.coming_address[i].next = self.in_address[i].val();
            if self.is_translated.val().get_bit(i) {
                self.coming_address[i].next = self.in_bank_address[i].val();
            }
        }

        // The lowest of the lanes that make passes, if any does.
        self.has_lower.next = false;
        self.first_leader.next = 0.into();
        for i in 0..LANES {
            self.first_leader.next =
                self.first_leader.val().replace_bit(i, self.mask.val().get_bit(i) & !self.has_lower.val());
            self.has_lower.next = self.has_lower.val() | self.mask.val().get_bit(i);
        }
        self.coming.next.leader = self.first_leader.val();
        // While no other waits its place takes what is there: whether that is an operation is known beside it.
        if self.in_ready.val() {
            self.second.d.next = self.coming.val();
            self.second_operation.d.next = self.asked.val();
            for i in 0..LANES {
                self.second_address.d[i].next = self.coming_address[i].val();
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
