//! Writes the Verilog-2001 of a description, with the same value for every signal as the Rust
//! simulation gives it, or refuses.
//!
//! rust-hdl's own generator lets the context of an expression change its width and its own
//! precedence of operators differ from Rust's. This writer works on the same syntax tree in steps, one
//! file for each: [`elaborate`] makes the tree of instances, [`source`] reads what the tree does not
//! hold, [`scope`] is the signal table of a module, [`lower`] resolves names and (with [`width`])
//! gives every expression a width, [`ambiguity`] looks for what the tree
//! does not tell apart, [`comments`] puts the source's comments back, [`fields`] gives the fields
//! of structs names, [`assignment`] proves that there is no latch, [`split`] separates
//! independent outputs into pieces of [`logic`], [`registers`] loads registers where the kernel does, [`connections`] leave out wires to sub-blocks,
//! [`hoist`] names what Verilog cannot take a part of, [`print`], [`ports`] and [`module`] write the text, [`joined()`] that of a module which only connects two, [`stepped()`] that of one which lets a host step another, both by [`wrapper`]. [`contracts`] lets a simulator check what a block relies
//! on; [`sites`] are what can be broken on purpose, which [`mutation`] does. [`statements`] says what statements assign and read.
//!
//! Deliberately absent: `InOut` signals, black boxes, optimisation.

mod ambiguity;
mod assignment;
mod choice;
mod comments;
mod connections;
mod contracts;
mod elaborate;
mod evaluate;
mod expression;
mod fields;
mod fold;
mod hoist;
mod joined;
mod logic;
mod lower;
mod memories;
mod module;
mod mutation;
mod names;
mod ports;
mod print;
mod refusal;
mod registers;
mod scope;
mod sites;
mod source;
mod split;
mod statements;
mod stepped;
mod width;
mod wrapper;

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigUint;
use rust_hdl::prelude::{Block, Verilog};

pub use contracts::MACRO as CONTRACTS;
pub use joined::joined;
pub use memories::{MEMORY, REGISTER, STROBE_MEMORY};
pub use mutation::{Breakage, Chosen, Mutant};
pub use ports::Port;
pub use refusal::Refusal;
pub use sites::Fault;
pub use stepped::stepped;

use elaborate::Instance;
use module::{Module, Written, placeholder};
use scope::{ChildKind, Scope};
use sites::{Site, Sites};
use source::{BlockType, Sources};

/// One emitted module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmittedModule {
    /// Its name.
    pub name: String,
    /// Its name without the prefix.
    pub block: String,
    /// The first paragraph of the block's own comment.
    pub comment: Option<String>,
    /// True for a memory, which has no block of its own.
    pub is_memory: bool,
    /// Its memories.
    pub memories: Vec<MemoryUse>,
    /// Its ports; none of a memory.
    pub ports: Vec<Port>,
    /// Its text, from the comment in front to `endmodule`.
    pub text: String,
    /// Names of the modules that it instantiates.
    pub children: Vec<String>,
}

/// A memory, or an array of them, in a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryUse {
    /// Name of the instance.
    pub name: String,
    /// Name of the memory without the prefix.
    pub memory: String,
    /// Words of one.
    pub words: u128,
    /// Bits of a word.
    pub width: usize,
    /// Words that are read at once.
    pub reads: usize,
    /// How many there are.
    pub copies: usize,
}

/// The Verilog of `top`, whose module gets the name `name`.
///
/// `top` must be connected (`connect_all`) and not yet simulated. `sources` are the texts of the Rust
/// files that declare the blocks, usually by `include_str!`: type names, comments and constants are
/// read from them.
///
/// # Errors
///
/// A [`Refusal`] names the block, the signal and the reason if any kernel has no exact translation,
/// any output would need a latch, or any source is missing.
pub fn write<B: Block>(top: &B, name: &str, sources: &[&str]) -> Result<String, Refusal> {
    Ok(file(&modules(top, name, "", sources)?.iter().collect::<Vec<_>>()))
}

/// What stands before several modules in one file. Verilator wants one file for each, named as the module is, which is not to be had
/// here; and no contract becomes hardware, whoever defines their macro.
pub fn one_file_head() -> String {
    format!("/* verilator lint_off DECLFILENAME */\n`ifdef SYNTHESIS\n`undef {CONTRACTS}\n`endif\n")
}

