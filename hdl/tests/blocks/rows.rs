//! What keeps and finds rows: the row store is an array of bytes, its readers and the census are lists that are searched, and `read`
//! and `landing` are two slots one behind the other.

use lsu_hdl::preset::tiny4::unit::global::census::Census;
use lsu_hdl::preset::tiny4::unit::global::operation::Operation;
use lsu_hdl::preset::tiny4::unit::global::read_stage::ReadStage;
use lsu_hdl::preset::tiny4::unit::global::row_readers::RowReaders;
use lsu_hdl::preset::tiny4::unit::global::row_store::RowStore;
use lsu_hdl::preset::tiny4::unit::sizes::{
    FIRST_L1_ROW, FIRST_OWN_ROW, FIRST_RO_ROW, FIRST_SHARED_ROW, L1_SETS, L1_WAYS, LANES, LINE, MISSES, PLACE_BITS,
    PLACES, READERS, RO_SETS, RO_WAYS, ROW_BITS, SHARED_ROW_BITS,
};
use proptest::prelude::*;
use rust_hdl::prelude::{Bits, Block};

use crate::{Draw, after_reset, config, cycles, edge, settle, settled};

const ROWS: usize = 1 << ROW_BITS;

/// A row that there is: way by way of both caches, or an MSHR's own.
fn row(draw: &mut Draw) -> usize {
    let number = draw.number(8) as usize;
    match draw.number(2) {
        0 => FIRST_OWN_ROW + number % MISSES,
        1 => FIRST_RO_ROW + number % (RO_SETS * RO_WAYS),
        _ => FIRST_L1_ROW + number % (L1_SETS * L1_WAYS),
    }
}

fn bits<const N: usize>(value: usize) -> Bits<N> {
    (value as u64).into()
}

