//! The rust_hdl description of the load/store unit, and the Verilog writer.
//!
//! | module | holds |
//! |---|---|
//! | [`lsu`] | the top level and its port table |
//! | [`constant`] | LDC and the indexed constant cache, with its timing contract |
//! | [`preset`] | the sizes |
//! | [`register`], [`memory`], [`sticky`] | state |
//! | [`verilog`], [`emit`] | the Verilog writer, and the unit's files |
//! | [`simulator`] | rust_hdl's own simulation of the unit |

pub mod constant;
pub mod emit;
pub mod lsu;
pub mod memory;
pub mod preset;
pub mod register;
pub mod simulator;
pub mod sticky;
pub mod verilog;

pub use emit::{EmitError, verilog_for};
pub use memory::Memory;
pub use register::{Register, Registers};
pub use simulator::simulator;
