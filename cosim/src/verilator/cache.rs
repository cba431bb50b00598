//! The cache folder: where an installed Verilator, its compiled run-time library and built models are kept.
//!
//! An entry is a folder named by a hash of everything that it was made from. It is made in a temporary folder beside
//! its place and renamed there when whole, so that a process that is killed leaves no half entry; a lock file per
//! entry makes a second process wait for the first instead of doing the same work; and a manifest of checksums lets
//! a damaged entry be recognised and made again.

use std::env;
use std::fmt::Write as _;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::error::Error;
use crate::interrupt;

/// Name of the file in every entry that lists `SHA-256  NAME` of its other files.
const MANIFEST: &str = "manifest";

/// How long to wait before a lock that another process holds is tried again.
const LOCK_INTERVAL: Duration = Duration::from_millis(50);

/// A cache folder.
#[derive(Clone, Debug)]
pub struct Cache {
    root: PathBuf,
}

impl Cache {
    /// The user's: `$XDG_CACHE_HOME/lsu`, or `$HOME/.cache/lsu`. Nothing is created yet.
    ///
    /// # Errors
    /// [`Error::NoCacheFolder`] when neither variable is set.
    pub fn user() -> Result<Cache, Error> {
        let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let base = match absolute("XDG_CACHE_HOME") {
            Some(base) => base,
            None => absolute("HOME").ok_or(Error::NoCacheFolder)?.join(".cache"),
        };
        Ok(Cache { root: base.join("lsu") })
    }

    /// A cache in the folder `root`, which is created when first needed.
    pub fn at(root: impl Into<PathBuf>) -> Cache {
        Cache { root: root.into() }
    }

    /// The folder of this cache.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where the entry `key` of the group `kind` stands once it is made.
    pub(super) fn place(&self, kind: &str, key: &str) -> PathBuf {
        self.root.join(kind).join(key)
    }

    /// The folder of the entry `key` of the group `kind`; where `is_whole` refuses what is there (or nothing is),
    /// `fill` makes it in the empty folder that it is given. What `fill` leaves there is the entry.
    pub(super) fn entry(
        &self,
        kind: &str,
        key: &str,
        is_whole: impl Fn(&Path) -> bool,
        fill: impl FnOnce(&Path) -> Result<(), Error>,
    ) -> Result<PathBuf, Error> {
        let place = self.place(kind, key);
        if is_whole(&place) {
            return Ok(place);
        }
        let group = self.root.join(kind);
        fs::create_dir_all(&group).map_err(|source| Error::cache("create", &group, source))?;
        let lock = lock(&group.join(format!(".{key}.lock")))?;
        if is_whole(&place) {
            return Ok(place); // another process made it while this one waited
        }
        let prefix = format!(".{key}-");
        if lock.is_some() {
            // Nobody else can be working on this key, so what is there was left by a process that was killed.
            remove_left_over(&group, &prefix);
        }
        if place.exists() {
            fs::remove_dir_all(&place).map_err(|source| Error::cache("remove the damaged", &place, source))?;
        }
        let work = tempfile::Builder::new()
            .prefix(&prefix)
            .tempdir_in(&group)
            .map_err(|source| Error::cache("create a folder in", &group, source))?;
        fill(work.path())?;
        sync_files(work.path())?;
        let work = work.keep();
        match fs::rename(&work, &place) {
            Ok(()) => {}
            // Only without locks can another process have been first; then its entry is as good as ours.
            Err(_) if is_whole(&place) => drop(fs::remove_dir_all(&work)),
            Err(source) => return Err(Error::cache("move a finished entry to", &place, source)),
        }
        sync_folder(&group);
        Ok(place)
    }
}

/// Takes the lock file `path`, waiting for whoever holds it. `None` on a file system without locks: entries are
/// still whole there, only work may be done twice. The lock goes with the file handle, also when the process dies.
fn lock(path: &Path) -> Result<Option<File>, Error> {
    let file = File::create(path).map_err(|source| Error::cache("create", path, source))?;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Some(file)),
            Err(TryLockError::WouldBlock) if !interrupt::is_requested() => std::thread::sleep(LOCK_INTERVAL),
            Err(TryLockError::Error(source)) if source.kind() == io::ErrorKind::Unsupported => return Ok(None),
            Err(cause) => return Err(Error::cache("lock", path, cause.into())),
        }
    }
}

/// Removes what killed processes left in `group`. Failing to is harmless: only space is lost.
fn remove_left_over(group: &Path, prefix: &str) {
    for entry in fs::read_dir(group).into_iter().flatten().flatten() {
        let is_left_over = entry.file_name().to_str().is_some_and(|name| name.starts_with(prefix));
        if is_left_over {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Forces the files directly in `folder` to the disk, so that the rename that follows never precedes its contents.
fn sync_files(folder: &Path) -> Result<(), Error> {
    let failed = |source| Error::cache("write", folder, source);
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_file() {
            File::open(&path).and_then(|file| file.sync_all()).map_err(failed)?;
        }
    }
    sync_folder(folder);
    Ok(())
}

/// Forces the names in `folder` to the disk, where the system can: losing them costs a rebuild, nothing else.
fn sync_folder(folder: &Path) {
    if let Ok(handle) = File::open(folder) {
        let _ = handle.sync_all();
    }
}

/// The SHA-256 of `bytes` in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        let _ = write!(text, "{byte:02x}"); // writing to a String cannot fail
    }
    text
}

/// Writes `folder`'s manifest over the files `names` in it and over the files `outside` it.
pub(super) fn write_manifest(folder: &Path, names: &[&str], outside: &[PathBuf]) -> Result<(), Error> {
    let mut text = String::new();
    for path in names.iter().map(PathBuf::from).chain(outside.iter().cloned()) {
        let file = folder.join(&path); // an absolute path stays what it is
        let bytes = fs::read(&file).map_err(|source| Error::cache("read", &file, source))?;
        let _ = writeln!(text, "{}  {}", sha256(&bytes), path.display());
    }
    let manifest = folder.join(MANIFEST);
    fs::write(&manifest, text).map_err(|source| Error::cache("write", &manifest, source))
}

/// True when `folder` has a manifest and every file in it is there with the checksum given.
pub(super) fn matches_manifest(folder: &Path) -> bool {
    let Ok(text) = fs::read_to_string(folder.join(MANIFEST)) else {
        return false;
    };
    !text.is_empty()
        && text.ends_with('\n')
        && text.lines().all(|line| {
            line.split_once("  ").is_some_and(|(expected, path)| {
                fs::read(folder.join(path)).is_ok_and(|bytes| sha256(&bytes) == expected)
            })
        })
}
