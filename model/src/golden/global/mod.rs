//! The global path: `ld.global`, `ld.global.nc`, `st.global`, `ld.shared`, `st.shared`, `ld.local`, `st.local`, L1, the
//! read-only cache and shared memory, as their timing contract words it.
//!
//! | file | part |
//! |---|---|
//! | `shape` | what an operation is: ordered, looked up, kept, ... |
//! | `legality` | faults decided before any pass |
//! | `operation` | places `intake`, `check`, `issue`: lanes by line or bank |
//! | `shared` | shared memory, and the lanes that lie in it |
//! | `local` | the lanes that lie in local memory, and where that lies |
//! | `window_lanes` | lanes in a window, their offsets and its limit |
//! | `window` | the lanes that read constant banks, and where these lie |
//! | `cluster` | the lanes that lie in other CTAs' shared memory, and the requests for it |
//! | `serve` | places `serve` and `reply`: other CTAs' requests |
//! | `bank` | lanes by bank, place `bank` |
//! | `pass` | one line's lanes, and the row in which they are read |
//! | `store` | store data and their merging, place `merge` |
//! | `line` | in which memory a line lies, how many sectors it has, the first id |
//! | `tag` | place `tag` |
//! | `before` | the cycle before, whose rows must keep their content |
//! | `write_back` | place `write_back`: local memory on its way to memory |
//! | `cache` | tags, ages and classes |
//! | `misses` | MSHRs and waiters |
//! | `requests` | read queue and place `write` |
//! | `rows` | the row store: all data but those of shared memory |
//! | `read` | places `read` and `landing` |
//! | `collector` | places `collect` and `emit` |
//! | `near` | comparisons in which one bit decides |
//! | `held`, `queue` | a place, and one with room for two |
//! | `flow` | who moves in which cycle |
//! | `pick` | which place is picked, and its next step |
//! | `front` | the edge of `intake`, `check`, `issue` and `merge` |
//! | `activity`, `place_values` | what is where, for waves and reports |
//! | `rules` | which rules act in a cycle, for coverage |

mod activity;
mod bank;
mod before;
mod cache;
mod cluster;
mod collector;
mod flow;
mod front;
mod held;
mod legality;
mod line;
mod local;
mod misses;
mod near;
mod operation;
mod pass;
mod pick;
mod place_values;
mod queue;
mod read;
mod requests;
mod rows;
mod rules;
mod serve;
mod shape;
mod shared;
mod store;
mod tag;
mod window;
mod window_lanes;
mod write_back;

pub(super) use flow::{Flow, GlobalGrants};
pub(super) use line::FIRST_ID;

use super::arbiter::Source;
use super::constant::BankTable;
use super::counts::{Counts, count};
use super::near::NearMisses;
use crate::pins::{
    ClusterRequest, ClusterResponse, FaultRecord, Inputs, MemoryRequest, MemoryResponse, SECTOR_WORDS, Writeback,
};
use crate::preset::Preset;
use bank::Banked;
use before::Before;
use cache::Cache;
use collector::Collected;
use held::Held;
use misses::{Misses, Mshr, Purpose, Waiter};
use operation::Operation;
use pass::Readable;
use pick::Pickable;
use queue::Queue;
use read::Read;
use requests::{ReadQueue, Write};
use rows::{Row, Rows, SectorData};
use serve::Serve;
use shared::{BankWords, SharedMemory};
use store::{Merging, StoreData};
use tag::{Stall, Tagged};
use write_back::WriteBack;

/// A store's bytes, which enter their row at the edge that ends this cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Update {
    row: Row,
    sector: u8,
    stored: SectorData,
}

/// The responses that are taken at an edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Responses<'a> {
    pub memory: Option<&'a MemoryResponse>,
    pub cluster: Option<&'a ClusterResponse>,
}

/// The global path.
#[derive(Clone, Debug)]
pub(super) struct Global {
    preset: Preset,
    /// Places, first to last, by the names of the contract.
    pub(super) intake: Held<Operation>,
    pub(super) check: Queue<Operation>,
    pub(super) issue: Held<Operation>,
    pub(super) merge: Held<Merging>,
    pub(super) tag: Queue<Tagged>,
    pub(super) hit: Queue<Readable>,
    pub(super) bank: Queue<Banked>,
    pub(super) ro_read: Held<Readable>,
    pub(super) ro_hit: Queue<Readable>,
    pub(super) resume: Queue<Readable>,
    pub(super) read: Held<Read>,
    pub(super) landing: Held<Read>,
    pub(super) collect: Held<Collected>,
    pub(super) emit: Held<Collected>,
    pub(super) write: Queue<Write>,
    pub(super) write_back: WriteBack,
    pub(super) fault: Option<FaultRecord>,
    pub(super) done: Option<u8>,
    store_data: StoreData,
    l1: Cache,
    read_only: Cache,
    rows: Rows,
    pub(super) misses: Misses,
    pub(super) read_queue: ReadQueue,
    shared: SharedMemory,
    /// A response from the cluster.
    pub(super) answer: Option<ClusterResponse>,
    pub(super) serve: Serve,
    /// This is an update cycle: of a row of L1, or of shared memory.
    update: Option<Update>,
    shared_update: Held<BankWords>,
    /// The place whose pass, or read of a part or of a sector, left last.
    left_last: Pickable,
    before: Before,
    /// What will be that of the next cycle, while this one's still counts; of no meaning between two cycles.
    next_before: Before,
}

