//! What a run has exercised of local memory, counted at the ports.

use lsu_model::micro_op::{OpKind, Space};
use lsu_model::pins::{Request, Windows};
use lsu_model::preset::Preset;
use rustc_hash::FxHashMap;
use serde::Serialize;

use super::add_each;
use crate::program::{
    LINE_BYTES, LOCAL_GRANULE, LocalMemory, LocalPlace, WORD_BYTES, bytes_of_thread, local_place, may_be_local,
    shared_place,
};

/// Bytes of the largest access of local memory.
const LARGEST: u64 = 16;

/// Loads and stores with an active lane in local memory, or beyond it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LocalCounts {
    /// Loads.
    pub loads: u64,
    /// Stores.
    pub stores: u64,
    /// Those of the parameters of functions.
    pub parameters: u64,
    /// Those on generic addresses.
    pub generic: u64,
    /// Those of them that have active lanes elsewhere, too.
    pub mixed: u64,
    /// Those of them that have lanes in shared and in global memory.
    pub in_three_spaces: u64,
    /// Those with a lane beyond local memory.
    pub beyond: u64,
    /// Those with a lane in its last bytes.
    pub at_end: u64,
    /// Those while one of the low bits that are not looked at is on the pins of local memory.
    pub unaligned: u64,
    /// Those while one of the highest bits of its size that are not looked at is.
    pub too_large: u64,
    /// Those while it begins at no multiple of what it takes.
    pub flipped: u64,
    /// Those of 1, 2 and 4 words a lane.
    pub words: [u64; 3],
    /// Loads with a word all of whose elements are sunk.
    pub sunk_words: u64,
    /// Those whose lanes have different offsets.
    pub divergent: u64,
    /// Those not all of whose lanes are active.
    pub partial: u64,
    /// Stores that release.
    pub releases: u64,
    /// Those with other semantics than weak.
    pub ordered: u64,
    /// Loads of a byte that the local operation accepted right before stored.
    pub load_after_store: u64,
    /// Stores to a byte that the local operation accepted right before loaded.
    pub store_after_load: u64,
    /// Lanes of loads.
    pub lanes_loaded: u64,
    /// Those of them all of whose words an earlier store of the run wrote, at least in part.
    pub lanes_loaded_stored: u64,
    /// Loads and stores of global memory with a lane in a word that a local operation accessed.
    pub touched_by_global: u64,
}

impl LocalCounts {
    /// Adds the counts of `other`.
    pub(super) fn add(&mut self, other: &Self) {
        add_each(&mut self.words, &other.words);
        for (sum, count) in self.numbers().into_iter().zip(other.clone().numbers()) {
            *sum += *count;
        }
    }

    /// All but the lists.
    fn numbers(&mut self) -> [&mut u64; 21] {
        [
            &mut self.loads,
            &mut self.stores,
            &mut self.parameters,
            &mut self.generic,
            &mut self.mixed,
            &mut self.in_three_spaces,
            &mut self.beyond,
            &mut self.at_end,
            &mut self.unaligned,
            &mut self.too_large,
            &mut self.flipped,
            &mut self.sunk_words,
            &mut self.divergent,
            &mut self.partial,
            &mut self.releases,
            &mut self.ordered,
            &mut self.load_after_store,
            &mut self.store_after_load,
            &mut self.lanes_loaded,
            &mut self.lanes_loaded_stored,
            &mut self.touched_by_global,
        ]
    }
}

/// What is remembered of one unit's local memory.
#[derive(Clone, Debug)]
pub(super) struct LocalUnit {
    preset: Preset,
    /// By address in memory of a word: the numbers of the last local operation that stored to it, and of the last that loaded it.
    words: FxHashMap<u64, [u64; 2]>,
    /// Local operations so far.
    number: u64,
}

/// Where [`LocalUnit::words`] has what a store, and what a load, leaves.
const STORED: usize = 0;
const LOADED: usize = 1;

