//! From Verilog to a shared library in the cache.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use super::cache::{matches_manifest, sha256, write_manifest};
use super::compiler::Unit;
use super::dut::{LOOPS, Library, first_signals};
use super::error::{Error, says_disk_full};
use super::header::{self, HeaderPort};
use super::layout::Layout;
use super::toolchain::Toolchain;
use super::verilog_text::first_word;
use super::{taker, wrapper};
use crate::{input_file, interrupt, output};

/// Changes with everything in this file that changes what is built from the same input.
const RECIPE: &str = "7";

/// Verilator's switches for every model, the same for every version.
///
/// Warnings are not errors: a foreign `--dut` file need not be clean; but see [`UNDRIVEN`], and of two modules of one name only the first
/// would be looked at. Delays are ignored, assertions are on, and no width is too great for a wave or for toggle coverage (the default
/// leaves out what is wider than 256 bits).
const SWITCHES: &[&str] = &[
    "--cc",
    "--prefix",
    "Vtop",
    "-Wno-fatal",
    "-Wwarn-UNDRIVEN",
    "-Werror-MODDUP",
    "--no-timing",
    "--assert",
    "--x-assign",
    "fast",
];

/// How Verilator begins to tell of a signal to which combinational logic leads back.
const LOOPING: &str = "UNOPTFLAT: ";

/// How it begins to tell of a signal that is used and that nothing drives: 0 in every instance, as no register of a chip need be, so
/// that a check would prove nothing. It says so of single bits in other words, and netlists have such, which lead nowhere.
const UNDRIVEN: &str = "UNDRIVEN: ";
const UNDRIVEN_WHOLE: &str = "Signal is not driven";

/// How generated C++ takes numbers from a stream that the whole process has, so that what a program comes to hangs on those before it.
/// What gives variables their first values has other names.
const RANDOM_CALLS: [&str; 2] = ["VL_RANDOM_", "VL_URANDOM_"];

/// The Verilog that becomes such a call; longer names begin so, too.
const RANDOM_WORDS: [&str; 2] = ["$random", "$urandom"];

/// How Verilog includes a file.
const INCLUDE: &str = "`include";

/// Widest signal in waves and toggle coverage, in bits.
const WIDEST: &str = "65536";

/// Generated C++ files are compiled together up to so many bytes: each costs a second for Verilator's headers alone.
const GROUP_BYTES: u64 = 2_000_000;

/// What the model computes in every cycle, and what it does once (construction, reset of variables).
const OPTIMISE_FAST: &str = "-O2";
const OPTIMISE_SLOW: &str = "-O0";

/// What dumps waves, which few cycles do.
const OPTIMISE_WAVES: &str = "-O1";

/// The Verilog to build.
#[derive(Clone, Debug)]
pub enum Source {
    /// The text itself; messages call it `TOP.v`.
    Text(String),
    /// Files, in the order in which Verilator reads them. Files that they include are found as Verilator finds them,
    /// and a change in one leads to a new build.
    Files(Vec<PathBuf>),
}

/// A kind of code coverage that a model collects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Coverage {
    /// Lines and branches.
    Line,
    /// Bits that rise and fall.
    Toggle,
    /// Cover statements.
    User,
    /// Terms of expressions; Verilator 5.006 does not know it.
    Expression,
}

impl Coverage {
    /// Verilator's switch. `--coverage`, all kinds at once, crashes 5.48 on wide designs; the single ones do not.
    fn switch(self) -> &'static str {
        match self {
            Coverage::Line => "--coverage-line",
            Coverage::Toggle => "--coverage-toggle",
            Coverage::User => "--coverage-user",
            Coverage::Expression => "--coverage-expr",
        }
    }
}

/// What Verilator is run for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effort {
    /// To tell the ports of the top, as fast as it can.
    Ports,
    /// To make the model.
    Whole,
}

/// One model to build.
#[derive(Clone, Debug)]
pub struct Build {
    source: Source,
    top: String,
    trace: bool,
    is_plain: bool,
    coverage: BTreeSet<Coverage>,
    extra: Vec<String>,
}

impl Build {
    /// A model of the module `top` in `source`, without waves or coverage.
    pub fn new(top: impl Into<String>, source: Source) -> Build {
        Build { source, top: top.into(), trace: false, is_plain: false, coverage: BTreeSet::new(), extra: Vec::new() }
    }

