//! The `lsu` command.

use std::process::ExitCode;

use clap::Parser as _;
use clap::error::ErrorKind;
use lsu_cosim::command::{self, CommandError, Status};
use lsu_cosim::command_line::{Lsu, Verb};
use lsu_cosim::output::{self, Complaint};
use lsu_cosim::roster::RosterError;

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
        Verb::Board(arguments) => command::board(&arguments),
        Verb::Replay(arguments) => command::replay(&arguments),
        Verb::Verilog(arguments) => command::verilog(&arguments),
        Verb::Merge(arguments) => command::merge(&arguments),
        Verb::Cover(arguments) => command::cover(&arguments),
        Verb::Mutate(arguments) => command::mutate(&arguments),
        Verb::Presets(arguments) => command::presets(&arguments),
        Verb::Bench(arguments) => command::bench(&arguments),
        Verb::Explain(arguments) => command::explain(&arguments),
        Verb::Lint(arguments) => command::lint(&arguments),
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
