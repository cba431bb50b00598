//! Architectural oracle: judges every completed operation by the rules LDC-1 to LDC-14 alone, without any notion of time.
//!
//! It shares nothing with the golden model but the pins and the preset, so that a mistake that the hardware and the
//! golden model have in common does not pass. The caller reports what happened on the pins in the order of the
//! transfers; every report is judged at once. What it assumes of the caller: when the table of banks is changed, the
//! constant cache is invalidated before the next LDC, since lines that were cached before may still be served.

mod expectation;
mod flight;
mod table;
mod violation;

pub use violation::Violation;

use crate::pins::{BankWrite, FaultRecord, Request, Status, Writeback};
use crate::preset::Preset;
use expectation::Expectation;
use flight::{Flight, Memory};
use std::collections::BTreeMap;
use table::Table;

/// What lies in memory behind the constant banks.
pub trait ConstantMemory {
    /// The little-endian 32-bit word at a byte address that is a multiple of 4.
    fn word(&self, address: u64) -> u32;
}

impl<F: Fn(u64) -> u32> ConstantMemory for F {
    fn word(&self, address: u64) -> u32 {
        self(address)
    }
}

/// Memory contents with the history of errors.
#[derive(Clone, Debug)]
struct History<M> {
    contents: M,
    address_mask: u64,
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
}

/// The judge.
#[derive(Clone, Debug)]
pub struct Oracle<M> {
    preset: Preset,
    compute: bool,
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
}

impl<M: ConstantMemory> Oracle<M> {
    /// A unit after reset: no bank is usable and nothing is in flight. `compute` is the `cfg_compute` pin.
    pub fn new(preset: &Preset, memory: M, compute: bool) -> Self {
        let address_mask = u64::MAX >> (64 - preset.address_bits);
        Self {
            preset: *preset,
            compute,
            table: Table::default(),
            memory: History { contents: memory, address_mask, errors: BTreeMap::new() },
            flights: Vec::new(),
            moment: 0,
            busy_since: 0,
            passes: 0,
            unpredictable: false,
            refused: false,
        }
    }

    /// `rst` was high at an edge.
    pub fn reset(&mut self) {
        self.table = Table::default();
        self.flights.clear();
        self.passes = 0;
        self.unpredictable = false;
        self.refused = false;
    }

    /// The `cfg_compute` pin has changed, with nothing in flight.
    pub fn set_compute(&mut self, compute: bool) {
        self.compute = compute;
    }

    /// The table of banks was written.
    pub fn write_bank(&mut self, write: &BankWrite) {
        self.refused |= Table::refuses(write);
        self.table.write(write);
    }

    /// A `req` transfer.
    pub fn accept(&mut self, request: &Request) -> Result<(), Violation> {
        // An operation of which only error records are still to come has given its tag back.
        if self.flights.iter().any(|flight| flight.tag == request.tag && !flight.ended) {
            return Err(Violation::TagInFlight { tag: request.tag });
        }
        self.moment += 1;
        if self.flights.is_empty() {
            self.busy_since = self.moment;
        }
        let expectation = Expectation::of(request, &self.preset, self.compute, &self.table);
        self.passes = self.passes.wrapping_add(expectation.passes(request.mode, self.compute));
        self.unpredictable |= expectation.is_unpredictable(request.mask & self.preset.lane_mask(), self.compute);
        self.flights.push(Flight::new(request, expectation, self.busy_since));
        Ok(())
    }

    /// The memory side has answered a read of the sector at `address` with an error.
    pub fn memory_error_answered(&mut self, address: u64) {
        self.memory.errors.insert(address / 32 * 32, self.moment);
    }

    /// A `wb` transfer.
    pub fn writeback(&mut self, wb: &Writeback) -> Result<(), Violation> {
        let found = self.flights.iter().position(|flight| flight.tag == wb.tag && !flight.ended);
        let number = found.ok_or(Violation::NoOperation { tag: wb.tag, port: "wb" })?;
        let complete = self.flights[number].writeback(wb, &self.memory)?;
        self.retire(number, complete);
        Ok(())
    }

    /// A `fault` transfer.
    pub fn fault(&mut self, record: &FaultRecord) -> Result<(), Violation> {
        let found = self.flights.iter().position(|flight| flight.tag == record.tag);
        let number = found.ok_or(Violation::NoOperation { tag: record.tag, port: "fault" })?;
        let complete = self.flights[number].fault(record, &self.memory)?;
        self.retire(number, complete);
        Ok(())
    }

    /// A `done` transfer.
    pub fn done(&mut self, tag: u8) -> Result<(), Violation> {
        let found = self.flights.iter().position(|flight| flight.tag == tag && !flight.ended);
        let number = found.ok_or(Violation::NoOperation { tag, port: "done" })?;
        self.flights[number].done()?;
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
        equal("status_ldc_passes", self.passes, status.ldc_passes, "LDC-14")
    }

    /// Whether every operation has been answered in full.
    pub fn is_idle(&self) -> bool {
        self.flights.is_empty()
    }

    /// The end: what has not been answered, in the order of acceptance.
    pub fn finish(&self) -> Vec<Violation> {
        self.flights.iter().map(Flight::unfinished).collect()
    }

    fn retire(&mut self, number: usize, complete: bool) {
        if complete {
            self.flights.remove(number);
        }
    }
}
