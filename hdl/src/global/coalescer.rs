//! `Coalescer`: place `issue` of the global path: one pass a cycle, the lanes that share the leader's line.
//!
//! ```text
//! checked operation ─► registers ─► compare with the leader ─► group, need ─► tag (loads, commands)
//!                          ▲               └─► next leader                └─► merge (stores)
//!                          └─────────────────────┘                        └─► fault record
//! ```
//!
//! Only one line is compared in a cycle: the next leader is found while the present pass leaves, so k lines take k cycles
//! without a comparison of every pair of lanes. A store's passes are sectors, those of an mmio operation single lanes.

use super::prelude::*;

/// Place `issue` of the global path: one pass a cycle, the lanes that share the leader's line.
#[derive(LogicBlock, Default)]
pub struct Coalescer {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// An operation is offered.
    pub in_valid: Signal<In, Bit>,
    /// It is taken at this edge.
    pub in_ready: Signal<Out, Bit>,
    /// The operation.
    pub in_operation: Signal<In, Operation>,
    /// Fault cause, 0 for none.
    pub in_cause: Signal<In, Bits<3>>,
    /// Lanes that make passes, or that the fault names.
    pub in_lanes: Signal<In, Bits<LANES>>,
    /// The lowest of them.
    pub in_leader: Signal<In, Bits<LANES>>,
    /// Its address.
    pub in_leader_address: Signal<In, Bits<ADDR>>,
    /// Address of each lane.
    pub in_address: Many<Signal<In, Bits<ADDR>>, LANES>,

    /// Store data is offered.
    pub wdata_valid: Signal<In, Bit>,
    /// It is taken at this edge.
    pub wdata_ready: Signal<Out, Bit>,
    /// The store that the environment sends it for.
    pub wdata_tag: Signal<In, Bits<8>>,
    /// A beat is taken at this edge that was sent for another store.
    pub wrong_tag: Signal<Out, Bit>,
    /// It is stored at this edge, as the register `beat_index`.
    pub beat_write: Signal<Out, Bit>,
    /// Register of the store.
    pub beat_index: Signal<Out, Bits<3>>,
    /// `merge` holds no pass.
    pub merge_empty: Signal<In, Bit>,

    /// A load's pass or a command is offered to `tag`.
    pub load_valid: Signal<Out, Bit>,
    /// It is taken at this edge.
    pub load_ready: Signal<In, Bit>,
    /// A store's pass is offered to `merge`.
    pub store_valid: Signal<Out, Bit>,
    /// It is taken at this edge.
    pub store_ready: Signal<In, Bit>,
    /// The pass; its operation is the one in `issue`.
    pub pass: Signal<Out, Pass>,
    /// `issue` holds passes of it (and no fault).
    pub holds: Signal<Out, Bit>,
    /// `issue` holds nothing.
    pub empty: Signal<Out, Bit>,
    /// Offset in the line of each lane.
    pub offset: Many<Signal<Out, Bits<7>>, LANES>,
    /// Byte in its sector of the lowest lane.
    pub leader_byte: Signal<Out, Bits<5>>,
    /// A pass, not a command, leaves at this edge.
    pub issues: Signal<Out, Bit>,
    /// It is not its operation's first.
    pub replays: Signal<Out, Bit>,

    /// A fault record is offered.
    pub faults: FaultPort,

    full: Register<Bit>,
    /// The opposite, but for the cycle after a reset, in which nothing is offered: `check` learns from it whether `issue` is free.
    vacant: Register<Bit>,
    held: Register<Operation>,
    cause: Register<Bits<3>>,
    lanes: Register<Bits<LANES>>,
    leader: Register<Bits<LANES>>,
    leader_address: Register<Bits<ADDR>>,
    address: Registers<Bits<ADDR>, LANES>,
    beats_taken: Register<Bits<3>>,
    beats_left: Register<Bits<6>>,
    is_later: Register<Bit>,
    group: Signal<Local, Bits<LANES>>,
    need: Signal<Local, Bits<4>>,
    beats: Signal<Local, Bits<6>>,
    registers: Signal<Local, Bits<3>>,
    has_data: Signal<Local, Bit>,
    is_faulty: Signal<Local, Bit>,
    difference: Signal<Local, Bits<ADDR>>,
    rest: Signal<Local, Bits<LANES>>,
    next_leader: Signal<Local, Bits<LANES>>,
    has_lower: Signal<Local, Bit>,
    next_address: Signal<Local, Bits<ADDR>>,
    sends: Signal<Local, Bit>,
    drops: Signal<Local, Bit>,
    continues: Signal<Local, Bit>,
    changes: Signal<Local, Bit>,
    takes: Signal<Local, Bit>,
}

