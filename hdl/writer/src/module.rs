//! Puts one module together: ports, names, logic, sub-blocks, registers.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigUint;
use num_traits::Zero;

use super::Refusal;
use super::assignment::{self, Assignments};
use super::connections::{Connection, Connections};
use super::contracts::{self, Apart};
use super::expression::{Expression, Index, Integer, Iteration, Kind, SignalId, Statement, Target, mask};
use super::fields;
use super::hoist::Hoister;
use super::logic::{Logic, all_bits, array_of, elements, is_whole};
use super::mutation;
use super::names::{self, Taken};
use super::ports::{self, Direction, Port, comment_after};
use super::print::{COLUMNS, PROCESS_DEPTH, Printer, literal, range, wrapped};
use super::registers::{self, Domain, Register};
use super::scope::{Child, ChildKind, Role, Scope, Signal};
use super::sites::{Fault, Site, Sites, seen};
use super::split::{self, Piece};
use super::statements::{each_of_assignment, each_of_statements, targets};

/// Stands for the final name of another module, which is not known yet.
pub(crate) fn placeholder(number: usize) -> String {
    format!("<module {number}>")
}

/// A module as it is written.
pub(crate) struct Written {
    /// The text after the word `module` and its name.
    pub(crate) text: String,
    pub(crate) ports: Vec<Port>,
    /// The places at which it can be broken.
    pub(crate) sites: Vec<Site>,
}

/// What the text of a module is made of: the unit's part, and that of its contracts.
#[derive(Default)]
struct Part {
    pieces: Vec<Piece>,
    connections: Connections,
    domains: Vec<Domain>,
    /// The comments that begin the paragraphs of the kernel.
    sections: Vec<String>,
    is_contracts: bool,
}

pub(crate) struct Module {
    scope: Scope,
    taken: Taken,
    /// What counts the elements of arrays of sub-blocks.
    genvar: Option<String>,
    /// The kernel's comments, each with the signals that the statements behind it assign; the outermost ones first.
    comments: Vec<(String, BTreeSet<SignalId>)>,
    /// The comments that stand in the text already.
    said: BTreeSet<String>,
    /// Signals that are declared where they are assigned.
    declared: BTreeSet<SignalId>,
}

impl Module {
    pub(crate) fn new(scope: Scope) -> Self {
        let mut taken = Taken::default();
        let is_named = |signal: &&Signal| signal.field_of.is_none() && !matches!(signal.role, Role::ChildInput(_));
        for signal in scope.signals.iter().filter(is_named) {
            taken.insert(&signal.verilog);
        }
        for child in &scope.children {
            taken.insert(&child.name);
        }
        for (name, ..) in scope.variants.values() {
            taken.insert(name);
        }
        Self {
            scope,
            taken,
            genvar: None,
            comments: vec![],
            said: BTreeSet::from([String::new()]),
            declared: BTreeSet::new(),
        }
    }

    /// Puts it together; `statements` are its kernel.
    pub(crate) fn write(mut self, mut statements: Vec<Statement>) -> Result<Written, Refusal> {
        contracts::check(&self.scope)?;
        self.comments = comments(&statements);
        self.wire_resets(&mut statements)?;
        let statements = fields::split(&mut self.scope, statements)?;
        let statements = self.name_constants(statements)?;
        let found = assignment::check(&self.scope, &statements)?;
        let Apart { unit, contracts } = contracts::apart(&self.scope, statements, &found)?;
        let mut unit_part = self.part(&unit, &found, false)?;
        // A unit that is broken on purpose is looked at from outside only.
        let (contracts, mut contracts_part) = match self.scope.sites {
            Some(_) => (vec![], Part { is_contracts: true, ..Part::default() }),
            None => {
                let part = self.part(&contracts, &found, true)?;
                (contracts, part)
            }
        };
        fields::name(&mut self.scope, &mut self.taken, &[unit, contracts].concat())?;
        let mut hoister = Hoister::new(&mut self.scope, &mut self.taken);
        for part in [&mut unit_part, &mut contracts_part] {
            part.pieces = std::mem::take(&mut part.pieces).into_iter().flat_map(|piece| hoister.piece(piece)).collect();
        }
        self.declared = [&unit_part, &contracts_part].into_iter().flat_map(|part| self.declarable(part)).collect();
        let ports = self.ports(&unit_part.pieces);
        let text = self.text(&ports, &unit_part, &contracts_part);
        Ok(Written { text, ports, sites: self.scope.sites.take().map_or_else(Vec::new, Sites::into_found) })
    }

    /// Pieces of logic, connections and registers of some statements.
    fn part(&mut self, statements: &[Statement], found: &Assignments, is_contracts: bool) -> Result<Part, Refusal> {
        let logic = split::split(&self.scope, statements, found);
        let read_back = self.read_signals(&logic);
        let mut connections = Connections::new();
        let mut pieces = vec![];
        for piece in logic {
            match self.connection(&piece.logic, &read_back) {
                Some((signal, connection)) => {
                    connections.insert(signal, connection);
                }
                None => pieces.push(piece),
            }
        }
        let scope = &self.scope;
        let is_here = |id: SignalId| contracts::is_part(scope, id) == is_contracts;
        let mut domains = registers::domains(scope, statements, &mut pieces, &read_back, &connections, &is_here)?;
        self.name_inputs(&pieces)?;
        let last = pieces.iter().map(|piece| piece.section).max().unwrap_or_default() + 1;
        for (number, domain) in domains.iter_mut().enumerate() {
            let logic = Logic::Clocked(std::mem::take(&mut domain.loads));
            pieces.push(Piece { section: last + number, headings: vec![], logic });
        }
        Ok(Part { pieces, connections, domains, sections: split::sections(statements), is_contracts })
    }

