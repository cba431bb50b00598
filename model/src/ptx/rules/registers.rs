//! Types of registers: what may be loaded into and stored from what, and the guard predicate.

use std::ops::Range;

use crate::diagnostic::Diagnostic;
use crate::ptx::context::{Context, Symbol};
use crate::ptx::instruction::{At, Data, Guard, Immediate, Operation, Part, Source, StateSpace};
use crate::ptx::types::{Class, DataType};

use crate::ptx::finding::{Findings, Subject};

use super::elements::{Elements, TakenFor};

/// Checks every register that data moves to or from, and the guard.
pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    guard(subject, findings);
    let elements = match Elements::of(subject) {
        Ok(elements) => elements,
        Err(diagnostic) => {
            findings.both(diagnostic);
            return;
        }
    };
    let mut has_remark = false;
    for source in &elements.asked {
        match &source.value {
            Source::Sink => {}
            Source::Register { name, part } => match subject.data_register(name) {
                None => no_register(subject, name, source.span.clone(), findings),
                Some((data_type, vector)) => {
                    special(subject, name, source.span.clone(), findings);
                    variable(subject, name, source.span.clone(), findings);
                    if let Some(part) = part {
                        self::part(subject, name, part, vector, source.span.clone(), findings);
                    }
                    match compare(subject, data_type, &elements, source.span.clone()) {
                        Comparison::Fits => {}
                        // One remark is enough: the other elements most likely earn the same one.
                        Comparison::DocumentsDiffer(..) if has_remark => {}
                        Comparison::DocumentsDiffer(diagnostic, sentence) => {
                            has_remark = true;
                            findings.documents(diagnostic, sentence);
                        }
                        Comparison::Clashes(diagnostic) => {
                            findings.both(diagnostic);
                            return;
                        }
                    }
                }
            },
            Source::Sum { name, .. } => sum(subject, name, source.span.clone(), findings),
            Source::Immediate(immediate) => number(subject, *immediate, &elements, source.span.clone(), findings),
        }
    }
}

/// The finding that nothing declares `name`.
pub(in crate::ptx) fn unknown(name: &str, span: Range<usize>) -> Diagnostic {
    Diagnostic::error("symbol-unknown", span, format!("`{name}` is not declared"))
        .with_label("unknown name")
        .with_help("declare it, as in .reg .b32 %r<8>; or .global .b32 name;")
}

/// Checks a name, where data moves, that is no register.
fn no_register(subject: &Subject<'_>, name: &str, span: Range<usize>, findings: &mut Findings) {
    match subject.context.look_up(name) {
        None => findings.both(unknown(name, span)),
        Some(Symbol::Function) if is_address_stored(subject) => findings.documents(
            Diagnostic::error("register-expected", span, "the address of a function is stored")
                .with_help("move it to a register first"),
            "Labels and function names can be used only in bra/brx.idx and call instructions respectively.",
        ),
        Some(_) => {
            findings.both(Diagnostic::error("register-expected", span, format!("`{name}` is no register")).with_label(
                match subject.instruction.operation.value {
                    Operation::Load => "the destination is a register",
                    Operation::Store => "the source is a register or a number",
                },
            ))
        }
    }
}

/// A variable in braces is a register to the assembler alone.
fn variable(subject: &Subject<'_>, name: &str, span: Range<usize>, findings: &mut Findings) {
    if let Some(Symbol::Variable(_)) = subject.context.look_up(name) {
        findings.documents(
            Diagnostic::error("register-expected", span, format!("`{name}` is a variable in the place of a register"))
                .with_help("load the variable into a register first"),
            "PTX describes a load-store machine, so operands for ALU instructions must all be in variables declared in the .reg \
             register state space.",
        );
    }
}

/// Checks a part of `name`, which has `vector` components; one without components is no vector of one.
fn part(subject: &Subject<'_>, name: &str, part: &Part, vector: u8, span: Range<usize>, findings: &mut Findings) {
    let diagnostic =
        |message, help: &str| Diagnostic::error("register-component", span.clone(), message).with_help(help.to_owned());
    if subject.data_type(name, Some(part)).is_none() {
        let help =
            "a register of a vector type has .x, .y, .z and .w; of one of 32 bits, .b0 and the like stand in braces";
        findings.both(diagnostic(format!("`{name}` has no such component"), help));
    } else if part.component().is_none_or(|component| component >= vector) {
        let sentence = "Vector elements can be extracted from the vector with the suffixes .x, .y, .z and .w, as well as the \
                        typical color fields .r, .g, .b and .a.";
        findings.documents(diagnostic(format!("`{name}` has {vector} components"), "name one of them"), sentence);
    }
}

