//! Makes a failing program small: whole blocks of operations first (delta debugging), then single operations, then lanes,
//! then values. Every step is kept only if the program still fails in the same way, so that the result is the same
//! on every machine. An operation that some instruction text gives stays one: a reader knows more of a text than of pins.

use lsu_model::micro_op::{OpKind, Space};
use lsu_model::pins::{MAX_LANES, Request, Windows};
use lsu_model::preset::Preset;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::engine::EngineSource;
use crate::lockstep::{self, Failure};
use crate::program::{
    Beat, Change, Contents, DEFAULT_PARAM_OFFSET, LOCAL_GRANULE, Latency, MemorySpace, OFFSET_BITS, Program,
    ProgramOperation, SHARED_GRANULE, SharedPlace, TagPolicy, Traffic, Wait, Window, WindowPlace, canonical, has_text,
    lane_sum, local_place, may_be_shared, shared_place, store_beats,
};
use crate::random::Random;

/// Cycles after which the shrinker is content with what it has: less than a minute of Verilator.
const MOST_CYCLES: u64 = 8_000_000;

/// Operations that are few enough for no further search.
const FEW: usize = 5;

/// Draws of the search that follows when neighbours do not fail any more.
const DRAWS: u32 = 5000;

/// Code of `req_op` of LDC.
const LDC: u8 = OpKind::Ldc.code();

/// Changes that leave an operation plainer than it was.
const SIMPLER: [fn(&mut ProgramOperation); 34] = [
    |operation| operation.change = None,
    |operation| change(operation, |change| change.banks.clear()),
    |operation| change(operation, |change| change.window = Window::default()),
    |operation| change(operation, |change| change.compute = None),
    |operation| change(operation, |change| change.param_offset = None),
    |operation| operation.wait = Wait::No,
    |operation| operation.warp = 0,
    |operation| operation.request.addr = [0; 32],
    |operation| {
        let active = operation.request.mask.trailing_zeros().min(31) as usize;
        let first = operation.request.addr[active];
        let lanes = operation.request.addr.iter().rposition(|address| *address != 0).map_or(0, |last| last + 1);
        operation.request.addr[..lanes].fill(first);
    },
    |operation| {
        for lane in 0..32 {
            if operation.request.mask >> lane & 1 == 0 {
                operation.request.addr[lane] = 0;
            }
        }
    },
    |operation| operation.request.addr.iter_mut().for_each(|address| *address &= 0xffff_ffff),
    |operation| operation.request.addr.iter_mut().for_each(|address| *address &= 0xffff),
    |operation| operation.request.addr.iter_mut().for_each(|address| *address &= !127),
    |operation| operation.request.addr.iter_mut().for_each(|address| *address &= !63),
    |operation| operation.request.imm = 0,
    |operation| operation.request.rd = 0,
    |operation| operation.request.mode = 0,
    |operation| operation.request.vec = 0,
    |operation| operation.request.size = 2,
    |operation| operation.request.sink = 0,
    |operation| (operation.request.sign, operation.request.dst_width) = (false, 1),
    |operation| operation.request.shared_base = 0,
    |operation| operation.request.shared_base &= !(SHARED_GRANULE - 1),
    |operation| operation.request.shared_size &= !(SHARED_GRANULE - 1),
    |operation| (operation.request.sem, operation.request.scope) = (0, 0),
    |operation| operation.request.cop = 0,
    |operation| operation.request.l1_evict = 0,
    |operation| (operation.request.l2_evict, operation.request.prefetch) = (0, 0),
    |operation| (operation.request.policy_en, operation.request.policy) = (false, 0),
    |operation| operation.request.nc = false,
    |operation| {
        // An LDC's space is that of its text.
        if operation.request.op != LDC {
            operation.request.space = operation.request.space.min(1);
        }
    },
    |operation| operation.data.fill([0; 32]),
    // Data that names its lane.
    |operation| {
        for beat in &mut operation.data {
            for (lane, word) in beat.iter_mut().enumerate() {
                *word = if operation.operation.request.mask >> lane & 1 == 1 { lane as u32 + 1 } else { 0 };
            }
        }
    },
    |operation| {
        let mask = operation.request.mask;
        for (lane, word) in operation.data.iter_mut().flat_map(|beat| beat.iter_mut().enumerate()) {
            *word = if mask >> lane & 1 == 1 { *word } else { 0 };
        }
    },
];

