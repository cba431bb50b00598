//! What NVIDIA's assembler 13.5 says of declarations and operands, at PTX 9.3 for sm_100. Every verdict is the assembler's own, of the
//! module that [`module`] writes.

use lsu_model::ptx::{Dialect, lint};

/// A kernel around `statements`, with a variable of each kind.
fn module(statements: &str) -> String {
    format!(
        ".version 9.3\n.target sm_100\n.address_size 64\n.global .b8 gbl[64];\n.global .u32 gw;\n.shared .b8 shm[64];\n\
         .const .b8 cst[64];\n.const .u32 cw;\n.func fn(.param .b32 a) {{ ret; }}\n\
         .visible .entry k(.param .u64 kp, .param .u32 kq, .param .b8 ka[64]) {{\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n\
         .reg .pred %p<9>;\n.reg .f32 %f<9>;\n.local .b8 lcl[64];\n{statements}\nret;\n}}\n"
    )
}

/// The rules that `text` breaks in `dialect`.
fn rules(text: &str, dialect: Dialect) -> Vec<&'static str> {
    let mut rules = Vec::new();
    let read = lint(text, dialect, &mut |judged| rules.extend(judged.verdict.errors.iter().map(|error| error.rule)));
    rules.extend(read.remarks.iter().map(|remark| remark.rule));
    rules
}

/// Asserts which rule the assembler refuses each of `cases` by, if it does.
fn assert_verdicts(cases: &[(&str, Option<&str>)]) {
    for (statements, rule) in cases {
        let broken = rules(&module(statements), Dialect::Assembler);
        assert_eq!(broken.first().copied(), *rule, "{statements}: {broken:?}");
    }
}

#[test]
fn registers_and_variables_have_fundamental_types() {
    let variables = [
        "b8", "b16", "b32", "b64", "b128", "u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "f32", "f64", "f16",
        "f16x2",
    ];
    for name in variables {
        for space in ["reg", "global", "shared", "local", "const"] {
            assert_verdicts(&[(&format!(".{space} .{name} x;"), None)]);
        }
    }
    let instructions = [
        "bf16", "bf16x2", "tf32", "u16x2", "s16x2", "u8x4", "s8x4", "f32x2", "e4m3", "e5m2", "ue8m0", "e4m3x2",
        "e5m2x2", "ue8m0x2",
    ];
    for name in instructions {
        for space in ["reg", "global", "local"] {
            assert_verdicts(&[(&format!(".{space} .{name} x;"), Some("declaration-type"))]);
        }
    }
    assert_verdicts(&[
        (".reg .pred x;", None),
        (".shared .pred x;", Some("declaration-type")),
        (".reg .v2 .pred x;", Some("declaration-type")),
        (".reg .v4 .b32 x;", None),
        (".reg .v2 .f64 x;", None),
        (".reg .v4 .f64 x;", Some("declaration-type")),
        (".reg .v2 .b128 x;", Some("declaration-type")),
        (".reg .v8 .f32 x;", Some("declaration-type")),
        (".reg .v8 .b8 x;", Some("declaration-type")),
        (".shared .v4 .b64 x;", Some("declaration-type")),
        (".global .v8 .f32 x;", Some("declaration-type")),
        (".reg .v3 .b32 x;", Some("syntax")),
    ]);
}

#[test]
fn a_register_that_is_no_vector_has_no_components() {
    assert_verdicts(&[
        ("ld.global.u32 %r1.x, [%rd1];", Some("register-component")),
        ("ld.global.u32 %r1.r, [%rd1];", Some("register-component")),
        ("ld.global.u32 {%r1.x}, [%rd1];", Some("register-component")),
        ("ld.global.v2.u32 {%r1.x, %r2}, [%rd1];", Some("register-component")),
        ("st.global.u32 [%rd1], %r1.x;", Some("register-component")),
        ("st.global.v2.u32 [%rd1], {%r1, %r2.x};", Some("register-component")),
        ("st.global.v2.u32 [%rd1], {1, %r2.x};", Some("register-component")),
        (".reg .v2 .b32 %w; ld.global.u32 %w.x, [%rd1];", None),
        (".reg .v4 .b32 %w; st.global.v2.u32 [%rd1], {%w.b, %w.a};", None),
    ]);
}