    /// A register or block whose reset no statement assigns takes the block's own; `dff_setup!` and `clock!` rely on it.
    fn wire_resets(&self, statements: &mut Vec<Statement>) -> Result<(), Refusal> {
        let assigned = targets(statements);
        for child in &self.scope.children {
            let Ok(reset) = self.scope.port(child, "reset") else { continue };
            if assigned.contains(&reset) {
                continue;
            }
            let own = self.scope.by_key.get("reset").filter(|id| self.scope.signals[**id].role == Role::Input);
            let Some(own) = own else {
                return Err(self.scope.refusal(&child.name, "the block has no input `reset` for it"));
            };
            let zero = Index::Fixed(Integer::Literal(0));
            for place in 0..self.scope.signals[reset].length() {
                let index = Some(Index::Fixed(Integer::Literal(place as i128)));
                let target = Target { signal: reset, index, part: None };
                statements.push(Statement::Assign(target, Expression::new(1, Kind::Element(*own, zero.clone()))));
            }
        }
        Ok(())
    }

    /// Claims the names of constants; one that stands for values of several widths has a name for each.
    fn name_constants(&mut self, statements: Vec<Statement>) -> Result<Vec<Statement>, Refusal> {
        let mut widths: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
        each_of_statements(&statements, &mut |value| {
            value.walk(&mut |inner| {
                if let Kind::Named(name, _) = &inner.kind {
                    widths.entry(name.clone()).or_default().insert(inner.width);
                }
            });
        });
        let is_written = |name: &String| !self.taken.contains(name);
        let constants: Vec<_> = widths.keys().filter(|name| is_written(name)).cloned().collect();
        let is_clash = |name: &&String| self.scope.constants.contains_key(*name) && !constants.contains(name);
        if let Some(name) = widths.keys().find(is_clash) {
            return Err(self.scope.refusal(name, "a constant and a signal would have this name in Verilog"));
        }
        for name in &constants {
            self.scope.named(&mut self.taken, name.clone(), name)?;
        }
        let mut rename = |inner: Expression| match &inner.kind {
            Kind::Named(name, value) if widths.get(name).is_some_and(|widths| widths.first() != Some(&inner.width)) => {
                let name = format!("{name}_AS_{}_BITS", inner.width);
                Expression { kind: Kind::Named(name, value.clone()), ..inner }
            }
            _ => inner,
        };
        Ok(statements.into_iter().map(|statement| statement.map(&mut rename)).collect())
    }

    /// Claims the names of inputs of sub-blocks that logic drives.
    fn name_inputs(&mut self, pieces: &[Piece]) -> Result<(), Refusal> {
        for id in pieces.iter().flat_map(|piece| driven(&piece.logic)) {
            let Role::ChildInput(child) = self.scope.signals[id].role else { continue };
            let child = &self.scope.children[child];
            let port = child.ports.iter().find(|(signal, _)| *signal == id).map_or("", |(_, port)| port);
            let written = format!("{}.{port}", child.name);
            self.scope.named(&mut self.taken, self.scope.signals[id].verilog.clone(), &written)?;
        }
        Ok(())
    }

    /// Signals that any logic reads.
    fn read_signals(&self, logic: &[Piece]) -> BTreeSet<SignalId> {
        let mut found = BTreeSet::new();
        for piece in logic {
            each_expression(&piece.logic, &mut |value| {
                found.extend(signals_of(value));
            });
        }
        self.with_structs(found)
    }

    /// The sub-block input that the logic drives and nothing else, if it can stand at the port itself.
    fn connection(&self, piece: &Logic, read_back: &BTreeSet<SignalId>) -> Option<(SignalId, Connection)> {
        let targets = driven(piece);
        let signal = *targets.first()?;
        let declared = &self.scope.signals[signal];
        let Role::ChildInput(child) = declared.role else {
            return None;
        };
        if targets.len() > 1 || read_back.contains(&signal) {
            return None;
        }
        let is_register = matches!(self.scope.children[child].kind, ChildKind::Register(_));
        let is_control = self.scope.children[child]
            .ports
            .iter()
            .any(|(id, port)| *id == signal && (port == "clock" || port == "reset"));
        if is_register && !is_control {
            return None;
        }
        let elements = elements(&self.scope, piece, signal)?;
        let first = elements.first()?.clone();
        let plain = |value: &Expression| match &value.kind {
            Kind::Element(source, Index::Fixed(_)) => self.scope.signals[*source].width == value.width,
            Kind::Constant(_) | Kind::Named(..) => true,
            _ => false,
        };
        if !elements.iter().all(plain) {
            return None;
        }
        if elements.iter().all(|value| *value == first) {
            return Some((signal, Connection::Uniform(first)));
        }
        let source = array_of(&self.scope, &elements)?;
        let length = self.scope.signals[source].length();
        let is_same = length == elements.len() || length * self.scope.children[child].length() == elements.len();
        is_same.then_some((signal, Connection::Identity(source)))
    }

    fn text(&mut self, ports: &[Port], unit: &Part, contracts: &Part) -> String {
        let mut lines = vec![];
        let mut body = vec![];
        if let Some(sites) = &self.scope.sites {
            sites.watch(self.masks(&unit.pieces));
        }
        self.body(unit, &mut body);
        self.unread(unit, &BTreeSet::new(), &mut body);
        let first = self.scope.sites.as_ref().map(|_| mutation::PORT.to_string());
        ports::list(first, ports, &mut lines);
        self.constants(unit, None, &mut lines);
        self.declarations(unit, &mut lines);
        let read = self.read_everywhere(unit);
        self.fields(&read, &mut lines);
        self.mutations(&mut lines);
        lines.extend(body);
        if !contracts.pieces.is_empty() {
            self.contracts(unit, contracts, &mut lines);
        }
        lines.push("endmodule".to_string());
        let lines: Vec<_> = lines.into_iter().flat_map(super::print::broken).collect();
        lines.join("\n")
    }

