//! Puts one module together: ports, names, logic, sub-blocks, registers.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigUint;
use num_traits::Zero;

use super::Refusal;
use super::assignment;
use super::expression::{Expression, Index, Integer, Iteration, Kind, SignalId, Statement, Target};
use super::hoist::Hoister;
use super::mutation::{self, Fault, Site, Sites, seen};
use super::names::Taken;
use super::print::{COLUMNS, Printer, literal, range};
use super::scope::{Child, ChildKind, Role, Scope, Signal};
use super::split::{self, Logic};

/// Stands for the final name of another module, which is not known yet.
pub(crate) fn placeholder(number: usize) -> String {
    format!("<module {number}>")
}

/// How a sub-block's input gets its value.
enum Connection {
    /// All elements from one place: printed at the port itself.
    Uniform(Expression),
    /// Element by element from an equally long array, which stands at the port itself.
    Identity(SignalId),
}

/// Registers with the same clock and reset.
struct Domain {
    clock: String,
    reset: String,
    clears: Vec<String>,
    loads: Vec<String>,
}

pub(crate) struct Module {
    scope: Scope,
    taken: Taken,
}

impl Module {
    pub(crate) fn new(scope: Scope) -> Self {
        let mut taken = Taken::default();
        for signal in &scope.signals {
            taken.insert(&signal.verilog);
        }
        for child in &scope.children {
            taken.insert(&child.name);
        }
        for (name, ..) in scope.variants.values() {
            taken.insert(name);
        }
        Self { scope, taken }
    }

    /// The text of the module after the word `module` and its name, and the places at which it can be broken.
    pub(crate) fn write(mut self, mut statements: Vec<Statement>) -> Result<(String, Vec<Site>), Refusal> {
        self.wire_resets(&mut statements)?;
        let found = assignment::check(&self.scope, &statements)?;
        let logic = split::split(&self.scope, &statements, &found);
        let read_back = self.read_signals(&logic);
        let mut connections = BTreeMap::new();
        let mut rest = vec![];
        for piece in logic {
            match self.connection(&piece, &read_back) {
                Some((signal, connection)) => {
                    connections.insert(signal, connection);
                }
                None => rest.push(piece),
            }
        }
        let mut pieces = vec![];
        let mut hoister = Hoister::new(&mut self.scope, &mut self.taken);
        for piece in rest {
            pieces.extend(hoister.logic(piece));
        }
        let text = self.text(&pieces, &connections)?;
        Ok((text, self.scope.sites.take().map_or_else(Vec::new, Sites::into_found)))
    }

