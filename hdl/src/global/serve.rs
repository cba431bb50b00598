//! `Serve`: place `serve` of the global path: a request of another CTA for a sector of shared memory.
//!
//! ```text
//! serve_req ─► register ─┬─► a write: row store, a part in each cycle that is no update ─┐
//!                        └─► a read: picked ─► read, a part each ────────────────────────┴─► reply
//! ```
//!
//! Rule SERVE. A sector lies in one row of shared memory, so that a part is read as a row and written as a sector, not bank by bank.
//!
//! `reset` is that which forgets requests, with `rst_mem`; any other one only takes a part's read out of `read`.
//!
//! Assertions: `contract_update`, `contract_read`, `contract_reply`.

use super::prelude::*;

/// Place `serve` of the global path: a request of another CTA for a sector of shared memory.
#[derive(LogicBlock, Default)]
pub struct Serve {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset that forgets the requests of others.
    pub reset: Signal<In, Bit>,
    /// Everything else is reset at this edge, `read` with it.
    pub read_is_lost: Signal<In, Bit>,
    /// A request is offered.
    pub request: ServeRequestPort,
    /// First byte of the CTA's window in shared memory.
    pub cluster_base: Signal<In, Bits<SHARED>>,
    /// Bytes of that window.
    pub cluster_size: Signal<In, Bits<SHARED>>,

    /// The row store takes a store's bytes at this edge.
    pub updates: Signal<In, Bit>,
    /// It does in the next cycle, into shared memory, unless everything else is reset.
    pub updates_shared_next: Signal<In, Bit>,
    /// `reply` is full.
    pub reply_full: Signal<In, Bit>,
    /// What it holds stays there at this edge.
    pub reply_stays: Signal<In, Bit>,
    /// `serve` is full.
    pub full: Signal<Out, Bit>,
    /// It holds a write, and `reply` is empty.
    pub writes: Signal<Out, Bit>,
    /// The row store takes a part at this edge.
    pub write_goes: Signal<Out, Bit>,
    /// Bytes of it, four for each word of the sector.
    pub strobe: Many<Signal<Out, Bits<4>>, 8>,
    /// The sector that is written.
    pub data: Many<Signal<Out, Bits<32>>, 8>,
    /// A part may be picked to be read.
    pub reads: Signal<Out, Bit>,
    /// It is, and goes to `read` at this edge.
    pub read_goes: Signal<In, Bit>,
    /// Row of the sector.
    pub row: Signal<Out, Bits<ROW_BITS>>,
    /// Which of the row's.
    pub sector: Signal<Out, Bits<2>>,

    /// A part that was read goes from `read` to `reply` at this edge.
    pub lands: Signal<Out, Bit>,
    /// The part that is read or written.
    pub part: Signal<Out, Bits<1>>,
    /// `reply` has the whole response after this edge, and `serve` is empty.
    pub ends: Signal<Out, Bit>,
    /// The request's id.
    pub id: Signal<Out, Bits<6>>,
    /// Who asked.
    pub rank: Signal<Out, Bits<8>>,
    /// The address lies beyond the window.
    pub error: Signal<Out, Bit>,

    holds_read: Register<Bit>,
    holds_write: Register<Bit>,
    held_id: Register<Bits<6>>,
    held_rank: Register<Bits<8>>,
    held_sector: Register<Bits<SHARED_SECTOR_BITS>>,
    is_beyond: Register<Bit>,
    held_strobe: Register<Bits<32>>,
    held_data: Registers<Bits<32>, 8>,
    /// Parts before this one are done.
    part_index: Register<Bits<1>>,
    /// A part is in `read`.
    in_read: Register<Bit>,
    /// It holds a write, or a read of which no part is in `read`, and `reply` is empty: who may do what hangs on it.
    may_write: Register<Bit>,
    /// It may write, and lies in the window.
    may_store: Register<Bit>,
    may_read: Register<Bit>,
    /// It may read, and shared memory takes no store's bytes: known from the start, as who is picked hangs on it.
    offers_read: Register<Bit>,
    is_beyond_low: Signal<Local, Bit>,
    window_granules: Signal<Local, Bits<GRANULE_COUNT>>,
    granule: Signal<Local, Bits<GRANULE_COUNT>>,
    first_row: Signal<Local, Bits<ROW_BITS>>,
    steps: Signal<Local, Bit>,
    is_last: Signal<Local, Bit>,

    /// There is an update in the first cycle in which serve writes, at most.
    contract_update: Signal<Local, Bit>,
    contract_wrote: Register<Bit>,
    /// A part is read only while it may be.
    contract_read: Signal<Local, Bit>,
    /// Nothing is read or written while reply is full.
    contract_reply: Signal<Local, Bit>,
}

