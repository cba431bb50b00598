//! A unit that is broken on purpose: many broken units in one, chosen by a selector.
//!
//! With mutation on, the writer prints what can be wrong ([`Fault`]) beside what should be: bits that a comparison, a reduction or a mask leaves
//! out, other operators, constants, signals and shifts, conditions that always or never hold, assignments that do not happen, connections with a
//! wrong bit. Which one is the matter of an input `mutant` of the top level, so that a unit is built once and broken thousands of times:
//!
//! ```text
//! if (valid_q[i] & ((tag_q[i * 13 +: 13] & ~ignored_7) == (key & ~ignored_7))) begin
//!     if (!ignored_8) found = 1'b1;
//! ```
//!
//! `ignored_7` is a register of the module, loaded while `rst` is high: one bit of it is set if `mutant` names it. Mutant 0 is
//! the unit as it is. A mutant changes every place that is made of the same line of Verilog: all rounds of its loop, all
//! instances of its module.

use std::collections::BTreeSet;

use super::sites::{Fault, Site, register};

/// Stands in a module's text for the declarations of its sites, as long as the numbers of its mutants are not known.
pub(crate) const DECLARATIONS: &str = "    <declarations of sites>";

/// Stands in a module's header for the input that chooses a mutant.
pub(crate) const PORT: &str = "    <input that chooses a mutant>";

/// Stands for the number of all mutants.
pub(crate) const COUNT: &str = "<mutants>";

/// Which mutants a text holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breakage<'a> {
    /// None: the unit as it should be.
    None,
    /// These, behind the input `mutant` of the top level.
    Selected(Chosen<'a>),
    /// These, each behind its own bit of the input `mutant` of every module: for proofs.
    Wired(Chosen<'a>),
}

/// Some of the mutants, which keep the numbers that they have among all of them: the fewer there are, the faster is what is
/// built of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chosen<'a> {
    /// All.
    All,
    /// Those with these numbers.
    Only(&'a BTreeSet<u32>),
}

impl Chosen<'_> {
    fn contains(self, id: u32) -> bool {
        match self {
            Self::All => true,
            Self::Only(ids) => ids.contains(&id),
        }
    }
}

/// One broken unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// What `mutant` must carry to choose it; from 1.
    pub id: u32,
    /// The module that is broken, without the prefix of all modules.
    pub module: String,
    /// What is wrong.
    pub fault: Fault,
    /// The comparison, operation or mask, as the Verilog has it, or a part of a statement and the statement; where the module has the
    /// same text again, with its number: `size == SIZE_64 (2)`.
    pub place: String,
    /// The bit, or which of the things that [`Fault`] numbers.
    pub bit: u32,
}

/// The declarations of the registers of `sites`, the first of whose mutants has the number `first`, and the process that loads
/// them; `top` is the top level.
pub(crate) fn declarations(sites: &[Site], first: u32, breakage: Breakage<'_>, top: &str) -> String {
    let (chosen, is_selected) = match breakage {
        Breakage::None => return String::new(),
        Breakage::Selected(chosen) => (chosen, true),
        Breakage::Wired(chosen) => (chosen, false),
    };
    let mut lines = vec![];
    let mut loads = vec![];
    let mut first = first;
    for (number, site) in sites.iter().enumerate() {
        let (name, width) = (register(number), site.width as u32);
        let range = super::print::range(site.width);
        let ids = first..first + width;
        first += width;
        if !ids.clone().any(|id| chosen.contains(id)) {
            lines.push(format!("    localparam {range}{name} = {width}'d0;"));
            continue;
        }
        let bits = ids.rev().map(|id| match (chosen.contains(id), is_selected) {
            (false, _) => "1'b0".to_string(),
            (true, true) => format!("{top}.mutant == 32'd{id}"),
            (true, false) => format!("mutant[{id}]"),
        });
        let bits = bits.collect::<Vec<_>>().join(", ");
        if is_selected {
            lines.push(format!("    reg {range}{name};"));
            loads.push(format!("            {name} <= {{{bits}}};"));
        } else {
            lines.push(format!("    wire {range}{name} = {{{bits}}};"));
        }
    }
    if !loads.is_empty() {
        lines.push(format!("    always @(posedge {top}.clk) begin"));
        lines.push(format!("        if ({top}.rst) begin"));
        lines.extend(loads);
        lines.push("        end".to_string());
        lines.push("    end".to_string());
    }
    lines.into_iter().flat_map(super::print::broken).collect::<Vec<_>>().join("\n")
}

/// The line of a module's header with the input that chooses a mutant, if it has one.
pub(crate) fn port(breakage: Breakage<'_>, is_top: bool) -> String {
    match breakage {
        Breakage::Selected(_) if is_top => {
            "    input  wire [31:0] mutant,  // Which mutant it is; 0 is none.".to_string()
        }
        Breakage::Wired(_) => format!("    input  wire [{COUNT}:0] mutant,"),
        Breakage::None | Breakage::Selected(_) => String::new(),
    }
}

/// `text`, in which the instances that begin with `instance` get the owner's input `mutant`.
pub(crate) fn passed_on(text: &str, instance: &str) -> String {
    let pass_on = |line: &str| match line.contains(instance) {
        true => format!("{line}\n    .mutant (mutant),"),
        false => line.to_string(),
    };
    text.lines().map(pass_on).collect::<Vec<_>>().join("\n")
}
