//! Shared memory: the programs that say what its loads and stores give, in every preset. The files hold the values; here stands how
//! many passes each operation takes (rule BANK), so that no conflict is missed and none is made up.

use lsu_model::preset;

use crate::{model_and_rtl, names, program, run};

/// Passes of a program's operations by preset: `warp32`, `fpga8`, `tiny4`. A fault has none.
type Passes = [&'static [u32]; 3];

/// Conflicts depend on the lanes: as many banks. Without conflicts 8 bytes a lane take two passes, 16 bytes four. A lane of
/// global memory counts by its line, a store by its sector.
const PASSES: [(&str, Passes); 6] = [
    ("bytes", [&[1; 10], &[1; 10], &[1; 10]]),
    // The load of both windows finds words 64 bytes apart: one bank with 8 banks or 4, two with 32.
    ("ctas", [&[1, 1, 1, 1, 1, 1, 0, 0, 1, 0], &[1, 1, 1, 1, 1, 2, 0, 0, 1, 0], &[1, 1, 1, 1, 1, 2, 0, 0, 1, 0]]),
    ("faults", [&FAULTS; 3]),
    ("mixed", [&[1, 2, 2, 5, 1, 1, 2], &[1, 2, 2, 2, 1, 1, 2], &[1, 2, 2, 2, 1, 1, 2]]),
    ("sizes", [&SIZES; 3]),
    ("vectors", [&VECTORS; 3]),
];

/// Faults and single passes between them; 32 bytes of global memory, all lanes on one line; two words 0x180 bytes apart, in one bank.
const FAULTS: [u32; 21] = [1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 2, 0, 0, 1];

/// Up to 4 bytes a lane one pass; 8 two, and so their words, which lie 8 bytes apart; 16 four.
const SIZES: [u32; 21] = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4];

/// 2, 4, 4, 8, 8, 16 and 16 bytes a lane, each stored and loaded; 16 once more.
const VECTORS: [u32; 15] = [1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4];

#[test]
fn shared_memory_gives_what_was_stored_in_as_many_passes_as_it_has_conflicts() {
    assert_eq!(names("shared"), PASSES.map(|(name, _)| name));
    for (index, preset) in preset::ALL.into_iter().enumerate() {
        let roster = model_and_rtl(preset);
        for (name, passes) in PASSES {
            let results = run(&program(preset, "shared", &format!("{name}.toml")), &roster, name);
            let found: Vec<u32> =
                results.ops.iter().map(|result| result.account.expect("the model takes part").wavefronts).collect();
            assert_eq!(found, passes[index], "{name} on {}", preset.name);
            // Who is alone in shared memory asks no cache and no memory.
            if name != "mixed" && name != "faults" {
                let asked: u32 = results.ops.iter().map(|result| crate::sectors(result).iter().sum::<u32>()).sum();
                assert_eq!(asked, 0, "{name} on {}", preset.name);
            }
        }
    }
}
