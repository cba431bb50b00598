//! The generic windows of constants and of kernel parameters: places, faults and cycles, worked out by hand from the timing contract.
//! Cycle 0 is the one in which the operation is accepted; the memory answers a request of cycle t in cycle t + 10, and a word of it
//! holds its address.

use crate::global_rig::*;
use lsu_model::golden::Comparator;
use lsu_model::pins::{BankWrite, FaultRecord, Request, Window};
use lsu_model::preset::{ALL, Preset};

const ILLEGAL_INSTRUCTION: u8 = 2;
const MISALIGNED_ADDRESS: u8 = 3;
const ADDRESS_OUT_OF_RANGE: u8 = 4;
const MEMORY_ERROR: u8 = 5;

/// Where the windows begin, and their bytes.
const CONSTANTS: u64 = 0x10_0000;
const PARAMETERS: u64 = 0x20_0000;
const WINDOW: u64 = 0x200;

/// Where banks 3 and 0 lie, their bytes, and where parameters begin.
const BANK_3: u64 = 0x1_0040;
const BANK_0: u64 = 0x2_0000;
const BYTES: u32 = 0x180;
const PARAM_OFFSET: u64 = 0x20;

fn with_windows(preset: &Preset) -> Rig {
    let mut rig = Rig::new(preset);
    rig.inputs.windows.constant = Window { base: CONSTANTS, size: WINDOW };
    rig.inputs.windows.param = Window { base: PARAMETERS, size: WINDOW };
    rig.inputs.param_offset = PARAM_OFFSET as u32;
    rig.set_bank(3, BANK_3, BYTES, true);
    rig.set_bank(0, BANK_0, BYTES, true);
    rig
}

/// A 32-bit generic load into R4 by lanes 0 and 1.
fn generic(address: impl Fn(u64) -> u64) -> Request {
    Request { space: 0, mask: 0b11, ..load(address) }
}

/// By lane 0 alone.
fn single(address: u64) -> Request {
    Request { mask: 1, ..generic(|_| address) }
}

/// What lane 0 reads in its first register.
fn value(rig: &mut Rig, request: Request) -> Option<u64> {
    rig.run([request]);
    assert_eq!(rig.faults(), [], "{request:?}");
    rig.value(0, 4, 0).map(u64::from)
}

fn expect_fault(rig: &mut Rig, request: Request, cause: u8, lanes: u32, addr: u64) {
    let is_store = request.op == STORE;
    let beats = if is_store { [1, 1, 1, 2, 4][usize::from(request.size)] << request.vec } else { 0 };
    rig.run([with_data(request, beats, |_, _| 1)]);
    let record = FaultRecord { tag: 0, cause, lanes, addr };
    assert_eq!(rig.faults(), [(4 + u64::from(beats), record)], "{request:?}");
}

#[test]
fn windows_lead_to_their_banks() {
    for preset in ALL {
        let mut rig = with_windows(&preset);
        for offset in [0, 4, 0x7c, 0x80, u64::from(BYTES) - 4] {
            assert_eq!(value(&mut rig, single(CONSTANTS + offset)), Some(BANK_3 + offset));
        }
        for offset in [0, 4, 0x7c, u64::from(BYTES) - PARAM_OFFSET - 4] {
            assert_eq!(value(&mut rig, single(PARAMETERS + offset)), Some(BANK_0 + PARAM_OFFSET + offset));
        }
        // Beside a window there is global memory.
        for address in [CONSTANTS - 4, CONSTANTS + WINDOW, PARAMETERS - 4, PARAMETERS + WINDOW] {
            assert_eq!(value(&mut rig, single(address)), Some(address));
        }
        // So there is where a window is named by its global address.
        assert_eq!(value(&mut rig, Request { space: 1, ..single(CONSTANTS) }), Some(CONSTANTS));
        // An immediate is added before; bytes are extended.
        assert_eq!(value(&mut rig, Request { imm: 8, ..single(CONSTANTS - 4) }), Some(BANK_3 + 4));
        let byte = Request { size: 0, sign: true, ..single(CONSTANTS + 0x48) };
        assert_eq!(value(&mut rig, byte), Some(0xffff_ff88));
        rig.finish();
    }
}

