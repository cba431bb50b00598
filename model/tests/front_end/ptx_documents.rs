//! Every known difference between the documents and the assembler, in both dialects.

use crate::data_files::{judge, refusal};
use lsu_model::ptx::Dialect;

#[test]
fn each_dialect_follows_its_authority() {
    let mut rows = 0;
    for line in include_str!("../data/documents-vs-assembler.tsv").lines().skip(1) {
        rows += 1;
        let columns = line.split('\t').collect::<Vec<_>>();
        let (id, kind, version, target, instruction) = (columns[0], columns[1], columns[3], columns[4], columns[5]);
        // The eight-element vectors of narrow types crash the assembler's code generator; nobody can use them.
        let is_unusable = kind == "ptxas looser+crash" && id == "D03";
        let assembler = judge(instruction, version, target, Dialect::Assembler);
        let accepted = columns[6] == "accept" && !is_unusable;
        assert_eq!(refusal(&assembler).is_none(), accepted, "{id} {instruction}: {:?}", refusal(&assembler));

        let strict = judge(instruction, version, target, Dialect::Strict);
        assert_eq!(refusal(&strict), documents(id, kind, version, instruction), "{id} {instruction} strictly");
        let warnings = assembler.iter().flat_map(|one| &one.verdict.warnings).collect::<Vec<_>>();
        if accepted && refusal(&strict).is_some() {
            // What only the assembler accepts is accepted with a warning that quotes the documents.
            assert!(!warnings.is_empty(), "{id} {instruction}: no warning");
            let quotes =
                |help: &Option<String>| help.as_ref().is_some_and(|help| help.contains("the documents say: “"));
            assert!(warnings.iter().all(|warning| quotes(&warning.help) || warning.rule.starts_with("gate-")), "{id}");
        } else if accepted {
            assert!(warnings.is_empty(), "{id} {instruction}: {warnings:?}");
        }
    }
    assert_eq!(rows, 57);
}

/// The rule by which the documents refuse the instruction of a row; `None` where they allow it.
fn documents(id: &str, kind: &str, version: &str, instruction: &str) -> Option<&'static str> {
    match (id, kind) {
        // Any order of qualifiers is allowed: the documents' own examples need that.
        ("D01", _) => None,
        ("D02", "ptxas looser") => Some("sink-width"),
        ("D02", "ptxas stricter") => Some("sink-all"),
        ("D02", "agree") => Some("sink-scalar"),
        ("D02", _) => Some("sink-store"),
        ("D03" | "D19", _) => Some("vector-width"),
        ("D04", _) => Some("operator-eviction"),
        ("D05", _) => Some("volatile-hint"),
        ("D06", _) => Some("mmio-order"),
        // The register form has a version gate in the documents, where the row names version 1.4.
        ("D07", "ptxas looser") if instruction.contains("mmio") => Some("unified-form"),
        ("D07", "ptxas looser") => Some("gate-version"),
        ("D07", "agree") => Some("unified-misused"),
        ("D07", "check") => Some("unified-missing"),
        ("D07", _) => Some("gate-target"),
        // Nothing in the documents keeps eviction priorities to global memory, demands a policy for a hint, or forbids
        // a number as an address.
        ("D08" | "D10", _) => None,
        ("D09", "agree") => Some("policy-without-hint"),
        ("D09", _) if instruction.contains("%d2") => Some("policy-type"),
        ("D09" | "D11", _) => None,
        ("D12", _) if instruction.contains("gloal") => Some("qualifier-unknown"),
        ("D12", _) => Some("syntax"),
        ("D13", "register naming") => Some("register-type"),
        ("D13", _) => None,
        ("D14", _) => Some("gate-version"),
        ("D15" | "D16", _) => Some("gate-target"),
        ("D17", _) if version == "9.0" => Some("gate-version"),
        ("D18", "looser") => None,
        ("D18" | "D20", _) => Some("register-type"),
        ("D21", _) => Some("param-owner"),
        ("D22", _) if instruction.contains("-4") => Some("syntax"),
        ("D22", _) if instruction.contains("gbl[4]") => Some("address-form"),
        ("D23", _) => Some("param-predicated"),
        _ => None,
    }
}
