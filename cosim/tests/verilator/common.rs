//! What the tests of `lsu_cosim::verilator` share.

use lsu_cosim::verilator::{Cache, Toolchain};

/// The Verilator that the ordinary search finds (and installs where there is none), with builds kept in Cargo's
/// folder for tests, so that the run-time library is compiled once.
pub fn toolchain() -> Toolchain {
    Toolchain::find(None, Cache::at(concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))).unwrap()
}
