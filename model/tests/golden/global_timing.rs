//! Cycle counts of the global path, worked out by hand from the timing contract. Cycle 0 is the one in which the first
//! operation is accepted; the memory answers a request of cycle t in cycle t + 10.

use crate::global_rig::*;
use lsu_model::pins::{Request, Status};
use lsu_model::preset::{ALL, FPGA8, WARP32};

fn tagged(tags: impl IntoIterator<Item = u8>, request: impl Fn(u8) -> Request) -> Vec<Request> {
    tags.into_iter().map(|tag| Request { tag, ..request(tag) }).collect()
}

#[test]
fn a_hit_takes_nine_cycles_and_ten_in_the_read_only_cache() {
    for preset in roomy() {
        let mut rig = warm(&preset, [2]);
        // `intake` 1, `check` 2, `issue` 3, `tag` 4, `hit` 5, `read` 6, `landing` 7, `collect` 8, `emit` 9.
        rig.run([load(|lane| 256 + 4 * lane)]);
        assert_eq!(rig.writebacks(), [(9, 0, 4)]);
        assert_eq!(rig.value(0, 4, 5), Some(256 + 20));
        // `ro_read` 5, `ro_hit` 6, and from there on a cycle later.
        rig.run([load_nc(|lane| 256 + 4 * lane)]);
        assert_eq!(rig.writebacks(), [(10, 0, 4)]);
        assert_eq!(rig.value(0, 4, 7), Some(256 + 28));
        assert_eq!(rig.reads(), []);
    }
}

#[test]
fn a_hit_stream_completes_one_warp_a_cycle() {
    for preset in ALL {
        for nc in [false, true] {
            let mut rig = warm(&preset, [0]);
            rig.run(tagged(0..200, |_| Request { nc, ..load(|lane| 4 * lane) }));
            let first = if nc { 10 } else { 9 };
            let expected: Vec<(u64, u8, u8)> = (0..200).map(|tag| (first + u64::from(tag), tag, 4)).collect();
            assert_eq!(rig.writebacks(), expected);
        }
    }
}

#[test]
fn vectors_of_four_words_take_four_cycles() {
    for preset in roomy() {
        // One line holds 8 lanes of 16 bytes.
        let lines = preset.lanes as u64 / 8;
        let mut rig = warm(&preset, 0..lines);
        rig.run(tagged(0..20, |_| Request { vec: 2, ..load(|lane| 16 * lane) }));
        // Passes of the first operation in `tag` from 4 on, in `hit` from 5 on, in `landing` in 7 to 6 + lines, all in `collect` in 7 + lines, `emit` 8 + lines.
        // Then `collect` is never without a successor.
        let expected: Vec<(u64, u8, u8)> =
            (0..80).map(|number| (8 + lines + number, number as u8 / 4, 4 + number as u8 % 4)).collect();
        assert_eq!(rig.writebacks(), expected);
        assert_eq!(rig.value(3, 6, 5), Some(16 * 5 + 8));
    }
}

#[test]
fn k_lines_take_k_cycles_and_give_one_register() {
    for preset in roomy() {
        for k in [2, 3, 5, 8] {
            let mut rig = warm(&preset, 0..k);
            rig.run(tagged(0..10, |_| load(|lane| 128 * (lane % k))));
            // First operation: passes in `hit` in 5 to 4 + k, in `landing` in 7 to 6 + k, together in `collect` in 7 + k, `emit` 8 + k.
            let expected: Vec<(u64, u8, u8)> = (0..10).map(|tag| (8 + k + k * tag, tag as u8, 4)).collect();
            assert_eq!(rig.writebacks(), expected);
            let account = rig.golden.account(9);
            assert_eq!((account.wavefronts, account.hit_sectors, account.mem_sectors), (k as u32, k as u32, 0));
        }
    }
}

#[test]
fn a_miss_waits_for_its_sectors_only() {
    for preset in ALL {
        let mut rig = Rig::new(&preset);
        // Lanes in sectors 1 and 3. `tag` 4, requests 5 and 6, responses 15 and 16, ready 17, `resume` 18, `read` 19, `landing` 20, `collect` 21, `emit` 22.
        rig.run([load(|lane| 0x1020 + 64 * (lane & 1))]);
        assert_eq!(rig.reads(), [(5, 65, 0x1020), (6, 67, 0x1060)]);
        assert_eq!(rig.writebacks(), [(22, 0, 4)]);
        assert_eq!((rig.value(0, 4, 2), rig.value(0, 4, 3)), (Some(0x1020), Some(0x1060)));
        let status = rig.outputs.status;
        assert_eq!((status.l1_hits, status.l1_misses, status.sectors_read), (0, 2, 2));
        // Sector 2 of the same line is not there.
        rig.run([load(|_| 0x1040)]);
        assert_eq!(rig.reads(), [(5, 66, 0x1040)]);
        rig.run([load(|lane| 0x1020 + 32 * (lane % 3))]);
        assert_eq!((rig.reads(), rig.writebacks()), (vec![], vec![(9, 0, 4)]));
    }
}

