//! What is said on the command line of one program file and how to run it.

use std::path::PathBuf;

use super::EngineArguments;
use super::waves::WaveArguments;

/// Arguments of `lsu replay`, which are those of running one program.
#[derive(Clone, Debug, clap::Args)]
pub struct ReplayArguments {
    /// The file.
    pub file: PathBuf,
    #[command(flatten)]
    pub(super) engines: EngineArguments,
    #[command(flatten)]
    pub(super) waves: WaveArguments,
    /// Print one JSON document.
    #[arg(long)]
    pub(super) json: bool,
}
