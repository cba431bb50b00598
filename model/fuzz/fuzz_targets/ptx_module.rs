//! A whole PTX module: whatever the text, verdicts and no panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lsu_model::diagnostic::{line_column, render};
use lsu_model::ptx::{Dialect, lint};

fuzz_target!(|text: &str| {
    let module = lint(text, Dialect::Assembler, &mut |judged| {
        line_column(text, judged.span.start);
        for diagnostic in judged.verdict.errors.iter().chain(&judged.verdict.warnings) {
            render(diagnostic, "fuzz.ptx", text, false);
        }
    });
    for remark in &module.remarks {
        render(remark, "fuzz.ptx", text, false);
    }
});
