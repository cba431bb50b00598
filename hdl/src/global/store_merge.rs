//! `StoreMerge`: place `merge` of the global path: a store's registers become the bytes of one sector, or of a word of each bank.
//!
//! ```text
//! wdata ─► each byte repeated over its word ─► Memory (8 registers of each lane) ─► register r ─┐
//! pass ─► lane that wins each byte ─► word and bytes of each lane, from register to register ───┴─► merged ─► tag
//! ```
//!
//! One register of the whole warp a cycle; where two lanes write the same byte the higher lane wins. A lane begins at a multiple of all
//! that it writes, so lanes that share a byte share all of them: who wins is decided once, when the pass comes in, and what is left for
//! each cycle is to or together what the winners write (lanes are compared only while a pass is offered: a simulation skips them
//! otherwise). Shared memory takes a word of each bank, in as many bytes as a sector has, or more; which word that is goes past beside it.
//!
//! Assertions: `contract_aligned`, `contract_unit`, `contract_once`.

use super::prelude::*;

/// Place `merge` of the global path: a store's registers become the bytes of one sector, or of a word of each bank.
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
    /// Offset in the line, or in 128 bytes of shared memory, of each lane.
    pub in_offset: Many<Signal<In, Bits<7>>, LANES>,
    /// Word of each bank that a shared pass writes.
    pub in_place: Many<Signal<In, Bits<PLACE_BITS>>, LANES>,

    /// `merge` holds no pass.
    pub empty: Signal<Out, Bit>,
    /// A merged pass is offered to `tag`.
    pub valid: Signal<Out, Bit>,
    /// It is taken at this edge.
    pub next_ready: Signal<In, Bit>,
    /// The pass.
    pub pass: Signal<Out, Pass>,
    /// Offset in the line, or in 128 bytes of shared memory, of each lane.
    pub offset: Many<Signal<Out, Bits<7>>, LANES>,
    /// Word of each bank that a shared pass writes.
    pub place: Many<Signal<Out, Bits<PLACE_BITS>>, LANES>,
    /// Bytes that are written, four for each word.
    pub strobe: Many<Signal<Out, Bits<4>>, MERGE_WORDS>,
    /// The sector, in the first eight words, or the words of the banks; 0 where nothing is written.
    pub data: Many<Signal<Out, Bits<32>>, MERGE_WORDS>,

    store_data: Many<Memory<3, Bits<32>>, LANES>,
    full: Register<Bit>,
    held: Register<Pass>,
    offset_held: Registers<Bits<7>, LANES>,
    place_held: Registers<Bits<PLACE_BITS>, LANES>,
    register_index: Register<Bits<3>>,
    /// Last register of the pass, and whether `register_index` is there: known from the start of the cycle, as `issue` waits for it.
    last: Register<Bits<3>>,
    at_last: Register<Bit>,
    /// Lanes of the group that no higher one overwrites.
    winner: Register<Bits<LANES>>,
    /// For each word: lanes that are there in this cycle.
    word_lanes: Registers<Bits<LANES>, MERGE_WORDS>,
    /// Bytes of its word at which each lane is in this cycle.
    lane_bytes: Registers<Bits<4>, LANES>,
    /// The same of a lane at the beginning of a word: its last byte says that all lanes go on to the next word.
    first_bytes: Register<Bits<4>>,
    merged_strobe: Registers<Bits<4>, MERGE_WORDS>,
    merged_data: Registers<Bits<32>, MERGE_WORDS>,
    in_operation: Signal<Local, Operation>,
    operation: Signal<Local, Operation>,
    registers: Signal<Local, Bits<3>>,
    /// Registers of a lane that the pass stores: of a local one those of its word.
    own_registers: Signal<Local, Bits<3>>,
    first_index: Signal<Local, Bits<3>>,
    last_index: Signal<Local, Bits<3>>,
    winners: Signal<Local, Bits<LANES>>,
    unit_bytes: Signal<Local, Bits<4>>,
    in_lanes: Many<Signal<Local, Bits<LANES>>, MERGE_WORDS>,
    word_mask: Signal<Local, Bits<5>>,
    in_bytes: Many<Signal<Local, Bits<4>>, LANES>,
    repeated: Many<Signal<Local, Bits<32>>, LANES>,
    written: Many<Signal<Local, Bits<4>>, LANES>,
    byte_mask: Signal<Local, Bits<32>>,
    lane_word: Many<Signal<Local, Bits<32>>, LANES>,
    joining: Signal<Local, Bits<32>>,
    byte_lanes: Many<Signal<Local, Bits<LANES>>, 4>,

    /// Each lane of a pass begins at a multiple of all the bytes that it writes.
    contract_aligned: Signal<Local, Bit>,
    /// The registers of a pass were kept while its operation was the one offered.
    contract_unit: Signal<Local, Bit>,
    /// The unit of the operation that was offered when the last register was kept.
    contract_kept_unit: Register<Bits<2>>,
    /// No byte of the sector is written twice in a pass.
    contract_once: Signal<Local, Bit>,
}

