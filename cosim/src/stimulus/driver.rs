//! The driver: turns one unit's operations into pins, and takes note of what the unit answers.
//!
//! Operations of a warp are presented in program order, and may be in flight together unless one of them waits. The
//! driver looks ahead over waiting warps, so that a warp that waits does not hold up another one.
//!
//! Where an operation changes the configuration, the driver of every unit waits until all operations before it have completed and its
//! unit is idle, and changes the pins; no unit begins an operation behind it before it has completed.
//!
//! The data of accepted stores follows on `wdata` in the order of acceptance, from the cycle after it on.

use std::collections::VecDeque;

use lsu_model::pins::{BankWrite, FaultCause, Inputs, Outputs, Request, Windows};

use super::tags::{TAGS, Tags};
use super::{Weather, WeatherStream};
use crate::program::{Beat, Change, Program, Wait, store_beats};
use crate::random::Random;

/// No operation.
const NONE: u32 = u32::MAX;

/// Stream number of the wrong tags of store data, far from those of the agents.
const WRONG_TAG_STREAM: u64 = 0x7772_6f6e_6700;

/// The fault cause that comes beside results instead of replacing them.
const MEMORY_ERROR: u8 = FaultCause::MemoryError.code();

/// Which operations of the program have completed, over all units.
#[derive(Clone, Debug)]
pub struct Progress {
    completed: Vec<bool>,
    count: usize,
    /// Every operation before this one has completed.
    prefix: usize,
    is_held: bool,
}

impl Progress {
    /// Nothing has completed of `ops` operations.
    pub fn new(ops: usize) -> Self {
        Self { completed: vec![false; ops], count: 0, prefix: 0, is_held: false }
    }

    /// Says whether operations have to wait before they begin: shared memory does not yet hold what the program begins with.
    pub fn hold(&mut self, is_held: bool) {
        self.is_held = is_held;
    }

    /// How many have completed.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Whether all have.
    pub fn is_complete(&self) -> bool {
        self.count == self.completed.len()
    }

    /// The first operation that has not completed.
    pub fn first_missing(&self) -> usize {
        self.prefix
    }

    fn complete(&mut self, op: usize) {
        if !std::mem::replace(&mut self.completed[op], true) {
            self.count += 1;
        }
        while self.completed.get(self.prefix) == Some(&true) {
            self.prefix += 1;
        }
    }
}

/// The transfers of one cycle, each by the number of its operation in the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Finished {
    /// Accepted on `req`.
    pub accepted: Option<usize>,
    /// Answered on `wb`.
    pub writeback: Option<usize>,
    /// Answered on `fault`.
    pub fault: Option<usize>,
    /// Answered on `done`.
    pub done: Option<usize>,
    /// The operations among these that are complete now.
    pub completed: [Option<usize>; 3],
    /// A beat was taken whose tag differs in these bits from that of its store.
    pub wrong_tag_bits: u8,
}

/// One operation of this unit.
#[derive(Clone, Copy, Debug)]
struct Entry {
    op: u32,
    /// Dense number of its warp.
    warp: u32,
    wait: Wait,
    is_taken: bool,
}