#[test]
fn zeros_before_the_number_of_a_register_do_not_count() {
    assert_verdicts(&[
        ("ld.global.u32 %r01, [%rd01];", None),
        ("@%p001 ld.global.u32 %r00, [%rd1];", None),
        ("ld.global.u32 %r08, [%rd1];", None),
        ("ld.global.u32 %r09, [%rd1];", Some("symbol-unknown")),
        ("ld.global.u32 %r010, [%rd1];", Some("symbol-unknown")),
        ("ld.global.u32 %r0000000000000000000000000008, [%rd1];", None),
        ("ld.global.u32 %r4294967304, [%rd1];", None),
        ("ld.global.u32 %r4294967305, [%rd1];", Some("symbol-unknown")),
        // A name that is declared as it is written is no range.
        (".reg .b64 x1; ld.global.u64 x01, [%rd1];", Some("symbol-unknown")),
        (".reg .b64 x01; ld.global.u64 x1, [%rd1];", Some("symbol-unknown")),
        (".reg .b64 x0<4>; ld.global.u64 x01, [%rd1];", Some("symbol-unknown")),
        (".reg .b64 x1<20>; ld.global.u64 x119, [%rd1];", Some("symbol-unknown")),
        (".reg .b32 x<4>; .reg .b64 x0<4>; ld.global.u64 x01, [%rd1];", Some("register-type")),
        ("{ .reg .b64 %r01; ld.global.u64 %r01, [%rd1]; }", None),
        ("{ .reg .b64 %r01; ld.global.u64 %r1, [%rd1]; }", Some("register-type")),
        ("{ .reg .b64 %r1; ld.global.u64 %r01, [%rd1]; }", Some("register-type")),
        ("{ .reg .b64 %r<3>; ld.global.u64 %r01, [%rd1]; }", None),
        ("{ .reg .b64 %r<3>; ld.global.u32 %r05, [%rd1]; }", None),
    ]);
}

#[test]
fn elements_are_those_of_arrays() {
    assert_verdicts(&[
        ("ld.global.u32 %r1, gbl[4];", None),
        ("ld.global.u32 %r1, gbl[-4];", None),
        ("ld.param.u32 %r1, ka[0];", None),
        ("ld.global.u32 %r1, gw[0];", Some("address-type")),
        ("st.global.u32 gw[0], %r1;", Some("address-type")),
        ("ld.const.u32 %r1, cw[4];", Some("address-type")),
        ("ld.param.u32 %r1, kq[0];", Some("address-type")),
        ("ld.param.u64 %rd1, kp[0];", Some("address-type")),
        ("ld.global.u32 %r1, %rd1[0];", Some("address-type")),
        (".shared .v2 .u32 x; ld.shared.u32 %r1, x[1];", Some("address-type")),
        (".shared .v2 .u32 x[4]; ld.shared.u32 %r1, x[1];", None),
        (".global .b8 x[4][4]; ld.global.u32 %r1, x[4];", None),
        (".param .b32 x; st.param.u32 x[0], %r1;", Some("address-type")),
        (".param .b8 x[8]; st.param.u32 x[4], %r1;", None),
        // A register chooses the element.
        ("ld.global.u32 %r1, gbl[%r1];", None),
        ("ld.global.u32 %r1, gbl[%rd1];", None),
        ("ld.u32 %r1, gbl[%rd1+4];", None),
        ("ld.global.nc.u32 %r1, gbl[%rd1+-4];", None),
        ("ld.global.v2.u32 {%r1, %r2}, gbl[%rd1+4+4];", None),
        ("st.global.u32 gbl[%rd1], %r1;", None),
        ("st.shared.u32 shm[%r1], %r1;", None),
        ("ld.local.u32 %r1, lcl[%rd1];", None),
        ("ld.const.u32 %r1, cst[%rd1];", None),
        ("ld.param.u32 %r1, ka[%r1];", None),
        ("ld.global.u32 %r1, gbl[gw];", None),
        (".reg .b16 %h; ld.global.u32 %r1, gbl[%h];", None),
        ("ld.global.u32 %r1, gw[%rd1];", Some("address-type")),
        ("ld.global.u32 %r1, gbl[%f1];", Some("address-type")),
        ("ld.global.u32 %r1, gbl[%p1];", Some("address-type")),
        (".reg .b128 %q; ld.global.u32 %r1, gbl[%q];", Some("address-type")),
        (".reg .v2 .b32 %w; ld.global.u32 %r1, gbl[%w];", Some("address-type")),
        ("ld.global.u32 %r1, gbl[%nothing];", Some("symbol-unknown")),
        ("ld.global.u32 %r1, gbl[%rd1-4];", Some("syntax")),
        ("ld.global.u32 %r1, gbl[%rd1+%rd2];", Some("syntax")),
        ("ld.global.u32 %r1, gbl[4+%rd1];", Some("syntax")),
        ("ld.global.u32 %r1, gbl[1.5];", Some("syntax")),
        ("ld.global.u32 %r1, [gbl[0]];", Some("syntax")),
        ("ld.global.u32 %r1, gbl[4][4];", Some("syntax")),
        ("ld.global.u32 %r1, shm[%r1];", Some("address-space")),
    ]);
    assert_eq!(rules(&module("ld.global.u32 %r1, gbl[%rd1];"), Dialect::Strict), ["address-form"]);
}

