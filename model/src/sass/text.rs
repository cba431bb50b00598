//! Text of constant loads: NVIDIA's own spelling and the spellings of its documentation.

use std::ops::Range;

use logos::Logos;

use crate::diagnostic::Diagnostic;
use crate::micro_op::LdcMode;

use crate::pins::RZ;

use super::{Architecture, Bank, Guard, Instruction, Ldc, Uniform, UniformKind};

/// Words of SASS text.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n]+")]
#[logos(skip r"/\*[^*]*\*+([^/*][^*]*\*+)*/")]
enum Token {
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*")]
    Word,
    #[regex(r"[0-9][A-Za-z0-9_]*")]
    Number,
    #[token(".")]
    Dot,
    #[token(",")]
    Comma,
    #[token("[")]
    Open,
    #[token("]")]
    Close,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("@")]
    At,
    #[token("!")]
    Not,
    #[token(";")]
    Semicolon,
    #[token("&")]
    Ampersand,
    #[token("?")]
    Question,
    #[token("=")]
    Equals,
    #[token("{")]
    BraceOpen,
    #[token("}")]
    BraceClose,
}

/// What every refusal of unreadable text is called.
const SYNTAX: &str = "sass-syntax";

/// The form that an LDC has, shown as advice.
const FORM: &str = "the form is {@{!}Pg} LDC{.sz}{.ad} Rd, c[bank][Ra+imm]";

/// Parses one constant load of `architecture`: LDC, or its uniform relatives ULDC and LDCU.
///
/// # Errors
/// Rule `sass-syntax` for text that is no constant load, `sass-range` for a number or register out of range,
/// `sass-architecture` for a form that `architecture` lacks, `sass-not-read` for loads and stores, which are read as PTX
/// alone, `LDC-11` for sizes that LDC does not have by name.
pub fn parse(text: &str, architecture: Architecture) -> Result<Instruction, Diagnostic> {
    Parser::new(text, architecture).instruction()
}

/// The PTX that becomes the SASS instruction `name`, where that is a load or store other than of constants.
fn compiled_from(name: &str) -> Option<&'static str> {
    Some(match name {
        "LD" => "ld",
        "LDG" => "ld.global",
        "LDS" => "ld.shared",
        "LDL" => "ld.local",
        "ST" => "st",
        "STG" => "st.global",
        "STS" => "st.shared",
        "STL" => "st.local",
        _ => return None,
    })
}

/// The refusal of the SASS instruction `name`, which `ptx` becomes.
fn not_read(name: &str, ptx: &str, span: Range<usize>) -> Diagnostic {
    let operands = if ptx.starts_with("ld") { "%r1, [%rd1]" } else { "[%rd1], %r1" };
    let message = format!("`{name}` is what {ptx} becomes in machine code; of SASS only LDC is read here");
    Diagnostic::error("sass-not-read", span, message)
        .with_label(format!("{ptx} in PTX"))
        .with_help(format!("give the PTX instead, for example: {ptx}.u32 {operands};"))
}

