//! Single values of a file.

use std::ops::Range;

use toml::Spanned;

use crate::program::Mistake;

pub(super) fn within(value: &Spanned<i64>, range: std::ops::RangeInclusive<i64>, name: &str) -> Result<i64, Mistake> {
    if range.contains(value.get_ref()) {
        return Ok(*value.get_ref());
    }
    let message = format!("{name} is {}; it can be {} to {}", value.get_ref(), range.start(), range.end());
    Err(Mistake::new(value.span(), message))
}

/// The message for a name that no `what` has; `help` says which there are.
pub(super) fn unknown(what: &str, name: &Spanned<String>, help: impl Into<String>) -> Mistake {
    Mistake::new(name.span(), format!("there is no {what} {:?}", name.get_ref())).with_help(help)
}

/// The message for an integer in the bytes `span` of `text` that TOML's integers cannot hold, if there is one.
pub(super) fn too_large_for_toml(text: &str, span: &Range<usize>) -> Option<Mistake> {
    let part = text.get(span.clone())?;
    let mut offset = 0;
    for (index, piece) in part.split(['"', '\'']).enumerate() {
        // Every other piece stands between quotes.
        if index % 2 == 0 {
            let is_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
            for word in piece.split(|character| !is_word(character)) {
                if let Some(value) = unsigned(word)
                    && value > i64::MAX as u128
                {
                    let start = span.start + offset + (word.as_ptr() as usize - piece.as_ptr() as usize);
                    let message = format!("{word} is above 2^63 - 1, the largest integer that TOML has");
                    return Some(Mistake::new(start..start + word.len(), message).with_help(format!(
                        "write it in quotes, \"{word}\", where it is the value of a register; policy and seed take the \
                         negative number of the same bits"
                    )));
                }
            }
        }
        offset += piece.len() + 1;
    }
    None
}

/// The value of an unsigned TOML integer.
pub(super) fn unsigned(word: &str) -> Option<u128> {
    let digits = word.replace('_', "");
    let (radix, digits) = match digits.get(..2) {
        Some("0x") => (16, &digits[2..]),
        Some("0o") => (8, &digits[2..]),
        Some("0b") => (2, &digits[2..]),
        _ => (10, digits.as_str()),
    };
    u128::from_str_radix(digits, radix).ok()
}
