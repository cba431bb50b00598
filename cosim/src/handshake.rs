//! The port contract from one cycle to the next: once `valid` is high, neither it nor the payload changes until `ready`.

use lsu_model::pins::{Inputs, Outputs};

/// Watches the outputs of one engine.
#[derive(Debug, Default)]
pub struct HandshakeWatch {
    /// The outputs of the cycle before, as far as something is held.
    before: Outputs,
    is_wb_held: bool,
    is_fault_held: bool,
    is_done_held: bool,
    is_mem_req_held: bool,
    is_cluster_req_held: bool,
    is_serve_rsp_held: bool,
}

impl HandshakeWatch {
    /// The port on which this cycle breaks the contract, if one does.
    pub fn check(&mut self, inputs: &Inputs, outputs: &Outputs) -> Option<&'static str> {
        let before = &self.before;
        let broken = if self.is_wb_held && !(outputs.wb_valid && outputs.wb == before.wb) {
            Some("wb")
        } else if self.is_fault_held && !(outputs.fault_valid && outputs.fault == before.fault) {
            Some("fault")
        } else if self.is_done_held && !(outputs.done_valid && outputs.done.tag == before.done.tag) {
            Some("done")
        } else if self.is_mem_req_held && !(outputs.mem_req_valid && outputs.mem_req == before.mem_req) {
            Some("mem_req")
        } else if self.is_cluster_req_held && !(outputs.cluster_req_valid && outputs.cluster_req == before.cluster_req)
        {
            Some("cluster_req")
        } else if self.is_serve_rsp_held && !(outputs.serve_rsp_valid && outputs.serve_rsp == before.serve_rsp) {
            Some("serve_rsp")
        } else {
            None
        };
        let is_running = !inputs.reset;
        self.is_wb_held = is_running && outputs.wb_valid && !inputs.wb_ready;
        self.is_fault_held = is_running && outputs.fault_valid && !inputs.fault_ready;
        self.is_done_held = is_running && outputs.done_valid && !inputs.done_ready;
        self.is_mem_req_held = is_running && outputs.mem_req_valid && !inputs.mem_req_ready;
        self.is_cluster_req_held = is_running && outputs.cluster_req_valid && !inputs.cluster_req_ready;
        // A reset leaves what others wait for.
        self.is_serve_rsp_held =
            !(inputs.reset && inputs.reset_memory) && outputs.serve_rsp_valid && !inputs.serve_rsp_ready;
        if self.is_wb_held {
            self.before.wb = outputs.wb;
        }
        if self.is_fault_held {
            self.before.fault = outputs.fault;
        }
        if self.is_done_held {
            self.before.done.tag = outputs.done.tag;
        }
        if self.is_mem_req_held {
            self.before.mem_req = outputs.mem_req;
        }
        if self.is_cluster_req_held {
            self.before.cluster_req = outputs.cluster_req;
        }
        if self.is_serve_rsp_held {
            self.before.serve_rsp = outputs.serve_rsp;
        }
        broken
    }
}

#[cfg(test)]
mod tests {
    use lsu_model::pins::Completion;

    use super::*;

    #[test]
    fn a_held_payload_may_not_change() {
        let mut watch = HandshakeWatch::default();
        let stalled = Inputs::default();
        let mut outputs = Outputs { done_valid: true, done: Completion { tag: 3 }, ..Outputs::default() };
        assert_eq!(watch.check(&stalled, &outputs), None);
        assert_eq!(watch.check(&stalled, &outputs), None);
        outputs.done.tag = 4;
        assert_eq!(watch.check(&stalled, &outputs), Some("done"));
        let ready = Inputs { done_ready: true, ..Inputs::default() };
        assert_eq!(watch.check(&ready, &outputs), None);
        outputs.done_valid = false;
        assert_eq!(watch.check(&ready, &outputs), None);
    }

    #[test]
    fn a_reset_ends_a_request_and_leaves_a_reply() {
        let stalled = Inputs::default();
        let asking = Outputs { cluster_req_valid: true, serve_rsp_valid: true, ..Outputs::default() };
        for (reset_memory, broken) in [(false, Some("serve_rsp")), (true, None)] {
            let mut watch = HandshakeWatch::default();
            assert_eq!(watch.check(&stalled, &asking), None);
            assert_eq!(watch.check(&Inputs { reset: true, reset_memory, ..Inputs::default() }, &asking), None);
            assert_eq!(watch.check(&stalled, &Outputs::default()), broken);
        }
        let mut watch = HandshakeWatch::default();
        watch.check(&stalled, &asking);
        assert_eq!(
            watch.check(&stalled, &Outputs { serve_rsp_valid: true, ..Outputs::default() }),
            Some("cluster_req")
        );
    }
}
