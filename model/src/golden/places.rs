//! A view of the model's state for waves and reports; the model itself does not use it.

use super::Golden;
use super::constant::{Kind, Operation, Pass, Progress, TagContent};

/// Room for the miss entries of every preset.
pub const MAX_MISSES: usize = 32;

/// An operation in place `intake`, `group` or `issue`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperationView {
    /// The operation.
    pub tag: u8,
    /// It will end with a fault record and make no pass.
    pub faulty: bool,
    /// It is a command.
    pub command: bool,
    /// Lanes that no pass has served yet; all active lanes in place `intake`.
    pub unserved: u32,
}

/// A pass in place `tag` or `data`, or in a miss entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassView {
    /// The operation.
    pub tag: u8,
    /// Bank of the line.
    pub bank: u8,
    /// Line number in the bank, address bits 15..6.
    pub line: u16,
    /// Lanes that share the line; none in a pass that needs no line.
    pub group: u32,
    /// Lanes whose result is 0 without a look at the line.
    pub zero: u32,
}

/// What place `tag` holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagView {
    /// A command.
    Command {
        /// The operation.
        tag: u8,
        /// Code of `req_cmd`.
        command: u8,
    },
    /// A pass.
    Pass(PassView),
}

/// What place `data` holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataView {
    /// The pass.
    pub pass: PassView,
    /// The next register, counted from 0.
    pub beat: u8,
    /// Registers of the pass.
    pub beats: u8,
    /// Lanes whose sector came back with an error.
    pub failed: u32,
    /// Came from a miss entry.
    pub from_miss: bool,
}

/// A miss entry that is not empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryView {
    /// The pass that waits.
    pub pass: PassView,
    /// The entry that started the fetch.
    pub fetch: u8,
    /// The line has arrived.
    pub ready: bool,
    /// The line may not be kept.
    pub killed: bool,
}

/// Everything that is in flight, place by place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places {
    /// `intake`: accepted.
    pub intake: Option<OperationView>,
    /// `group`: bank and address of every lane known.
    pub group: Option<OperationView>,
    /// `issue`: issuing passes.
    pub issue: Option<OperationView>,
    /// `tag`: tag look-up.
    pub tag: Option<TagView>,
    /// `data`: reading the line.
    pub data: Option<DataView>,
    /// `wb`: the operation on `wb`.
    pub wb: Option<u8>,
    /// `fault`: the operation on `fault`.
    pub fault: Option<u8>,
    /// `done`: the operation on `done`.
    pub done: Option<u8>,
    /// Miss entries by number; those that the preset does not have are `None`.
    pub misses: [Option<EntryView>; MAX_MISSES],
    /// Lines that must still be asked for.
    pub queued: usize,
    /// Id of the response in register `response`.
    pub response: Option<u8>,
}

impl PassView {
    fn of(pass: &Pass) -> Self {
        Self { tag: pass.shape.tag, bank: pass.key.bank(), line: pass.key.line(), group: pass.group, zero: pass.zero }
    }
}

impl OperationView {
    fn of(operation: &Operation) -> Self {
        Self {
            tag: operation.shape.tag,
            faulty: matches!(operation.kind, Kind::Faulty(_)),
            command: matches!(operation.kind, Kind::Command(_)),
            unserved: operation.unserved,
        }
    }
}

impl Golden {
    /// The state as this cycle's values are, before the next call of [`Golden::step`] moves it on.
    pub fn places(&self) -> Places {
        let unit = &self.constant;
        let mut misses = [None; MAX_MISSES];
        for (view, entry) in misses.iter_mut().zip(unit.misses.entries()) {
            *view = entry.as_ref().map(|entry| EntryView {
                pass: PassView::of(&entry.pass),
                fetch: entry.fetch,
                ready: entry.progress != Progress::Waiting,
                killed: entry.killed,
            });
        }
        Places {
            intake: unit.intake.as_ref().map(OperationView::of),
            group: unit.group.as_ref().map(OperationView::of),
            issue: unit.issue.as_ref().map(OperationView::of),
            tag: unit.tag.as_ref().map(|content| match content {
                TagContent::Command { tag, command } => TagView::Command { tag: *tag, command: command.code() },
                TagContent::Pass(pass) => TagView::Pass(PassView::of(pass)),
            }),
            data: unit.data.as_ref().map(|data| DataView {
                pass: PassView::of(&data.pass),
                beat: data.beat,
                beats: data.pass.shape.registers,
                failed: data.failed,
                from_miss: data.from_miss,
            }),
            wb: unit.wb.as_ref().map(|wb| wb.tag),
            fault: unit.fault.as_ref().map(|fault| fault.tag),
            done: unit.done,
            misses,
            queued: unit.fetch.queued(),
            response: unit.fetch.response().map(|response| response.id),
        }
    }
}
