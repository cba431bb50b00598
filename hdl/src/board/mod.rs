//! What lets a host drive the pins of a unit on a board, cycle by cycle, over a serial line.
//!
#![doc = include_str!("../../docs/board.md")]

pub mod board_link;
pub mod crc16;
pub mod serial_receiver;
pub mod serial_transmitter;
