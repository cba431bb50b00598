//! `MissTable`: lines in flight (MSHRs) and the passes that wait for them (waiters).
//!
//! ```text
//! tag ─► order check ─► stall
//!     ─► waiter + new MSHR, or + MSHR joined ─► (read queue, store port)
//! mem_rsp, answer ─► arrived, failed ─► fill of the cache   ─► ready waiter ─► resume
//! ```
//!
//! An MSHR is in use while a waiter refers to it, or what it writes back is not answered, and for a cycle more. It names a row of the row store, that of a way or its own, to which its sectors come.
//! `asked`, `arrived` and `failed` are kept sector by sector. `keep` says that what arrives becomes valid in the cache; an MSHR
//! that lost it goes on with its row and leaves no trace. A store keeps if L1 took its bytes: an error takes them out again. A local store asks for the
//! bytes of its sector that it does not write: which it does is kept for the response.
//!
//! What is written back takes an MSHR, but no waiter. It does so only while `tag` waits for it, so that nobody else takes one.
//!
//! Assertions: `contract_response`, `contract_one_takes`, `contract_keep`.

use super::prelude::*;
use super::way_row::WayRow;

/// Lines in flight (`MISSES` MSHRs) and the passes that wait for them (as many waiters).
#[derive(LogicBlock, Default)]
pub struct MissTable {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// The operation in `tag`.
    pub operation: Signal<In, Operation>,
    /// Line of the pass in `tag`.
    pub line: Signal<In, Bits<LINE>>,
    /// Sectors that it needs.
    pub need: Signal<In, Bits<4>>,
    /// `tag` moves at this edge, and takes another pass if one comes: known last, so that everything that asks it is told before what follows.
    pub next_comes: Signal<In, Bit>,
    /// It comes indeed, and has a line.
    pub next_has_line: Signal<In, Bit>,
    /// It has lanes: with a line, or shared.
    pub next_has_lanes: Signal<In, Bit>,
    /// Line of that one.
    pub next_line: Signal<In, Bits<LINE>>,
    /// It is that of the pass in `tag`.
    pub next_is_same: Signal<In, Bit>,
    /// It lies in the same set of L1.
    pub next_is_beside_l1: Signal<In, Bit>,
    /// It lies in the same set of RO.
    pub next_is_beside_ro: Signal<In, Bit>,
    /// Its operation.
    pub next_operation: Signal<In, Operation>,
    /// Something in flight comes before the pass.
    pub conflict: Signal<Out, Bit>,
    /// No waiter is free, or no MSHR can be taken.
    pub full: Signal<Out, Bit>,
    /// A waiter is free.
    pub has_waiter: Signal<Out, Bit>,
    /// No waiter is in use, and nothing awaits that it has been written back.
    pub empty: Signal<Out, Bit>,
    /// An MSHR in use has a local line, and is no write-back's.
    pub holds_local: Signal<Out, Bit>,
    /// An MSHR in use is a write-back's.
    pub holds_write_back: Signal<Out, Bit>,
    /// Ways of the line's L1 set that an MSHR reserves.
    pub l1_reserved: Signal<Out, Bits<L1_WAYS>>,
    /// Ways of the line's RO set that an MSHR reserves.
    pub ro_reserved: Signal<Out, Bits<RO_WAYS>>,
    /// Ways of the line's L1 set whose row an MSHR names that has lost `keep`.
    pub l1_lost: Signal<Out, Bits<L1_WAYS>>,
    /// The same of the line's RO set.
    pub ro_lost: Signal<Out, Bits<RO_WAYS>>,
    /// Ways of the line's L1 set whose row an MSHR in use named in the cycle before.
    pub l1_named: Signal<Out, Bits<L1_WAYS>>,
    /// The same of the line's RO set.
    pub ro_named: Signal<Out, Bits<RO_WAYS>>,
    /// MSHRs whose own row is to be read.
    pub own_to_read: Signal<In, Bits<MISSES>>,

    /// The pass in `tag` has lanes that wait: it hands them over as it moves.
    pub allocates: Signal<In, Bit>,
    /// For these sectors.
    pub miss: Signal<In, Bits<4>>,
    /// Those lanes.
    pub lanes: Signal<In, Bits<LANES>>,
    /// Offset in the line of each lane.
    pub offset: Many<Signal<In, Bits<7>>, LANES>,
    /// Rule NOT-KEPT forbids to join an MSHR of L1.
    pub l1_forbids: Signal<In, Bit>,
    /// The same of RO.
    pub ro_forbids: Signal<In, Bit>,
    /// A new MSHR has its line, or its store's bytes, in a cache.
    pub keeps: Signal<In, Bit>,
    /// In this way, one bit for each of L1's; none if it is RO's, or not kept.
    pub l1_ways: Signal<In, Bits<L1_WAYS>>,
    /// One bit for each of RO's ways; none if it is L1's, or not kept.
    pub ro_ways: Signal<In, Bits<RO_WAYS>>,
    /// `tag` moves an ordered load: MSHRs of L1 with the line lose their place.
    pub drop_line: Signal<In, Bit>,
    /// All MSHRs of L1 but those of local lines lose their place.
    pub flush_l1: Signal<In, Bit>,
    /// All MSHRs of RO lose their place.
    pub flush_ro: Signal<In, Bit>,
    /// Bytes that the store in `tag` writes, four for each word of its sector.
    pub strobe: Many<Signal<In, Bits<4>>, 8>,
    /// `write_back` is full: what takes an MSHR is what it holds.
    pub write_back_full: Signal<In, Bit>,
    /// It does at this edge.
    pub write_back_goes: Signal<In, Bit>,
    /// Its line.
    pub write_back_line: Signal<In, Bits<LINE>>,
    /// Its sector.
    pub write_back_sector: Signal<In, Bits<2>>,
    /// An MSHR can be taken.
    pub has_mshr: Signal<Out, Bit>,
    /// The lowest one.
    pub free_index: Signal<Out, Bits<ENTRY_BITS>>,
    /// Sectors to ask for.
    pub ask: Signal<Out, Bits<4>>,
    /// There are any.
    pub asks: Signal<Out, Bit>,
    /// The pass's MSHR.
    pub mshr: Signal<Out, Bits<ENTRY_BITS>>,

