//! The waves of a run, as stories: glue between the lock-step run and the crate `lsu-waves`.
//!
//! [`WaveStory`] looks on while a program runs and writes one file: `dut.*` out of Verilator's own trace of the same run,
//! `model.*` with the golden model's pins and places, `diff.*` with what differs and since when, and `ops.*` with a lane
//! of text for every warp. Names, widths and meanings come from where they are defined (the port list, the micro-op, the
//! model), so that a new port or a new place shows without a change here.

mod both;
mod error;
mod instruction;
mod operations;
mod pins;
mod places;
mod recorder;
mod view;

pub use both::Both;
pub use error::StoryError;
pub use recorder::{WavePlan, WaveStory, Written};
