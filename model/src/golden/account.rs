//! What one operation cost: the figures behind `wavefronts` and the sector columns of a run's report.

/// Costs of one operation, counted from its acceptance. Counters wrap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Account {
    /// Passes that left the issue place (rule LDC-14: one for each distinct line, at least one).
    pub wavefronts: u32,
    /// 32-byte sectors with lanes in bounds, in passes that hit.
    pub hit_sectors: u32,
    /// 32-byte sectors with lanes in bounds, in passes that missed.
    pub miss_sectors: u32,
    /// Sectors that the memory port was asked for by fetches that this operation started. A pass that joined the
    /// fetch of another adds none.
    pub mem_sectors: u32,
}

/// The account of every tag.
#[derive(Clone, Debug)]
pub(super) struct Accounts {
    of_tag: Box<[Account; 256]>,
}

impl Accounts {
    pub(super) fn new() -> Self {
        Self { of_tag: Box::new([Account::default(); 256]) }
    }

    /// The account of the operation that used `tag` last.
    pub(super) fn get(&self, tag: u8) -> Account {
        self.of_tag[usize::from(tag)]
    }

    pub(super) fn of(&mut self, tag: u8) -> &mut Account {
        &mut self.of_tag[usize::from(tag)]
    }

    /// A new operation takes `tag`.
    pub(super) fn open(&mut self, tag: u8) {
        *self.of(tag) = Account::default();
    }

    pub(super) fn clear(&mut self) {
        self.of_tag.fill(Account::default());
    }
}