    /// Makes the model able to write waves. It costs compile time, and nothing in a cycle that is not dumped.
    pub fn trace(mut self, on: bool) -> Build {
        self.trace = on;
        self
    }

    /// Leaves the top as Verilator makes it, which evaluates the logic behind its inputs three times a cycle: what a test bench in C++ has
    /// by itself, and so the yardstick of [`Dut::bare`](super::Dut::bare). One that collects coverage is always left so.
    pub fn plain(mut self) -> Build {
        self.is_plain = true;
        self
    }

    /// Makes the model collect coverage of the given kinds, which makes it slower.
    pub fn coverage(mut self, kinds: impl IntoIterator<Item = Coverage>) -> Build {
        self.coverage = kinds.into_iter().collect();
        self
    }

    /// Adds arguments for Verilator, such as `-Irtl`.
    pub fn arguments(mut self, extra: impl IntoIterator<Item = String>) -> Build {
        self.extra.extend(extra);
        self
    }

    /// Builds the model, or takes it from the cache, and loads it.
    ///
    /// # Errors
    /// [`Error::Verilog`] with Verilator's message; [`Error::Source`]; [`Error::UnsupportedPort`]; and those of the
    /// compiler and of the cache.
    pub fn build(&self, toolchain: &Toolchain) -> Result<Library, Error> {
        let key = self.key(toolchain)?;
        let entry = toolchain.cache.entry("models", &key, matches_manifest, |work| self.fill(toolchain, work))?;
        Library::load(library_in(&entry)?)
    }

    /// The hash of everything that the result depends on, included files excepted: those are in the manifest.
    fn key(&self, toolchain: &Toolchain) -> Result<String, Error> {
        let mut parts = tool_parts(toolchain);
        parts.extend([self.top.clone(), self.trace.to_string()]);
        parts.extend(self.coverage.iter().map(|kind| kind.switch().to_owned()));
        parts.push(self.is_plain.to_string());
        parts.extend(taker::sample());
        parts.extend(self.extra.iter().cloned());
        parts.extend(model_flags(toolchain));
        parts.extend([OPTIMISE_SLOW, OPTIMISE_WAVES, WIDEST, wrapper::FIXED].map(str::to_owned));
        parts.extend(SWITCHES.iter().map(|&switch| switch.to_owned()));
        match &self.source {
            Source::Text(text) => parts.push(text.clone()),
            Source::Files(files) => {
                // Of what was built before these were refused, none is taken.
                parts.extend(RANDOM_CALLS.map(str::to_owned));
                parts.push(absolute(".").display().to_string()); // included files are looked for from here
                for path in files {
                    let text = input_file::read(path, input_file::LARGEST)
                        .map_err(|source| Error::Source { path: path.clone(), source })?;
                    parts.push(absolute(path).display().to_string());
                    parts.push(sha256(&text));
                }
            }
        }
        Ok(hash(&parts))
    }

    /// Makes the entry in the folder `work`: the library and its manifest.
    fn fill(&self, toolchain: &Toolchain, work: &Path) -> Result<(), Error> {
        let kept = toolchain.cache.root().display();
        output::message_line(format_args!("lsu: building a model of `{}` (once; it is kept in {kept})", self.top));
        // Everything that is not to be kept goes into one folder, removed at the end.
        let generated = work.join("generated");
        // What stands around the top hangs on its ports, which only what Verilator makes of it by itself tells.
        let first = if self.is_plain || !self.coverage.is_empty() { Effort::Whole } else { Effort::Ports };
        let (read, loops) = self.verilate(toolchain, work, &generated, None, first)?;
        write(&work.join(LOOPS), &loops)?;
        let mut ports = self.ports(&generated)?;
        let layout = Layout::new(ports.iter().map(|port| (port.name.as_str(), port.width, port.direction)));
        if first == Effort::Ports {
            let taker = taker::around(&self.top, &layout);
            fs::remove_dir_all(&generated).map_err(|source| Error::cache("remove", &generated, source))?;
            self.verilate(toolchain, work, &generated, taker.as_deref(), Effort::Whole)?;
            ports = self.ports(&generated)?;
        }
        write(&generated.join("wrapper.cpp"), &wrapper::source(&ports, &layout))?;

        let runtime = self.runtime(toolchain, &generated)?;
        let mut flags: Vec<OsString> = model_flags(toolchain).into_iter().map(OsString::from).collect();
        flags.extend(self.feature_flags().into_iter().map(OsString::from));
        flags.extend(include_flags(toolchain));
        flags.push(prefixed("-I", &generated));
        // Without the name of the temporary folder in it, the same input gives the same library.
        let mut map = prefixed("-ffile-prefix-map=", &generated);
        map.push("=.");
        flags.push(map);
        flags.extend(print_flags(&generated)?);
        let units = units(&generated)?;
        let mut objects: Vec<PathBuf> = units.iter().map(|unit| unit.object.clone()).collect();
        toolchain.compiler.compile(units, &flags)?;
        objects.extend(runtime);
        let linked = generated.join("linked");
        toolchain.compiler.link(&objects, &linked)?;
        let bytes = fs::read(&linked).map_err(|source| Error::cache("read", &linked, source))?;
        // Loaders take a path that is loaded already for the same library, even if the file is another by now (when
        // an included file has changed); so the name tells the contents.
        let name = format!("{}.{}", sha256(&bytes), env::consts::DLL_EXTENSION);
        let library = work.join(&name);
        fs::rename(&linked, &library).map_err(|source| Error::cache("write", &library, source))?;

        fs::remove_dir_all(&generated).map_err(|source| Error::cache("remove", &generated, source))?;
        write_manifest(work, &[&name, LOOPS], &read)
    }

