//! The oracle tells right from wrong in the generic windows of constants and of kernel parameters, worked out by hand. Every word of
//! memory holds its own address.

use lsu_model::oracle::{Oracle, Violation};
use lsu_model::pins::{
    BankWrite, FaultRecord, MAX_LANES, MemoryRequest, MemoryResponse, Request, Status, Window, Windows, Writeback,
};
use lsu_model::preset::FPGA8;

type Words = fn(u64) -> u32;
type Verdict = Result<(), Violation>;

/// Where the windows begin; the low four bits of what the pins say do not count.
const CONSTANTS: u64 = 0x10_0000;
const PARAMETERS: u64 = 0x10_0100;

/// Where banks 3 and 0 lie; parameters begin at 0x20.
const BANK_3: u64 = 0x8040;
const BANK_0: u64 = 0x4000;

fn oracle() -> Oracle<Words> {
    let mut oracle = Oracle::new(&FPGA8, (|address| address as u32) as Words, true);
    oracle.write_bank(&BankWrite { index: 3, base: BANK_3, size: 0x80, valid: true });
    oracle.write_bank(&BankWrite { index: 0, base: BANK_0, size: 0x80, valid: true });
    // They overlap from 0x10_0100 to 0x10_010f.
    oracle.set_windows(Windows {
        constant: Window { base: CONSTANTS + 15, size: 0x11f },
        param: Window { base: PARAMETERS + 1, size: 0x10f },
        ..Windows::default()
    });
    oracle.set_param_offset(0x2f);
    oracle
}

/// Lanes 0 and 1 read the words at and behind `address` into R4.
fn load(address: u64) -> Request {
    let addr = std::array::from_fn(|lane| address + 4 * lane as u64);
    Request { op: 0, size: 2, dst_width: 1, rd: 4, mask: 3, tag: 9, addr, ..Request::default() }
}

fn store(address: u64) -> Request {
    Request { op: 1, ..load(address) }
}

fn registers(values: [u64; 2]) -> Writeback {
    let mut data = [0; MAX_LANES];
    data[..2].copy_from_slice(&values.map(|value| value as u32));
    Writeback { tag: 9, rd: 4, mask: 3, data, last: true }
}

fn read(addr: u64) -> MemoryRequest {
    MemoryRequest { id: 64, addr, strb: u32::MAX, ..MemoryRequest::default() }
}

fn answer(error: bool) -> MemoryResponse {
    MemoryResponse { id: 64, error, ..MemoryResponse::default() }
}

/// The load reads these words in one sector.
fn reads(request: Request, values: [u64; 2]) -> Verdict {
    let mut oracle = oracle();
    oracle.accept(&request)?;
    oracle.memory_request(&read(values[0] / 32 * 32))?;
    oracle.memory_response(&answer(false));
    oracle.writeback(&registers(values))?;
    assert!(oracle.is_idle() && oracle.finish().is_empty());
    oracle.status(&Status { wavefronts: 1, sectors_read: 1, l1_misses: 1, ..Status::default() })
}

fn faults(request: Request, cause: u8, lanes: u32, addr: u64) -> Verdict {
    let mut oracle = oracle();
    oracle.accept(&request)?;
    oracle.fault(&FaultRecord { tag: 9, cause, lanes, addr })
}

