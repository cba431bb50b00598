//! Bytes of what memory is counted in, as addresses are.

use lsu_model::pins;

/// Bytes of a word: of a register, of a bank of shared memory, of what one thread has side by side with the others in local memory.
pub const WORD_BYTES: u64 = pins::WORD_BYTES as u64;

/// Bytes of a sector, in which memory and other CTAs are asked.
pub const SECTOR_BYTES: u64 = pins::SECTOR_BYTES as u64;

/// Bytes of a line of the L1 and of the read-only cache; of where local memory begins.
pub const LINE_BYTES: u64 = 128;