    /// The ports of what Verilator has generated.
    fn ports(&self, generated: &Path) -> Result<Vec<HeaderPort>, Error> {
        let path = generated.join("Vtop.h");
        let text = fs::read_to_string(&path).map_err(|source| Error::cache("read", &path, source))?;
        header::ports(&text, &self.top)
    }

    /// Runs Verilator, with the module `taker` around the top if there is one; returns the Verilog files that it read, without its own,
    /// and the signals that may be part of a combinational loop, one a line.
    fn verilate(
        &self,
        toolchain: &Toolchain,
        work: &Path,
        generated: &Path,
        taker: Option<&str>,
        effort: Effort,
    ) -> Result<(Vec<PathBuf>, String), Error> {
        let mut command = toolchain.verilator.command();
        let top = taker.map_or(self.top.as_str(), |_| taker::MODULE);
        command.args(SWITCHES).arg("--top-module").arg(top).arg("--Mdir").arg(generated);
        match effort {
            Effort::Ports => drop(command.arg("-O0")),
            Effort::Whole if self.trace => drop(command.args(["--trace", "--trace-max-width", WIDEST])),
            Effort::Whole => {}
        }
        command.args(self.coverage.iter().map(|kind| kind.switch()));
        if self.coverage.contains(&Coverage::Toggle) {
            command.args(["--coverage-max-width", WIDEST]);
        }
        command.args(&self.extra);
        match &self.source {
            Source::Text(text) => {
                let name = format!("{}.v", self.top);
                write(&work.join(&name), text)?;
                command.current_dir(work).arg(name);
            }
            Source::Files(files) => {
                // A name that begins with a hyphen must not be read as a switch.
                command.args(
                    files.iter().map(|path| if path.is_relative() { Path::new(".").join(path) } else { path.clone() }),
                );
            }
        }
        let around = work.join(format!("{}.v", taker::MODULE));
        if let Some(text) = taker {
            write(&around, text)?;
            command.arg(&around);
        }
        let broken =
            |reason: String| Error::VerilatorBroken { binary: toolchain.verilator.binary().to_owned(), reason };
        let output = interrupt::output(&mut command).map_err(|source| broken(source.to_string()))?;
        let said = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            let message = error_lines(&said);
            return Err(if says_disk_full(&said) {
                Error::DiskFull { path: generated.to_owned() }
            } else if message.is_empty() {
                broken(format!("{}\n{said}", output.status))
            } else {
                Error::Verilog { top: self.top.clone(), message }
            });
        }
        let undriven = named_signals(&said, UNDRIVEN, UNDRIVEN_WHOLE);
        if !undriven.is_empty() {
            return Err(Error::Undriven { top: self.top.clone(), signals: first_signals(&undriven) });
        }
        if let Source::Text(_) = self.source {
            let file = work.join(format!("{}.v", self.top));
            fs::remove_file(&file).map_err(|source| Error::cache("remove", &file, source))?;
        }
        if taker.is_some() {
            fs::remove_file(&around).map_err(|source| Error::cache("remove", &around, source))?;
        }
        let list = generated.join("Vtop__verFiles.dat");
        let list_text = fs::read_to_string(&list).map_err(|source| Error::cache("read", &list, source))?;
        let files: Vec<PathBuf> = files_read(&list_text)
            .map(absolute)
            .filter(|path| path.is_file() && !path.starts_with(toolchain.verilator.root()))
            .filter(|path| path != toolchain.verilator.binary())
            .collect();
        if let Some(file) = self.found_by_name(&files) {
            return Err(Error::FoundByName { top: self.top.clone(), file });
        }
        if effort == Effort::Whole && is_random(generated)? {
            return Err(Error::Random { top: self.top.clone(), what: self.random_place(&files) });
        }
        Ok((files, named_signals(&said, LOOPING, "")))
    }

    /// The first place in the Verilog `files` that Verilator has read, and in the text itself, that asks for a random number.
    fn random_place(&self, files: &[PathBuf]) -> String {
        let named = format!("{}.v", self.top);
        let own = match &self.source {
            Source::Text(text) => Some((named, text.clone())),
            Source::Files(_) => None,
        };
        let read = |path: &PathBuf| {
            let bytes = input_file::read(path, input_file::LARGEST).unwrap_or_default();
            (path.display().to_string(), String::from_utf8_lossy(&bytes).into_owned())
        };
        let found = own.into_iter().chain(files.iter().map(read)).find_map(|(name, text)| {
            let (line, word) = first_word(&text, &RANDOM_WORDS)?;
            Some(format!("`{word}` ({name}:{line})"))
        });
        found.unwrap_or_else(|| "a random number".to_owned())
    }

    /// A file among those `read` that nobody has named: Verilator looks for a module that is missing in files of its name, in whichever
    /// folder it happens to run.
    fn found_by_name(&self, read: &[PathBuf]) -> Option<PathBuf> {
        let Source::Files(named) = &self.source else { return None };
        let is_named = |path: &PathBuf| {
            let real = path.canonicalize().ok();
            named.iter().any(|named| named.canonicalize().ok() == real)
        };
        let found = read.iter().find(|path| !is_named(path))?;
        // Arguments may say where to look, and a file may include others.
        let includes =
            |path: &PathBuf| fs::read(path).is_ok_and(|text| String::from_utf8_lossy(&text).contains(INCLUDE));
        let is_open = !self.extra.iter().all(|argument| argument.starts_with("+define+")) || named.iter().any(includes);
        (!is_open).then(|| found.clone())
    }

    /// The object files of Verilator's run-time library for this kind of model: an entry of its own in the cache,
    /// because it takes longer to compile than most models.
    fn runtime(&self, toolchain: &Toolchain, generated: &Path) -> Result<Vec<PathBuf>, Error> {
        let list = generated.join("Vtop_classes.mk");
        let list_text = fs::read_to_string(&list).map_err(|source| Error::cache("read", &list, source))?;
        let names = runtime_names(&list_text);
        let mut flags = model_flags(toolchain);
        flags.extend(self.feature_flags());
        let mut parts = tool_parts(toolchain);
        parts.extend(flags.iter().cloned());
        parts.extend(names.iter().cloned());
        let objects: Vec<String> = names.iter().map(|name| format!("{name}.o")).collect();
        let entry = toolchain.cache.entry("runtime", &hash(&parts), matches_manifest, |work| {
            let include = toolchain.verilator.root().join("include");
            let unit = |(name, object): (&String, &String)| Unit {
                source: include.join(format!("{name}.cpp")),
                object: work.join(object),
                optimise: OPTIMISE_FAST,
            };
            let mut all: Vec<OsString> = flags.iter().map(OsString::from).collect();
            all.extend(include_flags(toolchain));
            all.extend(print_flags(work)?);
            toolchain.compiler.compile(names.iter().zip(&objects).map(unit).collect(), &all)?;
            write_manifest(work, &objects.iter().map(String::as_str).collect::<Vec<_>>(), &[])
        })?;
        Ok(objects.iter().map(|object| entry.join(object)).collect())
    }

    /// What Verilator's makefile would define for the features of this model.
    fn feature_flags(&self) -> Vec<String> {
        let trace = u8::from(self.trace);
        let coverage = u8::from(!self.coverage.is_empty());
        [("VM_COVERAGE", coverage), ("VM_TRACE", trace), ("VM_TRACE_VCD", trace)]
            .map(|(name, value)| format!("-D{name}={value}"))
            .to_vec()
    }
}

