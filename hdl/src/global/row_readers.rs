//! `RowReaders`: which sectors of which rows are to be read: what PINNED, NOT-KEPT, READ-FIRST and MISS ask.
//!
//! ```text
//! row and sectors of each pass in hit, ro_read, ro_hit, resume ─┬─► register ─► sectors in each way of the sets of tag's line
//! what tag hits, if it moves ───────────────────────────────────┤
//!                                                               └─► own rows of MSHRs (a register of theirs)
//! ```
//!
//! What is told is that of the cycle before, about the line that is in `tag` now: the comparisons and the decisions that hang on them
//! lie on two sides of a register. What `tag` itself sent to be read at the edge between comes into the same register.
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
    /// `tag` takes another pass at this edge.
    pub shifts: Signal<In, Bit>,
    /// Its line.
    pub next_line: Signal<In, Bits<LINE>>,
    /// Sectors that the pass in `tag` hits in each way of the set of L1 of the line that comes, if it moves.
    pub l1_reads: Many<Signal<In, Bits<4>>, L1_WAYS>,
    /// The same of its set of RO.
    pub ro_reads: Many<Signal<In, Bits<4>>, RO_WAYS>,
    /// Sectors that were to be read in each way of the set of L1 of `tag`'s line, and those that the pass before hit.
    pub l1: Many<Signal<Out, Bits<4>>, L1_WAYS>,
    /// The same of its set of RO.
    pub ro: Many<Signal<Out, Bits<4>>, RO_WAYS>,
    /// MSHRs whose own row is to be read.
    pub own: Signal<Out, Bits<MISSES>>,

    /// Sectors that the row store writes at this edge.
    pub write_sectors: Signal<In, Bits<4>>,
    /// Of this row.
    pub write_row: Signal<In, Bits<ROW_BITS>>,

    l1_before: Registers<Bits<4>, L1_WAYS>,
    ro_before: Registers<Bits<4>, RO_WAYS>,
    /// What is to be read in the set of the line in `tag`, and in that of the line that comes: which of them counts is known last.
    l1_here: Many<Signal<Local, Bits<4>>, L1_WAYS>,
    l1_there: Many<Signal<Local, Bits<4>>, L1_WAYS>,
    ro_here: Many<Signal<Local, Bits<4>>, RO_WAYS>,
    ro_there: Many<Signal<Local, Bits<4>>, RO_WAYS>,
    region: Signal<Local, Bits<2>>,
    l1_set: Signal<Local, Bits<L1_SET_BITS>>,
    ro_set: Signal<Local, Bits<RO_SET_BITS>>,

    /// Nothing is written into a sector that is to be read.
    contract_kept: Signal<Local, Bit>,
}

impl Logic for RowReaders {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, l1_before, ro_before);
        Arrays::join(&mut self.l1, &mut self.l1_before.q);
        Arrays::join(&mut self.ro, &mut self.ro_before.q);

        self.own.next = 0.into();
        for j in 0..L1_WAYS {
            self.l1_here[j].next = 0.into();
            self.l1_there[j].next = self.l1_reads[j].val();
        }
        for j in 0..RO_WAYS {
            self.ro_here[j].next = 0.into();
            self.ro_there[j].next = self.ro_reads[j].val();
        }
        for i in 0..READERS {
            self.region.next = self.row[i].val().get_bits::<2>(ROW_INDEX);
            self.l1_set.next = self.row[i].val().get_bits::<L1_SET_BITS>(0);
            self.ro_set.next = self.row[i].val().get_bits::<RO_SET_BITS>(0);
            if self.region.val() == 0 {
                for j in 0..L1_WAYS {
                    if self.row[i].val().get_bits::<L1_WAY_BITS>(L1_SET_BITS) == j.to_bits::<L1_WAY_BITS>() {
                        if self.l1_set.val() == self.line.val().get_bits::<L1_SET_BITS>(0) {
                            self.l1_here[j].next = self.l1_here[j].val() | self.sectors[i].val();
                        }
                        if self.l1_set.val() == self.next_line.val().get_bits::<L1_SET_BITS>(0) {
                            self.l1_there[j].next = self.l1_there[j].val() | self.sectors[i].val();
                        }
                    }
                }
            }
            if self.region.val() == 1 {
                for j in 0..RO_WAYS {
                    if self.row[i].val().get_bits::<RO_WAY_BITS>(RO_SET_BITS) == j.to_bits::<RO_WAY_BITS>() {
                        if self.ro_set.val() == self.line.val().get_bits::<RO_SET_BITS>(0) {
                            self.ro_here[j].next = self.ro_here[j].val() | self.sectors[i].val();
                        }
                        if self.ro_set.val() == self.next_line.val().get_bits::<RO_SET_BITS>(0) {
                            self.ro_there[j].next = self.ro_there[j].val() | self.sectors[i].val();
                        }
                    }
                }
            }
            for j in 0..MISSES {
                if (self.region.val() == 2)
                    & self.sectors[i].val().any()
                    & (self.row[i].val().get_bits::<ENTRY_BITS>(0) == j.to_bits::<ENTRY_BITS>())
                {
                    self.own.next = self.own.val().replace_bit(j, true);
                }
            }
        }

        for j in 0..L1_WAYS {
            self.l1_before.d[j].next = self.l1_here[j].val();
            if self.shifts.val() {
                self.l1_before.d[j].next = self.l1_there[j].val();
            }
        }
        for j in 0..RO_WAYS {
            self.ro_before.d[j].next = self.ro_here[j].val();
            if self.shifts.val() {
                self.ro_before.d[j].next = self.ro_there[j].val();
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
