//! Verilog text of expressions and statements. Every operand is printed at exactly its own width.

use num_bigint::BigUint;
use num_traits::ToPrimitive;

use super::expression::{
    Comparison, Direction, Expression, Index, Integer, IntegerOperator, Kind, Operator, Reduction, SignalId, Statement,
    Target, index_width,
};
use super::fold::has_parts;
use super::scope::Scope;
use super::sites::{Fault, seen};

mod faults;

/// Lines are broken at this column where that is easy.
pub(crate) const COLUMNS: usize = 120;

/// How far the statements of a process that follows its inputs are indented.
pub(crate) const PROCESS_DEPTH: usize = 2;

pub(crate) struct Printer<'a> {
    scope: &'a Scope,
    /// Between the two sides of an assignment in a process.
    becomes: &'static str,
}

/// A sized literal: decimal while that is easy to read, then hexadecimal.
pub(crate) fn literal(value: &BigUint, width: usize) -> String {
    if width == 1 {
        format!("1'b{value}")
    } else if value.to_u32().is_some_and(|value| value < 64) {
        format!("{width}'d{value}")
    } else {
        format!("{width}'h{value:x}")
    }
}

/// A comment in lines of at most [`COLUMNS`] letters, each behind `prefix`.
pub(crate) fn wrapped(prefix: &str, text: &str, lines: &mut Vec<String>) {
    let mut line = prefix.trim_end().to_string();
    for word in text.split_whitespace() {
        if line.len() + 1 + word.len() > COLUMNS {
            lines.push(std::mem::replace(&mut line, prefix.trim_end().to_string()));
        }
        line.push(' ');
        line.push_str(word);
    }
    lines.push(line);
}

/// A line of code in lines of at most [`COLUMNS`] letters where it has a space to break at.
pub(crate) fn broken(line: String) -> Vec<String> {
    let indent = line.len() - line.trim_start().len();
    let code = line.split("//").next().unwrap_or_default();
    if line.len() <= COLUMNS || code.len() < line.len() {
        return vec![line];
    }
    // The outermost space that still fits; of several, the last.
    let mut depth = 0;
    let mut best: Option<(i32, usize)> = None;
    for (place, letter) in line.char_indices().skip(indent).take_while(|(place, _)| *place <= COLUMNS) {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            // A number of letters in, so that every line has more than a word.
            ' ' if place > COLUMNS / 2 && best.is_none_or(|(lowest, _)| depth <= lowest) => best = Some((depth, place)),
            _ => {}
        }
    }
    let Some((_, place)) = best else {
        return vec![line];
    };
    let (head, tail) = line.split_at(place);
    let inner = if indent.is_multiple_of(4) { indent + 2 } else { indent };
    let mut lines = vec![head.to_string()];
    lines.extend(broken(format!("{}{}", " ".repeat(inner), tail.trim_start())));
    lines
}

/// `[7:0] `, or nothing for one bit.
pub(crate) fn range(width: usize) -> String {
    if width == 1 { String::new() } else { format!("[{}:0] ", width - 1) }
}

pub(crate) fn integer(value: &Integer) -> String {
    match value {
        Integer::Literal(number) => number.to_string(),
        Integer::Variable(name) => name.clone(),
        Integer::Binary(left, operator, right) => {
            let sign = match operator {
                IntegerOperator::Add => "+",
                IntegerOperator::Subtract => "-",
                IntegerOperator::Multiply => "*",
                IntegerOperator::Divide => "/",
                IntegerOperator::Remainder => "%",
            };
            format!("{} {sign} {}", integer_operand(left), integer_operand(right))
        }
    }
}

fn integer_operand(value: &Integer) -> String {
    match value {
        Integer::Binary(..) => format!("({})", integer(value)),
        Integer::Literal(number) if *number < 0 => format!("({number})"),
        _ => integer(value),
    }
}