/// Flags of every C++ file. What takes the text that the Verilog prints, and the hooks of `VL_USER_*`, are in `wrapper.cpp`.
fn model_flags(toolchain: &Toolchain) -> Vec<String> {
    let mut flags: Vec<String> = toolchain.compiler.flags().into_iter().map(str::to_owned).collect();
    flags.extend(
        [
            "-DVERILATOR=1",
            "-DVM_SC=0",
            "-DVM_TRACE_FST=0",
            "-DVM_TRACE_SAIF=0",
            "-DVL_TIME_CONTEXT",
            "-DVL_USER_FINISH",
            "-DVL_USER_STOP",
            "-DVL_USER_FATAL",
            "-DVL_PRINTF=lsu_dut_print",
        ]
        .map(str::to_owned),
    );
    flags
}

/// Makes every C++ file know what prints; the declaration stands in `folder`.
fn print_flags(folder: &Path) -> Result<[OsString; 2], Error> {
    let header = folder.join("print.h");
    write(&header, wrapper::PRINT)?;
    Ok(["-include".into(), header.into()])
}

fn include_flags(toolchain: &Toolchain) -> [OsString; 2] {
    let include = toolchain.verilator.root().join("include");
    [prefixed("-I", &include), prefixed("-I", &include.join("vltstd"))]
}

