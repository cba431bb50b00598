//! Test rig: the golden model on a small memory agent, with the oracle judging everything that it does.
//!
//! Constant bank b lies at `BASE + (b << 16)`, and every word of memory holds its own address less `BASE`: the word at
//! offset o of bank b is `(b << 16) + o`, so that expected values can be worked out by hand.

pub use crate::global_rig::roomy;
use lsu_model::golden::{Golden, PlaceVisitor};
use lsu_model::oracle::Oracle;
use lsu_model::pins::{BankWrite, FaultRecord, Inputs, MemoryResponse, Outputs, Request, Writeback};
use lsu_model::preset::Preset;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Address of bank 0.
pub const BASE: u64 = 0x10_0000;

/// Cycles after which a test gives up waiting.
const PATIENCE: u64 = 10_000;

/// The word at a memory address.
pub fn word(address: u64) -> u32 {
    (address - BASE) as u32
}

/// LDC modes, sizes.
pub const IA: u8 = 0;
pub const IL: u8 = 1;
pub const IS: u8 = 2;
pub const ISL: u8 = 3;
pub const B8: u8 = 0;
pub const B16: u8 = 1;
pub const B32: u8 = 2;
pub const B64: u8 = 3;
pub const B128: u8 = 4;

/// A 32-bit LDC into R4 by all lanes, mode IA, bank 3, whose register is `ra(lane)`.
pub fn ldc(ra: impl Fn(u32) -> u32) -> Request {
    let mut request = Request { op: 2, size: B32, rd: 4, bank: 3, mask: u32::MAX, dst_width: 1, ..Request::default() };
    for (lane, addr) in request.addr.iter_mut().enumerate() {
        *addr = u64::from(ra(lane as u32));
    }
    request
}

/// What happened on an output port, and in which cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    Accept(u8),
    Writeback(Writeback),
    Fault(FaultRecord),
    Done(u8),
    Fetch { id: u8, addr: u64 },
}

/// How one operation was answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// By register: the value of each lane that was written.
    pub registers: BTreeMap<u8, BTreeMap<u32, u32>>,
    pub faults: Vec<FaultRecord>,
    pub done: bool,
}

impl Answer {
    /// The value of `lane` in register `rd`.
    pub fn value(&self, rd: u8, lane: u32) -> Option<u32> {
        self.registers.get(&rd).and_then(|lanes| lanes.get(&lane)).copied()
    }
}

/// The model and what is around it.
pub struct Rig {
    pub preset: Preset,
    pub golden: Golden,
    pub oracle: Oracle<fn(u64) -> u32>,
    pub inputs: Inputs,
    pub outputs: Outputs,
    pub cycle: u64,
    /// Events with their cycles; the transfer's cycle.
    pub events: Vec<(u64, Event)>,
    /// Cycles from a memory request's transfer to the cycle in which its response is offered.
    pub latency: u64,
    /// Sectors whose reads fail.
    pub bad_sectors: BTreeSet<u64>,
    /// Requests still to be offered.
    pub program: VecDeque<Request>,
    /// Responses with the cycle from which they may be offered.
    pub responses: VecDeque<(u64, MemoryResponse)>,
    fetched: BTreeMap<u8, u64>,
}

impl Rig {
    /// A unit in which every bank of 0 to 17 is usable and 64 KB long.
    pub fn new(preset: &Preset, compute: bool) -> Self {
        let mut rig = Self::bare(preset, compute);
        for index in 0..18 {
            rig.bank(index, 0x1_0000, true);
        }
        rig
    }

    /// A unit after reset.
    pub fn bare(preset: &Preset, compute: bool) -> Self {
        let inputs = Inputs {
            compute,
            wb_ready: true,
            fault_ready: true,
            done_ready: true,
            mem_req_ready: true,
            ..Inputs::default()
        };
        Self {
            preset: *preset,
            golden: Golden::new(preset),
            oracle: Oracle::new(preset, word as fn(u64) -> u32, compute),
            inputs,
            outputs: Outputs::default(),
            cycle: 0,
            events: Vec::new(),
            latency: 10,
            bad_sectors: BTreeSet::new(),
            program: VecDeque::new(),
            responses: VecDeque::new(),
            fetched: BTreeMap::new(),
        }
    }

    /// Writes one entry of the bank table, in a cycle of its own.
    pub fn bank(&mut self, index: u8, size: u32, valid: bool) {
        self.write_bank(BankWrite { index, base: BASE + (u64::from(index) << 16), size, valid });
    }

    pub fn write_bank(&mut self, write: BankWrite) {
        self.inputs.bank_write_valid = true;
        self.inputs.bank_write = write;
        self.step();
        self.inputs.bank_write_valid = false;
    }

    /// One cycle: offers the next request and the next response, steps, reports the transfers to the oracle.
    pub fn step(&mut self) {
        self.inputs.req_valid = self.program.front().is_some();
        if let Some(request) = self.program.front() {
            self.inputs.req = *request;
        }
        self.inputs.mem_rsp_valid = self.responses.front().is_some_and(|(due, _)| *due <= self.cycle);
        if let Some((_, response)) = self.responses.front() {
            self.inputs.mem_rsp = *response;
        }
        // Sees that every value fits its width.
        self.golden.visit_places(&mut Seen::default());
        self.golden.step(&self.inputs, &mut self.outputs);
        self.transfers();
        self.cycle += 1;
    }

