//! The C++ compiler: which one, and how a set of files goes through it on two cores.

use std::collections::VecDeque;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::error::{Error, says_disk_full};
use crate::interrupt;

/// Compilers that run at once: the memory of a laptop allows two on the files that Verilator writes.
const PARALLEL: usize = 2;

/// What GCC need not look for in a model: the code of a cycle is long and straight, stores nearly every value where another statement reads
/// it, and has few loops. Compiling it takes two thirds of the time without these, and no difference in speed was seen.
const IN_VAIN: &[&str] = &[
    "-fno-code-hoisting",
    "-fno-gcse",
    "-fno-ipa-icf",
    "-fno-schedule-insns2",
    "-fno-thread-jumps",
    "-fno-tree-dominator-opts",
    "-fno-tree-dse",
    "-fno-tree-pre",
    "-fno-tree-slp-vectorize",
    "-fno-tree-sra",
    "-fno-tree-vrp",
    "--param=sccvn-max-alias-queries-per-access=50",
];

/// Lines of a compiler's error output that are shown.
const SHOWN_LINES: usize = 30;

/// A C++ compiler that answers.
#[derive(Clone, Debug)]
pub struct Compiler {
    /// The program and the arguments that come before all others (`CXX` may hold `ccache g++`).
    command: Vec<String>,
    /// What it says of itself.
    identity: String,
}

/// One file to compile.
pub(super) struct Unit {
    /// The C++ file.
    pub(super) source: PathBuf,
    /// The object file to write.
    pub(super) object: PathBuf,
    /// Optimisation, such as `-O2`.
    pub(super) optimise: &'static str,
}

impl Compiler {
    /// `$CXX` where set, else the first of `c++`, `g++` and `clang++` that runs.
    ///
    /// # Errors
    /// [`Error::CompilerMissing`].
    pub fn find() -> Result<Compiler, Error> {
        let chosen = env::var("CXX").ok().filter(|text| !text.trim().is_empty());
        let candidates: Vec<String> = match &chosen {
            Some(command) => vec![command.clone()],
            None => ["c++", "g++", "clang++"].map(str::to_owned).to_vec(),
        };
        for candidate in &candidates {
            let command: Vec<String> = candidate.split_whitespace().map(str::to_owned).collect();
            let output = Command::new(&command[0]).args(&command[1..]).arg("--version").output();
            if let Ok(output) = output
                && output.status.success()
            {
                let identity = format!("{candidate}: {}", String::from_utf8_lossy(&output.stdout).trim());
                return Ok(Compiler { command, identity });
            }
        }
        let looked_for = match chosen {
            Some(command) => format!("`{command}`, which CXX names"),
            None => "`c++`, `g++` and `clang++` in PATH".to_owned(),
        };
        Err(Error::CompilerMissing { looked_for })
    }

    /// What tells this compiler from another: part of every cache key.
    pub(super) fn identity(&self) -> &str {
        &self.identity
    }

    /// Flags for every C++ file of a model and of the run-time library.
    ///
    /// Everything is hidden but what is exported by name: two models in one process, also of two versions of
    /// Verilator, must not share symbols (GCC's "unique" ones would be shared even so, hence the last flag).
    pub(super) fn flags(&self) -> Vec<&'static str> {
        let mut flags = vec!["-std=gnu++17", "-fPIC", "-fvisibility=hidden", "-pthread", "-pipe", "-w"];
        if !self.identity.contains("clang") {
            flags.push("-fno-gnu-unique");
            flags.extend(IN_VAIN);
        }
        flags
    }

    /// Compiles all `units` with `flags`, the first of them first, two at a time.
    pub(super) fn compile(&self, units: Vec<Unit>, flags: &[OsString]) -> Result<(), Error> {
        let queue = Mutex::new(VecDeque::from(units));
        let take = || queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let work = || {
            while let Some(unit) = take() {
                let mut command = self.command();
                command.args(flags).arg(unit.optimise).arg("-c").arg(&unit.source).arg("-o").arg(&unit.object);
                if let Err(error) = run(&mut command, &unit.object) {
                    queue.lock().unwrap_or_else(PoisonError::into_inner).clear();
                    return Err(error);
                }
            }
            Ok(())
        };
        let results: Vec<Result<(), Error>> = thread::scope(|scope| {
            let workers: Vec<_> = (0..PARALLEL).map(|_| scope.spawn(work)).collect();
            workers
                .into_iter()
                .map(|worker| worker.join().unwrap_or_else(|cause| std::panic::resume_unwind(cause)))
                .collect()
        });
        results.into_iter().collect()
    }

    /// Links `objects` into the shared library `library`. A name that nothing defines is an error here, not at the
    /// first call.
    pub(super) fn link(&self, objects: &[PathBuf], library: &Path) -> Result<(), Error> {
        let mut command = self.command();
        command.args(["-shared", "-fPIC", "-pthread"]);
        if cfg!(target_os = "linux") {
            command.arg("-Wl,--no-undefined");
        }
        command.args(objects).arg("-o").arg(library);
        run(&mut command, library)
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.command[0]);
        // Messages are searched for known phrases, so they must not be translated.
        command.args(&self.command[1..]).env("LC_ALL", "C");
        command
    }
}

/// Runs a compiler; `written` is the file it should write.
fn run(command: &mut Command, written: &Path) -> Result<(), Error> {
    let output = interrupt::output(command);
    let shown = || format!("{command:?}");
    match output {
        Ok(output) if output.status.success() && written.is_file() => Ok(()),
        Ok(output) if output.status.success() => Err(Error::CompileFailed {
            command: shown(),
            message: format!("it ended well, and wrote no file {}", written.display()),
        }),
        Ok(output) => {
            let stderr = String::from_utf8_lossy(&output.stderr);
            if says_disk_full(&stderr) {
                return Err(Error::DiskFull { path: written.to_owned() });
            }
            let lines: Vec<&str> = stderr.lines().take(SHOWN_LINES).collect();
            let message = if lines.is_empty() { output.status.to_string() } else { lines.join("\n") };
            Err(Error::CompileFailed { command: shown(), message })
        }
        Err(source) => Err(Error::CompileFailed { command: shown(), message: source.to_string() }),
    }
}
