//! Where the LDCs of a program go: few lines of few banks, and such as differ from them in one bit.

use super::ground::beyond;
use crate::program::{Bank, CONSTANT_BANK, Contents, PARAM_BANK};
use crate::random::Random;

/// Bytes of a line of the constant cache.
pub(crate) const LINE: u32 = 64;

/// The bank of programs that read one alone.
pub(crate) const BANK: u8 = 2;

/// Bits of a line's number in its bank.
const LINE_BITS: u64 = 10;

/// Bits of a line's key: the bank's number above the line's.
const KEY_BITS: u64 = 15;

/// Bits of a bank sum, and those of a bank's number.
const SUM_BITS: u64 = 17;
const BANK_BITS: u64 = 5;

/// Banks that there are in graphics mode, and in compute mode.
const BANKS: u8 = 18;
const COMPUTE_BANKS: u8 = 8;

/// The largest bank.
pub(crate) const LARGEST: u32 = 0x1_0000;

/// Banks that the rules single out: the ends of both modes, of ISL and of the field.
const EDGE_BANKS: [u8; 10] = [0, 3, 7, 8, 13, 14, 17, 18, 24, 31];

/// Sizes of banks: the least, odd ends inside a line, and the largest.
const BANK_SIZES: [u32; 8] = [16, 48, 64, 0x90, 0x400, 0x1000, 0xfff0, LARGEST];

/// Banks that have a twin in the uppermost bit of their number.
const UPPER_TWINS: [u8; 4] = [0, 1, 16, 17];

/// How many of 100 programs write a bank that the table refuses because of one bit, and a base that is right but for it.
const REFUSED_PERCENT: u8 = 45;
const BASE: u64 = 0x1_0000;

/// Stream number of a program's banks, far from those of its surroundings.
const BANK_STREAM: u64 = 0x62_616e_6b73;

/// How many of 100 programs begin with a line of a bank that constant loads read.
const CONSTANT_FIRST_PERCENT: u8 = 30;

/// How many of 100 programs have each of the banks that constant loads read.
const CONSTANT_PERCENT: u8 = 85;

/// The banks that constant loads read.
const CONSTANT_BANKS: [u8; 2] = [PARAM_BANK, CONSTANT_BANK];

/// How many of 100 programs take a bank away at last whose number differs from the first one's in one bit.
const TAKEN_AWAY_PERCENT: u8 = 30;

/// A write of a bank that holds noise, somewhere.
pub(crate) fn bank(index: u8, size: u32) -> Bank {
    Bank { index, size, base: None, contents: Contents::Noise, valid: true }
}

/// A bank that is larger than the largest, no multiple of 16 bytes, or lies on no line: by one bit.
fn refused(index: u8, random: &mut Random) -> Bank {
    let bank = bank(index, LARGEST);
    match random.below(6) {
        0..3 => Bank { size: LARGEST | 1 << (4 + random.below(12)), ..bank },
        3 => Bank { size: 0x400 | 1 << random.below(4), ..bank },
        _ => Bank { base: Some(BASE | 1 << random.below(6)), ..bank },
    }
}

/// A place in a bank.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub bank: u8,
    pub address: u32,
}

/// The banks of a program.
#[derive(Clone, Debug)]
pub(super) struct Banks {
    /// Number and size, as they are written into the table.
    table: Vec<(u8, u32)>,
    /// A write that the table refuses because of one bit.
    refused: Option<Bank>,
    /// A write that makes an entry invalid.
    taken_away: Option<Bank>,
    /// First bytes of the lines that it goes to again and again.
    lines: Vec<Place>,
}

impl Banks {
    /// The banks of the program whose surroundings have the seed `seed`.
    pub fn new(seed: u64, compute: bool) -> Self {
        let mut random = Random::new(seed, BANK_STREAM);
        let count = if compute { COMPUTE_BANKS } else { BANKS };
        let first = Place {
            bank: match random.below(4) {
                // Of these the uppermost bit of the number decides.
                0 => UPPER_TWINS[random.below(4) as usize] % count,
                _ if random.chance(CONSTANT_FIRST_PERCENT) => CONSTANT_BANKS[random.below(2) as usize],
                _ => random.below(count.into()) as u8,
            },
            address: (random.below(1 << LINE_BITS) as u32 >> random.below(LINE_BITS)) * LINE,
        };
        let mut lines = vec![first];
        for _ in 0..1 + random.below(6) / 3 {
            let bit = if random.chance(20) { KEY_BITS - 1 } else { random.below(KEY_BITS) };
            let twin = first.twin(bit as u32);
            if twin.bank < count {
                lines.push(twin);
            }
        }
        // Neighbours in the same bank: other sets.
        lines.extend((1..random.below(4) as u32).map(|line| Place { address: first.address ^ (line * LINE), ..first }));
        let mut table: Vec<(u8, u32)> =
            lines.iter().map(|line| (line.bank, size_beyond(line.address, &mut random))).collect();
        for _ in 0..random.below(9) {
            table.push(match random.below(13) {
                0 => (random.below(32) as u8, random.below(0x1_ffff) as u32),
                _ => (bank_number(&mut random), size_beyond(0, &mut random)),
            });
        }
        for bank in CONSTANT_BANKS {
            if random.chance(CONSTANT_PERCENT) {
                table.push((bank, size_beyond(first.address, &mut random)));
            }
        }
        let refused = random.chance(REFUSED_PERCENT).then(|| refused(first.bank, &mut random));
        let taken_away = random.chance(TAKEN_AWAY_PERCENT).then(|| Bank {
            valid: false,
            ..bank(first.bank ^ 1 << random.below(BANK_BITS), 16 * random.below(4) as u32)
        });
        Self { table, refused, taken_away, lines }
    }

