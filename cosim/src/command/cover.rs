//! `lsu cover`: what programs exercise of the unit, and what is missing.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget};
use lsu_model::preset::{Preset, WARP32};
use serde_json::json;

use crate::check::Extent;
use crate::cover::{CoverOptions, Coverage, Measure, Plan, Rtl, RtlHits, cover as run};
use crate::engine::{EngineKind, EngineSource};
use crate::roster::Roster;
use crate::{interrupt, output};

use super::check::{Origin, positive, save, seed};
use super::{CommandError, EngineArguments, Status, threads};

/// How many missing bins are named where not all are asked for.
const SHOWN: usize = 40;

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
    /// Run programs for this long instead.
    #[arg(long, value_name = "S", value_parser = positive, allow_negative_numbers = true)]
    seconds: Option<u64>,
    /// Threads [default: one for each processor].
    #[arg(long, value_name = "J", allow_negative_numbers = true,
        value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Seed of the programs.
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = seed, allow_negative_numbers = true)]
    seed: u64,
    /// Count lines and branches of the Verilog, too, in a build of its own.
    #[arg(long, conflicts_with_all = ["dut", "engine"])]
    rtl: bool,
    /// Where to save a failing program.
    #[arg(long, value_name = "DIR", default_value = "lsu-repro")]
    repro_dir: PathBuf,
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

/// The bins of a family.
#[derive(Clone, Copy, Debug, Default)]
struct Family {
    bins: u64,
    reachable: u64,
    filled: u64,
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
    let extent = match arguments.seconds {
        Some(seconds) => Extent::Time(Duration::from_secs(seconds)),
        None => Extent::Cases(arguments.cases.unwrap_or(DEFAULT_CASES)),
    };
    interrupt::listen();
    let begin = Instant::now();
    let engines = Engines::prepare(arguments, preset)?;
    let plan = Plan::new(&preset);
    let options = CoverOptions { seed: arguments.seed, extent, jobs: threads(arguments.jobs), stop: interrupt::flag() };
    let reachable = (0..plan.len()).filter(|bin| plan.unreachable(*bin).is_none()).count() as u64;
    // Drawn on a terminal only.
    let bar = ProgressBar::with_draw_target(Some(reachable), ProgressDrawTarget::stderr());
    let result = run(&plan, engines.source(), &options, |coverage| {
        bar.set_position(coverage.tally.iter().filter(|hits| **hits > 0).count() as u64);
    });
    bar.finish_and_clear();
    let coverage = result?;
    let rtl = engines.rtl_hits()?;
    let saved = match &coverage.failure {
        Some((case, failing)) => {
            let CoverArguments { engines: named, seed, repro_dir, .. } = arguments;
            let origin = Origin { verb: "cover", engines: named, seed: *seed, repro_dir };
            save(&origin, &engines.roster(arguments, preset)?, *case, failing)
        }
        None => None,
    };
    if coverage.is_interrupted {
        output::message_line("interrupted before all cases had run");
    }
    if arguments.json {
        output::print_line(document(&plan, &coverage, rtl.as_ref(), saved.as_ref()));
    } else {
        output::print(&text(&plan, &coverage, rtl.as_ref()));
        output::print_line(format_args!(
            "{}: {} cases, {} operations, {} cycles, {} mismatches ({:.1} s, {} jobs)",
            preset.name,
            coverage.cases,
            coverage.ops,
            coverage.cycles,
            u8::from(coverage.failure.is_some()),
            begin.elapsed().as_secs_f64(),
            options.jobs,
        ));
    }
    let is_plan_wrong = plan.contradicting(&coverage.tally).next().is_some();
    Ok(match (coverage.failure.is_some() || is_plan_wrong, coverage.is_interrupted) {
        (true, _) => Status::Failed,
        (false, true) => Status::Interrupted,
        (false, false) => Status::Well,
    })
}

