//! What the rules of the global path answer in a cycle, and how full its places are.

use super::cache::Slot;
use super::flow::{Flow, GlobalGrants};
use super::held::Held;
use super::pass::{Pass, Readable};
use super::pick::Pickable;
use super::shape::Kind;
use super::tag::{Look, Tagged};
use super::write_back::last_used;
use super::{Collected, Global, Mshr};
use crate::golden::rules::{PlaceCycle, Rule, RuleCycle};
use crate::micro_op::Command;

impl GlobalGrants {
    /// Whether the head of `read_queue`, and whether `write`, has its request taken.
    fn requests(&self) -> [bool; 2] {
        [self.read || self.cluster_read, self.write || self.cluster_write]
    }
}

impl Global {
    /// What its rules answer in the cycle of `flow` and `grants`; `response` tells, where memory has one for this path, whether that acts.
    pub(in crate::golden) fn rules(
        &self,
        flow: &Flow,
        grants: &GlobalGrants,
        response: Option<bool>,
        cycle: &mut RuleCycle,
    ) {
        self.front_rules(flow, cycle);
        if let Some(tagged) = self.tag.get() {
            cycle.answer(Rule::Stall, !flow.tag_moves);
            self.order_rules(tagged, cycle);
            if flow.tag_moves {
                self.look_up_rules(tagged, cycle);
            }
        }
        self.flush_rules(flow, cycle);
        self.row_rules(flow, grants, response, cycle);
        self.output_rules(flow, grants, cycle);
    }

    fn front_rules(&self, flow: &Flow, cycle: &mut RuleCycle) {
        let places = [
            (self.intake.is_full(), flow.intake_moves),
            (!self.check.is_empty(), flow.check_moves),
            (self.ro_read.is_full(), flow.ro_read_moves),
            (self.read.is_full(), flow.read_moves),
        ];
        cycle.move_on(Rule::Free, places);
        cycle.ask(Rule::Fault, self.check.get().map(|operation| operation.fault.is_some()));
        let accessing = |operation: &&super::Operation| {
            operation.fault.is_none() && !matches!(operation.shape.kind, Kind::Command(_))
        };
        let access = self.intake.get().filter(accessing);
        cycle.ask(Rule::Shared, access.map(|operation| operation.shared != 0));
        cycle.ask(Rule::Cluster, access.map(|operation| operation.remote != 0));
        cycle.ask(Rule::Local, access.map(|operation| operation.local != 0));
        cycle.ask(Rule::Window, access.map(|operation| operation.windowed != 0));
        let issue = self.issue.get();
        let passing = issue.filter(|operation| operation.fault.is_none());
        cycle.ask(Rule::Pass, passing.map(|_| flow.issue_sends));
        let shared = passing.filter(|operation| operation.is_on_shared_pass());
        let leaves_behind = shared.filter(|_| flow.issue_sends);
        cycle.ask(
            Rule::Bank,
            leaves_behind.map(|operation| operation.unserved & !operation.group & operation.shared != 0),
        );
        cycle.ask(Rule::Beats, issue.filter(|operation| operation.shape.is_store()).map(|_| flow.takes_data));
        cycle.ask(Rule::Merge, self.merge.is_full().then_some(flow.merge_moves));
        let shared_load = shared.filter(|operation| operation.shape.is_load());
        let in_tag = self.tag.get().filter(|tagged| tagged.pass.shared);
        let held = in_tag.map(|_| !self.bank.is_empty());
        let is_held = shared_load.map(|_| self.holds_shared_store());
        cycle.ask(Rule::BankOrder, held.into_iter().chain(is_held).reduce(|first, second| first || second));
    }

    /// What holds the pass in `tag`, or does not.
    fn order_rules(&self, tagged: &Tagged, cycle: &mut RuleCycle) {
        let Tagged { pass, need, .. } = tagged;
        let shape = &pass.shape;
        let is_ordered_by_line = pass.has_line() && !shape.nc;
        if is_ordered_by_line {
            cycle.answer(Rule::Order, self.misses.conflicts(pass, *need));
            cycle.ask(Rule::ReadFirst, shape.is_store().then(|| self.reads_first(tagged)));
            let waits =
                self.misses.acquires_owners().next().is_some() || self.banked_shapes().any(|banked| banked.acquire);
            cycle.ask(Rule::Acquire, (waits && shape.is_load()).then(|| self.holds_load(shape)));
        }
        cycle.ask(Rule::WriteBack, self.set_to_clean().map(|_| self.write_back_holds()));
        let releases = shape.release && (is_ordered_by_line || pass.shared);
        cycle.ask(Rule::Release, releases.then(|| self.holds_release(shape)));
    }

