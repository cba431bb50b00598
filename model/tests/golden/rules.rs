//! Every rule of LDC at its edges, on every preset: the word at offset o of bank b is `(b << 16) + o`.

use crate::constant_rig::*;
use lsu_model::pins::{BankWrite, Request};
use lsu_model::preset::{ALL, Preset, WARP32};

const GRAPHICS: bool = false;
const COMPUTE: bool = true;
const MISALIGNED_REGISTER: u8 = 1;
const ILLEGAL_INSTRUCTION: u8 = 2;
const MISALIGNED_ADDRESS: u8 = 3;

fn on(presets: impl IntoIterator<Item = Preset>, compute: bool, test: impl Fn(&mut Rig)) {
    for preset in presets {
        test(&mut Rig::new(&preset, compute));
    }
}

#[test]
fn ldc_1_without_register_the_immediate_is_unsigned_in_every_mode() {
    on(ALL, GRAPHICS, |rig| {
        for mode in [IA, IL, IS, ISL] {
            // The register operand would go elsewhere, and a signed immediate would be out of bounds.
            let rz = Request { ra_is_rz: true, mode, ..ldc(|lane| 0x2_0000 + lane) };
            rig.expect(Request { imm: 0x8000, ..rz }, |_| 0x3_8000);
            rig.expect(Request { imm: 0xfffc, ..rz }, |_| 0x3_fffc);
            rig.expect(Request { imm: 0, ..rz }, |_| 0x3_0000);
            // Only the low 16 bits of the immediate count.
            rig.expect(Request { imm: 0xffff_0040, ..rz }, |_| 0x3_0040);
            rig.expect(Request { imm: 0x40, bank: 17, ..rz }, |_| if mode == ISL { 0 } else { 0x11_0040 });
        }
    });
}

#[test]
fn ldc_2_the_immediate_is_signed_and_sums_wrap_at_32_bits() {
    on(ALL, GRAPHICS, |rig| {
        rig.expect(Request { imm: 0xffff, ..ldc(|lane| 4 * lane + 5) }, |lane| 0x3_0004 + 4 * lane);
        rig.expect(Request { imm: 0x8000, ..ldc(|_| 0x8010) }, |_| 0x3_0010);
        rig.expect(Request { imm: 0x7ffc, ..ldc(|_| 0x8000) }, |_| 0x3_fffc);
        // 0xffff_fff8 + 0x10 = 0x1_0000_0008, which is 8.
        rig.expect(Request { imm: 0x10, ..ldc(|_| 0xffff_fff8) }, |_| 0x3_0008);
        rig.expect(Request { imm: 0x10, mode: IL, ..ldc(|_| 0xffff_fff8) }, |_| 0x3_0008);
    });
}

#[test]
fn ldc_2_only_the_low_32_bits_of_the_register_count() {
    let mut rig = Rig::new(&WARP32, GRAPHICS);
    let mut request = ldc(|_| 0);
    request.addr.fill(0x1_ffff_0000_0020);
    rig.expect(request, |_| 0x3_0020);
}

#[test]
fn ldc_3_ia_is_out_of_bounds_from_0x10000_on() {
    on(ALL, GRAPHICS, |rig| {
        rig.expect(ldc(|_| 0xfffc), |_| 0x3_fffc);
        rig.expect(ldc(|_| 0x1_0000), |_| 0);
        rig.expect(Request { imm: 4, ..ldc(|_| 0xfffc) }, |_| 0);
        rig.expect(ldc(|_| 0x8000_0000), |_| 0);
        // 4 - 8 = 0xffff_fffc
        rig.expect(Request { imm: 0xfff8, ..ldc(|_| 4) }, |_| 0);
        rig.expect(ldc(|lane| 0xfffc + 4 * (lane & 1)), |lane| if lane & 1 == 0 { 0x3_fffc } else { 0 });
    });
}

