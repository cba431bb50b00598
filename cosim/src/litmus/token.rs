//! The words, numbers and signs of a litmus file, from its init block on.

use std::ops::Range;

use crate::program::Mistake;

/// What a piece of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name or a mnemonic with its modifiers.
    Word,
    /// A number without its sign.
    Number(u64),
    /// Punctuation.
    Sign,
}

/// A piece of text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    /// What it is.
    pub kind: Kind,
    /// As it stands in the file.
    pub text: &'t str,
    /// Where it begins.
    pub begin: usize,
}

impl Token<'_> {
    /// Its place in the file.
    pub fn span(&self) -> Range<usize> {
        self.begin..self.begin + self.text.len()
    }

    /// Whether it is this word or sign.
    pub fn is(&self, text: &str) -> bool {
        self.text == text
    }
}

/// Signs, the longer ones first.
const SIGNS: [&str; 25] = [
    "/\\", "\\/", "&&", "==", "!=", "<=", ">=", "{", "}", "(", ")", "[", "]", ";", ":", ",", "|", "@", "=", "<", ">",
    "~", "&", "-", "+",
];

/// The tokens of `text` from the byte `begin` on. Blanks, comments and quoted descriptions are left out.
pub(super) fn tokens(text: &str, begin: usize) -> Result<Vec<Token<'_>>, Mistake> {
    let mut tokens = Vec::new();
    let mut place = begin;
    while let Some(first) = text[place..].chars().next() {
        let rest = &text[place..];
        if first.is_whitespace() {
            place += first.len_utf8();
        } else if let Some(length) = skipped(rest) {
            place += length.map_err(|what| Mistake::new(place..place + 1, format!("this {what} has no end")))?;
        } else {
            let token = token(rest, place)?;
            place += token.text.len();
            tokens.push(token);
        }
    }
    Ok(tokens)
}

/// How long the comment or description is with which `text` begins; `None` if it begins with neither.
pub(super) fn skipped(text: &str) -> Option<Result<usize, &'static str>> {
    let until = |end: &str, what, from: usize| text[from..].find(end).map(|at| from + at + end.len()).ok_or(what);
    if text.starts_with("(*") {
        Some(until("*)", "comment", 2))
    } else if text.starts_with("//") {
        Some(Ok(text.find('\n').unwrap_or(text.len())))
    } else if text.starts_with('"') {
        Some(until("\"", "description", 1))
    } else {
        None
    }
}

/// The token with which `text` begins.
fn token(text: &str, begin: usize) -> Result<Token<'_>, Mistake> {
    let end_of = |is_part: fn(char) -> bool| text.find(|letter| !is_part(letter)).unwrap_or(text.len());
    let of = |kind, length: usize| Token { kind, text: &text[..length], begin };
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.' | '%' | '$');
    if text.starts_with(|letter: char| letter.is_ascii_digit()) {
        let token = of(Kind::Number(0), end_of(|letter| letter.is_ascii_alphanumeric()));
        return match number(token.text) {
            Some(number) => Ok(Token { kind: Kind::Number(number), ..token }),
            None => Err(Mistake::new(token.span(), format!("{:?} is no number of at most 64 bits", token.text))
                .with_help("write it in decimal, or in hexadecimal with 0x")),
        };
    }
    if text.starts_with(is_part) {
        return Ok(of(Kind::Word, end_of(is_part)));
    }
    match SIGNS.iter().find(|sign| text.starts_with(**sign)) {
        Some(sign) => Ok(of(Kind::Sign, sign.len())),
        None => {
            let first = text.chars().next().map_or(0, char::len_utf8);
            Err(Mistake::new(begin..begin + first, format!("{:?} means nothing here", &text[..first])))
        }
    }
}

fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// Tokens that are taken one after the other.
#[derive(Clone, Debug)]
pub(super) struct Tokens<'t> {
    tokens: Vec<Token<'t>>,
    next: usize,
    /// Where the text ends, for what is missing there.
    end: usize,
}

