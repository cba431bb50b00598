//! Architectural oracle: judges every completed operation by the architecture's rules alone, without any notion of time:
//! LDC by the rules of LDC (`hdl/docs/ldc_rules.md`), constant loads by rule CONST, other loads and stores by the rules that `global` lists.
//!
//! It shares nothing with the golden model but the pins and the preset, so that a mistake that the hardware and the
//! golden model have in common does not pass. The caller reports what happened on the pins; every report is judged at
//! once. One oracle judges one unit; the oracles of units on one memory share a [`SharedHistory`]. For each cycle of a
//! unit, the caller calls, in this order, what applies:
//!
//! 1. [`Oracle::idle`]; [`Oracle::write_bank`], [`Oracle::set_windows`], [`Oracle::set_param_offset`],
//!    [`Oracle::set_compute`] when the pins change;
//! 2. [`Oracle::accept`] for the `req` transfer, [`Oracle::store_data`] for the `wdata` transfer;
//! 3. [`Oracle::fault`], [`Oracle::writeback`], [`Oracle::done`] for the transfers of the answers;
//! 4. [`Oracle::memory_response`] for the `mem_rsp` transfer, [`Oracle::cluster_response`] for that of `cluster_rsp`,
//!    [`Oracle::serve_response`] for that of `serve_rsp`, [`Oracle::serve_request`] for that of `serve_req` (this cycle's answers
//!    cannot depend on what is taken in it);
//! 5. [`Oracle::cluster_request`] for the `cluster_req` transfer; [`Oracle::memory_request`] for the `mem_req` transfer, reads and
//!    writes, before memory changes;
//! 6. [`Oracle::memory_write`] with the same request if memory takes it: when it is a write that will not be answered with
//!    an error. At this moment the new bytes are there for every unit.
//!
//! The cycles of several units go one after the other, in the same order in which they reach memory. A read may be given
//! whatever its sector holds at any moment from its `mem_req` transfer to its `mem_rsp` transfer. When all is over:
//! [`Oracle::finish`] and, with nothing in flight, [`Oracle::status`].
//!
//! Of shared memory of other CTAs an oracle knows what came back for it, and of its own what others asked for: those who carry requests
//! and responses from unit to unit are not judged.
//!
//! An LDC or a constant load may be given whatever its bytes held at any moment since the last `invalidate_const` that had completed before it
//! was accepted: the constant cache does not see what is written to memory behind a bank.
//!
//! What it assumes of the caller: when the table of banks is changed, the constant cache is invalidated before the next
//! LDC, since lines that were cached before may still be served; and a store's data come after its acceptance, in the
//! order of the stores.

mod constant_load;
mod expectation;
mod flight;
mod global;
mod lanes;
mod register;
mod table;
mod versions;
mod violation;

pub use versions::SharedHistory;
pub use violation::Violation;

use crate::micro_op::{Command, LdcMode, OpKind};
use crate::pins::{
    BankWrite, ClusterRequest, ClusterResponse, FaultRecord, MAX_LANES, MemoryRequest, MemoryResponse, Request,
    ServeRequest, ServeResponse, Status, Windows, Writeback,
};
use crate::preset::Preset;
use expectation::Expectation;
use flight::{Flight, Memory};
use global::{Constants, GlobalJudge};
use std::collections::BTreeMap;
use table::Table;

/// What lies in memory.
pub trait ConstantMemory {
    /// The little-endian 32-bit word at a byte address that is a multiple of 4.
    fn word(&self, address: u64) -> u32;
}

impl<F: Fn(u64) -> u32> ConstantMemory for F {
    fn word(&self, address: u64) -> u32 {
        self(address)
    }
}

/// Memory contents with the history of values and errors.
#[derive(Clone, Debug)]
struct History<M> {
    contents: M,
    address_mask: u64,
    values: SharedHistory,
    /// By sector address: the moment of the last error answer.
    errors: BTreeMap<u64, u64>,
}

impl<M: ConstantMemory> Memory for History<M> {
    fn word(&self, address: u64) -> u32 {
        self.contents.word(address & self.address_mask)
    }

    fn failed_since(&self, address: u64, since: u64) -> bool {
        let sector = (address & self.address_mask) / 32 * 32;
        self.errors.get(&sector).is_some_and(|moment| *moment >= since)
    }

