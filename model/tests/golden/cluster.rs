//! Shared memory of the cluster: what is asked of other CTAs, and what others ask, cycle by cycle, worked out by hand from the timing
//! contract. Cycle 0 is the one in which the first operation is accepted; memory and the other CTAs answer a request of cycle t in cycle
//! t + 10.

use crate::global_rig::*;
use lsu_model::pins::{ClusterWindow, FaultRecord, MemoryResponse, Request, ServeRequest, ServeResponse};
use lsu_model::preset::{ALL, Preset, WARP32};

const ADDRESS_OUT_OF_RANGE: u8 = 4;
const MEMORY_ERROR: u8 = 5;

/// The own CTA's rank in these tests.
const OWN: u8 = 5;

/// A unit of the CTA `OWN`, whose window is all of shared memory.
fn in_cluster(preset: &Preset) -> Rig {
    let mut rig = Rig::new(preset);
    rig.inputs.windows.rank = OWN;
    rig.inputs.windows.cluster = ClusterWindow { base: 0, size: preset.shared_bytes as u32 };
    rig
}

/// Parts of a sector.
fn parts(preset: &Preset) -> u64 {
    if preset.lanes == 4 { 2 } else { 1 }
}

fn read(id: u8, addr: u64) -> ServeRequest {
    ServeRequest { id, rank: 2, addr, strb: 0x55, data: [7; 8], ..ServeRequest::default() }
}

fn write(id: u8, addr: u64, strb: u32, data: [u32; 8]) -> ServeRequest {
    ServeRequest { id, rank: 3, write: true, addr, strb, data }
}

/// Word w of shared memory becomes w + 1, for the first `words`.
fn count_words(rig: &mut Rig, words: u64) {
    let lanes = rig.preset.lanes as u64;
    for first in (0..words).step_by(lanes as usize) {
        let request = store_shared(&rig.preset, |lane| 4 * (first + lane));
        rig.run([with_data(request, 1, |_, lane| first as u32 + lane + 1)]);
    }
}

/// The words from `address` on as they are in shared memory.
fn words_at(rig: &mut Rig, address: u64) -> Vec<u32> {
    let lanes = rig.preset.lanes.min(4);
    rig.run([Request { tag: 200, ..load_shared(&rig.preset, |lane| address + 4 * (lane % 4)) }]);
    (0..lanes).filter_map(|lane| rig.value(200, 4, lane)).collect()
}

/// Runs with these requests of others, the first offered in cycle `cycle`, until they and `operation` are answered.
fn run_with(rig: &mut Rig, cycle: u64, asked: &[ServeRequest], operations: Vec<Operation>) {
    rig.begin();
    rig.asked.extend(asked.iter().map(|request| (cycle, *request)));
    rig.program.extend(operations);
    let wanted = asked.len();
    while rig.replies().len() < wanted || !rig.program.is_empty() || !rig.in_flight.is_empty() {
        rig.step();
        assert!(rig.cycle < 500);
    }
}

#[test]
fn a_remote_load_takes_an_answer() {
    for preset in ALL {
        let mut rig = in_cluster(&preset);
        // `tag` 4, `cluster_req` 5, `cluster_rsp` 15, `answer` 16, ready 17, `resume` 18, `read` 19, `landing` 20, `collect` 21, `emit` 22.
        rig.run([load_cluster(&preset, 0xa3, |lane| 0x20 + 4 * (lane % 8))]);
        assert_eq!((rig.writebacks(), rig.value(0, 4, 3)), (vec![(22, 0, 4)], Some(0xa300_002c)));
        let asks = rig.asks_made();
        let (cycle, request) = asks[0];
        assert_eq!((asks.len(), cycle), (1, 5));
        // MSHR 0, sector 1.
        assert_eq!((request.id, request.rank, request.addr), (1, 0xa3, 0x20));
        assert_eq!((request.write, request.strb, request.data), (false, u32::MAX, [0; 8]));
        assert_eq!((rig.reads(), rig.writes()), (vec![], vec![]));
        // Nothing of it is kept: the same again.
        rig.run([load_cluster(&preset, 0xa3, |lane| 0x20 + 4 * (lane % 8))]);
        assert_eq!((rig.writebacks(), rig.asks_made().len()), (vec![(22, 0, 4)], 1));
        rig.step();
        let status = rig.outputs.status;
        assert_eq!((status.l1_hits, status.l1_misses, status.sectors_read, status.wavefronts), (0, 0, 0, 2));
        rig.finish();
    }
}

