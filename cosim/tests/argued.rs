//! The mutants that are no bugs for a reason: each entry of the list names some of the emitted Verilog, and none of these is
//! killed by the cases that `lsu mutate` begins with, in the presets that are quickly run.

use std::sync::atomic::AtomicBool;

use lsu_cosim::mutate::{Breakable, FIRST_CASES, Fate, SweepOptions, equivalent, mutants, sweep};
use lsu_cosim::verilator::{Cache, Toolchain};
use lsu_hdl::verilog::{Chosen, Mutant};
use lsu_model::preset::{self, Preset, WARP32};

#[test]
fn every_reason_holds_for_some_mutants_and_none_of_them_is_killed() {
    let list = equivalent::list().expect("the list can be read");
    let mutants = preset::ALL.map(|preset| (preset, mutants(&preset).expect("emitted")));
    let mut missing = Vec::new();
    for entry in list.iter().flat_map(|equivalent| &equivalent.mutants) {
        let held: Vec<&Mutant> = mutants
            .iter()
            .flat_map(|(preset, mutants)| mutants.iter().filter(|mutant| entry.holds(preset, mutant)))
            .collect();
        for place in &entry.places {
            if !held.iter().any(|mutant| mutant.place == *place) {
                missing.push(format!("{}: no mutant at `{place}`", entry.module));
            }
        }
        for bit in entry.bits.iter().flatten() {
            if !held.iter().any(|mutant| mutant.bit == *bit) {
                missing.push(format!("{}: no bit {bit} at {:?}", entry.module, entry.places));
            }
        }
        for name in entry.presets.iter().flatten() {
            assert!(Preset::named(name).is_some(), "{}: no preset `{name}`", entry.module);
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
    // `lsu mutate --preset warp32` tries those of 32 lanes.
    for (preset, mutants) in mutants.into_iter().filter(|(preset, _)| *preset != WARP32) {
        none_is_killed(preset, mutants.iter().filter(|mutant| list.iter().any(|entry| entry.holds(&preset, mutant))));
    }
}

fn none_is_killed<'a>(preset: Preset, argued: impl Iterator<Item = &'a Mutant>) {
    let argued: Vec<&Mutant> = argued.collect();
    let ids: Vec<u32> = argued.iter().map(|mutant| mutant.id).collect();
    let toolchain = Toolchain::find(None, Cache::user().expect("a cache")).expect("Verilator");
    let unit = Breakable::build(preset, Chosen::Only(&ids.iter().copied().collect()), &toolchain).expect("built");
    let stop = AtomicBool::new(false);
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let options = SweepOptions { seed: 1, cases: (0, FIRST_CASES), jobs, stop: &stop };
    let fates = sweep(&unit, &ids, &options, |_| {}).expect("tried");
    let killed: Vec<_> = argued.iter().zip(&fates).filter(|(_, fate)| !matches!(fate, Some(Fate::Survived))).collect();
    assert!(killed.is_empty(), "{}: killed although argued to be no bugs: {killed:#?}", preset.name);
}
