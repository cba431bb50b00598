//! Machine words of constant loads: 64 bits on SM50 to SM62, 128 bits from SM70.
//!
//! Scheduling bits (105 and above of a 128-bit word) say nothing about the operation and are not written; a word is refused for those that
//! NVIDIA's disassembler refuses. Every other bit outside the fields must have the value that NVIDIA's assembler gives it.

use crate::diagnostic::Diagnostic;
use crate::micro_op::LdcMode;

use super::{Architecture, Bank, Guard, Instruction, Ldc, Uniform, UniformKind};

/// A field of a machine word: lowest bit and width.
#[derive(Clone, Copy)]
struct Field(u32, u32);

impl Field {
    /// Reads the field out of `word`.
    fn get(self, word: u128) -> u32 {
        ((word >> self.0) & ((1 << self.1) - 1)) as u32
    }

    /// The word that has `value` in this field and zeros elsewhere; `None` where it does not fit.
    fn put(self, value: u32) -> Option<u128> {
        (u128::from(value) >> self.1 == 0).then(|| u128::from(value) << self.0)
    }

    /// The word that has ones in this field and zeros elsewhere.
    const fn mask(self) -> u128 {
        ((1 << self.1) - 1) << self.0
    }
}

/// Fields of the 64-bit words.
mod short {
    use super::Field;

    pub const RD: Field = Field(0, 8);
    pub const RA: Field = Field(8, 8);
    pub const PREDICATE: Field = Field(16, 3);
    pub const NEGATED: Field = Field(19, 1);
    pub const IMMEDIATE: Field = Field(20, 16);
    pub const BANK: Field = Field(36, 5);
    pub const MODE: Field = Field(44, 2);
    pub const SIZE: Field = Field(48, 3);
    pub const OPCODE: Field = Field(52, 12);
    pub const LDC: u32 = 0xef9;
}

/// Fields of the 128-bit words.
mod long {
    use super::Field;

    pub const OPCODE: Field = Field(0, 12);
    pub const PREDICATE: Field = Field(12, 3);
    pub const NEGATED: Field = Field(15, 1);
    pub const RD: Field = Field(16, 8);
    /// Address register of the forms with an immediate bank.
    pub const RA: Field = Field(24, 8);
    /// Bank register of the bindless forms.
    pub const BANK_REGISTER: Field = Field(24, 8);
    pub const IMMEDIATE: Field = Field(38, 16);
    /// LDCU's immediate begins one bit lower.
    pub const WIDE_IMMEDIATE: Field = Field(37, 17);
    pub const BANK: Field = Field(54, 5);
    /// Address register of the bindless forms.
    pub const BINDLESS_RA: Field = Field(64, 8);
    pub const SIZE: Field = Field(73, 3);
    pub const MODE: Field = Field(78, 2);
    /// Set where a uniform register takes part.
    pub const UNIFORM: Field = Field(91, 1);
    pub const SCHEDULING: Field = Field(105, 23);
    /// How long the next instruction waits.
    pub const WAIT: Field = Field(105, 5);
    /// Which operands are kept for the next instruction.
    pub const REUSE: Field = Field(122, 3);

    pub const LDC: u32 = 0xb82;
    pub const LDC_BINDLESS: u32 = 0x582;
    pub const ULDC: u32 = 0xab9;
    pub const LDCU: u32 = 0x7ac;
    pub const LDCU_BINDLESS: u32 = 0xbac;
}

/// Reads a machine word as written in listings: hexadecimal, most significant digit first, with or without `0x`.
pub fn parse_word(text: &str, architecture: Architecture) -> Result<u128, Diagnostic> {
    let span = 0..text.len();
    let digits = text.trim();
    let digits = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")).unwrap_or(digits);
    let limit = if architecture.is_short_word() { 16 } else { 32 };
    if digits.is_empty() || digits.len() > limit || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        let message = format!("a machine word of {architecture} is 1 to {limit} hexadecimal digits");
        return Err(Diagnostic::error("encoding-word", span, message));
    }
    u128::from_str_radix(digits, 16).map_err(|error| Diagnostic::error("encoding-word", span, error.to_string()))
}

