//! Structs: a name for each field that a module reads or assigns, so that the text holds each field's position once.
//!
//! A field that is read is a wire beside the struct. A struct of which the kernel assigns a field becomes one signal for each
//! field, put together again behind the last assignment.

use std::collections::BTreeSet;

use num_traits::ToPrimitive;
use rust_hdl::prelude::TypeKind;

use super::Refusal;
use super::expression::{Expression, Index, Integer, Kind, SignalId, Statement, Target};
use super::fold;
use super::names::Taken;
use super::scope::{Role, Scope};
use super::statements::{reads_any, targets};

/// Gives the structs of which the kernel assigns a field a signal for each.
pub(crate) fn split(scope: &mut Scope, mut statements: Vec<Statement>) -> Result<Vec<Statement>, Refusal> {
    for id in 0..scope.signals.len() {
        let signal = &scope.signals[id];
        if !signal.fields.is_empty() && has_parts(&statements, id) {
            for field in scope.signals[id].fields.clone() {
                scope.signals[field].role = Role::Local;
            }
            statements = Splitter { scope, id }.block(statements)?;
            join(scope, id, &mut statements);
            without_copies(scope, id, &mut statements);
        }
    }
    Ok(statements)
}

/// Gives the fields that the statements read or assign names that nothing else has.
pub(crate) fn name(scope: &mut Scope, taken: &mut Taken, statements: &[Statement]) -> Result<(), Refusal> {
    let mut used = targets(statements);
    for id in (0..scope.signals.len()).rev() {
        let is_read = reads_any(statements, &BTreeSet::from([id]));
        if let (Some((whole, _)), true) = (scope.signals[id].field_of, is_read || used.contains(&id)) {
            used.extend([id, whole]);
        }
    }
    for id in used {
        let Some((whole, _)) = scope.signals[id].field_of else { continue };
        let short = scope.signals[id].verilog.clone();
        let long = format!("{}_{}", scope.signals[whole].verilog, field_name(scope, whole, id));
        let Some(free) = [&short, &long].into_iter().find(|name| taken.is_free(name)) else {
            return Err(scope.refusal(&short, "a field of a struct and something else would have this name in Verilog"));
        };
        taken.insert(free);
        scope.signals[id].verilog.clone_from(free);
    }
    Ok(())
}

fn field_name(scope: &Scope, whole: SignalId, id: SignalId) -> String {
    let place = scope.signals[whole].fields.iter().position(|field| *field == id);
    match (&scope.signals[whole].shape, place) {
        (TypeKind::Composite(fields), Some(place)) => fields[place].fieldname.clone(),
        _ => String::new(),
    }
}

/// The statements with numbered parts of these structs in the place of their fields: a process that changes a struct sees the
/// wires beside it too late.
pub(crate) fn without_fields(scope: &Scope, statements: Vec<Statement>, of: &BTreeSet<SignalId>) -> Vec<Statement> {
    let mut parts = |inner: Expression| {
        let Kind::Element(id, _) = &inner.kind else { return inner };
        let (whole, offset) = root(scope, *id);
        if whole == *id || !of.contains(&whole) {
            return inner;
        }
        let at = |place: usize| Index::Fixed(Integer::Literal(place as i128));
        let all = Expression::new(scope.signals[whole].width, Kind::Element(whole, at(0)));
        fold::part(all, at(offset), inner.width).with_sign(inner.signed)
    };
    statements.into_iter().map(|statement| statement.map(&mut parts)).collect()
}

/// The struct of which a signal is a field, or the signal itself, and the field's lowest bit.
pub(crate) fn root(scope: &Scope, id: SignalId) -> (SignalId, usize) {
    let (mut whole, mut start) = (id, 0);
    while let (Role::Field, Some((outer, offset))) = (scope.signals[whole].role, scope.signals[whole].field_of) {
        (whole, start) = (outer, start + offset);
    }
    (whole, start)
}

