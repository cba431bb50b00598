//! What every operation of the constant cache is doing.

use super::super::activity::{Activity, PassNumber};
use super::Constant;
use super::misses::{Entry, Progress};
use super::operation::{Kind, Operation};
use super::tag::TagContent;

impl Constant {
    /// Tells `visitor` what everything in flight does; `issued` counts the passes of a tag so far.
    pub(in crate::golden) fn visit_activities(
        &self,
        issued: impl Fn(u8) -> u32,
        visitor: &mut impl FnMut(u8, Activity),
    ) {
        let issuing = self.issue.as_ref().map(|operation| (operation.shape.tag, passes_left(operation)));
        let latest_pass = |tag| {
            let left = issuing.filter(|(issuing, _)| *issuing == tag).map_or(0, |(_, left)| left);
            PassNumber { number: issued(tag), of: issued(tag) + left }
        };
        for operation in [&self.intake, &self.group].into_iter().flatten() {
            visitor(operation.shape.tag, Activity::Accepted);
        }
        if let Some(operation) = &self.issue {
            let tag = operation.shape.tag;
            visitor(tag, Activity::Issue(latest_pass(tag).next()));
        }
        for entry in self.misses.entries().iter().flatten() {
            let tag = entry.pass.shape.tag;
            let is_waiting = |entry: &Entry| entry.pass.shape.tag == tag && entry.progress == Progress::Waiting;
            visitor(
                tag,
                match is_waiting(entry) {
                    true => {
                        let all = self.misses.entries().iter().flatten();
                        let waiting = all.filter(|entry| is_waiting(entry)).count() as u32;
                        Activity::Miss { latest: latest_pass(tag), waiting }
                    }
                    false => Activity::Fill,
                },
            );
        }
        match &self.tag {
            Some(TagContent::Pass(pass)) => visitor(pass.shape.tag, Activity::LookUp(latest_pass(pass.shape.tag))),
            Some(TagContent::Command { tag, .. }) => visitor(*tag, Activity::LookUp(PassNumber { number: 1, of: 1 })),
            None => {}
        }
        if let Some(data) = &self.data {
            let tag = data.pass.shape.tag;
            let latest = latest_pass(tag);
            // The passes of an operation go one after the other: if the tags have one, it is the next.
            let is_behind = matches!(&self.tag, Some(TagContent::Pass(pass)) if pass.shape.tag == tag);
            let number = latest.number.saturating_sub(u32::from(is_behind)).max(1);
            visitor(tag, if data.is_replay { Activity::Fill } else { Activity::Hit(PassNumber { number, ..latest }) });
        }
        if let Some(fault) = &self.fault {
            visitor(fault.tag, Activity::Fault(fault.cause));
        }
        if let Some(tag) = self.done {
            visitor(tag, Activity::Done);
        }
        if let Some(wb) = &self.wb {
            visitor(wb.tag, Activity::WriteBack(wb.rd));
        }
    }
}

/// Passes that `operation` has still to issue; at least one for whatever issues any at all (LDC-14).
fn passes_left(operation: &Operation) -> u32 {
    match operation.kind {
        Kind::Load => operation.groups_left().max(1),
        Kind::Command(_) | Kind::Faulty(_) => 0,
    }
}
