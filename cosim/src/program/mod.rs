//! A program: what the units are asked to do, and everything that the cycles depend on.
//!
//! A [`Program`] is fully evaluated: its operations are requests in port encoding, its expressions are numbers. It
//! comes from a program file ([`read`]), from the test-case generator or from the shrinker, and [`write()`] turns it back
//! into a file. Two equal programs give equal cycles.
//!
//! What a CTA sees of shared memory is said of each operation: `shared_base` and `shared_size`, all of it if they are left out.
//!
//! Four things can be said in a file beyond what a user needs, so that every generated program can be saved:
//! * `[traffic]` with `stall`, `gap`, `error`, `wrong_tag`, `jam` and `strangers`, the percentages of [`Traffic`], and
//!   `tags`, its [`TagPolicy`]; `error` can also be a list of addresses; `breach = { port, response, kind }`, its [`Breach`];
//! * `base` in a `[[bank]]`, its address in memory, and `valid`, false for a write that takes the bank away again;
//! * `rd`, the first destination register of a PTX load, 0 where it is left out: PTX names registers without numbers;
//! * `pins = { op = 2, size = 4, … }` in an `[[op]]`, in place of `instr`: a request in port encoding that no
//!   instruction text gives. Pins that are left out are 0; `addr` takes the same forms as a register, and so does each
//!   beat of `data`, the list of what a store sends on `wdata`.

mod bytes;
mod change;
mod expression;
mod file;
mod instruction;
mod local;
mod mistake;
mod params;
mod ptx;
mod read;
mod registers;
mod request;
mod shared;
mod windows;
mod write;

pub use bytes::{LINE_BYTES, SECTOR_BYTES, WORD_BYTES};
pub use change::Change;
pub use expression::evaluate;
pub use instruction::mnemonic;
pub use local::{LOCAL_GRANULE, LocalMemory, LocalPlace, bytes_of_thread, local_place, may_be_local};
pub use mistake::{Mistake, ProgramError, Shown};
pub use params::{CONSTANT_BANK, DEFAULT_PARAM_OFFSET, PARAM_BANK, constant_bank, param_start};
pub use read::{MOST_SMS, Overrides, read, read_file};
pub use registers::{Beat, Destination, destinations, store_beats};
pub use request::{lane_sum, request_of};
pub use shared::{OFFSET_BITS, RANK_BITS, SHARED_GRANULE, SharedPlace, may_be_shared, shared_place};
pub use windows::{WINDOW_GRANULE, offset_for_others};
pub use write::{canonical, describe, has_text, write};

use std::ops::{Deref, DerefMut};

use lsu_model::pins::Request;
use lsu_model::preset::Preset;

/// Latency of the memory side, in cycles from a request's transfer to the first cycle in which its response may appear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Latency {
    /// Always [`IDEAL_LATENCY`], in order, always ready.
    Ideal,
    /// Each request draws its own.
    Between {
        /// The least.
        least: u32,
        /// The most.
        most: u32,
    },
}

/// Cycles that an ideal memory takes: the least latency of the default range.
pub const IDEAL_LATENCY: u32 = 20;

impl Default for Latency {
    fn default() -> Self {
        Self::Between { least: 20, most: 60 }
    }
}

impl Latency {
    /// The longest latency.
    pub const fn most(self) -> u32 {
        match self {
            Self::Ideal => IDEAL_LATENCY,
            Self::Between { most, .. } => most,
        }
    }
}

/// How the surroundings of the unit behave; everything else about them follows from `seed`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traffic {
    /// Seed of latencies, order, backpressure and errors.
    pub seed: u64,
    /// Latency of the memory side.
    pub latency: Latency,
    /// Percent of cycles in which `mem_req_ready`, `wb_ready`, `fault_ready` and `done_ready` are low, each on its own.
    pub stall: u8,
    /// Percent of cycles in which no new operation is presented.
    pub gap: u8,
    /// Percent of memory responses that carry an error.
    pub error: u8,
    /// Percent of beats of store data that are sent with one bit of their tag wrong.
    pub wrong_tag: u8,
    /// Percent of each 128 cycles, the first of them, in which no answer is taken: `wb_ready`, `fault_ready` and
    /// `done_ready` are low.
    pub jam: u8,
    /// Percent of cycles in which somebody asks each unit, on `serve_req`, for what lies beyond its shared memory: the answer is an error.
    pub strangers: u8,
    /// Which tags the operations get.
    pub tags: TagPolicy,
}

/// A response, at a port of each unit, that the port's protocol forbids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Breach {
    /// At which port.
    pub port: BreachPort,
    /// Which response: 1 for the first that is ready to come.
    pub response: u32,
    /// What is done with it.
    pub kind: BreachKind,
}

