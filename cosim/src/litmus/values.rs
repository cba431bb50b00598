//! What registers and places in memory hold at the end of a run, worked out from what its loads returned.

use super::schedule::Scheduled;
use super::test::{Location, Operand, Operator, Step, Term, Test, Thread, USUAL_BITS, Value};
use crate::program::{Beat, destinations};
use crate::results::Results;
use lsu_model::pins::MAX_LANES;

/// What a run came to.
#[derive(Clone, Debug)]
pub(super) struct Values {
    /// The registers, by thread.
    registers: Vec<Vec<Value>>,
    /// The places in memory.
    memory: Vec<Value>,
    /// What each store should have sent, by its operation.
    pub stores: Vec<(usize, u64)>,
}

impl Values {
    /// Those of the run whose results are `results`.
    pub fn of(test: &Test, scheduled: &Scheduled, results: &Results) -> Self {
        let loaded = |thread: usize, step: usize| {
            let op = scheduled.ops[thread][step]?;
            let destination = destinations(&scheduled.program.ops[op]).into_iter().collect::<Vec<_>>();
            let result = &results.ops[op];
            // Two registers of the unit are one of 64 bits.
            destination.iter().rev().try_fold(0, |number: u64, part| {
                Some(number << 32 | result.value(part, scheduled.lanes[thread])? as u64)
            })
        };
        let mut values = Self::at_the_start(test, |location| {
            let words = &results.dumps[location];
            u64::from(words[0]) | u64::from(words[1]) << 32
        });
        values.follow(test, scheduled, loaded);
        values
    }

    /// What is guessed before the first run: loads return what their location holds at the start.
    pub fn guess(test: &Test, scheduled: &Scheduled) -> Self {
        let mut values = Self::at_the_start(test, |location| test.locations[location].initial);
        values.follow(test, scheduled, |thread, step| match test.threads[thread].steps[step] {
            Step::Load { location, .. } => Some(test.locations[location].initial),
            _ => None,
        });
        values
    }

    fn at_the_start(test: &Test, memory: impl Fn(usize) -> u64) -> Self {
        let registers = |thread: &Thread| thread.registers.iter().map(|register| register.initial).collect();
        let held = |(index, bits)| Value::new(memory(index), bits);
        let widths = test.locations.iter().map(Location::width);
        Self {
            registers: test.threads.iter().map(registers).collect(),
            memory: widths.enumerate().map(held).collect(),
            stores: Vec::new(),
        }
    }

    /// Carries out what the threads do with registers, where `loaded` says what the load in a step of a thread returned.
    fn follow(&mut self, test: &Test, scheduled: &Scheduled, loaded: impl Fn(usize, usize) -> Option<u64>) {
        for (index, thread) in test.threads.iter().enumerate() {
            let registers = &mut self.registers[index];
            for (number, step) in thread.steps.iter().enumerate() {
                let value = |registers: &[Value], operand: &Operand| match operand {
                    Operand::Constant(number) => Value::new(*number, 64),
                    Operand::Register(register) => registers[*register],
                };
                let bits = step.written(|register| registers[register].bits).map_or(USUAL_BITS, |(_, bits)| bits);
                match step {
                    Step::Fence { .. } => {}
                    Step::Load { register, .. } => {
                        if let Some(loaded) = loaded(index, number) {
                            registers[*register] = Value::new(loaded, bits);
                        }
                    }
                    Step::Store { value: operand, .. } => {
                        let stored = value(registers, operand).number;
                        self.stores.extend(scheduled.ops[index][number].map(|op| (op, stored)));
                    }
                    Step::Compute { register, operator, left, right, .. } => {
                        let [left, right] = [left, right].map(|operand| value(registers, operand).number);
                        registers[*register] = Value::new(operator.apply(left, right), bits);
                    }
                }
            }
        }
    }

    /// What `term` is at the end.
    pub fn value(&self, term: Term) -> Value {
        match term {
            Term::Register { thread, register } => self.registers[thread][register],
            Term::Location(location) => self.memory[location],
            Term::Constant(number) => Value::new(number as u64, 64),
        }
    }
}

impl Operator {
    fn apply(self, left: u64, right: u64) -> u64 {
        match self {
            Self::Move => left,
            Self::Add => left.wrapping_add(right),
            Self::Subtract => left.wrapping_sub(right),
            Self::Multiply => left.wrapping_mul(right),
            Self::And => left & right,
            Self::Or => left | right,
            Self::ExclusiveOr => left ^ right,
        }
    }
}

impl Scheduled {
    /// Lets the stores send what `values` says. Returns whether any of them has sent something else until now.
    pub(super) fn send(&mut self, values: &Values) -> bool {
        let mut is_changed = false;
        for (op, number) in &values.stores {
            let operation = &mut self.program.ops[*op];
            let lane = operation.request.mask.trailing_zeros() as usize;
            for (beat, word) in operation.data.iter_mut().zip([*number as u32, (*number >> 32) as u32]) {
                let mut sent: Beat = [0; MAX_LANES];
                sent[lane] = word;
                is_changed |= std::mem::replace(beat, sent) != sent;
            }
        }
        is_changed
    }
}
