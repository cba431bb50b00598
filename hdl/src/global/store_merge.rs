//! `StoreMerge`: place `merge` of the global path: a store's registers become the bytes of one sector.
//!
//! ```text
//! wdata ─► Memory (8 registers of each lane) ─► register r ─► placed at its byte of the sector ─► merged ─► tag
//! ```
//!
//! One register of the whole warp a cycle; where two lanes write the same byte the higher lane wins.

use super::prelude::*;

/// Place `merge` of the global path: a store's registers become the bytes of one sector.
#[derive(LogicBlock, Default)]
pub struct StoreMerge {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// Store data is kept at this edge.
    pub beat_write: Signal<In, Bit>,
    /// As this register of the store.
    pub beat_index: Signal<In, Bits<3>>,
    /// Store data of each lane.
    pub beat_data: Many<Signal<In, Bits<32>>, LANES>,

    /// A store's pass is offered.
    pub in_valid: Signal<In, Bit>,
    /// It is taken at this edge.
    pub in_ready: Signal<Out, Bit>,
    /// The pass.
    pub in_pass: Signal<In, Pass>,
    /// Offset in the line of each lane.
    pub in_offset: Many<Signal<In, Bits<7>>, LANES>,

    /// `merge` holds no pass.
    pub empty: Signal<Out, Bit>,
    /// A merged pass is offered to `tag`.
    pub valid: Signal<Out, Bit>,
    /// It is taken at this edge.
    pub next_ready: Signal<In, Bit>,
    /// The pass.
    pub pass: Signal<Out, Pass>,
    /// Offset in the line of each lane.
    pub offset: Many<Signal<Out, Bits<7>>, LANES>,
    /// Bytes that are written, four for each word.
    pub strobe: Many<Signal<Out, Bits<4>>, 8>,
    /// The sector; 0 where nothing is written.
    pub data: Many<Signal<Out, Bits<32>>, 8>,

    store_data: Many<Memory<3, Bits<32>>, LANES>,
    full: Register<Bit>,
    held: Register<Pass>,
    offset_held: Registers<Bits<7>, LANES>,
    register_index: Register<Bits<3>>,
    /// Last register of the pass, and whether `register_index` is there: known from the start of the cycle, as `issue` waits for it.
    last: Register<Bits<3>>,
    at_last: Register<Bit>,
    /// Bytes of a lane before this register: counted here so that no logic stands before the placement.
    step: Register<Bits<5>>,
    merged_strobe: Registers<Bits<4>, 8>,
    merged_data: Registers<Bits<32>, 8>,
    in_operation: Signal<Local, Operation>,
    operation: Signal<Local, Operation>,
    registers: Signal<Local, Bits<3>>,
    last_index: Signal<Local, Bits<3>>,
    byte_place: Signal<Local, Bits<5>>,
    placed_word: Many<Signal<Local, Bits<3>>, LANES>,
    placed_strobe: Many<Signal<Local, Bits<4>>, LANES>,
    placed_mask: Many<Signal<Local, Bits<32>>, LANES>,
    placed_data: Many<Signal<Local, Bits<32>>, LANES>,
}

impl Logic for StoreMerge {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, full, held, offset_held, register_index, last);
        dff_setup!(self, clock, at_last, step, merged_strobe, merged_data);
        self.in_operation.next = self.in_pass.val().operation;
        self.operation.next = self.held.q.val().operation;
        self.registers.next =
            bit_cast::<3, 2>(self.in_operation.val().element_registers) + bit_cast::<3, 2>(self.in_operation.val().vec);
        self.last_index.next = 0.into();
        for i in 0..3 {
            self.last_index.next = self.last_index.val().replace_bit(i, self.registers.val() > i.to_bits::<3>());
        }

        // Rule MERGE: each lane's register at its place in the sector.
        for i in 0..LANES {
            self.store_data[i].clock.next = self.clock.val();
            self.store_data[i].write_enable.next = self.beat_write.val();
            self.store_data[i].write_address.next = self.beat_index.val();
            self.store_data[i].write_data.next = self.beat_data[i].val();
            self.store_data[i].read_address.next = self.register_index.q.val();
            self.byte_place.next = self.offset_held.q[i].val().get_bits::<5>(0) + self.step.q.val();
            self.placed_word[i].next = self.byte_place.val().get_bits::<3>(2);
            self.placed_strobe[i].next = 15.into();
            self.placed_mask[i].next = 0xffffffffu64.into();
            self.placed_data[i].next = self.store_data[i].read_data.val();
            if self.operation.val().unit == 0 {
                self.placed_strobe[i].next = 1.into();
                self.placed_mask[i].next = 0xff.into();
                self.placed_data[i].next = self.store_data[i].read_data.val() & 0xff;
            }
            if self.operation.val().unit == 1 {
                self.placed_strobe[i].next = 3.into();
                self.placed_mask[i].next = 0xffff.into();
                self.placed_data[i].next = self.store_data[i].read_data.val() & 0xffff;
            }
            if self.byte_place.val().get_bit(0) {
                self.placed_strobe[i].next = self.placed_strobe[i].val() << 1;
                self.placed_mask[i].next = self.placed_mask[i].val() << 8;
                self.placed_data[i].next = self.placed_data[i].val() << 8;
            }
            if self.byte_place.val().get_bit(1) {
                self.placed_strobe[i].next = self.placed_strobe[i].val() << 2;
                self.placed_mask[i].next = self.placed_mask[i].val() << 16;
                self.placed_data[i].next = self.placed_data[i].val() << 16;
            }
            self.offset[i].next = self.offset_held.q[i].val();
        }
        for i in 0..8 {
            self.data[i].next = self.merged_data.q[i].val();
            self.strobe[i].next = self.merged_strobe.q[i].val();
            for j in 0..LANES {
                if self.held.q.val().group.get_bit(j) & (self.placed_word[j].val() == i.to_bits::<3>()) {
                    self.data[i].next = (self.data[i].val() & !self.placed_mask[j].val()) | self.placed_data[j].val();
                    self.strobe[i].next = self.strobe[i].val() | self.placed_strobe[j].val();
                }
            }
        }

        self.empty.next = !self.full.q.val();
        self.valid.next = self.full.q.val() & self.at_last.q.val();
        self.pass.next = self.held.q.val();
        self.in_ready.next = !self.full.q.val() | (self.valid.val() & self.next_ready.val());
        if self.full.q.val() & !self.valid.val() {
            self.register_index.d.next = self.register_index.q.val() + 1;
            self.at_last.d.next = self.register_index.q.val() + 1 == self.last.q.val();
            self.step.d.next = self.step.q.val() + 4;
            if self.operation.val().unit == 0 {
                self.step.d.next = self.step.q.val() + 1;
            }
            if self.operation.val().unit == 1 {
                self.step.d.next = self.step.q.val() + 2;
            }
            Arrays::join(&mut self.merged_data.d, &mut self.data);
            Arrays::join(&mut self.merged_strobe.d, &mut self.strobe);
        }
        if self.in_ready.val() {
            self.full.d.next = self.in_valid.val();
            self.held.d.next = self.in_pass.val();
            self.register_index.d.next = 0.into();
            self.last.d.next = self.last_index.val();
            self.at_last.d.next = !self.last_index.val().any();
            self.step.d.next = 0.into();
            Arrays::join(&mut self.offset_held.d, &mut self.in_offset);
            for i in 0..8 {
                self.merged_data.d[i].next = 0.into();
                self.merged_strobe.d[i].next = 0.into();
            }
        }
    }
}
