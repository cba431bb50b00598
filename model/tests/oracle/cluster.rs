//! The oracle tells right from wrong in the cluster, each rule with what passes and what must be rejected.

use lsu_model::oracle::{Oracle, Violation};
use lsu_model::pins::{
    ClusterRequest, ClusterResponse, ClusterWindow, FaultRecord, MAX_LANES, MemoryRequest, Request, ServeRequest,
    ServeResponse, Status, Window, Windows, Writeback,
};
use lsu_model::preset::WARP32;

type Words = fn(u64) -> u32;
type Verdict = Result<(), Violation>;

/// The own CTA's rank.
const OWN: u8 = 5;

fn oracle() -> Oracle<Words> {
    let mut oracle = Oracle::new(&WARP32, (|address| address as u32) as Words, true);
    let cluster = ClusterWindow { base: 0x40, size: 0x100 };
    oracle.set_windows(Windows { rank: OWN, cluster, shared: Window::default(), ..Windows::default() });
    oracle
}

/// Lanes 0 and 1 load the first two words of this CTA's window into R4.
fn load(tag: u8, rank: u8) -> Request {
    let addr = std::array::from_fn(|lane| (u64::from(rank) << 24) | (4 * lane as u64));
    Request { tag, space: 3, size: 2, dst_width: 1, rd: 4, mask: 3, shared_size: 0x100, addr, ..Request::default() }
}

fn store(tag: u8, rank: u8) -> Request {
    Request { op: 1, ..load(tag, rank) }
}

fn words(values: [u32; 2]) -> [u32; MAX_LANES] {
    let mut data = [0; MAX_LANES];
    data[..2].copy_from_slice(&values);
    data
}

fn sector(values: [u32; 2]) -> [u32; 8] {
    [values[0], values[1], 0, 0, 0, 0, 0, 0]
}

fn registers(tag: u8, values: [u32; 2]) -> Writeback {
    Writeback { tag, rd: 4, mask: 3, data: words(values), last: true }
}

/// What loads and stores above ask for.
fn asks_read(id: u8, rank: u8) -> ClusterRequest {
    ClusterRequest { id, rank, strb: u32::MAX, ..ClusterRequest::default() }
}

fn asks_write(id: u8, rank: u8, values: [u32; 2]) -> ClusterRequest {
    ClusterRequest { write: true, strb: 0xff, data: sector(values), ..asks_read(id, rank) }
}

fn comes(id: u8, values: [u32; 2]) -> ClusterResponse {
    ClusterResponse { id, data: sector(values), error: false }
}

/// Somebody reads, or writes, the first sector of the own window, which lies at 0x40.
fn reads(id: u8) -> ServeRequest {
    ServeRequest { id, rank: 9, ..ServeRequest::default() }
}

fn writes(id: u8, values: [u32; 2]) -> ServeRequest {
    ServeRequest { write: true, strb: 0xff, data: sector(values), ..reads(id) }
}

fn reply(id: u8, values: [u32; 2]) -> ServeResponse {
    ServeResponse { id, rank: 9, data: sector(values), error: false }
}

/// An own load or store of these words.
fn own(request: Request) -> Request {
    Request { shared_base: 0x40, ..request }
}

fn run_store(oracle: &mut Oracle<Words>, tag: u8, values: [u32; 2]) -> Verdict {
    oracle.accept(&own(store(tag, OWN)))?;
    oracle.store_data(tag, &words(values))?;
    oracle.done(tag)
}

fn run_load(oracle: &mut Oracle<Words>, tag: u8, values: [u32; 2]) -> Verdict {
    oracle.accept(&own(load(tag, OWN)))?;
    oracle.writeback(&registers(tag, values))
}

fn is_forbidden(verdict: Verdict) -> bool {
    matches!(verdict, Err(Violation::ForbiddenValue { .. } | Violation::ForbiddenReply { .. }))
}

#[test]
fn a_remote_load_delivers_what_came_back() -> Verdict {
    let mut oracle = oracle();
    oracle.accept(&load(1, 2))?;
    let early = oracle.clone().writeback(&registers(1, [7, 8]));
    assert_eq!(early, Err(Violation::NotFetched { tag: 1, lane: 0, address: 0x200_0000 }));
    oracle.cluster_request(&asks_read(0, 2))?;
    assert!(matches!(oracle.clone().writeback(&registers(1, [7, 8])), Err(Violation::NotFetched { .. })));
    oracle.cluster_response(&comes(0, [7, 8]));
    assert!(is_forbidden(oracle.clone().writeback(&registers(1, [7, 9]))));
    oracle.writeback(&registers(1, [7, 8]))?;
    assert!(oracle.is_idle() && oracle.finish().is_empty());
    // A pass, of which memory has seen nothing.
    let status = Status { wavefronts: 1, ..Status::default() };
    oracle.status(&status)
}

