//! What an LDC must do, by the architecture alone: its fault, or each lane's source.
//!
//! Signed 64-bit arithmetic holds every sum exactly; what wraps is reduced where the rule says so.

use super::register::Destination;
use super::table::Table;
use super::violation::Violation;
use crate::micro_op::{AccessSize, LdcMode, OpKind};
use crate::pins::{FaultCause, FaultRecord, MAX_LANES, RZ, Request};
use crate::preset::Preset;

const TWO_TO_16: i64 = 1 << 16;
const TWO_TO_32: i64 = 1 << 32;

/// Where a lane's value comes from, and the rule that says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// Not active, or its result is discarded: the lane is not written.
    Nothing(&'static str),
    /// The value is 0.
    Zero(&'static str),
    /// Bytes of memory from this address on.
    Memory { at: u64, rule: &'static str },
}

/// One lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lane {
    pub bank: u64,
    pub address: u64,
    /// Ra + imm, or the address of a constant load, which a fault record names.
    pub sum: u64,
    pub source: Source,
}

/// The fault that an operation must report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub cause: FaultCause,
    pub lanes: u32,
    pub address: u64,
}

impl Fault {
    /// What is wrong with a `record` that is not this fault; the `rule` gives it.
    pub(super) fn denied(&self, record: &FaultRecord, rule: &'static str) -> Violation {
        Violation::WrongFault {
            tag: record.tag,
            expected_cause: self.cause.code(),
            expected_lanes: self.lanes,
            expected_address: self.address,
            cause: record.cause,
            lanes: record.lanes,
            address: record.addr,
            rule,
        }
    }
}

/// The verdict on an operation.
#[derive(Clone, Debug)]
pub(super) enum Expectation {
    /// `done` and nothing else.
    Done,
    /// One fault record and nothing else.
    Fault(Fault),
    /// Registers.
    Registers(Box<[Lane; MAX_LANES]>),
}

/// Bytes of one access; `None` for codes that are no size.
pub(super) fn access_bytes(size: u8) -> Option<u64> {
    Some(match AccessSize::on_pin(size) {
        AccessSize::Bits8 => 1,
        AccessSize::Bits16 => 2,
        AccessSize::Bits32 => 4,
        AccessSize::Bits64 => 8,
        AccessSize::Bits128 => 16,
        AccessSize::Invalid5 | AccessSize::Invalid6 | AccessSize::Invalid7 => return None,
    })
}

/// Destination registers of one lane.
fn register_count(size: u8) -> u8 {
    access_bytes(size).map_or(1, |bytes| bytes.div_ceil(4) as u8)
}

/// What an LDC writes in each lane: one element.
pub(super) fn destination(request: &Request) -> Destination {
    let count = register_count(request.size);
    Destination {
        first: request.rd,
        count,
        element_registers: count,
        // Codes that are no size get no lane.
        element_bytes: access_bytes(request.size).unwrap_or(4),
        sign: request.sign,
        sink: 0,
    }
}

/// Where one lane reads.
struct Place {
    bank: u64,
    address: u64,
    /// Ra + imm, 32 bits, before the mode takes it apart.
    sum: u64,
    rule: &'static str,
}

/// The place of one lane: LDC-1, LDC-2, LDC-3, LDC-4, LDC-5, and LDC-6 as far as it is LDC-5.
fn place(request: &Request, register: u64, is_wraps: bool) -> Place {
    let bank = i64::from(request.bank);
    let unsigned = i64::from(request.imm) % TWO_TO_16;
    if request.ra_is_rz {
        let address = unsigned as u64;
        return Place { bank: bank as u64, address, sum: address, rule: "LDC-1" };
    }
    let signed = if unsigned >= TWO_TO_16 / 2 { unsigned - TWO_TO_16 } else { unsigned };
    let base = (register % TWO_TO_32 as u64) as i64;
    let sum = (base + signed).rem_euclid(TWO_TO_32);
    let segmented = || {
        let modulus = if is_wraps { TWO_TO_16 } else { TWO_TO_32 };
        (bank + base / TWO_TO_16, (base % TWO_TO_16 + signed).rem_euclid(modulus))
    };
    let ((bank, address), rule) = match LdcMode::on_pin(request.mode) {
        LdcMode::Ia => ((bank, sum), "LDC-3"),
        LdcMode::Il => ((bank + sum / TWO_TO_16, sum % TWO_TO_16), "LDC-4"),
        LdcMode::Is => (segmented(), "LDC-5"),
        LdcMode::Isl => (segmented(), "LDC-6"),
    };
    Place { bank: bank as u64, address: address as u64, sum: sum as u64, rule }
}

