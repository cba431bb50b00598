//! Text that can be broken on purpose, but for the bits of comparisons, reductions and masks: what a mutant changes stands in
//! the text beside what it should be, and nothing is written twice that can hold other mutants.

use std::collections::BTreeSet;

use super::super::expression::{
    Comparison, Expression, Index, Integer, Kind, Operator, Reduction, SignalId, Statement, Target,
};
use super::super::sites::{Fault, Sites};
use super::super::statements::targets;
use super::{Printer, integer, sign};

impl Printer<'_> {
    fn sites(&self) -> Option<&Sites> {
        self.scope.sites.as_ref()
    }

    /// What the piece of logic being written may read in the place of `signal`: what is most easily taken for it, of the same size and with
    /// the most words in common.
    fn other(&self, signal: SignalId) -> Option<SignalId> {
        let sites = self.sites()?;
        let size = |id: SignalId| {
            let signal = &self.scope.signals[id];
            (signal.width, signal.length(), signal.is_signed())
        };
        let words = |id: SignalId| self.scope.signals[id].verilog.split('_').collect::<BTreeSet<_>>();
        if sites.is_describing() || !(self.scope.is_data(signal) || sites.is_driven(signal)) {
            return None;
        }
        let (own_size, own_words) = (size(signal), words(signal));
        let around = sites.around();
        let same = around.iter().copied().filter(|other| *other != signal && size(*other) == own_size);
        // Of several the first.
        same.rev().max_by_key(|other| words(*other).intersection(&own_words).count())
    }

    /// The register of a new site of `width` mutants for a part of the statement that is being written.
    fn site(&self, fault: Fault, width: usize, part: impl FnOnce() -> String) -> Option<String> {
        let sites = self.sites()?;
        sites.add(fault, width, || match sites.context() {
            context if context.is_empty() => part(),
            context => format!("{} in {context}", part()),
        })
    }

    /// A text without sites.
    fn described(&self, text: impl FnOnce() -> String) -> String {
        self.sites().map_or_else(String::new, |sites| sites.describe(text))
    }

    /// What is written until the next call is part of a statement that begins like this.
    pub(crate) fn within(&self, text: impl FnOnce() -> String) {
        if let Some(sites) = self.sites() {
            sites.within(text);
        }
    }

    /// A value that is known: one more, one less, or its highest bit the other way round; a bit has nothing but its inverse.
    pub(super) fn constant(&self, value: &Expression, text: String) -> String {
        let width = value.width;
        let Some(site) = self.site(Fault::Constant, if width == 1 { 1 } else { 3 }, || text.clone()) else {
            return text;
        };
        let zeros = width - 1;
        match width {
            1 => format!("({text} ^ {site})"),
            _ => format!(
                "((({text} + {{{zeros}'d0, {site}[0]}}) - {{{zeros}'d0, {site}[1]}}) ^ {{{site}[2], {zeros}'d0}})"
            ),
        }
    }

    /// A "not" that may be missing.
    pub(super) fn not(&self, value: &Expression, text: String) -> String {
        match self.site(Fault::Operator, 1, || self.expression(value)) {
            Some(site) => format!("({text} ^ {})", repeated(&site, value.width)),
            None => text,
        }
    }

    /// The reduction of an operand of `width` bits that goes by `operand`, which may be an "all" for an "any" and the other way round.
    pub(super) fn reduction(
        &self,
        value: &Expression,
        reduction: Reduction,
        width: usize,
        operand: &str,
    ) -> Option<String> {
        let sign = match reduction {
            Reduction::All => "&",
            Reduction::Any => "|",
            Reduction::Parity => return None,
        };
        let site = self.site(Fault::Operator, 1, || self.expression(value))?;
        // Not all of the inverse is any.
        Some(format!("({sign}({operand} ^ {}) ^ {site})", repeated(&site, width)))
    }

    /// Two operands, each in parentheses where it needs them: "or" for "and", "minus" for "plus", and the other way round, and the
    /// inverse of an exclusive "or".
    pub(super) fn operation(&self, value: &Expression, operator: Operator, left: &str, right: &str) -> Option<String> {
        if operator == Operator::Multiply {
            return None;
        }
        let site = self.site(Fault::Operator, 1, || self.expression(value))?;
        let other = repeated(&site, value.width);
        Some(match operator {
            // Neither of the inverses is both.
            Operator::And => format!("((({left} ^ {other}) & ({right} ^ {other})) ^ {other})"),
            Operator::Or => format!("((({left} ^ {other}) | ({right} ^ {other})) ^ {other})"),
            Operator::Xor => format!("({left} ^ {right} ^ {other})"),
            // All ones are minus one, and the inverse of a number is what is missing to minus one.
            Operator::Add => format!("({left} + ({right} ^ {other}) - {other})"),
            Operator::Subtract | Operator::Multiply => format!("({left} - ({right} ^ {other}) + {other})"),
        })
    }

    /// A comparison of two sides: "different" for "equal", "less" for "less or equal", and the other way round.
    pub(super) fn comparison(
        &self,
        value: &Expression,
        comparison: Comparison,
        signed: bool,
        sides: [&str; 2],
    ) -> Option<String> {
        let site = self.site(Fault::Operator, 1, || self.expression(value))?;
        let [left, right] = sides;
        let sign = sign(comparison);
        // A lowest bit more decides between those that are equal.
        let (left_bit, right_bit) = match comparison {
            Comparison::Equal | Comparison::NotEqual => return Some(format!("(({left} {sign} {right}) ^ {site})")),
            Comparison::Less | Comparison::GreaterOrEqual => ("1'b0", site.as_str()),
            Comparison::Greater | Comparison::LessOrEqual => (site.as_str(), "1'b0"),
        };
        let side = |text: &str, bit: &str| match signed {
            true => format!("$signed({{{text}, {bit}}})"),
            false => format!("{{{text}, {bit}}}"),
        };
        Some(format!("({} {sign} {})", side(left, left_bit), side(right, right_bit)))
    }

    /// By how many bits `value` shifts: `amount`, one more or one less.
    pub(super) fn shifted(&self, value: &Expression, amount: String) -> String {
        match self.site(Fault::Shift, 2, || self.expression(value)) {
            Some(site) => format!("(32'd0 + {amount} + {{31'd0, {site}[0]}} - {{31'd0, {site}[1]}})"),
            None => amount,
        }
    }

    /// A condition that goes by `text`: always true, never true, or the other way round.
    pub(super) fn condition(&self, text: String, place: impl FnOnce() -> String) -> String {
        let fault = if self.is_clocked() { Fault::Enable } else { Fault::Condition };
        match self.sites().and_then(|sites| sites.add(fault, 3, place)) {
            Some(site) => format!("((({text}) | {site}[0]) & !{site}[1]) ^ {site}[2]"),
            None => text,
        }
    }

    /// What is read of the signal `signal` by the name `name`: `text`, which begins with it. Another signal may be read in its place.
    pub(super) fn wrong_signal(&self, signal: SignalId, name: &str, text: String) -> String {
        let Some((other, rest)) = self.other(signal).zip(text.strip_prefix(name)) else {
            return text;
        };
        let [other_name, own_name] = [other, signal].map(|id| &self.scope.signals[id].verilog);
        match self.site(Fault::Signal, 1, || format!("{other_name} for {own_name}")) {
            Some(site) => format!("({site} ? {}{rest} : {text})", self.read(other)),
            None => text,
        }
    }

    /// What is read of `width` bits, `text`, of an element of a signal from `offset` on: those beside them may be read.
    pub(super) fn wrong_slice(
        &self,
        signal: SignalId,
        element: &Index,
        offset: &Index,
        width: usize,
        text: String,
    ) -> String {
        let whole = self.scope.signals[signal].width;
        let (Index::Fixed(_), Index::Fixed(offset)) = (element, offset) else { return text };
        let Some(offset) = offset.constant().filter(|_| width < whole) else { return text };
        let other = if offset + width as i128 == whole as i128 { offset - 1 } else { offset + 1 };
        let part = |offset: i128| {
            let offset = Index::Fixed(Integer::Literal(offset));
            self.place(&self.read(signal), signal, Some(element), Some(&offset), width)
        };
        match self.site(Fault::Slice, 1, || format!("{} for {}", part(other), part(offset))) {
            Some(site) => format!("({site} ? {} : {text})", part(other)),
            None => text,
        }
    }

    /// An assignment's line, which may not happen where its target keeps a value without it.
    pub(super) fn assignment(&self, target: &Target, line: String) -> String {
        let Some(sites) = self.sites() else { return line };
        let keeps = self.is_clocked() || sites.is_assigned(target.signal);
        match keeps.then(|| sites.add(Fault::Dropped, 1, || sites.context())).flatten() {
            Some(site) => format!("if (!{site}) {line}"),
            None => line,
        }
    }

    /// The line that loads a register with a signal of its own, which may not happen.
    pub(crate) fn load(&self, line: String) -> String {
        match self.sites().and_then(|sites| sites.add(Fault::Dropped, 1, || line.clone())) {
            Some(site) => format!("if (!{site}) {line}"),
            None => line,
        }
    }

    /// The test of an "if" of the statements `then`, with what follows if it does not hold.
    pub(super) fn test(&self, test: &Expression, then: &[Statement], otherwise: &[Statement]) -> String {
        let place = || format!("if ({}) of {}", self.expression(test), self.targets([then, otherwise]));
        self.within(place);
        let text = self.condition(self.expression(test), place);
        match otherwise {
            [Statement::If(next, next_then, _)] if !next_then.is_empty() => self.priority(test, next, otherwise, text),
            _ => text,
        }
    }

    /// The condition of an arm of a "case" of `test`, whose pattern is a constant.
    pub(super) fn arm(&self, test: &Expression, pattern: &Expression, body: &[Statement]) -> String {
        self.within(|| format!("case ({}) of {}", self.expression(test), self.targets([body])));
        let text = format!("{} == {}", self.operand(test), self.operand(pattern));
        self.condition(text, || {
            format!("{} of case ({}) of {}", self.literal_operand(pattern), self.expression(test), self.targets([body]))
        })
    }

    /// The test `text` of an "if" before an "else if", which may be asked for `next` first.
    fn priority(&self, test: &Expression, next: &Expression, otherwise: &[Statement], text: String) -> String {
        let place = || {
            let tests = [test, next].map(|test| self.expression(test));
            format!("if ({}) of {}", tests.join(") before else if ("), self.targets([otherwise]))
        };
        match self.sites().and_then(|sites| sites.add(Fault::Priority, 1, place)) {
            Some(site) => format!("({text}) & !({site} & ({}))", self.described(|| self.expression(next))),
            None => text,
        }
    }

    /// Behind the second of two "if"s that assign the same: the first of them may have the last word.
    pub(super) fn last_word(&self, first: &Statement, second: &Statement, depth: usize, lines: &mut Vec<String>) {
        let (Statement::If(first_test, ..), Statement::If(second_test, ..)) = (first, second) else { return };
        let targets = |statement| targets(std::slice::from_ref(statement));
        let shared: Vec<_> = targets(first).intersection(&targets(second)).copied().collect();
        if shared.is_empty() {
            return;
        }
        let place = || {
            let tests = [first_test, second_test].map(|test| self.expression(test));
            format!("if ({}) of {}", tests.join(") before if ("), self.names(shared))
        };
        let Some(site) = self.sites().and_then(|sites| sites.add(Fault::Priority, 1, place)) else { return };
        let space = "    ".repeat(depth);
        lines.push(format!("{space}if ({site}) begin"));
        self.without_sites(std::slice::from_ref(first), depth + 1, lines);
        lines.push(format!("{space}end"));
    }

    /// What an input of `width` bits is connected to, with its lowest or highest bit the other way round.
    pub(crate) fn connected(&self, place: impl FnOnce() -> String, width: usize, source: String) -> String {
        match self.sites().and_then(|sites| sites.add(Fault::Connection, width.min(2), place)) {
            Some(site) if width <= 2 => format!("({source}) ^ {site}"),
            Some(site) => format!("({source}) ^ {{{site}[1], {}'d0, {site}[0]}}", width - 2),
            None => source,
        }
    }

    /// The names of the signals that some statements assign.
    fn targets<const LISTS: usize>(&self, lists: [&[Statement]; LISTS]) -> String {
        self.names(lists.into_iter().flat_map(targets).collect::<BTreeSet<_>>())
    }

    fn names(&self, signals: impl IntoIterator<Item = SignalId>) -> String {
        let names: Vec<_> = signals.into_iter().map(|id| self.scope.signals[id].verilog.as_str()).collect();
        names.join(", ")
    }

    /// The head of a loop, and the loop the other way round in front of it if its rounds hang on each other; whether it stands there.
    pub(super) fn reversed(&self, statement: &Statement, depth: usize, lines: &mut Vec<String>) -> bool {
        let Statement::For { variable, from, to, body } = statement else { return false };
        if !is_shared_by_rounds(body, variable) {
            return false;
        }
        let place = || format!("for ({variable} = {from}; {variable} < {to}; ...) of {}", self.targets([body]));
        let Some(site) = self.sites().and_then(|sites| sites.add(Fault::Priority, 1, place)) else { return false };
        let space = "    ".repeat(depth);
        lines.push(format!("{space}if ({site}) begin"));
        lines.push(format!(
            "{space}    for ({variable} = {}; {variable} >= {from}; {variable} = {variable} - 1) begin",
            to - 1
        ));
        self.without_sites(body, depth + 2, lines);
        lines.push(format!("{space}    end"));
        lines.push(format!("{space}end else begin"));
        true
    }

    fn without_sites(&self, statements: &[Statement], depth: usize, lines: &mut Vec<String>) {
        if let Some(sites) = self.sites() {
            sites.describe(|| self.statements(statements, depth, lines));
        }
    }
}