#[test]
fn a_sum_may_be_stored() {
    assert_verdicts(&[
        ("st.global.u64 [%rd1], gbl+4;", None),
        ("st.global.u64 [%rd1], gbl+-4;", None),
        ("st.global.u64 [%rd1], gbl+4-4*2;", None),
        ("st.global.u64 [%rd1], gbl+(4?1:2);", None),
        ("st.global.u64 [%rd1], gbl+WARP_SZ;", None),
        ("st.u32 [%rd1], shm+4;", None),
        ("st.local.u8 [%rd1], cst+4;", None),
        ("st.global.b128 [%rd1], gbl+4;", None),
        ("st.global.u64 [%rd1], kp+4;", None),
        ("st.global.L2::cache_hint.u64 [%rd1], gbl+4, %rd2;", None),
        ("st.global.f64 [%rd1], gbl+4;", Some("register-type")),
        ("st.global.u64 [%rd1], gbl;", Some("register-expected")),
        ("st.global.u64 [%rd1], gbl[4];", Some("syntax")),
        ("st.global.u64 [%rd1], gbl-4;", Some("syntax")),
        ("st.global.u64 [%rd1], 4+gbl;", Some("syntax")),
        ("st.global.u64 [%rd1], gbl+gbl;", Some("syntax")),
        ("st.global.u64 [%rd1], gbl+1.5;", Some("syntax")),
        ("st.global.u64 [%rd1], gbl*2;", Some("syntax")),
        ("st.global.u64 [%rd1], (gbl+4);", Some("syntax")),
        ("st.global.u64 [%rd1], {gbl+4};", Some("syntax")),
        ("st.global.v2.u64 [%rd1], {gbl, %rd1};", Some("register-expected")),
        ("st.global.v2.u64 [%rd1], {%rd1, gbl+4};", Some("syntax")),
        ("st.global.v2.u64 [%rd1], gbl+4;", Some("vector-shape")),
        ("st.global.u64 [%rd1], nothing+4;", Some("symbol-unknown")),
        ("ld.global.u64 gbl+4, [%rd1];", Some("register-expected")),
        ("ld.global.u32 %r1+4, [%rd1];", Some("register-expected")),
        // Of a register the class counts, its width does not.
        ("st.global.u32 [%rd1], %r1+4;", None),
        ("st.global.u64 [%rd1], %r1+4;", None),
        (".reg .u16 %h; st.global.s64 [%rd1], %h+4;", None),
        ("st.global.f64 [%rd1], %f1+4;", None),
        ("st.global.b8 [%rd1], %f1+4;", None),
        ("st.global.f64 [%rd1], %rd2+4;", None),
        (".reg .f16 %h; st.global.f32 [%rd1], %h+4;", None),
        (".reg .f16 %h; st.global.u16 [%rd1], %h+4;", Some("register-type")),
        (".reg .u32 %u; st.global.f32 [%rd1], %u+4;", Some("register-type")),
        ("st.global.u32 [%rd1], %f1+4;", Some("register-type")),
        ("st.global.u32 [%rd1], %p1+4;", Some("register-type")),
        (".reg .v2 .b64 %w; st.global.v2.u64 [%rd1], %w+4;", None),
        (".reg .v2 .b32 %w; st.global.u32 [%rd1], %w+4;", Some("vector-shape")),
        (".reg .v2 .b32 %w; st.global.u32 [%rd1], %w.x+4;", Some("syntax")),
    ]);
}

