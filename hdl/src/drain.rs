//! `Drain`: what the memory side still owes, through a reset.
//!
//! ```text
//! asks ───► not while it drains ─► mem_req_valid          unanswered: + 1 with each transfer of mem_req, - 1 with each of mem_rsp
//! answers ◄─ not while it drains ◄─ mem_rsp_valid          drains: from a reset with unanswered requests to the last answer
//! ```
//!
//! Rule DRAIN. The count outlives `rst`, which no other register does: only `rst` with `rst_mem` clears it. While the unit drains, what
//! asks waits, and what comes is taken at once and goes nowhere. All of it is one level of logic beside the pins.
//!
//! Assertions: `contract_answer`, `contract_ids`.

use super::prelude::*;

/// Counts unanswered requests, and stands between the unit and the memory side while answers to forgotten ones come.
#[derive(LogicBlock, Default)]
pub struct Drain {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset of everything else.
    pub reset: Signal<In, Bit>,
    /// With it: nothing is unanswered any more.
    pub rst_mem: Signal<In, Bit>,
    /// A request is presented.
    pub asks: Signal<In, Bit>,
    /// It is offered to the memory side.
    pub mem_req_valid: Signal<Out, Bit>,
    /// The memory side takes one at this edge.
    pub mem_req_ready: Signal<In, Bit>,
    /// What is presented is taken at this edge.
    pub sends: Signal<Out, Bit>,
    /// A response came.
    pub mem_rsp_valid: Signal<In, Bit>,
    /// To a request that the unit knows.
    pub answers: Signal<Out, Bit>,
    /// The unit takes such a one at this edge.
    pub takes: Signal<In, Bit>,
    /// Whatever came is taken at this edge.
    pub mem_rsp_ready: Signal<Out, Bit>,
    /// The unit drains.
    pub drains: Signal<Out, Bit>,

    unanswered: Register<Bits<UNANSWERED_BITS>>,
    draining: Register<Bit>,
    forgets: Signal<Local, Bit>,
    asked: Signal<Local, Bit>,
    answered: Signal<Local, Bit>,
    step: Signal<Local, Bits<UNANSWERED_BITS>>,
    unanswered_next: Signal<Local, Bits<UNANSWERED_BITS>>,

    /// A response comes only while a request is unanswered.
    contract_answer: Signal<Local, Bit>,
    /// No more requests are unanswered than there are ids.
    contract_ids: Signal<Local, Bit>,
}

impl Logic for Drain {
    #[hdl_gen]
    fn update(&mut self) {
        // Rule DRAIN. These registers have a reset of their own.
        self.forgets.next = self.reset.val() & self.rst_mem.val();
        self.unanswered.clock.next = self.clock.val();
        self.unanswered.reset.next = self.forgets.val();
        self.draining.clock.next = self.clock.val();
        self.draining.reset.next = self.forgets.val();

        self.drains.next = self.draining.q.val();
        self.mem_req_valid.next = self.asks.val() & !self.draining.q.val();
        self.sends.next = self.mem_req_ready.val() & !self.draining.q.val();
        self.answers.next = self.mem_rsp_valid.val() & !self.draining.q.val();
        self.mem_rsp_ready.next = self.takes.val() | self.draining.q.val();

        self.asked.next = self.asks.val() & self.sends.val();
        self.answered.next = self.mem_rsp_valid.val() & self.mem_rsp_ready.val();
        // One adder: all ones take one away. A response that nobody asked for must not make a later reset wait for ever.
        self.step.next = 0.into();
        if self.answered.val() & !self.asked.val() & self.unanswered.q.val().any() {
            self.step.next = !self.step.val();
        }
        if self.asked.val() & !self.answered.val() {
            self.step.next = 1.into();
        }
        self.unanswered_next.next = self.unanswered.q.val() + self.step.val();
        self.unanswered.d.next = self.unanswered_next.val();
        self.draining.d.next = (self.draining.q.val() | self.reset.val()) & self.unanswered_next.val().any();

        self.contract_answer.next = !self.mem_rsp_valid.val() | self.unanswered.q.val().any();
        self.contract_ids.next = self.unanswered.q.val() <= IDS.to_bits::<UNANSWERED_BITS>();
    }
}
