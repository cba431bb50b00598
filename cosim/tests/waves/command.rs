//! Waves from the command line: files, windows, views, and what happens when they cannot be written.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::ReadBack;

fn lsu(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lsu")).args(arguments).current_dir(folder).output().expect("lsu starts")
}

const PROGRAM: &str = r#"
preset = "fpga8"
[[bank]]
index = 3
size = 0x100
pattern = "address"
[[op]]
instr = "LDC R4, c[0x3][R0]"
regs = { R0 = "4*lane" }
[[op]]
warp = 1
instr = "LDC.64 R4, c[0x3][0x4]"
expect_fault = "misaligned_address"
"#;

fn folder_with(program: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("program.toml"), program).expect("writable");
    folder
}

/// Asserts that every name of the GTKWave view of `dump` is in it; gives how many there are.
fn names_are_there(dump: &Path) -> usize {
    let read = ReadBack::open(dump);
    let mut view = dump.as_os_str().to_owned();
    view.push(".gtkw");
    let save = std::fs::read_to_string(view).expect("a view");
    let names = save.lines().filter_map(|line| line.strip_prefix("+{")?.split_once("} ").map(|(_, name)| name));
    let known: std::collections::BTreeSet<&str> = read.names().collect();
    let mut count = 0;
    for name in names {
        // A range stands at the end; an index of an array of modules stays.
        let path = name.strip_suffix(":0]").and_then(|rest| rest.rsplit_once('[')).map_or(name, |(path, _)| path);
        assert!(known.contains(path), "{name}");
        count += 1;
    }
    count
}

