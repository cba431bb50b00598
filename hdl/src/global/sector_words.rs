//! `SectorWords`: one sector of the row that the row store has read. Combinational.

use super::prelude::*;

/// One sector of a row.
#[derive(LogicBlock, Default)]
pub struct SectorWords {
    /// The row, word 0 lowest.
    pub word: Many<Signal<In, Bits<32>>, 32>,
    /// Which of its sectors.
    pub sector: Signal<In, Bits<2>>,
    /// That one, word 0 lowest.
    pub chosen: Many<Signal<Out, Bits<32>>, 8>,
    low: Signal<Local, Bits<32>>,
    high: Signal<Local, Bits<32>>,
}

impl Logic for SectorWords {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..8 {
            self.low.next = self.word[i].val();
            self.high.next = self.word[i + 16].val();
            if self.sector.val().get_bit(0) {
                self.low.next = self.word[i + 8].val();
                self.high.next = self.word[i + 24].val();
            }
            self.chosen[i].next = self.low.val();
            if self.sector.val().get_bit(1) {
                self.chosen[i].next = self.high.val();
            }
        }
    }
}
