//! `GlobalTagStage`: place `tag` of the global path: order, tags of L1 and of the read-only cache, and where each lane of the pass goes.
//!
//! ```text
//! issue or merge ─► registers ─┬─ CacheTags of L1 ─┐
//!                              ├─ CacheTags of RO ─┴► hit lanes to hit or ro_read, missing lanes to a waiter
//!                              ├─ DirtySectors of L1 ─► held, and what write_back takes meanwhile
//!                              └─ order, free places ─► moves
//! ```
//!
//! Rule FREE: `tag` is a queue of two: the elder is looked up, the other waits behind it, so that whether `tag` is free is known from the start of
//! the cycle. Whether `tag` moves depends on the look-up's outcome only where it must: a store asks which way's tag is that of its line, to
//! learn what of it is still to be read (Rule READ-FIRST); what brings a line into L1 asks whether it is found, as something dirty may have to
//! leave before (Rule WRITE-BACK); and a local store asks whether there is a victim, as it can go nowhere else.
//!
//! What the pass would do to the tags is told to them in any case, and that it moves beside it: that is known last. So it reaches few
//! registers: what is only passed on (offsets, strobes, data) stays in one of two places, left or right, until its pass has moved.
//!
//! Assertions: `contract_room`, `contract_dirty`, `contract_command`, `contract_walk`, `contract_stays`.

use super::prelude::*;
use super::{cache_tags::CacheTags, dirty_sectors::DirtySectors, way_row::WayRow};

/// Place `tag` of the global path: order, and the tags of L1 and of the read-only cache.
#[derive(LogicBlock, Default)]
pub struct GlobalTagStage {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// A store's merged pass is offered.
    pub store_valid: Signal<In, Bit>,
    /// `merge` holds a pass: `issue` offers nothing.
    pub store_comes: Signal<In, Bit>,
    /// It does after this edge.
    pub store_comes_next: Signal<In, Bit>,
    /// The pass.
    pub store_pass: Signal<In, Pass>,
    /// Offset in the line, or in 128 bytes of shared memory, of each lane.
    pub store_offset: Many<Signal<In, Bits<7>>, LANES>,
    /// Word of each bank that a shared pass writes.
    pub store_place: Many<Signal<In, Bits<PLACE_BITS>>, LANES>,
    /// Bytes that are written, four for each word.
    pub store_strobe: Many<Signal<In, Bits<4>>, MERGE_WORDS>,
    /// The sector, or the words of the banks.
    pub store_data: Many<Signal<In, Bits<32>>, MERGE_WORDS>,
    /// A load's pass or a command is offered.
    pub load_valid: Signal<In, Bit>,
    /// The pass.
    pub load_pass: Signal<In, Pass>,
    /// Offset in the line of each lane.
    pub load_offset: Many<Signal<In, Bits<7>>, LANES>,
    /// Byte in its sector of the lowest lane.
    pub load_leader_byte: Signal<In, Bits<5>>,
    /// `tag` holds fewer than two: it takes what is offered.
    pub in_ready: Signal<Out, Bit>,

    /// Something in flight comes before the pass.
    pub conflict: Signal<In, Bit>,
    /// No waiter is free, or no MSHR can be taken.
    pub miss_full: Signal<In, Bit>,
    /// `hit` is free.
    pub hit_free: Signal<In, Bit>,
    /// `bank` holds a pass.
    pub bank_holds: Signal<In, Bit>,
    /// `ro_read` is free.
    pub ro_read_free: Signal<In, Bit>,
    /// `write` is free.
    pub store_free: Signal<In, Bit>,
    /// `serve` writes: no store moves.
    pub serve_writes: Signal<In, Bit>,
    /// Ways of the line's L1 set that an MSHR reserves.
    pub l1_reserved: Signal<In, Bits<L1_WAYS>>,
    /// Ways of the line's RO set that an MSHR reserves.
    pub ro_reserved: Signal<In, Bits<RO_WAYS>>,
    /// Ways of the line's L1 set whose row an MSHR names that has lost `keep`.
    pub l1_lost: Signal<In, Bits<L1_WAYS>>,
    /// The same of the line's RO set.
    pub ro_lost: Signal<In, Bits<RO_WAYS>>,
    /// Ways of the line's L1 set whose row an MSHR named in the cycle before.
    pub l1_named: Signal<In, Bits<L1_WAYS>>,
    /// The same of the line's RO set.
    pub ro_named: Signal<In, Bits<RO_WAYS>>,
    /// Sectors that are to be read in each way of the line's L1 set: those of the cycle before, and what the pass before hit.
    pub l1_to_read: Many<Signal<In, Bits<4>>, L1_WAYS>,
    /// The same of the line's RO set.
    pub ro_to_read: Many<Signal<In, Bits<4>>, RO_WAYS>,
    /// An acquire's value has come, or has been read from shared memory: L1 is emptied.
    pub acquired: Signal<In, Bit>,
    /// A sector enters L1; 0 for none.
    pub l1_fill: Signal<In, Bits<4>>,
    /// It is dirty; 0 if it is not.
    pub l1_dirties: Signal<In, Bits<4>>,
    /// A sector enters RO; 0 for none.
    pub ro_fill: Signal<In, Bits<4>>,
    /// A failed store's sector leaves L1; 0 for none.
    pub l1_undo: Signal<In, Bits<4>>,
    /// Its line.
    pub fill_line: Signal<In, Bits<LINE>>,
    /// Its way, one bit for each of L1's; none if it is RO's.
    pub l1_fill_ways: Signal<In, Bits<L1_WAYS>>,
    /// One bit for each of RO's ways; none if it is L1's.
    pub ro_fill_ways: Signal<In, Bits<RO_WAYS>>,

