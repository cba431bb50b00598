//! How often each named pattern of programs, surroundings and addresses occurred, and how long the unit waited in it.
//!
//! | side of a case | names |
//! |---|---|
//! | `program` | the pattern that the generator drew, as `generate/pattern.rs` names it |
//! | `latency` of memory | `ideal`, `short`, `long` |
//! | `answers` | `taken` at once, with `stalls`, with `many_stalls`, with `jams`, during which none is taken |
//! | `arrival` of operations | `bursts` without a gap, with `gaps`, in `droughts` |
//! | `errors` of memory | `none`, `errors` |
//! | `length` in operations | `short`, `medium`, `long` |
//! | `resets` in the middle | `none`, of the `units`, of the `units_and_memory` |
//! | `changes` of the configuration | `none`, `some` |

use std::collections::BTreeMap;

use lsu_model::golden::PlaceVisitor;
use lsu_model::micro_op::{Command, OpKind};
use lsu_model::pins::Request;
use lsu_model::preset::Preset;
use serde::Serialize;

use crate::lockstep::CycleView;
use crate::program::{Latency, Program};

/// log2 of the bytes of a line.
const LINE_BITS: u32 = 7;

/// Most lines of lanes that lie in a few.
const FEW_LINES: usize = 3;

/// Latencies below this one, in cycles, are short.
const LONG_LATENCY: u32 = 40;

/// Percentages of stalled cycles, of cycles without an operation, and of each 128 cycles without an answer, from which on they are
/// many.
const MANY_STALLS: u8 = 30;
const DROUGHT: u8 = 45;

/// Programs of fewer operations are short, and of more than so many long.
const SHORT: usize = 30;
const LONG: usize = 250;

/// What cases of one pattern came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PatternCount {
    /// Cases.
    pub cases: u64,
    /// Operations accepted.
    pub ops: u64,
    /// Cycles of the units.
    pub cycles: u64,
    /// Of them, those lost to each cause, as the status pins count them.
    pub stall_order: u64,
    /// As above.
    pub stall_misses: u64,
    /// As above.
    pub stall_data: u64,
    /// As above.
    pub stall_memory: u64,
    /// Cycles in which all places of the unit were in use.
    pub all_full: u64,
}

impl PatternCount {
    fn add(&mut self, other: &Self) {
        self.cases += other.cases;
        self.ops += other.ops;
        self.cycles += other.cycles;
        self.stall_order += other.stall_order;
        self.stall_misses += other.stall_misses;
        self.stall_data += other.stall_data;
        self.stall_memory += other.stall_memory;
        self.all_full += other.all_full;
    }
}

/// Cases by what each of a few sides of them was like: of each side, a case has one name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct PatternCounts(BTreeMap<&'static str, BTreeMap<&'static str, PatternCount>>);

impl PatternCounts {
    /// The names of one run, of a program that was drawn as `pattern`; it has yet to run.
    pub(super) fn of(pattern: &'static str, program: &Program) -> Self {
        let traffic = &program.traffic;
        let latency = match traffic.latency {
            Latency::Ideal => "ideal",
            Latency::Between { most, .. } if most < LONG_LATENCY => "short",
            Latency::Between { .. } => "long",
        };
        let answers = match (traffic.stall, traffic.jam) {
            (_, 1..) => "jams",
            (0, _) => "taken",
            (stall, _) if stall < MANY_STALLS => "stalls",
            _ => "many_stalls",
        };
        let arrival = match traffic.gap {
            0 => "bursts",
            gap if gap < DROUGHT => "gaps",
            _ => "droughts",
        };
        let length = match program.ops.len() {
            0..SHORT => "short",
            SHORT..=LONG => "medium",
            _ => "long",
        };
        let resets = match program.resets.iter().map(|reset| reset.memory).max() {
            None => "none",
            Some(false) => "units",
            Some(true) => "units_and_memory",
        };
        let changes = if program.ops.iter().any(|operation| operation.change.is_some()) { "some" } else { "none" };
        let errors = if traffic.error == 0 && program.failing.is_empty() { "none" } else { "errors" };
        let names = [
            ("program", pattern),
            ("latency", latency),
            ("answers", answers),
            ("arrival", arrival),
            ("errors", errors),
            ("length", length),
            ("resets", resets),
            ("changes", changes),
        ];
        Self(names.map(|(side, name)| (side, BTreeMap::from([(name, PatternCount::default())]))).into())
    }

    /// The same when the run has come to `count`.
    pub(super) fn filled(&self, count: PatternCount) -> Self {
        let mut filled = self.clone();
        filled.0.values_mut().flat_map(BTreeMap::values_mut).for_each(|sum| *sum = count);
        filled
    }

    pub(super) fn add(&mut self, other: &Self) {
        for (side, names) in &other.0 {
            let sums = self.0.entry(side).or_default();
            for (name, count) in names {
                sums.entry(name).or_default().add(count);
            }
        }
    }

    /// What the cases of the name `name` on the side `side` came to.
    pub fn count(&self, side: &str, name: &str) -> PatternCount {
        self.0.get(side).and_then(|names| names.get(name)).copied().unwrap_or_default()
    }
}

