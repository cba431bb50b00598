//! `RowStore`: the rows of 128 bytes that L1, the read-only cache, fetches and shared memory share.
//!
//! ```text
//! response or update ─► one sector of one row, or a word of each bank ─► 32 word memories ─► one row, or a word of each bank ─► landing
//! part for another CTA ─► one sector ──────────────────────────────────────┘                └─► one row, for another CTA ─► reply
//! ```
//!
//! Shared memory: word p of bank b lies in memory (p mod BANK_WORDS) x LANES + b, in row p / BANK_WORDS of its region, so that 128 bytes of
//! it lie in a row like those of a line. A shared pass reads all BANK_WORDS memories of a bank in the row that it needs of this bank, and its lanes
//! take theirs from where they would lie in a line. What other CTAs ask for are sectors of these rows, like those of any other.
//!
//! Row numbers are those of [`way_row`](super::way_row). A read takes place at the edge of its cycle, and the row stays in `word` until the
//! next read. Of a response, an update and a part for another CTA no two come in one cycle. The memories have no logic that gives a word read at the edge that
//! writes it its old bytes: rule ROW says that nobody reads one.
//!
//! Assertions: `contract_one_write`, `contract_apart`, `contract_banks_apart`.

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
    /// Of shared memory instead: a word of each bank.
    pub read_is_shared: Signal<In, Bit>,
    /// Which of each.
    pub read_place: Many<Signal<In, Bits<PLACE_BITS>>, LANES>,
    /// The row read last, word 0 lowest.
    pub word: Many<Signal<Out, Bits<32>>, 32>,

    /// A read's response is written at this edge, from the memory port or from `answer`.
    pub fills: Signal<In, Bit>,
    /// Into this sector.
    pub fill_sector: Signal<In, Bits<2>>,
    /// Of this row.
    pub fill_row: Signal<In, Bits<ROW_BITS>>,
    /// Its bytes, four for each word.
    pub fill_strobe: Many<Signal<In, Bits<4>>, 8>,
    /// The sector that came from the memory port, word 0 lowest.
    pub fill_data: Many<Signal<In, Bits<32>>, 8>,
    /// `answer` is full: it has the sector.
    pub fill_is_answer: Signal<In, Bit>,
    /// The sector in `answer`.
    pub answer_data: Many<Signal<In, Bits<32>>, 8>,
    /// A part of a sector of shared memory is written at this edge for another CTA.
    pub serves: Signal<In, Bit>,
    /// Into this sector.
    pub serve_sector: Signal<In, Bits<2>>,
    /// Of this row.
    pub serve_row: Signal<In, Bits<ROW_BITS>>,
    /// Its bytes, four for each word.
    pub serve_strobe: Many<Signal<In, Bits<4>>, 8>,
    /// The sector.
    pub serve_data: Many<Signal<In, Bits<32>>, 8>,
    /// A store's bytes are written at this edge.
    pub updates: Signal<In, Bit>,
    /// Into this sector.
    pub update_sector: Signal<In, Bits<2>>,
    /// Of this row.
    pub update_row: Signal<In, Bits<ROW_BITS>>,
    /// Its bytes, four for each word.
    pub update_strobe: Many<Signal<In, Bits<4>>, MERGE_WORDS>,
    /// Its data.
    pub update_data: Many<Signal<In, Bits<32>>, MERGE_WORDS>,
    /// They are of shared memory instead: of a word of each bank. Only with `updates`.
    pub update_is_shared: Signal<In, Bit>,
    /// Which of each.
    pub update_place: Many<Signal<In, Bits<PLACE_BITS>>, LANES>,
    /// What is written at this edge but for banks of shared memory: one sector, or none.
    pub write_sectors: Signal<Out, Bits<4>>,
    /// Of this row.
    pub write_row: Signal<Out, Bits<ROW_BITS>>,

    memory: Many<StrobeMemory<ROW_BITS>, 32>,
    sector: Signal<Local, Bits<2>>,
    strobe: Many<Signal<Local, Bits<4>>, 8>,
    data: Many<Signal<Local, Bits<32>>, 8>,
    word_strobe: Many<Signal<Local, Bits<4>>, 32>,
    word_data: Many<Signal<Local, Bits<32>>, 32>,
    bank_read_row: Many<Signal<Local, Bits<ROW_BITS>>, LANES>,
    bank_write_row: Many<Signal<Local, Bits<ROW_BITS>>, LANES>,
    read_address: Many<Signal<Local, Bits<ROW_BITS>>, LANES>,
    write_address: Many<Signal<Local, Bits<ROW_BITS>>, LANES>,
    first_shared_row: Signal<Local, Bits<ROW_BITS>>,

    /// Of a response, an update and a part for another CTA no two come in one cycle.
    contract_one_write: Signal<Local, Bit>,
    /// No sector that is read for a lane is written at the same edge.
    contract_apart: Signal<Local, Bit>,
    /// No word of shared memory is read at an edge at which one is written.
    contract_banks_apart: Signal<Local, Bit>,
}

