//! The oracle tells right from wrong in local memory, each rule with what passes and what must be rejected, worked out by hand. Every
//! word of memory holds its own address.

use lsu_model::oracle::{Oracle, SharedHistory, Violation};
use lsu_model::pins::{
    FaultRecord, MAX_LANES, MemoryRequest, MemoryResponse, Request, Status, Window, Windows, Writeback,
};
use lsu_model::preset::WARP32;

type Words = fn(u64) -> u32;
type Verdict = Result<(), Violation>;

const CS: u8 = 3;
const LU: u8 = 4;
const CV: u8 = 5;
const VOLATILE: u8 = 4;
const ACQUIRE: u8 = 2;
const RELEASE: u8 = 3;
const GPU: u8 = 2;

/// Where local memory lies, and how far it is from one slot to the next and from one word of a thread to the next: 32 lanes, 64 slots.
const MEMORY: u64 = 0x4000_0000;
const SLOT: u64 = 0x80;
const WORD: u64 = 0x2000;

/// Where the generic local window begins.
const GENERIC: u64 = 0x10_0000;

fn sharing(history: &SharedHistory) -> Oracle<Words> {
    let mut oracle = Oracle::sharing(&WARP32, (|address| address as u32) as Words, true, history);
    let local = Window { base: GENERIC, size: 0x100 };
    oracle.set_windows(Windows { local, local_memory: MEMORY, ..Windows::default() });
    oracle
}

fn oracle() -> Oracle<Words> {
    sharing(&SharedHistory::new())
}

/// Lanes 0 and 1 of slot 1 load word 2 into R4.
fn load(tag: u8) -> Request {
    let addr = [8; MAX_LANES];
    Request { tag, space: 4, size: 2, dst_width: 1, rd: 4, mask: 3, warp: 1, addr, ..Request::default() }
}

fn store(tag: u8) -> Request {
    Request { op: 1, ..load(tag) }
}

/// Where they lie.
const FIRST: u64 = MEMORY + 2 * WORD + SLOT;
const OLD: [u32; 2] = [FIRST as u32, FIRST as u32 + 4];

fn words(values: [u32; 2]) -> [u32; MAX_LANES] {
    let mut data = [0; MAX_LANES];
    data[..2].copy_from_slice(&values);
    data
}

fn registers(tag: u8, values: [u32; 2]) -> Writeback {
    Writeback { tag, rd: 4, mask: 3, data: words(values), last: true }
}

fn read(id: u8, addr: u64) -> MemoryRequest {
    MemoryRequest { id, addr, strb: u32::MAX, ..MemoryRequest::default() }
}

fn write(id: u8, addr: u64, values: [u32; 2]) -> MemoryRequest {
    let mut data = [0; 8];
    data[..2].copy_from_slice(&values);
    MemoryRequest { id, write: true, addr, strb: 0xff, data, ..MemoryRequest::default() }
}

fn answer(id: u8, error: bool) -> MemoryResponse {
    MemoryResponse { id, error, ..MemoryResponse::default() }
}

/// Memory takes a write and answers.
fn take(oracle: &mut Oracle<Words>, write: &MemoryRequest) -> Verdict {
    oracle.memory_request(write)?;
    oracle.memory_write(write);
    oracle.memory_response(&answer(write.id, false));
    Ok(())
}

/// A store from acceptance to `done`.
fn run_store(oracle: &mut Oracle<Words>, request: Request, values: [u32; 2]) -> Verdict {
    oracle.accept(&request)?;
    oracle.store_data(request.tag, &words(values))?;
    oracle.done(request.tag)
}

/// The values of the sector in which they lie, if they are these.
fn sector(values: [u32; 2]) -> [u32; 8] {
    let mut data = std::array::from_fn(|word| FIRST as u32 + 4 * word as u32);
    data[..2].copy_from_slice(&values);
    data
}

/// The sector is written back.
fn write_back(id: u8, values: [u32; 2]) -> MemoryRequest {
    let data = sector(values);
    MemoryRequest { id, write: true, addr: FIRST, strb: u32::MAX, data, ..MemoryRequest::default() }
}

/// A command to write local memory back, from acceptance to `done`.
fn run_command(oracle: &mut Oracle<Words>, tag: u8) -> Verdict {
    oracle.accept(&Request { tag, op: 3, cmd: 3, ..Request::default() })?;
    oracle.done(tag)
}

