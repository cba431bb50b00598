//! One operation of the global path in flight: what has been seen of it, judged against what must be.

use super::super::lanes::lanes_of;
use super::super::versions::{SectorBytes, SharedHistory};
use super::super::violation::Violation;
use super::expectation::{Expectation, Kind, Part, emptied};
use super::local::{LocalMemory, Memory};
use super::shared::{SharedMemory, StoredBytes};
use crate::pins::{FaultCause, FaultRecord, MAX_LANES, MemoryRequest, RZ, SECTOR_BYTES, Writeback};

/// A request that was made for the operation.
#[derive(Clone, Debug)]
pub(super) struct Transaction {
    pub sector: u64,
    /// The word of local lanes for which it is, or none: it is for global ones.
    pub word: Option<u64>,
    /// The one lane that it serves, for mmio; otherwise all of the sector.
    lane: Option<u32>,
    pub strobes: u32,
    /// A read of local memory that may be another operation's: one that has what it wants makes none.
    pub may_be_others: bool,
    /// Answered, and whether well.
    pub answer: Option<bool>,
    /// When memory took a write.
    pub taken: Option<u64>,
    /// What another CTA has sent.
    pub came: Option<SectorBytes>,
}

/// What the judge of an operation looks at besides the operation.
pub(super) struct Surroundings<'a> {
    pub history: &'a SharedHistory,
    /// The unit's shared memory.
    pub shared: &'a SharedMemory,
    /// The unit's local memory, and its number in the history.
    pub local: &'a LocalMemory,
    pub unit: usize,
    /// The little-endian word of memory at an address, for sectors that nobody has written.
    pub word: &'a dyn Fn(u64) -> u32,
    /// Moment of the last read of a sector that was answered with an error.
    pub read_error: &'a dyn Fn(u64) -> Option<u64>,
}

/// Floors of the bytes of one sector.
pub(super) type ByteFloors = [u64; SECTOR_BYTES];

/// Words of the largest access of a local lane.
const MOST_WORDS: usize = 4;

/// An operation that was accepted and is not complete. What is asked of each in turn, to find one, stands first and together.
#[derive(Debug, Clone, Default)]
#[repr(C)]
pub(super) struct Flight {
    /// Names the operation for ever.
    pub serial: u64,
    pub tag: u8,
    /// `wb_last` or `done` has been seen; only memory_error records can still come.
    pub ended: bool,
    /// Its values may be as old as this, byte floors aside.
    pub floor: u64,
    /// The same of its local lanes.
    pub local_floor: u64,
    pub expectation: Expectation,
    /// The moment of its acceptance.
    pub accepted: u64,
    /// What this unit had stored or seen of its sectors before it was accepted.
    pub byte_floors: Vec<(u64, ByteFloors)>,
    /// For each of its lines: errors before this moment do not concern it.
    pub error_floors: Vec<(u64, u64)>,
    /// Registers of store data.
    pub data: Vec<[u32; MAX_LANES]>,
    pub transactions: Vec<Transaction>,
    /// By register: lanes written.
    written: Vec<u32>,
    /// The same: what was written, if that is to be compared with the next register.
    values: Vec<[u32; MAX_LANES]>,
    /// Lanes named by memory_error records: of local lanes by word, of others the first.
    reported: [u32; MOST_WORDS],
    /// Bytes that it has read and taken out of L1, with the moment from which their values can have been read.
    pub seen: Vec<(u64, u64)>,
}