#[test]
fn ldc_4_il_moves_the_bank_by_the_sum() {
    on(ALL, GRAPHICS, |rig| {
        let il = |ra: u32, imm: u32, bank: u8| Request { mode: IL, imm, bank, ..ldc(|_| ra) };
        rig.expect(il(0xfffc, 0, 3), |_| 0x3_fffc);
        rig.expect(il(0x1_0000, 0, 3), |_| 0x4_0000);
        rig.expect(il(0xfffc, 4, 3), |_| 0x4_0000);
        // The sum decides, so the immediate can take the bank back.
        rig.expect(il(0x1_0000, 0xfffc, 3), |_| 0x3_fffc);
        rig.expect(il(0xe_0008, 0, 3), |_| 0x11_0008);
        // Bank 3 + 15 = 18, 3 + 29 = 32 (0 if it were wrapped to 5 bits) and 3 + 0xffff.
        rig.expect(il(0xf_0000, 0, 3), |_| 0);
        rig.expect(il(0x1d_0000, 0, 3), |_| 0);
        rig.expect(il(0, 0xfffc, 3), |_| 0);
        rig.expect(il(0xffff_0000, 0, 1), |_| 0);
        rig.expect(il(0, 0, 31), |_| 0);
    });
}

#[test]
fn ldc_5_is_moves_the_bank_by_the_register_and_never_carries() {
    on(ALL, GRAPHICS, |rig| {
        let is = |ra: u32, imm: u32, bank: u8| Request { mode: IS, imm, bank, ..ldc(|_| ra) };
        rig.expect(is(0x1_0010, 0, 3), |_| 0x4_0010);
        rig.expect(is(0x1_0010, 0xfff0, 3), |_| 0x4_0000);
        rig.expect(is(0x1_8000, 0x7ffc, 3), |_| 0x4_fffc);
        // No carry into the bank and no wrap: 0xfffc + 4 and 0 - 4 are out of bounds.
        rig.expect(is(0x1_fffc, 4, 3), |_| 0);
        rig.expect(is(0x1_0000, 0xfffc, 3), |_| 0);
        rig.expect(is(0xe_0000, 0, 3), |_| 0x11_0000);
        rig.expect(is(0xf_0000, 0, 3), |_| 0);
        rig.expect(is(0x1d_0000, 0, 3), |_| 0);
        rig.expect(is(0xffff_0000, 0, 31), |_| 0);
    });
}

#[test]
fn ldc_5_is_wraps_where_the_preset_says_so() {
    let preset = Preset { is_wraps: true, ..WARP32 };
    let mut rig = Rig::new(&preset, GRAPHICS);
    rig.expect(Request { mode: IS, imm: 4, ..ldc(|_| 0x1_fffc) }, |_| 0x4_0000);
    rig.expect(Request { mode: IS, imm: 0xfffc, ..ldc(|_| 0x1_0000) }, |_| 0x4_fffc);
}

#[test]
fn ldc_6_isl_stops_at_bank_13() {
    on(ALL, GRAPHICS, |rig| {
        for (bank, ra, expected) in [
            (13, 0x10, 0xd_0010),
            (14, 0x10, 0),
            (3, 0xa_0010, 0xd_0010),
            (3, 0xb_0010, 0),
            (17, 0x10, 0),
            (31, 0x10, 0),
        ] {
            rig.expect(Request { mode: ISL, bank, ..ldc(|_| ra) }, |_| expected);
        }
        // IS itself has no such limit.
        rig.expect(Request { mode: IS, bank: 14, ..ldc(|_| 0x10) }, |_| 0xe_0010);
        // The addresses are those of IS.
        rig.expect(Request { mode: ISL, imm: 4, ..ldc(|_| 0x1_fffc) }, |_| 0);
        rig.expect(Request { mode: ISL, imm: 0xfffc, ..ldc(|_| 0x1_0010) }, |_| 0x4_000c);
        for (bank, expected) in [(13, 0xd_0010), (14, 0)] {
            let rz = Request { mode: ISL, bank, ra_is_rz: true, imm: 0x10, ..ldc(|_| 0) };
            rig.expect(rz, |_| expected);
        }
    });
}

