//! Every constant-load encoding that NVIDIA's disassembler was seen to print, both ways.

use std::io::Read as _;

use lsu_model::sass::{Architecture, decode, parse, parse_word};

/// Scheduling bits of a 128-bit word, which say nothing about the operation.
const SCHEDULING: u128 = !0 << 105;

/// Bits of the address mode of a 128-bit word.
const MODE: u128 = 3 << 78;

/// The rows of `ldc-encodings.tsv.gz`: architecture, word and text.
fn rows() -> Vec<(Architecture, u128, String)> {
    let packed = include_bytes!("../data/ldc-encodings.tsv.gz");
    let mut text = String::new();
    flate2::read::GzDecoder::new(&packed[..]).read_to_string(&mut text).unwrap();
    text.lines()
        .skip(1)
        .map(|line| {
            let columns = line.split('\t').collect::<Vec<_>>();
            let architecture = Architecture::parse(columns[0]).unwrap();
            (architecture, parse_word(columns[2], architecture).unwrap(), columns[3].to_owned())
        })
        .collect()
}

/// Whether the disassembler refused the word.
fn is_refused(text: &str) -> bool {
    text.starts_with('<')
}

#[test]
fn every_word_decodes_to_its_text() {
    let rows = rows();
    assert_eq!(rows.len(), 20_864);
    for (architecture, word, text) in rows {
        match decode(word, architecture) {
            Ok(instruction) => assert_eq!(instruction.to_text(architecture), text, "{architecture} {word:#x}"),
            Err(refusal) => assert!(is_refused(&text), "{architecture} {word:#x} {text}: {refusal}"),
        }
    }
}

#[test]
fn every_text_encodes_to_its_word() {
    let mut texts = 0;
    for (architecture, word, text) in rows() {
        if is_refused(&text) {
            continue;
        }
        texts += 1;
        let instruction = parse(&text, architecture).unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
        let mut fixed = if architecture.is_short_word() { word } else { word & !SCHEDULING };
        if architecture.number() == 75 && text.starts_with("LDC") && text.contains(" cx[") {
            // SM75 ignores the mode bits of a bindless LDC, and its text does not tell them apart.
            fixed &= !MODE;
        }
        assert_eq!(instruction.encode(architecture), Some(fixed), "{architecture} {text}");
    }
    assert_eq!(texts, 20_612);
}
