//! The rust_hdl description of the load/store unit.
//!
//! | module | holds |
//! |---|---|
//! | [`preset`] | the presets: their sizes, and the unit of each |
//! | [`unit`](preset::fpga8::unit) | one preset's unit: every block whose size it decides |
//! | [`lsu`](preset::fpga8::unit::lsu) | the top level and its port table |
//! | [`axi_master`](preset::fpga8::unit::axi_master) | its memory port as an AXI4 master |
//! | [`constant`](preset::fpga8::unit::constant) | LDC, constant loads and the indexed constant cache, with their timing contract |
//! | [`global`](preset::fpga8::unit::global) | loads and stores of global, shared and local memory and of other CTAs of the cluster, with their timing contract |
//! | [`codes`] | the codes of the ports |
//! | [`register`], [`memory`], [`strobe_memory`], [`sticky`], [`event_counter`], [`many`] | state, and arrays |
//! | [`arbiter`] | two sources of one port |
//! | [`board`] | what lets a host step the unit on a board |
//! | [`load_destination`] | checks of the registers that a load writes |
//! | [`verilog`], a crate of its own | the Verilog writer |
//! | [`emit`], [`header`], [`code_files`] | the unit's files |
//! | [`simulator`] | rust_hdl's own simulation of the unit |

#![allow(clippy::duplicate_mod, reason = "each preset mounts the tree of blocks once")]

pub mod arbiter;
pub mod board;
pub mod code_files;
pub mod codes;
pub mod emit;
pub mod event_counter;
pub mod header;
pub mod load_destination;
pub mod many;
pub mod memory;
pub mod preset;
pub mod register;
pub mod simulator;
pub mod sticky;
pub mod strobe_memory;

pub use lsu_writer as verilog;

pub use arbiter::Arbiter;
pub use emit::{EmitError, UnitFile, verilog_file, verilog_for};
pub use event_counter::EventCounter;
pub use load_destination::LoadDestination;
pub use many::{Arrays, Many};
pub use memory::Memory;
pub use preset::simulator;
pub use register::{Register, Registers};
pub use sticky::Sticky;
pub use strobe_memory::StrobeMemory;
