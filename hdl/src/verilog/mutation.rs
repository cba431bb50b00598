//! Bits that are ignored on purpose: many broken units in one, chosen by a selector.
//!
//! With mutation on, the writer prints every comparison, reduction and bitwise mask so that one bit of its operands can
//! be left out, and lets every mask (lanes, ways, sectors, strobes) be read with one bit cleared or set. Which one is
//! the matter of an input `mutant` of the top level, so that a unit is built once and broken thousands of times:
//!
//! ```text
//! if (valid_q[i] & ((tag_q[i * 13 +: 13] & ~ignored_7) == (key & ~ignored_7))) begin
//! ```
//!
//! `ignored_7` is a register of the module, loaded while `rst` is high: one bit of it is set if `mutant` names it. Mutant 0 is
//! the unit as it is. A mutant changes every place that is made of the same line of Verilog: all rounds of its loop, all
//! instances of its module.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use super::expression::SignalId;

/// Begins what stands in a module's text for the number of a mutant, as long as that is not known: `<mutant:7>` is the
/// module's own number 7, from 0.
const OPEN: &str = "<mutant:";

/// Stands for the number of all mutants.
pub(crate) const COUNT: &str = "<mutants>";

/// Which mutants a text holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breakage {
    /// None: the unit as it should be.
    None,
    /// All, behind the input `mutant` of the top level.
    Selected,
    /// All, each behind its own bit of the input `mutant` of every module: for proofs.
    Wired,
}

/// What is wrong with a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// A comparison leaves out one bit of both sides.
    Compare,
    /// A reduction (any, all, parity) leaves out one bit.
    Reduce,
    /// A bitwise "and" leaves out one bit of one side; a constant of an "and" or "or" has the bit inverted.
    Mask,
    /// A mask is read with one bit cleared.
    Cleared,
    /// A mask is read with one bit set.
    Set,
}

impl Fault {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Compare, Self::Reduce, Self::Mask, Self::Cleared, Self::Set];

    /// One word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Compare => "compare",
            Self::Reduce => "reduce",
            Self::Mask => "mask",
            Self::Cleared => "cleared",
            Self::Set => "set",
        }
    }
}

/// One broken unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// What `mutant` must carry to choose it; from 1.
    pub id: u32,
    /// The module that is broken, without the prefix of all modules.
    pub module: String,
    /// What is wrong.
    pub fault: Fault,
    /// The comparison, operation or mask, as the Verilog has it.
    pub place: String,
    /// The bit.
    pub bit: u32,
}

/// A run of mutants of one module: one for each bit of a register.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    pub(crate) fault: Fault,
    pub(crate) place: String,
    pub(crate) width: usize,
}

/// The sites of one module, as its text is written.
#[derive(Debug, Default)]
pub(crate) struct Sites {
    is_selected: bool,
    found: RefCell<Vec<Site>>,
    /// Text is being written that only describes a site.
    is_describing: Cell<bool>,
    /// Masks that are read through another name.
    masks: RefCell<BTreeSet<SignalId>>,
    /// Signals that the piece of logic being written drives: it reads them as they are.
    driven: RefCell<BTreeSet<SignalId>>,
}

impl Sites {
    /// The sites of a module of a text that holds these mutants.
    pub(crate) fn new(breakage: Breakage) -> Option<Self> {
        (breakage != Breakage::None).then(|| Self { is_selected: breakage == Breakage::Selected, ..Self::default() })
    }

    /// Whether an input of the top level chooses the mutant.
    pub(crate) fn is_selected(&self) -> bool {
        self.is_selected
    }

    /// The name of a register of `width` bits for a new site; `None` while text only describes one.
    pub(crate) fn add(&self, fault: Fault, width: usize, place: impl FnOnce() -> String) -> Option<String> {
        if self.is_describing.replace(true) {
            return None;
        }
        let site = Site { fault, place: place(), width };
        self.is_describing.set(false);
        let mut found = self.found.borrow_mut();
        found.push(site);
        Some(register(found.len() - 1))
    }

    /// From now on these signals are read as masks of which a bit may be cleared or set.
    pub(crate) fn watch(&self, masks: BTreeSet<SignalId>) {
        *self.masks.borrow_mut() = masks;
    }

    /// The logic written next drives these signals.
    pub(crate) fn begin_piece(&self, driven: BTreeSet<SignalId>) {
        *self.driven.borrow_mut() = driven;
    }

    /// Whether a read of `signal` goes through its other name.
    pub(crate) fn is_mask(&self, signal: SignalId) -> bool {
        !self.is_describing.get() && self.masks.borrow().contains(&signal) && !self.driven.borrow().contains(&signal)
    }

    /// The masks.
    pub(crate) fn masks(&self) -> BTreeSet<SignalId> {
        self.masks.borrow().clone()
    }

    /// The declarations of all registers, and the process that loads them.
    pub(crate) fn declarations(&self, top: &str) -> Vec<String> {
        let found = self.found.borrow();
        let mut lines = vec![];
        let mut loads = vec![];
        let mut first = 0;
        for (number, site) in found.iter().enumerate() {
            let (name, width) = (register(number), site.width);
            let range = super::print::range(width);
            let bits: Vec<_> = (first..first + width).rev().map(|bit| format!("{OPEN}{bit}>")).collect();
            if self.is_selected {
                lines.push(format!("    reg {range}{name};"));
                loads.push(format!("            {name} <= {{{}}};", bits.join(", ")));
            } else {
                lines.push(format!("    wire {range}{name} = {{{}}};", bits.join(", ")));
            }
            first += width;
        }
        if !loads.is_empty() {
            lines.push(format!("    always @(posedge {top}.clk) begin"));
            lines.push(format!("        if ({top}.rst) begin"));
            lines.extend(loads);
            lines.push("        end".to_string());
            lines.push("    end".to_string());
        }
        lines
    }

    pub(crate) fn into_found(self) -> Vec<Site> {
        self.found.into_inner()
    }
}

/// `text` with the numbers of its mutants, the first of which is `first`.
pub(crate) fn numbered(text: &str, first: u32, breakage: Breakage, top: &str) -> String {
    let mut pieces = text.split(OPEN);
    let mut result = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        let (number, rest) = piece.split_once('>').unwrap_or((piece, ""));
        let number = first + number.parse::<u32>().unwrap_or_default();
        result.push_str(&match breakage {
            Breakage::Wired => format!("mutant[{number}]{rest}"),
            Breakage::None | Breakage::Selected => format!("{top}.mutant == 32'd{number}{rest}"),
        });
    }
    result
}

/// `text`, in which the instances that begin with `instance` get the owner's input `mutant`.
pub(crate) fn passed_on(text: &str, instance: &str) -> String {
    let pass_on = |line: &str| match line.contains(instance) {
        true => format!("{line}\n    .mutant (mutant),"),
        false => line.to_string(),
    };
    text.lines().map(pass_on).collect::<Vec<_>>().join("\n")
}

fn register(number: usize) -> String {
    format!("ignored_{number}")
}

/// The other name of a mask.
pub(crate) fn seen(name: &str) -> String {
    format!("{name}_seen")
}
