//! The memory side's contents: constant banks, kernel parameters, blocks of global memory, and what has been written since.

use std::cell::Cell;

use lsu_model::pins::SECTOR_WORDS;
use lsu_model::preset::Preset;
use rustc_hash::FxHashMap;

use super::L2;
use crate::program::{Contents, LocalMemory, MemoryBlock, MemorySpace, Program, SECTOR_BYTES, bytes_of_thread};
use crate::random::{Random, mix};

/// Room that a bank without a base of its own gets: the largest size that the table's pins can carry, rounded up.
const BANK_ROOM: u64 = 0x4_0000;

/// Draws of a bank's place before an occupied one is accepted.
const PLACEMENT_DRAWS: usize = 64;

/// Makes noise of numbers that follow one another: odd, so that different numbers stay different; 2^32 over the golden ratio.
const NOISE_FACTOR: u32 = 0x9e37_79b1;

/// Stream number of the bank placement, far from those of the agents.
const PLACEMENT_STREAM: u64 = 0x706c_6163_6500;

#[derive(Debug)]
struct Region {
    /// First byte; of local memory that of every thread.
    first: u64,
    /// Bytes that have contents.
    bytes: u64,
    /// Bytes that belong to the region; beyond `bytes` they hold noise, so that an access past the end is noticed.
    room: u64,
    /// Pattern value of the first word.
    pattern: u32,
    /// The pattern is noise, not addresses.
    is_noise: bool,
    /// The words, if there is no pattern.
    words: Option<Vec<u32>>,
    /// Where it lies, if it is a block of local memory.
    local: Option<LocalPart>,
}

/// Where a block of the local memory of one unit lies.
#[derive(Clone, Copy, Debug)]
struct LocalPart {
    memory: LocalMemory,
    /// First byte of a part of memory that holds all of it, and its bytes.
    around: (u64, u64),
}

impl LocalPart {
    /// The local memory of unit `sm`.
    fn of(program: &Program, sm: u32) -> Self {
        let (preset, windows) = (&program.preset, program.windows(sm));
        let memory = LocalMemory::new(preset, &windows);
        let bytes = bytes_of_thread(preset, windows.local.size);
        Self { memory, around: memory.around(bytes) }
    }

    fn overlaps(&self, first: u64, room: u64) -> bool {
        overlap(self.around, (first, room))
    }
}

/// Whether two parts of memory, each a first byte and bytes, have one in common.
fn overlap(one: (u64, u64), other: (u64, u64)) -> bool {
    one.0 < other.0 + other.1 && other.0 < one.0 + one.1
}

/// A block, of one unit if it is one of local memory.
fn region_of(block: &MemoryBlock, local: Option<LocalPart>) -> Region {
    Region {
        first: block.address,
        bytes: block.bytes,
        room: block.bytes,
        pattern: block.address as u32,
        is_noise: is_noise(&block.contents),
        words: words_of(&block.contents),
        local,
    }
}

impl Region {
    /// Whether it may have a byte of the `room` bytes from `first` on.
    fn overlaps(&self, first: u64, room: u64) -> bool {
        overlap(self.around(), (first, room))
    }

    /// First byte of a part of memory that holds all of it, and its bytes.
    fn around(&self) -> (u64, u64) {
        self.local.map_or((self.first, self.room), |local| local.around)
    }

    /// The offset in the region of the byte at `address`, if it is one of the region's.
    fn offset(&self, address: u64) -> Option<u64> {
        let byte = match &self.local {
            None => address,
            Some(LocalPart { memory, around: (first, bytes) }) => {
                if address.wrapping_sub(*first) >= *bytes {
                    return None;
                }
                memory.offset(address)
            }
        };
        let offset = byte.wrapping_sub(self.first);
        (offset < self.room).then_some(offset)
    }

    fn word(&self, offset: u64) -> u32 {
        if offset >= self.bytes {
            return mix(self.first + offset) as u32;
        }
        match &self.words {
            Some(words) => words.get((offset / 4) as usize).copied().unwrap_or(0),
            None => {
                let address = self.pattern.wrapping_add(offset as u32);
                if self.is_noise { (address / 4).wrapping_mul(NOISE_FACTOR) } else { address }
            }
        }
    }
}

/// Memory as all units of a program see it. Words that nothing was said about are 0; where regions overlap the last one
/// holds, banks after blocks of memory and kernel parameters after banks.
#[derive(Debug)]
pub struct Memory {
    regions: Vec<Region>,
    /// Sectors written since, by address. Never iterated, so that its order cannot matter.
    written: FxHashMap<u64, [u32; SECTOR_WORDS]>,
    bank_bases: Vec<u64>,
    /// The region that answered last, if no later one lies over it: most accesses stay in one.
    recent: Cell<Option<usize>>,
    /// The cache before it, which all units share.
    l2: L2,
}

