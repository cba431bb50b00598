//! Rows that are still to be read, worked out by hand from the timing contract: rules READ-FIRST, NOT-KEPT, PINNED, and which
//! MSHR can be taken. Cycle 0 is the one in which the first operation is accepted; the memory answers a request of cycle t in
//! cycle t + 10, if nothing else is said. The rig checks in every test that no sector is written that is to be read.

use crate::global_rig::*;
use lsu_model::pins::Request;
use lsu_model::preset::{ALL, FPGA8, Preset, TINY4};

/// A load of the word at `address` by one lane, which leaves ages as they are where it hits.
fn word(tag: u8, address: u64) -> Request {
    Request { tag, mask: 1, l1_evict: EVICT_UNCHANGED, ..load(move |_| address) }
}

/// A store of `value` to the word at `address` by one lane.
fn put(tag: u8, address: u64, cop: u8, value: u32) -> Operation {
    with_data(Request { tag, mask: 1, cop, ..store(move |_| address) }, 1, move |_, _| value)
}

/// Whether a load of the word at `address` finds it in its cache. Leaves it there.
fn hits(rig: &mut Rig, address: u64, nc: bool) -> bool {
    rig.run([Request { nc, ..word(0, address) }]);
    rig.reads().is_empty()
}

/// The first word of line `number` of set 0.
fn in_set_0(sets: usize, number: u64) -> u64 {
    number * 128 * sets as u64
}

fn run_until(rig: &mut Rig, cycle: u64) {
    while rig.cycle < cycle {
        rig.step();
    }
}

/// Opens `wb` in `cycle`, and waits for the rest.
fn open_in(rig: &mut Rig, cycle: u64) {
    run_until(rig, cycle);
    rig.inputs.wb_ready = true;
    rig.drain();
}

/// A unit that holds these words, each in its sector.
fn holding(preset: &Preset, nc: bool, addresses: &[u64]) -> Rig {
    let mut rig = Rig::new(preset);
    for address in addresses {
        rig.run([Request { nc, ..word(0, *address) }]);
    }
    rig
}

/// From cycle 0 on with `wb` closed: tags 0 to 3 hit the word at 0 and come to stay, in `emit`, `collect`, `landing` and `read`. What
/// comes fifth, and hits, is in `tag` in 8 and stays in `hit` from 9 on; in the read-only cache in `ro_hit` from 10 on.
fn close(rig: &mut Rig, nc: bool) {
    rig.inputs.wb_ready = false;
    rig.program.extend((0..4).map(|tag| Request { nc, ..word(tag, 0) }.into()));
    rig.begin();
}

/// Cycles and addresses of the stores that went to memory.
fn written(rig: &Rig) -> Vec<(u64, u64)> {
    rig.writes().iter().map(|(cycle, request)| (*cycle, request.addr)).collect()
}

#[test]
fn a_store_waits_until_the_hits_before_it_are_read() {
    for preset in ALL {
        let mut rig = holding(&preset, false, &[0, 32]);
        let before = rig.outputs.status.stall_order;
        close(&mut rig, false);
        // Tag 4 in `hit` from 9 on. The store: accepted 5, `issue` 8, `merge` 10, `tag` 11. In 30 tag 4 is picked, and still in `hit`; so the store
        // stalls in 11 to 31, the cycle after, and moves in 32.
        rig.program.extend([word(4, 0).into(), put(5, 4, 0, 99)]);
        open_in(&mut rig, 30);
        assert_eq!(written(&rig), [(33, 0)]);
        assert_eq!(rig.outputs.status.stall_order - before, 21);
        assert_eq!(rig.value(4, 4, 0), Some(0));
        assert!(hits(&mut rig, 4, false));
        assert_eq!(rig.value(0, 4, 0), Some(99));
    }
}

#[test]
fn a_store_waits_until_the_passes_that_waited_are_read() {
    for preset in ALL {
        let mut rig = holding(&preset, false, &[0]);
        let before = rig.outputs.status.stall_order;
        close(&mut rig, false);
        // Tag 4 misses: `tag` 8, request 9, response 19, ready 20, in `resume` from 21 on, its MSHR in use up to 21. The store in `tag` from 11 on waits up
        // to 21 by ORDER, from 22 to 31 by READ-FIRST.
        rig.program.extend([word(4, 0x80).into(), put(5, 0x80, 0, 99)]);
        open_in(&mut rig, 30);
        assert_eq!(written(&rig), [(33, 0x80)]);
        assert_eq!(rig.outputs.status.stall_order - before, 21);
        assert_eq!(rig.value(4, 4, 0), Some(0x80));
        assert!(hits(&mut rig, 0x80, false));
        assert_eq!(rig.value(0, 4, 0), Some(99));
    }
}

