//! `lsu check`: the main job.

use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lsu_model::preset::WARP32;
use serde_json::json;

use crate::campaign::{Campaign, Findings, ShardProgress, Verb, rate};
use crate::check::{self, CheckOptions, CheckResult, Extent, Progress};
use crate::generate::DEFAULT_CASES;
use crate::roster::Roster;
use crate::{interrupt, output};

use super::campaign_arguments::{CampaignArguments, WRITTEN_EVERY, positive, rest};
use super::failing_case::{Origin, save};
use super::{CommandError, EngineArguments, Status, findings_file, threads};

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
    #[command(flatten)]
    run: CampaignArguments,
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// Checks random programs on the engines.
///
/// # Errors
/// The tool chain cannot be used, or there is nothing to check.
pub fn check(arguments: &CheckArguments) -> Result<Status, CommandError> {
    let CheckArguments { engines, cases, run, .. } = arguments;
    let preset = engines.preset.unwrap_or(WARP32);
    let extent = run.extent(cases.unwrap_or(DEFAULT_CASES));
    let campaign = run.campaign(Verb::Check, engines, extent)?;
    let before = run.earlier(&campaign)?;
    if let Some(before) =
        before.as_ref().filter(|before| before.mismatches > 0 || before.unfinished_of(run.shard).is_none())
    {
        return Ok(conclude(arguments, before));
    }
    interrupt::listen();
    let roster = Roster::prepare(&engines.roster_options(preset)?)?;
    let mut keeper =
        Keeper { arguments, campaign, before, jobs: threads(run.jobs), begin: Instant::now(), written: Instant::now() };
    let options = CheckOptions {
        seed: run.seed,
        extent: rest(extent, keeper.before.as_ref()),
        jobs: keeper.jobs,
        shard: run.shard,
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
    let origin = Origin { verb: "check", engines, seed: run.seed, repro_dir: &run.repro_dir };
    let saved = result.failure.as_ref().map(|(case, failing)| save(&origin, &roster, *case, failing));
    let mut findings = keeper.findings(&result, !result.is_interrupted)?;
    if let Some(saved) = saved {
        saved.note_in(&mut findings);
    }
    if result.is_interrupted {
        output::message_line("interrupted before all cases had run");
    }
    let status = conclude(arguments, &findings);
    findings_file::keep(run.results.as_deref(), &findings, status)
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
    fn findings(&self, result: &CheckResult, is_complete: bool) -> Result<Findings, CommandError> {
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
            repro: None,
            failure: None,
            shards: vec![ShardProgress { shard: self.arguments.run.shard, cases: done + result.cases, is_complete }],
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
        let Some(path) = &self.arguments.run.results else { return Ok(()) };
        if self.written.elapsed() < WRITTEN_EVERY {
            return Ok(());
        }
        self.written = Instant::now();
        // A failure is written when it has been shrunk and saved.
        if progress.result.failure.is_some() {
            return Ok(());
        }
        findings_file::write(path, &self.findings(progress.result, false)?)
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

/// Prints what was found; the status that follows from it.
fn conclude(arguments: &CheckArguments, findings: &Findings) -> Status {
    if arguments.json {
        // What says which part of which check this is, where there are others.
        let is_part = arguments.run.results.is_some() || arguments.run.shard.count > 1;
        output::print_line(if is_part { json!(findings) } else { findings.figures() });
    } else {
        output::print_line(findings);
    }
    match (findings.mismatches, findings.unfinished_of(arguments.run.shard)) {
        (0, None) => Status::Well,
        (0, Some(_)) => Status::Interrupted,
        _ => Status::Failed,
    }
}
