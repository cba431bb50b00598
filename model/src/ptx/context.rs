//! Declarations that an instruction can see.

use std::collections::HashMap;

use super::instruction::{Base, Data, Instruction, Operation, Source, StateSpace};
use super::special::{Special, special};
use super::types::{Class, DataType};

/// Where a variable lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableSpace {
    /// `.global`.
    Global,
    /// `.const`.
    Const,
    /// `.shared`.
    Shared,
    /// `.local`.
    Local,
    /// A parameter of the kernel.
    KernelParameter,
    /// An input parameter of the device function.
    FunctionInput,
    /// The return parameter of the device function.
    FunctionReturn,
    /// A `.param` variable declared in the body, for a call.
    LocalParameter,
}

impl VariableSpace {
    /// The state space that an instruction names to reach it.
    pub const fn state_space(self) -> &'static str {
        match self {
            Self::Global => ".global",
            Self::Const => ".const",
            Self::Shared => ".shared",
            Self::Local => ".local",
            Self::KernelParameter | Self::FunctionInput | Self::FunctionReturn | Self::LocalParameter => ".param",
        }
    }
}

/// A variable that an address may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Where it lives.
    pub space: VariableSpace,
    /// Whether it was declared with `.attribute(.unified)`.
    pub is_unified: bool,
    /// Type of the variable, or of one component; textures and the like have none.
    pub data_type: Option<DataType>,
    /// Components: 1, 2 or 4.
    pub vector: u8,
    /// Whether it was declared with a length, as that form needs.
    pub is_array: bool,
}

impl Variable {
    /// An array of bytes, such as names by convention stand for.
    const fn bytes(space: VariableSpace, is_unified: bool) -> Self {
        let data_type = DataType { class: Class::Bits, bits: 8 };
        Self { space, is_unified, data_type: Some(data_type), vector: 1, is_array: true }
    }

    /// Bytes of one element, for the form `name[index]`.
    pub fn element_bytes(&self) -> u16 {
        self.data_type.map_or(1, |data_type| data_type.bits.div_ceil(8)) * u16::from(self.vector)
    }
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbol {
    /// A register of `vector` components (1 for an ordinary register).
    Register {
        /// Type of the register, or of one component.
        data_type: DataType,
        /// Components: 1, 2 or 4.
        vector: u8,
    },
    /// A variable.
    Variable(Variable),
    /// A function, whose address a store may write.
    Function,
    /// A label or the like: nothing that a load or store can use.
    Other,
}

/// Names declared in one block.
#[derive(Clone, Debug, Default)]
struct Scope {
    names: HashMap<Box<str>, Symbol>,
    /// `%r<5>` declares `%r0` to `%r4`: prefix, type and how many.
    ranges: HashMap<Box<str>, (Symbol, u32)>,
}

/// The declarations around an instruction, innermost last.
#[derive(Clone, Debug)]
pub struct Context {
    scopes: Vec<Scope>,
    /// Whether the instruction stands in a kernel (`.entry`) rather than in a device function.
    pub is_kernel: bool,
    /// Whether undeclared names mean what they mean in the data files of this project.
    has_conventions: bool,
}

impl Default for Context {
    fn default() -> Self {
        Self::new()
    }
}

impl Context {
    /// An empty context inside a kernel.
    pub fn new() -> Self {
        Self { scopes: vec![Scope::default()], is_kernel: true, has_conventions: false }
    }

    /// A context in which names without a declaration are known by convention: `%r` with a number is a `.b32` register,
    /// `%rd` a `.b64` one and so on, `pol` a policy, `gbl` a global variable, `kparam` a kernel parameter.
    pub fn with_conventions() -> Self {
        Self { has_conventions: true, ..Self::new() }
    }

    /// Whether undeclared names are known by convention; the instruction then stands in a kernel with parameters.
    pub fn has_conventions(&self) -> bool {
        self.has_conventions
    }

    /// Opens a block.
    pub fn open(&mut self) {
        self.scopes.push(Scope::default());
    }

    /// Closes the innermost block; the outermost stays.
    pub fn close(&mut self) {
        if self.scopes.len() > 1 {
            self.scopes.pop();
        }
    }

    /// How many blocks are open, the outermost included.
    pub fn depth(&self) -> usize {
        self.scopes.len()
    }

    /// Declares `name` in the innermost block. `false` where that block already declares it as something else.
    pub fn declare(&mut self, name: &str, symbol: Symbol) -> bool {
        let Some(scope) = self.scopes.last_mut() else { return false };
        match scope.names.insert(name.into(), symbol) {
            Some(earlier) => earlier == symbol,
            None => true,
        }
    }

