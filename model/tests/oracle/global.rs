//! The oracle tells right from wrong in the global path: each rule with a case that passes and one that must be rejected,
//! worked out by hand. Every word of memory holds its own address.

use lsu_model::oracle::{Oracle, SharedHistory, Violation};
use lsu_model::pins::{
    FaultRecord, MAX_LANES, MemoryRequest, MemoryResponse, Request, Status, Window, Windows, Writeback,
};
use lsu_model::preset::WARP32;

type Words = fn(u64) -> u32;
type Verdict = Result<(), Violation>;

const RELAXED: u8 = 1;
const ACQUIRE: u8 = 2;
const MMIO: u8 = 5;
const GPU: u8 = 2;
const CG: u8 = 2;
const CV: u8 = 5;

fn sharing(history: &SharedHistory) -> Oracle<Words> {
    Oracle::sharing(&WARP32, (|address| address as u32) as Words, true, history)
}

fn oracle() -> Oracle<Words> {
    sharing(&SharedHistory::new())
}

/// Lane l of 0 and 1 reads word l from 0x100 on into R4.
fn load() -> Request {
    let mut request = Request { op: 0, space: 1, size: 2, dst_width: 1, rd: 4, mask: 3, tag: 9, ..Request::default() };
    for (lane, addr) in request.addr.iter_mut().enumerate() {
        *addr = 0x100 + 4 * lane as u64;
    }
    request
}

fn store() -> Request {
    Request { op: 1, ..load() }
}

fn registers(tag: u8, values: [u32; 2]) -> Writeback {
    let mut data = [0; MAX_LANES];
    data[..2].copy_from_slice(&values);
    Writeback { tag, rd: 4, mask: 3, data, last: true }
}

/// The read that `request` makes of the sector at 0x100.
fn read(request: &Request, id: u8) -> MemoryRequest {
    MemoryRequest {
        id,
        addr: 0x100,
        strb: u32::MAX,
        l2_evict: request.l2_evict,
        policy_en: request.policy_en,
        policy: request.policy,
        prefetch: request.prefetch,
        cop: request.cop,
        sem: request.sem,
        scope: request.scope,
        ..MemoryRequest::default()
    }
}

fn write(request: &Request, id: u8, values: [u32; 2]) -> MemoryRequest {
    let mut data = [0; 8];
    data[..2].copy_from_slice(&values);
    MemoryRequest { write: true, strb: 0xff, data, ..read(request, id) }
}

fn good(id: u8) -> MemoryResponse {
    MemoryResponse { id, ..MemoryResponse::default() }
}

fn bad(id: u8) -> MemoryResponse {
    MemoryResponse { error: true, ..good(id) }
}

/// A load from acceptance to its registers, with a read of its own.
fn run_load(oracle: &mut Oracle<Words>, request: Request, values: [u32; 2]) -> Verdict {
    oracle.accept(&request)?;
    oracle.memory_request(&read(&request, 64))?;
    oracle.memory_response(&good(64));
    oracle.writeback(&registers(request.tag, values))
}

/// A load that hits.
fn run_hit(oracle: &mut Oracle<Words>, request: Request, values: [u32; 2]) -> Verdict {
    oracle.accept(&request)?;
    oracle.writeback(&registers(request.tag, values))
}

fn data(values: [u32; 2]) -> [u32; MAX_LANES] {
    let mut data = [0; MAX_LANES];
    data[..2].copy_from_slice(&values);
    data
}

/// A store from acceptance to `done`.
fn run_store(oracle: &mut Oracle<Words>, request: Request, values: [u32; 2]) -> Verdict {
    oracle.accept(&request)?;
    oracle.store_data(request.tag, &data(values))?;
    let write = write(&request, 100, values);
    oracle.memory_request(&write)?;
    oracle.memory_write(&write);
    oracle.memory_response(&good(100));
    oracle.done(request.tag)
}

fn forbidden(verdict: Verdict) -> bool {
    matches!(verdict, Err(Violation::ForbiddenValue { .. }))
}

const OLD: [u32; 2] = [0x100, 0x104];
const NEW: [u32; 2] = [0xaaaa_aaaa, 0xbbbb_bbbb];
const NEWER: [u32; 2] = [0xcccc_cccc, 0xdddd_dddd];

/// Two units on one memory.
fn two() -> (Oracle<Words>, Oracle<Words>) {
    let history = SharedHistory::new();
    (sharing(&history), sharing(&history))
}

