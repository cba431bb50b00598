//! How full the unit is: how many of its places hold something.

use super::Golden;

/// Places that hold something, of each path. A queue of two is two places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Occupancy {
    /// I, A, S, T, D, W, F, X, the miss entries and R of the constant cache.
    pub constant: u32,
    /// I, A, S, P, T, H, N, M, B, C, E, Q, F, X, waiters and MSHRs of the global path.
    pub global: u32,
}

/// Places of the constant cache beside its miss entries: I, A, S, T, W, F, X and R. D is none more: what fills D leaves a
/// miss entry empty, and while D is full no pass leaves T for one.
const CONSTANT_PLACES: u32 = 8;

/// Places of the global path beside waiters and MSHRs: I, S, P, N, C, E, F and X; A, T, H, M, B and Q have room for two.
const GLOBAL_PLACES: u32 = 8 + 2 * 6;

impl Golden {
    /// How many places are occupied as this cycle's values are, before the next call of [`Golden::step`].
    pub fn occupancy(&self) -> Occupancy {
        let (constant, global) = (&self.constant, &self.global);
        let operations = [&constant.intake, &constant.addressed, &constant.issue].map(|place| place.is_some());
        let behind = [constant.tag.is_some(), constant.data.is_some(), constant.wb.is_some()];
        let ends = [constant.fault.is_some(), constant.done.is_some(), constant.fetch.response().is_some()];
        let occupied = operations.iter().chain(&behind).chain(&ends).filter(|is| **is).count() as u32;

        let singles = [
            global.intake.is_full(),
            global.issue.is_full(),
            global.merging.is_full(),
            global.extra.is_full(),
            global.collected.is_full(),
            global.emission.is_full(),
            global.fault.is_some(),
            global.done.is_some(),
        ];
        let queues = global.addressed.len()
            + global.tag.len()
            + global.hit.len()
            + global.last_extra.len()
            + global.back.len()
            + global.write.len();
        let [mshrs, waiters] = global.misses.in_use();
        Occupancy {
            constant: occupied + constant.misses.in_use(),
            global: singles.iter().filter(|is| **is).count() as u32 + queues + mshrs + waiters,
        }
    }

    /// How many places can be occupied at the same time.
    pub fn capacity(&self) -> Occupancy {
        let misses = self.global.misses.count() as u32;
        let entries = self.constant.preset.constant_misses as u32;
        Occupancy { constant: CONSTANT_PLACES + entries, global: GLOBAL_PLACES + 2 * misses }
    }
}
