//! Random programs: case number i of seed S, which depends on nothing else.
//!
//! A case keeps to the constant cache, or mixes loads and stores of the global path in, or consists of them; a few fill
//! every place of the unit.
//!
//! proptest's strategies choose what a case is like and what each operation is like; the lanes' addresses then follow from
//! a seed that the strategy draws, because 32 separate draws an operation would cost more than running it.
//!
//! | file | part |
//! |---|---|
//! | `shape` | what a case and an operation are like |
//! | `codes` | codes of `req_*` by name |
//! | `ground` | lines and windows that loads and stores go to |
//! | `access` | loads and stores |
//! | `tiles` | rows and windows of shared memory that loads and stores go to |
//! | `shared` | loads and stores of shared memory |
//! | `cluster` | what makes of programs with shared memory clusters of units |
//! | `frames` | words of local memory that loads and stores go to, and where they lie |
//! | `local` | loads and stores of local memory |
//! | `banks` | banks and lines that LDCs and constant loads go to |
//! | `ldc` | LDCs and commands |
//! | `constant_load` | loads of constant memory and of kernel parameters |
//! | `window` | the same by generic addresses |
//! | `windowed` | what those of shared and of local memory have in common |
//! | `ignored` | what stands on pins that an operation does not look at |
//! | `pattern` | the patterns that cases are drawn from |
//! | `jam` | programs that fill every place |
//! | `stream` | programs that keep a place busy in every cycle |
//! | `walk` | programs that go through lanes, ways and waiters one by one |

mod access;
mod banks;
mod changes;
mod cluster;
mod codes;
mod constant_load;
mod frames;
mod ground;
mod ignored;
mod jam;
mod ldc;
mod local;
mod pattern;
mod shape;
mod shared;
mod stream;
#[cfg(test)]
mod tests;
mod tiles;
mod walk;
mod window;
mod windowed;

use std::ops::Range;

use lsu_model::micro_op::Command;
use lsu_model::pins::{Request, Window, Windows};
use lsu_model::preset::Preset;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, Reason, RngAlgorithm, TestRng, TestRunner};

use crate::program::{
    Bank, Beat, IDEAL_LATENCY, LOCAL_GRANULE, Latency, Operation, Program, ProgramOperation, Reset, Wait,
    bytes_of_thread, store_beats,
};
use crate::random::{Random, mix};

use access::{Field, access};
pub(crate) use banks::{BANK, LARGEST, LINE as CONSTANT_LINE, bank};
pub(crate) use codes::{LDC, LOAD, STORE, WORD};
pub(crate) use ground::{LINE, SECTOR};

use banks::Banks;
use changes::{Changes, with_carriers};
use cluster::{CLUSTER_PERCENT, STREAM_PERCENT, with_cluster};
use codes::{COMMAND, GENERIC, GLOBAL};
use frames::Frames;
use ground::Ground;
use ldc::{carrying_request, command, constant_request};
use pattern::Pattern;
use shape::{Draft, Shape, draft, shape};
use tiles::Tiles;

/// Stream number of a program's resets, how many of 100 programs have some, how many these have at most, in how many of 100 resets the
/// memory side forgets, too, and about how many cycles an operation takes.
const RESET_STREAM: u64 = 0x72_6573_6574;
const RESET_PERCENT: u8 = 12;
const MOST_RESETS: u64 = 3;
const RESET_MEMORY_PERCENT: u8 = 25;
const CYCLES_PER_OPERATION: u64 = 8;

/// Nobody writes the bank table again after a reset in a cycle that is a multiple of this.
const BANKLESS_RESETS: u64 = 8;

/// The warps of a program, all of them moved: most differ from one of the others in one bit of the slot.
const WARPS: [u32; 10] = [0, 1, 2, 4, 8, 16, 32, 3, 5, 63];

/// How many of them access local memory, so that they come back to what they have there.
const LOCAL_WARPS: usize = 3;

