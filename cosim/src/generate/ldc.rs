//! Random LDCs.

use lsu_model::micro_op::{LdcMode, OpKind};
use lsu_model::pins::{RZ, Request};
use lsu_model::preset::Preset;
use lsu_model::sass::{Bank as SassBank, Guard, Ldc};

use super::banks::{Banks, Place, address_surplus, bank_surplus};
use super::codes::{LDC, WORD};
use super::constant_load::constant_load;
use super::ignored;
use super::shape::{Draft, Kind, Lanes, Mask};
use crate::program::request_of;
use crate::random::Random;

/// The size field of LDC's text for 32 bits.
const TEXT_WORD: u8 = 4;

/// The register that four registers may not begin with, and that is a multiple of four.
const LAST_QUAD: u8 = 252;

/// In how many of 100 LDCs the pins that they do not look at hold anything.
const IGNORED_PERCENT: u8 = 25;

/// Whether the mode adds the register's upper half to the bank.
const fn adds_to_bank(mode: LdcMode) -> bool {
    match mode {
        LdcMode::Ia => false,
        LdcMode::Il | LdcMode::Is | LdcMode::Isl => true,
    }
}

/// The request of an operation that is none of the global path; kernel parameters begin at `param_start` of bank 0.
pub(super) fn constant_request(
    preset: &Preset,
    banks: &Banks,
    param_start: u64,
    draft: &Draft,
    random: &mut Random,
) -> Request {
    match &draft.kind {
        Kind::Command(cmd) => command(preset, *cmd, random),
        Kind::Load => constant_load(preset, banks, param_start, draft, random),
        Kind::Odd => odd(preset, banks, draft, random),
        Kind::Ldc { size, mode, register, has_register } => {
            let line = banks.line(random);
            let mut ldc = Ldc {
                guard: Guard::ALWAYS,
                rd: *register,
                size: *size,
                mode: *mode,
                bank: SassBank::Immediate(line.bank),
                ra: if *has_register { 0 } else { RZ },
                immediate: 0,
            };
            ldc.immediate = immediate(random, *size, *has_register, line);
            let mut request = request_of(&ldc.lower_with_bank(line.bank));
            request.mask = draft.mask.lanes(preset, random);
            if *has_register {
                addresses(preset, banks, draft.lanes, random, &mut request);
            }
            // Drawn beside the rest, so that this is the same with it and without.
            let mut beside = random.clone();
            if beside.chance(IGNORED_PERCENT) {
                ignored::fill(preset, &mut request, &mut beside);
            }
            request
        }
    }
}

/// A command, half of the time with anything on the pins that it does not look at.
pub(super) fn command(preset: &Preset, cmd: u8, random: &mut Random) -> Request {
    let mut request = Request { op: OpKind::Command.code(), cmd, ..Request::default() };
    if random.chance(50) {
        ignored::fill(preset, &mut request, random);
    }
    request
}

/// A request that no text gives: only its pins can say it.
fn odd(preset: &Preset, banks: &Banks, draft: &Draft, random: &mut Random) -> Request {
    let line = banks.line(random);
    let ldc = Ldc {
        guard: Guard::ALWAYS,
        rd: (4 * random.below(64)) as u8,
        size: 4,
        mode: LdcMode::Ia,
        bank: SassBank::Immediate(line.bank),
        ra: 0,
        immediate: 0,
    };
    let mut request = request_of(&ldc.lower_with_bank(line.bank));
    request.mask = draft.mask.lanes(preset, random);
    addresses(preset, banks, draft.lanes, random, &mut request);
    match random.below(5) {
        // 128 bits, which LDC texts do not have, with any register.
        0..2 => {
            request.size = 4;
            request.rd = match random.below(6) {
                0 => random.next_bits() as u8,
                // The first of the four that are too many, and others that differ from it in one bit.
                1 => LAST_QUAD ^ 1 << random.below(8),
                2 => LAST_QUAD,
                _ => request.rd,
            };
            request.addr.iter_mut().for_each(|address| *address &= !15);
            if random.chance(40) {
                super::odd_lane(preset, 4, &mut request, random);
            }
        }
        // The sizes that are none.
        2 => {
            request.size = 5 + random.below(3) as u8;
            request.mask = if random.chance(30) { 0 } else { request.mask };
        }
        // Address bits above 32 among them.
        _ => ignored::fill(preset, &mut request, random),
    }
    request
}

/// An LDC by a register that leads some lanes to a bank sum with one bit more than banks have.
pub(super) fn carrying_request(preset: &Preset, banks: &Banks, random: &mut Random) -> Request {
    let mode = adding_mode(random);
    let draft = Draft {
        kind: Kind::Ldc { size: TEXT_WORD, mode, register: 8, has_register: true },
        warp: 0,
        wait: 0,
        mask: Mask::Full,
        lanes: Lanes::Carries,
        seed: 0,
    };
    constant_request(preset, banks, 0, &draft, random)
}

/// An LDC of 32 bits in which all lanes read one word.
pub(super) fn uniform_request(preset: &Preset, place: Place) -> Request {
    let bank = place.bank;
    let mut request = Request { op: LDC, size: WORD, dst_width: 1, bank, rd: 8, ..Request::default() };
    request.mask = preset.lane_mask();
    request.addr[..preset.lanes].fill(place.address.into());
    request
}

/// One of the modes that add to the bank.
fn adding_mode(random: &mut Random) -> LdcMode {
    let modes: Vec<LdcMode> = LdcMode::ALL.iter().copied().filter(|mode| adds_to_bank(*mode)).collect();
    modes[random.below(modes.len() as u64) as usize]
}

