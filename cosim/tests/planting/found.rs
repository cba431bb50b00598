//! What the default budget of `lsu check` finds of the bugs of a unit.

use std::sync::atomic::AtomicBool;

use lsu_cosim::engine::EngineSource;
use lsu_cosim::generate::{self, DEFAULT_CASES};
use lsu_cosim::lockstep::{self, Failure};
use lsu_cosim::mutate::{Breakable, Fate, SweepOptions, sweep};

const SEED: u64 = 1;

/// Cases in which nothing may differ without a bug: the selector changes nothing, otherwise "found" would mean nothing.
const WHOLE: u64 = 60;

fn swept(unit: &Breakable, ids: &[u32], cases: u64) -> Vec<Option<Fate>> {
    let stop = AtomicBool::new(false);
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let options = SweepOptions { seed: SEED, cases: (0, cases), jobs, stop: &stop };
    sweep(unit, ids, &options, |_| {}).expect("tried")
}

/// How the unit with one bug fails in one case; number 0 is none.
pub fn fails_in(unit: &Breakable, id: u32, case: u64) -> Option<Failure> {
    let broken = unit.broken(id);
    let program = generate::program(broken.preset(), SEED, case).expect("generated");
    lockstep::run(&program, &broken, &mut ()).expect("runs").failure
}

/// The first case that fails because of each bug, and how it fails.
pub fn found(unit: &Breakable) -> Vec<Option<(u64, Failure)>> {
    assert_eq!(swept(unit, &[0], WHOLE), [Some(Fate::Survived)]);
    let ids: Vec<u32> = unit.mutants().iter().map(|mutant| mutant.id).collect();
    let fates = swept(unit, &ids, DEFAULT_CASES);
    let failed = ids.into_iter().zip(fates).map(|(id, fate)| {
        let Some(Fate::Killed { case, .. }) = fate else { return None };
        Some((case, fails_in(unit, id, case).expect("it failed before")))
    });
    failed.collect()
}
