//! `lsu cover`: what programs exercise of the unit, and what is missing.

use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget};
use lsu_model::preset::{Preset, WARP32};

use crate::campaign::{Campaign, Findings, ShardProgress, Verb, rate};
use crate::cover::{CoverOptions, Coverage, Earlier, Hits, Plan, Rtl, RtlHits, Steering, cover as run};
use crate::engine::{EngineKind, EngineSource};
use crate::roster::Roster;
use crate::{interrupt, output};

use super::campaign_arguments::{CampaignArguments, WRITTEN_EVERY, positive, rest};
use super::coverage_report::{self, CoverageReport};
use super::failing_case::{Origin, save};
use super::{CommandError, EngineArguments, Status, findings_file, threads};

/// Programs of a run of which nobody says how long.
const DEFAULT_CASES: u64 = 2_000;

/// Arguments of `lsu cover`.
#[derive(Clone, Debug, clap::Args)]
pub struct CoverArguments {
    #[command(flatten)]
    engines: EngineArguments,
    /// How many programs to run [default: 2000].
    #[arg(long, value_name = "N", conflicts_with = "seconds", value_parser = positive, allow_negative_numbers = true)]
    cases: Option<u64>,
    /// Count lines, branches and toggles of the Verilog, too, in a build of its own.
    #[arg(long, conflicts_with_all = ["dut", "engine"])]
    rtl: bool,
    #[command(flatten)]
    run: CampaignArguments,
    /// Print one JSON document, which names every bin that is missing or cannot be filled.
    #[arg(long)]
    json: bool,
}

/// The engines of a run.
enum Engines {
    Plain(Roster),
    /// Those that count what they reach of the Verilog.
    Counting(Rtl),
}

impl Engines {
    fn prepare(arguments: &CoverArguments, preset: Preset) -> Result<Self, CommandError> {
        Ok(match arguments.rtl {
            true => Self::Counting(Rtl::prepare(&preset, arguments.engines.verilator.as_deref())?),
            false => Self::Plain(Roster::prepare(&arguments.engines.roster_options(preset)?)?),
        })
    }

    fn source(&self) -> &dyn EngineSource {
        match self {
            Self::Plain(roster) => roster,
            Self::Counting(rtl) => rtl,
        }
    }

    /// The roster for a failure: with waves, and without counting.
    fn roster(self, arguments: &CoverArguments, preset: Preset) -> Result<Roster, CommandError> {
        match self {
            Self::Plain(roster) => Ok(roster),
            Self::Counting(_) => Ok(Roster::prepare(&arguments.engines.roster_options(preset)?)?),
        }
    }

    fn rtl_hits(&self) -> Result<Option<RtlHits>, CommandError> {
        match self {
            Self::Plain(_) => Ok(None),
            Self::Counting(rtl) => Ok(Some(rtl.hits()?)),
        }
    }
}

/// Runs programs and reports the bins that they fill.
///
/// # Errors
/// The tool chain cannot be used, or the golden model takes no part.
pub fn cover(arguments: &CoverArguments) -> Result<Status, CommandError> {
    if !arguments.engines.engine.contains(&EngineKind::Model) {
        return Err(CommandError::Usage {
            message: "the golden model says which rules act, and takes no part".to_owned(),
            help: Some("add model to --engine".to_owned()),
        });
    }
    let preset = arguments.engines.preset.unwrap_or(WARP32);
    let extent = arguments.run.extent(arguments.cases.unwrap_or(DEFAULT_CASES));
    let verb = if arguments.rtl { Verb::CoverRtl } else { Verb::Cover };
    let campaign = arguments.run.campaign(verb, &arguments.engines, extent)?;
    let before = arguments.run.earlier(&campaign)?;
    if let (Some(before), Some(path)) = (&before, &arguments.run.results)
        && (before.mismatches > 0 || before.unfinished_of(arguments.run.shard).is_none())
    {
        return conclude(arguments, before).map_err(|reason| findings_file::unusable(path, &reason));
    }
    interrupt::listen();
    let plan = Plan::new(&preset);
    let mut keeper = Keeper::new(arguments, campaign, before, &plan)?;
    let engines = Engines::prepare(arguments, preset)?;
    let options = CoverOptions {
        seed: arguments.run.seed,
        extent: rest(extent, keeper.before.as_ref()),
        jobs: threads(arguments.run.jobs),
        shard: arguments.run.shard,
        stop: interrupt::flag(),
    };
    let reachable = (0..plan.len()).filter(|bin| plan.unreachable(*bin).is_none()).count() as u64;
    // Drawn on a terminal only.
    let bar = ProgressBar::with_draw_target(Some(reachable), ProgressDrawTarget::stderr());
    let mut broken = None;
    let result = run(&plan, engines.source(), &options, keeper.earlier(), |coverage, steering| {
        bar.set_position(coverage.tally.iter().filter(|hits| **hits > 0).count() as u64);
        if let Err(error) = keeper.round(coverage, steering, &engines) {
            broken.get_or_insert(error);
        }
    });
    bar.finish_and_clear();
    let coverage = result?;
    let saved = match &coverage.failure {
        Some((case, failing)) => {
            let CoverArguments { engines: named, run, .. } = arguments;
            let origin = Origin { verb: "cover", engines: named, seed: run.seed, repro_dir: &run.repro_dir };
            Some(save(&origin, &engines.roster(arguments, preset)?, *case, failing))
        }
        None => None,
    };
    if let Some(error) = broken {
        return Err(error);
    }
    if coverage.is_interrupted {
        output::message_line("interrupted before all cases had run");
    }
    let mut findings = keeper.findings(&coverage, !coverage.is_interrupted);
    if let Some(saved) = saved {
        saved.note_in(&mut findings);
    }
    let status = conclude(arguments, &findings).map_err(|message| CommandError::Usage { message, help: None })?;
    findings_file::keep(arguments.run.results.as_deref(), &findings, status)
}

