//! The stack that a Verilated model runs on.
//!
//! What Verilator makes of one function can need megabytes of it for temporaries: 5.006 made 2 MB of a word that is put together from 1,024,
//! which is all that a thread has.

/// Bytes that are there when a model runs.
const LEAST: usize = 16 << 20;

/// Bytes of a stack that is made where they are not: the system gives memory to the part that is used.
const LENGTH: usize = 64 << 20;

/// Runs `body` with enough stack for any model. Within a `body` it costs next to nothing; so one goes around many cycles.
pub(crate) fn long<Result>(body: impl FnOnce() -> Result) -> Result {
    stacker::maybe_grow(LEAST, LENGTH, body)
}