    /// What becomes of the pass that `tag` moves.
    fn look_up_rules(&self, tagged: &Tagged, cycle: &mut RuleCycle) {
        let shape = &tagged.pass.shape;
        let look = self.look_up();
        if shape.is_store() && tagged.pass.lanes != 0 {
            let is_valid = |slot: Slot| self.l1.valid(slot) & tagged.need != 0;
            let is_hit = look.as_ref().and_then(|look| look.found).is_some_and(is_valid);
            let stays = tagged.pass.shared || tagged.pass.line.is_local();
            cycle.answer(Rule::Update, stays || is_hit && !shape.drops);
        }
        let Some(look) = look else { return };
        if shape.is_store() {
            if tagged.pass.line.is_local() && look.found.is_none() {
                self.victim_rules(tagged, &look, cycle);
            }
            return;
        }
        cycle.answer(Rule::Hit, look.hit != 0);
        cycle.answer(Rule::Miss, look.miss != 0);
        if shape.ordered {
            cycle.answer(Rule::Drop, look.found.is_some());
            if look.found.is_some() {
                let loses = |mshr: &Mshr| mshr.line == tagged.pass.line && !mshr.purpose.is_store();
                cycle.answer(Rule::KeepLost, self.loses_keep(false, loses));
            }
        }
        cycle.ask(Rule::LastUse, shape.last_use.then(|| last_used(&tagged.pass, &look) != 0));
        if shape.kept {
            let touches = if look.found.is_some() { shape.touches } else { look.victim.is_some() };
            cycle.answer(Rule::Touch, touches);
            if look.miss != 0 {
                self.kept_miss_rules(tagged, &look, cycle);
            }
        }
    }

    fn kept_miss_rules(&self, tagged: &Tagged, look: &Look, cycle: &mut RuleCycle) {
        let cache = self.cache(tagged.pass.shape.nc);
        cycle.answer(Rule::Join, look.joins.is_some());
        cycle.ask(Rule::NotKept, look.found.map(|slot| self.is_not_kept(cache.row(slot), look.miss)));
        if look.found.is_none() && look.joins.is_none() {
            self.victim_rules(tagged, look, cycle);
        }
    }

    fn victim_rules(&self, tagged: &Tagged, look: &Look, cycle: &mut RuleCycle) {
        let (nc, line) = (tagged.pass.shape.nc, tagged.pass.line);
        cycle.answer(Rule::Pinned, self.pinned(nc, self.cache(nc).set_of(line)) != 0);
        cycle.answer(Rule::Victim, look.victim.is_some());
    }

    /// Whether one of these MSHRs of the cache has `keep`.
    fn loses_keep(&self, read_only: bool, picked: impl Fn(&Mshr) -> bool) -> bool {
        self.misses.mshrs().any(|mshr| mshr.keep && mshr.read_only == read_only && picked(mshr))
    }

    /// What clears valid bits: by cause, whether it does, and which cache it empties.
    fn flush_rules(&self, flow: &Flow, cycle: &mut RuleCycle) {
        let by_command = self.tag.get().filter(|_| flow.tag_moves).and_then(|tagged| {
            let Kind::Command(command) = tagged.pass.shape.kind else { return None };
            match command {
                Command::InvalidateL1 => Some((true, Some(false))),
                Command::InvalidateReadOnly => Some((true, Some(true))),
                // Of local lines alone, none of which is on its way.
                Command::WriteBackLocal => Some((true, None)),
                // It goes to the constant cache.
                Command::InvalidateConstant => None,
            }
        });
        let l1_by = |is_acquire: bool| (is_acquire, is_acquire.then_some(false));
        let by_waiter = flow.waiter_moves.and_then(|number| self.misses.waiter(number));
        let by_bank = flow.picked.leaves && flow.picked.place == Some(Pickable::Bank);
        let causes = [
            by_command,
            by_waiter.map(|waiter| l1_by(waiter.pass.shape.acquire)),
            by_bank.then(|| l1_by(self.acquires_shared(flow))),
        ];
        for (clears, read_only) in causes.into_iter().flatten() {
            cycle.answer(Rule::Flush, clears);
            let loses = |read_only| self.loses_keep(read_only, |mshr| !mshr.line.is_local());
            cycle.ask(Rule::KeepLost, read_only.map(loses));
        }
    }

    /// Requests, responses, and what they read and write.
    fn row_rules(&self, flow: &Flow, grants: &GlobalGrants, response: Option<bool>, cycle: &mut RuleCycle) {
        let is_asking = self.asks(false).into_iter().chain(self.asks(true)).any(|asks| asks);
        cycle.ask(Rule::Request, is_asking.then(|| grants.requests().contains(&true)));
        cycle.ask(Rule::Response, response);
        let answers = self.answer.is_some() && self.can_respond();
        cycle.ask(Rule::Response, self.answer.map(|_| answers));
        let writes_part = self.serve.writes() && !self.is_updating();
        let reads_part = flow.picked.place == Some(Pickable::Serve) && flow.picked.goes;
        let is_part = writes_part || reads_part || self.serve.is_in_read();
        cycle.ask(Rule::Serve, self.serve.get().map(|_| is_part));
        let is_written = self.is_updating() || writes_part || response == Some(true) || answers;
        let reads = |pass: &Pass| pass.shape.is_load() && pass.lanes != 0;
        let is_picked = self.picked_readable(flow).is_some_and(|readable| reads(&readable.pass));
        let is_picked = is_picked || matches!(flow.picked.place, Some(Pickable::Serve | Pickable::WriteBack));
        let is_read = is_picked && flow.picked.goes;
        cycle.ask(Rule::Row, (is_written || is_read).then_some(is_written && is_read));
    }