/// A load that hits.
fn run_hit(oracle: &mut Oracle<Words>, request: Request, values: [u32; 2]) -> Verdict {
    oracle.accept(&request)?;
    oracle.writeback(&registers(request.tag, values))
}

/// The lane and the place of the first byte that is forbidden.
fn forbidden(verdict: Verdict) -> (u32, u64) {
    match verdict {
        Err(Violation::ForbiddenValue { lane, address, .. }) => (lane, address),
        other => panic!("{other:?}"),
    }
}

#[test]
fn words_lie_beside_those_of_the_other_lanes() -> Verdict {
    let mut oracle = oracle();
    oracle.accept(&load(1))?;
    for wrong in [MEMORY + 8, MEMORY + SLOT, MEMORY + 2 * WORD, FIRST + 32] {
        let verdict = oracle.clone().memory_request(&read(64, wrong / 32 * 32));
        assert!(matches!(verdict, Err(Violation::UnwantedRead { .. })), "{wrong:#x}");
    }
    oracle.memory_request(&read(64, FIRST))?;
    oracle.memory_response(&answer(64, false));
    assert_eq!(forbidden(oracle.clone().writeback(&registers(1, [8, 8]))), (0, FIRST));
    oracle.writeback(&registers(1, OLD))?;
    // The same of a function's parameters, of generic addresses, and of bytes.
    run_hit(&mut oracle, Request { space: 7, ..load(2) }, OLD)?;
    run_hit(&mut oracle, Request { space: 0, addr: [GENERIC + 8; MAX_LANES], ..load(3) }, OLD)?;
    let byte = |value: u32| value >> 8 & 0xff;
    run_hit(&mut oracle, Request { size: 0, imm: 1, ..load(4) }, OLD.map(byte))?;
    assert!(oracle.is_idle() && oracle.finish().is_empty());
    Ok(())
}

#[test]
fn loads_see_what_their_thread_stored_last() -> Verdict {
    let mut oracle = oracle();
    run_store(&mut oracle, store(1), [7, 0x0900])?;
    run_hit(&mut oracle, load(2), [7, 0x0900])?;
    assert_eq!(forbidden(run_hit(&mut oracle.clone(), load(3), OLD)).0, 0);
    assert_eq!(forbidden(run_hit(&mut oracle.clone(), load(3), [7, 0x0a00])), (1, FIRST + 5));
    // An acquire of another warp, and what orders say, change nothing.
    assert_eq!(forbidden(run_hit(&mut oracle.clone(), Request { sem: VOLATILE, ..load(3) }, OLD)).0, 0);
    run_hit(&mut oracle, Request { sem: ACQUIRE, scope: GPU, ..load(3) }, [7, 0x0900])?;
    // Other threads have other words.
    let other = FIRST as u32 - SLOT as u32;
    run_hit(&mut oracle, Request { warp: 0, ..load(4) }, [other, other + 4])
}

#[test]
fn accesses_of_a_thread_take_effect_in_the_order_of_acceptance() -> Verdict {
    let mut oracle = oracle();
    run_store(&mut oracle, store(1), [1, 1])?;
    // Load, store, load; all of them under way at once.
    for request in [load(2), store(3), load(4)] {
        oracle.accept(&request)?;
    }
    // The load behind the store waits for it.
    assert_eq!(forbidden(oracle.clone().writeback(&registers(4, [1, 1]))).0, 0);
    assert_eq!(forbidden(oracle.clone().writeback(&registers(4, [2, 3]))).0, 0);
    oracle.store_data(3, &words([2, 3]))?;
    oracle.done(3)?;
    // The load before it sees nothing of it, however late.
    assert_eq!(forbidden(oracle.clone().writeback(&registers(2, [2, 3]))).0, 0);
    oracle.writeback(&registers(2, [1, 1]))?;
    assert_eq!(forbidden(oracle.clone().writeback(&registers(4, [1, 1]))).0, 0);
    oracle.writeback(&registers(4, [2, 3]))
}

