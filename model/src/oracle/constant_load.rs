//! What a constant load must do (`ld.const`, `ld.param::entry`), by the architecture alone: rule CONST.
//!
//! Sums are exact signed numbers.

use super::expectation::{Expectation, Fault, Lane, Source, access_bytes};
use super::register::Destination;
use super::table::Table;
use crate::micro_op::{AccessSize, CacheOperator, DestinationWidth, OpKind, Semantics, Space};
use crate::pins::{FaultCause, MAX_LANES, RZ, Request};
use crate::preset::Preset;

/// Bytes of the largest bank, and of the largest load of one lane.
const LARGEST_BANK: i128 = 1 << 16;
const LARGEST_TOTAL: u64 = 16;

/// The bank that a constant load reads; `None` for all other operations.
pub(super) fn bank_of(request: &Request) -> Option<u64> {
    match (OpKind::on_pin(request.op), Space::on_pin(request.space)) {
        (OpKind::Load, Space::Const) => Some(3),
        (OpKind::Load, Space::ParamEntry) => Some(0),
        (OpKind::Load | OpKind::Store | OpKind::Ldc | OpKind::Command, _) => None,
    }
}

/// The registers of a lane.
pub(super) fn destination(request: &Request) -> Destination {
    let is_wide = DestinationWidth::on_pin(request.dst_width) == Some(DestinationWidth::Bits64);
    let element_registers = match AccessSize::on_pin(request.size) {
        AccessSize::Bits8 | AccessSize::Bits16 | AccessSize::Bits32 if is_wide => 2,
        AccessSize::Bits8 | AccessSize::Bits16 | AccessSize::Bits32 => 1,
        AccessSize::Bits64 => 2,
        AccessSize::Bits128 | AccessSize::Invalid5 | AccessSize::Invalid6 | AccessSize::Invalid7 => 4,
    };
    let elements = 1 << request.vec;
    Destination {
        first: request.rd,
        count: elements * element_registers,
        element_registers,
        // The largest where there is none: an illegal operation.
        element_bytes: access_bytes(request.size).unwrap_or(16),
        sign: request.sign,
        sink: u32::from(request.sink) & ((1 << elements) - 1),
    }
}

/// Whether no constant load can be like this one, wherever it reads.
fn is_illegal(request: &Request) -> bool {
    let is_small = access_bytes(request.size).is_some_and(|bytes| bytes << request.vec <= LARGEST_TOTAL);
    let is_for_stores = matches!(CacheOperator::on_pin(request.cop), CacheOperator::Wb | CacheOperator::Wt);
    !is_small || is_for_stores || request.nc || Semantics::on_pin(request.sem) != Semantics::Weak
}

impl Expectation {
    /// The verdict on a constant load of `bank`; `param_offset` is the pin `cfg_param_offset`.
    pub(super) fn of_load(request: &Request, bank: u64, preset: &Preset, param_offset: u32, table: &Table) -> Self {
        let destination = destination(request);
        let top = 1_i128 << preset.address_bits;
        let total = i128::from(access_bytes(request.size).unwrap_or(1) << request.vec);
        let start = match bank {
            0 => i128::from(param_offset / 16 * 16),
            _ => 0,
        };
        let all_sunk = destination.sink.count_ones() == 1 << request.vec;
        let mut lanes = Box::new([Lane { bank, address: 0, sum: 0, source: Source::Nothing("LDC-13") }; MAX_LANES]);
        let (mut misaligned, mut outside) = (0, 0);
        let active = request.mask & preset.lane_mask();
        for (number, lane) in lanes.iter_mut().enumerate().filter(|(number, _)| active >> number & 1 == 1) {
            let operand = i128::from(request.addr[number]).rem_euclid(top);
            let sum = operand + i128::from(request.imm as i32) + start;
            misaligned |= u32::from(sum.rem_euclid(total) != 0) << number;
            outside |= u32::from(request.wide >> number & 1 == 1 || !(0..top).contains(&sum)) << number;
            let address = sum.rem_euclid(top) as u64;
            let source = match table.bank(bank) {
                _ if request.rd == RZ || all_sunk => Source::Nothing("CONST"),
                _ if sum >= LARGEST_BANK => Source::Zero("CONST"),
                Some(entry) if address < entry.size => Source::Memory { at: entry.base + address, rule: "CONST" },
                Some(_) => Source::Zero("LDC-8"),
                None => Source::Zero("LDC-7"),
            };
            *lane = Lane { bank, address, sum: address, source };
        }
        // In the order of precedence.
        let last = u64::from(request.rd) + u64::from(destination.count) - 1;
        let misfits = !request.rd.is_multiple_of(destination.count.min(4)) || last > 254;
        let all_if = |condition: bool| if condition { active } else { 0 };
        let faults = [
            (FaultCause::MisalignedRegister, all_if(request.rd != RZ && destination.count > 1 && misfits)),
            (FaultCause::IllegalInstruction, all_if(is_illegal(request))),
            (FaultCause::MisalignedAddress, misaligned),
            (FaultCause::AddressOutOfRange, outside),
        ];
        match faults.into_iter().find(|(_, lanes)| *lanes != 0) {
            Some((cause, faulty)) => {
                let address = lanes[faulty.trailing_zeros() as usize].address;
                Self::Fault(Fault { cause, lanes: faulty, address })
            }
            None => Self::Registers(lanes),
        }
    }
}