    fn transfers(&mut self) {
        let (inputs, outputs) = (&self.inputs, &self.outputs);
        let mut events = Vec::new();
        if inputs.bank_write_valid {
            self.oracle.write_bank(&inputs.bank_write);
        }
        if outputs.mem_rsp_ready
            && inputs.mem_rsp_valid
            && let Some((_, response)) = self.responses.pop_front()
            && let Some(addr) = self.fetched.remove(&response.id)
            && response.error
        {
            self.oracle.memory_error_answered(addr);
        }
        if outputs.wb_valid && inputs.wb_ready {
            events.push(Event::Writeback(outputs.wb));
            self.oracle.writeback(&outputs.wb).unwrap_or_else(|violation| panic!("{violation}"));
        }
        if outputs.fault_valid && inputs.fault_ready {
            events.push(Event::Fault(outputs.fault));
            self.oracle.fault(&outputs.fault).unwrap_or_else(|violation| panic!("{violation}"));
        }
        if outputs.done_valid && inputs.done_ready {
            events.push(Event::Done(outputs.done.tag));
            self.oracle.done(outputs.done.tag).unwrap_or_else(|violation| panic!("{violation}"));
        }
        if outputs.mem_req_valid && inputs.mem_req_ready {
            let request = outputs.mem_req;
            assert!(self.fetched.insert(request.id, request.addr).is_none(), "id in use");
            events.push(Event::Fetch { id: request.id, addr: request.addr });
            let error = self.bad_sectors.contains(&request.addr);
            let mut data = [0xdead_beef; 8];
            if !error {
                data = std::array::from_fn(|index| word(request.addr + 4 * index as u64));
            }
            let response = MemoryResponse { id: request.id, data, error };
            self.responses.push_back((self.cycle + self.latency, response));
        }
        if outputs.req_ready
            && inputs.req_valid
            && let Some(request) = self.program.pop_front()
        {
            events.push(Event::Accept(request.tag));
            self.oracle.accept(&request).unwrap_or_else(|violation| panic!("{violation}"));
        }
        self.events.extend(events.into_iter().map(|event| (self.cycle, event)));
    }

    /// Steps until everything offered has been answered.
    pub fn drain(&mut self) {
        let begin = self.cycle;
        while !self.program.is_empty() || !self.oracle.is_idle() {
            self.step();
            assert!(self.cycle < begin + PATIENCE, "no answer: {:?}", Seen::of(&self.golden));
        }
    }

    /// Runs one operation on its own.
    pub fn run(&mut self, request: Request) -> Answer {
        self.program.push_back(request);
        let from = self.events.len();
        self.drain();
        let mut answer = Answer::default();
        for (_, event) in &self.events[from..] {
            match event {
                Event::Writeback(wb) => {
                    let lanes = answer.registers.entry(wb.rd).or_default();
                    let written = (0..32).filter(|lane| wb.mask >> lane & 1 == 1);
                    lanes.extend(written.map(|lane| (lane, wb.data[lane as usize])));
                }
                Event::Fault(record) => answer.faults.push(*record),
                Event::Done(_) => answer.done = true,
                Event::Accept(_) | Event::Fetch { .. } => {}
            }
        }
        answer
    }

    /// Runs one operation that must write `expected(lane)` into R4 (or the request's `rd`) of every lane.
    pub fn expect(&mut self, request: Request, expected: impl Fn(u32) -> u32) {
        let answer = self.run(request);
        assert!(answer.faults.is_empty(), "{answer:?}");
        for lane in 0..self.preset.lanes as u32 {
            let value = answer.value(request.rd, lane);
            assert_eq!(value, Some(expected(lane)), "lane {lane} of {}", self.preset.name);
        }
    }

    /// Runs one operation that must fault in `lanes`.
    pub fn expect_fault(&mut self, request: Request, cause: u8, lanes: u32, addr: u64) {
        let answer = self.run(request);
        let lanes = lanes & self.preset.lane_mask();
        assert_eq!(answer.faults, [FaultRecord { tag: request.tag, cause, lanes, addr }]);
        assert!(answer.registers.is_empty());
    }

    /// Cycles of the events that `wanted` picks.
    pub fn cycles(&self, wanted: impl Fn(&Event) -> bool) -> Vec<u64> {
        self.events.iter().filter(|(_, event)| wanted(event)).map(|(cycle, _)| *cycle).collect()
    }
}

/// The places that hold something, with those of their values that mean something.
#[derive(Debug, Default)]
pub struct Seen(Vec<(&'static str, Vec<(&'static str, u64)>)>, bool);

impl Seen {
    /// As the values of this cycle are.
    pub fn of(golden: &Golden) -> Self {
        let mut seen = Self::default();
        golden.visit_places(&mut seen);
        seen
    }

    /// Whether a place of this name holds something.
    pub fn holds(&self, place: &str) -> bool {
        self.0.iter().any(|(name, _)| *name == place)
    }

    /// The value `name` of the first place `place` that holds something.
    pub fn value(&self, place: &str, name: &str) -> Option<u64> {
        let (_, values) = self.0.iter().find(|(found, _)| *found == place)?;
        values.iter().find(|(found, _)| *found == name).map(|(_, value)| *value)
    }
}

impl PlaceVisitor for Seen {
    fn place(&mut self, name: &'static str, _: Option<usize>, is_occupied: bool) {
        self.1 = is_occupied;
        if is_occupied {
            self.0.push((name, Vec::new()));
        }
    }

    fn value(&mut self, name: &'static str, _: u32, value: Option<u64>) {
        if let (true, Some(value), Some((_, values))) = (self.1, value, self.0.last_mut()) {
            values.push((name, value));
        }
    }
}