/// Loads and stores by how the addresses of their active lanes lie to each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AddressCounts {
    /// No active lane.
    pub none: u64,
    /// One active lane.
    pub one: u64,
    /// All the same.
    pub uniform: u64,
    /// Two that differ in one bit.
    pub twins: u64,
    /// Each lane's right behind the one before, by the number of the lane.
    pub consecutive: u64,
    /// The same distance from each lane to the next, another one.
    pub strided: u64,
    /// Others in at most three lines.
    pub few_lines: u64,
    /// All others.
    pub scattered: u64,
}

impl AddressCounts {
    pub(super) fn add(&mut self, other: &Self) {
        self.none += other.none;
        self.one += other.one;
        self.uniform += other.uniform;
        self.twins += other.twins;
        self.consecutive += other.consecutive;
        self.strided += other.strided;
        self.few_lines += other.few_lines;
        self.scattered += other.scattered;
    }

    pub(super) fn count(&mut self, preset: &Preset, request: &Request) {
        *self.class(preset, request) += 1;
    }

    fn class(&mut self, preset: &Preset, request: &Request) -> &mut u64 {
        let active = || (0..preset.lanes).filter(|lane| request.mask >> lane & 1 == 1);
        let addresses: Vec<u64> = active().map(|lane| request.addr[lane]).collect();
        let Some(&first) = addresses.first() else { return &mut self.none };
        if addresses.len() == 1 {
            return &mut self.one;
        }
        let mut different = addresses.clone();
        different.sort_unstable();
        different.dedup();
        match different[..] {
            [_] => return &mut self.uniform,
            [low, high] if (low ^ high).is_power_of_two() => return &mut self.twins,
            _ => {}
        }
        let lanes: Vec<u64> = active().map(|lane| lane as u64).collect();
        let step = addresses[1].wrapping_sub(first).checked_div(lanes[1] - lanes[0]).unwrap_or_default();
        let steps = |step: u64| {
            lanes
                .iter()
                .zip(&addresses)
                .all(|(lane, address)| *address == first.wrapping_add(step.wrapping_mul(lane - lanes[0])))
        };
        if steps(1 << (request.size + request.vec).min(5)) {
            return &mut self.consecutive;
        }
        if steps(step) {
            return &mut self.strided;
        }
        different.iter_mut().for_each(|address| *address >>= LINE_BITS);
        different.dedup();
        if different.len() <= FEW_LINES { &mut self.few_lines } else { &mut self.scattered }
    }
}

/// Counts what could take another miss.
#[derive(Default)]
struct FreeMisses {
    mshrs: u32,
    waiters: u32,
}

impl PlaceVisitor for FreeMisses {
    fn place(&mut self, name: &'static str, _number: Option<usize>, is_occupied: bool) {
        match name {
            "global_mshr" => self.mshrs += u32::from(!is_occupied),
            "global_waiter" => self.waiters += u32::from(!is_occupied),
            _ => {}
        }
    }

    fn value(&mut self, _name: &'static str, _bits: u32, _value: Option<u64>) {}
}

/// Commands by what went on when they were accepted, each by number: invalidate L1, read-only cache, constant cache, write back local.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MomentCounts {
    /// Nothing else was in flight.
    pub idle: [u64; Command::CODE_COUNT],
    /// A load was.
    pub among_loads: [u64; Command::CODE_COUNT],
    /// A store was.
    pub among_stores: [u64; Command::CODE_COUNT],
    /// An LDC was.
    pub among_ldcs: [u64; Command::CODE_COUNT],
    /// Another command was.
    pub among_commands: [u64; Command::CODE_COUNT],
    /// A result was not taken.
    pub answers_held: [u64; Command::CODE_COUNT],
    /// All MSHRs, or all places for passes that wait, were in use.
    pub misses_full: [u64; Command::CODE_COUNT],
    /// It was not complete when a reset came.
    pub cut_by_reset: [u64; Command::CODE_COUNT],
}

impl MomentCounts {
    pub(super) fn add(&mut self, other: &Self) {
        let sides = |counts: &Self| {
            [
                counts.idle,
                counts.among_loads,
                counts.among_stores,
                counts.among_ldcs,
                counts.among_commands,
                counts.answers_held,
                counts.misses_full,
                counts.cut_by_reset,
            ]
        };
        let mut sums = sides(self);
        sums.iter_mut().zip(sides(other)).for_each(|(sum, other)| super::add_each(sum, &other));
        [
            self.idle,
            self.among_loads,
            self.among_stores,
            self.among_ldcs,
            self.among_commands,
            self.answers_held,
            self.misses_full,
            self.cut_by_reset,
        ] = sums;
    }

    /// The command of this cycle, accepted while those of `in_flight` were.
    pub(super) fn count(&mut self, view: &CycleView<'_>, in_flight: &[u64; OpKind::CODE_COUNT]) {
        let command = usize::from(view.inputs.req.cmd) % Command::CODE_COUNT;
        let has = |kind: OpKind| u64::from(in_flight[usize::from(kind.code())] > 0);
        self.idle[command] += u64::from(in_flight.iter().all(|count| *count == 0));
        self.among_loads[command] += has(OpKind::Load);
        self.among_stores[command] += has(OpKind::Store);
        self.among_ldcs[command] += has(OpKind::Ldc);
        self.among_commands[command] += has(OpKind::Command);
        self.answers_held[command] += u64::from(view.outputs.wb_valid && !view.inputs.wb_ready);
        if let Some(golden) = view.engine.golden() {
            let mut free = FreeMisses::default();
            golden.visit_places(&mut free);
            self.misses_full[command] += u64::from(free.mshrs == 0 || free.waiters == 0);
        }
    }
}