impl Logic for Coalescer {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, full, held, cause, lanes, leader, leader_address, address, beats_taken, beats_left);
        dff_setup!(self, clock, is_later, vacant);

        // Rule BEATS: what is missing is counted down, so that no arithmetic stands before the choice of the pass.
        self.has_data.next = !self.beats_left.q.val().any();
        self.wdata_ready.next = self.full.q.val() & !self.has_data.val() & self.merge_empty.val();
        self.beat_write.next = self.wdata_ready.val() & self.wdata_valid.val();
        self.wrong_tag.next = self.beat_write.val() & (self.wdata_tag.val() != self.held.q.val().tag);
        self.beat_index.next = self.beats_taken.q.val();

        // Rule PASS: the lanes on the leader's line.
        self.group.next = 0.into();
        self.need.next = 0.into();
        for i in 0..LANES {
            self.offset[i].next = self.address.q[i].val().get_bits::<7>(0);
            self.difference.next = self.address.q[i].val() ^ self.leader_address.q.val();
            if self.held.q.val().mmio {
                self.group.next = self.group.val().replace_bit(i, self.leader.q.val().get_bit(i));
            } else {
                self.group.next = self.group.val().replace_bit(
                    i,
                    self.lanes.q.val().get_bit(i)
                        & !self.difference.val().get_bits::<LINE>(7).any()
                        & (!self.held.q.val().is_store | !self.difference.val().get_bits::<2>(5).any()),
                );
            }
            for j in 0..4 {
                if self.group.val().get_bit(i) & (self.address.q[i].val().get_bits::<2>(5) == j.to_bits::<2>()) {
                    self.need.next = self.need.val().replace_bit(j, true);
                }
            }
        }
        self.pass.next.has_line = self.lanes.q.val().any();
        self.pass.next.group = self.group.val();
        self.pass.next.need = self.need.val();
        self.pass.next.line = self.leader_address.q.val().get_bits::<LINE>(7);
        self.leader_byte.next = self.leader_address.q.val().get_bits::<5>(0);
        self.pass.next.operation = self.held.q.val();

        // The next leader: a prefix of ors, because a carry chain would be slower behind the comparison.
        self.rest.next = self.lanes.q.val() & !self.group.val();
        self.next_leader.next = 0.into();
        self.has_lower.next = false;
        for i in 0..LANES {
            self.next_leader.next =
                self.next_leader.val().replace_bit(i, self.rest.val().get_bit(i) & !self.has_lower.val());
            self.has_lower.next = self.has_lower.val() | self.rest.val().get_bit(i);
        }
        self.next_address.next = 0.into();
        for i in 0..LANES {
            if self.next_leader.val().get_bit(i) {
                self.next_address.next = self.next_address.val() | self.address.q[i].val();
            }
        }

        // Beats of the operation that comes.
        self.registers.next =
            bit_cast::<3, 2>(self.in_operation.val().element_registers) + bit_cast::<3, 2>(self.in_operation.val().vec);
        self.beats.next = 0.into();
        if self.in_operation.val().is_store {
            for i in 0..6 {
                self.beats.next = self.beats.val().replace_bit(i, self.registers.val() == i.to_bits::<3>());
            }
        }

        self.is_faulty.next = self.cause.q.val() != CAUSE_NONE;
        self.holds.next = self.full.q.val() & !self.is_faulty.val();
        self.empty.next = !self.full.q.val();
        self.load_valid.next = self.holds.val() & !self.held.q.val().is_store & self.merge_empty.val();
        self.store_valid.next = self.holds.val() & self.held.q.val().is_store & self.has_data.val();
        self.faults.fault_valid.next = self.full.q.val() & self.is_faulty.val() & self.has_data.val();
        self.sends.next =
            (self.load_valid.val() & self.load_ready.val()) | (self.store_valid.val() & self.store_ready.val());
        self.drops.next = self.faults.fault_valid.val() & self.faults.fault_ready.val();
        self.issues.next = self.sends.val() & !self.held.q.val().is_command;
        self.replays.next = self.issues.val() & self.is_later.q.val();
        self.faults.fault.next.tag = self.held.q.val().tag;
        self.faults.fault.next.cause = self.cause.q.val();
        self.faults.fault.next.lanes = self.lanes.q.val();
        self.faults.fault.next.address = self.leader_address.q.val();

        if self.beat_write.val() {
            self.beats_taken.d.next = self.beats_taken.q.val() + 1;
            self.beats_left.d.next = self.beats_left.q.val() - 1;
        }
        // What comes into `issue` does not hang on whether anything does: its own next pass, or else another operation.
        self.continues.next = self.holds.val() & self.rest.val().any();
        self.changes.next = !self.full.q.val() | self.sends.val() | self.drops.val();
        if self.changes.val() {
            self.lanes.d.next = self.in_lanes.val();
            self.leader.d.next = self.in_leader.val();
            self.leader_address.d.next = self.in_leader_address.val();
            self.is_later.d.next = self.continues.val();
            if self.continues.val() {
                self.lanes.d.next = self.rest.val();
                self.leader.d.next = self.next_leader.val();
                self.leader_address.d.next = self.next_address.val();
            }
        }
        self.in_ready.next = (self.vacant.q.val() | self.sends.val() | self.drops.val()) & !self.continues.val();
        self.takes.next = self.changes.val() & !self.continues.val();
        if self.takes.val() {
            self.full.d.next = self.in_valid.val();
            self.vacant.d.next = !self.in_valid.val();
            self.held.d.next = self.in_operation.val();
            self.cause.d.next = self.in_cause.val();
            self.beats_taken.d.next = 0.into();
            self.beats_left.d.next = self.beats.val();
            Arrays::join(&mut self.address.d, &mut self.in_address);
        }
    }
}
