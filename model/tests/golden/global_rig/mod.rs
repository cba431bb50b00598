//! Test rig of the global path: the golden model on a small memory agent that remembers every transfer and its cycle, with
//! the oracle judging everything.
//!
//! Every word of memory holds its own address (its low 32 bits) until something is stored there, so that expected values
//! can be worked out by hand.

mod written_rows;

use lsu_model::golden::Golden;
use lsu_model::oracle::{Oracle, SharedHistory};
use lsu_model::pins::{
    BankWrite, ClusterRequest, ClusterResponse, FaultRecord, Inputs, MAX_LANES, MemoryRequest, MemoryResponse, Outputs,
    Request, ServeRequest, ServeResponse, Writeback,
};
use lsu_model::preset::{ALL, Preset};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;
use written_rows::RowsInUse;

/// The presets that have the lanes, lines and misses that a test counts on.
pub fn roomy() -> impl Iterator<Item = Preset> {
    ALL.into_iter().filter(|preset| preset.lanes >= 8 && preset.misses >= 4)
}

/// Cycles after which a test gives up waiting.
const PATIENCE: u64 = 5_000;

/// Codes of `req`.
pub const LOAD: u8 = 0;
pub const STORE: u8 = 1;
pub const INVALIDATE_L1: u8 = 0;
pub const INVALIDATE_READ_ONLY: u8 = 1;
pub const WRITE_BACK_LOCAL: u8 = 3;
pub const RELAXED: u8 = 1;
pub const ACQUIRE: u8 = 2;
pub const RELEASE: u8 = 3;
pub const VOLATILE: u8 = 4;
pub const MMIO: u8 = 5;
pub const MMIO_ACQUIRE: u8 = 6;
pub const MMIO_RELEASE: u8 = 7;
pub const GPU: u8 = 2;
pub const CA: u8 = 1;
pub const CG: u8 = 2;
pub const CS: u8 = 3;
pub const LU: u8 = 4;
pub const CV: u8 = 5;
pub const WB: u8 = 6;
pub const WT: u8 = 7;
pub const EVICT_UNCHANGED: u8 = 1;
pub const EVICT_FIRST: u8 = 2;
pub const EVICT_LAST: u8 = 3;
pub const NO_ALLOCATE: u8 = 4;

/// A 32-bit global load into R4 by all lanes from `address(lane)`.
pub fn load(address: impl Fn(u64) -> u64) -> Request {
    let mut request =
        Request { op: LOAD, space: 1, size: 2, dst_width: 1, rd: 4, mask: u32::MAX, ..Request::default() };
    for (lane, addr) in request.addr.iter_mut().enumerate() {
        *addr = address(lane as u64);
    }
    request
}

/// The same, non-coherent.
pub fn load_nc(address: impl Fn(u64) -> u64) -> Request {
    Request { nc: true, ..load(address) }
}

/// A unit with these 128-byte lines in L1 and in the read-only cache.
pub fn warm(preset: &Preset, lines: impl IntoIterator<Item = u64>) -> Rig {
    let mut rig = Rig::new(preset);
    for line in lines {
        let all = move |lane: u64| line * 128 + lane % 4 * 32;
        rig.run([load(all)]);
        rig.run([load_nc(all)]);
    }
    rig
}

/// A 32-bit global store by all lanes to `address(lane)`.
pub fn store(address: impl Fn(u64) -> u64) -> Request {
    Request { op: STORE, rd: 0, ..load(address) }
}

/// A 32-bit load of shared memory into R4 by all lanes from `address(lane)`, in a window of all of it.
pub fn load_shared(preset: &Preset, address: impl Fn(u64) -> u64) -> Request {
    Request { space: 2, shared_size: preset.shared_bytes as u32, ..load(address) }
}

/// A 32-bit store to shared memory.
pub fn store_shared(preset: &Preset, address: impl Fn(u64) -> u64) -> Request {
    Request { op: STORE, rd: 0, ..load_shared(preset, address) }
}

