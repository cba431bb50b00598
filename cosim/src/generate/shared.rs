//! Random loads and stores of shared memory, by its own space and by generic addresses.

use lsu_model::pins::{MAX_LANES, Request};

use super::access::{self, Field};
use super::codes::{GENERIC, LOAD, SHARED, STORE};
use super::ground::LINE;
use super::tiles::{Cta, Pattern};
use super::windowed;
use crate::program::{Beat, SHARED_GRANULE, may_be_shared};
use crate::random::Random;

/// How many of 100 are generic, and how many of these have lanes elsewhere.
const GENERIC_PERCENT: u8 = 35;
const MIXED_PERCENT: u8 = 30;

/// How many of 100 lanes beyond the window are close behind it.
const CLOSE_PERCENT: u8 = 50;

/// A load or store with its data; `before` is the request before it.
pub(super) fn access(
    field: &Field<'_>,
    mask: u32,
    before: Option<&Request>,
    random: &mut Random,
) -> (Request, Vec<Beat>) {
    let op = if random.chance(65) { LOAD } else { STORE };
    let echoed = windowed::echoed(before, may_be_shared, random);
    let request = Request { op, mask, space: SHARED, ..Request::default() };
    let mut request = windowed::request(request, echoed, None, field.temper, random);
    if echoed.is_none() {
        request = field.tiles.window(field.preset, random).request(request);
        addresses(field, random, &mut request);
    }
    access::finish(field.preset, request, random)
}

/// The register operands and the immediate.
fn addresses(field: &Field<'_>, random: &mut Random, request: &mut Request) {
    let Field { preset, ground, windows, .. } = field;
    let all = preset.address_mask();
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
    windowed::operands(preset, &targets, request, random);
}

/// The offset of each lane in the window of `cta`.
fn offsets(field: &Field<'_>, cta: Cta, total: u64, random: &mut Random) -> [u64; MAX_LANES] {
    let preset = field.preset;
    let (base, bytes) = cta.extent(preset);
    let (base, bytes) = (u64::from(base), u64::from(bytes));
    let rows = field.tiles.rows_in(preset, cta);
    let addresses = Pattern::draw(preset, random).addresses(preset, &rows, total as u32, random);
    let offsets = addresses.map(u64::from).map(|address| match address.checked_sub(base) {
        Some(offset) if offset + total <= bytes => offset,
        // What the window does not see it sees elsewhere.
        _ => address / total % (bytes / total).max(1) * total,
    });
    windowed::around_end(preset, bytes, total, CLOSE_PERCENT, offsets, random)
}
