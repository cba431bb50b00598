//! Local memory: places, passes, cycles and bytes, worked out by hand from the timing contract. Cycle 0 is the one in which the first
//! operation is accepted; the memory answers a request of cycle t in cycle t + 10, and a word of it holds its address.

use crate::global_rig::*;
use lsu_model::golden::PlaceVisitor;
use lsu_model::pins::{FaultRecord, MemoryRequest, Request, Window};
use lsu_model::preset::{ALL, FPGA8, Preset, TINY4, WARP32};

const ILLEGAL_INSTRUCTION: u8 = 2;
const MISALIGNED_ADDRESS: u8 = 3;
const ADDRESS_OUT_OF_RANGE: u8 = 4;
const MEMORY_ERROR: u8 = 5;

/// Where the generic local window begins in these tests, its bytes, and where local memory lies: at a multiple of what it takes.
const GENERIC: u64 = 0x10_0000;
const BYTES: u64 = 0x100;
const MEMORY: u64 = 0x400_0000;

fn with_local(preset: &Preset) -> Rig {
    let mut rig = Rig::new(preset);
    rig.inputs.windows.local = Window { base: GENERIC, size: BYTES };
    rig.inputs.windows.local_memory = MEMORY;
    rig
}

/// A 32-bit load of local memory into R4 by all lanes from `offset(lane)`.
fn load_local(offset: impl Fn(u64) -> u64) -> Request {
    Request { space: 4, ..load(offset) }
}

fn store_local(offset: impl Fn(u64) -> u64) -> Request {
    Request { op: STORE, rd: 0, ..load_local(offset) }
}

/// Where word `word` of lane 0 of a slot lies.
fn row(preset: &Preset, slot: u64, word: u64) -> u64 {
    MEMORY + 4 * preset.lanes as u64 * (word * preset.warps as u64 + slot)
}

/// Runs one operation, which takes so many passes.
fn passes(rig: &mut Rig, operation: impl Into<Operation>) -> u32 {
    rig.step();
    let before = rig.outputs.status;
    rig.run([operation]);
    rig.step();
    let status = rig.outputs.status;
    assert_eq!(status.wavefronts - before.wavefronts, status.replays - before.replays + 1);
    status.wavefronts - before.wavefronts
}

#[test]
fn words_lie_beside_those_of_the_other_lanes() {
    for preset in ALL {
        for slot in [0, 1, preset.warps as u64 - 1] {
            let mut rig = with_local(&preset);
            // Every word of memory holds its address.
            rig.run([Request { warp: slot as u8, ..load_local(|_| 12) }]);
            let first = row(&preset, slot, 3);
            for lane in 0..preset.lanes {
                assert_eq!(rig.value(0, 4, lane), Some(first as u32 + 4 * lane as u32), "{} {lane}", preset.name);
            }
            let bytes = 4 * preset.lanes as u64;
            assert_eq!(rig.reads().len() as u64, bytes.div_ceil(32));
            assert_eq!(rig.reads()[0].2, first / 32 * 32);
            // A byte of a word.
            rig.run([Request { warp: slot as u8, size: 0, ..load_local(|_| 13) }]);
            assert_eq!(rig.value(0, 4, 2), Some((first as u32 + 8) >> 8 & 0xff));
            // A function's parameters lie there too.
            rig.run([Request { space: 7, warp: slot as u8, ..load_local(|_| 12) }]);
            assert_eq!((rig.value(0, 4, 1), rig.reads().len()), (Some(first as u32 + 4), 0));
            rig.finish();
        }
    }
}

