//! Lowering: the micro-op of an instruction, and where its per-lane values come from and go to.

use std::ops::Range;

use crate::diagnostic::Diagnostic;
use crate::micro_op::{
    AccessSize, CacheOperator, DestinationWidth, L1Eviction, L2Eviction, MicroOp, Op, Prefetch, Scope, Semantics, Space,
};

use super::context::{Context, Symbol, Variable, VariableSpace};
use super::instruction::{Base, Guard, Immediate, Instruction, Operation, Order, Part, Source, StateSpace};
use super::types::{Class, DataType};

/// Rule of what is legal and not served by this version of the unit.
const NOT_SERVED: &str = "not-served";

/// What the immediate of the micro-op is added to, lane by lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AddressBase {
    /// A register, zero-extended to 64 bits where it is narrower.
    Register {
        /// Name of the register.
        name: Box<str>,
        /// Its width in bits.
        bits: u16,
    },
    /// The address of a variable in its own state space.
    Variable {
        /// Name of the variable.
        name: Box<str>,
        /// Where it lives.
        variable: Variable,
    },
    /// Zero.
    Zero,
}

/// What fills the part of a destination register above the 64 bits that the unit writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpperHalf {
    /// Zeros.
    Zero,
    /// Copies of the sign.
    Sign,
}

/// One element: where it is loaded to or stored from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// Register, sink or number.
    pub source: Source,
    /// Type of the register; for a number or a sink, that of the access.
    pub data_type: DataType,
    /// For a 128-bit destination of a narrower load: what goes above bit 63. The unit writes 64 bits; the rest is done
    /// where the result is received, as NVIDIA's compiler does it with instructions of its own.
    pub upper_half: Option<UpperHalf>,
}

impl Element {
    /// The bits of a number to store, for an access of `bits` bits (of 128 the lower half; the upper is 0); `None` for a register or
    /// a sink.
    pub fn number(&self, bits: u16) -> Option<u64> {
        let Source::Immediate(immediate) = self.source else { return None };
        Some(match immediate {
            Immediate::Integer(value) if bits < 64 => value as u64 & ((1 << bits) - 1),
            Immediate::Integer(value) => value as u64,
            Immediate::Double(double) if bits == 32 => u64::from((f64::from_bits(double) as f32).to_bits()),
            Immediate::Double(double) => double,
            Immediate::Single(single) if bits == 32 => u64::from(single),
            Immediate::Single(single) => f64::from(f32::from_bits(single)).to_bits(),
        })
    }
}

/// Where the cache policy comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PolicySource {
    /// It stands in the instruction, and in the micro-op.
    Immediate(u64),
    /// A register or a component of one holds it; the micro-op has 0 in its place.
    Register(Box<str>),
}

/// The micro-op of an instruction and everything around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lowered {
    /// What the `req` port carries; `rd` is 0, for the caller to choose.
    pub micro_op: MicroOp,
    /// What the immediate is added to.
    pub address: AddressBase,
    /// The elements, in order.
    pub elements: Vec<Element>,
    /// The cache policy.
    pub policy: Option<PolicySource>,
    /// The guard predicate: where it does not hold, the lane takes no part.
    pub guard: Option<Guard>,
}

/// Lowers `instruction`, which should be legal, among the declarations of `context`.
///
/// # Errors
/// Rule `immediate-range` where the offset does not fit the port's 32 signed bits, `outside-unit` for explicit constant
/// banks and for operands that are computed first, `symbol-unknown` for undeclared names, `type-unsupported` for sizes that do not exist.
pub fn lower(instruction: &Instruction, context: &Context) -> Result<Lowered, Diagnostic> {
    let access = instruction.data_type.value;
    let Some(size) = AccessSize::from_bits(access.bits.into()) else {
        let message = format!("no access has the type .{access}");
        return Err(Diagnostic::error("type-unsupported", instruction.data_type.span.clone(), message));
    };
    if let Some(reason) = not_one_request(instruction, context) {
        return Err(reason);
    }
    let is_load = instruction.operation.value == Operation::Load;
    let (address, variable, scale) = base(instruction, context)?;
    let imm = immediate(instruction, scale)?;
    let elements = elements(instruction, context)?;
    let widest = elements.iter().filter(|element| element.source != Source::Sink).map(|element| element.data_type.bits);
    let dst_width = match widest.max().unwrap_or(access.bits).max(access.bits) {
        _ if !is_load && access.bits <= 32 => DestinationWidth::Bits32,
        _ if !is_load => DestinationWidth::Bits64,
        ..=16 => DestinationWidth::Bits16,
        17..=32 => DestinationWidth::Bits32,
        _ => DestinationWidth::Bits64,
    };
    let sink = elements
        .iter()
        .enumerate()
        .filter(|(_, element)| element.source == Source::Sink)
        .fold(0, |mask, (index, _)| mask | 1_u8 << (index & 7));
    let policy = instruction.policy.as_ref().map(|policy| match &policy.value {
        Source::Immediate(Immediate::Integer(value)) => PolicySource::Immediate(*value as u64),
        Source::Immediate(Immediate::Double(bits)) => PolicySource::Immediate(*bits),
        Source::Immediate(Immediate::Single(bits)) => PolicySource::Immediate(u64::from(*bits)),
        register => PolicySource::Register(register.to_string().into()),
    });
    let space = space(instruction, context, variable)?;
    let micro_op = MicroOp {
        op: op(instruction),
        space,
        sem: semantics(instruction),
        scope: scope(instruction),
        cop: instruction.operator.as_ref().map_or(CacheOperator::Default, |operator| operator.value),
        l1_evict: instruction.l1_eviction.as_ref().map_or(L1Eviction::Normal, |priority| priority.value),
        l2_evict: instruction.l2_eviction.as_ref().map_or(L2Eviction::Normal, |priority| priority.value),
        prefetch: instruction.prefetch.as_ref().map_or(Prefetch::None, |prefetch| prefetch.value),
        policy: policy.as_ref().map(|policy| match policy {
            PolicySource::Immediate(value) => *value,
            PolicySource::Register(_) => 0,
        }),
        nc: instruction.non_coherent.is_some(),
        size,
        vec: instruction.elements(),
        sink,
        sign: is_load && access.is_signed(),
        dst_width,
        imm,
        // Bank 3 holds .const variables, bank 0 the kernel's parameters.
        bank: if space == Space::Const { 3 } else { 0 },
        ..MicroOp::default()
    };
    let guard = instruction.guard.as_ref().map(|guard| guard.value.clone());
    Ok(Lowered { micro_op, address, elements, policy, guard })
}

