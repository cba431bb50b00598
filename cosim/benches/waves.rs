//! What waves cost: all stories against Verilator's own VCD of the same hierarchy in the same run, and VCD against FST in
//! bytes. Of each run its processor time, and that and the cost of its waves as multiples of Verilator's. With `-- --long`, the memory of a run of ten million dumped cycles.
//!
//! `cargo bench -p lsu-cosim --bench waves`; `-- --preset fpga8` measures the small unit.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use lsu_cosim::engine::{Engine, EngineKind};
use lsu_cosim::generate;
use lsu_cosim::lockstep::{self, Observer};
use lsu_cosim::program::{Latency, Program, Wait};
use lsu_cosim::roster::{Roster, RosterOptions};
use lsu_cosim::wave_story::{Both, WavePlan, WaveStory};
use lsu_model::pins::Inputs;
use lsu_model::preset::{Preset, WARP32};
use lsu_waves::{Format, Layout, TraceSource, Wave, Window};

/// Operations of the measured program, random ones as `lsu check` draws them.
const OPERATIONS: usize = 3_000;

/// Measurements of each figure; the best counts, since other work on the machine only ever slows one down.
const ROUNDS: usize = 5;

/// Dumped cycles of the long run, at least.
const LONG_CYCLES: u64 = 10_000_000;

/// Operations that take so long.
const LONG_OPERATIONS: usize = 100_000;

/// Dumps into a file as Verilator alone does.
struct VerilatorAlone(PathBuf);

impl Observer for VerilatorAlone {
    fn before(&mut self, cycle: u64, _sm: u32, _inputs: &Inputs, engines: &mut [Box<dyn Engine>]) {
        if cycle == 0
            && let Some(dut) = engines.iter_mut().find_map(|engine| engine.dut())
        {
            dut.open_vcd(&self.0).expect("a file");
        }
    }
}

/// Sends the same dump through memory into a file of ours, without any story beside it.
struct HierarchyAlone {
    path: PathBuf,
    wave: Option<Wave>,
}

impl Observer for HierarchyAlone {
    fn before(&mut self, cycle: u64, _sm: u32, _inputs: &Inputs, engines: &mut [Box<dyn Engine>]) {
        if cycle == 0
            && let Some(dut) = engines.iter_mut().find_map(|engine| engine.dut())
        {
            let (mut sink, source) = TraceSource::pipe();
            dut.pipe_vcd(move |bytes| sink.write_all(bytes).expect("memory")).expect("a pipe");
            let wave = Wave::create(&self.path, Format::Vcd, Layout::new(), Window::ALL, Some(source));
            self.wave = Some(wave.expect("a file"));
        }
        if let Some(wave) = &mut self.wave {
            wave.begin_cycle(cycle).expect("a cycle");
        }
    }
}

fn program(preset: &Preset, operations: usize) -> Program {
    let mut program = generate::program(preset, 1, 0).expect("generated");
    let mut case = 1;
    while program.ops.len() < operations {
        program.ops.extend(generate::program(preset, 1, case).expect("generated").ops);
        case += 1;
    }
    program
}

fn story<'p>(program: &'p Program, path: &Path, format: Format) -> WaveStory<'p> {
    let plan = WavePlan { path: path.to_owned(), format, window: Window::ALL, sm: 0 };
    WaveStory::new(program, plan).expect("a file")
}

/// Processor seconds of a run with its waves complete, and its cycles.
fn timed<O: Observer>(program: &Program, roster: &Roster, mut observer: O, finish: impl FnOnce(O)) -> (f64, u64) {
    let begin = processor_seconds();
    let outcome = lockstep::run(program, roster, &mut observer).expect("the engines run");
    finish(observer);
    assert_eq!(outcome.failure, None);
    (processor_seconds() - begin, outcome.cycles)
}

/// Time that this thread has run, system calls included: neither the disk nor other work on the machine counts. Linux
/// only.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    let nanoseconds: u64 = text.split_whitespace().next().expect("a time").parse().expect("a number");
    nanoseconds as f64 / 1e9
}

fn complete(story: WaveStory<'_>) {
    story.finish(Vec::new()).expect("a dump");
}

fn bytes(path: &Path) -> u64 {
    std::fs::metadata(path).expect("a file").len()
}

