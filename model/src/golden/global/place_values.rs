//! The places of the global path as a flat list of named values, for waves.

use super::Global;
use super::collector::Collected;
use super::held::Held;
use super::operation::Operation;
use super::pass::Readable;
use super::read::Read;
use super::rows::Row;
use super::shape::Kind;
use crate::golden::place_values::PlaceVisitor;
use crate::micro_op::OpKind;
use crate::preset::Preset;

/// Address bits within a line of 128 bytes.
const LINE_BYTE_BITS: u32 = 7;

/// Widths that depend on the preset.
#[derive(Clone, Copy)]
struct Widths {
    /// Lanes of a warp.
    lanes: u32,
    /// Bits of a line number: of an address without the 7 bits of a place in its line.
    line: u32,
    /// Bits of a row's number.
    row: u32,
}

impl Global {
    /// Shows `visitor` every place; names, widths and order depend on the preset alone. `kind` is 0 load, 1 store, 3 command.
    pub(in crate::golden) fn visit_places(&self, visitor: &mut impl PlaceVisitor, preset: &Preset) {
        let widths = Widths {
            lanes: preset.lanes as u32,
            line: preset.address_bits - LINE_BYTE_BITS,
            row: (self.rows.count() - 1).ilog2() + 1,
        };
        // Of the queues of two, number 0 is the elder.
        operation(visitor, widths, "global_intake", None, &self.intake);
        for (number, held) in self.check.places().into_iter().enumerate() {
            operation(visitor, widths, "global_check", Some(number), held);
        }
        operation(visitor, widths, "global_issue", None, &self.issue);
        let merging = self.merge.get();
        let merging_line = merging.filter(|merging| merging.pass.has_line());
        visitor.place("global_merge", None, merging.is_some());
        visitor.value("tag", 8, merging.map(|merging| merging.pass.shape.tag.into()));
        visitor.value("line", widths.line, merging_line.map(|merging| merging.pass.line.number));
        visitor.value("lanes", widths.lanes, merging.map(|merging| merging.pass.lanes.into()));
        visitor.value("shared", 1, merging.map(|merging| merging.pass.shared.into()));
        visitor.value("remote", 1, merging.map(|merging| merging.pass.line.is_remote().into()));
        visitor.value("merged", 6, merging.map(|merging| merging.merged.into()));
        for (number, held) in self.tag.places().into_iter().enumerate() {
            let tagged = held.get();
            visitor.place("global_tag", Some(number), tagged.is_some());
            visitor.value("tag", 8, tagged.map(|tagged| tagged.pass.shape.tag.into()));
            visitor.value("kind", 2, tagged.map(|tagged| code(tagged.pass.shape.kind)));
            let with_line = tagged.filter(|tagged| tagged.pass.has_line());
            visitor.value("line", widths.line, with_line.map(|tagged| tagged.pass.line.number));
            visitor.value("lanes", widths.lanes, tagged.map(|tagged| tagged.pass.lanes.into()));
            visitor.value("shared", 1, tagged.map(|tagged| tagged.pass.shared.into()));
            visitor.value("remote", 1, tagged.map(|tagged| tagged.pass.line.is_remote().into()));
            visitor.value("need", 4, tagged.map(|tagged| tagged.need.into()));
        }
        for (number, held) in self.hit.places().into_iter().enumerate() {
            readable(visitor, widths, "global_hit", Some(number), held);
        }
        readable(visitor, widths, "global_ro_read", None, &self.ro_read);
        for (number, held) in self.ro_hit.places().into_iter().enumerate() {
            readable(visitor, widths, "global_ro_hit", Some(number), held);
        }
        for (number, held) in self.resume.places().into_iter().enumerate() {
            readable(visitor, widths, "global_resume", Some(number), held);
        }
        for (number, held) in self.bank.places().into_iter().enumerate() {
            let pass = held.get().map(|banked| &banked.readable.pass);
            visitor.place("global_bank", Some(number), pass.is_some());
            visitor.value("tag", 8, pass.map(|pass| pass.shape.tag.into()));
            visitor.value("lanes", widths.lanes, pass.map(|pass| pass.lanes.into()));
        }
        let rows = self.readings().filter(|reading| reading.sectors != 0).count();
        visitor.place("global_rows", None, rows != 0);
        visitor.value("to_be_read", 3, Some(rows as u64));
        read(visitor, widths, "global_read", &self.read, self.serve.is_in_read() || self.write_back.is_in_read());
        read(visitor, widths, "global_landing", &self.landing, false);
        collected(visitor, widths, "global_collect", &self.collect);
        collected(visitor, widths, "global_emit", &self.emit);
        self.visit_misses(visitor, widths);
        visitor.place("global_read_queue", None, self.read_queue.len() > 0);
        visitor.value("length", 5, Some(self.read_queue.len() as u64));
        for (number, held) in self.write.places().into_iter().enumerate() {
            let write = held.get();
            visitor.place("global_write", Some(number), write.is_some());
            visitor.value("tag", 8, write.and_then(|write| write.tag).map(u64::from));
            visitor.value("id", 8, write.map(|write| write.request.id.into()));
        }
        let written_back = self.write_back.get();
        visitor.place("global_write_back", None, written_back.is_some());
        visitor.value("row", widths.row, written_back.map(|from| number_of(self.l1.row(from.slot))));
        visitor.value("sector", 2, written_back.map(|from| from.sector.into()));
        let update = self.update.as_ref();
        visitor.place("global_update", None, self.is_updating());
        visitor.value("row", widths.row, update.map(|update| number_of(update.row)));
        visitor.value("sector", 2, update.map(|update| update.sector.into()));
        visitor.value("shared", 1, Some(self.shared_update.is_full().into()));
        visitor.place("global_answer", None, self.answer.is_some());
        visitor.value("id", 6, self.answer.map(|answer| answer.id.into()));
        visitor.value("error", 1, self.answer.map(|answer| answer.error.into()));
        let served = self.serve.get();
        visitor.place("global_serve", None, served.is_some());
        visitor.value("id", 6, served.map(|served| served.request.id.into()));
        visitor.value("rank", 8, served.map(|served| served.request.rank.into()));
        visitor.value("write", 1, served.map(|served| served.request.write.into()));
        visitor.value("error", 1, served.map(|served| served.error.into()));
        visitor.value("parts", 4, served.map(|served| served.parts.into()));
        let reply = self.serve.reply();
        visitor.place("global_reply", None, reply.is_some());
        visitor.value("id", 6, reply.map(|reply| reply.id.into()));
        visitor.value("rank", 8, reply.map(|reply| reply.rank.into()));
        visitor.value("error", 1, reply.map(|reply| reply.error.into()));
        for (name, tag) in [("global_fault", self.fault.map(|fault| fault.tag)), ("global_done", self.done)] {
            visitor.place(name, None, tag.is_some());
            visitor.value("tag", 8, tag.map(u64::from));
        }
    }

