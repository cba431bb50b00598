//! A file in the place of another, whole or not at all.

use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use super::CommandError;

/// Links that lead from one to the next at most, as of the system.
const MOST_LINKS: usize = 40;

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
    let path = &behind_links(path);
    let readable = std::fs::Permissions::from_mode(0o666);
    let mut beside = tempfile::Builder::new().permissions(readable).tempfile_in(folder_of(path)).map_err(failed)?;
    beside.write_all(text.as_bytes()).map_err(failed)?;
    beside.as_file().sync_all().map_err(failed)?;
    beside.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// What `path` names by way of links, which need not be there yet: that is replaced, not the link.
fn behind_links(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match path.read_link() {
            Ok(target) => path = folder_of(&path).join(target),
            Err(_) => break,
        }
    }
    path
}

/// The folder that `path` stands in.
pub(super) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn what_a_link_names_is_replaced_and_the_link_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        std::fs::create_dir(path("far")).expect("a folder");
        symlink("second", path("first")).expect("a link");
        symlink("far/file", path("second")).expect("a link");
        // The file is not there at first, and then it is.
        for text in ["one", "two"] {
            replace_file(&path("first"), text).expect("writable");
            assert_eq!(std::fs::read_to_string(path("far/file")).expect("there"), text);
            assert!(path("first").is_symlink() && path("second").is_symlink());
        }
    }
}
