//! The mutants that are no bugs for a reason: each entry of the list names some of the emitted Verilog, and none of these is
//! killed by the cases that `lsu mutate` begins with, in the presets that are quickly run.

use lsu_cosim::mutate::{FIRST_CASES, Fate, equivalent, mutants};
use lsu_hdl::verilog::Mutant;
use lsu_model::preset::{self, Preset};

use super::{fates, tried};

/// Those of a preset.
pub(super) fn of<'a>(preset: &Preset, mutants: &'a [Mutant]) -> Vec<&'a Mutant> {
    let list = equivalent::list().expect("the list can be read");
    mutants.iter().filter(|mutant| list.iter().any(|entry| entry.holds(preset, mutant))).collect()
}

#[test]
fn every_reason_holds_for_some_mutants() {
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
}

// `lsu mutate --preset warp32` tries those of 32 lanes.
#[test]
fn none_is_killed() {
    for tried in tried() {
        let argued = of(&tried.preset, tried.unit.mutants());
        assert!(!argued.is_empty());
        let ids: Vec<u32> = argued.iter().map(|mutant| mutant.id).collect();
        let fates = fates(&tried.unit, &ids, (0, FIRST_CASES));
        let killed: Vec<_> =
            argued.iter().zip(&fates).filter(|(_, fate)| !matches!(fate, Some(Fate::Survived))).collect();
        assert!(killed.is_empty(), "{}: killed although argued to be no bugs: {killed:#?}", tried.preset.name);
    }
}
