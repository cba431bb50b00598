//! The verbs of the `lsu` command that run something, and what they have in common.

mod bench;
mod check;
mod engines;
mod presets;
mod replace_file;
mod run;
mod verilog;
mod waves;

pub use bench::{BenchArguments, bench};
pub use check::{CheckArguments, check};
pub use engines::EngineArguments;
pub use presets::{PresetsArguments, presets};
pub use run::{RunArguments, replay, run};
pub use verilog::{VerilogArguments, verilog};

use std::sync::atomic::{AtomicBool, Ordering};

use crate::check::CheckError;
use crate::engine::EngineError;
use crate::program::ProgramError;
use crate::roster::RosterError;
use crate::wave_story::StoryError;

/// How the command ends, as an exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// All well.
    Well = 0,
    /// A check failed.
    Failed = 1,
    /// The input or the command line could not be used.
    Unusable = 2,
    /// The tool chain is missing or broken.
    Toolchain = 3,
}

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
    /// An engine in the middle of its work.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The check.
    #[error(transparent)]
    Check(#[from] CheckError),
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
}

impl CommandError {
    /// The exit status that belongs to it.
    pub fn status(&self) -> Status {
        let by_tool = |is_toolchain: bool| if is_toolchain { Status::Toolchain } else { Status::Unusable };
        let by_engine = |error: &EngineError| match error {
            EngineError::Verilator(error) => by_tool(error.is_toolchain()),
            EngineError::Stopped { .. } => Status::Unusable,
        };
        match self {
            Self::Program(error) if error.is_illegal_instruction() => Status::Failed,
            Self::Program(_) | Self::Usage { .. } | Self::Write { .. } | Self::Story(_) => Status::Unusable,
            Self::Roster(RosterError::Verilator(error)) => by_tool(error.is_toolchain()),
            Self::Roster(RosterError::MissingTop { .. }) => Status::Unusable,
            Self::Roster(RosterError::Emission { .. }) => Status::Toolchain,
            Self::Engine(error) | Self::Check(CheckError::Engine(error)) => by_engine(error),
            Self::Check(_) => Status::Unusable,
        }
    }
}

/// Becomes true at the first Ctrl-C; the second one ends the process at once.
static STOP: AtomicBool = AtomicBool::new(false);

/// Exit status that shells give a process that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// From now on Ctrl-C asks the work to end, and keeps what it has found.
fn stop_on_interrupt() -> &'static AtomicBool {
    // A handler can be set once only; the one that is there does the same.
    let _ = ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
    });
    &STOP
}

/// Writes `text` to the file `path`.
fn write_file(path: &std::path::Path, text: &str) -> Result<(), CommandError> {
    std::fs::write(path, text).map_err(|source| CommandError::Write { path: path.to_owned(), source })
}
