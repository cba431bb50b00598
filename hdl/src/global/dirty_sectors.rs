//! `DirtySectors`: which sectors of the L1 hold what memory does not (rule WRITE-BACK).
//!
//! ```text
//! set that tag takes, or looks at next ─► dirty bits of all sets ─► those of that set (registers) ─┬─► lowest dirty way and sector
//! local store, fill of one, last use, what is taken ────┴──────────────────┘                       └─► is anything dirty (register)
//! ```
//!
//! A written sector that is not valid is not kept here: its MSHR knows it, and the fill makes it dirty. What changes is told to the bits of all sets a
//! cycle later, as the valid bits are ([`cache_tags`](super::cache_tags)), and to those of the set that is looked at, at once.
//!
//! `CMD_WRITE_BACK_LOCAL` looks at one set after the other, which its number in `walk_set` says.
//!
//! Assertions: `contract_takes`, `contract_stores`, `contract_enters`.

use super::prelude::*;

/// Sectors of the L1 that are written and valid.
#[derive(LogicBlock, Default)]
pub struct DirtySectors {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset: nothing is dirty.
    pub reset: Signal<In, Bit>,
    /// Set of the line in `tag`.
    pub set: Signal<In, Bits<L1_SET_BITS>>,
    /// `tag` takes another pass at this edge.
    pub shifts: Signal<In, Bit>,
    /// Set of the line that comes, to read with.
    pub read_set: Signal<In, Bits<L1_SET_BITS>>,
    /// It is the one in `tag`.
    pub next_is_beside: Signal<In, Bit>,
    /// `tag` moves a pass that looks for its line in the L1.
    pub moves: Signal<In, Bit>,
    /// Ways with the line's tag.
    pub matching_ways: Signal<In, Bits<L1_WAYS>>,
    /// The way that was found, if there is one.
    pub found_ways: Signal<In, Bits<L1_WAYS>>,
    /// The way that the line could take, if there is one.
    pub victim: Signal<In, Bits<L1_WAYS>>,
    /// The line takes that way when the pass moves.
    pub enters: Signal<In, Bit>,
    /// Sectors that a local store leaves dirty in the way that was found.
    pub stores: Signal<In, Bits<4>>,
    /// The same where the line was not found and enters: in the way that it takes.
    pub new_stores: Signal<In, Bits<4>>,
    /// Sectors of the line that are not dirty then, wherever they are.
    pub clears: Signal<In, Bits<4>>,
    /// This sector of the fill's line becomes dirty; 0 for none.
    pub fill: Signal<In, Bits<4>>,
    /// Its set.
    pub fill_set: Signal<In, Bits<L1_SET_BITS>>,
    /// Its way, one bit for each.
    pub fill_ways: Signal<In, Bits<L1_WAYS>>,

    /// `tag` holds a command that looks at all sets.
    pub walks: Signal<In, Bit>,
    /// It looks at the next one if nothing is dirty in this one.
    pub may_step: Signal<In, Bit>,
    /// It looks at the last one.
    pub at_last: Signal<Out, Bit>,
    /// The set that is looked at: that of the line in `tag`, or the command's.
    pub looked_set: Signal<Out, Bits<L1_SET_BITS>>,
    /// Something in it is dirty.
    pub is_dirty: Signal<Out, Bit>,
    /// Lowest way in which something is.
    pub way: Signal<Out, Bits<L1_WAY_BITS>>,
    /// Lowest dirty sector of that.
    pub sector: Signal<Out, Bits<2>>,
    /// `write_back` takes it at this edge.
    pub takes: Signal<In, Bit>,
    /// Dirty sectors of each way of that set.
    pub way_dirty: Signal<Out, Bits<L1_SECTORS>>,

