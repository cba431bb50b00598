//! The 32-bit registers that an operation reads and writes on the port, and the names that a text gives them.

use lsu_model::pins::{MAX_LANES, RZ, Request};
use lsu_model::ptx::UpperHalf;

use super::ProgramOperation;

/// Names of the codes of `req_op` that have registers.
const LOAD: u8 = 0;
const STORE: u8 = 1;
const LDC: u8 = 2;

/// One beat of store data: one 32-bit register of every lane.
pub type Beat = [u32; MAX_LANES];

/// A register as a text names it: consecutive 32-bit registers of the unit, lowest word first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    /// The name, such as `%rd1` or `R4`.
    pub name: String,
    /// The first register of the unit.
    pub first: u8,
    /// How many there are: 1, 2 or 4.
    pub count: u8,
    /// Width of the named register in bits; what the unit writes above it does not count.
    pub bits: u16,
    /// What fills a 128-bit register above the 64 bits that the unit writes.
    pub upper_half: Option<UpperHalf>,
}

impl Destination {
    /// One register of the unit, by its number.
    pub fn numbered(number: u8) -> Self {
        Self { name: format!("R{number}"), first: number, count: 1, bits: 32, upper_half: None }
    }

    /// The value that the words `word(0)`, `word(1)`, … make; `None` where one of them was not written.
    pub fn value(&self, word: impl Fn(u8) -> Option<u32>) -> Option<u128> {
        let mut value = 0;
        for index in 0..self.count {
            value |= u128::from(word(index)?) << (32 * u32::from(index));
        }
        if self.upper_half == Some(UpperHalf::Sign) && self.count == 2 && value >> 63 == 1 {
            value |= u128::MAX << 64;
        }
        Some(value & mask(self.bits))
    }
}

/// The lowest `bits` bits, at most 128.
const fn mask(bits: u16) -> u128 {
    match bits {
        0..128 => (1 << bits) - 1,
        _ => u128::MAX,
    }
}

/// `value` as the bits of the register `name` of `bits` bits, 1 to 128.
pub(super) fn register_bits(name: &str, lane: usize, value: i128, bits: u16) -> Result<u128, String> {
    let is_within = bits >= 128 || value >> bits == 0 || value >> (bits - 1) == -1;
    match is_within {
        true => Ok(value as u128 & mask(bits)),
        false => Err(format!("{name} is {value} in lane {lane}, which does not fit {bits} bits")),
    }
}

/// Registers of one element of a load: 1, 2 or 4.
pub(super) fn registers_per_element(request: &Request) -> u8 {
    match request.size {
        0..=2 if request.dst_width == 2 => 2,
        0..=2 => 1,
        3 => 2,
        _ => 4,
    }
}

/// Beats that the unit takes for one element of a store.
pub(super) fn beats_per_element(size: u8) -> usize {
    match size {
        0..=2 => 1,
        3 => 2,
        _ => 4,
    }
}

/// Beats of data that the unit takes on `wdata` for `request`, faulty or not: 0 unless it is a store.
pub fn store_beats(request: &Request) -> usize {
    match request.op {
        STORE => beats_per_element(request.size) << (request.vec & 3),
        _ => 0,
    }
}

/// The registers that `operation` writes when it completes without a fault, by the names of its text where that is PTX.
pub fn destinations(operation: &ProgramOperation) -> Vec<Destination> {
    if !operation.named.is_empty() {
        return operation.named.clone();
    }
    let request = &operation.request;
    let (count, is_sunk): (u8, &dyn Fn(u8) -> bool) = match request.op {
        _ if request.rd == RZ => return Vec::new(),
        LDC if request.size == 3 => (2, &|_| false),
        LDC if request.size == 4 => (4, &|_| false),
        LDC => (1, &|_| false),
        LOAD => {
            let each = registers_per_element(request);
            (each << (request.vec & 3), &move |index| request.sink >> (index / each) & 1 == 1)
        }
        _ => return Vec::new(),
    };
    (0..count)
        .filter(|index| !is_sunk(*index))
        .filter_map(|index| request.rd.checked_add(index))
        .filter(|number| *number != RZ)
        .map(Destination::numbered)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beats_follow_size_and_vector() {
        let store = |size, vec| store_beats(&Request { op: 1, size, vec, ..Request::default() });
        assert_eq!([store(0, 0), store(2, 3), store(3, 2), store(4, 1), store(6, 3)], [1, 8, 8, 8, 32]);
        assert_eq!(store_beats(&Request::default()), 0);
    }

    #[test]
    fn words_make_one_value() {
        let named = |count, bits, upper_half| Destination { name: String::new(), first: 0, count, bits, upper_half };
        let word = |index: u8| Some(0x8000_0001 + u32::from(index));
        assert_eq!(named(2, 64, None).value(word), Some(0x8000_0002_8000_0001));
        assert_eq!(named(1, 16, None).value(word), Some(1));
        assert_eq!(named(2, 128, Some(UpperHalf::Zero)).value(word), Some(0x8000_0002_8000_0001));
        let extended = 0xffff_ffff_ffff_ffff_8000_0002_8000_0001;
        assert_eq!(named(2, 128, Some(UpperHalf::Sign)).value(word), Some(extended));
        assert_eq!(named(2, 64, None).value(|index| (index == 0).then_some(7)), None);
    }

    #[test]
    fn values_fit_signed_or_unsigned() {
        assert_eq!(register_bits("x", 0, -1, 16), Ok(0xffff));
        assert_eq!(register_bits("x", 0, 0xffff, 16), Ok(0xffff));
        assert!(register_bits("x", 0, -0x8001, 16).is_err());
        assert!(register_bits("x", 0, 0x1_0000, 16).is_err());
        assert_eq!(register_bits("x", 0, -1, 128), Ok(u128::MAX));
    }
}