/// A 32-bit load of the cluster's shared memory into R4 by all lanes: `address(lane)` in the window of the CTA with this rank.
pub fn load_cluster(preset: &Preset, rank: u8, address: impl Fn(u64) -> u64) -> Request {
    Request { space: 3, ..load_shared(preset, move |lane| u64::from(rank) << 24 | address(lane)) }
}

/// A 32-bit store to the cluster's shared memory.
pub fn store_cluster(preset: &Preset, rank: u8, address: impl Fn(u64) -> u64) -> Request {
    Request { op: STORE, rd: 0, ..load_cluster(preset, rank, address) }
}

/// A command.
pub fn command(cmd: u8) -> Request {
    Request { op: 3, cmd, ..Request::default() }
}

/// An operation with the store data that follow it.
#[derive(Clone, Debug)]
pub struct Operation {
    pub request: Request,
    pub data: Vec<[u32; MAX_LANES]>,
}

impl From<Request> for Operation {
    fn from(request: Request) -> Self {
        Self { request, data: Vec::new() }
    }
}

/// A store whose register r is `value(r, lane)`.
pub fn with_data(request: Request, registers: u32, value: impl Fn(u32, u32) -> u32) -> Operation {
    let register = |number| std::array::from_fn(|lane| value(number, lane as u32));
    Operation { request, data: (0..registers).map(register).collect() }
}

/// A transfer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    Accept(u8),
    Data,
    Writeback(Writeback),
    Fault(FaultRecord),
    Done(u8),
    Read(MemoryRequest),
    Write(MemoryRequest),
    Response(u8),
    /// On `cluster_req`, `cluster_rsp`, `serve_req` and `serve_rsp`.
    Ask(ClusterRequest),
    Answer(u8),
    Serve(u8),
    Reply(ServeResponse),
}

/// Words that differ from their address.
pub type Words = Rc<RefCell<BTreeMap<u64, u32>>>;

fn word(words: &Words, address: u64) -> u32 {
    words.borrow().get(&address).copied().unwrap_or(address as u32)
}

/// The model and what is around it.
pub struct Rig {
    pub preset: Preset,
    pub golden: Golden,
    pub inputs: Inputs,
    pub outputs: Outputs,
    /// Cycles since `begin` was called last.
    pub cycle: u64,
    /// Transfers with their cycles.
    pub events: Vec<(u64, Event)>,
    /// Cycles from a memory request's transfer to the cycle in which its response is offered.
    pub latency: u64,
    /// Sectors whose accesses fail.
    pub bad_sectors: BTreeSet<u64>,
    /// Operations still to be offered.
    pub program: VecDeque<Operation>,
    /// Beats of store data still to be sent, each with the tag that it is sent under.
    pub data: VecDeque<(u8, [u32; MAX_LANES])>,
    /// Responses with the cycle from which they may be offered.
    pub responses: VecDeque<(u64, MemoryResponse)>,
    /// Responses of other CTAs, and their requests, each with the cycle from which it may be offered.
    pub answers: VecDeque<(u64, ClusterResponse)>,
    pub asked: VecDeque<(u64, ServeRequest)>,
    /// Words of other CTAs' shared memory that are not their rank and offset.
    pub far: BTreeMap<u64, u32>,
    /// Ranks that no CTA has.
    pub absent: BTreeSet<u8>,
    /// If others are to answer: what the unit has asked for.
    pub sent: Option<Vec<ClusterRequest>>,
    pub memory: Words,
    pub history: SharedHistory,
    pub oracle: Oracle<Box<dyn Fn(u64) -> u32>>,
    /// Accepted and not completed.
    pub in_flight: BTreeSet<u8>,
}

impl Rig {
    /// A unit after reset.
    pub fn new(preset: &Preset) -> Self {
        Self::sharing(preset, &Words::default(), &SharedHistory::new())
    }

