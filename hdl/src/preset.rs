//! Sizes of a unit, by preset name. A preset is one type alias and one row here.

use rust_hdl::prelude::*;

use crate::lsu::Lsu;

/// 32 lanes, 49-bit addresses, 2 KB constant cache (4 sets x 8 ways x 64 B: the constant L1 measured on six GPU generations).
///
/// L1 64 sets x 4 ways, read-only cache 32 sets x 8 ways, 16 misses in flight.
pub type Warp32 = Lsu<32, 49, 8, 3, 5, 4, 2, 42, 16, 4, 3, 64, 6, 4, 2, 16, 16, 8, 32, 5, 8, 3, 32, 64, 8>;

/// 8 lanes, 32-bit addresses, 1 KB constant cache (4 sets x 4 ways x 64 B); fits an ECP5-85F.
///
/// L1 16 sets x 2 ways, read-only cache 8 sets x 4 ways, 4 misses in flight.
pub type Fpga8 = Lsu<8, 32, 4, 2, 4, 4, 2, 25, 4, 2, 2, 16, 4, 2, 1, 8, 4, 5, 8, 3, 4, 2, 16, 16, 5>;

/// LDC-5's other reading is off in every preset.
const IS_WRAPS: bool = false;

/// Stack that building or stepping a unit may need: a unit is one large value with many temporaries.
pub(crate) const STACK: usize = 256 << 20;

/// The unit of preset `warp32`, connected.
pub fn warp32() -> Box<Warp32> {
    connected(|| Box::new(Lsu::new(IS_WRAPS)))
}

/// The unit of preset `fpga8`, connected.
pub fn fpga8() -> Box<Fpga8> {
    connected(|| Box::new(Lsu::new(IS_WRAPS)))
}

/// The sizes that a user of a unit must know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// `LANES`: lanes of a warp.
    pub lanes: usize,
    /// `ADDR`: bits of an address.
    pub address_bits: usize,
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
}

/// The sizes of a preset; `None` where there is no such preset.
pub fn sizes(preset: &str) -> Option<Sizes> {
    match preset {
        "warp32" => Some(Warp32::SIZES),
        "fpga8" => Some(Fpga8::SIZES),
        _ => None,
    }
}

impl<
    const LANES: usize,
    const ADDR: usize,
    const WAYS: usize,
    const WAY_BITS: usize,
    const SLOT_BITS: usize,
    const MISSES: usize,
    const ENTRY_BITS: usize,
    const LINE: usize,
    const GLOBAL_MISSES: usize,
    const GLOBAL_ENTRY_BITS: usize,
    const GLOBAL_WAY_BITS: usize,
    const L1_SETS: usize,
    const L1_SET_BITS: usize,
    const L1_WAYS: usize,
    const L1_WAY_BITS: usize,
    const L1_SECTORS: usize,
    const L1_PAIRS: usize,
    const L1_INDEX: usize,
    const RO_SETS: usize,
    const RO_SET_BITS: usize,
    const RO_WAYS: usize,
    const RO_WAY_BITS: usize,
    const RO_SECTORS: usize,
    const RO_PAIRS: usize,
    const RO_INDEX: usize,
>
    Lsu<
        LANES,
        ADDR,
        WAYS,
        WAY_BITS,
        SLOT_BITS,
        MISSES,
        ENTRY_BITS,
        LINE,
        GLOBAL_MISSES,
        GLOBAL_ENTRY_BITS,
        GLOBAL_WAY_BITS,
        L1_SETS,
        L1_SET_BITS,
        L1_WAYS,
        L1_WAY_BITS,
        L1_SECTORS,
        L1_PAIRS,
        L1_INDEX,
        RO_SETS,
        RO_SET_BITS,
        RO_WAYS,
        RO_WAY_BITS,
        RO_SECTORS,
        RO_PAIRS,
        RO_INDEX,
    >
{
    /// The sizes among the parameters.
    pub const SIZES: Sizes = Sizes {
        lanes: LANES,
        address_bits: ADDR,
        constant_ways: WAYS,
        constant_misses: MISSES,
        misses: GLOBAL_MISSES,
        l1_sets: L1_SETS,
        l1_ways: L1_WAYS,
        ro_sets: RO_SETS,
        ro_ways: RO_WAYS,
    };
}

fn connected<B: Block>(new: impl FnOnce() -> Box<B>) -> Box<B> {
    stacker::grow(STACK, || {
        let mut unit = new();
        unit.connect_all();
        unit
    })
}
