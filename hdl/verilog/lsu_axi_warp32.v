// SPDX-License-Identifier: MIT OR Apache-2.0
//
// lsu 0.1.0, an open GPU load/store unit. Top module: lsu_axi. What is below it stands in lsu_warp32.v.
// Preset warp32: LANES 32, ADDR 49 (bits of an address), MSHRs 16, slots for warps 64,
//   L1 64 sets x 4 ways x 128 bytes = 32 KB,
//   read-only cache 32 sets x 8 ways x 128 bytes = 32 KB,
//   constant cache 4 sets x 8 ways x 64 bytes = 2 KB, with 4 misses.
// Written by: lsu verilog --preset warp32 --top lsu_axi
// Contracts of the blocks stand under the macro LSU_CONTRACTS: define it in simulation, and each that is
//   broken prints its sentence and stops. Synthesis needs no macro.
// Generated, do not edit: `lsu verilog` overwrites this file as long as the checksum below holds.
// No timescale is set, on purpose: there are no delays here, so that of your own files holds.
// sha256 of all other lines: 0f8dea0bf61942faacefc0930aa8a2c308aa3bf9cb6be60927d96d36fea2db9d
/* verilator lint_off DECLFILENAME */
`ifdef SYNTHESIS
`undef LSU_CONTRACTS
`endif
// lsu_axi: The load/store unit with its memory port as an AXI4 master.
module lsu_axi (
    input  wire          clk,  // Clock.
    input  wire          rst,  // Synchronous, active high.
    input  wire          rst_mem,  // With rst: the memory side forgets its requests, too.

    // Operations, from the warp scheduler.
    input  wire          req_valid,  // From the warp scheduler: an operation is offered.
    output wire          req_ready,  // It is taken at this edge.
    input  wire [7:0]    req_tag,  // Names the operation on wdata, wb, fault, done; not reused while in flight.
    input  wire [1:0]    req_op,  // 0 load, 1 store, 2 ldc, 3 command.
    input  wire [1:0]    req_cmd,  // 0 invalidate L1, 1 read-only, 2 constant cache, 3 write back local.
    input  wire [2:0]    req_space,  // State space.
    input  wire [2:0]    req_sem,  // Memory semantics.
    input  wire [1:0]    req_scope,  // Scope.
    input  wire [2:0]    req_cop,  // Cache operator.
    input  wire [2:0]    req_l1_evict,  // L1 eviction priority.
    input  wire [1:0]    req_l2_evict,  // L2 eviction priority.
    input  wire [1:0]    req_prefetch,  // Prefetch size.
    input  wire          req_policy_en,  // req_policy counts.
    input  wire [63:0]   req_policy,  // L2 cache policy.
    input  wire          req_nc,  // Non-coherent load.
    input  wire [2:0]    req_size,  // log2 of the element's bytes; 5 to 7 are no size.
    input  wire [1:0]    req_vec,  // log2 of the element count.
    input  wire [7:0]    req_sink,  // Elements that are not written.
    input  wire          req_sign,  // Sign-extend.
    input  wire [1:0]    req_dst_width,  // Destination register: 0 16 bit, 1 32 bit, 2 64 bit.
    input  wire [7:0]    req_rd,  // First destination register; 255 is RZ.
    input  wire [31:0]   req_mask,  // Active lanes.
    input  wire [1567:0] req_addr,  // Register operand of each lane. [32 x 49 bits]
    input  wire [31:0]   req_imm,  // Signed immediate; LDC uses the low 16 bits.
    input  wire [4:0]    req_bank,  // LDC: bank named by the instruction.
    input  wire [1:0]    req_mode,  // LDC: 0 IA, 1 IL, 2 IS, 3 ISL.
    input  wire          req_ra_is_rz,  // LDC: no register operand.
    input  wire [31:0]   req_wide,  // Lanes whose register operand does not fit ADDR bits: out of range.
    input  wire [5:0]    req_warp,  // Slot of the warp: order is kept within it.
    // First byte of the CTA's window in shared memory, a multiple of 16 (the low four bits are not looked at).
    input  wire [15:0]   req_shared_base,
    // Bytes of that window, a multiple of 16 (the low four bits are not looked at).
    input  wire [15:0]   req_shared_size,

    // Data of stores.
    input  wire          wdata_valid,  // Store data is offered.
    output wire          wdata_ready,  // It is taken at this edge.
    input  wire [7:0]    wdata_tag,  // The tag of the store that it belongs to.
    input  wire [1023:0] wdata_data,  // Store data of each lane. [32 x 32 bits]

    // Results, to the register file.
    output wire          wb_valid,  // To the register file: one register of a warp is offered; held until wb_ready.
    input  wire          wb_ready,  // It is taken at this edge.
    output wire [7:0]    wb_tag,  // Its operation.
    output wire [7:0]    wb_rd,  // The register.
    output wire [31:0]   wb_mask,  // Lanes written.
    output wire [1023:0] wb_data,  // Values; 0 in lanes that are not written. [32 x 32 bits]
    output wire          wb_last,  // Ends the operation.

    // Fault records.
    output wire          fault_valid,  // A fault record is offered; held until fault_ready.
    input  wire          fault_ready,  // It is taken at this edge.
    output wire [7:0]    fault_tag,  // Its operation.
    // 1 misaligned_register, 2 illegal_instruction, 3 misaligned_address, 4 address_out_of_range, 5 memory_error.
    output wire [2:0]    fault_cause,
    output wire [31:0]   fault_lanes,  // Every faulting lane.
    output wire [48:0]   fault_addr,  // Address of the lowest faulting lane.

    // Stores and commands that have taken effect.
    output wire          done_valid,  // A store or command has taken effect; held until done_ready.
    input  wire          done_ready,  // It is taken at this edge.
    output wire [7:0]    done_tag,  // Its tag.

    // Cluster network.
    // Cluster network: a 32-byte sector request is offered; held until cluster_req_ready.
    output wire          cluster_req_valid,
    input  wire          cluster_req_ready,  // It is taken at this edge.
    output wire [5:0]    cluster_req_id,  // Returned with the response.
    output wire          cluster_req_write,  // Write instead of read.
    output wire [48:0]   cluster_req_addr,  // Sector-aligned byte offset in the window of that CTA.
    output wire [31:0]   cluster_req_strb,  // Bytes written, or asked for.
    output wire [255:0]  cluster_req_data,  // Write data, word 0 lowest. [8 x 32 bits]
    output wire [1:0]    cluster_req_l2_evict,  // L2 eviction priority.
    output wire          cluster_req_policy_en,  // The policy counts.
    output wire [63:0]   cluster_req_policy,  // L2 cache policy.
    output wire [1:0]    cluster_req_prefetch,  // Prefetch size.
    output wire [2:0]    cluster_req_cop,  // Cache operator.
    output wire [2:0]    cluster_req_sem,  // Memory semantics.
    output wire [1:0]    cluster_req_scope,  // Scope.
    output wire [7:0]    cluster_req_rank,  // Rank of the CTA that owns the address.
    input  wire          cluster_rsp_valid,  // Cluster network: a sector came back, in any order, in any later cycle.
    output wire          cluster_rsp_ready,  // It is taken at this edge.
    input  wire [5:0]    cluster_rsp_id,  // The request's id.
    input  wire [255:0]  cluster_rsp_data,  // The sector, word 0 lowest. [8 x 32 bits]
    input  wire          cluster_rsp_error,  // The access failed; the data means nothing.

    // Requests of the other CTAs of the cluster.
    // Cluster network: another CTA's request for a sector of this unit's shared memory; held until serve_req_ready.
    input  wire          serve_req_valid,
    output wire          serve_req_ready,  // It is taken at this edge.
    input  wire [5:0]    serve_req_id,  // Returned with the response.
    input  wire [7:0]    serve_req_rank,  // Rank of the CTA that asks; returned with the response.
    input  wire          serve_req_write,  // Write instead of read.
    input  wire [48:0]   serve_req_addr,  // Byte offset in the window of the CTA; the low five bits are not looked at.
    input  wire [31:0]   serve_req_strb,  // Bytes written; of a read, not looked at.
    input  wire [255:0]  serve_req_data,  // Write data, word 0 lowest. [8 x 32 bits]
    // Cluster network: the response to a request of another CTA is offered; held until serve_rsp_ready.
    output wire          serve_rsp_valid,
    input  wire          serve_rsp_ready,  // It is taken at this edge.
    output wire [5:0]    serve_rsp_id,  // The request's id.
    output wire [7:0]    serve_rsp_rank,  // The CTA that asked.
    output wire [255:0]  serve_rsp_data,  // The sector, word 0 lowest; 0 for a write and for an error. [8 x 32 bits]
    output wire          serve_rsp_error,  // The address lies beyond the window; nothing was written.

    // Configuration.
    // Writes one entry of the constant-bank table; only while no operation is in flight.
    input  wire          cfg_bank_write,
    input  wire [4:0]    cfg_bank_index,  // Entry, 0 to 17.
    input  wire [48:0]   cfg_bank_base,  // Byte address of the bank in memory, a multiple of 64.
    input  wire [16:0]   cfg_bank_size,  // Bytes, a multiple of 16, at most 65,536.
    input  wire          cfg_bank_valid,  // The entry may be used.
    input  wire          cfg_compute,  // 1 compute mode (8 banks), 0 graphics mode (18 banks).
    // Generic window of shared memory: first byte, a multiple of 16 (the low four bits are not looked at).
    input  wire [48:0]   cfg_shared_base,
    input  wire [48:0]   cfg_shared_size,  // Its bytes.
    // Generic window of local memory: first byte, a multiple of 16 (the low four bits are not looked at).
    input  wire [48:0]   cfg_local_base,
    // Its bytes, and those of each thread's local memory, a multiple of 16 (the low four bits are not looked at).
    input  wire [48:0]   cfg_local_size,
    // Where local memory lies in memory, a multiple of the least power of two that holds LANES x slots x cfg_local_size
    // bytes (the low seven bits are not looked at).
    input  wire [48:0]   cfg_local_memory,
    // Generic window of constant memory: first byte, a multiple of 16 (the low four bits are not looked at).
    input  wire [48:0]   cfg_const_base,
    input  wire [48:0]   cfg_const_size,  // Its bytes, a multiple of 16 (the low four bits are not looked at).
    // Generic window of kernel parameters: first byte, a multiple of 16 (the low four bits are not looked at).
    input  wire [48:0]   cfg_param_base,
    input  wire [48:0]   cfg_param_size,  // Its bytes, a multiple of 16 (the low four bits are not looked at).
    // Where kernel parameters begin in bank 0, a multiple of 16 (the low four bits are not looked at).
    input  wire [15:0]   cfg_param_offset,
    // First byte of the window of the CTA with rank cfg_rank, as others see it, a multiple of 32 (the low five bits are
    // not looked at).
    input  wire [15:0]   cfg_cluster_base,
    input  wire [15:0]   cfg_cluster_size,  // Its bytes, a multiple of 16 (the low four bits are not looked at).
    input  wire [7:0]    cfg_rank,  // Own CTA rank in the cluster.

    // Status.
    output wire          status_ldc_unpredictable,  // Sticky: a lane used bank 8 or more in compute mode.
    output wire          status_cfg_refused,  // Sticky: a bank-table write was refused.
    // Sticky: a beat of store data was taken for a store of another tag than wdata_tag.
    output wire          status_wdata_wrong_tag,
    // Memory has refused a sector of local memory that was written back; sticky until reset.
    output wire          status_write_back_error,
    output wire          status_idle,  // Nothing is in flight in this cycle.
    output wire [31:0]   status_ldc_passes,  // Passes of the constant cache issued; wraps.
    output wire [31:0]   status_ldc_hits,  // Passes that hit; wraps.
    output wire [31:0]   status_ldc_misses,  // Passes that missed; wraps.
    output wire [31:0]   status_l1_hits,  // Sectors that hit L1; wraps.
    output wire [31:0]   status_l1_misses,  // Sectors that missed L1; wraps.
    output wire [31:0]   status_ro_hits,  // Sectors that hit the read-only cache; wraps.
    output wire [31:0]   status_ro_misses,  // Sectors that missed the read-only cache; wraps.
    output wire [31:0]   status_wavefronts,  // Passes of loads and stores issued; wraps.
    output wire [31:0]   status_replays,  // Passes after their operation's first; wraps.
    output wire [31:0]   status_sectors_read,  // Sectors that the global path asked the memory side for; wraps.
    output wire [31:0]   status_sectors_written,  // Sectors written; wraps.
    output wire [31:0]   status_stall_order,  // Cycles in which a pass waited for what comes before it; wraps.
    // Cycles in which a pass waited for a waiter, an MSHR, a way or a write-back; wraps.
    output wire [31:0]   status_stall_misses,
    output wire [31:0]   status_stall_data,  // Cycles in which a pass waited for the next place; wraps.
    output wire [31:0]   status_stall_memory,  // Cycles in which a memory request waited; wraps.

    // AXI4: write address.
    output wire          m_axi_awvalid,  // A write's address is offered; held until m_axi_awready.
    input  wire          m_axi_awready,  // It is taken at this edge.
    output wire [7:0]    m_axi_awid,  // Id of the request.
    output wire [48:0]   m_axi_awaddr,  // First byte.
    output wire [7:0]    m_axi_awlen,  // 0: one beat.
    output wire [2:0]    m_axi_awsize,  // log2 of the beat's bytes: 5; of .mmio, those of the element.
    output wire [1:0]    m_axi_awburst,  // 1: INCR.
    output wire          m_axi_awlock,  // 0: not exclusive.
    output wire [3:0]    m_axi_awcache,  // 2: normal, not cacheable, not bufferable; of .mmio 0: a device.
    output wire [2:0]    m_axi_awprot,  // 0: unprivileged, secure, data.
    output wire [3:0]    m_axi_awqos,  // 0.
    output wire [76:0]   m_axi_awuser,  // What the request says of its operation.

    // AXI4: write data.
    output wire          m_axi_wvalid,  // A write's data is offered; held until m_axi_wready.
    input  wire          m_axi_wready,  // It is taken at this edge.
    output wire [255:0]  m_axi_wdata,  // The sector, word 0 lowest. [8 x 32 bits]
    output wire [31:0]   m_axi_wstrb,  // Bytes written.
    output wire          m_axi_wlast,  // 1: the only beat.

    // AXI4: write response.
    input  wire          m_axi_bvalid,  // A write was answered.
    output wire          m_axi_bready,  // The answer is taken at this edge.
    input  wire [7:0]    m_axi_bid,  // Id of the request.
    input  wire [1:0]    m_axi_bresp,  // 0: OKAY; anything else is an error.

    // AXI4: read address.
    output wire          m_axi_arvalid,  // A read's address is offered; held until m_axi_arready.
    input  wire          m_axi_arready,  // It is taken at this edge.
    output wire [7:0]    m_axi_arid,  // Id of the request.
    output wire [48:0]   m_axi_araddr,  // First byte.
    output wire [7:0]    m_axi_arlen,  // 0: one beat.
    output wire [2:0]    m_axi_arsize,  // log2 of the beat's bytes: 5; of .mmio, those of the element.
    output wire [1:0]    m_axi_arburst,  // 1: INCR.
    output wire          m_axi_arlock,  // 0: not exclusive.
    output wire [3:0]    m_axi_arcache,  // 2: normal, not cacheable, not bufferable; of .mmio 0: a device.
    output wire [2:0]    m_axi_arprot,  // 0: unprivileged, secure, data.
    output wire [3:0]    m_axi_arqos,  // 0.
    output wire [76:0]   m_axi_aruser,  // What the request says of its operation.

    // AXI4: read data.
    input  wire          m_axi_rvalid,  // A read was answered.
    output wire          m_axi_rready,  // The answer is taken at this edge.
    input  wire [7:0]    m_axi_rid,  // Id of the request.
    input  wire [255:0]  m_axi_rdata,  // The sector, word 0 lowest. [8 x 32 bits]
    input  wire [1:0]    m_axi_rresp,  // 0: OKAY; anything else is an error.
    input  wire          m_axi_rlast  // 1: the only beat.
);
    // Between unit and axi.
    wire         mem_req_valid;  // Memory side: a 32-byte sector request is offered; held until mem_req_ready.
    wire         mem_req_ready;  // It is taken at this edge.
    wire [7:0]   mem_req_id;  // Returned with the response.
    wire         mem_req_write;  // Write instead of read.
    wire [48:0]  mem_req_addr;  // Sector-aligned byte address.
    wire [31:0]  mem_req_strb;  // Bytes written, or asked for.
    wire [255:0] mem_req_data;  // Write data, word 0 lowest. [8 x 32 bits]
    wire [1:0]   mem_req_l2_evict;  // L2 eviction priority.
    wire         mem_req_policy_en;  // The policy counts.
    wire [63:0]  mem_req_policy;  // L2 cache policy.
    wire [1:0]   mem_req_prefetch;  // Prefetch size.
    wire [2:0]   mem_req_cop;  // Cache operator.
    wire [2:0]   mem_req_sem;  // Memory semantics.
    wire [1:0]   mem_req_scope;  // Scope.
    wire         mem_rsp_valid;  // A response is presented; held until mem_rsp_ready.
    wire         mem_rsp_ready;  // It is taken at this edge.
    wire [7:0]   mem_rsp_id;  // The request's id.
    wire [255:0] mem_rsp_data;  // The sector, word 0 lowest; for a write, anything. [8 x 32 bits]
    wire         mem_rsp_error;  // The access failed.

    lsu unit (
        .clk                      (clk),
        .rst                      (rst),
        .rst_mem                  (rst_mem),
        .req_valid                (req_valid),
        .req_ready                (req_ready),
        .req_tag                  (req_tag),
        .req_op                   (req_op),
        .req_cmd                  (req_cmd),
        .req_space                (req_space),
        .req_sem                  (req_sem),
        .req_scope                (req_scope),
        .req_cop                  (req_cop),
        .req_l1_evict             (req_l1_evict),
        .req_l2_evict             (req_l2_evict),
        .req_prefetch             (req_prefetch),
        .req_policy_en            (req_policy_en),
        .req_policy               (req_policy),
        .req_nc                   (req_nc),
        .req_size                 (req_size),
        .req_vec                  (req_vec),
        .req_sink                 (req_sink),
        .req_sign                 (req_sign),
        .req_dst_width            (req_dst_width),
        .req_rd                   (req_rd),
        .req_mask                 (req_mask),
        .req_addr                 (req_addr),
        .req_imm                  (req_imm),
        .req_bank                 (req_bank),
        .req_mode                 (req_mode),
        .req_ra_is_rz             (req_ra_is_rz),
        .req_wide                 (req_wide),
        .req_warp                 (req_warp),
        .req_shared_base          (req_shared_base),
        .req_shared_size          (req_shared_size),
        .wdata_valid              (wdata_valid),
        .wdata_ready              (wdata_ready),
        .wdata_tag                (wdata_tag),
        .wdata_data               (wdata_data),
        .wb_valid                 (wb_valid),
        .wb_ready                 (wb_ready),
        .wb_tag                   (wb_tag),
        .wb_rd                    (wb_rd),
        .wb_mask                  (wb_mask),
        .wb_data                  (wb_data),
        .wb_last                  (wb_last),
        .fault_valid              (fault_valid),
        .fault_ready              (fault_ready),
        .fault_tag                (fault_tag),
        .fault_cause              (fault_cause),
        .fault_lanes              (fault_lanes),
        .fault_addr               (fault_addr),
        .done_valid               (done_valid),
        .done_ready               (done_ready),
        .done_tag                 (done_tag),
        .mem_req_valid            (mem_req_valid),
        .mem_req_ready            (mem_req_ready),
        .mem_req_id               (mem_req_id),
        .mem_req_write            (mem_req_write),
        .mem_req_addr             (mem_req_addr),
        .mem_req_strb             (mem_req_strb),
        .mem_req_data             (mem_req_data),
        .mem_req_l2_evict         (mem_req_l2_evict),
        .mem_req_policy_en        (mem_req_policy_en),
        .mem_req_policy           (mem_req_policy),
        .mem_req_prefetch         (mem_req_prefetch),
        .mem_req_cop              (mem_req_cop),
        .mem_req_sem              (mem_req_sem),
        .mem_req_scope            (mem_req_scope),
        .mem_rsp_valid            (mem_rsp_valid),
        .mem_rsp_ready            (mem_rsp_ready),
        .mem_rsp_id               (mem_rsp_id),
        .mem_rsp_data             (mem_rsp_data),
        .mem_rsp_error            (mem_rsp_error),
        .cluster_req_valid        (cluster_req_valid),
        .cluster_req_ready        (cluster_req_ready),
        .cluster_req_id           (cluster_req_id),
        .cluster_req_write        (cluster_req_write),
        .cluster_req_addr         (cluster_req_addr),
        .cluster_req_strb         (cluster_req_strb),
        .cluster_req_data         (cluster_req_data),
        .cluster_req_l2_evict     (cluster_req_l2_evict),
        .cluster_req_policy_en    (cluster_req_policy_en),
        .cluster_req_policy       (cluster_req_policy),
        .cluster_req_prefetch     (cluster_req_prefetch),
        .cluster_req_cop          (cluster_req_cop),
        .cluster_req_sem          (cluster_req_sem),
        .cluster_req_scope        (cluster_req_scope),
        .cluster_req_rank         (cluster_req_rank),
        .cluster_rsp_valid        (cluster_rsp_valid),
        .cluster_rsp_ready        (cluster_rsp_ready),
        .cluster_rsp_id           (cluster_rsp_id),
        .cluster_rsp_data         (cluster_rsp_data),
        .cluster_rsp_error        (cluster_rsp_error),
        .serve_req_valid          (serve_req_valid),
        .serve_req_ready          (serve_req_ready),
        .serve_req_id             (serve_req_id),
        .serve_req_rank           (serve_req_rank),
        .serve_req_write          (serve_req_write),
        .serve_req_addr           (serve_req_addr),
        .serve_req_strb           (serve_req_strb),
        .serve_req_data           (serve_req_data),
        .serve_rsp_valid          (serve_rsp_valid),
        .serve_rsp_ready          (serve_rsp_ready),
        .serve_rsp_id             (serve_rsp_id),
        .serve_rsp_rank           (serve_rsp_rank),
        .serve_rsp_data           (serve_rsp_data),
        .serve_rsp_error          (serve_rsp_error),
        .cfg_bank_write           (cfg_bank_write),
        .cfg_bank_index           (cfg_bank_index),
        .cfg_bank_base            (cfg_bank_base),
        .cfg_bank_size            (cfg_bank_size),
        .cfg_bank_valid           (cfg_bank_valid),
        .cfg_compute              (cfg_compute),
        .cfg_shared_base          (cfg_shared_base),
        .cfg_shared_size          (cfg_shared_size),
        .cfg_local_base           (cfg_local_base),
        .cfg_local_size           (cfg_local_size),
        .cfg_local_memory         (cfg_local_memory),
        .cfg_const_base           (cfg_const_base),
        .cfg_const_size           (cfg_const_size),
        .cfg_param_base           (cfg_param_base),
        .cfg_param_size           (cfg_param_size),
        .cfg_param_offset         (cfg_param_offset),
        .cfg_cluster_base         (cfg_cluster_base),
        .cfg_cluster_size         (cfg_cluster_size),
        .cfg_rank                 (cfg_rank),
        .status_ldc_unpredictable (status_ldc_unpredictable),
        .status_cfg_refused       (status_cfg_refused),
        .status_wdata_wrong_tag   (status_wdata_wrong_tag),
        .status_write_back_error  (status_write_back_error),
        .status_idle              (status_idle),
        .status_ldc_passes        (status_ldc_passes),
        .status_ldc_hits          (status_ldc_hits),
        .status_ldc_misses        (status_ldc_misses),
        .status_l1_hits           (status_l1_hits),
        .status_l1_misses         (status_l1_misses),
        .status_ro_hits           (status_ro_hits),
        .status_ro_misses         (status_ro_misses),
        .status_wavefronts        (status_wavefronts),
        .status_replays           (status_replays),
        .status_sectors_read      (status_sectors_read),
        .status_sectors_written   (status_sectors_written),
        .status_stall_order       (status_stall_order),
        .status_stall_misses      (status_stall_misses),
        .status_stall_data        (status_stall_data),
        .status_stall_memory      (status_stall_memory)
    );

    lsu_axi_master axi (
        .clk               (clk),
        .rst               (rst),
        .rst_mem           (rst_mem),
        .mem_req_valid     (mem_req_valid),
        .mem_req_ready     (mem_req_ready),
        .mem_req_id        (mem_req_id),
        .mem_req_write     (mem_req_write),
        .mem_req_addr      (mem_req_addr),
        .mem_req_strb      (mem_req_strb),
        .mem_req_data      (mem_req_data),
        .mem_req_l2_evict  (mem_req_l2_evict),
        .mem_req_policy_en (mem_req_policy_en),
        .mem_req_policy    (mem_req_policy),
        .mem_req_prefetch  (mem_req_prefetch),
        .mem_req_cop       (mem_req_cop),
        .mem_req_sem       (mem_req_sem),
        .mem_req_scope     (mem_req_scope),
        .mem_rsp_valid     (mem_rsp_valid),
        .mem_rsp_ready     (mem_rsp_ready),
        .mem_rsp_id        (mem_rsp_id),
        .mem_rsp_data      (mem_rsp_data),
        .mem_rsp_error     (mem_rsp_error),
        .m_axi_awvalid     (m_axi_awvalid),
        .m_axi_awready     (m_axi_awready),
        .m_axi_awid        (m_axi_awid),
        .m_axi_awaddr      (m_axi_awaddr),
        .m_axi_awlen       (m_axi_awlen),
        .m_axi_awsize      (m_axi_awsize),
        .m_axi_awburst     (m_axi_awburst),
        .m_axi_awlock      (m_axi_awlock),
        .m_axi_awcache     (m_axi_awcache),
        .m_axi_awprot      (m_axi_awprot),
        .m_axi_awqos       (m_axi_awqos),
        .m_axi_awuser      (m_axi_awuser),
        .m_axi_wvalid      (m_axi_wvalid),
        .m_axi_wready      (m_axi_wready),
        .m_axi_wdata       (m_axi_wdata),
        .m_axi_wstrb       (m_axi_wstrb),
        .m_axi_wlast       (m_axi_wlast),
        .m_axi_bvalid      (m_axi_bvalid),
        .m_axi_bready      (m_axi_bready),
        .m_axi_bid         (m_axi_bid),
        .m_axi_bresp       (m_axi_bresp),
        .m_axi_arvalid     (m_axi_arvalid),
        .m_axi_arready     (m_axi_arready),
        .m_axi_arid        (m_axi_arid),
        .m_axi_araddr      (m_axi_araddr),
        .m_axi_arlen       (m_axi_arlen),
        .m_axi_arsize      (m_axi_arsize),
        .m_axi_arburst     (m_axi_arburst),
        .m_axi_arlock      (m_axi_arlock),
        .m_axi_arcache     (m_axi_arcache),
        .m_axi_arprot      (m_axi_arprot),
        .m_axi_arqos       (m_axi_arqos),
        .m_axi_aruser      (m_axi_aruser),
        .m_axi_rvalid      (m_axi_rvalid),
        .m_axi_rready      (m_axi_rready),
        .m_axi_rid         (m_axi_rid),
        .m_axi_rdata       (m_axi_rdata),
        .m_axi_rresp       (m_axi_rresp),
        .m_axi_rlast       (m_axi_rlast)
    );
endmodule

// lsu_axi_master: The memory port as an AXI4 master.
module lsu_axi_master (
    input  wire         clk,  // Clock.
    input  wire         rst,  // Synchronous reset of the unit.
    input  wire         rst_mem,  // With rst: the slave forgets its requests, too.

    // The unit's memory port.
    input  wire         mem_req_valid,  // A request is offered.
    output wire         mem_req_ready,  // It is taken at this edge.
    input  wire [7:0]   mem_req_id,  // Returned with the response.
    input  wire         mem_req_write,  // Write instead of read.
    input  wire [48:0]  mem_req_addr,  // Sector-aligned byte address.
    input  wire [31:0]  mem_req_strb,  // Bytes written, or asked for.
    input  wire [255:0] mem_req_data,  // Write data, word 0 lowest. [8 x 32 bits]
    input  wire [1:0]   mem_req_l2_evict,  // L2 eviction priority.
    input  wire         mem_req_policy_en,  // The policy counts.
    input  wire [63:0]  mem_req_policy,  // L2 cache policy.
    input  wire [1:0]   mem_req_prefetch,  // Prefetch size.
    input  wire [2:0]   mem_req_cop,  // Cache operator.
    input  wire [2:0]   mem_req_sem,  // Memory semantics.
    input  wire [1:0]   mem_req_scope,  // Scope.
    output wire         mem_rsp_valid,  // A response is presented; held until mem_rsp_ready.
    input  wire         mem_rsp_ready,  // It is taken at this edge.
    output wire [7:0]   mem_rsp_id,  // The request's id.
    output wire [255:0] mem_rsp_data,  // The sector, word 0 lowest; for a write, anything. [8 x 32 bits]
    output wire         mem_rsp_error,  // The access failed.

    // AXI4: write address.
    output wire         m_axi_awvalid,  // A write's address is offered; held until m_axi_awready.
    input  wire         m_axi_awready,  // It is taken at this edge.
    output wire [7:0]   m_axi_awid,  // Id of the request.
    output wire [48:0]  m_axi_awaddr,  // First byte.
    output wire [7:0]   m_axi_awlen,  // 0: one beat.
    output wire [2:0]   m_axi_awsize,  // log2 of the beat's bytes: 5; of .mmio, those of the element.
    output wire [1:0]   m_axi_awburst,  // 1: INCR.
    output wire         m_axi_awlock,  // 0: not exclusive.
    output wire [3:0]   m_axi_awcache,  // 2: normal, not cacheable, not bufferable; of .mmio 0: a device.
    output wire [2:0]   m_axi_awprot,  // 0: unprivileged, secure, data.
    output wire [3:0]   m_axi_awqos,  // 0.
    output wire [76:0]  m_axi_awuser,  // What the request says of its operation.

    // AXI4: write data.
    output wire         m_axi_wvalid,  // A write's data is offered; held until m_axi_wready.
    input  wire         m_axi_wready,  // It is taken at this edge.
    output wire [255:0] m_axi_wdata,  // The sector, word 0 lowest. [8 x 32 bits]
    output wire [31:0]  m_axi_wstrb,  // Bytes written.
    output wire         m_axi_wlast,  // 1: the only beat.

    // AXI4: write response.
    input  wire         m_axi_bvalid,  // A write was answered.
    output wire         m_axi_bready,  // The answer is taken at this edge.
    input  wire [7:0]   m_axi_bid,  // Id of the request.
    input  wire [1:0]   m_axi_bresp,  // 0: OKAY; anything else is an error.

    // AXI4: read address.
    output wire         m_axi_arvalid,  // A read's address is offered; held until m_axi_arready.
    input  wire         m_axi_arready,  // It is taken at this edge.
    output wire [7:0]   m_axi_arid,  // Id of the request.
    output wire [48:0]  m_axi_araddr,  // First byte.
    output wire [7:0]   m_axi_arlen,  // 0: one beat.
    output wire [2:0]   m_axi_arsize,  // log2 of the beat's bytes: 5; of .mmio, those of the element.
    output wire [1:0]   m_axi_arburst,  // 1: INCR.
    output wire         m_axi_arlock,  // 0: not exclusive.
    output wire [3:0]   m_axi_arcache,  // 2: normal, not cacheable, not bufferable; of .mmio 0: a device.
    output wire [2:0]   m_axi_arprot,  // 0: unprivileged, secure, data.
    output wire [3:0]   m_axi_arqos,  // 0.
    output wire [76:0]  m_axi_aruser,  // What the request says of its operation.

    // AXI4: read data.
    input  wire         m_axi_rvalid,  // A read was answered.
    output wire         m_axi_rready,  // The answer is taken at this edge.
    input  wire [7:0]   m_axi_rid,  // Id of the request.
    input  wire [255:0] m_axi_rdata,  // The sector, word 0 lowest. [8 x 32 bits]
    input  wire [1:0]   m_axi_rresp,  // 0: OKAY; anything else is an error.
    input  wire         m_axi_rlast  // 1: the only beat.
);
    localparam [1:0] BURST_INCR = 2'd1;  // Burst of incrementing addresses.
    localparam [3:0] CACHE_DEVICE = 4'd0;  // A device: each access as it is, answered by the device itself.
    // Normal memory, not cacheable and not bufferable: a write is answered from where all others see it, which is what
    // a release waits for.
    localparam [3:0] CACHE_NORMAL = 4'd2;
    localparam [2:0] SECTOR_SIZE = 3'd5;  // log2 of a sector's bytes: the size of a transfer.
    localparam [2:0] SEM_MMIO = 3'd5;  // mmio
    localparam [2:0] SEM_MMIO_ACQUIRE = 3'd6;  // mmio with acquire
    localparam [2:0] SEM_MMIO_RELEASE = 3'd7;  // mmio with release
    wire [169:0] asked;
    wire [4:0]   upper;  // Whether a byte is asked for whose number has a 1 in this bit. [5 x bit]
    wire [4:0]   lower;  // Whether one is whose number has a 0 there. [5 x bit]
    reg  [4:0]   first_byte;
    wire [8:0]   came_read;
    wire [8:0]   came_write;
    reg          offers_ar_q;  // AR is still to take it.
    reg          offers_aw_q;  // AW is still to take it.
    reg          offers_w_q;  // W is still to take its data.
    reg  [169:0] request_q;
    reg  [255:0] data_q;
    reg          read_answered_q;
    reg  [8:0]   read_answer_q;
    reg  [255:0] read_data_q;
    reg          write_answered_q;
    reg  [8:0]   write_answer_q;
    wire         responses_first_ready;
    wire         responses_second_ready;
    wire         responses_valid;
    wire         responses_is_second;
    reg  [2:0]   asked_size;  // log2 of its bytes.

    // Fields of request_q (AxiRequest).
    wire [7:0]  request_id         = request_q[7:0];  // The request's id.
    wire [48:0] request_address    = request_q[56:8];  // First byte.
    wire [2:0]  request_size       = request_q[59:57];  // log2 of its bytes.
    wire [31:0] request_strobe     = request_q[91:60];  // Bytes written, or asked for.
    wire        request_mmio       = request_q[92];  // An access of .mmio.
    wire [76:0] request_attributes = request_q[169:93];  // What the request tells the memory side of its operation.

    // Fields of read_answer_q (AxiAnswer).
    wire [7:0] read_answer_id    = read_answer_q[7:0];  // The request's id.
    wire       read_answer_error = read_answer_q[8];  // The access failed.

    // Fields of write_answer_q (AxiAnswer).
    wire [7:0] write_answer_id    = write_answer_q[7:0];  // The request's id.
    wire       write_answer_error = write_answer_q[8];  // The access failed.

    // As rule DRAIN's counts, all of this outlives a reset of the unit alone.
    wire forgets = rst & rst_mem;

    // A request comes when its channels have taken the one before it, or take it at this edge.
    wire ar_waits = offers_ar_q & !m_axi_arready;  // What AR is offered, it does not take at this edge.
    wire aw_waits = offers_aw_q & !m_axi_awready;  // What AW is offered, it does not take.
    wire w_waits = offers_w_q & !m_axi_wready;  // What W is offered, it does not take.
    assign mem_req_ready = !(ar_waits | aw_waits | w_waits);
    wire takes = mem_req_valid & mem_req_ready;

    // Of .mmio, nothing but the bytes of the element may be touched: as many as there are bits in which their numbers
    // differ, doubled.
    wire is_mmio = (mem_req_sem == SEM_MMIO) | (mem_req_sem == SEM_MMIO_ACQUIRE) | (mem_req_sem == SEM_MMIO_RELEASE);
    assign upper[0] = |(mem_req_strb & 32'haaaaaaaa);
    assign upper[1] = |(mem_req_strb & 32'hcccccccc);
    assign upper[2] = |(mem_req_strb & 32'hf0f0f0f0);
    assign upper[3] = |(mem_req_strb & 32'hff00ff00);
    assign upper[4] = |(mem_req_strb & 32'hffff0000);
    assign lower[0] = |(mem_req_strb & 32'h55555555);
    assign lower[1] = |(mem_req_strb & 32'h33333333);
    assign lower[2] = |(mem_req_strb & 32'hf0f0f0f);
    assign lower[3] = |(mem_req_strb & 32'hff00ff);
    assign lower[4] = |(mem_req_strb & 32'hffff);

    always @(*) begin : asked_size_logic
        integer i;
        i = 0;
        asked_size = SECTOR_SIZE;
        if (is_mmio) begin
            asked_size = 3'd0;
            for (i = 0; i < 5; i = i + 1) begin
                if (upper[i] & lower[i]) asked_size = i[2:0] + 3'd1;
            end
        end
    end

    always @(*) begin : first_byte_logic
        integer i;
        i = 0;
        first_byte = 5'd0;
        if (is_mmio) begin
            for (i = 0; i < 5; i = i + 1) begin
                if (upper[i] & !lower[i]) first_byte[i] = 1'b1;
            end
        end
    end

    wire [48:0] asked_address = mem_req_addr | {44'd0, first_byte};  // First byte.
    wire [76:0] attributes = {mem_req_policy, mem_req_policy_en, mem_req_prefetch, mem_req_l2_evict, mem_req_cop,
      mem_req_scope, mem_req_sem};
    assign asked = {attributes, is_mmio, mem_req_strb, asked_size, asked_address, mem_req_id};

    // One beat each.
    assign m_axi_arvalid = offers_ar_q;
    assign m_axi_arid = request_id;
    assign m_axi_araddr = request_address;
    assign m_axi_arlen = 8'd0;
    assign m_axi_arsize = request_size;
    assign m_axi_arburst = BURST_INCR;
    assign m_axi_arlock = 1'b0;
    wire [3:0] cache = request_mmio ? CACHE_DEVICE : CACHE_NORMAL;
    assign m_axi_arcache = cache;
    assign m_axi_arprot = 3'd0;
    assign m_axi_arqos = 4'd0;
    assign m_axi_aruser = request_attributes;
    assign m_axi_awvalid = offers_aw_q;
    assign m_axi_awid = request_id;
    assign m_axi_awaddr = request_address;
    assign m_axi_awlen = 8'd0;
    assign m_axi_awsize = request_size;
    assign m_axi_awburst = BURST_INCR;
    assign m_axi_awlock = 1'b0;
    assign m_axi_awcache = cache;
    assign m_axi_awprot = 3'd0;
    assign m_axi_awqos = 4'd0;
    assign m_axi_awuser = request_attributes;
    assign m_axi_wvalid = offers_w_q;
    assign m_axi_wstrb = request_strobe;
    assign m_axi_wlast = 1'b1;
    assign m_axi_wdata = data_q;

    // An answer each of reads and writes is held; the next one comes at the edge at which the unit takes it.
    wire came_read_error = |m_axi_rresp;  // The access failed.
    assign came_read = {came_read_error, m_axi_rid};
    wire came_write_error = |m_axi_bresp;  // The access failed.
    assign came_write = {came_write_error, m_axi_bid};
    assign m_axi_rready = !read_answered_q | responses_first_ready;
    assign m_axi_bready = !write_answered_q | responses_second_ready;
    assign mem_rsp_valid = responses_valid;
    assign mem_rsp_id = responses_is_second ? write_answer_id : read_answer_id;
    assign mem_rsp_error = responses_is_second ? write_answer_error : read_answer_error;
    assign mem_rsp_data = read_data_q;

    lsu_arbiter responses (
        .clk          (clk),
        .rst          (forgets),
        .first_valid  (read_answered_q),
        .first_ready  (responses_first_ready),
        .second_valid (write_answered_q),
        .second_ready (responses_second_ready),
        .valid        (responses_valid),
        .is_second    (responses_is_second),
        .ready        (mem_rsp_ready)
    );

    always @(posedge clk) begin
        if (forgets) begin
            {offers_ar_q, offers_aw_q, offers_w_q, request_q, data_q, read_answered_q, read_answer_q, read_data_q,
              write_answered_q, write_answer_q} <= 705'd0;
        end else begin
            offers_ar_q <= ar_waits | (takes & !mem_req_write);
            offers_aw_q <= aw_waits | (takes & mem_req_write);
            offers_w_q <= w_waits | (takes & mem_req_write);
            if (mem_req_ready) begin
                request_q <= asked;
                data_q <= mem_req_data;
            end
            if (m_axi_rready) begin
                read_answered_q <= m_axi_rvalid;
                read_answer_q <= came_read;
                read_data_q <= m_axi_rdata;
            end
            if (m_axi_bready) begin
                write_answered_q <= m_axi_bvalid;
                write_answer_q <= came_write;
            end
        end
    end

    // Bits that nothing reads.
    wire unused = &{1'b0, m_axi_rlast};

`ifdef LSU_CONTRACTS  // What this module relies on, or promises.

    wire contract_apart = !(offers_ar_q & (offers_aw_q | offers_w_q));  // What is offered is a read or a write.
    wire contract_one_beat = !m_axi_rvalid | m_axi_rlast;  // A read is answered by one beat.

    reg contracts_begun;  // rst has been 1.
    initial contracts_begun = 1'b0;
    always @(posedge clk) begin
        contracts_begun <= contracts_begun | rst;
        if (contracts_begun && !rst) begin
            if (contract_apart !== 1'b1) begin
                $display("contract of lsu_axi_master broken in %m:",
                  " What is offered is a read or a write.");
                $stop;
            end
            if (contract_one_beat !== 1'b1) begin
                $display("contract of lsu_axi_master broken in %m:",
                  " A read is answered by one beat.");
                $stop;
            end
        end
    end
`endif
endmodule
