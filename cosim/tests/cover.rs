//! Coverage: a bin is counted exactly when a program does the thing, the plan is not contradicted, and nothing depends on the threads.

mod harness;

use std::collections::BTreeSet;
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use lsu_cosim::check::{Extent, Shard};
use lsu_cosim::cover::{CoverOptions, Coverage, Earlier, Keeper, Plan, cover};
use lsu_cosim::engine::EngineKind;
use lsu_cosim::lockstep;
use lsu_cosim::program::{Overrides, Program, read, read_file};
use lsu_model::golden::Rule;
use lsu_model::preset::{ALL, FPGA8, Preset, TINY4};

/// The names of the bins that `program` fills.
fn filled(program: &Program) -> BTreeSet<String> {
    static PLANS: OnceLock<Vec<Plan>> = OnceLock::new();
    let plans = PLANS.get_or_init(|| ALL.iter().map(Plan::new).collect());
    let plan = plans.iter().find(|plan| plan.preset == program.preset).expect("a preset");
    let mut keeper = Keeper::new(plan);
    let source = harness::engines(program.preset, &[EngineKind::Model]);
    let outcome = lockstep::run(program, &source, &mut keeper).expect("the model runs");
    assert_eq!(outcome.failure, None);
    let hits = keeper.hits();
    (0..plan.len()).filter(|bin| hits[*bin] > 0).map(|bin| plan.name(bin)).collect()
}

/// Those of a program on `fpga8` with memory that is always ready.
fn filled_by(ops: &str) -> BTreeSet<String> {
    let text = format!("preset = \"fpga8\"\nmemory_latency = \"ideal\"\n[traffic]\nstall = 0\n{ops}");
    let program = read(&text, "cover.toml", Overrides::default());
    filled(&program.unwrap_or_else(|error| panic!("{:?}", miette::Report::new(error))))
}

/// Those of a program on `fpga8` that waits for memory's answers after a reset.
fn filled_draining(ops: &str) -> BTreeSet<String> {
    let text = format!(
        "preset = \"fpga8\"\nmemory_latency = [150, 150]\n[traffic]\nstall = 0\n[[reset]]\ncycle = 8\n{LOAD}{ops}"
    );
    let program = read(&text, "cover.toml", Overrides::default());
    filled(&program.unwrap_or_else(|error| panic!("{:?}", miette::Report::new(error))))
}

