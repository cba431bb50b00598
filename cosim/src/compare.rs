//! Which output pins differ between two engines in one cycle: payloads only while their `valid` is high in both.

use std::fmt;

use lsu_model::pins::Outputs;

/// One field that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Port group: `req`, `wb`, `fault`, `done`, `mem_req`, `mem_rsp`, `cluster_req`, `cluster_rsp`, `wdata`, `status`.
    pub port: &'static str,
    /// Lane, for a field that has one value for each lane.
    pub lane: Option<usize>,
    /// Field within the group.
    pub field: &'static str,
    /// What the engine that drives the run says.
    pub expected: u64,
    /// What the other one says.
    pub found: u64,
}

impl Difference {
    /// The place, such as `wb lane 7: data`.
    pub fn place(&self) -> String {
        match self.lane {
            Some(lane) => format!("{} lane {lane}: {}", self.port, self.field),
            None => format!("{}: {}", self.port, self.field),
        }
    }

    /// The values, such as `RTL 0x2, model 0x1`.
    pub fn values(&self, found_name: impl fmt::Display, expected_name: impl fmt::Display) -> String {
        format!("{found_name} {:#x}, {expected_name} {:#x}", self.found, self.expected)
    }
}

/// Every field of the outputs that differs, the first of which names the failure: handshakes before payloads.
pub fn differences(expected: &Outputs, found: &Outputs, lanes: usize) -> Vec<Difference> {
    let mut list = List(Vec::new());
    list.flag("req", "ready", expected.req_ready, found.req_ready);
    list.flag("wb", "valid", expected.wb_valid, found.wb_valid);
    list.flag("fault", "valid", expected.fault_valid, found.fault_valid);
    list.flag("done", "valid", expected.done_valid, found.done_valid);
    list.flag("mem_req", "valid", expected.mem_req_valid, found.mem_req_valid);
    list.flag("mem_rsp", "ready", expected.mem_rsp_ready, found.mem_rsp_ready);
    list.flag("wdata", "ready", expected.wdata_ready, found.wdata_ready);
    list.flag("cluster_req", "valid", expected.cluster_req_valid, found.cluster_req_valid);
    list.flag("cluster_rsp", "ready", expected.cluster_rsp_ready, found.cluster_rsp_ready);
    if expected.wb_valid && found.wb_valid {
        let (expected, found) = (&expected.wb, &found.wb);
        for lane in 0..lanes {
            list.lane("wb", lane, "data", expected.data[lane], found.data[lane]);
        }
        list.number("wb", "tag", expected.tag, found.tag);
        list.number("wb", "rd", expected.rd, found.rd);
        list.number("wb", "mask", expected.mask, found.mask);
        list.flag("wb", "last", expected.last, found.last);
    }
    if expected.fault_valid && found.fault_valid {
        let (expected, found) = (&expected.fault, &found.fault);
        list.number("fault", "tag", expected.tag, found.tag);
        list.number("fault", "cause", expected.cause, found.cause);
        list.number("fault", "lanes", expected.lanes, found.lanes);
        list.number("fault", "addr", expected.addr, found.addr);
    }
    if expected.done_valid && found.done_valid {
        list.number("done", "tag", expected.done_tag, found.done_tag);
    }
    if expected.mem_req_valid && found.mem_req_valid {
        let (expected, found) = (&expected.mem_req, &found.mem_req);
        list.number("mem_req", "id", expected.id, found.id);
        list.flag("mem_req", "write", expected.write, found.write);
        list.number("mem_req", "addr", expected.addr, found.addr);
        list.number("mem_req", "strb", expected.strb, found.strb);
        for (expected, found) in expected.data.iter().zip(found.data) {
            list.number("mem_req", "data", *expected, found);
        }
        list.number("mem_req", "l2_evict", expected.l2_evict, found.l2_evict);
        list.flag("mem_req", "policy_en", expected.policy_en, found.policy_en);
        list.number("mem_req", "policy", expected.policy, found.policy);
        list.number("mem_req", "prefetch", expected.prefetch, found.prefetch);
        list.number("mem_req", "cop", expected.cop, found.cop);
        list.number("mem_req", "sem", expected.sem, found.sem);
        list.number("mem_req", "scope", expected.scope, found.scope);
    }
    let (expected, found) = (&expected.status, &found.status);
    list.flag("status", "ldc_unpredictable", expected.ldc_unpredictable, found.ldc_unpredictable);
    list.flag("status", "cfg_refused", expected.cfg_refused, found.cfg_refused);
    list.flag("status", "wdata_wrong_tag", expected.wdata_wrong_tag, found.wdata_wrong_tag);
    list.flag("status", "idle", expected.idle, found.idle);
    list.number("status", "ldc_passes", expected.ldc_passes, found.ldc_passes);
    list.number("status", "ldc_hits", expected.ldc_hits, found.ldc_hits);
    list.number("status", "ldc_misses", expected.ldc_misses, found.ldc_misses);
    list.number("status", "l1_hits", expected.l1_hits, found.l1_hits);
    list.number("status", "l1_misses", expected.l1_misses, found.l1_misses);
    list.number("status", "ro_hits", expected.ro_hits, found.ro_hits);
    list.number("status", "ro_misses", expected.ro_misses, found.ro_misses);
    list.number("status", "wavefronts", expected.wavefronts, found.wavefronts);
    list.number("status", "replays", expected.replays, found.replays);
    list.number("status", "sectors_read", expected.sectors_read, found.sectors_read);
    list.number("status", "sectors_written", expected.sectors_written, found.sectors_written);
    list.number("status", "stall_order", expected.stall_order, found.stall_order);
    list.number("status", "stall_misses", expected.stall_misses, found.stall_misses);
    list.number("status", "stall_data", expected.stall_data, found.stall_data);
    list.number("status", "stall_memory", expected.stall_memory, found.stall_memory);
    list.0
}

struct List(Vec<Difference>);

impl List {
    fn push(&mut self, port: &'static str, lane: Option<usize>, field: &'static str, expected: u64, found: u64) {
        if expected != found {
            self.0.push(Difference { port, lane, field, expected, found });
        }
    }

    fn number(&mut self, port: &'static str, field: &'static str, expected: impl Into<u64>, found: impl Into<u64>) {
        self.push(port, None, field, expected.into(), found.into());
    }

    fn flag(&mut self, port: &'static str, field: &'static str, expected: bool, found: bool) {
        self.number(port, field, expected, found);
    }

    fn lane(&mut self, port: &'static str, lane: usize, field: &'static str, expected: u32, found: u32) {
        self.push(port, Some(lane), field, expected.into(), found.into());
    }
}
