//! `AxiMaster`: the memory port as an AXI4 master.
//!
//! ```text
//! mem_req ─► request ─┬─► AR (a read)
//!                     └─► AW and W (a write)
//!                                  R ─► read_response ──┐
//!                                  B ─► write_response ─┴─► Arbiter ─► mem_rsp
//! ```
//!
#![cfg_attr(doc, doc = include_str!("../docs/axi.md"))]
//!
//! Every request is one burst of one beat. It is held until its channels have taken it, so that a reset of the unit takes nothing back that is
//! offered: as rule DRAIN's counts do, what is held here outlives `rst`, and only `rst` with `rst_mem` clears it. One
//! request is held at a time; the next one comes at the edge at which the last channel takes it. No output of the channels follows an input in the
//! same cycle, but through what the unit itself makes of a held id: its `mem_rsp_ready`.
//!
//! Assertions: `contract_apart`, `contract_one_beat`.

use super::prelude::*;

/// log2 of a sector's bytes: the size of a transfer.
const SECTOR_SIZE: usize = 5;
/// Burst of incrementing addresses.
const BURST_INCR: u64 = 1;
/// Normal memory, not cacheable and not bufferable: a write is answered from where all others see it, which is what a release waits for.
const CACHE_NORMAL: u64 = 2;
/// A device: each access as it is, answered by the device itself.
const CACHE_DEVICE: u64 = 0;

/// A request, without the bytes of its sector.
#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct)]
pub struct AxiRequest {
    /// The request's id.
    pub id: Bits<8>,
    /// First byte.
    pub address: Bits<ADDR>,
    /// log2 of its bytes.
    pub size: Bits<3>,
    /// Bytes written, or asked for.
    pub strobe: Bits<32>,
    /// An access of `.mmio`.
    pub mmio: Bit,
    /// What the request tells the memory side of its operation.
    pub attributes: RequestAttributes,
}

/// An answer, without the bytes of its sector.
#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct)]
pub struct AxiAnswer {
    /// The request's id.
    pub id: Bits<8>,
    /// The access failed.
    pub error: Bit,
}

/// The memory port as an AXI4 master.
#[derive(LogicBlock, Default)]
pub struct AxiMaster {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset of the unit.
    pub reset: Signal<In, Bit>,
    /// With `rst`: the slave forgets its requests, too.
    pub rst_mem: Signal<In, Bit>,

    // The unit's memory port.
    /// A request is offered.
    pub mem_req_valid: Signal<In, Bit>,
    /// It is taken at this edge.
    pub mem_req_ready: Signal<Out, Bit>,
    /// Returned with the response.
    pub mem_req_id: Signal<In, Bits<8>>,
    /// Write instead of read.
    pub mem_req_write: Signal<In, Bit>,
    /// Sector-aligned byte address.
    pub mem_req_addr: Signal<In, Bits<ADDR>>,
    /// Bytes written, or asked for.
    pub mem_req_strb: Signal<In, Bits<32>>,
    /// Write data, word 0 lowest.
    pub mem_req_data: Many<Signal<In, Bits<32>>, 8>,
    /// L2 eviction priority.
    pub mem_req_l2_evict: Signal<In, Bits<2>>,
    /// The policy counts.
    pub mem_req_policy_en: Signal<In, Bit>,
    /// L2 cache policy.
    pub mem_req_policy: Signal<In, Bits<64>>,
    /// Prefetch size.
    pub mem_req_prefetch: Signal<In, Bits<2>>,
    /// Cache operator.
    pub mem_req_cop: Signal<In, Bits<3>>,
    /// Memory semantics.
    pub mem_req_sem: Signal<In, Bits<3>>,
    /// Scope.
    pub mem_req_scope: Signal<In, Bits<2>>,
    /// A response is presented; held until `mem_rsp_ready`.
    pub mem_rsp_valid: Signal<Out, Bit>,
    /// It is taken at this edge.
    pub mem_rsp_ready: Signal<In, Bit>,
    /// The request's id.
    pub mem_rsp_id: Signal<Out, Bits<8>>,
    /// The sector, word 0 lowest; for a write, anything.
    pub mem_rsp_data: Many<Signal<Out, Bits<32>>, 8>,
    /// The access failed.
    pub mem_rsp_error: Signal<Out, Bit>,

