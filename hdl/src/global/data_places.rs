//! `DataPlaces`: places `hit`, `ro_read`, `ro_hit` and `resume` of the global path, the line memories, and which of them is read in a cycle.
//!
//! ```text
//! tag ─► hit ── line from L1 ────────────────┐
//! tag ─► ro_read ─► ro_hit ── line from RO ──┼─► picked pass ─► quad of each lane ─► collect
//! waiter ─► resume ── its line buffer ───────┘              └─► store or command: done, failed lanes: fault record
//! ```
//!
//! Each memory's output register belongs to the place behind it: a line is read when the pass enters the place, so nothing that
//! happens to the cache later can reach the pass.
//!
//! What the picked pass's tag is compared with is compared for all three candidates beside the choice, and chosen after it: the
//! choice is the longest way here.

use super::pass_queue::PassQueue;
use super::prelude::*;

/// Places `hit`, `ro_read`, `ro_hit` and `resume` of the global path, the line memories, and which of them is read.
#[derive(LogicBlock, Default)]
pub struct DataPlaces {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset; the memories keep their content.
    pub reset: Signal<In, Bit>,

    /// `tag` hands `tag_lanes` to `hit`.
    pub to_hit: Signal<In, Bit>,
    /// `hit` holds fewer than two passes.
    pub hit_free: Signal<Out, Bit>,
    /// `tag` hands `tag_lanes` to `ro_read`.
    pub to_ro_read: Signal<In, Bit>,
    /// `ro_read` is empty or moves on.
    pub ro_read_free: Signal<Out, Bit>,
    /// The operation in `tag`.
    pub tag_operation: Signal<In, Operation>,
    /// Lanes that hit.
    pub tag_lanes: Signal<In, Bits<LANES>>,
    /// Offset in the line of each lane.
    pub tag_offset: Many<Signal<In, Bits<7>>, LANES>,
    /// L1 reads this line at this edge.
    pub l1_reads: Signal<In, Bit>,
    /// Way, then set.
    pub l1_index: Signal<In, Bits<L1_INDEX>>,
    /// RO reads this line at this edge.
    pub ro_reads: Signal<In, Bit>,
    /// Way, then set.
    pub ro_index: Signal<In, Bits<RO_INDEX>>,

    /// A waiter is ready.
    pub ready_valid: Signal<In, Bit>,
    /// `resume` takes it at this edge.
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

    /// `issue` holds passes of `issue_tag`.
    pub issue_holds: Signal<In, Bit>,
    /// Operation in `issue`.
    pub issue_tag: Signal<In, Bits<8>>,
    /// `merge` holds a pass.
    pub merge_holds: Signal<In, Bit>,
    /// Its operation.
    pub merge_tag: Signal<In, Bits<8>>,
    /// `tag` holds a pass or command.
    pub tag_holds: Signal<In, Bit>,
    /// `tag` holds a second one.
    pub second_tag_holds: Signal<In, Bit>,
    /// Its operation.
    pub second_tag_tag: Signal<In, Bits<8>>,
    /// Tags that the waiters are asked about: those of the first passes of `resume`, `hit` and `ro_hit`.
    pub asked_tag: Many<Signal<Out, Bits<8>>, 3>,
    /// For each, a waiter holds a pass of that tag.
    pub waiter_holds: Signal<In, Bits<3>>,
    /// `hit`, `ro_read`, `ro_hit` and `resume` hold nothing.
    pub empty: Signal<Out, Bit>,
    /// Tag of the picked pass.
    pub picked_tag: Signal<Out, Bits<8>>,

    /// `collect` holds something.
    pub collect_full: Signal<In, Bit>,
    /// Its operation.
    pub collect_tag: Signal<In, Bits<8>>,
    /// Its read number.
    pub collect_read: Signal<In, Bit>,
    /// `emit` is free at this edge.
    pub emit_free: Signal<In, Bit>,
    /// `collect` moves to `emit` at this edge.
    pub collect_moves: Signal<Out, Bit>,
    /// A read enters `collect` at this edge.
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
    /// `done` is free at this edge.
    pub done_free: Signal<In, Bit>,
    /// The pass in `resume` has failed lanes.
    pub has_failed: Signal<Out, Bit>,
    /// It reports them at this edge.
    pub reports: Signal<Out, Bit>,
    /// `fault` is free at this edge.
    pub fault_free: Signal<In, Bit>,
    /// The record.
    pub failed_record: Signal<Out, FaultRecord>,

    l1: Many<StrobeMemory<L1_INDEX>, 32>,
    ro: Many<StrobeMemory<RO_INDEX>, 32>,
    buffer: Many<StrobeMemory<ENTRY_BITS>, 32>,

