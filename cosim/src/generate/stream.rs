//! Programs in which one place after the other is busy in every cycle for a long time: what only shows when operations with
//! nearly the same tag, or lines of nearly the same set, follow each other without a gap.

use lsu_model::micro_op::{CacheOperator, Command, L1Eviction, Scope, Semantics};
use lsu_model::pins::Request;
use lsu_model::preset::Preset;

use super::banks::{BANK, LARGEST, LINE as CONSTANT_LINE, Place, bank};
use super::codes::{CONST, GENERIC, GLOBAL, LOAD, LOCAL, SHARED, STORE, WORD};
use super::constant_load;
use super::ground::{LINE, SECTOR};
use super::ldc::uniform_request;
use super::shape::Shape;
use super::tiles::{Cta, Pattern, Tiles};
use super::{MANY_MISSES, bare, empty_store, first_address, plain, quickened, with_data};
use crate::program::{CONSTANT_BANK, Latency, Program, ProgramOperation, TagPolicy, Traffic, Wait};
use crate::random::Random;

/// Stream number of such a program.
const STREAM_STREAM: u64 = 0x7374_7265_616d;

/// Most operations of a program.
const LENGTH: usize = 300;

/// Sets of the constant cache.
const CONSTANT_SETS: u64 = 4;

/// Warps beside the one that acquires: no two of them, nor any of them and that one, have one slot where there are eight.
const OTHER_WARPS: u64 = 7;

/// What streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Hits of several beats, with stores and commands that are answered in the same place.
    Answers,
    /// Misses of two sets whose numbers differ in one bit, some of which fail or keep their place longer.
    Sets,
    /// Loads and stores that wait for memory, between some that hit, and whose answers wait to be taken: places hold two of
    /// them, one of each.
    Waiters,
    /// Stores to lines that hit, and acquires that empty the L1 under them.
    Flushes,
    /// Loads of single sectors that are still to be read, or on their way, when something takes them out of the L1 and they are
    /// fetched again.
    Sectors,
    /// LDCs of a few more lines of one set than there are ways, and invalidations now and then.
    Constants,
    /// Loads and stores of shared memory, among hits of both caches and misses: all that is picked from at once.
    Banks,
    /// Loads and stores of local memory, one word after the other, among what is picked and collected beside them.
    Words,
    /// Loads, stores that hit and acquires in one set, so that fills, updates, evictions and flushes of it meet within a few cycles.
    Meetings,
}

/// How many of 42 streams are of each kind.
pub(super) const WEIGHTS: [(Kind, u64); 9] = [
    (Kind::Answers, 9),
    (Kind::Sets, 4),
    (Kind::Waiters, 3),
    (Kind::Flushes, 2),
    (Kind::Sectors, 3),
    (Kind::Constants, 2),
    (Kind::Banks, 8),
    (Kind::Words, 5),
    (Kind::Meetings, 6),
];

impl Kind {
    /// Its name in the counts of a check.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Answers => "answers",
            Self::Sets => "sets",
            Self::Waiters => "waiters",
            Self::Flushes => "flushes",
            Self::Sectors => "sectors",
            Self::Constants => "constant_lines",
            Self::Banks => "banks",
            Self::Words => "words",
            Self::Meetings => "meetings",
        }
    }
}

/// What streams in the program whose surroundings have the seed of `shape`.
pub(super) fn kind(shape: &Shape) -> Kind {
    Random::new(shape.traffic.seed, STREAM_STREAM).among(&WEIGHTS)
}

