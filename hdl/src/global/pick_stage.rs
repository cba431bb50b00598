//! `PickStage`: places `hit`, `ro_read`, `ro_hit`, `resume` and `bank` of the global path, and which of their passes is read in a cycle.
//!
//! ```text
//! tag ─► hit ────────────────┐
//! tag ─► ro_read ─► ro_hit ──┼─► picked pass ─┬─► row store, read
//! waiter ─► resume ──────────┤                └─► store or command: done, failed lanes: fault record
//! issue ─► bank ─────────────┤
//! serve, write_back ─────────┘ (a part of its sector, a sector: only row store, read)
//! ```
//!
//! The places hold row numbers: a row is read at the edge at which its pass is picked and goes, so what is to be read is told to
//! everybody who could change it ([`row_readers`](super::row_readers)).
//!
//! What each of the four places with passes would do is decided beside the choice between them, and chosen after it.
//!
//! Assertions: `contract_between`.

use super::prelude::*;
use super::{local_line::LocalLine, pass_queue::PassQueue};

/// Places `hit`, `ro_read`, `ro_hit`, `resume` and `bank` of the global path, and which of their passes is read.
#[derive(LogicBlock, Default)]
pub struct PickStage {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,

    /// `tag` hands its pass to `hit`.
    pub to_hit: Signal<In, Bit>,
    /// `hit` holds fewer than two passes.
    pub hit_free: Signal<Out, Bit>,
    /// `tag` hands its pass to `ro_read`.
    pub to_ro_read: Signal<In, Bit>,
    /// `ro_read` is empty or moves on.
    pub ro_read_free: Signal<Out, Bit>,
    /// The lanes of `tag`'s pass that hit, or a pass or command without a line.
    pub tag_pass: Signal<In, RowPass>,
    /// Offset in the line of each lane.
    pub tag_offset: Many<Signal<In, Bits<7>>, LANES>,

    /// A waiter is ready.
    pub ready_valid: Signal<In, Bit>,
    /// `resume` takes it at this edge.
    pub ready_take: Signal<Out, Bit>,
    /// The pass.
    pub ready_pass: Signal<In, RowPass>,
    /// Offset in the line of each lane.
    pub ready_offset: Many<Signal<In, Bits<7>>, LANES>,

    /// `issue` offers a shared load's pass.
    pub bank_valid: Signal<In, Bit>,
    /// `bank` holds fewer than two, and takes it.
    pub bank_free: Signal<Out, Bit>,
    /// `bank` holds a pass.
    pub bank_holds: Signal<Out, Bit>,
    /// The pass.
    pub bank_pass: Signal<In, RowPass>,
    /// Offset in 128 bytes of each lane.
    pub bank_offset: Many<Signal<In, Bits<7>>, LANES>,
    /// Row of shared memory of each lane.
    pub bank_shared_row: Many<Signal<In, Bits<SHARED_ROW_BITS>>, LANES>,

    /// Places that hold a pass: the first of `resume`, `hit`, `ro_hit` and `bank`, the second of each, `ro_read`.
    pub holds: Signal<Out, Bits<HOLDERS>>,
    /// The tag of each.
    pub tag: Many<Signal<Out, Bits<8>>, HOLDERS>,
    /// The row of the first of `resume`, `hit` and `ro_hit`, the second of each, `ro_read`.
    pub row: Many<Signal<Out, Bits<ROW_BITS>>, READERS>,
    /// Sectors of it that are to be read; 0 where no load's pass is.
    pub sectors: Many<Signal<Out, Bits<4>>, READERS>,
    /// A part of `serve`'s sector may be picked to be read.
    pub serve_reads: Signal<In, Bit>,
    /// It is, and goes to `read` at this edge.
    pub serve_goes: Signal<Out, Bit>,
    /// Its row.
    pub serve_row: Signal<In, Bits<ROW_BITS>>,
    /// Its sector.
    pub serve_sector: Signal<In, Bits<2>>,
    /// The sector in `write_back` may be picked to be read.
    pub write_back_reads: Signal<In, Bit>,
    /// It is, and goes to `read` at this edge.
    pub write_back_goes: Signal<Out, Bit>,
    /// Its row.
    pub write_back_row: Signal<In, Bits<ROW_BITS>>,
    /// Which of the row's.
    pub write_back_sector: Signal<In, Bits<2>>,
    /// `serve` writes: `bank` is not picked.
    pub serve_writes: Signal<In, Bit>,
    /// An acquire leaves `bank` at this edge.
    pub acquired: Signal<Out, Bit>,
    /// The pass in `tag` is one that waits for acquires, or a release.
    pub tag_waits: Signal<In, Bit>,
    /// It is a release, which waits for every pass of its warp.
    pub tag_releases: Signal<In, Bit>,
    /// Its warp.
    pub tag_warp: Signal<In, Bits<WARP>>,
    /// The pass in `tag` waits for one in `bank`.
    pub bank_precedes: Signal<Out, Bit>,

