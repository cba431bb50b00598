//! `lsu verilog`: the synthesizable Verilog of a preset.

use std::path::PathBuf;

use lsu_model::preset::{Preset, WARP32};

use crate::output;

use super::engines::named_preset;
use super::{CommandError, Status, write_file};

/// Arguments of `lsu verilog`.
#[derive(Clone, Debug, clap::Args)]
pub struct VerilogArguments {
    /// Sizes of the unit.
    #[arg(long, value_parser = named_preset, default_value = WARP32.name)]
    preset: Preset,
    /// The module to write, with everything below it.
    #[arg(long, value_name = "MODULE", default_value = "lsu")]
    top: String,
    /// The folder to write into.
    #[arg(short = 'o', value_name = "DIR", default_value = ".")]
    output: PathBuf,
}

/// Writes `TOP.v`.
///
/// # Errors
/// There is no such module, or the file cannot be written.
pub fn verilog(arguments: &VerilogArguments) -> Result<Status, CommandError> {
    let text = lsu_hdl::verilog_for(arguments.preset.name, &arguments.top)
        .map_err(|error| CommandError::Usage { message: error.to_string(), help: None })?;
    std::fs::create_dir_all(&arguments.output)
        .map_err(|source| CommandError::Write { path: arguments.output.clone(), source })?;
    let path = arguments.output.join(format!("{}.v", arguments.top));
    write_file(&path, &text)?;
    output::print_line(path.display());
    Ok(Status::Well)
}
