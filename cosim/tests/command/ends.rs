//! How the command ends when nobody reads, when the disk is full, when there is nothing to do, and when a signal comes.

use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;

/// How long anything may take here before the test gives up.
const PATIENCE: Duration = Duration::from_secs(60);

const PROGRAM: &str = r#"
preset = "fpga8"
[[op]]
instr = "ld.global.u32 %r1, [%rd1];"
regs = { "%rd1" = "4*lane" }
expect = { "%r1" = 0 }
"#;

const REFUSED: &str = ".version 8.8\n.target sm_100\n.address_size 64\n.visible .entry kernel()\n{\n\
    .reg .b32 %r<4>;\n.reg .b64 %rd<4>;\nld.acquire.u32 %r1, [%rd1];\nret;\n}\n";

fn lsu(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lsu"));
    command.args(arguments).current_dir(folder);
    command
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("writable");
    write("program.toml", PROGRAM);
    write("unmet.toml", &PROGRAM.replace("\"%r1\" = 0", "\"%r1\" = 1"));
    write("bad.ptx", REFUSED);
    write("good.ptx", &REFUSED.replace("ld.acquire", "ld.acquire.gpu"));
    folder
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Commands, their exit statuses, and whether they print on stdout.
const ENDS: [(&[&str], i32); 11] = [
    (&["run", "program.toml", "--engine", "model"], 0),
    (&["run", "program.toml", "--engine", "model", "--json"], 0),
    (&["run", "unmet.toml", "--engine", "model"], 1),
    (&["check", "--engine", "model", "--preset", "fpga8", "--cases", "2"], 0),
    (&["check", "--engine", "model", "--preset", "fpga8", "--cases", "2", "--json"], 0),
    (&["lint", "bad.ptx"], 1),
    (&["lint", "bad.ptx", "--json"], 1),
    (&["lint", "good.ptx"], 0),
    (&["explain", "ld.global.u32 %r1, [%rd1];"], 0),
    (&["explain", "ld.acquire.u32 %r1, [%rd1];"], 1),
    (&["--help"], 0),
];

#[test]
fn a_closed_pipe_changes_no_status_and_is_not_remarked() {
    let folder = folder();
    for (arguments, status) in ENDS {
        let (reader, writer) = io::pipe().expect("a pipe");
        drop(reader);
        let output = lsu(folder.path(), arguments).stdout(writer).output().expect("lsu starts");
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {output:?}");
        let said = said(&output);
        assert!(!said.contains("panicked") && !said.contains("pipe"), "{arguments:?}: {said}");
        // The same without anybody on stderr either.
        let (reader, writer) = io::pipe().expect("a pipe");
        drop(reader);
        let second = writer.try_clone().expect("a second end");
        let ended = lsu(folder.path(), arguments).stdout(writer).stderr(second).status().expect("lsu starts");
        assert_eq!(ended.code(), Some(status), "{arguments:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_one_error_and_spoils_success_only() {
    let folder = folder();
    for (arguments, status) in ENDS {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("a full disk");
        let output = lsu(folder.path(), arguments).stdout(full).output().expect("lsu starts");
        assert_eq!(output.status.code(), Some(if status == 0 { 2 } else { status }), "{arguments:?}: {output:?}");
        let said = said(&output);
        let remarks = said.matches("cannot write to stdout: No space left on device").count();
        assert!(remarks == 1 && !said.contains("panicked"), "{arguments:?}: {said}");
    }
}

#[test]
fn waves_that_do_not_fit_leave_no_file_and_the_table_is_printed() {
    let folder = folder();
    for waves in [["--vcd", "x.vcd"], ["--fst", "x.fst"]] {
        let output = Command::new("sh")
            .args([
                "-c",
                "trap '' XFSZ; ulimit -f 1; exec \"$@\"",
                "sh",
                env!("CARGO_BIN_EXE_lsu"),
                "run",
                "program.toml",
            ])
            .args(["--engine", "model"])
            .args(waves)
            .current_dir(folder.path())
            .output()
            .expect("sh starts");
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(said(&output).contains("cannot write waves to x."), "{}", said(&output));
        assert!(String::from_utf8_lossy(&output.stdout).contains("%r1 0x0 in 8 lanes"), "{output:?}");
        assert!(!folder.path().join(waves[1]).exists(), "{output:?}");
    }
}

#[test]
fn lines_answered_before_the_pipe_closed_still_count() {
    let folder = folder();
    let (reader, writer) = io::pipe().expect("a pipe");
    drop(reader);
    let question = "{\"ptx_version\":\"8.8\",\"target\":\"sm_100\",\"instr\":\"ld.acquire.u32 %r1, [%rd1];\"}\n";
    std::fs::write(folder.path().join("lines"), question.repeat(3)).expect("writable");
    let lines = std::fs::File::open(folder.path().join("lines")).expect("readable");
    let output = lsu(folder.path(), &["lint", "--jsonl"]).stdin(lines).stdout(writer).output().expect("lsu starts");
    assert_eq!((output.status.code(), said(&output).as_str()), (Some(1), ""));
}

#[test]
fn nothing_to_do_is_an_error() {
    let folder = folder();
    std::fs::write(folder.path().join("empty.toml"), "").expect("writable");
    std::fs::write(folder.path().join("idle.toml"), "preset = \"fpga8\"\n").expect("writable");
    let model = ["--engine", "model"];
    for (arguments, wanted) in [
        (&["check", "--cases", "0"][..], "'--cases <N>': nothing would be checked"),
        (&["check", "--seconds", "0"], "'--seconds <S>': nothing would be checked"),
        (&["check", "--cases", "3", "--shard", "4/4"], "shard 4/4 gets none of 3 cases"),
        (&["check", "--seed", "-1"], "invalid value '-1' for '--seed <S>': a seed is a number from 0 to"),
        (&["check", "--cases", "-1"], "invalid value '-1' for '--cases <N>': write a number from 1 to"),
        (&["run", "empty.toml"], "empty.toml holds no operation"),
        (&["run", "idle.toml"], "idle.toml holds no operation"),
        (&["replay", "idle.toml"], "idle.toml holds no operation"),
        (&["run", "absent.toml"], "absent.toml: No such file or directory"),
        (&["run", "program.toml", "--vcd", "x.vcd", "--window", "5000..6000"], "5000..6000 lies outside the run"),
    ] {
        let output = lsu(folder.path(), &[arguments, &model].concat()).output().expect("lsu starts");
        let said = said(&output).replace("\n  │ ", " ");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        // Errors have one style, and say what the system says once.
        assert!(said.starts_with("  × ") && said.contains(wanted), "{arguments:?}: {said}");
        assert!(said.matches("No such file").count() <= 1, "{said}");
    }
    assert!(!folder.path().join("x.vcd").exists(), "waves without a cycle");
    std::fs::write(folder.path().join("kept.vcd"), "of another run").expect("writable");
    for verb in ["run", "replay"] {
        let arguments = [verb, "program.toml", "--vcd", "kept.vcd", "--window", "5000..6000", "--engine", "model"];
        assert_eq!(lsu(folder.path(), &arguments).output().expect("lsu starts").status.code(), Some(2));
        assert_eq!(std::fs::read_to_string(folder.path().join("kept.vcd")).expect("it is there"), "of another run");
    }
    let output = lsu(folder.path(), &["--help"]).output().expect("lsu starts");
    assert!(String::from_utf8_lossy(&output.stdout).contains("130 interrupted before the work was done"));
}

/// Waits until `is_so`; the children that it waits for are at work then.
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Whether the process catches SIGINT by now.
#[cfg(target_os = "linux")]
fn listens(child: &Child) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask >> 1 & 1 == 1)
}

#[test]
#[cfg(target_os = "linux")]
fn an_interrupted_check_says_what_it_has_done() {
    let folder = folder();
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        let arguments = ["check", "--engine", "model", "--preset", "fpga8", "--cases", "10000000", "--json"];
        let child = lsu(folder.path(), &arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let child = child.expect("lsu starts");
        wait_until("no handler", || listens(&child));
        std::thread::sleep(Duration::from_millis(100));
        kill(Pid::from_raw(child.id() as i32), signal).expect("it runs");
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(130), "{output:?}");
        assert_eq!(said(&output), "interrupted before all cases had run\n");
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(document["mismatches"], 0);
        assert!(document["cases"].as_u64().expect("a number") < 10_000_000);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_interrupted_run_shows_what_it_has_come_to() {
    let folder = folder();
    // Long enough for any machine.
    let program = PROGRAM.to_owned() + &"[[op]]\ncommand = \"invalidate_l1\"\nwait = \"all\"\n".repeat(200_000);
    std::fs::write(folder.path().join("long.toml"), program).expect("writable");
    std::fs::write(folder.path().join("kept.vcd"), "of another run").expect("writable");
    let with_waves = ["--vcd", "kept.vcd", "--window", "5..9"];
    let both = ["--vcd", "begun.vcd", "--fst", "kept.vcd"];
    for (verb, waves) in
        [("run", &[][..]), ("replay", &[]), ("run", &with_waves), ("replay", &with_waves), ("run", &both)]
    {
        let child = lsu(folder.path(), &[&[verb, "long.toml", "--engine", "model"], waves].concat())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("lsu starts");
        wait_until("no handler", || listens(&child));
        kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).expect("it runs");
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(130), "{output:?}");
        let begun = said(&output).replace("waves: begun.vcd\nview: begun.vcd.gtkw\nview: begun.vcd.sucl\n", "");
        assert!(begun.starts_with("interrupted in cycle "), "{begun}");
        assert!(!String::from_utf8_lossy(&output.stdout).contains("200001 operations"));
        let is_told = said(&output).contains("no waves are written to kept.vcd");
        assert_eq!(is_told, !waves.is_empty(), "{}", said(&output));
        // Waves that were not begun take no other waves' place.
        assert_eq!(std::fs::read_to_string(folder.path().join("kept.vcd")).expect("it is there"), "of another run");
    }
}

