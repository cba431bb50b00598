//! What the front end says about an input: a message with its place, its rule and what to write instead.
//!
//! A [`Diagnostic`] knows byte offsets only. [`Report`] adds the file and renders in the style of rustc; it never shows
//! more than a bounded window of a line, so that a line of a hundred megabytes costs no more than a short one.

mod report;

pub use report::{Excerpt, Report, render};

use std::ops::Range;

/// How serious a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The input is refused.
    Error,
    /// The input is accepted, with a remark.
    Warning,
}

/// One remark about a piece of source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// Short identifier of the rule that decides, such as `scope-missing` or `LDC-11`.
    pub rule: &'static str,
    /// One sentence that says what is wrong.
    pub message: String,
    /// Bytes of the source that the message is about.
    pub span: Range<usize>,
    /// Text beside the caret; may be empty.
    pub label: String,
    /// What to write instead, or what would allow it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error of rule `rule` about the bytes `span`.
    pub fn error(rule: &'static str, span: Range<usize>, message: impl Into<String>) -> Self {
        Self { severity: Severity::Error, rule, message: message.into(), span, label: String::new(), help: None }
    }

    /// A warning of rule `rule` about the bytes `span`.
    pub fn warning(rule: &'static str, span: Range<usize>, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(rule, span, message) }
    }

    /// The same diagnostic with a text beside the caret.
    #[must_use]
    pub fn with_label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// The same diagnostic with advice.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same diagnostic about a text that begins `offset` bytes further on.
    #[must_use]
    pub fn shifted(mut self, offset: usize) -> Self {
        self.span = self.span.start + offset..self.span.end + offset;
        self
    }

    /// Whether the input is refused because of this.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Line and column of the byte `offset` of `text`, both counted from 1; columns count characters.
pub fn line_column(text: &str, offset: usize) -> (usize, usize) {
    let before = &text.as_bytes()[..offset.min(text.len())];
    let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
    let line = before[..line_start].iter().filter(|byte| **byte == b'\n').count() + 1;
    let column = String::from_utf8_lossy(&before[line_start..]).chars().count() + 1;
    (line, column)
}

impl std::fmt::Display for Diagnostic {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Diagnostic {}
