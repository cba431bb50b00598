//! `RowStore`: the rows of 128 bytes that L1, the read-only cache and fetches share.
//!
//! ```text
//! response or update ─► one sector of one row ─► 32 word memories ─► one whole row ─► landing
//! ```
//!
//! Row numbers are those of [`way_row`](super::way_row). A read takes place at the edge of its cycle, and the row stays in `word` until the
//! next read. A response and an update never come in one cycle. The memories have no logic that gives a word read at the edge that
//! writes it its old bytes: rule ROW says that nobody reads one.
//!
//! Assertions: `contract_one_write`, `contract_apart`.

use super::prelude::*;

/// Rows of 128 bytes in 32 word memories, each with one read and one write port.
#[derive(LogicBlock, Default)]
pub struct RowStore {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset; the memories keep their content.
    pub reset: Signal<In, Bit>,

    /// A row is read at this edge.
    pub reads: Signal<In, Bit>,
    /// Which.
    pub read_row: Signal<In, Bits<ROW_BITS>>,
    /// Sectors of it in which the lanes lie that it is read for.
    pub read_sectors: Signal<In, Bits<4>>,
    /// The row read last, word 0 lowest.
    pub word: Many<Signal<Out, Bits<32>>, 32>,

    /// A read's response is written at this edge.
    pub fills: Signal<In, Bit>,
    /// Into this sector.
    pub fill_sector: Signal<In, Bits<2>>,
    /// Of this row.
    pub fill_row: Signal<In, Bits<ROW_BITS>>,
    /// The sector, word 0 lowest.
    pub fill_data: Many<Signal<In, Bits<32>>, 8>,
    /// A store's bytes are written at this edge.
    pub updates: Signal<In, Bit>,
    /// Into this sector.
    pub update_sector: Signal<In, Bits<2>>,
    /// Of this row.
    pub update_row: Signal<In, Bits<ROW_BITS>>,
    /// Its bytes, four for each word.
    pub update_strobe: Many<Signal<In, Bits<4>>, 8>,
    /// Its data.
    pub update_data: Many<Signal<In, Bits<32>>, 8>,
    /// What is written at this edge: one sector, or none.
    pub write_sectors: Signal<Out, Bits<4>>,
    /// Of this row.
    pub write_row: Signal<Out, Bits<ROW_BITS>>,

    memory: Many<StrobeMemory<ROW_BITS>, 32>,
    sector: Signal<Local, Bits<2>>,
    strobe: Many<Signal<Local, Bits<4>>, 8>,
    data: Many<Signal<Local, Bits<32>>, 8>,

    /// A response and an update never come in one cycle.
    contract_one_write: Signal<Local, Bit>,
    /// No sector that is read for a lane is written at the same edge.
    contract_apart: Signal<Local, Bit>,
}

impl Logic for RowStore {
    #[hdl_gen]
    fn update(&mut self) {
        // Rule ROW: at one edge one sector is written, and one row is read.
        self.sector.next = self.fill_sector.val();
        self.write_row.next = self.fill_row.val();
        if self.updates.val() {
            self.sector.next = self.update_sector.val();
            self.write_row.next = self.update_row.val();
        }
        self.write_sectors.next = 0.into();
        for i in 0..4 {
            if (self.fills.val() | self.updates.val()) & (self.sector.val() == i.to_bits::<2>()) {
                self.write_sectors.next = self.write_sectors.val().replace_bit(i, true);
            }
        }
        for i in 0..8 {
            self.strobe[i].next = 15.into();
            self.data[i].next = self.fill_data[i].val();
            if self.updates.val() {
                self.strobe[i].next = self.update_strobe[i].val();
                self.data[i].next = self.update_data[i].val();
            }
        }
        for i in 0..4 {
            for j in 0..8 {
                self.memory[i * 8 + j].clock.next = self.clock.val();
                self.memory[i * 8 + j].read_enable.next = self.reads.val();
                self.memory[i * 8 + j].read_address.next = self.read_row.val();
                self.word[i * 8 + j].next = self.memory[i * 8 + j].read_data.val();
                self.memory[i * 8 + j].write_address.next = self.write_row.val();
                self.memory[i * 8 + j].write_data.next = self.data[j].val();
                self.memory[i * 8 + j].write_strobe.next = 0.into();
                if self.write_sectors.val().get_bit(i) {
                    self.memory[i * 8 + j].write_strobe.next = self.strobe[j].val();
                }
            }
        }

        self.contract_one_write.next = !self.fills.val() | !self.updates.val();
        self.contract_apart.next = !self.reads.val()
            | (self.read_row.val() != self.write_row.val())
            | !(self.read_sectors.val() & self.write_sectors.val()).any();
    }
}