/// The `req`, `wdata`, `wb`, `fault` and `done` ports, the bank table and the windows of one unit.
#[derive(Debug)]
pub struct Driver<'p> {
    program: &'p Program,
    entries: Vec<Entry>,
    /// Entries before this one have been taken.
    cursor: usize,
    /// Operations in flight, by dense warp number.
    outstanding: Vec<u32>,
    /// The number of the last search in which a warp was found to be held up.
    held_in: Vec<u32>,
    search: u32,
    /// No entry can begin before something completes.
    is_stuck: bool,
    completed_before: usize,
    /// The entry on the pins.
    current: Option<usize>,
    /// Operation and dense warp by tag.
    by_tag: [(u32, u32); TAGS],
    /// Answered in full, apart from a fault record that is on the pins.
    is_closing: [bool; TAGS],
    tags: Tags,
    bank_writes: Vec<BankWrite>,
    next_bank: usize,
    /// Operations that change the configuration, of all units.
    changes: Vec<(u32, &'p Change)>,
    /// Changes before this one are on the pins.
    next_change: usize,
    compute: bool,
    windows: Windows,
    param_offset: u16,
    /// It has accepted nothing since a reset.
    is_untouched: bool,
    /// It is idle.
    is_idle: bool,
    /// The operation that had each tag last, complete or not: a record of failed lanes can come behind the results.
    last_of_tag: [u32; TAGS],
    /// Operations that have ended under each tag while another's record stood on the pins: one of theirs can stand behind it, and comes
    /// before those of who has the tag next.
    late: [u32; TAGS],
    has_late: bool,
    /// Accepted stores whose data has not all been taken, with their tags.
    stores: VecDeque<(u32, u8)>,
    /// Beats of the first of them that have been taken.
    beats_taken: usize,
    /// After a reset in this cycle the bank table is written again.
    writes_banks_again: bool,
    /// The next beat is on the pins.
    is_beat_presented: bool,
    /// Draws the beats that get a wrong tag.
    wrong_tags: Random,
    /// Bits of the tag that are wrong in the beat on the pins.
    wrong_tag_bits: u8,
}

impl<'p> Driver<'p> {
    /// The driver of the unit number `sm`; `bank_bases` says where each bank of the program lies.
    pub fn new(program: &'p Program, sm: u32, bank_bases: &[u64]) -> Self {
        let mut warps: Vec<u32> =
            program.ops.iter().filter(|operation| operation.sm == sm).map(|operation| operation.warp).collect();
        warps.sort_unstable();
        warps.dedup();
        let entries = program
            .ops
            .iter()
            .enumerate()
            .filter(|(_, operation)| operation.sm == sm)
            .map(|(op, operation)| Entry {
                op: op as u32,
                warp: warps.partition_point(|warp| *warp < operation.warp) as u32,
                wait: operation.wait,
                is_taken: false,
            })
            .collect();
        let bank_writes = program
            .banks
            .iter()
            .zip(bank_bases)
            .map(|(bank, base)| BankWrite { index: bank.index, base: *base, size: bank.size, valid: bank.valid })
            .collect();
        Self {
            program,
            entries,
            cursor: 0,
            outstanding: vec![0; warps.len()],
            held_in: vec![0; warps.len()],
            search: 0,
            is_stuck: false,
            completed_before: 0,
            current: None,
            by_tag: [(NONE, NONE); TAGS],
            is_closing: [false; TAGS],
            tags: Tags::new(&program.traffic, sm),
            bank_writes,
            next_bank: 0,
            changes: (0..)
                .zip(&program.ops)
                .filter_map(|(op, operation)| Some((op, operation.change.as_deref()?)))
                .collect(),
            next_change: 0,
            compute: program.compute,
            windows: program.windows(sm),
            param_offset: program.param_offset,
            is_untouched: true,
            is_idle: false,
            last_of_tag: [NONE; TAGS],
            late: [NONE; TAGS],
            has_late: false,
            stores: VecDeque::with_capacity(TAGS),
            beats_taken: 0,
            writes_banks_again: true,
            is_beat_presented: false,
            wrong_tags: Random::new(program.traffic.seed, WRONG_TAG_STREAM + u64::from(sm)),
            wrong_tag_bits: 0,
        }
    }

