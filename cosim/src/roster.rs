//! The engines that take part in a run, prepared once and made anew for every program.

use std::path::{Path, PathBuf};

use lsu_hdl::verilog::CONTRACTS;
use lsu_model::preset::Preset;

use crate::board::{SharedBoard, power_up};
use crate::engine::{
    Engine, EngineError, EngineKind, EngineSource, Model, PinWords, RustHdl, WordEngine, emitted_differences,
};
use crate::interrupt;
use crate::verilator::{Build, Cache, Error, Library, Source, Toolchain};

/// Name of the top module.
const TOP: &str = "lsu";

/// What Verilator says of a missing top, in every version from 5.006 on.
const NO_TOP: &str = "Specified --top-module 'lsu' was not found in design";

/// What the command line says about engines.
#[derive(Clone, Debug)]
pub struct RosterOptions {
    /// Sizes of the unit.
    pub preset: Preset,
    /// The engines, none twice.
    pub kinds: Vec<EngineKind>,
    /// Verilog to check instead of the emitted one.
    pub dut: Option<PathBuf>,
    /// Verilator's folder.
    pub verilator: Option<PathBuf>,
}

/// The engines of a run.
pub struct Roster {
    preset: Preset,
    kinds: Vec<EngineKind>,
    /// The built Verilog, and its words before the first cycle.
    verilated: Option<(Library, PinWords)>,
    /// The board, where one takes part.
    board: Option<SharedBoard>,
}

/// A roster that cannot be prepared.
#[derive(Debug, thiserror::Error)]
pub enum RosterError {
    /// The Verilog cannot be built.
    #[error(transparent)]
    Verilator(#[from] crate::verilator::Error),
    /// The user's Verilog has no top of the name that is checked.
    #[error(
        "{} has no module `{TOP}`, which is the top that is checked\n  \
         Verilog that was written with another --prefix has a top of another name: write it with the default prefix, or rename \
         its top", .path.display()
    )]
    MissingTop {
        /// The Verilog file.
        path: PathBuf,
    },
    /// The description cannot be written as Verilog.
    #[error("the Verilog of preset {preset} cannot be written: {reason}")]
    Emission {
        /// The preset.
        preset: &'static str,
        /// What the writer says.
        reason: String,
    },
    /// The description has other pins than the table of the model.
    #[error(
        "the hardware description and the table of pins differ for preset {preset}:\n{differences}\n  \
         the description's pins stand in hdl/src/lsu.rs, those that are expected in model/src/pins.rs"
    )]
    Interface {
        /// The preset.
        preset: &'static str,
        /// One pin a line.
        differences: String,
    },
    /// A signal came first.
    #[error("interrupted before anything was run")]
    Interrupted,
}

impl Roster {
    /// Emits and builds what the engines need.
    ///
    /// # Errors
    /// The tool chain is missing, the Verilog cannot be built or has other ports, or a signal came first.
    pub fn prepare(options: &RosterOptions) -> Result<Self, RosterError> {
        Self::prepared(options).map_err(unless_interrupted)
    }

    fn prepared(options: &RosterOptions) -> Result<Self, RosterError> {
        let mut kinds = options.kinds.clone();
        // The model drives, where it takes part.
        kinds.sort_unstable();
        kinds.dedup();
        let verilated = if kinds.contains(&EngineKind::Verilator) {
            let source = match &options.dut {
                Some(path) => Source::Files(vec![path.clone()]),
                None => Source::Text(checked_verilog(&options.preset)?),
            };
            let toolchain = Toolchain::find(options.verilator.as_deref(), Cache::user()?)?;
            let library = build(source).build(&toolchain).map_err(|error| match (&options.dut, &error) {
                (Some(path), Error::Verilog { message, .. }) if message.contains(NO_TOP) => {
                    RosterError::MissingTop { path: path.clone() }
                }
                _ => error.into(),
            })?;
            let words = PinWords::new(&options.preset, library.layout())?;
            Some((library, words))
        } else {
            None
        };
        Ok(Self { preset: options.preset, kinds, verilated, board: None })
    }

    /// The golden model, and a board with a unit of `preset`, which follows it.
    pub fn with_board(preset: Preset, board: SharedBoard) -> Self {
        let kinds = vec![EngineKind::Model, EngineKind::Board];
        Self { preset, kinds, verilated: None, board: Some(board) }
    }

    /// The engines, the one that drives first.
    pub fn kinds(&self) -> &[EngineKind] {
        &self.kinds
    }

    /// The built Verilog, where Verilator takes part.
    pub fn library(&self) -> Option<&Library> {
        self.verilated.as_ref().map(|(library, _)| library)
    }
}

/// The failure of a program that a signal has ended is none.
pub(crate) fn unless_interrupted(error: RosterError) -> RosterError {
    if interrupt::is_requested() { RosterError::Interrupted } else { error }
}

/// What is built of the unit's Verilog.
fn build(source: Source) -> Build {
    // A model that can dump waves, but does not, is as fast as one that cannot.
    Build::new(TOP, source).trace(true).arguments([format!("+define+{CONTRACTS}")])
}

/// The emitted Verilog of `preset` as Verilator makes it by itself: what a test bench in C++ would drive.
///
/// # Errors
/// As [`Roster::prepare`].
pub fn plain_library(preset: &Preset, verilator: Option<&Path>) -> Result<Library, RosterError> {
    let toolchain = Toolchain::find(verilator, Cache::user()?)?;
    let library = build(Source::Text(checked_verilog(preset)?)).plain().build(&toolchain);
    library.map_err(|error| unless_interrupted(error.into()))
}

/// The Verilog of `preset`, top module `lsu`.
///
/// # Errors
/// The writer refuses the description.
pub fn emitted_verilog(preset: &Preset) -> Result<String, RosterError> {
    lsu_hdl::verilog_for(preset.name, TOP)
        .map_err(|refusal| RosterError::Emission { preset: preset.name, reason: refusal.to_string() })
}

/// The same, once its pins have been found to be those of the model's table: Verilator would say so a minute later.
fn checked_verilog(preset: &Preset) -> Result<String, RosterError> {
    let text = emitted_verilog(preset)?;
    match emitted_differences(preset, &text) {
        None => Ok(text),
        Some(differences) => Err(RosterError::Interface { preset: preset.name, differences }),
    }
}

impl EngineSource for Roster {
    fn preset(&self) -> &Preset {
        &self.preset
    }

    fn is_stopped(&self) -> bool {
        interrupt::is_requested()
    }

    fn make(&self) -> Result<Vec<Box<dyn Engine>>, EngineError> {
        let mut engines: Vec<Box<dyn Engine>> = Vec::with_capacity(self.kinds.len());
        for kind in &self.kinds {
            match kind {
                EngineKind::Model => engines.push(Box::new(Model::new(&self.preset))),
                EngineKind::Verilator => {
                    if let Some((library, words)) = &self.verilated {
                        engines.push(Box::new(WordEngine::new(library.instantiate()?, words.clone())));
                    }
                }
                EngineKind::Board => {
                    if let Some(board) = &self.board {
                        let words = PinWords::new(&self.preset, &PinWords::standard_layout(&self.preset))?;
                        let mut engine = WordEngine::new(SharedBoard::clone(board), words);
                        power_up(&mut engine, &self.preset)?;
                        engines.push(Box::new(engine));
                    }
                }
                EngineKind::RustHdl => engines.push(Box::new(RustHdl::unit(&self.preset)?)),
            }
        }
        Ok(engines)
    }
}
