//! What every block of a unit uses: rust_hdl and its parts of ours, codes, sizes, and what travels between blocks.

pub use rust_hdl::prelude::*;

pub use super::cluster::*;
pub use super::constant::operation::*;
pub use super::global::operation::*;
pub use super::results::*;
pub use super::sizes::*;
pub use crate::codes::*;
pub use crate::{
    Arbiter, Arrays, EventCounter, LoadDestination, Many, Memory, Register, Registers, Sticky, StrobeMemory, clock,
    dff_setup,
};