/// Why this version of the unit does not serve `instruction`, which should be legal, among the declarations of `context`; `None`
/// where it does.
pub fn not_served(instruction: &Instruction, context: &Context) -> Option<Diagnostic> {
    if let Some(reason) = not_one_request(instruction, context) {
        return Some(reason);
    }
    let address = &instruction.address.value;
    let symbol = match &address.base.value {
        Base::Name(name) => context.look_up(name),
        Base::Immediate => None,
    };
    let variable = match symbol {
        Some(Symbol::Variable(variable)) => Some(variable),
        _ => None,
    };
    let scale = variable.filter(|_| address.is_indexed).map_or(1, |variable| i64::from(variable.element_bytes()));
    let checked = immediate(instruction, scale).and_then(|_| space(instruction, context, variable));
    match checked {
        Err(refusal) => Some(refusal),
        Ok(found) => MicroOp { op: op(instruction), space: found, ..MicroOp::default() }.not_served().map(|message| {
            let written = instruction.space.as_ref().map_or(&instruction.operation.span, |space| &space.span);
            Diagnostic::error(NOT_SERVED, written.clone(), message).with_label("legal, but not served")
        }),
    }
}

/// Why an instruction that may be legal is no single request: NVIDIA's compiler puts another instruction before it.
fn not_one_request(instruction: &Instruction, context: &Context) -> Option<Diagnostic> {
    let refused = |span: &Range<usize>, message: String, help| {
        Some(Diagnostic::error("outside-unit", span.clone(), message).with_help(help))
    };
    if let Some(index) = &instruction.address.value.index {
        let message = format!("the element that `{}` chooses has its address computed first", index.value);
        let help = "add the register to the address of the variable, then load or store through the sum";
        return refused(&index.span, message, help);
    }
    instruction.sources().iter().chain(&instruction.policy).find_map(|source| {
        let message = needs_another_instruction(&source.value, context)?;
        refused(&source.span, message, "use a register that holds the value as it is in memory")
    })
}

/// What is done with an operand before or after the request, where it is more than a register or a number.
fn needs_another_instruction(source: &Source, context: &Context) -> Option<String> {
    let Source::Register { name, part } = source else {
        return matches!(source, Source::Sum { .. }).then(|| "the sum is computed first".to_owned());
    };
    match context.look_up(name)? {
        Symbol::Function => Some(format!("the address of `{name}` is moved to a register first")),
        Symbol::Variable(_) => Some(format!("`{name}` is a variable in the place of a register")),
        Symbol::Register { data_type, .. } if data_type.class == Class::Predicate => {
            Some(format!("the predicate `{name}` is a number in memory"))
        }
        Symbol::Register { vector, .. } => {
            let part = part.as_ref()?;
            let is_component = part.component().is_some_and(|component| component < vector);
            (!is_component).then(|| format!("`{source}` is no register of its own"))
        }
        Symbol::Other => None,
    }
}

/// Load or store.
fn op(instruction: &Instruction) -> Op {
    if instruction.operation.value == Operation::Load { Op::Load } else { Op::Store }
}

/// The immediate part of the address; one step of the offset is `scale` bytes.
fn immediate(instruction: &Instruction, scale: i64) -> Result<i32, Diagnostic> {
    let offset = &instruction.address.value.offset;
    offset.value.checked_mul(scale).and_then(|offset| i32::try_from(offset).ok()).ok_or_else(|| {
        Diagnostic::error("immediate-range", offset.span.clone(), "the offset does not fit 32 signed bits")
            .with_help("add it to the register instead")
    })
}

