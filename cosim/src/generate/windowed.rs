//! What random loads and stores of shared memory and of local memory have in common: generic addresses reach both memories through
//! a window.

use lsu_model::pins::{MAX_LANES, Request};
use lsu_model::preset::Preset;

use super::access::{self};
use super::codes::{LOAD, MMIO, STORE, WEAK};
use super::ground::beyond;
use super::shape::Temper;
use crate::random::Random;

/// The largest access, in bytes.
const LARGEST: u64 = 16;

/// How many of 100 accesses go where the one before went, and do the opposite.
const ECHO_PERCENT: u8 = 25;

/// How many of 100 are around the end of what can be accessed, and how many of these have a lane beyond it.
const END_PERCENT: u8 = 10;
const BEYOND_PERCENT: u8 = 40;

/// How many of 100 are what these memories do not do, by each cause: `nc`, mmio, 32 bytes.
const REFUSED_PERCENT: u8 = 2;

/// The request before, if this access goes where that went; `may_be` says whether that is of the same memory.
pub(super) fn echoed<'a>(
    before: Option<&'a Request>,
    may_be: impl Fn(&Request) -> bool,
    random: &mut Random,
) -> Option<&'a Request> {
    before.filter(|before| may_be(before) && random.chance(ECHO_PERCENT))
}

/// `request`, which has its operation, lanes and space, with all but its addresses, or where `echoed` went and as the opposite of it.
/// Of 100 vectors `shorter_percent` are shortened.
pub(super) fn request(
    mut request: Request,
    echoed: Option<&Request>,
    shorter_percent: Option<u8>,
    temper: Temper,
    random: &mut Random,
) -> Request {
    if let Some(before) = echoed {
        request.op = LOAD ^ STORE ^ before.op;
    }
    request.nc = request.op == LOAD && random.chance(REFUSED_PERCENT);
    access::order(&mut request, temper, random);
    if request.sem >= MMIO && !random.chance(REFUSED_PERCENT) {
        (request.sem, request.scope) = (WEAK, 0);
    }
    access::shape(&mut request, random);
    let is_too_large = 1_u64 << (request.size + request.vec) > LARGEST && !random.chance(10);
    if is_too_large || request.vec > 0 && shorter_percent.is_some_and(|percent| random.chance(percent)) {
        request.vec -= 1;
        request.sink &= (1 << (1 << request.vec)) - 1;
    }
    access::hints(&mut request, random);
    if let Some(before) = echoed {
        let Request { size, vec, space, imm, addr, wide, shared_base, shared_size, .. } = *before;
        let mask = if random.chance(70) { before.mask } else { request.mask };
        request = Request { size, vec, space, imm, addr, wide, shared_base, shared_size, mask, sink: 0, ..request };
    }
    access::registers(&mut request, random);
    if echoed.is_none() && random.chance(2) {
        access::spoil(&mut request, random);
    }
    request
}

/// Offsets of accesses of `total` bytes in a memory of `bytes`: some lie around its end. Of 100 lanes beyond it `close_percent` are
/// close behind it; of the others one bit decides that they are beyond.
pub(super) fn around_end(
    preset: &Preset,
    bytes: u64,
    total: u64,
    close_percent: u8,
    mut offsets: [u64; MAX_LANES],
    random: &mut Random,
) -> [u64; MAX_LANES] {
    if random.chance(END_PERCENT) {
        let last = bytes.saturating_sub(total);
        for offset in &mut offsets {
            *offset = if random.chance(50) { last - last.min(total * random.below(3)) } else { *offset };
        }
        if random.chance(BEYOND_PERCENT) {
            let bit = random.below(u64::from(preset.address_bits)) as u32;
            let is_close = random.chance(close_percent);
            let over = if is_close { bytes + total * random.below(4) } else { beyond(bytes, bit, random) };
            // One lane, which may be an inactive one.
            offsets[random.below(preset.lanes as u64) as usize] = over / total * total;
        }
    }
    offsets
}

/// The immediate, and the register operands: what is left of each lane's address in `targets`.
pub(super) fn operands(preset: &Preset, targets: &[u64; MAX_LANES], request: &mut Request, random: &mut Random) {
    let all = preset.address_mask();
    let least = targets[..preset.lanes].iter().min().copied().unwrap_or_default();
    request.imm = immediate(least, random);
    let imm = i64::from(request.imm as i32) as u64;
    for (operand, target) in request.addr[..preset.lanes].iter_mut().zip(targets) {
        *operand = target.wrapping_sub(imm) & all;
    }
    if random.chance(super::ODD_LANE_PERCENT / 2) {
        super::odd_lane(preset, preset.address_bits.into(), request, random);
    }
    if random.chance(1) {
        request.wide = 1 << random.below(preset.lanes as u64);
    }
}

/// An immediate that no address, of which `least` is the lowest, stays below, or any at all: the sum then goes around.
fn immediate(least: u64, random: &mut Random) -> u32 {
    let steps = (least / LARGEST).min(0x1000);
    match random.below(40) {
        0..20 => 0,
        20..29 => (LARGEST * random.below(steps + 1)) as u32,
        29..38 => (LARGEST as u32 * random.below(0x1000) as u32).wrapping_neg(),
        38 => (LARGEST as u32) << random.below(27),
        _ => random.next_bits() as u32,
    }
}
