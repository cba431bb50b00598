//! Cycle counts of the golden model, worked out by hand from the timing contract. Cycle 0 is the one in which the first
//! operation is accepted; the memory answers a request of cycle t in cycle t + 10.

use crate::constant_rig::*;
use lsu_model::pins::{FaultRecord, Request, Status};
use lsu_model::preset::{ALL, Preset, WARP32};

fn warm(preset: &Preset, lines: u32) -> Rig {
    let mut rig = Rig::new(preset, true);
    for line in 0..lines {
        rig.run(ldc(|_| line * 64));
    }
    rig
}

/// Offers all requests, runs to the end, and gives the cycles of the `wb` transfers, from the first acceptance on.
fn writeback_cycles(rig: &mut Rig, requests: impl IntoIterator<Item = Request>) -> Vec<(u64, u8)> {
    rig.program.extend(requests);
    let begin = rig.cycle;
    rig.drain();
    let tag = |event: &Event| if let Event::Writeback(wb) = event { Some(wb.tag) } else { None };
    let after = rig.events.iter().filter(|(cycle, _)| *cycle >= begin);
    after.filter_map(|(cycle, event)| tag(event).map(|tag| (cycle - begin, tag))).collect()
}

fn tagged(count: u8, request: impl Fn(u8) -> Request) -> Vec<Request> {
    (0..count).map(|tag| Request { tag, ..request(tag) }).collect()
}

#[test]
fn a_hit_takes_six_cycles() {
    for preset in ALL {
        let mut rig = warm(&preset, 1);
        assert_eq!(writeback_cycles(&mut rig, [ldc(|_| 4)]), [(6, 0)]);
    }
}

#[test]
fn a_uniform_hit_stream_completes_one_warp_a_cycle() {
    for preset in ALL {
        let mut rig = warm(&preset, 1);
        let stream = tagged(200, |tag| ldc(|lane| 4 * ((lane + u32::from(tag)) % 16)));
        let expected: Vec<(u64, u8)> = (0..200).map(|tag| (6 + u64::from(tag), tag)).collect();
        assert_eq!(writeback_cycles(&mut rig, stream), expected);
    }
}

#[test]
fn k_lines_take_k_cycles() {
    for preset in roomy() {
        for k in [2, 3, 5, 8] {
            let mut rig = warm(&preset, k);
            let stream = tagged(10, |_| ldc(|lane| 64 * (lane % k)));
            let expected: Vec<(u64, u8)> = (0..10 * k).map(|pass| (6 + u64::from(pass), (pass / k) as u8)).collect();
            assert_eq!(writeback_cycles(&mut rig, stream), expected);
            let hits = rig.golden.account(9);
            assert_eq!((hits.wavefronts, hits.hit_sectors, hits.mem_sectors), (k, k, 0));
        }
    }
}

#[test]
fn thirty_two_lines_take_thirty_two_cycles() {
    let mut rig = warm(&WARP32, 32);
    let cycles = writeback_cycles(&mut rig, tagged(3, |_| ldc(|lane| 64 * lane)));
    let expected: Vec<(u64, u8)> = (0..96).map(|pass| (6 + pass, (pass / 32) as u8)).collect();
    assert_eq!(cycles, expected);
}

#[test]
fn wide_results_take_a_cycle_for_each_register() {
    for preset in ALL {
        for (size, beats) in [(B64, 2), (B128, 4)] {
            let mut rig = warm(&preset, 1);
            let stream = tagged(10, |_| Request { size, ..ldc(|lane| lane % 4 * 16) });
            let expected: Vec<(u64, u8)> = (0..10 * beats).map(|beat| (6 + beat, (beat / beats) as u8)).collect();
            assert_eq!(writeback_cycles(&mut rig, stream), expected);
        }
    }
}

