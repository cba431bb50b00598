//! Changes of the configuration in the middle of a program: other windows, another mode, other banks behind the same numbers.

use lsu_model::micro_op::Command;
use lsu_model::pins::{BankWrite, Window, Windows};

use super::ground::Ground;
use super::{bare, param_offset, plain};
use crate::program::{Change, Program, ProgramOperation, Wait, WindowPlace};
use crate::random::Random;

/// Stream number of a program's changes, how many of 100 programs have some, and how many these have at most.
const CHANGE_STREAM: u64 = 0x63_6861_6e67;
const CHANGE_PERCENT: u8 = 12;
const MOST_CHANGES: u64 = 3;

/// How many of 100 changes are of each window, of the mode, of the parameter offset, and of banks.
const WINDOW_PERCENT: u8 = 50;
const MODE_PERCENT: u8 = 30;
const PARAM_PERCENT: u8 = 40;
const BANK_PERCENT: u8 = 40;

/// How many of 100 banks that change are taken away.
const TAKEN_AWAY_PERCENT: u8 = 15;

/// Bytes of a line of the constant cache, a multiple of which a bank's base is.
const BANK_LINE: u64 = 64;

/// Where a program changes its configuration.
pub(super) struct Changes<'a> {
    ground: &'a Ground,
    address_bits: u32,
    random: Random,
    /// Before these of the operations that are drawn.
    places: Vec<u64>,
    /// What is on the pins of the first unit.
    windows: Windows,
    compute: bool,
}

impl<'a> Changes<'a> {
    /// Those of `program`, which is still to get `length` operations.
    pub(super) fn new(program: &Program, ground: &'a Ground, length: usize) -> Self {
        let mut random = Random::new(program.traffic.seed, CHANGE_STREAM);
        let count = if random.chance(CHANGE_PERCENT) { 1 + random.below(MOST_CHANGES) } else { 0 };
        let places = (0..count).map(|_| random.below(length.max(1) as u64)).collect();
        let (windows, compute) = (program.windows(0), program.compute);
        Self { ground, address_bits: program.preset.address_bits, random, places, windows, compute }
    }

    /// What changes before the operation number `number` of those that are drawn.
    pub(super) fn before(&mut self, number: usize, program: &Program) -> Option<Change> {
        if !self.places.contains(&(number as u64)) {
            return None;
        }
        let seed = self.random.next_bits();
        let anew = self.ground.windows(seed);
        let mut change = Change::default();
        let Windows { shared, local, constant, param, .. } = self.windows;
        let places = [
            (&mut change.window.shared, shared, anew.shared),
            (&mut change.window.local, local, WindowPlace { size: None, ..anew.local }),
            (&mut change.window.constant, constant, anew.constant),
            (&mut change.window.param, param, anew.param),
        ];
        for (place, before, anew) in places {
            if !self.random.chance(WINDOW_PERCENT) {
                continue;
            }
            *place = if self.random.chance(50) { anew } else { twin(before, self.address_bits, &mut self.random) };
            if anew.size.is_none() {
                place.size = None;
            }
        }
        change.compute = self.random.chance(MODE_PERCENT).then_some(!self.compute);
        change.param_offset = self.random.chance(PARAM_PERCENT).then(|| param_offset(seed));
        if self.random.chance(BANK_PERCENT) && !program.banks.is_empty() {
            change.banks = (0..1 + self.random.below(3)).map(|_| self.bank(program)).collect();
        }
        self.windows = change.windows(self.windows);
        self.compute = change.compute.unwrap_or(self.compute);
        Some(change)
    }

    /// Another bank behind the number of one that there is.
    fn bank(&mut self, program: &Program) -> BankWrite {
        let before = &program.banks[self.random.below(program.banks.len() as u64) as usize];
        BankWrite {
            index: before.index,
            base: self.ground.line(&mut self.random) / BANK_LINE * BANK_LINE,
            size: before.size ^ 16 << self.random.below(12),
            valid: !self.random.chance(TAKEN_AWAY_PERCENT),
        }
    }

    /// The windows on the pins: those of shared and local memory, of constants and of parameters.
    pub(super) fn windows(&self) -> [Window; 4] {
        let Windows { shared, local, constant, param, .. } = self.windows;
        [shared, local, constant, param]
    }
}

/// An operation with the change that empties the constant cache of unit `sm` before anything else begins.
pub(super) fn carrier(change: Change, sm: u32) -> ProgramOperation {
    let command = plain(sm, 0, Wait::No, bare(Command::InvalidateConstant));
    ProgramOperation { change: Some(Box::new(change)), ..command.into() }
}

/// The program, in which every unit empties its constant cache where banks change.
pub(super) fn with_carriers(mut program: Program) -> Program {
    for op in (0..program.ops.len()).rev() {
        let operation = &program.ops[op];
        if operation.change.as_deref().is_some_and(|change| !change.banks.is_empty()) {
            let others = (0..program.sms).filter(|sm| *sm != operation.sm).map(|sm| carrier(Change::default(), sm));
            let others: Vec<_> = others.collect();
            program.ops.splice(op + 1..op + 1, others);
        }
    }
    program
}

/// A window that differs from `before` in one bit of its base or of its size.
fn twin(before: Window, address_bits: u32, random: &mut Random) -> WindowPlace {
    let bit = 1 << random.below(u64::from(address_bits));
    if random.chance(50) {
        WindowPlace { base: Some(before.base ^ bit), size: None }
    } else {
        WindowPlace { base: None, size: Some(before.size ^ bit) }
    }
}
