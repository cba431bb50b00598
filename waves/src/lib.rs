//! Waves that tell what happened to somebody who does not know the RTL.
//!
//! A dump holds up to four stories of one run in one file: `dut.*` (the RTL hierarchy out of Verilator's own trace, or
//! the pins seen by a probe), `model.*` (the golden model under the same names), `diff.*` (which pins differ and since
//! when) and `ops.*` (a lane of readable text per warp). [`Layout`] declares them once, [`Wave`] takes values cycle by
//! cycle and writes VCD or FST, and [`view::View`] writes what GTKWave and Surfer need to show them with names, colours
//! and markers.
//!
//! The crate knows neither the RTL nor the model nor Verilator: it is given plain descriptions of signals.
#![forbid(unsafe_code)]

mod dump;
mod dut_trace;
mod error;
mod fst_sink;
mod layout;
mod line_file;
mod merge;
mod staged_file;
mod stories;
mod trace_source;
mod value_lines;
mod vcd_sink;
pub mod view;
mod wave;
mod window;

pub use dump::{Dump, Entry};
pub use error::WaveError;
pub use layout::{EnumId, Kind, Layout, ScopeId, SignalId, TextId};
pub use stories::{DutSource, Pin, Shape, Stories};
pub use trace_source::{TraceSink, TraceSource};
pub use wave::{Format, TICKS_PER_CYCLE, Wave};
pub use window::Window;