/// A bit, as often as `width` says.
fn repeated(bit: &str, width: usize) -> String {
    if width == 1 { bit.to_string() } else { format!("{{{width}{{{bit}}}}}") }
}

/// Whether two rounds of a loop assign the same place: its number does not hang on `variable`.
fn is_shared_by_rounds(body: &[Statement], variable: &str) -> bool {
    let hangs = |index: &Index| match index {
        Index::Fixed(number) => integer(&number.bind(variable, 0)) != integer(number),
        Index::Dynamic(value) => {
            let mut found = false;
            value.walk(&mut |inner| {
                let number = match &inner.kind {
                    Kind::Integer(number) => Some(number),
                    Kind::Element(_, Index::Fixed(number)) | Kind::Part(_, Index::Fixed(number)) => Some(number),
                    _ => None,
                };
                found |= number.is_some_and(|number| number.bind(variable, 0) != *number);
            });
            found
        }
    };
    body.iter().any(|statement| match statement {
        Statement::Assign(target, value) => {
            let is_own = target.index.iter().chain(target.part.iter().map(|(offset, _)| offset)).any(hangs);
            !is_own && !is_replaced_bit(value, &hangs)
        }
        Statement::If(_, then, otherwise) => {
            is_shared_by_rounds(then, variable) || is_shared_by_rounds(otherwise, variable)
        }
        Statement::Case(_, arms) => arms.iter().any(|(_, body)| is_shared_by_rounds(body, variable)),
        Statement::For { body, .. } => is_shared_by_rounds(body, variable),
        Statement::Comment(_) => false,
    })
}

/// The value is another one with a bit replaced that has its own place in every round.
fn is_replaced_bit(value: &Expression, hangs: &dyn Fn(&Index) -> bool) -> bool {
    matches!(&value.kind, Kind::ReplaceBit(_, at, _) if hangs(at))
}