impl Flight {
    /// Becomes another operation. `floors`: those of its values, and of those of its local lanes.
    pub(super) fn begin(&mut self, tag: u8, serial: u64, expectation: Expectation, accepted: u64, floors: [u64; 2]) {
        let is_load = expectation.kind == Kind::Load && expectation.fault.is_none();
        let registers = if is_load { expectation.registers as usize } else { 0 };
        let kept = if expectation.extended { registers } else { 0 };
        *self = Self {
            tag,
            serial,
            expectation,
            accepted,
            floor: floors[0],
            local_floor: floors[1],
            byte_floors: emptied(&mut self.byte_floors),
            error_floors: emptied(&mut self.error_floors),
            ended: false,
            data: emptied(&mut self.data),
            transactions: emptied(&mut self.transactions),
            written: emptied(&mut self.written),
            values: emptied(&mut self.values),
            reported: [0; MOST_WORDS],
            seen: emptied(&mut self.seen),
        };
        self.written.resize(registers, 0);
        self.values.resize(kept, [0; MAX_LANES]);
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

    /// The part of a lane that mmio accesses.
    fn part_of(&self, lane: u32) -> Option<Part> {
        self.expectation.parts_of(lane).first().copied()
    }

    fn transaction(&mut self, request: &MemoryRequest, word: Option<u64>, lane: Option<u32>) {
        let (sector, strobes) = (request.addr, request.strb);
        let (may_be_others, answer, taken, came) = (false, None, None, None);
        self.transactions.push(Transaction { sector, word, lane, strobes, may_be_others, answer, taken, came });
    }

    /// Whether mmio makes this request next, of exactly the bytes of one lane. Takes note of it.
    fn claims_next(&mut self, request: &MemoryRequest) -> bool {
        let lane = self.next_lane();
        let part = lane.and_then(|lane| self.part_of(lane));
        let is_next = part.is_some_and(|part| part.sector() == request.addr && part.strobes() == request.strb);
        if is_next {
            self.transaction(request, None, lane);
        }
        is_next
    }

    /// Whether `read` is one that this operation wants and has not made yet. Takes note of it.
    pub(super) fn claims_read(&mut self, read: &MemoryRequest) -> bool {
        if !self.is_legal(Kind::Load) {
            return self.is_legal(Kind::Store) && self.claims_rest(read);
        }
        if self.expectation.mmio {
            return self.expectation.carries(None, read) && self.claims_next(read);
        }
        let is_new =
            |word: &Option<u64>| self.transactions.iter().all(|own| (own.word, own.sector) != (*word, read.addr));
        let is_wanted = |word: &Option<u64>| read.strb == u32::MAX && self.expectation.carries(*word, read);
        let claimed = self.expectation.words_in(read.addr).find(|word| is_wanted(word) && is_new(word));
        if let Some(word) = claimed {
            self.transaction(read, word, None);
        }
        claimed.is_some()
    }

    /// Whether `read` is for the rest of a sector of which this store has bytes in local memory, but not all. Takes note of it.
    fn claims_rest(&mut self, read: &MemoryRequest) -> bool {
        let is_wanted = |word: &Option<u64>| {
            let (stored, sent) = self.wanted_and_sent(*word, read.addr);
            word.is_some() && stored != u32::MAX && sent == 0 && self.expectation.carries(*word, read)
        };
        let claimed = self.expectation.words_in(read.addr).find(is_wanted).filter(|_| read.strb == u32::MAX);
        if let Some(word) = claimed {
            self.transaction(read, word, None);
        }
        claimed.is_some()
    }

    /// The byte number `byte` of what `lane` stores, if its data have come.
    fn stored_byte(&self, lane: u32, byte: u64) -> Option<u8> {
        let (element, byte) = (byte / self.expectation.element_bytes, byte % self.expectation.element_bytes);
        let register = element * self.expectation.element_registers + byte / 4;
        let word = self.data.get(register as usize)?[lane as usize];
        Some(word.to_le_bytes()[byte as usize % 4])
    }

    /// The bytes that the operation writes in shared memory: the highest lane wins.
    pub(super) fn stored_in_shared(&self) -> StoredBytes {
        let lanes = if self.expectation.kind == Kind::Store { self.expectation.shared } else { 0 };
        let each = self.expectation.bytes();
        let mut stored = Vec::with_capacity(lanes.count_ones() as usize * each as usize);
        for lane in lanes_of(lanes) {
            let place = self.expectation.place_of(lane);
            stored.extend((0..each).map(|byte| (place + byte, self.stored_byte(lane, byte))));
        }
        StoredBytes::new(stored)
    }

    /// Whether it loads from the unit's own shared memory and has not been answered.
    pub(super) fn loads_shared(&self) -> bool {
        self.is_legal(Kind::Load) && self.expectation.shared != 0
    }

    /// Whether all store data have come.
    pub(super) fn has_data(&self) -> bool {
        self.data.len() as u64 >= self.expectation.registers
    }

    /// Whether `parts` store `value` at `address`: of those that store there the highest lane's does.
    fn stores<'a>(&self, parts: impl Iterator<Item = &'a Part>, address: u64, value: u8) -> bool {
        let stored = parts.filter_map(|part| part.byte_at(address).map(|byte| (part.lane, byte)));
        stored.max().is_some_and(|(lane, byte)| self.stored_byte(lane, byte) == Some(value))
    }