impl LocalUnit {
    pub(super) fn new(preset: &Preset) -> Self {
        Self { preset: *preset, words: FxHashMap::default(), number: 1 }
    }

    /// Counts the operation that is accepted.
    pub(super) fn count(&mut self, request: &Request, windows: &Windows, counts: &mut LocalCounts) {
        if !matches!(OpKind::on_pin(request.op), OpKind::Load | OpKind::Store) {
            return;
        }
        let active = || (0..self.preset.lanes).filter(|lane| request.mask >> lane & 1 == 1);
        let place = |lane: usize| match may_be_local(request) {
            true => local_place(&self.preset, windows, request, lane),
            false => None,
        };
        if active().all(|lane| place(lane).is_none()) {
            self.count_global(request, counts);
            return;
        }
        let is_shared = |lane: usize| shared_place(&self.preset, windows, request, lane).is_some();
        let is_global = |lane: usize| place(lane).is_none() && !is_shared(lane);
        let is_load = OpKind::on_pin(request.op) == OpKind::Load;
        let space = Space::on_pin(request.space);
        let offsets: Vec<(usize, u64)> = active()
            .filter_map(|lane| match place(lane)? {
                LocalPlace::At(offset) => Some((lane, offset)),
                LocalPlace::Beyond => None,
            })
            .collect();
        let beyond = active().any(|lane| place(lane) == Some(LocalPlace::Beyond));
        let (total, bytes) = (1_u64 << (request.size.min(4) + request.vec), windows.local.size);
        let room = bytes_of_thread(&self.preset, bytes);
        let all = (room * (self.preset.lanes * self.preset.warps) as u64).next_power_of_two();
        let add = |count: &mut u64, applies: bool| *count += u64::from(applies);
        add(&mut counts.loads, is_load);
        add(&mut counts.stores, !is_load);
        add(&mut counts.parameters, space == Space::ParamFunc);
        add(&mut counts.generic, space == Space::Generic);
        let (in_shared, in_global) = (active().any(is_shared), active().any(is_global));
        add(&mut counts.mixed, in_shared || in_global);
        add(&mut counts.in_three_spaces, in_shared && in_global);
        add(&mut counts.beyond, beyond);
        let is_whole = (windows.local.base | bytes).is_multiple_of(LOCAL_GRANULE);
        add(&mut counts.unaligned, !is_whole || !windows.local_memory.is_multiple_of(LINE_BYTES));
        add(&mut counts.too_large, bytes / LOCAL_GRANULE * LOCAL_GRANULE != room);
        add(&mut counts.flipped, !(windows.local_memory / LINE_BYTES * LINE_BYTES).is_multiple_of(all));
        let is_aligned = offsets.iter().all(|(_, offset)| offset % total == 0);
        // What is faulty is not served.
        if beyond || total > LARGEST || !is_aligned {
            return;
        }
        add(&mut counts.at_end, offsets.iter().any(|(_, offset)| offset + total == room));
        let words = total.div_ceil(WORD_BYTES);
        counts.words[words.ilog2() as usize] += 1;
        let is_sunk = |word: u64| {
            let bytes = 1_u64 << request.size;
            let (first, last) = (word * WORD_BYTES / bytes, (word * WORD_BYTES + total.min(WORD_BYTES) - 1) / bytes);
            (first..=last).all(|element| request.sink >> element & 1 == 1)
        };
        add(&mut counts.sunk_words, is_load && (0..words).any(is_sunk));
        add(&mut counts.divergent, offsets.iter().any(|(_, offset)| *offset != offsets[0].1));
        add(&mut counts.partial, request.mask != self.preset.lane_mask());
        add(&mut counts.releases, !is_load && matches!(request.sem, 3 | 7));
        add(&mut counts.ordered, request.sem != 0);
        self.count_words(request, windows, &offsets, words, counts);
    }

