//! `lsu run` and `lsu replay`: one program file on the engines.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::engine::EngineKind;
use crate::lockstep::{self, Outcome};
use crate::program::{self, Overrides, Program, describe};
use crate::report::{self, Surroundings};
use crate::results::{OperationResult, Results, fault_name};
use crate::roster::Roster;
use crate::shrink::Failing;

use super::waves::{WINDOW, WaveRecorder};
use super::{CommandError, EngineArguments, Status};

/// Arguments of `lsu run`.
#[derive(Clone, Debug, clap::Args)]
pub struct RunArguments {
    /// The program file.
    pub file: PathBuf,
    #[command(flatten)]
    engines: EngineArguments,
    /// Write the waves of the whole run.
    #[arg(long, value_name = "FILE")]
    vcd: Option<PathBuf>,
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// Arguments of `lsu replay`.
#[derive(Clone, Debug, clap::Args)]
pub struct ReplayArguments {
    /// The saved failure.
    pub file: PathBuf,
    #[command(flatten)]
    engines: EngineArguments,
    /// Where to write the waves around the failure [default: beside the program].
    #[arg(long, value_name = "FILE")]
    vcd: Option<PathBuf>,
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// Runs a program file.
///
/// # Errors
/// The file, the tool chain or the waves cannot be used.
pub fn run(arguments: &RunArguments) -> Result<Status, CommandError> {
    let (program, roster) = prepare(&arguments.file, &arguments.engines)?;
    require_rtl_for_waves(arguments.vcd.as_deref(), &roster)?;
    let (outcome, results) = match &arguments.vcd {
        Some(path) => record(&program, &roster, path, 0)?,
        None => {
            let mut results = Results::new(&program);
            (lockstep::run(&program, &roster, &mut results)?, results)
        }
    };
    let waves = arguments.vcd.iter().cloned().collect();
    conclude(&program, &roster, &outcome, &results, arguments.json, Surroundings { waves, ..Surroundings::default() })
}

/// Runs a saved failure, with the waves around it.
///
/// # Errors
/// The file, the tool chain or the waves cannot be used.
pub fn replay(arguments: &ReplayArguments) -> Result<Status, CommandError> {
    let (program, roster) = prepare(&arguments.file, &arguments.engines)?;
    require_rtl_for_waves(arguments.vcd.as_deref(), &roster)?;
    let mut results = Results::new(&program);
    let outcome = lockstep::run(&program, &roster, &mut results)?;
    let mut surroundings = Surroundings::default();
    if let Some(failure) = &outcome.failure
        && roster.kinds().contains(&EngineKind::Verilator)
    {
        let path = arguments.vcd.clone().unwrap_or_else(|| arguments.file.with_extension("vcd"));
        record(&program, &roster, &path, failure.cycle.saturating_sub(WINDOW))?;
        surroundings.waves.push(path);
    }
    conclude(&program, &roster, &outcome, &results, arguments.json, surroundings)
}

fn prepare(file: &Path, engines: &EngineArguments) -> Result<(Program, Roster), CommandError> {
    let program = program::read_file(file, Overrides { preset: engines.preset })?;
    let roster = Roster::prepare(&engines.roster_options(program.preset)?)?;
    Ok((program, roster))
}

fn require_rtl_for_waves(path: Option<&Path>, roster: &Roster) -> Result<(), CommandError> {
    if path.is_some() && !roster.kinds().contains(&EngineKind::Verilator) {
        return Err(CommandError::Usage {
            message: "--vcd is given, but no engine writes waves".to_owned(),
            help: Some("add verilator to --engine".to_owned()),
        });
    }
    Ok(())
}

/// Runs the program with waves from cycle `first` on.
pub(super) fn record(
    program: &Program,
    roster: &Roster,
    path: &Path,
    first: u64,
) -> Result<(Outcome, Results), CommandError> {
    let mut recorder = WaveRecorder::new(path, first, Results::new(program));
    let outcome = lockstep::run(program, roster, &mut recorder)?;
    match recorder.error {
        Some(error) => Err(crate::engine::EngineError::from(error).into()),
        None => Ok((outcome, recorder.results)),
    }
}

fn conclude(
    program: &Program,
    roster: &Roster,
    outcome: &Outcome,
    results: &Results,
    is_json: bool,
    mut surroundings: Surroundings,
) -> Result<Status, CommandError> {
    let unmet = results.unmet(program);
    if is_json {
        let document = json!({
            "preset": program.preset.name,
            "cycles": outcome.cycles,
            "mismatches": u64::from(outcome.failure.is_some()),
            "ops": results.ops_json(program),
            "memory": results.memory_json(),
        });
        println!("{document}");
    } else {
        print!("{}", table(program, results));
    }
    let mut status = Status::Well;
    if let Some(failure) = &outcome.failure {
        let failing = Failing { program: program.clone(), failure: failure.clone() };
        surroundings.transactions = report::transactions(&failing, roster)?;
        eprint!("{}", report::render(&failing, &surroundings));
        status = Status::Failed;
    } else {
        for unmet in &unmet {
            eprintln!("{}: {}", describe(program, unmet.index), unmet.message);
            status = Status::Failed;
        }
    }
    if !is_json {
        println!("{}", last_line(program, roster, outcome, unmet.len()));
    }
    Ok(status)
}

fn last_line(program: &Program, roster: &Roster, outcome: &Outcome, unmet: usize) -> String {
    let engines: Vec<String> = roster.kinds().iter().map(ToString::to_string).collect();
    let mismatches = u64::from(outcome.failure.is_some());
    format!(
        "{} operations, {} cycles, {mismatches} mismatches, {unmet} expectations not met ({} on {})",
        outcome.ops,
        outcome.cycles,
        engines.join(" and "),
        program.preset.name,
    )
}

/// The operations as a table, with the registers of each below it.
fn table(program: &Program, results: &Results) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{:>5} {:>3} {:>5} {:>9} {:>9} {:>6} {:>5} {:>5} {:>5}  operation",
        "op", "sm", "warp", "accepted", "done", "passes", "hit", "miss", "mem"
    );
    for (index, (operation, result)) in program.ops.iter().zip(&results.ops).enumerate() {
        let number = |value: Option<u64>| value.map_or("-".to_owned(), |value| value.to_string());
        let account = result.account.unwrap_or_default();
        let what = describe(program, index);
        // The columns already say which operation of which warp this is.
        let what = what.splitn(5, ' ').nth(4).unwrap_or_default();
        let _ = writeln!(
            text,
            "{index:>5} {:>3} {:>5} {:>9} {:>9} {:>6} {:>5} {:>5} {:>5}  {what}",
            operation.sm,
            operation.warp,
            number(result.accepted),
            number(result.done),
            account.wavefronts,
            account.hit_sectors,
            account.miss_sectors,
            account.mem_sectors,
        );
        for line in details(result) {
            let _ = writeln!(text, "{:62}{line}", "");
        }
    }
    let (is_unpredictable, is_refused) = results.status;
    if is_unpredictable {
        let _ = writeln!(text, "status: ldc_unpredictable (a bank above 7 in compute mode, LDC-7)");
    }
    if is_refused {
        let _ = writeln!(text, "status: cfg_refused (a bank of an illegal index, size or base, LDC-8)");
    }
    text
}

/// Registers and fault of one operation, a line each.
fn details(result: &OperationResult) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(fault) = &result.fault {
        lines.push(format!("{} lanes {:#x} address {:#x}", fault_name(fault.cause), fault.lanes, fault.addr));
    }
    for written in &result.registers {
        let mut values = (0..32).filter(|lane| written.mask >> lane & 1 == 1).map(|lane| (lane, written.values[lane]));
        let Some((lane, first)) = values.next() else { continue };
        let rest: Vec<(usize, u32)> = values.collect();
        let mut line = format!("R{} lane {lane} {first:#x}", written.register);
        if rest.is_empty() {
        } else if rest.iter().all(|(_, value)| *value == first) {
            line = format!("R{} {first:#x} in {} lanes", written.register, rest.len() + 1);
        } else {
            for (lane, value) in rest.iter().take(3) {
                let _ = write!(line, ", {lane} {value:#x}");
            }
            if rest.len() > 3 {
                let _ = write!(line, ", and {} more", rest.len() - 3);
            }
        }
        lines.push(line);
    }
    lines
}