    /// An MSHR in use has a local line, and is no write-back's.
    pub misses_hold_local: Signal<In, Bit>,
    /// An MSHR in use is a write-back's.
    pub misses_hold_write_back: Signal<In, Bit>,
    /// `write_back` is full.
    pub write_back_full: Signal<In, Bit>,
    /// It is after this edge.
    pub write_back_full_next: Signal<In, Bit>,
    /// With a sector of this way of the set that is looked at.
    pub write_back_way: Signal<In, Bits<L1_WAY_BITS>>,
    /// `write_back` takes a dirty sector of that set at this edge.
    pub writes_back: Signal<Out, Bit>,
    /// Of this way.
    pub dirty_way: Signal<Out, Bits<L1_WAY_BITS>>,
    /// Which of its sectors.
    pub dirty_sector: Signal<Out, Bits<2>>,
    /// The set that is looked at.
    pub looked_set: Signal<Out, Bits<L1_SET_BITS>>,
    /// Line of the way in `write_back`.
    pub write_back_line: Signal<Out, Bits<LINE>>,

    /// `tag` holds a pass or a command.
    pub full: Signal<Out, Bit>,
    /// `tag` holds a second one.
    pub second_full: Signal<Out, Bit>,
    /// Its operation.
    pub second_tag: Signal<Out, Bits<8>>,
    /// The operation in `tag`.
    pub operation: Signal<Out, Operation>,
    /// It is a load, not of RO, or a release, and the pass has a line: rules ACQUIRE and RELEASE ask what is in `bank`.
    pub waits_for_bank: Signal<Out, Bit>,
    /// Line of the pass.
    pub line: Signal<Out, Bits<LINE>>,
    /// It moves at this edge, or there is none: what comes takes its place.
    pub next_comes: Signal<Out, Bit>,
    /// Line of that one.
    pub next_line: Signal<Out, Bits<LINE>>,
    /// It is that of the pass in `tag`.
    pub next_is_same: Signal<Out, Bit>,
    /// It lies in the same set of L1.
    pub next_is_beside_l1: Signal<Out, Bit>,
    /// It lies in the same set of RO.
    pub next_is_beside_ro: Signal<Out, Bit>,
    /// It comes indeed, and has one.
    pub next_has_line: Signal<Out, Bit>,
    /// It comes indeed, and has lanes: with a line, or shared.
    pub next_has_lanes: Signal<Out, Bit>,
    /// Its operation.
    pub next_operation: Signal<Out, Operation>,
    /// Its sectors.
    pub need: Signal<Out, Bits<4>>,
    /// Offset in the line of each lane.
    pub offset: Many<Signal<Out, Bits<7>>, LANES>,
    /// Byte in its sector of the lowest lane.
    pub leader_byte: Signal<Out, Bits<5>>,
    /// Word of each bank that a shared store writes.
    pub place: Many<Signal<Out, Bits<PLACE_BITS>>, LANES>,
    /// Bytes that are written, four for each word.
    pub strobe: Many<Signal<Out, Bits<4>>, MERGE_WORDS>,
    /// The sector of a store, or its words of the banks.
    pub data: Many<Signal<Out, Bits<32>>, MERGE_WORDS>,

    /// `hit` takes `hit_pass` at this edge.
    pub to_hit: Signal<Out, Bit>,
    /// `ro_read` takes `hit_pass` at this edge.
    pub to_ro_read: Signal<Out, Bit>,
    /// The lanes in hit sectors, with their row.
    pub hit_pass: Signal<Out, RowPass>,
    /// Sectors that the pass reads in each way of the L1 set of the line that comes, if it moves.
    pub l1_reads: Many<Signal<Out, Bits<4>>, L1_WAYS>,
    /// The same of its RO set.
    pub ro_reads: Many<Signal<Out, Bits<4>>, RO_WAYS>,
    /// The pass has lanes that wait, and a waiter takes them as it moves.
    pub allocates: Signal<Out, Bit>,
    /// Sectors that wait.
    pub miss: Signal<Out, Bits<4>>,
    /// Lanes in those sectors.
    pub miss_lanes: Signal<Out, Bits<LANES>>,
    /// A new MSHR has its line, or its store's bytes, in a cache.
    pub keeps: Signal<Out, Bit>,
    /// What misses may not enter the row of L1 in which the line was found.
    pub l1_forbids: Signal<Out, Bit>,
    /// The same of RO.
    pub ro_forbids: Signal<Out, Bit>,
    /// Way for the line, one bit for each of L1's; none if it is RO's, or not kept.
    pub l1_ways: Signal<Out, Bits<L1_WAYS>>,
    /// One bit for each of RO's ways; none if it is L1's, or not kept.
    pub ro_ways: Signal<Out, Bits<RO_WAYS>>,
    /// Row of the way of L1 that has the line, or could take it.
    pub row: Signal<Out, Bits<ROW_BITS>>,
    /// An ordered load moves.
    pub drop_line: Signal<Out, Bit>,
    /// L1 is emptied of all lines but local ones.
    pub flush_l1: Signal<Out, Bit>,
    /// RO is emptied.
    pub flush_ro: Signal<Out, Bit>,
    /// `write` takes the store at this edge.
    pub to_store: Signal<Out, Bit>,
    /// L1 takes its bytes.
    pub store_hits: Signal<Out, Bit>,
    /// L1 takes a local store's bytes in the next cycle.
    pub to_local: Signal<Out, Bit>,
    /// Shared memory takes a shared store's bytes in the next cycle.
    pub to_shared: Signal<Out, Bit>,
    /// `tag` holds a shared store's pass.
    pub holds_shared: Signal<Out, Bit>,
    /// A looked-up load moves, not of RO.
    pub counts_l1: Signal<Out, Bit>,
    /// One of RO moves.
    pub counts_ro: Signal<Out, Bit>,
    /// Sectors that need not wait.
    pub hit: Signal<Out, Bits<4>>,
    /// `tag` waits for what comes before it.
    pub stalls_order: Signal<Out, Bit>,
    /// `tag` waits for a waiter, an MSHR, a way or a write-back.
    pub stalls_misses: Signal<Out, Bit>,
    /// `tag` waits for the next place.
    pub stalls_data: Signal<Out, Bit>,