    // AXI4: write address.
    /// A write's address is offered; held until `m_axi_awready`.
    pub m_axi_awvalid: Signal<Out, Bit>,
    /// It is taken at this edge.
    pub m_axi_awready: Signal<In, Bit>,
    /// Id of the request.
    pub m_axi_awid: Signal<Out, Bits<8>>,
    /// First byte.
    pub m_axi_awaddr: Signal<Out, Bits<ADDR>>,
    /// 0: one beat.
    pub m_axi_awlen: Signal<Out, Bits<8>>,
    /// log2 of the beat's bytes: 5; of `.mmio`, those of the element.
    pub m_axi_awsize: Signal<Out, Bits<3>>,
    /// 1: INCR.
    pub m_axi_awburst: Signal<Out, Bits<2>>,
    /// 0: not exclusive.
    pub m_axi_awlock: Signal<Out, Bit>,
    /// 2: normal, not cacheable, not bufferable; of `.mmio` 0: a device.
    pub m_axi_awcache: Signal<Out, Bits<4>>,
    /// 0: unprivileged, secure, data.
    pub m_axi_awprot: Signal<Out, Bits<3>>,
    /// 0.
    pub m_axi_awqos: Signal<Out, Bits<4>>,
    /// What the request says of its operation.
    pub m_axi_awuser: Signal<Out, RequestAttributes>,

    // AXI4: write data.
    /// A write's data is offered; held until `m_axi_wready`.
    pub m_axi_wvalid: Signal<Out, Bit>,
    /// It is taken at this edge.
    pub m_axi_wready: Signal<In, Bit>,
    /// The sector, word 0 lowest.
    pub m_axi_wdata: Many<Signal<Out, Bits<32>>, 8>,
    /// Bytes written.
    pub m_axi_wstrb: Signal<Out, Bits<32>>,
    /// 1: the only beat.
    pub m_axi_wlast: Signal<Out, Bit>,

    // AXI4: write response.
    /// A write was answered.
    pub m_axi_bvalid: Signal<In, Bit>,
    /// The answer is taken at this edge.
    pub m_axi_bready: Signal<Out, Bit>,
    /// Id of the request.
    pub m_axi_bid: Signal<In, Bits<8>>,
    /// 0: OKAY; anything else is an error.
    pub m_axi_bresp: Signal<In, Bits<2>>,

    // AXI4: read address.
    /// A read's address is offered; held until `m_axi_arready`.
    pub m_axi_arvalid: Signal<Out, Bit>,
    /// It is taken at this edge.
    pub m_axi_arready: Signal<In, Bit>,
    /// Id of the request.
    pub m_axi_arid: Signal<Out, Bits<8>>,
    /// First byte.
    pub m_axi_araddr: Signal<Out, Bits<ADDR>>,
    /// 0: one beat.
    pub m_axi_arlen: Signal<Out, Bits<8>>,
    /// log2 of the beat's bytes: 5; of `.mmio`, those of the element.
    pub m_axi_arsize: Signal<Out, Bits<3>>,
    /// 1: INCR.
    pub m_axi_arburst: Signal<Out, Bits<2>>,
    /// 0: not exclusive.
    pub m_axi_arlock: Signal<Out, Bit>,
    /// 2: normal, not cacheable, not bufferable; of `.mmio` 0: a device.
    pub m_axi_arcache: Signal<Out, Bits<4>>,
    /// 0: unprivileged, secure, data.
    pub m_axi_arprot: Signal<Out, Bits<3>>,
    /// 0.
    pub m_axi_arqos: Signal<Out, Bits<4>>,
    /// What the request says of its operation.
    pub m_axi_aruser: Signal<Out, RequestAttributes>,

    // AXI4: read data.
    /// A read was answered.
    pub m_axi_rvalid: Signal<In, Bit>,
    /// The answer is taken at this edge.
    pub m_axi_rready: Signal<Out, Bit>,
    /// Id of the request.
    pub m_axi_rid: Signal<In, Bits<8>>,
    /// The sector, word 0 lowest.
    pub m_axi_rdata: Many<Signal<In, Bits<32>>, 8>,
    /// 0: OKAY; anything else is an error.
    pub m_axi_rresp: Signal<In, Bits<2>>,
    /// 1: the only beat.
    pub m_axi_rlast: Signal<In, Bit>,

    forgets: Signal<Local, Bit>,
    /// AR is still to take it.
    offers_ar: Register<Bit>,
    /// AW is still to take it.
    offers_aw: Register<Bit>,
    /// W is still to take its data.
    offers_w: Register<Bit>,
    /// What AR is offered, it does not take at this edge.
    ar_waits: Signal<Local, Bit>,
    /// What AW is offered, it does not take.
    aw_waits: Signal<Local, Bit>,
    /// What W is offered, it does not take.
    w_waits: Signal<Local, Bit>,
    takes: Signal<Local, Bit>,
    attributes: Signal<Local, RequestAttributes>,
    asked: Signal<Local, AxiRequest>,
    request: Register<AxiRequest>,
    data: Registers<Bits<32>, 8>,
    is_mmio: Signal<Local, Bit>,
    /// Whether a byte is asked for whose number has a 1 in this bit.
    upper: Many<Signal<Local, Bit>, SECTOR_SIZE>,
    /// Whether one is whose number has a 0 there.
    lower: Many<Signal<Local, Bit>, SECTOR_SIZE>,
    first_byte: Signal<Local, Bits<SECTOR_SIZE>>,
    cache: Signal<Local, Bits<4>>,

