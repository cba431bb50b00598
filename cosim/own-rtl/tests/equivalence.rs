//! What a crate with Verilog of its own has among its tests. `cargo test --release` builds it with Verilator and runs it beside the golden
//! model; a failure prints the smallest program that shows it.

use lsu_cosim::equivalence::{NotEquivalent, Programs, Unit, programs};
use lsu_cosim::program::{Overrides, read};
use lsu_model::preset::TINY4;
use proptest::prelude::*;

/// The Verilog: its top is `lsu`, with the ports of the preset.
const RTL: &str = "../../hdl/verilog/lsu_tiny4.v";

#[test]
fn the_rtl_is_equivalent_to_the_golden_model() {
    lsu_cosim::assert_equivalent!(RTL, "tiny4", cases = 60, seed = 1);
}

#[test]
fn programs_of_proptest_run_as_well() {
    let unit = Unit::build(RTL, TINY4).expect("Verilog with the ports of tiny4");
    let config = ProptestConfig { cases: 8, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(program in programs(&TINY4))| {
        if let Err(why) = unit.run(&program) {
            prop_assert!(false, "{why}");
        }
    });
}

#[test]
fn a_program_file_runs_as_well() {
    let unit = Unit::build(RTL, TINY4).expect("Verilog with the ports of tiny4");
    let text = r#"
        preset = "tiny4"
        [[op]]
        instr = "st.global.u32 [%rd1], %r1;"
        regs = { "%rd1" = "0x1000 + 4*lane", "%r1" = "7 * lane" }
        [[op]]
        instr = "ld.global.u32 %r2, [%rd1];"
        regs = { "%rd1" = "0x1000 + 4*lane" }
    "#;
    let program = read(text, "stored-then-loaded.toml", Overrides::default()).expect("a program");
    unit.run(&program).expect("no difference");
}

/// Whoever trusts a check has seen it fail.
#[test]
fn broken_rtl_is_found_and_the_program_is_small() {
    let whole = std::fs::read_to_string(RTL).expect("the Verilog");
    let (before, after) = ("global_path_wb_last : cache_wb_last", "global_path_wb_last : global_path_wb_last");
    assert_eq!(whole.matches(before).count(), 1);
    let folder = tempfile::tempdir().expect("a folder");
    let broken = folder.path().join("lsu.v");
    std::fs::write(&broken, whole.replace(before, after)).expect("writable");
    let unit = Unit::build(&broken, TINY4).expect("Verilog with the ports of tiny4");
    match unit.check(Programs { cases: 60, seed: 1 }) {
        Err(NotEquivalent::Differs(found)) => assert!(found.failing.program.ops.len() <= 2, "{found}"),
        other => panic!("not found: {other:?}"),
    }
}