/// A program that fails, and how.
#[derive(Clone, Debug)]
pub struct Failing {
    /// The program.
    pub program: Program,
    /// Its failure.
    pub failure: Failure,
}

struct Shrinker<'a> {
    source: &'a dyn EngineSource,
    stop: &'a AtomicBool,
    best: Failing,
    cycles: u64,
}

/// `program` for a unit of `preset`, which may have fewer lanes: active lanes that it does not have come in the place of inactive ones, and
/// what there is no room for is left out.
pub fn on_preset(program: &Program, preset: Preset) -> Program {
    let mut program = Program { preset, ..program.clone() };
    for operation in &mut program.ops {
        let request = &mut operation.operation.request;
        let is_active = |lane: &usize| request.mask >> lane & 1 == 1;
        let mut absent = (preset.lanes..MAX_LANES).filter(is_active);
        let mut keep = |lane| if is_active(&lane) { lane } else { absent.next().unwrap_or(lane) };
        let lanes: Vec<usize> = (0..preset.lanes).map(&mut keep).collect();
        let bits = |bits: u32| (0..).zip(&lanes).map(|(to, from)| (bits >> from & 1) << to).sum();
        (request.mask, request.wide) = (bits(request.mask), bits(request.wide));
        let addresses = preset.address_mask();
        request.addr = gathered(&request.addr, &lanes).map(|address| address & addresses);
        operation.data.iter_mut().for_each(|beat| *beat = gathered(beat, &lanes));
    }
    program
}

/// What is in `lanes` of `values`, in their order, and then nothing.
fn gathered<T: Copy + Default>(values: &[T; MAX_LANES], lanes: &[usize]) -> [T; MAX_LANES] {
    std::array::from_fn(|lane| lanes.get(lane).map_or(T::default(), |from| values[*from]))
}

/// A program as small as can be made of `failing` that fails in the same way. When `stop` becomes true, the best so far.
pub fn shrink(failing: Failing, source: &dyn EngineSource, stop: &AtomicBool) -> Failing {
    let mut shrinker = Shrinker { source, stop, best: failing, cycles: 0 };
    shrinker.cut_tail();
    shrinker.serialise();
    loop {
        let before = shrinker.best.program.clone();
        shrinker.remove_blocks();
        shrinker.calm_traffic();
        shrinker.remove_each(|program| &mut program.banks);
        shrinker.simplify_ground();
        shrinker.remove_lanes();
        shrinker.simplify_values();
        if shrinker.best.program == before && !shrinker.search() || shrinker.is_over() {
            return shrinker.best;
        }
    }
}

