//! The micro-op against the machine instructions that NVIDIA's compiler makes of the same text.

use crate::data_files::unpack;
use lsu_model::micro_op::{AccessSize, L1Eviction, L2Eviction, MicroOp, Op, Prefetch, Scope, Semantics, Space};
use lsu_model::ptx::{Context, Lowered, UpperHalf, lower, parse};

/// Lowers an instruction whose names are known by convention.
fn lowered(text: &str) -> Lowered {
    let instruction = parse(text).unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
    lower(&instruction, &Context::with_conventions()).unwrap_or_else(|refusal| panic!("{text}: {refusal}"))
}

/// The modifiers of a machine instruction's mnemonic, its name first.
fn mnemonic(sass: &str) -> Vec<&str> {
    sass.split_whitespace().next().unwrap_or("").split('.').collect()
}

/// Checks everything that the mnemonic of a global or generic access shows about `op`.
fn compare_global(text: &str, sass: &str, op: &MicroOp) {
    let parts = mnemonic(sass);
    let has = |part: &str| parts.contains(&part);
    let after = |part: &str| parts.iter().position(|found| *found == part).and_then(|at| parts.get(at + 1)).copied();
    assert_eq!(op.op, if has("STG") || has("ST") { Op::Store } else { Op::Load }, "{text}: {sass}");

    let bits = 8 * op.size.bytes().unwrap() * u32::from(op.vec);
    let width = ["U8", "S8", "U16", "S16", "64", "128", "256"].into_iter().find(|width| has(width));
    let expected = match (bits, op.vec, op.sign) {
        // Vectors of narrow elements move as one wider element; a store has no sign.
        (8, _, true) => Some("S8"),
        (8, ..) => Some("U8"),
        (16, 1, true) => Some("S16"),
        (16, ..) => Some("U16"),
        (32, ..) => None,
        (64, ..) => Some("64"),
        (128, ..) => Some("128"),
        _ => Some("256"),
    };
    // A load whose last elements are sunk is narrowed or split by the compiler, which shows no width of ours.
    if op.sink == 0 || bits == 256 {
        assert_eq!(
            width.map(|width| width.trim_start_matches(['S', 'U'])),
            expected.map(|width| width.trim_start_matches(['S', 'U'])),
            "{text}: {sass}"
        );
    }

    let l1 = ["EF", "EL", "EU", "NA", "LU"].into_iter().find(|part| has(part));
    let expected = match (op.cop.name(), op.l1_evict) {
        ("cs", _) => Some("EF"),
        ("lu", _) => Some("LU"),
        (_, L1Eviction::Normal) => None,
        (_, L1Eviction::First) => Some("EF"),
        (_, L1Eviction::Last) => Some("EL"),
        (_, L1Eviction::Unchanged) => Some("EU"),
        (_, L1Eviction::NoAllocate) => Some("NA"),
    };
    assert_eq!(l1, expected, "{text}: {sass}");

    if bits == 256 {
        let expected = match op.l2_evict {
            L2Eviction::Normal => "ENL2",
            L2Eviction::First => "EFL2",
            L2Eviction::Last => "ELL2",
        };
        assert!(has(expected), "{text}: {sass}");
    }
    let prefetch = match op.prefetch {
        Prefetch::None => "",
        Prefetch::Bytes64 => "LTC64B",
        Prefetch::Bytes128 => "LTC128B",
        Prefetch::Bytes256 => "LTC256B",
    };
    assert_eq!(parts.iter().find(|part| part.starts_with("LTC")).copied().unwrap_or(""), prefetch, "{text}: {sass}");
    assert_eq!(has("CONSTANT"), op.nc, "{text}: {sass}");
    assert_eq!(has("MMIO"), op.sem.is_mmio(), "{text}: {sass}");

    let strong = match (op.sem, op.cop.name()) {
        _ if op.nc || op.sem.is_mmio() => None,
        // The compiler turns operators into strong accesses; the unit gives them the effect of the cache table.
        (Semantics::Weak, "ca" | "wb") => Some("SM"),
        (Semantics::Weak, "cg") => Some("GPU"),
        (Semantics::Weak, "cv" | "wt") => Some("SYS"),
        (Semantics::Weak, _) => None,
        _ => Some(match op.scope {
            Scope::Cta => "SM",
            Scope::Cluster | Scope::Gpu => "GPU",
            Scope::Sys => "SYS",
        }),
    };
    // The compiler drops the scope of a relaxed load that is evict-first; the unit keeps it, which is always allowed.
    let is_dropped = op.op == Op::Load && op.sem == Semantics::Relaxed && op.l1_evict == L1Eviction::First;
    assert_eq!(after("STRONG"), strong.filter(|_| !is_dropped), "{text}: {sass}");
    // Of the 256-bit accesses the file shows the memory instruction alone.
    if bits < 256 {
        let invalidates = op.sem.is_acquire() && op.scope != Scope::Cta;
        assert_eq!(sass.contains("CCTL.IVALL"), invalidates, "{text}: {sass}");
        assert_eq!(sass.contains("MEMBAR"), op.sem.is_release(), "{text}: {sass}");
    }
}