/// The guard is a predicate register.
fn guard(subject: &Subject<'_>, findings: &mut Findings) {
    if let Some(guard) = &subject.instruction.guard
        && let Err(diagnostic) = predicate(guard, subject.context)
    {
        findings.both(diagnostic);
    }
}

/// Looks a guard up among the declarations of `context`.
///
/// # Errors
/// It is no predicate register.
pub(in crate::ptx) fn predicate(guard: &At<Guard>, context: &Context) -> Result<(), Diagnostic> {
    let name = &guard.value.name;
    match context.look_up(name) {
        None => Err(unknown(name, guard.span.clone())),
        Some(Symbol::Register { data_type, vector: 1 }) if data_type.class == Class::Predicate => Ok(()),
        Some(_) => {
            let message = format!("the guard `{name}` is no predicate");
            Err(Diagnostic::error("guard-type", guard.span.clone(), message).with_help("a guard is a .pred register"))
        }
    }
}

/// Whether a register of type `register` may take part in an access of type `access`.
fn is_compatible(register: DataType, access: DataType, is_vector: bool) -> bool {
    let is_integer = register.class.is_integer();
    let is_wide_enough = register.bits >= access.bits;
    match (access.class, register.class) {
        (_, Class::Predicate) => false,
        (Class::Bits, _) | (_, Class::Bits) => is_wide_enough,
        (Class::Float, Class::Float) => register.bits == access.bits,
        // Only the elements of a vector expression may mix floating point and integers, and only at the same width.
        (Class::Float, _) => is_vector && is_integer && register.bits == access.bits,
        // The assembler takes .f16x2 for an integer, but not for one of floating-point accesses.
        (Class::Unsigned | Class::Signed, _) => (is_integer || register.class == Class::Packed) && is_wide_enough,
        (Class::Packed | Class::Predicate, _) => false,
    }
}

/// Checks a special register. It stands in braces, where the assembler lets a load write it too.
fn special(subject: &Subject<'_>, name: &str, span: Range<usize>, findings: &mut Findings) {
    if subject.context.special(name).is_none() {
        return;
    }
    let diagnostic = |message: String| {
        Diagnostic::error("special-register", span.clone(), message)
            .with_label("a special register")
            .with_help("move it to a register first")
    };
    let instruction = subject.instruction;
    if matches!(instruction.data.value, Data::Single(_)) {
        let name_of = instruction.operation.value.name();
        findings.both(diagnostic(format!("`{name_of}` takes `{name}` only as an element in braces")));
    } else if instruction.operation.value == Operation::Load {
        let sentence =
            "PTX includes a number of predefined, read-only variables, which are visible as special registers";
        findings.documents(diagnostic(format!("`{name}` is read-only")), sentence);
    }
}

/// Whether a store may write the address of a function: alone, and as bits for a call only. Elsewhere the assembler takes them too, but
/// its code generator crashes, so nobody can use it.
fn is_address_stored(subject: &Subject<'_>) -> bool {
    let instruction = subject.instruction;
    instruction.operation.value == Operation::Store
        && matches!(instruction.data.value, Data::Single(_))
        && (instruction.data_type.value.class != Class::Bits
            || instruction.state_space().is_some_and(StateSpace::is_param))
}

/// Checks the sum of a register or of a variable's address and a constant. The assembler asks for the class of its type alone.
fn sum(subject: &Subject<'_>, name: &str, span: Range<usize>, findings: &mut Findings) {
    let instruction = subject.instruction;
    let access = instruction.data_type.value;
    if instruction.operation.value == Operation::Load {
        let message = "a load needs a register to load into";
        findings.both(Diagnostic::error("register-expected", span, message).with_label("a sum"));
        return;
    }
    let class = match subject.context.look_up(name) {
        None => {
            findings.both(unknown(name, span));
            return;
        }
        Some(Symbol::Register { data_type, .. }) => data_type.class,
        Some(Symbol::Variable(_)) => Class::Unsigned,
        Some(_) => {
            let message = format!("nothing is added to `{name}`, which is no register and no variable");
            findings.both(Diagnostic::error("register-expected", span, message));
            return;
        }
    };
    let is_allowed = match (access.class, class) {
        (_, Class::Predicate) => false,
        (Class::Bits, _) | (_, Class::Bits) => true,
        (Class::Float, class) | (class, Class::Float) => class == Class::Float,
        _ => true,
    };
    if !is_allowed {
        let message = format!("a `.{access}` access cannot store this sum");
        findings
            .both(Diagnostic::error("register-type", span, message).with_help("compute it in a register of its type"));
    }
}

