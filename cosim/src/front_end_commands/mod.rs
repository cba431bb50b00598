//! The verbs `explain` and `lint`: what the front end says about instructions and files.

mod explain;
mod json_lines;
mod lint;
mod micro_op_json;

pub use explain::{ExplainArgs, explain};
pub use json_lines::answer;
pub use lint::{LintArgs, lint};
pub use micro_op_json::micro_op_json;

use lsu_model::ptx::Dialect;

/// Exit status: all well.
const ALL_WELL: i32 = 0;
/// Exit status: an instruction is illegal.
const REFUSED: i32 = 1;
/// Exit status: the input could not be used.
const UNUSABLE: i32 = 2;

/// The dialect that `--strict` asks for.
fn dialect(is_strict: bool) -> Dialect {
    if is_strict { Dialect::Strict } else { Dialect::Assembler }
}
