//! SASS front end: the text and the machine words of NVIDIA's constant loads, SM50 to SM121.
//!
//! [`parse`] reads text, [`decode`] reads a machine word, [`Instruction::to_text`] prints what NVIDIA's disassembler
//! prints, [`Instruction::encode`] writes the word and [`Ldc::lower`] gives the micro-op. The uniform-datapath
//! relatives ULDC and LDCU are read and printed so that whole listings can be judged; the unit does not execute them.
//! Deliberately absent: every other instruction, and the scheduling bits, which say nothing about the operation.

mod architecture;
mod encoding;
mod instruction;
mod listing;
mod text;

pub use architecture::Architecture;
pub use encoding::{decode, parse_word};
pub use instruction::{Bank, Guard, Instruction, Ldc, PT, Uniform, UniformKind};
pub use listing::{Finding, Listing, lint};
pub use text::parse;
