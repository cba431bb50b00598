//! What only counts if it meets something else in one cycle: a response and the load of its sector, an acquire and what waits in `tag`, a
//! response and the last place that is free, a reset and all requests that there can be.

use lsu_model::micro_op::{CacheOperator, Command, L1Eviction, Scope, Semantics};
use lsu_model::pins::Request;

use super::super::codes::{GENERIC, LOAD, LOCAL, QUAD, SHARED, STORE};
use super::super::ground::{LINE, SECTOR};
use super::super::tiles::Cta;
use super::super::{bare, empty_store};
use super::surroundings::UNITS;
use super::{IN_TURN, SECTORS, SOON, STEADY, Walk};
use crate::program::{Latency, Program, Wait};

/// Percent of all accesses that fail where one of two must and the other must not, and how often both are tried.
const ERRORS: u8 = 50;
const FAILING_TRIES: usize = 8;
const SET_TRIES: usize = 5;

/// Empty passes after which a load comes to `tag` as the response to the store before it is taken: about so many.
const UNTIL_RESPONSE: std::ops::Range<usize> = 24..27;

/// Empty passes between the loads of two sectors of a line, and then until the first has come.
const BETWEEN: usize = 8;
const UNTIL_FIRST: usize = 16;

/// Loads of a sector that has come while another sector of its line has not.
const JOINING: usize = 4;

/// Less than so many hits of a kind, one right after the other.
const HITS: usize = 5;

/// Hits that are read twice and keep `hit` full.
const TWICE: usize = 4;

/// Loads that have a pass ahead of another, and percent of cycles in which a port does not move meanwhile.
const PASSES_AHEAD: usize = 300;
const AHEAD_STALLED: u8 = 50;

/// How often such a hit comes beside reads of another unit, and less than so many operations after a miss.
const BESIDE_ANOTHER: usize = 240;
const UNTIL_RESUMED: usize = 12;

/// How often a load is to meet an acquire, behind so many empty passes, and when responses come then.
const MEETINGS: usize = 40;
const UNTIL_IDLE: usize = 16;
pub(super) const QUICK: Latency = Latency::Between { least: 1, most: 10 };

/// Empty passes until what was asked for before them has come, and those after which an acquire empties L1: about so many.
const UNTIL_COME: usize = 40;
const UNTIL_EMPTIED: std::ops::Range<usize> = 8..20;

/// How often each waiter is taken.
const ROUNDS: usize = 3;

/// Rounds of [`Walk::one_load_behind_stores`], and by how many the stores of one are fewer.
const STORE_ROUNDS: u64 = 40;
const MOST_STORES: u64 = 5;