/// Bytes of an access with LDC size field `size`; the illegal sizes count as 4.
fn bytes(size: u8) -> u64 {
    match size {
        0 | 1 => 1,
        2 | 3 => 2,
        5 => 8,
        _ => 4,
    }
}

/// The immediate; without a register it is the address.
fn immediate(random: &mut Random, size: u8, has_register: bool, line: Place) -> u16 {
    let aligned = if random.chance(95) { !(bytes(size) - 1) as u16 } else { u16::MAX };
    let near = random.below(0x100) as u16;
    let value = match random.below(if has_register { 8 } else { 12 }) {
        0 => 0,
        1 => near,
        2 => near.wrapping_neg(),
        3 => 0x7fff - near,
        4 => 0x8000 + near,
        5 => random.next_bits() as u16,
        _ if has_register => 0,
        _ => line.address as u16 + near % 64,
    };
    value & aligned
}

/// Register values of all lanes, so that the sums with the immediate fall where the rules have their edges.
fn addresses(preset: &Preset, banks: &Banks, lanes: Lanes, random: &mut Random, request: &mut Request) {
    let step = 1_u32 << request.size.min(4);
    let aligned = if random.chance(96) { !(step - 1) } else { u32::MAX };
    // Few lines over and over, so that hits are as common as misses.
    let (bank, size) = banks.bank(random);
    let line = match random.chance(80) {
        true => banks.line(random),
        false => Place { bank, address: edge(random, size) },
    };
    let offset = random.below(64) as u32;
    let stride = 1_u32 << random.below(9);
    let lines: [Place; 3] = std::array::from_fn(|_| banks.line(random));
    let twins = banks.twins(random);
    if lanes == Lanes::Twins && twins[0].bank != twins[1].bank {
        request.mode = adding_mode(random).code();
    }
    let is_ia = !adds_to_bank(LdcMode::on_pin(request.mode));
    request.bank = match lanes {
        Lanes::Twins => twins[0].bank.min(twins[1].bank),
        _ if is_ia => line.bank,
        // Below the one that is meant: the register makes up for it.
        Lanes::Scattered | Lanes::Ends => random.below(u64::from(line.bank) + 1) as u8,
        // A sum of 17 bits takes more than a register's 16.
        Lanes::Carries if random.chance(50) => line.bank,
        Lanes::Carries => line.bank + random.below(u64::from(32 - line.bank)) as u8,
        _ => line.bank,
    };
    let carrying = carrying_lanes(preset, random);
    // The same for all lanes, so that nothing hides it.
    let (address_surplus, bank_surplus) = (address_surplus(random), bank_surplus(random));
    for lane in 0..preset.lanes {
        let number = lane as u32;
        let at = |address: u32| Place { bank: line.bank, address };
        let (place, surplus) = match lanes {
            Lanes::Uniform => (at(line.address.wrapping_add(offset)), 0),
            Lanes::Consecutive => (at(line.address.wrapping_add(number * step)), 0),
            Lanes::Strided => (at(line.address.wrapping_add(offset + number * stride)), 0),
            Lanes::FewLines => (at(lines[random.below(3) as usize].address.wrapping_add(random.below(64) as u32)), 0),
            Lanes::Scattered => {
                let line = banks.line(random);
                (Place { address: line.address.wrapping_add(offset), ..line }, 0)
            }
            Lanes::Edges => (at(edge(random, size)), 0),
            Lanes::Twins => (twins[random.below(2) as usize], 0),
            Lanes::Ends => (banks.end(random), 0),
            Lanes::Carries if is_ia => {
                (at(line.address.wrapping_add(offset) ^ (address_surplus * (carrying >> number & 1))), 0)
            }
            Lanes::Carries => (at(line.address.wrapping_add(offset)), bank_surplus * (carrying >> number & 1)),
        };
        let place = Place { address: place.address & aligned, ..place };
        // An edge can be one of the register itself, whatever the immediate adds.
        request.addr[lane] = u64::from(match lanes {
            Lanes::Edges => place.address,
            _ => aim(request, place, surplus),
        });
    }
    if random.chance(super::ODD_LANE_PERCENT) {
        super::odd_lane(preset, 32, request, random);
    }
}

/// The lanes whose sums carry: every other one, or one alone.
fn carrying_lanes(preset: &Preset, random: &mut Random) -> u32 {
    match random.below(3) {
        0 => 1 << random.below(preset.lanes as u64),
        other => 0x5555_5555 << (other - 1),
    }
}

/// The register that leads to `place`, or where the mode cannot, to the same address of the bank that is named;
/// `surplus` is added to the bank sum.
fn aim(request: &Request, place: Place, surplus: u32) -> u32 {
    let immediate = i32::from(request.imm as i16) as u32;
    let banks = (u32::from(place.bank) + surplus).wrapping_sub(request.bank.into()) & 0xffff;
    match LdcMode::on_pin(request.mode) {
        LdcMode::Ia => place.address.wrapping_sub(immediate),
        LdcMode::Il => (banks << 16 | place.address & 0xffff).wrapping_sub(immediate),
        LdcMode::Is | LdcMode::Isl => banks << 16 | place.address.wrapping_sub(immediate) & 0xffff,
    }
}

/// An address near one of the edges of the rules.
fn edge(random: &mut Random, size: u32) -> u32 {
    let near = random.below(0x80) as u32;
    let around = random.below(0x100) as u32;
    match random.below(10) {
        0 => near,
        1 => 0xff80 + around,
        2 => (size & !15).wrapping_sub(0x80).wrapping_add(around),
        3 => near.wrapping_neg(),
        4 => (random.below(20) as u32) << 16 | near,
        5 => (random.below(20) as u32) << 16 | (0xff80 + near),
        6 => random.next_bits() as u32,
        _ => random.below(u64::from(size.max(64))) as u32,
    }
}
