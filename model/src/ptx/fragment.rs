//! A piece of a function body: one instruction, or several with their declarations.

use crate::diagnostic::Diagnostic;

use super::context::Context;
use super::statement::{Judged, Others, Statements};
use super::verdict::{Dialect, Verdict};
use super::version::{Target, Version};

/// Judges every instruction of `text` as a piece of a function body among the declarations of `context`. Instructions
/// other than loads and stores are refused, but for `createpolicy`, which cache hints need.
///
/// The last element stands for the text itself where that cannot be read as statements or holds no instruction.
pub fn judge_fragment(
    text: &str,
    version: Version,
    target: Target,
    context: &mut Context,
    dialect: Dialect,
) -> Vec<Judged> {
    let mut statements = Statements::new(text, version, target, dialect, Others::Judge);
    let mut judged = Vec::new();
    let outside = context.depth();
    context.open();
    let has_stray_brace = statements.body(context, &mut |one| judged.push(one));
    let has_open_block = !has_stray_brace && context.depth() > outside + 1;
    while context.depth() > outside {
        context.close();
    }
    let mut remarks = std::mem::take(&mut statements.remarks);
    let mut remark = |message| remarks.push(Diagnostic::error("syntax", text.len()..text.len(), message));
    if has_stray_brace {
        remark("a `}` closes no block");
    }
    if has_open_block {
        remark("a block has no `}`");
    }
    if judged.is_empty() && remarks.is_empty() {
        remarks.push(Diagnostic::error("syntax", 0..text.len(), "there is no instruction"));
    }
    if !remarks.is_empty() {
        let verdict = Verdict { errors: remarks, warnings: Vec::new() };
        judged.push(Judged::without_instruction(0..text.len(), verdict));
    }
    judged
}
