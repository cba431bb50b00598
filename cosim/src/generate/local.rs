//! Random loads and stores of local memory, by its own spaces and by generic addresses.

use lsu_model::micro_op::Space;
use lsu_model::pins::{MAX_LANES, Request};

use super::access::{self, Field, GENERIC, LOAD, LOCAL, MMIO, STORE, WEAK};
use super::frames::Frames;
use super::ground::{LINE, beyond};
use super::tiles::Cta;
use super::{ignored, shared};
use crate::program::{Beat, LOCAL_GRANULE, SHARED_GRANULE, may_be_local};
use crate::random::Random;

const PARAM: u8 = Space::ParamFunc.code();

/// The largest access of local memory, in bytes.
const LARGEST: u64 = 16;

/// How many of 100 local accesses go where the one before went, and do the opposite.
const ECHO_PERCENT: u8 = 25;

/// How many of 100 are those of a function's parameters; how many are generic, and how many of these have lanes elsewhere.
const PARAM_PERCENT: u8 = 15;
const GENERIC_PERCENT: u8 = 40;
const MIXED_PERCENT: u8 = 40;

/// How many of 100 are around the end of local memory, and how many of these have a lane beyond it.
const END_PERCENT: u8 = 10;
const BEYOND_PERCENT: u8 = 40;

/// How many of 100 are what local memory does not do, by each cause: `nc`, mmio, 32 bytes.
const REFUSED_PERCENT: u8 = 2;

/// How many of 100 vectors are shortened: each word is a pass of its own.
const SHORTER_PERCENT: u8 = 35;

/// A load or store with its data; `before` is the request before it. True if it goes where that went, and so must be of its threads.
pub(super) fn access(
    field: &Field<'_>,
    frames: &Frames,
    mask: u32,
    before: Option<&Request>,
    random: &mut Random,
) -> (Request, Vec<Beat>, bool) {
    let preset = field.preset;
    let op = if random.chance(60) { LOAD } else { STORE };
    let space = if random.chance(PARAM_PERCENT) { PARAM } else { LOCAL };
    let mut request = Request { op, mask, space, ..Request::default() };
    let echoed = before.filter(|before| may_be_local(before) && random.chance(ECHO_PERCENT));
    if let Some(before) = echoed {
        request.op = LOAD ^ STORE ^ before.op;
    }
    request.nc = request.op == LOAD && random.chance(REFUSED_PERCENT);
    access::order(&mut request, field.temper, random);
    if request.sem >= MMIO && !random.chance(REFUSED_PERCENT) {
        (request.sem, request.scope) = (WEAK, 0);
    }
    access::shape(&mut request, random);
    let is_too_large = 1_u64 << (request.size + request.vec) > LARGEST && !random.chance(10);
    if is_too_large || request.vec > 0 && random.chance(SHORTER_PERCENT) {
        request.vec -= 1;
        request.sink &= (1 << (1 << request.vec)) - 1;
    }
    access::hints(&mut request, random);
    match echoed {
        Some(before) => {
            let Request { size, vec, space, imm, addr, wide, shared_base, shared_size, .. } = *before;
            let mask = if random.chance(70) { before.mask } else { mask };
            request = Request { size, vec, space, imm, addr, wide, shared_base, shared_size, mask, sink: 0, ..request };
            access::registers(&mut request, random);
        }
        None => {
            access::registers(&mut request, random);
            if random.chance(2) {
                access::spoil(&mut request, random);
            }
            addresses(field, frames, random, &mut request);
        }
    }
    if random.chance(10) {
        ignored::fill(preset, &mut request, random);
    }
    let data = super::data(preset, &request, random);
    (request, data, echoed.is_some())
}

/// The register operands and the immediate.
fn addresses(field: &Field<'_>, frames: &Frames, random: &mut Random, request: &mut Request) {
    let Field { preset, ground, windows, .. } = field;
    let all = u64::MAX >> (64 - preset.address_bits);
    let total = 1_u64 << (request.size.min(4) + request.vec);
    let mut targets = offsets(field, frames, total, random);
    if random.chance(GENERIC_PERCENT) && matches!(request.space, LOCAL | PARAM) {
        request.space = GENERIC;
        *request = Cta::whole(preset).request(*request);
        let [shared, local] = [(windows[0].base, u64::from(SHARED_GRANULE)), (windows[1].base, LOCAL_GRANULE)]
            .map(|(base, granule)| base & !(granule - 1));
        let is_mixed = random.chance(MIXED_PERCENT);
        for target in &mut targets {
            *target = match random.below(40) {
                0..10 if is_mixed => ground.line(random) + random.below(LINE) / total * total,
                10..18 if is_mixed => shared.wrapping_add(random.below(LINE) / total * total) & all,
                18 if is_mixed => ground.edge(windows, random) / total * total,
                _ => local.wrapping_add(*target) & all,
            };
        }
    }
    let least = targets[..preset.lanes].iter().min().copied().unwrap_or_default();
    request.imm = shared::immediate(least, random);
    let imm = i64::from(request.imm as i32) as u64;
    for (operand, target) in request.addr[..preset.lanes].iter_mut().zip(targets) {
        *operand = target.wrapping_sub(imm) & all;
    }
    if random.chance(super::ODD_LANE_PERCENT / 2) {
        super::odd_lane(preset, preset.address_bits as u64, request, random);
    }
    if random.chance(1) {
        request.wide = 1 << random.below(preset.lanes as u64);
    }
}

/// The offset of each lane in the local memory of its thread.
fn offsets(field: &Field<'_>, frames: &Frames, total: u64, random: &mut Random) -> [u64; MAX_LANES] {
    let preset = field.preset;
    let bytes = frames.bytes();
    let mut offsets = frames.offsets(preset.lanes, total, random);
    if random.chance(END_PERCENT) {
        let last = bytes.saturating_sub(total);
        for offset in &mut offsets {
            *offset = if random.chance(50) { last - last.min(total * random.below(3)) } else { *offset };
        }
        if random.chance(BEYOND_PERCENT) {
            let bit = random.below(u64::from(preset.address_bits)) as u32;
            let over = if random.chance(30) { bytes + total * random.below(4) } else { beyond(bytes, bit, random) };
            // One lane, which may be an inactive one.
            offsets[random.below(preset.lanes as u64) as usize] = over / total * total;
        }
    }
    offsets
}