fn measure(program: &Program, roster: &Roster) {
    let folder = tempfile::tempdir().expect("a folder");
    let [plain, vcd, fst] = ["plain.vcd", "story.vcd", "story.fst"].map(|name| folder.path().join(name));
    let mut best = [f64::INFINITY; 5];
    let mut cycles = 0;
    for _ in 0..ROUNDS {
        let rounds = [
            timed(program, roster, (), drop),
            timed(program, roster, VerilatorAlone(plain.clone()), drop),
            timed(program, roster, HierarchyAlone { path: vcd.clone(), wave: None }, |alone| {
                alone.wave.expect("a dump").finish().expect("a dump");
            }),
            timed(program, roster, story(program, &vcd, Format::Vcd), complete),
            timed(program, roster, story(program, &fst, Format::Fst), complete),
        ];
        for (best, (seconds, ran)) in best.iter_mut().zip(rounds) {
            *best = best.min(seconds);
            cycles = ran;
        }
    }
    let [nothing, alone, piped, story, packed] = best.map(|seconds| seconds * 1e6 / cycles as f64);
    println!("{}, {cycles} cycles, best of {ROUNDS}, processor microseconds a cycle:", program.preset.name);
    let row = |what: &str, microseconds: f64| {
        let (run, cost) = (microseconds / alone, (microseconds - nothing) / (alone - nothing));
        println!("{what:<36}{microseconds:>7.2}{run:>7.2}{cost:>7.2}");
    };
    println!("{:<36}{:>7}{:>7}{:>7}", "", "us", "run", "cost");
    row("without waves", nothing);
    row("Verilator's own VCD", alone);
    row("the same hierarchy through the pipe", piped);
    row("all stories, VCD", story);
    row("all stories, FST", packed);
    let [plain, vcd, fst] = [&plain, &vcd, &fst].map(|path| bytes(path));
    println!("bytes: Verilator {plain}, VCD {vcd}, FST {fst}: FST is {:.1} times smaller", vcd as f64 / fst as f64);
}

/// Notes the resident memory of this process, in megabytes, after every million cycles. Linux only.
#[derive(Default)]
struct Memory(Vec<u64>);

impl Observer for Memory {
    fn before(&mut self, cycle: u64, _sm: u32, _inputs: &Inputs, _engines: &mut [Box<dyn Engine>]) {
        if cycle > 0 && cycle.is_multiple_of(LONG_CYCLES / 10) {
            let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
            let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a size");
            let kilobytes: u64 = line.split_whitespace().next().expect("a number").parse().expect("a number");
            println!("{cycle} cycles: {} MB resident", kilobytes >> 10);
            self.0.push(kilobytes >> 10);
        }
    }
}

/// Dumps ten million cycles as VCD into the null device: operations one at a time, so that the program itself is small.
fn long(preset: &Preset, roster: &Roster) {
    let mut program = program(preset, LONG_OPERATIONS);
    program.traffic.latency = Latency::Between { least: 300, most: 600 };
    program.ops.iter_mut().for_each(|operation| operation.wait = Wait::All);
    let begin = Instant::now();
    let mut both = Both(Memory::default(), story(&program, Path::new("/dev/null"), Format::Vcd));
    let outcome = lockstep::run(&program, roster, &mut both).expect("the engines run");
    println!("{} cycles in {:.0} s", outcome.cycles, begin.elapsed().as_secs_f64());
    let Both(Memory(megabytes), _) = both;
    assert!(outcome.cycles >= LONG_CYCLES, "too few operations");
    let (Some(first), Some(last)) = (megabytes.first(), megabytes.last()) else { panic!("no figures") };
    assert!(*last <= first + first / 10, "the memory grows");
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let named = arguments.iter().position(|word| word == "--preset").and_then(|at| arguments.get(at + 1));
    let preset = named.map_or(WARP32, |name| Preset::named(name).expect("a preset"));
    let kinds = vec![EngineKind::Model, EngineKind::Verilator];
    let roster = Roster::prepare(&RosterOptions { preset, kinds, dut: None, verilator: None });
    let roster = roster.unwrap_or_else(|error| panic!("{error}"));
    if arguments.iter().any(|word| word == "--long") {
        long(&preset, &roster);
    } else {
        measure(&program(&preset, OPERATIONS), &roster);
    }
}
