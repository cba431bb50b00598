//! What a run has exercised of shared memory, counted at the ports.

use lsu_model::micro_op::OpKind;
use lsu_model::pins::{MAX_LANES, Request, WORD_BYTES, Windows};
use lsu_model::preset::Preset;
use serde::Serialize;

use super::add_each;
use crate::program::{SHARED_GRANULE, SharedPlace, may_be_shared, shared_place};

/// The largest access of shared memory, in bytes.
const LARGEST: u32 = 16;

/// Loads and stores with an active lane in shared memory, or beyond its CTA's window.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SharedCounts {
    /// Loads.
    pub loads: u64,
    /// Stores.
    pub stores: u64,
    /// Those on generic addresses.
    pub generic: u64,
    /// Those of them that have active lanes elsewhere, too.
    pub mixed: u64,
    /// Those with a lane beyond the CTA's window.
    pub beyond: u64,
    /// Those with a lane in the window's last bytes.
    pub at_end: u64,
    /// Those whose window is not all of shared memory.
    pub narrow_windows: u64,
    /// Those whose window begins in shared memory and would end beyond it.
    pub windows_over_end: u64,
    /// Those whose window begins beyond shared memory.
    pub windows_beyond: u64,
    /// Those whose window has one of the bits that are not looked at.
    pub windows_unaligned: u64,
    /// Those that need 1, 2, 3 or 4, 5 to 8, 9 to 16 and more passes for their shared lanes: rule BANK.
    pub passes: [u64; 6],
    /// Those of which a pass serves several lanes in one block.
    pub same_block: u64,
    /// Loads of a byte that the shared operation accepted right before stored.
    pub load_after_store: u64,
    /// Stores to a byte that the shared operation accepted right before loaded.
    pub store_after_load: u64,
    /// Lanes of loads.
    pub lanes_loaded: u64,
    /// Those of them all of whose bytes an earlier store of the run wrote.
    pub lanes_loaded_stored: u64,
}

impl SharedCounts {
    /// Adds the counts of `other`.
    pub(super) fn add(&mut self, other: &Self) {
        add_each(&mut self.passes, &other.passes);
        self.loads += other.loads;
        self.stores += other.stores;
        self.generic += other.generic;
        self.mixed += other.mixed;
        self.beyond += other.beyond;
        self.at_end += other.at_end;
        self.narrow_windows += other.narrow_windows;
        self.windows_over_end += other.windows_over_end;
        self.windows_beyond += other.windows_beyond;
        self.windows_unaligned += other.windows_unaligned;
        self.same_block += other.same_block;
        self.load_after_store += other.load_after_store;
        self.store_after_load += other.store_after_load;
        self.lanes_loaded += other.lanes_loaded;
        self.lanes_loaded_stored += other.lanes_loaded_stored;
    }
}

/// What is remembered of one unit's shared memory.
#[derive(Clone, Debug)]
pub(super) struct SharedUnit {
    preset: Preset,
    /// By byte: whether a store has written it. A reset leaves it so.
    is_stored: Vec<bool>,
    /// By byte: the number of the last shared operation that stored to it, and of the last that loaded it.
    last_store: Vec<u64>,
    last_load: Vec<u64>,
    /// Shared operations so far.
    number: u64,
}

impl SharedUnit {
    pub(super) fn new(preset: &Preset) -> Self {
        let bytes = preset.shared_bytes;
        Self {
            preset: *preset,
            is_stored: vec![false; bytes],
            last_store: vec![0; bytes],
            last_load: vec![0; bytes],
            number: 1,
        }
    }

    /// Counts the operation that is accepted.
    pub(super) fn count(&mut self, request: &Request, windows: &Windows, counts: &mut SharedCounts) {
        if !may_be_shared(request) {
            return;
        }
        let mut addresses = [0; MAX_LANES];
        let (mut within, mut beyond, mut elsewhere) = (0_u32, false, false);
        for lane in (0..self.preset.lanes).filter(|lane| request.mask >> lane & 1 == 1) {
            match shared_place(&self.preset, windows, request, lane) {
                Some(SharedPlace::At(address)) => {
                    within |= 1 << lane;
                    addresses[lane] = address;
                }
                Some(SharedPlace::Beyond) => beyond = true,
                Some(SharedPlace::Remote { .. }) => {}
                None => elsewhere = true,
            }
        }
        if within == 0 && !beyond {
            return;
        }
        let is_load = OpKind::on_pin(request.op) == OpKind::Load;
        counts.loads += u64::from(is_load);
        counts.stores += u64::from(!is_load);
        counts.generic += u64::from(request.space == 0);
        counts.mixed += u64::from(elsewhere);
        counts.beyond += u64::from(beyond);
        let memory = self.preset.shared_bytes as u32;
        let (base, size) = (request.shared_base, request.shared_size);
        counts.narrow_windows += u64::from((base, size) != (0, memory));
        counts.windows_over_end += u64::from(base < memory && base + size > memory);
        counts.windows_beyond += u64::from(base >= memory);
        counts.windows_unaligned += u64::from((base | size) % SHARED_GRANULE != 0);
        let total = 1_u32 << (request.size.min(4) + request.vec);
        let lanes: Vec<u32> =
            (0..self.preset.lanes).filter(|lane| within >> lane & 1 == 1).map(|lane| addresses[lane]).collect();
        let is_aligned = lanes.iter().all(|address| address % total == 0);
        // What is faulty is not served.
        if beyond || total > LARGEST || !is_aligned {
            return;
        }
        let end = (base / SHARED_GRANULE * SHARED_GRANULE + size / SHARED_GRANULE * SHARED_GRANULE).min(memory);
        counts.at_end += u64::from(lanes.iter().any(|address| address + total == end));
        let passes = passes(self.preset.lanes as u32, &lanes, total);
        let class = passes.next_power_of_two().trailing_zeros() as usize;
        counts.passes[class] += 1;
        let mut blocks: Vec<u32> = lanes.iter().map(|address| address / total.max(WORD_BYTES)).collect();
        blocks.sort_unstable();
        counts.same_block += u64::from(blocks.windows(2).any(|pair| pair[0] == pair[1]));
        self.follow(is_load, &lanes, total, counts);
    }

