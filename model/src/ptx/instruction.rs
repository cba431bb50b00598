//! One load or store as a value, with the place of every part in the text.

use std::ops::Range;

use crate::micro_op::{CacheOperator, L1Eviction, L2Eviction, Prefetch, Scope};

use super::types::{Class, DataType};

/// A part of an instruction and the bytes that say it. Two parts are equal whatever their places.
#[derive(Clone, Debug, Eq)]
pub struct At<T> {
    /// What is said.
    pub value: T,
    /// Where it is said.
    pub span: Range<usize>,
}

impl<T> At<T> {
    /// Joins a value and its place.
    pub fn new(value: T, span: Range<usize>) -> Self {
        Self { value, span }
    }
}

impl<T: PartialEq> PartialEq for At<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

/// Load or store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// `ld`.
    Load,
    /// `st`.
    Store,
}

impl Operation {
    /// The mnemonic.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Load => "ld",
            Self::Store => "st",
        }
    }
}

/// Memory-order qualifier. `.mmio` stands beside these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// `.weak`.
    Weak,
    /// `.relaxed`.
    Relaxed,
    /// `.acquire`.
    Acquire,
    /// `.release`.
    Release,
    /// `.volatile`.
    Volatile,
}

impl Order {
    /// The qualifier without its dot.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Weak => "weak",
            Self::Relaxed => "relaxed",
            Self::Acquire => "acquire",
            Self::Release => "release",
            Self::Volatile => "volatile",
        }
    }

    /// Whether the order is one between threads, and so needs a scope.
    pub const fn is_strong(self) -> bool {
        matches!(self, Self::Relaxed | Self::Acquire | Self::Release)
    }
}

/// State space as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateSpace {
    /// `.global`.
    Global,
    /// `.shared`, which means `.shared::cta`.
    Shared,
    /// `.shared::cta`.
    SharedCta,
    /// `.shared::cluster`.
    SharedCluster,
    /// `.local`.
    Local,
    /// `.const`.
    Const,
    /// `.const[n]`: an explicit bank, of PTX 1.5 to 2.1.
    ConstBank(u8),
    /// `.param`.
    Param,
    /// `.param::entry`.
    ParamEntry,
    /// `.param::func`.
    ParamFunc,
}

impl StateSpace {
    /// The qualifier without its dot, and without the number of a bank.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::Shared => "shared",
            Self::SharedCta => "shared::cta",
            Self::SharedCluster => "shared::cluster",
            Self::Local => "local",
            Self::Const | Self::ConstBank(_) => "const",
            Self::Param => "param",
            Self::ParamEntry => "param::entry",
            Self::ParamFunc => "param::func",
        }
    }

    /// Whether this is one of the `.shared` spaces.
    pub const fn is_shared(self) -> bool {
        matches!(self, Self::Shared | Self::SharedCta | Self::SharedCluster)
    }

    /// Whether this is one of the `.param` spaces.
    pub const fn is_param(self) -> bool {
        matches!(self, Self::Param | Self::ParamEntry | Self::ParamFunc)
    }
}

/// Guard predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    /// Name of the predicate register.
    pub name: Box<str>,
    /// Whether the instruction runs where it is false.
    pub is_negated: bool,
}

/// A number in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Immediate {
    /// An integer constant expression.
    Integer(i64),
    /// A floating-point constant (`1.5`, `0d…`), as the bits of a double.
    Double(u64),
    /// One that is written by the bits of a single (`0f…`).
    Single(u32),
}

impl Immediate {
    /// The type that the assembler gives it.
    pub fn data_type(self) -> DataType {
        let (class, bits) = match self {
            Self::Integer(_) => (Class::Signed, 64),
            Self::Double(_) => (Class::Float, 64),
            Self::Single(_) => (Class::Float, 32),
        };
        DataType { class, bits }
    }
}

/// What stands behind the dot of a register's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A component of a vector register, 0 to 3.
    Component(u8),
    /// Bytes (`b`, and up to four digits) or halves (`h`) of a register of 32 bits, as the instructions for video select them.
    Selector(Box<str>),
}