    /// The same on the memory of another unit.
    pub fn sharing(preset: &Preset, memory: &Words, history: &SharedHistory) -> Self {
        let words = Rc::clone(memory);
        let words: Box<dyn Fn(u64) -> u32> = Box::new(move |address| word(&words, address));
        let inputs = Inputs {
            wb_ready: true,
            fault_ready: true,
            done_ready: true,
            mem_req_ready: true,
            cluster_req_ready: true,
            serve_rsp_ready: true,
            compute: true,
            ..Inputs::default()
        };
        Self {
            preset: *preset,
            golden: Golden::new(preset),
            inputs,
            outputs: Outputs::default(),
            cycle: 0,
            events: Vec::new(),
            latency: 10,
            bad_sectors: BTreeSet::new(),
            program: VecDeque::new(),
            data: VecDeque::new(),
            responses: VecDeque::new(),
            answers: VecDeque::new(),
            asked: VecDeque::new(),
            far: BTreeMap::new(),
            absent: BTreeSet::new(),
            sent: None,
            memory: Rc::clone(memory),
            history: history.clone(),
            oracle: Oracle::sharing(preset, words, true, history),
            in_flight: BTreeSet::new(),
        }
    }

    pub fn word(&self, address: u64) -> u32 {
        word(&self.memory, address)
    }

    fn sector(&self, address: u64) -> [u32; 8] {
        std::array::from_fn(|index| self.word(address + 4 * index as u64))
    }

    /// Writes an entry of the bank table.
    pub fn set_bank(&mut self, index: u8, base: u64, size: u32, valid: bool) {
        self.inputs.bank_write_valid = true;
        self.inputs.bank_write = BankWrite { index, base, size, valid };
        self.step();
        self.inputs.bank_write_valid = false;
    }

    /// Another unit stores a word.
    pub fn poke(&mut self, address: u64, value: u32) {
        let sector = address / 32 * 32;
        let strobes = 0xf << (address - sector);
        self.history.write_from_outside(sector, strobes, &[value; 8], &self.sector(sector));
        self.memory.borrow_mut().insert(address, value);
    }

    /// One cycle.
    pub fn step(&mut self) {
        self.inputs.req_valid = !self.program.is_empty();
        if let Some(operation) = self.program.front() {
            self.inputs.req = operation.request;
        }
        self.inputs.wdata_valid = !self.data.is_empty();
        if let Some((tag, beat)) = self.data.front() {
            (self.inputs.wdata.tag, self.inputs.wdata.data) = (*tag, *beat);
        }
        self.inputs.mem_rsp_valid = self.responses.front().is_some_and(|(due, _)| *due <= self.cycle);
        if let Some((_, response)) = self.responses.front() {
            self.inputs.mem_rsp = *response;
        }
        self.inputs.cluster_rsp_valid = self.answers.front().is_some_and(|(due, _)| *due <= self.cycle);
        if let Some((_, answer)) = self.answers.front() {
            self.inputs.cluster_rsp = *answer;
        }
        self.inputs.serve_req_valid = self.asked.front().is_some_and(|(due, _)| *due <= self.cycle);
        if let Some((_, request)) = self.asked.front() {
            self.inputs.serve_req = *request;
        }
        let before = RowsInUse::of(&self.golden);
        self.golden.step(&self.inputs, &mut self.outputs);
        if !self.inputs.reset {
            let response = (self.inputs.mem_rsp_valid && self.outputs.mem_rsp_ready).then_some(self.inputs.mem_rsp.id);
            let after = RowsInUse::of(&self.golden);
            for written in before.written(response, &after) {
                assert!(!before.is_to_be_read(written), "cycle {}: {written:?} is read, and written", self.cycle);
                let is_early = after.is_to_be_read(written) && !before.updates_at_once(written);
                assert!(!is_early, "cycle {}: {written:?} is written, and to be read", self.cycle);
            }
        }
        self.judge();
        self.transfers();
        self.cycle += 1;
    }