    /// Takes note of the bytes that the operation loads or stores.
    fn follow(&mut self, is_load: bool, lanes: &[u32], total: u32, counts: &mut SharedCounts) {
        let before = self.number;
        self.number += 1;
        let bytes = |address: &u32| *address as usize..(*address + total) as usize;
        if is_load {
            counts.lanes_loaded += lanes.len() as u64;
            let is_known = |address: &&u32| self.is_stored[bytes(address)].iter().all(|stored| *stored);
            counts.lanes_loaded_stored += lanes.iter().filter(is_known).count() as u64;
            let is_after = lanes.iter().any(|address| self.last_store[bytes(address)].contains(&before));
            counts.load_after_store += u64::from(is_after);
            lanes.iter().for_each(|address| self.last_load[bytes(address)].fill(self.number));
        } else {
            let is_after = lanes.iter().any(|address| self.last_load[bytes(address)].contains(&before));
            counts.store_after_load += u64::from(is_after);
            for address in lanes {
                self.last_store[bytes(address)].fill(self.number);
                self.is_stored[bytes(address)].fill(true);
            }
        }
    }
}

/// The passes that lanes at these shared addresses need, `total` bytes each: the most different blocks of the same banks.
fn passes(banks: u32, addresses: &[u32], total: u32) -> u32 {
    let width = total.max(WORD_BYTES);
    let classes = WORD_BYTES * banks / width;
    let mut blocks: Vec<(u32, u32)> =
        addresses.iter().map(|address| address / width).map(|block| (block % classes, block)).collect();
    blocks.sort_unstable();
    blocks.dedup();
    let counts = blocks.chunk_by(|left, right| left.0 == right.0).map(|class| class.len() as u32);
    counts.max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The passes of eight lanes with 8 banks, of which lane l has the address l x `stride`.
    fn strided(stride: u32, total: u32) -> u32 {
        let addresses: Vec<u32> = (0..8).map(|lane| lane * stride).collect();
        passes(8, &addresses, total)
    }

    #[test]
    fn passes_are_those_of_the_worst_bank() {
        assert_eq!([strided(0, 4), strided(1, 1), strided(4, 4), strided(8, 8), strided(16, 16)], [1, 1, 1, 2, 4]);
        assert_eq!([strided(8, 4), strided(16, 4), strided(32, 4)], [2, 4, 8]);
        // Odd strides have no conflicts, and one word none either.
        assert_eq!([strided(12, 4), strided(20, 4), passes(8, &[4, 5, 6, 7], 1)], [1, 1, 1]);
        assert_eq!(passes(8, &[], 4), 0);
    }

    #[test]
    fn a_run_of_shared_accesses_is_counted() {
        use crate::program::Program;
        use lsu_model::preset::FPGA8;
        let windows = Program::empty(FPGA8).windows(0);
        let mut unit = SharedUnit::new(&FPGA8);
        let mut counts = SharedCounts::default();
        let mut access = |op: u8, space: u8, addr: [u64; 3], shared_base: u32| {
            let mut request =
                Request { op, space, size: 2, mask: 7, shared_base, shared_size: 0x40, ..Request::default() };
            request.addr[..3].copy_from_slice(&addr);
            unit.count(&request, &windows, &mut counts);
        };
        access(1, 2, [0, 4, 8], 0x100);
        // The word at 0x104 was stored, the others not; the last one lies at the end of the window.
        access(0, 2, [4, 0x24, 0x3c], 0x100);
        access(1, 2, [0x24, 0x24, 0x24], 0x100);
        // Beyond.
        access(0, 2, [0, 0, 0x40], 0x100);
        // One lane in global memory, and a window that ends with the memory.
        access(0, 0, [0x1000, 0xfc00_0000, 0xfc00_0004], 0xff8);
        // No lane in shared memory.
        access(0, 0, [0x1000, 0x1000, 0x1000], 0);
        access(0, 1, [0, 0, 0], 0);
        assert_eq!((counts.loads, counts.stores, counts.generic, counts.mixed, counts.beyond), (3, 2, 1, 1, 1));
        assert_eq!((counts.load_after_store, counts.store_after_load), (1, 1));
        assert_eq!((counts.lanes_loaded, counts.lanes_loaded_stored), (5, 1));
        assert_eq!((counts.at_end, counts.same_block, counts.windows_over_end, counts.windows_unaligned), (1, 1, 1, 1));
        // 0x104 and 0x124 lie in one bank.
        assert_eq!(counts.passes, [3, 1, 0, 0, 0, 0]);
    }
}
