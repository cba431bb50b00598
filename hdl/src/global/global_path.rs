//! `GlobalPath`: loads and stores of global and local memory through L1 and the read-only cache, and of the cluster's shared memory.
//!
#![cfg_attr(doc, doc = include_str!("../../docs/global_path.md"))]

use super::prelude::*;
use super::{
    address_unit::AddressUnit, answer::Answer, census::Census, coalescer::Coalescer, collector::Collector, counters::*,
    fault_register::FaultRegister, miss_table::MissTable, operation_check::OperationCheck, pick_stage::PickStage,
    read_queue::ReadQueue, read_stage::ReadStage, reply::Reply, row_readers::RowReaders, row_store::RowStore,
    serve::Serve, store_merge::StoreMerge, store_port::StorePort, tag_stage::GlobalTagStage, write_back::WriteBack,
};

/// The global path: loads and stores of global and local memory through L1 and the read-only cache, and of the cluster's shared memory.
#[derive(LogicBlock, Default)]
pub struct GlobalPath {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset.
    pub reset: Signal<In, Bit>,
    /// An operation of this path is offered.
    pub pins: RequestPort,
    /// Store data is offered.
    pub wdata_valid: Signal<In, Bit>,
    /// It is taken at this edge.
    pub wdata_ready: Signal<Out, Bit>,
    /// The store that it is sent for.
    pub wdata_tag: Signal<In, Bits<8>>,
    /// A beat is taken at this edge that was sent for another store.
    pub wrong_tag: Signal<Out, Bit>,
    /// Store data of each lane.
    pub wdata_data: Many<Signal<In, Bits<32>>, LANES>,
    /// A register is offered.
    pub out: WritebackPort,
    /// A fault record is offered.
    pub faults: FaultPort,
    /// A store or command has taken effect.
    pub done_valid: Signal<Out, Bit>,
    /// It is taken at this edge.
    pub done_ready: Signal<In, Bit>,
    /// Its tag.
    pub done_tag: Signal<Out, Bits<8>>,
    /// A sector is asked for or written.
    pub mem_req_valid: Signal<Out, Bit>,
    /// Taken at this edge.
    pub mem_req_ready: Signal<In, Bit>,
    /// 64 + 4 x MSHR + sector.
    pub mem_req_id: Signal<Out, Bits<8>>,
    /// Write instead of read.
    pub mem_req_write: Signal<Out, Bit>,
    /// Sector-aligned byte address.
    pub mem_req_addr: Signal<Out, Bits<ADDR>>,
    /// Bytes written, or asked for.
    pub mem_req_strb: Signal<Out, Bits<32>>,
    /// Write data, word 0 lowest; 0 for reads.
    pub mem_req_data: Many<Signal<Out, Bits<32>>, 8>,
    /// What the other side is told of the operation.
    pub mem_req_attributes: Signal<Out, RequestAttributes>,
    /// A response of this path came.
    pub mem_rsp_valid: Signal<In, Bit>,
    /// No response may be taken in this cycle, whoever asked for it.
    pub mem_rsp_blocked: Signal<Out, Bit>,
    /// The request's id.
    pub mem_rsp_id: Signal<In, Bits<8>>,
    /// The sector, word 0 lowest.
    pub mem_rsp_data: Many<Signal<In, Bits<32>>, 8>,
    /// The access failed; the data means nothing.
    pub mem_rsp_error: Signal<In, Bit>,
    /// A sector of another CTA's shared memory is asked for or written.
    pub cluster_req_valid: Signal<Out, Bit>,
    /// Taken at this edge.
    pub cluster_req_ready: Signal<In, Bit>,
    /// 4 x MSHR + sector.
    pub cluster_req_id: Signal<Out, Bits<6>>,
    /// Write instead of read.
    pub cluster_req_write: Signal<Out, Bit>,
    /// Sector-aligned offset in the window of that CTA.
    pub cluster_req_addr: Signal<Out, Bits<ADDR>>,
    /// Its rank.
    pub cluster_req_rank: Signal<Out, Bits<8>>,
    /// Bytes written, or asked for.
    pub cluster_req_strb: Signal<Out, Bits<32>>,
    /// Write data, word 0 lowest; 0 for reads.
    pub cluster_req_data: Many<Signal<Out, Bits<32>>, 8>,
    /// What the other side is told of the operation.
    pub cluster_req_attributes: Signal<Out, RequestAttributes>,
    /// A response from the cluster came.
    pub cluster_response: ClusterResponsePort,
    /// Another CTA asks for a sector of shared memory.
    pub serve_request: ServeRequestPort,
    /// The response is offered.
    pub serve_response: ServeResponsePort,
    /// First byte of the own CTA's window, as others see it.
    pub cluster_base: Signal<In, Bits<SHARED>>,
    /// Its bytes.
    pub cluster_size: Signal<In, Bits<SHARED>>,
    /// With `reset`: what others asked for is forgotten, too.
    pub rst_mem: Signal<In, Bit>,
    /// Memory has refused what was written back, and says so at this edge.
    pub write_back_error: Signal<Out, Bit>,
    /// Nothing is in flight on this path.
    pub idle: Signal<Out, Bit>,
    /// A memory request of the whole unit waits, for the counter.
    pub stalls_memory: Signal<In, Bit>,
    /// Where local memory lies in memory.
    pub local_memory: Signal<In, Bits<ADDR>>,
    /// The counters.
    pub counts: Signal<Out, Counts>,

