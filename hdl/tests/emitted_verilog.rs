//! The emitted Verilog is kept in the repository, so that a reviewer sees what a change does to the hardware.
//!
//! `LSU_ACCEPT_VERILOG=1 cargo test --release -p lsu-hdl --test emitted_verilog` accepts a change.

use std::path::PathBuf;

fn compare(preset: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("verilog").join(format!("lsu_{preset}.v"));
    let emitted = lsu_hdl::verilog_for(preset, "lsu").expect("every kernel can be written");
    if std::env::var_os("LSU_ACCEPT_VERILOG").is_some() {
        std::fs::write(&path, &emitted).expect("the golden file can be written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let line = kept.lines().zip(emitted.lines()).position(|(kept, emitted)| kept != emitted);
    assert!(
        kept == emitted,
        "{} is not what the description emits (first difference in line {}); \
         if the change is meant, accept it with LSU_ACCEPT_VERILOG=1",
        path.display(),
        line.unwrap_or(kept.lines().count().min(emitted.lines().count())) + 1
    );
}

#[test]
fn warp32_is_as_kept() {
    compare("warp32");
}

#[test]
fn fpga8_is_as_kept() {
    compare("fpga8");
}

#[test]
fn a_block_comes_with_what_is_below_it_and_nothing_else() {
    let text = lsu_hdl::verilog_for("fpga8", "tag_stage").expect("a block of the preset");
    for present in ["module tag_stage (", "module bank_table (", "module constant_set (", "module memory_32x17 ("] {
        assert!(text.contains(present), "{present}");
    }
    for absent in ["module lsu (", "module data_stage (", "module memory_16x32 ("] {
        assert!(!text.contains(absent), "{absent}");
    }
}

#[test]
fn unknown_names_are_refused_with_what_there_is() {
    let preset = lsu_hdl::verilog_for("warp64", "lsu").expect_err("no such preset");
    assert_eq!(preset.to_string(), "there is no preset `warp64`: use warp32 or fpga8");
    let block = lsu_hdl::verilog_for("fpga8", "alu").expect_err("no such block").to_string();
    assert!(block.starts_with("there is no block `alu` in preset `fpga8`: use one of lsu, intake,"), "{block}");
}
