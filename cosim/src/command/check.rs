//! `lsu check`: the main job.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lsu_model::preset::{TINY4, WARP32};
use lsu_waves::Format;
use serde_json::json;

use crate::campaign::{Campaign, Findings, ShardProgress, Verb, rate};
use crate::check::{self, CheckOptions, CheckResult, Extent, Progress, Shard};
use crate::command_line::VERSION;
use crate::generate::DEFAULT_CASES;
use crate::report::{self, Surroundings};
use crate::roster::Roster;
use crate::shrink::{Failing, on_preset, shrink};
use crate::verilator::sha256;
use crate::wave_story::WavePlan;
use crate::{input_file, interrupt, lockstep, output};

use super::engines::quoted;
use super::replace_file::folder_of;
use super::saved_program::save_program;
use super::{CommandError, EngineArguments, Status, findings_file, threads, waves};

/// How often what has been found until then is written to the file of `--results`.
pub(super) const WRITTEN_EVERY: Duration = Duration::from_secs(2);

/// Arguments of `lsu check`.
#[derive(Clone, Debug, clap::Args)]
pub struct CheckArguments {
    #[command(flatten)]
    engines: EngineArguments,
    #[arg(
        long,
        value_name = "N",
        help = format!("How many random programs to run [default: {DEFAULT_CASES}]"),
        conflicts_with = "seconds",
        value_parser = positive,
        allow_negative_numbers = true
    )]
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
    #[arg(long, value_name = "I/N", value_parser = clap::value_parser!(Shard), default_value = "1/1")]
    shard: Shard,
    /// Keep in this file what has been found, and go on from what it holds.
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
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
    let CheckArguments { engines, seed, shard, .. } = arguments;
    let campaign = campaign(Verb::Check, engines, *seed, extent, *shard, arguments.results.is_some())?;
    let before = match &arguments.results {
        Some(path) => earlier(path, &campaign, arguments.shard)?,
        None => None,
    };
    if let Some(before) =
        before.as_ref().filter(|before| before.mismatches > 0 || before.unfinished_of(arguments.shard).is_none())
    {
        return Ok(conclude(arguments, before));
    }
    interrupt::listen();
    let roster = Roster::prepare(&arguments.engines.roster_options(preset)?)?;
    let mut keeper = Keeper {
        arguments,
        campaign,
        before,
        jobs: threads(arguments.jobs),
        begin: Instant::now(),
        written: Instant::now(),
    };
    let options = CheckOptions {
        seed: arguments.seed,
        extent: rest(extent, keeper.before.as_ref()),
        jobs: keeper.jobs,
        shard: arguments.shard,
        done: keeper.before.as_ref().map_or(0, |before| before.cases),
        stop: interrupt::flag(),
    };
    let bar = progress_bar(&options);
    let mut is_told = false;
    let result = check::check(&roster, &options, |progress| {
        match extent {
            Extent::Cases(_) => bar.set_position(options.done + progress.cases),
            Extent::Time(_) => bar.set_position(keeper.begin.elapsed().as_secs()),
        }
        bar.set_message(format!("{} cycles", progress.cycles));
        if let Err(error) = keeper.write_now_and_then(progress)
            && !is_told
        {
            is_told = true;
            bar.suspend(|| output::message_line(format_args!("{error}: the check goes on")));
        }
    });
    bar.finish_and_clear();
    let result = result?;
    if result.cases == 0 && keeper.before.is_none() && !result.is_interrupted {
        return Err(CommandError::Usage {
            message: "the time was over before any case had run".to_owned(),
            help: None,
        });
    }
    let CheckArguments { engines, seed, repro_dir, .. } = arguments;
    let origin = Origin { verb: "check", engines, seed: *seed, repro_dir };
    let saved = result.failure.as_ref().and_then(|(case, failing)| save(&origin, &roster, *case, failing));
    let findings = keeper.findings(&result, !result.is_interrupted, saved)?;
    if result.is_interrupted {
        output::message_line("interrupted before all cases had run");
    }
    let status = conclude(arguments, &findings);
    findings_file::keep(arguments.results.as_deref(), &findings, status)
}

/// What is run, and would have to be the same for two shards to belong together; `is_kept`: what it finds goes into a file.
///
/// # Errors
/// The shard has nothing to do, or the Verilog cannot be read.
pub(super) fn campaign(
    command: Verb,
    engines: &EngineArguments,
    seed: u64,
    extent: Extent,
    shard: Shard,
    is_kept: bool,
) -> Result<Campaign, CommandError> {
    let cases_asked = match extent {
        Extent::Cases(cases) => Some(cases),
        Extent::Time(_) => None,
    };
    if let Some(cases) = cases_asked.filter(|cases| shard.cases(*cases) == 0) {
        return Err(CommandError::Usage {
            message: format!("shard {shard} gets none of {cases} cases: nothing would be checked"),
            help: Some("give more cases, or make fewer shards".to_owned()),
        });
    }
    let mut kinds = engines.engine.clone();
    kinds.sort_unstable();
    let dut = engines.dut.as_ref().map(|path| checksum(path, is_kept)).transpose()?;
    Ok(Campaign {
        command,
        preset: engines.preset.unwrap_or(WARP32).name.to_owned(),
        version: VERSION.to_owned(),
        seed,
        cases_asked,
        engines: kinds.iter().map(|kind| kind.option().to_owned()).collect(),
        dut,
    })
}

