//! The oracle tells right from wrong in shared memory, each rule with what passes and what must be rejected.

use lsu_model::oracle::{Oracle, Violation};
use lsu_model::pins::{FaultRecord, MAX_LANES, MemoryRequest, Request, Status, Writeback};
use lsu_model::preset::WARP32;

type Words = fn(u64) -> u32;
type Verdict = Result<(), Violation>;

fn oracle() -> Oracle<Words> {
    Oracle::new(&WARP32, (|address| address as u32) as Words, true)
}

/// Lanes 0 and 1 load the first two words into R4.
fn load(tag: u8) -> Request {
    let addr = std::array::from_fn(|lane| 4 * lane as u64);
    Request { tag, space: 2, size: 2, dst_width: 1, rd: 4, mask: 3, shared_size: 0x100, addr, ..Request::default() }
}

fn store(tag: u8) -> Request {
    Request { op: 1, ..load(tag) }
}

fn words(values: [u32; 2]) -> [u32; MAX_LANES] {
    let mut data = [0; MAX_LANES];
    data[..2].copy_from_slice(&values);
    data
}

fn registers(tag: u8, values: [u32; 2]) -> Writeback {
    Writeback { tag, rd: 4, mask: 3, data: words(values), last: true }
}

/// A store from acceptance to `done`.
fn run_store(oracle: &mut Oracle<Words>, request: Request, values: [u32; 2]) -> Verdict {
    oracle.accept(&request)?;
    oracle.store_data(request.tag, &words(values))?;
    oracle.done(request.tag)
}

fn run_load(oracle: &mut Oracle<Words>, request: Request, values: [u32; 2]) -> Verdict {
    oracle.accept(&request)?;
    oracle.writeback(&registers(request.tag, values))
}

/// The lane and the place of the first byte that is forbidden.
fn forbidden(verdict: Verdict) -> (u32, u64, u8) {
    match verdict {
        Err(Violation::ForbiddenValue { lane, address, got, .. }) => (lane, address, got),
        other => panic!("{other:?}"),
    }
}

#[test]
fn loads_see_what_was_stored_last() -> Verdict {
    let mut oracle = oracle();
    run_load(&mut oracle, load(1), [0, 0])?;
    run_store(&mut oracle, store(2), [7, 0x0900])?;
    run_load(&mut oracle, load(3), [7, 0x0900])?;
    assert_eq!(forbidden(run_load(&mut oracle.clone(), load(4), [8, 0x0900])), (0, 0, 8));
    assert_eq!(forbidden(run_load(&mut oracle.clone(), load(4), [7, 0x0a00])), (1, 5, 0x0a));
    assert_eq!(forbidden(run_load(&mut oracle.clone(), load(4), [0, 0])), (0, 0, 0));
    // In another window the bytes are others.
    let elsewhere = Request { shared_base: 0x20, ..load(4) };
    run_load(&mut oracle, elsewhere, [0, 0])?;
    let shifted = Request { imm: 4, mask: 1, ..load(4) };
    oracle.accept(&shifted)?;
    oracle.writeback(&Writeback { mask: 1, ..registers(4, [0x0900, 0]) })?;
    assert!(oracle.is_idle() && oracle.finish().is_empty());
    Ok(())
}

#[test]
fn accesses_take_effect_in_the_order_of_acceptance() -> Verdict {
    let mut oracle = oracle();
    run_store(&mut oracle, store(1), [1, 1])?;
    // Load, store, load, store, load; then everything is answered at once, in any order.
    for request in [load(2), store(3), load(4), store(5), load(6)] {
        oracle.accept(&request)?;
    }
    // Until the data of the store before a load have come, nothing is right for it.
    assert_eq!(forbidden(oracle.clone().writeback(&registers(4, [1, 1]))), (0, 0, 1));
    oracle.store_data(3, &words([2, 3]))?;
    assert_eq!(forbidden(oracle.clone().writeback(&registers(6, [2, 3]))), (0, 0, 2));
    oracle.store_data(5, &words([4, 5]))?;
    oracle.done(5)?;
    oracle.done(3)?;
    for (tag, right, wrong) in [(6, [4, 5], [2, 5]), (2, [1, 1], [2, 3]), (4, [2, 3], [1, 1])] {
        assert_eq!(forbidden(oracle.clone().writeback(&registers(tag, wrong))).0, 0);
        oracle.writeback(&registers(tag, right))?;
    }
    assert!(oracle.is_idle());
    run_load(&mut oracle, load(7), [4, 5])
}

