//! The typed form of a kernel: every expression has a width, every name is resolved.

use num_bigint::BigUint;

/// Index into the signal table of the module.
pub(crate) type SignalId = usize;

/// Values of the loop variables in scope.
pub(crate) type Iteration = Vec<(String, i128)>;

/// A number known when the loops are unrolled.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Integer {
    Literal(i128),
    Variable(String),
    Binary(Box<Integer>, IntegerOperator, Box<Integer>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum IntegerOperator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl Integer {
    /// The value in one iteration; `None` if it overflows or divides by zero.
    pub(crate) fn evaluate(&self, iteration: &Iteration) -> Option<i128> {
        match self {
            Self::Literal(value) => Some(*value),
            Self::Variable(name) => iteration.iter().rev().find(|(other, _)| other == name).map(|(_, value)| *value),
            Self::Binary(left, operator, right) => {
                let (left, right) = (left.evaluate(iteration)?, right.evaluate(iteration)?);
                match operator {
                    IntegerOperator::Add => left.checked_add(right),
                    IntegerOperator::Subtract => left.checked_sub(right),
                    IntegerOperator::Multiply => left.checked_mul(right),
                    IntegerOperator::Divide => left.checked_div(right),
                    IntegerOperator::Remainder => left.checked_rem(right),
                }
            }
        }
    }

    /// The value, if no loop variable takes part.
    pub(crate) fn constant(&self) -> Option<i128> {
        self.evaluate(&vec![])
    }

    /// The number with one loop variable replaced by its value.
    pub(crate) fn bind(&self, variable: &str, value: i128) -> Self {
        match self {
            Self::Variable(name) if name == variable => Self::Literal(value),
            Self::Binary(left, operator, right) => {
                Self::binary(left.bind(variable, value), *operator, right.bind(variable, value))
            }
            other => other.clone(),
        }
    }

    /// Combines two numbers, at once where both are known.
    pub(crate) fn binary(left: Self, operator: IntegerOperator, right: Self) -> Self {
        let combined = Self::Binary(Box::new(left.clone()), operator, Box::new(right.clone()));
        match (combined.constant(), operator, left.constant(), right.constant()) {
            (Some(value), ..) => Self::Literal(value),
            (None, IntegerOperator::Add | IntegerOperator::Subtract, _, Some(0)) => left,
            (None, IntegerOperator::Add, Some(0), _) => right,
            (None, IntegerOperator::Multiply | IntegerOperator::Divide, _, Some(1)) => left,
            (None, IntegerOperator::Multiply, Some(1), _) => right,
            _ => combined,
        }
    }

    /// True if only operators take part under which truncation to any width commutes.
    pub(crate) fn is_modular(&self) -> bool {
        match self {
            Self::Literal(_) | Self::Variable(_) => true,
            Self::Binary(left, operator, right) => {
                !matches!(operator, IntegerOperator::Divide | IntegerOperator::Remainder)
                    && left.is_modular()
                    && right.is_modular()
            }
        }
    }
}

/// Where an element or a part begins.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Index {
    Fixed(Integer),
    /// Chosen by a signal at run time.
    Dynamic(Box<Expression>),
}