    /// Drives the pins of `cycle`: reset in cycle 0, then the bank table, then operations; after a later reset the bank table again, or not.
    /// Whether windows, mode and parameter offset are others than in the cycle before.
    pub fn present(&mut self, cycle: u64, weather: &Weather, progress: &Progress, inputs: &mut Inputs) -> bool {
        inputs.wb_ready = !weather.stalls(WeatherStream::Writeback);
        inputs.fault_ready = !weather.stalls(WeatherStream::Fault);
        inputs.done_ready = !weather.stalls(WeatherStream::Done);
        let writes_banks = self.may_change() && self.next_bank < self.bank_writes.len();
        let changes = cycle != 0 && !writes_banks && self.change(progress);
        inputs.compute = self.compute;
        inputs.windows = self.windows;
        inputs.param_offset = self.param_offset.into();
        let reset = self.program.resets.iter().find(|reset| reset.cycle == cycle);
        inputs.reset = cycle == 0 || reset.is_some();
        inputs.reset_memory = cycle == 0 || reset.is_some_and(|reset| reset.memory);
        self.writes_banks_again = reset.is_none_or(|reset| reset.banks);
        inputs.bank_write_valid = false;
        self.present_data(weather, inputs);
        if cycle == 0 || changes {
            inputs.req_valid = false;
            return true;
        }
        if let Some(write) = self.bank_writes.get(self.next_bank) {
            inputs.req_valid = false;
            if writes_banks {
                inputs.bank_write_valid = true;
                inputs.bank_write = *write;
                self.next_bank += 1;
            }
            return false;
        }
        if self.current.is_none() && !progress.is_held && !weather.stalls(WeatherStream::Gap) {
            self.current = self.choose(progress);
            if let Some(index) = self.current {
                self.load(index, inputs);
            }
        }
        inputs.req_valid = self.current.is_some();
        false
    }

    /// Whether the configuration may change in this cycle.
    fn may_change(&self) -> bool {
        self.is_untouched || self.is_idle
    }

    /// Changes the configuration if the next change's turn has come; whether it has.
    fn change(&mut self, progress: &Progress) -> bool {
        let Some((op, change)) = self.changes.get(self.next_change) else { return false };
        if !self.may_change() || self.current.is_some() || progress.first_missing() < *op as usize {
            return false;
        }
        self.compute = change.compute.unwrap_or(self.compute);
        self.windows = change.windows(self.windows);
        self.param_offset = change.param_offset.unwrap_or(self.param_offset);
        self.bank_writes.extend(&change.banks);
        self.next_change += 1;
        self.is_stuck = false;
        true
    }

    /// Operations from this one on may not begin: the next that changes the configuration, and what is behind the last one that has,
    /// before it has completed.
    fn barrier(&self, progress: &Progress) -> u32 {
        let last = self.next_change.checked_sub(1).map(|last| self.changes[last].0);
        match last.filter(|last| progress.first_missing() <= *last as usize) {
            Some(last) => last + 1,
            None => self.changes.get(self.next_change).map_or(u32::MAX, |(op, _)| *op),
        }
    }

    /// Drives the `wdata` pins.
    fn present_data(&mut self, weather: &Weather, inputs: &mut Inputs) {
        if !self.is_beat_presented
            && let Some((op, tag)) = self.stores.front()
            && !weather.stalls(WeatherStream::WriteData)
        {
            self.is_beat_presented = true;
            let percent = self.program.traffic.wrong_tag;
            let is_wrong = percent != 0 && self.wrong_tags.chance(percent);
            self.wrong_tag_bits = if is_wrong { 1 << self.wrong_tags.below(8) } else { 0 };
            inputs.wdata.tag = tag ^ self.wrong_tag_bits;
            // A beat that the program does not give is 0.
            let data = &self.program.ops[*op as usize].data;
            inputs.wdata.data = data.get(self.beats_taken).copied().unwrap_or(Beat::default());
        }
        inputs.wdata_valid = self.is_beat_presented;
    }

    /// A beat has been taken.
    fn take_data(&mut self) {
        self.is_beat_presented = false;
        self.beats_taken += 1;
        let Some((op, _)) = self.stores.front() else { return };
        if self.beats_taken == store_beats(&self.program.ops[*op as usize].request) {
            self.stores.pop_front();
            self.beats_taken = 0;
        }
    }

