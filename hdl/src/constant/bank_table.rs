//! `BankTable`: the constant banks that exist: base, size and valid bit of each of 18 (LDC-7, LDC-8).
//!
//! One write port, one read port, behind registers. A read sees the writes of the cycles before its own. Refused, with the sticky `refused`: an
//! index above 17, a size above 65,536 or no multiple of 16, a base that is no multiple of 64. After reset no entry is valid.
//!
//! The driver writes the table only while no operation is in flight, and invalidates the constant cache when a
//! bank's contents change.

use super::prelude::*;

/// The constant banks that exist: base, size and valid bit of each of 18.
#[derive(LogicBlock, Default)]
pub struct BankTable {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset: every entry invalid.
    pub reset: Signal<In, Bit>,
    /// A write at this edge.
    pub write: Signal<In, BankWrite>,
    /// An entry is read at this edge, and stays.
    pub reads: Signal<In, Bit>,
    /// Entry to read, 0 to 17.
    pub read_index: Signal<In, Bits<5>>,
    /// Byte address of the bank that was read last.
    pub base: Signal<Out, Bits<ADDR>>,
    /// Its bytes.
    pub size: Signal<Out, Bits<17>>,
    /// It may be used: the valid bits are few, and are looked at behind the registers.
    pub valid: Signal<Out, Bit>,
    /// A write is taken at this edge.
    pub takes: Signal<Out, Bit>,
    /// Sticky: a write was refused.
    pub refused: Signal<Out, Bit>,

    bases: Memory<5, Bits<ADDR>>,
    sizes: Memory<5, Bits<17>>,
    valids: Register<Bits<32>>,
    base_read: Register<Bits<ADDR>>,
    size_read: Register<Bits<17>>,
    index_read: Register<Bits<5>>,
    valids_next: Signal<Local, Bits<32>>,
    refused_held: Register<Bit>,
    acceptable: Signal<Local, Bit>,
}

impl Logic for BankTable {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, valids, base_read, size_read, index_read, refused_held);
        self.acceptable.next = (self.write.val().index < 18)
            & (self.write.val().size <= 65536)
            & !self.write.val().size.get_bits::<4>(0).any()
            & !self.write.val().base.get_bits::<6>(0).any();
        self.bases.clock.next = self.clock.val();
        self.bases.read_address.next = self.read_index.val();
        self.takes.next = self.write.val().write & self.acceptable.val();
        self.bases.write_enable.next = self.takes.val();
        self.bases.write_address.next = self.write.val().index;
        self.bases.write_data.next = self.write.val().base;
        self.sizes.clock.next = self.clock.val();
        self.sizes.read_address.next = self.read_index.val();
        self.sizes.write_enable.next = self.takes.val();
        self.sizes.write_address.next = self.write.val().index;
        self.sizes.write_data.next = self.write.val().size;
        self.valids_next.next = self.valids.q.val();
        for i in 0..18 {
            if self.takes.val() & (self.write.val().index == i.to_bits::<5>()) {
                self.valids_next.next = self.valids_next.val().replace_bit(i, self.write.val().valid);
            }
        }
        self.valids.d.next = self.valids_next.val();
        if self.write.val().write & !self.acceptable.val() {
            self.refused_held.d.next = true;
        }
        if self.reads.val() {
            self.base_read.d.next = self.bases.read_data.val();
            self.size_read.d.next = self.sizes.read_data.val();
            self.index_read.d.next = self.read_index.val();
        }
        self.base.next = self.base_read.q.val();
        self.size.next = self.size_read.q.val();
        self.valid.next = self.valids.q.val().get_bit(self.index_read.q.val().index());
        self.refused.next = self.refused_held.q.val();
    }
}
