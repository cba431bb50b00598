//! Judge of loads, stores and commands of the global path.
//!
//! | rule | what is judged |
//! |---|---|
//! | memory side | strong loads, cv and cg: every byte is one that memory held between acceptance and completion, the sector was asked for by the operation itself |
//! | weak | every byte is one that memory held since L1 was emptied, since the unit's own last completed store, since its last strong load of the byte |
//! | nc | every byte is one that memory held since the read-only cache was emptied |
//! | acquire | a later load of its warp that completes after it sees nothing older than the acquire did |
//! | release | no byte is written before every earlier store of its warp, and load at the memory side, is answered, nor before every earlier load of shared memory has read; of bytes in shared memory this is judged at `done` |
//! | stores | every byte reaches memory exactly once, as the highest lane gave it; `done` comes when all are acknowledged |
//! | shared memory | accesses take effect in the order of acceptance: every byte is the one last stored before, by the highest lane; a reset leaves in doubt what was not answered; nothing of it is asked of memory |
//! | served | accesses of other CTAs take effect in their order, each between its request and its answer; a load sees nothing older than an earlier one of its unit did; exactly one answer to each |
//! | cluster | an access to another CTA's shared memory asks that CTA, itself, for its own bytes, and nobody else; it delivers what came back |
//! | local memory | lies in memory, word by word beside that of the other lanes; each thread's accesses take effect in the order of acceptance, whatever else they say; unless it was loaded for the last time, nothing is lost |
//! | write-back | of whole sectors, each byte as its thread left it, once for what was stored, and before the command for it is done; nobody asks for a sector that is being written back |
//! | windows | a generic load in the window of constants or of parameters is one of global memory, where its bank lies; beyond the bank, and for a store, it is a fault |
//! | mmio | one transaction for each lane, in lane order, of exactly its bytes |
//! | requests | none that no operation in flight wants, each with the operation's attributes |
//! | errors | exactly the lanes of failed sectors are reported and not written |
//!
//! A weak load may share another operation's fetch, so its errors are judged by what was answered while its line was in
//! use without a gap; for all others by their own transactions.

mod expectation;
mod flight;
mod local;
mod shared;
mod timeline;
mod window;

pub(super) use window::Constants;

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::versions::{SharedHistory, WriteBack, bytes_of};
use super::violation::Violation;
use crate::micro_op::Command;
use crate::pins::{
    ClusterRequest, ClusterResponse, FaultRecord, MAX_LANES, MemoryRequest, MemoryResponse, Request, SECTOR_BYTES,
    ServeRequest, ServeResponse, Status, Windows, Writeback,
};
use crate::preset::Preset;
use expectation::{Expectation, Kind};
use flight::{ByteFloors, Flight, Surroundings, Transaction};
use local::{Accepted, LocalMemory, Memory, Objection};
use shared::SharedMemory;

/// The first id of this path at the memory port.
pub(super) const FIRST_ID: u8 = 64;

/// Bits of the byte offset in an address of a cluster's shared memory; those of the rank follow.
pub(super) const CLUSTER_OFFSET_BITS: u32 = 24;

/// Operations after which no memory_error record of one that nobody misses is expected any more.
const RECORDS_WAIT: u64 = 256;

/// Sectors with byte floors before the useless ones are looked for.
const MANY_FLOORS: usize = 4096;

/// A request that has not been answered.
#[derive(Clone, Copy, Debug)]
struct Open {
    address: u64,
    write: bool,
    owner: Owner,
}

/// Who has made a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    /// The operation with this number, as which of its transactions, and whether for local memory.
    Operation { serial: u64, transaction: usize, is_local: bool },
    /// Nobody: a sector of local memory is written back.
    WriteBack(WriteBack),
}

impl Open {
    fn is_write_back(&self) -> bool {
        self.write_back().is_some()
    }

    fn write_back(&self) -> Option<WriteBack> {
        match self.owner {
            Owner::Operation { .. } => None,
            Owner::WriteBack(write_back) => Some(write_back),
        }
    }

    /// Whether it concerns a sector of local memory.
    fn is_local(&self) -> bool {
        match self.owner {
            Owner::Operation { is_local, .. } => is_local,
            Owner::WriteBack(_) => true,
        }
    }
}

