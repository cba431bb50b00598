//! From rust-hdl's syntax tree to typed statements. Whatever has no exact meaning is refused here.

use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive;
use rust_hdl::prelude::VerilogLiteral;
use rust_hdl::prelude::ast::{
    VerilogBlock, VerilogBlockOrConditional, VerilogConditional, VerilogExpression as Tree, VerilogLink, VerilogMatch,
    VerilogOp, VerilogOpUnary, VerilogStatement,
};

use super::Refusal;
use super::elaborate::signed_value_of;
use super::expression::{
    Comparison, Direction, Expression, Index, Integer, IntegerOperator, Iteration, Kind, Operator, Reduction, SignalId,
    Statement, Target, index_width,
};
use super::fold;
use super::scope::{Role, Scope};
use super::source::{Generics, Sources};

/// Why something could not be lowered.
pub(crate) enum Failure {
    /// It can once the enclosing loops are unrolled.
    NeedsUnrolling,
    Refused(Refusal),
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// What a name in a kernel stands for.
pub(crate) enum Meaning {
    Integer(Integer),
    /// Name in Verilog, width, value.
    Variant(String, usize, BigUint),
    Signal(Path),
}

/// A signal with the indices that the kernel writes.
pub(crate) struct Path {
    pub(crate) signal: SignalId,
    pub(crate) indices: Vec<Index>,
}

struct Loop {
    variable: String,
    from: i128,
    to: i128,
    /// The iteration that is being lowered, if the loop is unrolled.
    unrolled: Option<i128>,
}

/// A comparison of loop variables that holds, or does not, where the current statement runs.
type Guard = (Integer, Comparison, Integer, bool);

pub(crate) struct Lowerer<'a> {
    pub(crate) scope: &'a Scope,
    sources: &'a Sources,
    generics: &'a Generics,
    loops: Vec<Loop>,
    guards: Vec<Guard>,
    /// The signal being assigned, for refusals.
    current: String,
}

/// More iterations than this are not looked at one by one.
const MOST_ITERATIONS: usize = 1 << 16;

impl<'a> Lowerer<'a> {
    pub(crate) fn new(scope: &'a Scope, sources: &'a Sources, generics: &'a Generics) -> Self {
        Self { scope, sources, generics, loops: vec![], guards: vec![], current: String::new() }
    }

    pub(crate) fn kernel(mut self, block: &VerilogBlock) -> Result<Vec<Statement>, Refusal> {
        self.block(block).map_err(|failure| match failure {
            Failure::Refused(refusal) => refusal,
            Failure::NeedsUnrolling => self.scope.refusal(&self.current, "not expressible outside a loop"),
        })
    }

    fn refuse<T>(&self, reason: impl Into<String>) -> Result<T, Failure> {
        Err(Failure::Refused(self.scope.refusal(&self.current, reason)))
    }

    fn block(&mut self, block: &VerilogBlock) -> Result<Vec<Statement>, Failure> {
        let mut statements = vec![];
        for statement in block {
            self.statement(statement, &mut statements)?;
        }
        Ok(statements)
    }

    fn statement(&mut self, statement: &VerilogStatement, out: &mut Vec<Statement>) -> Result<(), Failure> {
        match statement {
            VerilogStatement::Assignment(left, right) => {
                let (path, whole) = self.target(left)?;
                let assigned = if whole { self.whole(path, right)? } else { self.single(path, right)? };
                out.push(assigned);
            }
            VerilogStatement::SliceAssignment { base, width, offset, replacement } => {
                let (path, _) = self.target(base)?;
                let element = self.scope.signals[path.signal].width;
                let Some(start) = self.integer(offset)?.and_then(|offset| offset.constant()) else {
                    return self.refuse("only fields at a fixed place can be assigned");
                };
                if start < 0 || start as usize + width > element {
                    return self.refuse("the assigned bits are not in the signal");
                }
                let value = self.expression(replacement, Some(*width))?;
                let index = Some(self.flatten(&path)?);
                let part = Some((Index::Fixed(Integer::Literal(start)), *width));
                out.push(Statement::Assign(Target { signal: path.signal, index, part }, value));
            }
            VerilogStatement::If(conditional) => out.extend(self.conditional(conditional)?),
            VerilogStatement::Match(matched) => out.extend(self.matched(matched)?),
            VerilogStatement::Loop(rolled) => {
                let (from, to) = (rolled.from.as_usize() as i128, rolled.to.as_usize() as i128);
                self.repeat(&rolled.index, from, to, &rolled.block, out)?;
            }
            VerilogStatement::Comment(text) => out.push(Statement::Comment(comment_text(text))),
            VerilogStatement::Link(links) => {
                for link in links {
                    self.link(link, out)?;
                }
            }
            VerilogStatement::Macro(block) => {
                for statement in block {
                    self.statement(statement, out)?;
                }
            }
        }
        Ok(())
    }

