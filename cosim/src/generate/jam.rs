//! Programs that fill every place of the unit at once: bursts of just the operations that each place holds, while no
//! answer is taken and the memory side is slow. In some of them another unit writes to shared memory all the time, and is asked
//! for its own: `serve`, `reply` and `answer` are full, too.

use lsu_model::micro_op::Command;
use lsu_model::pins::Request;
use lsu_model::preset::Preset;

use super::banks::{BANK, LARGEST, LINE as CONSTANT_LINE, Place, bank};
use super::codes::{CLUSTER, GLOBAL, LOAD, LOCAL, QUAD, SHARED, STORE, WORD};
use super::ground::{LINE, SECTOR};
use super::ldc::uniform_request;
use super::shape::Shape;
use super::tiles::Cta;
use super::{bare, empty_store, first_address, plain, with_data};
use crate::program::{Latency, LocalMemory, OFFSET_BITS, Program, ProgramOperation, TagPolicy, Traffic, Wait};
use crate::random::Random;

/// Stream number of such a program.
const JAM_STREAM: u64 = 0x006a_616d;

/// Stream number of whether it has other units, and how many of 100 have.
const OTHERS_STREAM: u64 = 0x6a_616d_6d65_7273;
const OTHERS_PERCENT: u8 = 80;

/// The stores of each other unit for a burst: more than can be under way while no answer is taken.
const REMOTE_STORES: usize = 2;

/// Most bursts of a program, and of one with other units: a response of theirs is in `answer` for a cycle only.
const BURSTS: u64 = 3;
const OTHERS_BURSTS: u64 = 12;

/// The operations of a program under way.
struct Bursts<'a> {
    preset: &'a Preset,
    random: Random,
    /// The line that hits L1 and the read-only cache; lines after it are fresh.
    line: u64,
    fresh_lines: u64,
    fresh_constant_lines: u32,
    /// Units beside the one that is jammed.
    others: u32,
    ops: Vec<ProgramOperation>,
}

/// The program whose surroundings have the seed of `shape`.
pub(super) fn program(preset: &Preset, shape: &Shape) -> Program {
    let mut random = Random::new(shape.traffic.seed, JAM_STREAM);
    let line = first_address(preset, &mut random);
    let mut draw = Random::new(shape.traffic.seed, OTHERS_STREAM);
    let others = if draw.chance(OTHERS_PERCENT) { 1 + draw.below(2) as u32 } else { 0 };
    let latency = match others {
        0 => Latency::Between { least: 1 + random.below(4) as u32, most: 8 },
        _ => {
            let least = 1 + draw.below(4) as u32;
            Latency::Between { least, most: least + 4 + draw.below(4) as u32 }
        }
    };
    let traffic = Traffic {
        latency,
        // What others write stays in `serve` and `reply` while the network takes its time.
        stall: if others == 0 { 45 } else { 60 } + random.below(30) as u8,
        gap: 0,
        error: 0,
        // Operations end just before the next jam, so that a burst that waits for all of them begins in it.
        jam: 90,
        tags: TagPolicy::Scattered,
        ..shape.traffic
    };
    let mut bursts = Bursts { preset, random, line, fresh_lines: 0, fresh_constant_lines: 0, others, ops: Vec::new() };
    let most = if others == 0 { BURSTS } else { OTHERS_BURSTS };
    for _ in 0..1 + bursts.random.below(most) {
        bursts.warm_up();
        bursts.burst();
    }
    let (banks, ops) = (vec![bank(BANK, LARGEST)], bursts.ops);
    Program { traffic, compute: shape.compute, sms: 1 + others, banks, ops, ..Program::empty(*preset) }
}

