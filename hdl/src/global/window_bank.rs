//! `WindowBank`: the constant bank that a generic window shows, from the first byte on that the window shows of it.
//!
//! ```text
//! write of the bank table ─► base, size of the bank ──┬─► + skipped ─► base
//!                                                     └─► - skipped ─► granules, after this edge
//! ```
//!
//! Rule WINDOW. The base lies in a register, as every lane waits for it; it is made of what the table holds next, so that it is no cycle behind it.

use super::prelude::*;

/// A constant bank as a generic window shows it.
#[derive(LogicBlock, Default)]
pub struct WindowBank {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset: the bank has no valid entry.
    pub reset: Signal<In, Bit>,
    /// Which bank it is.
    pub number: Signal<In, Bits<5>>,
    /// The bank table takes `write` at this edge.
    pub writes: Signal<In, Bit>,
    /// A write of the bank table, of whichever bank.
    pub write: Signal<In, BankWrite>,
    /// Granules of 16 bytes of the bank that lie before the window.
    pub skipped: Signal<In, Bits<12>>,
    /// Byte address of what the window shows first.
    pub base: Signal<Out, Bits<ADDR>>,
    /// Granules from there on, after this edge; 0 if it has no valid entry.
    pub granules: Signal<Out, Bits<13>>,

    bank_base: Register<Bits<ADDR>>,
    bank_granules: Register<Bits<13>>,
    shown_base: Register<Bits<ADDR>>,
    replaces: Signal<Local, Bit>,
    /// Granules of the bank that is written.
    written: Signal<Local, Bits<13>>,
    /// Bytes of the bank that lie before the window.
    distance: Signal<Local, Bits<ADDR>>,
    left: Signal<Local, Bits<13>>,
    left_of_written: Signal<Local, Bits<13>>,
    next_base: Signal<Local, Bits<ADDR>>,
    next_granules: Signal<Local, Bits<13>>,
}

impl Logic for WindowBank {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, bank_base, bank_granules, shown_base);
        self.replaces.next = self.writes.val() & (self.write.val().index == self.number.val());
        self.next_base.next = self.bank_base.q.val();
        self.next_granules.next = self.bank_granules.q.val();
        self.written.next = 0.into();
        if self.write.val().valid {
            self.written.next = self.write.val().size.get_bits::<13>(4);
        }
        if self.replaces.val() {
            self.next_base.next = self.write.val().base;
            self.next_granules.next = self.written.val();
        }
        self.bank_base.d.next = self.next_base.val();
        self.bank_granules.d.next = self.next_granules.val();
        // Whether the bank is replaced is known last: both are told before.
        self.distance.next = bit_cast::<ADDR, 12>(self.skipped.val()) << 4;
        self.shown_base.d.next = self.bank_base.q.val() + self.distance.val();
        if self.replaces.val() {
            self.shown_base.d.next = self.write.val().base + self.distance.val();
        }
        self.base.next = self.shown_base.q.val();
        self.left.next = 0.into();
        if self.bank_granules.q.val() > bit_cast::<13, 12>(self.skipped.val()) {
            self.left.next = self.bank_granules.q.val() - bit_cast::<13, 12>(self.skipped.val());
        }
        self.left_of_written.next = 0.into();
        if self.written.val() > bit_cast::<13, 12>(self.skipped.val()) {
            self.left_of_written.next = self.written.val() - bit_cast::<13, 12>(self.skipped.val());
        }
        self.granules.next = self.left.val();
        if self.replaces.val() {
            self.granules.next = self.left_of_written.val();
        }
    }
}
