//! The lock-step run of one program: every engine sees the same pins in the same cycle, every output pin is compared in
//! every cycle, and the oracle judges every answer. The first difference ends the run.
//!
//! Only the first engine's outputs drive the surroundings, so the others need not run at the same time: [`run_in_batches`]
//! lets them follow some cycles at once, while their code and data are at hand in the processor's caches.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use lsu_model::oracle::{ConstantMemory, Oracle, SharedHistory, Violation};
use lsu_model::pins::{ClusterRequest, Inputs, MemoryRequest, Outputs};

use crate::compare::{Difference, differences};
use crate::engine::{Ahead, Engine, EngineError, EngineKind, EngineSource, Stopped};
use crate::handshake::HandshakeWatch;
use crate::owner::{only, owner, remote_owner};
use crate::program::Program;
use crate::stimulus::{Agent, Driver, Finished, Memory, Network, Progress, Weather};
use crate::verilator::{Error, stack};

/// Cycles that the units run on after their last operation, so that an answer too many is noticed.
const AFTERMATH: u64 = 16;

/// Cycles without any operation beginning or ending after which a program hangs, for a memory without latency.
const PATIENCE: u64 = 20_000;

/// How many times the longest latency is added to the patience: an operation can need 32 lines of 2 sectors.
const PATIENCE_LATENCIES: u64 = 200;

/// Cycles in which the other engines follow the first one at once: enough that what each of them needs is fetched rarely, few
/// enough that their pins stay in the second-level cache.
const BATCH: usize = 192;

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// Two engines differ.
    Mismatch {
        /// The one that drives the surroundings.
        expected_by: EngineKind,
        /// The one that differs from it.
        found_by: EngineKind,
        /// Every field that differs; the first names the failure.
        differences: Vec<Difference>,
    },
    /// The Verilog itself objects: a contract of a block or any other assertion in it fails, it ends the simulation, or it does not settle.
    Assertion {
        /// Whose Verilog it is.
        engine: EngineKind,
        /// What it says in the cycle: one message, or one of each assertion that failed.
        messages: Vec<String>,
    },
    /// All engines agree on something that the rules forbid.
    Violation {
        /// The engine that drives the surroundings.
        engine: EngineKind,
        /// What the oracle says.
        message: String,
    },
    /// All engines agree to break the port contract.
    Handshake {
        /// The engine that drives the surroundings.
        engine: EngineKind,
        /// The port.
        port: &'static str,
    },
    /// Nothing begins or ends any more.
    Hang {
        /// The engine that drives the surroundings.
        engine: EngineKind,
        /// Cycles since the last operation began or ended.
        patience: u64,
    },
}

/// A failed run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The cycle, counted from the reset cycle 0.
    pub cycle: u64,
    /// The unit.
    pub sm: u32,
    /// The operation concerned, by its place in the program, where one can be named.
    pub op: Option<usize>,
    /// What went wrong.
    pub kind: FailureKind,
}

impl fmt::Display for Failure {
    /// The first line of the report: what, where and when.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "cycle {} ", self.cycle)?;
        if self.sm > 0 {
            write!(formatter, "sm {} ", self.sm)?;
        }
        match &self.kind {
            FailureKind::Mismatch { expected_by, found_by, differences } => match differences.first() {
                Some(first) => write!(formatter, "{} {}", first.place(), first.values(found_by, expected_by)),
                None => write!(formatter, "{found_by} and {expected_by} differ"),
            },
            FailureKind::Assertion { engine, messages } => {
                write!(formatter, "{} ({engine})", messages.first().map_or("a failed assertion", String::as_str))
            }
            FailureKind::Violation { engine, message } => write!(formatter, "oracle: {message} ({engine})"),
            FailureKind::Handshake { engine, port } => {
                write!(formatter, "{port}: {engine} withdrew or changed it before its transfer")
            }
            FailureKind::Hang { engine, patience } => {
                write!(formatter, "hang: {engine} has neither begun nor ended an operation for {patience} cycles")
            }
        }
    }
}

