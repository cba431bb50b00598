//! Smart constructors: constants are folded, and parts are taken of operands rather than of results
//! wherever that is exact, because Verilog cannot take a part of an expression.

use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};

use super::expression::{Comparison, Direction, Expression, Index, Integer, IntegerOperator, Kind, Operator, mask};
use super::scope::Scope;

/// Zero-extends or truncates to `width` bits; the result is unsigned.
pub(crate) fn resize(value: Expression, width: usize) -> Expression {
    if width == value.width {
        return value.with_sign(false);
    }
    if let Some(known) = value.known() {
        return Expression::constant(width, known.clone());
    }
    if width < value.width {
        return narrow(value, width);
    }
    match value.kind {
        Kind::Resize(inner) if inner.width < value.width => resize(*inner, width),
        _ => Expression::new(width, Kind::Resize(Box::new(value))),
    }
}

fn narrow(value: Expression, width: usize) -> Expression {
    match value.kind {
        Kind::Resize(inner) => resize(*inner, width),
        Kind::Not(inner) => Expression::new(width, Kind::Not(Box::new(resize(*inner, width)))),
        Kind::Negate(inner) => Expression::new(width, Kind::Negate(Box::new(resize(*inner, width)))),
        Kind::Integer(integer) => Expression::new(width, Kind::Integer(integer)),
        Kind::Binary(left, operator, right) => {
            let kind = Kind::Binary(Box::new(resize(*left, width)), operator, Box::new(resize(*right, width)));
            simplify(Expression::new(width, kind))
        }
        Kind::Shift(base, Direction::Left, amount) => {
            Expression::new(width, Kind::Shift(Box::new(resize(*base, width)), Direction::Left, amount))
        }
        Kind::SignExtend(inner) if width <= inner.width => resize(*inner, width),
        Kind::Part(base, index) => Expression::new(width, Kind::Part(base, index)),
        kind => Expression::new(width, Kind::Part(Box::new(Expression { kind, ..value }), at(0))),
    }
}

fn at(place: usize) -> Index {
    Index::Fixed(Integer::Literal(place as i128))
}

/// `width` bits of `base` from `index`, which is always in range.
pub(crate) fn part(base: Expression, index: Index, width: usize) -> Expression {
    let Index::Fixed(integer) = &index else {
        return Expression::new(width, Kind::Part(Box::new(base), index));
    };
    let constant = integer.constant().and_then(|place| usize::try_from(place).ok());
    if constant == Some(0) && !matches!(base.kind, Kind::Concatenation(_)) {
        return resize(base, width);
    }
    if let (Some(place), Some(value)) = (constant, base.known()) {
        return Expression::constant(width, value >> place);
    }
    if let (Some(place), Kind::Concatenation(items)) = (constant, &base.kind)
        && let Some((item, start)) = item_at(items, place, width)
    {
        return part(item.clone(), at(start), width);
    }
    match base.kind {
        Kind::Part(inner, Index::Fixed(start)) => {
            let start = Integer::binary(start, IntegerOperator::Add, integer.clone());
            Expression::new(width, Kind::Part(inner, Index::Fixed(start)))
        }
        Kind::Resize(inner) if constant.is_some_and(|place| place + width <= inner.width) => part(*inner, index, width),
        Kind::Resize(inner) if constant.is_some_and(|place| place >= inner.width) => {
            Expression::constant(width, BigUint::zero())
        }
        Kind::Not(inner) => Expression::new(width, Kind::Not(Box::new(part(*inner, index, width)))),
        Kind::Binary(left, operator @ (Operator::And | Operator::Or | Operator::Xor), right) => {
            let (left, right) = (part(*left, index.clone(), width), part(*right, index, width));
            simplify(Expression::new(width, Kind::Binary(Box::new(left), operator, Box::new(right))))
        }
        kind => Expression::new(width, Kind::Part(Box::new(Expression { kind, ..base }), index)),
    }
}

/// The operand of a concatenation that holds all of some bits, and where they begin in it.
fn item_at(items: &[Expression], place: usize, width: usize) -> Option<(&Expression, usize)> {
    let mut start = 0;
    for item in items.iter().rev() {
        if place >= start && place + width <= start + item.width {
            return Some((item, place - start));
        }
        start += item.width;
    }
    None
}

/// True if Verilog can take a part of it in place.
pub(crate) fn has_parts(value: &Expression) -> bool {
    match &value.kind {
        Kind::Element(_, Index::Fixed(_)) => true,
        Kind::Part(base, Index::Fixed(_)) => has_parts(base),
        _ => false,
    }
}

