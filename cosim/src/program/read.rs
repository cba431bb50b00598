//! From the text of a program file to a [`Program`]: every value checked, every mistake with its place.
//!
//! | file | part |
//! |---|---|
//! | `reader` | the text, what it says of itself, and what its values are in each lane |
//! | `values` | single numbers |
//! | `configuration` | windows, mode, banks, and changes of them |
//! | `memory` | initial contents and dumps |
//! | `traffic` | the surroundings |
//! | `operation` | operations |

mod configuration;
mod memory;
mod operation;
mod reader;
mod traffic;
mod values;

use std::path::Path;

pub use reader::{MOST_SMS, Overrides};

use super::file::File;
use super::{Dump, MemoryBlock, Mistake, Program, ProgramError, Reset, bytes_of_thread};
use crate::input_file;

use configuration::{is_compute, param_offset, refuse_local_beyond_room};
use memory::refuse_hidden;
use reader::Reader;
use traffic::{breach, traffic};
use values::{too_large_for_toml, within};

/// Bytes that the dumps of a program have together at most.
const MOST_DUMPED: u64 = 16 << 20;

/// Reads the program file at `path`.
///
/// # Errors
/// [`ProgramError::Unreadable`] if there is no such text file, else as [`read`].
pub fn read_file(path: &Path, overrides: Overrides) -> Result<Program, ProgramError> {
    let name = path.display().to_string();
    let text = match input_file::read_text(path, input_file::LARGEST) {
        Ok(text) => text,
        Err(error) => return Err(ProgramError::Unreadable { file: name, reason: error.to_string() }),
    };
    read(&text, &name, overrides)
}

/// Reads `text`, the contents of the program file called `name`.
///
/// # Errors
/// [`ProgramError::Wrong`] with the first mistake.
pub fn read(text: &str, name: &str, overrides: Overrides) -> Result<Program, ProgramError> {
    let parsed: Result<File, Mistake> = toml::from_str(text).map_err(|error| {
        let span = error.span().unwrap_or(0..0);
        let mut message = error.message().trim_end().replace('\n', "; ");
        for (type_name, plain) in PLAIN_NAMES {
            message = message.replace(type_name, plain);
        }
        too_large_for_toml(text, &span).unwrap_or_else(|| Mistake::new(span, message))
    });
    parsed
        .and_then(|file| program(&Reader::new(text, overrides, &file)?, &file))
        .map_err(|mistake| ProgramError::wrong(name, text, mistake))
}

/// What TOML's reader calls by the names of Rust, and what they are in a file.
const PLAIN_NAMES: [(&str, &str); 4] = [
    ("expected i64", "expected an integer"),
    ("expected a map", "expected a table"),
    ("expected a sequence", "expected a list"),
    ("invalid type: sequence", "invalid type: list"),
];

/// The whole program.
fn program(reader: &Reader<'_>, file: &File) -> Result<Program, Mistake> {
    let mut program = Program {
        target: reader.target.clone(),
        ptx_version: reader.ptx_version.clone(),
        sms: reader.sms,
        traffic: traffic(file)?,
        breach: breach(file)?,
        failing: reader.failing(file)?,
        compute: file.mode.as_ref().map(is_compute).transpose()?.unwrap_or(true),
        ..Program::empty(reader.preset)
    };
    for table in &file.reset {
        let cycle = within(&table.cycle, 1..=i64::MAX, "cycle")? as u64;
        if program.resets.iter().any(|reset| reset.cycle == cycle) {
            return Err(Mistake::new(table.cycle.span(), format!("there are two resets in cycle {cycle}"))
                .with_help("leave one of them out, or give it another cycle"));
        }
        program.resets.push(Reset { cycle, memory: table.memory.unwrap_or(false), banks: table.banks.unwrap_or(true) });
    }
    for table in &file.bank {
        program.banks.push(reader.bank(table.get_ref())?);
    }
    if let Some(window) = &file.window {
        program.window = reader.window(window)?;
        if let Some(offset) = &window.param_offset {
            program.param_offset = param_offset(offset)?;
        }
    }
    refuse_local_beyond_room(&program, file)?;
    let thread_bytes = bytes_of_thread(&reader.preset, program.windows(0).local.size);
    for table in &file.memory {
        if let (space, address, bytes, Some(contents)) = reader.memory(table, true, thread_bytes)? {
            refuse_hidden(table, &program, space, address, bytes)?;
            program.memory.push(MemoryBlock { space, address, bytes, contents });
            reader.check_params(file, table, &program)?;
        }
    }
    program.add_param_bank();
    let mut dumped = 0;
    for table in &file.dump {
        let (space, address, bytes, contents) = reader.memory(table, false, thread_bytes)?;
        if contents.is_some() {
            return Err(Mistake::new(table.span(), "[[dump]] gives contents")
                .with_help("give space, address and bytes only; the contents come out of the run"));
        }
        refuse_hidden(table, &program, space, address, bytes)?;
        dumped = bytes.saturating_add(dumped);
        if dumped > MOST_DUMPED {
            return Err(Mistake::new(table.span(), format!("the dumps have {dumped} bytes together"))
                .with_help(format!("at most {MOST_DUMPED} are printed")));
        }
        program.dumps.push(Dump { space, address, bytes });
    }
    for table in &file.op {
        program.ops.push(reader.operation(table)?);
    }
    if let Some(op) = program.stale_banks() {
        let message = "banks change, and a unit may still have words of the old ones in its constant cache";
        return Err(Mistake::new(file.op[op].span(), message).with_help(
            "give this change to an invalidate_const, and put one of each other unit behind it, with change = { }",
        ));
    }
    Ok(program)
}