/// What tells the Verilog in `path` from other Verilog. If results are kept by it, the file has to be all of the Verilog: what it includes, or
/// reads while it runs, may be another in the next run.
///
/// # Errors
/// It cannot be read, or is not all.
fn checksum(path: &Path, is_kept: bool) -> Result<String, CommandError> {
    let bytes = input_file::read(path, input_file::LARGEST).map_err(|error| CommandError::Usage {
        message: format!("cannot read {}: {error}", path.display()),
        help: None,
    })?;
    let text = String::from_utf8_lossy(&bytes);
    match ["`include", "$readmem", "$fopen"].into_iter().find(|word| text.contains(word)) {
        Some(word) if is_kept => Err(CommandError::Usage {
            message: format!(
                "{} reads other files (`{word}`): --results could not tell whether it is the same Verilog in the next run",
                path.display()
            ),
            help: Some("put all of the Verilog into one file, or leave --results out".to_owned()),
        }),
        _ => Ok(sha256(&bytes)),
    }
}

/// What `path` holds of an earlier run of `shard` of `campaign`.
///
/// # Errors
/// It is something else, or cannot be read.
pub(super) fn earlier(path: &Path, campaign: &Campaign, shard: Shard) -> Result<Option<Findings>, CommandError> {
    let before = findings_file::read(path)?;
    // Better said now than when all cases have been run.
    let folder = folder_of(path);
    if before.is_none() && !folder.is_dir() {
        return Err(CommandError::Usage {
            message: format!("cannot write {}: there is no folder {}", path.display(), folder.display()),
            help: None,
        });
    }
    match before.as_ref().map(|before| before.are_of(campaign, shard)) {
        Some(Err(unlike)) => Err(CommandError::Usage {
            message: format!("{} holds what another check has found: {unlike}", path.display()),
            help: Some("name another file, or remove this one".to_owned()),
        }),
        _ => Ok(before),
    }
}

/// What is left of `extent` after the earlier run.
pub(super) fn rest(extent: Extent, before: Option<&Findings>) -> Extent {
    let seconds = before.map_or(0.0, |before| before.seconds);
    match extent {
        Extent::Cases(_) => extent,
        Extent::Time(time) => {
            let spent = Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::MAX);
            Extent::Time(time.saturating_sub(spent))
        }
    }
}

/// Keeps what has been found.
struct Keeper<'a> {
    arguments: &'a CheckArguments,
    campaign: Campaign,
    /// What an earlier run has found.
    before: Option<Findings>,
    jobs: usize,
    begin: Instant,
    written: Instant,
}

impl Keeper<'_> {
    /// What has been found, the earlier run's part in it.
    fn findings(
        &self,
        result: &CheckResult,
        is_complete: bool,
        repro: Option<PathBuf>,
    ) -> Result<Findings, CommandError> {
        let seconds = self.begin.elapsed().as_secs_f64();
        let done = self.before.as_ref().map_or(0, |before| before.cases);
        let found = Findings {
            campaign: self.campaign.clone(),
            cases: result.cases,
            ops: result.ops,
            cycles: result.cycles,
            mismatches: u64::from(result.failure.is_some()),
            seconds,
            cycles_per_second: rate(result.cycles, seconds),
            jobs: self.jobs as u64,
            coverage: json!(result.tally),
            repro: repro.map(|path| path.display().to_string()),
            shards: vec![ShardProgress { shard: self.arguments.shard, cases: done + result.cases, is_complete }],
            steering: None,
        };
        let Some(mut all) = self.before.clone() else { return Ok(found) };
        match all.go_on(found) {
            Ok(()) => Ok(all),
            Err(unlike) => Err(CommandError::Usage {
                message: format!("cannot add to what the file of --results holds: {unlike}"),
                help: Some("name another file, or remove that one".to_owned()),
            }),
        }
    }

    /// Writes what has been found until now, unless that was done a moment ago.
    fn write_now_and_then(&mut self, progress: &Progress<'_>) -> Result<(), CommandError> {
        let Some(path) = &self.arguments.results else { return Ok(()) };
        if self.written.elapsed() < WRITTEN_EVERY {
            return Ok(());
        }
        self.written = Instant::now();
        // A failure is written when it has been shrunk and saved.
        if progress.result.failure.is_some() {
            return Ok(());
        }
        findings_file::write(path, &self.findings(progress.result, false, None)?)
    }
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

/// Where a failing case comes from, and where it is saved.
pub(super) struct Origin<'a> {
    pub verb: &'static str,
    pub engines: &'a EngineArguments,
    pub seed: u64,
    pub repro_dir: &'a PathBuf,
}

/// Shrinks, saves and reports a failure; gives the saved program's path. Whatever goes wrong on the way is told in the
/// report: what was found is worth more than its file, and the file more than its waves.
pub(super) fn save(origin: &Origin<'_>, roster: &Roster, case: u64, failing: &Failing) -> Option<PathBuf> {
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
    surroundings.saved_at
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

/// Prints what was found; the status that follows from it.
fn conclude(arguments: &CheckArguments, findings: &Findings) -> Status {
    if arguments.json {
        // What says which part of which check this is, where there are others.
        let is_part = arguments.results.is_some() || arguments.shard.count > 1;
        output::print_line(if is_part { json!(findings) } else { findings.figures() });
    } else {
        output::print_line(findings);
    }
    match (findings.mismatches, findings.unfinished_of(arguments.shard)) {
        (0, None) => Status::Well,
        (0, Some(_)) => Status::Interrupted,
        _ => Status::Failed,
    }
}
