//! The windows of the generic address space: where they lie if the file does not say, and how long they are.

use lsu_model::pins::{Window as Place, Windows};
use lsu_model::preset::Preset;

use super::{Program, WindowPlace};

/// Bytes of the shared and of the local window: each CTA's shared memory and each thread's local memory fit.
pub const SHARED_BYTES: u64 = 16 << 20;

/// Bytes of the constant window: 32 banks of 64 KB.
pub const CONSTANT_BYTES: u64 = 32 * (64 << 10);

/// Bytes of the parameter window: one bank.
pub const PARAM_BYTES: u64 = 64 << 10;

/// Bytes at the end of the address space in which the default windows lie, so that ordinary addresses are global.
const RESERVE: u64 = 64 << 20;

impl Program {
    /// The slot of `req_warp` in which the program's warp of this number runs. A unit with fewer slots than the program has warps runs
    /// several in one.
    pub fn slot(&self, warp: u32) -> u8 {
        (warp as usize % self.preset.warps) as u8
    }

    /// What the `cfg_*_base` and `cfg_*_size` pins carry: what the program says, or its preset's bases and the usual sizes.
    pub fn windows(&self) -> Windows {
        let shared = default_base(&self.preset);
        let local = shared + SHARED_BYTES;
        let constant = local + SHARED_BYTES;
        let param = constant + CONSTANT_BYTES;
        let place = |given: WindowPlace, base: u64, size: u64| Place {
            base: given.base.unwrap_or(base),
            size: given.size.unwrap_or(size),
        };
        Windows {
            shared: place(self.window.shared, shared, SHARED_BYTES),
            local: place(self.window.local, local, SHARED_BYTES),
            constant: place(self.window.constant, constant, CONSTANT_BYTES),
            param: place(self.window.param, param, PARAM_BYTES),
        }
    }
}

/// Where the windows of `preset` begin, the shared one first; the others follow without a gap.
fn default_base(preset: &Preset) -> u64 {
    (1 << preset.address_bits) - RESERVE
}

#[cfg(test)]
mod tests {
    use super::*;
    use lsu_model::preset::{FPGA8, WARP32};

    #[test]
    fn windows_lie_side_by_side_near_the_end() {
        let windows = Program::empty(FPGA8).windows();
        assert_eq!(windows.shared, Place { base: 0xfc00_0000, size: 0x100_0000 });
        assert_eq!(windows.local, Place { base: 0xfd00_0000, size: 0x100_0000 });
        assert_eq!(windows.constant, Place { base: 0xfe00_0000, size: 0x20_0000 });
        assert_eq!(windows.param, Place { base: 0xfe20_0000, size: 0x1_0000 });
        assert_eq!(Program::empty(WARP32).windows().shared.base, 0x1_ffff_fc00_0000);
    }

    #[test]
    fn a_program_may_move_and_resize_a_window() {
        let mut program = Program::empty(FPGA8);
        program.window.local.base = Some(0x200_0000);
        program.window.param.size = Some(0x123);
        assert_eq!(program.windows().local, Place { base: 0x200_0000, size: 0x100_0000 });
        assert_eq!(program.windows().param, Place { base: 0xfe20_0000, size: 0x123 });
    }
}
