//! The oracle tells right from wrong answers: each test hands it answers worked out by hand, and changed ones.

use std::cell::Cell;
use std::rc::Rc;

use lsu_model::oracle::{Oracle, SharedHistory, Violation};
use lsu_model::pins::{BankWrite, FaultRecord, MAX_LANES, MemoryRequest, Request, Status, Writeback};
use lsu_model::preset::WARP32;

/// Bank 2 lies here; every word holds its address.
const BANK: u64 = 0x4000;

type Words = fn(u64) -> u32;

fn oracle() -> Oracle<Words> {
    let mut oracle = Oracle::new(&WARP32, (|address| address as u32) as Words, true);
    oracle.write_bank(&BankWrite { index: 2, base: BANK, size: 0x100, valid: true });
    oracle
}

/// Lane l of 0 to 3 reads 4 * l of bank 2 into R6.
fn request() -> Request {
    let mut request = Request { op: 2, size: 2, rd: 6, bank: 2, mask: 0xf, tag: 9, ..Request::default() };
    for (lane, addr) in request.addr.iter_mut().enumerate() {
        *addr = 4 * lane as u64;
    }
    request
}

fn answer() -> Writeback {
    let mut data = [0; MAX_LANES];
    data[..4].copy_from_slice(&[0x4000, 0x4004, 0x4008, 0x400c]);
    Writeback { tag: 9, rd: 6, mask: 0xf, data, last: true }
}

fn judge(request: Request, wb: Writeback) -> Result<(), Violation> {
    let mut oracle = oracle();
    oracle.accept(&request)?;
    oracle.writeback(&wb)
}

#[test]
fn the_right_answer_is_accepted() {
    let mut oracle = oracle();
    assert_eq!(oracle.accept(&request()), Ok(()));
    assert!(!oracle.is_idle());
    assert_eq!(oracle.writeback(&answer()), Ok(()));
    assert!(oracle.is_idle());
    assert_eq!(oracle.finish(), []);
    assert_eq!(oracle.status(&Status { ldc_passes: 1, ..Status::default() }), Ok(()));
}

#[test]
fn a_wrong_value_names_lane_register_and_rule() {
    let mut wb = answer();
    wb.data[2] = 0x4018;
    let violation = judge(request(), wb).unwrap_err();
    assert_eq!(
        violation,
        Violation::WrongValue { tag: 9, lane: 2, register: 6, expected: 0x4008, got: 0x4018, rule: "LDC-3" }
    );
    assert_eq!(violation.to_string(), "tag 9 lane 2: R6 expected 0x4008, got 0x4018 (LDC-3)");
}

#[test]
fn the_rule_follows_the_lane() {
    let one = |request: Request, data: u32| {
        let mut wb = Writeback { mask: 1, data: [0; MAX_LANES], ..answer() };
        wb.data[0] = data;
        judge(Request { mask: 1, ..request }, wb)
    };
    let with = |change: &dyn Fn(&mut Request)| {
        let mut request = request();
        change(&mut request);
        request
    };
    for (rule, request, expected) in [
        ("LDC-1", with(&|request| (request.ra_is_rz, request.imm) = (true, 0x10)), 0x4010),
        ("LDC-3", with(&|request| request.imm = 0x10), 0x4010),
        ("LDC-4", with(&|request| (request.mode, request.bank, request.addr[0]) = (1, 1, 0x1_0010)), 0x4010),
        ("LDC-5", with(&|request| (request.mode, request.bank, request.addr[0]) = (2, 1, 0x1_0010)), 0x4010),
        ("LDC-6", with(&|request| (request.mode, request.addr[0]) = (3, 0x10)), 0x4010),
        ("LDC-6", with(&|request| (request.mode, request.bank) = (3, 14)), 0),
        ("LDC-7", with(&|request| request.bank = 8), 0),
        ("LDC-7", with(&|request| request.bank = 3), 0),
        ("LDC-8", with(&|request| request.addr[0] = 0x100), 0),
        ("LDC-8", with(&|request| (request.mode, request.imm) = (2, 0xfffc)), 0),
        ("LDC-12", with(&|request| (request.size, request.sign, request.addr[0]) = (0, true, 0x80)), 0xffff_ff80),
        ("LDC-12", with(&|request| (request.size, request.addr[0]) = (0, 0x80)), 0x80),
    ] {
        assert_eq!(one(request, expected), Ok(()), "{rule}");
        let wrong = if rule == "LDC-12" { expected ^ 0xffff_ff00 } else { expected ^ 1 };
        match one(request, wrong) {
            Err(Violation::WrongValue { rule: found, .. }) => assert_eq!(found, rule),
            other => panic!("{rule}: {other:?}"),
        }
    }
}

