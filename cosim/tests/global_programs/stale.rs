//! Which loads may return an old value after another unit's store, and which may not.

use lsu_model::preset;

use crate::{model_and_rtl, names, program, run, sectors};

/// For each program the sectors that each operation asks memory for: 0 is a load that its cache served, or a command.
const MEMORY_SECTORS: [(&str, &[u32]); 9] = [
    ("acquire", &[1, 1, 1, 1, 0, 0, 1, 1]),
    ("ca", &[1, 1, 0, 1]),
    ("cg", &[1, 1, 1, 0]),
    ("cv", &[1, 1, 1, 1, 1, 1, 0]),
    ("fill-in-flight", &[1, 0, 1, 1]),
    ("grids", &[1, 1, 1, 1, 0, 1, 1]),
    ("nc", &[1, 1, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1]),
    ("relaxed", &[1, 1, 1, 1, 0, 1, 1, 0]),
    ("volatile", &[1, 1, 1, 1, 1, 1, 0]),
];

#[test]
fn old_and_new_values_are_seen_where_the_rules_say() {
    assert_eq!(names("stale"), MEMORY_SECTORS.map(|(name, _)| name));
    for preset in preset::ALL {
        let roster = model_and_rtl(preset);
        for (name, expected) in MEMORY_SECTORS {
            let results = run(&program(preset, "stale", &format!("{name}.toml")), &roster, name);
            let asked: Vec<u32> = results.ops.iter().map(|result| sectors(result)[2]).collect();
            assert_eq!(asked, expected, "{name} on {}", preset.name);
        }
    }
}