    /// The part that only a simulator with the macro sees, which declares what it needs beside the unit's.
    fn contracts(&mut self, unit: &Part, contracts: &Part, lines: &mut Vec<String>) {
        let known = self.read_everywhere(unit);
        let read: BTreeSet<_> = self.read_everywhere(contracts).difference(&known).copied().collect();
        lines.push(String::new());
        lines.push(format!("`ifdef {}  // What this module relies on, or promises.", contracts::MACRO));
        self.constants(contracts, Some(unit), lines);
        self.declarations(contracts, lines);
        self.fields(&read, lines);
        self.body(contracts, lines);
        self.unread(contracts, &known, lines);
        let begun = self.taken.claim("contracts_begun");
        contracts::process(&self.scope, &begun, lines);
        lines.push("`endif".to_string());
    }

    /// Signals that the text reads.
    fn read_everywhere(&self, part: &Part) -> BTreeSet<SignalId> {
        let mut found = self.read_signals(&part.pieces);
        for connection in part.connections.values() {
            match connection {
                Connection::Uniform(value) => value.walk(&mut |inner| {
                    if let Kind::Element(signal, _) | Kind::Vector(signal) = &inner.kind {
                        found.insert(*signal);
                    }
                }),
                Connection::Identity(source) => {
                    found.insert(*source);
                }
            }
        }
        self.with_structs(found)
    }

    /// The signals, and the structs of which they are fields.
    fn with_structs(&self, mut signals: BTreeSet<SignalId>) -> BTreeSet<SignalId> {
        for id in (0..self.scope.signals.len()).rev() {
            let signal = &self.scope.signals[id];
            if let (true, Role::Field, Some((whole, _))) = (signals.contains(&id), signal.role, signal.field_of) {
                signals.insert(whole);
            }
        }
        signals
    }

    /// Wires that name the fields of structs, of those that are in `read`.
    fn fields(&self, read: &BTreeSet<SignalId>, lines: &mut Vec<String>) {
        for whole in self.scope.signals.iter().filter(|signal| !signal.fields.is_empty()) {
            let is_wire = |id: &&SignalId| self.scope.signals[**id].role == Role::Field && read.contains(*id);
            let fields: Vec<_> = whole.fields.iter().filter(is_wire).map(|id| &self.scope.signals[*id]).collect();
            if fields.is_empty() {
                continue;
            }
            lines.push(String::new());
            lines.push(format!("    // Fields of {} ({}).", whole.verilog, whole.type_name));
            let kind = |field: &Signal| format!("    wire {}", sign_and_range(field));
            let widest = fields.iter().map(|field| kind(field).len()).max().unwrap_or_default();
            let longest = fields.iter().map(|field| field.verilog.len()).max().unwrap_or_default();
            for field in fields {
                let bits = |element: usize| {
                    let start = element * whole.width + field.offset();
                    match field.width {
                        1 => format!("{}[{start}]", whole.verilog),
                        width => format!("{}[{}:{start}]", whole.verilog, start + width - 1),
                    }
                };
                let value = if whole.total() == field.width {
                    whole.verilog.clone()
                } else if field.length() == 1 {
                    bits(0)
                } else {
                    let elements: Vec<_> = (0..field.length()).rev().map(bits).collect();
                    format!("{{{}}}", elements.join(", "))
                };
                let declaration = format!("{:widest$}{:longest$} = {value};", kind(field), field.verilog);
                comment_after(&declaration, &note(field), lines);
            }
        }
    }

    /// Combinational logic, sub-blocks and registers, in this order.
    fn body(&mut self, part: &Part, lines: &mut Vec<String>) {
        let Part { pieces, connections, domains, sections, is_contracts } = part;
        let mut before: Option<&Piece> = None;
        for piece in pieces.iter().filter(|piece| !matches!(piece.logic, Logic::Clocked(_))) {
            self.begin_piece(part, Some(&piece.logic));
            // The paragraph's comment comes first, unless others stand in front of it.
            let section = sections.get(piece.section).filter(|text| !piece.headings.contains(text));
            let headings: Vec<_> = section.into_iter().chain(&piece.headings).cloned().collect();
            let headings: Vec<_> = headings.into_iter().filter(|text| self.said.insert(text.clone())).collect();
            let is_run = |piece: &Piece| matches!(piece.logic, Logic::Continuous(_));
            let continues = |before: &Piece| before.section == piece.section && is_run(before) && is_run(piece);
            if !headings.is_empty() || !before.is_some_and(continues) {
                lines.push(String::new());
            }
            headings.iter().for_each(|text| wrapped("    // ", text, lines));
            self.logic(&piece.logic, lines);
            before = Some(piece);
        }
        self.begin_piece(part, None);
        if !is_contracts {
            let children = std::mem::take(&mut self.scope.children);
            for child in children.iter().filter(|child| !matches!(child.kind, ChildKind::Register(_))) {
                self.instances(child, connections, lines);
            }
            self.scope.children = children;
        }
        let clocked = pieces.iter().filter_map(|piece| match &piece.logic {
            Logic::Clocked(statements) => Some(statements),
            _ => None,
        });
        let subject = if *is_contracts { "contract_register" } else { "register" };
        for (domain, loads) in domains.iter().zip(clocked) {
            self.registers(domain, loads, subject, lines);
        }
    }

