//! Every comparator of addresses, keys and operation tags in the emitted Verilog, every bit ignored, one at a time: the default
//! check of each preset kills all of them but those that a cache cannot see, and those of one block that are proven instead.

use std::sync::atomic::AtomicBool;

use lsu_cosim::generate::DEFAULT_CASES;
use lsu_cosim::mutate::{Breakable, Fate, SweepOptions, mutants, sweep};
use lsu_cosim::verilator::{Cache, Toolchain};
use lsu_hdl::verilog::{Chosen, Fault, Mutant};
use lsu_model::preset::{FPGA8, Preset, WARP32};

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

fn every_bit_is_missed(preset: Preset) {
    let toolchain = Toolchain::find(None, Cache::user().expect("a cache")).expect("Verilator");
    let mutants = mutants(&preset).expect("emitted");
    let compared: Vec<&Mutant> = mutants.iter().filter(|mutant| is_address_or_tag(mutant)).collect();
    let (idle, chosen): (Vec<&Mutant>, Vec<&Mutant>) =
        compared.iter().partition(|mutant| names_the_set(&preset, mutant) || says_kind_of_ro(&preset, mutant));
    let all = compared.iter().map(|mutant| mutant.id).collect();
    let unit = Breakable::build(preset, Chosen::Only(&all), &toolchain).expect("built");
    assert!(chosen.len() > 250, "only {} mutants", chosen.len());
    println!("{}: {} mutants", preset.name, chosen.len());
    let stop = AtomicBool::new(false);
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let options = |cases| SweepOptions { seed: 1, cases: (0, cases), jobs, stop: &stop };
    let ids: Vec<u32> = chosen.iter().map(|mutant| mutant.id).collect();
    let fates = sweep(&unit, &ids, &options(DEFAULT_CASES), |_| {}).expect("tried");
    let survivors: Vec<String> = chosen
        .iter()
        .zip(&fates)
        .filter(|(_, fate)| !matches!(fate, Some(Fate::Killed { .. })))
        .map(|(mutant, _)| format!("{} bit {}: {}", mutant.module, mutant.bit, mutant.place))
        .collect();
    assert!(survivors.is_empty(), "{} of {} survive: {survivors:#?}", survivors.len(), chosen.len());
    // What is left out is no bug, and the unit without one differs in nothing.
    let idle: Vec<u32> = idle.iter().map(|mutant| mutant.id).chain([0]).collect();
    let fates = sweep(&unit, &idle, &options(20), |_| {}).expect("tried");
    assert!(fates.iter().all(|fate| *fate == Some(Fate::Survived)), "{fates:?}");
}

#[test]
fn fpga8_misses_every_bit() {
    every_bit_is_missed(FPGA8);
}

#[test]
fn warp32_misses_every_bit() {
    every_bit_is_missed(WARP32);
}
