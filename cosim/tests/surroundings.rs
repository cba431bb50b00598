//! Faults of the surroundings: within the protocol of the memory port the unit goes on, whatever comes; what breaks it is named.

mod harness;

use harness::engines;
use lsu_cosim::engine::EngineKind;
use lsu_cosim::generate;
use lsu_cosim::lockstep::{self, Failure, FailureKind};
use lsu_cosim::program::{Breach, BreachKind, Latency, Overrides, Program, Traffic, read, write};
use lsu_model::preset::{ALL, Preset};

/// Random programs of each preset in bad surroundings.
const CASES: u64 = 12;

/// Four loads, a line each, which miss; memory answers in order.
fn loads(preset: Preset, instr: &str, register: &str) -> Program {
    let mut text =
        "memory_latency = \"ideal\"\n\n[[bank]]\nindex = 3\nsize = 0x1000\npattern = \"address\"\n".to_owned();
    for line in 0..4 {
        text += &format!("\n[[op]]\ninstr = \"{instr}\"\nregs = {{ \"{register}\" = {} }}\n", 0x100 * line);
    }
    let overrides = Overrides { preset: Some(preset) };
    read(&text, "loads", overrides).unwrap_or_else(|error| panic!("{error}"))
}

/// What comes of `program` in which `kind` is done to the second response.
fn failure_of(program: &Program, kind: BreachKind) -> Failure {
    let program = Program { breach: Some(Breach { response: 2, kind }), ..program.clone() };
    // As it is saved.
    let program = read(&write(&program), "saved", Overrides::default()).unwrap_or_else(|error| panic!("{error}"));
    let roster = engines(program.preset, &[EngineKind::Model, EngineKind::Verilator]);
    let outcome = lockstep::run(&program, &roster, &mut ()).expect("the engines run");
    outcome.failure.expect("a broken protocol is told")
}

/// Checks loads of either path of each preset, and the one among them that waits for the second response: a sector is a load's, or one of
/// the two in a constant line.
fn with_every_path(check: impl Fn(&Program, usize)) {
    for preset in ALL {
        check(&loads(preset, "ld.global.u32 %r1, [%rd1];", "%rd1"), 1);
        check(&loads(preset, "LDC R1, c[0x3][R0];", "R0"), 0);
    }
}

#[test]
fn errors_droughts_and_floods_within_the_protocol_are_borne() {
    for preset in ALL {
        let roster = engines(preset, &[EngineKind::Model, EngineKind::Verilator]);
        for case in 0..CASES {
            let program = generate::program(&preset, 5, case).expect("a program");
            let latency = [
                Latency::Between { least: 1, most: 1 },
                Latency::Between { least: 1, most: 8000 },
                Latency::Between { least: 2000, most: 2000 },
            ][case as usize % 3];
            let (stall, error, jam) = [(0, 100, 95), (95, 50, 0), (60, 10, 95)][case as usize / 3 % 3];
            let program = Program { traffic: Traffic { latency, stall, error, jam, ..program.traffic }, ..program };
            let outcome = lockstep::run(&program, &roster, &mut ()).expect("the engines run");
            assert_eq!(outcome.failure, None, "{} case {case}", preset.name);
        }
    }
}

#[test]
fn the_operation_whose_response_never_comes_is_named() {
    with_every_path(|program, guilty| {
        let failure = failure_of(program, BreachKind::Withheld);
        assert!(matches!(failure.kind, FailureKind::Hang { .. }), "{failure}");
        assert_eq!(failure.op, Some(guilty), "{failure}");
    });
}

#[test]
fn a_response_that_nobody_waits_for_breaks_a_contract() {
    with_every_path(|program, _| {
        for kind in [BreachKind::Repeated, BreachKind::Unasked] {
            let failure = failure_of(program, kind);
            let FailureKind::Assertion { messages, .. } = &failure.kind else { panic!("{failure}") };
            assert!(messages.iter().any(|message| message.contains("response")), "{failure}");
        }
    });
}