    /// Whether it loads something of this sector, and not as local memory.
    pub(super) fn reads_globally(&self, sector: u64) -> bool {
        let is_there = |part: &Part| part.word.is_none() && part.sector() == sector;
        self.is_legal(Kind::Load) && self.expectation.parts().iter().any(is_there)
    }

    /// Whether it may ask for this sector.
    pub(super) fn may_read(&self, sector: u64) -> bool {
        let Expectation { kind, is_remote, fault, .. } = &self.expectation;
        let has_asked = |part: &Part| self.transaction_of(part).is_some_and(|own| !own.may_be_others);
        let is_read = |part: &Part| *kind == Kind::Load || part.word.is_some();
        let is_open = |part: &Part| part.sector() == sector && is_read(part) && !has_asked(part);
        !self.ended && !is_remote && fault.is_none() && self.expectation.parts().iter().any(is_open)
    }

    /// What it accesses in local memory.
    fn local_parts(&self) -> impl Iterator<Item = &Part> {
        self.expectation.parts().iter().filter(|part| part.word.is_some())
    }

    /// The sectors of local memory that the operation accesses.
    pub(super) fn local_sectors(&self) -> Vec<u64> {
        let mut sectors: Vec<u64> = self.local_parts().map(Part::sector).collect();
        sectors.sort_unstable();
        sectors.dedup();
        sectors
    }

    /// The bytes of `sector` that the operation accesses in local memory.
    pub(super) fn local_strobes(&self, sector: u64) -> u32 {
        let parts = self.local_parts().filter(|part| part.sector() == sector);
        parts.fold(0, |strobes, part| strobes | part.strobes())
    }

    /// What it stores there; 0 in other bytes.
    pub(super) fn stored_locally(&self, sector: u64) -> SectorBytes {
        let mut bytes = [0; SECTOR_BYTES];
        for part in self.local_parts() {
            for (at, stored) in bytes.iter_mut().enumerate() {
                if let Some(byte) = part.byte_at(sector + at as u64) {
                    *stored = self.stored_byte(part.lane, byte).unwrap_or(0);
                }
            }
        }
        bytes
    }

    /// The sectors of local memory that need not be kept when it has loaded them: all of their bytes are loaded at once.
    pub(super) fn last_used(&self) -> Vec<u64> {
        let is_whole = |(word, sector): (Option<u64>, u64)| self.wanted_and_sent(word, sector).0 == u32::MAX;
        let words =
            |sector: u64| self.expectation.words_in(sector).filter(Option::is_some).map(move |word| (word, sector));
        let sectors = if self.expectation.is_last_use { self.local_sectors() } else { Vec::new() };
        sectors.into_iter().filter(|sector| words(*sector).any(is_whole)).collect()
    }

    /// Bytes of `sector` that the operation accesses for this word of local lanes or for global ones, and those that have been asked
    /// for or sent.
    pub(super) fn wanted_and_sent(&self, word: Option<u64>, sector: u64) -> (u32, u32) {
        let parts = self.expectation.parts().iter().filter(|part| (part.word, part.sector()) == (word, sector));
        let wanted = parts.fold(0, |strobes, part| strobes | part.strobes());
        let sent = self.transactions.iter().filter(|own| (own.word, own.sector) == (word, sector));
        (wanted, sent.fold(0, |strobes, transaction| strobes | transaction.strobes))
    }

