//! `Lsu`: the load/store unit, the top level of the emitted Verilog.
//!
//! ```text
//! req ─┬─► Intake ─► LaneGroups (group) ─► ConstantCache (issue, tag, data) ─┐
//!      └─► GlobalPath ──────────────────────────────────────────────────────┴─► Arbiters ─► wb, fault, done, Drain ─► mem_req
//!             ▲  ▲ └────► Drain ─► cluster_req                                                  ◄── Drain ◄── mem_rsp
//! wdata ──────┘  └─ serve_req, serve_rsp                                                        ◄── Drain ◄── cluster_rsp
//! ```
//!
#![cfg_attr(doc, doc = include_str!("../docs/ports.md"))]
//!
//! It serves LDC, loads of constant memory and kernel parameters, loads and stores of global, shared (of the CTA and of the cluster) and
//! local memory, commands, and what other CTAs ask of its shared memory.

use super::prelude::*;
use super::{
    constant::constant_cache::ConstantCache, constant::intake::Intake, constant::lane_groups::LaneGroups, drain::Drain,
    global::global_path::GlobalPath,
};
use crate::simulator::{Pins, Port, Simulate, SimulationError, settle};

/// The load/store unit of one multiprocessor.
#[derive(LogicBlock, Default)]
pub struct Lsu {
    /// Clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high.
    pub reset: Signal<In, Bit>,
    /// With `rst`: the memory side forgets its requests, too.
    pub rst_mem: Signal<In, Bit>,

    // Operations, from the warp scheduler.
    /// From the warp scheduler: an operation is offered.
    pub req_valid: Signal<In, Bit>,
    /// It is taken at this edge.
    pub req_ready: Signal<Out, Bit>,
    /// Names the operation on wdata, wb, fault, done; not reused while in flight.
    pub req_tag: Signal<In, Bits<8>>,
    /// 0 load, 1 store, 2 ldc, 3 command.
    pub req_op: Signal<In, Bits<2>>,
    /// 0 invalidate L1, 1 read-only, 2 constant cache, 3 write back local.
    pub req_cmd: Signal<In, Bits<2>>,
    /// State space.
    pub req_space: Signal<In, Bits<3>>,
    /// Memory semantics.
    pub req_sem: Signal<In, Bits<3>>,
    /// Scope.
    pub req_scope: Signal<In, Bits<2>>,
    /// Cache operator.
    pub req_cop: Signal<In, Bits<3>>,
    /// L1 eviction priority.
    pub req_l1_evict: Signal<In, Bits<3>>,
    /// L2 eviction priority.
    pub req_l2_evict: Signal<In, Bits<2>>,
    /// Prefetch size.
    pub req_prefetch: Signal<In, Bits<2>>,
    /// `req_policy` counts.
    pub req_policy_en: Signal<In, Bit>,
    /// L2 cache policy.
    pub req_policy: Signal<In, Bits<64>>,
    /// Non-coherent load.
    pub req_nc: Signal<In, Bit>,
    /// log2 of the element's bytes; 5 to 7 are no size.
    pub req_size: Signal<In, Bits<3>>,
    /// log2 of the element count.
    pub req_vec: Signal<In, Bits<2>>,
    /// Elements that are not written.
    pub req_sink: Signal<In, Bits<8>>,
    /// Sign-extend.
    pub req_sign: Signal<In, Bit>,
    /// Destination register: 0 16 bit, 1 32 bit, 2 64 bit.
    pub req_dst_width: Signal<In, Bits<2>>,
    /// First destination register; 255 is RZ.
    pub req_rd: Signal<In, Bits<8>>,
    /// Active lanes.
    pub req_mask: Signal<In, Bits<LANES>>,
    /// Register operand of each lane.
    pub req_addr: Many<Signal<In, Bits<ADDR>>, LANES>,
    /// Signed immediate; LDC uses the low 16 bits.
    pub req_imm: Signal<In, Bits<32>>,
    /// LDC: bank named by the instruction.
    pub req_bank: Signal<In, Bits<5>>,
    /// LDC: 0 IA, 1 IL, 2 IS, 3 ISL.
    pub req_mode: Signal<In, Bits<2>>,
    /// LDC: no register operand.
    pub req_ra_is_rz: Signal<In, Bit>,
    /// Lanes whose register operand does not fit ADDR bits: out of range.
    pub req_wide: Signal<In, Bits<LANES>>,
    /// Slot of the warp: order is kept within it.
    pub req_warp: Signal<In, Bits<WARP>>,
    /// First byte of the CTA's window in shared memory, a multiple of 16 (the low four bits are not looked at).
    pub req_shared_base: Signal<In, Bits<SHARED>>,
    /// Bytes of that window, a multiple of 16 (the low four bits are not looked at).
    pub req_shared_size: Signal<In, Bits<SHARED>>,

    // Data of stores.
    /// Store data is offered.
    pub wdata_valid: Signal<In, Bit>,
    /// It is taken at this edge.
    pub wdata_ready: Signal<Out, Bit>,
    /// The tag of the store that it belongs to.
    pub wdata_tag: Signal<In, Bits<8>>,
    /// Store data of each lane.
    pub wdata_data: Many<Signal<In, Bits<32>>, LANES>,

