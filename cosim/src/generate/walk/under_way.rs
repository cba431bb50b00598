//! What comes to a line, or to shared memory, while something before it is under way: a strong load beside fetches of its line, stores
//! beside one that fails, a release and another CTA's stores behind a load that has not read.

use lsu_model::micro_op::{CacheOperator, L1Eviction, Scope, Semantics};
use lsu_model::pins::Request;

use super::super::codes::{CLUSTER, LOAD, MMIO, STORE};
use super::super::ground::{LINE, SECTOR};
use super::super::tiles::Cta;
use super::surroundings::UNITS;
use super::{SECTORS, Walk};
use crate::program::{Latency, Wait};

/// Tries of each strong load, and the most empty passes before it and behind it.
const TRIES: usize = 8;
const MOST_BEFORE: u64 = 44;
const MOST_BEHIND: u64 = 10;

/// Responses of one line's sectors come in any order, and far apart.
const APART: Latency = Latency::Between { least: 1, most: 40 };

/// Stores of which some fail. Memory keeps each waiting now and then, so that another may leave `tag` as the response to it comes.
const FAILING_STORES: usize = 60;
const ERRORS: u8 = 50;
const STALL: u8 = 30;
const SOON_OR_LATER: Latency = Latency::Between { least: 1, most: 12 };

/// Releases, the wide loads that keep what is before each from being read, and the stores of the other unit beside each.
const RELEASES: u64 = 40;
const WIDE_LOADS: usize = 5;
const REMOTE_STORES: u64 = 2;

impl Walk<'_> {
    /// A strong load of a line's last sector while the others are under way, or some have come: none of them is found later, whatever kind of
    /// load it is.
    pub(super) fn one_line_ordered(&mut self) -> Latency {
        let [relaxed, acquire, volatile] =
            [Semantics::Relaxed, Semantics::Acquire, Semantics::Volatile].map(Semantics::code);
        let scope = Scope::Gpu.code();
        let strong = [
            Request { sem: relaxed, scope, ..Request::default() },
            Request { sem: acquire, scope, ..Request::default() },
            Request { sem: volatile, ..Request::default() },
            Request { sem: MMIO, scope: Scope::Sys.code(), ..Request::default() },
            Request { cop: CacheOperator::Cv.code(), ..Request::default() },
        ];
        for Request { sem, scope, cop, .. } in strong {
            for _ in 0..TRIES {
                let line = self.lines(LINE);
                let mut others = Request { mask: (1 << (SECTORS - 1)) - 1, ..self.access(LOAD, line) };
                (0..SECTORS).for_each(|sector| others.addr[sector as usize] += SECTOR * sector);
                let own = Request { sem, scope, cop, mask: 1, ..self.access(LOAD, line + SECTOR * (SECTORS - 1)) };
                let [before, behind] = [MOST_BEFORE, MOST_BEHIND].map(|most| self.random.below(most) as usize);
                // Of one warp, so that they stay in this order; another one's loads are not held by an acquire.
                self.push(Wait::All, others);
                self.pause(before);
                self.push(Wait::No, own);
                self.pause(behind);
                (0..2).for_each(|_| self.push_of(1, Wait::Warp, others));
                self.push(Wait::All, others);
            }
        }
        APART
    }

    /// A store to a line of L1 fails, and as its response comes another one leaves `tag`: what the first has written is not found all the same.
    pub(super) fn one_store_undone(&mut self) -> Latency {
        (self.traffic.error, self.traffic.stall) = (ERRORS, STALL);
        for _ in 0..FAILING_STORES {
            let (line, beside) = (self.lines(LINE), self.lines(LINE));
            // Loads fail, too: of three hardly all.
            (0..3).for_each(|_| self.load(Wait::All, line, false, L1Eviction::Normal));
            self.push(Wait::All, Request { mask: 1, ..self.access(STORE, line) });
            for sector in 0..SECTORS {
                let store = Request { mask: 1, ..self.access(STORE, beside + SECTOR * sector) };
                self.push(Wait::No, store);
            }
            self.load(Wait::All, line, false, L1Eviction::Normal);
        }
        SOON_OR_LATER
    }

    /// A release behind a load of shared memory that wide loads of other warps keep in `bank`, while another unit stores to that word again and
    /// again: what comes after the release is not what the load is given.
    pub(super) fn one_release_behind_bank(&mut self) -> Latency {
        self.sms = UNITS;
        let whole = Cta::whole(self.preset);
        let wide = Request { vec: 2, ..self.shared_load(0) };
        let (sem, scope) = (Semantics::Release.code(), Scope::Cluster.code());
        for _ in 0..RELEASES {
            let flag = self.lines(LINE);
            (0..WIDE_LOADS).for_each(|_| self.push_of(1, Wait::No, wide));
            self.push(Wait::No, self.shared_load(0));
            self.push(Wait::No, Request { sem, scope, mask: 1, ..self.access(STORE, flag) });
            for _ in 0..REMOTE_STORES {
                let remote = Request { space: CLUSTER, ..self.access(STORE, 0) };
                self.push_to(1, Wait::No, whole.request(remote));
            }
        }
        SOON_OR_LATER
    }
}