impl Part {
    /// Its number as a component of a vector register, where it can be one: `.b` is the third, too.
    pub fn component(&self) -> Option<u8> {
        match self {
            Self::Component(component) => Some(*component),
            Self::Selector(letters) => (**letters == *"b").then_some(2),
        }
    }
}

/// One source or destination element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A register, or a part of one.
    Register {
        /// Name of the register.
        name: Box<str>,
        /// The part, where one is named.
        part: Option<Part>,
    },
    /// The sink `_`.
    Sink,
    /// `name+constant`: a register or the address of a variable, and what is added to it (stores only).
    Sum {
        /// Name of the register or of the variable.
        name: Box<str>,
        /// Constant that is added.
        offset: i64,
    },
    /// A number (stores only).
    Immediate(Immediate),
}

/// What is loaded into or stored from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Data {
    /// One operand without braces.
    Single(At<Source>),
    /// `{a, b, …}`.
    Vector(Vec<At<Source>>),
}

/// Where an address begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Base {
    /// A register or a variable.
    Name(Box<str>),
    /// Nothing: the offset is the address.
    Immediate,
}

/// Address operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// Register, variable or nothing.
    pub base: At<Base>,
    /// Register that is added, in `name[register+offset]`.
    pub index: Option<At<Box<str>>>,
    /// Constant that is added.
    pub offset: At<i64>,
    /// Whether it was written `name[offset]`, without brackets around the name.
    pub is_indexed: bool,
    /// `.unified` behind the brackets.
    pub unified: Option<At<()>>,
}

/// One `ld` or `st`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// Guard predicate.
    pub guard: Option<At<Guard>>,
    /// Load or store.
    pub operation: At<Operation>,
    /// `.mmio`.
    pub mmio: Option<At<()>>,
    /// Memory order.
    pub order: Option<At<Order>>,
    /// Scope.
    pub scope: Option<At<Scope>>,
    /// State space; generic where none is written.
    pub space: Option<At<StateSpace>>,
    /// Cache operator.
    pub operator: Option<At<CacheOperator>>,
    /// `.nc`.
    pub non_coherent: Option<At<()>>,
    /// L1 eviction priority.
    pub l1_eviction: Option<At<L1Eviction>>,
    /// L2 eviction priority.
    pub l2_eviction: Option<At<L2Eviction>>,
    /// `.L2::cache_hint`.
    pub cache_hint: Option<At<()>>,
    /// L2 prefetch size.
    pub prefetch: Option<At<Prefetch>>,
    /// Vector length 2, 4 or 8.
    pub vector: Option<At<u8>>,
    /// Data type.
    pub data_type: At<DataType>,
    /// Destination of a load, source of a store.
    pub data: At<Data>,
    /// Address.
    pub address: At<Address>,
    /// Cache policy: a register, a component, a sum or a number.
    pub policy: Option<At<Source>>,
}

impl Instruction {
    /// Elements that one lane accesses: 1, 2, 4 or 8.
    pub fn elements(&self) -> u8 {
        self.vector.as_ref().map_or(1, |vector| vector.value)
    }

    /// Bits that one lane accesses.
    pub fn bits(&self) -> u32 {
        u32::from(self.elements()) * u32::from(self.data_type.value.bits)
    }

    /// Whether this is one of the 256-bit forms: eight 32-bit or four 64-bit elements.
    pub fn is_wide(&self) -> bool {
        matches!((self.elements(), self.data_type.value.bits), (8, 32) | (4, 64))
    }

    /// The state space as written; `None` for generic addressing.
    pub fn state_space(&self) -> Option<StateSpace> {
        self.space.as_ref().map(|space| space.value)
    }

    /// Whether the address points to global memory or may do so: `.global` or generic.
    pub fn is_global_or_generic(&self) -> bool {
        matches!(self.state_space(), None | Some(StateSpace::Global))
    }

    /// The operands that data is loaded into or stored from, sinks included.
    pub fn sources(&self) -> &[At<Source>] {
        match &self.data.value {
            Data::Single(source) => std::slice::from_ref(source),
            Data::Vector(sources) => sources,
        }
    }
}
