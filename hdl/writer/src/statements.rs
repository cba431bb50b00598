//! What statements assign and read.

use std::collections::BTreeSet;

use super::expression::{Expression, Index, Kind, SignalId, Statement, Target};

/// Signals that the statements assign.
pub(crate) fn targets(statements: &[Statement]) -> BTreeSet<SignalId> {
    let mut found = BTreeSet::new();
    for statement in statements {
        match statement {
            Statement::Assign(target, _) => {
                found.insert(target.signal);
            }
            Statement::If(_, then, otherwise) => {
                found.extend(targets(then));
                found.extend(targets(otherwise));
            }
            Statement::Case(_, arms) => arms.iter().for_each(|(_, body)| found.extend(targets(body))),
            Statement::For { body, .. } => found.extend(targets(body)),
            Statement::Comment(_) => {}
        }
    }
    found
}

/// True if any expression of the statements reads one of the signals.
pub(crate) fn reads_any(statements: &[Statement], signals: &BTreeSet<SignalId>) -> bool {
    let index = |index: &Index| matches!(index, Index::Dynamic(value) if depends(value, signals));
    statements.iter().any(|statement| match statement {
        Statement::Assign(target, value) => {
            depends(value, signals)
                || target.index.as_ref().is_some_and(index)
                || target.part.as_ref().is_some_and(|(offset, _)| index(offset))
        }
        Statement::If(test, then, otherwise) => {
            depends(test, signals) || reads_any(then, signals) || reads_any(otherwise, signals)
        }
        Statement::Case(test, arms) => depends(test, signals) || arms.iter().any(|(_, body)| reads_any(body, signals)),
        Statement::For { body, .. } => reads_any(body, signals),
        Statement::Comment(_) => false,
    })
}

/// True if the expression reads one of the signals.
pub(crate) fn depends(value: &Expression, signals: &BTreeSet<SignalId>) -> bool {
    let mut found = false;
    value.walk(&mut |inner| {
        if let Kind::Element(signal, _) | Kind::Vector(signal) = &inner.kind {
            found |= signals.contains(signal);
        }
    });
    found
}

/// Visits what an assignment reads.
pub(crate) fn each_of_assignment(target: &Target, value: &Expression, visit: &mut dyn FnMut(&Expression)) {
    visit(value);
    for index in target.index.iter().chain(target.part.iter().map(|(offset, _)| offset)) {
        if let Index::Dynamic(index) = index {
            visit(index);
        }
    }
}

/// Visits what statements read, but for patterns that are printed as `default`.
pub(crate) fn each_of_statements(statements: &[Statement], visit: &mut dyn FnMut(&Expression)) {
    for statement in statements {
        match statement {
            Statement::Assign(target, value) => each_of_assignment(target, value, visit),
            Statement::If(test, then, otherwise) => {
                visit(test);
                each_of_statements(then, visit);
                each_of_statements(otherwise, visit);
            }
            Statement::Case(test, arms) => {
                visit(test);
                for (place, (pattern, body)) in arms.iter().enumerate() {
                    // The last pattern is printed as `default`.
                    if let Some(pattern) = pattern.as_ref().filter(|_| place + 1 < arms.len()) {
                        visit(pattern);
                    }
                    each_of_statements(body, visit);
                }
            }
            Statement::For { body, .. } => each_of_statements(body, visit),
            Statement::Comment(_) => {}
        }
    }
}