impl Bursts<'_> {
    /// What the hits of a burst hit, and nothing in flight when it begins.
    fn warm_up(&mut self) {
        self.ldc(0);
        self.local_store();
        self.hit(false);
        self.hit(true);
    }

    /// Each place is filled before what would be held up by it: a load passes `tag` only while `hit` is free.
    fn burst(&mut self) {
        (1..=self.others).for_each(|sm| self.remote_stores(sm));
        let first = self.ops.len();
        // It takes until the next jam to merge this.
        self.slow_store();
        // `fault`, then `emit`, `collect`, `landing` and `read`, `done`; the waiters, two of whose passes go on to `resume`; `hit`, `ro_hit` and `ro_read`.
        self.misaligned();
        (0..4).for_each(|_| self.hit(false));
        self.push(empty_store());
        let stores = 2 + self.preset.misses as u64 / 4;
        (0..self.preset.misses as u64 + 2 - stores - self.random.below(2)).for_each(|_| self.miss());
        (0..2).for_each(|_| self.hit(false));
        (0..3).for_each(|_| self.hit(true));
        // `bank`.
        (0..2).for_each(|_| self.shared());
        // Of the constant cache: `wb`, `done`, `fault`, then the miss entries and `data`, `tag`, `issue`, `group` and `intake`.
        self.ldc(0);
        self.invalidate_constants();
        self.ldc(1);
        for _ in 0..self.preset.constant_misses as u64 + 4 + self.random.below(2) {
            self.fresh_constant_lines += 1;
            self.ldc(CONSTANT_LINE * (1 + self.fresh_constant_lines % (LARGEST / CONSTANT_LINE - 1)));
        }
        // `write` and what waiters are left; `write_back`, while `tag` holds what waits for it.
        self.store(stores as usize);
        self.dirty_miss();
        // A sector for each lane: `tag`, `merge` and `issue`; then `check` and `intake`.
        self.store(self.preset.lanes);
        (0..4).for_each(|_| self.hit(false));
        // The others have begun, and are not waited for.
        self.ops[first].wait = if self.others == 0 { Wait::All } else { Wait::Unit };
    }

    /// Stores of the unit `sm` to the one that is jammed, from when that is warm on: a sector for each lane.
    fn remote_stores(&mut self, sm: u32) {
        for number in 0..REMOTE_STORES {
            let mask = self.preset.lane_mask();
            let request = Request { op: STORE, space: CLUSTER, size: WORD, dst_width: 1, mask, ..Request::default() };
            let mut request = Cta::whole(self.preset).request(request);
            let sectors = self.preset.shared_bytes as u64 / SECTOR;
            for (lane, address) in request.addr[..self.preset.lanes].iter_mut().enumerate() {
                *address = SECTOR * (lane as u64 % sectors);
            }
            let wait = if number == 0 { Wait::All } else { Wait::No };
            self.ops.push(with_data(self.preset, plain(sm, 0, wait, request), &mut self.random));
        }
    }

    fn push(&mut self, request: Request) {
        // One warp, so that a burst begins as a whole.
        let operation = plain(0, 0, Wait::No, request);
        self.ops.push(with_data(self.preset, operation, &mut self.random));
    }

    /// Every lane accesses its own word, `stride` bytes from the next one's.
    fn access(&mut self, request: Request, first: u64, stride: u64) {
        self.access_of(self.preset.lanes, request, first, stride);
    }

    /// The same with the lowest `lanes` lanes alone active.
    fn access_of(&mut self, lanes: usize, request: Request, first: u64, stride: u64) {
        let space = if matches!(request.space, SHARED | CLUSTER) { request.space } else { GLOBAL };
        let mut request = Request { space, dst_width: 1, rd: 8, mask: u32::MAX >> (32 - lanes), ..request };
        for (lane, address) in request.addr[..self.preset.lanes].iter_mut().enumerate() {
            *address = first + lane as u64 * stride;
        }
        self.push(request);
    }

    fn hit(&mut self, nc: bool) {
        self.access(Request { op: LOAD, size: WORD, nc, ..Request::default() }, self.line, 0);
    }

    fn shared(&mut self) {
        let request = Request { op: LOAD, size: WORD, ..Request::default() };
        self.access(Cta::whole(self.preset).request(Request { space: SHARED, ..request }), 0, 4);
    }

    fn misaligned(&mut self) {
        self.access(Request { op: LOAD, size: WORD, ..Request::default() }, self.line + 1, 0);
    }

    /// The first byte of `lines` lines that nothing has accessed.
    fn fresh(&mut self, lines: u64) -> u64 {
        self.fresh_lines += lines;
        self.line + LINE * (self.fresh_lines + 1 - lines)
    }

    /// The first byte of a line that nothing has accessed, in the set of L1 that [`Self::local_store`] has left dirty or in another one.
    fn fresh_beside(&mut self, is_dirty: bool) -> u64 {
        let sets = self.preset.l1_sets as u64;
        let local = LocalMemory::new(self.preset, &Program::empty(*self.preset).windows(0)).address(0, 0, 0) / LINE;
        loop {
            let line = self.fresh(1);
            if (line / LINE % sets == (local ^ (local / sets)) % sets) == is_dirty {
                return line;
            }
        }
    }

    /// The first word of the threads' local memory.
    fn local_store(&mut self) {
        let mask = self.preset.lane_mask();
        self.push(Request { op: STORE, space: LOCAL, size: WORD, dst_width: 1, mask, ..Request::default() });
    }

    fn dirty_miss(&mut self) {
        let first = self.fresh_beside(true);
        self.access(Request { op: LOAD, size: WORD, ..Request::default() }, first, 0);
    }

    /// Into L1: an MSHR whose own row is still to be read would not be taken by others.
    fn miss(&mut self) {
        if self.others > 0 && self.random.chance(50) {
            return self.remote_miss();
        }
        let first = self.fresh_beside(false);
        self.access(Request { op: LOAD, size: WORD, ..Request::default() }, first, 0);
    }

    /// A line of another unit's shared memory: four sectors.
    fn remote_miss(&mut self) {
        let rank = 1 + self.random.below(self.others.into());
        let request = Request { op: LOAD, space: CLUSTER, size: WORD, ..Request::default() };
        self.access(Cta::whole(self.preset).request(request), rank << OFFSET_BITS, LINE / self.preset.lanes as u64);
    }

    /// A sector for each of so many lanes.
    fn store(&mut self, lanes: usize) {
        let first = self.fresh((lanes as u64 * SECTOR).div_ceil(LINE));
        self.access_of(lanes, Request { op: STORE, size: WORD, ..Request::default() }, first, SECTOR);
    }

    /// As many beats as there are, in one sector.
    fn slow_store(&mut self) {
        let first = self.fresh(1);
        self.access(Request { op: STORE, size: QUAD, vec: 1, ..Request::default() }, first, 0);
    }

    fn invalidate_constants(&mut self) {
        self.push(bare(Command::InvalidateConstant));
    }

    fn ldc(&mut self, address: u32) {
        self.push(uniform_request(self.preset, Place { bank: BANK, address }));
    }
}
