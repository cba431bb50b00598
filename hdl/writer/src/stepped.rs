//! A module that holds another one between two shift registers, by which a host drives all of its inputs and sees all of its outputs.

use super::ports::{self, Direction, Port};
use super::{EmittedModule, Refusal, wrapper};

/// Bits that are shifted at once.
const BYTE: usize = 8;

/// The clock of a unit, which is not among the inputs that are shifted in.
const CLOCK: &str = "clk";

/// Ports that a link must have, and that stay inside: the unit's clock, what is shifted and when, how much, and which unit it is.
const INNER: [(&str, Direction, usize); 9] = [
    ("unit_clock", Direction::Output, 1),
    ("input_byte", Direction::Output, BYTE),
    ("input_shift", Direction::Output, 1),
    ("output_load", Direction::Output, 1),
    ("output_byte", Direction::Input, BYTE),
    ("output_shift", Direction::Output, 1),
    ("input_bytes", Direction::Input, 12),
    ("output_bytes", Direction::Input, 12),
    ("identity", Direction::Input, 32),
];

/// The module `name`, in which `link` steps `unit`; `identity` tells the unit from others. The unit's inputs are shifted in from the top, its outputs
/// are shifted out at the bottom, each in order of names, the first one lowest. The other ports of `link` are those of the module.
///
/// # Errors
/// A [`Refusal`] if `link` lacks a port that it must have, or has not room for the unit's pins in its counts.
pub fn stepped(
    name: &str,
    comment: &str,
    unit: &EmittedModule,
    link: &EmittedModule,
    identity: u32,
) -> Result<EmittedModule, Refusal> {
    let refused = |what: &str, reason: &str| Refusal::new(name, what, reason);
    for (inner, direction, width) in INNER {
        let is_input = direction == Direction::Input;
        let is_there = |port: &&Port| port.name == inner && port.is_input() == is_input && port.width() == width;
        link.ports.iter().find(is_there).ok_or_else(|| refused(inner, "is no such port of the link"))?;
    }
    let (inputs, input_bits) = placed(unit, true);
    let (outputs, output_bits) = placed(unit, false);
    let bytes = |bits: usize| bits.div_ceil(BYTE);
    if let Some((what, _)) = [("inputs", input_bits), ("outputs", output_bits)]
        .into_iter()
        .find(|(_, bits)| !(BYTE + 1..4096 * BYTE).contains(bits))
    {
        return Err(refused(what, "are too few or too many bits for a link"));
    }

    let is_inner = |port: &Port| INNER.iter().any(|(inner, ..)| port.name == *inner);
    let open = wrapper::outside(link, is_inner);
    let mut lines = vec!["    // Between link and unit.".to_string()];
    let between: Vec<&Port> = link.ports.iter().filter(|port| is_inner(port) && !port.is_input()).collect();
    ports::wires(&between, &mut lines);
    lines.push(String::new());
    lines.push(
        "    // The unit's inputs, in order of their names, the first one lowest: bytes come in at the top."
            .to_string(),
    );
    lines.push(format!("    reg  [{}:0] inputs;", input_bits - 1));
    lines.push("    // Its outputs before the edge, in the same order: bytes go out at the bottom.".to_string());
    lines.push(format!("    reg  [{}:0] outputs;", output_bits - 1));
    ports::wires(&outputs.iter().map(|(port, _)| *port).collect::<Vec<_>>(), &mut lines);
    lines.push(String::new());
    lines.push("    always @(posedge clk) begin".to_string());
    lines.push(format!("        if (input_shift) inputs <= {{input_byte, inputs[{}:{BYTE}]}};", input_bits - 1));
    lines.push(format!("        if (output_shift) outputs <= {{{BYTE}'d0, outputs[{}:{BYTE}]}};", output_bits - 1));
    lines.push("        if (output_load) begin".to_string());
    lines.push("            outputs <= {".to_string());
    for (place, (port, _)) in outputs.iter().enumerate().rev() {
        let comma = if place > 0 { "," } else { "" };
        lines.push(format!("                {}{comma}", port.name));
    }
    lines.push("            };".to_string());
    lines.push("        end".to_string());
    lines.push("    end".to_string());

    let connection = |port: &Port| match port.name.as_str() {
        "input_bytes" => format!("12'd{}", bytes(input_bits)),
        "output_bytes" => format!("12'd{}", bytes(output_bits)),
        "identity" => format!("32'h{identity:08x}"),
        "output_byte" => format!("outputs[{}:0]", BYTE - 1),
        other => other.to_string(),
    };
    wrapper::instance("link", link, connection, &mut lines);
    let connection = |port: &Port| match inputs.iter().find(|(input, _)| input.name == port.name) {
        Some((_, at)) if port.width() == 1 => format!("inputs[{at}]"),
        Some((_, at)) => format!("inputs[{}:{at}]", at + port.width() - 1),
        None if port.is_input() => "unit_clock".to_string(),
        None => port.name.clone(),
    };
    wrapper::instance("unit", unit, connection, &mut lines);
    Ok(wrapper::wrapper(name, comment, open, lines, [link, unit]))
}

/// The inputs or the outputs of `unit`, but its clock, in order of their names, each with its lowest bit; and how many bits they are.
fn placed(unit: &EmittedModule, is_input: bool) -> (Vec<(&Port, usize)>, usize) {
    let mut ports: Vec<&Port> =
        unit.ports.iter().filter(|port| port.is_input() == is_input && port.name != CLOCK).collect();
    ports.sort_by(|one, other| one.name.cmp(&other.name));
    let mut next = 0;
    let placed = ports.into_iter().map(|port| {
        next += port.width();
        (port, next - port.width())
    });
    (placed.collect(), next)
}