    /// A register whose reset no statement assigns takes the block's own; `dff_setup!` relies on it.
    fn wire_resets(&self, statements: &mut Vec<Statement>) -> Result<(), Refusal> {
        let assigned = assignment::targets(statements);
        for child in self.scope.children.iter().filter(|child| matches!(child.kind, ChildKind::Register(_))) {
            let (reset, _) = self.port(child, "reset")?;
            if assigned.contains(&reset) {
                continue;
            }
            let own = self.scope.by_key.get("reset").filter(|id| self.scope.signals[**id].role == Role::Input);
            let Some(own) = own else {
                return Err(self.scope.refusal(&child.name, "the block has no input `reset` for this register"));
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

    fn port(&self, child: &Child, name: &str) -> Result<(SignalId, String), Refusal> {
        let found = child.ports.iter().find(|(_, port)| port == name);
        found.cloned().ok_or_else(|| self.scope.refusal(&child.name, format!("has no port {name}")))
    }

    /// Signals that any logic reads.
    fn read_signals(&self, logic: &[Logic]) -> BTreeSet<SignalId> {
        let mut found = BTreeSet::new();
        for piece in logic {
            each_expression(piece, &mut |value| {
                value.walk(&mut |inner| {
                    if let Kind::Element(signal, _) | Kind::Vector(signal) = &inner.kind {
                        found.insert(*signal);
                    }
                });
            });
        }
        found
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
        let elements = split::elements(&self.scope, piece, signal)?;
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
        let Kind::Element(source, _) = first.kind else {
            return None;
        };
        let identity = self.scope.signals[source].length() == elements.len()
            && elements.iter().enumerate().all(|(place, value)| {
                matches!(&value.kind, Kind::Element(from, Index::Fixed(index))
                    if *from == source && index.constant() == Some(place as i128))
            });
        identity.then_some((signal, Connection::Identity(source)))
    }

    fn text(&mut self, pieces: &[Logic], connections: &BTreeMap<SignalId, Connection>) -> Result<String, Refusal> {
        let mut lines = vec![];
        let mut body = vec![];
        if let Some(sites) = &self.scope.sites {
            sites.watch(self.masks(pieces));
        }
        for piece in pieces {
            if let Some(sites) = &self.scope.sites {
                sites.begin_piece(driven(piece));
            }
            self.logic(piece, &mut body);
        }
        if let Some(sites) = &self.scope.sites {
            sites.begin_piece(BTreeSet::new());
        }
        let children = std::mem::take(&mut self.scope.children);
        for child in children.iter().filter(|child| !matches!(child.kind, ChildKind::Register(_))) {
            self.instances(child, connections, &mut body);
        }
        let written = self.registers(&children, connections, &mut body);
        self.scope.children = children;
        written?;
        self.unread(pieces, connections, &mut body);
        self.header(pieces, &mut lines);
        self.constants(pieces, connections, &mut lines);
        self.declarations(pieces, connections, &mut lines);
        self.mutations(&mut lines);
        lines.extend(body);
        lines.push("endmodule".to_string());
        let lines: Vec<_> = lines.into_iter().flat_map(super::print::broken).collect();
        Ok(lines.join("\n"))
    }

    fn header(&self, pieces: &[Logic], lines: &mut Vec<String>) {
        let procedural = procedural_signals(pieces);
        let mut ports = vec![];
        for (id, signal) in self.scope.signals.iter().enumerate() {
            let direction = match signal.role {
                Role::Input => "input  wire",
                Role::Output if procedural.contains(&id) => "output reg ",
                Role::Output => "output wire",
                _ => continue,
            };
            ports.push((format!("{direction} {}", sign_and_range(signal)), signal));
        }
        lines.push(" (".to_string());
        match &self.scope.sites {
            Some(sites) if !sites.is_selected() => {
                lines.push(format!("    input  wire [{}:0] mutant,", mutation::COUNT));
            }
            Some(_) if !self.scope.path.contains('.') => {
                lines.push("    input  wire [31:0] mutant,  // Which bit is ignored; 0 is none.".to_string());
            }
            _ => {}
        }
        let widest = ports.iter().map(|(kind, _)| kind.len()).max().unwrap_or_default();
        let longest = ports.iter().map(|(_, signal)| signal.verilog.len()).max().unwrap_or_default();
        for (place, (kind, signal)) in ports.iter().enumerate() {
            let comma = if place + 1 < ports.len() { "," } else { "" };
            let name = format!("{}{comma}", signal.verilog);
            let declaration = format!("    {kind:widest$}{name:w$}", w = longest + 1);
            comment_after(&declaration, &note(signal), lines);
        }
        lines.push(");".to_string());
    }

    /// Signals of which single bits are read in a loop, and strobes: each where it comes from, so that none counts twice.
    fn masks(&self, pieces: &[Logic]) -> BTreeSet<SignalId> {
        let mut found: BTreeSet<_> =
            (0..self.scope.signals.len()).filter(|id| self.scope.signals[*id].verilog.contains("strobe")).collect();
        for piece in pieces {
            each_expression(piece, &mut |value| {
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
            Role::Local | Role::ChildOutput(_) => true,
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
        lines.extend(sites.declarations(self.scope.path.split('.').next().unwrap_or_default()));
        lines.extend(views);
    }

    /// Names for the enum variants and constants that the text uses.
    fn constants(&self, pieces: &[Logic], connections: &BTreeMap<SignalId, Connection>, lines: &mut Vec<String>) {
        let mut used: BTreeMap<String, (usize, BigUint)> = BTreeMap::new();
        let mut look = |value: &Expression| {
            value.walk(&mut |inner| {
                if let Kind::Named(name, number) = &inner.kind {
                    used.insert(name.clone(), (inner.width, number.clone()));
                }
            });
        };
        for piece in pieces {
            each_expression(piece, &mut look);
        }
        for connection in connections.values() {
            if let Connection::Uniform(value) = connection {
                look(value);
            }
        }
        let mut sorted: Vec<_> = used.into_iter().collect();
        sorted.sort_by_key(|(name, (_, number))| (self.family(name), number.clone()));
        for (name, (width, number)) in sorted {
            let comment = self.scope.signals.iter().find(|signal| signal.verilog == name).map(note).unwrap_or_default();
            let declaration = format!("    localparam {}{name} = {};", range(width), literal(&number, width));
            comment_after(&declaration, &comment, lines);
        }
    }

    /// Sorts the variants of one enum together.
    fn family(&self, name: &str) -> String {
        self.scope
            .variants
            .iter()
            .find(|(_, (verilog, ..))| verilog == name)
            .and_then(|(spelled, _)| spelled.split('$').next())
            .unwrap_or_default()
            .to_string()
    }

    fn declarations(&self, pieces: &[Logic], connections: &BTreeMap<SignalId, Connection>, lines: &mut Vec<String>) {
        let procedural = procedural_signals(pieces);
        let driven: BTreeSet<_> = pieces.iter().flat_map(driven).collect();
        let mut declarations = vec![];
        for (id, signal) in self.scope.signals.iter().enumerate() {
            let is_state = match signal.role {
                Role::Local if driven.contains(&id) => false,
                Role::ChildInput(_) if !connections.contains_key(&id) => false,
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

    fn logic(&mut self, piece: &Logic, lines: &mut Vec<String>) {
        match piece {
            Logic::Continuous(assignments) => {
                lines.push(String::new());
                let printer = Printer { scope: &self.scope };
                for (target, value) in assignments {
                    lines.push(format!("    assign {} = {};", printer.target(target), printer.expression(value)));
                }
            }
            Logic::Procedural(members, statements) => {
                lines.push(String::new());
                let variables = loop_variables(statements);
                let printer = Printer { scope: &self.scope };
                if variables.is_empty() {
                    lines.push("    always @(*) begin".to_string());
                } else {
                    let first = members.first().map_or("", |id| self.scope.signals[*id].verilog.as_str());
                    let label = self.taken.claim(&format!("{first}_logic"));
                    lines.push(format!("    always @(*) begin : {label}"));
                    for variable in &variables {
                        lines.push(format!("        integer {variable};"));
                    }
                    // A loop that a condition skips would leave its variable as it was: a latch to yosys.
                    for variable in conditional_loop_variables(statements) {
                        lines.push(format!("        {variable} = 0;"));
                    }
                }
                printer.statements(statements, 2, lines);
                lines.push("    end".to_string());
            }
        }
    }

    fn instances(&mut self, child: &Child, connections: &BTreeMap<SignalId, Connection>, lines: &mut Vec<String>) {
        let numbers = match &child.kind {
            ChildKind::Module(numbers) => numbers.clone(),
            _ => return,
        };
        lines.push(String::new());
        if let Some(comment) = &child.comment {
            wrapped("    // ", comment, lines);
        }
        if child.dimensions.is_empty() {
            let name = child.name.clone();
            self.instance("    ", numbers[0], &name, child, None, connections, lines);
            return;
        }
        if numbers.iter().all(|number| *number == numbers[0]) {
            let index = self.taken.claim("index");
            let length = child.length();
            lines.push(format!("    genvar {index};"));
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
        connections: &BTreeMap<SignalId, Connection>,
        lines: &mut Vec<String>,
    ) {
        let printer = Printer { scope: &self.scope };
        lines.push(format!("{space}{} {name} (", placeholder(number)));
        let longest = child.ports.iter().map(|(_, port)| port.len()).max().unwrap_or_default();
        for (position, (signal, port)) in child.ports.iter().enumerate() {
            let source = match connections.get(signal) {
                Some(Connection::Uniform(value)) if self.scope.signals[*signal].length() == child.length() => {
                    printer.expression(value)
                }
                Some(Connection::Uniform(value)) => {
                    let count = self.scope.signals[*signal].length() / child.length();
                    format!("{{{count}{{{}}}}}", printer.expression(value))
                }
                Some(Connection::Identity(source)) => self.share(&printer.read(*source), *source, child, place),
                None => self.share(&self.scope.signals[*signal].verilog, *signal, child, place),
            };
            let comma = if position + 1 < child.ports.len() { "," } else { "" };
            lines.push(format!("{space}    .{port:longest$} ({source}){comma}"));
        }
        lines.push(format!("{space});"));
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
    fn registers(
        &self,
        children: &[Child],
        connections: &BTreeMap<SignalId, Connection>,
        lines: &mut Vec<String>,
    ) -> Result<(), Refusal> {
        let printer = Printer { scope: &self.scope };
        let mut domains: Vec<Domain> = vec![];
        for child in children {
            let ChildKind::Register(reset_value) = &child.kind else {
                continue;
            };
            let clock = match connections.get(&self.port(child, "clock")?.0) {
                Some(Connection::Uniform(value)) if value.known().is_none() => printer.expression(value),
                _ => return Err(self.scope.refusal(&child.name, "the clock must be one signal, assigned once")),
            };
            let (reset_signal, _) = self.port(child, "reset")?;
            let reset = match connections.get(&reset_signal) {
                Some(Connection::Uniform(value)) => printer.expression(value),
                None if self.scope.signals[reset_signal].length() == 1 => {
                    self.scope.signals[reset_signal].verilog.clone()
                }
                _ => return Err(self.scope.refusal(&child.name, "registers of one array have different resets")),
            };
            let (d, q) = (self.port(child, "d")?.0, self.port(child, "q")?.0);
            let (d, q) = (&self.scope.signals[d], &self.scope.signals[q]);
            let value = if reset_value.is_zero() || q.length() == 1 {
                literal(&repeated(reset_value, q.width, q.length()), q.total())
            } else {
                format!("{{{}{{{}}}}}", q.length(), literal(reset_value, q.width))
            };
            let loads = format!("{} <= {};", q.verilog, d.verilog);
            let clears = format!("{} <= {value};", q.verilog);
            match domains.iter_mut().find(|known| known.clock == clock && known.reset == reset) {
                Some(known) => {
                    known.clears.push(clears);
                    known.loads.push(loads);
                }
                None => domains.push(Domain { clock, reset, clears: vec![clears], loads: vec![loads] }),
            }
        }
        for Domain { clock, reset, clears, loads } in domains {
            lines.push(String::new());
            lines.push(format!("    always @(posedge {clock}) begin"));
            lines.push(format!("        if ({reset}) begin"));
            lines.extend(clears.iter().map(|line| format!("            {line}")));
            lines.push("        end else begin".to_string());
            lines.extend(loads.iter().map(|line| format!("            {line}")));
            lines.push("        end".to_string());
            lines.push("    end".to_string());
        }
        Ok(())
    }

    /// A sink for the bits that nothing reads, so that a linter's "unused" means a mistake.
    fn unread(&mut self, pieces: &[Logic], connections: &BTreeMap<SignalId, Connection>, lines: &mut Vec<String>) {
        let mut used = vec![BigUint::zero(); self.scope.signals.len()];
        for piece in pieces {
            match piece {
                Logic::Continuous(assignments) => {
                    for (target, value) in assignments {
                        self.use_assignment(target, value, &vec![], &mut used);
                    }
                }
                Logic::Procedural(_, statements) => self.use_statements(statements, &mut vec![], &mut used),
            }
        }
        for connection in connections.values() {
            match connection {
                Connection::Uniform(value) => self.use_expression(value, &vec![], &mut used),
                Connection::Identity(source) => used[*source] = split::all_bits(&self.scope, *source),
            }
        }
        let mut sunk = vec![];
        for (id, signal) in self.scope.signals.iter().enumerate() {
            let is_declared = match signal.role {
                Role::Input => true,
                Role::Local => pieces.iter().any(|piece| drives(piece, id)),
                Role::ChildOutput(_) => true,
                Role::Output | Role::Constant | Role::ChildInput(_) => false,
            };
            let all = split::all_bits(&self.scope, id);
            if is_declared {
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
        let name = self.taken.claim("unused");
        lines.push(String::new());
        lines.push("    // Bits that nothing reads.".to_string());
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

/// The comment in front of a module.
pub(crate) fn heading(name: &str, comment: Option<&str>) -> String {
    let mut lines = vec![];
    match comment {
        Some(comment) => wrapped("// ", &format!("{name}: {comment}"), &mut lines),
        None => lines.push(format!("// {name}")),
    }
    lines.join("\n")
}

/// A memory of `data`-bit words, in the form that synthesis maps to distributed RAM.
pub(crate) fn memory(address: usize, data: usize) -> String {
    let words = 1_u128 << address;
    let (place, word) = (range(address), range(data));
    let zero = literal(&BigUint::zero(), data);
    format!(
        " (
    input  wire clock,  // Rising edge writes.
    input  wire {place}read_address,  // Word to read.
    output wire {word}read_data,  // The word at read_address, in the same cycle.
    input  wire write_enable,  // Write write_data at the next edge.
    input  wire {place}write_address,  // Word to write.
    input  wire {word}write_data  // Value to write.
);
    reg {word}words [0:{}];

    initial begin : power_up
        integer i;
        for (i = 0; i < {words}; i = i + 1) begin
            words[i] = {zero};
        end
    end

    assign read_data = words[read_address];

    always @(posedge clock) begin
        if (write_enable) begin
            words[write_address] <= write_data;
        end
    end
endmodule",
        words - 1
    )
}

/// A memory of 32-bit words with byte strobes, in the form that synthesis maps to block RAM.
pub(crate) fn strobe_memory(address: usize) -> String {
    let words = 1_u128 << address;
    let place = range(address);
    let bytes: String = [("7:0", 0), ("15:8", 1), ("23:16", 2), ("31:24", 3)]
        .iter()
        .map(|(bits, byte)| {
            format!(
                "        if (write_strobe[{byte}]) begin
            words[write_address][{bits}] <= write_data[{bits}];
        end
"
            )
        })
        .collect();
    format!(
        " (
    input  wire clock,  // Rising edge reads and writes.
    input  wire read_enable,  // Load read_data at the next edge.
    input  wire {place}read_address,  // Word to read.
    output reg  [31:0] read_data,  // The word read last.
    input  wire [3:0] write_strobe,  // Bytes to write at the next edge.
    input  wire {place}write_address,  // Word to write.
    input  wire [31:0] write_data  // Value to write.
);
    reg [31:0] words [0:{}];

    initial begin : power_up
        integer i;
        read_data = 32'd0;
        for (i = 0; i < {words}; i = i + 1) begin
            words[i] = 32'd0;
        end
    end

    always @(posedge clock) begin
        if (read_enable) begin
            read_data <= words[read_address];
        end
{bytes}    end
endmodule",
        words - 1
    )
}

fn repeated(value: &BigUint, width: usize, count: usize) -> BigUint {
    (0..count).fold(BigUint::zero(), |whole, _| (whole << width) | value)
}

fn drives(piece: &Logic, signal: SignalId) -> bool {
    match piece {
        Logic::Continuous(assignments) => assignments.iter().any(|(target, _)| target.signal == signal),
        Logic::Procedural(members, _) => members.contains(&signal),
    }
}

/// Signals that the piece drives.
fn driven(piece: &Logic) -> BTreeSet<SignalId> {
    match piece {
        Logic::Continuous(assignments) => assignments.iter().map(|(target, _)| target.signal).collect(),
        Logic::Procedural(members, _) => members.clone(),
    }
}

fn procedural_signals(pieces: &[Logic]) -> BTreeSet<SignalId> {
    pieces
        .iter()
        .filter_map(|piece| match piece {
            Logic::Procedural(members, _) => Some(members.iter().copied()),
            Logic::Continuous(_) => None,
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

/// A declaration with its comment: behind it if there is room, else in front.
fn comment_after(declaration: &str, comment: &str, lines: &mut Vec<String>) {
    let declaration = declaration.trim_end();
    if comment.is_empty() {
        lines.push(declaration.to_string());
    } else if declaration.len() + comment.len() + 5 <= COLUMNS {
        lines.push(format!("{declaration}  // {comment}"));
    } else {
        wrapped("    // ", comment, lines);
        lines.push(declaration.to_string());
    }
}

fn wrapped(prefix: &str, text: &str, lines: &mut Vec<String>) {
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
        Logic::Procedural(_, statements) => each_of_statements(statements, visit),
    }
}

fn each_of_assignment(target: &Target, value: &Expression, visit: &mut dyn FnMut(&Expression)) {
    visit(value);
    for index in target.index.iter().chain(target.part.iter().map(|(offset, _)| offset)) {
        if let Index::Dynamic(index) = index {
            visit(index);
        }
    }
}

fn each_of_statements(statements: &[Statement], visit: &mut dyn FnMut(&Expression)) {
    for statement in statements {
        match statement {
            Statement::Assign(target, value) => each_of_assignment(target, value, visit),
            Statement::If(test, then, otherwise) => {
                visit(test);
                each_of_statements(then, visit);
                each_of_statements(otherwise, visit);
            }
            Statement::Case(test, arms) => {
                visit(test);
                for (place, (pattern, body)) in arms.iter().enumerate() {
                    // The last pattern is printed as `default`.
                    if let Some(pattern) = pattern.as_ref().filter(|_| place + 1 < arms.len()) {
                        visit(pattern);
                    }
                    each_of_statements(body, visit);
                }
            }
            Statement::For { body, .. } => each_of_statements(body, visit),
            Statement::Comment(_) => {}
        }
    }
}