    fn repeat(
        &mut self,
        variable: &str,
        from: i128,
        to: i128,
        body: &VerilogBlock,
        out: &mut Vec<Statement>,
    ) -> Result<(), Failure> {
        if from >= to {
            return Ok(());
        }
        if to - from == 1 {
            // A loop over one element would index a signal that has no index.
            self.loops.push(Loop { variable: variable.to_string(), from, to, unrolled: Some(from) });
            let once = self.block(body);
            self.loops.pop();
            out.extend(once?);
            return Ok(());
        }
        self.loops.push(Loop { variable: variable.to_string(), from, to, unrolled: None });
        let rolled = self.block(body);
        self.loops.pop();
        match rolled {
            Ok(body) => {
                match self.copies(variable, from, to, &body) {
                    Some(copies) => out.extend(copies),
                    None => out.push(Statement::For { variable: variable.to_string(), from, to, body }),
                }
                Ok(())
            }
            Err(Failure::NeedsUnrolling) => {
                for value in from..to {
                    self.loops.push(Loop { variable: variable.to_string(), from, to, unrolled: Some(value) });
                    let once = self.block(body);
                    self.loops.pop();
                    out.extend(once?);
                }
                Ok(())
            }
            Err(refused) => Err(refused),
        }
    }

    /// Whole arrays in the place of others, if that is all that a loop does.
    fn copies(&self, variable: &str, from: i128, to: i128, body: &[Statement]) -> Option<Vec<Statement>> {
        let each = Index::Fixed(Integer::Variable(variable.to_string()));
        let copy = |statement: &Statement| match statement {
            Statement::Assign(target, value) if target.part.is_none() && target.index.as_ref() == Some(&each) => {
                let Kind::Element(source, at) = &value.kind else { return None };
                let (source, signal) = (*source, &self.scope.signals[target.signal]);
                let is_whole = *at == each
                    && from == 0
                    && [signal, &self.scope.signals[source]].iter().all(|array| array.length() as i128 == to)
                    && self.scope.signals[source].width == signal.width;
                let value = Expression::new(signal.total(), Kind::Vector(source));
                is_whole.then_some(Statement::Assign(Target::whole(target.signal), value))
            }
            Statement::Comment(text) => Some(Statement::Comment(text.clone())),
            _ => None,
        };
        body.iter().map(copy).collect()
    }

    fn link(&mut self, link: &VerilogLink, out: &mut Vec<Statement>) -> Result<(), Failure> {
        let (details, forward) = match link {
            VerilogLink::Forward(details) => (details, true),
            VerilogLink::Backward(details) => (details, false),
            VerilogLink::Bidirectional(_) => return self.refuse("InOut signals have no exact translation"),
        };
        let field = details.my_name.replace('.', "$");
        let owner = Tree::Signal(format!("{}{field}", details.owner_name));
        let other = Tree::Signal(format!("{}{field}", details.other_name));
        let (to, from) = if forward { (other, owner) } else { (owner, other) };
        self.statement(&VerilogStatement::Assignment(to, from), out)
    }

    /// The assigned signal, and whether all elements of an array are meant.
    fn target(&mut self, tree: &Tree) -> Result<(Path, bool), Failure> {
        let Tree::Signal(name) = tree else {
            return self.refuse("only a signal can be assigned");
        };
        self.current = name.trim_end_matches("$next").to_string();
        let path = match self.meaning(name.trim_end_matches("$next"))? {
            Meaning::Signal(path) => path,
            _ => return self.refuse("only a signal can be assigned"),
        };
        let signal = &self.scope.signals[path.signal];
        if !signal.is_driven_here() {
            return self.refuse("the kernel may not drive this signal");
        }
        let whole = path.indices.len() < signal.dimensions.len();
        Ok((path, whole))
    }

    fn single(&mut self, path: Path, right: &Tree) -> Result<Statement, Failure> {
        let width = self.scope.signals[path.signal].width;
        let index = Some(self.flatten(&path)?);
        // `x = x.replace_bit(i, bit)` changes one bit.
        if let Tree::IndexReplace(base, at, bit) = right
            && let Tree::Signal(name) = &**base
            && let Meaning::Signal(from) = self.meaning(name)?
            && from.signal == path.signal
            && Some(self.flatten(&from)?) == index
            && !matches!(self.scope.signals[path.signal].role, Role::ChildInput(_))
        {
            let bit = self.expression(bit, Some(1))?;
            let at = self.bit_index(at, width)?;
            return Ok(Statement::Assign(Target { signal: path.signal, index, part: Some((at, 1)) }, bit));
        }
        let value = self.expression(right, Some(width))?;
        Ok(Statement::Assign(Target { signal: path.signal, index, part: None }, value))
    }

