//! `Misses`: passes that wait for memory, the fetches they wait for, and the lines that arrive.
//!
//! ```text
//! miss (from tag) ─► entry ─┬─ starts a fetch ─► read queue ─► mem_req
//!                           └─ joins the fetch of a waiting entry with the same key
//! mem_rsp ─► response ─► first sector: stays kept │ second, or only: install ─► line to the cache, entries ready ─► replay (to data)
//!        └─► sectors, by the id ──────────────────────► the line, one sector in the cycle of the install, one in the next
//! ```
//!
//! An entry is empty, waiting, killed or ready, as the timing contract has it. A second sector waits in `response` while an entry
//! is ready or `data` holds a replayed pass, because those read the way that the previous install filled.
//!
//! Assertions: `contract_empty`, `contract_allocate`, `contract_install`, `contract_response`, `contract_completes`, `contract_read`, `contract_kept`, `contract_queue`.
//!
//! Not here: the set's victim and the line's data ([`TagStage`](super::tag_stage::TagStage), [`DataStage`](super::data_stage::DataStage)).

use super::prelude::*;

/// Miss entries, fetch queue, response register.
#[derive(LogicBlock, Default)]
pub struct Misses {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset: no entry, no fetch.
    pub reset: Signal<In, Bit>,

    /// Take the pass at this edge.
    pub allocate: Signal<In, Bit>,
    /// At least one entry is empty.
    pub has_empty: Signal<Out, Bit>,
    /// No entry is in use.
    pub idle: Signal<Out, Bit>,
    /// Bank, then line, of the pass.
    pub allocate_key: Signal<In, Bits<15>>,
    /// Byte address of its line in memory.
    pub allocate_address: Signal<In, Bits<ADDR>>,
    /// Its second sector is not fetched.
    pub allocate_short: Signal<In, Bit>,
    /// The rest of it.
    pub allocate_pass: Signal<In, DataPass>,
    /// Byte in the line, for each lane.
    pub allocate_offset: Many<Signal<In, Bits<6>>, LANES>,
    /// Every waiting entry is killed.
    pub kill: Signal<In, Bit>,

    /// A pass whose line has arrived is offered to `data`.
    pub replay_valid: Signal<Out, Bit>,
    /// It is taken at this edge.
    pub replay_ready: Signal<In, Bit>,
    /// The pass.
    pub replay: Signal<Out, DataPass>,
    /// Byte in the line, for each lane.
    pub replay_offset: Many<Signal<Out, Bits<6>>, LANES>,
    /// Line (address bits 15 to 6).
    pub replay_line: Signal<Out, Bits<10>>,
    /// Its lanes whose sector came back with an error.
    pub replay_failed: Signal<Out, Bits<LANES>>,
    /// `data` holds a replayed pass.
    pub data_is_replay: Signal<In, Bit>,
    /// Operation in `data`.
    pub data_tag: Signal<In, Bits<8>>,
    /// An entry holds another pass of that operation.
    pub holds_data_tag: Signal<Out, Bit>,

    /// A line is complete and enters the cache at this edge; nothing leaves `tag` in this cycle.
    pub install: Signal<Out, Bit>,
    /// Bank, then line, of the arriving line.
    pub install_key: Signal<Out, Bits<15>>,
    /// No sector failed and the fetch is not killed.
    pub install_keep: Signal<Out, Bit>,
    /// The sector in `install_data`; in the cycle after the install it is the other one.
    pub install_sector: Signal<Out, Bit>,
    /// A sector of the line, word 0 lowest.
    pub install_data: Many<Signal<Out, Bits<32>>, 8>,

    /// A sector is asked for.
    pub memory: LinePort,

    valid: Register<Bits<CONSTANT_MISSES>>,
    ready: Register<Bits<CONSTANT_MISSES>>,
    /// The lowest of them: known from the start, as what is read of a pass hangs on it.
    replayed: Register<Bits<CONSTANT_MISSES>>,
    killed: Register<Bits<CONSTANT_MISSES>>,
    /// Of a fetch, under its first entry's number: one sector has arrived. The second one of a short line counts as arrived from the start.
    arrived: Register<Bits<CONSTANT_MISSES>>,
    /// Of a fetch: the sector that arrived first had an error.
    first_error: Register<Bits<CONSTANT_MISSES>>,
    fetch: Registers<Bits<CONSTANT_ENTRY_BITS>, CONSTANT_MISSES>,
    key: Registers<Bits<15>, CONSTANT_MISSES>,
    tag: Registers<Bits<8>, CONSTANT_MISSES>,
    held: Memory<CONSTANT_ENTRY_BITS, DataPass>,
    held_offset: Many<Memory<CONSTANT_ENTRY_BITS, Bits<6>>, LANES>,

