//! `Issue`: place `issue` of the unit: one pass a cycle, the lowest unserved group first (LDC-14).
//!
//! ```text
//! grouped operation ─► registers ─► lowest leader ─► bank and line of the pass ─► lanes of its group (to tag)
//!                               └─► fault record (to fault)
//! ```
//!
//! Rule ADVANCE: a load leaves with its last pass; a command moves on like a single pass; a faulty operation leaves as a fault record and makes no pass.

use super::prelude::*;

/// Place `issue` of the constant path, and the choice of the next pass.
#[derive(LogicBlock, Default)]
pub struct Issue {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// A grouped operation is offered.
    pub grouped: GroupedPort,

    /// A pass or a command is offered to `tag`.
    pub pass_valid: Signal<Out, Bit>,
    /// It is taken at this edge, whether or not `data` is free.
    pub pass_ready: Signal<In, Bit>,
    /// It is taken at this edge if `data` is free.
    pub pass_follows: Signal<In, Bit>,
    /// `data` is free.
    pub data_ready: Signal<In, Bit>,
    /// The pass; its tag also names what `issue` holds, for `wb_last`.
    pub pass: Signal<Out, LdcPass>,
    /// Byte in its line, for each lane.
    pub pass_offset: Many<Signal<Out, Bits<6>>, LANES>,

    /// A fault record is offered.
    pub faults: FaultPort,

    full: Register<Bit>,
    /// The opposite, but for the cycle after a reset, in which nothing is offered: those before it learn from it whether it is free.
    vacant: Register<Bit>,
    /// It holds an operation without a fault.
    passes: Register<Bit>,
    held: Register<LdcOperation>,
    leaders: Register<Bits<LANES>>,
    /// The lowest of them, or of those that the fault names: known from the start.
    leader: Register<Bits<LANES>>,
    address: Registers<Bits<ADDR>, LANES>,
    bank: Registers<Bits<5>, LANES>,
    rest: Signal<Local, Bits<LANES>>,
    candidates: Signal<Local, Bits<LANES>>,
    lowest: Signal<Local, Bits<LANES>>,
    has_lower: Signal<Local, Bit>,
    group: Signal<Local, Bits<LANES>>,
    lowest_address: Signal<Local, Bits<ADDR>>,
    is_faulty: Signal<Local, Bit>,
    continues: Signal<Local, Bit>,
    leaves_anyway: Signal<Local, Bit>,
    drops: Signal<Local, Bit>,
    /// What is offered is the operation's last pass.
    is_last: Signal<Local, Bit>,
    /// It leaves once `tag` is free.
    ends_soon: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
}

impl Logic for Issue {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, full, vacant, passes, held, leaders, leader, address, bank);
        self.rest.next = self.leaders.q.val() & !self.leader.q.val();
        self.is_faulty.next = self.held.q.val().cause != CAUSE_NONE;
        self.pass_valid.next = self.full.q.val() & !self.is_faulty.val();
        self.faults.fault_valid.next = self.full.q.val() & self.is_faulty.val();
        // Whether `data` is free is known last: what hangs on it and what does not are told apart up to `intake`.
        self.drops.next = self.faults.fault_valid.val() & self.faults.fault_ready.val();
        self.continues.next = self.pass_valid.val() & self.rest.val().any();
        self.leaves_anyway.next =
            !self.full.q.val() | self.drops.val() | (self.pass_valid.val() & self.pass_ready.val());
        self.is_last.next = self.pass_valid.val() & !self.continues.val();
        self.ends.next = self.drops.val()
            | (self.is_last.val() & self.pass_ready.val())
            | (self.is_last.val() & self.pass_follows.val() & self.data_ready.val());
        // Rule ADVANCE. The same for those before it, of registers of their own, or synthesis sends both the longer way.
        self.ends_soon.next = self.passes.q.val() & !self.rest.val().any();
        self.grouped.in_ready.next =
            self.vacant.q.val() | self.drops.val() | (self.ends_soon.val() & self.pass_ready.val());
        self.grouped.in_follows.next = self.ends_soon.val() & self.pass_follows.val();
        // The next leader is the lowest of the rest, or of another operation's lanes.
        self.candidates.next = self.grouped.in_operation.val().lanes;
        if self.continues.val() {
            self.candidates.next = self.rest.val();
        }
        self.lowest.next = 0.into();
        self.has_lower.next = false;
        for i in 0..LANES {
            self.lowest.next =
                self.lowest.val().replace_bit(i, self.candidates.val().get_bit(i) & !self.has_lower.val());
            self.has_lower.next = self.has_lower.val() | self.candidates.val().get_bit(i);
        }
        // What comes does not hang on whether anything does: the next pass, or else another operation.
        if self.leaves_anyway.val() | (self.pass_valid.val() & self.pass_follows.val() & self.data_ready.val()) {
            self.leaders.d.next = self.grouped.in_leaders.val();
            self.leader.d.next = self.lowest.val();
            self.held.d.next.ride = self.grouped.in_operation.val().ride;
            if self.continues.val() {
                self.leaders.d.next = self.rest.val();
                self.held.d.next.ride = 0.into();
            }
        }
        if !self.full.q.val() | self.ends.val() {
            self.full.d.next = self.grouped.in_valid.val();
            self.vacant.d.next = !self.grouped.in_valid.val();
            self.passes.d.next = self.grouped.in_valid.val() & (self.grouped.in_operation.val().cause == CAUSE_NONE);
            self.held.d.next = self.grouped.in_operation.val();
            Arrays::join(&mut self.address.d, &mut self.grouped.in_address);
            Arrays::join(&mut self.bank.d, &mut self.grouped.in_bank);
        }

        self.pass.next.tag = self.held.q.val().tag;
        self.pass.next.named_bank = self.held.q.val().named_bank;
        self.pass.next.is_command = self.held.q.val().is_command;
        self.pass.next.cmd = self.held.q.val().cmd;
        self.pass.next.result = self.held.q.val().result;
        self.pass.next.has_group = self.leaders.q.val().any();
        self.pass.next.ride = self.held.q.val().ride;

        self.faults.fault.next.tag = self.held.q.val().tag;
        self.faults.fault.next.cause = self.held.q.val().cause;
        self.faults.fault.next.lanes = self.held.q.val().lanes;
        self.pass.next.bank = 0.into();
        self.lowest_address.next = 0.into();
        for i in 0..LANES {
            self.pass_offset[i].next = self.address.q[i].val().get_bits::<6>(0);
            if self.leader.q.val().get_bit(i) {
                self.pass.next.bank = self.pass.val().bank | self.bank.q[i].val();
                self.lowest_address.next = self.lowest_address.val() | self.address.q[i].val();
            }
        }
        self.pass.next.line = self.lowest_address.val().get_bits::<10>(6);
        self.faults.fault.next.address = self.lowest_address.val();
        // LDC-14: the lanes whose line it is.
        self.group.next = 0.into();
        for i in 0..LANES {
            if self.held.q.val().lanes.get_bit(i)
                & (self.bank.q[i].val() == self.pass.val().bank)
                & (self.address.q[i].val().get_bits::<10>(6) == self.pass.val().line)
            {
                self.group.next = self.group.val().replace_bit(i, true);
            }
        }
        self.pass.next.group = self.group.val();
    }
}
