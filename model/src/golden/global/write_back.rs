//! Place `write_back`: sectors of local memory on their way to where they belong, and those that need not go there.

use super::super::lanes::bits;
use super::Global;
use super::cache::WaySector;
use super::flow::Step;
use super::misses::{Mshr, Purpose};
use super::pass::Pass;
use super::pick::Pickable;
use super::requests::{Write, id_of, request};
use super::shape::{Attributes, Kind};
use super::tag::{Look, Stall, Tagged};
use crate::micro_op::Command;
use crate::pins::{MemoryRequest, SECTOR_BYTES, SECTOR_WORDS, WORD_BYTES};

/// The place, its read that stands in `read`, and how far `CMD_WRITE_BACK_LOCAL` has come.
#[derive(Clone, Debug, Default)]
pub(in crate::golden) struct WriteBack {
    sector: Option<WaySector>,
    read: Option<MemoryRequest>,
    /// The set at which the command in `tag` looks, or the next one will begin.
    set: usize,
}

impl WriteBack {
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// What is being written back.
    pub(super) fn get(&self) -> Option<&WaySector> {
        self.sector.as_ref()
    }

    pub(in crate::golden) fn is_full(&self) -> bool {
        self.sector.is_some()
    }

    /// Whether its read stands in `read`.
    pub(in crate::golden) fn is_in_read(&self) -> bool {
        self.read.is_some()
    }
}

impl Global {
    /// Rule WRITE-BACK: the set that must not be dirty before what `tag` holds moves.
    pub(super) fn set_to_clean(&self) -> Option<usize> {
        let Tagged { pass, .. } = self.tag.get()?;
        let shape = &pass.shape;
        let enters = match shape.kind {
            Kind::Command(Command::WriteBackLocal) => return Some(self.write_back.set),
            Kind::Command(_) => false,
            Kind::Load => shape.kept && !shape.nc,
            Kind::Store => pass.line.is_local(),
        };
        let enters = enters && pass.has_line() && self.found(pass).is_none();
        enters.then(|| self.l1.set_of(pass.line))
    }

    fn holds_write_back_command(&self) -> bool {
        self.tag.get().is_some_and(|tagged| tagged.pass.shape.kind == Kind::Command(Command::WriteBackLocal))
    }

    /// Whether the command has looked at all sets but this one.
    fn is_at_last_set(&self) -> bool {
        self.write_back.set + 1 == self.preset.l1_sets
    }

    /// Rule WRITE-BACK: whether it holds what `tag` holds.
    pub(super) fn write_back_holds(&self) -> bool {
        let Some(set) = self.set_to_clean() else { return false };
        let is_under_way = self.write_back.is_full() || self.l1.dirty(set).is_some();
        let is_unanswered = || self.misses.mshrs().any(|mshr| mshr.purpose == Purpose::WriteBack);
        is_under_way || self.holds_write_back_command() && (!self.is_at_last_set() || is_unanswered())
    }

    /// Rule STALL, *order*: whether `CMD_WRITE_BACK_LOCAL` waits for local memory's other accesses.
    pub(super) fn write_back_command_waits(&self) -> bool {
        let mut mshrs = self.misses.mshrs();
        self.holds_write_back_command() && mshrs.any(|mshr| mshr.line.is_local() && mshr.purpose != Purpose::WriteBack)
    }

    /// Rule WRITE-BACK: what it does at this edge, in a cycle in which `tag` is stopped by `stall`, if by anything.
    pub(super) fn write_back_step(&self, stall: Option<Stall>) -> Step {
        if stall == Some(Stall::Order) || self.write_back.is_full() {
            return Step::Nothing;
        }
        let Some(set) = self.set_to_clean() else { return Step::Nothing };
        match self.l1.dirty(set) {
            Some(sector) => Step::Take(sector),
            None if self.holds_write_back_command() && !self.is_at_last_set() => Step::NextSet,
            None => Step::Nothing,
        }
    }

    /// Rule PICK: whether `write_back` has something to pick.
    pub(super) fn can_pick_write_back(&self) -> bool {
        let is_waiting = self.write_back.is_full() && !self.write_back.is_in_read();
        is_waiting && self.write.is_free() && self.free_mshr().is_some()
    }

    /// The edge of `write_back`, on the state of the cycle: what stands in `read` goes to `write`, what is picked to `read`.
    pub(super) fn advance_write_back(&mut self, is_picked: bool, step: Step) {
        if let Some(request) = &self.write_back.read {
            *self.write.end().fill() = Write { tag: None, remote: false, request: *request };
            self.write_back.read = None;
            self.write_back.sector = None;
        }
        if is_picked {
            self.read_to_write_back();
        }
        match step {
            Step::Nothing => {}
            Step::Take(WaySector { slot, sector }) => {
                self.l1.forget_written(slot, 1 << sector);
                self.write_back.sector = Some(WaySector { slot, sector });
            }
            Step::NextSet => self.write_back.set += 1,
        }
    }

    /// Rule WRITE-BACK: the sector goes to `read` and takes an MSHR, to which no waiter refers.
    fn read_to_write_back(&mut self) {
        let (Some(WaySector { slot, sector }), Some(number)) = (self.write_back.sector, self.free_mshr()) else {
            return;
        };
        let line = self.l1.line(slot);
        let row = self.misses.own_row(number);
        let purpose = Purpose::WriteBack;
        let mshr = Mshr { line, ordered: true, purpose, row, asked: 1 << sector, ..Mshr::default() };
        self.misses.take_for_write_back(number, mshr);
        let mut request = request(id_of(number, sector), line.number, sector, &Attributes::default());
        request.write = true;
        request.strb = u32::MAX;
        let words = self.rows.read(self.l1.row(slot));
        request.data.copy_from_slice(&words[usize::from(sector) * SECTOR_WORDS..][..SECTOR_WORDS]);
        self.write_back.read = Some(request);
        self.left_last = Pickable::WriteBack;
    }

    /// Rules FLUSH, WRITE-BACK: the command moves.
    pub(super) fn leave_write_back_command(&mut self) {
        self.l1.invalidate(true);
        self.write_back.set = 0;
    }

    /// Rule LAST-USE: what the pass that `tag` moves needed for the last time goes nowhere.
    pub(super) fn drop_last_used(&mut self, look: &Look) {
        let Some(Tagged { pass, .. }) = self.tag.get() else { return };
        let (Some(slot), used) = (look.found, last_used(pass, look)) else { return };
        self.l1.drop_sectors(slot, used);
        self.l1.forget_written(slot, used);
    }
}

/// Rule LAST-USE: the sectors that a pass hits and needs all of, if it needs them for the last time.
pub(super) fn last_used(pass: &Pass, look: &Look) -> u8 {
    if pass.shape.last_use { whole_sectors(pass) & look.hit } else { 0 }
}

/// The sectors of which every word is one of the pass's lanes.
fn whole_sectors(pass: &Pass) -> u8 {
    let mut words = [0_u8; 4];
    for lane in bits(pass.lanes) {
        let offset = usize::from(pass.offsets[usize::from(lane)]);
        words[offset / SECTOR_BYTES] |= 1 << (offset % SECTOR_BYTES / WORD_BYTES as usize);
    }
    (0..4).filter(|sector| words[*sector] == u8::MAX).fold(0, |whole, sector| whole | 1 << sector)
}