    /// A response of this path is taken.
    pub rsp_valid: Signal<In, Bit>,
    /// Its MSHR.
    pub rsp_mshr: Signal<In, Bits<ENTRY_BITS>>,
    /// Its sector.
    pub rsp_sector: Signal<In, Bits<2>>,
    /// The access failed.
    pub rsp_error: Signal<In, Bit>,
    /// It came from the cluster.
    pub rsp_is_remote: Signal<In, Bit>,
    /// MSHR of one that did.
    pub answer_mshr: Signal<In, Bits<ENTRY_BITS>>,
    /// MSHR of a response that did not: rule CLUSTER, no cache takes any other.
    pub memory_mshr: Signal<In, Bits<ENTRY_BITS>>,
    /// Its sector.
    pub memory_sector: Signal<In, Bits<2>>,
    /// That access failed.
    pub memory_error: Signal<In, Bit>,
    /// A read's response is taken: its sector is written.
    pub row_fill: Signal<Out, Bit>,
    /// Into this row.
    pub fill_row: Signal<Out, Bits<ROW_BITS>>,
    /// These bytes, four for each word: of a local store's sector those that it did not write.
    pub fill_strobe: Many<Signal<Out, Bits<4>>, 8>,
    /// The sector that becomes valid in L1 is dirty; 0 if it is not.
    pub l1_dirties: Signal<Out, Bits<4>>,
    /// The memory side has not taken what was written back.
    pub write_back_error: Signal<Out, Bit>,
    /// The response's sector becomes valid in L1; 0 if it does not.
    pub l1_fill: Signal<Out, Bits<4>>,
    /// The response's sector becomes valid in RO; 0 if it does not.
    pub ro_fill: Signal<Out, Bits<4>>,
    /// A store failed whose bytes L1 holds: this sector becomes invalid; 0 for none.
    pub l1_undo: Signal<Out, Bits<4>>,
    /// Its line.
    pub fill_line: Signal<Out, Bits<LINE>>,
    /// Its way, one bit for each of L1's; none if it is RO's.
    pub l1_fill_ways: Signal<Out, Bits<L1_WAYS>>,
    /// One bit for each of RO's ways; none if it is L1's.
    pub ro_fill_ways: Signal<Out, Bits<RO_WAYS>>,

    /// A waiter whose sectors have arrived is offered to `resume`.
    pub ready_valid: Signal<Out, Bit>,
    /// It is taken at this edge.
    pub ready_take: Signal<In, Bit>,
    /// The pass.
    pub ready_pass: Signal<Out, RowPass>,
    /// Offset in the line of each lane.
    pub ready_offset: Many<Signal<Out, Bits<7>>, LANES>,
    /// It is an acquire and leaves at this edge.
    pub acquired: Signal<Out, Bit>,
    /// Tags that are asked about.
    pub asked_tag: Many<Signal<In, Bits<8>>, CANDIDATES>,
    /// For each, a waiter holds a pass of that tag.
    pub holds_tag: Signal<Out, Bits<CANDIDATES>>,

    waiter_valid: Register<Bits<MISSES>>,
    waiter_needs: Registers<Bits<4>, MISSES>,
    /// Those of them that have not arrived.
    waiter_awaits: Registers<Bits<4>, MISSES>,
    waiter_refers: Registers<Bits<MISSES>, MISSES>,
    /// Those in use that await none.
    ready: Register<Bits<MISSES>>,
    waiter_tag: Registers<Bits<8>, MISSES>,
    waiter_warp: Registers<Bits<WARP>, MISSES>,
    /// Waiters in use for which the pass in `tag` waits (rules ACQUIRE, RELEASE): compared one edge early.
    precedes: Register<Bits<MISSES>>,
    is_acquire: Register<Bits<MISSES>>,
    held_operation: Memory<ENTRY_BITS, Operation>,
    held_lanes: Memory<ENTRY_BITS, Bits<LANES>>,
    held_offset: Many<Memory<ENTRY_BITS, Bits<7>>, LANES>,

    mshr_line: Registers<Bits<LINE>, MISSES>,
    /// Known a cycle after the MSHR has been taken: nobody asks sooner, as no response comes in that cycle.
    mshr_row: Registers<Bits<ROW_BITS>, MISSES>,
    l1_row: Many<WayRow<L1_SET_BITS, L1_WAYS, L1_WAY_BITS, FIRST_L1_ROW>, MISSES>,
    ro_row: Many<WayRow<RO_SET_BITS, RO_WAYS, RO_WAY_BITS, FIRST_RO_ROW>, MISSES>,
    /// The way whose row that is, one bit for each of L1's and of RO's; none of an MSHR that has its own row.
    names_l1: Registers<Bits<L1_WAYS>, MISSES>,
    names_ro: Registers<Bits<RO_WAYS>, MISSES>,
    asked: Registers<Bits<4>, MISSES>,
    arrived: Registers<Bits<4>, MISSES>,
    failed: Registers<Bits<4>, MISSES>,
    ordered: Register<Bits<MISSES>>,
    is_ro: Register<Bits<MISSES>>,
    is_write: Register<Bits<MISSES>>,
    /// Those of local stores, to which the rest of their sector comes, and the bytes that the store wrote; none of any other.
    fills_rest: Register<Bits<MISSES>>,
    stored: Many<Memory<ENTRY_BITS, Bits<4>>, 8>,
    /// Those of write-backs whose response is awaited.
    writes_back: Register<Bits<MISSES>>,
    keep: Register<Bits<MISSES>>,
    /// MSHRs in use whose line is that of the pass in `tag`: compared one edge early.
    matches: Register<Bits<MISSES>>,
    /// Those in use for which the pass in `tag` waits if they were asked for its sectors (rule ORDER).
    orders: Register<Bits<MISSES>>,
    /// Ways that each MSHR in use names in the set of the pass in `tag`.
    l1_names_here: Registers<Bits<L1_WAYS>, MISSES>,
    ro_names_here: Registers<Bits<RO_WAYS>, MISSES>,
    l1_named_before: Register<Bits<L1_WAYS>>,
    ro_named_before: Register<Bits<RO_WAYS>>,
    /// A waiter refers to these, or the response to what they write back is awaited; or it was so in the cycle before.
    in_use: Register<Bits<MISSES>>,
    /// Those, and the ones whose own row is to be read.
    closed: Register<Bits<MISSES>>,
    /// No waiter is free; and every MSHR is closed: whether `tag` moves hangs on either.
    waiters_full: Register<Bit>,
    mshrs_full: Register<Bit>,
    /// What `holds_local` and `holds_write_back` say.
    local_held: Register<Bit>,
    write_back_held: Register<Bit>,