    fn whole(&mut self, path: Path, right: &Tree) -> Result<Statement, Failure> {
        let signal = &self.scope.signals[path.signal];
        let source = match right {
            Tree::Signal(name) => match self.meaning(name)? {
                Meaning::Signal(source) => source,
                _ => return self.refuse("an array can only be assigned another array"),
            },
            _ => return self.refuse("an array can only be assigned another array"),
        };
        let from = &self.scope.signals[source.signal];
        if !path.indices.is_empty()
            || !source.indices.is_empty()
            || from.width != signal.width
            || from.length() != signal.length()
        {
            return self.refuse("an array can only be assigned another array of the same form");
        }
        let value = Expression::new(signal.total(), Kind::Vector(source.signal));
        Ok(Statement::Assign(Target::whole(path.signal), value))
    }

    fn conditional(&mut self, conditional: &VerilogConditional) -> Result<Vec<Statement>, Failure> {
        let test = self.expression(&conditional.test, Some(1))?;
        if let Some(value) = test.known() {
            return if *value != BigUint::default() {
                self.block(&conditional.then)
            } else {
                self.otherwise(&conditional.otherwise)
            };
        }
        let guard = match &test.kind {
            Kind::CompareIntegers(left, comparison, right) => Some((left.clone(), *comparison, right.clone())),
            _ => None,
        };
        let depth = self.guards.len();
        self.guards.extend(guard.clone().map(|(left, comparison, right)| (left, comparison, right, true)));
        let then = self.block(&conditional.then);
        self.guards.truncate(depth);
        self.guards.extend(guard.map(|(left, comparison, right)| (left, comparison, right, false)));
        let otherwise = self.otherwise(&conditional.otherwise);
        self.guards.truncate(depth);
        Ok(vec![Statement::If(test, then?, otherwise?)])
    }

    fn otherwise(&mut self, otherwise: &VerilogBlockOrConditional) -> Result<Vec<Statement>, Failure> {
        match otherwise {
            VerilogBlockOrConditional::Block(block) => self.block(block),
            VerilogBlockOrConditional::Conditional(statement) => {
                let mut statements = vec![];
                self.statement(statement, &mut statements)?;
                Ok(statements)
            }
            VerilogBlockOrConditional::None => Ok(vec![]),
        }
    }

    fn matched(&mut self, matched: &VerilogMatch) -> Result<Vec<Statement>, Failure> {
        let Some(shape) = self.shape(&matched.test)? else {
            return self.refuse("only a signal can be matched");
        };
        let test = self.expression(&matched.test, Some(shape.width))?;
        let mut arms = vec![];
        for case in &matched.cases {
            let pattern = match case.condition.as_str() {
                "default" => None,
                "true" => Some(Expression::constant(1, BigUint::from(1_u8))),
                "false" => Some(Expression::constant(1, BigUint::default())),
                name => match self.scope.variants.get(name) {
                    Some((verilog, width, value)) if *width == shape.width => {
                        Some(Expression::new(*width, Kind::Named(verilog.clone(), value.clone())))
                    }
                    _ => return self.refuse(format!("the pattern {name} has no exact translation")),
                },
            };
            let last = pattern.is_none();
            let body = self.block(&case.block)?;
            arms.push((pattern, body));
            if last {
                break;
            }
        }
        // A bool takes one of two arms; a `case` over one bit would only say the same at more length.
        if arms.iter().all(|(pattern, _)| !matches!(pattern, Some(Expression { kind: Kind::Named(..), .. }))) {
            let mut arms = arms.into_iter();
            let (Some((first, then)), second) = (arms.next(), arms.next()) else {
                return Ok(vec![]);
            };
            let Some(first) = first else {
                return Ok(then);
            };
            let otherwise = second.map(|(_, body)| body).unwrap_or_default();
            let positive = first.known() == Some(&BigUint::from(1_u8));
            let (then, otherwise) = if positive { (then, otherwise) } else { (otherwise, then) };
            return Ok(vec![Statement::If(test, then, otherwise)]);
        }
        Ok(vec![Statement::Case(test, arms)])
    }

    /// What a name means; `$next` is already gone.
    pub(crate) fn meaning(&self, name: &str) -> Result<Meaning, Failure> {
        if let Some(rolled) = self.loops.iter().rev().find(|rolled| rolled.variable == name) {
            return Ok(Meaning::Integer(match rolled.unrolled {
                Some(value) => Integer::Literal(value),
                None => Integer::Variable(name.to_string()),
            }));
        }
        if let Some((verilog, width, value)) = self.scope.variants.get(name) {
            return Ok(Meaning::Variant(verilog.clone(), *width, value.clone()));
        }
        let (key, indices) = self.split(name)?;
        if let Some(signal) = self.scope.by_key.get(&key) {
            let signal = *signal;
            if indices.len() > self.scope.signals[signal].dimensions.len() {
                return self.refuse(format!("{name} has more indices than dimensions"));
            }
            return Ok(Meaning::Signal(Path { signal, indices }));
        }
        let last = name.rsplit('$').next().unwrap_or(name);
        match self.sources.constant(last, self.generics) {
            Some(value) if indices.is_empty() => Ok(Meaning::Integer(Integer::Literal(value))),
            _ => self.refuse(format!(
                "{name} is neither a signal nor a constant of a registered source whose value can be told"
            )),
        }
    }

