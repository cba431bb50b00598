//! `BankPairs`: which lanes of an operation need the same banks of shared memory, and which the same block of bytes in them. Rule BANK.
//! Combinational.
//!
//! All shared lanes of an operation are as far from their shared addresses, by a multiple of what any of them reads or writes. So
//! their addresses are compared.
//!
//! A lane of 8 bytes needs two banks, one of 16 four, from a multiple of as many on: the lower bits of their numbers are 0, and agree.

use super::prelude::*;

/// Pairs of lanes: each with those below it.
#[derive(LogicBlock, Default)]
pub struct BankPairs {
    /// Any lane is shared: otherwise nobody asks.
    pub any: Signal<In, Bit>,
    /// Address of each lane.
    pub address: Many<Signal<In, Bits<ADDR>>, LANES>,
    /// For each lane, those below it that need the same banks.
    pub same_banks: Many<Signal<Out, Bits<LANES>>, LANES>,
    /// Those of them that need the same block.
    pub same_block: Many<Signal<Out, Bits<LANES>>, LANES>,
    difference: Signal<Local, Bits<SHARED_BITS>>,
    banks_agree: Signal<Local, Bit>,
}

impl Logic for BankPairs {
    #[hdl_gen]
    fn update(&mut self) {
        self.difference.next = 0.into();
        self.banks_agree.next = false;
        for i in 0..LANES {
            self.same_banks[i].next = 0.into();
            self.same_block[i].next = 0.into();
        }
        if self.any.val() {
            for i in 0..LANES {
                for j in 0..LANES {
                    if j < i {
                        self.difference.next = self.address[i].val().get_bits::<SHARED_BITS>(0)
                            ^ self.address[j].val().get_bits::<SHARED_BITS>(0);
                        self.banks_agree.next = !self.difference.val().get_bits::<BANK_BITS>(2).any();
                        self.same_banks[i].next = self.same_banks[i].val().replace_bit(j, self.banks_agree.val());
                        self.same_block[i].next = self.same_block[i].val().replace_bit(
                            j,
                            self.banks_agree.val() & !self.difference.val().get_bits::<PLACE_BITS>(BANK_BITS + 2).any(),
                        );
                    }
                }
            }
        }
    }
}
