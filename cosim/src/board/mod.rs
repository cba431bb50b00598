//! A unit on a board, whose pins the host drives over a serial line: `hdl/docs/board.md` has the frames.
//!
//! [`frame`] is what goes over the line, [`packing`] how pins lie in it, [`Board`] the line with the unit behind it. [`power_up`] makes the unit as it is when a board is switched on.

mod error;
mod frame;
mod link;
mod packing;
mod power_up;

pub use error::BoardError;
pub use frame::checksum;
pub use link::{Board, SharedBoard};
pub use packing::Packing;
pub(crate) use power_up::power_up;