#[test]
fn words_are_read_one_after_the_other() {
    for preset in ALL {
        let mut rig = with_local(&preset);
        let pitch = (row(&preset, 0, 1) - MEMORY) as u32;
        let first = row(&preset, 0, 4) as u32;
        for (size, vec, registers) in [(2, 1, 2), (3, 0, 2), (2, 2, 4), (3, 1, 4), (4, 0, 4)] {
            rig.run([Request { size, vec, ..load_local(|_| 16) }]);
            // Once more: hits. `tag` 4, `hit` 5, `read` 6, `landing` 7, `collect` 8, `emit` 9, a word later each a cycle later.
            let read = load_local(|_| 16);
            assert_eq!(passes(&mut rig, Request { size, vec, ..read }), registers);
            let expected: Vec<_> = (0..registers as u8).map(|number| (9 + u64::from(number), 0, 4 + number)).collect();
            assert_eq!(rig.writebacks(), expected);
            for register in 0..registers {
                assert_eq!(rig.value(0, 4 + register as u8, 1), Some(first + 4 + register * pitch));
            }
        }
        // Four bytes of one word, and halves of two.
        assert_eq!(passes(&mut rig, Request { size: 0, vec: 2, ..load_local(|_| 16) }), 1);
        assert_eq!(rig.writebacks(), [(9, 0, 4), (10, 0, 5), (11, 0, 6), (12, 0, 7)]);
        assert_eq!((0..4).map(|byte| rig.value(0, 4 + byte, 1).unwrap() << (8 * byte)).sum::<u32>(), first + 4);
        assert_eq!(passes(&mut rig, Request { size: 1, vec: 2, ..load_local(|_| 16) }), 2);
        assert_eq!(rig.writebacks(), [(9, 0, 4), (10, 0, 5), (11, 0, 6), (12, 0, 7)]);
        assert_eq!(rig.value(0, 6, 1), Some((first + pitch + 4) & 0xffff));
        assert_eq!(rig.value(0, 7, 1), Some((first + pitch + 4) >> 16));
        rig.finish();
    }
}

/// What `global_read` and `global_collect` say of their words.
#[derive(Default)]
struct Words {
    place: &'static str,
    read: Vec<u64>,
    collected: Vec<u64>,
}

impl PlaceVisitor for Words {
    fn place(&mut self, name: &'static str, _: Option<usize>, is_occupied: bool) {
        self.place = if is_occupied { name } else { "" };
    }

    fn value(&mut self, name: &'static str, _: u32, value: Option<u64>) {
        match (self.place, name) {
            ("global_read", "read") => self.read.extend(value),
            ("global_collect", "read") => self.collected.extend(value),
            _ => {}
        }
    }
}

#[test]
fn places_say_which_word_they_hold() {
    for preset in ALL {
        let mut rig = with_local(&preset);
        let request = Request { vec: 2, ..load_local(|_| 16) };
        rig.run([request]);
        rig.program.push_back(request.into());
        let mut words = Words::default();
        while !rig.program.is_empty() || !rig.in_flight.is_empty() {
            rig.step();
            rig.golden.visit_places(&mut words);
        }
        assert_eq!((words.read, words.collected), (vec![0, 1, 2, 3], vec![0, 1, 2, 3]));
    }
}

#[test]
fn coalesced_hits_complete_a_word_a_cycle() {
    for preset in ALL {
        for vec in 0..3 {
            let mut rig = with_local(&preset);
            let request = |tag: u8| Request { tag, vec, ..load_local(|_| 0) };
            rig.run([request(0)]);
            rig.run((0..100).map(request));
            let words = 1_u64 << vec;
            let expected: Vec<_> = (0..100 * words)
                .map(|number| (9 + number, (number / words) as u8, 4 + (number % words) as u8))
                .collect();
            assert_eq!(rig.writebacks(), expected, "{} {words}", preset.name);
            rig.finish();
        }
    }
}

