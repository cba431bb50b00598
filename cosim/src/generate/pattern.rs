//! The patterns that the programs of a check are drawn from, each with its name and its weight.
//!
//! | pattern | weight |
//! |---|---|
//! | [`Pattern::Walk`] | the cases of `WALKS` |
//! | [`Pattern::Jam`] | one of [`CASES_PER_JAM`] others |
//! | [`Pattern::Stream`] | one of [`CASES_PER_STREAM`] others, by the weights of [`stream::WEIGHTS`] |
//! | all others | what is left, as `shape` draws it |

use super::shape::{Shape, Temper};
use super::{Paths, WALKS, stream};
use crate::random::mix;

/// One of how many cases fills every place.
pub(super) const CASES_PER_JAM: u64 = 50;

/// One of how many cases, other ones, is a stream.
pub(super) const CASES_PER_STREAM: u64 = 4;

/// What the program of a case is drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    /// LDCs, constant loads and commands alone.
    Constants,
    /// Operations of all kinds, which wait for each other as the temper says.
    Random(Temper),
    /// Bursts that fill every place.
    Jam,
    /// One place after the other is busy in every cycle.
    Stream(stream::Kind),
    /// Lanes, ways and waiters one by one.
    Walk,
}

impl Pattern {
    /// What case number `case` of this shape is drawn from.
    pub(super) fn of(paths: Paths, case: u64, shape: &Shape) -> Self {
        let bits = mix(shape.traffic.seed);
        if paths == Paths::Constant {
            Self::Constants
        } else if WALKS.contains(&case) {
            Self::Walk
        } else if bits.is_multiple_of(CASES_PER_JAM) {
            Self::Jam
        } else if bits % CASES_PER_STREAM == 1 {
            Self::Stream(stream::kind(shape))
        } else if shape.global_percent == 0 {
            Self::Constants
        } else {
            Self::Random(shape.temper)
        }
    }

    /// Its name in the counts of a check.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Constants => "constants",
            Self::Random(Temper::Calm) => "calm",
            Self::Random(Temper::Mixed) => "mixed",
            Self::Random(Temper::Ordered) => "ordered",
            Self::Jam => "jam",
            Self::Stream(kind) => kind.name(),
            Self::Walk => "walk",
        }
    }
}
