//! `createpolicy`, which makes the policies that cache hints need.

use crate::diagnostic::{Diagnostic, Severity};

use super::instruction::Immediate;
use super::lexer::Token;
use super::number;
use super::parser::Cursor;
use super::verdict::{Dialect, Verdict};
use super::version::{Target, Version};

/// Judges `createpolicy.fractional`, whose result a cache hint takes; `cursor` stands at the mnemonic.
pub(super) fn judge_policy(mut cursor: Cursor<'_>, version: Version, target: Target, dialect: Dialect) -> Verdict {
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
    if cursor.peek() != Some(Token::Name) {
        return outside(&cursor, "`createpolicy` writes a 64-bit register");
    }
    cursor.advance();
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
    if version < Version::new(7, 4) || target.number() < 80 {
        let message = "`createpolicy` requires PTX ISA .version 7.4 or later and .target sm_80 or higher";
        let rule = if version < Version::new(7, 4) { "gate-version" } else { "gate-target" };
        verdict.errors.push(Diagnostic::error(rule, span, message));
    }
    verdict
}
