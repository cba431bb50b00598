//! Every program file of the rules, on all engines in lock step, in the presets that have their lanes: no mismatch, every expectation met.

mod harness;

use std::path::Path;

use lsu_cosim::lockstep;
use lsu_cosim::program::{Overrides, read_file};
use lsu_cosim::results::Results;
use lsu_cosim::roster::Roster;
use lsu_model::preset::Preset;

#[test]
fn every_rule_holds_on_every_engine() {
    let programs = harness::program_files("rules");
    for preset in harness::with_eight_lanes() {
        let roster = harness::all_engines(preset);
        // rust_hdl's own simulation takes most of the time.
        std::thread::scope(|scope| {
            for share in 0..2 {
                let (programs, roster) = (programs.iter().skip(share).step_by(2), &roster);
                scope.spawn(move || programs.for_each(|program| holds(program, preset, roster)));
            }
        });
    }
}

fn holds(path: &Path, preset: Preset, roster: &Roster) {
    let program = read_file(path, Overrides { preset: Some(preset) })
        .unwrap_or_else(|error| panic!("{:?}", miette::Report::new(error)));
    let mut results = Results::new(&program);
    let outcome = lockstep::run(&program, roster, &mut results).expect("the engines run");
    assert_eq!(outcome.failure, None, "{} on {}", path.display(), preset.name);
    assert_eq!(results.unmet(&program), [], "{} on {}", path.display(), preset.name);
    assert_eq!(outcome.ops, program.ops.len() as u64);
}