/// Word `place` of what `seed` stands for.
fn word(seed: u64, place: usize) -> u32 {
    ((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(place as u64 * 0x0123_4567_89ab_cdef) >> 17) as u32
}

proptest! {
    #![proptest_config(config())]

    /// At an edge one sector is written, or a word of each bank, and each lane reads a sector: of one row, or of shared memory, but not
    /// what is written.
    #[test]
    fn row_store(cycles in cycles(200)) {
        let mut block = after_reset!(RowStore);
        let mut rows = [[[0_u8; 4]; 32]; ROWS];
        let mut read: Option<Vec<Option<[u32; 8]>>> = None;
        for draw in cycles {
            let mut draw = Draw(draw);
            let (from, to, sector) = (row(&mut draw), row(&mut draw), draw.number(2) as usize);
            let (updates, reads, is_answer) = (draw.bit(), draw.bit(), draw.bit());
            // What may be read and is not leaves nothing that anybody looks at.
            let may_read = reads || draw.bit();
            let serves = draw.bit() && !updates;
            let (fills, seed) = (draw.bit() && !updates && !serves, draw.number(32));
            let in_banks = updates && draw.bit();
            let in_sector = fills || serves || (updates && !in_banks);
            let is_shared = draw.bit() && !in_banks && !serves;
            let places: [usize; LANES] = std::array::from_fn(|_| draw.number(PLACE_BITS as u32) as usize);
            // Word w of a pass belongs to bank w mod LANES: there is one of each.
            let strobes: [u64; 8] = std::array::from_fn(|place| {
                let strobe = draw.number(4);
                if in_banks && places[place % LANES] % (8 / LANES) != place / LANES { 0 } else { strobe }
            });
            let lanes: [(usize, usize); LANES] = std::array::from_fn(|_| {
                let shared_row = FIRST_SHARED_ROW + draw.number(SHARED_ROW_BITS as u32) as usize;
                (if is_shared { shared_row } else { from }, draw.number(2) as usize)
            });
            // What lies in the sector that is written is no lane.
            let is_lane = |lane: &&(usize, usize)| !in_sector || **lane != (to, sector);
            let sectors = lanes.iter().filter(is_lane).fold(0_u64, |all, lane| all | 1 << lane.1);
            // What is read of shared memory has rows of its own.
            let (read_row, read_sectors) = if is_shared { (0, 0) } else { (from, sectors) };
            (block.reads.next, block.read_row.next) = (reads, bits(read_row));
            block.read_sectors.next = read_sectors.into();
            block.may_read.next = may_read;
            block.read_is_shared.next = is_shared;
            for (lane, (row, sector)) in lanes.into_iter().enumerate() {
                block.read_shared_row[lane].next = bits(row % (1 << SHARED_ROW_BITS));
                block.read_sector[lane].next = bits(sector);
                block.update_place[lane].next = bits(places[lane]);
            }
            (block.fills.next, block.fill_row.next, block.fill_sector.next) = (fills, bits(to), bits(sector));
            (block.updates.next, block.update_row.next, block.update_sector.next) = (updates, bits(to), bits(sector));
            block.update_is_shared.next = in_banks;
            (block.serves.next, block.serve_row.next, block.serve_sector.next) = (serves, bits(to), bits(sector));
            block.fill_is_answer.next = is_answer;
            for (place, strobe) in strobes.into_iter().enumerate() {
                block.fill_data[place].next = u64::from(word(seed, place)).into();
                block.update_data[place].next = u64::from(word(seed, place + 8)).into();
                block.answer_data[place].next = u64::from(word(seed, place + 16)).into();
                block.serve_data[place].next = u64::from(word(seed, place + 24)).into();
                block.update_strobe[place].next = strobe.into();
                block.serve_strobe[place].next = (15 - strobe).into();
                block.fill_strobe[place].next = (strobe ^ 6).into();
            }
            settled!(block);
            for (lane, words) in read.iter().flatten().enumerate() {
                for (place, word) in words.iter().flatten().enumerate() {
                    let found = u64::from(block.word[lane * 8 + place].val());
                    prop_assert_eq!(found, u64::from(*word), "lane {}, word {}", lane, place);
                }
            }
            prop_assert_eq!(u64::from(block.write_sectors.val()), if in_sector { 1 << sector } else { 0_u64 });
            if in_sector {
                prop_assert_eq!(u64::from(block.write_row.val()), to as u64);
            }

            if reads {
                let words = |lane: &(usize, usize)| {
                    is_lane(&lane).then(|| std::array::from_fn(|place| u32::from_le_bytes(rows[lane.0][lane.1 * 8 + place])))
                };
                read = Some(lanes.iter().map(words).collect());
            } else if may_read {
                read = None;
            }
            for place in 0..8 {
                let (seeded, strobe) = if updates {
                    (place + 8, strobes[place])
                } else if serves {
                    (place + 24, 15 - strobes[place])
                } else {
                    (place + if is_answer { 16 } else { 0 }, strobes[place] ^ 6)
                };
                let shared_word = places[place % LANES] * LANES + place % LANES;
                let (row, at) = if in_banks {
                    (FIRST_SHARED_ROW + shared_word / 32, shared_word % 32)
                } else {
                    (to, sector * 8 + place)
                };
                let new = word(seed, seeded).to_le_bytes();
                for byte in (0..4).filter(|byte| (in_sector || in_banks) && strobe >> byte & 1 == 1) {
                    rows[row][at][byte] = new[byte];
                }
            }
            edge!(block);
        }
    }

    /// Row numbers count the ways of a cache way by way, a set each; then the MSHRs. What is read of ways is told a cycle later, of the
    /// line that is in `tag` then, and with it what the pass in `tag` hit if it moved.
    #[test]
    fn row_readers(cycles in cycles(200)) {
        let mut block = after_reset!(RowReaders);
        let mut before: [(usize, u64); READERS] = [(0, 0); READERS];
        let (mut l1_before, mut ro_before) = ([0; L1_WAYS], [0; RO_WAYS]);
        let mut line = 0;
        for draw in cycles {
            let mut draw = Draw(draw);
            let readers: [(usize, u64); READERS] = std::array::from_fn(|_| (row(&mut draw), draw.number(4)));
            let (shifts, next_line) = (draw.bit(), draw.number(LINE.min(4) as u32));
            let l1_reads: [u64; L1_WAYS] = std::array::from_fn(|_| draw.number(4));
            let ro_reads: [u64; RO_WAYS] = std::array::from_fn(|_| draw.number(4));
            block.l1_reads.iter_mut().zip(l1_reads).for_each(|(signal, sectors)| signal.next = sectors.into());
            block.ro_reads.iter_mut().zip(ro_reads).for_each(|(signal, sectors)| signal.next = sectors.into());
            for (place, (row, sectors)) in readers.into_iter().enumerate() {
                (block.row[place].next, block.sectors[place].next) = (bits(row), sectors.into());
            }
            (block.line.next, block.next_line.next, block.shifts.next) = (line.into(), next_line.into(), shifts);
            settled!(block);
            let all = |reads: &[(usize, u64)], row: usize| {
                reads.iter().filter(|read| read.0 == row).fold(0, |all, read| all | read.1)
            };
            let in_row = |row: usize| all(&before, row);
            for (way, hit) in l1_before.iter().enumerate() {
                let row = FIRST_L1_ROW + way * L1_SETS + line as usize % L1_SETS;
                prop_assert_eq!(u64::from(block.l1[way].val()), in_row(row) | hit, "way {} of L1", way);
            }
            for (way, hit) in ro_before.iter().enumerate() {
                let row = FIRST_RO_ROW + way * RO_SETS + line as usize % RO_SETS;
                prop_assert_eq!(u64::from(block.ro[way].val()), in_row(row) | hit, "way {} of RO", way);
            }
            let own = (0..MISSES)
                .filter(|mshr| all(&readers, FIRST_OWN_ROW + mshr) != 0)
                .fold(0, |all, mshr| all | 1 << mshr);
            prop_assert_eq!(u64::from(block.own.val()), own);
            before = readers;
            (l1_before, ro_before) = if shifts { (l1_reads, ro_reads) } else { ([0; L1_WAYS], [0; RO_WAYS]) };
            if shifts {
                line = next_line;
            }
            edge!(block);
        }
    }

    /// Few tags, so that they meet.
    #[test]
    fn census(cycles in cycles(200)) {
        let mut block = Box::<Census>::default();
        block.connect_all();
        for draw in cycles {
            let mut draw = Draw(draw);
            let places: [Option<u64>; PLACES] = std::array::from_fn(|_| {
                let (holds, tag) = (draw.bit(), draw.number(3));
                holds.then_some(tag)
            });
            let mut place = || {
                let (holds, tag) = (draw.bit(), draw.number(3));
                holds.then_some(tag)
            };
            let (merge, read, waiter) = (place(), place(), place());
            let collect = draw.number(3);
            for (number, place) in places.into_iter().enumerate() {
                // An empty place still has the tag of what was there.
                block.tag[number].next = place.unwrap_or(collect).into();
            }
            let holds = (0..PLACES).filter(|place| places[*place].is_some()).fold(0_u64, |all, place| all | 1 << place);
            block.holds.next = holds.into();
            (block.merge_holds.next, block.merge_tag.next) = (merge.is_some(), merge.unwrap_or(collect).into());
            (block.read_holds.next, block.read_tag.next) = (read.is_some(), read.unwrap_or(collect).into());
            let candidates = [places[0], places[1], places[2]];
            let waits = (0..3).filter(|place| waiter.is_some() && waiter == candidates[*place]);
            block.waiter_holds.next = waits.fold(0_u64, |all, place| all | 1 << place).into();
            block.collect_tag.next = collect.into();
            settle(&mut *block);
            let ahead = places.iter().chain([&read]).any(|place| *place == Some(collect));
            prop_assert_eq!(block.ahead.val(), ahead);
            for (number, candidate) in candidates.into_iter().enumerate().filter(|(_, candidate)| candidate.is_some()) {
                let others = (0..PLACES).filter(|other| *other != number).map(|other| places[other]);
                let is_last = others.chain([merge, waiter]).all(|other| other != candidate);
                prop_assert_eq!(block.last.val().get_bit(number), is_last, "candidate {}", number);
            }
        }
    }

    /// What is read stays at the memory's output until it moves on.
    #[test]
    fn read_stage(cycles in cycles(120)) {
        #[derive(Clone, Debug)]
        struct Read {
            tag: u64,
            is_local: bool,
            number: u64,
            lanes: u64,
            last: bool,
            offsets: [u64; LANES],
            seed: u64,
        }
        impl Read {
            /// What belongs together has all of these in common.
            fn belongs_to(&self) -> (u64, bool, u64) {
                (self.tag, self.is_local, self.number)
            }

            /// The second of two reads.
            fn is_second(&self) -> bool {
                !self.is_local && self.number == 1
            }
        }

        let mut block = after_reset!(ReadStage);
        let (mut read, mut landing): (Option<Read>, Option<Read>) = (None, None);
        // Tag, kind and number in `collect`, which takes what lands and never empties here.
        let mut collect = None;
        // What is in `landing` belongs to that.
        let mut is_same = false;
        for draw in cycles {
            let mut draw = Draw(draw);
            let (goes, sends_last, is_local) = (draw.bit(), draw.number(2) != 0, draw.bit());
            // That of a word, or of one of two reads.
            let number = draw.number(if is_local { 2 } else { 1 });
            // `collect` and `emit` are full all the time: only what joins the one, or the last register that the other sends, goes on.
            let ready = sends_last || is_same;
            let landing_free = landing.is_none() || ready;
            let free = read.is_none() || landing_free;
            let coming = (goes && free).then(|| Read {
                // Few, so that they meet.
                tag: draw.number(1),
                is_local,
                number,
                lanes: draw.number(LANES as u32),
                last: draw.bit(),
                // Where there is a second read a lane takes 32 bytes.
                offsets: std::array::from_fn(|_| if !is_local && number == 1 { draw.number(2) << 5 } else { draw.number(7) }),
                seed: draw.number(16),
            });
            block.goes.next = coming.is_some();
            (block.ready.next, block.stands.next, block.sends_last.next) = (ready, true, sends_last);
            if let Some(coming) = &coming {
                block.operation.next = Operation { tag: coming.tag.into(), is_local, ..Operation::default() };
                (block.number.next, block.lanes.next) = (coming.number.into(), coming.lanes.into());
                block.last.next = coming.last;
                block.offset.iter_mut().zip(coming.offsets).for_each(|(signal, offset)| signal.next = offset.into());
            }
            if let Some(read) = &read {
                for (lane, offset) in read.offsets.into_iter().enumerate() {
                    let first = offset as usize / 32 * 8;
                    for place in 0..8 {
                        block.word[lane * 8 + place].next = u64::from(word(read.seed, first + place)).into();
                    }
                }
            }
            let (tag, is_local, number) = collect.unwrap_or_default();
            (block.collect_tag.next, block.collect_is_local.next) = (u64::into(tag), is_local);
            block.collect_number.next = u64::into(number);
            settled!(block);
            prop_assert_eq!(block.free.val(), free);
            prop_assert_eq!(block.read_holds.val(), read.is_some());
            if let Some(read) = &read {
                prop_assert_eq!(u64::from(block.read_tag.val()), read.tag);
            }
            prop_assert_eq!(block.valid.val(), landing.is_some());
            if let Some(landed) = &landing {
                prop_assert_eq!(u64::from(block.landed_operation.val().tag), landed.tag);
                prop_assert_eq!(u64::from(block.landed_number.val()), landed.number);
                prop_assert_eq!(u64::from(block.landed_lanes.val()), landed.lanes);
                prop_assert_eq!(block.landed_last.val(), landed.last);
                if collect.is_some() {
                    prop_assert_eq!(block.landed_is_same.val(), collect == Some(landed.belongs_to()));
                }
                for (lane, offset) in landed.offsets.into_iter().enumerate() {
                    prop_assert_eq!(u64::from(block.landed_byte[lane].val()), offset % 16);
                    let quad = offset as usize / 16 + usize::from(landed.is_second());
                    for place in 0..4 {
                        let found = u64::from(block.landed_word[lane * 4 + place].val());
                        prop_assert_eq!(found, u64::from(word(landed.seed, quad * 4 + place)), "lane {}", lane);
                    }
                }
            }
            if landing_free {
                let beside = landing.as_ref().map(Read::belongs_to).or(collect).unwrap_or_default();
                is_same = read.as_ref().is_some_and(|read| read.belongs_to() == beside);
                collect = landing.as_ref().map(Read::belongs_to).or(collect);
                landing = read.take();
            }
            if free {
                read = coming;
            }
            edge!(block);
        }
    }
}
