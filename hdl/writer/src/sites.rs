//! The places of a module that can be broken on purpose, noted as its text is written.

use std::cell::{Cell, Ref, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use super::expression::SignalId;

/// What is wrong with a mutant. [`Mutant::bit`](super::Mutant::bit) is a bit, or says which of several things is wrong.
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
    /// An input of a sub-block or of a memory has its lowest bit (0) or its highest (1) the other way round.
    Connection,
    /// A shift goes one bit further (0), or one bit less far (1).
    Shift,
}

impl Fault {
    /// All of them.
    pub const ALL: [Self; 15] = [
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
        Self::Connection,
        Self::Shift,
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
            Self::Connection => "connection",
            Self::Shift => "shift",
        }
    }
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

    /// What the piece of logic being written may read in the place of others.
    pub(crate) fn around(&self) -> Ref<'_, Vec<SignalId>> {
        self.around.borrow()
    }

    /// Whether the piece of logic being written drives `signal`.
    pub(crate) fn is_driven(&self, signal: SignalId) -> bool {
        self.driven.borrow().contains(&signal)
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

/// The name of the register of site number `number`.
pub(crate) fn register(number: usize) -> String {
    format!("ignored_{number}")
}

/// The other name of a mask.
pub(crate) fn seen(name: &str) -> String {
    format!("{name}_seen")
}