impl Shrinker<'_> {
    fn is_over(&self) -> bool {
        self.cycles >= MOST_CYCLES || self.stop.load(Ordering::Relaxed)
    }

    /// Keeps `candidate` if it fails in the same way.
    fn attempt(&mut self, candidate: Program) -> bool {
        // What has no operation, or leaves banks stale, could not be replayed.
        let is_program = !candidate.ops.is_empty() && candidate.stale_banks().is_none();
        if self.is_over() || candidate == self.best.program || !is_program {
            return false;
        }
        // A program on which an engine gives up is not the failure that is looked for.
        let Ok(outcome) = lockstep::run(&candidate, self.source, &mut ()) else { return false };
        self.cycles += outcome.cycles;
        match outcome.failure {
            Some(failure) if failure.is_like(&self.best.failure) => {
                self.best = Failing { program: candidate, failure };
                true
            }
            _ => false,
        }
    }

    /// Operations after the guilty one had no part in the failure, or nearly so.
    fn cut_tail(&mut self) {
        let Some(guilty) = self.best.failure.op else { return };
        for keep in [guilty + 1, guilty + 8, guilty + 64] {
            if keep < self.best.program.ops.len() {
                let mut candidate = self.best.program.clone();
                candidate.ops.truncate(keep);
                if self.attempt(candidate) {
                    return;
                }
            }
        }
    }

    /// One operation at a time, where that still fails: what is left then no longer depends on what overlaps.
    fn serialise(&mut self) {
        let mut candidate = self.best.program.clone();
        candidate.ops.iter_mut().for_each(|operation| operation.wait = Wait::All);
        self.attempt(candidate);
    }

    /// Failures that hang on an exact coincidence survive no single removal. Removes some operations at random, or gives their lanes to
    /// others, and changes the surroundings at the same time, until that fails with fewer operations; says whether it did.
    fn search(&mut self) -> bool {
        let mut random = Random::new(self.best.program.ops.len() as u64, 0);
        for _ in 0..DRAWS {
            let length = self.best.program.ops.len();
            if length <= FEW || self.is_over() {
                return false;
            }
            let mut candidate = self.best.program.clone();
            for _ in 0..1 + random.below(length as u64 / 2) {
                let op = random.below(candidate.ops.len() as u64) as usize;
                let gone = candidate.ops.remove(op);
                if random.chance(50) {
                    let to = random.below(candidate.ops.len() as u64) as usize;
                    give_lanes(&gone.request, &mut candidate.ops[to].request, candidate.preset.lanes);
                }
            }
            let traffic = &mut candidate.traffic;
            traffic.seed = random.below(1 << 16);
            if random.chance(50) {
                traffic.stall = [0, 10, 30, 60][random.below(4) as usize];
            }
            if traffic.error != 0 && random.chance(50) {
                traffic.error = [20, 50, 100][random.below(3) as usize];
            }
            if random.chance(50) {
                let most = 1 + random.below(40) as u32;
                traffic.latency = Latency::Between { least: 1 + random.below(most.into()) as u32, most };
            }
            if self.attempt(candidate) {
                return true;
            }
        }
        false
    }

    /// Removes blocks of operations, half of them first, single ones last.
    fn remove_blocks(&mut self) {
        let mut block = self.best.program.ops.len().div_ceil(2);
        while block > 0 {
            let mut end = self.best.program.ops.len();
            while end > 0 {
                let start = end.saturating_sub(block);
                let mut candidate = self.best.program.clone();
                candidate.ops.drain(start..end);
                self.attempt(candidate);
                end = start.min(self.best.program.ops.len());
            }
            block /= 2;
        }
    }

    /// The quietest surroundings in which it still fails.
    fn calm_traffic(&mut self) {
        let calm: [fn(&mut Traffic); 9] = [
            |traffic| {
                *traffic = Traffic { seed: traffic.seed, latency: Latency::Ideal, stall: 0, ..Traffic::default() }
            },
            |traffic| traffic.stall = 0,
            |traffic| traffic.gap = 0,
            |traffic| traffic.error = 0,
            |traffic| traffic.wrong_tag = 0,
            |traffic| traffic.latency = Latency::Ideal,
            |traffic| traffic.jam = 0,
            |traffic| traffic.strangers = 0,
            |traffic| traffic.tags = TagPolicy::InOrder,
        ];
        for change in calm {
            let mut candidate = self.best.program.clone();
            change(&mut candidate.traffic);
            self.attempt(candidate);
        }
        let mut candidate = self.best.program.clone();
        candidate.traffic.seed = 1;
        self.attempt(candidate);
        self.remove_each(|program| &mut program.failing);
        self.remove_each(|program| &mut program.resets);
    }

    /// Leaves out one entry of a list after the other, the last one first.
    fn remove_each<T>(&mut self, list: fn(&mut Program) -> &mut Vec<T>) {
        for index in (0..list(&mut self.best.program).len()).rev() {
            let mut candidate = self.best.program.clone();
            list(&mut candidate).remove(index);
            self.attempt(candidate);
        }
    }

    /// One unit, no window out of its place, no parameter offset and no memory contents that do not matter.
    fn simplify_ground(&mut self) {
        for sms in 1..self.best.program.sms {
            let fewer = with_units(&self.best.program, sms);
            if self.attempt(fewer) {
                break;
            }
        }
        for op in 0..self.best.program.ops.len() {
            if let Some(candidate) = begun_with_change(&self.best.program, op) {
                self.attempt(candidate);
            }
        }
        let mut candidate = self.best.program.clone();
        candidate.window = Window::default();
        self.attempt(candidate);
        let plainer: [fn(&mut Window); 7] = [
            |window| window.cluster = WindowPlace::default(),
            |window| window.shared = WindowPlace::default(),
            |window| window.local = WindowPlace::default(),
            |window| (window.local.size, window.local_memory) = (None, None),
            |window| window.constant = WindowPlace::default(),
            |window| window.param = WindowPlace::default(),
            |window| window.rank = 0,
        ];
        for change in plainer {
            let mut candidate = self.best.program.clone();
            change(&mut candidate.window);
            self.attempt(candidate);
        }
        let mut candidate = self.best.program.clone();
        candidate.param_offset = DEFAULT_PARAM_OFFSET;
        self.attempt(candidate);
        self.remove_each(|program| &mut program.memory);
        // Words that one can read.
        let mut candidate = self.best.program.clone();
        let contents = candidate.memory.iter_mut().map(|block| &mut block.contents);
        let all = contents.chain(candidate.banks.iter_mut().map(|bank| &mut bank.contents));
        all.filter(|contents| **contents == Contents::Noise).for_each(|contents| *contents = Contents::Address);
        self.attempt(candidate);
    }

    /// Fewer active lanes: none, half of them, one less.
    fn remove_lanes(&mut self) {
        for op in 0..self.best.program.ops.len() {
            self.change(op, |operation| operation.request.mask = 0);
            let mut width = 16;
            while width > 0 {
                let mut lane = 0;
                while lane < 32 {
                    let block = (u32::MAX >> (32 - width)) << lane;
                    let kept = self.best.program.ops[op].request.mask & !block;
                    self.change(op, |operation| operation.request.mask = kept);
                    lane += width;
                }
                width /= 2;
            }
        }
    }

    /// Plainer values: no waiting, one warp, zeros, no qualifiers.
    fn simplify_values(&mut self) {
        let addresses = self.best.program.preset.address_mask();
        for op in 0..self.best.program.ops.len() {
            self.change(op, |_| {});
            self.change(op, |operation| fold_immediate(operation, addresses));
            let program = &self.best.program;
            let (preset, windows) = (program.preset, program.windows_at(op));
            self.change(op, |operation| name_shared(operation, &preset, &windows));
            self.change(op, |operation| name_local(operation, &preset, &windows));
            self.change(op, |operation| open_window(operation, &preset));
            for change in SIMPLER {
                self.change(op, change);
            }
        }
    }

    /// Tries the operation with a change. Where no text gives it then, the instruction that comes closest to it is tried
    /// first, and pins alone only if there was no text before.
    fn change(&mut self, op: usize, change: impl FnOnce(&mut ProgramOperation)) {
        let program = &self.best.program;
        let had_text = has_text(program, &program.ops[op]);
        let candidate = changed(program, op, change);
        if has_text(&candidate, &candidate.ops[op]) {
            self.attempt(candidate);
            return;
        }
        if let Some(request) = canonical(&candidate, &candidate.ops[op].request) {
            let textual = changed(&candidate, op, |operation| operation.request = request);
            if has_text(&textual, &textual.ops[op]) && self.attempt(textual) {
                return;
            }
        }
        if !had_text {
            self.attempt(candidate);
        }
    }
}

