//! Example: a crate that checks Verilog of its own, with the ports of the unit, against the golden model.
//!
//! It has nothing but `tests/equivalence.rs`, which is what to copy. The Verilog here is the emitted one of `tiny4`: another would stand
//! in a folder of this crate.
