//! Constant expressions as they are written; operators bind as in C.
//!
//! What waits for a value is held in a list, not in calls that call themselves: however deep an expression is nested, the stack is not.

use std::ops::Range;

use crate::diagnostic::Diagnostic;

use super::constant::{Constant, Integer};
use super::instruction::Immediate;
use super::lexer::Token;
use super::number;
use super::parser::{Cursor, SYNTAX, WARP_SIZE, clip};

/// What waits for the value that is read next.
enum Waiting<'a> {
    /// A sign, an operator or a cast, with the place of what it stands before.
    Prefix(Prefix, Range<usize>),
    /// A value and an operator behind it, with its strength and its place.
    Binary { left: Constant, operator: &'a str, strength: u8, span: Range<usize> },
    /// `(`.
    Parenthesis,
    /// A condition and `?`, with the place of the first choice.
    First { is_first: bool, span: Range<usize> },
    /// A condition, the first choice and `:`, with the place of the second choice.
    Second { is_first: bool, first: Integer, span: Range<usize> },
}

/// What stands before its operand.
#[derive(Clone, Copy)]
enum Prefix {
    Plus,
    Minus,
    Not,
    Complement,
    Cast { is_unsigned: bool },
}

impl<'a> Cursor<'a> {
    /// A constant expression that is an integer.
    pub(super) fn integer(&mut self) -> Result<Integer, Diagnostic> {
        let span = self.span();
        located(self.expression()?.integer(), &span)
    }

    /// A constant expression.
    pub(super) fn expression(&mut self) -> Result<Constant, Diagnostic> {
        let mut waiting = Vec::new();
        let mut begin = self.span();
        loop {
            while let Some(prefix) = self.prefix() {
                waiting.push(prefix);
            }
            let mut value = self.literal(&waiting)?;
            // Everything that ends behind the value.
            loop {
                let span = self.span();
                if let Some((operator, strength)) = self.operator() {
                    let left = settled(&mut waiting, value, strength)?;
                    waiting.push(Waiting::Binary { left, operator, strength, span });
                    self.advance();
                    break;
                }
                if self.peek() == Some(Token::Operator) && self.slice() == "?" {
                    let condition = settled(&mut waiting, value, 0)?;
                    let is_first = located(condition.integer(), &begin)?.bits != 0;
                    self.advance();
                    begin = self.span();
                    waiting.push(Waiting::First { is_first, span: begin.clone() });
                    break;
                }
                value = chosen(&mut waiting, value)?;
                match (waiting.pop(), self.peek()) {
                    (None, _) => return Ok(value),
                    (Some(Waiting::First { is_first, span }), Some(Token::Colon)) => {
                        let first = located(value.integer(), &span)?;
                        self.advance();
                        begin = self.span();
                        waiting.push(Waiting::Second { is_first, first, span: begin.clone() });
                        break;
                    }
                    (Some(Waiting::Parenthesis), Some(Token::ParenClose)) => self.advance(),
                    (Some(Waiting::First { .. }), _) => return self.refuse("`:`"),
                    _ => return self.refuse("`)`"),
                }
            }
        }
    }

