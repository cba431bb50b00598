//! A cycle that one engine has run and others have not.

use lsu_model::pins::{Inputs, Outputs};

/// The pins of a cycle, for those that follow.
#[derive(Clone, Debug, Default)]
pub struct Ahead {
    /// The input pins. Of payloads whose `valid` is low only those count that an output follows in the same cycle all the same.
    pub inputs: Inputs,
    /// The output pins, payloads only while their `valid` is high.
    pub expected: Outputs,
    /// Whether the outputs mean anything: not before the first reset edge.
    pub is_reset: bool,
}

/// Copies the named fields, and payloads whose `valid` is high. A field that is not named is an error of the compiler.
macro_rules! copy {
    ($type:ident: $from:ident to $into:expr; $($field:ident)*; $($valid:ident: $payload:ident,)*) => {{
        let $type { $($field: _,)* $($payload: _,)* } = $from;
        $($into.$field = $from.$field;)*
        $(if $from.$valid { $into.$payload = $from.$payload; })*
    }};
}

impl Ahead {
    /// Becomes this cycle. (Payloads are most of the bytes, and few are valid at once.)
    pub fn record(&mut self, inputs: &Inputs, outputs: &Outputs) {
        copy!(Inputs: inputs to self.inputs;
            reset reset_memory req_valid wdata_valid wb_ready fault_ready done_ready mem_req_ready mem_rsp_valid cluster_req_ready
            cluster_rsp_valid serve_req_valid serve_rsp_ready bank_write_valid compute windows param_offset;
            req_valid: req,
            wdata_valid: wdata,
            mem_rsp_valid: mem_rsp,
            cluster_rsp_valid: cluster_rsp,
            serve_req_valid: serve_req,
            bank_write_valid: bank_write,
        );
        // `req_ready` and `mem_rsp_ready` follow these.
        (self.inputs.req.op, self.inputs.req.space, self.inputs.req.cmd) =
            (inputs.req.op, inputs.req.space, inputs.req.cmd);
        self.inputs.mem_rsp.id = inputs.mem_rsp.id;
        copy!(Outputs: outputs to self.expected;
            req_ready wdata_ready wb_valid fault_valid done_valid mem_req_valid mem_rsp_ready cluster_req_valid cluster_rsp_ready
            serve_req_ready serve_rsp_valid status;
            wb_valid: wb,
            fault_valid: fault,
            done_valid: done,
            mem_req_valid: mem_req,
            cluster_req_valid: cluster_req,
            serve_rsp_valid: serve_rsp,
        );
    }
}