    /// Signals that one assignment drives and nothing reads before it. What is broken on purpose stands for itself.
    fn declarable(&self, part: &Part) -> BTreeSet<SignalId> {
        let mut found = BTreeSet::new();
        if self.scope.sites.is_some() {
            return found;
        }
        let is_wire = |id: &SignalId| matches!(self.scope.signals[*id].role, Role::Local | Role::ChildInput(_));
        // The fields of a struct have their names in front of everything else.
        let read = self.read_everywhere(part);
        let has_named_fields = |id: &SignalId| self.scope.signals[*id].fields.iter().any(|field| read.contains(field));
        let mut known = BTreeSet::new();
        for piece in &part.pieces {
            if let Logic::Continuous(assignments) = &piece.logic {
                for (target, value) in assignments {
                    known.extend(signals_of(value));
                    let id = target.signal;
                    let is_free = is_wire(&id) && !has_named_fields(&id) && !known.contains(&id);
                    if is_whole(&self.scope, target) && is_free {
                        found.insert(id);
                    }
                }
            }
            known.extend(self.read_signals(std::slice::from_ref(piece)));
        }
        found
    }

    /// What follows is the text of `logic`, or of what is no logic: the sub-blocks, and the registers' loads.
    fn begin_piece(&self, part: &Part, logic: Option<&Logic>) {
        let Some(sites) = &self.scope.sites else { return };
        // What hangs on something else than registers could close a loop, but for what is read here anyway.
        let mut around = self.read_everywhere(part);
        around.retain(|id| self.scope.is_register(*id));
        let mut driven_here = BTreeSet::new();
        if let Some(logic) = logic {
            let mut read = BTreeSet::new();
            each_expression(logic, &mut |value| read.extend(signals_of(value)));
            driven_here = driven(logic);
            around.extend(read.difference(&driven_here));
        }
        let around = around.difference(&driven_here).copied().filter(|id| self.scope.is_data(*id)).collect();
        sites.begin_piece(driven_here, around);
    }

    /// The ports, outputs that an `always` block assigns as registers.
    fn ports(&self, pieces: &[Piece]) -> Vec<Port> {
        let procedural = procedural_signals(pieces);
        let port = |(id, signal): (SignalId, &Signal)| {
            let direction = match signal.role {
                Role::Input => Direction::Input,
                Role::Output if procedural.contains(&id) => Direction::Register,
                Role::Output => Direction::Output,
                _ => return None,
            };
            Some(Port {
                name: signal.verilog.clone(),
                direction,
                width: signal.total(),
                range: sign_and_range(signal),
                heading: signal.heading.clone(),
                note: note(signal),
            })
        };
        self.scope.signals.iter().enumerate().filter_map(port).collect()
    }

    /// Signals of which single bits are read in a loop, and strobes: each where it comes from, so that none counts twice.
    fn masks(&self, pieces: &[Piece]) -> BTreeSet<SignalId> {
        let mut found: BTreeSet<_> =
            (0..self.scope.signals.len()).filter(|id| self.scope.signals[*id].verilog.contains("strobe")).collect();
        for piece in pieces {
            each_expression(&piece.logic, &mut |value| {
                value.walk(&mut |inner| {
                    let at = match &inner.kind {
                        Kind::Part(base, at) => match &base.kind {
                            Kind::Element(signal, _) => Some((*signal, at)),
                            _ => None,
                        },
                        Kind::Element(signal, at) => Some((*signal, at)),
                        _ => None,
                    };
                    if let (1, Some((signal, Index::Fixed(at)))) = (inner.width, at)
                        && at.constant().is_none()
                    {
                        found.insert(signal);
                    }
                });
            });
        }
        let is_source = |id: &SignalId| match self.scope.signals[*id].role {
            Role::Local | Role::ChildOutput(_) | Role::Field => true,
            Role::Input => !self.scope.path.contains('.'),
            Role::Output | Role::Constant | Role::ChildInput(_) => false,
        };
        found.retain(is_source);
        found
    }

    /// The registers that choose a mutant, and the other names of the masks.
    fn mutations(&self, lines: &mut Vec<String>) {
        let Some(sites) = &self.scope.sites else { return };
        let mut views = vec![];
        for id in sites.masks() {
            let signal = &self.scope.signals[id];
            let name = &signal.verilog;
            let bits = |fault| sites.add(fault, signal.total(), || name.clone()).unwrap_or_default();
            let (cleared, set) = (bits(Fault::Cleared), bits(Fault::Set));
            views.push(format!("    wire {}{} = ({name} & ~{cleared}) | {set};", range(signal.total()), seen(name)));
        }
        lines.push(mutation::DECLARATIONS.to_string());
        lines.extend(views);
    }

    /// The enum variants and constants that a part uses by their names.
    fn used_constants(&self, part: &Part) -> BTreeMap<String, (usize, BigUint)> {
        let mut used: BTreeMap<String, (usize, BigUint)> = BTreeMap::new();
        let mut look = |value: &Expression| {
            value.walk(&mut |inner| {
                if let Kind::Named(name, number) = &inner.kind {
                    used.insert(name.clone(), (inner.width, number.clone()));
                }
            });
        };
        for piece in &part.pieces {
            each_expression(&piece.logic, &mut look);
        }
        for connection in part.connections.values() {
            if let Connection::Uniform(value) = connection {
                look(value);
            }
        }
        used
    }

    /// Their names, but for those that stand in the text of the part `before`.
    fn constants(&self, part: &Part, before: Option<&Part>, lines: &mut Vec<String>) {
        let known = before.map(|before| self.used_constants(before)).unwrap_or_default();
        let used = self.used_constants(part).into_iter();
        let mut sorted: Vec<_> = used.filter(|(name, _)| !known.contains_key(name)).collect();
        sorted.sort_by_key(|(name, (_, number))| (self.family(name), number.clone()));
        for (name, (width, number)) in sorted {
            let of_signal = self.scope.signals.iter().find(|signal| signal.verilog == name).map(note);
            let comment = of_signal.or_else(|| self.scope.constants.get(&name).cloned()).unwrap_or_default();
            let declaration = format!("    localparam {}{name} = {};", range(width), literal(&number, width));
            comment_after(&declaration, &comment, lines);
        }
    }

