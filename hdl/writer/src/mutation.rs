//! A unit that is broken on purpose: many broken units in one, chosen by a selector.
//!
//! With mutation on, the writer prints what can be wrong ([`Fault`]) beside what should be: bits that a comparison, a reduction or a mask leaves
//! out, other operators, constants and signals, conditions that always or never hold, assignments that do not happen. Which one is the matter
//! of an input `mutant` of the top level, so that a unit is built once and broken thousands of times:
//!
//! ```text
//! if (valid_q[i] & ((tag_q[i * 13 +: 13] & ~ignored_7) == (key & ~ignored_7))) begin
//!     if (!ignored_8) found = 1'b1;
//! ```
//!
//! `ignored_7` is a register of the module, loaded while `rst` is high: one bit of it is set if `mutant` names it. Mutant 0 is
//! the unit as it is. A mutant changes every place that is made of the same line of Verilog: all rounds of its loop, all
//! instances of its module.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use super::expression::SignalId;
use super::scope::{ChildKind, Role, Scope};

/// Names of pins that are nobody's data.
const CONTROL: [&str; 4] = ["clk", "rst", "clock", "reset"];

/// Stands in a module's text for the declarations of its sites, as long as the numbers of its mutants are not known.
pub(crate) const DECLARATIONS: &str = "    <declarations of sites>";

/// Stands in a module's header for the input that chooses a mutant.
pub(crate) const PORT: &str = "    <input that chooses a mutant>";

/// Stands for the number of all mutants.
pub(crate) const COUNT: &str = "<mutants>";

/// Which mutants a text holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breakage<'a> {
    /// None: the unit as it should be.
    None,
    /// These, behind the input `mutant` of the top level.
    Selected(Chosen<'a>),
    /// These, each behind its own bit of the input `mutant` of every module: for proofs.
    Wired(Chosen<'a>),
}

/// Some of the mutants, which keep the numbers that they have among all of them: the fewer there are, the faster is what is
/// built of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chosen<'a> {
    /// All.
    All,
    /// Those with these numbers.
    Only(&'a BTreeSet<u32>),
}

impl Chosen<'_> {
    fn contains(self, id: u32) -> bool {
        match self {
            Self::All => true,
            Self::Only(ids) => ids.contains(&id),
        }
    }
}

/// What is wrong with a mutant. [`Mutant::bit`] is a bit, or says which of several things is wrong.
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
    /// An operator is another one: "and" for "or", "plus" for "minus", "equal" for "different", "less" for "less or equal", "any" for
    /// "all", nothing for "not".
    Operator,
    /// A constant is one more (0), one less (1), or has its highest bit the other way round (2); a bit is its inverse (0).
    Constant,
    /// A condition of combinational logic always holds (0), never holds (1), or holds when it should not (2).
    Condition,
    /// The same of a condition under which registers are loaded.
    Enable,
    /// An assignment does not happen: a register keeps its value, a signal what it got before.
    Dropped,
    /// Another signal of the same size is read.
    Signal,
    /// Some bits of a signal are read one bit beside their place.
    Slice,
    /// Of two conditions, or of all rounds of a loop, the last has the first word.
    Priority,
}

impl Fault {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::Compare,
        Self::Reduce,
        Self::Mask,
        Self::Cleared,
        Self::Set,
        Self::Operator,
        Self::Constant,
        Self::Condition,
        Self::Enable,
        Self::Dropped,
        Self::Signal,
        Self::Slice,
        Self::Priority,
    ];

    /// One word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Compare => "compare",
            Self::Reduce => "reduce",
            Self::Mask => "mask",
            Self::Cleared => "cleared",
            Self::Set => "set",
            Self::Operator => "operator",
            Self::Constant => "constant",
            Self::Condition => "condition",
            Self::Enable => "enable",
            Self::Dropped => "dropped",
            Self::Signal => "signal",
            Self::Slice => "slice",
            Self::Priority => "priority",
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
    /// The comparison, operation or mask, as the Verilog has it, or a part of a statement and the statement; where the module has the
    /// same text again, with its number: `size == SIZE_64 (2)`.
    pub place: String,
    /// The bit, or which of the things that [`Fault`] numbers.
    pub bit: u32,
}