/// Those of one family, without its name.
fn of_family(family: &str, filled: &BTreeSet<String>) -> BTreeSet<String> {
    let family = format!("{family}: ");
    filled.iter().filter_map(|name| name.strip_prefix(&family)).map(str::to_owned).collect()
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

const LOAD: &str =
    "[[op]]\nwait = \"all\"\ninstr = \"ld.global.u32 %r1, [%rd1];\"\nregs = { \"%rd1\" = \"0x1000 + 4*lane\" }\n";

#[test]
fn rules_are_the_headings_of_the_contracts() {
    let pages = [include_str!("../../hdl/docs/global_path.md"), include_str!("../../hdl/docs/constant_cache.md")];
    let headings = pages.iter().flat_map(|page| page.lines()).filter_map(|line| line.strip_prefix("### "));
    assert_eq!(Rule::ALL.iter().map(|rule| rule.name()).collect::<Vec<_>>(), headings.collect::<Vec<_>>());
}

#[test]
fn a_load_that_misses_asks_exactly_these_rules() {
    // What the contract says of it, rule by rule: it is alone, misses, takes a victim, and ends with one pass.
    let expected = [
        "FREE yes",
        "PATH yes",
        "FAULT no",
        "SHARED no",
        "WINDOW no",
        "CLUSTER no",
        "LOCAL no",
        "PASS yes",
        "STALL no",
        "ORDER no",
        "HIT no",
        "MISS yes",
        "JOIN no",
        "PINNED no",
        "VICTIM yes",
        "TOUCH yes",
        "FLUSH no",
        "WRITE-BACK no",
        "REQUEST yes",
        "ARBITER no",
        "RESPONSE yes",
        "ROW no",
        "READY yes",
        "READY no",
        "PICK yes",
        "AHEAD no",
        "LAST yes",
        "EMIT yes",
        "DRAIN no",
    ];
    assert_eq!(of_family("rule", &filled_by(LOAD)), set(&expected));
}

#[test]
fn a_second_load_hits_and_adds_no_more_than_that() {
    let [once, twice] = [filled_by(LOAD), filled_by(&format!("{LOAD}{LOAD}"))];
    let new: BTreeSet<_> = twice.difference(&once).cloned().collect();
    assert_eq!(of_family("rule", &new), set(&["HIT yes", "MISS no"]));
    assert_eq!(of_family("cached", &new), set(&["ld, global, default, hit"]));
    assert_eq!(of_family("cached", &once), set(&["ld, global, default, miss"]));
    assert_eq!(of_family("fault", &twice), set(&["ld, global, 32, no fault"]));
    assert_eq!(of_family("shape", &twice), set(&["ld, global, 32, v1"]));
    assert_eq!(of_family("lanes", &new), set(&["ld, global, all lanes, hit"]));
    let pairs = of_family("pair of rules", &new);
    assert!(pairs.contains("HIT + TOUCH") && !pairs.iter().any(|pair| pair.starts_with("MISS")), "{pairs:?}");
}

#[test]
fn faults_and_conflicts_have_their_cells() {
    let misaligned = LOAD.replace("0x1000", "0x1002");
    assert_eq!(of_family("fault", &filled_by(&misaligned)), set(&["ld, global, 32, misaligned"]));
    assert_eq!(of_family("conflict", &filled_by(&misaligned)), set(&["ld, global, 32, 0 passes"]));
    // Eight lines; eight words of one bank.
    let lines = LOAD.replace("4*lane", "128*lane");
    assert_eq!(of_family("conflict", &filled_by(&lines)), set(&["ld, global, 32, 5-8 passes"]));
    let banks = lines.replace("ld.global", "ld.shared").replace("0x1000 + 128", "32");
    let banks = filled_by(&banks);
    assert_eq!(of_family("conflict", &banks), set(&["ld, shared, 32, 5-8 passes"]));
    assert!(banks.contains("rule: BANK yes") && banks.contains("rule: BANK no"), "{banks:?}");
    assert!(banks.contains("place: global_bank blocked") || banks.contains("place: global_bank partly full"));
    let one_bank = filled_by(&LOAD.replace("ld.global", "ld.shared").replace("0x1000", "0x40"));
    assert!(!one_bank.contains("rule: BANK yes") && one_bank.contains("rule: BANK no"), "{one_bank:?}");
}

#[test]
fn what_is_stored_locally_hits_while_the_unit_drains() {
    let op = |instr: &str| format!("instr = \"{instr}\"\nregs = {{ \"%rd1\" = 16, \"%r1\" = 1 }}\n");
    let store = op("st.local.u32 [%rd1], %r1;");
    let [load, last] = ["ld.local", "ld.local.lu"].map(|load| op(&format!("{load}.u32 %r1, [%rd1];")));
    let drain = filled_draining(&format!("[[op]]\nwait = true\n{store}[[op]]\n{load}[[op]]\n{last}"));
    let pairs = of_family("pair of rules", &drain);
    for pair in ["HIT + DRAIN", "LAST-USE + DRAIN"] {
        assert!(pairs.contains(pair), "{pair}: {pairs:?}");
    }
}

#[test]
fn every_rule_answers_yes_in_its_program() {
    let files = harness::program_files("global/rules").into_iter().chain(harness::program_files("constant"));
    let (mut shown, mut refused) = (BTreeSet::new(), Vec::new());
    for path in files {
        let rule = path.file_stem().expect("a name").to_string_lossy().to_uppercase();
        let program = read_file(&path, Overrides::default()).expect("a right file");
        let bins = filled(&program);
        let answers = |answer: &str| bins.contains(&format!("rule: {rule} {answer}"));
        assert!(answers("yes") || answers("no"), "{rule}: {:?}", of_family("rule", &bins));
        if !answers("yes") {
            refused.push(rule.clone());
        }
        shown.insert(rule);
    }
    // Its program reads what was written before.
    assert_eq!(refused, ["ROW"]);
    assert_eq!(shown, Rule::ALL.iter().map(|rule| rule.name().to_owned()).collect());
}

#[test]
fn no_two_bins_have_the_same_name() {
    let plan = Plan::new(&TINY4);
    let names: BTreeSet<String> = (0..plan.len()).map(|bin| plan.name(bin)).collect();
    assert_eq!(names.len(), plan.len());
}

fn covered(preset: &Preset, cases: u64, jobs: usize) -> (Plan, Coverage) {
    let plan = Plan::new(preset);
    let source = harness::engines(*preset, &[EngineKind::Model]);
    let stop = AtomicBool::new(false);
    let options = CoverOptions { seed: 3, extent: Extent::Cases(cases), jobs, shard: Shard::WHOLE, stop: &stop };
    let coverage = cover(&plan, &source, &options, Earlier::default(), |_, _| {}).expect("the model runs");
    assert!(coverage.failure.is_none());
    (plan, coverage)
}

#[test]
fn threads_change_nothing() {
    let [one, three] = [1, 3].map(|jobs| covered(&TINY4, 130, jobs).1);
    assert_eq!((one.cases, one.ops, one.cycles), (130, three.ops, three.cycles));
    assert_eq!(one.tally, three.tally);
}

#[test]
fn who_goes_on_from_a_round_comes_to_the_same() {
    let plan = Plan::new(&TINY4);
    let source = harness::engines(TINY4, &[EngineKind::Model]);
    let stop = AtomicBool::new(false);
    for shard in ["1/1", "2/2"] {
        let shard: Shard = shard.parse().expect("a shard");
        let mut earlier = Earlier::default();
        let run = |cases: u64, earlier: Earlier| {
            let options = CoverOptions { seed: 3, extent: Extent::Cases(cases.min(100)), jobs: 2, shard, stop: &stop };
            let mut last = earlier.steering.clone();
            let coverage = cover(&plan, &source, &options, earlier, |_, steering| last = steering.clone());
            (coverage.expect("the model runs"), last)
        };
        let (whole, steering) = run(100, Earlier::default());
        let mut parts = 0;
        // Whole rounds of 32 programs each, and the rest.
        for cases in [32 * shard.count, 64 * shard.count, 100] {
            let (part, steering) = run(cases, earlier);
            parts += part.cases;
            earlier = Earlier { cases: parts, hits: part.tally, steering };
        }
        assert_eq!((parts, &earlier.steering), (shard.cases(100), &steering));
        assert!(earlier.hits == whole.tally, "shard {shard} has filled other bins, or more or less often");
    }
}

#[test]
fn shards_add_up_and_none_counts_twice() {
    let folder = tempfile::tempdir().expect("a folder");
    let lsu = |arguments: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lsu"));
        command.current_dir(folder.path()).args(arguments.split(' ')).output().expect("lsu starts")
    };
    let shard = |number: u32| {
        let output = lsu(&format!(
            "cover --engine model --preset tiny4 --cases 90 --shard {number}/2 --results {number} --json"
        ));
        assert!(output.status.success(), "{output:?}");
        serde_json::from_slice::<serde_json::Value>(&output.stdout).expect("a document")
    };
    let names = |document: &serde_json::Value| -> BTreeSet<String> {
        let missing = document["missing"].as_array().expect("a list").iter();
        missing.map(|name| name.as_str().expect("a name").to_owned()).collect()
    };
    let parts = [shard(1), shard(2)];
    let file = std::fs::read(folder.path().join("1")).expect("results");
    // Nothing is left to do, and nothing is done.
    assert_eq!(shard(1), parts[0]);
    assert_eq!(std::fs::read(folder.path().join("1")).expect("results"), file);

    let output = lsu("merge 1 2 --json");
    assert!(output.status.success(), "{output:?}");
    let both: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a document");
    for figure in ["cases", "ops", "cycles"] {
        let sum = parts.iter().map(|part| part[figure].as_u64().expect("a number")).sum::<u64>();
        assert_eq!(both[figure].as_u64(), Some(sum), "{figure}");
    }
    assert_eq!(names(&both), names(&parts[0]).intersection(&names(&parts[1])).cloned().collect());
    assert!(names(&both).len() < names(&parts[0]).len(), "the second shard has filled nothing of its own");

    let one = lsu("merge 1");
    assert_eq!(one.status.code(), Some(130), "{one:?}");
    assert!(String::from_utf8_lossy(&one.stderr).contains("shard 2/2 is missing"), "{one:?}");
    lsu("check --engine model --preset tiny4 --cases 90 --shard 2/2 --results checked");
    let unlike = lsu("merge 1 checked");
    assert_eq!(unlike.status.code(), Some(2), "{unlike:?}");
    assert!(String::from_utf8_lossy(&unlike.stderr).contains("command cover and check"), "{unlike:?}");
}

