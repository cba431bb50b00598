//! Golden model: the unit's pins in every cycle, as the timing contract of the constant cache words them.
//!
//! [`Golden::step`] is one clock cycle. The model is written in the contract's own terms (places, passes, groups, miss
//! entries), not flip-flop by flip-flop, and agrees with the hardware in every output pin of every cycle. Where the
//! environment breaks the port contract (a response that nobody asked for, a tag used twice at once) the model goes on
//! without panic, but what it does then means nothing.
//!
//! | file | part | rules |
//! |---|---|---|
//! | `address` | bank and address of every lane | LDC-1 to LDC-7 |
//! | `legality` | faults decided before any pass | LDC-9, LDC-10, LDC-11, LDC-13 |
//! | `operation` | places I, A, S: lanes by line | LDC-7, LDC-10, LDC-14 |
//! | `pass` | one line's lanes | LDC-8, LDC-14 |
//! | `bank_table` | base and size of each bank | LDC-7, LDC-8 |
//! | `tag` | place T | LDC-7, LDC-8 |
//! | `cache`, `misses`, `fetch` | lines, passes that wait, memory port | |
//! | `data` | place D | LDC-12 |
//! | `flow` | who moves in which cycle | |
//! | `lanes` | lane masks | |
//! | `places`, `place_values`, `activity` | what is where, for waves and reports | |

mod account;
mod activity;
mod address;
mod bank_table;
mod cache;
mod data;
mod fetch;
mod flow;
mod lanes;
mod legality;
mod misses;
mod operation;
mod pass;
mod place_values;
mod places;
mod tag;

pub use account::Account;
pub use activity::{Activity, PassNumber};
pub use place_values::PlaceVisitor;
pub use places::{DataView, EntryView, MAX_MISSES, OperationView, PassView, Places, TagView};

use crate::pins::{FaultRecord, Inputs, MemoryRequest, Outputs, Status, Writeback};
use crate::preset::Preset;
use account::Accounts;
use bank_table::BankTable;
use cache::Cache;
use data::DataPass;
use fetch::Fetch;
use flow::Flow;
use misses::{Misses, Progress};
use operation::{Kind, Operation};
use tag::TagContent;

/// The unit, cycle by cycle.
#[derive(Clone, Debug)]
pub struct Golden {
    preset: Preset,
    table: BankTable,
    cache: Cache,
    misses: Misses,
    fetch: Fetch,
    /// Places, first to last; the contract calls them I, A, S, T, D, W, F and X.
    intake: Option<Operation>,
    addressed: Option<Operation>,
    issue: Option<Operation>,
    tag: Option<TagContent>,
    data: Option<DataPass>,
    wb: Option<Writeback>,
    fault: Option<FaultRecord>,
    done: Option<u8>,
    status: Status,
    accounts: Accounts,
}

impl Golden {
    /// The unit as it is after reset.
    pub fn new(preset: &Preset) -> Self {
        Self {
            preset: *preset,
            table: BankTable::new(preset.address_bits),
            cache: Cache::new(preset.constant_ways),
            misses: Misses::new(preset.constant_misses),
            fetch: Fetch::new(preset.constant_misses),
            intake: None,
            addressed: None,
            issue: None,
            tag: None,
            data: None,
            wb: None,
            fault: None,
            done: None,
            status: Status::default(),
            accounts: Accounts::new(),
        }
    }

    /// One clock cycle: sets every output pin of this cycle, then advances over the rising edge that ends it.
    ///
    /// A payload is written only while its `valid` is high; otherwise `outputs` keeps what the caller left there.
    pub fn step(&mut self, inputs: &Inputs, outputs: &mut Outputs) {
        let flow = Flow::of(self, inputs);
        self.drive(&flow, outputs);
        if inputs.reset {
            self.reset();
        } else {
            self.advance(&flow, inputs);
        }
    }

    /// What the operation that was accepted last under `tag` has cost so far.
    pub fn account(&self, tag: u8) -> Account {
        self.accounts.get(tag)
    }

    fn reset(&mut self) {
        self.table.clear();
        self.cache.clear();
        self.misses.clear();
        self.fetch.clear();
        self.intake = None;
        self.addressed = None;
        self.issue = None;
        self.tag = None;
        self.data = None;
        self.wb = None;
        self.fault = None;
        self.done = None;
        self.status = Status::default();
        self.accounts.clear();
    }

