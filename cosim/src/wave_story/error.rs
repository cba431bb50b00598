//! Why waves could not be written.

use lsu_waves::WaveError;

use crate::verilator;

/// Why waves could not be written.
#[derive(Debug, thiserror::Error)]
pub enum StoryError {
    /// The file, the window or a view.
    #[error(transparent)]
    Wave(#[from] WaveError),
    /// The trace of the Verilated model.
    #[error(transparent)]
    Trace(#[from] verilator::Error),
}