    fn happened(&mut self, event: Event) {
        self.events.push((self.cycle, event));
    }

    /// Reports the transfers of the cycle to the oracle, in the order that it asks for.
    fn judge(&mut self) {
        let (inputs, outputs, oracle) = (&self.inputs, &self.outputs, &mut self.oracle);
        let mut verdicts = vec![oracle.idle(outputs.status.idle)];
        if inputs.bank_write_valid {
            oracle.write_bank(&inputs.bank_write);
        }
        oracle.set_windows(inputs.windows);
        oracle.set_param_offset(inputs.param_offset);
        if inputs.req_valid && outputs.req_ready {
            verdicts.push(oracle.accept(&inputs.req));
        }
        if inputs.wdata_valid && outputs.wdata_ready {
            verdicts.push(oracle.store_data(inputs.wdata.tag, &inputs.wdata.data));
        }
        if outputs.fault_valid && inputs.fault_ready {
            verdicts.push(oracle.fault(&outputs.fault));
        }
        if outputs.wb_valid && inputs.wb_ready {
            verdicts.push(oracle.writeback(&outputs.wb));
        }
        if outputs.done_valid && inputs.done_ready {
            verdicts.push(oracle.done(outputs.done.tag));
        }
        if inputs.mem_rsp_valid && outputs.mem_rsp_ready {
            oracle.memory_response(&inputs.mem_rsp);
        }
        if inputs.cluster_rsp_valid && outputs.cluster_rsp_ready {
            oracle.cluster_response(&inputs.cluster_rsp);
        }
        if outputs.serve_rsp_valid && inputs.serve_rsp_ready {
            verdicts.push(oracle.serve_response(&outputs.serve_rsp));
        }
        if inputs.serve_req_valid && outputs.serve_req_ready {
            oracle.serve_request(&inputs.serve_req);
        }
        if outputs.cluster_req_valid && inputs.cluster_req_ready {
            verdicts.push(oracle.cluster_request(&outputs.cluster_req));
        }
        if outputs.mem_req_valid && inputs.mem_req_ready {
            verdicts.push(oracle.memory_request(&outputs.mem_req));
            if outputs.mem_req.write && !self.bad_sectors.contains(&outputs.mem_req.addr) {
                oracle.memory_write(&outputs.mem_req);
            }
        }
        for verdict in verdicts {
            verdict.unwrap_or_else(|violation| panic!("cycle {}: {violation}", self.cycle));
        }
    }

    fn transfers(&mut self) {
        if self.outputs.mem_rsp_ready
            && self.inputs.mem_rsp_valid
            && let Some((_, response)) = self.responses.pop_front()
        {
            self.happened(Event::Response(response.id));
        }
        if self.outputs.cluster_rsp_ready
            && self.inputs.cluster_rsp_valid
            && let Some((_, answer)) = self.answers.pop_front()
        {
            self.happened(Event::Answer(answer.id));
        }
        if self.outputs.serve_req_ready
            && self.inputs.serve_req_valid
            && let Some((_, request)) = self.asked.pop_front()
        {
            self.happened(Event::Serve(request.id));
        }
        if self.outputs.serve_rsp_valid && self.inputs.serve_rsp_ready {
            self.happened(Event::Reply(self.outputs.serve_rsp));
        }
        if self.outputs.cluster_req_valid && self.inputs.cluster_req_ready {
            self.asks(self.outputs.cluster_req);
        }
        if self.outputs.wb_valid && self.inputs.wb_ready {
            let wb = self.outputs.wb;
            let outside = (0..MAX_LANES).filter(|lane| wb.mask >> lane & 1 == 0);
            assert!(outside.into_iter().all(|lane| wb.data[lane] == 0), "{wb:?}");
            if wb.last {
                assert!(self.in_flight.remove(&wb.tag), "{wb:?}");
            }
            self.happened(Event::Writeback(wb));
        }
        if self.outputs.fault_valid && self.inputs.fault_ready {
            let fault = self.outputs.fault;
            if fault.cause != 5 {
                assert!(self.in_flight.remove(&fault.tag), "{fault:?}");
            }
            self.happened(Event::Fault(fault));
        }
        if self.outputs.done_valid && self.inputs.done_ready {
            let tag = self.outputs.done.tag;
            assert!(self.in_flight.remove(&tag), "done {tag}");
            self.happened(Event::Done(tag));
        }
        if self.outputs.mem_req_valid && self.inputs.mem_req_ready {
            self.request_taken(self.outputs.mem_req);
        }
        if self.outputs.wdata_ready && self.inputs.wdata_valid {
            self.data.pop_front();
            self.happened(Event::Data);
        }
        if self.outputs.req_ready
            && self.inputs.req_valid
            && let Some(operation) = self.program.pop_front()
        {
            self.happened(Event::Accept(operation.request.tag));
            assert!(self.in_flight.insert(operation.request.tag));
            let tag = operation.request.tag;
            self.data.extend(operation.data.into_iter().map(|beat| (tag, beat)));
        }
    }

