//! Place `tag`: order, tags and MSHRs decide what becomes of a pass.

use super::cache::{Cache, Slot};
use super::misses::Mshr;
use super::pass::Pass;
use super::requests::{Write, id_of, request};
use super::shape::{Kind, Shape};
use super::store::SectorData;
use super::{Global, Update};
use crate::golden::counts::{Counts, count};
use crate::micro_op::Command;

/// What place `tag` holds, up to two of them: a pass or a command, and for a store its data.
#[derive(Clone, Debug, Default)]
pub(in crate::golden) struct Tagged {
    pub pass: Pass,
    pub need: u8,
    pub sector: SectorData,
}

/// Why `tag` does not move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::golden) enum Stall {
    Order,
    Misses,
    Data,
}

/// What `tag`'s look-up says, on the state of the cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    found: Option<Slot>,
    /// Sectors that are served at once, and those that are not.
    hit: u8,
    miss: u8,
    miss_lanes: u32,
    waiter: Option<u8>,
    joins: Option<u8>,
    /// The MSHR that is taken, if none is joined.
    pub mshr: Option<u8>,
    pub victim: Option<Slot>,
}

impl Global {
    fn cache(&mut self, read_only: bool) -> &mut Cache {
        if read_only { &mut self.read_only } else { &mut self.l1 }
    }

    /// Rule STALL: what stops `tag`, if it holds anything.
    pub(super) fn tag_stall(&self, ro_read_free: bool) -> Option<Stall> {
        let Tagged { pass, need, .. } = self.tag.get()?;
        let shape = &pass.shape;
        let next_free = match (pass.has_line(), shape.kind) {
            (true, Kind::Store) => self.write.is_free(),
            (true, Kind::Load) if shape.nc => ro_read_free,
            _ => self.hit.is_free(),
        };
        if pass.has_line() && self.misses.any_waiter() {
            if !shape.nc && self.misses.orders(pass, *need) {
                return Some(Stall::Order);
            }
            if self.misses.free_waiter().is_none() {
                return Some(Stall::Misses);
            }
        }
        (!next_free).then_some(Stall::Data)
    }

    /// Rule HIT: the look-up of the pass in `tag`, which moves at this edge. Lanes that hit go to `hit` or `ro_read` with the line as it is now.
    pub(super) fn look_up(&mut self) -> Option<Look> {
        let Tagged { pass, need, .. } = self.tag.get()?;
        let Shape { kind, nc, looked_up, kept, .. } = pass.shape;
        if !pass.has_line() || matches!(kind, Kind::Command(_)) {
            self.hit.end().fill().put(pass, 0);
            return None;
        }
        let cache = if nc { &self.read_only } else { &self.l1 };
        let set = cache.set_of(pass.line);
        let reserved = self.misses.reserved(nc, set);
        let found = cache.find(pass.line, reserved);
        let valid = found.map_or(0, |slot| cache.valid(slot));
        let hit = if looked_up { need & valid } else { 0 };
        let hit_lanes = pass.lanes_in(hit);
        let mut look = Look {
            found,
            hit,
            miss: need & !hit,
            miss_lanes: pass.lanes & !hit_lanes,
            waiter: self.misses.free_waiter(),
            joins: None,
            mshr: None,
            victim: None,
        };
        if look.miss != 0 {
            look.joins = if kept { self.misses.joinable(nc, pass.line) } else { None };
            if look.joins.is_none() {
                look.mshr = self.misses.free_mshr();
                look.victim = (kept && found.is_none()).then(|| cache.victim(set, reserved));
            }
        }
        if let Some(slot) = found.filter(|_| hit != 0) {
            let next = if nc { self.ro_read.fill() } else { self.hit.end().fill() };
            next.put(pass, hit_lanes);
            next.line = *cache.line(slot);
        }
        Some(look)
    }

    /// `tag` moves: everything that changes behind it, after the response of this edge.
    pub(super) fn leave_tag(&mut self, look: Option<Look>, counts: &mut Counts) {
        let Some(Tagged { pass, .. }) = self.tag.get() else { return };
        let kind = pass.shape.kind;
        match (kind, look) {
            (Kind::Load, Some(look)) => self.leave_load(&look, counts),
            (Kind::Store, Some(look)) => self.leave_store(&look),
            // An empty pass.
            (Kind::Load | Kind::Store, None) => {}
            (Kind::Command(Command::InvalidateL1), _) => self.invalidate(false),
            (Kind::Command(Command::InvalidateReadOnly), _) => self.invalidate(true),
            // There are no local lines; the other goes to the constant cache.
            (Kind::Command(Command::WriteBackLocal | Command::InvalidateConstant), _) => {}
        }
        self.tag.pop();
    }

