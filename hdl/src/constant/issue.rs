//! `Issue`: place S of the unit: one pass a cycle, the lowest unserved group first (LDC-14).
//!
//! ```text
//! grouped operation ─► registers (S) ─► lowest leader ─► bank and line of the pass (to T)
//!                                   └─► fault record (to F)
//! ```
//!
//! A load leaves with its last pass; a command moves on like a single pass; a faulty operation leaves as a fault record and makes no pass.

use rust_hdl::prelude::*;

use super::sizes::*;
use crate::codes::*;
use crate::{Many, Register, Registers, dff_setup};

/// Place S of the constant path, and the choice of the next pass.
#[derive(LogicBlock, Default)]
pub struct Issue {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// A grouped operation is offered.
    pub in_valid: Signal<In, Bit>,
    /// It is taken at this edge.
    pub in_ready: Signal<Out, Bit>,
    /// Names the operation.
    pub in_tag: Signal<In, Bits<8>>,
    /// The operation is a command.
    pub in_is_command: Signal<In, Bit>,
    /// Which command.
    pub in_cmd: Signal<In, Bits<2>>,
    /// Fault cause, 0 for none.
    pub in_cause: Signal<In, Bits<3>>,
    /// Lanes the fault names.
    pub in_fault_lanes: Signal<In, Bits<LANES>>,
    /// log2 of the access size in bytes.
    pub in_size: Signal<In, Bits<3>>,
    /// Sign-extend.
    pub in_sign: Signal<In, Bit>,
    /// Destination register.
    pub in_rd: Signal<In, Bits<8>>,
    /// Lanes that need a line.
    pub in_grouped: Signal<In, Bits<LANES>>,
    /// The lowest lane of each group.
    pub in_leaders: Signal<In, Bits<LANES>>,
    /// Lanes that get 0 with the first pass.
    pub in_ride: Signal<In, Bits<LANES>>,
    /// Byte address of each lane.
    pub in_address: Many<Signal<In, Bits<32>>, LANES>,
    /// Bank of each lane.
    pub in_bank: Many<Signal<In, Bits<5>>, LANES>,

    /// A pass or a command is offered to T.
    pub pass_valid: Signal<Out, Bit>,
    /// It is taken at this edge.
    pub pass_ready: Signal<In, Bit>,
    /// Names the operation; also names what S holds, for `wb_last`.
    pub pass_tag: Signal<Out, Bits<8>>,
    /// It is a command.
    pub pass_is_command: Signal<Out, Bit>,
    /// Which command.
    pub pass_cmd: Signal<Out, Bits<2>>,
    /// log2 of the access size in bytes.
    pub pass_size: Signal<Out, Bits<3>>,
    /// Sign-extend.
    pub pass_sign: Signal<Out, Bit>,
    /// Destination register.
    pub pass_rd: Signal<Out, Bits<8>>,
    /// The pass has a group (else it needs no line).
    pub pass_has_group: Signal<Out, Bit>,
    /// Bank of the group.
    pub pass_bank: Signal<Out, Bits<5>>,
    /// Line of the group: address bits 15 to 6.
    pub pass_line: Signal<Out, Bits<10>>,
    /// Lanes of the operation that need some line.
    pub pass_grouped: Signal<Out, Bits<LANES>>,
    /// Lanes that get 0 with this pass.
    pub pass_ride: Signal<Out, Bits<LANES>>,
    /// Byte address of each lane inside its bank.
    pub pass_address: Many<Signal<Out, Bits<16>>, LANES>,
    /// Bank of each lane.
    pub pass_bank_of: Many<Signal<Out, Bits<5>>, LANES>,

    /// A fault record is offered.
    pub fault_valid: Signal<Out, Bit>,
    /// It is taken at this edge.
    pub fault_ready: Signal<In, Bit>,
    /// Why.
    pub fault_cause: Signal<Out, Bits<3>>,
    /// Every faulting lane.
    pub fault_lanes: Signal<Out, Bits<LANES>>,
    /// Address of the lowest faulting lane.
    pub fault_address: Signal<Out, Bits<32>>,