/// In how many of 100 operations one lane's address is unlike the others.
const ODD_LANE_PERCENT: u8 = 8;

/// How many of 100 operations of the global path are commands.
const COMMAND_PERCENT: u8 = 2;

/// The cases that walk: what they find, and hardly any other case does, is found by a few of them.
pub const WALKS: Range<u64> = 1300..1300 + walk::COUNT;

/// Cases of a check of which nobody says how many: some random ones, and all that walk.
pub const DEFAULT_CASES: u64 = WALKS.end;

/// Stream number of the choice whether stores can change a constant bank.
const SHARED_BANK_STREAM: u64 = 0x7368_6172_6564;

/// How many of 100 programs with loads and stores have a constant bank on the lines that these use.
const SHARED_BANK_PERCENT: u8 = 15;

/// Stream number of the offset of the kernel parameters.
const PARAM_STREAM: u64 = 0x70_6172_616d;

/// Stream number of whether memory answers sooner, in how many of 100 programs it does, and from how many MSHRs on it need not.
const QUICK_STREAM: u64 = 0x71_7569_636b;
const QUICK_PERCENT: u8 = 90;
const MANY_MISSES: usize = 8;

/// Stream number of the loads of constant banks by generic addresses, and in the place of how many of 100 other generic loads they come.
const WINDOW_STREAM: u64 = 0x7769_6e64_6f77;
const WINDOW_PERCENT: u8 = 30;

/// Stream number of what fills shared memory.
const FILL_STREAM: u64 = 0x6669_6c6c;

/// Stream number of what a program begins with, and how many of 100 in compute mode begin with bank sums of one bit too many: only
/// the first such operation shows whether the unit notices.
const FIRST_STREAM: u64 = 0x66_6972_7374;
const FIRST_CARRY_PERCENT: u8 = 40;

/// Parts of the unit that programs use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paths {
    /// The constant cache only.
    Constant,
    /// The constant cache and the global path, on one unit or several.
    All,
}

/// A case could not be generated.
#[derive(Debug, thiserror::Error)]
#[error("case {case} cannot be generated: {reason}")]
pub struct GenerationError {
    /// Which one.
    pub case: u64,
    /// What proptest says.
    pub reason: String,
}

/// The paths that the cases of `check` use.
const CHECKED_PATHS: Paths = Paths::All;

/// The program that is case number `case` of `seed`.
///
/// # Errors
/// proptest gives up on its own strategies, which these do not make it do.
pub fn program(preset: &Preset, seed: u64, case: u64) -> Result<Program, GenerationError> {
    program_on(preset, CHECKED_PATHS, seed, case)
}

/// The same for the paths that `paths` names.
///
/// # Errors
/// As [`program`].
pub fn program_on(preset: &Preset, paths: Paths, seed: u64, case: u64) -> Result<Program, GenerationError> {
    let (mut shape, mut runner) = drawn(seed, case)?;
    match Pattern::of(paths, case, &shape) {
        Pattern::Walk => return Ok(walk::program(preset, &shape, case - WALKS.start)),
        Pattern::Jam => return Ok(with_resets(jam::program(preset, &shape))),
        Pattern::Stream(kind) => {
            return Ok(with_resets(with_cluster(stream::program(preset, &shape, kind), STREAM_PERCENT)));
        }
        Pattern::Constants | Pattern::Random(_) if paths == Paths::Constant => {
            (shape.global_percent, shape.sms) = (0, 1);
        }
        Pattern::Constants | Pattern::Random(_) => {}
    }
    let failed = |reason: Reason| GenerationError { case, reason: reason.to_string() };
    let draft = draft(shape.is_stressed);
    let mut ops = Vec::with_capacity(shape.length);
    for _ in 0..shape.length {
        // One after the other: a strategy for all of them would keep a tree of kilobytes for each, and shrinking is ours.
        ops.push(draft.new_tree(&mut runner).map_err(failed)?.current());
    }
    Ok(with_resets(with_carriers(with_cluster(realise(preset, shape, &ops), CLUSTER_PERCENT))))
}

