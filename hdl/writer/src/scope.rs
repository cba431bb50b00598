//! The names that one module can use: its own signals and the ports of its sub-blocks.

use std::collections::BTreeMap;

use num_bigint::BigUint;
use rust_hdl::prelude::{AtomKind, TypeKind};

use super::Refusal;
use super::elaborate::{Instance, Signals};
use super::expression::SignalId;
use super::names;
use super::sites::Sites;
use super::source::{BlockType, Sources};

/// Names of pins that are nobody's data.
const CONTROL: [&str; 4] = ["clk", "rst", "clock", "reset"];

/// A signal or array of signals of the module.
#[derive(Clone, Debug)]
pub(crate) struct Signal {
    /// Name in the module's Verilog.
    pub(crate) verilog: String,
    pub(crate) role: Role,
    /// Lengths of the dimensions, outermost first; empty for a single signal.
    pub(crate) dimensions: Vec<usize>,
    /// Bits of one element.
    pub(crate) width: usize,
    pub(crate) shape: TypeKind,
    pub(crate) comment: Option<String>,
    /// Of a port: it begins a group, which has this heading or none.
    pub(crate) heading: Option<String>,
    pub(crate) values: Vec<BigUint>,
    /// Rust's name of the type.
    pub(crate) type_name: String,
    /// The signals that stand for the fields of a struct, from the lowest bits up.
    pub(crate) fields: Vec<SignalId>,
    /// The struct of which it is a field, and the field's lowest bit.
    pub(crate) field_of: Option<(SignalId, usize)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Role {
    Input,
    Output,
    Local,
    Constant,
    /// An input of the sub-block with that number.
    ChildInput(usize),
    ChildOutput(usize),
    /// Some bits of a signal that something else drives.
    Field,
}

impl Signal {
    pub(crate) fn length(&self) -> usize {
        self.dimensions.iter().product()
    }

    pub(crate) fn total(&self) -> usize {
        self.length() * self.width
    }

    /// Lowest bit in the struct of which it is a field.
    pub(crate) fn offset(&self) -> usize {
        self.field_of.map_or(0, |(_, offset)| offset)
    }

    pub(crate) fn is_signed(&self) -> bool {
        matches!(self.shape, TypeKind::Signed(_))
    }

