//! `LdcExtract`: one register of every lane out of a 64-byte line (LDC-12). Combinational.
//!
//! For each lane, selects the 32-bit word at `offset` + 4 x `beat`, and for 8- and 16-bit sizes the byte or half-word in it, extended to
//! 32 bits. Accesses are aligned (LDC-9), so the sum needs no adder.

use std::array::from_fn;

use rust_hdl::prelude::*;

/// One register of every lane.
#[derive(LogicBlock)]
pub struct LdcExtract<const LANES: usize> {
    /// The line, word 0 lowest.
    pub line: [Signal<In, Bits<32>>; 16],
    /// Byte in the line where each lane's access begins.
    pub offset: [Signal<In, Bits<6>>; LANES],
    /// Which 32-bit register of the access.
    pub beat: Signal<In, Bits<2>>,
    /// log2 of the access size in bytes.
    pub size: Signal<In, Bits<3>>,
    /// Sign-extend 8 and 16 bits.
    pub sign: Signal<In, Bit>,
    /// The register of each lane.
    pub value: [Signal<Out, Bits<32>>; LANES],
    word_index: Signal<Local, Bits<4>>,
    word: Signal<Local, Bits<32>>,
    half: Signal<Local, Bits<16>>,
    byte: Signal<Local, Bits<8>>,
}

impl<const LANES: usize> Default for LdcExtract<LANES> {
    fn default() -> Self {
        Self {
            line: from_fn(|_| Default::default()),
            offset: from_fn(|_| Default::default()),
            beat: Default::default(),
            size: Default::default(),
            sign: Default::default(),
            value: from_fn(|_| Default::default()),
            word_index: Default::default(),
            word: Default::default(),
            half: Default::default(),
            byte: Default::default(),
        }
    }
}

impl<const LANES: usize> Logic for LdcExtract<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..LANES {
            self.word_index.next = self.offset[i].val().get_bits::<4>(2) | self.beat.val().get_bits::<4>(0);
            self.word.next = self.line[self.word_index.val().index()].val();
            self.half.next = self.word.val().get_bits::<16>(0);
            if self.offset[i].val().get_bit(1) {
                self.half.next = self.word.val().get_bits::<16>(16);
            }
            self.byte.next = self.half.val().get_bits::<8>(0);
            if self.offset[i].val().get_bit(0) {
                self.byte.next = self.half.val().get_bits::<8>(8);
            }
            self.value[i].next = self.word.val();
            if self.size.val() == 1 {
                self.value[i].next = self.half.val().get_bits::<32>(0);
                if self.sign.val() & self.half.val().get_bit(15) {
                    self.value[i].next = self.half.val().get_bits::<32>(0) | 0xffff0000u64;
                }
            }
            if self.size.val() == 0 {
                self.value[i].next = self.byte.val().get_bits::<32>(0);
                if self.sign.val() & self.byte.val().get_bit(7) {
                    self.value[i].next = self.byte.val().get_bits::<32>(0) | 0xffffff00u64;
                }
            }
        }
    }
}