    /// For the first of `resume`, `hit`, `ro_hit` and `bank`: it is its operation's last pass.
    pub last: Signal<In, Bits<CANDIDATES>>,

    /// `read` is free.
    pub read_free: Signal<In, Bit>,
    /// One may be made at this edge: `read` is free, and something waits.
    pub may_read: Signal<Out, Bit>,
    /// A read is made at this edge.
    pub read_goes: Signal<Out, Bit>,
    /// Its row.
    pub read_row: Signal<Out, Bits<ROW_BITS>>,
    /// Sectors of it in which the pass has lanes.
    pub read_sectors: Signal<Out, Bits<4>>,
    /// Of shared memory instead: in a row of its own for each lane.
    pub read_is_shared: Signal<Out, Bit>,
    /// Which of it.
    pub read_shared_row: Many<Signal<Out, Bits<SHARED_ROW_BITS>>, LANES>,
    /// Sector that each lane reads; without lanes lane 0's is the pass's.
    pub read_sector: Many<Signal<Out, Bits<2>>, LANES>,
    /// Its operation.
    pub read_operation: Signal<Out, Operation>,
    /// Its number: that of a local pass's word, or 1 of the second of two.
    pub read_number: Signal<Out, Bits<2>>,
    /// Its lanes, without failed ones.
    pub read_lanes: Signal<Out, Bits<LANES>>,
    /// It ends its operation.
    pub read_last: Signal<Out, Bit>,
    /// Offset in the row of each lane.
    pub read_offset: Many<Signal<Out, Bits<7>>, LANES>,

    /// A store or command that is last leaves at this edge.
    pub finishes: Signal<Out, Bit>,
    /// Its tag.
    pub picked_tag: Signal<Out, Bits<8>>,
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

    hit: PassQueue,
    hit_second: Register<Bit>,
    ro_read_full: Register<Bit>,
    /// The opposite, but for the cycle after a reset: whether `tag` moves hangs on it.
    ro_read_vacant: Register<Bit>,
    ro_read_pass: Register<RowPass>,
    ro_read_offset: Registers<Bits<7>, LANES>,
    ro_hit: PassQueue,
    ro_hit_second: Register<Bit>,
    resume: PassQueue,
    resume_second: Register<Bit>,
    bank: PassQueue,
    /// One of them is between its two reads, and the next in turn: said once more than their own registers say it, to be known at once.
    between: Register<Bit>,
    first_precedes: Signal<Local, Bit>,
    second_precedes: Signal<Local, Bit>,
    /// Row of each lane of its first and its second pass.
    bank_first_row: Registers<Bits<SHARED_ROW_BITS>, LANES>,
    bank_second_row: Registers<Bits<SHARED_ROW_BITS>, LANES>,
    /// Bit i x PICKED + j, for j < i: place i goes before place j, as what was left last is j or lies between them. The places are `resume` (0), `hit`,
    /// `ro_hit`, `bank`, `serve`, `write_back`.
    goes_before: Register<Bits<PICKED_PAIRS>>,
    /// What reads the first of two times.
    starting: Signal<Local, Bits<CANDIDATES>>,
    /// What leaves, or is as if it had; and whether any of it did so far.
    left: Signal<Local, Bits<PICKED>>,
    one_left: Signal<Local, Bit>,
    next_goes_before: Signal<Local, Bits<PICKED_PAIRS>>,
    stays_before: Signal<Local, Bits<PICKED_PAIRS>>,
    /// Places of which one may be picked.
    waiting: Signal<Local, Bits<PICKED>>,
    /// One place comes before another.
    is_before: Signal<Local, Bit>,
    /// Places before which one comes that waits, whether or not `write_back` does.
    blocked: Signal<Local, Bits<PICKED>>,
    /// What is picked unless `write_back` is.
    first_picked: Signal<Local, Bits<PICKED_FIRST>>,
    /// `write_back` is picked if it waits.
    write_back_first: Signal<Local, Bit>,

