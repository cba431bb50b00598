//! One PTX instruction or fragment: whatever the text, a verdict and no panic; what is legal prints and reads back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lsu_model::diagnostic::render;
use lsu_model::ptx::{Context, Dialect, Target, Version, judge_fragment, lower, parse};

fuzz_target!(|text: &str| {
    let target = Target::parse("sm_100").expect("a known target");
    let mut context = Context::with_conventions();
    for dialect in [Dialect::Assembler, Dialect::Strict] {
        let judged = judge_fragment(text, Version::NEWEST, target, &mut context, dialect);
        // Rendering costs a hundred times as much as judging: once is enough.
        let diagnostic = judged.iter().find_map(|one| one.verdict.errors.iter().chain(&one.verdict.warnings).next());
        if let (Some(diagnostic), Dialect::Assembler) = (diagnostic, dialect) {
            render(diagnostic, "fuzz.ptx", text, false);
        }
    }
    if let Ok(instruction) = parse(text) {
        let printed = instruction.to_string();
        assert_eq!(parse(&printed).as_ref(), Ok(&instruction), "{printed}");
        context.assume_undeclared(&instruction);
        if let Ok(lowered) = lower(&instruction, &context) {
            lowered.micro_op.in_words();
        }
    }
});
