//! `lsu run FILE.litmus`: a litmus test over random timings, with the histogram of its outcomes.

use std::path::PathBuf;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lsu_model::preset::FPGA8;
use lsu_waves::Window;
use serde_json::{Map, Value, json};

use crate::engine::EngineSource as _;
use crate::litmus::{self, LitmusOptions, LitmusResult, Ran, Seen, Test};
use crate::program::Program;
use crate::report::{self, Surroundings};
use crate::roster::Roster;
use crate::{interrupt, output};

use super::campaign_arguments::{positive, seed};
use super::engines::quoted;
use super::failing_case::replay_command;
use super::replay_arguments::ReplayArguments;
use super::saved_program::save_program;
use super::{CommandError, Status, threads};

/// Runs if the command line does not say how many: some seconds.
const DEFAULT_RUNS: u64 = 2000;

/// Arguments of `lsu run FILE.litmus` beside those of a program.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Options of a litmus test")]
pub struct LitmusArguments {
    /// How often to run it [default: 2000].
    #[arg(long, value_name = "N", value_parser = positive, allow_negative_numbers = true)]
    cases: Option<u64>,
    /// Threads [default: one for each processor].
    #[arg(long, value_name = "J", allow_negative_numbers = true,
        value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Seed of the runs [default: 1].
    #[arg(long, value_name = "S", value_parser = seed, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Where to save a run that should not have been [default: lsu-repro].
    #[arg(long, value_name = "DIR")]
    repro_dir: Option<PathBuf>,
}

impl LitmusArguments {
    /// A program is run once, with the seed that it names.
    pub(super) fn refuse_for_programs(&self) -> Result<(), CommandError> {
        let given = [
            ("--cases", self.cases.is_some()),
            ("--jobs", self.jobs.is_some()),
            ("--seed", self.seed.is_some()),
            ("--repro-dir", self.repro_dir.is_some()),
        ];
        match given.iter().find(|(_, is_given)| *is_given) {
            Some((option, _)) => Err(CommandError::Usage {
                message: format!("{option} is given, but the file is no litmus test"),
                help: Some("a program runs once, with what it says; a litmus test's file ends in .litmus".to_owned()),
            }),
            None => Ok(()),
        }
    }
}

/// Runs a litmus test.
///
/// # Errors
/// The file or the tool chain cannot be used.
pub(super) fn run(arguments: &ReplayArguments, litmus: &LitmusArguments) -> Result<Status, CommandError> {
    if !arguments.program.waves.plans(&arguments.program.file, Window::ALL, 0).is_empty() {
        return Err(CommandError::Usage {
            message: "a litmus test is many runs, and waves are of one".to_owned(),
            help: Some("a run that should not have been is saved as a program: lsu replay writes its waves".to_owned()),
        });
    }
    let test = litmus::read_file(&arguments.program.file)?;
    interrupt::listen();
    let preset = arguments.engines.preset.unwrap_or(FPGA8);
    let roster = Roster::prepare(&arguments.engines.roster_options(preset)?)?;
    let options = LitmusOptions {
        seed: litmus.seed.unwrap_or(1),
        runs: litmus.cases.unwrap_or(DEFAULT_RUNS),
        jobs: threads(litmus.jobs),
        stop: interrupt::flag(),
    };
    let bar = progress_bar(options.runs);
    let result = litmus::run(&test, &roster, &options, || bar.inc(1));
    bar.finish_and_clear();
    let result = result?;
    let saving = Saving { arguments, litmus, preset: preset.name, seed: options.seed };
    if let Some((number, failing)) = &result.failure {
        // A signal that ended the runs is not meant for the report.
        interrupt::acknowledge();
        let transactions = report::transactions(failing, &roster).unwrap_or_default();
        let mut surroundings = Surroundings { transactions, ..Surroundings::default() };
        match saving.save(*number, &failing.failure.to_string(), &failing.program) {
            Ok(path) => {
                surroundings.replay = Some(replay_command(&arguments.engines, &path));
                surroundings.saved_at = Some(path);
            }
            Err(error) => output::message_line(format_args!("not saved: {error}")),
        }
        output::message_line(format_args!("run {number} of seed {} fails", options.seed));
        output::message(&report::render(failing, &surroundings));
        if arguments.program.json {
            output::print_line(document(&test, &result, false));
        }
        return Ok(Status::Failed);
    }
    let is_met = result.histogram.meets(test.quantifier);
    if arguments.program.json {
        output::print_line(document(&test, &result, is_met));
    } else {
        output::print(&table(&test, &result, is_met, &roster));
    }
    if result.is_interrupted {
        output::message_line(format_args!("interrupted after {} of {} runs", result.histogram.runs(), options.runs));
        interrupt::acknowledge();
    }
    let counterexample = result.histogram.counterexample(test.quantifier);
    if let Some(number) = counterexample {
        show_again(&test, &roster, &saving, number)?;
    }
    Ok(match counterexample {
        Some(_) => Status::Failed,
        // What interrupted runs have not shown, others may have.
        None if result.is_interrupted => Status::Interrupted,
        None if is_met => Status::Well,
        None => Status::Failed,
    })
}

