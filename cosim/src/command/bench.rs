//! `lsu bench`: speed, measured here and now.

use std::time::Instant;

use lsu_model::pins::Inputs;
use lsu_model::preset::{Preset, WARP32};
use serde_json::json;

use crate::check::{self, CheckOptions, Extent, Shard};
use crate::engine::{Engine, EngineError, EngineKind, PinWords};
use crate::lockstep::{self, Observer};
use crate::program::Program;
use crate::roster::{self, Roster, RosterOptions};
use crate::verilator::Library;
use crate::{generate, interrupt, output};

use super::engines::named_preset;
use super::{CommandError, Status};

/// Cycles of stimulus that the bare loop replays: enough to be measured, few enough to stay in memory.
const STIMULUS_CYCLES: u64 = 100_000;

/// Measurements of each figure; the best counts, since other work on the machine only ever slows one down.
const ROUNDS: usize = 3;

/// Cases of a run whose jobs are compared, in multiples of the others: the start of a worker must not count.
const JOB_LENGTH: u64 = 4;

/// Seed of the cases.
const SEED: u64 = 1;

/// Programs that rust_hdl's simulation checks, and their operations: 32 lanes run a few dozen cycles a second there.
const SLOW_PROGRAMS: usize = 3;
const SLOW_OPERATIONS: usize = 6;

/// Arguments of `lsu bench`.
#[derive(Clone, Debug, clap::Args)]
pub struct BenchArguments {
    /// Sizes of the unit.
    #[arg(long, value_parser = named_preset, default_value = WARP32.name)]
    preset: Preset,
    /// Use the Verilator in this folder.
    #[arg(long, value_name = "DIR")]
    verilator: Option<std::path::PathBuf>,
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// Keeps the input words of every cycle, of each unit apart: what one sees means nothing to another.
struct Stimulus {
    words: PinWords,
    recorded: Vec<Recorded>,
}

/// What one unit has seen.
#[derive(Default)]
struct Recorded {
    words: Vec<u32>,
    cycles: u64,
}

impl Stimulus {
    /// Of all units together.
    fn cycles(&self) -> u64 {
        self.recorded.iter().map(|recorded| recorded.cycles).sum()
    }

