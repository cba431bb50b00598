//! Which bits are assigned when, found by walking the kernel with its loops unrolled.
//!
//! Three things come out: every driven bit is assigned on every path (else it would be a latch), no
//! bit is read before it is assigned, and which signals must share one `always` because one of them
//! reads a value of another that is overwritten later.

use std::collections::BTreeSet;

use num_bigint::BigUint;
use num_traits::Zero;

use super::Refusal;
use super::expression::{Expression, Index, Iteration, Kind, SignalId, Statement, Target, mask};
use super::fields;
use super::fold::has_parts;
use super::scope::{Role, Scope};
use super::statements::targets;

/// What the walk found.
pub(crate) struct Assignments {
    /// Group of each signal; signals of one group share a process.
    pub(crate) group: Vec<SignalId>,
    /// Signals that some statement assigns.
    pub(crate) assigned: BTreeSet<SignalId>,
}

struct Read {
    time: usize,
    signal: SignalId,
    bits: BigUint,
    readers: BTreeSet<SignalId>,
}

struct Walk<'a> {
    scope: &'a Scope,
    time: usize,
    /// Bits certainly assigned so far.
    done: Vec<BigUint>,
    reads: Vec<Read>,
    writes: Vec<Vec<(usize, BigUint)>>,
    iteration: Iteration,
}

/// Checks the whole kernel.
pub(crate) fn check(scope: &Scope, statements: &[Statement]) -> Result<Assignments, Refusal> {
    let count = scope.signals.len();
    let mut walk = Walk {
        scope,
        time: 0,
        done: vec![BigUint::zero(); count],
        reads: vec![],
        writes: vec![vec![]; count],
        iteration: vec![],
    };
    walk.block(statements)?;
    let assigned: BTreeSet<_> = (0..count).filter(|id| !walk.writes[*id].is_empty()).collect();
    for (id, signal) in scope.signals.iter().enumerate() {
        let unused_local = signal.role == Role::Local && !assigned.contains(&id);
        if signal.is_driven_here() && !unused_local && walk.done[id] != mask(signal.total()) {
            let reason = if assigned.contains(&id) {
                "not assigned on all paths: it would need a latch"
            } else {
                "never assigned"
            };
            return Err(scope.refusal(&signal.verilog, reason));
        }
    }
    let mut group: Vec<_> = (0..count).collect();
    for read in &walk.reads {
        let overwritten =
            walk.writes[read.signal].iter().any(|(time, bits)| *time > read.time && !(bits & &read.bits).is_zero());
        if !overwritten {
            continue;
        }
        for reader in &read.readers {
            if matches!(scope.signals[read.signal].role, Role::ChildInput(_)) {
                let reason = "a sub-block's input is read back before its last assignment";
                return Err(scope.refusal(&scope.signals[read.signal].verilog, reason));
            }
            let (from, to) = (group[*reader], group[read.signal]);
            group.iter_mut().filter(|member| **member == from).for_each(|member| *member = to);
        }
    }
    Ok(Assignments { group, assigned })
}

/// Bits of `signal` that the statements assign on every path, whatever was assigned before.
pub(crate) fn certain(scope: &Scope, statements: &[Statement], signal: SignalId) -> BigUint {
    let count = scope.signals.len();
    let mut walk = Walk {
        scope,
        time: 0,
        // Reads are not of interest here.
        done: scope.signals.iter().map(|signal| mask(signal.total())).collect(),
        reads: vec![],
        writes: vec![vec![]; count],
        iteration: vec![],
    };
    walk.done[signal] = BigUint::zero();
    match walk.block(statements) {
        Ok(()) => walk.done[signal].clone(),
        Err(_) => BigUint::zero(),
    }
}