    fn visit_misses(&self, visitor: &mut impl PlaceVisitor, widths: Widths) {
        for number in 0..self.misses.count() {
            let waiter = self.misses.waiter(number as u8);
            visitor.place("global_waiter", Some(number), waiter.is_some());
            visitor.value("tag", 8, waiter.map(|waiter| waiter.pass.shape.tag.into()));
            visitor.value("lanes", widths.lanes, waiter.map(|waiter| waiter.pass.lanes.into()));
            visitor.value("mshr", 4, waiter.map(|waiter| waiter.mshr.into()));
            visitor.value("needs", 4, waiter.map(|waiter| waiter.needs.into()));
        }
        for number in 0..self.misses.count() {
            let mshr = self.misses.mshr(number as u8);
            visitor.place("global_mshr", Some(number), mshr.is_some());
            visitor.value("line", widths.line, mshr.map(|mshr| mshr.line.number));
            visitor.value("remote", 1, mshr.map(|mshr| mshr.line.is_remote().into()));
            visitor.value("local", 1, mshr.map(|mshr| mshr.line.is_local().into()));
            visitor.value("ordered", 1, mshr.map(|mshr| mshr.ordered.into()));
            visitor.value("write", 1, mshr.map(|mshr| mshr.purpose.writes().into()));
            visitor.value("read_only", 1, mshr.map(|mshr| mshr.read_only.into()));
            visitor.value("keep", 1, mshr.map(|mshr| mshr.keep.into()));
            visitor.value("row", widths.row, mshr.map(|mshr| number_of(mshr.row)));
            visitor.value("asked", 4, mshr.map(|mshr| mshr.asked.into()));
            visitor.value("arrived", 4, mshr.map(|mshr| mshr.arrived.into()));
            visitor.value("failed", 4, mshr.map(|mshr| mshr.failed.into()));
            visitor.value("waiters", self.misses.count() as u32, mshr.map(|mshr| mshr.waiters.into()));
        }
    }
}

