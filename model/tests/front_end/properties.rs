//! Properties over random instructions: what is legal prints and reads back as itself.

use lsu_model::ptx::{Context, Dialect, Target, Version, judge, lower, parse};
use lsu_model::sass::{self, Architecture};
use proptest::prelude::*;

/// One of `choices`, by index, so that shrinking moves to the first.
fn one_of(choices: &'static [&'static str]) -> impl Strategy<Value = &'static str> {
    (0..choices.len()).prop_map(move |index| choices[index])
}

/// A qualifier or nothing, nothing more often.
fn rarely(choices: &'static [&'static str]) -> impl Strategy<Value = &'static str> {
    prop_oneof![3 => Just(""), 1 => one_of(choices)]
}

/// An address operand.
fn address() -> impl Strategy<Value = String> {
    let base = one_of(&["%rd1", "%r2", "gbl", "sh", "lcl", "cst", "kparam", "ugbl"]);
    let offset = prop_oneof![2 => Just(None), 1 => any::<i32>().prop_map(Some)];
    (base, offset, rarely(&[".unified"])).prop_map(|(base, offset, unified)| match offset {
        None => format!("[{base}]{unified}"),
        Some(offset) => format!("[{base}+{offset}]{unified}"),
    })
}

/// Registers by the width of the type.
fn registers(bits: &str) -> &'static [&'static str] {
    match bits {
        "8" => &["%h", "%r", "%b", "%rd"],
        "16" => &["%h", "%r", "%uh", "%sd"],
        "32" => &["%r", "%u", "%f", "%rd"],
        "64" => &["%rd", "%d", "%sd", "%ud"],
        _ => &["%q"],
    }
}

