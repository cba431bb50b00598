//! Shared memory, and the lanes of an operation that lie in it.

use super::super::lanes::{bits, lanes_where};
use super::cluster;
use super::rows::{ROW_WORDS, RowData, byte_mask};
use super::window_lanes::{WindowLanes, lanes_in};
use crate::micro_op::Space;
use crate::pins::{MAX_LANES, Request, SECTOR_WORDS, WORD_BYTES, Window, Windows};
use crate::preset::Preset;

/// The bits of a window's base and size that count.
pub(super) const SIXTEEN_BYTES: u64 = !15;

/// By lane: the byte of shared memory at which it begins. Means nothing in other lanes than a shared pass's.
pub(in crate::golden) type SharedAddresses = [u32; MAX_LANES];

/// The generic shared window as it is looked at.
pub(super) fn generic_window(window: &Window) -> Window {
    Window { base: window.base & SIXTEEN_BYTES, ..*window }
}

/// Rule SHARED: which lanes of an operation are shared, and where they lie.
#[derive(Clone, Copy, Debug)]
pub(super) struct SharedLanes {
    /// Beyond are those beyond the CTA's window, whose bytes are the limit.
    pub window: WindowLanes,
    /// First byte of the CTA's window.
    base: u64,
}

impl SharedLanes {
    /// Of the lanes `in_range`, whose addresses are the low bits of `sums`.
    pub(super) fn of(
        request: &Request,
        sums: &[u64; MAX_LANES],
        in_range: u32,
        windows: &Windows,
        preset: &Preset,
    ) -> Self {
        let window = generic_window(&windows.shared);
        let whole = preset.address_mask();
        let (lanes, origin, address_mask) = match Space::on_pin(request.space) {
            Space::Shared => (in_range, 0, whole),
            Space::SharedCluster => {
                let own = lanes_where(sums, |sum| cluster::rank_of(sum) == windows.rank);
                (own & in_range, 0, cluster::OFFSET_MASK)
            }
            Space::Generic => (lanes_in(&window, sums, whole) & in_range, window.base, whole),
            Space::Global | Space::Local | Space::ParamFunc | Space::Const | Space::ParamEntry => (0, 0, whole),
        };
        let all = preset.shared_bytes as u64;
        // The pins have one bit more than an address in shared memory.
        let on_pin = |value: u32| u64::from(value) & (2 * all - 1) & SIXTEEN_BYTES;
        let base = on_pin(request.shared_base);
        let limit = on_pin(request.shared_size).min(all.saturating_sub(base));
        let window = WindowLanes { lanes, origin, address_mask, limit, ..WindowLanes::default() };
        let mut window = window.with_beyond(sums);
        if Space::on_pin(request.space) == Space::SharedCluster {
            window.beyond |= cluster::too_long(sums) & lanes;
        }
        Self { window, base }
    }

    /// The shared address of a shared lane that is not beyond the window.
    pub(super) fn address(&self, sum: u64) -> u64 {
        self.base + self.window.offset(sum)
    }
}

/// Where a word stands among the words of a pass, one of each bank: words of different banks do not meet, since the banks are
/// as many as a warp has lanes, a power of two.
fn column(word: u32) -> usize {
    word as usize % ROW_WORDS
}

/// What a store's pass writes: one word of each bank, of whichever row.
#[derive(Clone, Debug, Default)]
pub(in crate::golden) struct BankWords {
    /// Which word of shared memory.
    numbers: [u32; ROW_WORDS],
    /// By byte of the word; words without are not written.
    strobes: [u8; ROW_WORDS],
    bytes: [[u8; WORD_BYTES as usize]; ROW_WORDS],
}

impl BankWords {
    /// Nothing is to be written.
    pub(super) fn clear(&mut self) {
        self.strobes = [0; ROW_WORDS];
    }

    /// These bytes, of one word, are to be written at a shared address.
    pub(super) fn put(&mut self, address: u32, bytes: &[u8]) {
        let (word, first) = (address / WORD_BYTES, (address % WORD_BYTES) as usize);
        let column = column(word);
        self.numbers[column] = word;
        for (number, byte) in bytes.iter().enumerate() {
            let at = (first + number) % WORD_BYTES as usize;
            self.bytes[column][at] = *byte;
            self.strobes[column] |= 1 << at;
        }
    }
}

/// Rule ROW: the rows of shared memory, as words.
#[derive(Clone, Debug)]
pub(super) struct SharedMemory {
    words: Box<[u32]>,
}

impl SharedMemory {
    /// All 0, as at power-up.
    pub(super) fn new(preset: &Preset) -> Self {
        Self { words: vec![0; preset.shared_bytes / WORD_BYTES as usize].into_boxed_slice() }
    }

    /// The words of a pass's lanes, `words` in each lane, where the quads of their addresses lie in a row.
    pub(super) fn read(&self, lanes: u32, addresses: &SharedAddresses, words: u32) -> RowData {
        let mut data = [0; ROW_WORDS];
        for lane in bits(lanes) {
            let first = addresses[usize::from(lane)] / WORD_BYTES;
            for word in first..first + words {
                data[column(word)] = self.words[word as usize];
            }
        }
        data
    }

    /// As many words from the byte `place` on, a multiple of 4, as a sector has; those beyond the end are 0.
    pub(super) fn read_words(&self, place: u32) -> [u32; SECTOR_WORDS] {
        let words = &self.words[(place / WORD_BYTES) as usize..];
        std::array::from_fn(|index| words.get(index).copied().unwrap_or(0))
    }

    /// Of `words`, which lie side by side from the byte `place` on, the bytes with strobes are written.
    pub(super) fn write_words(&mut self, place: u32, words: &[u32], strobes: u32) {
        let own = &mut self.words[(place / WORD_BYTES) as usize..];
        for (index, (word, new)) in own.iter_mut().zip(words).enumerate() {
            let mask = byte_mask(strobes >> (WORD_BYTES as usize * index));
            *word = *word & !mask | new & mask;
        }
    }

    /// Rule UPDATE: the bytes of a store's pass are written.
    pub(super) fn update(&mut self, stored: &BankWords) {
        for column in 0..ROW_WORDS {
            let strobes = stored.strobes[column];
            if strobes != 0 {
                let mask = byte_mask(strobes.into());
                let word = &mut self.words[stored.numbers[column] as usize];
                *word = *word & !mask | u32::from_le_bytes(stored.bytes[column]) & mask;
            }
        }
    }
}
