//! Whole modules as compilers write them.

use std::ops::Range;

use crate::diagnostic::Diagnostic;

use super::context::{Context, VariableSpace};
use super::declaration::begins_declaration;
use super::lexer::{Lexeme, Token};
use super::number;
use super::parser::clip;
use super::statement::{Others, Statements};
use super::verdict::Dialect;
use super::version::{Target, Version};

pub use super::statement::Judged;

/// What a module says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// `.version`; the newest known where the module names none.
    pub version: Version,
    /// `.target`; the newest known where the module names none.
    pub target: Target,
    /// Remarks that are about no single load or store.
    pub remarks: Vec<Diagnostic>,
}

/// Reads the module `text` and judges every load and store in it by the rules of `dialect`; each goes to `sink` as
/// soon as it is read, so that memory does not grow with their number.
pub fn lint(text: &str, dialect: Dialect, sink: &mut dyn FnMut(Judged)) -> Module {
    let newest = Target::all().last().unwrap_or_else(|| unreachable!("some target is known"));
    let mut reader = Reader {
        statements: Statements::new(text, Version::NEWEST, newest, dialect, Others::PassOver),
        context: Context::new(),
        has_version: false,
        has_target: false,
        header: Header::Nothing,
    };
    while let Some(word) = reader.statements.next() {
        reader.top_level(word, sink);
    }
    if !reader.has_version || !reader.has_target {
        let missing = if reader.has_version { ".target" } else { ".version" };
        let message = format!("the module names no `{missing}`: the newest known is assumed");
        let help = "a module begins with .version and .target";
        reader.statements.remarks.push(Diagnostic::error("module-header", 0..0, message).with_help(help));
    }
    Module { version: reader.statements.version, target: reader.statements.target, remarks: reader.statements.remarks }
}

/// A module while it is being read.
struct Reader<'a> {
    statements: Statements<'a>,
    context: Context,
    has_version: bool,
    has_target: bool,
    header: Header,
}

/// How far the header of a module has been read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Header {
    Nothing,
    Version,
    Target,
    Over,
}

