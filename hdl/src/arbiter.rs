//! `Arbiter`: two sources of one handshake port.
//!
//! Rule ARBITER: a source that was presented and not taken is presented again, so that the payload does not change under `valid`.
//! Otherwise the source that was not taken last goes first; after reset the first source.

use rust_hdl::prelude::*;

use crate::{Register, dff_setup};

/// Chooses between two sources.
#[derive(LogicBlock, Default)]
pub struct Arbiter {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// The first source offers.
    pub first_valid: Signal<In, Bit>,
    /// It is taken at this edge, if it offers.
    pub first_ready: Signal<Out, Bit>,
    /// The second source offers.
    pub second_valid: Signal<In, Bit>,
    /// It is taken at this edge, if it offers.
    pub second_ready: Signal<Out, Bit>,
    /// One of them is presented.
    pub valid: Signal<Out, Bit>,
    /// It is the second one.
    pub is_second: Signal<Out, Bit>,
    /// What is presented is taken at this edge.
    pub ready: Signal<In, Bit>,
    waits: Register<Bit>,
    presented: Register<Bit>,
    first_was_last: Register<Bit>,
    first_waits: Signal<Local, Bit>,
    second_waits: Signal<Local, Bit>,
}

impl Logic for Arbiter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, waits, presented, first_was_last);
        self.valid.next = self.first_valid.val() | self.second_valid.val();
        self.is_second.next = self.second_valid.val() & (!self.first_valid.val() | self.first_was_last.q.val());
        if self.waits.q.val() {
            self.is_second.next = self.presented.q.val();
        }
        // Rule ARBITER. What each is told does not ask whether it offers: it knows, and much hangs on it.
        self.first_waits.next = self.second_valid.val() & self.first_was_last.q.val();
        self.second_waits.next = self.first_valid.val() & !self.first_was_last.q.val();
        if self.waits.q.val() {
            self.first_waits.next = self.presented.q.val();
            self.second_waits.next = !self.presented.q.val();
        }
        self.first_ready.next = self.ready.val() & !self.first_waits.val();
        self.second_ready.next = self.ready.val() & !self.second_waits.val();
        self.waits.d.next = self.valid.val() & !self.ready.val();
        self.presented.d.next = self.is_second.val();
        if self.valid.val() & self.ready.val() {
            self.first_was_last.d.next = !self.is_second.val();
        }
    }
}
