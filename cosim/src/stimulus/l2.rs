//! A second-level cache behind the memory ports of all units. It holds no data: it decides how long a request takes, and
//! counts, so that the attributes that a port carries can be seen to arrive. Values never depend on it.
//!
//! Lines of 128 bytes in four sectors. Reads and writes allocate. A request's priority is that of its cache policy where it
//! has one, else its `l2_evict`; a hit gives the line the request's priority and makes it the set's youngest. The victim is
//! a way that holds nothing, else the one used longest ago among the evict-first, then the normal, then the evict-last.
//! A miss with a prefetch size also brings in the rest of its aligned block of that size.
//! * `cv` reads and `wt` writes go through to the memory behind, present or not, and leave the sector present.
//! * MMIO requests neither look up nor allocate.
//!
//! A cache policy is opaque to the unit; here its low two bits are the priority: 0 normal, 1 evict first, 2 evict last,
//! 3 leaves a line's priority as it is (and counts as normal for a new line).

use lsu_model::micro_op::{CacheOperator, L2Eviction, Prefetch, Semantics};
use lsu_model::pins::MemoryRequest;
use serde::Serialize;

use crate::program::SECTOR_BYTES;

/// Sectors of a line.
const SECTORS: u64 = 4;

/// Sets of the cache that units share: with [`WAYS`], 64 KB, twice the largest L1.
pub const SETS: usize = 64;

/// Ways of the cache that units share.
pub const WAYS: usize = 8;

/// Codes of `mem_req_cop`.
const CV: u8 = CacheOperator::Cv.code();
const WT: u8 = CacheOperator::Wt.code();

/// The first code of `mem_req_sem` that is MMIO; so are the ones above.
const MMIO: u8 = Semantics::Mmio.code();

/// What the cache has seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct L2Counts {
    /// Requests whose sector was present.
    pub hits: u64,
    /// Requests whose sector was not, or that went through to the memory behind.
    pub misses: u64,
    /// Sectors brought in beside the one asked for.
    pub prefetched: u64,
    /// Lines that gave way to another.
    pub evicted: u64,
    /// MMIO requests.
    pub bypassed: u64,
}

impl L2Counts {
    /// Adds the counts of `other`.
    pub fn add(&mut self, other: &Self) {
        self.hits += other.hits;
        self.misses += other.misses;
        self.prefetched += other.prefetched;
        self.evicted += other.evicted;
        self.bypassed += other.bypassed;
    }
}

/// In the order in which victims are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Priority {
    First,
    #[default]
    Normal,
    Last,
}

