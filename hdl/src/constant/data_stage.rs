//! `DataStage`: place `data` and register `wb`: reads the line and sends one register of the pass a cycle.
//!
//! ```text
//! pass (from tag or a miss entry) ─► registers ─► line memory ─► word of each lane ─► wb ─► LdcExtract ─► wb_*
//! line (install) ─► line memory                        └─► failed lanes ─► memory_error record (to fault)
//! ```
//!
//! The line memory holds 4 x `CONSTANT_WAYS` lines as 16 memories of one word each, read asynchronously.
//!
//! A pass that hit reads a way that was youngest when it entered `data`, and at most one line is installed before `data` moves on,
//! so its line is never overwritten.
//!
//! A line comes in two cycles, a sector in each, and is whole before a pass can read it: in the cycle after its install the entries that
//! waited for it are ready, and enter `data` at the end of that cycle at the earliest.
//!
//! Assertions: `contract_pass`, `contract_install`, `contract_slot`, `contract_aligned`.

use super::ldc_extract::LdcExtract;
use super::prelude::*;

/// Place `data` of the constant path, the line memory and register `wb`.
#[derive(LogicBlock, Default)]
pub struct DataStage {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset; the line memory keeps its content.
    pub reset: Signal<In, Bit>,
    /// A pass is offered.
    pub in_valid: Signal<In, Bit>,
    /// `data` is free at this edge.
    pub in_ready: Signal<Out, Bit>,
    /// The pass comes from a miss entry and reads the line installed last.
    pub in_is_replay: Signal<In, Bit>,
    /// The pass.
    pub in_pass: Signal<In, DataPass>,
    /// Byte in the line, for each lane.
    pub in_offset: Many<Signal<In, Bits<6>>, LANES>,
    /// Line: address bits 15 to 6.
    pub in_line: Signal<In, Bits<10>>,
    /// Way that holds the line, for a pass that hit.
    pub in_way: Signal<In, Bits<CONSTANT_WAY_BITS>>,
    /// Lanes of a replayed pass whose sector came back with an error.
    pub in_failed: Signal<In, Bits<LANES>>,

    /// A line arrives.
    pub install: Signal<In, Bit>,
    /// Its set.
    pub install_set: Signal<In, Bits<2>>,
    /// The way that it takes.
    pub install_way: Signal<In, Bits<CONSTANT_WAY_BITS>>,
    /// The sector in `install_data`; in the cycle after the install it is the other one.
    pub install_sector: Signal<In, Bit>,
    /// A sector of the line, word 0 lowest.
    pub install_data: Many<Signal<In, Bits<32>>, 8>,

    /// `data` holds a pass that came from a miss entry.
    pub is_replay: Signal<Out, Bit>,
    /// `data` holds a pass.
    pub holds: Signal<Out, Bit>,
    /// Operation in `data`.
    pub tag: Signal<Out, Bits<8>>,
    /// Another place holds a pass of that operation.
    pub has_more: Signal<In, Bit>,

    /// A memory_error record is offered; only when `data` moves with it.
    pub fault_valid: Signal<Out, Bit>,
    /// `fault` is free at this edge.
    pub fault_ready: Signal<In, Bit>,
    /// The record.
    pub fault: Signal<Out, FaultRecord>,

    /// A register is offered.
    pub out: WritebackPort,