#[test]
fn a_store_that_updates_nothing_that_is_to_be_read_does_not_wait() {
    for preset in ALL {
        // Sectors 0 and 1 of the line are valid, sector 2 is not.
        for store in [put(5, 32, 0, 99), put(5, 64, 0, 99), put(5, 4, CG, 99)] {
            let address = store.request.addr[0];
            let mut rig = holding(&preset, false, &[0, 32]);
            close(&mut rig, false);
            rig.program.extend([word(4, 0).into(), store]);
            open_in(&mut rig, 30);
            assert_eq!(written(&rig), [(12, address / 32 * 32)]);
            assert_eq!((rig.value(4, 4, 0), rig.outputs.status.stall_order), (Some(0), 0));
        }
    }
}

#[test]
fn a_store_that_waits_for_done_holds_nobody() {
    for preset in ALL {
        let mut rig = holding(&preset, false, &[0]);
        rig.inputs.done_ready = false;
        // The command: `tag` 4, `hit` 5, in `done` from 6 on. Tag 1: accepted 1, `issue` 4, `merge` 6, `tag` 7, `write` 8, response 18, ready 19, in `resume` from
        // 20 on, its MSHR in use up to 20. Tag 2: `issue` 6, beat 7, `merge` 9, `tag` 10; by ORDER it stalls up to 20. A store's pass is never read, so it
        // moves in 21, and its MSHR is the one that tag 1 had.
        rig.program.extend([command(INVALIDATE_READ_ONLY).into(), put(1, 0, 0, 1), put(2, 0, 0, 2)]);
        rig.begin();
        run_until(&mut rig, 40);
        let writes: Vec<(u64, u8)> = rig.writes().iter().map(|(cycle, request)| (*cycle, request.id)).collect();
        assert_eq!(writes, [(8, 64), (22, 64)]);
        rig.inputs.done_ready = true;
        rig.drain();
        assert!(hits(&mut rig, 0, false));
        assert_eq!(rig.value(0, 4, 0), Some(2));
    }
}

#[test]
fn a_sector_that_is_to_be_read_is_not_fetched_into_its_row_again() {
    for preset in ALL {
        for is_read_before in [false, true] {
            let mut rig = holding(&preset, false, &[0, 32]);
            close(&mut rig, false);
            // Tag 4 in `hit` from 9 on. The cg store: `tag` 11, `write` 12, response 22, ready 23; it drops sector 0. Tag 6, accepted in 40, `tag` 44, misses
            // in the found way: response 55, in `resume` 57. If tag 4 is still in `hit` then, the way takes nothing.
            rig.program.extend([word(4, 0).into(), put(5, 0, CG, 77)]);
            run_until(&mut rig, 30);
            rig.inputs.wb_ready = is_read_before;
            run_until(&mut rig, 40);
            rig.program.push_back(word(6, 0).into());
            open_in(&mut rig, 70);
            let reads: Vec<(u64, u64)> = rig.reads().iter().map(|(cycle, _, address)| (*cycle, *address)).collect();
            assert_eq!(reads, [(45, 0)]);
            assert_eq!((rig.value(4, 4, 0), rig.value(6, 4, 0)), (Some(0), Some(77)));
            assert!(hits(&mut rig, 32, false));
            assert_eq!(hits(&mut rig, 0, false), is_read_before);
        }
    }
}

#[test]
fn a_way_that_takes_nothing_is_used_all_the_same() {
    // Lines 0 and 1 of one set, line 0 the older. Tag 6 misses in line 0 as above, and is no `EVICT_UNCHANGED`: line 0 becomes the younger, so
    // line 2 displaces line 1.
    for preset in [FPGA8, TINY4] {
        let of = |number| in_set_0(preset.l1_sets, number);
        let mut rig = holding(&preset, false, &[32, 0, of(1)]);
        close(&mut rig, false);
        rig.program.extend([word(4, 0).into(), put(5, 0, CG, 77)]);
        run_until(&mut rig, 40);
        rig.program.push_back(Request { l1_evict: 0, ..word(6, 0) }.into());
        open_in(&mut rig, 70);
        assert!(!hits(&mut rig, of(2), false));
        assert!(hits(&mut rig, 32, false));
        assert!(!hits(&mut rig, of(1), false));
    }
}

