//! `DataPlaces`: places H, N, M and B of the global path, the line memories, and which of them is read in a cycle.
//!
//! ```text
//! T ─► H ── line from L1 ──────────┐
//! T ─► N ─► M ── line from RO ─────┼─► picked pass ─► quad of each lane ─► C
//! waiter ─► B ── its line buffer ──┘              └─► store or command: done, failed lanes: fault record
//! ```
//!
//! Each memory's output register belongs to the place behind it: a line is read when the pass enters the place, so nothing that
//! happens to the cache later can reach the pass.
//!
//! What the picked pass's tag is compared with is compared for all three candidates beside the choice, and chosen after it: the
//! choice is the longest way here.

use rust_hdl::prelude::*;

use super::operation::{LinePass, Operation};
use super::pass_queue::PassQueue;
use super::results::FaultRecord;
use super::sizes::*;
use crate::codes::*;
use crate::strobe_memory::StrobeMemory;
use crate::{Many, Register, Registers, clock, dff_setup};

/// Places H, N, M and B of the global path, the line memories, and which of them is read.
#[derive(LogicBlock, Default)]
pub struct DataPlaces {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset; the memories keep their content.
    pub reset: Signal<In, Bit>,

    /// T hands `tag_lanes` to H.
    pub to_hit: Signal<In, Bit>,
    /// H holds fewer than two passes.
    pub hit_free: Signal<Out, Bit>,
    /// T hands `tag_lanes` to N.
    pub to_ro: Signal<In, Bit>,
    /// N is empty or moves on.
    pub ro_free: Signal<Out, Bit>,
    /// The operation in T.
    pub tag_operation: Signal<In, Operation>,
    /// Lanes that hit.
    pub tag_lanes: Signal<In, Bits<LANES>>,
    /// Offset in the line of each lane.
    pub tag_offset: Many<Signal<In, Bits<7>>, LANES>,
    /// L1 reads this line at this edge.
    pub l1_read: Signal<In, Bit>,
    /// Way, then set.
    pub l1_index: Signal<In, Bits<L1_INDEX>>,
    /// RO reads this line at this edge.
    pub ro_read: Signal<In, Bit>,
    /// Way, then set.
    pub ro_index: Signal<In, Bits<RO_INDEX>>,

    /// A waiter is ready.
    pub ready_valid: Signal<In, Bit>,
    /// B takes it at this edge.
    pub ready_take: Signal<Out, Bit>,
    /// The pass.
    pub ready_pass: Signal<In, LinePass>,
    /// Offset in the line of each lane.
    pub ready_offset: Many<Signal<In, Bits<7>>, LANES>,
    /// Its MSHR, which is its line buffer.
    pub ready_mshr: Signal<In, Bits<ENTRY_BITS>>,

    /// A sector came: it is written into the line buffer of `fill_mshr`; 0 for none.
    pub buffer_fill: Signal<In, Bits<4>>,
    /// Its MSHR.
    pub fill_mshr: Signal<In, Bits<ENTRY_BITS>>,
    /// It enters L1, too; 0 if not.
    pub l1_fill: Signal<In, Bits<4>>,
    /// Way, then set.
    pub l1_fill_index: Signal<In, Bits<L1_INDEX>>,
    /// It enters RO, too; 0 if not.
    pub ro_fill: Signal<In, Bits<4>>,
    /// Way, then set.
    pub ro_fill_index: Signal<In, Bits<RO_INDEX>>,
    /// The sector, word 0 lowest.
    pub fill_data: Many<Signal<In, Bits<32>>, 8>,
    /// A store's bytes are written into L1 (never in the cycle of a fill); 0 for none, else its sector.
    pub update: Signal<In, Bits<4>>,
    /// Way, then set.
    pub update_index: Signal<In, Bits<L1_INDEX>>,
    /// Its bytes, four for each word.
    pub update_strobe: Many<Signal<In, Bits<4>>, 8>,
    /// Its data.
    pub update_data: Many<Signal<In, Bits<32>>, 8>,

