//! Contracts: what a block relies on, or promises, as one bit that is 1 while it holds.
//!
//! A local signal whose name begins with `contract_` is a contract, and its comment is the sentence that a simulator prints when
//! it is broken. What it must remember from cycle to cycle stands in registers whose names begin with `contract_`, too. All of it
//! stands at the end of the module, under the macro [`MACRO`]: without that the module is the same as if there were no contract.

use std::collections::BTreeSet;

use super::Refusal;
use super::assignment::Assignments;
use super::expression::{Kind, SignalId, Statement};
use super::print::wrapped;
use super::scope::{ChildKind, Role, Scope};
use super::split::keep;
use super::statements::{each_of_statements, reads_any};

/// Under which a simulator checks the contracts; synthesis never sees them.
pub const MACRO: &str = "LSU_CONTRACTS";

/// Stands for the name of the module itself.
pub(crate) const OWN_NAME: &str = "<this module>";

const PREFIX: &str = "contract_";

/// A kernel without its contracts, and these.
pub(crate) struct Apart {
    pub(crate) unit: Vec<Statement>,
    pub(crate) contracts: Vec<Statement>,
}

/// True if a signal is a contract, or belongs to a register of contracts.
pub(crate) fn is_part(scope: &Scope, id: SignalId) -> bool {
    match scope.signals[id].role {
        Role::ChildInput(child) | Role::ChildOutput(child) => scope.children[child].name.starts_with(PREFIX),
        Role::Local => scope.signals[id].verilog.starts_with(PREFIX),
        Role::Input | Role::Output | Role::Constant | Role::Field => false,
    }
}

/// The contracts, in the order of their fields.
pub(crate) fn all(scope: &Scope) -> Vec<SignalId> {
    // Not what the writer itself gives a name for one.
    let is_contract = |id: &SignalId| scope.signals[*id].role == Role::Local && is_part(scope, *id);
    scope.by_key.values().copied().filter(is_contract).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Refuses fields that only look like contracts.
pub(crate) fn check(scope: &Scope) -> Result<(), Refusal> {
    for signal in scope.signals.iter().filter(|signal| signal.verilog.starts_with(PREFIX)) {
        if matches!(signal.role, Role::Input | Role::Output | Role::Constant) {
            return Err(scope.refusal(&signal.verilog, "a contract must be a local signal: name it otherwise"));
        }
        if signal.role == Role::Local && signal.total() != 1 {
            return Err(scope.refusal(&signal.verilog, "a contract must have one bit"));
        }
        if signal.role == Role::Local && signal.comment.as_ref().is_none_or(|text| !text.is_ascii()) {
            let reason = "a contract needs a comment in ASCII: the sentence that is printed when it is broken";
            return Err(scope.refusal(&signal.verilog, reason));
        }
    }
    for child in scope.children.iter().filter(|child| child.name.starts_with(PREFIX)) {
        if !matches!(child.kind, ChildKind::Register(_)) {
            return Err(scope.refusal(&child.name, "contracts can have registers, but no blocks or memories"));
        }
    }
    Ok(())
}

/// Takes a kernel apart.
pub(crate) fn apart(scope: &Scope, statements: Vec<Statement>, found: &Assignments) -> Result<Apart, Refusal> {
    let (parts, others): (BTreeSet<_>, BTreeSet<_>) = (0..scope.signals.len()).partition(|id| is_part(scope, *id));
    if parts.is_empty() {
        return Ok(Apart { unit: statements, contracts: vec![] });
    }
    for id in all(scope) {
        let name = &scope.signals[id].verilog;
        if !found.assigned.contains(&id) {
            return Err(scope.refusal(name, "never assigned"));
        }
        for pin in ["clock", "reset"] {
            if scope.by_key.get(pin).is_none_or(|id| scope.signals[*id].role != Role::Input) {
                return Err(scope.refusal(name, format!("the block has no input `{pin}`, which a contract needs")));
            }
        }
    }
    let of_unit: BTreeSet<_> =
        found.assigned.iter().filter(|id| others.contains(id)).map(|id| found.group[*id]).collect();
    if let Some(id) = parts.iter().find(|id| found.assigned.contains(id) && of_unit.contains(&found.group[**id])) {
        let reason = "a contract reads what is assigned again behind it: let it stand behind the last assignment";
        return Err(scope.refusal(&scope.signals[*id].verilog, reason));
    }
    let apart = Apart { unit: keep(&statements, &others), contracts: keep(&statements, &parts) };
    if let Some(id) = parts.iter().find(|id| reads_any(&apart.unit, &BTreeSet::from([**id]))) {
        return Err(scope.refusal(&scope.signals[*id].verilog, "only contracts may read a contract or its registers"));
    }
    // Whether such an input has a name in the module depends on what else reads it, which contracts must not change.
    let mut hidden = None;
    each_of_statements(&apart.contracts, &mut |value| {
        value.walk(&mut |inner| {
            if let Kind::Element(id, _) | Kind::Vector(id) = &inner.kind
                && matches!(scope.signals[*id].role, Role::ChildInput(_))
            {
                hidden = Some(*id);
            }
        });
    });
    match hidden {
        Some(id) => {
            let reason = "a contract cannot read an input of a block or register: let it read what that is assigned";
            Err(scope.refusal(&scope.signals[id].verilog, reason))
        }
        None => Ok(apart),
    }
}

/// The process that looks at the contracts, which hold where they are 1 and neither 0 nor unknown, at every edge at which `reset`
/// is 0, from the first at which it was 1 on; `begun` is the name of the register that holds the latter.
pub(crate) fn process(scope: &Scope, begun: &str, lines: &mut Vec<String>) {
    let pin = |key: &str| scope.by_key.get(key).map_or("", |id| scope.signals[*id].verilog.as_str());
    let (clock, reset) = (pin("clock"), pin("reset"));
    lines.push(String::new());
    lines.push(format!("    reg {begun};  // {reset} has been 1."));
    lines.push(format!("    initial {begun} = 1'b0;"));
    lines.push(format!("    always @(posedge {clock}) begin"));
    lines.push(format!("        {begun} <= {begun} | {reset};"));
    lines.push(format!("        if ({begun} && !{reset}) begin"));
    for id in all(scope) {
        let contract = &scope.signals[id];
        lines.push(format!("            if ({} !== 1'b1) begin", contract.verilog));
        lines.push(format!("                $display(\"contract of {OWN_NAME} broken in %m:\","));
        let sentence = contract.comment.as_deref().unwrap_or_default();
        let sentence = sentence.replace('\\', "\\\\").replace('"', "\\\"").replace('%', "%%");
        let mut texts = vec![];
        // Two letters wider than it is printed, for what stands behind the words.
        wrapped("                    \"", &sentence, &mut texts);
        for (place, text) in texts.iter().enumerate() {
            let end = if place + 1 < texts.len() { "," } else { ");" };
            lines.push(format!("{}\"{end}", &text[2..]));
        }
        lines.push("                $stop;".to_string());
        lines.push("            end".to_string());
    }
    lines.push("        end".to_string());
    lines.push("    end".to_string());
}
