//! Near misses of the global path: what its comparisons are asked, where a single bit decides.

use super::Global;
use super::flow::Flow;
use super::held::Held;
use super::line::Line;
use super::misses::{Mshr, Owner};
use super::shape::{Kind, Shape};
use super::tag::Look;
use crate::golden::near::{Comparator, NearMisses};

/// What the pass that leaves `tag` takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allocation {
    line: Line,
    read_only: bool,
    takes_mshr: bool,
    takes_way: bool,
}

/// Of lines of different memories no bit of their numbers decides.
fn near_line(near: &mut NearMisses, comparator: Comparator, line: Line, other: Line) {
    if line.memory == other.memory {
        near.equality(comparator, line.number, other.number);
    }
}

impl Global {
    /// The comparisons of the pass that leaves `tag`, on the state of the cycle.
    pub(super) fn near_look_up(&self, near: &mut NearMisses) {
        let Some(tagged) = self.tag.get() else { return };
        let (pass, need) = (&tagged.pass, tagged.need);
        if !pass.has_line() || matches!(pass.shape.kind, Kind::Command(_)) {
            return;
        }
        let Shape { nc, ordered, kept, .. } = pass.shape;
        let (cache, tags) =
            if nc { (&self.read_only, Comparator::ReadOnlyTags) } else { (&self.l1, Comparator::L1Tags) };
        // No cache is asked for a line of a remote pass.
        if !pass.line.is_remote() {
            let reserved = self.reserved(nc, cache.set_of(pass.line));
            for line in cache.present(pass.line, reserved) {
                near_line(near, tags, pass.line, line);
            }
        }
        let is_load = pass.shape.is_load();
        for mshr in self.misses.mshrs() {
            let Mshr { line, read_only, keep, purpose, asked, .. } = *mshr;
            if !nc && !read_only && asked & need != 0 && (ordered || mshr.ordered) {
                near_line(near, Comparator::MshrOrder, pass.line, line);
            }
            let is_kept_load = keep && !purpose.is_store();
            if kept && is_kept_load && read_only == nc {
                near_line(near, Comparator::MshrJoin, pass.line, line);
            }
            if is_load && ordered && is_kept_load && !read_only {
                near_line(near, Comparator::MshrDrop, pass.line, line);
            }
        }
    }

    /// The operations that a pass is compared with that waits in `tag` by rule ORDER, ACQUIRE or RELEASE.
    pub(super) fn near_order(&self, near: &mut NearMisses) {
        let Some(pass) = self.tag.get().map(|tagged| &tagged.pass) else { return };
        let Shape { tag, warp, release, .. } = pass.shape;
        // What holds a shared store without a release is rule BANK-ORDER, which compares nothing.
        if pass.shared && !release {
            return;
        }
        let mut compare = |other: Owner| {
            if other.warp == warp {
                near.tag(Comparator::OrderTags, tag, other.tag);
            }
            if other.tag != tag {
                near.equality(Comparator::OrderWarps, warp.into(), other.warp.into());
            }
        };
        if release {
            self.misses.waiters_owners().for_each(&mut compare);
        } else {
            self.misses.acquires_owners().for_each(&mut compare);
        }
        // Before a shared store everything leaves `bank`.
        for banked in self.banked_shapes().filter(|banked| !pass.shared && (release || banked.acquire)) {
            near.equality(Comparator::OrderWarps, warp.into(), banked.warp.into());
        }
    }

    /// What the pass that leaves `tag` will take at this edge.
    pub(super) fn allocation(&self, look: &Look) -> Option<Allocation> {
        let pass = &self.tag.get()?.pass;
        let (takes_mshr, takes_way) = (look.mshr.is_some(), look.victim.is_some());
        let allocation = Allocation { line: pass.line, read_only: pass.shape.nc, takes_mshr, takes_way };
        (takes_mshr || takes_way).then_some(allocation)
    }

    /// The pass that has come to `tag` at the edge at which the one before it took `allocation`.
    pub(super) fn near_next_line(&self, allocation: &Allocation, near: &mut NearMisses) {
        let Some(next) = self.tag.get().map(|tagged| &tagged.pass).filter(|pass| pass.has_line()) else { return };
        let Allocation { line, read_only, takes_mshr, takes_way } = *allocation;
        if takes_mshr {
            near_line(near, Comparator::MshrNextLine, next.line, line);
        }
        if takes_way && next.shape.nc == read_only {
            let (cache, comparator) = if read_only {
                (&self.read_only, Comparator::ReadOnlyNextLine)
            } else {
                (&self.l1, Comparator::L1NextLine)
            };
            if cache.set_of(next.line) == cache.set_of(line) {
                near_line(near, comparator, next.line, line);
            }
        }
    }

    /// The tags that `collect` and the picked pass are compared with.
    pub(super) fn near_collected(&self, flow: &Flow, near: &mut NearMisses) {
        if let Some(collected) = self.collect.get() {
            let tag = collected.shape.tag;
            match self.landing.get() {
                Some(read) => near.tag(Comparator::CollectTags, tag, read.shape.tag),
                None => {
                    let mut compare = |other| near.tag(Comparator::AheadTags, tag, other);
                    self.visit_tags_on_their_way(&mut compare);
                    self.read.get().map(|read| read.shape.tag).into_iter().for_each(compare);
                }
            }
        }
        if flow.picked.leaves
            && let Some(shape) =
                flow.picked.place.and_then(|place| self.readable(place)).map(|readable| &readable.pass.shape)
        {
            let mut compare = |other| near.tag(Comparator::LastTags, shape.tag, other);
            self.visit_tags_on_their_way(&mut compare);
            self.merge.get().map(|merging| merging.pass.shape.tag).into_iter().for_each(&mut compare);
            self.misses.waiters_owners().map(|owner| owner.tag).for_each(compare);
        }
    }

    /// Shows `visitor` the tags of what `issue`, `tag`, `ro_read`, `hit`, `ro_hit`, `resume` and `bank` hold.
    fn visit_tags_on_their_way(&self, mut visitor: impl FnMut(u8)) {
        self.issue.get().map(|operation| operation.shape.tag).into_iter().for_each(&mut visitor);
        let looked_up = self.tag.places().into_iter().filter_map(Held::get);
        looked_up.map(|tagged| tagged.pass.shape.tag).for_each(&mut visitor);
        self.readables().map(|readable| readable.pass.shape.tag).for_each(&mut visitor);
        self.banked().map(|readable| readable.pass.shape.tag).for_each(visitor);
    }
}
