//! `lsu verilog` and `lsu presets` as processes: names, what is overwritten and what is not, advice.

use std::path::Path;
use std::process::{Command, Output};

fn lsu(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lsu")).args(arguments).current_dir(folder).output().expect("lsu starts")
}

/// The same under a shell that has run `before`.
fn lsu_after(before: &str, folder: &Path, arguments: &str) -> Output {
    let command = format!("{before}; exec '{}' {arguments}", env!("CARGO_BIN_EXE_lsu"));
    Command::new("sh").args(["-c", &command]).current_dir(folder).output().expect("a shell")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The names of the files in `folder`, sorted.
fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("readable").file_name());
    let mut names: Vec<String> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

const WRITE: [&str; 5] = ["verilog", "--preset", "fpga8", "-o", "out"];

#[test]
fn files_have_names_by_preset_prefix_and_block() {
    let folder = tempfile::tempdir().expect("a folder");
    for (arguments, name) in [
        (&WRITE[..], "lsu_fpga8.v"),
        (&["verilog", "-o", "out"], "lsu_warp32.v"),
        (&["verilog", "--preset", "fpga8", "--prefix", "lsu8_", "-o", "out"], "lsu8_fpga8.v"),
        (&["verilog", "--preset", "fpga8", "--top", "tag_stage", "-o", "out"], "lsu_fpga8_tag_stage.v"),
        (&["verilog", "--preset", "fpga8", "--top", "lsu_sticky", "-o", "out"], "lsu_fpga8_sticky.v"),
    ] {
        let output = lsu(folder.path(), arguments);
        assert_eq!((output.status.code(), stdout(&output)), (Some(0), format!("out/{name}\n")), "{output:?}");
    }
    let out = folder.path().join("out");
    assert_eq!(
        files(&out),
        [
            "lsu8_codes.h",
            "lsu8_codes.sv",
            "lsu8_fpga8.v",
            "lsu_codes.h",
            "lsu_codes.sv",
            "lsu_fpga8.v",
            "lsu_fpga8_sticky.v",
            "lsu_fpga8_tag_stage.v",
            "lsu_warp32.v"
        ]
    );
    // The unit with an AXI4 port is two files, of which the other one may be there already.
    let output = lsu(folder.path(), &[&WRITE[..], &["--top", "lsu_axi"]].concat());
    assert_eq!(stdout(&output), "out/lsu_axi_fpga8.v\nout/lsu_fpga8.v\n", "{output:?}");
    let output =
        lsu(folder.path(), &["verilog", "--preset", "tiny4", "--top", "lsu_axi", "--prefix", "mine_", "-o", "axi"]);
    assert_eq!(stdout(&output), "axi/mine_axi_tiny4.v\naxi/mine_tiny4.v\n", "{output:?}");
    let axi = files(&folder.path().join("axi"));
    assert_eq!(axi, ["mine_axi_tiny4.v", "mine_codes.h", "mine_codes.sv", "mine_tiny4.v"]);
    // What is kept in the repository is what a user gets.
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../hdl/verilog");
    for name in ["lsu_fpga8.v", "lsu_axi_fpga8.v", "lsu_codes.h", "lsu_codes.sv"] {
        let [kept, written] = [&kept, &out].map(|folder| std::fs::read_to_string(folder.join(name)).expect("written"));
        assert!(kept == written, "hdl/verilog/{name} is not what `lsu verilog --preset fpga8` writes");
    }
}

