//! What every operation in flight is doing, in words for people who do not know the places.

use std::fmt;

use super::Golden;
use crate::pins::FaultCause;

/// How far an operation is. Of two, the greater tells more about the operation, and is the one to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Activity {
    /// Accepted, before its first pass.
    Accepted,
    /// Its next pass waits to be issued.
    Issue(PassNumber),
    /// The data of a store's pass are put together.
    Merge(PassNumber),
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
    /// Words of its lanes are read and collected.
    Collect,
    /// A register stands on the write-back port.
    WriteBack(u8),
    /// A pass found its line in the cache, or needs none.
    Hit(PassNumber),
    /// A fault record stands on the port; its cause.
    Fault(u8),
    /// A store or a command is done.
    Done,
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
            Self::Merge(pass) => write!(formatter, "store data{pass}"),
            Self::Collect => write!(formatter, "collect"),
            Self::Miss { latest, waiting } if latest.of > 1 => write!(formatter, "miss{latest}, {waiting} wait"),
            Self::Miss { .. } => write!(formatter, "miss"),
            Self::LookUp(pass) => write!(formatter, "look-up{pass}"),
            Self::Fill => write!(formatter, "fill"),
            Self::Hit(pass) => write!(formatter, "hit{pass}"),
            Self::Fault(cause) => {
                write!(formatter, "fault {}", FaultCause::CODES.name(*cause).unwrap_or("of unknown cause"))
            }
            Self::Done => write!(formatter, "done"),
            Self::WriteBack(register) => write!(formatter, "write-back R{register}"),
        }
    }
}

impl Golden {
    /// Tells `visitor` the tag and the activity of everything in flight as this cycle's values are, before the next call
    /// of [`Golden::step`]. An operation in several places is told several times.
    pub fn visit_activities(&self, mut visitor: impl FnMut(u8, Activity)) {
        let issued = |tag| self.account(tag).wavefronts;
        self.constant.visit_activities(issued, &mut visitor);
        self.global.visit_activities(issued, &mut visitor);
    }
}

impl PassNumber {
    pub(super) fn next(self) -> Self {
        Self { number: self.number + 1, ..self }
    }
}
