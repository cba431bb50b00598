//! Constant loads (rules CONST, REGISTERS, BEAT, PATH) at their edges, on every preset: the word at offset o of bank b is
//! `(b << 16) + o`.

use crate::constant_rig::*;
use lsu_model::pins::{FaultRecord, Request};
use lsu_model::preset::{ALL, Preset, WARP32};

const MISALIGNED_REGISTER: u8 = 1;
const ILLEGAL_INSTRUCTION: u8 = 2;
const MISALIGNED_ADDRESS: u8 = 3;
const OUT_OF_RANGE: u8 = 4;
const MEMORY_ERROR: u8 = 5;

const CONST: u8 = 5;
const PARAM: u8 = 6;
const WIDTH_64: u8 = 2;

fn on_all(test: impl Fn(&mut Rig)) {
    for compute in [false, true] {
        ALL.iter().for_each(|preset| test(&mut Rig::new(preset, compute)));
    }
}

/// A 32-bit `ld.const` into R4 by all lanes.
fn load(address: impl Fn(u32) -> u32) -> Request {
    Request { op: 0, space: CONST, bank: 0, ..ldc(address) }
}

fn set_offset(rig: &mut Rig, param_offset: u32) {
    rig.inputs.param_offset = param_offset;
    rig.oracle.set_param_offset(param_offset);
}

/// The address below 0 by `bytes`, as a unit of `preset` has it.
fn below_zero(preset: &Preset, bytes: u64) -> u64 {
    (1 << preset.address_bits) - bytes
}

#[test]
fn the_space_names_the_bank_whatever_other_pins_say() {
    on_all(|rig| {
        let other_pins = |request| Request {
            bank: 17,
            mode: ISL,
            ra_is_rz: true,
            cmd: 3,
            scope: 2,
            l1_evict: 4,
            l2_evict: 3,
            prefetch: 3,
            policy_en: true,
            policy: 1 << 63,
            warp: 1,
            shared_size: 16,
            ..request
        };
        for change in [|request| request, other_pins] {
            rig.expect(change(load(|lane| 4 * lane)), |lane| 0x3_0000 + 4 * lane);
            rig.expect(change(Request { space: PARAM, ..load(|lane| 4 * lane) }), |lane| 4 * lane);
        }
        assert!(!rig.outputs.status.ldc_unpredictable);
        for cop in 0..6 {
            rig.expect(Request { cop, ..load(|_| 0x40) }, |_| 0x3_0040);
        }
    });
}

#[test]
fn parameters_begin_at_the_offset_without_its_low_bits() {
    on_all(|rig| {
        for low in [0, 1, 15] {
            set_offset(rig, 0x120 + low);
            rig.expect(Request { space: PARAM, ..load(|lane| 4 * lane) }, |lane| 0x120 + 4 * lane);
            rig.expect(Request { space: PARAM, imm: 0u32.wrapping_sub(0x120), ..load(|_| 4) }, |_| 4);
            // Constant memory does not move.
            rig.expect(load(|lane| 4 * lane), |lane| 0x3_0000 + 4 * lane);
        }
        set_offset(rig, 0xffff);
        rig.expect(Request { space: PARAM, ..load(|_| 12) }, |_| 0xfffc);
        rig.expect(Request { space: PARAM, ..load(|_| 16) }, |_| 0);
        rig.expect(Request { space: PARAM, imm: 0u32.wrapping_sub(0xfff0), ..load(|_| 8) }, |_| 8);
    });
}

#[test]
fn sums_are_exact_and_all_bits_of_the_immediate_count() {
    on_all(|rig| {
        let preset = rig.preset;
        rig.expect(Request { imm: 0u32.wrapping_sub(0x1_0000), ..load(|_| 0x1_0040) }, |_| 0x3_0040);
        rig.expect(Request { imm: 0x1_0000, ..load(|_| 0x40) }, |_| 0);
        rig.expect(load(|_| 0xfffc), |_| 0x3_fffc);
        rig.expect(load(|_| 0x1_0000), |_| 0);
        rig.expect(load(|lane| 0xfffc + 4 * (lane & 1)), |lane| if lane & 1 == 0 { 0x3_fffc } else { 0 });
        let mut last = load(|_| 0);
        last.addr.fill(below_zero(&preset, 4));
        rig.expect(last, |_| 0);
        // One more is no address, and one less than 0 neither; the record has the low bits.
        rig.expect_fault(Request { imm: 4, ..last }, OUT_OF_RANGE, u32::MAX, 0);
        let negative = Request { imm: 0u32.wrapping_sub(8), ..load(|lane| 4 * lane) };
        rig.expect_fault(negative, OUT_OF_RANGE, 3, below_zero(&preset, 8));
        set_offset(rig, 0x20);
        let far = Request { space: PARAM, imm: 0u32.wrapping_sub(0x24), ..load(|lane| 4 * lane) };
        rig.expect_fault(far, OUT_OF_RANGE, 1, below_zero(&preset, 4));
        rig.expect_fault(Request { space: PARAM, ..last }, OUT_OF_RANGE, u32::MAX, 0x1c);
    });
}

