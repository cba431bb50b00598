//! Place `tag`: order, tags and MSHRs decide what becomes of a pass.

use super::before::{Before, Reading};
use super::cache::{Cache, Slot};
use super::held::Held;
use super::misses::{Mshr, Purpose};
use super::pass::{Pass, Readable};
use super::requests::{Write, id_of, request};
use super::rows::{Row, SectorData};
use super::shape::{Kind, Shape};
use super::shared::BankWords;
use super::{Global, Update};
use crate::golden::counts::{Counts, count};
use crate::micro_op::Command;

/// What place `tag` holds, up to two of them: a pass or a command, and for a store its data.
#[derive(Clone, Debug, Default)]
pub(in crate::golden) struct Tagged {
    pub pass: Pass,
    pub need: u8,
    pub sector: SectorData,
    /// Of a shared pass.
    pub words: BankWords,
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
    pub found: Option<Slot>,
    /// Sectors that are served at once, and those that are not; the lanes in them.
    pub hit: u8,
    hit_lanes: u32,
    pub miss: u8,
    miss_lanes: u32,
    waiter: Option<u8>,
    pub joins: Option<u8>,
    /// The MSHR that is taken, if none is joined.
    pub mshr: Option<u8>,
    /// What the MSHR fetches enters the found way.
    enters_found: bool,
    pub victim: Option<Slot>,
}

impl Global {
    pub(super) fn cache(&self, read_only: bool) -> &Cache {
        if read_only { &self.read_only } else { &self.l1 }
    }

    fn cache_mut(&mut self, read_only: bool) -> &mut Cache {
        if read_only { &mut self.read_only } else { &mut self.l1 }
    }

    /// Passes in `hit`, `ro_read`, `ro_hit` and `resume`; those in `bank` have no row.
    pub(super) fn readables(&self) -> impl Iterator<Item = &Readable> {
        let ([hit, next_hit], [ro_hit, next_ro_hit]) = (self.hit.places(), self.ro_hit.places());
        let [resume, next_resume] = self.resume.places();
        [hit, next_hit, ro_hit, next_ro_hit, resume, next_resume, &self.ro_read].into_iter().filter_map(Held::get)
    }

    /// What passes in this cycle will read.
    pub(super) fn readings(&self) -> impl Iterator<Item = Reading> {
        self.readables().map(|Readable { pass, row, to_be_read, .. }| Reading {
            row: *row,
            line: pass.line,
            sectors: *to_be_read,
        })
    }

    /// Whether one of these sectors of `row` is to be read.
    fn is_to_be_read(&self, row: Row, sectors: u8) -> bool {
        self.before.readings().iter().any(|reading| reading.row == row && reading.sectors & sectors != 0)
    }

    /// Ways of a set that are reserved: an MSHR with `keep` names their rows.
    pub(super) fn reserved(&self, read_only: bool, set: usize) -> u32 {
        let kept = self.misses.mshrs().filter(|mshr| mshr.keep).map(|mshr| mshr.row);
        self.cache(read_only).ways_of(set, kept)
    }

    /// Rule PINNED: ways of a set that are no victims.
    pub(super) fn pinned(&self, read_only: bool, set: usize) -> u32 {
        self.cache(read_only).ways_of(set, self.before.pinned())
    }

    /// Rule NOT-KEPT: whether the found way's row takes nothing new in these sectors.
    pub(super) fn is_not_kept(&self, row: Row, miss: u8) -> bool {
        self.misses.mshrs().any(|mshr| !mshr.keep && mshr.row == row) || self.is_to_be_read(row, miss)
    }

    /// Rule READ-FIRST: whether the store in `tag` must wait because its line's sector is still to be read in L1.
    pub(super) fn reads_first(&self, tagged: &Tagged) -> bool {
        let Tagged { pass, need, .. } = tagged;
        let is_before = |reading: &Reading| {
            reading.line == pass.line && reading.sectors & need != 0 && self.l1.slot(reading.row).is_some()
        };
        pass.shape.is_store() && !pass.shape.drops && self.before.readings().iter().any(is_before)
    }

