//! Statements that do nothing but choose a value for one signal, as one expression: `install ? response : request`.

use std::collections::BTreeSet;

use super::expression::{Expression, Kind, Operator, SignalId, Statement};
use super::fold::simplify;
use super::scope::Scope;
use super::split::{Logic, array_of, elements, is_whole, reads_any};

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

/// The array that a loop copies, element by element, and nothing else.
fn copied(scope: &Scope, statements: &[Statement], signal: SignalId) -> Option<Expression> {
    let logic = Logic::Procedural(BTreeSet::from([signal]), statements.to_vec());
    let source = array_of(scope, &elements(scope, &logic, signal)?)?;
    let total = scope.signals[signal].total();
    (scope.signals[source].total() == total).then(|| Expression::new(total, Kind::Vector(source)))
}
