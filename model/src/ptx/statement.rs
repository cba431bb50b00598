//! Statements of a function body: blocks, declarations, loads and stores; everything else is passed over.

use std::ops::Range;

use crate::diagnostic::Diagnostic;

use super::cache_policy::judge_policy;
use super::context::{Context, Symbol, Variable, VariableSpace};
use super::declaration::begins_declaration;
use super::instruction::Instruction;
use super::lexer::{Lexeme, Token, Words};
use super::lowering::not_served;
use super::number;
use super::parser::{Cursor, SYNTAX, clip, too_long};
use super::types::{Class, DataType};
use super::verdict::{Dialect, Verdict, judge};
use super::version::{Gate, Target, Version};

/// Words of a statement that are kept; the rest of a longer one (a large initializer) is passed over.
const MOST_WORDS: usize = 4096;

/// Deepest nesting of blocks.
const DEEPEST: usize = 256;

/// One load or store of a text, with its verdict.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// Bytes of the text that hold the instruction, without its `;`.
    pub span: Range<usize>,
    /// The instruction, where it could be read.
    pub instruction: Option<Instruction>,
    /// Whether it is legal.
    pub verdict: Verdict,
    /// Why this version of the unit does not serve it, where it is legal; `None` where it does.
    pub not_served: Option<Diagnostic>,
}

impl Judged {
    /// A verdict on what is no load or store that could be read.
    pub(super) fn without_instruction(span: Range<usize>, verdict: Verdict) -> Self {
        Self { span, instruction: None, verdict, not_served: None }
    }
}

/// What is asked of instructions other than loads and stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Others {
    /// They are none of our business.
    PassOver,
    /// They are refused, but for the policy that a cache hint needs.
    Judge,
}

/// Reads statements from a text.
pub(super) struct Statements<'a> {
    pub text: &'a str,
    words: std::iter::Peekable<Words<'a>>,
    buffer: Vec<Lexeme>,
    has_seen_unknown: bool,
    /// Version that is judged for.
    pub version: Version,
    /// Target that is judged for.
    pub target: Target,
    pub dialect: Dialect,
    pub others: Others,
    /// Remarks about the text that are about no single load or store.
    pub remarks: Vec<Diagnostic>,
}

/// How a statement ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// With `;`.
    Semicolon,
    /// Before a `{` that opens a body.
    Body,
    /// Before a `}` that it did not open, or at the end of the text.
    Cut,
}

impl<'a> Statements<'a> {
    /// Statements of `text`, judged for `version` and `target` by `dialect`.
    pub fn new(text: &'a str, version: Version, target: Target, dialect: Dialect, others: Others) -> Self {
        Self {
            text,
            words: Words::new(text).peekable(),
            buffer: Vec::new(),
            has_seen_unknown: false,
            version,
            target,
            dialect,
            others,
            remarks: Vec::new(),
        }
    }

    /// The next word, without taking it.
    pub fn peek(&mut self) -> Option<Lexeme> {
        self.words.peek().copied()
    }

    /// The next word.
    pub fn next(&mut self) -> Option<Lexeme> {
        let word = self.words.next()?;
        if word.token == Token::Unknown && !self.has_seen_unknown {
            self.has_seen_unknown = true;
            let letters = &self.text[word.start..word.end];
            let message = if letters.starts_with("/*") {
                "a comment without an end".to_owned()
            } else {
                format!("`{}` begins no word of PTX", clip(letters).escape_default())
            };
            self.remarks.push(Diagnostic::error(SYNTAX, word.start..word.end, message).with_label("not PTX"));
        }
        Some(word)
    }

