//! Random loads and stores of the global path: most of them legal, each way of being illegal now and then.

use lsu_model::micro_op::{Access, CacheOperator, L1Eviction, L2Eviction, Prefetch, Semantics};
use lsu_model::pins::{MAX_LANES, RZ, Request, Window};
use lsu_model::preset::Preset;

use super::codes::{GENERIC, GLOBAL, LOAD, MMIO, STORE, WEAK};
use super::frames::Frames;
use super::ground::{Ground, LINE, carrying_immediate};
use super::ignored;
use super::shape::{Lanes, Temper};
use super::tiles::{Cta, Tiles};
use crate::program::{Beat, may_be_shared};
use crate::random::Random;

const RELAXED: u8 = Semantics::Relaxed.code();
const ACQUIRE: u8 = Semantics::Acquire.code();
const RELEASE: u8 = Semantics::Release.code();
const VOLATILE: u8 = Semantics::Volatile.code();

/// The last register with which 1, 2, 4, 8, 16 and 32 registers may begin.
const LAST_REGISTERS: [u8; 6] = [254, 253, 251, 247, 239, 223];

/// Of 100 loads and stores, those of which one lane's register does not fit the addresses.
const WIDE_PERCENT: u8 = 2;

/// What the loads and stores of a program share.
pub(super) struct Field<'a> {
    pub preset: &'a Preset,
    pub ground: &'a Ground,
    pub windows: [Window; 4],
    pub temper: Temper,
    pub tiles: &'a Tiles,
    /// How many of 100 loads and stores are those of shared memory.
    pub shared_percent: u8,
    /// Where kernel parameters begin in bank 0.
    pub param_start: u64,
    /// Where those of local memory go, if there are any, and how many of 100 others they are.
    pub frames: Option<Frames>,
    pub local_percent: u8,
}

/// A load or store with its data; the lanes' addresses lie to each other as `lanes` says.
pub(super) fn access(field: &Field<'_>, lanes: Lanes, mask: u32, random: &mut Random) -> (Request, Vec<Beat>) {
    let load_percent = match field.temper {
        Temper::Calm => 88,
        Temper::Mixed => 75,
        Temper::Ordered => 55,
    };
    let mut request =
        Request { op: if random.chance(load_percent) { LOAD } else { STORE }, mask, ..Request::default() };
    request.nc = request.op == LOAD && random.chance(25);
    request.space = match random.below(100) {
        _ if lanes == Lanes::Ends => GENERIC,
        0..73 => GLOBAL,
        73..98 => GENERIC,
        _ => random.below(8) as u8,
    };
    order(&mut request, field.temper, random);
    shape(&mut request, random);
    hints(&mut request, random);
    registers(&mut request, random);
    // Nothing is illegal without lanes.
    if random.chance(if mask == 0 { 20 } else { 2 }) {
        spoil(&mut request, random);
    }
    request.imm = immediate(lanes, random);
    addresses(field, lanes, random, &mut request);
    if may_be_shared(&request) {
        let whole = Cta::whole(field.preset);
        let is_whole = field.shared_percent == 0;
        request = if is_whole { whole } else { field.tiles.window(field.preset, random) }.request(request);
    }
    finish(field.preset, request, random)
}

/// The request with its data, and now and then with something on the pins that it does not look at.
pub(super) fn finish(preset: &Preset, mut request: Request, random: &mut Random) -> (Request, Vec<Beat>) {
    if random.chance(10) {
        ignored::fill(preset, &mut request, random);
    }
    let data = super::data(preset, &request, random);
    (request, data)
}

/// Semantics and scope.
pub(super) fn order(request: &mut Request, temper: Temper, random: &mut Random) {
    let one_way = if request.op == LOAD { ACQUIRE } else { RELEASE };
    let weak_percent = match temper {
        Temper::Calm => 95,
        Temper::Mixed => 84,
        Temper::Ordered => 52,
    };
    request.sem = match random.below(32) {
        _ if request.nc || random.chance(weak_percent) => WEAK,
        0..9 => RELAXED,
        9..18 => one_way,
        18..24 => VOLATILE,
        24..29 => MMIO,
        _ => MMIO + one_way - 1,
    };
    request.scope = match request.sem {
        WEAK => 0,
        VOLATILE => 3,
        _ => random.below(4) as u8,
    };
}

/// Element size and count.
pub(super) fn shape(request: &mut Request, random: &mut Random) {
    request.size = random.below(5) as u8;
    // At most 32 bytes in all, and one element for MMIO.
    let most = if request.sem >= MMIO { 0 } else { (5 - request.size).min(3) };
    request.vec = random.below(u64::from(most) + 1) as u8;
    request.sign = random.chance(30);
    request.dst_width = match random.below(8) {
        0 => 0,
        1..6 => 1,
        _ => 2,
    };
    if request.op == LOAD && request.vec > 0 && random.chance(20) {
        request.sink = random.next_bits() as u8 & ((1_u16 << (1 << request.vec)) - 1) as u8;
    }
}

