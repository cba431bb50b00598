//! Memory order, scope and `.mmio`.

use std::ops::Range;

use crate::diagnostic::Diagnostic;
use crate::micro_op::Scope;
use crate::ptx::instruction::{Instruction, Operation, Order, StateSpace};

use crate::ptx::finding::{Findings, Subject};

/// Checks order, scope and `.mmio` against each other and against everything that they exclude.
pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    let instruction = subject.instruction;
    direction(instruction, findings);
    scope(instruction, findings);
    space(instruction, findings);
    exclusions(instruction, findings);
    mmio(instruction, findings);
}

/// `.acquire` belongs to loads, `.release` to stores.
fn direction(instruction: &Instruction, findings: &mut Findings) {
    let Some(order) = &instruction.order else { return };
    let instead = match (instruction.operation.value, order.value) {
        (Operation::Load, Order::Release) => ".acquire",
        (Operation::Store, Order::Acquire) => ".release",
        _ => return,
    };
    let name = instruction.operation.value.name();
    let message = format!("`{name}` cannot be `.{}`", order.value.name());
    findings.both(
        Diagnostic::error("order-direction", order.span.clone(), message)
            .with_help(format!("write {instead}, or .relaxed")),
    );
}

/// A strong order needs a scope; nothing else may have one.
fn scope(instruction: &Instruction, findings: &mut Findings) {
    let strong = instruction.order.as_ref().filter(|order| order.value.is_strong());
    match (strong, &instruction.scope, &instruction.order) {
        (Some(order), None, _) => {
            let message = format!("`.{}` needs a scope", order.value.name());
            let choice = if instruction.mmio.is_some() { "add .sys" } else { "add one of .cta .cluster .gpu .sys" };
            findings.both(
                Diagnostic::error("scope-missing", order.span.clone(), message)
                    .with_label("no scope")
                    .with_help(choice),
            );
        }
        (None, Some(scope), Some(order)) => {
            let message = format!("`.{}` has no scope", order.value.name());
            findings.both(
                Diagnostic::error("scope-without-order", scope.span.clone(), message)
                    .with_label("not with this order")
                    .with_help("remove the scope, or write .relaxed, .acquire or .release"),
            );
        }
        (None, Some(scope), None) => {
            let message = format!("the scope `.{}` needs a memory order", scope.value.name());
            findings.both(
                Diagnostic::error("scope-without-order", scope.span.clone(), message).with_label("no order").with_help(
                    match instruction.operation.value {
                        Operation::Load => "add .relaxed or .acquire",
                        Operation::Store => "add .relaxed or .release",
                    },
                ),
            );
        }
        _ => {}
    }
}

/// Which state spaces an order may be used with.
fn space(instruction: &Instruction, findings: &mut Findings) {
    let (Some(order), Some(space)) = (&instruction.order, &instruction.space) else { return };
    let (is_allowed, spaces) = match order.value {
        Order::Weak => return,
        Order::Volatile => (
            space.value == StateSpace::Global || space.value == StateSpace::Local || space.value.is_shared(),
            ".global, .shared, .local or generic addressing",
        ),
        Order::Relaxed | Order::Acquire | Order::Release => {
            (space.value == StateSpace::Global || space.value.is_shared(), ".global, .shared or generic addressing")
        }
    };
    if !is_allowed {
        let message = format!("`.{}` cannot be applied to `.{}`", order.value.name(), space.value.name());
        findings.both(
            Diagnostic::error("order-space", order.span.clone(), message)
                .with_label("not in this state space")
                .with_help(format!(".{} may be used with {spaces}", order.value.name())),
        );
    }
}

/// Adds the finding that `.{first}` and the qualifier at `span` exclude each other.
fn exclude(findings: &mut Findings, rule: &'static str, first: &str, second: &str, span: &Range<usize>, help: &str) {
    let message = format!("`{second}` cannot be combined with `.{first}`");
    findings.both(Diagnostic::error(rule, span.clone(), message).with_label("excluded").with_help(help));
}

