//! The waves of a run, read back with two readers, hold what the run had on its pins and in its model.

use std::path::Path;

use crate::common::ReadBack;
use crate::harness::{Bug, Pair, engines};
use lsu_cosim::engine::{Engine, EngineKind, EngineSource};
use lsu_cosim::generate;
use lsu_cosim::lockstep::{self, Observer, StepView};
use lsu_cosim::program::{Overrides, Program, read};
use lsu_cosim::wave_story::{Both, WavePlan, WaveStory, Written};
use lsu_model::golden::PlaceVisitor;
use lsu_model::pins::{Inputs, Outputs};
use lsu_model::preset::FPGA8;
use lsu_waves::{Format, Window};

/// Values of some places in one cycle, each with its name and its bits; none where it means nothing.
#[derive(Default)]
struct Places {
    place: String,
    values: Vec<(String, u32, Option<u64>)>,
}

impl PlaceVisitor for Places {
    fn place(&mut self, name: &'static str, number: Option<usize>, is_occupied: bool) {
        self.place = number.map_or(name.to_owned(), |number| format!("{name}{number}"));
        self.value("valid", 1, Some(is_occupied.into()));
    }

    fn value(&mut self, name: &'static str, bits: u32, value: Option<u64>) {
        let path = format!("{}.{name}", self.place);
        if COMPARED_VALUES.contains(&path.as_str()) {
            self.values.push((path, bits, value));
        }
    }
}

/// The values of places that are compared below.
const COMPARED_VALUES: [&str; 3] = ["intake.tag", "data.valid", "miss1.line"];

/// What a run had in every cycle.
#[derive(Default)]
struct Record {
    cycles: Vec<(Inputs, Outputs)>,
    places: Vec<Places>,
}

impl Observer for Record {
    fn before(&mut self, _cycle: u64, _sm: u32, _inputs: &Inputs, engines: &mut [Box<dyn Engine>]) {
        if let Some(golden) = engines.iter().find_map(|engine| engine.golden()) {
            let mut places = Places::default();
            golden.visit_places(&mut places);
            self.places.push(places);
        }
    }

    fn stepped(&mut self, view: &StepView<'_>) {
        self.cycles.push((view.inputs.clone(), view.expected.clone()));
    }
}

fn recorded(program: &Program, source: &dyn EngineSource, path: &Path, format: Format) -> (Record, Written) {
    let plan = WavePlan { path: path.to_owned(), format, window: Window::ALL, sm: 0 };
    let story = WaveStory::new(program, plan).expect("a file");
    let mut both = Both(Record::default(), story);
    lockstep::run(program, source, &mut both).expect("the engines run");
    (both.0, both.1.finish(Vec::new()).expect("a dump"))
}

/// Random operations, the first cases of one seed, of unit 0.
fn random_program() -> Program {
    let mut program = generate::program(&FPGA8, 7, 0).expect("generated");
    program.sms = 1;
    for case in 1..4 {
        program.ops.extend(generate::program(&FPGA8, 7, case).expect("generated").ops);
    }
    program.ops.retain(|op| op.sm == 0);
    program
}

fn bits(value: u64, width: usize) -> String {
    format!("{value:0width$b}")
}

/// The pins compared below: name, the value in a cycle, and whether it means anything then.
fn pins(inputs: &Inputs, outputs: &Outputs) -> Vec<(&'static str, String, bool)> {
    let flag = |value: bool| bits(value.into(), 1);
    let words = |words: &[u32]| words.iter().rev().map(|word| bits((*word).into(), 32)).collect::<String>();
    let req = &inputs.req;
    let addresses = req.addr[..8].iter().rev().map(|address| bits(address & 0xffff_ffff, 32)).collect();
    vec![
        ("req_valid", flag(inputs.req_valid), true),
        ("req_ready", flag(outputs.req_ready), true),
        ("req_tag", bits(req.tag.into(), 8), inputs.req_valid),
        ("req_mask", bits(u64::from(req.mask & 0xff), 8), inputs.req_valid),
        ("req_addr", addresses, inputs.req_valid),
        ("wb_valid", flag(outputs.wb_valid), true),
        ("wb_tag", bits(outputs.wb.tag.into(), 8), outputs.wb_valid),
        ("wb_data", words(&outputs.wb.data[..8]), outputs.wb_valid),
        ("fault_cause", bits(outputs.fault.cause.into(), 3), outputs.fault_valid),
        ("fault_addr", bits(outputs.fault.addr, 32), outputs.fault_valid),
        ("done_tag", bits(outputs.done.tag.into(), 8), outputs.done_valid),
        ("mem_req_addr", bits(outputs.mem_req.addr, 32), outputs.mem_req_valid),
        ("mem_rsp_valid", flag(inputs.mem_rsp_valid), true),
        ("mem_rsp_data", words(&inputs.mem_rsp.data), inputs.mem_rsp_valid),
        ("status_ldc_misses", bits(outputs.status.ldc_misses.into(), 32), true),
    ]
}

