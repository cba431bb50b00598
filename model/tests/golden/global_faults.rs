//! Faults of the global path: causes, lanes, addresses and precedence.

use crate::global_rig::*;
use lsu_model::pins::{FaultRecord, Request, Window};
use lsu_model::preset::{ALL, FPGA8, Preset, WARP32};

const MISALIGNED_REGISTER: u8 = 1;
const ILLEGAL_INSTRUCTION: u8 = 2;
const MISALIGNED_ADDRESS: u8 = 3;
const ADDRESS_OUT_OF_RANGE: u8 = 4;

fn expect(preset: &Preset, request: Request, cause: u8, lanes: u32, addr: u64) {
    let mut rig = Rig::new(preset);
    expect_in(&mut rig, request, cause, lanes, addr);
}

fn expect_in(rig: &mut Rig, request: Request, cause: u8, lanes: u32, addr: u64) {
    let beats =
        if request.op == STORE { [1, 1, 1, 2, 4, 4, 4, 4][usize::from(request.size)] << request.vec } else { 0 };
    rig.run([with_data(request, beats, |_, _| 0)]);
    let lanes = lanes & rig.preset.lane_mask();
    // `fault` 4; a store's beats are taken from 3 on and all are taken the cycle after the last.
    let cycle = if beats == 0 { 4 } else { 4 + u64::from(beats) };
    assert_eq!(rig.faults(), [(cycle, FaultRecord { tag: request.tag, cause, lanes, addr })], "{request:?}");
    assert_eq!((rig.reads().len(), rig.writes().len(), rig.outputs.status.wavefronts), (0, 0, 0));
}

fn expect_legal(rig: &mut Rig, request: Request) {
    let beats = if request.op == STORE { [1, 1, 1, 2, 4][usize::from(request.size)] << request.vec } else { 0 };
    rig.run([with_data(request, beats, |_, _| 0)]);
    assert_eq!(rig.faults(), [], "{request:?}");
}

#[test]
fn registers() {
    for preset in ALL {
        for (rd, size, vec, dst_width, is_good) in [
            (5, 2, 0, 1, true),
            (5, 3, 0, 1, false),
            (6, 3, 0, 1, true),
            (6, 2, 2, 1, false),
            (8, 2, 2, 1, true),
            (4, 3, 2, 1, true),
            (6, 3, 2, 1, false),
            (252, 3, 0, 1, true),
            (254, 3, 0, 1, false),
            (248, 2, 2, 1, true),
            (252, 2, 2, 1, false),
            (244, 3, 2, 1, true),
            (248, 3, 2, 1, false),
            (255, 3, 2, 1, true),
            (5, 0, 0, 2, false),
            (6, 0, 0, 2, true),
            (6, 0, 1, 2, false),
            (254, 2, 0, 1, true),
        ] {
            let request = Request { rd, size, vec, dst_width, ..load(|_| 0) };
            if is_good {
                expect_legal(&mut Rig::new(&preset), request);
            } else {
                expect(&preset, request, MISALIGNED_REGISTER, u32::MAX, 0);
            }
            // Stores have no destination.
            expect_legal(&mut Rig::new(&preset), Request { op: STORE, ..request });
        }
    }
}