    /// A word of another CTA's shared memory, by its rank and offset.
    pub fn far_word(&self, address: u64) -> u32 {
        self.far.get(&address).copied().unwrap_or(address as u32)
    }

    /// Another CTA is asked.
    fn asks(&mut self, request: ClusterRequest) {
        self.happened(Event::Ask(request));
        if let Some(sent) = &mut self.sent {
            sent.push(request);
            return;
        }
        let ClusterRequest { id, rank, write, strb, .. } = request;
        let error = self.absent.contains(&rank);
        let address = |word: u64| u64::from(rank) << 24 | (request.addr + 4 * word);
        let mut data = [0xdead_beef; 8];
        if !write && !error {
            data = std::array::from_fn(|word| self.far_word(address(word as u64)));
        }
        for word in (0..8).filter(|_| write && !error) {
            let mask = (0..4).fold(0, |mask, byte| mask | ((strb >> (4 * word + byte) & 1) * 0xff) << (8 * byte));
            let value = self.far_word(address(word)) & !mask | request.data[word as usize] & mask;
            self.far.insert(address(word), value);
        }
        self.answers.push_back((self.cycle + self.latency, ClusterResponse { id, data, error }));
    }

    fn request_taken(&mut self, request: MemoryRequest) {
        let is_bad = self.bad_sectors.contains(&request.addr);
        let mut data = [0xdead_beef; 8];
        if request.write {
            self.happened(Event::Write(request));
            if !is_bad {
                self.write(&request);
            }
        } else {
            self.happened(Event::Read(request));
            if !is_bad {
                data = self.sector(request.addr);
            }
        }
        let response = MemoryResponse { id: request.id, data, error: is_bad };
        self.responses.push_back((self.cycle + self.latency, response));
    }

    fn write(&mut self, request: &MemoryRequest) {
        for byte in (0..32_u64).filter(|byte| request.strb >> byte & 1 == 1) {
            let (address, shift) = (request.addr + byte / 4 * 4, 8 * (byte % 4));
            let new = request.data[byte as usize / 4] >> shift & 0xff;
            let word = self.word(address) & !(0xff << shift) | new << shift;
            self.memory.borrow_mut().insert(address, word);
        }
    }

    /// Forgets the transfers so far; cycle 0 is the next one.
    pub fn begin(&mut self) {
        self.events.clear();
        let passed = std::mem::take(&mut self.cycle);
        let answers = self.answers.iter_mut().map(|(due, _)| due);
        let asked = self.asked.iter_mut().map(|(due, _)| due);
        for due in self.responses.iter_mut().map(|(due, _)| due).chain(answers).chain(asked) {
            *due = due.saturating_sub(passed);
        }
    }