#[test]
fn a_load_sees_what_memory_holds() {
    assert_eq!(run_load(&mut oracle(), load(), OLD), Ok(()));
    assert!(forbidden(run_load(&mut oracle(), load(), [0x100, 0x105])));
    let violation = run_load(&mut oracle(), load(), [0x100, 0x1_0104]).unwrap_err();
    let rule = "a weak load sees nothing older than the last invalidation, own store or strong load";
    assert_eq!(violation, Violation::ForbiddenValue { tag: 9, lane: 1, register: 4, address: 0x106, got: 1, rule });
    assert_eq!(violation.to_string(), format!("tag 9 lane 1: R4 byte 0x01 from address 0x106 ({rule})"));
}

#[test]
fn a_weak_load_may_see_old_values_until_l1_is_emptied() {
    let (mut here, mut there) = two();
    assert_eq!(run_store(&mut there, store(), NEW), Ok(()));
    assert_eq!(run_hit(&mut here, load(), OLD), Ok(()));
    assert_eq!(run_hit(&mut here, load(), NEW), Ok(()));
    // Each byte on its own.
    assert_eq!(run_hit(&mut here, load(), [0x100, 0xbbbb_bbbb]), Ok(()));
    let command = Request { op: 3, cmd: 0, tag: 1, ..Request::default() };
    here.accept(&command).unwrap();
    // Accepted before the command has completed.
    here.accept(&load()).unwrap();
    here.done(1).unwrap();
    assert_eq!(here.writeback(&registers(9, OLD)), Ok(()));
    assert!(forbidden(run_hit(&mut here.clone(), load(), OLD)));
    assert_eq!(run_hit(&mut here, load(), NEW), Ok(()));
    // The other commands empty no L1.
    for cmd in [1, 3] {
        let (mut here, mut there) = two();
        run_store(&mut there, store(), NEW).unwrap();
        here.accept(&Request { cmd, ..command }).unwrap();
        here.done(1).unwrap();
        assert_eq!(run_hit(&mut here, load(), OLD), Ok(()));
    }
}

#[test]
fn a_strong_load_sees_what_is_there_since_its_acceptance() {
    for request in [
        Request { sem: RELAXED, scope: GPU, ..load() },
        Request { sem: 4, ..load() },
        Request { cop: CV, ..load() },
        Request { cop: CG, ..load() },
    ] {
        let (mut here, mut there) = two();
        run_store(&mut there, store(), NEW).unwrap();
        assert!(forbidden(run_load(&mut here.clone(), request, OLD)));
        assert_eq!(run_load(&mut here, request, NEW), Ok(()));
        // What ends while it is in flight is allowed, and what comes while it is.
        here.accept(&request).unwrap();
        run_store(&mut there, store(), NEWER).unwrap();
        here.memory_request(&read(&request, 64)).unwrap();
        here.memory_response(&good(64));
        assert_eq!(here.writeback(&registers(9, [NEW[0], NEWER[1]])), Ok(()));
        // It must ask itself.
        let verdict = run_hit(&mut here, request, NEWER);
        assert_eq!(verdict, Err(Violation::NotFetched { tag: 9, lane: 0, address: 0x100 }));
    }
    // relaxed.cta is weak.
    assert_eq!(run_hit(&mut oracle(), Request { sem: RELAXED, ..load() }, OLD), Ok(()));
}

#[test]
fn an_acquire_empties_l1_up_to_what_it_has_seen() {
    let flag = |request: Request| Request { addr: [0x200; MAX_LANES], tag: 1, mask: 1, ..request };
    let acquire = flag(Request { sem: ACQUIRE, scope: GPU, ..load() });
    let at_flag = |request: MemoryRequest| MemoryRequest { addr: 0x200, ..request };
    let one = |value: u32| Writeback { mask: 1, ..registers(1, [value, 0]) };
    let publish = |there: &mut Oracle<Words>| {
        let release = flag(Request { sem: 3, scope: GPU, ..store() });
        there.accept(&release).unwrap();
        there.store_data(release.tag, &data([7, 0])).unwrap();
        let write = MemoryRequest { strb: 0xf, ..at_flag(write(&release, 101, [7, 0])) };
        there.memory_request(&write).unwrap();
        there.memory_write(&write);
        there.memory_response(&good(101));
        there.done(1).unwrap();
    };
    for (flag_seen, old_is_allowed) in [(0x200, true), (7, false)] {
        let (mut here, mut there) = two();
        here.accept(&acquire).unwrap();
        // The data, then the flag, both while the acquire is in flight.
        run_store(&mut there, store(), NEW).unwrap();
        publish(&mut there);
        here.memory_request(&at_flag(read(&acquire, 64))).unwrap();
        here.memory_response(&good(64));
        assert_eq!(here.writeback(&one(flag_seen)), Ok(()));
        assert_eq!(run_hit(&mut here.clone(), load(), NEW), Ok(()));
        assert_eq!(run_hit(&mut here.clone(), load(), OLD).is_ok(), old_is_allowed);
        // The read-only cache is not touched.
        assert_eq!(run_hit(&mut here, Request { nc: true, ..load() }, OLD), Ok(()));
    }
    // A load that was accepted before the acquire's value came: of the same warp it is looked up after that, of another one it need not be.
    for (warp, old_is_allowed) in [(0, false), (1, true)] {
        let (mut here, mut there) = two();
        here.accept(&acquire).unwrap();
        let later = Request { warp, ..load() };
        here.accept(&later).unwrap();
        run_store(&mut there, store(), NEW).unwrap();
        publish(&mut there);
        here.memory_request(&at_flag(read(&acquire, 64))).unwrap();
        here.memory_response(&good(64));
        assert_eq!(here.writeback(&one(7)), Ok(()));
        assert_eq!(here.clone().writeback(&registers(later.tag, NEW)), Ok(()));
        assert_eq!(here.writeback(&registers(later.tag, OLD)).is_ok(), old_is_allowed);
    }
}