#[test]
fn a_remote_store_is_done_when_it_is_answered() {
    for preset in ALL {
        let mut rig = in_cluster(&preset);
        // `issue` 3, `merge` 5, `tag` 6, `write` 7, response 17, `answer` 18, ready 19, `resume` 20, `done` 21.
        let request = Request {
            sem: RELEASE,
            scope: 1,
            cop: CS,
            prefetch: 2,
            policy_en: true,
            policy: 0x1234_5678_9abc_def0,
            l2_evict: 2,
            mask: 0b11,
            ..store_cluster(&preset, 1, |lane| 0x68 + 4 * lane)
        };
        rig.run([with_data(request, 1, |_, lane| 0x1111_1111_u32.wrapping_mul(lane + 1))]);
        assert_eq!(rig.dones(), [(21, 0)]);
        let (cycle, asked) = rig.asks_made()[0];
        assert_eq!((cycle, asked.id, asked.rank, asked.addr, asked.write), (7, 3, 1, 0x60, true));
        assert_eq!((asked.strb, asked.data), (0xff00, [0, 0, 0x1111_1111, 0x2222_2222, 0, 0, 0, 0]));
        // `COP_CS` asks for evict_first; all else goes out as it came.
        assert_eq!((asked.l2_evict, asked.policy_en, asked.policy), (1, true, 0x1234_5678_9abc_def0));
        assert_eq!((asked.prefetch, asked.cop, asked.sem, asked.scope), (2, CS, RELEASE, 1));
        assert_eq!((rig.far_word(0x100_0068), rig.far_word(0x100_006c)), (0x1111_1111, 0x2222_2222));
        rig.step();
        assert_eq!(rig.outputs.status.sectors_written, 0);
        rig.finish();
    }
}

#[test]
fn lanes_of_the_own_rank_are_shared_ones() {
    for preset in ALL {
        let mut rig = in_cluster(&preset);
        count_words(&mut rig, 8);
        // With a window that does not begin with shared memory.
        let request = Request { shared_base: 16, ..load_cluster(&preset, OWN, |lane| 4 * (lane % 4)) };
        rig.run([request]);
        assert_eq!((rig.writebacks(), rig.asks_made().len()), (vec![(8, 0, 4)], 0));
        assert_eq!([0, 1, 2, 3].map(|lane| rig.value(0, 4, lane)), [5, 6, 7, 8].map(Some));
        // Some of each: a pass for the shared ones, one for each line of each rank.
        let ranks = [OWN, 1, 2, 1];
        let mixed = |lane: u64| (u64::from(ranks[lane as usize % 4]) << 24) | (4 * lane);
        rig.step();
        let before = rig.outputs.status.wavefronts;
        rig.run([Request { mask: 0xf, ..load_cluster(&preset, 0, mixed) }]);
        let expected = [1, 0x100_0004, 0x200_0008, 0x100_000c].map(Some);
        assert_eq!([0, 1, 2, 3].map(|lane| rig.value(0, 4, lane)), expected);
        rig.step();
        assert_eq!(rig.outputs.status.wavefronts - before, 3);
        rig.run([with_data(Request { mask: 0xf, ..store_cluster(&preset, 0, mixed) }, 1, |_, lane| 90 + lane)]);
        assert_eq!(rig.asks_made().len(), 2);
        assert_eq!(words_at(&mut rig, 0)[0], 90);
        assert_eq!([0x100_0004, 0x200_0008, 0x100_000c].map(|address| rig.far_word(address)), [91, 92, 93]);
        rig.finish();
    }
}

