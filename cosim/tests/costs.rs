//! What `explain` says that an instruction costs, held against the golden model's cycles.

mod harness;

use std::collections::{BTreeMap, BTreeSet};

use lsu_cosim::engine::EngineKind;
use lsu_cosim::lockstep;
use lsu_cosim::program::{Overrides, read};
use lsu_cosim::results::Results;
use lsu_judge::explain::{Terms, explain};
use lsu_model::preset::{self, Preset, WARP32};
use lsu_model::ptx::Dialect;

/// The sentences about `instruction`.
fn words(instruction: &str) -> Vec<String> {
    let terms = Terms { ptx_version: "8.8".to_owned(), target: "sm_100".to_owned(), dialect: Dialect::Assembler };
    let explanation = explain(instruction, &terms).expect("there are such a version and target").json();
    let words = explanation["words"].as_array().unwrap_or_else(|| panic!("{instruction}: {explanation}"));
    words.iter().map(|sentence| sentence.as_str().expect("a sentence").to_owned()).collect()
}

/// What stands before the cycles of a load.
const LAST: &str = "last register comes after ";

/// The number of cycles that stands in `text` behind each of `behind`, the last of which it follows: digits, or "a cycle".
fn cycles(text: &str, behind: &[&str]) -> Option<u64> {
    let rest = behind.iter().try_fold(text, |rest, words| rest.split_once(words).map(|(_, rest)| rest))?;
    let (count, _) = rest.split_once(" cycle")?;
    if count == "a" { Some(1) } else { count.parse().ok() }
}

/// The cycle in which each of the operations of a program came, and in which it was complete.
fn run(preset: Preset, ops: &[String]) -> Vec<(u64, u64)> {
    let head = "memory_latency = \"ideal\"\n[[bank]]\nindex = 3\nsize = 0x4000\n[[bank]]\nindex = 0\nsize = 0x4000\n";
    let text = format!("{head}{}", ops.concat());
    let program =
        read(&text, "costs", Overrides { preset: Some(preset) }).unwrap_or_else(|error| panic!("{text}\n{error}"));
    let roster = harness::engines(preset, &[EngineKind::Model]);
    let mut results = Results::new(&program);
    let outcome = lockstep::run(&program, &roster, &mut results).expect("the model runs");
    assert_eq!(outcome.failure, None, "{text}");
    results
        .ops
        .iter()
        .map(|result| {
            assert_eq!(result.fault, None, "{text}");
            (result.accepted.expect("accepted"), result.done.expect("complete"))
        })
        .collect()
}

/// `instruction` on addresses `stride` bytes apart, from `base` on, when nothing else is under way, or at once.
fn op(instruction: &str, base: u64, stride: u64, waits: bool) -> String {
    let wait = if waits { "wait = \"all\"\n" } else { "" };
    let register = if instruction.starts_with("LDC") { "R0" } else { "%rd1" };
    let mut registers = format!("\"{register}\" = \"{base:#x} + {stride}*lane\"");
    if let Some((_, data)) = instruction.split_once("], ") {
        for name in data.split(|letter: char| ",{}; ".contains(letter)).filter(|name| !name.is_empty()) {
            registers += &format!(", \"{name}\" = 7");
        }
    }
    format!("[[op]]\n{wait}instr = \"{instruction}\"\nregs = {{ {registers} }}\n")
}

/// What the lanes of a load need one after the other.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Parts {
    /// Lines of this many bytes.
    Lines(u64),
    /// Words of a bank of shared memory.
    Banks,
    /// Lines of memory in which the words of a warp's lanes lie side by side.
    Local,
}

/// How many there are where lanes access `total` bytes `stride` bytes apart.
fn parts(preset: &Preset, kind: Parts, total: u64, stride: u64) -> u64 {
    let (lanes, slots) = (preset.lanes as u64, preset.warps as u64);
    let distinct = |of: &dyn Fn(u64) -> u64| (0..lanes).map(of).collect::<BTreeSet<u64>>().len() as u64;
    match kind {
        Parts::Lines(bytes) => distinct(&|lane| stride * lane / bytes),
        Parts::Local => distinct(&|lane| (stride * lane / 4 * slots * lanes + lane) * 4 / 128),
        Parts::Banks => {
            // Blocks of at least a word; those that need the same banks are served one after the other.
            let width = total.max(4);
            let mut same_banks = BTreeMap::<u64, BTreeSet<u64>>::new();
            for lane in 0..lanes {
                let block = stride * lane / width;
                same_banks.entry(block % (4 * lanes / width)).or_default().insert(block);
            }
            same_banks.values().map(|blocks| blocks.len() as u64).max().unwrap_or(0)
        }
    }
}

/// Holds what is said of a load that hits, whose lanes take `total` bytes each, against what it takes with lanes so far apart. The number
/// of them that could be measured.
fn measured(preset: Preset, instruction: &str, base: u64, kind: Parts, total: u64, strides: [u64; 3]) -> usize {
    let text = words(instruction).join(" ");
    let first = cycles(&text, &[LAST]).unwrap_or_else(|| panic!("{instruction}: {text}"));
    let further = cycles(&text, &[LAST, ", and "]).unwrap_or_else(|| panic!("{instruction}: {text}"));
    // The caches of the least unit hold two lines of two sets; and local words fill lines of their own.
    let parts = |stride| parts(&preset, kind, total, stride);
    let fits = |stride: &u64| match kind {
        Parts::Local => parts(*stride) == 1 || preset == WARP32,
        _ => parts(*stride) <= 4 || preset.lanes >= 8,
    };
    let fitting = strides.into_iter().filter(fits);
    fitting
        .map(|stride| {
            let op = op(instruction, base, stride, true);
            let (accepted, done) = run(preset, &[op.clone(), op])[1];
            let said = first + (parts(stride) - 1) * further;
            assert_eq!(done - accepted, said, "{}: {instruction} stride {stride}: {text}", preset.name);
        })
        .count()
}