#[test]
fn ldc_7_graphics_mode_has_18_banks() {
    on(ALL, GRAPHICS, |rig| {
        for bank in 0..32u8 {
            let expected = if bank < 18 { (u32::from(bank) << 16) + 0x20 } else { 0 };
            rig.expect(Request { bank, ..ldc(|_| 0x20) }, |_| expected);
            rig.expect(Request { bank, ra_is_rz: true, imm: 0x20, ..ldc(|_| 0) }, |_| expected);
        }
        assert!(!rig.outputs.status.ldc_unpredictable);
    });
}

#[test]
fn ldc_7_compute_mode_has_8_banks_and_a_sticky_bit() {
    for bank in [7u8, 8, 13, 14, 17, 18, 31] {
        on(ALL, COMPUTE, |rig| {
            let expected = if bank == 7 { 0x7_0020 } else { 0 };
            rig.expect(Request { bank, ..ldc(|_| 0x20) }, |_| expected);
            assert_eq!(rig.outputs.status.ldc_unpredictable, bank >= 8, "bank {bank}");
            rig.expect(ldc(|_| 0x20), |_| 0x3_0020);
            assert_eq!(rig.outputs.status.ldc_unpredictable, bank >= 8, "sticky");
        });
    }
}

#[test]
fn ldc_7_only_active_lanes_of_legal_operations_set_the_sticky_bit() {
    on(ALL, COMPUTE, |rig| {
        // Lane 1 alone moves to bank 8.
        let some = Request { mode: IL, bank: 7, ..ldc(|lane| if lane == 1 { 0x1_0000 } else { 0 }) };
        rig.run(Request { mask: !2, ..some });
        assert!(!rig.outputs.status.ldc_unpredictable);
        rig.run(Request { rd: 5, size: B64, ..some });
        assert!(!rig.outputs.status.ldc_unpredictable, "a faulting operation looks nothing up");
        rig.run(some);
        assert!(rig.outputs.status.ldc_unpredictable);
    });
}

#[test]
fn ldc_7_a_bank_without_a_valid_entry_gives_0() {
    on(ALL, GRAPHICS, |rig| {
        rig.bank(3, 0x1_0000, false);
        rig.expect(ldc(|_| 0x20), |_| 0);
        // Lanes of a bound and an unbound bank side by side.
        let both = Request { mode: IL, bank: 3, ..ldc(|lane| (lane & 1) << 16) };
        rig.expect(both, |lane| if lane & 1 == 1 { 0x4_0000 } else { 0 });
    });
}

#[test]
fn ldc_8_the_bank_ends_at_its_size() {
    on(ALL, GRAPHICS, |rig| {
        rig.bank(3, 0x30, true);
        rig.expect(ldc(|_| 0x2c), |_| 0x3_002c);
        rig.expect(ldc(|_| 0x30), |_| 0);
        rig.expect(ldc(|lane| 0x2c + 4 * (lane & 1)), |lane| if lane & 1 == 0 { 0x3_002c } else { 0 });
        rig.expect(ldc(|_| 0x40), |_| 0);
        rig.bank(3, 0, true);
        rig.expect(ldc(|_| 0), |_| 0);
        rig.bank(3, 0xfff0, true);
        rig.expect(ldc(|_| 0xffec), |_| 0x3_ffec);
        rig.expect(ldc(|_| 0xfff0), |_| 0);
    });
}

