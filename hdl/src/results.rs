//! `Writeback` and `FaultRecord`: what the ports `wb` and `fault` carry.
//!
//! The values of the lanes go beside them.

// `LogicStruct` generates methods without documentation.
#![allow(missing_docs)]

use rust_hdl::prelude::*;

use super::sizes::*;

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
