//! What a rule looks at, and what it finds.

use crate::diagnostic::Diagnostic;

use super::context::Context;
use super::instruction::Instruction;
use super::version::{Target, Version};

/// What is judged, and for what.
pub(super) struct Subject<'a> {
    pub instruction: &'a Instruction,
    pub version: Version,
    pub target: Target,
    pub context: &'a Context,
}

/// Who says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Authority {
    /// The assembler and the documents.
    Both,
    /// The assembler only: the documents allow it or are silent.
    Assembler,
    /// The documents only: the assembler does not mind.
    Documents,
}

/// A broken rule.
pub(super) struct Finding {
    pub authority: Authority,
    pub diagnostic: Diagnostic,
}

/// Findings in the order of the rules; the first that counts decides.
#[derive(Default)]
pub(super) struct Findings(pub Vec<Finding>);

impl Findings {
    /// Adds a rule that assembler and documents share.
    pub fn both(&mut self, diagnostic: Diagnostic) {
        self.0.push(Finding { authority: Authority::Both, diagnostic });
    }

    /// Adds a rule of the assembler alone.
    pub fn assembler(&mut self, diagnostic: Diagnostic) {
        self.0.push(Finding { authority: Authority::Assembler, diagnostic });
    }

    /// Adds a rule of the documents alone; `sentence` is what they say.
    pub fn documents(&mut self, diagnostic: Diagnostic, sentence: &str) {
        let help = match &diagnostic.help {
            Some(help) => format!("{help}\nthe documents say: “{sentence}”"),
            None => format!("the documents say: “{sentence}”"),
        };
        self.0.push(Finding { authority: Authority::Documents, diagnostic: diagnostic.with_help(help) });
    }
}
