//! What a run has exercised of the shared memory of other units, counted at the ports.

use lsu_model::micro_op::{OpKind, Space};
use lsu_model::pins::{Inputs, Outputs, Request, Windows};
use lsu_model::preset::Preset;
use serde::Serialize;

use crate::program::{OFFSET_BITS, RANK_BITS, SECTOR_BYTES, SHARED_GRANULE, SharedPlace, lane_sum, shared_place};

/// Loads and stores of the cluster's shared memory with an active lane, and what units asked each other for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ClusterCounts {
    /// Loads.
    pub loads: u64,
    /// Stores.
    pub stores: u64,
    /// Those with a lane of the own rank.
    pub own: u64,
    /// Those with a lane of another one.
    pub remote: u64,
    /// Those with lanes of both.
    pub mixed: u64,
    /// Those with lanes of several other ranks.
    pub several: u64,
    /// Those with a lane beyond the window.
    pub beyond: u64,
    /// Those with a lane whose address has bits above the rank.
    pub above_rank: u64,
    /// Those with a remote lane in the last bytes of the window.
    pub at_end: u64,
    /// Sectors that a unit asked another one for.
    pub asked: u64,
    /// Sectors that it wrote there.
    pub written: u64,
    /// Responses to these that were errors.
    pub failed: u64,
    /// Sectors that a unit read for another one, or for the host.
    pub served_reads: u64,
    /// Sectors that it wrote for another one, or for the host.
    pub served_writes: u64,
    /// Those of both that lay beyond its window.
    pub served_beyond: u64,
    /// Requests for a sector of which an earlier operation of the unit that was asked had accessed a byte.
    pub served_accessed: u64,
    /// Own loads of a byte of a sector that another unit had written before.
    pub loaded_written: u64,
}

impl ClusterCounts {
    /// Adds the counts of `other`.
    pub(super) fn add(&mut self, other: &Self) {
        self.loads += other.loads;
        self.stores += other.stores;
        self.own += other.own;
        self.remote += other.remote;
        self.mixed += other.mixed;
        self.several += other.several;
        self.beyond += other.beyond;
        self.above_rank += other.above_rank;
        self.at_end += other.at_end;
        self.asked += other.asked;
        self.written += other.written;
        self.failed += other.failed;
        self.served_reads += other.served_reads;
        self.served_writes += other.served_writes;
        self.served_beyond += other.served_beyond;
        self.served_accessed += other.served_accessed;
        self.loaded_written += other.loaded_written;
    }
}

/// What is remembered of one unit, by sector of its shared memory.
#[derive(Clone, Debug)]
pub(super) struct ClusterUnit {
    preset: Preset,
    /// An own operation has accessed it.
    is_accessed: Vec<bool>,
    /// Another unit has written it.
    is_written: Vec<bool>,
}

impl ClusterUnit {
    pub(super) fn new(preset: &Preset) -> Self {
        let sectors = preset.shared_bytes / SECTOR_BYTES as usize;
        Self { preset: *preset, is_accessed: vec![false; sectors], is_written: vec![false; sectors] }
    }

    /// Counts what crosses the ports in a cycle.
    pub(super) fn transfers(&mut self, inputs: &Inputs, outputs: &Outputs, counts: &mut ClusterCounts) {
        if outputs.cluster_req_valid && inputs.cluster_req_ready {
            counts.asked += u64::from(!outputs.cluster_req.write);
            counts.written += u64::from(outputs.cluster_req.write);
        }
        counts.failed += u64::from(inputs.cluster_rsp_valid && outputs.cluster_rsp_ready && inputs.cluster_rsp.error);
        counts.served_beyond += u64::from(outputs.serve_rsp_valid && inputs.serve_rsp_ready && outputs.serve_rsp.error);
        if inputs.serve_req_valid && outputs.serve_req_ready {
            let request = &inputs.serve_req;
            counts.served_reads += u64::from(!request.write);
            counts.served_writes += u64::from(request.write);
            let base = u64::from(inputs.windows.cluster.base) / SECTOR_BYTES;
            let sector = (base + request.addr / SECTOR_BYTES) as usize % self.is_accessed.len();
            counts.served_accessed += u64::from(self.is_accessed[sector]);
            self.is_written[sector] |= request.write;
        }
    }

