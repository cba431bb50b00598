//! A litmus test as it was read: names are numbers, and every number is in range.

use lsu_model::micro_op::{AccessSize, Scope, Semantics};

/// Bits of a register or an instruction that nothing says more of.
pub(super) const USUAL_BITS: u32 = 32;

/// A litmus test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// Its name, from the first line.
    pub name: String,
    /// The places in memory that it names.
    pub locations: Vec<Location>,
    /// The threads, in the order of their columns.
    pub threads: Vec<Thread>,
    /// CTAs, each on a unit of its own.
    pub units: u32,
    /// What is asked of the condition.
    pub quantifier: Quantifier,
    /// The condition.
    pub condition: Condition,
    /// What makes one outcome another: every register that a load writes, and whatever the condition and the file's list of
    /// `locations` name.
    pub observed: Vec<Term>,
}

/// A place in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// Its name.
    pub name: String,
    /// What it holds at the start.
    pub initial: u64,
    /// Bits of the widest access to it.
    pub bits: u32,
}

impl Location {
    /// The bits that are looked at: all that it has room for where no access says which.
    pub(super) const fn width(&self) -> u32 {
        if self.bits == 0 { 64 } else { self.bits }
    }
}

/// A thread: one lane of one warp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// Its name, `P0`.
    pub name: String,
    /// The unit of its CTA.
    pub unit: u32,
    /// The registers that it names.
    pub registers: Vec<Register>,
    /// What it does, in program order.
    pub steps: Vec<Step>,
}

/// A register of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    /// Its name.
    pub name: String,
    /// What it holds at the start.
    pub initial: Value,
}

/// A number and the bits that it has: what is beyond them is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// The number.
    pub number: u64,
    /// Its width.
    pub bits: u32,
}

impl Value {
    /// `number` in `bits` bits.
    pub const fn new(number: u64, bits: u32) -> Self {
        Self { number: number & (u64::MAX >> (64 - bits)), bits }
    }
}

/// The order that an access asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// Weak, relaxed, acquire, release or volatile.
    pub semantics: Semantics,
    /// Among which threads; that of the CTA for weak accesses.
    pub scope: Scope,
}

/// One instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// `ld`.
    Load {
        /// The register that it writes, of the thread's.
        register: usize,
        /// Where it reads.
        location: usize,
        /// Its order.
        order: Order,
        /// Bits that it reads.
        size: AccessSize,
        /// Whether a narrow value is sign-extended to 32 bits.
        sign: bool,
    },
    /// `st`.
    Store {
        /// Where it writes.
        location: usize,
        /// What it writes.
        value: Operand,
        /// Its order.
        order: Order,
        /// Bits that it writes.
        size: AccessSize,
    },
    /// `fence.sc` or `fence.acq_rel`: the same duties of the scheduler.
    Fence {
        /// Among which threads it orders.
        scope: Scope,
    },
    /// `mov`, `add` and their like: registers only.
    Compute {
        /// The register that it writes.
        register: usize,
        /// What it does.
        operator: Operator,
        /// The first operand.
        left: Operand,
        /// The second operand, which a move does not look at.
        right: Operand,
        /// Bits of the result; `None` for those of the wider operand.
        bits: Option<u32>,
    },
}

impl Step {
    /// The register that it writes, if it does, and the bits which that has then, where `bits_of` says how many each has before.
    pub(super) fn written(&self, bits_of: impl Fn(usize) -> u32) -> Option<(usize, u32)> {
        match self {
            Self::Load { register, size, .. } => Some((*register, (8 * size.bytes().unwrap_or(4)).max(USUAL_BITS))),
            Self::Compute { register, left, right, bits, .. } => {
                let of = |operand: &Operand| match operand {
                    Operand::Constant(_) => USUAL_BITS,
                    Operand::Register(register) => bits_of(*register),
                };
                Some((*register, bits.unwrap_or_else(|| of(left).max(of(right)))))
            }
            Self::Store { .. } | Self::Fence { .. } => None,
        }
    }
}

/// What an instruction reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A constant, negative ones in two's complement.
    Constant(u64),
    /// A register of the thread.
    Register(usize),
}

/// What is done with registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// The first operand as it is.
    Move,
    /// The sum.
    Add,
    /// The difference.
    Subtract,
    /// The product.
    Multiply,
    /// The bits of both.
    And,
    /// The bits of either.
    Or,
    /// The bits that differ.
    ExclusiveOr,
}

/// What is asked of the condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// It holds in at least one run.
    Exists,
    /// It holds in no run.
    NotExists,
    /// It holds in every run.
    Forall,
}

impl Quantifier {
    /// How a file says it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exists => "exists",
            Self::NotExists => "~exists",
            Self::Forall => "forall",
        }
    }
}

/// A condition on how a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// It does not hold.
    Not(Box<Condition>),
    /// All hold.
    And(Vec<Condition>),
    /// At least one holds.
    Or(Vec<Condition>),
    /// Two terms compared.
    Compare(Term, Comparison, Term),
}

/// A value that a condition looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// What a register of a thread holds at the end.
    Register {
        /// The thread.
        thread: usize,
        /// The register, of the thread's.
        register: usize,
    },
    /// What a place in memory holds at the end.
    Location(usize),
    /// A constant.
    Constant(i128),
}

/// How two numbers, neither of which has a sign, are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `==` or `=`.
    Equal,
    /// `!=`.
    NotEqual,
    /// `<`.
    Less,
    /// `<=`.
    LessEqual,
    /// `>`.
    Greater,
    /// `>=`.
    GreaterEqual,
}

impl Test {
    /// How a file names `term`.
    pub fn name_of(&self, term: Term) -> String {
        match term {
            Term::Register { thread, register } => {
                let thread = &self.threads[thread];
                format!("{}:{}", thread.name, thread.registers[register].name)
            }
            Term::Location(location) => self.locations[location].name.clone(),
            Term::Constant(number) => number.to_string(),
        }
    }
}