#[test]
fn run_writes_both_formats_with_views() {
    let folder = folder_with(PROGRAM);
    let output = lsu(folder.path(), &["run", "program.toml", "--vcd", "a.vcd", "--fst", "a.fst"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    for line in ["waves: a.vcd\n", "waves: a.fst\n", "view: a.vcd.gtkw\n", "view: a.fst.sucl\n"] {
        assert!(said.contains(line), "{said}");
    }
    for name in ["a.vcd", "a.fst"] {
        assert!(names_are_there(&folder.path().join(name)) > 60);
    }
    let read = ReadBack::open(&folder.path().join("a.vcd"));
    for name in ["dut.wb_data", "model.wb_data", "model.places.issue.tag", "diff.any", "ops.warp1"] {
        assert!(read.names().any(|known| known == name), "{name}");
    }
    assert!(read.names().any(|name| name.starts_with("dut.cache.data.")), "the inside of the RTL");
    // The view shows why the tag stage waits, and what has been counted of it by RTL and model.
    let view = std::fs::read_to_string(folder.path().join("a.vcd.gtkw")).expect("a view");
    let (_, stalls) = view.split_once("-stalls").expect("a group");
    for name in [".stalls_order", ".stalls_misses", ".moves", "dut.status_stall_order", "model.status_stall_memory"] {
        assert!(stalls.contains(name), "{name}");
    }
}

#[test]
fn a_window_holds_its_cycles_and_no_others() {
    let folder = folder_with(PROGRAM);
    let output = lsu(folder.path(), &["run", "program.toml", "--vcd", "a.vcd", "--window", "10..20"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let read = ReadBack::open(&folder.path().join("a.vcd"));
    assert_eq!((read.at("dut.clk", 99), read.at("dut.clk", 100)), (None, Some("1")));
    assert_eq!(read.last_time, 210);
    // Beside the program, when no name is given.
    let output = lsu(folder.path(), &["run", "program.toml", "--window", "0..5"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(ReadBack::open(&folder.path().join("program.vcd")).last_time, 60);
}

#[test]
fn the_model_alone_has_waves() {
    let folder = folder_with(PROGRAM);
    let output = lsu(folder.path(), &["run", "program.toml", "--engine", "model", "--fst", "a.fst"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(names_are_there(&folder.path().join("a.fst")) > 20);
}

#[test]
fn bad_input_is_one_clear_error() {
    let folder = folder_with(PROGRAM);
    for (arguments, wanted) in [
        (&["--vcd", "no/such/a.vcd"][..], "cannot create no/such/a.vcd: No such file or directory"),
        (&["--fst", "."], "cannot create .: Is a directory"),
        (&["--vcd", "a.vcd", "--window", "5000..6000"], "wave window 5000..6000 lies outside the run"),
        (&["--vcd", "a.vcd", "--window", "7..5"], "wave window 7..5: the last cycle lies before the first"),
        (&["--vcd", "a.vcd", "--window", "7"], "write A..B, two cycle numbers, for example 100..250"),
        #[cfg(target_os = "linux")]
        (&["--vcd", "/dev/full"], "cannot write waves to /dev/full: No space left on device"),
        #[cfg(target_os = "linux")]
        (&["--fst", "/dev/full"], "cannot write waves to /dev/full: No space left on device"),
    ] {
        let all = [&["run", "program.toml", "--engine", "model"], arguments].concat();
        let output = lsu(folder.path(), &all);
        let said = String::from_utf8_lossy(&output.stderr).replace("\n  │ ", " ");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(wanted), "{arguments:?}: {said}");
    }
}

/// A stand-in for GTKWave notes how it was called.
#[test]
#[cfg(unix)]
fn view_opens_the_waves() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder_with(PROGRAM);
    let viewer = folder.path().join("gtkwave");
    let called = folder.path().join("called");
    std::fs::write(&viewer, format!("#!/bin/sh\necho \"$@\" > {0}.new\nmv {0}.new {0}\n", called.display()))
        .expect("written");
    std::fs::set_permissions(&viewer, std::fs::Permissions::from_mode(0o755)).expect("changed");
    let run = |path: &str| {
        Command::new(env!("CARGO_BIN_EXE_lsu"))
            .args(["run", "program.toml", "--engine", "model", "--view"])
            .env("PATH", path)
            .current_dir(folder.path())
            .output()
            .expect("lsu starts")
    };
    let output = run(&format!("{}:/bin:/usr/bin", folder.path().display()));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let begin = Instant::now();
    while !called.exists() {
        assert!(begin.elapsed() < Duration::from_secs(20), "the viewer was not called");
        std::thread::sleep(Duration::from_millis(10));
    }
    let words = std::fs::read_to_string(&called).expect("written");
    let dump = folder.path().join("program.vcd").canonicalize().expect("it is there");
    let words: Vec<&str> = words.split_whitespace().collect();
    assert_eq!(Path::new(words[0]).canonicalize().expect("it is there"), dump);
    assert!(words[1].ends_with("program.vcd.gtkw") && Path::new(words[1]).exists());
    let output = run("/nowhere");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("there is neither gtkwave nor surfer in PATH"));
}

#[test]
fn the_waves_of_a_killed_run_open() {
    // More cycles than anybody waits for.
    let operations: String = (0..20_000)
        .map(|op| {
            format!(
                "[[op]]\nwarp = {}\nwait = true\ninstr = \"LDC R4, c[0x3][R0]\"\nregs = {{ R0 = \"4*lane\" }}\n",
                op % 4
            )
        })
        .collect();
    let program = format!("preset = \"fpga8\"\n[[bank]]\nindex = 3\nsize = 0x100\npattern = \"address\"\n{operations}");
    let folder = folder_with(&program);
    for name in ["killed.vcd", "killed.fst"] {
        let path = folder.path().join(name);
        let option = if name.ends_with("fst") { "--fst" } else { "--vcd" };
        let mut run = Command::new(env!("CARGO_BIN_EXE_lsu"))
            .args(["run", "program.toml", option, name])
            .current_dir(folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("lsu starts");
        let begin = Instant::now();
        while std::fs::metadata(&path).map_or(0, |file| file.len()) < 1_500_000 {
            assert!(begin.elapsed() < Duration::from_secs(300), "the run writes nothing");
            assert!(run.try_wait().expect("it runs").is_none(), "the run ended too early for {name}");
            std::thread::sleep(Duration::from_millis(5));
        }
        run.kill().expect("killed");
        run.wait().expect("ended");
        let read = ReadBack::open(&path);
        assert!(read.last_time > 1_000, "{name} ends at {}", read.last_time);
        assert_eq!(read.at("dut.clk", read.last_time / 20 * 10), Some("1"));
        assert!(
            read.changes("ops.warp2").iter().any(|(_, text)| name.ends_with("fst") || text == "LDC w2 write-back R4")
        );
    }
}
