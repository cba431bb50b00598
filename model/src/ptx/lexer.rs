//! Words of PTX text.

use logos::{Lexer, Logos};

/// One kind of word.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\x0b\x0c]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
// The line of a file that a preprocessor read; the assembler takes no other line with `#`.
#[logos(skip r#"#[ \t]*(line[ \t]*)?[0-9]+[ \t]+"[^"\n]*"([ \t]+[0-9]+)*[ \t\r\x0c]*\n"#)]
pub(super) enum Token {
    /// A name: letters, digits, `_`, `$`, beginning with a letter or with `_`, `$` or `%`.
    #[regex(r"[A-Za-z][A-Za-z0-9_$]*|[_$%][A-Za-z0-9_$]+")]
    Name,
    /// The sink `_`.
    #[token("_")]
    Sink,
    /// A directive, type or modifier: a dot and a name, with `::` parts.
    #[regex(r"\.[A-Za-z_][A-Za-z0-9_$]*(::[A-Za-z0-9_]+)*")]
    Dotted,
    /// An integer, with its optional `U`.
    #[regex(r"0[xX][0-9a-fA-F]+U?|0[bB][01]+U?|[0-9]+U?")]
    Integer,
    /// A floating-point number, decimal or by its bits.
    #[regex(
        r"([0-9]+\.[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}"
    )]
    Float,
    /// A quoted text.
    #[regex(r#""[^"\n]*""#)]
    Text,
    #[token("[")]
    Open,
    #[token("]")]
    Close,
    #[token("{")]
    BraceOpen,
    #[token("}")]
    BraceClose,
    #[token("(")]
    ParenOpen,
    #[token(")")]
    ParenClose,
    #[token("<")]
    AngleOpen,
    #[token(">")]
    AngleClose,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token(":")]
    Colon,
    #[token(".")]
    Dot,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("@")]
    At,
    #[token("!")]
    Not,
    #[token("=")]
    Equals,
    /// Other operators of constant expressions.
    #[regex(r"\*|/|%|~|\||\|\||&|&&|\^|\?|<<|>>|<=|>=|==|!=")]
    Operator,
    /// A comment in `/* */`.
    #[token("/*", skip_comment)]
    Comment,
    /// Letters that begin no word of PTX.
    Unknown,
}

/// Moves past a block comment; one without an end is no word.
fn skip_comment(lexer: &mut Lexer<'_, Token>) -> logos::FilterResult<(), ()> {
    match lexer.remainder().find("*/") {
        Some(length) => {
            lexer.bump(length + 2);
            logos::FilterResult::Skip
        }
        None => {
            lexer.bump(lexer.remainder().len());
            logos::FilterResult::Error(())
        }
    }
}

/// One word and where it stands, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lexeme {
    /// The kind of word.
    pub token: Token,
    /// Offset of its first byte.
    pub start: usize,
    /// Offset behind its last byte.
    pub end: usize,
}

/// The words of a text, one after the other.
pub(super) struct Words<'a> {
    lexer: Lexer<'a, Token>,
}

impl<'a> Words<'a> {
    /// The words of `text`.
    pub fn new(text: &'a str) -> Self {
        Self { lexer: Token::lexer(text) }
    }
}

impl Iterator for Words<'_> {
    type Item = Lexeme;

    fn next(&mut self) -> Option<Lexeme> {
        let token = self.lexer.next()?.unwrap_or(Token::Unknown);
        let span = self.lexer.span();
        Some(Lexeme { token, start: span.start, end: span.end })
    }
}
