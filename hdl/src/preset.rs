//! The presets: one module with its sizes each, and its row in [`ALL`].
//!
//! A preset mounts [`unit`](fpga8::unit), the tree of every block whose size it decides, as a module of its own.

use crate::simulator::Simulate;
use crate::verilog::{Breakage, EmittedModule, Mutant, Refusal};

/// 32 lanes, 49-bit addresses, 32 KB L1, 32 KB read-only cache, 16 misses in flight.
///
/// 2 KB constant cache (4 sets x 8 ways x 64 B): the constant L1 measured on six GPU generations.
#[path = "."]
pub mod warp32 {
    /// The sizes of this preset.
    pub const SIZES: super::Sizes = super::Sizes {
        name: "warp32",
        lanes: 32,
        address_bits: 49,
        warps: 64,
        shared_bytes: 32 << 10,
        constant_ways: 8,
        constant_misses: 4,
        l1_sets: 64,
        l1_ways: 4,
        ro_sets: 32,
        ro_ways: 8,
        misses: 16,
        is_wraps: false,
    };
    pub mod unit;
}

/// 8 lanes, 32-bit addresses, 4 KB L1, 4 KB read-only cache, 1 KB constant cache, 4 misses in flight; fits an ECP5-85F.
#[path = "."]
pub mod fpga8 {
    /// The sizes of this preset.
    pub const SIZES: super::Sizes = super::Sizes {
        name: "fpga8",
        lanes: 8,
        address_bits: 32,
        warps: 8,
        shared_bytes: 4 << 10,
        constant_ways: 4,
        constant_misses: 4,
        l1_sets: 16,
        l1_ways: 2,
        ro_sets: 8,
        ro_ways: 4,
        misses: 4,
        is_wraps: false,
    };
    pub mod unit;
}

/// 4 lanes, 32-bit addresses and the least of everything else: for checks in which size does not matter.
#[path = "."]
pub mod tiny4 {
    /// The sizes of this preset.
    pub const SIZES: super::Sizes = super::Sizes {
        name: "tiny4",
        lanes: 4,
        address_bits: 32,
        warps: 2,
        shared_bytes: 512,
        constant_ways: 2,
        constant_misses: 2,
        l1_sets: 2,
        l1_ways: 2,
        ro_sets: 2,
        ro_ways: 2,
        misses: 2,
        is_wraps: false,
    };
    pub mod unit;
}

/// Every preset, the default one first.
pub(crate) const ALL: &[Preset] = &[warp32::unit::PRESET, fpga8::unit::PRESET, tiny4::unit::PRESET];

/// The sizes that a user of a unit must know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Name, as on the command line.
    pub name: &'static str,
    /// `LANES`: lanes of a warp.
    pub lanes: usize,
    /// `ADDR`: bits of an address.
    pub address_bits: usize,
    /// Slots for warps.
    pub warps: usize,
    /// Bytes of shared memory.
    pub shared_bytes: usize,
    /// Ways of the constant cache; 4 sets of 64-byte lines.
    pub constant_ways: usize,
    /// Passes of the constant cache that may wait for memory at the same time.
    pub constant_misses: usize,
    /// MSHRs of the global path, and as many passes that may wait for memory.
    pub misses: usize,
    /// Sets of the L1; 128-byte lines.
    pub l1_sets: usize,
    /// Ways of the L1.
    pub l1_ways: usize,
    /// Sets of the read-only cache; 128-byte lines.
    pub ro_sets: usize,
    /// Ways of the read-only cache.
    pub ro_ways: usize,
    /// LDC-5: IS and ISL addresses keep 16 bits instead of running out of bounds.
    pub is_wraps: bool,
}

/// The modules of a unit and the mutants in them, or why there are none.
pub(crate) type Broken = Result<(Vec<EmittedModule>, Vec<Mutant>), Refusal>;

/// What can be done with a preset's unit.
pub(crate) struct Preset {
    pub(crate) sizes: Sizes,
    pub(crate) broken: fn(&str, &str, Breakage<'_>) -> Broken,
    /// The modules of what gives it an AXI4 port.
    pub(crate) axi_master: fn(&str, &str) -> Result<Vec<EmittedModule>, Refusal>,
    /// Those of what steps it on a board.
    pub(crate) board_link: fn(&str, &str) -> Result<Vec<EmittedModule>, Refusal>,
    pub(crate) simulator: fn() -> Box<dyn Simulate>,
}

/// The preset of that name.
pub(crate) fn named(name: &str) -> Option<&'static Preset> {
    ALL.iter().find(|preset| preset.sizes.name == name)
}

/// The simulation of a preset's unit; `None` for a name that is no preset.
pub fn simulator(name: &str) -> Option<Box<dyn Simulate>> {
    Some((named(name)?.simulator)())
}

/// The names of all presets, as words: `warp32, fpga8 or …`.
pub(crate) fn names() -> String {
    let names: Vec<&str> = ALL.iter().map(|preset| preset.sizes.name).collect();
    match names.as_slice() {
        [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        names => names.concat(),
    }
}

/// The sizes of every preset, the default one first.
pub fn sizes() -> impl Iterator<Item = Sizes> {
    ALL.iter().map(|preset| preset.sizes)
}