#[test]
fn a_pass_is_split_into_hit_and_miss() {
    for preset in ALL {
        let mut rig = Rig::new(&preset);
        rig.run([load(|_| 0x2000)]);
        // Lane 0 hits: `hit` 5, `read` 6, `landing` 7, `collect` 8, `emit` 9. Lane 1 misses: `tag` 4, request 5, response 15, ready 16, `resume` 17, `read` 18,
        // `landing` 19, `collect` 20, `emit` 21.
        rig.run([Request { mask: 3, ..load(|lane| 0x2000 + 32 * lane) }]);
        assert_eq!(rig.writebacks(), [(9, 0, 4), (21, 0, 4)]);
        let masks: Vec<(u32, bool)> = rig.events.iter().filter_map(masks_of).collect();
        assert_eq!(masks, [(1, false), (2, true)]);
    }
}

fn masks_of((_, event): &(u64, Event)) -> Option<(u32, bool)> {
    if let Event::Writeback(wb) = event { Some((wb.mask, wb.last)) } else { None }
}

#[test]
fn a_hit_is_not_delayed_by_a_miss() {
    for preset in ALL {
        let mut rig = warm(&preset, [0]);
        rig.run(tagged(0..2, |tag| load(move |_| u64::from(1 - tag) * 0x1000)));
        // The hit is accepted in 1; the miss is in `resume` in 17.
        assert_eq!(rig.writebacks(), [(10, 1, 4), (21, 0, 4)]);
    }
}

#[test]
fn misses_on_one_sector_share_a_request() {
    for preset in roomy() {
        for nc in [false, true] {
            let mut rig = Rig::new(&preset);
            rig.run(tagged(0..3, |tag| Request { nc, ..load(move |_| 4 * u64::from(tag)) }));
            // Response 15, all ready in 16; `resume` 17, 18, 19, and `emit` four cycles after it.
            assert_eq!(rig.writebacks(), [(21, 0, 4), (22, 1, 4), (23, 2, 4)]);
            assert_eq!(rig.reads(), [(5, 64, 0)]);
            let costs = |tag| (rig.golden.account(tag).miss_sectors, rig.golden.account(tag).mem_sectors);
            assert_eq!([costs(0), costs(1), costs(2)], [(1, 1), (1, 0), (1, 0)]);
        }
    }
}

#[test]
fn who_joins_asks_only_for_what_is_new() {
    for preset in ALL {
        let mut rig = Rig::new(&preset);
        let operations = [load(|_| 0x80), Request { tag: 1, ..load(|lane| 0x80 + 32 * (lane & 1)) }];
        rig.run(operations);
        assert_eq!(rig.reads(), [(5, 64, 0x80), (6, 65, 0xa0)]);
        // Responses 15 and 16; ready 16 and 17; `resume` 17 and 18.
        assert_eq!(rig.writebacks(), [(21, 0, 4), (22, 1, 4)]);
    }
}

#[test]
fn the_read_only_cache_and_l1_share_nothing() {
    for preset in ALL {
        let mut rig = Rig::new(&preset);
        rig.run([load(|_| 0x80), Request { tag: 1, ..load_nc(|_| 0x80) }]);
        assert_eq!(rig.reads(), [(5, 64, 0x80), (6, 68, 0x80)]);
        rig.run([command(INVALIDATE_L1)]);
        assert_eq!(rig.dones(), [(6, 0)]);
        rig.run([load(|_| 0x80), Request { tag: 1, ..load_nc(|_| 0x80) }]);
        assert_eq!(rig.reads().len(), 1);
        rig.run([command(INVALIDATE_READ_ONLY)]);
        rig.run([load(|_| 0x80), Request { tag: 1, ..load_nc(|_| 0x80) }]);
        assert_eq!(rig.reads().len(), 1);
        rig.run([command(WRITE_BACK_LOCAL)]);
        rig.run([load(|_| 0x80), Request { tag: 1, ..load_nc(|_| 0x80) }]);
        assert_eq!(rig.reads().len(), 0);
        let status = rig.outputs.status;
        assert_eq!((status.l1_hits, status.l1_misses), (2, 2));
        assert_eq!((status.ro_hits, status.ro_misses), (2, 2));
    }
}

