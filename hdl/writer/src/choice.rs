//! Statements that do nothing but choose a value for one signal, as one expression: `install ? response : request`.

use std::collections::BTreeSet;

use super::expression::{Expression, Kind, Operator, SignalId, Statement};
use super::fold::simplify;
use super::logic::{Logic, array_of, bits, elements, is_whole};
use super::scope::Scope;
use super::statements::reads_any;

/// With more conditions statements read better.
const CONDITIONS: usize = 3;

/// The value that such statements give `signal`. A unit that is broken on purpose keeps all statements but those with one condition and
/// two values: each of them can be broken by itself.
pub(crate) fn chosen(scope: &Scope, statements: &[Statement], signal: SignalId) -> Option<Expression> {
    let is_simple = match scope.sites {
        Some(_) => is_one_choice(statements),
        None => conditions(statements) <= CONDITIONS,
    };
    if !is_simple || reads_any(statements, &BTreeSet::from([signal])) {
        return None;
    }
    value(scope, signal, None, statements).or_else(|| copied(scope, statements, signal))
}

fn is_one_choice(statements: &[Statement]) -> bool {
    let is_one = |statements: &[Statement]| matches!(statements, [Statement::Assign(..)]);
    match statements {
        [Statement::Assign(..), Statement::If(_, then, otherwise)] => is_one(then) && otherwise.is_empty(),
        [Statement::If(_, then, otherwise)] => is_one(then) && is_one(otherwise),
        _ => false,
    }
}

fn conditions(statements: &[Statement]) -> usize {
    let inside = |statement: &Statement| match statement {
        Statement::If(_, then, otherwise) => 1 + conditions(then) + conditions(otherwise),
        _ => 0,
    };
    statements.iter().map(inside).sum()
}

/// What the signal has after the statements, if it had `before`.
fn value(scope: &Scope, signal: SignalId, before: Option<Expression>, statements: &[Statement]) -> Option<Expression> {
    statements.iter().try_fold(before, |before, statement| match statement {
        Statement::Assign(target, value) => is_whole(scope, target).then(|| Some(value.clone())),
        Statement::If(test, then, otherwise) => {
            let then = value(scope, signal, before.clone(), then)?;
            let otherwise = value(scope, signal, before, otherwise)?;
            choice(scope.signals[signal].total(), test.clone(), then, otherwise).map(Some)
        }
        Statement::Case(..) | Statement::For { .. } | Statement::Comment(_) => None,
    })?
}

/// `then` where `test` holds, else `otherwise`: a list of conditions, each with its value, and what is left; no tree.
fn choice(width: usize, test: Expression, then: Expression, otherwise: Expression) -> Option<Expression> {
    let is_choice = |value: &Expression| matches!(value.kind, Kind::Choice(..));
    let (test, then, otherwise) = match then.kind {
        Kind::Choice(inner, value, left) if *left == otherwise => {
            (Expression::new(1, Kind::Binary(Box::new(test), Operator::And, inner)), *value, otherwise)
        }
        Kind::Choice(..) if is_choice(&otherwise) => return None,
        Kind::Choice(..) => (not(test), otherwise, then),
        _ => (test, then, otherwise),
    };
    Some(Expression::new(width, Kind::Choice(Box::new(test), Box::new(then), Box::new(otherwise))))
}

fn not(test: Expression) -> Expression {
    match test.kind {
        Kind::Not(inner) => *inner,
        _ => simplify(Expression::new(1, Kind::Not(Box::new(test)))),
    }
}

/// The array that a loop copies, element by element or bit by bit, and nothing else.
fn copied(scope: &Scope, statements: &[Statement], signal: SignalId) -> Option<Expression> {
    let logic = Logic::Procedural(BTreeSet::from([signal]), statements.to_vec());
    let copies = elements(scope, &logic, signal).or_else(|| bits(scope, statements, signal))?;
    let source = array_of(scope, &copies)?;
    let total = scope.signals[signal].total();
    (scope.signals[source].total() == total).then(|| Expression::new(total, Kind::Vector(source)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expression::{Index, Integer};

    fn bit(signal: SignalId) -> Expression {
        Expression::new(1, Kind::Element(signal, Index::Fixed(Integer::Literal(0))))
    }

    fn boxed(test: &Expression, then: &Expression, otherwise: &Expression) -> Expression {
        Expression::new(2, Kind::Choice(Box::new(test.clone()), Box::new(then.clone()), Box::new(otherwise.clone())))
    }

    /// What an expression is where signal `i` is bit `i` of `bits`.
    fn evaluated(value: &Expression, bits: u32) -> u32 {
        match &value.kind {
            Kind::Constant(number) => number.iter_u32_digits().next().unwrap_or_default(),
            Kind::Element(signal, _) => bits >> signal & 1,
            Kind::Not(inner) => evaluated(inner, bits) ^ 1,
            Kind::Binary(left, Operator::And, right) => evaluated(left, bits) & evaluated(right, bits),
            Kind::Choice(test, then, otherwise) => {
                evaluated(if evaluated(test, bits) == 1 { then } else { otherwise }, bits)
            }
            other => panic!("{other:?}"),
        }
    }

    /// Every condition over every pair of values and inner choices gives what an "if" gives, whatever the signals are.
    #[test]
    fn a_choice_is_what_the_condition_says() {
        let leaves: Vec<_> = (0..3_u32).map(|number| Expression::constant(2, number.into())).collect();
        let tests = [bit(0), bit(1), bit(2), not(bit(0)), not(bit(2))];
        let mut values = leaves.clone();
        for test in &tests {
            for then in &leaves {
                values.extend(leaves.iter().map(|otherwise| boxed(test, then, otherwise)));
            }
        }
        let (mut lists, mut trees) = (0, 0);
        for test in &tests {
            for (then, otherwise) in values.iter().flat_map(|then| values.iter().map(move |other| (then, other))) {
                let expected = boxed(test, then, otherwise);
                let Some(list) = choice(2, test.clone(), then.clone(), otherwise.clone()) else {
                    trees += 1;
                    continue;
                };
                lists += 1;
                for bits in 0..8 {
                    assert_eq!(evaluated(&list, bits), evaluated(&expected, bits), "{bits:03b}: {list:?}");
                }
                let Kind::Choice(_, first, _) = &list.kind else { panic!("{list:?}") };
                assert!(!matches!(first.kind, Kind::Choice(..)), "{list:?}");
            }
        }
        // Left out is a choice on both sides, of which there are 45 each.
        assert_eq!((lists, trees), (5 * (48 * 48 - 45 * 45), 5 * 45 * 45));
    }
}
