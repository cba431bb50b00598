//! Store data: the beats that `issue` takes, and their merging into one sector, or one word of each bank, in place `merge`.

use super::super::lanes::bits;
use super::pass::Pass;
use super::rows::SectorData;
use super::shared::{BankWords, SharedAddresses};
use crate::pins::{MAX_LANES, SECTOR_BYTES};

/// Registers of the widest store that is legal.
const MAX_REGISTERS: usize = 8;

/// The store data of the operation in `issue`, register by register, and after it that of the pass in `merge`.
#[derive(Clone, Debug)]
pub(super) struct StoreData {
    registers: Box<[[u32; MAX_LANES]; MAX_REGISTERS]>,
    /// Beats taken of the store in `issue`.
    pub taken: u8,
}

impl StoreData {
    pub(super) fn new() -> Self {
        Self { registers: Box::new([[0; MAX_LANES]; MAX_REGISTERS]), taken: 0 }
    }

    /// Rule BEATS: one beat. More than a legal store has belong to one without lanes, or to a faulty one: nobody looks at them.
    pub(super) fn take(&mut self, beat: &[u32; MAX_LANES]) {
        if let Some(register) = self.registers.get_mut(usize::from(self.taken)) {
            *register = *beat;
        }
        self.taken += 1;
    }
}

/// A store's pass in `merge`.
#[derive(Clone, Debug, Default)]
pub(in crate::golden) struct Merging {
    pub pass: Pass,
    /// Registers merged.
    pub merged: u8,
    pub sector: SectorData,
    /// Of a shared pass.
    pub addresses: SharedAddresses,
    pub words: BankWords,
}

impl Merging {
    /// Registers to merge: an operation with more beats than there are registers makes only empty passes.
    fn merging_cycles(&self) -> u8 {
        self.pass.shape.beats_of_pass().min(MAX_REGISTERS as u8)
    }

    /// Whether the last register is merged in this cycle, or was in an earlier one.
    pub(super) fn is_complete_after_cycle(&self) -> bool {
        self.merged + 1 >= self.merging_cycles()
    }

    /// Rule MERGE: this cycle's register, if one is left: the highest lane wins.
    pub(super) fn merge(&mut self, data: &StoreData) {
        if self.merged >= self.merging_cycles() {
            return;
        }
        let part = usize::from(self.pass.shape.part);
        let part_strobes = (1_u32 << part) - 1;
        let number = usize::from(self.pass.word * self.pass.shape.beats_of_pass() + self.merged);
        if let Some(register) = data.registers.get(number) {
            let first = usize::from(self.merged) * part;
            for lane in bits(self.pass.lanes).map(usize::from) {
                let word = register[lane].to_le_bytes();
                if self.pass.shared {
                    self.words.put(self.addresses[lane] + first as u32, &word[..part]);
                    continue;
                }
                // Accesses are aligned, so a lane never runs over the sector's end; the mask only says so.
                let at = (usize::from(self.pass.offsets[lane]) + first) % SECTOR_BYTES;
                self.sector.bytes[at..at + part].copy_from_slice(&word[..part]);
                self.sector.strobes |= part_strobes << at;
            }
        }
        self.merged += 1;
    }
}