    fn drive(&self, flow: &Flow, outputs: &mut Outputs) {
        outputs.req_ready = flow.intake_free;
        outputs.wb_valid = self.wb.is_some();
        if let Some(wb) = &self.wb {
            outputs.wb = *wb;
        }
        outputs.fault_valid = self.fault.is_some();
        if let Some(fault) = &self.fault {
            outputs.fault = *fault;
        }
        outputs.done_valid = self.done.is_some();
        if let Some(done) = self.done {
            outputs.done_tag = done;
        }
        let request = self.memory_request();
        outputs.mem_req_valid = request.is_some();
        if let Some(request) = request {
            outputs.mem_req = request;
        }
        outputs.mem_rsp_ready = self.fetch.response().is_none() || flow.response_consumed;
        outputs.status = self.status;
        // Nothing is served through these yet.
        outputs.wdata_ready = false;
        outputs.cluster_req_valid = false;
        outputs.cluster_rsp_ready = false;
    }

    fn memory_request(&self) -> Option<MemoryRequest> {
        let (number, sector) = self.fetch.request()?;
        let entry = self.misses.get(number)?;
        let offset = u64::from(entry.pass.key.line()) * 64 + u64::from(sector) * 32;
        let address_mask = u64::MAX >> (64 - self.preset.address_bits);
        Some(MemoryRequest {
            id: 2 * number + sector,
            addr: entry.base.wrapping_add(offset) & address_mask,
            strb: u32::MAX,
            ..MemoryRequest::default()
        })
    }

    /// The rising edge. Places move from the last to the first, so that each finds the next one empty.
    fn advance(&mut self, flow: &Flow, inputs: &Inputs) {
        if inputs.wb_ready {
            self.wb = None;
        }
        if inputs.fault_ready {
            self.fault = None;
        }
        if inputs.done_ready {
            self.done = None;
        }
        if flow.data_sends {
            self.send_beat();
        }
        if flow.issue_faults
            && let Some(Operation { kind: Kind::Faulty(record), .. }) = self.issue.take()
        {
            self.fault = Some(record);
        }

        if inputs.mem_req_ready {
            self.memory_request_taken();
        }
        if flow.ready_enters {
            self.enter_ready();
        }
        if flow.tag_moves {
            self.leave_tag();
        }
        if flow.install {
            self.install();
        } else if flow.response_consumed {
            self.fetch.put_aside();
        }
        if inputs.mem_rsp_valid && self.fetch.response().is_none() {
            self.fetch.receive(inputs.mem_rsp);
        }

        if flow.issue_sends {
            self.issue_next();
        }
        if flow.addressed_moves {
            self.issue = self.addressed.take();
            self.status.ldc_unpredictable |= self.issue.as_ref().is_some_and(|operation| operation.unpredictable);
        }
        if flow.intake_moves {
            self.addressed = self.intake.take();
        }
        if flow.intake_free && inputs.req_valid {
            self.accounts.open(inputs.req.tag);
            self.intake = Some(Operation::decode(&inputs.req, &self.preset, inputs.compute));
        }
        if inputs.bank_write_valid {
            self.status.cfg_refused |= !self.table.write(&inputs.bank_write);
        }
    }

    /// D sends one register to W, and the record of failed lanes to F.
    fn send_beat(&mut self) {
        let Some(data) = &mut self.data else { return };
        let tag = data.pass.shape.tag;
        let last = data.is_on_last_beat();
        let others = self.issue.as_ref().is_some_and(|operation| operation.shape.tag == tag)
            || self.tag.as_ref().is_some_and(|content| content.tag() == tag)
            || self.misses.holds(tag);
        if data.has_fault() {
            self.fault = Some(data.fault());
        }
        let wb = self.wb.insert(Writeback::default());
        data.read(self.cache.line(data.slot), last && !others, wb);
        data.beat += 1;
        if last {
            self.data = None;
        }
    }

    /// The lowest-numbered ready entry enters D.
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
        self.data = Some(DataPass { pass: entry.pass, in_bounds, failed, slot, from_miss: true, beat: 0 });
    }

    /// The line in R and beside it enters the cache.
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

    /// S hands its command or its next pass to T.
    fn issue_next(&mut self) {
        let Some(operation) = &mut self.issue else {
            return;
        };
        let tag = operation.shape.tag;
        if let Kind::Command(command) = operation.kind {
            self.tag = Some(TagContent::Command { tag, command });
            self.issue = None;
            return;
        }
        self.tag = Some(TagContent::Pass(operation.take_pass()));
        if operation.unserved == 0 {
            self.issue = None;
        }
        self.status.ldc_passes = self.status.ldc_passes.wrapping_add(1);
        let account = self.accounts.of(tag);
        account.wavefronts = account.wavefronts.wrapping_add(1);
    }

    /// The memory side takes the request that is offered, if one is.
    fn memory_request_taken(&mut self) {
        let Some((number, _)) = self.fetch.request() else {
            return;
        };
        self.fetch.request_taken();
        if let Some(entry) = self.misses.get(number) {
            let account = self.accounts.of(entry.pass.shape.tag);
            account.mem_sectors = account.mem_sectors.wrapping_add(1);
        }
    }
}
