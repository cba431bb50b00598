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
        } else {
            None
        };
        let is_running = !inputs.reset;
        self.is_wb_held = is_running && outputs.wb_valid && !inputs.wb_ready;
        self.is_fault_held = is_running && outputs.fault_valid && !inputs.fault_ready;
        self.is_done_held = is_running && outputs.done_valid && !inputs.done_ready;
        self.is_mem_req_held = is_running && outputs.mem_req_valid && !inputs.mem_req_ready;
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
}
