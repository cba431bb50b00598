//! `LdcAddress`: bank and byte address of one lane's LDC (LDC-1, LDC-2, LDC-3, LDC-4, LDC-5, LDC-6, LDC-7). Combinational.
//!
//! ```text
//! ra, ra_is_rz ─► base ──┐
//! imm ──► offset ────────┴─► sum ─► address
//! ra or sum, upper half ─────► + bank ─► bank_sum ─► unsupported, unpredictable
//! ```
//!
//! One adder serves all four modes: the segmented modes only feed it the low half of `ra`.
//!
//! Not here: the bank's size and whether it is bound, which one look-up for each pass decides
//! ([`BankTable`](super::bank_table::BankTable)).

use super::prelude::*;

/// Bank and byte address of one lane.
#[derive(LogicBlock, Default)]
pub struct LdcAddress {
    /// Register operand, an unsigned byte address.
    pub ra: Signal<In, Bits<32>>,
    /// No register operand: `imm` is an unsigned 16-bit address (LDC-1).
    pub ra_is_rz: Signal<In, Bit>,
    /// Immediate, signed unless `ra_is_rz`.
    pub imm: Signal<In, Bits<16>>,
    /// Bank named by the instruction.
    pub bank: Signal<In, Bits<5>>,
    /// 0 IA, 1 IL, 2 IS, 3 ISL.
    pub mode: Signal<In, Bits<2>>,
    /// Compute mode: 8 banks exist; else graphics mode: 18.
    pub compute: Signal<In, Bit>,
    /// Byte address inside the bank; all 32 bits count.
    pub address: Signal<Out, Bits<32>>,
    /// Low bits of the bank sum; the bank itself while `unsupported` is low.
    pub bank_low: Signal<Out, Bits<5>>,
    /// The result is 0 whatever the bank table says (LDC-3, LDC-5, LDC-6, LDC-7).
    pub unsupported: Signal<Out, Bit>,
    /// Bank 8 or more, which the source calls unpredictable in compute mode (LDC-7).
    pub upper_bank: Signal<Out, Bit>,
    is_linear: Signal<Local, Bit>,
    segmented: Signal<Local, Bit>,
    base: Signal<Local, Bits<32>>,
    segment: Signal<Local, Bits<32>>,
    offset: Signal<Local, Bits<32>>,
    sum: Signal<Local, Bits<32>>,
    bank_sum: Signal<Local, Bits<17>>,
}

impl Logic for LdcAddress {
    #[hdl_gen]
    fn update(&mut self) {
        // LDC-1, LDC-2: without a register the immediate is unsigned and there is nothing to add.
        self.offset.next = bit_cast::<32, 16>(self.imm.val());
        if self.imm.val().get_bit(15) & !self.ra_is_rz.val() {
            self.offset.next = bit_cast::<32, 16>(self.imm.val()) | 0xffff0000u64;
        }
        self.is_linear.next = self.mode.val() == MODE_IL;
        self.segmented.next = self.mode.val().get_bit(1);
        self.base.next = self.ra.val();
        if self.segmented.val() {
            self.base.next = self.ra.val() & 0xffff;
        }
        if self.ra_is_rz.val() {
            self.base.next = 0.into();
        }
        self.sum.next = self.base.val() + self.offset.val();

        // LDC-3, LDC-4, LDC-5: where the address comes from, and what is added to the bank.
        self.address.next = self.sum.val();
        self.segment.next = 0.into();
        if self.is_linear.val() {
            self.address.next = self.sum.val() & 0xffff;
            self.segment.next = self.sum.val() >> 16;
        }
        if self.segmented.val() {
            if !self.ra_is_rz.val() {
                self.segment.next = self.ra.val() >> 16;
            }
            if IS_WRAPS == 1 {
                self.address.next = self.sum.val() & 0xffff;
            }
        }
        self.bank_sum.next = bit_cast::<17, 5>(self.bank.val()) + bit_cast::<17, 32>(self.segment.val());
        self.bank_low.next = self.bank_sum.val().get_bits::<5>(0);

        self.upper_bank.next = self.bank_sum.val() > 7;
        self.unsupported.next = (self.bank_sum.val() > 17)
            | (self.compute.val() & (self.bank_sum.val() > 7))
            | ((self.mode.val() == MODE_ISL) & (self.bank_sum.val() > 13))
            | (self.address.val() > 0xffff);
    }
}