#[test]
fn wide_lanes_are_out_of_range_whatever_the_immediate() {
    on_all(|rig| {
        let wide = Request { wide: 0xc, imm: 0u32.wrapping_sub(16), ..load(|_| 16) };
        rig.expect_fault(wide, OUT_OF_RANGE, 0xc, 0);
        // A lane that is not active does not count.
        let answer = rig.run(Request { mask: 3, ..wide });
        assert!(answer.faults.is_empty() && answer.value(4, 1) == Some(0x3_0000));
        // Misaligned comes first.
        rig.expect_fault(Request { imm: 2, ..wide }, MISALIGNED_ADDRESS, u32::MAX, 18);
    });
}

#[test]
fn what_is_illegal() {
    on_all(|rig| {
        let ok = load(|_| 0);
        let illegal = [
            Request { nc: true, ..ok },
            Request { cop: 6, ..ok },
            Request { cop: 7, ..ok },
            Request { size: 5, ..ok },
            Request { size: 6, ..ok },
            Request { size: 7, ..ok },
            // 32 bytes.
            Request { vec: 3, rd: 8, ..ok },
            Request { size: B64, vec: 2, ..ok },
            Request { size: B128, vec: 1, ..ok },
        ];
        let of_order = |sem| {
            let mut request = ok;
            request.sem = sem;
            request
        };
        for request in illegal.into_iter().chain((1..8).map(of_order)) {
            // Before a misaligned address and one out of range.
            let mut request = request;
            (request.addr, request.wide) = ([2; 32], 1);
            rig.expect_fault(request, ILLEGAL_INSTRUCTION, u32::MAX, 2);
        }
        for (size, vec) in [(B8, 3), (B16, 3), (B32, 2), (B64, 1), (B128, 0)] {
            let answer = rig.run(Request { size, vec, ..ok });
            assert!(answer.faults.is_empty(), "{size} {vec} {answer:?}");
        }
    });
}

#[test]
fn registers_are_checked_first() {
    on_all(|rig| {
        let bad = |size, vec, dst_width, rd| Request { size, vec, dst_width, rd, nc: true, ..load(|_| 1) };
        for request in [
            bad(B32, 1, 1, 5),
            bad(B8, 0, WIDTH_64, 7),
            bad(B8, 0, WIDTH_64, 254),
            bad(B8, 1, WIDTH_64, 2),
            bad(B16, 3, 1, 248),
            bad(B16, 3, WIDTH_64, 240),
            bad(B64, 1, 1, 252),
            bad(B128, 3, 1, 228),
            bad(5, 0, 1, 2),
        ] {
            rig.expect_fault(request, MISALIGNED_REGISTER, u32::MAX, 1);
        }
        // A multiple of four is enough for eight, and RZ and single registers may be any.
        for request in [bad(B16, 3, 1, 4), bad(B64, 1, 1, 248), bad(B32, 0, 1, 253), bad(B32, 2, 1, 255)] {
            rig.expect_fault(request, ILLEGAL_INSTRUCTION, u32::MAX, 1);
        }
    });
}

#[test]
fn addresses_are_multiples_of_the_total() {
    on_all(|rig| {
        for (size, vec, total) in [(B8, 3, 8), (B16, 1, 4), (B32, 2, 16), (B64, 1, 16), (B128, 0, 16), (B16, 0, 2)] {
            let at = |offset: u32| Request { size, vec, rd: 8, ..load(|lane| if lane == 2 { offset } else { 0 }) };
            rig.expect_fault(at(total / 2), MISALIGNED_ADDRESS, 4, u64::from(total / 2));
            assert!(rig.run(at(total)).faults.is_empty());
        }
    });
}

