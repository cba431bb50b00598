//! Makes a cluster of some of the programs that use shared memory: their units see each other's, and a good part of what was
//! an access of shared memory names a rank.

use lsu_model::pins::Request;
use lsu_model::preset::Preset;

use super::codes::{CLUSTER, GLOBAL, SHARED, STORE};
use super::tiles::Cta;
use super::with_data;
use crate::program::{
    Contents, MemoryBlock, MemorySpace, OFFSET_BITS, Operation, Program, RANK_BITS, SECTOR_BYTES, SHARED_GRANULE,
    WindowPlace,
};
use crate::random::Random;

/// Stream number of what makes a program a cluster, and of the rank of its first unit.
const CLUSTER_STREAM: u64 = 0x0063_6c75_7374_6572;
const RANK_STREAM: u64 = 0x7261_6e6b_7330;

/// How many of 100 programs that use shared memory are clusters, of random ones and of streams, in which all that is picked from
/// meets.
pub(super) const CLUSTER_PERCENT: u8 = 30;
pub(super) const STREAM_PERCENT: u8 = 70;

/// How many of 100 of these, where they had one unit, still have one.
const ALONE_PERCENT: u8 = 15;

/// How many of 100 operations are of the same unit as the one before.
const SAME_UNIT_PERCENT: u8 = 65;

/// How many of 100 clusters have units whose ranks do not begin with 0.
const RANKED_PERCENT: u8 = 60;

/// How many of 100 clusters show only a part of their shared memory, and how many begin with contents.
const NARROW_PERCENT: u8 = 40;
const FILLED_PERCENT: u8 = 20;

/// Of 100 operations that name a rank: those with the window of all of shared memory, and those of which one lane's offset has a bit
/// the other way round.
const WHOLE_PERCENT: u8 = 70;
const OFFSET_PERCENT: u8 = 8;

/// How many of 100 operations that name a rank go to global memory instead, to lines of the same numbers: only what is said of them
/// besides tells these from remote ones.
const GLOBAL_PERCENT: u8 = 12;

/// The program as a cluster, if it is one of those that are: `percent` of 100.
pub(super) fn with_cluster(mut program: Program, percent: u8) -> Program {
    let mut random = Random::new(program.traffic.seed, CLUSTER_STREAM);
    let preset = program.preset;
    let is_shared = |request: &Request| request.op <= STORE && request.space == SHARED;
    let uses_shared = program.ops.iter().filter(|operation| is_shared(&operation.request)).count() > 3;
    if !uses_shared || !random.chance(percent) {
        return program;
    }
    let is_fill = |operation: &Operation| is_fill(&preset, &operation.request);
    let begin = program.ops.iter().position(|operation| is_fill(operation)).unwrap_or(0);
    let fills = program.ops[begin..].iter().take_while(|operation| is_fill(operation)).count();
    if program.sms == 1 && !random.chance(ALONE_PERCENT) {
        program.sms = if random.chance(60) { 2 } else { 3 };
        let mut sm = 0;
        for operation in &mut program.ops[begin + fills..] {
            if !random.chance(SAME_UNIT_PERCENT) {
                sm = random.below(program.sms.into()) as u32;
            }
            operation.operation.sm = sm;
        }
        // Every unit has something to be asked for.
        let own: Vec<Operation> = program.ops[begin..begin + fills].iter().map(|fill| fill.operation.clone()).collect();
        let others = (1..program.sms).flat_map(|sm| own.iter().map(move |fill| Operation { sm, ..fill.clone() }));
        let others: Vec<_> = others.map(|fill| with_data(&preset, fill, &mut random)).collect();
        program.ops.splice(begin + fills..begin + fills, others);
    }
    if random.chance(NARROW_PERCENT) {
        program.window.cluster = window(&program, &mut random);
    } else if random.chance(FILLED_PERCENT) {
        for sm in 0..program.sms {
            let address = 4 * random.below(preset.shared_bytes as u64 / 4 - 16);
            let words: Vec<u32> = (0..1 + random.below(16)).map(|_| random.next_bits() as u32).collect();
            let (space, bytes) = (MemorySpace::Shared { sm }, 4 * words.len() as u64);
            program.memory.push(MemoryBlock { space, address, bytes, contents: Contents::Words(words) });
        }
    }
    let percent = 30 + random.below(65) as u8;
    let mut ranks = Random::new(program.traffic.seed, RANK_STREAM);
    if ranks.chance(RANKED_PERCENT) {
        program.window.rank = ranks.below((1 << RANK_BITS) - u64::from(program.sms) + 1) as u8;
    }
    let (first, sms) = (program.window.rank, program.sms);
    for operation in &mut program.ops {
        let (request, sm) = (operation.operation.request, operation.operation.sm);
        if is_shared(&request) && !self::is_fill(&preset, &request) && random.chance(percent) {
            let request = &mut operation.operation.request;
            *request = with_ranks(&preset, [first.into(), sms.into()], sm, *request, &mut random);
            if random.chance(GLOBAL_PERCENT) {
                request.space = GLOBAL;
            }
        }
    }
    program
}

