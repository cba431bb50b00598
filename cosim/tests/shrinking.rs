//! Programs of 2,000 operations that fail on a broken unit come down to a handful, whichever path the bug is in; no lane, address bit or
//! trouble of the surroundings is left that the failure does not need; and what is saved of them fails in the same way.
//!
//! `cargo test --release --workspace --test shrinking -- --nocapture` prints operations and seconds.

#[path = "planting/bugs.rs"]
mod bugs;
mod planting;

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use lsu_cosim::engine::EngineSource;
use lsu_cosim::generate;
use lsu_cosim::lockstep;
use lsu_cosim::program::{Latency, Overrides, Program, Traffic, read, write};
use lsu_cosim::shrink::{Failing, shrink};
use lsu_model::preset::FPGA8;

use bugs::BUGS;
use planting::breakable;

/// Operations of what is shrunk.
const LENGTH: usize = 2_000;

/// Operations of what may be left.
const MOST: usize = 5;

/// Programs that are tried, until one fails.
const TRIED: u64 = 200;

/// The bugs: block, and what is wrong, of every path one or more.
const CHOSEN: [(&str, &str); 8] = [
    ("misses", "a killed entry can be joined"),
    ("l1_cache_tags", "a way that is still to be read can be a victim"),
    ("miss_table", "a strong load leaves an MSHR its place in L1"),
    ("miss_table", "a failed store's bytes stay in L1"),
    ("pick_stage", "loads overtake an acquire in `bank` (ACQUIRE)"),
    ("miss_table", "an acquire leaves a local store no place in L1"),
    ("lane_address", "the top bit of a rank is ignored (CLUSTER)"),
    ("serve", "a sector is read while an update writes it (SERVE)"),
];

/// The random program of `LENGTH` operations that begins with case `case`, and goes on with those after it.
fn long(case: u64) -> Program {
    let draw = |case| generate::program(&FPGA8, 1, case).expect("generated");
    let mut program = draw(case);
    for next in case + 1.. {
        if program.ops.len() >= LENGTH {
            break;
        }
        let sms = program.sms;
        program.ops.extend(draw(next).ops.into_iter().filter(|op| op.sm < sms));
    }
    program.ops.truncate(LENGTH);
    program
}

/// The first of them that fails.
fn failing(unit: &dyn EngineSource) -> Failing {
    let found = (0..TRIED).find_map(|case| {
        let program = long(case);
        let outcome = lockstep::run(&program, unit, &mut ()).expect("the engines run");
        outcome.failure.map(|failure| Failing { program, failure })
    });
    found.expect("a program shows the bug")
}

/// Makes the surroundings plainer: its name, and how.
type Calmer = (&'static str, fn(&mut Program));

/// All that does so.
const CALMER: [Calmer; 7] = [
    ("latency", |program| program.traffic.latency = Latency::Ideal),
    ("stall", |program| program.traffic.stall = 0),
    ("gap", |program| program.traffic.gap = 0),
    ("error", |program| program.traffic.error = 0),
    ("wrong_tag", |program| program.traffic.wrong_tag = 0),
    ("jam", |program| program.traffic.jam = 0),
    ("tags", |program| program.traffic.tags = Traffic::default().tags),
];

/// Every program that is plainer than `program` in one thing, and in which: an operation or a lane less, the same address in all lanes, one
/// trouble less around the unit.
fn plainer(program: &Program) -> Vec<(String, Program)> {
    let mut all = vec![];
    let mut add = |what: String, change: &dyn Fn(&mut Program)| {
        let mut other = program.clone();
        change(&mut other);
        if other != *program {
            all.push((what, other));
        }
    };
    for (op, operation) in program.ops.iter().enumerate() {
        add(format!("operation {op}"), &|other| {
            other.ops.remove(op);
        });
        let mask = operation.request.mask;
        let active = (0..program.preset.lanes).filter(|lane| mask >> lane & 1 == 1);
        for lane in active.clone() {
            add(format!("lane {lane} of operation {op}"), &|other| other.ops[op].request.mask &= !(1 << lane));
        }
        if let Some(first) = active.clone().next().map(|lane| operation.request.addr[lane]) {
            add(format!("addresses of operation {op}"), &|other| {
                active.clone().for_each(|lane| other.ops[op].request.addr[lane] = first);
            });
            add(format!("high address bits of operation {op}"), &|other| {
                other.ops[op].request.addr.iter_mut().for_each(|address| *address &= 0xffff);
            });
        }
    }
    for (what, change) in CALMER {
        add(what.to_owned(), &change);
    }
    for reset in 0..program.resets.len() {
        add(format!("reset {reset}"), &|other| {
            other.resets.remove(reset);
        });
    }
    all
}

#[test]
fn two_thousand_operations_shrink_to_at_most_five() {
    let listed = |(module, what)| BUGS.iter().find(|bug| bug.module == module && bug.what == what);
    let bugs = CHOSEN.map(|chosen| *listed(chosen).unwrap_or_else(|| panic!("{chosen:?} is no longer planted")));
    let unit = breakable(FPGA8, "", &bugs);
    let (mut long, mut needless) = (vec![], vec![]);
    for (bug, id) in bugs.iter().zip(1..) {
        let unit = unit.broken(id);
        let failing = failing(&unit);
        let begin = Instant::now();
        let small = shrink(failing.clone(), &unit, &AtomicBool::new(false));
        let (guilty, left) = (failing.failure.op, small.program.ops.len());
        println!(
            "{}: from {guilty:?} of {LENGTH} operations to {left}, {:.1} s",
            bug.what,
            begin.elapsed().as_secs_f64()
        );
        if left > MOST {
            long.push((bug.what, left, write(&small.program)));
        }
        for (what, program) in plainer(&small.program) {
            let failure = lockstep::run(&program, &unit, &mut ()).expect("the engines run").failure;
            if failure.is_some_and(|failure| failure.is_like(&small.failure)) {
                needless.push((bug.what, what, write(&small.program)));
            }
        }
        let saved = read(&write(&small.program), "saved", Overrides::default()).expect("a saved program reads");
        let outcome = lockstep::run(&saved, &unit, &mut ()).expect("the engines run");
        assert_eq!(outcome.failure, Some(small.failure), "{}", bug.what);
    }
    assert!(long.is_empty(), "{long:#?}");
    assert!(needless.is_empty(), "not needed: {needless:#?}");
}
