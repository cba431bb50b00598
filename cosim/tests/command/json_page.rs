//! The page about the JSON documents: every key that is printed stands there, and every key that stands there is printed.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

const PAGE: &str = include_str!("../../docs/json.md");

/// Members whose names are data: what is in them stands in no table.
const BY_NAME: [&str; 7] = ["coverage", "ops[].regs", "outcomes[].values", "op", "families", "unreachable", "rtl"];

/// A program that has everything: a fault, registers, and contents of both kinds of memory.
const PROGRAM: &str = r#"
preset = "tiny4"

[[op]]
instr = "ld.global.u32 %r1, [%rd1];"
regs = { "%rd1" = "0x1000 + 4*lane" }

[[op]]
instr = "ld.global.u32 %r1, [%rd1];"
regs = { "%rd1" = 1 }
expect_fault = "misaligned_address"

[[dump]]
space = "global"
address = 0x1000
bytes = 16

[[dump]]
space = "shared"
sm = 0
address = 0
bytes = 16
"#;

/// The paths of `value`: `a.b[].c`.
fn paths(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        _ if BY_NAME.contains(&path) => {}
        Value::Object(members) => {
            for (name, member) in members {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                found.insert(path.clone());
                paths(member, &path, found);
            }
        }
        Value::Array(elements) => elements.iter().for_each(|element| {
            let path = format!("{path}[]");
            found.insert(path.clone());
            paths(element, &path, found);
        }),
        _ => {}
    }
}

/// What the tables below the first line that holds `heading`, up to the next such line, name.
fn documented(heading: &str) -> BTreeSet<String> {
    let (_, rest) = PAGE.split_once(heading).expect("the page has it");
    let end = ["\n## ", "\n`lsu run FILE.litmus", "\nWith `--shard`"].iter().filter_map(|end| rest.find(end)).min();
    let first =
        |line: &str| line.strip_prefix("| `").map(|line| line.split(" |").next().unwrap_or_default().to_owned());
    let cells = rest[..end.unwrap_or(rest.len())].lines().filter_map(first);
    let names = cells.flat_map(|cell| cell.split(", ").map(|key| key.replace('`', "")).collect::<Vec<_>>());
    names.collect()
}

/// With what leads to each: `a` of `a.b`, `a[]` of `a[].b` and `a` of `a[]`.
fn with_parents(keys: BTreeSet<String>) -> BTreeSet<String> {
    let parents = keys.iter().flat_map(|key| {
        let ends =
            key.match_indices(['.', '[']).map(|(end, _)| end).chain(key.match_indices(']').map(|(end, _)| end + 1));
        ends.filter(|end| (1..key.len()).contains(end)).map(|end| key[..end].to_owned()).collect::<Vec<_>>()
    });
    parents.collect::<BTreeSet<_>>().union(&keys).cloned().collect()
}

/// The paths of what these commands print.
fn printed(folder: &Path, commands: &[&[&str]]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for arguments in commands {
        let output = Command::new(env!("CARGO_BIN_EXE_lsu")).current_dir(folder).args(*arguments).output();
        let output = output.expect("lsu starts");
        let document = serde_json::from_slice(&output.stdout);
        paths(&document.unwrap_or_else(|error| panic!("{arguments:?}: {error}: {output:?}")), "", &mut found);
    }
    found
}

fn compare(headings: &[&str], printed: BTreeSet<String>) {
    let documented = headings.iter().flat_map(|heading| documented(heading)).collect();
    assert_eq!(with_parents(documented), printed, "documented, and printed, of {headings:?}");
}

#[test]
fn every_key_stands_on_the_page_and_is_printed() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("writable");
    write("program.toml", PROGRAM);
    write(
        "module.ptx",
        ".version 8.8\n.target sm_100\n.address_size 64\n.visible .entry k()\n{\nld.acquire.u32 %r1, [%rd1];\n}\n",
    );
    let litmus = concat!(env!("CARGO_MANIFEST_DIR"), "/programs/litmus/MP-fence-acq_rel-cta.litmus");
    let check = ["check", "--preset", "tiny4", "--cases", "2", "--engine", "model", "--json"];
    let shard = [&check[..], &["--shard", "1/2", "--results", "shard.json"]].concat();
    let cover = ["cover", "--preset", "tiny4", "--cases", "2", "--engine", "model", "--json"];
    let refused = ["explain", "ld.acquire.u32 %r1, [%rd1];", "--json"];
    let warned = ["explain", "ld.shared.L1::no_allocate.u32 %r1, [%rd1];", "--strict", "--json"];
    let in_folder = |commands: &[&[&str]]| printed(folder.path(), commands);
    // Printed of a failure alone, as `failure_reports` has it.
    let or_fails = |mut keys: BTreeSet<String>| {
        keys.insert("failure".to_owned());
        keys
    };

    compare(&["## `lsu check`"], or_fails(in_folder(&[&check])));
    compare(&["## `lsu check`", "With `--shard`"], or_fails(in_folder(&[&shard])));
    let run = ["run", "program.toml", "--engine", "model", "--json"];
    compare(&["## `lsu run`"], or_fails(in_folder(&[&run])));
    let mut outcomes = in_folder(&[&["run", litmus, "--cases", "5", "--engine", "model", "--json"]]);
    outcomes.insert("mismatches".to_owned());
    compare(&["\n`lsu run FILE.litmus"], or_fails(outcomes));
    compare(&["## `lsu explain`"], in_folder(&[&refused, &warned]));
    compare(&["## `lsu lint`"], in_folder(&[&["lint", "module.ptx", "--json"]]));
    compare(&["## `lsu presets`"], in_folder(&[&["presets", "--json"]]));
    compare(&["## `lsu cover`"], or_fails(in_folder(&[&cover])));
}

/// These two take minutes: what they print is read from where it is written.
#[test]
fn keys_of_slow_verbs_are_those_of_their_source() {
    for (heading, source) in [
        ("## `lsu mutate`", include_str!("../../src/command/mutate.rs")),
        ("## `lsu bench`", include_str!("../../src/command/bench.rs")),
    ] {
        let (_, document) = source.split_once("let document = json!({").expect("it prints a document");
        let (document, _) = document.split_once("output::print_line(document)").expect("it prints it");
        let keys = document.match_indices("\":").filter_map(|(end, _)| document[..end].rsplit('"').next());
        let names: BTreeSet<String> = keys.map(str::to_owned).collect();
        let documented = with_parents(documented(heading));
        let last = |key: &String| key.rsplit('.').next().unwrap_or_default().replace("[]", "");
        assert_eq!(documented.iter().map(last).collect::<BTreeSet<_>>(), names, "{heading}");
    }
}