/// A store's data that have not come.
#[derive(Clone, Copy, Debug)]
struct AwaitedData {
    serial: u64,
    tag: u8,
    /// Registers that are missing.
    left: u64,
}

/// Operations on a line without a gap.
#[derive(Clone, Copy, Debug)]
struct Chain {
    operations: u32,
    since: u64,
}

/// What the counters must add up to.
#[derive(Clone, Copy, Debug, Default)]
struct Totals {
    wavefronts: u32,
    replays: u32,
    read: u32,
    written: u32,
    l1_sectors: u32,
    read_only_sectors: u32,
}

/// Operations, of which any may leave: those behind it move up, which boxes do faster.
type Flights = Vec<Box<Flight>>;

/// The judge.
#[derive(Clone, Debug)]
pub(super) struct GlobalJudge {
    preset: Preset,
    windows: Windows,
    history: SharedHistory,
    shared: SharedMemory,
    local: LocalMemory,
    /// A write-back was answered with an error.
    has_write_back_error: bool,
    /// Number of this unit in the history.
    unit: usize,
    /// In the order of acceptance.
    flights: Flights,
    /// Those that are over, whose lists have room.
    over: Flights,
    serial: u64,
    /// Stores whose data have not all come.
    data_queue: VecDeque<AwaitedData>,
    /// Data came under another tag than their store's.
    has_wrong_tag: bool,
    /// By id at the memory port, or at the cluster port, whose ids are all lower.
    open: FxHashMap<u8, Open>,
    /// L1 and the read-only cache hold nothing older.
    l1_floor: u64,
    read_only_floor: u64,
    /// The same of L1's lines of local memory; none while there are none.
    local_floor: Option<u64>,
    /// By sector: what this unit has stored, or seen and dropped.
    byte_floors: FxHashMap<u64, Box<ByteFloors>>,
    chains: FxHashMap<u64, Chain>,
    /// By sector: the last read that was answered with an error.
    read_errors: FxHashMap<u64, u64>,
    totals: Totals,
}

impl GlobalJudge {
    pub(super) fn new(preset: &Preset, history: SharedHistory) -> Self {
        let unit = history.join();
        Self {
            preset: *preset,
            windows: Windows::default(),
            unit,
            history,
            shared: SharedMemory::new(preset.shared_bytes),
            local: LocalMemory::default(),
            has_write_back_error: false,
            flights: Vec::new(),
            over: Vec::new(),
            serial: 0,
            data_queue: VecDeque::new(),
            has_wrong_tag: false,
            open: FxHashMap::default(),
            l1_floor: 0,
            read_only_floor: 0,
            local_floor: None,
            byte_floors: FxHashMap::default(),
            chains: FxHashMap::default(),
            read_errors: FxHashMap::default(),
            totals: Totals::default(),
        }
    }

    pub(super) fn reset(&mut self, forgets: bool) {
        self.shared.reset(forgets);
        self.flights.clear();
        self.data_queue.clear();
        self.has_wrong_tag = false;
        self.has_write_back_error = false;
        self.local.clear();
        self.local_floor = None;
        self.open.clear();
        self.byte_floors.clear();
        self.chains.clear();
        self.read_errors.clear();
        self.totals = Totals::default();
        self.l1_floor = self.history.tick();
        self.read_only_floor = self.l1_floor;
        self.publish_floor();
    }

    pub(super) fn set_windows(&mut self, windows: Windows) {
        self.windows = windows;
    }

    /// Whether an operation with this tag must still be answered.
    pub(super) fn is_in_flight(&self, tag: u8) -> bool {
        self.flights.iter().any(|flight| flight.tag == tag && !flight.ended)
    }

    /// Whether this judge knows the operation.
    pub(super) fn knows(&self, tag: u8) -> bool {
        self.flights.iter().any(|flight| flight.tag == tag)
    }

    pub(super) fn is_idle(&self) -> bool {
        let is_quiet = self.shared.unanswered().next().is_none() && !self.open.values().any(Open::is_write_back);
        is_quiet && self.flights.iter().all(|flight| flight.ended && flight.owing() == 0)
    }