    /// Sorts the variants of one enum, or constants with the same first word, together.
    fn family(&self, name: &str) -> String {
        self.scope
            .variants
            .iter()
            .find(|(_, (verilog, ..))| verilog == name)
            .and_then(|(spelled, _)| spelled.split('$').next())
            .or_else(|| name.split('_').next())
            .unwrap_or_default()
            .to_string()
    }

    fn declarations(&self, part: &Part, lines: &mut Vec<String>) {
        let Part { pieces, connections, is_contracts, .. } = part;
        let procedural = procedural_signals(pieces);
        let driven: BTreeSet<_> = pieces.iter().flat_map(|piece| driven(&piece.logic)).collect();
        let mut declarations = vec![];
        let declared_here = self.scope.signals.iter().enumerate().filter(|(id, _)| !self.declared.contains(id));
        for (id, signal) in declared_here {
            let is_state = match signal.role {
                Role::Local if driven.contains(&id) => false,
                Role::ChildInput(_) | Role::ChildOutput(_) if contracts::is_part(&self.scope, id) != *is_contracts => {
                    continue;
                }
                Role::ChildInput(child) if !connections.contains_key(&id) => {
                    // A register that is loaded by statements has no signal for its next value.
                    if matches!(self.scope.children[child].kind, ChildKind::Register(_)) && !driven.contains(&id) {
                        continue;
                    }
                    false
                }
                Role::ChildOutput(child) => matches!(self.scope.children[child].kind, ChildKind::Register(_)),
                _ => continue,
            };
            let kind = if is_state || procedural.contains(&id) { "reg " } else { "wire" };
            let comment = match signal.role {
                Role::ChildOutput(child) if is_state => self.scope.children[child].comment.clone().unwrap_or_default(),
                Role::Local => note(signal),
                _ => String::new(),
            };
            declarations.push((format!("    {kind} {}", sign_and_range(signal)), &signal.verilog, comment));
        }
        let widest = declarations.iter().map(|(kind, ..)| kind.len()).max().unwrap_or_default();
        for (kind, name, comment) in &declarations {
            comment_after(&format!("{kind:widest$}{name};"), comment, lines);
        }
    }

    fn logic(&mut self, logic: &Logic, lines: &mut Vec<String>) {
        match logic {
            Logic::Continuous(assignments) => {
                let printer = Printer::combinational(&self.scope);
                for (target, value) in assignments {
                    printer.within(|| format!("assign {} = {};", printer.target(target), printer.expression(value)));
                    let signal = &self.scope.signals[target.signal];
                    let is_declared = self.declared.contains(&target.signal);
                    let kind =
                        if is_declared { format!("wire {}", sign_and_range(signal)) } else { "assign ".to_string() };
                    let comment = if is_declared && signal.role == Role::Local { note(signal) } else { String::new() };
                    let first = format!("    {kind}{} =", printer.target(target));
                    let values = printer.values(value, COLUMNS.saturating_sub(first.len() + 2));
                    match values.as_slice() {
                        [value] => comment_after(&format!("{first} {value};"), &comment, lines),
                        values => {
                            if !comment.is_empty() {
                                wrapped("    // ", &comment, lines);
                            }
                            lines.push(first);
                            lines.extend(values.iter().map(|value| format!("        {value}")));
                            if let Some(last) = lines.last_mut() {
                                last.push(';');
                            }
                        }
                    }
                }
            }
            Logic::Procedural(members, statements) => {
                let statements = self.unsaid(statements);
                let first = members.first().map_or("", |id| self.scope.signals[*id].verilog.as_str()).to_string();
                self.process("@(*)", &first, &statements, lines);
                // A loop that a condition skips would leave its variable as it was: a latch to yosys.
                let skipped = conditional_loop_variables(&statements);
                if !skipped.is_empty() {
                    let cleared: Vec<_> = skipped.iter().map(|variable| format!("{variable} = 0;")).collect();
                    lines.push(format!("        {}", cleared.join(" ")));
                }
                Printer::combinational(&self.scope).statements(&statements, PROCESS_DEPTH, lines);
                lines.push("    end".to_string());
            }
            Logic::Clocked(_) => {}
        }
    }

    /// The first lines of an `always` with these statements, which is about `subject`.
    fn process(&mut self, event: &str, subject: &str, statements: &[Statement], lines: &mut Vec<String>) {
        let variables = loop_variables(statements);
        if variables.is_empty() {
            lines.push(format!("    always {event} begin"));
        } else {
            let label = self.taken.claim(&format!("{subject}_logic"));
            lines.push(format!("    always {event} begin : {label}"));
            lines.push(format!("        integer {};", Vec::from_iter(variables).join(", ")));
        }
    }

    /// The statements without the comments that stand in the text already.
    fn unsaid(&mut self, statements: &[Statement]) -> Vec<Statement> {
        let mut result = vec![];
        for statement in statements {
            result.push(match statement {
                Statement::Comment(text) if !self.said.insert(text.clone()) => continue,
                Statement::If(test, then, otherwise) => {
                    Statement::If(test.clone(), self.unsaid(then), self.unsaid(otherwise))
                }
                Statement::Case(test, arms) => {
                    let arms = arms.iter().map(|(pattern, body)| (pattern.clone(), self.unsaid(body)));
                    Statement::Case(test.clone(), arms.collect())
                }
                Statement::For { variable, from, to, body } => {
                    Statement::For { variable: variable.clone(), from: *from, to: *to, body: self.unsaid(body) }
                }
                other => other.clone(),
            });
        }
        result
    }

