//! Bugs put into one engine on purpose: each is caught, shrunk, reported and replayed, whatever the number of jobs.

mod harness;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use harness::{Bug, Pair};
use lsu_cosim::check::{CheckOptions, Extent, Shard, check};
use lsu_cosim::generate;
use lsu_cosim::lockstep::{self, FailureKind};
use lsu_cosim::program::{Overrides, Program, read, write};
use lsu_cosim::report::{self, Surroundings};
use lsu_cosim::shrink::{Failing, on_preset, shrink};
use lsu_model::preset::{self, FPGA8, TINY4, WARP32};

static NEVER: AtomicBool = AtomicBool::new(false);

/// Sign extension of 16 bits is lost in lane 5 after a misaligned operation.
const FORGETS_SIGN: Bug = |memo, _inputs, outputs| {
    if outputs.fault_valid && outputs.fault.cause == 3 {
        memo.first = 1;
    }
    if memo.first == 1 && outputs.wb_valid && outputs.wb.data[5] >> 16 == 0xffff {
        outputs.wb.data[5] &= 0xffff;
    }
};

/// After a command and then a fault, every result has a wrong lowest bit in lane 3.
const NEEDS_THREE: Bug = |memo, _inputs, outputs| {
    if outputs.done_valid {
        memo.first = 1;
    }
    if memo.first == 1 && outputs.fault_valid {
        memo.second = 1;
    }
    if memo.second == 1 && outputs.wb_valid && outputs.wb.mask >> 3 & 1 == 1 {
        outputs.wb.data[3] ^= 1;
    }
};

/// No bank is ever refused, as far as the unit says.
const NEVER_REFUSES: Bug = |_, _, outputs| outputs.status.cfg_refused = false;

const CORRECT: Bug = |_, _, _| {};

fn options(cases: u64, jobs: usize, shard: Shard) -> CheckOptions<'static> {
    CheckOptions { seed: 11, extent: Extent::Cases(cases), jobs, shard, done: 0, stop: &NEVER }
}

#[test]
fn a_correct_pair_has_no_failure_and_counts_the_same_with_any_jobs() {
    let pair = Pair { preset: FPGA8, bug: CORRECT, is_alone: false };
    let one = check(&pair, &options(60, 1, Shard::WHOLE), |_| {}).expect("the engines run");
    let three = check(&pair, &options(60, 3, Shard::WHOLE), |_| {}).expect("the engines run");
    assert!(one.failure.is_none());
    assert_eq!((one.cases, one.ops, one.cycles, &one.tally), (three.cases, three.ops, three.cycles, &three.tally));
    assert!(
        one.tally.faults[2] > 0
            && ["ldc_hits", "ldc_misses"].iter().all(|counter| one.tally.status.of(counter) > Some(0))
    );
}

#[test]
fn the_lowest_failing_case_is_reported_with_any_jobs() {
    let pair = Pair { preset: WARP32, bug: FORGETS_SIGN, is_alone: false };
    let one = check(&pair, &options(200, 1, Shard::WHOLE), |_| {}).expect("the engines run");
    let four = check(&pair, &options(200, 4, Shard::WHOLE), |_| {}).expect("the engines run");
    let (case, failing) = one.failure.expect("the bug is found");
    let (other_case, other) = four.failure.expect("the bug is found");
    assert_eq!((case, &failing.failure), (other_case, &other.failure));
    assert_eq!((one.cases, one.ops, one.cycles, &one.tally), (four.cases, four.ops, four.cycles, &four.tally));
}

