//! Verdicts against those of NVIDIA's assembler.

use crate::data_files::{judge, refusal, unpack};
use lsu_model::ptx::Dialect;

/// The one row that differs: the assembler's test bench declared registers up to some number, while names by convention
/// may have any number behind them.
const UNDECLARED: &str = "\"ld.u32 %r1,[%rd99];\"";

#[test]
fn verdicts_agree_with_the_assembler() {
    let text = unpack(include_bytes!("../data/ptx-legality.jsonl.gz"));
    let mut rows = 0;
    let mut differing = Vec::new();
    for line in text.lines() {
        rows += 1;
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let field = |name: &str| row[name].as_str().unwrap();
        let judged = judge(field("instr"), field("ptx_version"), field("target"), Dialect::Assembler);
        let rule = refusal(&judged);
        if rule.is_none() != row["accept"].as_bool().unwrap() {
            differing.push(format!("{line} -> {rule:?}"));
        }
    }
    assert_eq!(rows, 10_294);
    differing.retain(|row| !row.contains(UNDECLARED));
    assert!(differing.is_empty(), "{} rows differ:\n{}", differing.len(), differing.join("\n"));
}
