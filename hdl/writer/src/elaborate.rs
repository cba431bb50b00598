//! From a connected block to the tree of its instances, by way of rust-hdl's `Probe`.

use num_bigint::{BigInt, BigUint};
use rust_hdl::prelude::*;

use super::Refusal;

/// One block as rust-hdl shows it.
pub(crate) struct Instance {
    /// Field name in the owner, without array indices.
    pub(crate) name: String,
    /// Position in the array of blocks, one number for each dimension.
    pub(crate) position: Vec<usize>,
    pub(crate) atoms: Vec<Signals>,
    pub(crate) children: Vec<Instance>,
    pub(crate) code: Verilog,
}

/// A signal, or an array of signals that share a name.
#[derive(Clone, Debug)]
pub(crate) struct Signals {
    /// As kernels spell it, without indices: `bus$ready`.
    pub(crate) name: String,
    pub(crate) kind: AtomKind,
    pub(crate) shape: TypeKind,
    /// Rust's name of the type.
    pub(crate) type_name: String,
    pub(crate) width: usize,
    /// Lengths of the array's dimensions, outermost first.
    pub(crate) dimensions: Vec<usize>,
    /// The present value of each element.
    pub(crate) values: Vec<BigUint>,
}

/// Visits `top` and everything in it.
pub(crate) fn elaborate<B: Block>(top: &B, name: &str) -> Result<Instance, Refusal> {
    let mut collector = Collector::default();
    top.accept(name, &mut collector);
    match (collector.root, collector.refusal) {
        (_, Some(refusal)) => Err(refusal),
        (Some(root), None) => Ok(root),
        (None, None) => Err(Refusal::new(name, "", "not a block: it derives no LogicBlock")),
    }
}

#[derive(Default)]
struct Collector {
    open: Vec<Instance>,
    namespaces: Vec<String>,
    root: Option<Instance>,
    refusal: Option<Refusal>,
}

impl Probe for Collector {
    fn visit_start_scope(&mut self, name: &str, node: &dyn Block) {
        let full = [self.namespaces.as_slice(), &[name.to_string()]].concat().join("$");
        let (name, position) = split_indices(&full);
        self.open.push(Instance { name, position, atoms: vec![], children: vec![], code: node.hdl() });
    }

    fn visit_end_scope(&mut self, _name: &str, _node: &dyn Block) {
        if let Some(done) = self.open.pop() {
            match self.open.last_mut() {
                Some(owner) => owner.children.push(done),
                None => self.root = Some(done),
            }
        }
    }

    fn visit_start_namespace(&mut self, name: &str, _node: &dyn Block) {
        self.namespaces.push(name.to_string());
    }

    fn visit_end_namespace(&mut self, _name: &str, _node: &dyn Block) {
        self.namespaces.pop();
    }

    fn visit_atom(&mut self, name: &str, atom: &dyn Atom) {
        let full = [self.namespaces.as_slice(), &[name.to_string()]].concat().join("$");
        let (name, position) = split_indices(&full);
        let Some(owner) = self.open.last_mut() else {
            return;
        };
        let descriptor = atom.descriptor();
        let value = value_of(&atom.verilog(), atom.bits());
        let extent: Vec<usize> = position.iter().map(|index| index + 1).collect();
        match owner.atoms.iter_mut().find(|known| known.name == name) {
            Some(known) => {
                if known.width != atom.bits() || known.kind != atom.kind() {
                    let reason = "elements of one array differ in type";
                    self.refusal.get_or_insert_with(|| Refusal::new(&owner.name, &name, reason));
                }
                for (length, extent) in known.dimensions.iter_mut().zip(extent) {
                    *length = (*length).max(extent);
                }
                known.values.push(value);
            }
            None => {
                if atom.bits() == 0 {
                    self.refusal.get_or_insert_with(|| Refusal::new(&owner.name, &name, "the type has no bits"));
                }
                owner.atoms.push(Signals {
                    name,
                    kind: atom.kind(),
                    shape: descriptor.kind,
                    type_name: descriptor.name,
                    width: atom.bits(),
                    dimensions: extent,
                    values: vec![value],
                });
            }
        }
    }
}

/// `bus$3$ready` is `bus$ready` at position 3.
fn split_indices(full: &str) -> (String, Vec<usize>) {
    let mut words = vec![];
    let mut position = vec![];
    for word in full.split('$') {
        match word.parse() {
            Ok(index) => position.push(index),
            Err(_) => words.push(word),
        }
    }
    (words.join("$"), position)
}

/// The bits of a literal; a negative one in two's complement.
pub(crate) fn value_of(literal: &VerilogLiteral, width: usize) -> BigUint {
    let value = signed_value_of(literal);
    let modulus = BigInt::from(1) << width;
    let wrapped = ((value % &modulus) + &modulus) % &modulus;
    wrapped.to_biguint().unwrap_or_default()
}

/// The number that a literal stands for; its only public view is its text.
pub(crate) fn signed_value_of(literal: &VerilogLiteral) -> BigInt {
    let text = format!("{literal:x}");
    let digits = text.split_once("'h").map_or("0", |(_, digits)| digits);
    BigInt::parse_bytes(digits.as_bytes(), 16).unwrap_or_default()
}
