//! Rendering of a diagnostic with file, line, column and carets.

use std::fmt;

use miette::{
    GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan,
    SpanContents,
};

use super::{Diagnostic, Severity};

/// Bytes of a line that are shown on either side of the guilty place.
const WINDOW: usize = 96;

/// A diagnostic together with the source that it is about.
pub struct Report<'a> {
    diagnostic: &'a Diagnostic,
    excerpt: Excerpt,
}

impl<'a> Report<'a> {
    /// Joins `diagnostic` to the text `source` of the file called `name`.
    pub fn new(diagnostic: &'a Diagnostic, name: &str, source: &str) -> Self {
        Self { diagnostic, excerpt: Excerpt::new(name, source, diagnostic.span.start, diagnostic.span.end) }
    }
}

impl fmt::Debug for Report<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.diagnostic, formatter)
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.diagnostic, formatter)
    }
}

impl std::error::Error for Report<'_> {}

impl miette::Diagnostic for Report<'_> {
    fn code<'b>(&'b self) -> Option<Box<dyn fmt::Display + 'b>> {
        Some(Box::new(self.diagnostic.rule))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.diagnostic.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
        })
    }

    fn help<'b>(&'b self) -> Option<Box<dyn fmt::Display + 'b>> {
        self.diagnostic.help.as_deref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.excerpt)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let label = (!self.diagnostic.label.is_empty()).then(|| self.diagnostic.label.clone());
        let (start, end) = self.excerpt.caret;
        Some(Box::new(std::iter::once(LabeledSpan::new(label, start, end - start))))
    }
}

/// The part of one source line that is shown, and where it stands in the file.
#[derive(Clone, Debug)]
pub struct Excerpt {
    name: String,
    text: String,
    line: usize,
    column: usize,
    caret: (usize, usize),
}

impl Excerpt {
    /// Cuts a window around the bytes `start..end` out of their line of `source`, the text of the file called `name`; places beyond the
    /// end show the last line.
    pub fn new(name: &str, source: &str, start: usize, end: usize) -> Self {
        let start = floor_boundary(source, start);
        let bytes = source.as_bytes();
        let line_start = bytes[..start].iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
        let line = bytes[..line_start].iter().filter(|byte| **byte == b'\n').count();
        let first = floor_boundary(source, line_start.max(start.saturating_sub(WINDOW)));
        let limit = floor_boundary(source, start.saturating_add(2 * WINDOW));
        let last = bytes[start..limit].iter().position(|byte| *byte == b'\n').map_or(limit, |newline| start + newline);
        let end = floor_boundary(source, end).clamp(start, last);
        let text = source[first..last].chars().map(printable).collect::<String>();
        let shown = |offset: usize| source[first..offset].chars().map(|letter| printable(letter).len_utf8()).sum();
        let column = source[line_start..start].chars().count();
        Self { name: name.to_owned(), text, line, column, caret: (shown(start), shown(end)) }
    }

    /// The bytes of the excerpt that are meant.
    pub fn caret(&self) -> std::ops::Range<usize> {
        self.caret.0..self.caret.1
    }
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        _span: &SourceSpan,
        _lines_before: usize,
        _lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let whole = SourceSpan::from((0, self.text.len()));
        let contents =
            MietteSpanContents::new_named(self.name.clone(), self.text.as_bytes(), whole, self.line, self.column, 1);
        Ok(Box::new(contents))
    }
}

/// The last character boundary of `text` at or before `offset`.
fn floor_boundary(text: &str, offset: usize) -> usize {
    let mut boundary = offset.min(text.len());
    while !text.is_char_boundary(boundary) {
        boundary -= 1;
    }
    boundary
}

/// Replaces characters that would disturb a terminal; a tab becomes a space so that carets stay in place.
fn printable(letter: char) -> char {
    match letter {
        '\t' => ' ',
        letter if letter.is_control() => '\u{fffd}',
        letter => letter,
    }
}

/// Renders `diagnostic` about `source`, the text of the file called `name`; with `colour`, terminal colours are used.
pub fn render(diagnostic: &Diagnostic, name: &str, source: &str, colour: bool) -> String {
    let theme = if colour { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme).with_width(120).with_links(false);
    let mut text = String::new();
    match handler.render_report(&mut text, &Report::new(diagnostic, name, source)) {
        Ok(()) => text,
        // Writing to a string cannot fail; should the renderer give up all the same, the sentence itself remains.
        Err(fmt::Error) => diagnostic.message.clone(),
    }
}
