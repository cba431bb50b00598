//! What `lsu mutate` finds in whole presets, by samples in every gate: which mutants are killed, and which are argued to be no bugs.

mod argued;
mod comparators;

use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use lsu_cosim::mutate::{Breakable, Fate, SweepOptions, mutants, sweep};
use lsu_cosim::verilator::{Cache, Toolchain};
use lsu_hdl::verilog::Chosen;
use lsu_model::preset::{FPGA8, Preset, TINY4};

/// A preset that is quickly run, and a model in which all its mutants that a test here tries can be chosen.
struct Tried {
    preset: Preset,
    unit: Breakable,
}

/// Those presets, each built once.
fn tried() -> &'static [Tried; 2] {
    static TRIED: OnceLock<[Tried; 2]> = OnceLock::new();
    TRIED.get_or_init(|| {
        let toolchain = Toolchain::find(None, Cache::user().expect("a cache")).expect("Verilator");
        [FPGA8, TINY4].map(|preset| {
            let mutants = mutants(&preset).expect("emitted");
            let argued = argued::of(&preset, &mutants);
            let compared = if preset == FPGA8 { comparators::of(&mutants) } else { Vec::new() };
            let ids = argued.iter().chain(&compared).map(|mutant| mutant.id).collect();
            let unit = Breakable::build(preset, Chosen::Only(&ids), &toolchain).expect("built");
            Tried { preset, unit }
        })
    })
}

/// What becomes of the mutants of these numbers in the cases from the first to before the second.
fn fates(unit: &Breakable, ids: &[u32], cases: (u64, u64)) -> Vec<Option<Fate>> {
    let stop = AtomicBool::new(false);
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    sweep(unit, ids, &SweepOptions { seed: 1, cases, jobs, stop: &stop }, |_| {}).expect("tried")
}