    queue_entry: Memory<CONSTANT_ENTRY_BITS, Bits<CONSTANT_ENTRY_BITS>>,
    queue_address: Memory<CONSTANT_ENTRY_BITS, Bits<ADDR>>,
    read_queue_head: Register<Bits<CONSTANT_ENTRY_BITS>>,
    read_queue_tail: Register<Bits<CONSTANT_ENTRY_BITS>>,
    /// The queue is not empty; with it set, `read_queue_head` == `read_queue_tail` means full.
    read_queue_used: Register<Bit>,
    read_queue_sector: Register<Bit>,

    response_full: Register<Bit>,
    response_id: Register<Bits<6>>,
    response_error: Register<Bit>,
    /// Bank, then line: known from the start, as the way that is filled hangs on it.
    response_key: Register<Bits<15>>,
    /// `response` holds the second sector of its line: known from the start of the cycle, as the whole path waits for an install.
    response_completes: Register<Bit>,
    /// By the id: sectors that came back.
    sectors: Many<StrobeMemory<6, 1>, 8>,
    fill_error: Register<Bits<2>>,

    empty: Signal<Local, Bits<CONSTANT_MISSES>>,
    taken: Signal<Local, Bits<CONSTANT_MISSES>>,
    taken_index: Signal<Local, Bits<CONSTANT_ENTRY_BITS>>,
    joins: Signal<Local, Bit>,
    joined: Signal<Local, Bits<CONSTANT_ENTRY_BITS>>,
    starts: Signal<Local, Bit>,
    replayed_index: Signal<Local, Bits<CONSTANT_ENTRY_BITS>>,
    rest: Signal<Local, Bits<CONSTANT_MISSES>>,
    leaves: Signal<Local, Bits<CONSTANT_MISSES>>,
    is_last_sector: Signal<Local, Bit>,
    request_done: Signal<Local, Bit>,
    response_fetch: Signal<Local, Bits<CONSTANT_ENTRY_BITS>>,
    response_sector: Signal<Local, Bit>,
    response_taken: Signal<Local, Bit>,
    sector_address: Signal<Local, Bits<6>>,
    sector_strobe: Signal<Local, Bits<4>>,
    consumes: Signal<Local, Bit>,
    arrives: Signal<Local, Bits<CONSTANT_MISSES>>,
    first_failed: Signal<Local, Bit>,
    sector_error: Signal<Local, Bits<2>>,
    woken: Signal<Local, Bits<CONSTANT_MISSES>>,
    response_entry: Signal<Local, Bits<CONSTANT_MISSES>>,
    taken_now: Signal<Local, Bits<CONSTANT_MISSES>>,
    arrived_now: Signal<Local, Bits<CONSTANT_MISSES>>,
    arrived_next: Signal<Local, Bits<CONSTANT_MISSES>>,
    next_fetch: Signal<Local, Bits<CONSTANT_ENTRY_BITS>>,
    next_key: Signal<Local, Bits<15>>,
    killed_next: Signal<Local, Bits<CONSTANT_MISSES>>,

    /// A pass comes only while has_empty.
    contract_empty: Signal<Local, Bit>,
    /// A pass comes only while no entry is ready and no line is installed.
    contract_allocate: Signal<Local, Bit>,
    /// A line is installed only while no entry is ready.
    contract_install: Signal<Local, Bit>,
    /// A response answers a request that has had none.
    contract_response: Signal<Local, Bit>,
    /// By the id: requests without a response.
    contract_open: Register<Bits<64>>,
    /// response_completes says whether the other sector of the line in `response` has arrived.
    contract_completes: Signal<Local, Bit>,
    /// In an install the sector that was read is the other one of the line in `response`.
    contract_read: Signal<Local, Bit>,
    /// The sector that was read.
    contract_read_id: Register<Bits<6>>,
    /// While an entry is empty the read queue is not full.
    contract_queue: Signal<Local, Bit>,
    /// No sector is read at the edge that keeps it.
    contract_kept: Signal<Local, Bit>,
}