    /// Declares `prefix0` to `prefix<count - 1>` in the innermost block. `false` where that contradicts an earlier
    /// range.
    pub fn declare_range(&mut self, prefix: &str, count: u32, symbol: Symbol) -> bool {
        let Some(scope) = self.scopes.last_mut() else { return false };
        match scope.ranges.insert(prefix.into(), (symbol, count)) {
            Some((earlier, _)) => earlier == symbol,
            None => true,
        }
    }

    /// What `name` stands for, seen from the innermost block: what is declared, or else a special register.
    pub fn look_up(&self, name: &str) -> Option<Symbol> {
        self.declared(name)
            .or_else(|| special(name).map(|Special { data_type, vector, .. }| Symbol::Register { data_type, vector }))
    }

    /// The special register that `name` stands for, unless something is declared by that name.
    pub(super) fn special(&self, name: &str) -> Option<Special> {
        special(name).filter(|_| self.declared(name).is_none())
    }

    /// What `name` was declared as, or is known by convention.
    fn declared(&self, name: &str) -> Option<Symbol> {
        let prefix = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let number = number(&name[prefix.len()..]);
        for scope in self.scopes.iter().rev() {
            if let Some(symbol) = scope.names.get(name) {
                return Some(*symbol);
            }
            if let (Some(number), Some((symbol, count))) = (number, scope.ranges.get(prefix))
                && number < *count
            {
                return Some(*symbol);
            }
        }
        if self.has_conventions { conventional(name, prefix) } else { None }
    }
}

impl Context {
    /// Declares every name that `instruction` uses and nothing declares as what the instruction plainly needs: a name in an address as
    /// a variable of the instruction's state space, or with a `%` in front as a 64-bit register; a predicate; a register of the
    /// type that NVIDIA's compiler gives the name, else of the instruction's. Returns each name with what was assumed. An access to
    /// `.param::func` through a register stands in a device function: a kernel has none.
    pub fn assume_undeclared(&mut self, instruction: &Instruction) -> Vec<(String, String)> {
        let mut assumed = Vec::new();
        let mut assume = |context: &mut Self, name: &str, data_type: DataType, vector: u8| {
            if context.look_up(name).is_none() {
                context.declare(name, Symbol::Register { data_type, vector });
                let vector = if vector > 1 { format!(".v{vector} ") } else { String::new() };
                assumed.push((name.to_owned(), format!("{vector}.{data_type} register")));
            }
        };
        let bits = |bits| DataType { class: Class::Bits, bits };
        if let Some(guard) = &instruction.guard {
            assume(self, &guard.value.name, DataType { class: Class::Predicate, bits: 1 }, 1);
        }
        if let Some(Source::Register { name, part: None }) = instruction.policy.as_ref().map(|policy| &policy.value) {
            assume(self, name, bits(64), 1);
        }
        let is_whole = matches!(instruction.data.value, Data::Single(_));
        for source in instruction.sources() {
            if let Source::Register { name, part: None } = &source.value {
                let vector = if is_whole { instruction.elements() } else { 1 };
                match compilers_bits(name) {
                    Some(width) if vector == 1 => assume(self, name, bits(width), 1),
                    _ => assume(self, name, instruction.data_type.value, vector),
                }
            }
        }
        if let Some(index) = &instruction.address.value.index {
            assume(self, &index.value, bits(64), 1);
        }
        match &instruction.address.value.base.value {
            Base::Name(name) if name.starts_with('%') => assume(self, name, bits(64), 1),
            Base::Name(name) if self.look_up(name).is_none() => {
                let variable = self.needed_variable(instruction);
                self.declare(name, Symbol::Variable(variable));
                assumed.push((name.to_string(), format!("variable in {}", variable.space.state_space())));
            }
            _ => {}
        }
        if let Base::Name(name) = &instruction.address.value.base.value
            && let Some(Symbol::Register { .. }) = self.look_up(name)
        {
            self.is_kernel &= instruction.state_space() != Some(StateSpace::ParamFunc);
        }
        assumed
    }

