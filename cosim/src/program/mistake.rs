//! What is wrong with a program file: one message with file, line, column and what to do.

use std::ops::Range;

use lsu_model::diagnostic::Excerpt;
use miette::{Diagnostic, LabeledSpan, NamedSource, SourceCode};

/// Longest line of a file that is shown whole, in bytes.
const LONGEST_LINE: usize = 400;

/// One mistake at a place of the file's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// Bytes of the file that are meant.
    pub span: Range<usize>,
    /// One sentence that says what is wrong.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
    /// The file is readable, but one of its instructions is refused as illegal.
    pub is_illegal_instruction: bool,
}

impl Mistake {
    /// A mistake in the bytes `span`.
    pub fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), help: None, is_illegal_instruction: false }
    }

    /// The same mistake with advice.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// What a message shows of a file.
#[derive(Clone, Debug)]
pub enum Shown {
    /// The guilty lines and their neighbours.
    Lines(NamedSource<String>),
    /// A part of the guilty line, because a line is too long.
    Excerpt(Excerpt),
}

impl Shown {
    /// What is shown of the file `name` for a mistake in the bytes `span` of `text`, which begin between two characters.
    fn new(name: &str, text: &str, span: &Range<usize>) -> Self {
        let begin = text[..span.start].rmatch_indices('\n').nth(1).map_or(0, |(newline, _)| newline + 1);
        let end = text[span.end..].match_indices('\n').nth(1).map_or(text.len(), |(newline, _)| span.end + newline);
        if text[begin..end].lines().any(|line| line.len() > LONGEST_LINE) {
            Self::Excerpt(Excerpt::new(name, text, span.start, span.end))
        } else {
            Self::Lines(NamedSource::new(name, text.to_owned()).with_language("TOML"))
        }
    }
}

/// A program file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// The file cannot be opened or is not text.
    #[error("{file}: {reason}")]
    Unreadable {
        /// Its name.
        file: String,
        /// What the system says.
        reason: String,
    },
    /// The file says something that cannot be meant.
    #[error("{}", .mistake.message)]
    Wrong {
        /// The file's name and text, as far as it is shown.
        source_text: Box<Shown>,
        /// What is wrong where.
        mistake: Box<Mistake>,
    },
}

impl ProgramError {
    /// `mistake` in the file `name`, whose text is `text`.
    pub fn wrong(name: &str, text: &str, mut mistake: Mistake) -> Self {
        // A span that ends beyond the text, or begins or ends inside a character, cannot be shown.
        let mut end = mistake.span.end.min(text.len());
        while !text.is_char_boundary(end) {
            end += 1;
        }
        let mut start = mistake.span.start.min(end);
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        mistake.span = start..end;
        Self::Wrong { source_text: Box::new(Shown::new(name, text, &mistake.span)), mistake: Box::new(mistake) }
    }

    /// Whether the only fault is an instruction that is refused as illegal.
    pub fn is_illegal_instruction(&self) -> bool {
        matches!(self, Self::Wrong { mistake, .. } if mistake.is_illegal_instruction)
    }
}

impl Diagnostic for ProgramError {
    fn help<'a>(&'a self) -> Option<Box<dyn std::fmt::Display + 'a>> {
        match self {
            Self::Unreadable { .. } => None,
            Self::Wrong { mistake, .. } => mistake.help.as_ref().map(|help| Box::new(help) as _),
        }
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        match self {
            Self::Unreadable { .. } => None,
            Self::Wrong { source_text, mistake } => {
                let span = match source_text.as_ref() {
                    Shown::Lines(_) => mistake.span.clone(),
                    Shown::Excerpt(excerpt) => excerpt.caret(),
                };
                let label = LabeledSpan::new_with_span(Some("here".to_owned()), span);
                Some(Box::new(std::iter::once(label)))
            }
        }
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        match self {
            Self::Unreadable { .. } => None,
            Self::Wrong { source_text, .. } => match source_text.as_ref() {
                Shown::Lines(lines) => Some(lines),
                Shown::Excerpt(excerpt) => Some(excerpt),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The message about the bytes `span` of `text`.
    fn said(text: &str, span: Range<usize>) -> String {
        format!("{:?}", miette::Report::new(ProgramError::wrong("a.toml", text, Mistake::new(span, "is wrong"))))
    }

    #[test]
    fn a_long_line_is_not_echoed_whole() {
        let long = format!("seed = 1\nwords = [{}]\nsms = 1\n", "1, ".repeat(33_000));
        for at in [0..4, 9..14, 50_000..50_001, 9..long.len(), long.len()..long.len()] {
            let message = said(&long, at.clone());
            assert!(message.len() < 2_000, "{at:?}: {} bytes", message.len());
            assert!(message.contains("is wrong"), "{message}");
        }
        assert!(said(&long, 50_000..50_001).contains("a.toml:2:49992"), "{}", said(&long, 50_000..50_001));
        let short = said("seed = 1\nsms = 0\nmode = 3\n", 15..16);
        assert!(short.contains("seed = 1") && short.contains("mode = 3") && short.contains("a.toml:2:7"), "{short}");
        assert!(said("é = 1", 1..1).contains("a.toml:1:1"));
    }
}