#[test]
fn ldc_8_the_table_refuses_what_it_cannot_hold() {
    let good = BankWrite { index: 3, base: BASE + 0x3_0000, size: 0x100, valid: true };
    let bad = [
        BankWrite { size: 0x1_0010, ..good },
        BankWrite { size: 0x108, ..good },
        BankWrite { size: 0x1_ffff, ..good },
        BankWrite { base: good.base + 32, ..good },
        BankWrite { index: 18, ..good },
        BankWrite { index: 31, ..good },
    ];
    for write in bad {
        on(ALL, GRAPHICS, |rig| {
            rig.write_bank(good);
            rig.step();
            assert!(!rig.outputs.status.cfg_refused);
            rig.write_bank(BankWrite { valid: false, ..write });
            rig.step();
            assert!(rig.outputs.status.cfg_refused, "{write:?}");
            rig.write_bank(good);
            rig.expect(ldc(|_| 0xfc), |_| 0x3_00fc);
            assert!(rig.outputs.status.cfg_refused, "sticky");
        });
    }
    on(ALL, GRAPHICS, |rig| {
        rig.write_bank(BankWrite { size: 0x1_0000, ..good });
        rig.step();
        assert!(!rig.outputs.status.cfg_refused);
    });
}

#[test]
fn ldc_9_a_misaligned_address_faults_the_whole_operation() {
    on(roomy(), GRAPHICS, |rig| {
        for (size, bytes) in [(B16, 2), (B32, 4), (B64, 8), (B128, 16)] {
            // Lanes 2 and 5 are off by half an access.
            let request = Request {
                size,
                ..ldc(|lane| if lane == 2 || lane == 5 { 0x100 + lane * bytes + bytes / 2 } else { 0x100 })
            };
            let lowest = u64::from(0x100 + 2 * bytes + bytes / 2);
            rig.expect_fault(request, MISALIGNED_ADDRESS, 0x24, lowest);
            let without_2 = Request { mask: !4, ..request };
            rig.expect_fault(without_2, MISALIGNED_ADDRESS, 0x20, u64::from(0x100 + 5 * bytes + bytes / 2));
            // Inactive lanes are not checked.
            assert!(rig.run(Request { mask: !0x24, ..request }).faults.is_empty());
        }
        // Bytes are always aligned.
        rig.expect(Request { size: B8, ..ldc(|_| 0x103) }, |_| 0);
    });
}

#[test]
fn ldc_9_is_checked_before_the_bounds() {
    on(ALL, COMPUTE, |rig| {
        rig.expect_fault(ldc(|_| 0x1_0002), MISALIGNED_ADDRESS, !0, 0x1_0002);
        rig.expect_fault(Request { bank: 31, ..ldc(|_| 1) }, MISALIGNED_ADDRESS, !0, 1);
        // 0 - 2 = 0xffff_fffe; the record carries Ra + imm, 32 bits, whatever the mode makes of it.
        rig.expect_fault(Request { imm: 0xfffe, ..ldc(|_| 0) }, MISALIGNED_ADDRESS, !0, 0xffff_fffe);
        let is = Request { mode: IS, imm: 0xfffe, ..ldc(|_| 0x1_0000) };
        rig.expect_fault(is, MISALIGNED_ADDRESS, !0, 0xfffe);
        let is = Request { mode: IS, imm: 2, ..ldc(|_| 0x3_0000) };
        rig.expect_fault(is, MISALIGNED_ADDRESS, !0, 0x3_0002);
        let il = Request { mode: IL, imm: 0xfffe, ..ldc(|_| 0x1_0000) };
        rig.expect_fault(il, MISALIGNED_ADDRESS, !0, 0xfffe);
        let il = Request { mode: IL, imm: 2, ..ldc(|_| 0x3_0000) };
        rig.expect_fault(il, MISALIGNED_ADDRESS, !0, 0x3_0002);
        rig.expect_fault(Request { rd: 255, ..ldc(|_| 2) }, MISALIGNED_ADDRESS, !0, 2);
        rig.expect_fault(Request { ra_is_rz: true, imm: 2, ..ldc(|_| 0) }, MISALIGNED_ADDRESS, !0, 2);
    });
}