impl<'t> Tokens<'t> {
    /// All of `tokens`, behind which the text goes on at `end`.
    pub fn new(tokens: Vec<Token<'t>>, end: usize) -> Self {
        Self { tokens, next: 0, end }
    }

    /// The next one, which stays.
    pub fn peek(&self) -> Option<Token<'t>> {
        self.tokens.get(self.next).copied()
    }

    /// The one behind the next, which stays.
    pub fn second(&self) -> Option<Token<'t>> {
        self.tokens.get(self.next + 1).copied()
    }

    /// Takes the next one.
    pub fn take(&mut self) -> Option<Token<'t>> {
        let token = self.peek();
        self.next += usize::from(token.is_some());
        token
    }

    /// Takes the next one if it is this word or sign.
    pub fn take_if(&mut self, text: &str) -> bool {
        let is_it = self.peek().is_some_and(|token| token.is(text));
        self.next += usize::from(is_it);
        is_it
    }

    /// The place of the next one, or of the text's end.
    pub fn place(&self) -> Range<usize> {
        self.peek().map_or(self.end..self.end, |token| token.span())
    }

    /// A mistake about the next one, where `wanted` should stand.
    pub fn wants(&self, wanted: &str) -> Mistake {
        match self.peek() {
            Some(token) => Mistake::new(token.span(), format!("{wanted} should stand here, not {:?}", token.text)),
            None => Mistake::new(self.end..self.end, format!("{wanted} is missing here")),
        }
    }

    /// Takes `sign`, which must come next.
    pub fn expect(&mut self, sign: &str) -> Result<(), Mistake> {
        if self.take_if(sign) { Ok(()) } else { Err(self.wants(&format!("{sign:?}"))) }
    }

    /// Takes a word; `wanted` says which.
    pub fn word(&mut self, wanted: &str) -> Result<Token<'t>, Mistake> {
        match self.peek() {
            Some(token) if token.kind == Kind::Word => {
                self.next += 1;
                Ok(token)
            }
            _ => Err(self.wants(wanted)),
        }
    }

    /// Takes a number, perhaps with a minus.
    pub fn number(&mut self, wanted: &str) -> Result<i128, Mistake> {
        let is_negative = self.peek().is_some_and(|token| token.is("-"));
        let number = if is_negative { self.second() } else { self.peek() };
        match number {
            Some(Token { kind: Kind::Number(number), .. }) => {
                self.next += 1 + usize::from(is_negative);
                Ok(if is_negative { -i128::from(number) } else { i128::from(number) })
            }
            _ => Err(self.wants(wanted)),
        }
    }

    /// The place of the number that comes next, its minus included.
    pub fn number_place(&self) -> Range<usize> {
        let place = self.place();
        match self.second() {
            Some(number) if self.peek().is_some_and(|token| token.is("-")) => place.start..number.span().end,
            _ => place,
        }
    }

    /// Whether a number comes next.
    pub fn is_number(&self) -> bool {
        let is_number = |token: Option<Token<'_>>| token.is_some_and(|token| matches!(token.kind, Kind::Number(_)));
        is_number(self.peek()) || self.peek().is_some_and(|token| token.is("-")) && is_number(self.second())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        tokens(text, 0).expect("right").iter().map(|token| token.text).collect()
    }

    #[test]
    fn comments_and_descriptions_are_left_out() {
        assert_eq!(
            texts("x=0; (* a * b *) \"one\ntwo\" P0:r0=-0x1f // end"),
            ["x", "=", "0", ";", "P0", ":", "r0", "=", "-", "0x1f"]
        );
        for endless in ["(* a", "\"a"] {
            assert!(tokens(endless, 0).is_err());
        }
    }

    #[test]
    fn what_means_nothing_is_named() {
        for (text, span) in [("x = é", 4..6), ("x = 12ab", 4..8), ("18446744073709551616", 0..20)] {
            assert_eq!(tokens(text, 0).expect_err(text).span, span);
        }
    }
}
