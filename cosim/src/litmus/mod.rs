//! Litmus tests: a few threads, a few accesses, and a condition on what they may have seen. The way of a file:
//!
//! ```text
//! text ──► token ──► read, instruction, condition, names ──► test
//!                                                             │   seed and number of the run
//!                                                             ▼
//!                              lockstep ◄── program ◄── schedule ◄── placement
//!                                  │ results
//!                                  ▼
//!                                values ──► condition ──► histogram
//! ```
//!
//! A thread is a warp of the unit of its CTA. Fences are no operations of the unit: [`schedule`](self) does what the scheduler
//! of an SM does.

mod condition;
mod histogram;
mod instruction;
mod names;
mod placement;
mod read;
mod run;
mod schedule;
mod test;
mod token;
mod values;

pub use histogram::{Histogram, Seen};
pub use read::{read, read_file};
pub use run::{LitmusError, LitmusOptions, LitmusResult, Ran, run, run_one};
pub use test::{Comparison, Condition, Location, Order, Quantifier, Register, Step, Term, Test, Thread, Value};
