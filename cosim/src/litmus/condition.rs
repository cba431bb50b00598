//! Conditions: read, and judged.

use std::ops::Range;

use super::names::{Names, fit};
use super::test::{Comparison, Condition, Quantifier, Step, Term, Test, Value};
use super::token::{Kind, Tokens};
use crate::program::Mistake;

/// How deep a condition may be nested.
const DEEPEST: u32 = 100;

/// Whether what comes next belongs no more to the instructions.
pub(super) fn is_next(tokens: &Tokens<'_>) -> bool {
    let Some(next) = tokens.peek() else { return false };
    let words = ["exists", "forall", "filter", "final", "locations", "not"];
    next.is("~") || next.kind == Kind::Word && words.contains(&next.text)
}

/// The list of `locations`, empty if there is none.
pub(super) fn observed(tokens: &mut Tokens<'_>, names: &Names) -> Result<Vec<Term>, Mistake> {
    let mut observed = Vec::new();
    if !tokens.take_if("locations") {
        return Ok(observed);
    }
    tokens.expect("[")?;
    while !tokens.take_if("]") {
        if !tokens.take_if(";") {
            observed.push(term(tokens, names)?);
        }
    }
    Ok(observed)
}

/// The condition and what is asked of it; nothing may come after it.
pub(super) fn quantified(tokens: &mut Tokens<'_>, names: &Names) -> Result<(Quantifier, Condition), Mistake> {
    let place = tokens.place();
    for (word, what) in [("filter", "filters"), ("final", "conditions with final")] {
        if tokens.take_if(word) {
            return Err(Mistake::new(place, format!("{what} cannot be run"))
                .with_help("write exists, ~exists or forall and a condition on all runs"));
        }
    }
    let is_negated = tokens.take_if("~") || tokens.take_if("not");
    let quantifier = if tokens.take_if("exists") {
        if is_negated { Quantifier::NotExists } else { Quantifier::Exists }
    } else if !is_negated && tokens.take_if("forall") {
        Quantifier::Forall
    } else {
        return Err(tokens.wants("exists, ~exists or forall"));
    };
    let condition = either(tokens, names, 0)?;
    tokens.take_if(";");
    match tokens.peek() {
        None => Ok((quantifier, condition)),
        Some(_) => Err(tokens.wants("the end of the condition")),
    }
}

/// Adds to what is observed, behind the list of `locations`, what loads write and what the condition names; in the order in which
/// one reads them: registers by thread, then memory.
pub(super) fn observe_all(test: &mut Test) {
    let mut all = std::mem::take(&mut test.observed);
    for (thread, each) in test.threads.iter().enumerate() {
        for step in &each.steps {
            if let Step::Load { register, .. } = step {
                all.push(Term::Register { thread, register: *register });
            }
        }
    }
    terms(&test.condition, &mut all);
    let order = |term: &Term| match term {
        Term::Register { thread, register } => (0, *thread, *register),
        Term::Location(location) => (1, *location, 0),
        Term::Constant(_) => (2, 0, 0),
    };
    all.retain(|term| !matches!(term, Term::Constant(_)));
    all.sort_by_key(order);
    all.dedup();
    test.observed = all;
}

/// The terms of `condition`.
fn terms(condition: &Condition, all: &mut Vec<Term>) {
    match condition {
        Condition::Not(inner) => terms(inner, all),
        Condition::And(all_of) | Condition::Or(all_of) => all_of.iter().for_each(|inner| terms(inner, all)),
        Condition::Compare(left, _, right) => all.extend([*left, *right]),
    }
}

fn either(tokens: &mut Tokens<'_>, names: &Names, depth: u32) -> Result<Condition, Mistake> {
    let mut any_of = vec![both(tokens, names, depth)?];
    while take_or(tokens) {
        any_of.push(both(tokens, names, depth)?);
    }
    Ok(if any_of.len() == 1 { any_of.remove(0) } else { Condition::Or(any_of) })
}

/// Takes an `or`: between columns, two bars are an empty cell, so they are two signs.
fn take_or(tokens: &mut Tokens<'_>) -> bool {
    tokens.take_if("\\/") || tokens.take_if("|") && tokens.take_if("|")
}

fn both(tokens: &mut Tokens<'_>, names: &Names, depth: u32) -> Result<Condition, Mistake> {
    let mut all_of = vec![single(tokens, names, depth)?];
    while tokens.take_if("/\\") || tokens.take_if("&&") {
        all_of.push(single(tokens, names, depth)?);
    }
    Ok(if all_of.len() == 1 { all_of.remove(0) } else { Condition::And(all_of) })
}

