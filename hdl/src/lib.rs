//! The rust_hdl description of the load/store unit, and the Verilog writer.
//!
//! | module | holds |
//! |---|---|
//! | [`lsu`] | the top level and its port table |
//! | [`constant`] | LDC and the indexed constant cache, with its timing contract |
//! | [`global`] | loads and stores of global memory, with their timing contract |
//! | [`preset`] | the sizes |
//! | [`register`], [`memory`], [`strobe_memory`], [`sticky`] | state |
//! | [`arbiter`], [`fault_register`] | two sources of one port |
//! | [`verilog`], [`emit`], [`header`] | the Verilog writer, and the unit's files |
//! | [`simulator`] | rust_hdl's own simulation of the unit |

pub mod arbiter;
pub mod code_files;
pub mod codes;
pub mod constant;
pub mod emit;
pub mod fault_register;
pub mod global;
pub mod header;
pub mod lsu;
pub mod memory;
pub mod preset;
pub mod register;
pub mod simulator;
pub mod sticky;
pub mod strobe_memory;
pub mod verilog;

pub use emit::{EmitError, UnitFile, verilog_file, verilog_for};
pub use memory::Memory;
pub use register::{Register, Registers};
pub use simulator::simulator;