    /// Offers all operations, in cycle 0 the first, and runs until everything is answered.
    pub fn run(&mut self, operations: impl IntoIterator<Item = impl Into<Operation>>) {
        self.program.extend(operations.into_iter().map(Into::into));
        self.begin();
        self.drain();
    }

    /// Runs until everything is answered.
    pub fn drain(&mut self) {
        let end = self.cycle + PATIENCE;
        while !self.program.is_empty()
            || !self.in_flight.is_empty()
            || !self.responses.is_empty()
            || !self.answers.is_empty()
            || !self.asked.is_empty()
        {
            self.step();
            assert!(self.cycle < end, "no answer to {:?}: {}", self.in_flight, self.describe());
        }
    }

    /// Nothing is in flight: the oracle's last words.
    pub fn finish(&mut self) {
        self.step();
        assert_eq!(self.oracle.finish(), []);
        assert!(self.outputs.status.idle);
        self.oracle.status(&self.outputs.status).unwrap_or_else(|violation| panic!("{violation}"));
    }

    /// What is in flight.
    pub fn describe(&self) -> String {
        let mut told = Vec::new();
        self.golden.visit_activities(|tag, activity| told.push(format!("{tag} {activity}")));
        told.join(", ")
    }

    /// `wb` transfers: cycle, tag, register.
    pub fn writebacks(&self) -> Vec<(u64, u8, u8)> {
        let of = |(cycle, event): &(u64, Event)| match event {
            Event::Writeback(wb) => Some((*cycle, wb.tag, wb.rd)),
            _ => None,
        };
        self.events.iter().filter_map(of).collect()
    }

    /// `done` transfers.
    pub fn dones(&self) -> Vec<(u64, u8)> {
        let of = |(cycle, event): &(u64, Event)| match event {
            Event::Done(tag) => Some((*cycle, *tag)),
            _ => None,
        };
        self.events.iter().filter_map(of).collect()
    }

    /// `fault` transfers.
    pub fn faults(&self) -> Vec<(u64, FaultRecord)> {
        let of = |(cycle, event): &(u64, Event)| match event {
            Event::Fault(record) => Some((*cycle, *record)),
            _ => None,
        };
        self.events.iter().filter_map(of).collect()
    }

    /// `mem_req` transfers: cycle, id, address.
    pub fn reads(&self) -> Vec<(u64, u8, u64)> {
        let of = |(cycle, event): &(u64, Event)| match event {
            Event::Read(request) => Some((*cycle, request.id, request.addr)),
            _ => None,
        };
        self.events.iter().filter_map(of).collect()
    }

    /// `cluster_req` transfers.
    pub fn asks_made(&self) -> Vec<(u64, ClusterRequest)> {
        let of = |(cycle, event): &(u64, Event)| match event {
            Event::Ask(request) => Some((*cycle, *request)),
            _ => None,
        };
        self.events.iter().filter_map(of).collect()
    }

    /// `serve_rsp` transfers.
    pub fn replies(&self) -> Vec<(u64, ServeResponse)> {
        let of = |(cycle, event): &(u64, Event)| match event {
            Event::Reply(response) => Some((*cycle, *response)),
            _ => None,
        };
        self.events.iter().filter_map(of).collect()
    }

    /// `mem_req` transfers of stores: cycle and request.
    pub fn writes(&self) -> Vec<(u64, MemoryRequest)> {
        let of = |(cycle, event): &(u64, Event)| match event {
            Event::Write(request) => Some((*cycle, *request)),
            _ => None,
        };
        self.events.iter().filter_map(of).collect()
    }

    /// The value that `lane` got in register `rd` of `tag`.
    pub fn value(&self, tag: u8, rd: u8, lane: usize) -> Option<u32> {
        self.events.iter().find_map(|(_, event)| match event {
            Event::Writeback(wb) if wb.tag == tag && wb.rd == rd && wb.mask >> lane & 1 == 1 => Some(wb.data[lane]),
            _ => None,
        })
    }
}
