//! `WindowBanks`: the constant banks that generic windows show: bank 3, and bank 0 from the first byte of the kernel parameters on.
//!
//! ```text
//! write of the bank table ─┬─► base and size of bank 3 ──────────────────────────► const_base, const_granules
//!                          └─► base and size of bank 0 ─┬─► + skipped, a register ─► param_base
//!                                                       └─► - skipped ─────────────► param_granules
//! ```
//!
//! Rule WINDOW. What every lane waits for lies in a register. That is early enough: no operation is accepted in the cycle of a write, and one
//! that is accepted in the next needs its base a cycle later.

use super::prelude::*;

/// The constant banks as generic windows show them.
#[derive(LogicBlock, Default)]
pub struct WindowBanks {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset: no bank has a valid entry.
    pub reset: Signal<In, Bit>,
    /// The bank table takes `write` at this edge.
    pub writes: Signal<In, Bit>,
    /// A write of the bank table, of whichever bank.
    pub write: Signal<In, BankWrite>,
    /// Granules of 16 bytes of bank 0 that lie before the kernel parameters.
    pub skipped: Signal<In, Bits<12>>,
    /// Byte address of bank 3.
    pub const_base: Signal<Out, Bits<ADDR>>,
    /// Its granules; 0 if it has no valid entry.
    pub const_granules: Signal<Out, Bits<13>>,
    /// Byte address of the kernel parameters.
    pub param_base: Signal<Out, Bits<ADDR>>,
    /// Granules of bank 0 from there on; 0 if it has no valid entry.
    pub param_granules: Signal<Out, Bits<13>>,

    const_at: Register<Bits<ADDR>>,
    const_holds: Register<Bits<13>>,
    param_at: Register<Bits<ADDR>>,
    param_holds: Register<Bits<13>>,
    shown_at: Register<Bits<ADDR>>,
    /// Granules that the bank written has.
    written: Signal<Local, Bits<13>>,
}

impl Logic for WindowBanks {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, const_at, const_holds, param_at, param_holds, shown_at);
        self.written.next = 0.into();
        if self.write.val().valid {
            self.written.next = self.write.val().size.get_bits::<13>(4);
        }
        if self.writes.val() & (self.write.val().index == 3) {
            self.const_at.d.next = self.write.val().base;
            self.const_holds.d.next = self.written.val();
        }
        if self.writes.val() & (self.write.val().index == 0) {
            self.param_at.d.next = self.write.val().base;
            self.param_holds.d.next = self.written.val();
        }
        self.shown_at.d.next = self.param_at.q.val() + (bit_cast::<ADDR, 12>(self.skipped.val()) << 4);
        self.const_base.next = self.const_at.q.val();
        self.const_granules.next = self.const_holds.q.val();
        self.param_base.next = self.shown_at.q.val();
        self.param_granules.next = 0.into();
        if self.param_holds.q.val() > bit_cast::<13, 12>(self.skipped.val()) {
            self.param_granules.next = self.param_holds.q.val() - bit_cast::<13, 12>(self.skipped.val());
        }
    }
}
