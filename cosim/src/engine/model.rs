//! The golden model as an engine.

use lsu_model::golden::{Account, Golden};
use lsu_model::pins::{Inputs, Outputs};
use lsu_model::preset::Preset;

use super::{Engine, EngineError, EngineKind};
use crate::compare::differences;

/// The golden model.
pub struct Model {
    golden: Golden,
    lanes: usize,
}

impl Model {
    /// The model of a unit of `preset`.
    pub fn new(preset: &Preset) -> Self {
        Self { golden: Golden::new(preset), lanes: preset.lanes }
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

    fn agrees(&mut self, inputs: &Inputs, expected: &Outputs, found: &mut Outputs) -> Result<bool, EngineError> {
        self.golden.step(inputs, found);
        Ok(differences(expected, found, self.lanes).is_empty())
    }

    fn golden(&self) -> Option<&Golden> {
        Some(&self.golden)
    }

    fn account(&self, tag: u8) -> Option<Account> {
        Some(self.golden.account(tag))
    }
}
