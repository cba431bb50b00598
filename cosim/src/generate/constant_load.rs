//! Random constant loads (`ld.const`, `ld.param::entry`), next to LDCs on the same lines: most of them legal, each way of being
//! illegal now and then.

use lsu_model::micro_op::{CacheOperator, Semantics, Space};
use lsu_model::pins::Request;
use lsu_model::preset::Preset;

use super::access::{hints, registers};
use super::banks::{Banks, LINE};
use super::codes::{CONST, LOAD};
use super::ground::{carry, carrying_immediate};
use super::ignored;
use super::shape::{Draft, Lanes};
use crate::program::{CONSTANT_BANK, PARAM_BANK, constant_bank};
use crate::random::Random;

const PARAM: u8 = Space::ParamEntry.code();

/// log2 of the bytes of the largest constant load.
const LARGEST_TOTAL_LOG2: u8 = 4;

/// Of 100 constant loads, those of which one lane's register does not fit the addresses.
const WIDE_PERCENT: u8 = 2;

/// Bits of an address that a bank can have.
const BANK_ADDRESS_BITS: u64 = 16;

/// A constant load; the lanes' addresses lie to each other as `lanes` of `draft` says. `start` is where parameters begin in bank 0.
pub(super) fn constant_load(preset: &Preset, banks: &Banks, start: u64, draft: &Draft, random: &mut Random) -> Request {
    let mut request = Request { op: LOAD, mask: draft.mask.lanes(preset, random), ..Request::default() };
    // As a text has it; the pin is not looked at.
    (request.space, request.bank) = if random.chance(60) { (CONST, CONSTANT_BANK) } else { (PARAM, PARAM_BANK) };
    shape(&mut request, random);
    hints(&mut request, random);
    registers(&mut request, random);
    // Nothing is illegal without lanes.
    if random.chance(if request.mask == 0 { 20 } else { 3 }) {
        spoil(&mut request, random);
    }
    request.imm = immediate(draft.lanes, random);
    if draft.lanes == Lanes::Carries && random.chance(10) {
        // A carry through the lowest bits: from one byte to the next.
        (request.size, request.vec) = (0, 0);
        request.imm = if random.chance(50) { 1 } else { u32::MAX };
    }
    addresses(preset, banks, start, draft.lanes, random, &mut request);
    if random.chance(30) {
        ignored::fill(preset, &mut request, random);
    }
    request
}

/// Element size and count, at most 16 bytes in all.
pub(super) fn shape(request: &mut Request, random: &mut Random) {
    request.size = random.below(5) as u8;
    let most = (LARGEST_TOTAL_LOG2 - request.size).min(3);
    request.vec = random.below(u64::from(most) + 1) as u8;
    request.sign = random.chance(40);
    request.dst_width = match random.below(8) {
        0 => 0,
        1..5 => 1,
        _ => 2,
    };
    if request.vec > 0 && random.chance(20) {
        request.sink = random.next_bits() as u8;
    }
}

/// One of the ways of being illegal, or a code that no instruction gives.
fn spoil(request: &mut Request, random: &mut Random) {
    match random.below(7) {
        0 => request.size = 5 + random.below(3) as u8,
        1 => {
            request.size = 2 + random.below(3) as u8;
            request.vec = LARGEST_TOTAL_LOG2 + 1 - request.size;
            request.rd = (4 * random.below(64)) as u8;
        }
        2 => (request.size, request.vec) = (3 + random.below(2) as u8, 3),
        3 => request.nc = true,
        4 => request.sem = random.below(Semantics::CODE_COUNT as u64) as u8,
        5 => request.cop = CacheOperator::Wb.code() + random.below(2) as u8,
        _ => request.dst_width = 3,
    }
}

fn immediate(lanes: Lanes, random: &mut Random) -> u32 {
    if lanes == Lanes::Carries {
        return carrying_immediate(random);
    }
    match random.below(20) {
        0..9 => 0,
        9..13 => (16 * random.below(32)) as u32,
        13..17 => ((16 * random.below(32)) as u32).wrapping_neg(),
        17 => random.below(0x100) as u32,
        // Of LDC only 16 bits would count.
        18 => (16 * random.below(32)) as u32 ^ 1 << (16 + random.below(16)),
        _ => random.next_bits() as u32,
    }
}

/// The register operands: what is left of each lane's address when the immediate and the start of the parameters are taken away.
fn addresses(preset: &Preset, banks: &Banks, start: u64, lanes: Lanes, random: &mut Random, request: &mut Request) {
    let total = 1_u64 << (request.size.min(4) + request.vec).min(5);
    let aligned = if random.chance(96) { !(total - 1) } else { !0 };
    let start = if request.space == PARAM { start } else { 0 };
    let displacement = i64::from(request.imm as i32) + start as i64;
    let bank = constant_bank(request).unwrap_or_default();
    let line = banks.line_of(bank, random);
    let lines: [u64; 3] = std::array::from_fn(|_| banks.line_of(bank, random));
    let offset = random.below(LINE.into());
    let stride = 1_u64 << random.below(9);
    let twin = line ^ u64::from(LINE) << random.below(BANK_ADDRESS_BITS - 6);
    let surplus = 1_u64 << (BANK_ADDRESS_BITS + random.below(u64::from(preset.address_bits) - BANK_ADDRESS_BITS));
    let all = preset.address_mask();
    let carries = random.chance(50);
    for lane in 0..preset.lanes {
        let number = lane as u64;
        let target = match lanes {
            Lanes::Uniform => line + offset,
            Lanes::Consecutive => line + number * total,
            Lanes::Strided => line + offset + number * stride,
            Lanes::FewLines => lines[random.below(3) as usize] + random.below(LINE.into()),
            Lanes::Scattered => banks.line_of(bank, random) + number * u64::from(LINE) + offset,
            // A single lane beyond an edge is enough.
            Lanes::Edges if random.chance(50) => edge(preset, banks.size_of(bank), random),
            Lanes::Edges => line + random.below(LINE.into()),
            Lanes::Twins => [line, twin][random.below(2) as usize] + offset,
            Lanes::Ends => banks.end_of(bank, random),
            // One bit too many for a bank, or a sum that carries as far as one of the address.
            Lanes::Carries if carries => (line + offset) ^ (surplus * random.below(2)),
            Lanes::Carries => carry(random.next_bits() & all, displacement, preset.address_bits, random),
        };
        request.addr[lane] = (target & aligned).wrapping_sub(displacement as u64) & all;
    }
    if random.chance(super::ODD_LANE_PERCENT) {
        super::odd_lane(preset, preset.address_bits.into(), request, random);
    }
    if random.chance(WIDE_PERCENT) {
        // One lane, which may be an inactive one.
        request.wide = 1 << random.below(preset.lanes as u64);
    }
}

/// An address near one of the edges of the rules.
fn edge(preset: &Preset, size: u32, random: &mut Random) -> u64 {
    let near = random.below(0x80);
    let around = random.below(0x100).wrapping_sub(0x80);
    match random.below(8) {
        0 => near,
        1 => around,
        2 => u64::from(size & !15).wrapping_add(around),
        3 => 0x1_0000_u64.wrapping_add(around),
        4 => (1_u64 << preset.address_bits).wrapping_add(around),
        5 => random.next_bits(),
        _ => random.below(u64::from(size.max(64))),
    }
}