    // Results, to the register file.
    /// To the register file: one register of a warp is offered; held until `wb_ready`.
    pub wb_valid: Signal<Out, Bit>,
    /// It is taken at this edge.
    pub wb_ready: Signal<In, Bit>,
    /// Its operation.
    pub wb_tag: Signal<Out, Bits<8>>,
    /// The register.
    pub wb_rd: Signal<Out, Bits<8>>,
    /// Lanes written.
    pub wb_mask: Signal<Out, Bits<LANES>>,
    /// Values; 0 in lanes that are not written.
    pub wb_data: Many<Signal<Out, Bits<32>>, LANES>,
    /// Ends the operation.
    pub wb_last: Signal<Out, Bit>,

    // Fault records.
    /// A fault record is offered; held until `fault_ready`.
    pub fault_valid: Signal<Out, Bit>,
    /// It is taken at this edge.
    pub fault_ready: Signal<In, Bit>,
    /// Its operation.
    pub fault_tag: Signal<Out, Bits<8>>,
    /// 1 misaligned_register, 2 illegal_instruction, 3 misaligned_address, 4 address_out_of_range, 5 memory_error.
    pub fault_cause: Signal<Out, Bits<3>>,
    /// Every faulting lane.
    pub fault_lanes: Signal<Out, Bits<LANES>>,
    /// Address of the lowest faulting lane.
    pub fault_addr: Signal<Out, Bits<ADDR>>,

    // Stores and commands that have taken effect.
    /// A store or command has taken effect; held until `done_ready`.
    pub done_valid: Signal<Out, Bit>,
    /// It is taken at this edge.
    pub done_ready: Signal<In, Bit>,
    /// Its tag.
    pub done_tag: Signal<Out, Bits<8>>,

    // Memory side.
    /// Memory side: a 32-byte sector request is offered; held until `mem_req_ready`.
    pub mem_req_valid: Signal<Out, Bit>,
    /// It is taken at this edge.
    pub mem_req_ready: Signal<In, Bit>,
    /// Returned with the response.
    pub mem_req_id: Signal<Out, Bits<8>>,
    /// Write instead of read.
    pub mem_req_write: Signal<Out, Bit>,
    /// Sector-aligned byte address.
    pub mem_req_addr: Signal<Out, Bits<ADDR>>,
    /// Bytes written, or asked for.
    pub mem_req_strb: Signal<Out, Bits<32>>,
    /// Write data, word 0 lowest.
    pub mem_req_data: Many<Signal<Out, Bits<32>>, 8>,
    /// L2 eviction priority.
    pub mem_req_l2_evict: Signal<Out, Bits<2>>,
    /// The policy counts.
    pub mem_req_policy_en: Signal<Out, Bit>,
    /// L2 cache policy.
    pub mem_req_policy: Signal<Out, Bits<64>>,
    /// Prefetch size.
    pub mem_req_prefetch: Signal<Out, Bits<2>>,
    /// Cache operator.
    pub mem_req_cop: Signal<Out, Bits<3>>,
    /// Memory semantics.
    pub mem_req_sem: Signal<Out, Bits<3>>,
    /// Scope.
    pub mem_req_scope: Signal<Out, Bits<2>>,
    /// Memory side: a sector came back, in any order, in any later cycle.
    pub mem_rsp_valid: Signal<In, Bit>,
    /// It is taken at this edge.
    pub mem_rsp_ready: Signal<Out, Bit>,
    /// The request's id.
    pub mem_rsp_id: Signal<In, Bits<8>>,
    /// The sector, word 0 lowest.
    pub mem_rsp_data: Many<Signal<In, Bits<32>>, 8>,
    /// The access failed; the data means nothing.
    pub mem_rsp_error: Signal<In, Bit>,

    // Cluster network.
    /// Cluster network: a 32-byte sector request is offered; held until `cluster_req_ready`.
    pub cluster_req_valid: Signal<Out, Bit>,
    /// It is taken at this edge.
    pub cluster_req_ready: Signal<In, Bit>,
    /// Returned with the response.
    pub cluster_req_id: Signal<Out, Bits<6>>,
    /// Write instead of read.
    pub cluster_req_write: Signal<Out, Bit>,
    /// Sector-aligned byte offset in the window of that CTA.
    pub cluster_req_addr: Signal<Out, Bits<ADDR>>,
    /// Bytes written, or asked for.
    pub cluster_req_strb: Signal<Out, Bits<32>>,
    /// Write data, word 0 lowest.
    pub cluster_req_data: Many<Signal<Out, Bits<32>>, 8>,
    /// L2 eviction priority.
    pub cluster_req_l2_evict: Signal<Out, Bits<2>>,
    /// The policy counts.
    pub cluster_req_policy_en: Signal<Out, Bit>,
    /// L2 cache policy.
    pub cluster_req_policy: Signal<Out, Bits<64>>,
    /// Prefetch size.
    pub cluster_req_prefetch: Signal<Out, Bits<2>>,
    /// Cache operator.
    pub cluster_req_cop: Signal<Out, Bits<3>>,
    /// Memory semantics.
    pub cluster_req_sem: Signal<Out, Bits<3>>,
    /// Scope.
    pub cluster_req_scope: Signal<Out, Bits<2>>,
    /// Rank of the CTA that owns the address.
    pub cluster_req_rank: Signal<Out, Bits<8>>,
    /// Cluster network: a sector came back, in any order, in any later cycle.
    pub cluster_response: ClusterResponsePort,

