//! `lsu lint` and `lsu explain` as processes: what is legal, what is served, what is no input.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

fn lsu(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lsu")).args(arguments).current_dir(folder).output().expect("lsu starts")
}

/// A kernel with eleven accesses, and instructions that are no loads and stores.
const KERNEL: &str = ".version 8.6
.target sm_100
.address_size 64
.visible .entry kernel(.param .u64 kernel_param_0)
{
    .reg .b32 %r<9>;
    .reg .b64 %rd<9>;
    .shared .align 4 .b8 tile[64];
    .local .align 4 .b8 spot[64];
    ld.param.u64 %rd1, [kernel_param_0];
    ld.global.u32 %r1, [%rd1];
    ld.global.nc.u32 %r2, [%rd1+4];
    ld.shared.u32 %r3, [tile+8];
    st.u32 [tile], %r3;
    st.u32 [%rd1], %r3;
    ld.local.u32 %r4, [%rd2];
    st.local.u32 [spot], %r3;
    ld.const.u32 %r4, [%rd2];
    ld.shared::cluster.u32 %r4, [%rd2];
    st.shared::cluster.u32 [%rd2], %r4;
    st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r1], %r2, [%r3];
    st.bulk.weak.shared::cta [%r1], 64, 0;
    red.global.add.u32 [%rd1], %r2;
    atom.global.add.u32 %r5, [%rd1], %r2;
    cp.async.ca.shared.global [%r1], [%rd1], 4;
    ldu.global.u32 %r6, [%rd1];
    multimem.red.relaxed.gpu.global.add.u32 [%rd1], %r2;
    ret;
}
";

/// A kernel with two accesses that are served, and two that are not.
const OLD: &str = ".version 2.1
.target sm_20
.address_size 64
.visible .entry old(.param .u64 old_param_0)
{
    .reg .u32 %r<9>;
    .reg .u64 %rd<9>;
    ld.param.u64 %rd1, [old_param_0];
    ld.global.u32 %r1, [%rd1];
    ld.const[2].u32 %r2, [%rd1];
    ld.const[3].u32 %r3, [%rd1];
    ret;
}
";

fn folder_with(name: &str, text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join(name), text).expect("writable");
    folder
}

