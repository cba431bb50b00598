//! Requests and micro-ops, and what every kind of instruction text needs to become one.

use std::collections::BTreeMap;

use lsu_model::diagnostic::Diagnostic;
use lsu_model::micro_op::{
    AccessSize, CacheOperator, Command, DestinationWidth, L1Eviction, L2Eviction, LdcMode, MicroOp, Op, OpKind,
    Prefetch, Scope, Semantics, Space,
};
use lsu_model::pins::{MAX_LANES, Request};
use lsu_model::preset::Preset;

use super::registers::{Beat, Destination};

/// Register values by name, one for each lane of the preset.
pub(super) type Registers = BTreeMap<String, Vec<i128>>;

/// Why a text cannot become a request.
pub(super) enum Refusal {
    /// The front end refuses the text; the flag says that it is readable, but illegal.
    Text(Box<Diagnostic>, bool),
    /// The registers given do not suit the instruction.
    Registers(String),
    /// The value given for a register does not.
    Value {
        /// The register.
        register: String,
        /// Why.
        message: String,
    },
}

impl Refusal {
    /// What is given for `register` is refused.
    pub(super) fn of_value(register: &str, message: String) -> Self {
        Self::Value { register: register.to_owned(), message }
    }
}

/// The byte address that lane `lane` means, active or not: its operand and the immediate, below 0 or beyond all addresses if it is none.
pub fn lane_sum(request: &Request, lane: usize) -> i128 {
    i128::from(request.addr[lane]) + i128::from(request.imm as i32)
}

/// The request pins of `micro_op`; tag, mask and addresses are left 0.
pub fn request_of(micro_op: &MicroOp) -> Request {
    Request {
        op: micro_op.op.kind().code(),
        cmd: match micro_op.op {
            Op::Command(command) => command.code(),
            _ => 0,
        },
        space: micro_op.space.code(),
        sem: micro_op.sem.code(),
        scope: micro_op.scope.code(),
        cop: micro_op.cop.code(),
        l1_evict: micro_op.l1_evict.code(),
        l2_evict: micro_op.l2_evict.code(),
        prefetch: micro_op.prefetch.code(),
        policy_en: micro_op.policy.is_some(),
        policy: micro_op.policy.unwrap_or(0),
        nc: micro_op.nc,
        size: micro_op.size.code(),
        vec: micro_op.vec.trailing_zeros() as u8,
        sink: micro_op.sink,
        sign: micro_op.sign,
        dst_width: micro_op.dst_width.code(),
        rd: micro_op.rd,
        imm: micro_op.imm as u32,
        bank: micro_op.bank,
        mode: micro_op.mode.code(),
        ra_is_rz: micro_op.ra_is_rz,
        ..Request::default()
    }
}

/// The micro-op on the pins of `request`; `None` where a pin has a code without a meaning.
pub(super) fn micro_op_of(request: &Request) -> Option<MicroOp> {
    Some(MicroOp {
        op: match OpKind::on_pin(request.op) {
            OpKind::Load => Op::Load,
            OpKind::Store => Op::Store,
            OpKind::Ldc => Op::Ldc,
            OpKind::Command => Op::Command(Command::from_code(request.cmd)?),
        },
        space: Space::from_code(request.space)?,
        sem: Semantics::from_code(request.sem)?,
        scope: Scope::from_code(request.scope)?,
        cop: CacheOperator::from_code(request.cop)?,
        l1_evict: L1Eviction::from_code(request.l1_evict)?,
        l2_evict: L2Eviction::from_code(request.l2_evict)?,
        prefetch: Prefetch::from_code(request.prefetch)?,
        policy: request.policy_en.then_some(request.policy),
        nc: request.nc,
        size: AccessSize::from_code(request.size)?,
        vec: 1 << request.vec,
        sink: request.sink,
        sign: request.sign,
        dst_width: DestinationWidth::from_code(request.dst_width)?,
        rd: request.rd,
        imm: request.imm as i32,
        bank: request.bank,
        mode: LdcMode::from_code(request.mode)?,
        ra_is_rz: request.ra_is_rz,
    })
}

/// What a text means that it does not say itself.
#[derive(Clone, Copy)]
pub(super) struct Conventions<'a> {
    /// PTX version, `None` for the newest known.
    pub ptx_version: Option<&'a str>,
    /// Target of PTX and architecture of SASS.
    pub target: &'a str,
    /// Sizes of the unit.
    pub preset: &'a Preset,
}

/// What a text gives.
pub(super) struct Assembled {
    /// The request, tag 0.
    pub request: Request,
    /// Store data.
    pub data: Vec<Beat>,
    /// Destination registers by the names of the text, where these are not numbers of the unit's.
    pub named: Vec<Destination>,
}

pub(super) fn refused(
    rule: &'static str,
    span: std::ops::Range<usize>,
    message: impl Into<String>,
    is_illegal: bool,
) -> Refusal {
    Refusal::Text(Box::new(Diagnostic::error(rule, span, message)), is_illegal)
}

/// The values of the register `name`.
pub(super) fn source<'a>(name: &str, registers: &'a Registers) -> Result<&'a [i128], Refusal> {
    registers.get(name).map(Vec::as_slice).ok_or_else(|| {
        Refusal::Registers(format!("the instruction reads {name}, and regs = {{ \"{name}\" = … }} is missing"))
    })
}

/// The lanes in which the predicate `name` is true.
pub(super) fn predicate_lanes(name: &str, registers: &Registers) -> Result<u32, Refusal> {
    let mut lanes = 0;
    for (lane, value) in source(name, registers)?.iter().enumerate().take(MAX_LANES) {
        match value {
            0 => {}
            1 => lanes |= 1 << lane,
            other => {
                return Err(Refusal::of_value(name, format!("{name} is {other} in lane {lane}; it can be 0 or 1")));
            }
        }
    }
    Ok(lanes)
}

/// `value` as the bits of a 32-bit register.
pub(super) fn bits32(name: &str, lane: usize, value: i128) -> Result<u32, String> {
    match value {
        -0x8000_0000..=-1 => Ok(value as i32 as u32),
        0..=0xffff_ffff => Ok(value as u32),
        _ => Err(format!("{name} is {value} in lane {lane}, which does not fit 32 bits")),
    }
}