    // Requests of the other CTAs of the cluster.
    /// Cluster network: another CTA's request for a sector of this unit's shared memory; held until `serve_req_ready`.
    pub serve_request: ServeRequestPort,
    /// Cluster network: the response to a request of another CTA is offered; held until `serve_rsp_ready`.
    pub serve_response: ServeResponsePort,

    // Configuration.
    /// Writes one entry of the constant-bank table; only while no operation is in flight.
    pub cfg_bank_write: Signal<In, Bit>,
    /// Entry, 0 to 17.
    pub cfg_bank_index: Signal<In, Bits<5>>,
    /// Byte address of the bank in memory, a multiple of 64.
    pub cfg_bank_base: Signal<In, Bits<ADDR>>,
    /// Bytes, a multiple of 16, at most 65,536.
    pub cfg_bank_size: Signal<In, Bits<17>>,
    /// The entry may be used.
    pub cfg_bank_valid: Signal<In, Bit>,
    /// 1 compute mode (8 banks), 0 graphics mode (18 banks).
    pub cfg_compute: Signal<In, Bit>,
    /// Generic window of shared memory: first byte, a multiple of 16 (the low four bits are not looked at).
    pub cfg_shared_base: Signal<In, Bits<ADDR>>,
    /// Its bytes.
    pub cfg_shared_size: Signal<In, Bits<ADDR>>,
    /// Generic window of local memory: first byte, a multiple of 16 (the low four bits are not looked at).
    pub cfg_local_base: Signal<In, Bits<ADDR>>,
    /// Its bytes, and those of each thread's local memory, a multiple of 16 (the low four bits are not looked at).
    pub cfg_local_size: Signal<In, Bits<ADDR>>,
    /// Where local memory lies in memory, a multiple of the least power of two that holds
    /// LANES x slots x `cfg_local_size` bytes (the low seven bits are not looked at).
    pub cfg_local_memory: Signal<In, Bits<ADDR>>,
    /// Generic window of constant memory: first byte, a multiple of 16 (the low four bits are not looked at).
    pub cfg_const_base: Signal<In, Bits<ADDR>>,
    /// Its bytes, a multiple of 16 (the low four bits are not looked at).
    pub cfg_const_size: Signal<In, Bits<ADDR>>,
    /// Generic window of kernel parameters: first byte, a multiple of 16 (the low four bits are not looked at).
    pub cfg_param_base: Signal<In, Bits<ADDR>>,
    /// Its bytes, a multiple of 16 (the low four bits are not looked at).
    pub cfg_param_size: Signal<In, Bits<ADDR>>,
    /// Where kernel parameters begin in bank 0, a multiple of 16 (the low four bits are not looked at).
    pub cfg_param_offset: Signal<In, Bits<16>>,
    /// First byte of the window of the CTA with rank `cfg_rank`, as others see it, a multiple of 32 (the low five bits are not looked at).
    pub cfg_cluster_base: Signal<In, Bits<SHARED>>,
    /// Its bytes, a multiple of 16 (the low four bits are not looked at).
    pub cfg_cluster_size: Signal<In, Bits<SHARED>>,
    /// Own CTA rank in the cluster.
    pub cfg_rank: Signal<In, Bits<8>>,

    // Status.
    /// Sticky: a lane used bank 8 or more in compute mode.
    pub status_ldc_unpredictable: Signal<Out, Bit>,
    /// Sticky: a bank-table write was refused.
    pub status_cfg_refused: Signal<Out, Bit>,
    /// Sticky: a beat of store data was taken for a store of another tag than `wdata_tag`.
    pub status_wdata_wrong_tag: Signal<Out, Bit>,
    /// Memory has refused a sector of local memory that was written back; sticky until reset.
    pub status_write_back_error: Signal<Out, Bit>,
    /// Nothing is in flight in this cycle.
    pub status_idle: Signal<Out, Bit>,
    /// Passes of the constant cache issued; wraps.
    pub status_ldc_passes: Signal<Out, Bits<32>>,
    /// Passes that hit; wraps.
    pub status_ldc_hits: Signal<Out, Bits<32>>,
    /// Passes that missed; wraps.
    pub status_ldc_misses: Signal<Out, Bits<32>>,
    /// Sectors that hit L1; wraps.
    pub status_l1_hits: Signal<Out, Bits<32>>,
    /// Sectors that missed L1; wraps.
    pub status_l1_misses: Signal<Out, Bits<32>>,
    /// Sectors that hit the read-only cache; wraps.
    pub status_ro_hits: Signal<Out, Bits<32>>,
    /// Sectors that missed the read-only cache; wraps.
    pub status_ro_misses: Signal<Out, Bits<32>>,
    /// Passes of loads and stores issued; wraps.
    pub status_wavefronts: Signal<Out, Bits<32>>,
    /// Passes after their operation's first; wraps.
    pub status_replays: Signal<Out, Bits<32>>,
    /// Sectors that the global path asked the memory side for; wraps.
    pub status_sectors_read: Signal<Out, Bits<32>>,
    /// Sectors written; wraps.
    pub status_sectors_written: Signal<Out, Bits<32>>,
    /// Cycles in which a pass waited for what comes before it; wraps.
    pub status_stall_order: Signal<Out, Bits<32>>,
    /// Cycles in which a pass waited for a waiter, an MSHR, a way or a write-back; wraps.
    pub status_stall_misses: Signal<Out, Bits<32>>,
    /// Cycles in which a pass waited for the next place; wraps.
    pub status_stall_data: Signal<Out, Bits<32>>,
    /// Cycles in which a memory request waited; wraps.
    pub status_stall_memory: Signal<Out, Bits<32>>,

