//! A whole SASS listing: whatever the text, findings and no panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lsu_model::diagnostic::render;
use lsu_model::sass::lint;

fuzz_target!(|text: &str| {
    let listing = lint(text);
    // Rendering costs a hundred times as much as judging: the last refusal is enough.
    let refusal = listing.findings.iter().rev().find_map(|finding| finding.refusal.as_ref());
    for diagnostic in listing.remarks.iter().chain(refusal) {
        render(diagnostic, "fuzz.sass", text, false);
    }
});