    /// Of each sector of a set: the sets in which it is dirty.
    dirty: Registers<Bits<L1_SETS>, L1_SECTORS>,
    /// Sectors that changed at the last edge, and their set: that one bit of as many as there are.
    dirtied: Register<Bits<L1_SECTORS>>,
    cleaned: Register<Bits<L1_SECTORS>>,
    in_changed_set: Register<Bits<L1_SETS>>,
    looked_dirty: Register<Bits<L1_SECTORS>>,
    /// Any of these.
    looked_any: Register<Bit>,
    walk_set: Register<Bits<L1_SET_BITS>>,
    steps: Signal<Local, Bit>,
    /// The set that is looked at after this edge if `tag` keeps what it holds.
    stay_set: Signal<Local, Bits<L1_SET_BITS>>,
    /// The first set, the one that is looked at, that of the line that comes, the one that is stepped to, and that of the fill: one bit of as many
    /// as there are.
    in_first_set: Signal<Local, Bits<L1_SETS>>,
    in_looked_set: Signal<Local, Bits<L1_SETS>>,
    in_read_set: Signal<Local, Bits<L1_SETS>>,
    in_step_set: Signal<Local, Bits<L1_SETS>>,
    in_fill_set: Signal<Local, Bits<L1_SETS>>,
    stored: Signal<Local, Bits<L1_SECTORS>>,
    cleared: Signal<Local, Bits<L1_SECTORS>>,
    filled: Signal<Local, Bits<L1_SECTORS>>,
    filled_there: Signal<Local, Bits<L1_SECTORS>>,
    lowest: Signal<Local, Bits<L1_SECTORS>>,
    /// A sector before it is dirty.
    lower: Signal<Local, Bit>,
    stepping: Signal<Local, Bits<L1_SECTORS>>,
    staying: Signal<Local, Bits<L1_SECTORS>>,
    coming: Signal<Local, Bits<L1_SECTORS>>,
    dirty_next: Signal<Local, Bits<L1_SETS>>,
    /// Sets that have a dirty sector.
    any_of: Signal<Local, Bits<L1_SETS>>,
    /// Something is dirty in the set that is looked at after this edge, but for what is filled.
    staying_any: Signal<Local, Bit>,
    coming_any: Signal<Local, Bit>,
    /// The fill is one of that set.
    fills_looked: Signal<Local, Bit>,

    /// What is taken is dirty.
    contract_takes: Signal<Local, Bit>,
    /// A store that dirties has a way.
    contract_stores: Signal<Local, Bit>,
    /// No line enters a set in which something is dirty.
    contract_enters: Signal<Local, Bit>,
}