/// That program, of which `kind` streams.
pub(super) fn program(preset: &Preset, shape: &Shape, kind: Kind) -> Program {
    let mut random = Random::new(shape.traffic.seed, STREAM_STREAM + 1);
    let first = first_address(preset, &mut random);
    let nc_percent = [0, 50, 100, 100, 100][random.below(5) as usize];
    let traffic = Traffic {
        latency: match kind {
            // Long where a sector has not been asked for, short where it has.
            Kind::Sectors => Latency::Between { least: 1, most: 12 + random.below(60) as u32 },
            Kind::Meetings => {
                let least = 1 + random.below(8) as u32;
                Latency::Between { least, most: least + random.below(6) as u32 }
            }
            _ if random.chance(50) => Latency::Ideal,
            _ => Latency::Between { least: 1, most: 12 },
        },
        stall: match kind {
            Kind::Waiters => 35 + random.below(50) as u8,
            Kind::Banks if random.chance(50) => 20 + random.below(60) as u8,
            Kind::Sectors => random.below(20) as u8,
            _ if random.chance(75) => 0,
            _ => random.below(40) as u8,
        },
        gap: 0,
        error: if matches!(kind, Kind::Sets | Kind::Sectors | Kind::Constants) && random.chance(50) {
            1 + random.below(20) as u8
        } else {
            0
        },
        jam: if kind == Kind::Sectors && random.chance(80) { 50 + random.below(45) as u8 } else { 0 },
        tags: TagPolicy::Scattered,
        ..shape.traffic
    };
    let traffic = Traffic { latency: quickened(preset, traffic.latency, &mut random), ..traffic };
    let mut ops = vec![];
    let lines = 1 + random.below(4);
    // All of them read-only, or none.
    let nc = kind == Kind::Sets && random.chance(70);
    let (sets, ways) = if nc { (preset.ro_sets, preset.ro_ways) } else { (preset.l1_sets, preset.l1_ways) };
    let bit = random.below(u64::from(sets.trailing_zeros()));
    let has_classes = random.chance(60);
    let tiles = Tiles::new(preset, shape.traffic.seed);
    if matches!(kind, Kind::Banks | Kind::Words) {
        ops.extend(tiles.fills(preset).map(|request| operation(preset, request, &mut random)));
    }
    while ops.len() < length(preset, kind) {
        match kind {
            Kind::Answers => ops.push(answered(preset, first, lines, nc_percent, &mut random)),
            Kind::Sets if random.chance(3) => {
                // Ways that are absent are filled once: more of them, again and again.
                let emptied = if nc { Command::InvalidateReadOnly } else { Command::InvalidateL1 };
                ops.push(command(preset, emptied, &mut random));
            }
            Kind::Sets => {
                let set = random.below(2) << bit;
                let line = first + LINE * (set + random.below(ways as u64 + 2) * sets as u64);
                let mut operation = load(preset, line, 0, nc, &mut random);
                if has_classes && random.chance(50) {
                    operation.request.l1_evict = L1Eviction::Last.code();
                }
                ops.push(operation);
            }
            Kind::Waiters => {
                let line = first + LINE * (1 + random.below(256));
                ops.push(match random.below(10) {
                    0..2 => load(preset, first, 3, false, &mut random),
                    2..6 => {
                        let nc = random.chance(nc_percent);
                        let mut operation = load(preset, line, random.below(4) as u8, nc, &mut random);
                        if random.chance(70) {
                            // One sector for many results: what waits for memory comes sooner than it is taken.
                            operation = load(preset, line, 3, nc, &mut random);
                            let first = operation.request.addr[0];
                            operation.request.addr[..preset.lanes].fill(first);
                        }
                        if !nc {
                            // Past L1, which so keeps the line that hits.
                            operation.request.cop = CacheOperator::Cg.code();
                        }
                        operation
                    }
                    _ => store(preset, line, &mut random),
                });
            }
            Kind::Flushes => ops.extend(flush(preset, first, &mut random)),
            Kind::Sectors => ops.extend(refetch(preset, first, &mut random)),
            Kind::Constants => ops.push(constant(preset, &mut random)),
            Kind::Banks => ops.extend(banks(preset, &tiles, first, &mut random)),
            Kind::Meetings => ops.extend(meeting(preset, first, &mut random)),
            Kind::Words => ops.push(words(preset, &tiles, first, &mut random)),
        }
    }
    let banks = vec![bank(BANK, LARGEST), bank(CONSTANT_BANK, LARGEST)];
    Program { traffic, compute: shape.compute, banks, ops, ..Program::empty(*preset) }
}

