//! Engines that are stepped by words: Verilator's models and rust_hdl's simulation.

use lsu_model::pins::{Inputs, Outputs};

use super::{Ahead, Engine, EngineError, EngineKind, PinWords, Stopped};
use crate::verilator::Dut;

/// Something that runs a clock cycle over words.
pub trait WordStepper {
    /// Which engine it is.
    fn kind(&self) -> EngineKind;

    /// One clock cycle: `inputs` are applied, `outputs` are those of this cycle, then comes the rising edge.
    fn step(&mut self, inputs: &[u32], outputs: &mut [u32]) -> Result<(), EngineError>;

    /// So many clock cycles, the words of each behind those of the one before. How many are complete, and why not all of them.
    fn run(&mut self, inputs: &[u32], outputs: &mut [u32], cycles: usize) -> (usize, Result<(), EngineError>) {
        let rows = inputs.chunks_exact(inputs.len() / cycles).zip(outputs.chunks_exact_mut(outputs.len() / cycles));
        for (cycle, (inputs, outputs)) in rows.enumerate() {
            if let Err(error) = self.step(inputs, outputs) {
                return (cycle, Err(error));
            }
        }
        (cycles, Ok(()))
    }

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

    fn run(&mut self, inputs: &[u32], outputs: &mut [u32], cycles: usize) -> (usize, Result<(), EngineError>) {
        let begin = self.cycle();
        let ended = self.run(inputs, outputs, cycles as u64);
        ((self.cycle() - begin) as usize, ended.map_err(EngineError::from))
    }

    fn dut(&mut self) -> Option<&mut Dut> {
        Some(self)
    }
}

/// An engine over a [`WordStepper`].
pub struct WordEngine<Stepper> {
    stepper: Stepper,
    words: PinWords,
    /// The words of the cycles in which it follows another one.
    inputs: Vec<u32>,
    outputs: Vec<u32>,
}

impl<Stepper: WordStepper> WordEngine<Stepper> {
    /// `stepper`, whose words are those of `words`.
    pub fn new(stepper: Stepper, words: PinWords) -> Self {
        Self { stepper, words, inputs: Vec::new(), outputs: Vec::new() }
    }
}

impl<Stepper: WordStepper> Engine for WordEngine<Stepper> {
    fn kind(&self) -> EngineKind {
        self.stepper.kind()
    }

    fn step(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Result<(), EngineError> {
        self.words.drive(inputs);
        let (input_words, output_words) = self.words.words_mut();
        self.stepper.step(input_words, output_words)?;
        self.words.read(self.words.output_words(), outputs);
        Ok(())
    }

    fn follow(&mut self, ahead: &[Ahead], _lanes: usize, found: &mut Outputs) -> Result<Option<usize>, Stopped> {
        self.inputs.clear();
        for cycle in ahead {
            self.words.drive(&cycle.inputs);
            self.inputs.extend_from_slice(self.words.input_words());
        }
        let words = self.words.output_words().len();
        self.outputs.resize(ahead.len() * words, 0);
        let (done, ended) = self.stepper.run(&self.inputs, &mut self.outputs, ahead.len());
        // What failed in a cycle is told only if those before it were right.
        let rows = self.outputs.chunks_exact(words).zip(ahead).take(done);
        for (number, (row, Ahead { expected, is_reset, .. })) in rows.enumerate() {
            if *is_reset && !self.words.agrees(expected, row) {
                self.words.read(row, found);
                return Ok(Some(number));
            }
        }
        ended.map(|()| None).map_err(|error| Stopped { number: done, error })
    }

    fn dut(&mut self) -> Option<&mut Dut> {
        self.stepper.dut()
    }
}

#[cfg(test)]
mod tests {
    use lsu_model::preset::FPGA8;

    use super::*;

    /// All outputs are 0, but for `word` in one cycle; and it stops in one.
    struct Scripted {
        cycle: usize,
        word: usize,
        wrong: usize,
        last: usize,
    }

    impl WordStepper for Scripted {
        fn kind(&self) -> EngineKind {
            EngineKind::Verilator
        }

        fn step(&mut self, _inputs: &[u32], outputs: &mut [u32]) -> Result<(), EngineError> {
            outputs.fill(0);
            outputs[self.word] = u32::from(self.cycle == self.wrong);
            if self.cycle == self.last {
                return Err(EngineError::Stopped { kind: self.kind(), reason: "told to".to_owned() });
            }
            self.cycle += 1;
            Ok(())
        }
    }

    /// What comes of 7 cycles, of which `unset` are before the first reset edge: the cycle, and whether it stopped there.
    fn followed(unset: usize, wrong: usize, last: usize) -> Option<(usize, bool)> {
        let layout = PinWords::standard_layout(&FPGA8);
        let words = PinWords::new(&FPGA8, &layout).expect("the standard ports");
        let word = layout.port("req_ready").expect("a standard port").word_offset;
        let mut engine = WordEngine::new(Scripted { cycle: 0, word, wrong, last }, words);
        let ahead: Vec<Ahead> = (0..7).map(|cycle| Ahead { is_reset: cycle >= unset, ..Ahead::default() }).collect();
        let mut found = Outputs::default();
        match engine.follow(&ahead, FPGA8.lanes, &mut found) {
            Ok(None) => None,
            Ok(Some(number)) => {
                assert!(found.req_ready);
                Some((number, false))
            }
            Err(Stopped { number, .. }) => Some((number, true)),
        }
    }

    #[test]
    fn the_first_cycle_that_differs_or_stops_is_told() {
        const NEVER: usize = 99;
        for unset in 0..4 {
            assert_eq!(followed(unset, NEVER, NEVER), None);
            for cycle in 0..7 {
                let counts = cycle >= unset;
                assert_eq!(followed(unset, cycle, NEVER), counts.then_some((cycle, false)));
                assert_eq!(followed(unset, NEVER, cycle), Some((cycle, true)));
                let stopped = Some((6, true));
                assert_eq!(followed(unset, cycle, 6), if counts && cycle < 6 { Some((cycle, false)) } else { stopped });
            }
        }
    }
}
