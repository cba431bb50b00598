//! The lanes of an operation that lie in a window, and how their offsets are counted.

use super::super::lanes::{bits, lanes_where};
use super::super::near::{Comparator, NearMisses};
use crate::pins::{MAX_LANES, Window};

/// Lanes whose address lies in `window`, in addresses of these bits.
pub(super) fn lanes_in(window: &Window, sums: &[u64; MAX_LANES], address_mask: u64) -> u32 {
    let Window { base, size } = *window;
    let size = size & address_mask;
    lanes_where(sums, |sum| sum.wrapping_sub(base) & address_mask < size)
}

/// Lanes in a window, and what they may reach of it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WindowLanes {
    pub lanes: u32,
    /// Those of them whose offset is not below `limit`.
    pub beyond: u32,
    /// The first address, and its offset.
    pub origin: u64,
    pub first: u64,
    /// The bits of an address that count.
    pub address_mask: u64,
    /// Bytes from offset 0 on.
    pub limit: u64,
}

impl WindowLanes {
    /// The same, with the lanes beyond the limit found. The addresses are the low bits of `sums`.
    pub(super) fn with_beyond(self, sums: &[u64; MAX_LANES]) -> Self {
        if self.lanes == 0 {
            return self;
        }
        let beyond = lanes_where(sums, |sum| self.offset(sum) >= self.limit) & self.lanes;
        Self { beyond, ..self }
    }

    pub(super) fn offset(&self, sum: u64) -> u64 {
        (sum.wrapping_sub(self.origin) & self.address_mask) + self.first
    }

    /// Takes note of the lanes that are nearly on the other side of the limit.
    pub(super) fn near_limit(&self, sums: &[u64; MAX_LANES], comparator: Comparator, near: &mut NearMisses) {
        for lane in bits(self.lanes) {
            near.order(comparator, self.offset(sums[usize::from(lane)]), self.limit);
        }
    }
}