impl Memory {
    /// The memory of `program` before its first cycle.
    pub fn new(program: &Program) -> Self {
        let mut memory = Self {
            regions: Vec::new(),
            written: FxHashMap::default(),
            bank_bases: Vec::new(),
            recent: Cell::new(None),
            l2: L2::default(),
        };
        let locals: Vec<LocalPart> = (0..program.sms).map(|sm| LocalPart::of(program, sm)).collect();
        for block in &program.memory {
            match block.space {
                // These lie in their bank, which has no place yet.
                MemorySpace::Param => {}
                // These lie in the units.
                MemorySpace::Shared { .. } => {}
                MemorySpace::Global => memory.regions.push(region_of(block, None)),
                MemorySpace::Local => {
                    memory.regions.extend(locals.iter().map(|local| region_of(block, Some(*local))));
                }
            }
        }
        let mut random = Random::new(program.traffic.seed, PLACEMENT_STREAM);
        for bank in &program.banks {
            let first = bank.base.unwrap_or_else(|| memory.place(&mut random, &program.preset, &locals));
            memory.bank_bases.push(first);
            memory.regions.push(Region {
                first,
                bytes: u64::from(bank.size),
                room: u64::from(bank.size).next_multiple_of(64),
                pattern: u32::from(bank.index) << 16,
                is_noise: is_noise(&bank.contents),
                words: words_of(&bank.contents),
                local: None,
            });
        }
        if let Some(bank) = program.param_bank() {
            let start = memory.bank_bases[bank].wrapping_add(program.param_start());
            for block in program.params() {
                memory.regions.push(Region {
                    first: start.wrapping_add(block.address),
                    bytes: block.bytes,
                    room: block.bytes,
                    pattern: block.address as u32,
                    is_noise: is_noise(&block.contents),
                    words: words_of(&block.contents),
                    local: None,
                });
            }
        }
        memory
    }

    /// A free place for a bank: a multiple of 64 anywhere in the address space, so that every address bit is used, but not in the local
    /// memory of a unit.
    fn place(&self, random: &mut Random, preset: &Preset, locals: &[LocalPart]) -> u64 {
        let rooms = (1_u64 << preset.address_bits) / BANK_ROOM;
        let mut first = 0;
        for _ in 0..PLACEMENT_DRAWS {
            first = random.below(rooms) * BANK_ROOM + 64 * random.below(BANK_ROOM / 2 / 64);
            let is_local = locals.iter().any(|local| local.overlaps(first, BANK_ROOM));
            if !is_local && !self.regions.iter().any(|region| region.overlaps(first, BANK_ROOM)) {
                break;
            }
        }
        first
    }

    /// The cache that all units share.
    pub fn l2(&self) -> &L2 {
        &self.l2
    }

    /// The cache that all units share, to take a request in.
    pub fn l2_mut(&mut self) -> &mut L2 {
        &mut self.l2
    }

    /// Where each bank of the program lies, in their order.
    pub fn bank_bases(&self) -> &[u64] {
        &self.bank_bases
    }

    /// The word at `address`, a multiple of 4.
    pub fn word(&self, address: u64) -> u32 {
        if !self.written.is_empty() {
            let sector = address & !(SECTOR_BYTES - 1);
            if let Some(written) = self.written.get(&sector) {
                return written[((address - sector) / 4) as usize];
            }
        }
        self.initial_word(address)
    }

    fn initial_word(&self, address: u64) -> u32 {
        if let Some(region) = self.recent.get().map(|index| &self.regions[index])
            && let Some(offset) = region.offset(address)
        {
            return region.word(offset);
        }
        let found = (self.regions.iter().enumerate().rev())
            .find_map(|(index, region)| Some((index, region, region.offset(address)?)));
        let Some((index, region, offset)) = found else { return 0 };
        let (first, bytes) = region.around();
        if !self.regions[index + 1..].iter().any(|later| later.overlaps(first, bytes)) {
            self.recent.set(Some(index));
        }
        region.word(offset)
    }

    /// The sector at `address`, a multiple of 32.
    pub fn read(&self, address: u64) -> [u32; SECTOR_WORDS] {
        if !self.written.is_empty()
            && let Some(sector) = self.written.get(&address)
        {
            return *sector;
        }
        std::array::from_fn(|index| self.initial_word(address + 4 * index as u64))
    }