    fn instances(&mut self, child: &Child, connections: &Connections, lines: &mut Vec<String>) {
        let numbers = match &child.kind {
            ChildKind::Module(numbers) => numbers.clone(),
            ChildKind::Memory(number, _) => vec![*number; child.length().max(1)],
            ChildKind::Register(_) => return,
        };
        lines.push(String::new());
        let is_about = |targets: &BTreeSet<SignalId>| child.ports.iter().any(|(id, _)| targets.contains(id));
        for (text, _) in self.comments.iter().filter(|(_, targets)| is_about(targets)) {
            if self.said.insert(text.clone()) {
                wrapped("    // ", text, lines);
            }
        }
        if let Some(comment) = &child.comment {
            wrapped("    // ", comment, lines);
        }
        if child.dimensions.is_empty() {
            let name = child.name.clone();
            self.instance("    ", numbers[0], &name, child, None, connections, lines);
            return;
        }
        if numbers.iter().all(|number| *number == numbers[0]) {
            let index = match &self.genvar {
                Some(index) => index.clone(),
                None => {
                    let free = ["index", "element", "copy"].into_iter().find(|name| self.taken.is_free(name));
                    let index = self.taken.claim(free.unwrap_or("index"));
                    lines.push(format!("    genvar {index};"));
                    self.genvar.insert(index).clone()
                }
            };
            let length = child.length();
            lines.push("    generate".to_string());
            lines.push(format!(
                "        for ({index} = 0; {index} < {length}; {index} = {index} + 1) begin : {}",
                child.name
            ));
            let place = Integer::Variable(index);
            self.instance("            ", numbers[0], "unit", child, Some(&place), connections, lines);
            lines.push("        end".to_string());
            lines.push("    endgenerate".to_string());
            return;
        }
        for (place, number) in numbers.iter().enumerate() {
            let name = self.taken.claim(&format!("{}_{place}", child.name));
            let place = Integer::Literal(place as i128);
            self.instance("    ", *number, &name, child, Some(&place), connections, lines);
        }
    }

    #[expect(clippy::too_many_arguments, reason = "all of them describe the one instance")]
    fn instance(
        &self,
        space: &str,
        number: usize,
        name: &str,
        child: &Child,
        place: Option<&Integer>,
        connections: &Connections,
        lines: &mut Vec<String>,
    ) {
        let printer = Printer::combinational(&self.scope);
        let parameters = match &child.kind {
            ChildKind::Memory(_, parameters) => format!(" {parameters}"),
            _ => String::new(),
        };
        lines.push(format!("{space}{}{parameters} {name} (", placeholder(number)));
        let mut sources = vec![];
        for (signal, port) in &child.ports {
            let pin = names::pin(port);
            printer.within(|| format!("{name}.{pin}"));
            let source = match connections.get(signal) {
                Some(Connection::Uniform(value)) if self.scope.signals[*signal].length() == child.length() => {
                    printer.expression(value)
                }
                Some(Connection::Uniform(value)) => {
                    let count = self.scope.signals[*signal].length() / child.length();
                    format!("{{{count}{{{}}}}}", printer.expression(value))
                }
                Some(Connection::Identity(source)) => {
                    let name = printer.read(*source);
                    let is_of_all = self.scope.signals[*source].length() == self.scope.signals[*signal].length();
                    if is_of_all { self.share(&name, *source, child, place) } else { name }
                }
                None => self.share(&self.scope.signals[*signal].verilog, *signal, child, place),
            };
            let input = &self.scope.signals[*signal];
            let source = match input.role {
                Role::ChildInput(_) if !matches!(pin, "clk" | "rst") => {
                    let width = input.total() / child.length();
                    printer.connected(|| format!("{}.{pin}", child.name), width, source)
                }
                _ => source,
            };
            sources.push((pin, source));
        }
        ports::connect(space, &sources, lines);
    }

    /// The part of a signal, which goes by `name`, that belongs to one element of an array of sub-blocks.
    fn share(&self, name: &str, signal: SignalId, child: &Child, place: Option<&Integer>) -> String {
        let declared = &self.scope.signals[signal];
        let Some(place) = place else {
            return name.to_string();
        };
        let width = declared.total() / child.length();
        if child.length() == 1 {
            return name.to_string();
        }
        let scale = Integer::Literal(width as i128);
        let start = Integer::binary(place.clone(), super::expression::IntegerOperator::Multiply, scale);
        let start_text = super::print::integer(&start);
        match (start.constant(), width) {
            (_, 1) => format!("{name}[{start_text}]"),
            (Some(start), _) => format!("{name}[{}:{start}]", start + width as i128 - 1),
            (None, _) => format!("{name}[{start_text} +: {width}]"),
        }
    }

