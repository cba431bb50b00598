//! The lock-step checker of the load/store unit and the verbs of the `lsu` command. The way of data:
//!
//! ```text
//! file ──► program ◄── generate                          roster ──► engine ◄── verilator, board
//!             │                                                       │ outputs
//!             ▼             inputs                                    ▼
//!          stimulus ─────────────────────────► lockstep ──► compare, handshake, the model's oracle
//!                                                 │                   │ a difference
//!                          observers: tally, results,                 ▼
//!                    transactions and owner, wave_story    check ──► shrink ──► report
//!
//! command (one verb a file) ──► cover, mutate, check, lockstep ──► output
//! ```

// Where programs come from.
pub mod generate;
mod input_file;
pub mod litmus;
pub mod program;
pub mod random;

// What drives the pins.
pub mod stimulus;

// What is driven.
pub mod board;
pub mod engine;
pub mod roster;
pub mod verilator;

// The run, and what judges every cycle of it.
pub mod compare;
pub mod handshake;
pub mod lockstep;

// What looks on.
pub mod owner;
pub mod results;
pub mod tally;
pub mod transactions;
pub mod wave_story;

// What many runs come to.
pub mod campaign;
pub mod check;
pub mod cover;
pub mod equivalence;
pub mod mutate;
pub mod report;
pub mod shrink;

// The command.
pub mod command;
pub mod command_line;
pub mod interrupt;
pub mod output;
mod status;
