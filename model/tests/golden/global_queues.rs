//! The queues of two in the global path (`check`, `tag`, `hit`, `ro_hit`, `resume` and `write`), worked out by hand from the timing contract. Cycle 0 is the one in
//! which the first operation is accepted; the memory answers a request of cycle t in cycle t + 10.

use crate::global_rig::*;
use lsu_model::golden::PlaceVisitor;
use lsu_model::pins::Request;
use lsu_model::preset::{ALL, WARP32};

/// The cycles of the events that `picked` names.
fn cycles(rig: &Rig, picked: impl Fn(&Event) -> bool) -> Vec<u64> {
    rig.events.iter().filter(|(_, event)| picked(event)).map(|(cycle, _)| *cycle).collect()
}

#[test]
fn full_queues_of_hits_take_nothing_while_their_elder_leaves() {
    // `wb` opens in 20. Until then `emit` holds tag 0, `collect` tag 1, `landing` tag 2 and `read` tag 3.
    // L1: `hit` holds tags 4 and 5 from 10 on, so `tag`, with tag 6, stalls from 10 on; `tag` 6 and 7, `issue` 8, `check` 9 and 10, `intake` 11. In 20 `hit`'s elder
    // leaves, and `hit` still takes nothing; in 21 `tag` moves, but holds two; in 22 `issue` and `check` move, but `check` holds two; in 23 `intake` moves, and
    // tag 12 is accepted.
    // RO: `ro_hit` holds tags 4 and 5 from 11 on, `ro_read` 6, `tag` 7 and 8, `issue` 9, `check` 10 and 11, `intake` 12. `tag` stalls from 11 on. In 20 `ro_hit`'s
    // elder leaves, in 21 `ro_read` and `tag` move, in 22 `issue` and `check` move, in 23 `intake` moves, and tag 13 is accepted.
    for preset in ALL {
        for (nc, accepted_before, stalls) in [(false, 12, 11), (true, 13, 10)] {
            let mut rig = warm(&preset, [0]);
            let before = rig.outputs.status.stall_data;
            rig.inputs.wb_ready = false;
            rig.program.extend((0..=accepted_before).map(|tag| Request { tag, nc, ..load(|_| 0) }.into()));
            rig.begin();
            while rig.cycle < 20 {
                rig.step();
            }
            rig.inputs.wb_ready = true;
            rig.drain();
            let mut accepted: Vec<u64> = (0..accepted_before.into()).collect();
            accepted.push(23);
            assert_eq!(cycles(&rig, |event| matches!(event, Event::Accept(_))), accepted);
            let expected: Vec<(u64, u8, u8)> = (0..=accepted_before).map(|tag| (20 + u64::from(tag), tag, 4)).collect();
            assert_eq!(rig.writebacks(), expected);
            assert_eq!(rig.outputs.status.stall_data - before, stalls);
        }
    }
}

#[test]
fn a_full_queue_of_writes_takes_nothing_while_its_elder_is_sent() {
    let mut rig = Rig::new(&WARP32);
    rig.inputs.mem_req_ready = false;
    // `mem_req` opens in 30. Store k: beat 3 + 3k, `merge` 5 + 3k, `tag` 6 + 3k, `write` 7 + 3k, while nothing stops it. `write` holds 0 and 1
    // from 10 on, `tag` 2 from 12 on and 3 from 15 on, `merge` 4 from 17 on; so `issue` takes no beat of store 5.
    // In 30 `write`'s elder is sent, and `write` still takes nothing. In 31 `tag` moves store 2, and still takes nothing. In 32 `tag` moves
    // store 3, and `merge` moves; it is empty in 33. Store 5: beat 33, `merge` 35, `tag` 36, `write` 37.
    for tag in 0..6 {
        let request = Request { tag, mask: 1, ..store(move |_| 0x1000 * u64::from(tag)) };
        rig.program.push_back(with_data(request, 1, move |_, _| tag.into()));
    }
    rig.begin();
    while rig.cycle < 30 {
        rig.step();
    }
    rig.inputs.mem_req_ready = true;
    rig.drain();
    assert_eq!(cycles(&rig, |event| *event == Event::Data), [3, 6, 9, 12, 15, 33]);
    let writes: Vec<(u64, u64)> = rig.writes().iter().map(|(cycle, request)| (*cycle, request.addr)).collect();
    let expected = [(30, 0), (31, 0x1000), (32, 0x2000), (33, 0x3000), (34, 0x4000), (37, 0x5000)];
    assert_eq!(writes, expected);
    // 12 to 30.
    assert_eq!(rig.outputs.status.stall_data, 19);
}