    free_waiter: Signal<Local, Bits<MISSES>>,
    next_matches: Signal<Local, Bits<MISSES>>,
    next_orders: Signal<Local, Bits<MISSES>>,
    next_precedes: Signal<Local, Bits<MISSES>>,
    is_ordered: Signal<Local, Bit>,
    is_l1: Signal<Local, Bit>,
    acquires: Signal<Local, Bit>,
    /// A waiter's operation is another one of the same warp.
    is_older: Signal<Local, Bit>,
    next_beside_l1: Signal<Local, Bits<MISSES>>,
    next_beside_ro: Signal<Local, Bits<MISSES>>,
    /// Ways that MSHRs name in the set of `tag`'s line, and in that of the line that comes.
    l1_named_here: Signal<Local, Bits<L1_WAYS>>,
    ro_named_here: Signal<Local, Bits<RO_WAYS>>,
    l1_named_there: Signal<Local, Bits<L1_WAYS>>,
    ro_named_there: Signal<Local, Bits<RO_WAYS>>,
    line_is_same: Signal<Local, Bit>,
    line_is_beside_l1: Signal<Local, Bit>,
    line_is_beside_ro: Signal<Local, Bit>,
    referred: Signal<Local, Bits<MISSES>>,
    /// The same with the pass in `tag`, if it hands over lanes: what counts if it moves.
    referred_more: Signal<Local, Bits<MISSES>>,
    waiting: Signal<Local, Bits<MISSES>>,
    waiting_more: Signal<Local, Bits<MISSES>>,
    /// The MSHR that is joined by the pass that moves, or the one that it takes.
    joined: Signal<Local, Bits<MISSES>>,
    taken: Signal<Local, Bits<MISSES>>,
    /// For the next cycle, before that one is added.
    matches_then: Signal<Local, Bits<MISSES>>,
    orders_then: Signal<Local, Bits<MISSES>>,
    /// Ways that one of them names in the set that is told of, and those that it names in the set of the line that comes.
    l1_names: Signal<Local, Bits<L1_WAYS>>,
    ro_names: Signal<Local, Bits<RO_WAYS>>,
    l1_joined_names: Signal<Local, Bits<L1_WAYS>>,
    ro_joined_names: Signal<Local, Bits<RO_WAYS>>,
    /// All are closed if `tag` takes none, takes one, joins one, takes a new one.
    full_if_stayed: Signal<Local, Bit>,
    full_if_taken: Signal<Local, Bit>,
    full_if_joined: Signal<Local, Bit>,
    full_if_new: Signal<Local, Bit>,
    joinable: Signal<Local, Bits<MISSES>>,
    joins: Signal<Local, Bit>,
    free_mshr: Signal<Local, Bits<MISSES>>,
    chosen: Signal<Local, Bits<MISSES>>,
    joined_asked: Signal<Local, Bits<4>>,
    joined_arrived: Signal<Local, Bits<4>>,
    /// Sectors of the joined MSHR that have not come.
    still_to_come: Signal<Local, Bits<4>>,
    awaited: Signal<Local, Bits<4>>,
    /// The waiter that is taken awaits nothing.
    is_ready: Signal<Local, Bit>,
    taken_index: Signal<Local, Bits<ENTRY_BITS>>,
    order_conflict: Signal<Local, Bit>,
    ready_next: Signal<Local, Bits<MISSES>>,
    still_awaited: Many<Signal<Local, Bits<4>>, MISSES>,
    ready_line: Signal<Local, Bits<LINE>>,
    ready_failed: Signal<Local, Bits<4>>,
    ready_row: Signal<Local, Bits<ROW_BITS>>,
    ready_sectors: Signal<Local, Bits<4>>,
    picked: Signal<Local, Bits<MISSES>>,
    picked_index: Signal<Local, Bits<ENTRY_BITS>>,
    picked_mshr: Signal<Local, Bits<MISSES>>,
    leaves: Signal<Local, Bits<MISSES>>,
    /// The MSHR that the response names, whether or not there is one; and that of a response.
    answered: Signal<Local, Bits<MISSES>>,
    response: Signal<Local, Bits<MISSES>>,
    sector: Signal<Local, Bits<4>>,
    /// The same of a response at the memory port.
    from_memory: Signal<Local, Bits<MISSES>>,
    from_cluster: Signal<Local, Bits<MISSES>>,
    cache_sector: Signal<Local, Bits<4>>,
    /// MSHRs that have a place in L1, or in RO, for what is read; and those that have one for a store's bytes.
    fills_l1: Signal<Local, Bits<MISSES>>,
    fills_ro: Signal<Local, Bits<MISSES>>,
    holds_stored: Signal<Local, Bits<MISSES>>,
    lines_local: Signal<Local, Bits<MISSES>>,
    may_join: Signal<Local, Bit>,
    /// What is loaded into the MSHR that could be taken.
    taken_line: Signal<Local, Bits<LINE>>,
    /// It is local, as all that is written back is.
    taken_is_local: Signal<Local, Bit>,
    taken_asked: Signal<Local, Bits<4>>,
    taken_keeps: Signal<Local, Bit>,
    taken_is_write: Signal<Local, Bit>,
    taken_is_ordered: Signal<Local, Bit>,
    is_local_store: Signal<Local, Bit>,
    first_own_row: Signal<Local, Bits<ROW_BITS>>,
    keep_next: Signal<Local, Bits<MISSES>>,
    /// MSHRs that a flush of L1 concerns.
    flushes_l1: Signal<Local, Bits<MISSES>>,
    flushed: Signal<Local, Bits<MISSES>>,

