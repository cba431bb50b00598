//! Faults of the surroundings: within the protocol of the ports to memory and to the cluster the unit goes on, whatever comes; what breaks
//! it is named, and never passes in silence.

mod harness;

use std::collections::BTreeSet;

use harness::engines;
use lsu_cosim::engine::EngineKind;
use lsu_cosim::generate;
use lsu_cosim::lockstep::{self, CycleView, Failure, FailureKind, Observer};
use lsu_cosim::program::{Breach, BreachKind, BreachPort, Latency, Overrides, Program, Reset, Traffic, read, write};
use lsu_cosim::roster::Roster;
use lsu_model::preset::{ALL, Preset, WARP32};

/// Random programs of a preset in bad surroundings: one of each sort, and three where a cycle costs little.
fn cases(preset: Preset) -> u64 {
    if preset == WARP32 { 9 } else { 27 }
}

/// Random programs of each preset in which each port breaks its protocol.
const BROKEN_CASES: u64 = 4;

/// Counts the responses that units have taken at each port, and the errors among them; knows what is asked.
#[derive(Default)]
struct Responses {
    memory: [u32; 2],
    cluster: [u32; 2],
    /// By unit, port and id.
    asked: BTreeSet<(u32, bool, u8)>,
    /// A response has come that nobody waited for.
    is_unasked: bool,
}

impl Responses {
    fn at(&self, port: BreachPort) -> [u32; 2] {
        match port {
            BreachPort::Memory => self.memory,
            BreachPort::Cluster => self.cluster,
        }
    }

    /// After a run: not every request was answered once, and nothing else.
    fn is_broken(&self) -> bool {
        self.is_unasked || !self.asked.is_empty()
    }
}

impl Observer for Responses {
    fn cycle(&mut self, view: &CycleView<'_>) {
        let (inputs, outputs) = (view.inputs, view.outputs);
        let count = |count: &mut [u32; 2], is_taken: bool, is_error: bool| {
            count[0] += u32::from(is_taken);
            count[1] += u32::from(is_taken && is_error);
        };
        count(&mut self.memory, inputs.mem_rsp_valid && outputs.mem_rsp_ready, inputs.mem_rsp.error);
        count(&mut self.cluster, inputs.cluster_rsp_valid && outputs.cluster_rsp_ready, inputs.cluster_rsp.error);
        if inputs.mem_rsp_valid && outputs.mem_rsp_ready {
            self.is_unasked |= !self.asked.remove(&(view.sm, false, inputs.mem_rsp.id));
        }
        if inputs.cluster_rsp_valid && outputs.cluster_rsp_ready {
            self.is_unasked |= !self.asked.remove(&(view.sm, true, inputs.cluster_rsp.id));
        }
        if outputs.mem_req_valid && inputs.mem_req_ready {
            self.asked.insert((view.sm, false, outputs.mem_req.id));
        }
        if outputs.cluster_req_valid && inputs.cluster_req_ready {
            self.asked.insert((view.sm, true, outputs.cluster_req.id));
        }
        if inputs.reset && inputs.reset_memory {
            self.asked.retain(|(sm, _, _)| *sm != view.sm);
        }
    }
}

fn roster(preset: Preset) -> Roster {
    engines(preset, &[EngineKind::Model, EngineKind::Verilator])
}

/// Four loads, each from a sector of its own; memory and network answer in order.
fn loads(preset: Preset, instr: &str, register: &str, addresses: [u64; 4]) -> Program {
    let mut text =
        "memory_latency = \"ideal\"\nsms = 2\n\n[[bank]]\nindex = 3\nsize = 0x1000\npattern = \"address\"\n".to_owned();
    for address in addresses {
        text += &format!("\n[[op]]\nsm = 1\ninstr = \"{instr}\"\nregs = {{ \"{register}\" = {address} }}\n");
    }
    let overrides = Overrides { preset: Some(preset) };
    read(&text, "loads", overrides).unwrap_or_else(|error| panic!("{error}"))
}

/// What comes of `program` in which `kind` is done to the second response at `port`.
fn failure_of(roster: &Roster, program: &Program, port: BreachPort, kind: BreachKind) -> Failure {
    let program = Program { breach: Some(Breach { port, response: 2, kind }), ..program.clone() };
    // As it is saved.
    let program = read(&write(&program), "saved", Overrides::default()).unwrap_or_else(|error| panic!("{error}"));
    let outcome = lockstep::run(&program, roster, &mut ()).expect("the engines run");
    outcome.failure.expect("a broken protocol is told")
}

