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

use std::array::from_fn;

use rust_hdl::prelude::*;

use super::operation::Operation;
use crate::strobe_memory::StrobeMemory;
use crate::{Register, Registers, dff_setup};

/// Places H, N, M and B.
#[derive(LogicBlock)]
pub struct DataPlaces<
    const LANES: usize,
    const ADDR: usize,
    const LINE: usize,
    const ENTRY_BITS: usize,
    const L1_INDEX: usize,
    const RO_INDEX: usize,
> {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset; the memories keep their content.
    pub reset: Signal<In, Bit>,

    /// T hands `tag_lanes` to H.
    pub to_hit: Signal<In, Bit>,
    /// H is free at this edge.
    pub hit_free: Signal<Out, Bit>,
    /// T hands `tag_lanes` to N.
    pub to_ro: Signal<In, Bit>,
    /// N is free at this edge.
    pub ro_free: Signal<Out, Bit>,
    /// The operation in T.
    pub tag_operation: Signal<In, Operation>,
    /// Lanes that hit.
    pub tag_lanes: Signal<In, Bits<LANES>>,
    /// Offset in the line of each lane.
    pub tag_offset: [Signal<In, Bits<7>>; LANES],
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
    /// Its operation.
    pub ready_operation: Signal<In, Operation>,
    /// Its lanes.
    pub ready_lanes: Signal<In, Bits<LANES>>,
    /// Offset in the line of each lane.
    pub ready_offset: [Signal<In, Bits<7>>; LANES],
    /// Its line.
    pub ready_line: Signal<In, Bits<LINE>>,
    /// Sectors that failed.
    pub ready_failed: Signal<In, Bits<4>>,
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
    pub fill_data: [Signal<In, Bits<32>>; 8],
    /// A store's bytes are written into L1 (never in the cycle of a fill); 0 for none, else its sector.
    pub update: Signal<In, Bits<4>>,
    /// Way, then set.
    pub update_index: Signal<In, Bits<L1_INDEX>>,
    /// Its bytes, four for each word.
    pub update_strobe: [Signal<In, Bits<4>>; 8],
    /// Its data.
    pub update_data: [Signal<In, Bits<32>>; 8],

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
    /// Tag of the picked pass, which the waiters are asked about.
    pub picked_tag: Signal<Out, Bits<8>>,
    /// A waiter holds a pass of that tag.
    pub waiter_holds: Signal<In, Bit>,

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
    pub read_byte: [Signal<Out, Bits<4>>; LANES],
    /// First word of each lane's quad.
    pub read_word0: [Signal<Out, Bits<32>>; LANES],
    /// Second word.
    pub read_word1: [Signal<Out, Bits<32>>; LANES],
    /// Third word.
    pub read_word2: [Signal<Out, Bits<32>>; LANES],
    /// Fourth word.
    pub read_word3: [Signal<Out, Bits<32>>; LANES],

    /// A store or command that is last leaves at this edge.
    pub finishes: Signal<Out, Bit>,
    /// X is free at this edge.
    pub done_free: Signal<In, Bit>,
    /// The picked pass has failed lanes to report.
    pub must_report: Signal<Out, Bit>,
    /// It reports them at this edge.
    pub reports: Signal<Out, Bit>,
    /// F is free at this edge.
    pub fault_free: Signal<In, Bit>,
    /// Failed lanes.
    pub failed_lanes: Signal<Out, Bits<LANES>>,
    /// Address of the lowest.
    pub failed_address: Signal<Out, Bits<ADDR>>,

    l1: [StrobeMemory<L1_INDEX>; 32],
    ro: [StrobeMemory<RO_INDEX>; 32],
    buffer: [StrobeMemory<ENTRY_BITS>; 32],

    hit_full: Register<Bit>,
    hit_operation: Register<Operation>,
    hit_lanes: Register<Bits<LANES>>,
    hit_offset: Registers<Bits<7>, LANES>,
    hit_second: Register<Bit>,
    ro_full: Register<Bit>,
    ro_operation: Register<Operation>,
    ro_lanes: Register<Bits<LANES>>,
    ro_offset: Registers<Bits<7>, LANES>,
    moved_full: Register<Bit>,
    moved_operation: Register<Operation>,
    moved_lanes: Register<Bits<LANES>>,
    moved_offset: Registers<Bits<7>, LANES>,
    moved_line: Registers<Bits<32>, 32>,
    moved_second: Register<Bit>,
    buffer_full: Register<Bit>,
    buffer_operation: Register<Operation>,
    buffer_lanes: Register<Bits<LANES>>,
    buffer_offset: Registers<Bits<7>, LANES>,
    buffer_line: Register<Bits<LINE>>,
    buffer_failed: Register<Bits<4>>,
    buffer_second: Register<Bit>,
    /// The place that was left last: 0 M, 1 B, 2 H.
    left_last: Register<Bits<2>>,

    pick_buffer: Signal<Local, Bit>,
    pick_hit: Signal<Local, Bit>,
    pick_moved: Signal<Local, Bit>,
    picked: Signal<Local, Bit>,
    picked_load: Signal<Local, Bit>,
    picked_lanes: Signal<Local, Bits<LANES>>,
    picked_offset: [Signal<Local, Bits<7>>; LANES],
    second: Signal<Local, Bit>,
    failed: Signal<Local, Bits<LANES>>,
    lowest_failed: Signal<Local, Bits<LANES>>,
    failed_offset: Signal<Local, Bits<7>>,
    may_report: Signal<Local, Bit>,
    same: Signal<Local, Bit>,
    ahead: Signal<Local, Bit>,
    is_last: Signal<Local, Bit>,
    leaves: Signal<Local, Bit>,
    moved_free: Signal<Local, Bit>,
    buffer_free: Signal<Local, Bit>,
    line: [Signal<Local, Bits<32>>; 32],
    quad: Signal<Local, Bits<3>>,
    index0: Signal<Local, Bits<5>>,
    index1: Signal<Local, Bits<5>>,
    index2: Signal<Local, Bits<5>>,
    index3: Signal<Local, Bits<5>>,
}

