//! Whole modules as compilers write them.

use crate::diagnostic::Diagnostic;

use super::context::{Context, VariableSpace};
use super::declaration::begins_declaration;
use super::lexer::{Lexeme, Token};
use super::statement::{Others, Statements, declare};
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
}

impl Reader<'_> {
    /// One thing at the top level, which begins with `word`.
    fn top_level(&mut self, word: Lexeme, sink: &mut dyn FnMut(Judged)) {
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
            ".address_size" => {
                statements.take(Token::Integer);
            }
            ".file" => statements.file(),
            ".loc" | ".loc_intermediate" => statements.location(),
            ".section" => statements.section(),
            // Linking directives stand before what they are about.
            ".visible" | ".extern" | ".weak" | ".common" => {}
            ".entry" | ".func" => self.function(word, sink),
            ".pragma" | ".alias" => statements.list_directive(word),
            name if begins_declaration(name) => {
                statements.declaration(word, &mut self.context, VariableSpace::KernelParameter);
            }
            _ => statements.unknown_directive(word),
        }
    }

    /// `.version major.minor`.
    fn version(&mut self, directive: Lexeme) {
        let statements = &mut self.statements;
        let number = statements.take(Token::Float);
        match number.and_then(|word| Version::parse(statements.letters(word))) {
            Some(version) => {
                let is_contradiction = self.has_version && version != statements.version;
                if is_contradiction {
                    let message = format!("a second .version: {} was named before", statements.version);
                    statements.remarks.push(Diagnostic::error(
                        "module-header",
                        directive.start..directive.end,
                        message,
                    ));
                } else {
                    statements.version = version;
                }
                self.has_version = true;
            }
            None => {
                let end = number.map_or(directive.end, |word| word.end);
                let message = format!("no PTX version that is known (the newest is {})", Version::NEWEST);
                statements.remarks.push(Diagnostic::error("module-header", directive.start..end, message));
                self.has_version = true;
            }
        }
    }

    /// `.target name {, name}`: one architecture and options.
    fn target(&mut self, directive: Lexeme) {
        let statements = &mut self.statements;
        let mut has_architecture = false;
        let mut last = directive;
        while let Some(name) = statements.take(Token::Name) {
            last = name;
            if statements.letters(name).starts_with("sm_") || statements.letters(name).starts_with("compute_") {
                let known = Target::parse(statements.letters(name));
                match known {
                    Some(target) => {
                        statements.target = target;
                        has_architecture = true;
                    }
                    None => {
                        let message = format!("`{}` is no target that is known", statements.letters(name));
                        statements.remarks.push(Diagnostic::error("module-header", name.start..name.end, message));
                        self.has_target = true;
                    }
                }
            }
            if statements.take(Token::Comma).is_none() {
                break;
            }
        }
        if has_architecture {
            self.has_target = true;
            if self.has_version && statements.version < statements.target.least_version() {
                let message = format!("{} does not exist in PTX {}", statements.target, statements.version);
                let help =
                    format!("{} needs .version {} or later", statements.target, statements.target.least_version());
                statements
                    .remarks
                    .push(Diagnostic::error("gate-target-version", directive.start..last.end, message).with_help(help));
            }
        }
    }

    /// `.entry` or `.func`, with its parameters and its body.
    fn function(&mut self, directive: Lexeme, sink: &mut dyn FnMut(Judged)) {
        let statements = &mut self.statements;
        let is_kernel = statements.letters(directive) == ".entry";
        let (words, has_body) = statements.header(directive);
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
                        declare(statements.text, parameter, &mut self.context, space, &mut statements.remarks);
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
