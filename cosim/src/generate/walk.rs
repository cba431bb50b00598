//! Programs that go through lanes, ways and waiters one by one: what needs a certain one of them alone is rare among random programs,
//! and the rarer the larger the unit is.

mod codes;
mod constants;
mod flushes;
mod meetings;
mod mixed;
mod sets;
mod surroundings;
mod under_way;

use lsu_model::micro_op::{CacheOperator, Command, L1Eviction, LdcMode, Scope, Semantics};
use lsu_model::pins::{MAX_LANES, Request};
use lsu_model::preset::Preset;

use super::banks::{BANK, LARGEST, Place, bank};
use super::codes::{CONST, GENERIC, GLOBAL, LOAD, LOCAL, SHARED, STORE, WORD};
use super::ground::{LINE, SECTOR};
use super::ldc::uniform_request;
use super::shape::Shape;
use super::tiles::Cta;
use super::{bare, first_address, plain, with_data};
use crate::program::{
    Bank, CONSTANT_BANK, Latency, LocalMemory, Program, ProgramOperation, Reset, SHARED_GRANULE, TagPolicy, Traffic,
    Wait, Window,
};
use crate::random::Random;

/// Stream number of such a program.
const WALK_STREAM: u64 = 0x7761_6c6b;

/// The first bank that compute mode does not have.
const FIRST_UPPER_BANK: u64 = 8;

/// Latencies of the memory side: at once; long enough for all that is to be on its way together; and so different that anything can
/// be the last.
const SOON: Latency = Latency::Between { least: 1, most: 4 };
const LATE: Latency = Latency::Between { least: 60, most: 80 };
const ANY: Latency = Latency::Between { least: 1, most: 100 };

/// As many cycles as let an acquire's response come within the steps of [`Walk::one_edge`].
const STEADY: Latency = Latency::Between { least: 24, most: 24 };

/// As long as the largest unit takes to ask for all that it can wait for, always: what is asked for first comes first.
const IN_TURN: Latency = Latency::Between { least: 64, most: 64 };

/// Sectors of a line.
const SECTORS: u64 = LINE / SECTOR;

/// Pairs of [`Walk::one_tag`], of either sort.
const TAG_PAIRS: u32 = 150;

/// Banks whose numbers differ from 0 in one bit, but for [`BANK`].
const KEY_BANKS: [u8; 5] = [0, 1, 4, 8, 16];

/// What there is to walk over.
const KINDS: u64 = 7;

/// The walks that there were at first; those that came later stand behind them, as a case loses nothing by more cases behind it.
const FIRST: u64 = 280;

/// Of the later ones those that go through the lanes, of the largest unit, and the steps of the resets.
const LATER_LANES: u64 = MAX_LANES as u64;
const LATER_RESETS: u64 = 7;

/// How many walks there are.
pub(super) const COUNT: u64 = FIRST + LATER_LANES + 1 + LATER_RESETS + Walk::LAST.len() as u64;

/// The operations of a program under way.
struct Walk<'a> {
    preset: &'a Preset,
    random: Random,
    /// Lines from here on have not been accessed.
    fresh: u64,
    ops: Vec<ProgramOperation>,
    failing: Vec<u64>,
    /// The surroundings, but for the latency.
    traffic: Traffic,
    /// In compute mode, as most are: what only that mode has comes first.
    compute: bool,
    sms: u32,
    resets: Vec<Reset>,
    window: Window,
    /// Beside those of all walks.
    banks: Vec<Bank>,
}

/// The program that is number `number` of all that walk; its surroundings have the seed of `shape`.
pub(super) fn program(preset: &Preset, shape: &Shape, number: u64) -> Program {
    let mut walk = Walk::new(preset, shape);
    let latency = match number.checked_sub(FIRST) {
        None => walk.first(number % KINDS, number as usize / KINDS as usize),
        Some(later) => walk.later(later),
    };
    walk.program(latency)
}

