//! What the Verilated unit does at its pins in the cases of `lsu check`, once, as a file that the test `replay` of the crate
//! `lsu-model` plays to the golden model.
//!
//! ```text
//! cargo run --release --example record -- FILE [PRESET] [CASES]        default: tiny4, the cases of a check
//! ```
//!
//! The unit runs alone, judged by the oracle: nothing in the file comes from the golden model.

#[path = "../../model/tests/recording/mod.rs"]
mod recording;

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write as _};

use lsu_cosim::engine::EngineKind;
use lsu_cosim::generate::{self, DEFAULT_CASES};
use lsu_cosim::lockstep::{self, Observer, StepView};
use lsu_cosim::roster::{Roster, RosterOptions};
use lsu_model::preset::{Preset, TINY4};

use recording::Trace;

/// Seed of the cases: that of a check.
const SEED: u64 = 1;

/// The traces of a case, unit by unit.
struct Recorder {
    traces: Vec<Trace>,
}

impl Observer for Recorder {
    fn stepped(&mut self, view: &StepView<'_>) {
        self.traces[view.sm as usize].push(view.inputs, view.expected);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("no file to write: record -- FILE [PRESET] [CASES]")?;
    let name = arguments.next().unwrap_or_else(|| TINY4.name.to_owned());
    let preset = Preset::named(&name).ok_or_else(|| format!("there is no preset {name}"))?;
    let cases = arguments.next().map_or(Ok(DEFAULT_CASES), |text| text.parse())?;

    let options = RosterOptions { preset, kinds: vec![EngineKind::Verilator], dut: None, verilator: None };
    let roster = Roster::prepare(&options)?;
    let mut file = BufWriter::new(File::create(&path)?);
    writeln!(file, "{name}")?;
    let (mut cycles, mut bytes) = (0, 0);
    for case in 0..cases {
        let program = generate::program(&preset, SEED, case).map_err(|reason| reason.to_string())?;
        let mut recorder = Recorder { traces: (0..program.sms).map(|sm| Trace::new(case as u32, sm)).collect() };
        let outcome = lockstep::run(&program, &roster, &mut recorder)?;
        if let Some(failure) = outcome.failure {
            return Err(format!("case {case}: {failure}").into());
        }
        cycles += outcome.cycles;
        for trace in &recorder.traces {
            bytes += trace.write(&mut file)?;
        }
    }
    file.flush()?;
    println!("{name}: {cycles} cycles of {cases} cases in {bytes} bytes");
    Ok(())
}
