//! The ports of a module, and their list.

use super::print::{COLUMNS, wrapped};

/// A port of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Its name.
    pub name: String,
    /// Direction and kind of net.
    pub(crate) kind: &'static str,
    /// What stands in front of the name: sign and range, if it has any.
    pub(crate) range: String,
    /// It begins a group, which has this heading or none.
    pub(crate) heading: Option<String>,
    /// Its comment.
    pub(crate) note: String,
}

impl Port {
    /// Whether the module reads it.
    pub(crate) fn is_input(&self) -> bool {
        self.kind.starts_with("input")
    }
}

/// The list of `ports`, behind the line `first`, if there is one.
pub(crate) fn list(first: Option<String>, ports: &[Port], lines: &mut Vec<String>) {
    lines.push(" (".to_string());
    lines.extend(first);
    let kind = |port: &Port| format!("{} {}", port.kind, port.range);
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
