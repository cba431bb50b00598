//! The ports of the top level `lsu`: what any Verilog must have to be checked.

use lsu_model::pins;
use lsu_model::preset::Preset;

use crate::verilator::Direction;

/// Name, width in bits and direction of one port.
pub type PortSpec = (&'static str, u32, Direction);

/// All ports of `lsu` in `preset`, the clock included.
pub fn ports(preset: &Preset) -> Vec<PortSpec> {
    pins::all().iter().map(|pin| (pin.name, pin.bits(preset), pin.direction)).collect()
}