#[test]
fn who_misses_a_sector_that_is_to_be_read_does_not_join() {
    for preset in ALL {
        let mut rig = holding(&preset, false, &[0]);
        close(&mut rig, false);
        // Tag 4 in `hit` from 9 on. Tag 5 misses sector 1 in the found way: `tag` 9, request 10 of MSHR 0, which is answered late. The cg store: accepted 6,
        // `issue` 9, `merge` 11, `tag` 12, `write` 13 with MSHR 1, response 23, ready 24. Tag 7 in `tag` from 13 on stalls up to 25 by ORDER, moves in 26, and
        // takes MSHR 1: in MSHR 0 sector 0 would be written into the row in which tag 4 has to read it.
        rig.latency = 80;
        rig.program.extend([word(4, 0).into(), word(5, 32).into(), put(6, 0, CG, 77), word(7, 0).into()]);
        run_until(&mut rig, 11);
        rig.latency = 10;
        run_until(&mut rig, 14);
        rig.responses.swap(0, 1);
        run_until(&mut rig, 28);
        rig.responses.swap(0, 1);
        open_in(&mut rig, 60);
        assert_eq!(rig.reads(), [(10, 65, 32), (27, 68, 0)]);
        assert_eq!(rig.value(4, 4, 0), Some(0));
        assert_eq!((rig.value(5, 4, 0), rig.value(7, 4, 0)), (Some(32), Some(77)));
        assert!(hits(&mut rig, 32, false));
        assert!(!hits(&mut rig, 0, false));
    }
}

#[test]
fn who_misses_another_sector_joins() {
    for preset in ALL {
        let mut rig = holding(&preset, false, &[0]);
        close(&mut rig, false);
        // As above, but tag 6, in `tag` in 10, needs sector 2.
        rig.program.extend([word(4, 0).into(), word(5, 32).into(), word(6, 64).into()]);
        open_in(&mut rig, 60);
        assert_eq!(rig.reads(), [(10, 65, 32), (11, 66, 64)]);
        assert!(hits(&mut rig, 32, false) && hits(&mut rig, 64, false));
    }
}

#[test]
fn a_row_takes_nothing_while_an_older_fetch_that_is_not_kept_may_write_it() {
    for preset in roomy() {
        // What is not kept is written into the row that it was asked for: tag 2 must not be there.
        for sector in [0, 64] {
            let mut rig = holding(&preset, false, &[96]);
            rig.latency = 40;
            // Tag 0 misses sector 0 in the found way: request 5. The cv load of sector 1 takes its `keep` away: `tag` 5, request 6. Sector 3 stays valid, so
            // tag 2, in `tag` in 36, finds the way: request 37, and its answer comes before that of tag 0.
            rig.program.extend([word(0, 0).into(), Request { cop: CV, ..word(1, 32) }.into()]);
            rig.begin();
            run_until(&mut rig, 32);
            rig.poke(sector, 55);
            rig.latency = 5;
            rig.program.push_back(word(2, sector).into());
            run_until(&mut rig, 38);
            rig.responses.swap(0, 2);
            rig.drain();
            assert_eq!(rig.reads(), [(5, 64, 0), (6, 69, 32), (37, 72 + sector as u8 / 32, sector)]);
            assert_eq!((rig.value(0, 4, 0), rig.value(1, 4, 0), rig.value(2, 4, 0)), (Some(0), Some(32), Some(55)));
            assert!(hits(&mut rig, 96, false));
            assert!(!hits(&mut rig, sector, false));
            assert_eq!(rig.value(0, 4, 0), Some(55));
        }
    }
}