/// The text of a load or store, often a legal one.
fn instruction() -> impl Strategy<Value = String> {
    let head = (
        rarely(&["@%p1 ", "@!%p2 "]),
        one_of(&["ld", "ld", "st"]),
        rarely(&[".weak", ".volatile", ".relaxed.gpu", ".acquire.sys", ".release.cluster", ".mmio.relaxed.sys"]),
        one_of(&[
            ".global",
            "",
            ".shared",
            ".shared::cta",
            ".shared::cluster",
            ".local",
            ".const",
            ".param",
            ".param::entry",
        ]),
        rarely(&[".ca", ".cg", ".cs", ".lu", ".cv", ".wb", ".wt"]),
        rarely(&[".nc"]),
        rarely(&[
            ".L1::evict_normal",
            ".L1::evict_unchanged",
            ".L1::evict_first",
            ".L1::evict_last",
            ".L1::no_allocate",
        ]),
        rarely(&[".L2::evict_normal", ".L2::evict_first", ".L2::evict_last"]),
    );
    let tail = (
        rarely(&[".L2::cache_hint"]),
        rarely(&[".L2::64B", ".L2::128B", ".L2::256B"]),
        one_of(&["", "", ".v2", ".v4", ".v8"]),
        one_of(&[
            "b8", "u8", "s8", "b16", "u16", "s16", "b32", "u32", "s32", "f32", "b64", "u64", "s64", "f64", "b128",
        ]),
        0_usize..4,
        address(),
        any::<u8>(),
        prop_oneof![3 => Just(None), 1 => any::<i64>().prop_map(Some)],
    );
    (head, tail).prop_map(|(head, tail)| {
        let (guard, operation, order, space, operator, non_coherent, l1, l2) = head;
        let (hint, prefetch, vector, data_type, class, address, sinks, number) = tail;
        let registers = registers(&data_type[1..]);
        let register = registers[class % registers.len()];
        let count = vector.trim_start_matches(".v").parse().unwrap_or(1);
        let element = |index: usize| match number {
            _ if count > 1 && sinks >> index & 3 == 3 => "_".to_owned(),
            Some(number) if operation == "st" => number.to_string(),
            _ => format!("{register}{index}"),
        };
        let elements = (0..count).map(element).collect::<Vec<_>>().join(", ");
        let data = if count > 1 { format!("{{{elements}}}") } else { elements };
        let policy = if hint.is_empty() { "" } else { ", pol" };
        let operands = if operation == "ld" { format!("{data}, {address}") } else { format!("{address}, {data}") };
        let caches = format!("{operator}{non_coherent}{l1}{l2}{hint}{prefetch}");
        format!("{guard}{operation}{order}{space}{caches}{vector}.{data_type} {operands}{policy};")
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn legal_ptx_prints_and_reads_back(text in instruction()) {
        let target = Target::parse("sm_100").unwrap();
        let context = Context::with_conventions();
        let instruction = parse(&text).unwrap();
        let printed = instruction.to_string();
        let again = parse(&printed).unwrap();
        prop_assert_eq!(&again, &instruction);
        // Printing settles: what is printed prints as itself.
        prop_assert_eq!(again.to_string(), printed);
        let verdict = judge(&instruction, Version::NEWEST, target, &context, Dialect::Assembler);
        let again_verdict = judge(&again, Version::NEWEST, target, &context, Dialect::Assembler);
        prop_assert_eq!(verdict.is_accepted(), again_verdict.is_accepted());
        if verdict.is_accepted() {
            // Whatever is legal can be lowered, and the micro-op has the vector's length and as many elements.
            let lowered = lower(&instruction, &context).unwrap();
            prop_assert_eq!(lowered.elements.len(), usize::from(lowered.micro_op.vec));
            let (size, vec) = (lowered.micro_op.size, lowered.micro_op.vec);
            prop_assert!(size.bytes().unwrap() * u32::from(vec) <= 32);
        }
    }

    #[test]
    fn a_legal_instruction_stays_legal_on_newer_versions(text in instruction(), step in 0_usize..60) {
        let context = Context::with_conventions();
        let instruction = parse(&text).unwrap();
        let target = Target::parse("sm_90").unwrap();
        let versions = Version::all().filter(|version| *version >= target.least_version()).collect::<Vec<_>>();
        let at = step % versions.len();
        let verdict = |version| judge(&instruction, version, target, &context, Dialect::Assembler).is_accepted();
        if verdict(versions[at]) {
            prop_assert!(versions[at..].iter().all(|version| verdict(*version)));
        }
    }

    #[test]
    fn sass_words_and_texts_agree(word in any::<u128>(), opcode in 0_usize..5, index in 0_usize..21) {
        let architecture = Architecture::all().nth(index).unwrap();
        // Random words are hardly ever constant loads, so the opcode is set and the fixed bits are cleared.
        let word = if architecture.is_short_word() {
            word & 0x0007_31ff_ffff_ffff | 0xef9 << 52
        } else {
            let fields = 0x0000_0000_0000_ce00_07ff_ffc0_ffff_f000_u128;
            let bindless = 0x0000_0000_0800_ceff_003f_ffc0_ffff_f000_u128;
            let wide = 0x0000_0000_0000_0e00_07ff_ffe0_ffff_f000_u128;
            match opcode {
                0 => word & fields | 0xb82,
                1 => word & bindless | 1 << 91 | 0x582,
                2 => word & (fields & !0xff00_0000 & !(0xce00 << 64) | 0x0e00 << 64) | 0xab9,
                3 => word & wide | 1 << 91 | 0x7ac,
                _ => word & (bindless & !(0xce00 << 64) | 0x0e00 << 64 | 0x20 << 32) | 1 << 91 | 0xbac,
            }
        };
        if let Ok(instruction) = sass::decode(word, architecture) {
            let text = instruction.to_text(architecture);
            prop_assert_eq!(sass::parse(&text, architecture), Ok(instruction), "{}", text);
            let ignored = 3_u128 << 78;
            prop_assert_eq!(instruction.encode(architecture).map(|word| word | ignored), Some(word | ignored));
        }
    }
}
