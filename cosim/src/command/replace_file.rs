//! A file in the place of another, whole or not at all.

use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use super::CommandError;

/// Writes `text` to the file `path`: beside it first, and then in its place, so that neither a full disk nor a killed process leaves
/// a part of it there.
///
/// # Errors
/// The folder cannot be written, or is full.
pub(super) fn replace_file(path: &Path, text: &str) -> Result<(), CommandError> {
    let failed = |source| CommandError::Write { path: path.to_owned(), source };
    if path.metadata().is_ok_and(|there| !there.is_file()) {
        // A device or a pipe stays what it is.
        return std::fs::write(path, text).map_err(failed);
    }
    // What a link names is replaced, not the link.
    let linked = path.canonicalize();
    let path = linked.as_deref().unwrap_or(path);
    let readable = std::fs::Permissions::from_mode(0o666);
    let mut beside = tempfile::Builder::new().permissions(readable).tempfile_in(folder_of(path)).map_err(failed)?;
    beside.write_all(text.as_bytes()).map_err(failed)?;
    beside.as_file().sync_all().map_err(failed)?;
    beside.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// The folder that `path` stands in.
pub(super) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}
