//! `Collector`: places C and E of the global path: from quads to registers.
//!
//! ```text
//! quad of each lane ─► C (passes of one operation side by side) ─► E ─► element q of each lane, extended ─► wb
//! ```
//!
//! C is what lets a vector load of k lines send its k registers in k cycles: the lines come one a cycle, each with all words of
//! its lanes, and leave register by register for the whole warp.

use rust_hdl::prelude::*;

use super::operation::Operation;
use super::results::Writeback;
use super::sizes::*;
use crate::codes::*;
use crate::{Many, Register, Registers, dff_setup};

/// Places C and E of the global path: from quads to registers.
#[derive(LogicBlock, Default)]
pub struct Collector {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// C holds something.
    pub full: Signal<Out, Bit>,
    /// Its operation.
    pub tag: Signal<Out, Bits<8>>,
    /// Its read number.
    pub read: Signal<Out, Bit>,
    /// E is free at this edge.
    pub emitter_free: Signal<Out, Bit>,
    /// C moves to E at this edge.
    pub moves: Signal<In, Bit>,
    /// A read enters C at this edge.
    pub read_goes: Signal<In, Bit>,
    /// Its operation.
    pub read_operation: Signal<In, Operation>,
    /// Its number.
    pub read_number: Signal<In, Bit>,
    /// Its lanes.
    pub read_lanes: Signal<In, Bits<LANES>>,
    /// It ends its operation.
    pub read_last: Signal<In, Bit>,
    /// Byte in the quad where each lane's value begins.
    pub read_byte: Many<Signal<In, Bits<4>>, LANES>,
    /// The quad of each lane: four words.
    pub read_word: Many<Signal<In, Bits<32>>, QUAD_WORDS>,

    /// A register is offered.
    pub wb_valid: Signal<Out, Bit>,
    /// Taken at this edge.
    pub wb_ready: Signal<In, Bit>,
    /// All of it but the values.
    pub wb: Signal<Out, Writeback>,
    /// Values; 0 in lanes that are not written.
    pub wb_data: Many<Signal<Out, Bits<32>>, LANES>,

    held: Register<Bit>,
    operation: Register<Operation>,
    number: Register<Bit>,
    lanes: Register<Bits<LANES>>,
    last: Register<Bit>,
    byte_place: Registers<Bits<4>, LANES>,
    word: Registers<Bits<32>, QUAD_WORDS>,
    out_full: Register<Bit>,
    out_operation: Register<Operation>,
    out_number: Register<Bit>,
    out_lanes: Register<Bits<LANES>>,
    out_last: Register<Bit>,
    out_byte: Registers<Bits<4>, LANES>,
    out_word: Registers<Bits<32>, QUAD_WORDS>,
    /// Register that is sent, within this read.
    index: Register<Bits<5>>,
    registers: Signal<Local, Bits<3>>,
    last_index: Signal<Local, Bits<5>>,
    is_last_index: Signal<Local, Bit>,
    whole_index: Signal<Local, Bits<5>>,
    element: Signal<Local, Bits<3>>,
    step: Signal<Local, Bits<4>>,
    is_extension: Signal<Local, Bit>,
    place: Signal<Local, Bits<4>>,
    picked_word: Signal<Local, Bits<32>>,
    picked_half: Signal<Local, Bits<16>>,
    picked_byte: Signal<Local, Bits<8>>,
    negative: Signal<Local, Bit>,
    value: Signal<Local, Bits<32>>,
}

