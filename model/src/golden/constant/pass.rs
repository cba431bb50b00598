//! A pass: the lanes of one operation that one cache line serves.

use super::super::lanes::lanes_where;
use super::super::near::{Comparator, NearMisses};
use super::shape::Shape;
use crate::pins::MAX_LANES;

/// A constant line: bank and address bits 15..6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(in crate::golden) struct Key(u16);

impl Key {
    /// The line that holds `address` of `bank`. Of use only for supported lanes; others get some key.
    #[inline]
    pub(in crate::golden) fn of(bank: u32, address: u64) -> Self {
        Self(((bank & 0x1f) << 10 | (address >> 6) as u32 & 0x3ff) as u16)
    }

    pub(in crate::golden) fn bank(self) -> u8 {
        (self.0 >> 10) as u8
    }

    /// Bank and line as one number of 15 bits.
    pub(in crate::golden) fn bits(self) -> u64 {
        self.0.into()
    }

    /// Line number in the bank, 10 bits.
    pub(in crate::golden) fn line(self) -> u16 {
        self.0 & 0x3ff
    }
}

/// One pass.
#[derive(Clone, Debug)]
pub(in crate::golden) struct Pass {
    pub shape: Shape,
    /// Lanes that read the line; none in a pass that needs no line.
    pub group: u32,
    /// Lanes whose result is 0.
    pub ride: u32,
    pub key: Key,
    /// Byte address in the bank of each lane of `group`.
    pub addresses: [u16; MAX_LANES],
}

impl Pass {
    /// Ra + imm of a lane of the group, from its place; of a constant load its address.
    pub(in crate::golden) fn sum(&self, lane: usize) -> u32 {
        let banks = u32::from(self.key.bank()).wrapping_sub(u32::from(self.shape.bank));
        (banks << 16).wrapping_add(u32::from(self.addresses[lane]))
    }

    /// LDC-8: the lanes of the group below `size`.
    pub(in crate::golden) fn below(&self, size: u32) -> u32 {
        lanes_where(&self.addresses, |at| u32::from(at) < size) & self.group
    }

    /// Takes note of the lanes of the group that are nearly on the other side of the bank's end.
    pub(in crate::golden) fn near_end(&self, size: u32, near: &mut NearMisses) {
        for (lane, address) in self.addresses.iter().enumerate() {
            if self.group >> lane & 1 == 1 {
                near.order(Comparator::BankSize, u64::from(*address), u64::from(size));
            }
        }
    }

    /// Those of `lanes` that read the upper of the line's two sectors.
    pub(in crate::golden) fn in_upper_sector(&self, lanes: u32) -> u32 {
        lanes_where(&self.addresses, |at| at & 32 != 0) & lanes
    }

    /// How many of the line's sectors `lanes` read.
    pub(in crate::golden) fn sectors(&self, lanes: u32) -> u32 {
        let upper = self.in_upper_sector(lanes);
        u32::from(upper != 0) + u32::from(lanes & !upper != 0)
    }
}
