//! What is wrong with a program file: one message with file, line, column and what to do.

use std::ops::Range;

use miette::{Diagnostic, LabeledSpan, NamedSource, SourceCode};

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
        /// The file's name and text.
        source_text: Box<NamedSource<String>>,
        /// What is wrong where.
        mistake: Box<Mistake>,
    },
}

impl ProgramError {
    /// `mistake` in the file `name`, whose text is `text`.
    pub fn wrong(name: &str, text: &str, mut mistake: Mistake) -> Self {
        // A span that ends beyond the text, or begins inside a character, cannot be shown.
        let end = mistake.span.end.min(text.len());
        let mut start = mistake.span.start.min(end);
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        mistake.span = start..end;
        Self::Wrong {
            source_text: Box::new(NamedSource::new(name, text.to_owned()).with_language("TOML")),
            mistake: Box::new(mistake),
        }
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
            Self::Wrong { mistake, .. } => {
                let label = LabeledSpan::new_with_span(Some("here".to_owned()), mistake.span.clone());
                Some(Box::new(std::iter::once(label)))
            }
        }
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        match self {
            Self::Unreadable { .. } => None,
            Self::Wrong { source_text, .. } => Some(source_text.as_ref()),
        }
    }
}
