//! Vector lengths, the shape of the operands, and the sink.

use crate::diagnostic::Diagnostic;
use crate::ptx::context::Symbol;
use crate::ptx::instruction::{Data, Instruction, Operation, Source};

use crate::ptx::finding::{Findings, Subject};

/// Checks vector length against type and space, operands against vector length, and sinks.
pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    width(subject.instruction, findings);
    shape(subject, findings);
    members(subject, findings);
    sinks(subject.instruction, findings);
}

/// At most 128 bits, but for the two 256-bit forms; and those only in global memory.
fn width(instruction: &Instruction, findings: &mut Findings) {
    let Some(vector) = &instruction.vector else { return };
    let data_type = instruction.data_type.value;
    if vector.value == 8 && data_type.bits < 32 {
        // The assembler's parser takes this; its code generator then crashes, or moves the first element alone, so nobody can use it.
        let message = format!("`.v8` of `.{data_type}` does not exist");
        findings.both(
            Diagnostic::error("vector-width", vector.span.clone(), message)
                .with_label("only with 32-bit types")
                .with_help("load the bytes as .v2.b32 or .v4.b32 and take them apart"),
        );
    } else if instruction.bits() > 128 && !instruction.is_wide() {
        let message = format!("`.v{}.{data_type}` is {} bits wide", vector.value, instruction.bits());
        findings.both(
            Diagnostic::error("vector-width", vector.span.clone(), message)
                .with_label("too wide")
                .with_help("a vector has at most 128 bits; .v8 of 32-bit and .v4 of 64-bit types have 256"),
        );
    }
    if let Some(space) = instruction.space.as_ref().filter(|_| !instruction.is_global_or_generic())
        && instruction.is_wide()
    {
        let message = format!("a 256-bit access cannot be applied to `.{}`", space.value.name());
        findings.both(
            Diagnostic::error("wide-space", vector.span.clone(), message)
                .with_label("256 bits")
                .with_help("256-bit accesses work on .global and on generic addresses: use shorter vectors here"),
        );
    }
}

/// As many operands as elements.
fn shape(subject: &Subject<'_>, findings: &mut Findings) {
    let instruction = subject.instruction;
    let wanted = usize::from(instruction.elements());
    let found = match &instruction.data.value {
        Data::Vector(sources) => sources.len(),
        Data::Single(source) => match &source.value {
            // A register of a vector type stands for all of its components.
            Source::Register { name, part: None } | Source::Sum { name, .. } => match subject.context.look_up(name) {
                Some(Symbol::Register { vector, .. }) => usize::from(vector),
                _ => 1,
            },
            _ => 1,
        },
    };
    if found != wanted {
        let count = |number: usize| if number == 1 { "1 element".to_owned() } else { format!("{number} elements") };
        let message = format!("the access has {}, the operand {}", count(wanted), count(found));
        let help = match (&instruction.vector, found) {
            (None, 2 | 4 | 8) => format!("add .v{found} before the type"),
            (Some(vector), _) => format!("write {} registers in braces", vector.value),
            (None, _) => "write a single register".to_owned(),
        };
        findings.both(
            Diagnostic::error("vector-shape", instruction.data.span.clone(), message)
                .with_label(format!("{} here", count(found)))
                .with_help(help),
        );
    }
}

/// What may stand in braces: no vector register as a whole, and beside a number no part of a register.
fn members(subject: &Subject<'_>, findings: &mut Findings) {
    let Data::Vector(sources) = &subject.instruction.data.value else { return };
    let has_number = sources.iter().any(|source| matches!(source.value, Source::Immediate(_)));
    for source in sources {
        let Source::Register { name, part } = &source.value else { continue };
        let Some((_, components)) = subject.data_register(name) else { continue };
        if components > 1 && part.is_none() {
            let message = format!("`{name}` has {components} components, an element is one of them");
            findings.both(
                Diagnostic::error("vector-shape", source.span.clone(), message)
                    .with_label("a vector in a vector")
                    .with_help(format!("write {name}.x and the like, or {name} without braces")),
            );
        } else if has_number && part.is_some() && subject.data_type(name, part.as_ref()).is_some() {
            let message = format!("a part of `{name}` stands beside a number");
            findings.assembler(
                Diagnostic::error("vector-shape", source.span.clone(), message)
                    .with_help("move the part or the number to a register first"),
            );
        }
    }
}

/// Where a sink may stand.
fn sinks(instruction: &Instruction, findings: &mut Findings) {
    let sources = instruction.sources();
    let Some(sink) = sources.iter().find(|source| source.value == Source::Sink) else { return };
    if let Data::Single(_) = instruction.data.value {
        findings.both(
            Diagnostic::error("sink-scalar", sink.span.clone(), "a scalar access cannot discard its only element")
                .with_label("nothing is left")
                .with_help("name a register, or remove the instruction"),
        );
        return;
    }
    if sources.iter().all(|source| source.value == Source::Sink) {
        findings.both(
            Diagnostic::error("sink-all", instruction.data.span.clone(), "at least one element must be a register")
                .with_label("every element is a sink"),
        );
    }
    if instruction.is_wide() {
        return;
    }
    match instruction.operation.value {
        Operation::Store => findings.both(
            Diagnostic::error("sink-store", sink.span.clone(), "a sink is a source in 256-bit stores only")
                .with_label("no value to store")
                .with_help("store the elements one by one"),
        ),
        Operation::Load => findings.documents(
            Diagnostic::error("sink-width", sink.span.clone(), "a sink outside the 256-bit forms"),
            "Optionally, sink symbol ‘_’ can be used in vector expression d when .vec is .v8 and .type is .b32 or .s32 \
             or .u32 or .f32 OR .vec is .v4 and .type is .b64 or .s64 or .u64 or .f64.",
        ),
    }
}