impl Logic for StoreMerge {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, full, held, offset_held, place_held, register_index, last);
        dff_setup!(self, clock, at_last, winner, word_lanes, lane_bytes, first_bytes, merged_strobe, merged_data);
        self.in_operation.next = self.in_pass.val().operation;
        self.operation.next = self.held.q.val().operation;
        self.registers.next =
            bit_cast::<3, 2>(self.in_operation.val().element_registers) + bit_cast::<3, 2>(self.in_operation.val().vec);
        // Rule MERGE: a word's registers are those of four bytes.
        self.own_registers.next = self.registers.val();
        self.first_index.next = 0.into();
        if self.in_operation.val().is_local {
            self.first_index.next = bit_cast::<3, 2>(self.in_operation.val().word) << 2;
            if self.in_operation.val().unit == 1 {
                self.first_index.next = bit_cast::<3, 2>(self.in_operation.val().word) << 1;
            }
            if self.in_operation.val().unit == 2 {
                self.first_index.next = bit_cast::<3, 2>(self.in_operation.val().word);
            }
            if self.in_operation.val().last_word.any() {
                self.own_registers.next = 2.into();
                if self.in_operation.val().unit == 1 {
                    self.own_registers.next = 1.into();
                }
                if self.in_operation.val().unit == 2 {
                    self.own_registers.next = 0.into();
                }
            }
        }
        self.last_index.next = self.first_index.val();
        for i in 0..3 {
            if self.own_registers.val() > i.to_bits::<3>() {
                self.last_index.next = self.last_index.val().replace_bit(i, true);
            }
        }

        // A register is kept with its low byte, or its low half, repeated over the word: then each byte of it stands where a sector can take it.
        for i in 0..LANES {
            self.repeated[i].next = self.beat_data[i].val();
            if self.in_operation.val().unit == 0 {
                self.repeated[i].next =
                    (self.beat_data[i].val() & 0xffff00ffu64) | ((self.beat_data[i].val() & 0xff) << 8);
            }
            if !self.in_operation.val().unit.get_bit(1) {
                self.repeated[i].next = (self.repeated[i].val() & 0xffff) | (self.repeated[i].val() << 16);
            }
            self.store_data[i].clock.next = self.clock.val();
            self.store_data[i].write_enable.next = self.beat_write.val();
            self.store_data[i].write_address.next = self.beat_index.val();
            self.store_data[i].write_data.next = self.repeated[i].val();
            self.store_data[i].read_address.next = self.register_index.q.val();
            self.offset[i].next = self.offset_held.q[i].val();
            self.place[i].next = self.place_held.q[i].val();
        }

        // Rule MERGE: a lane wins unless a higher one of the group is at the same place.
        self.winners.next = self.in_pass.val().group;
        if self.in_valid.val() {
            for i in 0..LANES {
                for j in 0..LANES {
                    if j > i {
                        if self.in_pass.val().group.get_bit(j)
                            & (self.in_offset[i].val().get_bits::<MERGE_BITS>(0)
                                == self.in_offset[j].val().get_bits::<MERGE_BITS>(0))
                        {
                            self.winners.next = self.winners.val().replace_bit(i, false);
                        }
                    }
                }
            }
        }

        // Where each lane's first register goes.
        self.unit_bytes.next = 15.into();
        if self.in_operation.val().unit == 0 {
            self.unit_bytes.next = 1.into();
        }
        if self.in_operation.val().unit == 1 {
            self.unit_bytes.next = 3.into();
        }
        for i in 0..LANES {
            self.in_bytes[i].next = self.unit_bytes.val();
            if self.in_offset[i].val().get_bit(0) {
                self.in_bytes[i].next = self.in_bytes[i].val() << 1;
            }
            if self.in_offset[i].val().get_bit(1) {
                self.in_bytes[i].next = self.in_bytes[i].val() << 2;
            }
        }
        // Of a sector there are eight words.
        self.word_mask.next = 7.into();
        if self.in_pass.val().is_shared {
            self.word_mask.next = LAST_MERGE_WORD.to_bits::<5>();
        }
        for i in 0..MERGE_WORDS {
            self.in_lanes[i].next = 0.into();
        }
        for i in 0..8 {
            for j in 0..LANES {
                if (self.in_offset[j].val().get_bits::<5>(2) & self.word_mask.val()) == i.to_bits::<5>() {
                    self.in_lanes[i].next = self.in_lanes[i].val().replace_bit(j, true);
                }
            }
        }
        if self.in_pass.val().is_shared {
            for i in 8..MERGE_WORDS {
                for j in 0..LANES {
                    if (self.in_offset[j].val().get_bits::<5>(2) & self.word_mask.val()) == i.to_bits::<5>() {
                        self.in_lanes[i].next = self.in_lanes[i].val().replace_bit(j, true);
                    }
                }
            }
        }

        // Rule MERGE: the winners' registers at their places in the sector; words behind its eight are a shared pass's alone. No two of them write the same byte, so that or-ing is a choice.
        for i in 0..LANES {
            self.written[i].next = 0.into();
            if self.winner.q.val().get_bit(i) {
                self.written[i].next = self.lane_bytes.q[i].val();
            }
            self.byte_mask.next = 0.into();
            if self.written[i].val().get_bit(0) {
                self.byte_mask.next = self.byte_mask.val() | 0xff;
            }
            if self.written[i].val().get_bit(1) {
                self.byte_mask.next = self.byte_mask.val() | 0xff00;
            }
            if self.written[i].val().get_bit(2) {
                self.byte_mask.next = self.byte_mask.val() | 0xff0000;
            }
            if self.written[i].val().get_bit(3) {
                self.byte_mask.next = self.byte_mask.val() | 0xff000000u64;
            }
            self.lane_word[i].next = self.store_data[i].read_data.val() & self.byte_mask.val();
        }
        for i in 0..4 {
            self.byte_lanes[i].next = 0.into();
            for j in 0..LANES {
                self.byte_lanes[i].next = self.byte_lanes[i].val().replace_bit(j, self.written[j].val().get_bit(i));
            }
        }
        for i in 0..8 {
            self.data[i].next = self.merged_data.q[i].val();
            for j in 0..LANES {
                self.joining.next = 0.into();
                if self.word_lanes.q[i].val().get_bit(j) {
                    self.joining.next = self.lane_word[j].val();
                }
                self.data[i].next = self.data[i].val() | self.joining.val();
            }
            self.strobe[i].next = self.merged_strobe.q[i].val();
            for j in 0..4 {
                if (self.word_lanes.q[i].val() & self.byte_lanes[j].val()).any() {
                    self.strobe[i].next = self.strobe[i].val().replace_bit(j, true);
                }
            }
        }
        for i in 8..MERGE_WORDS {
            self.data[i].next = self.merged_data.q[i].val();
            self.strobe[i].next = self.merged_strobe.q[i].val();
        }
        if self.full.q.val() & self.held.q.val().is_shared {
            for i in 8..MERGE_WORDS {
                for j in 0..LANES {
                    self.joining.next = 0.into();
                    if self.word_lanes.q[i].val().get_bit(j) {
                        self.joining.next = self.lane_word[j].val();
                    }
                    self.data[i].next = self.data[i].val() | self.joining.val();
                }
                for j in 0..4 {
                    if (self.word_lanes.q[i].val() & self.byte_lanes[j].val()).any() {
                        self.strobe[i].next = self.strobe[i].val().replace_bit(j, true);
                    }
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
            // The next register's bytes stand above this one's: in the next word after a word's last byte.
            if self.first_bytes.q.val().get_bit(3) {
                self.word_lanes.d[0].next = 0.into();
                for i in 1..MERGE_WORDS {
                    self.word_lanes.d[i].next = self.word_lanes.q[i - 1].val();
                }
            }
            if self.operation.val().unit == 0 {
                self.first_bytes.d.next = (self.first_bytes.q.val() << 1) | (self.first_bytes.q.val() >> 3);
                for i in 0..LANES {
                    self.lane_bytes.d[i].next = (self.lane_bytes.q[i].val() << 1) | (self.lane_bytes.q[i].val() >> 3);
                }
            }
            if self.operation.val().unit == 1 {
                self.first_bytes.d.next = (self.first_bytes.q.val() << 2) | (self.first_bytes.q.val() >> 2);
                for i in 0..LANES {
                    self.lane_bytes.d[i].next = (self.lane_bytes.q[i].val() << 2) | (self.lane_bytes.q[i].val() >> 2);
                }
            }
            Arrays::join(&mut self.merged_data.d, &mut self.data);
            Arrays::join(&mut self.merged_strobe.d, &mut self.strobe);
        }
        if self.in_ready.val() {
            self.full.d.next = self.in_valid.val();
            self.held.d.next = self.in_pass.val();
            self.register_index.d.next = self.first_index.val();
            self.last.d.next = self.last_index.val();
            self.at_last.d.next = !self.own_registers.val().any();
            Arrays::join(&mut self.offset_held.d, &mut self.in_offset);
            Arrays::join(&mut self.place_held.d, &mut self.in_place);
            self.winner.d.next = self.winners.val();
            self.first_bytes.d.next = self.unit_bytes.val();
            for i in 0..LANES {
                self.lane_bytes.d[i].next = self.in_bytes[i].val();
            }
            for i in 0..MERGE_WORDS {
                self.word_lanes.d[i].next = self.in_lanes[i].val();
                self.merged_data.d[i].next = 0.into();
                self.merged_strobe.d[i].next = 0.into();
            }
        }

        dff_setup!(self, clock, contract_kept_unit);
        if self.beat_write.val() {
            self.contract_kept_unit.d.next = self.in_operation.val().unit;
        }
        self.contract_unit.next = !self.in_valid.val()
            | !self.in_pass.val().group.any()
            | (self.in_operation.val().unit == self.contract_kept_unit.q.val());
        self.contract_aligned.next = true;
        if self.in_valid.val() {
            for i in 0..LANES {
                for j in 0..5 {
                    if self.in_pass.val().group.get_bit(i)
                        & self.in_offset[i].val().get_bit(j)
                        & (bit_cast::<4, 3>(self.own_registers.val()) + bit_cast::<4, 2>(self.in_operation.val().unit)
                            > j.to_bits::<4>())
                    {
                        self.contract_aligned.next = false;
                    }
                }
            }
        }
        self.contract_once.next = true;
        if self.full.q.val() {
            for i in 0..MERGE_WORDS {
                for j in 0..4 {
                    if (self.merged_strobe.q[i].val().get_bit(j)
                        & (self.word_lanes.q[i].val() & self.byte_lanes[j].val()).any())
                        | ((self.word_lanes.q[i].val() & self.byte_lanes[j].val())
                            & ((self.word_lanes.q[i].val() & self.byte_lanes[j].val()) - 1))
                            .any()
                    {
                        self.contract_once.next = false;
                    }
                }
            }
        }
    }
}