#[test]
fn all_have_windows_of_one_size() {
    for preset in ALL {
        let mut rig = in_cluster(&preset);
        for rank in [OWN, 0, 255] {
            // Size, first offset, lanes beyond.
            for (shared_size, first, lanes) in
                [(0, 0, 0b11), (0x2f, 0x1c, 0b10), (0x20, 0x18, 0), (0x40, 0x200_0000 - 4 - 0x100_0000, 0b01)]
            {
                let last = first == 0xff_fffc;
                let address = |lane: u64| if last { first * (1 - lane % 2) } else { first + 4 * lane };
                for request in [load_cluster(&preset, rank, address), store_cluster(&preset, rank, address)] {
                    let request = Request { shared_size, mask: 0b11, ..request };
                    let is_store = request.op == STORE;
                    rig.run([if is_store { with_data(request, 1, |_, _| 1) } else { request.into() }]);
                    let lowest = request.addr[(lanes & 0b11_u32).trailing_zeros() as usize % 2];
                    let record = FaultRecord { tag: 0, cause: ADDRESS_OUT_OF_RANGE, lanes, addr: lowest };
                    let expected = if lanes == 0 { vec![] } else { vec![(4 + u64::from(is_store), record)] };
                    assert_eq!(rig.faults(), expected, "{request:?}");
                }
            }
        }
        rig.finish();
    }
    // Where addresses have more than 32 bits, the rest is 0, for either sort.
    let mut rig = in_cluster(&WARP32);
    for rank in [OWN, 1] {
        let request = load_cluster(&WARP32, rank, |lane| if lane == 2 { 1 << 32 } else { 0 });
        rig.run([request]);
        let addr = 1 << 32 | u64::from(rank) << 24;
        assert_eq!(rig.faults(), [(4, FaultRecord { tag: 0, cause: ADDRESS_OUT_OF_RANGE, lanes: 0b100, addr })]);
    }
}

#[test]
fn a_line_of_another_cta_is_no_line_of_memory() {
    for preset in ALL {
        // Rank 1, offset 0 is the same number as this address.
        let address = 0x100_0000;
        let mut rig = warm(&preset, [address / 128]);
        rig.inputs.windows.rank = OWN;
        // The remote store waits for nobody and changes nothing in L1, whatever is under way in memory.
        rig.run([
            with_data(Request { tag: 1, mask: 1, ..store(|_| address + 64) }, 1, |_, _| 7),
            with_data(Request { tag: 2, mask: 1, ..store_cluster(&preset, 1, |_| 64) }, 1, |_, _| 9),
        ]);
        rig.step();
        assert_eq!(rig.outputs.status.stall_order, 0);
        rig.run([Request { tag: 3, mask: 1, ..load(|_| address + 64) }]);
        assert_eq!((rig.value(3, 4, 0), rig.reads().len()), (Some(7), 0));
        // Nor does a strong remote load take anything out of L1.
        rig.run([Request { tag: 4, sem: RELAXED, scope: GPU, ..load_cluster(&preset, 1, |_| 64) }]);
        assert_eq!(rig.value(4, 4, 0), Some(9));
        rig.run([Request { tag: 5, mask: 1, ..load(|_| address + 64) }]);
        assert_eq!((rig.value(5, 4, 0), rig.reads().len()), (Some(7), 0));
        // Of two remote ones the second waits: `tag` 4 and 5 to 17, as the first waiter is ready in 17 and in use up to 18.
        let before = rig.outputs.status.stall_order;
        rig.run([
            with_data(Request { tag: 6, mask: 1, ..store_cluster(&preset, 1, |_| 64) }, 1, |_, _| 10),
            Request { tag: 7, mask: 1, ..load_cluster(&preset, 1, |_| 68) }.into(),
        ]);
        rig.step();
        assert!(rig.outputs.status.stall_order > before);
        rig.finish();
    }
}

