//! What other CTAs ask for, answers from them, and acquires in `bank`.

use lsu_hdl::preset::tiny4::unit::global::answer::Answer;
use lsu_hdl::preset::tiny4::unit::global::reply::Reply;
use lsu_hdl::preset::tiny4::unit::global::serve::Serve;
use lsu_hdl::preset::tiny4::unit::sizes::{ENTRY_BITS, FIRST_SHARED_ROW};
use proptest::prelude::*;

use crate::{Draw, after_reset, config, cycles, edge, settled};

/// Bytes of shared memory.
const SHARED_BYTES: u64 = 512;
/// Bytes of a part.
const PART: usize = 16;

#[derive(Clone, Debug)]
struct Request {
    id: u64,
    rank: u64,
    write: bool,
    addr: u64,
    strb: u64,
    seed: u64,
}

fn word(seed: u64, place: usize) -> u32 {
    ((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(place as u64 * 0x0123_4567_89ab_cdef) >> 17) as u32
}

/// What `reply` holds: id, rank, error, sector.
type Response = (u64, u64, bool, [u32; 8]);

proptest! {
    #![proptest_config(config())]

    /// Rule SERVE, with the row store as an array of bytes beside it, whatever else the path does.
    #[test]
    fn serve_and_reply(base in 0..SHARED_BYTES * 2, size in 0..SHARED_BYTES * 2, cycles in cycles(200)) {
        let (mut serve, mut reply) = (after_reset!(Serve), after_reset!(Reply));
        serve.cluster_base.next = base.into();
        serve.cluster_size.next = size.into();
        let mut shared: Vec<u8> = (0..SHARED_BYTES).map(|byte| ((byte * 37) >> 2) as u8).collect();
        let mut held: Option<Request> = None;
        let mut parts_done = 0;
        let mut sector_read = [0_u8; 32];
        let mut in_read: Option<Vec<u8>> = None;
        let mut full: Option<Response> = None;
        let mut wrote = false;
        let mut shared_update = false;
        for draw in cycles {
            let mut draw = Draw(draw);
            let request = Request {
                id: draw.number(6),
                rank: draw.number(8),
                write: draw.bit(),
                // Most of them near shared memory's end, some far beyond.
                addr: draw.number(10) | if draw.number(3) == 0 { draw.number(22) << 10 } else { 0 },
                strb: draw.number(32),
                seed: draw.number(16),
            };
            let (valid, ready, picked, resets) = (draw.bit(), draw.bit(), draw.bit(), draw.number(4) == 0);
            let writes = held.as_ref().is_some_and(|held| held.write) && full.is_none();
            let updates = shared_update || (draw.bit() && !(writes && wrote));
            // Rule SERVE: no store moves while it writes.
            let shared_update_next = draw.bit() && !writes;
            let reads = held.as_ref().is_some_and(|held| !held.write)
                && full.is_none() && in_read.is_none() && !shared_update;
            let goes = reads && picked;

            serve.request.serve_req_valid.next = valid;
            serve.request.serve_req_id.next = request.id.into();
            serve.request.serve_req_rank.next = request.rank.into();
            serve.request.serve_req_write.next = request.write;
            serve.request.serve_req_addr.next = request.addr.into();
            serve.request.serve_req_strb.next = request.strb.into();
            for place in 0..8 {
                serve.request.serve_req_data[place].next = u64::from(word(request.seed, place)).into();
            }
            (serve.updates.next, serve.updates_shared_next.next) = (updates, shared_update_next);
            (serve.read_goes.next, serve.read_is_lost.next) = (goes, resets);
            (serve.reply_full.next, serve.reply_stays.next) = (full.is_some(), full.is_some() && !ready);
            settled!(serve);
            reply.lands.next = serve.lands.val();
            reply.part.next = serve.part.val();
            reply.ends.next = serve.ends.val();
            (reply.id.next, reply.rank.next, reply.error.next) = (serve.id.val(), serve.rank.val(), serve.error.val());
            reply.response.serve_rsp_ready.next = ready;
            // Any words but those of the sector that was read.
            let first = (u64::from(serve.row.val()) as usize - FIRST_SHARED_ROW) * 128
                + u64::from(serve.sector.val()) as usize * 32;
            for place in 0..8 {
                let read = in_read.as_ref().map(|bytes| &bytes[first + place * 4..first + place * 4 + 4]);
                let value = read.map_or(word(request.seed, place + 8), |bytes| {
                    u32::from_le_bytes(bytes.try_into().expect("four"))
                });
                reply.word[place].next = u64::from(value).into();
            }
            settled!(reply);

            prop_assert_eq!(serve.request.serve_req_ready.val(), held.is_none());
            prop_assert_eq!(reply.stays.val(), full.is_some() && !ready);
            prop_assert_eq!((serve.writes.val(), serve.reads.val()), (writes, reads));
            let found = reply.response.serve_rsp_valid.val().then(|| (
                u64::from(reply.response.serve_rsp_id.val()),
                u64::from(reply.response.serve_rsp_rank.val()),
                reply.response.serve_rsp_error.val(),
                std::array::from_fn(|place| u64::from(reply.response.serve_rsp_data[place].val()) as u32),
            ));
            prop_assert_eq!(found, full);

            // The edge.
            let taken = full.is_some() && ready;
            let mut ends = false;
            if let Some(held) = &held {
                let at = ((base / 32 * 32 + held.addr / 32 * 32) % SHARED_BYTES) as usize;
                let is_error = held.addr / 32 * 32 >= size / 16 * 16;
                let part = parts_done * PART..(parts_done + 1) * PART;
                let mut steps = false;
                if writes && !updates {
                    steps = true;
                    prop_assert_eq!(serve.write_goes.val(), !is_error);
                    if !is_error {
                        // What the row store would write.
                        let (row, sector) = (u64::from(serve.row.val()) as usize, u64::from(serve.sector.val()) as usize);
                        let first = (row - FIRST_SHARED_ROW) * 128 + sector * 32;
                        let mut expected = shared.clone();
                        for byte in part.clone().filter(|byte| held.strb >> byte & 1 == 1) {
                            expected[at + byte] = word(held.seed, byte / 4).to_le_bytes()[byte % 4];
                        }
                        for byte in 0..32 {
                            if serve.strobe[byte / 4].val().get_bit(byte % 4) {
                                let word = u64::from(serve.data[byte / 4].val()) as u32;
                                shared[first + byte] = word.to_le_bytes()[byte % 4];
                            }
                        }
                        prop_assert_eq!(&shared, &expected);
                    }
                } else {
                    prop_assert!(!serve.write_goes.val());
                }
                if let Some(bytes) = in_read.take().filter(|_| !resets) {
                    steps = true;
                    sector_read[part.clone()].copy_from_slice(&bytes[at..at + 32][part]);
                }
                parts_done += usize::from(steps);
                ends = parts_done * PART == 32;
                if ends {
                    let has_data = !held.write && !is_error;
                    let data = std::array::from_fn(|place| {
                        let bytes = sector_read[place * 4..place * 4 + 4].try_into().expect("four bytes");
                        if has_data { u32::from_le_bytes(bytes) } else { 0 }
                    });
                    full = Some((held.id, held.rank, is_error, data));
                }
            }
            in_read = (goes && !resets).then(|| shared.clone());
            if shared_update {
                shared[request.seed as usize % SHARED_BYTES as usize] ^= 0xa5;
            }
            if taken {
                full = None;
            }
            if held.is_none() && valid {
                (held, parts_done) = (Some(request), 0);
            } else if ends {
                held = None;
            }
            wrote = writes;
            shared_update = shared_update_next && !resets;
            edge!(serve);
            edge!(reply);
        }
    }

    /// It is taken when the place is empty, and acts in the first cycle in which it may.
    #[test]
    fn answer(cycles in cycles(60)) {
        let mut block = after_reset!(Answer);
        let mut held: Option<(u64, bool, u64)> = None;
        for draw in cycles {
            let mut draw = Draw(draw);
            let (valid, goes) = (draw.bit(), draw.bit());
            let (id, error, seed) = (draw.number(ENTRY_BITS as u32 + 2), draw.bit(), draw.number(20));
            (block.response.cluster_rsp_valid.next, block.goes.next) = (valid, goes);
            (block.response.cluster_rsp_id.next, block.response.cluster_rsp_error.next) = (id.into(), error);
            for place in 0..8 {
                block.response.cluster_rsp_data[place].next = u64::from(word(seed, place)).into();
            }
            settled!(block);
            prop_assert_eq!((block.response.cluster_rsp_ready.val(), block.full.val()), (held.is_none(), held.is_some()));
            if let Some((id, error, seed)) = held {
                prop_assert_eq!((u64::from(block.mshr.val()), u64::from(block.sector.val())), (id / 4, id % 4));
                prop_assert_eq!(block.error.val(), error);
                for place in 0..8 {
                    prop_assert_eq!(u64::from(block.data[place].val()), u64::from(word(seed, place)));
                }
            }
            held = match held {
                None => valid.then_some((id, error, seed)),
                Some(held) => (!goes).then_some(held),
            };
            edge!(block);
        }
    }
}
