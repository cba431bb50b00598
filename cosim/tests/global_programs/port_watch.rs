//! An observer of the memory port: transfers by time, and accesses to one sector that are with the memory side at once.

use std::collections::HashMap;

use lsu_cosim::lockstep::{CycleView, Observer};

/// The first id of the global path; those below belong to the constant cache.
const FIRST_GLOBAL_ID: u8 = 64;

/// What a unit's global path has done at its memory port.
#[derive(Debug, Default)]
pub struct PortWatch {
    /// Cycle of each request's transfer.
    pub requests: Vec<u64>,
    /// Pairs of accesses of one unit to one sector, one of them a write, that were with the memory side at the same time.
    pub overlaps: Vec<String>,
    /// Requests whose sector had another access before them, one of the two a write: pairs that could have overlapped.
    pub conflicts: u64,
    /// Most requests that were with the memory side at the same time.
    pub most_in_flight: usize,
    /// By unit and id: sector and whether it is written. From the cycle of the request to that of the response, both included.
    in_flight: HashMap<(u32, u8), (u64, bool)>,
    /// By unit and sector: whether the last access to it was a write.
    last_was_write: HashMap<(u32, u64), bool>,
}

impl Observer for PortWatch {
    fn cycle(&mut self, view: &CycleView<'_>) {
        let (inputs, outputs) = (view.inputs, view.outputs);
        let request = &outputs.mem_req;
        if outputs.mem_req_valid && inputs.mem_req_ready && request.id >= FIRST_GLOBAL_ID {
            self.requests.push(view.cycle);
            for ((sm, id), (sector, write)) in &self.in_flight {
                if *sm == view.sm && *sector == request.addr && (*write || request.write) {
                    self.overlaps.push(format!(
                        "cycle {} sm {sm}: id {} at {sector:#x} while id {id} is under way",
                        view.cycle, request.id
                    ));
                }
            }
            let before = self.last_was_write.insert((view.sm, request.addr), request.write);
            self.conflicts += u64::from(before.is_some_and(|was_write| was_write || request.write));
            let previous = self.in_flight.insert((view.sm, request.id), (request.addr, request.write));
            assert_eq!(previous, None, "cycle {}: id {} is used twice", view.cycle, request.id);
            self.most_in_flight = self.most_in_flight.max(self.in_flight.len());
        }
        if inputs.mem_rsp_valid && outputs.mem_rsp_ready && inputs.mem_rsp.id >= FIRST_GLOBAL_ID {
            self.in_flight.remove(&(view.sm, inputs.mem_rsp.id));
        }
    }
}
