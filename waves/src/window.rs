//! Which cycles of a run a dump shows.

use crate::WaveError;

/// A range of cycles, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    from: u64,
    to: u64,
}

impl Window {
    /// Every cycle.
    pub const ALL: Window = Window { from: 0, to: u64::MAX };

    /// Cycles `from` to `to`, both included.
    ///
    /// # Errors
    /// [`WaveError::WindowOrder`] if `to` is below `from`.
    pub fn new(from: u64, to: u64) -> Result<Self, WaveError> {
        if to < from {
            return Err(WaveError::WindowOrder { from, to });
        }
        Ok(Window { from, to })
    }

    /// `before` cycles before `cycle` to `after` cycles after it, cut at cycle 0.
    pub fn around(cycle: u64, before: u64, after: u64) -> Self {
        Window { from: cycle.saturating_sub(before), to: cycle.saturating_add(after) }
    }

    /// First cycle.
    pub fn from(self) -> u64 {
        self.from
    }

    /// Last cycle.
    pub fn to(self) -> u64 {
        self.to
    }

    /// Whether `cycle` is dumped.
    pub fn contains(self, cycle: u64) -> bool {
        (self.from..=self.to).contains(&cycle)
    }
}