/// Operations of such a program. With few MSHRs what keeps all waiters waiting does so for long.
fn length(preset: &Preset, kind: Kind) -> usize {
    match kind {
        Kind::Waiters => LENGTH * preset.misses.min(MANY_MISSES) / MANY_MISSES,
        _ => LENGTH,
    }
}

/// A shared access, or what is picked beside it: a hit of either cache, a miss, what is answered at once.
fn banks(preset: &Preset, tiles: &Tiles, first: u64, random: &mut Random) -> Vec<ProgramOperation> {
    let miss = |random: &mut Random| {
        let mut operation = load(preset, first + LINE * (1 + random.below(255)), 0, false, random);
        operation.request.cop = CacheOperator::Cg.code();
        operation
    };
    match random.below(40) {
        0..17 => vec![of_banks(preset, tiles, LOAD, random)],
        17..21 => vec![of_banks(preset, tiles, STORE, random)],
        // The same bytes, back to back.
        21..25 => {
            let order = if random.chance(50) { [LOAD, STORE, LOAD] } else { [STORE, LOAD, STORE] };
            let mut request = of_banks(preset, tiles, LOAD, random).request;
            let mut ops = Vec::with_capacity(order.len());
            for op in order {
                request.op = op;
                ops.push(operation(preset, request, random));
            }
            ops
        }
        25..29 => vec![load(preset, first, random.below(4) as u8, false, random)],
        29..33 => vec![load(preset, first, random.below(4) as u8, true, random)],
        33..37 => vec![miss(random)],
        // A release waits for what its warp has on its way; what comes behind it waits for it.
        37 => {
            let mut release = match random.chance(60) {
                true => of_banks(preset, tiles, STORE, random),
                false => store(preset, first + LINE * (1 + random.below(255)), random),
            };
            (release.request.sem, release.request.scope) = (Semantics::Release.code(), Scope::Gpu.code());
            let mut ops = vec![miss(random), release, of_banks(preset, tiles, LOAD, random)];
            let warp = ops[0].warp;
            ops.iter_mut().for_each(|operation| operation.warp = warp);
            ops
        }
        38 => vec![operation(preset, empty_store(), random)],
        _ => vec![store(preset, first + LINE * (1 + random.below(255)), random)],
    }
}

/// A local access, or what meets it on its way: hits of either cache, shared loads, misses, what is answered at once, what writes back.
fn words(preset: &Preset, tiles: &Tiles, first: u64, random: &mut Random) -> ProgramOperation {
    match random.below(40) {
        0..18 => of_words(preset, LOAD, random),
        18..25 => of_words(preset, STORE, random),
        25..28 => of_banks(preset, tiles, LOAD, random),
        28..33 => load(preset, first, random.below(4) as u8, random.chance(30), random),
        33..35 => store(preset, first + LINE * (1 + random.below(255)), random),
        35..38 => load(preset, first + LINE * (1 + random.below(255)), 0, false, random),
        38 => operation(preset, empty_store(), random),
        _ => command(preset, Command::WriteBackLocal, random),
    }
}

