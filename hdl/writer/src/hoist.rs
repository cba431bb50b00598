//! Gives names to results of which a part is taken, because Verilog takes parts of names only.
//!
//! Afterwards every expression can be printed where it stands.

use std::collections::BTreeSet;

use num_bigint::BigUint;
use rust_hdl::prelude::TypeKind;

use super::expression::{Direction, Expression, Index, Integer, Kind, Operator, SignalId, Statement, Target};
use super::fold::has_parts;
use super::logic::Logic;
use super::names::Taken;
use super::scope::{Role, Scope, Signal};
use super::split::Piece;
use super::statements::{depends, targets};

pub(crate) struct Hoister<'a> {
    pub(crate) scope: &'a mut Scope,
    pub(crate) taken: &'a mut Taken,
    /// Results that already have a name for the whole module.
    known: Vec<(Expression, SignalId)>,
}

/// Where results are being named.
struct Place {
    /// Name of the signal being assigned.
    hint: String,
    /// Signals that change while the statements run; empty for continuous assignments.
    members: BTreeSet<SignalId>,
    /// New continuous assignments.
    outer: Vec<(Target, Expression)>,
    /// New statements in front of the present one.
    inner: Vec<Statement>,
    /// Signals of the new statements.
    temporaries: Vec<SignalId>,
}

impl<'a> Hoister<'a> {
    pub(crate) fn new(scope: &'a mut Scope, taken: &'a mut Taken) -> Self {
        Self { scope, taken, known: vec![] }
    }

    /// The piece in a form that can be printed, new names first.
    pub(crate) fn piece(&mut self, piece: Piece) -> Vec<Piece> {
        let Piece { section, headings, logic } = piece;
        let mut pieces: Vec<_> =
            self.logic(logic).into_iter().map(|logic| Piece { section, headings: vec![], logic }).collect();
        if let Some(first) = pieces.first_mut() {
            first.headings = headings;
        }
        pieces
    }

    /// The same of its logic.
    pub(crate) fn logic(&mut self, logic: Logic) -> Vec<Logic> {
        let mut place =
            Place { hint: String::new(), members: BTreeSet::new(), outer: vec![], inner: vec![], temporaries: vec![] };
        let done = match logic {
            Logic::Continuous(assignments) => Logic::Continuous(
                assignments
                    .into_iter()
                    .map(|(target, value)| {
                        place.hint = self.scope.signals[target.signal].verilog.clone();
                        (target, self.expression(value, &mut place))
                    })
                    .collect(),
            ),
            Logic::Procedural(members, statements) => {
                place.members.clone_from(&members);
                let body = self.block(statements, &mut place);
                let mut statements: Vec<_> = place
                    .temporaries
                    .iter()
                    .map(|id| {
                        let width = self.scope.signals[*id].width;
                        let target = Target { signal: *id, index: Some(Index::Fixed(Integer::Literal(0))), part: None };
                        Statement::Assign(target, Expression::constant(width, BigUint::default()))
                    })
                    .collect();
                statements.extend(body);
                Logic::Procedural(place.members.clone(), statements)
            }
            Logic::Clocked(statements) => {
                let body = self.block(statements, &mut place);
                debug_assert!(place.temporaries.is_empty(), "`needs_temporary` looks for these");
                Logic::Clocked(body)
            }
        };
        let mut result = vec![];
        if !place.outer.is_empty() {
            result.push(Logic::Continuous(place.outer));
        }
        result.push(done);
        result
    }