    /// Writes the bytes of `data` that `strobe` names into the sector at `address`.
    pub fn write(&mut self, address: u64, strobe: u32, data: &[u32; SECTOR_WORDS]) {
        let mut sector = self.read(address);
        for (index, word) in sector.iter_mut().enumerate() {
            let mut mask = 0;
            for byte in 0..4 {
                if strobe >> (4 * index + byte) & 1 == 1 {
                    mask |= 0xff << (8 * byte);
                }
            }
            *word = *word & !mask | data[index] & mask;
        }
        self.written.insert(address, sector);
    }
}

/// The words of a block.
pub(super) fn words(block: &MemoryBlock) -> impl Iterator<Item = u32> {
    let region = region_of(block, None);
    (0..block.bytes).step_by(4).map(move |offset| region.word(offset))
}

fn words_of(contents: &Contents) -> Option<Vec<u32>> {
    match contents {
        Contents::Words(words) => Some(words.clone()),
        Contents::Address | Contents::Noise => None,
    }
}

fn is_noise(contents: &Contents) -> bool {
    *contents == Contents::Noise
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Bank;
    use lsu_model::preset::FPGA8;

    fn block(space: MemorySpace, address: u64, bytes: u64) -> MemoryBlock {
        MemoryBlock { space, address, bytes, contents: Contents::Address }
    }

    #[test]
    fn every_thread_has_the_same_local_contents() {
        let mut program = Program { sms: 2, ..Program::empty(FPGA8) };
        program.memory.push(block(MemorySpace::Local, 8, 12));
        let memory = Memory::new(&program);
        // Word w of thread t lies 256 w + 4 t bytes behind the beginning of its unit's local memory.
        for unit in [0xe000_0000, 0xe040_0000] {
            for thread in [0, 1, 63] {
                let words = [1, 2, 3, 4, 5].map(|word| memory.word(unit + 256 * word + 4 * thread));
                assert_eq!(words, [0, 8, 12, 16, 0]);
            }
        }
        assert_eq!(memory.word(0xe080_0200), 0);
    }

    #[test]
    fn a_base_that_is_no_multiple_of_the_room_is_flipped_by_the_place() {
        let mut program = Program::empty(FPGA8);
        program.window.local.size = Some(0x40);
        program.window.local_memory = Some(0x2_0300);
        program.memory.push(block(MemorySpace::Local, 0, 0x40));
        let memory = Memory::new(&program);
        // Word w lies at 256 (w ^ 3).
        assert_eq!([0, 1, 2, 3, 4, 7].map(|word| memory.word(0x2_0000 + 256 * word)), [12, 8, 4, 0, 28, 16]);
        assert_eq!([memory.word(0x1_ff00), memory.word(0x2_1000)], [0, 0]);
    }

    #[test]
    fn where_regions_overlap_the_last_one_holds_whatever_was_read_before() {
        let mut program = Program::empty(FPGA8);
        program.memory.push(block(MemorySpace::Global, 0x1000, 0x3000));
        program.banks.push(Bank { index: 3, size: 64, base: Some(0x2000), contents: Contents::Address, valid: true });
        let memory = Memory::new(&program);
        for beside in [0x1000, 0x3000] {
            assert_eq!([memory.word(beside), memory.word(0x2004)], [beside as u32, 0x3_0004]);
        }
        assert_eq!([memory.word(0x1ffc), memory.word(0x2000), memory.word(0x2040)], [0x1ffc, 0x3_0000, 0x2040]);
    }

    #[test]
    fn regions_patterns_and_writes() {
        let mut program = Program::empty(FPGA8);
        program.memory.push(block(MemorySpace::Global, 0x1004, 8));
        program.banks.push(Bank { index: 3, size: 48, base: Some(0x2000), contents: Contents::Address, valid: true });
        program.banks.push(Bank { index: 4, size: 16, base: None, contents: Contents::Words(vec![7, 8]), valid: true });
        let mut memory = Memory::new(&program);
        assert_eq!(memory.read(0x1000), [0, 0x1004, 0x1008, 0, 0, 0, 0, 0]);
        assert_eq!(memory.read(0x2020)[..4], [0x3_0020, 0x3_0024, 0x3_0028, 0x3_002c]);
        assert_ne!(memory.word(0x2030), 0);
        let base = memory.bank_bases()[1];
        assert_eq!(base % 64, 0);
        assert_eq!([memory.word(base), memory.word(base + 4), memory.word(base + 8)], [7, 8, 0]);
        memory.write(0x1000, 0x0000_00f6, &[0xaabb_ccdd, 0x1122_3344, 5, 5, 5, 5, 5, 5]);
        assert_eq!(memory.read(0x1000)[..3], [0x00bb_cc00, 0x1122_3344, 0x1008]);
    }
}
