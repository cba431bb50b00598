//! Verdicts: whether an instruction is legal, and which rule decides.

use crate::diagnostic::{Diagnostic, Severity};

use super::context::Context;
use super::finding::{Authority, Subject};
use super::instruction::Instruction;
use super::rules;
use super::version::{Gate, Target, Version};

/// Which authority decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// What NVIDIA's assembler accepts, so that real code runs.
    #[default]
    Assembler,
    /// The documents to the letter.
    Strict,
}

/// What the rules say about one instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Why the instruction is refused; empty where it is legal. The first one decides.
    pub errors: Vec<Diagnostic>,
    /// Remarks: above all, what the other dialect would refuse.
    pub warnings: Vec<Diagnostic>,
}

impl Verdict {
    /// A refusal for one reason.
    pub fn refused(reason: Diagnostic) -> Self {
        Self { errors: vec![reason], warnings: Vec::new() }
    }

    /// Whether the instruction is legal.
    pub fn is_accepted(&self) -> bool {
        self.errors.is_empty()
    }

    /// The diagnostic that decides, where the instruction is refused.
    pub fn reason(&self) -> Option<&Diagnostic> {
        self.errors.first()
    }
}

/// Judges `instruction` for `version` and `target` among the declarations of `context`, by the rules of `dialect`.
///
/// Spans of the diagnostics are those of the text that the instruction was parsed from.
pub fn judge(
    instruction: &Instruction,
    version: Version,
    target: Target,
    context: &Context,
    dialect: Dialect,
) -> Verdict {
    let subject = Subject { instruction, version, target, context };
    let mut verdict = Verdict::default();
    for finding in rules::apply(&subject) {
        let decides = match dialect {
            Dialect::Assembler => finding.authority != Authority::Documents,
            Dialect::Strict => finding.authority != Authority::Assembler,
        };
        if decides {
            verdict.errors.push(finding.diagnostic);
        } else {
            let remark = match dialect {
                Dialect::Assembler => "NVIDIA's assembler accepts this, the documents do not",
                Dialect::Strict => "the documents allow this, NVIDIA's assembler does not",
            };
            let message = format!("{remark}: {}", finding.diagnostic.message);
            verdict.warnings.push(Diagnostic { severity: Severity::Warning, message, ..finding.diagnostic });
        }
    }
    verdict
}

impl Gate {
    /// What `instruction` needs by the rules of `dialect`.
    pub fn of(instruction: &Instruction, context: &Context, dialect: Dialect) -> Self {
        let authority = match dialect {
            Dialect::Assembler => Authority::Assembler,
            Dialect::Strict => Authority::Documents,
        };
        rules::least(instruction, context, authority)
    }
}