impl<'a> Walk<'a> {
    /// The last of the later ones, each of a kind of its own.
    const LAST: [fn(&mut Self) -> Latency; 64] = [
        Self::one_oldest,
        Self::one_lane_misaligned,
        Self::one_mshr_left,
        Self::one_sector_dirty,
        Self::one_sector_failed,
        Self::one_way_that_was_local,
        Self::one_class_untouched,
        |walk| walk.one_bank_bit(false),
        |walk| walk.one_bank_bit(true),
        Self::one_sunk_lane,
        Self::one_sector_undone,
        Self::one_way_flushed,
        Self::one_sector_joined,
        Self::one_waiter_free,
        Self::one_stranger_bit,
        Self::one_reset_while_full,
        Self::one_reset_without_banks,
        Self::one_set_undone,
        Self::one_sink_bit,
        Self::one_name_left,
        Self::one_line_shared,
        Self::one_constant_failed,
        Self::one_entry_failed,
        Self::one_set_replaced,
        Self::one_lane_unused,
        Self::one_second_read,
        Self::one_pass_alone,
        Self::one_way_taken_over,
        Self::one_mshr_gone,
        Self::one_fault_beyond,
        Self::one_bank_carried,
        Self::one_window_bit,
        Self::one_stranger_forgotten,
        Self::one_code,
        Self::one_bank_taken_away,
        Self::one_warp_beside,
        Self::one_moment_of_reset,
        Self::one_run_of_resets,
        Self::one_port_at_a_time,
        Self::one_moment_between_stores,
        Self::one_load_behind_stores,
        Self::one_command_among_acquires,
        Self::one_acquire_beside_write_backs,
        Self::one_join_beside_acquire,
        Self::one_way_beside_acquire,
        Self::one_line_ordered,
        Self::one_store_undone,
        Self::one_release_behind_bank,
        Self::one_source_after_reset,
        Self::one_write_at_reset,
        Self::one_answer_long_after,
        Self::one_bank_in_place,
        Self::one_line_killed,
        Self::one_shared_fetch_killed,
        Self::one_pass_killed,
        Self::one_event_at_reset,
        Self::one_bank_at_reset,
        Self::one_way_just_found,
        Self::one_class_stored,
        Self::one_reset_while_cluster_full,
        Self::one_return_at_reset,
        Self::one_second_read_beside_another,
        Self::one_pass_ahead,
        Self::one_counter_carried,
    ];

    fn new(preset: &'a Preset, shape: &Shape) -> Self {
        let mut random = Random::new(shape.traffic.seed, WALK_STREAM);
        let fresh = first_address(preset, &mut random);
        let (ops, failing, resets, banks) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let tags = TagPolicy::Scattered;
        let traffic = Traffic { stall: 0, gap: 0, error: 0, wrong_tag: 0, jam: 0, strangers: 0, tags, ..shape.traffic };
        let window = Window::default();
        Self { preset, random, fresh, ops, failing, traffic, compute: true, sms: 1, resets, window, banks }
    }

    /// Step `step` of one of the [`KINDS`] that there were at first.
    fn first(&mut self, kind: u64, step: usize) -> Latency {
        match kind {
            0 => self.one_lane_beyond(step % self.preset.lanes),
            1 => self.one_way(step),
            2 => self.one_waiter(step % self.preset.misses),
            3 => self.one_edge(step),
            4 => self.one_bank(step % self.preset.lanes),
            5 => self.one_thread(step % self.preset.lanes),
            _ if step == 0 => self.one_lane_active(),
            _ if step == 1 => self.one_bit(),
            _ if step == 2 => self.one_tag(),
            _ if step == 3 => self.one_constant_lane(),
            _ if step == 4 => self.one_key(),
            _ => self.one_waiter_left(),
        }
    }

