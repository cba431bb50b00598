//! `Writeback`, `FaultRecord` and `Counts`: what the ports `wb`, `fault` and `status` carry, and those ports inside the unit.
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

/// The counters of the global path.
#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct)]
pub struct Counts {
    /// Sectors that hit L1.
    pub l1_hits: Bits<32>,
    /// Sectors that missed L1.
    pub l1_misses: Bits<32>,
    /// Sectors that hit the read-only cache.
    pub ro_hits: Bits<32>,
    /// Sectors that missed it.
    pub ro_misses: Bits<32>,
    /// Passes issued.
    pub wavefronts: Bits<32>,
    /// Passes after their operation's first.
    pub replays: Bits<32>,
    /// Sectors read.
    pub sectors_read: Bits<32>,
    /// Sectors written.
    pub sectors_written: Bits<32>,
    /// Cycles in which `tag` waited for something before it.
    pub stall_order: Bits<32>,
    /// Cycles in which `tag` waited for a waiter.
    pub stall_misses: Bits<32>,
    /// Cycles in which `tag` waited for the next place.
    pub stall_data: Bits<32>,
    /// Cycles in which a memory request waited.
    pub stall_memory: Bits<32>,
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
