//! `lsu mutate`: breaks the unit on purpose and reports what the check does not notice.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget};
use lsu_hdl::verilog::{Chosen, Fault, Mutant};
use lsu_model::preset::{Preset, WARP32};
use serde_json::json;

use crate::generate::DEFAULT_CASES;
use crate::mutate::equivalent::{self, Equivalent};
use crate::mutate::prove::{Gates, ProofError, prove};
use crate::mutate::{Breakable, FIRST_CASES, Fate, SweepOptions, WHOLE, later_cases, mutants, sweep};
use crate::random::Random;
use crate::roster::RosterError;
use crate::verilator::{Cache, Toolchain};
use crate::{interrupt, output};

use super::campaign_arguments::{positive, seed};
use super::engines::named_preset;
use super::{CommandError, Status, threads};

/// Stream number of the choice of a sample.
const SAMPLE_STREAM: u64 = 0x6d75_7461_7465;

/// Arguments of `lsu mutate`.
#[derive(Clone, Debug, clap::Args)]
pub struct MutateArguments {
    /// Sizes of the unit.
    #[arg(long, value_parser = named_preset, default_value = WARP32.name)]
    preset: Preset,
    /// Try so many mutants, chosen at random [default: all].
    #[arg(long, value_name = "N", value_parser = positive, allow_negative_numbers = true)]
    sample: Option<u64>,
    /// Seed of the sample and of the random programs.
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = seed, allow_negative_numbers = true)]
    seed: u64,
    /// Random programs that a mutant may survive: the first of those of `lsu check`.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_CASES, value_parser = positive, allow_negative_numbers = true)]
    cases: u64,
    /// Threads [default: one for each processor].
    #[arg(long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Use the Verilator in this folder.
    #[arg(long, value_name = "DIR")]
    verilator: Option<std::path::PathBuf>,
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// What is known of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// Not tried with all cases, because of a signal.
    Unknown,
    Killed,
    Survived,
    /// Proven or argued to be the unit as it is.
    Equivalent,
}

/// Tries the mutants.
///
/// # Errors
/// The tool chain cannot be used.
pub fn mutate(arguments: &MutateArguments) -> Result<Status, CommandError> {
    interrupt::listen();
    let begin = Instant::now();
    let toolchain = Cache::user()
        .and_then(|cache| Toolchain::find(arguments.verilator.as_deref(), cache))
        .map_err(RosterError::from)?;
    let argued = equivalent::list()
        .map_err(|error| CommandError::Usage { message: format!("equivalent.toml: {error}"), help: None })?;
    let all = mutants(&arguments.preset)?;
    let mutants = sample(&all, arguments);
    let verdicts = judge(&mutants, &argued, &toolchain, arguments)?;
    let of = |verdict: Verdict| {
        let chosen = mutants.iter().zip(&verdicts).filter(move |(_, found)| **found == verdict);
        chosen.map(|(mutant, _)| *mutant).collect::<Vec<_>>()
    };
    let (killed, survived, equivalent) = (of(Verdict::Killed), of(Verdict::Survived), of(Verdict::Equivalent));
    let unknown = of(Verdict::Unknown).len();
    if arguments.json {
        let document = json!({
            "mutants": mutants.len() - unknown,
            "killed": killed.len(),
            "survived": survived.iter().map(|mutant| {
                json!({"id": mutant.id, "module": mutant.module, "what": what(mutant, &[mutant.bit])})
            }).collect::<Vec<_>>(),
            "equivalent": equivalent.len(),
        });
        output::print_line(document);
    } else {
        output::print(&table(arguments.preset, &killed, &survived, &equivalent, &argued));
        output::print_line(format_args!(
            "{}: {} mutants, {} killed, {} equivalent, {} survived ({:.0} s)",
            arguments.preset.name,
            mutants.len() - unknown,
            killed.len(),
            equivalent.len(),
            survived.len(),
            begin.elapsed().as_secs_f64()
        ));
    }
    if unknown > 0 {
        output::message_line("interrupted before all mutants had been tried");
    }
    Ok(match (unknown, survived.is_empty()) {
        (0, true) => Status::Well,
        (0, false) => Status::Failed,
        _ => Status::Interrupted,
    })
}

