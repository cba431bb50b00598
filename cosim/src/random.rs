//! The one source of pseudo-random numbers in the cycle loop.
//!
//! SplitMix64 (Steele, Lea and Flood, 2014): small, fast and the same on every machine, so that a seed means the same
//! cycles everywhere. Test-case generation uses proptest's own generator instead.

const GOLDEN_GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// A well-mixed function of `value`: what SplitMix64 puts out for the state `value`.
pub const fn mix(value: u64) -> u64 {
    let first = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let second = (first ^ (first >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    second ^ (second >> 31)
}

/// A stream of pseudo-random numbers.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream number `stream` of `seed`; different streams of one seed are unrelated.
    pub const fn new(seed: u64, stream: u64) -> Self {
        Self { state: mix(seed.wrapping_add(GOLDEN_GAMMA)) ^ mix(stream.wrapping_mul(GOLDEN_GAMMA)) }
    }

    /// 64 pseudo-random bits.
    pub const fn next_bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN_GAMMA);
        mix(self.state)
    }

    /// A number below `bound`, which must not be 0.
    pub const fn below(&mut self, bound: u64) -> u64 {
        ((self.next_bits() as u128 * bound as u128) >> 64) as u64
    }

    /// One of `choices`, each as often as its weight says. There must be one, and a weight that is not 0.
    pub fn among<T: Copy>(&mut self, choices: &[(T, u64)]) -> T {
        let mut left = self.below(choices.iter().map(|(_, weight)| weight).sum());
        let chosen = choices.iter().find(|(_, weight)| match left.checked_sub(*weight) {
            Some(rest) => {
                left = rest;
                false
            }
            None => true,
        });
        chosen.unwrap_or(&choices[0]).0
    }

    /// True in `percent` of 100 draws.
    pub const fn chance(&mut self, percent: u8) -> bool {
        self.below(100) < percent as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_repeat_and_differ() {
        let draw = |seed, stream| {
            let mut random = Random::new(seed, stream);
            [random.next_bits(), random.next_bits()]
        };
        assert_eq!(draw(1, 2), draw(1, 2));
        assert_ne!(draw(1, 2), draw(1, 3));
        assert_ne!(draw(1, 2), draw(2, 2));
    }

    #[test]
    fn bounds_hold() {
        let mut random = Random::new(7, 0);
        assert!((0..1000).all(|_| random.below(3) < 3));
        assert!((0..1000).all(|_| !random.chance(0)));
        assert!((0..1000).all(|_| random.chance(100)));
    }
}
