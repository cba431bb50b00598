//! `Crc16`: the checksum of a frame, a byte further.
//!
//! CRC-16 with the polynomial x^16 + x^12 + x^5 + 1, highest bit first, beginning with 0 (known as XMODEM's). The checksum of a text and, behind
//! it, of its own checksum, high byte first, is 0.

use rust_hdl::prelude::*;

/// x^12 + x^5 + 1; x^16 is what a shift loses.
const POLYNOMIAL: u64 = 0x1021;
/// Bits of a byte.
const BYTE: usize = 8;

/// The checksum of a frame, a byte further.
#[derive(LogicBlock, Default)]
pub struct Crc16 {
    /// Checksum of the bytes before.
    pub so_far: Signal<In, Bits<16>>,
    /// The next byte.
    pub data: Signal<In, Bits<8>>,
    /// Checksum with it.
    pub with_data: Signal<Out, Bits<16>>,
    remainder: Signal<Local, Bits<16>>,
}

impl Logic for Crc16 {
    #[hdl_gen]
    fn update(&mut self) {
        self.remainder.next = self.so_far.val();
        for i in 0..BYTE {
            if self.remainder.val().get_bit(15) ^ self.data.val().get_bit(BYTE - 1 - i) {
                self.remainder.next = (self.remainder.val() << 1) ^ POLYNOMIAL;
            } else {
                self.remainder.next = self.remainder.val() << 1;
            }
        }
        self.with_data.next = self.remainder.val();
    }
}
