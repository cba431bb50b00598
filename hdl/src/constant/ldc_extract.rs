//! `LdcExtract`: one register of every lane out of a 64-byte line (LDC-12). Combinational.
//!
//! For each lane, selects a 32-bit word, and for 8- and 16-bit sizes the byte or half-word in it, extended to
//! 32 bits. The selection is the longest path of the data stage: its inputs come straight from registers.

use std::array::from_fn;

use rust_hdl::prelude::*;

/// One register of every lane.
#[derive(LogicBlock)]
pub struct LdcExtract<const LANES: usize> {
    /// The line, word 0 lowest.
    pub line: [Signal<In, Bits<32>>; 16],
    /// Word of the line that each lane reads.
    pub word_index: [Signal<In, Bits<4>>; LANES],
    /// Byte in that word where an 8- or 16-bit access begins.
    pub byte_index: [Signal<In, Bits<2>>; LANES],
    /// log2 of the access size in bytes.
    pub size: Signal<In, Bits<3>>,
    /// Sign-extend 8 and 16 bits.
    pub sign: Signal<In, Bit>,
    /// The register of each lane.
    pub value: [Signal<Out, Bits<32>>; LANES],
    picked_index: Signal<Local, Bits<4>>,
    word: Signal<Local, Bits<32>>,
    picked_half: Signal<Local, Bits<16>>,
    picked_byte: Signal<Local, Bits<8>>,
}

impl<const LANES: usize> Default for LdcExtract<LANES> {
    fn default() -> Self {
        Self {
            line: from_fn(|_| Default::default()),
            word_index: from_fn(|_| Default::default()),
            byte_index: from_fn(|_| Default::default()),
            size: Default::default(),
            sign: Default::default(),
            value: from_fn(|_| Default::default()),
            picked_index: Default::default(),
            word: Default::default(),
            picked_half: Default::default(),
            picked_byte: Default::default(),
        }
    }
}

impl<const LANES: usize> Logic for LdcExtract<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..LANES {
            self.picked_index.next = self.word_index[i].val();
            self.word.next = self.line[self.picked_index.val().index()].val();
            self.picked_half.next = self.word.val().get_bits::<16>(0);
            if self.byte_index[i].val().get_bit(1) {
                self.picked_half.next = self.word.val().get_bits::<16>(16);
            }
            self.picked_byte.next = self.picked_half.val().get_bits::<8>(0);
            if self.byte_index[i].val().get_bit(0) {
                self.picked_byte.next = self.picked_half.val().get_bits::<8>(8);
            }
            self.value[i].next = self.word.val();
            if self.size.val() == 1 {
                self.value[i].next = self.picked_half.val().get_bits::<32>(0);
                if self.sign.val() & self.picked_half.val().get_bit(15) {
                    self.value[i].next = self.picked_half.val().get_bits::<32>(0) | 0xffff0000u64;
                }
            }
            if self.size.val() == 0 {
                self.value[i].next = self.picked_byte.val().get_bits::<32>(0);
                if self.sign.val() & self.picked_byte.val().get_bit(7) {
                    self.value[i].next = self.picked_byte.val().get_bits::<32>(0) | 0xffffff00u64;
                }
            }
        }
    }
}
