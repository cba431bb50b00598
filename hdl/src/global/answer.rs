//! `Answer`: place `answer` of the global path: a response from the cluster, until the row store and the MSHRs can take it.
//!
//! ```text
//! cluster_rsp ─► register ─► acts as a response to the MSHR, unless something else writes
//! ```
//!
//! Rule RESPONSE. While it is full no response is taken at the memory port, so that whether it acts never depends on that port.

use super::prelude::*;

/// Place `answer` of the global path: a response from the cluster.
#[derive(LogicBlock, Default)]
pub struct Answer {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// A response to a request that the unit knows is offered.
    pub response: ClusterResponsePort,

    /// Nothing else writes the row store in this cycle: what is in `answer` acts.
    pub goes: Signal<In, Bit>,
    /// `answer` is full.
    pub full: Signal<Out, Bit>,
    /// The same, but for the cycle after a reset, in which nothing is written: for those who choose the sector.
    pub is_source: Signal<Out, Bit>,
    /// MSHR of the response.
    pub mshr: Signal<Out, Bits<ENTRY_BITS>>,
    /// Its sector.
    pub sector: Signal<Out, Bits<2>>,
    /// The access failed.
    pub error: Signal<Out, Bit>,
    /// The sector, word 0 lowest.
    pub data: Many<Signal<Out, Bits<32>>, 8>,

    holds: Register<Bit>,
    /// The opposite, but for the cycle after a reset: half of what hangs on either.
    vacant: Register<Bit>,
    held_id: Register<Bits<6>>,
    held_error: Register<Bit>,
    held_data: Registers<Bits<32>, 8>,
}

impl Logic for Answer {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, holds, vacant, held_id, held_error, held_data);
        self.response.cluster_rsp_ready.next = !self.holds.q.val();
        if self.holds.q.val() {
            self.holds.d.next = !self.goes.val();
            self.vacant.d.next = self.goes.val();
        } else {
            // While it is empty it takes whatever is there.
            self.holds.d.next = self.response.cluster_rsp_valid.val();
            self.vacant.d.next = !self.response.cluster_rsp_valid.val();
            self.held_id.d.next = self.response.cluster_rsp_id.val();
            self.held_error.d.next = self.response.cluster_rsp_error.val();
            Arrays::join(&mut self.held_data.d, &mut self.response.cluster_rsp_data);
        }
        self.full.next = self.holds.q.val();
        self.is_source.next = !self.vacant.q.val();
        self.mshr.next = self.held_id.q.val().get_bits::<ENTRY_BITS>(2);
        self.sector.next = self.held_id.q.val().get_bits::<2>(0);
        self.error.next = self.held_error.q.val();
        Arrays::join(&mut self.data, &mut self.held_data.q);
    }
}
