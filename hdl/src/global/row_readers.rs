//! `RowReaders`: which sectors of which rows are to be read: what PINNED, NOT-KEPT, READ-FIRST and MISS ask.
//!
//! ```text
//! row and sectors of each pass in hit, ro_read, ro_hit, resume ─┬─► sectors to be read in each way of the sets of tag's line
//!                                                               └─► own rows of MSHRs to be read
//! ```
//!
//! Everything but the contract is combinational.
//!
//! Assertions: `contract_kept`.

use super::prelude::*;

/// Which sectors of which rows are to be read.
#[derive(LogicBlock, Default)]
pub struct RowReaders {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// Row of each pass that has one and is still to be read.
    pub row: Many<Signal<In, Bits<ROW_BITS>>, READERS>,
    /// Sectors in which its lanes lie; 0 where no load's pass is.
    pub sectors: Many<Signal<In, Bits<4>>, READERS>,
    /// Line of the pass in `tag`.
    pub line: Signal<In, Bits<LINE>>,
    /// Sectors to be read in each way of its set of L1.
    pub l1: Many<Signal<Out, Bits<4>>, L1_WAYS>,
    /// Sectors to be read in each way of its set of RO.
    pub ro: Many<Signal<Out, Bits<4>>, RO_WAYS>,
    /// MSHRs whose own row is to be read.
    pub own: Signal<Out, Bits<MISSES>>,

    /// Sectors that the row store writes at this edge.
    pub write_sectors: Signal<In, Bits<4>>,
    /// Of this row.
    pub write_row: Signal<In, Bits<ROW_BITS>>,

    region: Signal<Local, Bits<2>>,
    is_read: Signal<Local, Bit>,

    /// Nothing is written into a sector that is to be read.
    contract_kept: Signal<Local, Bit>,
}

impl Logic for RowReaders {
    #[hdl_gen]
    fn update(&mut self) {
        self.own.next = 0.into();
        for j in 0..L1_WAYS {
            self.l1[j].next = 0.into();
        }
        for j in 0..RO_WAYS {
            self.ro[j].next = 0.into();
        }
        for i in 0..READERS {
            self.region.next = self.row[i].val().get_bits::<2>(ROW_INDEX);
            self.is_read.next = self.sectors[i].val().any();
            if (self.region.val() == 0)
                & (self.row[i].val().get_bits::<L1_SET_BITS>(0) == self.line.val().get_bits::<L1_SET_BITS>(0))
            {
                for j in 0..L1_WAYS {
                    if self.row[i].val().get_bits::<L1_WAY_BITS>(L1_SET_BITS) == j.to_bits::<L1_WAY_BITS>() {
                        self.l1[j].next = self.l1[j].val() | self.sectors[i].val();
                    }
                }
            }
            if (self.region.val() == 1)
                & (self.row[i].val().get_bits::<RO_SET_BITS>(0) == self.line.val().get_bits::<RO_SET_BITS>(0))
            {
                for j in 0..RO_WAYS {
                    if self.row[i].val().get_bits::<RO_WAY_BITS>(RO_SET_BITS) == j.to_bits::<RO_WAY_BITS>() {
                        self.ro[j].next = self.ro[j].val() | self.sectors[i].val();
                    }
                }
            }
            for j in 0..MISSES {
                if (self.region.val() == 2)
                    & self.is_read.val()
                    & (self.row[i].val().get_bits::<ENTRY_BITS>(0) == j.to_bits::<ENTRY_BITS>())
                {
                    self.own.next = self.own.val().replace_bit(j, true);
                }
            }
        }

        self.contract_kept.next = true;
        for i in 0..READERS {
            if (self.row[i].val() == self.write_row.val()) & (self.sectors[i].val() & self.write_sectors.val()).any() {
                self.contract_kept.next = false;
            }
        }
    }
}
