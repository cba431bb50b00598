//! See the README.

pub mod verilator;