    /// Whether `write` is one that this operation wants and has not made yet. Takes note of it.
    pub(super) fn claims_write(&mut self, write: &MemoryRequest, bytes: &SectorBytes) -> bool {
        if !self.is_legal(Kind::Store) || write.strb == 0 {
            return false;
        }
        if self.expectation.mmio {
            let own = self.next_lane().and_then(|lane| self.part_of(lane));
            let has_values = self.stores_all(|| own.iter(), write, bytes);
            return has_values && self.expectation.carries(None, write) && self.claims_next(write);
        }
        // What it stores in local memory is written back by nobody.
        let (wanted, sent) = self.wanted_and_sent(None, write.addr);
        let is_there = |part: &&Part| (part.word, part.sector()) == (None, write.addr);
        let is_wanted = write.strb & !(wanted & !sent) == 0
            && self.expectation.carries(None, write)
            && self.stores_all(|| self.expectation.parts().iter().filter(is_there), write, bytes);
        if is_wanted {
            self.transaction(write, None, None);
        }
        is_wanted
    }

    /// Whether each byte that is written is one that some part stores there.
    fn stores_all<'a, P: Iterator<Item = &'a Part>>(
        &self,
        parts: impl Fn() -> P,
        write: &MemoryRequest,
        bytes: &SectorBytes,
    ) -> bool {
        let mut strobed = (0..SECTOR_BYTES).filter(|byte| write.strb >> byte & 1 == 1);
        strobed.all(|byte| self.stores(parts(), write.addr + byte as u64, bytes[byte]))
    }

    /// The transaction that serves a part.
    fn transaction_of(&self, part: &Part) -> Option<&Transaction> {
        let serves = |own: &&Transaction| match own.lane {
            Some(lane) => lane == part.lane,
            None => (own.word, own.sector) == (part.word, part.sector()) && own.strobes & part.strobes() != 0,
        };
        self.transactions.iter().find(serves)
    }

    /// Whether the errors of a part are those of its own transaction: not where a load may share another's fetch, nor where a local
    /// store's may have been taken for another's.
    fn is_exact(&self, part: &Part) -> bool {
        let is_store = self.expectation.kind == Kind::Store;
        match part.word {
            Some(_) => is_store && self.transaction_of(part).is_some_and(|own| !own.may_be_others),
            None => is_store || self.expectation.from_memory,
        }
    }

    /// Whether the part's own transaction was answered with an error.
    fn has_failed(&self, part: &Part) -> bool {
        self.transaction_of(part).is_some_and(|transaction| transaction.answer == Some(false))
    }

    /// The part of a lane that belongs to a word of local lanes, or is not to be told apart: that of a global one.
    fn part_in(&self, lane: u32, word: Option<u64>) -> Option<Part> {
        self.expectation.parts_of(lane).iter().find(|part| part.word == word).copied()
    }

