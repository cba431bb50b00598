//! An input payload between its transfers: while its `valid` is low nobody may look at it, so every bit of it is another one than it was.

use lsu_model::pins::Pin;

use crate::verilator::Layout;

/// The input words of one payload.
#[derive(Clone, Debug)]
pub struct Payload {
    /// With ones where its pins have bits.
    words: Vec<(usize, u32)>,
    /// What stands in the words is what was meant: it has not been spoilt since it was valid.
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

    /// The payload is valid and about to be put into the words; whether it has to be, even if it is the one that stood there last.
    pub fn begin(&mut self) -> bool {
        !std::mem::replace(&mut self.is_meant, true)
    }

    /// The payload is not valid any more: every bit is another one from now on, since nobody may look.
    pub fn end(&mut self, words: &mut [u32]) {
        if std::mem::take(&mut self.is_meant) {
            self.words.iter().for_each(|(word, mask)| words[*word] ^= mask);
        }
    }
}
