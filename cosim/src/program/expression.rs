//! Integer expressions in `lane`, as program files use them for register values.
//!
//! Operators bind as in C: `* / %`, then `+ -`, `<< >>`, `&`, `^`, `|`; a minus may stand before any term. Division
//! rounds down, and the remainder has the sign of the divisor. Numbers are decimal, `0x`, `0b` or `0o`, with `_`
//! anywhere between digits. Values are exact integers of up to 127 bits; nothing wraps.

use winnow::ascii::{alphanumeric1, multispace0};
use winnow::combinator::{alt, cut_err, delimited, preceded, repeat};
use winnow::error::{ContextError, StrContext, StrContextValue};
use winnow::prelude::*;
use winnow::token::{one_of, take_while};

/// Longest expression, in bytes; keeps the evaluation's depth bounded.
const LONGEST: usize = 4096;

/// Deepest nesting of parentheses.
const DEEPEST: usize = 64;

/// What is wrong with an expression, and where in its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpressionError {
    /// Byte offset into the expression.
    pub offset: usize,
    /// One sentence.
    pub message: String,
}

impl ExpressionError {
    fn new(offset: usize, message: impl Into<String>) -> Self {
        Self { offset, message: message.into() }
    }
}

#[derive(Clone, Copy, Debug)]
enum Operator {
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    ShiftLeft,
    ShiftRight,
    And,
    Xor,
    Or,
}

#[derive(Clone, Debug)]
enum Node {
    Number(i128),
    Lane,
    Negate(Box<Node>),
    Binary(Operator, Box<Node>, Box<Node>),
}

/// The values of `text` in the lanes 0 to `lanes` - 1.
///
/// # Errors
/// Text that is no expression, a division by zero, a shift by less than 0 or more than 126, a result beyond 127 bits.
pub fn evaluate(text: &str, lanes: usize) -> Result<Vec<i128>, ExpressionError> {
    if text.len() > LONGEST {
        return Err(ExpressionError::new(0, format!("the expression is longer than {LONGEST} bytes")));
    }
    let mut depth = 0_usize;
    for (offset, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST {
            return Err(ExpressionError::new(offset, format!("more than {DEEPEST} parentheses are nested")));
        }
    }
    let tree = preceded(multispace0, or_level).parse(text).map_err(|error| {
        let expected: Vec<String> = error
            .inner()
            .context()
            .filter_map(|context| match context {
                StrContext::Expected(StrContextValue::Description(what)) => Some((*what).to_owned()),
                _ => None,
            })
            .collect();
        let message = match expected.first() {
            Some(what) => format!("expected {what}"),
            None => "expected an operator (+ - * / % << >> & | ^) or the end".to_owned(),
        };
        ExpressionError::new(error.offset(), message)
    })?;
    (0..lanes)
        .map(|lane| {
            value(&tree, lane as i128).map_err(|what| ExpressionError::new(0, format!("{what} in lane {lane}")))
        })
        .collect()
}

fn value(node: &Node, lane: i128) -> Result<i128, &'static str> {
    const TOO_LARGE: &str = "the value exceeds 127 bits";
    match node {
        Node::Number(number) => Ok(*number),
        Node::Lane => Ok(lane),
        Node::Negate(inner) => value(inner, lane)?.checked_neg().ok_or(TOO_LARGE),
        Node::Binary(operator, left, right) => {
            let (left, right) = (value(left, lane)?, value(right, lane)?);
            match operator {
                Operator::Multiply => left.checked_mul(right).ok_or(TOO_LARGE),
                Operator::Divide => floor_divide(left, right),
                Operator::Remainder => {
                    // The rest has the divisor's sign, as division rounds down.
                    floor_divide(left, right)?;
                    let rest = left % right;
                    Ok(if rest != 0 && (rest < 0) != (right < 0) { rest + right } else { rest })
                }
                Operator::Add => left.checked_add(right).ok_or(TOO_LARGE),
                Operator::Subtract => left.checked_sub(right).ok_or(TOO_LARGE),
                Operator::ShiftLeft => {
                    let factor = 1_i128.checked_shl(distance(right)?).ok_or(TOO_LARGE)?;
                    left.checked_mul(factor).ok_or(TOO_LARGE)
                }
                Operator::ShiftRight => Ok(left >> distance(right)?),
                Operator::And => Ok(left & right),
                Operator::Xor => Ok(left ^ right),
                Operator::Or => Ok(left | right),
            }
        }
    }
}

fn floor_divide(left: i128, right: i128) -> Result<i128, &'static str> {
    if right == 0 {
        return Err("division by zero");
    }
    let quotient = left.checked_div(right).ok_or("the value exceeds 127 bits")?;
    let is_inexact = quotient * right != left;
    Ok(if is_inexact && (left < 0) != (right < 0) { quotient - 1 } else { quotient })
}

fn distance(amount: i128) -> Result<u32, &'static str> {
    u32::try_from(amount).ok().filter(|bits| *bits <= 126).ok_or("a shift by less than 0 or more than 126")
}

/// `parse` and the blanks after it.
fn lexeme<'a, Output>(
    parse: impl Parser<&'a str, Output, winnow::error::ErrMode<ContextError>>,
) -> impl Parser<&'a str, Output, winnow::error::ErrMode<ContextError>> {
    winnow::combinator::terminated(parse, multispace0)
}

