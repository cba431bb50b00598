//! What the generated programs are like: valid, varied, mostly legal, and the same after a trip through the file format.

use std::sync::atomic::AtomicBool;

use super::shape::Temper;
use super::*;
use crate::check::{CheckOptions, Extent, Shard, check};
use crate::engine::EngineKind;
use crate::lockstep::{self, CycleView, Observer};
use crate::program::{
    Bank, Change, Contents, LocalPlace, Overrides, SharedPlace, constant_bank, local_place, read, shared_place, write,
};
use crate::roster::{Roster, RosterOptions};
use crate::stimulus::{Agent, Driver, Memory, Network, Progress, Weather};
use crate::tally::{AddressCounts, MomentCounts, PlaceCounts, Tally};
use lsu_model::golden::{Comparator, Golden, PlaceVisitor};
use lsu_model::pins::{Bundle, Inputs, Outputs, Value};
use lsu_model::preset::{self, WARP32};

const CASES: u64 = 150;

/// What these cases make the golden model do; they need no other engine.
fn exercised(preset: Preset) -> (Tally, u64) {
    let options = RosterOptions { preset, kinds: vec![EngineKind::Model], dut: None, verilator: None };
    let roster = Roster::prepare(&options).expect("the model");
    let stop = AtomicBool::new(false);
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let extent = Extent::Cases(DEFAULT_CASES);
    let options = CheckOptions { seed: 1, extent, jobs, shard: Shard::WHOLE, done: 0, stop: &stop };
    let result = check(&roster, &options, |_| {}).expect("the model runs");
    assert!(result.failure.is_none(), "{:?}", result.failure);
    (result.tally, result.cycles)
}

#[test]
fn a_check_asks_every_bit_of_every_comparator_fills_every_place_and_does_not_just_wait() {
    for preset in preset::ALL {
        let (tally, cycles) = exercised(preset);
        let mut never = Vec::new();
        for comparator in Comparator::ALL {
            let (first, last) = comparator.reachable(&preset);
            let counts = tally.near_misses.of(comparator);
            never.extend((first..=last).filter(|bit| counts[*bit as usize] == 0).map(|bit| (comparator.name(), bit)));
            // A bit that cannot decide alone does not.
            assert!(counts[..first as usize].iter().all(|count| *count == 0), "{} {counts:?}", comparator.name());
        }
        assert!(never.is_empty(), "{}: {never:?}", preset.name);
        assert!(tally.near_tags.iter().all(|count| *count > 1000), "{:?}", tally.near_tags);
        assert!(tally.tags_reused_within[0] > 1000, "{:?}", tally.tags_reused_within);

        assert_shared_memory_is_exercised(&preset, &tally);
        assert_constant_loads_are_exercised(&preset, &tally);
        assert_local_memory_is_exercised(&preset, &tally);
        assert_clusters_are_exercised(&preset, &tally);
        assert_every_pattern_occurs(&preset, &tally);

        let share = |count: u64, of: u64| count as f64 / of as f64;
        let counter = |field| tally.status.of(field).expect("a counter");
        let stalls = ["stall_order", "stall_misses", "stall_data", "stall_memory"].map(counter);
        assert!(stalls.iter().all(|stall| share(*stall, cycles) <= 0.25), "{}: {stalls:?} of {cycles}", preset.name);
        let hits = share(counter("l1_hits"), counter("l1_hits") + counter("l1_misses"));
        assert!(hits >= 0.35, "{}: {hits}", preset.name);
        // In the least unit, a fault record and two misses leave no pass for one of the places.
        if preset.misses < 4 {
            continue;
        }
        let PlaceCounts { constant_full, global_full, all_full, .. } = tally.places;
        assert!(constant_full > 0 && global_full > 0 && all_full > 0, "{}: {:?}", preset.name, tally.places);
    }
}