#[test]
fn errors_of_the_cluster_are_memory_errors() {
    for preset in ALL {
        let mut rig = in_cluster(&preset);
        rig.absent.insert(9);
        let ranks = |lane: u64| if lane == 1 { 9 } else { 1 } << 24 | (0x20 + 4 * (lane % 4));
        rig.run([Request { mask: 0b11, ..load_cluster(&preset, 0, ranks) }]);
        let record = FaultRecord { tag: 0, cause: MEMORY_ERROR, lanes: 0b10, addr: 0x900_0024 };
        assert_eq!(rig.faults().iter().map(|(_, record)| *record).collect::<Vec<_>>(), [record]);
        assert_eq!((rig.value(0, 4, 0), rig.value(0, 4, 1)), (Some(0x100_0020), None));
        rig.run([with_data(Request { mask: 0b11, ..store_cluster(&preset, 0, ranks) }, 1, |_, lane| lane + 1)]);
        assert_eq!(rig.faults().iter().map(|(_, record)| *record).collect::<Vec<_>>(), [record]);
        assert_eq!((rig.far_word(0x100_0020), rig.far_word(0x900_0024)), (1, 0x900_0024));
        rig.finish();
    }
}

#[test]
fn others_read_sectors_of_the_window() {
    for preset in ALL {
        let parts = parts(&preset);
        let mut rig = in_cluster(&preset);
        count_words(&mut rig, preset.shared_bytes as u64 / 4);
        let sector = |first: u32| std::array::from_fn(|word| first + word as u32 + 1);
        let all = preset.shared_bytes as u32;
        // `serve` 1, `read` 2, of two parts again `serve` 3, `read` 4; `reply` then. The low bits of the address do not count.
        for addr in [0x40, 0x45, 0x5f] {
            run_with(&mut rig, 0, &[read(9, addr)], vec![]);
            let response = ServeResponse { id: 9, rank: 2, data: sector(16), error: false };
            assert_eq!(rig.replies(), [(1 + 2 * parts, response)]);
        }
        // Base, size, offset, first word; none beyond the window.
        for (base, size, addr, first) in [
            (0x20, all, 0, Some(8)),
            (0x3f, all, 0, Some(8)),
            (0, 0x4f, 0x40, None),
            (0, 0x50, 0x40, Some(16)),
            (0, 0x5f, 0x5f, Some(16)),
            (0, 0x50, 0x60, None),
            (0, 0, 0, None),
            (all - 0x20, 0x40, 0, Some(all / 4 - 8)),
            // It begins again behind the end.
            (all - 0x20, 0x40, 0x20, Some(0)),
            (0, 2 * all - 1, u64::from(all), Some(0)),
            (0, all, 1 << (preset.address_bits - 1), None),
        ] {
            rig.step();
            rig.inputs.windows.cluster = ClusterWindow { base, size };
            run_with(&mut rig, 0, &[read(63, addr)], vec![]);
            let data = first.map_or([0; 8], sector);
            let response = ServeResponse { id: 63, rank: 2, data, error: first.is_none() };
            assert_eq!(rig.replies(), [(1 + 2 * parts, response)], "{base:#x} {size:#x} {addr:#x}");
        }
        rig.finish();
    }
}

#[test]
fn others_write_bytes_of_the_window() {
    for preset in ALL {
        let parts = parts(&preset);
        let mut rig = in_cluster(&preset);
        count_words(&mut rig, 16);
        // `serve` 1, of two parts 2; `reply` then.
        let data = std::array::from_fn(|word| 0x1010_1010 * (word as u32 + 1));
        run_with(&mut rig, 0, &[write(4, 0x20, 0x8000_f006, data)], vec![]);
        assert_eq!(rig.replies(), [(1 + parts, ServeResponse { id: 4, rank: 3, ..ServeResponse::default() })]);
        assert_eq!(words_at(&mut rig, 0x20), [0x0010_1009, 10, 11, 0x4040_4040]);
        assert_eq!(words_at(&mut rig, 0x30), [13, 14, 15, 0x8000_0010]);
        assert_eq!(words_at(&mut rig, 0), [1, 2, 3, 4]);
        // Beyond the window nothing is written.
        rig.step();
        rig.inputs.windows.cluster.size = 0x20;
        run_with(&mut rig, 0, &[write(5, 0x20, u32::MAX, [0; 8])], vec![]);
        let response = ServeResponse { id: 5, rank: 3, error: true, ..ServeResponse::default() };
        assert_eq!(rig.replies(), [(1 + parts, response)]);
        assert_eq!(words_at(&mut rig, 0x24)[..2], [10, 11]);
        rig.finish();
    }
}