#[test]
fn the_end_of_a_window() {
    for preset in ALL {
        let mut rig = with_windows(&preset);
        // The banks go on behind the windows.
        rig.set_bank(3, BANK_3, 0x1_0000, true);
        rig.set_bank(0, BANK_0, 0x1_0000, true);
        let (last, last_param) = (CONSTANTS + WINDOW, PARAMETERS + WINDOW);
        let byte = |address: u64| Request { size: 0, ..single(address) };
        // The byte 0 of a word is the lowest of its address, the byte 3 the highest.
        assert_eq!(value(&mut rig, byte(last - 4)), Some((BANK_3 + WINDOW - 4) & 0xff));
        assert_eq!(value(&mut rig, byte(last - 3)), Some((BANK_3 + WINDOW - 4) >> 8 & 0xff));
        assert_eq!(value(&mut rig, byte(last - 1)), Some(0));
        assert_eq!(rig.reads().len(), 0);
        assert_eq!(value(&mut rig, byte(last + 2)), Some(last >> 16));
        assert_eq!(value(&mut rig, byte(last_param - 2)), Some(BANK_0 >> 16));
        // A vector of 16 bytes, the last in the window and the first behind it.
        let vector = |address: u64| Request { vec: 2, ..single(address) };
        assert_eq!(value(&mut rig, vector(last - 16)), Some(BANK_3 + WINDOW - 16));
        assert_eq!(rig.value(0, 7, 0).map(u64::from), Some(BANK_3 + WINDOW - 4));
        assert_eq!(value(&mut rig, vector(last)), Some(last));
        rig.finish();
    }
}

#[test]
fn the_low_four_bits_of_the_configuration_count_as_0() {
    for preset in ALL {
        let mut rig = with_windows(&preset);
        rig.inputs.windows.constant = Window { base: CONSTANTS + 15, size: WINDOW + 15 };
        rig.inputs.windows.param = Window { base: PARAMETERS + 8, size: WINDOW + 1 };
        rig.inputs.param_offset = PARAM_OFFSET as u32 + 15;
        assert_eq!(value(&mut rig, single(CONSTANTS)), Some(BANK_3));
        assert_eq!(value(&mut rig, single(CONSTANTS - 4)), Some(CONSTANTS - 4));
        assert_eq!(value(&mut rig, single(CONSTANTS + WINDOW)), Some(CONSTANTS + WINDOW));
        assert_eq!(value(&mut rig, single(PARAMETERS + 4)), Some(BANK_0 + PARAM_OFFSET + 4));
        assert_eq!(value(&mut rig, single(PARAMETERS + WINDOW)), Some(PARAMETERS + WINDOW));
        // No window of less than 16 bytes.
        rig.inputs.windows.constant.size = 15;
        assert_eq!(value(&mut rig, single(CONSTANTS)), Some(CONSTANTS));
        rig.finish();
    }
}