#[test]
fn a_way_that_is_not_present_is_no_victim_while_an_mshr_names_its_row() {
    for preset in ALL {
        for nc in [false, true] {
            let (sets, cmd) = if nc { (preset.ro_sets, INVALIDATE_READ_ONLY) } else { (preset.l1_sets, INVALIDATE_L1) };
            let of = |number| in_set_0(sets, number);
            let mut rig = Rig::new(&preset);
            rig.latency = 40;
            // Tag 0 gets way 0: request 5. The command takes its `keep` away, so no way of the set is present; still tag 2 gets way 1. It is answered
            // before tag 0, whose sector, written into way 0, would else lie in the line of tag 2.
            rig.program.extend([
                Request { nc, ..word(0, of(0)) }.into(),
                Request { tag: 1, ..command(cmd) }.into(),
                Request { nc, ..word(2, of(1)) }.into(),
            ]);
            rig.begin();
            run_until(&mut rig, 8);
            assert_eq!(rig.reads(), [(5, 64, of(0)), (7, 68, of(1))]);
            rig.responses.swap(0, 1);
            rig.drain();
            assert_eq!(rig.value(0, 4, 0), Some(of(0) as u32));
            assert!(hits(&mut rig, of(1), nc));
            assert_eq!(rig.value(0, 4, 0), Some(of(1) as u32));
            assert!(!hits(&mut rig, of(0), nc));
        }
    }
}

#[test]
fn where_all_ways_are_on_their_way_a_miss_is_not_kept() {
    // 2 ways: three loads of one set are on their way at once. The first two keep theirs.
    let mut rig = Rig::new(&FPGA8);
    let of = |number| in_set_0(FPGA8.l1_sets, number);
    rig.run([word(0, of(0)), word(1, of(1)), word(2, of(2))]);
    // Responses 15, 16, 17; `resume` 17, 18, 19; `emit` four cycles later.
    assert_eq!(rig.writebacks(), [(21, 0, 4), (22, 1, 4), (23, 2, 4)]);
    for tag in 0..3 {
        assert_eq!(rig.value(tag, 4, 0), Some(of(tag.into()) as u32));
    }
    assert!(hits(&mut rig, of(0), false));
    assert!(hits(&mut rig, of(1), false));
    assert!(!hits(&mut rig, of(2), false));
}

#[test]
fn a_way_that_is_to_be_read_is_no_victim() {
    // Two ways, line 0 the older one, and tag 4 waits to be read there. So line 2 displaces line 1, and is there long before tag 4 is read.
    for (nc, sets) in [(false, TINY4.l1_sets), (true, TINY4.ro_sets)] {
        let of = |number| in_set_0(sets, number);
        let mut rig = holding(&TINY4, nc, &[of(0), of(1)]);
        close(&mut rig, nc);
        rig.program.push_back(Request { nc, ..word(4, 0) }.into());
        run_until(&mut rig, 20);
        rig.program.push_back(Request { nc, ..word(5, of(2)) }.into());
        open_in(&mut rig, 60);
        assert_eq!((rig.value(4, 4, 0), rig.value(5, 4, 0)), (Some(0), Some(of(2) as u32)));
        assert!(hits(&mut rig, of(0), nc));
        assert!(hits(&mut rig, of(2), nc));
        assert!(!hits(&mut rig, of(1), nc));
    }
}

#[test]
fn where_all_ways_are_to_be_read_a_miss_is_not_kept() {
    for preset in [FPGA8, TINY4] {
        let of = |number| in_set_0(preset.l1_sets, number);
        let mut rig = holding(&preset, false, &[0]);
        close(&mut rig, false);
        // Tag 4 in `hit` from 9 on, in one way. Tag 5 gets the other: `tag` 9, response 20, in `resume` from 22 on, and no MSHR in use. Tag 6: accepted 30,
        // `tag` 34, request 35, response 45, behind tag 5 in `resume` from 47 on.
        rig.program.extend([word(4, 0).into(), word(5, of(1)).into()]);
        run_until(&mut rig, 30);
        rig.program.push_back(word(6, of(2)).into());
        open_in(&mut rig, 60);
        assert_eq!(rig.reads(), [(10, 64, of(1)), (35, 64, of(2))]);
        for (tag, number) in [(4, 0), (5, 1), (6, 2)] {
            assert_eq!(rig.value(tag, 4, 0), Some(of(number) as u32), "{tag}");
        }
        assert!(hits(&mut rig, of(0), false));
        assert!(hits(&mut rig, of(1), false));
        assert!(!hits(&mut rig, of(2), false));
    }
}

