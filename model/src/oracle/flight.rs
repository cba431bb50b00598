//! One operation in flight: what has been seen of it, judged against what must be.

use super::expectation::{Expectation, Lane, Source};
use super::lanes::lanes_of;
use super::register::{Destination, MAX_REGISTERS};
use super::table::Table;
use super::violation::Violation;
use crate::pins::{FaultCause, FaultRecord, MAX_LANES, Writeback};

/// 32-bit words and sector errors, as the oracle sees the memory side.
pub(super) trait Memory {
    /// The little-endian word at a word-aligned address.
    fn word(&self, address: u64) -> u32;
    /// Whether the sector that holds `address` has been answered with an error since the moment `since`.
    fn failed_since(&self, address: u64, since: u64) -> bool;
    /// Whether the byte at `address` has held `value` at some moment after `floor`.
    fn held_after(&self, address: u64, value: u8, floor: u64) -> bool;
}

/// An operation that was accepted and is not complete.
#[derive(Clone, Debug)]
pub(super) struct Flight {
    pub tag: u8,
    /// The `wb_last` has been seen; only memory_error records are missing.
    pub ended: bool,
    /// Sectors that failed before this moment do not concern the operation.
    since: u64,
    /// Bytes may have any value that they held after this moment; of a command, the moment of its acceptance.
    pub floor: u64,
    destination: Destination,
    /// It is a constant load, no LDC.
    is_load: bool,
    expectation: Expectation,
    /// Lanes written, by register.
    written: [u32; MAX_REGISTERS],
    /// By lane: the register that came last.
    delivered: [u32; MAX_LANES],
    /// Lanes named by memory_error records.
    reported: u32,
}

impl Flight {
    pub(super) fn new(
        tag: u8,
        is_load: bool,
        destination: Destination,
        expectation: Expectation,
        since: u64,
        floor: u64,
    ) -> Self {
        Self {
            tag,
            ended: false,
            since,
            floor,
            destination,
            is_load,
            expectation,
            written: [0; MAX_REGISTERS],
            delivered: [0; MAX_LANES],
            reported: 0,
        }
    }

    fn lanes(&self, port: &'static str) -> Result<&[Lane; MAX_LANES], Violation> {
        let wrong = |expected| Err(Violation::WrongPort { tag: self.tag, port, expected });
        match &self.expectation {
            Expectation::Registers(lanes) => Ok(lanes),
            Expectation::Fault(_) => wrong("fault"),
            Expectation::Done => wrong("done"),
        }
    }

    /// LDC-8: whether the sector at `address` belongs to a line that a lane in bounds reads, and lies in its bank.
    pub(super) fn wants(&self, address: u64, table: &Table, address_mask: u64) -> bool {
        let Expectation::Registers(lanes) = &self.expectation else { return false };
        lanes.iter().filter(|lane| matches!(lane.source, Source::Memory { .. })).any(|lane| {
            let line = lane.address / 64 * 64;
            table.bank(lane.bank).is_some_and(|bank| {
                let mut sectors = [line, line + 32].into_iter().filter(|sector| *sector < bank.size);
                sectors.any(|sector| (bank.base + sector) & address_mask == address)
            })
        })
    }

    /// The value of register `beat` of a lane that is written, with its rule.
    fn value(&self, source: Source, beat: u8, got: u32, memory: &impl Memory) -> (u32, &'static str) {
        let (at, rule) = match source {
            Source::Nothing(rule) | Source::Zero(rule) => return (0, rule),
            Source::Memory { at, rule } => (at + self.destination.offset(beat), rule),
        };
        let word = i64::from(memory.word(at - at % 4)) >> (8 * (at % 4));
        // LDC-12: the access's bits, as a number with or without sign.
        let bits = 8 * self.destination.part();
        let number = word.rem_euclid(1 << bits);
        let extension_differs = bits < 32 && i64::from(got) % (1 << bits) == number;
        (self.destination.extended(number), if extension_differs { "LDC-12" } else { rule })
    }

    /// The value of a register that holds the sign of the one before it, as that came.
    fn sign_of(&self, lane: u32) -> u32 {
        let is_negative = self.destination.sign && self.delivered[lane as usize] >> 31 == 1;
        if is_negative { u32::MAX } else { 0 }
    }

