//! A module that holds two others and connects the ports that have the same name.

use std::collections::BTreeSet;

use super::ports::{self, Port};
use super::{EmittedModule, Refusal, names, wrapper};

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

    let is_wire = |port: &Port| wires.iter().any(|wire| wire.name == port.name);
    let mut open = wrapper::outside(first.1, is_wire);
    open.extend(wrapper::outside(second.1, |port| is_wire(port) || shared.contains(port.name.as_str())));
    let mut lines = vec![format!("    // Between {} and {}.", first.0, second.0)];
    ports::wires(&wires, &mut lines);
    for (instance, part) in parts {
        wrapper::instance(instance, part, |port| port.name.clone(), &mut lines);
    }
    Ok(wrapper::wrapper(name, comment, open, lines, parts.map(|(_, part)| part)))
}
