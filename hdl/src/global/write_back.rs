//! `WriteBack`: place `write_back` of the global path: a dirty sector of the L1 on its way to `write`.
//!
//! ```text
//! dirty way and sector of the set that tag looks at ─► write_back ─► picked, an MSHR ─► read (for one cycle) ─► write
//! ```
//!
//! Rule WRITE-BACK. Which line the way holds is read from its tag while `write_back` is full: `tag` waits for it and takes nothing.
//!
//! Assertions: `contract_empty`, `contract_goes`.

use super::prelude::*;

/// Place `write_back` of the global path: a dirty sector of the L1 on its way to `write`.
#[derive(LogicBlock, Default)]
pub struct WriteBack {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// It takes a dirty sector at this edge.
    pub takes: Signal<In, Bit>,
    /// The way that has it.
    pub dirty_way: Signal<In, Bits<L1_WAY_BITS>>,
    /// Which of that way's sectors.
    pub dirty_sector: Signal<In, Bits<2>>,
    /// Set of the way, while `write_back` is full.
    pub set: Signal<In, Bits<L1_SET_BITS>>,
    /// `write_back` is full.
    pub full: Signal<Out, Bit>,
    /// It is after this edge.
    pub full_next: Signal<Out, Bit>,
    /// The way.
    pub way: Signal<Out, Bits<L1_WAY_BITS>>,
    /// Its row.
    pub row: Signal<Out, Bits<ROW_BITS>>,
    /// The sector.
    pub sector: Signal<Out, Bits<2>>,

    /// `write` is free.
    pub write_free: Signal<In, Bit>,
    /// An MSHR can be taken.
    pub has_mshr: Signal<In, Bit>,
    /// The sector may be picked to be read.
    pub reads: Signal<Out, Bit>,
    /// It is, goes to `read`, and takes an MSHR at this edge.
    pub goes: Signal<In, Bit>,
    /// The MSHR.
    pub free_mshr: Signal<In, Bits<ENTRY_BITS>>,
    /// It goes from `read` to `write` at this edge.
    pub lands: Signal<Out, Bit>,
    /// Its MSHR.
    pub mshr: Signal<Out, Bits<ENTRY_BITS>>,

    occupied: Register<Bit>,
    held_way: Register<Bits<L1_WAY_BITS>>,
    held_sector: Register<Bits<2>>,
    in_read: Register<Bit>,
    /// It is full, and nothing of it in `read`: who is picked hangs on it.
    waits: Register<Bit>,
    held_mshr: Register<Bits<ENTRY_BITS>>,

    /// A sector comes only while it is empty.
    contract_empty: Signal<Local, Bit>,
    /// It is picked only while it may be.
    contract_goes: Signal<Local, Bit>,
}

impl Logic for WriteBack {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, occupied, held_way, held_sector, in_read, waits, held_mshr);
        self.full.next = self.occupied.q.val();
        self.way.next = self.held_way.q.val();
        self.sector.next = self.held_sector.q.val();
        self.row.next = FIRST_L1_ROW.to_bits::<ROW_BITS>()
            | bit_cast::<ROW_BITS, L1_SET_BITS>(self.set.val())
            | (bit_cast::<ROW_BITS, L1_WAY_BITS>(self.held_way.q.val()) << L1_SET_BITS.to_bits::<6>());
        self.reads.next = self.waits.q.val() & self.write_free.val() & self.has_mshr.val();
        self.lands.next = self.in_read.q.val();
        self.mshr.next = self.held_mshr.q.val();

        if !self.occupied.q.val() {
            self.held_way.d.next = self.dirty_way.val();
            self.held_sector.d.next = self.dirty_sector.val();
        }
        if !self.in_read.q.val() {
            self.held_mshr.d.next = self.free_mshr.val();
        }
        self.full_next.next = self.takes.val() | (self.occupied.q.val() & !self.in_read.q.val());
        self.occupied.d.next = self.full_next.val();
        self.in_read.d.next = self.goes.val();
        self.waits.d.next = self.full_next.val() & !self.goes.val();

        self.contract_empty.next = !(self.takes.val() & self.occupied.q.val());
        self.contract_goes.next = !self.goes.val() | self.reads.val();
    }
}