    /// The MSHR that a pass can take.
    pub(super) fn free_mshr(&self) -> Option<u8> {
        self.misses.free_mshr(self.before.readings().iter().map(|reading| reading.row))
    }

    /// Rules STALL, BANK-ORDER: what stops `tag`, if it holds anything.
    pub(super) fn tag_stall(&self, ro_read_free: bool) -> Option<Stall> {
        let tagged = self.tag.get()?;
        let Tagged { pass, need, .. } = tagged;
        let shape = &pass.shape;
        let is_behind = pass.has_line()
            && !shape.nc
            && (self.misses.conflicts(pass, *need)
                || self.reads_first(tagged)
                || self.holds_load(shape)
                || self.holds_release(shape));
        let is_shared_store = pass.shared && shape.is_store();
        let shared_waits = is_shared_store && (self.holds_release(shape) || !self.bank.is_empty());
        if is_behind || shared_waits || self.write_back_command_waits() {
            return Some(Stall::Order);
        }
        let lacks_miss = pass.has_line() && (self.misses.free_waiter().is_none() || self.free_mshr().is_none());
        if lacks_miss || self.write_back_holds() || self.lacks_way(pass) {
            return Some(Stall::Misses);
        }
        let next_free = match (pass.has_line(), shape.kind) {
            (true, Kind::Store) if !pass.line.is_local() => self.write.is_free(),
            (true, Kind::Load) if shape.nc => ro_read_free,
            _ => self.hit.is_free(),
        };
        let serve_writes = shape.is_store() && self.serve.writes();
        (!next_free || serve_writes).then_some(Stall::Data)
    }

    /// The way that is present and holds the pass's line. No cache holds one of a remote pass.
    pub(super) fn found(&self, pass: &Pass) -> Option<Slot> {
        if pass.line.is_remote() {
            return None;
        }
        let (read_only, line) = (pass.shape.nc, pass.line);
        let cache = self.cache(read_only);
        cache.find(line, self.reserved(read_only, cache.set_of(line)))
    }

    /// Rule VICTIM: the way that a pass gets whose line is not found.
    fn victim(&self, pass: &Pass) -> Option<Slot> {
        let cache = self.cache(pass.shape.nc);
        let set = cache.set_of(pass.line);
        cache.victim(set, self.pinned(pass.shape.nc, set))
    }

    /// Rule STALL: whether a local store has no way to write to.
    fn lacks_way(&self, pass: &Pass) -> bool {
        let writes_row = pass.shape.is_store() && pass.has_line() && pass.line.is_local();
        writes_row && self.found(pass).is_none() && self.victim(pass).is_none()
    }

    /// Rule ACQUIRE: whether a load must wait for an acquire.
    pub(super) fn holds_load(&self, shape: &Shape) -> bool {
        let is_acquire = |banked: &Shape| banked.acquire && banked.warp == shape.warp;
        shape.is_load() && (self.misses.acquires_before(shape) || self.banked_shapes().any(is_acquire))
    }

    /// Rule RELEASE: whether a release, in shared memory too, must wait.
    pub(super) fn holds_release(&self, shape: &Shape) -> bool {
        let is_before = |banked: &Shape| banked.warp == shape.warp;
        shape.release && (self.misses.waits_before(shape) || self.banked_shapes().any(is_before))
    }