/// A signal to the command, or to everything in its process group, while a model is being built.
#[test]
fn an_interrupted_build_ends_its_compilers_and_says_one_line() {
    for is_group in [false, true] {
        let folder = folder();
        let path = |name: &str| folder.path().join(name);
        // Any top module is built before its ports are looked at.
        std::fs::write(path("tiny.v"), "module lsu (input wire clk); endmodule\n").expect("writable");
        // A compiler that never ends, in two processes as real ones are.
        let script = "#!/bin/sh\n[ \"$1\" = --version ] && exec echo never\nsleep 600 &\necho $! > compiling.new\n\
                      mv compiling.new compiling\nwait\n";
        std::fs::write(path("compiler"), script).expect("writable");
        std::fs::set_permissions(path("compiler"), std::fs::Permissions::from_mode(0o755)).expect("a program");
        let child = lsu(folder.path(), &["check", "--preset", "fpga8", "--dut", "tiny.v"])
            .env("CXX", path("compiler"))
            .env("XDG_CACHE_HOME", path("cache"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .expect("lsu starts");
        wait_until("no compiler", || path("compiling").exists());
        let sleeper: i32 = std::fs::read_to_string(path("compiling")).expect("text").trim().parse().expect("a number");
        let process = Pid::from_raw(child.id() as i32);
        if is_group { killpg(process, Signal::SIGINT) } else { kill(process, Signal::SIGINT) }.expect("it runs");
        let begin = Instant::now();
        let output = child.wait_with_output().expect("it ends");
        assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
        assert_eq!((output.status.code(), output.stdout.len()), (Some(130), 0), "{output:?}");
        let mut lines: Vec<String> = said(&output).lines().map(str::to_owned).collect();
        // Where there is no Verilator, the fresh cache has none either.
        lines.retain(|line| !line.starts_with("lsu: no Verilator found; installing"));
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(lines[0].starts_with("lsu: building a model"), "{lines:?}");
        assert_eq!(lines[1], "interrupted before anything was run");
        wait_until("the compiler lives on", || !is_running(sleeper));
    }
}

/// A compiler that ends well and does nothing is at fault, not the cache.
#[test]
fn a_compiler_that_writes_nothing_is_named() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("tiny.v"), "module lsu (input wire clk); endmodule\n").expect("writable");
    std::fs::write(path("compiler"), "#!/bin/sh\necho idle\n").expect("writable");
    std::fs::set_permissions(path("compiler"), std::fs::Permissions::from_mode(0o755)).expect("a program");
    let output = lsu(folder.path(), &["check", "--preset", "fpga8", "--dut", "tiny.v"])
        .env("CXX", path("compiler"))
        .env("XDG_CACHE_HOME", path("cache"))
        .output()
        .expect("lsu starts");
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let said = said(&output);
    assert!(said.contains("the C++ compiler failed") && said.contains("it ended well, and wrote no file"), "{said}");
}

/// Whether the process is there and has not ended.
fn is_running(process: i32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    match status.rsplit_once(')') {
        Some((_, rest)) => !rest.trim_start().starts_with('Z'),
        None => kill(Pid::from_raw(process), None).is_ok(),
    }
}