/// One element of the value of a whole array.
pub(crate) fn element_of(scope: &Scope, value: &Expression, place: usize, width: usize) -> Option<Expression> {
    match &value.kind {
        Kind::Constant(known) => Some(Expression::constant(width, known >> (place * width))),
        Kind::Vector(signal) => {
            let signed = scope.signals[*signal].is_signed();
            Some(Expression::new(width, Kind::Element(*signal, at(place))).with_sign(signed))
        }
        _ if place == 0 && value.width == width => Some(value.clone()),
        _ => None,
    }
}

/// A plain element or constant with one loop variable replaced by its value.
pub(crate) fn bind(value: Expression, variable: &str, number: i128) -> Option<Expression> {
    let kind = match value.kind {
        Kind::Element(signal, Index::Fixed(index)) => Kind::Element(signal, Index::Fixed(index.bind(variable, number))),
        kind @ (Kind::Constant(_) | Kind::Named(..) | Kind::Vector(_)) => kind,
        _ => return None,
    };
    Some(Expression { kind, ..value })
}

/// A shift by a known number of bits.
pub(crate) fn shift_by(value: Expression, direction: Direction, amount: usize) -> Expression {
    let (width, signed) = (value.width, value.signed);
    if amount == 0 {
        return value;
    }
    if amount >= width {
        return Expression::constant(width, BigUint::zero()).with_sign(signed);
    }
    if let Some(known) = value.known() {
        let shifted = match direction {
            Direction::Left => known << amount,
            Direction::Right => known >> amount,
        };
        return Expression::constant(width, shifted).with_sign(signed);
    }
    if direction == Direction::Right && has_parts(&value) {
        return resize(part(value, at(amount), width - amount), width).with_sign(signed);
    }
    let amount = Expression::constant(32, BigUint::from(amount));
    Expression::new(width, Kind::Shift(Box::new(value), direction, Box::new(amount))).with_sign(signed)
}

/// Folds an operator over constants, and comparisons that always come out the same.
pub(crate) fn simplify(value: Expression) -> Expression {
    let folded = match &value.kind {
        Kind::Not(inner) => inner.known().map(|known| known ^ mask(value.width)),
        Kind::Negate(inner) => inner.known().map(|known| (mask(value.width) - known) + 1_u8),
        Kind::Binary(left, operator, right) => match (left.known(), right.known()) {
            (Some(left), Some(right)) => Some(operate(left, *operator, right, value.width)),
            _ => None,
        },
        Kind::Compare(left, comparison, right) => compare(left, *comparison, right),
        _ => None,
    };
    match folded {
        Some(known) => Expression::constant(value.width, known).with_sign(value.signed),
        None => value,
    }
}

/// The value of an operator over values of `width` bits.
pub(crate) fn operate(left: &BigUint, operator: Operator, right: &BigUint, width: usize) -> BigUint {
    let full = match operator {
        Operator::Add => left + right,
        Operator::Subtract => left + (mask(width) - right) + 1_u8,
        Operator::Multiply => left * right,
        Operator::And => left & right,
        Operator::Or => left | right,
        Operator::Xor => left ^ right,
    };
    full & mask(width)
}

fn compare(left: &Expression, comparison: Comparison, right: &Expression) -> Option<BigUint> {
    let signed = left.signed || right.signed;
    let width = left.width;
    let number = |value: &BigUint| number(value, width, signed);
    if let (Some(left), Some(right)) = (left.known(), right.known()) {
        return Some(u8::from(comparison.holds(&number(left), &number(right))).into());
    }
    // Verilator warns of comparisons with the least or greatest number, and rightly so.
    let (least, greatest) = if signed {
        (-(BigInt::one() << (width - 1)), (BigInt::one() << (width - 1)) - 1)
    } else {
        (BigInt::zero(), (BigInt::one() << width) - 1)
    };
    let (comparison, known) = match (left.known(), right.known()) {
        (None, Some(right)) => (comparison, number(right)),
        (Some(left), None) => (mirror(comparison), number(left)),
        _ => return None,
    };
    match comparison {
        Comparison::Less if known == least => Some(BigUint::zero()),
        Comparison::GreaterOrEqual if known == least => Some(BigUint::one()),
        Comparison::Greater if known == greatest => Some(BigUint::zero()),
        Comparison::LessOrEqual if known == greatest => Some(BigUint::one()),
        _ => None,
    }
}

fn mirror(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Less => Comparison::Greater,
        Comparison::LessOrEqual => Comparison::GreaterOrEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterOrEqual => Comparison::LessOrEqual,
        same => same,
    }
}

/// The number that `width` bits stand for.
pub(crate) fn number(value: &BigUint, width: usize, signed: bool) -> BigInt {
    let number = BigInt::from(value.clone());
    if signed && value.bit(width as u64 - 1) { number - (BigInt::one() << width) } else { number }
}