fn expected(what: &'static str) -> StrContext {
    StrContext::Expected(StrContextValue::Description(what))
}

fn term(input: &mut &str) -> ModalResult<Node> {
    let signs: Vec<char> = repeat(0.., lexeme('-')).parse_next(input)?;
    let node = alt((
        delimited(lexeme('('), cut_err(or_level), cut_err(lexeme(')')).context(expected("a closing parenthesis"))),
        lexeme((one_of('0'..='9'), take_while(0.., ('0'..='9', 'a'..='z', 'A'..='Z', '_'))).take())
            .verify_map(|digits: &str| number(digits).map(Node::Number)),
        lexeme(alphanumeric1).verify(|word: &str| word == "lane").value(Node::Lane),
    ))
    .context(expected("a number, `lane` or a parenthesis"))
    .parse_next(input)?;
    Ok(if signs.len() % 2 == 1 { Node::Negate(Box::new(node)) } else { node })
}

/// The value of digits with an optional base prefix.
fn number(digits: &str) -> Option<i128> {
    let plain: String = digits.chars().filter(|digit| *digit != '_').collect();
    let radix = match plain.get(..2) {
        Some("0x" | "0X") => 16,
        Some("0b" | "0B") => 2,
        Some("0o" | "0O") => 8,
        _ => return plain.parse().ok(),
    };
    i128::from_str_radix(&plain[2..], radix).ok()
}

/// A left-associative chain of `operand`s joined by `operator`.
fn chain(
    input: &mut &str,
    mut operand: impl FnMut(&mut &str) -> ModalResult<Node>,
    mut operator: impl FnMut(&mut &str) -> ModalResult<Operator>,
) -> ModalResult<Node> {
    let mut left = operand(input)?;
    loop {
        let before = *input;
        let Ok(found) = operator(input) else {
            *input = before;
            return Ok(left);
        };
        let right = cut_err(&mut operand).parse_next(input)?;
        left = Node::Binary(found, Box::new(left), Box::new(right));
    }
}

fn product_level(input: &mut &str) -> ModalResult<Node> {
    chain(input, term, |input| {
        lexeme(alt(('*'.value(Operator::Multiply), '/'.value(Operator::Divide), '%'.value(Operator::Remainder))))
            .parse_next(input)
    })
}

fn sum_level(input: &mut &str) -> ModalResult<Node> {
    chain(input, product_level, |input| {
        lexeme(alt(('+'.value(Operator::Add), '-'.value(Operator::Subtract)))).parse_next(input)
    })
}

fn shift_level(input: &mut &str) -> ModalResult<Node> {
    chain(input, sum_level, |input| {
        lexeme(alt(("<<".value(Operator::ShiftLeft), ">>".value(Operator::ShiftRight)))).parse_next(input)
    })
}

fn and_level(input: &mut &str) -> ModalResult<Node> {
    chain(input, shift_level, |input| lexeme('&'.value(Operator::And)).parse_next(input))
}

fn xor_level(input: &mut &str) -> ModalResult<Node> {
    chain(input, and_level, |input| lexeme('^'.value(Operator::Xor)).parse_next(input))
}

fn or_level(input: &mut &str) -> ModalResult<Node> {
    chain(input, xor_level, |input| lexeme('|'.value(Operator::Or)).parse_next(input))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(text: &str) -> i128 {
        evaluate(text, 1).expect(text)[0]
    }

    #[test]
    fn precedence_is_that_of_c() {
        assert_eq!(first("1 + 2 * 3"), 7);
        assert_eq!(first("(1 + 2) * 3"), 9);
        assert_eq!(first("1 << 2 + 1"), 8);
        assert_eq!(first("7 & 3 ^ 1 | 8"), 10);
        assert_eq!(first("10 - 4 - 3"), 3);
        assert_eq!(first("--5"), 5);
        assert_eq!(first("-2 * -3"), 6);
        assert_eq!(first("0x1_0000 + 0b11 + 0o17"), 0x1_0000 + 3 + 15);
    }

    #[test]
    fn division_rounds_down() {
        assert_eq!(first("7 / 2"), 3);
        assert_eq!(first("-7 / 2"), -4);
        assert_eq!(first("7 / -2"), -4);
        assert_eq!(first("-7 % 4"), 1);
        assert_eq!(first("7 % -4"), -1);
        assert_eq!(first("-1 >> 1"), -1);
    }

    #[test]
    fn lanes_differ() {
        assert_eq!(evaluate("0x1000 + 8*lane", 3).expect("valid"), [0x1000, 0x1008, 0x1010]);
    }

    #[test]
    fn mistakes_name_their_place() {
        let error = |text: &str| evaluate(text, 4).expect_err(text);
        assert_eq!(error("1 + ").offset, 4);
        assert_eq!(error("1 + lanes").offset, 4);
        assert_eq!(error("(1").message, "expected a closing parenthesis");
        assert_eq!(error("").offset, 0);
        assert_eq!(error("1 2").offset, 2);
        assert_eq!(error("8 / (lane - 2)").message, "division by zero in lane 2");
        assert!(error("1 << 127").message.starts_with("a shift by"));
        assert!(error(&"(".repeat(2000)).message.contains("nested"));
        assert!(error(&"1+".repeat(4000)).message.contains("longer"));
        assert!(error("0x7fffffffffffffffffffffffffffffff + 1").message.contains("127 bits"));
    }
}