/// A value of `width` bits. No operand of any expression is extended or truncated implicitly.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Expression {
    pub(crate) width: usize,
    pub(crate) signed: bool,
    pub(crate) kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Constant(BigUint),
    /// A constant with a name of its own: a variant of an enum or a `Constant` of the block.
    Named(String, BigUint),
    /// One element of a signal; the index counts elements.
    Element(SignalId, Index),
    /// All elements of an array at once.
    Vector(SignalId),
    Integer(Integer),
    /// `width` bits of the operand from an offset that is always in range.
    Part(Box<Expression>, Index),
    /// Zero extension or truncation.
    Resize(Box<Expression>),
    SignExtend(Box<Expression>),
    Not(Box<Expression>),
    Negate(Box<Expression>),
    Reduce(Reduction, Box<Expression>),
    Binary(Box<Expression>, Operator, Box<Expression>),
    /// The operand and the number of bits by which it is shifted.
    Shift(Box<Expression>, Direction, Box<Expression>),
    Compare(Box<Expression>, Comparison, Box<Expression>),
    CompareIntegers(Integer, Comparison, Integer),
    /// The operand with the bit at an index replaced.
    ReplaceBit(Box<Expression>, Index, Box<Expression>),
    /// The second operand if the first, of one bit, is 1, else the third.
    Choice(Box<Expression>, Box<Expression>, Box<Expression>),
    /// The first operand holds the highest bits.
    Concatenation(Vec<Expression>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Reduction {
    All,
    Any,
    Parity,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Operator {
    Add,
    Subtract,
    Multiply,
    And,
    Or,
    Xor,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Direction {
    Left,
    Right,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparison {
    pub(crate) fn holds<T: PartialOrd>(self, left: &T, right: &T) -> bool {
        match self {
            Self::Equal => left == right,
            Self::NotEqual => left != right,
            Self::Less => left < right,
            Self::LessOrEqual => left <= right,
            Self::Greater => left > right,
            Self::GreaterOrEqual => left >= right,
        }
    }
}

impl Expression {
    pub(crate) fn new(width: usize, kind: Kind) -> Self {
        Self { width, signed: false, kind }
    }

    pub(crate) fn constant(width: usize, value: BigUint) -> Self {
        Self::new(width, Kind::Constant(value & mask(width)))
    }

    pub(crate) fn with_sign(mut self, signed: bool) -> Self {
        self.signed = signed;
        self
    }

    /// The value, if it is a constant.
    pub(crate) fn known(&self) -> Option<&BigUint> {
        match &self.kind {
            Kind::Constant(value) | Kind::Named(_, value) => Some(value),
            _ => None,
        }
    }

    /// Calls `visit` on this expression and on every one below it, operands first.
    pub(crate) fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Expression)) {
        let index = |index: &'a Index, visit: &mut dyn FnMut(&'a Expression)| {
            if let Index::Dynamic(value) = index {
                value.walk(visit);
            }
        };
        match &self.kind {
            Kind::Constant(_) | Kind::Named(..) | Kind::Vector(_) | Kind::Integer(_) | Kind::CompareIntegers(..) => {}
            Kind::Element(_, at) => index(at, visit),
            Kind::Part(base, at) => {
                base.walk(visit);
                index(at, visit);
            }
            Kind::Resize(base)
            | Kind::SignExtend(base)
            | Kind::Not(base)
            | Kind::Negate(base)
            | Kind::Reduce(_, base) => base.walk(visit),
            Kind::Binary(left, _, right) | Kind::Shift(left, _, right) | Kind::Compare(left, _, right) => {
                left.walk(visit);
                right.walk(visit);
            }
            Kind::ReplaceBit(base, at, bit) => {
                base.walk(visit);
                index(at, visit);
                bit.walk(visit);
            }
            Kind::Choice(test, then, otherwise) => {
                test.walk(visit);
                then.walk(visit);
                otherwise.walk(visit);
            }
            Kind::Concatenation(items) => items.iter().for_each(|item| item.walk(visit)),
        }
        visit(self);
    }

    /// The expression with every one in it replaced by what `change` makes of it, operands first.
    pub(crate) fn map(self, change: &mut dyn FnMut(Expression) -> Expression) -> Self {
        fn boxed(value: Expression, change: &mut dyn FnMut(Expression) -> Expression) -> Box<Expression> {
            Box::new(value.map(change))
        }
        let (width, signed) = (self.width, self.signed);
        let kind = match self.kind {
            Kind::Element(signal, at) => Kind::Element(signal, at.map(change)),
            Kind::Part(base, at) => Kind::Part(boxed(*base, change), at.map(change)),
            Kind::Resize(base) => Kind::Resize(boxed(*base, change)),
            Kind::SignExtend(base) => Kind::SignExtend(boxed(*base, change)),
            Kind::Not(base) => Kind::Not(boxed(*base, change)),
            Kind::Negate(base) => Kind::Negate(boxed(*base, change)),
            Kind::Reduce(reduction, base) => Kind::Reduce(reduction, boxed(*base, change)),
            Kind::Binary(left, operator, right) => Kind::Binary(boxed(*left, change), operator, boxed(*right, change)),
            Kind::Shift(base, direction, amount) => {
                Kind::Shift(boxed(*base, change), direction, boxed(*amount, change))
            }
            Kind::Compare(left, comparison, right) => {
                Kind::Compare(boxed(*left, change), comparison, boxed(*right, change))
            }
            Kind::ReplaceBit(base, at, bit) => {
                Kind::ReplaceBit(boxed(*base, change), at.map(change), boxed(*bit, change))
            }
            Kind::Choice(test, then, otherwise) => {
                Kind::Choice(boxed(*test, change), boxed(*then, change), boxed(*otherwise, change))
            }
            Kind::Concatenation(items) => Kind::Concatenation(items.into_iter().map(|item| item.map(change)).collect()),
            kind => kind,
        };
        change(Expression { width, signed, kind })
    }
}

impl Index {
    fn map(self, change: &mut dyn FnMut(Expression) -> Expression) -> Self {
        match self {
            Self::Dynamic(value) => Self::Dynamic(Box::new(value.map(change))),
            fixed => fixed,
        }
    }
}

impl Statement {
    /// The statement with every expression in it replaced by what `change` makes of it, operands first.
    pub(crate) fn map(self, change: &mut dyn FnMut(Expression) -> Expression) -> Self {
        fn block(statements: Vec<Statement>, change: &mut dyn FnMut(Expression) -> Expression) -> Vec<Statement> {
            statements.into_iter().map(|statement| statement.map(change)).collect()
        }
        match self {
            Self::Assign(target, value) => {
                let part = target.part.map(|(offset, width)| (offset.map(change), width));
                let target = Target { index: target.index.map(|index| index.map(change)), part, ..target };
                Self::Assign(target, value.map(change))
            }
            Self::If(test, then, otherwise) => {
                Self::If(test.map(change), block(then, change), block(otherwise, change))
            }
            Self::Case(test, arms) => {
                let arms = arms.into_iter().map(|(pattern, body)| (pattern, block(body, change))).collect();
                Self::Case(test.map(change), arms)
            }
            Self::For { variable, from, to, body } => Self::For { variable, from, to, body: block(body, change) },
            Self::Comment(text) => Self::Comment(text),
        }
    }
}

/// `width` ones.
pub(crate) fn mask(width: usize) -> BigUint {
    (BigUint::from(1_u8) << width) - 1_u8
}

/// Bits needed to count to `length` elements.
pub(crate) fn index_width(length: usize) -> usize {
    length.max(2).next_power_of_two().trailing_zeros() as usize
}

/// What an assignment changes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Target {
    pub(crate) signal: SignalId,
    /// `None`: all elements of an array at once.
    pub(crate) index: Option<Index>,
    /// Offset and width, if only some bits of the element change.
    pub(crate) part: Option<(Index, usize)>,
}

impl Target {
    /// All of a signal.
    pub(crate) fn whole(signal: SignalId) -> Self {
        Self { signal, index: None, part: None }
    }
}

/// A statement of a kernel.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Statement {
    Assign(Target, Expression),
    If(Expression, Vec<Statement>, Vec<Statement>),
    /// Each arm's pattern, `None` for a wildcard; the last arm stands for every other value, too.
    Case(Expression, Vec<(Option<Expression>, Vec<Statement>)>),
    For {
        variable: String,
        from: i128,
        to: i128,
        body: Vec<Statement>,
    },
    Comment(String),
}
