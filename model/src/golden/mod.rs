//! Golden model: the unit's pins in every cycle, as the timing contracts word them.
//!
//! [`Golden::step`] is one clock cycle. The model is written in the contracts' own terms (places, passes, groups, waiters),
//! not flip-flop by flip-flop, and agrees with the hardware in every output pin of every cycle. Where the environment
//! breaks the port contract (a response that nobody asked for, a tag used twice at once) the model goes on without panic,
//! but what it does then means nothing.
//!
//! | file | part |
//! |---|---|
//! | `constant` | LDC and constant loads: constant cache, bank table |
//! | `global` | other loads, and stores: L1, read-only cache, shared memory |
//! | `arbiter` | two sources before one output |
//! | `drain` | answers that memory and the cluster owe through a reset |
//! | `counts`, `account` | status pins, costs of each operation |
//! | `place_values`, `activity` | what is where, for waves and reports |
//! | `near`, `occupancy` | what a check has exercised: near misses of comparisons, places in use |
//! | `rules` | which rules act in a cycle, for coverage |
//! | `named` | enumerations with names |
//! | `lanes` | lane masks |
//! | `registers` | registers of an element, and which may be the first |

mod account;
mod activity;
mod arbiter;
mod constant;
mod counts;
mod drain;
mod global;
mod lanes;
mod named;
mod near;
mod occupancy;
mod place_values;
mod registers;
mod rules;

pub use account::Account;
pub use activity::{Activity, PassNumber};
pub use near::{Comparator, NearMisses};
pub use occupancy::Occupancy;
pub use place_values::PlaceVisitor;
pub use rules::{PlaceCycle, Rule, RuleCycle};

use crate::micro_op::{Command, OpKind, Space};
use crate::pins::{Inputs, Outputs, Request};
use crate::preset::Preset;
use arbiter::{Arbiter, Source};
use constant::{Constant, Grants};
use counts::{Counts, count};
use drain::Drain;
use global::{Global, GlobalGrants, Responses};

/// Where an arbiter stands; the constant cache is the first source, but where something else is said.
#[derive(Clone, Copy, Debug)]
enum Port {
    Writeback,
    Fault,
    Done,
    /// Of the global path, before `Memory`: reads first, then writes.
    GlobalMemory,
    Memory,
    /// Reads first, then writes.
    Cluster,
}

/// How many there are.
const PORTS: usize = 6;

/// Whom each arbiter presents in this cycle, by [`Port`].
#[derive(Clone, Copy, Debug)]
struct Presented([Option<Source>; PORTS]);

/// The arbiters before the shared outputs, by [`Port`].
#[derive(Clone, Debug)]
struct Arbiters([Arbiter; PORTS]);

impl Arbiters {
    fn new() -> Self {
        Self([Arbiter::new(); PORTS])
    }

    /// The sources of each, by [`Port`].
    #[inline]
    fn sources(constant: &Constant, global: &Global) -> [[bool; 2]; PORTS] {
        let reads_and_writes = global.asks(false);
        [
            [constant.wb.is_some(), global.emit.get().is_some()],
            [constant.fault.is_some(), global.fault.is_some()],
            [constant.done.is_some(), global.done.is_some()],
            reads_and_writes,
            [constant.asks_memory(), reads_and_writes.contains(&true)],
            global.asks(true),
        ]
    }

    #[inline]
    fn choose(&self, constant: &Constant, global: &Global) -> Presented {
        let sources = Self::sources(constant, global);
        Presented(std::array::from_fn(|port| self.0[port].choose(sources[port])))
    }

    fn advance(&mut self, presented: &Presented, inputs: &Inputs, ready: Ready) {
        let global_taken = presented.at(Port::Memory) == Some(Source::Second) && ready.memory;
        let taken = [inputs.wb_ready, inputs.fault_ready, inputs.done_ready, global_taken, ready.memory, ready.cluster];
        for (arbiter, (source, taken)) in self.0.iter_mut().zip(presented.0.into_iter().zip(taken)) {
            arbiter.advance(source, taken);
        }
    }
}

/// Whether what is presented is taken: never while the unit drains.
#[derive(Clone, Copy, Debug)]
struct Ready {
    memory: bool,
    cluster: bool,
}

