//! The model of a broken unit.

use lsu_cosim::mutate::Breakable;
use lsu_cosim::verilator::{Cache, Toolchain};
use lsu_hdl::verilog::{EmittedModule, Fault, Mutant};
use lsu_model::preset::Preset;

/// What is 1 while the bug at this place of the list is chosen.
pub fn chosen(place: usize) -> String {
    format!("(lsu.mutant == 32'd{})", place + 1)
}

/// The model of `modules`, those of `preset`, with `head` before them, in which each of `bugs` (where and what) stands behind what [`chosen`] says.
pub fn build<'a>(
    preset: Preset,
    head: &str,
    modules: &[EmittedModule],
    bugs: impl Iterator<Item = (&'a str, &'a str)>,
) -> Breakable {
    let text = lsu_hdl::verilog::file(&modules.iter().collect::<Vec<_>>());
    let text = text.replacen("module lsu (", "module lsu (\n    input wire [31:0] mutant,", 1);
    let mutants = bugs.zip(1..).map(|((module, what), id)| Mutant {
        id,
        module: module.to_string(),
        fault: Fault::Mask,
        place: what.to_string(),
        bit: 0,
    });
    let toolchain = Toolchain::find(None, Cache::user().expect("a cache")).expect("Verilator");
    Breakable::from_text(preset, format!("{head}{text}"), mutants.collect(), &toolchain).expect("built")
}
