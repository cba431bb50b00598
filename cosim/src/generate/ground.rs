//! Where the loads and stores of a program go: few lines, so that hits, joins, evictions and conflicts are common, and such
//! lines as only whole comparators tell apart.

use lsu_model::pins::Window;
use lsu_model::preset::Preset;

use crate::program::{Contents, MemoryBlock, MemorySpace, Window as GivenWindows, WindowPlace};
pub(crate) use crate::program::{LINE_BYTES as LINE, SECTOR_BYTES as SECTOR};
use crate::random::Random;

/// log2 of the bytes of a sector: the lowest bit by which the lanes of one pass can differ from those of another.
const SECTOR_BITS: u32 = 5;

/// log2 of the bytes of a line.
const LINE_BITS: u32 = 7;

/// Stream number of a program's ground, far from those of its surroundings.
const GROUND_STREAM: u64 = 0x6772_6f75_6e64;

/// Stream number of a program's windows.
const WINDOW_STREAM: u64 = 0x7769_6e64_6f77;

/// Most lines of a ground of neighbours.
const NEIGHBOURS: u64 = 4;

/// Lines of one set beyond its ways.
const SURPLUS_LINES: u64 = 2;

/// Bytes with contents at the end of the address space.
const TOP_BYTES: u64 = 0x400;

/// Lines with contents around the first one of a ground.
const CONTENT_LINES: u64 = 16;

/// The lines that a program goes to again and again.
#[derive(Clone, Debug)]
pub(super) struct Ground {
    address_bits: u32,
    lines: Vec<u64>,
    /// Bits of the address in which lines differ from the first.
    bits: Vec<u32>,
}

impl Ground {
    /// The ground of the program whose surroundings have the seed `seed`.
    pub fn new(preset: &Preset, seed: u64) -> Self {
        let mut random = Random::new(seed, GROUND_STREAM);
        let address_bits = preset.address_bits;
        let end = 1_u64 << address_bits;
        let first = match random.below(4) {
            0 => 0x1000,
            1 => end - LINE,
            _ => random.below(end / LINE) * LINE,
        };
        let mut ground = Self { address_bits, lines: vec![first], bits: Vec::new() };
        match random.below(10) {
            0..7 => ground.add_twins(&mut random),
            7..9 => ground.lines.extend((1..1 + random.below(NEIGHBOURS)).map(|line| first.wrapping_add(LINE * line))),
            _ => ground.add_rivals(preset, &mut random),
        }
        ground.lines.iter_mut().for_each(|line| *line &= end - 1);
        ground
    }

    /// Lines that differ from the first in one bit. More of them would not be in a cache together.
    fn add_twins(&mut self, random: &mut Random) {
        for _ in 0..1 + random.below(6) / 3 {
            let bit = LINE_BITS + random.below(u64::from(self.address_bits - LINE_BITS)) as u32;
            self.bits.push(bit);
            self.lines.push(self.lines[0] ^ 1 << bit);
        }
    }

    /// Lines of one set, more than it has ways; what falls into one set of the larger cache does so in the other.
    fn add_rivals(&mut self, preset: &Preset, random: &mut Random) {
        let set_bytes = preset.l1_sets.max(preset.ro_sets) as u64 * LINE;
        let rivals = preset.l1_ways.max(preset.ro_ways) as u64 + SURPLUS_LINES;
        let first = self.lines[0];
        self.lines.extend((1..2 + random.below(rivals - 1)).map(|rival| first.wrapping_add(set_bytes * rival)));
        // As many in a set beside it: what is said of one set's ways must not count for the other's.
        if random.chance(50) {
            let beside = LINE << random.below(3);
            for place in 0..self.lines.len() {
                self.lines.push(self.lines[place] ^ beside);
            }
        }
    }

    /// Contents, so that a word, or a byte of one, from another place shows.
    pub fn memory(&self) -> Vec<MemoryBlock> {
        let end = 1_u64 << self.address_bits;
        let block =
            |address, bytes| MemoryBlock { space: MemorySpace::Global, address, bytes, contents: Contents::Noise };
        let mut blocks: Vec<MemoryBlock> =
            self.lines.iter().skip(1).map(|line| block(*line, LINE.min(end - line))).collect();
        let first = self.lines[0];
        blocks.push(block(first, (CONTENT_LINES * LINE).min(end - first)));
        blocks.push(block(end - TOP_BYTES, TOP_BYTES));
        blocks
    }

    /// A base for a constant bank over the lines in use, so that stores change what LDC reads.
    pub fn bank_base(&self) -> u64 {
        self.lines[0]
    }

    /// Another line.
    pub fn add(&mut self, line: u64) {
        self.lines.push(line);
    }

