//! Counted throughput of hits of LDC and of constant loads, on RTL and model, in every preset: one warp per cycle, k cycles for k
//! lines, and for k registers.

mod harness;

use std::path::Path;

use lsu_cosim::engine::EngineKind;
use lsu_cosim::lockstep;
use lsu_cosim::program::{Overrides, read_file};
use lsu_cosim::results::Results;
use lsu_model::preset::{self, Preset};

/// What became of a program of `folder` on RTL and model.
fn run(preset: Preset, folder: &str, name: &str) -> Results {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs").join(folder).join(name);
    let program = read_file(&path, Overrides { preset: Some(preset) }).expect("the file is right");
    let roster = harness::engines(preset, &[EngineKind::Model, EngineKind::Verilator]);
    let mut results = Results::new(&program);
    let outcome = lockstep::run(&program, &roster, &mut results).expect("the engines run");
    assert_eq!(outcome.failure, None);
    assert_eq!(results.unmet(&program), []);
    results
}

/// The cycles in which the operations of a program completed, in program order.
fn completions(preset: Preset, name: &str) -> Vec<u64> {
    run(preset, "throughput", name).ops.iter().map(|result| result.done.expect("complete")).collect()
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
        let results = run(preset, "throughput", "uniform-hits.toml");
        let first_hit = &results.ops[1];
        let (accepted, done) = (first_hit.accepted.expect("accepted"), first_hit.done.expect("complete"));
        assert_eq!(done - accepted, 6, "{}", preset.name);
    }
}

#[test]
fn k_lines_take_k_cycles() {
    for preset in harness::with_eight_lanes() {
        for name in ["lines.toml", "constant-loads.toml"] {
            let done = completions(preset, name);
            assert_eq!(done.len(), 1 + 4 * 8);
            for (group, lines) in [1_u64, 2, 4, 8].into_iter().enumerate() {
                // Within a group the distance between completions is the time of one operation.
                let group = &done[1 + 8 * group..1 + 8 * (group + 1)];
                let is_even = group.windows(2).all(|pair| pair[1] == pair[0] + lines);
                assert!(is_even, "{name} on {} {lines}: {group:?}", preset.name);
            }
        }
    }
}

#[test]
fn a_constant_load_takes_a_cycle_for_each_register() {
    for preset in preset::ALL {
        let done = completions(preset, "constant-registers.toml");
        // 4 bytes, 2 bytes into 64 bits, .v2, .v4, .b128.
        let registers = [1, 2, 2, 4, 4];
        assert_eq!(done.len(), 1 + 4 * registers.len());
        for (group, registers) in done[1..].chunks_exact(4).zip(registers) {
            let is_even = group.windows(2).all(|pair| pair[1] == pair[0] + registers);
            assert!(is_even, "{} {registers}: {group:?}", preset.name);
        }
    }
}

#[test]
fn a_constant_load_that_hits_takes_six_cycles_to_use() {
    for preset in preset::ALL {
        let results = run(preset, "throughput", "constant-load-to-use.toml");
        let cycles: Vec<u64> =
            results.ops[2..].iter().map(|it| it.done.expect("complete") - it.accepted.expect("accepted")).collect();
        // Constant memory, kernel parameters.
        assert_eq!(cycles, [6, 6], "{}", preset.name);
    }
}

#[test]
fn lanes_that_all_miss_another_line_complete() {
    for preset in preset::ALL {
        let results = run(preset, "throughput", "constant-misses.toml");
        for result in &results.ops {
            let account = result.account.expect("the model takes part");
            let lanes = preset.lanes as u32;
            // A pass and a line of two sectors for each lane.
            assert_eq!((account.wavefronts, account.mem_sectors), (lanes, 2 * lanes), "{}", preset.name);
            assert_eq!(account.hit_sectors, 0, "{}", preset.name);
        }
    }
}