    came_read: Signal<Local, AxiAnswer>,
    came_write: Signal<Local, AxiAnswer>,
    read_answered: Register<Bit>,
    read_answer: Register<AxiAnswer>,
    read_data: Registers<Bits<32>, 8>,
    write_answered: Register<Bit>,
    write_answer: Register<AxiAnswer>,
    responses: Arbiter,

    /// What is offered is a read or a write.
    contract_apart: Signal<Local, Bit>,
    /// A read is answered by one beat.
    contract_one_beat: Signal<Local, Bit>,
}

impl Logic for AxiMaster {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, offers_ar, offers_aw, offers_w, request, data);
        dff_setup!(self, clock, read_answered, read_answer, read_data, write_answered, write_answer);
        self.responses.clock.next = self.clock.val();
        // As rule DRAIN's counts, all of this outlives a reset of the unit alone.
        self.forgets.next = self.reset.val() & self.rst_mem.val();
        self.offers_ar.reset.next = self.forgets.val();
        self.offers_aw.reset.next = self.forgets.val();
        self.offers_w.reset.next = self.forgets.val();
        self.request.reset.next = self.forgets.val();
        self.data.reset.next = self.forgets.val();
        self.read_answered.reset.next = self.forgets.val();
        self.read_answer.reset.next = self.forgets.val();
        self.read_data.reset.next = self.forgets.val();
        self.write_answered.reset.next = self.forgets.val();
        self.write_answer.reset.next = self.forgets.val();
        self.responses.reset.next = self.forgets.val();

        // A request comes when its channels have taken the one before it, or take it at this edge.
        self.ar_waits.next = self.offers_ar.q.val() & !self.m_axi_arready.val();
        self.aw_waits.next = self.offers_aw.q.val() & !self.m_axi_awready.val();
        self.w_waits.next = self.offers_w.q.val() & !self.m_axi_wready.val();
        self.mem_req_ready.next = !(self.ar_waits.val() | self.aw_waits.val() | self.w_waits.val());
        self.takes.next = self.mem_req_valid.val() & self.mem_req_ready.val();
        self.offers_ar.d.next = self.ar_waits.val() | (self.takes.val() & !self.mem_req_write.val());
        self.offers_aw.d.next = self.aw_waits.val() | (self.takes.val() & self.mem_req_write.val());
        self.offers_w.d.next = self.w_waits.val() | (self.takes.val() & self.mem_req_write.val());

        // Of `.mmio`, nothing but the bytes of the element may be touched: as many as there are bits in which their numbers differ, doubled.
        self.is_mmio.next = (self.mem_req_sem.val() == SEM_MMIO)
            | (self.mem_req_sem.val() == SEM_MMIO_ACQUIRE)
            | (self.mem_req_sem.val() == SEM_MMIO_RELEASE);
        self.upper[0].next = (self.mem_req_strb.val() & 0xaaaaaaaau64).any();
        self.upper[1].next = (self.mem_req_strb.val() & 0xccccccccu64).any();
        self.upper[2].next = (self.mem_req_strb.val() & 0xf0f0f0f0u64).any();
        self.upper[3].next = (self.mem_req_strb.val() & 0xff00ff00u64).any();
        self.upper[4].next = (self.mem_req_strb.val() & 0xffff0000u64).any();
        self.lower[0].next = (self.mem_req_strb.val() & 0x55555555u64).any();
        self.lower[1].next = (self.mem_req_strb.val() & 0x33333333u64).any();
        self.lower[2].next = (self.mem_req_strb.val() & 0x0f0f0f0fu64).any();
        self.lower[3].next = (self.mem_req_strb.val() & 0x00ff00ffu64).any();
        self.lower[4].next = (self.mem_req_strb.val() & 0x0000ffffu64).any();
        self.asked.next.size = SECTOR_SIZE.to_bits::<3>();
        self.first_byte.next = 0.into();
        if self.is_mmio.val() {
            self.asked.next.size = 0.into();
            for i in 0..SECTOR_SIZE {
                if self.upper[i].val() & self.lower[i].val() {
                    self.asked.next.size = (i + 1).to_bits::<3>();
                }
                if self.upper[i].val() & !self.lower[i].val() {
                    self.first_byte.next = self.first_byte.val().replace_bit(i, true);
                }
            }
        }
        self.asked.next.id = self.mem_req_id.val();
        self.asked.next.address = self.mem_req_addr.val() | bit_cast::<ADDR, SECTOR_SIZE>(self.first_byte.val());
        self.asked.next.strobe = self.mem_req_strb.val();
        self.asked.next.mmio = self.is_mmio.val();
        self.attributes.next.sem = self.mem_req_sem.val();
        self.attributes.next.scope = self.mem_req_scope.val();
        self.attributes.next.cop = self.mem_req_cop.val();
        self.attributes.next.l2_evict = self.mem_req_l2_evict.val();
        self.attributes.next.prefetch = self.mem_req_prefetch.val();
        self.attributes.next.policy_en = self.mem_req_policy_en.val();
        self.attributes.next.policy = self.mem_req_policy.val();
        self.asked.next.attributes = self.attributes.val();
        if self.mem_req_ready.val() {
            self.request.d.next = self.asked.val();
            Arrays::join(&mut self.data.d, &mut self.mem_req_data);
        }

        // One beat each.
        self.m_axi_arvalid.next = self.offers_ar.q.val();
        self.m_axi_arid.next = self.request.q.val().id;
        self.m_axi_araddr.next = self.request.q.val().address;
        self.m_axi_arlen.next = 0.into();
        self.m_axi_arsize.next = self.request.q.val().size;
        self.m_axi_arburst.next = BURST_INCR.into();
        self.m_axi_arlock.next = false;
        self.cache.next = CACHE_NORMAL.into();
        if self.request.q.val().mmio {
            self.cache.next = CACHE_DEVICE.into();
        }
        self.m_axi_arcache.next = self.cache.val();
        self.m_axi_arprot.next = 0.into();
        self.m_axi_arqos.next = 0.into();
        self.m_axi_aruser.next = self.request.q.val().attributes;
        self.m_axi_awvalid.next = self.offers_aw.q.val();
        self.m_axi_awid.next = self.request.q.val().id;
        self.m_axi_awaddr.next = self.request.q.val().address;
        self.m_axi_awlen.next = 0.into();
        self.m_axi_awsize.next = self.request.q.val().size;
        self.m_axi_awburst.next = BURST_INCR.into();
        self.m_axi_awlock.next = false;
        self.m_axi_awcache.next = self.cache.val();
        self.m_axi_awprot.next = 0.into();
        self.m_axi_awqos.next = 0.into();
        self.m_axi_awuser.next = self.request.q.val().attributes;
        self.m_axi_wvalid.next = self.offers_w.q.val();
        self.m_axi_wstrb.next = self.request.q.val().strobe;
        self.m_axi_wlast.next = true;
        Arrays::join(&mut self.m_axi_wdata, &mut self.data.q);

        // An answer each of reads and writes is held; the next one comes at the edge at which the unit takes it.
        self.came_read.next.id = self.m_axi_rid.val();
        self.came_read.next.error = self.m_axi_rresp.val().any();
        self.came_write.next.id = self.m_axi_bid.val();
        self.came_write.next.error = self.m_axi_bresp.val().any();
        self.m_axi_rready.next = !self.read_answered.q.val() | self.responses.first_ready.val();
        self.m_axi_bready.next = !self.write_answered.q.val() | self.responses.second_ready.val();
        if self.m_axi_rready.val() {
            self.read_answered.d.next = self.m_axi_rvalid.val();
            self.read_answer.d.next = self.came_read.val();
            Arrays::join(&mut self.read_data.d, &mut self.m_axi_rdata);
        }
        if self.m_axi_bready.val() {
            self.write_answered.d.next = self.m_axi_bvalid.val();
            self.write_answer.d.next = self.came_write.val();
        }
        self.responses.first_valid.next = self.read_answered.q.val();
        self.responses.second_valid.next = self.write_answered.q.val();
        self.responses.ready.next = self.mem_rsp_ready.val();
        self.mem_rsp_valid.next = self.responses.valid.val();
        self.mem_rsp_id.next = self.read_answer.q.val().id;
        self.mem_rsp_error.next = self.read_answer.q.val().error;
        if self.responses.is_second.val() {
            self.mem_rsp_id.next = self.write_answer.q.val().id;
            self.mem_rsp_error.next = self.write_answer.q.val().error;
        }
        Arrays::join(&mut self.mem_rsp_data, &mut self.read_data.q);

        self.contract_apart.next = !(self.offers_ar.q.val() & (self.offers_aw.q.val() | self.offers_w.q.val()));
        self.contract_one_beat.next = !self.m_axi_rvalid.val() | self.m_axi_rlast.val();
    }
}
