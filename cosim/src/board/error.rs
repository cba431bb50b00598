//! What can be wrong with a board and the line to it.

use std::io;
use std::path::PathBuf;

/// A board that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BoardError {
    /// The port cannot be opened at this speed.
    #[error("cannot open {} as a serial port of {baud} baud: {source}", .port.display())]
    Open {
        /// The port.
        port: PathBuf,
        /// Bits a second.
        baud: u32,
        /// What the system says.
        source: io::Error,
    },
    /// The system has lost the port.
    #[error("the serial port {} failed: {source}", .port.display())]
    Port {
        /// The port.
        port: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Nothing comes.
    #[error(
        "no board answers at {}\n  look whether it is the right port, whether the design with `lsu_board` is on the board, and whether its \
         `clocks_per_bit` is its clock divided by {baud}, or what --baud says", .port.display()
    )]
    Silent {
        /// The port.
        port: PathBuf,
        /// Bits a second.
        baud: u32,
    },
    /// Something comes, but no answer; or the board has got something that was no frame.
    #[error(
        "what goes over {} arrives with errors\n  look whether `clocks_per_bit` of the board is its clock divided by {baud}, and try fewer \
         bits a second", .port.display()
    )]
    Garbled {
        /// The port.
        port: PathBuf,
        /// Bits a second.
        baud: u32,
    },
    /// It is another unit than the one that was expected.
    #[error(
        "the board at {} has {}, and not the unit of preset {expected}\n  {}", .port.display(),
        .found.map_or_else(|| format!("a unit with other pins than this `lsu` knows ({identity:08x})"), |found| format!("the unit of preset {found}")),
        .found.map_or_else(|| format!("write its Verilog again: lsu verilog --preset {expected} --top lsu_board"), |found| format!("run the program with --preset {found}"))
    )]
    OtherUnit {
        /// The port.
        port: PathBuf,
        /// The preset of the program.
        expected: &'static str,
        /// What the board says of itself.
        identity: u32,
        /// The preset which says that.
        found: Option<&'static str>,
    },
}

impl BoardError {
    /// Whether the command line names no port, rather than that one which does not work.
    pub fn is_usage(&self) -> bool {
        matches!(self, BoardError::Open { .. })
    }
}
