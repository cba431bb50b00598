//! Every comparator of addresses, keys and operation tags in the emitted Verilog, one bit ignored at a time: the default check kills all of
//! them but those that a cache cannot see. It is the two highest bits of each, which say in a line whose memory it lies in, and every fourth
//! of the others, in `fpga8`: all of all presets are tried by `lsu mutate`.

use std::collections::BTreeMap;

use lsu_cosim::generate::DEFAULT_CASES;
use lsu_cosim::mutate::{FIRST_CASES, Fate, WHOLE, later_cases};
use lsu_hdl::verilog::{Fault, Mutant};
use lsu_model::preset::Preset;

use super::{fates, tried};

/// log2 of the bytes of a line.
const LINE_BITS: u32 = 7;

/// Words of which a comparator of this kind has one on each side.
const COMPARED: [&str; 3] = ["line", "key", "tag"];

/// Compares two signals that hold a line, a key or an operation tag, or asks whether two addresses differ anywhere.
fn is_address_or_tag(mutant: &Mutant) -> bool {
    if mutant.fault == Fault::Reduce {
        return mutant.place.contains("difference");
    }
    let sides = mutant.place.split_once(" == ").or_else(|| mutant.place.split_once(" != "));
    mutant.fault == Fault::Compare
        && sides.is_some_and(|(left, right)| {
            [left, right].iter().all(|side| COMPARED.iter().any(|word| side.contains(word)) && !side.contains("'d"))
        })
}

/// The bits of a line that name the set are the same on both sides: the tags of a set are read by them, and what is compared
/// with a line of the set beside it counts only in the same set.
fn names_the_set(preset: &Preset, mutant: &Mutant) -> bool {
    let sets = match mutant.module.as_str() {
        "l1_cache_tags" => preset.l1_sets,
        "ro_cache_tags" => preset.ro_sets,
        _ => return false,
    };
    (1_usize << mutant.bit) < sets && mutant.place.contains("next_line")
}

/// Only L1 is ever asked for a line that may be remote or local: a non-coherent load is neither (rule FAULT), and what else stands in `tag`
/// looks at no tag of the read-only cache. So the bits above the line's number in memory, which say it, are 0 on one side and mean nothing
/// on the other.
fn says_kind_of_ro(preset: &Preset, mutant: &Mutant) -> bool {
    mutant.module == "ro_cache_tags" && mutant.bit >= preset.address_bits - LINE_BITS
}

/// Of every comparator the two highest bits and every fourth of the others.
pub(super) fn of(mutants: &[Mutant]) -> Vec<&Mutant> {
    let compared: Vec<&Mutant> = mutants.iter().filter(|mutant| is_address_or_tag(mutant)).collect();
    let mut bits: BTreeMap<(&str, &str), u32> = BTreeMap::new();
    for mutant in &compared {
        let bits = bits.entry((&mutant.module, &mutant.place)).or_default();
        *bits = (*bits).max(mutant.bit + 1);
    }
    let is_tried = |mutant: &Mutant| {
        let bits = bits.get(&(mutant.module.as_str(), mutant.place.as_str()));
        bits.is_some_and(|bits| mutant.bit + 2 >= *bits || mutant.bit.is_multiple_of(4))
    };
    compared.into_iter().filter(|mutant| is_tried(mutant)).collect()
}

#[test]
fn fpga8_misses_every_fourth_bit() {
    let [fpga8, _] = tried();
    let (preset, unit) = (&fpga8.preset, &fpga8.unit);
    let (idle, chosen): (Vec<&Mutant>, Vec<&Mutant>) = of(unit.mutants())
        .into_iter()
        .partition(|mutant| names_the_set(preset, mutant) || says_kind_of_ro(preset, mutant));
    assert!(chosen.len() > 20, "only {} mutants", chosen.len());
    println!("{}: {} mutants", preset.name, chosen.len());
    let ids = |mutants: &[&Mutant]| mutants.iter().map(|mutant| mutant.id).collect::<Vec<u32>>();
    let mut survivors = chosen.clone();
    for cases in std::iter::once((0, FIRST_CASES)).chain(later_cases(FIRST_CASES, DEFAULT_CASES)) {
        let mut fates = fates(unit, &ids(&survivors), cases).into_iter();
        survivors.retain(|_| !matches!(fates.next(), Some(Some(Fate::Killed { .. }))));
        println!("{}: {} are left after cases {cases:?}", preset.name, survivors.len());
    }
    assert!(survivors.is_empty(), "{} of {} survive: {survivors:#?}", survivors.len(), chosen.len());
    // What is left out is no bug, and the unit without one differs in nothing.
    let fates = fates(unit, &[ids(&idle), vec![WHOLE]].concat(), (0, FIRST_CASES));
    assert!(fates.iter().all(|fate| *fate == Some(Fate::Survived)), "{fates:?}");
}