/// Decodes the machine word `word` of `architecture`.
///
/// # Errors
/// Rule `encoding-unknown` where the word is no constant load of that architecture, `encoding-reserved` where bits
/// outside the fields are set, `encoding-schedule` where its scheduling bits are none.
pub fn decode(word: u128, architecture: Architecture) -> Result<Instruction, Diagnostic> {
    let decoded = if architecture.is_short_word() { decode_short(word) } else { decode_long(word, architecture) };
    let Some(instruction) = decoded else {
        let message = format!("the word {word:#x} is not a constant load of {architecture}");
        return Err(Diagnostic::error("encoding-unknown", 0..0, message)
            .with_help("this unit reads LDC (and recognises ULDC and LDCU); other instructions are outside it"));
    };
    let ignored =
        if architecture.has_bindless_modes() || !has_uniform_bank(&instruction) { 0 } else { long::MODE.mask() };
    let scheduling = if architecture.is_short_word() { 0 } else { long::SCHEDULING.mask() };
    let stray = (word & !scheduling & !ignored) ^ instruction.encode(architecture).unwrap_or(0);
    if stray != 0 {
        let message = format!("bits outside the fields of the instruction differ from NVIDIA's: mask {stray:#x}");
        return Err(Diagnostic::error("encoding-reserved", 0..0, message));
    }
    if !architecture.is_short_word() && has_broken_schedule(word, &instruction) {
        let message = "the scheduling bits are none that NVIDIA's disassembler takes";
        return Err(Diagnostic::error("encoding-schedule", 0..0, message).with_help(
            "bits 105 to 109 are neither 0x10 nor above 0x1b, bit 123 is not set beside 124, nor in ULDC beside 122",
        ));
    }
    Ok(instruction)
}

/// Whether NVIDIA's disassembler 13.5 refuses the scheduling bits of a constant load, as measured for each value of each field, alone.
fn has_broken_schedule(word: u128, instruction: &Instruction) -> bool {
    let is_uldc = matches!(instruction, Instruction::Uniform(Uniform { kind: UniformKind::Uldc, .. }));
    let reuse = long::REUSE.get(word);
    matches!(long::WAIT.get(word), 0x10 | 0x1c..) || reuse & 0b110 == 0b110 || is_uldc && reuse & 0b011 == 0b011
}

/// Whether the bank of an LDC comes from a register.
fn has_uniform_bank(instruction: &Instruction) -> bool {
    matches!(instruction, Instruction::Ldc(Ldc { bank: Bank::Uniform(_), .. }))
}

/// Reads the address mode out of its field, which has the codes of the pin.
fn mode(field: u32) -> LdcMode {
    LdcMode::on_pin(field as u8)
}

/// Decodes a 64-bit word.
fn decode_short(word: u128) -> Option<Instruction> {
    if short::OPCODE.get(word) != short::LDC || word >> 64 != 0 {
        return None;
    }
    Some(Instruction::Ldc(Ldc {
        guard: Guard { predicate: short::PREDICATE.get(word) as u8, is_negated: short::NEGATED.get(word) == 1 },
        rd: short::RD.get(word) as u8,
        size: short::SIZE.get(word) as u8,
        mode: mode(short::MODE.get(word)),
        bank: Bank::Immediate(short::BANK.get(word) as u8),
        ra: short::RA.get(word) as u8,
        immediate: short::IMMEDIATE.get(word) as u16,
    }))
}

/// Decodes a 128-bit word.
fn decode_long(word: u128, architecture: Architecture) -> Option<Instruction> {
    let guard = Guard { predicate: long::PREDICATE.get(word) as u8, is_negated: long::NEGATED.get(word) == 1 };
    let rd = long::RD.get(word) as u8;
    let size = long::SIZE.get(word) as u8;
    let immediate_bank = Bank::Immediate(long::BANK.get(word) as u8);
    // Before SM100 the fields of uniform registers have six bits; the two above them are refused as stray.
    let uniform_mask = architecture.uniform_zero();
    let register_bank = Bank::Uniform(long::BANK_REGISTER.get(word) as u8 & uniform_mask);
    let ldc = |bank, ra: Field| {
        let has_mode = architecture.has_bindless_modes() || matches!(bank, Bank::Immediate(_));
        Instruction::Ldc(Ldc {
            guard,
            rd,
            size,
            mode: if has_mode { mode(long::MODE.get(word)) } else { LdcMode::Ia },
            bank,
            ra: ra.get(word) as u8,
            immediate: long::IMMEDIATE.get(word) as u16,
        })
    };
    let uniform = |kind, bank, ura, immediate: Field| {
        Instruction::Uniform(Uniform {
            kind,
            guard,
            urd: rd & uniform_mask,
            size,
            bank,
            ura,
            immediate: immediate.get(word),
        })
    };
    match long::OPCODE.get(word) {
        long::LDC => Some(ldc(immediate_bank, long::RA)),
        long::LDC_BINDLESS if architecture.has_bindless() => Some(ldc(register_bank, long::BINDLESS_RA)),
        long::ULDC if architecture.has_uldc() => {
            let is_bindless = long::UNIFORM.get(word) == 1;
            let bank = if is_bindless { register_bank } else { immediate_bank };
            Some(uniform(UniformKind::Uldc, bank, architecture.uniform_zero(), long::IMMEDIATE))
        }
        long::LDCU if architecture.has_ldcu() => {
            Some(uniform(UniformKind::Ldcu, immediate_bank, long::RA.get(word) as u8, long::WIDE_IMMEDIATE))
        }
        long::LDCU_BINDLESS if architecture.has_ldcu() => {
            let ura = long::BINDLESS_RA.get(word) as u8;
            Some(uniform(UniformKind::Ldcu, register_bank, ura, long::WIDE_IMMEDIATE))
        }
        _ => None,
    }
}