    /// The first operation in program order that may begin.
    fn choose(&mut self, progress: &Progress) -> Option<usize> {
        if self.is_stuck && progress.count() == self.completed_before || self.tags.is_empty() {
            return None;
        }
        while self.entries.get(self.cursor).is_some_and(|entry| entry.is_taken) {
            self.cursor += 1;
        }
        self.search = self.search.wrapping_add(1);
        let barrier = self.barrier(progress);
        let found = self.entries[self.cursor..].iter().take_while(|entry| entry.op < barrier).position(|entry| {
            if entry.is_taken || self.held_in[entry.warp as usize] == self.search {
                return false;
            }
            let may_begin = match entry.wait {
                Wait::No => true,
                Wait::Warp => self.outstanding[entry.warp as usize] == 0,
                Wait::Unit => self.outstanding.iter().all(|count| *count == 0),
                Wait::All => progress.first_missing() >= entry.op as usize,
            };
            if !may_begin {
                self.held_in[entry.warp as usize] = self.search;
            }
            may_begin
        });
        self.is_stuck = found.is_none();
        self.completed_before = progress.count();
        found.map(|offset| self.cursor + offset)
    }

    fn load(&mut self, index: usize, inputs: &mut Inputs) {
        let Some(tag) = self.tags.take() else { return };
        let entry = &mut self.entries[index];
        entry.is_taken = true;
        self.by_tag[usize::from(tag)] = (entry.op, entry.warp);
        self.last_of_tag[usize::from(tag)] = entry.op;
        self.outstanding[entry.warp as usize] += 1;
        let operation = &self.program.ops[entry.op as usize];
        inputs.req = Request { tag, warp: self.program.slot(operation.warp), ..operation.request };
    }

    /// Takes note of the transfers of the cycle.
    pub fn observe(&mut self, inputs: &Inputs, outputs: &Outputs, progress: &mut Progress) -> Finished {
        let mut finished = Finished::default();
        if self.has_late && !outputs.fault_valid {
            self.forget_late();
        }
        if inputs.wdata_valid && outputs.wdata_ready {
            finished.wrong_tag_bits = self.wrong_tag_bits;
            self.take_data();
        }
        if inputs.req_valid && outputs.req_ready {
            finished.accepted = self.current.take().map(|index| self.entries[index].op as usize);
            if let Some(op) = finished.accepted
                && store_beats(&self.program.ops[op].request) > 0
            {
                self.stores.push_back((op as u32, inputs.req.tag));
            }
        }
        if outputs.fault_valid && inputs.fault_ready {
            let tag = outputs.fault.tag;
            finished.fault = self.owner_of_record(tag, outputs.fault.cause);
            if outputs.fault.cause != MEMORY_ERROR || self.is_closing[usize::from(tag)] {
                finished.completed[0] = self.complete(tag, progress);
            }
        }
        if outputs.wb_valid && inputs.wb_ready {
            let tag = outputs.wb.tag;
            finished.writeback = self.operation(tag);
            if outputs.wb.last {
                finished.completed[1] = self.end(tag, inputs, outputs, progress);
            }
        }
        if outputs.done_valid && inputs.done_ready {
            finished.done = self.operation(outputs.done.tag);
            finished.completed[2] = self.end(outputs.done.tag, inputs, outputs, progress);
        }
        let is_served = inputs.serve_req_valid && outputs.serve_req_ready;
        self.is_untouched &= finished.accepted.is_none();
        self.is_idle = outputs.status.idle && finished.accepted.is_none() && !is_served;
        if inputs.reset {
            self.forget(inputs, progress);
        }
        finished
    }

    /// The operation whose record of this cause comes under `tag`.
    fn owner_of_record(&mut self, tag: u8, cause: u8) -> Option<usize> {
        let late = &mut self.late[usize::from(tag)];
        let is_late = cause == MEMORY_ERROR && *late != NONE;
        let owner = if is_late { std::mem::replace(late, NONE) } else { self.last_of_tag[usize::from(tag)] };
        (owner != NONE).then_some(owner as usize)
    }

    /// No record of an operation that has ended can come any more.
    fn forget_late(&mut self) {
        (self.late, self.has_late) = ([NONE; TAGS], false);
    }

    /// The operation in flight under `tag`.
    pub fn operation(&self, tag: u8) -> Option<usize> {
        match self.by_tag[usize::from(tag)] {
            (NONE, _) => None,
            (op, _) => Some(op as usize),
        }
    }

