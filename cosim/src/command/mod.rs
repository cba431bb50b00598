//! The verbs of the `lsu` command, one a file, and what they have in common.

mod bench;
mod board;
mod campaign_arguments;
mod check;
mod cover;
mod coverage_report;
mod engines;
mod explain;
mod failing_case;
mod findings_file;
mod lint;
mod litmus;
mod merge;
mod mutate;
mod presets;
mod program_arguments;
mod replace_file;
mod replay_arguments;
mod run;
mod saved_program;
mod verilog;
mod waves;

pub use bench::{BenchArguments, bench};
pub use board::{BoardArguments, board};
pub use check::{CheckArguments, check};
pub use cover::{CoverArguments, cover};
pub use engines::EngineArguments;
pub use explain::{ExplainArguments, explain};
pub use lint::{LintArguments, lint};
pub use litmus::LitmusArguments;
pub use merge::{MergeArguments, merge};
pub use mutate::{MutateArguments, mutate};
pub use presets::{PresetsArguments, presets};
pub use replay_arguments::ReplayArguments;
pub use run::{RunArguments, replay, run};
pub use verilog::{VerilogArguments, verilog};

pub use crate::status::Status;

use lsu_model::ptx::Dialect;

use crate::board::BoardError;
use crate::check::CheckError;
use crate::engine::EngineError;
use crate::litmus::LitmusError;
use crate::program::ProgramError;
use crate::roster::RosterError;
use crate::wave_story::StoryError;

/// Why a verb could not do its work.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum CommandError {
    /// The program file.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Program(#[from] ProgramError),
    /// The engines.
    #[error(transparent)]
    Roster(#[from] RosterError),
    /// The board, before anything was run.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// An engine in the middle of its work.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The check.
    #[error(transparent)]
    Check(#[from] CheckError),
    /// The litmus test.
    #[error(transparent)]
    Litmus(#[from] LitmusError),
    /// The waves.
    #[error(transparent)]
    Story(#[from] StoryError),
    /// The command line contradicts itself.
    #[error("{message}")]
    Usage {
        /// What is wrong.
        message: String,
        /// What to do.
        #[help]
        help: Option<String>,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {source}", .path.display())]
    Write {
        /// The file.
        path: std::path::PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A signal ended work that is nothing by half.
    #[error("interrupted")]
    Interrupted,
}

impl CommandError {
    /// The exit status that belongs to it.
    pub fn status(&self) -> Status {
        let by_tool = |is_toolchain: bool| if is_toolchain { Status::Toolchain } else { Status::Unusable };
        let by_engine = |error: &EngineError| match error {
            EngineError::Verilator(error) => by_tool(error.is_toolchain()),
            EngineError::Board(_) => Status::Toolchain,
            EngineError::Stopped { .. } => Status::Unusable,
        };
        match self {
            Self::Program(error) if error.is_illegal_instruction() => Status::Failed,
            Self::Program(_) | Self::Usage { .. } | Self::Write { .. } | Self::Story(_) => Status::Unusable,
            Self::Board(error) => by_tool(!error.is_usage()),
            Self::Roster(RosterError::Verilator(error)) => by_tool(error.is_toolchain()),
            Self::Roster(RosterError::MissingTop { .. }) => Status::Unusable,
            Self::Roster(RosterError::Emission { .. } | RosterError::Interface { .. }) => Status::Toolchain,
            Self::Roster(RosterError::Interrupted) | Self::Interrupted => Status::Interrupted,
            Self::Engine(error)
            | Self::Check(CheckError::Engine { source: error, .. })
            | Self::Litmus(LitmusError::Engine(error)) => by_engine(error),
            // What the units do follows from what they are given: here one of them does not.
            Self::Litmus(LitmusError::Unsteady { .. }) => Status::Failed,
            Self::Check(_) | Self::Litmus(LitmusError::Panic) => Status::Unusable,
        }
    }
}

/// The dialect that `--strict` asks for.
fn dialect(is_strict: bool) -> Dialect {
    if is_strict { Dialect::Strict } else { Dialect::Assembler }
}

/// The threads to use: as many as are asked for, or one for each processor.
fn threads(jobs: Option<u16>) -> usize {
    jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
}
