//! Damaged input: whatever is done to a text, the front end answers and does not panic, and what it still reads prints
//! and reads back as itself. A fast companion of the fuzz targets, the same in every run.

use crate::data_files::unpack;
use lsu_model::diagnostic::render;
use lsu_model::ptx::{self, Context, Dialect, Target, Version, judge_fragment, lower};
use lsu_model::sass::{self, Architecture};

/// Pieces that damage is made of.
const PIECES: [&str; 40] = [
    "",
    ";",
    ",",
    ".",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    "+",
    "-",
    "+-",
    "@",
    "!",
    "_",
    "0",
    "0x",
    "-1",
    "99999999999999999999",
    "0f3F800000",
    "1.5",
    "%r1",
    "%q0",
    "%p1",
    "gbl",
    ".v8",
    ".b128",
    ".unified",
    ".L2::cache_hint",
    "/*",
    "*/",
    "//",
    "\n",
    "\0",
    "é",
    "\u{1f600}",
    "\"",
    "R0",
    "c[0x3]",
];

/// A small generator of numbers; the same seed gives the same numbers.
struct Numbers(u64);

impl Numbers {
    /// The next number below `limit`.
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }

    /// `text` with one or two pieces inserted, removed, or doubled.
    fn damage(&mut self, text: &str) -> String {
        let mut text = text.to_owned();
        for _ in 0..=self.below(2) {
            let boundaries = text.char_indices().map(|(index, _)| index).chain([text.len()]).collect::<Vec<_>>();
            let first = boundaries[self.below(boundaries.len())];
            let second = boundaries[self.below(boundaries.len())];
            let (start, end) = (first.min(second), first.max(second).min(first.min(second) + 12));
            let end = boundaries.iter().copied().rfind(|boundary| *boundary <= end).unwrap_or(start);
            match self.below(3) {
                0 => text.insert_str(start, PIECES[self.below(PIECES.len())]),
                1 => text.replace_range(start..end, PIECES[self.below(PIECES.len())]),
                _ => {
                    let copy = text[start..end].to_owned();
                    text.insert_str(start, &copy);
                }
            }
        }
        text
    }
}

#[test]
fn damaged_ptx_is_answered() {
    let rows = unpack(include_bytes!("../data/ptx-legality.jsonl.gz"));
    let target = Target::parse("sm_100").unwrap();
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let (mut read, mut legal) = (0, 0);
    for line in rows.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        for _ in 0..10 {
            let text = numbers.damage(row["instr"].as_str().unwrap());
            let mut context = Context::with_conventions();
            let judged = judge_fragment(&text, Version::NEWEST, target, &mut context, Dialect::Assembler);
            assert!(!judged.is_empty(), "{text}");
            legal += usize::from(judged.iter().all(|one| one.verdict.is_accepted()));
            if numbers.below(100) == 0 {
                for diagnostic in judged.iter().flat_map(|one| &one.verdict.errors) {
                    assert!(render(diagnostic, "damaged.ptx", &text, false).contains("damaged.ptx"), "{text}");
                }
            }
            if let Ok(instruction) = ptx::parse(&text) {
                read += 1;
                assert_eq!(ptx::parse(&instruction.to_string()).as_ref(), Ok(&instruction), "{text}");
                context.assume_undeclared(&instruction);
                if let Ok(lowered) = lower(&instruction, &context) {
                    assert!(!lowered.micro_op.in_words().is_empty());
                }
            }
        }
    }
    // Damage leaves some texts readable; otherwise this test would show little.
    assert!(read > 1_500 && legal > 500, "{read} read, {legal} legal");
}

#[test]
fn damaged_sass_is_answered() {
    let rows = unpack(include_bytes!("../data/ldc-encodings.tsv.gz"));
    let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
    let mut read = 0;
    for line in rows.lines().skip(1) {
        let columns = line.split('\t').collect::<Vec<_>>();
        let architecture = Architecture::parse(columns[0]).unwrap();
        for _ in 0..4 {
            let text = numbers.damage(columns[3]);
            match sass::parse(&text, architecture) {
                Ok(instruction) => {
                    read += 1;
                    let printed = instruction.to_text(architecture);
                    assert_eq!(sass::parse(&printed, architecture).as_ref(), Ok(&instruction), "{text}");
                    let word = instruction.encode(architecture).unwrap();
                    assert_eq!(sass::decode(word, architecture).as_ref(), Ok(&instruction), "{text}");
                }
                Err(refusal) if numbers.below(200) == 0 => {
                    assert!(render(&refusal, "damaged.sass", &text, false).contains("damaged.sass"), "{text}");
                }
                Err(_) => {}
            }
            sass::lint(&format!("\t.target\tsm_{}\n{text}\n", architecture.number()));
        }
    }
    assert!(read > 800, "{read} read");
}

#[test]
fn damaged_modules_are_answered() {
    let rows = unpack(include_bytes!("../data/ptx-legality.jsonl.gz"));
    let mut body = String::new();
    for line in rows.lines().take(12) {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        body += row["instr"].as_str().unwrap();
        body += "\n";
    }
    let module = format!(
        ".version 9.5\n.target sm_100, debug\n.address_size 64\n.file 1 \"a\"\n.global .align 4 .b8 gbl[64] = {{1, 2}};\n\
         .visible .entry k(.param .u64 kparam)\n.maxntid 32\n{{\n.reg .b32 %r<9>;\n.reg .b64 %rd<10>;\n.loc 1 2 3\n\
         {{ .param .b32 q; st.param.b32 [q], %r1; }}\n{body}}}\n.section .debug {{ .b8 1 }}\n"
    );
    let mut numbers = Numbers(0xd1b5_4a32_d192_ed03);
    for _ in 0..20_000 {
        let text = numbers.damage(&module);
        let mut count = 0;
        let read = ptx::lint(&text, Dialect::Strict, &mut |judged| {
            count += 1;
            assert!(text.get(judged.span).is_some());
        });
        assert!(count > 0 || !read.remarks.is_empty(), "{text}");
    }
}