/// What an order excludes: cache operators, `.nc`, and for `.volatile` the cache hints.
fn exclusions(instruction: &Instruction, findings: &mut Findings) {
    let Some(order) = &instruction.order else { return };
    let name = order.value.name();
    if let (true, Some(operator)) = (order.value != Order::Weak, &instruction.operator) {
        let help = "cache operators belong to weak accesses: remove one of the two";
        exclude(findings, "order-operator", name, &format!(".{}", operator.value.name()), &operator.span, help);
    }
    if let Some(non_coherent) = &instruction.non_coherent {
        let help = "ld.global.nc has no memory order: remove one of the two";
        exclude(findings, "order-nc", name, ".nc", &non_coherent.span, help);
    }
    if order.value != Order::Volatile {
        return;
    }
    if let Some(priority) = &instruction.l1_eviction {
        let help = "a volatile access takes no eviction priority";
        exclude(findings, "volatile-hint", name, ".L1::eviction_priority", &priority.span, help);
    }
    if let Some(hint) = &instruction.cache_hint {
        exclude(
            findings,
            "volatile-hint",
            name,
            ".L2::cache_hint",
            &hint.span,
            "a volatile access takes no cache hint",
        );
    }
    // The documents at hand have no page about `st`.
    if let (Some(priority), Operation::Load) = (&instruction.l2_eviction, instruction.operation.value) {
        let message = "`.volatile` with an L2 eviction priority";
        findings.documents(
            Diagnostic::error("volatile-hint", priority.span.clone(), message),
            "ld.volatile{.ss}{.level::prefetch_size}{.vec}.type  d, [a];",
        );
    }
}

/// Everything about `.mmio`.
fn mmio(instruction: &Instruction, findings: &mut Findings) {
    let Some(mmio) = &instruction.mmio else { return };
    let (companion, choices) = match instruction.operation.value {
        Operation::Load => (Order::Acquire, ".relaxed or .acquire"),
        Operation::Store => (Order::Release, ".relaxed or .release"),
    };
    match &instruction.order {
        Some(order) if order.value == Order::Relaxed => {}
        // The documents at hand have no page about `st`.
        Some(order) if order.value == companion && order.value == Order::Release => {}
        Some(order) if order.value == companion => {
            let message = format!("`.mmio` with `.{}`", companion.name());
            findings.documents(
                Diagnostic::error("mmio-order", order.span.clone(), message),
                "The qualifiers .mmio and .relaxed must be specified together.",
            );
        }
        _ => findings.both(
            Diagnostic::error("mmio-order", mmio.span.clone(), format!("`.mmio` needs {choices}"))
                .with_label("no order")
                .with_help("write .mmio.relaxed.sys"),
        ),
    }
    match &instruction.scope {
        Some(scope) if scope.value != Scope::Sys => findings.both(
            Diagnostic::error("mmio-scope", scope.span.clone(), "only `.sys` scope is valid for `.mmio`")
                .with_label("not .sys")
                .with_help("write .sys"),
        ),
        Some(_) => {}
        // With an order that needs a scope, its absence has been reported.
        None if instruction.order.as_ref().is_some_and(|order| order.value.is_strong()) => {}
        None => findings.both(
            Diagnostic::error("scope-missing", mmio.span.clone(), "`.mmio` needs the scope `.sys`")
                .with_help("add .sys"),
        ),
    }
    if let Some(space) = instruction.space.as_ref().filter(|space| space.value != StateSpace::Global) {
        let message = format!("`.mmio` cannot be applied to `.{}`", space.value.name());
        findings.both(
            Diagnostic::error("mmio-space", mmio.span.clone(), message)
                .with_label("not in this state space")
                .with_help(".mmio may be used with .global or with generic addressing"),
        );
    }
    let excluded = [
        instruction.vector.as_ref().map(|vector| (".vec", &vector.span)),
        instruction.l1_eviction.as_ref().map(|priority| (".L1::eviction_priority", &priority.span)),
        instruction.l2_eviction.as_ref().map(|priority| (".L2::eviction_priority", &priority.span)),
        instruction.cache_hint.as_ref().map(|hint| (".L2::cache_hint", &hint.span)),
        instruction.prefetch.as_ref().map(|size| (".L2::prefetch_size", &size.span)),
        instruction.non_coherent.as_ref().map(|non_coherent| (".nc", &non_coherent.span)),
        instruction.operator.as_ref().map(|operator| ("a cache operator", &operator.span)),
    ];
    for (name, span) in excluded.into_iter().flatten() {
        let help = "an MMIO access is one plain access of each lane: ld.mmio.relaxed.sys{.global}.type";
        exclude(findings, "mmio-modifier", "mmio", name, span, help);
    }
}
