//! Gates: the least PTX version and the least target of each feature.

use std::ops::Range;

use crate::diagnostic::Diagnostic;
use crate::micro_op::{Prefetch, Scope};
use crate::ptx::context::{Context, Symbol, VariableSpace};
use crate::ptx::instruction::{Base, Instruction, Operation, Order, Source, StateSpace};
use crate::ptx::types::Class;
use crate::ptx::version::{Gate, Target, Version};

use crate::ptx::finding::{Authority, Finding, Findings, Subject};

/// One feature that an instruction uses, and what it needs.
struct Need {
    feature: &'static str,
    span: Range<usize>,
    gate: Gate,
    authority: Authority,
}

/// Checks version and target against everything that the instruction uses.
pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    let Subject { instruction, version, target, context } = *subject;
    if version < target.least_version() {
        let message = format!("{target} does not exist in PTX {version}");
        findings.both(
            Diagnostic::error("gate-target-version", instruction.operation.span.clone(), message)
                .with_help(format!("{target} needs .version {} or later", target.least_version())),
        );
    }
    if let Some(StateSpace::ConstBank(_)) = instruction.state_space() {
        explicit_bank(subject, findings);
    }
    let needs = needs(instruction, context);
    if needs.iter().all(|need| need.gate.broken(version, target).is_none()) {
        return;
    }
    let assembler = join(&needs, Authority::Assembler);
    let documents = join(&needs, Authority::Documents);
    for need in needs {
        let Some(rule) = need.gate.broken(version, target) else { continue };
        let mut lacking = Vec::new();
        if version < need.gate.version {
            lacking.push(format!("PTX ISA .version {} or later", need.gate.version));
        }
        if target.number() < need.gate.target {
            lacking.push(format!(".target sm_{} or higher", need.gate.target));
        }
        let message = format!("{} requires {}", need.feature, lacking.join(" and "));
        let all = if need.authority == Authority::Documents { documents } else { assembler };
        let help =
            format!("the whole instruction needs at least .version {} and .target sm_{}", all.version, all.target);
        let diagnostic = Diagnostic::error(rule, need.span, message)
            .with_label(format!("not in PTX {version} for {target}"))
            .with_help(help);
        findings.0.push(Finding { authority: need.authority, diagnostic });
    }
}

/// `.const[n]` existed from PTX 1.5 to 2.1 and is in none of the documents.
fn explicit_bank(subject: &Subject<'_>, findings: &mut Findings) {
    let Some(space) = &subject.instruction.space else { return };
    if !(Version::new(1, 5)..Version::new(2, 2)).contains(&subject.version) {
        let message = "explicit constant banks exist from PTX 1.5 to PTX 2.1 only";
        findings.both(
            Diagnostic::error("gate-version", space.span.clone(), message)
                .with_label(format!("not in PTX {}", subject.version))
                .with_help("write .const without a bank"),
        );
    } else {
        findings.documents(
            Diagnostic::error("space-unknown", space.span.clone(), "an explicit constant bank"),
            ".ss = { .const, .global, .local, .param{::entry, ::func}, .shared{::cta, ::cluster} };",
        );
    }
}

/// The least version and target of the whole instruction, by the assembler or by the documents.
pub(in crate::ptx) fn least(instruction: &Instruction, context: &Context, authority: Authority) -> Gate {
    join(&needs(instruction, context), authority)
}

/// The least version and target that meet every need of `authority`.
fn join(needs: &[Need], authority: Authority) -> Gate {
    let mut gate = Gate { version: Version::OLDEST, target: 10 };
    for need in needs {
        if need.authority == Authority::Both || need.authority == authority {
            gate.version = gate.version.max(need.gate.version);
            gate.target = gate.target.max(need.gate.target);
        }
    }
    // The first target that is new enough brings a least version of its own.
    let known = Target::all().filter(|target| target.number() >= gate.target).map(Target::least_version).min();
    gate.version = gate.version.max(known.unwrap_or(Version::NEWEST));
    gate
}

/// What `feature`, written at `span`, needs.
fn need(
    feature: &'static str,
    span: &Range<usize>,
    (major, minor): (u8, u8),
    target: u16,
    authority: Authority,
) -> Need {
    Need { feature, span: span.clone(), gate: Gate { version: Version::new(major, minor), target }, authority }
}

