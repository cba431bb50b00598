//! Where the local accesses of a program go: few words of the threads' local memories, which lie where the program says, sometimes where
//! its global accesses go as well.

use lsu_model::pins::{MAX_LANES, Windows};
use lsu_model::preset::Preset;

use super::ground::{Ground, LINE};
use crate::program::{
    Contents, LocalMemory, MemoryBlock, MemorySpace, Program, Window as GivenWindows, WindowPlace, bytes_of_thread,
};
use crate::random::Random;

/// Stream number of a program's frames.
const FRAME_STREAM: u64 = 0x66_7261_6d65;

/// Bytes of a frame: those of the largest local access. The words of a thread fall into few sets of L1, in a large unit into one.
const FRAME_BYTES: u64 = 16;

/// How many of 100 programs have what is not looked at on the pins of local memory, one of the highest bits of its size, and local memory
/// where other accesses go.
const UNALIGNED_PERCENT: u8 = 30;
const TOO_LARGE_PERCENT: u8 = 10;
const TOUCHED_PERCENT: u8 = 40;

/// How many of 100 programs have blocks of local contents, the same for all threads.
const BLOCK_PERCENT: u8 = 30;

/// How the offsets of the lanes lie to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pattern {
    /// All the same.
    Uniform,
    /// Two that differ in one bit.
    Twins,
    /// Side by side: of all lanes, or of groups of lanes.
    Consecutive,
    /// Three in the frames.
    Few,
    /// Anywhere in local memory: each lane, or groups of lanes.
    Scattered,
}

/// The frames that a program goes to again and again.
#[derive(Clone, Debug)]
pub(super) struct Frames {
    /// Bytes that each thread has.
    bytes: u64,
    /// Offsets at which frames begin, multiples of their bytes.
    frames: Vec<u64>,
}

impl Frames {
    /// The frames of a program whose pins of local memory are those of `windows`, and whose surroundings have the seed `seed`.
    pub(super) fn new(preset: &Preset, windows: &Windows, seed: u64) -> Self {
        let mut random = Random::new(seed, FRAME_STREAM + 1);
        let bytes = bytes_of_thread(preset, windows.local.size);
        let last = bytes.saturating_sub(FRAME_BYTES) / FRAME_BYTES * FRAME_BYTES;
        let first = match random.below(4) {
            0 => 0,
            1 => last,
            _ => random.below(last / FRAME_BYTES + 1) * FRAME_BYTES,
        };
        let mut frames = vec![first];
        for _ in 0..random.below(6) / 3 {
            // Another one that only one bit tells from the first.
            let bits = u64::from((bytes.max(FRAME_BYTES) / FRAME_BYTES).ilog2()).max(1);
            let twin = first ^ FRAME_BYTES << random.below(bits);
            if twin + FRAME_BYTES <= bytes && !frames.contains(&twin) {
                frames.push(twin);
            }
        }
        Self { bytes, frames }
    }

    /// Bytes that each thread has.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Contents of the frames: mostly noise that tells every thread's word from the others', sometimes the same for all.
    pub(super) fn memory(&self, program: &Program, seed: u64) -> Vec<MemoryBlock> {
        let mut random = Random::new(seed, FRAME_STREAM + 2);
        let preset = &program.preset;
        let block = |space, address, bytes| MemoryBlock { space, address, bytes, contents: Contents::Noise };
        let mut blocks = Vec::new();
        let bytes = FRAME_BYTES * (preset.lanes * preset.warps) as u64;
        for sm in 0..program.sms {
            let memory = LocalMemory::new(preset, &program.windows(sm));
            for frame in &self.frames {
                // The words of all threads, in some order.
                let first = memory.address(0, 0, *frame) & !(bytes - 1);
                blocks.push(block(MemorySpace::Global, first, bytes));
            }
        }
        if random.chance(BLOCK_PERCENT) && self.bytes >= FRAME_BYTES {
            blocks.push(block(MemorySpace::Local, self.frames[0], FRAME_BYTES));
        }
        blocks
    }

    /// The line in which the words of one slot, of those that the program's warps run in, lie: for accesses by other ways.
    pub(super) fn line(&self, program: &Program, warps: &[u32], random: &mut Random) -> u64 {
        let slot = program.slot(warps[random.below(warps.len() as u64) as usize]);
        let lane = random.below(program.preset.lanes as u64) as usize;
        let memory = LocalMemory::new(&program.preset, &program.windows(0));
        memory.address(slot, lane, self.spot(random)) / LINE * LINE
    }