/// True if the kernel assigns a part of the signal.
fn has_parts(statements: &[Statement], id: SignalId) -> bool {
    statements.iter().any(|statement| match statement {
        Statement::Assign(target, _) => target.signal == id && target.part.is_some(),
        Statement::If(_, then, otherwise) => has_parts(then, id) || has_parts(otherwise, id),
        Statement::Case(_, arms) => arms.iter().any(|(_, body)| has_parts(body, id)),
        Statement::For { body, .. } => has_parts(body, id),
        Statement::Comment(_) => false,
    })
}

/// Replaces one struct by its fields.
struct Splitter<'a> {
    scope: &'a Scope,
    id: SignalId,
}

impl Splitter<'_> {
    fn block(&self, statements: Vec<Statement>) -> Result<Vec<Statement>, Refusal> {
        let mut result = vec![];
        for statement in statements {
            match statement {
                Statement::Assign(target, value) if target.signal == self.id => {
                    result.extend(self.assign(&target, self.expression(value))?);
                }
                Statement::Assign(target, value) => {
                    let part = target.part.map(|(offset, width)| (self.index(offset), width));
                    let target = Target { index: target.index.map(|index| self.index(index)), part, ..target };
                    result.push(Statement::Assign(target, self.expression(value)));
                }
                Statement::If(test, then, otherwise) => {
                    result.push(Statement::If(self.expression(test), self.block(then)?, self.block(otherwise)?));
                }
                Statement::Case(test, arms) => {
                    let arms = arms.into_iter().map(|(pattern, body)| Ok((pattern, self.block(body)?)));
                    result.push(Statement::Case(self.expression(test), arms.collect::<Result<_, Refusal>>()?));
                }
                Statement::For { variable, from, to, body } => {
                    result.push(Statement::For { variable, from, to, body: self.block(body)? });
                }
                comment @ Statement::Comment(_) => result.push(comment),
            }
        }
        Ok(result)
    }

    /// One assignment for each field of which `target` has bits.
    fn assign(&self, target: &Target, value: Expression) -> Result<Vec<Statement>, Refusal> {
        let signal = &self.scope.signals[self.id];
        let Some((first, width)) = (match &target.part {
            None => Some((0, signal.width)),
            Some((Index::Fixed(offset), width)) => {
                offset.constant().and_then(|offset| offset.to_usize()).map(|first| (first, *width))
            }
            Some(_) => None,
        }) else {
            return Err(self.scope.refusal(&signal.verilog, "only fields at a fixed place can be assigned"));
        };
        let mut result = vec![];
        for field in &signal.fields {
            let (start, length) = (self.scope.signals[*field].offset(), self.scope.signals[*field].width);
            let (low, high) = (start.max(first), (start + length).min(first + width));
            if low >= high {
                continue;
            }
            let bits = part(self.scope, &value, low - first, high - low);
            let at = |place: usize| Index::Fixed(Integer::Literal(place as i128));
            let inner = (high - low < length).then(|| (at(low - start), high - low));
            result.push(Statement::Assign(Target { signal: *field, index: Some(at(0)), part: inner }, bits));
        }
        Ok(result)
    }

    fn index(&self, index: Index) -> Index {
        match index {
            Index::Dynamic(value) => Index::Dynamic(Box::new(self.expression(*value))),
            fixed => fixed,
        }
    }

    fn expression(&self, value: Expression) -> Expression {
        value.map(&mut |inner| match &inner.kind {
            Kind::Element(signal, _) | Kind::Vector(signal) if *signal == self.id => whole(self.scope, self.id),
            Kind::Part(base, index) if matches!(base.kind, Kind::Concatenation(_)) => {
                fold::part(base.as_ref().clone(), index.clone(), inner.width)
            }
            _ => inner,
        })
    }
}

