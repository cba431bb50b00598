//! One way, sector, MSHR or lane that decides: which way is the oldest, which sector was dirty, which MSHR has left, which lane is misaligned,
//! which sector of a line under way has failed.

use lsu_model::micro_op::{CacheOperator, Command, L1Eviction, Semantics};
use lsu_model::pins::Request;

use super::super::access::{LOAD, LOCAL, STORE};
use super::super::ground::{LINE, SECTOR};
use super::{ANY, SOON, Walk};
use crate::program::{Latency, LocalMemory, Program, Wait};

/// How many walks there are here.
pub(super) const COUNT: u64 = 5;

/// As long as all MSHRs take to be taken, always: what is asked for first comes first.
const IN_TURN: Latency = Latency::Between { least: 64, most: 64 };

/// Sectors of a line.
const SECTORS: u64 = LINE / SECTOR;

/// Cycles by which a line comes before the one that is waited for.
const SOONER: usize = 4;

/// Loads of each failing sector, while another sector of the line is under way.
const TRIES: usize = 5;

/// Bytes of a word of local memory, and how many words and slots it takes to reach every sector of a line.
const LOCAL_WORD: u64 = 4;
const LOCAL_WORDS: u64 = 4;
const SLOTS: usize = 4;

impl Walk<'_> {
    /// The walk that is number `number` of these.
    pub(super) fn one_of_sets(&mut self, number: u64) -> Latency {
        match number {
            0 => self.one_oldest(),
            1 => self.one_lane_misaligned(),
            2 => self.one_mshr_left(),
            3 => self.one_sector_dirty(),
            _ => self.one_sector_failed(),
        }
    }

    /// Each way is the oldest once, as all others have been used since: it is the victim, and what took it and all
    /// others hit.
    fn one_oldest(&mut self) -> Latency {
        for nc in [false, true] {
            let (sets, ways, emptied) = match nc {
                true => (self.preset.ro_sets, self.preset.ro_ways, Command::InvalidateReadOnly),
                false => (self.preset.l1_sets, self.preset.l1_ways, Command::InvalidateL1),
            };
            for oldest in 0..ways as u64 {
                let line = self.lines_of_a_set(sets, ways as u64 + 1);
                self.command(emptied);
                (0..ways as u64).for_each(|way| self.load(Wait::No, line(way), nc, L1Eviction::Normal));
                let others = (0..ways as u64).filter(|way| *way != oldest);
                for (place, way) in others.clone().enumerate() {
                    let wait = if place == 0 { Wait::All } else { Wait::No };
                    self.load(wait, line(way), nc, L1Eviction::Normal);
                }
                (0..2).for_each(|_| self.load(Wait::All, line(ways as u64), nc, L1Eviction::Normal));
                others.for_each(|way| self.load(Wait::All, line(way), nc, L1Eviction::Normal));
            }
        }
        SOON
    }

    /// Each lane alone in loads and stores that are misaligned there; once more while the lane beside it is at no address.
    fn one_lane_misaligned(&mut self) -> Latency {
        for lane in 0..self.preset.lanes {
            for op in [LOAD, STORE] {
                let mut request = self.access(op, self.fresh);
                request.addr[lane] += LOCAL_WORD / 2;
                self.push(Wait::No, request);
                self.push(Wait::No, Request { wide: 1 << (lane ^ 1), ..request });
            }
        }
        SOON
    }

    /// A line comes to a way that alone is to be replaced first, and its MSHR leaves, while a load of its set waits in `tag` for a strong
    /// load of the same line: the way is no longer pinned, and the load takes it.
    fn one_mshr_left(&mut self) -> Latency {
        let ways = self.preset.l1_ways as u64;
        for mshr in 0..self.preset.misses {
            let line = self.lines_of_a_set(self.preset.l1_sets, ways + 1);
            let (first, own) = (mshr as u64 % ways, line(ways));
            self.command(Command::InvalidateL1);
            for way in 0..ways {
                let class = if way == first { L1Eviction::First } else { L1Eviction::Normal };
                self.load(Wait::No, line(way), false, class);
            }
            let begin = self.ops.len();
            (0..mshr).for_each(|_| self.miss());
            self.load(Wait::No, line(first) + SECTOR, false, L1Eviction::First);
            self.ops[begin].wait = Wait::All;
            self.pause(SOONER);
            let sem = Semantics::Volatile.code();
            self.push(Wait::No, Request { sem, ..self.access(LOAD, own) });
            self.load(Wait::No, own, false, L1Eviction::Normal);
            self.load(Wait::All, own, false, L1Eviction::Normal);
        }
        IN_TURN
    }

    /// A sector of each way that is dirty, and is used for the last time just before lines enter its set; or that these write back.
    fn one_sector_dirty(&mut self) -> Latency {
        let (sets, ways) = (self.preset.l1_sets as u64, self.preset.l1_ways as u64);
        for way in 0..ways {
            for sector in 0..SECTORS {
                for between in [Some(false), Some(true), None] {
                    let (slot, mask, word, address) = self.local_sector(sector);
                    let first = self.lines(LINE * sets * (ways + 3));
                    let start = first + (address / LINE).wrapping_sub(first / LINE) % sets * LINE;
                    let line = |number: u64| start + LINE * sets * number;
                    let begin = self.ops.len();
                    self.command(Command::WriteBackLocal);
                    self.command(Command::InvalidateL1);
                    (0..way).for_each(|number| self.load(Wait::No, line(number), false, L1Eviction::Normal));
                    self.push(Wait::All, Request { space: LOCAL, mask, ..self.access(STORE, word) });
                    if let Some(has_other) = between {
                        let cop = CacheOperator::Lu.code();
                        self.push(Wait::All, Request { space: LOCAL, mask, cop, ..self.access(LOAD, word) });
                        // It goes another way out of `tag`, so that it is there for one cycle only.
                        if has_other {
                            let other = self.lines(LINE);
                            self.load(Wait::No, other, true, L1Eviction::Normal);
                        }
                    }
                    for number in [way, way + 1] {
                        self.load(Wait::No, line(number), false, L1Eviction::Normal);
                    }
                    if between.is_none() {
                        let entering = self.ops.len() - 2;
                        self.ops[entering].wait = Wait::All;
                    }
                    // One warp's operations come one right after the other.
                    self.ops[begin..].iter_mut().for_each(|operation| operation.warp = slot as u32);
                }
            }
        }
        ANY
    }

    /// A sector that comes with an error while another one of its line is under way: loads of it join the line's MSHR, and find that nothing is
    /// left to wait for; and so do loads of a third one.
    fn one_sector_failed(&mut self) -> Latency {
        for nc in [false, true] {
            for failed in 0..SECTORS {
                for late in (0..SECTORS).filter(|late| *late != failed) {
                    let line = self.lines(LINE);
                    let Some(third) = (0..SECTORS).find(|third| ![failed, late].contains(third)) else { continue };
                    self.failing.extend([failed, third].map(|sector| line + SECTOR * sector));
                    let mut both = Request { nc, ..self.access(LOAD, line + SECTOR * failed) };
                    (1..self.preset.lanes).step_by(2).for_each(|lane| both.addr[lane] = line + SECTOR * late);
                    self.push(Wait::All, both);
                    for step in 0..TRIES {
                        self.load(Wait::No, line + SECTOR * failed, nc, L1Eviction::Normal);
                        self.load(Wait::No, line + SECTOR * third, nc, L1Eviction::Normal);
                        self.pause(step);
                    }
                }
            }
        }
        ANY
    }

    /// Lines that lie in one set of so many, as many as `number`, by their numbers.
    fn lines_of_a_set(&mut self, sets: usize, number: u64) -> impl Fn(u64) -> u64 + use<> {
        let pitch = LINE * sets as u64;
        let first = self.lines(pitch * number);
        move |number| first + pitch * number
    }

    /// So many empty passes.
    fn pause(&mut self, passes: usize) {
        let empty = Request { mask: 0, ..self.access(LOAD, 0) };
        (0..passes).for_each(|_| self.push(Wait::No, empty));
    }

    /// Where sector `sector` of a line of local memory is found: slot, lanes, byte of each thread, and where that lies in memory.
    fn local_sector(&self, sector: u64) -> (usize, u32, u64, u64) {
        let memory = LocalMemory::new(self.preset, &Program::empty(*self.preset).windows(0));
        let words = (0..LOCAL_WORDS).map(|word| word * LOCAL_WORD);
        let places = words.flat_map(|word| (0..SLOTS.min(self.preset.warps)).map(move |slot| (slot, word)));
        let found = places.map(|(slot, word)| {
            let of = |lane: usize| memory.address(slot as u8, lane, word);
            let lanes = (0..self.preset.lanes).filter(|lane| of(*lane) % LINE / SECTOR == sector);
            (slot, lanes.fold(0_u32, |mask, lane| mask | 1 << lane), word, of(0))
        });
        found.rev().max_by_key(|(_, mask, ..)| mask.count_ones()).unwrap_or_default()
    }
}