/// A run of mutants of one module: one for each bit of a register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Site {
    pub(crate) fault: Fault,
    pub(crate) place: String,
    pub(crate) width: usize,
}

/// The sites of one module, as its text is written.
#[derive(Debug, Default)]
pub(crate) struct Sites {
    found: RefCell<Vec<Site>>,
    /// Text is being written that only describes a site.
    is_describing: Cell<bool>,
    /// Masks that are read through another name.
    masks: RefCell<BTreeSet<SignalId>>,
    /// Signals that the piece of logic being written drives: it reads them as they are.
    driven: RefCell<BTreeSet<SignalId>>,
    /// What it may read by mistake in the place of other signals.
    around: RefCell<Vec<SignalId>>,
    /// Signals that a statement of it has assigned as a whole whatever holds.
    assigned: RefCell<BTreeSet<SignalId>>,
    /// The statement being written.
    context: RefCell<String>,
}

impl Sites {
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

    /// What `text` gives, without a site.
    pub(crate) fn describe<T>(&self, text: impl FnOnce() -> T) -> T {
        let before = self.is_describing.replace(true);
        let text = text();
        self.is_describing.set(before);
        text
    }

    /// Text is being written that has no sites.
    pub(crate) fn is_describing(&self) -> bool {
        self.is_describing.get()
    }

    /// What is written next is part of the statement `text`.
    pub(crate) fn within(&self, text: impl FnOnce() -> String) {
        if !self.is_describing() {
            *self.context.borrow_mut() = self.describe(text);
        }
    }

    /// The statement being written; empty if it has no text.
    pub(crate) fn context(&self) -> String {
        self.context.borrow().clone()
    }

    /// From now on these signals are read as masks of which a bit may be cleared or set.
    pub(crate) fn watch(&self, masks: BTreeSet<SignalId>) {
        *self.masks.borrow_mut() = masks;
    }

    /// The logic written next drives these signals, and may read those of `around` in the place of others.
    pub(crate) fn begin_piece(&self, driven: BTreeSet<SignalId>, around: Vec<SignalId>) {
        *self.driven.borrow_mut() = driven;
        *self.around.borrow_mut() = around;
        self.assigned.borrow_mut().clear();
        self.context.borrow_mut().clear();
    }

    /// What the piece of logic being written may read in the place of `signal`: what is most easily taken for it, of the same size and with
    /// the most words in common.
    pub(crate) fn other(&self, scope: &Scope, signal: SignalId) -> Option<SignalId> {
        let size = |id: SignalId| {
            let signal = &scope.signals[id];
            (signal.width, signal.length(), signal.is_signed())
        };
        let words = |id: SignalId| scope.signals[id].verilog.split('_').collect::<BTreeSet<_>>();
        if self.is_describing() || !(is_data(scope, signal) || self.driven.borrow().contains(&signal)) {
            return None;
        }
        let (own_size, own_words) = (size(signal), words(signal));
        let around = self.around.borrow();
        let same = around.iter().copied().filter(|other| *other != signal && size(*other) == own_size);
        // Of several the first.
        same.rev().max_by_key(|other| words(*other).intersection(&own_words).count())
    }

    /// Whatever holds, the piece of logic being written has assigned all of `signal`.
    pub(crate) fn assign(&self, signal: SignalId) {
        self.assigned.borrow_mut().insert(signal);
    }

    /// Whether it has.
    pub(crate) fn is_assigned(&self, signal: SignalId) -> bool {
        self.assigned.borrow().contains(&signal)
    }

