//! `lsu mutate`: breaks the unit on purpose and reports what the check does not notice.

use std::collections::BTreeMap;

use indicatif::{ProgressBar, ProgressDrawTarget};
use lsu_hdl::verilog::{Fault, Mutant};
use lsu_model::preset::{Preset, WARP32};
use serde_json::json;

use crate::mutate::{Breakable, Fate, SweepOptions, sweep};
use crate::random::Random;
use crate::verilator::{Cache, Toolchain};

use super::check::DEFAULT_CASES;
use super::engines::named_preset;
use super::{CommandError, Status, stop_on_interrupt};

/// Stream number of the choice of a sample.
const SAMPLE_STREAM: u64 = 0x6d75_7461_7465;

/// Arguments of `lsu mutate`.
#[derive(Clone, Debug, clap::Args)]
pub struct MutateArguments {
    /// Sizes of the unit.
    #[arg(long, value_parser = named_preset, default_value = WARP32.name)]
    preset: Preset,
    /// Try so many mutants, chosen at random [default: all].
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// Seed of the sample and of the random programs.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Random programs that a mutant may survive: those of `check`.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_CASES)]
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

/// Tries the mutants.
///
/// # Errors
/// The tool chain cannot be used.
pub fn mutate(arguments: &MutateArguments) -> Result<Status, CommandError> {
    let stop = stop_on_interrupt();
    let toolchain =
        Toolchain::find(arguments.verilator.as_deref(), Cache::user().map_err(crate::roster::RosterError::from)?)
            .map_err(crate::roster::RosterError::from)?;
    let unit = Breakable::build(arguments.preset, &toolchain)?;
    let mut ids: Vec<u32> = unit.mutants().iter().map(|mutant| mutant.id).collect();
    if let Some(sample) = arguments.sample {
        let mut random = Random::new(arguments.seed, SAMPLE_STREAM);
        for place in 0..sample.min(ids.len()) {
            let other = place + random.below((ids.len() - place) as u64) as usize;
            ids.swap(place, other);
        }
        ids.truncate(sample);
        ids.sort_unstable();
    }
    let jobs = arguments.jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    let bar = ProgressBar::with_draw_target(Some(ids.len() as u64), ProgressDrawTarget::stderr());
    let options = SweepOptions { seed: arguments.seed, cases: arguments.cases, jobs, stop };
    let begin = std::time::Instant::now();
    let fates = sweep(&unit, &ids, &options, |done| bar.set_position(done as u64))?;
    bar.finish_and_clear();
    let of = |id: u32| &unit.mutants()[id as usize - 1];
    let survived: Vec<&Mutant> =
        ids.iter().zip(&fates).filter(|(_, fate)| **fate == Some(Fate::Survived)).map(|(id, _)| of(*id)).collect();
    let killed = fates.iter().filter(|fate| matches!(fate, Some(Fate::Killed { .. }))).count();
    if arguments.json {
        let list: Vec<_> = survived
            .iter()
            .map(|mutant| json!({"id": mutant.id, "module": mutant.module, "what": format!("{} bit {} {}", mutant.fault.name(), mutant.bit, mutant.place)}))
            .collect();
        println!("{}", json!({"mutants": ids.len(), "killed": killed, "survived": list, "equivalent": 0}));
    } else {
        let mut rows: BTreeMap<(&str, Fault, &str), Vec<u32>> = BTreeMap::new();
        for mutant in &survived {
            rows.entry((&mutant.module, mutant.fault, &mutant.place)).or_default().push(mutant.bit);
        }
        for ((module, fault, place), bits) in rows {
            println!("{module}\t{}\t{bits:?}\t{place}", fault.name());
        }
        for fault in Fault::ALL {
            let all = ids.iter().filter(|id| of(**id).fault == fault).count();
            let left = survived.iter().filter(|mutant| mutant.fault == fault).count();
            println!("{}: {all} mutants, {left} survived", fault.name());
        }
        println!(
            "{} mutants, {killed} killed, {} survived, {:.0} s",
            ids.len(),
            survived.len(),
            begin.elapsed().as_secs_f64()
        );
    }
    Ok(if survived.is_empty() { Status::Well } else { Status::Failed })
}