#[test]
fn a_store_that_failed_changed_nothing() -> Verdict {
    let mut oracle = oracle();
    oracle.accept(&store(1))?;
    oracle.store_data(1, &words([5, 5]))?;
    oracle.memory_request(&read(64, FIRST))?;
    oracle.memory_response(&answer(64, true));
    assert!(oracle.clone().fault(&FaultRecord { tag: 1, cause: 5, lanes: 3, addr: 8 }).is_err());
    assert!(oracle.clone().fault(&FaultRecord { tag: 1, cause: 5, lanes: 1, addr: FIRST }).is_err());
    oracle.fault(&FaultRecord { tag: 1, cause: 5, lanes: 3, addr: FIRST })?;
    oracle.done(1)?;
    assert_eq!(forbidden(run_hit(&mut oracle.clone(), load(2), [5, 5])).0, 0);
    run_hit(&mut oracle, load(2), OLD)
}

#[test]
fn requests_are_weak_whatever_the_operation_says() -> Verdict {
    let mut oracle = oracle();
    let request = Request { sem: VOLATILE, scope: 3, cop: CV, l2_evict: 2, ..load(1) };
    oracle.accept(&request)?;
    let right = MemoryRequest { scope: 3, l2_evict: 2, ..read(64, FIRST) };
    for wrong in [
        MemoryRequest { sem: VOLATILE, ..right },
        MemoryRequest { cop: CV, ..right },
        MemoryRequest { scope: 0, ..right },
    ] {
        assert!(matches!(oracle.clone().memory_request(&wrong), Err(Violation::UnwantedRead { .. })));
    }
    oracle.memory_request(&right)?;
    oracle.memory_response(&answer(64, false));
    oracle.writeback(&registers(1, OLD))?;
    // `.cs` goes first in both caches.
    oracle.accept(&Request { cop: CS, ..load(2) })?;
    let first = MemoryRequest { cop: CS, l2_evict: 1, ..read(64, FIRST) };
    assert!(oracle.clone().memory_request(&MemoryRequest { cop: 0, ..first }).is_err());
    oracle.memory_request(&first)
}

#[test]
fn words_are_asked_for_and_fail_one_by_one() -> Verdict {
    let mut oracle = oracle();
    // Four words, the second of which is sunk.
    oracle.accept(&Request { vec: 2, sink: 2, addr: [0; MAX_LANES], ..load(1) })?;
    let address = |word: u64| MEMORY + SLOT + word * WORD;
    assert!(oracle.clone().memory_request(&read(64, address(1))).is_err());
    for (id, word) in [(64, 0), (68, 2), (72, 3)] {
        oracle.memory_request(&read(id, address(word)))?;
    }
    let values = |word: u64| [0, 4].map(|lane| (address(word) + lane) as u32);
    let register = |number: u8, last| Writeback { rd: 4 + number, last, ..registers(1, values(number.into())) };
    oracle.memory_response(&answer(64, false));
    oracle.memory_response(&answer(68, true));
    oracle.memory_response(&answer(72, false));
    oracle.writeback(&register(0, false))?;
    // The third word has failed, and no other.
    for wrong in [address(0), address(3), address(2) + 4] {
        let record = FaultRecord { tag: 1, cause: 5, lanes: 3, addr: wrong };
        assert!(oracle.clone().fault(&record).is_err(), "{wrong:#x}");
    }
    assert!(oracle.clone().writeback(&register(3, true)).is_ok_and(|()| !oracle.is_idle()));
    let mut silent = oracle.clone();
    silent.writeback(&register(3, true))?;
    assert_eq!(silent.finish(), [Violation::MissingErrorRecord { tag: 1, lanes: 3 }]);
    oracle.fault(&FaultRecord { tag: 1, cause: 5, lanes: 3, addr: address(2) })?;
    assert!(matches!(oracle.clone().writeback(&register(2, false)), Err(Violation::FailedLaneWritten { .. })));
    oracle.writeback(&register(3, true))?;
    assert!(oracle.is_idle());
    Ok(())
}