/// A loop number as a value of `width` bits, computed modulo two to that power.
fn modular(value: &Integer, width: usize, is_operand: bool) -> String {
    match value {
        Integer::Literal(number) => {
            let modulus = num_bigint::BigInt::from(1) << width;
            let wrapped = ((num_bigint::BigInt::from(*number) % &modulus) + &modulus) % &modulus;
            literal(&wrapped.to_biguint().unwrap_or_default(), width)
        }
        Integer::Variable(name) if width == 1 => format!("{name}[0]"),
        Integer::Variable(name) if width < 32 => format!("{name}[{}:0]", width - 1),
        Integer::Variable(name) if width == 32 => name.clone(),
        Integer::Variable(name) => format!("{{{}, {name}}}", literal(&BigUint::default(), width - 32)),
        Integer::Binary(left, operator, right) => {
            let sign = match operator {
                IntegerOperator::Subtract => "-",
                IntegerOperator::Multiply => "*",
                _ => "+",
            };
            let text = format!("{} {sign} {}", modular(left, width, true), modular(right, width, true));
            if is_operand { format!("({text})") } else { text }
        }
    }
}

impl<'a> Printer<'a> {
    /// For logic whose values follow its inputs.
    pub(crate) fn combinational(scope: &'a Scope) -> Self {
        Self { scope, becomes: "=" }
    }

    /// For statements at the edge of a clock.
    pub(crate) fn clocked(scope: &'a Scope) -> Self {
        Self { scope, becomes: "<=" }
    }

    fn is_clocked(&self) -> bool {
        self.becomes == "<="
    }

    /// Whether the text that is being written has sites.
    fn is_breaking(&self) -> bool {
        self.scope.sites.as_ref().is_some_and(|sites| !sites.is_describing())
    }

    /// The text of a constant.
    fn literal_operand(&self, value: &Expression) -> String {
        match &value.kind {
            Kind::Named(name, _) => name.clone(),
            _ => literal(&value.known().cloned().unwrap_or_default(), value.width),
        }
    }

    /// A name, a part of it or another text that needs no parentheses.
    fn operand(&self, value: &Expression) -> String {
        let text = self.expression(value);
        match &value.kind {
            Kind::Negate(_)
            | Kind::Reduce(..)
            | Kind::Binary(..)
            | Kind::Shift(..)
            | Kind::Compare(..)
            | Kind::CompareIntegers(..)
            | Kind::Choice(..)
            | Kind::Integer(Integer::Binary(..)) => format!("({text})"),
            Kind::ReplaceBit(..) if !text.starts_with('{') => format!("({text})"),
            _ => text,
        }
    }

    /// What may stand behind a unary operator: Verilog wants a primary there, so `|~a` is not legal.
    fn primary(&self, value: &Expression) -> String {
        match &value.kind {
            Kind::Not(_) => format!("({})", self.expression(value)),
            _ => self.operand(value),
        }
    }

