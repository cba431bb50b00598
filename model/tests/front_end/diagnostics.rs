//! What a user sees: rendered diagnostics, kept as snapshots.
//!
//! After a deliberate change, `INSTA_UPDATE=always` accepts what is printed; the snapshots are to be read before they
//! are committed.

use lsu_model::diagnostic::render;
use lsu_model::ptx::{Context, Dialect, Target, Version, judge_fragment};
use lsu_model::sass;

/// Renders every error and warning about PTX.
fn ptx(text: &str, version: &str, target: &str, dialect: Dialect) -> String {
    let version = Version::parse(version).unwrap();
    let target = Target::parse(target).unwrap();
    let judged = judge_fragment(text, version, target, &mut Context::with_conventions(), dialect);
    let all = judged.iter().flat_map(|one| one.verdict.errors.iter().chain(&one.verdict.warnings));
    all.map(|diagnostic| render(diagnostic, "kernel.ptx", text, false)).collect()
}

/// Renders the first refusal of PTX on the newest version, by the assembler.
fn newest(text: &str) -> String {
    ptx(text, "9.5", "sm_100", Dialect::Assembler)
}

/// Renders the refusal of SASS for SM90.
fn sass(text: &str) -> String {
    let architecture = sass::Architecture::new(90).unwrap();
    let refusal = sass::parse(text, architecture).and_then(|instruction| instruction.check(0..text.len())).unwrap_err();
    render(&refusal, "kernel.sass", text, false)
}

#[test]
fn diagnostics_read_well() {
    let long = format!("ld.global.u32 %r1, [%rd1+{}];", "1+".repeat(4000) + "x");
    let snapshots = [
        ("scope_missing", newest("ld.acquire.u32 %r1, [%rd1];")),
        ("scope_without_order", newest("ld.global.gpu.u32 %r1, [%rd1];")),
        ("order_space", newest("ld.relaxed.gpu.const.u32 %r1, [%rd1];")),
        ("order_operator", newest("ld.volatile.global.cg.u32 %r1, [%rd1];")),
        ("order_direction", newest("st.acquire.gpu.global.u32 [%rd1], %r1;")),
        ("mmio_scope", newest("ld.mmio.relaxed.gpu.global.u32 %r1, [%rd1];")),
        ("operator_direction", newest("st.global.ca.u32 [%rd1], %r1;")),
        ("nc_space", newest("ld.nc.u32 %r1, [%rd1];")),
        ("eviction_space", newest("ld.shared.L1::evict_last.u32 %r1, [%rd1];")),
        ("l2_eviction_shape", newest("ld.global.L2::evict_last.u32 %r1, [%rd1];")),
        ("hint_without_policy", newest("ld.global.L2::cache_hint.u32 %r1, [%rd1];")),
        ("prefetch_store", newest("st.global.L2::128B.u32 [%rd1], %r1;")),
        ("vector_width", newest("ld.global.v4.b128 {%q0,%q1,%q2,%q3}, [%rd1];")),
        ("vector_shape", newest("ld.global.u32 {%r0,%r1}, [%rd1];")),
        ("register_type", newest("ld.global.u64 %r1, [%rd1];")),
        ("address_space", newest("ld.global.u32 %r1, [cst];")),
        ("address_minus", newest("ld.global.u32 %r1, [%rd1-4];")),
        ("address_immediate", newest("ld.global.u32 %r1, [240];")),
        ("unified_misused", newest("ld.global.u32 %r1, [gbl].unified;")),
        ("misspelt_qualifier", newest("ld.gloal.nc.L1::evict_last.u32 %r1, [%rd1];")),
        ("dots_for_commas", newest("ld.global.nc.L2::evict_first.v4.f64 {%d0, %d1. %d2, %d3}. [%rd1];")),
        ("repeated_qualifier", newest("ld.global.ca.cg.u32 %r1, [%rd1];")),
        (
            "gates",
            ptx(
                "ld.global.L2::cache_hint.v8.f32 {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, [%rd1], pol;",
                "7.4",
                "sm_75",
                Dialect::Assembler,
            ),
        ),
        ("gate_target_version", ptx("ld.global.u32 %r1, [%rd1];", "7.0", "sm_90", Dialect::Assembler)),
        ("assembler_only_warning", newest("ld.global.v2.u32 {%r1,_}, [%rd1];")),
        ("documents_only_warning", ptx("ld.global.u32 %r1, [240];", "9.5", "sm_100", Dialect::Strict)),
        ("third_line", newest("{\n\t.reg .b32 %x;\n\tld.global.f64 %x, [%rd1];\n}")),
        ("long_line", newest(&long)),
        ("outside_unit", newest("atom.global.add.u32 %r1, [%rd1], 1;")),
        ("sass_size", sass("LDC.128 R4, c[0x3][R0]")),
        ("sass_register", sass("LDC.64 R3, c[0x3][R0]")),
        ("sass_range", sass("@!P0 LDC R4, c[0x3][R0+0x8000]")),
        ("sass_minus", sass("LDC R4, c[0x3][R0-0x10]")),
    ];
    assert!(snapshots.len() >= 20);
    for (name, text) in snapshots {
        insta::assert_snapshot!(name, text);
    }
}
