//! `lsu check`: the main job.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lsu_model::preset::WARP32;
use lsu_waves::Format;
use serde_json::json;

use crate::check::{self, CheckOptions, CheckResult, Extent, Shard};
use crate::generate::DEFAULT_CASES;
use crate::program::write;
use crate::report::{self, Surroundings};
use crate::roster::Roster;
use crate::shrink::{Failing, shrink};
use crate::wave_story::WavePlan;
use crate::{interrupt, output};

use super::replace_file::replace_file;
use super::{CommandError, EngineArguments, Status, threads, waves};

/// Arguments of `lsu check`.
#[derive(Clone, Debug, clap::Args)]
pub struct CheckArguments {
    #[command(flatten)]
    engines: EngineArguments,
    /// How many random programs to run [default: 1580].
    #[arg(long, value_name = "N", conflicts_with = "seconds", value_parser = positive, allow_negative_numbers = true)]
    cases: Option<u64>,
    /// Run random programs for this long instead.
    #[arg(long, value_name = "S", value_parser = positive, allow_negative_numbers = true)]
    seconds: Option<u64>,
    /// Threads [default: one for each processor].
    #[arg(long, value_name = "J", allow_negative_numbers = true,
        value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Seed of the random programs.
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = seed, allow_negative_numbers = true)]
    seed: u64,
    /// Run only part I of N of the cases.
    #[arg(long, value_name = "I/N", value_parser = shard, default_value = "1/1")]
    shard: Shard,
    /// Where to save a failing program.
    #[arg(long, value_name = "DIR", default_value = "lsu-repro")]
    repro_dir: PathBuf,
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// Reads a seed.
pub(super) fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("a seed is a number from 0 to {}", u64::MAX))
}

/// Reads a number of cases or seconds.
pub(super) fn positive(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(0) => Err("nothing would be checked; write a number from 1".to_owned()),
        Ok(number) => Ok(number),
        Err(_) => Err(format!("write a number from 1 to {}", u64::MAX)),
    }
}

/// Reads `I/N`, I from 1 to N.
fn shard(text: &str) -> Result<Shard, String> {
    let numbers =
        text.split_once('/').and_then(|(index, count)| Some((index.parse::<u64>().ok()?, count.parse::<u64>().ok()?)));
    match numbers {
        Some((index, count)) if (1..=count).contains(&index) => Ok(Shard { index: index - 1, count }),
        _ => Err("write I/N with I from 1 to N, for example 1/4".to_owned()),
    }
}

/// Checks random programs on the engines.
///
/// # Errors
/// The tool chain cannot be used, or there is nothing to check.
pub fn check(arguments: &CheckArguments) -> Result<Status, CommandError> {
    let preset = arguments.engines.preset.unwrap_or(WARP32);
    let extent = match (arguments.cases, arguments.seconds) {
        (Some(cases), _) => Extent::Cases(cases),
        (None, Some(seconds)) => Extent::Time(Duration::from_secs(seconds)),
        (None, None) => Extent::Cases(DEFAULT_CASES),
    };
    if let Extent::Cases(cases) = extent
        && arguments.shard.cases(cases) == 0
    {
        let Shard { index, count } = arguments.shard;
        return Err(CommandError::Usage {
            message: format!("shard {}/{count} gets none of {cases} cases: nothing would be checked", index + 1),
            help: Some("give more cases, or make fewer shards".to_owned()),
        });
    }
    interrupt::listen();
    let roster = Roster::prepare(&arguments.engines.roster_options(preset)?)?;
    let jobs = threads(arguments.jobs);
    let stop = interrupt::flag();
    let options = CheckOptions { seed: arguments.seed, extent, jobs, shard: arguments.shard, stop };
    let bar = progress_bar(&options);
    let begin = Instant::now();
    let result = check::check(&roster, &options, |cases, cycles| {
        if let Extent::Cases(_) = extent {
            bar.set_position(cases);
        } else {
            bar.set_position(begin.elapsed().as_secs());
        }
        bar.set_message(format!("{cycles} cycles"));
    });
    bar.finish_and_clear();
    let result = result?;
    let seconds = begin.elapsed().as_secs_f64();
    if result.cases == 0 && !result.is_interrupted {
        return Err(CommandError::Usage {
            message: "the time was over before any case had run".to_owned(),
            help: None,
        });
    }
    let saved = result.failure.as_ref().and_then(|(case, failing)| save(arguments, &roster, *case, failing));
    conclude(arguments, &options, &result, seconds, saved.as_deref());
    Ok(match result {
        CheckResult { failure: Some(_), .. } => Status::Failed,
        CheckResult { is_interrupted: true, .. } => Status::Interrupted,
        _ => Status::Well,
    })
}