#[test]
fn a_release_comes_after_what_is_before_it_in_its_warp() {
    let release = Request { sem: 3, scope: GPU, tag: 1, addr: [0x200; MAX_LANES], mask: 1, ..store() };
    let own_write = MemoryRequest { strb: 0xf, addr: 0x200, ..write(&release, 66, [7, 0]) };
    let begin = |warp: u8| {
        let mut oracle = oracle();
        oracle.accept(&Request { warp, ..store() }).unwrap();
        oracle.store_data(9, &data(NEW)).unwrap();
        oracle.accept(&release).unwrap();
        oracle.store_data(1, &data([7, 0])).unwrap();
        oracle
    };
    // The earlier store is not under way, is under way, and is answered.
    let too_early = Err(Violation::ReleasedTooEarly { tag: 1, earlier: 9, address: 0x100 });
    let mut oracle = begin(0);
    assert_eq!(oracle.clone().memory_request(&own_write), too_early);
    oracle.memory_request(&write(&store(), 65, NEW)).unwrap();
    oracle.memory_write(&write(&store(), 65, NEW));
    assert_eq!(oracle.clone().memory_request(&own_write), too_early);
    oracle.memory_response(&good(65));
    assert_eq!(oracle.memory_request(&own_write), Ok(()));
    // Another warp's store is none of its business.
    assert_eq!(begin(1).memory_request(&own_write), Ok(()));
    // A read of its warp that is under way.
    let mut oracle = self::oracle();
    let earlier = Request { sem: RELAXED, scope: GPU, ..load() };
    oracle.accept(&earlier).unwrap();
    oracle.memory_request(&read(&earlier, 65)).unwrap();
    oracle.accept(&release).unwrap();
    oracle.store_data(1, &data([7, 0])).unwrap();
    assert_eq!(oracle.memory_request(&own_write), too_early);
}

#[test]
fn a_weak_load_sees_its_own_units_stores() {
    let mut oracle = oracle();
    run_store(&mut oracle, store(), NEW).unwrap();
    assert!(forbidden(run_hit(&mut oracle.clone(), load(), OLD)));
    assert_eq!(run_hit(&mut oracle, load(), NEW), Ok(()));
    // A store in flight is seen when memory has it; until it is done what was there before may be seen, too.
    oracle.accept(&Request { tag: 1, ..store() }).unwrap();
    oracle.store_data(1, &data(NEWER)).unwrap();
    assert!(forbidden(run_hit(&mut oracle.clone(), load(), NEWER)));
    oracle.memory_request(&write(&Request { tag: 1, ..store() }, 64, NEWER)).unwrap();
    oracle.memory_write(&write(&store(), 64, NEWER));
    assert_eq!(run_hit(&mut oracle, load(), NEWER), Ok(()));
    assert_eq!(run_hit(&mut oracle, load(), NEW), Ok(()));
    assert!(forbidden(run_hit(&mut oracle.clone(), load(), OLD)));
    // Another unit may not see it.
    let (mut here, mut there) = two();
    there.accept(&store()).unwrap();
    there.store_data(store().tag, &data(NEW)).unwrap();
    assert!(forbidden(run_hit(&mut here, load(), NEW)));
}

#[test]
fn a_weak_load_does_not_go_back_behind_a_strong_one() {
    let strong = Request { sem: RELAXED, scope: GPU, ..load() };
    for (drops, request) in
        [(true, strong), (true, Request { cop: CV, ..load() }), (false, Request { cop: CG, ..load() })]
    {
        let (mut here, mut there) = two();
        here.accept(&Request { tag: 1, ..request }).unwrap();
        run_store(&mut there, store(), NEW).unwrap();
        here.memory_request(&read(&request, 64)).unwrap();
        here.memory_response(&good(64));
        here.writeback(&registers(1, NEW)).unwrap();
        assert_eq!(run_hit(&mut here.clone(), load(), NEW), Ok(()));
        assert_eq!(forbidden(run_hit(&mut here, load(), OLD)), drops);
    }
}