impl Global {
    /// As after reset.
    pub(super) fn new(preset: &Preset) -> Self {
        let l1_rows = preset.l1_sets * preset.l1_ways;
        let own_rows = l1_rows + preset.ro_sets * preset.ro_ways;
        Self {
            preset: *preset,
            intake: Held::new(),
            check: Queue::new(),
            issue: Held::new(),
            merge: Held::new(),
            tag: Queue::new(),
            hit: Queue::new(),
            bank: Queue::new(),
            ro_read: Held::new(),
            ro_hit: Queue::new(),
            resume: Queue::new(),
            read: Held::new(),
            landing: Held::new(),
            collect: Held::new(),
            emit: Held::new(),
            write: Queue::new(),
            write_back: WriteBack::default(),
            fault: None,
            done: None,
            store_data: StoreData::new(),
            l1: Cache::new(preset.l1_sets, preset.l1_ways, 0),
            read_only: Cache::new(preset.ro_sets, preset.ro_ways, l1_rows),
            rows: Rows::new(own_rows + preset.misses),
            misses: Misses::new(preset.misses, own_rows),
            read_queue: ReadQueue::new(),
            shared: SharedMemory::new(preset),
            answer: None,
            serve: Serve::new(preset),
            update: None,
            shared_update: Held::new(),
            left_last: Pickable::WriteBack,
            before: Before::default(),
            next_before: Before::default(),
        }
    }

    /// An edge with `rst` high.
    pub(super) fn reset(&mut self, inputs: &Inputs, near: &mut NearMisses) {
        self.advance_serve(false, inputs, near);
        self.intake.clear();
        self.check.clear();
        self.issue.clear();
        self.merge.clear();
        self.tag.clear();
        self.hit.clear();
        self.bank.clear();
        self.ro_read.clear();
        self.ro_hit.clear();
        self.resume.clear();
        self.read.clear();
        self.landing.clear();
        self.collect.clear();
        self.emit.clear();
        self.write.clear();
        self.write_back.clear();
        self.fault = None;
        self.done = None;
        self.store_data.taken = 0;
        self.l1.clear();
        self.read_only.clear();
        self.misses.clear();
        self.read_queue.clear();
        self.update = None;
        self.update_shared();
        self.answer = None;
        self.left_last = Pickable::WriteBack;
        self.before.clear();
    }

    /// Whether nothing is in flight.
    fn is_quiet(&self) -> bool {
        let queues = self.check.is_empty()
            && self.tag.is_empty()
            && self.hit.is_empty()
            && self.bank.is_empty()
            && self.ro_hit.is_empty()
            && self.resume.is_empty()
            && self.write.is_empty();
        let operations = self.intake.is_full() || self.issue.is_full();
        let passes = self.merge.is_full() || self.ro_read.is_full();
        let words = self.read.is_full() || self.landing.is_full() || self.collect.is_full() || self.emit.is_full();
        let ends = self.fault.is_some() || self.done.is_some();
        let waits = self.is_updating() || self.write_back.is_full() || !self.misses.is_quiet();
        queues && !(operations || passes || words || ends || waits) && self.serve.is_quiet()
    }

    /// Whether this is an update cycle.
    fn is_updating(&self) -> bool {
        self.update.is_some() || self.shared_update.is_full()
    }

    /// Whether a response can act in this cycle: nothing else is written into the row store.
    fn can_respond(&self) -> bool {
        !self.is_updating() && !self.serve.writes()
    }

    /// Rule RESPONSE: whether a `mem_rsp` can be taken in this cycle.
    pub(super) fn takes_response(&self) -> bool {
        self.can_respond() && self.answer.is_none()
    }

    /// The register on `wb`, if there is one.
    pub(super) fn drive_writeback(&self, writeback: &mut Writeback) {
        if let Some(emission) = self.emit.get() {
            emission.register(writeback);
        }
    }