fn progress_bar(options: &CheckOptions<'_>) -> ProgressBar {
    let (length, what) = match options.extent {
        Extent::Cases(cases) => (cases.div_ceil(options.shard.count), "cases"),
        Extent::Time(time) => (time.as_secs(), "seconds"),
    };
    // Drawn on a terminal only.
    let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr());
    if let Ok(style) =
        ProgressStyle::with_template(&format!("{{bar:40}} {{pos}}/{{len}} {what}, {{msg}}, {{eta}} left"))
    {
        bar.set_style(style);
    }
    bar
}

/// Shrinks, saves and reports a failure; gives the saved program's path. Whatever goes wrong on the way is told in the
/// report: what was found is worth more than its file, and the file more than its waves.
fn save(arguments: &CheckArguments, roster: &Roster, case: u64, failing: &Failing) -> Option<PathBuf> {
    let original = failing.program.ops.len();
    let seed = arguments.seed;
    output::message_line(format_args!("case {case} of seed {seed} fails; shrinking its {original} operations"));
    let mut notes = Vec::new();
    // A signal that ended the check is not meant for the shrinker, and one that ends the shrinker not for the report.
    interrupt::acknowledge();
    let small = shrink(failing.clone(), roster, interrupt::flag());
    if interrupt::is_requested() {
        notes.push("shrinking was interrupted: this is the best so far".to_owned());
        interrupt::acknowledge();
    }
    let mut surroundings = Surroundings { shrunk_from: Some(original), ..Surroundings::default() };
    match report::transactions(&small, roster) {
        Ok(transactions) => surroundings.transactions = transactions,
        Err(error) => notes.push(format!("no transactions: {error}")),
    }
    let path = arguments.repro_dir.join(format!("{}-seed{seed}-case{case}.toml", small.program.preset.name));
    match save_program(arguments, case, &small, &path) {
        Ok(()) => {
            surroundings.saved_at = Some(path.clone());
            surroundings.replay = Some(replay_command(&arguments.engines, &path));
            let (window, sm) = (waves::around(small.failure.cycle), small.failure.sm);
            let plan = WavePlan { path: path.with_extension("vcd"), format: Format::Vcd, window, sm };
            match waves::record(&small.program, roster, plan).and_then(|recorded| recorded.waves) {
                Ok(written) => waves::name(&[written], &mut surroundings),
                Err(error) => notes.push(format!("no waves: {error}")),
            }
        }
        Err(error) => notes.push(format!("not saved: {error}")),
    }
    output::message(&report::render(&small, &surroundings));
    notes.iter().for_each(output::message_line);
    surroundings.saved_at
}

/// Saves a shrunk failure.
fn save_program(arguments: &CheckArguments, case: u64, small: &Failing, path: &Path) -> Result<(), CommandError> {
    let folder = &arguments.repro_dir;
    std::fs::create_dir_all(folder).map_err(|source| CommandError::Write { path: folder.clone(), source })?;
    let Failing { program, failure } = small;
    let (name, seed, text) = (program.preset.name, arguments.seed, write(program));
    replace_file(path, &format!("# lsu check --preset {name} --seed {seed}, case {case}\n# {failure}\n{text}"))
}

/// The command that replays the program in `path`, as the user has called this one.
pub(super) fn replay_command(engines: &EngineArguments, path: &Path) -> String {
    let is_under_cargo = std::env::var_os("CARGO").is_some()
        && std::env::var("CARGO_PKG_NAME").is_ok_and(|package| package == env!("CARGO_PKG_NAME"));
    let program = match std::env::args_os().next() {
        Some(program) if !is_under_cargo => program.display().to_string(),
        _ => "cargo run --release --".to_owned(),
    };
    format!("{program} replay {}{}", path.display(), engines.to_text())
}

fn conclude(
    arguments: &CheckArguments,
    options: &CheckOptions<'_>,
    result: &CheckResult,
    seconds: f64,
    saved: Option<&Path>,
) {
    let preset = arguments.engines.preset.unwrap_or(WARP32).name;
    let mismatches = u64::from(result.failure.is_some());
    let rate = (result.cycles as f64 / seconds.max(f64::EPSILON)).round() as u64;
    if result.is_interrupted {
        output::message_line("interrupted before all cases had run");
    }
    if arguments.json {
        let document = json!({
            "preset": preset,
            "cases": result.cases,
            "ops": result.ops,
            "cycles": result.cycles,
            "mismatches": mismatches,
            "seconds": seconds,
            "cycles_per_second": rate,
            "jobs": options.jobs,
            "coverage": result.tally,
            "repro": saved,
        });
        output::print_line(document);
    } else {
        let CheckResult { cases, ops, cycles, .. } = result;
        output::print_line(format_args!(
            "{preset}: {cases} cases, {ops} operations, {cycles} cycles, {mismatches} mismatches \
             ({seconds:.1} s, {rate} cycles/s, {} jobs)",
            options.jobs
        ));
    }
}