#[test]
fn an_edited_file_is_not_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("out/lsu_fpga8.v");
    let read = || std::fs::read_to_string(&path).expect("written");
    assert_eq!(lsu(folder.path(), &WRITE).status.code(), Some(0));
    let written = read();
    // What another command line wrote under this name is whole, and ours.
    let block = lsu_hdl::verilog_file("warp32", "lsu_", "sticky").expect("a block").text;
    std::fs::write(&path, block).expect("writable");
    assert_eq!(lsu(folder.path(), &WRITE).status.code(), Some(0));
    assert_eq!(read(), written);
    let edited = [
        written.replacen("endmodule", "// mine\nendmodule", 1),
        written.replacen("MIT OR Apache-2.0", "MIT", 1),
        written[..written.len() / 2].to_owned(),
        "module lsu; endmodule\n".to_owned(),
        String::new(),
    ];
    for text in edited {
        std::fs::write(&path, &text).expect("writable");
        let output = lsu(folder.path(), &WRITE);
        assert_eq!((output.status.code(), stdout(&output)), (Some(2), String::new()), "{output:?}");
        for part in ["out/lsu_fpga8.v was edited", "-o DIR", "--force"] {
            assert!(stderr(&output).contains(part), "{}", stderr(&output));
        }
        assert!(read() == text, "the file was touched");
        let forced = [&WRITE[..], &["--force"]].concat();
        assert_eq!(lsu(folder.path(), &forced).status.code(), Some(0));
        assert_eq!(read(), written);
    }
    assert_eq!(files(&folder.path().join("out")), ["lsu_codes.h", "lsu_codes.sv", "lsu_fpga8.v"]);
}

/// A name that no file can have, and a folder that has the file's, have not been edited.
#[test]
fn what_cannot_be_a_file_is_told_as_such() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir_all(folder.path().join("out/lsu_fpga8.v")).expect("a folder");
    let long = "a".repeat(300);
    let with_long = ["--prefix", &long];
    for (more, wanted) in [(&[][..], "Is a directory"), (&with_long, "File name too long")] {
        for force in [&[][..], &["--force"]] {
            let output = lsu(folder.path(), &[&WRITE[..], more, force].concat());
            assert_eq!((output.status.code(), stdout(&output)), (Some(2), String::new()), "{output:?}");
            let said = stderr(&output);
            assert!(said.contains("cannot write out/") && said.contains(wanted) && !said.contains("edited"), "{said}");
        }
    }
    assert_eq!(files(&folder.path().join("out")), ["lsu_fpga8.v"]);
}

#[test]
fn edited_codes_are_not_overwritten_nor_is_anything_beside_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    std::fs::create_dir(&out).expect("a folder");
    std::fs::write(out.join("lsu_codes.h"), "#define LSU_OP_LOAD 7\n").expect("writable");
    let output = lsu(folder.path(), &WRITE);
    assert_eq!((output.status.code(), stdout(&output)), (Some(2), String::new()), "{output:?}");
    assert!(stderr(&output).contains("out/lsu_codes.h was edited"), "{}", stderr(&output));
    assert_eq!(files(&out), ["lsu_codes.h"]);
}

#[test]
fn a_full_disk_or_a_kill_leaves_the_file_that_was_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let small = lsu_hdl::verilog_file("fpga8", "lsu_", "sticky").expect("a block").text;
    let out = folder.path().join("out");
    std::fs::create_dir(&out).expect("a folder");
    std::fs::write(out.join("lsu_fpga8.v"), &small).expect("writable");
    // Beyond 40 blocks a write fails, or ends the process where the signal is not ignored.
    let arguments = "verilog --preset fpga8 -o out";
    let full = lsu_after("trap '' XFSZ; ulimit -f 40", folder.path(), arguments);
    assert_eq!(full.status.code(), Some(2), "{full:?}");
    assert!(stderr(&full).contains("cannot write out/lsu_fpga8.v"), "{}", stderr(&full));
    assert_eq!(files(&out), ["lsu_fpga8.v"]);
    let killed = lsu_after("ulimit -f 40", folder.path(), arguments);
    assert_eq!(killed.status.code(), None, "{killed:?}");
    assert_eq!(std::fs::read_to_string(out.join("lsu_fpga8.v")).expect("still there"), small);
}