    full: Register<Bit>,
    tag: Register<Bits<8>>,
    is_command: Register<Bit>,
    cmd: Register<Bits<2>>,
    cause: Register<Bits<3>>,
    fault_lanes_held: Register<Bits<LANES>>,
    size: Register<Bits<3>>,
    sign: Register<Bit>,
    rd: Register<Bits<8>>,
    grouped: Register<Bits<LANES>>,
    leaders: Register<Bits<LANES>>,
    ride: Register<Bits<LANES>>,
    address: Registers<Bits<32>, LANES>,
    bank: Registers<Bits<5>, LANES>,
    leader: Signal<Local, Bits<LANES>>,
    rest: Signal<Local, Bits<LANES>>,
    lowest_fault: Signal<Local, Bits<LANES>>,
    is_faulty: Signal<Local, Bit>,
    sends: Signal<Local, Bit>,
}

impl Logic for Issue {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            full,
            tag,
            is_command,
            cmd,
            cause,
            fault_lanes_held,
            size,
            sign,
            rd,
            grouped,
            leaders,
            ride,
            address,
            bank
        );
        // x & -x keeps the lowest 1.
        self.leader.next = self.leaders.q.val() & (!self.leaders.q.val() + 1);
        self.rest.next = self.leaders.q.val() & !self.leader.val();
        self.is_faulty.next = self.cause.q.val() != CAUSE_NONE;
        self.pass_valid.next = self.full.q.val() & !self.is_faulty.val();
        self.fault_valid.next = self.full.q.val() & self.is_faulty.val();
        self.sends.next = self.pass_valid.val() & self.pass_ready.val();

        self.in_ready.next = !self.full.q.val()
            | (self.sends.val() & !self.rest.val().any())
            | (self.fault_valid.val() & self.fault_ready.val());
        if self.sends.val() {
            self.leaders.d.next = self.rest.val();
            self.ride.d.next = 0.into();
        }
        if self.in_ready.val() {
            self.full.d.next = self.in_valid.val();
            self.tag.d.next = self.in_tag.val();
            self.is_command.d.next = self.in_is_command.val();
            self.cmd.d.next = self.in_cmd.val();
            self.cause.d.next = self.in_cause.val();
            self.fault_lanes_held.d.next = self.in_fault_lanes.val();
            self.size.d.next = self.in_size.val();
            self.sign.d.next = self.in_sign.val();
            self.rd.d.next = self.in_rd.val();
            self.grouped.d.next = self.in_grouped.val();
            self.leaders.d.next = self.in_leaders.val();
            self.ride.d.next = self.in_ride.val();
            for i in 0..LANES {
                self.address.d[i].next = self.in_address[i].val();
                self.bank.d[i].next = self.in_bank[i].val();
            }
        }

        self.pass_tag.next = self.tag.q.val();
        self.pass_is_command.next = self.is_command.q.val();
        self.pass_cmd.next = self.cmd.q.val();
        self.pass_size.next = self.size.q.val();
        self.pass_sign.next = self.sign.q.val();
        self.pass_rd.next = self.rd.q.val();
        self.pass_has_group.next = self.leaders.q.val().any();
        self.pass_grouped.next = self.grouped.q.val();
        self.pass_ride.next = self.ride.q.val();

        self.fault_cause.next = self.cause.q.val();
        self.fault_lanes.next = self.fault_lanes_held.q.val();
        self.lowest_fault.next = self.fault_lanes_held.q.val() & (!self.fault_lanes_held.q.val() + 1);
        self.pass_bank.next = 0.into();
        self.pass_line.next = 0.into();
        self.fault_address.next = 0.into();
        for i in 0..LANES {
            self.pass_address[i].next = self.address.q[i].val().get_bits::<16>(0);
            self.pass_bank_of[i].next = self.bank.q[i].val();
            if self.leader.val().get_bit(i) {
                self.pass_bank.next = self.pass_bank.val() | self.bank.q[i].val();
                self.pass_line.next = self.pass_line.val() | self.address.q[i].val().get_bits::<10>(6);
            }
            if self.lowest_fault.val().get_bit(i) {
                self.fault_address.next = self.fault_address.val() | self.address.q[i].val();
            }
        }
    }
}