/// The mutants to try, in the order of their numbers.
fn sample<'a>(all: &'a [Mutant], arguments: &MutateArguments) -> Vec<&'a Mutant> {
    let mut chosen: Vec<&Mutant> = all.iter().collect();
    if let Some(sample) = arguments.sample {
        let sample = usize::try_from(sample).unwrap_or(usize::MAX);
        let mut random = Random::new(arguments.seed, SAMPLE_STREAM);
        for place in 0..sample.min(chosen.len()) {
            let other = place + random.below((chosen.len() - place) as u64) as usize;
            chosen.swap(place, other);
        }
        chosen.truncate(sample);
        chosen.sort_unstable_by_key(|mutant| mutant.id);
    }
    chosen
}

/// What is found out about each mutant, as far as it came before a signal.
fn judge(
    mutants: &[&Mutant],
    argued: &[Equivalent],
    toolchain: &Toolchain,
    arguments: &MutateArguments,
) -> Result<Vec<Verdict>, CommandError> {
    let mut verdicts = vec![Verdict::Unknown; mutants.len()];
    match judge_all(mutants, argued, toolchain, arguments, &mut verdicts) {
        // The signal ends yosys and compilers too.
        Err(error) if !interrupt::is_requested() => Err(error),
        _ => Ok(verdicts),
    }
}

/// A few cases for each mutant; proofs and reasons for those that are left; then all cases for those that are left of them.
fn judge_all(
    mutants: &[&Mutant],
    argued: &[Equivalent],
    toolchain: &Toolchain,
    arguments: &MutateArguments,
    verdicts: &mut [Verdict],
) -> Result<(), CommandError> {
    let first = FIRST_CASES.min(arguments.cases);
    let mut left: Vec<usize> = (0..mutants.len()).collect();
    let unit = Breakable::build(arguments.preset, Chosen::Only(&ids(mutants, &left)), toolchain)?;
    is_whole_without_mutant(&unit, first, arguments)?;
    try_some(&unit, mutants, (0, first), &mut left, verdicts, arguments)?;
    if interrupt::is_requested() {
        return Ok(());
    }
    output::message_line(format_args!("{} mutants are left after {first} cases", left.len()));
    if left.is_empty() {
        return Ok(());
    }
    prove_some(mutants, &mut left, verdicts, arguments)?;
    for place in &left {
        if argued.iter().any(|entry| entry.holds(&arguments.preset, mutants[*place])) {
            verdicts[*place] = Verdict::Equivalent;
        }
    }
    left.retain(|place| verdicts[*place] != Verdict::Equivalent);
    output::message_line(format_args!("{} are left after proofs and reasons", left.len()));
    if left.is_empty() || interrupt::is_requested() {
        return Ok(());
    }
    if first < arguments.cases {
        // A model of these alone is several times as fast.
        let unit = Breakable::build(arguments.preset, Chosen::Only(&ids(mutants, &left)), toolchain)?;
        for cases in later_cases(first, arguments.cases) {
            try_some(&unit, mutants, cases, &mut left, verdicts, arguments)?;
        }
    }
    // A signal leaves some untried.
    if !interrupt::is_requested() {
        left.into_iter().for_each(|place| verdicts[place] = Verdict::Survived);
    }
    Ok(())
}

/// The unit in which every mutant can be chosen and none is must pass: what follows says nothing otherwise.
fn is_whole_without_mutant(unit: &Breakable, cases: u64, arguments: &MutateArguments) -> Result<(), CommandError> {
    let options = SweepOptions { seed: arguments.seed, cases: (0, cases), jobs: 1, stop: interrupt::flag() };
    match sweep(unit, &[WHOLE], &options, |_| {})?.first() {
        Some(Some(Fate::Killed { case, cycle })) => {
            let message = format!("without a mutant the unit fails in cycle {cycle} of case {case}");
            Err(CommandError::Usage { message, help: Some("`lsu check` says what is wrong".to_owned()) })
        }
        _ => Ok(()),
    }
}

/// The numbers of the mutants at the places `left`.
fn ids<T: FromIterator<u32>>(mutants: &[&Mutant], left: &[usize]) -> T {
    left.iter().map(|place| mutants[*place].id).collect()
}

/// Runs the cases from the first of `cases` to the one before the second with the mutants at the places `left`, and keeps those
/// that survive.
fn try_some(
    unit: &Breakable,
    mutants: &[&Mutant],
    cases: (u64, u64),
    left: &mut Vec<usize>,
    verdicts: &mut [Verdict],
    arguments: &MutateArguments,
) -> Result<(), CommandError> {
    let options = SweepOptions { seed: arguments.seed, cases, jobs: threads(arguments.jobs), stop: interrupt::flag() };
    let bar = bar(left.len(), &format!("mutants, cases {} to {}", cases.0, cases.1));
    let fates = sweep(unit, &ids::<Vec<u32>>(mutants, left), &options, |done| bar.set_position(done as u64))?;
    bar.finish_and_clear();
    for (place, fate) in left.iter().zip(&fates) {
        verdicts[*place] = match fate {
            Some(Fate::Killed { .. }) => Verdict::Killed,
            Some(Fate::Survived) | None => Verdict::Unknown,
        };
    }
    let mut fates = fates.into_iter();
    left.retain(|_| fates.next() == Some(Some(Fate::Survived)));
    Ok(())
}

