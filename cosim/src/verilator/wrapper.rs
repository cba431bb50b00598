//! Writes the C++ that stands between the model and Rust: the part that depends on the ports, before `wrapper.cpp`.

use std::fmt::Write as _;

use super::header::{HeaderPort, Storage};
use super::layout::{Direction, Layout, words};
use super::taker;

/// The part that is the same for every model.
pub(super) const FIXED: &str = include_str!("wrapper.cpp");

/// For all C++ files of a model and of the run-time library: declares what prints in the place of `printf`, and lets what the Verilog writes
/// into the file 1 go to stderr, too, because stdout may carry JSON.
pub(super) const PRINT: &str = "#include <cstdio>
#undef stdout
#define stdout stderr
int lsu_dut_print(const char* format, ...);
";

/// The whole wrapper for a top with the given ports and their layout.
pub(super) fn source(ports: &[HeaderPort], layout: &Layout) -> String {
    let mut text = String::from("#include <cstddef>\n#include <cstdint>\n#include <cstring>\n#include \"Vtop.h\"\n");
    if let Some(clock) = layout.clock().and_then(|clock| ports.iter().find(|port| port.name == clock)) {
        let _ = writeln!(text, "#define DUT_CLOCK {}", clock.member);
    }
    if ports.iter().any(|port| port.name == taker::TAKE) {
        let _ = writeln!(text, "#define DUT_TAKE {}\n#define DUT_NAME \"\"", taker::TAKE);
    } else {
        text.push_str("#define DUT_NAME \"TOP\"\n");
    }
    let quoted = layout.to_text().replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    let _ = writeln!(text, "static const char dut_ports[] = \"{quoted}\";");
    for (name, words) in [("dut_input_words", layout.input_words()), ("dut_output_words", layout.output_words())] {
        let _ = writeln!(text, "static const std::size_t {name} = {words};");
    }
    for (direction, head) in [
        (Direction::Input, "static inline void dut_apply(Vtop& model, const uint32_t* words) {"),
        (Direction::Output, "static inline void dut_sample(const Vtop& model, uint32_t* words) {"),
    ] {
        let _ = writeln!(text, "{head}\n    (void)model;\n    (void)words;");
        for port in ports.iter().filter(|port| port.direction == direction) {
            // The clock, and what takes the others, have no place in the layout.
            if let Some(place) = layout.port(&port.name) {
                text.push_str(&match direction {
                    Direction::Input => apply(port, place.word_offset),
                    Direction::Output => sample(port, place.word_offset),
                });
            }
        }
        text.push_str("}\n");
    }
    text + FIXED
}

/// Statements that set one input. Verilator wants the bits above a port's width to be zero; they are made so here,
/// whatever the caller left there.
fn apply(port: &HeaderPort, at: usize) -> String {
    let name = &port.member;
    let count = words(port.width);
    let top_bits = port.width - 32 * (count as u32 - 1);
    let mask = u32::MAX >> (32 - top_bits);
    match (port.storage, count) {
        (Storage::Integer, 1) => format!("    model.{name} = words[{at}] & {mask:#x}u;\n"),
        (Storage::Integer, _) => {
            format!("    model.{name} = (static_cast<uint64_t>(words[{}] & {mask:#x}u) << 32) | words[{at}];\n", at + 1)
        }
        (Storage::Wide, _) => {
            let last = count - 1;
            format!(
                "    std::memcpy(&model.{name}[0], words + {at}, {});\n    \
                 model.{name}[{last}] = words[{}] & {mask:#x}u;\n",
                4 * last,
                at + last
            )
        }
    }
}

/// Statements that read one output.
fn sample(port: &HeaderPort, at: usize) -> String {
    let name = &port.member;
    let count = words(port.width);
    match (port.storage, count) {
        (Storage::Integer, 1) => format!("    words[{at}] = model.{name};\n"),
        (Storage::Integer, _) => format!(
            "    words[{at}] = static_cast<uint32_t>(model.{name});\n    \
             words[{}] = static_cast<uint32_t>(model.{name} >> 32);\n",
            at + 1
        ),
        (Storage::Wide, _) => format!("    std::memcpy(words + {at}, &model.{name}[0], {});\n", 4 * count),
    }
}
