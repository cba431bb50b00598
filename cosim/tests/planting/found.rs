//! What the default budget of `lsu check` finds of the bugs of a unit.

use std::sync::atomic::AtomicBool;

use lsu_cosim::engine::EngineSource;
use lsu_cosim::generate::{self, DEFAULT_CASES};
use lsu_cosim::lockstep::{self, Failure};
use lsu_cosim::mutate::{Breakable, Fate, SweepOptions, sweep};

const SEED: u64 = 1;

/// The first case that fails because of each bug, and how it fails.
pub fn found(unit: &Breakable) -> Vec<Option<(u64, Failure)>> {
    let stop = AtomicBool::new(false);
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let options = SweepOptions { seed: SEED, cases: (0, DEFAULT_CASES), jobs, stop: &stop };
    // Without a bug the selector changes nothing: otherwise "found" would mean nothing.
    let whole = SweepOptions { cases: (0, 60), ..options };
    assert_eq!(sweep(unit, &[0], &whole, |_| {}).expect("tried"), [Some(Fate::Survived)]);
    let ids: Vec<u32> = unit.mutants().iter().map(|mutant| mutant.id).collect();
    let fates = sweep(unit, &ids, &options, |_| {}).expect("tried");
    let failed = ids.into_iter().zip(fates).map(|(id, fate)| {
        let Some(Fate::Killed { case, .. }) = fate else { return None };
        let broken = unit.broken(id);
        let program = generate::program(broken.preset(), SEED, case).expect("generated");
        let outcome = lockstep::run(&program, &broken, &mut ()).expect("runs");
        Some((case, outcome.failure.expect("it failed before")))
    });
    failed.collect()
}