    /// A response names an MSHR in use, of a line of the port that it came from, and a sector that was asked for and has not arrived.
    contract_response: Signal<Local, Bit>,
    /// A pass and a write-back do not take an MSHR at the same edge, and none is taken while there is none.
    contract_one_takes: Signal<Local, Bit>,
    /// No MSHR of a remote line keeps: the caches take no response from the cluster.
    contract_keep: Signal<Local, Bit>,
}

impl Logic for MissTable {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, waiter_valid, waiter_needs, waiter_awaits, waiter_refers, waiter_tag, is_acquire);
        dff_setup!(self, clock, mshr_line, waiter_warp, ready);
        dff_setup!(self, clock, mshr_row, names_l1, names_ro, precedes, orders, asked, arrived, failed);
        dff_setup!(self, clock, ordered, is_ro, is_write, keep, matches, l1_names_here, ro_names_here);
        dff_setup!(
            self,
            clock,
            l1_named_before,
            ro_named_before,
            in_use,
            closed,
            waiters_full,
            mshrs_full,
            fills_rest,
            writes_back,
            local_held,
            write_back_held
        );

        // Rule ORDER: what is in flight.
        self.order_conflict.next = false;
        self.l1_reserved.next = 0.into();
        self.ro_reserved.next = 0.into();
        self.l1_lost.next = 0.into();
        self.ro_lost.next = 0.into();
        for i in 0..MISSES {
            if self.orders.q.val().get_bit(i) & (self.asked.q[i].val() & self.need.val()).any() {
                self.order_conflict.next = true;
            }
            if self.keep.q.val().get_bit(i) {
                self.l1_reserved.next = self.l1_reserved.val() | self.l1_names_here.q[i].val();
                self.ro_reserved.next = self.ro_reserved.val() | self.ro_names_here.q[i].val();
            } else {
                self.l1_lost.next = self.l1_lost.val() | self.l1_names_here.q[i].val();
                self.ro_lost.next = self.ro_lost.val() | self.ro_names_here.q[i].val();
            }
        }
        self.holds_tag.next = 0.into();
        for i in 0..MISSES {
            if self.waiter_valid.q.val().get_bit(i) {
                for j in 0..CANDIDATES {
                    if self.waiter_tag.q[i].val() == self.asked_tag[j].val() {
                        self.holds_tag.next = self.holds_tag.val().replace_bit(j, true);
                    }
                }
            }
        }
        self.conflict.next = self.order_conflict.val() | self.precedes.q.val().any();

        // Rules MISS, JOIN: the lowest free waiter, and an MSHR joined or the lowest that can be taken; x & -x keeps the lowest 1.
        self.full.next = self.waiters_full.q.val() | self.mshrs_full.q.val();
        self.has_waiter.next = !self.waiters_full.q.val();
        self.empty.next = !self.waiter_valid.q.val().any() & !self.writes_back.q.val().any();
        self.free_waiter.next = !self.waiter_valid.q.val() & (self.waiter_valid.q.val() + 1);
        self.has_mshr.next = !self.mshrs_full.q.val();
        self.free_mshr.next = !self.closed.q.val() & (self.closed.q.val() + 1);
        self.joinable.next = self.matches.q.val() & self.keep.q.val() & !self.is_ro.q.val() & !self.ordered.q.val();
        if self.operation.val().nc {
            self.joinable.next = self.matches.q.val() & self.keep.q.val() & self.is_ro.q.val();
        }
        self.may_join.next = self.operation.val().kept & self.joinable.val().any();
        self.joins.next = (self.may_join.val() & !self.operation.val().nc & !self.l1_forbids.val())
            | (self.may_join.val() & self.operation.val().nc & !self.ro_forbids.val());
        self.chosen.next = self.free_mshr.val();
        if self.joins.val() {
            self.chosen.next = self.joinable.val();
        }
        self.joined_asked.next = 0.into();
        self.joined_arrived.next = 0.into();
        self.mshr.next = 0.into();
        self.free_index.next = 0.into();
        self.taken_index.next = 0.into();
        for i in 0..MISSES {
            if self.free_mshr.val().get_bit(i) {
                self.free_index.next = self.free_index.val() | i.to_bits::<ENTRY_BITS>();
            }
            if self.joinable.val().get_bit(i) {
                self.joined_asked.next = self.joined_asked.val() | self.asked.q[i].val();
                self.joined_arrived.next = self.joined_arrived.val() | self.arrived.q[i].val();
            }
            if self.chosen.val().get_bit(i) {
                self.mshr.next = self.mshr.val() | i.to_bits::<ENTRY_BITS>();
            }
            if self.free_waiter.val().get_bit(i) {
                self.taken_index.next = self.taken_index.val() | i.to_bits::<ENTRY_BITS>();
            }
        }
        // Whether the waiter joins is known last.
        self.ask.next = self.miss.val();
        self.asks.next = true;
        if self.joins.val() {
            self.ask.next = self.miss.val() & !self.joined_asked.val();
            self.asks.next = (self.miss.val() & !self.joined_asked.val()).any();
        }

        // Rule READY: the lowest ready waiter.
        self.ready_valid.next = self.ready.q.val().any();
        self.picked.next = self.ready.q.val() & (!self.ready.q.val() + 1);
        self.leaves.next = 0.into();
        if self.ready_take.val() {
            self.leaves.next = self.picked.val();
        }
        self.picked_index.next = 0.into();
        self.picked_mshr.next = 0.into();
        self.ready_sectors.next = 0.into();
        for i in 0..MISSES {
            if self.picked.val().get_bit(i) {
                self.ready_sectors.next = self.ready_sectors.val() | self.waiter_needs.q[i].val();
                self.picked_index.next = self.picked_index.val() | i.to_bits::<ENTRY_BITS>();
                self.picked_mshr.next = self.picked_mshr.val() | self.waiter_refers.q[i].val();
            }
        }
        self.ready_row.next = 0.into();
        self.ready_line.next = 0.into();
        self.ready_failed.next = 0.into();
        for i in 0..MISSES {
            if self.picked_mshr.val().get_bit(i) {
                self.ready_row.next = self.ready_row.val() | self.mshr_row.q[i].val();
                self.ready_line.next = self.ready_line.val() | self.mshr_line.q[i].val();
                self.ready_failed.next = self.ready_failed.val() | self.failed.q[i].val();
            }
        }
        self.ready_pass.next.line = self.ready_line.val();
        self.ready_pass.next.row = self.ready_row.val();
        // Nothing is read for a store.
        self.ready_pass.next.sectors = self.ready_sectors.val();
        if (self.picked_mshr.val() & (self.is_write.q.val() | self.fills_rest.q.val())).any() {
            self.ready_pass.next.sectors = 0.into();
        }
        self.ready_pass.next.failed = self.ready_failed.val() & self.ready_sectors.val();
        self.acquired.next = (self.leaves.val() & self.is_acquire.q.val()).any();

        // The rest of a pass is only stored and read back. A free waiter takes whatever is in `tag`: whether that waits is known last.
        self.held_operation.clock.next = self.clock.val();
        self.held_operation.write_enable.next = self.has_waiter.val();
        self.held_operation.write_address.next = self.taken_index.val();
        self.held_operation.write_data.next = self.operation.val();
        self.held_operation.read_address.next = self.picked_index.val();
        self.ready_pass.next.operation = self.held_operation.read_data.val();
        self.held_lanes.clock.next = self.clock.val();
        self.held_lanes.write_enable.next = self.has_waiter.val();
        self.held_lanes.write_address.next = self.taken_index.val();
        self.held_lanes.write_data.next = self.lanes.val();
        self.held_lanes.read_address.next = self.picked_index.val();
        self.ready_pass.next.lanes = self.held_lanes.read_data.val();
        for i in 0..LANES {
            self.held_offset[i].clock.next = self.clock.val();
            self.held_offset[i].write_enable.next = self.has_waiter.val();
            self.held_offset[i].write_address.next = self.taken_index.val();
            self.held_offset[i].write_data.next = self.offset[i].val();
            self.held_offset[i].read_address.next = self.picked_index.val();
            self.ready_offset[i].next = self.held_offset[i].read_data.val();
        }

        // Rule RESPONSE.
        self.sector.next = 0.into();
        self.response.next = 0.into();
        for i in 0..4 {
            if self.rsp_valid.val() & (self.rsp_sector.val() == i.to_bits::<2>()) {
                self.sector.next = self.sector.val().replace_bit(i, true);
            }
        }
        self.answered.next = 0.into();
        for i in 0..MISSES {
            if self.rsp_mshr.val() == i.to_bits::<ENTRY_BITS>() {
                self.answered.next = self.answered.val().replace_bit(i, true);
            }
        }
        if self.rsp_valid.val() {
            self.response.next = self.answered.val();
        }
        self.fill_row.next = 0.into();
        self.write_back_error.next = (self.response.val() & self.writes_back.q.val()).any() & self.rsp_error.val();
        for i in 0..MISSES {
            if self.answered.val().get_bit(i) {
                self.fill_row.next = self.fill_row.val() | self.mshr_row.q[i].val();
            }
        }
        // Of either response whether it is that of a read, before it is known which there is.
        self.from_memory.next = 0.into();
        self.from_cluster.next = 0.into();
        for i in 0..MISSES {
            if self.memory_mshr.val() == i.to_bits::<ENTRY_BITS>() {
                self.from_memory.next = self.from_memory.val().replace_bit(i, true);
            }
            if self.answer_mshr.val() == i.to_bits::<ENTRY_BITS>() {
                self.from_cluster.next = self.from_cluster.val().replace_bit(i, true);
            }
        }
        self.row_fill.next = self.rsp_valid.val() & (self.from_memory.val() & !self.is_write.q.val()).any();
        if self.rsp_is_remote.val() {
            self.row_fill.next = self.rsp_valid.val() & (self.from_cluster.val() & !self.is_write.q.val()).any();
        }
        // What the caches take of it. Whether there is a response is known last.
        self.cache_sector.next = 0.into();
        for i in 0..4 {
            if self.rsp_valid.val() & !self.rsp_is_remote.val() & (self.memory_sector.val() == i.to_bits::<2>()) {
                self.cache_sector.next = self.cache_sector.val().replace_bit(i, true);
            }
        }
        self.fill_line.next = 0.into();
        self.l1_fill_ways.next = 0.into();
        self.ro_fill_ways.next = 0.into();
        for i in 0..MISSES {
            if self.from_memory.val().get_bit(i) {
                self.fill_line.next = self.fill_line.val() | self.mshr_line.q[i].val();
                self.l1_fill_ways.next = self.l1_fill_ways.val() | self.names_l1.q[i].val();
                self.ro_fill_ways.next = self.ro_fill_ways.val() | self.names_ro.q[i].val();
            }
        }
        self.fills_l1.next = self.keep.q.val() & !self.is_write.q.val() & !self.is_ro.q.val();
        self.fills_ro.next = self.keep.q.val() & !self.is_write.q.val() & self.is_ro.q.val();
        self.holds_stored.next = self.keep.q.val() & self.is_write.q.val();
        self.l1_fill.next = 0.into();
        self.ro_fill.next = 0.into();
        self.l1_undo.next = 0.into();
        self.l1_dirties.next = 0.into();
        if (self.from_memory.val() & self.fills_l1.val()).any() & !self.memory_error.val() {
            self.l1_fill.next = self.cache_sector.val();
        }
        if (self.from_memory.val() & self.fills_ro.val()).any() & !self.memory_error.val() {
            self.ro_fill.next = self.cache_sector.val();
        }
        if (self.from_memory.val() & self.holds_stored.val()).any() & self.memory_error.val() {
            self.l1_undo.next = self.cache_sector.val();
        }
        if (self.from_memory.val() & self.fills_l1.val() & self.fills_rest.q.val()).any() & !self.memory_error.val() {
            self.l1_dirties.next = self.cache_sector.val();
        }
        // Which bytes the store in `tag` has written is kept whether or not it takes the MSHR.
        self.is_local_store.next = self.operation.val().is_store & self.operation.val().is_local;
        for i in 0..8 {
            self.stored[i].clock.next = self.clock.val();
            self.stored[i].write_enable.next = self.has_mshr.val();
            self.stored[i].write_address.next = self.free_index.val();
            self.stored[i].write_data.next = 0.into();
            if self.is_local_store.val() {
                self.stored[i].write_data.next = self.strobe[i].val();
            }
            self.stored[i].read_address.next = self.rsp_mshr.val();
            self.fill_strobe[i].next = !self.stored[i].read_data.val();
        }

        // What takes an MSHR: the pass in `tag`, or what is written back while that waits.
        self.taken_line.next = self.line.val();
        self.taken_is_local.next = self.line.val().get_bit(LOCAL_LINE) | self.write_back_full.val();
        self.taken_asked.next = self.miss.val();
        self.taken_keeps.next = self.keeps.val();
        self.taken_is_write.next = self.operation.val().is_store & !self.operation.val().is_local;
        self.taken_is_ordered.next = self.operation.val().ordered;
        if self.write_back_full.val() {
            self.taken_line.next = self.write_back_line.val();
            self.taken_asked.next = 0.into();
            for i in 0..4 {
                if self.write_back_sector.val() == i.to_bits::<2>() {
                    self.taken_asked.next = self.taken_asked.val().replace_bit(i, true);
                }
            }
            self.taken_keeps.next = false;
            self.taken_is_write.next = true;
            self.taken_is_ordered.next = true;
        }

        // What becomes of the waiters and of the MSHRs.
        self.first_own_row.next = FIRST_OWN_ROW.to_bits::<ROW_BITS>();
        for i in 0..MISSES {
            self.l1_row[i].line.next = self.mshr_line.q[i].val();
            self.l1_row[i].ways.next = self.names_l1.q[i].val();
            self.ro_row[i].line.next = self.mshr_line.q[i].val();
            self.ro_row[i].ways.next = self.names_ro.q[i].val();
            self.mshr_row.d[i].next = self.first_own_row.val() | i.to_bits::<ROW_BITS>();
            if self.names_l1.q[i].val().any() {
                self.mshr_row.d[i].next = self.l1_row[i].row.val();
            }
            if self.names_ro.q[i].val().any() {
                self.mshr_row.d[i].next = self.ro_row[i].row.val();
            }
        }
        // What would be taken is loaded in any case: only whether it counts hangs on whether `tag` moves.
        self.waiting.next = self.waiter_valid.q.val() & !self.leaves.val();
        self.referred.next = self.writes_back.q.val();
        self.lines_local.next = 0.into();
        for i in 0..MISSES {
            self.lines_local.next =
                self.lines_local.val().replace_bit(i, self.mshr_line.q[i].val().get_bit(LOCAL_LINE));
            if self.waiter_valid.q.val().get_bit(i) {
                self.referred.next = self.referred.val() | self.waiter_refers.q[i].val();
            }
        }
        self.waiting_more.next = self.waiting.val();
        self.referred_more.next = self.referred.val();
        if self.allocates.val() {
            self.waiting_more.next = self.waiting.val() | self.free_waiter.val();
            self.referred_more.next = self.referred.val() | self.chosen.val();
        }
        self.waiter_valid.d.next = self.waiting.val();
        self.in_use.d.next = self.referred.val();
        self.closed.d.next = self.referred.val() | self.own_to_read.val();
        // What becomes of the MSHRs is decided for both ways of taking one: which of them it is, is known late.
        self.full_if_stayed.next = !(!(self.referred.val() | self.own_to_read.val())).any();
        self.full_if_joined.next = !(!(self.referred.val() | self.joinable.val() | self.own_to_read.val())).any();
        self.full_if_new.next = !(!(self.referred.val() | self.free_mshr.val() | self.own_to_read.val())).any();
        self.full_if_taken.next = self.full_if_new.val();
        if self.joins.val() {
            self.full_if_taken.next = self.full_if_joined.val();
        }
        self.waiters_full.d.next = !(!self.waiting.val()).any();
        self.mshrs_full.d.next = self.full_if_stayed.val();
        if self.next_comes.val() {
            self.waiter_valid.d.next = self.waiting_more.val();
            self.waiters_full.d.next = !(!self.waiting_more.val()).any();
            self.in_use.d.next = self.referred_more.val();
            self.closed.d.next = self.referred_more.val() | self.own_to_read.val();
        }
        self.writes_back.d.next = self.writes_back.q.val() & !self.response.val();
        if self.write_back_goes.val() {
            self.writes_back.d.next = (self.writes_back.q.val() & !self.response.val()) | self.free_mshr.val();
            self.in_use.d.next = self.referred.val() | self.free_mshr.val();
            self.closed.d.next = self.referred.val() | self.free_mshr.val() | self.own_to_read.val();
            self.mshrs_full.d.next = self.full_if_new.val();
        }
        if self.next_comes.val() & self.allocates.val() {
            self.mshrs_full.d.next = self.full_if_taken.val();
        }
        // Of the MSHRs with a local line those of write-backs are the only writes, and no waiter refers to one.
        self.holds_local.next = self.local_held.q.val();
        self.holds_write_back.next = self.write_back_held.q.val();
        self.local_held.d.next = (self.referred.val() & self.lines_local.val() & !self.is_write.q.val()).any()
            | (self.next_comes.val() & self.allocates.val() & self.line.val().get_bit(LOCAL_LINE));
        self.write_back_held.d.next = self.writes_back.q.val().any() | self.write_back_goes.val();
        self.still_to_come.next = self.miss.val() & !self.joined_arrived.val();
        if (self.response.val() & self.joinable.val()).any() {
            self.still_to_come.next = self.miss.val() & !self.joined_arrived.val() & !self.sector.val();
        }
        self.awaited.next = self.miss.val();
        if self.joins.val() {
            self.awaited.next = self.still_to_come.val();
        }
        // Only of an MSHR that is joined all sectors may have come.
        self.is_ready.next = self.allocates.val() & self.joins.val() & !self.still_to_come.val().any();
        self.ready_next.next = 0.into();
        self.flushes_l1.next = 0.into();
        self.keep_next.next = self.keep.q.val();
        for i in 0..MISSES {
            self.still_awaited[i].next = self.waiter_awaits.q[i].val();
            if (self.response.val() & self.waiter_refers.q[i].val()).any() {
                self.still_awaited[i].next = self.waiter_awaits.q[i].val() & !self.sector.val();
            }
            self.waiter_awaits.d[i].next = self.still_awaited[i].val();
            self.ready_next.next = self
                .ready_next
                .val()
                .replace_bit(i, self.waiting.val().get_bit(i) & !self.still_awaited[i].val().any());
            if self.next_comes.val() & (self.is_ready.val() & self.free_waiter.val().get_bit(i)) {
                self.ready_next.next = self.ready_next.val().replace_bit(i, true);
            }
            if self.free_waiter.val().get_bit(i) {
                self.waiter_awaits.d[i].next = self.awaited.val();
                self.waiter_needs.d[i].next = self.miss.val();
                self.waiter_refers.d[i].next = self.chosen.val();
                self.waiter_tag.d[i].next = self.operation.val().tag;
                self.waiter_warp.d[i].next = self.operation.val().warp;
                self.is_acquire.d.next = self.is_acquire.q.val().replace_bit(i, self.operation.val().acquire);
            }
            if self.response.val().get_bit(i) {
                self.arrived.d[i].next = self.arrived.q[i].val() | self.sector.val();
                if self.rsp_error.val() {
                    self.failed.d[i].next = self.failed.q[i].val() | self.sector.val();
                }
            }
            if self.next_comes.val() & (self.allocates.val() & self.joins.val() & self.joinable.val().get_bit(i)) {
                self.asked.d[i].next = self.asked.q[i].val() | self.miss.val();
            }
            if self.free_mshr.val().get_bit(i) {
                self.mshr_line.d[i].next = self.taken_line.val();
                self.names_l1.d[i].next = 0.into();
                self.names_ro.d[i].next = 0.into();
                if !self.write_back_full.val() {
                    self.names_l1.d[i].next = self.l1_ways.val();
                    self.names_ro.d[i].next = self.ro_ways.val();
                }
                self.is_write.d.next = self.is_write.q.val().replace_bit(i, self.taken_is_write.val());
                self.fills_rest.d.next =
                    self.fills_rest.q.val().replace_bit(i, self.is_local_store.val() & !self.write_back_full.val());
                self.asked.d[i].next = self.taken_asked.val();
                self.arrived.d[i].next = 0.into();
                self.failed.d[i].next = 0.into();
                self.ordered.d.next = self.ordered.q.val().replace_bit(i, self.taken_is_ordered.val());
                self.is_ro.d.next = self.is_ro.q.val().replace_bit(i, self.operation.val().nc);
            }
            // Rule KEEP-LOST: the place in the cache is dropped, or the cache is emptied.
            if self.drop_line.val()
                & self.matches.q.val().get_bit(i)
                & !self.is_ro.q.val().get_bit(i)
                & !self.ordered.q.val().get_bit(i)
            {
                self.keep_next.next = self.keep_next.val().replace_bit(i, false);
            }
            if self.flush_ro.val() & self.is_ro.q.val().get_bit(i) {
                self.keep_next.next = self.keep_next.val().replace_bit(i, false);
            }
            // Rule FLUSH: it acts last: an acquire may empty L1 as a store that hits it is allocated.
            self.flushes_l1.next = self
                .flushes_l1
                .val()
                .replace_bit(i, !self.is_ro.q.val().get_bit(i) & !self.mshr_line.q[i].val().get_bit(LOCAL_LINE));
            if self.free_mshr.val().get_bit(i) {
                self.keep_next.next = self.keep_next.val().replace_bit(i, self.taken_keeps.val());
                self.flushes_l1.next =
                    self.flushes_l1.val().replace_bit(i, !self.operation.val().nc & !self.taken_is_local.val());
            }
        }
        self.flushed.next = 0.into();
        if self.flush_l1.val() {
            self.flushed.next = self.flushes_l1.val();
        }
        self.keep.d.next = self.keep_next.val() & !self.flushed.val();
        self.ready.d.next = self.ready_next.val();

        // The pass that `tag` takes, against the lines as they are after this edge.
        self.next_matches.next = 0.into();
        self.next_orders.next = 0.into();
        self.next_precedes.next = 0.into();
        self.next_beside_l1.next = 0.into();
        self.next_beside_ro.next = 0.into();
        self.l1_named_here.next = 0.into();
        self.ro_named_here.next = 0.into();
        self.l1_named_there.next = 0.into();
        self.ro_named_there.next = 0.into();
        for i in 0..MISSES {
            self.line_is_same.next = self.mshr_line.q[i].val() == self.next_line.val();
            self.line_is_beside_l1.next =
                self.mshr_line.q[i].val().get_bits::<L1_SET_BITS>(0) == self.next_line.val().get_bits::<L1_SET_BITS>(0);
            self.line_is_beside_ro.next =
                self.mshr_line.q[i].val().get_bits::<RO_SET_BITS>(0) == self.next_line.val().get_bits::<RO_SET_BITS>(0);
            // Rule PINNED: ways named in either set, before it is known whether the pass comes.
            self.l1_named_here.next = self.l1_named_here.val() | self.l1_names_here.q[i].val();
            self.ro_named_here.next = self.ro_named_here.val() | self.ro_names_here.q[i].val();
            if self.in_use.q.val().get_bit(i) {
                if self.line_is_beside_l1.val() {
                    self.l1_named_there.next = self.l1_named_there.val() | self.names_l1.q[i].val();
                }
                if self.line_is_beside_ro.val() {
                    self.ro_named_there.next = self.ro_named_there.val() | self.names_ro.q[i].val();
                }
            }
            // Rules ACQUIRE, RELEASE. A waiter that is taken is one of the operation in `tag`.
            self.acquires.next = self.is_acquire.q.val().get_bit(i);
            self.is_older.next = (self.waiter_warp.q[i].val() == self.next_operation.val().warp)
                & (self.waiter_tag.q[i].val() != self.next_operation.val().tag);
            if self.free_waiter.val().get_bit(i) {
                self.acquires.next = self.operation.val().acquire;
                self.is_older.next = (self.operation.val().warp == self.next_operation.val().warp)
                    & (self.operation.val().tag != self.next_operation.val().tag);
            }
            self.next_precedes.next = self.next_precedes.val().replace_bit(
                i,
                self.next_has_lanes.val()
                    & !self.next_operation.val().nc
                    & ((self.is_older.val() & self.acquires.val() & !self.next_operation.val().is_store)
                        | (self.is_older.val() & self.next_operation.val().release)),
            );
            if self.free_mshr.val().get_bit(i) {
                self.line_is_same.next = self.next_is_same.val();
                self.line_is_beside_l1.next = self.next_is_beside_l1.val();
                self.line_is_beside_ro.next = self.next_is_beside_ro.val();
            }
            // Rule ORDER.
            self.is_l1.next = !self.is_ro.q.val().get_bit(i);
            self.is_ordered.next = self.ordered.q.val().get_bit(i);
            if self.free_mshr.val().get_bit(i) {
                self.is_l1.next = !self.operation.val().nc;
                self.is_ordered.next = self.operation.val().ordered;
            }
            self.next_orders.next = self.next_orders.val().replace_bit(
                i,
                self.line_is_same.val()
                    & self.next_has_line.val()
                    & self.is_l1.val()
                    & !self.next_operation.val().nc
                    & (self.next_operation.val().ordered | self.is_ordered.val()),
            );
            self.next_matches.next = self.next_matches.val().replace_bit(i, self.line_is_same.val());
            self.next_beside_l1.next = self.next_beside_l1.val().replace_bit(i, self.line_is_beside_l1.val());
            self.next_beside_ro.next = self.next_beside_ro.val().replace_bit(i, self.line_is_beside_ro.val());
        }

        self.l1_named.next = self.l1_named_before.q.val();
        self.ro_named.next = self.ro_named_before.q.val();
        self.l1_named_before.d.next = self.l1_named_here.val();
        self.ro_named_before.d.next = self.ro_named_here.val();
        // What leaves counts no more; what is taken counts as another pass comes. Which of both ways it is taken in is known as late as that.
        self.joined.next = 0.into();
        self.taken.next = 0.into();
        if self.next_comes.val() & self.allocates.val() {
            if self.joins.val() {
                self.joined.next = self.joinable.val();
            } else {
                self.taken.next = self.free_mshr.val();
            }
        }
        self.matches_then.next = self.matches.q.val();
        self.orders_then.next = self.orders.q.val();
        self.precedes.d.next = self.precedes.q.val() & self.waiting.val();
        if self.next_comes.val() {
            self.matches_then.next = self.next_matches.val();
            self.orders_then.next = self.next_orders.val();
            self.precedes.d.next = self.next_precedes.val() & self.waiting_more.val();
            self.l1_named_before.d.next = self.l1_named_there.val();
            self.ro_named_before.d.next = self.ro_named_there.val();
        }
        self.matches.d.next = (self.matches_then.val() & self.referred.val())
            | (self.next_matches.val() & (self.joined.val() | self.taken.val()));
        self.orders.d.next = (self.orders_then.val() & self.referred.val())
            | (self.next_orders.val() & (self.joined.val() | self.taken.val()));
        for i in 0..MISSES {
            // Ways that it names in the set that is told of.
            self.l1_names.next = self.l1_names_here.q[i].val();
            self.ro_names.next = self.ro_names_here.q[i].val();
            self.l1_joined_names.next = 0.into();
            self.ro_joined_names.next = 0.into();
            if self.next_beside_l1.val().get_bit(i) {
                self.l1_joined_names.next = self.names_l1.q[i].val();
            }
            if self.next_beside_ro.val().get_bit(i) {
                self.ro_joined_names.next = self.names_ro.q[i].val();
            }
            if self.next_comes.val() {
                self.l1_names.next = self.l1_joined_names.val();
                self.ro_names.next = self.ro_joined_names.val();
            }
            if !self.referred.val().get_bit(i) {
                self.l1_names.next = 0.into();
                self.ro_names.next = 0.into();
            }
            if self.joined.val().get_bit(i) {
                self.l1_names.next = self.l1_names.val() | self.l1_joined_names.val();
                self.ro_names.next = self.ro_names.val() | self.ro_joined_names.val();
            }
            if self.taken.val().get_bit(i) & self.next_is_beside_l1.val() {
                self.l1_names.next = self.l1_names.val() | self.l1_ways.val();
            }
            if self.taken.val().get_bit(i) & self.next_is_beside_ro.val() {
                self.ro_names.next = self.ro_names.val() | self.ro_ways.val();
            }
            self.l1_names_here.d[i].next = self.l1_names.val();
            self.ro_names_here.d[i].next = self.ro_names.val();
        }

        self.contract_one_takes.next = !(self.next_comes.val() & self.allocates.val() & self.write_back_full.val())
            & (!self.write_back_goes.val() | self.has_mshr.val());
        self.contract_keep.next = true;
        self.contract_response.next = true;
        for i in 0..MISSES {
            if self.in_use.q.val().get_bit(i)
                & self.keep.q.val().get_bit(i)
                & self.mshr_line.q[i].val().get_bit(MEMORY_LINE)
            {
                self.contract_keep.next = false;
            }
            if self.response.val().get_bit(i)
                & !(self.in_use.q.val().get_bit(i)
                    & (self.mshr_line.q[i].val().get_bit(MEMORY_LINE) == self.rsp_is_remote.val())
                    & (self.sector.val() & self.asked.q[i].val() & !self.arrived.q[i].val()).any())
            {
                self.contract_response.next = false;
            }
        }
    }
}