#[test]
fn one_request_is_served_and_one_reply_waits() {
    for preset in ALL {
        let parts = parts(&preset);
        let mut rig = in_cluster(&preset);
        rig.inputs.serve_rsp_ready = false;
        rig.asked.extend((0..3).map(|id| (0, write(id, 0, 1 << id, [0x0504_0302; 8]))));
        rig.asked.push_back((0, read(3, 0)));
        rig.begin();
        let mut ready = Vec::new();
        while rig.cycle < 20 {
            rig.step();
            ready.push(rig.outputs.serve_req_ready);
            assert_eq!(rig.outputs.serve_rsp_valid, rig.cycle > 1 + parts);
            assert_eq!(rig.outputs.status.idle, rig.cycle == 1);
            assert!(rig.outputs.mem_rsp_ready || (2..2 + parts).contains(&rig.cycle), "{}", rig.cycle);
        }
        // Taken in 0, and when that is in `reply`: the second waits for it.
        let expected: Vec<bool> = (0..20).map(|cycle| cycle == 0 || cycle == 1 + parts).collect();
        assert_eq!(ready, expected);
        rig.inputs.serve_rsp_ready = true;
        while rig.replies().len() < 4 {
            rig.step();
        }
        // `reply` is taken in 20 and empty in 21: the second is written from there on, the third is accepted when that is done, and so on.
        let second = 21 + parts;
        let third = second + 1 + parts;
        let fourth = third + 1 + 2 * parts;
        assert_eq!(rig.replies().iter().map(|(cycle, _)| *cycle).collect::<Vec<_>>(), [20, second, third, fourth]);
        assert_eq!(rig.replies()[3].1.data[0], 0x0004_0302);
        rig.step();
        assert!(rig.outputs.status.idle);
        rig.finish();
    }
}

#[test]
fn a_write_of_others_holds_back_own_accesses() {
    for preset in ALL {
        let parts = parts(&preset);
        // A shared load is in `bank` in 4: `serve` writes then, and the load is read behind it.
        let mut rig = in_cluster(&preset);
        run_with(&mut rig, 3, &[write(1, 0, 0xf, [77; 8])], vec![load_shared(&preset, |_| 0).into()]);
        assert_eq!((rig.writebacks(), rig.value(0, 4, 0)), (vec![(8 + parts, 0, 4)], Some(77)));
        assert_eq!(rig.replies()[0].0, 4 + parts);
        // A load that hits L1 goes on.
        let mut rig = warm(&preset, [0]);
        rig.inputs.windows.cluster.size = 32;
        run_with(&mut rig, 4, &[write(1, 0, 0xf, [77; 8])], vec![load(|_| 0).into()]);
        assert_eq!(rig.writebacks(), [(9, 0, 4)]);
        // A store is in `tag` in 6: `serve` writes then, and so it waits, wherever it goes.
        for request in [store_shared(&preset, |lane| 4 * lane), Request { mask: 0, ..store(|_| 0) }] {
            let mut rig = in_cluster(&preset);
            run_with(&mut rig, 5, &[write(1, 0x20, 0xf, [77; 8])], vec![with_data(request, 1, |_, _| 1)]);
            assert_eq!(rig.dones(), [(8 + parts, 0)]);
            rig.step();
            assert_eq!(u64::from(rig.outputs.status.stall_data), parts);
        }
        // It is done a cycle earlier: its update, in 7, comes first.
        let mut rig = in_cluster(&preset);
        let request = with_data(store_shared(&preset, |lane| 4 * lane), 1, |_, _| 1);
        run_with(&mut rig, 6, &[write(1, 0, 0xf, [77; 8])], vec![request]);
        assert_eq!((rig.dones(), rig.replies()[0].0), (vec![(8, 0)], 8 + parts));
        assert_eq!(words_at(&mut rig, 0)[..2], [77, 1]);
        rig.finish();
    }
}

