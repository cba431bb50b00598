//! The ports of the top level `lsu`: what any Verilog must have to be checked.

use lsu_model::pins;
use lsu_model::preset::Preset;

use crate::verilator::{Direction, Layout};

/// Name, width in bits and direction of one port.
pub type PortSpec = (&'static str, u32, Direction);

/// All ports of `lsu` in `preset`, the clock included.
pub fn ports(preset: &Preset) -> Vec<PortSpec> {
    pins::all().iter().map(|pin| (pin.name, pin.bits(preset), pin.direction)).collect()
}

/// How the ports of the emitted module `lsu`, whose text is `verilog`, differ from those of the table, line by line; `None`
/// where they do not.
pub fn emitted_differences(preset: &Preset, verilog: &str) -> Option<String> {
    let emitted: Vec<_> = ports_of(verilog, "lsu");
    Layout::new(emitted.iter().map(|(name, width, direction)| (*name, *width, *direction))).differences(&ports(preset))
}

/// The ports of the module `top` of a file that the writer has written: a port a line.
pub fn ports_of<'a>(verilog: &'a str, top: &str) -> Vec<(&'a str, u32, Direction)> {
    let head = format!("module {top} (\n");
    let header =
        verilog.split_once(&head).and_then(|(_, body)| body.split_once("\n);")).map_or("", |(header, _)| header);
    header.lines().filter_map(port).collect()
}

/// A line such as `input wire [7:0] req_tag, // What it says.`
fn port(line: &str) -> Option<(&str, u32, Direction)> {
    let code = line.split("//").next()?.trim().trim_end_matches(',');
    let (direction, rest) = code.split_once(' ')?;
    let directions = [Direction::Input, Direction::Output];
    let direction = directions.into_iter().find(|known| known.keyword() == direction)?;
    let width = match rest.split_once('[') {
        None => 1,
        Some((_, range)) => range.split(':').next()?.parse::<u32>().ok()? + 1,
    };
    Some((rest.split_whitespace().last()?, width, direction))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lsu_model::preset::{self, FPGA8};

    /// Before anything is built: the hardware description's own list against the table of the model.
    #[test]
    fn the_description_has_the_pins_of_the_table() {
        for preset in preset::ALL {
            let verilog = lsu_hdl::verilog_for(preset.name, "lsu").expect("every kernel can be written");
            if let Some(differences) = emitted_differences(&preset, &verilog) {
                panic!("hdl/src/lsu.rs and model/src/pins.rs differ for {}:\n{differences}", preset.name);
            }
        }
    }

    /// Codes are written down twice, once for each side: the lists must not drift apart.
    #[test]
    fn the_description_has_the_codes_of_the_table() {
        let pins = pins::all();
        let of = |name: &str| pins.iter().find(|pin| pin.name == name).and_then(pins::Pin::codes);
        // Of a register only its absence has a name, which is no code of an enumeration.
        let ports: Vec<_> = lsu_hdl::codes::PORTS.iter().filter(|port| port.name != "req_rd").collect();
        for port in &ports {
            let codes = of(port.name).unwrap_or_else(|| panic!("{} has no codes in model/src/pins.rs", port.name));
            let of_description: Vec<u64> = port.codes.iter().map(|code| code.value).collect();
            // The table has names for sizes that no instruction has, too.
            let valid = codes.names.iter().filter(|(code, name)| *name != format!("invalid{code}"));
            let of_table: Vec<u64> = valid.map(|(code, _)| u64::from(*code)).collect();
            assert_eq!((port.width as u32, of_description), (codes.width, of_table), "{}", port.name);
        }
        for codes in pins.iter().filter_map(pins::Pin::codes) {
            let is_known = ports.iter().any(|port| of(port.name) == Some(codes));
            assert!(is_known, "hdl/src/codes.rs has no port with the codes {}", codes.listed());
        }
    }

    #[test]
    fn a_pin_of_another_width_is_named() {
        let verilog = lsu_hdl::verilog_for("fpga8", "lsu").expect("every kernel can be written");
        let line = verilog.lines().find(|line| line.contains("done_tag,")).expect("a port");
        let changed = verilog.replace(line, &line.replace("[7:0]", "[8:0]"));
        let differences = emitted_differences(&FPGA8, &changed).expect("a difference");
        assert_eq!(differences, "  different: done_tag is output [8:0], expected output [7:0]");
    }
}
