//! `lint`: legality of every load and store in a file, or line by line.

use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};

use clap::Args;
use lsu_model::diagnostic::{Diagnostic, line_column, render};
use lsu_model::{ptx, sass};
use serde_json::{Value, json};

use crate::output::{self, Complaint};

use super::{ALL_WELL, REFUSED, UNUSABLE, dialect, json_lines};

/// Diagnostics that are shown at most; the rest are counted.
const MOST_SHOWN: usize = 1000;

/// Arguments of `lint`.
#[derive(Args, Clone, Debug)]
pub struct LintArgs {
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

/// Runs `lint`; returns the exit status.
pub fn lint(arguments: &LintArgs) -> i32 {
    let result = match &arguments.file {
        None => json_lines::answer_all(
            io::stdin().lock(),
            io::BufWriter::new(io::stdout().lock()),
            dialect(arguments.strict),
            arguments.unit,
        ),
        Some(file) => lint_file(file, arguments),
    };
    result.unwrap_or_else(|error| {
        output::complain(error.to_string());
        UNUSABLE
    })
}

/// What a file holds, in its order.
#[derive(Default)]
struct Tally {
    accepted: usize,
    refused: usize,
    /// Those of the accepted that this version of the unit does not serve.
    not_served: usize,
    warned: usize,
    shown: Vec<Diagnostic>,
    hidden: usize,
}

impl Tally {
    /// Keeps a diagnostic to show, or counts it.
    fn keep(&mut self, diagnostic: Diagnostic) {
        if !diagnostic.is_error() {
            self.warned += 1;
        }
        if self.shown.len() < MOST_SHOWN { self.shown.push(diagnostic) } else { self.hidden += 1 }
    }
}

/// Judges one file and reports; the exit status.
fn lint_file(file: &Path, arguments: &LintArgs) -> io::Result<i32> {
    let name = file.display().to_string();
    let is = |ending: &str| file.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending));
    let is_sass = is("sass");
    if !is_sass && !is("ptx") {
        output::error(Complaint {
            message: format!("{name} is neither FILE.ptx nor FILE.sass"),
            help: Some("a PTX module ends in .ptx, a listing of nvdisasm or cuobjdump in .sass: rename it".to_owned()),
        });
        return Ok(UNUSABLE);
    }
    let bytes = std::fs::read(file).map_err(|error| io::Error::new(error.kind(), format!("{name}: {error}")))?;
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let offset = error.utf8_error().valid_up_to();
            let line = error.as_bytes()[..offset].iter().filter(|byte| **byte == b'\n').count() + 1;
            output::complain(format!("{name}:{line}: byte {offset} is not UTF-8; the file is no text"));
            return Ok(UNUSABLE);
        }
    };
    if text.trim().is_empty() {
        output::complain(format!("{name}: the file is empty: there is nothing to judge"));
        return Ok(UNUSABLE);
    }
    let (tally, has_broken_file) = if is_sass { tally_sass(&text) } else { tally_ptx(&text, arguments) };
    let is_all_served = !arguments.unit || tally.not_served == 0;
    let status = if tally.refused > 0 || has_broken_file || !is_all_served { REFUSED } else { ALL_WELL };
    if arguments.json {
        output::print_line(report_json(&name, &text, &tally));
        return Ok(status);
    }
    let colour = io::stdout().is_terminal();
    for diagnostic in &tally.shown {
        output::print_line(render(diagnostic, &name, &text, colour));
    }
    if tally.hidden > 0 {
        output::print_line(format_args!("… and {} more", tally.hidden));
    }
    let subject = if is_sass { "constant loads" } else { "loads and stores" };
    let Tally { accepted, refused, not_served, warned, .. } = tally;
    let total = accepted + refused;
    let which = if not_served > 0 && !arguments.unit { " (--unit shows them)" } else { "" };
    output::print_line(format_args!(
        "{name}: {total} {subject}: {accepted} legal, {refused} refused; warnings: {warned}; \
         legal, but not served by this version of the unit: {not_served}{which}"
    ));
    Ok(status)
}

/// Judges a PTX module; the second value says whether the module itself is broken.
fn tally_ptx(text: &str, arguments: &LintArgs) -> (Tally, bool) {
    let mut tally = Tally::default();
    let module = ptx::lint(text, dialect(arguments.strict), &mut |judged| {
        if judged.verdict.is_accepted() {
            tally.accepted += 1
        } else {
            tally.refused += 1
        }
        if let Some(reason) = judged.not_served {
            tally.not_served += 1;
            if arguments.unit {
                tally.keep(reason);
            }
        }
        // The first error decides; the others most often say the same again.
        judged.verdict.errors.into_iter().take(1).chain(judged.verdict.warnings).for_each(|one| tally.keep(one));
    });
    let is_broken = module.remarks.iter().any(Diagnostic::is_error);
    module.remarks.into_iter().for_each(|remark| tally.keep(remark));
    tally.shown.sort_by_key(|diagnostic| diagnostic.span.start);
    (tally, is_broken)
}

/// Judges a SASS listing; the second value says whether the listing itself is broken.
fn tally_sass(text: &str) -> (Tally, bool) {
    let mut tally = Tally::default();
    let listing = sass::lint(text);
    let is_broken = listing.remarks.iter().any(Diagnostic::is_error);
    listing.remarks.into_iter().for_each(|remark| tally.keep(remark));
    for finding in listing.findings {
        match finding.refusal {
            None => tally.accepted += 1,
            Some(refusal) => {
                tally.refused += 1;
                tally.keep(refusal);
            }
        }
    }
    (tally, is_broken)
}

/// The report as one JSON document.
fn report_json(name: &str, text: &str, tally: &Tally) -> Value {
    let findings = tally.shown.iter().map(|diagnostic| {
        let (line, column) = line_column(text, diagnostic.span.start);
        json!({
            "line": line,
            "column": column,
            "severity": if diagnostic.is_error() { "error" } else { "warning" },
            "rule": diagnostic.rule,
            "message": diagnostic.message,
            "help": diagnostic.help,
        })
    });
    json!({
        "file": name,
        "accepted": tally.accepted,
        "refused": tally.refused,
        "served": tally.accepted - tally.not_served,
        "not_served": tally.not_served,
        "warnings": tally.warned,
        "findings": findings.collect::<Vec<_>>(),
        "findings_left_out": tally.hidden,
    })
}
