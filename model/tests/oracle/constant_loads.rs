//! The oracle tells right from wrong answers to constant loads: each test hands it answers worked out by hand, and changed ones.

use lsu_model::oracle::{Oracle, Violation};
use lsu_model::pins::{BankWrite, FaultRecord, MAX_LANES, Request, Status, Writeback};
use lsu_model::preset::FPGA8;

/// Where banks 0 and 3 lie; every word holds its address.
const BANKS: [u64; 2] = [0x4000, 0x8080];

type Words = fn(u64) -> u32;

fn oracle() -> Oracle<Words> {
    let mut oracle = Oracle::new(&FPGA8, (|address| address as u32) as Words, true);
    for (index, base) in [(0, BANKS[0]), (3, BANKS[1])] {
        oracle.write_bank(&BankWrite { index, base, size: 0x100, valid: true });
    }
    oracle.set_param_offset(0x2f);
    oracle
}

/// Lanes 0 and 1 read 4 x lane of constant memory into R8.
fn load() -> Request {
    let addr = std::array::from_fn(|lane| 4 * lane as u64);
    Request { op: 0, space: 5, size: 2, dst_width: 1, rd: 8, mask: 3, tag: 9, addr, bank: 7, ..Request::default() }
}

fn wb(rd: u8, values: [u32; 2], last: bool) -> Writeback {
    let mut data = [0; MAX_LANES];
    data[..2].copy_from_slice(&values);
    Writeback { tag: 9, rd, mask: 3, data, last }
}

fn judge(request: Request, answers: &[Writeback]) -> Result<(), Violation> {
    let mut oracle = oracle();
    oracle.accept(&request)?;
    answers.iter().try_for_each(|answer| oracle.writeback(answer))?;
    assert!(oracle.is_idle() && oracle.finish().is_empty());
    oracle.status(&Status { ldc_passes: 1, ..Status::default() })
}

fn fault(request: Request, cause: u8, lanes: u32, addr: u64) -> Result<(), Violation> {
    let mut oracle = oracle();
    oracle.accept(&request)?;
    oracle.fault(&FaultRecord { tag: 9, cause, lanes, addr })
}

#[test]
fn values_come_from_the_bank_of_the_space() {
    assert_eq!(judge(load(), &[wb(8, [0x8080, 0x8084], true)]), Ok(()));
    let expected = Violation::WrongValue { tag: 9, lane: 1, register: 8, expected: 0x8084, got: 0x4004, rule: "CONST" };
    assert_eq!(judge(load(), &[wb(8, [0x8080, 0x4004], true)]), Err(expected));
    // Parameters begin at 0x20.
    assert_eq!(judge(Request { space: 6, ..load() }, &[wb(8, [0x4020, 0x4024], true)]), Ok(()));
    assert!(judge(Request { space: 6, ..load() }, &[wb(8, [0x402c, 0x4030], true)]).is_err());
    // Beyond the bank, and beyond every bank.
    for imm in [0x100, 0x1_0000] {
        assert_eq!(judge(Request { imm, ..load() }, &[wb(8, [0, 0], true)]), Ok(()));
        assert!(judge(Request { imm, ..load() }, &[wb(8, [0, 1], true)]).is_err());
    }
}

#[test]
fn narrow_elements_are_extended_to_both_registers() {
    // Bytes 0x80 of lane 0, 0x84 of lane 1.
    let byte = |sign, dst_width| Request { size: 0, sign, dst_width, ..load() };
    let signed = [0xffff_ff80, 0xffff_ff84];
    assert_eq!(judge(byte(true, 1), &[wb(8, signed, true)]), Ok(()));
    assert_eq!(judge(byte(true, 2), &[wb(8, signed, false), wb(9, [u32::MAX; 2], true)]), Ok(()));
    assert_eq!(judge(byte(false, 2), &[wb(8, [0x80, 0x84], false), wb(9, [0; 2], true)]), Ok(()));
    let wrong = judge(byte(true, 2), &[wb(8, signed, false), wb(9, [u32::MAX, 0], true)]);
    assert_eq!(wrong, Err(Violation::WrongExtension { tag: 9, lane: 1, register: 9, expected: u32::MAX, got: 0 }));
    assert!(judge(byte(false, 2), &[wb(8, [0x80, 0x84], false), wb(9, [1, 0], true)]).is_err());
}

