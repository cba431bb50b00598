//! Splits a kernel into one piece of logic for each group of signals, so that outputs which do not
//! depend on each other do not look as if they did.

use std::collections::BTreeSet;

use num_bigint::BigUint;
use num_traits::Zero;

use super::assignment::{self, Assignments};
use super::choice;
use super::evaluate;
use super::expression::{Expression, SignalId, Statement, Target};
use super::fields;
use super::logic::Logic;
use super::scope::Scope;
use super::statements::{reads_any, targets};

/// A piece of logic and where it stands in the kernel.
pub(crate) struct Piece {
    /// Counts the kernel's paragraphs: each begins with a comment, which may be empty.
    pub(crate) section: usize,
    /// The kernel's comments in front of it.
    pub(crate) headings: Vec<String>,
    pub(crate) logic: Logic,
}

/// The comments that begin the paragraphs of a kernel, by [`Piece::section`].
pub(crate) fn sections(statements: &[Statement]) -> Vec<String> {
    [vec![String::new()], comments(statements)].concat()
}

/// In the order in which the kernel first assigns the groups.
pub(crate) fn split(scope: &Scope, statements: &[Statement], found: &Assignments) -> Vec<Piece> {
    let mut order: Vec<(usize, SignalId)> = vec![];
    let mut section = 0;
    for statement in statements {
        section += usize::from(matches!(statement, Statement::Comment(_)));
        let mut ids: Vec<_> = targets(std::slice::from_ref(statement)).into_iter().collect();
        ids.sort_by_key(|id| found.group[*id]);
        for id in ids {
            if !order.iter().any(|(_, group)| *group == found.group[id]) {
                order.push((section, found.group[id]));
            }
        }
    }
    order.into_iter().map(|(section, group)| piece(scope, statements, found, section, group)).collect()
}

fn piece(scope: &Scope, statements: &[Statement], found: &Assignments, section: usize, group: SignalId) -> Piece {
    let members: BTreeSet<_> = found.assigned.iter().copied().filter(|id| found.group[*id] == group).collect();
    let kept = fields::without_fields(scope, keep(statements, &members), &members);
    let mut kept = without_dead_stores(scope, kept);
    let first = kept.iter().position(|statement| !matches!(statement, Statement::Comment(_))).unwrap_or_default();
    let mut headings = comments(&kept[..first]);
    kept.drain(..first);
    let mut values = evaluate::Values::new();
    let constant = evaluate::run(scope, &kept, &mut values).is_some();
    if constant && !matches!(kept.as_slice(), [Statement::Assign(..)]) {
        let whole = |(signal, value): (SignalId, BigUint)| {
            (Target::whole(signal), Expression::constant(scope.signals[signal].total(), value))
        };
        headings.extend(comments(&kept));
        return Piece { section, headings, logic: Logic::Continuous(values.into_iter().map(whole).collect()) };
    }
    let chosen = || match Vec::from_iter(&members)[..] {
        [signal] => choice::chosen(scope, &kept, *signal).map(|value| vec![(Target::whole(*signal), value)]),
        _ => None,
    };
    let logic = match continuous(scope, &kept, &members).or_else(chosen) {
        Some(assignments) => {
            headings.extend(comments(&kept));
            Logic::Continuous(assignments)
        }
        None => Logic::Procedural(members, kept),
    };
    Piece { section, headings, logic }
}

fn comments(statements: &[Statement]) -> Vec<String> {
    let text = |statement: &Statement| match statement {
        Statement::Comment(text) => Some(text.clone()),
        _ => None,
    };
    statements.iter().filter_map(text).collect()
}

/// The statements that assign `members`, inside the conditions and loops that they stand in.
pub(crate) fn keep(statements: &[Statement], members: &BTreeSet<SignalId>) -> Vec<Statement> {
    let mut kept = vec![];
    let mut comments = vec![];
    for statement in statements {
        let found = match statement {
            Statement::Assign(target, _) => members.contains(&target.signal).then(|| statement.clone()),
            Statement::If(test, then, otherwise) => {
                let (then, otherwise) = (keep(then, members), keep(otherwise, members));
                (!then.is_empty() || !otherwise.is_empty()).then(|| Statement::If(test.clone(), then, otherwise))
            }
            Statement::Case(test, arms) => {
                let arms: Vec<_> = arms.iter().map(|(pattern, body)| (pattern.clone(), keep(body, members))).collect();
                let any = arms.iter().any(|(_, body)| !body.is_empty());
                any.then(|| Statement::Case(test.clone(), arms))
            }
            Statement::For { variable, from, to, body } => {
                let body = keep(body, members);
                (!body.is_empty()).then(|| Statement::For { variable: variable.clone(), from: *from, to: *to, body })
            }
            Statement::Comment(_) => {
                comments.push(statement.clone());
                continue;
            }
        };
        if let Some(found) = found {
            kept.append(&mut comments);
            kept.push(found);
        }
        comments.clear();
    }
    kept
}

/// Drops a default that a later statement overwrites on every path before anything reads it.
pub(crate) fn without_dead_stores(scope: &Scope, statements: Vec<Statement>) -> Vec<Statement> {
    let mut kept = vec![];
    for (place, statement) in statements.iter().enumerate() {
        if let Statement::Assign(target, _) = statement {
            let (bits, certain) = assignment::target_bits(scope, target, &vec![]);
            if certain && is_overwritten(scope, target.signal, &bits, &statements[place + 1..]) {
                continue;
            }
        }
        kept.push(statement.clone());
    }
    kept
}

fn is_overwritten(scope: &Scope, signal: SignalId, bits: &BigUint, later: &[Statement]) -> bool {
    let mut open = bits.clone();
    for statement in later {
        if reads_any(std::slice::from_ref(statement), &BTreeSet::from([signal])) {
            return false;
        }
        if !targets(std::slice::from_ref(statement)).contains(&signal) {
            continue;
        }
        let done = assignment::certain(scope, std::slice::from_ref(statement), signal);
        open = &open ^ (&open & &done);
        if open.is_zero() {
            return true;
        }
    }
    false
}

fn continuous(
    scope: &Scope,
    statements: &[Statement],
    members: &BTreeSet<SignalId>,
) -> Option<Vec<(Target, Expression)>> {
    if reads_any(statements, members) {
        return None;
    }
    let mut assigned: Vec<(SignalId, BigUint)> = vec![];
    let mut result = vec![];
    for statement in statements {
        match statement {
            Statement::Assign(target, value) => {
                let (bits, certain) = assignment::target_bits(scope, target, &vec![]);
                let shared =
                    assigned.iter().any(|(signal, other)| *signal == target.signal && !(other & &bits).is_zero());
                if !certain || shared {
                    return None;
                }
                assigned.push((target.signal, bits));
                result.push((target.clone(), value.clone()));
            }
            Statement::Comment(_) => {}
            _ => return None,
        }
    }
    Some(result)
}