/// Every named pattern in some cases, addresses of every kind, and every command at every bad moment.
fn assert_every_pattern_occurs(preset: &Preset, tally: &Tally) {
    let name = preset.name;
    let tempers = [Temper::Calm, Temper::Mixed, Temper::Ordered].map(Pattern::Random);
    let streams = stream::WEIGHTS.map(|(kind, _)| Pattern::Stream(kind));
    let programs = [Pattern::Constants, Pattern::Jam, Pattern::Walk].into_iter().chain(tempers).chain(streams);
    let programs: Vec<&str> = programs.map(Pattern::name).collect();
    let sides: [(&str, &[&str]); 8] = [
        ("program", &programs),
        ("latency", &["ideal", "short", "long"]),
        ("answers", &["taken", "stalls", "many_stalls", "jams"]),
        ("arrival", &["bursts", "gaps", "droughts"]),
        ("errors", &["none", "errors"]),
        ("length", &["short", "medium", "long"]),
        ("resets", &["none", "units", "units_and_memory"]),
        ("changes", &["none", "some"]),
    ];
    for (side, names) in sides {
        for pattern in names {
            let count = tally.patterns.count(side, pattern);
            assert!(count.cases >= 5 && count.ops > 0, "{name}: {side} {pattern} {count:?}");
        }
    }
    let AddressCounts { none, one, uniform, twins, consecutive, strided, few_lines, scattered } = tally.addresses;
    let addresses = [none, one, uniform, twins, consecutive, strided, few_lines, scattered];
    assert!(addresses.iter().all(|count| *count > 500), "{name}: {:?}", tally.addresses);
    let MomentCounts {
        idle,
        among_loads,
        among_stores,
        among_ldcs,
        among_commands,
        answers_held,
        misses_full,
        cut_by_reset,
    } = tally.moments;
    let moments = [idle, among_loads, among_stores, among_ldcs, among_commands, answers_held, misses_full];
    assert!(moments.as_flattened().iter().all(|count| *count > 0), "{name}: {:?}", tally.moments);
    // Few commands are under way when a reset comes: one of the four may not be among them.
    assert!(cut_by_reset.iter().sum::<u64>() > 0, "{name}: {:?}", tally.moments);
}

/// Every pattern of shared accesses, each often, most loads of bytes that tell something, and all that is beside them.
fn assert_shared_memory_is_exercised(preset: &Preset, tally: &Tally) {
    let shared = &tally.shared;
    let (all, name) = (shared.loads + shared.stores, preset.name);
    let share = |count: u64, of: u64| count as f64 / of as f64;
    let of_accesses = share(all, tally.loads + tally.stores);
    assert!((0.19..0.3).contains(&of_accesses), "{name}: {of_accesses}");
    assert!(share(shared.stores, all) > 0.2 && share(shared.generic, all) > 0.15, "{name}: {shared:?}");
    // What is rare by its nature, of some thousands.
    let least = [
        shared.mixed,
        shared.beyond,
        shared.at_end,
        shared.narrow_windows,
        shared.windows_over_end,
        shared.windows_unaligned,
        shared.same_block,
        shared.load_after_store,
        shared.store_after_load,
    ];
    assert!(least.iter().all(|count| *count > 1000), "{name}: {shared:?}");
    assert!(shared.windows_beyond > 100, "{name}: {shared:?}");
    // One pass, two, and on to as many as there are lanes.
    let classes = preset.lanes.ilog2() as usize + 1;
    assert!(shared.passes[..classes].iter().all(|count| *count > 1000), "{name}: {shared:?}");
    assert!(share(shared.lanes_loaded_stored, shared.lanes_loaded) > 0.7, "{name}: {shared:?}");
}