/// One file with these modules.
pub fn file(modules: &[&EmittedModule]) -> String {
    let head = if modules.len() > 1 { one_file_head() } else { String::new() };
    let texts: Vec<_> = modules.iter().map(|module| module.text.as_str()).collect();
    format!("{head}{}", texts.join("\n"))
}

/// The module `name`, first, and everything below it in the order of `modules`, in which a memory that others use, too, may stand in
/// front of it.
pub fn below<'a>(modules: &'a [EmittedModule], name: &str) -> Vec<&'a EmittedModule> {
    let mut wanted = BTreeSet::new();
    let mut open = vec![name];
    while let Some(name) = open.pop() {
        if wanted.insert(name) {
            open.extend(
                modules
                    .iter()
                    .filter(|module| module.name == name)
                    .flat_map(|module| &module.children)
                    .map(String::as_str),
            );
        }
    }
    let (top, below): (Vec<_>, Vec<_>) =
        modules.iter().filter(|module| wanted.contains(module.name.as_str())).partition(|module| module.name == name);
    [top, below].concat()
}

/// True if `name` can be the name of a module: an identifier of Verilog, and not one of its words.
pub fn is_module_name(name: &str) -> bool {
    names::is_free(name)
}

/// The same as a list of modules, the top first and every other one after a module that uses it. The names of all but the
/// top begin with `prefix`.
///
/// # Errors
///
/// As [`write`].
pub fn modules<B: Block>(top: &B, name: &str, prefix: &str, sources: &[&str]) -> Result<Vec<EmittedModule>, Refusal> {
    Ok(broken(top, name, prefix, sources, Breakage::None)?.0)
}

/// The same modules with the mutants that `breakage` names in them, and all mutants in the order of their numbers, from 1. With
/// [`Breakage::Selected`] the top level has one input more, `mutant`, 32 bits: the number of the mutant that the unit is, read
/// while `rst` is high; 0 is none. With [`Breakage::Wired`] every module has an input `mutant` with a bit for each mutant, of
/// which bit 0 is none.
///
/// # Errors
///
/// As [`write`].
pub fn broken<B: Block>(
    top: &B,
    name: &str,
    prefix: &str,
    sources: &[&str],
    breakage: Breakage<'_>,
) -> Result<(Vec<EmittedModule>, Vec<Mutant>), Refusal> {
    if !names::is_free(name) {
        return Err(Refusal::new(name, "", "cannot be a name in Verilog"));
    }
    let sources = Sources::parse(sources)?;
    let instance = elaborate::elaborate(top, name)?;
    let block = sources.top(std::any::type_name::<B>())?;
    let mut writer = Writer { sources: &sources, breakage, drafts: vec![] };
    let number = writer.draft(&instance, &block, name, "")?;
    writer.drafts[number].base = name.to_string();
    writer.finish(number, prefix)
}

/// A module whose name, and those of the modules in it, are still open.
struct Draft {
    base: String,
    /// The field of its first owner, and that owner's `base`.
    field: String,
    owner: String,
    comment: Option<String>,
    text: String,
    ports: Vec<Port>,
    sites: Vec<Site>,
    children: Vec<usize>,
    memories: Vec<MemoryUse>,
}

impl Draft {
    fn is_memory(&self) -> bool {
        self.base == memories::MEMORY || self.base == memories::STROBE_MEMORY
    }
}

struct Writer<'a> {
    sources: &'a Sources,
    breakage: Breakage<'a>,
    drafts: Vec<Draft>,
}

