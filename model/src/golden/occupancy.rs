//! How full the unit is: how many of its places hold something.

use super::Golden;

/// Places that hold something, of each path. A queue of two is two places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Occupancy {
    /// `intake`, `group`, `issue`, `tag`, `data`, `wb`, `fault`, `done`, the miss entries and `response` of the constant cache.
    pub constant: u32,
    /// All places of the global path from `intake` to `done`, waiters and MSHRs.
    pub global: u32,
}

/// Places of the constant cache beside its miss entries: `intake`, `group`, `issue`, `tag`, `wb`, `fault`, `done` and
/// `response`. `data` is none more: what fills `data` leaves a
/// miss entry empty, and while `data` is full no pass leaves `tag` for one.
const CONSTANT_PLACES: u32 = 8;

/// Places of the global path beside waiters and MSHRs: those with room for one, `serve`, `reply` and `write_back` among them; `check`, `tag`, `hit`,
/// `bank`, `ro_hit`, `resume` and `write` have room for two. `answer` is not counted: it holds a response for a cycle, and another
/// one only while something is written, which `serve` does not do while `reply` is full.
const GLOBAL_PLACES: u32 = 13 + 2 * 7;

impl Golden {
    /// How many places are occupied as this cycle's values are, before the next call of [`Golden::step`].
    pub fn occupancy(&self) -> Occupancy {
        let (constant, global) = (&self.constant, &self.global);
        let operations = [&constant.intake, &constant.group, &constant.issue].map(|place| place.is_some());
        let behind = [constant.tag.is_some(), constant.data.is_some(), constant.wb.is_some()];
        let ends = [constant.fault.is_some(), constant.done.is_some(), constant.fetch.response().is_some()];
        let occupied = operations.iter().chain(&behind).chain(&ends).filter(|is| **is).count() as u32;

        let singles = [
            global.intake.is_full(),
            global.issue.is_full(),
            global.merge.is_full(),
            global.ro_read.is_full(),
            global.read.is_full() || global.serve.is_in_read() || global.write_back.is_in_read(),
            global.landing.is_full(),
            global.collect.is_full(),
            global.emit.is_full(),
            global.fault.is_some(),
            global.done.is_some(),
            !global.serve.is_free(),
            global.serve.reply().is_some(),
            global.write_back.is_full(),
        ];
        let queues = global.check.len()
            + global.tag.len()
            + global.hit.len()
            + global.bank.len()
            + global.ro_hit.len()
            + global.resume.len()
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