#[test]
fn a_read_of_others_takes_its_turn() {
    for preset in ALL {
        let parts = parts(&preset);
        // In 4 there are a pass in `bank` and a request in `serve`. After reset `bank` comes first, then `serve`: picked in 5 (and 7).
        let mut rig = in_cluster(&preset);
        let loads = |count: u8| (0..count).map(|tag| Request { tag, ..load_shared(&preset, |_| 0) }.into()).collect();
        run_with(&mut rig, 3, &[read(1, 0)], loads(1));
        assert_eq!((rig.writebacks(), rig.replies()[0].0), (vec![(8, 0, 4)], 5 + 2 * parts));
        // With a load every cycle the second of them waits for it, and if there are two parts the third one too.
        let mut rig = in_cluster(&preset);
        run_with(&mut rig, 3, &[read(1, 0)], loads(4));
        let cycles: Vec<u64> = rig.writebacks().iter().map(|(cycle, ..)| *cycle).collect();
        let expected = if parts == 1 { [8, 10, 11, 12] } else { [8, 10, 12, 13] };
        assert_eq!((cycles, rig.replies()[0].0), (expected.to_vec(), 5 + 2 * parts));
        // No read in an update of shared memory: that of a store is in 7.
        let mut rig = in_cluster(&preset);
        let request = with_data(store_shared(&preset, |_| 0), 1, |_, _| 5);
        run_with(&mut rig, 6, &[read(1, 0)], vec![request]);
        // `hit` is picked in 7, and leaves; `serve` in 8.
        assert_eq!((rig.dones(), rig.replies()[0].0), (vec![(8, 0)], 8 + 2 * parts));
        assert_eq!(rig.replies()[0].1.data[0], 5);
        // The same where `serve` stands before `hit` in the order, as a store's pass left last.
        for value in [6, 7] {
            rig.run([with_data(store_shared(&preset, |_| 0), 1, |_, _| 1)]);
            let request = with_data(store_shared(&preset, |_| 0), 1, move |_, _| value);
            run_with(&mut rig, 6, &[read(1, 0)], vec![request]);
            assert_eq!((rig.dones(), rig.replies()[0].0), (vec![(8, 0)], 8 + 2 * parts));
            assert_eq!(rig.replies()[0].1.data[0], value);
        }
        // One is read, though nothing moves any more: its read stands in `read` for a cycle only if that is free.
        let mut rig = in_cluster(&preset);
        rig.inputs.wb_ready = false;
        rig.program.extend(loads(3));
        rig.begin();
        while rig.cycle < 20 {
            rig.step();
        }
        rig.begin();
        rig.asked.push_back((0, read(1, 0)));
        while rig.replies().is_empty() {
            rig.step();
        }
        // `emit`, `collect` and `landing` are full, `read` is not.
        assert_eq!(rig.replies()[0].0, 1 + 2 * parts);
        rig.program.extend([3, 4].map(|tag| Operation::from(Request { tag, ..load_shared(&preset, |_| 0) })));
        while rig.cycle < 30 {
            rig.step();
        }
        // Now it is.
        rig.asked.push_back((0, read(2, 0)));
        while rig.cycle < 50 {
            rig.step();
        }
        assert_eq!(rig.replies().len(), 1);
        rig.inputs.wb_ready = true;
        rig.drain();
        rig.finish();
    }
}

#[test]
fn an_answer_waits_for_updates_and_writes() {
    for preset in ALL {
        let parts = parts(&preset);
        // `answer` in 16: a write of others is in `serve` then, so that it acts behind it. Memory is not listened to meanwhile.
        let mut rig = in_cluster(&preset);
        rig.asked.push_back((15, write(1, 0, 0, [0; 8])));
        rig.program.push_back(load_cluster(&preset, 1, |_| 0).into());
        rig.inputs.mem_rsp = MemoryResponse { id: 64, ..MemoryResponse::default() };
        rig.begin();
        while rig.writebacks().is_empty() {
            rig.step();
            let cycle = rig.cycle - 1;
            assert_eq!(rig.outputs.mem_rsp_ready, !(16..=16 + parts).contains(&cycle), "{cycle}");
            assert_eq!(rig.outputs.cluster_rsp_ready, !(16..=16 + parts).contains(&cycle), "{cycle}");
        }
        assert_eq!(rig.writebacks(), [(22 + parts, 0, 4)]);
        // An update in 16: the store is in `tag` in 15, and accepted in 9.
        let mut rig = in_cluster(&preset);
        rig.program.push_back(load_cluster(&preset, 1, |_| 0).into());
        rig.begin();
        while rig.cycle < 9 {
            rig.step();
        }
        rig.program.push_back(with_data(Request { tag: 1, ..store_shared(&preset, |_| 0) }, 1, |_, _| 1));
        rig.drain();
        assert_eq!((rig.dones(), rig.writebacks()), (vec![(17, 1)], vec![(23, 0, 4)]));
        rig.finish();
    }
}