#[test]
fn a_load_reads_its_bank_in_memory() {
    assert_eq!(reads(load(CONSTANTS), [BANK_3, BANK_3 + 4]), Ok(()));
    assert_eq!(reads(load(CONSTANTS + 0x78), [BANK_3 + 0x78, BANK_3 + 0x7c]), Ok(()));
    assert!(reads(load(CONSTANTS), [BANK_0, BANK_0 + 4]).is_err());
    assert!(reads(load(CONSTANTS), [CONSTANTS, CONSTANTS + 4]).is_err());
    // Parameters alone, from where constants end on: offset 0x20 in the window, 0x40 in the bank.
    assert_eq!(reads(load(PARAMETERS + 0x20), [BANK_0 + 0x40, BANK_0 + 0x44]), Ok(()));
    assert!(reads(load(PARAMETERS + 0x20), [BANK_0 + 0x4f, BANK_0 + 0x53]).is_err());
    // Beside the windows.
    assert_eq!(reads(load(CONSTANTS - 8), [CONSTANTS - 8, CONSTANTS - 4]), Ok(()));
    assert_eq!(reads(load(PARAMETERS + 0x100), [PARAMETERS + 0x100, PARAMETERS + 0x104]), Ok(()));
    // A global address is no generic one.
    assert_eq!(reads(Request { space: 1, ..load(CONSTANTS) }, [CONSTANTS, CONSTANTS + 4]), Ok(()));
}

#[test]
fn a_bank_ends() {
    let end = CONSTANTS + 0x80;
    assert_eq!(faults(load(end - 4), 4, 0b10, end), Ok(()));
    assert_eq!(faults(load(end), 4, 0b11, end), Ok(()));
    assert!(faults(load(end - 4), 4, 0b11, end - 4).is_err());
    // The address reported is the lane's own.
    assert!(faults(load(end), 4, 0b11, BANK_3 + 0x80).is_err());
    // Where both windows are it is constants that count, offset 0x100.
    assert_eq!(faults(load(PARAMETERS), 4, 0b11, PARAMETERS), Ok(()));
    assert_eq!(faults(load(PARAMETERS + 0x5c), 4, 0b10, PARAMETERS + 0x60), Ok(()));
    // No bank is read where there is none.
    let mut oracle = oracle();
    oracle.write_bank(&BankWrite { index: 3, base: BANK_3, size: 0x80, valid: false });
    oracle.accept(&load(CONSTANTS)).unwrap();
    assert!(oracle.clone().memory_request(&read(BANK_3 / 32 * 32)).is_err());
    assert_eq!(oracle.fault(&FaultRecord { tag: 9, cause: 4, lanes: 3, addr: CONSTANTS }), Ok(()));
}

#[test]
fn what_the_windows_do_not_serve_is_illegal() {
    let last = CONSTANTS - 4;
    for request in [store(last), Request { nc: true, ..load(last) }, Request { sem: 5, ..load(last) }] {
        assert_eq!(faults(request, 2, 0b10, CONSTANTS), Ok(()));
        assert!(faults(request, 4, 0b10, CONSTANTS).is_err());
    }
    let wide = Request { size: 4, vec: 1, rd: 8, mask: 1, ..load(CONSTANTS) };
    assert_eq!(faults(wide, 2, 1, CONSTANTS), Ok(()));
    // Beyond the bank a store is no less illegal, and not because of its bank.
    assert_eq!(faults(store(PARAMETERS + 0xf0), 2, 0b11, PARAMETERS + 0xf0), Ok(()));
    // Misaligned goes before what is beyond a bank, and behind what is illegal.
    let odd = |request: Request| Request { imm: 2, mask: 1, ..request };
    assert_eq!(faults(odd(load(CONSTANTS + 0x80)), 3, 1, CONSTANTS + 0x82), Ok(()));
    assert_eq!(faults(odd(store(CONSTANTS + 0x80)), 2, 1, CONSTANTS + 0x82), Ok(()));
}

#[test]
fn a_memory_error_names_the_address_in_memory() {
    let failed = || {
        let mut oracle = oracle();
        oracle.accept(&load(CONSTANTS)).unwrap();
        oracle.memory_request(&read(BANK_3)).unwrap();
        oracle.memory_response(&answer(true));
        oracle
    };
    let record = FaultRecord { tag: 9, cause: 5, lanes: 3, addr: BANK_3 };
    assert_eq!(failed().fault(&record), Ok(()));
    let expected = Violation::WrongErrorAddress { tag: 9, expected: BANK_3, got: CONSTANTS };
    assert_eq!(failed().fault(&FaultRecord { addr: CONSTANTS, ..record }), Err(expected));
}
