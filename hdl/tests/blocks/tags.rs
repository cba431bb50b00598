//! The tags of L1 and of the read-only cache: a list of ways, the oldest first, in each set.

use lsu_hdl::preset::tiny4::unit::global::cache_tags::CacheTags;
use lsu_hdl::preset::tiny4::unit::sizes::LOCAL_LINE;
use proptest::prelude::*;

use crate::{Draw, after_reset, config, cycles, edge, settled};

const SETS: usize = 4;
const WAYS: usize = 4;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Class {
    First,
    #[default]
    Normal,
    Last,
}

#[derive(Clone, Copy, Debug, Default)]
struct Way {
    number: usize,
    line: u64,
    valid: u64,
    class: Class,
    /// An MSHR keeps it for its line.
    is_reserved: bool,
}

impl Way {
    fn is_local(&self) -> bool {
        self.line >> LOCAL_LINE == 1
    }

    fn is_present(&self) -> bool {
        self.valid != 0 || self.is_reserved
    }
}

/// Ways in the order of their use, the oldest first.
type Set = Vec<Way>;

/// The way that a new line would take, none that is pinned: the first that is absent, else the oldest of the class that goes first
/// among all.
fn victim(set: &Set, pinned: u64) -> Option<usize> {
    let can_go = || set.iter().filter(|way| pinned >> way.number & 1 == 0);
    let absent = can_go().filter(|way| !way.is_present()).map(|way| way.number).min();
    let class =
        [Class::First, Class::Normal, Class::Last].into_iter().find(|class| set.iter().any(|way| way.class == *class));
    let oldest = || can_go().find(|way| Some(way.class) == class).map(|way| way.number);
    absent.or_else(oldest)
}

fn way(set: &mut Set, number: usize) -> &mut Way {
    set.iter_mut().find(|way| way.number == number).expect("a way of the set")
}

/// The way becomes youngest and takes the class.
fn renew(set: &mut Set, number: usize, class: Class) {
    way(set, number).class = class;
    set.sort_by_key(|way| way.number == number);
}

