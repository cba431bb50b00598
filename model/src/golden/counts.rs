//! Everything that only counts: the `status` pins and the account of each operation.

use super::account::Accounts;
use crate::pins::Status;

/// Status pins and accounts.
#[derive(Clone, Debug)]
pub(super) struct Counts {
    pub status: Status,
    pub accounts: Accounts,
}

impl Counts {
    pub(super) fn new() -> Self {
        Self { status: Status::default(), accounts: Accounts::new() }
    }

    pub(super) fn clear(&mut self) {
        self.status = Status::default();
        self.accounts.clear();
    }
}

/// Adds to a counter pin, which wraps.
pub(super) fn count(counter: &mut u32, amount: u32) {
    *counter = counter.wrapping_add(amount);
}