impl Reader<'_> {
    /// One thing at the top level, which begins with `word`.
    fn top_level(&mut self, word: Lexeme, sink: &mut dyn FnMut(Judged)) {
        self.directive(word, sink);
        if !matches!(self.statements.letters(word), ".version" | ".target") {
            self.header = Header::Over;
        }
    }

    /// The same, but for what it means to the header.
    fn directive(&mut self, word: Lexeme, sink: &mut dyn FnMut(Judged)) {
        let statements = &mut self.statements;
        if word.token != Token::Dotted {
            match word.token {
                Token::Unknown => {}
                Token::BraceOpen | Token::BraceClose | Token::Semicolon => {
                    let message = format!("a `{}` that belongs to nothing", statements.letters(word));
                    statements.remarks.push(Diagnostic::error("syntax", word.start..word.end, message));
                }
                _ => {
                    let message = "only declarations and functions stand at the top level of a module";
                    statements.remarks.push(Diagnostic::error("syntax", word.start..word.end, message));
                    let (words, ..) = statements.collect(&[word], false);
                    statements.recycle(words);
                }
            }
            return;
        }
        match statements.letters(word) {
            ".version" => self.version(word),
            ".target" => self.target(word),
            ".address_size" => self.address_size(word),
            ".file" => statements.file(),
            ".loc" | ".loc_intermediate" => statements.location(),
            ".section" => statements.section(),
            // Linking directives stand before what they are about.
            ".visible" | ".extern" | ".weak" | ".common" => statements.ask_gate(word),
            ".entry" | ".func" => self.function(word, sink),
            ".pragma" | ".alias" => statements.list_directive(word),
            name if begins_declaration(name) => {
                statements.declaration(word, &mut self.context, VariableSpace::KernelParameter);
            }
            _ => statements.unknown_directive(word),
        }
    }

    /// Remarks that the header is not as it should be.
    fn header_remark(&mut self, span: Range<usize>, message: String) {
        self.statements.remarks.push(Diagnostic::error("module-header", span, message));
    }

    /// `.version major.minor`, which comes first.
    fn version(&mut self, directive: Lexeme) {
        let number = self.statements.take(Token::Float);
        let span = directive.start..number.map_or(directive.end, |word| word.end);
        let known = number.and_then(|word| Version::parse(self.statements.letters(word)));
        if self.has_version {
            let message = format!("a second .version: {} was named before", self.statements.version);
            self.header_remark(span, message);
        } else if known.is_none() {
            self.header_remark(span, format!("no PTX version that is known (the newest is {})", Version::NEWEST));
        } else if self.header != Header::Nothing {
            self.header_remark(span, ".version comes before everything else".to_owned());
        }
        if let Some(version) = known.filter(|_| !self.has_version) {
            self.statements.version = version;
        }
        self.has_version = true;
        self.header = self.header.max(Header::Version);
    }

    /// `.target name {, name}`: one architecture or more, the last of which counts, and options.
    fn target(&mut self, directive: Lexeme) {
        if !matches!(self.header, Header::Version | Header::Target) {
            let message =
                if self.has_version { ".target comes right behind .version" } else { ".target comes behind .version" };
            self.header_remark(directive.start..directive.end, message.to_owned());
        }
        self.header = self.header.max(Header::Target);
        let mut has_architecture = false;
        let mut last = directive;
        loop {
            let Some(name) = self.statements.take(Token::Name) else {
                let message = "the name of a target or of an option is missing".to_owned();
                self.header_remark(last.start..last.end, message);
                break;
            };
            last = name;
            has_architecture |= self.target_name(name);
            match self.statements.take(Token::Comma) {
                Some(comma) => last = comma,
                None => break,
            }
        }
        let Statements { version, target, .. } = self.statements;
        if has_architecture && self.has_version && version < target.least_version() {
            let message = format!("{target} does not exist in PTX {version}");
            let help = format!("{target} needs .version {} or later", target.least_version());
            let diagnostic = Diagnostic::error("gate-target-version", directive.start..last.end, message);
            self.statements.remarks.push(diagnostic.with_help(help));
        }
    }

    /// One name of `.target`; whether it is an architecture that is known.
    fn target_name(&mut self, name: Lexeme) -> bool {
        let letters = self.statements.letters(name);
        let span = name.start..name.end;
        if matches!(letters, "debug" | "texmode_unified" | "texmode_independent" | "map_f64_to_f32") {
            if !self.has_target {
                self.header_remark(span, format!("an architecture comes before the option `{letters}`"));
                self.has_target = true;
            }
            return false;
        }
        self.has_target = true;
        // The assembler takes the name of a virtual architecture for the real one.
        let known = match letters.strip_prefix("compute_") {
            Some(number) => Target::parse(&format!("sm_{number}")),
            None => Target::parse(letters),
        };
        match known {
            Some(target) => self.statements.target = target,
            None => self.header_remark(span, format!("`{}` is no target that is known", clip(letters))),
        }
        known.is_some()
    }

    /// `.address_size 64`, which comes right behind `.target`.
    fn address_size(&mut self, directive: Lexeme) {
        let number = self.statements.take(Token::Integer);
        let span = directive.start..number.map_or(directive.end, |word| word.end);
        let bits = number.and_then(|word| number::integer(self.statements.letters(word)));
        if !matches!(bits, Some(32 | 64)) {
            self.header_remark(span, "an address has 32 or 64 bits".to_owned());
        } else if self.header != Header::Target {
            self.header_remark(span, ".address_size comes once, right behind .target".to_owned());
        }
    }

    /// `.entry` or `.func`, with its parameters and its body.
    fn function(&mut self, directive: Lexeme, sink: &mut dyn FnMut(Judged)) {
        let statements = &mut self.statements;
        let is_kernel = statements.letters(directive) == ".entry";
        let (words, has_body) = statements.header(directive);
        statements.declare_function(&words, &mut self.context);
        self.context.open();
        self.context.is_kernel = is_kernel;
        let mut position = 1;
        let mut has_name = false;
        while let Some(word) = words.get(position) {
            match word.token {
                Token::ParenOpen => {
                    let length = matching(&words[position..]);
                    let space = match (is_kernel, has_name) {
                        (true, _) => VariableSpace::KernelParameter,
                        (false, false) => VariableSpace::FunctionReturn,
                        (false, true) => VariableSpace::FunctionInput,
                    };
                    let list = &words[position + 1..(position + length).max(position + 1)];
                    for parameter in list.split(|word| word.token == Token::Comma) {
                        statements.declare(parameter, &mut self.context, space);
                    }
                    position += length;
                }
                Token::Name => has_name = true,
                _ => {}
            }
            position += 1;
        }
        statements.recycle(words);
        if has_body {
            let opening = statements.next().map_or(0, |word| word.start);
            if !statements.body(&mut self.context, sink) {
                let message = "the body of this function does not end";
                statements
                    .remarks
                    .push(Diagnostic::error("syntax", opening..opening + 1, message).with_label("opened here"));
            }
        }
        // Blocks that a cut-off body left open are closed with it.
        while self.context.depth() > 1 {
            self.context.close();
        }
    }
}

/// How many words lie from the `(` that `words` begin with to its `)`; all of them where it does not close.
fn matching(words: &[Lexeme]) -> usize {
    let mut depth = 0_u32;
    for (position, word) in words.iter().enumerate() {
        match word.token {
            Token::ParenOpen => depth += 1,
            Token::ParenClose => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return position;
        }
    }
    words.len() - 1
}