#[test]
fn a_non_coherent_load_sees_old_values_until_its_cache_is_emptied() {
    let nc = Request { nc: true, ..load() };
    let mut oracle = oracle();
    run_store(&mut oracle, store(), NEW).unwrap();
    // Even its own unit's stores.
    assert_eq!(run_hit(&mut oracle, nc, OLD), Ok(()));
    assert!(forbidden(run_hit(&mut oracle.clone(), nc, NEWER)));
    let invalidate = |cmd| Request { op: 3, cmd, tag: 1, ..Request::default() };
    oracle.accept(&invalidate(0)).unwrap();
    oracle.done(1).unwrap();
    assert_eq!(run_hit(&mut oracle, nc, OLD), Ok(()));
    oracle.accept(&invalidate(1)).unwrap();
    oracle.done(1).unwrap();
    assert!(forbidden(run_hit(&mut oracle.clone(), nc, OLD)));
    assert_eq!(run_hit(&mut oracle, nc, NEW), Ok(()));
}

#[test]
fn registers_extension_and_sinks() {
    // Lane 0 reads bytes 0x80 to 0x83, which hold 80 00 00 00; two signed bytes into two 64-bit registers.
    let narrow = Request { size: 0, vec: 1, sign: true, dst_width: 2, mask: 1, addr: [0x80; MAX_LANES], ..load() };
    let answer = |values: [u32; 4]| {
        let mut oracle = oracle();
        oracle.accept(&narrow).unwrap();
        let write = |(number, value): (usize, u32)| {
            let wb = Writeback { rd: 4 + number as u8, mask: 1, last: number == 3, ..registers(9, [value, 0]) };
            oracle.writeback(&wb)
        };
        values.into_iter().enumerate().try_for_each(write)
    };
    assert_eq!(answer([0xffff_ff80, u32::MAX, 0, 0]), Ok(()));
    let wrong = |register, expected, got| Err(Violation::WrongExtension { tag: 9, lane: 0, register, expected, got });
    assert_eq!(answer([0x80, 0, 0, 0]), wrong(4, 0xffff_ff80, 0x80));
    assert_eq!(answer([0xffff_ff80, 0, 0, 0]), wrong(5, u32::MAX, 0));
    assert_eq!(answer([0xffff_ff80, u32::MAX, 0, 1]), wrong(7, 0, 1));
    // Sunk elements and RZ are not written; lanes and registers come once.
    let pair = Request { vec: 1, sink: 0b10, mask: 1, addr: [0x100; MAX_LANES], ..load() };
    let run = |request: Request, all: &[Writeback]| {
        let mut oracle = oracle();
        oracle.accept(&request).unwrap();
        all.iter().try_for_each(|wb| oracle.writeback(wb))
    };
    let first = Writeback { mask: 1, last: false, ..registers(9, [0x100, 0]) };
    let second = Writeback { rd: 5, mask: 0, last: true, ..registers(9, [0, 0]) };
    assert_eq!(run(pair, &[first, second]), Ok(()));
    let written = Writeback { mask: 1, ..Writeback { data: data([0x104, 0]), ..second } };
    assert_eq!(
        run(pair, &[first, written]),
        Err(Violation::LaneNotWritable { tag: 9, lane: 0, register: 5, rule: "sink" })
    );
    assert_eq!(
        run(Request { sink: 0, ..pair }, &[first, second]),
        Err(Violation::NotWritten { tag: 9, lane: 0, register: 5 })
    );
    assert_eq!(run(pair, &[first, first]), Err(Violation::WrittenTwice { tag: 9, lane: 0, register: 4 }));
    let rz = Request { rd: 255, ..pair };
    let to_rz = Writeback { rd: 255, ..first };
    assert_eq!(run(rz, &[to_rz]), Err(Violation::LaneNotWritable { tag: 9, lane: 0, register: 255, rule: "RZ" }));
    let outside = Writeback { mask: 1, ..registers(9, [0x100, 4]) };
    assert_eq!(run(pair, &[outside]), Err(Violation::DataOutsideMask { tag: 9, lane: 1, register: 4, got: 4 }));
    let beyond = Writeback { rd: 6, ..first };
    assert_eq!(run(pair, &[beyond]), Err(Violation::WrongRegister { tag: 9, register: 6, first: 4, count: 2 }));
}