/// `program` on its first `sms` units: they do the operations of the others, too.
fn with_units(program: &Program, sms: u32) -> Program {
    let is_there = |space: MemorySpace| match space {
        MemorySpace::Shared { sm } => sm < sms,
        MemorySpace::Global | MemorySpace::Local | MemorySpace::Param => true,
    };
    let mut fewer = Program { sms, ..program.clone() };
    fewer.ops.iter_mut().for_each(|operation| operation.sm %= sms);
    fewer.memory.retain(|block| is_there(block.space));
    fewer.dumps.retain(|dump| is_there(dump.space));
    fewer
}

/// Puts the immediate of a load or store into its address registers, which hold the bits of `addresses`.
fn fold_immediate(operation: &mut ProgramOperation, addresses: u64) {
    let request = &mut operation.request;
    if request.op < LDC {
        let imm = i64::from(request.imm as i32);
        let mask = request.mask;
        for (_, address) in request.addr.iter_mut().enumerate().filter(|(lane, _)| mask >> lane & 1 == 1) {
            *address = address.wrapping_add_signed(imm) & addresses;
        }
        request.imm = 0;
    }
}

/// Lets the CTA's window end with shared memory; what has no window gets none.
fn open_window(operation: &mut ProgramOperation, preset: &Preset) {
    let request = &mut operation.request;
    if may_be_shared(request) {
        request.shared_size = preset.shared_bytes as u32;
    } else {
        (request.shared_base, request.shared_size) = (0, 0);
    }
}

