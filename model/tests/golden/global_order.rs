//! Order, staleness and replacement in the global path, worked out by hand from the timing contract. Cycle 0 is the one in
//! which the first operation is accepted; the memory answers a request of cycle t in cycle t + 10.

use crate::global_rig::*;
use lsu_model::pins::Request;
use lsu_model::preset::{ALL, FPGA8, WARP32};

/// Whether a load of the word at `address` finds it in its cache. Leaves it there.
fn hits(rig: &mut Rig, address: u64, nc: bool) -> bool {
    rig.run([Request { nc, mask: 1, ..load(|_| address) }]);
    rig.reads().is_empty()
}

/// Loads the word at `address` by one lane.
fn bring(rig: &mut Rig, request: Request, address: u64) {
    let mut request = Request { mask: 1, ..request };
    request.addr[0] = address;
    rig.run([request]);
}

#[test]
fn a_store_waits_for_a_read_of_its_sector() {
    for preset in ALL {
        let mut rig = Rig::new(&preset);
        // Load: `tag` 4, request 5, response 15, ready 16, MSHR in use up to 17, picked in `resume` in 17. Store: accepted 1, `issue` 4, `merge` 6, `tag` 7; it
        // stalls 7 to 17 by ORDER and in 18 by READ-FIRST.
        rig.run([
            Request { mask: 1, ..load(|_| 0) }.into(),
            with_data(Request { tag: 1, mask: 1, ..store(|_| 4) }, 1, |_, _| 99),
        ]);
        assert_eq!(rig.writes()[0].0, 20);
        // Response 30, ready 31, `resume` 32, `done` 33.
        assert_eq!(rig.dones(), [(33, 1)]);
        assert_eq!(rig.outputs.status.stall_order, 12);
        // The sector was in the cache by then, and was updated.
        assert!(hits(&mut rig, 4, false));
        assert_eq!(rig.value(0, 4, 0), Some(99));
    }
}

#[test]
fn a_load_waits_for_a_store_to_its_sector_and_not_for_one_beside_it() {
    for preset in ALL {
        let mut rig = Rig::new(&preset);
        // Store: `tag` 6, `write` 7, response 17, ready 18, MSHR in use up to 19. Load tag 1: accepted 1, `issue` 5 and 6, `tag` 7, sector 1: request 8.
        // Load tag 2: `tag` 8, stalls 8 to 19, moves in 20, request 21.
        rig.run([
            with_data(Request { tag: 0, mask: 1, ..store(|_| 4) }, 1, |_, _| 99),
            Request { tag: 1, mask: 1, ..load(|_| 32) }.into(),
            Request { tag: 2, mask: 1, ..load(|_| 4) }.into(),
        ]);
        let reads: Vec<(u64, u64)> = rig.reads().iter().map(|(cycle, _, address)| (*cycle, *address)).collect();
        assert_eq!(reads, [(8, 32), (21, 0)]);
        assert_eq!(rig.value(2, 4, 0), Some(99));
        assert_eq!(rig.outputs.status.stall_order, 12);
    }
}

#[test]
fn a_non_coherent_load_does_not_wait_for_a_store() {
    for preset in ALL {
        let mut rig = Rig::new(&preset);
        rig.run([
            with_data(Request { tag: 0, mask: 1, ..store(|_| 4) }, 1, |_, _| 99),
            Request { tag: 1, mask: 1, ..load_nc(|_| 4) }.into(),
        ]);
        assert_eq!(rig.reads(), [(8, 68, 0)]);
        assert_eq!(rig.outputs.status.stall_order, 0);
    }
}

