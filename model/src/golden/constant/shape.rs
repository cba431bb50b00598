//! Shape: what every pass of an operation has in common, worked out once from the pins.

use super::super::registers::Element;
use crate::micro_op::{AccessSize, DestinationWidth, OpKind, Space};
use crate::pins::Request;

/// The bank of `ld.const` (rule CONST), and of the const window (rule WINDOW).
pub(in crate::golden) const CONSTANT_BANK: u8 = 3;
/// The bank of `ld.param::entry` (rule CONST), and of the param window (rule WINDOW).
pub(in crate::golden) const PARAM_BANK: u8 = 0;

/// Everything of an operation but its lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(in crate::golden) struct Shape {
    pub tag: u8,
    /// A constant load, no LDC.
    pub is_load: bool,
    /// First destination register.
    pub rd: u8,
    /// The bank that the instruction names; a constant load names its own.
    pub bank: u8,
    /// Bytes of an element that one register holds: 1, 2 or 4.
    pub part: u8,
    /// Sign-extend.
    pub sign: bool,
    /// Every element takes a second register, which holds only its sign.
    pub extended: bool,
    /// Elements that are not written; none of LDC.
    pub sink: u8,
    /// Registers of an element, e in the contract.
    pub element_registers: u8,
    /// Registers of a pass, R in the contract.
    pub registers: u8,
}

/// Whether an operation on the pins is a load of the constant cache, if it is one of the constant cache.
fn is_load(request: &Request) -> bool {
    match OpKind::on_pin(request.op) {
        OpKind::Load => true,
        // Stores go to the global path.
        OpKind::Ldc | OpKind::Command | OpKind::Store => false,
    }
}

/// Whether loads of `space` are constant loads (rule PATH).
pub(in crate::golden) const fn is_constant(space: Space) -> bool {
    match space {
        Space::Const | Space::ParamEntry => true,
        Space::Generic | Space::Global | Space::Shared | Space::SharedCluster => false,
        Space::Local | Space::ParamFunc => false,
    }
}

impl Shape {
    pub(super) fn of(request: &Request) -> Self {
        let size = AccessSize::on_pin(request.size);
        let is_load = is_load(request);
        let bank = match Space::on_pin(request.space) {
            _ if !is_load => request.bank,
            Space::ParamEntry => PARAM_BANK,
            _ => CONSTANT_BANK,
        };
        // Rule REGISTERS.
        let element = match is_load {
            true => Element::of(size, DestinationWidth::on_pin(request.dst_width)),
            false => Element::of_ldc(size),
        };
        Self {
            tag: request.tag,
            is_load,
            rd: request.rd,
            bank,
            // A code that is no size gets here only with an empty mask.
            part: size.bytes().map_or(4, |bytes| bytes.min(4) as u8),
            sign: request.sign,
            extended: element.extended,
            sink: if is_load { request.sink } else { 0 },
            element_registers: element.registers,
            registers: if is_load { element.registers << request.vec } else { element.registers },
        }
    }

    /// Whether no register of a lane is written, as a look at the pins shows.
    pub(super) fn is_sunk(&self) -> bool {
        let elements = self.registers / self.element_registers;
        u32::from(self.sink).trailing_ones() >= u32::from(elements)
    }
}