/// The guard's bits of a 128-bit word.
fn long_guard(guard: Guard) -> Option<u128> {
    Some(long::PREDICATE.put(guard.predicate.into())? | long::NEGATED.put(guard.is_negated.into())?)
}

impl Ldc {
    /// The machine word on `architecture`, scheduling bits zero; `None` where the form does not exist there.
    pub fn encode(&self, architecture: Architecture) -> Option<u128> {
        if architecture.is_short_word() {
            let Bank::Immediate(bank) = self.bank else {
                return None;
            };
            return Some(
                short::OPCODE.put(short::LDC)?
                    | short::RD.put(self.rd.into())?
                    | short::RA.put(self.ra.into())?
                    | short::PREDICATE.put(self.guard.predicate.into())?
                    | short::NEGATED.put(self.guard.is_negated.into())?
                    | short::IMMEDIATE.put(self.immediate.into())?
                    | short::BANK.put(bank.into())?
                    | short::MODE.put(self.mode.code().into())?
                    | short::SIZE.put(self.size.into())?,
            );
        }
        let common = long_guard(self.guard)?
            | long::RD.put(self.rd.into())?
            | long::SIZE.put(self.size.into())?
            | long::MODE.put(self.mode.code().into())?
            | long::IMMEDIATE.put(self.immediate.into())?;
        match self.bank {
            Bank::Immediate(bank) => Some(
                common | long::OPCODE.put(long::LDC)? | long::RA.put(self.ra.into())? | long::BANK.put(bank.into())?,
            ),
            Bank::Uniform(_) if self.mode != LdcMode::Ia && !architecture.has_bindless_modes() => None,
            Bank::Uniform(register) if architecture.has_bindless() => Some(
                common
                    | long::OPCODE.put(long::LDC_BINDLESS)?
                    | long::BANK_REGISTER.put(register.into())?
                    | long::BINDLESS_RA.put(self.ra.into())?
                    | long::UNIFORM.put(1)?,
            ),
            Bank::Uniform(_) => None,
        }
    }
}

impl Uniform {
    /// The machine word on `architecture`, scheduling bits zero; `None` where the form does not exist there.
    pub fn encode(&self, architecture: Architecture) -> Option<u128> {
        let common = long_guard(self.guard)? | long::RD.put(self.urd.into())? | long::SIZE.put(self.size.into())?;
        match (self.kind, self.bank) {
            (UniformKind::Uldc, bank) if architecture.has_uldc() && self.ura == architecture.uniform_zero() => {
                let bank = match bank {
                    Bank::Immediate(bank) => long::BANK.put(bank.into())?,
                    Bank::Uniform(register) => long::BANK_REGISTER.put(register.into())? | long::UNIFORM.put(1)?,
                };
                Some(common | bank | long::OPCODE.put(long::ULDC)? | long::IMMEDIATE.put(self.immediate)?)
            }
            (UniformKind::Ldcu, Bank::Immediate(bank)) if architecture.has_ldcu() => Some(
                common
                    | long::OPCODE.put(long::LDCU)?
                    | long::RA.put(self.ura.into())?
                    | long::BANK.put(bank.into())?
                    | long::WIDE_IMMEDIATE.put(self.immediate)?
                    | long::UNIFORM.put(1)?,
            ),
            (UniformKind::Ldcu, Bank::Uniform(register)) if architecture.has_ldcu() => Some(
                common
                    | long::OPCODE.put(long::LDCU_BINDLESS)?
                    | long::BANK_REGISTER.put(register.into())?
                    | long::BINDLESS_RA.put(self.ura.into())?
                    | long::WIDE_IMMEDIATE.put(self.immediate)?
                    | long::UNIFORM.put(1)?,
            ),
            _ => None,
        }
    }
}

impl Instruction {
    /// The machine word on `architecture`, scheduling bits zero; `None` where the form does not exist there.
    pub fn encode(&self, architecture: Architecture) -> Option<u128> {
        match self {
            Self::Ldc(ldc) => ldc.encode(architecture),
            Self::Uniform(uniform) => uniform.encode(architecture),
        }
    }
}