/// Makes a load or store on generic addresses, or of the cluster, whose active lanes all lie in the own shared memory one of `.shared`.
fn name_shared(operation: &mut ProgramOperation, preset: &Preset, windows: &Windows) {
    let request = &mut operation.request;
    let mut active = (0..preset.lanes).filter(|lane| request.mask >> lane & 1 == 1);
    let base = match Space::on_pin(request.space) {
        Space::Generic => windows.shared.base & !u64::from(SHARED_GRANULE - 1),
        Space::SharedCluster => u64::from(windows.rank) << OFFSET_BITS,
        _ => return,
    };
    // A sum that is no address goes around when it is moved.
    let is_address = |lane: usize| (0..1 << preset.address_bits).contains(&lane_sum(request, lane));
    let is_own = |lane| match shared_place(preset, windows, request, lane) {
        Some(SharedPlace::At(_) | SharedPlace::Beyond) => is_address(lane),
        Some(SharedPlace::Remote { .. }) | None => false,
    };
    if request.mask != 0 && active.all(is_own) {
        move_to(request, preset, Space::Shared, base);
    }
}

/// Makes a generic load or store whose active lanes all lie in local memory one of `.local`.
fn name_local(operation: &mut ProgramOperation, preset: &Preset, windows: &Windows) {
    let request = &mut operation.request;
    let mut active = (0..preset.lanes).filter(|lane| request.mask >> lane & 1 == 1);
    if request.space == Space::Generic.code()
        && request.mask != 0
        && active.all(|lane| local_place(preset, windows, request, lane).is_some())
    {
        move_to(request, preset, Space::Local, windows.local.base & !(LOCAL_GRANULE - 1));
    }
}

/// Turns generic addresses of a window that begins at `base` into those of its space.
fn move_to(request: &mut Request, preset: &Preset, space: Space, base: u64) {
    for address in &mut request.addr[..preset.lanes] {
        let sum = address.wrapping_add_signed(i64::from(request.imm as i32));
        *address = sum.wrapping_sub(base) & preset.address_mask();
    }
    (request.space, request.imm) = (space.code(), 0);
}

/// Gives the active lanes of an operation, with their addresses, to lanes of another one of its kind that are not active, as far as there
/// are any.
fn give_lanes(from: &Request, to: &mut Request, lanes: usize) {
    if (from.op, from.space, from.nc) != (to.op, to.space, to.nc) {
        return;
    }
    let inactive: Vec<usize> = (0..lanes).filter(|lane| to.mask >> lane & 1 == 0).collect();
    let active = (0..lanes).filter(|lane| from.mask >> lane & 1 == 1);
    for (lane, given) in inactive.into_iter().zip(active) {
        to.mask |= 1 << lane;
        to.addr[lane] = from.addr[given];
    }
}

