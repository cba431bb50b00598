//! Counted throughput and latency of the global path.

use lsu_model::preset::{self, FPGA8, Preset, WARP32};

use crate::harness::with_eight_lanes;
use crate::port_watch::PortWatch;
use crate::{latency, model_and_rtl, program, run, run_watched};

/// Operations of each group of `coalesced.toml`, `lines.toml`, `banks.toml` and `local.toml`.
const GROUP: usize = 8;

/// Asserts that after the first `begin` operations, which fetch or store, groups of [`GROUP`] follow that complete every `cycles`
/// cycles, one number for each group.
fn assert_cadence(presets: impl IntoIterator<Item = Preset>, name: &str, begin: usize, cycles: &[u64]) {
    for preset in presets {
        let results = run(&program(preset, "throughput", name), &model_and_rtl(preset), name);
        let done: Vec<u64> = results.ops[begin..].iter().map(|result| result.done.expect("complete")).collect();
        assert_eq!(done.len(), GROUP * cycles.len());
        for (group, cycles) in done.chunks_exact(GROUP).zip(cycles) {
            let distances: Vec<u64> = group.windows(2).map(|pair| pair[1] - pair[0]).collect();
            assert_eq!(distances, [*cycles; GROUP - 1], "{name} on {}", preset.name);
        }
        for result in &results.ops[begin..] {
            let account = result.account.expect("the model takes part");
            assert_eq!((account.miss_sectors, account.mem_sectors), (0, 0), "{name} on {}: all hit", preset.name);
        }
    }
}

#[test]
fn a_coalesced_hit_takes_a_cycle_for_each_register() {
    // 4 bytes, .v2, .b64, .v4, .b128.
    assert_cadence(preset::ALL, "coalesced.toml", 1, &[1, 2, 2, 4, 4]);
}

#[test]
fn k_lines_take_k_cycles() {
    assert_cadence(with_eight_lanes(), "lines.toml", 1, &[1, 2, 4, 8]);
}

#[test]
fn a_shared_load_takes_a_cycle_for_each_word_of_the_worst_bank_or_each_register() {
    // A word of each bank, one word, 2, 4 and 8 words of one bank; 8 and 16 bytes a lane, one block of 16 bytes.
    assert_cadence(with_eight_lanes(), "banks.toml", 2, &[1, 1, 2, 4, 8, 2, 4, 4]);
}

#[test]
fn a_local_hit_takes_a_cycle_for_each_word() {
    // 4 bytes, .v2, .b64, .v4, .b128.
    assert_cadence(preset::ALL, "local.toml", 2, &[1, 2, 2, 4, 4]);
}

/// The cycles from the first request of the program to the last, and the number of requests.
fn port_use(preset: Preset, name: &str) -> (u64, u64) {
    let mut watch = PortWatch::default();
    run_watched(&program(preset, "throughput", name), &model_and_rtl(preset), &mut watch, name);
    let (first, last) = (watch.requests[0], watch.requests[watch.requests.len() - 1]);
    (last - first + 1, watch.requests.len() as u64)
}

#[test]
fn streaming_misses_keep_the_memory_port_busy() {
    for (preset, name) in [(WARP32, "streaming-words.toml"), (FPGA8, "streaming-vectors.toml")] {
        let (cycles, requests) = port_use(preset, name);
        // 32 loads of a line of four sectors.
        assert_eq!(requests, 128, "{name}");
        assert!(100 * requests >= 95 * cycles, "{name}: {requests} transfers in {cycles} cycles");
        // What the hand count says: no cycle is lost.
        assert_eq!(cycles, 128, "{name}");
    }
}

#[test]
fn a_hit_is_not_delayed_by_another_warps_miss() {
    for preset in preset::ALL {
        let roster = model_and_rtl(preset);
        let with_miss = program(preset, "throughput", "hit-under-miss.toml");
        let mut without_miss = with_miss.clone();
        without_miss.ops.remove(1);
        let with_miss = run(&with_miss, &roster, "with the miss").ops;
        let without_miss = run(&without_miss, &roster, "without the miss").ops;
        let hits = &with_miss[2..];
        let hits_alone: Vec<u64> = without_miss[1..].iter().map(latency).collect();
        assert_eq!(hits_alone, [9; 8], "{}", preset.name);
        assert_eq!(hits.iter().map(latency).collect::<Vec<_>>(), hits_alone, "{}", preset.name);
        assert!(hits.windows(2).all(|pair| pair[1].done == pair[0].done.map(|done| done + 1)), "{}", preset.name);
        // The miss was under way all the time: it began before the first hit and ended after the last.
        let miss = &with_miss[1];
        assert!(miss.accepted < hits[0].accepted && hits[7].done < miss.done, "{}", preset.name);
    }
}

#[test]
fn load_to_use_of_hits() {
    for preset in preset::ALL {
        let results = run(&program(preset, "throughput", "load-to-use.toml"), &model_and_rtl(preset), "load-to-use");
        let cycles: Vec<u64> = results.ops[3..].iter().map(latency).collect();
        // L1, read-only cache, LDC.
        assert_eq!(cycles, [9, 10, 6], "{}", preset.name);
    }
}

#[test]
fn load_to_use_of_shared_memory() {
    for preset in preset::ALL {
        let name = "shared-load-to-use";
        let results = run(&program(preset, "throughput", &format!("{name}.toml")), &model_and_rtl(preset), name);
        let cycles: Vec<u64> = results.ops[1..].iter().map(latency).collect();
        // By a shared address, by a generic one.
        assert_eq!(cycles, [8, 8], "{}", preset.name);
    }
}

#[test]
fn load_to_use_of_local_memory() {
    for preset in preset::ALL {
        let name = "local-load-to-use";
        let results = run(&program(preset, "throughput", &format!("{name}.toml")), &model_and_rtl(preset), name);
        let cycles: Vec<u64> = results.ops[2..].iter().map(latency).collect();
        // By a local address, by a generic one, of a parameter; .v2, .v4.
        assert_eq!(cycles, [9, 9, 9, 10, 12], "{}", preset.name);
    }
}