/// As many constant loads as LDCs within a factor of three, and every kind of them often.
fn assert_constant_loads_are_exercised(preset: &Preset, tally: &Tally) {
    let (loads, name) = (&tally.constant_loads, preset.name);
    let (all, ldcs) = (loads.constants + loads.params, tally.ldc_modes.iter().sum::<u64>());
    assert!(all > ldcs / 3 && all < 3 * ldcs, "{name}: {all} beside {ldcs}");
    assert!(loads.sizes[..5].iter().chain(&loads.vectors).all(|count| *count > 1000), "{name}: {loads:?}");
    assert!(loads.sizes[5..].iter().chain(&loads.operators).all(|count| *count > 10), "{name}: {loads:?}");
    let often =
        [loads.constants, loads.params, loads.extended, loads.extended_signed, loads.sinks, loads.without_lanes];
    assert!(often.iter().all(|count| *count > 1000), "{name}: {loads:?}");
    assert!(loads.all_sunk > 100 && loads.wide > 100, "{name}: {loads:?}");
}

/// Every kind of local access, each often, and all that is beside them.
fn assert_local_memory_is_exercised(preset: &Preset, tally: &Tally) {
    let local = &tally.local;
    let (all, name) = (local.loads + local.stores, preset.name);
    let share = |count: u64, of: u64| count as f64 / of as f64;
    let of_accesses = share(all, tally.loads + tally.stores);
    assert!((0.09..0.25).contains(&of_accesses), "{name}: {of_accesses}");
    assert!(share(local.stores, all) > 0.25 && share(local.generic, all) > 0.25, "{name}: {local:?}");
    assert!(local.words.iter().all(|count| share(*count, all) > 0.1), "{name}: {local:?}");
    // What is rare by its nature, of some thousands.
    let least = [
        local.parameters,
        local.mixed,
        local.beyond,
        local.at_end,
        local.unaligned,
        local.flipped,
        local.divergent,
        local.partial,
        local.ordered,
        local.load_after_store,
        local.store_after_load,
        local.touched_by_global,
    ];
    assert!(least.iter().all(|count| *count > 500), "{name}: {local:?}");
    // Four lanes are seldom in three spaces.
    let fewer = [local.in_three_spaces, local.sunk_words, local.releases, local.too_large];
    assert!(fewer.iter().all(|count| *count > 100), "{name}: {local:?}");
    assert!(share(local.lanes_loaded_stored, local.lanes_loaded) > 0.2, "{name}: {local:?}");
}

/// Every kind of access of the cluster's shared memory, and units that have what is asked for in use themselves.
fn assert_clusters_are_exercised(preset: &Preset, tally: &Tally) {
    let (cluster, name) = (&tally.cluster, preset.name);
    let often = [
        cluster.loads,
        cluster.stores,
        cluster.own,
        cluster.remote,
        cluster.mixed,
        cluster.asked,
        cluster.written,
        cluster.failed,
        cluster.served_reads,
        cluster.served_writes,
        cluster.served_accessed,
        cluster.loaded_written,
    ];
    assert!(often.iter().all(|count| *count > 500), "{name}: {cluster:?}");
    let fewer = [cluster.several, cluster.beyond, cluster.at_end, cluster.served_beyond];
    assert!(fewer.iter().all(|count| *count > 100), "{name}: {cluster:?}");
    assert_eq!(cluster.above_rank > 20, preset.address_bits > 32, "{name}: {cluster:?}");
}

#[test]
fn some_programs_use_shared_memory_and_others_leave_it_alone() {
    for preset in preset::ALL {
        // A space at random is no program of shared memory.
        let many =
            |program: &&Program| program.ops.iter().filter(|it| it.request.op < 2 && it.request.space == 2).count() > 3;
        let programs = programs(&preset);
        let count = programs.iter().filter(many).count() as u64;
        assert!((CASES / 4..2 * CASES / 3).contains(&count), "{}: {count} of {CASES}", preset.name);
    }
}

/// The places that PICK chooses from.
const PICKED_PLACES: [&str; 5] = ["global_resume", "global_hit", "global_ro_hit", "global_bank", "global_serve"];

/// Counts the cycles in which so many of these hold a pass.
#[derive(Default)]
struct PickWatch {
    cycles: [u64; PICKED_PLACES.len() + 1],
}