#[test]
fn the_list_has_every_block_and_the_memories_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = lsu(folder.path(), &["verilog", "--preset", "fpga8", "--list"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = stdout(&output);
    let (blocks, memories) = text.split_once("memories of fpga8:\n").expect("two parts");
    let line = |name: &str| blocks.lines().find(|line| line.split_whitespace().next() == Some(name));
    assert!(line("lsu").is_some_and(|line| line.ends_with("The load/store unit of one multiprocessor.")), "{blocks}");
    assert!(line("constant_cache").is_some() && line("ldc_address").is_some(), "{blocks}");
    assert!(line("memory").is_none() && line("strobe_memory").is_none(), "{blocks}");
    let names: Vec<_> = memories.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names[..2], ["memory", "strobe_memory"], "{memories}");
    // Behind what they are stands what there is of them.
    let uses = &memories.lines().collect::<Vec<_>>()[2..];
    assert!(
        uses.iter().any(|line| line.ends_with("miss_table.held_operation: memory, 4 words of 146 bits")),
        "{memories}"
    );
    let lines = "row_store.memory: strobe_memory, 512 words of 32 bits, 8 read ports, 8 times";
    assert!(uses.iter().any(|line| line.ends_with(lines)), "{memories}");
    assert!(uses.len() > 10, "{memories}");
    assert!(files(folder.path()).is_empty(), "--list writes nothing");
    // Every block that is listed can be asked for.
    for block in blocks.lines().skip(1).filter_map(|line| line.split_whitespace().next()) {
        assert!(lsu_hdl::verilog_for("fpga8", block).is_ok(), "{block}");
    }
}

#[test]
fn wrong_names_get_advice() {
    let folder = tempfile::tempdir().expect("a folder");
    let said = |arguments: &[&str]| {
        let output = lsu(folder.path(), &[&["verilog"], arguments].concat());
        assert_eq!((output.status.code(), stdout(&output)), (Some(2), String::new()), "{output:?}");
        // The renderer wraps long lines.
        stderr(&output).replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let near = said(&["--top", "constnat_cache"]);
    assert!(near.contains("no block `constnat_cache` in preset `warp32`"), "{near}");
    assert!(near.contains("did you mean constant_cache") && near.len() < 400, "{near}");
    for name in ["zzz", "foo", "row"] {
        let far = said(&["--top", name]);
        let is_meant = name == "row";
        assert_eq!(far.contains("did you mean"), is_meant, "{far}");
        assert!(far.contains("lsu verilog --preset warp32 --list"), "{far}");
    }
    for prefix in ["", "8_", "wire_", "a-b_"] {
        let bad = said(&["--prefix", prefix]);
        assert!(bad.contains("no free name in Verilog") && bad.contains("--prefix lsu8_"), "{bad}");
    }
    assert!(said(&["--list", "--top", "lsu"]).contains("cannot be used with"));
    assert!(files(folder.path()).is_empty(), "nothing was written");
}

#[test]
fn a_unit_with_another_top_is_no_dut_and_the_message_says_why() {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(lsu(folder.path(), &["verilog", "--preset", "fpga8", "--prefix", "lsu8_"]).status.code(), Some(0));
    let output = lsu(folder.path(), &["check", "--preset", "fpga8", "--cases", "1", "--dut", "lsu8_fpga8.v"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = stderr(&output);
    for part in ["lsu8_fpga8.v has no module `lsu`", "--prefix", "rename"] {
        assert!(said.contains(part), "{said}");
    }
}

#[test]
fn presets_and_version_are_printed() {
    let folder = tempfile::tempdir().expect("a folder");
    let table = stdout(&lsu(folder.path(), &["presets"]));
    assert!(table.contains("warp32") && table.contains("4 KB (16 sets x 2 ways x 128 bytes)"), "{table}");
    let output = lsu(folder.path(), &["presets", "--json"]);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(document[1]["preset"], "fpga8");
    assert_eq!((&document[0]["lanes"], &document[0]["address_bits"]), (&32.into(), &49.into()));
    assert_eq!((&document[1]["l1"]["bytes"], &document[1]["mshrs"]), (&4096.into(), &4.into()));
    let version = stdout(&lsu(folder.path(), &["--version"]));
    let rest = version.trim_end().strip_prefix(concat!("lsu ", env!("CARGO_PKG_VERSION"))).expect("the version");
    let commit = rest.strip_prefix(" (").and_then(|rest| rest.strip_suffix(')'));
    let is_commit = |text: &str| text.len() >= 12 && text.chars().all(|digit| digit.is_ascii_hexdigit());
    assert!(rest.is_empty() || commit.is_some_and(is_commit), "{version}");
}