    pub(crate) fn expression(&self, value: &Expression) -> String {
        match &value.kind {
            Kind::Constant(number) => self.constant(value, literal(number, value.width)),
            Kind::Named(name, _) => self.constant(value, name.clone()),
            Kind::Element(signal, index) => {
                let name = self.read(*signal);
                let text = self.place(&name, *signal, Some(index), None, value.width);
                self.wrong_signal(*signal, &name, text)
            }
            Kind::Vector(signal) => {
                let name = self.read(*signal);
                self.wrong_signal(*signal, &name, name.clone())
            }
            Kind::Integer(number) => modular(number, value.width, false),
            Kind::Part(base, offset) => match &base.kind {
                Kind::Element(signal, index) => {
                    let name = self.read(*signal);
                    let text = self.place(&name, *signal, Some(index), Some(offset), value.width);
                    let text = self.wrong_signal(*signal, &name, text);
                    self.wrong_slice(*signal, index, offset, value.width, text)
                }
                // Hoisting leaves parts of elements only.
                _ => unreachable!("a part of an expression that has no name"),
            },
            Kind::Resize(base) => {
                let zeros = literal(&BigUint::default(), value.width - base.width);
                format!("{{{zeros}, {}}}", self.expression(base))
            }
            Kind::SignExtend(base) => {
                let count = value.width - base.width;
                let sign = self.bits(base, base.width - 1, 1);
                let signs = if count == 1 { sign } else { format!("{{{count}{{{sign}}}}}") };
                format!("{{{signs}, {}}}", self.expression(base))
            }
            Kind::Not(base) => {
                let text = format!("{}{}", if value.width == 1 { "!" } else { "~" }, self.primary(base));
                self.not(value, text)
            }
            Kind::Negate(base) => format!("-{}", self.primary(base)),
            Kind::Reduce(reduction, base) => {
                let sign = match reduction {
                    Reduction::All => "&",
                    Reduction::Any => "|",
                    Reduction::Parity => "^",
                };
                let operand = match self.ignored(Fault::Reduce, base.width, value) {
                    Some(bits) if *reduction == Reduction::All => format!("({} | {bits})", self.operand(base)),
                    Some(bits) => format!("({} & ~{bits})", self.operand(base)),
                    None => self.primary(base),
                };
                let broken = self.reduction(value, *reduction, base.width, &operand);
                broken.unwrap_or_else(|| format!("{sign}{operand}"))
            }
            Kind::Binary(left, operator, right) => self.binary(value, left, *operator, right),
            Kind::Shift(base, direction, amount) => {
                let sign = if *direction == Direction::Left { "<<" } else { ">>" };
                let amount = match &amount.kind {
                    Kind::Constant(number) => number.to_string(),
                    Kind::Integer(Integer::Variable(name)) => name.clone(),
                    _ => self.operand(amount),
                };
                let amount = self.shifted(value, amount);
                format!("{} {sign} {amount}", self.operand(base))
            }
            Kind::Compare(left, comparison, right) => self.compare(value, left, *comparison, right),
            Kind::CompareIntegers(left, comparison, right) => {
                format!("{} {} {}", integer_operand(left), sign(*comparison), integer_operand(right))
            }
            Kind::ReplaceBit(base, index, bit) => self.replace_bit(value.width, base, index, bit),
            Kind::Choice(test, then, otherwise) => {
                let test = match self.is_breaking() {
                    true => format!("({})", self.condition(self.expression(test), || self.expression(value))),
                    false => self.operand(test),
                };
                format!("{test} ? {} : {}", self.operand(then), self.operand(otherwise))
            }
            Kind::Concatenation(items) => {
                let items: Vec<_> = items.iter().map(|item| self.expression(item)).collect();
                format!("{{{}}}", items.join(", "))
            }
        }
    }

    /// The same; a choice between more than two values, or one that takes more than `room` letters, in a line for each value.
    pub(crate) fn values(&self, value: &Expression, room: usize) -> Vec<String> {
        let has_more = matches!(&value.kind, Kind::Choice(_, _, rest) if matches!(rest.kind, Kind::Choice(..)));
        if !has_more {
            let line = self.expression(value);
            if line.len() <= room || self.scope.sites.is_some() {
                return vec![line];
            }
        }
        let mut lines = vec![];
        let mut rest = value;
        while let Kind::Choice(test, then, otherwise) = &rest.kind {
            lines.push(format!("{} ? {} :", self.operand(test), self.operand(then)));
            rest = otherwise;
        }
        lines.push(self.expression(rest));
        lines
    }

    fn binary(&self, whole: &Expression, left: &Expression, operator: Operator, right: &Expression) -> String {
        let sign = match operator {
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::And => "&",
            Operator::Or => "|",
            Operator::Xor => "^",
        };
        if whole.width > 1 && self.scope.sites.is_some() && matches!(operator, Operator::And | Operator::Or) {
            let [left, right] = [left, right].map(|side| self.masked(whole, side, operator));
            let broken = self.operation(whole, operator, &left, &right);
            return broken.unwrap_or_else(|| format!("{left} {sign} {right}"));
        }
        if self.is_breaking() {
            let (left, right) = (self.operand(left), self.operand(right));
            let broken = self.operation(whole, operator, &left, &right);
            return broken.unwrap_or_else(|| format!("{left} {sign} {right}"));
        }
        // A chain of one associative operator reads better without parentheses.
        let chain =
            operator != Operator::Subtract && matches!(&left.kind, Kind::Binary(_, inner, _) if *inner == operator);
        let left = if chain { self.expression(left) } else { self.operand(left) };
        format!("{left} {sign} {}", self.operand(right))
    }

