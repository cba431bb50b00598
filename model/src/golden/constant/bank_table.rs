//! Bank table: where each constant bank lies in memory and how long it is (rules LDC-7, LDC-8 and WINDOW).

use crate::pins::BankWrite;

const BANKS: usize = 18;
const LARGEST_BANK: u32 = 0x1_0000;

/// A bank that may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::golden) struct Bank {
    /// Address in memory, a multiple of 64.
    pub base: u64,
    /// Bytes, a multiple of 16.
    pub size: u32,
}

/// All banks; `None` is an entry that is not valid.
#[derive(Clone, Debug)]
pub(in crate::golden) struct BankTable {
    banks: [Option<Bank>; BANKS],
    address_mask: u64,
}

impl BankTable {
    pub(in crate::golden) fn new(address_mask: u64) -> Self {
        Self { banks: [None; BANKS], address_mask }
    }

    pub(in crate::golden) fn clear(&mut self) {
        self.banks = [None; BANKS];
    }

    pub(in crate::golden) fn get(&self, bank: u8) -> Option<Bank> {
        self.banks.get(usize::from(bank)).copied().flatten()
    }

    /// One write; false if it is refused.
    pub(in crate::golden) fn write(&mut self, write: &BankWrite) -> bool {
        let base = write.base & self.address_mask;
        let good = write.size <= LARGEST_BANK && write.size.is_multiple_of(16) && base.is_multiple_of(64);
        match self.banks.get_mut(usize::from(write.index)) {
            Some(bank) if good => {
                *bank = write.valid.then_some(Bank { base, size: write.size });
                true
            }
            _ => false,
        }
    }
}