#[test]
fn a_miss_waits_for_both_sectors() {
    for preset in ALL {
        let mut rig = Rig::new(&preset, true);
        let begin = rig.cycle;
        // `tag` 4, requests 5 and 6, responses 15 and 16, `response` 16 and 17, install 17, ready 18, `data` 19, `wb` 20.
        assert_eq!(writeback_cycles(&mut rig, [ldc(|_| 0x1044)]), [(20, 0)]);
        let fetches: Vec<(u64, Event)> =
            rig.events.iter().filter(|(_, event)| matches!(event, Event::Fetch { .. })).cloned().collect();
        let line = BASE + 0x3_1040;
        assert_eq!(
            fetches,
            [(begin + 5, Event::Fetch { id: 0, addr: line }), (begin + 6, Event::Fetch { id: 1, addr: line + 32 })]
        );
        assert_eq!((rig.outputs.status.ldc_hits, rig.outputs.status.ldc_misses), (0, 1));
    }
}

#[test]
fn a_short_line_is_one_sector() {
    for preset in ALL {
        let mut rig = Rig::new(&preset, true);
        // The second line has 32 of its 64 bytes in the bank: request 5, response 15, `response` 16, install 16, ready 17, `data` 18, `wb` 19.
        rig.bank(4, 96, true);
        let base = BASE + 0x4_0000;
        let cycles = writeback_cycles(&mut rig, [Request { bank: 4, ..ldc(|_| 0x5c) }]);
        assert_eq!(cycles, [(19, 0)]);
        let fetches = |rig: &mut Rig| -> Vec<u64> {
            let all = std::mem::take(&mut rig.events).into_iter();
            all.filter_map(|(_, event)| if let Event::Fetch { addr, .. } = event { Some(addr) } else { None }).collect()
        };
        assert_eq!(fetches(&mut rig), [base + 64]);
        // It hits from now on. Lanes beyond the end fetch nothing, not even what is left of their line.
        let cycles = writeback_cycles(&mut rig, [Request { bank: 4, ..ldc(|lane| 0x40 + 0x20 * (lane & 1)) }]);
        assert_eq!(cycles, [(6, 0)]);
        rig.bank(5, 16, true);
        rig.expect(Request { bank: 5, ..ldc(|_| 0x10) }, |_| 0);
        assert_eq!(fetches(&mut rig), []);
    }
}

#[test]
fn a_hit_is_not_delayed_by_a_miss() {
    for preset in ALL {
        let mut rig = warm(&preset, 1);
        let cycles = writeback_cycles(&mut rig, tagged(2, |tag| ldc(|_| u32::from(1 - tag) * 0x1000)));
        assert_eq!(cycles, [(7, 1), (20, 0)]);
    }
}

#[test]
fn misses_on_one_line_share_a_fetch() {
    for preset in roomy() {
        let mut rig = Rig::new(&preset, true);
        let cycles = writeback_cycles(&mut rig, tagged(3, |tag| ldc(|_| 4 * u32::from(tag))));
        assert_eq!(cycles, [(20, 0), (21, 1), (22, 2)]);
        assert_eq!(rig.cycles(|event| matches!(event, Event::Fetch { .. })).len(), 2);
        let sectors = |tag| (rig.golden.account(tag).miss_sectors, rig.golden.account(tag).mem_sectors);
        assert_eq!([sectors(0), sectors(1), sectors(2)], [(1, 2), (1, 0), (1, 0)]);
    }
}

#[test]
fn with_every_entry_taken_even_a_hit_waits() {
    for preset in roomy() {
        let mut rig = warm(&preset, 1);
        // Tags 0 to 3 miss and fill the entries; tag 4 hits. Requests in 5 to 12, responses offered in 15 to 22.
        // Entry 0: install 17, ready 18, `data` 19, `wb` 20. In 19 it is empty, so the hit leaves `tag`: `data` 20, `wb` 21.
        // Entry 1: its second sector is in `response` in 19 but `data` holds a pass of an entry: install 20, ready 21, `data` 22, `wb` 23.
        // Entry 2: `response` 21 and 22, install 23 for the same reason, `wb` 26. Entry 3: `response` 24 and 25, install 26, `wb` 29.
        let cycles = writeback_cycles(
            &mut rig,
            tagged(5, |tag| ldc(|_| if tag < 4 { 0x1000 + 64 * u32::from(tag) } else { 0 })),
        );
        assert_eq!(cycles, [(20, 0), (21, 4), (23, 1), (26, 2), (29, 3)]);
    }
}