#[test]
fn rounds_are_steered_and_do_not_contradict_the_plan() {
    for preset in [TINY4, FPGA8] {
        let (plan, coverage) = covered(&preset, 500, 2);
        let names = |bins: Vec<usize>| bins.into_iter().map(|bin| plan.name(bin)).collect::<Vec<_>>();
        assert_eq!(names(plan.contradicting(&coverage.tally).collect()), [""; 0], "{}", preset.name);
        let missing = names(plan.missing(&coverage.tally).collect());
        // As many programs of `lsu check` leave out more than two thousand.
        assert!(missing.len() < 600, "{}: {} missing", preset.name, missing.len());
    }
}

#[test]
fn the_command_names_what_is_missing() {
    let lsu = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lsu"));
        command.arg("cover").args(arguments).output().expect("lsu starts")
    };
    let output = lsu(&["--engine", "model", "--preset", "tiny4", "--cases", "40", "--json"]);
    assert!(output.status.success(), "{output:?}");
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a document");
    let count = |family: &serde_json::Value, what: &str| family[what].as_u64().expect("a count");
    let (all, missing) = (&document["all"], document["missing"].as_array().expect("a list").len() as u64);
    assert_eq!(count(all, "reachable") - count(all, "filled"), missing);
    let unreachable = document["unreachable"].as_object().expect("reasons").values();
    let unreachable: usize = unreachable.map(|names| names.as_array().map_or(0, Vec::len)).sum();
    assert_eq!(count(all, "bins") - count(all, "reachable"), unreachable as u64);
    let families = document["families"].as_object().expect("families").values();
    assert_eq!(families.map(|family| count(family, "bins")).sum::<u64>(), count(all, "bins"));

    let alone = lsu(&["--engine", "verilator"]);
    assert_eq!(alone.status.code(), Some(2), "{alone:?}");
    assert!(String::from_utf8_lossy(&alone.stderr).contains("add model to --engine"), "{alone:?}");
}
