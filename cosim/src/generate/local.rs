//! Random loads and stores of local memory, by its own spaces and by generic addresses.

use lsu_model::micro_op::Space;
use lsu_model::pins::Request;

use super::access::{self, Field};
use super::codes::{GENERIC, LOAD, LOCAL, STORE};
use super::frames::Frames;
use super::ground::LINE;
use super::tiles::Cta;
use super::windowed;
use crate::program::{Beat, LOCAL_GRANULE, SHARED_GRANULE, may_be_local};
use crate::random::Random;

const PARAM: u8 = Space::ParamFunc.code();

/// How many of 100 are those of a function's parameters; how many are generic, and how many of these have lanes elsewhere.
const PARAM_PERCENT: u8 = 15;
const GENERIC_PERCENT: u8 = 40;
const MIXED_PERCENT: u8 = 40;

/// How many of 100 lanes beyond local memory are close behind it.
const CLOSE_PERCENT: u8 = 30;

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
    let op = if random.chance(60) { LOAD } else { STORE };
    let space = if random.chance(PARAM_PERCENT) { PARAM } else { LOCAL };
    let echoed = windowed::echoed(before, may_be_local, random);
    let request = Request { op, mask, space, ..Request::default() };
    let mut request = windowed::request(request, echoed, Some(SHORTER_PERCENT), field.temper, random);
    if echoed.is_none() {
        addresses(field, frames, random, &mut request);
    }
    let (request, data) = access::finish(field.preset, request, random);
    (request, data, echoed.is_some())
}

/// The register operands and the immediate.
fn addresses(field: &Field<'_>, frames: &Frames, random: &mut Random, request: &mut Request) {
    let Field { preset, ground, windows, .. } = field;
    let all = preset.address_mask();
    let total = 1_u64 << (request.size.min(4) + request.vec);
    // The offset of each lane in the local memory of its thread.
    let offsets = frames.offsets(preset.lanes, total, random);
    let mut targets = windowed::around_end(preset, frames.bytes(), total, CLOSE_PERCENT, offsets, random);
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
    windowed::operands(preset, &targets, request, random);
}
