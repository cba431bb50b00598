//! `Coalescer`: place `issue` of the global path: one pass a cycle, the lanes that share the leader's line, or that banks serve together.
//!
//! ```text
//! checked operation ─► SameLine or SameBlocks ─┬─► group ─► need, places in banks ─► tag (loads, commands)
//!                                              │                                 ├─► bank (shared loads)
//!                                              │                                 └─► merge (stores)
//!                                              └─► rest ─┬─► next leader ─► SameLine or SameBlocks ─► group, rest of the next pass
//!                                                        └─► fault record
//! ```
//!
//! Pairs of shared lanes are compared as the operation comes ([`bank_pairs`](super::bank_pairs)), and what is left decides with them.
//!
//! A local lane's address is that in memory, of its first word, but for `local_memory`, which each pass's line takes in. The words of a
//! group follow each other with its lanes and its line as they are, but for the bits that number the word.
//!
//! Only one line is compared in a cycle: the next pass is made while the present one leaves, so k lines take k cycles
//! without a comparison of every pair of lanes. A pass is compared before it is in `issue`: which lanes it has, and whether any are left
//! for another, is known from the start of the cycle, because the places before `issue` wait for it.
//!
//! Assertions: `contract_word`.

use super::prelude::*;
use super::{
    bank_pairs::BankPairs, bank_places::BankPlaces, local_line::LocalLine, same_blocks::SameBlocks, same_line::SameLine,
};