    /// The program whose operations it drives.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The operations in flight.
    pub fn in_flight(&self) -> impl Iterator<Item = usize> + Clone {
        self.by_tag.iter().filter(|(op, _)| *op != NONE).map(|(op, _)| *op as usize)
    }

    /// The last result of `tag`, or its `done`, has been taken. It is complete, unless the record of its failed lanes still
    /// stands on the pins: until then the tag may not be used again.
    fn end(&mut self, tag: u8, inputs: &Inputs, outputs: &Outputs, progress: &mut Progress) -> Option<usize> {
        if outputs.fault_valid && !inputs.fault_ready && outputs.fault.tag == tag {
            self.is_closing[usize::from(tag)] = true;
            return None;
        }
        let op = self.complete(tag, progress)?;
        let late = &mut self.late[usize::from(tag)];
        if outputs.fault_valid && outputs.fault.tag != tag && *late == NONE {
            (*late, self.has_late) = (op as u32, true);
        }
        Some(op)
    }

    /// A reset: the operations under way are lost, and the bank table is empty. What stands on the pins and was not accepted stays.
    fn forget(&mut self, inputs: &Inputs, progress: &mut Progress) {
        let waiting = self.current.map(|_| inputs.req.tag);
        for tag in (0..=u8::MAX).filter(|tag| Some(*tag) != waiting) {
            self.complete(tag, progress);
            self.last_of_tag[usize::from(tag)] = NONE;
        }
        self.forget_late();
        self.stores.clear();
        self.beats_taken = 0;
        self.is_beat_presented = false;
        self.is_untouched = true;
        self.next_bank = if self.writes_banks_again { 0 } else { self.bank_writes.len() };
    }

    fn complete(&mut self, tag: u8, progress: &mut Progress) -> Option<usize> {
        let op = self.operation(tag)?;
        let (_, warp) = std::mem::replace(&mut self.by_tag[usize::from(tag)], (NONE, NONE));
        self.is_closing[usize::from(tag)] = false;
        self.outstanding[warp as usize] -= 1;
        self.tags.give_back(tag);
        progress.complete(op);
        Some(op)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Operation, ProgramOperation, Traffic};
    use lsu_model::pins::{Completion, FaultRecord, Writeback};
    use lsu_model::preset::FPGA8;

    /// Stores of the sizes `sizes` of one warp, every word of whose data names store and beat.
    fn stores(sizes: &[u8], stall: u8) -> Program {
        let store = |(number, size): (usize, &u8)| {
            let request = Request { op: 1, space: 1, size: *size, mask: 0xff, ..Request::default() };
            let beats = store_beats(&request) as u32;
            let operation = Operation {
                sm: 0,
                warp: 0,
                wait: Wait::No,
                request,
                text: None,
                expect: Vec::new(),
                expect_fault: None,
            };
            let data = (0..beats).map(|beat| [number as u32 * 16 + beat; lsu_model::pins::MAX_LANES]).collect();
            ProgramOperation { data, ..ProgramOperation::from(operation) }
        };
        let traffic = Traffic { stall, ..Traffic::default() };
        Program { traffic, ops: sizes.iter().enumerate().map(store).collect(), ..Program::empty(FPGA8) }
    }

    /// The driver of the only unit and its surroundings, before cycle 0.
    fn begun(program: &Program) -> (Driver<'_>, Progress, Weather, Inputs) {
        let driver = Driver::new(program, 0, &[]);
        (driver, Progress::new(program.ops.len()), Weather::new(&program.traffic, 0), Inputs::default())
    }

