//! Directives that end with `;`: how far each reaches, and the word that should have been its `;` where that is missing.
//!
//! A directive is not simply read up to the next `;`: the statement behind one that lacks its own would be passed over unseen.

use crate::diagnostic::Diagnostic;

use super::context::{Context, Symbol};
use super::lexer::{Lexeme, Token};
use super::parser::{SYNTAX, clip};
use super::statement::Statements;
use super::types::DataType;

/// Words of a declaration that are kept; the rest of a longer one (a large initializer) is passed over.
const MOST_WORDS: usize = 4096;

/// The end of a directive or of a declaration.
const END: &str = "`,` or `;`";

/// Why a directive does not end where it should: what is expected, and the word that stands there; none at the end of the text.
struct Fault {
    expected: &'static str,
    found: Option<Lexeme>,
}

impl Statements<'_> {
    /// The words of a declaration that begins with `first`, its `;` taken but left out. A word that does not belong to it is told.
    pub(super) fn declaration_words(&mut self, first: Lexeme) -> Vec<Lexeme> {
        let mut words = self.emptied_buffer();
        let read = self.specifiers(first, &mut words).and_then(|()| self.declarators(&mut words));
        self.finish(read);
        words
    }

    /// What follows a directive that is no declaration and ends with `;`.
    pub(super) fn list_directive(&mut self, directive: Lexeme) {
        let read = match self.letters(directive) {
            ".pragma" => self.list(Token::Text, "a quoted text"),
            ".callprototype" => self.prototype(),
            _ => self.list(Token::Name, "a name"),
        };
        let read = read.and_then(|()| self.expected(Token::Semicolon, END).map(drop));
        self.finish(read);
    }

    /// What follows a directive that does not exist at this place.
    pub(super) fn unknown_directive(&mut self, directive: Lexeme) {
        let message = format!("`{}` begins no statement here", clip(self.letters(directive)));
        let diagnostic = Diagnostic::error(SYNTAX, directive.start..directive.end, message);
        self.remarks.push(diagnostic.with_label("no directive of this place"));
        self.recover();
    }

    /// Tells of the fault of a directive, if it has one, and passes over what is left of it.
    fn finish(&mut self, read: Result<(), Fault>) {
        if let Err(fault) = read {
            self.tell(fault);
            self.recover();
        }
    }

    /// Tells of a fault.
    fn tell(&mut self, Fault { expected, found }: Fault) {
        let end = self.text.len();
        let (span, letters) = match found {
            Some(word) => (word.start..word.end, format!("`{}`", clip(self.letters(word)))),
            None => (end..end, "the end of the text".to_owned()),
        };
        let diagnostic = Diagnostic::error(SYNTAX, span, format!("expected {expected}, found {letters}"));
        self.remarks.push(diagnostic.with_label(format!("expected {expected}")));
    }

    /// Passes over the rest of a broken directive, but not over a statement that begins with the next word.
    fn recover(&mut self) {
        let Some(word) = self.peek() else { return };
        let begins_statement = match word.token {
            Token::Name | Token::At | Token::BraceOpen | Token::BraceClose => true,
            Token::Dotted => is_directive(self.letters(word)),
            _ => false,
        };
        if !begins_statement {
            let (words, ..) = self.collect(&[], false);
            self.recycle(words);
        }
    }

    /// Takes the next word if it is a `token`, and otherwise finds fault with it.
    fn expected(&mut self, token: Token, expected: &'static str) -> Result<Lexeme, Fault> {
        match self.take(token) {
            Some(word) => Ok(word),
            None => Err(Fault { expected, found: self.peek() }),
        }
    }

    /// Takes the next word if it is a `token`, and adds it to `words`.
    fn added(&mut self, token: Token, words: &mut Vec<Lexeme>) -> bool {
        let word = self.take(token);
        words.extend(word);
        word.is_some()
    }

    /// Everything before the first name of a declaration that `first` begins: space, alignment, attributes, vector length, and
    /// last the type.
    fn specifiers(&mut self, first: Lexeme, words: &mut Vec<Lexeme>) -> Result<(), Fault> {
        let mut word = first;
        let (mut has_space, mut has_vector) = (false, false);
        loop {
            words.push(word);
            match self.letters(word) {
                ".align" => words.push(self.expected(Token::Integer, "a number of bytes")?),
                ".attribute" => self.group(words)?,
                name if is_type(name) => return Ok(()),
                ".v2" | ".v4" | ".v8" => has_vector = true,
                _ => has_space = true,
            }
            let next = self.peek();
            word = match next {
                Some(next) if next.token == Token::Dotted && may_follow(self.letters(next), has_space, has_vector) => {
                    next
                }
                found => return Err(Fault { expected: if has_space { "a type" } else { "a state space" }, found }),
            };
            self.next();
        }
    }

    /// The names of a declaration, with their ranges, lengths and initial values, up to its `;`.
    fn declarators(&mut self, words: &mut Vec<Lexeme>) -> Result<(), Fault> {
        // One of no names declares nothing, and is one.
        if self.take(Token::Semicolon).is_some() {
            return Ok(());
        }
        loop {
            words.push(self.expected(Token::Name, "a name")?);
            if self.added(Token::AngleOpen, words) {
                words.push(self.expected(Token::Integer, "a number of registers")?);
                words.push(self.expected(Token::AngleClose, "`>`")?);
            }
            while self.added(Token::Open, words) {
                // A name is the predefined constant; the length is left out where the initial value gives it.
                if !self.added(Token::Integer, words) {
                    self.added(Token::Name, words);
                }
                words.push(self.expected(Token::Close, "`]`")?);
            }
            if self.added(Token::Equals, words) {
                self.initial_value(words)?;
            }
            if self.take(Token::Semicolon).is_some() {
                return Ok(());
            }
            words.push(self.expected(Token::Comma, END)?);
        }
    }

    /// The value behind `=`: an expression, or a list of them in braces. Only their order is looked at.
    fn initial_value(&mut self, words: &mut Vec<Lexeme>) -> Result<(), Fault> {
        let mut depth = 0_u32;
        let mut is_value_next = true;
        loop {
            let Some(word) = self.peek() else { return Err(Fault { expected: END, found: None }) };
            match word.token {
                Token::BraceOpen if is_value_next => depth += 1,
                // An empty list has no values.
                Token::BraceClose
                    if depth > 0
                        && (!is_value_next || words.last().is_some_and(|last| last.token == Token::BraceOpen)) =>
                {
                    depth -= 1;
                    is_value_next = false;
                }
                Token::ParenOpen => {
                    // A cast stands before its value, the argument of an operator behind it.
                    let begin = words.len();
                    self.group(words)?;
                    is_value_next &= words.get(begin + 1).is_some_and(|inner| inner.token == Token::Dotted);
                    continue;
                }
                Token::Minus | Token::Plus | Token::Not if is_value_next => {}
                Token::Operator if is_value_next && self.letters(word) == "~" => {}
                Token::Integer | Token::Float | Token::Name if is_value_next => is_value_next = false,
                Token::Plus | Token::Minus | Token::Operator | Token::AngleOpen | Token::AngleClose | Token::Colon
                    if !is_value_next =>
                {
                    is_value_next = true;
                }
                Token::Comma | Token::Equals if depth > 0 && !is_value_next => is_value_next = true,
                Token::Comma | Token::Semicolon if depth == 0 && !is_value_next => return Ok(()),
                _ => {
                    let expected = match (is_value_next, depth) {
                        (true, _) => "a value",
                        (false, 0) => END,
                        (false, _) => "`,` or `}`",
                    };
                    if depth > 0 {
                        self.skip_list();
                    }
                    return Err(Fault { expected, found: Some(word) });
                }
            }
            self.next();
            if words.len() < MOST_WORDS {
                words.push(word);
            } else if let Some(last) = words.last_mut() {
                *last = word;
            }
        }
    }

    /// Passes over the rest of a broken list of values, up to the `;` behind it.
    fn skip_list(&mut self) {
        while self.peek().is_some_and(|word| word.token != Token::Semicolon) {
            self.next();
        }
    }

    /// A group in parentheses, with those in it.
    fn group(&mut self, words: &mut Vec<Lexeme>) -> Result<(), Fault> {
        words.push(self.expected(Token::ParenOpen, "`(`")?);
        let mut depth = 1_u32;
        while depth > 0 {
            match self.peek() {
                Some(word) if !matches!(word.token, Token::Semicolon | Token::BraceOpen | Token::BraceClose) => {
                    match word.token {
                        Token::ParenOpen => depth += 1,
                        Token::ParenClose => depth -= 1,
                        _ => {}
                    }
                    words.extend(self.next());
                }
                found => return Err(Fault { expected: "`)`", found }),
            }
        }
        Ok(())
    }

    /// A group in parentheses, where it is next.
    fn group_if_next(&mut self, words: &mut Vec<Lexeme>) -> Result<(), Fault> {
        match self.peek() {
            Some(word) if word.token == Token::ParenOpen => self.group(words),
            _ => Ok(()),
        }
    }

    /// Words of one kind with commas between them.
    fn list(&mut self, token: Token, expected: &'static str) -> Result<(), Fault> {
        loop {
            self.expected(token, expected)?;
            if self.take(Token::Comma).is_none() {
                return Ok(());
            }
        }
    }

    /// What a call through a register passes: `(…) _ (…)` and directives of functions.
    fn prototype(&mut self) -> Result<(), Fault> {
        let mut words = Vec::new();
        self.group_if_next(&mut words)?;
        if self.take(Token::Sink).is_none() {
            self.expected(Token::Name, "`_`")?;
        }
        self.group_if_next(&mut words)?;
        while self.take(Token::Dotted).is_some() {
            self.take(Token::Integer);
        }
        Ok(())
    }

    /// The words of a function that begins with `first`, up to its body; whether a body follows. A `;` ends a prototype, but of
    /// `.func` so does the next directive.
    pub(super) fn header(&mut self, first: Lexeme) -> (Vec<Lexeme>, bool) {
        let mut words = self.emptied_buffer();
        words.push(first);
        let is_kernel = self.letters(first) == ".entry";
        let read = self.header_words(&mut words).and_then(|()| match self.peek() {
            Some(next) if next.token == Token::Semicolon => {
                self.next();
                Ok(())
            }
            Some(next) if next.token == Token::BraceOpen => Ok(()),
            next if !is_kernel && next.is_none_or(|next| next.token == Token::Dotted) => Ok(()),
            found => Err(Fault { expected: "a body in braces, or `;`", found }),
        });
        if let Err(fault) = read {
            self.tell(fault);
            // The body is read nevertheless.
            self.collect(&[], true);
        }
        (words, self.peek().is_some_and(|word| word.token == Token::BraceOpen))
    }

    /// Declares the function whose header `words` are, before what is declared in it.
    pub(super) fn declare_function(&self, words: &[Lexeme], context: &mut Context) {
        let mut depth = 0_u32;
        for word in words {
            match word.token {
                Token::ParenOpen => depth += 1,
                Token::ParenClose => depth = depth.saturating_sub(1),
                Token::Name if depth == 0 => {
                    // A function that has the name of something else is no question of loads and stores.
                    context.declare(self.letters(*word), Symbol::Function);
                    return;
                }
                _ => {}
            }
        }
    }

    /// Name, parameters and directives of a function.
    fn header_words(&mut self, words: &mut Vec<Lexeme>) -> Result<(), Fault> {
        if self.peek().is_some_and(|word| self.letters(word) == ".attribute") {
            self.next();
            self.group(&mut Vec::new())?;
        }
        self.group_if_next(words)?;
        words.push(self.expected(Token::Name, "the name of a function")?);
        self.group_if_next(words)?;
        while let Some(directive) = self.peek().filter(|word| word.token == Token::Dotted) {
            let name = self.letters(directive);
            if is_directive(name) && name != ".pragma" {
                break;
            }
            self.next();
            match self.peek().map(|word| word.token) {
                Some(Token::Integer) => self.list(Token::Integer, "a number")?,
                Some(Token::Text) => self.list(Token::Text, "a quoted text")?,
                _ => {}
            }
            if name == ".pragma" {
                self.expected(Token::Semicolon, END)?;
            }
        }
        Ok(())
    }
}

