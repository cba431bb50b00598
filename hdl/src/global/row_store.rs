//! `RowStore`: the rows of 128 bytes that L1, the read-only cache, fetches and shared memory share.
//!
//! ```text
//! response or update ─► one sector of one row, or a word of each bank ─► COLUMNS memories ─► a sector of each lane ─► landing
//! part for another CTA ─► one sector ────────────────────────────────┘                  └─► lane 0's ─► reply, write
//! ```
//!
//! Word w of a row lies in column w mod COLUMNS: as many words are written at once as there are columns. Every column has a read port for each lane,
//! which synthesis makes of as many block RAMs that are all written alike. So nobody has to choose 8 x LANES words out of one row: that took more
//! logic than everything that decides what is read.
//!
//! Shared memory: its bytes lie in rows of their own, side by side as those of a line. Bank b of LANES is that of the words w with w mod LANES = b:
//! a shared pass writes one word of each bank, wherever, and each of its lanes reads a sector, wherever. What other CTAs ask for are sectors of these
//! rows, like those of any other; those, and what is written back, come out at lane 0.
//!
//! Row numbers are those of [`way_row`](super::way_row). A read takes place at the edge of its cycle, and what it found stays in `word` until
//! something may be read again. Of a response, an update and a part for another CTA no two come in one cycle. The memories have no logic that
//! gives a word read at the edge that writes it its old bytes: rule ROW says that nobody reads one.
//!
//! Assertions: `contract_one_write`, `contract_one_row`, `contract_may_read`, `contract_apart`, `contract_banks_apart`.

use super::prelude::*;

/// Rows of 128 bytes in `COLUMNS` memories of words, each with a write port and a read port for each lane.
#[derive(LogicBlock, Default)]
pub struct RowStore {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset; the memories keep their content.
    pub reset: Signal<In, Bit>,

    /// A row is read at this edge.
    pub reads: Signal<In, Bit>,
    /// One may be, and what comes out is looked at only if it is: known sooner than whether it is. Always with `reads`.
    pub may_read: Signal<In, Bit>,
    /// Which; 0 if it is of shared memory.
    pub read_row: Signal<In, Bits<ROW_BITS>>,
    /// Sectors of it in which the lanes lie that it is read for.
    pub read_sectors: Signal<In, Bits<4>>,
    /// Of shared memory instead: in a row of its own for each lane.
    pub read_is_shared: Signal<In, Bit>,
    /// Which of it.
    pub read_shared_row: Many<Signal<In, Bits<SHARED_ROW_BITS>>, LANES>,
    /// Sector of its row that each lane reads.
    pub read_sector: Many<Signal<In, Bits<2>>, LANES>,
    /// The sector read last for each lane, word 0 lowest.
    pub word: Many<Signal<Out, Bits<32>>, SECTOR_WORDS>,

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

    memory: Many<StrobeMemory<COLUMN_BITS, LANES>, COLUMNS>,
    sector: Signal<Local, Bits<2>>,
    strobe: Many<Signal<Local, Bits<4>>, 8>,
    data: Many<Signal<Local, Bits<32>>, 8>,
    /// Bytes of each column that an update or a part for another CTA writes; and with those of a response.
    column_stored: Many<Signal<Local, Bits<4>>, COLUMNS>,
    column_strobe: Many<Signal<Local, Bits<4>>, COLUMNS>,
    column_data: Many<Signal<Local, Bits<32>>, COLUMNS>,
    first_shared_row: Signal<Local, Bits<ROW_BITS>>,
    first_shared_word: Signal<Local, Bits<COLUMN_BITS>>,
    bank_place: Signal<Local, Bits<PLACE_BITS>>,
    lane_shared_row: Signal<Local, Bits<SHARED_ROW_BITS>>,
    lane_row: Signal<Local, Bits<ROW_BITS>>,
    lane_sector: Signal<Local, Bits<2>>,
    /// Word of every column that each lane reads.
    lane_word: Many<Signal<Local, Bits<COLUMN_BITS>>, LANES>,
    /// Word of its columns that is written of each bank.
    bank_word: Many<Signal<Local, Bits<COLUMN_BITS>>, LANES>,
    write_word: Signal<Local, Bits<COLUMN_BITS>>,
    /// Sector of the row that each lane read last: where sectors lie side by side, which of these.
    sector_read: Registers<Bits<2>, LANES>,

    /// Of a response, an update and a part for another CTA no two come in one cycle.
    contract_one_write: Signal<Local, Bit>,
    /// What is read of shared memory is of no other row.
    contract_one_row: Signal<Local, Bit>,
    /// What is read may be.
    contract_may_read: Signal<Local, Bit>,
    /// No sector that is read for a lane is written at the same edge.
    contract_apart: Signal<Local, Bit>,
    /// No word of shared memory is read at an edge at which one is written.
    contract_banks_apart: Signal<Local, Bit>,
}