#[test]
fn another_cta_is_asked_for_exactly_what_is_wanted() -> Verdict {
    let mut oracle = oracle();
    let hints = Request { cop: 3, sem: 1, scope: 1, prefetch: 2, policy_en: true, policy: 77, ..load(1, 2) };
    oracle.accept(&hints)?;
    let right = ClusterRequest {
        l2_evict: 1,
        cop: 3,
        sem: 1,
        scope: 1,
        prefetch: 2,
        policy_en: true,
        policy: 77,
        ..asks_read(3, 2)
    };
    let wrong = [
        ClusterRequest { rank: 3, ..right },
        ClusterRequest { addr: 32, ..right },
        ClusterRequest { addr: 1 << 24, rank: 1, ..right },
        ClusterRequest { addr: 2 << 24, rank: 0, ..right },
        ClusterRequest { strb: 0xff, ..right },
        ClusterRequest { write: true, ..right },
        ClusterRequest { cop: 0, ..right },
        ClusterRequest { scope: 2, ..right },
        ClusterRequest { policy: 78, ..right },
    ];
    for wrong in wrong {
        let verdict = oracle.clone().cluster_request(&wrong);
        assert!(matches!(verdict, Err(Violation::UnwantedClusterRequest { .. })), "{wrong:?}");
    }
    // Not of memory, and once.
    let of_memory = MemoryRequest { id: 64, addr: 0x200_0000, strb: u32::MAX, ..MemoryRequest::default() };
    assert!(matches!(oracle.clone().memory_request(&of_memory), Err(Violation::UnwantedRead { .. })));
    oracle.cluster_request(&right)?;
    assert_eq!(oracle.clone().cluster_request(&right), Err(Violation::ClusterIdInFlight { id: 3 }));
    let twice = ClusterRequest { id: 4, ..right };
    assert!(matches!(oracle.clone().cluster_request(&twice), Err(Violation::UnwantedClusterRequest { .. })));
    // A global load with the same number asks memory, not the cluster.
    let global = Request { tag: 2, space: 1, ..load(2, 4) };
    oracle.accept(&global)?;
    assert!(oracle.clone().cluster_request(&asks_read(5, 4)).is_err());
    let of_memory = MemoryRequest { addr: 0x400_0000, ..of_memory };
    oracle.memory_request(&of_memory)
}

#[test]
fn every_byte_of_a_remote_store_goes_out_once() -> Verdict {
    let mut oracle = oracle();
    oracle.accept(&store(1, 2))?;
    oracle.store_data(1, &words([1, 2]))?;
    let right = asks_write(0, 2, [1, 2]);
    let wrong = [
        ClusterRequest { strb: 0x1ff, ..right },
        ClusterRequest { data: sector([1, 3]), ..right },
        ClusterRequest { rank: 0, ..right },
        ClusterRequest { addr: 32, ..right },
        ClusterRequest { strb: 0, ..right },
    ];
    for wrong in wrong {
        assert!(oracle.clone().cluster_request(&wrong).is_err(), "{wrong:?}");
    }
    let half = ClusterRequest { strb: 0x0f, ..right };
    oracle.cluster_request(&half)?;
    assert!(oracle.clone().cluster_request(&ClusterRequest { id: 1, ..right }).is_err());
    oracle.cluster_response(&comes(0, [0, 0]));
    assert_eq!(oracle.clone().done(1), Err(Violation::MissingTransaction { tag: 1, address: 0x200_0000 }));
    oracle.cluster_request(&ClusterRequest { id: 1, strb: 0xf0, ..right })?;
    assert_eq!(oracle.clone().done(1), Err(Violation::DoneTooEarly { tag: 1, address: 0x200_0000 }));
    oracle.cluster_response(&comes(1, [0, 0]));
    oracle.done(1)
}

