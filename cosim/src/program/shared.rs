//! Shared memory as an operation names it: the window of its CTA, or a rank and an offset, and where its lanes lie in it (rules
//! SHARED and CLUSTER).

use lsu_model::micro_op::{OpKind, Space};
use lsu_model::pins::{Request, Windows};
use lsu_model::preset::Preset;

use super::request::lane_sum;

/// The unit does not look at what lies below a multiple of so many bytes: of the base and size of a CTA's window, and of the base
/// of the generic shared window.
pub const SHARED_GRANULE: u32 = 16;

/// The bits of an address of the cluster's shared memory that hold the offset; those of the rank are above.
pub const OFFSET_BITS: u32 = 24;

/// The bits of a rank.
pub const RANK_BITS: u32 = 8;

/// Where the bytes of a lane begin that lie in shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SharedPlace {
    /// At this byte of the unit's shared memory.
    At(u32),
    /// In another CTA's shared memory.
    Remote {
        /// Its rank.
        rank: u8,
        /// Bytes from the beginning of its window on.
        offset: u32,
    },
    /// Beyond the CTA's window, or at no address: out of range.
    Beyond,
}

/// `bytes` without what the unit does not look at.
const fn whole_granules(bytes: u32) -> u32 {
    bytes & !(SHARED_GRANULE - 1)
}

/// Where lane `lane` of `request` lies in shared memory, active or not; `None` where it does not lie there.
pub fn shared_place(preset: &Preset, windows: &Windows, request: &Request, lane: usize) -> Option<SharedPlace> {
    let end = 1_i128 << preset.address_bits;
    let sum = lane_sum(request, lane);
    let is_address = request.wide >> lane & 1 == 0 && (0..end).contains(&sum);
    let mut rank = windows.rank;
    let offset = match Space::on_pin(request.space) {
        _ if !may_be_shared(request) => return None,
        Space::Shared => sum,
        Space::SharedCluster if !is_address || sum >> (OFFSET_BITS + RANK_BITS) != 0 => {
            return Some(SharedPlace::Beyond);
        }
        Space::SharedCluster => {
            rank = (sum >> OFFSET_BITS) as u8;
            sum & ((1 << OFFSET_BITS) - 1)
        }
        _ => {
            let base = windows.shared.base & !u64::from(SHARED_GRANULE - 1);
            let offset = (sum - i128::from(base)).rem_euclid(end);
            if !is_address || offset >= i128::from(windows.shared.size) {
                return None;
            }
            offset
        }
    };
    let base = whole_granules(request.shared_base);
    let bytes = whole_granules(request.shared_size).min((preset.shared_bytes as u32).saturating_sub(base));
    match is_address && offset < i128::from(bytes) {
        true if rank != windows.rank => Some(SharedPlace::Remote { rank, offset: offset as u32 }),
        true => Some(SharedPlace::At(base + offset as u32)),
        false => Some(SharedPlace::Beyond),
    }
}

/// Whether `request` is a load or store that may have lanes in shared memory, so that its CTA's window counts.
pub fn may_be_shared(request: &Request) -> bool {
    matches!(OpKind::on_pin(request.op), OpKind::Load | OpKind::Store)
        && matches!(Space::on_pin(request.space), Space::Shared | Space::SharedCluster | Space::Generic)
}

/// `request` with the window that an operation has whose text says nothing of it: all of shared memory, for those that may
/// be shared.
pub(super) fn with_whole_window(preset: &Preset, request: Request) -> Request {
    match may_be_shared(&request) {
        true => Request { shared_base: 0, shared_size: preset.shared_bytes as u32, ..request },
        false => request,
    }
}