#[test]
fn beyond_a_bank_is_out_of_range() {
    for preset in ALL {
        let mut rig = with_windows(&preset);
        let end = CONSTANTS + u64::from(BYTES);
        let param_end = PARAMETERS + u64::from(BYTES) - PARAM_OFFSET;
        expect_fault(&mut rig, generic(|lane| end - 4 + 4 * lane), ADDRESS_OUT_OF_RANGE, 0b10, end);
        expect_fault(&mut rig, generic(|lane| param_end + 4 - 8 * lane), ADDRESS_OUT_OF_RANGE, 0b01, param_end + 4);
        expect_fault(&mut rig, Request { size: 0, ..single(end) }, ADDRESS_OUT_OF_RANGE, 1, end);
        // A vector that ends with the bank, and the next.
        assert_eq!(value(&mut rig, Request { vec: 2, ..single(end - 16) }), Some(BANK_3 + u64::from(BYTES) - 16));
        expect_fault(&mut rig, Request { vec: 2, ..single(end) }, ADDRESS_OUT_OF_RANGE, 1, end);
        // It is the lane's address that is aligned, or not.
        expect_fault(&mut rig, Request { vec: 1, ..single(end + 4) }, MISALIGNED_ADDRESS, 1, end + 4);
        // All elements sunk, but the lane is active.
        expect_fault(&mut rig, Request { sink: 1, ..single(end) }, ADDRESS_OUT_OF_RANGE, 1, end);
        // Lanes that are not active, and global ones, are not beyond.
        assert_eq!(value(&mut rig, Request { mask: 1, ..generic(|lane| CONSTANTS + lane * 0x1f0) }), Some(BANK_3));
        // No valid entry, of one bank.
        rig.set_bank(3, BANK_3, BYTES, false);
        expect_fault(&mut rig, single(CONSTANTS), ADDRESS_OUT_OF_RANGE, 1, CONSTANTS);
        assert_eq!(value(&mut rig, single(PARAMETERS)), Some(BANK_0 + PARAM_OFFSET));
        rig.set_bank(0, BANK_0, 0, true);
        expect_fault(&mut rig, single(PARAMETERS), ADDRESS_OUT_OF_RANGE, 1, PARAMETERS);
        assert_eq!(rig.outputs.status.wavefronts, 3);
        rig.finish();
    }
}

#[test]
fn entries_are_as_after_the_last_edge() {
    for preset in ALL {
        let mut rig = with_windows(&preset);
        // The entry is written at the edge at which the load enters `intake`.
        rig.inputs.bank_write_valid = true;
        rig.inputs.bank_write = BankWrite { index: 3, base: BANK_3 + 0x1000, size: BYTES, valid: true };
        rig.program.push_back(single(CONSTANTS).into());
        rig.begin();
        rig.step();
        rig.inputs.bank_write_valid = false;
        rig.drain();
        assert_eq!(rig.value(0, 4, 0).map(u64::from), Some(BANK_3 + 0x1000));
        // A reset leaves none valid.
        rig.inputs.reset = true;
        rig.step();
        rig.oracle.reset(false);
        rig.inputs.reset = false;
        expect_fault(&mut rig, single(CONSTANTS), ADDRESS_OUT_OF_RANGE, 1, CONSTANTS);
        rig.finish();
    }
}

#[test]
fn where_windows_overlap() {
    for preset in ALL {
        let mut rig = with_windows(&preset);
        let all = preset.shared_bytes as u32;
        rig.run([with_data(store_shared(&preset, |lane| 4 * lane), 1, |_, lane| 0x77 + lane)]);
        // Constants before parameters.
        rig.inputs.windows.param = Window { base: CONSTANTS - 0x40, size: WINDOW };
        assert_eq!(value(&mut rig, single(CONSTANTS - 4)), Some(BANK_0 + PARAM_OFFSET + 0x3c));
        assert_eq!(value(&mut rig, single(CONSTANTS)), Some(BANK_3));
        // Bank 0 ends before 0x150 + 0x40 + 0x20, which is nothing to a lane of bank 3.
        assert_eq!(value(&mut rig, single(CONSTANTS + 0x150)), Some(BANK_3 + 0x150));
        // Even beyond their bank.
        rig.set_bank(3, BANK_3, 0x10, true);
        expect_fault(&mut rig, single(CONSTANTS + 0x10), ADDRESS_OUT_OF_RANGE, 1, CONSTANTS + 0x10);
        // Local memory before constants, whatever their bank.
        rig.inputs.windows.local = Window { base: CONSTANTS + 0x10, size: 0x20 };
        rig.inputs.windows.local_memory = 0x400_0000;
        assert_eq!(value(&mut rig, single(CONSTANTS + 0x10)), Some(0x400_0000));
        assert_eq!(value(&mut rig, single(CONSTANTS + 0xc)), Some(BANK_3 + 0xc));
        // Shared memory before all of them, lane by lane.
        rig.set_bank(3, BANK_3, BYTES, true);
        rig.inputs.windows.shared = Window { base: CONSTANTS + 0x20, size: 0x10 };
        let request = Request { mask: 0b111, shared_size: all, ..generic(|lane| CONSTANTS + 0x24 + 0xc * lane) };
        assert_eq!(value(&mut rig, request), Some(0x78));
        assert_eq!(rig.value(0, 4, 1).map(u64::from), Some(BANK_3 + 0x30));
        assert_eq!(rig.value(0, 4, 2).map(u64::from), Some(BANK_3 + 0x3c));
        rig.finish();
    }
}