    intake: AddressUnit,
    check: OperationCheck,
    issue: Coalescer,
    merge: StoreMerge,
    tag: GlobalTagStage,
    misses: MissTable,
    read_queue: ReadQueue,
    write: StorePort,
    write_back: WriteBack,
    places: PickStage,
    census: Census,
    readers: RowReaders,
    rows: RowStore,
    reads: ReadStage,
    collector: Collector,
    fault_register: FaultRegister,
    /// The address of its record counts from where the local window begins.
    fault_is_windowed: Register<Bit>,
    /// That beginning.
    fault_window: Register<Bits<ADDR>>,
    memory_arbiter: Arbiter,
    cluster_arbiter: Arbiter,
    answer: Answer,
    serve: Serve,
    reply: Reply,
    counters: Counters,
    done_full: Register<Bit>,
    done_held: Register<Bits<8>>,
    issued: Signal<Local, Operation>,
    merged: Signal<Local, Operation>,
    in_tag: Signal<Local, Operation>,
    holds: Signal<Local, Bits<PLACES>>,
    done_free: Signal<Local, Bit>,
    asks: Signal<Local, Bit>,
    /// The write of `write`: its bytes, of whichever port.
    write_strobe: Signal<Local, Bits<32>>,
    /// Neither an update nor `serve` writes: a response may act.
    may_respond: Signal<Local, Bit>,
    cluster_address: Signal<Local, Bits<ADDR>>,
    forgets: Signal<Local, Bit>,
}