#[test]
fn reads_and_writes_take_turns_at_the_cluster_port() {
    for preset in roomy() {
        let mut rig = in_cluster(&preset);
        rig.inputs.cluster_req_ready = false;
        let load = |tag: u8| Request { tag, mask: 1, ..load_cluster(&preset, 1, move |_| 128 * u64::from(tag)) };
        let store = |tag: u8| Request { op: STORE, ..load(tag) };
        rig.program.push_back(with_data(store(1), 1, |_, _| 1));
        rig.program.extend([load(2).into(), with_data(store(3), 1, |_, _| 1), load(4).into()]);
        // Memory is asked all the same.
        rig.begin();
        while rig.cycle < 30 {
            rig.step();
        }
        assert_eq!((rig.asks_made().len(), rig.outputs.cluster_req_valid), (0, true));
        rig.inputs.cluster_req_ready = true;
        rig.drain();
        // The write was presented first and stays; then they take turns.
        let asks: Vec<(u64, bool)> = rig.asks_made().iter().map(|(cycle, request)| (*cycle, request.write)).collect();
        assert_eq!(asks, [(30, true), (31, false), (32, true), (33, false)]);
        rig.finish();
        // One port does not hold up the other.
        let mut rig = in_cluster(&preset);
        rig.inputs.mem_req_ready = false;
        rig.program.push_back(with_data(Request { tag: 8, mask: 1, ..crate::global_rig::store(|_| 0) }, 1, |_, _| 1));
        rig.program.push_back(load(9).into());
        rig.begin();
        while rig.cycle < 40 {
            rig.step();
        }
        assert_eq!(rig.value(9, 4, 0), Some(0x100_0480));
        rig.inputs.mem_req_ready = true;
        rig.drain();
    }
}

#[test]
fn an_acquire_of_shared_memory_empties_l1() {
    for preset in ALL {
        let last_slot = preset.warps as u8 - 1;
        for (sem, scope, warp, is_held) in
            [(ACQUIRE, 1, 0, true), (ACQUIRE, 0, 0, false), (RELAXED, GPU, 0, false), (ACQUIRE, GPU, last_slot, false)]
        {
            for space in [2, 3] {
                let mut rig = warm(&preset, [0]);
                rig.inputs.windows.rank = 0;
                rig.step();
                let before = rig.outputs.status.stall_order;
                // `emit`, `collect`, `landing` and `read` are full from the loads before, and `bank` with one of them and the acquire.
                rig.inputs.wb_ready = false;
                let shared = |tag: u8| Request { tag, warp: last_slot, ..load_shared(&preset, |_| 0) };
                rig.program.extend((0..5).map(|tag| Operation::from(shared(tag))));
                rig.program.push_back(Request { sem, scope, space, warp, ..shared(5) }.into());
                rig.program.push_back(Request { tag: 6, mask: 1, ..load(|_| 0) }.into());
                rig.begin();
                while rig.cycle < 40 {
                    rig.step();
                }
                assert_eq!(rig.outputs.status.stall_order > before, is_held, "{sem} {scope} {warp}");
                rig.inputs.wb_ready = true;
                rig.drain();
                // What waited for the acquire misses.
                assert_eq!(rig.reads().len(), usize::from(is_held), "{sem} {scope} {warp}");
                // And whoever looks later, if it was one.
                rig.run([Request { tag: 7, mask: 1, warp: last_slot, ..load(|_| 0) }]);
                let is_emptied = sem == ACQUIRE && scope != 0 && !is_held;
                assert_eq!(rig.reads().len(), usize::from(is_emptied));
                rig.finish();
            }
        }
    }
}

