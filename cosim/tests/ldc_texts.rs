//! Real input: the LDC texts that NVIDIA's compiler emitted on 13 architectures, as one program file, on all engines.
//! Every result equals a value that this file computes from the text with arithmetic of its own.
//!
//! `programs/ldc-ptxas.toml` is written by this test when `LSU_UPDATE_PROGRAMS` is set, and compared otherwise.

mod harness;

use std::fmt::Write as _;
use std::path::Path;

use lsu_cosim::engine::EngineKind;
use lsu_cosim::lockstep;
use lsu_cosim::program::{Overrides, read};
use lsu_cosim::results::Results;
use lsu_model::preset::{self, Preset, TINY4};

/// Architecture and text, tab-separated, below a heading.
const TEXTS: &str = include_str!("data/ldc-ptxas.tsv");

/// One LDC text, taken apart without the front end.
struct Text<'a> {
    architecture: &'a str,
    text: &'a str,
    /// `None` where there is no guard, else whether it is negated.
    guard: Option<bool>,
    bytes: u32,
    is_signed: bool,
    destination: u32,
    bank: u32,
    register: Option<&'a str>,
    offset: i64,
}

/// A number as the texts have it: hexadecimal, negative ones as `-0x10`.
fn number(text: &str) -> i64 {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text),
    };
    sign * i64::from_str_radix(digits.strip_prefix("0x").expect("hexadecimal"), 16).expect("a number")
}

fn take_apart<'a>(architecture: &'a str, text: &'a str) -> Text<'a> {
    let (guard, rest) = match text.strip_prefix('@') {
        Some(guarded) => {
            let (guard, rest) = guarded.split_once(' ').expect("an instruction after the guard");
            assert!(guard.ends_with("P0"), "only P0 guards occur: {text}");
            (Some(guard.starts_with('!')), rest)
        }
        None => (None, text),
    };
    let (name, operands) = rest.split_once(' ').expect("operands");
    let (bytes, is_signed) = match name {
        "LDC.U8" => (1, false),
        "LDC.S8" => (1, true),
        "LDC.U16" => (2, false),
        "LDC.S16" => (2, true),
        "LDC" => (4, false),
        "LDC.64" => (8, false),
        other => panic!("{other} in {text}"),
    };
    let (destination, address) = operands.split_once(", c[").expect("a constant operand");
    let (bank, address) = address.trim_end_matches(']').split_once("][").expect("bank and address");
    let (register, offset) = match address.split_once('+') {
        Some((register, offset)) => (Some(register), number(offset)),
        None if address.starts_with('R') => (Some(address), 0),
        None => (None, number(address)),
    };
    Text {
        architecture,
        text,
        guard,
        bytes,
        is_signed,
        destination: destination.strip_prefix('R').expect("a register").parse().expect("a register number"),
        bank: number(bank) as u32,
        register: register.filter(|register| *register != "RZ"),
        offset,
    }
}

fn texts() -> Vec<Text<'static>> {
    TEXTS
        .lines()
        .skip(1)
        .map(|line| {
            let (architecture, text) = line.split_once('\t').expect("two columns");
            take_apart(architecture, text)
        })
        .collect()
}

impl Text<'_> {
    /// Byte address that lane `lane` reads in operation number `index`.
    fn target(&self, index: usize, lane: usize) -> i64 {
        match self.register {
            // Somewhere else in each operation, lanes a few elements apart.
            Some(_) => {
                i64::from(0x40 * (index as u32 % 0x200)) + i64::from(self.bytes) * (1 + index as i64 % 5) * lane as i64
            }
            None => self.offset,
        }
    }

    /// Whether lane `lane` takes part: P0 is true in odd lanes.
    fn is_active(&self, lane: usize) -> bool {
        self.guard.is_none_or(|is_negated| (lane % 2 == 1) != is_negated)
    }

    /// What lane `lane` must find in its registers: the word at offset o of bank b is (b << 16) + o.
    fn expected(&self, index: usize, lane: usize) -> Vec<u32> {
        let address = self.target(index, lane) as u32;
        let word = |address: u32| (self.bank << 16) + (address & !3);
        let shifted = word(address) >> (8 * (address & 3));
        match (self.bytes, self.is_signed) {
            (1, false) => vec![shifted & 0xff],
            (1, true) => vec![i32::from(shifted as u8 as i8) as u32],
            (2, false) => vec![shifted & 0xffff],
            (2, true) => vec![i32::from(shifted as u16 as i16) as u32],
            (4, _) => vec![word(address)],
            _ => vec![word(address), word(address + 4)],
        }
    }

    fn to_toml(&self, index: usize) -> String {
        let mut toml = format!("\n[[op]] # {}\nwarp = {}\ninstr = \"{}\"\n", self.architecture, index % 8, self.text);
        let mut registers = Vec::new();
        if self.guard.is_some() {
            registers.push("P0 = \"lane % 2\"".to_owned());
        }
        if let Some(register) = self.register {
            let base = self.target(index, 0) - self.offset;
            let step = self.target(index, 1) - self.target(index, 0);
            registers.push(format!("{register} = \"{base} + {step}*lane\""));
        }
        if !registers.is_empty() {
            writeln!(toml, "regs = {{ {} }}", registers.join(", ")).expect("a string grows");
        }
        toml
    }
}

