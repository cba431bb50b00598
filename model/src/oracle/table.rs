//! The constant banks as software configured them (rules LDC-7 and LDC-8).

use crate::pins::BankWrite;
use std::collections::BTreeMap;

/// Where a bank lies and how long it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bank {
    pub base: u64,
    pub size: u64,
}

/// Usable banks by number.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    usable: BTreeMap<u64, Bank>,
}

impl Table {
    pub(super) fn bank(&self, number: u64) -> Option<Bank> {
        self.usable.get(&number).copied()
    }

    /// Whether a write must be refused: no such bank, a size that LDC-8 rules out, or a base inside a line.
    pub(super) fn refuses(write: &BankWrite) -> bool {
        let size_is_bad = write.size > 65_536 || !write.size.is_multiple_of(16);
        write.index >= 18 || size_is_bad || !write.base.is_multiple_of(64)
    }

    pub(super) fn write(&mut self, write: &BankWrite) {
        if Self::refuses(write) {
            return;
        }
        let number = u64::from(write.index);
        if write.valid {
            self.usable.insert(number, Bank { base: write.base, size: u64::from(write.size) });
        } else {
            self.usable.remove(&number);
        }
    }
}