    /// `leaf[i]$port[2]` is `leaf$port` with the indices `i` and 2.
    fn split(&self, name: &str) -> Result<(String, Vec<Index>), Failure> {
        let mut key = String::new();
        let mut indices = vec![];
        let mut inside = String::new();
        let mut depth = 0;
        for letter in name.chars() {
            match letter {
                '[' => {
                    if depth > 0 {
                        inside.push(letter);
                    }
                    depth += 1;
                }
                ']' => {
                    depth -= 1;
                    if depth == 0 {
                        indices.push(self.written_index(&inside)?);
                        inside.clear();
                    } else {
                        inside.push(letter);
                    }
                }
                _ if depth > 0 => inside.push(letter),
                _ => key.push(letter),
            }
        }
        Ok((key, indices))
    }

    fn written_index(&self, text: &str) -> Result<Index, Failure> {
        if let Some(name) = text.strip_suffix("$val()$index()") {
            let Meaning::Signal(path) = self.meaning(name)? else {
                return self.refuse(format!("{text} is not an index"));
            };
            return Ok(Index::Dynamic(Box::new(self.element(&path)?)));
        }
        match syn::parse_str(&text.replace('$', "::")).ok().and_then(|written| self.written_integer(&written)) {
            Some(integer) => Ok(Index::Fixed(integer)),
            None => self.refuse(format!("the index {text} has no exact translation: give it a signal of its own")),
        }
    }

    fn written_integer(&self, written: &syn::Expr) -> Option<Integer> {
        match written {
            syn::Expr::Paren(inner) => self.written_integer(&inner.expr),
            syn::Expr::Path(path) => {
                let name = path.path.segments.last()?.ident.to_string();
                match self.loops.iter().rev().find(|rolled| rolled.variable == name) {
                    Some(Loop { unrolled: Some(value), .. }) => Some(Integer::Literal(*value)),
                    Some(_) => Some(Integer::Variable(name)),
                    None => self.sources.constant(&name, self.generics).map(Integer::Literal),
                }
            }
            syn::Expr::Binary(binary) => {
                let operator = match binary.op {
                    syn::BinOp::Add(_) => IntegerOperator::Add,
                    syn::BinOp::Sub(_) => IntegerOperator::Subtract,
                    syn::BinOp::Mul(_) => IntegerOperator::Multiply,
                    syn::BinOp::Div(_) => IntegerOperator::Divide,
                    syn::BinOp::Rem(_) => IntegerOperator::Remainder,
                    _ => return None,
                };
                let (left, right) = (self.written_integer(&binary.left)?, self.written_integer(&binary.right)?);
                Some(Integer::binary(left, operator, right))
            }
            other => self.sources.integer(other, self.generics).map(Integer::Literal),
        }
    }

    /// The number that the tree stands for, if it is one.
    pub(crate) fn integer(&self, tree: &Tree) -> Result<Option<Integer>, Failure> {
        if !self.is_integer(tree)? {
            return Ok(None);
        }
        Ok(match tree {
            Tree::Signal(name) => match self.meaning(name)? {
                Meaning::Integer(integer) => Some(integer),
                _ => None,
            },
            Tree::Literal(literal) => signed_value_of(literal).to_i128().map(Integer::Literal),
            Tree::Paren(inner) => self.integer(inner)?,
            Tree::Unary(VerilogOpUnary::Neg, inner) => {
                self.integer(inner)?.map(|inner| Integer::binary(Integer::Literal(0), IntegerOperator::Subtract, inner))
            }
            Tree::Binary(left, operator, right) => {
                let operator = match operator {
                    VerilogOp::Add => IntegerOperator::Add,
                    VerilogOp::Sub => IntegerOperator::Subtract,
                    _ => IntegerOperator::Multiply,
                };
                match (self.integer(left)?, self.integer(right)?) {
                    (Some(left), Some(right)) => Some(Integer::binary(left, operator, right)),
                    _ => None,
                }
            }
            _ => None,
        })
    }