    /// True if the kernel, and not something outside it, gives the signal its value.
    pub(crate) fn is_driven_here(&self) -> bool {
        matches!(self.role, Role::Output | Role::Local | Role::ChildInput(_))
    }
}

/// A sub-block, or an array of them.
pub(crate) struct Child {
    /// As kernels spell it.
    field: String,
    /// In Verilog.
    pub(crate) name: String,
    pub(crate) dimensions: Vec<usize>,
    pub(crate) kind: ChildKind,
    pub(crate) comment: Option<String>,
    /// Signal and port name, in port order.
    pub(crate) ports: Vec<(SignalId, String)>,
}

impl Child {
    pub(crate) fn length(&self) -> usize {
        self.dimensions.iter().product()
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ChildKind {
    /// Emitted inline; holds the reset value.
    Register(BigUint),
    /// Number of the module of each element.
    Module(Vec<usize>),
    /// Number of the module, and the parameters of an instance as Verilog has them.
    Memory(usize, String),
}

/// Everything that a kernel's names can mean.
pub(crate) struct Scope {
    /// Path of the instance, for refusals.
    pub(crate) path: String,
    pub(crate) signals: Vec<Signal>,
    pub(crate) children: Vec<Child>,
    /// From a kernel's spelling without indices.
    pub(crate) by_key: BTreeMap<String, SignalId>,
    /// Enum variants as kernels spell them: name in Verilog, width, value.
    pub(crate) variants: BTreeMap<String, (String, usize, BigUint)>,
    /// Comments of the constants that kernels name.
    pub(crate) constants: BTreeMap<String, String>,
    /// Where the text can be broken on purpose, if it shall be.
    pub(crate) sites: Option<Sites>,
}

impl Scope {
    /// Whether a signal may be taken for another: no constant and nothing that all registers have.
    pub(crate) fn is_data(&self, id: SignalId) -> bool {
        let signal = &self.signals[id];
        !CONTROL.contains(&signal.verilog.as_str()) && signal.role != Role::Constant
    }

    /// Whether a signal is what a register holds, or a field of it.
    pub(crate) fn is_register(&self, id: SignalId) -> bool {
        match (self.signals[id].role, self.signals[id].field_of) {
            (Role::ChildOutput(child), _) => matches!(self.children[child].kind, ChildKind::Register(_)),
            (Role::Field, Some((whole, _))) => self.is_register(whole),
            _ => false,
        }
    }

    pub(crate) fn refusal(&self, signal: impl Into<String>, reason: impl Into<String>) -> Refusal {
        Refusal::new(&self.path, signal, reason)
    }

    /// The signal at a port of a sub-block.
    pub(crate) fn port(&self, child: &Child, name: &str) -> Result<SignalId, Refusal> {
        let found = child.ports.iter().find(|(_, port)| port == name);
        found.map(|(id, _)| *id).ok_or_else(|| self.refusal(&child.name, format!("has no port {name}")))
    }

    /// `kinds` holds one entry for each child of the instance, arrays not yet merged.
    pub(crate) fn build(
        instance: &Instance,
        path: &str,
        block: &BlockType,
        sources: &Sources,
        kinds: Vec<ChildKind>,
    ) -> Result<Self, Refusal> {
        let mut scope = Self {
            path: path.to_string(),
            signals: vec![],
            children: vec![],
            by_key: BTreeMap::new(),
            variants: BTreeMap::new(),
            constants: sources.constant_comments(),
            sites: None,
        };
        let mut taken = names::Taken::default();
        for atom in &instance.atoms {
            let role = match atom.kind {
                AtomKind::InputParameter => Role::Input,
                AtomKind::OutputParameter => Role::Output,
                AtomKind::LocalSignal => Role::Local,
                AtomKind::Constant => Role::Constant,
                _ => return Err(scope.refusal(&atom.name, "only In, Out and Local signals can be written")),
            };
            let plain = names::pin(names::own(&atom.name)).to_string();
            let verilog = if role == Role::Constant { plain.to_uppercase() } else { plain };
            let verilog = scope.named(&mut taken, verilog, &atom.name)?;
            let comment = sources.field_comment(&block.name, &atom.name);
            let id = scope.add(atom, atom.name.clone(), verilog, role, &[], comment);
            scope.signals[id].heading = sources.field_heading(&block.name, &atom.name);
        }
        for (child, kind) in instance.children.iter().zip(kinds) {
            scope.add_child(child, kind, block, sources, &mut taken)?;
        }
        for id in 0..scope.signals.len() {
            scope.add_fields(id, sources);
        }
        Ok(scope)
    }

    /// A signal for each field of a struct, and of the structs in it. Arrays of structs that the kernel drives have none.
    fn add_fields(&mut self, id: SignalId, sources: &Sources) {
        let whole = self.signals[id].clone();
        let TypeKind::Composite(fields) = &whole.shape else { return };
        if whole.role == Role::Constant || whole.is_driven_here() && !whole.dimensions.is_empty() {
            return;
        }
        let stem = match whole.role {
            Role::ChildOutput(child) if matches!(self.children[child].kind, ChildKind::Register(_)) => {
                self.children[child].name.clone()
            }
            _ => whole.verilog.clone(),
        };
        let mut offset = 0;
        for field in fields {
            let (width, name) = (shape_width(&field.kind.kind), &field.fieldname);
            let number = self.signals.len();
            self.signals.push(Signal {
                verilog: format!("{stem}_{name}"),
                role: Role::Field,
                dimensions: whole.dimensions.clone(),
                width,
                shape: field.kind.kind.clone(),
                comment: sources.field_comment(&whole.type_name, name),
                heading: None,
                values: vec![],
                type_name: field.kind.name.clone(),
                fields: vec![],
                field_of: Some((id, offset)),
            });
            self.signals[id].fields.push(number);
            self.add_fields(number, sources);
            offset += width;
        }
    }

    /// The signal that stands for `width` bits of a struct from bit `start`, if they are a field.
    pub(crate) fn field(&self, id: SignalId, start: usize, width: usize) -> Option<SignalId> {
        let is_it = |field: &&SignalId| self.signals[**field].offset() == start && self.signals[**field].width == width;
        self.signals[id].fields.iter().find(is_it).copied()
    }

    fn add_child(
        &mut self,
        instance: &Instance,
        kind: ChildKind,
        block: &BlockType,
        sources: &Sources,
        taken: &mut names::Taken,
    ) -> Result<(), Refusal> {
        if let Some(known) = self.children.iter_mut().find(|child| child.field == instance.name) {
            for (length, index) in known.dimensions.iter_mut().zip(&instance.position) {
                *length = (*length).max(index + 1);
            }
            match (&mut known.kind, kind) {
                (ChildKind::Module(numbers), ChildKind::Module(more)) => numbers.extend(more),
                (known, kind) if *known == kind => {}
                _ => return Err(self.refusal(&instance.name, "elements of one array of blocks differ")),
            }
            let dimensions = known.dimensions.clone();
            for (id, _) in known.ports.clone() {
                for (length, new) in self.signals[id].dimensions.iter_mut().zip(&dimensions) {
                    *length = *new;
                }
            }
            return Ok(());
        }
        let number = self.children.len();
        let written = instance.name.replace('$', "_");
        // A register is no instance, so that its name stays free for a signal.
        let is_instance = !matches!(kind, ChildKind::Register(_));
        let plain = if is_instance { self.named(taken, written, &instance.name)? } else { written };
        let dimensions: Vec<_> = instance.position.iter().map(|index| index + 1).collect();
        let field = instance.name.split('$').next().unwrap_or_default();
        let mut ports = vec![];
        for atom in &instance.atoms {
            let role = match atom.kind {
                AtomKind::InputParameter => Role::ChildInput(number),
                AtomKind::OutputParameter => Role::ChildOutput(number),
                _ => continue,
            };
            let port = names::own(&atom.name).to_string();
            let key = format!("{}${}", instance.name, atom.name);
            let verilog = format!("{plain}_{port}");
            // An input that is connected at the port itself needs no name.
            let is_named = matches!(role, Role::ChildOutput(_));
            let verilog = if is_named { self.named(taken, verilog, &key)? } else { verilog };
            ports.push((self.add(atom, key, verilog, role, &dimensions, None), port));
        }
        let comment = sources.field_comment(&block.name, field);
        self.children.push(Child { field: instance.name.clone(), name: plain, dimensions, kind, comment, ports });
        Ok(())
    }

    /// The name in Verilog of what a kernel spells `written`. One that is taken is refused, not changed: whoever looks for it
    /// would not find it.
    pub(crate) fn named(&self, taken: &mut names::Taken, verilog: String, written: &str) -> Result<String, Refusal> {
        if taken.is_free(&verilog) {
            taken.insert(&verilog);
            return Ok(verilog);
        }
        let written = written.replace('$', ".");
        let why =
            if taken.contains(&verilog) { "something else has that name" } else { "Verilog does not allow that name" };
        Err(self.refusal(&written, format!("would be {verilog}, but {why}: rename it in the description")))
    }

    fn add(
        &mut self,
        atom: &Signals,
        key: String,
        verilog: String,
        role: Role,
        outer: &[usize],
        comment: Option<String>,
    ) -> SignalId {
        self.add_variants(&atom.shape, &atom.type_name, atom.width);
        let id = self.signals.len();
        self.signals.push(Signal {
            verilog,
            role,
            dimensions: [outer, &atom.dimensions].concat(),
            width: atom.width,
            shape: atom.shape.clone(),
            comment,
            heading: None,
            values: atom.values.clone(),
            type_name: atom.type_name.clone(),
            fields: vec![],
            field_of: None,
        });
        self.by_key.insert(key, id);
        id
    }

    fn add_variants(&mut self, shape: &TypeKind, type_name: &str, width: usize) {
        match shape {
            TypeKind::Enum(variants) => {
                for (value, variant) in variants.iter().enumerate() {
                    let short = variant.rsplit("::").next().unwrap_or(variant);
                    let verilog = format!("{}_{}", names::snake(type_name), names::snake(short)).to_uppercase();
                    self.variants.insert(variant.replace("::", "$"), (verilog, width, BigUint::from(value)));
                }
            }
            TypeKind::Composite(fields) => {
                for field in fields {
                    self.add_variants(&field.kind.kind, &field.kind.name, shape_width(&field.kind.kind));
                }
            }
            TypeKind::Bits(_) | TypeKind::Signed(_) => {}
        }
    }
}

/// Bits of a value of that shape.
pub(crate) fn shape_width(shape: &TypeKind) -> usize {
    match shape {
        TypeKind::Bits(width) | TypeKind::Signed(width) => *width,
        TypeKind::Enum(variants) => variants.len().next_power_of_two().trailing_zeros() as usize,
        TypeKind::Composite(fields) => fields.iter().map(|field| shape_width(&field.kind.kind)).sum(),
    }
}