impl Logic for RowStore {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, sector_read);
        // Rule ROW: at one edge one sector is written, and sectors of one row are read.
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
        // Of the three no two write at once; whether a response does is known last, and joined last.
        for i in 0..8 {
            self.strobe[i].next = 0.into();
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
        for i in 0..COLUMN_SECTORS {
            for j in 0..8 {
                self.column_data[i * 8 + j].next = self.data[j].val();
                self.column_stored[i * 8 + j].next = 0.into();
                if (self.sector.val() & LAST_COLUMN_SECTOR.to_bits::<2>()) == i.to_bits::<2>() {
                    self.column_stored[i * 8 + j].next = self.strobe[j].val();
                }
            }
        }
        if self.updates.val() & self.update_is_shared.val() {
            for i in 0..COLUMNS {
                self.column_data[i].next = self.update_data[i].val();
                self.column_stored[i].next = self.update_strobe[i].val();
            }
        }
        for i in 0..COLUMN_SECTORS {
            for j in 0..8 {
                self.column_strobe[i * 8 + j].next = self.column_stored[i * 8 + j].val();
                if self.fills.val() & ((self.fill_sector.val() & LAST_COLUMN_SECTOR.to_bits::<2>()) == i.to_bits::<2>())
                {
                    self.column_strobe[i * 8 + j].next =
                        self.column_stored[i * 8 + j].val() | self.fill_strobe[j].val();
                }
            }
        }

        // Where it lies in its column: of shared memory each bank's own word is written, and each lane's own row is read.
        self.first_shared_row.next = FIRST_SHARED_ROW.to_bits::<ROW_BITS>();
        self.first_shared_word.next =
            bit_cast::<COLUMN_BITS, ROW_BITS>(self.first_shared_row.val()) << COLUMN_WORD_BITS.to_bits::<3>();
        self.write_word.next = (bit_cast::<COLUMN_BITS, ROW_BITS>(self.write_row.val())
            << COLUMN_WORD_BITS.to_bits::<3>())
            | bit_cast::<COLUMN_BITS, 2>(self.sector.val() >> COLUMN_SECTOR_BITS.to_bits::<2>());
        for i in 0..LANES {
            self.bank_place.next = self.update_place[i].val() >> BANK_COLUMN_BITS.to_bits::<2>();
            self.bank_word[i].next = self.write_word.val();
            if self.update_is_shared.val() {
                self.bank_word[i].next =
                    self.first_shared_word.val() | bit_cast::<COLUMN_BITS, PLACE_BITS>(self.bank_place.val());
            }
            self.lane_shared_row.next = self.read_shared_row[i].val();
            // Joined, not chosen: no other row is read then.
            self.lane_row.next = self.read_row.val();
            if self.read_is_shared.val() {
                self.lane_row.next = self.read_row.val()
                    | self.first_shared_row.val()
                    | bit_cast::<ROW_BITS, SHARED_ROW_BITS>(self.lane_shared_row.val());
            }
            self.lane_sector.next = self.read_sector[i].val() >> COLUMN_SECTOR_BITS.to_bits::<2>();
            self.lane_word[i].next = (bit_cast::<COLUMN_BITS, ROW_BITS>(self.lane_row.val())
                << COLUMN_WORD_BITS.to_bits::<3>())
                | bit_cast::<COLUMN_BITS, 2>(self.lane_sector.val());
        }
        for i in 0..BANK_COLUMNS {
            for j in 0..LANES {
                self.memory[i * LANES + j].clock.next = self.clock.val();
                self.memory[i * LANES + j].read_enable.next = self.may_read.val();
                for k in 0..LANES {
                    self.memory[i * LANES + j].read_address[k].next = self.lane_word[k].val();
                }
                self.memory[i * LANES + j].write_address.next = self.bank_word[j].val();
                self.memory[i * LANES + j].write_data.next = self.column_data[i * LANES + j].val();
                self.memory[i * LANES + j].write_strobe.next = self.column_strobe[i * LANES + j].val();
            }
        }

        // Each lane's sector: of those that lie side by side the one that it asked for.
        if self.may_read.val() {
            Arrays::join(&mut self.sector_read.d, &mut self.read_sector);
        }
        for i in 0..LANES {
            for j in 0..8 {
                self.word[i * 8 + j].next = self.memory[j].read_data[i].val();
                for k in 1..COLUMN_SECTORS {
                    if (self.sector_read.q[i].val() & LAST_COLUMN_SECTOR.to_bits::<2>()) == k.to_bits::<2>() {
                        self.word[i * 8 + j].next = self.memory[k * 8 + j].read_data[i].val();
                    }
                }
            }
        }

        self.contract_one_write.next = !(self.fills.val() & self.updates.val())
            & !(self.fills.val() & self.serves.val())
            & !(self.updates.val() & self.serves.val());
        self.contract_one_row.next = !self.read_is_shared.val() | !self.read_row.val().any();
        self.contract_may_read.next = !self.reads.val() | self.may_read.val();
        self.contract_apart.next = !self.reads.val()
            | (self.read_row.val() != self.write_row.val())
            | !(self.read_sectors.val() & self.write_sectors.val()).any();
        self.contract_banks_apart.next = !(self.reads.val()
            & (self.read_is_shared.val() | (self.read_row.val() >= self.first_shared_row.val())))
            | !((self.updates.val() & self.update_is_shared.val()) | self.serves.val());
    }
}