    /// The register of a new site at `whole`, where the text can be broken on purpose.
    fn ignored(&self, fault: Fault, width: usize, whole: &Expression) -> Option<String> {
        self.scope.sites.as_ref()?.add(fault, width, || self.expression(whole))
    }

    /// One side of the bitwise operation `whole`, of which one bit may be left out if it is a mask: either side of an "and",
    /// and a constant, of which the bit is inverted. An "or" of signals brings data together and masks nothing.
    fn masked(&self, whole: &Expression, side: &Expression, operator: Operator) -> String {
        let is_constant = side.known().is_some();
        // The bits of a constant are broken here, and nowhere else.
        let text = if is_constant { self.literal_operand(side) } else { self.operand(side) };
        if operator == Operator::Or && !is_constant {
            return text;
        }
        let place = || format!("{} in {}", self.operand(side), self.expression(whole));
        let bits = self.scope.sites.as_ref().and_then(|sites| sites.add(Fault::Mask, whole.width, place));
        match bits {
            Some(bits) if is_constant => format!("({text} ^ {bits})"),
            Some(bits) => format!("({text} | {bits})"),
            None => text,
        }
    }

    /// The name under which a signal is read.
    pub(crate) fn read(&self, signal: SignalId) -> String {
        let name = &self.scope.signals[signal].verilog;
        match &self.scope.sites {
            Some(sites) if sites.is_mask(signal) => seen(name),
            _ => name.clone(),
        }
    }

    fn compare(&self, whole: &Expression, left: &Expression, comparison: Comparison, right: &Expression) -> String {
        let ordered = !matches!(comparison, Comparison::Equal | Comparison::NotEqual);
        if let Some(bits) = self.ignored(Fault::Compare, left.width, whole) {
            let signed = ordered && (left.signed || right.signed);
            let [left, right] = [left, right].map(|side| format!("({} & ~{bits})", self.operand(side)));
            if let Some(text) = self.comparison(whole, comparison, signed, [&left, &right]) {
                return text;
            }
        }
        let (left, right) = if ordered && (left.signed || right.signed) {
            (format!("$signed({})", self.expression(left)), format!("$signed({})", self.expression(right)))
        } else {
            (self.operand(left), self.operand(right))
        };
        format!("{left} {} {right}", sign(comparison))
    }

    fn replace_bit(&self, width: usize, base: &Expression, index: &Index, bit: &Expression) -> String {
        let fixed = match index {
            Index::Fixed(place) => place.constant().and_then(|place| usize::try_from(place).ok()),
            Index::Dynamic(_) => None,
        };
        if let (Some(place), true) = (fixed, has_parts(base)) {
            let mut pieces = vec![];
            if place + 1 < width {
                pieces.push(self.bits(base, place + 1, width - place - 1));
            }
            pieces.push(self.expression(bit));
            if place > 0 {
                pieces.push(self.bits(base, 0, place));
            }
            return format!("{{{}}}", pieces.join(", "));
        }
        let place = match index {
            Index::Fixed(place) => integer_operand(place),
            Index::Dynamic(place) => self.operand(place),
        };
        let one = literal(&BigUint::from(1_u8), width);
        let zeros = literal(&BigUint::default(), width - 1);
        let base = self.operand(base);
        format!("({base} & ~({one} << {place})) | ({{{zeros}, {}}} << {place})", self.expression(bit))
    }

    /// Some bits of a value that has parts.
    fn bits(&self, base: &Expression, start: usize, width: usize) -> String {
        let index = Index::Fixed(Integer::Literal(start as i128));
        self.expression(&super::fold::part(base.clone(), index, width))
    }

