//! The `lsu` command.

use std::process::ExitCode;

use clap::Parser as _;
use lsu_cosim::command::{self, Status};
use lsu_cosim::command_line::{Lsu, Verb};
use lsu_cosim::front_end_commands;

fn main() -> ExitCode {
    let result = match Lsu::parse().verb {
        Verb::Check(arguments) => command::check(&arguments),
        Verb::Run(arguments) => command::run(&arguments),
        Verb::Replay(arguments) => command::replay(&arguments),
        Verb::Verilog(arguments) => command::verilog(&arguments),
        Verb::Presets(arguments) => command::presets(&arguments),
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