#[test]
fn pins_and_places_read_back_as_they_were() {
    let program = random_program();
    let roster = engines(FPGA8, &[EngineKind::Model, EngineKind::Verilator]);
    let folder = tempfile::tempdir().expect("a folder");
    for (name, format) in [("a.vcd", Format::Vcd), ("a.fst", Format::Fst)] {
        let path = folder.path().join(name);
        let (record, _) = recorded(&program, &roster, &path, format);
        assert!(record.cycles.len() > 500, "{} cycles", record.cycles.len());
        let read = ReadBack::open(&path);
        for (cycle, (inputs, outputs)) in record.cycles.iter().enumerate().skip(1) {
            let at = |name: &str| read.at(name, cycle as u64 * 10).expect("a value");
            for (pin, value, is_valid) in pins(inputs, outputs) {
                if is_valid {
                    assert_eq!(at(&format!("dut.{pin}")), value, "dut.{pin} in cycle {cycle}");
                    assert_eq!(at(&format!("model.{pin}")), value, "model.{pin} in cycle {cycle}");
                } else {
                    assert_eq!(at(&format!("model.{pin}")), "x".repeat(value.len()), "model.{pin} in cycle {cycle}");
                }
            }
            let values = &record.places[cycle].values;
            assert_eq!(values.len(), COMPARED_VALUES.len());
            for (path, width, value) in values {
                let width = *width as usize;
                let expected = value.map_or("x".repeat(width), |value| bits(value, width));
                assert_eq!(at(&format!("model.places.{path}")), expected, "{path} in cycle {cycle}");
            }
            assert_eq!(at("diff.any"), "0");
        }
        // The clock of cycle t rises at 10 t.
        assert_eq!((read.at("dut.clk", 1000), read.at("dut.clk", 1005)), (Some("1"), Some("0")));
    }
}

#[test]
fn vcdvcd_reads_the_same() {
    let program = random_program();
    let roster = engines(FPGA8, &[EngineKind::Model, EngineKind::Verilator]);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.vcd");
    let (record, _) = recorded(&program, &roster, &path, Format::Vcd);
    let read = crate::vcdvcd_reader::changes(&path, Path::new(env!("CARGO_TARGET_TMPDIR")));
    for (cycle, (inputs, outputs)) in record.cycles.iter().enumerate().skip(1) {
        for (pin, value, is_valid) in pins(inputs, outputs) {
            let range = if value.len() > 1 { format!("[{}:0]", value.len() - 1) } else { String::new() };
            for scope in ["dut", "model"] {
                let changes = &read[&format!("{scope}.{pin}{range}")];
                let after = changes.partition_point(|(time, _)| *time <= cycle as u64 * 10);
                let found = &changes[after - 1].1;
                if is_valid {
                    assert_eq!(
                        found.trim_start_matches('0'),
                        value.trim_start_matches('0'),
                        "{scope}.{pin} at {cycle}"
                    );
                }
            }
        }
    }
}