impl Priority {
    /// What `request` asks for; `None` leaves a line's priority as it is.
    fn of(request: &MemoryRequest) -> Option<Self> {
        let code = if request.policy_en { request.policy as u8 & 3 } else { request.l2_evict };
        L2Eviction::on_pin(code).map(|priority| match priority {
            L2Eviction::Normal => Self::Normal,
            L2Eviction::First => Self::First,
            L2Eviction::Last => Self::Last,
        })
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Line {
    number: u64,
    /// One bit for each sector that is present; 0 is an empty way.
    present: u8,
    priority: Priority,
    /// When it was used last.
    used: u64,
}

/// The cache.
#[derive(Clone, Debug)]
pub struct L2 {
    lines: Vec<Line>,
    ways: usize,
    uses: u64,
    counts: L2Counts,
}

impl Default for L2 {
    fn default() -> Self {
        Self::new(SETS, WAYS)
    }
}

impl L2 {
    /// An empty cache of `sets` x `ways` lines.
    pub fn new(sets: usize, ways: usize) -> Self {
        Self { lines: vec![Line::default(); sets * ways], ways, uses: 0, counts: L2Counts::default() }
    }

    /// What it has seen.
    pub fn counts(&self) -> L2Counts {
        self.counts
    }

    /// Takes `request` in; says whether it can be answered from here.
    pub fn access(&mut self, request: &MemoryRequest) -> bool {
        if request.sem >= MMIO {
            self.counts.bypassed += 1;
            return false;
        }
        let sector = request.addr / SECTOR_BYTES;
        let (line, bit) = (sector / SECTORS, 1 << (sector % SECTORS));
        let priority = Priority::of(request);
        let was_present = self.bring_in(line, bit, priority) == 0;
        let is_through = if request.write { request.cop == WT } else { request.cop == CV };
        let is_hit = was_present && !is_through;
        if is_hit {
            self.counts.hits += 1;
        } else {
            self.counts.misses += 1;
        }
        if !was_present {
            let (first, last, sectors) = match Prefetch::on_pin(request.prefetch) {
                Prefetch::None => (line, line, bit),
                Prefetch::Bytes64 => (line, line, 0b11 << (sector & 2)),
                Prefetch::Bytes128 => (line, line, 0b1111),
                Prefetch::Bytes256 => (line & !1, line | 1, 0b1111),
            };
            for line in first..=last {
                self.counts.prefetched += u64::from(self.bring_in(line, sectors, priority));
            }
        }
        is_hit
    }

    /// Makes the `sectors` of `line` present, and the line its set's youngest; how many of them were not present.
    fn bring_in(&mut self, line: u64, sectors: u8, priority: Option<Priority>) -> u32 {
        self.uses += 1;
        let sets = (self.lines.len() / self.ways) as u64;
        let begin = (line % sets) as usize * self.ways;
        let set = &mut self.lines[begin..begin + self.ways];
        let used = self.uses;
        if let Some(found) = set.iter_mut().find(|way| way.present != 0 && way.number == line) {
            let missing = sectors & !found.present;
            found.present |= sectors;
            found.priority = priority.unwrap_or(found.priority);
            found.used = used;
            return missing.count_ones();
        }
        let rank = |way: &&mut Line| (way.present != 0, way.priority, way.used);
        if let Some(victim) = set.iter_mut().min_by_key(rank) {
            self.counts.evicted += u64::from(victim.present != 0);
            *victim = Line { number: line, present: sectors, priority: priority.unwrap_or_default(), used };
        }
        sectors.count_ones()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(addr: u64) -> MemoryRequest {
        MemoryRequest { addr, ..MemoryRequest::default() }
    }

    /// Lines 0, 1, 2, … of the only set.
    fn line(number: u64) -> MemoryRequest {
        read(128 * number)
    }

    #[test]
    fn a_sector_hits_when_it_has_been_there() {
        let mut l2 = L2::new(2, 2);
        let hits = [0x40, 0x44 & !31, 0x60, 0x40, 0x140, 0x60].map(|addr| l2.access(&read(addr)));
        assert_eq!(hits, [false, true, false, true, false, true]);
        assert_eq!(l2.counts(), L2Counts { hits: 3, misses: 3, ..L2Counts::default() });
    }

    #[test]
    fn writes_allocate_and_the_least_recent_way_goes() {
        let mut l2 = L2::new(1, 2);
        let write = MemoryRequest { write: true, ..line(1) };
        assert!(!l2.access(&line(0)));
        assert!(!l2.access(&write));
        assert!(l2.access(&line(0)));
        // Line 1 is the older now.
        assert!(!l2.access(&line(2)));
        assert!(l2.access(&line(0)));
        assert!(!l2.access(&line(1)));
        assert_eq!(l2.counts(), L2Counts { hits: 2, misses: 4, evicted: 2, ..L2Counts::default() });
    }

    #[test]
    fn evict_first_goes_before_and_evict_last_after_the_others() {
        let with = |number, l2_evict| MemoryRequest { l2_evict, ..line(number) };
        let mut l2 = L2::new(1, 3);
        for request in [with(0, 2), with(1, 0), with(2, 1)] {
            assert!(!l2.access(&request));
        }
        // The youngest, but evict-first, goes; then the normal one, though the evict-last one is older.
        assert!(!l2.access(&with(3, 2)));
        assert!(!l2.access(&with(4, 2)));
        assert!([0, 3, 4].iter().all(|number| l2.access(&with(*number, 2))));
        // Among the evict-last the oldest.
        assert!(!l2.access(&with(5, 0)));
        assert!(!l2.access(&with(0, 0)));
        assert_eq!(l2.counts().evicted, 4);
    }

    #[test]
    fn a_hit_changes_the_class_and_a_policy_overrides_it() {
        let mut l2 = L2::new(1, 2);
        let keep = MemoryRequest { policy_en: true, policy: 2, l2_evict: 1, ..line(0) };
        l2.access(&keep);
        l2.access(&line(1));
        l2.access(&line(2));
        // Policy 3 finds line 0 and leaves it evict-last.
        assert!(l2.access(&MemoryRequest { policy: 3, ..keep }));
        l2.access(&line(3));
        assert!(l2.access(&MemoryRequest { policy: 1, ..keep }));
        // Evict-first now, so it goes although it is the youngest.
        l2.access(&line(4));
        assert!(!l2.access(&line(0)));
    }

    #[test]
    fn a_prefetch_brings_in_its_aligned_block() {
        let prefetch = |addr, prefetch| MemoryRequest { prefetch, ..read(addr) };
        let present = |request: MemoryRequest| {
            let mut l2 = L2::new(4, 2);
            assert!(!l2.access(&request));
            let prefetched = l2.counts().prefetched;
            let base = request.addr & !255;
            let present: u32 =
                (0..8).map(|sector| u32::from(l2.clone().access(&read(base + 32 * sector))) << sector).sum();
            (present, prefetched)
        };
        assert_eq!(present(prefetch(0x120, 0)), (0b0000_0010, 0));
        assert_eq!(present(prefetch(0x160, 1)), (0b0000_1100, 1));
        assert_eq!(present(prefetch(0x1a0, 2)), (0b1111_0000, 3));
        assert_eq!(present(prefetch(0x1a0, 3)), (0b1111_1111, 7));
    }

    #[test]
    fn some_requests_go_to_the_memory_behind() {
        let mut l2 = L2::new(1, 2);
        let volatile = MemoryRequest { cop: CV, ..line(0) };
        assert!(!l2.access(&volatile));
        assert!(!l2.access(&volatile));
        assert!(l2.access(&line(0)));
        assert!(!l2.access(&MemoryRequest { write: true, cop: WT, ..line(0) }));
        let mmio = MemoryRequest { sem: 6, ..line(1) };
        assert!(!l2.access(&mmio));
        assert!(!l2.access(&line(1)));
        assert_eq!(l2.counts(), L2Counts { hits: 1, misses: 4, bypassed: 1, ..L2Counts::default() });
    }
}
