//! `lsu run` and `lsu replay`: one program file on the engines. Litmus tests have [a file of their own](super::litmus).

use std::fmt::Write as _;
use std::path::Path;

use lsu_model::golden::Account;
use lsu_waves::{Format, Window};
use serde_json::json;

use crate::lockstep::{self, Outcome};
use crate::program::{Breach, Destination, Program, ProgramOperation, describe, destinations};
use crate::report::{self, Surroundings};
use crate::results::{OperationResult, Results, StickyBits, fault_name};
use crate::roster::Roster;
use crate::shrink::Failing;
use crate::wave_story::{WavePlan, Written};
use crate::{interrupt, output};

use super::litmus::LitmusArguments;
use super::program_arguments::ProgramArguments;
use super::replay_arguments::ReplayArguments;
use super::waves::{self, Recorded, record};
use super::{CommandError, Status};

/// Arguments of `lsu run`.
#[derive(Clone, Debug, clap::Args)]
pub struct RunArguments {
    #[command(flatten)]
    program: ReplayArguments,
    #[command(flatten)]
    litmus: LitmusArguments,
}

/// Runs a program file or a litmus test.
///
/// # Errors
/// The file or the tool chain cannot be used.
pub fn run(arguments: &RunArguments) -> Result<Status, CommandError> {
    let RunArguments { program: arguments, litmus } = arguments;
    if is_litmus(&arguments.program.file) {
        return super::litmus::run(arguments, litmus);
    }
    litmus.refuse_for_programs()?;
    let (program, roster) = prepare(arguments)?;
    run_on(&arguments.program, &program, &roster)
}

pub(super) fn is_litmus(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "litmus")
}

/// Runs `program` on the engines of `roster`, and says what it came to.
///
/// # Errors
/// An engine cannot go on, or the waves cannot be written.
pub(super) fn run_on(arguments: &ProgramArguments, program: &Program, roster: &Roster) -> Result<Status, CommandError> {
    let plans = arguments.waves.plans(&arguments.file, Window::ALL, 0);
    // Which cycles there are is known when they have run: before an empty file takes the place of other waves.
    let replaces = plans.iter().any(|plan| plan.path.exists());
    let mut ran = if arguments.waves.names_cycles() && replaces { Some(without_waves(program, roster)?) } else { None };
    let mut written = Vec::new();
    // Every run of a program is the same; each file takes one. After an interrupt none would come to anything.
    for plan in plans {
        let is_reached = ran.as_ref().map_or(Ok(()), |(outcome, _)| waves::reach(&plan, outcome));
        match is_reached.and_then(|()| record(program, roster, plan)) {
            Ok(Recorded { outcome, results, waves }) => {
                written.push(waves);
                ran = Some((outcome, results));
            }
            Err(error) if ran.is_none() => return Err(error),
            // What the first run has found is told all the same.
            Err(error) => written.push(Err(error)),
        }
    }
    let (outcome, results) = match ran {
        Some(ran) => ran,
        None => without_waves(program, roster)?,
    };
    let status = conclude(arguments, program, roster, &outcome, &results, written)?;
    // Of a saved failure that is mended, more may lie behind the end: then it is no more than said.
    let lacks_reset = resets_behind_the_end(program, &outcome).next().is_some();
    Ok(if status == Status::Well && lacks_reset { Status::Failed } else { status })
}

/// Runs a saved failure, with the waves around it.
///
/// # Errors
/// The file or the tool chain cannot be used.
pub fn replay(arguments: &ReplayArguments) -> Result<Status, CommandError> {
    if is_litmus(&arguments.program.file) {
        let file = arguments.program.file.display();
        return Err(CommandError::Usage {
            message: format!("{file} is a litmus test, which has many runs, not a program"),
            help: Some(format!("use: lsu run {file}")),
        });
    }
    let (program, roster) = prepare(arguments)?;
    let (outcome, results) = without_waves(&program, &roster)?;
    let (window, sm) = match &outcome.failure {
        Some(failure) => (waves::around(failure.cycle), failure.sm),
        None => (Window::ALL, 0),
    };
    let mut plans = arguments.program.waves.plans(&arguments.program.file, window, sm);
    if plans.is_empty() && outcome.failure.is_some() {
        plans.push(WavePlan { path: waves::beside_program(&arguments.program.file), format: Format::Vcd, window, sm });
    }
    let mut written = Vec::new();
    for plan in plans {
        let is_reached = waves::reach(&plan, &outcome);
        written.push(is_reached.and_then(|()| record(&program, &roster, plan)).and_then(|recorded| recorded.waves));
    }
    conclude(&arguments.program, &program, &roster, &outcome, &results, written)
}

fn without_waves(program: &Program, roster: &Roster) -> Result<(Outcome, Results), CommandError> {
    Ok(lockstep::run_in_batches(program, roster, Results::new(program))?)
}

fn prepare(arguments: &ReplayArguments) -> Result<(Program, Roster), CommandError> {
    let program = arguments.program.read(arguments.engines.preset, arguments.engines.dut.as_ref())?;
    let roster = Roster::prepare(&arguments.engines.roster_options(program.preset)?)?;
    Ok((program, roster))
}

