//! The command line of `lsu`, as it is read and as `--help` shows it.

use clap::{Parser, Subcommand};

use crate::command;

/// The version, with the commit where one was known when this was built.
pub const VERSION: &str = env!("LSU_VERSION");

/// Check, run and explain the GPU load/store unit.
#[derive(Debug, Parser)]
#[command(
    name = "lsu",
    version = VERSION,
    after_help = "Exit status: 0 all well, 1 a check failed, 2 unusable input or output, 3 no tool chain, \
                  130 interrupted before the work was done"
)]
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
    /// One program file on RTL and golden model; or a litmus test, FILE.litmus, over random timings.
    Run(command::RunArguments),
    /// A saved failure, with the waves around it.
    Replay(command::ReplayArguments),
    /// What one PTX or SASS instruction means, and whether it is legal.
    Explain(command::ExplainArguments),
    /// Legality of every load and store in a file.
    Lint(command::LintArguments),
    /// Write synthesizable Verilog.
    Verilog(command::VerilogArguments),
    /// One program file on a unit on a board, compared with the golden model.
    Board(command::BoardArguments),
    /// The presets with their numbers.
    Presets(command::PresetsArguments),
    /// Add up what the shards of a check have found.
    Merge(command::MergeArguments),
    /// What random programs exercise of the unit, and what is missing.
    Cover(command::CoverArguments),
    /// Break the unit on purpose, in one place at a time, and report what the check does not notice.
    Mutate(command::MutateArguments),
    /// Measure the speed of the check.
    Bench(command::BenchArguments),
}