/// Those of them that hold one.
struct Picked(usize);

impl PlaceVisitor for Picked {
    fn place(&mut self, name: &'static str, number: Option<usize>, is_occupied: bool) {
        let is_eldest = number.is_none_or(|number| number == 0);
        self.0 += usize::from(is_occupied && is_eldest && PICKED_PLACES.contains(&name));
    }

    fn value(&mut self, _name: &'static str, _bits: u32, _value: Option<u64>) {}
}

impl Observer for PickWatch {
    fn cycle(&mut self, view: &CycleView<'_>) {
        let mut picked = Picked(0);
        view.engine.golden().expect("the model").visit_places(&mut picked);
        self.cycles[picked.0] += 1;
    }
}

#[test]
fn all_places_that_are_picked_from_are_full_at_once() {
    for preset in preset::ALL {
        let options = RosterOptions { preset, kinds: vec![EngineKind::Model], dut: None, verilator: None };
        let roster = Roster::prepare(&options).expect("the model");
        let mut watch = PickWatch::default();
        // Few programs have units that ask each other.
        let more = (CASES..10 * CASES).map(|case| program_on(&preset, Paths::All, 3, case).expect("generated"));
        for program in programs(&preset).into_iter().chain(more.filter(|program| program.sms > 1)) {
            lockstep::run(&program, &roster, &mut watch).expect("the model runs");
        }
        assert!(watch.cycles.iter().all(|cycles| *cycles > 50), "{}: {:?}", preset.name, watch.cycles);
    }
}

fn programs(preset: &Preset) -> Vec<Program> {
    (0..CASES).map(|case| program_on(preset, Paths::All, 3, case).expect("generated")).collect()
}

/// The fault that the port's contract gives a load or store, in its order of precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Fine,
    Register,
    Illegal,
    Misaligned,
    OutOfRange,
}

fn fate(program: &Program, operation: &ProgramOperation) -> Fate {
    let request = &operation.request;
    let preset = &program.preset;
    let windows = program.windows(operation.sm);
    if request.mask == 0 {
        return Fate::Fine;
    }
    let elements = 1_u32 << request.vec;
    let each = match (request.size, request.dst_width) {
        (0..=2, 2) | (3, _) => 2,
        (0..=2, _) => 1,
        _ => 4,
    };
    let (rd, count) = (u32::from(request.rd), each * elements);
    if request.op == 0 && rd != 255 && count > 1 && (rd % count.min(4) != 0 || rd + count > 255) {
        return Fate::Register;
    }
    if let Some(bank) = constant_bank(request) {
        return fate_of_constant(program, bank, request);
    }
    let total = elements << request.size;
    let is_mmio = request.sem >= 5;
    let is_refused = match request.op {
        0 => matches!(request.cop, 6 | 7) || matches!(request.sem, 3 | 7),
        _ => matches!(request.cop, 1 | 4 | 5) || matches!(request.sem, 2 | 6) || request.nc,
    };
    let nc_is_refused = request.nc && (request.sem != 0 || matches!(request.cop, 4 | 5));
    // What shared and local memory do not do.
    let is_only_global = request.nc || is_mmio || total == 32;
    let is_space_refused = matches!(request.space, 5 | 6) || matches!(request.space, 2..=4 | 7) && is_only_global;
    if request.size > 4 || total > 32 || is_space_refused || is_mmio && elements > 1 || is_refused || nc_is_refused {
        return Fate::Illegal;
    }
    let end = 1_i128 << preset.address_bits;
    let sums: Vec<i128> = (0..preset.lanes)
        .filter(|lane| request.mask >> lane & 1 == 1)
        .map(|lane| i128::from(request.addr[lane]) + i128::from(request.imm as i32))
        .collect();
    let shared = |lane: usize| shared_place(preset, &windows, request, lane);
    let local = |lane: usize| local_place(preset, &windows, request, lane);
    let windowed = |sum: &i128| windowed_place(program, &windows, *sum);
    let is_inside = |lane: usize, sum: &i128| {
        if shared(lane).is_some() || local(lane).is_some() {
            return is_only_global;
        }
        windowed(sum).is_some() && (is_only_global || request.op == 1)
    };
    let is_within = |(lane, sum): (usize, &i128)| (0..end).contains(sum) && request.wide >> lane & 1 == 0;
    let lanes: Vec<usize> = (0..preset.lanes).filter(|lane| request.mask >> lane & 1 == 1).collect();
    let of_lanes = || lanes.iter().copied().zip(&sums);
    if request.space == 0 && of_lanes().any(|(lane, sum)| is_within((lane, sum)) && is_inside(lane, sum)) {
        return Fate::Illegal;
    }
    if sums.iter().any(|sum| sum.rem_euclid(i128::from(total)) != 0) {
        return Fate::Misaligned;
    }
    let is_beyond =
        |lane: &usize| shared(*lane) == Some(SharedPlace::Beyond) || local(*lane) == Some(LocalPlace::Beyond);
    let is_beyond_bank = |(lane, sum): (usize, &i128)| {
        let is_windowed = request.space == 0 && shared(lane).is_none() && local(lane).is_none();
        is_windowed && windowed(sum) == Some(WindowedPlace::Beyond)
    };
    let is_out = !of_lanes().all(is_within) || lanes.iter().any(is_beyond) || of_lanes().any(is_beyond_bank);
    if is_out { Fate::OutOfRange } else { Fate::Fine }
}

