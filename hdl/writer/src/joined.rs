//! A module that holds two others and connects the ports that have the same name.

use std::collections::BTreeSet;

use super::ports::{self, Direction, Port};
use super::print::broken;
use super::{EmittedModule, Refusal, module, names};

/// The module `name`, which holds `first` and `second`, each as an instance of this name. A port of one that drives one of the other is a wire in
/// it, an input of both is one input, and every other port is a port of its own.
///
/// # Errors
/// A [`Refusal`] names the port that both drive, or that has two widths, and any name that is none or taken.
pub fn joined(
    name: &str,
    comment: &str,
    first: (&str, &EmittedModule),
    second: (&str, &EmittedModule),
) -> Result<EmittedModule, Refusal> {
    let parts = [first, second];
    let own = |reason: &str, what: &str| Refusal::new(name, what, reason);
    let mut wires: Vec<&Port> = vec![];
    let mut shared = BTreeSet::new();
    for one in &first.1.ports {
        let Some(other) = second.1.ports.iter().find(|other| other.name == one.name) else { continue };
        if one.range != other.range {
            return Err(own("has another width in each of the two modules", &one.name));
        }
        match (one.is_input(), other.is_input()) {
            (true, true) => {
                shared.insert(one.name.as_str());
            }
            (false, false) => return Err(own("is driven by both modules", &one.name)),
            (true, false) => wires.push(other),
            (false, true) => wires.push(one),
        }
    }
    let taken = parts.iter().flat_map(|(_, part)| &part.ports).map(|port| port.name.as_str());
    let mut taken: BTreeSet<&str> = taken.collect();
    if let Some((instance, _)) = parts.iter().find(|(instance, _)| !names::is_free(instance) || !taken.insert(instance))
    {
        return Err(own("cannot be the name of an instance", instance));
    }

    let mut open: Vec<Port> = vec![];
    for (place, (_, part)) in parts.iter().enumerate() {
        // The heading of a group whose first ports are wires is that of the next one.
        let mut heading = None;
        for port in &part.ports {
            heading = port.heading.clone().or(heading);
            let is_wire = wires.iter().any(|wire| wire.name == port.name);
            if is_wire || place > 0 && shared.contains(port.name.as_str()) {
                continue;
            }
            let direction = if port.is_input() { Direction::Input } else { Direction::Output };
            open.push(Port { heading: heading.take(), direction, ..port.clone() });
        }
    }
    let mut lines = vec![];
    ports::list(None, &open, &mut lines);
    lines.push(format!("    // Between {} and {}.", first.0, second.0));
    ports::wires(&wires, &mut lines);
    for (instance, part) in parts {
        lines.push(String::new());
        lines.push(format!("    {} {instance} (", part.name));
        let sources: Vec<_> = part.ports.iter().map(|port| (&*port.name, port.name.clone())).collect();
        ports::connect("    ", &sources, &mut lines);
    }
    lines.push("endmodule".to_string());
    let text: Vec<String> = lines.into_iter().flat_map(broken).collect();
    Ok(EmittedModule {
        name: name.to_string(),
        block: name.to_string(),
        comment: Some(comment.to_string()),
        is_memory: false,
        memories: vec![],
        ports: open,
        text: format!("{}\nmodule {name}{}\n", module::heading(name, Some(comment)), text.join("\n")),
        children: parts.iter().map(|(_, part)| part.name.clone()).collect(),
    })
}
