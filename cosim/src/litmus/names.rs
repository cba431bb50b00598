//! What the names in a litmus test mean.

use super::test::{Location, Register, Thread, Value};
use super::token::{Kind, Token};
use crate::program::Mistake;

/// Bits of a register or a place in memory that no access says more of.
pub(super) const USUAL_BITS: u32 = 32;

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