#[test]
fn masks_and_registers_are_judged() {
    let wrong = |change: fn(&mut Writeback)| {
        let mut wb = answer();
        change(&mut wb);
        judge(request(), wb).unwrap_err()
    };
    assert_eq!(wrong(|wb| wb.mask = 0x1f), Violation::LaneNotWritable { tag: 9, lane: 4, register: 6, rule: "LDC-13" });
    assert_eq!(wrong(|wb| wb.data[7] = 1), Violation::DataOutsideMask { tag: 9, lane: 7, register: 6, got: 1 });
    assert_eq!(wrong(|wb| wb.rd = 7), Violation::WrongRegister { tag: 9, register: 7, first: 6, count: 1 });
    assert_eq!(wrong(|wb| wb.tag = 8), Violation::NoOperation { tag: 8, port: "wb" });
    let missing = |wb: &mut Writeback| {
        wb.mask = 0xe;
        wb.data[0] = 0;
    };
    assert_eq!(wrong(missing), Violation::NotWritten { tag: 9, lane: 0, register: 6 });
    let discarded = judge(Request { rd: 255, ..request() }, Writeback { rd: 255, ..answer() }).unwrap_err();
    assert_eq!(discarded, Violation::LaneNotWritable { tag: 9, lane: 0, register: 255, rule: "LDC-10" });
}

#[test]
fn each_register_comes_exactly_once() {
    let mut oracle = oracle();
    oracle.accept(&request()).unwrap();
    oracle.writeback(&Writeback { last: false, ..answer() }).unwrap();
    let twice = oracle.writeback(&answer()).unwrap_err();
    assert_eq!(twice, Violation::WrittenTwice { tag: 9, lane: 0, register: 6 });
    assert_eq!(oracle.finish(), [Violation::Unanswered { tag: 9 }]);
    let again = judge(request(), answer()).and_then(|()| {
        let mut oracle = self::oracle();
        oracle.accept(&request())?;
        oracle.writeback(&answer())?;
        oracle.writeback(&answer())
    });
    assert_eq!(again, Err(Violation::NoOperation { tag: 9, port: "wb" }));
    // Half of a pair is missing.
    let pair = Request { size: 3, mask: 1, ..request() };
    let mut half = Writeback { mask: 1, data: [0; MAX_LANES], ..answer() };
    half.data[0] = 0x4000;
    assert_eq!(judge(pair, half), Err(Violation::NotWritten { tag: 9, lane: 0, register: 7 }));
}

#[test]
fn faults_must_be_the_documented_ones() {
    let mut misaligned = request();
    misaligned.addr[1] = 6;
    misaligned.addr[3] = 1;
    let right = FaultRecord { tag: 9, cause: 3, lanes: 0b1010, addr: 6 };
    let judge = |request: Request, record: FaultRecord| {
        let mut oracle = oracle();
        oracle.accept(&request)?;
        oracle.fault(&record)
    };
    assert_eq!(judge(misaligned, right), Ok(()));
    for wrong in [
        FaultRecord { cause: 2, ..right },
        FaultRecord { lanes: 0b1111, ..right },
        FaultRecord { addr: 1, ..right },
        FaultRecord { tag: 1, ..right },
    ] {
        assert!(judge(misaligned, wrong).is_err(), "{wrong:?}");
    }
    // Precedence: register, then size, then address.
    let register = Request { size: 3, rd: 7, ..misaligned };
    assert_eq!(judge(register, FaultRecord { cause: 1, lanes: 0xf, addr: 0, ..right }), Ok(()));
    assert!(judge(register, FaultRecord { lanes: 0xf, addr: 0, ..right }).is_err());
    let size = Request { size: 6, rd: 7, ..misaligned };
    assert_eq!(judge(size, FaultRecord { cause: 2, lanes: 0xf, addr: 0, ..right }), Ok(()));
    assert_eq!(judge(request(), right), Err(Violation::UnexpectedFault { tag: 9, cause: 3, lanes: 0b1010 }));
    let mut oracle = oracle();
    oracle.accept(&misaligned).unwrap();
    let port = oracle.writeback(&answer()).unwrap_err();
    assert_eq!(port, Violation::WrongPort { tag: 9, port: "wb", expected: "fault" });
}

