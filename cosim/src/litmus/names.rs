//! What the names in a litmus test mean.

use std::ops::Range;

use super::test::{Location, Register, Term, Thread, USUAL_BITS, Value};
use super::token::{Kind, Token};
use crate::program::Mistake;

/// What names mean.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// The places in memory.
    pub locations: Vec<Location>,
    /// The threads.
    pub threads: Vec<Thread>,
}

impl Names {
    /// The place in memory of that name.
    pub fn find_location(&self, name: &str) -> Option<usize> {
        self.locations.iter().position(|location| location.name == name)
    }

    /// The place in memory of that name, a new one that holds 0 if there is none.
    pub fn location(&mut self, name: &str) -> usize {
        self.find_location(name).unwrap_or_else(|| {
            self.locations.push(Location { name: name.to_owned(), initial: 0, bits: 0 });
            self.locations.len() - 1
        })
    }

    /// The register of that name of the thread number `thread`.
    pub fn find_register(&self, thread: usize, name: &str) -> Option<usize> {
        self.threads[thread].registers.iter().position(|register| register.name == name)
    }

    /// The register of that name of the thread number `thread`, a new one that holds 0 if there is none.
    pub fn register(&mut self, thread: usize, name: &str) -> usize {
        self.find_register(thread, name).unwrap_or_else(|| {
            let registers = &mut self.threads[thread].registers;
            registers.push(Register { name: name.to_owned(), initial: Value::new(0, USUAL_BITS) });
            registers.len() - 1
        })
    }

    /// Bits of a register behind the steps that its thread has by now: which of them has written it last does not hang on a run.
    pub fn register_bits(&self, thread: usize, register: usize) -> u32 {
        let thread = &self.threads[thread];
        let mut all: Vec<u32> = thread.registers.iter().map(|register| register.initial.bits).collect();
        for step in &thread.steps {
            if let Some((written, bits)) = step.written(|register| all[register]) {
                all[written] = bits;
            }
        }
        all[register]
    }

    /// The bits of `term` and its name, of one that is no constant.
    pub fn holder(&self, term: Term) -> Option<(u32, String)> {
        match term {
            Term::Register { thread, register } => {
                let name = format!("{}:{}", self.threads[thread].name, self.threads[thread].registers[register].name);
                Some((self.register_bits(thread, register), name))
            }
            Term::Location(location) => {
                let location = &self.locations[location];
                Some((location.width(), location.name.clone()))
            }
            Term::Constant(_) => None,
        }
    }

    /// The thread that `token` names, as `P0` or `0`.
    pub fn thread(&self, token: &Token<'_>) -> Result<usize, Mistake> {
        let name = thread_name(token).unwrap_or_default();
        self.threads.iter().position(|thread| thread.name == name).ok_or_else(|| {
            let names: Vec<&str> = self.threads.iter().map(|thread| thread.name.as_str()).collect();
            Mistake::new(token.span(), format!("there is no thread {}", token.text))
                .with_help(format!("the threads are {}", names.join(", ")))
        })
    }
}

/// Refuses the number that stands at `place` if `what` has too few bits for it, whether it has a sign or not.
pub(super) fn fit(number: i128, place: Range<usize>, bits: u32, what: &str) -> Result<(), Mistake> {
    if (-(1_i128 << (bits - 1))..1_i128 << bits).contains(&number) {
        return Ok(());
    }
    Err(Mistake::new(place, format!("{number} does not fit into the {bits} bits of {what}")).with_help(
        "an instruction has 32 bits unless it says otherwise, such as .b64; a location has those of its widest access",
    ))
}

/// The name of the thread that `token` names, as `P0` or `0`.
pub(super) fn thread_name(token: &Token<'_>) -> Option<String> {
    match token.kind {
        Kind::Number(number) => Some(format!("P{number}")),
        Kind::Word => {
            let number: u64 = token.text.strip_prefix('P')?.parse().ok()?;
            Some(format!("P{number}"))
        }
        Kind::Sign => None,
    }
}
