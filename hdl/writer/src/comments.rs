//! Puts a kernel's comments and paragraphs, which rust-hdl's syntax tree does not hold, back into it from the Rust source.
//!
//! The tree has one statement for each statement of the source, so both are walked in step.

use std::collections::VecDeque;

use rust_hdl::prelude::ast::{VerilogBlock, VerilogBlockOrConditional, VerilogStatement as Tree};
use syn::spanned::Spanned;
use syn::{Expr, Stmt};

use super::Refusal;

/// A comment, or a line without anything, between or behind statements.
struct Note {
    first: usize,
    last: usize,
    /// Without the slashes; empty for an empty line.
    text: String,
}

/// The kernel `tree` with comments in front of the statements that they are about. At its outermost level an empty comment
/// stands for an empty line. `source` is the text of the file that holds `kernel`.
pub(crate) fn restored(
    path: &str,
    tree: &VerilogBlock,
    kernel: &syn::ImplItemFn,
    source: &str,
) -> Result<VerilogBlock, Refusal> {
    let last = end(&kernel.block);
    let mut notes = notes(source, kernel.block.brace_token.span.open().start().line, last);
    let mut walk = Walk { notes: &mut notes, depth: 0 };
    walk.block(tree, &kernel.block.stmts, last)
        .ok_or_else(|| Refusal::new(path, "", "the registered source holds another kernel than the description"))
}

struct Walk<'a> {
    notes: &'a mut VecDeque<Note>,
    depth: usize,
}

impl Walk<'_> {
    /// The notes that begin before a line, in order.
    fn take(&mut self, line: usize) -> Vec<Tree> {
        let mut taken = vec![];
        while self.notes.front().is_some_and(|note| note.first < line) {
            taken.extend(self.notes.pop_front());
        }
        let is_kept = |note: &Note| self.depth == 1 || !note.text.is_empty();
        taken.into_iter().filter(is_kept).map(|note| Tree::Comment(note.text)).collect()
    }

    /// The statements of a block that ends in line `end`; `None` if they are not those of the source.
    fn block(&mut self, tree: &VerilogBlock, written: &[Stmt], end: usize) -> Option<VerilogBlock> {
        if tree.len() != written.len() {
            return None;
        }
        self.depth += 1;
        let mut result: VerilogBlock = vec![];
        let mut last = 0;
        for (statement, written) in tree.iter().zip(written) {
            let Stmt::Expr(expression, _) = written else {
                // A macro in the place of a statement.
                result.extend(self.take(written.span().start().line));
                last = result.len();
                result.push(statement.clone());
                continue;
            };
            let (start, stop) = lines(expression);
            result.extend(self.take(start));
            let inner = self.statement(statement, expression)?;
            // What stands inside or behind a statement is about it.
            result.extend(self.take(stop + 1));
            last = result.len();
            result.push(inner);
        }
        let trailing = self.take(end);
        self.depth -= 1;
        let last = last.min(result.len());
        result.splice(last..last, trailing);
        Some(result)
    }

    fn nested(&mut self, tree: &VerilogBlock, written: &syn::Block) -> Option<VerilogBlock> {
        self.block(tree, &written.stmts, end(written))
    }

    fn statement(&mut self, tree: &Tree, written: &Expr) -> Option<Tree> {
        Some(match (tree, written) {
            (Tree::If(conditional), Expr::If(written)) => {
                let mut result = conditional.clone();
                result.then = self.nested(&conditional.then, &written.then_branch)?;
                result.otherwise =
                    match (&conditional.otherwise, written.else_branch.as_ref().map(|(_, other)| &**other)) {
                        (VerilogBlockOrConditional::Block(tree), Some(Expr::Block(written))) => {
                            VerilogBlockOrConditional::Block(self.nested(tree, &written.block)?)
                        }
                        (VerilogBlockOrConditional::Conditional(tree), Some(written)) => {
                            VerilogBlockOrConditional::Conditional(Box::new(self.statement(tree, written)?))
                        }
                        (VerilogBlockOrConditional::None, None) => VerilogBlockOrConditional::None,
                        _ => return None,
                    };
                Tree::If(result)
            }
            (Tree::Match(matched), Expr::Match(written)) => {
                let mut result = matched.clone();
                for (case, arm) in result.cases.iter_mut().zip(&written.arms) {
                    case.block = match &*arm.body {
                        Expr::Block(body) => self.nested(&case.block, &body.block)?,
                        _ => case.block.clone(),
                    };
                }
                Tree::Match(result)
            }
            (Tree::Loop(rolled), Expr::ForLoop(written)) => {
                let mut result = rolled.clone();
                result.block = self.nested(&rolled.block, &written.body)?;
                Tree::Loop(result)
            }
            (Tree::If(_) | Tree::Match(_) | Tree::Loop(_), _) => return None,
            (other, _) => other.clone(),
        })
    }
}

/// First and last line. What has blocks is asked for its ends alone: a span is made of all that it holds, at each level once more.
fn lines(written: &Expr) -> (usize, usize) {
    match written {
        Expr::If(found) => {
            let stop = found.else_branch.as_ref().map_or(end(&found.then_branch), |(_, other)| lines(other).1);
            (found.if_token.span.start().line, stop)
        }
        Expr::Block(found) => (found.block.brace_token.span.open().start().line, end(&found.block)),
        Expr::ForLoop(found) => (found.for_token.span.start().line, end(&found.body)),
        Expr::Match(found) => (found.match_token.span.start().line, found.brace_token.span.close().end().line),
        _ => {
            let span = written.span();
            (span.start().line, span.end().line)
        }
    }
}

/// The line of a block's closing brace.
fn end(block: &syn::Block) -> usize {
    block.brace_token.span.close().end().line
}

/// The comments and empty lines from line `first` to line `last`. Lines that hold nothing but a comment, one below the other,
/// are one comment.
fn notes(source: &str, first: usize, last: usize) -> VecDeque<Note> {
    let mut notes: VecDeque<Note> = VecDeque::new();
    let mut goes_on = false;
    for (place, line) in source.lines().enumerate().take(last).skip(first.saturating_sub(1)) {
        let (number, code) = (place + 1, line.trim());
        let Some(text) = comment(code) else {
            goes_on = false;
            if code.is_empty() {
                notes.push_back(Note { first: number, last: number, text: String::new() });
            }
            continue;
        };
        let is_alone = code.starts_with("//");
        match notes.back_mut() {
            Some(note) if is_alone && goes_on => {
                note.last = number;
                note.text = format!("{} {text}", note.text);
            }
            _ => notes.push_back(Note { first: number, last: number, text: text.to_string() }),
        }
        goes_on = is_alone;
    }
    // An empty line in front of a comment says nothing that the comment does not.
    let follows = |note: &Note, next: &Note| next.first == note.last + 1 && !next.text.is_empty();
    let spare: Vec<_> = (0..notes.len())
        .filter(|place| notes[*place].text.is_empty())
        .filter(|place| notes.get(place + 1).is_some_and(|next| follows(&notes[*place], next)))
        .collect();
    spare.into_iter().rev().for_each(|place| {
        notes.remove(place);
    });
    notes
}

/// What a line says behind `//`, if that is not inside a string.
fn comment(code: &str) -> Option<&str> {
    let place = code
        .match_indices("//")
        .map(|(place, _)| place)
        .find(|place| code[..*place].matches('"').count().is_multiple_of(2))?;
    Some(code[place + 2..].trim())
}
