//! `LaneGroups`: place A of the unit: which lanes share a line (LDC-14).
//!
//! ```text
//! addressed operation ─► registers (A) ─► compare every pair of lanes ─► leaders (to S)
//! ```
//!
//! A lane leads its group when no lower lane that needs a line has the same bank and line. Comparing all pairs
//! here, once, leaves the issue stage with nothing but "take the lowest leader", so that one pass can
//! leave it every cycle without a find-and-match loop in its critical path.

use rust_hdl::prelude::*;

use super::sizes::*;
use crate::{Many, Register, Registers, dff_setup};

/// Place A of the constant path: which lanes are on one line.
#[derive(LogicBlock, Default)]
pub struct LaneGroups {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// An addressed operation is offered.
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
    /// Lanes that get 0 with the first pass.
    pub in_ride: Signal<In, Bits<LANES>>,
    /// An active lane uses bank 8 or more in compute mode.
    pub in_unpredictable: Signal<In, Bit>,
    /// Byte address of each lane.
    pub in_address: Many<Signal<In, Bits<32>>, LANES>,
    /// Bank of each lane.
    pub in_bank: Many<Signal<In, Bits<5>>, LANES>,

    /// A grouped operation is offered.
    pub valid: Signal<Out, Bit>,
    /// It is taken at this edge.
    pub next_ready: Signal<In, Bit>,
    /// Names the operation.
    pub tag: Signal<Out, Bits<8>>,
    /// The operation is a command.
    pub is_command: Signal<Out, Bit>,
    /// Which command.
    pub cmd: Signal<Out, Bits<2>>,
    /// Fault cause, 0 for none.
    pub cause: Signal<Out, Bits<3>>,
    /// Lanes the fault names.
    pub fault_lanes: Signal<Out, Bits<LANES>>,
    /// log2 of the access size in bytes.
    pub size: Signal<Out, Bits<3>>,
    /// Sign-extend.
    pub sign: Signal<Out, Bit>,
    /// Destination register.
    pub rd: Signal<Out, Bits<8>>,
    /// Lanes that need a line.
    pub grouped: Signal<Out, Bits<LANES>>,
    /// The lowest lane of each group.
    pub leaders: Signal<Out, Bits<LANES>>,
    /// Lanes that get 0 with the first pass.
    pub ride: Signal<Out, Bits<LANES>>,
    /// Byte address of each lane.
    pub address: Many<Signal<Out, Bits<32>>, LANES>,
    /// Bank of each lane.
    pub bank: Many<Signal<Out, Bits<5>>, LANES>,
    /// Sets the sticky status bit: the operation moves on and is unpredictable (LDC-7).
    pub unpredictable: Signal<Out, Bit>,

    full: Register<Bit>,
    tag_held: Register<Bits<8>>,
    is_command_held: Register<Bit>,
    cmd_held: Register<Bits<2>>,
    cause_held: Register<Bits<3>>,
    fault_lanes_held: Register<Bits<LANES>>,
    size_held: Register<Bits<3>>,
    sign_held: Register<Bit>,
    rd_held: Register<Bits<8>>,
    grouped_held: Register<Bits<LANES>>,
    ride_held: Register<Bits<LANES>>,
    unpredictable_held: Register<Bit>,
    address_held: Registers<Bits<32>, LANES>,
    bank_held: Registers<Bits<5>, LANES>,
    followers: Signal<Local, Bits<LANES>>,
}

#[expect(
    clippy::collapsible_if,
    reason = "the outer condition is decided when the loops are unrolled and costs no logic"
)]
impl Logic for LaneGroups {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            full,
            tag_held,
            is_command_held,
            cmd_held,
            cause_held,
            fault_lanes_held,
            size_held,
            sign_held,
            rd_held,
            grouped_held,
            ride_held,
            unpredictable_held,
            address_held,
            bank_held
        );
        self.in_ready.next = !self.full.q.val() | self.next_ready.val();
        if self.in_ready.val() {
            self.full.d.next = self.in_valid.val();
            self.tag_held.d.next = self.in_tag.val();
            self.is_command_held.d.next = self.in_is_command.val();
            self.cmd_held.d.next = self.in_cmd.val();
            self.cause_held.d.next = self.in_cause.val();
            self.fault_lanes_held.d.next = self.in_fault_lanes.val();
            self.size_held.d.next = self.in_size.val();
            self.sign_held.d.next = self.in_sign.val();
            self.rd_held.d.next = self.in_rd.val();
            self.grouped_held.d.next = self.in_grouped.val();
            self.ride_held.d.next = self.in_ride.val();
            self.unpredictable_held.d.next = self.in_unpredictable.val();
            for i in 0..LANES {
                self.address_held.d[i].next = self.in_address[i].val();
                self.bank_held.d[i].next = self.in_bank[i].val();
            }
        }

        self.followers.next = 0.into();
        for i in 0..LANES {
            for j in 0..LANES {
                if j < i {
                    if self.grouped_held.q.val().get_bit(j)
                        & (self.bank_held.q[i].val() == self.bank_held.q[j].val())
                        & (self.address_held.q[i].val().get_bits::<10>(6)
                            == self.address_held.q[j].val().get_bits::<10>(6))
                    {
                        self.followers.next = self.followers.val().replace_bit(i, true);
                    }
                }
            }
            self.address[i].next = self.address_held.q[i].val();
            self.bank[i].next = self.bank_held.q[i].val();
        }

        self.valid.next = self.full.q.val();
        self.tag.next = self.tag_held.q.val();
        self.is_command.next = self.is_command_held.q.val();
        self.cmd.next = self.cmd_held.q.val();
        self.cause.next = self.cause_held.q.val();
        self.fault_lanes.next = self.fault_lanes_held.q.val();
        self.size.next = self.size_held.q.val();
        self.sign.next = self.sign_held.q.val();
        self.rd.next = self.rd_held.q.val();
        self.grouped.next = self.grouped_held.q.val();
        self.leaders.next = self.grouped_held.q.val() & !self.followers.val();
        self.ride.next = self.ride_held.q.val();
        self.unpredictable.next = self.full.q.val() & self.next_ready.val() & self.unpredictable_held.q.val();
    }
}