const HEAD: &str = "# LDC as NVIDIA's compiler emitted it, on 13 architectures. Written by tests/ldc_texts.rs, which computes every result.
mode = \"compute\"

[[bank]] # kernel parameters
index = 0
size = 0x10000
pattern = \"address\"

[[bank]] # constants of the program
index = 3
size = 0x10000
pattern = \"address\"
";

#[test]
fn every_text_gives_the_value_computed_here() {
    let texts = texts();
    assert!(texts.len() >= 200);
    let mut toml = HEAD.to_owned();
    for (index, text) in texts.iter().enumerate() {
        toml.push_str(&text.to_toml(index));
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/ldc-ptxas.toml");
    if std::env::var_os("LSU_UPDATE_PROGRAMS").is_some() {
        std::fs::write(&path, &toml).expect("the program can be written");
    }
    assert_eq!(std::fs::read_to_string(&path).expect("the program is there"), toml, "set LSU_UPDATE_PROGRAMS=1");

    let texts: Vec<&Text> = texts.iter().collect();
    for preset in preset::ALL {
        gives_the_values(preset, &texts, &[EngineKind::Model, EngineKind::Verilator]);
    }
    // It runs a few dozen cycles a second.
    let few: Vec<&Text> = texts.into_iter().step_by(5).collect();
    gives_the_values(TINY4, &few, &[EngineKind::RustHdl]);
}

fn gives_the_values(preset: Preset, texts: &[&Text], kinds: &[EngineKind]) {
    let ops = texts.iter().enumerate().map(|(index, text)| text.to_toml(index));
    let toml: String = [HEAD.to_owned()].into_iter().chain(ops).collect();
    let program = read(&toml, "ldc-ptxas.toml", Overrides { preset: Some(preset) })
        .unwrap_or_else(|error| panic!("{:?}", miette::Report::new(error)));
    let mut results = Results::new(&program);
    let outcome = lockstep::run(&program, &harness::engines(preset, kinds), &mut results).expect("the engines run");
    assert_eq!(outcome.failure, None);
    for (index, (text, result)) in texts.iter().zip(&results.ops).enumerate() {
        assert_eq!(result.fault, None, "{}", text.text);
        for lane in 0..preset.lanes {
            for (offset, value) in text.expected(index, lane).into_iter().enumerate() {
                let number = text.destination + offset as u32;
                let written = result
                    .registers
                    .iter()
                    .find(|written| u32::from(written.register) == number && written.mask >> lane & 1 == 1)
                    .map(|written| written.values[lane]);
                let expected = text.is_active(lane).then_some(value);
                assert_eq!(written, expected, "{} lane {lane} R{number}", text.text);
            }
        }
    }
}

#[test]
fn every_text_means_the_same_on_its_own_architecture() {
    for (index, text) in texts().iter().enumerate() {
        let target = format!("sm_{}", text.architecture.strip_prefix("SM").expect("an SM name"));
        let request = |target: &str| {
            let toml = format!("target = \"{target}\"\n{}", text.to_toml(index));
            read(&toml, "one.toml", Overrides::default()).expect("a readable text").ops[0].request
        };
        assert_eq!(request(&target), request("sm_90"), "{} {}", text.architecture, text.text);
    }
}
