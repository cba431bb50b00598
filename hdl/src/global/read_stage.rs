//! `ReadStage`: places `read` and `landing` of the global path: what comes out of the row store, and each lane's quad of it.
//!
//! ```text
//! picked read ─► read (the row store's output is a sector of each lane) ─► landing (a quad of each lane) ─► collect
//! ```
//!
//! Between the row store, whose block RAMs take long to answer, and `landing` there is one choice: which half of its sector is a lane's quad.
//!
//! Assertions: `contract_free`, `contract_moves`.

use super::prelude::*;

/// Places `read` and `landing` of the global path.
#[derive(LogicBlock, Default)]
pub struct ReadStage {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// A read is picked and enters `read` at this edge.
    pub goes: Signal<In, Bit>,
    /// `read` is empty or moves on.
    pub free: Signal<Out, Bit>,
    /// Its operation.
    pub operation: Signal<In, Operation>,
    /// Its number: that of a local pass's word, or 1 of the second of two.
    pub number: Signal<In, Bits<2>>,
    /// Its lanes, without failed ones.
    pub lanes: Signal<In, Bits<LANES>>,
    /// It ends its operation.
    pub last: Signal<In, Bit>,
    /// Offset in the row of each lane.
    pub offset: Many<Signal<In, Bits<7>>, LANES>,
    /// The row store's output: the sector of each lane of the read in `read`.
    pub word: Many<Signal<In, Bits<32>>, SECTOR_WORDS>,

    /// `read` holds a read.
    pub read_holds: Signal<Out, Bit>,
    /// Its operation.
    pub read_tag: Signal<Out, Bits<8>>,
    /// `landing` holds a read.
    pub valid: Signal<Out, Bit>,
    /// It moves to `collect` at this edge, if there is one.
    pub ready: Signal<In, Bit>,
    /// `collect` and `emit` are full.
    pub stands: Signal<In, Bit>,
    /// `emit`, if it is full, sends its last register at this edge.
    pub sends_last: Signal<In, Bit>,
    /// Operation in `collect`.
    pub collect_tag: Signal<In, Bits<8>>,
    /// Number of the read in `collect`.
    pub collect_number: Signal<In, Bits<2>>,
    /// It is of local passes.
    pub collect_is_local: Signal<In, Bit>,
    /// The read in `landing` is of the same operation, number and kind, if `collect` is full.
    pub landed_is_same: Signal<Out, Bit>,
    /// Its operation.
    pub landed_operation: Signal<Out, Operation>,
    /// Its number.
    pub landed_number: Signal<Out, Bits<2>>,
    /// Its lanes.
    pub landed_lanes: Signal<Out, Bits<LANES>>,
    /// It ends its operation.
    pub landed_last: Signal<Out, Bit>,
    /// Byte in the quad where each lane's value begins.
    pub landed_byte: Many<Signal<Out, Bits<4>>, LANES>,
    /// The quad of each lane: four words.
    pub landed_word: Many<Signal<Out, Bits<32>>, QUAD_WORDS>,

    read_full: Register<Bit>,
    read_operation: Register<Operation>,
    read_number: Register<Bits<2>>,
    read_lanes: Register<Bits<LANES>>,
    read_last: Register<Bit>,
    read_offset: Registers<Bits<7>, LANES>,
    landing_full: Register<Bit>,
    landing_operation: Register<Operation>,
    landing_number: Register<Bits<2>>,
    landing_lanes: Register<Bits<LANES>>,
    landing_last: Register<Bit>,
    landing_byte: Registers<Bits<4>, LANES>,
    landing_word: Registers<Bits<32>, QUAD_WORDS>,
    /// What is in `landing` and what is in `collect` belong together: compared as it comes to `landing`.
    is_same: Register<Bit>,
    landing_free: Signal<Local, Bit>,
    moves: Signal<Local, Bit>,
    operation_in_read: Signal<Local, Operation>,
    operation_in_landing: Signal<Local, Operation>,
    is_second: Signal<Local, Bit>,

