//! The emitted Verilog is kept in the repository, so that a reviewer sees what a change does to the hardware.
//!
//! `LSU_ACCEPT_VERILOG=1 cargo test --release --workspace --test emitted_verilog` accepts a change.

use std::path::PathBuf;

use lsu_hdl::emit::{DEFAULT_PREFIX, modules};
use lsu_hdl::header::is_as_written;
use lsu_hdl::{EmitError, preset, verilog_file};

fn compare(preset: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("verilog").join(format!("lsu_{preset}.v"));
    let emitted = lsu_hdl::verilog_file(preset, DEFAULT_PREFIX, "lsu").expect("every kernel can be written").text;
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
fn every_preset_is_as_kept() {
    for sizes in preset::sizes() {
        compare(sizes.name);
    }
}

#[test]
fn a_block_comes_with_what_is_below_it_and_nothing_else() {
    let text = lsu_hdl::verilog_for("fpga8", "tag_stage").expect("a block of the preset");
    for present in
        ["module lsu_tag_stage (", "module lsu_bank_table (", "module lsu_constant_set (", "module lsu_memory #("]
    {
        assert!(text.contains(present), "{present}");
    }
    for absent in ["module lsu (", "module lsu_data_stage (", "module lsu_strobe_memory #("] {
        assert!(!text.contains(absent), "{absent}");
    }
}

#[test]
fn unknown_names_are_refused_with_what_there_is() {
    let preset = lsu_hdl::verilog_for("warp64", "lsu").expect_err("no such preset");
    assert_eq!(preset.to_string(), "there is no preset `warp64`: use warp32, fpga8 or tiny4");
    let Err(EmitError::UnknownBlock { name, preset, blocks }) = lsu_hdl::verilog_for("fpga8", "alu") else {
        panic!("there is no such block");
    };
    assert_eq!((name.as_str(), preset.as_str(), &blocks[..2]), ("alu", "fpga8", &["lsu".into(), "intake".into()][..]));
    // Where the top has another name, `lsu` is still the whole unit and nothing else is.
    assert!(verilog_file("fpga8", "unit_", "unit").is_err());
}

/// The words behind `module` in front of a port list, and those in front of an instance's.
fn names(text: &str) -> (Vec<&str>, Vec<&str>) {
    let code = || text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let modules = code().filter_map(|line| line.strip_prefix("module ")?.split_once([' ', '#'])).map(|(name, _)| name);
    let instances = code()
        .filter(|line| line.ends_with(" ("))
        .filter_map(|line| line.trim().strip_suffix(" (")?.split_once(' '))
        // Behind the parameters of a memory stands the name, too.
        .filter(|(kind, rest)| *kind != "module" && (!rest.contains(' ') || rest.starts_with("#(.")));
    (modules.collect(), instances.map(|(kind, _)| kind).collect())
}

#[test]
fn every_module_but_the_top_has_the_prefix() {
    for (prefix, top) in [("lsu_", "lsu"), ("lsu8_", "lsu8"), ("my_unit__", "my_unit"), ("gpu", "gpu")] {
        let file = verilog_file("fpga8", prefix, "lsu").expect("a good prefix");
        assert_eq!(file.name, format!("{top}_fpga8.v"));
        let (modules, instances) = names(&file.text);
        assert_eq!(modules[0], top);
        assert!(modules.len() > 30 && modules[1..].iter().all(|name| name.starts_with(prefix)), "{modules:?}");
        // What is placed is there, and all that is there is placed.
        assert!(instances.len() >= modules.len() - 1, "{instances:?}");
        assert!(instances.iter().all(|name| modules[1..].contains(name)), "{instances:?}");
        assert!(modules[1..].iter().all(|name| instances.contains(name)), "{modules:?}");
    }
    for prefix in ["", "_", "8_", "wire_", "a-b_", "a b", "é_", "module"] {
        assert!(matches!(modules("fpga8", prefix), Err(EmitError::BadPrefix { .. })), "{prefix:?}");
    }
}

#[test]
fn two_presets_share_no_module_name() {
    let text = |preset, prefix| verilog_file(preset, prefix, "lsu").expect("a good prefix").text;
    let (small, large) = (text("fpga8", "lsu8_"), text("warp32", "lsu32_"));
    let (small, large) = (names(&small).0, names(&large).0);
    assert!(small.iter().all(|name| !large.contains(name)), "{small:?} {large:?}");
}

#[test]
fn a_header_says_what_the_file_is_and_seals_it() {
    let file = verilog_file("fpga8", "lsu8_", "constant_cache").expect("a block of the preset");
    assert_eq!(file.name, "lsu8_fpga8_constant_cache.v");
    let head: Vec<&str> = file.text.lines().take_while(|line| line.starts_with("//")).collect();
    assert_eq!(head[0], "// SPDX-License-Identifier: MIT OR Apache-2.0");
    let all = head.join("\n");
    for part in [
        concat!("lsu ", env!("CARGO_PKG_VERSION"), ","),
        "Top module: lsu8_constant_cache.",
        "Preset fpga8: LANES 8, ADDR 32 (bits of an address), MSHRs 4,",
        "L1 16 sets x 2 ways x 128 bytes = 4 KB",
        "read-only cache 8 sets x 4 ways x 128 bytes = 4 KB",
        "constant cache 4 sets x 4 ways x 64 bytes = 1 KB, with 4 misses",
        "lsu verilog --preset fpga8 --top constant_cache --prefix lsu8_\n",
        "do not edit",
        "No timescale",
    ] {
        assert!(all.contains(part), "{part} is missing in\n{all}");
    }
    // Verilator takes such a comment for an order of its own.
    assert!(head.iter().all(|line| !line.trim_start_matches("// ").to_lowercase().starts_with("verilator")), "{all}");
    assert!(is_as_written(&file.text));
    for (from, to) in [("LANES 8", "LANES 9"), ("endmodule", "endmodule "), ("// sha256", "// SHA256"), ("MIT OR ", "")]
    {
        assert!(!is_as_written(&file.text.replacen(from, to, 1)), "{from}");
    }
    assert!(!is_as_written(&file.text.replace('\n', "\r\n")));
    assert!(!is_as_written(&file.text[..file.text.len() - 1]));
    assert!(!is_as_written(""));
}

#[test]
fn every_block_has_a_line_that_describes_it() {
    for module in modules("fpga8", DEFAULT_PREFIX).expect("every kernel can be written") {
        let comment = module.comment.unwrap_or_default();
        assert!(comment.len() > 12, "{}: {comment}", module.block);
    }
}

/// What the comments in the kernels of a source file say, each on one line.
fn kernel_comments(source: &str) -> Vec<String> {
    let mut found: Vec<String> = vec![];
    let (mut is_kernel, mut continues) = (false, false);
    for line in source.lines() {
        is_kernel |= line == "    fn update(&mut self) {";
        is_kernel &= line != "    }";
        let comment = line.split_once("//").filter(|_| is_kernel).map(|(code, text)| (code.trim(), text.trim()));
        match (comment, found.last_mut()) {
            (Some(("", text)), Some(last)) if continues => *last += &format!(" {text}"),
            (Some((_, text)), _) => found.push(text.to_string()),
            (None, _) => {}
        }
        continues = matches!(comment, Some(("", _)));
    }
    found
}

#[test]
fn every_comment_of_a_kernel_is_in_the_verilog() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut comments = vec![];
    for folder in [folder.clone(), folder.join("constant"), folder.join("global")] {
        for entry in std::fs::read_dir(folder).expect("the sources are there") {
            let path = entry.expect("a file").path();
            if path.extension().is_some_and(|extension| extension == "rs") {
                let source = std::fs::read_to_string(&path).expect("a text");
                comments.extend(kernel_comments(&source).into_iter().map(|text| (path.clone(), text)));
            }
        }
    }
    assert!(comments.len() > 80, "{}", comments.len());
    for preset in ["fpga8", "warp32"] {
        let text = lsu_hdl::verilog_for(preset, "lsu").expect("every kernel can be written");
        let said: Vec<&str> =
            text.lines().filter_map(|line| line.trim().strip_prefix("//")).flat_map(str::split_whitespace).collect();
        let said = said.join(" ");
        let lost: Vec<_> = comments.iter().filter(|(_, text)| !said.contains(&text.replace('`', ""))).collect();
        assert!(lost.is_empty(), "{preset} has lost {lost:#?}");
    }
}