    /// Least and greatest value over every iteration that reaches this place.
    fn range(&self, integer: &Integer) -> Result<Option<(i128, i128)>, Failure> {
        if let Some(value) = integer.constant() {
            return Ok(Some((value, value)));
        }
        let rolled: Vec<_> = self.loops.iter().filter(|rolled| rolled.unrolled.is_none()).collect();
        let count = rolled
            .iter()
            .try_fold(1_usize, |count, rolled| count.checked_mul(usize::try_from(rolled.to - rolled.from).ok()?));
        if count.is_none_or(|count| count > MOST_ITERATIONS) {
            return Err(Failure::NeedsUnrolling);
        }
        let mut range: Option<(i128, i128)> = None;
        let mut iteration: Iteration = rolled.iter().map(|rolled| (rolled.variable.clone(), rolled.from)).collect();
        loop {
            let reached = self.guards.iter().all(|(left, comparison, right, wanted)| {
                match (left.evaluate(&iteration), right.evaluate(&iteration)) {
                    (Some(left), Some(right)) => comparison.holds(&left, &right) == *wanted,
                    _ => true,
                }
            });
            if reached {
                let Some(value) = integer.evaluate(&iteration) else {
                    return self.refuse("a number overflows or is divided by zero");
                };
                range = Some(range.map_or((value, value), |(low, high)| (low.min(value), high.max(value))));
            }
            // Count up like an odometer.
            let mut place = iteration.len();
            loop {
                if place == 0 {
                    return Ok(range);
                }
                place -= 1;
                iteration[place].1 += 1;
                if iteration[place].1 < rolled[place].to {
                    break;
                }
                iteration[place].1 = rolled[place].from;
            }
        }
    }

    /// Refuses an index that leaves `length`, unless no iteration reaches it.
    fn within(&self, integer: &Integer, length: usize) -> Result<(), Failure> {
        match self.range(integer)? {
            Some((low, high)) if low < 0 || high >= length as i128 => {
                self.refuse(format!("an index runs from {low} to {high}, but there are {length}"))
            }
            _ => Ok(()),
        }
    }

    /// The place of an element in the packed vector, counted in elements.
    fn flatten(&self, path: &Path) -> Result<Index, Failure> {
        let signal = &self.scope.signals[path.signal];
        if path.indices.len() != signal.dimensions.len() {
            return self.refuse(format!("{} is an array: an index is missing", signal.verilog));
        }
        if let [Index::Dynamic(index)] = path.indices.as_slice() {
            return Ok(self.dynamic(index.as_ref().clone(), signal.length()));
        }
        let mut flat = Integer::Literal(0);
        for (index, length) in path.indices.iter().zip(&signal.dimensions) {
            let Index::Fixed(index) = index else {
                return self.refuse("an index chosen by a signal can only be the only one of a name");
            };
            self.within(index, *length)?;
            let scaled = Integer::binary(flat, IntegerOperator::Multiply, Integer::Literal(*length as i128));
            flat = Integer::binary(scaled, IntegerOperator::Add, index.clone());
        }
        Ok(Index::Fixed(flat))
    }

    /// An index of exactly the bits that `length` needs; beyond it the description panics.
    fn dynamic(&self, index: Expression, length: usize) -> Index {
        if let Some(value) = index.known().and_then(ToPrimitive::to_i128) {
            return Index::Fixed(Integer::Literal(value));
        }
        if length <= 1 {
            return Index::Fixed(Integer::Literal(0));
        }
        Index::Dynamic(Box::new(fold::resize(index, index_width(length))))
    }

    fn element(&self, path: &Path) -> Result<Expression, Failure> {
        let signal = &self.scope.signals[path.signal];
        let index = self.flatten(path)?;
        if signal.role == Role::Constant {
            let place = match &index {
                Index::Fixed(integer) => match integer.constant() {
                    Some(place) => usize::try_from(place).ok(),
                    None => return Err(Failure::NeedsUnrolling),
                },
                Index::Dynamic(_) => None,
            };
            let Some(value) = place.and_then(|place| signal.values.get(place)) else {
                return self.refuse("a constant cannot be chosen by a signal");
            };
            let kind = if signal.dimensions.is_empty() {
                Kind::Named(signal.verilog.clone(), value.clone())
            } else {
                Kind::Constant(value.clone())
            };
            return Ok(Expression::new(signal.width, kind).with_sign(signal.is_signed()));
        }
        Ok(Expression::new(signal.width, Kind::Element(path.signal, index)).with_sign(signal.is_signed()))
    }

    /// Lowers an expression; `wanted` is the width that the surroundings ask for, if they do.
    fn expression(&self, tree: &Tree, wanted: Option<usize>) -> Result<Expression, Failure> {
        let lowered = self.unchecked(tree, wanted)?;
        match wanted {
            Some(wanted) if wanted != lowered.width => {
                self.refuse(format!("an expression of {} bits stands where {wanted} are needed", lowered.width))
            }
            _ => Ok(lowered),
        }
    }

