//! Legality: the fault of an operation, decided before it makes any pass (rules LDC-9 to LDC-11).

use crate::pins::Request;

/// `req_op` codes of what is served here.
const LDC: u8 = 2;
pub(in crate::golden) const COMMAND: u8 = 3;

/// `req_size` code of 128 bit, the largest that there is.
const LARGEST_SIZE: u8 = 4;

/// RZ as a destination.
pub(in crate::golden) const RZ: u8 = 255;

/// `fault_cause` codes.
pub(in crate::golden) const MISALIGNED_REGISTER: u8 = 1;
pub(in crate::golden) const ILLEGAL_INSTRUCTION: u8 = 2;
pub(in crate::golden) const MISALIGNED_ADDRESS: u8 = 3;
pub(in crate::golden) const MEMORY_ERROR: u8 = 5;

/// Registers that a lane's result takes, one beat each. Codes that are no size count as one register: they get here only
/// with an empty mask.
pub(in crate::golden) fn registers(size: u8) -> u8 {
    match size {
        3 => 2,
        4 => 4,
        _ => 1,
    }
}

/// Cause and lanes of the fault, if any: the first check that applies decides. `active` holds the active lanes,
/// `misaligned(bytes)` tells which of them have an address that is no multiple of `bytes`.
pub(in crate::golden) fn fault(
    request: &Request,
    active: u32,
    misaligned: impl FnOnce(u32) -> u32,
) -> Option<(u8, u32)> {
    // LDC-13: an operation without active lanes is never faulty.
    if active == 0 || request.op != LDC {
        return None;
    }
    // LDC-10
    if request.rd != RZ {
        let count = registers(request.size);
        let last = u32::from(request.rd) + u32::from(count) - 1;
        if count > 1 && (!request.rd.is_multiple_of(count) || last > 254) {
            return Some((MISALIGNED_REGISTER, active));
        }
    }
    // LDC-11
    if request.size > LARGEST_SIZE {
        return Some((ILLEGAL_INSTRUCTION, active));
    }
    // LDC-9
    match misaligned(1 << request.size) {
        0 => None,
        lanes => Some((MISALIGNED_ADDRESS, lanes)),
    }
}
