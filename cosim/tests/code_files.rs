//! The header and the package of the codes are what C, C++ and SystemVerilog take, with the values that the unit has.

use std::process::Command;

use lsu_cosim::verilator::{Cache, Toolchain};
use lsu_hdl::code_files::code_files;
use lsu_hdl::codes::PORTS;

/// Whether a tool is content, and what it says.
fn judged(command: &mut Command) -> (bool, String) {
    let output = command.output().expect("the tool starts");
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&said).into_owned())
}

#[test]
fn c_and_cpp_compile_the_header() {
    let folder = tempfile::tempdir().expect("a folder");
    let [header, _] = code_files("lsu8_").expect("a good prefix");
    std::fs::write(folder.path().join(&header.name), &header.text).expect("written");
    // Twice, as headers are.
    let include = format!("#include \"{0}\"\n#include \"{0}\"\n", header.name);
    let check = |name: &str, value: u64| format!("CHECK(LSU8_{name} == {value}u);\n");
    let checks: String = PORTS.iter().flat_map(|port| port.codes).map(|code| check(code.name, code.value)).collect();
    let compile = |compiler: &str, options: [&str; 3], assertion: &str, checks: &str| {
        let text = format!("{include}#define CHECK(what) {assertion}(what, #what)\n{checks}");
        std::fs::write(folder.path().join("use.c"), text).expect("written");
        let mut command = Command::new(compiler);
        command.current_dir(folder.path()).args(options).args([
            "-Wall",
            "-Wextra",
            "-Werror",
            "-fsyntax-only",
            "use.c",
        ]);
        judged(&mut command)
    };
    for (compiler, options, assertion) in
        [("cc", ["-x", "c", "-std=c11"], "_Static_assert"), ("c++", ["-x", "c++", "-std=c++17"], "static_assert")]
    {
        let (fine, said) = compile(compiler, options, assertion, &checks);
        assert!(fine, "{compiler}: {said}");
        let (fine, _) = compile(compiler, options, assertion, &check("OP_LDC", 3));
        assert!(!fine, "{compiler} takes a wrong value for a right one");
    }
}

#[test]
fn verilator_takes_the_package() {
    let folder = tempfile::tempdir().expect("a folder");
    let [_, package] = code_files("lsu_").expect("the default prefix");
    let toolchain = Toolchain::find(None, Cache::user().expect("a cache folder")).expect("a Verilator");
    std::fs::write(folder.path().join(&package.name), &package.text).expect("written");
    let check = |name: &str, width: usize, value: u64| {
        format!(
            "    if (lsu_codes::{name} != {width}'d{value}) begin : wrong_{name}\n        $error(\"{name}\");\n    end\n"
        )
    };
    let lint = |checks: &str| {
        std::fs::write(folder.path().join("codes.sv"), format!("module codes;\n{checks}endmodule\n")).expect("written");
        let mut command = Command::new(toolchain.verilator.binary());
        command.env("VERILATOR_ROOT", toolchain.verilator.root()).current_dir(folder.path());
        judged(command.args(["--lint-only", "-Wall", "--top-module", "codes", &package.name, "codes.sv"]))
    };
    let checks: String =
        PORTS.iter().flat_map(|port| port.codes.iter().map(|code| check(code.name, port.width, code.value))).collect();
    let (fine, said) = lint(&checks);
    assert!(fine && !said.contains('%'), "{said}");
    assert!(!lint(&check("OP_LDC", 2, 3)).0, "a wrong value passes for a right one");
}
