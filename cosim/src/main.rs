//! The `lsu` command.
fn main() {}