#[test]
fn a_release_waits_for_the_cluster() -> Verdict {
    let mut oracle = oracle();
    oracle.accept(&store(1, 2))?;
    oracle.store_data(1, &words([1, 2]))?;
    oracle.accept(&Request { sem: 3, scope: 1, ..store(2, 3) })?;
    oracle.store_data(2, &words([3, 4]))?;
    oracle.cluster_request(&asks_write(0, 2, [1, 2]))?;
    let release = ClusterRequest { sem: 3, scope: 1, ..asks_write(1, 3, [3, 4]) };
    let early = oracle.clone().cluster_request(&release);
    assert_eq!(early, Err(Violation::ReleasedTooEarly { tag: 2, earlier: 1, address: 0x200_0000 }));
    // Nor is one done that stores in shared memory, where others see it.
    let mut shared = oracle.clone();
    shared.accept(&Request { sem: 3, scope: 1, ..own(store(3, OWN)) })?;
    shared.store_data(3, &words([5, 6]))?;
    assert_eq!(shared.done(3), Err(Violation::ReleasedTooEarly { tag: 3, earlier: 1, address: 0x200_0000 }));
    let mut other_warp = oracle.clone();
    other_warp.accept(&Request { sem: 3, scope: 1, warp: 1, ..own(store(3, OWN)) })?;
    other_warp.store_data(3, &words([5, 6]))?;
    other_warp.done(3)?;
    oracle.cluster_response(&comes(0, [0, 0]));
    oracle.cluster_request(&release)
}

#[test]
fn a_release_comes_after_the_loads_of_shared_memory_before_it() -> Verdict {
    // Somebody writes after the release has been seen, or before: what they may do who have not seen it.
    for (warp, is_after, is_allowed) in [(0, true, false), (0, false, true), (1, true, true)] {
        let mut oracle = oracle();
        oracle.accept(&own(load(1, OWN)))?;
        oracle.accept(&Request { sem: 3, scope: 1, warp, ..store(2, 3) })?;
        oracle.store_data(2, &words([3, 4]))?;
        let release = ClusterRequest { sem: 3, scope: 1, ..asks_write(1, 3, [3, 4]) };
        if is_after {
            oracle.cluster_request(&release)?;
        }
        oracle.serve_request(&writes(1, [7, 8]));
        if !is_after {
            oracle.cluster_request(&release)?;
        }
        oracle.serve_response(&reply(1, [0, 0]))?;
        assert_ne!(is_forbidden(oracle.clone().writeback(&registers(1, [7, 8]))), is_allowed, "{warp} {is_after}");
        // What was there before may be given at any time.
        oracle.writeback(&registers(1, [0, 0]))?;
    }
    Ok(())
}

#[test]
fn errors_come_from_the_answers() -> Verdict {
    let mut oracle = oracle();
    let record = FaultRecord { tag: 1, cause: 5, lanes: 3, addr: 0x200_0000 };
    oracle.accept(&load(1, 2))?;
    oracle.cluster_request(&asks_read(0, 2))?;
    assert!(matches!(oracle.clone().fault(&record), Err(Violation::UnfoundedError { .. })));
    oracle.cluster_response(&ClusterResponse { error: true, ..comes(0, [7, 8]) });
    assert!(matches!(oracle.clone().writeback(&registers(1, [7, 8])), Err(Violation::NotFetched { .. })));
    for wrong in [FaultRecord { addr: 0, ..record }, FaultRecord { lanes: 1, ..record }] {
        assert!(oracle.clone().fault(&wrong).is_err(), "{wrong:?}");
    }
    let nothing = Writeback { mask: 0, data: [0; MAX_LANES], ..registers(1, [0, 0]) };
    let mut silent = oracle.clone();
    silent.writeback(&nothing)?;
    assert_eq!(silent.finish(), [Violation::MissingErrorRecord { tag: 1, lanes: 3 }]);
    oracle.fault(&record)?;
    oracle.writeback(&nothing)?;
    assert!(oracle.is_idle());
    Ok(())
}