    /// One clocked `always` for all registers with the same clock and reset.
    fn registers(&mut self, domain: &Domain, loads: &[Statement], subject: &str, lines: &mut Vec<String>) {
        let loads = self.unsaid(loads);
        lines.push(String::new());
        let clock = Printer::clocked(&self.scope).expression(&domain.clock);
        self.process(&format!("@(posedge {clock})"), subject, &loads, lines);
        let printer = Printer::clocked(&self.scope);
        lines.push(format!("        if ({}) begin", printer.expression(&domain.reset)));
        // Those that begin with 0 in one assignment: a line for each is most of a block with little to do.
        let (zero, other): (Vec<_>, Vec<_>) =
            domain.registers.iter().partition(|register| register.reset_value.is_zero());
        let zero: Vec<_> = zero.iter().map(|register| &self.scope.signals[register.q]).collect();
        if !zero.is_empty() {
            let names: Vec<_> = zero.iter().map(|q| q.verilog.as_str()).collect();
            let all = if let [only] = names[..] { only.to_string() } else { format!("{{{}}}", names.join(", ")) };
            let bits = zero.iter().map(|q| q.total()).sum();
            lines.push(format!("            {all} <= {};", literal(&BigUint::zero(), bits)));
        }
        for Register { q, reset_value, .. } in other {
            let q = &self.scope.signals[*q];
            let value = if q.length() == 1 {
                literal(&repeated(reset_value, q.width, q.length()), q.total())
            } else {
                format!("{{{}{{{}}}}}", q.length(), literal(reset_value, q.width))
            };
            lines.push(format!("            {} <= {value};", q.verilog));
        }
        let waiting: Vec<_> = domain.registers.iter().filter(|register| !register.is_loaded).collect();
        if !waiting.is_empty() || !loads.is_empty() {
            lines.push("        end else begin".to_string());
            for register in waiting {
                let (d, q) = (&self.scope.signals[register.d], &self.scope.signals[register.q]);
                let line = format!("{} <= {};", q.verilog, d.verilog);
                lines.push(format!("            {}", printer.load(line)));
            }
            printer.statements(&loads, 3, lines);
        }
        lines.push("        end".to_string());
        lines.push("    end".to_string());
    }

    /// A sink for the bits that nothing reads, so that a linter's "unused" means a mistake. The fields of structs that are in
    /// `known` are those of another part.
    fn unread(&mut self, part: &Part, known: &BTreeSet<SignalId>, lines: &mut Vec<String>) {
        let Part { pieces, connections, is_contracts, .. } = part;
        let mut used = vec![BigUint::zero(); self.scope.signals.len()];
        for piece in pieces {
            match &piece.logic {
                Logic::Continuous(assignments) => {
                    for (target, value) in assignments {
                        self.use_assignment(target, value, &vec![], &mut used);
                    }
                }
                Logic::Procedural(_, statements) | Logic::Clocked(statements) => {
                    self.use_statements(statements, &mut vec![], &mut used);
                }
            }
        }
        for connection in connections.values() {
            match connection {
                Connection::Uniform(value) => self.use_expression(value, &vec![], &mut used),
                Connection::Identity(source) => used[*source] = all_bits(&self.scope, *source),
            }
        }
        let named: BTreeSet<_> = self.read_everywhere(part).difference(known).copied().collect();
        for id in (0..used.len()).rev() {
            let field = &self.scope.signals[id];
            if let (Role::Field, true, Some((whole, offset))) = (field.role, named.contains(&id), field.field_of) {
                for element in 0..field.length() {
                    let place = element * self.scope.signals[whole].width + offset;
                    used[whole] |= mask(field.width) << place;
                }
            }
        }
        if *is_contracts {
            contracts::all(&self.scope).into_iter().for_each(|id| used[id] = all_bits(&self.scope, id));
        }
        let mut sunk = vec![];
        for (id, signal) in self.scope.signals.iter().enumerate() {
            let is_declared = match signal.role {
                Role::Input => !is_contracts,
                Role::Local => pieces.iter().any(|piece| driven(&piece.logic).contains(&id)),
                Role::ChildOutput(_) => contracts::is_part(&self.scope, id) == *is_contracts,
                Role::Field => named.contains(&id),
                Role::Output | Role::Constant | Role::ChildInput(_) => false,
            };
            let all = all_bits(&self.scope, id);
            // The bits of a struct have names, which what nothing reads shall not need.
            if is_declared && !signal.fields.is_empty() && used[id] != all {
                sunk.push(signal.verilog.clone());
            } else if is_declared {
                sunk.extend(runs(&(&all ^ (&all & &used[id]))).into_iter().map(|(start, width)| {
                    if width == signal.total() {
                        signal.verilog.clone()
                    } else if width == 1 {
                        format!("{}[{start}]", signal.verilog)
                    } else {
                        format!("{}[{}:{start}]", signal.verilog, start + width - 1)
                    }
                }));
            }
        }
        if sunk.is_empty() {
            return;
        }
        let name = self.taken.claim(if *is_contracts { "contracts_unused" } else { "unused" });
        lines.push(String::new());
        lines.push("    // Bits that nothing reads.".to_string());
        let whole = format!("    wire {name} = &{{1'b0, {}}};", sunk.join(", "));
        if whole.len() <= COLUMNS {
            lines.push(whole);
            return;
        }
        lines.push(format!("    wire {name} = &{{"));
        let mut line = "        1'b0".to_string();
        for item in sunk {
            line.push(',');
            if line.len() + item.len() + 2 > COLUMNS {
                lines.push(std::mem::replace(&mut line, format!("        {item}")));
            } else {
                line.push_str(&format!(" {item}"));
            }
        }
        lines.push(line);
        lines.push("    };".to_string());
    }

    fn use_expression(&self, value: &Expression, iteration: &Iteration, used: &mut [BigUint]) {
        assignment::reads(&self.scope, value, iteration, &mut |signal, bits| used[signal] |= bits);
    }

    fn use_assignment(&self, target: &Target, value: &Expression, iteration: &Iteration, used: &mut [BigUint]) {
        self.use_expression(value, iteration, used);
        for index in target.index.iter().chain(target.part.iter().map(|(offset, _)| offset)) {
            if let Index::Dynamic(index) = index {
                self.use_expression(index, iteration, used);
            }
        }
    }