#[test]
fn ldc_10_wide_results_need_an_aligned_register_that_fits() {
    on(ALL, GRAPHICS, |rig| {
        for (size, rd, legal) in [
            (B64, 4, true),
            (B64, 5, false),
            (B64, 252, true),
            (B64, 253, false),
            (B64, 254, false),
            (B64, 0, true),
            (B128, 4, true),
            (B128, 6, false),
            (B128, 248, true),
            (B128, 252, false),
            (B32, 253, true),
            (B32, 254, true),
            (B16, 5, true),
            (B8, 5, true),
        ] {
            let request = Request { size, rd, ..ldc(|_| 0x10) };
            if legal {
                let answer = rig.run(request);
                let count = [1, 1, 1, 2, 4][usize::from(size)];
                let registers: Vec<u8> = answer.registers.keys().copied().collect();
                assert_eq!(registers, (rd..=rd + count - 1).collect::<Vec<u8>>());
            } else {
                rig.expect_fault(request, MISALIGNED_REGISTER, !0, 0x10);
            }
        }
        // Checked first: the address is misaligned as well.
        rig.expect_fault(Request { size: B64, rd: 5, ..ldc(|_| 0x12) }, MISALIGNED_REGISTER, !0, 0x12);
    });
}

#[test]
fn ldc_10_rz_discards() {
    on(ALL, GRAPHICS, |rig| {
        for size in [B8, B16, B32, B64, B128] {
            let answer = rig.run(Request { size, rd: 255, ..ldc(|lane| 16 * lane) });
            assert!(answer.faults.is_empty());
            assert!(answer.registers.values().all(|lanes| lanes.is_empty()));
        }
        assert!(rig.cycles(|event| matches!(event, Event::Fetch { .. })).is_empty());
    });
}

#[test]
fn ldc_10_wide_results_take_consecutive_registers() {
    on(roomy(), GRAPHICS, |rig| {
        let answer = rig.run(Request { size: B64, ..ldc(|lane| 8 * lane) });
        assert_eq!(answer.value(4, 3), Some(0x3_0018));
        assert_eq!(answer.value(5, 3), Some(0x3_001c));
        let answer = rig.run(Request { size: B128, ..ldc(|lane| 16 * lane) });
        for beat in 0..4 {
            assert_eq!(answer.value(4 + beat, 7), Some(0x3_0070 + 4 * u32::from(beat)));
        }
    });
}

#[test]
fn ldc_11_sizes_that_do_not_exist_are_illegal() {
    on(roomy(), GRAPHICS, |rig| {
        for size in [5, 6, 7] {
            rig.expect_fault(Request { size, ..ldc(|_| 0x10) }, ILLEGAL_INSTRUCTION, !0, 0x10);
            // Before misaligned_address, and whatever the destination.
            rig.expect_fault(Request { size, rd: 255, ..ldc(|_| 1) }, ILLEGAL_INSTRUCTION, !0, 1);
            rig.expect_fault(Request { size, mask: 0x50, ..ldc(|lane| lane) }, ILLEGAL_INSTRUCTION, 0x50, 4);
        }
    });
}

#[test]
fn ldc_12_small_sizes_extend() {
    on(ALL, GRAPHICS, |rig| {
        // Bytes of the word 0x3_8180 at 0x8180: 80 81 03 00.
        for (size, sign, at, expected) in [
            (B8, false, 0x8180, 0x80),
            (B8, true, 0x8180, 0xffff_ff80),
            (B8, true, 0x8181, 0xffff_ff81),
            (B8, false, 0x8181, 0x81),
            (B8, true, 0x8182, 3),
            (B8, true, 0x8183, 0),
            (B16, false, 0x8180, 0x8180),
            (B16, true, 0x8180, 0xffff_8180),
            (B16, true, 0x8182, 3),
            (B16, true, 0x7ffc, 0x7ffc),
            (B8, true, 0x7f, 0),
            (B8, true, 0x7c, 0x7c),
            (B32, true, 0x8180, 0x3_8180),
        ] {
            rig.expect(Request { size, sign, ..ldc(|_| at) }, |_| expected);
        }
        let signs = Request { size: B8, sign: true, ..ldc(|lane| 0x60 + 4 * lane) };
        // Low bytes 0x60, 0x64, … 0xdc: those from 0x80 (lane 8) on are negative.
        rig.expect(signs, |lane| if lane < 8 { 0x60 + 4 * lane } else { 0xffff_ff60 + 4 * lane });
    });
}