#[test]
fn elements_are_extended_and_sunk() {
    on_all(|rig| {
        // Of the word 0x0003_9a80: bytes 0x80, 0x9a, 0x03, 0x00.
        let at = 0x9a80;
        let answer = rig.run(Request { size: B8, vec: 2, sign: true, dst_width: WIDTH_64, rd: 8, ..load(|_| at) });
        let values: Vec<_> = (8..16).map(|rd| answer.value(rd, 1)).collect();
        let signed = [0xffff_ff80, u32::MAX, 0xffff_ff9a, u32::MAX, 3, 0, 0, 0];
        assert_eq!(values, signed.map(Some));
        let answer = rig.run(Request { size: B16, vec: 1, sign: true, dst_width: WIDTH_64, rd: 8, ..load(|_| at) });
        assert_eq!((8..12).map(|rd| answer.value(rd, 3)).collect::<Vec<_>>(), [0xffff_9a80, u32::MAX, 3, 0].map(Some));
        let answer = rig.run(Request { size: B8, vec: 2, rd: 8, sink: 0b0110, ..load(|_| at) });
        assert_eq!((8..12).map(|rd| answer.value(rd, 0)).collect::<Vec<_>>(), [Some(0x80), None, None, Some(0)]);
        let answer =
            rig.run(Request { size: B32, vec: 1, sign: false, dst_width: WIDTH_64, rd: 8, sink: 1, ..load(|_| at) });
        assert_eq!((8..12).map(|rd| answer.value(rd, 0)).collect::<Vec<_>>(), [None, None, Some(0x3_9a84), Some(0)]);
        let answer = rig.run(Request { size: B64, vec: 1, sign: true, rd: 8, sink: 2, ..load(|_| at) });
        assert_eq!(
            (8..12).map(|rd| answer.value(rd, 0)).collect::<Vec<_>>(),
            [Some(0x3_9a80), Some(0x3_9a84), None, None]
        );
    });
}

/// The values of `data` for its last register.
fn last_register(rig: &mut Rig, request: Request) -> [Option<u64>; 2] {
    rig.program.push_back(request);
    let mut last = [None; 2];
    while !rig.program.is_empty() || !rig.oracle.is_idle() {
        rig.step();
        let places = Seen::of(&rig.golden);
        if places.holds("data") {
            last = ["beat", "beats"].map(|name| places.value("data", name));
        }
    }
    last
}

#[test]
fn every_register_of_the_longest_load_is_counted() {
    on_all(|rig| {
        let bytes = Request { size: B8, vec: 3, dst_width: WIDTH_64, rd: 8, ..load(|_| 0) };
        assert_eq!(last_register(rig, bytes), [Some(15), Some(16)]);
        // Without lanes it may be longer than any other.
        let empty = Request { size: B128, vec: 3, mask: 0, rd: 8, ..load(|_| 0) };
        assert_eq!(last_register(rig, empty), [Some(31), Some(32)]);
    });
}

#[test]
fn what_is_sunk_reads_nothing_and_still_sends_its_registers() {
    on_all(|rig| {
        let requests = [
            Request { vec: 2, sink: 0x0f, ..load(|lane| 64 * lane) },
            // Elements that there are not do not count.
            Request { vec: 1, sink: 0xf3, dst_width: WIDTH_64, ..load(|lane| 64 * lane) },
            Request { vec: 2, rd: 255, ..load(|lane| 64 * lane) },
            Request { vec: 2, mask: 0, ..load(|_| 1) },
        ];
        for (number, request) in requests.into_iter().enumerate() {
            let (from, passes) = (rig.events.len(), rig.outputs.status.ldc_passes);
            let answer = rig.run(request);
            assert!(answer.registers.values().all(|lanes| lanes.is_empty()), "{number}");
            let mut registers: Vec<u8> = (0..4).map(|beat| request.rd.wrapping_add(beat)).collect();
            registers.sort_unstable();
            assert_eq!(answer.registers.keys().copied().collect::<Vec<_>>(), registers, "{number}");
            assert!(rig.events[from..].iter().all(|(_, event)| !matches!(event, Event::Fetch { .. })), "{number}");
            assert_eq!(rig.outputs.status.ldc_passes, passes + 1, "{number}");
        }
        // Faults come all the same.
        let far = Request { vec: 1, sink: 3, wide: 1, ..load(|_| 0) };
        rig.expect_fault(far, OUT_OF_RANGE, 1, 0);
    });
}

