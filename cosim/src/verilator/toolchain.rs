//! Finds Verilator.
//!
//! The crate `verilator` (verilator-rs 0.1.6, of 2021) is used for what works in it: `find_verilator_root`, which
//! asks the `verilator_bin` in PATH where its include files are. The rest of this module and of the build is ours:
//! * its `verilator_version` expects one digit, a dot and three digits; the PyPI wheel prints no number at all, and a
//!   missing version must not be taken for an old one. Ours reads `include/verilated_config.h` and tries the program;
//! * its builder `gen::Verilator` names the C++ files that Verilator 4 wrote (`V<top>__Slow.cpp`, …); no 5.x writes
//!   those. It also panics on every error, reads Cargo's build-script variables, and leaves out the run-time library;
//! * its `module::ModuleGenerator` binds ports by one C++ call each, from annotations in Rust source, against a crate
//!   (`verilated`) that was written for Verilator 3; ours makes one call per clock cycle and asks the generated header.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::cache::{Cache, sha256};
use super::compiler::Compiler;
use super::error::Error;
use super::install::{self, OLDEST};
use crate::output;

/// How a Verilator was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Named by the caller: `--verilator DIR`.
    Named,
    /// `VERILATOR_ROOT` in the environment.
    Environment,
    /// Installed by this tool, now or earlier.
    Installed,
    /// In `PATH`.
    Path,
}

/// A Verilator that runs.
#[derive(Clone, Debug)]
pub struct Verilator {
    root: PathBuf,
    binary: PathBuf,
    origin: Origin,
    version: Option<String>,
    identity: String,
}

/// Verilator, the C++ compiler and the cache: all that a build needs.
#[derive(Clone, Debug)]
pub struct Toolchain {
    /// The Verilator found.
    pub verilator: Verilator,
    /// The C++ compiler found.
    pub compiler: Compiler,
    /// Where builds are kept.
    pub cache: Cache,
}

impl Toolchain {
    /// Finds a C++ compiler and a Verilator: in `named` when given, else in `VERILATOR_ROOT`, else one that this tool
    /// has installed in `cache`, else in `PATH`; else installs one in `cache`, and says so on stderr.
    ///
    /// A folder that the user named must do: it is an error when it does not. One in `PATH` that is too old is passed
    /// over with a line on stderr.
    ///
    /// # Errors
    /// Those about the compiler, the folders named, the installation and the cache; see [`Error`].
    pub fn find(named: Option<&Path>, cache: Cache) -> Result<Toolchain, Error> {
        let compiler = Compiler::find()?;
        let verilator = find_verilator(named, &cache)?;
        Ok(Toolchain { verilator, compiler, cache })
    }
}

fn find_verilator(named: Option<&Path>, cache: &Cache) -> Result<Verilator, Error> {
    let variable = env::var_os("VERILATOR_ROOT").filter(|value| !value.is_empty()).map(PathBuf::from);
    let by_user = match (named, &variable) {
        (Some(dir), _) => Some(("`--verilator`", dir, Origin::Named)),
        (None, Some(dir)) => Some(("VERILATOR_ROOT", dir.as_path(), Origin::Environment)),
        (None, None) => None,
    };
    if let Some((named_by, dir, origin)) = by_user {
        let Some((root, binary)) = locate(dir) else {
            return Err(Error::NotVerilator { named_by, dir: dir.to_owned() });
        };
        return Verilator::open(root, binary, origin);
    }
    let place = install::place(cache);
    if place.is_dir() {
        return installed(place);
    }
    if let Some((root, binary)) = ::verilator::find_verilator_root().and_then(|root| binary_of(root, None)) {
        match Verilator::open(root, binary, Origin::Path) {
            Err(Error::VerilatorTooOld { root, found, .. }) => {
                let root = root.display();
                output::message_line(format_args!("lsu: passing over Verilator {found} of {root}, which is too old"));
            }
            Err(Error::VerilatorBroken { binary, reason }) => {
                let binary = binary.display();
                output::message_line(format_args!("lsu: passing over {binary}, which does not run: {reason}"));
            }
            result => return result,
        }
    }
    installed(install::install(cache)?)
}

/// The Verilator that this tool has installed in the folder `place`.
fn installed(place: PathBuf) -> Result<Verilator, Error> {
    let damaged = |reason: String| Error::InstallationDamaged { place: place.clone(), reason };
    let Some((root, binary)) = locate(&place) else {
        return Err(damaged("`verilator_bin` or `include/verilated.cpp` is missing".to_owned()));
    };
    Verilator::open(root, binary, Origin::Installed).map_err(|error| match error {
        Error::VerilatorBroken { reason, .. } => damaged(format!("`verilator_bin` does not run: {reason}")),
        other => other,
    })
}