/// Where a generic address reads that lies in the window of constants or of parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WindowedPlace {
    InBank,
    Beyond,
}

fn windowed_place(program: &Program, windows: &Windows, sum: i128) -> Option<WindowedPlace> {
    let end = 1_i128 << program.preset.address_bits;
    let offset = |window: &Window| {
        let offset = (sum - i128::from(window.base / 16 * 16)).rem_euclid(end);
        (offset < i128::from(window.size / 16 * 16)).then_some(offset)
    };
    let start = i128::from(program.param_offset & 0xfff0);
    let constant = offset(&windows.constant).map(|offset| (3, offset));
    let (bank, offset) = constant.or(offset(&windows.param).map(|offset| (0, offset + start)))?;
    Some(if offset < bank_bytes(program, bank) { WindowedPlace::InBank } else { WindowedPlace::Beyond })
}

/// Bytes of the bank as the program leaves it in the table; 0 if that has no valid entry for it.
fn bank_bytes(program: &Program, index: u8) -> i128 {
    let is_taken = |bank: &Bank| {
        let base_fits = bank.base.is_none_or(|base| base.is_multiple_of(64));
        bank.index == index && bank.size <= 0x1_0000 && bank.size.is_multiple_of(16) && base_fits
    };
    let last = program.banks.iter().rfind(|bank| is_taken(bank));
    last.filter(|bank| bank.valid).map_or(0, |bank| bank.size.into())
}

/// The same of a constant load whose registers are right.
fn fate_of_constant(program: &Program, bank: u8, request: &Request) -> Fate {
    let total = 1_u64 << (request.size + request.vec);
    if request.size > 4 || total > 16 || request.nc || request.sem != 0 || matches!(request.cop, 6 | 7) {
        return Fate::Illegal;
    }
    let start = if bank == 0 { program.param_offset & 0xfff0 } else { 0 };
    let lanes = || (0..program.preset.lanes).filter(|lane| request.mask >> lane & 1 == 1);
    let sum = |lane: usize| i128::from(request.addr[lane]) + i128::from(request.imm as i32) + i128::from(start);
    let end = 1_i128 << program.preset.address_bits;
    if lanes().any(|lane| sum(lane).rem_euclid(total.into()) != 0) {
        return Fate::Misaligned;
    }
    let is_out = |lane: usize| !(0..end).contains(&sum(lane)) || request.wide >> lane & 1 == 1;
    if lanes().any(is_out) { Fate::OutOfRange } else { Fate::Fine }
}

