//! `StorePort`: place `write` of the global path: up to two sectors, of stores or written back, on their way to memory, and the update of a row.
//!
//! Rule FREE: `write` is a queue of two, so that whether it is free is known from the start of the cycle. The update happens in the one cycle after `tag` moved, in which the memory side's responses wait:
//! the row is still the way's in which `tag` found it. A shared store is nothing but an update, and so is a local one here: its sector comes as it is written back.
//!
//! Assertions: `contract_room`.

use super::local_line::LocalLine;
use super::prelude::*;

/// Place `write` of the global path: up to two sectors, of stores or written back, on their way to memory, and the update of a row.
#[derive(LogicBlock, Default)]
pub struct StorePort {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// `tag` hands over a store's pass.
    pub push: Signal<In, Bit>,
    /// `write` holds fewer than two.
    pub free: Signal<Out, Bit>,
    /// Its operation.
    pub operation: Signal<In, Operation>,
    /// Its line.
    pub line: Signal<In, Bits<LINE>>,
    /// Its sector, one of four.
    pub need: Signal<In, Bits<4>>,
    /// `tag` moves a shared store's pass, which writes these words of the banks.
    pub push_shared: Signal<In, Bit>,
    /// Word of each bank.
    pub place: Many<Signal<In, Bits<PLACE_BITS>>, LANES>,
    /// Bytes that are written, four for each word.
    pub strobe: Many<Signal<In, Bits<4>>, MERGE_WORDS>,
    /// The sector, or the words of the banks.
    pub data: Many<Signal<In, Bits<32>>, MERGE_WORDS>,
    /// Its MSHR.
    pub mshr: Signal<In, Bits<ENTRY_BITS>>,
    /// L1 holds the sector and takes the bytes.
    pub hits: Signal<In, Bit>,
    /// In this row.
    pub row: Signal<In, Bits<ROW_BITS>>,

    /// A sector that is written back comes from `read` at this edge instead.
    pub write_back: Signal<In, Bit>,
    /// Its line.
    pub write_back_line: Signal<In, Bits<LINE>>,
    /// Which of that line's sectors.
    pub write_back_sector: Signal<In, Bits<2>>,
    /// Its MSHR.
    pub write_back_mshr: Signal<In, Bits<ENTRY_BITS>>,
    /// Its bytes, word 0 lowest.
    pub write_back_data: Many<Signal<In, Bits<32>>, 8>,
    /// `tag` moves a local store's pass, whose row takes its bytes: nothing goes to memory.
    pub push_local: Signal<In, Bit>,

    /// A write of memory is offered.
    pub valid: Signal<Out, Bit>,
    /// Taken at this edge, if there is one.
    pub ready: Signal<In, Bit>,
    /// A write of another CTA's shared memory is offered.
    pub cluster_valid: Signal<Out, Bit>,
    /// Taken at this edge, if there is one.
    pub cluster_ready: Signal<In, Bit>,
    /// What memory is told of its operation.
    pub attributes: Signal<Out, RequestAttributes>,
    /// Its MSHR.
    pub request_mshr: Signal<Out, Bits<ENTRY_BITS>>,
    /// Its sector.
    pub request_sector: Signal<Out, Bits<2>>,
    /// Sector-aligned byte address.
    pub address: Signal<Out, Bits<ADDR>>,
    /// Bytes that are written, four for each word.
    pub request_strobe: Many<Signal<Out, Bits<4>>, 8>,
    /// The sector; 0 where nothing is written.
    pub request_data: Many<Signal<Out, Bits<32>>, 8>,
    /// The row, or shared memory, takes the bytes of the store that came last at this edge.
    pub updates: Signal<Out, Bit>,
    /// It is shared memory that does: only if anything does.
    pub update_is_shared: Signal<Out, Bit>,
    /// The opposite of `updates`, for those who take a response.
    pub rests: Signal<Out, Bit>,
    /// Bytes of the update, four for each word.
    pub update_strobe: Many<Signal<Out, Bits<4>>, MERGE_WORDS>,
    /// Its data.
    pub update_data: Many<Signal<Out, Bits<32>>, MERGE_WORDS>,
    /// Its word of each bank.
    pub update_place: Many<Signal<Out, Bits<PLACE_BITS>>, LANES>,
    /// Its sector.
    pub update_sector: Signal<Out, Bits<2>>,
    /// Of this row.
    pub update_row: Signal<Out, Bits<ROW_BITS>>,

