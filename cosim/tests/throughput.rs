//! Counted throughput of hits, on RTL and model, in both presets: one warp per cycle, and k cycles for k lines.

mod harness;

use std::path::Path;

use lsu_cosim::engine::EngineKind;
use lsu_cosim::lockstep;
use lsu_cosim::program::{Overrides, read_file};
use lsu_cosim::results::Results;
use lsu_model::preset::{self, Preset};

/// The cycles in which the operations of a program completed, in program order.
fn completions(preset: Preset, name: &str) -> Vec<u64> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/throughput").join(name);
    let program = read_file(&path, Overrides { preset: Some(preset) }).expect("the file is right");
    let roster = harness::engines(preset, &[EngineKind::Model, EngineKind::Verilator]);
    let mut results = Results::new(&program);
    let outcome = lockstep::run(&program, &roster, &mut results).expect("the engines run");
    assert_eq!(outcome.failure, None);
    assert_eq!(results.unmet(&program), []);
    results.ops.iter().map(|result| result.done.expect("complete")).collect()
}

#[test]
fn a_uniform_hit_stream_completes_one_warp_per_cycle() {
    for preset in preset::ALL {
        let done = completions(preset, "uniform-hits.toml");
        let stream = &done[1..];
        assert_eq!(stream.len(), 32);
        assert!(stream.windows(2).all(|pair| pair[1] == pair[0] + 1), "{}: {stream:?}", preset.name);
    }
}

#[test]
fn an_ldc_hit_takes_six_cycles_to_use() {
    for preset in preset::ALL {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/throughput/uniform-hits.toml");
        let program = read_file(&path, Overrides { preset: Some(preset) }).expect("the file is right");
        let roster = harness::engines(preset, &[EngineKind::Model, EngineKind::Verilator]);
        let mut results = Results::new(&program);
        lockstep::run(&program, &roster, &mut results).expect("the engines run");
        let first_hit = &results.ops[1];
        let (accepted, done) = (first_hit.accepted.expect("accepted"), first_hit.done.expect("complete"));
        assert!(done - accepted <= 6, "{}: {} cycles", preset.name, done - accepted);
    }
}

#[test]
fn k_lines_take_k_cycles() {
    for preset in harness::with_eight_lanes() {
        let done = completions(preset, "lines.toml");
        for (group, lines) in [1_u64, 2, 4, 8].into_iter().enumerate() {
            // Within a group the distance between completions is the time of one operation.
            let group = &done[1 + 8 * group..1 + 8 * (group + 1)];
            assert!(group.windows(2).all(|pair| pair[1] == pair[0] + lines), "{} {lines}: {group:?}", preset.name);
        }
    }
}