#[test]
fn without_a_waiter_even_a_hit_waits() {
    let mut rig = warm(&FPGA8, [0]);
    let status = rig.outputs.status;
    // Tags 0 to 3 take the four waiters and MSHRs. Tag 4 hits; it is in `tag` from 8 on. The first waiter is ready in 16, its MSHR in
    // use up to 17, so tag 4 moves in 18: `hit` 19.
    rig.run(tagged(0..5, |tag| load(move |_| if tag < 4 { 0x1000 + 128 * u64::from(tag) } else { 0 })));
    // `resume` 17 (tag 0), 18 (tag 1). `hit` comes after `resume` in 19: tag 4. Then `resume`: tag 2 in 20, tag 3 in 21.
    // `read` one cycle and `emit` four cycles after each.
    assert_eq!(rig.writebacks(), [(21, 0, 4), (22, 1, 4), (23, 4, 4), (24, 2, 4), (25, 3, 4)]);
    // `tag` stalls in 8 to 17.
    assert_eq!(rig.outputs.status.stall_misses - status.stall_misses, 10);
}

#[test]
fn a_store_is_acknowledged_when_memory_has_answered() {
    for preset in ALL {
        let mut rig = Rig::new(&preset);
        // `issue` 3 takes the beat, `merge` 5, `tag` 6, `write` 7; response 17, ready 18, `resume` 19, `done` 20.
        rig.run([with_data(store(|_| 0x40), 1, |_, lane| 0x100 + lane)]);
        assert_eq!(rig.dones(), [(20, 0)]);
        let writes = rig.writes();
        let highest = 0x100 + preset.lanes as u32 - 1;
        assert_eq!((writes[0].0, writes[0].1.id, writes[0].1.addr, writes[0].1.strb), (7, 66, 0x40, 0xf));
        assert_eq!(writes[0].1.data, [highest, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!((writes.len(), rig.outputs.status.sectors_written), (1, 1));
        assert_eq!(rig.golden.account(0).mem_sectors, 1);
    }
}

#[test]
fn store_beats_are_taken_in_s_and_merged_one_a_cycle() {
    let mut rig = Rig::new(&WARP32);
    // 64-bit elements in pairs: 4 beats, taken in 3 to 6; 32 lanes of 16 bytes in 16 sectors. The first pass is in `merge` from
    // 8 on, for 4 cycles: `tag` 12, `write` 13. From then on one sector every 4 cycles.
    let request = Request { size: 3, vec: 1, ..store(|lane| 16 * lane) };
    rig.run([with_data(request, 4, |register, lane| lane << 8 | register)]);
    let beats: Vec<u64> =
        rig.events.iter().filter(|(_, event)| *event == Event::Data).map(|(cycle, _)| *cycle).collect();
    assert_eq!(beats, [3, 4, 5, 6]);
    let writes: Vec<(u64, u64)> = rig.writes().iter().map(|(cycle, request)| (*cycle, request.addr)).collect();
    let expected: Vec<(u64, u64)> = (0..16).map(|sector| (13 + 4 * sector, 32 * sector)).collect();
    assert_eq!(writes, expected);
    assert_eq!(rig.writes()[1].1.data, [0x200, 0x201, 0x202, 0x203, 0x300, 0x301, 0x302, 0x303]);
    // The last one: `write` 73, response 83, `resume` 85, `done` 86.
    assert_eq!(rig.dones(), [(86, 0)]);
    assert_eq!((rig.outputs.status.wavefronts, rig.outputs.status.replays), (16, 15));
}

#[test]
fn a_load_behind_a_store_waits_until_p_is_empty() {
    for preset in ALL {
        let mut rig = warm(&preset, [0]);
        // Store: `issue` 3, `merge` 5, `tag` 6. Load: accepted 1, `issue` 5 (`issue` is given up at the edge of 4), `merge` is empty in 6, `tag` 7, `hit` 8, `emit` 12.
        rig.run([
            with_data(Request { tag: 1, ..store(|_| 0x1000) }, 1, |_, _| 0),
            Request { tag: 2, ..load(|_| 0) }.into(),
        ]);
        assert_eq!(rig.writebacks(), [(12, 2, 4)]);
    }
}

#[test]
fn a_store_that_hits_updates_the_line_in_a_cycle_without_responses() {
    for preset in roomy() {
        let mut rig = warm(&preset, [0]);
        rig.latency = 2;
        rig.inputs.mem_req_ready = false;
        // A load that misses: request from 5 on, taken in 6, response offered from 8 on. The store is accepted in 1: `issue` 4,
        // and its passes of 8 lanes each in `merge` from 6 on, in `tag` from 7 on. Each makes the next cycle an update: 8, 9, ...
        rig.program.push_back(Request { tag: 1, ..load(|_| 0x1000) }.into());
        rig.program.push_back(with_data(Request { tag: 2, ..store(|lane| 4 * lane) }, 1, |_, lane| 7 * lane));
        rig.begin();
        while rig.cycle < 6 {
            rig.step();
        }
        rig.inputs.mem_req_ready = true;
        rig.drain();
        let responses = rig.events.iter().filter(|(_, event)| matches!(event, Event::Response(_)));
        let first = responses.map(|(cycle, _)| *cycle).next();
        assert_eq!(first, Some(8 + preset.lanes as u64 / 8));
        rig.run([load(|lane| 4 * lane)]);
        assert_eq!((rig.reads(), rig.value(0, 4, 6)), (vec![], Some(42)));
    }
}

#[test]
fn a_store_that_misses_allocates_nothing() {
    for preset in ALL {
        let mut rig = Rig::new(&preset);
        rig.run([with_data(store(|_| 0x40), 1, |_, _| 9)]);
        rig.run([load(|_| 0x40)]);
        assert_eq!((rig.reads().len(), rig.value(0, 4, 0)), (1, Some(9)));
    }
}

#[test]
fn operations_without_lanes_touch_nothing() {
    for preset in ALL {
        let mut rig = Rig::new(&preset);
        // `tag` 4, `hit` 5, `read` 6, `landing` 7, `collect` 8, `emit` 9.
        rig.run([Request { mask: 0, vec: 1, ..load(|_| 3) }]);
        assert_eq!(rig.writebacks(), [(9, 0, 4), (10, 0, 5)]);
        assert!(rig.events.iter().filter_map(masks_of).eq([(0, false), (0, true)]));
        // `issue` 3 takes the beat, `merge` 5, `tag` 6, `hit` 7, `done` 8.
        rig.run([with_data(Request { mask: 0, ..store(|_| 3) }, 1, |_, _| 1)]);
        assert_eq!(rig.dones(), [(8, 0)]);
        // Everything sunk: no read, no lane.
        rig.run([Request { vec: 1, sink: 0b11, ..load(|lane| 8 * lane) }]);
        assert_eq!(rig.writebacks(), [(9, 0, 4), (10, 0, 5)]);
        assert_eq!((rig.reads().len(), rig.writes().len()), (0, 0));
        // Sizes that are none, without lanes: 4 registers an element.
        rig.run([Request { mask: 0, size: 7, vec: 3, ..load(|_| 0) }]);
        assert_eq!(rig.writebacks().len(), 32);
        assert_eq!(rig.writebacks()[31], (9 + 31, 0, 35));
        assert_eq!(rig.outputs.status.wavefronts, 4);
    }
}

#[test]
fn rz_still_reads_and_writes_no_lane() {
    let mut rig = Rig::new(&WARP32);
    rig.run([Request { rd: 255, ..load(|_| 0) }]);
    assert_eq!(rig.reads().len(), 1);
    assert!(rig.events.iter().filter_map(masks_of).eq([(0, true)]));
}

#[test]
fn a_bad_sector_fails_its_lanes_and_is_not_kept() {
    for preset in ALL {
        let mut rig = Rig::new(&preset);
        rig.bad_sectors.insert(0x20);
        rig.run([Request { tag: 5, mask: 0xf, ..load(|lane| 32 * (lane & 1) + 4 * lane) }]);
        // Requests 5 and 6, responses 15 and 16, ready 17, `resume` 18, `read` and `fault` 19, `landing` 20, `collect` 21, `emit` 22.
        let record = lsu_model::pins::FaultRecord { tag: 5, cause: 5, lanes: 0b1010, addr: 0x24 };
        assert_eq!(rig.faults(), [(19, record)]);
        assert_eq!(rig.writebacks(), [(22, 5, 4)]);
        assert!(rig.events.iter().filter_map(masks_of).eq([(0b101, true)]));
        rig.bad_sectors.clear();
        rig.run([load(|lane| 32 * (lane & 1))]);
        assert_eq!(rig.reads(), [(5, 65, 0x20)]);
        // A store that fails is reported and acknowledged.
        rig.bad_sectors.insert(0x40);
        rig.run([with_data(Request { tag: 6, mask: 0b110, ..store(|lane| 0x40 + 4 * lane) }, 1, |_, _| 1)]);
        let record = lsu_model::pins::FaultRecord { tag: 6, cause: 5, lanes: 0b110, addr: 0x44 };
        assert_eq!((rig.faults(), rig.dones()), (vec![(20, record)], vec![(20, 6)]));
    }
}

#[test]
fn a_record_waits_for_the_fault_port_and_goes_before_a_new_fault() {
    let mut rig = Rig::new(&WARP32);
    rig.bad_sectors.insert(0);
    rig.inputs.fault_ready = false;
    // Tag 1 faults: `fault` 4. Tag 2 fails: accepted 1, `tag` 5, request 6, response 16, ready 17, `resume` 18 and there it stays. Tag 3
    // faults and stays in `issue`.
    rig.program.extend([
        Request { tag: 1, ..load(|_| 2) }.into(),
        Request { tag: 2, ..load(|_| 0) }.into(),
        Request { tag: 3, ..load(|_| 2) }.into(),
    ]);
    rig.begin();
    for _ in 0..30 {
        rig.step();
    }
    rig.inputs.fault_ready = true;
    rig.drain();
    let faults: Vec<(u64, u8)> = rig.faults().iter().map(|(cycle, record)| (*cycle, record.tag)).collect();
    assert_eq!(faults, [(30, 1), (31, 2), (32, 3)]);
    // Picked in 30, when `fault` gives its record on: `read` 31, `emit` 34.
    assert_eq!(rig.writebacks(), [(34, 2, 4)]);
}

#[test]
fn total_of_32_bytes_takes_two_reads() {
    for preset in roomy() {
        let mut rig = warm(&preset, 0..8);
        // One lane: `hit` 5 and 6; first half `read` 6, `landing` 7, `collect` 8, `emit` 9 to 12; second half `read` 7, `landing` 8, `collect` 9 to 12, `emit` 13 to
        // 16.
        rig.run([Request { size: 4, vec: 1, rd: 8, mask: 1, ..load(|_| 0x60) }]);
        let expected: Vec<(u64, u8, u8)> = (0..8).map(|number| (9 + u64::from(number), 0, 8 + number)).collect();
        assert_eq!(rig.writebacks(), expected);
        for number in 0..8 {
            assert_eq!(rig.value(0, 8 + number, 0), Some(0x60 + 4 * u32::from(number)));
        }
        assert!(rig.events.iter().filter_map(masks_of).map(|(_, last)| last).eq((0..8).map(|number| number == 7)));
    }
}

#[test]
fn two_reads_of_one_pass_go_before_another_place_is_picked() {
    let mut rig = warm(&FPGA8, [0]);
    // Tag 0 hits in RO with two reads: `ro_read` 5, `ro_hit` 6 and 7. Tag 1 hits L1: accepted 1, `tag` 5, `hit` 6, which is picked in 6 (`resume` first
    // after reset; the warm-up's last pass left `resume`, so `hit` is first): `read` 7, `emit` 10. `ro_hit` in 7 and 8 then: `read` 8, `emit` 11 to 14, and `read` 9,
    // `emit` 15 to 18.
    rig.run([
        Request { tag: 0, size: 3, vec: 2, rd: 8, mask: 1, ..load_nc(|_| 0) },
        Request { tag: 1, mask: 1, ..load(|_| 0) },
    ]);
    let tags: Vec<(u64, u8)> = rig.writebacks().iter().map(|(cycle, tag, _)| (*cycle, *tag)).collect();
    assert_eq!(tags, [(10, 1), (11, 0), (12, 0), (13, 0), (14, 0), (15, 0), (16, 0), (17, 0), (18, 0)]);
    // `ro_hit` left last, so `resume` and `hit` come before it. With a command of the other cache between the two, `ro_hit` is alone in 6, reads
    // again in 7, and `hit` waits till 8: `emit` holds the first half in 10 to 13, the second in 14 to 17, tag 1 in 18.
    rig.run([
        Request { tag: 0, size: 3, vec: 2, rd: 8, mask: 1, ..load_nc(|_| 0) },
        Request { tag: 2, ..command(2) },
        Request { tag: 1, mask: 1, ..load(|_| 0) },
    ]);
    let tags: Vec<(u64, u8)> = rig.writebacks().iter().map(|(cycle, tag, _)| (*cycle, *tag)).collect();
    assert_eq!(tags, [(10, 0), (11, 0), (12, 0), (13, 0), (14, 0), (15, 0), (16, 0), (17, 0), (18, 1)]);
}

#[test]
fn counters_of_stalls() {
    for preset in ALL {
        let mut rig = warm(&preset, [0]);
        let before = rig.outputs.status;
        rig.inputs.wb_ready = false;
        // Tags 0 to 7 hit. `emit` holds tag 0, `collect` tag 1, `landing` tag 2, `read` tag 3 and `hit` tag 4 from 9 on, and tag 5 from 10 on; `tag`, with
        // tag 6 from 10 on, cannot move; in 20 `hit` still holds two.
        rig.program.extend(tagged(0..8, |_| load(|_| 0)).into_iter().map(Operation::from));
        rig.begin();
        while rig.cycle < 20 {
            rig.step();
        }
        rig.inputs.wb_ready = true;
        rig.drain();
        rig.step();
        // 10 to 20.
        assert_eq!(rig.outputs.status.stall_data - before.stall_data, 11);
        assert_eq!(rig.outputs.status.stall_order, before.stall_order);
        rig.inputs.mem_req_ready = false;
        rig.program.push_back(load(|_| 0x1000).into());
        rig.begin();
        while rig.cycle < 20 {
            rig.step();
        }
        rig.inputs.mem_req_ready = true;
        rig.drain();
        // 5 to 19.
        assert_eq!(rig.outputs.status.stall_memory - before.stall_memory, 15);
    }
}

#[test]
fn a_reset_waits_for_the_answers_to_what_was_asked_before_it() {
    for preset in ALL {
        let mut rig = Rig::new(&preset);
        // Requests 5 and 6, answers 15 and 16; `rst` in 7. The next load would ask in 13: 5 after its acceptance in 8.
        rig.program.extend([Operation::from(Request { mask: 3, ..load(|lane| 32 * lane) })]);
        for _ in 0..7 {
            rig.step();
        }
        rig.inputs.reset = true;
        rig.step();
        rig.inputs.reset = false;
        rig.oracle.reset(false);
        rig.in_flight.clear();
        rig.program.push_back(Request { mask: 1, ..load(|_| 0x40) }.into());
        for cycle in 8..30 {
            rig.step();
            let outputs = &rig.outputs;
            assert_eq!(outputs.mem_req_valid, cycle == 17, "{cycle}");
            assert!(!outputs.status.idle && outputs.mem_rsp_ready, "{cycle}");
        }
        rig.drain();
        assert_eq!(rig.writebacks().len(), 1);
        // A memory side that forgets owes nothing.
        let mut rig = Rig::new(&preset);
        rig.program.extend([Operation::from(Request { mask: 3, ..load(|lane| 32 * lane) })]);
        for _ in 0..7 {
            rig.step();
        }
        (rig.inputs.reset, rig.inputs.reset_memory) = (true, true);
        rig.step();
        (rig.inputs.reset, rig.inputs.reset_memory) = (false, false);
        rig.oracle.reset(true);
        rig.responses.clear();
        rig.in_flight.clear();
        rig.step();
        assert!(rig.outputs.status.idle);
    }
}

#[test]
fn reset_empties_everything() {
    for preset in ALL {
        let mut rig = warm(&preset, [0, 1]);
        rig.program.extend(tagged(0..9, |tag| load(move |_| 0x1000 * u64::from(tag))).into_iter().map(Operation::from));
        for _ in 0..8 {
            rig.step();
        }
        rig.program.clear();
        (rig.inputs.reset, rig.inputs.reset_memory) = (true, true);
        rig.step();
        (rig.inputs.reset, rig.inputs.reset_memory) = (false, false);
        rig.oracle.reset(true);
        rig.responses.clear();
        rig.in_flight.clear();
        rig.step();
        let outputs = &rig.outputs;
        assert!(outputs.req_ready && outputs.mem_rsp_ready);
        assert!(!outputs.wb_valid && !outputs.fault_valid && !outputs.done_valid && !outputs.mem_req_valid);
        assert_eq!(outputs.status, Status { idle: true, ..Status::default() });
        assert_eq!(rig.describe(), "");
        rig.run([load(|_| 0)]);
        assert_eq!((rig.reads(), rig.writebacks()), (vec![(5, 64, 0)], vec![(21, 0, 4)]));
    }
}