impl Logic for Serve {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, holds_read, holds_write, held_id, held_rank, held_sector, is_beyond, held_strobe);
        dff_setup!(self, clock, offers_read, may_store);
        dff_setup!(self, clock, held_data, part_index, in_read, may_write, may_read, contract_wrote);

        // Rule SERVE. Taken: which sector is known at once, and whether it lies in the window. The bits of its address below it count as 0.
        self.full.next = self.holds_read.q.val() | self.holds_write.q.val();
        self.request.serve_req_ready.next = !self.full.val();
        self.window_granules.next = self.cluster_size.val().get_bits::<GRANULE_COUNT>(4);
        self.granule.next = (self.request.serve_req_addr.val().get_bits::<GRANULE_COUNT>(4) >> 1) << 1;
        self.is_beyond_low.next = self.granule.val() >= self.window_granules.val();
        if !self.full.val() {
            self.holds_read.d.next = self.request.serve_req_valid.val() & !self.request.serve_req_write.val();
            self.holds_write.d.next = self.request.serve_req_valid.val() & self.request.serve_req_write.val();
            self.held_id.d.next = self.request.serve_req_id.val();
            self.held_rank.d.next = self.request.serve_req_rank.val();
            self.held_sector.d.next = self.cluster_base.val().get_bits::<SHARED_SECTOR_BITS>(5)
                + self.request.serve_req_addr.val().get_bits::<SHARED_SECTOR_BITS>(5);
            self.is_beyond.d.next =
                self.is_beyond_low.val() | (self.request.serve_req_addr.val() >> SHARED.to_bits::<6>()).any();
            self.held_strobe.d.next = self.request.serve_req_strb.val();
            Arrays::join(&mut self.held_data.d, &mut self.request.serve_req_data);
        }
        self.first_row.next = FIRST_SHARED_ROW.to_bits::<ROW_BITS>();
        self.row.next = self.first_row.val() | bit_cast::<ROW_BITS, SHARED_SECTOR_BITS>(self.held_sector.q.val() >> 2);
        self.sector.next = self.held_sector.q.val().get_bits::<2>(0);
        self.id.next = self.held_id.q.val();
        self.rank.next = self.held_rank.q.val();
        self.error.next = self.is_beyond.q.val();

        // A write.
        self.writes.next = self.may_write.q.val();
        self.write_goes.next = self.may_store.q.val() & !self.updates.val();
        for i in 0..PARTS {
            for j in 0..PART_WORDS {
                self.strobe[i * PART_WORDS + j].next = 0.into();
                if self.part_index.q.val() == i.to_bits::<1>() {
                    self.strobe[i * PART_WORDS + j].next =
                        self.held_strobe.q.val().get_bits::<4>((i * PART_WORDS + j) * 4);
                }
            }
        }
        Arrays::join(&mut self.data, &mut self.held_data.q);

        // A read.
        self.reads.next = self.offers_read.q.val();
        self.in_read.d.next = self.read_goes.val() & !self.read_is_lost.val();
        self.lands.next = self.in_read.q.val() & !self.read_is_lost.val();

        // Its parts.
        self.part.next = self.part_index.q.val();
        self.is_last.next = self.part_index.q.val() == LAST_PART.to_bits::<1>();
        self.steps.next = self.lands.val() | (self.writes.val() & !self.updates.val());
        self.ends.next = self.steps.val() & self.is_last.val();
        if self.steps.val() {
            self.part_index.d.next = self.part_index.q.val() + 1;
        }
        if self.ends.val() {
            self.part_index.d.next = 0.into();
            self.holds_read.d.next = false;
            self.holds_write.d.next = false;
        }
        // `reply` becomes full only as `serve` becomes empty.
        self.may_write.d.next = self.holds_write.d.val() & !self.reply_stays.val();
        self.may_store.d.next = self.holds_write.d.val() & !self.reply_stays.val() & !self.is_beyond.d.val();
        self.may_read.d.next = self.holds_read.d.val() & !self.in_read.d.val() & !self.reply_stays.val();
        self.offers_read.d.next = self.may_read.d.val() & !(self.updates_shared_next.val() & !self.read_is_lost.val());

        self.contract_wrote.d.next = self.writes.val();
        self.contract_update.next = !(self.writes.val() & self.contract_wrote.q.val() & self.updates.val());
        self.contract_read.next = !self.read_goes.val() | self.reads.val();
        self.contract_reply.next = !(self.may_write.q.val() | self.may_read.q.val()) | !self.reply_full.val();
    }
}
