//! The lock-step checker of the load/store unit: programs, stimulus, engines, comparison, shrinking, reports, and the
//! verbs of the `lsu` command.

pub mod check;
pub mod command;
pub mod command_line;
pub mod compare;
pub mod engine;
pub mod front_end_commands;
pub mod generate;
pub mod handshake;
pub mod interrupt;
pub mod lockstep;
pub mod mutate;
pub mod output;
pub mod owner;
pub mod program;
pub mod random;
pub mod report;
pub mod results;
pub mod roster;
pub mod shrink;
pub mod stimulus;
pub mod tally;
pub mod transactions;
pub mod verilator;
pub mod wave_story;