#[test]
fn an_acquire_stops_the_loads_of_others_and_empties_l1() {
    for preset in ALL {
        let mut rig = Rig::new(&preset);
        assert!(!hits(&mut rig, 0x80, false) && !hits(&mut rig, 0x80, true));
        // Acquire: `tag` 4, request 5, response 15, ready 16, `resume` 17. Its waiter is free, and L1 empty, from 17 on. Tag 1 in `tag` from
        // 5 to 17: misses, request 18. Tag 2, accepted 2, `issue` 4 and on, `tag` 18, `ro_read` 19, `ro_hit` 20, `read` 21, `emit` 24: RO is untouched.
        // The acquire: `read` 18, `emit` 21. Tag 1: response 28, `resume` 30, `emit` 34. With two MSHRs tag 2 waits for a cycle: in 18 tag 1 has
        // the one, and the other's own row is still to be read.
        rig.run([
            Request { sem: ACQUIRE, scope: GPU, mask: 1, ..load(|_| 0x1000) },
            Request { tag: 1, mask: 1, ..load(|_| 0x80) },
            Request { tag: 2, mask: 1, ..load_nc(|_| 0x80) },
        ]);
        assert_eq!(rig.reads().iter().map(|read| (read.0, read.2)).collect::<Vec<_>>(), [(5, 0x1000), (18, 0x80)]);
        let second = if preset.misses == 2 { 25 } else { 24 };
        assert_eq!(rig.writebacks(), [(21, 0, 4), (second, 2, 4), (34, 1, 4)]);
        assert_eq!(rig.outputs.status.stall_order, 12);
        // A non-coherent load does not wait.
        rig.run([
            Request { sem: ACQUIRE, scope: GPU, mask: 1, ..load(|_| 0x1000) },
            Request { tag: 2, mask: 1, ..load_nc(|_| 0x80) },
        ]);
        assert_eq!(rig.writebacks(), [(11, 2, 4), (21, 0, 4)]);
        // With scope cta it is a weak load: it hits what tag 1 has just brought, and empties nothing.
        assert!(!hits(&mut rig, 0x80, false));
        rig.run([Request { sem: ACQUIRE, mask: 1, ..load(|_| 0x80) }]);
        assert_eq!(rig.writebacks(), [(9, 0, 4)]);
    }
}

#[test]
fn an_acquire_holds_back_its_own_warp_alone() {
    for preset in ALL {
        let mut rig = Rig::new(&preset);
        assert!(!hits(&mut rig, 0x80, false));
        // The same as above, but tag 1 is another warp's: `tag` 5, `hit` 6, `emit` 10. Tag 2, of the acquire's warp, `tag` 6 to 17:
        // request 18, response 28, `resume` 30, `emit` 34.
        let warp = preset.warps as u8 - 1;
        rig.run([
            Request { sem: ACQUIRE, scope: GPU, mask: 1, warp, ..load(|_| 0x1000) },
            Request { tag: 1, mask: 1, warp: warp ^ 1, ..load(|_| 0x80) },
            Request { tag: 2, mask: 1, warp, ..load(|_| 0x80) },
        ]);
        assert_eq!(rig.writebacks(), [(10, 1, 4), (21, 0, 4), (34, 2, 4)]);
    }
}

#[test]
fn what_is_on_its_way_during_an_acquire_is_not_kept() {
    for preset in ALL {
        let mut rig = Rig::new(&preset);
        // The weak load is before the acquire, and its sector comes late.
        rig.run([
            Request { tag: 0, mask: 1, sem: MMIO_ACQUIRE, ..load(|_| 0x1000) },
            Request { tag: 1, mask: 1, ..load(|_| 0x2000) },
        ]);
        assert!(hits(&mut rig, 0x2000, false));
        rig.run([command(INVALIDATE_L1)]);
        rig.program.extend([
            Request { tag: 1, mask: 1, ..load(|_| 0x2000) }.into(),
            Request { tag: 0, mask: 1, sem: MMIO_ACQUIRE, ..load(|_| 0x1000) }.into(),
        ]);
        while rig.responses.len() < 2 {
            rig.step();
        }
        rig.responses.swap(0, 1);
        rig.drain();
        assert!(!hits(&mut rig, 0x2000, false));
    }
}

#[test]
fn a_release_waits_for_everything_before_it() {
    for preset in ALL {
        let mut rig = Rig::new(&preset);
        // The load's waiter is in use in 5 to 16. The release: accepted 1, `tag` 7, moves in 17, `write` 18.
        let release = Request { tag: 1, mask: 1, sem: RELEASE, scope: GPU, ..store(|_| 0x1000) };
        rig.run([Request { mask: 1, ..load_nc(|_| 0) }.into(), with_data(release, 1, |_, _| 1)]);
        assert_eq!((rig.writes()[0].0, rig.outputs.status.stall_order), (18, 10));
        // A weak store does not.
        rig.run([Request { mask: 1, ..load_nc(|_| 32) }.into(), with_data(Request { sem: 0, ..release }, 1, |_, _| 1)]);
        assert_eq!(rig.writes()[0].0, 8);
        // Nor does the release of another warp.
        let other = Request { warp: preset.warps as u8 - 1, ..release };
        rig.run([Request { mask: 1, ..load_nc(|_| 64) }.into(), with_data(other, 1, |_, _| 1)]);
        assert_eq!(rig.writes()[0].0, 8);
        // Two passes of one release do not wait for one another: `write` 7 and 8.
        let wide = Request { mask: 3, sem: MMIO_RELEASE, ..store(|lane| 0x1000 + 32 * lane) };
        rig.run([with_data(wide, 1, |_, _| 1)]);
        assert_eq!(rig.writes().iter().map(|write| write.0).collect::<Vec<_>>(), [7, 8]);
    }
}