    /// Whether the constant cache may still hold `got`: every byte had its value at some moment after the floor.
    fn is_older_value(&self, source: Source, beat: u8, got: u32, memory: &impl Memory) -> bool {
        let Source::Memory { at, .. } = source else { return false };
        let bytes = self.destination.part();
        let at = at + self.destination.offset(beat);
        let number = i64::from(got) % (1 << (8 * bytes));
        self.destination.extended(number) == got
            && (0..bytes).all(|byte| memory.held_after(at + byte, (got >> (8 * byte)) as u8, self.floor))
    }

    /// Judges one register. True if the operation is complete with it.
    pub(super) fn writeback(&mut self, wb: &Writeback, memory: &impl Memory) -> Result<bool, Violation> {
        let tag = self.tag;
        let register = wb.rd;
        let lanes = self.lanes("wb")?;
        let Destination { first, count, .. } = self.destination;
        let beat = wb.rd.wrapping_sub(first);
        if beat >= count {
            return Err(Violation::WrongRegister { tag, register, first, count });
        }
        for lane in 0..MAX_LANES as u32 {
            let got = wb.data[lane as usize];
            if wb.mask >> lane & 1 == 0 {
                if got != 0 {
                    return Err(Violation::DataOutsideMask { tag, lane, register, got });
                }
                continue;
            }
            let source = lanes[lane as usize].source;
            if let Source::Nothing(rule) = source {
                return Err(Violation::LaneNotWritable { tag, lane, register, rule });
            }
            if !self.destination.writes(beat) {
                return Err(Violation::LaneNotWritable { tag, lane, register, rule: "BEAT" });
            }
            if self.reported >> lane & 1 == 1 {
                return Err(Violation::FailedLaneWritten { tag, lane, register });
            }
            if self.written[usize::from(beat)] >> lane & 1 == 1 {
                return Err(Violation::WrittenTwice { tag, lane, register });
            }
            if self.destination.is_above(beat) {
                let expected = self.sign_of(lane);
                if got != expected {
                    return Err(Violation::WrongExtension { tag, lane, register, expected, got });
                }
                continue;
            }
            let (expected, rule) = self.value(source, beat, got, memory);
            if got != expected && !self.is_older_value(source, beat, got, memory) {
                return Err(Violation::WrongValue { tag, lane, register, expected, got, rule });
            }
        }
        self.written[usize::from(beat)] |= wb.mask;
        for lane in lanes_of(wb.mask) {
            self.delivered[lane as usize] = wb.data[lane as usize];
        }
        if !wb.last {
            return Ok(false);
        }
        self.ended = true;
        self.judge_end(memory)?;
        Ok(self.owing() == 0)
    }

    /// At `wb_last`: a lane is written in all registers, or in none because its sector failed.
    fn judge_end(&self, memory: &impl Memory) -> Result<(), Violation> {
        let registers = (0..self.destination.count).filter(|beat| self.destination.writes(*beat));
        for lane in lanes_of(self.writable()) {
            let missing = registers.clone().find(|beat| self.written[usize::from(*beat)] >> lane & 1 == 0);
            let Some(beat) = missing else { continue };
            let is_untouched = self.written.iter().all(|written| written >> lane & 1 == 0);
            if !is_untouched || self.why_not_failed(lane, memory).is_some() {
                let register = self.destination.first.wrapping_add(beat);
                return Err(Violation::NotWritten { tag: self.tag, lane, register });
            }
        }
        Ok(())
    }

    /// Lanes that the operation writes when no sector fails.
    fn writable(&self) -> u32 {
        let Expectation::Registers(lanes) = &self.expectation else {
            return 0;
        };
        let bit = |(number, lane): (usize, &Lane)| u32::from(!matches!(lane.source, Source::Nothing(_))) << number;
        lanes.iter().enumerate().map(bit).fold(0, |all, one| all | one)
    }

    /// Lanes left unwritten for which a memory_error record has not come yet.
    pub(super) fn owing(&self) -> u32 {
        self.writable() & !self.written.iter().fold(0, |all, written| all | written) & !self.reported
    }

