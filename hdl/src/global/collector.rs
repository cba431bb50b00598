//! `Collector`: places `collect` and `emit` of the global path: from quads to registers.
//!
//! ```text
//! landing, quad of each lane ─► collect (passes of one operation side by side) ─► emit ─► element q of each lane, extended ─► wb
//! ```
//!
//! `collect` is what lets a vector load of k lines send its k registers in k cycles: the lines come one a cycle, each with all words of
//! its lanes, and leave register by register for the whole warp.

use super::prelude::*;

/// Places `collect` and `emit` of the global path: from quads to registers.
#[derive(LogicBlock, Default)]
pub struct Collector {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// `collect` holds something.
    pub full: Signal<Out, Bit>,
    /// Its operation.
    pub tag: Signal<Out, Bits<8>>,
    /// Number of its read.
    pub number: Signal<Out, Bits<2>>,
    /// It is of local passes.
    pub is_local: Signal<Out, Bit>,
    /// A pass of that operation is ahead of `landing`.
    pub ahead: Signal<In, Bit>,
    /// `landing` holds a read.
    pub read_valid: Signal<In, Bit>,
    /// `collect` and `emit` are full: nothing but what joins `collect` enters it, unless `sends_last`.
    pub stands: Signal<Out, Bit>,
    /// `emit`, if it is full, sends its last register at this edge.
    pub sends_last: Signal<Out, Bit>,
    /// It enters `collect` at this edge, if there is one.
    pub read_ready: Signal<Out, Bit>,
    /// Its operation.
    pub read_operation: Signal<In, Operation>,
    /// It is of `collect`'s tag, number and kind, if both are full.
    pub read_is_same: Signal<In, Bit>,
    /// Its number.
    pub read_number: Signal<In, Bits<2>>,
    /// Its lanes.
    pub read_lanes: Signal<In, Bits<LANES>>,
    /// It ends its operation.
    pub read_last: Signal<In, Bit>,
    /// Byte in the quad where each lane's value begins.
    pub read_byte: Many<Signal<In, Bits<4>>, LANES>,
    /// The quad of each lane: four words.
    pub read_word: Many<Signal<In, Bits<32>>, QUAD_WORDS>,

    /// A register is offered.
    pub out: WritebackPort,

    collect_full: Register<Bit>,
    collect_operation: Register<Operation>,
    collect_number: Register<Bits<2>>,
    collect_lanes: Register<Bits<LANES>>,
    collect_last: Register<Bit>,
    collect_byte: Registers<Bits<4>, LANES>,
    collect_word: Registers<Bits<32>, QUAD_WORDS>,
    emit_full: Register<Bit>,
    /// The opposite, but for the cycle after a reset, in which `collect` is empty: what is picked hangs on it alone.
    emit_vacant: Register<Bit>,
    emit_operation: Register<Operation>,
    emit_lanes: Register<Bits<LANES>>,
    emit_last: Register<Bit>,
    /// Byte in the quad where the value that is sent begins.
    emit_place: Registers<Bits<4>, LANES>,
    emit_word: Registers<Bits<32>, QUAD_WORDS>,
    /// Register that is sent, within this read.
    emit_index: Register<Bits<5>>,
    /// The same, within all reads.
    whole_index: Register<Bits<5>>,
    /// Number of the last one within this read.
    last_index: Register<Bits<5>>,
    /// It is that. Known from the start of the cycle: whether `emit` is free decides about all that is behind it.
    is_last_index: Register<Bit>,
    same: Signal<Local, Bit>,
    moves: Signal<Local, Bit>,
    emit_free: Signal<Local, Bit>,
    registers: Signal<Local, Bits<3>>,
    coming_last_index: Signal<Local, Bits<5>>,
    coming_registers: Signal<Local, Bits<5>>,
    coming_whole_index: Signal<Local, Bits<5>>,
    element: Signal<Local, Bits<3>>,
    advance: Signal<Local, Bits<4>>,
    is_extension: Signal<Local, Bit>,
    picked_word: Signal<Local, Bits<32>>,
    picked_half: Signal<Local, Bits<16>>,
    picked_byte: Signal<Local, Bits<8>>,
    negative: Signal<Local, Bit>,
    value: Signal<Local, Bits<32>>,
}