#[test]
fn a_load_takes_as_long_as_it_is_said() {
    let vectors = [
        (1, "u8 %r1", 1),
        (1, "s8 %rd2", 1),
        (4, "u8 {%r1, %r2, %r3, %r4}", 1),
        (1, "u32 %r1", 4),
        (1, "u64 %rd2", 8),
        (2, "u32 {%r1, %r2}", 4),
        (4, "u32 {%r1, %r2, %r3, %r4}", 4),
        (2, "u64 {%rd2, %rd3}", 8),
        (1, "b128 %q1", 16),
        (4, "u64 {%rd2, %rd3, %rd4, %rd5}", 8),
        (8, "u32 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}", 4),
    ];
    let mut count = 0;
    for preset in preset::ALL {
        for (space, base, kind) in [
            (".global", 0x1000, Parts::Lines(128)),
            (".global.nc", 0x1000, Parts::Lines(128)),
            ("", 0x1000, Parts::Lines(128)),
            (".const", 0, Parts::Lines(64)),
            (".shared", 0, Parts::Banks),
            (".local", 0, Parts::Local),
        ] {
            for (elements, rest, bytes) in vectors {
                let total = elements * bytes;
                if total == 32 && !space.starts_with(".global") && !space.is_empty() {
                    continue;
                }
                let vector = if elements > 1 { format!(".v{elements}") } else { String::new() };
                let instruction = format!("ld{space}{vector}.{rest}, [%rd1];");
                count += measured(preset, &instruction, base, kind, total, [0, total, 2 * total]);
            }
        }
        for (instruction, bytes) in
            [("LDC R4, c[0x3][R0]", 4), ("LDC.64 R4, c[0x3][R0]", 8), ("LDC.U8 R4, c[0x3][R0]", 1)]
        {
            count += measured(preset, instruction, 0, Parts::Lines(64), bytes, [0, bytes, 64]);
        }
    }
    assert!(count > 400, "{count}");
}

#[test]
fn a_store_takes_as_long_as_it_is_said() {
    // Stores to one sector of global memory wait for one another, so that each has its own.
    for (space, base, apart) in [(".global", 0x1000, 0x1000), ("", 0x1000, 0x1000), (".local", 0, 0), (".shared", 0, 0)]
    {
        for (elements, rest, bytes) in [
            (1, "u8", 1),
            (1, "u32", 4),
            (1, "u64", 8),
            (2, "u32", 4),
            (4, "u8", 1),
            (4, "u32", 4),
            (2, "u64", 8),
            (1, "b128", 16),
            (8, "u32", 4),
        ] {
            let total = elements * bytes;
            if total == 32 && space != ".global" {
                continue;
            }
            let vector = if elements > 1 { format!(".v{elements}") } else { String::new() };
            let prefix = match bytes {
                16 => "%q",
                8 => "%rd",
                _ => "%r",
            };
            let registers: Vec<String> = (2..2 + elements).map(|register| format!("{prefix}{register}")).collect();
            let data = if elements > 1 { format!("{{{}}}", registers.join(", ")) } else { registers.concat() };
            let instruction = format!("st{space}{vector}.{rest} [%rd1], {data};");
            let text = words(&instruction).join(" ");
            let first = cycles(&text, &["Its data take "]).unwrap_or_else(|| panic!("{instruction}: {text}"));
            let each = if space == ".shared" { ", and each pass " } else { "that the lanes write " };
            let each = cycles(&text, &[each]).unwrap_or_else(|| panic!("{instruction}: {text}"));
            for stride in [0, total, 2 * total] {
                let (lanes, slots) = (WARP32.lanes as u64, WARP32.warps as u64);
                let count = match space {
                    ".shared" => parts(&WARP32, Parts::Banks, total, stride),
                    ".local" => {
                        let place = |lane, word| ((stride * lane / 4 + word) * slots * lanes + lane) * 4 / 32;
                        let places: BTreeSet<u64> = (0..lanes)
                            .flat_map(|lane| (0..total.div_ceil(4)).map(move |word| place(lane, word)))
                            .collect();
                        places.len() as u64
                    }
                    _ => parts(&WARP32, Parts::Lines(32), total, stride),
                };
                // A sector in every cycle is more than as many MSHRs as there are take to memory for long.
                if count > 4 && each == 1 && apart > 0 {
                    continue;
                }
                // Behind one another: how much later the sixteenth ends than the eighth.
                let ops: Vec<String> =
                    (0..16).map(|number| op(&instruction, base + number * apart, stride, false)).collect();
                let times = run(WARP32, &ops);
                let said = 8 * (first + count * each);
                assert_eq!(times[15].1 - times[7].1, said, "{instruction} stride {stride}: {text}");
            }
        }
    }
}
