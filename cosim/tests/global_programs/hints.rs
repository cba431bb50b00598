//! Each hint against its default: the sectors that hit and miss, as predicted by hand in the program files.

use lsu_cosim::program::Program;
use lsu_cosim::results::Results;
use lsu_cosim::roster::Roster;
use lsu_model::preset;

use crate::{model_and_rtl, names, program, run, sectors};

/// Sectors of one operation: in hit, in miss, asked of memory.
type Sectors = [u32; 3];

/// A load of one sector that its cache had.
const HIT: Sectors = [1, 0, 0];
/// A load of one sector that its cache did not have.
const MISS: Sectors = [0, 1, 1];
/// A load or store of one sector that the cache is not asked about.
const PAST: Sectors = [0, 0, 1];
/// Eight rivals, none of which a cache has.
const RIVALS: Sectors = [0, 8, 8];
/// Seven.
const SEVEN: Sectors = [0, 7, 7];

/// What the second-level cache counts: hits, misses, sectors prefetched, lines evicted.
type SecondLevel = [u64; 4];

/// A program: the sectors of its operations without the hint and with it, and what the second-level cache counts of each.
struct Pair {
    name: &'static str,
    default: Vec<Sectors>,
    hinted: Vec<Sectors>,
    second_level: Option<[SecondLevel; 2]>,
}

fn pair<const N: usize>(name: &'static str, default: [Sectors; N], hinted: [Sectors; N]) -> Pair {
    Pair { name, default: default.to_vec(), hinted: hinted.to_vec(), second_level: None }
}

impl Pair {
    fn second_level(self, default: SecondLevel, hinted: SecondLevel) -> Self {
        Self { second_level: Some([default, hinted]), ..self }
    }
}

/// The predictions, by name. `fillers` lines and one more fill a set of L1.
fn pairs(fillers: u32) -> Vec<Pair> {
    let fill = [0, fillers, fillers];
    let l2 = |name, second| {
        pair(name, [PAST, second, PAST, PAST], [PAST, second, PAST, PAST]).second_level([0, 10, 0, 2], [1, 9, 0, 1])
    };
    let prefetch = |name, hits, prefetched| {
        pair(name, [MISS, SEVEN], [MISS, SEVEN]).second_level([0, 8, 0, 0], [hits, 8 - hits, prefetched, 0])
    };
    // A read past L1 and one that misses it both ask memory; only the latter is counted by L1.
    let first_misses = |mut pair: Pair| {
        (pair.default[0], pair.hinted[0]) = (MISS, MISS);
        pair
    };
    vec![
        pair("l1-evict-first", [MISS, RIVALS, MISS], [MISS, RIVALS, HIT]),
        pair("l1-evict-last", [MISS, RIVALS, MISS], [MISS, RIVALS, HIT]),
        pair("l1-evict-normal", [MISS, HIT, RIVALS, HIT], [MISS, HIT, RIVALS, MISS]),
        pair("l1-evict-unchanged", [MISS, fill, HIT, MISS, HIT], [MISS, fill, HIT, MISS, MISS]),
        pair("l1-evict-unchanged-class", [MISS, HIT, RIVALS, MISS], [MISS, HIT, RIVALS, HIT]),
        pair("l1-no-allocate", [MISS, HIT, HIT], [MISS, MISS, HIT]),
        l2("l2-evict-first", SEVEN),
        first_misses(l2("l2-evict-last", SEVEN)),
        first_misses(l2("l2-cache-hint", SEVEN)),
        l2("l2-ld-cs", SEVEN),
        l2("l2-ld-lu", SEVEN),
        // Stores: L1 counts neither hits nor misses.
        l2("l2-st-cs", [0, 0, 7]),
        prefetch("l2-prefetch-64", 1, 1),
        prefetch("l2-prefetch-128", 3, 3),
        prefetch("l2-prefetch-256", 7, 7),
        pair("ld-ca", [MISS, HIT], [MISS, HIT]),
        pair("ld-cg", [MISS, HIT, HIT, HIT], [PAST, MISS, PAST, HIT]).second_level([0, 1, 0, 0], [2, 1, 0, 0]),
        pair("ld-cs", [MISS, RIVALS, MISS], [MISS, RIVALS, HIT]),
        pair("ld-lu", [MISS, RIVALS, MISS], [MISS, RIVALS, HIT]),
        pair("ld-cv", [MISS, HIT, HIT], [MISS, PAST, MISS]).second_level([0, 1, 0, 0], [1, 2, 0, 0]),
        pair("nc-cg", [MISS, HIT, HIT, HIT], [PAST, MISS, PAST, HIT]),
        pair("nc-cs", [MISS, RIVALS, MISS], [MISS, RIVALS, HIT]),
        pair("nc-evict-first", [MISS, RIVALS, MISS], [MISS, RIVALS, HIT]),
        pair("nc-evict-last", [MISS, RIVALS, MISS], [MISS, RIVALS, HIT]),
        pair("nc-evict-normal", [MISS, HIT, RIVALS, HIT], [MISS, HIT, RIVALS, MISS]),
        pair("nc-evict-unchanged-class", [MISS, HIT, RIVALS, MISS], [MISS, HIT, RIVALS, HIT]),
        pair("nc-no-allocate", [MISS, HIT, HIT], [MISS, MISS, HIT]),
        pair("st-wb", [MISS, PAST, HIT], [MISS, PAST, HIT]).second_level([1, 1, 0, 0], [1, 1, 0, 0]),
        pair("st-cg", [MISS, PAST, HIT], [MISS, PAST, MISS]).second_level([1, 1, 0, 0], [2, 1, 0, 0]),
        pair("st-cs", [MISS, fill, PAST, MISS, HIT], [MISS, fill, PAST, MISS, MISS]),
        pair("st-wt", [MISS, PAST, HIT], [MISS, PAST, HIT]).second_level([1, 1, 0, 0], [0, 2, 0, 0]),
    ]
}