#[test]
fn illegal_instructions() {
    for preset in ALL {
        let address = |lane| 0x100 + 64 * lane;
        let (load, load_nc, store) = (load(address), load_nc(address), store(address));
        let illegal = [
            Request { size: 5, ..load },
            Request { size: 7, ..store },
            Request { size: 4, vec: 2, rd: 16, ..load },
            Request { size: 3, vec: 3, ..store },
            Request { space: 3, nc: true, ..load },
            Request { space: 3, sem: MMIO, ..load },
            Request { space: 3, size: 4, vec: 1, ..store },
            Request { space: 5, ..store },
            Request { space: 6, ..store },
            Request { space: 4, size: 4, vec: 1, ..store },
            Request { space: 4, sem: MMIO, ..load },
            Request { space: 7, sem: MMIO_RELEASE, ..store },
            Request { space: 4, ..load_nc },
            Request { space: 7, size: 3, vec: 2, rd: 8, ..load },
            Request { sem: MMIO, vec: 1, ..load },
            Request { sem: MMIO_RELEASE, vec: 1, ..store },
            Request { cop: WB, ..load },
            Request { cop: WT, ..load },
            Request { sem: RELEASE, ..load },
            Request { sem: MMIO_RELEASE, ..load },
            Request { cop: CA, ..store },
            Request { cop: LU, ..store },
            Request { cop: CV, ..store },
            Request { sem: ACQUIRE, ..store },
            Request { sem: MMIO_ACQUIRE, ..store },
            Request { nc: true, ..store },
            Request { sem: RELAXED, ..load_nc },
            Request { sem: VOLATILE, ..load_nc },
            Request { cop: LU, ..load_nc },
            Request { cop: CV, ..load_nc },
        ];
        for request in illegal {
            expect(&preset, Request { mask: 0b110, ..request }, ILLEGAL_INSTRUCTION, 0b110, 0x140);
        }
        let legal = [
            Request { size: 4, vec: 1, ..load },
            Request { cop: CV, ..load },
            Request { sem: MMIO_ACQUIRE, ..load },
            Request { cop: WB, ..store },
            Request { cop: CG, ..store },
            Request { cop: CS, ..store },
            Request { cop: WT, ..store },
            Request { sem: MMIO_RELEASE, ..store },
            Request { cop: CS, ..load_nc },
            Request { cop: CG, ..load_nc },
            Request { space: 0, ..load_nc },
            // Without an active lane nothing is faulty.
            Request { sem: RELEASE, mask: 0, ..load },
            Request { space: 6, mask: 0, ..load },
        ];
        for request in legal {
            expect_legal(&mut Rig::new(&preset), request);
        }
    }
}

#[test]
fn generic_addresses_in_a_window() {
    for preset in ALL {
        let top = 1_u64 << preset.address_bits;
        let mut rig = Rig::new(&preset);
        rig.inputs.windows.param = Window { base: 0x1000, size: 0x100 };
        rig.inputs.windows.constant = Window { base: top - 0x40, size: 0x80 };
        rig.inputs.windows.local = Window { base: 0x3000, size: 0x10 };
        rig.inputs.windows.shared = Window { base: 0x4000, size: 0 };
        let generic = |address: u64| Request { space: 0, mask: 3, ..load(move |lane| address + 4 * lane) };
        let all = [
            (0x0ff8, 0),
            (0x0ffc, 0b10),
            (0x1000, 0b11),
            (0x10fc, 0b01),
            (0x1100, 0),
            // Around the end of the address space and its beginning.
            (top - 0x44, 0b10),
            (top - 0x40, 0b11),
            (0x3c, 0b01),
            (0x40, 0),
            // Local memory is served.
            (0x2ffc, 0),
            (0x4000, 0),
        ];
        for (address, lanes) in all {
            let lowest = address + if lanes & 1 == 1 { 0 } else { 4 };
            if lanes != 0 {
                // Nobody may write there, and no bank is valid.
                let load = generic(address);
                for (request, cause) in [
                    (Request { op: STORE, rd: 0, ..load }, ILLEGAL_INSTRUCTION),
                    (Request { nc: true, ..load }, ILLEGAL_INSTRUCTION),
                    (load, ADDRESS_OUT_OF_RANGE),
                ] {
                    let mut rig = Rig { inputs: rig.inputs.clone(), ..Rig::new(&preset) };
                    expect_in(&mut rig, request, cause, lanes, lowest);
                }
                // A global address is no generic one.
                expect_legal(&mut rig, Request { space: 1, ..generic(address) });
            } else {
                expect_legal(&mut rig, generic(address));
            }
        }
        // What nobody may do in a window goes before misalignment, in the window's lanes only; out of range is no window.
        let mut rig = Rig { inputs: rig.inputs.clone(), ..Rig::new(&preset) };
        let request =
            Request { space: 0, nc: true, mask: 7, ..load(|lane| [0x9002, 0x1002, 0x9001][lane as usize % 3]) };
        expect_in(&mut rig, request, ILLEGAL_INSTRUCTION, 0b10, 0x1002);
        let request = Request { space: 0, nc: true, mask: 1, imm: 0x10, ..load(|_| top - 8) };
        expect_in(&mut rig, request, ADDRESS_OUT_OF_RANGE, 1, 8);
        // Misalignment goes before what lies beyond a bank.
        let request = Request { space: 0, mask: 7, ..load(|lane| [0x9000, 0x1002, 0x1000][lane as usize % 3]) };
        expect_in(&mut rig, request, MISALIGNED_ADDRESS, 0b10, 0x1002);
    }
}