    fn held_after(&self, address: u64, value: u8, floor: u64) -> bool {
        let address = address & self.address_mask;
        let held = self.values.held_after(address, value, floor);
        held.unwrap_or_else(|| (self.word(address - address % 4) >> (8 * (address % 4))) as u8 == value)
    }
}

/// The judge.
#[derive(Clone, Debug)]
pub struct Oracle<M> {
    preset: Preset,
    compute: bool,
    /// The pin `cfg_param_offset`.
    param_offset: u32,
    table: Table,
    memory: History<M>,
    /// In the order of acceptance.
    flights: Vec<Flight>,
    /// Operations accepted so far: the oracle's clock.
    moment: u64,
    /// When an operation was last accepted with none in flight. No fetch is older: each has an operation that waits.
    busy_since: u64,
    passes: u32,
    unpredictable: bool,
    refused: bool,
    /// Sectors that the constant cache has asked for, by id.
    constant_fetches: BTreeMap<u8, u64>,
    /// Number of this unit's constant cache in the history of values.
    constant_reader: usize,
    /// The constant cache holds nothing older than this moment of that history.
    constant_floor: u64,
    /// Requests that have not been answered.
    unanswered: u32,
    /// Those of them from before a reset: until they are, nothing more may be asked for.
    owed: u32,
    global: GlobalJudge,
}

impl<M: ConstantMemory> Oracle<M> {
    /// A unit after reset: no bank is usable and nothing is in flight. `compute` is the `cfg_compute` pin.
    /// The unit has memory for itself.
    pub fn new(preset: &Preset, memory: M, compute: bool) -> Self {
        Self::sharing(preset, memory, compute, &SharedHistory::new())
    }

    /// The same, on a memory that other units use too: all of them get the same `history`.
    pub fn sharing(preset: &Preset, memory: M, compute: bool, history: &SharedHistory) -> Self {
        let address_mask = preset.address_mask();
        Self {
            preset: *preset,
            compute,
            param_offset: 0,
            table: Table::default(),
            memory: History { contents: memory, address_mask, values: history.clone(), errors: BTreeMap::new() },
            flights: Vec::new(),
            moment: 0,
            busy_since: 0,
            passes: 0,
            unpredictable: false,
            refused: false,
            constant_fetches: BTreeMap::new(),
            constant_reader: history.join(),
            constant_floor: 0,
            unanswered: 0,
            owed: 0,
            global: GlobalJudge::new(preset, history.clone()),
        }
    }

    /// `rst` was high at an edge, whose transfers have been reported; `forgets`: memory does not answer what it was asked (`rst_mem`).
    pub fn reset(&mut self, forgets: bool) {
        if forgets {
            self.unanswered = 0;
        }
        self.owed = self.unanswered;
        self.table = Table::default();
        self.flights.clear();
        self.passes = 0;
        self.unpredictable = false;
        self.refused = false;
        self.constant_fetches.clear();
        self.constant_floor = self.memory.values.tick();
        self.publish_floor();
        self.global.reset(forgets);
    }

    /// The `cfg_compute` pin has changed, with nothing in flight.
    pub fn set_compute(&mut self, compute: bool) {
        self.compute = compute;
    }

    /// The `cfg_*` pins of the generic windows have changed, with nothing in flight.
    pub fn set_windows(&mut self, windows: Windows) {
        self.global.set_windows(windows);
    }

    /// The `cfg_param_offset` pin has changed, with nothing in flight.
    pub fn set_param_offset(&mut self, param_offset: u32) {
        self.param_offset = param_offset;
    }

    /// The table of banks was written.
    pub fn write_bank(&mut self, write: &BankWrite) {
        self.refused |= Table::refuses(write);
        self.table.write(write);
    }

