//! `CacheTags`: lines, sector valid bits, eviction classes and ages of one cache.
//!
//! ```text
//! line that tag takes ─► tag memories ─► matches (registers) ─┬─► found way, its valid sectors
//! line of tag ─► valid, class, age bits of the set ──────────┴─► victim
//! ```
//!
//! Ages are a matrix: for ways i < j of each set one bit says that i was used later than j, which is exact recency without
//! counters. Line numbers, classes and ages stand in distributed RAM, the valid bits, which a flush clears, in registers. A bit for each
//! set says that its classes and ages have been written since the reset.
//!
//! What `tag`'s move clears leaves the valid bits a cycle later, and who reads them meanwhile leaves it out: whether `tag` moves is known
//! last, and would reach all of them. So do what a local store makes valid, whether the line that took a way is local, and what a flush
//! empties: it asks an edge later which lines are local, before what `tag` did at its own edge, which it does not concern. The valid
//! bits are loaded only where one of these, or a fill, can change them: a simulation skips them in all other cycles.
//!
//! The line numbers are compared one edge early, with the line that `tag` takes: what `tag`'s own victim writes at that edge is the one
//! change that the comparison would miss, and it is put right.
//!
//! At one edge a fill acts first, then what `tag` does, then a flush.
//!
//! Assertions: `contract_one_way`.

use super::prelude::*;

/// Tags of a cache of `SETS` x `WAYS` lines. `SECTORS` is 4 x `WAYS`, `PAIRS` is `WAYS` x `WAYS`.
#[derive(LogicBlock, Default)]
pub struct CacheTags<
    const SETS: usize,
    const SET_BITS: usize,
    const WAYS: usize,
    const WAY_BITS: usize,
    const SECTORS: usize,
    const PAIRS: usize,
