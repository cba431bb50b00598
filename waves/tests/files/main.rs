//! Dumps, traces merged into them, and views: what is written is read again by other readers.

mod bad_input;
#[path = "../common/mod.rs"]
mod common;
mod dut_trace;
mod read_back;
#[path = "../common/story.rs"]
mod story;
mod vcdvcd;
#[path = "../common/vcdvcd_reader.rs"]
mod vcdvcd_reader;
mod views;