#[test]
fn every_byte_stored_reaches_memory_once() {
    let begin = |values| {
        let mut oracle = oracle();
        oracle.accept(&store()).unwrap();
        oracle.store_data(store().tag, &data(values)).unwrap();
        oracle
    };
    let request = store();
    let right = write(&request, 64, NEW);
    let unwanted = |request: MemoryRequest| {
        Err(Violation::UnwantedWrite { id: request.id, address: request.addr, strobes: request.strb })
    };
    for wrong in [
        write(&request, 64, [NEW[0], 0]),
        MemoryRequest { strb: 0x1ff, ..right },
        MemoryRequest { strb: 0, ..right },
        MemoryRequest { addr: 0x120, ..right },
        MemoryRequest { prefetch: 1, ..right },
        MemoryRequest { l2_evict: 1, ..right },
    ] {
        assert_eq!(begin(NEW).memory_request(&wrong), unwanted(wrong));
    }
    let mut oracle = begin(NEW);
    oracle.memory_request(&right).unwrap();
    oracle.memory_write(&right);
    // Again; under the same id; too early; and at last.
    let again = MemoryRequest { id: 65, ..right };
    assert_eq!(oracle.clone().memory_request(&again), unwanted(again));
    assert_eq!(oracle.clone().memory_request(&right), Err(Violation::IdInFlight { id: 64 }));
    assert_eq!(oracle.clone().done(9), Err(Violation::DoneTooEarly { tag: 9, address: 0x100 }));
    oracle.memory_response(&good(64));
    assert_eq!(oracle.done(9), Ok(()));
    // In two halves, of which one is missing.
    let mut oracle = begin(NEW);
    oracle.memory_request(&MemoryRequest { strb: 0xf, ..right }).unwrap();
    oracle.memory_response(&good(64));
    assert_eq!(oracle.clone().done(9), Err(Violation::MissingTransaction { tag: 9, address: 0x100 }));
    oracle.memory_request(&MemoryRequest { strb: 0xf0, ..right }).unwrap();
    oracle.memory_response(&good(64));
    assert_eq!(oracle.done(9), Ok(()));
    // Lanes in conflict: the highest wins.
    let same = Request { addr: [0x100; MAX_LANES], ..store() };
    for (value, is_right) in [(0x1111_1111, false), (0x2222_2222, true), (0x1122_1122, false), (0x2222_2233, false)] {
        let mut oracle = sharing(&SharedHistory::new());
        oracle.accept(&same).unwrap();
        oracle.store_data(store().tag, &data([0x1111_1111, 0x2222_2222])).unwrap();
        let write = MemoryRequest { strb: 0xf, ..write(&same, 64, [value, 0]) };
        assert_eq!(oracle.memory_request(&write).is_ok(), is_right);
    }
    // Before its data have come, a store writes nothing; data without a store are taken from nobody.
    let mut oracle = sharing(&SharedHistory::new());
    oracle.accept(&request).unwrap();
    assert_eq!(oracle.memory_request(&right), unwanted(right));
    oracle.store_data(store().tag, &data(NEW)).unwrap();
    assert_eq!(oracle.store_data(store().tag, &data(NEW)), Err(Violation::UnwantedData));
}

#[test]
fn no_read_is_made_that_nobody_wants() {
    let unwanted = |request: MemoryRequest| {
        Err(Violation::UnwantedRead { id: request.id, address: request.addr, strobes: request.strb })
    };
    let begin = |request: Request| {
        let mut oracle = oracle();
        oracle.accept(&request).unwrap();
        oracle
    };
    let right = read(&load(), 64);
    for wrong in [
        MemoryRequest { addr: 0x120, ..right },
        MemoryRequest { strb: 0xff, ..right },
        MemoryRequest { cop: 1, ..right },
        MemoryRequest { policy_en: true, ..right },
    ] {
        assert_eq!(begin(load()).memory_request(&wrong), unwanted(wrong));
    }
    let mut oracle = begin(load());
    assert_eq!(oracle.memory_request(&right), Ok(()));
    let again = MemoryRequest { id: 65, ..right };
    assert_eq!(oracle.memory_request(&again), unwanted(again));
    // Nothing is wanted: sunk, inactive, complete.
    assert_eq!(begin(Request { sink: 1, ..load() }).memory_request(&right), unwanted(right));
    assert_eq!(begin(Request { mask: 0, ..load() }).memory_request(&right), unwanted(right));
    let mut oracle = begin(load());
    oracle.writeback(&registers(9, OLD)).unwrap();
    assert_eq!(oracle.memory_request(&right), unwanted(right));
    // cs and lu ask the L2 to evict first.
    for cop in [3, 4] {
        let streaming = Request { cop, ..load() };
        let plain = read(&streaming, 64);
        assert_eq!(begin(streaming).memory_request(&plain), unwanted(plain));
        assert_eq!(begin(streaming).memory_request(&MemoryRequest { l2_evict: 1, ..plain }), Ok(()));
    }
}

