//! The programs of the global path (`programs/global`), on RTL and model in lock step, in the presets that their numbers are
//! for: every expectation met, every count as predicted by hand. `docs/global_programs.md` is the table of them.

#[path = "../harness/mod.rs"]
mod harness;

mod cluster;
mod hints;
mod local;
mod order;
mod port_watch;
mod shared;
mod stale;
mod throughput;
mod window;

use std::path::{Path, PathBuf};

use lsu_cosim::engine::EngineKind;
use lsu_cosim::lockstep::{self, Observer};
use lsu_cosim::program::{Overrides, Program, read_file};
use lsu_cosim::results::{OperationResult, Results};
use lsu_cosim::roster::Roster;
use lsu_cosim::stimulus::{Memory, Network};
use lsu_model::preset::Preset;

/// Model and RTL of `preset`.
fn model_and_rtl(preset: Preset) -> Roster {
    harness::engines(preset, &[EngineKind::Model, EngineKind::Verilator])
}

/// The program `name` of `folder`, for `preset`.
fn program(preset: Preset, folder: &str, name: &str) -> Program {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/global").join(folder).join(name);
    read_file(&path, Overrides { preset: Some(preset) })
        .unwrap_or_else(|error| panic!("{:?}", miette::Report::new(error)))
}

/// The names of the programs in `folder`, without their ending, in ascending order.
fn names(folder: &str) -> Vec<String> {
    let stem = |path: PathBuf| path.file_stem().expect("a name").to_string_lossy().into_owned();
    let mut names: Vec<String> = harness::program_files(&format!("global/{folder}")).into_iter().map(stem).collect();
    names.sort_unstable();
    names
}

/// The results of `program`, which must run without a mismatch and meet its expectations. `observer` looks on.
fn run_watched(program: &Program, roster: &Roster, observer: &mut impl Observer, what: &str) -> Results {
    let mut watched = Watched { results: Results::new(program), observer };
    let outcome = lockstep::run(program, roster, &mut watched).expect("the engines run");
    assert_eq!(outcome.failure, None, "{what} on {}", program.preset.name);
    assert_eq!(outcome.ops, program.ops.len() as u64, "{what} on {}", program.preset.name);
    let results = watched.results;
    assert_eq!(results.unmet(program), [], "{what} on {}", program.preset.name);
    results
}

/// The same without an observer.
fn run(program: &Program, roster: &Roster, what: &str) -> Results {
    run_watched(program, roster, &mut (), what)
}

/// Results, and another observer beside them.
struct Watched<'a, O> {
    results: Results,
    observer: &'a mut O,
}

impl<O: Observer> Observer for Watched<'_, O> {
    fn cycle(&mut self, view: &lockstep::CycleView<'_>) {
        self.results.cycle(view);
        self.observer.cycle(view);
    }

    fn end(&mut self, memory: &Memory, network: &Network) {
        self.results.end(memory, network);
        self.observer.end(memory, network);
    }
}

/// Cycles from acceptance to completion.
fn latency(result: &OperationResult) -> u64 {
    result.done.expect("complete") - result.accepted.expect("accepted")
}

/// Sectors that hit, that missed, and that memory was asked for.
fn sectors(result: &OperationResult) -> [u32; 3] {
    let account = result.account.expect("the model takes part");
    [account.hit_sectors, account.miss_sectors, account.mem_sectors]
}