/// A parser over the words of one instruction.
struct Parser<'a> {
    lexer: logos::Lexer<'a, Token>,
    text: &'a str,
    current: Option<(Result<Token, ()>, Range<usize>)>,
    architecture: Architecture,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, architecture: Architecture) -> Self {
        let mut parser = Self { lexer: Token::lexer(text), text, current: None, architecture };
        parser.advance();
        parser
    }

    /// Moves to the next word.
    fn advance(&mut self) {
        self.current = self.lexer.next().map(|token| (token, self.lexer.span()));
    }

    /// The present word.
    fn peek(&self) -> Option<Token> {
        match self.current {
            Some((Ok(token), _)) => Some(token),
            _ => None,
        }
    }

    /// Where the present word stands; the end of the text after the last.
    fn span(&self) -> Range<usize> {
        self.current.as_ref().map_or(self.text.len()..self.text.len(), |(_, span)| span.clone())
    }

    /// The letters of the present word.
    fn slice(&self) -> &'a str {
        &self.text[self.span()]
    }

    /// Steps over `token` if it is next.
    fn take(&mut self, token: Token) -> bool {
        let is_next = self.peek() == Some(token);
        if is_next {
            self.advance();
        }
        is_next
    }

    /// Refuses the present word; `expected` says what should stand there.
    fn refuse<T>(&self, expected: &str) -> Result<T, Diagnostic> {
        let found =
            if self.current.is_none() { "the end of the text".to_owned() } else { format!("`{}`", clip(self.slice())) };
        Err(Diagnostic::error(SYNTAX, self.span(), format!("expected {expected}, found {found}"))
            .with_label(format!("expected {expected}"))
            .with_help(FORM))
    }

    /// Steps over `token` or refuses.
    fn expect(&mut self, token: Token, expected: &str) -> Result<(), Diagnostic> {
        if self.take(token) { Ok(()) } else { self.refuse(expected) }
    }

    /// Refuses a form that the architecture lacks.
    fn lacking<T>(&self, span: Range<usize>, what: &str, since: &str) -> Result<T, Diagnostic> {
        let message = format!("{} has no {what}", self.architecture);
        Err(Diagnostic::error("sass-architecture", span, message).with_help(format!("{what} exists {since}")))
    }

    fn instruction(mut self) -> Result<Instruction, Diagnostic> {
        let guard_start = self.span();
        let guard = self.guard()?;
        let guard_span = guard_start.start..self.span().start;
        let name_span = self.span();
        let name = if self.peek() == Some(Token::Word) { self.slice() } else { "" };
        let instruction = match name {
            "LDC" => {
                self.advance();
                let instruction = self.ldc(guard.map_or(Guard::ALWAYS, |(guard, _)| guard))?;
                self.check_guard(guard, false, guard_span)?;
                Instruction::Ldc(instruction)
            }
            "ULDC" | "LDCU" => {
                let (kind, is_there, since) = if name == "ULDC" {
                    (UniformKind::Uldc, self.architecture.has_uldc(), "from SM75 to SM90")
                } else {
                    (UniformKind::Ldcu, self.architecture.has_ldcu(), "from SM100 on")
                };
                if !is_there {
                    return self.lacking(name_span, name, since);
                }
                self.advance();
                let instruction = self.uniform(kind, guard.map_or(Guard::ALWAYS, |(guard, _)| guard))?;
                self.check_guard(guard, true, guard_span)?;
                Instruction::Uniform(instruction)
            }
            name => match compiled_from(name) {
                Some(ptx) => return Err(not_read(name, ptx, name_span)),
                None => return self.refuse("LDC"),
            },
        };
        self.annotations()?;
        self.take(Token::Semicolon);
        if self.current.is_some() { self.refuse("the end of the instruction") } else { Ok(instruction) }
    }

    /// The guard, and whether it names a uniform predicate.
    fn guard(&mut self) -> Result<Option<(Guard, bool)>, Diagnostic> {
        if !self.take(Token::At) {
            return Ok(None);
        }
        let is_negated = self.take(Token::Not);
        let word = if self.peek() == Some(Token::Word) { self.slice() } else { "" };
        let (is_uniform, number) = match word.strip_prefix('U') {
            Some(rest) => (true, rest),
            None => (false, word),
        };
        let predicate = match number.strip_prefix('P') {
            Some("T") => 7,
            Some(digits) => match digits.parse::<u8>() {
                Ok(predicate) if predicate < 7 && digits.len() == 1 => predicate,
                _ => return self.refuse("a predicate P0 to P6 or PT"),
            },
            None => return self.refuse("a predicate P0 to P6 or PT"),
        };
        self.advance();
        Ok(Some((Guard { predicate, is_negated }, is_uniform)))
    }

    /// Refuses a guard of the other datapath.
    fn check_guard(
        &self,
        guard: Option<(Guard, bool)>,
        is_uniform: bool,
        span: Range<usize>,
    ) -> Result<(), Diagnostic> {
        match guard {
            Some((_, found)) if found != is_uniform => {
                let wanted = if is_uniform { "a uniform predicate UP0 to UP6" } else { "a predicate P0 to P6" };
                Err(Diagnostic::error(SYNTAX, span, format!("the guard of this instruction is {wanted}")))
            }
            _ => Ok(()),
        }
    }

    /// The suffixes: size field (`is_128_known`: `.128` is one) and address mode.
    fn suffixes(&mut self, is_128_known: bool, is_mode_known: bool) -> Result<(u8, LdcMode), Diagnostic> {
        let (mut size, mut mode) = (None, None);
        while self.take(Token::Dot) {
            let span = self.span();
            let suffix = match self.peek() {
                Some(Token::Word | Token::Number) => self.slice(),
                _ => return self.refuse("a size or an address mode after the dot"),
            };
            let found_size = match suffix {
                "U8" => Some(0),
                "S8" => Some(1),
                "U16" => Some(2),
                "S16" => Some(3),
                "32" => Some(4),
                "64" => Some(5),
                "128" if is_128_known => Some(6),
                "128" => {
                    return Err(Diagnostic::error("LDC-11", span, "LDC has no 128-bit size")
                        .with_label("not a size of LDC")
                        .with_help("load 64 bits at a time, or use PTX `ld.const.b128`, which the unit serves"));
                }
                "INVALID" => {
                    return Err(Diagnostic::error("LDC-11", span, ".INVALID stands for the size fields 6 and 7")
                        .with_label("no operation has this size")
                        .with_help("write one of .U8 .S8 .U16 .S16 .32 .64"));
                }
                "INVALID6" | "INVALIDSIZE6" if !is_128_known => Some(6),
                "INVALID7" | "INVALIDSIZE7" => Some(7),
                _ => None,
            };
            let found_mode = LdcMode::from_name(suffix);
            match (found_size, found_mode) {
                (Some(found), _) if size.is_none() && mode.is_none() => size = Some(found),
                (None, Some(found)) if mode.is_none() && is_mode_known => mode = Some(found),
                (None, None) => {
                    let message = format!("`.{}` is neither a size nor an address mode", clip(suffix));
                    let modes: String = LdcMode::ALL.iter().map(|mode| format!(" .{}", mode.name())).collect();
                    let help = format!("sizes: .U8 .S8 .U16 .S16 .32 .64; modes:{modes}");
                    return Err(Diagnostic::error(SYNTAX, span, message).with_help(help));
                }
                _ => {
                    let message =
                        format!("`.{suffix}` is out of place: at most one size, then at most one address mode");
                    return Err(Diagnostic::error(SYNTAX, span, message).with_help(FORM));
                }
            }
            self.advance();
        }
        Ok((size.unwrap_or(4), mode.unwrap_or_default()))
    }

    fn ldc(&mut self, guard: Guard) -> Result<Ldc, Diagnostic> {
        let (size, mode) = self.suffixes(false, true)?;
        let rd = self.register(false)?;
        self.expect(Token::Comma, "a comma")?;
        let bank_span = self.span();
        let bank = self.bank()?;
        if matches!(bank, Bank::Uniform(_)) && mode != LdcMode::Ia && !self.architecture.has_bindless_modes() {
            return self.lacking(bank_span, "address mode on a bindless load", "from SM80 on");
        }
        let (ra, immediate) = self.address(false, 16)?;
        Ok(Ldc { guard, rd, size, mode, bank, ra, immediate: immediate as u16 })
    }

    fn uniform(&mut self, kind: UniformKind, guard: Guard) -> Result<Uniform, Diagnostic> {
        let (size, _) = self.suffixes(kind == UniformKind::Ldcu, false)?;
        let urd = self.register(true)?;
        self.expect(Token::Comma, "a comma")?;
        let bank = self.bank()?;
        let span = self.span();
        let (ura, immediate) = self.address(true, if kind == UniformKind::Ldcu { 17 } else { 16 })?;
        if kind == UniformKind::Uldc && ura != self.architecture.uniform_zero() {
            return Err(Diagnostic::error(SYNTAX, span, "ULDC takes no address register"));
        }
        Ok(Uniform { kind, guard, urd, size, bank, ura, immediate })
    }

    /// `R0` to `R254` or `RZ`; in the uniform file `UR0` up to the architecture's last, or `URZ`.
    fn register(&mut self, is_uniform: bool) -> Result<u8, Diagnostic> {
        let (prefix, zero, expected) = if is_uniform {
            ("UR", self.architecture.uniform_zero(), "a uniform register such as UR4")
        } else {
            ("R", RZ, "a register such as R4")
        };
        let Some(Token::Word) = self.peek() else {
            return self.refuse(expected);
        };
        let Some(name) = self.slice().strip_prefix(prefix) else {
            return self.refuse(expected);
        };
        let is_decimal = !name.is_empty() && name.bytes().all(|digit| digit.is_ascii_digit());
        let number = match name {
            "Z" => zero,
            _ if !is_decimal || (name.len() > 1 && name.starts_with('0')) => {
                return self.refuse(expected);
            }
            digits => match digits.parse::<u8>() {
                Ok(number) if number < zero => number,
                _ => {
                    let message = format!("there is no register `{}`", clip(self.slice()));
                    let help = format!("registers are {prefix}0 to {prefix}{} and {prefix}Z", zero - 1);
                    return Err(Diagnostic::error("sass-range", self.span(), message).with_help(help));
                }
            },
        };
        self.advance();
        Ok(number)
    }

    /// `c[0x3]` or `cx[UR4]`.
    fn bank(&mut self) -> Result<Bank, Diagnostic> {
        let name_span = self.span();
        let name = if self.peek() == Some(Token::Word) { self.slice() } else { "" };
        if name != "c" && name != "cx" {
            return self.refuse("a constant bank `c[…]`");
        }
        self.advance();
        self.expect(Token::Open, "`[`")?;
        let bank = if name == "cx" {
            if !self.architecture.has_bindless() {
                return self.lacking(name_span, "bindless constant load `cx[…]`", "from SM75 on");
            }
            Bank::Uniform(self.register(true)?)
        } else {
            let span = self.span();
            let number = self.number()?;
            if number > 31 {
                let message = format!("there is no constant bank {number}");
                return Err(Diagnostic::error("sass-range", span, message).with_help(
                    "the bank field holds 0 to 31 (of which the hardware serves 18, or 8 in compute mode)",
                ));
            }
            Bank::Immediate(number as u8)
        };
        self.expect(Token::Close, "`]`")?;
        Ok(bank)
    }

    /// `[R1+0x404]`, `[R1]`, `[RZ]`, `[0x404]` or `[-0x4]`: the register and the immediate field of `bits` bits.
    fn address(&mut self, is_uniform: bool, bits: u32) -> Result<(u8, u32), Diagnostic> {
        let zero = if is_uniform { self.architecture.uniform_zero() } else { RZ };
        self.expect(Token::Open, "`[`")?;
        let (register, has_offset) = if self.peek() == Some(Token::Word) {
            let register = self.register(is_uniform)?;
            (register, self.take(Token::Plus))
        } else {
            (zero, true)
        };
        if !has_offset && self.peek() == Some(Token::Minus) {
            return Err(Diagnostic::error(SYNTAX, self.span(), "an offset is added, never subtracted")
                .with_help("write `+-`, as in [R0+-0x10]"));
        }
        let offset = if has_offset { self.offset(register == zero, bits)? } else { 0 };
        self.expect(Token::Close, "`]`")?;
        Ok((register, offset))
    }

    /// A signed immediate of `bits` bits; where `is_unsigned_too`, the unsigned values of that width as well.
    fn offset(&mut self, is_unsigned_too: bool, bits: u32) -> Result<u32, Diagnostic> {
        let start = self.span().start;
        let is_negative = self.take(Token::Minus);
        let span = start..self.span().end;
        let magnitude = i64::from(self.number()?);
        let value = if is_negative { -magnitude } else { magnitude };
        let half = 1_i64 << (bits - 1);
        let most = if is_unsigned_too { 2 * half - 1 } else { half - 1 };
        if value < -half || value > most {
            let message = format!("the immediate does not fit {bits} bits");
            let help = format!("it may lie between -{half:#x} and {most:#x}");
            return Err(Diagnostic::error("sass-range", span, message).with_help(help));
        }
        Ok((value & (2 * half - 1)) as u32)
    }

    /// A decimal or `0x` number below 2^32.
    fn number(&mut self) -> Result<u32, Diagnostic> {
        let Some(Token::Number) = self.peek() else {
            return self.refuse("a number");
        };
        let digits = self.slice();
        let parsed = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
            Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16),
            None => digits.parse(),
        };
        let Ok(number) = parsed else {
            let message = format!("`{}` is not a number below 2^32", clip(digits));
            return Err(Diagnostic::error("sass-range", self.span(), message));
        };
        self.advance();
        Ok(number)
    }

    /// Scheduling annotations such as `&req={0,1} &wr=0x0 ?WAIT4_END_GROUP`, which say nothing about the operation.
    fn annotations(&mut self) -> Result<(), Diagnostic> {
        loop {
            if self.take(Token::Question) {
                self.expect(Token::Word, "a scheduling annotation")?;
            } else if self.take(Token::Ampersand) {
                self.expect(Token::Word, "a scheduling annotation")?;
                if self.take(Token::Equals) {
                    if self.take(Token::BraceOpen) {
                        while self.take(Token::Number) || self.take(Token::Comma) {}
                        self.expect(Token::BraceClose, "`}`")?;
                    } else {
                        self.expect(Token::Number, "a number")?;
                    }
                }
            } else {
                return Ok(());
            }
        }
    }
}

/// The first letters of a long word, for use in messages.
fn clip(word: &str) -> String {
    const MOST: usize = 40;
    if word.chars().count() <= MOST { word.to_owned() } else { word.chars().take(MOST).chain(['…']).collect() }
}
