//! Runs statements whose outcome needs no signal: what they assign becomes a constant.

use std::collections::BTreeMap;

use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive, Zero};

use super::expression::{Direction, Expression, Index, Iteration, Kind, Reduction, SignalId, Statement, Target, mask};
use super::fold::{number, operate};
use super::scope::Scope;

/// Values of the signals that the statements assign.
pub(crate) type Values = BTreeMap<SignalId, BigUint>;

/// The values after the statements, or `None` if they read any signal that is not in `values`.
pub(crate) fn run(scope: &Scope, statements: &[Statement], values: &mut Values) -> Option<()> {
    execute(scope, statements, &mut vec![], values)
}

fn execute(scope: &Scope, statements: &[Statement], iteration: &mut Iteration, values: &mut Values) -> Option<()> {
    for statement in statements {
        match statement {
            Statement::Assign(target, value) => assign(scope, target, value, iteration, values)?,
            Statement::If(test, then, otherwise) => {
                let taken = if evaluate(scope, test, iteration, values)?.is_zero() { otherwise } else { then };
                execute(scope, taken, iteration, values)?;
            }
            Statement::Case(test, arms) => {
                let test = evaluate(scope, test, iteration, values)?;
                let matching = arms
                    .iter()
                    .find(|(pattern, _)| pattern.as_ref().is_none_or(|pattern| pattern.known() == Some(&test)));
                let (_, body) = matching.or(arms.last())?;
                execute(scope, body, iteration, values)?;
            }
            Statement::For { variable, from, to, body } => {
                for value in *from..*to {
                    iteration.push((variable.clone(), value));
                    let done = execute(scope, body, iteration, values);
                    iteration.pop();
                    done?;
                }
            }
            Statement::Comment(_) => {}
        }
    }
    Some(())
}

fn assign(
    scope: &Scope,
    target: &Target,
    value: &Expression,
    iteration: &Iteration,
    values: &mut Values,
) -> Option<()> {
    let width = scope.signals[target.signal].width;
    let start = match &target.index {
        Some(index) => place(scope, index, iteration, values)? * width,
        None => 0,
    };
    let start = match &target.part {
        Some((offset, _)) => start + place(scope, offset, iteration, values)?,
        None => start,
    };
    let new = evaluate(scope, value, iteration, values)?;
    let old = values.get(&target.signal).cloned().unwrap_or_default();
    let hole = mask(value.width) << start;
    let kept = &old ^ (&old & &hole);
    values.insert(target.signal, kept | (new << start));
    Some(())
}

fn place(scope: &Scope, index: &Index, iteration: &Iteration, values: &Values) -> Option<usize> {
    match index {
        Index::Fixed(integer) => usize::try_from(integer.evaluate(iteration)?).ok(),
        Index::Dynamic(value) => evaluate(scope, value, iteration, values)?.to_usize(),
    }
}

fn evaluate(scope: &Scope, value: &Expression, iteration: &Iteration, values: &Values) -> Option<BigUint> {
    let of = |operand: &Expression| evaluate(scope, operand, iteration, values);
    let at = |index: &Index| place(scope, index, iteration, values);
    let truth = |holds: bool| BigUint::from(u8::from(holds));
    let result = match &value.kind {
        Kind::Constant(known) | Kind::Named(_, known) => known.clone(),
        Kind::Element(signal, index) => values.get(signal)? >> (at(index)? * value.width),
        Kind::Vector(signal) => values.get(signal)?.clone(),
        Kind::Integer(integer) => {
            let modulus = BigInt::one() << value.width;
            let wrapped = ((BigInt::from(integer.evaluate(iteration)?) % &modulus) + &modulus) % &modulus;
            wrapped.to_biguint()?
        }
        Kind::Part(base, index) => of(base)? >> at(index)?,
        Kind::Resize(base) => of(base)?,
        Kind::SignExtend(base) => {
            let base_value = of(base)?;
            if base_value.bit(base.width as u64 - 1) {
                base_value | (mask(value.width - base.width) << base.width)
            } else {
                base_value
            }
        }
        Kind::Not(base) => of(base)? ^ mask(value.width),
        Kind::Negate(base) => (mask(value.width) - of(base)?) + 1_u8,
        Kind::Reduce(reduction, base) => {
            let ones = of(base)?.count_ones();
            truth(match reduction {
                Reduction::All => ones == base.width as u64,
                Reduction::Any => ones > 0,
                Reduction::Parity => ones % 2 == 1,
            })
        }
        Kind::Binary(left, operator, right) => operate(&of(left)?, *operator, &of(right)?, value.width),
        Kind::Shift(base, direction, amount) => match of(amount)?.to_usize() {
            Some(amount) if amount < value.width => match direction {
                Direction::Left => of(base)? << amount,
                Direction::Right => of(base)? >> amount,
            },
            _ => BigUint::zero(),
        },
        Kind::Compare(left, comparison, right) => {
            let signed = left.signed || right.signed;
            let (left_value, right_value) = (of(left)?, of(right)?);
            let (left_value, right_value) =
                (number(&left_value, left.width, signed), number(&right_value, right.width, signed));
            truth(comparison.holds(&left_value, &right_value))
        }
        Kind::CompareIntegers(left, comparison, right) => {
            truth(comparison.holds(&left.evaluate(iteration)?, &right.evaluate(iteration)?))
        }
        Kind::Choice(test, then, otherwise) => {
            if of(test)?.is_zero() {
                of(otherwise)?
            } else {
                of(then)?
            }
        }
        Kind::Concatenation(items) => {
            items.iter().try_fold(BigUint::zero(), |whole, item| Some((whole << item.width) | of(item)?))?
        }
        Kind::ReplaceBit(base, index, bit) => {
            let mut base = of(base)?;
            base.set_bit(at(index)? as u64, !of(bit)?.is_zero());
            base
        }
    };
    Some(result & mask(value.width))
}