/// The base of the address, its variable where it is one, and how many bytes one step of the offset is.
fn base(instruction: &Instruction, context: &Context) -> Result<(AddressBase, Option<Variable>, i64), Diagnostic> {
    let address = &instruction.address.value;
    let Base::Name(name) = &address.base.value else { return Ok((AddressBase::Zero, None, 1)) };
    match context.look_up(name) {
        Some(Symbol::Register { data_type, .. }) => {
            Ok((AddressBase::Register { name: name.clone(), bits: data_type.bits }, None, 1))
        }
        Some(Symbol::Variable(variable)) => {
            let scale = if address.is_indexed { i64::from(variable.element_bytes()) } else { 1 };
            Ok((AddressBase::Variable { name: name.clone(), variable }, Some(variable), scale))
        }
        _ => Err(super::rules::unknown(name, address.base.span.clone())),
    }
}

/// The elements with the types of their registers.
fn elements(instruction: &Instruction, context: &Context) -> Result<Vec<Element>, Diagnostic> {
    let access = instruction.data_type.value;
    let is_load = instruction.operation.value == Operation::Load;
    let upper_half = |data_type: DataType| {
        let is_filled = is_load && data_type.bits == 128 && access.bits < 128;
        is_filled.then_some(if access.is_signed() { UpperHalf::Sign } else { UpperHalf::Zero })
    };
    let mut elements = Vec::with_capacity(8);
    for source in instruction.sources() {
        match &source.value {
            Source::Register { name, part } => {
                let Some(Symbol::Register { data_type, vector }) = context.look_up(name) else {
                    return Err(super::rules::unknown(name, source.span.clone()));
                };
                let whole = part.is_none() && vector > 1;
                let parts = match whole {
                    true => (0..vector).map(|component| Some(Part::Component(component))).collect(),
                    false => vec![part.as_ref().and_then(Part::component).map(Part::Component)],
                };
                for part in parts {
                    elements.push(Element {
                        source: Source::Register { name: name.clone(), part },
                        data_type,
                        upper_half: upper_half(data_type),
                    });
                }
            }
            other => elements.push(Element { source: other.clone(), data_type: access, upper_half: None }),
        }
    }
    Ok(elements)
}

/// The space of the micro-op.
fn space(instruction: &Instruction, context: &Context, variable: Option<Variable>) -> Result<Space, Diagnostic> {
    Ok(match (instruction.state_space(), variable.map(|variable| variable.space)) {
        (None, None) => Space::Generic,
        // A name says where it lives, so nothing is left to the windows.
        (None, Some(VariableSpace::Global)) | (Some(StateSpace::Global), _) => Space::Global,
        (None, Some(VariableSpace::Shared)) | (Some(StateSpace::Shared | StateSpace::SharedCta), _) => Space::Shared,
        (None, Some(VariableSpace::Local)) | (Some(StateSpace::Local), _) => Space::Local,
        (None, Some(VariableSpace::Const)) | (Some(StateSpace::Const), _) => Space::Const,
        (Some(StateSpace::SharedCluster), _) => Space::SharedCluster,
        (Some(StateSpace::ParamEntry), _) | (_, Some(VariableSpace::KernelParameter)) => Space::ParamEntry,
        (Some(StateSpace::ParamFunc), _) | (_, Some(_)) => Space::ParamFunc,
        (Some(StateSpace::Param), None) => {
            if context.is_kernel {
                Space::ParamEntry
            } else {
                Space::ParamFunc
            }
        }
        (Some(StateSpace::ConstBank(_)), _) => {
            let span = instruction.space.as_ref().map_or(0..0, |space| space.span.clone());
            return Err(Diagnostic::error("outside-unit", span, "explicit constant banks are outside the unit")
                .with_help("write .const, or use SASS LDC with a bank"));
        }
    })
}

/// Order and `.mmio` together.
fn semantics(instruction: &Instruction) -> Semantics {
    let order = instruction.order.as_ref().map_or(Order::Weak, |order| order.value);
    match (instruction.mmio.is_some(), order) {
        (true, Order::Acquire) => Semantics::MmioAcquire,
        (true, Order::Release) => Semantics::MmioRelease,
        (true, _) => Semantics::Mmio,
        (false, Order::Weak) => Semantics::Weak,
        (false, Order::Relaxed) => Semantics::Relaxed,
        (false, Order::Acquire) => Semantics::Acquire,
        (false, Order::Release) => Semantics::Release,
        (false, Order::Volatile) => Semantics::Volatile,
    }
}

/// The scope; that of `.volatile` is the system.
fn scope(instruction: &Instruction) -> Scope {
    match (&instruction.scope, &instruction.order) {
        (Some(scope), _) => scope.value,
        (None, Some(order)) if order.value == Order::Volatile => Scope::Sys,
        _ => Scope::Cta,
    }
}
