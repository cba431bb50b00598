//! The `lsu` command as a process.

mod ends;
mod json_page;
mod line;
mod lint;
mod verilog;