#[test]
fn mmio_is_one_exact_transaction_for_each_lane_in_order() {
    let request = Request { sem: MMIO, ..load() };
    let lane = |number: u64, id| MemoryRequest { strb: 0xf << (4 * number), ..read(&request, id) };
    let unwanted = |request: MemoryRequest| {
        Err(Violation::UnwantedRead { id: request.id, address: request.addr, strobes: request.strb })
    };
    let mut oracle = oracle();
    oracle.accept(&request).unwrap();
    for wrong in [lane(1, 64), read(&request, 64), MemoryRequest { strb: 0xff, ..lane(0, 64) }] {
        assert_eq!(oracle.clone().memory_request(&wrong), unwanted(wrong));
    }
    oracle.memory_request(&lane(0, 64)).unwrap();
    assert_eq!(oracle.clone().memory_request(&lane(0, 65)), unwanted(lane(0, 65)));
    oracle.memory_response(&good(64));
    let one = Writeback { mask: 1, last: false, ..registers(9, [0x100, 0]) };
    assert_eq!(oracle.clone().writeback(&one), Ok(()));
    assert_eq!(
        oracle.clone().writeback(&registers(9, OLD)),
        Err(Violation::NotFetched { tag: 9, lane: 1, address: 0x100 })
    );
    oracle.memory_request(&lane(1, 64)).unwrap();
    oracle.memory_response(&good(64));
    assert_eq!(oracle.writeback(&registers(9, OLD)), Ok(()));
    // A discarded one makes its accesses all the same.
    oracle.accept(&Request { rd: 255, ..request }).unwrap();
    let end = Writeback { rd: 255, mask: 0, ..registers(9, [0, 0]) };
    assert_eq!(oracle.writeback(&end), Err(Violation::MissingTransaction { tag: 9, address: 0x100 }));
    // Stores too: not merged, in order.
    let mut oracle = sharing(&SharedHistory::new());
    let request = Request { sem: MMIO, ..store() };
    oracle.accept(&request).unwrap();
    oracle.store_data(store().tag, &data(NEW)).unwrap();
    let both = write(&request, 64, NEW);
    for wrong in [both, MemoryRequest { strb: 0xf0, ..both }] {
        assert!(matches!(oracle.clone().memory_request(&wrong), Err(Violation::UnwantedWrite { .. })));
    }
    for (id, strb) in [(64, 0xf), (65, 0xf0)] {
        assert_eq!(oracle.memory_request(&MemoryRequest { id, strb, ..both }), Ok(()));
        oracle.memory_response(&good(id));
        assert_eq!(oracle.clone().done(9).is_ok(), id == 65);
    }
}

#[test]
fn errors_name_exactly_the_lanes_that_failed() {
    let record = FaultRecord { tag: 9, cause: 5, lanes: 3, addr: 0x100 };
    let nothing = Writeback { mask: 0, ..registers(9, [0, 0]) };
    for request in [load(), Request { cop: CG, ..load() }] {
        let failed = || {
            let mut oracle = oracle();
            oracle.accept(&request).unwrap();
            oracle.memory_request(&read(&request, 64)).unwrap();
            oracle.memory_response(&bad(64));
            oracle
        };
        let mut oracle = failed();
        assert_eq!(oracle.fault(&record), Ok(()));
        assert_eq!(
            oracle.clone().writeback(&registers(9, OLD)),
            Err(Violation::FailedLaneWritten { tag: 9, lane: 0, register: 4 })
        );
        assert_eq!(oracle.writeback(&nothing), Ok(()));
        assert!(oracle.is_idle());
        // The record may come later, but must come.
        let mut oracle = failed();
        oracle.writeback(&nothing).unwrap();
        assert_eq!(oracle.finish(), [Violation::MissingErrorRecord { tag: 9, lanes: 3 }]);
        assert_eq!(oracle.fault(&record), Ok(()));
        assert_eq!(oracle.finish(), []);
        // Half of the lanes; the wrong address; a lane too many.
        let half = FaultRecord { lanes: 1, ..record };
        assert_eq!(failed().fault(&half), Err(Violation::MissingErrorRecord { tag: 9, lanes: 2 }));
        let elsewhere = FaultRecord { addr: 0x104, ..record };
        assert_eq!(
            failed().fault(&elsewhere),
            Err(Violation::WrongErrorAddress { tag: 9, expected: 0x100, got: 0x104 })
        );
        let more = FaultRecord { lanes: 7, ..record };
        assert_eq!(failed().fault(&more), Err(Violation::UnexpectedFault { tag: 9, cause: 5, lanes: 7 }));
        // Without an error.
        let mut fine = sharing(&SharedHistory::new());
        fine.accept(&request).unwrap();
        fine.memory_request(&read(&request, 64)).unwrap();
        fine.memory_response(&good(64));
        assert!(matches!(fine.clone().fault(&record), Err(Violation::UnfoundedError { lane: 0, .. })));
        assert_eq!(fine.writeback(&nothing), Err(Violation::NotWritten { tag: 9, lane: 0, register: 4 }));
    }
}