#[test]
fn ldc_13_an_empty_mask_completes_and_writes_nothing() {
    on(ALL, COMPUTE, |rig| {
        for request in [
            ldc(|_| 0x10),
            Request { size: B64, rd: 5, ..ldc(|_| 1) },
            Request { size: 7, ..ldc(|_| 1) },
            Request { bank: 31, ..ldc(|_| 0) },
        ] {
            let answer = rig.run(Request { mask: 0, ..request });
            assert!(answer.faults.is_empty());
            assert!(answer.registers.values().all(|lanes| lanes.is_empty()));
        }
        assert!(!rig.outputs.status.ldc_unpredictable);
        assert!(rig.cycles(|event| matches!(event, Event::Fetch { .. })).is_empty());
    });
}

#[test]
fn ldc_13_inactive_lanes_are_not_written() {
    on(roomy(), GRAPHICS, |rig| {
        let answer = rig.run(Request { mask: 0xa5, ..ldc(|lane| 4 * lane) });
        let lanes: Vec<(u32, u32)> = answer.registers[&4].iter().map(|(lane, value)| (*lane, *value)).collect();
        assert_eq!(lanes, [(0, 0x3_0000), (2, 0x3_0008), (5, 0x3_0014), (7, 0x3_001c)]);
    });
}

#[test]
fn ldc_14_one_pass_for_each_line_lowest_lane_first() {
    on(ALL, GRAPHICS, |rig| {
        // Lanes 0 and 3 on line 2, lane 1 on line 0, lanes 2 and up on line 1; lane 3 again on line 2.
        let lines = |lane: u32| match lane {
            0 | 3 => 0x80,
            1 => 0,
            _ => 0x40,
        };
        rig.expect(Request { tag: 9, ..ldc(lines) }, |lane| 0x3_0000 + lines(lane));
        let masks: Vec<u32> = rig
            .events
            .iter()
            .filter_map(|(_, event)| if let Event::Writeback(wb) = event { Some(wb.mask) } else { None })
            .collect();
        assert_eq!(masks, [0b1001, 0b10, rig.preset.lane_mask() & !0b1011]);
        assert_eq!(rig.outputs.status.ldc_passes, 3);
        assert_eq!(rig.golden.account(9).wavefronts, 3);
        assert_eq!(rig.golden.account(9).miss_sectors, 3);
        assert_eq!(rig.golden.account(9).mem_sectors, 6);
        // The same offset in two banks is two lines; out-of-bounds lanes ride with the first pass.
        let before = rig.outputs.status.ldc_passes;
        let banks = |lane: u32| if lane == 0 { 0x20_0000 } else { (lane & 1) << 16 };
        let two = Request { mode: IL, tag: 10, ..ldc(banks) };
        rig.expect(two, |lane| if lane == 0 { 0 } else { 0x3_0000 + ((lane & 1) << 16) });
        assert_eq!(rig.outputs.status.ldc_passes - before, 2);
    });
}

#[test]
fn ldc_14_one_line_is_one_pass() {
    on(ALL, GRAPHICS, |rig| {
        for (size, step) in [(B8, 1), (B16, 2), (B32, 4), (B64, 8), (B128, 16)] {
            let before = rig.outputs.status.ldc_passes;
            rig.run(Request { size, ..ldc(|lane| 0x3c0 + lane * step % 64) });
            assert_eq!(rig.outputs.status.ldc_passes - before, 1);
        }
    });
}