    pub(super) fn unfinished(&self) -> impl Iterator<Item = Violation> {
        let flights = self.flights.iter().filter(|flight| !flight.ended || flight.owing() != 0);
        let served = self.shared.unanswered().map(|served| Violation::NotServed { id: served.id, rank: served.rank });
        flights.map(|flight| flight.unfinished()).chain(served)
    }

    pub(super) fn accept(&mut self, request: &Request, constants: &Constants<'_>) {
        // Of the last ones, a record could have come and did not.
        let oldest = self.serial.saturating_sub(RECORDS_WAIT);
        self.flights.retain(|flight| !flight.ended || flight.owing() != 0 || flight.serial > oldest);
        let accepted = self.history.tick();
        self.serial += 1;
        let mut flight = self.over.pop().unwrap_or_default();
        let room = &mut flight.expectation;
        let expectation = Expectation::of(request, &self.preset, &self.windows, constants, room);
        if expectation.kind == Kind::Store {
            let (serial, tag, left) = (self.serial, request.tag, expectation.registers);
            self.data_queue.push_back(AwaitedData { serial, tag, left });
        }
        let passes = expectation.passes(&self.preset);
        self.totals.wavefronts = self.totals.wavefronts.wrapping_add(passes);
        self.totals.replays = self.totals.replays.wrapping_add(passes.saturating_sub(1));
        if expectation.kind == Kind::Load {
            let sectors = if expectation.nc { &mut self.totals.read_only_sectors } else { &mut self.totals.l1_sectors };
            *sectors = sectors.wrapping_add(expectation.looked_up());
        }
        let floor = match (expectation.from_memory, expectation.nc) {
            (true, _) => accepted,
            (false, true) => self.read_only_floor,
            (false, false) => self.l1_floor,
        };
        let local_floor = self.local_floor.unwrap_or(accepted);
        if expectation.local != 0 {
            self.local_floor = Some(local_floor);
        }
        flight.begin(request.tag, self.serial, expectation, accepted, [floor, local_floor]);
        if flight.expectation.kind == Kind::Load {
            self.look_back(&mut flight);
        }
        if flight.expectation.shared != 0 {
            self.shared.accept(flight.serial, flight.stored_in_shared());
        }
        if flight.expectation.local != 0 {
            self.accept_local(&flight);
        }
        self.flights.push(flight);
    }

    /// What an operation that is accepted does in local memory.
    fn accept_local(&mut self, flight: &Flight) {
        let oldest = self.flights.iter().find(|other| !other.ended).map_or(flight.serial, |oldest| oldest.serial);
        let accepted = Accepted { serial: flight.serial, moment: flight.accepted, oldest };
        if flight.expectation.kind == Kind::Store {
            for sector in flight.local_sectors() {
                self.local.store(sector, flight.local_strobes(sector), accepted);
            }
        }
        flight.last_used().into_iter().for_each(|sector| self.local.last_use(sector, accepted));
    }

    /// What has happened before that concerns a load: byte floors and errors of fetches under way.
    fn look_back(&mut self, flight: &mut Flight) {
        let expectation = &flight.expectation;
        if expectation.is_remote {
            return;
        }
        for line in expectation.lines() {
            let chain = self.chains.entry(line).or_insert(Chain { operations: 0, since: flight.accepted });
            chain.operations += 1;
            flight.error_floors.push((line, chain.since));
        }
        if expectation.nc || self.byte_floors.is_empty() {
            return;
        }
        for part in expectation.parts() {
            let sector = part.sector();
            if flight.byte_floors.iter().all(|(known, _)| *known != sector)
                && let Some(floors) = self.byte_floors.get(&sector)
            {
                flight.byte_floors.push((sector, **floors));
            }
        }
    }

    /// One register of store data, sent under `tag`, which decides nothing but the status bit.
    pub(super) fn store_data(&mut self, tag: u8, data: &[u32; MAX_LANES]) -> Result<(), Violation> {
        let Some(awaited) = self.data_queue.front_mut() else { return Err(Violation::UnwantedData) };
        self.has_wrong_tag |= awaited.tag != tag;
        awaited.left -= 1;
        let serial = awaited.serial;
        if awaited.left == 0 {
            self.data_queue.pop_front();
        }
        if let Some(flight) = self.flights.iter_mut().find(|flight| flight.serial == serial) {
            flight.data.push(*data);
            if flight.has_data() {
                if flight.expectation.shared != 0 {
                    self.shared.know(serial, flight.stored_in_shared());
                }
                for sector in flight.local_sectors() {
                    self.local.know(sector, serial, &flight.stored_locally(sector));
                }
            }
        }
        Ok(())
    }

