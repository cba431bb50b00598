//! GPU architectures and what differs between them for constant loads.

use std::fmt;

/// An architecture whose machine code is known, by its SM number (50 to 121).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Architecture(u16);

/// SM numbers with machine code of their own.
const KNOWN: [u16; 21] = [50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 88, 89, 90, 100, 101, 103, 110, 120, 121];

impl Architecture {
    /// The architecture of SM number `number`, where it is one of the known.
    pub fn new(number: u16) -> Option<Self> {
        KNOWN.contains(&number).then_some(Self(number))
    }

    /// Reads `SM90`, `sm_90`, `sm_90a`, `90` and the like.
    pub fn parse(text: &str) -> Option<Self> {
        let lower = text.trim().to_ascii_lowercase();
        let number = lower.strip_prefix("sm").unwrap_or(&lower);
        let number = number.strip_prefix('_').unwrap_or(number);
        let number = number.strip_suffix(['a', 'f']).unwrap_or(number);
        Self::new(number.parse().ok()?)
    }

    /// Every known architecture, oldest first.
    pub fn all() -> impl Iterator<Item = Self> {
        KNOWN.iter().map(|number| Self(*number))
    }

    /// The SM number.
    pub fn number(self) -> u16 {
        self.0
    }

    /// Whether instructions are 64-bit words (SM50 to SM62) rather than 128-bit words.
    pub fn is_short_word(self) -> bool {
        self.0 < 70
    }

    /// Whether LDC may take its bank from a uniform register (`cx[UR4]`).
    pub fn has_bindless(self) -> bool {
        self.0 >= 75
    }

    /// Whether the bindless LDC has address modes; SM75 has the form without them and ignores their bits.
    pub fn has_bindless_modes(self) -> bool {
        self.0 >= 80
    }

    /// Whether the uniform constant load is called ULDC here.
    pub fn has_uldc(self) -> bool {
        (75..100).contains(&self.0)
    }

    /// Whether the uniform constant load is called LDCU here.
    pub fn has_ldcu(self) -> bool {
        self.0 >= 100
    }

    /// The number of URZ, the uniform register that reads as zero.
    pub fn uniform_zero(self) -> u8 {
        if self.has_ldcu() { 255 } else { 63 }
    }
}

impl fmt::Display for Architecture {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "SM{}", self.0)
    }
}
