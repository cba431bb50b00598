//! The other CTAs of the cluster: the lanes that lie in their shared memory, and what they are asked for.

use super::super::lanes::{bits, lanes_where};
use super::super::near::{Comparator, NearMisses};
use super::line::FIRST_ID;
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

/// Whether a cluster's address has a 1 above the rank.
pub(super) fn is_too_long(address: u64) -> bool {
    address >> ADDRESS_BITS != 0
}

/// Rule CLUSTER: which lanes of an operation are remote.
#[derive(Clone, Copy, Debug)]
pub(super) struct RemoteLanes {
    pub lanes: u32,
    /// Those of them that lie beyond the window.
    pub beyond: u32,
    /// Bytes of a CTA's window.
    limit: u64,
}

impl RemoteLanes {
    /// Of the lanes `in_range`, none of them shared, whose addresses are the low bits of `sums`; the CTA's window has `limit` bytes.
    pub(super) fn of(request: &Request, sums: &[u64; MAX_LANES], in_range: u32, limit: u64) -> Self {
        if Space::on_pin(request.space) != Space::SharedCluster {
            return Self { lanes: 0, beyond: 0, limit };
        }
        let is_beyond = |sum: u64| sum & OFFSET_MASK >= limit || is_too_long(sum);
        Self { lanes: in_range, beyond: lanes_where(sums, is_beyond) & in_range, limit }
    }

    /// Takes note of the lanes that are nearly on the other side of the window's end.
    pub(super) fn near_limit(&self, sums: &[u64; MAX_LANES], near: &mut NearMisses) {
        for lane in bits(self.lanes) {
            near.order(Comparator::ClusterLimit, sums[usize::from(lane)] & OFFSET_MASK, self.limit);
        }
    }
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