#[test]
fn every_request_fits_its_pins() {
    for preset in preset::ALL {
        for program in programs(&preset) {
            assert_eq!(program.stale_banks(), None);
            for operation in &program.ops {
                let request = &operation.request;
                assert!(operation.sm < program.sms);
                assert_eq!(request.mask & !preset.lane_mask(), 0);
                assert!(request.addr.iter().all(|address| address >> preset.address_bits == 0));
                assert!(request.addr[preset.lanes..].iter().all(|address| *address == 0));
                assert_eq!(operation.data.len(), store_beats(request));
                let mut pins = Request::PINS.iter();
                request.each(|value: Value<'_>| {
                    let pin = pins.next().expect("as many pins as fields");
                    if let Value::Word(value) = value {
                        assert_eq!(u64::from(value) >> pin.bits(&preset), 0, "{}", pin.name);
                    }
                });
            }
        }
    }
}

#[test]
fn most_are_legal_and_every_fault_occurs() {
    for preset in preset::ALL {
        let mut fates = std::collections::BTreeMap::new();
        let mut all = 0;
        for program in programs(&preset) {
            for operation in program.ops.iter().filter(|operation| operation.request.op < 2) {
                *fates.entry(format!("{:?}", fate(&program, operation))).or_insert(0_u32) += 1;
                all += 1;
            }
        }
        let share = |name: &str| f64::from(*fates.get(name).unwrap_or(&0)) / f64::from(all);
        assert!((0.7..0.95).contains(&share("Fine")), "{}: {fates:?}", preset.name);
        for name in ["Register", "Illegal", "Misaligned", "OutOfRange"] {
            assert!((0.003..0.15).contains(&share(name)), "{}: {name} {fates:?}", preset.name);
        }
    }
}

/// Loads of constants and of parameters by generic addresses: within the bank and beyond it, with other lanes beside, and stores.
#[test]
fn generic_addresses_reach_constant_banks() {
    for preset in preset::ALL {
        let mut counts = std::collections::BTreeMap::new();
        for program in programs(&preset) {
            for operation in program.ops.iter().filter(|operation| operation.request.op < 2) {
                let (request, windows) = (&operation.request, program.windows(operation.sm));
                let places = (0..preset.lanes).filter(|lane| request.mask >> lane & 1 == 1).map(|lane| {
                    let sum = i128::from(request.addr[lane]) + i128::from(request.imm as i32);
                    let is_own = shared_place(&preset, &windows, request, lane).is_some()
                        || local_place(&preset, &windows, request, lane).is_some();
                    (request.space == 0 && !is_own).then(|| windowed_place(&program, &windows, sum)).flatten()
                });
                let places = places.collect::<Vec<_>>();
                let kinds = [
                    ("windowed", places.iter().any(Option::is_some)),
                    ("mixed", places.iter().any(Option::is_some) && !places.iter().all(Option::is_some)),
                    ("beyond", places.contains(&Some(WindowedPlace::Beyond))),
                    ("store", places.iter().any(Option::is_some) && request.op == 1),
                    ("ordered", places.iter().any(Option::is_some) && request.sem != 0),
                ];
                let is_fine = fate(&program, operation) == Fate::Fine;
                for (kind, _) in kinds.into_iter().filter(|(_, holds)| *holds) {
                    *counts.entry((kind, is_fine)).or_insert(0_u32) += 1;
                }
            }
        }
        let count = |kind, is_fine| *counts.get(&(kind, is_fine)).unwrap_or(&0);
        let all = count("windowed", true) + count("windowed", false);
        // More than a quarter of them are right and read a bank, some together with other lanes.
        assert!(count("windowed", true) > all / 4, "{}: {counts:?}", preset.name);
        for (kind, is_fine) in [("mixed", true), ("beyond", false), ("store", false), ("ordered", true)] {
            assert!(count(kind, is_fine) > all / 100, "{}: {kind} {counts:?}", preset.name);
        }
    }
}