impl Walk<'_> {
    fn block(&mut self, statements: &[Statement]) -> Result<(), Refusal> {
        statements.iter().try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &Statement) -> Result<(), Refusal> {
        self.time += 1;
        match statement {
            Statement::Assign(target, value) => {
                let readers = BTreeSet::from([target.signal]);
                self.read(value, &readers)?;
                for index in target.index.iter().chain(target.part.iter().map(|(index, _)| index)) {
                    if let Index::Dynamic(index) = index {
                        self.read(index, &readers)?;
                    }
                }
                self.time += 1;
                let (bits, certain) = target_bits(self.scope, target, &self.iteration);
                if certain {
                    self.done[target.signal] |= &bits;
                }
                self.writes[target.signal].push((self.time, bits));
            }
            Statement::If(test, then, otherwise) => {
                if let Kind::CompareIntegers(left, comparison, right) = &test.kind
                    && let (Some(left), Some(right)) = (left.evaluate(&self.iteration), right.evaluate(&self.iteration))
                {
                    let taken = if comparison.holds(&left, &right) { then } else { otherwise };
                    return self.block(taken);
                }
                let readers = targets(std::slice::from_ref(statement));
                self.read(test, &readers)?;
                self.branches(&readers, [then, otherwise].into_iter())?;
            }
            Statement::Case(test, arms) => {
                let readers = targets(std::slice::from_ref(statement));
                self.read(test, &readers)?;
                self.branches(&readers, arms.iter().map(|(_, body)| body))?;
            }
            Statement::For { variable, from, to, body } => {
                for value in *from..*to {
                    self.iteration.push((variable.clone(), value));
                    let walked = self.block(body);
                    self.iteration.pop();
                    walked?;
                }
            }
            Statement::Comment(_) => {}
        }
        Ok(())
    }

    /// After alternatives, which assign nothing but `signals`, only that is certain which all of them assign.
    fn branches<'b>(
        &mut self,
        signals: &BTreeSet<SignalId>,
        bodies: impl Iterator<Item = &'b Vec<Statement>>,
    ) -> Result<(), Refusal> {
        let before: Vec<BigUint> = signals.iter().map(|signal| self.done[*signal].clone()).collect();
        let mut after: Option<Vec<BigUint>> = None;
        for body in bodies {
            self.block(body)?;
            let restored = signals.iter().zip(before.clone());
            let own: Vec<BigUint> =
                restored.map(|(signal, before)| std::mem::replace(&mut self.done[*signal], before)).collect();
            after = Some(match after {
                Some(after) => after.iter().zip(&own).map(|(left, right)| left & right).collect(),
                None => own,
            });
        }
        for (signal, done) in signals.iter().zip(after.into_iter().flatten()) {
            self.done[*signal] = done;
        }
        Ok(())
    }

    fn read(&mut self, value: &Expression, readers: &BTreeSet<SignalId>) -> Result<(), Refusal> {
        let mut found = vec![];
        reads(self.scope, value, &self.iteration, &mut |signal, bits| found.push((signal, bits)));
        for (signal, bits) in found {
            let (signal, offset) = fields::root(self.scope, signal);
            let bits = bits << offset;
            let declared = &self.scope.signals[signal];
            if !declared.is_driven_here() {
                continue;
            }
            // A sub-block's input shows its settled value, wherever it is read.
            let ordered = !matches!(declared.role, Role::ChildInput(_));
            if ordered && &self.done[signal] & &bits != bits {
                return Err(self.scope.refusal(&declared.verilog, "read before it is assigned"));
            }
            self.reads.push(Read { time: self.time, signal, bits, readers: readers.clone() });
        }
        Ok(())
    }
}

