//! Legality: the fault of an operation, decided before it makes any pass.

use super::super::lanes::lanes_where;
use super::super::near::{Comparator, NearMisses};
use super::misses::bits;
use super::shape::{
    ACQUIRE, CA, CV, LARGEST_SIZE, LU, MMIO_ACQUIRE, MMIO_RELEASE, RELEASE, RZ, Shape, WB, WEAK, WT, is_mmio,
    total_log2,
};
use crate::pins::{MAX_LANES, Request, Window, Windows};

/// `fault_cause` codes.
const MISALIGNED_REGISTER: u8 = 1;
const ILLEGAL_INSTRUCTION: u8 = 2;
const MISALIGNED_ADDRESS: u8 = 3;
const ADDRESS_OUT_OF_RANGE: u8 = 4;
pub(super) const MEMORY_ERROR: u8 = 5;

/// `req_space` codes that are served.
const GENERIC: u8 = 0;
const GLOBAL: u8 = 1;

/// log2 of the largest access in bytes.
const LARGEST_TOTAL_LOG2: u32 = 5;

/// Cause and lanes of the fault, if any: the first check that applies decides. `sums` are the exact sums of address and
/// immediate (negative ones in two's complement), `active` the active lanes, at least one.
pub(super) fn fault(
    request: &Request,
    shape: &Shape,
    sums: &[u64; MAX_LANES],
    active: u32,
    windows: &Windows,
    address_bits: u32,
) -> Option<(u8, u32)> {
    if shape.is_load() && registers_are_bad(request.rd, shape.registers) {
        return Some((MISALIGNED_REGISTER, active));
    }
    let Some(total_log2) = total_log2(request).filter(|_| !is_illegal(request, shape)) else {
        return Some((ILLEGAL_INSTRUCTION, active));
    };
    let out_of_range = lanes_where(sums, |sum| sum >> address_bits != 0) & active;
    if request.space == GENERIC {
        let Windows { shared, local, constant, param } = windows;
        let in_windows = [shared, local, constant, param].map(|window| lanes_in(window, sums, address_bits));
        let in_any = in_windows.into_iter().fold(0, |all, lanes| all | lanes) & active & !out_of_range;
        if in_any != 0 {
            return Some((ILLEGAL_INSTRUCTION, in_any));
        }
    }
    let low_bits = (1 << total_log2) - 1;
    let misaligned = lanes_where(sums, |sum| sum & low_bits != 0) & active;
    if misaligned != 0 {
        return Some((MISALIGNED_ADDRESS, misaligned));
    }
    (out_of_range != 0).then_some((ADDRESS_OUT_OF_RANGE, out_of_range))
}

/// Takes note of the lanes of a generic access that are nearly on the other side of a window's end.
pub(super) fn near_windows(
    request: &Request,
    sums: &[u64; MAX_LANES],
    active: u32,
    windows: &Windows,
    address_bits: u32,
    near: &mut NearMisses,
) {
    if request.space != GENERIC {
        return;
    }
    let Windows { shared, local, constant, param } = windows;
    let compared = [
        (Comparator::SharedWindow, shared),
        (Comparator::LocalWindow, local),
        (Comparator::ConstantWindow, constant),
        (Comparator::ParamWindow, param),
    ];
    let mask = u64::MAX >> (64 - address_bits);
    for lane in bits(active) {
        let sum = sums[usize::from(lane)];
        if sum >> address_bits == 0 {
            for (comparator, window) in compared {
                near.order(comparator, sum.wrapping_sub(window.base) & mask, window.size & mask);
            }
        }
    }
}

fn registers_are_bad(rd: u8, registers: u8) -> bool {
    let last = u32::from(rd) + u32::from(registers) - 1;
    rd != RZ && registers > 1 && (!rd.is_multiple_of(registers.min(4)) || last > 254)
}

/// What makes an operation illegal whatever its addresses are.
fn is_illegal(request: &Request, shape: &Shape) -> bool {
    let Request { sem, cop, .. } = *request;
    let kind_is_bad = if shape.is_load() {
        matches!(cop, WB | WT) || matches!(sem, RELEASE | MMIO_RELEASE)
    } else {
        matches!(cop, CA | LU | CV) || matches!(sem, ACQUIRE | MMIO_ACQUIRE) || request.nc
    };
    kind_is_bad
        || request.size > LARGEST_SIZE
        || total_log2(request).is_none_or(|total| total > LARGEST_TOTAL_LOG2)
        || !matches!(request.space, GENERIC | GLOBAL)
        || (is_mmio(sem) && request.vec != 0)
        || (request.nc && (sem != WEAK || matches!(cop, LU | CV)))
}

/// Lanes whose address lies in `window`, modulo the address width.
fn lanes_in(window: &Window, sums: &[u64; MAX_LANES], address_bits: u32) -> u32 {
    let mask = u64::MAX >> (64 - address_bits);
    let Window { base, size } = *window;
    let size = size & mask;
    lanes_where(sums, |sum| sum.wrapping_sub(base) & mask < size)
}
