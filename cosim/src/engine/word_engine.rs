//! Engines that are stepped by words: Verilator's models and rust_hdl's simulation.

use lsu_model::pins::{Inputs, Outputs};

use super::{Engine, EngineError, EngineKind, PinWords};
use crate::verilator::Dut;

/// Something that runs a clock cycle over words.
pub trait WordStepper {
    /// Which engine it is.
    fn kind(&self) -> EngineKind;

    /// One clock cycle: `inputs` are applied, `outputs` are those of this cycle, then comes the rising edge.
    fn step(&mut self, inputs: &[u32], outputs: &mut [u32]) -> Result<(), EngineError>;

    /// The Verilated model, if it is one.
    fn dut(&mut self) -> Option<&mut Dut> {
        None
    }
}

impl WordStepper for Dut {
    fn kind(&self) -> EngineKind {
        EngineKind::Verilator
    }

    fn step(&mut self, inputs: &[u32], outputs: &mut [u32]) -> Result<(), EngineError> {
        Ok(self.step(inputs, outputs)?)
    }

    fn dut(&mut self) -> Option<&mut Dut> {
        Some(self)
    }
}

/// An engine over a [`WordStepper`].
pub struct WordEngine<Stepper> {
    stepper: Stepper,
    words: PinWords,
}

impl<Stepper: WordStepper> WordEngine<Stepper> {
    /// `stepper`, whose words are those of `words`.
    pub fn new(stepper: Stepper, words: PinWords) -> Self {
        Self { stepper, words }
    }

    fn run(&mut self, inputs: &Inputs) -> Result<(), EngineError> {
        self.words.drive(inputs);
        let (input_words, output_words) = self.words.words_mut();
        self.stepper.step(input_words, output_words)
    }
}

impl<Stepper: WordStepper> Engine for WordEngine<Stepper> {
    fn kind(&self) -> EngineKind {
        self.stepper.kind()
    }

    fn step(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Result<(), EngineError> {
        self.run(inputs)?;
        self.words.read(outputs);
        Ok(())
    }

    fn agrees(&mut self, inputs: &Inputs, expected: &Outputs, found: &mut Outputs) -> Result<bool, EngineError> {
        self.run(inputs)?;
        let is_same = self.words.agrees(expected);
        if !is_same {
            self.words.read(found);
        }
        Ok(is_same)
    }

    fn dut(&mut self) -> Option<&mut Dut> {
        self.stepper.dut()
    }
}
