//! What the check costs beside a bench written by hand in C++: the same Verilog, the same operations.
//!
//! ```text
//! cargo run --release --example handwritten -- [PRESET] [OPERATIONS]        default: fpga8 20000
//! ```
//!
//! The operations are loads and stores of 4 bytes of global memory. `bench.cpp` compares what is loaded, and memory at the end, with an
//! array; the lock step compares every pin in every cycle with a cycle-exact model, and has every operation judged by the oracle. Both
//! run one thread, with a memory that is always ready and takes the same time; the Verilog of the bench has no contracts. The seconds
//! of the bench are those of its loop, without its start.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use lsu_cosim::engine::EngineKind;
use lsu_cosim::lockstep;
use lsu_cosim::program::{Overrides, Program, read};
use lsu_cosim::random::Random;
use lsu_cosim::roster::{Roster, RosterOptions, emitted_verilog};
use lsu_cosim::verilator::{Cache, Toolchain};
use lsu_model::preset::{FPGA8, Preset};

/// Runs of each, one after the other, of which the fastest counts.
const ROUNDS: usize = 5;

/// Operations of a program.
const LENGTH: usize = 500;

/// Warps, each with memory of its own: what a load may find then follows from the order of its warp.
const WARPS: u64 = 8;

/// Bytes of that memory.
const WARP_BYTES: u64 = 0x2000;

/// What Verilator is told, and through it the C++ compiler: the Verilog without its contracts, and as fast as it gets.
const SWITCHES: [&str; 15] = [
    "--cc",
    "--exe",
    "--build",
    "--top-module",
    "lsu",
    "-Wno-fatal",
    "--no-timing",
    "-O3",
    "--x-assign",
    "fast",
    "--x-initial",
    "fast",
    "--noassert",
    "-MAKEFLAGS",
    // The last one the wheel does not say, and needs with GCC.
    "OPT_FAST=-O2 OPT_SLOW=-O1 OPT_GLOBAL=-O2 CFG_CXXFLAGS_PCH_I=-include",
];

/// One operation: the lanes' addresses, and their words if it is a store.
struct Operation {
    warp: u64,
    mask: u32,
    addresses: Vec<u64>,
    words: Option<Vec<u32>>,
}

impl Operation {
    fn draw(random: &mut Random, preset: &Preset) -> Self {
        let warp = random.below(WARPS);
        let stride = [4, 4, 4, 8, 64, 128][random.below(6) as usize];
        let is_scattered = random.chance(10);
        let first = 4 * random.below(WARP_BYTES / 4);
        let mut place = |lane: u64| {
            let offset = if is_scattered { 4 * random.below(WARP_BYTES / 4) } else { first + stride * lane };
            WARP_BYTES * warp + offset % WARP_BYTES
        };
        let addresses: Vec<u64> = (0..preset.lanes as u64).map(&mut place).collect();
        let all = preset.lane_mask();
        let mask = if random.chance(70) { all } else { (random.next_bits() as u32 & all).max(1) };
        // Which of two lanes that store to one word wins is left open.
        let is_store = !is_scattered && stride * preset.lanes as u64 <= WARP_BYTES && random.chance(35);
        let words = is_store.then(|| addresses.iter().map(|_| random.next_bits() as u32).collect());
        Self { warp, mask, addresses, words }
    }

    /// A line of `bench.cpp`.
    fn line(&self) -> String {
        let kind = if self.words.is_some() { 'S' } else { 'L' };
        let mut line = format!("{kind} {:x} {:x}", self.warp, self.mask);
        for value in self.addresses.iter().copied().chain(self.words.iter().flatten().copied().map(u64::from)) {
            line += &format!(" {value:x}");
        }
        line + "\n"
    }

    /// An entry of a program.
    fn entry(&self) -> String {
        let (instr, register) = match &self.words {
            None => ("ld.global.u32 %r1, [%rd1];", String::new()),
            Some(words) => ("st.global.u32 [%rd1], %r1;", format!(", \"%r1\" = {words:?}")),
        };
        let Self { warp, mask, addresses, .. } = self;
        format!(
            "\n[[op]]\nwarp = {warp}\nmask = {mask}\ninstr = \"{instr}\"\nregs = {{ \"%rd1\" = {addresses:?}{register} }}\n"
        )
    }
}