    /// A word of a frame.
    fn spot(&self, random: &mut Random) -> u64 {
        let frame = self.frames[random.below(self.frames.len() as u64) as usize];
        frame + random.below(FRAME_BYTES)
    }

    /// The offset of each of so many lanes, multiples of `total`.
    pub(super) fn offsets(&self, lanes: usize, total: u64, random: &mut Random) -> [u64; MAX_LANES] {
        let pattern = match random.below(20) {
            0..15 => Pattern::Uniform,
            15..17 => Pattern::Twins,
            17 => Pattern::Consecutive,
            18 => Pattern::Few,
            _ => Pattern::Scattered,
        };
        let most = (self.bytes / total).max(1);
        let within = |offset: u64| offset / total % most * total;
        let spot = self.spot(random);
        let bits = u64::from(self.bytes.max(FRAME_BYTES).ilog2());
        let bit = if random.chance(60) { random.below(bits.min(8)) } else { random.below(bits) };
        let twins = [spot, spot ^ 1 << bit];
        let few = [self.spot(random), self.spot(random), spot];
        let group = if random.chance(12) { 1 } else { (lanes as u64 / 4).max(1) };
        let mut scattered = 0;
        let mut offsets = [0; MAX_LANES];
        for (lane, offset) in (0..).zip(&mut offsets) {
            *offset = within(match pattern {
                Pattern::Uniform => spot,
                Pattern::Twins => twins[random.below(2) as usize],
                Pattern::Consecutive => spot + lane / group * total,
                Pattern::Few => few[random.below(3) as usize],
                Pattern::Scattered => {
                    if lane % group == 0 {
                        scattered = random.below(self.bytes.max(1));
                    }
                    scattered
                }
            });
        }
        offsets
    }
}

/// Whether a program's global accesses go to its local memory, too.
pub(super) fn is_touched(seed: u64) -> bool {
    Random::new(seed, FRAME_STREAM + 3).chance(TOUCHED_PERCENT)
}

/// What the program says of local memory beside `given`, its generic windows: its size, where it lies, and for some what is not looked
/// at; and other windows that overlap its own.
pub(super) fn windows(preset: &Preset, ground: &Ground, given: GivenWindows, seed: u64) -> GivenWindows {
    let mut random = Random::new(seed, FRAME_STREAM);
    let bits = u64::from(preset.address_bits);
    let usual = Program::empty(*preset).windows(0);
    let thread_bits = u64::from((preset.lanes * preset.warps).trailing_zeros());
    let mut size = match random.below(8) {
        0 => 0x40,
        1..3 => 16 * (1 + random.below(64)),
        3..6 => usual.local.size,
        // As many sizes with few bits as with many.
        _ => random.next_bits() >> (64 - (bits - thread_bits)) >> random.below(bits - thread_bits - 5) | 0x20,
    };
    let mut memory = match random.below(6) {
        0 => usual.local_memory,
        1 => ground.line(&mut random),
        // No multiple of its size, so that words lie before it.
        _ => random.below(1 << bits) / LINE * LINE,
    };
    let mut base = given.local.base.unwrap_or(usual.local.base);
    if random.chance(UNALIGNED_PERCENT) {
        size |= random.below(16);
        memory |= random.below(LINE);
        base |= random.below(16);
    }
    if random.chance(TOO_LARGE_PERCENT) {
        size |= 1 << (bits - 1 - random.below(thread_bits));
    }
    let mut windows = GivenWindows { local_memory: Some(memory), ..given };
    windows.local = WindowPlace { base: Some(base), size: Some(size) };
    // Of two windows that overlap one counts.
    let inside = base.wrapping_add(16 * random.below(8)).wrapping_sub(16 * random.below(4)) & ((1 << bits) - 1);
    let overlapping = WindowPlace { base: Some(inside), size: Some(16 * random.below(8)) };
    match random.below(12) {
        0 => windows.shared = overlapping,
        1 => windows.constant = overlapping,
        2 => windows.param = overlapping,
        _ => {}
    }
    windows
}