    full: Register<Bit>,
    /// What frees `data` at this edge, as those before it ask last: `wb`, where its pass is at its last register; `fault` and `wb`, where that has failed lanes to
    /// report; both bits where it holds none. In the cycle after a reset, in which nothing is offered, neither.
    frees_with_wb: Register<Bit>,
    frees_with_fault: Register<Bit>,
    is_replay_held: Register<Bit>,
    held: Register<DataPass>,
    offset: Registers<Bits<6>, LANES>,
    /// Byte in its 16 where each lane reads for this register: known from the start, so that no logic stands before the line's multiplexers.
    at: Registers<Bits<4>, LANES>,
    /// Bytes from where a lane begins to there.
    position: Register<Bits<4>>,
    line: Register<Bits<10>>,
    slot: Register<Bits<CONSTANT_SLOT_BITS>>,
    /// Number of the register that is sent, and of the last.
    index: Register<Bits<5>>,
    /// `index` + 1.
    next_index: Register<Bits<5>>,
    last_index: Register<Bits<5>>,
    /// Lanes whose sector failed, and whether a record of them is due before the first beat.
    failed: Register<Bits<LANES>>,
    is_due: Register<Bit>,
    /// The register of this cycle takes data, in those of the pass's lanes that have some; the element is sunk: known from the start, as all
    /// of `wb` hangs on them.
    takes: Register<Bit>,
    is_sunk: Register<Bit>,
    served: Signal<Local, Bits<LANES>>,
    next_is_sunk: Signal<Local, Bit>,
    next_is_upper: Signal<Local, Bit>,
    /// The register of this cycle is the last of the pass: known from its start, as the whole path waits for it.
    at_last: Register<Bit>,
    in_result: Signal<Local, LdcResult>,
    result: Signal<Local, LdcResult>,
    ends_at_once: Signal<Local, Bit>,
    in_last: Signal<Local, Bits<5>>,
    is_upper: Signal<Local, Bit>,
    unit: Signal<Local, Bits<2>>,
    next_position: Signal<Local, Bits<4>>,
    next_element: Signal<Local, Bits<3>>,
    next_is_last: Signal<Local, Bit>,
    /// Where the line installed last is, and the sector that came in that cycle; its other one is written in the next.
    fill_slot: Register<Bits<CONSTANT_SLOT_BITS>>,
    fill_sector: Register<Bit>,
    fills_rest: Register<Bit>,
    word: Many<Memory<CONSTANT_SLOT_BITS, Bits<32>>, 16>,
    extract: LdcExtract,

    wb_full: Register<Bit>,
    wb_held: Register<Writeback>,
    wb_word: Registers<Bits<32>, LANES>,
    wb_byte: Registers<Bits<2>, LANES>,
    wb_size: Register<Bits<3>>,
    wb_sign: Register<Bit>,
    /// Lanes in which all bits are the sign of the register before.
    wb_fill: Register<Bits<LANES>>,

    wb_free: Signal<Local, Bit>,
    lowest_failed: Signal<Local, Bits<LANES>>,
    failed_offset: Signal<Local, Bits<6>>,
    failed_address: Signal<Local, Bits<32>>,
    sends: Signal<Local, Bit>,
    /// What `data` holds ends at this edge.
    leaves: Signal<Local, Bit>,
    install_slot: Signal<Local, Bits<CONSTANT_SLOT_BITS>>,
    write_slot: Signal<Local, Bits<CONSTANT_SLOT_BITS>>,
    write_sector: Signal<Local, Bit>,
    writes: Signal<Local, Bit>,
    line_word: Many<Signal<Local, Bits<32>>, 16>,
    quad_index: Signal<Local, Bits<2>>,
    pair_index: Signal<Local, Bits<3>>,
    picked: Signal<Local, Bits<32>>,
    lane_word: Many<Signal<Local, Bits<32>>, LANES>,

    /// Only a replayed pass is offered while `data` is not free.
    contract_pass: Signal<Local, Bit>,
    /// A line is installed only while `data` does not hold a replayed pass.
    contract_install: Signal<Local, Bit>,
    /// Nothing is written into the line that the pass in `data` reads.
    contract_slot: Signal<Local, Bit>,
    /// A lane that takes data begins at a multiple of all that it reads.
    contract_aligned: Signal<Local, Bit>,
}