    /// One of the lines.
    pub fn line(&self, random: &mut Random) -> u64 {
        self.lines[random.below(self.lines.len() as u64) as usize]
    }

    /// An address in one of the lines, and the one that differs from it in a single bit: mostly one that leads to another
    /// of the lines, or to another sector.
    pub fn twins(&self, random: &mut Random) -> [u64; 2] {
        let address = self.line(random) + random.below(LINE);
        let bit = match random.below(10) {
            0..5 if !self.bits.is_empty() => self.bits[random.below(self.bits.len() as u64) as usize],
            0..7 => SECTOR_BITS + random.below(2) as u32,
            _ => SECTOR_BITS + random.below(u64::from(self.address_bits - SECTOR_BITS)) as u32,
        };
        [address, address ^ 1 << bit]
    }

    /// An address near an edge of the address space or of a window.
    pub fn edge(&self, windows: &[Window; 4], random: &mut Random) -> u64 {
        let around = random.below(0x100).wrapping_sub(0x80);
        let end = 1_u64 << self.address_bits;
        match random.below(6) {
            0 => random.below(0x80),
            1 => end - 1 - random.below(0x80),
            2 => end.wrapping_add(around),
            3 => random.next_bits(),
            _ => {
                let window = windows[random.below(4) as usize];
                window.base.wrapping_add(if random.chance(50) { window.size } else { 0 }).wrapping_add(around)
            }
        }
    }

    /// An address of which one bit decides on which side of a window's end it lies.
    pub fn end(&self, windows: &[Window; 4], random: &mut Random) -> u64 {
        let Window { base, size } = windows[random.below(4) as usize];
        base.wrapping_add(beyond(size, random.below(u64::from(self.address_bits)) as u32, random))
    }

    /// The sum of `immediate` and an operand, as [`carry`] makes them, near one of the lines.
    pub fn carry(&self, immediate: i32, random: &mut Random) -> u64 {
        carry(self.line(random), immediate.into(), self.address_bits, random)
    }

    /// Other bases and sizes for the generic windows: anywhere, but some begin amid the lines in use.
    pub fn windows(&self, seed: u64) -> GivenWindows {
        let mut random = Random::new(seed, WINDOW_STREAM);
        let near = random.below(12);
        let mut place = |number: u64| {
            let line = self.line(&mut random) + 32 * random.below(4);
            let anywhere = random.below(1 << self.address_bits);
            // As many sizes with few bits as with many.
            let size = random.next_bits() >> (64 - self.address_bits) >> random.below(u64::from(self.address_bits));
            let is_near = number == near;
            WindowPlace {
                base: Some(if is_near { line } else { anywhere }),
                size: Some(if is_near { size.min(8 * LINE) } else { size }),
            }
        };
        GivenWindows {
            shared: place(0),
            local: place(1),
            constant: place(2),
            param: place(3),
            local_memory: Some(random.below(1 << self.address_bits)),
            ..GivenWindows::default()
        }
    }
}

/// The sum of `displacement` and an operand between which lies a number with many zeros at its end, so that a carry or a
/// borrow goes as far as one of the bits of the address; above that bit it is as `near`.
pub(super) fn carry(near: u64, displacement: i64, address_bits: u32, random: &mut Random) -> u64 {
    let distance = displacement.unsigned_abs().max(1);
    let least = distance.ilog2() + 1;
    let most = u64::from(address_bits.saturating_sub(least).max(1));
    // Half of them no further than they must.
    let most = if random.chance(50) { most.min(4) } else { most };
    let bit = least + random.below(most) as u32;
    let boundary = near >> bit << bit | 1 << bit;
    let below = boundary - 1 - random.below(distance);
    if displacement > 0 { below + distance } else { below }
}

/// An immediate of either sign for [`carry`], as often a short one as a long one.
pub(super) fn carrying_immediate(random: &mut Random) -> u32 {
    let is_positive = random.chance(50);
    let reach = 2 << random.below(12);
    let near = 1 + random.below(reach) as u32;
    if is_positive { near } else { near.wrapping_neg() }
}

/// A number that is less than `end`, or is not, by its bit number `bit` alone: it agrees with `end` above that bit, and
/// what lies below says the opposite, as far as `end` has bits there.
pub(super) fn beyond(end: u64, bit: u32, random: &mut Random) -> u64 {
    let below = end & ((1 << bit) - 1);
    let kept = (end ^ 1 << bit) & !((1 << bit) - 1);
    if end >> bit & 1 == 1 {
        kept + below + random.below(((1 << bit) - below).min(LINE))
    } else {
        kept + below.saturating_sub(1 + random.below(below.clamp(1, LINE)))
    }
}