/// What fails in one run and not when that is repeated cycle by cycle is a failure all the same, in the cycle in which it was seen.
#[test]
fn a_failure_that_does_not_come_again_has_its_cycle() {
    static IS_OVER: AtomicBool = AtomicBool::new(false);
    let bug: Bug = |memo, _inputs, outputs| {
        if memo.first == 700 && !IS_OVER.swap(true, Ordering::Relaxed) {
            outputs.wdata_ready ^= true;
        }
        memo.first += 1;
    };
    let pair = Pair { preset: FPGA8, bug, is_alone: false };
    let long = |case| generate::program(&FPGA8, 5, case).expect("generated");
    let long = (0..100).map(long).find(|program| program.sms == 1 && program.ops.len() > 250).expect("a long program");
    let (outcome, ()) = lockstep::run_in_batches(&long, &pair, ()).expect("the engines run");
    let failure = outcome.failure.expect("the bug is found");
    assert_eq!(failure.cycle, 700);
    let FailureKind::Mismatch { differences, .. } = failure.kind else { panic!("{failure:?}") };
    let different: Vec<_> = differences.iter().map(|difference| (difference.port, difference.field)).collect();
    assert_eq!(different, [("wdata", "ready")]);
}

#[test]
fn shards_make_up_the_whole() {
    let pair = Pair { preset: FPGA8, bug: CORRECT, is_alone: false };
    let whole = check(&pair, &options(31, 2, Shard::WHOLE), |_| {}).expect("the engines run");
    let parts: Vec<_> = (0..3)
        .map(|index| check(&pair, &options(31, 2, Shard { index, count: 3 }), |_| {}).expect("the engines run"))
        .collect();
    assert_eq!(whole.cases, 31);
    assert_eq!(parts.iter().map(|part| part.cases).sum::<u64>(), whole.cases);
    assert_eq!(parts.iter().map(|part| part.cycles).sum::<u64>(), whole.cycles);
}

/// A random program of 500 operations that fails on `pair`.
fn long_failing_program(pair: &Pair) -> Failing {
    for seed in 0..100 {
        let mut program = generate::program(&pair.preset, seed, 0).expect("generated");
        let mut case = 1;
        // All of it for one unit.
        program.sms = 1;
        program.ops.retain(|op| op.sm == 0);
        while program.ops.len() < 500 {
            let more = generate::program(&pair.preset, seed, case).expect("generated").ops;
            program.ops.extend(more.into_iter().filter(|op| op.sm == 0));
            case += 1;
        }
        program.ops.truncate(500);
        if let Some(failure) = lockstep::run(&program, pair, &mut ()).expect("the engines run").failure {
            return Failing { program, failure };
        }
    }
    panic!("no program of 500 operations shows the bug");
}

#[test]
fn five_hundred_operations_shrink_to_at_most_five() {
    for bug in [FORGETS_SIGN, NEEDS_THREE] {
        let pair = Pair { preset: WARP32, bug, is_alone: false };
        let failing = long_failing_program(&pair);
        let begin = Instant::now();
        let small = shrink(failing.clone(), &pair, &NEVER);
        assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
        assert!(small.program.ops.len() <= 5, "{} operations", small.program.ops.len());
        let again = shrink(failing, &pair, &NEVER);
        assert_eq!(small.program, again.program);
        let replayed = read(&write(&small.program), "saved.toml", Overrides::default()).expect("a saved program reads");
        let outcome = lockstep::run(&replayed, &pair, &mut ()).expect("the engines run");
        assert_eq!(outcome.failure, Some(small.failure));
    }
}

/// What fails without any operation keeps one: a program that has none cannot be run.
#[test]
fn what_is_saved_has_an_operation() {
    let pair = Pair { preset: TINY4, bug: NEVER_REFUSES, is_alone: false };
    let small = shrink(long_failing_program(&pair), &pair, &NEVER).program;
    assert_eq!((small.ops.len(), small.banks.len()), (1, 1));
}

