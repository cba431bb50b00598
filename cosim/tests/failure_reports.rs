//! What `lsu check` tells of a broken Verilog: the report in the README is what one gets, and no report is lost, whatever
//! cannot be written.
//!
//! `LSU_ACCEPT_DOCS=1 cargo test --release -p lsu-cosim --test failure_reports` accepts a change of the report.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Once;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// The command line that the README shows.
const COMMAND: &str = "cargo run --release -- check --preset fpga8 --dut broken.v";

/// The folder with `broken.v`, the emitted Verilog whose 16-bit sign extension is missing. It keeps its place, so that
/// its model is built once.
fn folder() -> PathBuf {
    static WRITTEN: Once = Once::new();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("broken_sign_extension");
    WRITTEN.call_once(|| {
        let verilog = lsu_hdl::verilog_for("fpga8", "lsu").expect("a preset");
        let sign = "top_bit = picked_half[15];";
        assert_eq!(verilog.matches(sign).count(), 1, "the place to break");
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("broken.v"), verilog.replace(sign, "top_bit = 1'b0;")).expect("written");
    });
    folder
}

/// `lsu check` of the broken Verilog with `arguments`, as it is called without cargo.
fn check(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lsu"));
    command.args(["check", "--preset", "fpga8", "--dut", "broken.v"]).args(arguments);
    command.current_dir(folder()).env_remove("CARGO").env_remove("CARGO_PKG_NAME");
    command
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Asserts that the report in `text` holds what was found: the failure, the transactions and the program.
fn assert_told(text: &str) {
    // Whichever load of 16 signed bits the check draws first.
    for part in [": data rtl 0x", "last transactions", ".s16 ", "[[op]]"] {
        assert!(text.to_lowercase().contains(part), "{part} is missing in:\n{text}");
    }
}

/// The lines without the figures that vary from run to run.
fn without_figures(text: &str) -> String {
    let lines = text.lines().map(|line| match line.split_once(" mismatches (") {
        Some((counts, _)) => format!("{counts} mismatches (…)"),
        None => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_report_of_a_broken_sign_extension_stands_in_the_readme() {
    let output = Command::new(env!("CARGO_BIN_EXE_lsu"))
        .args(COMMAND.split_whitespace().skip(4))
        .current_dir(folder())
        // As `cargo run` sets them.
        .env("CARGO", "cargo")
        .env("CARGO_PKG_NAME", env!("CARGO_PKG_NAME"))
        .output()
        .expect("lsu starts");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let (report, counts) = (said(&output), String::from_utf8_lossy(&output.stdout).into_owned());
    // A model is built once.
    let report = report.lines().filter(|line| !line.starts_with("lsu: building")).map(|line| format!("{line}\n"));
    let block = format!("```text\n$ {COMMAND}\n{}{counts}```\n", report.collect::<String>());

    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let readme = std::fs::read_to_string(&path).expect("a README");
    let begin = readme.find(&format!("```text\n$ {COMMAND}\n")).expect("the block in the README");
    let end = begin + readme[begin..].find("\n```\n").expect("its end") + "\n```\n".len();
    if std::env::var_os("LSU_ACCEPT_DOCS").is_some() {
        std::fs::write(&path, format!("{}{block}{}", &readme[..begin], &readme[end..])).expect("it can be written");
        return;
    }
    let (kept, found) = (without_figures(&readme[begin..end]), without_figures(&block));
    assert!(kept == found, "README.md does not show this report; accept with LSU_ACCEPT_DOCS=1:\n{found}");
}

#[test]
fn a_failure_that_cannot_be_saved_is_told_in_full() {
    // A file stands where the folder should be.
    let output = check(&["--repro-dir", "broken.v/repro", "--json"]).output().expect("lsu starts");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = said(&output);
    assert_told(&text);
    assert!(text.contains("not saved: cannot write broken.v/repro: Not a directory"), "{text}");
    assert!(!text.contains("replay:"), "{text}");
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&document["mismatches"], &document["repro"]), (&1.into(), &serde_json::Value::Null));
    let failure = document["failure"].as_str().expect("what fails");
    assert!(failure.starts_with("cycle ") && text.lines().any(|line| line == failure), "{failure}: {text}");
}

#[test]
fn a_failure_whose_waves_cannot_be_written_is_saved_and_told() {
    let repro = tempfile::tempdir().expect("a folder");
    let name = repro.path().display().to_string();
    let output = check(&["--repro-dir", &name]).output().expect("lsu starts");
    let first = said(&output);
    let saved = first.lines().find_map(|line| line.strip_prefix("saved: ")).expect("a saved program").to_owned();
    // A folder stands where the waves should be.
    let waves = Path::new(&saved).with_extension("vcd");
    std::fs::remove_file(&waves).and_then(|()| std::fs::create_dir(&waves)).expect("a folder");
    std::fs::remove_file(&saved).expect("removed");
    let files = repro.path().read_dir().expect("readable").count();
    let output = check(&["--repro-dir", &name]).output().expect("lsu starts");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = said(&output);
    assert_told(&text);
    assert!(text.contains("no waves: cannot create") && !text.contains("\nwaves:"), "{text}");
    // The command is the one that was called.
    let replay = format!("replay: {} replay {saved} --dut broken.v\n", env!("CARGO_BIN_EXE_lsu"));
    assert!(text.contains(&replay), "{text}");
    assert!(std::fs::read_to_string(&saved).expect("saved").to_lowercase().contains(".s16 "), "{text}");
    // Nothing is left of what was written beside it.
    assert_eq!(repro.path().read_dir().expect("readable").count(), files + 1);
}

#[test]
fn a_full_disk_leaves_no_half_of_a_saved_failure() {
    let repro = tempfile::tempdir().expect("a folder");
    // The model has to be there before no file can be written any more.
    let elsewhere = tempfile::tempdir().expect("a folder");
    let name = elsewhere.path().display().to_string();
    assert_eq!(check(&["--repro-dir", &name]).status().expect("lsu starts").code(), Some(1));
    let mut command = Command::new("sh");
    let limited = "trap '' XFSZ; ulimit -f 0; exec \"$@\"";
    command.args(["-c", limited, "sh", env!("CARGO_BIN_EXE_lsu"), "check", "--preset", "fpga8", "--dut", "broken.v"]);
    let output = command.arg("--repro-dir").arg(repro.path()).current_dir(folder()).output().expect("sh starts");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = said(&output);
    assert_told(&text);
    assert!(text.contains("not saved: cannot write"), "{text}");
    assert_eq!(repro.path().read_dir().expect("readable").count(), 0, "{text}");
}

#[test]
fn an_interrupt_while_shrinking_keeps_the_failure() {
    let repro = tempfile::tempdir().expect("a folder");
    let name = repro.path().display().to_string();
    let mut child =
        check(&["--repro-dir", &name]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("lsu starts");
    let mut lines = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut text = String::new();
    while !text.contains("; shrinking its ") {
        assert_ne!(lines.read_line(&mut text).expect("text"), 0, "{text}");
    }
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).expect("it runs");
    lines.read_to_string(&mut text).expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(1), "{text}");
    assert!(text.contains("wb lane") && text.contains("[[op]]") && text.contains("saved: "), "{text}");
    let saved = text.lines().find_map(|line| line.strip_prefix("saved: ")).expect("a saved program");
    assert!(Path::new(saved).exists(), "{text}");
}
