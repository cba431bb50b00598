//! What the elements of a vector expression are taken for together.
//!
//! The documents ask of each element alone whether its type fits. NVIDIA's assembler looks at all of them, as measured: all pairs of registers in
//! accesses of every type, predicates and packed registers among them, all fours of 32 bits, and pairs of registers and numbers.

use crate::diagnostic::Diagnostic;
use crate::ptx::context::Symbol;
use crate::ptx::finding::Subject;
use crate::ptx::instruction::{At, Data, Operation, Source};
use crate::ptx::types::{Class, DataType};

/// The data of an instruction.
pub(super) struct Elements<'a> {
    /// What they are taken for.
    pub taken_for: TakenFor,
    /// They are a vector expression, of one element or of more, or a register of a vector type.
    pub are_vector: bool,
    /// Those whose own type counts. Of a store the assembler asks numbers behind the first element nothing, and nothing that takes part behind a
    /// floating-point number.
    pub asked: Vec<&'a At<Source>>,
}

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

/// An element that takes part in an access: a number, or a register that there is.
#[derive(Clone, Copy)]
struct Element<'a> {
    data_type: DataType,
    is_number: bool,
    source: &'a At<Source>,
}

impl<'a> Element<'a> {
    fn of(subject: &Subject<'_>, source: &'a At<Source>) -> Option<Self> {
        let (data_type, is_number) = match &source.value {
            Source::Register { name, part } => (subject.data_type(name, part.as_ref())?, false),
            Source::Immediate(immediate) => (immediate.data_type(), true),
            Source::Sink | Source::Sum { .. } => return None,
        };
        Some(Self { data_type, is_number, source })
    }

    /// Its width; a predicate counts as a register of 32 bits.
    fn bits(&self) -> u16 {
        if self.data_type.class == Class::Predicate { 32 } else { self.data_type.bits }
    }

    fn is_float(&self) -> bool {
        self.data_type.class == Class::Float
    }

    /// Whether it may stand beside `other`: both are of one kind, or one is bits. The sign of an integer does not count.
    fn may_stand_beside(&self, other: &Self) -> bool {
        let (left, right) = (self.data_type.class, other.data_type.class);
        left == right || left == Class::Bits || right == Class::Bits || left.is_integer() && right.is_integer()
    }
}

impl<'a> Elements<'a> {
    /// The data of `subject`.
    ///
    /// # Errors
    /// They cannot stand together: the registers have several widths, or neighbours are of different kinds.
    pub fn of(subject: &Subject<'a>) -> Result<Self, Diagnostic> {
        let instruction = subject.instruction;
        let written = instruction.sources().iter().filter(|source| source.value != Source::Sink);
        let elements: Vec<Element<'a>> = written.clone().filter_map(|source| Element::of(subject, source)).collect();
        let begins_with_float = elements.first().is_some_and(|first| first.is_number && first.is_float());
        let is_asked = |index: usize, source: &'a At<Source>| {
            instruction.operation.value == Operation::Load
                || index == 0
                || Element::of(subject, source).is_none_or(|element| !begins_with_float && !element.is_number)
        };
        Ok(Self {
            taken_for: TakenFor::of(&elements, begins_with_float)?,
            are_vector: is_vector(subject),
            asked: written
                .enumerate()
                .filter(|(index, source)| is_asked(*index, source))
                .map(|(_, source)| source)
                .collect(),
        })
    }
}

impl TakenFor {
    fn of(elements: &[Element<'_>], begins_with_float: bool) -> Result<Self, Diagnostic> {
        let Some(first) = elements.first() else { return Ok(Self::Declared) };
        let clash = |element: &Element<'_>, message: &str, help: &str| {
            Err(Diagnostic::error("register-type", element.source.span.clone(), message).with_help(help))
        };
        let own = first.bits();
        if let Some(other) = elements.iter().find(|element| !element.is_number && element.bits() != own)
            && !first.is_number
        {
            return clash(other, "the registers of a vector have different widths", "use registers of one width");
        }
        if let Some((_, right)) =
            elements.iter().zip(&elements[1..]).find(|(left, right)| !left.may_stand_beside(right))
        {
            let message =
                "integers, floating-point numbers, .f16x2 and predicates do not stand side by side in a vector";
            return clash(right, message, "use elements of one type, or .b registers");
        }
        if elements.iter().all(|element| element.data_type == first.data_type) {
            return Ok(Self::Declared);
        }
        let mut widths = elements.iter().map(Element::bits);
        Ok(match begins_with_float {
            true => Self::Float(widths.rfind(|bits| *bits != own).unwrap_or(own)),
            false => Self::Bits(own),
        })
    }
}

fn is_vector(subject: &Subject<'_>) -> bool {
    match &subject.instruction.data.value {
        Data::Vector(_) => true,
        Data::Single(source) => match &source.value {
            Source::Register { name, part: None } => {
                matches!(subject.context.look_up(name), Some(Symbol::Register { vector: 2.., .. }))
            }
            _ => false,
        },
    }
}
