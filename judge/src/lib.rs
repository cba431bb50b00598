//! What the front end says about instructions and files, as text and as JSON: the answers of `lsu explain` and `lsu lint`.
//!
//! It needs no hardware description, no Verilator and no checker; the command's verbs only print what stands here.

pub mod explain;
pub mod json_lines;
pub mod lint;
mod micro_op_json;

pub use micro_op_json::micro_op_json;

/// How a judgement ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Everything is legal, and served where that was asked.
    Well,
    /// Something is refused.
    Refused,
    /// The input could not be used.
    Unusable,
}
