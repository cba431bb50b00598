//! What the command tells of Verilog that objects to itself: a contract of ours, and an assertion that a user has written.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The emitted Verilog with the first `from` as `to`, in a folder of that name, which keeps its place so that its model is
/// built once.
fn folder(name: &str, from: &str, to: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let verilog = lsu_hdl::verilog_for("tiny4", "lsu").expect("a preset");
    assert!(verilog.contains(from), "{from}");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("broken.v"), verilog.replacen(from, to, 1)).expect("written");
    folder
}

fn lsu(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lsu"));
    command.args(arguments).current_dir(folder).env_remove("CARGO").env_remove("CARGO_PKG_NAME");
    command.output().expect("lsu starts")
}

/// Checks the broken Verilog and runs what it saves; both times the first line of the report holds `told` in the cycle that it
/// names, and the program is one or two operations.
fn assert_told(folder: &Path, told: &str) {
    let repro = tempfile::tempdir().expect("a folder");
    let output = lsu(
        folder,
        &["check", "--preset", "tiny4", "--dut", "broken.v", "--repro-dir", &repro.path().display().to_string()],
    );
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{text}");
    let first = text.lines().find(|line| line.starts_with("cycle ")).expect("a report").to_owned();
    assert!(first.contains(told) && first.ends_with(" (RTL)"), "{text}");
    assert_eq!(text.matches(told).count(), 1, "the tries of the shrinker are not told:\n{text}");
    assert!(text.contains(" the Verilog objects") && text.contains("last transactions"), "{text}");
    assert!((1..=2).contains(&text.matches("[[op]]").count()), "{text}");

    let saved = text.lines().find_map(|line| line.strip_prefix("saved: ")).expect("a saved program");
    for verb in ["run", "replay"] {
        let output = lsu(folder, &[verb, saved, "--dut", "broken.v"]);
        let text = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.contains(&first), "{verb}: {text}");
    }
    let good = lsu(folder, &["run", saved]);
    assert_eq!(good.status.code(), Some(0), "{good:?}");
}

#[test]
fn a_broken_contract_is_reported_with_module_sentence_and_cycle() {
    let from = ".touch        (pass_moves),";
    let folder = folder("broken_contract", from, ".touch        (full_q),");
    assert_told(&folder, "contract of lsu_constant_set broken in lsu.cache.tag.sets");
}

#[test]
fn an_assertion_of_the_users_own_is_reported() {
    let from = "    wire [12:0] set_key = key[14:2];\n";
    let own = "    always @(posedge clk) if (!rst && to_miss) $error(\"no misses for %0d, please\", held_tag);\n";
    let folder = folder("own_assertion", from, &format!("{from}{own}"));
    assert_told(&folder, "Assertion failed in lsu.cache.tag: no misses for ");
}

#[test]
fn verilog_that_ends_the_simulation_is_reported() {
    let from = "    wire [12:0] set_key = key[14:2];\n";
    let own = "    always @(posedge clk) if (!rst && to_miss) $finish;\n";
    let folder = folder("finish", from, &format!("{from}{own}"));
    assert_told(&folder, "the Verilog stops: $finish (broken.v:");
}