    /// Whether `read_queue`, and whether `write`, has a request for the cluster port, if `remote`, or for the memory port.
    pub(super) fn asks(&self, remote: bool) -> [bool; 2] {
        let head = self.read_queue.head().and_then(|number| self.misses.waiter(number));
        let read = head.is_some_and(|waiter| waiter.pass.line.is_remote() == remote);
        [read, self.write.get().is_some_and(|write| write.remote == remote)]
    }

    /// The next request of `read_queue`, or of `write`, for the memory port.
    pub(super) fn memory_request(&self, source: Source) -> Option<MemoryRequest> {
        match source {
            Source::First => self.read_queue.request(&self.misses),
            Source::Second => self.write.get().map(|write| write.request),
        }
    }

    /// The same for the cluster port.
    pub(super) fn cluster_request(&self, source: Source) -> Option<ClusterRequest> {
        self.memory_request(source).as_ref().map(cluster::request)
    }

    /// Passes in `bank`.
    fn banked(&self) -> impl Iterator<Item = &Readable> {
        self.bank.places().into_iter().filter_map(Held::get).map(|banked| &banked.readable)
    }

    /// Of their operations.
    fn banked_shapes(&self) -> impl Iterator<Item = &shape::Shape> {
        self.banked().map(|readable| &readable.pass.shape)
    }

    /// The rising edge. Places move from the last to the first, so that each finds room in the next one. `taken` are
    /// the responses that are; `accepted` is given if the request on the pins is: the banks as they are after the edge.
    pub(super) fn advance(
        &mut self,
        flow: &Flow,
        grants: &GlobalGrants,
        taken: &Responses<'_>,
        accepted: Option<&BankTable>,
        inputs: &Inputs,
        counts: &mut Counts,
    ) {
        let goes = |place| flow.picked.goes && flow.picked.place == Some(place);
        let left = self.misses.left();
        if flow.quiet {
            self.misses.end_use(left);
            self.advance_serve(false, inputs, &mut counts.near);
            self.accept(accepted, inputs, counts);
            return;
        }
        // On the state of the cycle: what is picked is still to be read, no waiter is free again, and no response has acted.
        if flow.tag_moves {
            self.near_look_up(&mut counts.near);
        }
        self.near_collected(flow, &mut counts.near);
        let look = if flow.tag_moves { self.look_up() } else { None };
        let allocation = look.as_ref().and_then(|look| self.allocation(look));
        let mut before = std::mem::take(&mut self.next_before);
        before.begin(self.readings(), self.misses.mshrs().map(|mshr| mshr.row));

        self.count_requests(grants, counts);
        let acting = if self.answer.is_some() && self.can_respond() { self.answer.take() } else { None };
        if self.answer.is_none() && taken.cluster.is_some() {
            self.answer = taken.cluster.copied();
        }
        let acquired_shared = self.acquires_shared(flow);
        self.advance_serve(goes(Pickable::Serve), inputs, &mut counts.near);
        self.advance_write_back(goes(Pickable::WriteBack), flow.write_back);
        self.advance_outputs(flow, grants);
        if flow.ro_read_moves {
            self.ro_read.move_to(self.ro_hit.end());
        }
        if flow.tag_moves {
            self.enter_hit(look.as_ref(), &mut before);
        }
        let acquired = flow.waiter_moves.is_some_and(|number| self.enter_resume(number));
        if let Some(Update { row, sector, stored }) = &self.update {
            self.rows.update(*row, *sector, stored);
            self.update = None;
        }
        self.update_shared();
        if let Some(MemoryResponse { id, data, error }) = taken.memory {
            self.receive(id.wrapping_sub(FIRST_ID), data, *error, counts);
        }
        if let Some(ClusterResponse { id, data, error }) = &acting {
            self.receive(*id, data, *error, counts);
        }
        match flow.tag_stall {
            Some(Stall::Order) => {
                count(&mut counts.status.stall_order, 1);
                self.near_order(&mut counts.near);
            }
            Some(Stall::Misses) => count(&mut counts.status.stall_misses, 1),
            Some(Stall::Data) => count(&mut counts.status.stall_data, 1),
            None => {}
        }
        if flow.tag_moves {
            self.leave_tag(look, counts);
        }
        if acquired || acquired_shared {
            self.invalidate(false);
        }
        self.misses.end_use(left);
        self.next_before = std::mem::replace(&mut self.before, before);
        self.advance_front(flow, inputs, counts);
        self.accept(accepted, inputs, counts);
        if let Some(allocation) = &allocation {
            self.near_next_line(allocation, &mut counts.near);
        }
    }