#[test]
fn memory_errors_need_an_error_answer() {
    let record = FaultRecord { tag: 9, cause: 5, lanes: 0b0011, addr: 0 };
    // Lanes 0 and 1 read the sector at 0x4000, lanes 2 and 3 the one at 0x4020.
    let mut two = request();
    (two.addr[2], two.addr[3]) = (0x20, 0x24);
    let mut rest = answer();
    rest.mask = 0b1100;
    rest.data[..4].copy_from_slice(&[0, 0, 0x4020, 0x4024]);

    let mut good = oracle();
    good.accept(&two).unwrap();
    good.memory_error_answered(BANK);
    assert_eq!(good.fault(&record), Ok(()));
    assert_eq!(good.writeback(&rest), Ok(()));
    assert!(good.is_idle());

    // The record may be taken after wb_last.
    let mut late = oracle();
    late.accept(&two).unwrap();
    late.memory_error_answered(BANK);
    assert_eq!(late.writeback(&rest), Ok(()));
    assert_eq!(late.finish(), [Violation::MissingErrorRecord { tag: 9, lanes: 0b11 }]);
    assert_eq!(late.accept(&two), Ok(()));
    assert_eq!(late.fault(&record), Ok(()));
    assert_eq!(late.finish(), [Violation::Unanswered { tag: 9 }]);

    // No error answer, or one from before the operation.
    let mut none = oracle();
    none.memory_error_answered(BANK);
    none.accept(&two).unwrap();
    assert!(matches!(none.fault(&record), Err(Violation::UnfoundedError { lane: 0, .. })));
    let mut lost = oracle();
    lost.accept(&two).unwrap();
    assert_eq!(lost.writeback(&rest), Err(Violation::NotWritten { tag: 9, lane: 0, register: 6 }));

    let judge = |record: FaultRecord| {
        let mut oracle = oracle();
        oracle.accept(&two)?;
        oracle.memory_error_answered(BANK);
        oracle.fault(&record)
    };
    assert!(matches!(judge(FaultRecord { lanes: 0b0111, ..record }), Err(Violation::UnfoundedError { lane: 2, .. })));
    assert_eq!(
        judge(FaultRecord { lanes: 0b01, ..record }),
        Err(Violation::MissingErrorRecord { tag: 9, lanes: 0b10 })
    );
    assert_eq!(
        judge(FaultRecord { addr: 4, ..record }),
        Err(Violation::WrongErrorAddress { tag: 9, expected: 0, got: 4 })
    );
    // A failed lane that is written all the same.
    let mut both = oracle();
    both.accept(&two).unwrap();
    both.memory_error_answered(BANK);
    both.fault(&record).unwrap();
    let mut all = rest;
    all.mask = 0xf;
    all.data[..2].copy_from_slice(&[0x4000, 0x4004]);
    assert_eq!(both.writeback(&all), Err(Violation::FailedLaneWritten { tag: 9, lane: 0, register: 6 }));
}

