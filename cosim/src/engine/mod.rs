//! Engines: everything that can be stepped pin by pin and cycle by cycle.

mod ahead;
mod model;
mod payload;
mod pin_words;
mod ports;
mod rust_hdl;
mod word_engine;

pub use ahead::Ahead;
pub use model::Model;
pub use pin_words::PinWords;
pub use ports::{PortSpec, emitted_differences, ports, ports_of};
pub use rust_hdl::RustHdl;
pub use word_engine::{WordEngine, WordStepper};

use std::fmt;

use lsu_model::golden::{Account, Golden};
use lsu_model::pins::{Inputs, Outputs};
use lsu_model::preset::Preset;

use crate::compare::differences;
use crate::verilator::Dut;

/// Which engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, clap::ValueEnum)]
pub enum EngineKind {
    /// The golden model.
    Model,
    /// The emitted Verilog under Verilator.
    Verilator,
    /// rust_hdl's own simulation of the description.
    RustHdl,
    /// A unit on a board, which `lsu board` steps.
    #[value(skip)]
    Board,
}

impl EngineKind {
    /// The name on the command line.
    pub const fn option(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Verilator => "verilator",
            Self::RustHdl => "rust-hdl",
            Self::Board => "board",
        }
    }
}

impl fmt::Display for EngineKind {
    /// The name in reports.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Model => "model",
            Self::Verilator => "RTL",
            Self::RustHdl => "rust-hdl",
            Self::Board => "board",
        })
    }
}

/// An engine that cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// From the Verilator binding.
    #[error(transparent)]
    Verilator(#[from] crate::verilator::Error),
    /// From a board.
    #[error(transparent)]
    Board(#[from] crate::board::BoardError),
    /// From any other engine.
    #[error("the {kind} engine stopped: {reason}")]
    Stopped {
        /// Which one.
        kind: EngineKind,
        /// Why.
        reason: String,
    },
}

/// An engine stopped while it followed another one.
#[derive(Debug)]
pub struct Stopped {
    /// In which of the cycles that it was given.
    pub number: usize,
    /// Why.
    pub error: EngineError,
}

/// One unit, as one engine simulates it.
pub trait Engine {
    /// Which engine it is.
    fn kind(&self) -> EngineKind;

    /// One clock cycle: `outputs` become the output pins of this cycle. Payloads whose `valid` is low may keep what was
    /// there.
    fn step(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Result<(), EngineError>;

    /// The cycles `ahead`, one after the other; the number of the first in which an output pin is not as expected, if one is not,
    /// and then `found` becomes the output pins of that cycle.
    fn follow(&mut self, ahead: &[Ahead], lanes: usize, found: &mut Outputs) -> Result<Option<usize>, Stopped> {
        for (number, Ahead { inputs, expected, is_reset }) in ahead.iter().enumerate() {
            self.step(inputs, found).map_err(|error| Stopped { number, error })?;
            if *is_reset && !differences(expected, found, lanes).is_empty() {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    /// The Verilated model inside, where there is one: for its waves.
    fn dut(&mut self) -> Option<&mut Dut> {
        None
    }

    /// The golden model inside, where there is one: for its waves.
    fn golden(&self) -> Option<&Golden> {
        None
    }

    /// What the operation that was accepted last under `tag` has cost so far, where the engine keeps accounts.
    fn account(&self, _tag: u8) -> Option<Account> {
        None
    }
}

/// A place where engines are made, one set for each unit of each run. Runs in several threads share it.
pub trait EngineSource: Sync {
    /// The sizes of the engines.
    fn preset(&self) -> &Preset;

    /// New engines, as they are before reset. The first one's outputs drive the surroundings.
    fn make(&self) -> Result<Vec<Box<dyn Engine>>, EngineError>;

    /// Whether the run that uses the engines should end before its program does.
    fn is_stopped(&self) -> bool {
        false
    }
}
