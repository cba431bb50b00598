//! Proofs that a mutant changes nothing: yosys compares the broken module with the whole one.
//!
//! Registers become ports first, so that the proof is about one cycle from any state at all: next state and outputs are the
//! same for all states and inputs. What needs to know which states occur, or what the module's surroundings never ask for, is
//! not proven this way.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use lsu_hdl::emit::{DEFAULT_PREFIX, EmitError};
use lsu_hdl::verilog::{self, Breakage, EmittedModule, Mutant};
use lsu_model::preset::Preset;

use crate::interrupt;

/// Seconds that one proof may take.
const SECONDS: u32 = 20;

/// The emitted file and the script of a proof.
const UNIT: &str = "unit.v";
const SCRIPT: &str = "proof.ys";

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
    mut progress: impl FnMut(usize),
) -> Result<BTreeSet<u32>, ProofError> {
    let mut by_module: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for mutant in mutants {
        by_module.entry(&mutant.module).or_default().push(mutant.id);
    }
    let (modules, _) = lsu_hdl::emit::broken(preset.name, DEFAULT_PREFIX, Breakage::Parameter)?;
    let folder = tempfile::tempdir().map_err(ProofError::File)?;
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).map_err(ProofError::File);
    write(UNIT, &verilog::file(&modules.iter().collect::<Vec<_>>()))?;
    let mut proven = BTreeSet::new();
    let mut tried = 0;
    for (block, ids) in by_module {
        let Some(module) = modules.iter().find(|module| module.block == block) else { continue };
        if !interrupt::is_requested() && !holds_lines(&modules, module) {
            write(SCRIPT, &script(&module.name, &ids))?;
            proven.extend(run(folder.path(), block)?);
        }
        tried += ids.len();
        progress(tried);
    }
    Ok(proven)
}

/// Whether the module has a memory of lines below it.
fn holds_lines(modules: &[EmittedModule], module: &EmittedModule) -> bool {
    verilog::below(modules, &module.name).iter().any(|below| below.block.starts_with("strobe_memory"))
}

/// A script that proves each mutant of `ids` in `module`.
fn script(module: &str, ids: &[u32]) -> String {
    const CUT: &str = "proc\nflatten\nopt_clean\nmemory\nopt_clean\nexpose -evert-dff\n";
    let mut text = format!(
        "read_verilog {UNIT}\ndesign -save unit\nhierarchy -top {module}\n{CUT}rename -top gold\ndesign -stash gold\n"
    );
    for id in ids {
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "design -load unit\nhierarchy -top {module} -chparam MUTANT {id}\n{CUT}rename -top gate\ndesign -stash gate\n\
             design -copy-from gold -as gold gold\ndesign -copy-from gate -as gate gate\n\
             miter -equiv -flatten gold gate miter\nhierarchy -top miter\nopt -full\n\
             sat -prove trigger 0 -timeout {SECONDS} miter\nlog {DONE}{id}\n"
        );
    }
    text
}

/// Runs the script in `folder`; the mutants that it proves.
fn run(folder: &Path, module: &str) -> Result<Vec<u32>, ProofError> {
    let output = interrupt::output(Command::new("yosys").args(["-s", SCRIPT]).current_dir(folder))
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
