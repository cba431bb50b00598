//! Builds a Verilog top with Verilator while the program runs, and steps it from Rust one clock cycle per call.
//!
//! [`Toolchain::find`] finds a C++ compiler and a Verilator, or installs one; [`Build`] turns Verilog into a shared
//! library in the user's cache folder; [`Library::instantiate`] makes a [`Dut`], and [`Dut::step`] runs a cycle. The
//! ports are taken from what Verilator generates, so any Verilog can be loaded; [`Layout::check_matches`] says whether
//! it has the ports wanted.
//!
//! ```no_run
//! use lsu_cosim::verilator::{Build, Cache, Source, Toolchain};
//!
//! # fn main() -> Result<(), lsu_cosim::verilator::Error> {
//! let toolchain = Toolchain::find(None, Cache::user()?)?;
//! let text = "module adder (input wire [7:0] a, input wire [7:0] b, output wire [8:0] sum);
//!             assign sum = a + b;
//!             endmodule";
//! let library = Build::new("adder", Source::Text(text.to_owned())).build(&toolchain)?;
//! let mut dut = library.instantiate()?;
//! let mut outputs = vec![0; library.layout().output_words()];
//! dut.step(&[3, 4], &mut outputs)?;
//! assert_eq!(outputs, [7]);
//! # Ok(())
//! # }
//! ```
//!
//! Deliberately absent: inout ports, unpacked arrays as ports, several clocks, and FST waves.

mod build;
mod cache;
mod compiler;
mod dut;
mod error;
mod header;
mod install;
mod layout;
pub(crate) mod stack;
mod taker;
mod toolchain;
pub(crate) mod verilog_text;
mod wrapper;

pub use build::{Build, Coverage, Source};
pub use cache::{Cache, sha256};
pub use compiler::Compiler;
pub use dut::{Dut, Library, WAVE_TIME_PER_CYCLE};
pub use error::Error;
pub use layout::{Direction, Layout, Port};
pub use toolchain::{Origin, Toolchain, Verilator};