    fn picked_readable(&self, flow: &Flow) -> Option<&Readable> {
        flow.picked.place.and_then(|place| self.readable(place))
    }

    fn output_rules(&self, flow: &Flow, grants: &GlobalGrants, cycle: &mut RuleCycle) {
        cycle.ask(Rule::Ready, (self.misses.in_use()[1] != 0).then_some(flow.waiter_moves.is_some()));
        cycle.ask(Rule::Pick, flow.picked.place.map(|_| flow.picked.goes));
        let reports = self.picked_readable(flow).filter(|readable| readable.reports());
        cycle.ask(Rule::Report, reports.map(|_| flow.picked.goes));
        cycle.ask(Rule::Last, flow.picked.leaves.then_some(flow.picked.is_last));
        match (self.collect.get(), self.landing.get()) {
            (Some(collected), Some(read)) => cycle.answer(Rule::Same, collected.is_same(read)),
            (Some(Collected { shape, .. }), None) => cycle.answer(Rule::Ahead, self.is_ahead(shape.tag)),
            (None, _) => {}
        }
        cycle.ask(Rule::Emit, self.emit.is_full().then_some(grants.wb));
    }

    /// How full each place is; `response_acts` tells that one of memory does, `reply_leaves` that who asked would take its response.
    pub(in crate::golden) fn visit_fullness(
        &self,
        flow: &Flow,
        grants: &GlobalGrants,
        response_acts: bool,
        reply_leaves: bool,
        visitor: &mut impl FnMut(PlaceCycle),
    ) {
        let picks = |place| flow.picked.place == Some(place) && flow.picked.goes;
        let [read_taken, write_taken] = grants.requests();
        let waiter_moves = flow.waiter_moves.is_some();
        let answers = self.answer.is_some() && self.can_respond();
        let serves = self.serve.writes() && !self.is_updating() || self.serve.is_in_read() || picks(Pickable::Serve);
        let one = |is_full: bool| (u32::from(is_full), 1);
        let held = |place: &dyn IsFull| one(place.is_full());
        // Their reads are in `read` beside those of passes.
        let reads_of_others = self.serve.is_in_read() || self.write_back.is_in_read();
        let writes_back = self.write_back.is_in_read() || picks(Pickable::WriteBack);
        let (misses, [mshrs, waiters]) = (self.misses.count() as u32, self.misses.in_use());
        let places = [
            ("global_intake", held(&self.intake), flow.intake_moves),
            ("global_check", (self.check.len(), 2), flow.check_moves),
            ("global_issue", held(&self.issue), flow.issue_sends || flow.issue_faults),
            ("global_merge", held(&self.merge), flow.merge_moves),
            ("global_tag", (self.tag.len(), 2), flow.tag_moves),
            ("global_hit", (self.hit.len(), 2), picks(Pickable::Hit)),
            ("global_bank", (self.bank.len(), 2), picks(Pickable::Bank)),
            ("global_ro_read", held(&self.ro_read), flow.ro_read_moves),
            ("global_ro_hit", (self.ro_hit.len(), 2), picks(Pickable::RoHit)),
            ("global_waiter", (waiters, misses), waiter_moves),
            ("global_mshr", (mshrs, misses), response_acts || answers),
            ("global_resume", (self.resume.len(), 2), picks(Pickable::Resume)),
            ("global_read", one(self.read.is_full() || reads_of_others), flow.read_moves || reads_of_others),
            ("global_landing", held(&self.landing), flow.landing_moves),
            ("global_collect", held(&self.collect), flow.collect_moves),
            ("global_emit", held(&self.emit), grants.wb),
            ("global_read_queue", (self.read_queue.len() as u32, misses), read_taken),
            ("global_write", (self.write.len(), 2), write_taken),
            ("global_write_back", one(self.write_back.is_full()), writes_back),
            ("global_update", one(self.is_updating()), true),
            ("global_answer", one(self.answer.is_some()), answers),
            ("global_serve", one(!self.serve.is_free()), serves),
            ("global_reply", one(self.serve.reply().is_some()), reply_leaves),
            ("global_fault", one(self.fault.is_some()), grants.fault),
            ("global_done", one(self.done.is_some()), grants.done),
        ];
        for (name, (held, room), moves) in places {
            visitor(PlaceCycle { name, held, room, moves });
        }
    }
}

/// A place of any content.
trait IsFull {
    fn is_full(&self) -> bool;
}

impl<T: Default> IsFull for Held<T> {
    fn is_full(&self) -> bool {
        Held::is_full(self)
    }
}