    /// A request is taken; memory is still as it was before.
    pub(super) fn memory_request(
        &mut self,
        request: &MemoryRequest,
        word: &dyn Fn(u64) -> u32,
    ) -> Result<(), Violation> {
        let MemoryRequest { id, addr: address, strb: strobes, write, .. } = *request;
        if self.open.contains_key(&id) {
            return Err(Violation::IdInFlight { id });
        }
        let total = if write { &mut self.totals.written } else { &mut self.totals.read };
        *total = total.wrapping_add(1);
        let unwanted = if write {
            Violation::UnwantedWrite { id, address, strobes }
        } else {
            Violation::UnwantedRead { id, address, strobes }
        };
        match self.claim(request, false, unwanted) {
            Err(violation) if write && violation == unwanted => self.write_back(request, unwanted, word)?,
            verdict => verdict?,
        }
        let is_local = |open: &Open| open.address == address && open.is_local();
        let mut others = self.open.iter().filter(|(other, open)| **other != id && is_local(open));
        let is_own_local = self.open.get(&id).is_some_and(Open::is_local);
        let may_be_global = self.flights.iter().any(|flight| flight.reads_globally(address));
        if is_own_local && !may_be_global && others.any(|(_, other)| write || other.is_write_back()) {
            return Err(Violation::PassedWriteBack { id, address });
        }
        if write {
            self.history.remember(address, || bytes_of(&std::array::from_fn(|index| word(address + 4 * index as u64))));
        }
        Ok(())
    }

    /// Judges a write that no operation wants: that of a sector of local memory.
    fn write_back(
        &mut self,
        request: &MemoryRequest,
        unwanted: Violation,
        word: &dyn Fn(u64) -> u32,
    ) -> Result<(), Violation> {
        let MemoryRequest { id, addr: address, data, .. } = *request;
        // It carries nothing of any operation.
        let whole = MemoryRequest { id, write: true, addr: address, strb: u32::MAX, data, ..MemoryRequest::default() };
        if *request != whole {
            return Err(unwanted);
        }
        let memory =
            Memory { history: &self.history, unit: self.unit, floor: self.local_floor.unwrap_or(u64::MAX), word };
        let judged = self.local.write_back(address, &bytes_of(&data), &memory);
        let write_back = judged.map_err(|objection| match objection {
            Objection::Clean => unwanted,
            Objection::Byte { address, got } => Violation::WrongWriteBack { id, address, got },
        })?;
        self.open.insert(id, Open { address, write: true, owner: Owner::WriteBack(write_back) });
        Ok(())
    }

    /// Finds the operation that wants this request, to another CTA if `is_remote`, and judges its release.
    fn claim(&mut self, request: &MemoryRequest, is_remote: bool, unwanted: Violation) -> Result<(), Violation> {
        let MemoryRequest { id, addr: address, write, data, .. } = *request;
        let bytes = bytes_of(&data);
        let mut flights = self.flights.iter_mut().filter(|flight| flight.expectation.is_remote == is_remote);
        let claimed = flights.find_map(|flight| {
            let is_own = if write { flight.claims_write(request, &bytes) } else { flight.claims_read(request) };
            is_own.then_some(flight)
        });
        let flight = claimed.ok_or(unwanted)?;
        let transaction = flight.transactions.len() - 1;
        let (serial, tag, warp) = (flight.serial, flight.tag, flight.expectation.warp);
        let is_local = flight.transactions[transaction].word.is_some();
        let is_release = flight.expectation.release && !is_local;
        self.open.insert(id, Open { address, write, owner: Owner::Operation { serial, transaction, is_local } });
        if is_local {
            let may_be_others = self.flights.iter().any(|other| other.serial != serial && other.may_read(address));
            if let Some(flight) = self.flights.iter_mut().find(|flight| flight.serial == serial) {
                flight.transactions[transaction].may_be_others = may_be_others;
            }
        }
        if is_release { self.judge_release(serial, tag, warp) } else { Ok(()) }
    }

