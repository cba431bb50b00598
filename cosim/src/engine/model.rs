//! The golden model as an engine.

use lsu_model::golden::{Account, Golden};
use lsu_model::pins::{Inputs, Outputs};
use lsu_model::preset::Preset;

use super::{Engine, EngineError, EngineKind};

/// The golden model.
pub struct Model {
    golden: Golden,
}

impl Model {
    /// The model of a unit of `preset`.
    pub fn new(preset: &Preset) -> Self {
        Self { golden: Golden::new(preset) }
    }
}

impl Engine for Model {
    fn kind(&self) -> EngineKind {
        EngineKind::Model
    }

    fn step(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Result<(), EngineError> {
        self.golden.step(inputs, outputs);
        Ok(())
    }

    fn golden(&self) -> Option<&Golden> {
        Some(&self.golden)
    }

    fn account(&self, tag: u8) -> Option<Account> {
        Some(self.golden.account(tag))
    }
}
