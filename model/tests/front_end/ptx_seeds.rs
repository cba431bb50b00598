//! Every example instruction of the documents, judged as the documents intend, in both dialects.
//!
//! The examples use names without declarations; each is declared here as the example plainly means it.

use lsu_model::ptx::{Context, Dialect, Target, Version, judge_fragment};

/// An example, and the rules that refuse it in the assembler's dialect and in the strict one; `None` where it is legal.
struct Example(&'static str, Option<&'static str>, Option<&'static str>);

/// An example that both dialects accept.
const fn legal(text: &'static str) -> Example {
    Example(text, None, None)
}

/// The examples of the page on `ld`, and those of its older extract.
const LD: [Example; 31] = [
    legal("ld.global.f32    d,[a];"),
    legal("ld.shared.v4.b32 Q,[p];"),
    legal("ld.const.s32     d32,[p+4];"),
    legal("ld.local.b32     x32,[p+-8]; // negative offset"),
    legal("ld.local.b64     x,[240];  // immediate address"),
    legal("ld.global.b16    %r,[fs];  // load .f16 data into 32-bit reg"),
    legal("ld.global.b32    %r0, [fs];     // load .f16x2 data in 32-bit reg"),
    legal("ld.global.b32    %r1, [fs + 4]; // load .f16x2 data in 32-bit reg"),
    legal("ld.global.relaxed.gpu.u32 %r0, [gbl];"),
    legal("ld.shared.acquire.gpu.u32 %r1, [sh];"),
    legal("ld.global.relaxed.cluster.u32 %r2, [gbl];"),
    legal("ld.shared::cta.acquire.gpu.u32 %r2, [sh + 4];"),
    legal("ld.shared::cluster.u32 %r3, [sh + 8];"),
    legal("ld.global.mmio.relaxed.sys.u32 %r3, [gbl];"),
    legal("ld.local.volatile.u32 %r4, [lcl];"),
    legal("ld.global.f32    d,[ugbl].unified;"),
    legal("ld.b32           %r0, [%rd1].unified;"),
    legal("ld.global.L1::evict_last.u32  d32, [p];"),
    legal("ld.global.L2::64B.b32   %r0, [gbl]; // Prefetch 64B to L2"),
    legal("ld.L2::128B.f64         %d1, [gbl]; // Prefetch 128B to L2"),
    legal("ld.global.L2::256B.f64  %d2, [gbl]; // Prefetch 256B to L2"),
    legal("ld.global.L2::cache_hint.b64  x, [p], cache_policy;"),
    legal("ld.param::entry.b32 %rp1, [kparam1];"),
    legal("ld.global.b128   %q0, [gbl];   // 128-bit load"),
    legal("ld.global.L2::evict_last.v8.f32 { %reg0, _, %reg2, %reg3, %reg4, %reg5, %reg6, %reg7}, [addr];"),
    legal("ld.global.L2::evict_last.L1::evict_last.v4.u64 { %wide0, %wide1, %wide2, %wide3}, [addr];"),
    // A misprint: the fraction of createpolicy is a floating-point number. The documents themselves write an integer.
    Example(
        "createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 cache_policy, 1;",
        Some("policy-fraction"),
        None,
    ),
    // The register of this example is called like a 32-bit one; with such a register the load is wrong.
    Example("ld.global.b128   %r0, [gbl];   // 128-bit load", Some("register-type"), Some("register-type")),
    // The register of this example is called like a 32-bit one; the type is the documents' own.
    Example("ld.L2::128B.f64         %r1, [gbl];", Some("register-type"), Some("register-type")),
    // The name holds a minus sign, which no name may.
    Example("ld.global.L2::cache_hint.b64  x, [p], cache-policy;", Some("syntax"), Some("syntax")),
    // Converting instructions are outside the unit.
    Example("cvt.f32.f16      %r,%r;    // up-convert f16 data to f32", Some("outside-unit"), Some("outside-unit")),
];

/// The examples of the page on `ld.global.nc`.
const LD_GLOBAL_NC: [Example; 10] = [
    legal("ld.global.nc.f32           d, [a];"),
    // A misprint: `.gloal`.
    Example("ld.gloal.nc.L1::evict_last.u32 d32, [a];", Some("qualifier-unknown"), Some("qualifier-unknown")),
    legal("ld.global.nc.L1::evict_last.u32 d32, [a];"),
    legal("createpolicy.fractional.L2::evict_last.b64 cache_policy, 0.5;"),
    legal("ld.global.nc.L2::cache_hint.f32  d, [a], cache_policy;"),
    legal("ld.global.nc.L2::64B.b32      d32,  [a];     // Prefetch 64B to L2"),
    legal("ld.global.nc.L2::256B.f64     d64,  [a];     // Prefetch 256B to L2"),
    legal("ld.global.nc.b128             d128,  [a];"),
    // A misprint: dots instead of commas.
    Example(
        "ld.global.nc.L2::evict_first.v4.f64 {%reg0, %reg1. %reg2, %reg3}. [a]; // 256-bit load",
        Some("syntax"),
        Some("syntax"),
    ),
    legal("ld.global.nc.L2::evict_first.v4.f64 {%wide0, %wide1, %wide2, %wide3}, [a]; // 256-bit load"),
];

/// Operators as the page on cache operators writes them, on the spaces that it speaks of.
const CACHE_OPERATORS: [Example; 12] = [
    legal("ld.ca.u32 d32, [a];"),
    legal("ld.cg.u32 d32, [a];"),
    legal("ld.cs.u32 d32, [a];"),
    legal("ld.local.cs.u32 d32, [a];"),
    legal("ld.lu.u32 d32, [a];"),
    legal("ld.local.lu.u32 d32, [a];"),
    legal("ld.cv.u32 d32, [a];"),
    legal("st.wb.u32 [a], d32;"),
    legal("st.cg.u32 [a], d32;"),
    legal("st.cs.u32 [a], d32;"),
    legal("st.wt.u32 [a], d32;"),
    Example("st.ca.u32 [a], d32;", Some("operator-direction"), Some("operator-direction")),
];

/// The declarations that the examples leave out.
fn context() -> Context {
    let mut context = Context::new();
    for (name, kind) in [
        ("d", "f32"),
        ("d32", "b32"),
        ("d64", "f64"),
        ("d128", "b128"),
        ("a", "b64"),
        ("p", "b64"),
        ("addr", "u64"),
        ("x", "b64"),
        ("x32", "b32"),
        ("Q", "v4.b32"),
        ("fs", "global"),
        ("gbl", "global"),
        ("ugbl", "unified"),
        ("sh", "shared"),
        ("lcl", "local"),
        ("kparam1", "param"),
        ("cache_policy", "b64"),
        ("%r", "b32"),
        ("%rp1", "b32"),
        ("%rd1", "b64"),
        ("%d1", "f64"),
        ("%d2", "f64"),
        ("%q0", "b128"),
    ] {
        assert!(context.declare_as(name, kind), "{name}");
    }
    for number in 0..8 {
        assert!(context.declare_as(&format!("%r{number}"), "b32"));
        assert!(context.declare_as(&format!("%reg{number}"), "f32"));
        assert!(context.declare_as(&format!("%wide{number}"), "b64"));
    }
    context
}

/// The rule that refuses `text` on the newest version and target.
fn refusal(text: &str, dialect: Dialect) -> Option<&'static str> {
    let target = Target::parse("sm_100").unwrap();
    let judged = judge_fragment(text, Version::NEWEST, target, &mut context(), dialect);
    judged.iter().find_map(|one| one.verdict.reason()).map(|reason| reason.rule)
}

