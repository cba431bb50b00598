//! Addresses: what may stand in brackets, state spaces of variables, `.unified`.

use std::ops::Range;

use crate::diagnostic::Diagnostic;
use crate::ptx::context::{Symbol, Variable, VariableSpace};
use crate::ptx::instruction::{Base, Operation, StateSpace};
use crate::ptx::types::DataType;
use crate::ptx::version::Version;

use crate::ptx::finding::{Findings, Subject};

/// Checks the address operand.
pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    let instruction = subject.instruction;
    let address = &instruction.address.value;
    store_space(subject, findings);
    let mut variable = None;
    match &address.base.value {
        Base::Immediate => immediate(subject, findings),
        Base::Name(name) => match subject.context.look_up(name) {
            None => findings.both(super::registers::unknown(name, address.base.span.clone())),
            Some(Symbol::Register { data_type, vector }) => {
                if !is_address(data_type) || vector != 1 {
                    let message = format!("`{name}` of type .{data_type} cannot be an address");
                    findings.both(
                        Diagnostic::error("address-type", address.base.span.clone(), message)
                            .with_label("not an integer register")
                            .with_help("an address is an integer or bit register of at most 64 bits"),
                    );
                }
                if subject.context.is_kernel && instruction.state_space() == Some(StateSpace::ParamFunc) {
                    let message = format!("`{name}` is a register, and a kernel reaches `.param::func` by name only");
                    findings.assembler(
                        Diagnostic::error("param-owner", address.base.span.clone(), message)
                            .with_label("no `.param` variable")
                            .with_help("write the name of the variable that was declared for the call"),
                    );
                }
                if address.is_indexed {
                    not_array(name, address.base.span.clone(), findings);
                }
                special_parameter(subject, name, findings);
            }
            Some(Symbol::Variable(found)) => {
                variable = Some(found);
                if address.is_indexed && !found.is_array {
                    not_array(name, address.base.span.clone(), findings);
                }
                space(subject, name, found, findings);
                parameters(subject, name, found, findings);
            }
            Some(Symbol::Function | Symbol::Other) => findings.both(
                Diagnostic::error("address-type", address.base.span.clone(), format!("`{name}` is no variable"))
                    .with_label("neither a register nor a variable"),
            ),
        },
    }
    if address.is_indexed && variable.is_some() {
        findings.documents(
            Diagnostic::error("address-form", address.base.span.clone(), "a variable with an index in brackets"),
            "d = a; d = *(&a+immOff); d = *a; d = *(a+immOff); d = *(immAddr);",
        );
    }
    index(subject, findings);
    unified(subject, variable, findings);
}

/// The assembler does not let a guarded access to a parameter begin at a special register.
fn special_parameter(subject: &Subject<'_>, name: &str, findings: &mut Findings) {
    let instruction = subject.instruction;
    if let Some(guard) = &instruction.guard
        && instruction.state_space().is_some_and(StateSpace::is_param)
        && subject.context.special(name).is_some()
    {
        let message = format!("the access to a parameter through `{name}` cannot be predicated");
        findings.assembler(
            Diagnostic::error("param-predicated", guard.span.clone(), message)
                .with_label("remove the guard")
                .with_help("move the special register to another one first"),
        );
    }
}

/// What is no array has no elements.
fn not_array(name: &str, span: Range<usize>, findings: &mut Findings) {
    findings.both(
        Diagnostic::error("address-type", span, format!("`{name}[…]` needs an array"))
            .with_label("not declared with a length")
            .with_help(format!("write [{name}+offset]")),
    );
}

/// The register that chooses the element of an array. The assembler takes the address of a variable as well.
fn index(subject: &Subject<'_>, findings: &mut Findings) {
    let Some(index) = &subject.instruction.address.value.index else { return };
    match subject.context.look_up(&index.value) {
        None => findings.both(super::registers::unknown(&index.value, index.span.clone())),
        Some(Symbol::Register { data_type, vector: 1 }) if is_address(data_type) => {}
        Some(Symbol::Variable(_)) => {}
        Some(_) => {
            let message = format!("`{}` cannot choose an element", index.value);
            findings.both(
                Diagnostic::error("address-type", index.span.clone(), message)
                    .with_label("not an integer register")
                    .with_help("an index is an integer or bit register of at most 64 bits"),
            );
        }
    }
}