    /// What speaks against a failed sector in a lane's part, if anything does.
    fn why_not_failed(&self, lane: u32, word: Option<u64>, around: &Surroundings<'_>) -> Option<&'static str> {
        if self.expectation.lanes >> lane & 1 == 0 {
            return Some("it accesses nothing");
        }
        if self.expectation.shared >> lane & 1 == 1 {
            return Some("it accesses shared memory");
        }
        let Some(part) = self.part_in(lane, word) else { return Some("it accesses another word") };
        if self.is_exact(&part) {
            return (!self.has_failed(&part)).then_some("its own access was not answered with an error");
        }
        let since = self.error_floors.iter().find(|(line, _)| *line == part.line());
        let since = since.map_or(self.accepted, |(_, since)| *since);
        let is_founded = (around.read_error)(part.sector()).is_some_and(|moment| moment >= since);
        (!is_founded).then_some("its sector was not answered with an error")
    }

    /// Lanes of the part that a memory_error record has named.
    fn reported(&self, word: Option<u64>) -> u32 {
        self.reported[word.unwrap_or(0) as usize % MOST_WORDS]
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
        let is_outside = |lane: &u32| wb.mask >> lane & 1 == 0 && wb.data[*lane as usize] != 0;
        if let Some(lane) = (0..MAX_LANES as u32).find(is_outside) {
            return Err(Violation::DataOutsideMask { tag, lane, register, got: wb.data[lane as usize] });
        }
        for lane in lanes_of(wb.mask) {
            self.judge_lane(lane, number, register, wb.data[lane as usize], around)?;
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
            let rule = if self.expectation.rd == RZ { "RZ" } else { "sink" };
            return Err(Violation::LaneNotWritable { tag, lane, register, rule });
        }
        let word = self.expectation.word_of(lane, number as u64);
        if self.reported(word) >> lane & 1 == 1 {
            return Err(Violation::FailedLaneWritten { tag, lane, register });
        }
        if self.written[number] >> lane & 1 == 1 {
            return Err(Violation::WrittenTwice { tag, lane, register });
        }
        if let Some(values) = self.values.get_mut(number) {
            values[lane as usize] = got;
        }
        if self.expectation.extended && number % 2 == 1 {
            // Judged at the end, against the register before it.
            return Ok(());
        }
        let is_shared = self.expectation.shared >> lane & 1 == 1;
        let own_part = self.part_in(lane, word);
        if let Some(part) = own_part.filter(|part| self.is_exact(part))
            && self.transaction_of(&part).is_none_or(|own| own.answer != Some(true))
        {
            return Err(Violation::NotFetched { tag, lane, address: part.sector() });
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
        let bytes = got.to_le_bytes();
        let bytes = &bytes[..part];
        if is_shared {
            let first = self.expectation.place_of(lane) + offset;
            return around.shared.judge(self.serial, first, bytes).map_err(|(index, rule)| {
                let (address, got) = (first + index as u64, bytes[index]);
                Violation::ForbiddenValue { tag, lane, register, address, got, rule }
            });
        }
        let Some(own_part) = own_part else { return Ok(()) };
        let first = own_part.address + offset - 4 * word.unwrap_or(0);
        if word.is_none() && self.is_as_ever(first, bytes, around) {
            return Ok(());
        }
        for (address, value) in (first..).zip(bytes.iter().copied()) {
            match word {
                Some(_) => self.judge_local_byte(lane, register, address, value, around)?,
                None if self.expectation.is_remote => {
                    self.judge_remote_byte(&own_part, lane, register, address, value)?;
                }
                None => self.judge_byte(lane, register, address, value, around)?,
            }
        }
        Ok(())
    }

    /// Whether nobody has ever written to the sector of these bytes, which lie in one word, and they are as they have always been.
    /// (That is what most loads find, and one look at memory tells it of all bytes.)
    fn is_as_ever(&self, first: u64, bytes: &[u8], around: &Surroundings<'_>) -> bool {
        let Expectation { is_remote, drops, .. } = self.expectation;
        if is_remote || drops || around.history.has_written(first) {
            return false;
        }
        let word = (around.word)(first / 4 * 4).to_le_bytes();
        word[first as usize % 4..].starts_with(bytes)
    }

    /// A byte of local memory is what its thread stored last.
    fn judge_local_byte(
        &self,
        lane: u32,
        register: u8,
        address: u64,
        value: u8,
        around: &Surroundings<'_>,
    ) -> Result<(), Violation> {
        let Surroundings { history, unit, word, .. } = *around;
        let memory = Memory { history, unit, floor: self.local_floor, word };
        let judged = around.local.judge(address, value, self.serial, &memory);
        judged.map_err(|rule| Violation::ForbiddenValue { tag: self.tag, lane, register, address, got: value, rule })
    }

    /// A byte of another CTA's shared memory is the one that came back.
    fn judge_remote_byte(&self, part: &Part, lane: u32, register: u8, address: u64, got: u8) -> Result<(), Violation> {
        let came = self.transaction_of(part).and_then(|own| own.came);
        if came.is_some_and(|bytes| bytes[address as usize % SECTOR_BYTES] == got) {
            return Ok(());
        }
        let rule = "a load of another CTA's shared memory sees what that has answered";
        Err(Violation::ForbiddenValue { tag: self.tag, lane, register, address, got, rule })
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
        if !is_held {
            let rule = match (self.expectation.from_memory, self.expectation.nc) {
                (true, _) => "a load at the memory side sees what was there since its acceptance",
                (false, true) => "a non-coherent load sees what was there since the last invalidation",
                (false, false) => "a weak load sees nothing older than the last invalidation, own store or strong load",
            };
            return Err(Violation::ForbiddenValue { tag: self.tag, lane, register, address, got: value, rule });
        }
        if self.expectation.drops {
            self.seen.push((address, around.history.seen_since(address, value, self.accepted)));
        }
        Ok(())
    }

    /// Registers that are written in a lane for a word of local lanes, or for a global or a shared one.
    fn writable(&self, lane: u32, word: Option<u64>) -> impl Iterator<Item = usize> {
        (0..self.written.len()).filter(move |number| {
            let number = *number as u64;
            self.expectation.writes(number) && self.expectation.word_of(lane, number) == word
        })
    }

    /// The words of a lane's access, each with registers of its own, if it is a local one; else all registers together.
    fn words_of(&self, lane: u32) -> impl Iterator<Item = Option<u64>> {
        let is_local = self.expectation.local >> lane & 1 == 1;
        let words = self.expectation.parts_of(lane).iter().filter(move |_| is_local).map(|part| part.word);
        words.chain((!is_local).then_some(None))
    }

    /// At `wb_last`: a lane is written in all registers of a word, or in none because its sector failed.
    fn judge_end(&self, around: &Surroundings<'_>) -> Result<(), Violation> {
        let tag = self.tag;
        let words = lanes_of(self.expectation.lanes).flat_map(|lane| self.words_of(lane).map(move |word| (lane, word)));
        for (lane, word) in words {
            let writable = || self.writable(lane, word);
            let is_written = |number: &usize| self.written[*number] >> lane & 1 == 1;
            if let Some(missing) = writable().find(|number| !is_written(number)) {
                let register = self.expectation.rd.wrapping_add(missing as u8);
                if writable().any(|number| is_written(&number)) || self.why_not_failed(lane, word, around).is_some() {
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
        if self.expectation.mmio
            && let Some(part) = self.next_lane().and_then(|lane| self.part_of(lane))
        {
            return Err(Violation::MissingTransaction { tag, address: part.sector() });
        }
        Ok(())
    }

    /// Lanes for which a memory_error record must still come.
    pub(super) fn owing(&self) -> u32 {
        let owes = |lane: &u32| {
            self.words_of(*lane).any(|word| {
                let has_failed =
                    self.part_in(*lane, word).is_some_and(|part| self.is_exact(&part) && self.has_failed(&part));
                let is_unwritten =
                    self.writable(*lane, word).next().is_some_and(|number| self.written[number] >> lane & 1 == 0);
                (has_failed || is_unwritten) && self.reported(word) >> lane & 1 == 0
            })
        };
        lanes_of(self.expectation.lanes).filter(owes).fold(0, |lanes, lane| lanes | 1 << lane)
    }

    /// Whether a memory_error record may come although nothing shows that one must: nothing is written where nobody can
    /// see whether a lane has failed, or it is a local store whose read may be another's.
    pub(super) fn may_report(&self, around: &Surroundings<'_>) -> bool {
        let mut parts = self.expectation.parts().iter().filter(|part| !self.is_exact(part));
        (self.expectation.kind == Kind::Store || self.expectation.kind == Kind::Load && self.expectation.rd == RZ)
            && parts.any(|part| {
                let is_reported = self.reported(part.word) >> part.lane & 1 == 1;
                !is_reported && self.why_not_failed(part.lane, part.word, around).is_none()
            })
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
            let rule = "precedence of faults";
            return Err(fault.denied(record, rule));
        }
        if cause != FaultCause::MemoryError.code() || lanes == 0 || lanes & !self.expectation.lanes != 0 {
            return Err(Violation::UnexpectedFault { tag, cause, lanes });
        }
        let word = self.judge_memory_error(lanes, addr, around)?;
        self.reported[word.unwrap_or(0) as usize % MOST_WORDS] |= lanes;
        Ok(self.ended && self.owing() == 0)
    }

    /// Judges a record; the word of local lanes that it is about, or none: it is about global ones.
    fn judge_memory_error(
        &self,
        lanes: u32,
        address: u64,
        around: &Surroundings<'_>,
    ) -> Result<Option<u64>, Violation> {
        let tag = self.tag;
        let lowest = lanes.trailing_zeros();
        let parts = self.expectation.parts_of(lowest);
        let Some(named) = parts.iter().find(|part| part.address == address) else {
            return Err(match parts.first() {
                Some(part) => Violation::WrongErrorAddress { tag, expected: part.address, got: address },
                None => Violation::UnfoundedError { tag, lane: lowest, reason: "it accesses nothing in memory" },
            });
        };
        for lane in lanes_of(lanes) {
            let unfounded = |reason| Err(Violation::UnfoundedError { tag, lane, reason });
            if let Some(reason) = self.why_not_failed(lane, named.word, around) {
                return unfounded(reason);
            }
            if self.reported(named.word) >> lane & 1 == 1 {
                return unfounded("the lane is already in another record");
            }
            if self.writable(lane, named.word).any(|number| self.written[number] >> lane & 1 == 1) {
                return unfounded("the lane was written");
            }
            let Some(part) = self.part_in(lane, named.word) else { continue };
            if part.line() != named.line() {
                return unfounded("the record's lowest lane is on another line");
            }
            // A sector fails for every lane that accesses it, but mmio accesses it once for each lane.
            let sharing = if self.expectation.mmio { 0 } else { self.expectation.lanes_in(named.word, part.sector()) };
            if sharing & !lanes != 0 {
                return Err(Violation::MissingErrorRecord { tag, lanes: sharing & !lanes });
            }
        }
        Ok(named.word)
    }

    /// A sector that the store has not written in full. (In local memory nobody sees what it writes.)
    fn missing_write(&self) -> Option<u64> {
        let is_missing = |part: &&Part| {
            if self.expectation.mmio {
                self.transaction_of(part).is_none()
            } else {
                let (wanted, sent) = self.wanted_and_sent(part.word, part.sector());
                wanted != sent
            }
        };
        self.expectation.parts().iter().filter(|part| part.word.is_none()).find(is_missing).map(Part::sector)
    }

    /// A sector with which the operation's access is certainly under way.
    fn unanswered(&self) -> Option<u64> {
        let is_open = |own: &&Transaction| own.answer.is_none() && !own.may_be_others;
        self.transactions.iter().find(is_open).map(|open| open.sector)
    }

    /// A sector for which a release of the same warp must wait. (A load that may share another's fetch can have been given the request
    /// of a third one, so nothing is said of it.)
    pub(super) fn holds_release(&self) -> Option<u64> {
        let missing = if self.is_legal(Kind::Store) { self.missing_write() } else { None };
        let may_share = self.is_weak_load() || self.expectation.kind == Kind::Load && self.expectation.local != 0;
        missing.or_else(|| if may_share { None } else { self.unanswered() })
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

    /// The sectors of which memory has taken bytes from this store: which bytes, and when.
    pub(super) fn stored(&self) -> impl Iterator<Item = (u64, u32, u64)> {
        self.transactions.iter().filter_map(|own| own.taken.map(|moment| (own.sector, own.strobes, moment)))
    }

    /// What is missing of the operation at the end.
    pub(super) fn unfinished(&self) -> Violation {
        Violation::unfinished(self.tag, self.ended, self.owing())
    }
}
