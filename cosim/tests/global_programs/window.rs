//! Constant banks by generic addresses: the programs that say what their loads give, in every preset. The files hold the values; here stands
//! what hits cost (rule WINDOW).

use lsu_model::preset;

use crate::{latency, model_and_rtl, names, program, run, sectors};

/// Cycles of a hit in L1, and of one in the constant cache.
const L1_HIT: u64 = 9;
const CONSTANT_HIT: u64 = 6;

#[test]
fn constant_banks_are_read_by_generic_addresses() {
    let names = names("window");
    assert_eq!(names, ["change", "constants", "edges", "hits", "parameters"]);
    for preset in preset::ALL {
        let roster = model_and_rtl(preset);
        for name in &names {
            let results = run(&program(preset, "window", &format!("{name}.toml")), &roster, name);
            if name != "hits" {
                continue;
            }
            // By the window, by the line's own address, by both in one operation, by the window after a store.
            for hit in [2, 3, 4, 6] {
                let result = &results.ops[hit];
                // Each sector that the warp's words lie in hits.
                let hits = (4 * preset.lanes as u32).div_ceil(32);
                assert_eq!(sectors(result), [hits, 0, 0], "operation {hit} on {}", preset.name);
                let passes = result.account.expect("the model takes part").wavefronts;
                assert_eq!((latency(result), passes), (L1_HIT, 1), "operation {hit} on {}", preset.name);
            }
            // A line of the constant cache is a cycle.
            let lines = (4 * preset.lanes as u64).div_ceil(64);
            assert_eq!(latency(&results.ops[7]), CONSTANT_HIT + lines - 1, "{}", preset.name);
        }
    }
}
