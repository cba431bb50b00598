//! `Unanswered`: how many requests of one port have not been answered. It outlives `rst`.
//!
//! Assertions: `contract_answer`, `contract_ids`.

use super::prelude::*;

/// Counts the unanswered requests of a port with `COUNT` ids.
#[derive(LogicBlock, Default)]
pub struct Unanswered<const COUNT: usize> {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset: nothing is unanswered any more.
    pub reset: Signal<In, Bit>,
    /// A request is taken at this edge.
    pub asked: Signal<In, Bit>,
    /// A response came.
    pub rsp_valid: Signal<In, Bit>,
    /// It is taken at this edge, if there is one.
    pub rsp_ready: Signal<In, Bit>,
    /// After this edge any are unanswered.
    pub any_next: Signal<Out, Bit>,

    count: Register<Bits<UNANSWERED_BITS>>,
    answered: Signal<Local, Bit>,
    step: Signal<Local, Bits<UNANSWERED_BITS>>,

    /// A response comes only while a request is unanswered.
    contract_answer: Signal<Local, Bit>,
    /// No more requests are unanswered than there are ids.
    contract_ids: Signal<Local, Bit>,
}

impl<const COUNT: usize> Logic for Unanswered<COUNT> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, count);
        self.answered.next = self.rsp_valid.val() & self.rsp_ready.val();
        // One adder: all ones take one away. A response that nobody asked for must not make a later reset wait for ever.
        self.step.next = 0.into();
        if self.answered.val() & !self.asked.val() & self.count.q.val().any() {
            self.step.next = !self.step.val();
        }
        if self.asked.val() & !self.answered.val() {
            self.step.next = 1.into();
        }
        self.count.d.next = self.count.q.val() + self.step.val();
        // Not asked of the sum: what is taken is known last.
        self.any_next.next = self.count.q.val().any();
        if self.answered.val() & !self.asked.val() & (self.count.q.val() == 1) {
            self.any_next.next = false;
        }
        if self.asked.val() & !self.answered.val() {
            self.any_next.next = true;
        }

        self.contract_answer.next = !self.rsp_valid.val() | self.count.q.val().any();
        self.contract_ids.next = self.count.q.val() <= COUNT.to_bits::<UNANSWERED_BITS>();
    }
}