    #[test]
    fn beats_follow_in_the_order_of_acceptance_never_before() {
        for stall in [0, 60] {
            let sizes = [2, 4, 3, 0];
            let program = stores(&sizes, stall);
            let (mut driver, mut progress, mut weather, mut inputs) = begun(&program);
            let mut outputs = Outputs::default();
            let mut beats = Vec::new();
            let mut accepted = Vec::new();
            for cycle in 0..400 {
                weather.begin(cycle);
                driver.present(cycle, &weather, &progress, &mut inputs);
                outputs.req_ready = cycle % 3 == 0;
                outputs.wdata_ready = cycle % 2 == 0;
                if inputs.wdata_valid {
                    assert!(accepted.contains(&(inputs.wdata.data[0] as usize / 16)), "data before its store");
                    if outputs.wdata_ready {
                        beats.push(inputs.wdata.data[7]);
                    }
                }
                let finished = driver.observe(&inputs, &outputs, &mut progress);
                accepted.extend(finished.accepted);
            }
            assert_eq!(accepted, [0, 1, 2, 3]);
            assert_eq!(beats, [0, 16, 17, 18, 19, 32, 33, 48]);
        }
    }

    #[test]
    fn beats_have_the_tag_of_their_store_or_one_bit_wrong() {
        for percent in [0, 30, 100] {
            let mut program = stores(&[4; 60], 0);
            program.traffic.wrong_tag = percent;
            let (mut driver, mut progress, weather, mut inputs) = begun(&program);
            let outputs = Outputs { req_ready: true, wdata_ready: true, ..Outputs::default() };
            let mut tags = Vec::new();
            let mut wrong = [0; 8];
            for cycle in 0..300 {
                driver.present(cycle, &weather, &progress, &mut inputs);
                let finished = driver.observe(&inputs, &outputs, &mut progress);
                if finished.accepted.is_some() {
                    tags.push(inputs.req.tag);
                }
                if inputs.wdata_valid {
                    let bits = inputs.wdata.tag ^ tags[inputs.wdata.data[0] as usize / 16];
                    assert_eq!(finished.wrong_tag_bits, bits);
                    assert!(bits.count_ones() <= 1);
                    (0..8).for_each(|bit| wrong[bit] += u32::from(bits >> bit & 1));
                }
            }
            let all: u32 = wrong.iter().sum();
            match percent {
                0 => assert_eq!(all, 0),
                30 => assert!((40..110).contains(&all), "{all}"),
                _ => assert!(all == 240 && !wrong.contains(&0), "{wrong:?}"),
            }
        }
    }

    #[test]
    fn who_waits_for_the_unit_waits_for_other_warps() {
        for (wait, expected) in [(Wait::Warp, 2), (Wait::Unit, 1)] {
            let mut program = stores(&[2, 2], 0);
            (program.ops[1].operation.warp, program.ops[1].operation.wait) = (1, wait);
            let (mut driver, mut progress, weather, mut inputs) = begun(&program);
            let accepting = Outputs { req_ready: true, wdata_ready: true, ..Outputs::default() };
            let mut accepted = 0;
            for cycle in 0..20 {
                driver.present(cycle, &weather, &progress, &mut inputs);
                accepted += usize::from(driver.observe(&inputs, &accepting, &mut progress).accepted.is_some());
            }
            assert_eq!(accepted, expected, "{wait:?}");
            let done = Outputs { done_valid: true, done: Completion { tag: 0 }, ..accepting };
            driver.observe(&Inputs { done_ready: true, ..Inputs::default() }, &done, &mut progress);
            driver.present(20, &weather, &progress, &mut inputs);
            assert_eq!(inputs.req_valid, expected == 1, "{wait:?}");
        }
    }

