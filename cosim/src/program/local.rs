//! Local memory as an operation names it: which of its lanes lie there, and where that is in memory (rule LOCAL).

use lsu_model::micro_op::{OpKind, Space};
use lsu_model::pins::{Request, Windows};
use lsu_model::preset::Preset;

use super::bytes::{LINE_BYTES, WORD_BYTES};
use super::request::lane_sum;
use super::shared::shared_place;

/// The unit does not look at what lies below a multiple of so many bytes of the generic local window's base and size.
pub const LOCAL_GRANULE: u64 = 16;

/// Where the bytes of a lane begin that lie in the local memory of its thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalPlace {
    /// At this byte of its thread's local memory.
    At(u64),
    /// Beyond it, or at no address: out of range.
    Beyond,
}

/// Threads of a unit: every lane of every slot.
pub(super) fn threads(preset: &Preset) -> u64 {
    (preset.lanes * preset.warps) as u64
}

/// Bytes that each thread has, where `size` stands on `cfg_local_size`.
pub fn bytes_of_thread(preset: &Preset, size: u64) -> u64 {
    let most = (1 << preset.address_bits) / threads(preset);
    size % most / LOCAL_GRANULE * LOCAL_GRANULE
}

/// Bytes of memory that the local memory of a unit takes, and the rest to a power of two.
pub(super) fn room_of_unit(preset: &Preset, size: u64) -> u64 {
    (bytes_of_thread(preset, size) * threads(preset)).next_power_of_two().max(LINE_BYTES)
}

/// Whether `request` is a load or store that may have lanes in local memory.
pub fn may_be_local(request: &Request) -> bool {
    matches!(OpKind::on_pin(request.op), OpKind::Load | OpKind::Store)
        && matches!(Space::on_pin(request.space), Space::Local | Space::ParamFunc | Space::Generic)
}

/// Where lane `lane` of `request` lies in the local memory of its thread, active or not; `None` where it does not lie there.
pub fn local_place(preset: &Preset, windows: &Windows, request: &Request, lane: usize) -> Option<LocalPlace> {
    let end = 1_i128 << preset.address_bits;
    let sum = lane_sum(request, lane);
    let is_address = request.wide >> lane & 1 == 0 && (0..end).contains(&sum);
    let bytes = i128::from(bytes_of_thread(preset, windows.local.size));
    let offset = match Space::on_pin(request.space) {
        _ if !may_be_local(request) => return None,
        Space::Generic => {
            let base = windows.local.base / LOCAL_GRANULE * LOCAL_GRANULE;
            let offset = (sum - i128::from(base)).rem_euclid(end);
            let is_inside = is_address && offset < bytes;
            if !is_inside || shared_place(preset, windows, request, lane).is_some() {
                return None;
            }
            offset
        }
        _ => sum,
    };
    match is_address && offset < bytes {
        true => Some(LocalPlace::At(offset as u64)),
        false => Some(LocalPlace::Beyond),
    }
}

/// Where the local memory of one unit lies.
#[derive(Clone, Copy, Debug)]
pub struct LocalMemory {
    /// First byte.
    base: u64,
    /// Bytes of one word of all threads.
    pitch: u64,
    lanes: u64,
    /// The bits of an address.
    addresses: u64,
}

impl LocalMemory {
    /// That of a unit with these pins.
    pub fn new(preset: &Preset, windows: &Windows) -> Self {
        let addresses = preset.address_mask();
        Self {
            base: windows.local_memory & addresses & !(LINE_BYTES - 1),
            pitch: WORD_BYTES * threads(preset),
            lanes: preset.lanes as u64,
            addresses,
        }
    }

    /// The address in memory of byte `offset` of the thread in lane `lane` of `slot`.
    pub fn address(&self, slot: u8, lane: usize, offset: u64) -> u64 {
        let thread = u64::from(slot) * self.lanes + lane as u64;
        let place = offset / WORD_BYTES * self.pitch + thread * WORD_BYTES + offset % WORD_BYTES;
        (self.base ^ place) & self.addresses
    }

    /// First byte and bytes of the part of memory in which each thread's first `bytes` lie: as many as a power of two.
    pub(crate) fn around(&self, bytes: u64) -> (u64, u64) {
        let room = (bytes / WORD_BYTES * self.pitch).next_power_of_two();
        (self.base & !(room - 1), room)
    }

    /// Which byte of its thread lies at `address`.
    pub(crate) fn offset(&self, address: u64) -> u64 {
        let place = address ^ self.base;
        place / self.pitch * WORD_BYTES + place % WORD_BYTES
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Program;
    use lsu_model::preset::{FPGA8, TINY4};

    const LOCAL: u8 = Space::Local.code();
    const GENERIC: u8 = Space::Generic.code();

    /// Where an address of `space` lies.
    fn place(space: u8, address: u64) -> Option<LocalPlace> {
        let windows = Program::empty(FPGA8).windows(0);
        local_place(&FPGA8, &windows, &Request { space, addr: [address; 32], ..Request::default() }, 3)
    }

    #[test]
    fn local_memory_ends() {
        assert_eq!(place(LOCAL, 0), Some(LocalPlace::At(0)));
        assert_eq!(place(Space::ParamFunc.code(), 0xffff), Some(LocalPlace::At(0xffff)));
        assert_eq!(place(LOCAL, 0x1_0000), Some(LocalPlace::Beyond));
        assert_eq!(place(LOCAL, 0xfd00_0000), Some(LocalPlace::Beyond));
    }

    #[test]
    fn generic_addresses_are_local_in_the_local_window() {
        assert_eq!(place(GENERIC, 0xfd00_0004), Some(LocalPlace::At(4)));
        assert_eq!(place(GENERIC, 0xfd00_ffff), Some(LocalPlace::At(0xffff)));
        assert_eq!(place(GENERIC, 0xfd01_0000), None);
        assert_eq!(place(GENERIC, 0xfcff_ffff), None);
        assert_eq!(place(Space::Global.code(), 0xfd00_0004), None);
    }

    #[test]
    fn words_lie_side_by_side_lane_by_lane_and_slot_by_slot() {
        let memory = LocalMemory::new(&FPGA8, &Program::empty(FPGA8).windows(0));
        assert_eq!(memory.address(0, 0, 0), 0xe000_0000);
        assert_eq!(memory.address(0, 5, 2), 0xe000_0016);
        assert_eq!(memory.address(3, 0, 0), 0xe000_0060);
        assert_eq!(memory.address(3, 1, 9), 0xe000_0265);
        for (slot, lane, offset) in [(0, 0, 0), (3, 1, 8), (7, 7, 0xfffc)] {
            assert_eq!(memory.offset(memory.address(slot, lane, offset)), offset);
        }
        // Where it does not begin at a multiple of its size, some words lie before the base.
        let mut windows = Program::empty(TINY4).windows(0);
        windows.local_memory = 0x10c5;
        let memory = LocalMemory::new(&TINY4, &windows);
        assert_eq!([0, 4, 16].map(|offset| memory.address(1, 2, offset)), [0x1098, 0x10b8, 0x1018]);
    }

    #[test]
    fn the_highest_bits_of_a_size_count_as_0() {
        assert_eq!(bytes_of_thread(&FPGA8, 0x400_0000), 0);
        assert_eq!(bytes_of_thread(&FPGA8, 0xff3f_ffff), 0x33f_fff0);
        assert_eq!(room_of_unit(&FPGA8, 0x18), 0x400);
        assert_eq!(room_of_unit(&FPGA8, 0), 128);
    }
}
