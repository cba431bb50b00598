//! `lsu lint` and `lsu explain` as processes: what is legal, what is served, what is no input.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

fn lsu(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lsu")).args(arguments).current_dir(folder).output().expect("lsu starts")
}

/// A kernel with seven accesses that are served, two that are not, and instructions that are no loads and stores.
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

fn folder_with(name: &str, text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join(name), text).expect("writable");
    folder
}

#[test]
fn lint_counts_what_is_served_and_unit_asks_for_it() {
    let folder = folder_with("kernel.ptx", KERNEL);
    let plain = lsu(folder.path(), &["lint", "kernel.ptx"]);
    assert_eq!(plain.status.code(), Some(0), "{plain:?}");
    assert_eq!(
        String::from_utf8_lossy(&plain.stdout),
        "kernel.ptx: 11 loads and stores: 11 legal, 0 refused; warnings: 0; legal, but not served by this version of the unit: 2 \
         (--unit shows them)\n"
    );
    let unit = lsu(folder.path(), &["lint", "kernel.ptx", "--unit"]);
    assert_eq!(unit.status.code(), Some(1), "{unit:?}");
    let text = String::from_utf8_lossy(&unit.stdout);
    for place in ["kernel.ptx:19:7", "kernel.ptx:20:7"] {
        assert!(text.contains(place), "{place}: {text}");
    }
    assert_eq!(text.matches("not-served").count(), 2, "{text}");
    let output = lsu(folder.path(), &["lint", "kernel.ptx", "--unit", "--json"]);
    let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let counts = ["accepted", "refused", "served", "not_served", "warnings"].map(|key| document[key].clone());
    assert_eq!(counts, [11, 0, 9, 2, 0].map(|count| json!(count)));
    let lines: Vec<&Value> = document["findings"].as_array().expect("a list").iter().map(|one| &one["line"]).collect();
    assert_eq!(lines, [19, 20]);
    // What is served alone is well, and what is refused is so with or without the unit.
    let served: String =
        KERNEL.lines().filter(|line| !line.contains(".shared::cluster.u32")).map(|line| format!("{line}\n")).collect();
    let folder = folder_with("kernel.ptx", &served);
    let output = lsu(folder.path(), &["lint", "kernel.ptx", "--unit"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("9 legal, 0 refused"), "{output:?}");
    let folder = folder_with("kernel.ptx", &served.replace("ld.global.u32", "ld.acquire.global.u32"));
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
    let line = r#"{"ptx_version":"8.8","target":"sm_100","instr":"ld.shared::cluster.u32 %r1, [sh];"}"#;
    assert_eq!(ask(&[], line), (json!({ "accept": true }), Some(0)));
    assert_eq!(ask(&["--unit"], line), (json!({ "accept": true, "served": false }), Some(1)));
    let line = line.replace("shared::cluster", "local").replace("[sh]", "[lcl]");
    assert_eq!(ask(&["--unit"], &line), (json!({ "accept": true, "served": true }), Some(0)));
}

#[test]
fn explain_says_in_json_what_is_served() {
    let folder = tempfile::tempdir().expect("a folder");
    let explain = |instruction: &str| {
        let output = lsu(folder.path(), &["explain", instruction, "--json"]);
        (serde_json::from_slice::<Value>(&output.stdout).expect("JSON"), output.status.code())
    };
    let (document, _) = explain("ld.local.u32 %r1, [spot];");
    assert_eq!((&document["served"], &document["not_served"]), (&json!(true), &Value::Null));
    assert_eq!(document["operands"][0], "address: the variable spot in .local");
    let (document, status) = explain("ld.shared::cluster.u32 %r1, [spot];");
    assert_eq!((&document["accept"], &document["served"], status), (&json!(true), &json!(false), Some(0)));
    assert!(
        document["not_served"].as_str().is_some_and(|reason| reason.contains("not .shared::cluster")),
        "{document}"
    );
    let first = document["words"][0].as_str().expect("a sentence");
    assert!(first.starts_with("This version does not serve .shared::cluster"), "{first}");
    assert_eq!(document["operands"][0], "address: the variable spot in .shared");
    let (document, _) = explain("ld.global.u32 %r1, [%rd1];");
    assert_eq!((&document["served"], &document["not_served"]), (&json!(true), &Value::Null));
    let (document, status) = explain("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r1], %r2, [%r3];");
    assert_eq!((&document["served"], &document["rule"], status), (&Value::Null, &json!("outside-unit"), Some(1)));
}
