//! Prints an instruction in the documents' order of qualifiers; what is printed reads back as the same instruction.

use std::fmt::{self, Display, Formatter};

use crate::micro_op::{CacheOperator, L1Eviction, L2Eviction, Prefetch};

use super::instruction::{Address, Base, Data, Immediate, Instruction, Operation, Part, Source, StateSpace};

impl Display for Immediate {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => write!(formatter, "{value}"),
            Self::Double(bits) => write!(formatter, "0d{bits:016X}"),
            Self::Single(bits) => write!(formatter, "0f{bits:08X}"),
        }
    }
}

impl Display for Source {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Register { name, part } => {
                formatter.write_str(name)?;
                match part {
                    None => Ok(()),
                    Some(Part::Component(0)) => formatter.write_str(".x"),
                    Some(Part::Component(1)) => formatter.write_str(".y"),
                    Some(Part::Component(2)) => formatter.write_str(".z"),
                    Some(Part::Component(_)) => formatter.write_str(".w"),
                    Some(Part::Selector(letters)) => write!(formatter, ".{letters}"),
                }
            }
            Self::Sink => formatter.write_str("_"),
            Self::Sum { name, offset } => write!(formatter, "{name}+{offset}"),
            Self::Immediate(immediate) => immediate.fmt(formatter),
        }
    }
}

impl Display for Data {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Single(source) => source.value.fmt(formatter),
            Self::Vector(sources) => {
                for (index, source) in sources.iter().enumerate() {
                    write!(formatter, "{}{}", if index == 0 { "{" } else { "," }, source.value)?;
                }
                formatter.write_str("}")
            }
        }
    }
}

impl Display for Address {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match (&self.base.value, self.offset.value) {
            (Base::Immediate, offset) => write!(formatter, "[{offset}]")?,
            (Base::Name(name), offset) if self.is_indexed => match &self.index {
                None => write!(formatter, "{name}[{offset}]")?,
                Some(index) if offset == 0 => write!(formatter, "{name}[{}]", index.value)?,
                Some(index) => write!(formatter, "{name}[{}+{offset}]", index.value)?,
            },
            (Base::Name(name), 0) => write!(formatter, "[{name}]")?,
            (Base::Name(name), offset) => write!(formatter, "[{name}+{offset}]")?,
        }
        if self.unified.is_some() { formatter.write_str(".unified") } else { Ok(()) }
    }
}

impl Display for Instruction {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        if let Some(guard) = &self.guard {
            let negation = if guard.value.is_negated { "!" } else { "" };
            write!(formatter, "@{negation}{} ", guard.value.name)?;
        }
        formatter.write_str(self.operation.value.name())?;
        let mut qualifier = |name: &str| write!(formatter, ".{name}");
        if self.mmio.is_some() {
            qualifier("mmio")?;
        }
        if let Some(order) = &self.order {
            qualifier(order.value.name())?;
        }
        if let Some(scope) = &self.scope {
            qualifier(scope.value.name())?;
        }
        match self.state_space() {
            None => {}
            Some(StateSpace::ConstBank(bank)) => qualifier(&format!("const[{bank}]"))?,
            Some(space) => qualifier(space.name())?,
        }
        if let Some(operator) = &self.operator {
            // No text gives the default operator, so the name is always one of PTX.
            debug_assert_ne!(operator.value, CacheOperator::Default);
            qualifier(operator.value.name())?;
        }
        if self.non_coherent.is_some() {
            qualifier("nc")?;
        }
        if let Some(priority) = &self.l1_eviction {
            qualifier(l1_name(priority.value))?;
        }
        if let Some(priority) = &self.l2_eviction {
            qualifier(l2_name(priority.value))?;
        }
        if self.cache_hint.is_some() {
            qualifier("L2::cache_hint")?;
        }
        if let Some(size) = &self.prefetch {
            qualifier(prefetch_name(size.value))?;
        }
        if let Some(vector) = &self.vector {
            qualifier(&format!("v{}", vector.value))?;
        }
        qualifier(&self.data_type.value.to_string())?;
        let (data, address) = (&self.data.value, &self.address.value);
        match self.operation.value {
            Operation::Load => write!(formatter, " {data}, {address}")?,
            Operation::Store => write!(formatter, " {address}, {data}")?,
        }
        if let Some(policy) = &self.policy {
            write!(formatter, ", {}", policy.value)?;
        }
        formatter.write_str(";")
    }
}

/// The qualifier of an L1 eviction priority, without its dot.
pub(super) const fn l1_name(priority: L1Eviction) -> &'static str {
    match priority {
        L1Eviction::Normal => "L1::evict_normal",
        L1Eviction::Unchanged => "L1::evict_unchanged",
        L1Eviction::First => "L1::evict_first",
        L1Eviction::Last => "L1::evict_last",
        L1Eviction::NoAllocate => "L1::no_allocate",
    }
}

/// The qualifier of an L2 eviction priority, without its dot.
pub(super) const fn l2_name(priority: L2Eviction) -> &'static str {
    match priority {
        L2Eviction::Normal => "L2::evict_normal",
        L2Eviction::First => "L2::evict_first",
        L2Eviction::Last => "L2::evict_last",
    }
}

/// The qualifier of a prefetch size, without its dot; empty for none.
pub(super) const fn prefetch_name(size: Prefetch) -> &'static str {
    match size {
        Prefetch::None => "",
        Prefetch::Bytes64 => "L2::64B",
        Prefetch::Bytes128 => "L2::128B",
        Prefetch::Bytes256 => "L2::256B",
    }
}
