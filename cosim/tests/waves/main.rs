//! The waves of a run: what the command writes, and what they tell.

mod command;
#[path = "../../../waves/tests/common/mod.rs"]
mod common;
#[path = "../harness/mod.rs"]
mod harness;
mod stories;
#[path = "../../../waves/tests/common/vcdvcd_reader.rs"]
mod vcdvcd_reader;
