//! Random accesses of constant banks by generic addresses: constant loads that go through the windows of constants and of parameters,
//! some with lanes elsewhere, and what these windows do not serve.

use lsu_model::pins::Request;

use super::access::{self, Field};
use super::banks::Banks;
use super::codes::{CONST, GENERIC, MMIO, STORE, WEAK};
use super::constant_load::constant_load;
use super::ground::LINE;
use super::shape::Draft;
use super::tiles::Cta;
use crate::program::{Beat, CONSTANT_BANK, PARAM_BANK, WINDOW_GRANULE};
use crate::random::Random;

/// How many of 100 stay within the bank: it may be shorter than that of the line which they go to.
const WITHIN_PERCENT: u8 = 60;

/// How many of 100 have lanes in global memory, too.
const MIXED_PERCENT: u8 = 25;

/// How many of 100 are what no constant bank does: stores, and loads with `nc` or mmio.
const STORE_PERCENT: u8 = 4;
const REFUSED_PERCENT: u8 = 2;

/// Such an access with its data; the lanes' addresses lie to each other as `lanes` of `draft` says.
pub(super) fn access(field: &Field<'_>, banks: &Banks, draft: &Draft, random: &mut Random) -> (Request, Vec<Beat>) {
    let Field { preset, ground, windows, .. } = field;
    let mut request = constant_load(preset, banks, field.param_start, draft, random);
    let [.., constants, parameters] = windows;
    let (window, bank, start) = match request.space {
        CONST => (constants, CONSTANT_BANK, 0),
        _ => (parameters, PARAM_BANK, field.param_start),
    };
    let base = window.base & !(WINDOW_GRANULE - 1);
    request.space = GENERIC;
    if random.chance(STORE_PERCENT) {
        request.op = STORE;
        request.sink = 0;
    }
    access::order(&mut request, field.temper, random);
    if request.sem >= MMIO && !random.chance(REFUSED_PERCENT) {
        (request.sem, request.scope) = (WEAK, 0);
    }
    let all = preset.address_mask();
    let total = 1_u64 << (request.size.min(4) + request.vec);
    let imm = i64::from(request.imm as i32) as u64;
    let bytes = u64::from(banks.size_of(bank)).saturating_sub(start);
    let is_within = bytes > 0 && random.chance(WITHIN_PERCENT);
    for address in &mut request.addr[..preset.lanes] {
        let offset = address.wrapping_add(imm) & all;
        let offset = if is_within { offset % bytes } else { offset };
        *address = offset.wrapping_add(base).wrapping_sub(imm) & all;
    }
    if random.chance(MIXED_PERCENT) {
        let line = ground.line(random);
        for address in &mut request.addr[..preset.lanes] {
            if random.chance(50) {
                let target = (line + random.below(LINE)) & !(total - 1);
                *address = target.wrapping_sub(imm) & all;
            }
        }
    }
    access::finish(preset, Cta::whole(preset).request(request), random)
}