    l1: CacheTags<L1_SETS, L1_SET_BITS, L1_WAYS, L1_WAY_BITS, L1_SECTORS, L1_PAIRS>,
    ro: CacheTags<RO_SETS, RO_SET_BITS, RO_WAYS, RO_WAY_BITS, RO_SECTORS, RO_PAIRS>,
    l1_dirty: DirtySectors,
    l1_found_row: WayRow<L1_SET_BITS, L1_WAYS, L1_WAY_BITS, FIRST_L1_ROW>,
    ro_found_row: WayRow<RO_SET_BITS, RO_WAYS, RO_WAY_BITS, FIRST_RO_ROW>,
    l1_row: WayRow<L1_SET_BITS, L1_WAYS, L1_WAY_BITS, FIRST_L1_ROW>,
    occupied: Register<Bit>,
    held: Register<Pass>,
    second_occupied: Register<Bit>,
    /// The opposite, but for the cycle after a reset, in which nothing is offered: half of what hangs on either.
    has_room: Register<Bit>,
    second: Register<Pass>,
    /// `merge` holds no pass: the opposite of `store_comes`, but for the cycle after a reset. It chooses the line that comes, and nothing
    /// else.
    load_comes: Register<Bit>,
    /// Whose line the memories are read with: the second pass's, a store's or a load's. None while `write_back` is full, as nothing moves then.
    reads_second: Register<Bit>,
    reads_store: Register<Bit>,
    reads_load: Register<Bit>,
    /// The set that is looked at then, in which the line of what is written back is read; 0 else.
    back_set: Register<Bits<L1_SET_BITS>>,
    /// What is only passed on does not move up: what comes goes where the elder's is not.
    elder_is_right: Register<Bit>,
    left_offset: Registers<Bits<7>, LANES>,
    left_leader_byte: Register<Bits<5>>,
    left_place: Registers<Bits<PLACE_BITS>, LANES>,
    left_strobe: Registers<Bits<4>, MERGE_WORDS>,
    left_data: Registers<Bits<32>, MERGE_WORDS>,
    /// A store there writes all of its sector: known from the start, as whether it waits hangs on it.
    left_fills: Register<Bit>,
    right_offset: Registers<Bits<7>, LANES>,
    right_leader_byte: Register<Bits<5>>,
    right_place: Registers<Bits<PLACE_BITS>, LANES>,
    right_strobe: Registers<Bits<4>, MERGE_WORDS>,
    right_data: Registers<Bits<32>, MERGE_WORDS>,
    right_fills: Register<Bit>,
    coming_offset: Many<Signal<Local, Bits<7>>, LANES>,
    waiting_operation: Signal<Local, Operation>,
    in_valid: Signal<Local, Bit>,
    /// `tag` holds a pass that has a line; and then it is a load's, or a store's: said once more than `held` says it, to be known at
    /// once.
    has_line: Register<Bit>,
    is_load: Register<Bit>,
    /// Of a store whose line is not local, and of one whose line is.
    is_store: Register<Bit>,
    is_local_store: Register<Bit>,
    /// `tag` holds a store's pass, whether or not it has a line.
    is_any_store: Register<Bit>,
    /// It is a load's of RO; or of L1; or one that a pass in `bank` may hold back; or a store's that would change a row of L1.
    is_ro: Register<Bit>,
    is_l1: Register<Bit>,
    asks_bank: Register<Bit>,
    is_update: Register<Bit>,
    /// It needs `hit` to be free: all but a load of RO and a store that goes to `write`.
    asks_hit: Register<Bit>,
    /// It waits whatever is hit: a store that is not local, or a load that is not looked up.
    waits_anyway: Register<Bit>,
    /// It is a shared store's pass, which has no line.
    is_shared_store: Register<Bit>,
    /// It is a looked-up load's, of L1 or of RO.
    looks_in_l1: Register<Bit>,
    looks_in_ro: Register<Bit>,
    /// It is a command that empties L1, or RO: those wait for nothing but `hit`.
    empties_l1: Register<Bit>,
    empties_ro: Register<Bit>,
    /// It is the command that writes back.
    walks: Register<Bit>,
    /// Its line takes a way of L1 if it is not found.
    enters_l1: Register<Bit>,
    /// Or of RO.
    enters_ro: Register<Bit>,
    /// It may take a line out of L1, or looks for what is dirty: held until nothing is.
    holds_dirty: Signal<Local, Bit>,
    /// Rule STALL: it is held because of misses.
    held_by_misses: Signal<Local, Bit>,
    /// Of these, because of the set of its line.
    held_by_line: Signal<Local, Bit>,
    /// Its row, or its banks, are still to be read; a command's local misses are in flight; it lacks a waiter or an MSHR; it is not at its
    /// last set.
    row_is_read: Signal<Local, Bit>,
    bank_is_read: Signal<Local, Bit>,
    awaits_local: Signal<Local, Bit>,
    lacks_miss: Signal<Local, Bit>,
    walks_on: Signal<Local, Bit>,
    /// Nothing holds it but for what is in flight before it, and the set of its line.
    may_move: Signal<Local, Bit>,
    /// Nor does that.
    goes: Signal<Local, Bit>,
    /// A pass with a line may move, but for the same.
    line_may_move: Signal<Local, Bit>,
    /// A pass moves that has a line, not of RO.
    l1_moves: Signal<Local, Bit>,
    walk_ends: Signal<Local, Bit>,
    is_clean: Signal<Local, Bit>,
    store_fills: Signal<Local, Bit>,
    fills_sector: Signal<Local, Bit>,
    asks_rest: Signal<Local, Bit>,
    /// Sectors all of whose words the pass has.
    whole: Signal<Local, Bits<4>>,
    /// Of these, those that are used for the last time; and have been hit.
    last_uses: Signal<Local, Bits<4>>,
    last_used: Signal<Local, Bits<4>>,
    place_busy: Signal<Local, Bit>,
    /// What `tag` holds moves, or it holds nothing: no register that holds a pass back is 1 then.
    moves: Signal<Local, Bit>,
    found_valid: Signal<Local, Bits<4>>,
    hit_lanes: Signal<Local, Bits<LANES>>,
    l1_keeps: Signal<Local, Bit>,
    ro_keeps: Signal<Local, Bit>,
    held_back: Signal<Local, Bit>,
    touches: Signal<Local, Bit>,
    store_drops: Signal<Local, Bit>,
    store_found: Signal<Local, Bit>,
    in_hit: Signal<Local, Bit>,
    /// Some of its sectors are not valid in L1, or in RO.
    l1_misses: Signal<Local, Bit>,
    ro_misses: Signal<Local, Bit>,
    drops: Signal<Local, Bit>,
    comes: Signal<Local, Bit>,
    coming: Signal<Local, Pass>,
    next_pass: Signal<Local, Pass>,
    /// The line that comes, once more, for the memories that are read with it.
    read_line: Signal<Local, Bits<LINE>>,
    /// Where the lines of the second pass, of a store and of a load differ from that in `tag`.
    differences: Many<Signal<Local, Bits<LINE>>, 3>,
    is_same: Signal<Local, Bits<3>>,
    is_beside_l1: Signal<Local, Bits<3>>,
    is_beside_ro: Signal<Local, Bits<3>>,