#[test]
fn lint_counts_what_is_served_and_unit_asks_for_it() {
    let folder = folder_with("kernel.ptx", OLD);
    let plain = lsu(folder.path(), &["lint", "kernel.ptx"]);
    assert_eq!(plain.status.code(), Some(0), "{plain:?}");
    let last = "kernel.ptx: 4 loads and stores: 4 legal, 0 refused; warnings: 2; legal, but not served by this version of the unit: 2 \
                (--unit shows them)\n";
    assert!(String::from_utf8_lossy(&plain.stdout).ends_with(last), "{plain:?}");
    let unit = lsu(folder.path(), &["lint", "kernel.ptx", "--unit"]);
    assert_eq!(unit.status.code(), Some(1), "{unit:?}");
    let text = String::from_utf8_lossy(&unit.stdout);
    for place in ["kernel.ptx:10:7", "kernel.ptx:11:7"] {
        assert!(text.contains(place), "{place}: {text}");
    }
    assert_eq!(text.matches("outside-unit").count(), 2, "{text}");
    let output = lsu(folder.path(), &["lint", "kernel.ptx", "--unit", "--json"]);
    let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let counts = ["accepted", "refused", "served", "not_served", "warnings"].map(|key| document[key].clone());
    assert_eq!(counts, [4, 0, 2, 2, 2].map(|count| json!(count)));
    let errors = document["findings"].as_array().expect("a list").iter().filter(|one| one["severity"] == "error");
    let lines: Vec<&Value> = errors.map(|one| &one["line"]).collect();
    assert_eq!(lines, [10, 11]);
    // What is served alone is well, and what is refused is so with or without the unit.
    let folder = folder_with("kernel.ptx", KERNEL);
    let output = lsu(folder.path(), &["lint", "kernel.ptx", "--unit"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("11 legal, 0 refused"), "{output:?}");
    let folder = folder_with("kernel.ptx", &KERNEL.replace("ld.global.u32", "ld.acquire.global.u32"));
    assert_eq!(lsu(folder.path(), &["lint", "kernel.ptx", "--unit"]).status.code(), Some(1));
}

#[test]
fn what_is_no_module_and_no_listing_is_said() {
    for (name, text, part) in [
        ("program.toml", "preset = \"fpga8\"\n", "neither FILE.ptx"),
        ("kernel.txt", KERNEL, "nor FILE.sass"),
        ("kernel", KERNEL, "neither FILE.ptx"),
        ("kernel.ptx", "", "the file is empty"),
        ("kernel.sass", " \n\n", "the file is empty"),
    ] {
        let folder = folder_with(name, text);
        let output = lsu(folder.path(), &["lint", name]);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{output:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        // One error.
        assert!(said.contains(part) && said.matches('×').count() == 1, "{said}");
    }
    let folder = folder_with("KERNEL.PTX", KERNEL);
    assert_eq!(lsu(folder.path(), &["lint", "KERNEL.PTX"]).status.code(), Some(0));
}

#[test]
fn json_lines_say_what_is_served_if_asked() {
    let ask = |arguments: &[&str], line: &str| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_lsu"))
            .args(["lint", "--jsonl"])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("lsu starts");
        child.stdin.take().expect("a pipe").write_all(line.as_bytes()).expect("read");
        let output = child.wait_with_output().expect("it ends");
        (serde_json::from_slice::<Value>(&output.stdout).expect("one line"), output.status.code())
    };
    let line = r#"{"ptx_version":"2.1","target":"sm_20","instr":"ld.const[2].u32 %r1, [%rd1];"}"#;
    assert_eq!(ask(&[], line), (json!({ "accept": true }), Some(0)));
    assert_eq!(ask(&["--unit"], line), (json!({ "accept": true, "served": false }), Some(1)));
    let line = r#"{"ptx_version":"8.8","target":"sm_100","instr":"ld.shared::cluster.u32 %r1, [sh];"}"#;
    assert_eq!(ask(&["--unit"], line), (json!({ "accept": true, "served": true }), Some(0)));
}

#[test]
fn explain_says_in_json_what_is_served() {
    let folder = tempfile::tempdir().expect("a folder");
    let explain_as = |version: &str, target: &str, instruction: &str| {
        let options = ["--json", "--ptx-version", version, "--target", target];
        let output = lsu(folder.path(), &[&["explain", instruction], &options[..]].concat());
        (serde_json::from_slice::<Value>(&output.stdout).expect("JSON"), output.status.code())
    };
    let explain = |instruction: &str| explain_as("9.0", "sm_100", instruction);
    let (document, _) = explain("ld.local.u32 %r1, [spot];");
    assert_eq!((&document["served"], &document["not_served"]), (&json!(true), &Value::Null));
    assert_eq!(document["operands"][0], "address: the variable spot in .local");
    let (document, status) = explain_as("2.1", "sm_20", "ld.const[2].u32 %r1, [%rd1];");
    assert_eq!((&document["accept"], &document["served"], status), (&json!(true), &json!(false), Some(0)));
    assert_eq!(document["not_served"], "explicit constant banks are outside the unit");
    let (document, status) = explain("ld.shared::cluster.u32 %r1, [spot];");
    assert_eq!((&document["served"], &document["not_served"], status), (&json!(true), &Value::Null, Some(0)));
    assert_eq!(document["operands"][0], "address: the variable spot in .shared");
    let (document, _) = explain("ld.global.u32 %r1, [%rd1];");
    assert_eq!((&document["served"], &document["not_served"]), (&json!(true), &Value::Null));
    let (document, status) = explain("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r1], %r2, [%r3];");
    assert_eq!((&document["served"], &document["rule"], status), (&Value::Null, &json!("outside-unit"), Some(1)));
}

/// Editors put U+FEFF in front of a text; it is no part of it.
#[test]
fn a_mark_of_the_encoding_is_passed_over() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("a.ptx"), format!("\u{feff}{KERNEL}")).expect("writable");
    let marked = lsu(folder.path(), &["lint", "a.ptx"]);
    std::fs::write(folder.path().join("a.ptx"), KERNEL).expect("writable");
    let plain = lsu(folder.path(), &["lint", "a.ptx"]);
    assert_eq!((marked.status, marked.stdout), (plain.status, plain.stdout));
}

#[test]
fn lines_that_cannot_be_read_are_said_to_be_those_of_stdin() {
    let folder = tempfile::tempdir().expect("a folder");
    let input = std::fs::File::open(folder.path()).expect("a folder can be opened");
    let mut command = Command::new(env!("CARGO_BIN_EXE_lsu"));
    let output = command.args(["lint", "--jsonl"]).stdin(input).output().expect("lsu starts");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("cannot read stdin: Is a directory"), "{said}");
}