impl<
    const LANES: usize,
    const ADDR: usize,
    const LINE: usize,
    const ENTRY_BITS: usize,
    const L1_INDEX: usize,
    const RO_INDEX: usize,
> Default for DataPlaces<LANES, ADDR, LINE, ENTRY_BITS, L1_INDEX, RO_INDEX>
{
    fn default() -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            to_hit: Default::default(),
            hit_free: Default::default(),
            to_ro: Default::default(),
            ro_free: Default::default(),
            tag_operation: Default::default(),
            tag_lanes: Default::default(),
            tag_offset: from_fn(|_| Default::default()),
            l1_read: Default::default(),
            l1_index: Default::default(),
            ro_read: Default::default(),
            ro_index: Default::default(),
            ready_valid: Default::default(),
            ready_take: Default::default(),
            ready_operation: Default::default(),
            ready_lanes: Default::default(),
            ready_offset: from_fn(|_| Default::default()),
            ready_line: Default::default(),
            ready_failed: Default::default(),
            ready_mshr: Default::default(),
            buffer_fill: Default::default(),
            fill_mshr: Default::default(),
            l1_fill: Default::default(),
            l1_fill_index: Default::default(),
            ro_fill: Default::default(),
            ro_fill_index: Default::default(),
            fill_data: from_fn(|_| Default::default()),
            update: Default::default(),
            update_index: Default::default(),
            update_strobe: from_fn(|_| Default::default()),
            update_data: from_fn(|_| Default::default()),
            issue_holds: Default::default(),
            issue_tag: Default::default(),
            merge_holds: Default::default(),
            merge_tag: Default::default(),
            tag_holds: Default::default(),
            picked_tag: Default::default(),
            waiter_holds: Default::default(),
            collector_full: Default::default(),
            collector_tag: Default::default(),
            collector_read: Default::default(),
            emitter_free: Default::default(),
            collector_moves: Default::default(),
            read_goes: Default::default(),
            read_operation: Default::default(),
            read_number: Default::default(),
            read_lanes: Default::default(),
            read_last: Default::default(),
            read_byte: from_fn(|_| Default::default()),
            read_word0: from_fn(|_| Default::default()),
            read_word1: from_fn(|_| Default::default()),
            read_word2: from_fn(|_| Default::default()),
            read_word3: from_fn(|_| Default::default()),
            finishes: Default::default(),
            done_free: Default::default(),
            must_report: Default::default(),
            reports: Default::default(),
            fault_free: Default::default(),
            failed_lanes: Default::default(),
            failed_address: Default::default(),
            l1: from_fn(|_| Default::default()),
            ro: from_fn(|_| Default::default()),
            buffer: from_fn(|_| Default::default()),
            hit_full: Default::default(),
            hit_operation: Default::default(),
            hit_lanes: Default::default(),
            hit_offset: Default::default(),
            hit_second: Default::default(),
            ro_full: Default::default(),
            ro_operation: Default::default(),
            ro_lanes: Default::default(),
            ro_offset: Default::default(),
            moved_full: Default::default(),
            moved_operation: Default::default(),
            moved_lanes: Default::default(),
            moved_offset: Default::default(),
            moved_line: Default::default(),
            moved_second: Default::default(),
            buffer_full: Default::default(),
            buffer_operation: Default::default(),
            buffer_lanes: Default::default(),
            buffer_offset: Default::default(),
            buffer_line: Default::default(),
            buffer_failed: Default::default(),
            buffer_second: Default::default(),
            left_last: Default::default(),
            pick_buffer: Default::default(),
            pick_hit: Default::default(),
            pick_moved: Default::default(),
            picked: Default::default(),
            picked_load: Default::default(),
            picked_lanes: Default::default(),
            picked_offset: from_fn(|_| Default::default()),
            second: Default::default(),
            failed: Default::default(),
            lowest_failed: Default::default(),
            failed_offset: Default::default(),
            may_report: Default::default(),
            same: Default::default(),
            ahead: Default::default(),
            is_last: Default::default(),
            leaves: Default::default(),
            moved_free: Default::default(),
            buffer_free: Default::default(),
            line: from_fn(|_| Default::default()),
            quad: Default::default(),
            index0: Default::default(),
            index1: Default::default(),
            index2: Default::default(),
            index3: Default::default(),
        }
    }
}

