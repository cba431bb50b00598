//! The ports of a module, and their list.

use super::print::{COLUMNS, wrapped};

/// Which way a port goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Input,
    Output,
    /// An output that an `always` block assigns.
    Register,
}

/// A port of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Its name.
    pub name: String,
    pub(crate) direction: Direction,
    pub(crate) width: usize,
    /// What stands in front of the name: sign and range, if it has any.
    pub(crate) range: String,
    /// It begins a group, which has this heading or none.
    pub(crate) heading: Option<String>,
    /// Its comment.
    pub(crate) note: String,
}

impl Port {
    /// Whether the module reads it.
    pub fn is_input(&self) -> bool {
        self.direction == Direction::Input
    }

    /// Its bits.
    pub fn width(&self) -> usize {
        self.width
    }
}

/// The list of `ports`, behind the line `first`, if there is one.
pub(crate) fn list(first: Option<String>, ports: &[Port], lines: &mut Vec<String>) {
    lines.push(" (".to_string());
    lines.extend(first);
    let kind = |Port { direction, range, .. }: &Port| match direction {
        Direction::Input => format!("input  wire {range}"),
        Direction::Output => format!("output wire {range}"),
        Direction::Register => format!("output reg  {range}"),
    };
    let widest = ports.iter().map(|port| kind(port).len()).max().unwrap_or_default();
    let longest = ports.iter().map(|port| port.name.len()).max().unwrap_or_default();
    for (place, port) in ports.iter().enumerate() {
        let comma = if place + 1 < ports.len() { "," } else { "" };
        let name = format!("{}{comma}", port.name);
        if let Some(heading) = &port.heading {
            if place > 0 {
                lines.push(String::new());
            }
            if !heading.is_empty() {
                wrapped("    // ", heading, lines);
            }
        }
        let declaration = format!("    {:widest$}{name:w$}", kind(port), w = longest + 1);
        comment_after(&declaration, &port.note, lines);
    }
    lines.push(");".to_string());
}

/// Wires like `ports`.
pub(crate) fn wires(ports: &[&Port], lines: &mut Vec<String>) {
    let kind = |port: &Port| format!("    wire {}", port.range);
    let widest = ports.iter().map(|port| kind(port).len()).max().unwrap_or_default();
    let longest = ports.iter().map(|port| port.name.len() + 1).max().unwrap_or_default();
    for port in ports {
        comment_after(&format!("{:widest$}{:longest$}", kind(port), format!("{};", port.name)), &port.note, lines);
    }
}

/// What the ports of an instance are connected to, by their names.
pub(crate) fn connect(space: &str, connections: &[(&str, String)], lines: &mut Vec<String>) {
    let longest = connections.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    for (place, (name, source)) in connections.iter().enumerate() {
        let comma = if place + 1 < connections.len() { "," } else { "" };
        lines.push(format!("{space}    .{name:longest$} ({source}){comma}"));
    }
    lines.push(format!("{space});"));
}

/// A declaration with its comment: behind it if there is room, else in front.
pub(crate) fn comment_after(declaration: &str, comment: &str, lines: &mut Vec<String>) {
    let declaration = declaration.trim_end();
    if comment.is_empty() {
        lines.push(declaration.to_string());
    } else if declaration.len() + comment.len() + 5 <= COLUMNS {
        lines.push(format!("{declaration}  // {comment}"));
    } else {
        wrapped("    // ", comment, lines);
        lines.push(declaration.to_string());
    }
}
