//! Rule DRAIN: what memory and the cluster still owe through a reset.

use crate::pins::{Inputs, Outputs};

/// Counts requests that have not been answered.
#[derive(Clone, Debug, Default)]
pub(super) struct Drain {
    unanswered: u32,
    /// Some of them are from before a reset; until the last answer nothing more is asked for.
    drains: bool,
}

impl Drain {
    /// Whether the unit waits for answers to requests from before a reset.
    pub(super) fn drains(&self) -> bool {
        self.drains
    }

    /// Requests that have not been answered.
    pub(super) fn unanswered(&self) -> u32 {
        self.unanswered
    }

    /// The rising edge that ends a cycle with these pins.
    pub(super) fn advance(&mut self, inputs: &Inputs, outputs: &Outputs) {
        let is_taken = |valid: bool, ready: bool| u32::from(valid && ready);
        self.unanswered += is_taken(outputs.mem_req_valid, inputs.mem_req_ready)
            + is_taken(outputs.cluster_req_valid, inputs.cluster_req_ready);
        let answers = is_taken(inputs.mem_rsp_valid, outputs.mem_rsp_ready)
            + is_taken(inputs.cluster_rsp_valid, outputs.cluster_rsp_ready);
        // An answer that nobody asked for breaks the port contract.
        self.unanswered = self.unanswered.saturating_sub(answers);
        if inputs.reset && inputs.reset_memory {
            self.unanswered = 0;
        }
        self.drains = (self.drains || inputs.reset) && self.unanswered != 0;
    }
}
