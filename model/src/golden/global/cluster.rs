//! The other CTAs of the cluster: the lanes that lie in their shared memory, and what they are asked for.

use super::super::lanes::lanes_where;
use super::line::FIRST_ID;
use super::window_lanes::WindowLanes;
use crate::micro_op::Space;
use crate::pins::{ClusterRequest, MAX_LANES, MemoryRequest, Request};

/// Address bits in which a cluster's address holds the offset; those of the rank follow.
const OFFSET_BITS: u32 = 24;

/// The bits of a cluster's address that are its offset.
pub(super) const OFFSET_MASK: u64 = (1 << OFFSET_BITS) - 1;

/// Bits of a cluster's address that count: those above must be 0.
const ADDRESS_BITS: u32 = 32;

/// The rank in a cluster's address.
pub(super) fn rank_of(address: u64) -> u8 {
    (address >> OFFSET_BITS) as u8
}

/// The lanes whose cluster's address has a 1 above the rank.
pub(super) fn too_long(sums: &[u64; MAX_LANES]) -> u32 {
    lanes_where(sums, |address| address >> ADDRESS_BITS != 0)
}

/// Rule CLUSTER: which lanes of an operation are remote, of the lanes `in_range`, none of them shared, whose addresses are the low
/// bits of `sums`; the CTA's window has `limit` bytes.
pub(super) fn remote_lanes(request: &Request, sums: &[u64; MAX_LANES], in_range: u32, limit: u64) -> WindowLanes {
    let lanes = if Space::on_pin(request.space) == Space::SharedCluster { in_range } else { 0 };
    let window = WindowLanes { lanes, address_mask: OFFSET_MASK, limit, ..WindowLanes::default() };
    let mut window = window.with_beyond(sums);
    if lanes != 0 {
        window.beyond |= too_long(sums) & lanes;
    }
    window
}

/// Rule REQUEST: what is asked on the cluster port, of a request with the pass's whole address.
pub(super) fn request(request: &MemoryRequest) -> ClusterRequest {
    let MemoryRequest { id, write, addr, strb, data, l2_evict, policy_en, policy, prefetch, cop, sem, scope } =
        *request;
    ClusterRequest {
        id: id - FIRST_ID,
        write,
        addr: addr & OFFSET_MASK,
        strb,
        data,
        l2_evict,
        policy_en,
        policy,
        prefetch,
        cop,
        sem,
        scope,
        rank: rank_of(addr),
    }
}
