//! Rule PICK: which of six places is picked, and what it does then.

use super::Global;
use super::bank::Banked;
use super::held::Held;
use super::pass::Readable;

/// One of the six places of which one is picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::golden) enum Pickable {
    /// `resume`: from a waiter.
    Resume,
    /// `hit`: hits in L1, passes without a line, commands.
    Hit,
    /// `ro_hit`: hits in the read-only cache.
    RoHit,
    /// `bank`: shared loads.
    Bank,
    /// `serve`: reads of other CTAs.
    Serve,
    /// `write_back`: a sector of local memory.
    WriteBack,
}

/// The order in which they take turns, the first one behind the last: that of their declaration.
const CYCLE: [Pickable; 6] =
    [Pickable::Resume, Pickable::Hit, Pickable::RoHit, Pickable::Bank, Pickable::Serve, Pickable::WriteBack];

/// The place that is picked in a cycle, and what becomes of what it holds.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::golden) struct Picked {
    pub place: Option<Pickable>,
    /// The picked pass makes a read, or leaves if it is a store or a command.
    pub goes: bool,
    /// The picked pass leaves its place.
    pub leaves: bool,
    /// The picked pass hands a record to `fault`.
    pub reports: bool,
    /// The picked pass is its operation's last.
    pub is_last: bool,
}

impl Global {
    /// Rules PICK, REPORT, LAST: the decisions of a cycle in which these places are free, or will be.
    pub(super) fn pick(&self, read_free: bool, fault_free: bool, done_free: bool) -> Picked {
        let place = self.picked();
        let readable = place.and_then(|place| self.readable(place));
        let reports = readable.is_some_and(Readable::reports);
        let report_goes = !reports || fault_free;
        let (goes, leaves) = match readable {
            None => (place.is_some() && read_free, false),
            Some(readable) if readable.pass.shape.is_load() => {
                let goes = report_goes && read_free;
                (goes, goes && readable.is_on_last_read())
            }
            Some(_) => (done_free && report_goes, done_free && report_goes),
        };
        let is_last = leaves && readable.is_some_and(|readable| self.is_last(readable.pass.shape.tag));
        Picked { place, goes, leaves, reports: reports && goes, is_last }
    }

    /// Rule PICK: the place that is picked in this cycle.
    fn picked(&self) -> Option<Pickable> {
        use Pickable::{Bank, Hit, Resume, RoHit, Serve, WriteBack};
        let mut picked = None;
        // The place that left last comes last.
        for distance in 1..=CYCLE.len() {
            let place = CYCLE[(self.left_last as usize + distance) % CYCLE.len()];
            let has_sector = match place {
                Serve => self.serve.wants_read() && !self.shared_update.is_full(),
                WriteBack => self.can_pick_write_back(),
                Resume | Hit | RoHit | Bank => false,
            };
            if has_sector {
                picked = picked.or(Some(place));
            }
            if let Some(readable) = self.readable(place) {
                if readable.reads > 0 {
                    return Some(place);
                }
                picked = picked.or(Some(place));
            }
        }
        picked
    }

    /// The pass in `place`, where there are two the elder.
    pub(super) fn readable(&self, place: Pickable) -> Option<&Readable> {
        match place {
            Pickable::Resume => self.resume.get(),
            Pickable::Hit => self.hit.get(),
            Pickable::RoHit => self.ro_hit.get(),
            Pickable::Bank => self.bank.get().filter(|_| !self.serve.writes()).map(|banked| &banked.readable),
            Pickable::Serve | Pickable::WriteBack => None,
        }
    }

    /// How many passes of `tag` `ro_read`, `hit`, `ro_hit`, `resume` and `bank` hold.
    fn readables_of(&self, tag: u8) -> usize {
        let is_own = |readable: &&Readable| readable.pass.shape.tag == tag;
        let banked = if self.bank.is_empty() { 0 } else { self.banked().filter(is_own).count() };
        self.readables().filter(is_own).count() + banked
    }

    fn issue_holds(&self, tag: u8) -> bool {
        self.issue.get().is_some_and(|operation| operation.shape.tag == tag && operation.fault.is_none())
    }

    fn tag_holds(&self, tag: u8) -> bool {
        self.tag.places().into_iter().filter_map(Held::get).any(|tagged| tagged.pass.shape.tag == tag)
    }

    /// Rule AHEAD: `issue`, `tag`, `ro_read`, `hit`, `ro_hit`, `resume`, `bank` or `read` holds a pass of `tag`.
    pub(super) fn is_ahead(&self, tag: u8) -> bool {
        self.issue_holds(tag)
            || self.tag_holds(tag)
            || self.readables_of(tag) != 0
            || self.read.get().is_some_and(|read| read.shape.tag == tag)
    }

    /// Rule LAST: whether the picked pass, one of `tag`, is its operation's last: there is no other, not even behind it in its queue.
    fn is_last(&self, tag: u8) -> bool {
        self.readables_of(tag) == 1
            && !self.issue_holds(tag)
            && !self.tag_holds(tag)
            && self.merge.get().is_none_or(|merging| merging.pass.shape.tag != tag)
            && !self.misses.holds(tag)
    }

    /// The picked pass makes a read, or leaves. The row store is read at this edge, before anything is written at it.
    pub(super) fn advance_picked(&mut self, picked: &Picked) {
        let Some(place) = picked.place.filter(|_| picked.goes) else { return };
        if place == Pickable::Bank {
            self.advance_bank(picked.is_last);
            return;
        }
        let readable = match place {
            Pickable::Resume => self.resume.get_mut(),
            Pickable::Hit => self.hit.get_mut(),
            Pickable::RoHit => self.ro_hit.get_mut(),
            Pickable::Bank | Pickable::Serve | Pickable::WriteBack => None,
        };
        let Some(readable) = readable else { return };
        if picked.reports {
            self.fault = Some(readable.pass.error(readable.failed));
        }
        if readable.pass.shape.is_load() {
            self.read.fill().make(readable, self.rows.read(readable.row), picked.is_last);
            readable.reads += 1;
        } else if picked.is_last {
            self.done = Some(readable.pass.shape.tag);
        }
        if picked.leaves {
            match place {
                Pickable::Resume => self.resume.pop(),
                Pickable::Hit => self.hit.pop(),
                Pickable::RoHit => self.ro_hit.pop(),
                Pickable::Bank | Pickable::Serve | Pickable::WriteBack => {}
            }
            self.left_last = place;
        }
    }

    /// The shared load's pass in `bank` makes its read: there is only one, as no shared access has 32 bytes.
    fn advance_bank(&mut self, is_last: bool) {
        let Some(Banked { readable, addresses, words }) = self.bank.get() else { return };
        let data = self.shared.read(readable.pass.lanes, addresses, *words);
        self.read.fill().make(readable, &data, is_last);
        self.bank.pop();
        self.left_last = Pickable::Bank;
    }
}