/// Prints what a run came to, then the waves that could not be written.
fn conclude(
    arguments: &ProgramArguments,
    program: &Program,
    roster: &Roster,
    outcome: &Outcome,
    results: &Results,
    waves: Vec<Result<Written, CommandError>>,
) -> Result<Status, CommandError> {
    let mut surroundings = Surroundings::default();
    let (mut written, mut unwritten) = (Vec::new(), Vec::new());
    for waves in waves {
        match waves {
            Ok(waves) => written.push(waves),
            Err(error) => unwritten.push(error),
        }
    }
    waves::name(&written, &mut surroundings);
    // What an interrupted run has not come to is no mistake of the unit.
    let unmet = if outcome.is_interrupted { Vec::new() } else { results.unmet(program) };
    if arguments.json {
        let mut document = json!({
            "preset": program.preset.name,
            "cycles": outcome.cycles,
            "mismatches": u64::from(outcome.failure.is_some()),
            "ops": results.ops_json(program),
            "memory": results.memory_json(),
            "l2": results.l2_json(),
        });
        if let Some(failure) = &outcome.failure {
            document["failure"] = json!(failure.to_string());
        }
        output::print_line(document);
    } else {
        output::print(&table(program, results));
    }
    let mut status = if outcome.is_interrupted { Status::Interrupted } else { Status::Well };
    if let Some(failure) = &outcome.failure {
        let failing = Failing { program: program.clone(), failure: failure.clone() };
        // An interrupt has ended the run; what is known of its failure is still told.
        interrupt::acknowledge();
        // They are a second run's; without them the report says all that the first has found.
        surroundings.transactions = report::transactions(&failing, roster).unwrap_or_default();
        output::message(&report::render(&failing, &surroundings));
        status = Status::Failed;
    } else {
        for unmet in &unmet {
            output::message_line(format_args!("{}: {}", describe(program, unmet.index), unmet.message));
            status = Status::Failed;
        }
        if let Some(Breach { port, response, .. }) = &program.breach
            && !outcome.is_interrupted
        {
            output::message_line(format_args!(
                "breach: nothing came of response {response} at the {} port: no unit had so many, or it broke nothing",
                port.name()
            ));
            status = Status::Failed;
        }
        for cycle in resets_behind_the_end(program, outcome) {
            output::message_line(format_args!("reset: the run is over before cycle {cycle}, in which one should come"));
        }
        output::message(&report::files(&surroundings));
    }
    if !arguments.json {
        output::print_line(last_line(program, roster, outcome, unmet.len()));
    }
    if outcome.is_interrupted {
        output::message_line(format_args!("interrupted in cycle {}", outcome.cycles));
    }
    for error in unwritten {
        if status == Status::Well {
            status = error.status();
        }
        output::error(error);
    }
    arguments.waves.open(&written)?;
    Ok(status)
}

/// The cycles of those resets that a run which came to its end has not come to.
fn resets_behind_the_end(program: &Program, outcome: &Outcome) -> impl Iterator<Item = u64> {
    let is_over = outcome.failure.is_none() && !outcome.is_interrupted;
    let cycles = outcome.cycles / u64::from(program.sms);
    program.resets.iter().map(|reset| reset.cycle).filter(move |cycle| is_over && *cycle >= cycles)
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
        for line in details(operation, result, program.preset.lanes) {
            let _ = writeln!(text, "{:62}{line}", "");
        }
    }
    let StickyBits { ldc_unpredictable, cfg_refused, wdata_wrong_tag, write_back_error } = results.sticky;
    if ldc_unpredictable {
        let _ = writeln!(text, "status: ldc_unpredictable (a bank above 7 in compute mode, LDC-7)");
    }
    if cfg_refused {
        let _ = writeln!(text, "status: cfg_refused (a bank of an illegal index, size or base, LDC-8)");
    }
    if wdata_wrong_tag {
        let _ = writeln!(text, "status: wdata_wrong_tag (a beat of store data had another tag than its store)");
    }
    if write_back_error {
        let _ = writeln!(
            text,
            "status: write_back_error (an error came for a sector of local memory that was written back)"
        );
    }
    text
}

/// Registers and fault of one operation, a line each: first the registers that it names, then those that it should not
/// have written.
fn details(operation: &ProgramOperation, result: &OperationResult, lanes: usize) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(fault) = &result.fault {
        lines.push(format!("{} lanes {:#x} address {:#x}", fault_name(fault.cause), fault.lanes, fault.addr));
    }
    let mut registers = destinations(operation);
    for written in &result.registers {
        if !registers.iter().any(|named| written.register.wrapping_sub(named.first) < named.count) {
            registers.push(Destination::numbered(written.register));
        }
    }
    for register in registers {
        let mut values = (0..lanes).filter_map(|lane| Some((lane, result.value(&register, lane)?)));
        let Some((lane, first)) = values.next() else { continue };
        let rest: Vec<(usize, u128)> = values.collect();
        let mut line = format!("{} lane {lane} {first:#x}", register.name);
        if rest.is_empty() {
        } else if rest.iter().all(|(_, value)| *value == first) {
            line = format!("{} {first:#x} in {} lanes", register.name, rest.len() + 1);
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