    /// A `req` transfer.
    pub fn accept(&mut self, request: &Request) -> Result<(), Violation> {
        // An operation of which only error records are still to come has given its tag back.
        let is_constant = self.flights.iter().any(|flight| flight.tag == request.tag && !flight.ended);
        if is_constant || self.global.is_in_flight(request.tag) {
            return Err(Violation::TagInFlight { tag: request.tag });
        }
        if is_global(request) {
            let constants = Constants { table: &self.table, param_offset: self.param_offset };
            self.global.accept(request, &constants);
            return Ok(());
        }
        self.moment += 1;
        if self.flights.is_empty() {
            self.busy_since = self.moment;
        }
        let bank = constant_load::bank_of(request);
        let (mode, destination, expectation) = match bank {
            Some(bank) => (
                LdcMode::Ia,
                constant_load::destination(request),
                Expectation::of_load(request, bank, &self.preset, self.param_offset, &self.table),
            ),
            None => (
                LdcMode::on_pin(request.mode),
                expectation::destination(request),
                Expectation::of(request, &self.preset, self.compute, &self.table),
            ),
        };
        self.passes = self.passes.wrapping_add(expectation.passes(mode, self.compute));
        self.unpredictable |= expectation.is_unpredictable(request.mask & self.preset.lane_mask(), self.compute);
        // A command's floor is its own moment: what is fetched after it is not older.
        let is_command = OpKind::on_pin(request.op) == OpKind::Command;
        let floor = if is_command { self.memory.values.tick() } else { self.constant_floor };
        let is_load = bank.is_some();
        self.flights.push(Flight::new(request.tag, is_load, destination, expectation, self.busy_since, floor));
        Ok(())
    }

    /// A `wdata` transfer under the `wdata_tag` `tag`.
    pub fn store_data(&mut self, tag: u8, data: &[u32; MAX_LANES]) -> Result<(), Violation> {
        self.global.store_data(tag, data)
    }

    /// The `status_idle` pin of a cycle, before its transfers: it may be 1 only while nothing is in flight.
    pub fn idle(&self, is_idle: bool) -> Result<(), Violation> {
        if is_idle && (!self.is_idle() || self.owed > 0) {
            return Err(Violation::WrongStatus { pin: "status_idle", expected: 0, got: 1, rule: "idle" });
        }
        Ok(())
    }

    /// A `mem_req` transfer; memory is still as it was before.
    pub fn memory_request(&mut self, request: &MemoryRequest) -> Result<(), Violation> {
        if self.owed > 0 {
            return Err(Violation::RequestTooEarly { id: request.id, owed: self.owed });
        }
        self.unanswered += 1;
        if request.id < global::FIRST_ID {
            let MemoryRequest { id, addr: address, strb: strobes, write, .. } = *request;
            let mask = self.memory.address_mask;
            let is_wanted = self.flights.iter().any(|flight| flight.wants(address, &self.table, mask));
            if write || strobes != u32::MAX || !is_wanted {
                return Err(Violation::UnwantedRead { id, address, strobes });
            }
            self.constant_fetches.insert(id, address);
            return Ok(());
        }
        let memory = &self.memory;
        self.global.memory_request(request, &|address| memory.word(address))
    }

    /// A `cluster_req` transfer.
    pub fn cluster_request(&mut self, request: &ClusterRequest) -> Result<(), Violation> {
        if self.owed > 0 {
            return Err(Violation::ClusterRequestTooEarly { id: request.id, owed: self.owed });
        }
        self.unanswered += 1;
        self.global.cluster_request(request)
    }

    /// A `cluster_rsp` transfer.
    pub fn cluster_response(&mut self, response: &ClusterResponse) {
        if !self.is_owed_answer() {
            self.global.cluster_response(response);
        }
    }

    /// A `serve_req` transfer.
    pub fn serve_request(&mut self, request: &ServeRequest) {
        self.global.serve_request(request);
    }

    /// A `serve_rsp` transfer.
    pub fn serve_response(&mut self, response: &ServeResponse) -> Result<(), Violation> {
        self.global.serve_response(response)
    }

    /// An answer is taken; true if it belongs to a request from before a reset, and so means nothing.
    fn is_owed_answer(&mut self) -> bool {
        self.unanswered = self.unanswered.saturating_sub(1);
        let is_owed = self.owed > 0;
        self.owed = self.owed.saturating_sub(1);
        is_owed
    }

    /// Memory has taken the write that was reported with [`Oracle::memory_request`].
    pub fn memory_write(&mut self, request: &MemoryRequest) {
        self.global.memory_write(request);
    }

    /// A `mem_rsp` transfer.
    pub fn memory_response(&mut self, response: &MemoryResponse) {
        if self.is_owed_answer() {
            return;
        }
        if response.id >= global::FIRST_ID {
            self.global.memory_response(response);
        } else if let Some(address) = self.constant_fetches.remove(&response.id)
            && response.error
        {
            self.memory_error_answered(address);
        }
    }

    /// The memory side has answered the constant cache's read of the sector at `address` with an error.
    pub fn memory_error_answered(&mut self, address: u64) {
        self.memory.errors.insert(address / 32 * 32, self.moment);
    }

