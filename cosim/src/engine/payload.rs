//! An input payload between its transfers: while its `valid` is low nobody may look at it, so every bit of it is another one than it was,
//! or only those that leave it one that could be meant.

use lsu_model::pins::Pin;

use crate::verilator::Layout;

/// The input words of one payload.
#[derive(Clone, Debug)]
pub struct Payload {
    /// With ones where its pins have bits; and where those have that are others if what was meant is even.
    words: Vec<(usize, u32, u32)>,
    is_meant: bool,
}

impl Payload {
    /// The words of `pins`; `None` if the layout lacks one.
    pub fn new(pins: &[Pin], layout: &Layout) -> Option<Self> {
        Self::plausible(pins, layout, |_| u32::MAX)
    }

    /// The words of `pins`, of which only the bits that `changing` has in the first word of a pin become others if what was meant
    /// is even: if its first pin is.
    pub fn plausible(pins: &[Pin], layout: &Layout, changing: impl Fn(&str) -> u32) -> Option<Self> {
        let mut words = Vec::new();
        for pin in pins {
            let port = layout.port(pin.name)?;
            for (word, first) in (port.word_offset..).zip((0..port.width).step_by(32)) {
                let mask = u32::MAX >> (32 - (port.width - first).min(32));
                words.push((word, mask, if first == 0 { mask & changing(pin.name) } else { mask }));
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
            let is_even = self.words.first().is_some_and(|(word, ..)| words[*word] & 1 == 0);
            for (word, all, some) in &self.words {
                words[*word] ^= if is_even { some } else { all };
            }
        }
        self.is_meant = is_valid;
    }
}
