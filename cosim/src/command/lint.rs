//! `lint`: legality of every load and store in a file, or line by line.

use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};

use clap::Args;
use lsu_judge::json_lines;
use lsu_judge::lint::{Kind, lint as judge};

use super::{CommandError, Status, dialect};
use crate::{input_file, output};

/// Arguments of `lint`.
#[derive(Args, Clone, Debug)]
pub struct LintArguments {
    /// PTX module (FILE.ptx), or listing of nvdisasm or cuobjdump (FILE.sass).
    #[arg(required_unless_present = "jsonl")]
    pub file: Option<PathBuf>,
    /// Read one JSON object per line on stdin and answer each with one on stdout; cosim/docs/lint.md has their keys.
    #[arg(long, conflicts_with = "file")]
    pub jsonl: bool,
    /// Ask also that this version of the unit serves what is legal.
    #[arg(long)]
    pub unit: bool,
    /// Follow the documents to the letter instead of NVIDIA's assembler.
    #[arg(long)]
    pub strict: bool,
    /// Print one JSON document instead of text.
    #[arg(long, conflicts_with = "jsonl")]
    pub json: bool,
}

/// Runs `lint`.
///
/// # Errors
/// The file, or what comes on stdin, cannot be read as text; the answers cannot be written.
pub fn lint(arguments: &LintArguments) -> Result<Status, CommandError> {
    match &arguments.file {
        None => {
            let (input, output) = (io::stdin().lock(), io::BufWriter::new(io::stdout().lock()));
            let outcome = json_lines::answer_all(input, output, dialect(arguments.strict), arguments.unit);
            Ok(outcome.map_err(|error| unusable(error.to_string(), None))?.into())
        }
        Some(file) => lint_file(file, arguments),
    }
}

/// Judges one file and reports.
fn lint_file(file: &Path, arguments: &LintArguments) -> Result<Status, CommandError> {
    let name = file.display().to_string();
    let is = |ending: &str| file.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending));
    let kind = match (is("ptx"), is("sass")) {
        (true, _) => Kind::Ptx,
        (_, true) => Kind::Sass,
        _ => {
            let help = "a PTX module ends in .ptx, a listing of nvdisasm or cuobjdump in .sass: rename it";
            return Err(unusable(format!("{name} is neither FILE.ptx nor FILE.sass"), Some(help)));
        }
    };
    let bytes =
        input_file::read(file, input_file::LARGEST).map_err(|error| unusable(format!("{name}: {error}"), None))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..offset].iter().filter(|byte| **byte == b'\n').count() + 1;
        unusable(format!("{name}:{line}: byte {offset} is not UTF-8; the file is no text"), None)
    })?;
    let text = input_file::without_mark(text);
    if text.trim().is_empty() {
        return Err(unusable(format!("{name}: the file is empty: there is nothing to judge"), None));
    }
    let judgement = judge(&text, kind, dialect(arguments.strict), arguments.unit);
    if arguments.json {
        output::print_line(judgement.json(&name, &text));
    } else {
        judgement.in_words(&name, &text, io::stdout().is_terminal()).for_each(output::print_line);
    }
    Ok(judgement.outcome().into())
}

fn unusable(message: String, help: Option<&str>) -> CommandError {
    CommandError::Usage { message, help: help.map(str::to_owned) }
}