fn single(tokens: &mut Tokens<'_>, names: &Names, depth: u32) -> Result<Condition, Mistake> {
    if depth == DEEPEST {
        return Err(Mistake::new(tokens.place(), format!("a condition is nested at most {DEEPEST} deep")));
    }
    if tokens.take_if("~") || tokens.take_if("not") {
        return Ok(Condition::Not(Box::new(single(tokens, names, depth + 1)?)));
    }
    if tokens.take_if("(") {
        let condition = either(tokens, names, depth + 1)?;
        tokens.expect(")")?;
        return Ok(condition);
    }
    let left_place = tokens.number_place();
    let left = term(tokens, names)?;
    let comparison = match tokens.peek().map(|token| token.text) {
        Some("=" | "==") => Comparison::Equal,
        Some("!=") => Comparison::NotEqual,
        Some("<") => Comparison::Less,
        Some("<=") => Comparison::LessEqual,
        Some(">") => Comparison::Greater,
        Some(">=") => Comparison::GreaterEqual,
        _ => return Err(tokens.wants("== or another comparison")),
    };
    tokens.take();
    let right_place = tokens.number_place();
    let right = term(tokens, names)?;
    comparable(left, left_place, right, names)?;
    comparable(right, right_place, left, names)?;
    Ok(Condition::Compare(left, comparison, right))
}

/// Refuses a constant, which stands at `place`, that `other` can never hold: the file means something else than it says.
fn comparable(term: Term, place: Range<usize>, other: Term, names: &Names) -> Result<(), Mistake> {
    match (term, names.holder(other)) {
        (Term::Constant(number), Some((bits, name))) => fit(number, place, bits, &name),
        _ => Ok(()),
    }
}

/// `P0:r0`, `0:r0`, `x`, `[x]`, or a number.
fn term(tokens: &mut Tokens<'_>, names: &Names) -> Result<Term, Mistake> {
    if tokens.second().is_some_and(|token| token.is(":")) {
        let Some(thread) = tokens.take() else { return Err(tokens.wants("a thread")) };
        let number = names.thread(&thread)?;
        tokens.expect(":")?;
        let register = tokens.word("the name of a register")?;
        return match names.find_register(number, register.text) {
            Some(register) => Ok(Term::Register { thread: number, register }),
            None => {
                let message = format!("{} has no register {}", thread.text, register.text);
                Err(Mistake::new(register.span(), message)
                    .with_help("no instruction and no value of the init block names it"))
            }
        };
    }
    if tokens.is_number() {
        return Ok(Term::Constant(tokens.number("a number")?));
    }
    let is_bracketed = tokens.take_if("[");
    let location = tokens.word("P0:r0, a location or a number")?;
    if is_bracketed {
        tokens.expect("]")?;
    }
    names.find_location(location.text).map(Term::Location).ok_or_else(|| {
        Mistake::new(location.span(), format!("there is no location {}", location.text))
            .with_help("a register is named with its thread: P0:r0")
    })
}

impl Condition {
    /// Whether it holds where `value` says what registers and places in memory hold.
    pub fn holds(&self, value: &impl Fn(Term) -> Value) -> bool {
        match self {
            Self::Not(inner) => !inner.holds(value),
            Self::And(all_of) => all_of.iter().all(|inner| inner.holds(value)),
            Self::Or(any_of) => any_of.iter().any(|inner| inner.holds(value)),
            Self::Compare(left, comparison, right) => {
                let [left, right] = match (left, right) {
                    (Term::Constant(left), Term::Constant(right)) => [*left, *right],
                    (Term::Constant(left), right) => {
                        let right = value(*right);
                        [as_wide_as(*left, right), right.number.into()]
                    }
                    (left, Term::Constant(right)) => {
                        let left = value(*left);
                        [left.number.into(), as_wide_as(*right, left)]
                    }
                    (left, right) => [*left, *right].map(|term| value(term).number.into()),
                };
                match comparison {
                    Comparison::Equal => left == right,
                    Comparison::NotEqual => left != right,
                    Comparison::Less => left < right,
                    Comparison::LessEqual => left <= right,
                    Comparison::Greater => left > right,
                    Comparison::GreaterEqual => left >= right,
                }
            }
        }
    }
}

/// What `constant` is beside `value`: a negative one has as many bits.
fn as_wide_as(constant: i128, value: Value) -> i128 {
    if constant < 0 { Value::new(constant as u64, value.bits).number.into() } else { constant }
}
