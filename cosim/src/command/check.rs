//! `lsu check`: the main job.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lsu_model::preset::WARP32;
use lsu_waves::Format;
use serde_json::json;

use crate::check::{self, CheckOptions, CheckResult, Extent, Shard};
use crate::program::write;
use crate::report::{self, Surroundings};
use crate::roster::Roster;
use crate::shrink::{Failing, shrink};
use crate::wave_story::WavePlan;

use super::{CommandError, EngineArguments, Status, stop_on_interrupt, waves, write_file};

/// Cases of a check that is told neither cases nor seconds.
pub const DEFAULT_CASES: u64 = 1_000;

/// Arguments of `lsu check`.
#[derive(Clone, Debug, clap::Args)]
pub struct CheckArguments {
    #[command(flatten)]
    engines: EngineArguments,
    /// How many random programs to run [default: 1000].
    #[arg(long, value_name = "N", conflicts_with = "seconds")]
    cases: Option<u64>,
    /// Run random programs for this long instead.
    #[arg(long, value_name = "S")]
    seconds: Option<u64>,
    /// Threads [default: one for each processor].
    #[arg(long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Seed of the random programs.
    #[arg(long, value_name = "S", default_value_t = 1)]
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
/// The tool chain cannot be used, or a failing program cannot be saved.
pub fn check(arguments: &CheckArguments) -> Result<Status, CommandError> {
    let preset = arguments.engines.preset.unwrap_or(WARP32);
    let stop = stop_on_interrupt();
    let roster = Roster::prepare(&arguments.engines.roster_options(preset)?)?;
    let extent = match (arguments.cases, arguments.seconds) {
        (Some(cases), _) => Extent::Cases(cases),
        (None, Some(seconds)) => Extent::Time(Duration::from_secs(seconds)),
        (None, None) => Extent::Cases(DEFAULT_CASES),
    };
    let jobs = match arguments.jobs {
        Some(jobs) => usize::from(jobs),
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
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
    let saved = match &result.failure {
        Some((case, failing)) => Some(save(arguments, &roster, *case, failing, stop)?),
        None => None,
    };
    conclude(arguments, &options, &result, seconds, saved.as_deref());
    Ok(if result.failure.is_some() { Status::Failed } else { Status::Well })
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

/// Shrinks, saves and reports a failure; gives the saved program's path.
fn save(
    arguments: &CheckArguments,
    roster: &Roster,
    case: u64,
    failing: &Failing,
    stop: &AtomicBool,
) -> Result<PathBuf, CommandError> {
    eprintln!("case {case} of seed {} fails; shrinking its {} operations", arguments.seed, failing.program.ops.len());
    let original = failing.program.ops.len();
    // A Ctrl-C that ended the check is not meant for the shrinker, a second one would be.
    stop.store(false, Ordering::Relaxed);
    let small = shrink(failing.clone(), roster, stop)?;
    let folder = &arguments.repro_dir;
    std::fs::create_dir_all(folder).map_err(|source| CommandError::Write { path: folder.clone(), source })?;
    let path = folder.join(format!("{}-seed{}-case{case}.toml", small.program.preset.name, arguments.seed));
    let text = format!(
        "# lsu check --preset {} --seed {}, case {case}\n# {}\n{}",
        small.program.preset.name,
        arguments.seed,
        small.failure,
        write(&small.program)
    );
    write_file(&path, &text)?;
    let mut surroundings = Surroundings {
        transactions: report::transactions(&small, roster)?,
        shrunk_from: Some(original),
        saved_at: Some(path.clone()),
        replay: Some(replay_command(arguments, &path)),
        ..Surroundings::default()
    };
    let (window, sm) = (waves::around(small.failure.cycle), small.failure.sm);
    let plan = WavePlan { path: path.with_extension("vcd"), format: Format::Vcd, window, sm };
    let recorded = waves::record(&small.program, roster, plan);
    if let Ok((_, _, written)) = &recorded {
        waves::name(std::slice::from_ref(written), &mut surroundings);
    }
    // What was found is worth more than its waves.
    eprint!("{}", report::render(&small, &surroundings));
    recorded.map(|_| path)
}

fn replay_command(arguments: &CheckArguments, path: &Path) -> String {
    format!("cargo run --release -- replay {}{}", path.display(), arguments.engines.to_text())
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
    if options.stop.load(Ordering::Relaxed) {
        eprintln!("stopped by Ctrl-C");
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
        println!("{document}");
    } else {
        println!(
            "{preset}: {} cases, {} operations, {} cycles, {mismatches} mismatches ({seconds:.1} s, {rate} cycles/s, {} jobs)",
            result.cases, result.ops, result.cycles, options.jobs
        );
    }
}
