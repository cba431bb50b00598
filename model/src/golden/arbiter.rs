//! Arbiter of two sources before one output port.

/// Who of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    First,
    Second,
}

/// Remembers who was presented and not taken, and who was taken last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arbiter {
    /// Presented in the last cycle and not taken.
    held: Option<Source>,
    taken_last: Source,
}

impl Arbiter {
    /// As after reset: the first source goes first.
    pub(super) fn new() -> Self {
        Self { held: None, taken_last: Source::Second }
    }

    /// Rule ARBITER: the source that is presented in this cycle.
    pub(super) fn choose(&self, sources: [bool; 2]) -> Option<Source> {
        match sources.into() {
            (false, false) => None,
            _ if self.held.is_some() => self.held,
            (true, false) => Some(Source::First),
            (false, true) => Some(Source::Second),
            (true, true) if self.taken_last == Source::First => Some(Source::Second),
            (true, true) => Some(Source::First),
        }
    }

    /// The edge of a cycle in which `presented` was presented.
    pub(super) fn advance(&mut self, presented: Option<Source>, taken: bool) {
        self.held = if taken { None } else { presented };
        if taken && let Some(source) = presented {
            self.taken_last = source;
        }
    }
}
