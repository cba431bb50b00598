//! The rules of legality, one family in each file. A rule looks at the subject and adds a finding where it is broken.

mod address;
mod caches;
mod elements;
mod gates;
mod order;
mod registers;
mod vectors;

pub(super) use gates::least;
pub(super) use registers::{predicate, unknown};

use super::finding::{Finding, Findings, Subject};

/// Every finding about `subject`. What the instruction says comes first, what its version and target lack last.
pub(super) fn apply(subject: &Subject<'_>) -> Vec<Finding> {
    let mut findings = Findings::default();
    order::check(subject, &mut findings);
    caches::check(subject, &mut findings);
    vectors::check(subject, &mut findings);
    address::check(subject, &mut findings);
    registers::check(subject, &mut findings);
    gates::check(subject, &mut findings);
    findings.0
}