impl Logic for RowStore {
    #[hdl_gen]
    fn update(&mut self) {
        // Rule ROW: at one edge one sector is written, and one row is read.
        self.sector.next = self.fill_sector.val();
        self.write_row.next = self.fill_row.val();
        if self.serves.val() {
            self.sector.next = self.serve_sector.val();
            self.write_row.next = self.serve_row.val();
        }
        if self.updates.val() {
            self.sector.next = self.update_sector.val();
            self.write_row.next = self.update_row.val();
        }
        self.write_sectors.next = 0.into();
        for i in 0..4 {
            if (self.fills.val() | self.serves.val() | (self.updates.val() & !self.update_is_shared.val()))
                & (self.sector.val() == i.to_bits::<2>())
            {
                self.write_sectors.next = self.write_sectors.val().replace_bit(i, true);
            }
        }
        for i in 0..8 {
            self.strobe[i].next = self.fill_strobe[i].val();
            self.data[i].next = self.fill_data[i].val();
            if self.fill_is_answer.val() {
                self.data[i].next = self.answer_data[i].val();
            }
            if self.serves.val() {
                self.strobe[i].next = self.serve_strobe[i].val();
                self.data[i].next = self.serve_data[i].val();
            }
            if self.updates.val() {
                self.strobe[i].next = self.update_strobe[i].val();
                self.data[i].next = self.update_data[i].val();
            }
        }
        for i in 0..4 {
            for j in 0..8 {
                self.word_data[i * 8 + j].next = self.data[j].val();
                self.word_strobe[i * 8 + j].next = 0.into();
                if self.write_sectors.val().get_bit(i) {
                    self.word_strobe[i * 8 + j].next = self.strobe[j].val();
                }
            }
        }

        // The memories of a bank have their addresses in common.
        for i in 0..LANES {
            self.bank_read_row[i].next = FIRST_SHARED_ROW.to_bits::<ROW_BITS>();
            self.bank_write_row[i].next = FIRST_SHARED_ROW.to_bits::<ROW_BITS>();
            for j in 0..SHARED_ROW_BITS {
                self.bank_read_row[i].next =
                    self.bank_read_row[i].val().replace_bit(j, self.read_place[i].val().get_bit(j + BANK_WORD_BITS));
                self.bank_write_row[i].next =
                    self.bank_write_row[i].val().replace_bit(j, self.update_place[i].val().get_bit(j + BANK_WORD_BITS));
            }
            self.read_address[i].next = self.read_row.val();
            if self.read_is_shared.val() {
                self.read_address[i].next = self.bank_read_row[i].val();
            }
            self.write_address[i].next = self.write_row.val();
            if self.update_is_shared.val() {
                self.write_address[i].next = self.bank_write_row[i].val();
            }
        }
        if self.updates.val() & self.update_is_shared.val() {
            for i in 0..MERGES {
                for j in 0..MERGE_WORDS {
                    self.word_data[i * MERGE_WORDS + j].next = self.update_data[j].val();
                    self.word_strobe[i * MERGE_WORDS + j].next = self.update_strobe[j].val();
                }
            }
            for i in 0..BANK_WORDS {
                for j in 0..LANES {
                    if (self.update_place[j].val() & LAST_BANK_WORD.to_bits::<PLACE_BITS>())
                        != i.to_bits::<PLACE_BITS>()
                    {
                        self.word_strobe[i * LANES + j].next = 0.into();
                    }
                }
            }
        }
        for i in 0..BANK_WORDS {
            for j in 0..LANES {
                self.memory[i * LANES + j].clock.next = self.clock.val();
                self.memory[i * LANES + j].read_enable.next = self.reads.val();
                self.memory[i * LANES + j].read_address.next = self.read_address[j].val();
                self.word[i * LANES + j].next = self.memory[i * LANES + j].read_data.val();
                self.memory[i * LANES + j].write_address.next = self.write_address[j].val();
                self.memory[i * LANES + j].write_data.next = self.word_data[i * LANES + j].val();
                self.memory[i * LANES + j].write_strobe.next = self.word_strobe[i * LANES + j].val();
            }
        }

        self.first_shared_row.next = FIRST_SHARED_ROW.to_bits::<ROW_BITS>();
        self.contract_one_write.next = !(self.fills.val() & self.updates.val())
            & !(self.fills.val() & self.serves.val())
            & !(self.updates.val() & self.serves.val());
        self.contract_apart.next = !self.reads.val()
            | (self.read_row.val() != self.write_row.val())
            | !(self.read_sectors.val() & self.write_sectors.val()).any();
        self.contract_banks_apart.next = !(self.reads.val()
            & (self.read_is_shared.val() | (self.read_row.val() >= self.first_shared_row.val())))
            | !((self.updates.val() & self.update_is_shared.val()) | self.serves.val());
    }
}
