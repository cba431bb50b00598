//! The last transfers on a run's ports, in words.

use lsu_model::micro_op::OpKind;
use std::collections::{BTreeMap, VecDeque};

use lsu_model::pins::{Inputs, Outputs};

use crate::lockstep::{CycleView, Observer};
use crate::owner::{owner, remote_owner};
use crate::program::{
    LocalMemory, LocalPlace, Program, SharedPlace, constant_bank, describe, local_place, shared_place, store_beats,
};

/// How many transactions a report shows.
pub const SHOWN: usize = 16;

/// Codes of `req_op`.
const LDC: u8 = OpKind::Ldc.code();
const COMMAND: u8 = OpKind::Command.code();

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
    /// What each unit has in flight.
    flights: Vec<Flight>,
}

/// What one unit has in flight, so that the ports that name no operation can be told apart.
#[derive(Clone, Debug, Default)]
struct Flight {
    /// Operations accepted and not complete.
    ops: Vec<usize>,
    /// Stores whose data is still to come, each with the beats that are missing.
    stores: VecDeque<(usize, usize)>,
    /// The operation of each memory request under way, by id.
    requests: BTreeMap<u8, Option<usize>>,
    /// The same of requests to other units.
    remote_requests: BTreeMap<u8, Option<usize>>,
}

impl<'p> TransactionRing<'p> {
    /// An empty ring for a run of `program`.
    pub fn new(program: &'p Program) -> Self {
        let flights = vec![Flight::default(); program.sms as usize];
        Self { program, last: VecDeque::with_capacity(SHOWN + 1), flights }
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

    /// The active lanes of an operation and where the lowest of them goes: `mask 0x80 lane 7 address 0x1040`.
    fn lanes(&self, op: usize) -> String {
        let operation = &self.program.ops[op];
        let request = &operation.request;
        let lane = request.mask.trailing_zeros() as usize;
        match (request.op, request.addr.get(lane)) {
            (COMMAND, _) => String::new(),
            (_, None) => " no lane".to_owned(),
            // Where an LDC reads depends on its mode: what is sure is its register.
            (LDC, Some(_)) if request.ra_is_rz => format!(" mask {:#x}", request.mask),
            (LDC, Some(operand)) => format!(" mask {:#x} lane {lane} operand {operand:#x}", request.mask),
            (_, Some(operand)) => {
                let addresses = self.program.preset.address_mask();
                let address = operand.wrapping_add_signed(i64::from(request.imm as i32));
                if let Some(bank) = constant_bank(request) {
                    let address = address.wrapping_add(self.program.constant_start_at(op)) & addresses;
                    return format!(" mask {:#x} lane {lane} bank {bank} address {address:#x}", request.mask);
                }
                let address = address & addresses;
                let (preset, windows) = (&self.program.preset, self.program.windows_at(op));
                let shared = shared_place(preset, &windows, request, lane);
                let place = match (shared, local_place(preset, &windows, request, lane)) {
                    (Some(SharedPlace::At(byte)), _) => format!(" shared {byte:#x}"),
                    (Some(SharedPlace::Remote { rank, offset }), _) => format!(" rank {rank} offset {offset:#x}"),
                    (Some(SharedPlace::Beyond), _) => " beyond the CTA's window".to_owned(),
                    (None, Some(LocalPlace::At(byte))) => {
                        let slot = self.program.slot(operation.warp);
                        let memory = LocalMemory::new(preset, &windows).address(slot, lane, byte);
                        format!(" local {byte:#x} memory {memory:#x}")
                    }
                    (None, Some(LocalPlace::Beyond)) => " beyond local memory".to_owned(),
                    (None, None) => String::new(),
                };
                format!(" mask {:#x} lane {lane} address {address:#x}{place}", request.mask)
            }
        }
    }
}

impl Observer for TransactionRing<'_> {
    fn cycle(&mut self, view: &CycleView<'_>) {
        let (inputs, outputs): (&Inputs, &Outputs) = (view.inputs, view.outputs);
        let (finished, unit) = (view.finished, view.sm as usize);
        // The first cycle of all is one of reset, too.
        if inputs.reset && view.cycle > 0 {
            let memory = if inputs.reset_memory { " with rst_mem" } else { "" };
            self.push(view, None, format!("reset{memory}"));
        }
        if inputs.mem_rsp_valid && outputs.mem_rsp_ready {
            let error = if inputs.mem_rsp.error { " error" } else { "" };
            let op = self.flights[unit].requests.remove(&inputs.mem_rsp.id).flatten();
            self.push(view, op, format!("mem_rsp id {}{error}", inputs.mem_rsp.id));
        }
        if outputs.mem_req_valid && inputs.mem_req_ready {
            let request = &outputs.mem_req;
            let what = if request.write { "write" } else { "read" };
            let op = owner(self.program, self.flights[unit].ops.iter().copied(), request);
            self.flights[unit].requests.insert(request.id, op);
            self.push(view, op, format!("mem_req id {} {what} {:#x}", request.id, request.addr));
        }
        if inputs.cluster_rsp_valid && outputs.cluster_rsp_ready {
            let error = if inputs.cluster_rsp.error { " error" } else { "" };
            let op = self.flights[unit].remote_requests.remove(&inputs.cluster_rsp.id).flatten();
            self.push(view, op, format!("cluster_rsp id {}{error}", inputs.cluster_rsp.id));
        }
        if outputs.cluster_req_valid && inputs.cluster_req_ready {
            let request = &outputs.cluster_req;
            let what = if request.write { "write" } else { "read" };
            let op = remote_owner(self.program, self.flights[unit].ops.iter().copied(), request);
            self.flights[unit].remote_requests.insert(request.id, op);
            let (id, rank, addr) = (request.id, request.rank, request.addr);
            self.push(view, op, format!("cluster_req id {id} {what} rank {rank} {addr:#x}"));
        }
        if outputs.serve_rsp_valid && inputs.serve_rsp_ready {
            let response = &outputs.serve_rsp;
            let error = if response.error { " error" } else { "" };
            self.push(view, None, format!("serve_rsp id {} of rank {}{error}", response.id, response.rank));
        }
        if inputs.serve_req_valid && outputs.serve_req_ready {
            let request = &inputs.serve_req;
            let what = if request.write { "write" } else { "read" };
            let (id, rank, addr) = (request.id, request.rank, request.addr);
            self.push(view, None, format!("serve_req id {id} of rank {rank} {what} {addr:#x}"));
        }
        if inputs.wdata_valid
            && outputs.wdata_ready
            && let Some((op, missing)) = self.flights[unit].stores.front_mut()
        {
            let op = *op;
            *missing -= 1;
            if *missing == 0 {
                self.flights[unit].stores.pop_front();
            }
            let lane = self.program.ops[op].request.mask.trailing_zeros() as usize;
            let text = match inputs.wdata.data.get(lane) {
                Some(word) => format!("wdata   lane {lane} = {word:#x}"),
                None => "wdata   no lane".to_owned(),
            };
            self.push(view, Some(op), text);
        }
        if let Some(op) = finished.accepted {
            let text = format!("req     tag {} {}{}", inputs.req.tag, describe(self.program, op), self.lanes(op));
            self.flights[unit].ops.push(op);
            let beats = store_beats(&self.program.ops[op].request);
            if beats > 0 {
                self.flights[unit].stores.push_back((op, beats));
            }
            self.push(view, Some(op), text);
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
            self.push(view, finished.done, format!("done    tag {}", outputs.done.tag));
        }
        let flying = &mut self.flights[unit].ops;
        flying.retain(|op| !finished.completed.contains(&Some(*op)));
    }
}
