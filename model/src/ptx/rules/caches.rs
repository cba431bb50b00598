//! Cache operators, `.nc`, eviction priorities, cache hints and prefetch sizes.

use crate::diagnostic::Diagnostic;
use crate::micro_op::{Access, CacheOperator};
use crate::ptx::cache_policy::holds_policy;
use crate::ptx::instruction::{Instruction, Operation, StateSpace};
use crate::ptx::print::{l1_name, l2_name, prefetch_name};

use crate::ptx::finding::{Findings, Subject};

/// Checks everything that steers a cache.
pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    let instruction = subject.instruction;
    operator(instruction, findings);
    non_coherent(instruction, findings);
    l1_eviction(instruction, findings);
    l2_eviction(instruction, findings);
    cache_hint(subject, findings);
    prefetch(instruction, findings);
}

/// Loads and stores have operators of their own.
fn operator(instruction: &Instruction, findings: &mut Findings) {
    let Some(operator) = &instruction.operator else { return };
    let access = match instruction.operation.value {
        Operation::Load => Access::Load,
        Operation::Store => Access::Store,
    };
    if !operator.value.is_legal_for(access) {
        let name = instruction.operation.value.name();
        let message = format!("`{name}` has no cache operator `.{}`", operator.value.name());
        findings.both(
            Diagnostic::error("operator-direction", operator.span.clone(), message)
                .with_help(format!("the operators of {name} are {}", CacheOperator::choices(access))),
        );
    }
    if let Some(priority) = &instruction.l1_eviction {
        let message = format!("`.{}` cannot be combined with `.{}`", l1_name(priority.value), operator.value.name());
        findings.both(
            Diagnostic::error("operator-eviction", priority.span.clone(), message)
                .with_label("a second way to steer L1")
                .with_help("keep either the cache operator or the eviction priority"),
        );
    }
    // The documents at hand have no page about the qualifiers of `st`.
    if let (Some(priority), Operation::Load) = (&instruction.l2_eviction, instruction.operation.value) {
        let message = format!("`.{}` with `.{}`", l2_name(priority.value), operator.value.name());
        findings.documents(
            Diagnostic::error("operator-eviction", priority.span.clone(), message),
            "ld{.weak}{.ss}{.cop}{.level::cache_hint}{.level::prefetch_size}{.vec}.type  d, [a]{.unified}\
             {, cache-policy};",
        );
    }
}

/// `.nc` belongs to `ld.global`, with three operators.
fn non_coherent(instruction: &Instruction, findings: &mut Findings) {
    let Some(non_coherent) = &instruction.non_coherent else { return };
    if instruction.operation.value == Operation::Store {
        findings.both(
            Diagnostic::error("nc-store", non_coherent.span.clone(), "`st` cannot be `.nc`")
                .with_help("the non-coherent cache is read-only: remove .nc"),
        );
    }
    if instruction.state_space() != Some(StateSpace::Global) {
        findings.both(
            Diagnostic::error("nc-space", non_coherent.span.clone(), "`.nc` requires `.global`")
                .with_label("no .global")
                .with_help("write ld.global.nc"),
        );
    }
    if let Some(operator) = &instruction.operator
        && instruction.operation.value == Operation::Load
        && operator.value.is_legal_for(Access::Load)
        && !operator.value.is_legal_for(Access::NonCoherentLoad)
    {
        let message = format!("`ld.global.nc` has no cache operator `.{}`", operator.value.name());
        findings.both(Diagnostic::error("nc-operator", operator.span.clone(), message).with_help(format!(
            "the operators of ld.global.nc are {}",
            CacheOperator::choices(Access::NonCoherentLoad)
        )));
    }
}

/// L1 priorities steer global accesses only.
fn l1_eviction(instruction: &Instruction, findings: &mut Findings) {
    let Some(priority) = &instruction.l1_eviction else { return };
    if let Some(space) = instruction.space.as_ref().filter(|_| !instruction.is_global_or_generic()) {
        let message = format!("`.{}` cannot be applied to `.{}`", l1_name(priority.value), space.value.name());
        findings.assembler(
            Diagnostic::error("eviction-space", priority.span.clone(), message)
                .with_label("not in this state space")
                .with_help("eviction priorities work on .global and on generic addresses"),
        );
    }
}

/// L2 priorities belong to the 256-bit forms.
fn l2_eviction(instruction: &Instruction, findings: &mut Findings) {
    let Some(priority) = &instruction.l2_eviction else { return };
    if !instruction.is_wide() {
        let message = format!("`.{}` needs a 256-bit access", l2_name(priority.value));
        findings.both(
            Diagnostic::error("l2-eviction-shape", priority.span.clone(), message)
                .with_label("not on this access")
                .with_help("L2 eviction priorities go with .v8 of 32-bit types and .v4 of 64-bit types"),
        );
    }
}

/// The hint, its policy, and where they are allowed.
fn cache_hint(subject: &Subject<'_>, findings: &mut Findings) {
    let instruction = subject.instruction;
    match (&instruction.cache_hint, &instruction.policy) {
        (None, Some(policy)) => findings.both(
            Diagnostic::error("policy-without-hint", policy.span.clone(), "a cache policy needs `.L2::cache_hint`")
                .with_label("no hint asks for it")
                .with_help("add .L2::cache_hint, or remove the operand"),
        ),
        (Some(hint), None) => findings.assembler(
            Diagnostic::error("hint-without-policy", hint.span.clone(), "`.L2::cache_hint` needs a cache policy")
                .with_label("no policy operand")
                .with_help("add a 64-bit register or number behind the other operands"),
        ),
        _ => {}
    }
    if let Some(policy) = &instruction.policy
        && let Err(diagnostic) = holds_policy(policy, subject.context)
    {
        findings.both(diagnostic);
    }
    let (Some(hint), Some(space)) = (&instruction.cache_hint, &instruction.space) else { return };
    if !instruction.is_global_or_generic() {
        let message = format!("`.L2::cache_hint` cannot be applied to `.{}`", space.value.name());
        findings.both(
            Diagnostic::error("hint-space", hint.span.clone(), message)
                .with_label("not in this state space")
                .with_help("cache hints work on .global and on generic addresses"),
        );
    }
}

/// Prefetch sizes belong to loads from global memory.
fn prefetch(instruction: &Instruction, findings: &mut Findings) {
    let Some(size) = &instruction.prefetch else { return };
    let name = prefetch_name(size.value);
    if instruction.operation.value == Operation::Store {
        findings.both(
            Diagnostic::error("prefetch-store", size.span.clone(), format!("`st` has no prefetch size `.{name}`"))
                .with_help("only loads prefetch: remove it"),
        );
    }
    if let Some(space) = instruction.space.as_ref().filter(|_| !instruction.is_global_or_generic()) {
        let message = format!("`.{name}` cannot be applied to `.{}`", space.value.name());
        findings.both(
            Diagnostic::error("prefetch-space", size.span.clone(), message)
                .with_label("not in this state space")
                .with_help("prefetch sizes work on .global and on generic addresses"),
        );
    }
}