    fn unchecked(&self, tree: &Tree, wanted: Option<usize>) -> Result<Expression, Failure> {
        if let Some(integer) = self.integer(tree)? {
            let Some(width) = wanted else {
                return self.refuse("nothing tells the width of a number");
            };
            let number = self.number(integer, width)?;
            return Ok(match (self.constant_name(tree)?, number.known()) {
                (Some(name), Some(value)) => Expression::new(width, Kind::Named(name, value.clone())),
                _ => number,
            });
        }
        match tree {
            Tree::Signal(name) => match self.meaning(name)? {
                Meaning::Variant(verilog, width, value) => Ok(Expression::new(width, Kind::Named(verilog, value))),
                Meaning::Signal(path) => self.element(&path),
                Meaning::Integer(_) => self.refuse("nothing tells the width of a number"),
            },
            Tree::Literal(literal) => {
                let value = signed_value_of(literal).to_biguint().unwrap_or_default();
                Ok(Expression::constant(if is_bool(literal) { 1 } else { wanted.unwrap_or(64) }, value))
            }
            Tree::Cast(inner, width) => match self.shape(inner)? {
                None if self.is_integer(inner)? => self.expression(inner, Some(*width)),
                None => self.refuse("nothing tells the width of the operand of a cast"),
                Some(shape) => Ok(fold::resize(self.expression(inner, Some(shape.width))?, *width)),
            },
            Tree::Signed(inner) => self.signed(inner, wanted),
            Tree::Unsigned(inner) => Ok(self.expression(inner, wanted.or(self.width(inner)?))?.with_sign(false)),
            Tree::Paren(inner) => self.unchecked(inner, wanted),
            Tree::Binary(left, operator, right) => self.binary(left, operator, right, wanted),
            Tree::Unary(operator, inner) => self.unary(operator, inner, wanted),
            Tree::Index(base, at) => {
                let base = self.known_width(base)?;
                let at = self.bit_index(at, base.width)?;
                Ok(fold::part(base, at, 1))
            }
            Tree::Slice(base, width, offset) => self.slice(tree, base, *width, offset),
            Tree::IndexReplace(base, at, bit) => {
                let base = match self.shape(base)? {
                    Some(shape) => self.expression(base, Some(shape.width))?,
                    None => self.expression(base, wanted)?,
                };
                let at = self.bit_index(at, base.width)?;
                let bit = self.expression(bit, Some(1))?;
                let (width, signed) = (base.width, base.signed);
                if width == 1 {
                    return Ok(bit.with_sign(signed));
                }
                Ok(Expression::new(width, Kind::ReplaceBit(Box::new(base), at, Box::new(bit))).with_sign(signed))
            }
        }
    }

    /// The name of the constant that the tree is, if it is one of a registered source.
    fn constant_name(&self, tree: &Tree) -> Result<Option<String>, Failure> {
        let mut inner = tree;
        while let Tree::Paren(next) = inner {
            inner = next;
        }
        let Tree::Signal(name) = inner else { return Ok(None) };
        let is_loop = self.loops.iter().any(|rolled| rolled.variable == *name);
        let last = name.rsplit('$').next().unwrap_or(name);
        let is_constant = !is_loop && self.sources.is_constant(last, self.generics);
        Ok((is_constant && matches!(self.meaning(name)?, Meaning::Integer(_))).then(|| last.to_string()))
    }

    fn width(&self, tree: &Tree) -> Result<Option<usize>, Failure> {
        Ok(self.shape(tree)?.map(|shape| shape.width))
    }

    fn known_width(&self, tree: &Tree) -> Result<Expression, Failure> {
        match self.width(tree)? {
            Some(width) => self.expression(tree, Some(width)),
            None => self.refuse("nothing tells the width of an operand"),
        }
    }

    fn number(&self, integer: Integer, width: usize) -> Result<Expression, Failure> {
        match integer.constant() {
            Some(value) => {
                let wide = BigInt::from(value);
                let fits = wide.bits() <= width as u64;
                if !fits {
                    return self.refuse(format!("{value} does not fit {width} bits"));
                }
                let modulus = BigInt::from(1) << width;
                let wrapped = ((wide % &modulus) + &modulus) % &modulus;
                Ok(Expression::constant(width, wrapped.to_biguint().unwrap_or_default()))
            }
            None => {
                match self.range(&integer)? {
                    Some((low, high)) if low < 0 || BigInt::from(high).bits() > width as u64 => {
                        return self.refuse(format!("a number from {low} to {high} does not fit {width} bits"));
                    }
                    _ => {}
                }
                if !integer.is_modular() {
                    return Err(Failure::NeedsUnrolling);
                }
                Ok(Expression::new(width, Kind::Integer(integer)))
            }
        }
    }

    fn signed(&self, inner: &Tree, wanted: Option<usize>) -> Result<Expression, Failure> {
        let operand = match self.shape(inner)? {
            Some(shape) => self.expression(inner, Some(shape.width))?,
            None => self.expression(inner, wanted)?,
        };
        match wanted {
            // `signed_bit_cast` keeps the number, so that its sign fills the new bits.
            Some(wanted) if operand.signed && wanted > operand.width => {
                Ok(Expression::new(wanted, Kind::SignExtend(Box::new(operand))).with_sign(true))
            }
            Some(wanted) if operand.signed && wanted < operand.width => {
                Ok(fold::resize(operand, wanted).with_sign(true))
            }
            None if operand.signed => {
                self.refuse("the syntax tree does not hold the width of a signed_bit_cast: assign it to a signal")
            }
            _ => Ok(operand.with_sign(true)),
        }
    }

