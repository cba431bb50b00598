//! Proofs that a mutant changes nothing: yosys compares the broken module with the whole one.
//!
//! Registers become ports first, so that the proof is about one cycle from any state at all: next state and outputs are the
//! same for all states and inputs. What needs to know which states occur, or what the module's surroundings never ask for, is
//! not proven this way.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use lsu_hdl::emit::{DEFAULT_PREFIX, EmitError};
use lsu_hdl::verilog::{self, Breakage, EmittedModule, Mutant};
use lsu_model::preset::Preset;

use crate::interrupt;

/// Seconds that one proof may take.
const SECONDS: u32 = 5;

/// Mutants of one run of yosys.
const AT_ONCE: usize = 64;

/// The parameter of a module that chooses its mutant, and how what depends on it is declared.
const PARAMETER: &str = "    parameter [31:0] MUTANT = 32'd0;\n";
const LOCAL: &str = "    localparam ";

/// Begins the line that ends a mutant's part of yosys's output.
const DONE: &str = "lsu mutant ";

/// What yosys prints when a proof has succeeded.
const PROVEN: &str = "SAT proof finished - no model found: SUCCESS!";

/// No proofs can be had.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    /// There is no yosys.
    #[error("yosys does not start: {0}")]
    Missing(std::io::Error),
    /// A file of the proof cannot be written.
    #[error("cannot write a file for yosys: {0}")]
    File(std::io::Error),
    /// The unit cannot be written as Verilog.
    #[error(transparent)]
    Emission(#[from] EmitError),
    /// A thread ended before its time.
    #[error("a worker thread panicked")]
    Panic,
    /// yosys refuses the script.
    #[error("yosys fails on module {module}: {message}")]
    Refused {
        /// The module.
        module: String,
        /// The end of what it says.
        message: String,
    },
}

/// Those of `mutants` that yosys proves to be the unit as it is; `progress` hears how many have been tried. A mutant whose
/// module holds a memory of lines is not tried: a proof over so many bits does not end.
///
/// # Errors
/// yosys is missing or refuses its script.
pub fn prove(
    preset: &Preset,
    mutants: &[&Mutant],
    jobs: usize,
    mut progress: impl FnMut(usize),
) -> Result<BTreeSet<u32>, ProofError> {
    let mut by_module: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for mutant in mutants {
        by_module.entry(&mutant.module).or_default().push(mutant.id);
    }
    let (modules, _) = lsu_hdl::emit::broken(preset.name, DEFAULT_PREFIX, Breakage::Parameter)?;
    let folder = tempfile::tempdir().map_err(ProofError::File)?;
    let unit = verilog::file(&modules.iter().collect::<Vec<_>>());
    // A module is read once for all its mutants, or for as many as keep every thread busy.
    let mut tasks = vec![];
    for (block, ids) in by_module {
        let module = modules.iter().find(|module| module.block == block);
        if let Some(module) = module.filter(|module| !holds_lines(&modules, module)) {
            tasks.extend(ids.chunks(AT_ONCE).map(|ids| (&module.name, ids.to_vec())));
        }
    }
    let next = AtomicUsize::new(0);
    let (sender, receiver) = crossbeam::channel::unbounded();
    let mut proven = BTreeSet::new();
    let mut result = Ok(());
    let scope = crossbeam::thread::scope(|scope| {
        for _ in 0..jobs {
            let (sender, next, tasks, folder, unit) = (sender.clone(), &next, &tasks, folder.path(), &unit);
            scope.spawn(move |_| {
                while !interrupt::is_requested()
                    && let Some((number, (module, ids))) =
                        Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|number| Some((number, tasks.get(number)?)))
                {
                    if sender.send((ids.len(), run(folder, unit, number, module, ids))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut tried = 0;
        for (count, found) in &receiver {
            match found {
                Ok(found) => proven.extend(found),
                Err(error) => result = Err(error),
            }
            tried += count;
            progress(tried);
        }
    });
    if scope.is_err() {
        return Err(ProofError::Panic);
    }
    result.map(|()| proven)
}

/// Whether the module has a memory of lines below it.
fn holds_lines(modules: &[EmittedModule], module: &EmittedModule) -> bool {
    verilog::below(modules, &module.name).iter().any(|below| below.block.starts_with("strobe_memory"))
}

/// The text of `unit` in which `module` has an input more that chooses its mutant, or, for the whole unit, chooses nothing.
fn with_choice(unit: &str, module: &str, is_broken: bool) -> String {
    let begin = format!("module {module} (");
    let (before, rest) = unit.split_once(&begin).unwrap_or((unit, ""));
    let (body, after) = rest.split_once("endmodule").unwrap_or((rest, ""));
    let body = match is_broken {
        true => body
            .replace(PARAMETER, "")
            .replace("MUTANT ==", "choice ==")
            .replace(LOCAL, &LOCAL.replace("localparam", "wire")),
        false => body.to_owned(),
    };
    format!("{before}{begin}\n    input wire [31:0] choice,{body}endmodule{after}")
}

/// A script that proves each mutant of `ids` in `module`.
fn script(module: &str, ids: &[u32], whole: &str, broken: &str) -> String {
    const CUT: &str = "proc\nflatten\nopt_clean\nmemory\nopt_clean\nexpose -dff -evert-dff\n";
    let mut text = format!(
        "read_verilog {whole}\nhierarchy -top {module}\n{CUT}rename -top gold\ndesign -stash gold\n\
         read_verilog {broken}\nhierarchy -top {module}\n{CUT}rename -top gate\ndesign -stash gate\n\
         design -copy-from gold -as gold gold\ndesign -copy-from gate -as gate gate\n\
         miter -equiv -flatten gold gate miter\nhierarchy -top miter\nopt -full\n"
    );
    for id in ids {
        // Writing to a string cannot fail.
        let _ = write!(text, "sat -set in_choice {id} -prove trigger 0 -timeout {SECONDS} miter\nlog {DONE}{id}\n");
    }
    text
}

/// Runs the proofs of `ids` in `folder`, as task `number`; those that are proven.
fn run(folder: &Path, unit: &str, number: usize, module: &str, ids: &[u32]) -> Result<Vec<u32>, ProofError> {
    let [whole, broken, name] = ["whole.v", "broken.v", "proof.ys"].map(|name| format!("{number}-{name}"));
    let files = [
        (&whole, with_choice(unit, module, false)),
        (&broken, with_choice(unit, module, true)),
        (&name, script(module, ids, &whole, &broken)),
    ];
    for (name, text) in files {
        std::fs::write(folder.join(name), text).map_err(ProofError::File)?;
    }
    let output = interrupt::output(Command::new("yosys").args(["-s", &name]).current_dir(folder))
        .map_err(ProofError::Missing)?;
    if !output.status.success() && !interrupt::is_requested() {
        let text = String::from_utf8_lossy(&output.stderr);
        let message = text.lines().last().unwrap_or_default().to_owned();
        return Err(ProofError::Refused { module: module.to_owned(), message });
    }
    let mut proven = vec![];
    let mut is_proven = false;
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        if line.contains(PROVEN) {
            is_proven = true;
        } else if let Some(id) = line.strip_prefix(DONE) {
            if let (true, Ok(id)) = (is_proven, id.trim().parse()) {
                proven.push(id);
            }
            is_proven = false;
        }
    }
    Ok(proven)
}
