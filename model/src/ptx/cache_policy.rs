//! `createpolicy`, which makes the policies that cache hints need.

use crate::diagnostic::{Diagnostic, Severity};

use super::context::{Context, Symbol};
use super::instruction::{At, Immediate, Source};
use super::lexer::Token;
use super::number;
use super::parser::Cursor;
use super::rules;
use super::verdict::{Dialect, Verdict};
use super::version::{Gate, Target, Version};

/// Asks whether `operand` may be a policy: a number, or a register of 64 bits, alone, a component of one, or with a constant added.
///
/// # Errors
/// It is none, or nothing declares it.
pub(super) fn holds_policy(operand: &At<Source>, context: &Context) -> Result<(), Diagnostic> {
    let is_policy = match &operand.value {
        Source::Register { name, .. } | Source::Sum { name, .. } => match context.look_up(name) {
            None => return Err(rules::unknown(name, operand.span.clone())),
            Some(Symbol::Register { data_type, vector }) => {
                let is_one = match &operand.value {
                    Source::Register { part: Some(part), .. } => vector > 1 && part.component().is_some(),
                    Source::Register { .. } => vector == 1 && context.special(name).is_none(),
                    _ => vector == 1,
                };
                is_one && data_type.is_integral() && data_type.bits == 64
            }
            Some(_) => false,
        },
        Source::Immediate(immediate) => matches!(immediate, Immediate::Integer(_)),
        Source::Sink => false,
    };
    is_policy.then_some(()).ok_or_else(|| {
        Diagnostic::error("policy-type", operand.span.clone(), "a cache policy is a 64-bit integer")
            .with_label("not .b64, .u64 or .s64")
    })
}

/// The verdict on `createpolicy.fractional`, whose result a cache hint takes; `cursor` stands at its beginning.
pub(super) fn judge_policy(
    mut cursor: Cursor<'_>,
    version: Version,
    target: Target,
    context: &Context,
    dialect: Dialect,
) -> Verdict {
    let guard = match cursor.guard() {
        Ok(guard) => guard,
        Err(refusal) => return Verdict::refused(refusal),
    };
    if let Some(Err(refusal)) = guard.map(|guard| rules::predicate(&guard, context)) {
        return Verdict::refused(refusal);
    }
    let span = cursor.span();
    let outside = |cursor: &Cursor<'_>, message: &str| {
        Verdict::refused(
            Diagnostic::error("outside-unit", cursor.span(), message)
                .with_help("createpolicy.fractional.L2::evict_last.b64 policy, 0.5; is the form that is known here"),
        )
    };
    cursor.advance();
    let mut qualifiers = Vec::new();
    while cursor.peek() == Some(Token::Dotted) && qualifiers.len() < 5 {
        qualifiers.push(cursor.slice());
        cursor.advance();
    }
    let is_primary = |name: &&str| {
        matches!(*name, ".L2::evict_last" | ".L2::evict_normal" | ".L2::evict_first" | ".L2::evict_unchanged")
    };
    let is_secondary = |name: &&str| matches!(*name, ".L2::evict_first" | ".L2::evict_unchanged");
    let is_known = match qualifiers.as_slice() {
        [".fractional", primary, ".b64"] => is_primary(primary),
        [".fractional", primary, secondary, ".b64"] => is_primary(primary) && is_secondary(secondary),
        _ => false,
    };
    if !is_known {
        return outside(&cursor, "this form of `createpolicy` is outside the unit");
    }
    match cursor.source() {
        Ok(destination) if matches!(destination.value, Source::Register { .. }) => {
            if let Err(refusal) = holds_policy(&destination, context) {
                return Verdict::refused(refusal);
            }
        }
        _ => return outside(&cursor, "`createpolicy` writes a 64-bit register"),
    }
    let mut verdict = Verdict::default();
    if cursor.take(Token::Comma) {
        match cursor.peek() {
            Some(Token::Float) => {
                let fraction = match number::float(cursor.slice()) {
                    Some(Immediate::Double(bits)) => f64::from_bits(bits),
                    Some(Immediate::Single(bits)) => f32::from_bits(bits).into(),
                    _ => 0.0,
                };
                if !(fraction > 0.0 && fraction <= 1.0) {
                    return outside(&cursor, "the fraction lies above 0.0, up to 1.0");
                }
            }
            Some(Token::Integer) => {
                let message = "NVIDIA's assembler wants the fraction with a decimal point";
                let diagnostic = Diagnostic::error("policy-fraction", cursor.span(), message)
                    .with_label("an integer")
                    .with_help(format!("write {}.0", cursor.slice()));
                match dialect {
                    Dialect::Assembler => verdict.errors.push(diagnostic),
                    // The documents' own example has the integer.
                    Dialect::Strict => {
                        verdict.warnings.push(Diagnostic { severity: Severity::Warning, ..diagnostic });
                    }
                }
            }
            _ => return outside(&cursor, "the fraction is a number"),
        }
        cursor.advance();
    }
    if let Err(refusal) = cursor.end() {
        return Verdict::refused(refusal);
    }
    let gate = Gate { version: Version::new(7, 4), target: 80 };
    if let Some(rule) = gate.broken(version, target) {
        let message = "`createpolicy` requires PTX ISA .version 7.4 or later and .target sm_80 or higher";
        verdict.errors.push(Diagnostic::error(rule, span, message));
    }
    verdict
}
