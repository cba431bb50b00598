//! Spellings of LDC, refusals with their places, lowering, and listings.

use lsu_model::micro_op::{AccessSize, LdcMode, Op};
use lsu_model::sass::{Architecture, Bank, Ldc, lint, parse};

fn sm(number: u16) -> Architecture {
    Architecture::new(number).unwrap()
}

/// Parses an LDC of SM90.
fn ldc(text: &str) -> Ldc {
    *parse(text, sm(90)).unwrap_or_else(|refusal| panic!("{text}: {refusal}")).as_ldc().unwrap()
}

/// The rule and the guilty letters of a refusal on SM90.
fn refusal(text: &str) -> (&'static str, &str) {
    let refusal = parse(text, sm(90)).unwrap_err();
    (refusal.rule, &text[refusal.span])
}

#[test]
fn documented_spellings_have_nvidia_texts() {
    let canonical = |text: &str| ldc(text).to_text(sm(90));
    assert_eq!(canonical("LDC.32.IA  R2,c[0][R1 + 0x404];"), "LDC R2, c[0x0][R1+0x404]");
    assert_eq!(canonical("LDC.64     R4,c[7][0x400];"), "LDC.64 R4, c[0x7][0x400]");
    assert_eq!(canonical("LDC.64     R6,c[7][0x408];"), "LDC.64 R6, c[0x7][0x408]");
    assert_eq!(canonical("@!P0 LDC.S16.ISL RZ, c[0x3][R0+-0x8000]"), "@!P0 LDC.S16.ISL RZ, c[0x3][R0+-0x8000]");
    assert_eq!(
        canonical("@P0 LDC.IL R2, c[0x3][R0+-0x10] &req={0,1} &rd=0x2 &wr=0x0 ?WAIT4_END_GROUP ;"),
        "@P0 LDC.IL R2, c[0x3][R0+-0x10]"
    );
    assert_eq!(canonical("@PT LDC R2, c[0x3][4] &req_6 &rdN &wrN ?sched;"), "LDC R2, c[0x3][0x4]");
}

#[test]
fn rz_prints_as_each_family_does() {
    let instruction = parse("LDC R2, c[0x3][RZ]", sm(90)).unwrap();
    assert_eq!(instruction.to_text(sm(90)), "LDC R2, c[0x3][RZ]");
    assert_eq!(instruction.to_text(sm(52)), "LDC R2, c[0x3][0x0]");
    assert_eq!(ldc("LDC R2, c[0x3][0xfffc]").to_text(sm(52)), "LDC R2, c[0x3][-0x4]");
    assert_eq!(ldc("LDC R2, c[0x3][RZ+0xfffc]"), ldc("LDC R2, c[0x3][-0x4]"));
}

#[test]
fn lowering_follows_the_rules() {
    let op = ldc("LDC.S16.IS R9, c[0x11][R3+-0x2]").lower().unwrap();
    assert_eq!((op.op, op.size, op.sign, op.bank, op.mode), (Op::Ldc, AccessSize::Bits16, true, 17, LdcMode::Is));
    assert_eq!((op.rd, op.imm, op.ra_is_rz), (9, -2, false));
    // LDC-1: without a register the immediate is unsigned.
    let op = ldc("LDC.64 R4, c[0x7][-0x8]").lower().unwrap();
    assert_eq!((op.imm, op.ra_is_rz, op.dst_width.bits()), (0xfff8, true, 64));
    assert_eq!(ldc("LDC.INVALID6 R4, c[0x7][R1]").lower().unwrap().size, AccessSize::Invalid6);
    let bindless = ldc("LDC R4, cx[UR6][R1]");
    assert_eq!((bindless.bank, bindless.lower()), (Bank::Uniform(6), None));
    assert_eq!(bindless.lower_with_bank(2).bank, 2);
}

#[test]
fn operations_that_would_fault_are_refused() {
    let rule = |text: &str| ldc(text).check(0..0).map_err(|refusal| refusal.rule);
    assert_eq!(rule("LDC.64 R4, c[0x0][R1]"), Ok(()));
    assert_eq!(rule("LDC.64 RZ, c[0x0][R1]"), Ok(()));
    assert_eq!(rule("LDC.64 R3, c[0x0][R1]"), Err("LDC-10"));
    assert_eq!(rule("LDC.64 R254, c[0x0][R1]"), Err("LDC-10"));
    assert_eq!(rule("LDC.INVALID7 R4, c[0x0][R1]"), Err("LDC-11"));
}