/// A port at which responses come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BreachPort {
    /// `mem_rsp`.
    #[default]
    Memory,
    /// `cluster_rsp`.
    Cluster,
}

impl BreachPort {
    /// Every one.
    pub const ALL: [Self; 2] = [Self::Memory, Self::Cluster];

    /// Its name in a program file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Memory => "mem",
            Self::Cluster => "cluster",
        }
    }
}

/// What is done with a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BreachKind {
    /// It never comes.
    Withheld,
    /// It comes twice.
    Repeated,
    /// Another one comes after it, with an id that nothing was asked with.
    Unasked,
    /// Another one comes after it, with an id that the unit never asks with, if the port has such ids.
    Unknown,
    /// It comes with the id of another request that is not answered, if there is one.
    Misdirected,
}

impl BreachKind {
    /// Every one.
    pub const ALL: [Self; 5] = [Self::Withheld, Self::Repeated, Self::Unasked, Self::Unknown, Self::Misdirected];

    /// Its name in a program file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Withheld => "withheld",
            Self::Repeated => "repeated",
            Self::Unasked => "unasked",
            Self::Unknown => "unknown",
            Self::Misdirected => "misdirected",
        }
    }
}

/// The order in which tags are handed out. No operation gets one that another operation in flight has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TagPolicy {
    /// The one that has been free for longest: 0, 1, 2, …, 255, then again.
    #[default]
    InOrder,
    /// At random from the seed: often one that differs in a single bit from one of those before, often the one that was given
    /// back last.
    Scattered,
}

impl TagPolicy {
    /// Its name in a program file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::InOrder => "in_order",
            Self::Scattered => "scattered",
        }
    }
}

impl Default for Traffic {
    fn default() -> Self {
        Self {
            seed: 1,
            latency: Latency::default(),
            stall: 10,
            gap: 0,
            error: 0,
            wrong_tag: 0,
            jam: 0,
            strangers: 0,
            tags: TagPolicy::InOrder,
        }
    }
}

/// What a stretch of memory holds at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contents {
    /// These words, then zeros.
    Words(Vec<u32>),
    /// Every word holds its own address; in a constant bank, (bank << 16) + offset.
    Address,
    /// Every word holds that number times an odd one, so that all its bytes differ from most others'.
    Noise,
}

/// One write to the constant-bank table, with the bank's contents. Illegal ones are sent as they are: the unit refuses
/// them (rule LDC-8).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bank {
    /// Table entry, 0 to 31.
    pub index: u8,
    /// Bytes, 17 bits.
    pub size: u32,
    /// Address in memory; `None` lets the memory image choose a place.
    pub base: Option<u64>,
    /// What it holds.
    pub contents: Contents,
    /// Whether the entry may be used then.
    pub valid: bool,
}

/// What a block of initial contents is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemorySpace {
    /// Global memory.
    Global,
    /// The local memory of every thread of every unit.
    Local,
    /// The kernel parameters, by their address: they lie over what the last write of bank 0 holds.
    Param,
    /// The shared memory of one unit.
    Shared {
        /// The unit.
        sm: u32,
    },
}

impl MemorySpace {
    /// Its name in a program file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::Local => "local",
            Self::Param => "param",
            Self::Shared { .. } => "shared",
        }
    }
}

/// Initial contents of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryBlock {
    /// What it is of.
    pub space: MemorySpace,
    /// First byte; of local memory that of each thread.
    pub address: u64,
    /// Length in bytes, a multiple of 4.
    pub bytes: u64,
    /// What it holds.
    pub contents: Contents,
}

/// A stretch of memory to report at the end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dump {
    /// What it is of: global or shared memory.
    pub space: MemorySpace,
    /// First byte, a multiple of 4.
    pub address: u64,
    /// Length in bytes, a multiple of 4.
    pub bytes: u64,
}

/// One generic-address window, as far as the file gives it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WindowPlace {
    /// First byte address.
    pub base: Option<u64>,
    /// Bytes.
    pub size: Option<u64>,
}

/// Generic-address windows, local memory and what CTAs show each other, as far as the file gives them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// The shared window.
    pub shared: WindowPlace,
    /// The local window.
    pub local: WindowPlace,
    /// The constant window.
    pub constant: WindowPlace,
    /// The parameter window.
    pub param: WindowPlace,
    /// Where the local memory of the first unit lies in memory.
    pub local_memory: Option<u64>,
    /// The part of its shared memory that each unit's CTA shows to others of the cluster: bytes of shared memory.
    pub cluster: WindowPlace,
    /// The rank of the first unit's CTA.
    pub rank: u8,
}