#[test]
fn addresses() {
    for preset in ALL {
        let top = 1_u64 << preset.address_bits;
        // The immediate is signed, and alignment is that of the whole access.
        expect(&preset, Request { mask: 6, ..load(|lane| 0x1000 + lane) }, MISALIGNED_ADDRESS, 6, 0x1001);
        expect(&preset, Request { imm: 2, ..load(|_| 0x1000) }, MISALIGNED_ADDRESS, u32::MAX, 0x1002);
        expect(&preset, Request { vec: 1, ..load(|_| 0x1004) }, MISALIGNED_ADDRESS, u32::MAX, 0x1004);
        expect(&preset, Request { vec: 1, mask: 2, ..store(|_| 0x1004) }, MISALIGNED_ADDRESS, 2, 0x1004);
        let mut rig = Rig::new(&preset);
        rig.run([Request { imm: (-4_i32) as u32, ..load(|_| 0x1004) }]);
        assert_eq!((rig.reads()[0].2, rig.value(0, 4, 1)), (0x1000, Some(0x1000)));
        // Below 0 and beyond the top.
        let below = Request { mask: 3, imm: (-8_i32) as u32, ..load(|lane| 4 + 8 * lane) };
        expect(&preset, below, ADDRESS_OUT_OF_RANGE, 1, top - 4);
        let beyond = Request { mask: 3, imm: 8, ..store(|lane| top - 8 - 8 * lane) };
        expect(&preset, beyond, ADDRESS_OUT_OF_RANGE, 1, 0);
        expect_legal(&mut Rig::new(&preset), Request { mask: 1, imm: 4, ..load(|_| top - 8) });
        // A register that does not fit is out of range whatever the immediate is, in active lanes; its window does not matter.
        let wide = Request { wide: 2, imm: (-16_i32) as u32, ..load(|lane| 16 + 4 * u64::from(lane == 0)) };
        expect(&preset, Request { mask: 3, ..wide }, ADDRESS_OUT_OF_RANGE, 2, 0);
        expect_legal(&mut Rig::new(&preset), Request { mask: 1, ..wide });
        let misaligned = Request { mask: 3, wide: 2, ..load(|lane| 0x1000 + u64::from(lane == 0)) };
        expect(&preset, misaligned, MISALIGNED_ADDRESS, 1, 0x1001);
    }
    // The immediate has 32 bits, the address of the larger preset 49.
    let mut rig = Rig::new(&WARP32);
    rig.run([Request { imm: 0x8000_0000, mask: 1, ..load(|_| 0x1_0000_0000_1000) }]);
    assert_eq!(rig.reads()[0].2, 0x0_ffff_8000_1000);
    expect(&FPGA8, Request { imm: 0x7fff_fffc, ..load(|_| 0x8000_0004) }, ADDRESS_OUT_OF_RANGE, u32::MAX, 0);
}

#[test]
fn the_first_cause_decides() {
    for preset in ALL {
        let top = 1_u64 << preset.address_bits;
        // Everything at once; then without the first, and so on.
        let all =
            Request { rd: 5, size: 3, cop: WT, imm: 1, mask: 3, ..load(|lane| [0x100, top - 1][lane as usize % 2]) };
        expect(&preset, all, MISALIGNED_REGISTER, 3, 0x101);
        expect(&preset, Request { rd: 6, ..all }, ILLEGAL_INSTRUCTION, 3, 0x101);
        expect(&preset, Request { rd: 6, cop: 0, ..all }, MISALIGNED_ADDRESS, 1, 0x101);
        expect(&preset, Request { rd: 6, cop: 0, imm: 0, ..all }, MISALIGNED_ADDRESS, 2, top - 1);
        let aligned = Request { rd: 6, cop: 0, imm: 8, mask: 3, ..load(|lane| [0x100, top - 8][lane as usize % 2]) };
        expect(&preset, Request { size: 3, ..aligned }, ADDRESS_OUT_OF_RANGE, 2, 0);
        // A size that is none has four registers an element.
        expect(&preset, Request { size: 6, rd: 6, ..load(|_| 0) }, MISALIGNED_REGISTER, u32::MAX, 0);
        expect(&preset, Request { size: 6, rd: 8, ..load(|_| 0) }, ILLEGAL_INSTRUCTION, u32::MAX, 0);
    }
}
