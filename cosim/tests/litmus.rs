//! Litmus tests: what each file of `programs/litmus` says of the unit, what is refused, and that a unit or a scheduler that is
//! wrong is found.

mod bad_files;
#[path = "harness/mod.rs"]
mod harness;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;

use harness::{Pair, engines};
use lsu_cosim::engine::{EngineKind, EngineSource};
use lsu_cosim::litmus::{LitmusOptions, LitmusResult, Quantifier, Ran, Step, Test, read, read_file, run, run_one};
use lsu_cosim::program::{self, Overrides};
use lsu_model::micro_op::{OpKind, Semantics};
use lsu_model::pins::{Inputs, Outputs};
use lsu_model::preset::{FPGA8, TINY4};

/// Runs on RTL and model, and further ones on the model alone, which shows the same and is ten times as fast.
const RUNS: u64 = 100;
const MODEL_RUNS: u64 = 1000;

/// What is seen too seldom for so few runs; a long run is a command of `docs/litmus.md`.
const SELDOM: [&str; 2] = ["SB-relaxed-gpu", "SB-release-acquire-gpu"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/litmus")
}

fn files() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder()).expect("the folder exists");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    files.sort();
    assert!(files.len() > 40);
    files
}

fn test(path: &Path) -> Test {
    read_file(path).unwrap_or_else(|error| panic!("{:?}", miette::Report::new(error)))
}

fn named(name: &str) -> Test {
    test(&folder().join(format!("{name}.litmus")))
}

fn runs(test: &Test, source: &dyn EngineSource, seed: u64, runs: u64) -> LitmusResult {
    let stop = AtomicBool::new(false);
    run(test, source, &LitmusOptions { seed, runs, jobs: 2, stop: &stop }, || {}).expect("the engines run")
}

/// The golden model alone.
fn model() -> impl EngineSource {
    engines(FPGA8, &[EngineKind::Model])
}