/// The program that has from the start what changes before this operation, if anything but banks does.
fn begun_with_change(program: &Program, op: usize) -> Option<Program> {
    let mut candidate = program.clone();
    let change = candidate.ops[op].change.as_deref_mut()?;
    let Change { compute, window, param_offset, banks } = std::mem::take(change);
    if banks.is_empty() {
        candidate.ops[op].change = None;
    } else {
        change.banks = banks;
    }
    candidate.compute = compute.unwrap_or(candidate.compute);
    candidate.param_offset = param_offset.unwrap_or(candidate.param_offset);
    candidate.window = candidate.window.changed(&window);
    Some(candidate)
}

/// The operation with less that changes before it, if anything does.
fn change(operation: &mut ProgramOperation, less: fn(&mut Change)) {
    if let Some(change) = operation.change.as_deref_mut() {
        less(change);
    }
}

/// `program` with one operation changed, and with as many beats of data as the unit takes for what it is then.
fn changed(program: &Program, op: usize, change: impl FnOnce(&mut ProgramOperation)) -> Program {
    let mut candidate = program.clone();
    let operation = &mut candidate.ops[op];
    change(operation);
    operation.data.resize(store_beats(&operation.request), Beat::default());
    candidate
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Paths, program_on};
    use crate::program::{Overrides, read, write};
    use lsu_model::preset::FPGA8;

    #[test]
    fn what_is_named_shared_lies_where_it_did() {
        let mut named = 0;
        for case in 0..40 {
            let program = program_on(&FPGA8, Paths::All, 9, case).expect("generated");
            for (op, operation) in program.ops.iter().enumerate() {
                let windows = program.windows_at(op);
                let mut other = operation.clone();
                name_shared(&mut other, &FPGA8, &windows);
                named += usize::from(other != *operation);
                for lane in (0..FPGA8.lanes).filter(|lane| operation.request.mask >> lane & 1 == 1) {
                    let of = |request| shared_place(&FPGA8, &windows, request, lane);
                    assert_eq!(of(&other.request), of(&operation.request), "{operation:?}");
                }
            }
        }
        assert!(named > 40, "{named}");
    }

    #[test]
    fn what_is_named_local_lies_where_it_did() {
        let mut named = 0;
        for case in 0..60 {
            let program = program_on(&FPGA8, Paths::All, 9, case).expect("generated");
            for (op, operation) in program.ops.iter().enumerate() {
                let windows = program.windows_at(op);
                let mut other = operation.clone();
                name_local(&mut other, &FPGA8, &windows);
                named += usize::from(other != *operation);
                for lane in (0..FPGA8.lanes).filter(|lane| operation.request.mask >> lane & 1 == 1) {
                    let of = |request| local_place(&FPGA8, &windows, request, lane);
                    assert_eq!(of(&other.request), of(&operation.request), "{operation:?}");
                }
            }
        }
        assert!(named > 40, "{named}");
    }

    #[test]
    fn every_simpler_operation_has_its_beats() {
        for case in 0..40 {
            let program = program_on(&FPGA8, Paths::All, 9, case).expect("generated");
            for (op, change) in (0..program.ops.len()).zip(SIMPLER.iter().cycle().skip(case as usize)) {
                let changed = changed(&program, op, change);
                assert_eq!(changed.ops[op].data.len(), store_beats(&changed.ops[op].request));
                let mut alone = changed.clone();
                alone.ops = vec![changed.ops[op].clone()];
                let mut again = read(&write(&alone), "changed.toml", Overrides::default())
                    .unwrap_or_else(|error| panic!("{:?}", miette::Report::new(error)));
                (again.ops[0].text, again.ops[0].named) = (None, Vec::new());
                assert_eq!(again, alone);
            }
        }
    }
}