#[test]
fn groups_are_served_word_by_word() {
    // A line of warp32 is one word of one warp.
    let mut rig = with_local(&WARP32);
    let halves = Request { vec: 1, ..load_local(|lane| 8 * (lane / 16)) };
    assert_eq!(passes(&mut rig, halves), 4);
    // Words 0 and 1 of the lower half, then 2 and 3 of the upper one.
    let lines: Vec<u64> = rig.reads().iter().map(|(_, _, address)| address / 128 * 128).collect();
    let expected = [0, 1, 2, 3].map(|word| row(&WARP32, 0, word));
    assert_eq!(
        lines,
        [expected[0], expected[0], expected[1], expected[1], expected[2], expected[2], expected[3], expected[3]]
    );
    // Four words of a slot of tiny4 lie on one line, and each in a sector of its own.
    let mut rig = with_local(&TINY4);
    assert_eq!(passes(&mut rig, load_local(|lane| 4 * lane)), 1);
    assert_eq!(rig.reads().len(), 4);
    let mut rig = with_local(&TINY4);
    // The rest of each comes from memory, which has them when it is told to.
    assert_eq!(passes(&mut rig, with_data(store_local(|lane| 4 * lane), 1, |_, lane| lane)), 4);
    assert_eq!((rig.reads().len(), rig.writes().len()), (4, 0));
    rig.run([command(WRITE_BACK_LOCAL)]);
    assert_eq!((rig.reads().len(), rig.writes().len()), (0, 4));
}

#[test]
fn sunk_words_are_not_fetched() {
    for preset in ALL {
        let mut rig = with_local(&preset);
        let sectors = (4 * preset.lanes).div_ceil(32);
        let request = Request { vec: 2, sink: 0b0110, ..load_local(|_| 16) };
        // The passes of words 1 and 2 are empty.
        assert_eq!(passes(&mut rig, request), 4);
        assert_eq!(rig.reads().len(), 2 * sectors);
        let registers: Vec<u8> = rig.writebacks().iter().map(|(_, _, rd)| *rd).collect();
        // Those that need nothing of memory come first.
        assert_eq!(registers, [5, 6, 4, 7]);
        assert_eq!((rig.value(0, 5, 0), rig.value(0, 7, 0)), (None, Some(row(&preset, 0, 7) as u32)));
        // One element of two in a word is enough.
        let mut rig = with_local(&preset);
        rig.run([Request { size: 1, vec: 2, sink: 0b0111, ..load_local(|_| 16) }]);
        assert_eq!(rig.reads().len(), sectors);
        rig.finish();
    }
}

#[test]
fn stores_merge_the_registers_of_their_word() {
    for preset in ALL {
        let mut rig = with_local(&preset);
        let sectors = (4 * preset.lanes).div_ceil(32) as u32;
        let value = |register: u32, lane: u32| 0x1000 * (register + 1) + lane;
        for (size, vec, words) in [(2, 2, 4), (3, 1, 4), (4, 0, 4), (2, 1, 2), (2, 0, 1)] {
            let store = Request { size, vec, ..store_local(|_| 32) };
            assert_eq!(passes(&mut rig, with_data(store, words, value)), words * sectors);
            rig.run([command(WRITE_BACK_LOCAL)]);
            for (word, lane) in (0..words).flat_map(|word| [(word, 0), (word, 3)]) {
                let address = row(&preset, 0, 8 + u64::from(word)) + 4 * u64::from(lane);
                assert_eq!(rig.word(address), value(word, lane), "{} {size} {vec}", preset.name);
            }
        }
        // Bytes of one word, and halves of two.
        rig.run([with_data(Request { size: 0, vec: 2, ..store_local(|_| 48) }, 4, |register, _| register + 1)]);
        rig.run([command(WRITE_BACK_LOCAL)]);
        assert_eq!(rig.word(row(&preset, 0, 12)), 0x0403_0201);
        rig.run([with_data(Request { size: 1, vec: 2, ..store_local(|_| 48) }, 4, |register, _| register + 1)]);
        // What it stores it loads, and memory has it later.
        rig.run([Request { vec: 1, ..load_local(|_| 48) }]);
        assert_eq!((rig.value(0, 4, 0), rig.value(0, 5, 0)), (Some(0x0002_0001), Some(0x0004_0003)));
        assert_eq!(rig.word(row(&preset, 0, 13)), row(&preset, 0, 13) as u32);
        rig.run([command(WRITE_BACK_LOCAL)]);
        assert_eq!([12, 13].map(|word| rig.word(row(&preset, 0, word))), [0x0002_0001, 0x0004_0003]);
        rig.finish();
    }
}