/// Whether a register of this type may hold an address or be added to one.
fn is_address(data_type: DataType) -> bool {
    data_type.is_integral() && data_type.bits <= 64
}

/// Stores into read-only spaces.
fn store_space(subject: &Subject<'_>, findings: &mut Findings) {
    let instruction = subject.instruction;
    let Some(space) = instruction.space.as_ref().filter(|_| instruction.operation.value == Operation::Store) else {
        return;
    };
    if matches!(space.value, StateSpace::Const | StateSpace::ConstBank(_) | StateSpace::ParamEntry) {
        let message = format!("`st` cannot write `.{}`", space.value.name());
        findings.both(
            Diagnostic::error("store-space", space.span.clone(), message)
                .with_label("read-only")
                .with_help("stores reach .global, .shared, .local, .param of calls, and generic addresses"),
        );
    }
}

/// Numbers as addresses.
fn immediate(subject: &Subject<'_>, findings: &mut Findings) {
    let instruction = subject.instruction;
    if instruction.state_space() != Some(StateSpace::Local) {
        findings.assembler(
            Diagnostic::error(
                "address-immediate",
                instruction.address.value.base.span.clone(),
                "only `.local` takes a number as the address",
            )
            .with_label("a number")
            .with_help("move the number to a register first"),
        );
    }
}

/// The space of the variable against the space of the instruction.
fn space(subject: &Subject<'_>, name: &str, variable: Variable, findings: &mut Findings) {
    let instruction = subject.instruction;
    let is_same = match instruction.state_space() {
        None => {
            if variable.space == VariableSpace::Const {
                let diagnostic = Diagnostic::error(
                    "address-space",
                    instruction.address.value.base.span.clone(),
                    format!("`{name}` lies in .const, which generic addressing does not reach by name"),
                )
                .with_label("a .const variable")
                .with_help("write ld.const, or convert the address with cvta.const first");
                if subject.version >= Version::new(3, 1) {
                    findings.assembler(diagnostic);
                } else {
                    findings.both(diagnostic);
                }
            }
            !matches!(variable.space.state_space(), ".param")
        }
        Some(StateSpace::Global) => variable.space == VariableSpace::Global,
        Some(StateSpace::Shared | StateSpace::SharedCta | StateSpace::SharedCluster) => {
            variable.space == VariableSpace::Shared
        }
        Some(StateSpace::Local) => variable.space == VariableSpace::Local,
        Some(StateSpace::Const | StateSpace::ConstBank(_)) => variable.space == VariableSpace::Const,
        Some(StateSpace::Param | StateSpace::ParamEntry | StateSpace::ParamFunc) => {
            variable.space.state_space() == ".param"
        }
    };
    if !is_same {
        let found = variable.space.state_space();
        let written =
            instruction.space.as_ref().map_or("generic".to_owned(), |space| format!(".{}", space.value.name()));
        let message = format!("`{name}` lies in {found}, the access is {written}");
        findings.both(
            Diagnostic::error("address-space", instruction.address.value.base.span.clone(), message)
                .with_label(format!("a {found} variable"))
                .with_help(format!("write {}{found}", instruction.operation.value.name())),
        );
    }
}

/// What the documents say of the parameters of a device function.
const ONE_WAY: &str = "it is illegal to write to an input parameter or read from a return parameter.";