#[test]
fn a_release_waits_for_what_local_stores_have_asked_for() -> Verdict {
    let mut oracle = oracle();
    oracle.accept(&store(1))?;
    oracle.store_data(1, &words([1, 1]))?;
    oracle.memory_request(&read(64, FIRST))?;
    let addr = std::array::from_fn(|lane| 0x5000 + 4 * lane as u64);
    oracle.accept(&Request { sem: RELEASE, scope: GPU, space: 1, addr, ..store(2) })?;
    oracle.store_data(2, &words([2, 2]))?;
    let released = MemoryRequest { scope: GPU, sem: RELEASE, ..write(68, 0x5000, [2, 2]) };
    let verdict = oracle.clone().memory_request(&released);
    assert!(matches!(verdict, Err(Violation::ReleasedTooEarly { tag: 2, earlier: 1, .. })), "{verdict:?}");
    oracle.memory_response(&answer(64, false));
    oracle.memory_request(&released)
}

#[test]
fn the_rest_of_a_sector_is_asked_for_once() -> Verdict {
    let mut oracle = oracle();
    let is_unwanted = |oracle: &Oracle<Words>, request: MemoryRequest| {
        matches!(
            oracle.clone().memory_request(&request),
            Err(Violation::UnwantedRead { .. } | Violation::UnwantedWrite { .. })
        )
    };
    oracle.accept(&Request { l2_evict: 2, ..store(1) })?;
    oracle.store_data(1, &words([1, 1]))?;
    let rest = MemoryRequest { l2_evict: 2, ..read(64, FIRST) };
    // Nothing of it is written through.
    assert!(is_unwanted(&oracle, MemoryRequest { l2_evict: 2, ..write(64, FIRST, [1, 1]) }));
    assert!(is_unwanted(&oracle, MemoryRequest { strb: 0xff, ..rest }));
    assert!(is_unwanted(&oracle, MemoryRequest { l2_evict: 0, ..rest }));
    assert!(is_unwanted(&oracle, MemoryRequest { addr: FIRST + 32, ..rest }));
    oracle.memory_request(&rest)?;
    assert!(is_unwanted(&oracle, MemoryRequest { id: 68, ..rest }));
    assert!(matches!(oracle.clone().done(1), Err(Violation::DoneTooEarly { .. })));
    oracle.memory_response(&answer(64, false));
    oracle.done(1)?;
    // Of a sector that is stored in full there is no rest.
    oracle.accept(&Request { mask: 0xff, ..store(2) })?;
    oracle.store_data(2, &[7; MAX_LANES])?;
    assert!(is_unwanted(&oracle, read(64, FIRST)));
    oracle.done(2)
}

#[test]
fn a_read_that_may_be_anothers_says_nothing_of_a_store() -> Verdict {
    // The load has found what it wants; the read is the store's, and fails.
    let mut first = oracle();
    first.accept(&load(1))?;
    first.accept(&store(2))?;
    first.store_data(2, &words([1, 1]))?;
    let record = FaultRecord { tag: 2, cause: 5, lanes: 3, addr: FIRST };
    assert!(matches!(first.clone().fault(&record), Err(Violation::UnfoundedError { tag: 2, lane: 0, .. })));
    first.memory_request(&read(64, FIRST))?;
    first.memory_response(&answer(64, true));
    first.writeback(&registers(1, OLD))?;
    first.fault(&record)?;
    first.done(2)?;
    // The store has found its sector, which is gone when the load after it comes.
    let mut second = oracle();
    second.accept(&store(1))?;
    second.store_data(1, &words([1, 1]))?;
    second.accept(&load(2))?;
    second.memory_request(&read(64, FIRST))?;
    second.done(1)?;
    second.memory_response(&answer(64, false));
    second.writeback(&registers(2, [1, 1]))
}