> {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset: nothing is valid, way 0 of each set is the oldest.
    pub reset: Signal<In, Bit>,
    /// Line in `tag`.
    pub line: Signal<In, Bits<LINE>>,
    /// `tag` takes another pass at this edge.
    pub shifts: Signal<In, Bit>,
    /// Its line.
    pub next_line: Signal<In, Bits<LINE>>,
    /// Its set, once more, to read with.
    pub read_set: Signal<In, Bits<SET_BITS>>,
    /// Its line is the one in `tag`.
    pub next_is_same: Signal<In, Bit>,
    /// Its set is the one in `tag`.
    pub next_is_beside: Signal<In, Bit>,
    /// Ways of the set of the line in `tag` that an MSHR reserves.
    pub reserved: Signal<In, Bits<WAYS>>,
    /// Ways of the set of the line in `tag` whose row an MSHR names that has lost `keep`.
    pub lost: Signal<In, Bits<WAYS>>,
    /// Ways of the set of the line in `tag` whose row an MSHR named in the cycle before.
    pub named: Signal<In, Bits<WAYS>>,
    /// Sectors of each way's row that were to be read in the cycle before, and what the pass before hit.
    pub to_read: Many<Signal<In, Bits<4>>, WAYS>,
    /// Ways that have the line's tag, present or not.
    pub matching_ways: Signal<Out, Bits<WAYS>>,
    /// A way that is present holds the line.
    pub found: Signal<Out, Bit>,
    /// Its valid sectors.
    pub found_valid: Signal<Out, Bits<4>>,
    /// That way, one bit for each.
    pub found_ways: Signal<Out, Bits<WAYS>>,
    /// The one that the line could take, if there is one.
    pub victim: Signal<Out, Bits<WAYS>>,
    /// The way found, or else the one that the line could take.
    pub kept_ways: Signal<Out, Bits<WAYS>>,
    /// There is a way that the line could take.
    pub has_victim: Signal<Out, Bit>,
    /// What misses may not enter the found way's row.
    pub not_kept: Signal<Out, Bit>,
    /// A sector of `need` is to be read in the row of a way that has the line.
    pub read_first: Signal<Out, Bit>,
    /// `tag` moves a pass that looks for its line here.
    pub moves: Signal<In, Bit>,
    /// It is a load's that may be served from here.
    pub looks_up: Signal<In, Bit>,
    /// Sectors that it reads then in each way, if that is one of the set of the line that comes.
    pub hit_sectors: Many<Signal<Out, Bits<4>>, WAYS>,

    // What the pass in `tag` does when it moves; 0 if there is none.
    /// `tag` clears these sectors of the found way.
    pub clear: Signal<In, Bits<4>>,
    /// The found way becomes youngest and takes the class.
    pub touch: Signal<In, Bit>,
    /// The same, if one of the sectors of `need` is valid in it.
    pub touch_valid: Signal<In, Bit>,
    /// Sectors that the pass in `tag` needs.
    pub need: Signal<In, Bits<4>>,
    /// The victim, if there is one, takes the line, becomes youngest and takes the class.
    pub allocate: Signal<In, Bit>,
    /// Class evict_first.
    pub evict_first: Signal<In, Bit>,
    /// Class evict_last.
    pub evict_last: Signal<In, Bit>,
    /// Sectors of the found way, or else of the victim, that become valid as `tag` stores all of their bytes.
    pub store: Signal<In, Bits<4>>,
    /// All sectors of lines that are not local become invalid.
    pub flush: Signal<In, Bit>,
    /// All sectors of local lines become invalid.
    pub flush_local: Signal<In, Bit>,

    /// This sector of the fill's line becomes valid; 0 for no fill.
    pub fill: Signal<In, Bits<4>>,
    /// This sector of the same line becomes invalid; 0 for none.
    pub undo: Signal<In, Bits<4>>,
    /// Its set.
    pub fill_set: Signal<In, Bits<SET_BITS>>,
    /// Its way, one bit for each.
    pub fill_ways: Signal<In, Bits<WAYS>>,

    /// A way of the set `read_set`, while no other line is read.
    pub asked_way: Signal<In, Bits<WAY_BITS>>,
    /// The line that it holds.
    pub asked_line: Signal<Out, Bits<LINE>>,
    /// Valid sectors of each way of the set of the line in `tag`.
    pub set_valid: Many<Signal<Out, Bits<4>>, WAYS>,
    /// Ways of it whose line is local.
    pub set_local: Signal<Out, Bits<WAYS>>,

    tag: Many<Memory<SET_BITS, Bits<LINE>>, WAYS>,
    /// Ways whose line number is that of the line in `tag`.
    matches: Register<Bits<WAYS>>,
    /// The way that the pass before found or took, if it is one of this set.
    fresh: Register<Bits<WAYS>>,
    fresh_next: Signal<Local, Bits<WAYS>>,
    valid: Registers<Bits<SETS>, SECTORS>,
    /// Sectors of each way that the pass before cleared, and its set, which is that one bit of as many as there are.
    cleared: Registers<Bits<4>, WAYS>,
    in_cleared_set: Register<Bits<SETS>>,
    /// Sectors that it made valid.
    stored: Registers<Bits<4>, WAYS>,
    /// The way that its line took, and whether that is local.
    entered: Register<Bits<WAYS>>,
    entered_is_local: Register<Bit>,
    /// Of each way: the sets in which its line is local.
    local: Registers<Bits<SETS>, WAYS>,
    /// Lines that are not local were emptied in the cycle before, and local ones.
    flushed: Register<Bit>,
    flushed_local: Register<Bit>,
    /// A pass moved in the cycle before: only then is anything cleared or stored.
    moved: Register<Bit>,
    /// Sets whose words in the next three memories count; those of the others are 0.
    written: Register<Bits<SETS>>,
    first: Memory<SET_BITS, Bits<WAYS>>,
    last: Memory<SET_BITS, Bits<WAYS>>,
    /// Bit i x WAYS + j, for i < j: way i was used later than way j.
    later: Memory<SET_BITS, Bits<PAIRS>>,
    /// What these say of the set of the line in `tag`, as bits of ways or pairs of ways: read, like the tags, when the pass comes to
    /// `tag`, and kept up with what changes meanwhile.
    way_valid: Registers<Bits<4>, WAYS>,
    way_local: Register<Bits<WAYS>>,
    firsts: Register<Bits<WAYS>>,
    lasts: Register<Bits<WAYS>>,
    laters: Register<Bits<PAIRS>>,
    coming_valid: Signal<Local, Bits<4>>,
    coming_local: Signal<Local, Bits<WAYS>>,
    coming_firsts: Signal<Local, Bits<WAYS>>,
    coming_lasts: Signal<Local, Bits<WAYS>>,
    coming_laters: Signal<Local, Bits<PAIRS>>,
    staying_valid: Signal<Local, Bits<4>>,
    /// All bits of what a flush leaves.
    staying_kept: Signal<Local, Bits<4>>,
    coming_kept: Signal<Local, Bits<4>>,
    /// The fill is one of the set that is in `tag`, or of that which comes.
    fills_here: Signal<Local, Bit>,
    fills_there: Signal<Local, Bit>,
    firsts_then: Signal<Local, Bits<WAYS>>,
    lasts_then: Signal<Local, Bits<WAYS>>,
    laters_then: Signal<Local, Bits<PAIRS>>,
    set: Signal<Local, Bits<SET_BITS>>,
    next_set: Signal<Local, Bits<SET_BITS>>,
    /// The first set, the one of the line in `tag`, and that of the fill, as one bit of as many as there are: sets are marked with them, as an
    /// index on the left of an assignment would cost a shifter each.
    in_first_set: Signal<Local, Bits<SETS>>,
    in_set: Signal<Local, Bits<SETS>>,
    in_fill_set: Signal<Local, Bits<SETS>>,
    next_matches: Signal<Local, Bits<WAYS>>,
    needed: Signal<Local, Bits<WAYS>>,
    pinned: Signal<Local, Bits<WAYS>>,
    absent: Signal<Local, Bits<WAYS>>,
    /// Ways of the class of which a line leaves first, whether or not they are pinned.
    lowest_class: Signal<Local, Bits<WAYS>>,
    candidates: Signal<Local, Bits<WAYS>>,
    oldest: Signal<Local, Bits<WAYS>>,
    used: Signal<Local, Bits<WAYS>>,
    /// Of each sector of a set: the sets in which it is valid, with what happened at the last edge, but for the fill of this cycle.
    settled: Many<Signal<Local, Bits<SETS>>, SECTORS>,

    /// At most one of the ways that are present holds a line.
    contract_one_way: Signal<Local, Bit>,
}

