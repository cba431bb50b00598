//! The row store: every line's data, in rows of 128 bytes that queues, waiters and MSHRs name by number.

use super::line::SECTORS;
use crate::pins::{SECTOR_BYTES, SECTOR_WORDS};

/// 32-bit words of a row.
pub(super) const ROW_WORDS: usize = 32;

/// One row's bytes as little-endian words.
pub(super) type RowData = [u32; ROW_WORDS];

/// The number of a row: those of L1's ways come first, set by set, then the read-only cache's, then the MSHRs' own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(in crate::golden) struct Row(pub u16);

/// Bytes of one sector with their strobes.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::golden) struct SectorData {
    pub strobes: u32,
    pub bytes: [u8; SECTOR_BYTES],
}

impl SectorData {
    /// As little-endian words; bytes without strobe are 0.
    pub(super) fn words(&self) -> [u32; SECTOR_WORDS] {
        let (words, _) = self.bytes.as_chunks::<4>();
        std::array::from_fn(|index| u32::from_le_bytes(words[index]))
    }
}

/// Rule ROW: one row for each way of each set of both caches, and one for each MSHR.
#[derive(Clone, Debug)]
pub(in crate::golden) struct Rows {
    data: Box<[RowData]>,
}

impl Rows {
    pub(super) fn new(count: usize) -> Self {
        Self { data: vec![[0; ROW_WORDS]; count].into_boxed_slice() }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.data.len()
    }

    pub(super) fn read(&self, row: Row) -> &RowData {
        &self.data[usize::from(row.0)]
    }

    fn sector(&mut self, row: Row, sector: u8) -> &mut [u32] {
        &mut self.data[usize::from(row.0)][usize::from(sector % SECTORS) * SECTOR_WORDS..][..SECTOR_WORDS]
    }

    /// A sector arrives from memory, but for the bytes of the strobes `stored`, which stay.
    pub(super) fn fill(&mut self, row: Row, sector: u8, data: &[u32; SECTOR_WORDS], stored: u32) {
        for (index, (word, new)) in self.sector(row, sector).iter_mut().zip(data).enumerate() {
            let mask = byte_mask(stored >> (4 * index));
            *word = *word & mask | new & !mask;
        }
    }

    /// A store writes its bytes into a sector.
    pub(super) fn update(&mut self, row: Row, sector: u8, stored: &SectorData) {
        for (index, (word, new)) in self.sector(row, sector).iter_mut().zip(stored.words()).enumerate() {
            let mask = byte_mask(stored.strobes >> (4 * index));
            *word = *word & !mask | new & mask;
        }
    }
}

/// The bits of the bytes whose strobes are the low four of `strobes`.
pub(super) fn byte_mask(strobes: u32) -> u32 {
    // Strobe i goes to bit 8i, and each such bit fills its byte.
    let spread = strobes & 1 | (strobes & 2) << 7 | (strobes & 4) << 14 | (strobes & 8) << 21;
    spread * 0xff
}