impl Logic for DirtySectors {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, dirty, dirtied, cleaned, in_changed_set, looked_dirty, looked_any, walk_set);

        // The set that is looked at, and the one that is looked at after this edge if `tag` keeps what it holds.
        self.at_last.next = !(!self.walk_set.q.val()).any();
        self.steps.next = self.walks.val() & !self.at_last.val() & self.may_step.val() & !self.looked_any.q.val();
        self.looked_set.next = self.set.val();
        if self.walks.val() {
            self.looked_set.next = self.walk_set.q.val();
        }
        self.in_first_set.next = 1.into();
        self.in_looked_set.next = self.in_first_set.val() << self.looked_set.val();
        self.in_read_set.next = self.in_first_set.val() << self.read_set.val();
        self.in_fill_set.next = self.in_first_set.val() << self.fill_set.val();
        self.stay_set.next = self.looked_set.val();
        self.in_step_set.next = 0.into();
        if self.steps.val() {
            self.stay_set.next = self.walk_set.q.val() + 1;
            self.in_step_set.next = self.in_looked_set.val() << 1;
            self.walk_set.d.next = self.walk_set.q.val() + 1;
        }
        if self.shifts.val() {
            self.walk_set.d.next = 0.into();
        }

        // Rule WRITE-BACK: the lowest dirty sector of the lowest dirty way.
        self.is_dirty.next = self.looked_any.q.val();
        self.way_dirty.next = self.looked_dirty.q.val();
        self.lowest.next = 0.into();
        self.lower.next = false;
        self.way.next = 0.into();
        self.sector.next = 0.into();
        for i in 0..L1_WAYS {
            for j in 0..4 {
                if self.looked_dirty.q.val().get_bit(i * 4 + j) & !self.lower.val() {
                    self.lowest.next = self.lowest.val().replace_bit(i * 4 + j, true);
                    self.way.next = self.way.val() | i.to_bits::<L1_WAY_BITS>();
                    self.sector.next = self.sector.val() | j.to_bits::<2>();
                }
                self.lower.next = self.lower.val() | self.looked_dirty.q.val().get_bit(i * 4 + j);
            }
        }

        // What changes: by the pass in `tag` as it moves, by a fill, or by what is taken. What is not dirty is not cleaned: a fill may be just coming.
        self.stored.next = 0.into();
        self.cleared.next = 0.into();
        self.filled.next = 0.into();
        for i in 0..L1_WAYS {
            for j in 0..4 {
                self.stored.next = self.stored.val().replace_bit(
                    i * 4 + j,
                    (self.found_ways.val().get_bit(i) & self.stores.val().get_bit(j))
                        | (self.victim.val().get_bit(i) & self.new_stores.val().get_bit(j)),
                );
                self.cleared.next = self
                    .cleared
                    .val()
                    .replace_bit(i * 4 + j, self.matching_ways.val().get_bit(i) & self.clears.val().get_bit(j));
                self.filled.next = self
                    .filled
                    .val()
                    .replace_bit(i * 4 + j, self.fill_ways.val().get_bit(i) & self.fill.val().get_bit(j));
            }
        }
        self.dirtied.d.next = 0.into();
        self.cleaned.d.next = 0.into();
        if self.takes.val() {
            self.cleaned.d.next = self.lowest.val();
        }
        if self.moves.val() {
            self.dirtied.d.next = self.stored.val();
            self.cleaned.d.next = self.cleared.val() & self.looked_dirty.q.val();
        }
        self.in_changed_set.d.next = self.in_looked_set.val();
        self.coming.next = 0.into();
        self.stepping.next = 0.into();
        self.any_of.next = 0.into();
        for i in 0..L1_SECTORS {
            self.dirty_next.next = self.dirty.q[i].val();
            if self.cleaned.q.val().get_bit(i) {
                self.dirty_next.next = self.dirty_next.val() & !self.in_changed_set.q.val();
            }
            if self.dirtied.q.val().get_bit(i) {
                self.dirty_next.next = self.dirty_next.val() | self.in_changed_set.q.val();
            }
            self.coming.next = self.coming.val().replace_bit(i, (self.dirty_next.val() & self.in_read_set.val()).any());
            self.stepping.next =
                self.stepping.val().replace_bit(i, (self.dirty_next.val() & self.in_step_set.val()).any());
            self.any_of.next = self.any_of.val() | self.dirty_next.val();
            if self.filled.val().get_bit(i) {
                self.dirty_next.next = self.dirty_next.val() | self.in_fill_set.val();
            }
            self.dirty.d[i].next = self.dirty_next.val();
        }

        // Of the set that is looked at after this edge, if `tag` keeps what it holds: of one that is stepped from nothing is dirty.
        self.staying.next = self.looked_dirty.q.val();
        self.staying_any.next = self.looked_any.q.val();
        if self.takes.val() {
            self.staying.next = self.looked_dirty.q.val() & !self.lowest.val();
            self.staying_any.next = (self.looked_dirty.q.val() & !self.lowest.val()).any();
        }
        self.staying.next = self.staying.val() | self.stepping.val();
        self.staying_any.next = self.staying_any.val() | (self.any_of.val() & self.in_step_set.val()).any();
        // If it takes another: whether any is dirty is asked of every set before it is known which one it is. If it is the same one, its bits are
        // those that are looked at, but for what the pass does that moves.
        self.coming_any.next = (self.any_of.val() & self.in_read_set.val()).any();
        if self.next_is_beside.val() {
            self.coming.next = (self.coming.val() & !self.cleared.val()) | self.stored.val();
            if !self.walks.val() & !(self.looked_dirty.q.val() & !self.cleared.val()).any() {
                self.coming_any.next = false;
            }
            if self.stores.val().any() {
                self.coming_any.next = true;
            }
        }
        // What is filled is known last, and is neither cleared nor taken at the same edge: a sector is dirty only when it has arrived.
        self.fills_looked.next = (!self.shifts.val() & (self.fill_set.val() == self.stay_set.val()))
            | (self.shifts.val() & (self.fill_set.val() == self.read_set.val()));
        self.filled_there.next = 0.into();
        if self.fills_looked.val() {
            self.filled_there.next = self.filled.val();
        }
        self.looked_dirty.d.next = self.staying.val() | self.filled_there.val();
        self.looked_any.d.next =
            self.staying_any.val() | (self.fills_looked.val() & (self.fill.val().any() & self.fill_ways.val().any()));
        if self.shifts.val() {
            self.looked_dirty.d.next = self.coming.val() | self.filled_there.val();
            self.looked_any.d.next = self.coming_any.val()
                | (self.fills_looked.val() & (self.fill.val().any() & self.fill_ways.val().any()));
        }

        self.contract_takes.next = !self.takes.val() | self.looked_any.q.val();
        self.contract_stores.next = !(self.moves.val() & self.stores.val().any())
            | self.found_ways.val().any()
            | (self.new_stores.val().any() & self.victim.val().any());
        self.contract_enters.next = !(self.moves.val() & self.enters.val() & self.looked_any.q.val());
    }
}