#[test]
fn faults_of_the_cluster() {
    let out_of_range = |request: Request, lanes: u32, addr: u64| {
        let mut oracle = oracle();
        oracle.accept(&request).expect("a free tag");
        let record = FaultRecord { tag: 1, cause: 4, lanes, addr };
        oracle.fault(&record).is_ok()
    };
    for rank in [OWN, 2] {
        let base = u64::from(rank) << 24;
        assert!(out_of_range(Request { shared_size: 4, ..load(1, rank) }, 0b11, base));
        assert!(!out_of_range(load(1, rank), 0b11, base));
        assert!(out_of_range(Request { imm: 0xfc, ..load(1, rank) }, 0b10, base + 0x100));
        assert!(out_of_range(Request { shared_base: 0x8000, ..load(1, rank) }, 0b11, base));
        assert!(!out_of_range(Request { shared_base: 0x7ff0, ..load(1, rank) }, 0b11, base));
        let mut far = load(1, rank);
        far.addr[1] |= 1 << 32;
        assert!(out_of_range(far, 0b10, far.addr[1]));
        let record = FaultRecord { tag: 1, cause: 2, lanes: 0b11, addr: base };
        for illegal in [
            Request { nc: true, ..load(1, rank) },
            Request { sem: 5, ..load(1, rank) },
            Request { size: 4, vec: 1, rd: 8, ..load(1, rank) },
        ] {
            let mut oracle = oracle();
            oracle.accept(&illegal).expect("a free tag");
            assert_eq!(oracle.fault(&record), Ok(()), "{illegal:?}");
        }
    }
}

#[test]
fn each_request_of_others_gets_its_answer() -> Verdict {
    let mut oracle = oracle();
    assert_eq!(oracle.clone().serve_response(&reply(1, [0, 0])), Err(Violation::NobodyAsked { id: 1, rank: 9 }));
    oracle.serve_request(&reads(1));
    assert!(!oracle.is_idle() && oracle.idle(true).is_err());
    assert_eq!(oracle.finish(), [Violation::NotServed { id: 1, rank: 9 }]);
    let wrong = Violation::WrongReply { id: 2, rank: 9, expected_id: 1, expected_rank: 9 };
    assert_eq!(oracle.clone().serve_response(&reply(2, [0, 0])), Err(wrong));
    let wrong = Violation::WrongReply { id: 1, rank: 8, expected_id: 1, expected_rank: 9 };
    assert_eq!(oracle.clone().serve_response(&ServeResponse { rank: 8, ..reply(1, [0, 0]) }), Err(wrong));
    let error = ServeResponse { error: true, ..reply(1, [0, 0]) };
    let wrong = Violation::WrongReplyError { id: 1, rank: 9, address: 0, error: true };
    assert_eq!(oracle.clone().serve_response(&error), Err(wrong));
    oracle.serve_response(&reply(1, [0, 0]))?;
    assert!(oracle.is_idle() && oracle.idle(true).is_ok());
    assert_eq!(oracle.clone().serve_response(&reply(1, [0, 0])), Err(Violation::NobodyAsked { id: 1, rank: 9 }));
    // Beyond the window: an error, without data.
    oracle.serve_request(&ServeRequest { addr: 0x100, ..reads(1) });
    assert!(matches!(oracle.clone().serve_response(&reply(1, [0, 0])), Err(Violation::WrongReplyError { .. })));
    let with_data = ServeResponse { error: true, ..reply(1, [1, 0]) };
    assert_eq!(oracle.clone().serve_response(&with_data), Err(Violation::ReplyWithData { id: 1, rank: 9 }));
    oracle.serve_response(&error)?;
    // A write is answered without data, too.
    oracle.serve_request(&writes(1, [5, 6]));
    assert_eq!(oracle.clone().serve_response(&reply(1, [5, 6])), Err(Violation::ReplyWithData { id: 1, rank: 9 }));
    oracle.serve_response(&reply(1, [0, 0]))?;
    // Beyond the window it writes nothing.
    oracle.serve_request(&ServeRequest { addr: 0x100, ..writes(1, [7, 8]) });
    oracle.serve_response(&error)?;
    run_load(&mut oracle, 1, [5, 6])
}

#[test]
fn others_see_what_shared_memory_held_meanwhile() -> Verdict {
    let mut oracle = oracle();
    run_store(&mut oracle, 1, [1, 2])?;
    oracle.serve_request(&reads(1));
    assert!(is_forbidden(oracle.clone().serve_response(&reply(1, [0, 2]))));
    assert!(is_forbidden(oracle.clone().serve_response(&reply(1, [1, 3]))));
    // A store that is under way may be seen or not, word by word; not before its data have come.
    oracle.accept(&own(store(2, OWN)))?;
    assert!(is_forbidden(oracle.clone().serve_response(&reply(1, [3, 2]))));
    oracle.store_data(2, &words([3, 4]))?;
    for (values, is_right) in [([1, 2], true), ([3, 4], true), ([1, 4], true), ([3, 3], false)] {
        assert_eq!(oracle.clone().serve_response(&reply(1, values)).is_ok(), is_right, "{values:?}");
    }
    oracle.done(2)?;
    // It may have been read before that was done; not so by a request that comes later.
    oracle.clone().serve_response(&reply(1, [1, 2]))?;
    oracle.serve_response(&reply(1, [3, 4]))?;
    oracle.serve_request(&reads(2));
    assert!(is_forbidden(oracle.clone().serve_response(&reply(2, [1, 4]))));
    oracle.serve_response(&reply(2, [3, 4]))
}

