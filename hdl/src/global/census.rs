//! `Census`: whether anything of an operation is ahead of `collect`, and whether a pass is its operation's last. Combinational.
//!
//! ```text
//! what every place holds, with its tag ─┬─ against the tag in collect ─► ahead
//!                                       └─ against the first passes of resume, hit, ro_hit, bank ─► last of each
//! ```
//!
//! What is asked is compared for all four candidates of a pick beside the choice, and chosen after it.

use super::prelude::*;

/// Whether anything of an operation is ahead, and whether a pass is its operation's last.
#[derive(LogicBlock, Default)]
pub struct Census {
    /// The places that count for both questions hold a pass: first the candidates `resume`, `hit`, `ro_hit`, `bank`.
    pub holds: Signal<In, Bits<PLACES>>,
    /// Its tag.
    pub tag: Many<Signal<In, Bits<8>>, PLACES>,
    /// `merge` holds a pass.
    pub merge_holds: Signal<In, Bit>,
    /// Its tag.
    pub merge_tag: Signal<In, Bits<8>>,
    /// For each candidate, a waiter holds a pass of its tag.
    pub waiter_holds: Signal<In, Bits<CANDIDATES>>,
    /// `read` holds a read.
    pub read_holds: Signal<In, Bit>,
    /// Its tag.
    pub read_tag: Signal<In, Bits<8>>,
    /// Tag in `collect`.
    pub collect_tag: Signal<In, Bits<8>>,
    /// A pass of `collect`'s tag is ahead.
    pub ahead: Signal<Out, Bit>,
    /// For each candidate: it is its operation's last pass.
    pub last: Signal<Out, Bits<CANDIDATES>>,
}

impl Logic for Census {
    #[hdl_gen]
    fn update(&mut self) {
        // Rule AHEAD.
        self.ahead.next = self.read_holds.val() & (self.read_tag.val() == self.collect_tag.val());
        for i in 0..PLACES {
            if self.holds.val().get_bit(i) & (self.tag[i].val() == self.collect_tag.val()) {
                self.ahead.next = true;
            }
        }

        // Rule LAST.
        self.last.next = !self.waiter_holds.val();
        for i in 0..CANDIDATES {
            if self.merge_holds.val() & (self.merge_tag.val() == self.tag[i].val()) {
                self.last.next = self.last.val().replace_bit(i, false);
            }
            for j in 0..PLACES {
                if i != j {
                    if self.holds.val().get_bit(j) & (self.tag[j].val() == self.tag[i].val()) {
                        self.last.next = self.last.val().replace_bit(i, false);
                    }
                }
            }
        }
    }
}
