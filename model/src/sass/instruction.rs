//! Constant loads as values: fields, NVIDIA's text, legality and lowering.

use std::fmt::Write as _;

use crate::diagnostic::Diagnostic;
use crate::micro_op::{AccessSize, DestinationWidth, LdcMode, MicroOp, Op, Space};
use crate::pins::RZ;

use super::Architecture;

/// The predicate that is always true.
pub const PT: u8 = 7;

/// Guard predicate of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guard {
    /// Predicate register 0 to 6, or 7 for PT.
    pub predicate: u8,
    /// Whether the instruction runs where the predicate is false.
    pub is_negated: bool,
}

impl Guard {
    /// No guard: the instruction always runs.
    pub const ALWAYS: Self = Self { predicate: PT, is_negated: false };

    /// The guard as written before the instruction, with a blank after it; empty for [`Guard::ALWAYS`].
    fn to_text(self, prefix: &str) -> String {
        if self == Self::ALWAYS {
            return String::new();
        }
        let negation = if self.is_negated { "!" } else { "" };
        match self.predicate {
            PT => format!("@{negation}{prefix}T "),
            number => format!("@{negation}{prefix}{number} "),
        }
    }
}

/// Where a constant load takes its bank from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bank {
    /// `c[0x3]`: the number stands in the instruction, 0 to 31.
    Immediate(u8),
    /// `cx[UR4]`: bindless, named by a uniform register.
    Uniform(u8),
}

/// One LDC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ldc {
    /// Guard predicate.
    pub guard: Guard,
    /// Destination register, 255 being RZ.
    pub rd: u8,
    /// Size field: 0 U8, 1 S8, 2 U16, 3 S16, 4 32 bits, 5 64 bits, 6 and 7 invalid.
    pub size: u8,
    /// Address mode.
    pub mode: LdcMode,
    /// Constant bank.
    pub bank: Bank,
    /// Address register, [`RZ`] where none is written.
    pub ra: u8,
    /// The 16-bit immediate field as it is encoded.
    pub immediate: u16,
}

/// Which uniform constant load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UniformKind {
    /// SM75 to SM90; no address register, 16-bit immediate.
    Uldc,
    /// SM100 and newer; optional address register, 17-bit immediate, 128-bit size.
    Ldcu,
}

/// One ULDC or LDCU: a constant load of the uniform datapath, outside the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uniform {
    /// Which of the two.
    pub kind: UniformKind,
    /// Guard by a uniform predicate.
    pub guard: Guard,
    /// Uniform destination register.
    pub urd: u8,
    /// Size field as for LDC; 6 is 128 bits for LDCU.
    pub size: u8,
    /// Constant bank.
    pub bank: Bank,
    /// Uniform address register, the architecture's URZ where none is written.
    pub ura: u8,
    /// Immediate field as it is encoded: 16 bits for ULDC, 17 for LDCU.
    pub immediate: u32,
}

/// A constant load of either datapath.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instruction {
    /// LDC.
    Ldc(Ldc),
    /// ULDC or LDCU.
    Uniform(Uniform),
}

/// `R4` or `RZ`.
fn register(number: u8) -> String {
    if number == RZ { "RZ".to_owned() } else { format!("R{number}") }
}

/// `UR4` or `URZ`.
fn uniform_register(number: u8, architecture: Architecture) -> String {
    if number == architecture.uniform_zero() { "URZ".to_owned() } else { format!("UR{number}") }
}

/// The address as it stands in brackets. `base` is the register, `None` for the one that reads as zero, whose name
/// `zero_name` is written where there is nothing else to write, if the instruction has a place for a register.
fn address(base: Option<String>, zero_name: Option<&str>, offset: i32) -> String {
    let magnitude = offset.unsigned_abs();
    match (base, zero_name, offset) {
        (Some(base), _, 0) => base,
        (Some(base), _, 1..) => format!("{base}+{offset:#x}"),
        (Some(base), ..) => format!("{base}+-{magnitude:#x}"),
        (None, Some(zero_name), 0) => zero_name.to_owned(),
        (None, _, 0..) => format!("{offset:#x}"),
        (None, ..) => format!("-{magnitude:#x}"),
    }
}

/// The bank as it stands before the address.
fn bank_text(bank: Bank, architecture: Architecture) -> String {
    match bank {
        Bank::Immediate(number) => format!("c[{number:#x}]"),
        Bank::Uniform(number) => format!("cx[{}]", uniform_register(number, architecture)),
    }
}

/// The size suffix with its dot; empty for 32 bits.
fn size_text(size: u8, architecture: Architecture, is_128_known: bool) -> String {
    let invalid = if architecture.is_short_word() { ".INVALIDSIZE" } else { ".INVALID" };
    match size {
        0 => ".U8".to_owned(),
        1 => ".S8".to_owned(),
        2 => ".U16".to_owned(),
        3 => ".S16".to_owned(),
        4 => String::new(),
        5 => ".64".to_owned(),
        6 if is_128_known => ".128".to_owned(),
        other => format!("{invalid}{other}"),
    }
}

impl Ldc {
    /// The text that NVIDIA's disassembler prints on `architecture`, without the final ` ;`.
    pub fn to_text(&self, architecture: Architecture) -> String {
        let mut text = self.guard.to_text("P");
        text.push_str("LDC");
        text.push_str(&size_text(self.size, architecture, false));
        if self.mode != LdcMode::Ia {
            // Writing to a string cannot fail.
            let _ = write!(text, ".{}", self.mode.name());
        }
        let base = (self.ra != RZ).then(|| register(self.ra));
        let zero_name = (!architecture.is_short_word()).then_some("RZ");
        let address = match self.bank {
            // Without a register the immediate is unsigned (LDC-1), and so it is printed here, but not beside an immediate bank.
            Bank::Uniform(_) if base.is_none() => address(base, None, self.immediate.into()),
            _ => address(base, zero_name, i32::from(self.immediate as i16)),
        };
        let _ = write!(text, " {}, {}[{address}]", register(self.rd), bank_text(self.bank, architecture));
        text
    }