#[test]
fn no_sector_is_fetched_that_no_lane_in_bounds_needs() {
    let read = |addr: u64| MemoryRequest { id: 2, addr, strb: u32::MAX, ..MemoryRequest::default() };
    let mut oracle = oracle();
    // 48 bytes in bank 4, 96 in bank 5, both where bank 2 is.
    oracle.write_bank(&BankWrite { index: 4, base: BANK, size: 48, valid: true });
    oracle.write_bank(&BankWrite { index: 5, base: BANK, size: 96, valid: true });
    let judge = |bank: u8, place: u64, addr: u64| {
        let mut oracle = oracle.clone();
        oracle.accept(&Request { bank, addr: [place; MAX_LANES], mask: 1, ..request() }).unwrap();
        oracle.memory_request(&read(addr))
    };
    let unwanted = |address: u64| Err(Violation::UnwantedRead { id: 2, address, strobes: u32::MAX });
    assert_eq!(judge(4, 0, BANK), Ok(()));
    assert_eq!(judge(4, 0, BANK + 32), Ok(()));
    assert_eq!(judge(4, 0, BANK + 64), unwanted(BANK + 64));
    assert_eq!(judge(4, 48, BANK), unwanted(BANK));
    assert_eq!(judge(5, 64, BANK + 64), Ok(()));
    assert_eq!(judge(5, 64, BANK + 96), unwanted(BANK + 96));
    assert_eq!(oracle.memory_request(&read(BANK)), unwanted(BANK));
}

#[test]
fn commands_are_done_once() {
    let command = Request { op: 3, cmd: 2, tag: 9, mask: 0xf, ..Request::default() };
    let mut oracle = oracle();
    oracle.accept(&command).unwrap();
    assert_eq!(oracle.accept(&command), Err(Violation::TagInFlight { tag: 9 }));
    assert_eq!(oracle.writeback(&answer()), Err(Violation::WrongPort { tag: 9, port: "wb", expected: "done" }));
    assert_eq!(oracle.done(9), Ok(()));
    assert_eq!(oracle.done(9), Err(Violation::NoOperation { tag: 9, port: "done" }));
    oracle.accept(&request()).unwrap();
    assert_eq!(oracle.done(9), Err(Violation::WrongPort { tag: 9, port: "done", expected: "wb" }));
}

#[test]
fn status_adds_up() {
    let mut oracle = oracle();
    oracle.accept(&Request { bank: 8, ..request() }).unwrap();
    oracle.writeback(&Writeback { data: [0; MAX_LANES], ..answer() }).unwrap();
    let right = Status { ldc_unpredictable: true, ldc_passes: 1, ..Status::default() };
    assert_eq!(oracle.status(&right), Ok(()));
    assert!(oracle.status(&Status { ldc_unpredictable: false, ..right }).is_err());
    assert!(oracle.status(&Status { ldc_passes: 2, ..right }).is_err());
    oracle.write_bank(&BankWrite { index: 2, size: 8, ..BankWrite::default() });
    assert!(oracle.status(&right).is_err());
    assert_eq!(oracle.status(&Status { cfg_refused: true, ..right }), Ok(()));
}

/// A unit whose bank 2 somebody writes: the word at offset 4 holds what the cell holds.
struct Written {
    oracle: Oracle<Box<dyn Fn(u64) -> u32>>,
    history: SharedHistory,
    word: Rc<Cell<u32>>,
}

impl Written {
    fn new(word: u32) -> Self {
        let (word, history) = (Rc::new(Cell::new(word)), SharedHistory::new());
        let cell = Rc::clone(&word);
        let memory: Box<dyn Fn(u64) -> u32> =
            Box::new(move |address| if address == BANK + 4 { cell.get() } else { address as u32 });
        let mut oracle = Oracle::sharing(&WARP32, memory, true, &history);
        oracle.write_bank(&BankWrite { index: 2, base: BANK, size: 0x100, valid: true });
        Self { oracle, history, word }
    }

    fn write(&mut self, value: u32) {
        let before =
            std::array::from_fn(|index| if index == 1 { self.word.get() } else { BANK as u32 + 4 * index as u32 });
        self.history.write_from_outside(BANK, 0xf0, &[value; 8], &before);
        self.word.set(value);
    }

