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

/// Hits that keep `hit` full before an acquire are fewer; and empty passes before it, which its warp offers sooner than the other may.
const HITS: usize = 6;
const AHEAD: usize = 12;

/// Percent of cycles in which nothing is taken, so that an acquire has to wait in `bank`.
const STALL: u8 = 40;

/// Longer than the empty passes take.
const LATER: Latency = Latency::Between { least: 10, most: 20 };

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
        for round in 0..4 * ROUNDS {
            let (held, fetched) = (self.lines(LINE), self.lines(LINE));
            self.loads_beside_acquire([held, fetched], &[fetched], round % HITS);
        }
        LATER
    }

    /// A load takes a way at the edge at which an acquire empties L1, and the one right behind it is of the same set: that way is pinned.
    pub(super) fn one_way_beside_acquire(&mut self) -> Latency {
        for round in 0..4 * ROUNDS {
            let (held, line) = (self.lines(LINE), self.lines_of_a_set(self.preset.l1_sets, 2));
            self.loads_beside_acquire([held, held], &[line(0), line(1)], round % HITS);
        }
        LATER
    }

    /// Loads of two addresses, more hits on the first, an acquire of another warp, and loads that it does not hold back right behind it.
    fn loads_beside_acquire(&mut self, [held, other]: [u64; 2], behind: &[u64], hits: usize) {
        self.traffic.stall = STALL;
        let acquire = self.short_acquire();
        // Both warps set out when `held` has come.
        self.load(Wait::All, held, false, L1Eviction::Normal);
        self.push_of(BESIDE, Wait::All, self.access(LOAD, held));
        self.load(Wait::All, other, false, L1Eviction::Normal);
        (0..hits).for_each(|_| self.load(Wait::No, held, false, L1Eviction::Normal));
        self.pause_of(BESIDE, AHEAD);
        self.push_of(BESIDE, Wait::No, acquire);
        behind.iter().for_each(|address| self.load(Wait::No, *address, false, L1Eviction::Normal));
        behind.iter().for_each(|address| self.load(Wait::All, *address, false, L1Eviction::Normal));
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