/// Status pins that the model and the RTL could have wrong in the same way.
#[test]
fn the_oracle_alone_judges_idleness_and_sticky_bits() {
    let bugs: [(&str, Bug); 6] = [
        ("status_idle", |_, _, outputs| outputs.status.idle = true),
        ("status_idle", |_, _, outputs| outputs.status.idle = false),
        ("status_wdata_wrong_tag", |_, _, outputs| outputs.status.wdata_wrong_tag = false),
        // Set without cause.
        ("status_wdata_wrong_tag", |memo, _, outputs| {
            memo.first += u32::from(outputs.done_valid);
            outputs.status.wdata_wrong_tag |= memo.first > 1;
        }),
        ("status_write_back_error", |_, _, outputs| outputs.status.write_back_error = false),
        ("status_write_back_error", |memo, _, outputs| {
            memo.first += u32::from(outputs.done_valid);
            outputs.status.write_back_error |= memo.first > 1;
        }),
    ];
    for (pin, bug) in bugs {
        let pair = Pair { preset: FPGA8, bug, is_alone: true };
        let checked = check(&pair, &options(200, 2, Shard::WHOLE), |_| {}).expect("the engines run");
        let (_, failing) = checked.failure.unwrap_or_else(|| panic!("{pin}: nobody noticed"));
        let FailureKind::Violation { message, .. } = &failing.failure.kind else { panic!("{:?}", failing.failure) };
        assert!(message.contains(pin), "{message}");
    }
}

fn failure_of(bug: Bug, is_alone: bool) -> FailureKind {
    let pair = Pair { preset: FPGA8, bug, is_alone };
    let result = check(&pair, &options(100, 2, Shard::WHOLE), |_| {}).expect("the engines run");
    result.failure.expect("the bug is found").1.failure.kind
}

#[test]
fn the_oracle_catches_what_engines_share() {
    let kind = failure_of(FORGETS_SIGN, true);
    // LDC-12 for LDC, the extension of the type for a load, the bytes of a word that begins with ones: the bug breaks all three.
    let names_the_rule =
        |message: &str| ["LDC-12", "extended to", "byte 0x00 from address"].iter().any(|rule| message.contains(rule));
    assert!(matches!(&kind, FailureKind::Violation { message, .. } if names_the_rule(message)), "{kind:?}");
}

#[test]
fn a_withdrawn_valid_is_caught() {
    let kind = failure_of(
        |memo, inputs, outputs| {
            // In the cycle after one in which it was not taken.
            let was_held = memo.first == 1;
            memo.first = u32::from(outputs.wb_valid && !inputs.wb_ready);
            outputs.wb_valid &= !was_held;
        },
        true,
    );
    assert!(matches!(kind, FailureKind::Handshake { port: "wb", .. }), "{kind:?}");
}

#[test]
fn a_lost_completion_is_a_hang() {
    let kind = failure_of(
        |memo, inputs, outputs| {
            if outputs.done_valid && memo.first == 0 {
                outputs.done_valid = false;
                memo.first = u32::from(inputs.done_ready);
            }
            // Else the oracle objects to idleness first.
            outputs.status.idle &= memo.first == 0;
        },
        true,
    );
    assert!(matches!(kind, FailureKind::Hang { .. }), "{kind:?}");
}

#[test]
fn a_report_says_what_where_and_when() {
    let pair = Pair { preset: FPGA8, bug: NEEDS_THREE, is_alone: false };
    let program = read(REPORTED, "reported.toml", Overrides::default()).expect("a right file");
    let failure = lockstep::run(&program, &pair, &mut ()).expect("the engines run").failure.expect("a failure");
    let failing = Failing { program, failure };
    let surroundings = Surroundings {
        transactions: report::transactions(&failing, &pair).expect("the engines run"),
        shrunk_from: Some(77),
        saved_at: Some("lsu-repro/fpga8-seed1-case5.toml".into()),
        waves: vec!["lsu-repro/fpga8-seed1-case5.vcd".into()],
        views: vec!["lsu-repro/fpga8-seed1-case5.vcd.gtkw".into()],
        replay: Some("cargo run --release -- replay lsu-repro/fpga8-seed1-case5.toml".to_owned()),
    };
    insta::assert_snapshot!(report::render(&failing, &surroundings));
}

