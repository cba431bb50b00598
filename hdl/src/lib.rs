//! The rust_hdl description of the load/store unit, and the Verilog writer.

pub mod constant;
pub mod lsu;
pub mod preset;
pub mod simulator;
pub mod sticky;
pub mod memory;
pub mod register;
pub mod verilog;

pub use memory::Memory;
pub use register::{Register, Registers};