    /// Requests taken.
    fn count_requests(&mut self, grants: &GlobalGrants, counts: &mut Counts) {
        if grants.read {
            if let Some(waiter) = self.read_queue.head().and_then(|number| self.misses.waiter(number)) {
                count(&mut counts.accounts.of(waiter.pass.shape.tag).mem_sectors, 1);
            }
            count(&mut counts.status.sectors_read, 1);
            self.read_queue.advance();
        }
        if grants.write {
            if let Some(tag) = self.write.get().and_then(|write| write.tag) {
                count(&mut counts.accounts.of(tag).mem_sectors, 1);
            }
            count(&mut counts.status.sectors_written, 1);
            self.write.pop();
        }
        if grants.cluster_read {
            self.read_queue.advance();
        }
        if grants.cluster_write {
            self.write.pop();
        }
    }

    /// Rule SERVE: the edge of `serve` and `reply`, on the state of the cycle.
    fn advance_serve(&mut self, picked: bool, inputs: &Inputs, near: &mut NearMisses) {
        let updates = self.is_updating();
        self.serve.advance(&mut self.shared, picked, updates, inputs, near);
        if picked {
            self.left_last = Pickable::Serve;
        }
    }

    /// Rule FLUSH: whether an acquire leaves `bank`.
    fn acquires_shared(&self, flow: &Flow) -> bool {
        let leaves = flow.picked.leaves && flow.picked.place == Some(Pickable::Bank);
        leaves && self.bank.get().is_some_and(|banked| banked.readable.pass.shape.acquire)
    }

    /// `emit`, `fault`, `done`, `collect`, `landing`, `read` and the picked place.
    fn advance_outputs(&mut self, flow: &Flow, grants: &GlobalGrants) {
        if grants.fault {
            self.fault = None;
        }
        if grants.done {
            self.done = None;
        }
        if flow.emit_leaves {
            self.emit.clear();
        } else if grants.wb
            && let Some(emission) = self.emit.get_mut()
        {
            emission.sent += 1;
        }
        if flow.collect_moves {
            self.collect.move_to(&mut self.emit);
        }
        if flow.landing_moves
            && let Some(read) = self.landing.get()
        {
            if !self.collect.is_full() {
                self.collect.fill().begin(read);
            }
            if let Some(collected) = self.collect.get_mut() {
                collected.collect(read);
            }
            self.landing.clear();
        }
        if flow.read_moves {
            self.read.move_to(&mut self.landing);
        }
        self.advance_picked(&flow.picked);
        if flow.issue_faults
            && let Some(operation) = self.issue.get()
        {
            self.fault = operation.fault;
            self.issue.clear();
        }
    }

    /// Rule UPDATE: if this is an update cycle of shared memory, the bytes are written.
    fn update_shared(&mut self) {
        if let Some(words) = self.shared_update.get() {
            self.shared.update(words);
            self.shared_update.clear();
        }
    }

    /// A waiter moves to `resume`; true if it is an acquire.
    fn enter_resume(&mut self, number: u8) -> bool {
        let (Waiter { pass, needs, .. }, mshr) = self.misses.release(number);
        let resume = self.resume.end().fill();
        if pass.shape.is_load() {
            resume.put_in_row(pass, pass.lanes, mshr.row, *needs);
        } else {
            resume.put(pass);
        }
        if mshr.failed != 0 {
            resume.failed = pass.lanes_in(mshr.failed);
        }
        pass.shape.acquire
    }

    /// Rule RESPONSE: the response acts; `number` is 4 x MSHR + sector.
    fn receive(&mut self, number: u8, data: &[u32; SECTOR_WORDS], error: bool, counts: &mut Counts) {
        let (mshr, sector) = (number / 4, number % 4);
        let Some(Mshr { read_only, purpose, keep, row, .. }) = self.misses.arrive(mshr, sector, error) else {
            return;
        };
        match purpose {
            Purpose::Load => self.rows.fill(row, sector, data, 0),
            Purpose::LocalStore { strobes } => self.rows.fill(row, sector, data, strobes),
            Purpose::Store => {}
            Purpose::WriteBack => counts.status.write_back_error |= error,
        }
        let cache = if read_only { &mut self.read_only } else { &mut self.l1 };
        let Some(slot) = cache.slot(row).filter(|_| keep) else { return };
        match purpose {
            Purpose::Load | Purpose::LocalStore { .. } if !error => cache.validate(slot, sector),
            // Memory does not hold what L1 holds.
            Purpose::Store if error => cache.drop_sectors(slot, 1 << sector),
            // The store has failed.
            Purpose::LocalStore { .. } => cache.forget_written(slot, 1 << sector),
            Purpose::Load | Purpose::Store | Purpose::WriteBack => {}
        }
    }
}