    /// The writes to the table.
    pub fn writes(&self) -> Vec<Bank> {
        let written = self.table.iter().map(|(index, size)| bank(*index, *size));
        // Behind all others, so that the bank keeps what was written before.
        written.chain(self.refused.clone()).chain(self.taken_away.clone()).collect()
    }

    /// The beginning of one of the lines.
    pub fn line(&self, random: &mut Random) -> Place {
        self.lines[random.below(self.lines.len() as u64) as usize]
    }

    /// A place in one of the lines, and the one that differs from it in a single bit of bank or line.
    pub fn twins(&self, random: &mut Random) -> [Place; 2] {
        let line = self.line(random);
        let place = Place { address: line.address + random.below(LINE.into()) as u32, ..line };
        let other = match random.below(2) {
            0 => self.line(random),
            _ => line.twin(random.below(KEY_BITS) as u32),
        };
        [place, Place { address: other.address + place.address % LINE, ..other }]
    }

    /// A place of which one bit decides on which side of its bank's end it lies.
    pub fn end(&self, random: &mut Random) -> Place {
        let (bank, size) = self.table[random.below(self.table.len() as u64) as usize];
        let address = beyond(size.into(), random.below(SUM_BITS) as u32, random);
        Place { bank, address: address as u32 }
    }

    /// Where one of the lines begins in a bank of constant loads, which may be a line of another bank.
    pub fn line_of(&self, bank: u8, random: &mut Random) -> u64 {
        let place = self.line(random);
        // Its neighbours lie in other sets.
        let beside = if place.bank == bank || random.chance(70) { 0 } else { LINE << random.below(3) };
        u64::from(place.address ^ beside)
    }

    /// The size of a bank as the table has it at last; that of the largest where it has none.
    pub fn size_of(&self, bank: u8) -> u32 {
        self.table.iter().rev().find(|(index, _)| *index == bank).map_or(LARGEST, |(_, size)| *size)
    }

    /// An address of which one bit decides on which side of the bank's end it lies.
    pub fn end_of(&self, bank: u8, random: &mut Random) -> u64 {
        beyond(self.size_of(bank).into(), random.below(SUM_BITS) as u32, random)
    }

    /// A bank of the program and its size, or any other bank.
    pub fn bank(&self, random: &mut Random) -> (u8, u32) {
        match random.below(4) {
            0 => (bank_number(random), LARGEST),
            _ => self.table[random.below(self.table.len() as u64) as usize],
        }
    }
}

impl Place {
    /// The line whose key differs from this one's in bit number `bit`.
    fn twin(self, bit: u32) -> Self {
        let line_bits = LINE_BITS as u32;
        if bit < line_bits {
            Self { address: self.address ^ LINE << bit, ..self }
        } else {
            Self { bank: self.bank ^ 1 << (bit - line_bits), ..self }
        }
    }
}

/// What is added to a bank's number to make a bank sum with one bit more than such numbers have.
pub(super) fn bank_surplus(random: &mut Random) -> u32 {
    1 << (BANK_BITS + random.below(SUM_BITS - BANK_BITS))
}

/// What is added to an address to make one with one bit more than addresses in banks have.
pub(super) fn address_surplus(random: &mut Random) -> u32 {
    1 << (16 + random.below(16))
}

fn bank_number(random: &mut Random) -> u8 {
    match random.below(8) {
        0..3 => random.below(4) as u8,
        3..7 => EDGE_BANKS[random.below(EDGE_BANKS.len() as u64) as usize],
        _ => random.below(32) as u8,
    }
}

/// The size of a bank that mostly reaches beyond `address`.
fn size_beyond(address: u32, random: &mut Random) -> u32 {
    let size = match random.below(8) {
        0..3 => return LARGEST,
        3 => return BANK_SIZES[random.below(BANK_SIZES.len() as u64) as usize],
        4 => 16 * (1 + random.below(0x1000)) as u32,
        _ => address + 16 * (1 + random.below(8)) as u32,
    };
    size.clamp(16, LARGEST)
}