    /// What speaks against a failed sector in this lane, if anything does.
    fn why_not_failed(&self, lane: u32, memory: &impl Memory) -> Option<&'static str> {
        let Expectation::Registers(lanes) = &self.expectation else {
            return Some("it reads nothing");
        };
        match lanes[lane as usize % MAX_LANES].source {
            Source::Memory { at, .. } if memory.failed_since(at, self.since) => None,
            Source::Memory { .. } => Some("its sector was not answered with an error"),
            Source::Nothing(_) | Source::Zero(_) => Some("it reads nothing"),
        }
    }

    /// Judges one fault record. True if the operation is complete with it.
    pub(super) fn fault(&mut self, record: &FaultRecord, memory: &impl Memory) -> Result<bool, Violation> {
        let FaultRecord { tag, cause, lanes, addr } = *record;
        if let Expectation::Fault(fault) = &self.expectation {
            if (cause, lanes, addr) == (fault.cause.code(), fault.lanes, fault.address) {
                return Ok(true);
            }
            let rule = if self.is_load { "CONST" } else { rule_of(fault.cause) };
            return Err(fault.denied(record, rule));
        }
        let all = self.lanes("fault")?;
        if cause != FaultCause::MemoryError.code() || lanes == 0 {
            return Err(Violation::UnexpectedFault { tag, cause, lanes });
        }
        self.judge_memory_error(record, all, memory)?;
        self.reported |= lanes;
        Ok(self.ended && self.owing() == 0)
    }

    fn judge_memory_error(
        &self,
        record: &FaultRecord,
        all: &[Lane; MAX_LANES],
        memory: &impl Memory,
    ) -> Result<(), Violation> {
        let tag = self.tag;
        let lowest = all[record.lanes.trailing_zeros() as usize % MAX_LANES];
        for lane in lanes_of(record.lanes) {
            let unfounded = |reason| Err(Violation::UnfoundedError { tag, lane, reason });
            if let Some(reason) = self.why_not_failed(lane, memory) {
                return unfounded(reason);
            }
            if self.reported >> lane & 1 == 1 {
                return unfounded("the lane is already in another record");
            }
            if self.written.iter().any(|written| written >> lane & 1 == 1) {
                return unfounded("the lane was written");
            }
            let at = all[lane as usize];
            if (at.bank, at.address / 64) != (lowest.bank, lowest.address / 64) {
                return unfounded("the record's lowest lane is on another line");
            }
        }
        // A sector fails for every lane that reads it in this pass.
        for lane in lanes_of(self.writable() & !record.lanes) {
            let at = all[lane as usize];
            let shares = |other: u32| {
                let other = all[other as usize];
                (other.bank, other.address / 32) == (at.bank, at.address / 32)
            };
            if matches!(at.source, Source::Memory { .. }) && lanes_of(record.lanes).any(shares) {
                return Err(Violation::MissingErrorRecord { tag, lanes: 1 << lane });
            }
        }
        if record.addr != lowest.sum {
            return Err(Violation::WrongErrorAddress { tag, expected: lowest.sum, got: record.addr });
        }
        Ok(())
    }

    /// Judges `done`.
    pub(super) fn done(&self) -> Result<(), Violation> {
        let wrong = |expected| Err(Violation::WrongPort { tag: self.tag, port: "done", expected });
        match self.expectation {
            Expectation::Done => Ok(()),
            Expectation::Fault(_) => wrong("fault"),
            Expectation::Registers(_) => wrong("wb"),
        }
    }

    /// What is missing of the operation at the end.
    pub(super) fn unfinished(&self) -> Violation {
        Violation::unfinished(self.tag, self.ended, self.owing())
    }
}

/// The rule that gives an LDC this fault.
fn rule_of(cause: FaultCause) -> &'static str {
    match cause {
        FaultCause::MisalignedRegister => "LDC-10",
        FaultCause::IllegalInstruction => "LDC-11",
        FaultCause::MisalignedAddress => "LDC-9",
        FaultCause::AddressOutOfRange | FaultCause::MemoryError => "",
    }
}