#[test]
fn sectors_are_written_back_as_their_threads_left_them() -> Verdict {
    let mut oracle = oracle();
    let is_unwanted = |oracle: &Oracle<Words>, request: MemoryRequest| {
        matches!(oracle.clone().memory_request(&request), Err(Violation::UnwantedWrite { .. }))
    };
    // Nobody has stored there.
    assert!(is_unwanted(&oracle, write_back(64, OLD)));
    run_store(&mut oracle, store(1), [1, 2])?;
    let right = write_back(64, [1, 2]);
    // Whole sectors, under nobody's name.
    assert!(is_unwanted(&oracle, MemoryRequest { strb: 0xff, ..right }));
    assert!(is_unwanted(&oracle, MemoryRequest { cop: CS, ..right }));
    assert!(is_unwanted(&oracle, MemoryRequest { l2_evict: 1, ..right }));
    assert!(is_unwanted(&oracle, MemoryRequest { addr: FIRST + 32, ..right }));
    for (byte, mask) in [(0, 1), (1, 0x100), (2, 0x10000), (7, 1 << 31)] {
        let mut wrong = right;
        wrong.data[byte] ^= mask;
        let verdict = oracle.clone().memory_request(&wrong);
        assert!(matches!(verdict, Err(Violation::WrongWriteBack { id: 64, .. })), "{verdict:?}");
    }
    take(&mut oracle, &right)?;
    // Once.
    assert!(is_unwanted(&oracle, right));
    run_hit(&mut oracle, load(2), [1, 2])?;
    // What is accepted and not done may be written back, or not yet; but not what was there before it, when it has been.
    oracle.accept(&store(3))?;
    oracle.store_data(3, &words([3, 4]))?;
    assert_eq!(oracle.clone().memory_request(&write_back(64, [1, 2])), Ok(()));
    assert_eq!(oracle.clone().memory_request(&write_back(64, [3, 4])), Ok(()));
    oracle.done(3)?;
    let verdict = oracle.clone().memory_request(&write_back(64, [3, 2]));
    assert!(matches!(verdict, Err(Violation::WrongWriteBack { .. })), "{verdict:?}");
    oracle.memory_request(&write_back(64, [3, 4]))
}

#[test]
fn nobody_passes_a_write_back() -> Verdict {
    let mut oracle = oracle();
    run_store(&mut oracle, store(1), [1, 2])?;
    oracle.accept(&load(2))?;
    let is_passed = |verdict: Verdict| matches!(verdict, Err(Violation::PassedWriteBack { id: 68, address: FIRST }));
    let mut reading = oracle.clone();
    reading.memory_request(&read(64, FIRST))?;
    assert!(is_passed(reading.memory_request(&write_back(68, [1, 2]))));
    oracle.memory_request(&write_back(64, [1, 2]))?;
    assert!(is_passed(oracle.clone().memory_request(&read(68, FIRST))));
    // It is in flight, and the unit not idle.
    oracle.writeback(&registers(2, [1, 2]))?;
    assert!(!oracle.is_idle() && oracle.idle(true).is_err());
    // A second one, of what was stored since.
    run_store(&mut oracle, store(3), [3, 4])?;
    assert!(is_passed(oracle.clone().memory_request(&write_back(68, [3, 4]))));
    oracle.memory_response(&answer(64, false));
    assert!(oracle.is_idle());
    oracle.memory_request(&write_back(68, [3, 4]))
}

#[test]
fn the_command_is_done_when_memory_holds_all() -> Verdict {
    let mut oracle = oracle();
    run_command(&mut oracle, 0)?;
    run_store(&mut oracle, store(1), [1, 2])?;
    let missing = run_command(&mut oracle.clone(), 2);
    assert_eq!(missing, Err(Violation::NotWrittenBack { tag: 2, address: FIRST, got: OLD[0] as u8 }));
    // A write-back that was answered well, and one that was not.
    let mut failed = oracle.clone();
    failed.memory_request(&write_back(64, [1, 2]))?;
    failed.memory_response(&answer(64, true));
    run_command(&mut failed, 2)?;
    let status = Status { sectors_written: 1, wavefronts: 1, ..Status::default() };
    assert!(failed.status(&status).is_err());
    failed.status(&Status { write_back_error: true, ..status })?;
    for values in [OLD, [1, 2]] {
        run_hit(&mut failed.clone(), load(3), values)?;
    }
    assert!(run_hit(&mut failed.clone(), load(3), [3, 3]).is_err());
    failed.reset(false);
    failed.status(&Status::default())?;
    take(&mut oracle, &write_back(64, [1, 2]))?;
    run_command(&mut oracle, 2)?;
    oracle.status(&status)?;
    assert!(oracle.status(&Status { write_back_error: true, ..status }).is_err());
    assert_eq!(forbidden(run_hit(&mut oracle.clone(), load(3), OLD)).0, 0);
    run_hit(&mut oracle, load(3), [1, 2])
}