    /// S holds passes of `issue_tag`.
    pub issue_holds: Signal<In, Bit>,
    /// Operation in S.
    pub issue_tag: Signal<In, Bits<8>>,
    /// P holds a pass.
    pub merge_holds: Signal<In, Bit>,
    /// Its operation.
    pub merge_tag: Signal<In, Bits<8>>,
    /// T holds a pass or command.
    pub tag_holds: Signal<In, Bit>,
    /// T holds a second one.
    pub second_tag_holds: Signal<In, Bit>,
    /// Its operation.
    pub second_tag_tag: Signal<In, Bits<8>>,
    /// Tags that the waiters are asked about: those of the first passes of B, H and M.
    pub asked_tag: Many<Signal<Out, Bits<8>>, 3>,
    /// For each, a waiter holds a pass of that tag.
    pub waiter_holds: Signal<In, Bits<3>>,
    /// H, N, M and B hold nothing.
    pub empty: Signal<Out, Bit>,
    /// Tag of the picked pass.
    pub picked_tag: Signal<Out, Bits<8>>,

    /// C holds something.
    pub collector_full: Signal<In, Bit>,
    /// Its operation.
    pub collector_tag: Signal<In, Bits<8>>,
    /// Its read number.
    pub collector_read: Signal<In, Bit>,
    /// E is free at this edge.
    pub emitter_free: Signal<In, Bit>,
    /// C moves to E at this edge.
    pub collector_moves: Signal<Out, Bit>,
    /// A read enters C at this edge.
    pub read_goes: Signal<Out, Bit>,
    /// Its operation.
    pub read_operation: Signal<Out, Operation>,
    /// Its number, 0 or 1.
    pub read_number: Signal<Out, Bit>,
    /// Its lanes, without failed ones.
    pub read_lanes: Signal<Out, Bits<LANES>>,
    /// It ends its operation.
    pub read_last: Signal<Out, Bit>,
    /// Byte in the quad where each lane's value begins.
    pub read_byte: Many<Signal<Out, Bits<4>>, LANES>,
    /// The quad of each lane: four words.
    pub read_word: Many<Signal<Out, Bits<32>>, QUAD_WORDS>,

    /// A store or command that is last leaves at this edge.
    pub finishes: Signal<Out, Bit>,
    /// X is free at this edge.
    pub done_free: Signal<In, Bit>,
    /// The pass in B has failed lanes.
    pub has_failed: Signal<Out, Bit>,
    /// It reports them at this edge.
    pub reports: Signal<Out, Bit>,
    /// F is free at this edge.
    pub fault_free: Signal<In, Bit>,
    /// The record.
    pub failed_record: Signal<Out, FaultRecord>,

    l1: Many<StrobeMemory<L1_INDEX>, 32>,
    ro: Many<StrobeMemory<RO_INDEX>, 32>,
    buffer: Many<StrobeMemory<ENTRY_BITS>, 32>,

    hit: PassQueue,
    hit_second: Register<Bit>,
    ro_full: Register<Bit>,
    ro_operation: Register<Operation>,
    ro_lanes: Register<Bits<LANES>>,
    ro_offset: Registers<Bits<7>, LANES>,
    moved: PassQueue,
    moved_line: Registers<Bits<32>, 32>,
    moved_second: Register<Bit>,
    waited: PassQueue,
    waited_second: Register<Bit>,
    /// The place that was left last: 0 M, 1 B, 2 H.
    left_last: Register<Bits<2>>,

    pick_waited: Signal<Local, Bit>,
    pick_hit: Signal<Local, Bit>,
    pick_moved: Signal<Local, Bit>,
    picked: Signal<Local, Bit>,
    picked_load: Signal<Local, Bit>,
    picked_offset: Many<Signal<Local, Bits<7>>, LANES>,
    failed: Signal<Local, Bits<LANES>>,
    lowest_failed: Signal<Local, Bits<LANES>>,
    failed_offset: Signal<Local, Bits<7>>,
    may_report: Signal<Local, Bit>,
    own_full: Signal<Local, Bits<3>>,
    own_load: Signal<Local, Bits<3>>,
    own_two_reads: Signal<Local, Bits<3>>,
    own_second: Signal<Local, Bits<3>>,
    own_tag: Many<Signal<Local, Bits<8>>, 3>,
    own_may_report: Signal<Local, Bits<3>>,
    of_collector: Signal<Local, Bits<3>>,
    own_moves: Signal<Local, Bits<3>>,
    own_goes: Signal<Local, Bits<3>>,
    own_leaves: Signal<Local, Bits<3>>,
    own_last: Signal<Local, Bits<3>>,
    picks: Signal<Local, Bits<3>>,
    leaving: Signal<Local, Bits<3>>,
    last_leaving: Signal<Local, Bits<3>>,
    same: Signal<Local, Bit>,
    others_ahead: Signal<Local, Bit>,
    ahead: Signal<Local, Bit>,
    leaves: Signal<Local, Bit>,
    moves_on: Signal<Local, Bit>,
    line: Many<Signal<Local, Bits<32>>, 32>,
    quad: Signal<Local, Bits<3>>,
    index: Signal<Local, Bits<5>>,
}