/// The VERILATOR_ROOT and the program in `dir`, which may be that root itself, an installation prefix, or a Python
/// environment that holds the wheel.
fn locate(dir: &Path) -> Option<(PathBuf, PathBuf)> {
    let mut roots = vec![dir.to_owned(), dir.join("share/verilator")];
    let mut pythons: Vec<_> = fs::read_dir(dir.join("lib")).into_iter().flatten().flatten().map(|e| e.path()).collect();
    pythons.sort();
    roots.extend(pythons.into_iter().map(|python| python.join("site-packages/verilator")));
    let root = roots.into_iter().find(|root| root.join("include/verilated.cpp").is_file())?;
    binary_of(root, Some(dir))
}

/// The program that belongs to `root`: below it, in the prefix `dir`, or, for `PREFIX/share/verilator`, in the prefix.
/// Without a prefix to look in, PATH is searched.
fn binary_of(root: PathBuf, dir: Option<&Path>) -> Option<(PathBuf, PathBuf)> {
    // Debian's root lies in /usr/share/verilator and its program in /usr/bin.
    let mut folders = vec![root.join("bin")];
    folders.extend(dir.map(|dir| dir.join("bin")));
    folders.extend(root.ancestors().nth(2).map(|prefix| prefix.join("bin")));
    if dir.is_none() {
        folders.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
    }
    let binary = folders.into_iter().map(|folder| folder.join("verilator_bin")).find(|path| path.is_file())?;
    let absolute = |path: PathBuf| std::path::absolute(&path).unwrap_or(path);
    Some((absolute(root), absolute(binary)))
}

impl Verilator {
    /// Checks the version that the include files state, where they do, and that the program runs.
    fn open(root: PathBuf, binary: PathBuf, origin: Origin) -> Result<Verilator, Error> {
        let broken = |reason: String| Error::VerilatorBroken { binary: binary.clone(), reason };
        let config = fs::read_to_string(root.join("include/verilated_config.h")).unwrap_or_default();
        let version = stated_version(&config);
        if let Some(found) = &version
            && parse_version(found).is_some_and(|parsed| parsed < OLDEST)
        {
            return Err(Error::VerilatorTooOld { root, found: found.clone(), needed: OLDEST });
        }
        let output = Command::new(&binary).env("VERILATOR_ROOT", &root).arg("--version").output();
        let banner = match output {
            Ok(output) if output.status.success() => first_line(&output),
            Ok(output) => {
                let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
                return Err(broken(if said.is_empty() { output.status.to_string() } else { said }));
            }
            Err(source) => return Err(broken(source.to_string())),
        };
        let stamp = fs::metadata(&binary).map_err(|source| broken(source.to_string()))?;
        // The version printed may be none, so the program's size and date also tell one Verilator from another.
        let identity = format!("{}\n{banner}\n{}\n{:?}", binary.display(), stamp.len(), stamp.modified().ok())
            + &sha256(config.as_bytes());
        Ok(Verilator { root, binary, origin, version, identity })
    }

    /// Its VERILATOR_ROOT: the folder that holds `include/`.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// How it was found.
    pub fn origin(&self) -> Origin {
        self.origin
    }

    /// The version that its include files state, such as `5.006 2023-01-22`, where they do.
    pub fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    /// The program `verilator_bin`.
    pub fn binary(&self) -> &Path {
        &self.binary
    }

    /// What tells this Verilator from another: part of every cache key.
    pub(super) fn identity(&self) -> &str {
        &self.identity
    }

    /// A command that runs it.
    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(&self.binary);
        command.env("VERILATOR_ROOT", &self.root);
        command
    }
}

fn first_line(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().trim().to_owned()
}

/// The text of `#define VERILATOR_VERSION "…"` in `verilated_config.h`.
fn stated_version(config: &str) -> Option<String> {
    let line = config.lines().find_map(|line| line.trim().strip_prefix("#define VERILATOR_VERSION "))?;
    let text = line.trim().trim_matches('"').trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Major and minor of `5.006 2023-01-22`, `5.49` and the like.
fn parse_version(text: &str) -> Option<(u32, u32)> {
    let (major, rest) = text.split_once('.')?;
    let minor: String = rest.chars().take_while(char::is_ascii_digit).collect();
    Some((major.parse().ok()?, minor.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_version_is_not_an_old_one() {
        assert_eq!(stated_version("#define VERILATOR_VERSION_INTEGER\n"), None);
        assert_eq!(stated_version("#define VERILATOR_VERSION \"\"\n"), None);
        assert_eq!(parse_version("UNKNOWN"), None);
    }

    #[test]
    fn versions_are_ordered_by_number() {
        let stated = stated_version("# define X\n#define VERILATOR_VERSION \"5.006 2023-01-22\"\n").unwrap();
        assert_eq!(parse_version(&stated), Some((5, 6)));
        assert!(parse_version("5.49").unwrap() > OLDEST);
        assert!(parse_version("4.228").unwrap() < OLDEST);
        assert!(parse_version("5.004 2022-12-14").unwrap() < OLDEST);
    }
}
