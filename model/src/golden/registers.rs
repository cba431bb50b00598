//! Registers that an operation writes or sends: how many an element has, and which may be the first.

use crate::micro_op::{AccessSize, DestinationWidth};
use crate::pins::RZ;

/// Registers of one element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element {
    /// Those that a load writes, e in the contracts.
    pub registers: u8,
    /// Those of store data.
    pub beats: u8,
    /// The second register of a load holds only the sign.
    pub extended: bool,
}

impl Element {
    /// Of a load or store; a code that is no size counts as the largest.
    pub(super) fn of(size: AccessSize, width: Option<DestinationWidth>) -> Self {
        let is_wide = match width {
            Some(DestinationWidth::Bits64) => true,
            Some(DestinationWidth::Bits16 | DestinationWidth::Bits32) | None => false,
        };
        let whole = |registers| Self { registers, beats: registers, extended: false };
        match size {
            AccessSize::Bits8 | AccessSize::Bits16 | AccessSize::Bits32 => {
                Self { registers: 1 + u8::from(is_wide), beats: 1, extended: is_wide }
            }
            AccessSize::Bits64 => whole(2),
            AccessSize::Bits128 => whole(4),
            AccessSize::Invalid5 | AccessSize::Invalid6 | AccessSize::Invalid7 => whole(4),
        }
    }

    /// Of an LDC, which has no destination width; a code that is no size counts as 32 bits.
    pub(super) fn of_ldc(size: AccessSize) -> Self {
        let size = if size.bytes().is_some() { size } else { AccessSize::Bits32 };
        Self::of(size, None)
    }
}

/// Whether `registers` registers cannot begin with `rd`: two must be aligned to two, more to four, and none is RZ.
pub(super) fn are_bad(rd: u8, registers: u8) -> bool {
    let last = u32::from(rd) + u32::from(registers) - 1;
    rd != RZ && registers > 1 && (!rd.is_multiple_of(registers.min(4)) || last >= u32::from(RZ))
}
