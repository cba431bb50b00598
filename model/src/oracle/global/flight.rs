//! One operation of the global path in flight: what has been seen of it, judged against what must be.

use super::super::versions::{SECTOR_BYTES, SectorBytes, SharedHistory};
use super::super::violation::Violation;
use super::expectation::{Expectation, Kind, lanes_of};
use super::shared::{SharedMemory, StoredBytes};
use crate::pins::{FaultCause, FaultRecord, MAX_LANES, MemoryRequest, Writeback};

/// A request that was made for the operation.
#[derive(Clone, Debug)]
pub(super) struct Transaction {
    pub sector: u64,
    /// The one lane that it serves, for mmio; otherwise all of the sector.
    lane: Option<u32>,
    strobes: u32,
    /// Answered, and whether well.
    pub answer: Option<bool>,
    /// When memory took a write.
    pub taken: Option<u64>,
}

/// What the judge of an operation looks at besides the operation.
pub(super) struct Surroundings<'a> {
    pub history: &'a SharedHistory,
    /// The unit's shared memory.
    pub shared: &'a SharedMemory,
    /// The little-endian word of memory at an address, for sectors that nobody has written.
    pub word: &'a dyn Fn(u64) -> u32,
    /// The unit's other operations in flight.
    pub others: [&'a [Flight]; 2],
    /// Moment of the last read of a sector that was answered with an error.
    pub read_error: &'a dyn Fn(u64) -> Option<u64>,
}

/// Floors of the bytes of one sector.
pub(super) type ByteFloors = [u64; SECTOR_BYTES];

/// An operation that was accepted and is not complete.
#[derive(Debug, Clone)]
pub(super) struct Flight {
    pub tag: u8,
    /// Names the operation for ever.
    pub serial: u64,
    pub expectation: Expectation,
    /// The moment of its acceptance.
    pub accepted: u64,
    /// Its values may be as old as this, byte floors aside.
    pub floor: u64,
    /// What this unit had stored or seen of its sectors before it was accepted.
    pub byte_floors: Vec<(u64, ByteFloors)>,
    /// For each of its lines: errors before this moment do not concern it.
    pub error_floors: Vec<(u64, u64)>,
    /// `wb_last` or `done` has been seen; only memory_error records can still come.
    pub ended: bool,
    /// Registers of store data.
    pub data: Vec<[u32; MAX_LANES]>,
    pub transactions: Vec<Transaction>,
    /// By register: lanes written, and their values.
    written: Vec<u32>,
    values: Vec<[u32; MAX_LANES]>,
    /// Lanes named by memory_error records.
    reported: u32,
    /// Bytes that it has read and taken out of L1, with the moment from which their values can have been read.
    pub seen: Vec<(u64, u64)>,
}

impl Flight {
    pub(super) fn new(tag: u8, serial: u64, expectation: Expectation, accepted: u64, floor: u64) -> Self {
        let is_load = expectation.kind == Kind::Load && expectation.fault.is_none();
        let registers = if is_load { expectation.registers as usize } else { 0 };
        Self {
            tag,
            serial,
            expectation,
            accepted,
            floor,
            byte_floors: Vec::new(),
            error_floors: Vec::new(),
            ended: false,
            data: Vec::new(),
            transactions: Vec::new(),
            written: vec![0; registers],
            values: vec![[0; MAX_LANES]; registers],
            reported: 0,
            seen: Vec::new(),
        }
    }

    fn is_legal(&self, kind: Kind) -> bool {
        self.expectation.kind == kind && self.expectation.fault.is_none() && !self.ended
    }

