//! Generic addresses in the windows of constants and kernel parameters: rule WINDOW.

use super::super::table::Table;
use crate::pins::{Window, Windows};

/// What lies behind the two windows.
#[derive(Clone, Copy, Debug)]
pub(in crate::oracle) struct Constants<'a> {
    pub table: &'a Table,
    /// The pin `cfg_param_offset`.
    pub param_offset: u32,
}

/// Where a generic address leads that is in one of the two windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Constant {
    /// To this byte of memory.
    At(u64),
    /// Past the end of its bank, or to a bank that is not usable.
    Nowhere,
}

impl Constants<'_> {
    /// Where `address` leads if it is in one of the two windows, the first of which is that of constants; addresses end at `top`.
    pub(super) fn find(&self, windows: &Windows, address: u64, top: u64) -> Option<Constant> {
        let parameters = u64::from(self.param_offset / 16 * 16);
        let offset_in = |window: &Window| {
            let from_base = (address + top - window.base % top / 16 * 16) % top;
            (from_base < window.size % top / 16 * 16).then_some(from_base)
        };
        let in_constants = offset_in(&windows.constant).map(|offset| (3, offset));
        let in_bank = in_constants.or(offset_in(&windows.param).map(|offset| (0, offset + parameters)));
        in_bank.map(|(number, offset)| match self.table.bank(number) {
            Some(bank) if offset < bank.size => Constant::At((bank.base + offset) % top),
            Some(_) | None => Constant::Nowhere,
        })
    }
}
