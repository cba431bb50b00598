//! A file in the place of another, whole or not at all.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use super::CommandError;

/// Writes `text` to the file `path`: beside it first, and then in its place, so that neither a full disk nor a killed process leaves
/// a part of it there.
///
/// # Errors
/// The folder cannot be written, or is full.
pub(super) fn replace_file(path: &Path, text: &str) -> Result<(), CommandError> {
    let mut beside = path.as_os_str().to_owned();
    // Two processes that write the same file do not meet.
    beside.push(format!(".{}.part", std::process::id()));
    let write = || {
        let mut file = File::create(&beside)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        std::fs::rename(&beside, path)
    };
    write().map_err(|source| {
        // It may not even have come to be.
        let _ = std::fs::remove_file(&beside);
        CommandError::Write { path: path.to_owned(), source }
    })
}