    fn later(&mut self, number: u64) -> Latency {
        match number.checked_sub(LATER_LANES) {
            None => self.one_lane_mixed(number as usize % self.preset.lanes),
            Some(0) => self.one_offset_bit(),
            Some(step) if step <= LATER_RESETS => self.one_reset(step as usize - 1),
            Some(step) => Self::LAST[(step - LATER_RESETS - 1) as usize](self),
        }
    }

    fn program(self, latency: Latency) -> Program {
        let Self { preset, ops, failing, traffic, compute, sms, resets, window, banks: more, .. } = self;
        let traffic = Traffic { latency, ..traffic };
        let all = [BANK, CONSTANT_BANK].into_iter().chain(KEY_BANKS).map(|index| bank(index, LARGEST));
        let banks = all.chain(more).collect();
        Program { traffic, compute, sms, resets, window, banks, ops, failing, ..Program::empty(*preset) }
    }
}

/// Each adds its operations, and says how late memory is to answer.
impl Walk<'_> {
    /// An LDC in which one lane alone reads a bank that compute mode does not have: the first such operation sets a sticky pin.
    fn one_lane_beyond(&mut self, lane: usize) -> Latency {
        let mut request = uniform_request(self.preset, Place { bank: BANK, address: 0 });
        request.mode = LdcMode::Il.code();
        request.addr[lane] = (FIRST_UPPER_BANK - u64::from(BANK)) << 16;
        self.push(Wait::No, request);
        SOON
    }

    /// Each lane alone in a load all of whose elements are thrown away, and alone in a window.
    fn one_lane_active(&mut self) -> Latency {
        let windows = Program::empty(*self.preset).windows(0);
        for lane in 0..self.preset.lanes {
            let sunk = Request { vec: 2, sink: 15, mask: 1 << lane, ..self.access(LOAD, self.fresh) };
            self.push(Wait::No, sunk);
            for window in [windows.shared.base, windows.local.base] {
                let mut windowed = Request { space: GENERIC, ..self.access(LOAD, self.fresh) };
                windowed.addr[lane] = window;
                self.push(Wait::No, windowed);
            }
        }
        SOON
    }

    /// Each lane of a constant load alone: active while all elements are thrown away, wide, at no address, beyond what banks have,
    /// misaligned.
    fn one_constant_lane(&mut self) -> Latency {
        let all = self.preset.address_mask();
        let load = Request { space: CONST, rd: 8, ..self.access(LOAD, 0x40) };
        for lane in 0..self.preset.lanes {
            self.push(Wait::No, Request { vec: 2, sink: 15, mask: 1 << lane, ..load });
            self.push(Wait::No, Request { wide: 1 << lane, ..load });
            for address in [0u64.wrapping_sub(4) & all, 0x1_0000, 0x42] {
                let mut request = load;
                request.addr[lane] = address;
                request.imm = if address > 0x1_0000 { 4 } else { 0 };
                self.push(Wait::No, request);
            }
        }
        SOON
    }

    /// Two lines of constants on their way whose keys, bank and line, differ in one bit alone, and a third pass that joins the first.
    fn one_key(&mut self) -> Latency {
        // Compute mode does not have all these banks.
        self.compute = false;
        let first = Place { bank: 0, address: 0 };
        let banks = [BANK].into_iter().chain(KEY_BANKS).filter(|bank| *bank != 0).map(|bank| Place { bank, ..first });
        let lines = (6..16).map(|bit| Place { address: 1 << bit, ..first });
        for other in banks.chain(lines) {
            self.command(Command::InvalidateConstant);
            for (wait, place) in [(Wait::All, first), (Wait::No, other), (Wait::No, first), (Wait::No, other)] {
                self.push(wait, uniform_request(self.preset, place));
            }
        }
        LATE
    }

    /// One way that is the only one of its class, or the only one that is absent, while it is the youngest: it is the victim all
    /// the same, and the oldest way still hits.
    fn one_way(&mut self, step: usize) -> Latency {
        for nc in [false, true] {
            let (sets, ways, emptied) = self.cache(nc);
            let way = step as u64 % ways;
            for (others, own) in [(L1Eviction::Normal, L1Eviction::First), (L1Eviction::Last, L1Eviction::Normal)] {
                let line = self.lines_of_a_set(sets, ways + 1);
                self.command(emptied);
                let class = |number| if number == way { own } else { others };
                for number in 0..ways {
                    self.load(Wait::No, line(number), nc, class(number));
                }
                self.load(Wait::All, line(way), nc, own);
                self.load(Wait::All, line(ways), nc, others);
                self.load(Wait::All, line(0), nc, L1Eviction::Unchanged);
            }
            // All of them are on their way at once; one never comes.
            let line = self.lines_of_a_set(sets, ways + 1);
            self.failing.push(line(way));
            self.command(emptied);
            for number in 0..ways {
                self.load(Wait::No, line(number), nc, L1Eviction::Normal);
            }
            for number in [ways, 0, ways - 1] {
                self.load(Wait::All, line(number), nc, L1Eviction::Normal);
            }
        }
        LATE
    }

    /// One waiter and one MSHR for a store beside whose sector its line misses, and for an acquire.
    fn one_waiter(&mut self, waiter: usize) -> Latency {
        for is_acquire in [false, true] {
            let line = self.lines(LINE);
            self.load(Wait::All, line, false, L1Eviction::Normal);
            let first = self.ops.len();
            (0..waiter).for_each(|_| self.miss());
            if is_acquire {
                let address = self.lines(LINE);
                self.acquire(Wait::No, address);
                self.load(Wait::No, line, false, L1Eviction::Normal);
            } else {
                let mut store = self.access(STORE, line);
                store.mask = 1;
                self.push(Wait::No, store);
                self.load(Wait::No, line + SECTOR, false, L1Eviction::Normal);
            }
            self.ops[first].wait = Wait::All;
        }
        LATE
    }

    /// All waiters at once, of which any may be the last.
    fn one_waiter_left(&mut self) -> Latency {
        for _ in 0..2 {
            let first = self.ops.len();
            (0..self.preset.misses).for_each(|_| self.miss());
            self.ops[first].wait = Wait::All;
        }
        ANY
    }

    /// A store that hits leaves `tag` so many empty passes after an acquire that is on its way: in one of the steps at the edge at which
    /// the acquire empties L1. If it kept its way, one line more would find a way while the store is on its way.
    fn one_edge(&mut self, step: usize) -> Latency {
        let (sets, ways) = (self.preset.l1_sets as u64, self.preset.l1_ways as u64);
        let line = self.lines(LINE * sets * ways);
        let acquired = self.lines(LINE);
        self.load(Wait::All, line, false, L1Eviction::Normal);
        self.acquire(Wait::All, acquired);
        let empty = Request { mask: 0, ..self.access(LOAD, line) };
        (0..step).for_each(|_| self.push(Wait::No, empty));
        let mut store = self.access(STORE, line);
        store.mask = 1;
        self.push(Wait::No, store);
        self.load(Wait::No, line + SECTOR, false, L1Eviction::Normal);
        (1..ways).for_each(|way| self.load(Wait::No, line + LINE * sets * way, false, L1Eviction::Normal));
        self.load(Wait::All, line + LINE * sets * (ways - 1), false, L1Eviction::Normal);
        STEADY
    }

    /// A line on its way, and a strong load of the line that differs from it in one bit alone: each bit in its turn; last a thread's local
    /// memory and the line that lies there, of which either comes first.
    fn one_bit(&mut self) -> Latency {
        for bit in LINE.trailing_zeros()..self.preset.address_bits {
            let line = self.lines(LINE);
            self.load(Wait::All, line, false, L1Eviction::Normal);
            let sem = Semantics::Volatile.code();
            self.push(Wait::No, Request { sem, ..self.access(LOAD, line ^ 1 << bit) });
        }
        let memory = self.local_memory();
        for is_local_first in [false, true] {
            let word = 4 * u64::from(is_local_first);
            let local = Request { space: LOCAL, ..self.access(LOAD, word) };
            let mut pair = [self.access(LOAD, memory.address(0, 0, word)), local];
            if is_local_first {
                pair.reverse();
            }
            let [first, second] = pair;
            self.push(Wait::All, first);
            self.push(Wait::No, second);
        }
        SOON
    }

    /// Pairs of one warp that come to `tag` one right after the other and of which the second waits for the first: of so many, some
    /// have tags that differ in one bit alone, each bit.
    fn one_tag(&mut self) -> Latency {
        for _ in 0..TAG_PAIRS {
            let acquired = self.lines(LINE);
            self.acquire(Wait::No, acquired);
            self.miss();
            let released = self.lines(LINE);
            self.miss();
            self.push(Wait::No, Request { mask: 1, ..self.release(released) });
        }
        SOON
    }

    /// One lane that is unlike the others in shared memory: beyond the window, in a word of its own of their bank, there while they are
    /// elsewhere, elsewhere while they are there, the highest that stores; then a word and the one that differs from it in one
    /// bit alone, each bit.
    fn one_bank(&mut self, lane: usize) -> Latency {
        let preset = self.preset;
        let (row_bytes, memory) = (4 * preset.lanes as u64, preset.shared_bytes as u64);
        let row = row_bytes * self.random.below(memory / row_bytes);
        let other = (row + row_bytes) % memory;
        let base = Program::empty(*preset).windows(0).shared.base;
        let whole = Cta::whole(preset);
        let of = |walk: &Self, op, address| whole.request(Request { space: SHARED, ..walk.access(op, address) });
        for address in [row, other] {
            let mut fill = of(self, STORE, address);
            (0..preset.lanes).for_each(|lane| fill.addr[lane] = address + 4 * lane as u64);
            self.push(Wait::No, fill);
        }
        for op in [LOAD, STORE, LOAD] {
            let mut apart = of(self, op, row);
            apart.addr[lane] = other;
            self.push(Wait::No, apart);
            let mut generic = Request { space: GENERIC, ..of(self, op, self.fresh) };
            generic.addr[lane] = base + row;
            self.push(Wait::No, generic);
            let mut generic = Request { space: GENERIC, ..of(self, op, base + row) };
            generic.addr[lane] = self.fresh;
            self.push(Wait::No, generic);
            let highest = Request { mask: u32::MAX >> (31 - lane), ..of(self, op, row) };
            self.push(Wait::No, highest);
            let mut beyond = Request { shared_base: row as u32, shared_size: SHARED_GRANULE, ..of(self, op, 0) };
            beyond.addr[lane] = u64::from(SHARED_GRANULE) << (lane as u32 % (preset.address_bits - 4));
            self.push(Wait::No, beyond);
        }
        for bit in 2..memory.trailing_zeros() {
            for op in [STORE, LOAD] {
                let mut twins = of(self, op, row);
                (0..preset.lanes)
                    .filter(|place| place % 2 == lane % 2)
                    .for_each(|place| twins.addr[place] = row ^ 1 << bit);
                self.push(Wait::No, twins);
            }
        }
        SOON
    }

    /// One lane that is unlike the others in local memory: beyond it, at an offset of its own, there while they are elsewhere,
    /// elsewhere while they are there; then a word and the one that differs from it in one bit alone, each bit, of one thread and of two.
    fn one_thread(&mut self, lane: usize) -> Latency {
        let preset = self.preset;
        let windows = Program::empty(*preset).windows(0);
        let (base, bytes) = (windows.local.base, windows.local.size);
        let word = 4 * self.random.below(bytes / 4);
        let other = word ^ 4;
        let of = |walk: &Self, op, address| Request { space: LOCAL, ..walk.access(op, address) };
        for address in [word, other] {
            self.push(Wait::No, of(self, STORE, address));
        }
        for op in [LOAD, STORE, LOAD] {
            let mut apart = of(self, op, word);
            apart.addr[lane] = other;
            self.push(Wait::No, apart);
            let mut generic = Request { space: GENERIC, ..of(self, op, self.fresh) };
            generic.addr[lane] = base + word;
            self.push(Wait::No, generic);
            let mut generic = Request { space: GENERIC, ..of(self, op, base + word) };
            generic.addr[lane] = self.fresh;
            self.push(Wait::No, generic);
            let mut beyond = of(self, op, word);
            beyond.addr[lane] = bytes << (lane as u32 % (preset.address_bits - bytes.trailing_zeros()));
            self.push(Wait::No, beyond);
        }
        for bit in 2..bytes.trailing_zeros() {
            for op in [STORE, LOAD] {
                let mut twins = of(self, op, word);
                twins.addr[lane] = word ^ 1 << bit;
                self.push(Wait::No, twins);
            }
        }
        SOON
    }

    /// So many bytes that nothing has accessed.
    fn lines(&mut self, bytes: u64) -> u64 {
        let first = self.fresh;
        self.fresh += bytes;
        first
    }

    /// Local memory where it lies in all walks.
    fn local_memory(&self) -> LocalMemory {
        LocalMemory::new(self.preset, &Program::empty(*self.preset).windows(0))
    }

    /// All lanes the same word.
    fn access(&self, op: u8, address: u64) -> Request {
        let mut request = Request { op, space: GLOBAL, size: WORD, dst_width: 1, rd: 8, ..Request::default() };
        request.mask = self.preset.lane_mask();
        request.addr[..self.preset.lanes].fill(address);
        request
    }

    fn load(&mut self, wait: Wait, address: u64, nc: bool, class: L1Eviction) {
        self.push(wait, Request { nc, l1_evict: class.code(), ..self.access(LOAD, address) });
    }

    /// A store that waits for all that its warp has under way.
    fn release(&self, address: u64) -> Request {
        let (sem, scope) = (Semantics::Release.code(), Scope::Gpu.code());
        Request { sem, scope, ..self.access(STORE, address) }
    }

    /// A load that empties L1 when its value has come.
    fn acquire(&mut self, wait: Wait, address: u64) {
        let (sem, scope) = (Semantics::Acquire.code(), Scope::Gpu.code());
        self.push(wait, Request { sem, scope, ..self.access(LOAD, address) });
    }

    /// When all before it is done.
    fn command(&mut self, command: Command) {
        self.push(Wait::All, bare(command));
    }

    /// Of a fresh line, past L1.
    fn miss(&mut self) {
        self.miss_of(0);
    }

    /// The same of the unit `sm`.
    fn miss_of(&mut self, sm: u32) {
        let address = self.lines(LINE);
        self.push_to(sm, Wait::No, Request { cop: CacheOperator::Cg.code(), ..self.access(LOAD, address) });
    }

    /// The first of these when all before it is done.
    fn when_done(&mut self, push: impl FnOnce(&mut Self)) {
        let first = self.ops.len();
        push(self);
        self.ops[first].wait = Wait::All;
    }

    fn push(&mut self, wait: Wait, request: Request) {
        self.push_to(0, wait, request);
    }

    /// An operation of the warp `warp`.
    fn push_of(&mut self, warp: u32, wait: Wait, request: Request) {
        self.push(wait, request);
        if let Some(operation) = self.ops.last_mut() {
            operation.warp = warp;
        }
    }

    /// An operation of the unit `sm`.
    fn push_to(&mut self, sm: u32, wait: Wait, request: Request) {
        let operation = plain(sm, 0, wait, request);
        self.ops.push(with_data(self.preset, operation, &mut self.random));
    }
}