impl<
    const SETS: usize,
    const SET_BITS: usize,
    const WAYS: usize,
    const WAY_BITS: usize,
    const SECTORS: usize,
    const PAIRS: usize,
> Logic for CacheTags<SETS, SET_BITS, WAYS, WAY_BITS, SECTORS, PAIRS>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, matches, fresh, valid, cleared, in_cleared_set, written);
        dff_setup!(self, clock, way_valid, firsts, lasts, laters, stored, entered, entered_is_local, local, way_local);
        dff_setup!(self, clock, flushed, flushed_local, moved);
        self.first.clock.next = self.clock.val();
        self.last.clock.next = self.clock.val();
        self.later.clock.next = self.clock.val();
        self.set.next = self.line.val().get_bits::<SET_BITS>(0);
        self.in_first_set.next = 1.into();
        self.in_set.next = self.in_first_set.val() << self.set.val();
        self.in_fill_set.next = self.in_first_set.val() << self.fill_set.val();
        self.next_set.next = self.next_line.val().get_bits::<SET_BITS>(0);

        // Look-up.
        self.matching_ways.next = self.matches.q.val();
        self.found.next = false;
        self.found_valid.next = 0.into();
        self.found_ways.next = 0.into();
        self.not_kept.next = false;
        self.read_first.next = false;
        self.asked_line.next = 0.into();
        self.set_local.next = self.way_local.q.val();
        Arrays::join(&mut self.set_valid, &mut self.way_valid.q);
        self.needed.next = 0.into();
        self.pinned.next = self.named.val() | self.fresh.q.val();
        self.absent.next = 0.into();
        for i in 0..WAYS {
            self.tag[i].clock.next = self.clock.val();
            self.tag[i].read_address.next = self.read_set.val();
            if self.asked_way.val() == i.to_bits::<WAY_BITS>() {
                self.asked_line.next = self.asked_line.val() | self.tag[i].read_data.val();
            }
            self.needed.next = self.needed.val().replace_bit(i, (self.way_valid.q[i].val() & self.need.val()).any());
            self.hit_sectors[i].next = 0.into();
            if self.looks_up.val() & self.next_is_beside.val() & self.matches.q.val().get_bit(i) {
                self.hit_sectors[i].next = self.way_valid.q[i].val() & self.need.val();
            }
            if self.matches.q.val().get_bit(i) & (self.way_valid.q[i].val().any() | self.reserved.val().get_bit(i)) {
                self.found.next = true;
                self.found_ways.next = self.found_ways.val().replace_bit(i, true);
            }
            // A way that is not present has none: what reserves a way need not be known.
            if self.matches.q.val().get_bit(i) {
                self.found_valid.next = self.found_valid.val() | self.way_valid.q[i].val();
            }
            // What is reserved is pinned, too.
            if !self.way_valid.q[i].val().any() {
                self.absent.next = self.absent.val().replace_bit(i, true);
            }
            // Rule NOT-KEPT.
            if self.found_ways.val().get_bit(i)
                & (self.lost.val().get_bit(i)
                    | (self.need.val() & !self.way_valid.q[i].val() & self.to_read[i].val()).any())
            {
                self.not_kept.next = true;
            }
            // Rule READ-FIRST: a row that is to be read is pinned, so that its way's tag is still that of its line.
            if self.matches.q.val().get_bit(i) & (self.need.val() & self.to_read[i].val()).any() {
                self.read_first.next = true;
            }
            // Rule PINNED.
            if self.to_read[i].val().any() {
                self.pinned.next = self.pinned.val().replace_bit(i, true);
            }
        }

        // Rule VICTIM: an absent way, else the oldest of evict_first, or else of normal, or else of evict_last, but none that is
        // pinned. Of absent ways x & -x keeps the lowest.
        self.lowest_class.next = 0.into();
        self.lowest_class.next = !self.lowest_class.val();
        if self.firsts.q.val().any() {
            self.lowest_class.next = self.firsts.q.val();
        } else if (!self.lasts.q.val()).any() {
            self.lowest_class.next = !self.lasts.q.val();
        }
        self.has_victim.next = ((self.absent.val() | self.lowest_class.val()) & !self.pinned.val()).any();
        self.absent.next = self.absent.val() & !self.pinned.val();
        self.candidates.next = self.lowest_class.val() & !self.pinned.val();
        self.oldest.next = self.candidates.val();
        for i in 0..WAYS {
            for j in 0..WAYS {
                if i < j {
                    if self.laters.q.val().get_bit(i * WAYS + j) {
                        if self.candidates.val().get_bit(j) {
                            self.oldest.next = self.oldest.val().replace_bit(i, false);
                        }
                    } else if self.candidates.val().get_bit(i) {
                        self.oldest.next = self.oldest.val().replace_bit(j, false);
                    }
                }
            }
        }
        self.victim.next = self.absent.val() & (!self.absent.val() + 1);
        if !self.absent.val().any() {
            self.victim.next = self.victim.val() | self.oldest.val();
        }

        self.kept_ways.next = self.victim.val();
        if self.found.val() {
            self.kept_ways.next = self.found_ways.val();
        }

        // The pass that `tag` takes.
        self.next_matches.next = 0.into();
        for i in 0..WAYS {
            if self.allocate.val() & self.victim.val().get_bit(i) & self.next_is_beside.val() {
                self.next_matches.next = self.next_matches.val().replace_bit(i, self.next_is_same.val());
            } else {
                self.next_matches.next =
                    self.next_matches.val().replace_bit(i, self.tag[i].read_data.val() == self.next_line.val());
            }
        }
        if self.shifts.val() {
            self.matches.d.next = self.next_matches.val();
        }

        self.fresh_next.next = self.found_ways.val();
        if self.allocate.val() {
            self.fresh_next.next = self.victim.val();
        }
        self.fresh.d.next = 0.into();
        if self.moves.val() & self.next_is_beside.val() {
            self.fresh.d.next = self.fresh_next.val();
        }

        // Rules TOUCH, DROP, FLUSH: what `tag` does to the set.
        self.used.next = 0.into();
        if self.touch.val() {
            self.used.next = self.found_ways.val();
        }
        // Of the three one at most: a line that takes a way was not found, and no way has anything of it.
        if self.touch_valid.val() {
            self.used.next = self.used.val() | (self.matches.q.val() & self.needed.val());
        }
        if self.allocate.val() {
            self.used.next = self.used.val() | self.victim.val();
        }
        self.firsts_then.next = self.firsts.q.val();
        self.lasts_then.next = self.lasts.q.val();
        self.laters_then.next = self.laters.q.val();
        for i in 0..WAYS {
            if self.used.val().get_bit(i) {
                self.firsts_then.next = self.firsts_then.val().replace_bit(i, self.evict_first.val());
                self.lasts_then.next =
                    self.lasts_then.val().replace_bit(i, self.evict_last.val() & !self.evict_first.val());
            }
            for j in 0..WAYS {
                if i < j {
                    if self.used.val().get_bit(j) {
                        self.laters_then.next = self.laters_then.val().replace_bit(i * WAYS + j, false);
                    }
                    if self.used.val().get_bit(i) {
                        self.laters_then.next = self.laters_then.val().replace_bit(i * WAYS + j, true);
                    }
                }
            }
        }
        // Into `first`, `last` and `later` a pass that uses no way writes what is there.
        self.first.write_enable.next = self.moves.val();
        self.first.write_address.next = self.set.val();
        self.first.write_data.next = self.firsts_then.val();
        self.last.write_enable.next = self.moves.val();
        self.last.write_address.next = self.set.val();
        self.last.write_data.next = self.lasts_then.val();
        self.later.write_enable.next = self.moves.val();
        self.later.write_address.next = self.set.val();
        self.later.write_data.next = self.laters_then.val();
        if self.moves.val() {
            self.written.d.next = self.written.q.val() | self.in_set.val();
        }
        self.in_cleared_set.d.next = self.in_set.val();
        self.entered.d.next = 0.into();
        if self.moves.val() & self.allocate.val() {
            self.entered.d.next = self.victim.val();
        }
        self.entered_is_local.d.next = self.line.val().get_bit(LOCAL_LINE);
        self.flushed.d.next = self.flush.val();
        self.flushed_local.d.next = self.flush_local.val();
        for i in 0..WAYS {
            self.tag[i].write_enable.next = self.moves.val() & self.allocate.val() & self.victim.val().get_bit(i);
            self.tag[i].write_address.next = self.set.val();
            self.tag[i].write_data.next = self.line.val();
            self.cleared.d[i].next = 0.into();
            if self.moves.val() {
                if self.matches.q.val().get_bit(i) {
                    self.cleared.d[i].next = self.clear.val();
                }
                if self.allocate.val() & self.victim.val().get_bit(i) {
                    self.cleared.d[i].next = 15.into();
                }
            }
            self.stored.d[i].next = 0.into();
            if self.moves.val() & self.kept_ways.val().get_bit(i) {
                self.stored.d[i].next = self.store.val();
            }
            if self.entered.q.val().get_bit(i) {
                self.local.d[i].next = self.local.q[i].val() & !self.in_cleared_set.q.val();
                if self.entered_is_local.q.val() {
                    self.local.d[i].next = self.local.q[i].val() | self.in_cleared_set.q.val();
                }
            }
        }
        self.moved.d.next = self.moves.val();
        for i in 0..WAYS {
            for j in 0..4 {
                self.settled[i * 4 + j].next = self.valid.q[i * 4 + j].val();
                if self.flushed.q.val() {
                    self.settled[i * 4 + j].next = self.settled[i * 4 + j].val() & self.local.q[i].val();
                }
                if self.flushed_local.q.val() {
                    self.settled[i * 4 + j].next = self.settled[i * 4 + j].val() & !self.local.q[i].val();
                }
                if self.cleared.q[i].val().get_bit(j) {
                    self.settled[i * 4 + j].next = self.settled[i * 4 + j].val() & !self.in_cleared_set.q.val();
                }
                if self.stored.q[i].val().get_bit(j) {
                    self.settled[i * 4 + j].next = self.settled[i * 4 + j].val() | self.in_cleared_set.q.val();
                }
            }
        }
        if self.moved.q.val()
            | self.flushed.q.val()
            | self.flushed_local.q.val()
            | (self.fill.val() | self.undo.val()).any()
        {
            for i in 0..WAYS {
                for j in 0..4 {
                    self.valid.d[i * 4 + j].next = self.settled[i * 4 + j].val();
                    if self.fill.val().get_bit(j) & self.fill_ways.val().get_bit(i) {
                        self.valid.d[i * 4 + j].next = self.settled[i * 4 + j].val() | self.in_fill_set.val();
                    }
                    if self.undo.val().get_bit(j) & self.fill_ways.val().get_bit(i) {
                        self.valid.d[i * 4 + j].next = self.settled[i * 4 + j].val() & !self.in_fill_set.val();
                    }
                }
            }
        }

        // What is told of the set that is in `tag` after this edge: of this one if the pass stays, and nothing but a fill or a flush
        // changes it then; or of that which comes, and what the pass in `tag` does to that, as it moves then. Which of them counts is
        // known last.
        self.fills_here.next = self.fill_set.val() == self.set.val();
        self.fills_there.next = self.fill_set.val() == self.next_set.val();
        self.first.read_address.next = self.read_set.val();
        self.last.read_address.next = self.read_set.val();
        self.later.read_address.next = self.read_set.val();
        self.coming_firsts.next = 0.into();
        self.coming_lasts.next = 0.into();
        self.coming_laters.next = 0.into();
        if self.next_is_beside.val() {
            self.coming_firsts.next = self.firsts_then.val();
            self.coming_lasts.next = self.lasts_then.val();
            self.coming_laters.next = self.laters_then.val();
        } else if self.written.q.val().get_bit(self.read_set.val().index()) {
            self.coming_firsts.next = self.first.read_data.val();
            self.coming_lasts.next = self.last.read_data.val();
            self.coming_laters.next = self.later.read_data.val();
        }
        self.coming_local.next = 0.into();
        for i in 0..WAYS {
            self.coming_local.next =
                self.coming_local.val().replace_bit(i, self.tag[i].read_data.val().get_bit(LOCAL_LINE));
            if self.next_is_beside.val() & self.allocate.val() & self.victim.val().get_bit(i) {
                self.coming_local.next = self.coming_local.val().replace_bit(i, self.line.val().get_bit(LOCAL_LINE));
            }
        }
        if self.shifts.val() {
            self.way_local.d.next = self.coming_local.val();
        }
        for i in 0..WAYS {
            self.staying_valid.next = self.way_valid.q[i].val();
            self.coming_valid.next = 0.into();
            for j in 0..4 {
                self.coming_valid.next = self
                    .coming_valid
                    .val()
                    .replace_bit(j, self.settled[i * 4 + j].val().get_bit(self.read_set.val().index()));
            }
            if self.fill_ways.val().get_bit(i) {
                if self.fills_here.val() {
                    self.staying_valid.next = (self.staying_valid.val() | self.fill.val()) & !self.undo.val();
                }
                if self.fills_there.val() {
                    self.coming_valid.next = (self.coming_valid.val() | self.fill.val()) & !self.undo.val();
                }
            }
            if self.next_is_beside.val() & self.matches.q.val().get_bit(i) {
                self.coming_valid.next = self.coming_valid.val() & !self.clear.val();
            }
            if self.next_is_beside.val() & self.allocate.val() & self.victim.val().get_bit(i) {
                self.coming_valid.next = 0.into();
            }
            if self.next_is_beside.val() & self.kept_ways.val().get_bit(i) {
                self.coming_valid.next = self.coming_valid.val() | self.store.val();
            }
            // Rule FLUSH, of either: what moves is known as late as what is flushed.
            self.staying_kept.next = 0.into();
            self.coming_kept.next = 0.into();
            for j in 0..4 {
                self.staying_kept.next = self.staying_kept.val().replace_bit(
                    j,
                    !((self.flush.val() & !self.way_local.q.val().get_bit(i))
                        | (self.flush_local.val() & self.way_local.q.val().get_bit(i))),
                );
                self.coming_kept.next = self.coming_kept.val().replace_bit(
                    j,
                    !((self.flush.val() & !self.coming_local.val().get_bit(i))
                        | (self.flush_local.val() & self.coming_local.val().get_bit(i))),
                );
            }
            self.way_valid.d[i].next = self.staying_valid.val() & self.staying_kept.val();
            if self.shifts.val() {
                self.way_valid.d[i].next = self.coming_valid.val() & self.coming_kept.val();
            }
        }
        if self.shifts.val() {
            self.firsts.d.next = self.coming_firsts.val();
            self.lasts.d.next = self.coming_lasts.val();
            self.laters.d.next = self.coming_laters.val();
        }

        self.contract_one_way.next = !(self.found_ways.val() & (self.found_ways.val() - 1)).any();
    }
}