    ro_read_loads: Signal<Local, Bit>,
    pick_resume: Signal<Local, Bit>,
    pick_hit: Signal<Local, Bit>,
    pick_ro_hit: Signal<Local, Bit>,
    pick_bank: Signal<Local, Bit>,
    pick_serve: Signal<Local, Bit>,
    pick_write_back: Signal<Local, Bit>,
    /// The sector that is read for `serve` or for `write_back`.
    lone_sector: Signal<Local, Bits<2>>,
    memory_line: LocalLine,
    failed: Signal<Local, Bits<LANES>>,
    lowest_failed: Signal<Local, Bits<LANES>>,
    failed_offset: Signal<Local, Bits<7>>,
    may_report: Signal<Local, Bit>,
    ro_read_operation: Signal<Local, Operation>,
    picked_pass: Signal<Local, RowPass>,
    own_load: Signal<Local, Bits<CANDIDATES>>,
    own_two_reads: Signal<Local, Bits<CANDIDATES>>,
    own_second: Signal<Local, Bits<CANDIDATES>>,
    own_may_report: Signal<Local, Bits<CANDIDATES>>,
    own_reads: Signal<Local, Bits<CANDIDATES>>,
    own_last_reads: Signal<Local, Bits<CANDIDATES>>,
    own_ends: Signal<Local, Bits<CANDIDATES>>,
    picks: Signal<Local, Bits<CANDIDATES>>,
    leaving: Signal<Local, Bits<CANDIDATES>>,
    last_leaving: Signal<Local, Bits<CANDIDATES>>,
    leaves: Signal<Local, Bit>,
    moves_on: Signal<Local, Bit>,

    /// What one of the places says of its two reads is said once more.
    contract_between: Signal<Local, Bit>,
}