/// Place `issue` of the global path: one pass a cycle.
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
    /// Lanes that make passes, if there is no fault.
    pub in_lanes: Signal<In, Bits<LANES>>,
    /// Lanes that the fault names, if there is one.
    pub in_fault_lanes: Signal<In, Bits<LANES>>,
    /// The lowest of those that make passes, if any does.
    pub in_leader: Signal<In, Bits<LANES>>,
    /// Its address.
    pub in_leader_address: Signal<In, Bits<ADDR>>,
    /// Address of each lane.
    pub in_address: Many<Signal<In, Bits<ADDR>>, LANES>,
    /// Shared lanes.
    pub in_shared: Signal<In, Bits<LANES>>,
    /// From a shared lane's address to its shared address, in granules.
    pub in_shared_shift: Signal<In, Bits<GRANULE_BITS>>,
    /// Local lanes that are not beyond local memory.
    pub in_local_lanes: Signal<In, Bits<LANES>>,
    /// Where local memory lies in memory.
    pub local_memory: Signal<In, Bits<ADDR>>,

    /// Store data is offered.
    pub wdata_valid: Signal<In, Bit>,
    /// It is taken at this edge.
    pub wdata_ready: Signal<Out, Bit>,
    /// The store that the environment sends it for.
    pub wdata_tag: Signal<In, Bits<8>>,
    /// A beat is taken at this edge that was sent for another store.
    pub wrong_tag: Signal<Out, Bit>,
    /// The beat is stored at this edge, as the register `beat_index`.
    pub beat_write: Signal<Out, Bit>,
    /// Register of the store.
    pub beat_index: Signal<Out, Bits<3>>,
    /// `merge` holds no pass.
    pub merge_empty: Signal<In, Bit>,

    /// A load's pass that is not shared, or a command, is offered to `tag`.
    pub load_valid: Signal<Out, Bit>,
    /// It is taken at this edge.
    pub load_ready: Signal<In, Bit>,
    /// `tag` holds a shared store's pass.
    pub shared_store_waits: Signal<In, Bit>,
    /// A shared load's pass is offered to `bank`.
    pub bank_valid: Signal<Out, Bit>,
    /// It is taken at this edge.
    pub bank_ready: Signal<In, Bit>,
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
    /// Offset in the line, or in 128 bytes of shared memory, of each lane.
    pub offset: Many<Signal<Out, Bits<7>>, LANES>,
    /// Row of shared memory in which each lane of a shared pass lies.
    pub shared_row: Many<Signal<Out, Bits<SHARED_ROW_BITS>>, LANES>,
    /// Word of each bank that a shared pass needs.
    pub place: Many<Signal<Out, Bits<PLACE_BITS>>, LANES>,
    /// Byte in its sector of the lowest lane.
    pub leader_byte: Signal<Out, Bits<5>>,
    /// A pass, not a command, leaves at this edge.
    pub issues: Signal<Out, Bit>,
    /// It is not its operation's first.
    pub replays: Signal<Out, Bit>,

    /// A fault record is offered.
    pub faults: FaultPort,
    /// Its address counts from where the local window begins.
    pub fault_is_windowed: Signal<Out, Bit>,

    full: Register<Bit>,
    /// The opposite, but for the cycle after a reset, in which nothing is offered: `check` learns from it whether `issue` is free.
    vacant: Register<Bit>,
    held: Register<Operation>,
    cause: Register<Bits<3>>,
    /// `issue` holds passes of a load or a command; or of a store; or a fault: said once more than `full`, `held` and `cause` say it, to be known at once.
    loads: Register<Bit>,
    stores: Register<Bit>,
    faulty: Register<Bit>,
    /// Lanes that the pass is made for; a fault has none.
    group: Register<Bits<LANES>>,
    /// They are shared.
    is_shared: Register<Bit>,
    /// They are local.
    is_local: Register<Bit>,
    /// Then the pass's word; else 0.
    word: Register<Bits<2>>,
    /// Every element of that word is sunk, so that the pass is empty.
    is_sunk: Register<Bit>,
    /// The group makes another pass, of the next word.
    word_follows: Register<Bit>,
    /// Local lanes of the operation.
    local_lanes: Register<Bits<LANES>>,
    /// Shared lanes of the operation, and what their addresses have in common.
    shared: Register<Bits<LANES>>,
    shared_shift: Register<Bits<GRANULE_BITS>>,
    same_banks: Registers<Bits<LANES>, LANES>,
    same_block: Registers<Bits<LANES>, LANES>,
    /// Lanes that are left for later passes, or those that the fault names.
    rest: Register<Bits<LANES>>,
    /// The present pass is not its operation's last.
    continues: Register<Bit>,
    /// Line of the pass, but for what makes it local or remote.
    line: Register<Bits<MEMORY_LINE>>,
    leader_offset: Register<Bits<5>>,
    address: Registers<Bits<ADDR>, LANES>,
    beats_taken: Register<Bits<3>>,
    beats_left: Register<Bits<6>>,
    /// All beats are there.
    has_data: Register<Bit>,
    is_later: Register<Bit>,
    /// The pass that begins an operation, and the one that follows the present pass.
    first: SameLine,
    following: SameLine,
    pairs: BankPairs,
    first_blocks: SameBlocks,
    following_blocks: SameBlocks,
    places: BankPlaces,
    first_is_shared: Signal<Local, Bit>,
    following_is_shared: Signal<Local, Bit>,
    first_is_local: Signal<Local, Bit>,
    following_is_local: Signal<Local, Bit>,
    /// Lanes that may be of the pass that comes, if none is shared: of the one or of the other.
    may_begin: Signal<Local, Bits<LANES>>,
    may_follow: Signal<Local, Bits<LANES>>,
    /// Lanes of the pass that comes, if it is shared.
    shared_group: Signal<Local, Bits<LANES>>,
    coming_group: Signal<Local, Bits<LANES>>,
    /// Lanes of which it is made, or those that the fault names.
    coming_lanes: Signal<Local, Bits<LANES>>,
    coming_address: Signal<Local, Bits<ADDR>>,
    coming_is_local: Signal<Local, Bit>,
    coming_has_words: Signal<Local, Bit>,
    coming_is_sunk: Signal<Local, Bit>,
    /// The operation as the pass has it.
    served: Signal<Local, Operation>,
    /// Lanes of the pass.
    lanes: Signal<Local, Bits<LANES>>,
    /// What a word's number adds to an address, and what going on to the next one changes in it.
    word_bits: Signal<Local, Bits<ADDR>>,
    word_step: Signal<Local, Bits<ADDR>>,
    next_word: Signal<Local, Bits<2>>,
    next_follows: Signal<Local, Bit>,
    /// The line that comes, by its number in memory, and by that.
    coming_memory: Signal<Local, Bits<LINE>>,
    coming_line: LocalLine,
    line_step: Signal<Local, Bits<MEMORY_LINE>>,
    /// What says in a line's number that it is remote, or local.
    line_kind: Signal<Local, Bits<LINE>>,
    need: Signal<Local, Bits<4>>,
    beats: Signal<Local, Bits<6>>,
    registers: Signal<Local, Bits<3>>,
    in_faulty: Signal<Local, Bit>,
    in_begins: Signal<Local, Bit>,
    /// Lanes left for later passes, unless there is a fault: never lane 0, which leads the first pass if it is active.
    left: Signal<Local, Bits<LANES>>,
    next_leader: Signal<Local, Bits<LANES>>,
    has_lower: Signal<Local, Bit>,
    /// Whether any lane is left below each node of a tree: node n is above 2n and 2n + 1, and lanes are leaves.
    left_of: Signal<Local, Bits<NODES>>,
    first_of: Many<Signal<Local, Bits<ADDR>>, NODES>,
    /// Whether that lane is local, and whether it is shared; neither if none is left.
    local_of: Signal<Local, Bits<NODES>>,
    shared_of: Signal<Local, Bits<NODES>>,
    next_address: Signal<Local, Bits<ADDR>>,
    /// The lane that a fault record takes its address from.
    fault_lane_is_local: Signal<Local, Bit>,
    fault_lane_address: Signal<Local, Bits<ADDR>>,
    sends: Signal<Local, Bit>,
    drops: Signal<Local, Bit>,
    next_rest: Signal<Local, Bits<LANES>>,
    /// Lanes are left behind the pass that comes, if it is the one or the other; and behind the one that comes indeed.
    first_splits: Signal<Local, Bit>,
    following_splits: Signal<Local, Bit>,
    others_left: Signal<Local, Bit>,
    changes: Signal<Local, Bit>,
    takes: Signal<Local, Bit>,

    /// The first word of a local lane has a number that is a multiple of the words of its access.
    contract_word: Signal<Local, Bit>,
}