    /// While a second pass waits, in_ready is 0.
    contract_room: Signal<Local, Bit>,
    /// What is dirty in the set of the line in tag is valid, and its way's line is local.
    contract_dirty: Signal<Local, Bit>,
    /// The command that writes back waits for no pass before it but for local misses.
    contract_command: Signal<Local, Bit>,
    /// The command that writes back comes with the number of the first set.
    contract_walk: Signal<Local, Bit>,
    /// Nothing comes to tag while write_back is full.
    contract_stays: Signal<Local, Bit>,
}

impl Logic for GlobalTagStage {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, occupied, held, second_occupied, second, has_room, load_comes, elder_is_right);
        dff_setup!(self, clock, left_offset, left_leader_byte, left_place, left_strobe, left_data, left_fills);
        dff_setup!(self, clock, right_offset, right_leader_byte, right_place, right_strobe, right_data, right_fills);
        dff_setup!(self, clock, has_line, is_load, is_store, is_any_store, is_ro, is_update);
        dff_setup!(self, clock, looks_in_l1, looks_in_ro, empties_l1, empties_ro, is_shared_store);
        dff_setup!(
            self,
            clock,
            is_local_store,
            walks,
            enters_l1,
            enters_ro,
            reads_second,
            reads_store,
            reads_load,
            back_set,
            is_l1,
            asks_bank,
            asks_hit,
            waits_anyway
        );
        clock!(self, clock, l1, ro, l1_dirty);

        self.full.next = self.occupied.q.val();
        self.second_full.next = self.second_occupied.q.val();
        self.waiting_operation.next = self.second.q.val().operation;
        self.second_tag.next = self.waiting_operation.val().tag;
        self.line.next = self.held.q.val().line;
        self.need.next = self.held.q.val().need;
        self.leader_byte.next = self.left_leader_byte.q.val();
        Arrays::join(&mut self.offset, &mut self.left_offset.q);
        Arrays::join(&mut self.place, &mut self.left_place.q);
        Arrays::join(&mut self.strobe, &mut self.left_strobe.q);
        Arrays::join(&mut self.data, &mut self.left_data.q);
        self.fills_sector.next = self.left_fills.q.val();
        if self.elder_is_right.q.val() {
            self.fills_sector.next = self.right_fills.q.val();
            self.leader_byte.next = self.right_leader_byte.q.val();
            Arrays::join(&mut self.offset, &mut self.right_offset.q);
            Arrays::join(&mut self.place, &mut self.right_place.q);
            Arrays::join(&mut self.strobe, &mut self.right_strobe.q);
            Arrays::join(&mut self.data, &mut self.right_data.q);
        }
        self.operation.next = self.held.q.val().operation;

        // Rule STALL: `tag` moves when everything that its content could need is there.
        self.place_busy.next = (self.asks_hit.q.val() & !self.hit_free.val())
            | (self.is_ro.q.val() & !self.ro_read_free.val())
            | (self.is_store.q.val() & !self.store_free.val())
            | (self.is_any_store.q.val() & self.serve_writes.val());
        self.store_drops.next = (self.operation.val().cop == COP_CG) | self.operation.val().mmio;
        // Rule BANK-ORDER: what was asked of shared memory before a store must not see it.
        self.row_is_read.next = self.is_update.q.val() & self.l1.read_first.val();
        self.bank_is_read.next = self.is_shared_store.q.val() & self.bank_holds.val();
        self.awaits_local.next = self.walks.q.val() & self.misses_hold_local.val();
        self.held_back.next =
            self.conflict.val() | self.row_is_read.val() | self.bank_is_read.val() | self.awaits_local.val();
        // Rule WRITE-BACK: what is dirty leaves before another line enters its set, and before the command goes on.
        self.is_clean.next = !self.l1_dirty.is_dirty.val() & !self.write_back_full.val();
        self.holds_dirty.next = self.enters_l1.q.val() & !self.l1.found.val();
        self.walk_ends.next = self.is_clean.val() & self.l1_dirty.at_last.val() & !self.misses_hold_write_back.val();
        self.held_by_line.next = (self.holds_dirty.val() & !self.is_clean.val())
            | (self.is_local_store.q.val() & !self.l1.found.val() & !self.l1.has_victim.val());
        self.lacks_miss.next = self.has_line.q.val() & self.miss_full.val();
        self.walks_on.next = self.walks.q.val() & !self.walk_ends.val();
        self.held_by_misses.next = self.lacks_miss.val() | self.held_by_line.val() | self.walks_on.val();
        self.writes_back.next = (self.holds_dirty.val() | self.walks.q.val())
            & !self.held_back.val()
            & self.l1_dirty.is_dirty.val()
            & !self.write_back_full.val();
        self.stalls_order.next = self.held_back.val();
        self.stalls_misses.next = !self.held_back.val() & self.held_by_misses.val();
        self.stalls_data.next = self.place_busy.val() & !self.held_by_misses.val() & !self.held_back.val();
        // The same once more, and of nothing as of a pass that moves: what hangs on the line, and on what is in flight of it, is known last.
        self.may_move.next = !self.place_busy.val()
            & !self.bank_is_read.val()
            & !self.awaits_local.val()
            & !self.lacks_miss.val()
            & !self.walks_on.val();
        self.goes.next = !self.conflict.val() & !self.row_is_read.val() & !self.held_by_line.val();
        self.moves.next = self.may_move.val() & self.goes.val();

        self.in_ready.next = self.has_room.q.val();
        self.in_valid.next = self.store_valid.val() | self.load_valid.val();
        self.comes.next = self.second_occupied.q.val() | self.in_valid.val();
        self.second_occupied.d.next = self.comes.val() & !self.moves.val();
        self.has_room.d.next = !self.comes.val() | self.moves.val();
        self.coming.next = self.load_pass.val();
        if self.store_comes.val() {
            self.coming.next = self.store_pass.val();
        }
        if !self.second_occupied.q.val() {
            self.second.d.next = self.coming.val();
        }
        for i in 0..LANES {
            self.coming_offset[i].next = self.load_offset[i].val();
            if self.store_comes.val() {
                self.coming_offset[i].next = self.store_offset[i].val();
            }
            if self.has_room.q.val() {
                if self.elder_is_right.q.val() {
                    self.left_offset.d[i].next = self.coming_offset[i].val();
                } else {
                    self.right_offset.d[i].next = self.coming_offset[i].val();
                }
            }
        }
        self.store_fills.next = true;
        for i in 0..8 {
            if self.store_strobe[i].val() != 15 {
                self.store_fills.next = false;
            }
        }
        if self.has_room.q.val() {
            if self.elder_is_right.q.val() {
                self.left_fills.d.next = self.store_fills.val();
                self.left_leader_byte.d.next = self.load_leader_byte.val();
                Arrays::join(&mut self.left_place.d, &mut self.store_place);
                Arrays::join(&mut self.left_strobe.d, &mut self.store_strobe);
                Arrays::join(&mut self.left_data.d, &mut self.store_data);
            } else {
                self.right_fills.d.next = self.store_fills.val();
                self.right_leader_byte.d.next = self.load_leader_byte.val();
                Arrays::join(&mut self.right_place.d, &mut self.store_place);
                Arrays::join(&mut self.right_strobe.d, &mut self.store_strobe);
                Arrays::join(&mut self.right_data.d, &mut self.store_data);
            }
        }
        // What comes, for those who compare with it: the same that `held` takes, chosen with a register that chooses nothing else.
        self.next_pass.next = self.second.q.val();
        if self.has_room.q.val() {
            self.next_pass.next = self.coming.val();
        }
        self.load_comes.d.next = !self.store_comes_next.val();
        self.next_line.next = self.second.q.val().line;
        if self.has_room.q.val() {
            self.next_line.next = self.store_pass.val().line;
            if self.load_comes.q.val() {
                self.next_line.next = self.load_pass.val().line;
            }
        }
        // One of the three comes: joined, they go through fewer gates than chosen one after the other.
        self.reads_second.d.next = self.second_occupied.d.val() & !self.write_back_full_next.val();
        self.reads_store.d.next =
            !self.second_occupied.d.val() & self.store_comes_next.val() & !self.write_back_full_next.val();
        self.reads_load.d.next =
            !self.second_occupied.d.val() & !self.store_comes_next.val() & !self.write_back_full_next.val();
        self.back_set.d.next = 0.into();
        if self.write_back_full_next.val() {
            self.back_set.d.next = self.l1_dirty.looked_set.val();
        }
        self.read_line.next = 0.into();
        if self.reads_second.q.val() {
            self.read_line.next = self.second.q.val().line;
        }
        if self.reads_store.q.val() {
            self.read_line.next = self.read_line.val() | self.store_pass.val().line;
        }
        if self.reads_load.q.val() {
            self.read_line.next = self.read_line.val() | self.load_pass.val().line;
        }
        // Compared before the choice.
        self.differences[0].next = self.second.q.val().line ^ self.held.q.val().line;
        self.differences[1].next = self.store_pass.val().line ^ self.held.q.val().line;
        self.differences[2].next = self.load_pass.val().line ^ self.held.q.val().line;
        self.is_same.next = 0.into();
        self.is_beside_l1.next = 0.into();
        self.is_beside_ro.next = 0.into();
        for i in 0..3 {
            self.is_same.next = self.is_same.val().replace_bit(i, !self.differences[i].val().any());
            self.is_beside_l1.next =
                self.is_beside_l1.val().replace_bit(i, !self.differences[i].val().get_bits::<L1_SET_BITS>(0).any());
            self.is_beside_ro.next =
                self.is_beside_ro.val().replace_bit(i, !self.differences[i].val().get_bits::<RO_SET_BITS>(0).any());
        }
        self.next_is_same.next = self.is_same.val().get_bit(0);
        self.next_is_beside_l1.next = self.is_beside_l1.val().get_bit(0);
        self.next_is_beside_ro.next = self.is_beside_ro.val().get_bit(0);
        if self.has_room.q.val() {
            self.next_is_same.next = self.is_same.val().get_bit(1);
            self.next_is_beside_l1.next = self.is_beside_l1.val().get_bit(1);
            self.next_is_beside_ro.next = self.is_beside_ro.val().get_bit(1);
            if self.load_comes.q.val() {
                self.next_is_same.next = self.is_same.val().get_bit(2);
                self.next_is_beside_l1.next = self.is_beside_l1.val().get_bit(2);
                self.next_is_beside_ro.next = self.is_beside_ro.val().get_bit(2);
            }
        }
        self.next_operation.next = self.next_pass.val().operation;
        self.next_has_line.next = self.comes.val() & self.next_pass.val().has_line;
        self.next_has_lanes.next = self.comes.val() & (self.next_pass.val().has_line | self.next_pass.val().is_shared);
        self.waits_for_bank.next = self.asks_bank.q.val();
        if self.moves.val() {
            self.occupied.d.next = self.comes.val();
            // What the second place holds, or else what it would take.
            self.held.d.next = self.second.d.val();
            self.held.d.next.line = self.next_line.val();
            self.elder_is_right.d.next = !self.elder_is_right.q.val();
            self.has_line.d.next = self.next_has_line.val();
            self.is_load.d.next = self.next_has_line.val() & !self.next_operation.val().is_store;
            self.is_store.d.next =
                self.next_has_line.val() & self.next_operation.val().is_store & !self.next_operation.val().is_local;
            self.is_local_store.d.next =
                self.next_has_line.val() & self.next_operation.val().is_store & self.next_operation.val().is_local;
            self.enters_l1.d.next = self.next_has_line.val()
                & ((self.next_operation.val().kept & !self.next_operation.val().nc)
                    | (self.next_operation.val().is_store & self.next_operation.val().is_local));
            self.enters_ro.d.next =
                self.next_has_line.val() & self.next_operation.val().kept & self.next_operation.val().nc;
            self.walks.d.next = self.comes.val()
                & self.next_operation.val().is_command
                & (self.next_operation.val().cmd == CMD_WRITE_BACK_LOCAL);
            self.is_any_store.d.next = self.comes.val() & self.next_operation.val().is_store;
            self.is_shared_store.d.next = self.comes.val() & self.next_pass.val().is_shared;
            self.is_ro.d.next =
                self.next_has_line.val() & !self.next_operation.val().is_store & self.next_operation.val().nc;
            self.asks_hit.d.next = self.comes.val() & !(self.is_ro.d.val() | self.is_store.d.val());
            self.waits_anyway.d.next =
                self.next_has_line.val() & !self.next_operation.val().is_local & self.next_operation.val().is_store;
            if !self.next_operation.val().is_store & !self.next_operation.val().looked_up {
                self.waits_anyway.d.next = self.next_has_line.val();
            }
            self.is_l1.d.next = self.next_has_line.val() & !self.next_operation.val().nc;
            self.asks_bank.d.next = self.next_has_line.val()
                & !self.next_operation.val().nc
                & (!self.next_operation.val().is_store | self.next_operation.val().release);
            self.is_update.d.next = self.next_has_line.val()
                & self.next_operation.val().is_store
                & !self.next_operation.val().mmio
                & (self.next_operation.val().cop != COP_CG);
            self.looks_in_l1.d.next =
                self.next_has_line.val() & self.next_operation.val().looked_up & !self.next_operation.val().nc;
            self.looks_in_ro.d.next =
                self.next_has_line.val() & self.next_operation.val().looked_up & self.next_operation.val().nc;
            self.empties_l1.d.next = self.comes.val()
                & self.next_operation.val().is_command
                & (self.next_operation.val().cmd == CMD_INVALIDATE_L1);
            self.empties_ro.d.next = self.comes.val()
                & self.next_operation.val().is_command
                & (self.next_operation.val().cmd == CMD_INVALIDATE_RO);
        }

        // Rule HIT: look-up.
        self.next_comes.next = self.moves.val();
        self.l1.line.next = self.held.q.val().line;
        self.ro.line.next = self.held.q.val().line;
        self.l1.shifts.next = self.moves.val();
        self.ro.shifts.next = self.moves.val();
        self.l1.next_line.next = self.next_line.val();
        self.ro.next_line.next = self.next_line.val();
        // While `tag` waits for what is written back, that way's line is read.
        self.l1.read_set.next = self.read_line.val().get_bits::<L1_SET_BITS>(0) | self.back_set.q.val();
        self.l1.asked_way.next = self.write_back_way.val();
        self.ro.asked_way.next = 0.into();
        self.write_back_line.next = self.l1.asked_line.val();
        self.ro.read_set.next = self.read_line.val().get_bits::<RO_SET_BITS>(0);
        self.l1.next_is_same.next = self.next_is_same.val();
        self.ro.next_is_same.next = self.next_is_same.val();
        self.l1.next_is_beside.next = self.next_is_beside_l1.val();
        self.ro.next_is_beside.next = self.next_is_beside_ro.val();
        self.l1.reserved.next = self.l1_reserved.val();
        self.ro.reserved.next = self.ro_reserved.val();
        self.l1.lost.next = self.l1_lost.val();
        self.ro.lost.next = self.ro_lost.val();
        self.l1.named.next = self.l1_named.val();
        self.ro.named.next = self.ro_named.val();
        Arrays::join(&mut self.l1.to_read, &mut self.l1_to_read);
        Arrays::join(&mut self.ro.to_read, &mut self.ro_to_read);
        self.found_valid.next = self.l1.found_valid.val();
        self.l1_forbids.next = self.l1.not_kept.val();
        self.ro_forbids.next = self.ro.not_kept.val();
        if self.operation.val().nc {
            self.found_valid.next = self.ro.found_valid.val();
        }
        self.hit.next = 0.into();
        if self.operation.val().looked_up {
            self.hit.next = self.found_valid.val() & self.held.q.val().need;
        }
        self.miss.next = self.held.q.val().need & !self.hit.val();
        self.hit_lanes.next = 0.into();
        self.miss_lanes.next = 0.into();
        for i in 0..LANES {
            self.in_hit.next = false;
            for j in 0..4 {
                if (self.offset[i].val().get_bits::<2>(5) == j.to_bits::<2>()) & self.hit.val().get_bit(j) {
                    self.in_hit.next = true;
                }
            }
            self.hit_lanes.next =
                self.hit_lanes.val().replace_bit(i, self.held.q.val().group.get_bit(i) & self.in_hit.val());
            self.miss_lanes.next =
                self.miss_lanes.val().replace_bit(i, self.held.q.val().group.get_bit(i) & !self.in_hit.val());
        }
        // Rule UPDATE: a local store waits for what it does not write of its sector, unless that is there.
        self.store_found.next = (self.l1.found_valid.val() & self.held.q.val().need).any();
        self.asks_rest.next = self.is_local_store.q.val() & !self.fills_sector.val() & !self.store_found.val();
        self.to_hit.next = self.moves.val()
            & ((self.occupied.q.val() & !self.has_line.q.val())
                | (self.looks_in_l1.q.val() & self.hit.val().any())
                | (self.is_local_store.q.val() & !self.asks_rest.val()));
        self.to_ro_read.next = self.moves.val() & (self.looks_in_ro.q.val() & self.hit.val().any());
        self.l1_found_row.line.next = self.held.q.val().line;
        self.l1_found_row.ways.next = self.l1.found_ways.val();
        self.ro_found_row.line.next = self.held.q.val().line;
        self.ro_found_row.ways.next = self.ro.found_ways.val();
        self.hit_pass.next.operation = self.operation.val();
        self.hit_pass.next.lanes = self.hit_lanes.val();
        self.hit_pass.next.row = self.l1_found_row.row.val();
        if self.operation.val().nc {
            self.hit_pass.next.row = self.ro_found_row.row.val();
        }
        self.hit_pass.next.sectors = self.hit.val();
        self.hit_pass.next.line = 0.into();
        self.hit_pass.next.failed = 0.into();
        self.l1_misses.next = (self.held.q.val().need & !self.l1.found_valid.val()).any();
        self.ro_misses.next = (self.held.q.val().need & !self.ro.found_valid.val()).any();
        self.allocates.next = self.waits_anyway.q.val()
            | (self.looks_in_l1.q.val() & self.l1_misses.val())
            | (self.looks_in_ro.q.val() & self.ro_misses.val())
            | self.asks_rest.val();
        self.counts_l1.next = self.moves.val() & self.looks_in_l1.q.val();
        self.counts_ro.next = self.moves.val() & self.looks_in_ro.q.val();

        // Rules DROP, TOUCH, UPDATE: what the pass does to the tags when it moves.
        self.drops.next = self.is_load.q.val() & self.operation.val().ordered;
        self.drop_line.next = self.moves.val() & self.drops.val();
        self.to_store.next = self.moves.val() & self.is_store.q.val();
        self.to_local.next = self.moves.val() & self.is_local_store.q.val();
        self.to_shared.next = self.moves.val() & self.is_shared_store.q.val();
        self.holds_shared.next =
            self.is_shared_store.q.val() | (self.second_occupied.q.val() & self.second.q.val().is_shared);
        self.store_hits.next = self.store_found.val() & !self.store_drops.val();
        self.l1_keeps.next = self.l1.has_victim.val();
        self.ro_keeps.next = self.ro.has_victim.val();
        if self.l1.found.val() {
            self.l1_keeps.next = !self.l1.not_kept.val();
        }
        if self.ro.found.val() {
            self.ro_keeps.next = !self.ro.not_kept.val();
        }
        self.keeps.next = (self.is_store.q.val() & self.store_hits.val())
            | self.is_local_store.q.val()
            | (self.enters_l1.q.val() & self.l1_keeps.val())
            | (self.enters_ro.q.val() & self.ro_keeps.val());
        self.touches.next = self.is_load.q.val() & self.operation.val().kept & self.operation.val().touches;
        self.l1.touch.next = (self.touches.val() & !self.operation.val().nc)
            | (self.is_local_store.q.val() & self.operation.val().touches);
        self.l1.touch_valid.next = self.is_update.q.val() & !self.is_local_store.q.val() & self.operation.val().touches;
        self.l1.need.next = self.held.q.val().need;
        self.ro.touch.next = self.touches.val() & self.operation.val().nc;
        self.ro.touch_valid.next = false;
        self.ro.need.next = self.held.q.val().need;
        // Each cache's own outcome, before the choice between them: the tag memories' write enables are the longest way.
        self.l1.allocate.next = self.enters_l1.q.val() & !self.l1.found.val();
        self.ro.allocate.next = self.enters_ro.q.val() & !self.ro.found.val();
        self.line_may_move.next = !self.place_busy.val() & !self.miss_full.val();
        self.l1_moves.next = self.goes.val() & (self.line_may_move.val() & self.is_l1.q.val());
        self.l1.moves.next = self.l1_moves.val();
        self.ro.moves.next = self.goes.val() & (self.line_may_move.val() & self.is_ro.q.val());
        self.l1.looks_up.next = self.looks_in_l1.q.val();
        self.ro.looks_up.next = self.looks_in_ro.q.val();
        Arrays::join(&mut self.l1_reads, &mut self.l1.hit_sectors);
        Arrays::join(&mut self.ro_reads, &mut self.ro.hit_sectors);
        self.l1.evict_first.next = self.operation.val().evict_first & self.operation.val().touches;
        self.ro.evict_first.next = self.operation.val().evict_first & self.operation.val().touches;
        self.l1.evict_last.next = self.operation.val().evict_last;
        self.ro.evict_last.next = self.operation.val().evict_last;
        // Rule LAST-USE: a lane of such a pass has one word, and eight lanes beside each other have a sector.
        self.whole.next = 0.into();
        for i in 0..LINE_WORDS {
            for j in 0..WORD_SECTORS {
                self.whole.next = self
                    .whole
                    .val()
                    .replace_bit(i * WORD_SECTORS + j, self.held.q.val().group.get_bits::<8>(j * 8).all());
            }
        }
        self.last_uses.next = 0.into();
        if self.operation.val().last_use {
            self.last_uses.next = self.held.q.val().need & self.whole.val();
        }
        self.last_used.next = self.hit.val() & self.last_uses.val();
        self.l1.clear.next = self.last_used.val();
        if self.drops.val() | (self.is_store.q.val() & self.store_drops.val()) {
            self.l1.clear.next = self.held.q.val().need;
        }
        self.ro.clear.next = 0.into();
        // What `keeps` says, cache by cache, and which way it is: there is one if the line is found, or may take one.
        self.l1_ways.next = 0.into();
        self.ro_ways.next = 0.into();
        if (self.is_store.q.val() & self.store_hits.val())
            | self.is_local_store.q.val()
            | (self.enters_l1.q.val() & !self.l1.not_kept.val())
        {
            self.l1_ways.next = self.l1.found_ways.val();
        }
        if self.enters_l1.q.val() & !self.l1.found.val() {
            self.l1_ways.next = self.l1.victim.val();
        }
        if self.enters_ro.q.val() & !self.ro.not_kept.val() {
            self.ro_ways.next = self.ro.found_ways.val();
        }
        if self.enters_ro.q.val() & !self.ro.found.val() {
            self.ro_ways.next = self.ro.victim.val();
        }
        self.l1_row.line.next = self.held.q.val().line;
        self.l1_row.ways.next = self.l1.kept_ways.val();
        self.row.next = self.l1_row.row.val();
        self.flush_l1.next = self.acquired.val() | (self.empties_l1.q.val() & self.hit_free.val());
        self.flush_ro.next = self.empties_ro.q.val() & self.hit_free.val();
        self.l1.flush.next = self.flush_l1.val();
        self.ro.flush.next = self.flush_ro.val();
        self.l1.flush_local.next =
            self.walks.q.val() & self.walk_ends.val() & self.hit_free.val() & !self.misses_hold_local.val();
        self.ro.flush_local.next = false;

        // What local stores leave in L1.
        self.l1.store.next = 0.into();
        self.l1_dirty.stores.next = 0.into();
        self.l1_dirty.new_stores.next = 0.into();
        if self.is_local_store.q.val() {
            if self.fills_sector.val() {
                self.l1.store.next = self.held.q.val().need;
                if !self.l1.found.val() {
                    self.l1_dirty.new_stores.next = self.held.q.val().need;
                }
            }
            if self.fills_sector.val() | self.store_found.val() {
                self.l1_dirty.stores.next = self.held.q.val().need;
            }
        }
        self.ro.store.next = 0.into();
        self.l1_dirty.set.next = self.held.q.val().line.get_bits::<L1_SET_BITS>(0);
        self.l1_dirty.shifts.next = self.moves.val();
        self.l1_dirty.read_set.next = self.read_line.val().get_bits::<L1_SET_BITS>(0);
        self.l1_dirty.next_is_beside.next = self.next_is_beside_l1.val();
        self.l1_dirty.moves.next = self.l1_moves.val();
        self.l1_dirty.matching_ways.next = self.l1.matching_ways.val();
        self.l1_dirty.found_ways.next = self.l1.found_ways.val();
        self.l1_dirty.victim.next = self.l1.victim.val();
        self.l1_dirty.enters.next = self.holds_dirty.val() & self.l1.has_victim.val();
        self.l1_dirty.clears.next = self.last_uses.val();
        self.l1_dirty.fill.next = self.l1_dirties.val();
        self.l1_dirty.fill_set.next = self.fill_line.val().get_bits::<L1_SET_BITS>(0);
        self.l1_dirty.fill_ways.next = self.l1_fill_ways.val();
        self.l1_dirty.walks.next = self.walks.q.val();
        // The command waits for nothing else that comes before a pass.
        self.l1_dirty.may_step.next = !self.write_back_full.val() & !self.awaits_local.val();
        self.l1_dirty.takes.next = self.writes_back.val();
        self.dirty_way.next = self.l1_dirty.way.val();
        self.dirty_sector.next = self.l1_dirty.sector.val();
        self.looked_set.next = self.l1_dirty.looked_set.val();

        // Fills.
        self.l1.fill.next = self.l1_fill.val();
        self.ro.fill.next = self.ro_fill.val();
        self.l1.undo.next = self.l1_undo.val();
        self.ro.undo.next = 0.into();
        self.l1.fill_set.next = self.fill_line.val().get_bits::<L1_SET_BITS>(0);
        self.ro.fill_set.next = self.fill_line.val().get_bits::<RO_SET_BITS>(0);
        self.l1.fill_ways.next = self.l1_fill_ways.val();
        self.ro.fill_ways.next = self.ro_fill_ways.val();

        self.contract_walk.next = !self.walks.q.val() | !self.held.q.val().line.get_bits::<L1_SET_BITS>(0).any();
        self.contract_dirty.next = true;
        for i in 0..L1_WAYS {
            if !self.walks.q.val()
                & (self.l1_dirty.way_dirty.val().get_bits::<4>(i * 4) & !self.l1.set_valid[i].val()).any()
            {
                self.contract_dirty.next = false;
            }
            if !self.walks.q.val()
                & self.l1_dirty.way_dirty.val().get_bits::<4>(i * 4).any()
                & !self.l1.set_local.val().get_bit(i)
            {
                self.contract_dirty.next = false;
            }
        }
        self.contract_command.next =
            !self.walks.q.val() | !(self.conflict.val() | self.row_is_read.val() | self.bank_is_read.val());
        self.contract_room.next = !self.has_room.q.val() | !self.second_occupied.q.val();
        self.contract_stays.next = !(self.write_back_full.val() & self.moves.val());
    }
}
