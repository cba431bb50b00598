//! Shared memory: passes, cycles and bytes, worked out by hand from the timing contract. Cycle 0 is the one in which the first
//! operation is accepted; the memory answers a request of cycle t in cycle t + 10.

use crate::global_rig::*;
use lsu_model::golden::PlaceVisitor;
use lsu_model::pins::{FaultRecord, MemoryResponse, Request, Window};
use lsu_model::preset::{ALL, Preset, WARP32};

const ILLEGAL_INSTRUCTION: u8 = 2;
const MISALIGNED_ADDRESS: u8 = 3;
const ADDRESS_OUT_OF_RANGE: u8 = 4;

/// Where the generic shared window begins in these tests.
const GENERIC: u64 = 0x10_0000;

/// A unit with a generic shared window as large as its shared memory.
fn with_window(preset: &Preset) -> Rig {
    let mut rig = Rig::new(preset);
    rig.inputs.windows.shared = Window { base: GENERIC, size: preset.shared_bytes as u64 };
    rig
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

/// Fills the first words of shared memory: word w holds w + 1.
fn count_words(rig: &mut Rig, words: u64) {
    let lanes = rig.preset.lanes as u64;
    for first in (0..words).step_by(lanes as usize) {
        let request = store_shared(&rig.preset, |lane| 4 * (first + lane));
        rig.run([with_data(request, 1, |_, lane| first as u32 + lane + 1)]);
    }
}

#[test]
fn a_shared_load_takes_eight_cycles() {
    for preset in ALL {
        let mut rig = Rig::new(&preset);
        // Shared memory is 0 at power-up. `intake` 1, `check` 2, `issue` 3, `bank` 4, `read` 5, `landing` 6, `collect` 7, `emit` 8.
        rig.run([load_shared(&preset, |lane| 4 * lane)]);
        assert_eq!((rig.writebacks(), rig.value(0, 4, 3)), (vec![(8, 0, 4)], Some(0)));
        count_words(&mut rig, preset.lanes as u64);
        rig.run([load_shared(&preset, |lane| 4 * lane)]);
        assert_eq!((rig.writebacks(), rig.value(0, 4, 3)), (vec![(8, 0, 4)], Some(4)));
        assert_eq!((rig.reads().len(), rig.writes().len()), (0, 0));
        rig.finish();
    }
}

#[test]
fn loads_without_conflicts_complete_one_warp_a_cycle() {
    for preset in ALL {
        let mut rig = Rig::new(&preset);
        let lanes = preset.lanes as u64;
        let request = |tag: u8| Request { tag, ..load_shared(&preset, |lane| 4 * ((lane + u64::from(tag)) % lanes)) };
        rig.run((0..200).map(request));
        let expected: Vec<(u64, u8, u8)> = (0..200).map(|tag| (8 + u64::from(tag), tag, 4)).collect();
        assert_eq!(rig.writebacks(), expected);
        rig.finish();
    }
}

/// Where a place is found occupied.
struct Occupied(&'static str, bool);

impl PlaceVisitor for Occupied {
    fn place(&mut self, name: &'static str, _: Option<usize>, is_occupied: bool) {
        self.1 |= name == self.0 && is_occupied;
    }

    fn value(&mut self, _: &'static str, _: u32, _: Option<u64>) {}
}

/// The rows that `global_read` names, in every cycle in which it holds something.
#[derive(Default)]
struct ReadRows {
    is_read: bool,
    rows: Vec<Option<u64>>,
}

impl PlaceVisitor for ReadRows {
    fn place(&mut self, name: &'static str, _: Option<usize>, is_occupied: bool) {
        self.is_read = name == "global_read" && is_occupied;
    }

    fn value(&mut self, name: &'static str, _: u32, value: Option<u64>) {
        if self.is_read && name == "row" {
            self.rows.push(value);
        }
    }
}

#[test]
fn a_shared_load_is_read_in_no_row() {
    for preset in ALL {
        let mut rig = Rig::new(&preset);
        let mut rows = ReadRows::default();
        // A line that no cache keeps has the row of its MSHR.
        let line = Request { l1_evict: 4, ..load(|lane| 4 * lane) };
        for request in [load_shared(&preset, |lane| 4 * lane), line] {
            rig.program.push_back(request.into());
            rig.begin();
            while !rig.program.is_empty() || !rig.in_flight.is_empty() {
                rig.step();
                rig.golden.visit_places(&mut rows);
            }
        }
        assert!(matches!(rows.rows[..], [None, Some(_)]), "{:?}", rows.rows);
    }
}

#[test]
fn a_shared_load_goes_past_the_tags() {
    for preset in ALL {
        let mut rig = Rig::new(&preset);
        rig.program.push_back(load_shared(&preset, |lane| 4 * lane).into());
        rig.begin();
        for cycle in 0..10 {
            for (name, from) in [("global_bank", 4), ("global_tag", u64::MAX), ("global_hit", u64::MAX)] {
                let mut occupied = Occupied(name, false);
                rig.golden.visit_places(&mut occupied);
                assert_eq!(occupied.1, cycle == from, "{name} in {cycle}");
            }
            assert_eq!(rig.golden.occupancy().global > 0, (1..9).contains(&cycle), "{cycle}");
            rig.step();
        }
        // An operation without lanes makes an empty pass, which goes through `tag`: `emit` in 9.
        rig.run([Request { mask: 0, ..load_shared(&preset, |_| 1) }]);
        assert_eq!(rig.writebacks(), [(9, 0, 4)]);
        rig.run([Request { sink: 1, ..load_shared(&preset, |_| 0) }]);
        assert_eq!(rig.writebacks(), [(9, 0, 4)]);
    }
}

#[test]
fn passes_are_those_of_the_worst_bank() {
    for preset in ALL {
        let (lanes, log2) = (preset.lanes as u64, preset.lanes.ilog2());
        let mut rig = Rig::new(&preset);
        // Steps of 2^s words: 2^s lanes in each bank that is used.
        for step in 0..=log2 {
            let request = load_shared(&preset, |lane| (4 * lane) << step);
            let worst = 1 << step;
            assert_eq!(passes(&mut rig, request), worst, "step {step}");
            // Passes in `bank` in 4 to 3 + n, the last in `collect` in 6 + n.
            assert_eq!(rig.writebacks(), [(7 + u64::from(worst), 0, 4)]);
            assert_eq!(passes(&mut rig, with_data(Request { op: STORE, ..request }, 1, |_, lane| lane)), worst);
            // `merge` 5, `tag` in 6 to 5 + n, `hit` up to 6 + n.
            assert_eq!(rig.dones(), [(7 + u64::from(worst), 0)]);
        }
        // An odd step meets every bank once.
        assert_eq!(passes(&mut rig, load_shared(&preset, |lane| 12 * lane)), 1);
        assert_eq!(passes(&mut rig, load_shared(&preset, |lane| 4 * (lanes - 1) * (lane + 1))), 1);
        // Lanes that share a word are served together, whoever they are.
        for mask in [u32::MAX, 1, 0b1010, 0b0111] {
            assert_eq!(passes(&mut rig, Request { mask, ..load_shared(&preset, |_| 0x44) }), 1);
            let bytes = Request { mask, size: 0, ..load_shared(&preset, |lane| 0x44 + lane % 4) };
            assert_eq!(passes(&mut rig, bytes), 1);
        }
        // Two words of bank 0, and in another bank three.
        let words = [0, lanes, 0, 1];
        assert_eq!(passes(&mut rig, load_shared(&preset, |lane| 4 * words[lane as usize % 4])), 2);
        let words = [1, lanes + 1, 1, 2 * lanes + 1];
        assert_eq!(passes(&mut rig, load_shared(&preset, |lane| 4 * words[lane as usize % 4])), 3);
        rig.finish();
    }
}

#[test]
fn wide_accesses_need_several_banks() {
    for preset in ALL {
        let mut rig = Rig::new(&preset);
        let count = preset.lanes as u64 * 4;
        count_words(&mut rig, count);
        // 8 bytes contiguous: twice the words of a row. 16 bytes: four times. Whether one element or a vector is the same.
        for (size, vec, total, expected) in [(3, 0, 8, 2), (2, 1, 8, 2), (1, 2, 8, 2), (4, 0, 16, 4), (2, 2, 16, 4)] {
            let request = Request { size, vec, rd: 8, ..load_shared(&preset, |lane| total * lane) };
            assert_eq!(passes(&mut rig, request), expected, "size {size} vec {vec}");
            let registers = if size == 1 { 4 } else { total / 4 };
            let cycles: Vec<u64> = rig.writebacks().iter().map(|(cycle, ..)| *cycle).collect();
            assert_eq!(cycles, (0..registers).map(|number| 7 + u64::from(expected) + number).collect::<Vec<u64>>());
            if size != 1 {
                for number in 0..registers {
                    let word = total / 4 * 3 + number + 1;
                    assert_eq!(rig.value(0, 8 + number as u8, 3), Some(word as u32));
                }
            }
            // All lanes on one block.
            assert_eq!(passes(&mut rig, Request { size, vec, rd: 8, ..load_shared(&preset, |_| 16) }), 1);
        }
        // 8 bytes in steps of 16: half of the pairs of banks, four lanes in each.
        let request = Request { size: 3, ..load_shared(&preset, |lane| 16 * lane) };
        assert_eq!(passes(&mut rig, request), 4);
        // Two lanes of 16 bytes a row apart, the others with the first.
        let row = 4 * preset.lanes as u64;
        let request = Request { size: 4, rd: 8, ..load_shared(&preset, |lane| if lane == 2 { row } else { 0 }) };
        assert_eq!(passes(&mut rig, request), 2);
        assert_eq!((rig.value(0, 8, 2), rig.value(0, 9, 1)), (Some(preset.lanes as u32 + 1), Some(2)));
        rig.finish();
    }
}

#[test]
fn a_load_sees_the_store_before_it() {
    for preset in ALL {
        let mut rig = Rig::new(&preset);
        let address = |lane| 4 * lane;
        // Store: `issue` 3, `merge` 5, `tag` 6, update and `hit` 7, `done` 8. Load: accepted 1, `issue` 5, `merge` is empty in 6 and
        // `tag` in 7, `bank` 8, `emit` 12.
        rig.run([
            with_data(Request { tag: 1, ..store_shared(&preset, address) }, 1, |_, lane| 100 + lane),
            Request { tag: 2, ..load_shared(&preset, address) }.into(),
        ]);
        assert_eq!((rig.dones(), rig.writebacks()), (vec![(8, 1)], vec![(12, 2, 4)]));
        assert_eq!(rig.value(2, 4, 3), Some(103));
        // A load before the store does not see it.
        rig.run([
            Request { tag: 1, ..load_shared(&preset, address) }.into(),
            with_data(Request { tag: 2, ..store_shared(&preset, address) }, 1, |_, lane| lane),
            Request { tag: 3, ..load_shared(&preset, address) }.into(),
        ]);
        assert_eq!((rig.value(1, 4, 3), rig.value(3, 4, 3)), (Some(103), Some(3)));
        // The same where `bank` is picked before `hit`, as a store's pass left last.
        for data in [200, 300] {
            rig.run([with_data(Request { tag: 9, ..store_shared(&preset, address) }, 1, |_, lane| lane)]);
            rig.run([
                with_data(Request { tag: 1, ..store_shared(&preset, address) }, 1, |_, lane| data + lane),
                Request { tag: 2, ..load_shared(&preset, address) }.into(),
            ]);
            assert_eq!((rig.writebacks(), rig.value(2, 4, 3)), (vec![(12, 2, 4)], Some(data + 3)));
        }
        rig.finish();
    }
}

#[test]
fn a_load_waits_for_a_store_in_either_place_of_tag() {
    for preset in ALL {
        let mut rig = Rig::new(&preset);
        // Memory takes nothing before cycle 60: global stores stand before the shared one, which comes to `tag` as the second.
        rig.inputs.mem_req_ready = false;
        let stores = preset.misses.min(2) as u8 + 1;
        let global = |tag: u8| Request { tag, mask: 1, ..store(move |_| 32 * u64::from(tag)) };
        rig.program.extend((0..stores).map(|tag| with_data(global(tag), 1, |_, _| 1)));
        let address = |lane| 4 * lane;
        rig.program.push_back(with_data(Request { tag: 8, ..store_shared(&preset, address) }, 1, |_, lane| 5 + lane));
        rig.program.push_back(Request { tag: 9, ..load_shared(&preset, address) }.into());
        rig.begin();
        while rig.cycle < 60 {
            rig.step();
        }
        assert_eq!(rig.writebacks(), []);
        rig.inputs.mem_req_ready = true;
        rig.drain();
        assert_eq!(rig.value(9, 4, 3), Some(8));
        rig.finish();
    }
}

#[test]
fn a_store_waits_until_the_loads_before_it_are_read() {
    for preset in ALL {
        let mut rig = Rig::new(&preset);
        rig.step();
        let before = rig.outputs.status;
        rig.inputs.wb_ready = false;
        // `emit` holds tag 0, `collect` tag 1, `landing` tag 2, `read` tag 3 and `bank` tag 4 from 8 on, and tag 5 from 9 on. The
        // store is accepted in 6: `issue` 9, `merge` 11, `tag` 12.
        let load = |tag| Operation::from(Request { tag, ..load_shared(&preset, |lane| 4 * lane) });
        rig.program.extend((0..6).map(load));
        rig.program.push_back(with_data(Request { tag: 6, ..store_shared(&preset, |lane| 4 * lane) }, 1, |_, _| 9));
        rig.begin();
        while rig.cycle < 20 {
            rig.step();
        }
        rig.inputs.wb_ready = true;
        rig.drain();
        rig.step();
        // Tag 4 leaves `bank` at the edge of 20, tag 5 at that of 21: `tag` stalls in 12 to 21. `hit` 23, `done` 24.
        assert_eq!(rig.outputs.status.stall_order - before.stall_order, 10);
        assert_eq!(rig.outputs.status.stall_data, before.stall_data);
        assert_eq!(rig.dones(), [(24, 6)]);
        assert_eq!((rig.value(5, 4, 1), rig.outputs.status.stall_misses), (Some(0), 0));
        rig.run([load_shared(&preset, |_| 0)]);
        assert_eq!(rig.value(0, 4, 0), Some(9));
    }
}

#[test]
fn the_highest_lane_wins_and_other_bytes_stay() {
    for preset in ALL {
        let mut rig = Rig::new(&preset);
        rig.run([with_data(store_shared(&preset, |lane| 4 * lane), 1, |_, _| 0x4433_2211)]);
        // Before, other bytes of the same bank are stored: nothing of them is left.
        let other = 4 * preset.lanes as u64 + 4;
        rig.run([with_data(Request { mask: 1, ..store_shared(&preset, |_| other) }, 1, |_, _| u32::MAX)]);
        // Lanes 0 and 2 store byte 1 of word 1, lanes 1 and 3 byte 2.
        let request = Request { size: 0, mask: 0xf, ..store_shared(&preset, |lane| 5 + lane % 2) };
        assert_eq!(passes(&mut rig, with_data(request, 1, |_, lane| 0xaabb_ccd0 + lane)), 1);
        rig.run([load_shared(&preset, |lane| 4 * (lane % 2))]);
        assert_eq!((rig.value(0, 4, 0), rig.value(0, 4, 1)), (Some(0x4433_2211), Some(0x44d3_d211)));
        // Inactive lanes store nothing, and a vector's bytes lie side by side.
        let request = Request { size: 0, vec: 2, mask: 0b10, ..store_shared(&preset, |_| 0) };
        rig.run([with_data(request, 4, |register, lane| 0x10 * lane + register)]);
        rig.run([load_shared(&preset, |_| 0)]);
        assert_eq!(rig.value(0, 4, 0), Some(0x1312_1110));
        // Of 16 bytes the highest of the lanes, too, in every register.
        let request = Request { size: 4, mask: 0b101, ..store_shared(&preset, |_| 0x10) };
        rig.run([with_data(request, 4, |register, lane| 0x100 * lane + register)]);
        rig.run([Request { size: 4, ..load_shared(&preset, |_| 0x10) }]);
        assert_eq!([4, 5, 6, 7].map(|register| rig.value(0, register, 1)), [0x200, 0x201, 0x202, 0x203].map(Some));
        rig.finish();
    }
}

#[test]
fn narrow_elements_are_extended() {
    let mut rig = Rig::new(&WARP32);
    rig.run([with_data(store_shared(&WARP32, |lane| 4 * lane), 1, |_, _| 0x8081_7f7e)]);
    for (size, sign, address, value) in
        [(0, true, 2, 0xffff_ff81), (0, false, 3, 0x80), (1, true, 0, 0x7f7e), (1, true, 6, 0xffff_8081)]
    {
        rig.run([Request { size, sign, dst_width: 2, ..load_shared(&WARP32, |_| address) }]);
        let upper = if sign && value >> 31 == 1 { u32::MAX } else { 0 };
        assert_eq!((rig.value(0, 4, 7), rig.value(0, 5, 7)), (Some(value), Some(upper)));
    }
}

#[test]
fn a_window_moves_the_lanes_of_its_cta() {
    for preset in ALL {
        let mut rig = with_window(&preset);
        count_words(&mut rig, preset.shared_bytes as u64 / 4);
        let base = preset.shared_bytes as u32 / 2;
        // The low four bits of base and size are not looked at, nor what lies beyond shared memory.
        for (shared_base, shared_size) in [(base, base), (base | 0xf, base | 5), (base, 2 * base), (base, base + 16)] {
            let window = Request { shared_base, shared_size, ..load_shared(&preset, |lane| 4 * lane) };
            rig.run([window]);
            assert_eq!(rig.value(0, 4, 2), Some(base / 4 + 3));
            // The same as generic addresses, whose base ignores its low bits as well.
            rig.inputs.windows.shared.base = GENERIC + 9;
            let generic = Request { space: 0, addr: window.addr.map(|address| GENERIC + address), ..window };
            rig.run([generic]);
            assert_eq!((rig.value(0, 4, 2), rig.writebacks()), (Some(base / 4 + 3), vec![(8, 0, 4)]));
        }
        rig.finish();
    }
}

fn expect_fault(rig: &mut Rig, request: Request, cause: u8, lanes: u32, addr: u64) {
    let operation = if request.op == STORE { with_data(request, 1, |_, _| 1) } else { request.into() };
    rig.run([operation]);
    let record = FaultRecord { tag: 0, cause, lanes: lanes & rig.preset.lane_mask(), addr };
    // `fault` 4, of a store when its beat has been taken.
    assert_eq!(rig.faults(), [(4 + u64::from(request.op == STORE), record)], "{request:?}");
}

#[test]
fn lanes_beyond_the_window_are_out_of_range() {
    for preset in ALL {
        let mut rig = with_window(&preset);
        let all = preset.shared_bytes as u32;
        let request = |shared_base, shared_size, first: u64| Request {
            shared_base,
            shared_size,
            mask: 0b11,
            ..load_shared(&preset, move |lane| first + 4 * lane)
        };
        // Base, size, first address, faulting lanes.
        for (shared_base, shared_size, first, lanes) in [
            (0, 0, 0, 0b11),
            (0, 15, 0, 0b11),
            (0, 16, 12, 0b10),
            (16, 31, 12, 0b10),
            (16, 32, 24, 0),
            (all - 16, all, 8, 0),
            (all - 16, all, 12, 0b10),
            (all, 16, 0, 0b11),
            (all + 16, 2 * all - 1, 0, 0b11),
            (0, 2 * all - 1, u64::from(all) - 4, 0b10),
        ] {
            let request = request(shared_base, shared_size, first);
            let generic = Request { space: 0, addr: request.addr.map(|address| GENERIC + address), ..request };
            // A generic address at the end of the shared window is a global one again.
            let is_inside = u64::from(all) >= first + 8;
            for (request, origin) in [(request, 0), (Request { op: STORE, ..request }, 0), (generic, GENERIC)] {
                if lanes == 0 || (origin != 0 && !is_inside) {
                    rig.run([if request.op == STORE { with_data(request, 1, |_, _| 1) } else { request.into() }]);
                    assert_eq!(rig.faults(), [], "{request:?}");
                } else {
                    let lowest = origin + first + if lanes & 1 == 1 { 0 } else { 4 };
                    expect_fault(&mut rig, request, ADDRESS_OUT_OF_RANGE, lanes, lowest);
                }
            }
        }
        // All of the address counts, not only the bits that shared memory has; an immediate is added before.
        let far = 1 << (preset.address_bits - 1);
        expect_fault(&mut rig, request(0, all, far), ADDRESS_OUT_OF_RANGE, 0b11, far);
        expect_fault(&mut rig, Request { imm: 8, ..request(0, 16, 4) }, ADDRESS_OUT_OF_RANGE, 0b10, 16);
        let top = 1 << preset.address_bits;
        let below = Request { imm: (-4_i32) as u32, ..request(0, all, 0) };
        expect_fault(&mut rig, below, ADDRESS_OUT_OF_RANGE, 0b01, top - 4);
        // Misaligned goes first.
        let both = Request { addr: std::array::from_fn(|lane| [2, far][lane % 2]), ..request(0, all, 0) };
        expect_fault(&mut rig, both, MISALIGNED_ADDRESS, 0b01, 2);
        rig.finish();
    }
}

#[test]
fn what_shared_memory_does_not_serve_is_illegal() {
    for preset in ALL {
        let mut rig = with_window(&preset);
        let request = Request { mask: 0b11, ..load_shared(&preset, |lane| 0x40 * lane) };
        let illegal = [
            Request { nc: true, ..request },
            Request { sem: MMIO, ..request },
            Request { sem: MMIO_ACQUIRE, ..request },
            Request { size: 4, vec: 1, rd: 8, ..request },
            Request { size: 2, vec: 3, rd: 8, ..request },
        ];
        for request in illegal {
            expect_fault(&mut rig, request, ILLEGAL_INSTRUCTION, 0b11, 0);
            // Of generic ones the lanes in the shared window.
            let mut generic = Request { space: 0, ..request };
            generic.addr[1] += GENERIC;
            expect_fault(&mut rig, generic, ILLEGAL_INSTRUCTION, 0b10, GENERIC + 0x40);
            generic.addr[1] = 0x40;
            rig.run([generic]);
            assert_eq!(rig.faults(), []);
        }
        expect_fault(&mut rig, Request { op: STORE, sem: MMIO_RELEASE, ..request }, ILLEGAL_INSTRUCTION, 0b11, 0);
        // Operators and other orders are accepted.
        let request = Request { mask: 0b11, ..load_shared(&preset, |lane| 4 * lane) };
        for (sem, scope, cop) in [(RELAXED, GPU, 0), (ACQUIRE, GPU, 0), (VOLATILE, 3, 0), (0, 0, CV), (0, 0, CG)] {
            rig.run([Request { sem, scope, cop, l1_evict: NO_ALLOCATE, ..request }]);
            assert_eq!((rig.faults(), rig.writebacks()), (vec![], vec![(8, 0, 4)]));
        }
        // The shared window goes before the others.
        rig.inputs.windows.param = Window { base: GENERIC, size: 0x100 };
        let mut generic = Request { space: 0, ..request };
        generic.addr = generic.addr.map(|address| GENERIC + address);
        rig.run([generic]);
        assert_eq!(rig.faults(), []);
        rig.inputs.windows.param = Window { base: GENERIC - 0x10, size: 0x100 };
        let mut generic = Request { space: 0, ..generic };
        generic.addr[0] = GENERIC - 4;
        // There is no bank.
        expect_fault(&mut rig, generic, ADDRESS_OUT_OF_RANGE, 0b01, GENERIC - 4);
        rig.finish();
    }
}

#[test]
fn generic_lanes_go_to_both_memories() {
    for preset in ALL {
        let mut rig = with_window(&preset);
        rig.run([load(|lane| 4 * lane)]);
        let request = |op| Request {
            space: 0,
            shared_size: preset.shared_bytes as u32,
            op,
            mask: 0b1111,
            ..load(|lane| 4 * lane + if lane % 2 == 1 { GENERIC } else { 0 })
        };
        // Lane 0 leads a pass of L1: `tag` 4, `hit` 5, `read` 6. Lane 1 leads a shared one: `bank` 5, where it waits, since `hit` comes
        // first (the last pass left `resume`): `read` 7, `landing` 8, `collect` 9, `emit` 10.
        assert_eq!(passes(&mut rig, request(LOAD)), 2);
        assert_eq!(rig.writebacks(), [(10, 0, 4)]);
        assert_eq!([0, 1, 2, 3].map(|lane| rig.value(0, 4, lane)), [Some(0), Some(0), Some(8), Some(0)]);
        // A store asks memory for its global lanes only, and is done when memory has answered.
        rig.run([with_data(request(STORE), 1, |_, lane| 50 + lane)]);
        let writes: Vec<(u64, u32)> = rig.writes().iter().map(|(_, write)| (write.addr, write.strb)).collect();
        assert_eq!(writes, [(0, 0x0f0f)]);
        // `issue` 3, `merge` 5, `tag` 6, `write` 7, response 17, ready 18, `resume` 19, `done` 20.
        assert_eq!(rig.dones(), [(20, 0)]);
        rig.run([request(LOAD)]);
        assert_eq!([0, 1, 2, 3].map(|lane| rig.value(0, 4, lane)), [50, 51, 52, 53].map(Some));
        // Errors of memory concern the global lanes alone.
        rig.run([command(INVALIDATE_L1)]);
        rig.bad_sectors.insert(0);
        rig.run([request(LOAD)]);
        assert_eq!((rig.faults()[0].1.lanes, rig.value(0, 4, 0), rig.value(0, 4, 3)), (0b101, None, Some(53)));
        rig.finish();
    }
}

#[test]
fn an_update_takes_no_response() {
    for preset in ALL {
        let mut rig = Rig::new(&preset);
        rig.program.push_back(with_data(store_shared(&preset, |lane| 4 * lane), 1, |_, _| 1));
        rig.inputs.mem_rsp = MemoryResponse { id: 64, ..MemoryResponse::default() };
        rig.begin();
        // `issue` 3, `merge` 5, `tag` 6, update 7.
        for cycle in 0..12 {
            rig.step();
            assert_eq!(rig.outputs.mem_rsp_ready, cycle != 7, "{cycle}");
        }
    }
}

#[test]
fn a_shared_release_waits_for_its_warp() {
    for preset in ALL {
        // The load misses: `tag` 4, request 5, response 15, ready 16. The store: accepted 1, `issue` 4, `merge` 6, `tag` 7 to 16.
        let last_slot = preset.warps as u8 - 1;
        for (sem, warp, done) in [(RELEASE, 0, 19), (RELEASE, last_slot, 9), (RELAXED, 0, 9), (0, 0, 9)] {
            let mut rig = Rig::new(&preset);
            rig.run([
                Request { tag: 1, ..load(|_| 0) }.into(),
                with_data(Request { tag: 2, sem, warp, ..store_shared(&preset, |lane| 4 * lane) }, 1, |_, _| 1),
            ]);
            assert_eq!(rig.dones(), [(done, 2)]);
            rig.finish();
            assert_eq!(u64::from(rig.outputs.status.stall_order), done - 9);
        }
    }
}

#[test]
fn a_reset_leaves_shared_memory_as_it_is() {
    for preset in ALL {
        // The store's bytes are written at the edge of 7.
        for reset_in in 0..12 {
            let mut rig = Rig::new(&preset);
            count_words(&mut rig, preset.lanes as u64);
            rig.program.push_back(with_data(store_shared(&preset, |lane| 4 * lane), 1, |_, lane| 70 + lane));
            rig.begin();
            while rig.cycle < reset_in {
                rig.step();
            }
            rig.inputs.reset = true;
            rig.step();
            rig.inputs.reset = false;
            rig.oracle.reset(false);
            rig.in_flight.clear();
            rig.program.clear();
            rig.data.clear();
            rig.run([load_shared(&preset, |lane| 4 * lane)]);
            assert_eq!(rig.writebacks(), [(8, 0, 4)]);
            let expected = if reset_in >= 7 { 73 } else { 4 };
            assert_eq!(rig.value(0, 4, 3), Some(expected), "reset in {reset_in}");
            // What is written later is not in doubt.
            rig.run([with_data(store_shared(&preset, |lane| 4 * lane), 1, |_, lane| lane)]);
            rig.run([load_shared(&preset, |lane| 4 * lane)]);
            assert_eq!(rig.value(0, 4, 3), Some(3));
            rig.finish();
        }
    }
}
