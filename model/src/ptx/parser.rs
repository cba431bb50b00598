//! The grammar of `ld` and `st`.
//!
//! What can be read is read: rules that need a version, a target or declarations are left to [`super::judge`]. Refused
//! here is only what is not an instruction at all: bad syntax, unknown or repeated qualifiers, a missing type.

use std::ops::Range;

use crate::diagnostic::Diagnostic;
use crate::micro_op::{CacheOperator, L1Eviction, L2Eviction, Prefetch, Scope};

use super::constant::Constant;
use super::instruction::{
    Address, At, Base, Data, Guard, Immediate, Instruction, Operation, Order, Part, Source, StateSpace,
};
use super::lexer::{Lexeme, Token, Words};
use super::number;
use super::qualifier::Qualifier;
use super::types::DataType;

/// Rule of everything that is no PTX.
pub(super) const SYNTAX: &str = "syntax";

/// The name of PTX's one predefined constant: the lanes of a warp.
pub(super) const WARP_SIZE: &str = "WARP_SZ";

/// Most words of one instruction; the longest legal one has fewer than a hundred.
const MOST_WORDS: usize = 4096;

/// Parses one instruction, which the final `;` may or may not close.
///
/// # Errors
/// Rule `syntax` for text that is no instruction, `outside-unit` for instructions other than `ld` and `st`,
/// `qualifier-unknown`, `qualifier-repeated`, `type-missing` and `type-unsupported` for what the names say.
pub fn parse(text: &str) -> Result<Instruction, Diagnostic> {
    let words = Words::new(text).take(MOST_WORDS + 1).collect::<Vec<_>>();
    if words.len() > MOST_WORDS {
        return Err(too_long(0..text.len()));
    }
    let mut cursor = Cursor::new(text, &words, text.len());
    let instruction = cursor.instruction()?;
    cursor.take(Token::Semicolon);
    cursor.end()?;
    Ok(instruction)
}

/// The refusal of an instruction of too many words.
pub(super) fn too_long(span: Range<usize>) -> Diagnostic {
    Diagnostic::error(SYNTAX, span, format!("the instruction has more than {MOST_WORDS} words"))
}

/// The qualifiers of one instruction while they are being collected.
#[derive(Default)]
struct Qualifiers {
    mmio: Option<At<()>>,
    order: Option<At<Order>>,
    scope: Option<At<Scope>>,
    space: Option<At<StateSpace>>,
    operator: Option<At<CacheOperator>>,
    non_coherent: Option<At<()>>,
    l1_eviction: Option<At<L1Eviction>>,
    l2_eviction: Option<At<L2Eviction>>,
    cache_hint: Option<At<()>>,
    prefetch: Option<At<Prefetch>>,
    vector: Option<At<u8>>,
    data_type: Option<At<DataType>>,
}

impl Qualifiers {
    /// Adds one qualifier; `kind` names the group for the message.
    fn add(&mut self, qualifier: Qualifier, span: Range<usize>, text: &str) -> Result<(), Diagnostic> {
        /// Fills `slot`, or refuses a second one.
        fn fill<T>(
            slot: &mut Option<At<T>>,
            value: T,
            span: Range<usize>,
            kind: &str,
            text: &str,
        ) -> Result<(), Diagnostic> {
            if let Some(first) = slot {
                let (earlier, later) = (&text[first.span.clone()], &text[span.clone()]);
                let (message, help) = if earlier == later {
                    (format!("`{later}` is written twice"), "remove one of the two".to_owned())
                } else {
                    let message = format!("`{later}` and `{earlier}` are both {kind}");
                    (message, "an instruction has at most one: remove one of the two".to_owned())
                };
                return Err(Diagnostic::error("qualifier-repeated", span, message)
                    .with_label("the second of its kind")
                    .with_help(help));
            }
            *slot = Some(At::new(value, span));
            Ok(())
        }
        match qualifier {
            Qualifier::Mmio => fill(&mut self.mmio, (), span, "`.mmio`", text),
            Qualifier::Order(order) => fill(&mut self.order, order, span, "memory-order qualifiers", text),
            Qualifier::Scope(scope) => fill(&mut self.scope, scope, span, "scopes", text),
            Qualifier::Space(space) => fill(&mut self.space, space, span, "state spaces", text),
            Qualifier::Operator(operator) => fill(&mut self.operator, operator, span, "cache operators", text),
            Qualifier::NonCoherent => fill(&mut self.non_coherent, (), span, "`.nc`", text),
            Qualifier::L1(priority) => fill(&mut self.l1_eviction, priority, span, "L1 eviction priorities", text),
            Qualifier::L2(priority) => fill(&mut self.l2_eviction, priority, span, "L2 eviction priorities", text),
            Qualifier::CacheHint => fill(&mut self.cache_hint, (), span, "`.L2::cache_hint`", text),
            Qualifier::Prefetch(size) => fill(&mut self.prefetch, size, span, "prefetch sizes", text),
            Qualifier::Vector(length) => fill(&mut self.vector, length, span, "vector lengths", text),
            Qualifier::Type(data_type) => fill(&mut self.data_type, data_type, span, "types", text),
        }
    }
}

