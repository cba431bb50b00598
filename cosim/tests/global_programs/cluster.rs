//! Shared memory of other units: the programs that say what it gives and how many cycles it takes, in every preset that they are for.

use lsu_cosim::program::Program;
use lsu_cosim::results::Results;
use lsu_model::preset::{self, Preset, TINY4};

use crate::harness::with_eight_lanes;
use crate::{latency, model_and_rtl, names, program, run};

/// The programs.
const PROGRAMS: [&str; 5] = ["conflict", "hammer", "load-to-use", "ranks", "shown"];

fn cluster(preset: Preset, name: &str) -> Program {
    program(preset, "cluster", &format!("{name}.toml"))
}

/// Cycles from acceptance to completion of each operation of the program.
fn latencies(results: &Results) -> Vec<u64> {
    results.ops.iter().map(latency).collect()
}

#[test]
fn every_program_of_the_cluster_is_run() {
    assert_eq!(names("cluster"), PROGRAMS);
}

#[test]
fn load_to_use_of_another_units_memory() {
    for preset in preset::ALL {
        let results = run(&cluster(preset, "load-to-use"), &model_and_rtl(preset), "load-to-use");
        let cycles = latencies(&results);
        // Global miss, other unit, own rank, no such rank, four sectors.
        let expected = if preset == TINY4 { [31, 37, 8, 32, 52] } else { [31, 35, 8, 32, 44] };
        assert_eq!(cycles[..5], expected, "{}", preset.name);
        let more = if preset == TINY4 { 4 } else { 3 };
        assert_eq!(cycles[6], cycles[5] + more, "{}: a store", preset.name);
    }
}

#[test]
fn ranks_and_offsets_say_whose_bytes_they_are() {
    for preset in preset::ALL {
        let results = run(&cluster(preset, "ranks"), &model_and_rtl(preset), "ranks");
        // Of the lane with offset 0x104 of unit 1.
        assert_eq!(results.dumps, [[0x0101_0001]], "{}", preset.name);
        let passes = |op: usize| results.ops[op].account.expect("the model takes part").wavefronts;
        // Each unit's lanes on their own; a line of other units is 128 bytes long, and a store's pass has one sector.
        assert_eq!(passes(0), 2, "{}", preset.name);
        let sectors = (preset.lanes as u32 * 4).div_ceil(32);
        assert_eq!(passes(2), 1 + sectors, "{}", preset.name);
    }
}

#[test]
fn a_cta_shows_what_its_window_has() {
    run(&cluster(TINY4, "shown"), &model_and_rtl(TINY4), "shown");
}

#[test]
fn what_others_ask_for_takes_a_turn_each_and_waits_for_none() {
    for preset in with_eight_lanes() {
        let roster = model_and_rtl(preset);
        let with = cluster(preset, "conflict");
        let mut without = with.clone();
        without.ops.truncate(8);
        // Unit 1 asks while nobody is in the way.
        let mut alone = with.clone();
        alone.ops.drain(..8);
        let (with, without, alone) =
            (run(&with, &roster, "with"), run(&without, &roster, "without"), run(&alone, &roster, "alone"));
        // Eight sectors, of one part each.
        let parts = 8;
        let last =
            |results: &Results| results.ops[7].done.expect("complete") - results.ops[0].accepted.expect("accepted");
        assert_eq!(last(&with), last(&without) + parts, "{}", preset.name);
        assert_eq!(latencies(&with)[8..], latencies(&alone), "{}", preset.name);
    }
}

#[test]
fn units_that_ask_each_other_for_everything_do_not_stand_still() {
    for preset in preset::ALL {
        let roster = model_and_rtl(preset);
        for seed in 1..9 {
            let mut program = cluster(preset, "hammer");
            program.traffic.seed = seed;
            run(&program, &roster, &format!("hammer with seed {seed}"));
        }
    }
}