    /// A variable that the address of `instruction` may name.
    fn needed_variable(&self, instruction: &Instruction) -> Variable {
        let is_load = instruction.operation.value == Operation::Load;
        let space = match instruction.state_space() {
            None | Some(StateSpace::Global) => VariableSpace::Global,
            Some(StateSpace::Shared | StateSpace::SharedCta | StateSpace::SharedCluster) => VariableSpace::Shared,
            Some(StateSpace::Local) => VariableSpace::Local,
            Some(StateSpace::Const | StateSpace::ConstBank(_)) => VariableSpace::Const,
            Some(StateSpace::ParamEntry) => VariableSpace::KernelParameter,
            Some(StateSpace::ParamFunc) => VariableSpace::LocalParameter,
            Some(StateSpace::Param) if is_load && self.is_kernel => VariableSpace::KernelParameter,
            Some(StateSpace::Param) if is_load => VariableSpace::FunctionInput,
            Some(StateSpace::Param) => VariableSpace::LocalParameter,
        };
        let is_unified = instruction.address.value.unified.is_some();
        Variable { data_type: Some(instruction.data_type.value), ..Variable::bytes(space, is_unified) }
    }
}

/// The number of a register of a range, by its digits. Zeros before it do not count, and of a large one only the low 32 bits do, as for
/// NVIDIA's assembler.
fn number(digits: &str) -> Option<u32> {
    let add = |number: u32, digit: u8| number.wrapping_mul(10).wrapping_add(u32::from(digit - b'0'));
    (!digits.is_empty()).then(|| digits.bytes().fold(0, add))
}

/// Bits of the registers that NVIDIA's compiler calls so, where the conventions of the data files do not say it already.
fn compilers_bits(name: &str) -> Option<u16> {
    let prefix = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    match prefix {
        "%rs" => Some(16),
        "%rq" => Some(128),
        _ => None,
    }
}

impl Context {
    /// Declares one name by the text of its kind, as JSON lines and program files give it: a register type such as
    /// `b32`, or a state space such as `const`. `false` where the kind is unknown or the name is taken.
    pub fn declare_as(&mut self, name: &str, kind: &str) -> bool {
        let variable = |space| Symbol::Variable(Variable::bytes(space, false));
        let symbol = match kind.trim_start_matches('.') {
            "global" => variable(VariableSpace::Global),
            "global.unified" | "unified" => Symbol::Variable(Variable::bytes(VariableSpace::Global, true)),
            "const" => variable(VariableSpace::Const),
            "shared" => variable(VariableSpace::Shared),
            "local" => variable(VariableSpace::Local),
            "param" | "param::entry" if self.is_kernel => variable(VariableSpace::KernelParameter),
            "param" => variable(VariableSpace::FunctionInput),
            "param::func" => variable(VariableSpace::LocalParameter),
            kind => {
                let (vector, name) = match kind.split_once('.') {
                    Some(("v2", rest)) => (2, rest),
                    Some(("v4", rest)) => (4, rest),
                    _ => (1, kind),
                };
                match DataType::parse(name) {
                    Some(data_type) if data_type.class != Class::Predicate || vector == 1 => {
                        Symbol::Register { data_type, vector }
                    }
                    _ => return false,
                }
            }
        };
        self.declare(name, symbol)
    }
}

/// What an undeclared name means in the data files.
fn conventional(name: &str, prefix: &str) -> Option<Symbol> {
    let variable = |space, is_unified| Some(Symbol::Variable(Variable::bytes(space, is_unified)));
    match name {
        "gbl" => return variable(VariableSpace::Global, false),
        "ugbl" => return variable(VariableSpace::Global, true),
        "cst" => return variable(VariableSpace::Const, false),
        "sh" => return variable(VariableSpace::Shared, false),
        "lcl" => return variable(VariableSpace::Local, false),
        "kp" | "kparam" => return variable(VariableSpace::KernelParameter, false),
        _ => {}
    }
    let (class, bits) = match prefix {
        "%r" => (Class::Bits, 32),
        "%u" => (Class::Unsigned, 32),
        "%s" => (Class::Signed, 32),
        "%rd" => (Class::Bits, 64),
        "%ud" => (Class::Unsigned, 64),
        "%sd" => (Class::Signed, 64),
        "%h" => (Class::Bits, 16),
        "%uh" => (Class::Unsigned, 16),
        "%sh" => (Class::Signed, 16),
        "%b" => (Class::Bits, 8),
        "%ub" => (Class::Unsigned, 8),
        "%sb" => (Class::Signed, 8),
        "%f" => (Class::Float, 32),
        "%d" | "%fd" => (Class::Float, 64),
        "%q" => (Class::Bits, 128),
        "%p" => (Class::Predicate, 1),
        "pol" => (Class::Bits, 64),
        _ => return None,
    };
    Some(Symbol::Register { data_type: DataType { class, bits }, vector: 1 })
}