impl<
    const LANES: usize,
    const ADDR: usize,
    const LINE: usize,
    const ENTRY_BITS: usize,
    const L1_INDEX: usize,
    const RO_INDEX: usize,
> Logic for DataPlaces<LANES, ADDR, LINE, ENTRY_BITS, L1_INDEX, RO_INDEX>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            hit_full,
            hit_operation,
            hit_lanes,
            hit_offset,
            hit_second,
            ro_full,
            ro_operation,
            ro_lanes,
            ro_offset,
            moved_full,
            moved_operation,
            moved_lanes,
            moved_offset,
            moved_line,
            moved_second,
            buffer_full,
            buffer_operation,
            buffer_lanes,
            buffer_offset,
            buffer_line,
            buffer_failed,
            buffer_second,
            left_last
        );

        // Which place is read: one that is between its two reads, else the next in turn.
        self.pick_buffer.next = false;
        self.pick_hit.next = false;
        self.pick_moved.next = false;
        if self.buffer_second.q.val() {
            self.pick_buffer.next = true;
        } else {
            if self.hit_second.q.val() {
                self.pick_hit.next = true;
            } else {
                if self.moved_second.q.val() {
                    self.pick_moved.next = true;
                } else {
                    if self.left_last.q.val() == 0 {
                        self.pick_buffer.next = self.buffer_full.q.val();
                        self.pick_hit.next = self.hit_full.q.val() & !self.buffer_full.q.val();
                        self.pick_moved.next =
                            self.moved_full.q.val() & !self.buffer_full.q.val() & !self.hit_full.q.val();
                    } else {
                        if self.left_last.q.val() == 1 {
                            self.pick_hit.next = self.hit_full.q.val();
                            self.pick_moved.next = self.moved_full.q.val() & !self.hit_full.q.val();
                            self.pick_buffer.next =
                                self.buffer_full.q.val() & !self.hit_full.q.val() & !self.moved_full.q.val();
                        } else {
                            self.pick_moved.next = self.moved_full.q.val();
                            self.pick_buffer.next = self.buffer_full.q.val() & !self.moved_full.q.val();
                            self.pick_hit.next =
                                self.hit_full.q.val() & !self.moved_full.q.val() & !self.buffer_full.q.val();
                        }
                    }
                }
            }
        }
        self.picked.next = self.pick_buffer.val() | self.pick_hit.val() | self.pick_moved.val();
        self.read_operation.next = self.hit_operation.q.val();
        self.picked_lanes.next = self.hit_lanes.q.val();
        self.second.next = self.hit_second.q.val();
        if self.pick_buffer.val() {
            self.read_operation.next = self.buffer_operation.q.val();
            self.picked_lanes.next = self.buffer_lanes.q.val();
            self.second.next = self.buffer_second.q.val();
        }
        if self.pick_moved.val() {
            self.read_operation.next = self.moved_operation.q.val();
            self.picked_lanes.next = self.moved_lanes.q.val();
            self.second.next = self.moved_second.q.val();
        }
        self.picked_load.next =
            self.picked.val() & !self.read_operation.val().is_store & !self.read_operation.val().is_command;

        // Lanes whose sector failed.
        self.failed.next = 0.into();
        self.failed_offset.next = 0.into();
        for i in 0..LANES {
            for j in 0..4 {
                if self.buffer_failed.q.val().get_bit(j)
                    & (self.buffer_offset.q[i].val().get_bits::<2>(5) == j.to_bits::<2>())
                {
                    self.failed.next =
                        self.failed.val().replace_bit(i, self.pick_buffer.val() & self.buffer_lanes.q.val().get_bit(i));
                }
            }
        }
        self.lowest_failed.next = self.failed.val() & (!self.failed.val() + 1);
        for i in 0..LANES {
            if self.lowest_failed.val().get_bit(i) {
                self.failed_offset.next = self.failed_offset.val() | self.buffer_offset.q[i].val();
            }
        }
        self.failed_lanes.next = self.failed.val();
        self.failed_address.next =
            (bit_cast::<ADDR, LINE>(self.buffer_line.q.val()) << 7) | bit_cast::<ADDR, 7>(self.failed_offset.val());
        self.must_report.next = self.failed.val().any() & !self.second.val();
        self.may_report.next = !self.must_report.val() | self.fault_free.val();

        // C: what is there and what comes.
        self.read_number.next = self.second.val();
        self.picked_tag.next = self.read_operation.val().tag;
        self.same.next = self.collector_full.val()
            & self.picked_load.val()
            & (self.collector_tag.val() == self.read_operation.val().tag)
            & (self.collector_read.val() == self.second.val());
        self.ahead.next = (self.issue_holds.val() & (self.issue_tag.val() == self.collector_tag.val()))
            | (self.tag_holds.val() & (self.tag_operation.val().tag == self.collector_tag.val()))
            | (self.ro_full.q.val() & (self.ro_operation.q.val().tag == self.collector_tag.val()))
            | (self.hit_full.q.val() & (self.hit_operation.q.val().tag == self.collector_tag.val()))
            | (self.moved_full.q.val() & (self.moved_operation.q.val().tag == self.collector_tag.val()))
            | (self.buffer_full.q.val() & (self.buffer_operation.q.val().tag == self.collector_tag.val()));
        self.collector_moves.next = self.collector_full.val()
            & self.emitter_free.val()
            & !self.same.val()
            & (self.picked_load.val() | !self.ahead.val());
        self.read_goes.next = self.picked_load.val()
            & (!self.collector_full.val() | self.same.val() | self.collector_moves.val())
            & self.may_report.val();
        self.is_last.next = !self.waiter_holds.val()
            & !(self.issue_holds.val() & (self.issue_tag.val() == self.picked_tag.val()))
            & !(self.merge_holds.val() & (self.merge_tag.val() == self.picked_tag.val()))
            & !(self.tag_holds.val() & (self.tag_operation.val().tag == self.picked_tag.val()))
            & !(self.ro_full.q.val() & (self.ro_operation.q.val().tag == self.picked_tag.val()))
            & !(self.hit_full.q.val()
                & !self.pick_hit.val()
                & (self.hit_operation.q.val().tag == self.picked_tag.val()))
            & !(self.moved_full.q.val()
                & !self.pick_moved.val()
                & (self.moved_operation.q.val().tag == self.picked_tag.val()))
            & !(self.buffer_full.q.val()
                & !self.pick_buffer.val()
                & (self.buffer_operation.q.val().tag == self.picked_tag.val()));
        self.leaves.next = (self.read_goes.val() & (!self.read_operation.val().two_reads | self.second.val()))
            | (self.picked.val() & !self.picked_load.val() & self.done_free.val() & self.may_report.val());
        self.read_last.next = self.leaves.val() & self.is_last.val();
        self.finishes.next = self.leaves.val() & !self.picked_load.val() & self.is_last.val();
        self.reports.next = self.must_report.val()
            & self.fault_free.val()
            & (self.read_goes.val() | (self.leaves.val() & !self.picked_load.val()));
        self.read_lanes.next = self.picked_lanes.val() & !self.failed.val();

        // The quad of each lane.
        for i in 0..32 {
            self.line[i].next = self.l1[i].read_data.val();
            if self.pick_buffer.val() {
                self.line[i].next = self.buffer[i].read_data.val();
            }
            if self.pick_moved.val() {
                self.line[i].next = self.moved_line.q[i].val();
            }
        }
        for i in 0..LANES {
            self.picked_offset[i].next = self.hit_offset.q[i].val();
            if self.pick_buffer.val() {
                self.picked_offset[i].next = self.buffer_offset.q[i].val();
            }
            if self.pick_moved.val() {
                self.picked_offset[i].next = self.moved_offset.q[i].val();
            }
            self.read_byte[i].next = self.picked_offset[i].val().get_bits::<4>(0);
            self.quad.next = self.picked_offset[i].val().get_bits::<3>(4);
            if self.second.val() {
                self.quad.next = self.picked_offset[i].val().get_bits::<3>(4) | 1;
            }
            self.index0.next = bit_cast::<5, 3>(self.quad.val()) << 2;
            self.index1.next = (bit_cast::<5, 3>(self.quad.val()) << 2) | 1;
            self.index2.next = (bit_cast::<5, 3>(self.quad.val()) << 2) | 2;
            self.index3.next = (bit_cast::<5, 3>(self.quad.val()) << 2) | 3;
            self.read_word0[i].next = self.line[self.index0.val().index()].val();
            self.read_word1[i].next = self.line[self.index1.val().index()].val();
            self.read_word2[i].next = self.line[self.index2.val().index()].val();
            self.read_word3[i].next = self.line[self.index3.val().index()].val();
        }

        // H.
        self.hit_free.next = !self.hit_full.q.val() | (self.leaves.val() & self.pick_hit.val());
        if self.hit_free.val() {
            self.hit_full.d.next = self.to_hit.val();
            self.hit_operation.d.next = self.tag_operation.val();
            self.hit_lanes.d.next = self.tag_lanes.val();
            for i in 0..LANES {
                self.hit_offset.d[i].next = self.tag_offset[i].val();
            }
        }
        if self.pick_hit.val() & self.read_goes.val() {
            self.hit_second.d.next = !self.leaves.val();
        }

        // N, then M.
        self.moved_free.next = !self.moved_full.q.val() | (self.leaves.val() & self.pick_moved.val());
        self.ro_free.next = !self.ro_full.q.val() | self.moved_free.val();
        if self.ro_free.val() {
            self.ro_full.d.next = self.to_ro.val();
            self.ro_operation.d.next = self.tag_operation.val();
            self.ro_lanes.d.next = self.tag_lanes.val();
            for i in 0..LANES {
                self.ro_offset.d[i].next = self.tag_offset[i].val();
            }
        }
        if self.moved_free.val() {
            self.moved_full.d.next = self.ro_full.q.val();
            self.moved_operation.d.next = self.ro_operation.q.val();
            self.moved_lanes.d.next = self.ro_lanes.q.val();
            for i in 0..LANES {
                self.moved_offset.d[i].next = self.ro_offset.q[i].val();
            }
            for i in 0..32 {
                self.moved_line.d[i].next = self.ro[i].read_data.val();
            }
        }
        if self.pick_moved.val() & self.read_goes.val() {
            self.moved_second.d.next = !self.leaves.val();
        }

        // B.
        self.buffer_free.next = !self.buffer_full.q.val() | (self.leaves.val() & self.pick_buffer.val());
        self.ready_take.next = self.ready_valid.val() & self.buffer_free.val();
        if self.buffer_free.val() {
            self.buffer_full.d.next = self.ready_valid.val();
            self.buffer_operation.d.next = self.ready_operation.val();
            self.buffer_lanes.d.next = self.ready_lanes.val();
            self.buffer_line.d.next = self.ready_line.val();
            self.buffer_failed.d.next = self.ready_failed.val();
            for i in 0..LANES {
                self.buffer_offset.d[i].next = self.ready_offset[i].val();
            }
        }
        if self.pick_buffer.val() & self.read_goes.val() {
            self.buffer_second.d.next = !self.leaves.val();
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
            if self.pick_buffer.val() {
                self.left_last.d.next = 1.into();
            }
            if self.pick_hit.val() {
                self.left_last.d.next = 2.into();
            }
        }
    }
}