#[test]
fn global_loads_see_what_was_written_back() -> Verdict {
    let mut oracle = oracle();
    let addr = std::array::from_fn(|lane| FIRST + 4 * lane as u64);
    let global = |tag| Request { space: 1, addr, ..load(tag) };
    run_store(&mut oracle, store(1), [1, 2])?;
    assert_eq!(forbidden(run_hit(&mut oracle.clone(), global(2), [1, 2])).0, 0);
    run_hit(&mut oracle, global(2), OLD)?;
    take(&mut oracle, &write_back(64, [1, 2]))?;
    run_hit(&mut oracle, global(3), [1, 2])?;
    run_hit(&mut oracle, global(4), OLD)?;
    oracle.accept(&Request { op: 3, cmd: 0, tag: 5, ..Request::default() })?;
    oracle.done(5)?;
    assert_eq!(forbidden(run_hit(&mut oracle, global(6), OLD)).0, 0);
    Ok(())
}

#[test]
fn what_is_loaded_for_the_last_time_may_be_lost() -> Verdict {
    let mut oracle = oracle();
    let all = |values: [u32; 2]| {
        let mut data = [0; MAX_LANES];
        data[..8].copy_from_slice(&sector(values));
        data
    };
    let whole = |tag| Request { cop: LU, mask: 0xff, ..load(tag) };
    let run = |oracle: &mut Oracle<Words>, request: Request| {
        oracle.accept(&request)?;
        oracle.writeback(&Writeback { mask: 0xff, data: all([1, 2]), ..registers(request.tag, [1, 2]) })
    };
    run_store(&mut oracle, store(1), [1, 2])?;
    for kept in [Request { cop: 0, ..whole(2) }, Request { mask: 0xff, ..load(2) }] {
        let mut oracle = oracle.clone();
        run(&mut oracle, kept)?;
        assert!(run_hit(&mut oracle, load(3), OLD).is_err());
    }
    // Half of the sector.
    let mut half = oracle.clone();
    run_hit(&mut half, Request { cop: LU, ..load(2) }, [1, 2])?;
    assert!(run_hit(&mut half, load(3), OLD).is_err());
    run(&mut oracle, whole(2))?;
    for values in [OLD, [1, 2]] {
        run_hit(&mut oracle.clone(), load(3), values)?;
    }
    assert!(run_hit(&mut oracle.clone(), load(3), [1, 3]).is_err());
    run_command(&mut oracle.clone(), 3)?;
    // Until the next store.
    run_store(&mut oracle, store(4), [5, 6])?;
    assert!(run_hit(&mut oracle, load(5), OLD).is_err());
    Ok(())
}

#[test]
fn a_reset_loses_what_is_not_in_memory() -> Verdict {
    let mut oracle = oracle();
    run_store(&mut oracle, store(1), [1, 2])?;
    take(&mut oracle, &write_back(64, [1, 2]))?;
    run_store(&mut oracle, store(2), [3, 4])?;
    oracle.reset(false);
    assert!(run_hit(&mut oracle.clone(), load(3), [3, 4]).is_err());
    assert!(run_hit(&mut oracle.clone(), load(3), OLD).is_err());
    run_hit(&mut oracle, load(3), [1, 2])
}

#[test]
fn a_write_back_carries_along_what_lies_beside() -> Verdict {
    let mut oracle = oracle();
    // Lane 0 alone stores; a global store changes lane 1's word, of which L1 has an older copy.
    run_store(&mut oracle, Request { mask: 1, ..store(1) }, [1, 0])?;
    let addr = [FIRST + 4; MAX_LANES];
    oracle.accept(&Request { space: 1, mask: 1, addr, ..store(2) })?;
    oracle.store_data(2, &words([9, 0]))?;
    let mut global = write(64, FIRST, [0, 9]);
    global.strb = 0xf0;
    take(&mut oracle, &global)?;
    oracle.done(2)?;
    oracle.accept(&Request { tag: 3, op: 3, cmd: 3, ..Request::default() })?;
    take(&mut oracle, &write_back(64, [1, OLD[1]]))?;
    oracle.done(3)?;
    for (value, is_right) in [(OLD[1], true), (9, true), (7, false)] {
        assert_eq!(run_hit(&mut oracle.clone(), load(4), [1, value]).is_ok(), is_right, "{value}");
    }
    Ok(())
}

