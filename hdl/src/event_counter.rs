//! `EventCounter`: how often something happened; 32 bits, wraps.
//!
//! An event is kept as it is and added behind the register, in the next cycle: events are known late in theirs.

use rust_hdl::prelude::*;

use crate::{Register, dff_setup};

/// Counts the cycles of an event.
#[derive(LogicBlock, Default)]
pub struct EventCounter {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset: 0.
    pub reset: Signal<In, Bit>,
    /// It happens in this cycle.
    pub happens: Signal<In, Bit>,
    /// Cycles before this one in which it happened.
    pub count: Signal<Out, Bits<32>>,
    happened: Register<Bit>,
    /// The count, but for the last cycle.
    held: Register<Bits<32>>,
    step: Signal<Local, Bits<1>>,
}

impl Logic for EventCounter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, happened, held);
        self.happened.d.next = self.happens.val();
        self.step.next = 0.into();
        if self.happened.q.val() {
            self.step.next = 1.into();
        }
        self.count.next = self.held.q.val() + bit_cast::<32, 1>(self.step.val());
        self.held.d.next = self.count.val();
    }
}
