//! Files that hold what was found: those of `check --results` and `cover --results`, or what `check --json` printed of a shard.

use std::io::ErrorKind;
use std::path::Path;

use crate::campaign::Findings;
use crate::{input_file, output};

use super::replace_file::replace_file;
use super::{CommandError, Status};

/// The findings in `path`; `None` if there is no such file.
///
/// # Errors
/// It cannot be read, or holds something else.
pub(super) fn read(path: &Path) -> Result<Option<Findings>, CommandError> {
    let text = match input_file::read_text(path, input_file::LARGEST) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unusable(path, &error.to_string())),
    };
    match serde_json::from_str::<Findings>(&text) {
        Ok(findings) => match findings.contradiction() {
            Some(contradiction) => Err(unusable(path, &contradiction)),
            None => Ok(Some(findings)),
        },
        Err(error) => Err(unusable(path, &format!("not what a check found: {error}"))),
    }
}

/// Writes the findings into `path`, whole or not at all.
///
/// # Errors
/// The folder cannot be written, or is full.
pub(super) fn write(path: &Path, findings: &Findings) -> Result<(), CommandError> {
    let text = serde_json::to_string(findings).map_err(|error| unusable(path, &error.to_string()))?;
    replace_file(path, &format!("{text}\n"))
}

/// Writes what a whole run has found, and printed, if there is a `path`; the status that it ends with. A failure that has been found stays
/// one, and an interrupt too, whether or not it can be written.
///
/// # Errors
/// As [`write`], but for these: what was found is lost then.
pub(super) fn keep(path: Option<&Path>, findings: &Findings, status: Status) -> Result<Status, CommandError> {
    match path.map_or(Ok(()), |path| write(path, findings)) {
        Err(error) if status != Status::Well => {
            output::error(error);
            Ok(status)
        }
        written => written.map(|()| status),
    }
}

/// `path` cannot be used, for this reason.
pub(super) fn unusable(path: &Path, reason: &str) -> CommandError {
    CommandError::Usage {
        message: format!("{}: {reason}", path.display()),
        help: Some("give a file that --results of `lsu check` or `lsu cover` has written, or `lsu check --shard I/N --json > FILE`".to_owned()),
    }
}