/// Whether `request` is one of the stores that fill shared memory.
fn is_fill(preset: &Preset, request: &Request) -> bool {
    let Cta { base, size } = Cta::whole(preset);
    let Request { op, space, vec, mask, shared_base, shared_size, .. } = *request;
    (op, space, vec, shared_base, shared_size) == (STORE, SHARED, 2, base, size) && mask == preset.lane_mask()
}

/// What the CTAs show of shared memory: mostly much of it; sometimes with the low bits that nobody looks at, or over its end.
fn window(program: &Program, random: &mut Random) -> WindowPlace {
    let memory = program.preset.shared_bytes as u64;
    // Where some lane goes.
    let offset = match program.ops[random.below(program.ops.len() as u64) as usize].request {
        Request { op, space: SHARED, addr, imm, .. } if op <= STORE => {
            addr[0].wrapping_add_signed(i64::from(imm as i32))
        }
        _ => 0,
    };
    let low = if random.chance(30) { random.below(SHARED_GRANULE.into()) } else { 0 };
    let base = match random.below(4) {
        0 => 0,
        1 => SECTOR_BYTES * random.below(5),
        2 => random.below(2 * memory),
        _ => SECTOR_BYTES * random.below(memory / SECTOR_BYTES),
    };
    let size = match random.below(6) {
        0..2 => memory,
        2 => 16 * random.below(memory / 8),
        3 => memory - 16 * random.below(memory / 64),
        _ => (offset & !(SECTOR_BYTES - 1)) % memory + 16 * random.below(3),
    };
    WindowPlace { base: Some(base | low), size: Some(size | low) }
}

/// `request` of unit `sm`, whose lanes name ranks in place of the own shared memory; the units have `sms` ranks from `first` on.
fn with_ranks(preset: &Preset, [first, sms]: [u64; 2], sm: u32, request: Request, random: &mut Random) -> Request {
    let all = preset.address_mask();
    let mut request = Request { space: CLUSTER, ..request };
    if random.chance(WHOLE_PERCENT) {
        let base = u64::from(request.shared_base & !(SHARED_GRANULE - 1));
        for operand in &mut request.addr[..preset.lanes] {
            *operand = operand.wrapping_add(base) & all;
        }
        request = Cta::whole(preset).request(request);
    }
    let all_ranks = (1 << RANK_BITS) - 1;
    let own = u64::from(sm);
    let other = (first + (own + 1 + random.below(sms.max(2) - 1)) % sms.max(2)) & all_ranks;
    let own = first + own;
    let stranger = match random.below(3) {
        0 => (first + sms + random.below(4)) & all_ranks,
        1 => random.below(1 << RANK_BITS),
        // One bit tells it from the own or the other one.
        _ => [own, other][random.below(2) as usize] ^ 1 << random.below(RANK_BITS.into()),
    };
    let (first, second) = match random.below(20) {
        0..4 => (own, own),
        4..11 => (other, other),
        11..14 => (own, other),
        14..16 => (other, first + random.below(sms)),
        16 => (stranger, stranger),
        17 => (own, stranger),
        _ => (other, stranger),
    };
    let is_single = random.chance(30);
    let single = random.below(preset.lanes as u64) as usize;
    for (lane, operand) in request.addr[..preset.lanes].iter_mut().enumerate() {
        let is_second = if is_single { lane == single } else { random.chance(50) };
        let rank = if is_second { second } else { first };
        *operand = operand.wrapping_add(rank << OFFSET_BITS) & all;
    }
    if random.chance(OFFSET_PERCENT) {
        // From that of 16 bytes on, which aligns every access.
        request.addr[single] ^= 1 << (4 + random.below(u64::from(OFFSET_BITS) - 4));
    }
    let above = OFFSET_BITS + RANK_BITS;
    if preset.address_bits > above && random.chance(2) {
        // No rank has it.
        request.addr[single] ^= 1 << (above + random.below(u64::from(preset.address_bits - above)) as u32);
    }
    request
}
