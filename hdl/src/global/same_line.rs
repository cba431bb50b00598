//! `SameLine`: the lanes that make a pass together. Rule PASS. Combinational.
//!
//! A load's lanes are those on the leader's line, a store's those in its sector, an mmio operation's the leader alone.

use super::prelude::*;

/// The lanes that make a pass together.
#[derive(LogicBlock, Default)]
pub struct SameLine {
    /// Lanes without a pass so far.
    pub lanes: Signal<In, Bits<LANES>>,
    /// Those that are local.
    pub local_lanes: Signal<In, Bits<LANES>>,
    /// The lowest lane without a pass, if there is any.
    pub leader: Signal<In, Bits<LANES>>,
    /// It is local.
    pub leader_is_local: Signal<In, Bit>,
    /// Its address.
    pub leader_address: Signal<In, Bits<ADDR>>,
    /// Address of each lane.
    pub address: Many<Signal<In, Bits<ADDR>>, LANES>,
    /// The operation is a store.
    pub is_store: Signal<In, Bit>,
    /// One transaction for each lane.
    pub mmio: Signal<In, Bit>,
    /// Lanes that make a pass with the leader, if they have none so far and neither it nor they are shared: those of its kind on its line
    /// or in its sector.
    pub same: Signal<Out, Bits<LANES>>,
    /// Some of `lanes`, if none is shared, do not: known sooner than which, as the leader is one of them.
    pub differs: Signal<Out, Bit>,
    difference: Signal<Local, Bits<ADDR>>,
    /// Bits of an address that are 1 in one of `lanes`, and those that are 0 in one.
    ones: Signal<Local, Bits<ADDR>>,
    zeros: Signal<Local, Bits<ADDR>>,
    differing: Signal<Local, Bits<ADDR>>,
    /// The same of the numbers of `lanes`.
    number_ones: Signal<Local, Bits<LANE_BITS>>,
    number_zeros: Signal<Local, Bits<LANE_BITS>>,
}

impl Logic for SameLine {
    #[hdl_gen]
    fn update(&mut self) {
        self.same.next = 0.into();
        self.ones.next = 0.into();
        self.zeros.next = 0.into();
        self.number_ones.next = 0.into();
        self.number_zeros.next = 0.into();
        for i in 0..LANES {
            self.difference.next = self.address[i].val() ^ self.leader_address.val();
            if (!self.mmio.val() | self.leader.val().get_bit(i))
                & (self.leader_is_local.val() == self.local_lanes.val().get_bit(i))
                & !self.difference.val().get_bits::<MEMORY_LINE>(7).any()
                & (!self.is_store.val() | !self.difference.val().get_bits::<2>(5).any())
            {
                self.same.next = self.same.val().replace_bit(i, true);
            }
            if self.lanes.val().get_bit(i) {
                self.ones.next = self.ones.val() | self.address[i].val();
                self.zeros.next = self.zeros.val() | !self.address[i].val();
                self.number_ones.next = self.number_ones.val() | i.to_bits::<LANE_BITS>();
                self.number_zeros.next = self.number_zeros.val() | !i.to_bits::<LANE_BITS>();
            }
        }
        self.differing.next = self.ones.val() & self.zeros.val();
        self.differs.next = self.differing.val().get_bits::<MEMORY_LINE>(7).any()
            | (self.is_store.val() & self.differing.val().get_bits::<2>(5).any())
            | ((self.lanes.val() & self.local_lanes.val()).any() & (self.lanes.val() & !self.local_lanes.val()).any())
            | (self.mmio.val() & (self.number_ones.val() & self.number_zeros.val()).any());
    }
}