fn prefixed(switch: &str, path: &Path) -> OsString {
    let mut text = OsString::from(switch);
    text.push(path);
    text
}

/// The library in a whole entry.
fn library_in(entry: &Path) -> Result<PathBuf, Error> {
    let files = fs::read_dir(entry).map_err(|source| Error::cache("read", entry, source))?;
    files
        .flatten()
        .map(|file| file.path())
        .find(|path| path.extension().is_some_and(|ending| ending == env::consts::DLL_EXTENSION))
        .ok_or_else(|| Error::Library { path: entry.to_owned(), reason: "its folder holds no library".to_owned() })
}

/// One hash over all parts; each is preceded by its length, so that no two lists of parts run together.
fn hash(parts: &[String]) -> String {
    let mut text = String::new();
    for part in parts {
        text.push_str(&format!("{}:{part}", part.len()));
    }
    sha256(text.as_bytes())
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    fs::write(path, text).map_err(|source| Error::cache("write", path, source))
}

fn absolute(path: impl AsRef<Path>) -> PathBuf {
    let path = path.as_ref();
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// What every key begins with: the tools and the recipe.
fn tool_parts(toolchain: &Toolchain) -> Vec<String> {
    let verilator = toolchain.verilator.identity();
    [verilator, toolchain.compiler.identity(), RECIPE, OPTIMISE_FAST, wrapper::PRINT].map(str::to_owned).to_vec()
}

/// The generated C++ files and the wrapper, gathered into few compilations. Verilator's file names differ between
/// versions; that `__Slow` stands in the names of what runs once, and `__Trace` in those of what dumps waves, does not.
fn units(generated: &Path) -> Result<Vec<Unit>, Error> {
    let failed = |source| Error::cache("read", generated, source);
    let mut files: Vec<(&str, String, u64)> = Vec::new();
    for entry in fs::read_dir(generated).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".cpp") {
            let optimise = if name.contains("__Slow") || name.contains("__Syms") {
                OPTIMISE_SLOW
            } else if name.contains("__Trace") {
                OPTIMISE_WAVES
            } else {
                OPTIMISE_FAST
            };
            files.push((optimise, name, entry.metadata().map_err(failed)?.len()));
        }
    }
    files.sort();
    let mut groups: Vec<(&str, Vec<String>, u64)> = Vec::new();
    for (optimise, name, bytes) in files {
        match groups.last_mut() {
            Some((before, names, total)) if *before == optimise && *total + bytes <= GROUP_BYTES => {
                names.push(name);
                *total += bytes;
            }
            _ => groups.push((optimise, vec![name], bytes)),
        }
    }
    // The longest first, so that two compilers end at about the same time; optimised code takes the longest.
    groups.sort_by_key(|&(optimise, _, bytes)| (optimise == OPTIMISE_SLOW, u64::MAX - bytes));
    groups
        .into_iter()
        .enumerate()
        .map(|(index, (optimise, names, _))| {
            let source = generated.join(format!("group{index}.cc"));
            let text: String = names.iter().map(|name| format!("#include \"{name}\"\n")).collect();
            write(&source, &text)?;
            Ok(Unit { source, object: generated.join(format!("group{index}.o")), optimise })
        })
        .collect()
}