#[test]
fn mmio_makes_one_transaction_a_lane_in_lane_order() {
    for preset in ALL {
        let mut rig = Rig::new(&preset);
        // Lane 0 and 2 share a sector: the second waits for the first. Lane 0: request 5, response 15, ready 16, MSHR in use up to 17, `resume` 17; lane 1
        // moves in 5, request 6, response 16, MSHR in use up to 18; lane 2 is in `tag` from 6 on, moves in 18: request 19. With two MSHRs it moves in 19: in
        // 18 lane 1 has the one, and the other's own row, in `resume` in 17, is still to be read by lane 0.
        let address = |lane: u64| [0x1004, 0x2006, 0x1002][lane as usize % 3];
        rig.run([Request { sem: MMIO, size: 1, mask: 7, ..load(address) }]);
        let reads: Vec<(u64, u64, u32)> = rig
            .events
            .iter()
            .filter_map(|(cycle, event)| match event {
                Event::Read(request) => Some((*cycle, request.addr, request.strb)),
                _ => None,
            })
            .collect();
        let third = if preset.misses == 2 { 20 } else { 19 };
        assert_eq!(reads, [(5, 0x1000, 0x30), (6, 0x2000, 0xc0), (third, 0x1000, 0xc)]);
        assert_eq!(rig.outputs.status.wavefronts, 3);
        // Never from L1, and nothing is left there.
        rig.run([Request { sem: MMIO, mask: 1, ..load(|_| 0x1000) }]);
        assert_eq!(rig.reads().len(), 1);
        assert!(!hits(&mut rig, 0x1000, false));
        // A store: the same.
        let all = Request { sem: MMIO, size: 0, mask: 3, ..store(|_| 0x3003) };
        rig.run([with_data(all, 1, |_, lane| 0x11 * (lane + 1))]);
        let writes: Vec<(u32, u32)> = rig.writes().iter().map(|(_, request)| (request.strb, request.data[0])).collect();
        assert_eq!(writes, [(8, 0x1100_0000), (8, 0x2200_0000)]);
    }
}

#[test]
fn strong_and_cv_loads_drop_and_fetch_afresh() {
    for preset in ALL {
        let strong = [
            Request { cop: CV, ..load(|_| 0) },
            Request { sem: RELAXED, scope: GPU, ..load(|_| 0) },
            Request { sem: VOLATILE, ..load(|_| 0) },
            Request { sem: MMIO, ..load(|_| 0) },
        ];
        for request in strong {
            let mut rig = Rig::new(&preset);
            rig.run([Request { mask: 3, ..load(|lane| 32 * lane) }]);
            rig.poke(0, 55);
            bring(&mut rig, request, 0);
            assert_eq!((rig.reads().len(), rig.value(0, 4, 0)), (1, Some(55)));
            // Sector 1 is still there; sector 0 is not.
            assert!(hits(&mut rig, 32, false));
            assert!(!hits(&mut rig, 0, false));
        }
        // cg neither looks up nor drops.
        let mut rig = Rig::new(&preset);
        bring(&mut rig, load(|_| 0), 0);
        rig.poke(0, 55);
        bring(&mut rig, Request { cop: CG, ..load(|_| 0) }, 0);
        assert_eq!((rig.reads().len(), rig.value(0, 4, 0)), (1, Some(55)));
        assert!(hits(&mut rig, 0, false));
        assert_eq!(rig.value(0, 4, 0), Some(0));
        // relaxed.cta hits.
        bring(&mut rig, Request { sem: RELAXED, ..load(|_| 0) }, 0);
        assert!(rig.reads().is_empty());
    }
}