proptest! {
    #![proptest_config(config())]

    /// T acts as it takes the next pass; a line is allocated only where it is not found, and filled only where an MSHR keeps its way.
    #[test]
    fn cache_tags(cycles in cycles(200)) {
        let mut block = after_reset!(CacheTags<SETS, 2, WAYS, 2, 16, 16>);
        let way_of = |number| Way { number, ..Way::default() };
        let mut sets: Vec<Set> = (0..SETS).map(|_| (0..WAYS).map(way_of).collect()).collect();
        // The line in T; none in the first cycle.
        let mut line: Option<u64> = None;
        // Set and way that the pass before found or took.
        let mut fresh: Option<(usize, usize)> = None;
        for draw in cycles {
            let mut draw = Draw(draw);
            // Few lines of few sets, so that they meet.
            let next_line = draw.number(2) | draw.number(3) << 22 | draw.number(1) << LOCAL_LINE;
            let shifts = line.is_none() || draw.bit();
            let now = line.unwrap_or_default();
            let set = &sets[now as usize % SETS].clone();
            let found = line.and_then(|line| set.iter().find(|way| way.is_present() && way.line == line).copied());
            let reserved = set.iter().filter(|way| way.is_reserved).fold(0_u64, |mask, way| mask | 1 << way.number);
            // MSHRs without `keep` and passes still to be read are anywhere. What is reserved was named before, or is fresh.
            let lost = draw.number(4) & draw.number(4) & !reserved;
            let here = fresh.filter(|(fresh_set, ..)| *fresh_set == now as usize % SETS);
            let fresh_ways = here.map_or(0, |(_, way)| 1 << way);
            let named = draw.number(4) & draw.number(4) | reserved & !fresh_ways;
            let to_read: [u64; WAYS] = std::array::from_fn(|_| if draw.number(2) == 0 { draw.number(4) } else { 0 });
            let is_read = (0..WAYS).fold(0, |mask, way| mask | u64::from(to_read[way] != 0) << way);
            let pinned = named | fresh_ways | is_read;
            let victim_way = victim(set, pinned);

            let (acts, need, drops) = (line.is_some() && shifts, draw.number(4), draw.number(3) == 0);
            let class = [Class::First, Class::Normal, Class::Normal, Class::Last][draw.number(2) as usize];
            let act = draw.number(2);
            let (touches, touches_valid) = (acts && act == 0, acts && act == 1);
            // A local store goes nowhere else.
            let stores = acts && now >> LOCAL_LINE == 1 && draw.bit() && (found.is_some() || victim_way.is_some());
            let allocates = acts && (act > 1 || stores) && found.is_none();
            let store = if stores { draw.number(1) << draw.number(2) } else { 0 };
            let clear = if acts && drops && !stores { need } else { 0 };
            let looks_up = line.is_some() && draw.bit();
            let is_beside = next_line as usize % SETS == now as usize % SETS;
            let (flush, flush_local) = (draw.number(4) == 0, draw.number(4) == 0 && !stores);
            let asked = draw.number(2);
            let kept: Vec<(usize, usize)> = sets
                .iter()
                .enumerate()
                .flat_map(|(set, ways)| ways.iter().filter(|way| way.is_reserved).map(move |way| (set, way.number)))
                .collect();
            let filled = (!kept.is_empty()).then(|| kept[draw.number(8) as usize % kept.len()]);
            let fill = if draw.bit() && filled.is_some() { 1 << draw.number(2) } else { 0_u64 };
            let undo = if fill == 0 && filled.is_some() { draw.number(1) << draw.number(2) } else { 0 };
            let stays_reserved = draw.bit();
            let ends = draw.bit();

            (block.line.next, block.next_line.next, block.shifts.next) = (now.into(), next_line.into(), shifts);
            (block.reserved.next, block.need.next, block.clear.next) = (reserved.into(), need.into(), clear.into());
            (block.lost.next, block.named.next) = (lost.into(), named.into());
            (block.moves.next, block.looks_up.next) = (acts, looks_up);
            (block.next_is_same.next, block.next_is_beside.next) = (next_line == now, is_beside);
            block.read_set.next = (next_line % SETS as u64).into();
            block.to_read.iter_mut().zip(to_read).for_each(|(signal, sectors)| signal.next = sectors.into());
            (block.touch.next, block.touch_valid.next, block.allocate.next) = (touches, touches_valid, allocates);
            (block.evict_first.next, block.evict_last.next) = (class == Class::First, class == Class::Last);
            (block.flush.next, block.fill.next, block.undo.next) = (flush, fill.into(), undo.into());
            (block.flush_local.next, block.store.next, block.asked_way.next) = (flush_local, store.into(), asked.into());
            let (fill_set, fill_way) = filled.unwrap_or_default();
            (block.fill_set.next, block.fill_ways.next) = ((fill_set as u64).into(), (1_u64 << fill_way).into());
            settled!(block);
            if line.is_some() {
                prop_assert_eq!(block.found.val(), found.is_some());
                prop_assert_eq!(block.has_victim.val(), victim_way.is_some());
                prop_assert_eq!(u64::from(block.victim.val()), victim_way.map_or(0, |way| 1 << way));
                let not_kept = |way: Way| lost >> way.number & 1 == 1 || need & !way.valid & to_read[way.number] != 0;
                prop_assert_eq!(block.not_kept.val(), found.is_some_and(not_kept));
                let read_first = set.iter().any(|way| way.line == now && need & to_read[way.number] != 0);
                prop_assert_eq!(block.read_first.val(), read_first);
            }
            let asked_set = &mut sets.clone()[next_line as usize % SETS];
            prop_assert_eq!(u64::from(block.asked_line.val()), way(asked_set, asked as usize).line);
            for way in set.iter().filter(|_| line.is_some()) {
                prop_assert_eq!(u64::from(block.set_valid[way.number].val()), way.valid);
                prop_assert_eq!(block.set_local.val().get_bit(way.number), way.is_local());
            }
            for way in 0..WAYS {
                let hit = found.filter(|found| looks_up && is_beside && found.number == way);
                let sectors = hit.map_or(0, |found| found.valid & need);
                prop_assert_eq!(u64::from(block.hit_sectors[way].val()), sectors, "way {}", way);
            }
            if let Some(found) = found {
                prop_assert_eq!(u64::from(block.found_ways.val()), 1 << found.number);
                prop_assert_eq!(u64::from(block.found_valid.val()), found.valid);
            }

            let taken = found.map(|found| found.number).or(victim_way.filter(|_| allocates));
            fresh = taken.filter(|_| acts).map(|way| (now as usize % SETS, way));

            // A fill acts first, then T, then a flush.
            if let Some((set, number)) = filled {
                let way = way(&mut sets[set], number);
                way.valid = (way.valid | fill) & !undo;
                way.is_reserved &= !ends;
            }
            let set = &mut sets[now as usize % SETS];
            if let Some(found) = found {
                way(set, found.number).valid &= !clear;
                if touches || touches_valid && found.valid & need != 0 {
                    renew(set, found.number, class);
                }
            }
            if let Some(victim_way) = victim_way.filter(|_| allocates) {
                let taken = way(set, victim_way);
                (taken.line, taken.valid, taken.is_reserved) = (now, 0, stays_reserved);
                renew(set, victim_way, class);
            }
            if let Some(taken) = taken.filter(|_| stores) {
                way(set, taken).valid |= store;
            }
            for way in sets.iter_mut().flatten() {
                if flush && !way.is_local() || flush_local && way.is_local() {
                    (way.valid, way.is_reserved) = (0, false);
                }
            }
            if shifts {
                line = Some(next_line);
            }
            edge!(block);
        }
    }
}