    /// Whether this is an operation that the unit carries out without a fault, judged by what the instruction itself
    /// says (rules LDC-10 and LDC-11); `span` is the place to point at.
    pub fn check(&self, span: std::ops::Range<usize>) -> Result<(), Diagnostic> {
        if self.size > 5 {
            let message = format!("LDC has no size {}: the operation faults with `illegal_instruction`", self.size);
            return Err(Diagnostic::error("LDC-11", span, message)
                .with_label("not a size of LDC")
                .with_help("write one of .U8 .S8 .U16 .S16 .32 .64"));
        }
        if self.size == 5 && self.rd != RZ {
            if self.rd % 2 == 1 {
                let message = format!(
                    "LDC.64 writes an aligned register pair, and R{} is odd: the operation faults with \
                     `misaligned_register`",
                    self.rd
                );
                return Err(Diagnostic::error("LDC-10", span, message)
                    .with_label("needs an even register")
                    .with_help(format!("write R{} or RZ", self.rd - 1)));
            }
            if self.rd == RZ - 1 {
                let message = "the register pair of LDC.64 would run past R254: the operation faults with \
                               `misaligned_register`";
                return Err(Diagnostic::error("LDC-10", span, message)
                    .with_label("no register follows R254")
                    .with_help("write R252 or a lower even register"));
            }
        }
        Ok(())
    }

    /// The micro-op; `None` for the bindless form, whose bank is known only at run time (see [`Ldc::lower_with_bank`]).
    pub fn lower(&self) -> Option<MicroOp> {
        match self.bank {
            Bank::Immediate(bank) => Some(self.lower_with_bank(bank)),
            Bank::Uniform(_) => None,
        }
    }

    /// The micro-op with `bank` (0 to 31) in place of what the instruction says. Sizes 6 and 7 are carried, so that the
    /// unit itself can answer with the fault.
    pub fn lower_with_bank(&self, bank: u8) -> MicroOp {
        let size = match self.size {
            0 | 1 => AccessSize::Bits8,
            2 | 3 => AccessSize::Bits16,
            4 => AccessSize::Bits32,
            5 => AccessSize::Bits64,
            6 => AccessSize::Invalid6,
            _ => AccessSize::Invalid7,
        };
        let ra_is_rz = self.ra == RZ;
        // LDC-1: without a register the immediate is unsigned; LDC-2: with one it is sign-extended.
        let imm = if ra_is_rz { i32::from(self.immediate) } else { i32::from(self.immediate as i16) };
        MicroOp {
            op: Op::Ldc,
            space: Space::Const,
            size,
            sign: matches!(self.size, 1 | 3),
            dst_width: if self.size == 5 { DestinationWidth::Bits64 } else { DestinationWidth::Bits32 },
            rd: self.rd,
            imm,
            bank,
            mode: self.mode,
            ra_is_rz,
            ..MicroOp::default()
        }
    }
}

impl Uniform {
    /// The text that NVIDIA's disassembler prints on `architecture`, without the final ` ;`.
    pub fn to_text(&self, architecture: Architecture) -> String {
        let (name, bits, zero_name) = match self.kind {
            UniformKind::Uldc => ("ULDC", 16, None),
            UniformKind::Ldcu => ("LDCU", 17, Some("URZ")),
        };
        let base = (self.ura != architecture.uniform_zero()).then(|| uniform_register(self.ura, architecture));
        let is_unsigned = self.kind == UniformKind::Uldc && matches!(self.bank, Bank::Uniform(_));
        let shift = if is_unsigned { 0 } else { 32 - bits };
        let offset = ((self.immediate << shift) as i32) >> shift;
        format!(
            "{}{name}{} {}, {}[{}]",
            self.guard.to_text("UP"),
            size_text(self.size, architecture, self.kind == UniformKind::Ldcu),
            uniform_register(self.urd, architecture),
            bank_text(self.bank, architecture),
            address(base, zero_name, offset),
        )
    }
}

impl Instruction {
    /// The text that NVIDIA's disassembler prints on `architecture`, without the final ` ;`.
    pub fn to_text(&self, architecture: Architecture) -> String {
        match self {
            Self::Ldc(ldc) => ldc.to_text(architecture),
            Self::Uniform(uniform) => uniform.to_text(architecture),
        }
    }

    /// Whether the unit carries the instruction out; `span` is the place to point at in a refusal.
    pub fn check(&self, span: std::ops::Range<usize>) -> Result<(), Diagnostic> {
        match self {
            Self::Ldc(ldc) => ldc.check(span),
            Self::Uniform(uniform) => {
                let name = match uniform.kind {
                    UniformKind::Uldc => "ULDC",
                    UniformKind::Ldcu => "LDCU",
                };
                let message = format!("{name} belongs to the uniform datapath, which this unit does not serve");
                Err(Diagnostic::error("outside-unit", span, message)
                    .with_help("the unit executes LDC; a uniform load has no lanes"))
            }
        }
    }

    /// The LDC, where it is one.
    pub fn as_ldc(&self) -> Option<&Ldc> {
        match self {
            Self::Ldc(ldc) => Some(ldc),
            Self::Uniform(_) => None,
        }
    }
}
