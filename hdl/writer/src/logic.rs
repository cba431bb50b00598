//! The logic of a group of signals, and what it says of each.

use std::collections::BTreeSet;

use num_bigint::BigUint;

use super::assignment::target_bits;
use super::expression::{Expression, Index, Integer, Kind, SignalId, Statement, Target, mask};
use super::fold;
use super::scope::Scope;
use super::statements::reads_any;

/// The logic of one group of signals.
pub(crate) enum Logic {
    /// Assignments that always hold; no two of them share a bit.
    Continuous(Vec<(Target, Expression)>),
    /// Statements that run in order.
    Procedural(BTreeSet<SignalId>, Vec<Statement>),
    /// Loads of registers that share a clock and a reset, in order, at an edge that does not reset them. They assign the
    /// registers themselves and read what these held before the edge.
    Clocked(Vec<Statement>),
}

/// The element of a signal at each place, if plain assignments on every path are all there is to it.
pub(crate) fn elements(scope: &Scope, logic: &Logic, signal: SignalId) -> Option<Vec<Expression>> {
    let length = scope.signals[signal].length();
    let mut found: Vec<Option<Expression>> = vec![None; length];
    let assignments: Vec<(Target, Expression)> = match logic {
        Logic::Continuous(assignments) => assignments.clone(),
        Logic::Procedural(members, statements) if !reads_any(statements, members) => unrolled(statements)?,
        Logic::Procedural(..) | Logic::Clocked(_) => return None,
    };
    for (target, value) in assignments {
        if target.signal != signal || target.part.is_some() {
            return None;
        }
        match &target.index {
            Some(Index::Fixed(index)) => {
                let place = usize::try_from(index.constant()?).ok()?;
                *found.get_mut(place)? = Some(value);
            }
            None => {
                for (place, slot) in found.iter_mut().enumerate() {
                    *slot = Some(fold::element_of(scope, &value, place, scope.signals[signal].width)?);
                }
            }
            Some(Index::Dynamic(_)) => return None,
        }
    }
    found.into_iter().collect()
}

/// The value of each bit of a signal that is no array, if plain assignments on every path are all there is to it.
pub(crate) fn bits(scope: &Scope, statements: &[Statement], signal: SignalId) -> Option<Vec<Expression>> {
    let single = &scope.signals[signal];
    if !single.dimensions.is_empty() {
        return None;
    }
    let mut found: Vec<Option<Expression>> = vec![None; single.width];
    for (target, value) in unrolled(statements)? {
        match &target.part {
            // What it is before its bits are told one by one.
            None => found.fill(None),
            Some((Index::Fixed(index), 1)) => *found.get_mut(usize::try_from(index.constant()?).ok()?)? = Some(value),
            Some(_) => return None,
        }
    }
    found.into_iter().collect()
}

/// The array whose elements these are, in its order, once or again and again.
pub(crate) fn array_of(scope: &Scope, elements: &[Expression]) -> Option<SignalId> {
    let Kind::Element(source, _) = elements.first()?.kind else { return None };
    let (length, width) = (scope.signals[source].length(), scope.signals[source].width);
    let is_next = |(place, value): (usize, &Expression)| {
        value.width == width
            && matches!(&value.kind, Kind::Element(from, Index::Fixed(index))
                if *from == source && index.constant() == Some((place % length) as i128))
    };
    elements.iter().enumerate().all(is_next).then_some(source)
}

/// Assignments in loops, one by one; later ones overwrite earlier ones.
fn unrolled(statements: &[Statement]) -> Option<Vec<(Target, Expression)>> {
    let mut result = vec![];
    for statement in statements {
        match statement {
            Statement::Assign(target, value) => result.push((target.clone(), value.clone())),
            Statement::For { variable, from, to, body } => {
                for value in *from..*to {
                    for (target, assigned) in unrolled(body)? {
                        let bind = |integer: &Integer| integer.bind(variable, value);
                        let fixed = |index| match index {
                            Index::Fixed(integer) => Index::Fixed(bind(&integer)),
                            dynamic => dynamic,
                        };
                        let index = target.index.map(fixed);
                        let part = target.part.map(|(at, width)| (fixed(at), width));
                        result.push((Target { index, part, ..target }, fold::bind(assigned, variable, value)?));
                    }
                }
            }
            Statement::Comment(_) => {}
            _ => return None,
        }
    }
    Some(result)
}

/// True if the target is all of a signal.
pub(crate) fn is_whole(scope: &Scope, target: &Target) -> bool {
    target.part.is_none() && target_bits(scope, target, &vec![]) == (all_bits(scope, target.signal), true)
}

/// All bits of a signal.
pub(crate) fn all_bits(scope: &Scope, signal: SignalId) -> BigUint {
    mask(scope.signals[signal].total())
}
