//! Verilator: models that are built once, errors that are told, and calls that step them.

mod cache;
mod common;
mod errors;
mod step;