#[test]
fn wb_last_comes_with_the_last_pass_to_leave() {
    for preset in ALL {
        let mut rig = warm(&preset, 1);
        // Lane 0 misses, the others hit: the hit is second in order and first to leave.
        let begin = rig.cycle;
        writeback_cycles(&mut rig, [ldc(|lane| if lane == 0 { 0x1000 } else { 0 })]);
        let seen: Vec<(u64, u32, bool)> = rig
            .events
            .iter()
            .filter(|(cycle, _)| *cycle >= begin)
            .filter_map(|(cycle, event)| match event {
                Event::Writeback(wb) => Some((cycle - begin, wb.mask, wb.last)),
                _ => None,
            })
            .collect();
        assert_eq!(seen, [(7, preset.lane_mask() & !1, false), (20, 1, true)]);
    }
}

#[test]
fn six_operations_fit_when_nobody_takes_a_result() {
    for preset in ALL {
        let mut rig = warm(&preset, 1);
        rig.inputs.wb_ready = false;
        let begin = rig.cycle;
        rig.program.extend(tagged(10, |_| ldc(|_| 0)));
        let mut first = None;
        for _ in 0..30 {
            rig.step();
            if rig.outputs.wb_valid {
                assert_eq!(*first.get_or_insert(rig.outputs.wb), rig.outputs.wb, "the payload holds");
            }
        }
        let accepted: Vec<u64> = rig.cycles(|event| matches!(event, Event::Accept(_)));
        let accepted: Vec<u64> =
            accepted.into_iter().filter(|cycle| *cycle >= begin).map(|cycle| cycle - begin).collect();
        assert_eq!(accepted, [0, 1, 2, 3, 4, 5]);
        rig.inputs.wb_ready = true;
        rig.drain();
        // The pipeline moves on as one: a result a cycle from the first one taken.
        let taken = rig.cycles(|event| matches!(event, Event::Writeback(_)));
        let last: Vec<u64> = taken.iter().rev().take(10).rev().map(|cycle| cycle - begin).collect();
        assert_eq!(last, (30..40).collect::<Vec<u64>>());
    }
}

#[test]
fn a_fault_leaves_from_the_issue_place() {
    for preset in ALL {
        let mut rig = warm(&preset, 1);
        let begin = rig.cycle;
        rig.program.extend([Request { tag: 1, ..ldc(|_| 2) }, Request { tag: 2, ..ldc(|_| 0) }]);
        rig.drain();
        // `intake` 1, `group` 2, `issue` 3, `fault` 4; the load behind it is in `issue` in 4, `tag` 5, `data` 6, `wb` 7.
        assert_eq!(rig.cycles(|event| matches!(event, Event::Fault(_))), [begin + 4]);
        assert_eq!(rig.cycles(|event| matches!(event, Event::Writeback(_))).last(), Some(&(begin + 7)));
        assert_eq!(rig.outputs.status.ldc_passes, 2);
    }
}

#[test]
fn commands_are_acknowledged_and_one_of_them_empties_the_cache() {
    for preset in ALL {
        for cmd in 0..4 {
            let mut rig = warm(&preset, 1);
            let begin = rig.cycle;
            rig.run(Request { op: 3, cmd, tag: 77, ..ldc(|_| 1) });
            // The others are the global path's and take a cycle more; the last looks at each set of L1 for a cycle.
            let cycles = match cmd {
                2 => 5,
                3 => 5 + preset.l1_sets as u64,
                _ => 6,
            };
            assert_eq!(rig.cycles(|event| *event == Event::Done(77)), [begin + cycles]);
            // Only the third of them empties the cache.
            let hit = writeback_cycles(&mut rig, [ldc(|_| 0)]);
            assert_eq!(hit, [(if cmd == 2 { 20 } else { 6 }, 0)]);
        }
    }
}