#[test]
fn a_record_is_rather_that_of_the_operation_in_flight_than_of_one_that_shows_nothing() {
    let record = FaultRecord { tag: 9, cause: 5, lanes: 3, addr: 0x100 };
    let nothing = |tag, rd| Writeback { rd, mask: 0, ..registers(tag, [0, 0]) };
    let mut oracle = oracle();
    oracle.accept(&Request { tag: 1, ..load() }).unwrap();
    oracle.memory_request(&read(&load(), 64)).unwrap();
    oracle.accept(&Request { rd: 255, ..load() }).unwrap();
    oracle.memory_response(&bad(64));
    // It may have joined the failed read, and whether it did nothing shows: a record of it may still come.
    oracle.writeback(&nothing(9, 255)).unwrap();
    // The same tag at once.
    oracle.accept(&load()).unwrap();
    oracle.fault(&record).unwrap();
    assert_eq!(oracle.writeback(&nothing(9, 4)), Ok(()));
    oracle.fault(&FaultRecord { tag: 1, ..record }).unwrap();
    oracle.writeback(&nothing(1, 4)).unwrap();
    assert_eq!(oracle.finish(), []);
}

#[test]
fn an_error_is_shared_only_while_the_line_is_in_use() {
    let record = FaultRecord { tag: 9, cause: 5, lanes: 3, addr: 0x100 };
    let other = |request: Request| Request { tag: 1, ..request };
    let mut oracle = oracle();
    oracle.accept(&other(load())).unwrap();
    oracle.memory_request(&read(&load(), 64)).unwrap();
    oracle.memory_response(&bad(64));
    let mut apart = oracle.clone();
    // Accepted while the failed one is in flight: it may have joined.
    oracle.accept(&load()).unwrap();
    assert_eq!(oracle.fault(&record), Ok(()));
    // Accepted after it: not.
    apart.fault(&FaultRecord { tag: 1, ..record }).unwrap();
    apart.writeback(&Writeback { mask: 0, ..registers(1, [0, 0]) }).unwrap();
    apart.accept(&load()).unwrap();
    assert!(matches!(apart.fault(&record), Err(Violation::UnfoundedError { .. })));
}

#[test]
fn a_store_that_fails_is_reported_and_its_bytes_are_never_seen() {
    let record = FaultRecord { tag: 9, cause: 5, lanes: 3, addr: 0x100 };
    let mut oracle = oracle();
    oracle.accept(&store()).unwrap();
    oracle.store_data(store().tag, &data(NEW)).unwrap();
    oracle.memory_request(&write(&store(), 64, NEW)).unwrap();
    assert!(matches!(oracle.clone().fault(&record), Err(Violation::UnfoundedError { .. })));
    oracle.memory_response(&bad(64));
    oracle.done(9).unwrap();
    assert_eq!(oracle.finish(), [Violation::MissingErrorRecord { tag: 9, lanes: 3 }]);
    oracle.fault(&record).unwrap();
    assert!(oracle.is_idle());
    assert!(forbidden(run_hit(&mut oracle.clone(), load(), NEW)));
    assert_eq!(run_hit(&mut oracle, load(), OLD), Ok(()));
}

