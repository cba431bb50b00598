//! What every operation of the global path is doing.

use super::Global;
use super::held::Held;
use super::misses::MAX_MSHRS;
use super::operation::Operation;
use super::pass::Readable;
use crate::golden::activity::{Activity, PassNumber};

impl Global {
    /// Tells `visitor` what everything in flight does; `issued` counts the passes of a tag so far.
    pub(in crate::golden) fn visit_activities(
        &self,
        issued: impl Fn(u8) -> u32,
        visitor: &mut impl FnMut(u8, Activity),
    ) {
        let latest_pass = |tag| {
            let places = [&self.intake, &self.issue].into_iter().chain(self.check.places());
            let own = places.filter_map(Held::get).find(|operation| operation.shape.tag == tag);
            let left = own.map_or(0, Operation::passes_left);
            PassNumber { number: issued(tag), of: issued(tag) + left }
        };
        for operation in [&self.intake].into_iter().chain(self.check.places()).filter_map(Held::get) {
            visitor(operation.shape.tag, Activity::Accepted);
        }
        if let Some(operation) = self.issue.get() {
            let tag = operation.shape.tag;
            visitor(tag, Activity::Issue(latest_pass(tag).next()));
        }
        if let Some(merging) = self.merge.get() {
            let tag = merging.pass.shape.tag;
            visitor(tag, Activity::Merge(latest_pass(tag)));
        }
        for tagged in self.tag.places().into_iter().filter_map(Held::get) {
            let tag = tagged.pass.shape.tag;
            visitor(tag, Activity::LookUp(latest_pass(tag)));
        }
        let waiters = || (0..MAX_MSHRS as u8).filter_map(|number| self.misses.waiter(number));
        for waiter in waiters() {
            let tag = waiter.pass.shape.tag;
            let waiting = waiters().filter(|other| other.pass.shape.tag == tag).count() as u32;
            visitor(tag, Activity::Miss { latest: latest_pass(tag), waiting });
        }
        let tag_of = |readable: &Readable| readable.pass.shape.tag;
        let hits = [&self.ro_read].into_iter().chain(self.hit.places()).chain(self.ro_hit.places());
        for tag in hits.filter_map(Held::get).chain(self.banked()).map(tag_of) {
            visitor(tag, Activity::Hit(latest_pass(tag)));
        }
        for tag in self.resume.places().into_iter().filter_map(Held::get).map(tag_of) {
            visitor(tag, Activity::Fill);
        }
        for read in [&self.read, &self.landing].into_iter().filter_map(Held::get) {
            visitor(read.shape.tag, Activity::Collect);
        }
        if let Some(collected) = self.collect.get() {
            visitor(collected.shape.tag, Activity::Collect);
        }
        if let Some(fault) = &self.fault {
            visitor(fault.tag, Activity::Fault(fault.cause));
        }
        if let Some(tag) = self.done {
            visitor(tag, Activity::Done);
        }
        if let Some(emission) = self.emit.get() {
            visitor(emission.shape.tag, Activity::WriteBack(emission.next_register()));
        }
    }
}