#[test]
fn an_ordered_load_on_the_line_takes_keep_away() {
    for preset in ALL {
        let mut rig = Rig::new(&preset);
        // The weak load's MSHR has asked for sector 0 only, so the cv load of sector 1 does not wait: `tag` 5, request 6.
        rig.run([Request { mask: 1, ..load(|_| 0) }, Request { tag: 1, mask: 1, cop: CV, ..load(|_| 32) }]);
        assert_eq!(rig.reads(), [(5, 64, 0), (6, 69, 32)]);
        assert!(!hits(&mut rig, 0, false));
        assert!(!hits(&mut rig, 32, false));
        // On another line it takes nothing away.
        rig.run([Request { mask: 1, ..load(|_| 64) }, Request { tag: 1, mask: 1, cop: CV, ..load(|_| 0x1020) }]);
        assert!(hits(&mut rig, 64, false));
    }
}

#[test]
fn invalidation_kills_what_is_on_its_way() {
    for preset in ALL {
        for nc in [false, true] {
            let cmd = if nc { INVALIDATE_READ_ONLY } else { INVALIDATE_L1 };
            let mut rig = Rig::new(&preset);
            // The command: accepted 1, `tag` 5, `done` 7; the response comes in 15.
            rig.run([Request { nc, mask: 1, ..load(|_| 0) }, Request { tag: 1, ..command(cmd) }]);
            assert_eq!((rig.dones(), rig.writebacks()), (vec![(7, 1)], vec![(21, 0, 4)]));
            assert!(!hits(&mut rig, 0, nc));
            // The other command does not.
            let other = Request { tag: 1, ..command(1 - cmd) };
            rig.run([Request { nc, mask: 1, ..load(|_| 32) }, other]);
            assert!(hits(&mut rig, 32, nc));
        }
    }
}

#[test]
fn who_comes_after_an_invalidation_does_not_join_what_was_on_its_way() {
    for preset in ALL {
        let mut rig = Rig::new(&preset);
        rig.run([
            Request { mask: 1, ..load(|_| 0) },
            Request { tag: 1, ..command(INVALIDATE_L1) },
            Request { tag: 2, mask: 1, ..load(|_| 0) },
        ]);
        assert_eq!(rig.reads(), [(5, 64, 0), (7, 68, 0)]);
        assert!(hits(&mut rig, 0, false));
    }
}

#[test]
fn a_store_with_cg_or_mmio_drops_its_sector() {
    for preset in ALL {
        for (request, stays) in [
            (Request { cop: CG, ..store(|_| 0) }, false),
            (Request { sem: MMIO, ..store(|_| 0) }, false),
            (store(|_| 0), true),
            (Request { cop: WT, ..store(|_| 0) }, true),
            (Request { sem: RELAXED, scope: GPU, ..store(|_| 0) }, true),
        ] {
            let mut rig = Rig::new(&preset);
            rig.run([Request { mask: 3, ..load(|lane| 32 * lane) }]);
            rig.run([with_data(Request { mask: 1, ..request }, 1, |_, _| 77)]);
            assert!(hits(&mut rig, 32, false));
            assert_eq!(hits(&mut rig, 0, false), stays);
            assert_eq!(rig.value(0, 4, 0), Some(77));
        }
    }
}

/// Addresses in set 0 of L1.
fn in_set_0(rig: &Rig, number: u64) -> u64 {
    number * 128 * rig.preset.l1_sets as u64
}

#[test]
fn the_least_recent_way_goes() {
    for preset in ALL {
        let mut rig = Rig::new(&preset);
        let ways = preset.l1_ways as u64;
        for number in 0..ways {
            bring(&mut rig, load(|_| 0), number * 128 * preset.l1_sets as u64);
        }
        // Way 0 is used again, so line 1 goes.
        let of = |number| number * 128 * preset.l1_sets as u64;
        assert!(hits(&mut rig, of(0), false));
        assert!(!hits(&mut rig, of(ways), false));
        for number in [0].into_iter().chain(2..=ways) {
            assert!(hits(&mut rig, of(number), false));
        }
        assert!(!hits(&mut rig, of(1), false));
    }
    for preset in ALL {
        let mut rig = Rig::new(&preset);
        let ways = preset.ro_ways as u64;
        let of = |number| number * 128 * preset.ro_sets as u64;
        for number in 0..=ways {
            assert!(!hits(&mut rig, of(number), true));
        }
        for number in 1..=ways {
            assert!(hits(&mut rig, of(number), true));
        }
        assert!(!hits(&mut rig, of(0), true));
    }
}

