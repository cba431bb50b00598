//! Cost of one cycle in which 2,300 bits change: our value lines against the crate `vcd`'s, both into `/dev/null`.
//!
//! `cargo bench -p lsu-waves` ends with the ratio of the two, and with the sizes of the same dump as VCD and as FST.

use std::fs::File;
use std::hint::black_box;
use std::io::BufWriter;
use std::path::Path;
use std::time::Instant;

use criterion::Criterion;
use lsu_waves::{Format, Layout, SignalId, Wave, Window};

/// Widths as on the unit's ports; 2,300 bits together.
const WIDTHS: [u32; 14] = [1024, 800, 256, 64, 49, 32, 32, 17, 8, 8, 6, 2, 1, 1];
const NULL: &str = "/dev/null";

/// Words of every signal, different in each cycle.
struct Stimulus {
    state: u64,
    values: Vec<Vec<u32>>,
}

impl Stimulus {
    fn new() -> Self {
        Self { state: 1, values: WIDTHS.iter().map(|width| vec![0; width.div_ceil(32) as usize]).collect() }
    }

    fn advance(&mut self) {
        for word in self.values.iter_mut().flatten() {
            self.state ^= self.state << 13;
            self.state ^= self.state >> 7;
            self.state ^= self.state << 17;
            *word = self.state as u32;
        }
    }
}

struct Ours {
    stimulus: Stimulus,
    wave: Wave,
    signals: Vec<SignalId>,
    cycle: u64,
}

impl Ours {
    fn new(path: &Path, format: Format) -> Self {
        let mut layout = Layout::new();
        let scope = layout.scope(None, "model").expect("a scope");
        let declare = |(index, &width)| layout.bits(scope, &format!("s{index}"), width).expect("a signal");
        let signals = WIDTHS.iter().enumerate().map(declare).collect();
        let wave = Wave::create(path, format, layout, Window::ALL, None).expect("a dump");
        Self { stimulus: Stimulus::new(), wave, signals, cycle: 0 }
    }

    fn step(&mut self) {
        self.stimulus.advance();
        self.wave.begin_cycle(self.cycle).expect("a cycle");
        self.cycle += 1;
        for (&signal, words) in self.signals.iter().zip(&self.stimulus.values) {
            self.wave.set(signal, words);
        }
    }
}

struct CrateVcd {
    stimulus: Stimulus,
    writer: vcd::Writer<BufWriter<File>>,
    ids: Vec<vcd::IdCode>,
    cycle: u64,
}

impl CrateVcd {
    fn new() -> Self {
        let file = File::create(NULL).expect("the null device");
        let mut writer = vcd::Writer::new(BufWriter::with_capacity(1 << 18, file));
        writer.add_module("model").expect("a scope");
        let declare = |(index, &width)| writer.add_wire(width, &format!("s{index}")).expect("a signal");
        let ids = WIDTHS.iter().enumerate().map(declare).collect();
        writer.upscope().expect("a scope");
        writer.enddefinitions().expect("a header");
        Self { stimulus: Stimulus::new(), writer, ids, cycle: 0 }
    }

    fn step(&mut self) {
        self.stimulus.advance();
        self.writer.timestamp(self.cycle * 10).expect("a time");
        self.cycle += 1;
        for ((&id, words), &width) in self.ids.iter().zip(&self.stimulus.values).zip(&WIDTHS) {
            let bits = (0..width).rev().map(|bit| vcd::Value::from(words[bit as usize / 32] >> (bit % 32) & 1 == 1));
            self.writer.change_vector(id, bits).expect("a value");
        }
    }
}

fn microseconds(cycles: u32, mut step: impl FnMut()) -> f64 {
    let begin = Instant::now();
    for _ in 0..cycles {
        step();
    }
    begin.elapsed().as_secs_f64() * 1e6 / f64::from(cycles)
}

/// Bytes of a dump of 20,000 cycles.
fn dump_bytes(format: Format) -> u64 {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("dump");
    let mut ours = Ours::new(&path, format);
    for _ in 0..20_000 {
        ours.step();
    }
    ours.wave.finish().expect("a dump");
    std::fs::metadata(path).expect("a file").len()
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let mut ours = Ours::new(Path::new(NULL), Format::Vcd);
    criterion.bench_function("2300 bits, lsu-waves", |bencher| bencher.iter(|| ours.step()));
    let mut theirs = CrateVcd::new();
    criterion.bench_function("2300 bits, crate vcd", |bencher| bencher.iter(|| theirs.step()));
    criterion.final_summary();
    let own = microseconds(100_000, || black_box(&mut ours).step());
    let other = microseconds(20_000, || black_box(&mut theirs).step());
    println!("lsu-waves {own:.2} us per cycle, crate vcd {other:.2} us per cycle, ratio {:.1}", other / own);
    let (text, packed) = (dump_bytes(Format::Vcd), dump_bytes(Format::Fst));
    println!("VCD {text} bytes, FST {packed} bytes, ratio {:.1}", text as f64 / packed as f64);
}
