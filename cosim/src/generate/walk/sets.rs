//! One way, sector, MSHR or lane that decides: which way is the oldest, which sector was dirty, which MSHR has left, which lane is misaligned,
//! which sector of a line under way has failed, which class a line has, which bit of an offset lies beyond a bank, which element is thrown away.

use lsu_model::micro_op::{CacheOperator, Command, L1Eviction, Semantics};
use lsu_model::pins::Request;
use lsu_model::preset::Preset;

use super::super::banks::{LARGEST, bank};
use super::super::codes::{CONST, GENERIC, GLOBAL, LOAD, LOCAL, QUAD, SHARED, STORE};
use super::super::ground::{LINE, SECTOR};
use super::super::tiles::Cta;
use super::{ANY, IN_TURN, SECTORS, SOON, STEADY, Walk};
use crate::program::{Bank, CONSTANT_BANK, Latency, PARAM_BANK, Program, Wait, Window, WindowPlace};

/// Cycles by which a line comes before the one that is waited for.
const SOONER: usize = 4;

/// Loads of each failing sector, while another sector of the line is under way.
const TRIES: usize = 5;

/// Where a bank begins beyond multiples of the bytes of shared memory.
const ODD_BASE: u64 = 0x5c0;

/// Bytes of a word of local memory, and how many words and slots it takes to reach every sector of a line.
const LOCAL_WORD: u64 = 4;
const LOCAL_WORDS: u64 = 4;
const SLOTS: usize = 4;

