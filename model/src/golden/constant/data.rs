//! Data stage: reads the line of one pass, one register a cycle (rule LDC-12).

use super::cache::{Line, Slot};
use super::pass::Pass;
use crate::micro_op::AccessSize;
use crate::pins::{FaultCause, FaultRecord, MAX_LANES, Writeback};

/// The pass in place `data`.
#[derive(Clone, Debug)]
pub(in crate::golden) struct DataPass {
    pub pass: Pass,
    /// Lanes that read the line.
    pub in_bounds: u32,
    /// Lanes in bounds whose sector came back with an error.
    pub failed: u32,
    /// Where the line lies; of no use without lanes in bounds.
    pub slot: Slot,
    /// Came from a miss entry.
    pub from_miss: bool,
    /// The next register, counted from 0.
    pub beat: u8,
}

impl DataPass {
    /// Whether the next beat comes with a fault record.
    pub(in crate::golden) fn has_fault(&self) -> bool {
        self.beat == 0 && self.failed != 0
    }

    pub(in crate::golden) fn is_on_last_beat(&self) -> bool {
        self.beat + 1 == self.pass.shape.beats
    }

    /// The memory_error record of this pass.
    pub(in crate::golden) fn fault(&self) -> FaultRecord {
        let lowest = self.failed.trailing_zeros() as usize % MAX_LANES;
        FaultRecord {
            tag: self.pass.shape.tag,
            cause: FaultCause::MemoryError.code(),
            lanes: self.failed,
            addr: u64::from(self.pass.sum(lowest)),
        }
    }

    /// The register of the next beat, written into `writeback`.
    pub(in crate::golden) fn read(&self, line: &Line, last: bool, writeback: &mut Writeback) {
        let Pass { shape, group, zero, ref addresses, .. } = self.pass;
        let read = self.in_bounds & !self.failed;
        writeback.tag = shape.tag;
        writeback.rd = shape.rd.wrapping_add(self.beat);
        writeback.mask = (group | zero) & !self.failed;
        writeback.last = last;
        let beat = usize::from(self.beat);
        for (lane, data) in writeback.data.iter_mut().enumerate() {
            let at = usize::from(addresses[lane]);
            // The mask keeps a lane of another group, whose word does not count, inside the line.
            let word = line[(at / 4 + beat) % line.len()];
            let value = extend(word >> (at % 4 * 8), shape.size, shape.sign);
            *data = if read >> lane & 1 == 1 { value } else { 0 };
        }
    }
}

/// LDC-12: the low bits of `word` as a register.
#[inline]
fn extend(word: u32, size: AccessSize, sign: bool) -> u32 {
    match (size, sign) {
        (AccessSize::Bits8, false) => u32::from(word as u8),
        (AccessSize::Bits8, true) => i32::from(word as i8) as u32,
        (AccessSize::Bits16, false) => u32::from(word as u16),
        (AccessSize::Bits16, true) => i32::from(word as i16) as u32,
        (AccessSize::Bits32 | AccessSize::Bits64 | AccessSize::Bits128, _) => word,
        // Only without lanes.
        (AccessSize::Invalid5 | AccessSize::Invalid6 | AccessSize::Invalid7, _) => word,
    }
}
