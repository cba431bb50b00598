//! `Writeback` and `FaultRecord`: what the ports `wb` and `fault` carry, and those ports inside the unit.
//!
//! The values of the lanes go beside them.

use super::prelude::*;

/// One register of a warp, without its values.
#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct)]
pub struct Writeback {
    /// Its operation.
    pub tag: Bits<8>,
    /// The register.
    pub rd: Bits<8>,
    /// Lanes written.
    pub mask: Bits<LANES>,
    /// Ends the operation.
    pub last: Bit,
}

/// One fault.
#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct)]
pub struct FaultRecord {
    /// Its operation.
    pub tag: Bits<8>,
    /// Why.
    pub cause: Bits<3>,
    /// Every faulting lane.
    pub lanes: Bits<LANES>,
    /// Address of the lowest.
    pub address: Bits<ADDR>,
}

/// Registers on their way to the register file.
#[derive(Clone, Debug, Default, LogicInterface)]
pub struct WritebackPort {
    /// A register is offered.
    pub wb_valid: Signal<Out, Bit>,
    /// Taken at this edge.
    pub wb_ready: Signal<In, Bit>,
    /// All of it but the values.
    pub wb: Signal<Out, Writeback>,
    /// Values; 0 in lanes that are not written.
    pub wb_data: Many<Signal<Out, Bits<32>>, LANES>,
}

/// Fault records on their way to the port `fault`.
#[derive(Clone, Debug, Default, LogicInterface)]
pub struct FaultPort {
    /// A fault record is offered.
    pub fault_valid: Signal<Out, Bit>,
    /// It is taken at this edge.
    pub fault_ready: Signal<In, Bit>,
    /// The record.
    pub fault: Signal<Out, FaultRecord>,
}
