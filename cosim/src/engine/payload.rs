//! An input payload between its transfers: while its `valid` is low nobody may look at it, so every bit of it is another one than it was.

use lsu_model::pins::Pin;

use crate::verilator::Layout;

/// The input words of one payload.
#[derive(Clone, Debug)]
pub struct Payload {
    /// With ones where its pins have bits.
    words: Vec<(usize, u32)>,
    is_meant: bool,
}

impl Payload {
    /// The words of `pins`; `None` if the layout lacks one.
    pub fn new(pins: &[Pin], layout: &Layout) -> Option<Self> {
        let mut words = Vec::new();
        for pin in pins {
            let port = layout.port(pin.name)?;
            for (word, first) in (port.word_offset..).zip((0..port.width).step_by(32)) {
                words.push((word, u32::MAX >> (32 - (port.width - first).min(32))));
            }
        }
        Some(Self { words, is_meant: false })
    }

    /// Whether what stands in the words is what was meant: it has not been spoilt since it was valid.
    pub fn is_meant(&self) -> bool {
        self.is_meant
    }

    /// While the payload is valid `put` may put it into the words; once it is not, every bit is another one than it was.
    #[inline(always)]
    pub fn carry(&mut self, is_valid: bool, words: &mut [u32], put: impl FnOnce(&mut [u32])) {
        if is_valid {
            put(words);
        } else if self.is_meant {
            self.words.iter().for_each(|(word, mask)| words[*word] ^= mask);
        }
        self.is_meant = is_valid;
    }
}