    /// Judges a release at the moment at which others can see it.
    fn judge_release(&mut self, serial: u64, tag: u8, warp: u8) -> Result<(), Violation> {
        let mut earlier = self.flights.iter().filter(|other| other.serial < serial && other.expectation.warp == warp);
        // When a load of shared memory has read is seen by what it is given.
        self.shared.release(earlier.clone().filter(|other| other.loads_shared()).map(|other| other.serial));
        match earlier.find_map(|other| other.holds_release().map(|address| (other.tag, address))) {
            Some((earlier, address)) => Err(Violation::ReleasedTooEarly { tag, earlier, address }),
            None => Ok(()),
        }
    }

    /// A request to another CTA is taken.
    pub(super) fn cluster_request(&mut self, request: &ClusterRequest) -> Result<(), Violation> {
        let ClusterRequest { id, rank, addr: address, strb: strobes, write, .. } = *request;
        if self.open.contains_key(&id) {
            return Err(Violation::ClusterIdInFlight { id });
        }
        let unwanted = Violation::UnwantedClusterRequest { id, rank, address, strobes, write };
        if address >> CLUSTER_OFFSET_BITS != 0 {
            return Err(unwanted);
        }
        let whole = MemoryRequest {
            id,
            write,
            addr: u64::from(rank) << CLUSTER_OFFSET_BITS | address,
            strb: strobes,
            data: request.data,
            l2_evict: request.l2_evict,
            policy_en: request.policy_en,
            policy: request.policy,
            prefetch: request.prefetch,
            cop: request.cop,
            sem: request.sem,
            scope: request.scope,
        };
        self.claim(&whole, true, unwanted)
    }

    /// Another CTA's response is taken.
    pub(super) fn cluster_response(&mut self, response: &ClusterResponse) {
        let Some(open) = self.open.remove(&response.id) else { return };
        if let Some(transaction) = self.transaction(open.owner) {
            transaction.answer = Some(!response.error);
            transaction.came = Some(bytes_of(&response.data));
        }
    }

    /// The operation's transaction that a request is.
    fn transaction(&mut self, owner: Owner) -> Option<&mut Transaction> {
        let Owner::Operation { serial, transaction, .. } = owner else { return None };
        let flight = self.flights.iter_mut().find(|flight| flight.serial == serial)?;
        flight.transactions.get_mut(transaction)
    }

    /// Another CTA's request is taken.
    pub(super) fn serve_request(&mut self, request: &ServeRequest) {
        self.shared.serve(request, &self.windows.cluster);
    }

    /// Judges the response to another CTA.
    pub(super) fn serve_response(&mut self, response: &ServeResponse) -> Result<(), Violation> {
        self.shared.reply(response)
    }

    /// Memory has taken the write.
    pub(super) fn memory_write(&mut self, request: &MemoryRequest) {
        let open = self.open.get(&request.id).copied();
        let written_back = open.and_then(|open| open.write_back());
        let moment = self.history.write(request.addr, request.strb, &bytes_of(&request.data), written_back);
        if let Some(transaction) = open.and_then(|open| self.transaction(open.owner)) {
            transaction.taken = Some(moment);
        }
    }

    /// A response is taken.
    pub(super) fn memory_response(&mut self, response: &MemoryResponse) {
        let Some(open) = self.open.remove(&response.id) else { return };
        if response.error && !open.write {
            self.read_errors.insert(open.address, self.history.tick());
        }
        if response.error && open.is_write_back() {
            self.has_write_back_error = true;
            self.local.write_back_failed(open.address);
        }
        let Owner::Operation { serial, transaction, .. } = open.owner else { return };
        let flight = self.flights.iter_mut().find(|flight| flight.serial == serial);
        // An operation that has ended without a read has not made it.
        let mut stored = None;
        if let Some(flight) = flight {
            let own = &mut flight.transactions[transaction];
            own.answer = Some(!response.error);
            let is_own_store = flight.expectation.kind == Kind::Store && !own.may_be_others;
            stored = own.word.filter(|_| is_own_store).map(|word| flight.wanted_and_sent(Some(word), open.address).0);
        }
        match stored {
            _ if open.write || !response.error => {}
            Some(strobes) => self.local.fail(open.address, serial, strobes),
            None => self.local.doubt(open.address),
        }
    }

