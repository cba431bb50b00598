//! The registers of a lane, and which bytes each of them takes.

/// The registers that an LDC or a constant load writes in each lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Destination {
    pub first: u8,
    /// How many there are: at most [`MAX_REGISTERS`].
    pub count: u8,
    /// How many an element takes.
    pub element_registers: u8,
    /// Bytes of an element.
    pub element_bytes: u64,
    /// What is narrower than its registers is a number with sign.
    pub sign: bool,
    /// Elements that are not written.
    pub sink: u32,
}

/// Registers of the widest operation, which is illegal and has no active lane.
pub(super) const MAX_REGISTERS: usize = 32;

impl Destination {
    /// Whether register `beat` is written at all.
    pub(super) fn writes(&self, beat: u8) -> bool {
        self.sink >> (beat / self.element_registers) & 1 == 0
    }

    /// Bytes of an element that one register takes.
    pub(super) fn part(&self) -> u64 {
        self.element_bytes.min(4)
    }

    /// Whether register `beat` lies above all bytes of its element, and holds its sign.
    pub(super) fn is_above(&self, beat: u8) -> bool {
        4 * u64::from(beat % self.element_registers) >= self.element_bytes
    }

    /// Where the bytes of register `beat` begin, counted from the lane's address.
    pub(super) fn offset(&self, beat: u8) -> u64 {
        u64::from(beat / self.element_registers) * self.element_bytes + 4 * u64::from(beat % self.element_registers)
    }

    /// `number`, of as many bits as [`Destination::part`] has, as a register (LDC-12).
    pub(super) fn extended(&self, number: i64) -> u32 {
        let bits = 8 * self.part();
        let is_negative = self.sign && bits < 32 && number >= 1 << (bits - 1);
        let value = if is_negative { number - (1 << bits) } else { number };
        value.rem_euclid(1 << 32) as u32
    }
}