    /// What an operation of `words` words in each lane accesses again.
    fn count_words(
        &mut self,
        request: &Request,
        windows: &Windows,
        offsets: &[(usize, u64)],
        words: u64,
        counts: &mut LocalCounts,
    ) {
        let is_load = OpKind::on_pin(request.op) == OpKind::Load;
        let (own, other) = if is_load { (LOADED, STORED) } else { (STORED, LOADED) };
        let memory = LocalMemory::new(&self.preset, windows);
        let before = self.number;
        self.number += 1;
        let mut again = false;
        for (lane, offset) in offsets {
            let mut is_stored = true;
            for word in 0..words {
                let address = memory.address(request.warp, *lane, offset / WORD_BYTES * WORD_BYTES + word * WORD_BYTES);
                let seen = self.words.entry(address).or_default();
                again |= seen[other] == before;
                is_stored &= seen[STORED] != 0;
                seen[own] = self.number;
            }
            counts.lanes_loaded += u64::from(is_load);
            counts.lanes_loaded_stored += u64::from(is_load && is_stored);
        }
        *(if is_load { &mut counts.load_after_store } else { &mut counts.store_after_load }) += u64::from(again);
    }

    /// Counts an operation without local lanes, if one of them goes where local memory lies.
    fn count_global(&self, request: &Request, counts: &mut LocalCounts) {
        if request.space != Space::Global.code() || self.words.is_empty() {
            return;
        }
        let addresses = self.preset.address_mask();
        let mut active = (0..self.preset.lanes).filter(|lane| request.mask >> lane & 1 == 1);
        let is_touched = active.any(|lane| {
            let address = request.addr[lane].wrapping_add_signed(i64::from(request.imm as i32)) & addresses;
            self.words.contains_key(&(address / WORD_BYTES * WORD_BYTES))
        });
        counts.touched_by_global += u64::from(is_touched);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Program;
    use lsu_model::preset::FPGA8;

    #[test]
    fn a_run_of_local_accesses_is_counted() {
        let windows = Program::empty(FPGA8).windows(0);
        let mut unit = LocalUnit::new(&FPGA8);
        let mut counts = LocalCounts::default();
        let mut access = |op: u8, space: u8, vec: u8, sink: u8, addr: [u64; 3]| {
            let mut request =
                Request { op, space, size: 2, vec, sink, mask: 7, shared_size: 0x1000, ..Request::default() };
            request.addr[..3].copy_from_slice(&addr);
            unit.count(&request, &windows, &mut counts);
        };
        access(1, 4, 0, 0, [8, 8, 8]);
        // The second word was stored; the lanes of global and shared memory are none of local memory.
        access(0, 0, 1, 1, [0xfd00_0008, 0x1000, 0xfc00_0000]);
        access(1, 7, 0, 0, [8, 0xfffc, 0x10]);
        access(0, 4, 0, 0, [0, 0, 0x1_0000]);
        // Lane 1 of slot 0, word 2; and nobody's.
        access(0, 1, 0, 0, [0xe000_0204, 0, 0]);
        access(0, 1, 0, 0, [0xe000_0404, 0, 0]);
        assert_eq!((counts.loads, counts.stores, counts.generic, counts.parameters), (2, 2, 1, 1));
        assert_eq!((counts.mixed, counts.in_three_spaces, counts.beyond, counts.at_end), (1, 1, 1, 1));
        assert_eq!((counts.words, counts.sunk_words, counts.divergent), ([2, 1, 0], 1, 1));
        assert_eq!((counts.load_after_store, counts.store_after_load), (1, 1));
        assert_eq!((counts.lanes_loaded, counts.lanes_loaded_stored, counts.touched_by_global), (1, 0, 1));
        let mut twice = counts.clone();
        twice.add(&counts);
        assert_eq!((twice.loads, twice.words[0], twice.touched_by_global), (4, 4, 2));
    }
}