    fn unary(&self, operator: &VerilogOpUnary, inner: &Tree, wanted: Option<usize>) -> Result<Expression, Failure> {
        let reduction = match operator {
            VerilogOpUnary::All => Some(Reduction::All),
            VerilogOpUnary::Any => Some(Reduction::Any),
            VerilogOpUnary::Xor => Some(Reduction::Parity),
            VerilogOpUnary::Not | VerilogOpUnary::Neg => None,
        };
        if let Some(reduction) = reduction {
            let inner = self.known_width(inner)?;
            return Ok(Expression::new(1, Kind::Reduce(reduction, Box::new(inner))));
        }
        let inner = match self.width(inner)? {
            Some(width) => self.expression(inner, Some(width))?,
            None => self.expression(inner, wanted)?,
        };
        let (width, signed) = (inner.width, inner.signed);
        let kind = match operator {
            VerilogOpUnary::Neg => Kind::Negate(Box::new(inner)),
            _ => Kind::Not(Box::new(inner)),
        };
        Ok(fold::simplify(Expression::new(width, kind).with_sign(signed)))
    }

    fn binary(
        &self,
        left: &Tree,
        operator: &VerilogOp,
        right: &Tree,
        wanted: Option<usize>,
    ) -> Result<Expression, Failure> {
        let comparison = match operator {
            VerilogOp::Eq => Some(Comparison::Equal),
            VerilogOp::Ne => Some(Comparison::NotEqual),
            VerilogOp::Lt => Some(Comparison::Less),
            VerilogOp::Le => Some(Comparison::LessOrEqual),
            VerilogOp::Gt => Some(Comparison::Greater),
            VerilogOp::Ge => Some(Comparison::GreaterOrEqual),
            _ => None,
        };
        if let Some(comparison) = comparison {
            return self.compare(left, comparison, right);
        }
        let operator = match operator {
            VerilogOp::Shl => return self.shift(left, Direction::Left, right, wanted),
            VerilogOp::Shr => return self.shift(left, Direction::Right, right, wanted),
            VerilogOp::Mul => return self.multiply(left, right),
            VerilogOp::Add => Operator::Add,
            VerilogOp::Sub => Operator::Subtract,
            VerilogOp::BitAnd | VerilogOp::LogicalAnd => Operator::And,
            VerilogOp::BitOr | VerilogOp::LogicalOr => Operator::Or,
            _ => Operator::Xor,
        };
        let shapes = (self.width(left)?, self.width(right)?);
        let Some(width) = shapes.0.or(shapes.1).or(wanted) else {
            return self.refuse("nothing tells the width of a sum");
        };
        let left = self.expression(left, Some(width))?;
        // `bits + bool` adds a carry.
        let right = if operator == Operator::Add && shapes.1 == Some(1) && width > 1 {
            fold::resize(self.expression(right, Some(1))?, width)
        } else {
            self.expression(right, Some(width))?
        };
        let signed = left.signed || right.signed;
        let kind = Kind::Binary(Box::new(left), operator, Box::new(right));
        Ok(fold::simplify(Expression::new(width, kind).with_sign(signed)))
    }

    fn multiply(&self, left: &Tree, right: &Tree) -> Result<Expression, Failure> {
        let wide = |operand: Expression| Expression::new(32, Kind::SignExtend(Box::new(operand))).with_sign(true);
        let left = wide(self.expression(left, Some(16))?);
        let right = wide(self.expression(right, Some(16))?);
        let kind = Kind::Binary(Box::new(left), Operator::Multiply, Box::new(right));
        Ok(Expression::new(32, kind).with_sign(true))
    }

    fn shift(
        &self,
        left: &Tree,
        direction: Direction,
        right: &Tree,
        wanted: Option<usize>,
    ) -> Result<Expression, Failure> {
        let amount_shape = self.width(right)?;
        let width = match (self.width(left)?, amount_shape) {
            (Some(width), _) => width,
            // rust-hdl gives `literal << bits` the width of a literal.
            (None, Some(_)) => 64,
            (None, None) => match wanted {
                Some(width) => width,
                None => return self.refuse("nothing tells the width of a shift"),
            },
        };
        let left = self.expression(left, Some(width))?;
        let amount = match self.integer(right)? {
            Some(integer) => match integer.constant() {
                Some(amount) if amount >= 0 => {
                    return Ok(fold::shift_by(left, direction, usize::try_from(amount).unwrap_or(usize::MAX)));
                }
                Some(_) => return self.refuse("a shift by a negative number"),
                None => self.number(integer, 32)?,
            },
            None => self.known_width(right)?,
        };
        let signed = left.signed;
        Ok(Expression::new(width, Kind::Shift(Box::new(left), direction, Box::new(amount))).with_sign(signed))
    }