#[test]
fn own_loads_see_what_others_have_written() -> Verdict {
    let mut oracle = oracle();
    run_store(&mut oracle, 1, [1, 2])?;
    oracle.accept(&own(load(2, OWN)))?;
    oracle.serve_request(&writes(1, [5, 6]));
    for (values, is_right) in [([1, 2], true), ([5, 6], true), ([1, 6], true), ([5, 5], false)] {
        assert_eq!(oracle.clone().writeback(&registers(2, values)).is_ok(), is_right, "{values:?}");
    }
    // What one load has seen, no later one misses.
    oracle.accept(&own(load(3, OWN)))?;
    oracle.accept(&own(load(4, OWN)))?;
    oracle.writeback(&registers(3, [5, 2]))?;
    assert!(is_forbidden(oracle.clone().writeback(&registers(4, [1, 6]))));
    oracle.clone().writeback(&registers(4, [5, 2]))?;
    // The one before it may.
    oracle.clone().writeback(&registers(2, [1, 2]))?;
    oracle.serve_response(&reply(1, [0, 0]))?;
    // All three were accepted before the answer; a fourth one was not.
    oracle.writeback(&registers(4, [5, 2]))?;
    oracle.accept(&own(load(5, OWN)))?;
    assert!(is_forbidden(oracle.clone().writeback(&registers(5, [5, 2]))));
    oracle.writeback(&registers(5, [5, 6]))?;
    oracle.writeback(&registers(2, [1, 2]))?;
    // An own store that begins later wins.
    run_store(&mut oracle, 6, [8, 9])?;
    assert!(is_forbidden(run_load(&mut oracle.clone(), 7, [5, 9])));
    run_load(&mut oracle, 7, [8, 9])
}

#[test]
fn a_reset_leaves_requests_of_others() -> Verdict {
    let mut oracle = oracle();
    oracle.serve_request(&writes(1, [5, 6]));
    oracle.serve_request(&reads(2));
    let mut forgotten = oracle.clone();
    oracle.reset(false);
    assert!(!oracle.is_idle());
    oracle.serve_response(&reply(1, [0, 0]))?;
    assert!(is_forbidden(oracle.clone().serve_response(&reply(2, [0, 6]))));
    oracle.serve_response(&reply(2, [5, 6]))?;
    run_load(&mut oracle, 1, [5, 6])?;
    // Forgotten, it has been written, or has not, and nobody gets an answer.
    forgotten.reset(true);
    assert!(forgotten.is_idle());
    assert!(forgotten.clone().serve_response(&reply(1, [0, 0])).is_err());
    for (values, is_right) in [([0, 0], true), ([5, 6], true), ([0, 6], true), ([5, 7], false)] {
        assert_eq!(run_load(&mut forgotten.clone(), 1, values).is_ok(), is_right, "{values:?}");
    }
    run_store(&mut forgotten, 2, [1, 2])?;
    run_load(&mut forgotten, 3, [1, 2])
}

#[test]
fn nothing_is_asked_while_the_cluster_owes_answers() -> Verdict {
    let mut oracle = oracle();
    oracle.accept(&load(1, 2))?;
    oracle.cluster_request(&asks_read(0, 2))?;
    oracle.reset(false);
    oracle.accept(&load(2, 3))?;
    let early = oracle.clone().cluster_request(&asks_read(0, 3));
    assert_eq!(early, Err(Violation::ClusterRequestTooEarly { id: 0, owed: 1 }));
    assert!(oracle.idle(true).is_err());
    oracle.cluster_response(&comes(0, [7, 8]));
    oracle.cluster_request(&asks_read(0, 3))?;
    // What came before is nobody's.
    assert!(oracle.clone().writeback(&registers(2, [7, 8])).is_err());
    oracle.cluster_response(&comes(0, [1, 2]));
    oracle.writeback(&registers(2, [1, 2]))
}