/// Parameters: which are whose, which may be written, which may be predicated.
fn parameters(subject: &Subject<'_>, name: &str, variable: Variable, findings: &mut Findings) {
    let instruction = subject.instruction;
    let Some(space) = instruction.space.as_ref().filter(|space| space.value.is_param()) else { return };
    // Of an element that an index names, the assembler asks neither whose parameter it is nor which way it goes.
    let is_indexed = instruction.address.value.is_indexed;
    let is_kernel = variable.space == VariableSpace::KernelParameter;
    let is_wrong = match space.value {
        StateSpace::ParamEntry => !is_kernel,
        StateSpace::ParamFunc => is_kernel,
        _ => false,
    };
    if is_wrong {
        let (owner, instead) =
            if is_kernel { ("the kernel", ".param::entry") } else { ("a device function", ".param::func") };
        let message = format!("`{name}` is a parameter of {owner}");
        let diagnostic = Diagnostic::error("param-owner", space.span.clone(), message)
            .with_label("the wrong kind of parameter")
            .with_help(format!("write {instead}"));
        let sentence = match space.value {
            StateSpace::ParamEntry => {
                "For ld.param::entry instruction, operand a must be a kernel parameter address, otherwise behavior is undefined."
            }
            _ => {
                "For ld.param::func instruction, operand a must be a device function parameter address, otherwise behavior is undefined."
            }
        };
        findings.documents_at_least(diagnostic, variable.space == VariableSpace::FunctionInput || is_indexed, sentence);
    }
    let is_store = instruction.operation.value == Operation::Store;
    if is_store && matches!(variable.space, VariableSpace::KernelParameter | VariableSpace::FunctionInput) {
        let message = format!("the input parameter `{name}` cannot be written");
        let diagnostic = Diagnostic::error("param-write", instruction.address.value.base.span.clone(), message)
            .with_label("read-only");
        // On an element of a kernel's parameter the assembler's code generator crashes, so nobody can write one.
        findings.documents_at_least(diagnostic, is_indexed && !is_kernel, ONE_WAY);
    }
    if !is_store && variable.space == VariableSpace::FunctionReturn {
        let message = format!("the return parameter `{name}` cannot be read");
        let diagnostic = Diagnostic::error("param-read", instruction.address.value.base.span.clone(), message)
            .with_label("write-only");
        findings.documents_at_least(diagnostic, is_indexed, ONE_WAY);
    }
    let is_call_parameter =
        variable.space == VariableSpace::LocalParameter || is_store && variable.space != VariableSpace::FunctionReturn;
    if let Some(guard) = instruction.guard.as_ref().filter(|_| is_call_parameter) {
        let message = format!("the access to the call parameter `{name}` cannot be predicated");
        findings.both(
            Diagnostic::error("param-predicated", guard.span.clone(), message)
                .with_label("remove the guard")
                .with_help("branch around the call and its parameters instead"),
        );
    }
}

/// What the documents say of `.unified`.
const UNIFIED: &str = "The optional qualifier .unified must be specified on operand a if a is the address of a variable \
                       declared with .unified attribute.";

/// `.unified` belongs to loads from unified variables and from registers.
fn unified(subject: &Subject<'_>, variable: Option<Variable>, findings: &mut Findings) {
    let instruction = subject.instruction;
    let address = &instruction.address.value;
    let Some(unified) = &address.unified else {
        if let (Some(variable), Operation::Load) = (variable, instruction.operation.value)
            && variable.is_unified
            && instruction.is_global_or_generic()
        {
            findings.documents(
                Diagnostic::error(
                    "unified-missing",
                    instruction.address.span.clone(),
                    "a `.unified` variable without `.unified` behind the address",
                )
                .with_help("write [name].unified"),
                UNIFIED,
            );
        }
        return;
    };
    let misuse = if instruction.operation.value == Operation::Store {
        Some("a store has no `.unified`")
    } else if !instruction.is_global_or_generic() {
        Some("`.unified` is for .global and for generic addresses")
    } else if matches!(&address.base.value, Base::Name(name) if subject.context.special(name).is_some()) {
        Some("a special register is no unified address")
    } else if variable.is_some_and(|variable| !variable.is_unified) {
        Some("the variable was not declared with `.attribute(.unified)`")
    } else {
        None
    };
    if let Some(message) = misuse {
        let diagnostic = Diagnostic::error("unified-misused", unified.span.clone(), message)
            .with_label("not here")
            .with_help("remove .unified");
        // Behind an index the assembler takes it anywhere.
        findings.documents_at_least(diagnostic, address.is_indexed, UNIFIED);
    }
    let is_weak = instruction.mmio.is_none()
        && instruction.order.as_ref().is_none_or(|order| order.value == crate::ptx::instruction::Order::Weak)
        && instruction.non_coherent.is_none();
    if !is_weak {
        findings.documents(
            Diagnostic::error("unified-form", unified.span.clone(), "`.unified` on an access that is not weak"),
            "ld{.weak}{.ss}{.cop}{.level::cache_hint}{.level::prefetch_size}{.vec}.type  d, [a]{.unified}\
             {, cache-policy};",
        );
    }
}