    fn block(&mut self, statements: Vec<Statement>, place: &mut Place) -> Vec<Statement> {
        let mut result = vec![];
        for statement in statements {
            let outer_statements = std::mem::take(&mut place.inner);
            let done = match statement {
                Statement::Assign(target, value) => {
                    place.hint = self.scope.signals[target.signal].verilog.clone();
                    let target = Target {
                        index: target.index.map(|index| self.index(index, place)),
                        part: target.part.map(|(offset, width)| (self.index(offset, place), width)),
                        ..target
                    };
                    Statement::Assign(target, self.expression(value, place))
                }
                Statement::If(test, then, otherwise) => {
                    place.hint = self.hint(&then, &otherwise);
                    let test = self.expression(test, place);
                    let before = std::mem::take(&mut place.inner);
                    let then = self.block(then, place);
                    let otherwise = self.block(otherwise, place);
                    place.inner = before;
                    Statement::If(test, then, otherwise)
                }
                Statement::Case(test, arms) => {
                    let test = self.expression(test, place);
                    let before = std::mem::take(&mut place.inner);
                    let arms = arms.into_iter().map(|(pattern, body)| (pattern, self.block(body, place))).collect();
                    place.inner = before;
                    Statement::Case(test, arms)
                }
                Statement::For { variable, from, to, body } => {
                    Statement::For { variable, from, to, body: self.block(body, place) }
                }
                comment => comment,
            };
            result.append(&mut place.inner);
            result.push(done);
            place.inner = outer_statements;
        }
        result
    }

    fn hint(&self, then: &[Statement], otherwise: &[Statement]) -> String {
        let targets = targets(if then.is_empty() { otherwise } else { then });
        targets.first().map_or_else(String::new, |id| self.scope.signals[*id].verilog.clone())
    }

    fn index(&mut self, index: Index, place: &mut Place) -> Index {
        match index {
            Index::Dynamic(value) => Index::Dynamic(Box::new(self.expression(*value, place))),
            fixed => fixed,
        }
    }

    fn boxed(&mut self, value: Expression, place: &mut Place) -> Box<Expression> {
        Box::new(self.expression(value, place))
    }

    fn expression(&mut self, value: Expression, place: &mut Place) -> Expression {
        let (width, signed) = (value.width, value.signed);
        let kind = match value.kind {
            Kind::Element(signal, index) => Kind::Element(signal, self.index(index, place)),
            Kind::Part(base, offset) => {
                let offset = self.index(offset, place);
                let base = self.expression(*base, place);
                let base = if has_part(&base, &offset) { base } else { self.name(base, place) };
                Kind::Part(Box::new(base), offset)
            }
            Kind::Resize(base) => Kind::Resize(self.boxed(*base, place)),
            Kind::SignExtend(base) => {
                let base = self.expression(*base, place);
                Kind::SignExtend(Box::new(if has_parts(&base) { base } else { self.name(base, place) }))
            }
            Kind::Not(base) => Kind::Not(self.boxed(*base, place)),
            Kind::Negate(base) => Kind::Negate(self.boxed(*base, place)),
            Kind::Reduce(reduction, base) => Kind::Reduce(reduction, self.boxed(*base, place)),
            Kind::Binary(left, operator, right) => {
                Kind::Binary(self.boxed(*left, place), operator, self.boxed(*right, place))
            }
            Kind::Shift(base, direction, amount) => {
                Kind::Shift(self.boxed(*base, place), direction, self.boxed(*amount, place))
            }
            Kind::Compare(left, comparison, right) => {
                Kind::Compare(self.boxed(*left, place), comparison, self.boxed(*right, place))
            }
            Kind::ReplaceBit(base, index, bit) => {
                Kind::ReplaceBit(self.boxed(*base, place), self.index(index, place), self.boxed(*bit, place))
            }
            Kind::Choice(test, then, otherwise) => {
                let test = self.boxed(*test, place);
                Kind::Choice(test, self.boxed(*then, place), self.boxed(*otherwise, place))
            }
            Kind::Concatenation(items) => {
                Kind::Concatenation(items.into_iter().map(|item| self.expression(item, place)).collect())
            }
            kind => kind,
        };
        Expression { width, signed, kind }
    }

