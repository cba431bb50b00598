//! `Drain`: what the memory side and the cluster still owe, through a reset.
//!
//! ```text
//! asks ───► not while it drains ─► mem_req_valid, cluster_req_valid     unanswered of each port: + 1 with a request, - 1 with a response
//! answers ◄─ not while it drains ◄─ mem_rsp_valid, cluster_rsp_valid     drains: from a reset with unanswered requests to the last answer
//! ```
//!
//! Rule DRAIN. The counts, and that the unit drains, outlive `rst`, as no other register does but those of what other CTAs ask for: only `rst` with `rst_mem` clears
//! them. While the unit drains, what asks waits, and what comes is taken at once and goes nowhere. All of it is one level of logic beside
//! the pins.

use super::prelude::*;
use super::unanswered::Unanswered;

/// Counts unanswered requests, and stands between the unit and both ports while answers to forgotten ones come.
#[derive(LogicBlock, Default)]
pub struct Drain {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset of everything else.
    pub reset: Signal<In, Bit>,
    /// With it: nothing is unanswered any more.
    pub rst_mem: Signal<In, Bit>,
    /// A request for memory is presented.
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
    /// A request for shared memory of another CTA is presented.
    pub cluster_asks: Signal<In, Bit>,
    /// It is offered to the cluster.
    pub cluster_req_valid: Signal<Out, Bit>,
    /// The cluster takes one at this edge.
    pub cluster_req_ready: Signal<In, Bit>,
    /// What is presented is taken at this edge.
    pub cluster_sends: Signal<Out, Bit>,
    /// A response came.
    pub cluster_rsp_valid: Signal<In, Bit>,
    /// To a request that the unit knows.
    pub cluster_answers: Signal<Out, Bit>,
    /// The unit takes such a one at this edge.
    pub cluster_takes: Signal<In, Bit>,
    /// Whatever came is taken at this edge.
    pub cluster_rsp_ready: Signal<Out, Bit>,
    /// The unit drains.
    pub drains: Signal<Out, Bit>,

    memory: Unanswered<IDS>,
    cluster: Unanswered<CLUSTER_IDS>,
    draining: Register<Bit>,
    forgets: Signal<Local, Bit>,
}

impl Logic for Drain {
    #[hdl_gen]
    fn update(&mut self) {
        // Rule DRAIN. These registers have a reset of their own.
        self.forgets.next = self.reset.val() & self.rst_mem.val();
        self.memory.clock.next = self.clock.val();
        self.memory.reset.next = self.forgets.val();
        self.cluster.clock.next = self.clock.val();
        self.cluster.reset.next = self.forgets.val();
        self.draining.clock.next = self.clock.val();
        self.draining.reset.next = self.forgets.val();

        self.drains.next = self.draining.q.val();
        self.mem_req_valid.next = self.asks.val() & !self.draining.q.val();
        self.sends.next = self.mem_req_ready.val() & !self.draining.q.val();
        self.answers.next = self.mem_rsp_valid.val() & !self.draining.q.val();
        self.mem_rsp_ready.next = self.takes.val() | self.draining.q.val();
        self.cluster_req_valid.next = self.cluster_asks.val() & !self.draining.q.val();
        self.cluster_sends.next = self.cluster_req_ready.val() & !self.draining.q.val();
        self.cluster_answers.next = self.cluster_rsp_valid.val() & !self.draining.q.val();
        self.cluster_rsp_ready.next = self.cluster_takes.val() | self.draining.q.val();

        self.memory.asked.next = self.asks.val() & self.sends.val();
        self.memory.rsp_valid.next = self.mem_rsp_valid.val();
        self.memory.rsp_ready.next = self.mem_rsp_ready.val();
        self.cluster.asked.next = self.cluster_asks.val() & self.cluster_sends.val();
        self.cluster.rsp_valid.next = self.cluster_rsp_valid.val();
        self.cluster.rsp_ready.next = self.cluster_rsp_ready.val();
        self.draining.d.next =
            (self.draining.q.val() | self.reset.val()) & (self.memory.any_next.val() | self.cluster.any_next.val());
    }
}
