//! What an acquire of shared memory meets. It has no MSHR and no line, so it empties L1 at any edge: while the command that writes back
//! ends, while what is dirty leaves, as a load joins an MSHR, between two passes that look for a way in one set.

use lsu_model::micro_op::{Command, L1Eviction};
use lsu_model::pins::Request;

use super::super::bare;
use super::super::codes::{LOAD, LOCAL, SHARED, STORE};
use super::super::ground::LINE;
use super::super::tiles::Cta;
use super::meetings::QUICK;
use super::{STEADY, Walk};
use crate::program::{Latency, Wait};

/// Rounds of a walk; in each of them pauses are as long as its number says.
const ROUNDS: usize = 12;

/// Acquires behind a command that writes back: it ends while they leave `bank`, lane by lane.
const STREAM: usize = 10;

/// Hits that are read twice, each with an acquire behind it, which keep `hit` full.
const HITS: usize = 6;

/// Percent of cycles in which nothing is taken, and in which nothing is offered.
const STALL: u8 = 10;
const GAP: u8 = 30;

/// The warp whose acquires hold back nobody else.
const BESIDE: u32 = 1;

impl Walk<'_> {
    /// The command that writes back ends at an edge at which an acquire empties L1: of a line that is clean, and of one that is dirty.
    pub(super) fn one_command_among_acquires(&mut self) -> Latency {
        let acquire = self.conflicting_acquire();
        for round in 0..ROUNDS {
            let op = if round % 2 == 0 { LOAD } else { STORE };
            let local = |walk: &Self, op| Request { space: LOCAL, ..walk.access(op, 0) };
            self.push(Wait::All, local(self, op));
            self.push(Wait::All, bare(Command::WriteBackLocal));
            self.pause(round / 2);
            (0..STREAM).for_each(|_| self.push_of(BESIDE, Wait::No, acquire));
            self.push(Wait::All, local(self, LOAD));
        }
        STEADY
    }

    /// An acquire empties L1 while dirty sectors leave before a load whose set has them, and another load waits behind that one.
    pub(super) fn one_acquire_beside_write_backs(&mut self) -> Latency {
        let acquire = self.short_acquire();
        let dirty = self.local_memory().address(0, 0, 0);
        // Those whose threads' first words are in one line.
        let slots = self.preset.warps.min(LINE as usize / (4 * self.preset.lanes)) as u32;
        for round in 0..ROUNDS {
            let beside = self.lines_beside(dirty, 1)(0);
            let elsewhere = self.lines_beside(dirty + LINE, 2);
            self.load(Wait::All, elsewhere(0), false, L1Eviction::Normal);
            for slot in 0..slots {
                self.push_of(slot, Wait::All, Request { space: LOCAL, ..self.access(STORE, 0) });
            }
            self.load(Wait::All, beside, false, L1Eviction::Normal);
            self.load(Wait::No, elsewhere(1), false, L1Eviction::Normal);
            self.pause(round / 3);
            // Of the same warp, as another one's would not stay behind.
            (0..1 + round % 3).for_each(|_| self.push(Wait::No, acquire));
            self.load(Wait::All, elsewhere(0), false, L1Eviction::Normal);
        }
        QUICK
    }

    /// A load joins its line's MSHR at the edge at which an acquire empties L1: what the MSHR fetches is not kept, and misses again.
    pub(super) fn one_join_beside_acquire(&mut self) -> Latency {
        let acquire = self.short_acquire();
        for round in 0..ROUNDS {
            let (held, fetched) = (self.lines(LINE), self.lines(LINE));
            self.load(Wait::All, held, false, L1Eviction::Normal);
            self.load(Wait::All, fetched, false, L1Eviction::Normal);
            // Hits, which are picked before the acquire.
            (0..round % 4).for_each(|_| self.load(Wait::No, held, false, L1Eviction::Normal));
            self.push_of(BESIDE, Wait::No, acquire);
            self.pause(round / 4);
            self.load(Wait::No, fetched, false, L1Eviction::Normal);
            self.load(Wait::All, fetched, false, L1Eviction::Normal);
        }
        QUICK
    }

    /// A load takes a way at the edge at which an acquire empties L1, and the one right behind it is of the same set: that way is pinned.
    pub(super) fn one_way_beside_acquire(&mut self) -> Latency {
        (self.traffic.stall, self.traffic.gap) = (STALL, GAP);
        let acquire = self.conflicting_acquire();
        for _ in 0..ROUNDS {
            let line = self.lines_of_a_set(self.preset.l1_sets, 3);
            let held = line(0);
            self.load(Wait::All, held, false, L1Eviction::Normal);
            let twice = Request { vec: 2, mask: 1, ..self.access(LOAD, held) };
            for _ in 0..HITS {
                self.push(Wait::No, twice);
                self.push_of(BESIDE, Wait::No, acquire);
            }
            [1, 2].into_iter().for_each(|other| self.load(Wait::No, line(other), false, L1Eviction::Normal));
            (0..3).for_each(|_| self.push_of(BESIDE, Wait::No, acquire));
            [1, 2].into_iter().for_each(|other| self.load(Wait::All, line(other), false, L1Eviction::Normal));
        }
        QUICK
    }

    /// An acquire of shared memory whose lanes read one word.
    fn short_acquire(&self) -> Request {
        let long = self.conflicting_acquire();
        let word = self.access(LOAD, 0);
        Request { addr: word.addr, ..long }
    }

    /// A load of shared memory in the CTA that has all of it.
    pub(super) fn shared_load(&self, address: u64) -> Request {
        Cta::whole(self.preset).request(Request { space: SHARED, ..self.access(LOAD, address) })
    }
}
