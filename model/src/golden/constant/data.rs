//! Data stage: reads the line of one pass, one register a cycle (rules LDC-12, BEAT).

use super::cache::{Line, Slot};
use super::pass::Pass;
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
    pub is_replay: bool,
    /// The next register, counted from 0.
    pub beat: u8,
}

impl DataPass {
    /// Whether the next register comes with a fault record.
    pub(in crate::golden) fn has_fault(&self) -> bool {
        self.beat == 0 && self.failed != 0
    }

    pub(in crate::golden) fn is_on_last_register(&self) -> bool {
        self.beat + 1 == self.pass.shape.registers
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

    /// The next register, written into `writeback`.
    pub(in crate::golden) fn read(&self, line: &Line, last: bool, writeback: &mut Writeback) {
        let Pass { shape, group, ride, ref addresses, .. } = self.pass;
        let is_sunk = shape.sink >> (self.beat / shape.element_registers.max(1)) & 1 == 1;
        writeback.tag = shape.tag;
        writeback.rd = shape.rd.wrapping_add(self.beat);
        writeback.mask = if is_sunk { 0 } else { (group | ride) & !self.failed };
        writeback.last = last;
        let read = self.in_bounds & writeback.mask;
        let holds_sign = shape.extended && self.beat % 2 == 1;
        let part_number = if shape.extended { self.beat / 2 } else { self.beat };
        let offset = usize::from(part_number) * usize::from(shape.part);
        // Left by `unused` and back again, as a number with or without sign.
        let unused = 32 - 8 * u32::from(shape.part);
        for (lane, data) in writeback.data.iter_mut().enumerate() {
            let at = usize::from(addresses[lane]) + offset;
            // The mask keeps a lane of another group, whose word does not count, inside the line.
            let shifted = line[at / 4 % line.len()] >> (at % 4 * 8) << unused;
            let value = match (shape.sign, holds_sign) {
                (true, false) => (shifted as i32 >> unused) as u32,
                (true, true) => (shifted as i32 >> 31) as u32,
                (false, false) => shifted >> unused,
                (false, true) => 0,
            };
            *data = if read >> lane & 1 == 1 { value } else { 0 };
        }
    }
}
