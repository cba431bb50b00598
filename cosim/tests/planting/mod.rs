//! Bugs planted in the emitted Verilog of a preset, all in one model behind a selector.

mod flat;
mod model;

use lsu_cosim::mutate::Breakable;
use lsu_hdl::emit::DEFAULT_PREFIX;
use lsu_model::preset::Preset;

use flat::flat;
use model::{build, chosen};

/// What is wrong, where, and the expression (or the right side of the assignment, if it ends in a semicolon, or what an instance's
/// port gets, if it begins with a dot) that becomes another one. A module's name stands without the prefix of all modules.
#[derive(Clone, Copy)]
pub struct Bug {
    /// What is wrong.
    pub what: &'static str,
    /// Where.
    pub module: &'static str,
    /// What stands there.
    pub from: &'static str,
    /// What stands there instead.
    pub to: &'static str,
}

/// A bug.
pub const fn bug(module: &'static str, what: &'static str, from: &'static str, to: &'static str) -> Bug {
    Bug { what, module, from, to }
}

fn plant(text: &str, number: usize, bug: &Bug) -> String {
    let chosen = chosen(number);
    let assignment = bug.from.strip_suffix(';').and_then(|assignment| assignment.split_once(" = "));
    let connection = bug.from.strip_suffix(')').and_then(|connection| connection.strip_prefix('.')?.split_once(" ("));
    let replacement = match (assignment, connection) {
        (Some((target, value)), _) => format!("{target} = {chosen} ? ({}) : ({value});", bug.to),
        (None, Some((port, value))) => format!(".{port} ({chosen} ? ({}) : ({value}))", bug.to),
        (None, None) => format!("({chosen} ? ({}) : ({}))", bug.to, bug.from),
    };
    let flat = flat(text);
    assert!(flat.contains(bug.from), "{}: `{}` is no longer in the Verilog", bug.module, bug.from);
    let mut text = text.to_string();
    if !text.contains(bug.from) {
        text = flat;
    }
    text.replace(bug.from, &replacement)
}

/// The Verilog of `preset`, behind `head`, with all `bugs` in it, built. Number 0 is the Verilog as it is, the first bug is number 1.
pub fn breakable(preset: Preset, head: &str, bugs: &[Bug]) -> Breakable {
    let mut modules = lsu_hdl::emit::modules(preset.name, DEFAULT_PREFIX).expect("emitted");
    for (number, bug) in bugs.iter().enumerate() {
        let module = modules.iter_mut().find(|module| module.block == bug.module);
        let module = module.unwrap_or_else(|| panic!("there is no module {}", bug.module));
        module.text = plant(&module.text, number, bug);
    }
    build(preset, head, &modules, bugs.iter().map(|bug| (bug.module, bug.what)))
}
