//! The cache of built models: shared by processes, safe against killed ones and against damage.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::common::toolchain;
use lsu_cosim::verilator::{Build, Error, Library, Source};

/// Set in the environment of a child process: the value tells it which text to build.
const CHILD: &str = "LSU_TEST_CHILD";

/// A number that no earlier run has used, so that the top named after it is in no cache.
fn unique() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos()
}

/// The name of the top that [`build`] builds.
fn top(number: u128) -> String {
    format!("constant_{number}")
}

/// Builds a top whose output is the low 32 bits of `number`.
fn build(number: u128) -> Result<Library, Error> {
    let top = top(number);
    let text = format!("module {top} (output wire [31:0] value); assign value = 32'd{}; endmodule", number as u32);
    Build::new(top, Source::Text(text)).build(&toolchain())
}

fn value(library: &Library) -> u32 {
    let mut outputs = [0];
    library.instantiate().unwrap().step(&[], &mut outputs).unwrap();
    outputs[0]
}

/// This test program again, running only `test`, as a child that builds `number`.
fn child(test: &str, number: u128) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", &format!("cache::{test}"), "--nocapture"]).env(CHILD, number.to_string());
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// In a child: the number to build.
fn child_number() -> Option<u128> {
    std::env::var(CHILD).ok().map(|number| number.parse().unwrap())
}

fn entry(library: &Library) -> PathBuf {
    library.path().parent().unwrap().to_owned()
}

#[test]
fn a_second_build_comes_from_the_cache() {
    let number = unique();
    let first = build(number).unwrap();
    assert_eq!(value(&first), number as u32);
    let written = fs::metadata(first.path()).unwrap().modified().unwrap();
    let start = Instant::now();
    let second = build(number).unwrap();
    assert!(start.elapsed() < Duration::from_secs(1), "a warm start took {:?}", start.elapsed());
    assert_eq!(first.path(), second.path());
    assert_eq!(written, fs::metadata(second.path()).unwrap().modified().unwrap());
    assert_eq!(value(&second), number as u32);
    let mut names: Vec<_> = fs::read_dir(entry(&second)).unwrap().map(|file| file.unwrap().file_name()).collect();
    names.sort();
    let count = names.len();
    assert_eq!(count, 3, "an entry holds library, manifest and list of loops, not what they were made from: {names:?}");
}

#[test]
fn two_processes_build_one_model() {
    if let Some(number) = child_number() {
        assert_eq!(value(&build(number).unwrap()), number as u32);
        return;
    }
    let number = unique();
    let children: Vec<_> = (0..2).map(|_| child("two_processes_build_one_model", number).spawn().unwrap()).collect();
    let mut builds = 0;
    for child in children {
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{said}");
        builds += said.matches("building a model").count();
    }
    assert_eq!(builds, 1, "the second process waited for the first");
    assert_eq!(value(&build(number).unwrap()), number as u32);
}

#[test]
fn a_killed_build_leaves_nothing_that_hurts() {
    if let Some(number) = child_number() {
        build(number).unwrap();
        return;
    }
    let number = unique();
    let models = toolchain().cache.root().join("models");
    let mut child = child("a_killed_build_leaves_nothing_that_hurts", number).spawn().unwrap();
    // The wrapper is written when Verilator is done; the compiler then runs for a second at least.
    let is_half_done = || {
        let folders = fs::read_dir(&models).into_iter().flatten().flatten();
        folders.map(|folder| folder.path().join("generated")).any(|generated| {
            let list = fs::read_to_string(generated.join("Vtop__verFiles.dat")).unwrap_or_default();
            list.contains(&top(number)) && generated.join("wrapper.cpp").exists()
        })
    };
    while !is_half_done() {
        assert!(child.try_wait().unwrap().is_none(), "the child ended before it could be killed");
        thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(value(&build(number).unwrap()), number as u32);
}

/// Puts other bytes in a file's place. The old file stays as it is for whoever has it loaded.
fn replace(path: &Path, bytes: &[u8]) {
    fs::remove_file(path).unwrap();
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_damaged_model_is_built_again() {
    let number = unique();
    let path = build(number).unwrap().path().to_owned();
    let whole = fs::read(&path).unwrap();

    // One bit in the middle.
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 0x10;
    replace(&path, &damaged);
    assert_eq!(value(&build(number).unwrap()), number as u32);
    assert_ne!(fs::read(&path).unwrap(), damaged);

    // Cut short, as by a full disk; gone; manifest empty.
    replace(&path, &whole[..whole.len() / 3]);
    assert_eq!(value(&build(number).unwrap()), number as u32);
    fs::remove_file(&path).unwrap();
    assert_eq!(value(&build(number).unwrap()), number as u32);
    fs::write(path.with_file_name("manifest"), "").unwrap();
    assert_eq!(value(&build(number).unwrap()), number as u32);
}

#[test]
fn a_changed_include_file_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let top = folder.path().join("constant.v");
    let include = folder.path().join("number.vh");
    fs::write(&top, "module constant (output wire [31:0] value);\n`include \"number.vh\"\nendmodule\n").unwrap();
    for number in [7, 8] {
        fs::write(&include, format!("assign value = 32'd{number};\n")).unwrap();
        let library = Build::new("constant", Source::Files(vec![top.clone()]))
            .arguments([format!("-I{}", folder.path().display())])
            .build(&toolchain())
            .unwrap();
        assert_eq!(value(&library), number);
    }
}
