//! What a rule looks at, and what it finds.

use crate::diagnostic::Diagnostic;

use super::context::{Context, Symbol, Variable};
use super::instruction::{Data, Instruction, Part};
use super::types::{Class, DataType};
use super::version::{Target, Version};

/// What is judged, and for what.
pub(super) struct Subject<'a> {
    pub instruction: &'a Instruction,
    pub version: Version,
    pub target: Target,
    pub context: &'a Context,
}

impl Subject<'_> {
    /// Whether the data stands in braces.
    pub fn has_braces(&self) -> bool {
        matches!(self.instruction.data.value, Data::Vector(_))
    }

    /// Type and components of `name`, where data may move to or from it: a register, and in braces a variable that is no array, which the
    /// assembler takes for one.
    pub fn data_register(&self, name: &str) -> Option<(DataType, u8)> {
        match self.context.look_up(name)? {
            Symbol::Register { data_type, vector } => Some((data_type, vector)),
            Symbol::Variable(Variable { data_type, vector, is_array: false, .. }) if self.has_braces() => {
                Some((data_type?, vector))
            }
            _ => None,
        }
    }

    /// The type of `name`, or of `part` of it, where data may move to or from that.
    pub fn data_type(&self, name: &str, part: Option<&Part>) -> Option<DataType> {
        let (data_type, vector) = self.data_register(name)?;
        let has_part = match part {
            None => true,
            // The assembler does not count the components.
            Some(part) if vector > 1 => part.component().is_some(),
            Some(Part::Component(_)) => false,
            Some(Part::Selector(_)) => self.has_braces() && self.has_selectors(name),
        };
        has_part.then_some(data_type)
    }

    /// Whether bytes of `name` may be selected: it is a register of 32 bits, or a predicate, and no special one.
    fn has_selectors(&self, name: &str) -> bool {
        matches!(self.context.look_up(name), Some(Symbol::Register { data_type, .. })
            if data_type.bits == 32 || data_type.class == Class::Predicate)
            && self.context.special(name).is_none()
    }
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

    /// Adds a rule that the documents have in any case, and the assembler unless it lets this pass; `sentence` is what they say.
    pub fn documents_at_least(&mut self, diagnostic: Diagnostic, passes_assembler: bool, sentence: &str) {
        if passes_assembler {
            self.documents(diagnostic, sentence);
        } else {
            self.both(diagnostic);
        }
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