/// Prints what was filled; the status that follows from it.
///
/// # Errors
/// The findings are of bins that there are not, which are named.
fn conclude(arguments: &CoverArguments, findings: &Findings) -> Result<Status, String> {
    let report = CoverageReport::read(findings)?;
    report.print(arguments.json);
    let has_failed = findings.mismatches > 0 || report.contradicts_plan();
    Ok(match (has_failed, findings.unfinished_of(arguments.run.shard)) {
        (true, _) => Status::Failed,
        (false, Some(_)) => Status::Interrupted,
        (false, None) => Status::Well,
    })
}

/// Keeps what has been filled.
struct Keeper<'a> {
    arguments: &'a CoverArguments,
    plan: &'a Plan,
    campaign: Campaign,
    /// What an earlier run has filled, and what it has met of the Verilog.
    before: Option<Findings>,
    hits: Hits,
    rtl_before: Option<RtlHits>,
    /// As of the last whole round.
    rtl: Option<RtlHits>,
    steering: Steering,
    begin: Instant,
    written: Instant,
}

impl<'a> Keeper<'a> {
    fn new(
        arguments: &'a CoverArguments,
        campaign: Campaign,
        before: Option<Findings>,
        plan: &'a Plan,
    ) -> Result<Self, CommandError> {
        let (mut hits, mut rtl_before) = (Hits::new(), None);
        if let (Some(before), Some(path)) = (&before, &arguments.run.results) {
            let report = CoverageReport::read(before).map_err(|reason| findings_file::unusable(path, &reason))?;
            (hits, rtl_before) = (report.hits, report.rtl);
        }
        let steering = before.as_ref().and_then(|before| before.steering.clone()).unwrap_or_default();
        let rtl = rtl_before.clone();
        let begin = Instant::now();
        Ok(Self { arguments, plan, campaign, before, hits, rtl_before, rtl, steering, begin, written: begin })
    }

    fn earlier(&self) -> Earlier {
        let cases = self.before.as_ref().map_or(0, |before| before.cases);
        Earlier { cases, hits: self.hits.clone(), steering: self.steering.clone() }
    }

    /// Takes note of a whole round, and writes what has been filled until now, unless that was done a moment ago.
    fn round(&mut self, coverage: &Coverage, steering: &Steering, engines: &Engines) -> Result<(), CommandError> {
        self.steering = steering.clone();
        if let Some(hits) = engines.rtl_hits()? {
            let mut sum = self.rtl_before.clone().unwrap_or_default();
            sum.add(&hits);
            self.rtl = Some(sum);
        }
        match &self.arguments.run.results {
            Some(path) if self.written.elapsed() >= WRITTEN_EVERY => {
                self.written = Instant::now();
                findings_file::write(path, &self.findings(coverage, false))
            }
            _ => Ok(()),
        }
    }

    /// What has been filled, the earlier run's part in it.
    fn findings(&self, coverage: &Coverage, is_complete: bool) -> Findings {
        let before = |figure: fn(&Findings) -> u64| self.before.as_ref().map_or(0, figure);
        let cases = before(|before| before.cases) + coverage.cases;
        let cycles = before(|before| before.cycles) + coverage.cycles;
        let seconds = self.before.as_ref().map_or(0.0, |before| before.seconds) + self.begin.elapsed().as_secs_f64();
        Findings {
            campaign: self.campaign.clone(),
            cases,
            ops: before(|before| before.ops) + coverage.ops,
            cycles,
            mismatches: u64::from(coverage.failure.is_some()),
            seconds,
            cycles_per_second: rate(cycles, seconds),
            jobs: threads(self.arguments.run.jobs) as u64,
            coverage: coverage_report::counts(self.plan, &coverage.tally, self.rtl.as_ref()),
            repro: None,
            failure: None,
            shards: vec![ShardProgress { shard: self.arguments.run.shard, cases, is_complete }],
            steering: Some(self.steering.clone()),
        }
    }
}