#[test]
fn refusals_point_at_the_guilty_letters() {
    assert_eq!(refusal("LDC.128 R4, c[0x3][R0]"), ("LDC-11", "128"));
    assert_eq!(refusal("LDC.IL.64 R4, c[0x3][R0]"), ("sass-syntax", "64"));
    assert_eq!(refusal("LDC R4, c[0x20][R0]"), ("sass-range", "0x20"));
    assert_eq!(refusal("LDC R255, c[0x3][R0]"), ("sass-range", "R255"));
    assert_eq!(refusal("LDC R4, c[0x3][R0+0x8000]"), ("sass-range", "0x8000"));
    assert_eq!(refusal("LDC R4, c[0x3][R0-0x10]"), ("sass-syntax", "-"));
    assert_eq!(refusal("LDG R4, [R0]"), ("sass-not-read", "LDG"));
    assert_eq!(refusal("LDX R4, [R0]"), ("sass-syntax", "LDX"));
    assert_eq!(refusal("LDC R4, c[0x3][R0"), ("sass-syntax", ""));
    assert_eq!(refusal("@P7 LDC R4, c[0x3][R0]"), ("sass-syntax", "P7"));
    assert_eq!(refusal("LDC R4, c[0x3][99999999999999999999]"), ("sass-range", "99999999999999999999"));
    assert_eq!(refusal("LDC R4, c[0x3][R0]\0"), ("sass-syntax", "\0"));
    assert_eq!(parse("LDC R4, cx[UR6][R0]", sm(70)).unwrap_err().rule, "sass-architecture");
}

#[test]
fn listings_are_read_line_by_line() {
    let text = "\t.headerflags\t@\"EF_CUDA_TEXMODE_UNIFIED EF_CUDA_64BIT_ADDRESS EF_CUDA_SM90 EF_CUDA_VIRTUAL_SM\"\n\
        .text.kernel:\n\
        \x20       /*0000*/                   LDC R1, c[0x0][0x28] ;                   /* 0x00000a00ff017b82 */\n\
        \x20                                                                           /* 0x000fe20000000800 */\n\
        \x20       /*0010*/              @!P0 LDC.64 R3, c[0x0][R2] ;\n\
        \x20       /*0020*/                   LDG.E R4, desc[UR4][R2.64] ;             /* 0x0000000402047981 */\n\
        \x20                                                                           /* 0x001fe2000c1e1900 */\n\
        \x20       /*0030*/                   LDC R5, c[0x0][0x24] ;                   /* 0x00000a00ff017b82 */\n\
        \x20                                                                           /* 0x000fe20000000800 */\n";
    let listing = lint(text);
    assert!(listing.remarks.is_empty());
    let verdicts = listing
        .findings
        .iter()
        .map(|finding| (&text[finding.span.clone()], finding.refusal.as_ref().map(|refusal| refusal.rule)))
        .collect::<Vec<_>>();
    assert_eq!(
        verdicts,
        [
            ("LDC R1, c[0x0][0x28] ;", None),
            ("@!P0 LDC.64 R3, c[0x0][R2] ;", Some("LDC-10")),
            ("LDC R5, c[0x0][0x24] ;", Some("encoding-mismatch")),
        ]
    );
}

#[test]
fn older_listings_pair_instructions_in_braces() {
    let text = "\tcode for sm_52\n\t\tFunction : kernel\n\
        \x20       /*0008*/     {         LDC R1, c[0x0][0x20] ;         /* 0xef9400000207ff01 */\n\
        \x20       /*0010*/               LDC.U8 R0, c[0x3][R0] }        /* 0xef90003000070000 */\n";
    let listing = lint(text);
    assert_eq!(listing.findings.len(), 2);
    assert!(listing.findings.iter().all(|finding| finding.refusal.is_none()), "{:?}", listing.findings);
}

#[test]
fn a_load_behind_a_broken_guard_is_judged() {
    let refused = |line: &str| lint(&format!("\tcode for sm_90\n{line} ;\n")).findings[0].refusal.is_some();
    assert!(refused("@P0 @P1 LDC R1, c[0x0][0x28]"));
    assert!(refused("@@P0 LDC R1, c[0x0][0x28]"));
    assert!(!refused("@ P0 LDC R1, c[0x0][0x28]"));
}