#[test]
fn the_address_of_a_function_may_be_stored() {
    for name in ["u8", "s16", "u32", "f32", "u64", "f64"] {
        assert_verdicts(&[
            (&format!("st.global.{name} [%rd1], fn;"), None),
            (&format!("st.shared.{name} [%rd1], k;"), None),
        ]);
    }
    assert_verdicts(&[
        // The assembler's code generator crashes.
        ("st.global.b64 [%rd1], fn;", Some("register-expected")),
        (".param .b64 x; st.param.b64 [x], fn;", None),
        (".extern .func later; st.global.u64 [%rd1], fn;", None),
        (".reg .b64 fn; st.global.b64 [%rd1], fn;", None),
        ("st.global.v2.u64 [%rd1], {fn, %rd1};", Some("register-expected")),
        ("st.global.u64 [%rd1], fn+4;", Some("register-expected")),
        ("L: st.global.u64 [%rd1], L;", Some("register-expected")),
        ("ld.global.u64 fn, [%rd1];", Some("register-expected")),
        ("ld.global.u64 %rd1, [fn];", Some("address-type")),
        ("ld.u64 %rd1, [k+4];", Some("address-type")),
        ("ld.global.u32 %r1, gbl[k];", Some("address-type")),
    ]);
    assert_eq!(rules(&module("st.global.u64 [%rd1], fn;"), Dialect::Strict), ["register-expected"]);
}

#[test]
fn vectors_hold_no_vectors_and_no_component_beside_a_number() {
    assert_verdicts(&[
        (".reg .v2 .b32 %w; st.global.v2.u32 [%rd1], {%w.x, %r1};", None),
        (".reg .v2 .b32 %w; ld.global.v2.u32 {%w.x, _}, [%rd1];", None),
        (".reg .v2 .b32 %w; st.global.v2.u32 [%rd1], %w;", None),
        (".reg .v2 .b32 %w; st.global.v2.u32 [%rd1], {%w, %r1};", Some("vector-shape")),
        (".reg .v2 .b32 %w; st.global.v2.u32 [%rd1], {%w};", Some("vector-shape")),
        (".reg .v2 .b32 %w; ld.global.v2.u32 {%w, %r1}, [%rd1];", Some("vector-shape")),
        (".reg .v2 .b32 %w; st.global.v2.u32 [%rd1], {1, %w.x};", Some("vector-shape")),
        (".reg .v2 .f32 %w; st.global.v2.f32 [%rd1], {%w.y, 1.0};", Some("vector-shape")),
        (".reg .v2 .b32 %w; st.global.v4.u32 [%rd1], {%r1, %w.x, %r2, 2};", Some("vector-shape")),
    ]);
}

/// The base is in brackets; what stands before them is an array.
#[test]
fn a_guarded_access_to_a_parameter_begins_at_no_special_register() {
    assert_verdicts(&[
        ("ld.param.u32 %r1, [%clock64];", None),
        ("@%p1 ld.param.u32 %r1, [%clock64];", Some("param-predicated")),
        ("@!%p1 ld.param.u32 %r1, [%laneid+8];", Some("param-predicated")),
        ("@%p1 ld.param::entry.u32 %r1, [%clock];", Some("param-predicated")),
        ("@%p1 st.param.u32 [%clock64], %r1;", Some("param-predicated")),
        ("@%p1 ld.param.u32 %r1, [%rd1];", None),
        ("@%p1 ld.param.u32 %r1, ka[%clock64];", None),
        ("@%p1 ld.global.u32 %r1, [%clock64];", None),
        ("@%p1 ld.const.u32 %r1, [%clock64];", None),
    ]);
}

