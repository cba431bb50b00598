//! `LdcAddress`: bank and byte address of one lane of an LDC (LDC-1, LDC-2, LDC-3, LDC-4, LDC-5, LDC-6, LDC-7) or of a constant load
//! (CONST). Combinational.
//!
//! ```text
//! ra ──────┐
//! addend ──┴─► sum ─► address, outside
//! ra or sum, upper half ─┬─► + bank ─► bank_sum ─► bank_low, unsupported, upper_bank
//!                        └─► too far for any bank, or 16 bits left ─► beyond
//! ```
//!
//! One adder serves all four modes and constant loads, which are like mode IA but for sums of more than 32 bits. The low halves alone would give the same low half; their sum leaves 16 bits, up or down, exactly when it
//! changes the upper half of `ra`, and the immediate, which has 16 bits and a sign, changes that by 1 at most: so one bit tells.
//!
//! Not here: the bank's size and whether it is bound, which one look-up for each pass decides
//! ([`BankTable`](super::bank_table::BankTable)).

use super::prelude::*;

/// Bank and byte address of one lane.
#[derive(LogicBlock, Default)]
pub struct LdcAddress {
    /// A constant load: all bits of operand and sum count, not 32.
    pub is_load: Signal<In, Bit>,
    /// Register operand, an unsigned byte address; 0 if there is none (LDC-1).
    pub ra: Signal<In, Bits<ADDR>>,
    /// Immediate, signed, of every lane, and what else is added to the operand; without an operand the address (LDC-1, LDC-2).
    pub addend: Signal<In, Bits<SUM>>,
    /// Bank named by the instruction.
    pub bank: Signal<In, Bits<5>>,
    /// 0 IA, 1 IL, 2 IS, 3 ISL.
    pub mode: Signal<In, Bits<2>>,
    /// Compute mode: 8 banks exist; else graphics mode: 18.
    pub compute: Signal<In, Bit>,
    /// The sum, as fault records name it; while neither `beyond` nor `unsupported` is high, the low half is the byte address inside the bank.
    pub address: Signal<Out, Bits<ADDR>>,
    /// The sum of a constant load does not fit an address.
    pub outside: Signal<Out, Bit>,
    /// Low bits of the bank sum; the bank itself while neither `beyond` nor `unsupported` is high.
    pub bank_low: Signal<Out, Bits<5>>,
    /// The sum leaves its bank, or the bank all banks: the result is 0 whatever the bank table says (LDC-3, LDC-5).
    pub beyond: Signal<Out, Bit>,
    /// So it is because there is no such bank, as far as `bank_low` tells (LDC-6, LDC-7).
    pub unsupported: Signal<Out, Bit>,
    /// Bank 8 or more, which the source calls unpredictable in compute mode (LDC-7).
    pub upper_bank: Signal<Out, Bit>,
    is_linear: Signal<Local, Bit>,
    segmented: Signal<Local, Bit>,
    segment: Signal<Local, Bits<32>>,
    sum: Signal<Local, Bits<SUM>>,
    overflows: Signal<Local, Bit>,
    is_far: Signal<Local, Bit>,
    bank_sum: Signal<Local, Bits<6>>,
    /// The bank sum is more than 7.
    above_seven: Signal<Local, Bit>,
    /// It is more than 13.
    above_thirteen: Signal<Local, Bit>,
    /// It is more than 17.
    above_seventeen: Signal<Local, Bit>,
}

impl Logic for LdcAddress {
    #[hdl_gen]
    fn update(&mut self) {
        self.is_linear.next = self.mode.val() == MODE_IL;
        self.segmented.next = self.mode.val().get_bit(1);
        self.sum.next = bit_cast::<SUM, ADDR>(self.ra.val()) + self.addend.val();

        // LDC-2, CONST: sums of LDC wrap at 32 bits.
        self.address.next = bit_cast::<ADDR, 32>(self.sum.val().get_bits::<32>(0));
        if self.is_load.val() {
            self.address.next = self.sum.val().get_bits::<ADDR>(0);
        }
        self.outside.next = self.is_load.val() & self.sum.val().get_bits::<2>(ADDR).any();

        // LDC-3, LDC-4, LDC-5: what is added to the bank, and whether the rest does not fit 16 bits.
        self.segment.next = 0.into();
        self.overflows.next = (self.address.val() >> 16).any();
        if self.is_linear.val() {
            self.segment.next = self.sum.val().get_bits::<32>(0) >> 16;
            self.overflows.next = false;
        }
        if self.segmented.val() {
            self.segment.next = self.ra.val().get_bits::<32>(0) >> 16;
            self.overflows.next = self.sum.val().get_bit(16) ^ self.ra.val().get_bit(16);
            if IS_WRAPS == 1 {
                self.overflows.next = false;
            }
        }
        // A segment of 32 and more leaves all banks behind whatever it is added to: two sums behind each other are long enough.
        self.is_far.next = (self.segment.val() >> 5).any();
        self.beyond.next = self.is_far.val() | self.overflows.val();
        self.bank_sum.next = bit_cast::<6, 5>(self.bank.val()) + bit_cast::<6, 5>(self.segment.val().get_bits::<5>(0));
        self.bank_low.next = self.bank_sum.val().get_bits::<5>(0);

        // Told of their bits, as a comparison would be a third sum behind the two.
        self.above_seven.next = (self.bank_sum.val() >> 3).any();
        self.above_thirteen.next = (self.bank_sum.val() >> 4).any() | self.bank_sum.val().get_bits::<3>(1).all();
        self.above_seventeen.next = self.bank_sum.val().get_bit(5)
            | (self.bank_sum.val().get_bit(4) & self.bank_sum.val().get_bits::<3>(1).any());
        self.upper_bank.next = self.is_far.val() | self.above_seven.val();
        self.unsupported.next = self.above_seventeen.val()
            | (self.compute.val() & self.above_seven.val())
            | ((self.mode.val() == MODE_ISL) & self.above_thirteen.val());
    }
}