impl Logic for DataPlaces {
    // The kernel language has no `&&`, and an `&` of a bool and a bit would not be a comparison of loop variables any more.
    #[allow(clippy::collapsible_if)]
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, hit_second, ro_full, ro_operation, ro_lanes, ro_offset, moved_line, moved_second);
        dff_setup!(self, clock, waited_second, left_last);
        clock!(self, clock, hit, moved, waited);

        // Which place is read: one that is between its two reads, else the next in turn.
        self.pick_waited.next = false;
        self.pick_hit.next = false;
        self.pick_moved.next = false;
        if self.waited_second.q.val() {
            self.pick_waited.next = true;
        } else {
            if self.hit_second.q.val() {
                self.pick_hit.next = true;
            } else {
                if self.moved_second.q.val() {
                    self.pick_moved.next = true;
                } else {
                    if self.left_last.q.val() == 0 {
                        self.pick_waited.next = self.waited.full.val();
                        self.pick_hit.next = self.hit.full.val() & !self.waited.full.val();
                        self.pick_moved.next = self.moved.full.val() & !self.waited.full.val() & !self.hit.full.val();
                    } else {
                        if self.left_last.q.val() == 1 {
                            self.pick_hit.next = self.hit.full.val();
                            self.pick_moved.next = self.moved.full.val() & !self.hit.full.val();
                            self.pick_waited.next =
                                self.waited.full.val() & !self.hit.full.val() & !self.moved.full.val();
                        } else {
                            self.pick_moved.next = self.moved.full.val();
                            self.pick_waited.next = self.waited.full.val() & !self.moved.full.val();
                            self.pick_hit.next = self.hit.full.val() & !self.moved.full.val() & !self.waited.full.val();
                        }
                    }
                }
            }
        }

        // Lanes of B whose sector failed.
        self.failed.next = 0.into();
        self.failed_offset.next = 0.into();
        for i in 0..LANES {
            for j in 0..4 {
                if self.waited.first_pass.val().failed.get_bit(j)
                    & (self.waited.first_offset[i].val().get_bits::<2>(5) == j.to_bits::<2>())
                {
                    self.failed.next = self.failed.val().replace_bit(i, self.waited.first_pass.val().lanes.get_bit(i));
                }
            }
        }
        self.lowest_failed.next = self.failed.val() & (!self.failed.val() + 1);
        for i in 0..LANES {
            if self.lowest_failed.val().get_bit(i) {
                self.failed_offset.next = self.failed_offset.val() | self.waited.first_offset[i].val();
            }
        }
        self.failed_record.next.lanes = self.failed.val();
        self.failed_record.next.cause = CAUSE_MEMORY_ERROR.into();
        self.failed_record.next.tag = self.waited.first_operation.val().tag;
        self.failed_record.next.address = (bit_cast::<ADDR, LINE>(self.waited.first_pass.val().line) << 7)
            | bit_cast::<ADDR, 7>(self.failed_offset.val());
        self.has_failed.next = self.waited.full.val() & self.failed.val().any();

        // The picked one.
        self.read_operation.next = self.hit.first_pass.val().operation;
        self.read_lanes.next = self.hit.first_pass.val().lanes;
        if self.pick_waited.val() {
            self.read_operation.next = self.waited.first_pass.val().operation;
            self.read_lanes.next = self.waited.first_pass.val().lanes & !self.failed.val();
        }
        if self.pick_moved.val() {
            self.read_operation.next = self.moved.first_pass.val().operation;
            self.read_lanes.next = self.moved.first_pass.val().lanes;
        }
        self.picked_tag.next = self.read_operation.val().tag;

        // The first pass of B (0), H (1) and M (2): what it is.
        self.own_full.next = 0.into();
        self.own_full.next = self.own_full.val().replace_bit(0, self.waited.full.val());
        self.own_full.next = self.own_full.val().replace_bit(1, self.hit.full.val());
        self.own_full.next = self.own_full.val().replace_bit(2, self.moved.full.val());
        self.empty.next = !self.own_full.val().any() & !self.ro_full.q.val();
        self.own_load.next = 4.into();
        self.own_load.next = self.own_load.val().replace_bit(0, !self.waited.first_operation.val().is_store);
        self.own_load.next = self
            .own_load
            .val()
            .replace_bit(1, !self.hit.first_operation.val().is_store & !self.hit.first_operation.val().is_command);
        self.own_two_reads.next = 0.into();
        self.own_two_reads.next = self.own_two_reads.val().replace_bit(0, self.waited.first_operation.val().two_reads);
        self.own_two_reads.next = self.own_two_reads.val().replace_bit(1, self.hit.first_operation.val().two_reads);
        self.own_two_reads.next = self.own_two_reads.val().replace_bit(2, self.moved.first_operation.val().two_reads);
        self.own_second.next = 0.into();
        self.own_second.next = self.own_second.val().replace_bit(0, self.waited_second.q.val());
        self.own_second.next = self.own_second.val().replace_bit(1, self.hit_second.q.val());
        self.own_second.next = self.own_second.val().replace_bit(2, self.moved_second.q.val());
        self.own_tag[0].next = self.waited.first_operation.val().tag;
        self.own_tag[1].next = self.hit.first_operation.val().tag;
        self.own_tag[2].next = self.moved.first_operation.val().tag;
        self.may_report.next = !self.has_failed.val() | self.waited_second.q.val() | self.fault_free.val();
        self.own_may_report.next = 6.into();
        self.own_may_report.next = self.own_may_report.val().replace_bit(0, self.may_report.val());
        self.others_ahead.next = (self.issue_holds.val() & (self.issue_tag.val() == self.collector_tag.val()))
            | (self.tag_holds.val() & (self.tag_operation.val().tag == self.collector_tag.val()))
            | (self.second_tag_holds.val() & (self.second_tag_tag.val() == self.collector_tag.val()))
            | (self.ro_full.q.val() & (self.ro_operation.q.val().tag == self.collector_tag.val()))
            | (self.hit.second_full.val() & (self.hit.second_tag.val() == self.collector_tag.val()))
            | (self.moved.second_full.val() & (self.moved.second_tag.val() == self.collector_tag.val()))
            | (self.waited.second_full.val() & (self.waited.second_tag.val() == self.collector_tag.val()));
        self.of_collector.next = 0.into();
        for i in 0..3 {
            self.of_collector.next = self
                .of_collector
                .val()
                .replace_bit(i, self.own_full.val().get_bit(i) & (self.collector_tag.val() == self.own_tag[i].val()));
        }
        self.ahead.next = self.others_ahead.val() | self.of_collector.val().any();

        // What each would do if it were picked.
        self.own_moves.next = 0.into();
        self.own_goes.next = 0.into();
        self.own_leaves.next = 0.into();
        self.own_last.next = 0.into();
        for i in 0..3 {
            self.asked_tag[i].next = self.own_tag[i].val();
            self.same.next = self.own_load.val().get_bit(i)
                & self.of_collector.val().get_bit(i)
                & (self.own_second.val().get_bit(i) == self.collector_read.val());
            self.own_moves.next = self
                .own_moves
                .val()
                .replace_bit(i, !self.same.val() & (self.own_load.val().get_bit(i) | !self.ahead.val()));
            self.own_goes.next = self.own_goes.val().replace_bit(
                i,
                self.own_load.val().get_bit(i)
                    & self.own_may_report.val().get_bit(i)
                    & (!self.collector_full.val() | self.same.val() | self.emitter_free.val()),
            );
            self.own_leaves.next = self.own_leaves.val().replace_bit(
                i,
                (self.own_goes.val().get_bit(i)
                    & (!self.own_two_reads.val().get_bit(i) | self.own_second.val().get_bit(i)))
                    | (!self.own_load.val().get_bit(i) & self.done_free.val() & self.own_may_report.val().get_bit(i)),
            );
            self.own_last.next = self.own_last.val().replace_bit(
                i,
                !self.waiter_holds.val().get_bit(i)
                    & !(self.issue_holds.val() & (self.issue_tag.val() == self.own_tag[i].val()))
                    & !(self.merge_holds.val() & (self.merge_tag.val() == self.own_tag[i].val()))
                    & !(self.tag_holds.val() & (self.tag_operation.val().tag == self.own_tag[i].val()))
                    & !(self.second_tag_holds.val() & (self.second_tag_tag.val() == self.own_tag[i].val()))
                    & !(self.ro_full.q.val() & (self.ro_operation.q.val().tag == self.own_tag[i].val()))
                    & !(self.hit.second_full.val() & (self.hit.second_tag.val() == self.own_tag[i].val()))
                    & !(self.moved.second_full.val() & (self.moved.second_tag.val() == self.own_tag[i].val()))
                    & !(self.waited.second_full.val() & (self.waited.second_tag.val() == self.own_tag[i].val())),
            );
            for j in 0..3 {
                if i != j {
                    if self.own_full.val().get_bit(j) & (self.own_tag[j].val() == self.own_tag[i].val()) {
                        self.own_last.next = self.own_last.val().replace_bit(i, false);
                    }
                }
            }
        }

        // What the picked one does.
        self.picks.next = 0.into();
        self.picks.next = self.picks.val().replace_bit(0, self.pick_waited.val());
        self.picks.next = self.picks.val().replace_bit(1, self.pick_hit.val());
        self.picks.next = self.picks.val().replace_bit(2, self.pick_moved.val());
        self.picked.next = self.own_full.val().any();
        self.picked_load.next = (self.picks.val() & self.own_load.val()).any();
        self.read_number.next = (self.picks.val() & self.own_second.val()).any();
        self.collector_moves.next = self.collector_full.val()
            & self.emitter_free.val()
            & ((self.picks.val() & self.own_moves.val()).any() | (!self.picked.val() & !self.ahead.val()));
        self.read_goes.next = (self.picks.val() & self.own_goes.val()).any();
        self.leaving.next = self.picks.val() & self.own_leaves.val();
        self.leaves.next = self.leaving.val().any();
        self.last_leaving.next = self.leaving.val() & self.own_last.val();
        self.read_last.next = self.last_leaving.val().any();
        self.finishes.next = (self.last_leaving.val() & !self.own_load.val()).any();
        self.reports.next = self.pick_waited.val()
            & self.has_failed.val()
            & !self.waited_second.q.val()
            & (self.own_goes.val().get_bit(0) | self.own_leaves.val().get_bit(0));

        // The quad of each lane.
        for i in 0..32 {
            self.line[i].next = self.hit.first_line[i].val();
            if self.pick_waited.val() {
                self.line[i].next = self.waited.first_line[i].val();
            }
            if self.pick_moved.val() {
                self.line[i].next = self.moved.first_line[i].val();
            }
        }
        for i in 0..LANES {
            self.picked_offset[i].next = self.hit.first_offset[i].val();
            if self.pick_waited.val() {
                self.picked_offset[i].next = self.waited.first_offset[i].val();
            }
            if self.pick_moved.val() {
                self.picked_offset[i].next = self.moved.first_offset[i].val();
            }
            self.read_byte[i].next = self.picked_offset[i].val().get_bits::<4>(0);
            self.quad.next = self.picked_offset[i].val().get_bits::<3>(4);
            if self.read_number.val() {
                self.quad.next = self.picked_offset[i].val().get_bits::<3>(4) | 1;
            }
            for j in 0..4 {
                self.index.next = (bit_cast::<5, 3>(self.quad.val()) << 2) | j.to_bits::<5>();
                self.read_word[i * 4 + j].next = self.line[self.index.val().index()].val();
            }
        }

        // H: the newer pass's line stands in the memory's output register.
        self.hit_free.next = self.hit.has_room.val();
        self.hit.push.next = self.to_hit.val();
        self.hit.pass.next.operation = self.tag_operation.val();
        self.hit.pass.next.lanes = self.tag_lanes.val();
        self.hit.pass.next.line = 0.into();
        self.hit.pass.next.failed = 0.into();
        self.hit.leaves.next = self.leaving.val().get_bit(1);
        for i in 0..LANES {
            self.hit.offset[i].next = self.tag_offset[i].val();
        }
        for i in 0..32 {
            self.hit.line[i].next = self.l1[i].read_data.val();
        }
        if self.pick_hit.val() & self.read_goes.val() {
            self.hit_second.d.next = !self.leaves.val();
        }

        // N, then M.
        self.moves_on.next = self.ro_full.q.val() & self.moved.has_room.val();
        self.ro_free.next = !self.ro_full.q.val() | self.moved.has_room.val();
        if self.ro_free.val() {
            self.ro_full.d.next = self.to_ro.val();
            self.ro_operation.d.next = self.tag_operation.val();
            self.ro_lanes.d.next = self.tag_lanes.val();
        }
        self.moved.push.next = self.moves_on.val();
        self.moved.pass.next.operation = self.ro_operation.q.val();
        self.moved.pass.next.lanes = self.ro_lanes.q.val();
        self.moved.pass.next.line = 0.into();
        self.moved.pass.next.failed = 0.into();
        self.moved.leaves.next = self.leaving.val().get_bit(2);
        for i in 0..LANES {
            self.moved.offset[i].next = self.ro_offset.q[i].val();
            if self.ro_free.val() {
                self.ro_offset.d[i].next = self.tag_offset[i].val();
            }
        }
        for i in 0..32 {
            self.moved.line[i].next = self.moved_line.q[i].val();
            if self.moved.loads.val() {
                self.moved_line.d[i].next = self.ro[i].read_data.val();
            }
        }
        if self.pick_moved.val() & self.read_goes.val() {
            self.moved_second.d.next = !self.leaves.val();
        }

        // B: the newer pass's line stands in the memory's output register.
        self.ready_take.next = self.ready_valid.val() & self.waited.has_room.val();
        self.waited.push.next = self.ready_take.val();
        self.waited.pass.next = self.ready_pass.val();
        self.waited.leaves.next = self.leaving.val().get_bit(0);
        for i in 0..LANES {
            self.waited.offset[i].next = self.ready_offset[i].val();
        }
        for i in 0..32 {
            self.waited.line[i].next = self.buffer[i].read_data.val();
        }
        if self.pick_waited.val() & self.read_goes.val() {
            self.waited_second.d.next = !self.leaves.val();
        }

        // Line memories.
        for i in 0..4 {
            for j in 0..8 {
                self.l1[i * 8 + j].clock.next = self.clock.val();
                self.l1[i * 8 + j].read_enable.next = self.l1_read.val();
                self.l1[i * 8 + j].read_address.next = self.l1_index.val();
                self.l1[i * 8 + j].write_strobe.next = 0.into();
                self.l1[i * 8 + j].write_address.next = self.l1_fill_index.val();
                self.l1[i * 8 + j].write_data.next = self.fill_data[j].val();
                if self.l1_fill.val().get_bit(i) {
                    self.l1[i * 8 + j].write_strobe.next = 15.into();
                }
                if self.update.val().any() {
                    self.l1[i * 8 + j].write_address.next = self.update_index.val();
                    self.l1[i * 8 + j].write_data.next = self.update_data[j].val();
                    if self.update.val().get_bit(i) {
                        self.l1[i * 8 + j].write_strobe.next = self.update_strobe[j].val();
                    }
                }
                self.ro[i * 8 + j].clock.next = self.clock.val();
                self.ro[i * 8 + j].read_enable.next = self.ro_read.val();
                self.ro[i * 8 + j].read_address.next = self.ro_index.val();
                self.ro[i * 8 + j].write_strobe.next = 0.into();
                self.ro[i * 8 + j].write_address.next = self.ro_fill_index.val();
                self.ro[i * 8 + j].write_data.next = self.fill_data[j].val();
                if self.ro_fill.val().get_bit(i) {
                    self.ro[i * 8 + j].write_strobe.next = 15.into();
                }
                self.buffer[i * 8 + j].clock.next = self.clock.val();
                self.buffer[i * 8 + j].read_enable.next = self.ready_take.val();
                self.buffer[i * 8 + j].read_address.next = self.ready_mshr.val();
                self.buffer[i * 8 + j].write_strobe.next = 0.into();
                self.buffer[i * 8 + j].write_address.next = self.fill_mshr.val();
                self.buffer[i * 8 + j].write_data.next = self.fill_data[j].val();
                if self.buffer_fill.val().get_bit(i) {
                    self.buffer[i * 8 + j].write_strobe.next = 15.into();
                }
            }
        }

        if self.leaves.val() {
            self.left_last.d.next = 0.into();
            if self.pick_waited.val() {
                self.left_last.d.next = 1.into();
            }
            if self.pick_hit.val() {
                self.left_last.d.next = 2.into();
            }
        }
    }
}
