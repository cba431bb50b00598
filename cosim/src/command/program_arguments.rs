//! What is said on the command line of one program file, whatever it runs on.

use std::path::PathBuf;

use lsu_model::preset::Preset;
use serde_json::json;

use crate::program::{self, Overrides, Program};
use crate::{interrupt, output};

use super::CommandError;
use super::waves::WaveArguments;

/// A program file, and what is wanted of its run.
#[derive(Clone, Debug, clap::Args)]
pub struct ProgramArguments {
    /// The file.
    pub file: PathBuf,
    #[command(flatten)]
    pub(super) waves: WaveArguments,
    /// Print one JSON document.
    #[arg(long)]
    pub(super) json: bool,
}

impl ProgramArguments {
    /// The program, for a unit of `preset` if one is given. `verilog` is read, too, and not to be written over by waves. From here on a signal
    /// ends the run, not the process.
    ///
    /// # Errors
    /// The file cannot be used, or waves would be written over what is read.
    pub(super) fn read(&self, preset: Option<Preset>, verilog: Option<&PathBuf>) -> Result<Program, CommandError> {
        let program = program::read_file(&self.file, Overrides { preset }).inspect_err(|error| {
            // What fails a check has a document, like any other failure.
            if self.json && error.is_illegal_instruction() {
                output::print_line(json!({ "failure": error.to_string() }));
            }
        })?;
        if program.ops.is_empty() {
            return Err(CommandError::Usage {
                message: format!("{} holds no operation: nothing would be run", self.file.display()),
                help: Some("add an [[op]] with instr = \"…\" or command = \"…\"".to_owned()),
            });
        }
        self.waves.spare([Some(&self.file), verilog].into_iter().flatten())?;
        interrupt::listen();
        Ok(program)
    }
}
