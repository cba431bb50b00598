//! Legality: the fault of an operation, decided before it makes any pass (LDC-9, LDC-10, LDC-11).

use crate::micro_op::AccessSize;
use crate::pins::{FaultCause, Request};

/// RZ as a destination.
pub(in crate::golden) const RZ: u8 = 255;

/// Registers that a lane's result takes, one beat each. Codes that are no size count as one register: they get here only
/// with an empty mask.
pub(in crate::golden) fn registers(size: AccessSize) -> u8 {
    match size {
        AccessSize::Bits8 | AccessSize::Bits16 | AccessSize::Bits32 => 1,
        AccessSize::Bits64 => 2,
        AccessSize::Bits128 => 4,
        AccessSize::Invalid5 | AccessSize::Invalid6 | AccessSize::Invalid7 => 1,
    }
}

/// Cause and lanes of the fault, if any: the first check that applies decides. `active` holds the active lanes,
/// `misaligned(bytes)` tells which of them have an address that is no multiple of `bytes`.
pub(in crate::golden) fn fault(
    request: &Request,
    active: u32,
    misaligned: impl FnOnce(u32) -> u32,
) -> Option<(FaultCause, u32)> {
    // LDC-13: an operation without active lanes is never faulty.
    if active == 0 {
        return None;
    }
    let size = AccessSize::on_pin(request.size);
    // LDC-10
    if request.rd != RZ {
        let count = registers(size);
        let last = u32::from(request.rd) + u32::from(count) - 1;
        if count > 1 && (!request.rd.is_multiple_of(count) || last > 254) {
            return Some((FaultCause::MisalignedRegister, active));
        }
    }
    // LDC-11
    let Some(bytes) = size.bytes() else {
        return Some((FaultCause::IllegalInstruction, active));
    };
    // LDC-9
    match misaligned(bytes) {
        0 => None,
        lanes => Some((FaultCause::MisalignedAddress, lanes)),
    }
}