#[test]
fn elements_follow_each_other_and_sunk_ones_are_not_written() {
    let mut pair = Request { vec: 1, ..load() };
    pair.addr[1] = 8;
    let (low, high) = (wb(8, [0x8080, 0x8088], false), wb(9, [0x8084, 0x808c], true));
    assert_eq!(judge(pair, &[low, high]), Ok(()));
    assert!(judge(pair, &[low, wb(9, [0x8088, 0x808c], true)]).is_err());
    // Each element of one byte lies beside the one before.
    let bytes = Request { size: 0, vec: 1, mask: 1, ..load() };
    let one = |rd, value, last| Writeback { mask: 1, ..wb(rd, [value, 0], last) };
    assert_eq!(judge(bytes, &[one(8, 0x80, false), one(9, 0x80, true)]), Ok(()));
    let none = |rd, last| Writeback { mask: 0, ..wb(rd, [0, 0], last) };
    assert_eq!(judge(Request { sink: 1, ..pair }, &[none(8, false), high]), Ok(()));
    let written = judge(Request { sink: 1, ..pair }, &[low, high]);
    assert_eq!(written, Err(Violation::LaneNotWritable { tag: 9, lane: 0, register: 8, rule: "BEAT" }));
    let missing = judge(Request { sink: 1, ..pair }, &[none(8, false), none(9, true)]);
    assert_eq!(missing, Err(Violation::NotWritten { tag: 9, lane: 0, register: 9 }));
    // The second element does not save the first.
    assert!(judge(pair, &[none(8, false), high]).is_err());
    let all_sunk = Request { sink: 3, ..pair };
    assert_eq!(judge(all_sunk, &[none(8, false), none(9, true)]), Ok(()));
    let written = judge(all_sunk, &[none(8, false), high]);
    assert_eq!(written, Err(Violation::LaneNotWritable { tag: 9, lane: 0, register: 9, rule: "CONST" }));
    let beyond = judge(pair, &[low, wb(10, [0x8084, 0x808c], true)]);
    assert_eq!(beyond, Err(Violation::WrongRegister { tag: 9, register: 10, first: 8, count: 2 }));
}

#[test]
fn faults_in_their_order() {
    let both = 3;
    assert_eq!(fault(Request { vec: 1, rd: 9, nc: true, ..load() }, 1, both, 0), Ok(()));
    assert_eq!(fault(Request { nc: true, imm: 1, ..load() }, 2, both, 1), Ok(()));
    assert_eq!(fault(Request { sem: 4, ..load() }, 2, both, 0), Ok(()));
    assert_eq!(fault(Request { vec: 3, ..load() }, 2, both, 0), Ok(()));
    assert_eq!(fault(Request { vec: 1, wide: 2, ..load() }, 3, 2, 4), Ok(()));
    assert_eq!(fault(Request { wide: 2, imm: 8, ..load() }, 4, 2, 12), Ok(()));
    assert_eq!(fault(Request { imm: 4u32.wrapping_neg(), ..load() }, 4, 1, 0xffff_fffc), Ok(()));
    assert_eq!(fault(Request { space: 6, imm: 0x24_u32.wrapping_neg(), ..load() }, 4, 1, 0xffff_fffc), Ok(()));
    let other = fault(Request { wide: 2, ..load() }, 4, 3, 0).unwrap_err();
    assert!(other.to_string().ends_with("(CONST)"), "{other}");
    // A load that is right has none.
    assert_eq!(fault(load(), 4, 1, 0), Err(Violation::UnexpectedFault { tag: 9, cause: 4, lanes: 1 }));
    // And one that faults writes nothing.
    let answered = judge(Request { wide: 1, ..load() }, &[wb(8, [0x8080, 0x8084], true)]);
    assert_eq!(answered, Err(Violation::WrongPort { tag: 9, port: "wb", expected: "fault" }));
}
