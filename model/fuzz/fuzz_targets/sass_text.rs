//! One SASS instruction: what parses prints, reads back and encodes to a word that decodes to it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lsu_model::diagnostic::render;
use lsu_model::sass::{Architecture, decode, parse};

fuzz_target!(|text: &str| {
    // One of each family that writes or encodes differently.
    for architecture in [52, 70, 75, 90, 120].into_iter().filter_map(Architecture::new) {
        match parse(text, architecture) {
            Err(refusal) => {
                // Rendering costs a hundred times as much as parsing: once is enough.
                if architecture.number() == 90 {
                    render(&refusal, "fuzz.sass", text, false);
                }
            }
            Ok(instruction) => {
                let printed = instruction.to_text(architecture);
                assert_eq!(parse(&printed, architecture).as_ref(), Ok(&instruction), "{printed}");
                let word = instruction.encode(architecture).expect("what parses has a word");
                assert_eq!(decode(word, architecture).as_ref(), Ok(&instruction), "{printed}");
                if let Err(refusal) = instruction.check(0..text.len()) {
                    render(&refusal, "fuzz.sass", text, false);
                }
            }
        }
    }
});