#[test]
fn every_example_is_judged_as_the_documents_intend() {
    for Example(text, assembler, strict) in LD.iter().chain(&LD_GLOBAL_NC).chain(&CACHE_OPERATORS) {
        assert_eq!(refusal(text, Dialect::Assembler), *assembler, "{text}");
        assert_eq!(refusal(text, Dialect::Strict), *strict, "{text} strictly");
    }
}

/// Every group of the grammars, checked one qualifier at a time on an otherwise plain load.
#[test]
fn every_name_of_the_grammars_is_known() {
    for space in
        ["const", "global", "local", "param", "param::entry", "param::func", "shared", "shared::cta", "shared::cluster"]
    {
        assert_eq!(refusal(&format!("ld.{space}.u32 d32, [a];"), Dialect::Strict), None, "{space}");
        assert_eq!(refusal(&format!("ld.weak.{space}.u32 d32, [a];"), Dialect::Strict), None, "{space}");
    }
    for operator in ["ca", "cg", "cs", "lu", "cv"] {
        assert_eq!(refusal(&format!("ld.global.{operator}.u32 d32, [a];"), Dialect::Strict), None, "{operator}");
    }
    for scope in ["cta", "cluster", "gpu", "sys"] {
        for order in ["relaxed", "acquire"] {
            assert_eq!(refusal(&format!("ld.{order}.{scope}.u32 d32, [a];"), Dialect::Strict), None, "{order} {scope}");
        }
    }
    for hint in [
        "L1::evict_normal",
        "L1::evict_unchanged",
        "L1::evict_first",
        "L1::evict_last",
        "L1::no_allocate",
        "L2::64B",
        "L2::128B",
        "L2::256B",
    ] {
        assert_eq!(refusal(&format!("ld.global.{hint}.u32 d32, [a];"), Dialect::Strict), None, "{hint}");
        assert_eq!(refusal(&format!("ld.global.nc.{hint}.u32 d32, [a];"), Dialect::Strict), None, "{hint}");
    }
    for data_type in ["b8", "b16", "b32", "u8", "u16", "u32", "s8", "s16", "s32", "f32"] {
        assert_eq!(refusal(&format!("ld.global.{data_type} d32, [a];"), Dialect::Strict), None, "{data_type}");
        assert_eq!(
            refusal(&format!("ld.global.v2.{data_type} {{d32, %r0}}, [a];"), Dialect::Strict),
            None,
            "{data_type}"
        );
    }
    for data_type in ["b64", "u64", "s64", "f64"] {
        assert_eq!(refusal(&format!("ld.global.{data_type} x, [a];"), Dialect::Strict), None, "{data_type}");
    }
}
