//! What the elements of a vector expression are taken for together.
//!
//! The documents ask of each element alone whether its type fits. NVIDIA's assembler looks at all of them, as measured: all pairs of registers in
//! accesses of every type, all fours of 32 bits, and pairs of registers and numbers.

use crate::diagnostic::Diagnostic;
use crate::ptx::context::Symbol;
use crate::ptx::finding::Subject;
use crate::ptx::instruction::{At, Data, Immediate, Source};
use crate::ptx::types::{Class, DataType};

/// What the elements of a vector expression are taken for.
#[derive(Clone, Copy)]
pub(super) enum TakenFor {
    /// Each for what it is: there is one, or all have one type.
    Declared,
    /// They are of several types, a register first, or an integer with 64 bits: bits, so many.
    Bits(u16),
    /// They are of several types, a floating-point number first: that number, with as many bits as the last element has that is
    /// wider or narrower than it.
    Float(u16),
}

/// An element.
#[derive(Clone, Copy)]
struct Element {
    data_type: DataType,
    is_number: bool,
}

impl Element {
    /// `None` for a sink, and for what is no register that takes part in an access.
    fn of(subject: &Subject<'_>, source: &Source) -> Option<Self> {
        let number = |class, bits| Some(Self { data_type: DataType { class, bits }, is_number: true });
        match source {
            Source::Register { name, component } => match subject.context.look_up(name)? {
                Symbol::Register { data_type, vector }
                    if component.is_none_or(|component| component < vector)
                        && !matches!(data_type.class, Class::Predicate | Class::Packed) =>
                {
                    Some(Self { data_type, is_number: false })
                }
                _ => None,
            },
            Source::Immediate(Immediate::Integer(_)) => number(Class::Signed, 64),
            Source::Immediate(Immediate::Double(_)) => number(Class::Float, 64),
            Source::Immediate(Immediate::Single(_)) => number(Class::Float, 32),
            Source::Sink => None,
        }
    }

    fn is_integer(self) -> bool {
        matches!(self.data_type.class, Class::Unsigned | Class::Signed)
    }
}

impl TakenFor {
    /// The elements of `subject`'s data.
    ///
    /// # Errors
    /// They cannot stand together: the registers have several widths, or a floating-point element stands beside an integer one.
    pub fn of(subject: &Subject<'_>) -> Result<Self, Diagnostic> {
        let elements: Vec<(Element, &At<Source>)> = subject
            .instruction
            .sources()
            .iter()
            .filter_map(|source| Some((Element::of(subject, &source.value)?, source)))
            .collect();
        let Some(&(first, _)) = elements.first() else { return Ok(Self::Declared) };
        let clash = |source: &At<Source>, message: &str, help: &str| {
            Err(Diagnostic::error("register-type", source.span.clone(), message).with_help(help))
        };
        let of_other_width =
            |(element, _): &&(Element, _)| !element.is_number && element.data_type.bits != first.data_type.bits;
        if !first.is_number
            && let Some((_, other)) = elements.iter().find(of_other_width)
        {
            return clash(other, "the registers of a vector have different widths", "use registers of one width");
        }
        for pair in elements.windows(2) {
            let [(left, _), (right, source)] = pair else { continue };
            let is_float = |element: &Element| element.data_type.class == Class::Float;
            if is_float(left) && right.is_integer() || left.is_integer() && is_float(right) {
                let message = "a floating-point element stands beside an integer one in a vector";
                return clash(source, message, "use elements of one type, or .b registers");
            }
        }
        if elements.iter().all(|(element, _)| element.data_type == first.data_type) {
            return Ok(Self::Declared);
        }
        let own = first.data_type.bits;
        let widths = elements.iter().map(|(element, _)| element.data_type.bits);
        Ok(match first.is_number && first.data_type.class == Class::Float {
            true => Self::Float(widths.rev().find(|bits| *bits != own).unwrap_or(own)),
            false => Self::Bits(own),
        })
    }
}

/// Whether `source` is a number, or a register that there is and that takes part in an access.
pub(super) fn takes_part(subject: &Subject<'_>, source: &Source) -> bool {
    Element::of(subject, source).is_some()
}

/// Whether the data are a vector expression, of one element or of more, or a register of a vector type.
pub(super) fn is_vector(subject: &Subject<'_>) -> bool {
    match &subject.instruction.data.value {
        Data::Vector(_) => true,
        Data::Single(source) => match &source.value {
            Source::Register { name, component: None } => {
                matches!(subject.context.look_up(name), Some(Symbol::Register { vector: 2.., .. }))
            }
            _ => false,
        },
    }
}