/// The run-time library's C++ files that a generated `V<top>_classes.mk` asks for, without their endings.
fn runtime_names(makefile: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut is_inside = false;
    for line in makefile.lines() {
        let continued = line.trim_end().ends_with('\\');
        let mut words = line.trim_end().trim_end_matches('\\');
        if let Some((variable, rest)) = words.split_once("+=") {
            is_inside = variable.trim().starts_with("VM_GLOBAL_");
            words = rest;
        }
        if is_inside {
            names.extend(words.split_whitespace().map(str::to_owned));
        }
        is_inside &= continued;
    }
    names
}

/// Whether any of the generated C++ takes a random number.
fn is_random(generated: &Path) -> Result<bool, Error> {
    let failed = |source| Error::cache("read", generated, source);
    for entry in fs::read_dir(generated).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|ending| ending == "cpp" || ending == "h") {
            let text = fs::read_to_string(&path).map_err(|source| Error::cache("read", &path, source))?;
            if RANDOM_CALLS.iter().any(|call| text.contains(call)) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// The files marked as read (`S`) in a generated `V<top>__verFiles.dat`; each line ends with a quoted path.
fn files_read(list: &str) -> impl Iterator<Item = &str> {
    list.lines()
        .filter(|line| line.starts_with("S "))
        .filter_map(|line| line.trim_end().strip_suffix('"')?.rsplit_once('"').map(|(_, path)| path))
}

/// The signals of which Verilator said what begins with `warning` and goes on with `phrase`, one a line, with file and line.
fn named_signals(said: &str, warning: &str, phrase: &str) -> String {
    let signal = |line: &str| {
        let (place, rest) = line.strip_prefix("%Warning-")?.strip_prefix(warning)?.split_once(": ")?;
        let place = place.rsplit_once(':').map_or(place, |(place, _column)| place);
        let name = rest.strip_prefix(phrase)?.split('\'').nth(1)?;
        Some(format!("`{name}` ({place})\n"))
    };
    said.lines().filter_map(signal).collect()
}

/// The errors in what Verilator said, each with the Verilog line that it shows, without warnings, hints for warnings
/// and the closing count.
fn error_lines(said: &str) -> String {
    let mut shown: Vec<&str> = Vec::new();
    let mut is_error = false;
    for line in said.lines() {
        if line.starts_with('%') {
            is_error = line.starts_with("%Error") && !line.contains("Exiting due to");
        }
        if is_error {
            shown.push(line);
        }
    }
    shown.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_time_files_are_read_from_both_forms_of_makefile() {
        let makefile = "VM_CLASSES_FAST += \\\n\tVtop \\\n\n\
                        VM_GLOBAL_FAST += \\\n\tverilated \\\n  verilated_threads \\\n\n\
                        VM_GLOBAL_SLOW += \\\n\n# verilated_not\n";
        assert_eq!(runtime_names(makefile), ["verilated", "verilated_threads"]);
    }

    #[test]
    fn files_read_are_told_from_files_written() {
        let list = "# DESCRIPTION\nC \"--cc\"\nS 447 1 2 3 4 5 \"dir with space/a.v\"\nT 0 0 \"Vtop.h\"\n\
                    S 9 1 2 0 \"unhashed\" \"/b.vh\"\n";
        assert_eq!(files_read(list).collect::<Vec<_>>(), ["dir with space/a.v", "/b.vh"]);
    }

    #[test]
    fn signals_are_named_with_their_place() {
        let said = "%Warning-UNOPTFLAT: a.v:5:8: Signal unoptimizable: Circular combinational logic: 'lsu.x'\n   5 | wire x\n\
                    %Warning-WIDTH: a.v:5:7: 'y' too wide\n\
                    %Warning-UNDRIVEN: a.v:7:9: Bits of signal are not driven: 'w'[3]\n\
                    %Warning-UNDRIVEN: a.v:8:9: Signal is not driven: 'q'\n";
        assert_eq!(named_signals(said, LOOPING, ""), "`lsu.x` (a.v:5)\n");
        assert_eq!(named_signals(said, UNDRIVEN, UNDRIVEN_WHOLE), "`q` (a.v:8)\n");
    }

    #[test]
    fn only_errors_are_shown() {
        let said = "%Warning-WIDTH: a.v:5:7: too wide\n    5 | x\n      | ^\n%Error: a.v:9:2: syntax error\n    9 | y\n\
                    %Error: Exiting due to 1 error(s)\n";
        assert_eq!(error_lines(said), "%Error: a.v:9:2: syntax error\n    9 | y");
    }
}
