//! `lsu run` and `lsu replay`: one program file on the engines.

use std::fmt::Write as _;
use std::path::PathBuf;

use lsu_model::golden::Account;
use lsu_waves::{Format, Window};
use serde_json::json;

use crate::lockstep::{self, Outcome};
use crate::program::{self, Overrides, Program, describe};
use crate::report::{self, Surroundings};
use crate::results::{OperationResult, Results, StickyBits, fault_name};
use crate::roster::Roster;
use crate::shrink::Failing;
use crate::wave_story::{WavePlan, Written};

use super::waves::{self, WaveArguments, record};
use super::{CommandError, EngineArguments, Status};

/// Arguments of `lsu run` and `lsu replay`.
#[derive(Clone, Debug, clap::Args)]
pub struct RunArguments {
    /// The program file.
    pub file: PathBuf,
    #[command(flatten)]
    engines: EngineArguments,
    #[command(flatten)]
    waves: WaveArguments,
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// Runs a program file.
///
/// # Errors
/// The file, the tool chain or the waves cannot be used.
pub fn run(arguments: &RunArguments) -> Result<Status, CommandError> {
    let (program, roster) = prepare(arguments)?;
    let plans = arguments.waves.plans(&arguments.file, Window::ALL, 0);
    let mut ran = None;
    let mut written = Vec::new();
    // Every run of a program is the same; each file takes one.
    for plan in plans {
        let (outcome, results, waves) = record(&program, &roster, plan)?;
        written.push(waves);
        ran = Some((outcome, results));
    }
    let (outcome, results) = match ran {
        Some(ran) => ran,
        None => without_waves(&program, &roster)?,
    };
    conclude(arguments, &program, &roster, &outcome, &results, &written)
}

/// Runs a saved failure, with the waves around it.
///
/// # Errors
/// The file, the tool chain or the waves cannot be used.
pub fn replay(arguments: &RunArguments) -> Result<Status, CommandError> {
    let (program, roster) = prepare(arguments)?;
    let (outcome, results) = without_waves(&program, &roster)?;
    let (window, sm) = match &outcome.failure {
        Some(failure) => (waves::around(failure.cycle), failure.sm),
        None => (Window::ALL, 0),
    };
    let mut plans = arguments.waves.plans(&arguments.file, window, sm);
    if plans.is_empty() && outcome.failure.is_some() {
        plans.push(WavePlan { path: arguments.file.with_extension("vcd"), format: Format::Vcd, window, sm });
    }
    let mut written = Vec::new();
    for plan in plans {
        written.push(record(&program, &roster, plan)?.2);
    }
    conclude(arguments, &program, &roster, &outcome, &results, &written)
}

fn without_waves(program: &Program, roster: &Roster) -> Result<(Outcome, Results), CommandError> {
    let mut results = Results::new(program);
    let outcome = lockstep::run(program, roster, &mut results)?;
    Ok((outcome, results))
}

fn prepare(arguments: &RunArguments) -> Result<(Program, Roster), CommandError> {
    let program = program::read_file(&arguments.file, Overrides { preset: arguments.engines.preset })?;
    let roster = Roster::prepare(&arguments.engines.roster_options(program.preset)?)?;
    Ok((program, roster))
}

fn conclude(
    arguments: &RunArguments,
    program: &Program,
    roster: &Roster,
    outcome: &Outcome,
    results: &Results,
    written: &[Written],
) -> Result<Status, CommandError> {
    let mut surroundings = Surroundings::default();
    waves::name(written, &mut surroundings);
    let unmet = results.unmet(program);
    if arguments.json {
        let document = json!({
            "preset": program.preset.name,
            "cycles": outcome.cycles,
            "mismatches": u64::from(outcome.failure.is_some()),
            "ops": results.ops_json(program),
            "memory": results.memory_json(),
            "l2": results.l2_json(),
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
        eprint!("{}", report::files(&surroundings));
    }
    if !arguments.json {
        println!("{}", last_line(program, roster, outcome, unmet.len()));
    }
    arguments.waves.open(written)?;
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
        let count = |figure: fn(&Account) -> u32| number(result.account.as_ref().map(figure).map(u64::from));
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
            count(|account| account.wavefronts),
            count(|account| account.hit_sectors),
            count(|account| account.miss_sectors),
            count(|account| account.mem_sectors),
        );
        for line in details(result) {
            let _ = writeln!(text, "{:62}{line}", "");
        }
    }
    let StickyBits { ldc_unpredictable, cfg_refused, wdata_wrong_tag } = results.sticky;
    if ldc_unpredictable {
        let _ = writeln!(text, "status: ldc_unpredictable (a bank above 7 in compute mode, LDC-7)");
    }
    if cfg_refused {
        let _ = writeln!(text, "status: cfg_refused (a bank of an illegal index, size or base, LDC-8)");
    }
    if wdata_wrong_tag {
        let _ = writeln!(text, "status: wdata_wrong_tag (a beat of store data had another tag than its store)");
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
