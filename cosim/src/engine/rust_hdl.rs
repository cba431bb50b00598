//! rust_hdl's own simulation of the description as an engine.

use lsu_hdl::simulator;
use lsu_hdl::simulator::Simulate;
use lsu_model::preset::Preset;

use super::{EngineError, EngineKind, PinWords, WordEngine, WordStepper};

/// rust_hdl's simulation of one unit.
pub struct RustHdl {
    unit: Box<dyn Simulate>,
}

impl RustHdl {
    /// The engine of a unit of `preset`.
    ///
    /// # Errors
    /// The description has no such preset.
    pub fn unit(preset: &Preset) -> Result<WordEngine<Self>, EngineError> {
        let Some(unit) = simulator(preset.name) else {
            return Err(stopped(format!("the description has no preset {}", preset.name)));
        };
        let words = PinWords::new(preset, &PinWords::standard_layout(preset))?;
        Ok(WordEngine::new(Self { unit }, words))
    }
}

fn stopped(reason: String) -> EngineError {
    EngineError::Stopped { kind: EngineKind::RustHdl, reason }
}

impl WordStepper for RustHdl {
    fn kind(&self) -> EngineKind {
        EngineKind::RustHdl
    }

    fn step(&mut self, inputs: &[u32], outputs: &mut [u32]) -> Result<(), EngineError> {
        self.unit.step(inputs, outputs).map_err(|error| stopped(error.to_string()))
    }
}
