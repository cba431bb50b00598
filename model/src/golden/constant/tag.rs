//! Tag stage: bank table, tags and miss entries decide what becomes of a pass (rules LDC-7 and LDC-8).

use super::super::counts::{Counts, count};
use super::super::near::Comparator;
use super::Constant;
use super::cache::Slot;
use super::data::DataPass;
use super::misses::{Entry, Progress};
use super::pass::Pass;
use crate::micro_op::Command;

/// What place `tag` holds.
#[derive(Clone, Debug)]
pub(in crate::golden) enum TagContent {
    Command { tag: u8, command: Command },
    Pass(Pass),
}

impl TagContent {
    pub(in crate::golden) fn tag(&self) -> u8 {
        match self {
            Self::Command { tag, .. } => *tag,
            Self::Pass(pass) => pass.shape.tag,
        }
    }
}

impl Constant {
    /// The content of `tag` moves on: to `done`, to `data` or to a miss entry.
    pub(in crate::golden) fn leave_tag(&mut self, counts: &mut Counts) {
        match self.tag.take() {
            None => {}
            Some(TagContent::Command { tag, command }) => {
                match command {
                    Command::InvalidateConstant => {
                        self.cache.invalidate();
                        self.misses.kill_waiting();
                    }
                    // They go to the global path.
                    Command::InvalidateL1 | Command::InvalidateReadOnly | Command::WriteBackLocal => {}
                }
                self.done = Some(tag);
            }
            Some(TagContent::Pass(pass)) => self.look_up(pass, counts),
        }
    }

    /// Rules LINE, LOOK-UP, SHARE.
    fn look_up(&mut self, pass: Pass, counts: &mut Counts) {
        let bank = self.table.get(pass.key.bank());
        let size = bank.map_or(0, |bank| bank.size);
        let in_bounds = pass.below(size);
        if bank.is_some() {
            pass.near_end(size, &mut counts.near);
        }
        let Some(bank) = bank.filter(|_| in_bounds != 0) else {
            return self.enter_data(pass, 0, Slot::default());
        };

        for key in self.cache.keys(pass.key) {
            counts.near.equality(Comparator::ConstantTags, pass.key.bits(), key.bits());
        }
        let account = counts.accounts.of(pass.shape.tag);
        if let Some(slot) = self.cache.hit(pass.key) {
            count(&mut account.hit_sectors, pass.sectors(in_bounds));
            count(&mut counts.status.ldc_hits, 1);
            self.enter_data(pass, in_bounds, slot);
        } else if let Some(number) = self.misses.lowest_empty() {
            count(&mut account.miss_sectors, pass.sectors(in_bounds));
            count(&mut counts.status.ldc_misses, 1);
            for key in self.misses.joinable_keys() {
                counts.near.equality(Comparator::ConstantEntries, pass.key.bits(), key.bits());
            }
            let fetch = self.misses.joinable(pass.key).unwrap_or_else(|| {
                let second_sector = u32::from(pass.key.line()) * 64 + 32;
                self.fetch.start(number, second_sector >= bank.size);
                number
            });
            let progress = Progress::Waiting;
            self.misses.put(number, Entry { pass, in_bounds, base: bank.base, fetch, killed: false, progress });
        }
    }

    fn enter_data(&mut self, pass: Pass, in_bounds: u32, slot: Slot) {
        self.data = Some(DataPass { pass, in_bounds, failed: 0, slot, is_replay: false, beat: 0 });
    }
}