#[test]
fn legal_accesses_have_every_kind() {
    let programs = programs(&WARP32);
    let fine: Vec<&ProgramOperation> = programs
        .iter()
        .flat_map(|program| program.ops.iter().map(move |operation| (program, operation)))
        // What constant loads are like is counted elsewhere.
        .filter(|(_, operation)| operation.request.op < 2 && constant_bank(&operation.request).is_none())
        .filter(|(program, operation)| fate(program, operation) == Fate::Fine)
        .map(|(_, operation)| operation)
        .collect();
    let count = |wanted: &dyn Fn(&Request) -> bool| fine.iter().filter(|it| wanted(&it.request)).count();
    let least = fine.len() / 2000;
    for op in 0..2 {
        for size in 0..5 {
            for vec in 0..4_u8.min(6 - size) {
                assert!(
                    count(&|it| (it.op, it.size, it.vec) == (op, size, vec)) > least,
                    "op {op} size {size} v {vec}"
                );
            }
        }
        for evict in 0..5 {
            assert!(count(&|it| (it.op, it.l1_evict) == (op, evict)) > least);
        }
        for scope in 0..4 {
            for sem in [1, 2 + op] {
                let found = count(&|it| (it.op, it.sem, it.scope) == (op, sem, scope));
                assert!(found > least, "op {op} sem {sem} scope {scope}: {found}");
            }
        }
    }
    for (op, sems, operators) in
        [(0, [0, 1, 2, 4, 5, 6], [0, 1, 2, 3, 4, 5]), (1, [0, 1, 3, 4, 5, 7], [0, 0, 2, 3, 6, 7])]
    {
        for sem in sems {
            let found = count(&|it| (it.op, it.sem) == (op, sem));
            assert!(found > least, "op {op} sem {sem}: {found} of {}", fine.len());
        }
        assert!(operators.iter().all(|cop| count(&|it| (it.op, it.cop) == (op, *cop)) > least));
    }
    assert!(count(&|it| it.space == 0) > fine.len() / 10);
    assert!(count(&|it| it.nc) > fine.len() / 20);
    assert!(
        count(&|it| it.sink != 0) > least && count(&|it| it.rd == 255) > least && count(&|it| it.policy_en) > least
    );
    assert!(count(&|it| it.mask == 0) > least && count(&|it| it.mask.count_ones() == 1) > least);
    let warps: std::collections::BTreeSet<u32> = fine.iter().map(|operation| operation.warp).collect();
    assert!(warps.len() >= 8);
    let units = [2, 3].map(|sms| programs.iter().filter(|program| program.sms == sms).count());
    assert!(units.iter().all(|count| (2..30).contains(count)), "{units:?}");
}

#[test]
fn lines_are_used_again_and_again() {
    for preset in preset::ALL {
        let mut accesses = 0_usize;
        let mut again = 0;
        for program in programs(&preset) {
            let mut seen = std::collections::HashSet::new();
            for operation in program.ops.iter().filter(|it| it.request.op < 2) {
                let request = &operation.request;
                for lane in (0..preset.lanes).filter(|lane| request.mask >> lane & 1 == 1) {
                    accesses += 1;
                    again += usize::from(!seen.insert(request.addr[lane].wrapping_add(request.imm as i32 as u64) >> 7));
                }
            }
        }
        assert!(again * 10 > accesses * 8, "{again} of {accesses}");
    }
}

/// A program that has two cannot be read back.
#[test]
fn no_two_resets_are_in_one_cycle() {
    for preset in preset::ALL {
        for case in 0..DEFAULT_CASES {
            let resets = program_on(&preset, Paths::All, 3, case).expect("generated").resets;
            let mut cycles: Vec<u64> = resets.iter().map(|reset| reset.cycle).collect();
            cycles.sort_unstable();
            assert!(cycles.windows(2).all(|pair| pair[0] != pair[1]), "{}, case {case}: {cycles:?}", preset.name);
        }
    }
}