impl Failure {
    /// Where it went wrong, in a few words.
    pub fn place(&self) -> String {
        match &self.kind {
            FailureKind::Mismatch { differences, .. } => {
                differences.first().map_or("outputs".to_owned(), |first| format!("{} differs", first.place()))
            }
            FailureKind::Assertion { .. } => "the Verilog objects".to_owned(),
            FailureKind::Violation { .. } => "the oracle objects".to_owned(),
            FailureKind::Handshake { port, .. } => format!("{port} changes before its transfer"),
            FailureKind::Hang { .. } => "given up".to_owned(),
        }
    }

    /// Whether `other` is a failure of the same sort, so that the shrinker does not wander off.
    pub fn is_like(&self, other: &Failure) -> bool {
        std::mem::discriminant(&self.kind) == std::mem::discriminant(&other.kind)
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Cycles that ran.
    pub cycles: u64,
    /// Operations that completed.
    pub ops: u64,
    /// The first failure.
    pub failure: Option<Failure>,
    /// The run was asked to end before the program did.
    pub is_interrupted: bool,
}

/// One unit's cycle, as an [`Observer`] sees it.
pub struct CycleView<'a> {
    /// The cycle, counted from the reset cycle 0.
    pub cycle: u64,
    /// The unit.
    pub sm: u32,
    /// Its input pins.
    pub inputs: &'a Inputs,
    /// Its output pins, of the engine that drives the surroundings.
    pub outputs: &'a Outputs,
    /// The transfers of this cycle.
    pub finished: &'a Finished,
    /// The engine that drives the surroundings, after the cycle.
    pub engine: &'a dyn Engine,
}

/// One unit's cycle right after its engines have run, whether they agree or not.
pub struct StepView<'a> {
    /// The cycle, counted from the reset cycle 0.
    pub cycle: u64,
    /// The unit.
    pub sm: u32,
    /// Its input pins.
    pub inputs: &'a Inputs,
    /// The output pins of the engine that drives the surroundings.
    pub expected: &'a Outputs,
    /// Those of the first engine that differs from it.
    pub found: Option<&'a Outputs>,
    /// Knows the operations in flight by their tags.
    pub driver: &'a Driver<'a>,
}

/// Something that looks on. Nothing that it does can change the run.
pub trait Observer {
    /// A unit's cycle is about to run with these pins; `engines` are as they were before it.
    fn before(&mut self, _cycle: u64, _sm: u32, _inputs: &Inputs, _engines: &mut [Box<dyn Engine>]) {}

