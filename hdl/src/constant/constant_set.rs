//! `ConstantSet`: tags, valid bits and true-LRU order of the constant cache, set by set.
//!
//! The youth of a set's ways is a permutation of 0 (oldest) to `CONSTANT_WAYS` - 1 (youngest). A line that is installed to be kept, and a line that
//! is touched, become youngest; an install that is not kept leaves its way oldest, so that invalid ways
//! are always older than valid ones and the victim needs no separate search for an invalid way.
//!
//! Each way has one memory of tags, a word for each set, and all sets share what renews an order: one of them changes in a cycle. That is
//! the cycle after the use, as which way hits is known late; until then the victim is told as if the order were renewed.
//!
//! Assertions: `contract_one_change`.

use super::prelude::*;

/// Tags, valid bits and order of use of the 4 sets.
#[derive(LogicBlock, Default)]
pub struct ConstantSet {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset: all ways invalid, way 0 of each set oldest.
    pub reset: Signal<In, Bit>,
    /// Tags of a set are read at this edge, to be looked at from the next cycle on.
    pub reads: Signal<In, Bit>,
    /// That set.
    pub read_set: Signal<In, Bits<2>>,
    /// What was read is looked up, and in the cycle of an install stays: known sooner than `reads`.
    pub holds: Signal<In, Bit>,
    /// Set that is looked up: the one that was read last.
    pub set: Signal<In, Bits<2>>,
    /// Bank, then line bits 9 to 2, looked up.
    pub key: Signal<In, Bits<13>>,
    /// The valid way that holds `key`, one bit at most.
    pub hit_ways: Signal<Out, Bits<CONSTANT_WAYS>>,
    /// The hit way, if there is one and `touch_counts`, becomes youngest.
    pub touch: Signal<In, Bit>,
    /// Known later than `touch`.
    pub touch_counts: Signal<In, Bit>,
    /// The oldest way of `install_set` takes `install_key`.
    pub install: Signal<In, Bit>,
    /// Set of the arriving line.
    pub install_set: Signal<In, Bits<2>>,
    /// Its key.
    pub install_key: Signal<In, Bits<13>>,
    /// The arriving line may be kept; otherwise its way becomes invalid.
    pub install_keep: Signal<In, Bit>,
    /// Number of the hit way; 0 without a hit.
    pub hit_way: Signal<Out, Bits<CONSTANT_WAY_BITS>>,
    /// Number of the oldest way of `install_set`: the next victim.
    pub oldest_way: Signal<Out, Bits<CONSTANT_WAY_BITS>>,
    /// All ways become invalid.
    pub flush: Signal<In, Bit>,

    valid: Registers<Bits<CONSTANT_WAYS>, 4>,
    tag: Many<Memory<2, Bits<13>>, CONSTANT_WAYS>,
    /// Of the set that was read last, with what is installed there meanwhile.
    set_tag: Registers<Bits<13>, CONSTANT_WAYS>,
    /// By set, then way. Registers reset to 0, but youth must reset to a permutation: kept is youth ^ way, so that way 0 resets to oldest and that of
    /// the youngest is the complement of its number.
    order: Registers<Bits<CONSTANT_WAY_BITS>, CONSTANT_LINES>,
    /// The install is one of the set whose tags are held after this edge.
    learns: Signal<Local, Bit>,
    set_valid: Signal<Local, Bits<CONSTANT_WAYS>>,
    /// The way that the cycle before touched, or installed to be kept, one bit at most; and its set.
    used: Register<Bits<CONSTANT_WAYS>>,
    used_set: Register<Bits<2>>,
    /// Order of that set.
    youth: Many<Signal<Local, Bits<CONSTANT_WAY_BITS>>, CONSTANT_WAYS>,
    used_youth: Signal<Local, Bits<CONSTANT_WAY_BITS>>,
    next_order: Many<Signal<Local, Bits<CONSTANT_WAY_BITS>>, CONSTANT_WAYS>,
    install_youth: Many<Signal<Local, Bits<CONSTANT_WAY_BITS>>, CONSTANT_WAYS>,
    /// Youth of the next victim of `install_set`: 1 if the oldest way is the one that was used.
    victim_youth: Signal<Local, Bits<CONSTANT_WAY_BITS>>,
    oldest: Signal<Local, Bits<CONSTANT_WAYS>>,

    /// At most one of touch, install and flush is 1 in a cycle.
    contract_one_change: Signal<Local, Bit>,
}