/// What a register's type is to the type of the access.
enum Comparison {
    /// Both authorities allow it.
    Fits,
    /// Only the assembler allows it; what the documents say.
    DocumentsDiffer(Diagnostic, &'static str),
    /// Nobody allows it.
    Clashes(Diagnostic),
}

/// Compares one register with the type of the access.
fn compare(subject: &Subject<'_>, register: DataType, elements: &Elements<'_>, span: Range<usize>) -> Comparison {
    let instruction = subject.instruction;
    let access = instruction.data_type.value;
    let is_alone = is_compatible(register, access, elements.are_vector);
    let taken_for = match elements.taken_for {
        TakenFor::Declared | TakenFor::Float(_) => register,
        TakenFor::Bits(bits) => DataType { class: Class::Bits, bits },
    };
    if !is_compatible(taken_for, access, elements.are_vector) {
        let message = format!("a `.{access}` access cannot use a `.{register}` register");
        let help = if register.bits < access.bits {
            format!("the register is narrower than the access: use one of at least {} bits", access.bits)
        } else {
            match access.class {
                Class::Float => format!("use a .{access} register, or a .b register of at least {} bits", access.bits),
                _ => format!("use an integer or .b register, or make the access .b{}", access.bits),
            }
        };
        let diagnostic = Diagnostic::error("register-type", span, message);
        return Comparison::Clashes(diagnostic.with_label(format!("this is .{register}")).with_help(help));
    }
    if instruction.l2_eviction.is_some() && instruction.is_wide() && register.bits != access.bits {
        let message = format!("a `.{register}` register in an access of `.{access}` with an L2 eviction priority");
        let sentence = "AND Operand d is vector of 8 registers with type specified with .type";
        return Comparison::DocumentsDiffer(Diagnostic::error("register-type", span, message), sentence);
    }
    let is_other_class = match access.class {
        Class::Float => register.class.is_integer(),
        Class::Unsigned | Class::Signed => register.class == Class::Packed,
        _ => false,
    };
    if !is_alone || is_other_class {
        let message = format!("a `.{register}` register in an access of `.{access}`");
        let sentence = "A destination register wider than the specified type may be used.";
        return Comparison::DocumentsDiffer(Diagnostic::error("register-type", span, message), sentence);
    }
    Comparison::Fits
}

/// Checks a number in place of a register.
fn number(
    subject: &Subject<'_>,
    immediate: Immediate,
    elements: &Elements<'_>,
    span: Range<usize>,
    findings: &mut Findings,
) {
    let instruction = subject.instruction;
    let access = instruction.data_type.value;
    if instruction.operation.value == Operation::Load {
        findings.both(
            Diagnostic::error("register-expected", span, "a load needs a register to load into").with_label("a number"),
        );
        return;
    }
    let in_point = "write it with a decimal point, or by its bits (0f…, 0d…)";
    let (is_allowed, help) = match (immediate, access.class, elements.taken_for) {
        // The upper 64 bits are 0, also of a negative one.
        (Immediate::Single(_) | Immediate::Double(_), _, _) if access.bits == 128 => (false, "write an integer"),
        (Immediate::Integer(_), Class::Float, TakenFor::Declared) => {
            (elements.are_vector && access.bits == 64, in_point)
        }
        (Immediate::Integer(_), _, _) | (_, Class::Float, _) => (true, ""),
        (_, Class::Bits, TakenFor::Float(bits)) => (access.bits == bits, "write an integer"),
        (_, Class::Bits, _) => {
            (access.bits == immediate.data_type().bits, "write an integer, or the bits of the access (0f…, 0d…)")
        }
        (_, _, TakenFor::Float(bits)) => (access.bits <= bits, "write an integer"),
        _ => (false, "write an integer"),
    };
    if !is_allowed {
        let message = format!("a `.{access}` access cannot store this number");
        findings.both(Diagnostic::error("register-type", span, message).with_help(help));
    }
}
