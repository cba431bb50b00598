//! Random programs as vectors for other simulators: per cycle the pins that a lock-step run drove, those that it found, and which of
//! these count. A payload counts while its `valid` is high, everything else always, but for the cycle of the reset.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;

use lsu_cosim::engine::PinWords;
use lsu_cosim::generate;
use lsu_cosim::lockstep::{self, Observer, StepView};
use lsu_cosim::program::Program;
use lsu_cosim::roster::Roster;
use lsu_cosim::verilator::{Direction, Layout, Port};
use lsu_model::pins;
use lsu_model::preset::Preset;

/// Seed of the programs.
const SEED: u64 = 1;

/// Bits of a word.
pub const WORD: u32 = 32;

/// One line a cycle: the input words, the output words, and ones where these count.
struct Vectors {
    words: PinWords,
    layout: Layout,
    /// Of each output, its gate.
    gates: Vec<(Port, Option<Port>)>,
    inputs: String,
    expected: String,
    care: String,
    cycles: usize,
}

impl Vectors {
    fn new(preset: &Preset) -> Self {
        let layout = PinWords::standard_layout(preset);
        let words = PinWords::new(preset, &layout).expect("a layout has the words of its preset");
        let gate = |name: &str| {
            let pin = pins::all().into_iter().find(|pin| pin.name == name)?;
            layout.port(pin.gate?).cloned()
        };
        let outputs = layout.ports().iter().filter(|port| port.direction == Direction::Output);
        let gates = outputs.map(|port| (port.clone(), gate(&port.name))).collect();
        Self { words, layout, gates, inputs: String::new(), expected: String::new(), care: String::new(), cycles: 0 }
    }
}

/// The words as one number.
fn line(out: &mut String, words: &[u32]) {
    for word in words.iter().rev() {
        let _ = write!(out, "{word:08x}");
    }
    out.push('\n');
}

impl Observer for Vectors {
    fn stepped(&mut self, view: &StepView<'_>) {
        if view.sm != 0 {
            return;
        }
        self.words.drive(view.inputs);
        self.words.show(view.expected);
        let mut care = vec![0; self.layout.output_words()];
        for (port, gate) in &self.gates {
            let is_open = gate.as_ref().is_none_or(|gate| self.words.output_words()[gate.word_offset] == 1);
            if view.cycle > 0 && is_open {
                for (index, word) in care[port.word_offset..][..port.words()].iter_mut().enumerate() {
                    let bits = (port.width - WORD * index as u32).min(WORD);
                    *word = u32::MAX >> (WORD - bits);
                }
            }
        }
        line(&mut self.inputs, self.words.input_words());
        line(&mut self.expected, self.words.output_words());
        line(&mut self.care, &care);
        self.cycles += 1;
    }
}

/// Records programs of the preset of `roster` until they have `cycles` cycles, each in a folder of its own in `folder`, called by its number:
/// `inputs.hex`, `expected.hex` and `care.hex`, a line a cycle, the last word first. The programs, each with its cycles.
///
/// # Errors
/// A program cannot be made, run or written, or fails.
pub fn record(
    roster: &Roster,
    preset: &Preset,
    cycles: usize,
    folder: &Path,
) -> Result<Vec<(Program, usize)>, Box<dyn Error>> {
    let mut programs: Vec<(Program, usize)> = vec![];
    while programs.iter().map(|(_, length)| length).sum::<usize>() < cycles {
        let case = programs.len();
        let program = generate::program(preset, SEED, case as u64).map_err(|reason| reason.to_string())?;
        let mut vectors = Vectors::new(preset);
        let outcome = lockstep::run(&program, roster, &mut vectors)?;
        assert_eq!(outcome.failure, None, "case {case}");
        let folder = folder.join(case.to_string());
        std::fs::create_dir(&folder)?;
        for (name, text) in [("inputs", &vectors.inputs), ("expected", &vectors.expected), ("care", &vectors.care)] {
            std::fs::write(folder.join(format!("{name}.hex")), text)?;
        }
        programs.push((program, vectors.cycles));
    }
    Ok(programs)
}