/// Everything that the instruction uses and that not every version or target has.
fn needs(instruction: &Instruction, context: &Context) -> Vec<Need> {
    let always = (1, 0);
    let both = Authority::Both;
    let mut list: Vec<Need> = Vec::new();
    let mnemonic = &instruction.operation.span;
    if context.has_conventions() && context.is_kernel {
        list.push(need("a kernel with a parameter list", mnemonic, (1, 4), 10, both));
    }
    if let Some(space) = instruction.space.as_ref().filter(|space| space.value.is_param())
        && instruction.operation.value == Operation::Store
    {
        list.push(need("`st.param`", &space.span, always, 20, both));
    }
    match &instruction.space {
        None => list.push(need("generic addressing", mnemonic, (2, 0), 20, both)),
        Some(space) => match space.value {
            StateSpace::SharedCta => {
                list.push(need("`::cta`", &space.span, (7, 8), 10, both));
                list.push(need("`::cta`", &space.span, always, 30, Authority::Documents));
            }
            StateSpace::SharedCluster => list.push(need("`::cluster`", &space.span, (7, 8), 90, both)),
            StateSpace::ParamEntry => list.push(need("`::entry`", &space.span, (8, 3), 10, both)),
            StateSpace::ParamFunc => list.push(need("`::func`", &space.span, (8, 3), 10, both)),
            _ => {}
        },
    }
    if let Some(operator) = &instruction.operator {
        list.push(need("a cache operator", &operator.span, (2, 0), 20, both));
    }
    if let Some(non_coherent) = &instruction.non_coherent {
        list.push(need("`.nc`", &non_coherent.span, (3, 1), 32, both));
    }
    order(instruction, &mut list);
    if let Some(priority) = &instruction.l1_eviction {
        list.push(need("an L1 eviction priority", &priority.span, (7, 4), 70, both));
    }
    if let Some(hint) = &instruction.cache_hint {
        list.push(need("`.L2::cache_hint`", &hint.span, (7, 4), 80, both));
    }
    if let Some(size) = &instruction.prefetch {
        list.push(need("a prefetch size", &size.span, (7, 4), 75, both));
        if size.value == Prefetch::Bytes256 {
            // For ld.global.nc the documents name no target of its own.
            let authority = if instruction.non_coherent.is_some() { Authority::Assembler } else { both };
            list.push(need("`.L2::256B`", &size.span, (7, 4), 80, authority));
        }
    }
    if let Some(vector) = instruction.vector.as_ref().filter(|_| instruction.is_wide()) {
        list.push(need("a 256-bit load or store", &vector.span, (8, 8), 100, both));
    }
    let data_type = &instruction.data_type;
    if data_type.value.bits == 128 {
        list.push(need("`.b128`", &data_type.span, (8, 3), 70, both));
        let is_strong = instruction.order.as_ref().is_some_and(|order| order.value.is_strong());
        let is_system = instruction.scope.as_ref().is_some_and(|scope| scope.value == Scope::Sys);
        if is_strong && is_system {
            list.push(need("`.b128` with `.sys`", &data_type.span, (8, 4), 70, both));
        }
    } else if data_type.value.bits == 64 && data_type.value.class == Class::Float {
        list.push(need("`.f64`", &data_type.span, always, 13, Authority::Documents));
    }
    let wide_register = instruction.sources().iter().find(|source| match &source.value {
        Source::Register { name, .. } => {
            matches!(context.look_up(name), Some(Symbol::Register { data_type, .. }) if data_type.bits == 128)
        }
        _ => false,
    });
    if let Some(source) = wide_register {
        list.push(need("a .b128 register", &source.span, (8, 3), 70, both));
    }
    specials(instruction, context, &mut list);
    let address = &instruction.address.value;
    if let Some(unified) = &address.unified {
        list.push(need("`.unified`", &unified.span, (8, 0), 90, Authority::Documents));
    }
    if let Base::Name(name) = &address.base.value
        && let Some(Symbol::Variable(variable)) = context.look_up(name)
    {
        if variable.is_unified {
            list.push(need("a `.unified` variable", &address.base.span, (8, 0), 90, both));
        }
        if variable.space == VariableSpace::LocalParameter {
            list.push(need("a `.param` variable in a body", &address.base.span, (2, 0), 20, both));
        }
    }
    list
}

/// What the special registers of an instruction need.
fn specials(instruction: &Instruction, context: &Context, list: &mut Vec<Need>) {
    let mut add = |name: &str, span: &Range<usize>| {
        if let Some(special) = context.special(name) {
            let gate = Gate { version: special.version, target: special.target };
            let feature = "the special register";
            list.push(Need { feature, span: span.clone(), gate, authority: Authority::Assembler });
        }
    };
    for source in instruction.sources() {
        if let Source::Register { name, .. } | Source::Sum { name, .. } = &source.value {
            add(name, &source.span);
        }
    }
    let address = &instruction.address.value;
    if let Base::Name(name) = &address.base.value {
        add(name, &address.base.span);
    }
    if let Some(index) = &address.index {
        add(&index.value, &index.span);
    }
    if let Some(guard) = &instruction.guard {
        add(&guard.value.name, &guard.span);
    }
}

/// What order, scope and `.mmio` need.
fn order(instruction: &Instruction, list: &mut Vec<Need>) {
    if let Some(scope) = instruction.scope.as_ref().filter(|scope| scope.value == Scope::Cluster) {
        list.push(need("the scope `.cluster`", &scope.span, (7, 8), 90, Authority::Both));
    }
    if let Some(mmio) = &instruction.mmio {
        list.push(need("`.mmio`", &mmio.span, (8, 2), 70, Authority::Both));
    }
    let Some(order) = &instruction.order else { return };
    let feature = match order.value {
        Order::Weak => "`.weak`",
        Order::Relaxed => "`.relaxed`",
        Order::Acquire => "`.acquire`",
        Order::Release => "`.release`",
        Order::Volatile => {
            // The assembler's verdicts begin with 1.4, so that only the documents speak of 1.1.
            list.push(need("`.volatile`", &order.span, (1, 1), 10, Authority::Documents));
            if instruction.state_space() == Some(StateSpace::Local) {
                list.push(need("`.volatile` with `.local`", &order.span, (9, 1), 10, Authority::Both));
            }
            return;
        }
    };
    // The assembler checks for 5.1, the first version that knows sm_70; the documents say 6.0.
    list.push(need(feature, &order.span, (5, 1), 70, Authority::Both));
    list.push(need(feature, &order.span, (6, 0), 10, Authority::Documents));
    if instruction.mmio.is_some() && matches!(order.value, Order::Acquire | Order::Release) {
        list.push(need("`.mmio` with this order", &order.span, (9, 3), 70, Authority::Both));
    }
}