    /// A signal that holds the value.
    fn name(&mut self, value: Expression, place: &mut Place) -> Expression {
        let (width, signed) = (value.width, value.signed);
        let read = |signal| {
            let index = Index::Fixed(Integer::Literal(0));
            Expression::new(width, Kind::Element(signal, index)).with_sign(signed)
        };
        let steady = !has_variables(&value) && !depends(&value, &place.members);
        if steady && let Some((_, signal)) = self.known.iter().find(|(known, _)| *known == value) {
            return read(*signal);
        }
        let verilog = self.taken.claim(&format!("{}_{}", place.hint, noun(&value)));
        let signal = self.scope.signals.len();
        self.scope.signals.push(Signal {
            verilog,
            role: Role::Local,
            dimensions: vec![],
            width,
            shape: if signed { TypeKind::Signed(width) } else { TypeKind::Bits(width) },
            comment: None,
            heading: None,
            values: vec![],
            type_name: String::new(),
            fields: vec![],
            field_of: None,
        });
        let target = Target { signal, index: Some(Index::Fixed(Integer::Literal(0))), part: None };
        if steady {
            self.known.push((value.clone(), signal));
            place.outer.push((target, value));
        } else {
            place.members.insert(signal);
            place.temporaries.push(signal);
            place.inner.push(Statement::Assign(target, value));
        }
        read(signal)
    }
}

/// True if the printer can write the part in place.
fn has_part(base: &Expression, offset: &Index) -> bool {
    let Kind::Element(_, element) = &base.kind else {
        return false;
    };
    match (element, offset) {
        (Index::Fixed(_), Index::Fixed(_)) => true,
        (Index::Fixed(element), Index::Dynamic(_)) => element.constant().is_some(),
        (Index::Dynamic(_), Index::Fixed(offset)) => offset.constant().is_some(),
        (Index::Dynamic(_), Index::Dynamic(_)) => false,
    }
}

/// True if the printed form of the expression, in statements that read nothing of what they assign, takes a value with a name
/// that changes from one round of a loop to the next.
pub(crate) fn needs_temporary(value: &Expression) -> bool {
    let mut found = false;
    value.walk(&mut |inner| {
        found |= match &inner.kind {
            Kind::Part(base, offset) => !has_part(base, offset) && has_variables(base),
            Kind::SignExtend(base) => !has_parts(base) && has_variables(base),
            _ => false,
        };
    });
    found
}

fn has_variables(value: &Expression) -> bool {
    let mut found = false;
    let mut look = |integer: &Integer| found |= integer.constant().is_none();
    value.walk(&mut |inner| match &inner.kind {
        Kind::Integer(integer) => look(integer),
        Kind::CompareIntegers(left, _, right) => {
            look(left);
            look(right);
        }
        Kind::Element(_, Index::Fixed(index))
        | Kind::Part(_, Index::Fixed(index))
        | Kind::ReplaceBit(_, Index::Fixed(index), _) => look(index),
        _ => {}
    });
    found
}

fn noun(value: &Expression) -> &'static str {
    match &value.kind {
        Kind::Binary(_, Operator::Add, _) => "sum",
        Kind::Binary(_, Operator::Subtract, _) => "difference",
        Kind::Binary(_, Operator::Multiply, _) => "product",
        Kind::Binary(_, Operator::And | Operator::Or | Operator::Xor, _) | Kind::Not(_) => "bits",
        Kind::Shift(_, Direction::Left | Direction::Right, _) => "shifted",
        Kind::Negate(_) => "negated",
        Kind::Resize(_) | Kind::SignExtend(_) => "extended",
        Kind::Element(..) | Kind::Part(..) | Kind::Vector(_) => "selected",
        Kind::ReplaceBit(..) => "replaced",
        Kind::Choice(..) => "chosen",
        Kind::Concatenation(_) => "joined",
        Kind::Constant(_) | Kind::Named(..) | Kind::Integer(_) => "constant",
        Kind::Reduce(..) | Kind::Compare(..) | Kind::CompareIntegers(..) => "test",
    }
}