impl Presented {
    fn at(&self, port: Port) -> Option<Source> {
        self.0[port as usize]
    }

    fn grants(&self, inputs: &Inputs, taken: Ready) -> (Grants, GlobalGrants) {
        let given = |port, ready: bool, source| ready && self.at(port) == Some(source);
        let global_memory = given(Port::Memory, taken.memory, Source::Second);
        let constant = Grants {
            wb: given(Port::Writeback, inputs.wb_ready, Source::First),
            fault: given(Port::Fault, inputs.fault_ready, Source::First),
            done: given(Port::Done, inputs.done_ready, Source::First),
            memory: given(Port::Memory, taken.memory, Source::First),
        };
        let global = GlobalGrants {
            wb: given(Port::Writeback, inputs.wb_ready, Source::Second),
            fault: given(Port::Fault, inputs.fault_ready, Source::Second),
            done: given(Port::Done, inputs.done_ready, Source::Second),
            read: given(Port::GlobalMemory, global_memory, Source::First),
            write: given(Port::GlobalMemory, global_memory, Source::Second),
            cluster_read: given(Port::Cluster, taken.cluster, Source::First),
            cluster_write: given(Port::Cluster, taken.cluster, Source::Second),
        };
        (constant, global)
    }
}

/// What is decided on the values of a cycle, before anything moves.
struct Decisions {
    presented: Presented,
    ready: Ready,
    constant_grants: Grants,
    global_grants: GlobalGrants,
    constant_flow: constant::Flow,
    global_flow: global::Flow,
}

/// Rule PATH: whether the request is one of the global path.
fn is_global(request: &Request) -> bool {
    match OpKind::on_pin(request.op) {
        OpKind::Load => !constant::is_constant(Space::on_pin(request.space)),
        OpKind::Store => true,
        OpKind::Ldc => false,
        OpKind::Command => match Command::on_pin(request.cmd) {
            Command::InvalidateL1 | Command::InvalidateReadOnly | Command::WriteBackLocal => true,
            Command::InvalidateConstant => false,
        },
    }
}

/// The unit, cycle by cycle.
#[derive(Clone, Debug)]
pub struct Golden {
    constant: Constant,
    global: Global,
    arbiters: Arbiters,
    drain: Drain,
    counts: Counts,
}

impl Golden {
    /// The unit as it is after reset.
    pub fn new(preset: &Preset) -> Self {
        Self {
            constant: Constant::new(preset),
            global: Global::new(preset),
            arbiters: Arbiters::new(),
            drain: Drain::default(),
            counts: Counts::new(preset),
        }
    }

    /// One clock cycle: sets every output pin of this cycle, then advances over the rising edge that ends it.
    ///
    /// A payload is written only while its `valid` is high; otherwise `outputs` keeps what the caller left there. Of the
    /// inputs `req.op`, `req.space`, `req.cmd` and `mem_rsp.id` count in every cycle, since the two `ready` depend on them.
    pub fn step(&mut self, inputs: &Inputs, outputs: &mut Outputs) {
        let decisions = self.decide(inputs);
        let Decisions { presented, ready, constant_grants, global_grants, constant_flow, global_flow } = &decisions;
        let drains = self.drain.drains();
        let is_global = is_global(&inputs.req);
        outputs.req_ready = if is_global { global_flow.intake_free } else { constant_flow.intake_free };
        outputs.wdata_ready = global_flow.takes_data;
        let response_is_global = inputs.mem_rsp.id >= global::FIRST_ID;
        outputs.mem_rsp_ready = drains
            || self.global.takes_response() && (response_is_global || self.constant.takes_response(constant_flow));
        outputs.cluster_rsp_ready = drains || self.global.answer.is_none();
        outputs.serve_req_ready = self.global.serve.is_free();
        self.drive(presented, outputs);
        outputs.status.idle = constant_flow.quiet && global_flow.quiet && !drains;
        self.drain.advance(inputs, outputs);

        if inputs.reset {
            self.reset(inputs);
            return;
        }
        let accepts = inputs.req_valid && outputs.req_ready;
        if accepts {
            self.counts.accounts.open(inputs.req.tag);
        }
        let response = (inputs.mem_rsp_valid && outputs.mem_rsp_ready && !drains).then_some(&inputs.mem_rsp);
        let answer = (inputs.cluster_rsp_valid && outputs.cluster_rsp_ready && !drains).then_some(&inputs.cluster_rsp);
        if outputs.mem_req_valid && !inputs.mem_req_ready {
            count(&mut self.counts.status.stall_memory, 1);
        }
        self.constant.advance(
            constant_flow,
            constant_grants,
            response.filter(|_| !response_is_global),
            accepts && !is_global,
            inputs,
            &mut self.counts,
        );
        self.global.advance(
            global_flow,
            global_grants,
            &Responses { memory: response.filter(|_| response_is_global), cluster: answer },
            (accepts && is_global).then_some(&self.constant.table),
            inputs,
            &mut self.counts,
        );
        self.arbiters.advance(presented, inputs, *ready);
    }