    /// A unit's cycle has run on all engines, or up to the first that differs.
    fn stepped(&mut self, _view: &StepView<'_>) {}

    /// A unit's cycle has run and has been compared; not called for the cycle that fails.
    fn cycle(&mut self, _view: &CycleView<'_>) {}

    /// The run is over: the engine that drove the surroundings of the unit `sm`.
    fn unit_end(&mut self, _sm: u32, _engine: &dyn Engine) {}

    /// The run is over; `memory` is what the memory side holds, and `network` knows what has been read of shared memory.
    fn end(&mut self, _memory: &Memory, _network: &Network) {}
}

/// Nobody looks on.
impl Observer for () {}

/// The memory side as the oracle reads it.
struct SharedMemory(Rc<RefCell<Memory>>);

impl ConstantMemory for SharedMemory {
    fn word(&self, address: u64) -> u32 {
        self.0.borrow().word(address)
    }
}

struct Unit<'p> {
    sm: u32,
    driver: Driver<'p>,
    agent: Agent,
    weather: Weather,
    engines: Vec<Box<dyn Engine>>,
    oracle: Oracle<SharedMemory>,
    watch: HandshakeWatch,
    inputs: Inputs,
    outputs: Outputs,
    found: Outputs,
    /// How many cycles the other engines follow the one that drives at once.
    batch: usize,
    /// Those cycles, as many as there are by now; what lies behind them is from before.
    ahead: Vec<Ahead>,
    ahead_count: usize,
    /// How many they have followed.
    followed: u64,
    lanes: usize,
}

/// What the Verilog itself says, if that is why a step has failed: its assertions, that it ends the simulation, or that it does not settle.
fn objections(error: EngineError) -> Result<Vec<String>, EngineError> {
    match error {
        EngineError::Verilator(Error::Assertion { messages, .. }) => Ok(messages),
        EngineError::Verilator(Error::Stopped { message, .. }) => Ok(vec![format!("the Verilog stops: {message}")]),
        EngineError::Verilator(Error::Loop { signals, .. }) => {
            Ok(vec![format!("a combinational loop does not settle: it goes through {signals}")])
        }
        error => Err(error),
    }
}

/// Runs `program` on the engines that `source` makes.
///
/// # Errors
/// An engine cannot be made or cannot go on.
pub fn run(program: &Program, source: &dyn EngineSource, observer: &mut impl Observer) -> Result<Outcome, EngineError> {
    run_with(program, source, 1, observer)
}

/// The same, faster where nothing is wrong: the engines behind the first one follow it in batches of cycles, so that an observer
/// sees them too early in [`Observer::before`], and cycles in [`Observer::cycle`] that have not been compared yet. Where anything is
/// wrong, the program runs again, cycle by cycle: the outcome and the observer, which was `observer` before, are those of [`run`].
///
/// # Errors
/// An engine cannot be made or cannot go on.
pub fn run_in_batches<O: Observer + Clone>(
    program: &Program,
    source: &dyn EngineSource,
    observer: O,
) -> Result<(Outcome, O), EngineError> {
    let mut batched = observer.clone();
    let outcome = run_with(program, source, BATCH, &mut batched);
    if let Ok(outcome @ Outcome { failure: None, .. }) = outcome {
        return Ok((outcome, batched));
    }
    let mut exact = observer;
    let again = run(program, source, &mut exact)?;
    // Engines that fail once and not again are not well either; and a signal that ends the second run takes nothing back.
    if again.failure.is_none() {
        return outcome.map(|outcome| (outcome, batched));
    }
    Ok((again, exact))
}

/// Runs `program`; the engines behind the first one follow it in batches of so many cycles.
fn run_with(
    program: &Program,
    source: &dyn EngineSource,
    batch: usize,
    observer: &mut impl Observer,
) -> Result<Outcome, EngineError> {
    stack::long(|| run_here(program, source, batch, observer))
}

/// The same, on the stack that there is.
fn run_here(
    program: &Program,
    source: &dyn EngineSource,
    batch: usize,
    observer: &mut impl Observer,
) -> Result<Outcome, EngineError> {
    let memory = Rc::new(RefCell::new(Memory::new(program)));
    let history = SharedHistory::new();
    let mut network = Network::new(program);
    let mut progress = Progress::new(program.ops.len());
    let mut units = Vec::with_capacity(program.sms as usize);
    for sm in 0..program.sms {
        units.push(Unit::new(program, sm, source.make()?, &memory, &history, batch));
    }
    let patience = PATIENCE + PATIENCE_LATENCIES * u64::from(program.traffic.latency.most());
    let mut cycle = 0;
    let mut last_event = 0;
    let mut failure = None;
    let mut is_interrupted = false;
    let mut were_idle = false;
    let mut host_accesses = 0;
    let mut is_read_back = false;
    'run: loop {
        if source.is_stopped() {
            is_interrupted = true;
            break;
        }
        let mut is_idle = true;
        progress.hold(!network.is_filled());
        for unit in &mut units {
            let step = unit.step(cycle, &memory, &mut network, &mut progress, observer)?;
            match step {
                Step::Failed(failed) => {
                    failure = Some(*failed);
                    cycle += 1;
                    break 'run;
                }
                Step::Busy => last_event = cycle,
                Step::Quiet => {}
            }
            is_idle &= unit.agent.is_idle();
        }
        if units.first().is_some_and(|unit| unit.inputs.reset && unit.inputs.reset_memory) {
            network.forget();
        }
        if progress.is_complete() {
            network.dismiss_strangers();
        }
        is_idle &= network.is_idle();
        if network.host_accesses() != std::mem::replace(&mut host_accesses, network.host_accesses()) {
            last_event = cycle;
        }
        cycle += 1;
        let waited = cycle - last_event;
        // After a reset, the last answer can be the last thing to happen: the units know of it one cycle later.
        let was_idle = std::mem::replace(&mut were_idle, is_idle);
        if progress.is_complete() && is_idle && was_idle && waited > AFTERMATH {
            if is_read_back {
                break;
            }
            is_read_back = true;
            network.read_back();
            if network.is_idle() {
                break;
            }
        }
        if waited > patience {
            let op = (!progress.is_complete()).then(|| progress.first_missing());
            let sm = op.map_or(0, |op| program.ops[op].sm);
            let kind = FailureKind::Hang { engine: units[0].engines[0].kind(), patience };
            failure = Some(Failure { cycle, sm, op, kind });
            break;
        }
    }
    for unit in &mut units {
        if failure.is_none()
            && let Some((cycle, kind)) = unit.catch_up()?
        {
            failure = Some(Failure { cycle, sm: unit.sm, op: None, kind });
        }
    }
    if failure.is_none() && !is_interrupted {
        failure = units.iter().find_map(|unit| unit.last_judgement(cycle));
    }
    for unit in &units {
        if let Some(engine) = unit.engines.first() {
            observer.unit_end(unit.sm, engine.as_ref());
        }
    }
    observer.end(&memory.borrow(), &network);
    Ok(Outcome { cycles: cycle * u64::from(program.sms), ops: progress.count() as u64, failure, is_interrupted })
}

