//! The `lsu` command.

use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};
use lsu_cosim::command::{self, CommandError, Status};
use lsu_cosim::front_end_commands::{self, ExplainArgs, LintArgs};
use lsu_cosim::output::{self, Complaint};
use lsu_cosim::roster::RosterError;

/// Check, run and explain the GPU load/store unit.
#[derive(Debug, Parser)]
#[command(
    name = "lsu",
    version,
    after_help = "Exit status: 0 all well, 1 a check failed, 2 unusable input or output, 3 no tool chain, \
                  130 interrupted before the work was done"
)]
struct Lsu {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Random programs on RTL and golden model in lock step (the main job).
    Check(command::CheckArguments),
    /// One program file on RTL and golden model.
    Run(command::RunArguments),
    /// A saved failure, with the waves around it.
    Replay(command::RunArguments),
    /// What one PTX or SASS instruction means, and whether it is legal.
    Explain(ExplainArgs),
    /// Legality of every load and store in a file.
    Lint(LintArgs),
    /// Write synthesizable Verilog.
    Verilog(command::VerilogArguments),
    /// Break the unit on purpose, one bit at a time, and report what the check does not notice.
    Mutate(command::MutateArguments),
    /// Measure the speed of the check.
    Bench(command::BenchArguments),
}

fn main() -> ExitCode {
    let status = match Lsu::try_parse() {
        Ok(lsu) => run(lsu.verb),
        Err(refusal) => refuse(&refusal),
    };
    ExitCode::from(u8::try_from(output::conclude(status)).unwrap_or(Status::Unusable as u8))
}

/// Runs a verb; the exit status.
fn run(verb: Verb) -> i32 {
    let result = match verb {
        Verb::Check(arguments) => command::check(&arguments),
        Verb::Run(arguments) => command::run(&arguments),
        Verb::Replay(arguments) => command::replay(&arguments),
        Verb::Verilog(arguments) => command::verilog(&arguments),
        Verb::Mutate(arguments) => command::mutate(&arguments),
        Verb::Bench(arguments) => command::bench(&arguments),
        Verb::Explain(arguments) => return front_end_commands::explain(&arguments),
        Verb::Lint(arguments) => return front_end_commands::lint(&arguments),
    };
    let status = result.unwrap_or_else(|error| {
        let status = error.status();
        match error {
            // Whoever has pressed Ctrl-C is not told of a mistake.
            CommandError::Interrupted | CommandError::Roster(RosterError::Interrupted) => output::message_line(error),
            error => output::error(error),
        }
        status
    });
    status as i32
}

/// Answers a command line that names no work: with the help that it asks for, or with what is wrong.
fn refuse(refusal: &clap::Error) -> i32 {
    match refusal.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            output::print(&refusal.render().to_string());
            Status::Well as i32
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            output::message(&refusal.render().to_string());
            Status::Unusable as i32
        }
        _ => {
            let text = refusal.render().to_string();
            let (message, rest) = text.split_once("\n\n").unwrap_or((&text, ""));
            let message = message.strip_prefix("error: ").unwrap_or(message).to_owned();
            let help = rest.replace("\n\n", "\n").replace("  tip: ", "");
            output::error(Complaint { message, help: (!help.is_empty()).then(|| help.trim_end().to_owned()) });
            Status::Unusable as i32
        }
    }
}
