//! What the same check costs with cocotb: the same Verilog, the same programs, every output compared in every cycle.
//!
//! ```text
//! cargo run --release --example cocotb -- [PRESET] [CYCLES] [SIMULATOR]        default: fpga8 5000 icarus
//! ```
//!
//! SIMULATOR is `icarus` or `verilator` (5.036 or newer, on `PATH`). cocotb comes from PyPI into a private venv below `target`. Both sides run one
//! thread; cocotb's seconds are those of its loop, without its start, and it reads what the outputs should be from a file where the lock step computes it.

#[path = "../recorded/mod.rs"]
mod recorded;

use std::error::Error;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use lsu_cosim::engine::{EngineKind, PinWords};
use lsu_cosim::lockstep;
use lsu_cosim::roster::{Roster, RosterOptions};
use lsu_cosim::verilator::Direction;
use lsu_model::preset::{FPGA8, Preset};
use serde_json::json;

use recorded::record;

/// What pip installs.
const COCOTB: &str = "cocotb==2.1.0";

/// Runs of the lock step, of which the fastest counts.
const ROUNDS: usize = 5;

fn run(command: &mut Command) -> Result<(), Box<dyn Error>> {
    let output = command.output().map_err(|error| format!("{}: {error}", command.get_program().display()))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)).into())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_else(|| FPGA8.name.to_owned());
    let preset = Preset::named(&name).ok_or_else(|| format!("there is no preset {name}"))?;
    let cycles: usize = arguments.next().map_or(Ok(5_000), |text| text.parse())?;
    let simulator = arguments.next().unwrap_or_else(|| "icarus".to_owned());

    let options =
        RosterOptions { preset, kinds: vec![EngineKind::Model, EngineKind::Verilator], dut: None, verilator: None };
    let roster = Roster::prepare(&options)?;
    let temporary = tempfile::tempdir()?;
    let folder = temporary.path();
    let programs = record(&roster, &preset, cycles, folder)?;
    let cycles: usize = programs.iter().map(|(_, length)| length).sum();
    let mut own = f64::MAX;
    for _ in 0..ROUNDS {
        let begin = Instant::now();
        for (program, _) in &programs {
            lockstep::run(program, &roster, &mut ())?;
        }
        own = own.min(begin.elapsed().as_secs_f64());
    }

    std::fs::write(folder.join("unit.v"), lsu_hdl::verilog_for(preset.name, "lsu")?)?;
    let ports = PinWords::standard_layout(&preset);
    let ports = ports.ports().iter().filter(|port| port.name != "clk").map(|port| {
        let is_input = port.direction == Direction::Input;
        json!({ "name": port.name, "word": port.word_offset, "width": port.width, "is_input": is_input })
    });
    std::fs::write(folder.join("ports.json"), ports.collect::<serde_json::Value>().to_string())?;

    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let venv = root.join("../target/cocotb");
    let python = venv.join("bin/python3");
    if !venv.join("bin/cocotb-config").exists() {
        run(Command::new("python3").args(["-m", "venv"]).arg(&venv))?;
        run(Command::new(&python).args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", COCOTB]))?;
    }
    let script = root.join("examples/cocotb/run.py");
    run(Command::new(&python).arg(script).arg(&simulator).arg(folder).arg(programs.len().to_string()))?;
    let seconds = std::fs::read_to_string(folder.join("seconds"))?;
    let loops: Vec<f64> = seconds.lines().map(str::parse).collect::<Result<_, _>>()?;
    if loops.len() != programs.len() {
        return Err(format!("{} of {} programs ended as expected", loops.len(), programs.len()).into());
    }
    let (ours, theirs) = (cycles as f64 / own, cycles as f64 / loops.iter().sum::<f64>());
    println!("{}: {cycles} cycles of {} programs, every output compared in every cycle:", preset.name, programs.len());
    println!("lock step, cycles per second              {ours:>10.0}");
    println!("cocotb with {simulator:<9}, cycles per second  {theirs:>10.0}");
    println!("ratio                                     {:>10.1}", ours / theirs);
    Ok(())
}