enum Step {
    /// An operation began or ended.
    Busy,
    Quiet,
    Failed(Box<Failure>),
}

impl<'p> Unit<'p> {
    /// Unit `sm` of `program`, before its first cycle.
    fn new(
        program: &'p Program,
        sm: u32,
        engines: Vec<Box<dyn Engine>>,
        memory: &Rc<RefCell<Memory>>,
        history: &SharedHistory,
        batch: usize,
    ) -> Self {
        Self {
            sm,
            driver: Driver::new(program, sm, memory.borrow().bank_bases()),
            agent: Agent::new(program, sm),
            weather: Weather::new(&program.traffic, sm),
            engines,
            oracle: Oracle::sharing(&program.preset, SharedMemory(Rc::clone(memory)), program.compute, history),
            watch: HandshakeWatch::default(),
            inputs: Inputs::default(),
            outputs: Outputs::default(),
            found: Outputs::default(),
            ahead: Vec::with_capacity(batch),
            batch,
            ahead_count: 0,
            followed: 0,
            lanes: program.preset.lanes,
        }
    }

    /// Lets the other engines follow the one that drives to the cycle in which it is; what is wrong with the first that differs,
    /// and in which cycle, if one does.
    fn catch_up(&mut self) -> Result<Option<(u64, FailureKind)>, EngineError> {
        let Some((leader, followers)) = self.engines.split_first_mut() else { return Ok(None) };
        let ahead = &self.ahead[..self.ahead_count];
        if ahead.is_empty() {
            return Ok(None);
        }
        let mut first: Option<(usize, FailureKind)> = None;
        let mut found = Outputs::default();
        for follower in followers {
            let engine = follower.kind();
            let (number, kind) = match follower.follow(ahead, self.lanes, &mut found) {
                Ok(None) => continue,
                Ok(Some(number)) => {
                    let differences = differences(&ahead[number].expected, &found, self.lanes);
                    (number, FailureKind::Mismatch { expected_by: leader.kind(), found_by: engine, differences })
                }
                Err(Stopped { number, error }) => {
                    (number, FailureKind::Assertion { engine, messages: objections(error)? })
                }
            };
            if first.as_ref().is_none_or(|(earlier, _)| number < *earlier) {
                first = Some((number, kind));
                self.found.clone_from(&found);
            }
        }
        let begin = self.followed;
        self.followed += ahead.len() as u64;
        self.ahead_count = 0;
        Ok(first.map(|(number, kind)| (begin + number as u64, kind)))
    }

