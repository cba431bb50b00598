//! One lane that is of another kind (global, shared or local) than the lanes around it, while all that is compared of their addresses is the
//! same: only what the unit knows of their kinds keeps them apart.

use lsu_model::pins::Request;

use super::super::codes::{GENERIC, LOAD, STORE};
use super::super::ground::LINE;
use super::super::tiles::Cta;
use super::{SOON, Walk};
use crate::program::{Latency, LocalMemory, Program, Wait};

/// What a lane of a generic access may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Global,
    Shared,
    Local,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Global, Self::Shared, Self::Local];
}

/// Bytes of each thread's local memory that such accesses use.
const LOCAL_BYTES: u64 = 4096;

impl Walk<'_> {
    /// `lane` of each kind, the lanes beside it of each, and the lowest of those of each; all in one word, or each in its own. Then `lane`'s
    /// register does not fit, while it is active and while it is not.
    pub(super) fn one_lane_mixed(&mut self, lane: usize) -> Latency {
        for own in Kind::ALL {
            for others in Kind::ALL {
                for lowest in Kind::ALL {
                    let offset = 4 * self.random.below(LOCAL_BYTES / 4);
                    for step in [0, 4] {
                        for op in [STORE, LOAD] {
                            let kinds = self.kinds(lane, [own, others, lowest]);
                            let mixed = self.mixed(op, &kinds, offset, step);
                            self.push(Wait::No, mixed);
                        }
                    }
                    let kinds = self.kinds(lane, [own, others, lowest]);
                    let odd = Request { wide: 1 << lane, ..self.mixed(LOAD, &kinds, offset, 0) };
                    self.push(Wait::No, odd);
                    self.push(Wait::No, Request { mask: odd.mask & !(1 << lane), ..odd });
                }
            }
        }
        SOON
    }

    /// A line of which the shared window begins in the middle: each lane alone in its upper half, the lanes before it in the lower one, but
    /// for the lowest, which is elsewhere.
    pub(super) fn one_line_shared(&mut self) -> Latency {
        let line = self.lines(LINE);
        self.window.shared.base = Some(line + LINE / 2);
        for lane in 1..self.preset.lanes {
            let mut request = Request { space: GENERIC, ..self.access(LOAD, self.fresh) };
            request.addr[1..lane].fill(line);
            request.addr[lane] = line + LINE / 2;
            self.push(Wait::No, Cta::whole(self.preset).request(request));
        }
        SOON
    }

    /// The kind of each lane: that of `lane`, that of the others, and that of the lowest of the others.
    fn kinds(&self, lane: usize, [own, others, lowest]: [Kind; 3]) -> Vec<Kind> {
        let first = usize::from(lane == 0);
        let kind = |place| match place {
            _ if place == lane => own,
            _ if place == first => lowest,
            _ => others,
        };
        (0..self.preset.lanes).map(kind).collect()
    }

    /// An access at byte `offset` of local memory, or where the other kinds have the same low bits; lane n of the others lies n times `step`
    /// bytes further on.
    fn mixed(&self, op: u8, kinds: &[Kind], offset: u64, step: u64) -> Request {
        let windows = Program::empty(*self.preset).windows(0);
        let memory = LocalMemory::new(self.preset, &windows);
        // Where the threads' words lie, counted from the first.
        let begin = memory.address(0, 0, offset) ^ memory.address(0, 0, 0);
        let shared = begin.wrapping_sub(windows.shared.base) % self.preset.shared_bytes as u64;
        let mut request = Request { space: GENERIC, ..self.access(op, begin) };
        for (place, kind) in kinds.iter().enumerate() {
            let further = step * place as u64;
            request.addr[place] = match kind {
                Kind::Global => begin + further,
                Kind::Shared => windows.shared.base + (shared + further) % self.preset.shared_bytes as u64,
                Kind::Local => windows.local.base + offset,
            };
        }
        Cta::whole(self.preset).request(request)
    }
}