fn progress_bar(runs: u64) -> ProgressBar {
    // Drawn on a terminal only.
    let bar = ProgressBar::with_draw_target(Some(runs), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} runs, {eta} left") {
        bar.set_style(style);
    }
    bar
}

/// Where runs are saved, and as what.
struct Saving<'a> {
    arguments: &'a ReplayArguments,
    litmus: &'a LitmusArguments,
    preset: &'static str,
    seed: u64,
}

impl Saving<'_> {
    /// Saves the run number `number`, which came to `what`.
    fn save(&self, number: u64, what: &str, program: &Program) -> Result<PathBuf, CommandError> {
        let Self { arguments, litmus, preset, seed } = self;
        let folder = litmus.repro_dir.clone().unwrap_or_else(|| "lsu-repro".into());
        let stem = arguments.program.file.file_stem().unwrap_or_default().to_string_lossy();
        let name = format!("{stem}-{preset}-seed{seed}-run{number}");
        let origin =
            format!("lsu run {} --preset {preset} --seed {seed}, run {number}", quoted(&arguments.program.file));
        save_program(&folder, &name, [&origin, what], program)
    }
}

/// Saves the run that the test's author ruled out, and says how to look at it.
fn show_again(test: &Test, roster: &Roster, saving: &Saving<'_>, number: u64) -> Result<(), CommandError> {
    let Ran::Through { values, program, .. } = litmus::run_one(test, roster, saving.seed, number)? else {
        return Ok(());
    };
    let outcome = outcome(test, &values);
    output::message_line(format_args!("run {number} of seed {}: {outcome}", saving.seed));
    match saving.save(number, &outcome, &program) {
        Ok(path) => {
            output::message_line(format_args!("saved: {}", path.display()));
            output::message_line(format_args!("replay: {}", replay_command(&saving.arguments.engines, &path)));
        }
        Err(error) => output::message_line(format_args!("not saved: {error}")),
    }
    Ok(())
}

/// The values of an outcome by their names.
fn outcome(test: &Test, values: &[u64]) -> String {
    let named = test.observed.iter().zip(values).map(|(term, value)| format!("{}={value}", test.name_of(*term)));
    named.collect::<Vec<_>>().join(" ")
}

/// The histogram: `*>` where the condition holds, `:>` elsewhere.
fn table(test: &Test, result: &LitmusResult, is_met: bool, roster: &Roster) -> String {
    let LitmusResult { histogram, .. } = result;
    let engines: Vec<String> = roster.kinds().iter().map(ToString::to_string).collect();
    let (threads, units, runs) = (test.threads.len(), test.units, histogram.runs());
    let mut lines = vec![format!(
        "{}: threads {threads}, units {units} ({} on {})",
        test.name,
        engines.join(" and "),
        roster.preset().name
    )];
    for (values, Seen { count, holds, .. }) in histogram.by_count() {
        let mark = if holds { "*>" } else { ":>" };
        lines.push(format!("{count:>9} {mark} {}", outcome(test, values)));
    }
    let verdict = if is_met { "met" } else { "not met" };
    let holding = histogram.holding();
    lines.push(format!("{} {verdict}: the condition holds in {holding} of {runs} runs\n", test.quantifier.name()));
    lines.join("\n")
}

/// The document of `lsu run FILE.litmus --json`.
fn document(test: &Test, result: &LitmusResult, is_met: bool) -> Value {
    let outcomes = result.histogram.by_count().into_iter().map(|(values, seen)| {
        let named = test.observed.iter().zip(values);
        let named: Map<String, Value> = named.map(|(term, value)| (test.name_of(*term), Value::from(*value))).collect();
        json!({ "values": named, "count": seen.count })
    });
    let mut document = json!({
        "test": test.name,
        "runs": result.histogram.runs(),
        "condition": test.quantifier.name(),
        "met": is_met,
        "outcomes": outcomes.collect::<Vec<_>>(),
    });
    if let Some((_, failing)) = &result.failure {
        document["mismatches"] = 1.into();
        document["failure"] = failing.failure.to_string().into();
    }
    document
}