    /// Rule FLUSH: all valid bits are cleared, and no sector on its way is kept.
    pub(super) fn invalidate(&mut self, read_only: bool) {
        self.cache(read_only).invalidate();
        self.misses.lose_keep(read_only, |_| true);
    }

    fn leave_load(&mut self, look: &Look, counts: &mut Counts) {
        let Some(Tagged { pass, need, .. }) = self.tag.get() else { return };
        let (shape, line, need) = (pass.shape, pass.line, *need);
        let read_only = shape.nc;
        if shape.looked_up {
            let (hits, misses) = (look.hit.count_ones(), look.miss.count_ones());
            let status = &mut counts.status;
            let (hit_pin, miss_pin) = if read_only {
                (&mut status.ro_hits, &mut status.ro_misses)
            } else {
                (&mut status.l1_hits, &mut status.l1_misses)
            };
            count(hit_pin, hits);
            count(miss_pin, misses);
            let account = counts.accounts.of(shape.tag);
            count(&mut account.hit_sectors, hits);
            count(&mut account.miss_sectors, misses);
        }
        if shape.ordered
            && let Some(slot) = look.found
        {
            self.l1.drop_sectors(slot, need);
            self.misses.lose_keep(false, |mshr| mshr.line == line && !mshr.write);
        }
        if look.miss != 0 {
            self.wait(look);
        }
        if shape.kept {
            let cache = self.cache(read_only);
            match (look.found, look.victim) {
                (Some(slot), _) if shape.touches => cache.touch(slot, shape.class),
                (None, Some(slot)) => cache.touch(slot, shape.victim_class),
                _ => {}
            }
        }
    }

    /// Rules MISS, JOIN: the lanes in missing sectors take a waiter, which joins an MSHR or takes one.
    fn wait(&mut self, look: &Look) {
        let (Some(Tagged { pass, .. }), Some(waiter)) = (self.tag.get(), look.waiter) else { return };
        let Shape { nc: read_only, kept, ordered, .. } = pass.shape;
        let line = pass.line;
        let (number, ask) = match (look.joins, look.mshr) {
            (Some(number), _) => (number, self.misses.ask(number, look.miss)),
            (None, Some(number)) => {
                if let Some(victim) = look.victim {
                    let cache = if read_only { &mut self.read_only } else { &mut self.l1 };
                    cache.assign(victim, line);
                    self.misses.lose_keep(read_only, |mshr| mshr.slot == victim);
                }
                let slot = look.found.or(look.victim).unwrap_or_default();
                let asked = look.miss;
                let mshr = Mshr { line, ordered, read_only, keep: kept, slot, asked, ..Mshr::default() };
                self.misses.take_mshr(number, mshr);
                (number, asked)
            }
            // As many MSHRs as waiters: where a waiter is free, an MSHR is.
            (None, None) => return,
        };
        self.misses.take_waiter(waiter, pass, look.miss_lanes, number, look.miss);
        if ask != 0 {
            self.read_queue.push(waiter, ask);
        }
    }

    /// Rule UPDATE.
    fn leave_store(&mut self, look: &Look) {
        let (Some(Tagged { pass, need, sector: stored }), Some(waiter), Some(number)) =
            (self.tag.get(), look.waiter, look.mshr)
        else {
            return;
        };
        let shape = pass.shape;
        let sector = need.trailing_zeros() as u8;
        let hit = look.found.filter(|slot| self.l1.valid(*slot) & need != 0);
        let updated = hit.filter(|_| !shape.drops);
        let mshr = Mshr {
            line: pass.line,
            ordered: true,
            write: true,
            keep: updated.is_some(),
            slot: updated.unwrap_or_default(),
            asked: *need,
            ..Mshr::default()
        };
        self.misses.take_mshr(number, mshr);
        self.misses.take_waiter(waiter, pass, pass.lanes, number, *need);

        let mut request = request(id_of(number, sector), pass.line, sector, &shape.attributes);
        request.write = true;
        request.strb = stored.strobes;
        request.data = stored.words();
        *self.write.end().fill() = Write { tag: shape.tag, request };

        let Some(slot) = hit else { return };
        if shape.drops {
            self.l1.drop_sectors(slot, *need);
            return;
        }
        if shape.touches {
            self.l1.touch(slot, shape.class);
        }
        self.update = Some(Update { slot, sector, stored: *stored });
    }
}
