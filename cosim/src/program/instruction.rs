//! Instruction texts and requests: from one to the other, by the model's front end.

use lsu_model::micro_op::{LdcMode, OpKind};
use lsu_model::pins::{RZ, Request};
use lsu_model::sass::{self, Architecture, Bank, Guard, Instruction, Ldc};

use super::request::{
    Assembled, Conventions, Refusal, Registers, bits32, predicate_lanes, refused, request_of, source,
};

/// Rules of texts that are no SASS at all, or none that is read here: what is wrong is the file, not an instruction.
const UNREAD: [&str; 2] = ["sass-syntax", "sass-not-read"];

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
        let is_illegal = !UNREAD.contains(&diagnostic.rule);
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
            request.addr[lane] =
                u64::from(bits32(&name, lane, *value).map_err(|message| Refusal::of_value(&name, message))?);
        }
    }
    Ok(request)
}

fn uniform_bank(number: u8, registers: &Registers) -> Result<u8, Refusal> {
    let name = format!("UR{number}");
    let values = source(&name, registers)?;
    match values.first() {
        Some(bank @ 0..=31) if values.iter().all(|value| value == bank) => Ok(*bank as u8),
        _ => Err(Refusal::of_value(&name, format!("{name} names the bank: it must be one number from 0 to 31"))),
    }
}

fn guard_lanes(guard: Guard, registers: &Registers) -> Result<u32, Refusal> {
    let truth = match guard.predicate {
        7 => u32::MAX,
        number => predicate_lanes(&format!("P{number}"), registers)?,
    };
    Ok(if guard.is_negated { !truth } else { truth })
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
        mode: LdcMode::from_code(request.mode)?,
        bank: Bank::Immediate(request.bank),
        ra: if request.ra_is_rz { RZ } else { 0 },
        immediate: request.imm as u16,
    })
}
