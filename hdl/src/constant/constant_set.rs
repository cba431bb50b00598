//! `ConstantSet`: tags, valid bits and true-LRU order of one set of the constant cache.
//!
//! The youth of the ways is a permutation of 0 (oldest) to `CONSTANT_WAYS` - 1 (youngest). A line that is installed to be kept, and a line that
//! is touched, become youngest; an install that is not kept leaves its way oldest, so that invalid ways
//! are always older than valid ones and the victim needs no separate search for an invalid way.
//!
//! Assertions: `contract_one_change`, `contract_touch`.

use super::prelude::*;

/// One set: tags, valid bits, order of use.
#[derive(LogicBlock, Default)]
pub struct ConstantSet {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset: all ways invalid, way 0 oldest.
    pub reset: Signal<In, Bit>,
    /// Bank, then line bits 9 to 2, looked up.
    pub key: Signal<In, Bits<13>>,
    /// The valid way that holds `key`, one bit at most.
    pub hit_ways: Signal<Out, Bits<CONSTANT_WAYS>>,
    /// The hit way becomes youngest.
    pub touch: Signal<In, Bit>,
    /// The oldest way takes `install_key`.
    pub install: Signal<In, Bit>,
    /// Key of the arriving line.
    pub install_key: Signal<In, Bits<13>>,
    /// The arriving line may be kept; otherwise its way becomes invalid.
    pub install_keep: Signal<In, Bit>,
    /// Number of the hit way; 0 without a hit.
    pub hit_way: Signal<Out, Bits<CONSTANT_WAY_BITS>>,
    /// Number of the oldest way: the next victim.
    pub oldest_way: Signal<Out, Bits<CONSTANT_WAY_BITS>>,
    /// All ways become invalid.
    pub flush: Signal<In, Bit>,

    valid: Register<Bits<CONSTANT_WAYS>>,
    tag: Registers<Bits<13>, CONSTANT_WAYS>,
    /// Registers reset to 0, but youth must reset to a permutation: kept is youth ^ way, so that way 0 resets to oldest and that of the
    /// youngest is the complement of its number.
    order: Registers<Bits<CONSTANT_WAY_BITS>, CONSTANT_WAYS>,
    youth: Many<Signal<Local, Bits<CONSTANT_WAY_BITS>>, CONSTANT_WAYS>,
    oldest: Signal<Local, Bits<CONSTANT_WAYS>>,
    used: Signal<Local, Bits<CONSTANT_WAYS>>,
    used_youth: Signal<Local, Bits<CONSTANT_WAY_BITS>>,
    renews: Signal<Local, Bit>,
    valid_next: Signal<Local, Bits<CONSTANT_WAYS>>,

    /// At most one of touch, install and flush is 1 in a cycle.
    contract_one_change: Signal<Local, Bit>,
    /// Only a way that hits is touched.
    contract_touch: Signal<Local, Bit>,
}

impl Logic for ConstantSet {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, valid, tag, order);

        self.hit_ways.next = 0.into();
        self.hit_way.next = 0.into();
        self.oldest.next = 0.into();
        self.oldest_way.next = 0.into();
        for i in 0..CONSTANT_WAYS {
            self.youth[i].next = self.order.q[i].val() ^ i.to_bits::<CONSTANT_WAY_BITS>();
            if self.valid.q.val().get_bit(i) & (self.tag.q[i].val() == self.key.val()) {
                self.hit_ways.next = self.hit_ways.val().replace_bit(i, true);
                self.hit_way.next = self.hit_way.val() | i.to_bits::<CONSTANT_WAY_BITS>();
            }
            if !self.youth[i].val().any() {
                self.oldest.next = self.oldest.val().replace_bit(i, true);
                self.oldest_way.next = self.oldest_way.val() | i.to_bits::<CONSTANT_WAY_BITS>();
            }
        }

        self.used.next = self.hit_ways.val();
        if self.install.val() {
            self.used.next = self.oldest.val();
        }
        self.used_youth.next = 0.into();
        for i in 0..CONSTANT_WAYS {
            if self.used.val().get_bit(i) {
                self.used_youth.next = self.used_youth.val() | self.youth[i].val();
            }
        }
        self.renews.next = self.touch.val() | (self.install.val() & self.install_keep.val());
        for i in 0..CONSTANT_WAYS {
            if self.renews.val() {
                if self.used.val().get_bit(i) {
                    self.order.d[i].next = !i.to_bits::<CONSTANT_WAY_BITS>();
                } else if self.youth[i].val() > self.used_youth.val() {
                    self.order.d[i].next = (self.youth[i].val() - 1) ^ i.to_bits::<CONSTANT_WAY_BITS>();
                }
            }
            if self.install.val() & self.oldest.val().get_bit(i) {
                self.tag.d[i].next = self.install_key.val();
            }
        }

        self.valid_next.next = self.valid.q.val();
        if self.install.val() {
            self.valid_next.next = self.valid.q.val() & !self.oldest.val();
            if self.install_keep.val() {
                self.valid_next.next = self.valid.q.val() | self.oldest.val();
            }
        }
        if self.flush.val() {
            self.valid_next.next = 0.into();
        }
        self.valid.d.next = self.valid_next.val();

        self.contract_one_change.next = !(self.touch.val() & self.install.val())
            & !(self.touch.val() & self.flush.val())
            & !(self.install.val() & self.flush.val());
        self.contract_touch.next = !self.touch.val() | self.hit_ways.val().any();
    }
}