fn code(kind: Kind) -> u64 {
    match kind {
        Kind::Load => OpKind::Load.code().into(),
        Kind::Store => OpKind::Store.code().into(),
        Kind::Command(_) => OpKind::Command.code().into(),
    }
}

fn operation(
    visitor: &mut impl PlaceVisitor,
    widths: Widths,
    name: &'static str,
    number: Option<usize>,
    held: &Held<Operation>,
) {
    let operation = held.get();
    visitor.place(name, number, operation.is_some());
    visitor.value("tag", 8, operation.map(|operation| operation.shape.tag.into()));
    visitor.value("kind", 2, operation.map(|operation| code(operation.shape.kind)));
    visitor.value("faulty", 1, operation.map(|operation| operation.fault.is_some().into()));
    visitor.value("unserved", widths.lanes, operation.map(|operation| operation.unserved.into()));
}

fn number_of(row: Row) -> u64 {
    row.0.into()
}

fn readable(
    visitor: &mut impl PlaceVisitor,
    widths: Widths,
    name: &'static str,
    number: Option<usize>,
    held: &Held<Readable>,
) {
    let readable = held.get();
    let with_line = readable.filter(|readable| readable.pass.has_line());
    let with_row = readable.filter(|readable| readable.to_be_read != 0);
    visitor.place(name, number, readable.is_some());
    visitor.value("tag", 8, readable.map(|readable| readable.pass.shape.tag.into()));
    visitor.value("kind", 2, readable.map(|readable| code(readable.pass.shape.kind)));
    visitor.value("line", widths.line, with_line.map(|readable| readable.pass.line.number));
    visitor.value("row", widths.row, with_row.map(|readable| number_of(readable.row)));
    visitor.value("to_be_read", 4, readable.map(|readable| readable.to_be_read.into()));
    visitor.value("lanes", widths.lanes, readable.map(|readable| readable.pass.lanes.into()));
    visitor.value("failed", widths.lanes, readable.map(|readable| readable.failed.into()));
    visitor.value("read", 2, readable.map(|readable| readable.reads.into()));
}

/// `serves` tells that the place holds a read of `serve` or `write_back`, which has no tag and no lanes.
fn read(visitor: &mut impl PlaceVisitor, widths: Widths, name: &'static str, held: &Held<Read>, serves: bool) {
    let read = held.get();
    visitor.place(name, None, serves || read.is_some());
    visitor.value("tag", 8, read.map(|read| read.shape.tag.into()));
    visitor.value("row", widths.row, read.and_then(|read| read.row).map(number_of));
    visitor.value("lanes", widths.lanes, read.map(|read| read.lanes.into()));
    visitor.value("read", 2, read.map(|read| read.number.into()));
    visitor.value("last", 1, read.map(|read| read.last.into()));
}

fn collected(visitor: &mut impl PlaceVisitor, widths: Widths, name: &'static str, held: &Held<Collected>) {
    let collected = held.get();
    visitor.place(name, None, collected.is_some());
    visitor.value("tag", 8, collected.map(|collected| collected.shape.tag.into()));
    visitor.value("lanes", widths.lanes, collected.map(|collected| collected.lanes.into()));
    visitor.value("read", 2, collected.map(|collected| collected.number.into()));
    visitor.value("last", 1, collected.map(|collected| collected.last.into()));
    visitor.value("sent", 5, collected.map(|collected| collected.sent.into()));
}
