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

fn connected<B: Block>(new: impl FnOnce() -> Box<B>) -> Box<B> {
    stacker::grow(STACK, || {
        let mut unit = new();
        unit.connect_all();
        unit
    })
}
