//! Legality: the fault of an operation, decided before it makes any pass (LDC-9, LDC-10, LDC-11; rule CONST).

use super::super::registers;
use super::address::WarpAddress;
use super::shape::Shape;
use crate::micro_op::{AccessSize, CacheOperator, Semantics};
use crate::pins::{FaultCause, Request};
use crate::preset::Preset;

/// log2 of the bytes of the largest constant load.
const LARGEST_TOTAL_LOG2: u32 = 4;

/// Cause and lanes of the fault, if any: the first check that applies decides. `active` holds the active lanes.
pub(in crate::golden) fn fault(
    request: &Request,
    shape: &Shape,
    places: &WarpAddress,
    active: u32,
    preset: &Preset,
) -> Option<(FaultCause, u32)> {
    // LDC-13: an operation without active lanes is never faulty.
    if active == 0 {
        return None;
    }
    // LDC-10, and the same of a constant load.
    if registers::are_bad(shape.rd, shape.registers) {
        return Some((FaultCause::MisalignedRegister, active));
    }
    // LDC-11, and what CONST refuses.
    let size = AccessSize::on_pin(request.size).bytes().map(u32::ilog2);
    let total = match shape.is_load {
        true => size.map(|bytes| bytes + u32::from(request.vec)).filter(|total| is_served(request, *total)),
        false => size,
    };
    let Some(total) = total else {
        return Some((FaultCause::IllegalInstruction, active));
    };
    // LDC-9, and the same of all elements of a constant load.
    let misaligned = places.misaligned(1 << total) & active;
    if misaligned != 0 {
        return Some((FaultCause::MisalignedAddress, misaligned));
    }
    if !shape.is_load {
        return None;
    }
    let outside = places.out_of_range(request, preset.address_mask()) & active;
    (outside != 0).then_some((FaultCause::AddressOutOfRange, outside))
}

/// Rule CONST: whether constant memory has such a load of 2^`total` bytes, whatever its addresses.
fn is_served(request: &Request, total: u32) -> bool {
    let is_weak = match Semantics::on_pin(request.sem) {
        Semantics::Weak => true,
        Semantics::Relaxed | Semantics::Acquire | Semantics::Release | Semantics::Volatile => false,
        Semantics::Mmio | Semantics::MmioAcquire | Semantics::MmioRelease => false,
    };
    let is_loads = match CacheOperator::on_pin(request.cop) {
        CacheOperator::Default | CacheOperator::Ca | CacheOperator::Cg | CacheOperator::Cs => true,
        CacheOperator::Lu | CacheOperator::Cv => true,
        CacheOperator::Wb | CacheOperator::Wt => false,
    };
    total <= LARGEST_TOTAL_LOG2 && is_weak && is_loads && !request.nc
}
