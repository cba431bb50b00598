//! Local memory: which lanes of an operation lie in it, and where their words lie in memory.

use super::super::lanes::{bits, lanes_where};
use super::super::near::{Comparator, NearMisses};
use super::shared::{SIXTEEN_BYTES, lanes_in};
use crate::micro_op::Space;
use crate::pins::{MAX_LANES, Request, WORD_BYTES, Window, Windows};
use crate::preset::Preset;

/// The bits of `cfg_local_memory` that count.
const WHOLE_LINES: u64 = !127;

/// The generic local window as it is looked at; its size is that of each thread's local memory.
pub(super) fn generic_window(window: &Window, preset: &Preset) -> Window {
    let bits = preset.address_bits - threads(preset).trailing_zeros();
    Window { base: window.base & SIXTEEN_BYTES, size: window.size & SIXTEEN_BYTES & !(u64::MAX << bits) }
}

/// Threads that have local memory: every lane of every slot.
fn threads(preset: &Preset) -> u64 {
    (preset.lanes * preset.warps) as u64
}

/// Rule LOCAL: which lanes of an operation are local, and how their offsets are counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocalLanes {
    pub lanes: u32,
    /// Those of them that lie beyond local memory.
    pub beyond: u32,
    /// The address whose offset is 0.
    origin: u64,
    address_mask: u64,
    /// Bytes that each thread has.
    limit: u64,
}

impl LocalLanes {
    /// Of the lanes `in_range`, none of them shared, whose addresses are the low bits of `sums`; `window` is the generic local
    /// window.
    pub(super) fn of(
        request: &Request,
        sums: &[u64; MAX_LANES],
        in_range: u32,
        window: &Window,
        preset: &Preset,
    ) -> Self {
        let Window { base, size: limit } = generic_window(window, preset);
        let (lanes, origin) = match Space::on_pin(request.space) {
            Space::Local | Space::ParamFunc => (in_range, 0),
            Space::Generic => {
                let inside = lanes_in(&Window { base, size: limit }, sums, preset.address_bits);
                (inside & in_range, base)
            }
            Space::Global | Space::Shared | Space::SharedCluster => (0, 0),
            Space::Const | Space::ParamEntry => (0, 0),
        };
        let address_mask = u64::MAX >> (64 - preset.address_bits);
        let mut local = Self { lanes, beyond: 0, origin, address_mask, limit };
        if lanes != 0 {
            local.beyond = lanes_where(sums, |sum| local.offset(sum) >= limit) & lanes;
        }
        local
    }

    fn offset(&self, sum: u64) -> u64 {
        sum.wrapping_sub(self.origin) & self.address_mask
    }

    /// Takes note of the lanes that are nearly on the other side of local memory's end.
    pub(super) fn near_limit(&self, sums: &[u64; MAX_LANES], near: &mut NearMisses) {
        for lane in bits(self.lanes) {
            near.order(Comparator::LocalLimit, self.offset(sums[usize::from(lane)]), self.limit);
        }
    }
}

/// The words of an operation's local lanes: word k of a lane lies so many bytes behind its word 0, in a count that begins
/// with 0 at the beginning of local memory.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LocalWords {
    /// Words of each lane's access.
    pub count: u8,
    /// Bytes between one word of a thread and its next: one of every other thread lies between them.
    stride: u64,
    /// First byte of local memory.
    memory: u64,
}

impl LocalWords {
    /// Of accesses of `total` bytes.
    pub(super) fn new(total: u32, windows: &Windows, preset: &Preset) -> Self {
        Self {
            count: total.div_ceil(WORD_BYTES) as u8,
            stride: u64::from(WORD_BYTES) * threads(preset),
            memory: windows.local_memory & WHOLE_LINES & (u64::MAX >> (64 - preset.address_bits)),
        }
    }

    /// Where word 0 of a local lane's access lies, counted from the beginning of local memory.
    pub(super) fn place(&self, lanes: &LocalLanes, sum: u64, slot: u8, lane: u8, preset: &Preset) -> u64 {
        let offset = lanes.offset(sum);
        let (word, byte) = (offset / u64::from(WORD_BYTES), offset % u64::from(WORD_BYTES));
        let thread = usize::from(slot) % preset.warps * preset.lanes + usize::from(lane);
        word * self.stride + thread as u64 * u64::from(WORD_BYTES) + byte
    }

    /// The address in memory of word number `word`, where word 0 has the place `place`.
    pub(super) fn address(&self, place: u64, word: u8) -> u64 {
        (place + u64::from(word) * self.stride) ^ self.memory
    }
}
