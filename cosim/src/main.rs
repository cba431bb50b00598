//! The `lsu` command.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use lsu_cosim::command::{self, Status};
use lsu_cosim::front_end_commands::{self, ExplainArgs, LintArgs};

/// Check, run and explain the GPU load/store unit.
#[derive(Debug, Parser)]
#[command(name = "lsu", version)]
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
    let result = match Lsu::parse().verb {
        Verb::Check(arguments) => command::check(&arguments),
        Verb::Run(arguments) => command::run(&arguments),
        Verb::Replay(arguments) => command::replay(&arguments),
        Verb::Verilog(arguments) => command::verilog(&arguments),
        Verb::Mutate(arguments) => command::mutate(&arguments),
        Verb::Bench(arguments) => command::bench(&arguments),
        Verb::Explain(arguments) => return exit_code(front_end_commands::explain(&arguments)),
        Verb::Lint(arguments) => return exit_code(front_end_commands::lint(&arguments)),
    };
    let status = result.unwrap_or_else(|error| {
        let status = error.status();
        eprintln!("{:?}", miette::Report::new(error));
        status
    });
    exit_code(status as i32)
}

/// The exit code of a status from 0 to 3.
fn exit_code(status: i32) -> ExitCode {
    ExitCode::from(u8::try_from(status).unwrap_or(Status::Unusable as u8))
}