#[test]
fn a_command_kills_the_fetch_in_flight() {
    for preset in ALL {
        let mut rig = Rig::new(&preset, true);
        let invalidate = Request { op: 3, cmd: 2, tag: 1, ..ldc(|_| 0) };
        rig.program.extend([ldc(|_| 0), invalidate, Request { tag: 2, ..ldc(|_| 4) }]);
        rig.drain();
        // The second load may not use the first one's line, which is not kept.
        assert_eq!(rig.cycles(|event| matches!(event, Event::Fetch { .. })).len(), 4);
        rig.run(Request { tag: 3, ..ldc(|_| 8) });
        assert_eq!(rig.outputs.status.ldc_hits, 1);
    }
}

#[test]
fn a_killed_line_is_not_kept() {
    let mut rig = Rig::new(&WARP32, true);
    rig.program.extend([ldc(|_| 0), Request { op: 3, cmd: 2, tag: 1, ..ldc(|_| 0) }]);
    rig.drain();
    rig.run(ldc(|_| 0));
    assert_eq!((rig.outputs.status.ldc_hits, rig.outputs.status.ldc_misses), (0, 2));
}

#[test]
fn the_least_recently_used_line_goes() {
    for preset in ALL {
        let ways = preset.constant_ways as u32;
        let mut rig = Rig::new(&preset, true);
        // Lines of set 1: addresses 64, 64 + 256, …
        let line = |number: u32| ldc(move |_| 64 + 256 * number);
        for number in 0..ways {
            rig.run(line(number));
        }
        rig.run(line(0));
        rig.run(line(ways));
        let misses = rig.outputs.status.ldc_misses;
        // Line 1 was the oldest: all others are still there.
        for number in [0].into_iter().chain(2..=ways) {
            rig.run(line(number));
        }
        assert_eq!(rig.outputs.status.ldc_misses, misses);
        rig.run(line(1));
        assert_eq!(rig.outputs.status.ldc_misses, misses + 1);
    }
}

#[test]
fn lanes_of_a_bad_sector_fail_and_the_line_is_not_kept() {
    for preset in roomy() {
        let mut rig = Rig::new(&preset, true);
        rig.bad_sectors.insert(BASE + 0x3_0020);
        // Even lanes read sector 0, odd lanes sector 1, lane 3 of which is out of bounds.
        let request =
            Request { tag: 5, mask: 0xff, ..ldc(|lane| if lane == 3 { 0x1_0000 } else { 0x20 * (lane & 1) + 4 }) };
        let begin = rig.cycle;
        let answer = rig.run(request);
        assert_eq!(answer.faults, [FaultRecord { tag: 5, cause: 5, lanes: 0b1010_0010, addr: 0x24 }]);
        let written: Vec<(u32, u32)> = answer.registers[&4].iter().map(|(lane, value)| (*lane, *value)).collect();
        assert_eq!(written, [(0, 0x3_0004), (2, 0x3_0004), (3, 0), (4, 0x3_0004), (6, 0x3_0004)]);
        // The record leaves together with the register.
        assert_eq!(rig.cycles(|event| matches!(event, Event::Fault(_))), [begin + 20]);
        assert_eq!(rig.cycles(|event| matches!(event, Event::Writeback(_))), [begin + 20]);
        // The record carries Ra + imm, not what the mode makes of it: bank 1 and two of Ra.
        let segmented = Request { tag: 6, bank: 1, mode: IL, mask: 2, ..ldc(|_| 0x2_0024) };
        assert_eq!(rig.run(segmented).faults, [FaultRecord { tag: 6, cause: 5, lanes: 2, addr: 0x2_0024 }]);
        rig.bad_sectors.clear();
        rig.expect(Request { mask: preset.lane_mask(), ..ldc(|_| 0x24) }, |_| 0x3_0024);
        assert_eq!(rig.outputs.status.ldc_misses, 3);
    }
}