impl Writer<'_> {
    /// `owner` is the block that has it as a field.
    fn draft(&mut self, instance: &Instance, block: &BlockType, path: &str, owner: &str) -> Result<usize, Refusal> {
        let mut kinds = vec![];
        let mut children = vec![];
        let mut memories: Vec<MemoryUse> = vec![];
        for child in &instance.children {
            let kind = self.child(child, block, path)?;
            match &kind {
                ChildKind::Module(numbers) => children.extend(numbers.iter().copied()),
                ChildKind::Memory(number, _) => {
                    children.push(*number);
                    let found = self.memory_use(*number, child);
                    match memories.iter_mut().find(|known| known.name == found.name) {
                        Some(known) => known.copies += 1,
                        None => memories.push(found),
                    }
                }
                ChildKind::Register(_) => {}
            }
            kinds.push(kind);
        }
        self.sources.find(&block.name)?;
        let mut scope = Scope::build(instance, path, block, self.sources, kinds)?;
        let statements = match &instance.code {
            Verilog::Combinatorial(kernel) => {
                let (written, text) = self.sources.kernel(&block.name)?;
                ambiguity::check(path, written)?;
                let kernel = comments::restored(path, kernel, written, text)?;
                lower::Lowerer::new(&scope, self.sources, &block.generics).kernel(&kernel)?
            }
            Verilog::Empty => return Err(scope.refusal("", "the block has no kernel: is #[hdl_gen] missing?")),
            _ => return Err(scope.refusal("", "hand-written Verilog is not translated")),
        };
        let comment = self.sources.block_comment(&block.name);
        scope.sites = (self.breakage != Breakage::None).then(Sites::default);
        let Written { text, ports, sites } = Module::new(scope).write(statements)?;
        let (base, owner) = (names::snake(&block.name), names::snake(owner));
        let field = instance.name.replace('$', "_");
        Ok(self.add(Draft { base, field, owner, comment, text, ports, sites, children, memories }))
    }

    fn child(&mut self, child: &Instance, owner: &BlockType, path: &str) -> Result<ChildKind, Refusal> {
        if let Verilog::Custom(code) = &child.code {
            if let Some(reset) = code.strip_prefix(memories::REGISTER) {
                return Ok(ChildKind::Register(reset_value(child, reset)));
            }
            let (address, width) = (port_width(child, "read_address"), port_width(child, "read_data"));
            if code == memories::MEMORY {
                let number = self.memory(memories::MEMORY, memories::MEMORY_COMMENT, memories::MEMORY_TEXT);
                return Ok(ChildKind::Memory(number, format!("#(.ADDRESS_BITS({address}), .WIDTH({width}))")));
            }
            if code == memories::STROBE_MEMORY {
                let (name, text) = (memories::STROBE_MEMORY, memories::STROBE_MEMORY_TEXT);
                let number = self.memory(name, memories::STROBE_MEMORY_COMMENT, text);
                let reads = port_length(child, "read_data");
                return Ok(ChildKind::Memory(number, format!("#(.ADDRESS_BITS({address}), .READS({reads}))")));
            }
        }
        let field = child.name.split('$').next().unwrap_or_default();
        let block = self.sources.field(owner, field)?;
        let place: String = child.position.iter().map(|index| format!("[{index}]")).collect();
        let path = format!("{path}.{}{place}", child.name.replace('$', "."));
        Ok(ChildKind::Module(vec![self.draft(child, &block, &path, &owner.name)?]))
    }

    fn memory(&mut self, name: &str, comment: &str, text: &str) -> usize {
        self.add(Draft {
            base: name.to_string(),
            field: String::new(),
            owner: String::new(),
            comment: Some(comment.to_string()),
            text: text.to_string(),
            ports: vec![],
            sites: vec![],
            children: vec![],
            memories: vec![],
        })
    }

    fn memory_use(&self, number: usize, child: &Instance) -> MemoryUse {
        MemoryUse {
            name: child.name.replace('$', "_"),
            memory: self.drafts[number].base.clone(),
            words: 1_u128 << port_width(child, "read_address"),
            width: port_width(child, "read_data"),
            reads: port_length(child, "read_data"),
            copies: 1,
        }
    }

    /// Modules with the same text are one module.
    fn add(&mut self, draft: Draft) -> usize {
        let same = |known: &Draft| known.base == draft.base && known.text == draft.text && known.sites == draft.sites;
        match self.drafts.iter().position(same) {
            Some(number) => number,
            None => {
                self.drafts.push(draft);
                self.drafts.len() - 1
            }
        }
    }

    fn finish(self, top: usize, prefix: &str) -> Result<(Vec<EmittedModule>, Vec<Mutant>), Refusal> {
        let mut order = vec![];
        self.visit(top, &mut order);
        let names = self.names(&order, prefix)?;
        let mut mutants: Vec<Mutant> = vec![];
        let is_wired = matches!(self.breakage, Breakage::Wired(_));
        let mut modules: Vec<_> = order
            .iter()
            .map(|number| {
                let draft = &self.drafts[*number];
                let name = &names[number];
                let block = name.strip_prefix(prefix).filter(|_| *number != top).unwrap_or(name);
                let first = mutants.len() as u32 + 1;
                let declarations = mutation::declarations(&draft.sites, first, self.breakage, &names[&top]);
                let port = mutation::port(self.breakage, *number == top);
                let mut text = draft.text.replace(mutation::DECLARATIONS, &declarations).replace(mutation::PORT, &port);
                for Site { fault, place, width } in &draft.sites {
                    for bit in 0..*width as u32 {
                        let (id, place) = (mutants.len() as u32 + 1, place.clone());
                        mutants.push(Mutant { id, module: block.to_string(), fault: *fault, place, bit });
                    }
                }
                for child in &draft.children {
                    let hole = placeholder(*child);
                    if is_wired && !self.drafts[*child].is_memory() {
                        text = mutation::passed_on(&text, &hole);
                    }
                    text = text.replace(&hole, &names[child]);
                }
                text = text.replace(contracts::OWN_NAME, name);
                let heading = module::heading(name, draft.comment.as_deref());
                EmittedModule {
                    name: name.clone(),
                    block: block.to_string(),
                    comment: draft.comment.clone(),
                    is_memory: draft.is_memory(),
                    memories: draft.memories.clone(),
                    ports: draft.ports.clone(),
                    text: format!("{heading}\nmodule {name}{text}\n"),
                    children: draft.children.iter().map(|child| names[child].clone()).collect(),
                }
            })
            .collect();
        if is_wired {
            for module in &mut modules {
                module.text = module.text.replace(mutation::COUNT, &mutants.len().to_string());
            }
        }
        Ok((modules, mutants))
    }

    fn visit(&self, number: usize, order: &mut Vec<usize>) {
        if !order.contains(&number) {
            order.push(number);
            self.drafts[number].children.iter().for_each(|child| self.visit(*child, order));
        }
    }

    /// The name of the block where there is one of it; of blocks that differ in their sizes, that of the field in front of it, and
    /// the owner's in front of that where two owners have such a field. `prefix` in front of all but the first, which is the top.
    fn names(&self, order: &[usize], prefix: &str) -> Result<BTreeMap<usize, String>, Refusal> {
        let long = |number: &usize, by_owner: bool| {
            let Draft { base, field, owner, .. } = &self.drafts[*number];
            let alone = order.iter().filter(|other| self.drafts[**other].base == *base).count() == 1;
            let field = if field.ends_with(base.as_str()) { field.clone() } else { format!("{field}_{base}") };
            match (order.first() == Some(number), alone, by_owner) {
                (true, ..) => base.clone(),
                (_, true, _) => format!("{prefix}{base}"),
                (_, false, false) => format!("{prefix}{field}"),
                (_, false, true) => format!("{prefix}{owner}_{field}"),
            }
        };
        let mut names: BTreeMap<usize, String> = BTreeMap::new();
        for number in order {
            let short = long(number, false);
            let is_shared = order.iter().filter(|other| long(other, false) == short).count() > 1;
            let name = if is_shared { long(number, true) } else { short };
            if !names::is_free(&name) || names.values().any(|other| *other == name) {
                return Err(Refusal::new(&name, "", "cannot be the name of a module: rename the block or its field"));
            }
            names.insert(*number, name);
        }
        Ok(names)
    }
}

fn port_width(child: &Instance, port: &str) -> usize {
    child.atoms.iter().find(|atom| atom.name == port).map_or(1, |atom| atom.width)
}

fn port_length(child: &Instance, port: &str) -> usize {
    child.atoms.iter().find(|atom| atom.name == port).map_or(1, |atom| atom.values.len())
}

/// The reset value follows the mark, as a Verilog literal, up to the end of the line.
fn reset_value(child: &Instance, text: &str) -> BigUint {
    let width = child.atoms.iter().find(|atom| atom.name == "q").map_or(1, |atom| atom.width);
    let digits = text.lines().next().and_then(|line| line.split_once("'h")).map_or("0", |(_, digits)| digits);
    let number = num_bigint::BigInt::parse_bytes(digits.as_bytes(), 16).unwrap_or_default();
    let modulus = num_bigint::BigInt::from(1) << width;
    let wrapped = ((number % &modulus) + &modulus) % &modulus;
    wrapped.to_biguint().unwrap_or_default()
}
