//! What one operation cost: the figures behind `wavefronts` and the sector columns of a run's report.

/// Costs of one operation, counted from its acceptance. Counters wrap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Account {
    /// Passes that left `issue`: of the constant cache at least one, and one for each distinct line (LDC-14); of the global
    /// path as its rule PASS has it.
    pub wavefronts: u32,
    /// 32-byte sectors that were looked up and hit. Of the constant cache those with lanes in bounds.
    pub hit_sectors: u32,
    /// 32-byte sectors that were looked up and missed, counted alike.
    pub miss_sectors: u32,
    /// 32-byte sectors that the memory port was asked to read or to write for this operation. What a pass needs that another
    /// one has asked for already adds none, and neither does a sector that is written back or that other CTAs are asked for.
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