#[test]
fn every_store_that_hits_makes_an_update_wherever_it_waits_in_the_queue() {
    let mut rig = warm(&WARP32, [0, 1]);
    rig.inputs.mem_req_ready = false;
    // As above: `tag` moves store 0 in 6 and store 1 in 9, one into an empty queue, one behind the other; 7 and 10 are updates.
    for tag in 0..2 {
        let request = Request { tag, mask: 1, ..store(move |_| 128 * u64::from(tag)) };
        rig.program.push_back(with_data(request, 1, move |_, _| 70 + u32::from(tag)));
    }
    rig.begin();
    let mut updates = Vec::new();
    while rig.cycle < 20 {
        let cycle = rig.cycle;
        rig.inputs.mem_rsp.id = 64;
        rig.step();
        if !rig.outputs.mem_rsp_ready {
            updates.push(cycle);
        }
    }
    assert_eq!(updates, [7, 10]);
    rig.inputs.mem_req_ready = true;
    rig.drain();
    rig.run([Request { mask: 3, ..load(|lane| 128 * lane) }]);
    assert_eq!((rig.reads(), rig.value(0, 4, 0), rig.value(0, 4, 1)), (vec![], Some(70), Some(71)));
}

#[test]
fn a_pass_is_not_the_last_while_another_waits_behind_it() {
    for preset in ALL {
        let mut rig = warm(&preset, [0, 1]);
        // Two passes of two reads each: the first in `hit` in 5 and 6, and from 6 on the second behind it. `emit` holds the first
        // one's halves from 9 and 13 on, the second one's from 17 and 21 on.
        rig.run([Request { size: 4, vec: 1, rd: 8, mask: 3, ..load(|lane| 128 * lane) }]);
        let expected: Vec<(u64, u8, u8)> = (0..16).map(|number| (9 + u64::from(number), 0, 8 + number % 8)).collect();
        assert_eq!(rig.writebacks(), expected);
        let lasts = cycles(&rig, |event| matches!(event, Event::Writeback(wb) if wb.last));
        assert_eq!(lasts, [24]);
    }
}

/// The places that hold something.
struct Occupied(Vec<(&'static str, Option<usize>)>);

impl PlaceVisitor for Occupied {
    fn place(&mut self, name: &'static str, number: Option<usize>, is_occupied: bool) {
        if is_occupied {
            self.0.push((name, number));
        }
    }

    fn value(&mut self, _: &'static str, _: u32, _: Option<u64>) {}
}

#[test]
fn a_full_queue_of_passes_that_waited_takes_nothing_while_its_elder_leaves() {
    // `wb` opens in 30. Until then `emit` holds tag 0, `collect` tag 1, `landing` tag 2 and `read` tag 3, which hit. Tags 4, 5, 6 miss: `tag` in 8, 9, 10, a waiter
    // from 9, 10, 11 on, asked for in the same cycle, answered in 19, 20, 21, ready in 20, 21, 22. `resume` takes tag 4 in 20 and tag 5 in 21, and is full from 22 on.
    // In 30 `read` moves and `resume`'s elder leaves, and `resume` still takes nothing; in 31 it takes tag 6, whose waiter is free from 32 on.
    for preset in roomy() {
        let mut rig = warm(&preset, [0]);
        rig.inputs.wb_ready = false;
        let tags = [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0x1000), (5, 0x2000), (6, 0x3000)];
        rig.program.extend(tags.map(|(tag, addr)| Request { tag, mask: 1, ..load(move |_| addr) }.into()));
        rig.begin();
        let mut held: Vec<(u64, (&'static str, Option<usize>))> = Vec::new();
        while rig.cycle < 40 {
            rig.inputs.wb_ready = rig.cycle >= 30;
            let mut occupied = Occupied(Vec::new());
            rig.golden.visit_places(&mut occupied);
            held.extend(occupied.0.into_iter().map(|place| (rig.cycle, place)));
            rig.step();
        }
        let cycles_of = |name, number| -> Vec<u64> {
            held.iter().filter(|(_, place)| *place == (name, Some(number))).map(|(cycle, _)| *cycle).collect()
        };
        assert_eq!(cycles_of("global_resume", 0), (21..=32).collect::<Vec<u64>>());
        assert_eq!(cycles_of("global_resume", 1), (22..=30).collect::<Vec<u64>>());
        assert_eq!(cycles_of("global_waiter", 2), (11..=31).collect::<Vec<u64>>());
        let expected: Vec<(u64, u8, u8)> = (0..7).map(|tag| (30 + u64::from(tag), tag, 4)).collect();
        assert_eq!(rig.writebacks(), expected);
    }
}
