//! `BankPlaces`: where the lanes of a pass lie: in their line, or in shared memory and which word of each bank it needs. Rule SHARED.
//! Combinational, but for its assertion.
//!
//! ```text
//! address, low bits ─► + shift of a shared pass ─┬─► offset in 128 bytes of each lane
//!                                                ├─► row of each lane
//!                                                └─► word of each bank: that of the lanes that need it
//! ```
//!
//! Word p of bank b is the one at shared address (p x LANES + b) x 4. Lanes that need the same bank in one pass need the same word of it,
//! so that or-ing is a choice.
//!
//! Assertions: `contract_one_word`.

use super::prelude::*;

/// Where the lanes of a pass lie.
#[derive(LogicBlock, Default)]
pub struct BankPlaces {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// The pass is shared.
    pub is_shared: Signal<In, Bit>,
    /// From a shared lane's address to its shared address, in granules.
    pub shift: Signal<In, Bits<GRANULE_BITS>>,
    /// Number of the last word of each lane.
    pub last_word: Signal<In, Bits<2>>,
    /// Lanes of the pass.
    pub group: Signal<In, Bits<LANES>>,
    /// Address of each lane.
    pub address: Many<Signal<In, Bits<ADDR>>, LANES>,
    /// Offset of each lane in its line, or in 128 bytes of shared memory.
    pub offset: Many<Signal<Out, Bits<7>>, LANES>,
    /// Row of shared memory in which each lane of a shared pass lies.
    pub shared_row: Many<Signal<Out, Bits<SHARED_ROW_BITS>>, LANES>,
    /// Word of each bank that a shared pass needs; 0 where it needs none.
    pub place: Many<Signal<Out, Bits<PLACE_BITS>>, LANES>,
    bank_mask: Signal<Local, Bits<BANK_BITS>>,
    granule_shift: Signal<Local, Bits<GRANULE_BITS>>,
    granule: Signal<Local, Bits<GRANULE_BITS>>,
    shared_address: Many<Signal<Local, Bits<SHARED_BITS>>, LANES>,

    /// The lanes of a shared pass that need the same bank need the same word of it.
    contract_one_word: Signal<Local, Bit>,
}

impl Logic for BankPlaces {
    #[hdl_gen]
    fn update(&mut self) {
        self.granule_shift.next = 0.into();
        if self.is_shared.val() {
            self.granule_shift.next = self.shift.val();
        }
        self.bank_mask.next = LAST_BANK.to_bits::<BANK_BITS>() & !bit_cast::<BANK_BITS, 2>(self.last_word.val());
        for i in 0..LANES {
            self.granule.next = self.address[i].val().get_bits::<GRANULE_BITS>(4) + self.granule_shift.val();
            self.shared_address[i].next = (bit_cast::<SHARED_BITS, GRANULE_BITS>(self.granule.val()) << 4)
                | (self.address[i].val().get_bits::<SHARED_BITS>(0) & 15);
            self.offset[i].next = self.shared_address[i].val().get_bits::<7>(0);
            self.shared_row[i].next = self.shared_address[i].val().get_bits::<SHARED_ROW_BITS>(7);
        }
        self.contract_one_word.next = true;
        for i in 0..LANES {
            self.place[i].next = 0.into();
        }
        if self.is_shared.val() {
            for i in 0..LANES {
                for j in 0..LANES {
                    if self.group.val().get_bit(j)
                        & !((self.shared_address[j].val().get_bits::<BANK_BITS>(2) ^ i.to_bits::<BANK_BITS>())
                            & self.bank_mask.val())
                        .any()
                    {
                        self.place[i].next =
                            self.place[i].val() | self.shared_address[j].val().get_bits::<PLACE_BITS>(BANK_BITS + 2);
                    }
                }
            }
            for j in 0..LANES {
                if self.group.val().get_bit(j) {
                    for i in 0..LANES {
                        if !((self.shared_address[j].val().get_bits::<BANK_BITS>(2) ^ i.to_bits::<BANK_BITS>())
                            & self.bank_mask.val())
                        .any()
                            & (self.shared_address[j].val().get_bits::<PLACE_BITS>(BANK_BITS + 2)
                                != self.place[i].val())
                        {
                            self.contract_one_word.next = false;
                        }
                    }
                }
            }
        }
    }
}
