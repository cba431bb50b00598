//! Requests on `serve_req` that no CTA of a program sends: each for what lies beyond the unit's shared memory, as a CTA faults itself
//! where its lanes do. The unit has to answer with an error, and to write nothing.

use lsu_model::pins::{SECTOR_WORDS, ServeRequest, ServeResponse};

use crate::program::{Program, RANK_BITS};
use crate::random::Random;

/// Stream number of when they ask, and what; and of who asks.
const STRANGERS_STREAM: u64 = 0x7374_7261_6e67_6572;
const RANKS_STREAM: u64 = 0x7261_6e6b;

/// Who asks one unit.
#[derive(Debug)]
pub(super) struct Strangers {
    random: Random,
    percent: u8,
    ranks: Random,
    /// The first of the ranks that no unit has, and how many there are.
    first_rank: u8,
    rank_count: u16,
    /// The lowest bit of an address that is beyond shared memory by itself, and that of the request to come.
    lowest: u32,
    bit: u32,
    address_bits: u32,
    /// Requests whose responses have not come.
    unanswered: usize,
}

impl Strangers {
    /// Those of the unit number `sm`.
    pub(super) fn new(program: &Program, sm: u32) -> Self {
        let lowest = program.windows(sm).cluster.size.next_power_of_two().trailing_zeros();
        let random = |stream: u64| Random::new(program.traffic.seed, stream.wrapping_add(u64::from(sm)));
        Self {
            random: random(STRANGERS_STREAM),
            percent: program.traffic.strangers,
            ranks: random(RANKS_STREAM),
            first_rank: program.window.rank.wrapping_add(program.sms as u8),
            rank_count: (1 << RANK_BITS) - program.sms as u16,
            lowest,
            bit: lowest,
            address_bits: program.preset.address_bits,
            unanswered: 0,
        }
    }

    /// What one asks for in this cycle: one bit after the other is what makes the address too high.
    pub(super) fn ask(&mut self) -> Option<ServeRequest> {
        if self.percent == 0 || !self.random.chance(self.percent) {
            return None;
        }
        let addr = 1 << self.bit | self.random.below(1 << self.lowest);
        self.bit = if self.bit + 1 < self.address_bits { self.bit + 1 } else { self.lowest };
        self.unanswered += 1;
        Some(ServeRequest {
            id: self.random.below(64) as u8,
            rank: self.first_rank.wrapping_add(self.ranks.below(self.rank_count.into()) as u8),
            write: self.random.chance(50),
            addr,
            strb: self.random.next_bits() as u32,
            data: std::array::from_fn::<_, SECTOR_WORDS, _>(|_| self.random.next_bits() as u32),
        })
    }

    /// Takes `response`, if one of them had asked for it.
    pub(super) fn answer(&mut self, response: &ServeResponse) -> bool {
        let is_theirs = u16::from(response.rank.wrapping_sub(self.first_rank)) < self.rank_count;
        // A unit that is broken may answer what nobody asked.
        self.unanswered = self.unanswered.saturating_sub(usize::from(is_theirs));
        is_theirs
    }

    /// Nobody asks any more.
    pub(super) fn leave(&mut self) {
        self.percent = 0;
    }

    /// What was asked is not answered.
    pub(super) fn forget(&mut self) {
        self.unanswered = 0;
    }

    /// Whether none waits for an answer.
    pub(super) fn is_idle(&self) -> bool {
        self.unanswered == 0
    }
}