#[test]
fn nobody_writes_there() {
    for preset in ALL {
        let mut rig = with_windows(&preset);
        let all = preset.shared_bytes as u32;
        rig.inputs.windows.shared = Window { base: 0x30_0000, size: 0x100 };
        // Lane 0 constants, 1 global, 2 parameters, 3 shared; of none of them it matters where its bank ends.
        let addresses = [CONSTANTS + WINDOW - 0x20, 0x20, PARAMETERS, 0x30_0000];
        let four = |lane: u64| addresses[lane as usize % 4];
        let request = Request { mask: 0b1111, shared_size: all, ..generic(four) };
        let store = Request { op: STORE, rd: 0, ..request };
        let lowest = addresses[0];
        expect_fault(&mut rig, store, ILLEGAL_INSTRUCTION, 0b0101, lowest);
        expect_fault(&mut rig, Request { mask: 0b0110, ..store }, ILLEGAL_INSTRUCTION, 0b0100, PARAMETERS);
        expect_fault(&mut rig, Request { sem: MMIO_RELEASE, ..store }, ILLEGAL_INSTRUCTION, 0b1101, lowest);
        for request in [
            Request { nc: true, ..request },
            Request { sem: MMIO, ..request },
            Request { sem: MMIO_ACQUIRE, ..request },
            Request { size: 4, vec: 1, rd: 8, ..request },
            Request { size: 2, vec: 3, rd: 8, ..request },
        ] {
            expect_fault(&mut rig, request, ILLEGAL_INSTRUCTION, 0b1101, lowest);
            rig.run([Request { mask: 0b0010, ..request }]);
            assert_eq!(rig.faults(), []);
        }
        // It goes before misalignment, of which a load has the lanes.
        let odd = Request { imm: 2, ..request };
        expect_fault(&mut rig, Request { op: STORE, rd: 0, ..odd }, ILLEGAL_INSTRUCTION, 0b0101, lowest + 2);
        expect_fault(&mut rig, odd, MISALIGNED_ADDRESS, 0b1111, lowest + 2);
        // All other orders and operators are served.
        for (sem, scope, cop) in [(RELAXED, GPU, 0), (ACQUIRE, GPU, 0), (VOLATILE, 3, 0), (0, 0, CV), (0, 0, LU)] {
            let request = Request { sem, scope, cop, ..single(CONSTANTS + 8) };
            assert_eq!(value(&mut rig, request), Some(BANK_3 + 8));
        }
        rig.finish();
    }
}

#[test]
fn a_windowed_lane_is_one_of_global_memory() {
    for preset in ALL {
        let mut rig = with_windows(&preset);
        let line = BANK_3 / 128 * 128;
        rig.run([Request { mask: 1, ..load(move |_| line + 0x40) }]);
        let passes = rig.outputs.status.wavefronts;
        // One pass, and a hit: `emit` 9. Lane 0 reads the bank, lane 1 the same line by its address.
        let mixed = generic(move |lane| [CONSTANTS + 4, line + 0x4c][lane as usize % 2]);
        assert_eq!(value(&mut rig, mixed), Some(BANK_3 + 4));
        assert_eq!(rig.value(0, 4, 1).map(u64::from), Some(line + 0x4c));
        assert_eq!((rig.writebacks(), rig.reads()), (vec![(9, 0, 4)], vec![]));
        rig.step();
        assert_eq!(rig.outputs.status.wavefronts, passes + 1);
        // What is stored there is seen.
        rig.run([with_data(Request { mask: 1, ..store(|_| BANK_3 + 8) }, 1, |_, _| 0x55)]);
        assert_eq!(value(&mut rig, single(CONSTANTS + 8)), Some(0x55));
        // The last byte of a line and the first of the next: two passes.
        let passes = rig.outputs.status.wavefronts;
        rig.run([generic(|lane| CONSTANTS + 0x3c + 4 * lane)]);
        rig.step();
        assert_eq!(rig.outputs.status.wavefronts, passes + 2);
        assert_eq!(rig.value(0, 4, 1).map(u64::from), Some(line + 0x80));
        rig.finish();
    }
}

