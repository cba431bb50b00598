//! How pins lie in the bytes of a frame: in order of their names, the first one lowest, without gaps.

use crate::verilator::{Direction, Layout};

/// Bits of a byte.
const BYTE: u32 = 8;

/// The pins of one direction.
#[derive(Clone, Debug)]
pub struct Packing {
    /// First word and bits of each.
    pins: Vec<(usize, u32)>,
    bits: u32,
}

impl Packing {
    /// The pins of `layout` in this direction.
    pub fn new(layout: &Layout, direction: Direction) -> Self {
        let pins = layout.ports().iter().filter(|port| port.direction == direction);
        let pins: Vec<_> = pins.map(|port| (port.word_offset, port.width)).collect();
        let bits = pins.iter().map(|(_, width)| width).sum();
        Self { pins, bits }
    }

    /// Bytes of all pins.
    pub fn bytes(&self) -> usize {
        self.bits.div_ceil(BYTE) as usize
    }

    /// Each pin's words with the bits in them, in order.
    fn words(&self) -> impl Iterator<Item = (usize, u32)> {
        self.pins.iter().flat_map(|&(first, width)| {
            (0..width.div_ceil(32)).map(move |word| (first + word as usize, (width - word * 32).min(32)))
        })
    }

    /// Puts the pins in `words` behind `bytes`, in front of them the bits that are too many: the board shifts them out.
    pub fn pack(&self, words: &[u32], bytes: &mut Vec<u8>) {
        let mut held: u64 = 0;
        let mut count = self.bits.next_multiple_of(BYTE) - self.bits;
        for (word, width) in self.words() {
            held |= (u64::from(words[word]) & ((1 << width) - 1)) << count;
            count += width;
            while count >= BYTE {
                bytes.push(held as u8);
                held >>= BYTE;
                count -= BYTE;
            }
        }
    }

    /// Takes the pins from `bytes`, behind which the bits that are too many are.
    pub fn unpack(&self, bytes: &[u8], words: &mut [u32]) {
        let (mut held, mut count): (u64, u32) = (0, 0);
        let mut bytes = bytes.iter();
        for (word, width) in self.words() {
            while count < width {
                held |= u64::from(bytes.next().copied().unwrap_or_default()) << count;
                count += BYTE;
            }
            words[word] = (held & ((1 << width) - 1)) as u32;
            held >>= width;
            count -= width;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Inputs of 1, 40 and 3 bits, by name; and their 6 bytes, in which the lowest four bits are too many.
    #[test]
    fn pins_lie_one_behind_the_other() {
        let input = |name, width| (name, width, Direction::Input);
        let layout =
            Layout::new([input("c", 3), input("clk", 1), input("b", 40), input("a", 1), ("d", 9, Direction::Output)]);
        let packing = Packing::new(&layout, Direction::Input);
        assert_eq!(packing.bytes(), 6);
        let mut bytes = vec![];
        packing.pack(&[1, 0x89ab_cdef, 0xffff_ff67, 0b101], &mut bytes);
        // c = 101, b = 0x6789abcdef, a = 1.
        let number: u64 = (0b101 << 41 | 0x67_89ab_cdef << 1 | 1) << 4;
        assert_eq!(bytes, number.to_le_bytes()[..6]);

        let outputs = Packing::new(&layout, Direction::Output);
        assert_eq!(outputs.bytes(), 2);
        let mut words = [0];
        outputs.unpack(&[0xa5, 0xff], &mut words);
        assert_eq!(words, [0x1a5]);
    }
}