#[test]
fn programs_of_all_paths_are_written_and_read_back() {
    for preset in preset::ALL {
        for program in programs(&preset).into_iter().take(60) {
            let text = write(&program);
            let mut again = read(&text, "written.toml", Overrides::default())
                .unwrap_or_else(|error| panic!("{:?}", miette::Report::new(error)));
            again.ops.iter_mut().for_each(|operation| (operation.text, operation.named) = (None, Vec::new()));
            assert_eq!(again, program);
        }
    }
}

/// Runs `program` on the model alone, without a judge: the fault of each operation.
fn run_on_model(program: &Program) -> Vec<Option<u8>> {
    let mut memory = Memory::new(program);
    let mut network = Network::new(program);
    let mut progress = Progress::new(program.ops.len());
    let mut units: Vec<_> = (0..program.sms)
        .map(|sm| {
            let driver = Driver::new(program, sm, memory.bank_bases());
            (driver, Agent::new(program, sm), Weather::new(&program.traffic, sm), Golden::new(&program.preset))
        })
        .collect();
    let (mut inputs, mut outputs) = (vec![Inputs::default(); units.len()], Outputs::default());
    let mut faults = vec![None; program.ops.len()];
    let mut cycle = 0;
    while !progress.is_complete() {
        assert!(cycle < 2_000_000, "operation {} never ends", progress.first_missing());
        progress.hold(!network.is_filled());
        for (sm, ((driver, agent, weather, golden), inputs)) in (0..).zip(units.iter_mut().zip(&mut inputs)) {
            weather.begin(cycle);
            driver.present(cycle, weather, &progress, inputs);
            agent.present(cycle, weather, &memory, inputs);
            network.present(cycle, sm, weather, inputs);
            golden.step(inputs, &mut outputs);
            if cycle == 0 {
                continue;
            }
            agent.observe(cycle, inputs, &outputs, &mut memory);
            network.observe(cycle, sm, inputs, &outputs);
            if let Some(op) = driver.observe(inputs, &outputs, &mut progress).fault {
                faults[op] = Some(outputs.fault.cause);
            }
        }
        cycle += 1;
    }
    faults
}

#[test]
fn every_program_ends_on_the_model_with_the_faults_of_the_contract() {
    for preset in preset::ALL {
        for (case, mut program) in programs(&preset).into_iter().take(60).enumerate() {
            // With a reset goes the fault of what is under way.
            program.resets.clear();
            let faults = run_on_model(&program);
            // The program as if it had begun with what has changed since.
            let mut now = Program { ops: Vec::new(), ..program.clone() };
            for (op, (operation, fault)) in program.ops.iter().zip(faults).enumerate() {
                if let Some(Change { compute, window, param_offset, banks }) = operation.change.as_deref() {
                    now.compute = compute.unwrap_or(now.compute);
                    now.window = now.window.changed(window);
                    now.param_offset = param_offset.unwrap_or(now.param_offset);
                    now.banks.extend(banks.iter().map(|write| Bank {
                        index: write.index,
                        size: write.size,
                        base: Some(write.base),
                        contents: Contents::Words(Vec::new()),
                        valid: write.valid,
                    }));
                }
                if operation.request.op > 1 {
                    continue;
                }
                let expected = match fate(&now, operation) {
                    Fate::Fine => None,
                    Fate::Register => Some(1),
                    Fate::Illegal => Some(2),
                    Fate::Misaligned => Some(3),
                    Fate::OutOfRange => Some(4),
                };
                // A memory error comes after the fact.
                let fault = fault.filter(|cause| *cause != 5);
                assert_eq!(fault, expected, "{} case {case} op {op} {:?}", preset.name, operation.request);
            }
        }
    }
}
