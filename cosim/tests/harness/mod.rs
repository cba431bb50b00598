//! Engines for tests: the golden model beside a copy of itself with a bug put in.
#![allow(dead_code, reason = "every test file uses its own part")]

use std::path::PathBuf;

use lsu_cosim::engine::{Engine, EngineError, EngineKind, EngineSource, Model};
use lsu_cosim::roster::{Roster, RosterOptions};
use lsu_model::golden::Golden;
use lsu_model::pins::{Inputs, Outputs};
use lsu_model::preset::{ALL, FPGA8, Preset};

/// What a bug may remember from cycle to cycle.
#[derive(Clone, Copy, Debug, Default)]
pub struct Memo {
    pub first: u32,
    pub second: u32,
}

/// Changes the outputs of a cycle.
pub type Bug = fn(&mut Memo, &Inputs, &mut Outputs);

/// The golden model with a bug, in the place of the RTL.
struct Buggy {
    golden: Golden,
    bug: Bug,
    memo: Memo,
}

impl Engine for Buggy {
    fn kind(&self) -> EngineKind {
        EngineKind::Verilator
    }

    fn step(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Result<(), EngineError> {
        self.golden.step(inputs, outputs);
        (self.bug)(&mut self.memo, inputs, outputs);
        Ok(())
    }
}

/// Makes the model, and if there is a bug a second one that has it.
pub struct Pair {
    pub preset: Preset,
    pub bug: Bug,
    /// The buggy engine stands alone, so that only the oracle and the port contract can object.
    pub is_alone: bool,
}

impl EngineSource for Pair {
    fn preset(&self) -> &Preset {
        &self.preset
    }

    fn make(&self) -> Result<Vec<Box<dyn Engine>>, EngineError> {
        let buggy = Buggy { golden: Golden::new(&self.preset), bug: self.bug, memo: Memo::default() };
        Ok(match self.is_alone {
            true => vec![Box::new(buggy)],
            false => vec![Box::new(Model::new(&self.preset)), Box::new(buggy)],
        })
    }
}

/// The golden model alone, whose inputs are rewired: a unit that does something else than it is asked for, by its own account.
pub struct Rewired {
    pub preset: Preset,
    pub rewire: fn(&Inputs) -> Inputs,
}

struct RewiredModel {
    golden: Golden,
    rewire: fn(&Inputs) -> Inputs,
}

impl Engine for RewiredModel {
    fn kind(&self) -> EngineKind {
        EngineKind::Model
    }

    fn step(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Result<(), EngineError> {
        self.golden.step(&(self.rewire)(inputs), outputs);
        Ok(())
    }
}

impl EngineSource for Rewired {
    fn preset(&self) -> &Preset {
        &self.preset
    }

    fn make(&self) -> Result<Vec<Box<dyn Engine>>, EngineError> {
        let golden = Golden::new(&self.preset);
        Ok(vec![Box::new(RewiredModel { golden, rewire: self.rewire })])
    }
}

/// The presets that have the 8 lanes which a program counts on.
pub fn with_eight_lanes() -> impl Iterator<Item = Preset> {
    ALL.into_iter().filter(|preset| preset.lanes >= 8)
}

/// All engines of `preset`. rust_hdl's own simulation takes part for 8 lanes only: the description is the same, and 32 lanes
/// run a few dozen cycles a second there.
pub fn all_engines(preset: Preset) -> Roster {
    let mut kinds = vec![EngineKind::Model, EngineKind::Verilator];
    if preset == FPGA8 {
        kinds.push(EngineKind::RustHdl);
    }
    engines(preset, &kinds)
}

/// The engines `kinds` of `preset`.
pub fn engines(preset: Preset, kinds: &[EngineKind]) -> Roster {
    let options = RosterOptions { preset, kinds: kinds.to_vec(), dut: None, verilator: None };
    Roster::prepare(&options).unwrap_or_else(|error| panic!("{error}"))
}

/// The program files in `folder` of the crate's `programs`.
pub fn program_files(folder: &str) -> Vec<PathBuf> {
    toml_files(&format!("programs/{folder}"))
}

/// The program files in `folder` of the crate.
pub fn toml_files(folder: &str) -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("the folder exists")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no programs in {}", folder.display());
    files
}