    pub(crate) fn target(&self, target: &Target) -> String {
        match &target.index {
            None => self.scope.signals[target.signal].verilog.clone(),
            index => {
                let signal = &self.scope.signals[target.signal];
                let width = target.part.as_ref().map_or(signal.width, |(_, width)| *width);
                let offset = target.part.as_ref().map(|(offset, _)| offset);
                self.place(&signal.verilog, target.signal, index.as_ref(), offset, width)
            }
        }
    }

    /// `width` bits at `offset` of one element of a signal that goes by `name`.
    fn place(&self, name: &str, id: SignalId, element: Option<&Index>, offset: Option<&Index>, width: usize) -> String {
        let signal = &self.scope.signals[id];
        let zero = Index::Fixed(Integer::Literal(0));
        let (element, offset) = (element.unwrap_or(&zero), offset.unwrap_or(&zero));
        if width == signal.total() {
            return name.to_string();
        }
        let scale = Integer::Literal(signal.width as i128);
        match (element, offset) {
            (Index::Fixed(element), Index::Fixed(offset)) => {
                let start = Integer::binary(element.clone(), IntegerOperator::Multiply, scale);
                let start = Integer::binary(start, IntegerOperator::Add, offset.clone());
                match (start.constant(), width) {
                    (_, 1) => format!("{name}[{}]", integer(&start)),
                    (Some(start), _) => format!("{name}[{}:{start}]", start + width as i128 - 1),
                    (None, _) => format!("{name}[{} +: {width}]", integer(&start)),
                }
            }
            (Index::Fixed(element), Index::Dynamic(offset)) => {
                let start = element.constant().unwrap_or_default() as usize * signal.width;
                let bits = index_width(signal.total());
                let start = if start == 0 && bits == offset.width {
                    self.expression(offset)
                } else {
                    let wide = super::fold::resize(offset.as_ref().clone(), bits);
                    let start = literal(&BigUint::from(start), bits);
                    format!("{start} + {}", self.operand(&wide))
                };
                self.select(name, &start, width)
            }
            (Index::Dynamic(element), offset) => {
                let offset = match offset {
                    Index::Fixed(offset) => offset.constant().unwrap_or_default() as usize,
                    // Hoisting leaves no run-time offset in an element chosen at run time.
                    Index::Dynamic(_) => unreachable!("two run-time indices in one place"),
                };
                let start = self.scaled(element, signal.width, offset, signal.total());
                self.select(name, &start, width)
            }
        }
    }

    fn select(&self, name: &str, start: &str, width: usize) -> String {
        if width == 1 { format!("{name}[{start}]") } else { format!("{name}[{start} +: {width}]") }
    }

    /// First bit of an element chosen at run time, in as many bits as the vector's index needs.
    fn scaled(&self, element: &Expression, scale: usize, offset: usize, total: usize) -> String {
        if scale == 1 {
            return self.expression(element);
        }
        if scale.is_power_of_two() {
            let low = literal(&BigUint::from(offset), scale.trailing_zeros() as usize);
            return format!("{{{}, {low}}}", self.expression(element));
        }
        let bits = index_width(total);
        let wide = super::fold::resize(element.clone(), bits);
        let product = format!("{} * {}", self.operand(&wide), literal(&BigUint::from(scale), bits));
        if offset == 0 { product } else { format!("({product}) + {}", literal(&BigUint::from(offset), bits)) }
    }

    fn assigned(&self, target: &Target, value: &Expression) -> String {
        format!("{} {} {};", self.target(target), self.becomes, self.expression(value))
    }