/// A load or store of up to four words of local memory, mostly at one offset, now and then by generic addresses.
fn of_words(preset: &Preset, op: u8, random: &mut Random) -> ProgramOperation {
    let vec = random.below(3) as u8;
    let rd = if op == LOAD { 8 * random.below(28) as u8 } else { 0 };
    let mut request = Request { op, space: LOCAL, size: WORD, dst_width: 1, vec, rd, ..Request::default() };
    request.mask = if random.chance(70) { preset.lane_mask() } else { random.next_bits() as u32 & preset.lane_mask() };
    if random.chance(10) {
        request.cop = CacheOperator::Cs.code();
    }
    if op == LOAD && vec > 0 && random.chance(20) {
        request.sink = random.next_bits() as u8 & ((1_u16 << (1 << vec)) - 1) as u8;
    }
    let base = if random.chance(20) {
        request = Cta::whole(preset).request(Request { space: GENERIC, ..request });
        Program::empty(*preset).windows(0).local.base
    } else {
        0
    };
    // Few words: L1 has room for them.
    let offset = |random: &mut Random| (random.below(8) << 2) >> (2 + vec) << (2 + vec);
    let offsets = [offset(random), offset(random)];
    let one = random.chance(80);
    for address in &mut request.addr[..preset.lanes] {
        *address = base + offsets[if one { 0 } else { random.below(2) as usize }];
    }
    let mut operation = operation(preset, request, random);
    // Few warps, so that they hit.
    operation.warp %= 2;
    operation
}

/// A load or store of shared memory through a window of all, now and then by generic addresses.
fn of_banks(preset: &Preset, tiles: &Tiles, op: u8, random: &mut Random) -> ProgramOperation {
    let vec = random.below(3) as u8;
    let rd = if op == LOAD { 8 * random.below(28) as u8 } else { 0 };
    let whole = Cta::whole(preset);
    let mut request =
        whole.request(Request { op, space: SHARED, size: WORD, dst_width: 1, vec, rd, ..Request::default() });
    request.mask = if random.chance(70) { preset.lane_mask() } else { random.next_bits() as u32 & preset.lane_mask() };
    let rows = tiles.rows_in(preset, whole);
    let base = if random.chance(20) {
        request.space = GENERIC;
        Program::empty(*preset).windows(0).shared.base
    } else {
        0
    };
    let addresses = Pattern::draw(preset, random).addresses(preset, &rows, 4 << vec, random);
    for (operand, address) in request.addr[..preset.lanes].iter_mut().zip(addresses) {
        *operand = base + u64::from(address);
    }
    operation(preset, request, random)
}

/// A load of up to 32 bytes a lane that hits most times, or something between that is answered at once.
fn answered(preset: &Preset, first: u64, lines: u64, nc_percent: u8, random: &mut Random) -> ProgramOperation {
    let line = first + LINE * random.below(lines);
    match random.below(8) {
        0..5 => {
            let nc = random.chance(nc_percent);
            load(preset, line, 1 + random.below(3) as u8, nc, random)
        }
        // Onto other lines: one that is stored to would be fetched again.
        5 => store(preset, line + LINE * lines, random),
        _ => operation(preset, empty_store(), random),
    }
}

/// A load, an acquire, a store to the load's line, then loads of lines of the same set of the L1. What `tag` does while the
/// acquire waits for memory is no load, which would wait as well; some time, the store comes just when the L1 is emptied.
fn flush(preset: &Preset, first: u64, random: &mut Random) -> Vec<ProgramOperation> {
    let ways = preset.l1_ways as u64;
    let line = |number: u64| first + LINE * (number % (ways + 1)) * preset.l1_sets as u64;
    let own = random.below(ways + 1);
    // Another line: the acquire itself keeps nothing. Nothing else is in flight when it begins.
    let mut acquire = load(preset, first + LINE, 0, false, random);
    (acquire.request.sem, acquire.request.scope) = (Semantics::Acquire.code(), Scope::Gpu.code());
    acquire.wait = Wait::All;
    let mut store = store(preset, line(own), random);
    if random.chance(60) {
        store.request.l1_evict = L1Eviction::Last.code();
    }
    let mut ops = vec![load(preset, line(own), 0, false, random), acquire];
    ops.extend((0..random.below(20)).map(|_| operation(preset, empty_store(), random)));
    ops.push(store);
    for _ in 0..ways + 1 + random.below(4) {
        ops.push(load(preset, line(own + 1 + random.below(ways)), 0, false, random));
    }
    if random.chance(75) {
        // One warp: its loads wait for the acquire.
        ops.iter_mut().for_each(|operation| operation.warp = 0);
    }
    ops
}

