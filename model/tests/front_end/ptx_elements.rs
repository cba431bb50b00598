//! What NVIDIA's assembler 13.5 says of vectors of several types, of numbers in them, and of constant expressions.

use crate::data_files::{judge, refusal};
use lsu_model::ptx::{Context, Dialect, lower, parse};

/// Instructions, and whether the assembler takes them at PTX 9.5 for sm_100.
const VERDICTS: &[(&str, bool)] = &[
    // Registers of one width.
    ("ld.global.v2.u32 {%r1,%rd2},[%rd9];", false),
    ("st.global.v4.u32 [%rd9],{%r1,1,%r2,%rd3};", false),
    ("st.global.v4.u32 [%rd9],{1,%r1,%r2,%rd3};", true),
    // No floating-point element beside an integer one, a sink between them or not.
    ("st.global.v2.u32 [%rd9],{%u1,%f1};", false),
    ("ld.global.v4.b32 {%f1,_,%u1,%u2},[%rd9];", false),
    ("st.global.v2.f32 [%rd9],{%f1,1};", false),
    ("st.global.v4.b32 [%rd9],{%f1,%r1,%u1,%u2};", true),
    // Several types are bits.
    ("st.global.v2.u32 [%rd9],{%r1,%f1};", true),
    ("ld.global.v2.f32 {%rd1,%ud2},[%rd9];", true),
    ("st.global.v2.f32 [%rd9],{%r1,1};", true),
    ("st.global.v2.u16 [%rd9],{1,%r1};", true),
    ("st.global.v2.u8 [%rd9],{%d1,0f3F800000};", true),
    ("st.global.v2.u8 [%rd9],{%d1,1.0};", false),
    // A floating-point number first.
    ("st.global.v2.b32 [%rd9],{1.0,%r1};", true),
    ("st.global.v2.b16 [%rd9],{1.0,%r1};", false),
    ("st.global.v2.u16 [%rd9],{1.0,%r1};", true),
    ("st.global.v2.f32 [%rd9],{1.0,%d1};", true),
    ("st.global.v4.b16 [%rd9],{1.0,1.0,%h1,1};", true),
    ("st.global.v4.b32 [%rd9],{0f3F800000,1.0,1.0,0f3F800000};", false),
    // Numbers alone.
    ("st.global.b32 [%rd9],1.0;", false),
    ("st.global.b32 [%rd9],0f3F800000;", true),
    ("st.global.b64 [%rd9],0f3F800000;", false),
    ("st.global.b64 [%rd9],0d3FF0000000000000;", true),
    ("st.global.f64 [%rd9],1;", false),
    ("st.global.f64 [%rd9],{1};", true),
    ("st.global.f32 [%rd9],{1};", false),
    // Numbers of operators: both sides are integers, or both are not.
    ("st.global.f32 [%rd9],1.5+2.5;", true),
    ("st.global.f32 [%rd9],- -.5e-3;", true),
    ("st.global.f64 [%rd9],0d3FF0000000000000*1.5;", true),
    ("st.global.u32 [%rd9],1.5+2.5;", false),
    ("st.global.u32 [%rd9],1.5<2.5;", true),
    ("st.global.f32 [%rd9],1.5<2.5;", false),
    ("st.global.u32 [%rd9],1<1.5;", false),
    ("st.global.u32 [%rd9],1.5&&2.5;", false),
    ("st.global.u32 [%rd9],!1.5;", false),
    ("st.global.f32 [%rd9],1.5/0.0;", false),
    ("st.global.f32 [%rd9],1?1.5:2.5;", false),
    ("st.global.u32 [%rd9],0?1/0:3;", false),
    ("st.global.u32 [%rd9],1?4;", false),
    ("ld.global.u32 %r1,[%rd9+(1?4:8)];", true),
    ("ld.global.u32 %r1,[%rd9+1.5];", false),
    ("ld.global.L2::cache_hint.u32 %r1,[%rd9],WARP_SZ?1:2;", true),
    // One of 32 bits stands alone, or in parentheses.
    ("st.global.f32 [%rd9],-0f3F800000;", false),
    ("st.global.f32 [%rd9],-(0f3F800000);", true),
    ("st.global.f32 [%rd9],0f3F800000+1.5;", false),
    ("st.global.b32 [%rd9],(0f3F800000);", true),
    ("st.global.b64 [%rd9],(0f3F800000);", false),
    ("st.global.b32 [%rd9],-(0f3F800000);", false),
    ("st.global.b64 [%rd9],-(0f3F800000);", true),
    // Of 128 bits no floating-point number.
    ("st.global.b128 [%rd9],-1;", true),
    ("st.global.b128 [%rd9],1.0;", false),
    // No number that `.f64` cannot hold as a normal one, but zero.
    ("st.global.f64 [%rd9],1e400;", false),
    ("st.global.f64 [%rd9],1e-310;", false),
    ("st.global.f64 [%rd9],0.0e-999;", true),
    // Every statement is one, and every block ends.
    ("ld.global.u32 %r1,[%rd9];;", false),
    ("{ ld.global.u32 %r1,[%rd9]; };", false),
    ("{ { ld.global.u32 %r1,[%rd9]; }", false),
    ("{ } { { ld.global.u32 %r1,[%rd9]; } }", true),
    // A kernel reaches what calls pass by name.
    ("ld.param::func.u32 %r1,[%rd9];", false),
    ("st.param::func.u32 [%rd9],%r1;", false),
    ("ld.param::entry.u32 %r1,[%rd9];", true),
    // One register in braces.
    ("ld.global.f32 {%u1},[%rd9];", true),
    ("ld.global.f32 %u1,[%rd9];", false),
    // What is no element is told, whatever stands before it.
    ("st.global.v2.f32 [%rd9],{1.0,%zz1};", false),
    ("st.global.v2.f32 [%rd9],{1.0,%p1};", false),
    // A predicate is a kind of its own, of 32 bits.
    ("ld.global.v2.u32 {%p1,%r1},[%rd9];", true),
    ("ld.global.v2.u8 {%r1,%p1},[%rd9];", true),
    ("st.global.v2.f32 [%rd9],{%p1,%r1};", true),
    ("st.global.v8.u32 [%rd9],{%p1,%r1,%p2,%r2,%p3,%r3,%p4,%r4};", true),
    ("ld.global.v2.u32 {%r1,%is_explicit_cluster},[%rd9];", true),
    ("st.global.v4.u32 [%rd9],{%p1,%r1,%u1,5};", true),
    ("st.global.v2.u32 [%rd9],{%p1,%p2};", false),
    ("ld.global.u32 {%p1},[%rd9];", false),
    ("ld.global.u32 %p1,[%rd9];", false),
    ("ld.global.v4.u32 {%p1,_,%p2,_},[%rd9];", false),
    ("st.global.v2.u32 [%rd9],{%p1,%u1};", false),
    ("st.global.v2.f32 [%rd9],{%p1,%f1};", false),
    ("st.global.v4.u32 [%rd9],{%u1,%r1,%p1,5};", false),
    ("st.global.v2.u32 [%rd9],{%r1,%p1};", true),
    ("st.global.v2.b64 [%rd9],{%p1,%rd1};", false),
    ("st.global.v2.b64 [%rd9],{%p1,%r1};", false),
    ("st.global.v2.b16 [%rd9],{%p1,%h1};", false),
    ("st.global.v2.u32 [%rd9],{5,%p1};", false),
    // .f16x2 is an integer to an access, and a kind of its own to its neighbours.
    ("{ .reg .f16x2 fx; ld.global.u32 fx,[%rd9]; }", true),
    ("{ .reg .f16x2 fx; st.global.s8 [%rd9],fx; }", true),
    ("{ .reg .f16x2 fx; ld.global.f32 fx,[%rd9]; }", false),
    ("{ .reg .f16x2 fx; ld.global.f32 {fx},[%rd9]; }", false),
    ("{ .reg .f16x2 fx; st.global.u64 [%rd9],fx; }", false),
    ("{ .reg .f16x2 fx; st.global.v2.u16 [%rd9],{fx,fx}; }", true),
    ("{ .reg .v2 .f16x2 wx; st.global.v2.u32 [%rd9],wx; }", true),
    ("{ .reg .v2 .f16x2 wx; st.global.v2.f32 [%rd9],wx; }", false),
    ("{ .reg .v2 .f16x2 wx; ld.global.u32 wx.y,[%rd9]; }", true),
    ("{ .reg .f16x2 fx; st.global.v2.f32 [%rd9],{fx,%r1}; }", true),
    ("{ .reg .f16x2 fx; st.global.v2.b16 [%rd9],{%f1,fx}; }", false),
    ("{ .reg .f16x2 fx; st.global.v2.b32 [%rd9],{%u1,fx}; }", false),
    ("{ .reg .f16x2 fx; st.global.v2.b32 [%rd9],{5,fx}; }", false),
    ("{ .reg .f16x2 fx; st.global.v2.b32 [%rd9],{fx,%p1}; }", false),
    ("{ .reg .f16x2 fx; st.global.v4.b32 [%rd9],{fx,%r1,%u1,%s1}; }", true),
    // .f16 is a floating-point number of 16 bits.
    ("{ .reg .f16 fh; ld.global.b16 fh,[%rd9]; }", true),
    ("{ .reg .f16 fh; ld.global.u16 fh,[%rd9]; }", false),
    ("{ .reg .f16 fh; ld.global.f32 fh,[%rd9]; }", false),
    ("{ .reg .f16 fh; ld.global.v2.b16 {fh,%h1},[%rd9]; }", true),
    ("{ .reg .f16 fh; ld.global.v2.u16 {fh,%h1},[%rd9]; }", true),
    ("{ .reg .f16 fh; ld.global.v2.b16 {fh,%uh1},[%rd9]; }", false),
    ("{ .reg .f16 fh; ld.global.v2.b16 {fh,%laneid},[%rd9]; }", false),
    ("{ .reg .f16 fh; st.global.v2.b16 [%rd9],{fh,1.5}; }", true),
    ("{ .reg .f16 fh; st.global.v2.b16 [%rd9],{fh,5}; }", false),
    ("{ .reg .f16 fh; st.global.v2.b16 [%rd9],{1.5,fh}; }", true),
    // In a sum the one is an integer, the other a floating-point number.
    ("{ .reg .f16x2 fx; st.global.u64 [%rd9],fx+4; }", true),
    ("{ .reg .f16x2 fx; st.global.f32 [%rd9],fx+4; }", false),
    ("{ .reg .f16x2 fx; st.global.f64 [%rd9],fx+4; }", false),
    ("{ .reg .f16x2 fx; st.global.b8 [%rd9],fx+4; }", true),
    ("{ .reg .f16 fh; st.global.f64 [%rd9],fh+4; }", true),
    ("{ .reg .f16 fh; st.global.u32 [%rd9],fh+4; }", false),
];