#[test]
fn the_victim_is_chosen_by_class() {
    let mut rig = Rig::new(&WARP32);
    let line = |rig: &Rig, number| in_set_0(rig, number);
    let with = |l1_evict| Request { l1_evict, ..load(|_| 0) };
    for (number, request) in
        [with(EVICT_LAST), with(0), Request { cop: CS, ..with(0) }, with(EVICT_FIRST)].into_iter().enumerate()
    {
        let address = line(&rig, number as u64);
        bring(&mut rig, request, address);
    }
    // 0 last, 1 normal, 2 first (by operator), 3 first; 0 oldest. Line 4 displaces 2, line 5 displaces 3, line 6 then 1, line
    // 7 displaces 4, and so on; 0 stays.
    let mut present = vec![0_u64, 1, 3];
    for (new, gone) in [(4, 2), (5, 3), (6, 1), (7, 4)] {
        let address = line(&rig, new);
        bring(&mut rig, with(0), address);
        present.retain(|number| *number != gone);
        // Not by a load, which would change ages.
        present.push(new);
        for number in 0..8 {
            let address = line(&rig, number);
            let before = rig.outputs.status.l1_hits;
            bring(&mut rig, Request { l1_evict: NO_ALLOCATE, ..load(|_| 0) }, address);
            assert_eq!(rig.outputs.status.l1_hits > before, present.contains(&number), "line {number} after {new}");
        }
    }
    // evict_last makes way when nothing else is there: 0, 5, 6, 7 are present, 0 is the oldest of the last ones.
    for number in [5, 6, 7] {
        let address = line(&rig, number);
        bring(&mut rig, with(EVICT_LAST), address);
    }
    let address = line(&rig, 8);
    bring(&mut rig, with(0), address);
    assert!(!hits(&mut rig, 0, false));
}

#[test]
fn evict_unchanged_changes_nothing_on_a_hit() {
    let mut rig = Rig::new(&FPGA8);
    let of = |number: u64| number * 128 * 16;
    let unchanged = Request { l1_evict: EVICT_UNCHANGED, ..load(|_| 0) };
    bring(&mut rig, load(|_| 0), of(0));
    bring(&mut rig, load(|_| 0), of(1));
    bring(&mut rig, unchanged, of(0));
    assert!(rig.reads().is_empty());
    // 0 is still the oldest.
    bring(&mut rig, load(|_| 0), of(2));
    assert!(hits(&mut rig, of(1), false));
    assert!(!hits(&mut rig, of(0), false));
    // A miss allocates as normal: 3 displaces 1 (2 went when 0 came back), and evict_first goes before it.
    bring(&mut rig, unchanged, of(3));
    assert!(hits(&mut rig, of(3), false));
    bring(&mut rig, Request { l1_evict: EVICT_FIRST, ..load(|_| 0) }, of(0));
    bring(&mut rig, load(|_| 0), of(4));
    assert!(hits(&mut rig, of(3), false));
    assert!(!hits(&mut rig, of(0), false));
}

#[test]
fn no_allocate_is_served_from_the_cache_and_not_kept() {
    for preset in ALL {
        let mut rig = Rig::new(&preset);
        let passing = Request { l1_evict: NO_ALLOCATE, ..load(|_| 0) };
        bring(&mut rig, passing, 0x40);
        assert!(!hits(&mut rig, 0x40, false));
        bring(&mut rig, passing, 0x40);
        assert!(rig.reads().is_empty());
        // Two of them at once share nothing.
        rig.run([Request { mask: 1, ..passing }, Request { tag: 1, mask: 1, ..passing }]);
        assert_eq!(rig.reads().len(), 2);
    }
}

#[test]
fn a_load_does_not_take_the_line_of_a_fill_at_the_same_edge() {
    for preset in roomy() {
        let mut rig = Rig::new(&preset);
        // The first load's response is taken in 15. Of the loads in `tag` in 14 to 17 those in 14 and 15 join; in 16 it hits.
        let mut program = vec![Request { tag: 0, mask: 1, ..load(|_| 0) }];
        // Empty loads keep the later ones apart: accepted 1 to 9, the four of interest 10 to 13.
        program.extend((1..10).map(|tag| Request { tag, mask: 0, ..load(|_| 0) }));
        program.extend((10..14).map(|tag| Request { tag, mask: 1, ..load(|_| 0) }));
        rig.run(program);
        let misses = |tag| rig.golden.account(tag).miss_sectors;
        assert_eq!([misses(10), misses(11), misses(12), misses(13)], [1, 1, 0, 0]);
        assert_eq!(rig.reads().len(), 1);
        for tag in 10..14 {
            assert_eq!(rig.value(tag, 4, 0), Some(0));
        }
    }
}
