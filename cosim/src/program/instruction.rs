//! Instruction texts and requests: from one to the other, by the model's front end.

use std::collections::BTreeMap;

use lsu_model::diagnostic::Diagnostic;
use lsu_model::micro_op::{
    AccessSize, CacheOperator, Command, DestinationWidth, L1Eviction, L2Eviction, LdcMode, MicroOp, Op, OpKind,
    Prefetch, Scope, Semantics, Space,
};
use lsu_model::pins::{MAX_LANES, Request};
use lsu_model::preset::Preset;
use lsu_model::sass::{self, Architecture, Bank, Guard, Instruction, Ldc, RZ};

use super::registers::{Beat, Destination};

/// Register values by name, one for each lane of the preset.
pub(super) type Registers = BTreeMap<String, Vec<i128>>;

/// Why a text cannot become a request.
pub(super) enum Refusal {
    /// The front end refuses the text; the flag says that it is readable, but illegal.
    Text(Box<Diagnostic>, bool),
    /// The registers given do not suit the instruction.
    Registers(String),
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
            OpKind::Command => Op::Command(Command::on_pin(request.cmd)),
        },
        space: Space::on_pin(request.space),
        sem: Semantics::on_pin(request.sem),
        scope: Scope::on_pin(request.scope),
        cop: CacheOperator::on_pin(request.cop),
        l1_evict: L1Eviction::on_pin(request.l1_evict)?,
        l2_evict: L2Eviction::on_pin(request.l2_evict)?,
        prefetch: Prefetch::on_pin(request.prefetch),
        policy: request.policy_en.then_some(request.policy),
        nc: request.nc,
        size: AccessSize::on_pin(request.size),
        vec: 1 << request.vec,
        sink: request.sink,
        sign: request.sign,
        dst_width: DestinationWidth::on_pin(request.dst_width)?,
        rd: request.rd,
        imm: request.imm as i32,
        bank: request.bank,
        mode: LdcMode::on_pin(request.mode),
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

/// What `text` gives with the operands `registers`; `mask` holds the active lanes, and `rd` is the first destination
/// register of a PTX load, whose own registers have no numbers of the unit's.
pub(super) fn assemble(
    text: &str,
    conventions: &Conventions<'_>,
    registers: &Registers,
    mask: u32,
    rd: Option<u8>,
) -> Result<Assembled, Refusal> {
    if is_ptx(text) {
        return super::ptx::assemble(text, conventions, registers, mask, rd);
    }
    if rd.is_some() {
        let message = "rd is given, but a SASS instruction names its destination register itself";
        return Err(Refusal::Registers(message.to_owned()));
    }
    let whole = 0..text.len();
    let Some(architecture) = Architecture::parse(conventions.target) else {
        let message = format!("no SASS architecture belongs to the target {}", conventions.target);
        return Err(refused("sass-architecture", whole, message, false));
    };
    let instruction = sass::parse(text, architecture).map_err(|diagnostic| {
        let is_illegal = diagnostic.rule.starts_with("LDC-");
        Refusal::Text(Box::new(diagnostic), is_illegal)
    })?;
    match &instruction {
        Instruction::Ldc(ldc) => {
            let request = assemble_ldc(ldc, registers, mask, conventions.preset.lanes)?;
            Ok(Assembled { request, data: Vec::new(), named: Vec::new() })
        }
        Instruction::Uniform(_) => match instruction.check(whole.clone()) {
            Err(diagnostic) => Err(Refusal::Text(Box::new(diagnostic), true)),
            Ok(()) => Err(refused("outside-unit", whole, "the unit does not serve this instruction", true)),
        },
    }
}

/// Tells PTX from SASS, whose mnemonics are in capitals.
pub(super) fn is_ptx(text: &str) -> bool {
    let text = text.trim_start();
    let body = match text.strip_prefix('@') {
        Some(guarded) => guarded.split_once(char::is_whitespace).map_or("", |(_, body)| body.trim_start()),
        None => text,
    };
    !body.is_empty() && !body.starts_with(|letter: char| letter.is_ascii_uppercase())
}

pub(super) fn refused(
    rule: &'static str,
    span: std::ops::Range<usize>,
    message: impl Into<String>,
    is_illegal: bool,
) -> Refusal {
    Refusal::Text(Box::new(Diagnostic::error(rule, span, message)), is_illegal)
}

