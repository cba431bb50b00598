//! Programs that fill every place of the unit at once: bursts of just the operations that each place holds, while no
//! answer is taken and the memory side is slow.

use lsu_model::micro_op::Command;
use lsu_model::pins::Request;
use lsu_model::preset::Preset;

use super::access::{GLOBAL, LOAD, STORE};
use super::ground::LINE;
use super::shape::Shape;
use crate::program::{
    Bank, Beat, Contents, Latency, Operation, Program, ProgramOperation, TagPolicy, Traffic, Wait, store_beats,
};
use crate::random::Random;

/// Stream number of such a program.
const JAM_STREAM: u64 = 0x006a_616d;

/// Codes of the pins.
const LDC: u8 = 2;
const COMMAND: u8 = 3;
const CACHE_GLOBAL: u8 = 2;
const WORD: u8 = 2;

/// Most bursts of a program.
const BURSTS: u64 = 5;

/// The bank that LDCs read, and its size.
const BANK: u8 = 2;
const BANK_BYTES: u64 = 0x1_0000;

/// Bytes of a line of the constant cache, and of a sector of memory.
const CONSTANT_LINE: u64 = 64;
const SECTOR: u64 = 32;

/// The operations of a program under way.
struct Bursts<'a> {
    preset: &'a Preset,
    random: Random,
    /// The line that hits L1 and the read-only cache; lines after it are fresh.
    line: u64,
    fresh_lines: u64,
    fresh_constant_lines: u64,
    ops: Vec<ProgramOperation>,
}

/// The program whose surroundings have the seed of `shape`.
pub(super) fn program(preset: &Preset, shape: &Shape) -> Program {
    let mut random = Random::new(shape.traffic.seed, JAM_STREAM);
    let room = 1 << 20;
    let line = random.below((1 << preset.address_bits) / room - 1) * room;
    let traffic = Traffic {
        latency: Latency::Between { least: 1 + random.below(4) as u32, most: 8 },
        stall: 30 + random.below(50) as u8,
        gap: 0,
        error: 0,
        jam: 70,
        tags: TagPolicy::Scattered,
        ..shape.traffic
    };
    let mut bursts = Bursts { preset, random, line, fresh_lines: 0, fresh_constant_lines: 0, ops: Vec::new() };
    for _ in 0..1 + bursts.random.below(BURSTS) {
        bursts.warm_up();
        bursts.burst();
    }
    let bank = Bank { index: BANK, size: BANK_BYTES as u32, base: None, contents: Contents::Address };
    let ops = bursts.ops;
    Program { traffic, compute: shape.compute, banks: vec![bank], ops, ..Program::empty(*preset) }
}

impl Bursts<'_> {
    /// What the hits of a burst hit, and nothing in flight when it begins.
    fn warm_up(&mut self) {
        self.ldc(0);
        self.ldc(CONSTANT_LINE);
        self.hit(false);
        self.hit(true);
    }

    fn burst(&mut self) {
        let first = self.ops.len();
        // Of the constant cache: W and D, X, F, the miss entries, then T, S, A and I.
        self.ldc(0);
        self.ldc(CONSTANT_LINE);
        self.command(Command::InvalidateConstant);
        self.ldc(1);
        for _ in 0..self.preset.constant_misses + 4 {
            self.fresh_constant_lines += 1;
            self.ldc(CONSTANT_LINE * (2 + self.fresh_constant_lines % (BANK_BYTES / CONSTANT_LINE - 2)));
        }
        // Of the global path: X, F, then E, C and H, M and N, waiters and B; the rest is for the stores.
        self.command(Command::WriteBackLocal);
        self.misaligned();
        (0..4).for_each(|_| self.hit(false));
        (0..3).for_each(|_| self.hit(true));
        let stored = 1 + self.random.below(3) as usize;
        for _ in 0..self.preset.misses + 2 - stored.min(self.preset.misses) {
            self.miss();
        }
        // A sector for each lane: Q, then T, P and S.
        self.store();
        (0..3).for_each(|_| self.hit(false));
        self.ops[first].wait = Wait::All;
    }

    fn push(&mut self, request: Request) {
        let mask = if request.op == COMMAND { 0 } else { self.preset.lane_mask() };
        let mut operation = ProgramOperation::from(Operation {
            sm: 0,
            warp: self.random.below(8) as u32,
            wait: Wait::No,
            request: Request { mask, ..request },
            text: None,
            expect: Vec::new(),
            expect_fault: None,
        });
        operation.data = vec![Beat::default(); store_beats(&request)];
        for beat in &mut operation.data {
            beat[..self.preset.lanes].fill_with(|| self.random.next_bits() as u32);
        }
        self.ops.push(operation);
    }

    /// A word of every lane, `stride` bytes apart from `first` on.
    fn access(&mut self, op: u8, first: u64, stride: u64, nc: bool, cop: u8) {
        let mut request = Request { op, space: GLOBAL, size: WORD, dst_width: 1, rd: 8, nc, cop, ..Request::default() };
        for (lane, address) in request.addr[..self.preset.lanes].iter_mut().enumerate() {
            *address = first + lane as u64 * stride;
        }
        self.push(request);
    }

    fn hit(&mut self, nc: bool) {
        self.access(LOAD, self.line, 0, nc, 0);
    }

    fn misaligned(&mut self) {
        self.access(LOAD, self.line + 1, 0, false, 0);
    }

    /// Past L1, which so keeps the line that hits.
    fn miss(&mut self) {
        self.fresh_lines += 1;
        self.access(LOAD, self.line + LINE * self.fresh_lines, 0, false, CACHE_GLOBAL);
    }

    fn store(&mut self) {
        let first = self.line + LINE * (self.fresh_lines + 1);
        self.fresh_lines += self.preset.lanes as u64 * SECTOR / LINE;
        self.access(STORE, first, SECTOR, false, 0);
    }

    fn command(&mut self, command: Command) {
        self.push(Request { op: COMMAND, cmd: command.code() as u8, ..Request::default() });
    }

    fn ldc(&mut self, address: u64) {
        let mut request = Request { op: LDC, size: WORD, dst_width: 1, bank: BANK, rd: 8, ..Request::default() };
        request.addr[..self.preset.lanes].fill(address);
        self.push(request);
    }
}