#[test]
fn behind_an_index_unified_says_nothing() {
    assert_verdicts(&[
        ("ld.global.u32 %r1, gbl[2].unified;", None),
        ("st.global.u32 gbl[%r1].unified, %r1;", None),
        ("ld.volatile.u32 %r1, gbl[2].unified;", None),
        ("ld.local.u32 %r1, lcl[1].unified;", None),
        ("ld.param.u32 %r1, ka[1].unified;", None),
        ("ld.param::func.u32 %r1, ka[1];", None),
        ("ld.global.u32 %r1, [gbl].unified;", Some("unified-misused")),
        ("ld.shared.u32 %r1, gbl[2].unified;", Some("address-space")),
        ("ld.global.u32 %r1, gbl.unified;", Some("syntax")),
        // The assembler's code generator crashes.
        ("st.param.u32 ka[1], %r1;", Some("param-write")),
    ]);
}

/// What the assembler takes and the documents do not.
#[test]
fn parts_and_variables_in_braces_are_in_no_document() {
    let cases = [
        ("ld.global.u32 {gw}, [%rd1];", "register-expected"),
        ("ld.global.u32 {%r1.b0}, [%rd1];", "register-component"),
        (".reg .v2 .b32 %w; ld.global.u32 %w.z, [%rd1];", "register-component"),
        ("ld.global.v2.u32 {%p1, %r1}, [%rd1];", "register-type"),
        (".reg .f16x2 %x; ld.global.u32 %x, [%rd1];", "register-type"),
    ];
    for (statements, rule) in cases {
        assert_eq!(rules(&module(statements), Dialect::Assembler), [""; 0], "{statements}");
        assert_eq!(rules(&module(statements), Dialect::Strict), [rule], "{statements}");
    }
    assert_verdicts(&[(".reg .v2 .b32 %w; ld.global.u32 %w.b, [%rd1];", None)]);
}

#[test]
fn special_registers_are_addresses_and_elements() {
    assert_verdicts(&[
        ("ld.global.u32 %r1, [%clock64];", None),
        ("ld.shared.u32 %r1, [%laneid+4];", None),
        ("ld.param.u32 %r1, [%clock];", None),
        ("ld.global.u32 %r1, gbl[%smid];", None),
        ("ld.global.u32 %r1, [%envreg31];", None),
        ("ld.global.u32 %r1, [%pm7_64];", None),
        ("@%is_explicit_cluster ld.global.u32 %r1, [%rd1];", None),
        ("@%clock ld.global.u32 %r1, [%rd1];", Some("guard-type")),
        ("ld.global.u32 %r1, [%tid];", Some("address-type")),
        ("ld.global.u32 %r1, [%tid.x];", Some("syntax")),
        ("ld.global.u32 %r1, gbl[%tid.x];", Some("syntax")),
        ("ld.global.u32 %r1, [%is_explicit_cluster];", Some("address-type")),
        ("ld.global.u32 %r1, [%envreg32];", Some("symbol-unknown")),
        ("ld.global.u32 %r1, [%envreg01];", Some("symbol-unknown")),
        ("ld.global.u32 %r1, [%pm8];", Some("symbol-unknown")),
        ("ld.global.u32 %r1, [%clock].unified;", Some("unified-misused")),
        ("ld.global.u32 %r1, [WARP_SZ];", Some("address-immediate")),
        ("ld.local.u32 %r1, [WARP_SZ];", None),
        ("ld.local.u32 %r1, [WARP_SZ+4];", None),
        ("st.local.u32 [WARP_SZ-4], %r1;", None),
        ("ld.global.L2::cache_hint.u32 %r1, [%rd1], %clock64;", Some("policy-type")),
        // A single value is none of them, an element of a vector is.
        ("st.global.u32 [%rd1], %tid.x;", Some("special-register")),
        ("st.global.u64 [%rd1], %clock64;", Some("special-register")),
        ("ld.global.u32 %clock, [%rd1];", Some("special-register")),
        ("st.global.v4.u32 [%rd1], %tid;", Some("special-register")),
        (".reg .b32 %tid; st.global.u32 [%rd1], %tid;", None),
        ("st.global.u64 [%rd1], %clock64+4;", None),
        ("st.global.u32 [%rd1], {%clock};", None),
        ("st.global.v2.u32 [%rd1], {%r1, %tid.x};", None),
        ("st.global.v4.u32 [%rd1], {%tid.x, %ntid.y, %ctaid.z, %nctaid.w};", None),
        ("st.global.v2.f32 [%rd1], {%f1, %tid.x};", None),
        ("st.global.v2.u32 [%rd1], {%clock, 1};", None),
        ("st.global.v2.u16 [%rd1], {%r1, %tid.x};", None),
        ("st.global.v2.u64 [%rd1], {%globaltimer, %rd2};", None),
        ("ld.global.v2.u32 {%r1, %tid.x}, [%rd1];", None),
        ("st.global.v2.u32 [%rd1], {%tid.x, 1};", Some("vector-shape")),
        ("st.global.v2.u32 [%rd1], {%tid, %r1};", Some("vector-shape")),
        ("st.global.v2.u32 [%rd1], {%r1, %clock64};", Some("register-type")),
        ("st.global.v2.u64 [%rd1], {%tid.x, %rd1};", Some("register-type")),
        ("st.global.v2.u32 [%rd1], {%rd2, %tid.x};", Some("register-type")),
        ("st.global.v2.u32 [%rd1], {%r1, %nothing};", Some("symbol-unknown")),
    ]);
    assert_eq!(rules(&module("ld.global.v2.u32 {%r1, %clock}, [%rd1];"), Dialect::Strict), ["special-register"]);
}