    intake: Intake,
    group: LaneGroups,
    cache: ConstantCache,
    /// A write of the bank table, which both paths look at.
    bank_write: Signal<Local, BankWrite>,
    unpredictable: Sticky,
    wrong_tag: Sticky,
    write_back_error: Sticky,
    global_path: GlobalPath,
    wb_arbiter: Arbiter,
    fault_arbiter: Arbiter,
    done_arbiter: Arbiter,
    memory_arbiter: Arbiter,
    drain: Drain,
    to_constant: Signal<Local, Bit>,
    from_global: Signal<Local, Bit>,
}

impl Simulate for Lsu {
    fn step(&mut self, inputs: &[u32], outputs: &mut [u32]) -> Result<(), SimulationError> {
        macro_rules! exchange {
            ($words: ident: $($port: ident $(. $member: ident)?)+) => {
                let mut pins = Pins::new($words);
                $(self.$port$(.$member)?.exchange(pins.align());)+
            };
        }
        exchange!(
            inputs: cfg_bank_base cfg_bank_index cfg_bank_size cfg_bank_valid cfg_bank_write cfg_cluster_base
            cfg_cluster_size cfg_compute cfg_const_base cfg_const_size cfg_local_base cfg_local_memory cfg_local_size
            cfg_param_base cfg_param_offset cfg_param_size cfg_rank cfg_shared_base cfg_shared_size cluster_req_ready
            cluster_response.cluster_rsp_data cluster_response.cluster_rsp_error cluster_response.cluster_rsp_id
            cluster_response.cluster_rsp_valid done_ready fault_ready mem_req_ready mem_rsp_data mem_rsp_error
            mem_rsp_id mem_rsp_valid req_addr req_bank req_cmd req_cop req_dst_width req_imm req_l1_evict req_l2_evict
            req_mask req_mode req_nc req_op req_policy req_policy_en req_prefetch req_ra_is_rz req_rd req_scope req_sem
            req_shared_base req_shared_size req_sign req_sink req_size req_space req_tag req_valid req_vec req_warp
            req_wide reset rst_mem serve_request.serve_req_addr serve_request.serve_req_data serve_request.serve_req_id
            serve_request.serve_req_rank serve_request.serve_req_strb serve_request.serve_req_valid
            serve_request.serve_req_write serve_response.serve_rsp_ready wb_ready wdata_data wdata_tag wdata_valid
        );
        self.clock.next = false.into();
        settle(self)?;
        exchange!(
            outputs: cluster_req_addr cluster_req_cop cluster_req_data cluster_req_id cluster_req_l2_evict
            cluster_req_policy cluster_req_policy_en cluster_req_prefetch cluster_req_rank cluster_req_scope
            cluster_req_sem cluster_req_strb cluster_req_valid cluster_req_write cluster_response.cluster_rsp_ready
            done_tag done_valid fault_addr fault_cause fault_lanes fault_tag fault_valid mem_req_addr mem_req_cop
            mem_req_data mem_req_id mem_req_l2_evict mem_req_policy mem_req_policy_en mem_req_prefetch mem_req_scope
            mem_req_sem mem_req_strb mem_req_valid mem_req_write mem_rsp_ready req_ready serve_request.serve_req_ready
            serve_response.serve_rsp_data serve_response.serve_rsp_error serve_response.serve_rsp_id
            serve_response.serve_rsp_rank serve_response.serve_rsp_valid status_cfg_refused status_idle status_l1_hits
            status_l1_misses status_ldc_hits status_ldc_misses status_ldc_passes status_ldc_unpredictable status_replays
            status_ro_hits status_ro_misses status_sectors_read status_sectors_written status_stall_data
            status_stall_memory status_stall_misses status_stall_order status_wavefronts status_wdata_wrong_tag
            status_write_back_error wb_data wb_last wb_mask wb_rd wb_tag wb_valid wdata_ready
        );
        self.clock.next = true.into();
        settle(self)
    }
}

