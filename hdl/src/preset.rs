//! Sizes of a unit, by preset name. A preset is one type alias and one row here.

use rust_hdl::prelude::*;

use crate::lsu::Lsu;

/// 32 lanes, 49-bit addresses, 2 KB constant cache (4 sets x 8 ways x 64 B: the constant L1 measured on six GPU generations).
pub type Warp32 = Lsu<32, 49, 8, 3, 5, 4, 2>;

/// 8 lanes, 32-bit addresses, 1 KB constant cache (4 sets x 4 ways x 64 B); fits an ECP5-85F.
pub type Fpga8 = Lsu<8, 32, 4, 2, 4, 4, 2>;

/// LDC-5's other reading is off in every preset.
const IS_WRAPS: bool = false;

/// The unit of preset `warp32`, connected.
pub fn warp32() -> Warp32 {
    connected(Lsu::new(IS_WRAPS))
}

/// The unit of preset `fpga8`, connected.
pub fn fpga8() -> Fpga8 {
    connected(Lsu::new(IS_WRAPS))
}

fn connected<B: Block>(mut unit: B) -> B {
    unit.connect_all();
    unit
}
