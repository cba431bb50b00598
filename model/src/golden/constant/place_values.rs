//! The places of the constant cache as a flat list of named values, for waves.

use super::Constant;
use super::data::DataPass;
use super::misses::{Entry, Progress};
use super::operation::{Kind, Operation};
use super::pass::Pass;
use super::tag::TagContent;
use crate::golden::place_values::PlaceVisitor;

impl Constant {
    /// Shows `visitor` every place; names, widths and order depend on the preset alone.
    pub(in crate::golden) fn visit_places(&self, visitor: &mut impl PlaceVisitor) {
        let lanes = self.preset.lanes as u32;
        operation(visitor, lanes, "intake", self.intake.as_ref());
        operation(visitor, lanes, "group", self.group.as_ref());
        operation(visitor, lanes, "issue", self.issue.as_ref());
        tag(visitor, lanes, self.tag.as_ref());
        data(visitor, lanes, self.data.as_ref());
        for (number, entry) in self.misses.entries().iter().enumerate() {
            miss(visitor, lanes, number, entry.as_ref());
        }
        let queued = self.fetch.queued();
        visitor.place("read_queue", None, queued > 0);
        visitor.value("length", 8, Some(queued as u64));
        let response = self.fetch.response();
        visitor.place("response", None, response.is_some());
        visitor.value("id", 8, response.map(|response| response.id.into()));
        let ends = [
            ("wb", self.wb.as_ref().map(|wb| wb.tag)),
            ("fault", self.fault.map(|fault| fault.tag)),
            ("done", self.done),
        ];
        for (name, tag) in ends {
            visitor.place(name, None, tag.is_some());
            visitor.value("tag", 8, tag.map(u64::from));
        }
    }
}

fn operation(visitor: &mut impl PlaceVisitor, lanes: u32, name: &'static str, operation: Option<&Operation>) {
    let faulty = |operation: &Operation| matches!(operation.kind, Kind::Faulty(_)).into();
    let command = |operation: &Operation| matches!(operation.kind, Kind::Command(_)).into();
    visitor.place(name, None, operation.is_some());
    visitor.value("tag", 8, operation.map(|operation| operation.shape.tag.into()));
    visitor.value("faulty", 1, operation.map(faulty));
    visitor.value("command", 1, operation.map(command));
    visitor.value("unserved", lanes, operation.map(|operation| operation.unserved.into()));
}

fn tag(visitor: &mut impl PlaceVisitor, lanes: u32, content: Option<&TagContent>) {
    let (code, of_pass) = match content {
        None => (None, None),
        Some(TagContent::Command { command, .. }) => (Some(command.code()), None),
        Some(TagContent::Pass(pass)) => (None, Some(pass)),
    };
    visitor.place("tag", None, content.is_some());
    visitor.value("tag", 8, content.map(|content| content.tag().into()));
    visitor.value("command", 2, code.map(u64::from));
    pass(visitor, lanes, of_pass);
}

fn data(visitor: &mut impl PlaceVisitor, lanes: u32, data: Option<&DataPass>) {
    visitor.place("data", None, data.is_some());
    visitor.value("tag", 8, data.map(|data| data.pass.shape.tag.into()));
    pass(visitor, lanes, data.map(|data| &data.pass));
    visitor.value("beat", 5, data.map(|data| data.beat.into()));
    visitor.value("beats", 6, data.map(|data| data.pass.shape.registers.into()));
    visitor.value("failed", lanes, data.map(|data| data.failed.into()));
    visitor.value("is_replay", 1, data.map(|data| data.is_replay.into()));
}

fn miss(visitor: &mut impl PlaceVisitor, lanes: u32, number: usize, entry: Option<&Entry>) {
    visitor.place("miss", Some(number), entry.is_some());
    visitor.value("tag", 8, entry.map(|entry| entry.pass.shape.tag.into()));
    pass(visitor, lanes, entry.map(|entry| &entry.pass));
    visitor.value("fetch", 5, entry.map(|entry| entry.fetch.into()));
    visitor.value("ready", 1, entry.map(|entry| (entry.progress != Progress::Waiting).into()));
    visitor.value("killed", 1, entry.map(|entry| entry.killed.into()));
}

/// A pass without its tag.
fn pass(visitor: &mut impl PlaceVisitor, lanes: u32, pass: Option<&Pass>) {
    visitor.value("bank", 5, pass.map(|pass| pass.key.bank().into()));
    visitor.value("line", 10, pass.map(|pass| pass.key.line().into()));
    visitor.value("group", lanes, pass.map(|pass| pass.group.into()));
    visitor.value("ride", lanes, pass.map(|pass| pass.ride.into()));
}
