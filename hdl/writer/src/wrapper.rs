//! Modules that are not written from a description, but hold others that are.

use super::ports::{self, Direction, Port};
use super::print::broken;
use super::{EmittedModule, module};

/// The ports of `part` that are not inside, as ports of the module that holds it.
pub(crate) fn outside(part: &EmittedModule, is_inside: impl Fn(&Port) -> bool) -> Vec<Port> {
    let mut open = vec![];
    // The heading of a group whose first ports are inside is that of the next one.
    let mut heading = None;
    for port in &part.ports {
        heading = port.heading.clone().or(heading);
        if !is_inside(port) {
            let direction = if port.is_input() { Direction::Input } else { Direction::Output };
            open.push(Port { heading: heading.take(), direction, ..port.clone() });
        }
    }
    open
}

/// The instance `name` of `part`, behind an empty line, with what each port is connected to.
pub(crate) fn instance(name: &str, part: &EmittedModule, source: impl Fn(&Port) -> String, lines: &mut Vec<String>) {
    lines.push(String::new());
    lines.push(format!("    {} {name} (", part.name));
    let sources: Vec<_> = part.ports.iter().map(|port| (&*port.name, source(port))).collect();
    ports::connect("    ", &sources, lines);
}

/// The module `name` with these ports and the lines `body`, which holds `parts`.
pub(crate) fn wrapper(
    name: &str,
    comment: &str,
    ports: Vec<Port>,
    body: Vec<String>,
    parts: [&EmittedModule; 2],
) -> EmittedModule {
    let mut lines = vec![];
    ports::list(None, &ports, &mut lines);
    lines.extend(body);
    lines.push("endmodule".to_string());
    let text: Vec<String> = lines.into_iter().flat_map(broken).collect();
    EmittedModule {
        name: name.to_string(),
        block: name.to_string(),
        comment: Some(comment.to_string()),
        is_memory: false,
        memories: vec![],
        ports,
        text: format!("{}\nmodule {name}{}\n", module::heading(name, Some(comment)), text.join("\n")),
        children: parts.map(|part| part.name.clone()).to_vec(),
    }
}
