//! Local memory: the programs that say what its loads and stores give, in every preset, and where its words lie, in the preset whose sizes
//! they name. The files hold the values; here stands how many passes operations take (rule PASS).

use lsu_model::preset::{self, Preset};

use crate::{model_and_rtl, names, program, run};

/// The programs that run in every preset.
const GENERAL: [&str; 7] = ["faults", "kept", "mixed", "partial", "sizes", "vectors", "warps"];

/// Words of a lane, stored and loaded, in `sizes.toml`: 8 to 128 bits; a word and its parts, with sign and without; its bytes, and all of it.
const SIZES: [(&str, u32); 21] = [
    ("st", 1),
    ("ld", 1),
    ("st", 1),
    ("ld", 1),
    ("st", 1),
    ("ld", 1),
    ("st", 2),
    ("ld", 2),
    ("st", 4),
    ("ld", 4),
    ("st", 1),
    ("ld", 1),
    ("ld", 1),
    ("ld", 1),
    ("ld", 1),
    ("ld", 1),
    ("st", 1),
    ("st", 1),
    ("st", 1),
    ("st", 1),
    ("ld", 1),
];

/// The same in `vectors.toml`: 2, 4, 4, 8, 8, 16 and 16 bytes a lane; then 16 of which 8 are sunk.
const VECTORS: [(&str, u32); 15] = [
    ("st", 1),
    ("ld", 1),
    ("st", 1),
    ("ld", 1),
    ("st", 1),
    ("ld", 1),
    ("st", 2),
    ("ld", 2),
    ("st", 2),
    ("ld", 2),
    ("st", 4),
    ("ld", 4),
    ("st", 4),
    ("ld", 4),
    ("ld", 4),
];

/// All lanes have one offset, so that a word of the warp is a line or less: a load's pass. A store has one for each sector.
fn passes(preset: &Preset, words: &[(&str, u32)]) -> Vec<u32> {
    let sectors = (4 * preset.lanes as u32).div_ceil(32);
    words.iter().map(|(operation, words)| words * if *operation == "st" { sectors } else { 1 }).collect()
}

#[test]
fn local_memory_gives_what_its_threads_stored_in_as_many_passes_as_there_are_words() {
    for preset in preset::ALL {
        let roster = model_and_rtl(preset);
        for name in GENERAL {
            let results = run(&program(preset, "local", &format!("{name}.toml")), &roster, name);
            let found: Vec<u32> =
                results.ops.iter().map(|result| result.account.expect("the model takes part").wavefronts).collect();
            match name {
                "sizes" => assert_eq!(found, passes(&preset, &SIZES), "{}", preset.name),
                "vectors" => {
                    let mut expected = passes(&preset, &VECTORS);
                    // Every lane has words of its own: as many groups as lanes.
                    expected.extend([4 * preset.lanes as u32; 2]);
                    assert_eq!(found, expected, "{}", preset.name);
                }
                _ => {}
            }
        }
    }
}

#[test]
fn words_lie_where_the_contract_says() {
    let mut expected: Vec<String> = GENERAL.map(str::to_owned).to_vec();
    for preset in preset::ALL {
        let name = format!("map-{}", preset.name);
        run(&program(preset, "local", &format!("{name}.toml")), &model_and_rtl(preset), &name);
        expected.push(name);
    }
    expected.sort_unstable();
    assert_eq!(names("local"), expected);
}