/// Checks loads of each path and port of each preset, all of them of unit 1, and the one among them that waits for the second response: a
/// sector is a load's, or one of the two in a constant line.
fn with_every_path(check: impl Fn(&Roster, &Program, BreachPort, usize)) {
    let lines = [0, 0x100, 0x200, 0x300];
    let remote = [0, 0x20, 0x40, 0x60];
    for preset in ALL {
        let roster = roster(preset);
        let loads = |instr, register, addresses| loads(preset, instr, register, addresses);
        check(&roster, &loads("ld.global.u32 %r1, [%rd1];", "%rd1", lines), BreachPort::Memory, 1);
        check(&roster, &loads("ld.global.nc.u32 %r1, [%rd1];", "%rd1", lines), BreachPort::Memory, 1);
        check(&roster, &loads("LDC R1, c[0x3][R0];", "R0", lines), BreachPort::Memory, 0);
        check(&roster, &loads("ld.shared::cluster.u32 %r1, [%rd1];", "%rd1", remote), BreachPort::Cluster, 1);
    }
}

#[test]
fn errors_droughts_and_floods_within_the_protocol_are_borne() {
    std::thread::scope(|scope| {
        for preset in ALL {
            scope.spawn(move || bears_all(preset));
        }
    });
}

/// The unit goes on whatever its surroundings do within the protocol.
fn bears_all(preset: Preset) {
    let roster = roster(preset);
    let mut responses = Responses::default();
    for case in 0..cases(preset) {
        let program = generate::program(&preset, 5, case).expect("a program");
        let latency = [
            Latency::Between { least: 1, most: 1 },
            Latency::Between { least: 1, most: 8000 },
            Latency::Between { least: 2000, most: 2000 },
        ][case as usize % 3];
        let (stall, error, jam) = [(0, 100, 95), (95, 50, 0), (60, 10, 95)][case as usize / 3 % 3];
        let program = Program { traffic: Traffic { latency, stall, error, jam, ..program.traffic }, ..program };
        let outcome = lockstep::run(&program, &roster, &mut responses).expect("the engines run");
        assert_eq!(outcome.failure, None, "{} case {case}", preset.name);
    }
    // Of both ports, and both sorts.
    for [all, errors] in BreachPort::ALL.map(|port| responses.at(port)) {
        assert!(errors > 10 && all > errors + 10, "{}: {errors} of {all}", preset.name);
    }
}

#[test]
fn the_operation_whose_response_never_comes_is_named() {
    with_every_path(|roster, program, port, guilty| {
        let failure = failure_of(roster, program, port, BreachKind::Withheld);
        assert!(matches!(failure.kind, FailureKind::Hang { .. }), "{failure}");
        assert_eq!((failure.op, failure.sm), (Some(guilty), 1), "{failure}");
    });
}

/// The unit waits for it beyond a reset (rule DRAIN): named is the operation that cannot begin for that. Where none is left, the unit never
/// says that it is idle.
#[test]
fn a_response_that_never_comes_is_missed_after_a_reset_too() {
    with_every_path(|roster, program, port, _| {
        let mut program = program.clone();
        // Nothing of it has come when the reset does; what follows is accepted after it only.
        program.resets.push(Reset { cycle: 14, memory: false, banks: true });
        let failure = failure_of(roster, &program, port, BreachKind::Withheld);
        let is_told = match &failure.kind {
            FailureKind::Hang { .. } => true,
            FailureKind::Violation { message, .. } => message.contains("status_idle"),
            _ => false,
        };
        assert!(is_told, "{failure}");
    });
}

#[test]
fn a_response_that_nobody_waits_for_breaks_a_contract() {
    with_every_path(|roster, program, port, _| {
        for kind in [BreachKind::Repeated, BreachKind::Unasked] {
            let failure = failure_of(roster, program, port, kind);
            let FailureKind::Assertion { messages, .. } = &failure.kind else { panic!("{kind:?}: {failure}") };
            assert!(messages.iter().any(|message| message.contains("response")), "{failure}");
        }
    });
}

/// Whatever the port does, in whatever program: it does not pass for a run in which all was well.
#[test]
fn no_broken_protocol_passes_in_silence() {
    let mut told = 0;
    for preset in ALL {
        let roster = roster(preset);
        for port in BreachPort::ALL {
            // The seed's first programs in which the port answers often.
            let mut programs = (0..).filter_map(|case| {
                let program = generate::program(&preset, 6, case).expect("a program");
                let mut responses = Responses::default();
                lockstep::run(&program, &roster, &mut responses).expect("the engines run");
                let [all, _] = responses.at(port);
                (all > 40).then_some((case, all / program.sms, program))
            });
            for (case, responses, program) in programs.by_ref().take(BROKEN_CASES as usize) {
                for kind in BreachKind::ALL {
                    let breach = Some(Breach { port, response: responses / 3, kind });
                    let mut watch = Responses::default();
                    let outcome = lockstep::run(&Program { breach, ..program.clone() }, &roster, &mut watch);
                    let failure = outcome.expect("the engines run").failure;
                    // Not every kind can be done to every response.
                    assert!(failure.is_some() || !watch.is_broken(), "{} {port:?} {kind:?} case {case}", preset.name);
                    told += u32::from(failure.is_some());
                }
            }
        }
    }
    assert!(told > 80, "{told}");
}
