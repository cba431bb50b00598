//! The one error type of the crate.

use std::io;
use std::path::{Path, PathBuf};

/// What can go wrong while a dump or its views are written.
#[derive(Debug, thiserror::Error)]
pub enum WaveError {
    /// A name that a wave file or a viewer could not hold.
    #[error("signal or scope name `{name}`: {reason}")]
    Name {
        /// The name as given.
        name: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A width, a column count or an enum table outside what the formats can hold.
    #[error("signal `{name}`: {reason}")]
    Shape {
        /// The signal or enum.
        name: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The file system refused: no such folder, no permission, disk full.
    #[error("cannot {action} {}: {source}", path.display())]
    File {
        /// What was tried, for example `write waves to`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The operating system's reason.
        source: io::Error,
    },
    /// Verilator's trace is not what the merge expects.
    #[error("trace of the device under test {}: {reason}", path.display())]
    DutTrace {
        /// The trace.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// `begin_cycle` was given a cycle that is not later than the one before.
    #[error("cycle {cycle} begins after cycle {previous}: cycles must increase")]
    CycleOrder {
        /// The cycle given.
        cycle: u64,
        /// The cycle before it.
        previous: u64,
    },
    /// A window whose end lies before its beginning.
    #[error("wave window {from}..{to}: the last cycle lies before the first")]
    WindowOrder {
        /// First cycle.
        from: u64,
        /// Last cycle.
        to: u64,
    },
    /// The run ended without a cycle inside the window, so the dump shows nothing.
    #[error("wave window {from}..{to} lies outside the run, which had cycles {first} to {last}")]
    WindowOutsideRun {
        /// First cycle of the window.
        from: u64,
        /// Last cycle of the window.
        to: u64,
        /// First cycle of the run.
        first: u64,
        /// Last cycle of the run.
        last: u64,
    },
    /// `finish` was called before any `begin_cycle`.
    #[error("no cycle was run, so there are no waves")]
    NoCycles,
    /// The FST encoder refused.
    #[error("cannot write waves to {}: {reason}", path.display())]
    Fst {
        /// The file.
        path: PathBuf,
        /// The encoder's reason.
        reason: String,
    },
    /// A view names a signal that the dump does not hold.
    #[error("the view names `{name}`, which is not in the dump")]
    UnknownSignal {
        /// The full dotted name.
        name: String,
    },
}

/// An error of the file system while `action` was tried on `path`.
pub(crate) fn file_error(path: &Path, action: &'static str, source: io::Error) -> WaveError {
    WaveError::File { action, path: path.to_owned(), source }
}
