//! What every operation in flight is doing, in words for people who do not know the places.

use std::fmt;

use super::Golden;
use super::misses::{Entry, Progress};
use super::operation::{Kind, Operation};
use super::tag::TagContent;

/// How far an operation is. Of two, the greater is nearer to the operation's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Activity {
    /// Accepted, before its first pass.
    Accepted,
    /// Its next pass waits to be issued.
    Issue(PassNumber),
    /// A pass, or the command that the operation is, is at the tags.
    LookUp(PassNumber),
    /// Passes wait for memory.
    Miss {
        /// The pass that was issued last.
        latest: PassNumber,
        /// How many wait.
        waiting: u32,
    },
    /// The line of a pass has come from memory.
    Fill,
    /// A pass found its line in the cache, or needs none.
    Hit(PassNumber),
    /// A fault record stands on the port; its cause.
    Fault(u8),
    /// A command is done.
    Done,
    /// A register stands on the write-back port.
    WriteBack(u8),
}

/// One of the passes of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PassNumber {
    /// Which one, from 1.
    pub number: u32,
    /// Of how many.
    pub of: u32,
}

impl fmt::Display for PassNumber {
    /// An operation of one pass does not mention it.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.of > 1 { write!(formatter, " {}/{}", self.number, self.of) } else { Ok(()) }
    }
}

impl fmt::Display for Activity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Accepted => write!(formatter, "accepted"),
            Self::Issue(pass) => write!(formatter, "issue{pass}"),
            Self::Miss { latest, waiting } if latest.of > 1 => write!(formatter, "miss{latest}, {waiting} wait"),
            Self::Miss { .. } => write!(formatter, "miss"),
            Self::LookUp(pass) => write!(formatter, "look-up{pass}"),
            Self::Fill => write!(formatter, "fill"),
            Self::Hit(pass) => write!(formatter, "hit{pass}"),
            Self::Fault(cause) => write!(formatter, "fault {}", cause_name(*cause)),
            Self::Done => write!(formatter, "done"),
            Self::WriteBack(register) => write!(formatter, "write-back R{register}"),
        }
    }
}

impl Golden {
    /// Tells `visitor` the tag and the activity of everything in flight as this cycle's values are, before the next call
    /// of [`Golden::step`]. An operation in several places is told several times.
    pub fn visit_activities(&self, mut visitor: impl FnMut(u8, Activity)) {
        for operation in [&self.intake, &self.addressed].into_iter().flatten() {
            visitor(operation.shape.tag, Activity::Accepted);
        }
        if let Some(operation) = &self.issue {
            let tag = operation.shape.tag;
            visitor(tag, Activity::Issue(self.latest_pass(tag).next()));
        }
        for entry in self.misses.entries().iter().flatten() {
            let tag = entry.pass.shape.tag;
            let is_waiting = |entry: &Entry| entry.pass.shape.tag == tag && entry.progress == Progress::Waiting;
            visitor(
                tag,
                match is_waiting(entry) {
                    true => {
                        let all = self.misses.entries().iter().flatten();
                        let waiting = all.filter(|entry| is_waiting(entry)).count() as u32;
                        Activity::Miss { latest: self.latest_pass(tag), waiting }
                    }
                    false => Activity::Fill,
                },
            );
        }
        match &self.tag {
            Some(TagContent::Pass(pass)) => visitor(pass.shape.tag, Activity::LookUp(self.latest_pass(pass.shape.tag))),
            Some(TagContent::Command { tag, .. }) => visitor(*tag, Activity::LookUp(PassNumber { number: 1, of: 1 })),
            None => {}
        }
        if let Some(data) = &self.data {
            let tag = data.pass.shape.tag;
            let latest = self.latest_pass(tag);
            // The passes of an operation go one after the other: if the tags have one, it is the next.
            let is_behind = matches!(&self.tag, Some(TagContent::Pass(pass)) if pass.shape.tag == tag);
            let number = latest.number.saturating_sub(u32::from(is_behind)).max(1);
            visitor(tag, if data.from_miss { Activity::Fill } else { Activity::Hit(PassNumber { number, ..latest }) });
        }
        if let Some(fault) = &self.fault {
            visitor(fault.tag, Activity::Fault(fault.cause));
        }
        if let Some(tag) = self.done {
            visitor(tag, Activity::Done);
        }
        if let Some(wb) = &self.wb {
            visitor(wb.tag, Activity::WriteBack(wb.rd));
        }
    }

    /// The pass of `tag` that was issued last.
    fn latest_pass(&self, tag: u8) -> PassNumber {
        let issued = self.account(tag).wavefronts;
        let places = [&self.intake, &self.addressed, &self.issue];
        let left = places.into_iter().flatten().find(|operation| operation.shape.tag == tag).map_or(0, passes_left);
        PassNumber { number: issued, of: issued + left }
    }
}

impl PassNumber {
    fn next(self) -> Self {
        Self { number: self.number + 1, ..self }
    }
}

/// Passes that `operation` has still to issue; at least one for whatever issues any at all (LDC-14).
fn passes_left(operation: &Operation) -> u32 {
    match operation.kind {
        Kind::Load => operation.groups_left().max(1),
        Kind::Command(_) | Kind::Faulty(_) => 0,
    }
}

/// The name of a `fault_cause` code, as the pins document them.
fn cause_name(cause: u8) -> &'static str {
    match cause {
        1 => "misaligned_register",
        2 => "illegal_instruction",
        3 => "misaligned_address",
        4 => "address_out_of_range",
        5 => "memory_error",
        _ => "of unknown cause",
    }
}
