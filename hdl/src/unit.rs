//! One unit: every block whose size a preset decides.
//!
//! Each preset mounts this module once, so that its sizes are plain constants and no block has a list of them: see [`sizes`].

#![allow(
    clippy::collapsible_if,
    reason = "kernels have no `&&`, and `&` with a bit is no comparison of loop variables"
)]

#[allow(missing_docs, reason = "`LogicStruct` generates methods without documentation")]
#[path = "axi_master.rs"]
pub mod axi_master;
#[path = "cluster.rs"]
pub mod cluster;
#[path = "constant/mod.rs"]
pub mod constant;
#[path = "drain.rs"]
pub mod drain;
#[path = "fault_register.rs"]
pub mod fault_register;
#[path = "global/mod.rs"]
pub mod global;
#[path = "lsu.rs"]
pub mod lsu;
#[path = "prelude.rs"]
mod prelude;
#[allow(missing_docs, reason = "`LogicStruct` generates methods without documentation")]
#[path = "results.rs"]
pub mod results;
#[path = "sizes.rs"]
pub mod sizes;
#[path = "unanswered.rs"]
pub mod unanswered;

use rust_hdl::prelude::*;

use crate::board::board_link::BoardLink;
use crate::codes;
use crate::emit::SOURCES;
use crate::preset::{Broken, Preset};
use crate::simulator::STACK;
use crate::verilog::{self, Breakage};
use axi_master::AxiMaster;
use lsu::Lsu;

/// What the rest of the crate does with this unit.
pub(crate) const PRESET: Preset = Preset {
    sizes: super::SIZES,
    broken: |top, prefix, breakage| broken(&*connected::<Lsu>(), top, prefix, breakage),
    axi_master: |top, prefix| Ok(broken(&*connected::<AxiMaster>(), top, prefix, Breakage::None)?.0),
    board_link: |top, prefix| Ok(broken(&*connected::<BoardLink>(), top, prefix, Breakage::None)?.0),
    simulator: || connected::<Lsu>(),
};

fn connected<B: Block + Default>() -> Box<B> {
    stacker::grow(STACK, || {
        let mut block = Box::<B>::default();
        block.connect_all();
        block
    })
}

fn broken(block: &impl Block, top: &str, prefix: &str, breakage: Breakage<'_>) -> Broken {
    let sizes: String = sizes::ALL.iter().map(|(name, value)| format!("const {name}: usize = {value};\n")).collect();
    verilog::broken(block, top, prefix, &[SOURCES, &[&sizes, &codes::text()]].concat(), breakage)
}
