//! `lsu merge`: the results of shards as one.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::campaign::{Findings, ShardProgress, Verb};
use crate::output;

use super::coverage_report::CoverageReport;
use super::{CommandError, Status, findings_file};

/// Arguments of `lsu merge`.
#[derive(Clone, Debug, clap::Args)]
pub struct MergeArguments {
    /// What the shards of one check have found: files of `check --results`, of `check --json`, or of `merge --json`; or of `cover --results`.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print one JSON document, as `check --json` or `cover --json` does.
    #[arg(long)]
    json: bool,
}

/// Prints the sum of the files, and which shards are missing in it.
///
/// # Errors
/// A file cannot be used, or does not belong to the others.
pub fn merge(arguments: &MergeArguments) -> Result<Status, CommandError> {
    let mut seen = HashSet::new();
    let mut sum: Option<Findings> = None;
    for path in &arguments.files {
        let findings =
            findings_file::read(path)?.ok_or_else(|| findings_file::unusable(path, "there is no such file"))?;
        if !seen.insert(path) {
            return Err(findings_file::unusable(path, "named twice"));
        }
        match &mut sum {
            None => sum = Some(findings),
            Some(sum) => sum.merge(findings).map_err(|unlike| apart(path, &arguments.files, &unlike))?,
        }
    }
    // The command line asks for one file at least.
    let Some(sum) = sum else { return Ok(Status::Well) };
    let unfinished = sum.unfinished();
    let mut is_plan_wrong = false;
    match (sum.campaign.command, arguments.json) {
        (Verb::Check, true) => output::print_line(serde_json::json!(sum)),
        (Verb::Check, false) => output::print_line(&sum),
        (Verb::Cover | Verb::CoverRtl, is_json) => {
            let report =
                CoverageReport::read(&sum).map_err(|reason| findings_file::unusable(&arguments.files[0], &reason))?;
            is_plan_wrong = report.contradicts_plan();
            report.print(is_json);
        }
    }
    for ShardProgress { shard, cases, .. } in &unfinished {
        match cases {
            0 => output::message_line(format_args!("shard {shard} is missing")),
            _ => output::message_line(format_args!("shard {shard} ended early, after {cases} cases")),
        }
    }
    if let Some(repro) = &sum.repro {
        output::message_line(format_args!("a failing program is saved at {repro}"));
    }
    Ok(match (sum.mismatches + u64::from(is_plan_wrong), unfinished.is_empty()) {
        (0, true) => Status::Well,
        (0, false) => Status::Interrupted,
        _ => Status::Failed,
    })
}

/// `path` does not belong to those named before it.
fn apart(path: &Path, files: &[PathBuf], unlike: &crate::campaign::Unlike) -> CommandError {
    let before = files.iter().take_while(|file| *file != path).map(|file| file.display().to_string());
    let before = before.collect::<Vec<_>>().join(", ");
    CommandError::Usage {
        message: format!("{before} and {}: {unlike}", path.display()),
        help: Some("merge the shards of one check, each once".to_owned()),
    }
}