#[test]
fn the_highest_lane_wins_byte_by_byte() -> Verdict {
    let mut oracle = oracle();
    run_store(&mut oracle, store(1), [0x4433_2211, 0])?;
    // Lane 0 stores byte 1, lane 1 too.
    let mut request = Request { size: 0, ..store(2) };
    request.addr[..2].copy_from_slice(&[1, 1]);
    run_store(&mut oracle, request, [0xaa, 0xbb])?;
    assert_eq!(forbidden(run_load(&mut oracle.clone(), load(3), [0x4433_aa11, 0])), (0, 1, 0xaa));
    run_load(&mut oracle, load(3), [0x4433_bb11, 0])
}

#[test]
fn a_reset_leaves_in_doubt_what_was_not_answered() -> Verdict {
    let mut oracle = oracle();
    run_store(&mut oracle, store(1), [1, 1])?;
    oracle.accept(&store(2))?;
    oracle.accept(&store(3))?;
    oracle.accept(&Request { mask: 2, ..store(4) })?;
    oracle.store_data(2, &words([2, 2]))?;
    oracle.store_data(3, &words([3, 3]))?;
    oracle.done(2)?;
    // Store 2 was answered, 3 was not, and of 4 not even the data have come.
    oracle.reset(true);
    assert!(oracle.is_idle());
    for (values, is_right) in [([2, 2], true), ([3, 2], true), ([3, 3], true), ([1, 2], false), ([2, 4], false)] {
        assert_eq!(run_load(&mut oracle.clone(), load(5), values).is_ok(), is_right, "{values:?}");
    }
    // Until it is written again.
    run_store(&mut oracle, store(6), [6, 6])?;
    assert_eq!(forbidden(run_load(&mut oracle.clone(), load(7), [3, 6])), (0, 0, 3));
    run_load(&mut oracle, load(7), [6, 6])
}

#[test]
fn nothing_of_shared_memory_is_asked_of_memory() -> Verdict {
    let mut oracle = oracle();
    oracle.accept(&store(1))?;
    oracle.store_data(1, &words([1, 2]))?;
    let write = MemoryRequest { id: 64, write: true, strb: 0xff, data: [1, 2, 0, 0, 0, 0, 0, 0], ..Default::default() };
    let verdict = oracle.clone().memory_request(&write);
    assert_eq!(verdict, Err(Violation::UnwantedWrite { id: 64, address: 0, strobes: 0xff }));
    oracle.accept(&load(2))?;
    let read = MemoryRequest { id: 64, strb: u32::MAX, ..MemoryRequest::default() };
    let verdict = oracle.clone().memory_request(&read);
    assert_eq!(verdict, Err(Violation::UnwantedRead { id: 64, address: 0, strobes: u32::MAX }));
    // Nor can it fail.
    let record = FaultRecord { tag: 2, cause: 5, lanes: 1, addr: 0 };
    assert!(matches!(oracle.fault(&record), Err(Violation::UnfoundedError { tag: 2, lane: 0, .. })));
    Ok(())
}

#[test]
fn a_store_is_not_done_before_its_data_have_come() -> Verdict {
    let mut oracle = oracle();
    oracle.accept(&Request { size: 3, mask: 1, ..store(1) })?;
    assert!(oracle.store_data(1, &words([1, 2])).is_ok());
    assert_eq!(oracle.clone().done(1), Err(Violation::MissingTransaction { tag: 1, address: 0 }));
    Ok(())
}

#[test]
fn passes_are_counted_by_the_worst_bank() -> Verdict {
    // Words of lanes 0 to 3, passes.
    for (words, passes) in [([0, 1, 2, 3], 1), ([0, 0, 0, 0], 1), ([0, 32, 0, 1], 2), ([1, 33, 65, 33], 3)] {
        let mut oracle = oracle();
        let addr = std::array::from_fn(|lane| 4 * words[lane % 4]);
        oracle.accept(&Request { mask: 0xf, shared_size: 0x200, addr, ..load(1) })?;
        oracle.writeback(&Writeback { mask: 0xf, ..registers(1, [0, 0]) })?;
        let status = |passes| Status { wavefronts: passes, replays: passes - 1, ..Status::default() };
        assert_eq!(oracle.status(&status(passes)), Ok(()), "{words:?}");
        assert!(oracle.status(&status(passes + 1)).is_err());
    }
    Ok(())
}
