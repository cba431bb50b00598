//! `LdcExtract`: the bytes of a register out of the word of each lane (LDC-12). Combinational.
//!
//! Stands behind register `wb`: the line's multiplexers fill the data stage, and one level of byte selection and
//! sign extension is what is left for the cycle in which `wb` is offered.

use super::prelude::*;

/// One register of every lane, extended to 32 bits.
#[derive(LogicBlock, Default)]
pub struct LdcExtract {
    /// Word in which each lane's access begins.
    pub word: Many<Signal<In, Bits<32>>, LANES>,
    /// Byte in that word where an 8- or 16-bit access begins.
    pub byte_index: Many<Signal<In, Bits<2>>, LANES>,
    /// Lanes that take data; the others are 0.
    pub served: Signal<In, Bits<LANES>>,
    /// log2 of the access size in bytes.
    pub size: Signal<In, Bits<3>>,
    /// Sign-extend 8 and 16 bits.
    pub sign: Signal<In, Bit>,
    /// The register of each lane.
    pub value: Many<Signal<Out, Bits<32>>, LANES>,
    picked_half: Signal<Local, Bits<16>>,
    picked_byte: Signal<Local, Bits<8>>,
}

impl Logic for LdcExtract {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..LANES {
            self.picked_half.next = self.word[i].val().get_bits::<16>(0);
            if self.byte_index[i].val().get_bit(1) {
                self.picked_half.next = self.word[i].val().get_bits::<16>(16);
            }
            self.picked_byte.next = self.picked_half.val().get_bits::<8>(0);
            if self.byte_index[i].val().get_bit(0) {
                self.picked_byte.next = self.picked_half.val().get_bits::<8>(8);
            }
            self.value[i].next = self.word[i].val();
            if self.size.val() == SIZE_16 {
                self.value[i].next = self.picked_half.val().get_bits::<32>(0);
                if self.sign.val() & self.picked_half.val().get_bit(15) {
                    self.value[i].next = self.picked_half.val().get_bits::<32>(0) | 0xffff0000u64;
                }
            }
            if self.size.val() == SIZE_8 {
                self.value[i].next = self.picked_byte.val().get_bits::<32>(0);
                if self.sign.val() & self.picked_byte.val().get_bit(7) {
                    self.value[i].next = self.picked_byte.val().get_bits::<32>(0) | 0xffffff00u64;
                }
            }
            if !self.served.val().get_bit(i) {
                self.value[i].next = 0.into();
            }
        }
    }
}