#[test]
fn a_reset_waits_for_the_cluster() {
    for preset in ALL {
        for forgets in [false, true] {
            let mut rig = in_cluster(&preset);
            rig.latency = 20;
            rig.program.push_back(load_cluster(&preset, 1, |_| 0).into());
            rig.begin();
            while rig.cycle < 10 {
                rig.step();
            }
            (rig.inputs.reset, rig.inputs.reset_memory) = (true, forgets);
            rig.step();
            (rig.inputs.reset, rig.inputs.reset_memory) = (false, false);
            rig.oracle.reset(forgets);
            rig.in_flight.clear();
            if forgets {
                rig.answers.clear();
            }
            // The answer comes in 25: until then the unit drains, and asks for nothing. What is accepted in 11 could ask in 16.
            rig.program.push_back(load_cluster(&preset, 2, |_| 32).into());
            rig.program.push_back(Request { tag: 1, mask: 1, ..load(|_| 0) }.into());
            while rig.cycle < 40 {
                rig.step();
                let drains = !forgets && rig.cycle - 1 <= 25;
                assert!(!drains || rig.outputs.cluster_rsp_ready && !rig.outputs.status.idle);
            }
            rig.drain();
            let asked = rig.asks_made()[1];
            assert_eq!((asked.0, asked.1.rank), (if forgets { 16 } else { 26 }, 2));
            // The read of memory stands behind it in `read_queue`.
            assert_eq!(rig.reads()[0].0, if forgets { 17 } else { 27 });
            assert_eq!((rig.value(0, 4, 0), rig.value(1, 4, 0)), (Some(0x200_0020), Some(0)));
            rig.finish();
        }
    }
}

#[test]
fn a_reset_leaves_what_others_wait_for() {
    for preset in ALL {
        let parts = parts(&preset);
        for reset_in in 0..10 {
            for forgets in [false, true] {
                let mut rig = in_cluster(&preset);
                count_words(&mut rig, 8);
                // A write, whose reply waits until 6, and a read, which is made when that is gone.
                rig.asked.extend([(0, write(1, 0, 0xff, [50; 8])), (0, read(2, 0))]);
                rig.inputs.serve_rsp_ready = false;
                rig.begin();
                while rig.cycle < 30 {
                    rig.inputs.serve_rsp_ready = rig.cycle >= 6;
                    let is_reset = rig.cycle == reset_in;
                    (rig.inputs.reset, rig.inputs.reset_memory) = (is_reset, is_reset && forgets);
                    rig.step();
                    if is_reset {
                        rig.oracle.reset(forgets);
                    }
                    if is_reset && forgets {
                        // Who asked has forgotten it.
                        rig.asked.clear();
                    }
                }
                let replies: Vec<(u64, u8)> = rig.replies().iter().map(|(cycle, reply)| (*cycle, reply.id)).collect();
                // The first in 6; `reply` is empty in 7: `serve` is picked in 7, `read` 8, of two parts again in 9, `read` 10.
                // A pick at the edge of a reset is made again in the next cycle; of a read that stands in `read` the cycle is lost, too.
                let lost = match reset_in {
                    7 => 1,
                    8 => 2,
                    9 if parts == 2 => 1,
                    _ => 0,
                };
                let second = 7 + 2 * parts + lost;
                let expected = match forgets {
                    false => vec![(6, 1), (second, 2)],
                    true => [(6, 1), (second, 2)].into_iter().filter(|(cycle, _)| *cycle <= reset_in).collect(),
                };
                assert_eq!(replies, expected, "{} reset in {reset_in}, forgets {forgets}", preset.name);
                if let Some((_, reply)) = rig.replies().get(1) {
                    assert_eq!(reply.data, [50, 50, 3, 4, 5, 6, 7, 8]);
                }
                rig.finish();
            }
        }
    }
}
