//! What the rules of the constant cache answer in a cycle, and how full its places are.

use super::operation::Kind;
use super::tag::TagContent;
use super::{Constant, Flow, Grants, Pass, Progress};
use crate::golden::rules::{PlaceCycle, Rule, RuleCycle};
use crate::micro_op::Command;

impl Constant {
    /// What its rules answer in the cycle of `flow` and `grants`.
    pub(in crate::golden) fn rules(&self, flow: &Flow, grants: &Grants, cycle: &mut RuleCycle) {
        let places = [
            (self.intake.is_some(), flow.intake_moves),
            (self.group.is_some(), flow.group_moves),
            (self.issue.is_some(), flow.issue_sends || flow.issue_faults),
        ];
        cycle.move_on(Rule::Advance, places);
        let access = self.intake.as_ref().filter(|operation| !matches!(operation.kind, Kind::Command(_)));
        cycle.ask(Rule::Registers, access.map(|operation| operation.shape.registers > 1));
        cycle.ask(Rule::Const, access.map(|operation| operation.shape.is_load));
        let issuing = self.issue.as_ref().filter(|operation| operation.kind == Kind::Load && flow.issue_sends);
        cycle.ask(Rule::Group, issuing.map(|operation| !operation.is_on_last_pass()));
        cycle.ask(Rule::EntryFree, self.tag.as_ref().map(|_| flow.tag_moves));
        match self.tag.as_ref().filter(|_| flow.tag_moves) {
            Some(TagContent::Pass(pass)) => self.look_up_rules(pass, cycle),
            Some(TagContent::Command { command: Command::InvalidateConstant, .. }) => {
                let mut entries = self.misses.entries().iter().flatten();
                cycle.answer(Rule::Kill, entries.any(|entry| entry.progress == Progress::Waiting));
            }
            _ => {}
        }
        cycle.ask(Rule::Fetch, self.asks_memory().then_some(grants.memory));
        cycle.ask(Rule::Install, self.fetch.line_is_complete().then_some(flow.install));
        cycle.ask(Rule::Replay, self.misses.any_ready().then_some(flow.ready_enters));
        cycle.ask(Rule::Beat, self.data.as_ref().map(|_| flow.data_sends));
        let ending = self.data.as_ref().filter(|data| flow.data_sends && data.is_on_last_register());
        cycle.ask(Rule::WbLast, ending.map(|data| self.is_last(data.pass.shape.tag)));
    }

    fn look_up_rules(&self, pass: &Pass, cycle: &mut RuleCycle) {
        let size = self.table.get(pass.key.bank()).map_or(0, |bank| bank.size);
        let needs_line = pass.below(size) != 0;
        cycle.answer(Rule::Line, needs_line);
        if needs_line {
            let is_hit = self.cache.keys(pass.key).any(|key| key == pass.key);
            cycle.answer(Rule::LookUp, is_hit);
            cycle.ask(Rule::Share, (!is_hit).then(|| self.misses.joinable(pass.key).is_some()));
        }
    }

    /// How full each place is.
    pub(in crate::golden) fn visit_fullness(&self, flow: &Flow, grants: &Grants, visitor: &mut impl FnMut(PlaceCycle)) {
        let entries = self.preset.constant_misses as u32;
        let one = |is_full: bool| (u32::from(is_full), 1);
        let places = [
            ("intake", one(self.intake.is_some()), flow.intake_moves),
            ("group", one(self.group.is_some()), flow.group_moves),
            ("issue", one(self.issue.is_some()), flow.issue_sends || flow.issue_faults),
            ("tag", one(self.tag.is_some()), flow.tag_moves),
            ("data", one(self.data.is_some()), flow.data_sends),
            ("miss", (self.misses.in_use(), entries), flow.ready_enters),
            ("read_queue", (self.fetch.queued() as u32, entries), grants.memory),
            ("response", one(self.fetch.response().is_some()), flow.response_consumed),
            ("wb", one(self.wb.is_some()), grants.wb),
            ("fault", one(self.fault.is_some()), grants.fault),
            ("done", one(self.done.is_some()), grants.done),
        ];
        for (name, (held, room), moves) in places {
            visitor(PlaceCycle { name, held, room, moves });
        }
    }
}