/// One operation of 4 lines, three of them cached, and what its lane says on the way.
#[test]
fn lanes_tell_what_operations_do() {
    let text = r#"
        preset = "fpga8"
        memory_latency = "ideal"
        [traffic]
        stall = 0
        [[bank]]
        index = 3
        size = 0x1000
        pattern = "address"
        [[op]]
        warp = 3
        instr = "LDC R4, c[0x3][R0]"
        regs = { R0 = "64*(lane/2)" }
        mask = 0x3f
        [[op]]
        warp = 5
        wait = "all"
        instr = "LDC.64 R4, c[0x3][R0]"
        regs = { R0 = "64*(lane/2)" }
        [[op]]
        warp = 5
        wait = "all"
        instr = "LDC.64 R5, c[0x3][R0]"
        regs = { R0 = 0 }
    "#;
    let program = read(text, "lanes.toml", Overrides::default()).expect("a program");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.vcd");
    let roster = engines(FPGA8, &[EngineKind::Model]);
    recorded(&program, &roster, &path, Format::Vcd);
    let read = ReadBack::open(&path);
    let told = |lane: &str| -> Vec<String> {
        read.changes(lane).iter().map(|(_, text)| text.clone()).filter(|text| !text.is_empty()).collect()
    };
    let first = [
        "LDC w3 request",
        "LDC w3 accepted",
        "LDC w3 issue 1/3",
        "LDC w3 look-up 1/3",
        "LDC w3 miss 2/3, 1 wait",
        "LDC w3 miss 3/3, 2 wait",
        "LDC w3 miss 3/3, 3 wait",
        "LDC w3 fill",
        "LDC w3 write-back R4",
    ];
    assert_eq!(told("ops.warp3")[..first.len()], first);
    let second = told("ops.warp5");
    for text in [
        "LDC.64 w5 look-up 1/4",
        "LDC.64 w5 hit 1/4",
        "LDC.64 w5 write-back R4",
        "LDC.64 w5 write-back R5",
        "LDC.64 w5 miss 4/4, 1 wait",
        "LDC.64 w5 fill",
        "LDC.64 w5 fault misaligned_register",
    ] {
        assert!(second.iter().any(|told| told == text), "{text} is not among {second:#?}");
    }
    assert!(!read.names().any(|name| name.starts_with("dut.") || name.starts_with("diff.")), "there is no RTL");
}

/// From cycle 50 on every result is wrong in the lowest bit of lane 3.
const WRONG: Bug = |memo, _inputs, outputs| {
    memo.first += 1;
    if memo.first > 50 && outputs.wb_valid && outputs.wb.mask >> 3 & 1 == 1 {
        outputs.wb.data[3] ^= 1;
    }
};

#[test]
fn a_difference_shows_in_its_cycle_and_pin() {
    let program = random_program();
    let pair = Pair { preset: FPGA8, bug: WRONG, is_alone: false };
    let failure = lockstep::run(&program, &pair, &mut ()).expect("the engines run").failure.expect("a mismatch");
    let folder = tempfile::tempdir().expect("a folder");
    for (name, format) in [("a.vcd", Format::Vcd), ("a.fst", Format::Fst)] {
        let path = folder.path().join(name);
        recorded(&program, &pair, &path, format);
        let read = ReadBack::open(&path);
        let time = failure.cycle * 10;
        for name in ["diff.any", "diff.wb_data"] {
            assert_eq!((read.at(name, time - 1), read.at(name, time)), (Some("0"), Some("1")), "{name}");
            assert_eq!(read.at(&format!("{name}_first"), time), Some(bits(failure.cycle, 64).as_str()));
        }
        assert_eq!(read.at("diff.wb_tag", time), Some("0"));
        let word = |scope: &str| {
            let bits = read.at(&format!("{scope}.wb_data"), time).expect("a value").to_owned();
            u32::from_str_radix(&bits[128..160], 2).expect("a word")
        };
        assert_eq!(word("dut"), word("model") ^ 1);
        assert_eq!(read.last_time, time + 10, "the failing cycle is the last");
    }
}

#[test]
fn what_the_waves_show_does_not_change_the_run() {
    let program = random_program();
    let roster = engines(FPGA8, &[EngineKind::Model, EngineKind::Verilator]);
    let plain = lockstep::run(&program, &roster, &mut ()).expect("the engines run");
    let folder = tempfile::tempdir().expect("a folder");
    let plan = WavePlan { path: folder.path().join("a.vcd"), format: Format::Vcd, window: Window::ALL, sm: 0 };
    let mut story = WaveStory::new(&program, plan).expect("a file");
    assert_eq!(lockstep::run(&program, &roster, &mut story).expect("the engines run"), plain);
}
