//! Registers: which share a clock and a reset, and which of them are loaded where the kernel says so.
//!
//! A kernel gives the next value of a register to `d`, which holds `q` where nothing else is said. Where nothing reads `d`,
//! the kernel's own conditions can stand in the clocked process: the last assignment wins there as it does in the kernel, and
//! none at all keeps the value.

use std::collections::BTreeSet;

use num_bigint::BigUint;

use super::Refusal;
use super::connections::{Connection, Connections};
use super::expression::{Expression, Index, Integer, Kind, SignalId, Statement, Target};
use super::hoist::needs_temporary;
use super::logic::Logic;
use super::scope::{ChildKind, Scope};
use super::split::{Piece, keep, without_dead_stores};
use super::statements::{each_of_statements, targets};

/// A register or an array of registers.
pub(crate) struct Register {
    pub(crate) d: SignalId,
    pub(crate) q: SignalId,
    pub(crate) reset_value: BigUint,
    /// Loaded by the domain's statements; else `d` is a signal of its own.
    pub(crate) is_loaded: bool,
}

/// Registers with the same clock and reset.
pub(crate) struct Domain {
    pub(crate) clock: Expression,
    pub(crate) reset: Expression,
    pub(crate) registers: Vec<Register>,
    /// What loads them.
    pub(crate) loads: Vec<Statement>,
}

/// The registers of a module of which `is_here` knows the pins. The pieces of logic that become statements of a domain are taken
/// out of `pieces`.
pub(crate) fn domains(
    scope: &Scope,
    statements: &[Statement],
    pieces: &mut Vec<Piece>,
    read_back: &BTreeSet<SignalId>,
    connections: &Connections,
    is_here: &dyn Fn(SignalId) -> bool,
) -> Result<Vec<Domain>, Refusal> {
    let mut domains: Vec<Domain> = vec![];
    for child in &scope.children {
        let ChildKind::Register(reset_value) = &child.kind else {
            continue;
        };
        if !child.ports.iter().all(|(pin, _)| is_here(*pin)) {
            continue;
        }
        let clock = match connections.get(&scope.port(child, "clock")?) {
            Some(Connection::Uniform(value)) if value.known().is_none() => value.clone(),
            _ => return Err(scope.refusal(&child.name, "the clock must be one signal, assigned once")),
        };
        let reset_port = scope.port(child, "reset")?;
        let reset = match connections.get(&reset_port) {
            Some(Connection::Uniform(value)) => value.clone(),
            None if scope.signals[reset_port].length() == 1 => {
                Expression::new(1, Kind::Element(reset_port, Index::Fixed(Integer::Literal(0))))
            }
            _ => return Err(scope.refusal(&child.name, "registers of one array have different resets")),
        };
        let (d, q) = (scope.port(child, "d")?, scope.port(child, "q")?);
        let place = pieces.iter().position(|piece| drives_alone(&piece.logic, d));
        let movable = place.filter(|_| !read_back.contains(&d)).filter(|_| is_loadable(statements, d));
        if let Some(place) = movable {
            pieces.remove(place);
        }
        let register = Register { d, q, reset_value: reset_value.clone(), is_loaded: movable.is_some() };
        match domains.iter_mut().find(|known| known.clock == clock && known.reset == reset) {
            Some(known) => known.registers.push(register),
            None => domains.push(Domain { clock, reset, registers: vec![register], loads: vec![] }),
        }
    }
    for domain in &mut domains {
        let loaded = || domain.registers.iter().filter(|register| register.is_loaded);
        let kept = keep(statements, &loaded().map(|register| register.d).collect());
        let mut loads = without_dead_stores(scope, kept);
        for register in loaded() {
            drop_hold(&mut loads, register);
            loads.iter_mut().for_each(|statement| retarget(statement, register));
        }
        domain.loads = without_stray_comments(loads);
    }
    Ok(domains)
}

fn drives_alone(logic: &Logic, signal: SignalId) -> bool {
    match logic {
        Logic::Continuous(assignments) => assignments.iter().all(|(target, _)| target.signal == signal),
        Logic::Procedural(members, _) => members.iter().eq([&signal]),
        Logic::Clocked(_) => false,
    }
}

/// A process that is clocked has no place for values with names.
fn is_loadable(statements: &[Statement], d: SignalId) -> bool {
    let mut is_loadable = true;
    let kept = keep(statements, &BTreeSet::from([d]));
    each_of_statements(&kept, &mut |value| is_loadable &= !needs_temporary(value));
    is_loadable
}

/// Drops the default `d = q`.
fn drop_hold(loads: &mut Vec<Statement>, register: &Register) {
    let first = loads.iter().position(|statement| targets(std::slice::from_ref(statement)).contains(&register.d));
    let holds = |statement: &Statement| match statement {
        Statement::Assign(Target { part: None, .. }, Expression { kind: Kind::Vector(from), .. }) => {
            *from == register.q
        }
        Statement::Assign(Target { part: None, index, .. }, Expression { kind: Kind::Element(from, at), .. }) => {
            *from == register.q && index.as_ref() == Some(at)
        }
        _ => false,
    };
    if let Some(first) = first.filter(|first| holds(&loads[*first])) {
        loads.remove(first);
    }
}

/// Assigns the register where its next value was assigned.
fn retarget(statement: &mut Statement, register: &Register) {
    let all = |statements: &mut Vec<Statement>| statements.iter_mut().for_each(|inner| retarget(inner, register));
    match statement {
        Statement::Assign(target, _) if target.signal == register.d => target.signal = register.q,
        Statement::Assign(..) | Statement::Comment(_) => {}
        Statement::If(_, then, otherwise) => {
            all(then);
            all(otherwise);
        }
        Statement::Case(_, arms) => arms.iter_mut().for_each(|(_, body)| all(body)),
        Statement::For { body, .. } => all(body),
    }
}

/// Drops comments behind which nothing is left before the next one.
fn without_stray_comments(statements: Vec<Statement>) -> Vec<Statement> {
    let mut kept: Vec<Statement> = vec![];
    for statement in statements.into_iter().rev() {
        let is_comment = matches!(statement, Statement::Comment(_));
        if !is_comment || kept.last().is_some_and(|next| !matches!(next, Statement::Comment(_))) {
            kept.push(statement);
        }
    }
    kept.reverse();
    kept
}