impl Walk<'_> {
    /// A sector that L1 holds, a store to it that fails, and a load of it that comes to `tag` as the store's response is taken: each sector.
    pub(super) fn one_sector_undone(&mut self) -> Latency {
        self.traffic.error = ERRORS;
        for sector in 0..SECTORS {
            for passes in UNTIL_RESPONSE {
                for _ in 0..FAILING_TRIES {
                    let address = self.lines(LINE) + SECTOR * sector;
                    (0..2).for_each(|_| self.load(Wait::All, address, false, L1Eviction::Normal));
                    let store = Request { mask: 1, ..self.access(STORE, address) };
                    self.push(Wait::All, store);
                    self.pause(passes);
                    self.load(Wait::No, address, false, L1Eviction::Normal);
                }
            }
        }
        STEADY
    }

    /// A sector of each set that L1 holds, a store to it that fails, and a load of it that has to miss; the set before it still has its own.
    pub(super) fn one_set_undone(&mut self) -> Latency {
        self.traffic.error = ERRORS;
        let lines = (self.preset.l1_sets * SET_TRIES) as u64;
        let line = self.lines_of_a_set(1, lines);
        for number in 0..lines {
            (0..2).for_each(|_| self.load(Wait::All, line(number), false, L1Eviction::Normal));
            (0..3).for_each(|_| self.push(Wait::No, Request { mask: 1, ..self.access(STORE, line(number)) }));
            for held in [number, number.saturating_sub(1)] {
                self.load(Wait::All, line(held), false, L1Eviction::Normal);
            }
        }
        SOON
    }

    /// An acquire empties L1 while a load of its warp waits in `tag`, of a line that L1 holds, and the one behind it has its line in the same
    /// way of another set: one of them local, the other not.
    pub(super) fn one_way_flushed(&mut self) -> Latency {
        let ways = self.preset.l1_ways as u64;
        let held = self.local_memory().address(0, 0, 0);
        let local = Request { space: LOCAL, ..self.access(LOAD, 0) };
        for way in 0..ways {
            let beside_local = self.lines_beside(held, ways + 2);
            let elsewhere = |number| beside_local(number) + LINE;
            self.command(Command::WriteBackLocal);
            self.command(Command::InvalidateL1);
            for number in 0..way {
                for address in [beside_local(number), elsewhere(number)] {
                    self.load(Wait::No, address, false, L1Eviction::Normal);
                }
            }
            let global = self.access(LOAD, elsewhere(way));
            self.push(Wait::All, local);
            self.push(Wait::All, global);
            for pair in [[global, local], [local, global]] {
                let acquired = self.lines(LINE);
                self.acquire(Wait::All, acquired);
                pair.into_iter().for_each(|request| self.push(Wait::No, request));
            }
        }
        STEADY
    }

    /// A sector that comes with an error while another one of its line is under way: what loads it then joins the line's MSHR, and has
    /// nothing to wait for.
    pub(super) fn one_sector_joined(&mut self) -> Latency {
        for nc in [false, true] {
            for failed in 0..SECTORS {
                let line = self.lines(LINE);
                self.failing.push(line + SECTOR * failed);
                self.load(Wait::All, line + SECTOR * failed, nc, L1Eviction::Normal);
                self.pause(BETWEEN);
                self.load(Wait::No, line + SECTOR * ((failed + 1) % SECTORS), nc, L1Eviction::Normal);
                self.pause(UNTIL_FIRST);
                for _ in 0..JOINING {
                    self.load(Wait::No, line + SECTOR * failed, nc, L1Eviction::Normal);
                    self.pause(1);
                }
            }
        }
        STEADY
    }

    /// Each waiter as the only one that is free, for some cycles, while a load is to take it: all ask for whole lines, whose sectors come one
    /// after the other.
    pub(super) fn one_waiter_free(&mut self) -> Latency {
        (0..ROUNDS * self.preset.misses).for_each(|_| self.whole_line());
        IN_TURN
    }

    /// Hits that are read once and hits that are read twice, so many of each right behind one another, and a load before which a dirty sector
    /// is written back: that is not read between the two reads.
    pub(super) fn one_second_read(&mut self) -> Latency {
        let dirty = self.local_memory().address(0, 0, 0);
        for nc in [false, true] {
            let line = self.lines(LINE);
            for (once, twice) in (0..HITS).flat_map(|once| (1..HITS).map(move |twice| (once, twice))) {
                let entering = self.lines_beside(dirty, 1)(0);
                self.load(Wait::All, line, nc, L1Eviction::Normal);
                self.push(Wait::All, Request { space: LOCAL, ..self.access(STORE, 0) });
                let short = Request { nc, ..self.access(LOAD, line) };
                let long = Request { vec: 3, ..short };
                self.when_done(|walk| {
                    (0..once).for_each(|_| walk.push(Wait::No, short));
                    (0..twice).for_each(|_| walk.push(Wait::No, long));
                });
                self.load(Wait::No, entering, false, L1Eviction::Normal);
            }
        }
        SOON
    }

    /// A hit that is read twice, behind a miss and so many misaligned loads, while another unit reads the shared memory of this one: what waited for
    /// that miss may come between the two reads, and does not. Responses come soon, and now and then so that these meet.
    pub(super) fn one_second_read_beside_another(&mut self) -> Latency {
        self.sms = UNITS;
        let line = self.lines(LINE);
        let long = Request { vec: 3, ..self.access(LOAD, line) };
        for number in 0..BESIDE_ANOTHER {
            self.push_to(0, Wait::No, self.remote_sectors());
            let missing = self.lines(LINE);
            let miss = Request { cop: CacheOperator::Cg.code(), ..self.access(LOAD, missing) };
            self.push_to(1, Wait::Unit, miss);
            (0..number % UNTIL_RESUMED).for_each(|_| self.push_to(1, Wait::No, self.access(LOAD, line + 1)));
            self.push_to(1, Wait::No, long);
        }
        QUICK
    }

    /// Loads of which one pass misses, and the other waits behind long ones, in `ro_hit` or in `bank`; then stores that wait for `done`. What has
    /// missed and come stays in `collect` for that pass, of which nothing but its place tells.
    pub(super) fn one_pass_ahead(&mut self) -> Latency {
        self.traffic.stall = AHEAD_STALLED;
        let line = self.lines(LINE);
        self.load(Wait::No, line, true, L1Eviction::Normal);
        let shared = self.shared_load(0);
        let window = Program::empty(*self.preset).windows(0).shared.base;
        let windowed = Cta::whole(self.preset).request(Request { space: GENERIC, ..self.access(LOAD, window) });
        let cached = Request { nc: true, ..self.access(LOAD, line) };
        for number in 0..PASSES_AHEAD {
            let (before, mut two) = if number % 2 == 0 { (cached, cached) } else { (shared, windowed) };
            two.addr[self.preset.lanes / 2..self.preset.lanes].fill(self.lines(LINE));
            let long = Request { vec: 3, ..before };
            let [longs, stores] = [2, 1].map(|least| least + self.random.below(3));
            (0..longs).for_each(|_| self.push(Wait::No, long));
            self.push(Wait::No, two);
            (0..stores).for_each(|_| self.push(Wait::No, empty_store()));
        }
        QUICK
    }

    /// A load that has hit waits in `tag` while one pass alone is in `hit`, and an acquire empties L1: the place behind that pass has nothing
    /// to read, whatever was there before. Responses come soon, and now and then so that these meet.
    pub(super) fn one_pass_alone(&mut self) -> Latency {
        let last = self.preset.lanes - 1;
        for _ in 0..MEETINGS {
            let line = self.lines_of_a_set(self.preset.l1_sets, 2);
            let (own, beside) = (line(0), line(1));
            // In other sets.
            let elsewhere = self.lines(3 * LINE) + LINE;
            let mut wide = Request { size: QUAD, ..self.access(LOAD, beside + 2 * SECTOR) };
            (wide.addr[last - 1], wide.addr[last]) = (beside, own);
            let mut split = self.access(LOAD, own);
            split.addr[last] = elsewhere + LINE;
            // Nobody waits for anybody, so that the warps stay in this order.
            self.push(Wait::No, bare(Command::InvalidateL1));
            self.pause(UNTIL_IDLE);
            self.push(Wait::No, wide);
            self.load(Wait::No, elsewhere, false, L1Eviction::Normal);
            self.push(Wait::No, split);
            self.pause(2);
            self.acquire(Wait::No, own);
            self.load(Wait::No, beside, false, L1Eviction::Normal);
            if let [.., acquire, behind] = &mut self.ops[..] {
                (acquire.warp, behind.warp) = (1, 1);
            }
            (0..2).for_each(|_| self.load(Wait::No, own, false, L1Eviction::Normal));
        }
        QUICK
    }

    /// A local store takes a way of L1 that has had a line of global memory, and leaves a whole sector there at once. Behind hits that are
    /// read twice a load of that sector waits in `tag` while an acquire empties L1: it hits all the same, as its way's line is local now.
    pub(super) fn one_way_taken_over(&mut self) -> Latency {
        let ways = self.preset.l1_ways as u64;
        let (slot, mask, word, address) = self.local_sector(0);
        let local = |walk: &Self, op| Request { space: LOCAL, mask, ..walk.access(op, word) };
        for passes in UNTIL_EMPTIED {
            let beside = self.lines_beside(address, ways);
            let elsewhere = self.lines_beside(address + LINE, 2);
            // Nobody waits for anybody, so that the warps stay in this order.
            let begin = self.ops.len();
            for command in [Command::WriteBackLocal, Command::InvalidateL1] {
                self.push(Wait::No, bare(command));
            }
            for line in (0..ways).map(beside).chain([elsewhere(0)]) {
                self.load(Wait::No, line, false, L1Eviction::Normal);
            }
            self.pause(UNTIL_COME);
            let acquire = self.ops.len();
            self.acquire(Wait::No, elsewhere(1));
            self.pause(passes);
            let twice = Request { vec: 3, ..self.access(LOAD, elsewhere(0)) };
            (0..TWICE).for_each(|_| self.push(Wait::No, twice));
            [STORE, LOAD].into_iter().for_each(|op| self.push(Wait::No, local(self, op)));
            self.pause(UNTIL_COME);
            self.ops[begin..].iter_mut().for_each(|operation| operation.warp = slot as u32);
            // It is the others' warp that an acquire holds back.
            self.ops[acquire].warp = u32::from(slot == 0);
        }
        STEADY
    }

    /// An acquire of shared memory with as many conflicts as there are is first and second in `bank`, as responses keep `read` from it, while
    /// passes come to `tag` of a load whose warp differs in one bit, each bit: they have nobody to wait for.
    pub(super) fn one_warp_beside(&mut self) -> Latency {
        let lanes = self.preset.lanes as u64;
        let acquire = self.conflicting_acquire();
        for bit in 0..self.preset.warps.ilog2() {
            for lines in 1..=lanes {
                let first = self.lines(LINE * lines);
                let mut apart = self.access(LOAD, first);
                (0..lanes).for_each(|lane| apart.addr[lane as usize] += LINE * (lane % lines));
                self.push_of(1 << bit, Wait::No, apart);
                self.push(Wait::No, acquire);
            }
        }
        QUICK
    }

    /// An acquire of shared memory all of whose lanes need one bank.
    pub(super) fn conflicting_acquire(&self) -> Request {
        let (lanes, memory) = (self.preset.lanes as u64, self.preset.shared_bytes as u64);
        let (sem, scope) = (Semantics::Acquire.code(), Scope::Gpu.code());
        let mut acquire = Request { space: SHARED, sem, scope, ..self.access(LOAD, 0) };
        (0..lanes).for_each(|lane| acquire.addr[lane as usize] = 4 * lanes * lane % memory);
        Cta::whole(self.preset).request(acquire)
    }

    /// A load that hits behind another warp's stores, all of which come to `tag` while an acquire of its own warp reads shared memory, pass
    /// by pass: the load waits, whatever was in `tag` before it.
    pub(super) fn one_load_behind_stores(&mut self) -> Latency {
        let acquire = self.conflicting_acquire();
        for round in 0..STORE_ROUNDS {
            let first = self.lines(2 * LINE);
            self.load(Wait::All, first, false, L1Eviction::Normal);
            (0..1 + round % 2).for_each(|_| self.push(Wait::No, acquire));
            for _ in 0..round % MOST_STORES {
                let store = Request { mask: 1, ..self.access(STORE, first + LINE) };
                self.push_of(1, Wait::No, store);
            }
            self.load(Wait::No, first, false, L1Eviction::Normal);
        }
        QUICK
    }

    /// All sectors of a line that nothing has accessed, past L1.
    pub(super) fn whole_line(&mut self) {
        let line = self.lines(LINE);
        let mut whole = Request { cop: CacheOperator::Cg.code(), ..self.access(LOAD, line) };
        (0..self.preset.lanes).for_each(|lane| whole.addr[lane] += SECTOR * (lane as u64 % SECTORS));
        self.push(Wait::No, whole);
    }
}