    /// A `wb` transfer.
    pub fn writeback(&mut self, wb: &Writeback) -> Result<(), Violation> {
        if self.global.is_in_flight(wb.tag) {
            let memory = &self.memory;
            return self.global.writeback(wb, &|address| memory.word(address));
        }
        let found = self.flights.iter().position(|flight| flight.tag == wb.tag && !flight.ended);
        let number = found.ok_or(Violation::NoOperation { tag: wb.tag, port: "wb" })?;
        let complete = self.flights[number].writeback(wb, &self.memory)?;
        self.retire(number, complete);
        Ok(())
    }

    /// A `fault` transfer.
    pub fn fault(&mut self, record: &FaultRecord) -> Result<(), Violation> {
        // The operation that was accepted last under the tag may be another path's than one whose records still come.
        let constant_waits = self.flights.iter().any(|flight| flight.tag == record.tag && !flight.ended);
        if constant_waits || !self.global.knows(record.tag) {
            self.constant_fault(record).or_else(|violation| self.global_fault(record).map_err(|_| violation))
        } else {
            self.global_fault(record).or_else(|violation| self.constant_fault(record).map_err(|_| violation))
        }
    }

    fn global_fault(&mut self, record: &FaultRecord) -> Result<(), Violation> {
        let memory = &self.memory;
        self.global.fault(record, &|address| memory.word(address))
    }

    fn constant_fault(&mut self, record: &FaultRecord) -> Result<(), Violation> {
        let found = self.flights.iter().position(|flight| flight.tag == record.tag);
        let number = found.ok_or(Violation::NoOperation { tag: record.tag, port: "fault" })?;
        let complete = self.flights[number].fault(record, &self.memory)?;
        self.retire(number, complete);
        Ok(())
    }

    /// A `done` transfer.
    pub fn done(&mut self, tag: u8) -> Result<(), Violation> {
        if self.global.is_in_flight(tag) {
            let memory = &self.memory;
            return self.global.done(tag, &|address| memory.word(address));
        }
        let found = self.flights.iter().position(|flight| flight.tag == tag && !flight.ended);
        let number = found.ok_or(Violation::NoOperation { tag, port: "done" })?;
        self.flights[number].done()?;
        self.constant_floor = self.constant_floor.max(self.flights[number].floor);
        self.retire(number, true);
        Ok(())
    }

    /// Judges the status pins. To be called only while nothing is in flight.
    pub fn status(&self, status: &Status) -> Result<(), Violation> {
        let equal = |pin, expected: u32, got: u32, rule| {
            if expected == got { Ok(()) } else { Err(Violation::WrongStatus { pin, expected, got, rule }) }
        };
        let (unpredictable, refused) = (u32::from(self.unpredictable), u32::from(self.refused));
        equal("status_ldc_unpredictable", unpredictable, u32::from(status.ldc_unpredictable), "LDC-7")?;
        equal("status_cfg_refused", refused, u32::from(status.cfg_refused), "LDC-8")?;
        equal("status_ldc_passes", self.passes, status.ldc_passes, "LDC-14")?;
        self.global.status(status)
    }

    /// Whether every operation has been answered in full.
    pub fn is_idle(&self) -> bool {
        self.flights.is_empty() && self.global.is_idle()
    }

    /// The end: what has not been answered, in the order of acceptance.
    pub fn finish(&self) -> Vec<Violation> {
        self.flights.iter().map(Flight::unfinished).chain(self.global.unfinished()).collect()
    }

    fn retire(&mut self, number: usize, complete: bool) {
        if complete {
            self.flights.remove(number);
            self.publish_floor();
        }
    }

    /// Tells the history of values what no LDC can be given any more.
    fn publish_floor(&self) {
        let in_flight = self.flights.iter().map(|flight| flight.floor).min().unwrap_or(u64::MAX);
        self.memory.values.set_floor(self.constant_reader, self.constant_floor.min(in_flight));
    }
}

/// Whether the operation is the global path's: loads but constant ones, stores, and the commands that are not for the constant
/// cache.
fn is_global(request: &Request) -> bool {
    match OpKind::on_pin(request.op) {
        OpKind::Load => constant_load::bank_of(request).is_none(),
        OpKind::Store => true,
        OpKind::Ldc => false,
        OpKind::Command => Command::on_pin(request.cmd) != Command::InvalidateConstant,
    }
}