/// Bits that an assignment may change, and whether it changes all of them for certain.
pub(crate) fn target_bits(scope: &Scope, target: &Target, iteration: &Iteration) -> (BigUint, bool) {
    let signal = &scope.signals[target.signal];
    let (mut bits, start, mut certain) = match &target.index {
        None => (mask(signal.total()), Some(0), true),
        Some(Index::Fixed(index)) => match index.evaluate(iteration).and_then(|index| usize::try_from(index).ok()) {
            Some(index) => (mask(signal.width) << (index * signal.width), Some(index * signal.width), true),
            None => (mask(signal.total()), None, false),
        },
        Some(Index::Dynamic(_)) => (mask(signal.total()), None, false),
    };
    if let Some((offset, width)) = &target.part {
        match (offset, start) {
            (Index::Fixed(offset), Some(start)) => {
                match offset.evaluate(iteration).and_then(|offset| usize::try_from(offset).ok()) {
                    Some(offset) => bits = mask(*width) << (start + offset),
                    None => certain = false,
                }
            }
            _ => certain = false,
        }
    }
    (bits, certain)
}

/// Calls `visit` with every signal that the expression reads and the bits of it.
pub(crate) fn reads(
    scope: &Scope,
    value: &Expression,
    iteration: &Iteration,
    visit: &mut dyn FnMut(SignalId, BigUint),
) {
    let element = |signal: SignalId, index: &Index| -> Option<usize> {
        match index {
            Index::Fixed(index) => {
                Some(usize::try_from(index.evaluate(iteration)?).ok()? * scope.signals[signal].width)
            }
            Index::Dynamic(_) => None,
        }
    };
    match &value.kind {
        Kind::Constant(_) | Kind::Named(..) | Kind::Integer(_) | Kind::CompareIntegers(..) => {}
        Kind::Vector(signal) => visit(*signal, mask(scope.signals[*signal].total())),
        Kind::Element(signal, index) => {
            match element(*signal, index) {
                Some(start) => visit(*signal, mask(value.width) << start),
                None => visit(*signal, mask(scope.signals[*signal].total())),
            }
            dynamic_reads(scope, index, iteration, visit);
        }
        Kind::Part(base, offset) => {
            let inner = match (&base.kind, offset) {
                (Kind::Element(signal, index), Index::Fixed(offset)) => element(*signal, index)
                    .and_then(|start| Some((*signal, start + usize::try_from(offset.evaluate(iteration)?).ok()?))),
                _ => None,
            };
            match inner {
                Some((signal, start)) => visit(signal, mask(value.width) << start),
                None => {
                    reads(scope, base, iteration, visit);
                    dynamic_reads(scope, offset, iteration, visit);
                }
            }
        }
        Kind::Resize(base) | Kind::SignExtend(base) | Kind::Not(base) | Kind::Negate(base) | Kind::Reduce(_, base) => {
            reads(scope, base, iteration, visit)
        }
        Kind::Binary(left, _, right) | Kind::Shift(left, _, right) | Kind::Compare(left, _, right) => {
            reads(scope, left, iteration, visit);
            reads(scope, right, iteration, visit);
        }
        Kind::ReplaceBit(base, index, bit) => {
            match index {
                // The printer takes the other bits alone.
                Index::Fixed(place) if place.constant().is_some() && has_parts(base) => {
                    let place = place.constant().and_then(|place| u64::try_from(place).ok()).unwrap_or_default();
                    reads(scope, base, iteration, &mut |signal, mut bits| {
                        bits.set_bit(bits.trailing_zeros().unwrap_or_default() + place, false);
                        visit(signal, bits);
                    });
                }
                _ => reads(scope, base, iteration, visit),
            }
            dynamic_reads(scope, index, iteration, visit);
            reads(scope, bit, iteration, visit);
        }
        Kind::Choice(test, then, otherwise) => {
            [test, then, otherwise].into_iter().for_each(|operand| reads(scope, operand, iteration, visit));
        }
        Kind::Concatenation(items) => items.iter().for_each(|item| reads(scope, item, iteration, visit)),
    }
}

fn dynamic_reads(scope: &Scope, index: &Index, iteration: &Iteration, visit: &mut dyn FnMut(SignalId, BigUint)) {
    if let Index::Dynamic(index) = index {
        reads(scope, index, iteration, visit);
    }
}