    #[test]
    fn a_store_is_complete_when_its_failed_lanes_have_been_told() {
        let program = stores(&[2, 2], 0);
        let (mut driver, mut progress, weather, mut inputs) = begun(&program);
        let accepting = Outputs { req_ready: true, wdata_ready: true, ..Outputs::default() };
        let mut tags = Vec::new();
        for cycle in 0..6 {
            driver.present(cycle, &weather, &progress, &mut inputs);
            tags.extend(driver.observe(&inputs, &accepting, &mut progress).accepted.map(|_| inputs.req.tag));
        }
        let record = FaultRecord { tag: tags[0], cause: MEMORY_ERROR, lanes: 1, addr: 0 };
        let mut outputs = Outputs {
            fault_valid: true,
            fault: record,
            done_valid: true,
            done: Completion { tag: tags[0] },
            ..accepting
        };
        let held = Inputs { done_ready: true, ..Inputs::default() };
        let finished = driver.observe(&held, &outputs, &mut progress);
        assert_eq!((finished.done, finished.completed), (Some(0), [None; 3]));
        outputs.done_valid = false;
        let finished = driver.observe(&Inputs { fault_ready: true, ..Inputs::default() }, &outputs, &mut progress);
        assert_eq!((finished.fault, finished.completed[0]), (Some(0), Some(0)));
        // The other way round, and a record that comes behind the completion.
        let done = Outputs { done_valid: true, done: Completion { tag: tags[1] }, ..Outputs::default() };
        assert_eq!(driver.observe(&held, &done, &mut progress).completed[2], Some(1));
        let late = Outputs { fault_valid: true, fault: FaultRecord { tag: tags[1], ..record }, ..Outputs::default() };
        let finished = driver.observe(&Inputs { fault_ready: true, ..Inputs::default() }, &late, &mut progress);
        assert_eq!((finished.fault, finished.completed), (Some(1), [None; 3]));
        assert!(progress.is_complete());
        // A result under a tag that nothing has belongs to nothing.
        let stray =
            Outputs { wb_valid: true, wb: Writeback { tag: tags[1], ..Writeback::default() }, ..Outputs::default() };
        let finished = driver.observe(&Inputs { wb_ready: true, ..Inputs::default() }, &stray, &mut progress);
        assert_eq!(finished.writeback, None);
    }

    #[test]
    fn a_late_record_is_not_of_who_has_the_tag_next() {
        // What stands on the pins in the cycle of `done`, whether they are empty for a cycle then, and whose the next record is.
        for (standing, is_empty_then, expected) in [(Some(7), false, 0), (Some(7), true, 256), (None, false, 256)] {
            let program = stores(&[2; 257], 0);
            let (mut driver, mut progress, weather, mut inputs) = begun(&program);
            let accepting = Outputs { req_ready: true, wdata_ready: true, ..Outputs::default() };
            let mut accepted = Vec::new();
            let mut run = |driver: &mut Driver<'_>, cycles: std::ops::Range<u64>, outputs: &Outputs| {
                for cycle in cycles {
                    driver.present(cycle, &weather, &progress, &mut inputs);
                    (inputs.done_ready, inputs.fault_ready) = (true, false);
                    let finished = driver.observe(&inputs, outputs, &mut progress);
                    if finished.accepted.is_some() {
                        accepted.push((finished.accepted, inputs.req.tag));
                    }
                }
            };
            run(&mut driver, 0..600, &accepting);
            let record = |tag| FaultRecord { tag, cause: MEMORY_ERROR, lanes: 1, addr: 0 };
            let mut outputs = accepting;
            if let Some(tag) = standing {
                (outputs.fault_valid, outputs.fault) = (true, record(tag));
            }
            (outputs.done_valid, outputs.done) = (true, Completion { tag: 0 });
            run(&mut driver, 600..601, &outputs);
            outputs.done_valid = false;
            outputs.fault_valid &= !is_empty_then;
            run(&mut driver, 601..620, &outputs);
            assert_eq!(accepted[0], (Some(0), 0));
            assert_eq!(accepted[256], (Some(256), 0), "the tag is used again");
            outputs = Outputs { fault_valid: true, fault: record(0), ..Outputs::default() };
            let taken = Inputs { fault_ready: true, ..Inputs::default() };
            let finished = driver.observe(&taken, &outputs, &mut progress);
            assert_eq!(finished.fault, Some(expected), "{standing:?} {is_empty_then}");
            // One operation has one record left: a second one is of the other.
            let finished = driver.observe(&taken, &outputs, &mut progress);
            assert_eq!(finished.fault, Some(256), "{standing:?} {is_empty_then}");
        }
    }
}