    fn step(
        &mut self,
        cycle: u64,
        memory: &Rc<RefCell<Memory>>,
        network: &mut Network,
        progress: &mut Progress,
        observer: &mut impl Observer,
    ) -> Result<Step, EngineError> {
        self.weather.begin(cycle);
        if self.driver.present(cycle, &self.weather, progress, &mut self.inputs) {
            self.oracle.set_compute(self.inputs.compute);
            self.oracle.set_windows(self.inputs.windows);
            self.oracle.set_param_offset(self.inputs.param_offset);
        }
        self.agent.present(cycle, &self.weather, &memory.borrow(), &mut self.inputs);
        network.present(cycle, self.sm, &self.weather, &mut self.inputs);
        observer.before(cycle, self.sm, &self.inputs, &mut self.engines);
        let Some(leader) = self.engines.first_mut() else { return Ok(Step::Quiet) };
        let engine = leader.kind();
        let failed = match leader.step(&self.inputs, &mut self.outputs) {
            Ok(()) if self.engines.len() == 1 => None,
            Ok(()) => {
                if self.ahead_count == self.ahead.len() {
                    self.ahead.push(Ahead::default());
                }
                let ahead = &mut self.ahead[self.ahead_count];
                ahead.record(&self.inputs, &self.outputs);
                ahead.is_reset = cycle > 0;
                self.ahead_count += 1;
                if self.ahead_count == self.batch { self.catch_up()? } else { None }
            }
            Err(error) => Some((cycle, FailureKind::Assertion { engine, messages: objections(error)? })),
        };
        let is_mismatch = matches!(failed, Some((_, FailureKind::Mismatch { .. })));
        let (inputs, expected, found) = (&self.inputs, &self.outputs, is_mismatch.then_some(&self.found));
        observer.stepped(&StepView { cycle, sm: self.sm, inputs, expected, found, driver: &self.driver });
        if let Some((cycle, kind)) = failed {
            let op = match &kind {
                FailureKind::Mismatch { differences, .. } => {
                    differences.first().and_then(|first| self.guilty(first.port))
                }
                _ => only(self.driver.in_flight()),
            };
            return Ok(Step::Failed(Box::new(Failure { cycle, sm: self.sm, op, kind })));
        }
        if cycle == 0 {
            return Ok(Step::Busy);
        }
        if let Some(port) = self.watch.check(&self.inputs, &self.outputs) {
            let op = self.guilty(port);
            let kind = FailureKind::Handshake { engine, port };
            return Ok(Step::Failed(Box::new(Failure { cycle, sm: self.sm, op, kind })));
        }
        if let Some((op, message)) = self.judge() {
            let kind = FailureKind::Violation { engine, message };
            return Ok(Step::Failed(Box::new(Failure { cycle, sm: self.sm, op, kind })));
        }
        if self.agent.observe(cycle, &self.inputs, &self.outputs, &mut memory.borrow_mut()) {
            self.oracle.memory_write(&self.outputs.mem_req);
        }
        network.observe(cycle, self.sm, &self.inputs, &self.outputs);
        let finished = self.driver.observe(&self.inputs, &self.outputs, progress);
        if self.inputs.reset {
            self.oracle.reset(self.inputs.reset_memory);
            if self.inputs.reset_memory {
                self.agent.forget();
            }
        }
        observer.cycle(&CycleView {
            cycle,
            sm: self.sm,
            inputs: &self.inputs,
            outputs: &self.outputs,
            finished: &finished,
            engine: self.engines[0].as_ref(),
        });
        let is_answered = finished.accepted.is_some() || finished.completed != [None; 3];
        // The unit tells of a write of its banks one cycle later.
        let is_busy = is_answered || self.inputs.reset || self.inputs.bank_write_valid;
        Ok(if is_busy { Step::Busy } else { Step::Quiet })
    }

    /// The operation that the transfer on `port` belongs to, where that is known.
    fn guilty(&self, port: &str) -> Option<usize> {
        match port {
            "req" if self.inputs.req_valid => self.driver.operation(self.inputs.req.tag),
            "wb" if self.outputs.wb_valid => self.driver.operation(self.outputs.wb.tag),
            "wb" if self.found.wb_valid => self.driver.operation(self.found.wb.tag),
            "fault" if self.outputs.fault_valid => self.driver.operation(self.outputs.fault.tag),
            "fault" if self.found.fault_valid => self.driver.operation(self.found.fault.tag),
            "done" if self.outputs.done_valid => self.driver.operation(self.outputs.done.tag),
            "done" if self.found.done_valid => self.driver.operation(self.found.done.tag),
            "mem_req" if self.outputs.mem_req_valid => self.owner(&self.outputs.mem_req),
            "mem_req" if self.found.mem_req_valid => self.owner(&self.found.mem_req),
            "cluster_req" if self.outputs.cluster_req_valid => self.remote_owner(&self.outputs.cluster_req),
            "cluster_req" if self.found.cluster_req_valid => self.remote_owner(&self.found.cluster_req),
            // They belong to other units.
            "serve_req" | "serve_rsp" => None,
            _ => only(self.driver.in_flight()),
        }
    }

