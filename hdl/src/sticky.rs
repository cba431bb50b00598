//! `Sticky`: one status bit that stays set until reset.

use rust_hdl::prelude::*;

use crate::{Register, dff_setup};

/// A bit that stays set until reset.
#[derive(LogicBlock, Default)]
pub struct Sticky {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset: 0.
    pub reset: Signal<In, Bit>,
    /// Becomes 1 at this edge.
    pub set: Signal<In, Bit>,
    /// 1 since it was set.
    pub value: Signal<Out, Bit>,
    held: Register<Bit>,
}

impl Logic for Sticky {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, held);
        if self.set.val() {
            self.held.d.next = true;
        }
        self.value.next = self.held.q.val();
    }
}
