//! What is said on the command line of one program file and of the engines that run it.

use super::EngineArguments;
use super::program_arguments::ProgramArguments;

/// Arguments of `lsu replay`, which are those of running one program.
#[derive(Clone, Debug, clap::Args)]
pub struct ReplayArguments {
    #[command(flatten)]
    pub(super) engines: EngineArguments,
    #[command(flatten)]
    pub(super) program: ProgramArguments,
}