    hit: PassQueue,
    hit_second: Register<Bit>,
    ro_read_full: Register<Bit>,
    ro_read_operation: Register<Operation>,
    ro_read_lanes: Register<Bits<LANES>>,
    ro_read_offset: Registers<Bits<7>, LANES>,
    ro_hit: PassQueue,
    ro_hit_line: Registers<Bits<32>, 32>,
    ro_hit_second: Register<Bit>,
    resume: PassQueue,
    resume_second: Register<Bit>,
    /// The place that was left last: 0 `ro_hit`, 1 `resume`, 2 `hit`.
    left_last: Register<Bits<2>>,

    pick_resume: Signal<Local, Bit>,
    pick_hit: Signal<Local, Bit>,
    pick_ro_hit: Signal<Local, Bit>,
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
    of_collect: Signal<Local, Bits<3>>,
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
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, hit_second, ro_read_full, ro_read_operation, ro_read_lanes, ro_read_offset);
        dff_setup!(self, clock, ro_hit_line, ro_hit_second, resume_second, left_last);
        clock!(self, clock, hit, ro_hit, resume);

        // Rule PICK: one that is between its two reads, else the next in turn.
        self.pick_resume.next = false;
        self.pick_hit.next = false;
        self.pick_ro_hit.next = false;
        if self.resume_second.q.val() {
            self.pick_resume.next = true;
        } else if self.hit_second.q.val() {
            self.pick_hit.next = true;
        } else if self.ro_hit_second.q.val() {
            self.pick_ro_hit.next = true;
        } else if self.left_last.q.val() == 0 {
            self.pick_resume.next = self.resume.full.val();
            self.pick_hit.next = self.hit.full.val() & !self.resume.full.val();
            self.pick_ro_hit.next = self.ro_hit.full.val() & !self.resume.full.val() & !self.hit.full.val();
        } else if self.left_last.q.val() == 1 {
            self.pick_hit.next = self.hit.full.val();
            self.pick_ro_hit.next = self.ro_hit.full.val() & !self.hit.full.val();
            self.pick_resume.next = self.resume.full.val() & !self.hit.full.val() & !self.ro_hit.full.val();
        } else {
            self.pick_ro_hit.next = self.ro_hit.full.val();
            self.pick_resume.next = self.resume.full.val() & !self.ro_hit.full.val();
            self.pick_hit.next = self.hit.full.val() & !self.ro_hit.full.val() & !self.resume.full.val();
        }

        // Rule REPORT: lanes of `resume` whose sector failed.
        self.failed.next = 0.into();
        self.failed_offset.next = 0.into();
        for i in 0..LANES {
            for j in 0..4 {
                if self.resume.first_pass.val().failed.get_bit(j)
                    & (self.resume.first_offset[i].val().get_bits::<2>(5) == j.to_bits::<2>())
                {
                    self.failed.next = self.failed.val().replace_bit(i, self.resume.first_pass.val().lanes.get_bit(i));
                }
            }
        }
        self.lowest_failed.next = self.failed.val() & (!self.failed.val() + 1);
        for i in 0..LANES {
            if self.lowest_failed.val().get_bit(i) {
                self.failed_offset.next = self.failed_offset.val() | self.resume.first_offset[i].val();
            }
        }
        self.failed_record.next.lanes = self.failed.val();
        self.failed_record.next.cause = CAUSE_MEMORY_ERROR.into();
        self.failed_record.next.tag = self.resume.first_operation.val().tag;
        self.failed_record.next.address = (bit_cast::<ADDR, LINE>(self.resume.first_pass.val().line) << 7)
            | bit_cast::<ADDR, 7>(self.failed_offset.val());
        self.has_failed.next = self.resume.full.val() & self.failed.val().any();

        // The picked one.
        self.read_operation.next = self.hit.first_pass.val().operation;
        self.read_lanes.next = self.hit.first_pass.val().lanes;
        if self.pick_resume.val() {
            self.read_operation.next = self.resume.first_pass.val().operation;
            self.read_lanes.next = self.resume.first_pass.val().lanes & !self.failed.val();
        }
        if self.pick_ro_hit.val() {
            self.read_operation.next = self.ro_hit.first_pass.val().operation;
            self.read_lanes.next = self.ro_hit.first_pass.val().lanes;
        }
        self.picked_tag.next = self.read_operation.val().tag;

        // The first pass of `resume` (0), `hit` (1) and `ro_hit` (2): what it is.
        self.own_full.next = 0.into();
        self.own_full.next = self.own_full.val().replace_bit(0, self.resume.full.val());
        self.own_full.next = self.own_full.val().replace_bit(1, self.hit.full.val());
        self.own_full.next = self.own_full.val().replace_bit(2, self.ro_hit.full.val());
        self.empty.next = !self.own_full.val().any() & !self.ro_read_full.q.val();
        self.own_load.next = 4.into();
        self.own_load.next = self.own_load.val().replace_bit(0, !self.resume.first_operation.val().is_store);
        self.own_load.next = self
            .own_load
            .val()
            .replace_bit(1, !self.hit.first_operation.val().is_store & !self.hit.first_operation.val().is_command);
        self.own_two_reads.next = 0.into();
        self.own_two_reads.next = self.own_two_reads.val().replace_bit(0, self.resume.first_operation.val().two_reads);
        self.own_two_reads.next = self.own_two_reads.val().replace_bit(1, self.hit.first_operation.val().two_reads);
        self.own_two_reads.next = self.own_two_reads.val().replace_bit(2, self.ro_hit.first_operation.val().two_reads);
        self.own_second.next = 0.into();
        self.own_second.next = self.own_second.val().replace_bit(0, self.resume_second.q.val());
        self.own_second.next = self.own_second.val().replace_bit(1, self.hit_second.q.val());
        self.own_second.next = self.own_second.val().replace_bit(2, self.ro_hit_second.q.val());
        self.own_tag[0].next = self.resume.first_operation.val().tag;
        self.own_tag[1].next = self.hit.first_operation.val().tag;
        self.own_tag[2].next = self.ro_hit.first_operation.val().tag;
        self.may_report.next = !self.has_failed.val() | self.resume_second.q.val() | self.fault_free.val();
        self.own_may_report.next = 6.into();
        self.own_may_report.next = self.own_may_report.val().replace_bit(0, self.may_report.val());
        self.others_ahead.next = (self.issue_holds.val() & (self.issue_tag.val() == self.collect_tag.val()))
            | (self.tag_holds.val() & (self.tag_operation.val().tag == self.collect_tag.val()))
            | (self.second_tag_holds.val() & (self.second_tag_tag.val() == self.collect_tag.val()))
            | (self.ro_read_full.q.val() & (self.ro_read_operation.q.val().tag == self.collect_tag.val()))
            | (self.hit.second_full.val() & (self.hit.second_tag.val() == self.collect_tag.val()))
            | (self.ro_hit.second_full.val() & (self.ro_hit.second_tag.val() == self.collect_tag.val()))
            | (self.resume.second_full.val() & (self.resume.second_tag.val() == self.collect_tag.val()));
        self.of_collect.next = 0.into();
        for i in 0..3 {
            self.of_collect.next = self
                .of_collect
                .val()
                .replace_bit(i, self.own_full.val().get_bit(i) & (self.collect_tag.val() == self.own_tag[i].val()));
        }
        self.ahead.next = self.others_ahead.val() | self.of_collect.val().any();

        // Rules SAME, AHEAD, LAST: what each would do if it were picked.
        self.own_moves.next = 0.into();
        self.own_goes.next = 0.into();
        self.own_leaves.next = 0.into();
        self.own_last.next = 0.into();
        for i in 0..3 {
            self.asked_tag[i].next = self.own_tag[i].val();
            self.same.next = self.own_load.val().get_bit(i)
                & self.of_collect.val().get_bit(i)
                & (self.own_second.val().get_bit(i) == self.collect_read.val());
            self.own_moves.next = self
                .own_moves
                .val()
                .replace_bit(i, !self.same.val() & (self.own_load.val().get_bit(i) | !self.ahead.val()));
            self.own_goes.next = self.own_goes.val().replace_bit(
                i,
                self.own_load.val().get_bit(i)
                    & self.own_may_report.val().get_bit(i)
                    & (!self.collect_full.val() | self.same.val() | self.emit_free.val()),
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
                    & !(self.ro_read_full.q.val() & (self.ro_read_operation.q.val().tag == self.own_tag[i].val()))
                    & !(self.hit.second_full.val() & (self.hit.second_tag.val() == self.own_tag[i].val()))
                    & !(self.ro_hit.second_full.val() & (self.ro_hit.second_tag.val() == self.own_tag[i].val()))
                    & !(self.resume.second_full.val() & (self.resume.second_tag.val() == self.own_tag[i].val())),
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
        self.picks.next = self.picks.val().replace_bit(0, self.pick_resume.val());
        self.picks.next = self.picks.val().replace_bit(1, self.pick_hit.val());
        self.picks.next = self.picks.val().replace_bit(2, self.pick_ro_hit.val());
        self.picked.next = self.own_full.val().any();
        self.picked_load.next = (self.picks.val() & self.own_load.val()).any();
        self.read_number.next = (self.picks.val() & self.own_second.val()).any();
        self.collect_moves.next = self.collect_full.val()
            & self.emit_free.val()
            & ((self.picks.val() & self.own_moves.val()).any() | (!self.picked.val() & !self.ahead.val()));
        self.read_goes.next = (self.picks.val() & self.own_goes.val()).any();
        self.leaving.next = self.picks.val() & self.own_leaves.val();
        self.leaves.next = self.leaving.val().any();
        self.last_leaving.next = self.leaving.val() & self.own_last.val();
        self.read_last.next = self.last_leaving.val().any();
        self.finishes.next = (self.last_leaving.val() & !self.own_load.val()).any();
        self.reports.next = self.pick_resume.val()
            & self.has_failed.val()
            & !self.resume_second.q.val()
            & (self.own_goes.val().get_bit(0) | self.own_leaves.val().get_bit(0));

        // The quad of each lane.
        for i in 0..32 {
            self.line[i].next = self.hit.first_line[i].val();
            if self.pick_resume.val() {
                self.line[i].next = self.resume.first_line[i].val();
            }
            if self.pick_ro_hit.val() {
                self.line[i].next = self.ro_hit.first_line[i].val();
            }
        }
        for i in 0..LANES {
            self.picked_offset[i].next = self.hit.first_offset[i].val();
            if self.pick_resume.val() {
                self.picked_offset[i].next = self.resume.first_offset[i].val();
            }
            if self.pick_ro_hit.val() {
                self.picked_offset[i].next = self.ro_hit.first_offset[i].val();
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

        // `hit`: the newer pass's line stands in the memory's output register.
        self.hit_free.next = self.hit.has_room.val();
        self.hit.push.next = self.to_hit.val();
        self.hit.pass.next.operation = self.tag_operation.val();
        self.hit.pass.next.lanes = self.tag_lanes.val();
        self.hit.pass.next.line = 0.into();
        self.hit.pass.next.failed = 0.into();
        self.hit.leaves.next = self.leaving.val().get_bit(1);
        Arrays::join(&mut self.hit.offset, &mut self.tag_offset);
        for i in 0..32 {
            self.hit.line[i].next = self.l1[i].read_data.val();
        }
        if self.pick_hit.val() & self.read_goes.val() {
            self.hit_second.d.next = !self.leaves.val();
        }

        // `ro_read`, then `ro_hit`.
        self.moves_on.next = self.ro_read_full.q.val() & self.ro_hit.has_room.val();
        self.ro_read_free.next = !self.ro_read_full.q.val() | self.ro_hit.has_room.val();
        if self.ro_read_free.val() {
            self.ro_read_full.d.next = self.to_ro_read.val();
            self.ro_read_operation.d.next = self.tag_operation.val();
            self.ro_read_lanes.d.next = self.tag_lanes.val();
        }
        self.ro_hit.push.next = self.moves_on.val();
        self.ro_hit.pass.next.operation = self.ro_read_operation.q.val();
        self.ro_hit.pass.next.lanes = self.ro_read_lanes.q.val();
        self.ro_hit.pass.next.line = 0.into();
        self.ro_hit.pass.next.failed = 0.into();
        self.ro_hit.leaves.next = self.leaving.val().get_bit(2);
        for i in 0..LANES {
            self.ro_hit.offset[i].next = self.ro_read_offset.q[i].val();
            if self.ro_read_free.val() {
                self.ro_read_offset.d[i].next = self.tag_offset[i].val();
            }
        }
        for i in 0..32 {
            self.ro_hit.line[i].next = self.ro_hit_line.q[i].val();
            if self.ro_hit.loads.val() {
                self.ro_hit_line.d[i].next = self.ro[i].read_data.val();
            }
        }
        if self.pick_ro_hit.val() & self.read_goes.val() {
            self.ro_hit_second.d.next = !self.leaves.val();
        }

        // `resume`: the newer pass's line stands in the memory's output register.
        self.ready_take.next = self.ready_valid.val() & self.resume.has_room.val();
        self.resume.push.next = self.ready_take.val();
        self.resume.pass.next = self.ready_pass.val();
        self.resume.leaves.next = self.leaving.val().get_bit(0);
        Arrays::join(&mut self.resume.offset, &mut self.ready_offset);
        for i in 0..32 {
            self.resume.line[i].next = self.buffer[i].read_data.val();
        }
        if self.pick_resume.val() & self.read_goes.val() {
            self.resume_second.d.next = !self.leaves.val();
        }

        // Line memories.
        for i in 0..4 {
            for j in 0..8 {
                self.l1[i * 8 + j].clock.next = self.clock.val();
                self.l1[i * 8 + j].read_enable.next = self.l1_reads.val();
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
                self.ro[i * 8 + j].read_enable.next = self.ro_reads.val();
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
            if self.pick_resume.val() {
                self.left_last.d.next = 1.into();
            }
            if self.pick_hit.val() {
                self.left_last.d.next = 2.into();
            }
        }
    }
}
