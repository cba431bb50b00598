//! Loads and stores of public code, judged as NVIDIA's assembler judges them.

use crate::data_files::{judge, refusal, unpack};
use lsu_model::ptx::Dialect;

/// Instructions that the assembler's parser takes and its code generator cannot translate; the front end refuses them.
const UNUSABLE: [&str; 2] = [
    "ld.global.v8.u8 {%h0, %h1, %h2, %h3, %h4, %h5, %h6, %h7}, [%rd9];",
    "st.global.v8.u8 [%rd9], {%h0, %h1, %h2, %h3, %h4, %h5, %h6, %h7};",
];

#[test]
fn verdicts_agree_with_the_assembler() {
    let text = unpack(include_bytes!("../data/ptx-in-the-wild.tsv.gz"));
    let (mut judged, mut unjudged) = (0, 0);
    for line in text.lines().skip(1) {
        let columns = line.split('\t').collect::<Vec<_>>();
        let (raw, canonical, accepted) = (columns[8], columns[9], columns[10]);
        if accepted.is_empty() {
            // Patterns of a test suite, which no assembler can read; neither can the front end.
            unjudged += 1;
            assert!(refusal(&judge(raw, "9.5", "sm_100", Dialect::Assembler)).is_some(), "{raw}");
            continue;
        }
        judged += 1;
        let rule = refusal(&judge(canonical, "9.5", "sm_100", Dialect::Assembler));
        if UNUSABLE.contains(&canonical) {
            assert_eq!(rule, Some("vector-width"), "{canonical}");
            continue;
        }
        assert_eq!(rule.is_none(), accepted == "true", "{canonical}: {rule:?}");
    }
    assert_eq!((judged, unjudged), (1374, 8));
}