/// A memory request names no operation; the report marks the one that it can only belong to.
#[test]
fn a_wrong_memory_request_has_its_operation() {
    let bug: Bug = |_, _, outputs| {
        if outputs.mem_req_valid && outputs.mem_req.addr == 0x2000 {
            outputs.mem_req.strb ^= 1;
        }
    };
    let pair = Pair { preset: FPGA8, bug, is_alone: false };
    let program = read(STORES, "stores.toml", Overrides::default()).expect("a right file");
    let failure = lockstep::run(&program, &pair, &mut ()).expect("the engines run").failure.expect("a failure");
    assert_eq!((failure.op, failure.place().as_str()), (Some(1), "mem_req: strb differs"));
    let failing = Failing { program, failure };
    let transactions = report::transactions(&failing, &pair).expect("the engines run");
    let text = report::render(&failing, &Surroundings { transactions, ..Surroundings::default() });
    let marked: Vec<&str> = text.lines().filter(|line| line.starts_with('>')).collect();
    for part in
        ["st.global.u16 [%rd1+-16], %r2; mask 0xc0 lane 6 address 0x2000", "wdata   lane 6 = 0x6", "strb differs"]
    {
        assert!(marked.iter().any(|line| line.contains(part)), "{part} is not marked in\n{text}");
    }
    // What belongs to the other store is not.
    assert!(marked.iter().all(|line| !line.contains("0x1000") && !line.contains("lane 0")), "{text}");
    assert!(text.contains(" wdata   lane 0 = 0x5\n"), "{text}");
}

const STORES: &str = r#"
preset = "fpga8"
memory_latency = "ideal"
[[op]]
instr = "st.global.u32 [%rd1], 5;"
regs = { "%rd1" = 0x1000 }
[[op]]
warp = 1
mask = 0xc0
instr = "st.global.u16 [%rd1+-16], %r2;"
regs = { "%rd1" = "0x2010 + 2*(lane - 6)", "%r2" = "lane" }
"#;

const REPORTED: &str = r#"
preset = "fpga8"
memory_latency = "ideal"
[[bank]]
index = 3
size = 0x100
pattern = "address"
[[op]]
command = "invalidate_const"
[[op]]
warp = 1
wait = "all"
instr = "LDC.64 R5, c[0x3][0x8]"
[[op]]
warp = 2
wait = "all"
instr = "LDC.U8 R4, c[0x3][R0+0x4]"
regs = { R0 = "4*lane" }
"#;

#[test]
fn generated_programs_are_written_and_read_back() {
    for preset in preset::ALL {
        for case in 0..100 {
            let program = generate::program(&preset, 5, case).expect("generated");
            let text = write(&program);
            let again = read(&text, "written.toml", Overrides::default())
                .unwrap_or_else(|error| panic!("{:?}", miette::Report::new(error)));
            let without_texts = |mut program: Program| {
                program.ops.iter_mut().for_each(|operation| (operation.text, operation.named) = (None, Vec::new()));
                program
            };
            assert_eq!(without_texts(again), program, "case {case}");
        }
    }
}

#[test]
fn what_shows_in_the_least_unit_is_shown_there() {
    let [large, least] = [FPGA8, TINY4].map(|preset| Pair { preset, bug: NEEDS_THREE, is_alone: false });
    let (_, failing) =
        check(&large, &options(200, 2, Shard::WHOLE), |_| {}).expect("the engines run").failure.expect("it is found");
    let small = shrink(failing, &large, &NEVER);
    let program = on_preset(&small.program, TINY4);
    let outcome = lockstep::run(&program, &least, &mut ()).expect("the engines run");
    let failure = outcome.failure.expect("it shows");
    assert!(failure.is_like(&small.failure), "{failure}");
    let lanes = |program: &Program| program.ops.iter().map(|op| op.request.mask.count_ones()).max();
    assert!(lanes(&program) <= Some(4) && program.ops.len() == small.program.ops.len());
}