/// Whether `name` is a state space of variables or registers.
fn is_space(name: &str) -> bool {
    matches!(name, ".reg" | ".global" | ".const" | ".shared" | ".local" | ".param" | ".tex")
}

/// Whether `name` is a type that a declaration may be meant to have; not all of them are those of variables.
fn is_type(name: &str) -> bool {
    matches!(name, ".texref" | ".samplerref" | ".surfref") || DataType::parse(&name[1..]).is_some()
}

/// Whether `name` may stand in a declaration behind what is no type.
fn may_follow(name: &str, has_space: bool, has_vector: bool) -> bool {
    match name {
        ".align" | ".attribute" => true,
        ".v2" | ".v4" | ".v8" => !has_vector,
        _ if is_space(name) => !has_space,
        _ => has_space && is_type(name),
    }
}

/// Whether a declaration begins with `name`.
pub(super) fn begins_declaration(name: &str) -> bool {
    is_space(name) || matches!(name, ".align" | ".attribute")
}

/// Whether `name` is a directive that stands alone, and does not belong to one before it.
fn is_directive(name: &str) -> bool {
    is_space(name)
        || matches!(
            name,
            ".version"
                | ".target"
                | ".address_size"
                | ".file"
                | ".section"
                | ".loc"
                | ".loc_intermediate"
                | ".visible"
                | ".extern"
                | ".weak"
                | ".common"
                | ".entry"
                | ".func"
                | ".alias"
                | ".pragma"
                | ".branchtargets"
                | ".calltargets"
                | ".callprototype"
        )
}