    full: Register<Bit>,
    held: Register<RequestAttributes>,
    line_held: Register<Bits<LINE>>,
    sector: Register<Bits<2>>,
    mshr_held: Register<Bits<ENTRY_BITS>>,
    strobe_held: Registers<Bits<4>, 8>,
    data_held: Registers<Bits<32>, 8>,
    second_full: Register<Bit>,
    /// The opposite, but for the cycle after a reset, in which nothing comes: half of what hangs on either.
    vacant: Register<Bit>,
    second: Register<RequestAttributes>,
    second_line: Register<Bits<LINE>>,
    second_sector: Register<Bits<2>>,
    second_mshr: Register<Bits<ENTRY_BITS>>,
    second_strobe: Registers<Bits<4>, 8>,
    second_data: Registers<Bits<32>, 8>,
    update: Register<Bit>,
    /// The opposite, but for the cycle after a reset, in which nothing has been asked for: half of what hangs on either.
    pause: Register<Bit>,
    /// It is one of shared memory.
    is_shared: Register<Bit>,
    row_held: Register<Bits<ROW_BITS>>,
    sector_held: Register<Bits<2>>,
    /// What came last, wherever it went.
    place_last: Registers<Bits<PLACE_BITS>, LANES>,
    strobe_last: Registers<Bits<4>, MERGE_WORDS>,
    data_last: Registers<Bits<32>, MERGE_WORDS>,
    need_sector: Signal<Local, Bits<2>>,
    coming: Signal<Local, Bit>,
    coming_attributes: Signal<Local, RequestAttributes>,
    coming_line: Signal<Local, Bits<LINE>>,
    coming_sector: Signal<Local, Bits<2>>,
    coming_mshr: Signal<Local, Bits<ENTRY_BITS>>,
    coming_strobe: Many<Signal<Local, Bits<4>>, 8>,
    coming_data: Many<Signal<Local, Bits<32>>, 8>,
    memory_line: LocalLine,
    changes_row: Signal<Local, Bit>,
    is_remote: Signal<Local, Bit>,
    goes: Signal<Local, Bit>,
    shifts: Signal<Local, Bit>,

    /// Something comes only while free, and only one thing.
    contract_room: Signal<Local, Bit>,
}