impl Logic for PickStage {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, hit_second, ro_read_full, ro_read_vacant, ro_read_pass, ro_read_offset);
        dff_setup!(self, clock, ro_hit_second, resume_second, between, goes_before, bank_first_row, bank_second_row);
        clock!(self, clock, hit, ro_hit, resume, bank);

        // What each place holds.
        self.holds.next = 0.into();
        self.holds.next = self.holds.val().replace_bit(0, self.resume.full.val());
        self.holds.next = self.holds.val().replace_bit(1, self.hit.full.val());
        self.holds.next = self.holds.val().replace_bit(2, self.ro_hit.full.val());
        self.holds.next = self.holds.val().replace_bit(3, self.bank.full.val());
        self.holds.next = self.holds.val().replace_bit(4, self.resume.second_full.val());
        self.holds.next = self.holds.val().replace_bit(5, self.hit.second_full.val());
        self.holds.next = self.holds.val().replace_bit(6, self.ro_hit.second_full.val());
        self.holds.next = self.holds.val().replace_bit(7, self.bank.second_full.val());
        self.holds.next = self.holds.val().replace_bit(8, self.ro_read_full.q.val());
        for i in 0..2 {
            self.tag[i * 4].next = self.resume.tag[i].val();
            self.tag[i * 4 + 1].next = self.hit.tag[i].val();
            self.tag[i * 4 + 2].next = self.ro_hit.tag[i].val();
            self.tag[i * 4 + 3].next = self.bank.tag[i].val();
            self.row[i * 3].next = self.resume.row[i].val();
            self.row[i * 3 + 1].next = self.hit.row[i].val();
            self.row[i * 3 + 2].next = self.ro_hit.row[i].val();
            self.sectors[i * 3].next = self.resume.sectors[i].val();
            self.sectors[i * 3 + 1].next = self.hit.sectors[i].val();
            self.sectors[i * 3 + 2].next = self.ro_hit.sectors[i].val();
        }
        self.ro_read_operation.next = self.ro_read_pass.q.val().operation;
        self.tag[8].next = self.ro_read_operation.val().tag;
        self.row[6].next = self.ro_read_pass.q.val().row;
        self.sectors[6].next = 0.into();
        if self.ro_read_full.q.val() {
            self.sectors[6].next = self.ro_read_pass.q.val().sectors;
        }

        // Rule PICK: the next in turn, which is the one between its two reads, if there is one.
        self.own_second.next = 0.into();
        self.own_second.next = self.own_second.val().replace_bit(0, self.resume_second.q.val());
        self.own_second.next = self.own_second.val().replace_bit(1, self.hit_second.q.val());
        self.own_second.next = self.own_second.val().replace_bit(2, self.ro_hit_second.q.val());
        self.waiting.next = self.holds.val().get_bits::<PICKED>(0);
        self.waiting.next =
            self.waiting.val().replace_bit(CANDIDATES - 1, self.bank.full.val() & !self.serve_writes.val());
        self.waiting.next = self.waiting.val().replace_bit(CANDIDATES, self.serve_reads.val());
        self.waiting.next = self.waiting.val().replace_bit(CANDIDATES + 1, self.write_back_reads.val());
        self.may_read.next = self.waiting.val().any() & self.read_free.val();
        // Which of two places goes first is known at once, and of each place whether it waits.
        self.blocked.next = 0.into();
        for i in 0..PICKED {
            for j in 0..PICKED_FIRST {
                self.is_before.next = self.goes_before.q.val().get_bit(j * PICKED + i);
                if j < i {
                    self.is_before.next = !self.goes_before.q.val().get_bit(i * PICKED + j);
                }
                if self.waiting.val().get_bit(j) & self.is_before.val() {
                    self.blocked.next = self.blocked.val().replace_bit(i, true);
                }
            }
        }
        self.first_picked.next =
            self.waiting.val().get_bits::<PICKED_FIRST>(0) & !self.blocked.val().get_bits::<PICKED_FIRST>(0);
        self.write_back_first.next = !self.blocked.val().get_bit(PICKED_FIRST);
        self.pick_write_back.next = self.write_back_reads.val() & self.write_back_first.val();
        self.pick_serve.next = self.first_picked.val().get_bit(CANDIDATES);
        self.picks.next = 0.into();
        if !self.pick_write_back.val() {
            self.picks.next = self.first_picked.val().get_bits::<CANDIDATES>(0);
        }
        self.pick_resume.next = self.first_picked.val().get_bit(0);
        self.pick_hit.next = self.first_picked.val().get_bit(1);
        self.pick_ro_hit.next = self.first_picked.val().get_bit(2);
        self.pick_bank.next = self.first_picked.val().get_bit(3);

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
        self.failed_record.next.tag = self.tag[0].val();
        self.memory_line.line.next = self.resume.first_pass.val().line;
        self.failed_record.next.address =
            (bit_cast::<ADDR, LINE>(self.memory_line.other.val()) << 7) | bit_cast::<ADDR, 7>(self.failed_offset.val());
        // There is a lane in every sector that a pass in `resume` needed.
        self.has_failed.next = self.resume.full.val() & self.resume.first_pass.val().failed.any();

        // The picked one.
        self.picked_pass.next = self.hit.first_pass.val();
        if self.pick_resume.val() {
            self.picked_pass.next = self.resume.first_pass.val();
        }
        if self.pick_ro_hit.val() {
            self.picked_pass.next = self.ro_hit.first_pass.val();
        }
        if self.pick_bank.val() {
            self.picked_pass.next = self.bank.first_pass.val();
        }
        self.read_operation.next = self.picked_pass.val().operation;
        self.read_is_shared.next = self.pick_bank.val() & !self.pick_write_back.val();
        Arrays::join(&mut self.read_shared_row, &mut self.bank_first_row.q);
        // What goes to the addresses of the row store is joined, not chosen by one after the other: one at most is picked.
        self.read_row.next = 0.into();
        if self.pick_resume.val() {
            self.read_row.next = self.row[0].val();
        }
        if self.pick_hit.val() {
            self.read_row.next = self.read_row.val() | self.row[1].val();
        }
        if self.pick_ro_hit.val() {
            self.read_row.next = self.read_row.val() | self.row[2].val();
        }
        if self.pick_serve.val() {
            self.read_row.next = self.read_row.val() | self.serve_row.val();
        }
        if self.pick_write_back.val() {
            self.read_row.next = self.write_back_row.val();
        }
        self.read_sectors.next = self.picked_pass.val().sectors;
        // A part of a sector of shared memory lies in one row: `serve` reads all of it.
        self.lone_sector.next = self.serve_sector.val();
        if self.pick_write_back.val() {
            self.lone_sector.next = self.write_back_sector.val();
        }
        if self.pick_serve.val() | self.pick_write_back.val() {
            self.read_sectors.next = 0.into();
            for i in 0..4 {
                if self.lone_sector.val() == i.to_bits::<2>() {
                    self.read_sectors.next = self.read_sectors.val().replace_bit(i, true);
                }
            }
        }
        self.serve_goes.next = self.pick_serve.val() & !self.pick_write_back.val() & self.read_free.val();
        self.write_back_goes.next = self.pick_write_back.val() & self.read_free.val();
        self.read_lanes.next = self.picked_pass.val().lanes;
        if self.pick_resume.val() {
            self.read_lanes.next = self.picked_pass.val().lanes & !self.failed.val();
        }
        self.picked_tag.next = self.read_operation.val().tag;
        for i in 0..LANES {
            self.read_offset[i].next = 0.into();
            if self.pick_resume.val() {
                self.read_offset[i].next = self.resume.first_offset[i].val();
            }
            if self.pick_hit.val() {
                self.read_offset[i].next = self.read_offset[i].val() | self.hit.first_offset[i].val();
            }
            if self.pick_ro_hit.val() {
                self.read_offset[i].next = self.read_offset[i].val() | self.ro_hit.first_offset[i].val();
            }
            if self.pick_bank.val() {
                self.read_offset[i].next = self.read_offset[i].val() | self.bank.first_offset[i].val();
            }
            self.read_sector[i].next = self.read_offset[i].val().get_bits::<2>(5);
        }
        if self.pick_serve.val() | self.pick_write_back.val() {
            self.read_sector[0].next = self.lone_sector.val();
        }

        // What the first pass of `resume` (0), `hit` (1), `ro_hit` (2) and `bank` (3) would do if it were picked.
        self.may_report.next = !self.has_failed.val() | self.resume_second.q.val() | self.fault_free.val();
        self.own_may_report.next = 14.into();
        self.own_may_report.next = self.own_may_report.val().replace_bit(0, self.may_report.val());
        self.own_load.next = 12.into();
        self.own_load.next = self.own_load.val().replace_bit(0, !self.resume.first_operation.val().is_store);
        self.own_load.next = self
            .own_load
            .val()
            .replace_bit(1, !self.hit.first_operation.val().is_store & !self.hit.first_operation.val().is_command);
        self.own_two_reads.next = 0.into();
        self.own_two_reads.next = self.own_two_reads.val().replace_bit(0, self.resume.first_operation.val().two_reads);
        self.own_two_reads.next = self.own_two_reads.val().replace_bit(1, self.hit.first_operation.val().two_reads);
        self.own_two_reads.next = self.own_two_reads.val().replace_bit(2, self.ro_hit.first_operation.val().two_reads);
        // Whether `read` is free is known last.
        self.own_reads.next = self.own_load.val() & self.own_may_report.val();
        self.own_last_reads.next = self.own_reads.val() & (!self.own_two_reads.val() | self.own_second.val());
        self.own_ends.next = 0.into();
        if self.done_free.val() {
            self.own_ends.next = !self.own_load.val() & self.own_may_report.val();
        }

        // What the picked one does.
        self.read_number.next = self.read_operation.val().word;
        if self.between.q.val() {
            self.read_number.next = 1.into();
        }
        self.read_goes.next = (self.picks.val() & self.own_reads.val()).any() & self.read_free.val();
        self.leaving.next = self.picks.val() & self.own_ends.val();
        if self.read_free.val() {
            self.leaving.next = self.picks.val() & (self.own_last_reads.val() | self.own_ends.val());
        }
        self.leaves.next = self.leaving.val().any();
        self.last_leaving.next = self.leaving.val() & self.last.val();
        self.read_last.next = self.last_leaving.val().any();
        self.finishes.next = (self.last_leaving.val() & !self.own_load.val()).any();
        self.reports.next = self.picks.val().get_bit(0)
            & self.has_failed.val()
            & !self.resume_second.q.val()
            & ((self.own_reads.val().get_bit(0) & self.read_free.val()) | self.own_ends.val().get_bit(0));
        // Those behind the one that leaves have their turn. One does at most; or one reads the first of two times, and has its turn again: as if
        // the one before it had left.
        self.starting.next = 0.into();
        if self.read_free.val() {
            self.starting.next = self.picks.val() & self.own_reads.val() & !self.own_last_reads.val();
        }
        self.left.next = bit_cast::<PICKED, CANDIDATES>(self.leaving.val() | (self.starting.val() >> 1));
        self.left.next = self.left.val().replace_bit(CANDIDATES, self.serve_goes.val());
        self.left.next =
            self.left.val().replace_bit(PICKED_FIRST, self.write_back_goes.val() | self.starting.val().get_bit(0));
        self.next_goes_before.next = 0.into();
        for j in 0..PICKED {
            self.one_left.next = false;
            for i in 0..PICKED {
                if j < i {
                    self.next_goes_before.next =
                        self.next_goes_before.val().replace_bit(i * PICKED + j, self.one_left.val());
                }
                if j <= i {
                    self.one_left.next = self.one_left.val() | self.left.val().get_bit(i);
                }
            }
        }
        // If none leaves nothing changes: or-ed, as what leaves is known last, and all of it would have to be asked before an enable.
        self.stays_before.next = 0.into();
        if !self.left.val().any() {
            self.stays_before.next = self.goes_before.q.val();
        }
        self.goes_before.d.next = self.next_goes_before.val() | self.stays_before.val();
        if self.read_goes.val() {
            self.between.d.next = !self.leaves.val();
        }
        if self.pick_resume.val() & self.read_goes.val() {
            self.resume_second.d.next = !self.leaves.val();
        }
        if self.pick_hit.val() & self.read_goes.val() {
            self.hit_second.d.next = !self.leaves.val();
        }
        if self.pick_ro_hit.val() & self.read_goes.val() {
            self.ro_hit_second.d.next = !self.leaves.val();
        }

        // `hit`.
        self.hit_free.next = self.hit.has_room.val();
        self.hit.push.next = self.to_hit.val();
        self.hit.pass.next = self.tag_pass.val();
        self.hit.leaves.next = self.leaving.val().get_bit(1);

        // `ro_read`, then `ro_hit`.
        self.moves_on.next = self.ro_read_full.q.val() & self.ro_hit.has_room.val();
        self.ro_read_free.next = self.ro_read_vacant.q.val() | self.ro_hit.has_room.val();
        self.ro_read_loads.next = !self.ro_read_full.q.val() | !self.ro_hit.second_full.val();
        if self.ro_read_loads.val() {
            self.ro_read_full.d.next = self.to_ro_read.val();
            self.ro_read_vacant.d.next = !self.to_ro_read.val();
            self.ro_read_pass.d.next = self.tag_pass.val();
        }
        self.ro_hit.push.next = self.moves_on.val();
        self.ro_hit.pass.next = self.ro_read_pass.q.val();
        self.ro_hit.leaves.next = self.leaving.val().get_bit(2);

        // `resume`.
        self.ready_take.next = self.ready_valid.val() & self.resume.has_room.val();
        self.resume.push.next = self.ready_take.val();
        self.resume.pass.next = self.ready_pass.val();
        self.resume.leaves.next = self.leaving.val().get_bit(0);

        // `bank`.
        self.bank_free.next = self.bank.has_room.val();
        self.bank_holds.next = self.bank.full.val();
        self.bank.push.next = self.bank_valid.val() & self.bank.has_room.val();
        self.bank.pass.next = self.bank_pass.val();
        self.bank.leaves.next = self.leaving.val().get_bit(3);
        // Rules ACQUIRE, FLUSH, RELEASE: an acquire that leaves `bank`, and what that holds of the warp in `tag`.
        self.acquired.next = self.leaving.val().get_bit(3) & self.bank.first_operation.val().acquire;
        self.first_precedes.next = self.bank.full.val()
            & (self.bank.first_operation.val().acquire | self.tag_releases.val())
            & (self.bank.first_operation.val().warp == self.tag_warp.val());
        self.second_precedes.next = self.bank.second_full.val()
            & (self.bank.second_operation.val().acquire | self.tag_releases.val())
            & (self.bank.second_operation.val().warp == self.tag_warp.val());
        self.bank_precedes.next = self.tag_waits.val() & (self.first_precedes.val() | self.second_precedes.val());
        Arrays::join(&mut self.bank.offset, &mut self.bank_offset);
        if !self.bank.second_full.val() {
            Arrays::join(&mut self.bank_second_row.d, &mut self.bank_shared_row);
        }
        if self.bank.shifts.val() {
            Arrays::join(&mut self.bank_first_row.d, &mut self.bank_second_row.d);
        }
        for i in 0..LANES {
            self.hit.offset[i].next = self.tag_offset[i].val();
            if self.ro_read_loads.val() {
                self.ro_read_offset.d[i].next = self.tag_offset[i].val();
            }
            self.ro_hit.offset[i].next = self.ro_read_offset.q[i].val();
            self.resume.offset[i].next = self.ready_offset[i].val();
        }

        self.contract_between.next = self.between.q.val() == self.own_second.val().any();
    }
}
