//! `WayRow`: the row of the row store that belongs to a way of a set. Combinational.
//!
//! ```text
//! region (0: L1, 1: RO)           │ way │ set        two bits of region in front of ROW_INDEX bits
//! region 2 (own rows of MSHRs)    │ MSHR
//! region 3 (rows of shared memory)│ address / 128
//! ```
//!
//! Every row number of the path is made here, or in `write_back` from the number of a way, or from `FIRST_OWN_ROW` and the number of an MSHR, or
//! in the row store and in `serve` from `FIRST_SHARED_ROW` and an address of shared memory.

use super::prelude::*;

/// Row of a way of the cache whose rows begin at `FIRST`.
#[derive(LogicBlock, Default)]
pub struct WayRow<const SET_BITS: usize, const WAYS: usize, const WAY_BITS: usize, const FIRST: usize> {
    /// The line; its low bits are its set.
    pub line: Signal<In, Bits<LINE>>,
    /// Its way, one bit for each.
    pub ways: Signal<In, Bits<WAYS>>,
    /// The row.
    pub row: Signal<Out, Bits<ROW_BITS>>,

    way: Signal<Local, Bits<WAY_BITS>>,
}

impl<const SET_BITS: usize, const WAYS: usize, const WAY_BITS: usize, const FIRST: usize> Logic
    for WayRow<SET_BITS, WAYS, WAY_BITS, FIRST>
{
    #[hdl_gen]
    fn update(&mut self) {
        self.way.next = 0.into();
        for i in 0..WAYS {
            if self.ways.val().get_bit(i) {
                self.way.next = self.way.val() | i.to_bits::<WAY_BITS>();
            }
        }
        self.row.next = FIRST.to_bits::<ROW_BITS>();
        for i in 0..SET_BITS {
            self.row.next = self.row.val().replace_bit(i, self.line.val().get_bit(i));
        }
        for i in 0..WAY_BITS {
            self.row.next = self.row.val().replace_bit(i + SET_BITS, self.way.val().get_bit(i));
        }
    }
}
