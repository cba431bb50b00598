//! The arbiter, the sticky bit and the counters.

use lsu_hdl::arbiter::Arbiter;
use lsu_hdl::preset::tiny4::unit::global::counters::Counters;
use lsu_hdl::sticky::Sticky;
use proptest::prelude::*;

use crate::{Draw, after_reset, config, cycles, edge, settled};

proptest! {
    #![proptest_config(config())]

    /// A source offers until it is taken.
    #[test]
    fn arbiter(cycles in cycles(200)) {
        let mut block = after_reset!(Arbiter);
        let mut offers = [false; 2];
        // What was presented and not taken, and what goes first otherwise.
        let (mut waits, mut favourite) = (None, 0);
        for draw in cycles {
            let mut draw = Draw(draw);
            offers = offers.map(|offers| offers | draw.bit());
            let ready = draw.bit();
            (block.first_valid.next, block.second_valid.next, block.ready.next) = (offers[0], offers[1], ready);
            settled!(block);
            let chosen = waits.or_else(|| [favourite, 1 - favourite].into_iter().find(|source| offers[*source]));
            prop_assert_eq!(block.valid.val(), chosen.is_some());
            if let Some(chosen) = chosen {
                prop_assert_eq!(block.is_second.val(), chosen == 1);
                prop_assert_eq!([block.first_ready.val(), block.second_ready.val()][chosen], ready);
                // What does not offer may be told anything.
                let other = [block.first_ready.val(), block.second_ready.val()][1 - chosen];
                prop_assert!(!offers[1 - chosen] || !other);
                if ready {
                    offers[chosen] = false;
                    favourite = 1 - chosen;
                }
            }
            waits = chosen.filter(|_| !ready);
            edge!(block);
        }
    }

    #[test]
    fn sticky(cycles in cycles(40)) {
        let mut block = after_reset!(Sticky);
        let mut was_set = false;
        for draw in cycles {
            let mut draw = Draw(draw);
            let (set, resets) = (draw.number(3) == 0, draw.number(3) == 0);
            (block.set.next, block.reset.next) = (set, resets);
            settled!(block);
            prop_assert_eq!(block.value.val(), was_set);
            was_set = !resets && (was_set || set);
            edge!(block);
        }
    }

    #[test]
    fn counters(cycles in cycles(100)) {
        let mut block = after_reset!(Counters);
        let mut sums = [0_u64; 12];
        for draw in cycles {
            let mut draw = Draw(draw);
            let (hits, misses, is_ro) = (draw.number(4), draw.number(4), draw.bit());
            let events: [bool; 8] = std::array::from_fn(|_| draw.bit());
            let looks_up = draw.bit();
            (block.hits.next, block.misses.next) = (hits.into(), misses.into());
            (block.counts_l1.next, block.counts_ro.next) = (looks_up && !is_ro, looks_up && is_ro);
            [block.issues.next, block.replays.next] = [events[0], events[1]];
            [block.reads.next, block.writes.next] = [events[2], events[3]];
            [block.stalls_order.next, block.stalls_misses.next] = [events[4], events[5]];
            [block.stalls_data.next, block.stalls_memory.next] = [events[6], events[7]];
            settled!(block);
            let counts = block.counts.val();
            let found = [
                counts.l1_hits, counts.l1_misses, counts.ro_hits, counts.ro_misses, counts.wavefronts, counts.replays,
                counts.sectors_read, counts.sectors_written, counts.stall_order, counts.stall_misses, counts.stall_data,
                counts.stall_memory,
            ];
            prop_assert_eq!(found.map(u64::from), sums);
            if looks_up {
                sums[if is_ro { 2 } else { 0 }] += u64::from(hits.count_ones());
                sums[if is_ro { 3 } else { 1 }] += u64::from(misses.count_ones());
            }
            sums.iter_mut().skip(4).zip(events).for_each(|(sum, event)| *sum += u64::from(event));
            edge!(block);
        }
    }
}
