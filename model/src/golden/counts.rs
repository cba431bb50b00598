//! Everything that only counts: the `status` pins, the account of each operation, near misses.

use super::account::Accounts;
use super::near::NearMisses;
use crate::pins::Status;
use crate::preset::Preset;

/// Status pins, accounts and near misses.
#[derive(Clone, Debug)]
pub(super) struct Counts {
    pub status: Status,
    pub accounts: Accounts,
    /// Since the beginning, whatever is reset.
    pub near: NearMisses,
}

impl Counts {
    pub(super) fn new(preset: &Preset) -> Self {
        Self { status: Status::default(), accounts: Accounts::new(), near: NearMisses::new(preset) }
    }

    pub(super) fn clear(&mut self) {
        self.status = Status::default();
        self.accounts.clear();
    }
}

/// Adds to a counter, which wraps: one of the pins or of an account.
pub(super) fn count(counter: &mut u32, amount: u32) {
    *counter = counter.wrapping_add(amount);
}
