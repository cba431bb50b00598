//! One machine word: what decodes prints as text that parses to it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lsu_model::sass::{Architecture, decode, parse, parse_word};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = std::str::from_utf8(bytes) {
        for architecture in Architecture::all() {
            let _ = parse_word(text, architecture);
        }
    }
    let Some(word) = bytes.first_chunk::<16>().map(|word| u128::from_le_bytes(*word)) else { return };
    for architecture in Architecture::all() {
        if let Ok(instruction) = decode(word, architecture) {
            let printed = instruction.to_text(architecture);
            let parsed = parse(&printed, architecture);
            assert_eq!(parsed.as_ref(), Ok(&instruction), "{printed}");
            if let Some(ldc) = instruction.as_ldc() {
                ldc.lower_with_bank(0).in_words();
            }
        }
    }
});
