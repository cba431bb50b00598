//! A read cannot overtake a write, whatever the memory side does.

use lsu_cosim::generate::{Paths, program_on};
use lsu_cosim::lockstep;
use lsu_cosim::program::{Latency, Program};
use lsu_model::preset::{self, Preset};

use crate::harness::with_eight_lanes;
use crate::port_watch::PortWatch;
use crate::{model_and_rtl, names, program, run_watched};

/// Seeds of the memory side: another latency of each request, another order of the answers.
const SEEDS: std::ops::RangeInclusive<u64> = 1..=8;

/// Random programs of the overlap test for each preset.
const CASES: u64 = 24;

#[test]
fn one_warp_sees_its_own_accesses_in_program_order() {
    // What memory holds at the end, words 0 to 7.
    let expected: [(&str, [u32; 8]); 3] = [
        ("load-store", [0x800, 0x801, 0x802, 0x803, 0x804, 0x805, 0x806, 0x807]),
        ("store-load", [0x800, 0x801, 0x802, 0x803, 0x804, 0x805, 0x806, 0x807]),
        ("store-store", [0x600, 0x601, 0x602, 0x603, 0x604, 0x605, 0x606, 0x607]),
    ];
    assert_eq!(names("order"), ["load-store", "nc-store", "store-load", "store-store"]);
    for preset in with_eight_lanes() {
        let roster = model_and_rtl(preset);
        for (name, memory) in expected {
            let mut program = program(preset, "order", &format!("{name}.toml"));
            assert_eq!(program.traffic.latency, Latency::Between { least: 1, most: 60 });
            for seed in SEEDS {
                program.traffic.seed = seed;
                let mut watch = PortWatch::default();
                let what = format!("{name}, seed {seed}");
                let results = run_watched(&program, &roster, &mut watch, &what);
                assert_eq!(results.dumps, [memory], "{what} on {}", preset.name);
                assert_eq!(watch.overlaps, [""; 0], "{what} on {}", preset.name);
                // Otherwise there was nothing to keep apart.
                assert!(watch.conflicts >= 7, "{what} on {}: {} conflicts", preset.name, watch.conflicts);
            }
        }
    }
}

#[test]
fn a_read_of_the_read_only_cache_takes_no_part_in_the_order() {
    // This is also what shows that the watch sees an overlap.
    for preset in preset::ALL {
        let mut watch = PortWatch::default();
        let program = program(preset, "order", "nc-store.toml");
        run_watched(&program, &model_and_rtl(preset), &mut watch, "nc-store");
        assert_eq!(watch.overlaps.len(), 1, "{}: {:?}", preset.name, watch.overlaps);
    }
}

/// The random program number `case` with a memory that reorders.
fn random_program(preset: &Preset, case: u64) -> Program {
    let mut program = program_on(preset, Paths::All, 1, case).expect("a program");
    program.traffic.latency = Latency::Between { least: 1, most: 60 };
    program
}

#[test]
fn a_write_is_alone_at_its_sector() {
    for preset in preset::ALL {
        let roster = model_and_rtl(preset);
        let (mut conflicts, mut most_in_flight) = (0, 0);
        for case in 0..CASES {
            let mut program = random_program(&preset, case);
            // The read-only cache takes no part in the order.
            program.ops.iter_mut().for_each(|operation| operation.request.nc = false);
            let mut watch = PortWatch::default();
            let outcome = lockstep::run(&program, &roster, &mut watch).expect("the engines run");
            assert_eq!(outcome.failure, None, "case {case} on {}", preset.name);
            assert_eq!(watch.overlaps, [""; 0], "case {case} on {}", preset.name);
            conflicts += watch.conflicts;
            most_in_flight = most_in_flight.max(watch.most_in_flight);
        }
        assert!(conflicts > 100, "{}: only {conflicts} conflicts", preset.name);
        assert!(most_in_flight > 8.min(2 * preset.misses), "{}: only {most_in_flight} requests at once", preset.name);
    }
}