#[test]
fn a_store_holds_merge_for_the_beats_of_a_word() {
    for preset in ALL {
        let mut rig = with_local(&preset);
        // One sector a word: lane 0 alone. Beats in 3 to 6; `merge` from 8 on, a pass a cycle; `tag` 9, the rest asked for in 10.
        let store = Request { vec: 2, mask: 1, ..store_local(|_| 0) };
        rig.run([with_data(store, 4, |_, _| 1)]);
        let cycles: Vec<u64> = rig.reads().iter().map(|(cycle, _, _)| *cycle).collect();
        let expected: Vec<u64> = if preset.misses >= 4 { vec![10, 11, 12, 13] } else { vec![10, 11] };
        assert_eq!(cycles[..expected.len()], expected, "{}", preset.name);
    }
}

#[test]
fn what_is_said_of_others_means_nothing() {
    for preset in ALL {
        let mut rig = with_local(&preset);
        let attributes = |request: &MemoryRequest| (request.sem, request.cop, request.l2_evict, request.scope);
        for (cop, expected) in
            [(0, (0, 0, 0)), (CA, (0, 0, 0)), (CG, (0, 0, 0)), (CV, (0, 0, 0)), (CS, (0, CS, 1)), (LU, (0, LU, 1))]
        {
            for sem in [0, RELAXED, ACQUIRE, VOLATILE] {
                rig.run([command(WRITE_BACK_LOCAL)]);
                rig.run([Request { cop, sem, scope: GPU, ..load_local(|_| 0) }]);
                let read = rig.events.iter().find_map(|(_, event)| match event {
                    Event::Read(request) => Some(attributes(request)),
                    _ => None,
                });
                assert_eq!(read, Some((expected.0, expected.1, expected.2, GPU)), "{cop} {sem}");
                // It stays in L1, and hits, if it is not to be used once.
                rig.run([Request { cop, sem, scope: GPU, ..load_local(|_| 0) }]);
                assert_eq!(rig.reads().is_empty(), cop != CS && cop != LU);
                assert!(!rig.reads().is_empty() || rig.writebacks() == [(9, 0, 4)]);
            }
        }
        // An acquire of local memory empties nothing; a store past L1 is none.
        rig.run([command(WRITE_BACK_LOCAL)]);
        rig.run([with_data(Request { cop: CG, sem: RELEASE, scope: GPU, mask: 1, ..store_local(|_| 0) }, 1, |_, _| 7)]);
        let read = rig.events.iter().find_map(|(_, event)| match event {
            Event::Read(request) => Some(attributes(request)),
            _ => None,
        });
        assert_eq!(read, Some((0, 0, 0, GPU)));
        rig.run([Request { mask: 1, ..load_local(|_| 0) }]);
        assert_eq!((rig.reads().len(), rig.value(0, 4, 0)), (0, Some(7)));
        rig.finish();
    }
}

#[test]
fn a_release_waits_in_local_memory_too() {
    for preset in roomy() {
        let mut rig = with_local(&preset);
        rig.run([load_local(|_| 0)]);
        rig.run([Request { warp: 1, ..load_local(|_| 0) }]);
        let miss = Request { tag: 1, cop: CG, ..load(|_| 0x9000) };
        let store = Request { tag: 2, mask: 1, ..store_local(|_| 0) };
        let end = |rig: &mut Rig, store: Request| {
            rig.run([Operation::from(miss), with_data(store, 1, |_, _| 1)]);
            rig.dones()[0].0
        };
        let plain = end(&mut rig, store);
        let release = end(&mut rig, Request { sem: RELEASE, scope: GPU, ..store });
        // The miss is asked for in 5 and answered in 15; it leaves its waiter in 16.
        assert!(plain < 13 && release > 17, "{}: {plain} {release}", preset.name);
        // Another warp's does not.
        assert_eq!(end(&mut rig, Request { sem: RELEASE, scope: GPU, warp: 1, ..store }), plain);
    }
}

