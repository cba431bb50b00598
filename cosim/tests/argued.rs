//! The mutants that are no bugs for a reason: each entry of the list names some of the emitted Verilog, and none of these is
//! killed by the cases that `lsu mutate` begins with.

use std::sync::atomic::AtomicBool;

use lsu_cosim::mutate::{Breakable, Fate, SweepOptions, equivalent, mutants, sweep};
use lsu_cosim::verilator::{Cache, Toolchain};
use lsu_hdl::verilog::Chosen;
use lsu_model::preset::FPGA8;

const CASES: u64 = 40;

#[test]
fn every_reason_holds_for_some_mutants_and_none_of_them_is_killed() {
    let toolchain = Toolchain::find(None, Cache::user().expect("a cache")).expect("Verilator");
    let mutants = mutants(&FPGA8).expect("emitted");
    let list = equivalent::list().expect("the list can be read");
    let mut ids = vec![];
    for entry in &list {
        let held: Vec<_> = mutants.iter().filter(|mutant| entry.holds(mutant)).collect();
        for place in &entry.places {
            assert!(held.iter().any(|mutant| mutant.place == *place), "{}: no mutant at `{place}`", entry.module);
        }
        for bit in entry.bits.iter().flatten() {
            assert!(
                held.iter().any(|mutant| mutant.bit == *bit),
                "{}: no bit {bit} at {:?}",
                entry.module,
                entry.places
            );
        }
        ids.extend(held.iter().map(|mutant| mutant.id));
    }
    let stop = AtomicBool::new(false);
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let options = SweepOptions { seed: 1, cases: (0, CASES), jobs, stop: &stop };
    let unit = Breakable::build(FPGA8, Chosen::Only(&ids.iter().copied().collect()), &toolchain).expect("built");
    let fates = sweep(&unit, &ids, &options, |_| {}).expect("tried");
    let killed: Vec<_> = mutants
        .iter()
        .filter(|mutant| {
            ids.iter().zip(&fates).any(|(id, fate)| *id == mutant.id && !matches!(fate, Some(Fate::Survived)))
        })
        .collect();
    assert!(killed.is_empty(), "killed although argued to be no bugs: {killed:#?}");
}