    /// The operation that a memory request belongs to.
    fn owner(&self, request: &MemoryRequest) -> Option<usize> {
        owner(self.driver.program(), self.driver.in_flight(), request)
    }

    /// The operation that a request to another unit belongs to.
    fn remote_owner(&self, request: &ClusterRequest) -> Option<usize> {
        remote_owner(self.driver.program(), self.driver.in_flight(), request)
    }

    /// The oracle's objection to the transfers of this cycle, and the operation concerned.
    fn judge(&mut self) -> Option<(Option<usize>, String)> {
        let (inputs, outputs) = (&self.inputs, &self.outputs);
        if let Err(violation) = self.oracle.idle(outputs.status.idle) {
            return Some((None, violation.to_string()));
        }
        if inputs.bank_write_valid {
            self.oracle.write_bank(&inputs.bank_write);
        }
        if inputs.req_valid
            && outputs.req_ready
            && let Err(violation) = self.oracle.accept(&inputs.req)
        {
            return Some((self.driver.operation(inputs.req.tag), violation.to_string()));
        }
        if inputs.wdata_valid
            && outputs.wdata_ready
            && let Err(violation) = self.oracle.store_data(inputs.wdata.tag, &inputs.wdata.data)
        {
            return Some((None, violation.to_string()));
        }
        if outputs.fault_valid
            && inputs.fault_ready
            && let Err(violation) = self.oracle.fault(&outputs.fault)
        {
            return Some((self.driver.operation(outputs.fault.tag), violation.to_string()));
        }
        if outputs.wb_valid
            && inputs.wb_ready
            && let Err(violation) = self.oracle.writeback(&outputs.wb)
        {
            return Some((self.driver.operation(outputs.wb.tag), violation.to_string()));
        }
        if outputs.done_valid
            && inputs.done_ready
            && let Err(violation) = self.oracle.done(outputs.done.tag)
        {
            return Some((self.driver.operation(outputs.done.tag), violation.to_string()));
        }
        if inputs.mem_rsp_valid && outputs.mem_rsp_ready {
            self.oracle.memory_response(&inputs.mem_rsp);
        }
        if inputs.cluster_rsp_valid && outputs.cluster_rsp_ready {
            self.oracle.cluster_response(&inputs.cluster_rsp);
        }
        if outputs.serve_rsp_valid
            && inputs.serve_rsp_ready
            && let Err(violation) = self.oracle.serve_response(&outputs.serve_rsp)
        {
            return Some((None, violation.to_string()));
        }
        if inputs.serve_req_valid && outputs.serve_req_ready {
            self.oracle.serve_request(&inputs.serve_req);
        }
        if outputs.mem_req_valid
            && inputs.mem_req_ready
            && let Err(violation) = self.oracle.memory_request(&outputs.mem_req)
        {
            return Some((self.owner(&outputs.mem_req), violation.to_string()));
        }
        if outputs.cluster_req_valid
            && inputs.cluster_req_ready
            && let Err(violation) = self.oracle.cluster_request(&outputs.cluster_req)
        {
            return Some((self.remote_owner(&outputs.cluster_req), violation.to_string()));
        }
        None
    }

    /// The oracle's objection to how things stand at the end.
    fn last_judgement(&self, cycle: u64) -> Option<Failure> {
        let violation = self.oracle.finish().into_iter().next();
        let violation = violation.or_else(|| self.oracle.status(&self.outputs.status).err());
        let violation = violation.or_else(|| {
            let never_idle = Violation::WrongStatus { pin: "status_idle", expected: 1, got: 0, rule: "idle" };
            (!self.outputs.status.idle).then_some(never_idle)
        })?;
        let kind = FailureKind::Violation { engine: self.engines[0].kind(), message: violation.to_string() };
        Some(Failure { cycle, sm: self.sm, op: None, kind })
    }
}
