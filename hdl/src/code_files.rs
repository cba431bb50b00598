//! The codes of the ports as files for whoever drives them: a header for C and C++, a package for SystemVerilog.
//!
//! Both are made from [`codes::PORTS`], whose names the kernels and so the Verilog use. They are the same in every preset.

use crate::codes::{self, Code, CodedPort};
use crate::emit::{self, DEFAULT_PREFIX, EmitError, UnitFile};
use crate::header;

/// The two files of a unit whose modules begin with `prefix`: `lsu_codes.h`, whose names begin with `LSU_`, and `lsu_codes.sv`,
/// whose package is `lsu_codes`.
///
/// # Errors
/// [`EmitError::BadPrefix`] if `prefix` gives no names.
pub fn code_files(prefix: &str) -> Result<[UnitFile; 2], EmitError> {
    let unit = emit::top_name(prefix)?;
    let command = match prefix {
        DEFAULT_PREFIX => "lsu verilog".to_string(),
        _ => format!("lsu verilog --prefix {prefix}"),
    };
    let file = |ending: &str, language: &str, body: String| {
        let title = format!("lsu {}: the codes of the ports, for {language}.", env!("CARGO_PKG_VERSION"));
        let head = header::head(&[&title, &format!("Written by: {command}, beside the Verilog of any preset")]);
        UnitFile { name: format!("{unit}_codes.{ending}"), text: header::seal(&head, &body), needs_unit: false }
    };
    Ok([file("h", "C and C++", c_header(unit)), file("sv", "SystemVerilog", package(unit))])
}

/// One list of constants a port, each behind a line about the port.
fn lists(indent: &str, line: impl Fn(&CodedPort, &Code) -> String) -> String {
    let list = |port: &CodedPort| {
        let codes: String = port.codes.iter().map(|code| line(port, code)).collect();
        format!("\n{indent}// {}, {} bits.\n{codes}", port.name, port.width)
    };
    codes::PORTS.iter().map(list).collect()
}

fn c_header(unit: &str) -> String {
    let unit = unit.to_uppercase();
    let guard = format!("{unit}_CODES_H");
    let define =
        |_: &CodedPort, Code { name, value, meaning }: &Code| format!("#define {unit}_{name} {value}u  // {meaning}\n");
    format!("#ifndef {guard}\n#define {guard}\n{}\n#endif  // {guard}\n", lists("", define))
}

fn package(unit: &str) -> String {
    let constant = |port: &CodedPort, Code { name, value, meaning }: &Code| {
        let (width, high) = (port.width, port.width - 1);
        format!("    localparam logic [{high}:0] {name} = {width}'d{value};  // {meaning}\n")
    };
    // Who imports the package need not use every name of it.
    format!(
        "/* verilator lint_off UNUSEDPARAM */\npackage {unit}_codes;{}endpackage\n/* verilator lint_on UNUSEDPARAM */\n",
        lists("    ", constant)
    )
}
