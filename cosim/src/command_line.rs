//! The command line of `lsu`, as it is read and as `--help` shows it.

use clap::{Parser, Subcommand};

use crate::command;
use crate::front_end_commands::{ExplainArgs, LintArgs};

/// The version, with the commit where one was known when this was built.
const VERSION: &str = env!("LSU_VERSION");

/// Check, run and explain the GPU load/store unit.
#[derive(Debug, Parser)]
#[command(name = "lsu", version = VERSION)]
pub struct Lsu {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// What the command can do.
#[derive(Debug, Subcommand)]
pub enum Verb {
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
    /// The presets with their numbers.
    Presets(command::PresetsArguments),
    /// Measure the speed of the check.
    Bench(command::BenchArguments),
}