    /// A read comes only while free.
    contract_free: Signal<Local, Bit>,
    /// What free says is whether read is empty or moves on.
    contract_moves: Signal<Local, Bit>,
}

impl Logic for ReadStage {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, read_full, read_operation, read_number, read_lanes, read_last, read_offset);
        dff_setup!(self, clock, landing_full, landing_operation, landing_number, landing_lanes, landing_last);
        dff_setup!(self, clock, landing_byte, landing_word, is_same);

        // Rule FREE.
        self.landing_free.next = !self.landing_full.q.val() | self.ready.val();
        self.moves.next = !self.read_full.q.val() | self.landing_free.val();
        // The same for those who pick, said from the registers of all four places: what comes last passes one gate on its way to them.
        self.free.next =
            !(self.read_full.q.val() & self.landing_full.q.val() & self.stands.val() & !self.is_same.q.val())
                | self.sends_last.val();
        if self.moves.val() {
            self.read_full.d.next = self.goes.val();
            self.read_operation.d.next = self.operation.val();
            self.read_number.d.next = self.number.val();
            self.read_lanes.d.next = self.lanes.val();
            self.read_last.d.next = self.last.val();
            Arrays::join(&mut self.read_offset.d, &mut self.offset);
        }
        self.read_holds.next = self.read_full.q.val();
        self.operation_in_read.next = self.read_operation.q.val();
        self.read_tag.next = self.operation_in_read.val().tag;
        self.operation_in_landing.next = self.landing_operation.q.val();

        // `landing`.
        if self.landing_free.val() {
            self.landing_full.d.next = self.read_full.q.val();
            self.landing_operation.d.next = self.read_operation.q.val();
            self.landing_number.d.next = self.read_number.q.val();
            self.landing_lanes.d.next = self.read_lanes.q.val();
            self.landing_last.d.next = self.read_last.q.val();
            // Rule SAME, with what is in `collect` after this edge.
            self.is_same.d.next = (self.read_tag.val() == self.collect_tag.val())
                & (self.read_number.q.val() == self.collect_number.val())
                & (self.operation_in_read.val().is_local == self.collect_is_local.val());
            if self.landing_full.q.val() {
                self.is_same.d.next = (self.read_tag.val() == self.operation_in_landing.val().tag)
                    & (self.read_number.q.val() == self.landing_number.q.val())
                    & (self.operation_in_read.val().is_local == self.operation_in_landing.val().is_local);
            }
        }
        self.landed_is_same.next = self.is_same.q.val();
        // Rule PICK: the second of two reads takes the quad after the first, which is the first of its sector.
        self.is_second.next = self.read_number.q.val().get_bit(0) & !self.operation_in_read.val().is_local;
        if self.landing_free.val() {
            for i in 0..LANES {
                self.landing_byte.d[i].next = self.read_offset.q[i].val().get_bits::<4>(0);
                for j in 0..4 {
                    self.landing_word.d[i * 4 + j].next = self.word[i * 8 + j].val();
                    if self.read_offset.q[i].val().get_bit(4) | self.is_second.val() {
                        self.landing_word.d[i * 4 + j].next = self.word[i * 8 + 4 + j].val();
                    }
                }
            }
        }
        self.valid.next = self.landing_full.q.val();
        self.landed_operation.next = self.landing_operation.q.val();
        self.landed_number.next = self.landing_number.q.val();
        self.landed_lanes.next = self.landing_lanes.q.val();
        self.landed_last.next = self.landing_last.q.val();
        Arrays::join(&mut self.landed_byte, &mut self.landing_byte.q);
        Arrays::join(&mut self.landed_word, &mut self.landing_word.q);

        self.contract_moves.next = self.free.val() == self.moves.val();
        self.contract_free.next = !self.goes.val() | self.free.val();
    }
}