/// The bank from which on every value is 0, by the mode and by LDC-7.
fn bank_limits(mode: LdcMode, compute: bool) -> (u64, u64) {
    let by_mode = match mode {
        LdcMode::Ia | LdcMode::Il | LdcMode::Is => u64::MAX,
        LdcMode::Isl => 14,
    };
    (by_mode, if compute { 8 } else { 18 })
}

/// The source of an active lane whose operation is legal.
fn source(bank: u64, address: u64, mode: LdcMode, rule: &'static str, compute: bool, table: &Table) -> Source {
    let (by_mode, by_unit) = bank_limits(mode, compute);
    if bank >= by_mode {
        return Source::Zero("LDC-6");
    }
    if bank >= by_unit {
        return Source::Zero("LDC-7");
    }
    match table.bank(bank) {
        None => Source::Zero("LDC-7"),
        Some(entry) if address >= entry.size => Source::Zero("LDC-8"),
        Some(entry) => Source::Memory { at: entry.base + address, rule },
    }
}

impl Expectation {
    pub(super) fn of(request: &Request, preset: &Preset, compute: bool, table: &Table) -> Self {
        match OpKind::on_pin(request.op) {
            OpKind::Ldc => {}
            OpKind::Command => return Self::Done,
            // They are judged elsewhere.
            OpKind::Load | OpKind::Store => return Self::Done,
        }
        let mode = LdcMode::on_pin(request.mode);
        let mut lanes = Box::new([Lane { bank: 0, address: 0, sum: 0, source: Source::Nothing("LDC-13") }; MAX_LANES]);
        let active = request.mask & preset.lane_mask();
        let mut misaligned = 0;
        for (number, lane) in lanes.iter_mut().enumerate() {
            if active >> number & 1 == 0 {
                continue;
            }
            let Place { bank, address, sum, rule } = place(request, request.addr[number], preset.is_wraps);
            // LDC-10: RZ as destination discards.
            let source = if request.rd == RZ {
                Source::Nothing("LDC-10")
            } else {
                source(bank, address, mode, rule, compute, table)
            };
            *lane = Lane { bank, address, sum, source };
            if access_bytes(request.size).is_some_and(|bytes| address % bytes != 0) {
                misaligned |= 1 << number;
            }
        }

        // Precedence: misaligned_register, illegal_instruction, misaligned_address.
        let last = u32::from(request.rd) + u32::from(register_count(request.size)) - 1;
        let register_is_bad = !request.rd.is_multiple_of(register_count(request.size)) || last > 254;
        let (cause, faulty) = if request.rd != RZ && register_is_bad {
            (FaultCause::MisalignedRegister, active)
        } else if access_bytes(request.size).is_none() {
            (FaultCause::IllegalInstruction, active)
        } else {
            (FaultCause::MisalignedAddress, misaligned)
        };
        // LDC-13: without an active lane there is no faulty one.
        if faulty == 0 {
            return Self::Registers(lanes);
        }
        let lowest = faulty.trailing_zeros() as usize;
        Self::Fault(Fault { cause, lanes: faulty, address: lanes[lowest].sum })
    }

    /// LDC-14: one pass for each distinct (bank, line) among the lanes that name a line at all, and at least one.
    pub(super) fn passes(&self, mode: LdcMode, compute: bool) -> u32 {
        let Self::Registers(lanes) = self else {
            return 0;
        };
        let (by_mode, by_unit) = bank_limits(mode, compute);
        let mut lines: Vec<(u64, u64)> = lanes
            .iter()
            .filter(|lane| !matches!(lane.source, Source::Nothing(_)))
            .filter(|lane| lane.bank < by_mode.min(by_unit) && lane.address < 65_536)
            .map(|lane| (lane.bank, lane.address / 64))
            .collect();
        lines.sort_unstable();
        lines.dedup();
        lines.len().max(1) as u32
    }

    /// LDC-7: compute mode and an active lane with a bank of 8 or more.
    pub(super) fn is_unpredictable(&self, active: u32, compute: bool) -> bool {
        let Self::Registers(lanes) = self else {
            return false;
        };
        compute && lanes.iter().enumerate().any(|(number, lane)| active >> number & 1 == 1 && lane.bank >= 8)
    }
}