impl Logic for DataStage {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, full, frees_with_wb, frees_with_fault, is_replay_held, held, offset, at, line);
        dff_setup!(
            self,
            clock,
            slot,
            position,
            index,
            next_index,
            last_index,
            failed,
            is_due,
            takes,
            is_sunk,
            at_last,
            fill_slot,
            fill_sector,
            fills_rest
        );
        dff_setup!(self, clock, wb_full, wb_held, wb_word, wb_byte, wb_size, wb_sign, wb_fill);

        self.lowest_failed.next = self.failed.q.val() & (!self.failed.q.val() + 1);
        self.failed_offset.next = 0.into();
        for i in 0..LANES {
            if self.lowest_failed.val().get_bit(i) {
                self.failed_offset.next = self.failed_offset.val() | self.offset.q[i].val();
            }
        }
        self.fault.next.tag = self.held.q.val().tag;
        self.fault.next.cause = CAUSE_MEMORY_ERROR.into();
        self.fault.next.lanes = self.failed.q.val();
        self.failed_address.next = (bit_cast::<32, 5>(self.held.q.val().segment) << 16)
            | (bit_cast::<32, 10>(self.line.q.val()) << 6)
            | bit_cast::<32, 6>(self.failed_offset.val());
        self.fault.next.address = bit_cast::<ADDR, 32>(self.failed_address.val());

        // Rule BEAT: a register goes to `wb` when `wb` is free, and the first of a pass with failed lanes when `fault` is free too.
        self.wb_free.next = !self.wb_full.q.val() | self.out.wb_ready.val();
        self.sends.next = self.full.q.val() & self.wb_free.val() & (!self.is_due.q.val() | self.fault_ready.val());
        self.fault_valid.next = self.full.q.val() & self.wb_free.val() & self.is_due.q.val();
        self.leaves.next = self.sends.val() & self.at_last.q.val();
        self.in_ready.next = (self.frees_with_wb.q.val() & (self.wb_free.val() | self.frees_with_fault.q.val()))
            | (self.frees_with_fault.q.val() & self.wb_free.val() & self.fault_ready.val());

        // Rule BEAT: which register comes next, of which element, and where its bytes are.
        self.result.next = self.held.q.val().result;
        self.in_result.next = self.in_pass.val().result;
        self.in_last.next = 0.into();
        for i in 0..5 {
            self.in_last.next = self.in_last.val().replace_bit(i, self.in_result.val().registers > i.to_bits::<3>());
        }
        self.ends_at_once.next = !self.in_result.val().registers.any();
        self.next_is_upper.next = self.result.val().extended & !self.index.q.val().get_bit(0);
        self.next_is_last.next = self.next_index.q.val() == self.last_index.q.val();
        self.is_upper.next = self.result.val().extended & self.index.q.val().get_bit(0);
        self.unit.next = 2.into();
        if self.result.val().size < SIZE_32 {
            self.unit.next = self.result.val().size.get_bits::<2>(0);
        }
        self.next_position.next = self.position.q.val() + 4;
        if self.unit.val() == 1 {
            self.next_position.next = self.position.q.val() + 2;
        }
        if self.unit.val() == 0 {
            self.next_position.next = self.position.q.val() + 1;
        }
        if self.next_is_upper.val() {
            self.next_position.next = self.position.q.val();
        }
        self.next_element.next = self.next_index.q.val().get_bits::<3>(0);
        if self.result.val().extended | (self.result.val().size == SIZE_64) {
            self.next_element.next = self.next_index.q.val().get_bits::<3>(1);
        }
        if self.result.val().size > SIZE_64 {
            self.next_element.next = self.next_index.q.val().get_bits::<3>(2);
        }
        self.next_is_sunk.next = self.result.val().sink.get_bit(self.next_element.val().index());
        self.served.next = 0.into();
        if self.takes.q.val() {
            self.served.next = self.held.q.val().value & !self.failed.q.val();
        }
        if self.sends.val() {
            self.index.d.next = self.next_index.q.val();
            self.next_index.d.next = self.next_index.q.val() + 1;
            // The upper register of an extended element takes nothing but the sign of the lower one.
            self.takes.d.next = !self.next_is_sunk.val() & !self.next_is_upper.val();
            self.is_sunk.d.next = self.next_is_sunk.val();
            self.position.d.next = self.next_position.val();
            self.is_due.d.next = false;
            self.at_last.d.next = self.next_is_last.val();
            self.frees_with_wb.d.next = self.next_is_last.val();
            self.frees_with_fault.d.next = false;
            // A lane begins at a multiple of all that it reads: or-ing is adding.
            for i in 0..LANES {
                self.at.d[i].next = self.offset.q[i].val().get_bits::<4>(0) | self.next_position.val();
            }
        }
        if !self.full.q.val() | self.leaves.val() {
            self.full.d.next = self.in_valid.val();
            self.frees_with_wb.d.next = !self.in_valid.val() | (self.ends_at_once.val() & !self.in_failed.val().any());
            self.frees_with_fault.d.next =
                !self.in_valid.val() | (self.ends_at_once.val() & self.in_failed.val().any());
            self.is_replay_held.d.next = self.in_is_replay.val();
            self.held.d.next = self.in_pass.val();
            self.line.d.next = self.in_line.val();
            self.slot.d.next = (bit_cast::<CONSTANT_SLOT_BITS, CONSTANT_WAY_BITS>(self.in_way.val()) << 2)
                | bit_cast::<CONSTANT_SLOT_BITS, 10>(self.in_line.val() & 3);
            if self.in_is_replay.val() {
                self.slot.d.next = self.fill_slot.q.val();
            }
            self.failed.d.next = self.in_failed.val();
            self.is_due.d.next = self.in_failed.val().any();
            self.is_sunk.d.next = self.in_result.val().sink.get_bit(0);
            self.takes.d.next = !self.in_result.val().sink.get_bit(0);
            self.at_last.d.next = self.ends_at_once.val();
            self.index.d.next = 0.into();
            self.next_index.d.next = 1.into();
            self.last_index.d.next = self.in_last.val();
            self.position.d.next = 0.into();
            for i in 0..LANES {
                self.offset.d[i].next = self.in_offset[i].val();
                self.at.d[i].next = self.in_offset[i].val().get_bits::<4>(0);
            }
        }
        self.holds.next = self.full.q.val();
        self.is_replay.next = self.full.q.val() & self.is_replay_held.q.val();
        self.tag.next = self.held.q.val().tag;

        // Line memory.
        self.install_slot.next = (bit_cast::<CONSTANT_SLOT_BITS, CONSTANT_WAY_BITS>(self.install_way.val()) << 2)
            | bit_cast::<CONSTANT_SLOT_BITS, 2>(self.install_set.val());
        if self.install.val() {
            self.fill_slot.d.next = self.install_slot.val();
            self.fill_sector.d.next = self.install_sector.val();
        }
        self.fills_rest.d.next = self.install.val();
        self.writes.next = self.install.val() | self.fills_rest.q.val();
        self.write_slot.next = self.install_slot.val();
        self.write_sector.next = self.install_sector.val();
        if self.fills_rest.q.val() {
            self.write_slot.next = self.fill_slot.q.val();
            self.write_sector.next = !self.fill_sector.q.val();
        }
        for i in 0..8 {
            self.word[i].clock.next = self.clock.val();
            self.word[i].write_enable.next = self.writes.val() & !self.write_sector.val();
            self.word[i].write_address.next = self.write_slot.val();
            self.word[i].write_data.next = self.install_data[i].val();
            self.word[i].read_address.next = self.slot.q.val();
            self.line_word[i].next = self.word[i].read_data.val();
            self.word[i + 8].clock.next = self.clock.val();
            self.word[i + 8].write_enable.next = self.writes.val() & self.write_sector.val();
            self.word[i + 8].write_address.next = self.write_slot.val();
            self.word[i + 8].write_data.next = self.install_data[i].val();
            self.word[i + 8].read_address.next = self.slot.q.val();
            self.line_word[i + 8].next = self.word[i + 8].read_data.val();
        }

        // Each lane's word: or-ing pairs of words of which all but one are masked takes fewer LUTs than a tree of multiplexers.
        for i in 0..LANES {
            self.quad_index.next = self.offset.q[i].val().get_bits::<2>(4);
            self.pair_index.next =
                (bit_cast::<3, 2>(self.quad_index.val()) << 1).replace_bit(0, self.at.q[i].val().get_bit(3));
            self.lane_word[i].next = 0.into();
            for j in 0..8 {
                self.picked.next = 0.into();
                if self.pair_index.val() == j.to_bits::<3>() {
                    self.picked.next = self.line_word[j * 2].val();
                    if self.at.q[i].val().get_bit(2) {
                        self.picked.next = self.line_word[j * 2 + 1].val();
                    }
                }
                self.lane_word[i].next = self.lane_word[i].val() | self.picked.val();
            }
        }

        // `wb`.
        if self.wb_free.val() {
            self.wb_full.d.next = self.sends.val();
        }
        if self.sends.val() {
            self.wb_held.d.next.tag = self.held.q.val().tag;
            self.wb_held.d.next.rd = self.result.val().rd + bit_cast::<8, 5>(self.index.q.val());
            self.wb_held.d.next.mask = 0.into();
            if !self.is_sunk.q.val() {
                self.wb_held.d.next.mask = self.held.q.val().write & !self.failed.q.val();
            }
            self.wb_held.d.next.last = self.at_last.q.val() & !self.has_more.val();
            self.wb_size.d.next = self.result.val().size;
            self.wb_sign.d.next = self.result.val().sign;
            self.wb_fill.d.next = 0.into();
            if self.is_upper.val() {
                self.wb_size.d.next = SIZE_8.into();
                self.wb_fill.d.next = self.extract.negative.val();
            }
            for i in 0..LANES {
                self.wb_word.d[i].next = self.lane_word[i].val();
                if !self.served.val().get_bit(i) {
                    self.wb_word.d[i].next = 0.into();
                }
                self.wb_byte.d[i].next = self.at.q[i].val().get_bits::<2>(0);
            }
        }
        self.extract.size.next = self.wb_size.q.val();
        self.extract.sign.next = self.wb_sign.q.val();
        self.extract.fill.next = self.wb_fill.q.val();
        Arrays::join(&mut self.extract.word, &mut self.wb_word.q);
        Arrays::join(&mut self.extract.byte_index, &mut self.wb_byte.q);
        self.out.wb_valid.next = self.wb_full.q.val();
        self.out.wb.next = self.wb_held.q.val();
        Arrays::join(&mut self.out.wb_data, &mut self.extract.value);

        self.contract_pass.next = !self.in_valid.val() | self.in_is_replay.val() | self.in_ready.val();
        self.contract_install.next = !self.install.val() | !self.is_replay.val();
        self.contract_slot.next = !self.writes.val()
            | !self.full.q.val()
            | !self.held.q.val().value.any()
            | (self.write_slot.val() != self.slot.q.val());
        self.contract_aligned.next = true;
        for i in 0..LANES {
            for j in 0..4 {
                if self.full.q.val()
                    & self.held.q.val().value.get_bit(i)
                    & self.offset.q[i].val().get_bit(j)
                    & (bit_cast::<4, 3>(self.result.val().registers) + bit_cast::<4, 2>(self.unit.val())
                        > j.to_bits::<4>())
                    & (!self.result.val().extended
                        | (bit_cast::<4, 3>(self.result.val().registers) + bit_cast::<4, 2>(self.unit.val()) - 1
                            > j.to_bits::<4>()))
                {
                    self.contract_aligned.next = false;
                }
            }
        }
    }
}