/// The name of the pattern that case number `case` of `seed` is drawn from.
///
/// # Errors
/// As [`program`].
pub fn pattern(seed: u64, case: u64) -> Result<&'static str, GenerationError> {
    let (shape, _) = drawn(seed, case)?;
    Ok(Pattern::of(CHECKED_PATHS, case, &shape).name())
}

/// What a case is like, and whatever else of it is drawn.
fn drawn(seed: u64, case: u64) -> Result<(Shape, TestRunner), GenerationError> {
    let mut bytes = [0; 32];
    for (index, chunk) in bytes.chunks_exact_mut(8).enumerate() {
        chunk.copy_from_slice(&mix(mix(seed ^ mix(index as u64)) ^ case).to_le_bytes());
    }
    let config = Config { failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes));
    let failed = |reason: Reason| GenerationError { case, reason: reason.to_string() };
    let shape = shape().new_tree(&mut runner).map_err(failed)?.current();
    Ok((shape, runner))
}

/// The program with resets in the middle of its traffic, if it is one of those that have some.
fn with_resets(mut program: Program) -> Program {
    let mut random = Random::new(program.traffic.seed, RESET_STREAM);
    if random.chance(RESET_PERCENT) {
        let cycles = CYCLES_PER_OPERATION * (4 + program.ops.len() as u64);
        program.resets = (0..1 + random.below(MOST_RESETS))
            .map(|_| {
                let cycle = 1 + random.below(cycles);
                Reset {
                    cycle,
                    memory: random.chance(RESET_MEMORY_PERCENT),
                    banks: !cycle.is_multiple_of(BANKLESS_RESETS),
                }
            })
            .collect();
        program.resets.sort_unstable_by_key(|reset| reset.cycle);
        program.resets.dedup_by_key(|reset| reset.cycle);
    }
    program
}

fn realise(preset: &Preset, mut shape: Shape, ops: &[Draft]) -> Program {
    if shape.is_stressed {
        // A full pipeline needs results to be taken and operations to be there.
        shape.traffic.gap = 0;
        shape.traffic.stall = shape.traffic.stall.min(5);
    }
    let seed = shape.traffic.seed;
    shape.traffic.latency = quickened(preset, shape.traffic.latency, &mut Random::new(seed, QUICK_STREAM));
    let banks = Banks::new(seed, shape.compute);
    let mut ground = Ground::new(preset, seed);
    let mut program = Program {
        traffic: shape.traffic,
        compute: shape.compute,
        sms: shape.sms,
        banks: banks.writes(),
        ..Program::empty(*preset)
    };
    program.param_offset = param_offset(seed);
    if shape.global_percent > 0 {
        program.memory = ground.memory();
        if shape.has_own_windows {
            program.window = ground.windows(seed);
        }
        if shape.local_percent > 0 {
            program.window = frames::windows(preset, &ground, program.window, seed);
        }
        if Random::new(seed, SHARED_BANK_STREAM).chance(SHARED_BANK_PERCENT) {
            share_bank(&mut program, ground.bank_base());
        }
    }
    let unit = program.windows(0);
    let Windows { shared, local, constant, param, .. } = unit;
    let in_granules = |[shared, local, constant, param]: [Window; 4]| {
        let local = Window { base: local.base & !(LOCAL_GRANULE - 1), size: bytes_of_thread(preset, local.size) };
        [shared, local, constant, param]
    };
    let windows = in_granules([shared, local, constant, param]);
    let frames = (shape.global_percent > 0 && shape.local_percent > 0).then(|| Frames::new(preset, &unit, seed));
    if let Some(frames) = &frames {
        // What is said of the lines of others holds over it.
        program.memory.splice(0..0, frames.memory(&program, seed));
        if frames::is_touched(seed) {
            let warps = WARPS[..LOCAL_WARPS].iter().map(|warp| warp_of(*warp, seed)).collect::<Vec<_>>();
            ground.add(frames.line(&program, &warps, &mut Random::new(seed, FILL_STREAM)));
        }
    }
    let tiles = Tiles::new(preset, seed);
    let shared_percent = if shape.global_percent > 0 { shape.shared_percent } else { 0 };
    let (temper, local_percent, param_start) = (shape.temper, shape.local_percent, program.param_start());
    let mut field = Field {
        preset,
        ground: &ground,
        windows,
        temper,
        tiles: &tiles,
        shared_percent,
        param_start,
        frames,
        local_percent,
    };
    if shared_percent > 0 {
        let mut random = Random::new(seed, FILL_STREAM);
        for sm in 0..shape.sms {
            let fill = |request| with_data(preset, plain(sm, 0, Wait::No, request), &mut random);
            program.ops.extend(tiles.fills(preset).map(fill));
        }
    }
    let mut changes = Changes::new(&program, &ground, ops.len());
    for (number, draft) in ops.iter().enumerate() {
        let mut change = changes.before(number, &program);
        if let Some(change) = &change {
            field.windows = in_granules(changes.windows());
            field.param_start = change.param_offset.map_or(field.param_start, crate::program::param_start);
        }
        if let Some(change) = change.take_if(|change| !change.banks.is_empty()) {
            program.ops.push(changes::carrier(change, 0));
        }
        let mut operation = operation(&field, &shape, &banks, draft, program.ops.last());
        operation.change = change.map(Box::new);
        program.ops.push(operation);
    }
    let mut random = Random::new(seed, FIRST_STREAM);
    if shape.compute && random.chance(FIRST_CARRY_PERCENT) {
        let request = carrying_request(preset, &banks, &mut random);
        program.ops.insert(0, plain(0, 0, Wait::No, request).into());
    }
    program
}

