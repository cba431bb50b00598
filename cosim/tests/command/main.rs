//! The `lsu` command as a process.

mod ends;
mod line;
mod lint;
mod verilog;
