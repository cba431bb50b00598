//! The `lsu` command as a process: exit statuses, JSON documents, files.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn lsu(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lsu")).args(arguments).current_dir(folder).output().expect("lsu starts")
}

fn json(output: &Output) -> Value {
    let text = String::from_utf8(output.stdout.clone()).expect("UTF-8");
    assert_eq!(text.trim_end().lines().count(), 1, "one document: {text}");
    serde_json::from_str(&text).expect("JSON")
}

const PROGRAM: &str = r#"
preset = "fpga8"
[[bank]]
index = 3
size = 0x100
pattern = "address"
[[memory]]
space = "global"
address = 0x1000
words = [1, 2, 3]
[[op]]
instr = "LDC R4, c[0x3][R0]"
mask = 0x0f
regs = { R0 = "4*lane" }
expect = { R4 = "0x30000 + 4*lane" }
[[op]]
warp = 1
instr = "LDC.64 R4, c[0x3][0x4]"
expect_fault = "misaligned_address"
[[dump]]
space = "global"
address = 0x1000
bytes = 16
"#;

fn folder_with(program: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("program.toml"), program).expect("writable");
    folder
}

#[test]
fn run_prints_the_document_of_the_contract() {
    let folder = folder_with(PROGRAM);
    let output = lsu(folder.path(), &["run", "program.toml", "--engine", "model", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let document = json(&output);
    assert_eq!(document["preset"], "fpga8");
    assert_eq!(document["mismatches"], 0);
    let first = &document["ops"][0];
    let keys: Vec<&String> = first.as_object().expect("an object").keys().collect();
    let expected = [
        "accepted",
        "done",
        "fault",
        "index",
        "l1_hit_sectors",
        "l1_miss_sectors",
        "mem_sectors",
        "regs",
        "sm",
        "warp",
        "wavefronts",
    ];
    assert_eq!(keys, expected);
    let values = serde_json::json!([0x30000, 0x30004, 0x30008, 0x3000c, null, null, null, null]);
    assert_eq!(first["regs"]["R4"], values);
    assert_eq!(first["fault"], Value::Null);
    assert_eq!(first["wavefronts"], 1);
    // The first 16 bytes of a line: one sector is needed, both of the line are fetched.
    assert_eq!((&first["l1_miss_sectors"], &first["mem_sectors"]), (&1.into(), &2.into()));
    let second = &document["ops"][1];
    let fault = serde_json::json!({ "cause": "misaligned_address", "lanes": [0, 1, 2, 3, 4, 5, 6, 7], "address": 4 });
    assert_eq!(second["fault"], fault);
    assert_eq!(second["regs"]["R5"], Value::from(vec![Value::Null; 8]));
    let memory = serde_json::json!([{ "space": "global", "address": 0x1000, "words": [1, 2, 3, 0] }]);
    assert_eq!(document["memory"], memory);
}

/// A check has failed, and its document says so; a file that cannot be used has none.
#[test]
fn an_illegal_instruction_has_a_document() {
    let run = |instruction: &str| {
        let folder = folder_with(&PROGRAM.replace("LDC.64 R4, c[0x3][0x4]", instruction));
        lsu(folder.path(), &["run", "program.toml", "--engine", "model", "--json"])
    };
    for (instruction, what) in [
        ("LDC.128 R4, c[0x3][0x4]", "128-bit"),
        ("LDC R4, c[0x3][0x10000000]", "the immediate does not fit 16 bits"),
        ("ld.global.v8.u64 {%rd1,%rd2,%rd3,%rd4,%rd5,%rd6,%rd7,%rd8}, [%rd1];", ""),
    ] {
        let output = run(instruction);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let document = json(&output);
        assert_eq!(document.as_object().map(serde_json::Map::len), Some(1), "{document}");
        let failure = document["failure"].as_str().expect("a text");
        assert!(
            failure.contains(what) && String::from_utf8_lossy(&output.stderr).contains("program.toml:"),
            "{document}"
        );
    }
    for unreadable in ["LDC R4, c[0x3", "LDG.E R4, [R2]", "ld.global.u32 %r1, [%rd1"] {
        let output = run(unreadable);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{unreadable}: {output:?}");
    }
}

#[test]
fn check_prints_the_document_of_the_contract() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = lsu(folder.path(), &["check", "--engine", "model", "--cases", "5", "--jobs", "2", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let document = json(&output);
    let keys: Vec<&String> = document.as_object().expect("an object").keys().collect();
    let expected =
        ["cases", "coverage", "cycles", "cycles_per_second", "jobs", "mismatches", "ops", "preset", "repro", "seconds"];
    assert_eq!(keys, expected);
    assert_eq!((&document["cases"], &document["mismatches"], &document["jobs"]), (&5.into(), &0.into(), &2.into()));
    assert_eq!(document["repro"], Value::Null);
}

#[test]
fn exit_statuses_follow_the_contract() {
    let status = |program: &str, arguments: &[&str]| {
        let folder = folder_with(program);
        lsu(folder.path(), arguments).status.code()
    };
    let run = ["run", "program.toml", "--engine", "model"];
    assert_eq!(status(PROGRAM, &run), Some(0));
    assert_eq!(status(&PROGRAM.replace("0x30000 +", "0x30001 +"), &run), Some(1));
    assert_eq!(status(&PROGRAM.replace("misaligned_address", "illegal_instruction"), &run), Some(1));
    assert_eq!(status(&PROGRAM.replace("LDC.64 R4", "LDC.128 R4"), &run), Some(1));
    // A breach fails the run, and so does one that never comes.
    let breach =
        |response: u32| format!("{PROGRAM}[traffic]\nbreach = {{ response = {response}, kind = \"withheld\" }}\n");
    assert_eq!(status(&breach(1), &run), Some(1));
    assert_eq!(status(&breach(1000), &run), Some(1));
    // So does a reset; a failure that is mended may end before one.
    let reset = |cycle: u32| format!("{PROGRAM}[[reset]]\ncycle = {cycle}\n");
    assert_eq!(status(&reset(100_000), &run), Some(1));
    assert_eq!(status(&reset(100_000), &["replay", "program.toml", "--engine", "model"]), Some(0));
    assert_eq!(status(&(reset(5) + "[[reset]]\ncycle = 5\n"), &run), Some(2));
    assert_eq!(status(&PROGRAM.replace("fpga8", "fpga9"), &run), Some(2));
    assert_eq!(status(PROGRAM, &["run", "absent.toml"]), Some(2));
    assert_eq!(status(PROGRAM, &["run"]), Some(2));
    assert_eq!(status(PROGRAM, &["check", "--shard", "5/4"]), Some(2));
    assert_eq!(status(PROGRAM, &["check", "--cases", "1", "--seconds", "1"]), Some(2));
    assert_eq!(status(PROGRAM, &["check", "--engine", "model", "--dut", "a.v"]), Some(2));
    assert_eq!(status(PROGRAM, &["check", "--engine", "model", "--verilator", "nowhere", "--cases", "1"]), Some(2));
    assert_eq!(status(PROGRAM, &["check", "--engine", "model,model", "--cases", "1"]), Some(2));
    assert_eq!(status(PROGRAM, &["run", "program.toml", "--verilator", "nowhere"]), Some(3));
    assert_eq!(status(PROGRAM, &["verilog", "--top", "nothing"]), Some(2));
}

#[test]
fn resets_that_never_come_are_named() {
    let folder = folder_with(&format!("{PROGRAM}[[reset]]\ncycle = 9\n[[reset]]\ncycle = 70000\n"));
    let output = lsu(folder.path(), &["run", "program.toml", "--engine", "model"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("reset: the run is over before cycle 70000") && !said.contains("cycle 9,"), "{said}");
    let folder = folder_with(&format!("{PROGRAM}[[reset]]\ncycle = 9\n[[reset]]\ncycle = 9\nmemory = true\n"));
    let output = lsu(folder.path(), &["run", "program.toml", "--engine", "model"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("there are two resets in cycle 9") && said.contains("program.toml:"), "{said}");
}

/// Results are those of one Verilog, which a file that includes others does not tell; and a place that there is not is told before hours are
/// spent.
/// Whether a module is checked may not hang on what else lies in the folder: results are kept by the one file that is named.
#[test]
fn a_module_in_a_file_that_nobody_names_is_refused() {
    let verilog =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../hdl/verilog/lsu_tiny4.v")).expect("kept");
    let begin = verilog.find("\nmodule lsu_sticky").expect("a block") + 1;
    let end = begin + verilog[begin..].find("endmodule").expect("its end") + "endmodule".len();
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: String| std::fs::write(folder.path().join(name), text).expect("writable");
    write("lsu_sticky.v", verilog[begin..end].to_owned());
    write("rest.v", format!("{}{}", &verilog[..begin], &verilog[end..]));
    let output = lsu(folder.path(), &["check", "--preset", "tiny4", "--cases", "1", "--dut", "rest.v"]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("lsu_sticky.v") && message.contains("put it into the same file"), "{message}");
}

#[test]
fn results_that_cannot_be_kept_are_refused_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("t.v"), "// `include $fopen\n`include \"lsu.vh\"\n").expect("writable");
    let said = |arguments: &[&str]| {
        let output = lsu(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let text = String::from_utf8_lossy(&output.stderr).replace('│', " ");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let included = said(&["check", "--preset", "tiny4", "--dut", "t.v", "--results", "r.json"]);
    assert!(included.contains("t.v reads other files") && included.contains("one file"), "{included}");
    let absent = said(&["check", "--engine", "model", "--cases", "1", "--results", "no/r.json"]);
    assert!(absent.contains("there is no folder no"), "{absent}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1, "nothing was written");
}

/// Waves that would be written over the program, or over each other, by whatever name.
#[test]
fn waves_take_no_other_files_place() {
    let folder = folder_with(PROGRAM);
    let path = |name: &str| folder.path().join(name);
    std::fs::hard_link(path("program.toml"), path("linked")).expect("a link");
    std::os::unix::fs::symlink("program.toml", path("symbolic")).expect("a link");
    std::fs::hard_link(path("program.toml"), path("other.gtkw")).expect("a link");
    std::fs::create_dir(path("folder")).expect("a folder");
    std::os::unix::fs::symlink("folder", path("same")).expect("a link");
    let before = std::fs::read_dir(folder.path()).expect("a folder").count();
    for waves in [
        ["--vcd", "a", "--fst", "a"],
        ["--vcd", "a", "--fst", "./a"],
        ["--vcd", "folder/a", "--fst", "same/a"],
        ["--vcd", "w", "--fst", "w.gtkw"],
        ["--vcd", "w.sucl", "--fst", "./w"],
        ["--vcd", "w", "--fst", "w.enums"],
        ["--vcd", "linked", "--fst", "a"],
        ["--vcd", "a", "--fst", "symbolic"],
        ["--vcd", "other", "--fst", "a"],
    ] {
        let output = lsu(folder.path(), &[&["run", "program.toml", "--engine", "model"][..], &waves].concat());
        assert_eq!(output.status.code(), Some(2), "{waves:?}: {output:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("name another file for the waves"), "{said}");
        assert_eq!(std::fs::read_to_string(path("program.toml")).expect("there"), PROGRAM, "{waves:?}");
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), before, "{waves:?}");
    }
    // A program may be called as its waves would be.
    std::fs::rename(path("program.toml"), path("program.vcd")).expect("renamed");
    let output = lsu(folder.path(), &["run", "program.vcd", "--engine", "model", "--window", "0..9"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(std::fs::read_to_string(path("program.vcd")).expect("there"), PROGRAM);
    assert!(path("program.vcd.vcd").exists());
    // Files of names alike are others.
    let output = lsu(folder.path(), &["run", "program.vcd", "--engine", "model", "--vcd", "w", "--fst", "w.fst"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

/// The emitted Verilog with a bug in its text: caught, shrunk, saved with waves, and replayed by the command that the
/// report names. What it says itself does not come between the lines of the JSON.
#[test]
fn a_bug_in_verilog_is_caught_saved_and_replayed() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = lsu(folder.path(), &["verilog", "--preset", "fpga8", "-o", "out"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let path = folder.path().join("out/lsu_fpga8.v");
    let verilog = std::fs::read_to_string(&path).expect("written");
    // The result's register number comes out one bit wrong.
    let buggy =
        format!("{}\nmodule lsu (\n{}", verilog.replacen("module lsu (", "module lsu_inside (", 1), wrapper(&verilog));
    std::fs::write(&path, buggy).expect("writable");
    let check = ["check", "--preset", "fpga8", "--dut", "out/lsu_fpga8.v", "--cases", "50", "--json"];
    let output = lsu(folder.path(), &check);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let report = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(report.contains(" wb: rd RTL ") && report.contains("said by the Verilog"), "{report}");
    let saved = json(&output)["repro"].as_str().expect("a path").to_owned();
    let waves = Path::new(&saved).with_extension("vcd");
    for (what, ending) in [("waves", ""), ("view", ".gtkw"), ("view", ".sucl")] {
        let file = format!("{}{ending}", waves.display());
        assert!(report.contains(&format!("{what}: {file}\n")) && folder.path().join(&file).exists(), "{report}");
    }
    assert!(report.contains(&format!("replay {saved} --dut out/lsu_fpga8.v")), "{report}");
    let output = lsu(folder.path(), &["replay", &saved, "--dut", "out/lsu_fpga8.v"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    // The unbroken unit passes the same program.
    let output = lsu(folder.path(), &["replay", &saved]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

/// The rest of a top level `lsu` with the ports of `verilog`, around `lsu_inside`, that flips the lowest bit of `wb_rd`.
fn wrapper(verilog: &str) -> String {
    let begin = verilog.find("module lsu (").expect("the top level") + "module lsu (".len();
    let ports = &verilog[begin..begin + verilog[begin..].find(");").expect("the end of the ports")];
    let connections: Vec<String> = ports
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default().trim().trim_end_matches(',').to_owned())
        .filter(|line| line.starts_with("input") || line.starts_with("output"))
        .map(|line| {
            let name = line.split_whitespace().last().unwrap_or_default();
            let wire = if name == "wb_rd" { "rd" } else { name };
            format!(".{name}({wire})")
        })
        .collect();
    let ports = ports.replace("output reg", "output wire");
    format!(
        "{ports});\n wire [7:0] rd;\n assign wb_rd = rd ^ 8'd1;\n initial $fdisplay(1, \"said by the Verilog\");\n lsu_inside inside_unit ({});\nendmodule\n",
        connections.join(", ")
    )
}