/// Special registers as addresses, and the least version and target for which the assembler has each.
#[test]
fn special_registers_have_gates() {
    let gates = [
        ("%clock", "1.0", "sm_10", true),
        ("%gridid", "1.0", "sm_10", true),
        ("%envreg3", "1.0", "sm_10", true),
        ("%laneid", "1.0", "sm_10", false),
        ("%laneid", "1.3", "sm_10", true),
        ("%pm0", "1.0", "sm_10", false),
        ("%pm0", "1.3", "sm_10", true),
        ("%pm4", "2.0", "sm_20", false),
        ("%pm4", "3.0", "sm_20", true),
        ("%pm0_64", "5.0", "sm_30", false),
        ("%pm0_64", "4.0", "sm_50", true),
        ("%clock64", "1.3", "sm_10", false),
        ("%clock64", "2.0", "sm_20", true),
        ("%clock_hi", "4.1", "sm_50", false),
        ("%clock_hi", "5.0", "sm_50", true),
        ("%lanemask_lt", "2.0", "sm_20", true),
        ("%nsmid", "2.0", "sm_13", false),
        ("%globaltimer", "3.0", "sm_30", false),
        ("%globaltimer", "3.1", "sm_30", true),
        ("%total_smem_size", "4.1", "sm_20", true),
        ("%aggr_smem_size", "8.0", "sm_90", false),
        ("%aggr_smem_size", "8.1", "sm_90", true),
        ("%current_graph_exec", "7.8", "sm_90", false),
        ("%current_graph_exec", "8.0", "sm_50", true),
        ("%reserved_smem_offset_0", "7.6", "sm_75", false),
        ("%reserved_smem_offset_0", "7.6", "sm_80", true),
        ("%cluster_ctarank", "7.8", "sm_80", false),
        ("%cluster_ctarank", "7.8", "sm_90", true),
    ];
    for (name, version, target, is_legal) in gates {
        let load = format!("ld.shared.u32 %r1, [{name}];");
        let text = format!(".version {version}\n.target {target}\n.entry k {{\n.reg .b32 %r<4>;\n{load}\n}}\n");
        let broken = rules(&text, Dialect::Assembler);
        assert_eq!(broken.is_empty(), is_legal, "{name} {version} {target}: {broken:?}");
    }
}

