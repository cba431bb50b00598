//! Raising: from a micro-op back to an instruction, the inverse of lowering.

use crate::micro_op::{
    CacheOperator, DestinationWidth, L1Eviction, L2Eviction, MicroOp, Op, Prefetch, Scope, Semantics, Space,
};

use super::context::Context;
use super::instruction::{Address, At, Base, Data, Immediate, Instruction, Operation, Order, Source, StateSpace};
use super::lowering::lower;
use super::types::{Class, DataType};

/// Name of the register with the address.
const ADDRESS: &str = "%rd1";

/// The load or store that comes closest to `micro_op`: what it lowers to differs at most in fields that the operation
/// does not look at, or that no text sets beside the others. Names follow the convention of
/// [`Context::with_conventions`]: the address is `%rd1 + immediate`, destination or data `%h1`, `%r1`, `%rd2` or `%q1`
/// and those that follow. `None` for operations that are no load or store, and for sizes that do not exist.
pub fn nearest(micro_op: &MicroOp) -> Option<Instruction> {
    let operation = match micro_op.op {
        Op::Load => Operation::Load,
        Op::Store => Operation::Store,
        Op::Ldc | Op::Command(_) => return None,
    };
    let is_load = operation == Operation::Load;
    let bits = 8 * u16::try_from(micro_op.size.bytes()?).ok()?;
    let class = match bits {
        128 => Class::Bits,
        _ if is_load && micro_op.sign => Class::Signed,
        _ => Class::Unsigned,
    };
    let (prefix, first) = match bits {
        128 => ("%q", 1),
        64 => ("%rd", 2),
        _ if is_load && micro_op.dst_width == DestinationWidth::Bits64 => ("%rd", 2),
        ..=16 if is_load && micro_op.dst_width == DestinationWidth::Bits16 => ("%h", 1),
        _ => ("%r", 1),
    };
    let element = |index: u8| {
        let is_sink = (is_load || bits * u16::from(micro_op.vec) == 256) && micro_op.sink >> index & 1 == 1;
        at(match is_sink {
            true => Source::Sink,
            false => Source::Register { name: format!("{prefix}{}", first + index).into(), part: None },
        })
    };
    let is_vector = micro_op.vec > 1;
    let (order, is_mmio) = order(micro_op.sem);
    let scope = match order {
        _ if is_mmio => Some(Scope::Sys),
        Some(order) if order.is_strong() => Some(micro_op.scope),
        _ => None,
    };
    Some(Instruction {
        guard: None,
        operation: at(operation),
        mmio: is_mmio.then(|| at(())),
        order: order.map(at),
        scope: scope.map(at),
        space: state_space(micro_op.space).map(at),
        operator: (micro_op.cop != CacheOperator::Default).then(|| at(micro_op.cop)),
        non_coherent: micro_op.nc.then(|| at(())),
        l1_eviction: (micro_op.l1_evict != L1Eviction::Normal).then(|| at(micro_op.l1_evict)),
        l2_eviction: (micro_op.l2_evict != L2Eviction::Normal).then(|| at(micro_op.l2_evict)),
        cache_hint: micro_op.policy.map(|_| at(())),
        prefetch: (micro_op.prefetch != Prefetch::None).then(|| at(micro_op.prefetch)),
        vector: is_vector.then(|| at(micro_op.vec)),
        data_type: at(DataType { class, bits }),
        data: at(match is_vector {
            true => Data::Vector((0..micro_op.vec).map(element).collect()),
            false => Data::Single(element(0)),
        }),
        address: at(Address {
            base: at(Base::Name(ADDRESS.into())),
            index: None,
            offset: at(micro_op.imm.into()),
            is_indexed: false,
            unified: None,
        }),
        policy: micro_op.policy.map(|policy| at(Source::Immediate(Immediate::Integer(policy as i64)))),
    })
}

/// The load or store that lowers to `micro_op`, its destination register apart; `None` where there is none. It need not
/// be legal.
pub fn raise(micro_op: &MicroOp) -> Option<Instruction> {
    let instruction = nearest(micro_op)?;
    let lowered = lower(&instruction, &Context::with_conventions()).ok()?;
    (lowered.micro_op == MicroOp { rd: lowered.micro_op.rd, ..*micro_op }).then_some(instruction)
}

/// A part of an instruction that no text says.
fn at<T>(value: T) -> At<T> {
    At::new(value, 0..0)
}

/// Order, and whether `.mmio` stands beside it.
fn order(semantics: Semantics) -> (Option<Order>, bool) {
    match semantics {
        Semantics::Weak => (None, false),
        Semantics::Relaxed => (Some(Order::Relaxed), false),
        Semantics::Acquire => (Some(Order::Acquire), false),
        Semantics::Release => (Some(Order::Release), false),
        Semantics::Volatile => (Some(Order::Volatile), false),
        Semantics::Mmio => (Some(Order::Relaxed), true),
        Semantics::MmioAcquire => (Some(Order::Acquire), true),
        Semantics::MmioRelease => (Some(Order::Release), true),
    }
}

/// The qualifier of a state space.
fn state_space(space: Space) -> Option<StateSpace> {
    Some(match space {
        Space::Generic => return None,
        Space::Global => StateSpace::Global,
        Space::Shared => StateSpace::Shared,
        Space::SharedCluster => StateSpace::SharedCluster,
        Space::Local => StateSpace::Local,
        Space::Const => StateSpace::Const,
        Space::ParamEntry => StateSpace::ParamEntry,
        Space::ParamFunc => StateSpace::ParamFunc,
    })
}