impl Logic for Collector {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, collect_full, collect_operation, collect_number, collect_lanes);
        dff_setup!(self, clock, collect_last, collect_byte, collect_word, emit_vacant);
        dff_setup!(self, clock, emit_full, emit_operation, emit_lanes);
        dff_setup!(self, clock, emit_last, emit_place, emit_word, emit_index, whole_index, last_index, is_last_index);
        self.full.next = self.collect_full.q.val();
        self.tag.next = self.collect_operation.q.val().tag;
        self.number.next = self.collect_number.q.val();
        self.is_local.next = self.collect_operation.q.val().is_local;

        // Rule EMIT.
        self.registers.next = bit_cast::<3, 2>(self.collect_operation.q.val().element_registers)
            + bit_cast::<3, 2>(self.collect_operation.q.val().vec);
        // All five bits are set only for an operation without lanes: nobody checks it.
        self.coming_last_index.next = 0.into();
        for i in 0..5 {
            self.coming_last_index.next =
                self.coming_last_index.val().replace_bit(i, self.registers.val() > i.to_bits::<3>());
        }
        // A part of them for each of two reads, or for each word of local passes.
        if self.collect_operation.q.val().two_reads
            | (self.collect_operation.q.val().is_local & self.collect_operation.q.val().last_word.get_bit(0))
        {
            self.coming_last_index.next = self.coming_last_index.val() >> 1;
        }
        if self.collect_operation.q.val().is_local & self.collect_operation.q.val().last_word.get_bit(1) {
            self.coming_last_index.next = self.coming_last_index.val() >> 1;
        }
        // The number of registers is a power of two, so that or-ing adds its multiples.
        self.coming_registers.next = self.coming_last_index.val() + 1;
        self.coming_whole_index.next = 0.into();
        if self.collect_number.q.val().get_bit(0) {
            self.coming_whole_index.next = self.coming_registers.val();
        }
        if self.collect_number.q.val().get_bit(1) {
            self.coming_whole_index.next = self.coming_whole_index.val() | (self.coming_registers.val() << 1);
        }
        self.sends_last.next = self.out.wb_ready.val() & self.is_last_index.q.val();
        self.emit_free.next = !self.emit_full.q.val() | self.sends_last.val();
        self.stands.next = self.collect_full.q.val() & !self.emit_vacant.q.val();

        // Rule SAME: what has landed joins what is there. Rule AHEAD: otherwise `collect` moves, unless more may still come.
        self.same.next = self.collect_full.q.val() & self.read_valid.val() & self.read_is_same.val();
        self.moves.next = self.collect_full.q.val()
            & self.emit_free.val()
            & !self.same.val()
            & (self.read_valid.val() | !self.ahead.val());
        // With a read in `landing`, `collect` moves whenever `emit` is free: what is ahead does not matter to it.
        self.read_ready.next = !self.collect_full.q.val() | self.read_is_same.val() | self.emit_free.val();

        // `collect`.
        if self.moves.val() {
            self.collect_full.d.next = false;
            self.collect_lanes.d.next = 0.into();
            self.collect_last.d.next = false;
        }
        if self.read_valid.val() & self.read_ready.val() {
            self.collect_full.d.next = true;
            self.collect_operation.d.next = self.read_operation.val();
            self.collect_number.d.next = self.read_number.val();
            if self.same.val() {
                self.collect_lanes.d.next = self.collect_lanes.q.val() | self.read_lanes.val();
                self.collect_last.d.next = self.collect_last.q.val() | self.read_last.val();
            } else {
                self.collect_lanes.d.next = self.read_lanes.val();
                self.collect_last.d.next = self.read_last.val();
            }
            for i in 0..LANES {
                if self.read_lanes.val().get_bit(i) {
                    self.collect_byte.d[i].next = self.read_byte[i].val();
                    for j in 0..4 {
                        self.collect_word.d[i * 4 + j].next = self.read_word[i * 4 + j].val();
                    }
                }
            }
        }

        // `emit`. The next register's value lies behind this one's; the upper half of an extended element has none.
        self.advance.next = 1.into();
        if self.emit_operation.q.val().unit == 1 {
            self.advance.next = 2.into();
        }
        if self.emit_operation.q.val().unit == 2 {
            self.advance.next = 4.into();
        }
        if self.emit_operation.q.val().extended & !self.emit_index.q.val().get_bit(0) {
            self.advance.next = 0.into();
        }
        if self.out.wb_ready.val() {
            self.emit_index.d.next = self.emit_index.q.val() + 1;
            self.whole_index.d.next = self.whole_index.q.val() + 1;
            self.is_last_index.d.next = (self.emit_index.q.val() + 1) == self.last_index.q.val();
            for i in 0..LANES {
                self.emit_place.d[i].next = self.emit_place.q[i].val() + self.advance.val();
            }
        }
        if self.emit_free.val() {
            self.emit_index.d.next = 0.into();
            self.whole_index.d.next = self.coming_whole_index.val();
            self.last_index.d.next = self.coming_last_index.val();
            self.is_last_index.d.next = self.coming_last_index.val() == 0;
            self.emit_full.d.next = self.moves.val();
            self.emit_vacant.d.next = !self.moves.val();
            self.emit_operation.d.next = self.collect_operation.q.val();
            self.emit_lanes.d.next = self.collect_lanes.q.val();
            self.emit_last.d.next = self.collect_last.q.val();
            for i in 0..LANES {
                self.emit_place.d[i].next = self.collect_byte.q[i].val();
                for j in 0..4 {
                    self.emit_word.d[i * 4 + j].next = self.collect_word.q[i * 4 + j].val();
                }
            }
        }

        // The register that is sent.
        self.out.wb_valid.next = self.emit_full.q.val();
        self.out.wb.next.tag = self.emit_operation.q.val().tag;
        self.out.wb.next.rd = self.emit_operation.q.val().rd + bit_cast::<8, 5>(self.whole_index.q.val());
        self.out.wb.next.last = self.emit_last.q.val() & self.is_last_index.q.val();
        self.element.next = self.whole_index.q.val().get_bits::<3>(0);
        if self.emit_operation.q.val().element_registers == 1 {
            self.element.next = self.whole_index.q.val().get_bits::<3>(1);
        }
        if self.emit_operation.q.val().element_registers == 2 {
            self.element.next = self.whole_index.q.val().get_bits::<3>(2);
        }
        self.out.wb.next.mask = self.emit_lanes.q.val();
        if (self.emit_operation.q.val().rd == RD_RZ)
            | self.emit_operation.q.val().sink.get_bit(self.element.val().index())
        {
            self.out.wb.next.mask = 0.into();
        }
        self.is_extension.next = self.emit_operation.q.val().extended & self.emit_index.q.val().get_bit(0);
        for i in 0..LANES {
            self.picked_word.next = 0.into();
            for j in 0..4 {
                if self.emit_place.q[i].val().get_bits::<2>(2) == j.to_bits::<2>() {
                    self.picked_word.next = self.picked_word.val() | self.emit_word.q[i * 4 + j].val();
                }
            }
            // What is wider is aligned: the half of a word and the byte of a half or word are at its beginning.
            self.picked_half.next = self.picked_word.val().get_bits::<16>(0);
            if self.emit_place.q[i].val().get_bit(1) {
                self.picked_half.next = self.picked_word.val().get_bits::<16>(16);
            }
            self.picked_byte.next = self.picked_half.val().get_bits::<8>(0);
            if self.emit_place.q[i].val().get_bit(0) {
                self.picked_byte.next = self.picked_half.val().get_bits::<8>(8);
            }
            self.negative.next = self.picked_word.val().get_bit(31);
            if self.emit_operation.q.val().unit == 0 {
                self.negative.next = self.picked_byte.val().get_bit(7);
            }
            if self.emit_operation.q.val().unit == 1 {
                self.negative.next = self.picked_half.val().get_bit(15);
            }
            self.value.next = 0.into();
            if self.emit_operation.q.val().sign & self.negative.val() {
                self.value.next = 0xffffffffu64.into();
            }
            if !self.is_extension.val() {
                self.value.next = (self.value.val() & 0xffffff00u64) | bit_cast::<32, 8>(self.picked_byte.val());
                if self.emit_operation.q.val().unit != 0 {
                    self.value.next =
                        (self.value.val() & 0xffff00ffu64) | bit_cast::<32, 16>(self.picked_half.val() & 0xff00);
                }
                if self.emit_operation.q.val().unit == 2 {
                    self.value.next = (self.value.val() & 0x0000ffffu64) | (self.picked_word.val() & 0xffff0000u64);
                }
            }
            self.out.wb_data[i].next = 0.into();
            if self.out.wb.val().mask.get_bit(i) {
                self.out.wb_data[i].next = self.value.val();
            }
        }
    }
}