    /// Whether a read of `signal` goes through its other name.
    pub(crate) fn is_mask(&self, signal: SignalId) -> bool {
        !self.is_describing.get() && self.masks.borrow().contains(&signal) && !self.driven.borrow().contains(&signal)
    }

    /// The masks.
    pub(crate) fn masks(&self) -> BTreeSet<SignalId> {
        self.masks.borrow().clone()
    }

    /// The sites. Of those of one kind that have the same text all but the first are numbered, so that each can be named.
    pub(crate) fn into_found(self) -> Vec<Site> {
        let mut found = self.found.into_inner();
        let mut seen = BTreeMap::new();
        for site in &mut found {
            let times = seen.entry((site.fault, site.place.clone())).and_modify(|times| *times += 1).or_insert(1);
            if *times > 1 {
                site.place += &format!(" ({times})");
            }
        }
        found
    }
}

/// The declarations of the registers of `sites`, the first of whose mutants has the number `first`, and the process that loads
/// them; `top` is the top level.
pub(crate) fn declarations(sites: &[Site], first: u32, breakage: Breakage<'_>, top: &str) -> String {
    let (chosen, is_selected) = match breakage {
        Breakage::None => return String::new(),
        Breakage::Selected(chosen) => (chosen, true),
        Breakage::Wired(chosen) => (chosen, false),
    };
    let mut lines = vec![];
    let mut loads = vec![];
    let mut first = first;
    for (number, site) in sites.iter().enumerate() {
        let (name, width) = (register(number), site.width as u32);
        let range = super::print::range(site.width);
        let ids = first..first + width;
        first += width;
        if !ids.clone().any(|id| chosen.contains(id)) {
            lines.push(format!("    localparam {range}{name} = {width}'d0;"));
            continue;
        }
        let bits = ids.rev().map(|id| match (chosen.contains(id), is_selected) {
            (false, _) => "1'b0".to_string(),
            (true, true) => format!("{top}.mutant == 32'd{id}"),
            (true, false) => format!("mutant[{id}]"),
        });
        let bits = bits.collect::<Vec<_>>().join(", ");
        if is_selected {
            lines.push(format!("    reg {range}{name};"));
            loads.push(format!("            {name} <= {{{bits}}};"));
        } else {
            lines.push(format!("    wire {range}{name} = {{{bits}}};"));
        }
    }
    if !loads.is_empty() {
        lines.push(format!("    always @(posedge {top}.clk) begin"));
        lines.push(format!("        if ({top}.rst) begin"));
        lines.extend(loads);
        lines.push("        end".to_string());
        lines.push("    end".to_string());
    }
    lines.into_iter().flat_map(super::print::broken).collect::<Vec<_>>().join("\n")
}

/// The line of a module's header with the input that chooses a mutant, if it has one.
pub(crate) fn port(breakage: Breakage<'_>, is_top: bool) -> String {
    match breakage {
        Breakage::Selected(_) if is_top => {
            "    input  wire [31:0] mutant,  // Which mutant it is; 0 is none.".to_string()
        }
        Breakage::Wired(_) => format!("    input  wire [{COUNT}:0] mutant,"),
        Breakage::None | Breakage::Selected(_) => String::new(),
    }
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

/// Whether a signal may be taken for another: no constant and nothing that all registers have.
pub(crate) fn is_data(scope: &Scope, id: SignalId) -> bool {
    let signal = &scope.signals[id];
    !CONTROL.contains(&signal.verilog.as_str()) && signal.role != Role::Constant
}

/// Whether a signal is what a register holds, or a field of it.
pub(crate) fn is_register(scope: &Scope, id: SignalId) -> bool {
    match (scope.signals[id].role, scope.signals[id].field_of) {
        (Role::ChildOutput(child), _) => matches!(scope.children[child].kind, ChildKind::Register(_)),
        (Role::Field, Some((whole, _))) => is_register(scope, whole),
        _ => false,
    }
}