    /// Judges the operation that `number` names by `judge`, which tells whether it is complete.
    fn judge(
        &mut self,
        number: usize,
        word: &dyn Fn(u64) -> u32,
        judge: impl FnOnce(&mut Flight, &Surroundings<'_>) -> Result<bool, Violation>,
    ) -> Result<(), Violation> {
        let Some(flight) = self.flights.get_mut(number) else { return Ok(()) };
        let read_error = |sector| self.read_errors.get(&sector).copied();
        let around = Surroundings {
            history: &self.history,
            shared: &self.shared,
            local: &self.local,
            unit: self.unit,
            word,
            read_error: &read_error,
        };
        let had_ended = flight.ended;
        let is_complete = judge(flight, &around)?;
        let leaves = is_complete && !flight.may_report(&around);
        let ends = flight.ended && !had_ended;
        if leaves {
            let flight = self.flights.remove(number);
            if ends {
                self.end(&flight);
            }
            self.over.push(flight);
        } else if ends {
            // Only its error records are still to come, which is rare.
            let flight = flight.clone();
            self.end(&flight);
        }
        Ok(())
    }

    /// The operation that `tag` names on `port`.
    fn find(&self, tag: u8, port: &'static str) -> Result<usize, Violation> {
        let found = self.flights.iter().position(|flight| flight.tag == tag && !flight.ended);
        found.ok_or(Violation::NoOperation { tag, port })
    }

    pub(super) fn writeback(&mut self, wb: &Writeback, word: &dyn Fn(u64) -> u32) -> Result<(), Violation> {
        let number = self.find(wb.tag, "wb")?;
        self.judge(number, word, |flight, around| flight.writeback(wb, around))
    }

    /// A tag can name an operation of which only records are still to come, and the next one. Records come in the order of
    /// the operations: first those that one owes that has ended, then those of the one in flight; one that has ended and
    /// shows nothing of its errors is the last to be asked.
    pub(super) fn fault(&mut self, record: &FaultRecord, word: &dyn Fn(u64) -> u32) -> Result<(), Violation> {
        let tag = record.tag;
        let mut verdict = Err(Violation::NoOperation { tag, port: "fault" });
        for rank in 0..3 {
            for number in 0..self.flights.len() {
                let flight = &self.flights[number];
                let own_rank = match flight.ended {
                    true if flight.owing() != 0 => 0,
                    true => 2,
                    false => 1,
                };
                if flight.tag == tag && own_rank == rank {
                    verdict = self.judge(number, word, |flight, around| flight.fault(record, around));
                    if verdict.is_ok() {
                        return verdict;
                    }
                }
            }
        }
        verdict
    }

    pub(super) fn done(&mut self, tag: u8, word: &dyn Fn(u64) -> u32) -> Result<(), Violation> {
        let number = self.find(tag, "done")?;
        let Flight { serial, expectation, .. } = &*self.flights[number];
        let (serial, warp) = (*serial, expectation.warp);
        let is_write_back = expectation.kind == Kind::Command(Command::WriteBackLocal);
        // What it has stored in shared memory no request shows.
        if expectation.release && expectation.shared != 0 {
            self.judge_release(serial, tag, warp)?;
        }
        if is_write_back {
            let held = |address: u64| {
                let initial = || word(address / 4 * 4).to_le_bytes()[address as usize % 4];
                self.history.latest(address).unwrap_or_else(initial)
            };
            let memory =
                Memory { history: &self.history, unit: self.unit, floor: self.local_floor.unwrap_or(u64::MAX), word };
            if let Some((address, got)) = self.local.missing(serial, held, &memory) {
                return Err(Violation::NotWrittenBack { tag, address, got });
            }
        }
        self.judge(number, word, |flight, _| flight.done())
    }

    /// An operation has completed: what it means for those that are accepted from now on.
    fn end(&mut self, flight: &Flight) {
        if flight.expectation.shared != 0 {
            self.shared.end(flight.serial);
        }
        match flight.expectation.kind {
            Kind::Command(Command::InvalidateL1) => self.l1_floor = self.l1_floor.max(flight.accepted),
            Kind::Command(Command::InvalidateReadOnly) => {
                self.read_only_floor = self.read_only_floor.max(flight.accepted)
            }
            Kind::Command(Command::WriteBackLocal) => {
                self.local_floor = self.local_floor.map(|floor| floor.max(flight.accepted));
            }
            Kind::Command(Command::InvalidateConstant) => {}
            Kind::Store => {
                flight.local_sectors().into_iter().for_each(|sector| self.local.end(sector, flight.serial));
                for (sector, strobes, moment) in flight.stored() {
                    self.raise(sector, strobes, moment);
                }
            }
            Kind::Load => {
                for (address, moment) in &flight.seen {
                    let byte = address % SECTOR_BYTES as u64;
                    self.raise(address - byte, 1 << byte, *moment);
                }
                if flight.expectation.acquire && flight.expectation.acquires_in() != 0 {
                    let latest = flight.seen.iter().map(|(_, moment)| *moment).max();
                    let emptied = flight.accepted.max(latest.unwrap_or(0));
                    self.l1_floor = self.l1_floor.max(emptied);
                    let later = self.flights.iter_mut().filter(|other| other.is_weak_load_after(flight));
                    later.for_each(|other| other.floor = other.floor.max(emptied));
                }
                self.leave_lines(flight);
            }
        }
        self.publish_floor();
    }

    fn leave_lines(&mut self, flight: &Flight) {
        for (line, _) in &flight.error_floors {
            if let Some(chain) = self.chains.get_mut(line) {
                chain.operations -= 1;
                if chain.operations == 0 {
                    self.chains.remove(line);
                }
            }
        }
    }

    /// Nothing older than `moment` is right any more in the bytes of `sector` that `strobes` names.
    fn raise(&mut self, sector: u64, strobes: u32, moment: u64) {
        if self.byte_floors.len() > MANY_FLOORS {
            let l1_floor = self.l1_floor;
            self.byte_floors.retain(|_, floors| floors.iter().any(|floor| *floor > l1_floor));
        }
        let floors = self.byte_floors.entry(sector).or_insert_with(|| Box::new([0; SECTOR_BYTES]));
        for (byte, floor) in floors.iter_mut().enumerate() {
            if strobes >> byte & 1 == 1 {
                *floor = moment.max(*floor);
            }
        }
    }

    /// Tells the history what nobody here will ask for any more.
    fn publish_floor(&self) {
        let in_flight =
            self.flights.iter().map(|flight| flight.floor.min(flight.local_floor)).min().unwrap_or(u64::MAX);
        let local_floor = self.local_floor.unwrap_or(u64::MAX);
        self.history.set_floor(self.unit, self.l1_floor.min(self.read_only_floor).min(local_floor).min(in_flight));
    }

    /// Judges the counters. To be called only while nothing is in flight.
    pub(super) fn status(&self, status: &Status) -> Result<(), Violation> {
        let all = [
            ("status_wdata_wrong_tag", u32::from(self.has_wrong_tag), u32::from(status.wdata_wrong_tag)),
            ("status_write_back_error", u32::from(self.has_write_back_error), u32::from(status.write_back_error)),
            ("status_wavefronts", self.totals.wavefronts, status.wavefronts),
            ("status_replays", self.totals.replays, status.replays),
            ("status_sectors_read", self.totals.read, status.sectors_read),
            ("status_sectors_written", self.totals.written, status.sectors_written),
            (
                "status_l1_hits + status_l1_misses",
                self.totals.l1_sectors,
                status.l1_hits.wrapping_add(status.l1_misses),
            ),
            (
                "status_ro_hits + status_ro_misses",
                self.totals.read_only_sectors,
                status.ro_hits.wrapping_add(status.ro_misses),
            ),
        ];
        match all.into_iter().find(|(_, expected, got)| expected != got) {
            Some((pin, expected, got)) => Err(Violation::WrongStatus { pin, expected, got, rule: "counters" }),
            None => Ok(()),
        }
    }
}