/// A place in the words of one statement.
pub(super) struct Cursor<'a> {
    text: &'a str,
    words: &'a [Lexeme],
    position: usize,
    end: usize,
}

impl<'a> Cursor<'a> {
    /// The first of `words`, which stand in `text`; `end` is where the statement ends.
    pub fn new(text: &'a str, words: &'a [Lexeme], end: usize) -> Self {
        Self { text, words, position: 0, end }
    }

    /// The word after the next `ahead` words.
    pub fn look(&self, ahead: usize) -> Option<Token> {
        self.words.get(self.position + ahead).map(|word| word.token)
    }

    /// The present word.
    pub fn peek(&self) -> Option<Token> {
        self.look(0)
    }

    /// Where the present word stands; the end of the statement behind the last.
    pub fn span(&self) -> Range<usize> {
        self.words.get(self.position).map_or(self.end..self.end, |word| word.start..word.end)
    }

    /// The letters of the present word.
    pub fn slice(&self) -> &'a str {
        self.text.get(self.span()).unwrap_or("")
    }

    /// Moves on by one word.
    pub fn advance(&mut self) {
        self.position += 1;
    }

    /// Steps over `token` if it is next.
    pub fn take(&mut self, token: Token) -> bool {
        let is_next = self.peek() == Some(token);
        if is_next {
            self.advance();
        }
        is_next
    }

    /// Refuses the present word; `expected` says what should stand there.
    pub fn refuse<T>(&self, expected: &str) -> Result<T, Diagnostic> {
        let found = match self.slice() {
            "" => "the end of the instruction".to_owned(),
            letters => format!("`{}`", clip(letters)),
        };
        Err(Diagnostic::error(SYNTAX, self.span(), format!("expected {expected}, found {found}"))
            .with_label(format!("expected {expected}")))
    }

    /// Steps over `token` or refuses.
    pub fn expect(&mut self, token: Token, expected: &str) -> Result<(), Diagnostic> {
        if self.take(token) { Ok(()) } else { self.refuse(expected) }
    }

    /// Refuses anything that still follows.
    pub fn end(&self) -> Result<(), Diagnostic> {
        if self.position >= self.words.len() { Ok(()) } else { self.refuse("`;`") }
    }

    /// `@p` or `@!p`, where it is next.
    pub fn guard(&mut self) -> Result<Option<At<Guard>>, Diagnostic> {
        let start = self.span().start;
        if !self.take(Token::At) {
            return Ok(None);
        }
        let is_negated = self.take(Token::Not);
        let (name, end) = (self.slice(), self.span().end);
        self.expect(Token::Name, "a predicate register")?;
        Ok(Some(At::new(Guard { name: name.into(), is_negated }, start..end)))
    }

    /// The name of the instruction, which is next; empty where that is no name. `st.async` and `st.bulk` are instructions of their
    /// own, though they begin as `st` does.
    pub fn mnemonic(&self) -> &'a str {
        let Some(name) = self.words.get(self.position).filter(|word| word.token == Token::Name) else { return "" };
        let end = match self.words.get(self.position + 1) {
            Some(next) if matches!(&self.text[name.start..next.end], "st.async" | "st.bulk") => next.end,
            _ => name.end,
        };
        &self.text[name.start..end]
    }

    /// One whole instruction without its `;`.
    pub fn instruction(&mut self) -> Result<Instruction, Diagnostic> {
        let guard = self.guard()?;
        let name_span = self.span();
        let operation = match self.mnemonic() {
            "ld" => Operation::Load,
            "st" => Operation::Store,
            "" => return self.refuse("`ld` or `st`"),
            name => {
                let message = format!("`{}` is neither `ld` nor `st`", clip(name));
                let span = name_span.start..name_span.start + name.len();
                return Err(Diagnostic::error("outside-unit", span, message)
                    .with_label("outside the unit")
                    .with_help("the unit executes ld, ld.global.nc, st and SASS LDC"));
            }
        };
        self.advance();
        let qualifiers = self.qualifiers(operation)?;
        let Some(data_type) = qualifiers.data_type else {
            let message = format!("`{}` needs a type", operation.name());
            return Err(Diagnostic::error("type-missing", name_span, message)
                .with_label("no type")
                .with_help("add one of .b8 .b16 .b32 .b64 .b128 .u8 .u16 .u32 .u64 .s8 .s16 .s32 .s64 .f32 .f64"));
        };
        if !data_type.value.is_memory_type() {
            let name = &self.text[data_type.span.clone()];
            let help = match data_type.value.bits {
                1 => "predicates cannot be loaded or stored: move them to a register with selp first".to_owned(),
                bits => format!("load or store the bits as .b{bits}, then convert"),
            };
            let message = format!("`{}` has no type `{name}`", operation.name());
            return Err(Diagnostic::error("type-unsupported", data_type.span, message).with_help(help));
        }
        let (data, address) = match operation {
            Operation::Load => {
                let data = self.data()?;
                self.comma("the destination")?;
                (data, self.address()?)
            }
            Operation::Store => {
                let address = self.address()?;
                self.comma("the address")?;
                (self.data()?, address)
            }
        };
        let policy = if self.take(Token::Comma) { Some(self.policy()?) } else { None };
        Ok(Instruction {
            guard,
            operation: At::new(operation, name_span),
            mmio: qualifiers.mmio,
            order: qualifiers.order,
            scope: qualifiers.scope,
            space: qualifiers.space,
            operator: qualifiers.operator,
            non_coherent: qualifiers.non_coherent,
            l1_eviction: qualifiers.l1_eviction,
            l2_eviction: qualifiers.l2_eviction,
            cache_hint: qualifiers.cache_hint,
            prefetch: qualifiers.prefetch,
            vector: qualifiers.vector,
            data_type,
            data,
            address,
            policy,
        })
    }

    /// Every qualifier behind the mnemonic, in any order.
    fn qualifiers(&mut self, operation: Operation) -> Result<Qualifiers, Diagnostic> {
        let mut qualifiers = Qualifiers::default();
        loop {
            match self.peek() {
                Some(Token::Dotted) => {}
                Some(Token::Dot) => {
                    return Err(Diagnostic::error(SYNTAX, self.span(), "a qualifier begins right behind its dot")
                        .with_help("remove the blank behind the dot"));
                }
                _ => return Ok(qualifiers),
            }
            let span = self.span();
            let name = &self.slice()[1..];
            let Some(mut qualifier) = Qualifier::parse(name) else {
                let message = format!("`{}` has no qualifier `.{}`", operation.name(), clip(name));
                let refusal = Diagnostic::error("qualifier-unknown", span, message).with_label("unknown qualifier");
                return Err(match Qualifier::closest(name) {
                    Some(known) => refusal.with_help(format!("did you mean `.{known}`?")),
                    None => refusal,
                });
            };
            self.advance();
            if qualifier == Qualifier::Space(StateSpace::Const) && self.peek() == Some(Token::Open) {
                qualifier = Qualifier::Space(StateSpace::ConstBank(self.bank()?));
            }
            qualifiers.add(qualifier, span, self.text)?;
        }
    }

    /// `[n]` behind `.const`.
    fn bank(&mut self) -> Result<u8, Diagnostic> {
        self.advance();
        let span = self.span();
        let bank = number::integer(self.slice()).and_then(|bank| u8::try_from(bank).ok()).filter(|bank| *bank < 11);
        let Some(bank) = bank else {
            return Err(Diagnostic::error(SYNTAX, span, "a constant bank is a number from 0 to 10"));
        };
        self.advance();
        self.expect(Token::Close, "`]`")?;
        Ok(bank)
    }

    /// The comma behind `what`.
    fn comma(&mut self, what: &str) -> Result<(), Diagnostic> {
        if self.peek() == Some(Token::Dot) {
            return Err(Diagnostic::error(SYNTAX, self.span(), format!("a comma is missing behind {what}"))
                .with_label("a dot")
                .with_help("write `,` instead of `.`"));
        }
        if self.position >= self.words.len() {
            return Err(Diagnostic::error("operands-missing", self.span(), format!("nothing follows {what}"))
                .with_help("the operands are: ld d, [a]; and st [a], b;"));
        }
        self.expect(Token::Comma, "`,`")
    }

    /// A destination or a source.
    fn data(&mut self) -> Result<At<Data>, Diagnostic> {
        let start = self.span().start;
        if !self.take(Token::BraceOpen) {
            let source = self.source()?;
            let source = self.sum(source)?;
            let span = source.span.clone();
            return Ok(At::new(Data::Single(source), span));
        }
        let mut sources = Vec::new();
        loop {
            sources.push(self.source()?);
            if sources.len() > 8 {
                return Err(Diagnostic::error("vector-shape", self.span(), "a vector has at most eight elements"));
            }
            let end = self.span().end;
            if self.take(Token::BraceClose) {
                return Ok(At::new(Data::Vector(sources), start..end));
            }
            self.comma("the element")?;
        }
    }

    /// One element.
    pub fn source(&mut self) -> Result<At<Source>, Diagnostic> {
        let span = self.span();
        match self.peek() {
            Some(Token::Sink) => {
                self.advance();
                Ok(At::new(Source::Sink, span))
            }
            Some(Token::Name) if self.slice() != WARP_SIZE => {
                let name = self.slice();
                self.advance();
                let part = self.part();
                let end = self.words[self.position - 1].end;
                Ok(At::new(Source::Register { name: name.into(), part }, span.start..end))
            }
            Some(
                Token::Integer
                | Token::Float
                | Token::Minus
                | Token::ParenOpen
                | Token::Not
                | Token::Plus
                | Token::Operator
                | Token::Name,
            ) => {
                let immediate = self.immediate()?;
                let end = self.words[self.position - 1].end;
                Ok(At::new(Source::Immediate(immediate), span.start..end))
            }
            _ => self.refuse("a register"),
        }
    }

    /// `source`, or the sum of it and a constant behind it. Only a name that stands alone is added to.
    fn sum(&mut self, source: At<Source>) -> Result<At<Source>, Diagnostic> {
        let Source::Register { name, part: None } = &source.value else { return Ok(source) };
        if self.peek() != Some(Token::Plus) {
            return Ok(source);
        }
        self.advance();
        let offset = self.integer()?.bits as i64;
        let end = self.words[self.position - 1].end;
        Ok(At::new(Source::Sum { name: name.clone(), offset }, source.span.start..end))
    }

    /// `.x` and the like behind a vector register, `.b0` and the like behind another one.
    fn part(&mut self) -> Option<Part> {
        if self.peek() != Some(Token::Dotted) {
            return None;
        }
        let part = match &self.slice()[1..] {
            "x" | "r" => Part::Component(0),
            "y" | "g" => Part::Component(1),
            "z" => Part::Component(2),
            "w" | "a" => Part::Component(3),
            letters if is_selector(letters) => Part::Selector(letters.into()),
            _ => return None,
        };
        self.advance();
        Some(part)
    }

    /// A number: a constant expression, or a floating-point literal of 32 bits, which no operator takes.
    fn immediate(&mut self) -> Result<Immediate, Diagnostic> {
        if let Some(bits) = self.single() {
            self.advance();
            return Ok(Immediate::Single(bits));
        }
        Ok(match self.expression()? {
            Constant::Integer(integer) => Immediate::Integer(integer.bits as i64),
            Constant::Float(value) => Immediate::Double(value.to_bits()),
            Constant::Single(bits) => Immediate::Single(bits),
        })
    }

    /// The bits of the present word, if it is a floating-point literal of 32 bits.
    fn single(&self) -> Option<u32> {
        match (self.peek()?, number::float(self.slice())?) {
            (Token::Float, Immediate::Single(bits)) => Some(bits),
            _ => None,
        }
    }

    /// `[base+offset]`, `[address]`, `name[offset]` or `name[register+offset]`, and `.unified` behind it.
    fn address(&mut self) -> Result<At<Address>, Diagnostic> {
        let start = self.span().start;
        let is_indexed = self.peek() == Some(Token::Name) && self.look(1) == Some(Token::Open);
        let mut index = None;
        let (base, offset) = if is_indexed {
            let base = At::new(Base::Name(self.slice().into()), self.span());
            self.advance();
            self.advance();
            if self.peek() == Some(Token::Name) && self.slice() != WARP_SIZE {
                index = Some(At::new(self.slice().into(), self.span()));
                self.advance();
                (base, self.offset_behind_name()?)
            } else {
                (base, self.offset()?)
            }
        } else {
            if self.peek() != Some(Token::Open) {
                return self.refuse("an address in brackets");
            }
            self.advance();
            if self.peek() == Some(Token::Name) && self.slice() != WARP_SIZE {
                let base = At::new(Base::Name(self.slice().into()), self.span());
                self.advance();
                (base, self.offset_behind_name()?)
            } else {
                let offset = self.offset()?;
                (At::new(Base::Immediate, offset.span.clone()), offset)
            }
        };
        let end = self.span().end;
        self.expect(Token::Close, "`]`")?;
        let unified = match self.peek() {
            Some(Token::Dotted) if self.slice() == ".unified" => {
                let span = self.span();
                self.advance();
                Some(At::new((), span))
            }
            _ => None,
        };
        Ok(At::new(Address { base, index, offset, is_indexed, unified }, start..end))
    }

    /// `+` and a constant behind a name, or nothing.
    fn offset_behind_name(&mut self) -> Result<At<i64>, Diagnostic> {
        match self.peek() {
            Some(Token::Plus) => {
                self.advance();
                self.offset()
            }
            Some(Token::Minus) => Err(Diagnostic::error(SYNTAX, self.span(), "an offset is added, never subtracted")
                .with_label("not allowed here")
                .with_help("write `+-`, as in [%rd1+-4]")),
            _ => Ok(At::new(0, self.span().start..self.span().start)),
        }
    }

    /// A constant that is added to an address.
    fn offset(&mut self) -> Result<At<i64>, Diagnostic> {
        let start = self.span().start;
        if self.peek() == Some(Token::Name) && self.slice() != WARP_SIZE {
            return Err(Diagnostic::error(SYNTAX, self.span(), "an address adds a constant to at most one name")
                .with_label("not a constant")
                .with_help("add the two registers first, then load through the sum"));
        }
        let value = self.integer()?;
        let end = self.words[self.position - 1].end;
        Ok(At::new(value.bits as i64, start..end))
    }

    /// The policy operand.
    fn policy(&mut self) -> Result<At<Source>, Diagnostic> {
        if self.peek() == Some(Token::Sink) {
            return self.refuse("a cache policy");
        }
        let source = self.source()?;
        self.sum(source)
    }
}

/// Whether `letters` select bytes or halves: of a register and the one beside it, there are eight and four.
fn is_selector(letters: &str) -> bool {
    let (highest, digits) = match letters.as_bytes() {
        [b'b', digits @ ..] => (b'7', digits),
        [b'h', digits @ ..] => (b'3', digits),
        _ => return false,
    };
    digits.len() <= 4 && digits.iter().all(|digit| (b'0'..=highest).contains(digit))
}

/// The first letters of a long word, for use in messages.
pub(super) fn clip(word: &str) -> String {
    const MOST: usize = 40;
    if word.chars().count() <= MOST { word.to_owned() } else { word.chars().take(MOST).chain(['…']).collect() }
}
