//! Near misses of the global path: what its comparisons are asked, where a single bit decides.

use super::Global;
use super::flow::Flow;
use super::held::Held;
use super::misses::{Mshr, Owner};
use super::shape::{Kind, Shape};
use super::tag::Look;
use crate::golden::near::{Comparator, NearMisses};

/// What the pass that leaves `tag` takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allocation {
    line: u64,
    remote: bool,
    read_only: bool,
    /// A way too, not only an MSHR.
    takes_way: bool,
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
        if !pass.remote {
            let reserved = self.reserved(nc, cache.set_of(pass.line));
            for line in cache.present(pass.line, reserved) {
                near.equality(tags, pass.line, line);
            }
        }
        if !self.misses.any_waiter() {
            return;
        }
        let is_load = pass.shape.is_load();
        for mshr in self.misses.mshrs() {
            let Mshr { line, remote, read_only, keep, write, asked, .. } = *mshr;
            if remote != pass.remote {
                continue;
            }
            if !nc && !read_only && asked & need != 0 && (ordered || mshr.ordered) {
                near.equality(Comparator::MshrOrder, pass.line, line);
            }
            let is_kept_load = keep && !write;
            if kept && is_kept_load && read_only == nc {
                near.equality(Comparator::MshrJoin, pass.line, line);
            }
            if is_load && ordered && is_kept_load && !read_only {
                near.equality(Comparator::MshrDrop, pass.line, line);
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
            let banked = self.banked().map(|readable| &readable.pass.shape).filter(|shape| shape.acquire);
            let banked = banked.map(|shape| Owner { tag: shape.tag, warp: shape.warp });
            self.misses.acquires_owners().chain(banked).for_each(&mut compare);
        }
    }

    /// What the pass that leaves `tag` will take at this edge.
    pub(super) fn allocation(&self, look: &Look) -> Option<Allocation> {
        let pass = &self.tag.get()?.pass;
        look.mshr?;
        Some(Allocation {
            line: pass.line,
            remote: pass.remote,
            read_only: pass.shape.nc,
            takes_way: look.victim.is_some(),
        })
    }

    /// The pass that has come to `tag` at the edge at which the one before it took `allocation`.
    pub(super) fn near_next_line(&self, allocation: &Allocation, near: &mut NearMisses) {
        let Some(next) = self.tag.get().map(|tagged| &tagged.pass).filter(|pass| pass.has_line()) else { return };
        let Allocation { line, remote, read_only, takes_way } = *allocation;
        if next.remote != remote {
            return;
        }
        near.equality(Comparator::MshrNextLine, next.line, line);
        if takes_way && next.shape.nc == read_only {
            let (cache, comparator) = if read_only {
                (&self.read_only, Comparator::ReadOnlyNextLine)
            } else {
                (&self.l1, Comparator::L1NextLine)
            };
            if cache.set_of(next.line) == cache.set_of(line) {
                near.equality(comparator, next.line, line);
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
                    let reading = self.read.get().map(|read| read.shape.tag);
                    let others = self.tags_on_their_way().chain(reading);
                    others.for_each(|other| near.tag(Comparator::AheadTags, tag, other));
                }
            }
        }
        if flow.picked_leaves
            && let Some(shape) = flow.picked.and_then(|place| self.readable(place)).map(|readable| &readable.pass.shape)
        {
            let merging = self.merge.get().map(|merging| merging.pass.shape.tag);
            let others =
                self.tags_on_their_way().chain(merging).chain(self.misses.waiters_owners().map(|owner| owner.tag));
            others.for_each(|other| near.tag(Comparator::LastTags, shape.tag, other));
        }
    }

    /// Tags of what `issue`, `tag`, `ro_read`, `hit`, `ro_hit`, `resume` and `bank` hold.
    fn tags_on_their_way(&self) -> impl Iterator<Item = u8> {
        let readables = self.readables().chain(self.banked()).map(|readable| readable.pass.shape.tag);
        let looked_up = self.tag.places().into_iter().filter_map(Held::get).map(|tagged| tagged.pass.shape.tag);
        self.issue.get().map(|operation| operation.shape.tag).into_iter().chain(looked_up).chain(readables)
    }
}
