//! The last transfers on a run's ports, in words.

use std::collections::VecDeque;

use lsu_model::pins::{Inputs, Outputs};

use crate::lockstep::{CycleView, Observer};
use crate::program::{Program, describe};

/// How many transactions a report shows.
pub const SHOWN: usize = 16;

/// One transfer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// Its cycle.
    pub cycle: u64,
    /// Its unit.
    pub sm: u32,
    /// The operation that it belongs to, where that is known.
    pub op: Option<usize>,
    /// Port and payload.
    pub text: String,
}

/// Keeps the last [`SHOWN`] transactions of a run.
#[derive(Debug)]
pub struct TransactionRing<'p> {
    program: &'p Program,
    last: VecDeque<Transaction>,
}

impl<'p> TransactionRing<'p> {
    /// An empty ring for a run of `program`.
    pub fn new(program: &'p Program) -> Self {
        Self { program, last: VecDeque::with_capacity(SHOWN + 1) }
    }

    /// What has been kept, oldest first.
    pub fn into_transactions(self) -> Vec<Transaction> {
        self.last.into()
    }

    fn push(&mut self, view: &CycleView<'_>, op: Option<usize>, text: String) {
        self.last.push_back(Transaction { cycle: view.cycle, sm: view.sm, op, text });
        if self.last.len() > SHOWN {
            self.last.pop_front();
        }
    }
}

impl Observer for TransactionRing<'_> {
    fn cycle(&mut self, view: &CycleView<'_>) {
        let (inputs, outputs): (&Inputs, &Outputs) = (view.inputs, view.outputs);
        let finished = view.finished;
        if inputs.mem_rsp_valid && outputs.mem_rsp_ready {
            let error = if inputs.mem_rsp.error { " error" } else { "" };
            self.push(view, None, format!("mem_rsp id {}{error}", inputs.mem_rsp.id));
        }
        if outputs.mem_req_valid && inputs.mem_req_ready {
            let what = if outputs.mem_req.write { "write" } else { "read" };
            self.push(view, None, format!("mem_req id {} {what} {:#x}", outputs.mem_req.id, outputs.mem_req.addr));
        }
        if let Some(op) = finished.accepted {
            let text = format!("req     tag {} {}", inputs.req.tag, describe(self.program, op));
            self.push(view, Some(op), text);
        }
        if inputs.wdata_valid && outputs.wdata_ready {
            self.push(view, None, format!("wdata   lane 0 = {:#x}", inputs.wdata[0]));
        }
        if outputs.fault_valid && inputs.fault_ready {
            let fault = &outputs.fault;
            let text = format!(
                "fault   tag {} cause {} lanes {:#x} addr {:#x}",
                fault.tag, fault.cause, fault.lanes, fault.addr
            );
            self.push(view, finished.fault, text);
        }
        if outputs.wb_valid && inputs.wb_ready {
            let wb = &outputs.wb;
            let last = if wb.last { " last" } else { "" };
            let text = match wb.mask {
                0 => format!("wb      tag {} R{} no lane{last}", wb.tag, wb.rd),
                mask => {
                    let lane = mask.trailing_zeros();
                    let data = wb.data[lane as usize];
                    format!("wb      tag {} R{} mask {mask:#x} lane {lane} = {data:#x}{last}", wb.tag, wb.rd)
                }
            };
            self.push(view, finished.writeback, text);
        }
        if outputs.done_valid && inputs.done_ready {
            self.push(view, finished.done, format!("done    tag {}", outputs.done_tag));
        }
    }
}