    fn compare(&self, left: &Tree, comparison: Comparison, right: &Tree) -> Result<Expression, Failure> {
        if let (Some(left), Some(right)) = (self.integer(left)?, self.integer(right)?) {
            let kind = match (left.constant(), right.constant()) {
                (Some(left), Some(right)) => Kind::Constant(BigUint::from(u8::from(comparison.holds(&left, &right)))),
                _ => Kind::CompareIntegers(left, comparison, right),
            };
            return Ok(Expression::new(1, kind));
        }
        let Some(width) = self.width(left)?.or(self.width(right)?) else {
            return self.refuse("nothing tells the width of a comparison");
        };
        let left = self.expression(left, Some(width))?;
        let right = self.expression(right, Some(width))?;
        let kind = Kind::Compare(Box::new(left), comparison, Box::new(right));
        Ok(fold::simplify(Expression::new(1, kind)))
    }

    /// `get_bits`, which reads zeros beyond the end, or a field of a struct.
    fn slice(&self, tree: &Tree, base: &Tree, width: usize, offset: &Tree) -> Result<Expression, Failure> {
        if let Some(field) = self.field(base, width, offset)? {
            return Ok(field);
        }
        let signed = self.shape(tree)?.is_some_and(|shape| shape.signed);
        let base = self.known_width(base)?;
        let Some(integer) = self.integer(offset)? else {
            let offset = self.run_time(offset)?;
            let shifted = Expression::new(base.width, Kind::Shift(Box::new(base), Direction::Right, Box::new(offset)));
            return Ok(fold::resize(shifted, width).with_sign(signed));
        };
        let Some((low, high)) = self.range(&integer)? else {
            return Ok(Expression::constant(width, BigUint::default()));
        };
        if low < 0 || high > base.width as i128 {
            return self.refuse(format!("get_bits from {low} to {high} of {} bits", base.width));
        }
        if high as usize + width <= base.width {
            return Ok(fold::part(base, Index::Fixed(integer), width).with_sign(signed));
        }
        let Some(start) = integer.constant() else {
            return Err(Failure::NeedsUnrolling);
        };
        let left = base.width - start as usize;
        if left == 0 {
            return Ok(Expression::constant(width, BigUint::default()));
        }
        Ok(fold::resize(fold::part(base, Index::Fixed(integer), left), width).with_sign(signed))
    }

    /// A field of a struct by its own name.
    fn field(&self, base: &Tree, width: usize, offset: &Tree) -> Result<Option<Expression>, Failure> {
        let mut inner = base;
        while let Tree::Paren(next) = inner {
            inner = next;
        }
        let Tree::Signal(name) = inner else { return Ok(None) };
        let Meaning::Signal(path) = self.meaning(name)? else { return Ok(None) };
        let start = self.integer(offset)?.and_then(|offset| offset.constant()).and_then(|offset| offset.to_usize());
        let Some(field) = start.and_then(|start| self.scope.field(path.signal, start, width)) else { return Ok(None) };
        let index = self.flatten(&path)?;
        let signed = self.scope.signals[field].is_signed();
        Ok(Some(Expression::new(width, Kind::Element(field, index)).with_sign(signed)))
    }

    /// An index chosen by a signal. Arithmetic is refused: the tree does not tell whether it was done in
    /// the width of the signals, before `.index()`, or in that of `usize`, after it.
    fn run_time(&self, tree: &Tree) -> Result<Expression, Failure> {
        let mut inner = tree;
        while let Tree::Paren(next) = inner {
            inner = next;
        }
        if matches!(inner, Tree::Binary(..) | Tree::Unary(..)) {
            return self.refuse("arithmetic in an index is ambiguous: give the index a signal of its own");
        }
        self.known_width(inner)
    }

    fn bit_index(&self, tree: &Tree, width: usize) -> Result<Index, Failure> {
        match self.integer(tree)? {
            Some(integer) => {
                self.within(&integer, width)?;
                Ok(Index::Fixed(integer))
            }
            None => Ok(self.dynamic(self.run_time(tree)?, width)),
        }
    }
}

/// True for `true` and `false`; numbers are never one bit wide in the tree.
pub(crate) fn is_bool(literal: &VerilogLiteral) -> bool {
    literal.to_string().starts_with("1'")
}

fn comment_text(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = line.replace('`', "");
    // A comment that begins with one of these words is an instruction to a tool.
    let is_order = |word: &&str| line.to_lowercase().starts_with(*word);
    if ["verilator", "synopsys", "synthesis", "pragma"].iter().any(is_order) { format!("Note: {line}") } else { line }
}
