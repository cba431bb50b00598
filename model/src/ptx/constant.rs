//! Constant expressions: what an operator makes of integers of 64 bits, signed or not, and of floating-point numbers (PTX ISA,
//! *Constant Expressions*).

/// Why an operator does not take what stands beside it.
const INTEGER_EXPECTED: &str = "an integer is expected here, not a floating-point number";

/// The value of a constant expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Constant {
    /// Of type `.s64` or `.u64`.
    Integer(Integer),
    /// Of type `.f64`.
    Float(f64),
    /// A literal of 32 bits, by its bits: of type `.f32` until an operator makes it one of type `.f64`.
    Single(u32),
}

impl Constant {
    /// Its integer.
    ///
    /// # Errors
    /// It is a floating-point number.
    pub fn integer(self) -> Result<Integer, &'static str> {
        match self {
            Self::Integer(integer) => Ok(integer),
            Self::Float(_) | Self::Single(_) => Err(INTEGER_EXPECTED),
        }
    }

    /// Its value as an operand of type `.f64`; `None` where it is an integer.
    fn float(self) -> Option<f64> {
        match self {
            Self::Integer(_) => None,
            Self::Float(value) => Some(value),
            Self::Single(bits) => Some(f32::from_bits(bits).into()),
        }
    }

    /// `-`, which keeps the type.
    pub fn negated(self) -> Self {
        match self {
            Self::Integer(integer) => Self::Integer(integer.negated()),
            Self::Float(value) => Self::Float(-value),
            Self::Single(bits) => Self::Float(-f64::from(f32::from_bits(bits))),
        }
    }

    /// The value of `self operator other`. A comparison of two floating-point numbers is an integer.
    ///
    /// # Errors
    /// A division by zero, an integer beside a floating-point number, or an operator that has no meaning for two of the latter.
    pub fn combined(self, operator: &str, other: Self) -> Result<Self, &'static str> {
        const DIVISION: &str = "a constant expression divides by zero";
        if let (Self::Integer(left), Self::Integer(right)) = (self, other) {
            return left.combined(operator, right).map(Self::Integer).ok_or(DIVISION);
        }
        let Some((left, right)) = self.float().zip(other.float()) else {
            return Err("one side is an integer, the other a floating-point number");
        };
        let truth = |value| Ok(Self::Integer(Integer::truth(value)));
        match operator {
            "*" => Ok(Self::Float(left * right)),
            "/" if right == 0.0 => Err(DIVISION),
            "/" => Ok(Self::Float(left / right)),
            "+" => Ok(Self::Float(left + right)),
            "-" => Ok(Self::Float(left - right)),
            "<" => truth(left < right),
            ">" => truth(left > right),
            "<=" => truth(left <= right),
            ">=" => truth(left >= right),
            "==" => truth(left == right),
            "!=" => truth(left != right),
            _ => Err(INTEGER_EXPECTED),
        }
    }
}

/// An integer in a constant expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Integer {
    /// Its 64 bits.
    pub bits: u64,
    /// It is of type `.u64`, else of `.s64`.
    pub is_unsigned: bool,
}

impl Integer {
    /// An integer of type `.s64`.
    pub fn signed(value: i64) -> Self {
        Self { bits: value as u64, is_unsigned: false }
    }

    /// An integer of type `.u64`.
    pub fn unsigned(bits: u64) -> Self {
        Self { bits, is_unsigned: true }
    }

    fn truth(value: bool) -> Self {
        Self::signed(i64::from(value))
    }

    /// `-`, which keeps the type.
    pub fn negated(self) -> Self {
        Self { bits: self.bits.wrapping_neg(), ..self }
    }

    /// `!`.
    pub fn inverted(self) -> Self {
        Self::truth(self.bits == 0)
    }

    /// `~`, whose result is unsigned.
    pub fn complement(self) -> Self {
        Self::unsigned(!self.bits)
    }

    /// The value of `self operator other`; `None` for a division by zero. One unsigned side makes a sum, a product, a quotient or a
    /// comparison unsigned; a shift has the type of what is shifted, by the low six bits of its right side.
    pub fn combined(self, operator: &str, other: Self) -> Option<Self> {
        let (left, right) = (self.bits, other.bits);
        let is_unsigned = self.is_unsigned || other.is_unsigned;
        let of = |bits| Some(Self { bits, is_unsigned });
        let ordering = if is_unsigned { left.cmp(&right) } else { (left as i64).cmp(&(right as i64)) };
        let shift = right as u32 % 64;
        match operator {
            "*" => of(left.wrapping_mul(right)),
            "/" if right == 0 => None,
            "/" if is_unsigned => of(left / right),
            "/" => of((left as i64).wrapping_div(right as i64) as u64),
            "%" => left.checked_rem(right).map(|rest| Self::signed(rest as i64)),
            "+" => of(left.wrapping_add(right)),
            "-" => of(left.wrapping_sub(right)),
            "<<" => Some(Self { bits: left << shift, ..self }),
            ">>" if self.is_unsigned => Some(Self::unsigned(left >> shift)),
            ">>" => Some(Self::signed(left as i64 >> shift)),
            "<" => Some(Self::truth(ordering.is_lt())),
            ">" => Some(Self::truth(ordering.is_gt())),
            "<=" => Some(Self::truth(ordering.is_le())),
            ">=" => Some(Self::truth(ordering.is_ge())),
            "==" => Some(Self::truth(left == right)),
            "!=" => Some(Self::truth(left != right)),
            "&" => Some(Self::unsigned(left & right)),
            "^" => Some(Self::unsigned(left ^ right)),
            "|" => Some(Self::unsigned(left | right)),
            "&&" => Some(Self::truth(left != 0 && right != 0)),
            _ => Some(Self::truth(left != 0 || right != 0)),
        }
    }
}
