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

/// Words of banks in a register, which the data have with one immediate only, and of ULDC's zero, as nvdisasm 13.5 prints them.
const BINDLESS: &[(&str, &str, &str)] = &[
    ("SM90", "080008ff003fff00096d7582", "LDC R109, cx[UR9][0xfffc]"),
    ("SM88", "08004aff000000000a327582", "LDC.64.IL R50, cx[UR10][0x0]"),
    ("SM75", "080008ff002410c036e37582", "LDC R227, cx[UR54][0x9043]"),
    ("SM80", "08000200003fffc033377ab9", "ULDC.S8 UR55, cx[UR51][0xffff]"),
    ("SM86", "00000400057fe500001b7ab9", "ULDC.U16 UR27, c[0x15][-0x6c]"),
    ("SM75", "000006000700000000387ab9", "ULDC.S16 UR56, c[0x1c][0x0]"),
];

#[test]
fn a_bank_in_a_register_has_an_unsigned_offset() {
    for &(architecture, digits, text) in BINDLESS {
        let architecture = Architecture::parse(architecture).unwrap();
        let word = parse_word(digits, architecture).unwrap();
        let instruction = decode(word, architecture).unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
        assert_eq!(instruction.to_text(architecture), text, "{architecture} {digits}");
        assert_eq!(parse(text, architecture), Ok(instruction), "{architecture} {text}");
    }
}

/// What nvdisasm 13.5 refuses of scheduling bits, on SM75 to SM121 alike: waits from bit 105 on, and kept operands from bit 122 on.
#[test]
fn scheduling_bits_are_some_that_exist() {
    let of_ldc: &[u128] = &[6, 7, 14, 15];
    let of_uldc: &[u128] = &[3, 6, 7, 11, 14, 15];
    let cases: &[(&str, &[&str], &[u128])] = &[
        ("LDC R4, c[0x3][R5+0x404]", &["SM75", "SM90", "SM121"], of_ldc),
        ("LDC R4, c[0x3][0x404]", &["SM75", "SM90", "SM121"], of_ldc),
        ("LDC R6, cx[UR4][R5+0x404]", &["SM75", "SM90", "SM121"], of_ldc),
        ("ULDC UR4, c[0x0][0x118]", &["SM75", "SM86", "SM90"], of_uldc),
        ("ULDC UR4, cx[UR5][0x118]", &["SM80", "SM90"], of_uldc),
        ("LDCU UR4, c[0x0][0x230]", &["SM100", "SM121"], of_ldc),
        ("LDCU UR4, cx[UR5][0x230]", &["SM100"], of_ldc),
    ];
    for (text, architectures, reuse) in cases {
        for name in *architectures {
            let architecture = Architecture::parse(name).unwrap();
            let word = parse(text, architecture).unwrap().encode(architecture).unwrap();
            let refused = |low: u32, count: u128| {
                (0..count).filter(|bits| decode(word | bits << low, architecture).is_err()).collect::<Vec<_>>()
            };
            assert_eq!(refused(105, 32), [0x10, 0x1c, 0x1d, 0x1e, 0x1f], "{name} {text}");
            assert_eq!(refused(122, 16), *reuse, "{name} {text}");
        }
    }
}