impl Logic for GlobalPath {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, done_full, done_held, fault_is_windowed, fault_window);
        clock!(self, clock, intake, check, issue, merge, tag, misses, read_queue, write, write_back, places);
        clock!(self, clock, readers, rows, reads, collector, fault_register, memory_arbiter, counters);
        clock!(self, clock, cluster_arbiter, answer);

        // `intake`, `check`.
        RequestPort::link(&mut self.pins, &mut self.intake.pins);
        self.intake.next_ready.next = self.check.in_ready.val();
        self.check.in_valid.next = self.intake.valid.val();
        self.check.in_addressed.next = self.intake.addressed.val();
        self.check.next_ready.next = self.issue.in_ready.val();
        Arrays::join(&mut self.check.in_address, &mut self.intake.address);
        Arrays::join(&mut self.check.in_bank_address, &mut self.intake.bank_address);

        // `issue`: what `check` lets through becomes passes. The data of a store, which it counts, go past it to `merge`.
        self.issue.in_valid.next = self.check.valid.val();
        self.issue.in_operation.next = self.check.operation.val();
        self.issue.in_cause.next = self.check.cause.val();
        self.issue.in_lanes.next = self.check.lanes.val();
        self.issue.in_fault_lanes.next = self.check.fault_lanes.val();
        self.issue.in_leader.next = self.check.leader.val();
        self.issue.in_leader_address.next = self.check.leader_address.val();
        Arrays::join(&mut self.issue.in_address, &mut self.check.address);
        self.issue.in_shared.next = self.check.shared.val();
        self.issue.in_shared_shift.next = self.check.shared_shift.val();
        self.issue.in_local_lanes.next = self.check.local_lanes.val();
        self.issue.local_memory.next = self.local_memory.val();
        self.issue.shared_store_waits.next = self.tag.holds_shared.val();
        self.issue.bank_ready.next = self.places.bank_free.val();
        self.issue.wdata_valid.next = self.wdata_valid.val();
        self.wdata_ready.next = self.issue.wdata_ready.val();
        self.issue.wdata_tag.next = self.wdata_tag.val();
        self.wrong_tag.next = self.issue.wrong_tag.val();
        self.merge.beat_write.next = self.issue.beat_write.val();
        self.merge.beat_index.next = self.issue.beat_index.val();
        self.issue.merge_empty.next = self.merge.empty.val();
        self.issue.load_ready.next = self.tag.in_ready.val();
        self.issue.store_ready.next = self.merge.in_ready.val();

        // `merge`.
        self.merge.in_valid.next = self.issue.store_valid.val();
        self.merge.in_pass.next = self.issue.pass.val();
        Arrays::join(&mut self.merge.in_offset, &mut self.issue.offset);
        Arrays::join(&mut self.merge.in_place, &mut self.issue.place);
        Arrays::join(&mut self.merge.beat_data, &mut self.wdata_data);
        self.merge.next_ready.next = self.tag.in_ready.val();

        // `tag`.
        self.tag.store_valid.next = self.merge.valid.val();
        self.tag.store_comes.next = !self.merge.empty.val();
        self.tag.store_comes_next.next = !self.merge.empty.val();
        if self.merge.in_ready.val() {
            self.tag.store_comes_next.next = self.issue.store_valid.val();
        }
        self.tag.store_pass.next = self.merge.pass.val();
        Arrays::join(&mut self.tag.store_offset, &mut self.merge.offset);
        Arrays::join(&mut self.tag.store_place, &mut self.merge.place);
        Arrays::join(&mut self.tag.store_strobe, &mut self.merge.strobe);
        Arrays::join(&mut self.tag.store_data, &mut self.merge.data);
        self.tag.load_pass.next = self.issue.pass.val();
        Arrays::join(&mut self.tag.load_offset, &mut self.issue.offset);
        self.tag.load_leader_byte.next = self.issue.leader_byte.val();
        self.tag.load_valid.next = self.issue.load_valid.val();
        self.tag.conflict.next = self.misses.conflict.val() | self.places.bank_precedes.val();
        self.tag.serve_writes.next = self.serve.writes.val();
        self.tag.miss_full.next = self.misses.full.val();
        self.tag.hit_free.next = self.places.hit_free.val();
        self.tag.bank_holds.next = self.places.bank_holds.val();
        self.tag.ro_read_free.next = self.places.ro_read_free.val();
        self.tag.store_free.next = self.write.free.val();
        self.tag.l1_reserved.next = self.misses.l1_reserved.val();
        self.tag.ro_reserved.next = self.misses.ro_reserved.val();
        self.tag.l1_lost.next = self.misses.l1_lost.val();
        self.tag.ro_lost.next = self.misses.ro_lost.val();
        self.tag.l1_named.next = self.misses.l1_named.val();
        self.tag.ro_named.next = self.misses.ro_named.val();
        Arrays::join(&mut self.tag.l1_to_read, &mut self.readers.l1);
        Arrays::join(&mut self.tag.ro_to_read, &mut self.readers.ro);
        self.tag.acquired.next = self.misses.acquired.val() | self.places.acquired.val();
        self.tag.l1_fill.next = self.misses.l1_fill.val();
        self.tag.ro_fill.next = self.misses.ro_fill.val();
        self.tag.l1_undo.next = self.misses.l1_undo.val();
        self.tag.fill_line.next = self.misses.fill_line.val();
        self.tag.l1_fill_ways.next = self.misses.l1_fill_ways.val();
        self.tag.ro_fill_ways.next = self.misses.ro_fill_ways.val();
        self.tag.l1_dirties.next = self.misses.l1_dirties.val();
        self.tag.misses_hold_local.next = self.misses.holds_local.val();
        self.tag.misses_hold_write_back.next = self.misses.holds_write_back.val();
        self.tag.write_back_full.next = self.write_back.full.val();
        self.tag.write_back_full_next.next = self.write_back.full_next.val();
        self.tag.write_back_way.next = self.write_back.way.val();

        // Waiters and MSHRs.
        self.misses.operation.next = self.tag.operation.val();
        self.misses.line.next = self.tag.line.val();
        self.misses.need.next = self.tag.need.val();
        self.misses.next_comes.next = self.tag.next_comes.val();
        self.misses.next_has_line.next = self.tag.next_has_line.val();
        self.misses.next_has_lanes.next = self.tag.next_has_lanes.val();
        self.misses.next_line.next = self.tag.next_line.val();
        self.misses.next_is_same.next = self.tag.next_is_same.val();
        self.misses.next_is_beside_l1.next = self.tag.next_is_beside_l1.val();
        self.misses.next_is_beside_ro.next = self.tag.next_is_beside_ro.val();
        self.misses.next_operation.next = self.tag.next_operation.val();
        self.misses.allocates.next = self.tag.allocates.val();
        self.misses.miss.next = self.tag.miss.val();
        self.misses.l1_ways.next = self.tag.l1_ways.val();
        self.misses.ro_ways.next = self.tag.ro_ways.val();
        self.misses.keeps.next = self.tag.keeps.val();
        self.misses.l1_forbids.next = self.tag.l1_forbids.val();
        self.misses.ro_forbids.next = self.tag.ro_forbids.val();
        self.misses.own_to_read.next = self.readers.own.val();
        self.misses.drop_line.next = self.tag.drop_line.val();
        self.misses.flush_l1.next = self.tag.flush_l1.val();
        self.misses.flush_ro.next = self.tag.flush_ro.val();
        self.misses.lanes.next = self.tag.miss_lanes.val();
        Arrays::join(&mut self.misses.offset, &mut self.tag.offset);
        for i in 0..8 {
            self.misses.strobe[i].next = self.tag.strobe[i].val();
        }
        self.misses.write_back_full.next = self.write_back.full.val();
        self.misses.write_back_goes.next = self.places.write_back_goes.val();
        self.misses.write_back_line.next = self.tag.write_back_line.val();
        self.misses.write_back_sector.next = self.write_back.sector.val();
        self.write_back_error.next = self.misses.write_back_error.val();
        for i in 0..CANDIDATES {
            self.misses.asked_tag[i].next = self.places.tag[i].val();
        }
        self.misses.ready_take.next = self.places.ready_take.val();
        // Rule RESPONSE: while `answer` is full nothing is taken at the memory port.
        self.may_respond.next = self.write.rests.val() & !self.serve.writes.val();
        self.misses.rsp_valid.next = (self.mem_rsp_valid.val() | self.answer.full.val()) & self.may_respond.val();
        self.misses.rsp_is_remote.next = self.answer.full.val();
        self.misses.answer_mshr.next = self.answer.mshr.val();
        self.misses.memory_mshr.next = self.mem_rsp_id.val().get_bits::<ENTRY_BITS>(2);
        self.misses.memory_sector.next = self.mem_rsp_id.val().get_bits::<2>(0);
        self.misses.memory_error.next = self.mem_rsp_error.val();
        self.misses.rsp_mshr.next = self.mem_rsp_id.val().get_bits::<ENTRY_BITS>(2);
        self.misses.rsp_sector.next = self.mem_rsp_id.val().get_bits::<2>(0);
        self.misses.rsp_error.next = self.mem_rsp_error.val();
        if self.answer.full.val() {
            self.misses.rsp_mshr.next = self.answer.mshr.val();
            self.misses.rsp_sector.next = self.answer.sector.val();
            self.misses.rsp_error.next = self.answer.error.val();
        }
        self.mem_rsp_blocked.next = self.write.updates.val() | self.serve.writes.val() | self.answer.full.val();
        self.answer.goes.next = self.may_respond.val();
        ClusterResponsePort::link(&mut self.cluster_response, &mut self.answer.response);

        // `serve`, `reply`: their registers have a reset of their own.
        self.forgets.next = self.reset.val() & self.rst_mem.val();
        self.serve.clock.next = self.clock.val();
        self.serve.reset.next = self.forgets.val();
        self.reply.clock.next = self.clock.val();
        self.reply.reset.next = self.forgets.val();
        self.serve.read_is_lost.next = self.reset.val();
        ServeRequestPort::link(&mut self.serve_request, &mut self.serve.request);
        self.serve.cluster_base.next = self.cluster_base.val();
        self.serve.cluster_size.next = self.cluster_size.val();
        self.serve.updates.next = self.write.updates.val();
        self.serve.updates_shared_next.next = self.tag.to_shared.val();
        self.serve.reply_full.next = self.reply.full.val();
        self.serve.reply_stays.next = self.reply.stays.val();
        self.serve.read_goes.next = self.places.serve_goes.val();
        self.reply.lands.next = self.serve.lands.val();
        self.reply.part.next = self.serve.part.val();
        for i in 0..8 {
            self.reply.word[i].next = self.rows.word[i].val();
        }
        self.reply.ends.next = self.serve.ends.val();
        self.reply.id.next = self.serve.id.val();
        self.reply.rank.next = self.serve.rank.val();
        self.reply.error.next = self.serve.error.val();
        ServeResponsePort::link(&mut self.serve_response, &mut self.reply.response);

        // Memory port.
        self.in_tag.next = self.tag.operation.val();
        self.asks.next = self.tag.next_comes.val()
            & (self.tag.allocates.val()
                & (!self.in_tag.val().is_store | self.in_tag.val().is_local)
                & self.misses.asks.val());
        self.read_queue.push.next = self.asks.val();
        self.read_queue.has_place.next = self.misses.has_waiter.val();
        self.read_queue.pushed.next.ask = self.misses.ask.val();
        self.read_queue.pushed.next.line = self.tag.line.val();
        self.read_queue.pushed.next.mshr = self.misses.mshr.val();
        self.read_queue.pushed.next.operation = self.tag.operation.val();
        self.read_queue.pushed.next.leader_byte = self.tag.leader_byte.val();
        self.write.push.next = self.tag.to_store.val();
        self.write.operation.next = self.tag.operation.val();
        self.write.line.next = self.tag.line.val();
        self.write.need.next = self.tag.need.val();
        self.write.push_shared.next = self.tag.to_shared.val();
        Arrays::join(&mut self.write.place, &mut self.tag.place);
        Arrays::join(&mut self.write.strobe, &mut self.tag.strobe);
        Arrays::join(&mut self.write.data, &mut self.tag.data);
        // A store joins no MSHR: it is told the lowest free one.
        self.write.mshr.next = self.misses.free_index.val();
        self.write.hits.next = self.tag.store_hits.val();
        self.write.row.next = self.tag.row.val();
        self.write.push_local.next = self.tag.to_local.val();
        self.write_strobe.next = bit_cast::<32, 4>(self.write.request_strobe[0].val())
            | (bit_cast::<32, 4>(self.write.request_strobe[1].val()) << 4)
            | (bit_cast::<32, 4>(self.write.request_strobe[2].val()) << 8)
            | (bit_cast::<32, 4>(self.write.request_strobe[3].val()) << 12)
            | (bit_cast::<32, 4>(self.write.request_strobe[4].val()) << 16)
            | (bit_cast::<32, 4>(self.write.request_strobe[5].val()) << 20)
            | (bit_cast::<32, 4>(self.write.request_strobe[6].val()) << 24)
            | (bit_cast::<32, 4>(self.write.request_strobe[7].val()) << 28);

        // `write_back`: a sector of the row that was read, as `serve` reads one.
        self.write_back.takes.next = self.tag.writes_back.val();
        self.write_back.dirty_way.next = self.tag.dirty_way.val();
        self.write_back.dirty_sector.next = self.tag.dirty_sector.val();
        self.write_back.set.next = self.tag.looked_set.val();
        self.write_back.write_free.next = self.write.free.val();
        self.write_back.has_mshr.next = self.misses.has_mshr.val();
        self.write_back.free_mshr.next = self.misses.free_index.val();
        self.write_back.goes.next = self.places.write_back_goes.val();
        self.write.write_back.next = self.write_back.lands.val();
        self.write.write_back_line.next = self.tag.write_back_line.val();
        self.write.write_back_sector.next = self.write_back.sector.val();
        self.write.write_back_mshr.next = self.write_back.mshr.val();
        for i in 0..8 {
            self.write.write_back_data[i].next = self.rows.word[i].val();
        }

        self.memory_arbiter.first_valid.next = self.read_queue.valid.val();
        self.memory_arbiter.second_valid.next = self.write.valid.val();
        self.read_queue.ready.next = self.memory_arbiter.first_ready.val();
        self.write.ready.next = self.memory_arbiter.second_ready.val();
        self.memory_arbiter.ready.next = self.mem_req_ready.val();
        self.mem_req_valid.next = self.memory_arbiter.valid.val();
        self.mem_req_write.next = self.memory_arbiter.is_second.val();
        for i in 0..8 {
            self.mem_req_data[i].next = 0.into();
            if self.memory_arbiter.is_second.val() {
                self.mem_req_data[i].next = self.write.request_data[i].val();
            }
        }
        if self.memory_arbiter.is_second.val() {
            self.mem_req_attributes.next = self.write.attributes.val();
            self.mem_req_addr.next = self.write.address.val();
            self.mem_req_id.next = (bit_cast::<8, ENTRY_BITS>(self.write.request_mshr.val()) << 2)
                | bit_cast::<8, 2>(self.write.request_sector.val())
                | 64;
            self.mem_req_strb.next = self.write_strobe.val();
        } else {
            self.mem_req_attributes.next = self.read_queue.attributes.val();
            self.mem_req_addr.next = self.read_queue.address.val();
            self.mem_req_id.next = (bit_cast::<8, ENTRY_BITS>(self.read_queue.request_mshr.val()) << 2)
                | bit_cast::<8, 2>(self.read_queue.request_sector.val())
                | 64;
            self.mem_req_strb.next = self.read_queue.strobe.val();
        }

        // Cluster port.
        self.cluster_arbiter.first_valid.next = self.read_queue.cluster_valid.val();
        self.cluster_arbiter.second_valid.next = self.write.cluster_valid.val();
        self.read_queue.cluster_ready.next = self.cluster_arbiter.first_ready.val();
        self.write.cluster_ready.next = self.cluster_arbiter.second_ready.val();
        self.cluster_arbiter.ready.next = self.cluster_req_ready.val();
        self.cluster_req_valid.next = self.cluster_arbiter.valid.val();
        self.cluster_req_write.next = self.cluster_arbiter.is_second.val();
        for i in 0..8 {
            self.cluster_req_data[i].next = 0.into();
            if self.cluster_arbiter.is_second.val() {
                self.cluster_req_data[i].next = self.write.request_data[i].val();
            }
        }
        if self.cluster_arbiter.is_second.val() {
            self.cluster_req_attributes.next = self.write.attributes.val();
            self.cluster_address.next = self.write.address.val();
            self.cluster_req_id.next = (bit_cast::<6, ENTRY_BITS>(self.write.request_mshr.val()) << 2)
                | bit_cast::<6, 2>(self.write.request_sector.val());
            self.cluster_req_strb.next = self.write_strobe.val();
        } else {
            self.cluster_req_attributes.next = self.read_queue.attributes.val();
            self.cluster_address.next = self.read_queue.address.val();
            self.cluster_req_id.next = (bit_cast::<6, ENTRY_BITS>(self.read_queue.request_mshr.val()) << 2)
                | bit_cast::<6, 2>(self.read_queue.request_sector.val());
            self.cluster_req_strb.next = self.read_queue.strobe.val();
        }
        self.cluster_req_rank.next = self.cluster_address.val().get_bits::<8>(RANK);
        self.cluster_req_addr.next = bit_cast::<ADDR, RANK>(self.cluster_address.val().get_bits::<RANK>(0));

        // `hit`, `ro_read`, `ro_hit`, `resume`, `bank`.
        self.places.bank_valid.next = self.issue.bank_valid.val();
        self.places.bank_pass.next.operation = self.issue.pass.val().operation;
        self.places.bank_pass.next.lanes = self.issue.pass.val().group;
        self.places.bank_pass.next.row = 0.into();
        self.places.bank_pass.next.sectors = 0.into();
        self.places.bank_pass.next.line = 0.into();
        self.places.bank_pass.next.failed = 0.into();
        Arrays::join(&mut self.places.bank_offset, &mut self.issue.offset);
        Arrays::join(&mut self.places.bank_shared_row, &mut self.issue.shared_row);
        self.places.to_hit.next = self.tag.to_hit.val();
        self.places.to_ro_read.next = self.tag.to_ro_read.val();
        self.places.tag_pass.next = self.tag.hit_pass.val();
        Arrays::join(&mut self.places.tag_offset, &mut self.tag.offset);
        self.places.ready_valid.next = self.misses.ready_valid.val();
        self.places.ready_pass.next = self.misses.ready_pass.val();
        Arrays::join(&mut self.places.ready_offset, &mut self.misses.ready_offset);
        self.places.last.next = self.census.last.val();
        self.places.read_free.next = self.reads.free.val();
        self.places.tag_waits.next = self.tag.waits_for_bank.val();
        self.places.tag_releases.next = self.tag.operation.val().release;
        self.places.tag_warp.next = self.tag.operation.val().warp;
        self.places.serve_reads.next = self.serve.reads.val();
        self.places.serve_row.next = self.serve.row.val();
        self.places.serve_sector.next = self.serve.sector.val();
        self.places.serve_writes.next = self.serve.writes.val();
        self.places.write_back_reads.next = self.write_back.reads.val();
        self.places.write_back_row.next = self.write_back.row.val();
        self.places.write_back_sector.next = self.write_back.sector.val();

        // What is where.
        self.issued.next = self.issue.pass.val().operation;
        self.merged.next = self.merge.pass.val().operation;
        self.holds.next = bit_cast::<PLACES, HOLDERS>(self.places.holds.val());
        self.holds.next = self.holds.val().replace_bit(HOLDERS, self.issue.holds.val());
        self.holds.next = self.holds.val().replace_bit(HOLDERS + 1, self.tag.full.val());
        self.holds.next = self.holds.val().replace_bit(HOLDERS + 2, self.tag.second_full.val());
        self.census.holds.next = self.holds.val();
        for i in 0..HOLDERS {
            self.census.tag[i].next = self.places.tag[i].val();
        }
        Arrays::join(&mut self.readers.row, &mut self.places.row);
        Arrays::join(&mut self.readers.sectors, &mut self.places.sectors);
        Arrays::join(&mut self.readers.l1_reads, &mut self.tag.l1_reads);
        Arrays::join(&mut self.readers.ro_reads, &mut self.tag.ro_reads);
        self.census.tag[HOLDERS].next = self.issued.val().tag;
        self.census.tag[HOLDERS + 1].next = self.in_tag.val().tag;
        self.census.tag[HOLDERS + 2].next = self.tag.second_tag.val();
        self.census.merge_holds.next = !self.merge.empty.val();
        self.census.merge_tag.next = self.merged.val().tag;
        self.census.waiter_holds.next = self.misses.holds_tag.val();
        self.census.read_holds.next = self.reads.read_holds.val();
        self.census.read_tag.next = self.reads.read_tag.val();
        self.census.collect_tag.next = self.collector.tag.val();
        self.readers.line.next = self.tag.line.val();
        self.readers.shifts.next = self.tag.next_comes.val();
        self.readers.next_line.next = self.tag.next_line.val();
        self.readers.write_sectors.next = self.rows.write_sectors.val();
        self.readers.write_row.next = self.rows.write_row.val();

        // `rows`.
        self.rows.reads.next =
            self.places.read_goes.val() | self.places.serve_goes.val() | self.places.write_back_goes.val();
        self.rows.may_read.next = self.places.may_read.val();
        self.rows.read_row.next = self.places.read_row.val();
        self.rows.read_sectors.next = self.places.read_sectors.val();
        self.rows.read_is_shared.next = self.places.read_is_shared.val();
        Arrays::join(&mut self.rows.read_shared_row, &mut self.places.read_shared_row);
        Arrays::join(&mut self.rows.read_sector, &mut self.places.read_sector);
        self.rows.fills.next = self.misses.row_fill.val();
        self.rows.fill_sector.next = self.misses.rsp_sector.val();
        self.rows.fill_is_answer.next = self.answer.is_source.val();
        Arrays::join(&mut self.rows.answer_data, &mut self.answer.data);
        self.rows.serves.next = self.serve.write_goes.val();
        self.rows.serve_sector.next = self.serve.sector.val();
        self.rows.serve_row.next = self.serve.row.val();
        Arrays::join(&mut self.rows.serve_strobe, &mut self.serve.strobe);
        Arrays::join(&mut self.rows.serve_data, &mut self.serve.data);
        self.rows.fill_row.next = self.misses.fill_row.val();
        Arrays::join(&mut self.rows.fill_data, &mut self.mem_rsp_data);
        Arrays::join(&mut self.rows.fill_strobe, &mut self.misses.fill_strobe);
        self.rows.updates.next = self.write.updates.val();
        self.rows.update_sector.next = self.write.update_sector.val();
        self.rows.update_row.next = self.write.update_row.val();
        self.rows.update_is_shared.next = self.write.update_is_shared.val();
        Arrays::join(&mut self.rows.update_place, &mut self.write.update_place);
        Arrays::join(&mut self.rows.update_strobe, &mut self.write.update_strobe);
        Arrays::join(&mut self.rows.update_data, &mut self.write.update_data);

        // `read`, `landing`, `collect`, `emit`.
        self.reads.goes.next = self.places.read_goes.val();
        self.reads.operation.next = self.places.read_operation.val();
        self.reads.number.next = self.places.read_number.val();
        self.reads.lanes.next = self.places.read_lanes.val();
        self.reads.last.next = self.places.read_last.val();
        Arrays::join(&mut self.reads.offset, &mut self.places.read_offset);
        Arrays::join(&mut self.reads.word, &mut self.rows.word);
        self.reads.ready.next = self.collector.read_ready.val();
        self.reads.stands.next = self.collector.stands.val();
        self.reads.sends_last.next = self.collector.sends_last.val();
        self.collector.ahead.next = self.census.ahead.val();
        self.collector.read_valid.next = self.reads.valid.val();
        self.reads.collect_tag.next = self.collector.tag.val();
        self.reads.collect_number.next = self.collector.number.val();
        self.reads.collect_is_local.next = self.collector.is_local.val();
        self.collector.read_is_same.next = self.reads.landed_is_same.val();
        self.collector.read_operation.next = self.reads.landed_operation.val();
        self.collector.read_number.next = self.reads.landed_number.val();
        self.collector.read_lanes.next = self.reads.landed_lanes.val();
        self.collector.read_last.next = self.reads.landed_last.val();
        Arrays::join(&mut self.collector.read_byte, &mut self.reads.landed_byte);
        Arrays::join(&mut self.collector.read_word, &mut self.reads.landed_word);
        WritebackPort::link(&mut self.out, &mut self.collector.out);

        // `fault`: what `issue` and the first pass of `resume` report; and `done`.
        self.fault_register.failed_waits.next = self.places.has_failed.val();
        self.fault_register.failed_valid.next = self.places.reports.val();
        self.fault_register.failed.next = self.places.failed_record.val();
        self.places.fault_free.next = self.fault_register.free.val();
        self.fault_register.issue_valid.next = self.issue.faults.fault_valid.val();
        self.issue.faults.fault_ready.next = self.fault_register.issue_ready.val();
        self.fault_register.issue.next = self.issue.faults.fault.val();
        if self.fault_register.free.val() {
            self.fault_is_windowed.d.next = self.issue.fault_is_windowed.val() & !self.places.reports.val();
            self.fault_window.d.next = (self.pins.window_base[1].val() >> 4) << 4;
        }
        // Rule FAULT: which lane the address is of is known late in the cycle before.
        self.faults.fault_valid.next = self.fault_register.faults.fault_valid.val();
        self.fault_register.faults.fault_ready.next = self.faults.fault_ready.val();
        self.faults.fault.next = self.fault_register.faults.fault.val();
        if self.fault_is_windowed.q.val() {
            self.faults.fault.next.address = self.fault_register.faults.fault.val().address + self.fault_window.q.val();
        }
        self.done_free.next = !self.done_full.q.val() | self.done_ready.val();
        self.places.done_free.next = self.done_free.val();
        if self.done_free.val() {
            self.done_full.d.next = self.places.finishes.val();
            self.done_held.d.next = self.places.picked_tag.val();
        }
        self.done_valid.next = self.done_full.q.val();
        self.done_tag.next = self.done_held.q.val();

        // What is in the read queue or in `write` has a waiter or is a write-back's; an update, a waiter or a pass in `hit`.
        self.idle.next = !self.intake.valid.val()
            & !self.check.valid.val()
            & self.issue.empty.val()
            & self.merge.empty.val()
            & !self.tag.full.val()
            & self.misses.empty.val()
            & !self.places.holds.val().any()
            & !self.reads.read_holds.val()
            & !self.reads.valid.val()
            & !self.collector.full.val()
            & !self.collector.out.wb_valid.val()
            & !self.fault_register.faults.fault_valid.val()
            & !self.done_full.q.val()
            & !self.serve.full.val()
            & !self.reply.full.val()
            & !self.write_back.full.val();

        // Counters.
        self.counters.counts_l1.next = self.tag.counts_l1.val();
        self.counters.counts_ro.next = self.tag.counts_ro.val();
        self.counters.hits.next = self.tag.hit.val();
        self.counters.misses.next = self.tag.miss.val();
        self.counters.issues.next = self.issue.issues.val();
        self.counters.replays.next = self.issue.replays.val();
        self.counters.reads.next = self.read_queue.valid.val() & self.memory_arbiter.first_ready.val();
        self.counters.writes.next = self.write.valid.val() & self.memory_arbiter.second_ready.val();
        self.counters.stalls_order.next = self.tag.stalls_order.val();
        self.counters.stalls_misses.next = self.tag.stalls_misses.val();
        self.counters.stalls_data.next = self.tag.stalls_data.val();
        self.counters.stalls_memory.next = self.stalls_memory.val();
        self.counts.next = self.counters.counts.val();
    }
}