#[test]
fn every_file_is_met() {
    let both = engines(FPGA8, &[EngineKind::Model, EngineKind::Verilator]);
    let model = model();
    let mut wrong = Vec::new();
    for path in files() {
        let test = test(&path);
        assert_eq!(path.file_stem().expect("a name").to_string_lossy(), test.name);
        let result = runs(&test, &both, 1, RUNS);
        assert!(result.failure.is_none(), "{}: {:?}", test.name, result.failure);
        assert_eq!(result.histogram.runs(), RUNS);
        let alone = runs(&test, &model, 1, RUNS);
        assert_eq!(alone.histogram, result.histogram, "{}", test.name);
        let more = runs(&test, &model, 2, MODEL_RUNS);
        assert!(more.failure.is_none(), "{}: {:?}", test.name, more.failure);
        let meets = [&result, &more].map(|result| result.histogram.meets(test.quantifier));
        let is_met = match test.quantifier {
            Quantifier::Exists => meets.contains(&true) || SELDOM.contains(&test.name.as_str()),
            Quantifier::NotExists | Quantifier::Forall => meets == [true; 2],
        };
        if !is_met {
            wrong.push((test.name.clone(), result.histogram, more.histogram));
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// Two warps share a slot there, and the caches hold next to nothing.
#[test]
fn what_is_forbidden_is_not_seen_in_the_smallest_preset() {
    let tiny = engines(TINY4, &[EngineKind::Model]);
    for path in files() {
        let test = test(&path);
        let result = runs(&test, &tiny, 3, MODEL_RUNS / 3);
        assert!(result.failure.is_none(), "{}: {:?}", test.name, result.failure);
        if test.quantifier != Quantifier::Exists {
            assert!(result.histogram.meets(test.quantifier), "{}: {:?}", test.name, result.histogram);
        }
    }
}

/// The tests with other orders in them, and the runs that show what was forbidden before.
#[test]
fn without_its_fences_a_test_shows_what_it_forbids() {
    let model = model();
    for name in ["SB-fence-sc-gpu", "MP-fence-acq_rel-gpu", "MP-fence-sc-sys"] {
        let mut test = named(name);
        for thread in &mut test.threads {
            thread.steps.retain(|step| !matches!(step, Step::Fence { .. }));
        }
        assert!(!runs(&test, &model, 1, MODEL_RUNS).histogram.meets(test.quantifier), "{name}");
    }
    for name in ["MP-release-acquire-gpu", "S-release-acquire-gpu", "LB-acquire-gpu", "WRC-data"] {
        let mut test = named(name);
        for step in test.threads.iter_mut().flat_map(|thread| &mut thread.steps) {
            if let Step::Load { order, .. } | Step::Store { order, .. } = step {
                order.semantics = Semantics::Weak;
            }
        }
        assert!(!runs(&test, &model, 1, MODEL_RUNS).histogram.meets(test.quantifier), "{name}");
    }
}

/// A unit whose acquires and invalidations do nothing to L1.
fn forgets_to_invalidate(inputs: &Inputs) -> Inputs {
    let mut inputs = inputs.clone();
    if inputs.req_valid && OpKind::on_pin(inputs.req.op) == OpKind::Command {
        // An invalidation of a cache that nothing lies in.
        inputs.req.cmd = lsu_model::micro_op::Command::InvalidateReadOnly.code();
    }
    if inputs.req_valid && inputs.req.sem == Semantics::Acquire.code() {
        inputs.req.sem = Semantics::Relaxed.code();
    }
    inputs
}

#[test]
fn a_unit_that_does_not_invalidate_is_found() {
    let wrong = harness::Rewired { preset: FPGA8, rewire: forgets_to_invalidate };
    for name in ["MP-release-acquire-gpu", "MP-fence-acq_rel-gpu", "SB-fence-sc-gpu", "ISA2-release-acquire-gpu"] {
        let test = named(name);
        let result = runs(&test, &wrong, 1, MODEL_RUNS);
        // The oracle may be the first to object.
        assert!(result.failure.is_some() || !result.histogram.meets(test.quantifier), "{name}");
    }
}

/// A bit of what a load returns is wrong, in every run.
#[test]
fn a_mismatch_is_reported_with_the_first_run_that_shows_it() {
    fn bug(_: &mut harness::Memo, _: &Inputs, outputs: &mut Outputs) {
        outputs.wb.data[0] ^= u32::from(outputs.wb_valid && outputs.wb.mask & 1 != 0);
    }
    let pair = Pair { preset: FPGA8, bug, is_alone: false };
    let test = named("MP-weak");
    let (number, failing) = runs(&test, &pair, 1, 100).failure.expect("a mismatch");
    assert!((0..number).all(|run| matches!(run_one(&test, &pair, 1, run), Ok(Ran::Through { .. }))));
    assert!(failing.failure.to_string().contains("wb lane 0"), "{}", failing.failure);
}

/// A run can be saved, and what stores send is what was loaded.
#[test]
fn runs_are_programs() {
    let model = model();
    let test = named("WRC-data");
    for number in 0..50 {
        let Ok(Ran::Through { program, .. }) = run_one(&test, &model, 1, number) else { panic!("run {number}") };
        let mut read = program::read(&program::write(&program), "saved.toml", Overrides::default()).expect("readable");
        for operation in &mut read.ops {
            // What was written in words; the requests say the same.
            operation.text = None;
            operation.named = Vec::new();
        }
        assert!(read == *program, "run {number}");
    }
}

#[test]
fn the_result_does_not_depend_on_the_jobs() {
    let model = model();
    let test = named("MP-weak");
    let stop = AtomicBool::new(false);
    let with = |jobs| {
        run(&test, &model, &LitmusOptions { seed: 5, runs: 300, jobs, stop: &stop }, || {}).expect("runs").histogram
    };
    assert_eq!(with(1), with(3));
}

/// A test of one thread whose only way to end is known: registers, sizes, and what files may leave out.
#[test]
fn values_go_where_the_file_says() {
    let text = "ptx all (* a comment *)\n\"a { description\"\n\"of two lines\"\n{ x=5; [y]=0; }".replace("[y]", "y");
    let text = format!(
        "{text}\nP0@cta 0, gpu 0 ;\n ld r0, 7 ;\n mov.u32 r1, -1 ;\n ld.global.relaxed.sys.u32 r2, [x] ;\n add r3, r2, r0 ;\n \
         sub r4, r0, 8 ;\n xor r5, r3, 1; mul r6, r3, r3 ;\n st.weak.b64 w, r3 ;\n ld.weak.b64 r7, w ;\n st.b8 y, r1 ;\n \
         ld.weak.s8 r8, y ;\n ld.weak.u8 r9, y ;\n membar.gl ;\n ld x1, r0 ;\n | ; // nothing\n locations [x; 0:r0;]\n \
         forall (P0:r1 == -1 /\\ 0:r2=5 /\\ P0:r3 == 12 && r4_is /\\ (P0:r5 == 13 \\/ 0 == 1) /\\ 0:r6 == 0x90 /\\ 0:r7 == w /\\ w = 12\n\
         /\\ P0:r8 == -1 /\\ P0:r9 == 255 /\\ y == 255 /\\ ~(P0:x1 != 7) /\\ 0:r9 > 254 /\\ 0:r9 <= 255 /\\ not 0:r9 < 255) ;\n"
    )
    .replace("r4_is", "P0:r4 == 0xffffffff")
    .replace("| ; // nothing", "; // nothing");
    let test = read(&text, "all.litmus").unwrap_or_else(|error| panic!("{:?}", miette::Report::new(error)));
    let result = runs(&test, &model(), 1, 20);
    assert!(result.failure.is_none(), "{:?}", result.failure);
    assert!(result.histogram.meets(Quantifier::Forall), "{:?}: {:?}", test.observed, result.histogram);
}

/// What is as wide as it can be stands for itself: locations of which no access says more, registers of 64 bits, least and most.
#[test]
fn values_that_fit_are_kept() {
    let text = "PTX wide\n{ x=0x100000005; y=-1; z=-128; P0:r0=0x1ffffffff; }\nP0@cta 0,gpu 0 ;\n add r1, r0, 0x100000000 ;\n \
                mov.b64 r2, 0xffffffffffffffff ;\n ld.weak.s8 r3, z ;\n st.weak.b64 w, -0x8000000000000000 ;\n\
                forall (x == 0x100000005 /\\ y == -1 /\\ y == 0xffffffffffffffff /\\ 0:r1 == 0x2ffffffff /\\ 0:r2 == -1 /\\ \
                0:r3 == -128 /\\ z == 0x80 /\\ w == 0x8000000000000000)";
    let test = read(text, "wide.litmus").unwrap_or_else(|error| panic!("{:?}", miette::Report::new(error)));
    let result = runs(&test, &model(), 1, 20);
    assert!(result.failure.is_none(), "{:?}", result.failure);
    assert!(result.histogram.meets(Quantifier::Forall), "{:?}: {:?}", test.observed, result.histogram);
}

/// Files that cannot be used, by what is wrong with them.
const BAD: [(&str, &str); 40] = [
    ("another language", "X86 SB\n{ }\nP0@cta 0,gpu 0;\nexists (0==0)"),
    ("no name", "PTX\n{ }\nP0@cta 0,gpu 0;\nexists (0==0)"),
    ("no init block", "PTX a\nP0@cta 0,gpu 0;\nexists (0==0)"),
    ("an init block without end", "PTX a\n{ x=0;"),
    ("an entry without value", "PTX a\n{ x; }\nP0@cta 0,gpu 0;\nexists (0==0)"),
    ("a location twice", "PTX a\n{ x=0; x=1; }\nP0@cta 0,gpu 0;\nexists (0==0)"),
    ("an alias", "PTX a\n{ x=0; y @ generic aliases x; }\nP0@cta 0,gpu 0;\nexists (0==0)"),
    ("an address as a value", "PTX a\n{ x=0; P0:r0=&x; }\nP0@cta 0,gpu 0;\nexists (0==0)"),
    ("a register of no thread", "PTX a\n{ P1:r0=0; }\nP0@cta 0,gpu 0;\nexists (0==0)"),
    ("a thread without a place", "PTX a\n{ }\nP0 ;\nexists (0==0)"),
    ("a thread in no CTA", "PTX a\n{ }\nP0@gpu 0 ;\nexists (0==0)"),
    ("two threads of a name", "PTX a\n{ }\nP0@cta 0,gpu 0 | P0@cta 1,gpu 0;\nexists (0==0)"),
    ("too many columns", "PTX a\n{ }\nP0@cta 0,gpu 0 ;\n ld.weak r0, x | ld.weak r0, x ;\nexists (0==0)"),
    ("a row without end", "PTX a\n{ }\nP0@cta 0,gpu 0 ;\n ld.weak r0, x\n ld.weak r1, x ;\nexists (0==0)"),
    ("atomics", "PTX a\n{ }\nP0@cta 0,gpu 0 ;\n atom.acq_rel.gpu.add r0, x, 1 ;\nexists (0==0)"),
    ("branches", "PTX a\n{ }\nP0@cta 0,gpu 0 ;\n bne r0, 0, LC01 ;\nexists (0==0)"),
    ("labels", "PTX a\n{ }\nP0@cta 0,gpu 0 ;\n LC01: ;\nexists (0==0)"),
    ("proxies", "PTX a\n{ }\nP0@cta 0,gpu 0 ;\n fence.proxy.alias ;\nexists (0==0)"),
    ("surfaces", "PTX a\n{ }\nP0@cta 0,gpu 0 ;\n suld.weak r0, s ;\nexists (0==0)"),
    ("barriers", "PTX a\n{ }\nP0@cta 0,gpu 0 ;\n bar.cta.sync 1 ;\nexists (0==0)"),
    ("other spaces", "PTX a\n{ }\nP0@cta 0,gpu 0 ;\n ld.shared.u32 r0, x ;\nexists (0==0)"),
    ("vectors", "PTX a\n{ }\nP0@cta 0,gpu 0 ;\n ld.weak.v2.u32 r0, x ;\nexists (0==0)"),
    ("a strong access without scope", "PTX a\n{ }\nP0@cta 0,gpu 0 ;\n ld.relaxed r0, x ;\nexists (0==0)"),
    ("a weak access with scope", "PTX a\n{ }\nP0@cta 0,gpu 0 ;\n ld.weak.gpu r0, x ;\nexists (0==0)"),
    ("a store that acquires", "PTX a\n{ }\nP0@cta 0,gpu 0 ;\n st.acquire.gpu x, 1 ;\nexists (0==0)"),
    ("a fence without scope", "PTX a\n{ }\nP0@cta 0,gpu 0 ;\n fence.sc ;\nexists (0==0)"),
    ("an address in a register", "PTX a\n{ }\nP0@cta 0,gpu 0 ;\n ld.weak r0, [r1] ;\nexists (0==0)"),
    ("an unknown instruction", "PTX a\n{ }\nP0@cta 0,gpu 0 ;\n lod r0, x ;\nexists (0==0)"),
    ("no condition", "PTX a\n{ }\nP0@cta 0,gpu 0 ;\n ld.weak r0, x ;\n"),
    ("a filter", "PTX a\n{ }\nP0@cta 0,gpu 0 ;\n ld.weak r0, x ;\nfilter (P0:r0 == 0) exists (0==0)"),
    ("an unknown register", "PTX a\n{ }\nP0@cta 0,gpu 0 ;\n ld.weak r0, x ;\nexists (P0:r1 == 0)"),
    ("an unknown location", "PTX a\n{ }\nP0@cta 0,gpu 0 ;\n ld.weak r0, x ;\nexists (y == 0)"),
    ("an open parenthesis", "PTX a\n{ }\nP0@cta 0,gpu 0 ;\n ld.weak r0, x ;\nexists (P0:r0 == 0"),
    (
        "a constant that its register cannot hold",
        "PTX a\n{ x=5; }\nP0@cta 0,gpu 0 ;\n ld.weak r0, x ;\n~exists (P0:r0 == 0x100000000)",
    ),
    (
        "a constant that its location cannot hold",
        "PTX a\n{ x=5; }\nP0@cta 0,gpu 0 ;\n st.weak.u8 x, 1 ;\nexists (-129 == x)",
    ),
    ("contents that do not fit", "PTX a\n{ x=0x100000005; }\nP0@cta 0,gpu 0 ;\n ld.weak r0, x ;\nexists (P0:r0 == 5)"),
    (
        "a store of more than it writes",
        "PTX a\n{ }\nP0@cta 0,gpu 0 ;\n st.weak.b64 x, 0x1ffffffff ;\n st.weak x, 0x1ffffffff ;\nexists (x == 1)",
    ),
    ("a move of more than it writes", "PTX a\n{ }\nP0@cta 0,gpu 0 ;\n mov.u32 r0, -0x80000001 ;\nexists (P0:r0 == 1)"),
    ("a register of more than 64 bits", "PTX a\n{ P0:r0=-0x8000000000000001; }\nP0@cta 0,gpu 0 ;\nexists (P0:r0 == 1)"),
    ("more than a condition", "PTX a\n{ }\nP0@cta 0,gpu 0 ;\n ld.weak r0, x ;\nexists (P0:r0 == 0) 1"),
];

#[test]
fn every_bad_file_gets_one_clear_error() {
    insta::assert_snapshot!(bad_files::reports(&BAD, |text| read(text, "bad.litmus")));
}

/// Nothing that a file holds makes the reader panic: every file of ours with a piece taken out or put somewhere else.
#[test]
fn broken_files_are_refused_or_read() {
    for path in files() {
        let text = std::fs::read_to_string(path).expect("text");
        let cuts: Vec<usize> = (0..=text.len()).collect();
        for (number, cut) in cuts.iter().enumerate() {
            let _ = read(&text[..*cut], "cut.litmus");
            let other = cuts[(number * 7919 + 13) % cuts.len()];
            let (first, last) = (other.min(*cut), other.max(*cut));
            let _ = read(&format!("{}{}", &text[..first], &text[last..]), "cut.litmus");
            let _ = read(&format!("{}{}", &text[..last], &text[first..]), "cut.litmus");
        }
    }
    let deep = format!("PTX a\n{{ }}\nP0@cta 0,gpu 0 ;\nexists {}", "(~".repeat(100_000));
    assert!(read(&deep, "deep.litmus").is_err());
    let long = format!("PTX a\n{{ }}\nP0@cta 0,gpu 0 ;\nexists 0==0{}", "\\/0==0".repeat(100_000));
    assert!(read(&long, "long.litmus").is_ok());
}

fn lsu(folder: &Path, arguments: &[&str]) -> std::process::Output {
    Command::new(env!("CARGO_BIN_EXE_lsu")).args(arguments).current_dir(folder).output().expect("lsu starts")
}

const FORBIDDEN: &str =
    "PTX none\n{ x=0; }\nP0@cta 0,gpu 0 ;\n st.weak x, 1 ;\n ld.weak r0, x ;\n~exists (P0:r0 == 1)\n";

#[test]
fn the_command_prints_the_document_of_the_contract_and_its_status() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("writable");
    write("none.litmus", FORBIDDEN);
    write("some.litmus", &FORBIDDEN.replace("~exists", "exists"));
    write("atomic.litmus", &FORBIDDEN.replace("st.weak x, 1", "red.gpu.add x, 1"));
    let model = ["--engine", "model", "--cases", "5"];
    for (name, condition, met, status) in [("none", "~exists", false, 1), ("some", "exists", true, 0)] {
        let output = lsu(folder.path(), &[&["run", &format!("{name}.litmus"), "--json"], model.as_slice()].concat());
        assert_eq!(output.status.code(), Some(status), "{output:?}");
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let expected = serde_json::json!({
            "test": "none", "runs": 5, "condition": condition, "met": met,
            "outcomes": [{ "values": { "P0:r0": 1 }, "count": 5 }],
        });
        assert_eq!(document, expected);
    }
    // What was ruled out is saved, and shows the same when it is replayed.
    let saved = folder.path().join("lsu-repro/none-fpga8-seed1-run0.toml");
    assert!(std::fs::read_to_string(saved).expect("saved").contains("P0:r0=1"));
    let replay = lsu(folder.path(), &["replay", "lsu-repro/none-fpga8-seed1-run0.toml", "--engine", "model"]);
    assert_eq!(replay.status.code(), Some(0), "{replay:?}");
    let refused = lsu(folder.path(), &["run", "atomic.litmus"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("atomics cannot be run"), "{refused:?}");
    let replayed = lsu(folder.path(), &["replay", "atomic.litmus"]);
    assert_eq!(replayed.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&replayed.stderr).contains("use: lsu run atomic.litmus"), "{replayed:?}");
    for arguments in
        [["run", "some.litmus", "--vcd", "a.vcd"], ["run", "lsu-repro/none-fpga8-seed1-run0.toml", "--cases", "5"]]
    {
        assert_eq!(lsu(folder.path(), &arguments).status.code(), Some(2), "{arguments:?}");
    }
}
