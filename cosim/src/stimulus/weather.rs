//! Backpressure: which `ready` pins are low in which cycle, and when nothing new is presented.
//!
//! The answer is a function of seed and cycle alone. It therefore stays the same while the shrinker removes operations.

use crate::program::Traffic;
use crate::random::mix;

/// The decisions that are taken anew in every cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeatherStream {
    /// `mem_req_ready` is low.
    MemoryRequest = 0,
    /// No response begins.
    MemoryResponse = 1,
    /// `wb_ready` is low.
    Writeback = 2,
    /// `fault_ready` is low.
    Fault = 3,
    /// `done_ready` is low.
    Done = 4,
    /// No operation begins.
    Gap = 5,
    /// No beat of store data is presented.
    WriteData = 6,
    /// `cluster_req_ready` is low.
    ClusterRequest = 7,
    /// No response of another unit begins.
    ClusterResponse = 8,
    /// No request of another unit begins.
    ServeRequest = 9,
    /// `serve_rsp_ready` is low.
    ServeResponse = 10,
}

/// How many there are.
const STREAMS: usize = 11;

/// Bytes that are drawn for them at once.
const DRAWN: usize = 2 * size_of::<u64>();

/// Cycles over which a long stall lasts, as a power of two.
const SPELL_SHIFT: u32 = 5;

/// Cycles from one jam to the next.
const JAM_CYCLES: u64 = 128;

/// The backpressure of one unit.
#[derive(Clone, Debug)]
pub struct Weather {
    seed: u64,
    /// Of 256, by stream.
    thresholds: [u8; STREAMS],
    /// One byte a stream, drawn anew in every cycle.
    cycle_bytes: [u8; DRAWN],
    /// One byte a stream, drawn anew in every spell.
    spell_bytes: [u8; DRAWN],
    spell: u64,
    /// Cycles of each [`JAM_CYCLES`] in which no answer is taken.
    jam: u64,
    is_jammed: bool,
    is_calm: bool,
}

impl Weather {
    /// The weather of the unit number `sm`.
    pub fn new(traffic: &Traffic, sm: u32) -> Self {
        let threshold = |percent: u8| (u32::from(percent) * 256 / 100).min(255) as u8;
        let (stall, gap) = (threshold(traffic.stall), threshold(traffic.gap));
        Self {
            seed: mix(traffic.seed ^ mix(u64::from(sm) + 1)),
            thresholds: std::array::from_fn(|stream| if stream == WeatherStream::Gap as usize { gap } else { stall }),
            cycle_bytes: [u8::MAX; DRAWN],
            spell_bytes: [u8::MAX; DRAWN],
            spell: u64::MAX,
            jam: JAM_CYCLES * u64::from(traffic.jam) / 100,
            is_jammed: false,
            is_calm: stall == 0 && gap == 0 && traffic.jam == 0,
        }
    }

    /// Moves on to `cycle`.
    pub fn begin(&mut self, cycle: u64) {
        if self.is_calm {
            return;
        }
        self.cycle_bytes = drawn(self.seed, cycle);
        let spell = cycle >> SPELL_SHIFT;
        if spell != self.spell {
            self.spell = spell;
            self.spell_bytes = drawn(!self.seed, spell);
        }
        self.is_jammed = cycle % JAM_CYCLES < self.jam;
    }

    /// Whether `stream` stalls in this cycle: on its own, for a whole spell, which is an eighth as likely, or because no
    /// answer is taken.
    pub fn stalls(&self, stream: WeatherStream) -> bool {
        let is_answer = matches!(stream, WeatherStream::Writeback | WeatherStream::Fault | WeatherStream::Done);
        if self.is_jammed && is_answer {
            return true;
        }
        let index = stream as usize;
        let threshold = self.thresholds[index];
        self.cycle_bytes[index] < threshold || self.spell_bytes[index] < threshold / 8
    }
}

/// A byte a stream.
fn drawn(seed: u64, number: u64) -> [u8; DRAWN] {
    let first = mix(seed ^ mix(number));
    let both = u128::from(mix(first ^ seed)) << 64 | u128::from(first);
    both.to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stalled(stall: u8) -> usize {
        let traffic = Traffic { stall, ..Traffic::default() };
        let mut weather = Weather::new(&traffic, 0);
        let mut count = 0;
        for cycle in 0..10_000 {
            weather.begin(cycle);
            count += usize::from(weather.stalls(WeatherStream::Writeback));
        }
        count
    }

    #[test]
    fn a_jam_holds_up_every_answer_and_nothing_else() {
        let traffic = Traffic { stall: 0, jam: 50, ..Traffic::default() };
        let mut weather = Weather::new(&traffic, 0);
        for cycle in 0..1280 {
            weather.begin(cycle);
            let held = [WeatherStream::Writeback, WeatherStream::Fault, WeatherStream::Done]
                .map(|stream| weather.stalls(stream));
            assert_eq!(held, [cycle % 128 < 64; 3]);
            assert!(!weather.stalls(WeatherStream::MemoryRequest) && !weather.stalls(WeatherStream::MemoryResponse));
        }
    }

    #[test]
    fn stalls_come_as_often_as_asked() {
        assert_eq!(stalled(0), 0);
        assert!((900..1600).contains(&stalled(10)));
        assert!((4700..6100).contains(&stalled(50)));
    }
}
