//! Status pins of the golden model that are not counters: idle, and the tag of store data.

use crate::global_rig::*;
use lsu_model::pins::Request;
use lsu_model::preset::FPGA8;

/// Offers `operations` and gives `status_idle` of every cycle, up to the first in which it is 1 again.
fn idle_until_idle(rig: &mut Rig, operations: impl IntoIterator<Item = Operation>) -> Vec<bool> {
    rig.program.extend(operations);
    rig.begin();
    let mut seen = Vec::new();
    while seen.len() < 2 || seen.last() == Some(&false) {
        rig.step();
        seen.push(rig.outputs.status.idle);
    }
    seen
}

/// Cycles in which `seen` is not idle: one stretch from cycle 1 on.
fn busy_cycles(seen: &[bool]) -> usize {
    assert!(seen[0] && !seen[1..seen.len() - 1].contains(&true), "{seen:?}");
    seen.len() - 2
}

#[test]
fn idle_lasts_from_the_last_answer_to_the_next_acceptance() {
    let mut rig = Rig::new(&FPGA8);
    let mask = 0xff;
    let word = |lane| 0x1000 + 4 * lane;
    let operations = [
        Operation::from(Request { mask, ..load(word) }),
        with_data(Request { mask, ..store(word) }, 1, |_, lane| lane),
        // A hit, a fault, no lanes, a command.
        Operation::from(Request { mask, ..load(word) }),
        with_data(Request { mask, ..store(|lane| 0x1001 + lane) }, 1, |_, _| 0),
        with_data(Request { mask: 0, ..store(word) }, 1, |_, _| 0),
        Operation::from(command(INVALIDATE_L1)),
        Operation::from(command(2)),
        Operation::from(Request { op: 2, size: 2, rd: 4, mask, ..Request::default() }),
    ];
    for operation in operations {
        let seen = idle_until_idle(&mut rig, [operation]);
        let (last, _) = rig.events.last().expect("it was answered");
        // In the cycle after the last transfer, not earlier and not later.
        assert_eq!(busy_cycles(&seen) as u64, *last, "{:?}", rig.events);
        assert!(rig.responses.is_empty() && rig.in_flight.is_empty());
    }
    rig.finish();
}

#[test]
fn an_answer_that_nobody_takes_is_in_flight() {
    let mut rig = Rig::new(&FPGA8);
    rig.inputs.done_ready = false;
    rig.program.push_back(Operation::from(command(INVALIDATE_L1)));
    for _ in 0..50 {
        rig.step();
    }
    assert!(rig.outputs.done_valid && !rig.outputs.status.idle);
    rig.inputs.done_ready = true;
    rig.step();
    assert!(!rig.outputs.status.idle);
    rig.finish();
}

#[test]
fn a_beat_under_another_tag_sets_the_bit_and_changes_nothing_else() {
    for bit in 0..8 {
        let mut rig = Rig::new(&FPGA8);
        let request = Request { tag: 0x5a, size: 3, mask: 0xff, ..store(|lane| 0x1000 + 8 * lane) };
        let values = |register, lane| 16 * lane + register;
        rig.run([with_data(request, 2, values)]);
        assert!(!rig.outputs.status.wdata_wrong_tag);
        rig.program.push_back(with_data(request, 2, values));
        rig.begin();
        while !matches!(rig.events.last(), Some((_, Event::Accept(_)))) {
            rig.step();
        }
        rig.data[1].0 ^= 1 << bit;
        while rig.events.iter().filter(|(_, event)| *event == Event::Data).count() < 2 {
            assert!(!rig.outputs.status.wdata_wrong_tag, "bit {bit}");
            rig.step();
        }
        // Seen from the next cycle on.
        assert!(!rig.outputs.status.wdata_wrong_tag);
        rig.step();
        assert!(rig.outputs.status.wdata_wrong_tag);
        rig.drain();
        assert_eq!((rig.word(0x1010), rig.word(0x1014)), (32, 33));
        rig.finish();
        assert!(rig.outputs.status.wdata_wrong_tag, "sticky");
        assert!(rig.oracle.status(&lsu_model::pins::Status { wdata_wrong_tag: false, ..rig.outputs.status }).is_err());
        rig.inputs.reset = true;
        rig.golden.step(&rig.inputs, &mut rig.outputs);
        rig.inputs.reset = false;
        rig.golden.step(&rig.inputs, &mut rig.outputs);
        assert!(!rig.outputs.status.wdata_wrong_tag && rig.outputs.status.idle);
    }
}