#[test]
fn others_may_store_where_local_memory_lies() -> Verdict {
    let history = SharedHistory::new();
    let (mut one, mut other) = (sharing(&history), sharing(&history));
    run_store(&mut one, store(1), [1, 1])?;
    // Another unit, by an address of global memory.
    let addr = std::array::from_fn(|lane| FIRST + 4 * lane as u64);
    other.accept(&Request { space: 1, addr, ..store(1) })?;
    other.store_data(1, &words([9, 9]))?;
    take(&mut other, &write(64, FIRST, [9, 9]))?;
    other.done(1)?;
    for (values, is_right) in [([1, 1], true), ([9, 9], true), (OLD, false)] {
        assert_eq!(run_hit(&mut one.clone(), load(2), values).is_ok(), is_right, "{values:?}");
    }
    // What the thread stores then is newer.
    run_store(&mut one, store(2), [2, 2])?;
    assert!(run_hit(&mut one.clone(), load(3), [9, 9]).is_err());
    run_hit(&mut one, load(3), [2, 2])
}

#[test]
fn passes_and_sectors_are_counted_by_words() -> Verdict {
    // Vector, sink, offsets of two lanes, passes, sectors.
    for (vec, sink, offsets, passes, sectors) in
        [(0, 0, [0, 0], 1, 1), (0, 0, [0, 4], 2, 2), (1, 0, [0, 0], 2, 2), (2, 0, [0, 16], 8, 8), (2, 4, [0, 0], 4, 3)]
    {
        let mut oracle = oracle();
        let addr = std::array::from_fn(|lane| offsets[lane % 2]);
        oracle.accept(&Request { vec, sink, addr, ..load(1) })?;
        for register in 0..1 << vec {
            let value = |lane: u64, offset: u64| MEMORY + SLOT + 4 * lane + (offset / 4 + register) * WORD;
            let values = [value(0, offsets[0]), value(1, offsets[1])].map(|value| value as u32);
            let mask = if sink >> register & 1 == 1 { 0 } else { 3 };
            let data = if mask == 0 { [0; MAX_LANES] } else { words(values) };
            oracle.writeback(&Writeback {
                tag: 1,
                rd: 4 + register as u8,
                mask,
                data,
                last: register + 1 == 1 << vec,
            })?;
        }
        let status = Status { wavefronts: passes, replays: passes - 1, l1_hits: sectors, ..Status::default() };
        assert_eq!(oracle.status(&status), Ok(()), "{vec} {sink} {offsets:?}");
        assert!(oracle.status(&Status { l1_hits: sectors + 1, ..status }).is_err());
    }
    Ok(())
}

#[test]
fn faults_have_their_lanes_and_addresses() -> Verdict {
    let judge = |request: Request, cause, lanes, addr| {
        let mut oracle = oracle();
        oracle.accept(&request)?;
        oracle.fault(&FaultRecord { tag: 1, cause, lanes, addr })
    };
    let top = 1 << 49;
    let second = |address: u64| std::array::from_fn(|lane| if lane == 1 { address } else { 8 });
    let generic = |address: u64| std::array::from_fn(|lane| if lane == 1 { address } else { 0x100 });
    for (request, cause, lanes, addr) in [
        (Request { addr: second(0x100), ..load(1) }, 4, 2, 0x100),
        (Request { addr: second(top - 4), ..load(1) }, 4, 2, top - 4),
        (Request { addr: second(0xfc), vec: 1, ..load(1) }, 3, 2, 0xfc),
        (Request { nc: true, ..load(1) }, 2, 3, 8),
        (Request { sem: 5, ..store(1) }, 2, 3, 8),
        (Request { size: 4, vec: 1, rd: 8, ..load(1) }, 2, 3, 8),
        (Request { space: 0, nc: true, addr: generic(GENERIC + 0xfc), ..load(1) }, 2, 2, GENERIC + 0xfc),
        (Request { space: 0, sem: 5, addr: generic(GENERIC), ..load(1) }, 2, 2, GENERIC),
    ] {
        assert_eq!(judge(request, cause, lanes, addr), Ok(()), "{request:?}");
        assert!(judge(request, cause, lanes ^ 1, addr).is_err());
        assert!(judge(request, cause % 4 + 1, lanes, addr).is_err());
    }
    Ok(())
}
