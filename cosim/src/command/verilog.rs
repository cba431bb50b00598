//! `lsu verilog`: the synthesizable Verilog of a preset.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use lsu_hdl::code_files::code_files;
use lsu_hdl::emit::{DEFAULT_PREFIX, EmitError, UnitFile, WHOLE_UNIT};
use lsu_hdl::header::is_as_written;
use lsu_model::preset::{Preset, WARP32};

use crate::output;

use super::engines::named_preset;
use super::replace_file::replace_file;
use super::{CommandError, Status};

/// How alike two names are, from 0 to 1, where one may be meant for the other.
const ALIKE: f64 = 0.7;

/// Names that are suggested at most.
const MOST_SUGGESTED: usize = 3;

/// Arguments of `lsu verilog`.
#[derive(Clone, Debug, clap::Args)]
pub struct VerilogArguments {
    /// Sizes of the unit.
    #[arg(long, value_parser = named_preset, default_value = WARP32.name)]
    preset: Preset,
    /// The block to write, with everything below it; `lsu` is the whole unit, `lsu_axi` the unit and beside it a module with its memory port as
    /// an AXI4 master, `lsu_board` the same with one that `lsu board` steps over a serial line, --list shows the others.
    #[arg(long, value_name = "BLOCK", default_value = WHOLE_UNIT)]
    top: String,
    /// Begins the names of all modules but the unit's top, which is called as the prefix without the underscores at its end.
    #[arg(long, value_name = "PREFIX", default_value = DEFAULT_PREFIX)]
    prefix: String,
    /// The folder to write into.
    #[arg(short = 'o', value_name = "DIR", default_value = ".")]
    output: PathBuf,
    /// Overwrite the file even if it was edited.
    #[arg(long)]
    force: bool,
    /// Print the blocks of the preset, a line each, and write nothing.
    #[arg(long, conflicts_with_all = ["top", "prefix", "output", "force"])]
    list: bool,
}

/// Writes the files and prints the paths of those with Verilog, or lists the blocks. Beside the whole unit stand its codes.
///
/// # Errors
/// There is no such block, the prefix gives no names, the file was edited, or it cannot be written.
pub fn verilog(arguments: &VerilogArguments) -> Result<Status, CommandError> {
    let preset = arguments.preset.name;
    if arguments.list {
        output::print(&list(preset).map_err(|error| refused(&error))?);
        return Ok(Status::Well);
    }
    let prefix = &arguments.prefix;
    let file = |top| lsu_hdl::verilog_file(preset, prefix, top).map_err(|error| refused(&error));
    let mut files = vec![file(&arguments.top)?];
    let has_unit = arguments.top == WHOLE_UNIT || files[0].needs_unit;
    if files[0].needs_unit {
        files.push(file(WHOLE_UNIT)?);
    }
    let folder = &arguments.output;
    std::fs::create_dir_all(folder).map_err(|source| CommandError::Write { path: folder.clone(), source })?;
    let paths: Vec<PathBuf> = files.iter().map(|file| folder.join(&file.name)).collect();
    if has_unit {
        files.extend(code_files(prefix).map_err(|error| refused(&error))?);
    }
    let mut changed = vec![];
    for file in &files {
        if is_to_be_written(folder, file, arguments.force)? {
            changed.push(file);
        }
    }
    for file in changed {
        replace_file(&folder.join(&file.name), &file.text)?;
    }
    paths.iter().for_each(|path| output::print_line(path.display()));
    Ok(Status::Well)
}

/// Whether the file in `folder` is not yet as it shall be; an error if it is not ours to change.
fn is_to_be_written(folder: &Path, file: &UnitFile, force: bool) -> Result<bool, CommandError> {
    let path = folder.join(&file.name);
    match std::fs::read(&path) {
        Ok(present) if present == file.text.as_bytes() => Ok(false),
        Ok(present) if !force && !is_ours(&present) => Err(edited(&path)),
        // What may not be read is not known to be ours.
        Err(error) if error.kind() == ErrorKind::PermissionDenied && !force => Err(edited(&path)),
        Err(source) if source.kind() != ErrorKind::NotFound && !force => Err(CommandError::Write { path, source }),
        _ => Ok(true),
    }
}

fn is_ours(present: &[u8]) -> bool {
    std::str::from_utf8(present).is_ok_and(is_as_written)
}

fn edited(path: &Path) -> CommandError {
    CommandError::Usage {
        message: format!("{} was edited, or lsu did not write it: it is left as it is", path.display()),
        help: Some("write into another folder with -o DIR, or overwrite the file with --force".to_owned()),
    }
}

/// The blocks of `preset` with what they are, and its memories.
fn list(preset: &str) -> Result<String, EmitError> {
    let modules = lsu_hdl::emit::all_modules(preset, DEFAULT_PREFIX)?;
    let (memories, blocks): (Vec<_>, Vec<_>) = modules.iter().partition(|module| module.is_memory);
    let line = |modules: Vec<&lsu_hdl::verilog::EmittedModule>| -> String {
        let width = modules.iter().map(|module| module.block.len()).max().unwrap_or(0);
        let text = |comment: &Option<String>| comment.clone().unwrap_or_default();
        modules.iter().map(|module| format!("  {:width$}  {}\n", module.block, text(&module.comment))).collect()
    };
    let uses: String = modules.iter().flat_map(memory_uses).collect();
    Ok(format!("blocks of {preset}:\n{}memories of {preset}:\n{}{uses}", line(blocks), line(memories)))
}

/// The memories of a block, a line each.
fn memory_uses(module: &lsu_hdl::verilog::EmittedModule) -> Vec<String> {
    let line = |found: &lsu_hdl::verilog::MemoryUse| {
        let reads = if found.reads == 1 { String::new() } else { format!(", {} read ports", found.reads) };
        let times = if found.copies == 1 { String::new() } else { format!(", {} times", found.copies) };
        let (block, name, memory) = (&module.block, &found.name, &found.memory);
        format!("    {block}.{name}: {memory}, {} words of {} bits{reads}{times}\n", found.words, found.width)
    };
    module.memories.iter().map(line).collect()
}

/// The error as the command says it, with what to do.
fn refused(error: &EmitError) -> CommandError {
    let help = match error {
        EmitError::UnknownBlock { name, preset, blocks } => Some(advice(name, preset, blocks)),
        EmitError::BadPrefix { .. } => Some(
            "a prefix is a letter, then letters, digits and underscores; without its last underscores it names the top: \
             --prefix lsu8_ gives lsu8"
                .to_owned(),
        ),
        EmitError::UnknownPreset(_) | EmitError::Refused(_) => None,
    };
    CommandError::Usage { message: error.to_string(), help }
}

/// What may have been meant by `name`, the likeliest first.
fn advice(name: &str, preset: &str, blocks: &[String]) -> String {
    let mut alike: Vec<(f64, &str)> = blocks
        .iter()
        .map(|block| (strsim::normalized_damerau_levenshtein(name, block), block.as_str()))
        .filter(|(likeness, block)| *likeness >= ALIKE || is_part(name, block))
        .collect();
    alike.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let names: Vec<&str> = alike.into_iter().take(MOST_SUGGESTED).map(|(_, block)| block).collect();
    let all = format!("`lsu verilog --preset {preset} --list` shows all blocks");
    if names.is_empty() { all } else { format!("did you mean {}? {all}", names.join(" or ")) }
}

/// Whether the words of `name` are some of those of `block`.
fn is_part(name: &str, block: &str) -> bool {
    !name.is_empty() && format!("_{block}_").contains(&format!("_{name}_"))
}
