//! A whole PTX module: whatever the text, verdicts and no panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lsu_model::diagnostic::{line_column, render};
use lsu_model::ptx::{Dialect, lint};

fuzz_target!(|text: &str| {
    // Rendering costs a hundred times as much as judging: the last diagnostic is enough.
    let mut last = None;
    let module = lint(text, Dialect::Assembler, &mut |mut judged| {
        line_column(text, judged.span.start);
        last = judged.verdict.errors.pop().or_else(|| judged.verdict.warnings.pop()).or(last.take());
    });
    for diagnostic in module.remarks.first().iter().copied().chain(&last) {
        render(diagnostic, "fuzz.ptx", text, false);
    }
});