/// All fields as one value.
fn whole(scope: &Scope, id: SignalId) -> Expression {
    let signal = &scope.signals[id];
    let field = |id: &SignalId| {
        let (width, signed) = (scope.signals[*id].width, scope.signals[*id].is_signed());
        Expression::new(width, Kind::Element(*id, Index::Fixed(Integer::Literal(0)))).with_sign(signed)
    };
    Expression::new(signal.width, Kind::Concatenation(signal.fields.iter().rev().map(field).collect()))
}

/// Some bits of a value; by the name of the field, if they are one.
fn part(scope: &Scope, value: &Expression, start: usize, width: usize) -> Expression {
    // What is broken on purpose may read the bits of what is computed here one place beside their own.
    if let Kind::Element(from, index) = &value.kind
        && (scope.sites.is_none() || !scope.signals[*from].is_driven_here())
        && let Some(field) = scope.field(*from, start, width)
    {
        return Expression::new(width, Kind::Element(field, index.clone()));
    }
    fold::part(value.clone(), Index::Fixed(Integer::Literal(start as i128)), width)
}

/// Assigns the struct its fields where all of them have their values, and lets what stands behind that read the struct.
fn join(scope: &Scope, id: SignalId, statements: &mut Vec<Statement>) {
    let fields: BTreeSet<_> = scope.signals[id].fields.iter().copied().collect();
    let assigns = |statement: &Statement| !targets(std::slice::from_ref(statement)).is_disjoint(&fields);
    let Some(last) = statements.iter().rposition(assigns) else { return };
    let value = whole(scope, id);
    let read = Expression::new(value.width, Kind::Element(id, Index::Fixed(Integer::Literal(0))));
    let behind: Vec<_> = statements.drain(last + 1..).collect();
    let mut read_whole = |inner: Expression| if inner.kind == value.kind { read.clone() } else { inner };
    statements.extend(behind.into_iter().map(|statement| statement.map(&mut read_whole)));
    let is_read = reads_any(&statements[last + 1..], &BTreeSet::from([id]));
    if is_read || scope.signals[id].role != Role::Local {
        let target = Target { signal: id, index: Some(Index::Fixed(Integer::Literal(0))), part: None };
        statements.insert(last + 1, Statement::Assign(target, value));
    }
}

/// A field that is a copy of something that has a name, and that nothing but its struct reads, goes there by that name.
fn without_copies(scope: &mut Scope, id: SignalId, statements: &mut Vec<Statement>) {
    let joins = |statement: &Statement| matches!(statement, Statement::Assign(target, _) if target.signal == id);
    let Some(mut joined) = statements.iter().position(joins) else { return };
    for field in scope.signals[id].fields.clone() {
        let named = BTreeSet::from([field]);
        let assigns = |statement: &Statement| targets(std::slice::from_ref(statement)).contains(&field);
        let places: Vec<_> = (0..statements.len()).filter(|place| assigns(&statements[*place])).collect();
        let [place] = places[..] else { continue };
        let Statement::Assign(Target { part: None, .. }, value) = &statements[place] else { continue };
        let Kind::Element(source, _) = value.kind else { continue };
        let is_plain = scope.signals[source].dimensions.is_empty() && scope.signals[source].width == value.width;
        let from = BTreeSet::from([source, root(scope, source).0]);
        let changes = |statement: &Statement| !targets(std::slice::from_ref(statement)).is_disjoint(&from);
        let is_read =
            (0..statements.len()).any(|other| other != joined && reads_any(&statements[other..=other], &named));
        if !is_plain || is_read || statements[place..joined].iter().any(changes) {
            continue;
        }
        let value = value.clone();
        let mut copy = |inner: Expression| match inner.kind {
            Kind::Element(read, _) if read == field => value.clone(),
            _ => inner,
        };
        statements[joined] = statements[joined].clone().map(&mut copy);
        statements.remove(place);
        joined -= 1;
        scope.signals[field].role = Role::Field;
    }
}
