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
    /// What the count becomes with a response, and without one: which of them it is, is known last.
    less: Signal<Local, Bits<UNANSWERED_BITS>>,
    more: Signal<Local, Bits<UNANSWERED_BITS>>,

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
        // A response that nobody asked for must not make a later reset wait for ever.
        self.less.next = self.count.q.val();
        self.more.next = self.count.q.val() + 1;
        if !self.asked.val() {
            self.more.next = self.count.q.val();
            if self.count.q.val().any() {
                self.less.next = self.count.q.val() - 1;
            }
        }
        self.count.d.next = self.more.val();
        if self.answered.val() {
            self.count.d.next = self.less.val();
        }
        // Not asked of the sums, for the same reason.
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