impl Logic for Lsu {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, intake, group, cache, global_path, unpredictable, wrong_tag, write_back_error);
        clock!(self, clock, wb_arbiter, fault_arbiter, done_arbiter, memory_arbiter, drain);

        // Rule PATH. The constant cache's `intake`.
        self.to_constant.next = (self.req_op.val() == OP_LDC)
            | ((self.req_op.val() == OP_LOAD)
                & ((self.req_space.val() == SPACE_CONST) | (self.req_space.val() == SPACE_PARAM_ENTRY)))
            | ((self.req_op.val() == OP_COMMAND) & (self.req_cmd.val() == CMD_INVALIDATE_CONST));
        self.intake.req_valid.next = self.req_valid.val() & self.to_constant.val();
        self.global_path.pins.req_valid.next = self.req_valid.val() & !self.to_constant.val();
        self.intake.req.next.tag = self.req_tag.val();
        self.intake.req.next.op = self.req_op.val();
        self.intake.req.next.cmd = self.req_cmd.val();
        self.intake.req.next.space = self.req_space.val();
        self.intake.req.next.sem = self.req_sem.val();
        self.intake.req.next.cop = self.req_cop.val();
        self.intake.req.next.nc = self.req_nc.val();
        self.intake.req.next.size = self.req_size.val();
        self.intake.req.next.vec = self.req_vec.val();
        self.intake.req.next.sink = self.req_sink.val();
        self.intake.req.next.sign = self.req_sign.val();
        self.intake.req.next.dst_width = self.req_dst_width.val();
        self.intake.req.next.rd = self.req_rd.val();
        self.intake.req.next.mask = self.req_mask.val();
        self.intake.req.next.bank = self.req_bank.val();
        self.intake.req.next.mode = self.req_mode.val();
        self.intake.req.next.ra_is_rz = self.req_ra_is_rz.val();
        self.intake.req.next.wide = self.req_wide.val();
        self.intake.req.next.imm = self.req_imm.val();
        self.intake.compute.next = self.cfg_compute.val();
        self.intake.param_offset.next = self.cfg_param_offset.val();
        self.req_ready.next = self.global_path.pins.req_ready.val();
        if self.to_constant.val() {
            self.req_ready.next = self.intake.req_ready.val();
        }
        self.global_path.pins.req.next.is_store = self.req_op.val() == OP_STORE;
        self.global_path.pins.req.next.is_command = self.req_op.val() == OP_COMMAND;
        self.global_path.pins.req.next.tag = self.req_tag.val();
        self.global_path.pins.req.next.cmd = self.req_cmd.val();
        self.global_path.pins.req.next.space = self.req_space.val();
        self.global_path.pins.req.next.sem = self.req_sem.val();
        self.global_path.pins.req.next.scope = self.req_scope.val();
        self.global_path.pins.req.next.cop = self.req_cop.val();
        self.global_path.pins.req.next.l1_evict = self.req_l1_evict.val();
        self.global_path.pins.req.next.l2_evict = self.req_l2_evict.val();
        self.global_path.pins.req.next.prefetch = self.req_prefetch.val();
        self.global_path.pins.req.next.policy_en = self.req_policy_en.val();
        self.global_path.pins.req.next.policy = self.req_policy.val();
        self.global_path.pins.req.next.nc = self.req_nc.val();
        self.global_path.pins.req.next.size = self.req_size.val();
        self.global_path.pins.req.next.vec = self.req_vec.val();
        self.global_path.pins.req.next.sink = self.req_sink.val();
        self.global_path.pins.req.next.sign = self.req_sign.val();
        self.global_path.pins.req.next.rd = self.req_rd.val();
        self.global_path.pins.req.next.warp = self.req_warp.val();
        // Decoded in place `intake`.
        self.global_path.pins.req.next.element_registers = 0.into();
        self.global_path.pins.req.next.unit = 0.into();
        self.global_path.pins.req.next.extended = false;
        self.global_path.pins.req.next.two_reads = false;
        self.global_path.pins.req.next.last_word = 0.into();
        self.global_path.pins.req.next.sunk_words = 0.into();
        self.global_path.pins.req.next.mmio = false;
        self.global_path.pins.req.next.ordered = false;
        self.global_path.pins.req.next.looked_up = false;
        self.global_path.pins.req.next.kept = false;
        self.global_path.pins.req.next.acquire = false;
        self.global_path.pins.req.next.release = false;
        self.global_path.pins.req.next.touches = false;
        self.global_path.pins.req.next.evict_first = false;
        self.global_path.pins.req.next.evict_last = false;
        self.global_path.pins.req.next.is_local = false;
        self.global_path.pins.req.next.last_use = false;
        self.global_path.pins.req.next.word = 0.into();
        self.global_path.pins.req_dst_width.next = self.req_dst_width.val();
        self.global_path.pins.req_mask.next = self.req_mask.val();
        self.global_path.pins.req_wide.next = self.req_wide.val();
        self.global_path.pins.req_imm.next = self.req_imm.val();
        self.global_path.wdata_valid.next = self.wdata_valid.val();
        self.wdata_ready.next = self.global_path.wdata_ready.val();
        self.global_path.wdata_tag.next = self.wdata_tag.val();
        self.global_path.pins.window_base[0].next = self.cfg_shared_base.val();
        self.global_path.pins.window_size[0].next = self.cfg_shared_size.val();
        self.global_path.pins.req_shared_base.next = self.req_shared_base.val();
        self.global_path.pins.req_shared_size.next = self.req_shared_size.val();
        self.global_path.pins.window_base[1].next = self.cfg_local_base.val();
        self.global_path.pins.window_size[1].next = self.cfg_local_size.val();
        self.global_path.local_memory.next = self.cfg_local_memory.val();
        self.global_path.pins.window_base[2].next = self.cfg_const_base.val();
        self.global_path.pins.window_size[2].next = self.cfg_const_size.val();
        self.global_path.pins.window_base[3].next = self.cfg_param_base.val();
        self.global_path.pins.window_size[3].next = self.cfg_param_size.val();
        self.global_path.pins.param_offset.next = self.cfg_param_offset.val();
        Arrays::join(&mut self.intake.req_addr, &mut self.req_addr);
        Arrays::join(&mut self.global_path.pins.req_addr, &mut self.req_addr);
        Arrays::join(&mut self.global_path.wdata_data, &mut self.wdata_data);

        // `intake` to `group`, `group` to `issue`: what is in `group` makes room for the next.
        self.intake.next_ready.next = self.group.in_ready.val();
        self.intake.next_follows.next = self.cache.grouped.in_follows.val();
        self.intake.data_ready.next = self.cache.data_ready.val();
        self.group.next_ready.next = self.cache.grouped.in_ready.val();
        self.group.next_follows.next = self.cache.grouped.in_follows.val();
        self.group.data_ready.next = self.cache.data_ready.val();
        self.group.in_misaligned_lanes.next = self.intake.misaligned_lanes.val();
        self.group.in_outside_lanes.next = self.intake.outside_lanes.val();
        self.group.in_beyond_lanes.next = self.intake.beyond_lanes.val();
        self.group.in_unpredictable.next = self.intake.unpredictable.val();
        self.cache.grouped.in_leaders.next = self.group.leaders.val();
        self.group.in_valid.next = self.intake.valid.val();
        self.group.in_operation.next = self.intake.operation.val();
        self.cache.grouped.in_valid.next = self.group.valid.val();
        self.cache.grouped.in_operation.next = self.group.operation.val();
        Arrays::join(&mut self.group.in_address, &mut self.intake.address);
        Arrays::join(&mut self.group.in_bank, &mut self.intake.bank);
        Arrays::join(&mut self.cache.grouped.in_address, &mut self.group.address);
        Arrays::join(&mut self.cache.grouped.in_bank, &mut self.group.bank);

        // Results of both paths.
        self.wb_arbiter.first_valid.next = self.cache.out.wb_valid.val();
        self.wb_arbiter.second_valid.next = self.global_path.out.wb_valid.val();
        self.wb_arbiter.ready.next = self.wb_ready.val();
        self.cache.out.wb_ready.next = self.wb_arbiter.first_ready.val();
        self.global_path.out.wb_ready.next = self.wb_arbiter.second_ready.val();
        self.wb_valid.next = self.wb_arbiter.valid.val();
        self.fault_arbiter.first_valid.next = self.cache.faults.fault_valid.val();
        self.fault_arbiter.second_valid.next = self.global_path.faults.fault_valid.val();
        self.fault_arbiter.ready.next = self.fault_ready.val();
        self.cache.faults.fault_ready.next = self.fault_arbiter.first_ready.val();
        self.global_path.faults.fault_ready.next = self.fault_arbiter.second_ready.val();
        self.fault_valid.next = self.fault_arbiter.valid.val();
        self.done_arbiter.first_valid.next = self.cache.done_valid.val();
        self.done_arbiter.second_valid.next = self.global_path.done_valid.val();
        self.done_arbiter.ready.next = self.done_ready.val();
        self.cache.done_ready.next = self.done_arbiter.first_ready.val();
        self.global_path.done_ready.next = self.done_arbiter.second_ready.val();
        self.done_valid.next = self.done_arbiter.valid.val();
        if self.wb_arbiter.is_second.val() {
            self.wb_tag.next = self.global_path.out.wb.val().tag;
            self.wb_rd.next = self.global_path.out.wb.val().rd;
            self.wb_mask.next = self.global_path.out.wb.val().mask;
            self.wb_last.next = self.global_path.out.wb.val().last;
        } else {
            self.wb_tag.next = self.cache.out.wb.val().tag;
            self.wb_rd.next = self.cache.out.wb.val().rd;
            self.wb_mask.next = self.cache.out.wb.val().mask;
            self.wb_last.next = self.cache.out.wb.val().last;
        }
        for i in 0..LANES {
            self.wb_data[i].next = self.cache.out.wb_data[i].val();
            if self.wb_arbiter.is_second.val() {
                self.wb_data[i].next = self.global_path.out.wb_data[i].val();
            }
        }
        if self.fault_arbiter.is_second.val() {
            self.fault_tag.next = self.global_path.faults.fault.val().tag;
            self.fault_cause.next = self.global_path.faults.fault.val().cause;
            self.fault_lanes.next = self.global_path.faults.fault.val().lanes;
            self.fault_addr.next = self.global_path.faults.fault.val().address;
        } else {
            self.fault_tag.next = self.cache.faults.fault.val().tag;
            self.fault_cause.next = self.cache.faults.fault.val().cause;
            self.fault_lanes.next = self.cache.faults.fault.val().lanes;
            self.fault_addr.next = self.cache.faults.fault.val().address;
        }
        self.done_tag.next = self.cache.done_tag.val();
        if self.done_arbiter.is_second.val() {
            self.done_tag.next = self.global_path.done_tag.val();
        }

        // Memory side: fills of the constant cache ask for whole sectors and carry no attributes.
        self.memory_arbiter.first_valid.next = self.cache.memory.mem_req_valid.val();
        self.memory_arbiter.second_valid.next = self.global_path.mem_req_valid.val();
        self.drain.rst_mem.next = self.rst_mem.val();
        self.drain.asks.next = self.memory_arbiter.valid.val();
        self.drain.mem_req_ready.next = self.mem_req_ready.val();
        self.memory_arbiter.ready.next = self.drain.sends.val();
        self.cache.memory.mem_req_ready.next = self.memory_arbiter.first_ready.val();
        self.global_path.mem_req_ready.next = self.memory_arbiter.second_ready.val();
        self.mem_req_valid.next = self.drain.mem_req_valid.val();
        self.global_path.stalls_memory.next = self.drain.mem_req_valid.val() & !self.mem_req_ready.val();
        if self.memory_arbiter.is_second.val() {
            self.mem_req_id.next = self.global_path.mem_req_id.val();
            self.mem_req_write.next = self.global_path.mem_req_write.val();
            self.mem_req_addr.next = self.global_path.mem_req_addr.val();
            self.mem_req_strb.next = self.global_path.mem_req_strb.val();
            self.mem_req_l2_evict.next = self.global_path.mem_req_attributes.val().l2_evict;
            self.mem_req_policy_en.next = self.global_path.mem_req_attributes.val().policy_en;
            self.mem_req_policy.next = self.global_path.mem_req_attributes.val().policy;
            self.mem_req_prefetch.next = self.global_path.mem_req_attributes.val().prefetch;
            self.mem_req_cop.next = self.global_path.mem_req_attributes.val().cop;
            self.mem_req_sem.next = self.global_path.mem_req_attributes.val().sem;
            self.mem_req_scope.next = self.global_path.mem_req_attributes.val().scope;
        } else {
            self.mem_req_id.next = bit_cast::<8, 6>(self.cache.memory.mem_req_id.val());
            self.mem_req_write.next = false;
            self.mem_req_addr.next = self.cache.memory.mem_req_addr.val();
            self.mem_req_strb.next = 0xffffffffu64.into();
            self.mem_req_l2_evict.next = 0.into();
            self.mem_req_policy_en.next = false;
            self.mem_req_policy.next = 0.into();
            self.mem_req_prefetch.next = 0.into();
            self.mem_req_cop.next = 0.into();
            self.mem_req_sem.next = 0.into();
            self.mem_req_scope.next = 0.into();
        }
        self.from_global.next = self.mem_rsp_id.val().get_bits::<2>(6).any();
        self.drain.mem_rsp_valid.next = self.mem_rsp_valid.val();
        self.cache.memory.mem_rsp_valid.next =
            self.drain.answers.val() & !self.from_global.val() & !self.global_path.mem_rsp_blocked.val();
        self.global_path.mem_rsp_valid.next = self.drain.answers.val() & self.from_global.val();
        self.drain.takes.next =
            !self.global_path.mem_rsp_blocked.val() & (self.from_global.val() | self.cache.memory.mem_rsp_ready.val());
        self.mem_rsp_ready.next = self.drain.mem_rsp_ready.val();
        self.cache.memory.mem_rsp_id.next = self.mem_rsp_id.val().get_bits::<6>(0);
        self.global_path.mem_rsp_id.next = self.mem_rsp_id.val();
        self.cache.memory.mem_rsp_error.next = self.mem_rsp_error.val();
        self.global_path.mem_rsp_error.next = self.mem_rsp_error.val();
        for i in 0..8 {
            self.cache.memory.mem_rsp_data[i].next = self.mem_rsp_data[i].val();
            self.global_path.mem_rsp_data[i].next = self.mem_rsp_data[i].val();
            self.mem_req_data[i].next = 0.into();
            if self.memory_arbiter.is_second.val() {
                self.mem_req_data[i].next = self.global_path.mem_req_data[i].val();
            }
        }

        // Cluster network.
        self.drain.cluster_asks.next = self.global_path.cluster_req_valid.val();
        self.cluster_req_valid.next = self.drain.cluster_req_valid.val();
        self.drain.cluster_req_ready.next = self.cluster_req_ready.val();
        self.global_path.cluster_req_ready.next = self.drain.cluster_sends.val();
        self.cluster_req_id.next = self.global_path.cluster_req_id.val();
        self.cluster_req_write.next = self.global_path.cluster_req_write.val();
        self.cluster_req_addr.next = self.global_path.cluster_req_addr.val();
        self.cluster_req_strb.next = self.global_path.cluster_req_strb.val();
        Arrays::join(&mut self.cluster_req_data, &mut self.global_path.cluster_req_data);
        self.cluster_req_l2_evict.next = self.global_path.cluster_req_attributes.val().l2_evict;
        self.cluster_req_policy_en.next = self.global_path.cluster_req_attributes.val().policy_en;
        self.cluster_req_policy.next = self.global_path.cluster_req_attributes.val().policy;
        self.cluster_req_prefetch.next = self.global_path.cluster_req_attributes.val().prefetch;
        self.cluster_req_cop.next = self.global_path.cluster_req_attributes.val().cop;
        self.cluster_req_sem.next = self.global_path.cluster_req_attributes.val().sem;
        self.cluster_req_scope.next = self.global_path.cluster_req_attributes.val().scope;
        self.cluster_req_rank.next = self.global_path.cluster_req_rank.val();
        self.drain.cluster_rsp_valid.next = self.cluster_response.cluster_rsp_valid.val();
        self.global_path.cluster_response.cluster_rsp_valid.next = self.drain.cluster_answers.val();
        self.drain.cluster_takes.next = self.global_path.cluster_response.cluster_rsp_ready.val();
        self.cluster_response.cluster_rsp_ready.next = self.drain.cluster_rsp_ready.val();
        self.global_path.cluster_response.cluster_rsp_id.next = self.cluster_response.cluster_rsp_id.val();
        Arrays::join(
            &mut self.global_path.cluster_response.cluster_rsp_data,
            &mut self.cluster_response.cluster_rsp_data,
        );
        self.global_path.cluster_response.cluster_rsp_error.next = self.cluster_response.cluster_rsp_error.val();
        ServeRequestPort::link(&mut self.serve_request, &mut self.global_path.serve_request);
        ServeResponsePort::link(&mut self.serve_response, &mut self.global_path.serve_response);
        self.global_path.cluster_base.next = self.cfg_cluster_base.val();
        self.global_path.cluster_size.next = self.cfg_cluster_size.val();
        self.global_path.pins.cluster_rank.next = self.cfg_rank.val();
        self.global_path.rst_mem.next = self.rst_mem.val();

        // Configuration and status.
        self.bank_write.next.write = self.cfg_bank_write.val();
        self.bank_write.next.index = self.cfg_bank_index.val();
        self.bank_write.next.base = self.cfg_bank_base.val();
        self.bank_write.next.size = self.cfg_bank_size.val();
        self.bank_write.next.valid = self.cfg_bank_valid.val();
        self.cache.cfg_bank.next = self.bank_write.val();
        self.global_path.pins.bank_writes.next = self.cache.cfg_takes.val();
        self.global_path.pins.bank_write.next = self.bank_write.val();
        self.unpredictable.set.next = self.group.unpredictable.val();
        self.status_ldc_unpredictable.next = self.unpredictable.value.val();
        self.status_cfg_refused.next = self.cache.cfg_refused.val();
        self.wrong_tag.set.next = self.global_path.wrong_tag.val();
        self.status_wdata_wrong_tag.next = self.wrong_tag.value.val();
        self.write_back_error.set.next = self.global_path.write_back_error.val();
        self.status_write_back_error.next = self.write_back_error.value.val();
        self.status_idle.next = !self.intake.valid.val()
            & !self.group.valid.val()
            & self.cache.idle.val()
            & self.global_path.idle.val()
            & !self.drain.drains.val();
        self.status_ldc_passes.next = self.cache.passes.val();
        self.status_ldc_hits.next = self.cache.hits.val();
        self.status_ldc_misses.next = self.cache.misses.val();
        self.status_l1_hits.next = self.global_path.counts.val().l1_hits;
        self.status_l1_misses.next = self.global_path.counts.val().l1_misses;
        self.status_ro_hits.next = self.global_path.counts.val().ro_hits;
        self.status_ro_misses.next = self.global_path.counts.val().ro_misses;
        self.status_wavefronts.next = self.global_path.counts.val().wavefronts;
        self.status_replays.next = self.global_path.counts.val().replays;
        self.status_sectors_read.next = self.global_path.counts.val().sectors_read;
        self.status_sectors_written.next = self.global_path.counts.val().sectors_written;
        self.status_stall_order.next = self.global_path.counts.val().stall_order;
        self.status_stall_misses.next = self.global_path.counts.val().stall_misses;
        self.status_stall_data.next = self.global_path.counts.val().stall_data;
        self.status_stall_memory.next = self.global_path.counts.val().stall_memory;
    }
}