#[test]
fn micro_ops_agree_with_the_machine_instructions() {
    let text = unpack(include_bytes!("../data/ptx-lowering-sm100.tsv.gz"));
    let (mut global, mut other) = (0, 0);
    for line in text.lines().skip(1) {
        let (ptx, sass) = line.split_once('\t').unwrap();
        let lowered = lowered(ptx);
        let op = lowered.micro_op;
        // The memory instruction itself stands behind a release's barrier and before an acquire's invalidation.
        let Some(memory) = sass.split(" ; ").find(|part| {
            let name = mnemonic(part)[0];
            matches!(name, "LDG" | "STG" | "LD" | "ST" | "LDS" | "STS" | "LDL" | "STL" | "LDC" | "LDCU" | "ULDC")
        }) else {
            continue;
        };
        let name = mnemonic(memory)[0];
        let is_expected = match op.space {
            Space::Generic | Space::Global => matches!(name, "LDG" | "STG" | "LD" | "ST"),
            Space::Shared => matches!(name, "LDS" | "STS"),
            Space::SharedCluster => matches!(name, "LD" | "ST" | "LDS" | "STS"),
            Space::Local | Space::ParamFunc => matches!(name, "LDL" | "STL"),
            Space::Const | Space::ParamEntry => matches!(name, "LDC" | "LDCU" | "ULDC"),
        };
        assert!(is_expected, "{ptx}: {sass}");
        if matches!(op.space, Space::Generic | Space::Global) {
            global += 1;
            let memory_and_fences = format!("{memory}{}", if sass.contains("CCTL.IVALL") { " CCTL.IVALL" } else { "" })
                + if sass.contains("MEMBAR") { " MEMBAR" } else { "" };
            compare_global(ptx, &memory_and_fences, &op);
        } else {
            other += 1;
        }
    }
    println!("{global} global or generic, {other} other");
    assert!(global + other > 2_200, "{global} + {other}");
}

#[test]
fn sunk_elements_are_clear_in_the_machine_mask() {
    // The compiler's mask has one bit for each 32-bit element, set where it is used.
    let text = include_str!("../data/cache-operator-lowering.tsv");
    assert!(text.contains("ld.v8.b32 sink"));
    let op = lowered("ld.global.v8.b32 {%r0,_,%r2,%r3,%r4,_,_,%r7}, [%rd1];").micro_op;
    assert_eq!(op.sink, 0b0110_0010);
    assert_eq!(op.vec, 8);
    let op = lowered("ld.global.v4.b64 {_,%rd1,%rd2,_}, [%rd1];").micro_op;
    assert_eq!((op.sink, op.vec, op.size), (0b1001, 4, AccessSize::Bits64));
}

#[test]
fn extension_agrees_with_the_machine_instructions() {
    let mut rows = 0;
    for line in include_str!("../data/load-extension.tsv").lines().skip(1) {
        let columns = line.split('\t').collect::<Vec<_>>();
        let (load, register, sass) = (columns[0], columns[1], columns[2]);
        let Some(register) = register.split_whitespace().next().filter(|register| register.starts_with('%')) else {
            continue;
        };
        rows += 1;
        let op = lowered(&format!("{load} {register}1, [%rd1];")).micro_op;
        let parts = mnemonic(sass);
        assert_eq!(op.sign && op.size.bytes().unwrap() < 4, parts.contains(&"S8") || parts.contains(&"S16"), "{line}");
        let narrow = ["U8", "S8", "U16", "S16", "64"].into_iter().find(|width| parts.contains(width));
        let bytes = match narrow {
            Some("U8" | "S8") => 1,
            Some("U16" | "S16") => 2,
            Some(_) => 8,
            None => 4,
        };
        assert_eq!(op.size.bytes(), Some(bytes), "{line}");
        // What is stored afterwards shows the width, and what fills the upper half shows the extension.
        let width = if sass.contains("STG.E.U16") {
            16
        } else if sass.contains("STG.E.64") {
            64
        } else {
            32
        };
        assert_eq!(op.dst_width.bits(), width, "{line}");
        if width == 64 && bytes < 8 {
            assert_eq!(op.sign, sass.contains("SHF.R.S32.HI"), "{line}");
        }
    }
    assert_eq!(rows, 81);
}

#[test]
fn wide_registers_are_completed_outside_the_unit() {
    let signed = lowered("ld.global.s8 %q0, [%rd1];");
    assert_eq!(signed.micro_op.dst_width.bits(), 64);
    assert_eq!(signed.elements[0].upper_half, Some(UpperHalf::Sign));
    assert_eq!(lowered("ld.global.u64 %q0, [%rd1];").elements[0].upper_half, Some(UpperHalf::Zero));
    assert_eq!(lowered("ld.global.b128 %q0, [%rd1];").elements[0].upper_half, None);
}

#[test]
fn numbers_are_stored_at_the_width_of_the_access() {
    let store = lowered("st.global.v2.b32 [%rd1+-8], {-1, 0f3F800000};");
    assert_eq!(store.micro_op.imm, -8);
    assert_eq!(store.elements[0].number(32), Some(0xffff_ffff));
    assert_eq!(store.elements[1].number(32), Some(0x3f80_0000));
    assert_eq!(lowered("st.global.u8 [%rd1], 511;").elements[0].number(8), Some(0xff));
    assert_eq!(lowered("st.global.u8 [%rd1], WARP_SZ;").elements[0].number(8), Some(32));
    assert_eq!(lowered("st.global.u32 [%rd1], ~(3 * 4 - 2) << 1;").elements[0].number(32), Some(0xffff_ffea));
}

#[test]
fn offsets_beyond_the_port_are_refused() {
    let instruction = parse("ld.global.u32 %r1, [%rd1+0x80000000];").unwrap();
    assert_eq!(lower(&instruction, &Context::with_conventions()).unwrap_err().rule, "immediate-range");
}
