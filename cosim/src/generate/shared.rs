//! Random loads and stores of shared memory, by its own space and by generic addresses.

use lsu_model::pins::{MAX_LANES, Request};

use super::access::{self, Field, GENERIC, LOAD, MMIO, SHARED, STORE, WEAK};
use super::ground::{LINE, beyond};
use super::ignored;
use super::tiles::{Cta, Pattern};
use crate::program::{Beat, SHARED_GRANULE, may_be_shared};
use crate::random::Random;

/// The largest access of shared memory, in bytes.
const LARGEST: u64 = 16;

/// How many of 100 shared accesses go where the one before went, and do the opposite.
const ECHO_PERCENT: u8 = 25;

/// How many of 100 are generic, and how many of these have lanes elsewhere.
const GENERIC_PERCENT: u8 = 35;
const MIXED_PERCENT: u8 = 30;

/// How many of 100 are around the end of the window, and how many of these have a lane beyond it.
const END_PERCENT: u8 = 10;
const BEYOND_PERCENT: u8 = 40;

/// How many of 100 are what shared memory does not do, by each cause: `nc`, mmio, 32 bytes.
const REFUSED_PERCENT: u8 = 2;

/// A load or store with its data; `before` is the request before it.
pub(super) fn access(
    field: &Field<'_>,
    mask: u32,
    before: Option<&Request>,
    random: &mut Random,
) -> (Request, Vec<Beat>) {
    let preset = field.preset;
    let op = if random.chance(65) { LOAD } else { STORE };
    let mut request = Request { op, mask, space: SHARED, ..Request::default() };
    let echoed = before.filter(|before| may_be_shared(before) && random.chance(ECHO_PERCENT));
    if let Some(before) = echoed {
        request.op = LOAD ^ STORE ^ before.op;
    }
    request.nc = request.op == LOAD && random.chance(REFUSED_PERCENT);
    access::order(&mut request, field.temper, random);
    if request.sem >= MMIO && !random.chance(REFUSED_PERCENT) {
        (request.sem, request.scope) = (WEAK, 0);
    }
    access::shape(&mut request, random);
    if 1_u64 << (request.size + request.vec) > LARGEST && !random.chance(10) {
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
            request = field.tiles.window(preset, random).request(request);
            addresses(field, random, &mut request);
        }
    }
    if random.chance(10) {
        ignored::fill(preset, &mut request, random);
    }
    let data = super::data(preset, &request, random);
    (request, data)
}

/// The register operands and the immediate.
fn addresses(field: &Field<'_>, random: &mut Random, request: &mut Request) {
    let Field { preset, ground, windows, .. } = field;
    let all = u64::MAX >> (64 - preset.address_bits);
    let total = 1_u64 << (request.size.min(4) + request.vec);
    let cta = Cta { base: request.shared_base, size: request.shared_size };
    let mut targets = offsets(field, cta, total, random);
    if random.chance(GENERIC_PERCENT) && request.space == SHARED {
        request.space = GENERIC;
        let base = windows[0].base & !u64::from(SHARED_GRANULE - 1);
        let is_mixed = random.chance(MIXED_PERCENT);
        for target in &mut targets {
            *target = match random.below(40) {
                0..16 if is_mixed => ground.line(random) + random.below(LINE) / total * total,
                16 if is_mixed => ground.edge(windows, random) / total * total,
                _ => base.wrapping_add(*target) & all,
            };
        }
    }
    let least = targets[..preset.lanes].iter().min().copied().unwrap_or_default();
    request.imm = immediate(least, random);
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

/// An immediate that no address, of which `least` is the lowest, stays below, or any at all: the sum then goes around.
pub(super) fn immediate(least: u64, random: &mut Random) -> u32 {
    let steps = (least / LARGEST).min(0x1000);
    match random.below(40) {
        0..20 => 0,
        20..29 => (LARGEST * random.below(steps + 1)) as u32,
        29..38 => (LARGEST as u32 * random.below(0x1000) as u32).wrapping_neg(),
        38 => (LARGEST as u32) << random.below(27),
        _ => random.next_bits() as u32,
    }
}

/// The offset of each lane in the window of `cta`.
fn offsets(field: &Field<'_>, cta: Cta, total: u64, random: &mut Random) -> [u64; MAX_LANES] {
    let preset = field.preset;
    let (base, bytes) = cta.extent(preset);
    let (base, bytes) = (u64::from(base), u64::from(bytes));
    let rows = field.tiles.rows_in(preset, cta);
    let addresses = Pattern::draw(preset, random).addresses(preset, &rows, total as u32, random);
    let mut offsets = addresses.map(u64::from).map(|address| match address.checked_sub(base) {
        Some(offset) if offset + total <= bytes => offset,
        // What the window does not see it sees elsewhere.
        _ => address / total % (bytes / total).max(1) * total,
    });
    if random.chance(END_PERCENT) {
        let last = bytes.saturating_sub(total);
        for offset in &mut offsets {
            *offset = if random.chance(50) { last - last.min(total * random.below(3)) } else { *offset };
        }
        if random.chance(BEYOND_PERCENT) {
            let bit = random.below(u64::from(preset.address_bits)) as u32;
            let over = if random.chance(50) { bytes + total * random.below(4) } else { beyond(bytes, bit, random) };
            // One lane, which may be an inactive one.
            offsets[random.below(preset.lanes as u64) as usize] = over / total * total;
        }
    }
    offsets
}