#[test]
fn the_bank_table_decides_what_is_there() {
    on_all(|rig| {
        rig.bank(3, 0x50, true);
        rig.expect(load(|lane| 0x4c + 4 * (lane & 1)), |lane| if lane & 1 == 0 { 0x3_004c } else { 0 });
        rig.bank(3, 0x50, false);
        rig.expect(load(|_| 0), |_| 0);
        rig.bank(0, 0x50, false);
        rig.expect(Request { space: PARAM, ..load(|_| 0) }, |_| 0);
    });
}

#[test]
fn ldc_and_constant_loads_share_their_lines() {
    on_all(|rig| {
        rig.expect(ldc(|_| 0x40), |_| 0x3_0040);
        let from = rig.events.len();
        rig.expect(load(|_| 0x44), |_| 0x3_0044);
        assert!(rig.events[from..].iter().all(|(_, event)| !matches!(event, Event::Fetch { .. })));
        assert_eq!((rig.outputs.status.ldc_passes, rig.outputs.status.ldc_hits), (2, 1));
    });
}

#[test]
fn a_failed_sector_names_the_address_in_the_bank() {
    on_all(|rig| {
        set_offset(rig, 0x2f);
        // Bank 0, line 0x40, upper sector.
        rig.bad_sectors.insert(BASE + 0x60);
        let answer = rig.run(Request { space: PARAM, vec: 1, ..load(|lane| 0x30 + 8 * (lane % 4)) });
        let upper = 0xcccc_cccc & rig.preset.lane_mask();
        assert_eq!(answer.faults, [FaultRecord { tag: 0, cause: MEMORY_ERROR, lanes: upper, addr: 0x60 }]);
        assert_eq!([answer.value(4, 1), answer.value(5, 0), answer.value(5, 2)], [Some(0x58), Some(0x54), None]);
    });
}

#[test]
fn cycles_follow_lines_and_registers() {
    let mut rig = Rig::new(&WARP32, true);
    rig.expect(load(|lane| 64 * (lane % 8)), |lane| 0x3_0000 + 64 * (lane % 8));
    let mut stream = |requests: Vec<Request>| {
        let from = rig.events.len();
        rig.program.extend(requests.into_iter().enumerate().map(|(tag, it)| Request { tag: tag as u8, ..it }));
        rig.drain();
        let of = |wanted: fn(&Event) -> bool| {
            let cycles: Vec<u64> =
                rig.events[from..].iter().filter(|(_, event)| wanted(event)).map(|(cycle, _)| *cycle).collect();
            cycles
        };
        let first = of(|event| matches!(event, Event::Accept(_)))[0];
        of(|event| matches!(event, Event::Writeback(_))).into_iter().map(|cycle| cycle - first).collect::<Vec<_>>()
    };
    // Six cycles to use, and one warp a cycle; k lines k cycles; four registers four.
    assert_eq!(stream(vec![load(|lane| 4 * (lane % 16)); 10]), (6..16).collect::<Vec<_>>());
    assert_eq!(stream(vec![load(|lane| 64 * (lane % 8)); 4]), (6..38).collect::<Vec<_>>());
    assert_eq!(stream(vec![Request { vec: 2, ..load(|lane| 16 * (lane % 4)) }; 5]), (6..26).collect::<Vec<_>>());
}

#[test]
fn the_space_on_the_pins_chooses_the_path_whose_ready_is_shown() {
    for preset in ALL {
        let mut rig = Rig::new(&preset, true);
        // Nobody takes results: the constant cache fills up, the global path is empty.
        rig.inputs.wb_ready = false;
        for tag in 0..40 {
            rig.program.push_back(Request { tag, ..load(|_| 0) });
        }
        for _ in 0..100 {
            rig.step();
        }
        assert!(!rig.outputs.req_ready && !rig.program.is_empty());
        rig.program.clear();
        for (op, space, expected) in [
            (0, CONST, false),
            (0, PARAM, false),
            (0, 4, true),
            (0, 7, true),
            (0, 1, true),
            (1, CONST, true),
            (2, 0, false),
        ] {
            rig.inputs.req = Request { op, space, ..Request::default() };
            rig.step();
            assert_eq!(rig.outputs.req_ready, expected, "op {op} space {space} on {}", preset.name);
        }
    }
}