/// What an operation waits for before it begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wait {
    /// Nothing: it may overlap with earlier operations of its warp.
    #[default]
    No,
    /// Every earlier operation of its warp.
    Warp,
    /// A moment in which no operation of its unit is in flight, and every earlier one of its warp.
    Unit,
    /// Every earlier operation of the program.
    All,
}

/// A value that a register must hold after the operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// The register.
    pub destination: Destination,
    /// One value of each active lane, or in any lane any of these.
    pub values: Expected,
}

/// The values that an expectation allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Lane by lane.
    Lanes(Vec<u128>),
    /// Any of these in any lane.
    AnyOf(Vec<u128>),
}

/// One operation of one warp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The unit that it goes to.
    pub sm: u32,
    /// The warp that it belongs to.
    pub warp: u32,
    /// What it waits for.
    pub wait: Wait,
    /// The request in port encoding, tag and slot left 0.
    pub request: Request,
    /// The instruction as the file gives it; `None` for generated operations and commands.
    pub text: Option<String>,
    /// Register values that must come out.
    pub expect: Vec<Expectation>,
    /// The fault that must come out, by its cause on the port.
    pub expect_fault: Option<u8>,
}

/// An operation as a program holds it: with what does not stand on its request's pins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramOperation {
    /// The operation.
    pub operation: Operation,
    /// What a store sends on `wdata`, [`store_beats`] of them; a beat that is missing is 0.
    pub data: Vec<Beat>,
    /// The registers that it writes, by the names of its PTX text; empty where they have the unit's own numbers.
    pub named: Vec<Destination>,
    /// What changes on the `cfg_*` pins before it begins.
    pub change: Option<Box<Change>>,
}

impl From<Operation> for ProgramOperation {
    fn from(operation: Operation) -> Self {
        Self { operation, data: Vec::new(), named: Vec::new(), change: None }
    }
}

impl Deref for ProgramOperation {
    type Target = Operation;

    fn deref(&self) -> &Operation {
        &self.operation
    }
}

impl DerefMut for ProgramOperation {
    fn deref_mut(&mut self) -> &mut Operation {
        &mut self.operation
    }
}

/// A reset in the middle of traffic: `rst` is high in one cycle, in all units. Operations under way are lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reset {
    /// The cycle, from 1 on; the reset before everything is in cycle 0.
    pub cycle: u64,
    /// The memory side forgets its requests, too: `rst_mem`.
    pub memory: bool,
    /// The bank table, which is empty then, is written again before any other operation begins.
    pub banks: bool,
}

/// A complete program.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// Sizes of the units.
    pub preset: Preset,
    /// PTX version that PTX texts are judged by, `None` for the newest known.
    pub ptx_version: Option<String>,
    /// Target that texts are judged by.
    pub target: String,
    /// Units on one memory side.
    pub sms: u32,
    /// How the surroundings behave.
    pub traffic: Traffic,
    /// Addresses in sectors whose accesses all end with an error, beside those that `traffic` draws.
    pub failing: Vec<u64>,
    /// What memory, or the network, does that the protocol of its port forbids.
    pub breach: Option<Breach>,
    /// Resets in the middle of traffic.
    pub resets: Vec<Reset>,
    /// Compute mode (8 constant banks) instead of graphics mode (18).
    pub compute: bool,
    /// Initial contents of memory.
    pub memory: Vec<MemoryBlock>,
    /// Constant banks, in the order of their table writes.
    pub banks: Vec<Bank>,
    /// Generic-address windows.
    pub window: Window,
    /// The pin `cfg_param_offset`: where the kernel parameters begin in bank 0, but for its low four bits.
    pub param_offset: u16,
    /// Operations in program order.
    pub ops: Vec<ProgramOperation>,
    /// Memory to report at the end.
    pub dumps: Vec<Dump>,
}

/// Target of a program that names none.
pub const DEFAULT_TARGET: &str = "sm_100";

impl Program {
    /// A program without operations.
    pub fn empty(preset: Preset) -> Self {
        Self {
            preset,
            ptx_version: None,
            target: DEFAULT_TARGET.to_owned(),
            sms: 1,
            traffic: Traffic::default(),
            failing: Vec::new(),
            breach: None,
            resets: Vec::new(),
            compute: true,
            memory: Vec::new(),
            banks: Vec::new(),
            window: Window::default(),
            param_offset: DEFAULT_PARAM_OFFSET,
            ops: Vec::new(),
            dumps: Vec::new(),
        }
    }
}