    /// The look-up of the pass in `tag`, which moves at this edge. A command and an empty pass look up nothing.
    pub(super) fn look_up(&self) -> Option<Look> {
        let Tagged { pass, need, sector, .. } = self.tag.get()?;
        let Shape { kind, nc, looked_up, kept, .. } = pass.shape;
        if !pass.has_line() || matches!(kind, Kind::Command(_)) {
            return None;
        }
        let cache = self.cache(nc);
        let found = self.found(pass);
        let valid = found.map_or(0, |slot| cache.valid(slot));
        let hit = if looked_up { need & valid } else { 0 };
        let hit_lanes = pass.lanes_in(hit);
        let mut look = Look {
            found,
            hit,
            hit_lanes,
            miss: need & !hit,
            miss_lanes: pass.lanes & !hit_lanes,
            waiter: self.misses.free_waiter(),
            joins: None,
            mshr: None,
            enters_found: false,
            victim: None,
        };
        if kind == Kind::Store && pass.line.is_local() {
            let is_valid = valid & need != 0 || sector.strobes == u32::MAX;
            look.mshr = if is_valid { None } else { self.free_mshr() };
            look.victim = if found.is_none() { self.victim(pass) } else { None };
        } else if look.miss != 0 {
            let is_safe = kept && !found.is_some_and(|slot| self.is_not_kept(cache.row(slot), look.miss));
            look.joins = if is_safe { self.misses.joinable(nc, pass.line) } else { None };
            if look.joins.is_none() {
                look.mshr = self.free_mshr();
                look.enters_found = is_safe && found.is_some();
                look.victim = if is_safe && found.is_none() { self.victim(pass) } else { None };
            }
        }
        Some(look)
    }

    /// Rule HIT: the lanes that hit go to `hit` or `ro_read` with their way's row; what looked up nothing goes to `hit`. `before` is
    /// told what the next pass must respect.
    pub(super) fn enter_hit(&mut self, look: Option<&Look>, before: &mut Before) {
        let Some(Tagged { pass, .. }) = self.tag.get() else { return };
        let Some(look) = look else {
            self.hit.end().fill().put(pass);
            return;
        };
        let cache = if pass.shape.nc { &self.read_only } else { &self.l1 };
        before.moves_to(look.found.or(look.victim).map(|slot| cache.row(slot)));
        if let Some(slot) = look.found.filter(|_| look.hit != 0) {
            let row = cache.row(slot);
            before.add(Reading { row, line: pass.line, sectors: look.hit });
            let next = if pass.shape.nc { self.ro_read.fill() } else { self.hit.end().fill() };
            next.put_in_row(pass, look.hit_lanes, row, look.hit);
        }
        if pass.line.is_local() && pass.shape.is_store() && look.mshr.is_none() {
            self.hit.end().fill().put(pass);
        }
    }

    /// `tag` moves: everything that changes behind it, after the response of this edge.
    pub(super) fn leave_tag(&mut self, look: Option<Look>, counts: &mut Counts) {
        let Some(Tagged { pass, .. }) = self.tag.get() else { return };
        let kind = pass.shape.kind;
        match (kind, look) {
            (Kind::Load, Some(look)) => self.leave_load(&look, counts),
            (Kind::Store, Some(look)) if pass.line.is_local() => self.leave_local_store(&look),
            (Kind::Store, Some(look)) => self.leave_store(&look),
            (Kind::Store, None) if pass.shared => self.leave_shared_store(),
            // An empty pass.
            (Kind::Load | Kind::Store, None) => {}
            (Kind::Command(Command::InvalidateL1), _) => self.invalidate(false),
            (Kind::Command(Command::InvalidateReadOnly), _) => self.invalidate(true),
            (Kind::Command(Command::WriteBackLocal), _) => self.leave_write_back_command(),
            // It goes to the constant cache.
            (Kind::Command(Command::InvalidateConstant), _) => {}
        }
        self.tag.pop();
    }