    fn accept(&mut self, tag: u8) {
        self.oracle.accept(&Request { tag, ..request() }).unwrap();
    }

    /// Lane 1 of the LDC of `tag`, which reads the word, gets `value`.
    fn answer(&mut self, tag: u8, value: u32) -> Result<(), Violation> {
        let mut wb = Writeback { tag, ..answer() };
        wb.data[1] = value;
        self.oracle.writeback(&wb)
    }

    fn run(&mut self, value: u32) -> Result<(), Violation> {
        self.accept(9);
        self.answer(9, value)
    }

    fn invalidate(&mut self, tag: u8) {
        self.oracle.accept(&Request { op: 3, cmd: 2, tag, ..Request::default() }).unwrap();
    }
}

#[test]
fn constants_may_be_old_until_the_cache_has_been_invalidated() {
    const OLD: u32 = 0x11_2233;
    const NEW: u32 = 0x44_5566;
    let wrong =
        |expected, got| Err(Violation::WrongValue { tag: 9, lane: 1, register: 6, expected, got, rule: "LDC-3" });
    let mut unit = Written::new(OLD);
    assert_eq!(unit.run(OLD), Ok(()));
    // Nobody has written yet.
    assert!(Written::new(OLD).run(NEW).is_err());
    // Accepted before the write, answered after it.
    unit.accept(9);
    unit.write(NEW);
    assert_eq!(unit.answer(9, OLD), Ok(()));
    assert_eq!(unit.run(OLD), Ok(()));
    assert_eq!(unit.run(NEW), Ok(()));
    unit.accept(9);
    assert_eq!(unit.answer(9, OLD + 1), wrong(NEW, OLD + 1));
    assert_eq!(unit.answer(9, NEW), Ok(()));
    // Not before it is acknowledged.
    unit.invalidate(3);
    unit.accept(9);
    unit.oracle.done(3).unwrap();
    assert_eq!(unit.answer(9, OLD), Ok(()));
    unit.accept(9);
    assert_eq!(unit.answer(9, OLD), wrong(NEW, OLD));
    assert_eq!(unit.answer(9, NEW), Ok(()));
    // What was written after the acceptance of the command may still be missing.
    unit.invalidate(3);
    unit.write(77);
    unit.oracle.done(3).unwrap();
    assert_eq!(unit.run(NEW), Ok(()));
    assert_eq!(unit.run(77), Ok(()));
    unit.accept(9);
    assert_eq!(unit.answer(9, OLD), wrong(77, OLD));
    // Reset empties the cache too.
    unit.oracle.reset(false);
    unit.oracle.write_bank(&BankWrite { index: 2, base: BANK, size: 0x100, valid: true });
    unit.accept(9);
    assert_eq!(unit.answer(9, NEW), wrong(77, NEW));
}

#[test]
fn an_old_constant_is_extended_as_a_new_one() {
    let read = |value| {
        let mut unit = Written::new(0x8001);
        unit.write(0x7002);
        let request = Request { size: 1, sign: true, mask: 2, ..request() };
        unit.oracle.accept(&request).unwrap();
        let mut wb = Writeback { mask: 2, data: [0; MAX_LANES], ..answer() };
        wb.data[1] = value;
        unit.oracle.writeback(&wb)
    };
    assert_eq!(read(0x7002), Ok(()));
    assert_eq!(read(0xffff_8001), Ok(()));
    assert!(read(0x8001).is_err());
    assert!(read(0xffff_8003).is_err());
}

#[test]
fn idle_means_that_nothing_is_in_flight() {
    let mut oracle = oracle();
    assert_eq!(oracle.idle(true), Ok(()));
    oracle.accept(&request()).unwrap();
    assert_eq!(oracle.idle(false), Ok(()));
    let too_soon = Violation::WrongStatus { pin: "status_idle", expected: 0, got: 1, rule: "idle" };
    assert_eq!(oracle.idle(true), Err(too_soon));
    oracle.writeback(&answer()).unwrap();
    assert_eq!(oracle.idle(true), Ok(()));
}