    /// Counts the operation that is accepted.
    pub(super) fn count(&mut self, request: &Request, windows: &Windows, counts: &mut ClusterCounts) {
        let is_load = OpKind::on_pin(request.op) == OpKind::Load;
        let (mut own, mut beyond, mut above_rank, mut at_end, mut loads_written) = (false, false, false, false, false);
        let (mut remote, mut several) = (None, false);
        let total = 1_u32 << (request.size.min(4) + request.vec);
        let size = request.shared_size & !(SHARED_GRANULE - 1);
        let mut lanes = 0_u32;
        for lane in (0..self.preset.lanes).filter(|lane| request.mask >> lane & 1 == 1) {
            match shared_place(&self.preset, windows, request, lane) {
                Some(SharedPlace::At(address)) => {
                    own = true;
                    let sector = (u64::from(address) / SECTOR_BYTES) as usize;
                    self.is_accessed[sector] = true;
                    loads_written |= is_load && self.is_written[sector];
                }
                Some(SharedPlace::Remote { rank, offset }) => {
                    several |= remote.is_some_and(|other| other != rank);
                    remote = Some(rank);
                    at_end |= offset + total == size;
                }
                Some(SharedPlace::Beyond) => {
                    beyond = true;
                    let sum = lane_sum(request, lane);
                    above_rank |= (1 << (OFFSET_BITS + RANK_BITS)..1_i128 << self.preset.address_bits).contains(&sum);
                }
                None => continue,
            }
            lanes += 1;
        }
        counts.loaded_written += u64::from(loads_written);
        if lanes == 0 || Space::on_pin(request.space) != Space::SharedCluster {
            return;
        }
        counts.loads += u64::from(is_load);
        counts.stores += u64::from(!is_load);
        counts.own += u64::from(own);
        counts.remote += u64::from(remote.is_some());
        counts.mixed += u64::from(own && remote.is_some());
        counts.several += u64::from(several);
        counts.beyond += u64::from(beyond);
        counts.above_rank += u64::from(above_rank);
        counts.at_end += u64::from(at_end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lsu_model::pins::{ClusterRequest, ClusterResponse, ClusterWindow, ServeRequest};
    use lsu_model::preset::FPGA8;

    #[test]
    fn ranks_and_transfers_are_counted() {
        let mut unit = ClusterUnit::new(&FPGA8);
        let mut counts = ClusterCounts::default();
        let windows = Windows { rank: 1, cluster: ClusterWindow { base: 0x47, size: 0x1000 }, ..Windows::default() };
        // Sector 3 of shared memory is the one at 0x20 from the base on.
        let serve_req = ServeRequest { write: true, addr: 0x27, ..ServeRequest::default() };
        let serving = Inputs { serve_req_valid: true, serve_req, windows, ..Inputs::default() };
        unit.transfers(&serving, &Outputs { serve_req_ready: true, ..Outputs::default() }, &mut counts);
        let mut access = |op: u8, space: u8, addr: [u64; 3]| {
            let mut request = Request { op, space, size: 2, mask: 7, shared_size: 0x100, ..Request::default() };
            request.addr[..3].copy_from_slice(&addr);
            unit.count(&request, &windows, &mut counts);
        };
        access(0, 3, [0x100_0060, 0x200_0000, 0x300_00fc]);
        access(1, 3, [0, 4, 8]);
        access(1, 3, [0x100_0000, 0x100_0000, 0x100_0100]);
        access(0, 2, [0, 0, 0x7c]);
        access(0, 1, [0, 0, 0x7c]);
        unit.transfers(&serving, &Outputs { serve_req_ready: true, ..Outputs::default() }, &mut counts);
        let cluster_rsp = ClusterResponse { error: true, ..ClusterResponse::default() };
        let asking = Inputs { cluster_req_ready: true, cluster_rsp_valid: true, cluster_rsp, ..Inputs::default() };
        let cluster_req = ClusterRequest { write: true, ..ClusterRequest::default() };
        let asked = Outputs { cluster_req_valid: true, cluster_req, cluster_rsp_ready: true, ..Outputs::default() };
        unit.transfers(&asking, &asked, &mut counts);
        let expected = ClusterCounts {
            loads: 1,
            stores: 2,
            own: 2,
            remote: 2,
            mixed: 1,
            several: 1,
            beyond: 1,
            at_end: 1,
            written: 1,
            failed: 1,
            served_writes: 2,
            served_accessed: 1,
            loaded_written: 2,
            ..ClusterCounts::default()
        };
        assert_eq!(counts, expected);
    }
}