impl Logic for ConstantSet {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, valid, set_tag, order, used, used_set);

        self.learns.next = self.install.val() & (self.install_set.val() == self.read_set.val());
        if self.holds.val() {
            self.learns.next = self.install.val() & (self.install_set.val() == self.set.val());
        }

        // What is younger than the way that was used grows older by one.
        self.used_youth.next = 0.into();
        for i in 0..CONSTANT_WAYS {
            self.youth[i].next = i.to_bits::<CONSTANT_WAY_BITS>();
            for j in 0..4 {
                if self.used_set.q.val() == j.to_bits::<2>() {
                    self.youth[i].next = self.order.q[j * CONSTANT_WAYS + i].val() ^ i.to_bits::<CONSTANT_WAY_BITS>();
                }
            }
            if self.used.q.val().get_bit(i) {
                self.used_youth.next = self.used_youth.val() | self.youth[i].val();
            }
        }
        for i in 0..CONSTANT_WAYS {
            self.next_order[i].next = self.youth[i].val() ^ i.to_bits::<CONSTANT_WAY_BITS>();
            if self.used.q.val().get_bit(i) {
                self.next_order[i].next = !i.to_bits::<CONSTANT_WAY_BITS>();
            } else if self.youth[i].val() > self.used_youth.val() {
                self.next_order[i].next = (self.youth[i].val() - 1) ^ i.to_bits::<CONSTANT_WAY_BITS>();
            }
            for j in 0..4 {
                if self.used.q.val().any() & (self.used_set.q.val() == j.to_bits::<2>()) {
                    self.order.d[j * CONSTANT_WAYS + i].next = self.next_order[i].val();
                }
            }
        }

        // What there is of the set that is looked up, and the order of the one that a line comes into.
        self.victim_youth.next = 0.into();
        if self.used.q.val().any() & (self.used_set.q.val() == self.install_set.val()) & !self.used_youth.val().any() {
            self.victim_youth.next = 1.into();
        }
        self.set_valid.next = 0.into();
        for j in 0..4 {
            if self.set.val() == j.to_bits::<2>() {
                self.set_valid.next = self.set_valid.val() | self.valid.q[j].val();
            }
        }
        self.hit_ways.next = 0.into();
        self.hit_way.next = 0.into();
        self.oldest.next = 0.into();
        self.oldest_way.next = 0.into();
        for i in 0..CONSTANT_WAYS {
            self.install_youth[i].next = i.to_bits::<CONSTANT_WAY_BITS>();
            for j in 0..4 {
                if self.install_set.val() == j.to_bits::<2>() {
                    self.install_youth[i].next =
                        self.order.q[j * CONSTANT_WAYS + i].val() ^ i.to_bits::<CONSTANT_WAY_BITS>();
                }
            }
            self.tag[i].clock.next = self.clock.val();
            self.tag[i].read_address.next = self.read_set.val();
            if self.set_valid.val().get_bit(i) & (self.set_tag.q[i].val() == self.key.val()) {
                self.hit_ways.next = self.hit_ways.val().replace_bit(i, true);
                self.hit_way.next = self.hit_way.val() | i.to_bits::<CONSTANT_WAY_BITS>();
            }
            if self.install_youth[i].val() == self.victim_youth.val() {
                self.oldest.next = self.oldest.val().replace_bit(i, true);
                self.oldest_way.next = self.oldest_way.val() | i.to_bits::<CONSTANT_WAY_BITS>();
            }
            self.tag[i].write_enable.next = self.install.val() & self.oldest.val().get_bit(i);
            self.tag[i].write_address.next = self.install_set.val();
            self.tag[i].write_data.next = self.install_key.val();
            if self.reads.val() {
                self.set_tag.d[i].next = self.tag[i].read_data.val();
            }
            if self.learns.val() & self.oldest.val().get_bit(i) {
                self.set_tag.d[i].next = self.install_key.val();
            }
        }

        self.used.d.next = 0.into();
        if self.touch.val() & self.touch_counts.val() {
            self.used.d.next = self.hit_ways.val();
        }
        self.used_set.d.next = self.set.val();
        if self.install.val() {
            self.used_set.d.next = self.install_set.val();
            if self.install_keep.val() {
                self.used.d.next = self.oldest.val();
            }
        }

        for j in 0..4 {
            if self.install.val() & (self.install_set.val() == j.to_bits::<2>()) {
                self.valid.d[j].next = self.valid.q[j].val() & !self.oldest.val();
                if self.install_keep.val() {
                    self.valid.d[j].next = self.valid.q[j].val() | self.oldest.val();
                }
            }
            if self.flush.val() {
                self.valid.d[j].next = 0.into();
            }
        }

        self.contract_one_change.next = !(self.touch.val() & self.install.val())
            & !(self.touch.val() & self.flush.val())
            & !(self.install.val() & self.flush.val());
    }
}
