//! The constant cache's part of the unit, as its timing contract words it.
//!
//! | file | part | rules |
//! |---|---|---|
//! | `address` | bank and address of every lane | LDC-1, LDC-2, LDC-3, LDC-4, LDC-5, LDC-6, LDC-7, LDC-9, CONST |
//! | `shape` | bank, registers and elements of an operation | CONST, REGISTERS |
//! | `legality` | faults decided before any pass | LDC-9, LDC-10, LDC-11, LDC-13, CONST |
//! | `operation` | places `intake`, `group`, `issue`: lanes by line | LDC-7, LDC-10, LDC-14, CONST, GROUP |
//! | `pass` | one line's lanes | LDC-8 |
//! | `bank_table` | base and size of each bank | LDC-7, LDC-8, WINDOW |
//! | `tag` | place `tag` | LDC-7, LDC-8, LINE, LOOK-UP, SHARE |
//! | `cache` | lines | LOOK-UP, INSTALL |
//! | `misses` | passes that wait | SHARE, REPLAY, KILL |
//! | `fetch` | memory port | FETCH |
//! | `data` | place `data` | LDC-12, BEAT |
//! | `flow` | who moves in which cycle | ADVANCE, ENTRY-FREE |
//! | `activity`, `place_values` | what is where, for waves and reports | |
//! | `rules` | which rules act in a cycle, for coverage | |
//!
//! What moves places at an edge is in this file: INSTALL, BEAT, WB-LAST.

mod activity;
mod address;
mod bank_table;
mod cache;
mod data;
mod fetch;
mod flow;
mod legality;
mod misses;
mod operation;
mod pass;
mod place_values;
mod rules;
mod shape;
mod tag;

pub(in crate::golden) use address::first_parameter;
pub(in crate::golden) use bank_table::{Bank, BankTable};
pub(in crate::golden) use flow::{Flow, Grants};
pub(in crate::golden) use misses::Progress;
pub(in crate::golden) use operation::{Kind, Operation};
pub(in crate::golden) use pass::Pass;
pub(in crate::golden) use shape::{CONSTANT_BANK, PARAM_BANK, is_constant};
pub(in crate::golden) use tag::TagContent;

use super::counts::{Counts, count};
use super::near::{Comparator, NearMisses};
use crate::pins::{FaultRecord, Inputs, MemoryRequest, MemoryResponse, Writeback};
use crate::preset::Preset;
use cache::Cache;
use data::DataPass;
use fetch::Fetch;
use misses::Misses;

/// The constant cache and the places before and behind it.
#[derive(Clone, Debug)]
pub(in crate::golden) struct Constant {
    pub(in crate::golden) preset: Preset,
    /// The banks, which generic addresses read too (rule WINDOW).
    pub(in crate::golden) table: BankTable,
    cache: Cache,
    pub(in crate::golden) misses: Misses,
    pub(in crate::golden) fetch: Fetch,
    /// Places, first to last, by the names of the contract.
    pub(in crate::golden) intake: Option<Operation>,
    pub(in crate::golden) group: Option<Operation>,
    pub(in crate::golden) issue: Option<Operation>,
    pub(in crate::golden) tag: Option<TagContent>,
    pub(in crate::golden) data: Option<DataPass>,
    pub(in crate::golden) wb: Option<Writeback>,
    pub(in crate::golden) fault: Option<FaultRecord>,
    pub(in crate::golden) done: Option<u8>,
}

impl Constant {
    /// As after reset.
    pub(in crate::golden) fn new(preset: &Preset) -> Self {
        Self {
            preset: *preset,
            table: BankTable::new(preset.address_mask()),
            cache: Cache::new(preset.constant_ways),
            misses: Misses::new(preset.constant_misses),
            fetch: Fetch::new(preset.constant_misses),
            intake: None,
            group: None,
            issue: None,
            tag: None,
            data: None,
            wb: None,
            fault: None,
            done: None,
        }
    }

    pub(in crate::golden) fn reset(&mut self) {
        self.table.clear();
        self.cache.clear();
        self.misses.clear();
        self.fetch.clear();
        self.intake = None;
        self.group = None;
        self.issue = None;
        self.tag = None;
        self.data = None;
        self.wb = None;
        self.fault = None;
        self.done = None;
    }

    /// Whether nothing is in flight.
    fn is_quiet(&self) -> bool {
        let places = self.intake.is_some() || self.group.is_some() || self.issue.is_some();
        let behind = self.tag.is_some() || self.data.is_some() || self.fetch.response().is_some();
        let ends = self.wb.is_some() || self.fault.is_some() || self.done.is_some();
        !(places || behind || ends || self.misses.any())
    }

    /// Whether this cycle's `mem_rsp` could be taken, if it is this cache's.
    pub(in crate::golden) fn takes_response(&self, flow: &Flow) -> bool {
        self.fetch.response().is_none() || flow.response_consumed
    }

    /// Whether `mem_req` is asked for.
    pub(in crate::golden) fn asks_memory(&self) -> bool {
        self.fetch.request().is_some()
    }

    /// What `mem_req` is asked for.
    pub(in crate::golden) fn memory_request(&self) -> Option<MemoryRequest> {
        let (number, sector) = self.fetch.request()?;
        let entry = self.misses.get(number)?;
        let offset = u64::from(entry.pass.key.line()) * 64 + u64::from(sector) * 32;
        Some(MemoryRequest {
            id: 2 * number + sector,
            addr: entry.base.wrapping_add(offset) & self.preset.address_mask(),
            strb: u32::MAX,
            ..MemoryRequest::default()
        })
    }