/// The results of one half of `program`: the operations of `warp`.
fn run_half(program: &Program, warp: u32, roster: &Roster, what: &str) -> Results {
    let mut half = program.clone();
    half.ops.retain(|operation| operation.warp == warp);
    run(&half, roster, what)
}

#[test]
fn every_hint_changes_what_it_should_and_nothing_else() {
    // 2 ways in fpga8, 4 in warp32.
    for (preset, fillers) in [(preset::FPGA8, 1), (preset::WARP32, 3)] {
        let roster = model_and_rtl(preset);
        let pairs = pairs(fillers);
        let mut covered: Vec<&str> = pairs.iter().map(|pair| pair.name).collect();
        covered.sort_unstable();
        assert_eq!(names("hints"), covered, "every program has a prediction");
        for pair in &pairs {
            let program = program(preset, "hints", &format!("{}.toml", pair.name));
            let whole: Vec<Sectors> = run(&program, &roster, pair.name).ops.iter().map(sectors).collect();
            assert_eq!(whole, [&pair.default[..], &pair.hinted].concat(), "{} on {}", pair.name, preset.name);
            // Each half alone, so that the second-level cache's counts are those of one variant.
            for (warp, expected) in [&pair.default, &pair.hinted].into_iter().enumerate() {
                let what = format!("{} on {}, warp {warp}", pair.name, preset.name);
                let results = run_half(&program, warp as u32, &roster, &what);
                assert_eq!(results.ops.iter().map(sectors).collect::<Vec<_>>(), *expected, "{what}");
                if let Some(second_level) = &pair.second_level {
                    let counts = results.l2;
                    let found = [counts.hits, counts.misses, counts.prefetched, counts.evicted];
                    assert_eq!(found, second_level[warp], "{what}: second level");
                }
            }
        }
    }
}
