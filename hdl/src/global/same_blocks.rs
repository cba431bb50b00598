//! `SameBlocks`: the shared lanes that make a pass together. Rule BANK. Combinational.
//!
//! Of the lanes that need the same banks the lowest decides which block these serve.

use super::prelude::*;

/// The shared lanes that make a pass together.
#[derive(LogicBlock, Default)]
pub struct SameBlocks {
    /// Shared lanes without a pass so far.
    pub lanes: Signal<In, Bits<LANES>>,
    /// For each lane, those below it that need the same banks.
    pub same_banks: Many<Signal<In, Bits<LANES>>, LANES>,
    /// Those of them that need the same block.
    pub same_block: Many<Signal<In, Bits<LANES>>, LANES>,
    /// Those that make a pass together.
    pub group: Signal<Out, Bits<LANES>>,
    /// Some of `lanes` do not, as two of them need different blocks of the same banks: known sooner than which.
    pub differs: Signal<Out, Bit>,
    first: Signal<Local, Bits<LANES>>,
    /// Lanes that need another block than one above them.
    clashing: Signal<Local, Bits<LANES>>,
}

impl Logic for SameBlocks {
    #[hdl_gen]
    fn update(&mut self) {
        self.first.next = self.lanes.val();
        for i in 1..LANES {
            if (self.lanes.val() & self.same_banks[i].val()).any() {
                self.first.next = self.first.val().replace_bit(i, false);
            }
        }
        self.clashing.next = 0.into();
        for i in 1..LANES {
            if self.lanes.val().get_bit(i) {
                self.clashing.next =
                    self.clashing.val() | (self.lanes.val() & self.same_banks[i].val() & !self.same_block[i].val());
            }
        }
        self.differs.next = self.clashing.val().any();
        self.group.next = self.first.val();
        for i in 1..LANES {
            if (self.first.val() & self.same_block[i].val()).any() {
                self.group.next = self.group.val().replace_bit(i, self.lanes.val().get_bit(i));
            }
        }
    }
}