#[test]
fn faults_have_their_cause_lanes_and_address() {
    // There is no bank behind it.
    let windows = Windows { param: Window { base: 0x110, size: 0x10 }, ..Windows::default() };
    let judge = |request: Request, cause, lanes, addr| {
        let mut oracle = oracle();
        oracle.set_windows(windows);
        oracle.accept(&request).unwrap();
        oracle.fault(&FaultRecord { tag: 9, cause, lanes, addr })
    };
    let top = 1 << 49;
    for (request, cause, lanes, addr) in [
        (Request { size: 3, rd: 5, ..load() }, 1, 3, 0x100),
        (Request { dst_width: 2, rd: 5, ..load() }, 1, 3, 0x100),
        (Request { vec: 2, rd: 252, ..load() }, 1, 3, 0x100),
        (Request { size: 5, rd: 8, ..load() }, 2, 3, 0x100),
        (Request { size: 4, vec: 2, rd: 16, ..load() }, 2, 3, 0x100),
        (Request { space: 3, ..load() }, 4, 3, 0x100),
        (Request { space: 3, nc: true, ..load() }, 2, 3, 0x100),
        (Request { space: 5, ..store() }, 2, 3, 0x100),
        (Request { sem: 3, ..load() }, 2, 3, 0x100),
        (Request { sem: 2, ..store() }, 2, 3, 0x100),
        (Request { sem: MMIO, vec: 1, ..load() }, 2, 3, 0x100),
        (Request { cop: 7, ..load() }, 2, 3, 0x100),
        (Request { cop: CV, ..store() }, 2, 3, 0x100),
        (Request { nc: true, ..store() }, 2, 3, 0x100),
        (Request { nc: true, cop: 4, ..load() }, 2, 3, 0x100),
        (Request { nc: true, sem: RELAXED, ..load() }, 2, 3, 0x100),
        (Request { space: 0, imm: 12, ..load() }, 4, 2, 0x110),
        (Request { space: 0, imm: 12, nc: true, ..load() }, 2, 2, 0x110),
        (Request { space: 0, imm: 12, ..store() }, 2, 2, 0x110),
        (Request { imm: 2, ..load() }, 3, 3, 0x102),
        (Request { vec: 1, ..load() }, 3, 2, 0x104),
        (Request { imm: (-0x104_i32) as u32, ..load() }, 4, 1, top - 4),
        (Request { addr: [top - 4; MAX_LANES], imm: 4, mask: 2, ..load() }, 4, 2, 0),
    ] {
        assert_eq!(judge(request, cause, lanes, addr), Ok(()), "{request:?}");
        for wrong in [
            judge(request, cause % 4 + 1, lanes, addr),
            judge(request, cause, lanes ^ 1, addr),
            judge(request, cause, lanes, addr ^ 4),
        ] {
            assert!(matches!(wrong, Err(Violation::WrongFault { .. })), "{request:?}");
        }
        // Nothing else may come of it.
        let mut oracle = oracle();
        oracle.set_windows(windows);
        oracle.accept(&request).unwrap();
        assert_eq!(oracle.clone().done(9), Err(Violation::WrongPort { tag: 9, port: "done", expected: "fault" }));
        assert!(oracle.memory_request(&read(&request, 64)).is_err());
    }
    // A legal one.
    assert_eq!(judge(load(), 3, 3, 0x100), Err(Violation::UnexpectedFault { tag: 9, cause: 3, lanes: 3 }));
    assert_eq!(
        judge(Request { mask: 0, sem: 3, ..load() }, 2, 0, 0),
        Err(Violation::UnexpectedFault { tag: 9, cause: 2, lanes: 0 })
    );
}

#[test]
fn answers_come_once_and_on_the_right_port() {
    let mut oracle = oracle();
    oracle.accept(&load()).unwrap();
    assert_eq!(oracle.clone().accept(&load()), Err(Violation::TagInFlight { tag: 9 }));
    assert_eq!(oracle.clone().done(9), Err(Violation::WrongPort { tag: 9, port: "done", expected: "wb" }));
    assert_eq!(oracle.finish(), [Violation::Unanswered { tag: 9 }]);
    oracle.writeback(&registers(9, OLD)).unwrap();
    assert_eq!(oracle.writeback(&registers(9, OLD)), Err(Violation::NoOperation { tag: 9, port: "wb" }));
    assert_eq!(oracle.done(3), Err(Violation::NoOperation { tag: 3, port: "done" }));
    oracle.accept(&store()).unwrap();
    assert_eq!(
        oracle.writeback(&registers(9, OLD)),
        Err(Violation::WrongPort { tag: 9, port: "wb", expected: "done" })
    );
}

#[test]
fn counters_add_up() {
    let mut oracle = oracle();
    // Three lines; then two sectors of one line by a store; then two lanes of mmio.
    let mut scattered = Request { mask: 7, ..load() };
    scattered.addr[..3].copy_from_slice(&[0x100, 0x180, 0x1000]);
    oracle.accept(&scattered).unwrap();
    let mut wb = Writeback { mask: 7, ..registers(9, [0x100, 0x180]) };
    wb.data[2] = 0x1000;
    oracle.writeback(&wb).unwrap();
    run_load(&mut oracle, Request { nc: true, ..load() }, OLD).unwrap();
    run_store(&mut oracle, store(), NEW).unwrap();
    let right = Status {
        wavefronts: 5,
        replays: 2,
        sectors_read: 1,
        sectors_written: 1,
        l1_hits: 3,
        ro_misses: 1,
        ..Status::default()
    };
    assert_eq!(oracle.status(&right), Ok(()));
    assert_eq!(oracle.status(&Status { l1_hits: 1, l1_misses: 2, ..right }), Ok(()));
    for wrong in [
        Status { wavefronts: 4, ..right },
        Status { replays: 3, ..right },
        Status { sectors_read: 2, ..right },
        Status { sectors_written: 0, ..right },
        Status { l1_misses: 1, ..right },
        Status { ro_hits: 1, ..right },
    ] {
        assert!(matches!(oracle.status(&wrong), Err(Violation::WrongStatus { .. })));
    }
}