    fn answered_on(&self) -> &'static str {
        match (self.expectation.fault, self.expectation.kind) {
            (Some(_), _) => "fault",
            (None, Kind::Load) => "wb",
            (None, _) => "done",
        }
    }

    /// The lane that mmio must access next.
    fn next_lane(&self) -> Option<u32> {
        lanes_of(self.expectation.lanes).nth(self.transactions.len())
    }

    fn transaction(&mut self, request: &MemoryRequest, lane: Option<u32>) {
        let (sector, strobes) = (request.addr, request.strb);
        self.transactions.push(Transaction { sector, lane, strobes, answer: None, taken: None });
    }

    /// Whether `read` is one that this operation wants and has not made yet. Takes note of it.
    pub(super) fn claims_read(&mut self, read: &MemoryRequest) -> bool {
        if !self.is_legal(Kind::Load) || !self.expectation.carries(read) {
            return false;
        }
        if self.expectation.mmio {
            let next = self.next_lane();
            let is_next = next.is_some_and(|lane| {
                self.expectation.sector(lane) == read.addr && self.expectation.strobes(lane) == read.strb
            });
            if is_next {
                self.transaction(read, next);
            }
            return is_next;
        }
        let is_wanted = read.strb == u32::MAX && self.expectation.lanes_in(read.addr) != 0;
        let is_new = self.transactions.iter().all(|transaction| transaction.sector != read.addr);
        if is_wanted && is_new {
            self.transaction(read, None);
        }
        is_wanted && is_new
    }

    /// The byte that `lane` stores at `address`, if it does.
    fn stored_byte(&self, lane: u32, address: u64) -> Option<u8> {
        let (first, bytes) = self.expectation.bytes_of(lane);
        let at = address.wrapping_sub(first);
        if at >= bytes {
            return None;
        }
        let (element, byte) = (at / self.expectation.element_bytes, at % self.expectation.element_bytes);
        let register = element * self.expectation.element_registers + byte / 4;
        let word = self.data.get(register as usize)?[lane as usize];
        Some(word.to_le_bytes()[byte as usize % 4])
    }

    /// The bytes that the operation writes in shared memory: the highest lane wins.
    pub(super) fn stored_in_shared(&self) -> StoredBytes {
        let mut stored = StoredBytes::default();
        if self.expectation.kind == Kind::Store {
            for lane in lanes_of(self.expectation.shared) {
                let ((first, bytes), place) = (self.expectation.bytes_of(lane), self.expectation.place_of(lane));
                stored.extend((0..bytes).map(|byte| (place + byte, self.stored_byte(lane, first + byte))));
            }
        }
        stored
    }

    /// Whether all store data have come.
    pub(super) fn has_data(&self) -> bool {
        self.data.len() as u64 >= self.expectation.registers
    }

    /// Whether one of `lanes` stores `value` at `address`.
    fn stores(&self, lanes: u32, address: u64, value: u8) -> bool {
        lanes_of(lanes).any(|lane| self.stored_byte(lane, address) == Some(value))
    }

    /// Whether this is a store whose value a load may see before memory has it.
    fn forwards(&self, address: u64, value: u8) -> bool {
        self.is_legal(Kind::Store) && self.stores(self.expectation.lanes_in(address / 32 * 32), address, value)
    }

    /// Bytes of `sector` that the operation stores, and those of them that have been sent.
    fn wanted_and_sent(&self, sector: u64) -> (u32, u32) {
        let lanes = lanes_of(self.expectation.lanes_in(sector));
        let wanted = lanes.fold(0, |strobes, lane| strobes | self.expectation.strobes(lane));
        let sent = self.transactions.iter().filter(|transaction| transaction.sector == sector);
        (wanted, sent.fold(0, |strobes, transaction| strobes | transaction.strobes))
    }

    /// Whether `write` is one that this operation wants and has not made yet. Takes note of it.
    pub(super) fn claims_write(&mut self, write: &MemoryRequest, bytes: &SectorBytes) -> bool {
        if !self.is_legal(Kind::Store) || !self.expectation.carries(write) || write.strb == 0 {
            return false;
        }
        let (lanes, lane) = if self.expectation.mmio {
            let Some(lane) = self.next_lane() else { return false };
            if self.expectation.sector(lane) != write.addr || self.expectation.strobes(lane) != write.strb {
                return false;
            }
            (1 << lane, Some(lane))
        } else {
            let (wanted, sent) = self.wanted_and_sent(write.addr);
            if write.strb & !(wanted & !sent) != 0 {
                return false;
            }
            (self.expectation.lanes_in(write.addr), None)
        };
        let mut strobed = (0..SECTOR_BYTES).filter(|byte| write.strb >> byte & 1 == 1);
        let is_right = strobed.all(|byte| self.stores(lanes, write.addr + byte as u64, bytes[byte]));
        if is_right {
            self.transaction(write, lane);
        }
        is_right
    }

    /// The transaction that serves `lane`.
    fn transaction_of(&self, lane: u32) -> Option<&Transaction> {
        let sector = self.expectation.sector(lane);
        self.transactions.iter().find(|transaction| match transaction.lane {
            Some(own) => own == lane,
            None => transaction.sector == sector,
        })
    }

    /// Lanes whose own transaction was answered with an error.
    fn surely_failed(&self) -> u32 {
        let is_exact = self.expectation.kind == Kind::Store || self.expectation.from_memory;
        let failed = |lane: &u32| {
            let own = self.transaction_of(*lane);
            own.is_some_and(|transaction| transaction.answer == Some(false))
        };
        if is_exact {
            lanes_of(self.expectation.global()).filter(failed).fold(0, |lanes, lane| lanes | 1 << lane)
        } else {
            0
        }
    }

    /// What speaks against a failed sector in this lane, if anything does.
    fn why_not_failed(&self, lane: u32, around: &Surroundings<'_>) -> Option<&'static str> {
        if self.expectation.lanes >> lane & 1 == 0 {
            return Some("it accesses nothing");
        }
        if self.expectation.shared >> lane & 1 == 1 {
            return Some("it accesses shared memory");
        }
        if self.expectation.kind == Kind::Store || self.expectation.from_memory {
            let is_failed = self.surely_failed() >> lane & 1 == 1;
            return (!is_failed).then_some("its own access was not answered with an error");
        }
        let sector = self.expectation.sector(lane);
        let since = self.error_floors.iter().find(|(line, _)| *line == sector / 128);
        let since = since.map_or(self.accepted, |(_, since)| *since);
        let is_founded = (around.read_error)(sector).is_some_and(|moment| moment >= since);
        (!is_founded).then_some("its sector was not answered with an error")
    }

    fn floor_of(&self, address: u64) -> u64 {
        let byte = address as usize % SECTOR_BYTES;
        let own = self.byte_floors.iter().find(|(sector, _)| *sector == address - byte as u64);
        own.map_or(self.floor, |(_, floors)| floors[byte].max(self.floor))
    }

    /// Judges one register. True if the operation is complete with it.
    pub(super) fn writeback(&mut self, wb: &Writeback, around: &Surroundings<'_>) -> Result<bool, Violation> {
        let (tag, register) = (self.tag, wb.rd);
        if !self.is_legal(Kind::Load) {
            return Err(Violation::WrongPort { tag, port: "wb", expected: self.answered_on() });
        }
        let number = usize::from(wb.rd.wrapping_sub(self.expectation.rd));
        if number >= self.written.len() {
            let (first, count) = (self.expectation.rd, self.written.len() as u8);
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
            self.judge_lane(lane, number, register, got, around)?;
        }
        self.written[number] |= wb.mask;
        if wb.last {
            self.judge_end(around)?;
            self.ended = true;
        }
        Ok(self.ended && self.owing() == 0)
    }

    fn judge_lane(
        &mut self,
        lane: u32,
        number: usize,
        register: u8,
        got: u32,
        around: &Surroundings<'_>,
    ) -> Result<(), Violation> {
        let tag = self.tag;
        if self.expectation.lanes >> lane & 1 == 0 {
            return Err(Violation::LaneNotWritable { tag, lane, register, rule: "inactive lanes" });
        }
        if !self.expectation.writes(number as u64) {
            let rule = if self.expectation.rd == 255 { "RZ" } else { "sink" };
            return Err(Violation::LaneNotWritable { tag, lane, register, rule });
        }
        if self.reported >> lane & 1 == 1 {
            return Err(Violation::FailedLaneWritten { tag, lane, register });
        }
        if self.written[number] >> lane & 1 == 1 {
            return Err(Violation::WrittenTwice { tag, lane, register });
        }
        self.values[number][lane as usize] = got;
        if self.expectation.extended && number % 2 == 1 {
            // Judged at the end, against the register before it.
            return Ok(());
        }
        let is_shared = self.expectation.shared >> lane & 1 == 1;
        if !is_shared
            && self.expectation.from_memory
            && self.transaction_of(lane).is_none_or(|own| own.answer != Some(true))
        {
            return Err(Violation::NotFetched { tag, lane, address: self.expectation.sector(lane) });
        }
        let part = self.expectation.part() as usize;
        if part < 4 {
            let bits = 8 * part as u32;
            let unsigned = got % (1 << bits);
            let is_negative = self.expectation.sign && unsigned >> (bits - 1) == 1;
            let expected = if is_negative { unsigned | u32::MAX << bits } else { unsigned };
            if got != expected {
                return Err(Violation::WrongExtension { tag, lane, register, expected, got });
            }
        }
        let offset = self.expectation.offset(number as u64);
        if is_shared {
            let first = self.expectation.place_of(lane) + offset;
            for (address, got) in (first..).zip(got.to_le_bytes().into_iter().take(part)) {
                let judged = around.shared.judge(self.serial, address, got);
                judged.map_err(|rule| Violation::ForbiddenValue { tag, lane, register, address, got, rule })?;
            }
            return Ok(());
        }
        let first = self.expectation.addresses[lane as usize] + offset;
        for (index, value) in got.to_le_bytes().into_iter().take(part).enumerate() {
            self.judge_byte(lane, register, first + index as u64, value, around)?;
        }
        Ok(())
    }

    /// A byte is one that its location may still be seen with.
    fn judge_byte(
        &mut self,
        lane: u32,
        register: u8,
        address: u64,
        value: u8,
        around: &Surroundings<'_>,
    ) -> Result<(), Violation> {
        let floor = self.floor_of(address);
        let held = around.history.held_after(address, value, floor);
        let is_held =
            held.unwrap_or_else(|| (around.word)(address / 4 * 4).to_le_bytes()[address as usize % 4] == value);
        if !is_held && !around.others.into_iter().flatten().any(|other| other.forwards(address, value)) {
            let rule = match (self.expectation.from_memory, self.expectation.nc) {
                (true, _) => "a load at the memory side sees what was there since its acceptance",
                (false, true) => "a non-coherent load sees what was there since the last invalidation",
                (false, false) => "a weak load sees nothing older than the last invalidation, own store or strong load",
            };
            return Err(Violation::ForbiddenValue { tag: self.tag, lane, register, address, got: value, rule });
        }
        if is_held && self.expectation.drops {
            self.seen.push((address, around.history.seen_since(address, value, self.accepted)));
        }
        Ok(())
    }

    /// At `wb_last`: a lane is written in all registers, or in none because its sector failed.
    fn judge_end(&self, around: &Surroundings<'_>) -> Result<(), Violation> {
        let tag = self.tag;
        for lane in lanes_of(self.expectation.lanes) {
            let writable = || (0..self.written.len()).filter(|number| self.expectation.writes(*number as u64));
            let is_written = |number: &usize| self.written[*number] >> lane & 1 == 1;
            if let Some(missing) = writable().find(|number| !is_written(number)) {
                let register = self.expectation.rd.wrapping_add(missing as u8);
                if writable().any(|number| is_written(&number)) || self.why_not_failed(lane, around).is_some() {
                    return Err(Violation::NotWritten { tag, lane, register });
                }
                continue;
            }
            for number in writable().filter(|number| self.expectation.extended && number % 2 == 1) {
                let lower = self.values[number - 1][lane as usize];
                let expected = if self.expectation.sign && lower >> 31 == 1 { u32::MAX } else { 0 };
                let got = self.values[number][lane as usize];
                if got != expected {
                    let register = self.expectation.rd.wrapping_add(number as u8);
                    return Err(Violation::WrongExtension { tag, lane, register, expected, got });
                }
            }
        }
        if self.expectation.mmio && self.next_lane().is_some() {
            return Err(Violation::MissingTransaction {
                tag,
                address: self.next_lane().map_or(0, |lane| self.expectation.sector(lane)),
            });
        }
        Ok(())
    }

    /// Lanes for which a memory_error record must still come.
    pub(super) fn owing(&self) -> u32 {
        let mut failed = self.surely_failed();
        let mut writable = (0..self.written.len()).filter(|number| self.expectation.writes(*number as u64));
        if let Some(number) = writable.next() {
            failed |= self.expectation.lanes & !self.written[number];
        }
        failed & !self.reported
    }

    /// Whether a memory_error record may come although nothing shows that one must: nothing is written where nobody can
    /// see whether a lane has failed.
    pub(super) fn may_report(&self, around: &Surroundings<'_>) -> bool {
        self.expectation.rd == 255
            && self.is_weak_load()
            && lanes_of(self.expectation.lanes & !self.reported).any(|lane| self.why_not_failed(lane, around).is_none())
    }

    /// Whether this is a load that may not be looked up in L1 before the acquire `other`, of the same warp, has emptied it.
    pub(super) fn is_weak_load_after(&self, other: &Self) -> bool {
        let (expectation, others) = (&self.expectation, &other.expectation);
        self.is_weak_load() && !expectation.nc && expectation.warp == others.warp && self.serial > other.serial
    }

    fn is_weak_load(&self) -> bool {
        self.expectation.kind == Kind::Load && !self.expectation.from_memory
    }

    /// Judges one fault record. True if the operation is complete with it.
    pub(super) fn fault(&mut self, record: &FaultRecord, around: &Surroundings<'_>) -> Result<bool, Violation> {
        let FaultRecord { tag, cause, lanes, addr } = *record;
        if let Some(fault) = self.expectation.fault {
            if (cause, lanes, addr) == (fault.cause.code(), fault.lanes, fault.address) {
                return Ok(true);
            }
            return Err(Violation::WrongFault {
                tag,
                expected_cause: fault.cause.code(),
                expected_lanes: fault.lanes,
                expected_address: fault.address,
                cause,
                lanes,
                address: addr,
                rule: "precedence of faults",
            });
        }
        if cause != FaultCause::MemoryError.code() || lanes == 0 || lanes & !self.expectation.lanes != 0 {
            return Err(Violation::UnexpectedFault { tag, cause, lanes });
        }
        self.judge_memory_error(lanes, addr, around)?;
        self.reported |= lanes;
        Ok(self.ended && self.owing() == 0)
    }

    fn judge_memory_error(&self, lanes: u32, address: u64, around: &Surroundings<'_>) -> Result<(), Violation> {
        let tag = self.tag;
        let lowest = lanes.trailing_zeros();
        for lane in lanes_of(lanes) {
            let unfounded = |reason| Err(Violation::UnfoundedError { tag, lane, reason });
            if let Some(reason) = self.why_not_failed(lane, around) {
                return unfounded(reason);
            }
            if self.reported >> lane & 1 == 1 {
                return unfounded("the lane is already in another record");
            }
            if self.written.iter().any(|written| written >> lane & 1 == 1) {
                return unfounded("the lane was written");
            }
            if self.expectation.sector(lane) / 128 != self.expectation.sector(lowest) / 128 {
                return unfounded("the record's lowest lane is on another line");
            }
            // A sector fails for every lane that accesses it, but mmio accesses it once for each lane.
            let sharing =
                if self.expectation.mmio { 0 } else { self.expectation.lanes_in(self.expectation.sector(lane)) };
            if sharing & !lanes != 0 {
                return Err(Violation::MissingErrorRecord { tag, lanes: sharing & !lanes });
            }
        }
        let expected = self.expectation.addresses[lowest as usize % MAX_LANES];
        if address != expected {
            return Err(Violation::WrongErrorAddress { tag, expected, got: address });
        }
        Ok(())
    }

    /// A sector that the store has not written in full.
    fn missing_write(&self) -> Option<u64> {
        let is_missing = |lane: &u32| {
            if self.expectation.mmio {
                self.transaction_of(*lane).is_none()
            } else {
                let (wanted, sent) = self.wanted_and_sent(self.expectation.sector(*lane));
                wanted != sent
            }
        };
        lanes_of(self.expectation.global()).find(is_missing).map(|lane| self.expectation.sector(lane))
    }

    /// A sector with which the operation's access is under way.
    fn unanswered(&self) -> Option<u64> {
        self.transactions.iter().find(|transaction| transaction.answer.is_none()).map(|open| open.sector)
    }

    /// A sector for which a release of the same warp must wait. (A load that may share another's fetch can have been given the request
    /// of a third one, so nothing is said of it.)
    pub(super) fn holds_release(&self) -> Option<u64> {
        let missing = if self.is_legal(Kind::Store) { self.missing_write() } else { None };
        missing.or_else(|| if self.is_weak_load() { None } else { self.unanswered() })
    }

    /// Judges `done`. True if the operation is complete with it.
    pub(super) fn done(&mut self) -> Result<bool, Violation> {
        let tag = self.tag;
        if self.ended || self.answered_on() != "done" {
            return Err(Violation::WrongPort { tag, port: "done", expected: self.answered_on() });
        }
        if let Some(address) = self.missing_write() {
            return Err(Violation::MissingTransaction { tag, address });
        }
        if self.expectation.shared != 0 && !self.has_data() {
            let address = self.expectation.place_of(self.expectation.shared.trailing_zeros());
            return Err(Violation::MissingTransaction { tag, address });
        }
        if let Some(address) = self.unanswered() {
            return Err(Violation::DoneTooEarly { tag, address });
        }
        self.ended = true;
        Ok(self.owing() == 0)
    }

    /// Bytes that memory has taken from this store, with the moments.
    pub(super) fn stored(&self) -> impl Iterator<Item = (u64, u64)> {
        let taken =
            self.transactions.iter().filter_map(|transaction| transaction.taken.map(|moment| (transaction, moment)));
        taken.flat_map(|(transaction, moment)| {
            let bytes = (0..SECTOR_BYTES as u64).filter(|byte| transaction.strobes >> byte & 1 == 1);
            bytes.map(move |byte| (transaction.sector + byte, moment))
        })
    }

    /// What is missing of the operation at the end.
    pub(super) fn unfinished(&self) -> Violation {
        let tag = self.tag;
        if self.ended {
            Violation::MissingErrorRecord { tag, lanes: self.owing() }
        } else {
            Violation::Unanswered { tag }
        }
    }
}
