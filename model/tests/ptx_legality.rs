//! Verdicts against those of NVIDIA's assembler.

mod frontend_data;

use frontend_data::{judge, refusal, unpack};
use lsu_model::ptx::Dialect;

#[test]
fn verdicts_agree_with_the_assembler() {
    let text = unpack(include_bytes!("data/ptx-legality.jsonl.gz"));
    let mut rows = 0;
    let mut differing = Vec::new();
    for line in text.lines() {
        rows += 1;
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let field = |name: &str| row[name].as_str().unwrap();
        let judged = judge(field("instr"), field("ptx_version"), field("target"), Dialect::Assembler);
        let rule = refusal(&judged);
        if std::env::var_os("FRONTEND_DUMP").is_some() {
            let all = judged.iter().flat_map(|one| &one.verdict.errors).map(|e| e.rule).collect::<Vec<_>>();
            println!(
                "DUMP\t{}\t{}\t{}\t{}\t{:?}\t{}",
                field("ptx_version"),
                field("target"),
                field("instr"),
                row["accept"],
                all,
                field("message")
            );
        }
        if rule.is_none() != row["accept"].as_bool().unwrap() {
            differing.push(format!("{line} -> {rule:?}"));
        }
    }
    assert_eq!(rows, 10_294);
    assert!(differing.is_empty(), "{} rows differ:\n{}", differing.len(), differing.join("\n"));
}