/// A set of L1 in which all ways are filled; then an acquire, whose own line lies elsewhere, a load of a sector that is not there, and,
/// about when these two are answered, a store to a sector that is and a load of one line too many.
fn meeting(preset: &Preset, first: u64, random: &mut Random) -> Vec<ProgramOperation> {
    let ways = preset.l1_ways as u64;
    let line = |number: u64| first + LINE * (number % (ways + 1)) * preset.l1_sets as u64;
    let of = |op, number, sector, random: &mut Random| {
        let mut operation = of_sector(preset, op, CacheOperator::Default, line(number), sector, random);
        operation.warp = 1 + random.below(OTHER_WARPS) as u32;
        operation
    };
    let own = random.below(ways + 1);
    let sector = random.below(LINE / SECTOR);
    let mut ops: Vec<_> = (0..ways).map(|number| of(LOAD, own + number, sector, random)).collect();
    let mut acquire = of_sector(preset, LOAD, CacheOperator::Default, first + LINE, sector, random);
    (acquire.request.sem, acquire.request.scope) = (Semantics::Acquire.code(), Scope::Gpu.code());
    // Loads of its warp would wait for it.
    acquire.warp = 0;
    let absent = of(LOAD, own, (sector + 1 + random.below(LINE / SECTOR - 1)) & (LINE / SECTOR - 1), random);
    // No wait: operations of other warps would go past it.
    ops.extend((0..random.below(12)).map(|_| operation(preset, empty_store(), random)));
    let begin = ops.len();
    ops.extend([acquire, absent]);
    if random.chance(50) {
        ops.swap(begin, begin + 1);
    }
    ops.extend((0..random.below(3)).map(|_| operation(preset, empty_store(), random)));
    let last = ops.len();
    ops.extend([of(STORE, own, sector, random), of(LOAD, own + ways, sector, random)]);
    if random.chance(50) {
        ops.swap(last, last + 1);
    }
    ops
}

/// Sectors of a line, one of them fetched a second time: while it is still to be read, as nobody takes answers, after a store
/// past the L1 or a load that fetches anew has taken it out; or while its first answer is still to come, for that load has
/// been to the line. What is fetched for the second time is answered sooner.
fn refetch(preset: &Preset, first: u64, random: &mut Random) -> Vec<ProgramOperation> {
    let line = first + LINE * (1 + random.below(255));
    let sector = random.below(4);
    let [second, third, fourth] = [1, 2, 3].map(|distance| (sector + distance) % 4);
    let weak = CacheOperator::Default;
    let is_read_late = random.chance(50);

    // What is there when it begins.
    let mut ops = vec![load(preset, first, 3, false, random)];
    ops.push(of_sector(preset, LOAD, weak, line, if is_read_late { sector } else { third }, random));
    ops.push(of_sector(preset, LOAD, weak, line, second, random));
    let begin = ops.len();
    if is_read_late {
        // Two reads each: `emit`, `collect`, `landing` and `read`.
        ops.extend((0..2).map(|_| load(preset, first, 3, false, random)));
        ops.push(of_sector(preset, LOAD, weak, line, sector, random));
        if random.chance(50) {
            ops.push(of_sector(preset, LOAD, weak, line, fourth, random));
        }
        let (op, operator) = if random.chance(70) { (STORE, CacheOperator::Cg) } else { (LOAD, CacheOperator::Cv) };
        ops.push(of_sector(preset, op, operator, line, sector, random));
    } else {
        ops.push(of_sector(preset, LOAD, weak, line, sector, random));
        ops.push(of_sector(preset, LOAD, CacheOperator::Cv, line, second, random));
    }
    for _ in 0..1 + random.below(5) {
        let again = if random.chance(80) { sector } else { random.below(4) };
        ops.push(of_sector(preset, LOAD, weak, line, again, random));
        ops.extend((0..random.below(8)).map(|_| operation(preset, empty_store(), random)));
    }
    ops[begin].wait = Wait::All;
    // One warp, so that they come in this order.
    for operation in &mut ops {
        operation.warp = 0;
    }
    ops
}