#[test]
fn generic_lanes_of_three_spaces() {
    for preset in ALL {
        let mut rig = with_local(&preset);
        rig.inputs.windows.shared = Window { base: 0x20_0000, size: preset.shared_bytes as u64 };
        rig.run([with_data(store_shared(&preset, |lane| 4 * lane), 1, |_, lane| 0x77 + lane)]);
        let address = |lane: u64| [0x5000, GENERIC + 8, 0x20_0000 + 4 * lane, GENERIC + 8][lane as usize % 4];
        let generic = Request { space: 0, vec: 1, mask: 15, shared_size: preset.shared_bytes as u32, ..load(address) };
        let generic = Request { vec: 0, ..generic };
        // One pass each: global, local, shared.
        assert_eq!(passes(&mut rig, generic), 3);
        let first = row(&preset, 0, 2) as u32;
        let values = [0, 1, 2, 3].map(|lane| rig.value(0, 4, lane));
        assert_eq!(values, [0x5000, first + 4, 0x79, first + 12].map(Some));
        // The shared window goes before the local one, and that before the others.
        rig.inputs.windows.param = Window { base: GENERIC, size: 0x1000 };
        rig.run([generic]);
        assert_eq!(rig.faults(), []);
        rig.inputs.windows.shared.base = GENERIC;
        rig.run([Request { mask: 2, ..generic }]);
        assert_eq!(rig.value(0, 4, 1), Some(0x79));
        rig.finish();
    }
}

#[test]
fn local_memory_ends() {
    for preset in ALL {
        let top = 1_u64 << preset.address_bits;
        let generic = |address: u64| Request { space: 0, mask: 1, ..load(move |_| address) };
        let local = |address: u64| Request { mask: 1, ..load_local(move |_| address) };
        let beyond = |cause, addr| Some(FaultRecord { tag: 0, cause, lanes: 1, addr });
        // The low four bits are not looked at.
        for (base, size) in [(GENERIC, BYTES), (GENERIC + 15, BYTES + 15)] {
            for (request, fault) in [
                (local(BYTES - 4), None),
                (local(BYTES), beyond(ADDRESS_OUT_OF_RANGE, BYTES)),
                (local(top - 4), beyond(ADDRESS_OUT_OF_RANGE, top - 4)),
                (Request { size: 3, ..local(BYTES - 4) }, beyond(MISALIGNED_ADDRESS, BYTES - 4)),
                (generic(GENERIC), None),
                (generic(GENERIC + BYTES - 4), None),
                (generic(GENERIC + BYTES), None),
                (Request { nc: true, ..generic(GENERIC) }, beyond(ILLEGAL_INSTRUCTION, GENERIC)),
                (Request { sem: MMIO, ..generic(GENERIC) }, beyond(ILLEGAL_INSTRUCTION, GENERIC)),
                (Request { size: 4, vec: 1, ..generic(GENERIC) }, beyond(ILLEGAL_INSTRUCTION, GENERIC)),
            ] {
                let mut rig = with_local(&preset);
                rig.inputs.windows.local = Window { base, size };
                rig.run([request]);
                let faults: Vec<FaultRecord> = rig.faults().into_iter().map(|(_, record)| record).collect();
                assert_eq!(faults, fault.into_iter().collect::<Vec<_>>(), "{} {request:?}", preset.name);
            }
        }
        // The generic address right behind the window is a global one.
        let mut rig = with_local(&preset);
        rig.run([generic(GENERIC + BYTES)]);
        assert_eq!(rig.value(0, 4, 0), Some((GENERIC + BYTES) as u32));
        // A size that memory has no room for.
        let mut rig = with_local(&preset);
        rig.inputs.windows.local.size = top / (preset.lanes * preset.warps) as u64;
        rig.run([local(0)]);
        assert_eq!(rig.faults().len(), 1);
    }
}