impl Logic for Misses {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, valid, ready, replayed, killed, arrived, first_error, fetch, key, tag);
        dff_setup!(self, clock, read_queue_head, read_queue_tail, read_queue_used, read_queue_sector);
        dff_setup!(
            self,
            clock,
            response_full,
            response_id,
            response_error,
            response_key,
            response_completes,
            fill_error
        );

        // Allocation: the lowest empty entry; x & -x keeps the lowest 1.
        self.empty.next = !self.valid.q.val();
        self.has_empty.next = self.empty.val().any();
        self.idle.next = !self.valid.q.val().any();
        self.taken.next = self.empty.val() & (self.valid.q.val() + 1);
        self.taken_now.next = 0.into();
        if self.allocate.val() {
            self.taken_now.next = self.taken.val();
        }
        self.taken_index.next = 0.into();
        self.joins.next = false;
        self.joined.next = 0.into();
        for i in 0..CONSTANT_MISSES {
            if self.taken.val().get_bit(i) {
                self.taken_index.next = self.taken_index.val() | i.to_bits::<CONSTANT_ENTRY_BITS>();
            }
            if self.valid.q.val().get_bit(i)
                & !self.ready.q.val().get_bit(i)
                & !self.killed.q.val().get_bit(i)
                & (self.key.q[i].val() == self.allocate_key.val())
            {
                // Rule SHARE: all entries that match wait for the same fetch, whose number their or is.
                self.joins.next = true;
                self.joined.next = self.joined.val() | self.fetch.q[i].val();
            }
        }
        self.starts.next = self.allocate.val() & !self.joins.val();
        // What an entry holds is loaded as long as it would be the next to be taken: whether it is taken comes late in the cycle.
        for i in 0..CONSTANT_MISSES {
            if self.taken.val().get_bit(i) {
                self.key.d[i].next = self.allocate_key.val();
                self.tag.d[i].next = self.allocate_pass.val().tag;
                self.fetch.d[i].next = self.taken_index.val();
                if self.joins.val() {
                    self.fetch.d[i].next = self.joined.val();
                }
            }
        }

        // Rule REPLAY: the lowest ready entry.
        self.replay_valid.next = self.ready.q.val().any();
        self.rest.next = self.ready.q.val() & !self.replayed.q.val();
        self.leaves.next = 0.into();
        if self.replay_ready.val() {
            self.leaves.next = self.replayed.q.val();
            self.ready.d.next = self.rest.val();
            self.replayed.d.next = self.rest.val() & (!self.rest.val() + 1);
        }
        self.replayed_index.next = 0.into();
        self.replay_line.next = 0.into();
        self.holds_data_tag.next = false;
        for i in 0..CONSTANT_MISSES {
            if self.replayed.q.val().get_bit(i) {
                self.replayed_index.next = self.replayed_index.val() | i.to_bits::<CONSTANT_ENTRY_BITS>();
                self.replay_line.next = self.replay_line.val() | self.key.q[i].val().get_bits::<10>(0);
            }
            if self.valid.q.val().get_bit(i) & (self.tag.q[i].val() == self.data_tag.val()) {
                self.holds_data_tag.next = true;
            }
        }

        // The rest of a pass is only stored and read back. While no entry is empty `taken_index` names none.
        self.held.clock.next = self.clock.val();
        self.held.write_enable.next = self.has_empty.val();
        self.held.write_address.next = self.taken_index.val();
        self.held.write_data.next = self.allocate_pass.val();
        self.held.read_address.next = self.replayed_index.val();
        self.replay.next = self.held.read_data.val();
        for i in 0..LANES {
            self.held_offset[i].clock.next = self.clock.val();
            self.held_offset[i].write_enable.next = self.has_empty.val();
            self.held_offset[i].write_address.next = self.taken_index.val();
            self.held_offset[i].write_data.next = self.allocate_offset[i].val();
            self.held_offset[i].read_address.next = self.replayed_index.val();
            self.replay_offset[i].next = self.held_offset[i].read_data.val();
        }
        // Bit 5 of the offset names the sector.
        self.replay_failed.next = 0.into();
        for i in 0..LANES {
            if self.replay.val().value.get_bit(i)
                & ((self.replay_offset[i].val().get_bit(5) & self.fill_error.q.val().get_bit(1))
                    | (!self.replay_offset[i].val().get_bit(5) & self.fill_error.q.val().get_bit(0)))
            {
                self.replay_failed.next = self.replay_failed.val().replace_bit(i, true);
            }
        }

        // Rule FETCH: the queue's head asks for sector 0, then sector 1. The queue has as many places as there are entries, so it never
        // overflows, and while an entry is empty its tail is a free place.
        self.queue_entry.clock.next = self.clock.val();
        self.queue_entry.write_enable.next = self.has_empty.val();
        self.queue_entry.write_address.next = self.read_queue_tail.q.val();
        self.queue_entry.write_data.next = self.taken_index.val();
        self.queue_entry.read_address.next = self.read_queue_head.q.val();
        self.queue_address.clock.next = self.clock.val();
        self.queue_address.write_enable.next = self.has_empty.val();
        self.queue_address.write_address.next = self.read_queue_tail.q.val();
        self.queue_address.write_data.next = self.allocate_address.val();
        self.queue_address.read_address.next = self.read_queue_head.q.val();
        self.memory.mem_req_valid.next = self.read_queue_used.q.val();
        self.memory.mem_req_id.next = (bit_cast::<6, CONSTANT_ENTRY_BITS>(self.queue_entry.read_data.val()) << 1)
            .replace_bit(0, self.read_queue_sector.q.val());
        self.memory.mem_req_addr.next = self.queue_address.read_data.val();
        if self.read_queue_sector.q.val() {
            self.memory.mem_req_addr.next = self.queue_address.read_data.val() | 32;
        }
        self.request_done.next = false;
        // Nothing of a line has come before its sector 0 is asked for: what has arrived then says that it is short.
        self.is_last_sector.next =
            self.read_queue_sector.q.val() | self.arrived.q.val().get_bit(self.queue_entry.read_data.val().index());
        if self.read_queue_used.q.val() & self.memory.mem_req_ready.val() {
            self.read_queue_sector.d.next = !self.is_last_sector.val();
            self.request_done.next = self.is_last_sector.val();
        }
        if self.request_done.val() {
            self.read_queue_head.d.next = self.read_queue_head.q.val() + 1;
            // Empty unless something else is queued: head meets tail exactly when this was the last.
            self.read_queue_used.d.next = (self.read_queue_head.q.val() + 1) != self.read_queue_tail.q.val();
        }
        if self.starts.val() {
            self.read_queue_tail.d.next = self.read_queue_tail.q.val() + 1;
            self.read_queue_used.d.next = true;
        }

        // Rule INSTALL: `response` holds one sector.
        self.response_fetch.next = self.response_id.q.val().get_bits::<CONSTANT_ENTRY_BITS>(1);
        self.response_sector.next = self.response_id.q.val().get_bit(0);
        self.install.next = self.response_full.q.val()
            & self.response_completes.q.val()
            & !self.replay_valid.val()
            & !self.data_is_replay.val();
        self.consumes.next = self.install.val() | (self.response_full.q.val() & !self.response_completes.q.val());
        self.memory.mem_rsp_ready.next = !self.response_full.q.val() | self.consumes.val();
        self.next_fetch.next = self.memory.mem_rsp_id.val().get_bits::<CONSTANT_ENTRY_BITS>(1);
        self.next_key.next = 0.into();
        for i in 0..CONSTANT_MISSES {
            if self.next_fetch.val() == i.to_bits::<CONSTANT_ENTRY_BITS>() {
                self.next_key.next = self.next_key.val() | self.key.q[i].val();
            }
        }
        if self.memory.mem_rsp_ready.val() {
            self.response_full.d.next = self.memory.mem_rsp_valid.val();
            self.response_id.d.next = self.memory.mem_rsp_id.val();
            self.response_error.d.next = self.memory.mem_rsp_error.val();
            self.response_key.d.next = self.next_key.val();
        }
        self.install_key.next = self.response_key.q.val();
        self.response_entry.next = 0.into();
        self.woken.next = 0.into();
        for i in 0..CONSTANT_MISSES {
            if self.response_fetch.val() == i.to_bits::<CONSTANT_ENTRY_BITS>() {
                self.response_entry.next = self.response_entry.val().replace_bit(i, true);
            }
            if self.valid.q.val().get_bit(i) & (self.fetch.q[i].val() == self.response_fetch.val()) {
                self.woken.next = self.woken.val().replace_bit(i, true);
            }
        }

        // Each sector is kept when it comes. What is read: beside `response` the other sector of its line, which an install so finds there, and
        // after an install the sector of `response` itself.
        self.response_taken.next = self.memory.mem_rsp_valid.val() & self.memory.mem_rsp_ready.val();
        self.sector_strobe.next = 0.into();
        if self.response_taken.val() {
            self.sector_strobe.next = 15.into();
        }
        self.sector_address.next = self.response_id.q.val() ^ 1;
        if self.memory.mem_rsp_ready.val() {
            self.sector_address.next = self.memory.mem_rsp_id.val() ^ 1;
        }
        if self.install.val() {
            self.sector_address.next = self.response_id.q.val();
        }
        for i in 0..8 {
            self.sectors[i].clock.next = self.clock.val();
            self.sectors[i].read_enable.next = true;
            self.sectors[i].read_address[0].next = self.sector_address.val();
            self.sectors[i].write_strobe.next = self.sector_strobe.val();
            self.sectors[i].write_address.next = self.memory.mem_rsp_id.val();
            self.sectors[i].write_data.next = self.memory.mem_rsp_data[i].val();
            self.install_data[i].next = self.sectors[i].read_data[0].val();
        }
        self.install_sector.next = !self.response_sector.val();
        self.first_failed.next = self.first_error.q.val().get_bit(self.response_fetch.val().index());
        self.sector_error.next = 0.into();
        if self.response_sector.val() {
            self.sector_error.next = self
                .sector_error
                .val()
                .replace_bit(1, self.response_error.q.val())
                .replace_bit(0, self.first_failed.val());
        } else {
            self.sector_error.next = self
                .sector_error
                .val()
                .replace_bit(0, self.response_error.q.val())
                .replace_bit(1, self.first_failed.val());
        }
        self.install_keep.next =
            !self.sector_error.val().any() & !self.killed.q.val().get_bit(self.response_fetch.val().index());
        if self.install.val() {
            self.fill_error.d.next = self.sector_error.val();
        }

        // The fetch's own record stands under its first entry's number.
        self.arrives.next = 0.into();
        if self.response_full.q.val() & !self.response_completes.q.val() {
            self.arrives.next = self.response_entry.val();
        }
        self.arrived_now.next = self.arrived.q.val() | self.arrives.val();
        self.arrived_next.next = (self.arrived.q.val() | self.arrives.val()) & !self.taken_now.val();
        if self.allocate_short.val() {
            self.arrived_next.next = self.arrived.q.val() | self.arrives.val() | self.taken_now.val();
        }
        self.arrived.d.next = self.arrived_next.val();
        if self.response_error.q.val() {
            self.first_error.d.next = (self.first_error.q.val() | self.arrives.val()) & !self.taken_now.val();
        } else {
            self.first_error.d.next = self.first_error.q.val() & !self.arrives.val() & !self.taken_now.val();
        }

        if self.memory.mem_rsp_ready.val() {
            // No entry is taken under whose number a response is still to come.
            self.response_completes.d.next = self.arrived_now.val().get_bit(self.next_fetch.val().index());
        }

        // What becomes of the entries. Rule KILL: those that wait are killed.
        self.valid.d.next = (self.valid.q.val() | self.taken_now.val()) & !self.leaves.val();
        self.killed_next.next = self.killed.q.val() & !self.taken_now.val();
        if self.kill.val() {
            self.killed_next.next = self.killed.q.val() | (self.valid.q.val() & !self.ready.q.val());
        }
        self.killed.d.next = self.killed_next.val();
        if self.install.val() {
            self.ready.d.next = self.woken.val();
            self.replayed.d.next = self.woken.val() & (!self.woken.val() + 1);
        }

        dff_setup!(self, clock, contract_open, contract_read_id);
        self.contract_read_id.d.next = self.sector_address.val();
        self.contract_completes.next = !self.response_full.q.val()
            | (self.response_completes.q.val() == self.arrived.q.val().get_bit(self.response_fetch.val().index()));
        self.contract_read.next =
            !self.install.val() | (self.contract_read_id.q.val() == (self.response_id.q.val() ^ 1));
        self.contract_kept.next =
            !self.response_taken.val() | (self.sector_address.val() != self.memory.mem_rsp_id.val());
        self.contract_queue.next = !self.has_empty.val()
            | !self.read_queue_used.q.val()
            | (self.read_queue_head.q.val() != self.read_queue_tail.q.val());
        self.contract_empty.next = !self.allocate.val() | self.has_empty.val();
        self.contract_allocate.next = !self.allocate.val() | (!self.replay_valid.val() & !self.install.val());
        self.contract_install.next = !self.install.val() | !self.replay_valid.val();
        self.contract_response.next =
            !self.memory.mem_rsp_valid.val() | self.contract_open.q.val().get_bit(self.memory.mem_rsp_id.val().index());
        if self.memory.mem_rsp_valid.val() & self.memory.mem_rsp_ready.val() {
            self.contract_open.d.next =
                self.contract_open.q.val().replace_bit(self.memory.mem_rsp_id.val().index(), false);
            if self.memory.mem_req_valid.val() & self.memory.mem_req_ready.val() {
                self.contract_open.d.next = self
                    .contract_open
                    .q
                    .val()
                    .replace_bit(self.memory.mem_rsp_id.val().index(), false)
                    .replace_bit(self.memory.mem_req_id.val().index(), true);
            }
        } else if self.memory.mem_req_valid.val() & self.memory.mem_req_ready.val() {
            self.contract_open.d.next =
                self.contract_open.q.val().replace_bit(self.memory.mem_req_id.val().index(), true);
        }
    }
}