/// Proves what can be proven of the mutants at the places `left`, and keeps the others.
fn prove_some(
    mutants: &[&Mutant],
    left: &mut Vec<usize>,
    verdicts: &mut [Verdict],
    arguments: &MutateArguments,
) -> Result<(), CommandError> {
    let refused = |error: ProofError| CommandError::Usage { message: error.to_string(), help: None };
    let gates = match Gates::of(&arguments.preset, &ids(mutants, left)) {
        Err(ProofError::Missing(error)) => {
            output::message_line(format_args!("no proofs of equivalence: yosys does not start ({error})"));
            return Ok(());
        }
        gates => gates.map_err(refused)?,
    };
    let tried: Vec<u32> = ids(mutants, left);
    let bar = bar(tried.len(), "proofs");
    let proven =
        prove(&gates, &tried, threads(arguments.jobs), |done| bar.set_position(done as u64)).map_err(refused)?;
    bar.finish_and_clear();
    left.retain(|place| {
        let is_proven = proven.contains(&mutants[*place].id);
        if is_proven {
            verdicts[*place] = Verdict::Equivalent;
        }
        !is_proven
    });
    Ok(())
}

fn bar(length: usize, what: &str) -> ProgressBar {
    // Drawn on a terminal only.
    ProgressBar::with_draw_target(Some(length as u64), ProgressDrawTarget::stderr()).with_message(what.to_owned())
}

/// The fault, its bits and its place in words.
fn what(mutant: &Mutant, bits: &[u32]) -> String {
    let bits: Vec<String> = bits.iter().map(u32::to_string).collect();
    format!("{} {}: {}", mutant.fault.name(), bits.join(","), mutant.place)
}

/// Survivors and argued equivalents with their bits, then a count for each fault.
fn table(
    preset: Preset,
    killed: &[&Mutant],
    survived: &[&Mutant],
    equivalent: &[&Mutant],
    argued: &[Equivalent],
) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    for (module, what) in grouped(survived) {
        let _ = writeln!(text, "survived in {module}: {what}");
    }
    for entry in argued {
        let held: Vec<&Mutant> = equivalent.iter().copied().filter(|mutant| entry.holds(&preset, mutant)).collect();
        for (module, what) in grouped(&held) {
            let _ = writeln!(text, "equivalent in {module}: {what} ({})", entry.reason);
        }
    }
    let _ = writeln!(
        text,
        "{:8} {:>8} {:>8} {:>8} {:>10} {:>8}",
        preset.name, "places", "mutants", "killed", "equivalent", "survived"
    );
    for fault in Fault::ALL {
        let count = |list: &[&Mutant]| list.iter().filter(|mutant| mutant.fault == fault).count();
        let (killed_count, survived_count, equivalent_count) = (count(killed), count(survived), count(equivalent));
        let places: std::collections::BTreeSet<(&str, &str)> = [killed, survived, equivalent]
            .concat()
            .iter()
            .filter(|mutant| mutant.fault == fault)
            .map(|mutant| (mutant.module.as_str(), mutant.place.as_str()))
            .collect();
        let _ = writeln!(
            text,
            "{:8} {:>8} {:>8} {killed_count:>8} {equivalent_count:>10} {survived_count:>8}",
            fault.name(),
            places.len(),
            killed_count + survived_count + equivalent_count
        );
    }
    text
}

/// Module and words of each place, its bits together.
fn grouped<'a>(mutants: &[&'a Mutant]) -> Vec<(&'a str, String)> {
    let mut rows: BTreeMap<(&str, Fault, &str), Vec<&Mutant>> = BTreeMap::new();
    for mutant in mutants {
        rows.entry((&mutant.module, mutant.fault, &mutant.place)).or_default().push(mutant);
    }
    rows.into_iter()
        .map(|((module, ..), list)| {
            let bits: Vec<u32> = list.iter().map(|mutant| mutant.bit).collect();
            (module, what(list[0], &bits))
        })
        .collect()
}