impl Logic for Coalescer {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, full, held, cause, group, rest, line, leader_offset, address, beats_taken, beats_left);
        dff_setup!(self, clock, continues, is_later, vacant, loads, stores, faulty, has_data);
        dff_setup!(self, clock, is_shared, shared, shared_shift, same_banks, same_block);
        dff_setup!(self, clock, is_local, word, is_sunk, word_follows, local_lanes);
        clock!(self, clock, places);

        // Rule BEATS: what is missing is counted down, so that no arithmetic stands before the choice of the pass.
        self.wdata_ready.next = self.full.q.val() & !self.has_data.q.val() & self.merge_empty.val();
        self.beat_write.next = self.wdata_ready.val() & self.wdata_valid.val();
        self.wrong_tag.next = self.beat_write.val() & (self.wdata_tag.val() != self.held.q.val().tag);
        self.beat_index.next = self.beats_taken.q.val();

        // Rule PASS: of a local load's word that is sunk the pass is empty.
        self.lanes.next = self.group.q.val();
        if self.is_sunk.q.val() {
            self.lanes.next = 0.into();
        }
        // The sectors of the pass's lanes. A word's number may lie among the bits of a sector's.
        self.word_bits.next = bit_cast::<ADDR, 2>(self.word.q.val()) << LOCAL_WORD.to_bits::<6>();
        self.need.next = 0.into();
        for i in 0..LANES {
            for j in 0..4 {
                if self.lanes.val().get_bit(i)
                    & ((self.address.q[i].val() | self.word_bits.val()).get_bits::<2>(5) == j.to_bits::<2>())
                {
                    self.need.next = self.need.val().replace_bit(j, true);
                }
            }
        }
        self.places.is_shared.next = self.is_shared.q.val();
        self.places.shift.next = self.shared_shift.q.val();
        self.places.last_word.next = self.held.q.val().last_word;
        self.places.group.next = self.group.q.val();
        Arrays::join(&mut self.places.address, &mut self.address.q);
        for i in 0..LANES {
            self.offset[i].next = self.places.offset[i].val() | self.word_bits.val().get_bits::<7>(0);
        }
        Arrays::join(&mut self.shared_row, &mut self.places.shared_row);
        Arrays::join(&mut self.place, &mut self.places.place);
        // Rules CLUSTER, LOCAL: a line that is remote, or local, is no other's.
        self.line_kind.next = 0.into();
        self.line_kind.next =
            self.line_kind.val().replace_bit(MEMORY_LINE, self.held.q.val().space == SPACE_SHARED_CLUSTER);
        self.line_kind.next = self.line_kind.val().replace_bit(LOCAL_LINE, self.is_local.q.val());
        self.pass.next.has_line = self.lanes.val().any() & !self.is_shared.q.val();
        self.pass.next.is_shared = self.is_shared.q.val();
        self.pass.next.group = self.lanes.val();
        self.pass.next.need = self.need.val();
        self.pass.next.line = bit_cast::<LINE, MEMORY_LINE>(self.line.q.val()) | self.line_kind.val();
        self.leader_byte.next = self.leader_offset.q.val();
        // Rule LOCAL: no other thread sees local memory, so that nothing of a local pass is ordered but with its own.
        self.served.next = self.held.q.val();
        self.served.next.is_local = self.is_local.q.val();
        self.served.next.word = self.word.q.val();
        self.served.next.last_use = false;
        if self.is_local.q.val() {
            self.served.next.sem = SEM_WEAK.into();
            if !self.held.q.val().last_use {
                self.served.next.cop = COP_DEFAULT.into();
            }
            self.served.next.ordered = self.held.q.val().is_store;
            self.served.next.looked_up = !self.held.q.val().is_store;
            self.served.next.kept = !self.held.q.val().is_store
                & (self.held.q.val().l1_evict != L1_EVICT_NO_ALLOCATE)
                & !self.held.q.val().last_use;
            // Rule LAST-USE: lanes with whole words.
            self.served.next.last_use = !self.held.q.val().is_store
                & self.held.q.val().last_use
                & (self.held.q.val().size.get_bits::<2>(1).any()
                    | self.held.q.val().vec.get_bit(1)
                    | (self.held.q.val().size.get_bit(0) & self.held.q.val().vec.get_bit(0)));
            self.served.next.acquire = false;
        }
        self.pass.next.operation = self.served.val();

        // The next leader.
        self.left.next = self.rest.q.val().replace_bit(0, false);
        self.next_leader.next = 0.into();
        self.has_lower.next = false;
        for i in 0..LANES {
            self.next_leader.next =
                self.next_leader.val().replace_bit(i, self.left.val().get_bit(i) & !self.has_lower.val());
            self.has_lower.next = self.has_lower.val() | self.left.val().get_bit(i);
        }
        // Its address: of two nodes the one with the lower lanes, if any of those is left.
        self.first_of[0].next = 0.into();
        self.left_of.next = 0.into();
        self.local_of.next = 0.into();
        self.shared_of.next = 0.into();
        for i in 0..LANES {
            self.first_of[LANES + i].next = self.address.q[i].val();
            self.left_of.next = self.left_of.val().replace_bit(LANES + i, self.left.val().get_bit(i));
            self.local_of.next = self
                .local_of
                .val()
                .replace_bit(LANES + i, self.left.val().get_bit(i) & self.local_lanes.q.val().get_bit(i));
            self.shared_of.next = self
                .shared_of
                .val()
                .replace_bit(LANES + i, self.left.val().get_bit(i) & self.shared.q.val().get_bit(i));
        }
        for i in 1..LANES {
            self.left_of.next = self.left_of.val().replace_bit(
                LANES - i,
                self.left_of.val().get_bit((LANES - i) * 2) | self.left_of.val().get_bit((LANES - i) * 2 + 1),
            );
            self.first_of[LANES - i].next = self.first_of[(LANES - i) * 2 + 1].val();
            self.local_of.next =
                self.local_of.val().replace_bit(LANES - i, self.local_of.val().get_bit((LANES - i) * 2 + 1));
            self.shared_of.next =
                self.shared_of.val().replace_bit(LANES - i, self.shared_of.val().get_bit((LANES - i) * 2 + 1));
            if self.left_of.val().get_bit((LANES - i) * 2) {
                self.first_of[LANES - i].next = self.first_of[(LANES - i) * 2].val();
                self.local_of.next =
                    self.local_of.val().replace_bit(LANES - i, self.local_of.val().get_bit((LANES - i) * 2));
                self.shared_of.next =
                    self.shared_of.val().replace_bit(LANES - i, self.shared_of.val().get_bit((LANES - i) * 2));
            }
        }
        self.next_address.next = self.first_of[1].val();

        // Rule PASS: the lanes of the pass that comes. Each of the two that may come has a comparison of its own, which need not wait for the choice.
        self.in_faulty.next = self.in_cause.val() != CAUSE_NONE;
        self.in_begins.next = self.in_valid.val() & !self.in_faulty.val();
        self.first_is_shared.next = (self.in_leader.val() & self.in_shared.val() & self.in_lanes.val()).any();
        self.following_is_shared.next = self.shared_of.val().get_bit(1);
        self.first_is_local.next = (self.in_leader.val() & self.in_local_lanes.val() & self.in_lanes.val()).any();
        self.following_is_local.next = self.local_of.val().get_bit(1);
        self.first.lanes.next = self.in_lanes.val();
        self.first.local_lanes.next = self.in_local_lanes.val();
        self.first.leader.next = self.in_leader.val();
        self.first.leader_is_local.next = self.first_is_local.val();
        self.first.leader_address.next = self.in_leader_address.val();
        Arrays::join(&mut self.first.address, &mut self.in_address);
        self.first.is_store.next = self.in_operation.val().is_store;
        self.first.mmio.next = self.in_operation.val().mmio;
        self.following.lanes.next = self.left.val();
        self.following.local_lanes.next = self.local_lanes.q.val();
        self.following.leader.next = self.next_leader.val();
        self.following.leader_is_local.next = self.following_is_local.val();
        self.following.leader_address.next = self.next_address.val();
        Arrays::join(&mut self.following.address, &mut self.address.q);
        self.following.is_store.next = self.held.q.val().is_store;
        self.following.mmio.next = self.held.q.val().mmio;

        // Rule BANK: the same of a shared leader.
        self.pairs.any.next = self.in_shared.val().any();
        Arrays::join(&mut self.pairs.address, &mut self.in_address);
        self.first_blocks.lanes.next = self.in_lanes.val() & self.in_shared.val();
        Arrays::join(&mut self.first_blocks.same_banks, &mut self.pairs.same_banks);
        Arrays::join(&mut self.first_blocks.same_block, &mut self.pairs.same_block);
        self.following_blocks.lanes.next = self.left.val() & self.shared.q.val();
        Arrays::join(&mut self.following_blocks.same_banks, &mut self.same_banks.q);
        Arrays::join(&mut self.following_blocks.same_block, &mut self.same_block.q);
        // Whether it is asked of the one or the other is known before what the leader has in common with which lanes.
        self.may_begin.next = 0.into();
        self.may_follow.next = 0.into();
        self.shared_group.next = 0.into();
        if self.in_begins.val() & !self.continues.q.val() & !self.first_is_shared.val() {
            self.may_begin.next = self.in_lanes.val() & !self.in_shared.val();
        }
        if self.continues.q.val() & !self.following_is_shared.val() {
            self.may_follow.next = self.left.val() & !self.shared.q.val();
        }
        if self.in_begins.val() & !self.continues.q.val() & self.first_is_shared.val() {
            self.shared_group.next = self.first_blocks.group.val();
        }
        if self.continues.q.val() & self.following_is_shared.val() {
            self.shared_group.next = self.following_blocks.group.val();
        }
        self.coming_group.next = (self.may_begin.val() & self.first.same.val())
            | (self.may_follow.val() & self.following.same.val())
            | self.shared_group.val();

        // Beats of the operation that comes.
        self.registers.next =
            bit_cast::<3, 2>(self.in_operation.val().element_registers) + bit_cast::<3, 2>(self.in_operation.val().vec);
        self.beats.next = 0.into();
        if self.in_operation.val().is_store {
            for i in 0..6 {
                self.beats.next = self.beats.val().replace_bit(i, self.registers.val() == i.to_bits::<3>());
            }
        }

        self.holds.next = self.loads.q.val() | self.stores.q.val();
        self.empty.next = !self.full.q.val();
        self.load_valid.next = self.loads.q.val() & self.merge_empty.val() & !self.is_shared.q.val();
        // Rule BANK-ORDER: behind the shared stores before it.
        self.bank_valid.next =
            self.loads.q.val() & self.merge_empty.val() & self.is_shared.q.val() & !self.shared_store_waits.val();
        self.store_valid.next = self.stores.q.val() & self.has_data.q.val();
        self.faults.fault_valid.next = self.faulty.q.val() & self.has_data.q.val();
        self.sends.next = (self.load_valid.val() & self.load_ready.val())
            | (self.bank_valid.val() & self.bank_ready.val())
            | (self.store_valid.val() & self.store_ready.val());
        self.drops.next = self.faults.fault_valid.val() & self.faults.fault_ready.val();
        self.issues.next = self.sends.val() & !self.held.q.val().is_command;
        self.replays.next = self.issues.val() & self.is_later.q.val();
        self.faults.fault.next.tag = self.held.q.val().tag;
        self.faults.fault.next.cause = self.cause.q.val();
        self.faults.fault.next.lanes = self.rest.q.val();
        // Rule FAULT: a local lane's own address. A fault may name lane 0, too.
        self.fault_lane_is_local.next = self.following_is_local.val();
        self.fault_lane_address.next = self.next_address.val();
        if self.rest.q.val().get_bit(0) {
            self.fault_lane_is_local.next = self.local_lanes.q.val().get_bit(0);
            self.fault_lane_address.next = self.address.q[0].val();
        }
        self.fault_is_windowed.next = self.fault_lane_is_local.val() & (self.held.q.val().space == SPACE_GENERIC);
        self.faults.fault.next.address = self.fault_lane_address.val();
        if self.fault_lane_is_local.val() {
            self.faults.fault.next.address = (bit_cast::<ADDR, LOCAL_WORD_BITS>(
                self.fault_lane_address.val().get_bits::<LOCAL_WORD_BITS>(LOCAL_WORD),
            ) << 2)
                | (self.fault_lane_address.val() & 3);
        }

        // What comes into `issue` does not hang on whether anything does: its own next pass, or else another operation.
        self.changes.next = !self.full.q.val() | self.sends.val() | self.drops.val();
        self.coming_lanes.next = self.in_fault_lanes.val();
        if !self.in_faulty.val() {
            self.coming_lanes.next = self.in_lanes.val();
        }
        if self.continues.q.val() {
            self.coming_lanes.next = self.left.val();
        }
        self.next_rest.next = self.coming_lanes.val() & !self.coming_group.val();
        // Whether any are left is not asked of those that are: which lanes the pass has is known last.
        self.first_splits.next = self.first.differs.val() | (self.in_lanes.val() & self.in_shared.val()).any();
        if self.first_is_shared.val() {
            self.first_splits.next =
                self.first_blocks.differs.val() | (self.in_lanes.val() & !self.in_shared.val()).any();
        }
        self.following_splits.next = self.following.differs.val() | (self.left.val() & self.shared.q.val()).any();
        if self.following_is_shared.val() {
            self.following_splits.next =
                self.following_blocks.differs.val() | (self.left.val() & !self.shared.q.val()).any();
        }
        self.others_left.next = self.in_begins.val() & self.first_splits.val();
        if self.continues.q.val() {
            self.others_left.next = self.following_splits.val();
        }
        self.coming_address.next = self.in_leader_address.val();
        self.coming_is_local.next = self.first_is_local.val() & !self.in_faulty.val();
        self.coming_has_words.next =
            self.first_is_local.val() & self.in_begins.val() & self.in_operation.val().last_word.any();
        self.coming_is_sunk.next = self.first_is_local.val() & self.in_operation.val().sunk_words.get_bit(0);
        if self.continues.q.val() {
            self.coming_address.next = self.next_address.val();
            self.coming_is_local.next = self.following_is_local.val();
            self.coming_has_words.next = self.following_is_local.val() & self.held.q.val().last_word.any();
            self.coming_is_sunk.next = self.following_is_local.val() & self.held.q.val().sunk_words.get_bit(0);
        }
        self.next_word.next = self.word.q.val() + 1;
        self.next_follows.next = self.next_word.val() != self.held.q.val().last_word;
        self.word_step.next =
            bit_cast::<ADDR, 2>(self.word.q.val() ^ self.next_word.val()) << LOCAL_WORD.to_bits::<6>();
        // Rule HIT: what the next word changes in the number of a local line, too.
        self.line_step.next = self.word_step.val().get_bits::<MEMORY_LINE>(7)
            ^ bit_cast::<MEMORY_LINE, L1_SET_BITS>(self.word_step.val().get_bits::<L1_SET_BITS>(SPREAD));
        self.coming_memory.next = bit_cast::<LINE, MEMORY_LINE>(self.coming_address.val().get_bits::<MEMORY_LINE>(7));
        if self.coming_is_local.val() {
            self.coming_memory.next = self.coming_memory.val()
                ^ bit_cast::<LINE, MEMORY_LINE>(self.local_memory.val().get_bits::<MEMORY_LINE>(7));
            self.coming_memory.next = self.coming_memory.val().replace_bit(LOCAL_LINE, true);
        }
        self.coming_line.line.next = self.coming_memory.val();
        if self.changes.val() {
            self.is_later.d.next = self.continues.q.val();
            if self.word_follows.q.val() {
                self.word.d.next = self.next_word.val();
                self.is_sunk.d.next = self.held.q.val().sunk_words.get_bit(self.next_word.val().index());
                self.word_follows.d.next = self.next_follows.val();
                self.line.d.next = self.line.q.val() ^ self.line_step.val();
                self.continues.d.next = self.left.val().any() | self.next_follows.val();
            } else {
                self.group.d.next = self.coming_group.val();
                self.is_shared.d.next = self.first_is_shared.val() & !self.in_faulty.val();
                if self.continues.q.val() {
                    self.is_shared.d.next = self.following_is_shared.val();
                }
                self.is_local.d.next = self.coming_is_local.val();
                self.word.d.next = 0.into();
                self.is_sunk.d.next = self.coming_is_sunk.val();
                self.word_follows.d.next = self.coming_has_words.val();
                self.line.d.next = self.coming_line.other.val().get_bits::<MEMORY_LINE>(0);
                self.leader_offset.d.next = self.coming_address.val().get_bits::<5>(0);
                self.rest.d.next = self.next_rest.val();
                self.continues.d.next = self.others_left.val() | self.coming_has_words.val();
            }
        }
        self.in_ready.next = self.vacant.q.val() | self.drops.val() | (self.sends.val() & !self.continues.q.val());
        self.takes.next = !self.full.q.val() | self.drops.val() | (self.sends.val() & !self.continues.q.val());
        if self.takes.val() {
            self.full.d.next = self.in_valid.val();
            self.vacant.d.next = !self.in_valid.val();
            self.loads.d.next = self.in_begins.val() & !self.in_operation.val().is_store;
            self.stores.d.next = self.in_begins.val() & self.in_operation.val().is_store;
            self.faulty.d.next = self.in_valid.val() & self.in_faulty.val();
            self.held.d.next = self.in_operation.val();
            self.cause.d.next = self.in_cause.val();
            self.shared.d.next = self.in_shared.val();
            self.shared_shift.d.next = self.in_shared_shift.val();
            self.local_lanes.d.next = self.in_local_lanes.val();
            Arrays::join(&mut self.same_banks.d, &mut self.pairs.same_banks);
            Arrays::join(&mut self.same_block.d, &mut self.pairs.same_block);
            Arrays::join(&mut self.address.d, &mut self.in_address);
        }
        // No operation comes while data do.
        if self.takes.val() | self.beat_write.val() {
            self.beats_taken.d.next = 0.into();
            self.beats_left.d.next = self.beats.val();
            self.has_data.d.next = !self.in_operation.val().is_store;
            if self.beat_write.val() {
                self.beats_taken.d.next = self.beats_taken.q.val() + 1;
                self.beats_left.d.next = self.beats_left.q.val() - 1;
                self.has_data.d.next = self.beats_left.q.val() == 1;
            }
        }

        self.contract_word.next = true;
        for i in 0..LANES {
            if self.is_local.q.val()
                & self.group.q.val().get_bit(i)
                & (self.address.q[i].val().get_bits::<2>(LOCAL_WORD) & self.held.q.val().last_word).any()
            {
                self.contract_word.next = false;
            }
        }
    }
}