#[test]
fn an_mshr_is_not_taken_while_its_own_row_is_to_be_read() {
    for preset in ALL {
        let mut rig = holding(&preset, false, &[0]);
        close(&mut rig, false);
        // Tag 4 is not kept: `tag` 8, request 9 of MSHR 0, response 19, in `resume` from 21 on. Tag 5: accepted 30, `tag` 34, request 35.
        let passing = |tag, address| Request { l1_evict: NO_ALLOCATE, ..word(tag, address) };
        rig.program.push_back(passing(4, 0x1000).into());
        run_until(&mut rig, 30);
        rig.program.push_back(passing(5, 0x2000).into());
        open_in(&mut rig, 60);
        assert_eq!(rig.reads(), [(9, 64, 0x1000), (35, 68, 0x2000)]);
        assert_eq!((rig.value(4, 4, 0), rig.value(5, 4, 0)), (Some(0x1000), Some(0x2000)));
        // Where what was fetched lies in a way, its MSHR is free as soon as its waiter is.
        close(&mut rig, false);
        rig.program.push_back(word(4, 0x3000).into());
        run_until(&mut rig, 30);
        rig.program.push_back(passing(5, 0x2000).into());
        open_in(&mut rig, 60);
        assert_eq!(rig.reads(), [(9, 64, 0x3000), (35, 64, 0x2000)]);
    }
}

#[test]
fn what_is_picked_is_still_to_be_read() {
    for preset in ALL {
        let mut rig = Rig::new(&preset);
        // mmio, a lane a pass: the first in `tag` in 4, request 5, response 15, ready 16, picked in `resume` in 17, MSHR 0 in use up to then. Tag 1, accepted
        // 13, is in `tag` in 17 and takes MSHR 1. Tag 2 is in `tag` in 18, when the own row of MSHR 0 is still to be read: it takes MSHR 2, or, where there are
        // only two, MSHR 0 in 19.
        let alone = |tag, address: u64| Request { sem: MMIO, ..word(tag, address) };
        rig.program.push_back(alone(0, 0x1000).into());
        rig.begin();
        run_until(&mut rig, 13);
        rig.program.extend([alone(1, 0x2000).into(), alone(2, 0x3000).into()]);
        rig.drain();
        let third = if preset.misses == 2 { (20, 64, 0x3000) } else { (19, 72, 0x3000) };
        assert_eq!(rig.reads(), [(5, 64, 0x1000), (18, 68, 0x2000), third]);

        // The same with a way: tag 0, which hits the older one of two, is picked in 5; tag 1 is in `tag` then and displaces the other.
        if preset.l1_ways == 2 {
            let of = |number| in_set_0(preset.l1_sets, number);
            let mut rig = holding(&preset, false, &[of(0), of(1)]);
            rig.run([word(0, of(0)), word(1, of(2))]);
            assert!(hits(&mut rig, of(0), false));
            assert!(!hits(&mut rig, of(1), false));
        }
    }
}

#[test]
fn without_an_mshr_even_a_hit_waits() {
    // Two MSHRs, and the own rows of both are to be read.
    let mut rig = holding(&TINY4, false, &[0]);
    let before = rig.outputs.status.stall_misses;
    close(&mut rig, false);
    let passing = |tag, address| Request { l1_evict: NO_ALLOCATE, ..word(tag, address) };
    rig.program.extend([passing(4, 0x1000).into(), passing(5, 0x2000).into()]);
    run_until(&mut rig, 30);
    // Tag 6: accepted 30, `tag` 34. No waiter is in use. In 60 tag 4 leaves `resume`, and its MSHR can be taken from 62 on: `hit` 63, `read` 64, `emit` 67.
    // Tag 5 is picked in 61, `emit` 65.
    rig.program.push_back(word(6, 0).into());
    open_in(&mut rig, 60);
    assert_eq!(rig.outputs.status.stall_misses - before, 28);
    let expected: Vec<(u64, u8, u8)> = (0..6).map(|tag| (60 + u64::from(tag), tag, 4)).chain([(67, 6, 4)]).collect();
    assert_eq!(rig.writebacks(), expected);
    assert_eq!((rig.value(4, 4, 0), rig.value(5, 4, 0)), (Some(0x1000), Some(0x2000)));
}