    /// The lines of some statements, indented by `depth` levels.
    pub(crate) fn statements(&self, statements: &[Statement], depth: usize, lines: &mut Vec<String>) {
        let space = "    ".repeat(depth);
        let mut before: Option<&Statement> = None;
        for statement in statements {
            match statement {
                Statement::Assign(target, value) => {
                    let line = || self.assigned(target, value);
                    self.within(line);
                    lines.push(format!("{space}{}", self.assignment(target, line())));
                    if let Some(sites) = self.scope.sites.as_ref().filter(|_| depth == PROCESS_DEPTH)
                        && self.target(target) == self.scope.signals[target.signal].verilog
                    {
                        sites.assign(target.signal);
                    }
                }
                Statement::If(test, then, otherwise) => {
                    self.conditional(test, then, otherwise, depth, lines);
                    if let Some(before) = before {
                        self.last_word(before, statement, depth, lines);
                    }
                }
                Statement::Case(test, arms) => {
                    // An arm that can be broken has a condition of its own.
                    let is_broken = self.is_breaking();
                    let chosen = if is_broken { "1'b1".to_string() } else { self.expression(test) };
                    lines.push(format!("{space}case ({chosen})"));
                    for (number, (pattern, body)) in arms.iter().enumerate() {
                        let arm = |pattern: &Expression| match is_broken {
                            true => self.arm(test, pattern, body),
                            false => self.expression(pattern),
                        };
                        let is_last = number + 1 == arms.len();
                        let pattern = pattern.as_ref().map(|pattern| match is_last {
                            true => self.literal_operand(pattern),
                            false => arm(pattern),
                        });
                        let (label, note) = match pattern {
                            Some(pattern) if number + 1 < arms.len() => (pattern, String::new()),
                            Some(pattern) => ("default".to_string(), format!("  // {pattern}")),
                            None => ("default".to_string(), String::new()),
                        };
                        match body.as_slice() {
                            [] => lines.push(format!("{space}    {label}: ;{note}")),
                            _ => {
                                lines.push(format!("{space}    {label}: begin{note}"));
                                self.statements(body, depth + 2, lines);
                                lines.push(format!("{space}    end"));
                            }
                        }
                    }
                    lines.push(format!("{space}endcase"));
                }
                Statement::For { variable, from, to, body } => {
                    let is_reversible = self.reversed(statement, depth, lines);
                    lines.push(format!(
                        "{space}for ({variable} = {from}; {variable} < {to}; {variable} = {variable} + 1) begin"
                    ));
                    self.statements(body, depth + 1, lines);
                    lines.push(format!("{space}end"));
                    if is_reversible {
                        lines.push(format!("{space}end"));
                    }
                }
                Statement::Comment(text) => wrapped(&format!("{space}// "), text, lines),
            }
            if !matches!(statement, Statement::Comment(_)) {
                before = Some(statement);
            }
        }
    }

    fn conditional(
        &self,
        test: &Expression,
        then: &[Statement],
        otherwise: &[Statement],
        depth: usize,
        lines: &mut Vec<String>,
    ) {
        let space = "    ".repeat(depth);
        if then.is_empty() {
            let inverse = super::fold::simplify(Expression::new(1, Kind::Not(Box::new(test.clone()))));
            return self.conditional(&inverse, otherwise, &[], depth, lines);
        }
        let test = self.test(test, then, otherwise);
        if let ([Statement::Assign(target, value)], [], None) = (then, otherwise, &self.scope.sites) {
            let line = format!("{space}if ({test}) {}", self.assigned(target, value));
            if line.len() <= COLUMNS {
                lines.push(line);
                return;
            }
        }
        lines.push(format!("{space}if ({test}) begin"));
        self.statements(then, depth + 1, lines);
        let mut rest = otherwise;
        loop {
            match rest {
                [] => break,
                [Statement::If(test, then, otherwise)] if !then.is_empty() => {
                    lines.push(format!("{space}end else if ({}) begin", self.test(test, then, otherwise)));
                    self.statements(then, depth + 1, lines);
                    rest = otherwise;
                }
                rest => {
                    lines.push(format!("{space}end else begin"));
                    self.statements(rest, depth + 1, lines);
                    break;
                }
            }
        }
        lines.push(format!("{space}end"));
    }
}

fn sign(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Equal => "==",
        Comparison::NotEqual => "!=",
        Comparison::Less => "<",
        Comparison::LessOrEqual => "<=",
        Comparison::Greater => ">",
        Comparison::GreaterOrEqual => ">=",
    }
}