impl Logic for StorePort {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, full, held, line_held, sector, mshr_held, strobe_held, data_held, second_full, second);
        dff_setup!(self, clock, second_line, second_sector, second_mshr, second_strobe, second_data, update, row_held);
        dff_setup!(self, clock, vacant, pause, is_shared, sector_held, place_last, strobe_last, data_last);
        self.need_sector.next = 0.into();
        for i in 1..4 {
            if self.need.val().get_bit(i) {
                self.need_sector.next = i.to_bits::<2>();
            }
        }
        // What comes: a store, or else, with the properties of no operation, what is written back.
        self.coming.next = self.push.val() | self.write_back.val();
        self.coming_attributes.next.sem = self.operation.val().sem;
        self.coming_attributes.next.scope = self.operation.val().scope;
        self.coming_attributes.next.cop = self.operation.val().cop;
        self.coming_attributes.next.l2_evict = self.operation.val().l2_evict;
        self.coming_attributes.next.prefetch = self.operation.val().prefetch;
        self.coming_attributes.next.policy_en = self.operation.val().policy_en;
        self.coming_attributes.next.policy = self.operation.val().policy;
        self.coming_line.next = self.line.val();
        self.coming_sector.next = self.need_sector.val();
        self.coming_mshr.next = self.mshr.val();
        for i in 0..8 {
            self.coming_strobe[i].next = self.strobe[i].val();
            self.coming_data[i].next = self.data[i].val();
        }
        if self.write_back.val() {
            self.coming_attributes.next.sem = 0.into();
            self.coming_attributes.next.scope = 0.into();
            self.coming_attributes.next.cop = 0.into();
            self.coming_attributes.next.l2_evict = 0.into();
            self.coming_attributes.next.prefetch = 0.into();
            self.coming_attributes.next.policy_en = false;
            self.coming_attributes.next.policy = 0.into();
            self.coming_line.next = self.write_back_line.val();
            self.coming_sector.next = self.write_back_sector.val();
            self.coming_mshr.next = self.write_back_mshr.val();
            for i in 0..8 {
                self.coming_strobe[i].next = 15.into();
                self.coming_data[i].next = self.write_back_data[i].val();
            }
        }
        self.free.next = self.vacant.q.val();
        self.is_remote.next = self.line_held.q.val().get_bit(MEMORY_LINE);
        self.goes.next = self.ready.val();
        if self.is_remote.val() {
            self.goes.next = self.cluster_ready.val();
        }
        self.shifts.next = !self.full.q.val() | self.goes.val();
        if self.second_full.q.val() {
            self.second_full.d.next = !self.shifts.val();
            self.vacant.d.next = self.shifts.val();
        } else {
            self.second_full.d.next = self.coming.val() & !self.shifts.val();
            self.vacant.d.next = !self.coming.val() | self.shifts.val();
            self.second.d.next = self.coming_attributes.val();
            self.second_line.d.next = self.coming_line.val();
            self.second_sector.d.next = self.coming_sector.val();
            self.second_mshr.d.next = self.coming_mshr.val();
            for i in 0..8 {
                self.second_strobe.d[i].next = self.coming_strobe[i].val();
                self.second_data.d[i].next = self.coming_data[i].val();
            }
        }
        if self.shifts.val() {
            self.full.d.next = self.second_full.q.val() | self.coming.val();
            // What the second place holds, or else what it would take.
            self.held.d.next = self.second.d.val();
            self.line_held.d.next = self.second_line.d.val();
            self.sector.d.next = self.second_sector.d.val();
            self.mshr_held.d.next = self.second_mshr.d.val();
            Arrays::join(&mut self.strobe_held.d, &mut self.second_strobe.d);
            Arrays::join(&mut self.data_held.d, &mut self.second_data.d);
        }
        self.valid.next = self.full.q.val() & !self.is_remote.val();
        self.cluster_valid.next = self.full.q.val() & self.is_remote.val();
        self.attributes.next = self.held.q.val();
        self.request_mshr.next = self.mshr_held.q.val();
        self.request_sector.next = self.sector.q.val();
        self.memory_line.line.next = self.line_held.q.val();
        self.address.next = (bit_cast::<ADDR, LINE>(self.memory_line.other.val()) << 7)
            | (bit_cast::<ADDR, 2>(self.sector.q.val()) << 5);

        // Rule UPDATE.
        self.changes_row.next = (self.push.val() & self.hits.val()) | self.push_local.val() | self.push_shared.val();
        self.update.d.next = self.changes_row.val();
        self.pause.d.next = !self.changes_row.val();
        self.is_shared.d.next = self.push_shared.val();
        self.rests.next = self.pause.q.val();
        self.row_held.d.next = self.row.val();
        self.sector_held.d.next = self.need_sector.val();
        Arrays::join(&mut self.place_last.d, &mut self.place);
        Arrays::join(&mut self.strobe_last.d, &mut self.strobe);
        Arrays::join(&mut self.data_last.d, &mut self.data);
        self.updates.next = self.update.q.val();
        self.update_is_shared.next = self.is_shared.q.val();
        self.update_row.next = self.row_held.q.val();
        self.update_sector.next = self.sector_held.q.val();
        Arrays::join(&mut self.update_place, &mut self.place_last.q);
        Arrays::join(&mut self.update_strobe, &mut self.strobe_last.q);
        Arrays::join(&mut self.update_data, &mut self.data_last.q);
        Arrays::join(&mut self.request_strobe, &mut self.strobe_held.q);
        Arrays::join(&mut self.request_data, &mut self.data_held.q);

        self.contract_room.next =
            (!self.coming.val() | !self.second_full.q.val()) & !(self.push.val() & self.write_back.val());
    }
}