    /// Rule FLUSH: all valid bits are cleared, and no sector on its way is kept, but those of local lines.
    pub(super) fn invalidate(&mut self, read_only: bool) {
        self.cache_mut(read_only).invalidate(false);
        self.misses.lose_keep(read_only, |mshr| !mshr.line.is_local());
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
            self.misses.lose_keep(false, |mshr| mshr.line == line && !mshr.purpose.is_store());
        }
        self.drop_last_used(look);
        if look.miss != 0 {
            self.wait(look);
        }
        if shape.kept {
            let cache = self.cache_mut(read_only);
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
        let Shape { nc: read_only, ordered, .. } = pass.shape;
        let line = pass.line;
        let (number, ask) = match (look.joins, look.mshr) {
            (Some(number), _) => (number, self.misses.ask(number, look.miss)),
            (None, Some(number)) => {
                let cache = if read_only { &mut self.read_only } else { &mut self.l1 };
                if let Some(victim) = look.victim {
                    cache.assign(victim, line);
                }
                let way = if look.enters_found { look.found } else { look.victim };
                let row = way.map_or(self.misses.own_row(number), |slot| cache.row(slot));
                let (keep, asked) = (way.is_some(), look.miss);
                let mshr = Mshr { line, ordered, read_only, keep, row, asked, ..Mshr::default() };
                self.misses.take_mshr(number, mshr);
                (number, asked)
            }
            // `tag` does not move where no MSHR can be taken.
            (None, None) => return,
        };
        self.misses.take_waiter(waiter, pass, look.miss_lanes, number, look.miss);
        if ask != 0 {
            self.read_queue.push(waiter, ask);
        }
    }

    /// Rule BANK-ORDER: whether a shared store's pass stands before the shared load in `issue`.
    pub(super) fn holds_shared_store(&self) -> bool {
        self.tag.places().into_iter().filter_map(Held::get).any(|tagged| tagged.pass.shared)
    }

    /// Rule UPDATE, for shared memory.
    fn leave_shared_store(&mut self) {
        let Some(Tagged { words, .. }) = self.tag.get() else { return };
        self.shared_update.fill().clone_from(words);
    }

    /// Rule UPDATE, for global memory and that of other CTAs.
    fn leave_store(&mut self, look: &Look) {
        let (Some(Tagged { pass, need, sector: stored, .. }), Some(waiter), Some(number)) =
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
            purpose: Purpose::Store,
            keep: updated.is_some(),
            row: updated.map_or(self.misses.own_row(number), |slot| self.l1.row(slot)),
            asked: *need,
            ..Mshr::default()
        };
        self.misses.take_mshr(number, mshr);
        self.misses.take_waiter(waiter, pass, pass.lanes, number, *need);

        let mut request = request(id_of(number, sector), pass.line.number, sector, &shape.attributes);
        request.write = true;
        request.strb = stored.strobes;
        request.data = stored.words();
        *self.write.end().fill() = Write { tag: Some(shape.tag), remote: pass.line.is_remote(), request };

        let Some(slot) = hit else { return };
        if shape.drops {
            self.l1.drop_sectors(slot, *need);
            return;
        }
        if shape.touches {
            self.l1.touch(slot, shape.class);
        }
        self.update = Some(Update { row: self.l1.row(slot), sector, stored: *stored });
    }

    /// Rule UPDATE, for local memory.
    fn leave_local_store(&mut self, look: &Look) {
        let Some(Tagged { pass, need, sector: stored, .. }) = self.tag.get() else { return };
        let (shape, line, sector) = (&pass.shape, pass.line, need.trailing_zeros() as u8);
        // `tag` does not move where there is neither.
        let Some(slot) = look.found.or(look.victim) else { return };
        if look.found.is_none() {
            self.l1.assign(slot, line);
            self.l1.touch(slot, shape.victim_class);
        } else if shape.touches {
            self.l1.touch(slot, shape.class);
        }
        let row = self.l1.row(slot);
        self.update = Some(Update { row, sector, stored: *stored });
        self.l1.set_written(slot, sector);
        if stored.strobes == u32::MAX {
            self.l1.validate(slot, sector);
        }
        if let (Some(number), Some(waiter)) = (look.mshr, look.waiter) {
            let purpose = Purpose::LocalStore { strobes: stored.strobes };
            let mshr = Mshr { line, ordered: true, purpose, keep: true, row, asked: *need, ..Mshr::default() };
            self.misses.take_mshr(number, mshr);
            self.misses.take_waiter(waiter, pass, pass.lanes, number, *need);
            self.read_queue.push(waiter, *need);
        }
    }
}
