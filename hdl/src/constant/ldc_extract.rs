//! `LdcExtract`: the bytes of a register out of the word of each lane (LDC-12, BEAT). Combinational.
//!
//! Stands behind register `wb`: the line's multiplexers fill the data stage, and one level of byte selection and
//! sign extension is what is left for the cycle in which `wb` is offered. The word of a lane that takes no data is 0 there, and so is its value.

use super::prelude::*;

/// One register of every lane, extended to 32 bits.
#[derive(LogicBlock, Default)]
pub struct LdcExtract {
    /// Word in which each lane's access begins; 0 for a lane that takes no data.
    pub word: Many<Signal<In, Bits<32>>, LANES>,
    /// Byte in that word where each lane's access begins: a multiple of the access size.
    pub byte_index: Many<Signal<In, Bits<2>>, LANES>,
    /// log2 of the access size in bytes.
    pub size: Signal<In, Bits<3>>,
    /// Sign-extend.
    pub sign: Signal<In, Bit>,
    /// Lanes in whose upper register of an extended element every bit is 1; the word is 0 there, and the size `SIZE_8`.
    pub fill: Signal<In, Bits<LANES>>,
    /// Lanes whose value is extended with 1.
    pub negative: Signal<Out, Bits<LANES>>,
    /// The register of each lane.
    pub value: Many<Signal<Out, Bits<32>>, LANES>,
    is_byte: Signal<Local, Bit>,
    is_short: Signal<Local, Bit>,
    lowest: Signal<Local, Bits<8>>,
    is_negative: Signal<Local, Bit>,
    ones: Signal<Local, Bits<8>>,
    picked_half: Signal<Local, Bits<16>>,
    picked_byte: Signal<Local, Bits<8>>,
    top_bit: Signal<Local, Bit>,
    middle: Signal<Local, Bits<8>>,
    upper: Signal<Local, Bits<16>>,
}

impl Logic for LdcExtract {
    #[hdl_gen]
    fn update(&mut self) {
        self.is_byte.next = self.size.val() == SIZE_8;
        self.is_short.next = self.is_byte.val() | (self.size.val() == SIZE_16);
        self.negative.next = 0.into();
        for i in 0..LANES {
            // The low byte is the one at the index, whatever the size: what is longer begins at a multiple of its size.
            self.picked_half.next = self.word[i].val().get_bits::<16>(0);
            if self.byte_index[i].val().get_bit(1) {
                self.picked_half.next = self.word[i].val().get_bits::<16>(16);
            }
            self.picked_byte.next = self.picked_half.val().get_bits::<8>(0);
            if self.byte_index[i].val().get_bit(0) {
                self.picked_byte.next = self.picked_half.val().get_bits::<8>(8);
            }
            self.top_bit.next = self.word[i].val().get_bit(31);
            if self.is_short.val() {
                self.top_bit.next = self.picked_half.val().get_bit(15);
            }
            if self.is_byte.val() {
                self.top_bit.next = self.picked_byte.val().get_bit(7);
            }
            // LDC-12: a signed byte or half-word is extended by its top bit.
            self.is_negative.next = self.sign.val() & self.top_bit.val();
            self.negative.next = self.negative.val().replace_bit(i, self.is_negative.val());
            self.ones.next = 0.into();
            if self.fill.val().get_bit(i) {
                self.ones.next = 0xff.into();
            }
            self.lowest.next = self.picked_byte.val() | self.ones.val();
            self.middle.next = self.picked_half.val().get_bits::<8>(8);
            if self.is_byte.val() {
                self.middle.next = 0.into();
                if self.is_negative.val() | self.fill.val().get_bit(i) {
                    self.middle.next = 0xff.into();
                }
            }
            self.upper.next = self.word[i].val().get_bits::<16>(16);
            if self.is_short.val() {
                self.upper.next = 0.into();
                if self.is_negative.val() | self.fill.val().get_bit(i) {
                    self.upper.next = 0xffff.into();
                }
            }
            self.value[i].next = (bit_cast::<32, 16>(self.upper.val()) << 16)
                | (bit_cast::<32, 8>(self.middle.val()) << 8)
                | bit_cast::<32, 8>(self.lowest.val());
        }
    }
}