#[test]
fn a_base_that_is_no_multiple_is_flipped_by_the_place() {
    let mut rig = with_local(&FPGA8);
    // Word w of slot 0 lies 256 w bytes from the beginning: base 0x300 with 0x7f that do not count.
    rig.inputs.windows.local_memory = 0x37f;
    for (word, address) in [(0, 0x300), (1, 0x200), (2, 0x100), (3, 0), (4, 0x700)] {
        rig.run([Request { mask: 1, ..load_local(move |_| 4 * word) }]);
        assert_eq!(rig.value(0, 4, 0), Some(address));
    }
    // Slot 3 has the second half of the line before.
    rig.run([Request { mask: 4, warp: 3, ..load_local(|_| 0) }]);
    assert_eq!(rig.value(0, 4, 2), Some(0x300 ^ 0x68));
}

#[test]
fn words_fail_alone() {
    for preset in roomy() {
        let mut rig = with_local(&preset);
        let bad = row(&preset, 0, 1) / 32 * 32;
        rig.bad_sectors.insert(bad);
        let lanes = u32::MAX >> (32 - preset.lanes.min(8));
        rig.run([Request { vec: 1, ..load_local(|_| 0) }]);
        let record = FaultRecord { tag: 0, cause: MEMORY_ERROR, lanes, addr: row(&preset, 0, 1) };
        let faults: Vec<FaultRecord> = rig.faults().into_iter().map(|(_, record)| record).collect();
        assert_eq!(faults, [record], "{}", preset.name);
        assert_eq!((rig.value(0, 4, 0), rig.value(0, 5, 0)), (Some(MEMORY as u32), None));
        // Both words of a store whose sectors must be fetched: two records.
        rig.bad_sectors.insert(row(&preset, 0, 0) / 32 * 32);
        rig.run([command(WRITE_BACK_LOCAL)]);
        rig.run([with_data(Request { vec: 1, mask: 1, ..store_local(|_| 0) }, 2, |_, _| 1)]);
        assert_eq!(rig.faults().len(), 2);
        rig.finish();
    }
}

#[test]
fn global_accesses_see_other_lines() {
    for preset in ALL {
        let mut rig = with_local(&preset);
        rig.run([with_data(store_local(|_| 4), 1, |_, lane| 0x55 + lane)]);
        let first = row(&preset, 0, 1);
        // Memory does not have it yet.
        rig.run([Request { cop: CV, ..load(|lane| first + 4 * lane) }]);
        assert_eq!(rig.value(0, 4, 3), Some(first as u32 + 12));
        rig.run([load_local(|_| 4)]);
        assert_eq!((rig.value(0, 4, 2), rig.reads().len()), (Some(0x57), 0));
        rig.run([command(WRITE_BACK_LOCAL)]);
        rig.run([load(|lane| first + 4 * lane)]);
        assert_eq!(rig.value(0, 4, 3), Some(0x58));
        // They hit nothing that the others brought.
        rig.run([load_local(|_| 4)]);
        assert_eq!(rig.value(0, 4, 3), Some(0x58));
        assert!(!rig.reads().is_empty());
        rig.run([with_data(store(|lane| first + 4 * lane), 1, |_, lane| lane)]);
        rig.run([load_local(|_| 4)]);
        assert_eq!((rig.value(0, 4, 2), rig.reads().len()), (Some(0x57), 0));
        rig.finish();
    }
}