/// The families in the order of the plan, and what all bins come to.
fn families(plan: &Plan, coverage: &Coverage) -> (Vec<(&'static str, Family)>, Family) {
    let mut families: Vec<(&'static str, Family)> = Vec::new();
    let mut all = Family::default();
    for bin in 0..plan.len() {
        let name = plan.family(bin);
        if families.last().is_none_or(|(last, _)| *last != name) {
            families.push((name, Family::default()));
        }
        let Some((_, family)) = families.last_mut() else { continue };
        let is_reachable = plan.unreachable(bin).is_none();
        for sum in [family, &mut all] {
            sum.bins += 1;
            sum.reachable += u64::from(is_reachable);
            sum.filled += u64::from(is_reachable && coverage.tally[bin] > 0);
        }
    }
    (families, all)
}

fn text(plan: &Plan, coverage: &Coverage, rtl: Option<&RtlHits>) -> String {
    let row = |name: &str, Family { bins, reachable, filled }: Family| {
        let percent = if reachable == 0 { 100.0 } else { 100.0 * filled as f64 / reachable as f64 };
        format!("{name:<16}{bins:>8}{reachable:>11}{filled:>9}{percent:>8.1} %\n")
    };
    let (families, all) = families(plan, coverage);
    let mut text = format!("{:<16}{:>8}{:>11}{:>9}\n", "family", "bins", "reachable", "filled");
    families.into_iter().for_each(|(name, family)| text.push_str(&row(name, family)));
    text.push_str(&row("all", all));
    for measure in rtl.into_iter().flat_map(|_| Measure::ALL) {
        text.push_str(&row(measure.name(), measured(rtl, measure)));
    }
    let mut list = |title: &str, names: Vec<String>| {
        if names.is_empty() {
            return;
        }
        text.push_str(&format!("\n{title}:\n"));
        names.iter().take(SHOWN).for_each(|name| text.push_str(&format!("  {name}\n")));
        if names.len() > SHOWN {
            text.push_str(&format!("  and {} others: --json names them all\n", names.len() - SHOWN));
        }
    };
    list("missing", plan.missing(&coverage.tally).map(|bin| plan.name(bin)).collect());
    list("filled against what the plan says", plan.contradicting(&coverage.tally).map(|bin| plan.name(bin)).collect());
    list("missing of the Verilog", rtl.map(missed).unwrap_or_default());
    text.push('\n');
    text
}

/// What came of the points of a sort; every point can be met, as far as anybody knows.
fn measured(rtl: Option<&RtlHits>, measure: Measure) -> Family {
    let mut family = Family::default();
    for (_, hits) in rtl.into_iter().flatten().filter(|(point, _)| point.measure == measure) {
        family.bins += 1;
        family.reachable += 1;
        family.filled += u64::from(*hits > 0);
    }
    family
}

/// Points that were not met, lines and branches first.
fn missed(rtl: &RtlHits) -> Vec<String> {
    rtl.iter().filter(|(_, hits)| **hits == 0).map(|(point, _)| point.to_string()).collect()
}

fn document(plan: &Plan, coverage: &Coverage, rtl: Option<&RtlHits>, saved: Option<&PathBuf>) -> serde_json::Value {
    let (families, all) = families(plan, coverage);
    let counts =
        |Family { bins, reachable, filled }: Family| json!({"bins": bins, "reachable": reachable, "filled": filled});
    let names = |bins: Vec<usize>| bins.into_iter().map(|bin| plan.name(bin)).collect::<Vec<_>>();
    let mut reasons: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for bin in 0..plan.len() {
        if let Some(reason) = plan.unreachable(bin) {
            reasons.entry(reason).or_default().push(plan.name(bin));
        }
    }
    json!({
        "preset": plan.preset.name,
        "cases": coverage.cases,
        "ops": coverage.ops,
        "cycles": coverage.cycles,
        "mismatches": u8::from(coverage.failure.is_some()),
        "repro": saved.map(|path| path.display().to_string()),
        "all": counts(all),
        "families": families.into_iter().map(|(name, family)| (name.to_owned(), counts(family)))
            .collect::<serde_json::Map<_, _>>(),
        "missing": names(plan.missing(&coverage.tally).collect()),
        "against_the_plan": names(plan.contradicting(&coverage.tally).collect()),
        "unreachable": reasons,
        "rtl": rtl.map(|hits| json!({
            "measures": Measure::ALL.map(|measure| (measure.name().to_owned(), counts(measured(rtl, measure))))
                .into_iter().collect::<serde_json::Map<_, _>>(),
            "missing": missed(hits),
        })),
    })
}