/// The least version and target for which the assembler has what a declaration says: a statement of the module, of the kernel (`{}`)
/// or a parameter of it (`()`).
#[test]
fn declarations_have_gates() {
    let gates = [
        ("{.reg .b128 x;}", "8.2", "sm_70", false),
        ("{.reg .b128 x<4>;}", "8.3", "sm_60", false),
        ("{.reg .b128 x;}", "8.3", "sm_70", true),
        (".shared .b128 x;", "8.2", "sm_90", false),
        (".shared .b128 x;", "8.3", "sm_70", true),
        (".shared .b128 x[4];", "6.0", "sm_50", true),
        ("(.param .b128 x)", "8.2", "sm_70", false),
        ("{.reg .f16x2 x;}", "4.1", "sm_50", false),
        ("{.reg .f16x2 x;}", "4.2", "sm_50", false),
        ("{.reg .f16x2 x;}", "4.2", "sm_53", true),
        ("{.reg .v2 .f16x2 x;}", "1.4", "sm_10", true),
        (".shared .f16x2 x[4];", "4.3", "sm_30", false),
        ("{.reg .f16 x;}", "1.4", "sm_10", true),
        (".global .attribute(.managed) .b32 x;", "3.2", "sm_30", false),
        (".global .attribute(.managed) .b32 x;", "4.0", "sm_20", false),
        (".global .attribute(.managed) .b32 x;", "4.0", "sm_30", true),
        (".global .attribute(.unified(1, 2)) .b32 x;", "7.8", "sm_90", false),
        (".global .attribute(.unified(1, 2)) .b32 x;", "8.0", "sm_80", false),
        (".common .global .b32 x;", "4.3", "sm_30", false),
        (".common .global .b32 x;", "5.0", "sm_30", true),
        (".weak .global .b32 x;", "3.0", "sm_20", false),
        (".weak .global .b32 x;", "3.1", "sm_20", true),
        (".weak .func f(){ret;}", "3.0", "sm_20", false),
        ("(.param .u64 .ptr .global .align 8 x)", "2.1", "sm_20", false),
        ("(.param .u64 .ptr .global .align 8 x)", "2.2", "sm_20", true),
    ];
    for (declaration, version, target, is_legal) in gates {
        let (top, parameters, body) = match &declaration[..1] {
            "{" => ("", "", &declaration[1..declaration.len() - 1]),
            "(" => ("", declaration, ""),
            _ => (declaration, "", ""),
        };
        let text = format!(".version {version}\n.target {target}\n{top}\n.entry k{parameters} {{\n{body}\nexit;\n}}\n");
        let broken = rules(&text, Dialect::Assembler);
        assert_eq!(broken.is_empty(), is_legal, "{declaration} {version} {target}: {broken:?}");
    }
}

/// A kernel without parameters writes one through a register.
#[test]
fn parameters_are_written_from_sm_20_on() {
    let cases = [
        ("st.param.b32 [%rd1], %r1;", "1.4", "sm_13", false),
        ("st.param.b32 [%r1], %r1;", "9.5", "sm_13", false),
        ("st.param.b32 [%rd1], %r1;", "2.0", "sm_20", true),
        ("st.param.b32 [%rd1], %r1;", "9.5", "sm_20", true),
        ("ld.param.u32 %r1, [%rd1];", "1.4", "sm_13", true),
        ("ld.param.u32 %r1, [%rd1];", "9.5", "sm_13", true),
    ];
    for (statement, version, target, is_legal) in cases {
        let registers = ".reg .b32 %r<4>;\n.reg .b64 %rd<4>;";
        let text = format!(".version {version}\n.target {target}\n.entry k {{\n{registers}\n{statement}\n}}\n");
        let broken = rules(&text, Dialect::Assembler);
        assert_eq!(broken.is_empty(), is_legal, "{statement} {version} {target}: {broken:?}");
    }
}

#[test]
fn what_is_computed_before_the_request_is_legal_and_not_served() {
    for statement in [
        "ld.global.u32 %r1, gbl[%rd1];",
        "st.shared.u32 shm[%r1+4], %r1;",
        "st.global.u64 [%rd1], gbl+4;",
        "st.global.u32 [%rd1], %r1+4;",
        "st.global.u64 [%rd1], fn;",
        "ld.global.L2::cache_hint.u32 %r1, [%rd1], %rd2+4;",
        "ld.global.v2.u32 {%p1, %r1}, [%rd1];",
        "st.global.u32 [%rd1], {gw};",
        "st.global.u32 [%rd1], {%r1.b0};",
        ".reg .v2 .b32 %w; ld.global.u32 %w.z, [%rd1];",
    ] {
        let mut judged = Vec::new();
        lint(&module(statement), Dialect::Assembler, &mut |one| judged.push(one));
        assert!(judged[0].verdict.is_accepted(), "{statement}");
        assert_eq!(judged[0].not_served.as_ref().map(|reason| reason.rule), Some("outside-unit"), "{statement}");
    }
}
