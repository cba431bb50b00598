//! Local memory: which lanes of an operation lie in it, and where their words lie in memory.

use super::shared::SIXTEEN_BYTES;
use super::window_lanes::{WindowLanes, lanes_in};
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

/// Rule LOCAL: which lanes of an operation are local, of the lanes `in_range`, none of them shared, whose addresses are the low bits
/// of `sums`; `window` is the generic local window. The limit is the bytes that each thread has.
pub(super) fn local_lanes(
    request: &Request,
    sums: &[u64; MAX_LANES],
    in_range: u32,
    window: &Window,
    preset: &Preset,
) -> WindowLanes {
    let window = generic_window(window, preset);
    let address_mask = preset.address_mask();
    let (lanes, origin) = match Space::on_pin(request.space) {
        Space::Local | Space::ParamFunc => (in_range, 0),
        Space::Generic => (lanes_in(&window, sums, address_mask) & in_range, window.base),
        Space::Global | Space::Shared | Space::SharedCluster => (0, 0),
        Space::Const | Space::ParamEntry => (0, 0),
    };
    let lanes = WindowLanes { lanes, origin, address_mask, limit: window.size, ..WindowLanes::default() };
    lanes.with_beyond(sums)
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
            memory: windows.local_memory & WHOLE_LINES & preset.address_mask(),
        }
    }

    /// Where word 0 of a local lane's access lies, counted from the beginning of local memory.
    pub(super) fn place(&self, lanes: &WindowLanes, sum: u64, slot: u8, lane: u8, preset: &Preset) -> u64 {
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