impl Walk<'_> {
    /// Each way is the oldest once, as all others have been used since: it is the victim, and what took it and all
    /// others hit.
    pub(super) fn one_oldest(&mut self) -> Latency {
        for nc in [false, true] {
            let (sets, ways, emptied) = self.cache(nc);
            for oldest in 0..ways {
                let line = self.lines_of_a_set(sets, ways + 1);
                self.command(emptied);
                (0..ways).for_each(|way| self.load(Wait::No, line(way), nc, L1Eviction::Normal));
                let others = (0..ways).filter(|way| *way != oldest);
                for (place, way) in others.clone().enumerate() {
                    let wait = if place == 0 { Wait::All } else { Wait::No };
                    self.load(wait, line(way), nc, L1Eviction::Normal);
                }
                (0..2).for_each(|_| self.load(Wait::All, line(ways), nc, L1Eviction::Normal));
                others.for_each(|way| self.load(Wait::All, line(way), nc, L1Eviction::Normal));
            }
        }
        SOON
    }

    /// Each lane alone in loads and stores that are misaligned there; once more while the lane beside it is at no address.
    pub(super) fn one_lane_misaligned(&mut self) -> Latency {
        for lane in 0..self.preset.lanes {
            for op in [LOAD, STORE] {
                let mut request = self.access(op, self.fresh);
                request.addr[lane] += LOCAL_WORD / 2;
                self.push(Wait::No, request);
                self.push(Wait::No, Request { wide: 1 << (lane ^ 1), ..request });
            }
        }
        SOON
    }

    /// A line comes to a way that alone is to be replaced first, and its MSHR leaves, while a load of its set waits in `tag` for a strong
    /// load of the same line: the way is no longer pinned, and the load takes it.
    pub(super) fn one_mshr_left(&mut self) -> Latency {
        let ways = self.preset.l1_ways as u64;
        for mshr in 0..self.preset.misses {
            let line = self.lines_of_a_set(self.preset.l1_sets, ways + 1);
            let (first, own) = (mshr as u64 % ways, line(ways));
            self.command(Command::InvalidateL1);
            for way in 0..ways {
                let class = if way == first { L1Eviction::First } else { L1Eviction::Normal };
                self.load(Wait::No, line(way), false, class);
            }
            self.load_behind(mshr, line(first) + SECTOR, false, L1Eviction::First);
            self.pause(SOONER);
            let sem = Semantics::Volatile.code();
            self.push(Wait::No, Request { sem, ..self.access(LOAD, own) });
            self.load(Wait::No, own, false, L1Eviction::Normal);
            self.load(Wait::All, own, false, L1Eviction::Normal);
        }
        IN_TURN
    }

    /// A line that is to be replaced first came through an MSHR that has left since, and failed, so that its way is absent; or was lost as its
    /// cache was emptied, and is in the same way again. What is left in the MSHR says nothing of that way any more: the line enters as
    /// one of no class, and a sector more of it enters and hits.
    pub(super) fn one_name_left(&mut self) -> Latency {
        for nc in [false, true] {
            let (sets, ways, emptied) = self.cache(nc);
            for mshr in 0..self.preset.misses {
                let line = self.lines_of_a_set(sets, ways + 1);
                let (first, second) = (line(0), line(0) + SECTOR);
                self.failing.push(first);
                self.command(emptied);
                (1..ways).for_each(|way| self.load(Wait::No, line(way), nc, L1Eviction::Normal));
                self.load_behind(mshr, first, nc, L1Eviction::First);
                self.load(Wait::All, second, nc, L1Eviction::Unchanged);
                self.load(Wait::All, line(ways), nc, L1Eviction::Normal);
                self.load(Wait::All, second, nc, L1Eviction::Normal);

                let first = self.lines(LINE);
                self.command(emptied);
                self.load_behind(mshr, first, nc, L1Eviction::Normal);
                self.command(emptied);
                for address in [first, first + SECTOR, first + SECTOR] {
                    self.load(Wait::All, address, nc, L1Eviction::Normal);
                }
            }
        }
        IN_TURN
    }

    /// A load waits in `tag` for a store to its sector, and meanwhile the MSHR of its line leaves: each MSHR. The load takes one of its own then.
    pub(super) fn one_mshr_gone(&mut self) -> Latency {
        for mshr in 0..self.preset.misses {
            let line = self.lines(LINE);
            self.load_behind(mshr, line, false, L1Eviction::Normal);
            let store = Request { mask: 1, ..self.access(STORE, line + SECTOR) };
            self.push(Wait::No, store);
            self.load(Wait::No, line + SECTOR, false, L1Eviction::Normal);
        }
        IN_TURN
    }

    /// In each set a line takes the way of another of which two sectors were valid: of these it has the one that it asks for, alone.
    pub(super) fn one_set_replaced(&mut self) -> Latency {
        for nc in [false, true] {
            let (sets, ways, emptied) = self.cache(nc);
            let of_a_set = self.lines_of_a_set(sets, ways + 1);
            let line = |number, set| of_a_set(number) + LINE * set;
            let sets = 0..sets as u64;
            self.command(emptied);
            for (way, set) in (0..ways).flat_map(|way| sets.clone().map(move |set| (way, set))) {
                self.load(Wait::No, line(way, set), nc, L1Eviction::Normal);
                self.load(Wait::No, line(way, set) + SECTOR, nc, L1Eviction::Normal);
            }
            for sector in 0..2 {
                let load = |walk: &mut Self, set| {
                    walk.load(Wait::No, line(ways, set) + SECTOR * sector, nc, L1Eviction::Normal);
                };
                self.when_done(|walk| sets.clone().for_each(|set| load(walk, set)));
            }
        }
        SOON
    }

    /// A load that takes an MSHR behind so many others, when all before them is done.
    fn load_behind(&mut self, mshr: usize, address: u64, nc: bool, class: L1Eviction) {
        self.when_done(|walk| {
            (0..mshr).for_each(|_| walk.miss());
            walk.load(Wait::No, address, nc, class);
        });
    }

    /// A sector of each way that is dirty, and is used for the last time just before lines enter its set; or that these write back.
    pub(super) fn one_sector_dirty(&mut self) -> Latency {
        let ways = self.preset.l1_ways as u64;
        for way in 0..ways {
            for sector in 0..SECTORS {
                for between in [Some(false), Some(true), None] {
                    let (slot, mask, word, address) = self.local_sector(sector);
                    let line = self.lines_beside(address, ways + 3);
                    let begin = self.ops.len();
                    self.command(Command::WriteBackLocal);
                    self.command(Command::InvalidateL1);
                    (0..way).for_each(|number| self.load(Wait::No, line(number), false, L1Eviction::Normal));
                    self.push(Wait::All, Request { space: LOCAL, mask, ..self.access(STORE, word) });
                    if let Some(has_other) = between {
                        let cop = CacheOperator::Lu.code();
                        self.push(Wait::All, Request { space: LOCAL, mask, cop, ..self.access(LOAD, word) });
                        // It goes another way out of `tag`, so that it is there for one cycle only.
                        if has_other {
                            let other = self.lines(LINE);
                            self.load(Wait::No, other, true, L1Eviction::Normal);
                        }
                    }
                    for number in [way, way + 1] {
                        self.load(Wait::No, line(number), false, L1Eviction::Normal);
                    }
                    if between.is_none() {
                        let entering = self.ops.len() - 2;
                        self.ops[entering].wait = Wait::All;
                    }
                    // One warp's operations come one right after the other.
                    self.ops[begin..].iter_mut().for_each(|operation| operation.warp = slot as u32);
                }
            }
        }
        ANY
    }

    /// All lanes but one of a dirty sector load it for the last time: it is not dropped, and the other lane finds what it has stored.
    pub(super) fn one_lane_unused(&mut self) -> Latency {
        for sector in 0..SECTORS {
            let (slot, mask, word, _) = self.local_sector(sector);
            for lane in (0..self.preset.lanes).filter(|lane| mask >> lane & 1 == 1) {
                let begin = self.ops.len();
                let others =
                    Request { mask: mask & !(1 << lane), cop: CacheOperator::Lu.code(), ..self.access(LOAD, word) };
                let all = |op| Request { mask, ..self.access(op, word) };
                for request in [all(STORE), others, all(LOAD)] {
                    self.push(Wait::All, Request { space: LOCAL, ..request });
                }
                self.ops[begin..].iter_mut().for_each(|operation| operation.warp = slot as u32);
            }
        }
        SOON
    }

    /// A sector that comes with an error while another one of its line is under way: loads of it join the line's MSHR, and find that nothing is
    /// left to wait for; and so do loads of a third one.
    pub(super) fn one_sector_failed(&mut self) -> Latency {
        for nc in [false, true] {
            for failed in 0..SECTORS {
                for late in (0..SECTORS).filter(|late| *late != failed) {
                    let line = self.lines(LINE);
                    let Some(third) = (0..SECTORS).find(|third| ![failed, late].contains(third)) else { continue };
                    self.failing.extend([failed, third].map(|sector| line + SECTOR * sector));
                    let mut both = Request { nc, ..self.access(LOAD, line + SECTOR * failed) };
                    (1..self.preset.lanes).step_by(2).for_each(|lane| both.addr[lane] = line + SECTOR * late);
                    self.push(Wait::All, both);
                    for step in 0..TRIES {
                        self.load(Wait::No, line + SECTOR * failed, nc, L1Eviction::Normal);
                        self.load(Wait::No, line + SECTOR * third, nc, L1Eviction::Normal);
                        self.pause(step);
                    }
                }
            }
        }
        ANY
    }

    /// Each way of each set has a local line, and then one of global memory, which is gone when those of global memory are dropped.
    pub(super) fn one_way_that_was_local(&mut self) -> Latency {
        let lines = (self.preset.l1_sets * self.preset.l1_ways) as u64;
        let lanes = self.preset.lanes as u64;
        let threads = lanes * self.preset.warps as u64;
        for first_word in (0..lines).map(|line| line * LINE / LOCAL_WORD) {
            let offset = first_word / threads * LOCAL_WORD;
            let local = Request { space: LOCAL, ..self.access(LOAD, offset) };
            self.push_of((first_word % threads / lanes) as u32, Wait::No, local);
        }
        let first = self.lines(LINE * lines);
        (0..lines).for_each(|line| self.load(Wait::No, first + LINE * line, false, L1Eviction::Normal));
        self.command(Command::InvalidateL1);
        (0..lines).for_each(|line| self.load(Wait::No, first + LINE * line, false, L1Eviction::Normal));
        SOON
    }

    /// A line that comes with `cs` and leaves classes as they are is no more the victim than the others of its set, and hits when another one
    /// has come.
    pub(super) fn one_class_untouched(&mut self) -> Latency {
        for nc in [false, true] {
            let (sets, ways, emptied) = self.cache(nc);
            let line = self.lines_of_a_set(sets, ways + 1);
            self.command(emptied);
            (1..ways).for_each(|way| self.load(Wait::All, line(way), nc, L1Eviction::Normal));
            let (cop, l1_evict) = (CacheOperator::Cs.code(), L1Eviction::Unchanged.code());
            self.push(Wait::All, Request { nc, cop, l1_evict, ..self.access(LOAD, line(0)) });
            for number in [ways, 0] {
                self.load(Wait::All, line(number), nc, L1Eviction::Normal);
            }
        }
        SOON
    }

    /// A window that is the whole address space shows a bank: each bit of an offset alone, within the bank and beyond it; and addresses of
    /// other spaces.
    pub(super) fn one_bank_bit(&mut self, is_param: bool) -> Latency {
        let none = WindowPlace { base: None, size: Some(0) };
        let whole = WindowPlace { base: Some(0), size: Some(self.preset.address_mask()) };
        let [constant, param] = if is_param { [none, whole] } else { [whole, none] };
        self.window = Window { shared: none, local: none, constant, param, ..Window::default() };
        for bit in SECTOR.ilog2()..self.preset.address_bits {
            self.push(Wait::No, Request { space: GENERIC, ..self.access(LOAD, 1 << bit) });
        }
        // An address of another space is in no window, and the bank does not begin where a byte of shared memory has the same number.
        let base = Some(self.lines(u64::from(2 * LARGEST)) + ODD_BASE);
        let index = if is_param { PARAM_BANK } else { CONSTANT_BANK };
        self.banks.push(Bank { base, ..bank(index, LARGEST) });
        for (space, op) in [GLOBAL, SHARED, LOCAL].into_iter().flat_map(|space| [(space, STORE), (space, LOAD)]) {
            let request = Request { space, ..self.access(op, SECTOR) };
            self.push(Wait::No, Cta::whole(self.preset).request(request));
        }
        SOON
    }

    /// Banks that writes with a size take away: no lane in their windows finds them any more.
    pub(super) fn one_bank_taken_away(&mut self) -> Latency {
        let windows = Program::empty(*self.preset).windows(0);
        for (index, window) in [(CONSTANT_BANK, windows.constant), (PARAM_BANK, windows.param)] {
            self.banks.push(Bank { valid: false, ..bank(index, LARGEST) });
            self.push(Wait::No, Request { space: GENERIC, ..self.access(LOAD, window.base) });
        }
        SOON
    }

    /// The lane that leads a local load of which nothing is wanted: it makes one pass, whatever its words. Then one of shared memory.
    pub(super) fn one_sunk_lane(&mut self) -> Latency {
        for lane in 0..self.preset.lanes {
            let mask = self.preset.lane_mask() & u32::MAX << lane;
            self.push(Wait::No, Request { space: LOCAL, vec: 1, sink: 3, mask, ..self.access(LOAD, 0) });
        }
        for lane in 0..self.preset.lanes {
            let mask = self.preset.lane_mask() & u32::MAX << lane;
            let sunk = Request { space: SHARED, vec: 1, sink: 3, mask, ..self.access(LOAD, 0) };
            self.push(Wait::No, Cta::whole(self.preset).request(sunk));
        }
        SOON
    }

    /// Constant loads of one element of each size in which each bit alone says that an element is thrown away: only the lowest one counts.
    pub(super) fn one_sink_bit(&mut self) -> Latency {
        for size in 0..=QUAD {
            for bit in 0..8 {
                let load = Request { space: CONST, size, sink: 1 << bit, ..self.access(LOAD, 0x40) };
                self.push(Wait::No, load);
            }
        }
        SOON
    }

    /// The oldest line of a full set, found by a load that does not touch it and misses its sector, and a line of the set right behind:
    /// the way found is pinned.
    pub(super) fn one_way_just_found(&mut self) -> Latency {
        for nc in [false, true] {
            let (sets, ways, emptied) = self.cache(nc);
            for class in [L1Eviction::NoAllocate, L1Eviction::Unchanged] {
                let line = self.lines_of_a_set(sets, ways + 1);
                self.command(emptied);
                (0..ways).for_each(|way| self.load(Wait::All, line(way), nc, L1Eviction::Normal));
                self.load(Wait::All, line(0) + SECTOR, nc, class);
                self.load(Wait::No, line(ways), nc, L1Eviction::Normal);
                self.load(Wait::All, line(0), nc, L1Eviction::Normal);
            }
        }
        STEADY
    }

    /// A store makes its line the first to go while all others are the last; these become as others are, and the line is pinned when one more
    /// comes: no way is free.
    pub(super) fn one_class_stored(&mut self) -> Latency {
        let (sets, ways, emptied) = self.cache(false);
        let line = self.lines_of_a_set(sets, ways + 1);
        self.command(emptied);
        self.load(Wait::All, line(0), false, L1Eviction::Normal);
        (1..ways).for_each(|way| self.load(Wait::All, line(way), false, L1Eviction::Last));
        let store = Request { mask: 1, l1_evict: L1Eviction::First.code(), ..self.access(STORE, line(0)) };
        self.push(Wait::All, store);
        (1..ways).for_each(|way| self.load(Wait::All, line(way), false, L1Eviction::Normal));
        self.load(Wait::All, line(0), false, L1Eviction::Unchanged);
        self.load(Wait::No, line(ways), false, L1Eviction::Normal);
        (1..ways).for_each(|way| self.load(Wait::All, line(way), false, L1Eviction::Normal));
        STEADY
    }

    /// Lines that lie in one set of so many, as many as `number`, by their numbers.
    pub(super) fn lines_of_a_set(&mut self, sets: usize, number: u64) -> impl Fn(u64) -> u64 + use<> {
        let pitch = LINE * sets as u64;
        let first = self.lines(pitch * number);
        move |number| first + pitch * number
    }

    /// So many lines that nothing has accessed, of the set of L1 in which `address` lies.
    pub(super) fn lines_beside(&mut self, address: u64, number: u64) -> impl Fn(u64) -> u64 + use<> {
        let sets = self.preset.l1_sets as u64;
        let begin = self.lines(LINE * sets * number);
        let first = begin + (address / LINE).wrapping_sub(begin / LINE) % sets * LINE;
        move |number| first + LINE * sets * number
    }

    /// Sets and ways of the read-only cache, or of L1, and the command that empties it: after it ways are taken in their order.
    pub(super) fn cache(&self, nc: bool) -> (usize, u64, Command) {
        let Preset { ro_sets, ro_ways, l1_sets, l1_ways, .. } = *self.preset;
        match nc {
            true => (ro_sets, ro_ways as u64, Command::InvalidateReadOnly),
            false => (l1_sets, l1_ways as u64, Command::InvalidateL1),
        }
    }

    /// So many empty passes.
    pub(super) fn pause(&mut self, passes: usize) {
        self.pause_of(0, passes);
    }

    /// So many of a warp.
    pub(super) fn pause_of(&mut self, warp: u32, passes: usize) {
        let empty = Request { mask: 0, ..self.access(LOAD, 0) };
        (0..passes).for_each(|_| self.push_of(warp, Wait::No, empty));
    }

    /// Where sector `sector` of a line of local memory is found: slot, lanes, byte of each thread, and where that lies in memory.
    pub(super) fn local_sector(&self, sector: u64) -> (usize, u32, u64, u64) {
        let memory = self.local_memory();
        let words = (0..LOCAL_WORDS).map(|word| word * LOCAL_WORD);
        let places = words.flat_map(|word| (0..SLOTS.min(self.preset.warps)).map(move |slot| (slot, word)));
        let found = places.map(|(slot, word)| {
            let of = |lane: usize| memory.address(slot as u8, lane, word);
            let lanes = (0..self.preset.lanes).filter(|lane| of(*lane) % LINE / SECTOR == sector);
            (slot, lanes.fold(0_u32, |mask, lane| mask | 1 << lane), word, of(0))
        });
        found.rev().max_by_key(|(_, mask, ..)| mask.count_ones()).unwrap_or_default()
    }
}