    fn use_statements(&self, statements: &[Statement], iteration: &mut Iteration, used: &mut [BigUint]) {
        for statement in statements {
            match statement {
                Statement::Assign(target, value) => self.use_assignment(target, value, iteration, used),
                Statement::If(test, then, otherwise) => {
                    self.use_expression(test, iteration, used);
                    self.use_statements(then, iteration, used);
                    self.use_statements(otherwise, iteration, used);
                }
                Statement::Case(test, arms) => {
                    self.use_expression(test, iteration, used);
                    arms.iter().for_each(|(_, body)| self.use_statements(body, iteration, used));
                }
                Statement::For { variable, from, to, body } => {
                    for value in *from..*to {
                        iteration.push((variable.clone(), value));
                        self.use_statements(body, iteration, used);
                        iteration.pop();
                    }
                }
                Statement::Comment(_) => {}
            }
        }
    }
}

/// The comments, each with the signals that the statements behind it, up to the next one, assign.
fn comments(statements: &[Statement]) -> Vec<(String, BTreeSet<SignalId>)> {
    let mut found: Vec<(String, BTreeSet<SignalId>)> = vec![];
    for statement in statements {
        match (statement, found.last_mut()) {
            (Statement::Comment(text), _) => found.push((text.clone(), BTreeSet::new())),
            (statement, Some((_, found))) => found.extend(targets(std::slice::from_ref(statement))),
            (_, None) => {}
        }
    }
    for statement in statements {
        match statement {
            Statement::If(_, then, otherwise) => {
                found.extend(comments(then));
                found.extend(comments(otherwise));
            }
            Statement::Case(_, arms) => arms.iter().for_each(|(_, body)| found.extend(comments(body))),
            Statement::For { body, .. } => found.extend(comments(body)),
            Statement::Assign(..) | Statement::Comment(_) => {}
        }
    }
    found
}

/// The signals that an expression reads.
fn signals_of(value: &Expression) -> BTreeSet<SignalId> {
    let mut found = BTreeSet::new();
    value.walk(&mut |inner| {
        if let Kind::Element(signal, _) | Kind::Vector(signal) = &inner.kind {
            found.insert(*signal);
        }
    });
    found
}

/// The comment in front of a module.
pub(crate) fn heading(name: &str, comment: Option<&str>) -> String {
    let mut lines = vec![];
    match comment {
        Some(comment) => wrapped("// ", &format!("{name}: {comment}"), &mut lines),
        None => lines.push(format!("// {name}")),
    }
    lines.join("\n")
}

fn repeated(value: &BigUint, width: usize, count: usize) -> BigUint {
    (0..count).fold(BigUint::zero(), |whole, _| (whole << width) | value)
}

/// Signals that follow the logic, which registers do not.
fn driven(logic: &Logic) -> BTreeSet<SignalId> {
    match logic {
        Logic::Continuous(assignments) => assignments.iter().map(|(target, _)| target.signal).collect(),
        Logic::Procedural(members, _) => members.clone(),
        Logic::Clocked(_) => BTreeSet::new(),
    }
}

fn procedural_signals(pieces: &[Piece]) -> BTreeSet<SignalId> {
    pieces
        .iter()
        .filter_map(|piece| match &piece.logic {
            Logic::Procedural(members, _) => Some(members.iter().copied()),
            Logic::Continuous(_) | Logic::Clocked(_) => None,
        })
        .flatten()
        .collect()
}

fn sign_and_range(signal: &Signal) -> String {
    // The elements of an array share one vector, which has no sign of its own.
    let sign = if signal.is_signed() && signal.dimensions.is_empty() { "signed " } else { "" };
    format!("{sign}{}", range(signal.total()))
}

fn note(signal: &Signal) -> String {
    let text = signal.comment.clone().unwrap_or_default();
    match signal.dimensions.as_slice() {
        [] => text,
        lengths => {
            let lengths: Vec<_> = lengths.iter().map(usize::to_string).collect();
            let unit = if signal.width == 1 { "bit".to_string() } else { format!("{} bits", signal.width) };
            format!("{text} [{} x {unit}]", lengths.join(" x ")).trim().to_string()
        }
    }
}

/// Runs of ones: first bit and length.
fn runs(bits: &BigUint) -> Vec<(usize, usize)> {
    let mut found = vec![];
    let mut place = 0;
    let length = bits.bits();
    while place < length {
        if bits.bit(place) {
            let start = place;
            while bits.bit(place) {
                place += 1;
            }
            found.push((start as usize, (place - start) as usize));
        } else {
            place += 1;
        }
    }
    found
}

fn loop_variables(statements: &[Statement]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for statement in statements {
        match statement {
            Statement::If(_, then, otherwise) => {
                found.extend(loop_variables(then));
                found.extend(loop_variables(otherwise));
            }
            Statement::Case(_, arms) => arms.iter().for_each(|(_, body)| found.extend(loop_variables(body))),
            Statement::For { variable, body, .. } => {
                found.insert(variable.clone());
                found.extend(loop_variables(body));
            }
            Statement::Assign(..) | Statement::Comment(_) => {}
        }
    }
    found
}

/// The variables of the loops that stand under a condition.
fn conditional_loop_variables(statements: &[Statement]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for statement in statements {
        match statement {
            Statement::If(_, then, otherwise) => {
                found.extend(loop_variables(then));
                found.extend(loop_variables(otherwise));
            }
            Statement::Case(_, arms) => arms.iter().for_each(|(_, body)| found.extend(loop_variables(body))),
            Statement::For { body, .. } => found.extend(conditional_loop_variables(body)),
            Statement::Assign(..) | Statement::Comment(_) => {}
        }
    }
    found
}

fn each_expression(piece: &Logic, visit: &mut dyn FnMut(&Expression)) {
    match piece {
        Logic::Continuous(assignments) => {
            for (target, value) in assignments {
                each_of_assignment(target, value, visit);
            }
        }
        Logic::Procedural(_, statements) | Logic::Clocked(statements) => each_of_statements(statements, visit),
    }
}