/// The program of `operations`, in surroundings like those of the bench.
fn program(operations: &[Operation], preset: &Preset) -> Result<Program, Box<dyn Error>> {
    let bytes = WARPS * WARP_BYTES;
    let mut text = format!(
        "memory_latency = \"ideal\"\n\n[[memory]]\nspace = \"global\"\naddress = 0\nbytes = {bytes}\npattern = \"address\"\n"
    );
    operations.iter().for_each(|operation| text += &operation.entry());
    Ok(read(&text, "operations", Overrides { preset: Some(*preset) })?)
}

fn run(command: &mut Command) -> Result<String, Box<dyn Error>> {
    let output = command.output().map_err(|error| format!("{}: {error}", command.get_program().display()))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() { Ok(text) } else { Err((text + &String::from_utf8_lossy(&output.stderr)).into()) }
}

/// Builds the bench in `folder`.
fn build(preset: &Preset, folder: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let toolchain = Toolchain::find(None, Cache::user()?)?;
    std::fs::write(folder.join("unit.v"), emitted_verilog(preset)?)?;
    let bench = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/handwritten/bench.cpp");
    let sizes = format!("-DLANES={} -DADDRESS_BITS={}", preset.lanes, preset.address_bits);
    let mut verilator = Command::new(toolchain.verilator.binary());
    verilator.env("VERILATOR_ROOT", toolchain.verilator.root()).current_dir(folder);
    run(verilator.args(SWITCHES).args(["-CFLAGS", &sizes, "unit.v"]).arg(bench))?;
    Ok(folder.join("obj_dir/Vlsu"))
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_else(|| FPGA8.name.to_owned());
    let preset = Preset::named(&name).ok_or_else(|| format!("there is no preset {name}"))?;
    let count: usize = arguments.next().map_or(Ok(20_000), |text| text.parse())?;

    let options =
        RosterOptions { preset, kinds: vec![EngineKind::Model, EngineKind::Verilator], dut: None, verilator: None };
    let roster = Roster::prepare(&options)?;
    let temporary = tempfile::tempdir()?;
    let bench = build(&preset, temporary.path())?;

    let mut random = Random::new(1, 0);
    let (mut programs, mut files) = (vec![], vec![]);
    for number in 0..count.div_ceil(LENGTH) {
        let operations: Vec<Operation> = (0..LENGTH).map(|_| Operation::draw(&mut random, &preset)).collect();
        programs.push(program(&operations, &preset)?);
        let file = temporary.path().join(format!("{number}.txt"));
        std::fs::write(&file, operations.iter().map(Operation::line).collect::<String>())?;
        files.push(file);
    }

    let (mut ours, mut theirs) = (0.0_f64, 0.0_f64);
    for _ in 0..ROUNDS {
        let mut cycles = 0;
        let begin = Instant::now();
        for program in &programs {
            let (outcome, ()) = lockstep::run_in_batches(program, &roster, ())?;
            if let Some(failure) = outcome.failure {
                return Err(failure.to_string().into());
            }
            cycles += outcome.cycles;
        }
        ours = ours.max(cycles as f64 / begin.elapsed().as_secs_f64());

        let (mut cycles, mut seconds) = (0.0, 0.0);
        for line in run(Command::new(&bench).args(&files))?.lines() {
            let (its_cycles, its_seconds) = line.split_once(' ').ok_or("the bench has said something else")?;
            cycles += its_cycles.parse::<f64>()?;
            seconds += its_seconds.parse::<f64>()?;
        }
        theirs = theirs.max(cycles / seconds);
    }
    println!(
        "{}: {} loads and stores in {} programs, best of {ROUNDS}:",
        preset.name,
        LENGTH * programs.len(),
        programs.len()
    );
    println!("lock step, cycles per second               {ours:>10.0}");
    println!("C++ written by hand, cycles per second     {theirs:>10.0}");
    println!("ratio                                      {:>10.2}", ours / theirs);
    Ok(())
}