/// All lanes in one sector.
fn of_sector(
    preset: &Preset,
    op: u8,
    operator: CacheOperator,
    line: u64,
    sector: u64,
    random: &mut Random,
) -> ProgramOperation {
    let rd = if op == LOAD { 8 * random.below(28) as u8 } else { 0 };
    let mut request =
        Request { op, space: GLOBAL, size: WORD, dst_width: 1, rd, cop: operator.code(), ..Request::default() };
    request.mask = preset.lane_mask();
    for (lane, address) in request.addr[..preset.lanes].iter_mut().enumerate() {
        *address = line + SECTOR * sector + 4 * (lane as u64 % (SECTOR / 4));
    }
    operation(preset, request, random)
}

fn constant(preset: &Preset, random: &mut Random) -> ProgramOperation {
    if random.chance(2) {
        return command(preset, Command::InvalidateConstant, random);
    }
    let line = random.below(preset.constant_ways as u64 + 2) * CONSTANT_SETS;
    let address = line as u32 * CONSTANT_LINE;
    if random.chance(40) {
        return operation(preset, aimed_at_constants(preset, address, random), random);
    }
    operation(preset, uniform_request(preset, Place { bank: BANK, address }), random)
}

/// An aligned load of constant memory in the line at `address`, all lanes the same or each its own.
fn aimed_at_constants(preset: &Preset, address: u32, random: &mut Random) -> Request {
    let mut request = Request { op: LOAD, space: CONST, mask: preset.lane_mask(), ..Request::default() };
    constant_load::shape(&mut request, random);
    request.rd = 16 * random.below(14) as u8;
    let total = 1_u64 << (request.size + request.vec);
    let (place, step) = (random.below(u64::from(CONSTANT_LINE) / total), random.below(2));
    for (lane, operand) in request.addr[..preset.lanes].iter_mut().enumerate() {
        let element = (place + step * lane as u64) % (u64::from(CONSTANT_LINE) / total);
        *operand = u64::from(address) + element * total;
    }
    request
}

fn command(preset: &Preset, command: Command, random: &mut Random) -> ProgramOperation {
    operation(preset, bare(command), random)
}

fn load(preset: &Preset, line: u64, vec: u8, nc: bool, random: &mut Random) -> ProgramOperation {
    let rd = 8 * random.below(28) as u8;
    let request = Request { op: LOAD, space: GLOBAL, size: WORD, dst_width: 1, vec, nc, rd, ..Request::default() };
    operation(preset, aimed(preset, request, line, 4 << vec, random), random)
}

fn store(preset: &Preset, line: u64, random: &mut Random) -> ProgramOperation {
    let request = Request { op: STORE, space: GLOBAL, size: WORD, dst_width: 1, ..Request::default() };
    operation(preset, aimed(preset, request, line, 4, random), random)
}

/// Each lane's own element, all lanes the same, or each anywhere in the line; as few passes as there may be.
fn aimed(preset: &Preset, mut request: Request, line: u64, bytes: u64, random: &mut Random) -> Request {
    let pattern = random.below(3);
    let place = random.below(LINE / bytes);
    request.mask = if random.chance(70) { preset.lane_mask() } else { random.next_bits() as u32 & preset.lane_mask() };
    for (lane, address) in request.addr[..preset.lanes].iter_mut().enumerate() {
        let element = match pattern {
            0 => lane as u64 % (LINE / bytes),
            1 => place,
            _ => random.below(LINE / bytes),
        };
        *address = line + element * bytes;
    }
    request
}

fn operation(preset: &Preset, request: Request, random: &mut Random) -> ProgramOperation {
    let warp = random.below(10) as u32;
    with_data(preset, plain(0, warp, Wait::No, request), random)
}
