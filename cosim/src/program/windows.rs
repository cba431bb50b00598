//! The windows of the generic address space, and local memory: where they lie if the file does not say, and how long they are.

use lsu_model::pins::{ClusterWindow, Window as Place, Windows};
use lsu_model::preset::Preset;

use super::bytes::SECTOR_BYTES;
use super::local::{room_of_unit, threads};
use super::{Program, SHARED_GRANULE, WindowPlace};

/// Bytes of the shared window: each CTA's shared memory fits.
pub const SHARED_BYTES: u64 = 16 << 20;

/// Bytes from the local window to the constant one.
const LOCAL_ROOM: u64 = 16 << 20;

/// Bytes of the local window, and of each thread's local memory.
pub const LOCAL_BYTES: u64 = 64 << 10;

/// The unit does not look at what lies below a multiple of so many bytes of the bases and sizes of the constant and the parameter window.
pub const WINDOW_GRANULE: u64 = 16;

/// Bytes of the constant window: far more than a bank has, so that what runs out of the bank is a fault and no global access.
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

    /// What the pins of the windows, `cfg_local_memory` and `cfg_rank` of unit `sm` carry: what the program says, or its preset's bases
    /// and the usual sizes; others see all of its shared memory. Only the rank, one more than that of the unit before, and where local
    /// memory lies differ from unit to unit: that of each begins where the one before it has room to the next power of two.
    pub fn windows(&self, sm: u32) -> Windows {
        let shared = default_base(&self.preset);
        let local = shared + SHARED_BYTES;
        let constant = local + LOCAL_ROOM;
        let param = constant + CONSTANT_BYTES;
        let place = |given: WindowPlace, base: u64, size: u64| Place {
            base: given.base.unwrap_or(base),
            size: given.size.unwrap_or(size),
        };
        let local = place(self.window.local, local, LOCAL_BYTES);
        let first = self.window.local_memory.unwrap_or(default_local_memory(&self.preset));
        let before = u64::from(sm).wrapping_mul(room_of_unit(&self.preset, local.size));
        Windows {
            shared: place(self.window.shared, shared, SHARED_BYTES),
            local,
            local_memory: first.wrapping_add(before) & self.preset.address_mask(),
            constant: place(self.window.constant, constant, CONSTANT_BYTES),
            param: place(self.window.param, param, PARAM_BYTES),
            rank: self.window.rank.wrapping_add(sm as u8),
            cluster: ClusterWindow {
                base: self.window.cluster.base.unwrap_or(0) as u32,
                size: self.window.cluster.size.unwrap_or(self.preset.shared_bytes as u64) as u32,
            },
        }
    }

    /// The bytes that there are for the local memory of all units where it lies if the file does not say, and how many it would
    /// take, if these are more.
    pub(super) fn missing_local_room(&self) -> Option<(u64, u128)> {
        let room = default_base(&self.preset) - default_local_memory(&self.preset);
        let size = self.window.local.size.unwrap_or(LOCAL_BYTES);
        let of_unit = (u128::from(size) * u128::from(threads(&self.preset))).next_power_of_two();
        let taken = of_unit * u128::from(self.sms);
        (taken > u128::from(room)).then_some((room, taken))
    }
}

/// The offset at which other CTAs see the sector that begins at the byte `address` of shared memory; `None` where they do not
/// (rule SERVE).
pub fn offset_for_others(program: &Program, address: u64) -> Option<u64> {
    let ClusterWindow { base, size } = program.windows(0).cluster;
    let offset = address.wrapping_sub(u64::from(base) & !(SECTOR_BYTES - 1)) % program.preset.shared_bytes as u64;
    (offset < u64::from(size & !(SHARED_GRANULE - 1))).then_some(offset)
}

/// Where the windows of `preset` begin, the shared one first; the others follow.
fn default_base(preset: &Preset) -> u64 {
    (1 << preset.address_bits) - RESERVE
}

/// Where the local memory of the first unit begins: in the last eighth of the addresses.
pub(super) fn default_local_memory(preset: &Preset) -> u64 {
    7 << (preset.address_bits - 3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lsu_model::preset::{FPGA8, TINY4, WARP32};

    #[test]
    fn windows_lie_side_by_side_near_the_end() {
        let windows = Program::empty(FPGA8).windows(0);
        assert_eq!(windows.shared, Place { base: 0xfc00_0000, size: 0x100_0000 });
        assert_eq!(windows.local, Place { base: 0xfd00_0000, size: 0x1_0000 });
        assert_eq!(windows.constant, Place { base: 0xfe00_0000, size: 0x20_0000 });
        assert_eq!(windows.param, Place { base: 0xfe20_0000, size: 0x1_0000 });
        assert_eq!(Program::empty(WARP32).windows(0).shared.base, 0x1_ffff_fc00_0000);
    }

    #[test]
    fn the_units_have_local_memories_side_by_side() {
        let mut program = Program { sms: 3, ..Program::empty(FPGA8) };
        // 64 KB of each of 64 threads.
        assert_eq!([0, 1, 2].map(|sm| program.windows(sm).local_memory), [0xe000_0000, 0xe040_0000, 0xe080_0000]);
        assert_eq!(Program::empty(WARP32).windows(0).local_memory, 0x1_c000_0000_0000);
        assert_eq!(Program::empty(TINY4).windows(1).local_memory, 0xe008_0000);
        program.window.local.size = Some(0x30);
        program.window.local_memory = Some(0xffff_f080);
        assert_eq!([0, 1].map(|sm| program.windows(sm).local_memory), [0xffff_f080, 0x80]);
    }

    #[test]
    fn local_memory_ends_before_the_windows() {
        for preset in lsu_model::preset::ALL {
            assert_eq!(Program { sms: 64, ..Program::empty(preset) }.missing_local_room(), None, "{}", preset.name);
        }
        let mut program = Program { sms: 64, ..Program::empty(FPGA8) };
        program.window.local.size = Some(0x2_0000);
        assert_eq!(program.missing_local_room(), Some((448 << 20, 512 << 20)));
    }

    #[test]
    fn others_see_shared_memory_from_the_base_on_and_around_its_end() {
        let mut program = Program { sms: 2, ..Program::empty(FPGA8) };
        let of = |program: &Program, sm| (program.windows(sm).rank, program.windows(sm).cluster);
        assert_eq!(of(&program, 1), (1, ClusterWindow { base: 0, size: 0x1000 }));
        assert_eq!(offset_for_others(&program, 0xfe0), Some(0xfe0));
        // The low five bits of the base and the low four of the size count as 0.
        program.window.cluster = WindowPlace { base: Some(0xfdf), size: Some(0x5f) };
        assert_eq!(of(&program, 0), (0, ClusterWindow { base: 0xfdf, size: 0x5f }));
        let seen = [0xfa0, 0xfc0, 0xfe0, 0, 0x20].map(|address| offset_for_others(&program, address));
        assert_eq!(seen, [None, Some(0), Some(0x20), Some(0x40), None]);
    }

    #[test]
    fn a_program_may_move_and_resize_a_window() {
        let mut program = Program::empty(FPGA8);
        program.window.local.base = Some(0x200_0000);
        program.window.param.size = Some(0x123);
        assert_eq!(program.windows(0).local, Place { base: 0x200_0000, size: 0x1_0000 });
        assert_eq!(program.windows(0).param, Place { base: 0xfe20_0000, size: 0x123 });
    }
}