fn assemble_ldc(ldc: &Ldc, registers: &Registers, mask: u32, lanes: usize) -> Result<Request, Refusal> {
    let micro_op = match ldc.bank {
        Bank::Immediate(bank) => ldc.lower_with_bank(bank),
        Bank::Uniform(number) => ldc.lower_with_bank(uniform_bank(number, registers)?),
    };
    let mut request = request_of(&micro_op);
    // LDC-13: a false guard predicate is an inactive lane.
    request.mask = mask & guard_lanes(ldc.guard, registers)?;
    if ldc.ra != RZ {
        let name = format!("R{}", ldc.ra);
        for (lane, value) in source(&name, registers)?.iter().take(lanes).enumerate() {
            request.addr[lane] = u64::from(bits32(&name, lane, *value).map_err(Refusal::Registers)?);
        }
    }
    Ok(request)
}

/// The values of the register `name`.
pub(super) fn source<'a>(name: &str, registers: &'a Registers) -> Result<&'a [i128], Refusal> {
    registers.get(name).map(Vec::as_slice).ok_or_else(|| {
        Refusal::Registers(format!("the instruction reads {name}, and regs = {{ \"{name}\" = … }} is missing"))
    })
}

fn uniform_bank(number: u8, registers: &Registers) -> Result<u8, Refusal> {
    let name = format!("UR{number}");
    let values = source(&name, registers)?;
    match values.first() {
        Some(bank @ 0..=31) if values.iter().all(|value| value == bank) => Ok(*bank as u8),
        _ => Err(Refusal::Registers(format!("{name} names the bank: it must be one number from 0 to 31"))),
    }
}

fn guard_lanes(guard: Guard, registers: &Registers) -> Result<u32, Refusal> {
    let truth = match guard.predicate {
        7 => u32::MAX,
        number => predicate_lanes(&format!("P{number}"), registers)?,
    };
    Ok(if guard.is_negated { !truth } else { truth })
}

/// The lanes in which the predicate `name` is true.
pub(super) fn predicate_lanes(name: &str, registers: &Registers) -> Result<u32, Refusal> {
    let mut lanes = 0;
    for (lane, value) in source(name, registers)?.iter().enumerate().take(MAX_LANES) {
        match value {
            0 => {}
            1 => lanes |= 1 << lane,
            other => {
                return Err(Refusal::Registers(format!("{name} is {other} in lane {lane}; it can be 0 or 1")));
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

/// The LDC text that gives `request`, with R0 as the address register; `None` where no text does.
pub fn mnemonic(request: &Request, target: &str) -> Option<String> {
    let ldc = nearest_ldc(request)?;
    let lanes_fit = request.addr.iter().all(|address| match request.ra_is_rz {
        true => *address == 0,
        false => *address <= u64::from(u32::MAX),
    });
    let architecture = Architecture::parse(target)?;
    (lanes_fit && lowered_ldc(&ldc, request)? == *request).then(|| ldc.to_text(architecture))
}

/// The request of the LDC that comes closest to `request`; `None` where that is no LDC.
pub(super) fn canonical_ldc(request: &Request) -> Option<Request> {
    lowered_ldc(&nearest_ldc(request)?, request)
}

/// The request of `ldc` in the lanes of `request`.
fn lowered_ldc(ldc: &Ldc, request: &Request) -> Option<Request> {
    Some(Request { tag: request.tag, mask: request.mask, addr: request.addr, ..request_of(&ldc.lower()?) })
}

fn nearest_ldc(request: &Request) -> Option<Ldc> {
    if request.op != OpKind::Ldc.code() {
        return None;
    }
    Some(Ldc {
        guard: Guard::ALWAYS,
        rd: request.rd,
        size: match (request.size, request.sign) {
            (0, is_signed) => u8::from(is_signed),
            (1, is_signed) => 2 + u8::from(is_signed),
            (2, _) => 4,
            (3, _) => 5,
            (6, _) => 6,
            (7, _) => 7,
            _ => return None,
        },
        mode: LdcMode::on_pin(request.mode),
        bank: Bank::Immediate(request.bank),
        ra: if request.ra_is_rz { RZ } else { 0 },
        immediate: request.imm as u16,
    })
}