    /// What stands before an operand, where it is next.
    fn prefix(&mut self) -> Option<Waiting<'a>> {
        let prefix = match self.peek()? {
            Token::Plus => Prefix::Plus,
            Token::Minus => Prefix::Minus,
            Token::Not => Prefix::Not,
            Token::Operator if self.slice() == "~" => Prefix::Complement,
            Token::ParenOpen => {
                self.advance();
                let is_cast = self.peek() == Some(Token::Dotted)
                    && matches!(self.slice(), ".s64" | ".u64")
                    && self.look(1) == Some(Token::ParenClose);
                if !is_cast {
                    return Some(Waiting::Parenthesis);
                }
                let is_unsigned = self.slice() == ".u64";
                self.advance();
                Prefix::Cast { is_unsigned }
            }
            _ => return None,
        };
        self.advance();
        Some(Waiting::Prefix(prefix, self.span()))
    }

    /// The operator between two values that is next, and how strongly it binds.
    fn operator(&self) -> Option<(&'a str, u8)> {
        let operator = match self.peek()? {
            Token::Operator | Token::Plus | Token::Minus | Token::AngleOpen | Token::AngleClose => self.slice(),
            _ => return None,
        };
        let strength = match operator {
            "*" | "/" | "%" => 10,
            "+" | "-" => 9,
            "<<" | ">>" => 8,
            "<" | ">" | "<=" | ">=" => 7,
            "==" | "!=" => 6,
            "&" => 5,
            "^" => 4,
            "|" => 3,
            "&&" => 2,
            "||" => 1,
            _ => return None,
        };
        Some((operator, strength))
    }

    /// A number. One that is given by its 32 bits stands alone in parentheses.
    fn literal(&mut self, waiting: &[Waiting<'_>]) -> Result<Constant, Diagnostic> {
        let span = self.span();
        let value = match self.peek() {
            Some(Token::Name) if self.slice() == WARP_SIZE => Constant::Integer(Integer::signed(32)),
            Some(Token::Integer) => {
                let Some(value) = number::integer(self.slice()) else {
                    let message = format!("`{}` is no 64-bit integer", clip(self.slice()));
                    return Err(Diagnostic::error("integer-range", span, message));
                };
                // One that `.s64` cannot hold is unsigned, and so is one that ends in `U`.
                let is_unsigned = value < 0 || self.slice().ends_with('U');
                Constant::Integer(Integer { bits: value as u64, is_unsigned })
            }
            Some(Token::Float) => match number::float(self.slice()) {
                Some(Immediate::Double(bits)) => Constant::Float(f64::from_bits(bits)),
                Some(Immediate::Single(bits)) if matches!(waiting.last(), Some(Waiting::Parenthesis)) => {
                    self.advance();
                    if self.peek() != Some(Token::ParenClose) {
                        return self.refuse("`)`");
                    }
                    return Ok(Constant::Single(bits));
                }
                Some(_) => {
                    let message = "a number given by its 32 bits is no operand of a sign or operator";
                    return Err(Diagnostic::error(SYNTAX, span, message).with_help("put it in parentheses"));
                }
                None => {
                    let message = format!("`{}` is no normal number of 64 bits", clip(self.slice()));
                    return Err(Diagnostic::error("float-range", span, message));
                }
            },
            _ => return self.refuse("a constant"),
        };
        self.advance();
        Ok(value)
    }
}

/// What `value` becomes by everything before it that binds at least as strongly as `strength`.
fn settled(waiting: &mut Vec<Waiting<'_>>, mut value: Constant, least: u8) -> Result<Constant, Diagnostic> {
    while let Some(last) = waiting.pop_if(|last| match last {
        Waiting::Prefix(..) => true,
        Waiting::Binary { strength, .. } => *strength >= least,
        _ => false,
    }) {
        value = match last {
            Waiting::Prefix(Prefix::Plus, _) => value,
            Waiting::Prefix(Prefix::Minus, _) => value.negated(),
            Waiting::Prefix(prefix, span) => {
                let operand = located(value.integer(), &span)?;
                Constant::Integer(match prefix {
                    Prefix::Not => operand.inverted(),
                    Prefix::Complement => operand.complement(),
                    Prefix::Cast { is_unsigned } => Integer { is_unsigned, ..operand },
                    Prefix::Plus | Prefix::Minus => operand,
                })
            }
            Waiting::Binary { left, operator, span, .. } => located(left.combined(operator, value), &span)?,
            Waiting::Parenthesis | Waiting::First { .. } | Waiting::Second { .. } => value,
        };
    }
    Ok(value)
}

/// What `value` becomes as the last word of an expression: operators have their operands, and choices are made.
fn chosen(waiting: &mut Vec<Waiting<'_>>, value: Constant) -> Result<Constant, Diagnostic> {
    let mut value = settled(waiting, value, 0)?;
    while let Some(last) = waiting.pop_if(|last| matches!(last, Waiting::Second { .. })) {
        if let Waiting::Second { is_first, first, span } = last {
            let second = located(value.integer(), &span)?;
            value = settled(waiting, Constant::Integer(if is_first { first } else { second }), 0)?;
        }
    }
    Ok(value)
}

/// What `value` is, or a refusal at `span`.
fn located<T>(value: Result<T, &'static str>, span: &Range<usize>) -> Result<T, Diagnostic> {
    value.map_err(|reason| Diagnostic::error(SYNTAX, span.clone(), reason))
}