#[test]
fn an_error_is_reported_where_it_lies_in_memory() {
    for preset in ALL {
        let mut rig = with_windows(&preset);
        rig.bad_sectors.insert(BANK_3 + 0x20);
        rig.run([generic(|lane| CONSTANTS + 0x1c + 8 * lane)]);
        let faults: Vec<FaultRecord> = rig.faults().into_iter().map(|(_, record)| record).collect();
        assert_eq!(faults, [FaultRecord { tag: 0, cause: MEMORY_ERROR, lanes: 0b10, addr: BANK_3 + 0x24 }]);
        assert_eq!(rig.value(0, 4, 0).map(u64::from), Some(BANK_3 + 0x1c));
        rig.finish();
    }
}

#[test]
fn differences_wrap_and_sums_do_not() {
    for preset in ALL {
        let top = 1_u64 << preset.address_bits;
        let mut rig = with_windows(&preset);
        // A window around the end of the addresses.
        rig.inputs.windows.constant = Window { base: top - 0x40, size: 0x100 };
        assert_eq!(value(&mut rig, single(top - 0x40)), Some(BANK_3));
        assert_eq!(value(&mut rig, single(0x20)), Some(BANK_3 + 0x60));
        assert_eq!(value(&mut rig, single(0xc0)), Some(0xc0));
        // A bank around it: the low bits of base + offset.
        rig.set_bank(3, top - 0x40, 0x80, true);
        assert_eq!(value(&mut rig, single(0x10)), Some(0x10));
        assert_eq!(rig.reads().len(), 1);
        // In a window of nearly all addresses parameters do not begin again.
        rig.inputs.windows.constant = Window::default();
        rig.inputs.windows.param = Window { base: 0, size: top - 0x10 };
        rig.inputs.param_offset = 0xfff0;
        rig.set_bank(0, BANK_0, 0x1_0000, true);
        assert_eq!(value(&mut rig, single(0)), Some(BANK_0 + 0xfff0));
        expect_fault(&mut rig, single(0x10), ADDRESS_OUT_OF_RANGE, 1, 0x10);
        expect_fault(&mut rig, single(top - 0x20), ADDRESS_OUT_OF_RANGE, 1, top - 0x20);
        // What is no address lies in no window.
        let beyond = Request { imm: 0x20, ..single(top - 0x10) };
        expect_fault(&mut rig, Request { op: STORE, rd: 0, ..beyond }, ADDRESS_OUT_OF_RANGE, 1, 0x10);
        expect_fault(&mut rig, Request { wide: 1, nc: true, ..single(0) }, ADDRESS_OUT_OF_RANGE, 1, 0);
        rig.finish();
    }
}

#[test]
fn lanes_at_the_end_of_a_bank_are_near_misses() {
    for preset in ALL {
        let mut rig = with_windows(&preset);
        let near = |rig: &Rig| rig.golden.near_misses().of(Comparator::ConstantLimit).to_vec();
        // 0x178 and 0x180: bit 7 of the bytes decides; that of a store does not matter.
        rig.run([Request { size: 3, ..single(CONSTANTS + 0x178) }]);
        let counts = near(&rig);
        assert_eq!((counts.len(), counts[7], counts.iter().sum::<u64>()), (17, 1, 1));
        rig.run([with_data(Request { op: STORE, rd: 0, ..single(CONSTANTS + 0x178) }, 1, |_, _| 0)]);
        assert_eq!(near(&rig), counts);
        // Every bit from 4 on can decide.
        for (bit, count) in counts.iter().enumerate().skip(4) {
            rig.set_bank(3, BANK_3, 1 << bit, true);
            rig.inputs.windows.constant.size = 0x2_0000;
            rig.run([single(CONSTANTS)]);
            assert!(near(&rig)[bit] > *count, "{bit}");
        }
    }
}