impl Logic for Collector {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, held, operation, number, lanes, last, byte_place, word);
        dff_setup!(self, clock, out_full, out_operation, out_number, out_lanes, out_last, out_byte, out_word, index);
        self.full.next = self.held.q.val();
        self.tag.next = self.operation.q.val().tag;
        self.read.next = self.number.q.val();

        // C.
        if self.moves.val() {
            self.held.d.next = false;
            self.lanes.d.next = 0.into();
            self.last.d.next = false;
        }
        if self.read_goes.val() {
            self.held.d.next = true;
            self.operation.d.next = self.read_operation.val();
            self.number.d.next = self.read_number.val();
            if self.held.q.val() & !self.moves.val() {
                self.lanes.d.next = self.lanes.q.val() | self.read_lanes.val();
                self.last.d.next = self.last.q.val() | self.read_last.val();
            } else {
                self.lanes.d.next = self.read_lanes.val();
                self.last.d.next = self.read_last.val();
            }
            for i in 0..LANES {
                if self.read_lanes.val().get_bit(i) {
                    self.byte_place.d[i].next = self.read_byte[i].val();
                    for j in 0..4 {
                        self.word.d[i * 4 + j].next = self.read_word[i * 4 + j].val();
                    }
                }
            }
        }

        // E.
        self.registers.next = bit_cast::<3, 2>(self.out_operation.q.val().element_registers)
            + bit_cast::<3, 2>(self.out_operation.q.val().vec);
        // All five bits are set only for an operation without lanes: nobody checks it.
        self.last_index.next = 0.into();
        for i in 0..5 {
            self.last_index.next = self.last_index.val().replace_bit(i, self.registers.val() > i.to_bits::<3>());
        }
        self.whole_index.next = self.index.q.val();
        if self.out_operation.q.val().two_reads {
            self.last_index.next = self.last_index.val() >> 1;
            if self.out_number.q.val() {
                self.whole_index.next = self.index.q.val() + self.last_index.val() + 1;
            }
        }
        self.is_last_index.next = self.index.q.val() == self.last_index.val();
        self.emitter_free.next = !self.out_full.q.val() | (self.wb_ready.val() & self.is_last_index.val());
        if self.wb_ready.val() {
            self.index.d.next = self.index.q.val() + 1;
        }
        if self.emitter_free.val() {
            self.index.d.next = 0.into();
            self.out_full.d.next = self.moves.val();
            self.out_operation.d.next = self.operation.q.val();
            self.out_number.d.next = self.number.q.val();
            self.out_lanes.d.next = self.lanes.q.val();
            self.out_last.d.next = self.last.q.val();
            for i in 0..LANES {
                self.out_byte.d[i].next = self.byte_place.q[i].val();
                for j in 0..4 {
                    self.out_word.d[i * 4 + j].next = self.word.q[i * 4 + j].val();
                }
            }
        }

        // The register that is sent.
        self.wb_valid.next = self.out_full.q.val();
        self.wb.next.tag = self.out_operation.q.val().tag;
        self.wb.next.rd = self.out_operation.q.val().rd + bit_cast::<8, 5>(self.whole_index.val());
        self.wb.next.last = self.out_last.q.val() & self.is_last_index.val();
        self.element.next = self.whole_index.val().get_bits::<3>(0);
        if self.out_operation.q.val().element_registers == 1 {
            self.element.next = self.whole_index.val().get_bits::<3>(1);
        }
        if self.out_operation.q.val().element_registers == 2 {
            self.element.next = self.whole_index.val().get_bits::<3>(2);
        }
        self.wb.next.mask = self.out_lanes.q.val();
        if (self.out_operation.q.val().rd == RD_RZ)
            | self.out_operation.q.val().sink.get_bit(self.element.val().index())
        {
            self.wb.next.mask = 0.into();
        }
        self.step.next = self.index.q.val().get_bits::<4>(0);
        if self.out_operation.q.val().extended {
            self.step.next = self.index.q.val().get_bits::<4>(1);
        }
        if self.out_operation.q.val().unit == 1 {
            self.step.next = self.step.val() << 1;
        }
        if self.out_operation.q.val().unit == 2 {
            self.step.next = self.step.val() << 2;
        }
        self.is_extension.next = self.out_operation.q.val().extended & self.index.q.val().get_bit(0);
        for i in 0..LANES {
            self.place.next = self.out_byte.q[i].val() + self.step.val();
            self.picked_word.next = self.out_word.q[i * 4].val();
            if self.place.val().get_bits::<2>(2) == 1 {
                self.picked_word.next = self.out_word.q[i * 4 + 1].val();
            }
            if self.place.val().get_bits::<2>(2) == 2 {
                self.picked_word.next = self.out_word.q[i * 4 + 2].val();
            }
            if self.place.val().get_bits::<2>(2) == 3 {
                self.picked_word.next = self.out_word.q[i * 4 + 3].val();
            }
            self.picked_half.next = self.picked_word.val().get_bits::<16>(0);
            if self.place.val().get_bit(1) {
                self.picked_half.next = self.picked_word.val().get_bits::<16>(16);
            }
            self.picked_byte.next = self.picked_half.val().get_bits::<8>(0);
            if self.place.val().get_bit(0) {
                self.picked_byte.next = self.picked_half.val().get_bits::<8>(8);
            }
            self.negative.next = self.picked_word.val().get_bit(31);
            self.value.next = self.picked_word.val();
            if self.out_operation.q.val().unit == 0 {
                self.negative.next = self.picked_byte.val().get_bit(7);
                self.value.next = bit_cast::<32, 8>(self.picked_byte.val());
                if self.out_operation.q.val().sign & self.picked_byte.val().get_bit(7) {
                    self.value.next = bit_cast::<32, 8>(self.picked_byte.val()) | 0xffffff00u64;
                }
            }
            if self.out_operation.q.val().unit == 1 {
                self.negative.next = self.picked_half.val().get_bit(15);
                self.value.next = bit_cast::<32, 16>(self.picked_half.val());
                if self.out_operation.q.val().sign & self.picked_half.val().get_bit(15) {
                    self.value.next = bit_cast::<32, 16>(self.picked_half.val()) | 0xffff0000u64;
                }
            }
            if self.is_extension.val() {
                self.value.next = 0.into();
                if self.out_operation.q.val().sign & self.negative.val() {
                    self.value.next = 0xffffffffu64.into();
                }
            }
            self.wb_data[i].next = 0.into();
            if self.wb.val().mask.get_bit(i) {
                self.wb_data[i].next = self.value.val();
            }
        }
    }
}
