//! `SameLine`: the lanes that make a pass together (rule PASS). Combinational.
//!
//! A load's lanes are those on the leader's line, a store's those in its sector, an mmio operation's the leader alone.

use super::prelude::*;

/// The lanes that make a pass together.
#[derive(LogicBlock, Default)]
pub struct SameLine {
    /// Lanes without a pass so far, if it is asked of them.
    pub lanes: Signal<In, Bits<LANES>>,
    /// The lowest of them, if there is any.
    pub leader: Signal<In, Bits<LANES>>,
    /// Its address.
    pub leader_address: Signal<In, Bits<ADDR>>,
    /// Address of each lane.
    pub address: Many<Signal<In, Bits<ADDR>>, LANES>,
    /// The operation is a store.
    pub is_store: Signal<In, Bit>,
    /// One transaction for each lane.
    pub mmio: Signal<In, Bit>,
    /// Those that make a pass with the leader.
    pub group: Signal<Out, Bits<LANES>>,
    /// Some of `lanes` do not: known sooner than which.
    pub splits: Signal<Out, Bit>,
    difference: Signal<Local, Bits<ADDR>>,
    /// Those that may, wherever they lie.
    may_join: Signal<Local, Bits<LANES>>,
    /// Lanes on the leader's line, or in its sector: known last.
    same: Signal<Local, Bits<LANES>>,
}

impl Logic for SameLine {
    #[hdl_gen]
    fn update(&mut self) {
        self.may_join.next = self.lanes.val();
        if self.mmio.val() {
            self.may_join.next = self.lanes.val() & self.leader.val();
        }
        self.same.next = 0.into();
        for i in 0..LANES {
            self.difference.next = self.address[i].val() ^ self.leader_address.val();
            if !self.difference.val().get_bits::<MEMORY_LINE>(7).any()
                & (!self.is_store.val() | !self.difference.val().get_bits::<2>(5).any())
            {
                self.same.next = self.same.val().replace_bit(i, true);
            }
        }
        self.group.next = self.may_join.val() & self.same.val();
        self.splits.next =
            (self.lanes.val() & !self.may_join.val()).any() | (self.lanes.val() & !self.same.val()).any();
    }
}