#[test]
fn a_failed_pass_waits_for_the_fault_port() {
    let mut rig = warm(&WARP32, 1);
    rig.bad_sectors.insert(BASE + 0x3_1000);
    rig.inputs.fault_ready = false;
    let begin = rig.cycle;
    // A misaligned operation fills `fault` in 4; the failed pass is in `data` in 20 and cannot send its first register.
    rig.program.extend([Request { tag: 1, ..ldc(|_| 2) }, Request { tag: 2, ..ldc(|_| 0x1000) }]);
    for _ in 0..30 {
        rig.step();
    }
    assert!(rig.cycles(|event| matches!(event, Event::Writeback(_))).iter().all(|cycle| *cycle < begin));
    rig.inputs.fault_ready = true;
    rig.drain();
    assert_eq!(rig.cycles(|event| matches!(event, Event::Fault(_))), [begin + 30, begin + 31]);
    assert_eq!(rig.cycles(|event| matches!(event, Event::Writeback(_))).last(), Some(&(begin + 31)));
}

#[test]
fn an_operation_that_joins_a_failed_fetch_fails_too() {
    for preset in ALL {
        let mut rig = Rig::new(&preset, true);
        rig.bad_sectors.insert(BASE + 0x3_0000);
        rig.program.push_back(ldc(|_| 0));
        while rig.responses.len() < 2 {
            rig.step();
        }
        // The other sector takes long. The second operation comes after the error answer and before that.
        rig.responses[1].0 += 60;
        for _ in 0..20 {
            rig.step();
        }
        assert_eq!(rig.responses.len(), 1);
        rig.program.push_back(Request { tag: 1, ..ldc(|_| 4) });
        rig.drain();
        let faults = rig.events.iter().filter(|(_, event)| matches!(event, Event::Fault(_)));
        assert_eq!(faults.count(), 2);
        assert_eq!(rig.cycles(|event| matches!(event, Event::Fetch { .. })).len(), 2);
    }
}

#[test]
fn discarded_wide_results_still_take_their_beats() {
    let mut rig = Rig::new(&WARP32, true);
    let cycles = writeback_cycles(&mut rig, [Request { size: B64, rd: 255, ..ldc(|_| 0) }]);
    assert_eq!(cycles, [(6, 0), (7, 0)]);
}

#[test]
fn reset_empties_everything() {
    for preset in ALL {
        let mut rig = warm(&preset, 2);
        rig.write_bank(lsu_model::pins::BankWrite { index: 31, ..Default::default() });
        rig.program.extend(tagged(6, |tag| ldc(|_| 0x400 * u32::from(tag))));
        for _ in 0..6 {
            rig.step();
        }
        rig.program.clear();
        rig.responses.clear();
        (rig.inputs.reset, rig.inputs.reset_memory) = (true, true);
        rig.step();
        (rig.inputs.reset, rig.inputs.reset_memory) = (false, false);
        rig.oracle.reset(true);
        rig.step();
        let outputs = &rig.outputs;
        assert!(outputs.req_ready && outputs.mem_rsp_ready);
        assert!(!outputs.wb_valid && !outputs.fault_valid && !outputs.done_valid && !outputs.mem_req_valid);
        assert_eq!(outputs.status, Status { idle: true, ..Status::default() });
        // No bank is usable any more.
        rig.expect(ldc(|_| 0), |_| 0);
        let places = Seen::of(&rig.golden);
        assert!(!places.holds("miss") && !places.holds("data"), "{places:?}");
    }
}