/// Constant expressions, and the words that the assembler makes of them.
const VALUES: &[(&str, u64)] = &[
    ("-1 < 1U", 0),
    ("-1 < 0xffffffffffffffff", 0),
    ("2-3U > 0", 1),
    ("~0 >> 1", u64::MAX >> 1),
    ("0x8000000000000000 >> 63", 1),
    ("(1<<63) >> 63", u64::MAX),
    ("-8 >> 1", -4_i64 as u64),
    ("1 << 65", 2),
    ("1 >> 64", 1),
    ("0xffffffffffffffff / 2", u64::MAX >> 1),
    ("(.s64)0xffffffffffffffff / 2", 0),
    ("-5U / 2", 0x7fff_ffff_ffff_fffd),
    ("-8 / 3", -2_i64 as u64),
    ("-7 % 3", 0),
    ("1<<2+1", 8),
    ("1|2^3&6", 1),
    ("-WARP_SZ", -32_i64 as u64),
    ("1?4:8", 4),
    ("0?2:0?4:5", 5),
    ("1?2?3:4:5", 3),
    ("1+1?2:3", 2),
    ("(1?0-1:5U)/2", 0),
    ("(1.5<2.5)+(3.0>2.0)*4", 5),
    ("2.0*3.0==6.0", 1),
    ("0d7ff8000000000000==0d7ff8000000000000", 0),
];

#[test]
fn elements_of_several_types_are_judged_together() {
    for &(instruction, is_legal) in VERDICTS {
        let judged = judge(instruction, "9.5", "sm_100", Dialect::Assembler);
        assert_eq!(refusal(&judged).is_none(), is_legal, "{instruction}: {:?}", refusal(&judged));
    }
}

#[test]
fn constant_expressions_are_unsigned_where_one_side_is() {
    for &(expression, value) in VALUES {
        let instruction = parse(&format!("st.global.u64 [%rd1], {expression};")).unwrap();
        let stored = lower(&instruction, &Context::with_conventions()).unwrap();
        assert_eq!(stored.elements[0].number(64), Some(value), "{expression}");
    }
}