/// `request` with the window of `other`, as far as a text can give it.
pub(super) fn with_window_of(other: &Request, request: Request) -> Request {
    match may_be_shared(&request) {
        true => Request {
            shared_base: whole_granules(other.shared_base),
            shared_size: whole_granules(other.shared_size),
            ..request
        },
        false => request,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Program;
    use lsu_model::preset::{FPGA8, WARP32};

    const SHARED: u8 = Space::Shared.code();
    const GENERIC: u8 = Space::Generic.code();
    const CLUSTER: u8 = Space::SharedCluster.code();

    /// Where an address of `space` lies in a window of 0x40 bytes at 0x100 of the 4 KB of fpga8.
    fn place(space: u8, address: u64) -> Option<SharedPlace> {
        let windows = Program::empty(FPGA8).windows(2);
        let request =
            Request { space, addr: [address; 32], shared_base: 0x100, shared_size: 0x40, ..Request::default() };
        shared_place(&FPGA8, &windows, &request, 3)
    }

    #[test]
    fn a_window_ends() {
        assert_eq!(place(SHARED, 0), Some(SharedPlace::At(0x100)));
        assert_eq!(place(SHARED, 0x3f), Some(SharedPlace::At(0x13f)));
        assert_eq!(place(SHARED, 0x40), Some(SharedPlace::Beyond));
        assert_eq!(place(SHARED, 0xfc00_0000), Some(SharedPlace::Beyond));
    }

    #[test]
    fn generic_addresses_are_shared_in_the_shared_window() {
        assert_eq!(place(GENERIC, 0xfc00_0004), Some(SharedPlace::At(0x104)));
        assert_eq!(place(GENERIC, 0xfc00_0040), Some(SharedPlace::Beyond));
        assert_eq!(place(GENERIC, 0xfbff_ffff), None);
        assert_eq!(place(GENERIC, 0xfd00_0000), None);
        assert_eq!(place(Space::Global.code(), 0xfc00_0004), None);
    }

    #[test]
    fn a_rank_tells_own_lanes_from_remote_ones() {
        let remote = |rank, offset| Some(SharedPlace::Remote { rank, offset });
        assert_eq!(place(CLUSTER, 0x200_0004), Some(SharedPlace::At(0x104)));
        assert_eq!([place(CLUSTER, 4), place(CLUSTER, 0x300_003c)], [remote(0, 4), remote(3, 0x3c)]);
        assert_eq!(place(CLUSTER, 0xff00_0000), remote(0xff, 0));
        // All CTAs have windows of one size.
        for rank in [0, 1, 2, 0xff] {
            assert_eq!(place(CLUSTER, rank << 24 | 0x40), Some(SharedPlace::Beyond));
        }
        // A bit above the rank.
        let windows = Program::empty(WARP32).windows(0);
        let request = Request { space: CLUSTER, addr: [1 << 32; 32], shared_size: 0x40, ..Request::default() };
        assert_eq!(shared_place(&WARP32, &windows, &request, 0), Some(SharedPlace::Beyond));
    }

    #[test]
    fn a_window_ends_with_the_memory() {
        let windows = Program::empty(FPGA8).windows(0);
        let of = |shared_base, address| {
            let addr = [address; 32];
            let request = Request { space: SHARED, addr, shared_base, shared_size: 0x40, ..Request::default() };
            shared_place(&FPGA8, &windows, &request, 0)
        };
        assert_eq!(of(0xff0, 0xf), Some(SharedPlace::At(0xfff)));
        assert_eq!(of(0xff0, 0x10), Some(SharedPlace::Beyond));
        assert_eq!(of(0x1000, 0), Some(SharedPlace::Beyond));
        // The low four bits count as 0.
        assert_eq!(of(0x10f, 0x3f), Some(SharedPlace::At(0x13f)));
    }

    #[test]
    fn what_is_no_address_is_beyond() {
        let windows = Program::empty(FPGA8).windows(0);
        let request = Request { shared_size: 0x1000, ..Request::default() };
        let of = |request: Request| shared_place(&FPGA8, &windows, &request, 0);
        assert_eq!(of(Request { space: SHARED, wide: 1, ..request }), Some(SharedPlace::Beyond));
        assert_eq!(of(Request { space: SHARED, imm: u32::MAX, ..request }), Some(SharedPlace::Beyond));
        let around = Request { imm: u32::MAX, ..request };
        assert_eq!(of(Request { space: GENERIC, ..around }), None);
        assert_eq!(of(Request { op: OpKind::Ldc.code(), ..request }), None);
    }
}