    /// Whom the arbiters present, and who moves.
    #[inline]
    fn decide(&self, inputs: &Inputs) -> Decisions {
        let presented = self.arbiters.choose(&self.constant, &self.global);
        let drains = self.drain.drains();
        let ready = Ready { memory: inputs.mem_req_ready && !drains, cluster: inputs.cluster_req_ready && !drains };
        let (constant_grants, global_grants) = presented.grants(inputs, ready);
        let constant_flow = constant::Flow::of(&self.constant, &constant_grants);
        let global_flow = global::Flow::of(&self.global, &global_grants);
        Decisions { presented, ready, constant_grants, global_grants, constant_flow, global_flow }
    }

    /// What the operation that was accepted last under `tag` has cost so far.
    pub fn account(&self, tag: u8) -> Account {
        self.counts.accounts.get(tag)
    }

    /// Comparisons so far in which a single bit decided.
    pub fn near_misses(&self) -> &NearMisses {
        &self.counts.near
    }

    fn reset(&mut self, inputs: &Inputs) {
        self.constant.reset();
        self.global.reset(inputs, &mut self.counts.near);
        self.arbiters = Arbiters::new();
        self.counts.clear();
    }

    /// The outputs that come from registers alone.
    fn drive(&self, presented: &Presented, outputs: &mut Outputs) {
        outputs.wb_valid = presented.at(Port::Writeback).is_some();
        match (presented.at(Port::Writeback), &self.constant.wb) {
            (Some(Source::First), Some(wb)) => outputs.wb = *wb,
            (Some(Source::Second), _) => self.global.drive_writeback(&mut outputs.wb),
            _ => {}
        }
        outputs.fault_valid = presented.at(Port::Fault).is_some();
        let fault = match presented.at(Port::Fault) {
            Some(Source::First) => self.constant.fault,
            _ => self.global.fault,
        };
        if let Some(fault) = fault {
            outputs.fault = fault;
        }
        outputs.done_valid = presented.at(Port::Done).is_some();
        let done = match presented.at(Port::Done) {
            Some(Source::First) => self.constant.done,
            _ => self.global.done,
        };
        if let Some(done) = done {
            outputs.done.tag = done;
        }
        outputs.mem_req_valid = presented.at(Port::Memory).is_some() && !self.drain.drains();
        let request = match (presented.at(Port::Memory), presented.at(Port::GlobalMemory)) {
            (None, _) | (Some(Source::Second), None) => None,
            (Some(Source::First), _) => self.constant.memory_request(),
            (Some(Source::Second), Some(source)) => self.global.memory_request(source),
        };
        if let Some(request) = request {
            outputs.mem_req = request;
        }
        outputs.status = self.counts.status;
        outputs.cluster_req_valid = presented.at(Port::Cluster).is_some() && !self.drain.drains();
        if let Some(request) = presented.at(Port::Cluster).and_then(|source| self.global.cluster_request(source)) {
            outputs.cluster_req = request;
        }
        outputs.serve_rsp_valid = self.global.serve.reply().is_some();
        if let Some(reply) = self.global.serve.reply() {
            outputs.serve_rsp = *reply;
        }
    }
}