    /// The letters of a word.
    pub fn letters(&self, word: Lexeme) -> &'a str {
        &self.text[word.start..word.end]
    }

    /// Takes the next word if it is a `token`.
    pub fn take(&mut self, token: Token) -> Option<Lexeme> {
        if self.peek()?.token == token { self.next() } else { None }
    }

    /// Collects the words of a statement that begins with `first`, up to its `;`. With `has_body`, an opening brace
    /// ends it too. Returns the words, whether some were left out, where the statement ends, and how.
    pub fn collect(&mut self, first: &[Lexeme], has_body: bool) -> (Vec<Lexeme>, bool, usize, Ending) {
        let mut words = self.emptied_buffer();
        words.extend_from_slice(first);
        let mut end = first.last().map_or(0, |word| word.end);
        let (mut is_cut, mut depth) = (false, 0_u32);
        let ending = loop {
            match self.peek().map(|word| word.token) {
                None => break Ending::Cut,
                Some(Token::BraceOpen) if has_body && depth == 0 => break Ending::Body,
                Some(Token::BraceOpen) => depth += 1,
                Some(Token::BraceClose) if depth == 0 => break Ending::Cut,
                Some(Token::BraceClose) => depth -= 1,
                Some(Token::Semicolon) => {
                    self.next();
                    break Ending::Semicolon;
                }
                Some(_) => {}
            }
            let Some(word) = self.next() else { break Ending::Cut };
            end = word.end;
            if words.len() < MOST_WORDS { words.push(word) } else { is_cut = true }
        };
        (words, is_cut, end, ending)
    }

    /// Room for the words of a statement.
    pub(super) fn emptied_buffer(&mut self) -> Vec<Lexeme> {
        let mut words = std::mem::take(&mut self.buffer);
        words.clear();
        words
    }

    /// Gives the words of a statement back for reuse.
    pub fn recycle(&mut self, words: Vec<Lexeme>) {
        self.buffer = words;
    }

    /// Passes over a block in braces, of any depth.
    pub fn skip_block(&mut self) {
        let mut depth = 0_u32;
        while let Some(word) = self.next() {
            match word.token {
                Token::BraceOpen => depth += 1,
                Token::BraceClose => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }

    /// Reads statements until the block that `context` is in closes, or to the end of the text. Every load and store
    /// goes to `sink`. The closing brace is taken; `true` where it was found.
    pub fn body(&mut self, context: &mut Context, sink: &mut dyn FnMut(Judged)) -> bool {
        let mut depth = 0_usize;
        while let Some(word) = self.peek() {
            match word.token {
                Token::BraceOpen => {
                    self.next();
                    depth += 1;
                    if depth == DEEPEST {
                        let message = "blocks are nested too deeply: names in deeper ones are looked up as in this one";
                        self.remarks.push(Diagnostic::error(SYNTAX, word.start..word.end, message));
                    }
                    if depth < DEEPEST {
                        context.open();
                    }
                }
                Token::BraceClose => {
                    self.next();
                    if depth == 0 {
                        return true;
                    }
                    if depth < DEEPEST {
                        context.close();
                    }
                    depth -= 1;
                }
                Token::Semicolon => {
                    self.next();
                    self.remarks.push(
                        Diagnostic::error(SYNTAX, word.start..word.end, "a `;` with no instruction before it")
                            .with_help("remove it"),
                    );
                }
                Token::Dotted => self.directive(context),
                _ => self.instruction(context, sink),
            }
        }
        false
    }

    /// One directive of a body.
    fn directive(&mut self, context: &mut Context) {
        let Some(word) = self.next() else { return };
        match self.letters(word) {
            ".loc" | ".loc_intermediate" => self.location(),
            ".file" => self.file(),
            ".section" => self.section(),
            ".pragma" | ".branchtargets" | ".calltargets" | ".callprototype" | ".alias" => self.list_directive(word),
            ".visible" | ".extern" | ".weak" if self.peek().is_some_and(|next| self.letters(next) == ".func") => {
                self.ask_gate(word);
            }
            ".func" => {
                let (words, _) = self.header(word);
                self.declare_function(&words, context);
                self.recycle(words);
            }
            name if begins_declaration(name) => self.declaration(word, context, VariableSpace::LocalParameter),
            _ => self.unknown_directive(word),
        }
    }

    /// `.loc file line column`, with `, function_name label {+ n}` and `, inlined_at file line column`; it has no `;`.
    pub fn location(&mut self) {
        for _ in 0..3 {
            self.take(Token::Integer);
        }
        while self.take(Token::Comma).is_some() {
            while self.peek().is_some_and(|word| matches!(word.token, Token::Name | Token::Integer | Token::Plus)) {
                // A name here is a keyword or the label behind `function_name`; an instruction never follows a comma.
                let Some(word) = self.next() else { return };
                if word.token == Token::Name && self.letters(word) == "function_name" {
                    self.take(Token::Name);
                    if self.take(Token::Plus).is_some() {
                        self.take(Token::Integer);
                    }
                    break;
                }
                if word.token == Token::Name {
                    for _ in 0..3 {
                        self.take(Token::Integer);
                    }
                    break;
                }
            }
        }
    }

    /// `.file number "name" {, number, number}`; it has no `;`.
    pub fn file(&mut self) {
        self.take(Token::Integer);
        self.take(Token::Text);
        while self.take(Token::Comma).is_some() {
            self.take(Token::Integer);
        }
    }

    /// `.section name { … }`.
    pub fn section(&mut self) {
        if self.peek().is_some_and(|word| matches!(word.token, Token::Name | Token::Dotted)) {
            self.next();
        }
        if self.peek().is_some_and(|word| word.token == Token::BraceOpen) {
            self.skip_block();
        }
    }

    /// A declaration that begins with `first`; `.param` variables live in `parameters`.
    pub fn declaration(&mut self, first: Lexeme, context: &mut Context, parameters: VariableSpace) {
        let words = self.declaration_words(first);
        self.declare(&words, context, parameters);
        self.recycle(words);
    }

    /// Declares what `words` say; `.param` variables live in `parameters`.
    pub(super) fn declare(&mut self, words: &[Lexeme], context: &mut Context, parameters: VariableSpace) {
        let is_vector = words.iter().any(|word| matches!(self.letters(*word), ".v2" | ".v4"));
        let is_array = words.iter().any(|word| word.token == Token::Open);
        for word in words.iter().filter(|word| word.token == Token::Dotted) {
            // The assembler does not look for these into vectors and arrays.
            let is_overlooked = match self.letters(*word) {
                ".f16x2" => is_vector,
                ".b128" => is_array,
                _ => false,
            };
            if !is_overlooked {
                self.ask_gate(*word);
            }
        }
        declare(self.text, words, context, parameters, &mut self.remarks);
    }

    /// Remarks upon a word of a declaration that the version or the target does not have.
    pub(super) fn ask_gate(&mut self, word: Lexeme) {
        let name = self.letters(word);
        let Some(gate) = gate(name) else { return };
        let Some(rule) = gate.broken(self.version, self.target) else { return };
        let message =
            format!("`{name}` requires PTX ISA .version {} and .target sm_{} or later", gate.version, gate.target);
        let label = format!("not in PTX {} for {}", self.version, self.target);
        self.remarks.push(Diagnostic::error(rule, word.start..word.end, message).with_label(label));
    }

    /// One instruction, with the labels before it.
    fn instruction(&mut self, context: &mut Context, sink: &mut dyn FnMut(Judged)) {
        let Some(first) = self.next() else { return };
        if first.token == Token::Name && self.peek().is_some_and(|word| word.token == Token::Colon) {
            self.next();
            let name = self.letters(first);
            context.declare(name, Symbol::Other);
            return;
        }
        let (words, is_cut, end, ending) = self.collect(&[first], false);
        let span = first.start..end;
        let mut cursor = Cursor::new(self.text, &words, end);
        // An unreadable guard is reported when the whole instruction is read.
        let _ = cursor.guard();
        let mnemonic = cursor.mnemonic();
        let judged = match (mnemonic, self.others) {
            ("ld" | "st", _) => {
                let read = if is_cut {
                    Err(too_long(span.clone()))
                } else {
                    let mut cursor = Cursor::new(self.text, &words, end);
                    cursor.instruction().and_then(|instruction| cursor.end().map(|()| instruction))
                };
                let read = if ending == Ending::Semicolon {
                    read
                } else {
                    read.and(Err(Diagnostic::error(SYNTAX, end..end, "the instruction has no `;`")
                        .with_label("a `;` is missing")))
                };
                Some(match read {
                    Ok(instruction) => {
                        let verdict = judge(&instruction, self.version, self.target, context, self.dialect);
                        let not_served = if verdict.is_accepted() { not_served(&instruction, context) } else { None };
                        Judged { span, instruction: Some(instruction), verdict, not_served }
                    }
                    Err(refusal) => Judged::without_instruction(span, Verdict::refused(refusal)),
                })
            }
            (_, Others::PassOver) => hidden(self.text, &words, context).map(|at| {
                let refusal = Diagnostic::error(SYNTAX, at.clone(), "a load or store in the middle of an instruction")
                    .with_label("not at its beginning")
                    .with_help("write `;` behind the instruction before it; a guard is `@` or `@!` and one predicate");
                Judged::without_instruction(at, Verdict::refused(refusal))
            }),
            ("createpolicy", Others::Judge) => {
                let cursor = Cursor::new(self.text, &words, end);
                let verdict = judge_policy(cursor, self.version, self.target, context, self.dialect);
                Some(Judged::without_instruction(span, verdict))
            }
            (_, Others::Judge) => {
                let refusal = Cursor::new(self.text, &words, end).instruction().err();
                refusal.map(|refusal| Judged::without_instruction(span, Verdict::refused(refusal)))
            }
        };
        self.recycle(words);
        if let Some(judged) = judged {
            sink(judged);
        }
    }
}

/// Where a load or store stands in the words of another instruction: behind a guard that is none, or a `;` that is missing.
fn hidden(text: &str, words: &[Lexeme], context: &Context) -> Option<Range<usize>> {
    (1..words.len()).find_map(|behind| {
        let (name, qualifier) = (words[behind - 1], words[behind]);
        let is_qualified = matches!(qualifier.token, Token::Dotted | Token::Dot);
        let mnemonic = Cursor::new(text, &words[behind - 1..], qualifier.end).mnemonic();
        // Registers may have these names.
        let is_name = context.look_up(mnemonic).is_some();
        (is_qualified && matches!(mnemonic, "ld" | "st") && !is_name).then_some(name.start..name.end)
    })
}

/// Why nothing can be declared with a type, and what to write instead; `name` is how the type is written.
fn unfit_type(name: &str, data_type: DataType, vector: u8, is_register: bool) -> Option<(String, &'static str)> {
    let bits = data_type.bits * u16::from(vector);
    match data_type.class {
        Class::Packed if name != ".f16x2" => {
            Some((format!("`{name}` is a type of instructions only"), "declare the bits, as .b16 or .b32"))
        }
        Class::Predicate if !is_register || vector > 1 => Some((
            format!("`{name}` is the type of single registers only"),
            "write .reg .pred, or keep the truth as an integer",
        )),
        _ if vector == 8 => Some(("`.v8` is a length of loads and stores only".to_owned(), "declare .v2 or .v4")),
        _ if bits > 128 => Some((
            format!("`.v{vector}` of `{name}` has {bits} bits"),
            "a vector that is declared has at most 128 bits",
        )),
        _ => None,
    }
}

/// The least version and target for what a declaration may say, where not all have it.
fn gate(name: &str) -> Option<Gate> {
    let of = |(major, minor), target| Some(Gate { version: Version::new(major, minor), target });
    match name {
        ".b128" => of((8, 3), 70),
        ".f16x2" => of((4, 2), 53),
        ".attribute" => of((4, 0), 10),
        ".managed" => of((4, 0), 30),
        ".unified" => of((8, 0), 90),
        ".common" => of((5, 0), 10),
        ".weak" => of((3, 1), 10),
        ".ptr" => of((2, 2), 10),
        _ => None,
    }
}

/// Declares what the words of a declaration say: registers or variables. `.param` variables live in `parameters`.
fn declare(
    text: &str,
    words: &[Lexeme],
    context: &mut Context,
    parameters: VariableSpace,
    remarks: &mut Vec<Diagnostic>,
) {
    let mut space = None;
    let mut is_register = false;
    let mut data_type = None;
    let mut vector = 1;
    let mut is_unified = false;
    let mut depth = 0_u32;
    let mut is_name_next = true;
    let mut position = 0;
    while let Some(word) = words.get(position) {
        position += 1;
        let letters = &text[word.start..word.end];
        match word.token {
            Token::ParenOpen | Token::Open | Token::BraceOpen => depth += 1,
            Token::ParenClose | Token::Close | Token::BraceClose => depth = depth.saturating_sub(1),
            Token::Dotted if letters == ".unified" => is_unified = true,
            Token::Dotted if depth == 0 => match letters {
                ".reg" => is_register = true,
                ".global" if space.is_none() => space = Some(VariableSpace::Global),
                ".const" if space.is_none() => space = Some(VariableSpace::Const),
                ".shared" if space.is_none() => space = Some(VariableSpace::Shared),
                ".local" if space.is_none() => space = Some(VariableSpace::Local),
                ".param" => space = Some(parameters),
                ".v2" => vector = 2,
                ".v4" => vector = 4,
                ".v8" => vector = 8,
                _ => {
                    if let Some(declared) = DataType::parse(&letters[1..]) {
                        data_type = Some(declared);
                        let fault = unfit_type(letters, declared, vector, is_register);
                        remarks.extend(fault.map(|(message, help)| {
                            Diagnostic::error("declaration-type", word.start..word.end, message).with_help(help)
                        }));
                    }
                }
            },
            Token::Name if depth == 0 && is_name_next => {
                is_name_next = false;
                let symbol = if is_register {
                    match data_type {
                        Some(data_type) => Symbol::Register { data_type, vector },
                        None => Symbol::Other,
                    }
                } else {
                    match space {
                        Some(space) => {
                            let is_array = words.get(position).is_some_and(|next| next.token == Token::Open);
                            Symbol::Variable(Variable { space, is_unified, data_type, vector, is_array })
                        }
                        None => Symbol::Other,
                    }
                };
                let range = match words.get(position..position + 3) {
                    Some([open, count, close])
                        if open.token == Token::AngleOpen
                            && count.token == Token::Integer
                            && close.token == Token::AngleClose =>
                    {
                        number::integer(&text[count.start..count.end]).and_then(|count| u32::try_from(count).ok())
                    }
                    _ => None,
                };
                let is_consistent = match range {
                    Some(count) => {
                        position += 3;
                        context.declare_range(letters, count, symbol)
                    }
                    None => context.declare(letters, symbol),
                };
                if !is_consistent {
                    let message = format!("`{}` is declared twice in one block, differently", clip(letters));
                    remarks.push(
                        Diagnostic::error("declaration-contradiction", word.start..word.end, message)
                            .with_label("declared before as something else"),
                    );
                }
            }
            Token::Comma if depth == 0 => is_name_next = true,
            _ => {}
        }
    }
}