    /// Cycles per second of a C++ loop that plays it to instances of `library`, their making included.
    fn rate(&self, library: &Library) -> Result<f64, EngineError> {
        let begin = Instant::now();
        for recorded in &self.recorded {
            library.instantiate()?.bare(&recorded.words, recorded.cycles)?;
        }
        Ok(self.cycles() as f64 / begin.elapsed().as_secs_f64())
    }
}

impl Observer for Stimulus {
    fn before(&mut self, _cycle: u64, sm: u32, inputs: &Inputs, _engines: &mut [Box<dyn Engine>]) {
        self.words.drive(inputs);
        let unit = sm as usize;
        if unit == self.recorded.len() {
            self.recorded.push(Recorded::default());
        }
        self.recorded[unit].words.extend_from_slice(self.words.input_words());
        self.recorded[unit].cycles += 1;
    }
}

/// Measures checked cycles per second; those of a bare C++ loop on the model as Verilator makes it, and the ratio; those of the check's own
/// model, which is faster, in the same loop; what a second job brings, and how much longer the same check takes with
/// rust_hdl's simulation in the place of the Verilog.
///
/// # Errors
/// The tool chain cannot be used, or a signal came before the end.
pub fn bench(arguments: &BenchArguments) -> Result<Status, CommandError> {
    let preset = arguments.preset;
    interrupt::listen();
    let roster = Roster::prepare(&RosterOptions {
        preset,
        kinds: vec![EngineKind::Model, EngineKind::Verilator],
        dut: None,
        verilator: arguments.verilator.clone(),
    })?;
    let Some(library) = roster.library() else {
        return Err(CommandError::Usage { message: "the bench needs Verilator".to_owned(), help: None });
    };
    let plain = roster::plain_library(&preset, arguments.verilator.as_deref())?;
    let words = PinWords::new(&preset, library.layout()).map_err(EngineError::from)?;
    let mut stimulus = Stimulus { words, recorded: Vec::new() };
    let mut programs = Vec::new();
    while stimulus.cycles() < STIMULUS_CYCLES {
        let case = programs.len() as u64;
        let program = generate::program(&preset, SEED, case).map_err(check::CheckError::from)?;
        uninterrupted(lockstep::run(&program, &roster, &mut stimulus)?.is_interrupted)?;
        programs.push(program);
    }
    let (cases, cycles) = (programs.len() as u64, stimulus.cycles());
    let (mut checked, mut bare, mut unchecked) = (0.0_f64, 0.0_f64, 0.0_f64);
    let (mut one_job, mut two_jobs) = (0.0_f64, 0.0_f64);
    for _ in 0..ROUNDS {
        bare = bare.max(stimulus.rate(&plain)?);
        unchecked = unchecked.max(stimulus.rate(library)?);
        checked = checked.max(lockstep_rate(&programs, &roster)?);
        one_job = one_job.max(check_rate(&roster, JOB_LENGTH * cases, 1)?);
        two_jobs = two_jobs.max(check_rate(&roster, JOB_LENGTH * cases, 2)?);
    }
    let (ratio, scaling) = (checked / bare, two_jobs / one_job);
    let kinds = vec![EngineKind::Model, EngineKind::RustHdl];
    let slow = Roster::prepare(&RosterOptions { preset, kinds, dut: None, verilator: None })?;
    let short: Vec<Program> = programs.iter().take(SLOW_PROGRAMS).map(shortened).collect();
    let (ours, theirs) = (lockstep_rate(&short, &roster)?, lockstep_rate(&short, &slow)?);
    if arguments.json {
        let document = json!({
            "checked_cycles_per_second": checked.round() as u64,
            "bare_cycles_per_second": bare.round() as u64,
            "unchecked_cycles_per_second": unchecked.round() as u64,
            "lockstep_ratio": ratio,
            "jobs_scaling": scaling,
            "vs": { "rust_hdl": ours / theirs },
        });
        output::print_line(document);
    } else {
        let name = preset.name;
        output::print_line(format_args!("{name}, {cases} cases, {cycles} cycles, best of {ROUNDS}:"));
        output::print_line(format_args!("checked cycles per second        {checked:>12.0}"));
        output::print_line(format_args!("bare C++ loop, cycles per second {bare:>12.0}"));
        output::print_line(format_args!("lock-step ratio                  {ratio:>12.2}"));
        output::print_line(format_args!("the loop on the check's model    {unchecked:>12.0}"));
        output::print_line(format_args!("two jobs of check over one       {scaling:>12.2}"));
        output::print_line(format_args!(
            "{} of the cases cut to {SLOW_OPERATIONS} operations, checked cycles per second:",
            short.len()
        ));
        output::print_line(format_args!("the Verilog, by Verilator        {ours:>12.0}"));
        output::print_line(format_args!("rust_hdl's own simulation        {theirs:>12.0}"));
        output::print_line(format_args!("ratio                            {:>12.0}", ours / theirs));
    }
    Ok(Status::Well)
}

/// `program` without most of its operations.
fn shortened(program: &Program) -> Program {
    let mut program = Program { resets: Vec::new(), ..program.clone() };
    program.ops.truncate(SLOW_OPERATIONS);
    program
}

/// Cycles per second of `programs` in lock step on the engines of `roster`, their making included.
fn lockstep_rate(programs: &[Program], roster: &Roster) -> Result<f64, CommandError> {
    let begin = Instant::now();
    let mut cycles = 0;
    for program in programs {
        let (outcome, ()) = lockstep::run_in_batches(program, roster, ())?;
        uninterrupted(outcome.is_interrupted)?;
        cycles += outcome.cycles;
    }
    Ok(cycles as f64 / begin.elapsed().as_secs_f64())
}

/// Cycles per second of a whole check, generation included.
fn check_rate(roster: &Roster, cases: u64, jobs: usize) -> Result<f64, CommandError> {
    let stop = interrupt::flag();
    let options = CheckOptions { seed: SEED, extent: Extent::Cases(cases), jobs, shard: Shard::WHOLE, done: 0, stop };
    let begin = Instant::now();
    let result = check::check(roster, &options, |_| {})?;
    uninterrupted(result.is_interrupted)?;
    Ok(result.cycles as f64 / begin.elapsed().as_secs_f64())
}

/// Half a measurement is none.
fn uninterrupted(is_interrupted: bool) -> Result<(), CommandError> {
    if is_interrupted { Err(CommandError::Interrupted) } else { Ok(()) }
}