    /// The rising edge. Places move from the last to the first, so that each finds the next one empty. `response` is the
    /// sector that is taken, `accepts` tells that the request on the pins is.
    pub(in crate::golden) fn advance(
        &mut self,
        flow: &Flow,
        grants: &Grants,
        response: Option<&MemoryResponse>,
        accepts: bool,
        inputs: &Inputs,
        counts: &mut Counts,
    ) {
        if !flow.quiet || response.is_some() {
            self.advance_places(flow, grants, response, counts);
        }
        if accepts {
            self.intake = Some(Operation::decode(inputs, &self.preset, &mut counts.near));
        }
        if inputs.bank_write_valid {
            counts.status.cfg_refused |= !self.table.write(&inputs.bank_write);
        }
    }

    /// Everything behind the acceptance.
    fn advance_places(&mut self, flow: &Flow, grants: &Grants, response: Option<&MemoryResponse>, counts: &mut Counts) {
        if grants.wb {
            self.wb = None;
        }
        if grants.fault {
            self.fault = None;
        }
        if grants.done {
            self.done = None;
        }
        if flow.data_sends {
            self.send_register(&mut counts.near);
        }
        if flow.issue_faults
            && let Some(Operation { kind: Kind::Faulty(record), .. }) = self.issue.take()
        {
            self.fault = Some(record);
        }

        if grants.memory {
            self.memory_request_taken(counts);
        }
        if flow.ready_enters {
            self.enter_ready();
        }
        if flow.tag_moves {
            self.leave_tag(counts);
        }
        if flow.install {
            self.install();
        } else if flow.response_consumed {
            self.fetch.put_aside();
        }
        if let Some(response) = response {
            self.fetch.receive(*response);
        }

        if flow.issue_sends {
            self.issue_next(counts);
        }
        if flow.group_moves {
            self.issue = self.group.take();
            counts.status.ldc_unpredictable |= self.issue.as_ref().is_some_and(|operation| operation.unpredictable);
        }
        if flow.intake_moves {
            self.group = self.intake.take();
        }
    }

    /// Rules BEAT, WB-LAST: `data` sends one register to `wb`, and the record of failed lanes to `fault`.
    fn send_register(&mut self, near: &mut NearMisses) {
        let Some(data) = &self.data else { return };
        let tag = data.pass.shape.tag;
        let last = data.is_on_last_register();
        if last {
            let issued = self.issue.as_ref().map(|operation| operation.shape.tag);
            let tagged = self.tag.as_ref().map(TagContent::tag);
            let waiting = self.misses.entries().iter().flatten().map(|entry| entry.pass.shape.tag);
            for other in issued.into_iter().chain(tagged).chain(waiting) {
                near.tag(Comparator::ConstantLastTags, tag, other);
            }
        }
        let is_last = self.is_last(tag);
        let Some(data) = &mut self.data else { return };
        if data.has_fault() {
            self.fault = Some(data.fault());
        }
        let wb = self.wb.insert(Writeback::default());
        data.read(self.cache.line(data.slot), last && is_last, wb);
        data.beat += 1;
        if last {
            self.data = None;
        }
    }

    /// Rule WB-LAST: whether no other pass of the operation `tag` is left, but that in `data`.
    fn is_last(&self, tag: u8) -> bool {
        self.issue.as_ref().is_none_or(|operation| operation.shape.tag != tag)
            && self.tag.as_ref().is_none_or(|content| content.tag() != tag)
            && !self.misses.holds(tag)
    }

    /// The lowest-numbered ready entry enters `data`.
    fn enter_ready(&mut self) {
        let Some(entry) = self.misses.take_ready() else {
            return;
        };
        let Progress::Ready { slot, errors } = entry.progress else {
            return;
        };
        let upper = entry.pass.in_upper_sector(entry.in_bounds);
        let lower = entry.in_bounds & !upper;
        let failed = if errors[0] { lower } else { 0 } | if errors[1] { upper } else { 0 };
        let in_bounds = entry.in_bounds;
        self.data = Some(DataPass { pass: entry.pass, in_bounds, failed, slot, is_replay: true, beat: 0 });
    }

    /// Rule INSTALL: the line in `response` and beside it enters the cache.
    fn install(&mut self) {
        let Some(arrival) = self.fetch.complete() else {
            return;
        };
        let Some(entry) = self.misses.get(arrival.fetch) else {
            return;
        };
        let kept = !entry.killed && !arrival.errors[0] && !arrival.errors[1];
        let slot = self.cache.install(entry.pass.key, arrival.line, kept);
        self.misses.complete(arrival.fetch, slot, arrival.errors);
    }

    /// `issue` hands its command or its next pass to `tag`.
    fn issue_next(&mut self, counts: &mut Counts) {
        let Some(operation) = &mut self.issue else {
            return;
        };
        let tag = operation.shape.tag;
        if let Kind::Command(command) = operation.kind {
            self.tag = Some(TagContent::Command { tag, command });
            self.issue = None;
            return;
        }
        operation.near_lanes(&mut counts.near);
        self.tag = Some(TagContent::Pass(operation.take_pass()));
        if operation.unserved == 0 {
            self.issue = None;
        }
        count(&mut counts.status.ldc_passes, 1);
        count(&mut counts.accounts.of(tag).wavefronts, 1);
    }

    /// The memory side takes the request that is offered, if one is.
    fn memory_request_taken(&mut self, counts: &mut Counts) {
        let Some((number, _)) = self.fetch.request() else {
            return;
        };
        self.fetch.request_taken();
        if let Some(entry) = self.misses.get(number) {
            count(&mut counts.accounts.of(entry.pass.shape.tag).mem_sectors, 1);
        }
    }
}