/// `latency`, but mostly shorter where few misses are under way at once: the fewer MSHRs there are, the longer each is in use,
/// and a unit that waits for one does nothing else.
fn quickened(preset: &Preset, latency: Latency, random: &mut Random) -> Latency {
    let divisor = (MANY_MISSES / preset.misses) as u32;
    if divisor < 2 || !random.chance(QUICK_PERCENT) {
        return latency;
    }
    let shorter = |cycles: u32| (cycles / divisor).max(1);
    match latency {
        Latency::Ideal => Latency::Between { least: 1, most: shorter(IDEAL_LATENCY) },
        Latency::Between { least, most } => Latency::Between { least: shorter(least), most: shorter(most) },
    }
}

/// Where kernel parameters begin: often at 0 or far behind, half of them with low bits that nobody looks at.
fn param_offset(seed: u64) -> u16 {
    let mut random = Random::new(seed, PARAM_STREAM);
    let start = match random.below(4) {
        0 => 0,
        1 => 16 * random.below(64),
        2 => random.next_bits() & 0xffff,
        _ => 1 << random.below(16),
    };
    let low = if random.chance(50) { random.below(16) } else { 0 };
    start as u16 & !15 | low as u16
}

/// Puts the first bank that the table takes where loads and stores go.
fn share_bank(program: &mut Program, base: u64) {
    let end = 1_u64 << program.preset.address_bits;
    let usable = |bank: &&mut Bank| bank.valid && bank.base.is_none() && base + u64::from(bank.size) <= end;
    if let Some(bank) = program.banks.iter_mut().find(usable) {
        bank.base = Some(base);
    }
}

