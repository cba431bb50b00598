//! The module around a clocked top that takes the inputs of a cycle at an edge.
//!
//! Verilator evaluates all logic behind an input port at every call, at the clock's falling edge and at its rising edge, and once more
//! after the edge what registers feed as well. Here the inputs are registers, too: they take what stands at the ports at the edge of
//! [`TAKE`], which is the clock's own edge for all cycles of a run but the first. So everything is evaluated once a cycle, and no cycle
//! changes: an output is what it is with the registers and the inputs of its cycle.
//!
//! ```text
//!            ______        ______        ______
//! clk   ____|      |______|      |______|      |______
//!        ______________________________________________
//! ports X inputs 0 X inputs 1    X inputs 2    X
//!       ______      ______        ______
//! take |      |____|      |______|      |_____________
//!       outputs 0   outputs 1     outputs 2
//! ```

use std::fmt::Write as _;

use super::layout::{Direction, Layout, Port, describe, range};

/// The module, by whose name the instances in it are called, too. The functions of a built library begin like it, so that no Verilog has
/// reason to call a module so.
pub(super) const MODULE: &str = "lsu_dut_taker";

/// Its input that takes the others at its rising edge.
pub(super) const TAKE: &str = "lsu_dut_take";

/// The module around `top`, which has the ports of `layout`; `None` where there is no clock, and so nothing that could be evaluated twice.
///
/// It has the same ports and [`TAKE`], and is in no wave: the top is the outermost module there that has signals.
pub(super) fn around(top: &str, layout: &Layout) -> Option<String> {
    let clock = layout.clock()?;
    let ports = layout.ports();
    let inputs = || ports.iter().filter(|port| port.direction == Direction::Input);
    let mut text =
        format!("/* verilator tracing_off */\nmodule {MODULE} (\n    input {TAKE},\n    input {}", name(clock));
    for port in ports {
        let _ = write!(text, ",\n    {} {}", describe(port.width, port.direction), name(&port.name));
    }
    text.push_str("\n);\n");
    for port in inputs() {
        let _ = writeln!(text, "    reg{} {};", range(port.width), taken(port));
    }
    // The inputs of the first cycle stand at the ports before anything is evaluated.
    for (when, becomes) in [("initial".to_owned(), "="), (format!("always @(posedge {TAKE})"), "<=")] {
        let _ = writeln!(text, "    {when} begin");
        for port in inputs() {
            let _ = writeln!(text, "        {} {becomes} {};", taken(port), name(&port.name));
        }
        text.push_str("    end\n");
    }
    let _ = write!(text, "    /* verilator tracing_on */\n    {0}{0}(\n        .{1}({1})", name(top), name(clock));
    for port in ports {
        let inside = match port.direction {
            Direction::Input => taken(port),
            Direction::Output => name(&port.name),
        };
        let _ = write!(text, ",\n        .{}({inside})", name(&port.name));
    }
    text.push_str("\n    );\nendmodule\n");
    Some(text)
}

/// The module around a top of every kind of port: what tells one way to write it from another, and so part of every cache key.
pub(super) fn sample() -> Option<String> {
    let (input, output) = (Direction::Input, Direction::Output);
    around("top", &Layout::new([("clk", 1, input), ("bit", 1, input), ("word", 8, input), ("all", 9, output)]))
}

/// A name as an escaped identifier, which ends with a space: it may be a word of the language.
fn name(name: &str) -> String {
    format!("\\{name} ")
}

/// The register of an input.
fn taken(port: &Port) -> String {
    name(&format!("{}.taken", port.name))
}
