//! The emitted Verilog is kept in the repository, so that a reviewer sees what a change does to the hardware.
//!
//! `LSU_ACCEPT_VERILOG=1 cargo test --release --workspace --test emitted_verilog` accepts a change.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use lsu_hdl::code_files::code_files;
use lsu_hdl::emit::{AXI_UNIT, BOARD_UNIT, DEFAULT_PREFIX, WHOLE_UNIT, modules};
use lsu_hdl::header::is_as_written;
use lsu_hdl::{EmitError, preset, verilog_file};

fn compare(preset: &str) {
    for (top, begin) in [(WHOLE_UNIT, "lsu"), (AXI_UNIT, "lsu_axi"), (BOARD_UNIT, "lsu_board")] {
        let file = verilog_file(preset, DEFAULT_PREFIX, top).expect("every kernel can be written");
        assert_eq!(file.name, format!("{begin}_{preset}.v"));
        compare_file(&file.name, &file.text);
    }
}

fn compare_file(name: &str, emitted: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("verilog").join(name);
    if std::env::var_os("LSU_ACCEPT_VERILOG").is_some() {
        std::fs::write(&path, emitted).expect("the golden file can be written");
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
fn codes_are_as_kept() {
    for file in code_files(DEFAULT_PREFIX).expect("the default prefix") {
        compare_file(&file.name, &file.text);
        assert!(is_as_written(&file.text) && !is_as_written(&file.text.replace("OP_LDC", "OP_LCD")), "{}", file.name);
    }
}

/// What `lsu.core` gives to FuseSoC is what is kept, all of it but the C header, which no tool for hardware reads.
#[test]
fn the_package_has_every_kept_file() {
    let hdl = Path::new(env!("CARGO_MANIFEST_DIR"));
    let core = std::fs::read_to_string(hdl.join("lsu.core")).expect("the package");
    let packed: BTreeSet<&str> =
        core.split("verilog/").skip(1).filter_map(|rest| rest.split([',', ']']).next()).collect();
    let kept = std::fs::read_dir(hdl.join("verilog")).expect("the folder");
    let kept: BTreeSet<String> = kept
        .map(|file| file.expect("a file").file_name().into_string().expect("a name"))
        .filter(|name| name != "lsu_codes.h")
        .collect();
    assert_eq!(packed, kept.iter().map(String::as_str).collect());
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
fn a_block_stands_in_front_of_what_it_shares_with_others() {
    for block in ["global_path", "miss_table"] {
        let file = verilog_file("fpga8", "lsu_", block).expect("a block of the preset");
        assert_eq!(file.name, format!("lsu_fpga8_{block}.v"));
        let modules = names(&file.text).0;
        assert_eq!(modules[0], format!("lsu_{block}"));
        assert!(modules.contains(&"lsu_memory"), "which the constant cache has, too: {modules:?}");
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

/// The ports of a module as they are declared, without comments.
fn declared(text: &str, module: &str) -> Vec<String> {
    let list = text.split_once(&format!("module {module} (")).expect("the module").1;
    let lines = list.lines().take_while(|line| *line != ");").map(str::trim);
    let code = lines.filter(|line| line.starts_with("input") || line.starts_with("output"));
    code.map(|line| line.split("//").next().unwrap_or_default().trim().trim_end_matches(',').replace("reg ", "wire"))
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
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
fn the_unit_with_an_axi_port_stands_beside_the_unit() {
    for (prefix, top, unit) in [("lsu_", "lsu_axi", "lsu"), ("lsu8_", "lsu8_axi", "lsu8"), ("gpu", "gpu_axi", "gpu")] {
        let file = verilog_file("fpga8", prefix, AXI_UNIT).expect("a good prefix");
        assert_eq!(file.name, format!("{top}_fpga8.v"));
        let (modules, instances) = names(&file.text);
        let master = format!("{prefix}axi_master");
        assert_eq!(modules, [top, &master]);
        assert_eq!(instances, [unit, &master, &format!("{prefix}arbiter")]);
        assert!(file.text.contains(&format!("What is below it stands in {unit}_fpga8.v.\n")), "{top}");
    }
    // Alone it comes with what is below it, as every block does.
    let whole = lsu_hdl::verilog_for("fpga8", AXI_UNIT).expect("a block of the preset");
    let unit = lsu_hdl::verilog_for("fpga8", WHOLE_UNIT).expect("a block of the preset");
    let mut below = names(&unit).0;
    below.extend(["lsu_axi", "lsu_axi_master"]);
    below.sort_unstable();
    let mut found = names(&whole).0;
    assert_eq!(found[0], "lsu_axi");
    found.sort_unstable();
    assert_eq!(found, below);
    // Every port of the unit but those of memory is a port of both.
    let (inner, outer) = (declared(&whole, "lsu"), declared(&whole, "lsu_axi"));
    let (memory, others): (Vec<_>, Vec<_>) = inner.iter().partition(|port| port.contains(" mem_"));
    assert_eq!(memory.len(), 19);
    assert_eq!(outer[..others.len()].iter().collect::<Vec<_>>(), others);
    assert!(outer[others.len()..].iter().all(|port| port.contains(" m_axi_")), "{outer:?}");
}

#[test]
fn the_unit_on_a_board_is_driven_and_seen_pin_by_pin() {
    for (prefix, top, unit) in [("lsu_", "lsu_board", "lsu"), ("gpu", "gpu_board", "gpu")] {
        let file = verilog_file("fpga8", prefix, BOARD_UNIT).expect("a good prefix");
        assert_eq!(file.name, format!("{top}_fpga8.v"));
        let (modules, instances) = names(&file.text);
        let block = |name| format!("{prefix}{name}");
        let parts = ["serial_receiver", "crc16", "serial_transmitter"].map(block);
        assert_eq!(modules[..2], [top, &block("board_link")]);
        assert_eq!(modules[2..], parts);
        let [receiver, crc, transmitter] = &parts;
        assert_eq!(instances, [&block("board_link"), unit, receiver, crc, transmitter, crc]);
    }
    let text = lsu_hdl::verilog_for("fpga8", BOARD_UNIT).expect("a block of the preset");
    let outer = ["wire clk", "wire rst", "wire rx", "wire tx", "wire [15:0] clocks_per_bit"];
    let declared_outside = declared(&text, "lsu_board");
    assert!(declared_outside.iter().zip(outer).all(|(port, end)| port.ends_with(end)), "{declared_outside:?}");

    // Where each pin lies: in order of names, without gaps, as `hdl/docs/board.md` says.
    let mut pins = declared(&text, "lsu");
    pins.retain(|pin| pin != "input wire clk");
    pins.sort_by_key(|pin| pin.split(' ').next_back().map(str::to_owned));
    let connections = text.split_once("    lsu unit (\n").expect("the unit").1.split_once(");").expect("its end").0;
    let source = |name: &str| -> &str {
        let line = connections.lines().find(|line| line.trim().split([' ', '(']).next() == Some(&*format!(".{name}")));
        line.expect("a connection").split_once('(').and_then(|(_, rest)| rest.split_once(')')).expect("a source").0
    };
    let (mut next, mut outputs) = (0, vec![]);
    for pin in &pins {
        let name = pin.split(' ').next_back().expect("a name");
        let width = match pin.split_once('[').and_then(|(_, range)| range.split_once(':')) {
            Some((highest, _)) => highest.parse::<usize>().expect("a number") + 1,
            None => 1,
        };
        if pin.starts_with("output") {
            assert_eq!(source(name), name);
            outputs.push(name);
        } else if width == 1 {
            assert_eq!(source(name), format!("inputs[{next}]"));
            next += 1;
        } else {
            assert_eq!(source(name), format!("inputs[{}:{next}]", next + width - 1));
            next += width;
        }
    }
    assert_eq!(source("clk"), "unit_clock");
    assert!(text.contains(&format!("    reg  [{}:0] inputs;\n", next - 1)), "{next}");
    outputs.reverse();
    let kept =
        text.split_once("            outputs <= {\n").expect("what is kept").1.split_once('}').expect("its end").0;
    assert_eq!(kept.split(',').map(str::trim).collect::<Vec<_>>(), outputs);
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
    for folder in [folder.clone(), folder.join("board"), folder.join("constant"), folder.join("global")] {
        for entry in std::fs::read_dir(folder).expect("the sources are there") {
            let path = entry.expect("a file").path();
            if path.extension().is_some_and(|extension| extension == "rs") {
                let source = std::fs::read_to_string(&path).expect("a text");
                comments.extend(kernel_comments(&source).into_iter().map(|text| (path.clone(), text)));
            }
        }
    }
    assert!(comments.len() > 80, "{}", comments.len());
    for preset in ["fpga8", "warp32", "tiny4"] {
        let text =
            [AXI_UNIT, BOARD_UNIT].map(|top| lsu_hdl::verilog_for(preset, top).expect("every kernel can be written"));
        let text = text.concat();
        let said: Vec<&str> =
            text.lines().filter_map(|line| line.trim().strip_prefix("//")).flat_map(str::split_whitespace).collect();
        let said = said.join(" ");
        let lost: Vec<_> = comments.iter().filter(|(_, text)| !said.contains(&text.replace('`', ""))).collect();
        assert!(lost.is_empty(), "{preset} has lost {lost:#?}");
    }
}

/// Words of a line of Verilog, without its comment.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let code = line.split("//").next().unwrap_or_default();
    code.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
}

#[test]
fn the_bits_of_a_struct_have_names_and_no_name_has_a_number() {
    for preset in ["fpga8", "warp32", "tiny4"] {
        let mut structs = 0;
        for module in modules(preset, DEFAULT_PREFIX).expect("every kernel can be written") {
            let named: Vec<&str> = module
                .text
                .lines()
                .filter_map(|line| line.trim().strip_prefix("// Fields of ")?.split_once(' '))
                .map(|(name, _)| name)
                .collect();
            structs += named.len();
            // Of which struct the wires that stand here name the fields.
            let mut fields_of = None;
            for line in module.text.lines() {
                match line.trim().strip_prefix("// Fields of ").and_then(|line| line.split_once(' ')) {
                    Some((name, _)) => fields_of = Some(name),
                    None if line.is_empty() => fields_of = None,
                    None => {}
                }
                for name in &named {
                    let is_name = fields_of == Some(*name) && line.starts_with("    wire ");
                    let is_selected = line.match_indices(&format!("{name}[")).any(|(place, _)| {
                        !line[..place].ends_with(|letter: char| letter.is_ascii_alphanumeric() || letter == '_')
                    });
                    assert!(is_name || !is_selected, "{preset} {}: {line}", module.name);
                }
                // A number behind a name tells that it met another one.
                let numbered = words(line).find(|word| {
                    let tail = word.rsplit('_').next().unwrap_or_default();
                    word.starts_with(|letter: char| letter.is_ascii_lowercase())
                        && word.len() > tail.len()
                        && !tail.is_empty()
                        && tail.chars().all(|letter| letter.is_ascii_digit())
                });
                assert!(numbered.is_none(), "{preset} {}: {line}", module.name);
            }
        }
        assert!(structs > 20, "{preset}: {structs}");
    }
}

#[test]
fn a_register_is_loaded_in_one_place() {
    for preset in ["fpga8", "warp32", "tiny4"] {
        let text = lsu_hdl::verilog_for(preset, "lsu").expect("every kernel can be written");
        assert!(text.matches("always @(*)").count() <= 290 && text.lines().count() < 12_290, "{preset}");
        for module in modules(preset, DEFAULT_PREFIX).expect("every kernel can be written") {
            // What is only there to be loaded would be the second place.
            for line in module.text.lines() {
                let Some((register, value)) =
                    line.trim().strip_suffix("_d;").and_then(|line| line.split_once("_q <= "))
                else {
                    continue;
                };
                if register != value {
                    continue;
                }
                let next = format!("{value}_d");
                // Other than declarations of the name alone.
                let lines =
                    module.text.lines().filter(|line| !line.contains(&format!(" {next};")) || line.contains('='));
                let uses = lines.flat_map(words).filter(|word| *word == next).count();
                // Its assignment, its load, and whoever else reads it. `valid_next`, which is assigned anew in
                // every round of the loop that computes `valid_d`, could not stand in a clocked process; nor could `coming_valid`,
                // `dirty_next`, `l1_names` and `ro_names`.
                assert!(
                    uses > 2 || matches!(register, "valid" | "way_valid" | "dirty" | "l1_names_here" | "ro_names_here"),
                    "{preset} {}: {line}",
                    module.name
                );
            }
        }
    }
}