/// Operator, priorities, prefetch, policy.
pub(super) fn hints(request: &mut Request, random: &mut Random) {
    let access = match (request.op == LOAD, request.nc) {
        (true, false) => Access::Load,
        (true, true) => Access::NonCoherentLoad,
        (false, _) => Access::Store,
    };
    if random.chance(30) {
        let operators: Vec<CacheOperator> = CacheOperator::legal_for(access).collect();
        request.cop = operators[random.below(operators.len() as u64) as usize].code();
    }
    if random.chance(40) {
        // A code without a meaning is as none given, and no fault.
        let codes = if random.chance(25) { L1Eviction::CODE_COUNT } else { L1Eviction::COUNT };
        request.l1_evict = random.below(codes as u64) as u8;
    }
    if random.chance(25) {
        request.l2_evict = L2Eviction::ALL[random.below(L2Eviction::COUNT as u64) as usize].code();
        request.prefetch = Prefetch::ALL[random.below(Prefetch::COUNT as u64) as usize].code();
    }
    if random.chance(10) {
        request.policy_en = true;
        request.policy = random.next_bits();
    }
}

/// The destination registers.
pub(super) fn registers(request: &mut Request, random: &mut Random) {
    if request.op != LOAD {
        return;
    }
    // All elements are sunk, or all but one; one of those that there are not may be the only one that is not.
    if request.vec > 0 && random.chance(6) {
        request.sink = if random.chance(20) { u8::MAX } else { !(1 << random.below(8)) };
        request.rd = random.below(256) as u8;
        return;
    }
    request.rd = match random.below(50) {
        0 => RZ,
        1 => 248 + random.below(8) as u8,
        2 => random.below(256) as u8,
        // The last that is right, and others that differ from it in one bit.
        3 => LAST_REGISTERS[random.below(6) as usize],
        4 => LAST_REGISTERS[random.below(6) as usize] ^ 1 << random.below(8),
        5 => RZ ^ 1 << random.below(8),
        _ => (4 * random.below(56)) as u8,
    };
}

/// One of the ways of being illegal, or a code that no instruction gives.
pub(super) fn spoil(request: &mut Request, random: &mut Random) {
    match random.below(9) {
        0 => request.size = 5 + random.below(3) as u8,
        1 => {
            (request.size, request.vec) = (3 + random.below(2) as u8, 3);
            request.rd = (4 * random.below(64)) as u8;
        }
        2 => request.space = 2 + random.below(6) as u8,
        3 => (request.sem, request.vec) = (MMIO + random.below(3) as u8, 1 + random.below(3) as u8),
        4 => request.cop = random.below(CacheOperator::CODE_COUNT as u64) as u8,
        5 => request.sem = random.below(Semantics::CODE_COUNT as u64) as u8,
        6 => (request.nc, request.sem) = (true, random.below(Semantics::CODE_COUNT as u64) as u8),
        7 => (request.nc, request.cop) = (true, 4 + random.below(2) as u8),
        _ => {
            request.l2_evict = 3;
            request.dst_width = random.below(4) as u8;
            request.sink = random.next_bits() as u8;
            request.scope = random.below(4) as u8;
        }
    }
}

fn immediate(lanes: Lanes, random: &mut Random) -> u32 {
    if lanes == Lanes::Carries {
        return carrying_immediate(random);
    }
    match random.below(20) {
        0..9 => 0,
        9..14 => (32 * random.below(16)) as u32,
        14..18 => (32 * random.below(16)) as u32 | 0u32.wrapping_sub(0x200),
        18 => random.below(0x100) as u32,
        _ => random.next_bits() as u32,
    }
}

/// The register operands: what is left of each lane's address when the immediate is taken away.
fn addresses(field: &Field<'_>, lanes: Lanes, random: &mut Random, request: &mut Request) {
    let Field { preset, ground, windows, .. } = field;
    let total = 1_u64 << (request.size.min(4) + request.vec);
    // The end of a window is a matter of bytes, and asked for first.
    let aligned = if lanes != Lanes::Ends && random.chance(96) { !(total - 1) } else { !0 };
    let line = ground.line(random);
    let offset = random.below(LINE);
    let stride = 1_u64 << random.below(9);
    let few = [ground.line(random), ground.line(random), line];
    let twins = ground.twins(random);
    let all = preset.address_mask();
    let imm = i64::from(request.imm as i32) as u64;
    for (lane, operand) in request.addr[..preset.lanes.min(MAX_LANES)].iter_mut().enumerate() {
        let lane = lane as u64;
        let target = match lanes {
            Lanes::Uniform => line + offset,
            Lanes::Consecutive => line + lane * total,
            Lanes::Strided => line + offset + lane * stride,
            Lanes::FewLines => few[random.below(3) as usize] + random.below(LINE),
            Lanes::Scattered => ground.line(random) + random.below(LINE),
            // A single lane beyond an edge is enough.
            Lanes::Edges if random.chance(50) => ground.edge(windows, random),
            Lanes::Edges => line + random.below(LINE),
            Lanes::Twins => twins[random.below(2) as usize],
            Lanes::Ends => ground.end(windows, random),
            Lanes::Carries => ground.carry(request.imm as i32, random),
        };
        *operand = (target & aligned).wrapping_sub(imm) & all;
    }
    if random.chance(super::ODD_LANE_PERCENT) {
        super::odd_lane(preset, preset.address_bits as u64, request, random);
    }
    if random.chance(WIDE_PERCENT) {
        // One lane, which may be an inactive one.
        request.wide = 1 << random.below(preset.lanes as u64);
    }
}