fn operation(
    field: &Field<'_>,
    shape: &Shape,
    banks: &Banks,
    draft: &Draft,
    before: Option<&ProgramOperation>,
) -> ProgramOperation {
    let before_request = before.map(|operation| &operation.request);
    let mut warp = draft.warp as usize;
    let mut thread_of = None;
    let mut random = Random::new(draft.seed, 0);
    let mut by_window = Random::new(draft.seed, WINDOW_STREAM);
    let sm = random.below(u64::from(shape.sms)) as u32;
    let is_global = shape.global_percent > 0 && random.chance(shape.global_percent);
    let (request, data) = if !is_global {
        let request = constant_request(field.preset, banks, field.param_start, draft, &mut random);
        let data = vec![Beat::default(); store_beats(&request)];
        (request, data)
    } else if random.chance(COMMAND_PERCENT) {
        let cmd = random.below(4) as u8;
        (command(field.preset, cmd, &mut random), Vec::new())
    } else {
        let mask = draft.mask.lanes(field.preset, &mut random);
        if field.shared_percent > 0 && random.chance(field.shared_percent) {
            shared::access(field, mask, before_request, &mut random)
        } else if let Some(frames) = field.frames.as_ref().filter(|_| random.chance(field.local_percent)) {
            let (request, data, is_echo) = local::access(field, frames, mask, before_request, &mut random);
            thread_of = before.filter(|_| is_echo);
            warp %= LOCAL_WARPS;
            (request, data)
        } else {
            let (request, data) = access(field, draft.lanes, mask, &mut random);
            let is_generic_load = request.op == LOAD && request.space == GENERIC;
            if is_generic_load && by_window.chance(WINDOW_PERCENT) {
                window::access(field, banks, draft, &mut by_window)
            } else {
                (request, data)
            }
        }
    };
    let wait = match draft.wait {
        0 => Wait::No,
        1 => Wait::Warp,
        _ => Wait::All,
    };
    let (sm, warp) = match thread_of {
        Some(before) => (before.sm, before.warp),
        None => (sm, warp_of(WARPS[warp], shape.traffic.seed)),
    };
    ProgramOperation { data, ..plain(sm, warp, wait, request).into() }
}

/// The warp that a program with this seed has for one of [`WARPS`].
fn warp_of(warp: u32, seed: u64) -> u32 {
    warp ^ mix(seed) as u32 & 0xff
}

/// Where the lines of a program that stays within 1 MiB begin; the last of the address space is left out.
fn first_address(preset: &Preset, random: &mut Random) -> u64 {
    const ROOM: u64 = 1 << 20;
    random.below((1 << preset.address_bits) / ROOM - 1) * ROOM
}

/// One lane alone, which may be an inactive one, has one bit of its register, which has `bits`, the other way round: often one
/// that misaligns it.
fn odd_lane(preset: &Preset, bits: u64, request: &mut Request, random: &mut Random) {
    let among = if random.chance(40) { 5 } else { bits };
    let bit = random.below(among);
    request.addr[random.below(preset.lanes as u64) as usize] ^= 1 << bit;
}

/// The request of a command alone.
pub(crate) fn bare(command: Command) -> Request {
    Request { op: COMMAND, cmd: command.code(), ..Request::default() }
}

/// A store without lanes, which `done` answers at once.
fn empty_store() -> Request {
    Request { op: STORE, space: GLOBAL, size: WORD, dst_width: 1, ..Request::default() }
}

/// An operation of which nothing is expected.
pub(crate) fn plain(sm: u32, warp: u32, wait: Wait, request: Request) -> Operation {
    Operation { sm, warp, wait, request, text: None, expect: Vec::new(), expect_fault: None }
}

/// The same with random data, if it is a store.
pub(crate) fn with_data(preset: &Preset, operation: Operation, random: &mut Random) -> ProgramOperation {
    let data = data(preset, &operation.request, random);
    ProgramOperation { data, ..operation.into() }
}

/// What a request sends on `wdata`, at random.
fn data(preset: &Preset, request: &Request, random: &mut Random) -> Vec<Beat> {
    let mut data = vec![Beat::default(); store_beats(request)];
    for beat in &mut data {
        beat[..preset.lanes].fill_with(|| random.next_bits() as u32);
    }
    data
}
