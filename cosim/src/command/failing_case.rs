//! What becomes of a failing case: shrunk, saved, with its waves, and the command that runs it again.

use std::path::{Path, PathBuf};

use lsu_model::preset::{TINY4, WARP32};
use lsu_waves::Format;

use crate::campaign::Findings;
use crate::report::{self, Surroundings};
use crate::roster::Roster;
use crate::shrink::{Failing, on_preset, shrink};
use crate::wave_story::WavePlan;
use crate::{interrupt, lockstep, output};

use super::engines::quoted;
use super::saved_program::save_program;
use super::{EngineArguments, waves};

/// Where a failing case comes from, and where it is saved.
pub(super) struct Origin<'a> {
    pub verb: &'static str,
    pub engines: &'a EngineArguments,
    pub seed: u64,
    pub repro_dir: &'a PathBuf,
}

/// What is left of a failing case.
pub(super) struct Saved {
    /// The first line of its report.
    pub failure: String,
    /// The shrunk program, where it could be saved.
    pub repro: Option<PathBuf>,
}

impl Saved {
    /// Writes it down with what else was found.
    pub fn note_in(self, findings: &mut Findings) {
        findings.failure = Some(self.failure);
        findings.repro = self.repro.map(|path| path.display().to_string());
    }
}

/// Shrinks, saves and reports a failure. Whatever goes wrong on the way is told in the
/// report: what was found is worth more than its file, and the file more than its waves.
pub(super) fn save(origin: &Origin<'_>, roster: &Roster, case: u64, failing: &Failing) -> Saved {
    let original = failing.program.ops.len();
    let seed = origin.seed;
    output::message_line(format_args!("case {case} of seed {seed} fails; shrinking its {original} operations"));
    let mut notes = Vec::new();
    // A signal that ended the check is not meant for the shrinker, and one that ends the shrinker not for the report.
    interrupt::acknowledge();
    let small = shrink(failing.clone(), roster, interrupt::flag());
    let least = if interrupt::is_requested() { None } else { in_least_unit(origin.engines, &small) };
    if interrupt::is_requested() {
        notes.push("shrinking was interrupted: this is the best so far".to_owned());
        interrupt::acknowledge();
    }
    let (small, roster) = least.as_ref().map_or((&small, roster), |(small, roster)| (small, roster));
    let mut surroundings = Surroundings { shrunk_from: Some(original), ..Surroundings::default() };
    match report::transactions(small, roster) {
        Ok(transactions) => surroundings.transactions = transactions,
        Err(error) => notes.push(format!("no transactions: {error}")),
    }
    let preset = origin.engines.preset.unwrap_or(WARP32);
    let from = format!("lsu {} --preset {} --seed {seed}, case {case}", origin.verb, preset.name);
    let name = format!("{}-seed{seed}-case{case}", small.program.preset.name);
    match save_program(origin.repro_dir, &name, [&from, &small.failure.to_string()], &small.program) {
        Ok(path) => {
            surroundings.saved_at = Some(path.clone());
            surroundings.replay = Some(replay_command(origin.engines, &path));
            let (window, sm) = (waves::around(small.failure.cycle), small.failure.sm);
            let plan = WavePlan { path: path.with_extension("vcd"), format: Format::Vcd, window, sm };
            match waves::record(&small.program, roster, plan).and_then(|recorded| recorded.waves) {
                Ok(written) => waves::name(&[written], &mut surroundings),
                Err(error) => notes.push(format!("no waves: {error}")),
            }
        }
        Err(error) => notes.push(format!("not saved: {error}")),
    }
    output::message(&report::render(small, &surroundings));
    notes.iter().for_each(output::message_line);
    Saved { failure: small.failure.to_string(), repro: surroundings.saved_at }
}

/// The failure in the smallest unit, whose waves are the easiest to read, if it shows there. What the user's own Verilog does is known for
/// its own preset alone.
fn in_least_unit(engines: &EngineArguments, small: &Failing) -> Option<(Failing, Roster)> {
    if engines.dut.is_some() || small.program.preset == TINY4 {
        return None;
    }
    output::message_line(format_args!("trying whether it shows in {}, too", TINY4.name));
    let roster = Roster::prepare(&engines.roster_options(TINY4).ok()?).ok()?;
    let program = on_preset(&small.program, TINY4);
    let failure = lockstep::run(&program, &roster, &mut ()).ok()?.failure?;
    let failing = failure.is_like(&small.failure).then_some(Failing { program, failure })?;
    Some((shrink(failing, &roster, interrupt::flag()), roster))
}

/// The command that replays the program in `path`, as the user has called this one.
pub(super) fn replay_command(engines: &EngineArguments, path: &Path) -> String {
    let is_under_cargo = std::env::var_os("CARGO").is_some()
        && std::env::var("CARGO_PKG_NAME").is_ok_and(|package| package == env!("CARGO_PKG_NAME"));
    let program = match std::env::args_os().next() {
        Some(program) if !is_under_cargo => quoted(program.as_ref()),
        _ => "cargo run --release --".to_owned(),
    };
    format!("{program} replay {}{}", quoted(path), engines.to_text())
}
