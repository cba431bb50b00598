// SPDX-License-Identifier: MIT OR Apache-2.0
//
// lsu 0.1.0, an open GPU load/store unit. Top module: lsu.
// Preset tiny4: LANES 4, ADDR 32 (bits of an address), MSHRs 2, slots for warps 2,
//   L1 2 sets x 2 ways x 128 bytes = 512 bytes,
//   read-only cache 2 sets x 2 ways x 128 bytes = 512 bytes,
//   constant cache 4 sets x 2 ways x 64 bytes = 512 bytes, with 2 misses.
// Written by: lsu verilog --preset tiny4
// Contracts of the blocks stand under the macro LSU_CONTRACTS: define it in simulation, and each that is
//   broken prints its sentence and stops. Synthesis needs no macro.
// Generated, do not edit: `lsu verilog` overwrites this file as long as the checksum below holds.
// No timescale is set, on purpose: there are no delays here, so that of your own files holds.
// sha256 of all other lines: 56bd121ea7849b5cf7871fefcc6c987afd58cdbdab67ecf95315659f891d2481
/* verilator lint_off DECLFILENAME */
`ifdef SYNTHESIS
`undef LSU_CONTRACTS
`endif
// lsu: The load/store unit of one multiprocessor.
module lsu (
    input  wire         clk,  // Clock.
    input  wire         rst,  // Synchronous, active high.
    input  wire         rst_mem,  // With rst: the memory side forgets its requests, too.

    // Operations, from the warp scheduler.
    input  wire         req_valid,  // From the warp scheduler: an operation is offered.
    output wire         req_ready,  // It is taken at this edge.
    input  wire [7:0]   req_tag,  // Names the operation on wdata, wb, fault, done; not reused while in flight.
    input  wire [1:0]   req_op,  // 0 load, 1 store, 2 ldc, 3 command.
    input  wire [1:0]   req_cmd,  // 0 invalidate L1, 1 read-only, 2 constant cache, 3 write back local.
    input  wire [2:0]   req_space,  // State space.
    input  wire [2:0]   req_sem,  // Memory semantics.
    input  wire [1:0]   req_scope,  // Scope.
    input  wire [2:0]   req_cop,  // Cache operator.
    input  wire [2:0]   req_l1_evict,  // L1 eviction priority.
    input  wire [1:0]   req_l2_evict,  // L2 eviction priority.
    input  wire [1:0]   req_prefetch,  // Prefetch size.
    input  wire         req_policy_en,  // req_policy counts.
    input  wire [63:0]  req_policy,  // L2 cache policy.
    input  wire         req_nc,  // Non-coherent load.
    input  wire [2:0]   req_size,  // log2 of the element's bytes; 5 to 7 are no size.
    input  wire [1:0]   req_vec,  // log2 of the element count.
    input  wire [7:0]   req_sink,  // Elements that are not written.
    input  wire         req_sign,  // Sign-extend.
    input  wire [1:0]   req_dst_width,  // Destination register: 0 16 bit, 1 32 bit, 2 64 bit.
    input  wire [7:0]   req_rd,  // First destination register; 255 is RZ.
    input  wire [3:0]   req_mask,  // Active lanes.
    input  wire [127:0] req_addr,  // Register operand of each lane. [4 x 32 bits]
    input  wire [31:0]  req_imm,  // Signed immediate; LDC uses the low 16 bits.
    input  wire [4:0]   req_bank,  // LDC: bank named by the instruction.
    input  wire [1:0]   req_mode,  // LDC: 0 IA, 1 IL, 2 IS, 3 ISL.
    input  wire         req_ra_is_rz,  // LDC: no register operand.
    input  wire [3:0]   req_wide,  // Lanes whose register operand does not fit ADDR bits: out of range.
    input  wire         req_warp,  // Slot of the warp: order is kept within it.
    // First byte of the CTA's window in shared memory, a multiple of 16 (the low four bits are not looked at).
    input  wire [9:0]   req_shared_base,
    // Bytes of that window, a multiple of 16 (the low four bits are not looked at).
    input  wire [9:0]   req_shared_size,

    // Data of stores.
    input  wire         wdata_valid,  // Store data is offered.
    output wire         wdata_ready,  // It is taken at this edge.
    input  wire [7:0]   wdata_tag,  // The tag of the store that it belongs to.
    input  wire [127:0] wdata_data,  // Store data of each lane. [4 x 32 bits]

    // Results, to the register file.
    output wire         wb_valid,  // To the register file: one register of a warp is offered; held until wb_ready.
    input  wire         wb_ready,  // It is taken at this edge.
    output wire [7:0]   wb_tag,  // Its operation.
    output wire [7:0]   wb_rd,  // The register.
    output wire [3:0]   wb_mask,  // Lanes written.
    output reg  [127:0] wb_data,  // Values; 0 in lanes that are not written. [4 x 32 bits]
    output wire         wb_last,  // Ends the operation.

    // Fault records.
    output wire         fault_valid,  // A fault record is offered; held until fault_ready.
    input  wire         fault_ready,  // It is taken at this edge.
    output wire [7:0]   fault_tag,  // Its operation.
    // 1 misaligned_register, 2 illegal_instruction, 3 misaligned_address, 4 address_out_of_range, 5 memory_error.
    output wire [2:0]   fault_cause,
    output wire [3:0]   fault_lanes,  // Every faulting lane.
    output wire [31:0]  fault_addr,  // Address of the lowest faulting lane.

    // Stores and commands that have taken effect.
    output wire         done_valid,  // A store or command has taken effect; held until done_ready.
    input  wire         done_ready,  // It is taken at this edge.
    output wire [7:0]   done_tag,  // Its tag.

    // Memory side.
    output wire         mem_req_valid,  // Memory side: a 32-byte sector request is offered; held until mem_req_ready.
    input  wire         mem_req_ready,  // It is taken at this edge.
    output wire [7:0]   mem_req_id,  // Returned with the response.
    output wire         mem_req_write,  // Write instead of read.
    output wire [31:0]  mem_req_addr,  // Sector-aligned byte address.
    output wire [31:0]  mem_req_strb,  // Bytes written, or asked for.
    output reg  [255:0] mem_req_data,  // Write data, word 0 lowest. [8 x 32 bits]
    output wire [1:0]   mem_req_l2_evict,  // L2 eviction priority.
    output wire         mem_req_policy_en,  // The policy counts.
    output wire [63:0]  mem_req_policy,  // L2 cache policy.
    output wire [1:0]   mem_req_prefetch,  // Prefetch size.
    output wire [2:0]   mem_req_cop,  // Cache operator.
    output wire [2:0]   mem_req_sem,  // Memory semantics.
    output wire [1:0]   mem_req_scope,  // Scope.
    input  wire         mem_rsp_valid,  // Memory side: a sector came back, in any order, in any later cycle.
    output wire         mem_rsp_ready,  // It is taken at this edge.
    input  wire [7:0]   mem_rsp_id,  // The request's id.
    input  wire [255:0] mem_rsp_data,  // The sector, word 0 lowest. [8 x 32 bits]
    input  wire         mem_rsp_error,  // The access failed; the data means nothing.

    // Cluster network.
    // Cluster network: a 32-byte sector request is offered; held until cluster_req_ready.
    output wire         cluster_req_valid,
    input  wire         cluster_req_ready,  // It is taken at this edge.
    output wire [5:0]   cluster_req_id,  // Returned with the response.
    output wire         cluster_req_write,  // Write instead of read.
    output wire [31:0]  cluster_req_addr,  // Sector-aligned byte offset in the window of that CTA.
    output wire [31:0]  cluster_req_strb,  // Bytes written, or asked for.
    output wire [255:0] cluster_req_data,  // Write data, word 0 lowest. [8 x 32 bits]
    output wire [1:0]   cluster_req_l2_evict,  // L2 eviction priority.
    output wire         cluster_req_policy_en,  // The policy counts.
    output wire [63:0]  cluster_req_policy,  // L2 cache policy.
    output wire [1:0]   cluster_req_prefetch,  // Prefetch size.
    output wire [2:0]   cluster_req_cop,  // Cache operator.
    output wire [2:0]   cluster_req_sem,  // Memory semantics.
    output wire [1:0]   cluster_req_scope,  // Scope.
    output wire [7:0]   cluster_req_rank,  // Rank of the CTA that owns the address.
    input  wire         cluster_rsp_valid,  // Cluster network: a sector came back, in any order, in any later cycle.
    output wire         cluster_rsp_ready,  // It is taken at this edge.
    input  wire [5:0]   cluster_rsp_id,  // The request's id.
    input  wire [255:0] cluster_rsp_data,  // The sector, word 0 lowest. [8 x 32 bits]
    input  wire         cluster_rsp_error,  // The access failed; the data means nothing.

    // Requests of the other CTAs of the cluster.
    // Cluster network: another CTA's request for a sector of this unit's shared memory; held until serve_req_ready.
    input  wire         serve_req_valid,
    output wire         serve_req_ready,  // It is taken at this edge.
    input  wire [5:0]   serve_req_id,  // Returned with the response.
    input  wire [7:0]   serve_req_rank,  // Rank of the CTA that asks; returned with the response.
    input  wire         serve_req_write,  // Write instead of read.
    input  wire [31:0]  serve_req_addr,  // Byte offset in the window of the CTA; the low five bits are not looked at.
    input  wire [31:0]  serve_req_strb,  // Bytes written; of a read, not looked at.
    input  wire [255:0] serve_req_data,  // Write data, word 0 lowest. [8 x 32 bits]
    // Cluster network: the response to a request of another CTA is offered; held until serve_rsp_ready.
    output wire         serve_rsp_valid,
    input  wire         serve_rsp_ready,  // It is taken at this edge.
    output wire [5:0]   serve_rsp_id,  // The request's id.
    output wire [7:0]   serve_rsp_rank,  // The CTA that asked.
    output wire [255:0] serve_rsp_data,  // The sector, word 0 lowest; 0 for a write and for an error. [8 x 32 bits]
    output wire         serve_rsp_error,  // The address lies beyond the window; nothing was written.

    // Configuration.
    // Writes one entry of the constant-bank table; only while no operation is in flight.
    input  wire         cfg_bank_write,
    input  wire [4:0]   cfg_bank_index,  // Entry, 0 to 17.
    input  wire [31:0]  cfg_bank_base,  // Byte address of the bank in memory, a multiple of 64.
    input  wire [16:0]  cfg_bank_size,  // Bytes, a multiple of 16, at most 65,536.
    input  wire         cfg_bank_valid,  // The entry may be used.
    input  wire         cfg_compute,  // 1 compute mode (8 banks), 0 graphics mode (18 banks).
    // Generic window of shared memory: first byte, a multiple of 16 (the low four bits are not looked at).
    input  wire [31:0]  cfg_shared_base,
    input  wire [31:0]  cfg_shared_size,  // Its bytes.
    // Generic window of local memory: first byte, a multiple of 16 (the low four bits are not looked at).
    input  wire [31:0]  cfg_local_base,
    // Its bytes, and those of each thread's local memory, a multiple of 16 (the low four bits are not looked at).
    input  wire [31:0]  cfg_local_size,
    // Where local memory lies in memory, a multiple of the least power of two that holds LANES x slots x cfg_local_size
    // bytes (the low seven bits are not looked at).
    input  wire [31:0]  cfg_local_memory,
    // Generic window of constant memory: first byte, a multiple of 16 (the low four bits are not looked at).
    input  wire [31:0]  cfg_const_base,
    input  wire [31:0]  cfg_const_size,  // Its bytes, a multiple of 16 (the low four bits are not looked at).
    // Generic window of kernel parameters: first byte, a multiple of 16 (the low four bits are not looked at).
    input  wire [31:0]  cfg_param_base,
    input  wire [31:0]  cfg_param_size,  // Its bytes, a multiple of 16 (the low four bits are not looked at).
    // Where kernel parameters begin in bank 0, a multiple of 16 (the low four bits are not looked at).
    input  wire [15:0]  cfg_param_offset,
    // First byte of the window of the CTA with rank cfg_rank, as others see it, a multiple of 32 (the low five bits are
    // not looked at).
    input  wire [9:0]   cfg_cluster_base,
    input  wire [9:0]   cfg_cluster_size,  // Its bytes, a multiple of 16 (the low four bits are not looked at).
    input  wire [7:0]   cfg_rank,  // Own CTA rank in the cluster.

    // Status.
    output wire         status_ldc_unpredictable,  // Sticky: a lane used bank 8 or more in compute mode.
    output wire         status_cfg_refused,  // Sticky: a bank-table write was refused.
    // Sticky: a beat of store data was taken for a store of another tag than wdata_tag.
    output wire         status_wdata_wrong_tag,
    // Memory has refused a sector of local memory that was written back; sticky until reset.
    output wire         status_write_back_error,
    output wire         status_idle,  // Nothing is in flight in this cycle.
    output wire [31:0]  status_ldc_passes,  // Passes of the constant cache issued; wraps.
    output wire [31:0]  status_ldc_hits,  // Passes that hit; wraps.
    output wire [31:0]  status_ldc_misses,  // Passes that missed; wraps.
    output wire [31:0]  status_l1_hits,  // Sectors that hit L1; wraps.
    output wire [31:0]  status_l1_misses,  // Sectors that missed L1; wraps.
    output wire [31:0]  status_ro_hits,  // Sectors that hit the read-only cache; wraps.
    output wire [31:0]  status_ro_misses,  // Sectors that missed the read-only cache; wraps.
    output wire [31:0]  status_wavefronts,  // Passes of loads and stores issued; wraps.
    output wire [31:0]  status_replays,  // Passes after their operation's first; wraps.
    output wire [31:0]  status_sectors_read,  // Sectors that the global path asked the memory side for; wraps.
    output wire [31:0]  status_sectors_written,  // Sectors written; wraps.
    output wire [31:0]  status_stall_order,  // Cycles in which a pass waited for what comes before it; wraps.
    // Cycles in which a pass waited for a waiter, an MSHR, a way or a write-back; wraps.
    output wire [31:0]  status_stall_misses,
    output wire [31:0]  status_stall_data,  // Cycles in which a pass waited for the next place; wraps.
    output wire [31:0]  status_stall_memory  // Cycles in which a memory request waited; wraps.
);
    localparam [1:0] CMD_INVALIDATE_CONST = 2'd2;  // invalidate the constant cache
    localparam [1:0] OP_LOAD = 2'd0;  // load
    localparam [1:0] OP_STORE = 2'd1;  // store
    localparam [1:0] OP_LDC = 2'd2;  // load of a constant bank
    localparam [1:0] OP_COMMAND = 2'd3;  // command
    localparam [2:0] SPACE_CONST = 3'd5;  // constant memory
    localparam [2:0] SPACE_PARAM_ENTRY = 3'd6;  // parameters of the kernel
    wire         intake_req_ready;
    wire         intake_valid;
    wire [50:0]  intake_operation;
    wire [3:0]   intake_misaligned_lanes;
    wire [3:0]   intake_outside_lanes;
    wire [3:0]   intake_beyond_lanes;
    wire [3:0]   intake_unpredictable;
    wire [127:0] intake_address;
    wire [19:0]  intake_bank;
    wire         group_in_ready;
    wire         group_valid;
    wire [50:0]  group_operation;
    wire [3:0]   group_leaders;
    wire [127:0] group_address;
    wire [19:0]  group_bank;
    wire         group_unpredictable;
    wire         cache_in_ready;
    wire         cache_in_follows;
    wire         cache_data_ready;
    wire         cache_cfg_takes;
    wire         cache_cfg_refused;
    wire         cache_idle;
    wire         cache_mem_req_valid;
    wire [5:0]   cache_mem_req_id;
    wire [31:0]  cache_mem_req_addr;
    wire         cache_mem_rsp_ready;
    wire         cache_wb_valid;
    wire [20:0]  cache_wb;
    wire [127:0] cache_wb_data;
    wire         cache_fault_valid;
    wire [46:0]  cache_fault;
    wire         cache_done_valid;
    wire [7:0]   cache_done_tag;
    wire [31:0]  cache_passes;
    wire [31:0]  cache_hits;
    wire [31:0]  cache_misses;
    wire         unpredictable_value;
    wire         wrong_tag_value;
    wire         write_back_error_value;
    wire         global_path_req_ready;
    wire [143:0] global_path_req;
    wire [127:0] global_path_window_base;
    wire [127:0] global_path_window_size;
    wire         global_path_wdata_ready;
    wire         global_path_wrong_tag;
    wire         global_path_wb_valid;
    wire [20:0]  global_path_wb;
    wire [127:0] global_path_wb_data;
    wire         global_path_fault_valid;
    wire [46:0]  global_path_fault;
    wire         global_path_done_valid;
    wire [7:0]   global_path_done_tag;
    wire         global_path_mem_req_valid;
    wire [7:0]   global_path_mem_req_id;
    wire         global_path_mem_req_write;
    wire [31:0]  global_path_mem_req_addr;
    wire [31:0]  global_path_mem_req_strb;
    wire [255:0] global_path_mem_req_data;
    wire [76:0]  global_path_mem_req_attributes;
    wire         global_path_mem_rsp_blocked;
    wire         global_path_cluster_req_valid;
    wire [5:0]   global_path_cluster_req_id;
    wire         global_path_cluster_req_write;
    wire [31:0]  global_path_cluster_req_addr;
    wire [7:0]   global_path_cluster_req_rank;
    wire [31:0]  global_path_cluster_req_strb;
    wire [255:0] global_path_cluster_req_data;
    wire [76:0]  global_path_cluster_req_attributes;
    wire         global_path_cluster_rsp_ready;
    wire         global_path_serve_req_ready;
    wire         global_path_serve_rsp_valid;
    wire [5:0]   global_path_serve_rsp_id;
    wire [7:0]   global_path_serve_rsp_rank;
    wire [255:0] global_path_serve_rsp_data;
    wire         global_path_serve_rsp_error;
    wire         global_path_write_back_error;
    wire         global_path_idle;
    wire [383:0] global_path_counts;
    wire         wb_arbiter_first_ready;
    wire         wb_arbiter_second_ready;
    wire         wb_arbiter_valid;
    wire         wb_arbiter_is_second;
    wire         fault_arbiter_first_ready;
    wire         fault_arbiter_second_ready;
    wire         fault_arbiter_valid;
    wire         fault_arbiter_is_second;
    wire         done_arbiter_first_ready;
    wire         done_arbiter_second_ready;
    wire         done_arbiter_valid;
    wire         done_arbiter_is_second;
    wire         memory_arbiter_first_ready;
    wire         memory_arbiter_second_ready;
    wire         memory_arbiter_valid;
    wire         memory_arbiter_is_second;
    wire         drain_mem_req_valid;
    wire         drain_sends;
    wire         drain_answers;
    wire         drain_mem_rsp_ready;
    wire         drain_cluster_req_valid;
    wire         drain_cluster_sends;
    wire         drain_cluster_answers;
    wire         drain_cluster_rsp_ready;
    wire         drain_drains;

    // Fields of cache_wb (Writeback).
    wire [7:0] cache_wb_tag  = cache_wb[7:0];  // Its operation.
    wire [7:0] cache_wb_rd   = cache_wb[15:8];  // The register.
    wire [3:0] cache_wb_mask = cache_wb[19:16];  // Lanes written.
    wire       cache_wb_last = cache_wb[20];  // Ends the operation.

    // Fields of cache_fault (FaultRecord).
    wire [7:0]  cache_fault_tag     = cache_fault[7:0];  // Its operation.
    wire [2:0]  cache_fault_cause   = cache_fault[10:8];  // Why.
    wire [3:0]  cache_fault_lanes   = cache_fault[14:11];  // Every faulting lane.
    wire [31:0] cache_fault_address = cache_fault[46:15];  // Address of the lowest.

    // Fields of global_path_wb (Writeback).
    wire [7:0] global_path_wb_tag  = global_path_wb[7:0];  // Its operation.
    wire [7:0] global_path_wb_rd   = global_path_wb[15:8];  // The register.
    wire [3:0] global_path_wb_mask = global_path_wb[19:16];  // Lanes written.
    wire       global_path_wb_last = global_path_wb[20];  // Ends the operation.

    // Fields of global_path_fault (FaultRecord).
    wire [7:0]  global_path_fault_tag     = global_path_fault[7:0];  // Its operation.
    wire [2:0]  global_path_fault_cause   = global_path_fault[10:8];  // Why.
    wire [3:0]  global_path_fault_lanes   = global_path_fault[14:11];  // Every faulting lane.
    wire [31:0] global_path_fault_address = global_path_fault[46:15];  // Address of the lowest.

    // Fields of global_path_mem_req_attributes (RequestAttributes).
    wire [2:0]  global_path_mem_req_attributes_sem       = global_path_mem_req_attributes[2:0];  // Memory semantics.
    wire [1:0]  global_path_mem_req_attributes_scope     = global_path_mem_req_attributes[4:3];  // Scope.
    wire [2:0]  global_path_mem_req_attributes_cop       = global_path_mem_req_attributes[7:5];  // Cache operator.
    // L2 eviction priority.
    wire [1:0]  global_path_mem_req_attributes_l2_evict  = global_path_mem_req_attributes[9:8];
    wire [1:0]  global_path_mem_req_attributes_prefetch  = global_path_mem_req_attributes[11:10];  // Prefetch size.
    wire        global_path_mem_req_attributes_policy_en = global_path_mem_req_attributes[12];  // The policy counts.
    wire [63:0] global_path_mem_req_attributes_policy    = global_path_mem_req_attributes[76:13];  // L2 cache policy.

    // Fields of global_path_cluster_req_attributes (RequestAttributes).
    // Memory semantics.
    wire [2:0]  global_path_cluster_req_attributes_sem       = global_path_cluster_req_attributes[2:0];
    wire [1:0]  global_path_cluster_req_attributes_scope     = global_path_cluster_req_attributes[4:3];  // Scope.
    // Cache operator.
    wire [2:0]  global_path_cluster_req_attributes_cop       = global_path_cluster_req_attributes[7:5];
    // L2 eviction priority.
    wire [1:0]  global_path_cluster_req_attributes_l2_evict  = global_path_cluster_req_attributes[9:8];
    // Prefetch size.
    wire [1:0]  global_path_cluster_req_attributes_prefetch  = global_path_cluster_req_attributes[11:10];
    // The policy counts.
    wire        global_path_cluster_req_attributes_policy_en = global_path_cluster_req_attributes[12];
    // L2 cache policy.
    wire [63:0] global_path_cluster_req_attributes_policy    = global_path_cluster_req_attributes[76:13];

    // Fields of global_path_counts (Counts).
    wire [31:0] global_path_counts_l1_hits         = global_path_counts[31:0];  // Sectors that hit L1.
    wire [31:0] global_path_counts_l1_misses       = global_path_counts[63:32];  // Sectors that missed L1.
    // Sectors that hit the read-only cache.
    wire [31:0] global_path_counts_ro_hits         = global_path_counts[95:64];
    wire [31:0] global_path_counts_ro_misses       = global_path_counts[127:96];  // Sectors that missed it.
    wire [31:0] global_path_counts_wavefronts      = global_path_counts[159:128];  // Passes issued.
    // Passes after their operation's first.
    wire [31:0] global_path_counts_replays         = global_path_counts[191:160];
    wire [31:0] global_path_counts_sectors_read    = global_path_counts[223:192];  // Sectors read.
    wire [31:0] global_path_counts_sectors_written = global_path_counts[255:224];  // Sectors written.
    // Cycles in which tag waited for what comes before it.
    wire [31:0] global_path_counts_stall_order     = global_path_counts[287:256];
    // Cycles in which tag waited for a waiter, an MSHR, a way or a write-back.
    wire [31:0] global_path_counts_stall_misses    = global_path_counts[319:288];
    // Cycles in which tag waited for the next place.
    wire [31:0] global_path_counts_stall_data      = global_path_counts[351:320];
    // Cycles in which a memory request waited.
    wire [31:0] global_path_counts_stall_memory    = global_path_counts[383:352];

    // Rule PATH. The constant cache's intake.
    wire to_constant = (req_op == OP_LDC) | ((req_op == OP_LOAD) &
      ((req_space == SPACE_CONST) | (req_space == SPACE_PARAM_ENTRY))) |
      ((req_op == OP_COMMAND) & (req_cmd == CMD_INVALIDATE_CONST));
    wire intake_req_valid = req_valid & to_constant;
    wire global_path_req_valid = req_valid & !to_constant;
    wire [93:0] intake_req = {req_ra_is_rz, req_mode, req_bank, req_imm, req_wide, req_mask, req_rd, req_dst_width,
      req_sign, req_sink, req_vec, req_size, req_nc, req_cop, req_sem, req_space, req_cmd, req_op, req_tag};
    assign req_ready = to_constant ? intake_req_ready : global_path_req_ready;
    wire global_path_req_is_store = req_op == OP_STORE;  // Store.
    wire global_path_req_is_command = req_op == OP_COMMAND;  // Command.

    // Decoded in place intake.
    wire [1:0] global_path_req_element_registers = 2'd0;  // log2 of the registers of an element.
    wire [1:0] global_path_req_unit = 2'd0;  // log2 of the bytes that one register moves, at most 4.
    wire global_path_req_extended = 1'b0;  // An element of at most 32 bits fills two registers.
    wire global_path_req_two_reads = 1'b0;  // Two reads (or none for a store): the total is 32 bytes.
    wire [1:0] global_path_req_last_word = 2'd0;  // Number of the last word of 4 bytes of each lane: 0, 1 or 3.
    wire [3:0] global_path_req_sunk_words = 4'd0;  // Words of a load of which every element is sunk.
    wire global_path_req_mmio = 1'b0;  // One transaction for each lane.
    wire global_path_req_ordered = 1'b0;  // A store, or a load that is strong or has operator cv.
    wire global_path_req_looked_up = 1'b0;  // A load that may be served by a cache.
    wire global_path_req_kept = 1'b0;  // A looked-up load whose misses are kept.
    wire global_path_req_acquire = 1'b0;  // A load before which L1 is stale.
    wire global_path_req_release = 1'b0;  // A store that waits for everything before it.
    wire global_path_req_touches = 1'b0;  // Renews age and class of its line.
    wire global_path_req_evict_first = 1'b0;  // Its line is evict_first.
    wire global_path_req_evict_last = 1'b0;  // Its line is evict_last.
    wire global_path_req_is_local = 1'b0;  // The pass's lanes are local.
    // Operator cs or lu; from issue on, too: the pass is a local load that reads words whole for the last time.
    wire global_path_req_last_use = 1'b0;
    wire [1:0] global_path_req_word = 2'd0;  // Number of the word of a local pass; else 0.
    assign global_path_req = {global_path_req_last_use, global_path_req_word, global_path_req_is_local,
      global_path_req_evict_last, global_path_req_evict_first, global_path_req_touches, global_path_req_release,
      global_path_req_acquire, global_path_req_kept, global_path_req_looked_up, global_path_req_ordered,
      global_path_req_mmio, global_path_req_sunk_words, global_path_req_last_word, global_path_req_two_reads,
      global_path_req_unit, global_path_req_element_registers, global_path_req_extended, req_warp, req_rd, req_sign,
      req_sink, req_vec, req_size, req_nc, req_policy, req_policy_en, req_prefetch, req_l2_evict, req_l1_evict, req_cop,
      req_scope, req_sem, req_space, req_cmd, global_path_req_is_command, global_path_req_is_store, req_tag};
    assign wdata_ready = global_path_wdata_ready;
    assign global_path_window_base[31:0] = cfg_shared_base;
    assign global_path_window_base[63:32] = cfg_local_base;
    assign global_path_window_base[95:64] = cfg_const_base;
    assign global_path_window_base[127:96] = cfg_param_base;
    assign global_path_window_size[31:0] = cfg_shared_size;
    assign global_path_window_size[63:32] = cfg_local_size;
    assign global_path_window_size[95:64] = cfg_const_size;
    assign global_path_window_size[127:96] = cfg_param_size;

    // Results of both paths.
    assign wb_valid = wb_arbiter_valid;
    assign fault_valid = fault_arbiter_valid;
    assign done_valid = done_arbiter_valid;
    assign wb_tag = wb_arbiter_is_second ? global_path_wb_tag : cache_wb_tag;
    assign wb_rd = wb_arbiter_is_second ? global_path_wb_rd : cache_wb_rd;
    assign wb_mask = wb_arbiter_is_second ? global_path_wb_mask : cache_wb_mask;
    assign wb_last = wb_arbiter_is_second ? global_path_wb_last : cache_wb_last;

    always @(*) begin : wb_data_logic
        integer i;
        for (i = 0; i < 4; i = i + 1) begin
            wb_data[i * 32 +: 32] = cache_wb_data[i * 32 +: 32];
            if (wb_arbiter_is_second) wb_data[i * 32 +: 32] = global_path_wb_data[i * 32 +: 32];
        end
    end

    assign fault_tag = fault_arbiter_is_second ? global_path_fault_tag : cache_fault_tag;
    assign fault_cause = fault_arbiter_is_second ? global_path_fault_cause : cache_fault_cause;
    assign fault_lanes = fault_arbiter_is_second ? global_path_fault_lanes : cache_fault_lanes;
    assign fault_addr = fault_arbiter_is_second ? global_path_fault_address : cache_fault_address;
    assign done_tag = done_arbiter_is_second ? global_path_done_tag : cache_done_tag;

    // Memory side: fills of the constant cache ask for whole sectors and carry no attributes.
    assign mem_req_valid = drain_mem_req_valid;
    wire global_path_stalls_memory = drain_mem_req_valid & !mem_req_ready;
    assign mem_req_id = memory_arbiter_is_second ? global_path_mem_req_id : {2'd0, cache_mem_req_id};
    assign mem_req_write = memory_arbiter_is_second ? global_path_mem_req_write : 1'b0;
    assign mem_req_addr = memory_arbiter_is_second ? global_path_mem_req_addr : cache_mem_req_addr;
    assign mem_req_strb = memory_arbiter_is_second ? global_path_mem_req_strb : 32'hffffffff;
    assign mem_req_l2_evict = memory_arbiter_is_second ? global_path_mem_req_attributes_l2_evict : 2'd0;
    assign mem_req_policy_en = memory_arbiter_is_second ? global_path_mem_req_attributes_policy_en : 1'b0;
    assign mem_req_policy = memory_arbiter_is_second ? global_path_mem_req_attributes_policy : 64'd0;
    assign mem_req_prefetch = memory_arbiter_is_second ? global_path_mem_req_attributes_prefetch : 2'd0;
    assign mem_req_cop = memory_arbiter_is_second ? global_path_mem_req_attributes_cop : 3'd0;
    assign mem_req_sem = memory_arbiter_is_second ? global_path_mem_req_attributes_sem : 3'd0;
    assign mem_req_scope = memory_arbiter_is_second ? global_path_mem_req_attributes_scope : 2'd0;
    wire from_global = |mem_rsp_id[7:6];
    wire cache_mem_rsp_valid = drain_answers & !from_global & !global_path_mem_rsp_blocked;
    wire global_path_mem_rsp_valid = drain_answers & from_global;
    wire drain_takes = !global_path_mem_rsp_blocked & (from_global | cache_mem_rsp_ready);
    assign mem_rsp_ready = drain_mem_rsp_ready;
    wire [5:0] cache_mem_rsp_id = mem_rsp_id[5:0];

    always @(*) begin : mem_req_data_logic
        integer i;
        for (i = 0; i < 8; i = i + 1) begin
            mem_req_data[i * 32 +: 32] = 32'd0;
            if (memory_arbiter_is_second) mem_req_data[i * 32 +: 32] = global_path_mem_req_data[i * 32 +: 32];
        end
    end

    // Cluster network.
    assign cluster_req_valid = drain_cluster_req_valid;
    assign cluster_req_id = global_path_cluster_req_id;
    assign cluster_req_write = global_path_cluster_req_write;
    assign cluster_req_addr = global_path_cluster_req_addr;
    assign cluster_req_strb = global_path_cluster_req_strb;
    assign cluster_req_data = global_path_cluster_req_data;
    assign cluster_req_l2_evict = global_path_cluster_req_attributes_l2_evict;
    assign cluster_req_policy_en = global_path_cluster_req_attributes_policy_en;
    assign cluster_req_policy = global_path_cluster_req_attributes_policy;
    assign cluster_req_prefetch = global_path_cluster_req_attributes_prefetch;
    assign cluster_req_cop = global_path_cluster_req_attributes_cop;
    assign cluster_req_sem = global_path_cluster_req_attributes_sem;
    assign cluster_req_scope = global_path_cluster_req_attributes_scope;
    assign cluster_req_rank = global_path_cluster_req_rank;
    assign cluster_rsp_ready = drain_cluster_rsp_ready;
    assign serve_req_ready = global_path_serve_req_ready;
    assign serve_rsp_valid = global_path_serve_rsp_valid;
    assign serve_rsp_id = global_path_serve_rsp_id;
    assign serve_rsp_rank = global_path_serve_rsp_rank;
    assign serve_rsp_data = global_path_serve_rsp_data;
    assign serve_rsp_error = global_path_serve_rsp_error;

    // Configuration and status.
    // A write of the bank table, which both paths look at.
    wire [55:0] bank_write = {cfg_bank_valid, cfg_bank_size, cfg_bank_base, cfg_bank_index, cfg_bank_write};
    assign status_ldc_unpredictable = unpredictable_value;
    assign status_cfg_refused = cache_cfg_refused;
    assign status_wdata_wrong_tag = wrong_tag_value;
    assign status_write_back_error = write_back_error_value;
    assign status_idle = !intake_valid & !group_valid & cache_idle & global_path_idle & !drain_drains;
    assign status_ldc_passes = cache_passes;
    assign status_ldc_hits = cache_hits;
    assign status_ldc_misses = cache_misses;
    assign status_l1_hits = global_path_counts_l1_hits;
    assign status_l1_misses = global_path_counts_l1_misses;
    assign status_ro_hits = global_path_counts_ro_hits;
    assign status_ro_misses = global_path_counts_ro_misses;
    assign status_wavefronts = global_path_counts_wavefronts;
    assign status_replays = global_path_counts_replays;
    assign status_sectors_read = global_path_counts_sectors_read;
    assign status_sectors_written = global_path_counts_sectors_written;
    assign status_stall_order = global_path_counts_stall_order;
    assign status_stall_misses = global_path_counts_stall_misses;
    assign status_stall_data = global_path_counts_stall_data;
    assign status_stall_memory = global_path_counts_stall_memory;

    // intake to group, group to issue: what is in group makes room for the next.
    lsu_intake intake (
        .clk              (clk),
        .rst              (rst),
        .req_valid        (intake_req_valid),
        .req_ready        (intake_req_ready),
        .req              (intake_req),
        .req_addr         (req_addr),
        .compute          (cfg_compute),
        .param_offset     (cfg_param_offset),
        .valid            (intake_valid),
        .next_ready       (group_in_ready),
        .next_follows     (cache_in_follows),
        .data_ready       (cache_data_ready),
        .operation        (intake_operation),
        .misaligned_lanes (intake_misaligned_lanes),
        .outside_lanes    (intake_outside_lanes),
        .beyond_lanes     (intake_beyond_lanes),
        .unpredictable    (intake_unpredictable),
        .address          (intake_address),
        .bank             (intake_bank)
    );

    lsu_lane_groups group (
        .clk                 (clk),
        .rst                 (rst),
        .in_valid            (intake_valid),
        .in_ready            (group_in_ready),
        .in_operation        (intake_operation),
        .in_misaligned_lanes (intake_misaligned_lanes),
        .in_outside_lanes    (intake_outside_lanes),
        .in_beyond_lanes     (intake_beyond_lanes),
        .in_unpredictable    (intake_unpredictable),
        .in_address          (intake_address),
        .in_bank             (intake_bank),
        .valid               (group_valid),
        .next_ready          (cache_in_ready),
        .next_follows        (cache_in_follows),
        .data_ready          (cache_data_ready),
        .operation           (group_operation),
        .leaders             (group_leaders),
        .address             (group_address),
        .bank                (group_bank),
        .unpredictable       (group_unpredictable)
    );

    lsu_constant_cache cache (
        .clk           (clk),
        .rst           (rst),
        .in_valid      (group_valid),
        .in_ready      (cache_in_ready),
        .in_follows    (cache_in_follows),
        .in_operation  (group_operation),
        .in_leaders    (group_leaders),
        .in_address    (group_address),
        .in_bank       (group_bank),
        .data_ready    (cache_data_ready),
        .cfg_bank      (bank_write),
        .cfg_takes     (cache_cfg_takes),
        .cfg_refused   (cache_cfg_refused),
        .idle          (cache_idle),
        .mem_req_valid (cache_mem_req_valid),
        .mem_req_ready (memory_arbiter_first_ready),
        .mem_req_id    (cache_mem_req_id),
        .mem_req_addr  (cache_mem_req_addr),
        .mem_rsp_valid (cache_mem_rsp_valid),
        .mem_rsp_ready (cache_mem_rsp_ready),
        .mem_rsp_id    (cache_mem_rsp_id),
        .mem_rsp_data  (mem_rsp_data),
        .mem_rsp_error (mem_rsp_error),
        .wb_valid      (cache_wb_valid),
        .wb_ready      (wb_arbiter_first_ready),
        .wb            (cache_wb),
        .wb_data       (cache_wb_data),
        .fault_valid   (cache_fault_valid),
        .fault_ready   (fault_arbiter_first_ready),
        .fault         (cache_fault),
        .done_valid    (cache_done_valid),
        .done_ready    (done_arbiter_first_ready),
        .done_tag      (cache_done_tag),
        .passes        (cache_passes),
        .hits          (cache_hits),
        .misses        (cache_misses)
    );

    lsu_sticky unpredictable (
        .clk   (clk),
        .rst   (rst),
        .set   (group_unpredictable),
        .value (unpredictable_value)
    );

    lsu_sticky wrong_tag (
        .clk   (clk),
        .rst   (rst),
        .set   (global_path_wrong_tag),
        .value (wrong_tag_value)
    );

    lsu_sticky write_back_error (
        .clk   (clk),
        .rst   (rst),
        .set   (global_path_write_back_error),
        .value (write_back_error_value)
    );

    lsu_global_path global_path (
        .clk                    (clk),
        .rst                    (rst),
        .req_valid              (global_path_req_valid),
        .req_ready              (global_path_req_ready),
        .req                    (global_path_req),
        .req_dst_width          (req_dst_width),
        .req_mask               (req_mask),
        .req_wide               (req_wide),
        .req_addr               (req_addr),
        .req_imm                (req_imm),
        .window_base            (global_path_window_base),
        .window_size            (global_path_window_size),
        .req_shared_base        (req_shared_base),
        .req_shared_size        (req_shared_size),
        .cluster_rank           (cfg_rank),
        .param_offset           (cfg_param_offset),
        .bank_writes            (cache_cfg_takes),
        .bank_write             (bank_write),
        .wdata_valid            (wdata_valid),
        .wdata_ready            (global_path_wdata_ready),
        .wdata_tag              (wdata_tag),
        .wrong_tag              (global_path_wrong_tag),
        .wdata_data             (wdata_data),
        .wb_valid               (global_path_wb_valid),
        .wb_ready               (wb_arbiter_second_ready),
        .wb                     (global_path_wb),
        .wb_data                (global_path_wb_data),
        .fault_valid            (global_path_fault_valid),
        .fault_ready            (fault_arbiter_second_ready),
        .fault                  (global_path_fault),
        .done_valid             (global_path_done_valid),
        .done_ready             (done_arbiter_second_ready),
        .done_tag               (global_path_done_tag),
        .mem_req_valid          (global_path_mem_req_valid),
        .mem_req_ready          (memory_arbiter_second_ready),
        .mem_req_id             (global_path_mem_req_id),
        .mem_req_write          (global_path_mem_req_write),
        .mem_req_addr           (global_path_mem_req_addr),
        .mem_req_strb           (global_path_mem_req_strb),
        .mem_req_data           (global_path_mem_req_data),
        .mem_req_attributes     (global_path_mem_req_attributes),
        .mem_rsp_valid          (global_path_mem_rsp_valid),
        .mem_rsp_blocked        (global_path_mem_rsp_blocked),
        .mem_rsp_id             (mem_rsp_id),
        .mem_rsp_data           (mem_rsp_data),
        .mem_rsp_error          (mem_rsp_error),
        .cluster_req_valid      (global_path_cluster_req_valid),
        .cluster_req_ready      (drain_cluster_sends),
        .cluster_req_id         (global_path_cluster_req_id),
        .cluster_req_write      (global_path_cluster_req_write),
        .cluster_req_addr       (global_path_cluster_req_addr),
        .cluster_req_rank       (global_path_cluster_req_rank),
        .cluster_req_strb       (global_path_cluster_req_strb),
        .cluster_req_data       (global_path_cluster_req_data),
        .cluster_req_attributes (global_path_cluster_req_attributes),
        .cluster_rsp_valid      (drain_cluster_answers),
        .cluster_rsp_ready      (global_path_cluster_rsp_ready),
        .cluster_rsp_id         (cluster_rsp_id),
        .cluster_rsp_data       (cluster_rsp_data),
        .cluster_rsp_error      (cluster_rsp_error),
        .serve_req_valid        (serve_req_valid),
        .serve_req_ready        (global_path_serve_req_ready),
        .serve_req_id           (serve_req_id),
        .serve_req_rank         (serve_req_rank),
        .serve_req_write        (serve_req_write),
        .serve_req_addr         (serve_req_addr),
        .serve_req_strb         (serve_req_strb),
        .serve_req_data         (serve_req_data),
        .serve_rsp_valid        (global_path_serve_rsp_valid),
        .serve_rsp_ready        (serve_rsp_ready),
        .serve_rsp_id           (global_path_serve_rsp_id),
        .serve_rsp_rank         (global_path_serve_rsp_rank),
        .serve_rsp_data         (global_path_serve_rsp_data),
        .serve_rsp_error        (global_path_serve_rsp_error),
        .cluster_base           (cfg_cluster_base),
        .cluster_size           (cfg_cluster_size),
        .rst_mem                (rst_mem),
        .write_back_error       (global_path_write_back_error),
        .idle                   (global_path_idle),
        .stalls_memory          (global_path_stalls_memory),
        .local_memory           (cfg_local_memory),
        .counts                 (global_path_counts)
    );

    lsu_arbiter wb_arbiter (
        .clk          (clk),
        .rst          (rst),
        .first_valid  (cache_wb_valid),
        .first_ready  (wb_arbiter_first_ready),
        .second_valid (global_path_wb_valid),
        .second_ready (wb_arbiter_second_ready),
        .valid        (wb_arbiter_valid),
        .is_second    (wb_arbiter_is_second),
        .ready        (wb_ready)
    );

    lsu_arbiter fault_arbiter (
        .clk          (clk),
        .rst          (rst),
        .first_valid  (cache_fault_valid),
        .first_ready  (fault_arbiter_first_ready),
        .second_valid (global_path_fault_valid),
        .second_ready (fault_arbiter_second_ready),
        .valid        (fault_arbiter_valid),
        .is_second    (fault_arbiter_is_second),
        .ready        (fault_ready)
    );

    lsu_arbiter done_arbiter (
        .clk          (clk),
        .rst          (rst),
        .first_valid  (cache_done_valid),
        .first_ready  (done_arbiter_first_ready),
        .second_valid (global_path_done_valid),
        .second_ready (done_arbiter_second_ready),
        .valid        (done_arbiter_valid),
        .is_second    (done_arbiter_is_second),
        .ready        (done_ready)
    );

    lsu_arbiter memory_arbiter (
        .clk          (clk),
        .rst          (rst),
        .first_valid  (cache_mem_req_valid),
        .first_ready  (memory_arbiter_first_ready),
        .second_valid (global_path_mem_req_valid),
        .second_ready (memory_arbiter_second_ready),
        .valid        (memory_arbiter_valid),
        .is_second    (memory_arbiter_is_second),
        .ready        (drain_sends)
    );

    lsu_drain drain (
        .clk               (clk),
        .rst               (rst),
        .rst_mem           (rst_mem),
        .asks              (memory_arbiter_valid),
        .mem_req_valid     (drain_mem_req_valid),
        .mem_req_ready     (mem_req_ready),
        .sends             (drain_sends),
        .mem_rsp_valid     (mem_rsp_valid),
        .answers           (drain_answers),
        .takes             (drain_takes),
        .mem_rsp_ready     (drain_mem_rsp_ready),
        .cluster_asks      (global_path_cluster_req_valid),
        .cluster_req_valid (drain_cluster_req_valid),
        .cluster_req_ready (cluster_req_ready),
        .cluster_sends     (drain_cluster_sends),
        .cluster_rsp_valid (cluster_rsp_valid),
        .cluster_answers   (drain_cluster_answers),
        .cluster_takes     (global_path_cluster_rsp_ready),
        .cluster_rsp_ready (drain_cluster_rsp_ready),
        .drains            (drain_drains)
    );
endmodule

// lsu_intake: Place intake of the constant path, and the operation's checks.
module lsu_intake (
    input  wire         clk,  // Clock.
    input  wire         rst,  // Synchronous reset.
    input  wire         req_valid,  // An operation is offered.
    output wire         req_ready,  // It is taken at this edge.
    input  wire [93:0]  req,  // The operation.
    input  wire [127:0] req_addr,  // Register operand of each lane; LDC uses the low 32 bits. [4 x 32 bits]
    input  wire         compute,  // Compute mode; static while operations are in flight.
    // Where kernel parameters begin in bank 0; static while operations are in flight.
    input  wire [15:0]  param_offset,

    output wire         valid,  // An addressed operation is offered.
    input  wire         next_ready,  // It is taken at this edge, whether or not data is free.
    input  wire         next_follows,  // It is taken at this edge if data is free.
    input  wire         data_ready,  // data is free.
    // The operation. Its cause is one that its instruction has, whatever the addresses; its ride are lanes whose bank
    // does not exist, which are still among its lanes.
    output wire [50:0]  operation,
    // Active lanes whose address is no multiple of their bytes; a command has none.
    output wire [3:0]   misaligned_lanes,
    output wire [3:0]   outside_lanes,  // Active lanes of a load whose operand or sum does not fit.
    // Lanes whose sum leaves its bank, or whose bank leaves all banks: told beside ride, as either is known late.
    output wire [3:0]   beyond_lanes,
    output wire [3:0]   unpredictable,  // Active lanes of an LDC that use bank 8 or more in compute mode.
    output wire [127:0] address,  // Sum of each lane; the low half is the byte address inside its bank. [4 x 32 bits]
    output wire [19:0]  bank  // Bank of each lane; means nothing where the lane is unsupported. [4 x 5 bits]
);
    localparam [2:0] CAUSE_NONE = 3'd0;  // no fault
    localparam [2:0] CAUSE_MISALIGNED_REGISTER = 3'd1;  // misaligned_register
    localparam [2:0] CAUSE_ILLEGAL_INSTRUCTION = 3'd2;  // illegal_instruction
    localparam [2:0] COP_CV = 3'd5;  // do not cache, fetch again
    localparam [1:0] DST_WIDTH_64 = 2'd2;  // destination of 64 bits
    localparam [1:0] MODE_IA = 2'd0;  // indexed absolute
    localparam [1:0] OP_LOAD = 2'd0;  // load
    localparam [1:0] OP_LDC = 2'd2;  // load of a constant bank
    localparam [1:0] OP_COMMAND = 2'd3;  // command
    localparam [7:0] RD_RZ = 8'hff;  // no register: the result is dropped
    localparam [2:0] SIZE_64 = 3'd3;  // elements of 64 bits
    localparam [2:0] SIZE_128 = 3'd4;  // elements of 128 bits
    localparam [2:0] SPACE_PARAM_ENTRY = 3'd6;  // parameters of the kernel
    reg  [3:0]   align_mask;
    reg  [3:0]   misaligned;
    wire [23:0]  result;
    reg  [33:0]  req_displacement;
    reg          full_q;
    reg  [93:0]  held_q;
    reg  [127:0] ra_q;
    // What is added to the operand of every lane, as wide as a sum: the immediate, and where kernel parameters begin.
    reg  [33:0]  addend_q;
    reg  [7:0]   lane_mode;
    wire [127:0] lane_address;
    wire [3:0]   lane_outside;
    wire [19:0]  lane_bank_low;
    wire [3:0]   lane_beyond;
    wire [3:0]   lane_unsupported;
    wire [3:0]   lane_upper_bank;
    wire         destination_misaligned;
    wire         destination_all_sunk;

    // Fields of req (LdcRequest).
    wire [1:0]  req_op       = req[9:8];  // OP_LDC, OP_LOAD or OP_COMMAND.
    wire [2:0]  req_space    = req[14:12];  // Constant load: SPACE_CONST or SPACE_PARAM_ENTRY.
    wire [31:0] req_imm      = req[85:54];  // Immediate; of LDC the low 16 bits count.
    wire        req_ra_is_rz = req[93];  // No register operand.

    // Fields of held_q (LdcRequest).
    wire [7:0] held_tag       = held_q[7:0];  // Names the operation.
    wire [1:0] held_op        = held_q[9:8];  // OP_LDC, OP_LOAD or OP_COMMAND.
    wire [1:0] held_cmd       = held_q[11:10];  // Which command.
    wire [2:0] held_space     = held_q[14:12];  // Constant load: SPACE_CONST or SPACE_PARAM_ENTRY.
    wire [2:0] held_sem       = held_q[17:15];  // Constant load: memory semantics.
    wire [2:0] held_cop       = held_q[20:18];  // Constant load: cache operator.
    wire       held_nc        = held_q[21];  // Constant load: non-coherent.
    wire [2:0] held_size      = held_q[24:22];  // log2 of an element's bytes; 5 to 7 are no size.
    wire [1:0] held_vec       = held_q[26:25];  // Constant load: log2 of the element count.
    wire [7:0] held_sink      = held_q[34:27];  // Constant load: elements that are not written.
    wire       held_sign      = held_q[35];  // Sign-extend.
    wire [1:0] held_dst_width = held_q[37:36];  // Constant load: destination register.
    wire [7:0] held_rd        = held_q[45:38];  // Destination register; RD_RZ is none.
    wire [3:0] held_mask      = held_q[49:46];  // Active lanes.
    wire [3:0] held_wide      = held_q[53:50];  // Constant load: lanes whose register operand does not fit.
    wire [4:0] held_bank      = held_q[90:86];  // Bank named by the instruction.
    wire [1:0] held_mode      = held_q[92:91];  // MODE_IA to MODE_ISL.

    // LDC-1, LDC-2, CONST: the immediate of an LDC has 16 bits, with a sign if there is an operand.
    wire [33:0] ones = 34'h3ffffffff;

    always @(*) begin
        req_displacement = {18'd0, req_imm[15:0]};
        if (req_imm[15] & !req_ra_is_rz) req_displacement = {18'd0, req_imm[15:0]} | (ones << 16);
        if (req_op == OP_LOAD) begin
            req_displacement = {2'd0, req_imm};
            if (req_imm[31]) req_displacement = {2'd0, req_imm} | (ones << 32);
        end
    end

    wire [33:0] req_addend =
        ((req_op == OP_LOAD) & (req_space == SPACE_PARAM_ENTRY)) ?
          (req_displacement + ({22'd0, param_offset[15:4]} << 4)) :
        req_displacement;
    wire next_takes = next_ready | (next_follows & data_ready);
    assign req_ready = !full_q | next_takes;

    assign valid = full_q;
    wire is_command = held_op == OP_COMMAND;

    // Rule CONST: what LDC is told by fields of its own.
    wire is_load = held_op == OP_LOAD;
    wire is_param = held_space == SPACE_PARAM_ENTRY;
    wire [4:0] bank_named =
        !is_load ? held_bank :
        is_param ? 5'd0 :
        5'd3;
    wire [1:0] vec = is_load ? held_vec : 2'd0;

    // Rule REGISTERS.
    // An element of at most 32 bits fills two registers.
    wire result_extended = is_load & (held_size < SIZE_64) & (held_dst_width == DST_WIDTH_64);
    wire [1:0] element_registers =
        ((held_size == SIZE_128) | (is_load & (held_size > SIZE_128))) ? 2'd2 :
        ((held_size == SIZE_64) | result_extended) ? 2'd1 :
        2'd0;
    wire [2:0] result_registers = {1'b0, element_registers} + {1'b0, vec};  // log2 of the registers.
    wire [7:0] result_sink = is_load ? held_sink : 8'd0;  // Elements that are not written.
    assign result = {result_sink, held_rd, result_registers, result_extended, held_sign, held_size};

    // LDC-9: the low address bits that must be 0.
    wire [3:0] total = {1'b0, held_size} + {2'd0, vec};

    always @(*) begin : align_mask_logic
        integer i;
        for (i = 0; i < 4; i = i + 1) begin
            align_mask[i] = total > i[3:0];
        end
    end

    always @(*) begin : misaligned_logic
        integer i;
        for (i = 0; i < 4; i = i + 1) begin
            misaligned[i] = |(lane_address[i * 32 +: 4] & align_mask);
        end
    end

    wire [3:0] outside = lane_outside;
    assign beyond_lanes = lane_beyond;
    wire [3:0] unsupported = lane_unsupported;
    wire [3:0] upper_bank = lane_upper_bank;
    assign address = lane_address;
    assign bank = lane_bank_low;

    always @(*) begin : lane_mode_logic
        integer i;
        for (i = 0; i < 4; i = i + 1) begin
            lane_mode[i * 2 +: 2] = MODE_IA;
            if (!is_load) lane_mode[i * 2 +: 2] = held_mode;
        end
    end

    assign misaligned_lanes = !is_command ? (misaligned & held_mask) : 4'd0;

    assign outside_lanes = is_load ? ((outside | held_wide) & held_mask) : 4'd0;

    // LDC-10, LDC-11, CONST.
    wire illegal =
        (is_load & ((total > 4'd4) | held_nc | (|held_sem) | (held_cop > COP_CV))) ? 1'b1 :
        held_size > SIZE_128;

    // LDC-13: an empty mask has no fault.
    // Fault cause, 0 for none.
    wire [2:0] operation_cause =
        !((|held_mask) & !is_command) ? CAUSE_NONE :
        destination_misaligned ? CAUSE_MISALIGNED_REGISTER :
        illegal ? CAUSE_ILLEGAL_INSTRUCTION :
        CAUSE_NONE;

    // RZ discards, as sinks do: such an operation neither needs a line nor writes a lane.
    wire writes = (held_rd != RD_RZ) & !is_command & !destination_all_sunk;
    // Lanes that need a line, or that the fault names.
    wire [3:0] operation_lanes = (writes | (operation_cause != CAUSE_NONE)) ? held_mask : 4'd0;
    assign operation = {unsupported, result, operation_lanes, operation_cause, held_cmd, is_command, bank_named,
      held_tag};
    assign unpredictable = (compute & (held_op == OP_LDC)) ? (held_mask & upper_bank) : 4'd0;

    genvar index;
    generate
        for (index = 0; index < 4; index = index + 1) begin : lane
            lsu_ldc_address unit (
                .is_load     (is_load),
                .ra          (ra_q[index * 32 +: 32]),
                .addend      (addend_q),
                .bank        (bank_named),
                .mode        (lane_mode[index * 2 +: 2]),
                .compute     (compute),
                .address     (lane_address[index * 32 +: 32]),
                .outside     (lane_outside[index]),
                .bank_low    (lane_bank_low[index * 5 +: 5]),
                .beyond      (lane_beyond[index]),
                .unsupported (lane_unsupported[index]),
                .upper_bank  (lane_upper_bank[index])
            );
        end
    endgenerate

    lsu_load_destination destination (
        .rd         (held_rd),
        .registers  (result_registers),
        .vec        (vec),
        .sink       (result_sink),
        .misaligned (destination_misaligned),
        .all_sunk   (destination_all_sunk)
    );

    always @(posedge clk) begin : register_logic
        integer i;
        if (rst) begin
            {full_q, held_q, ra_q, addend_q} <= 257'd0;
        end else begin
            if (req_ready) begin
                full_q <= req_valid;
                held_q <= req;
                ra_q <= req_addr;
                // LDC-1: without a register there is nothing to add. Said before the register, as two sums stand behind
                // it.
                if (req_ra_is_rz & (req_op != OP_LOAD)) begin
                    for (i = 0; i < 4; i = i + 1) begin
                        ra_q[i * 32 +: 32] <= 32'd0;
                    end
                end
                addend_q <= req_addend;
            end
        end
    end

    // Bits that nothing reads.
    wire unused = &{1'b0, param_offset[3:0], held_q};

`ifdef LSU_CONTRACTS  // What this module relies on, or promises.
    reg  contract_waited_q;

    wire contract_valid = !contract_waited_q | valid;  // Once it is 1, valid does not fall before next_takes.

    always @(posedge clk) begin
        if (rst) begin
            contract_waited_q <= 1'b0;
        end else begin
            contract_waited_q <= valid & !next_takes;
        end
    end

    reg contracts_begun;  // rst has been 1.
    initial contracts_begun = 1'b0;
    always @(posedge clk) begin
        contracts_begun <= contracts_begun | rst;
        if (contracts_begun && !rst) begin
            if (contract_valid !== 1'b1) begin
                $display("contract of lsu_intake broken in %m:",
                  " Once it is 1, valid does not fall before next_takes.");
                $stop;
            end
        end
    end
`endif
endmodule

// lsu_ldc_address: Bank and byte address of one lane.
module lsu_ldc_address (
    input  wire        is_load,  // A constant load: all bits of operand and sum count, not 32.
    input  wire [31:0] ra,  // Register operand, an unsigned byte address; 0 if there is none (LDC-1).
    // Immediate, signed, of every lane, and what else is added to the operand; without an operand the address (LDC-1,
    // LDC-2).
    input  wire [33:0] addend,
    input  wire [4:0]  bank,  // Bank named by the instruction.
    input  wire [1:0]  mode,  // 0 IA, 1 IL, 2 IS, 3 ISL.
    input  wire        compute,  // Compute mode: 8 banks exist; else graphics mode: 18.
    // The sum, as fault records name it; while neither beyond nor unsupported is high, the low half is the byte address
    // inside the bank.
    output wire [31:0] address,
    output wire        outside,  // The sum of a constant load does not fit an address.
    // Low bits of the bank sum; the bank itself while neither beyond nor unsupported is high.
    output wire [4:0]  bank_low,
    // The sum leaves its bank, or the bank all banks: the result is 0 whatever the bank table says (LDC-3, LDC-5).
    output wire        beyond,
    output wire        unsupported,  // So it is because there is no such bank, as far as bank_low tells (LDC-6, LDC-7).
    output wire        upper_bank  // Bank 8 or more, which the source calls unpredictable in compute mode (LDC-7).
);
    localparam [1:0] MODE_IL = 2'd1;  // indexed linear
    localparam [1:0] MODE_ISL = 2'd3;  // indexed segmented, banks to 13

    wire is_linear = mode == MODE_IL;
    wire segmented = mode[1];
    wire [33:0] sum = {2'd0, ra} + addend;

    // LDC-2, CONST: sums of LDC wrap at 32 bits.
    assign address = is_load ? sum[31:0] : sum[31:0];
    assign outside = is_load & (|sum[33:32]);

    // LDC-3, LDC-4, LDC-5: what is added to the bank, and whether the rest does not fit 16 bits.
    wire [31:0] segment =
        segmented ? {16'd0, ra[31:16]} :
        is_linear ? {16'd0, sum[31:16]} :
        32'd0;
    wire overflows =
        segmented ? (sum[16] ^ ra[16]) :
        is_linear ? 1'b0 :
        |{16'd0, address[31:16]};

    // A segment of 32 and more leaves all banks behind whatever it is added to: two sums behind each other are long
    // enough.
    wire is_far = |{5'd0, segment[31:5]};
    assign beyond = is_far | overflows;
    wire [5:0] bank_sum = {1'b0, bank} + {1'b0, segment[4:0]};
    assign bank_low = bank_sum[4:0];

    // Told of their bits, as a comparison would be a third sum behind the two.
    wire above_seven = |{3'd0, bank_sum[5:3]};  // The bank sum is more than 7.
    wire above_thirteen = (|{4'd0, bank_sum[5:4]}) | (&bank_sum[3:1]);  // It is more than 13.
    wire above_seventeen = bank_sum[5] | (bank_sum[4] & (|bank_sum[3:1]));  // It is more than 17.
    assign upper_bank = is_far | above_seven;
    assign unsupported = above_seventeen | (compute & above_seven) | ((mode == MODE_ISL) & above_thirteen);
endmodule

// lsu_load_destination: Checks of the registers that a load writes.
module lsu_load_destination (
    input  wire [7:0] rd,  // First destination register; RD_RZ is none.
    input  wire [2:0] registers,  // log2 of the registers of each lane, 0 to 5.
    input  wire [1:0] vec,  // log2 of the element count.
    input  wire [7:0] sink,  // Elements that are not written.
    // The registers do not begin at a multiple of their number, or of four, or run past R254.
    output reg        misaligned,
    output wire       all_sunk  // No element is written.
);
    localparam [7:0] RD_RZ = 8'hff;  // no register: the result is dropped

    // Their number is a power of two; from four on they begin at a multiple of four.
    always @(*) begin
        misaligned = 1'b0;
        if (rd != RD_RZ) begin
            if (registers == 3'd1) misaligned = rd[0] | (rd > 8'hfd);
            if (registers > 3'd1) misaligned = (|rd[1:0]) | (rd > 8'hfb);
            if ((registers == 3'd3) & (rd > 8'hf7)) misaligned = 1'b1;
            if ((registers == 3'd4) & (rd > 8'hef)) misaligned = 1'b1;
            if ((registers == 3'd5) & (rd > 8'hdf)) misaligned = 1'b1;
        end
    end

    wire [7:0] elements =
        (vec == 2'd3) ? 8'hff :
        (vec == 2'd2) ? 8'd15 :
        (vec == 2'd1) ? 8'd3 :
        8'd1;
    assign all_sunk = (sink & elements) == elements;
endmodule

// lsu_lane_groups: Place group of the constant path: which lanes are on one line.
module lsu_lane_groups (
    input  wire         clk,  // Clock.
    input  wire         rst,  // Synchronous reset.
    input  wire         in_valid,  // An addressed operation is offered.
    // It is taken at this edge, whether or not data is free; with what is here, if it is.
    output wire         in_ready,
    // The operation. Its cause is one that its instruction has, whatever the addresses; its ride are lanes whose bank
    // does not exist, which are still among its lanes.
    input  wire [50:0]  in_operation,
    // Active lanes whose address is no multiple of their bytes; a command has none.
    input  wire [3:0]   in_misaligned_lanes,
    input  wire [3:0]   in_outside_lanes,  // Active lanes of a load whose operand or sum does not fit.
    input  wire [3:0]   in_beyond_lanes,  // Lanes that leave their bank, or all banks: they ride, too.
    input  wire [3:0]   in_unpredictable,  // Active lanes of an LDC that use bank 8 or more in compute mode.
    // Sum of each lane; the low half is the byte address inside its bank. [4 x 32 bits]
    input  wire [127:0] in_address,
    input  wire [19:0]  in_bank,  // Bank of each lane. [4 x 5 bits]

    output wire         valid,  // A grouped operation is offered.
    input  wire         next_ready,  // It is taken at this edge, whether or not data is free.
    input  wire         next_follows,  // It is taken at this edge if data is free.
    input  wire         data_ready,  // data is free.
    output wire [50:0]  operation,  // The operation, with its cause.
    output wire [3:0]   leaders,  // The lowest lane of each group.
    output wire [127:0] address,  // Sum of each lane; the low half is the byte address inside its bank. [4 x 32 bits]
    output wire [19:0]  bank,  // Bank of each lane. [4 x 5 bits]
    // Sets the sticky status bit: the operation moves on and is unpredictable (LDC-7).
    output wire         unpredictable
);
    localparam [2:0] CAUSE_NONE = 3'd0;  // no fault
    localparam [2:0] CAUSE_MISALIGNED_ADDRESS = 3'd3;  // misaligned_address
    localparam [2:0] CAUSE_ADDRESS_OUT_OF_RANGE = 3'd4;  // address_out_of_range
    reg  [3:0]   followers;
    reg          full_q;
    // The opposite, but for the cycle after a reset, in which nothing is offered: those before it learn from it whether
    // it is free.
    reg          vacant_q;
    reg  [50:0]  held_q;
    reg  [3:0]   misaligned_held_q;
    reg  [3:0]   outside_held_q;
    reg  [3:0]   beyond_held_q;
    reg  [3:0]   unpredictable_held_q;
    reg  [127:0] address_held_q;
    reg  [19:0]  bank_held_q;

    // Fields of held_q (LdcOperation).
    wire [7:0]  held_tag        = held_q[7:0];  // Names the operation.
    wire [4:0]  held_named_bank = held_q[12:8];  // Bank named by the instruction; of a constant load its own.
    wire        held_is_command = held_q[13];  // It is a command.
    wire [1:0]  held_cmd        = held_q[15:14];  // Which command.
    wire [2:0]  held_cause      = held_q[18:16];  // Fault cause, 0 for none.
    wire [3:0]  held_lanes      = held_q[22:19];  // Lanes that need a line, or that the fault names.
    wire [23:0] held_result     = held_q[46:23];  // What it writes.
    wire [3:0]  held_ride       = held_q[50:47];  // Lanes that get 0 with the first pass.

    wire next_takes = next_ready | (next_follows & data_ready);
    assign in_ready = vacant_q | next_ready;

    // LDC-5, LDC-7: a lane whose bank does not exist rides with the first pass.
    wire [3:0] unsupported = (held_cause == CAUSE_NONE) ? (held_lanes & (held_ride | beyond_held_q)) : 4'd0;
    // Lanes that need a line, or that the fault of the instruction names.
    wire [3:0] lanes = held_lanes & ~unsupported;

    // Rule GROUP: lanes of one bank and line are served together, by the lowest of them.
    always @(*) begin : followers_logic
        integer i, j;
        i = 0; j = 0;
        followers = 4'd0;
        if (full_q) begin
            for (i = 0; i < 4; i = i + 1) begin
                for (j = 0; j < 4; j = j + 1) begin
                    if (j < i) begin
                        if (lanes[j] & (bank_held_q[i * 5 +: 5] == bank_held_q[j * 5 +: 5]) &
                          (address_held_q[(i * 32) + 6 +: 10] == address_held_q[(j * 32) + 6 +: 10])) begin
                            followers[i] = 1'b1;
                        end
                    end
                end
            end
        end
    end

    assign address = address_held_q;
    assign bank = bank_held_q;

    assign valid = full_q;

    // LDC-9, CONST: what only the addresses tell is told a place later, as they are sums and what they are compared
    // with is one.
    // Fault cause, 0 for none.
    wire [2:0] operation_cause =
        !(held_cause == CAUSE_NONE) ? held_cause :
        (|misaligned_held_q) ? CAUSE_MISALIGNED_ADDRESS :
        (|outside_held_q) ? CAUSE_ADDRESS_OUT_OF_RANGE :
        held_cause;
    // Lanes that need a line, or that the fault names.
    wire [3:0] operation_lanes =
        !(held_cause == CAUSE_NONE) ? lanes :
        (|misaligned_held_q) ? misaligned_held_q :
        (|outside_held_q) ? outside_held_q :
        lanes;
    wire [3:0] operation_ride = unsupported;  // Lanes that get 0 with the first pass.
    assign operation = {operation_ride, held_result, operation_lanes, operation_cause, held_cmd, held_is_command,
      held_named_bank, held_tag};
    assign leaders = lanes & ~followers;
    assign unpredictable = full_q & next_takes & (|unpredictable_held_q) & (operation_cause == CAUSE_NONE);

    always @(posedge clk) begin
        if (rst) begin
            {full_q, vacant_q, held_q, misaligned_held_q, outside_held_q, beyond_held_q, unpredictable_held_q,
              address_held_q, bank_held_q} <= 217'd0;
        end else begin
            if (!full_q | next_takes) begin
                full_q <= in_valid;
                vacant_q <= !in_valid;
                held_q <= in_operation;
                misaligned_held_q <= in_misaligned_lanes;
                outside_held_q <= in_outside_lanes;
                beyond_held_q <= in_beyond_lanes;
                unpredictable_held_q <= in_unpredictable;
                address_held_q <= in_address;
                bank_held_q <= in_bank;
            end
        end
    end
endmodule

// lsu_constant_cache: The constant cache, from place issue on.
module lsu_constant_cache (
    input  wire         clk,  // Clock.
    input  wire         rst,  // Synchronous reset.
    input  wire         in_valid,  // A grouped operation is offered.
    output wire         in_ready,  // It is taken at this edge, whether or not data is free.
    output wire         in_follows,  // It is taken if data is free.
    input  wire [50:0]  in_operation,  // The operation.
    input  wire [3:0]   in_leaders,  // The lowest lane of each group.
    // Sum of each lane; the low half is the byte address inside its bank. [4 x 32 bits]
    input  wire [127:0] in_address,
    input  wire [19:0]  in_bank,  // Bank of each lane. [4 x 5 bits]
    output wire         data_ready,  // data is free.
    input  wire [55:0]  cfg_bank,  // Write to the bank table.
    output wire         cfg_takes,  // It is taken at this edge.
    output wire         cfg_refused,  // Sticky: a table write was refused.
    output wire         idle,  // Nothing is in flight from issue on.
    output wire         mem_req_valid,  // A sector is asked for.
    input  wire         mem_req_ready,  // Taken at this edge.
    output wire [5:0]   mem_req_id,  // 2 x entry + sector.
    output wire [31:0]  mem_req_addr,  // Sector-aligned byte address.
    input  wire         mem_rsp_valid,  // A sector came back.
    output wire         mem_rsp_ready,  // Taken at this edge.
    input  wire [5:0]   mem_rsp_id,  // The request's id.
    input  wire [255:0] mem_rsp_data,  // The sector, word 0 lowest. [8 x 32 bits]
    input  wire         mem_rsp_error,  // The memory side failed.
    output wire         wb_valid,  // A register is offered.
    input  wire         wb_ready,  // Taken at this edge.
    output wire [20:0]  wb,  // All of it but the values.
    output wire [127:0] wb_data,  // Values; 0 in lanes that are not written. [4 x 32 bits]
    output wire         fault_valid,  // A record is offered.
    input  wire         fault_ready,  // It is taken at this edge.
    output wire [46:0]  fault,  // The record.
    output wire         done_valid,  // A command has taken effect.
    input  wire         done_ready,  // Taken at this edge.
    output wire [7:0]   done_tag,  // Its tag.
    output wire [31:0]  passes,  // Passes issued; wraps.
    output wire [31:0]  hits,  // Passes that hit; wraps.
    output wire [31:0]  misses  // Passes that missed; wraps.
);
    wire         issue_in_ready;
    wire         issue_in_follows;
    wire         issue_pass_valid;
    wire [63:0]  issue_pass;
    wire [23:0]  issue_pass_offset;
    wire         issue_fault_valid;
    wire [46:0]  issue_fault;
    wire         tag_cfg_takes;
    wire         tag_cfg_refused;
    wire         tag_pass_ready;
    wire         tag_free_anyway;
    wire         tag_may_move;
    wire         tag_to_data;
    wire         tag_to_miss;
    wire         tag_to_done;
    wire         tag_kills;
    wire         tag_hits;
    wire         tag_holds;
    wire [44:0]  tag_data;
    wire [23:0]  tag_offset;
    wire [14:0]  tag_key;
    wire         tag_way;
    wire [31:0]  tag_line_address;
    wire         tag_is_short;
    wire         tag_install_way;
    wire         miss_has_empty;
    wire         miss_idle;
    wire         miss_replay_valid;
    wire [44:0]  miss_replay;
    wire [23:0]  miss_replay_offset;
    wire [9:0]   miss_replay_line;
    wire [3:0]   miss_replay_failed;
    wire         miss_holds_data_tag;
    wire         miss_install;
    wire [14:0]  miss_install_key;
    wire         miss_install_keep;
    wire         miss_install_sector;
    wire [255:0] miss_install_data;
    wire         miss_mem_req_valid;
    wire [5:0]   miss_mem_req_id;
    wire [31:0]  miss_mem_req_addr;
    wire         miss_mem_rsp_ready;
    wire         data_in_ready;
    reg  [23:0]  data_in_offset;
    wire         data_is_replay;
    wire         data_holds;
    wire [7:0]   data_tag;
    wire         data_fault_valid;
    wire [46:0]  data_fault;
    wire         data_wb_valid;
    wire [20:0]  data_wb;
    wire [127:0] data_wb_data;
    wire         fault_register_free;
    wire         fault_register_issue_ready;
    wire         fault_register_fault_valid;
    wire [46:0]  fault_register_fault;
    reg          done_full_q;
    reg  [7:0]   done_held_q;
    wire [31:0]  pass_counter_count;
    wire [31:0]  hit_counter_count;
    wire [31:0]  miss_counter_count;

    // Fields of issue_pass (LdcPass).
    wire [7:0] issue_pass_tag        = issue_pass[7:0];  // Names the operation.
    wire       issue_pass_is_command = issue_pass[13];  // It is a command.

    // Fields of tag_data (DataPass).
    wire [7:0] tag_data_tag = tag_data[7:0];  // Names the operation.

    // issue.
    assign in_ready = issue_in_ready;
    assign in_follows = issue_in_follows;
    assign data_ready = data_in_ready;

    // issue to tag.
    assign cfg_takes = tag_cfg_takes;
    assign cfg_refused = tag_cfg_refused;

    // tag to a miss entry, and memory.
    assign mem_req_valid = miss_mem_req_valid;
    assign mem_req_id = miss_mem_req_id;
    assign mem_req_addr = miss_mem_req_addr;
    assign mem_rsp_ready = miss_mem_rsp_ready;

    // tag or a miss entry to data.
    wire data_in_valid = miss_replay_valid | tag_to_data;
    wire [3:0] data_in_failed = miss_replay_valid ? miss_replay_failed : 4'd0;
    wire [44:0] data_in_pass = miss_replay_valid ? miss_replay : tag_data;
    wire [9:0] data_in_line = miss_replay_valid ? miss_replay_line : tag_key[9:0];

    always @(*) begin : data_in_offset_logic
        integer i;
        for (i = 0; i < 4; i = i + 1) begin
            if (miss_replay_valid) begin
                data_in_offset[i * 6 +: 6] = miss_replay_offset[i * 6 +: 6];
            end else begin
                data_in_offset[i * 6 +: 6] = tag_offset[i * 6 +: 6];
            end
        end
    end

    wire [1:0] data_install_set = miss_install_key[1:0];

    // Rule WB-LAST: no other pass of the operation in issue, tag or a miss entry.
    wire data_has_more = (issue_pass_valid & (issue_pass_tag == data_tag)) | (tag_holds & (tag_data_tag == data_tag)) |
      miss_holds_data_tag;
    assign wb_valid = data_wb_valid;
    assign wb = data_wb;
    assign wb_data = data_wb_data;

    // fault.
    wire reports = data_fault_valid & fault_register_free;
    assign fault_valid = fault_register_fault_valid;
    assign fault = fault_register_fault;

    // done: a command's acknowledgement.
    wire done_free = !done_full_q | done_ready;
    assign done_valid = done_full_q;
    assign done_tag = done_held_q;

    // response is full only while an entry is in use.
    assign idle = !issue_pass_valid & !issue_fault_valid & !tag_holds & miss_idle & !data_holds & !data_wb_valid &
      !fault_register_fault_valid & !done_full_q;

    // Counters.
    wire pass_counter_happens = issue_pass_valid & tag_pass_ready & !issue_pass_is_command;
    assign passes = pass_counter_count;
    assign hits = hit_counter_count;
    assign misses = miss_counter_count;

    lsu_issue issue (
        .clk          (clk),
        .rst          (rst),
        .in_valid     (in_valid),
        .in_ready     (issue_in_ready),
        .in_follows   (issue_in_follows),
        .in_operation (in_operation),
        .in_leaders   (in_leaders),
        .in_address   (in_address),
        .in_bank      (in_bank),
        .pass_valid   (issue_pass_valid),
        .pass_ready   (tag_free_anyway),
        .pass_follows (tag_may_move),
        .data_ready   (data_in_ready),
        .pass         (issue_pass),
        .pass_offset  (issue_pass_offset),
        .fault_valid  (issue_fault_valid),
        .fault_ready  (fault_register_issue_ready),
        .fault        (issue_fault)
    );

    lsu_tag_stage tag (
        .clk          (clk),
        .rst          (rst),
        .cfg_bank     (cfg_bank),
        .cfg_takes    (tag_cfg_takes),
        .cfg_refused  (tag_cfg_refused),
        .pass_valid   (issue_pass_valid),
        .pass_ready   (tag_pass_ready),
        .free_anyway  (tag_free_anyway),
        .may_move     (tag_may_move),
        .pass         (issue_pass),
        .pass_offset  (issue_pass_offset),
        .data_ready   (data_in_ready),
        .replay_waits (miss_replay_valid),
        .miss_ready   (miss_has_empty),
        .done_ready   (done_free),
        .to_data      (tag_to_data),
        .to_miss      (tag_to_miss),
        .to_done      (tag_to_done),
        .kills        (tag_kills),
        .hits         (tag_hits),
        .holds        (tag_holds),
        .data         (tag_data),
        .offset       (tag_offset),
        .key          (tag_key),
        .way          (tag_way),
        .line_address (tag_line_address),
        .is_short     (tag_is_short),
        .install      (miss_install),
        .install_key  (miss_install_key),
        .install_keep (miss_install_keep),
        .install_way  (tag_install_way)
    );

    lsu_misses miss (
        .clk              (clk),
        .rst              (rst),
        .allocate         (tag_to_miss),
        .has_empty        (miss_has_empty),
        .idle             (miss_idle),
        .allocate_key     (tag_key),
        .allocate_address (tag_line_address),
        .allocate_short   (tag_is_short),
        .allocate_pass    (tag_data),
        .allocate_offset  (tag_offset),
        .kill             (tag_kills),
        .replay_valid     (miss_replay_valid),
        .replay_ready     (data_in_ready),
        .replay           (miss_replay),
        .replay_offset    (miss_replay_offset),
        .replay_line      (miss_replay_line),
        .replay_failed    (miss_replay_failed),
        .data_is_replay   (data_is_replay),
        .data_tag         (data_tag),
        .holds_data_tag   (miss_holds_data_tag),
        .install          (miss_install),
        .install_key      (miss_install_key),
        .install_keep     (miss_install_keep),
        .install_sector   (miss_install_sector),
        .install_data     (miss_install_data),
        .mem_req_valid    (miss_mem_req_valid),
        .mem_req_ready    (mem_req_ready),
        .mem_req_id       (miss_mem_req_id),
        .mem_req_addr     (miss_mem_req_addr),
        .mem_rsp_valid    (mem_rsp_valid),
        .mem_rsp_ready    (miss_mem_rsp_ready),
        .mem_rsp_id       (mem_rsp_id),
        .mem_rsp_data     (mem_rsp_data),
        .mem_rsp_error    (mem_rsp_error)
    );

    lsu_data_stage data (
        .clk            (clk),
        .rst            (rst),
        .in_valid       (data_in_valid),
        .in_ready       (data_in_ready),
        .in_is_replay   (miss_replay_valid),
        .in_pass        (data_in_pass),
        .in_offset      (data_in_offset),
        .in_line        (data_in_line),
        .in_way         (tag_way),
        .in_failed      (data_in_failed),
        .install        (miss_install),
        .install_set    (data_install_set),
        .install_way    (tag_install_way),
        .install_sector (miss_install_sector),
        .install_data   (miss_install_data),
        .is_replay      (data_is_replay),
        .holds          (data_holds),
        .tag            (data_tag),
        .has_more       (data_has_more),
        .fault_valid    (data_fault_valid),
        .fault_ready    (fault_register_free),
        .fault          (data_fault),
        .wb_valid       (data_wb_valid),
        .wb_ready       (wb_ready),
        .wb             (data_wb),
        .wb_data        (data_wb_data)
    );

    lsu_fault_register fault_register (
        .clk          (clk),
        .rst          (rst),
        .free         (fault_register_free),
        .failed_waits (reports),
        .failed_valid (reports),
        .failed       (data_fault),
        .issue_valid  (issue_fault_valid),
        .issue_ready  (fault_register_issue_ready),
        .issue        (issue_fault),
        .fault_valid  (fault_register_fault_valid),
        .fault_ready  (fault_ready),
        .fault        (fault_register_fault)
    );

    lsu_event_counter pass_counter (
        .clk     (clk),
        .rst     (rst),
        .happens (pass_counter_happens),
        .count   (pass_counter_count)
    );

    lsu_event_counter hit_counter (
        .clk     (clk),
        .rst     (rst),
        .happens (tag_hits),
        .count   (hit_counter_count)
    );

    lsu_event_counter miss_counter (
        .clk     (clk),
        .rst     (rst),
        .happens (tag_to_miss),
        .count   (miss_counter_count)
    );

    always @(posedge clk) begin
        if (rst) begin
            {done_full_q, done_held_q} <= 9'd0;
        end else begin
            if (done_free) begin
                done_full_q <= tag_to_done;
                done_held_q <= tag_data_tag;
            end
        end
    end
endmodule

// lsu_issue: Place issue of the constant path, and the choice of the next pass.
module lsu_issue (
    input  wire         clk,  // Clock.
    input  wire         rst,  // Synchronous reset.
    input  wire         in_valid,  // A grouped operation is offered.
    output wire         in_ready,  // It is taken at this edge, whether or not data is free.
    output wire         in_follows,  // It is taken if data is free.
    input  wire [50:0]  in_operation,  // The operation.
    input  wire [3:0]   in_leaders,  // The lowest lane of each group.
    // Sum of each lane; the low half is the byte address inside its bank. [4 x 32 bits]
    input  wire [127:0] in_address,
    input  wire [19:0]  in_bank,  // Bank of each lane. [4 x 5 bits]

    output wire         pass_valid,  // A pass or a command is offered to tag.
    input  wire         pass_ready,  // It is taken at this edge, whether or not data is free.
    input  wire         pass_follows,  // It is taken at this edge if data is free.
    input  wire         data_ready,  // data is free.
    output wire [63:0]  pass,  // The pass; its tag also names what issue holds, for wb_last.
    output reg  [23:0]  pass_offset,  // Byte in its line, for each lane. [4 x 6 bits]

    output wire         fault_valid,  // A fault record is offered.
    input  wire         fault_ready,  // It is taken at this edge.
    output wire [46:0]  fault  // The record.
);
    localparam [2:0] CAUSE_NONE = 3'd0;  // no fault
    reg  [3:0]   lowest;
    reg          has_lower;
    reg  [3:0]   group;
    reg  [31:0]  lowest_address;
    wire         continues;
    wire         leaves_anyway;
    wire         ends;
    reg          full_q;
    // The opposite, but for the cycle after a reset, in which nothing is offered: those before it learn from it whether
    // it is free.
    reg          vacant_q;
    reg          passes_q;  // It holds an operation without a fault.
    reg  [50:0]  held_q;
    reg  [3:0]   leaders_q;
    reg  [3:0]   leader_q;  // The lowest of them, or of those that the fault names: known from the start.
    reg  [127:0] address_q;
    reg  [19:0]  bank_q;
    reg  [4:0]   pass_bank;  // Bank of the group.
    reg  [3:0]   held_d_ride;  // Lanes that get 0 with the first pass.

    // Fields of in_operation (LdcOperation).
    wire [7:0]  in_operation_tag        = in_operation[7:0];  // Names the operation.
    // Bank named by the instruction; of a constant load its own.
    wire [4:0]  in_operation_named_bank = in_operation[12:8];
    wire        in_operation_is_command = in_operation[13];  // It is a command.
    wire [1:0]  in_operation_cmd        = in_operation[15:14];  // Which command.
    wire [2:0]  in_operation_cause      = in_operation[18:16];  // Fault cause, 0 for none.
    wire [3:0]  in_operation_lanes      = in_operation[22:19];  // Lanes that need a line, or that the fault names.
    wire [23:0] in_operation_result     = in_operation[46:23];  // What it writes.
    wire [3:0]  in_operation_ride       = in_operation[50:47];  // Lanes that get 0 with the first pass.

    // Fields of held_q (LdcOperation).
    wire [7:0]  held_tag        = held_q[7:0];  // Names the operation.
    wire [4:0]  held_named_bank = held_q[12:8];  // Bank named by the instruction; of a constant load its own.
    wire        held_is_command = held_q[13];  // It is a command.
    wire [1:0]  held_cmd        = held_q[15:14];  // Which command.
    wire [2:0]  held_cause      = held_q[18:16];  // Fault cause, 0 for none.
    wire [3:0]  held_lanes      = held_q[22:19];  // Lanes that need a line, or that the fault names.
    wire [23:0] held_result     = held_q[46:23];  // What it writes.
    wire [3:0]  held_ride       = held_q[50:47];  // Lanes that get 0 with the first pass.

    wire [7:0] held_d_tag = (!full_q | ends) ? in_operation_tag : held_tag;  // Names the operation.
    // Bank named by the instruction; of a constant load its own.
    wire [4:0] held_d_named_bank = (!full_q | ends) ? in_operation_named_bank : held_named_bank;
    wire held_d_is_command = (!full_q | ends) ? in_operation_is_command : held_is_command;  // It is a command.
    wire [1:0] held_d_cmd = (!full_q | ends) ? in_operation_cmd : held_cmd;  // Which command.
    wire [2:0] held_d_cause = (!full_q | ends) ? in_operation_cause : held_cause;  // Fault cause, 0 for none.
    // Lanes that need a line, or that the fault names.
    wire [3:0] held_d_lanes = (!full_q | ends) ? in_operation_lanes : held_lanes;
    wire [23:0] held_d_result = (!full_q | ends) ? in_operation_result : held_result;  // What it writes.

    always @(*) begin
        held_d_ride = held_ride;
        // What comes does not hang on whether anything does: the next pass, or else another operation.
        if (leaves_anyway | (pass_valid & pass_follows & data_ready)) begin
            held_d_ride = in_operation_ride;
            if (continues) held_d_ride = 4'd0;
        end
        if (!full_q | ends) held_d_ride = in_operation_ride;
    end

    wire [3:0] rest = leaders_q & ~leader_q;
    wire is_faulty = held_cause != CAUSE_NONE;
    assign pass_valid = full_q & !is_faulty;
    assign fault_valid = full_q & is_faulty;

    // Whether data is free is known last: what hangs on it and what does not are told apart up to intake.
    wire drops = fault_valid & fault_ready;
    assign continues = pass_valid & (|rest);
    assign leaves_anyway = !full_q | drops | (pass_valid & pass_ready);
    wire is_last = pass_valid & !continues;  // What is offered is the operation's last pass.
    assign ends = drops | (is_last & pass_ready) | (is_last & pass_follows & data_ready);

    // Rule ADVANCE. The same for those before it, of registers of their own, or synthesis sends both the longer way.
    wire ends_soon = passes_q & !(|rest);  // It leaves once tag is free.
    assign in_ready = vacant_q | drops | (ends_soon & pass_ready);
    assign in_follows = ends_soon & pass_follows;

    // The next leader is the lowest of the rest, or of another operation's lanes.
    wire [3:0] candidates = continues ? rest : in_operation_lanes;

    always @(*) begin : lowest_logic
        integer i;
        has_lower = 1'b0;
        for (i = 0; i < 4; i = i + 1) begin
            lowest[i] = candidates[i] & !has_lower;
            has_lower = has_lower | candidates[i];
        end
    end

    wire pass_has_group = |leaders_q;  // The pass has a group (else it needs no line).

    always @(*) begin : pass_bank_logic
        integer i;
        pass_bank = 5'd0;
        for (i = 0; i < 4; i = i + 1) begin
            if (leader_q[i]) pass_bank = pass_bank | bank_q[i * 5 +: 5];
        end
    end

    always @(*) begin : lowest_address_logic
        integer i;
        lowest_address = 32'd0;
        for (i = 0; i < 4; i = i + 1) begin
            if (leader_q[i]) lowest_address = lowest_address | address_q[i * 32 +: 32];
        end
    end

    always @(*) begin : pass_offset_logic
        integer i;
        for (i = 0; i < 4; i = i + 1) begin
            pass_offset[i * 6 +: 6] = address_q[i * 32 +: 6];
        end
    end

    wire [9:0] pass_line = lowest_address[15:6];  // Line of the group: address bits 15 to 6.
    assign fault = {lowest_address, held_lanes, held_cause, held_tag};

    // LDC-14: the lanes whose line it is.
    always @(*) begin : group_logic
        integer i;
        group = 4'd0;
        for (i = 0; i < 4; i = i + 1) begin
            if (held_lanes[i] & (bank_q[i * 5 +: 5] == pass_bank) & (address_q[(i * 32) + 6 +: 10] == pass_line)) begin
                group[i] = 1'b1;
            end
        end
    end

    assign pass = {held_ride, group, pass_line, pass_bank, pass_has_group, held_result, held_cmd, held_is_command,
      held_named_bank, held_tag};

    always @(posedge clk) begin
        if (rst) begin
            {full_q, vacant_q, passes_q, held_q, leaders_q, leader_q, address_q, bank_q} <= 210'd0;
        end else begin
            if (leaves_anyway | (pass_valid & pass_follows & data_ready)) begin
                leaders_q <= in_leaders;
                leader_q <= lowest;
                if (continues) leaders_q <= rest;
            end
            if (!full_q | ends) begin
                full_q <= in_valid;
                vacant_q <= !in_valid;
                passes_q <= in_valid & (in_operation_cause == CAUSE_NONE);
                address_q <= in_address;
                bank_q <= in_bank;
            end
            held_q <= {held_d_ride, held_d_result, held_d_lanes, held_d_cause, held_d_cmd, held_d_is_command,
              held_d_named_bank, held_d_tag};
        end
    end
endmodule

// lsu_tag_stage: Place tag of the constant path, the bank table and the tags.
module lsu_tag_stage (
    input  wire        clk,  // Clock.
    input  wire        rst,  // Synchronous reset.
    input  wire [55:0] cfg_bank,  // Write to the bank table.
    output wire        cfg_takes,  // It is taken at this edge.
    output wire        cfg_refused,  // Sticky: a table write was refused.

    input  wire        pass_valid,  // A pass or a command is offered.
    output wire        pass_ready,  // It is taken at this edge.
    output wire        free_anyway,  // It is taken whether or not data is free.
    output wire        may_move,  // What tag holds moves if data is free.
    input  wire [63:0] pass,  // The pass.
    input  wire [23:0] pass_offset,  // Byte in its line, for each lane. [4 x 6 bits]

    input  wire        data_ready,  // data is free at this edge.
    input  wire        replay_waits,  // A ready miss entry goes first.
    input  wire        miss_ready,  // A miss entry is empty.
    input  wire        done_ready,  // done is free at this edge.
    output wire        to_data,  // The pass enters data.
    output wire        to_miss,  // The pass takes a miss entry.
    output wire        to_done,  // A command took effect: done takes tag.
    output wire        kills,  // It invalidated the constant cache.
    output wire        hits,  // The pass that moves hit a line (for the counter).
    output wire        holds,  // tag holds a pass.
    output wire [44:0] data,  // The pass in tag, or the tag of a command.
    output wire [23:0] offset,  // Byte in the line, for each lane. [4 x 6 bits]
    output wire [14:0] key,  // Bank, then line.
    output wire        way,  // Way that holds the line.
    output wire [31:0] line_address,  // Byte address of the line in memory.
    output wire        is_short,  // Of a line that is needed: nothing of its second sector lies in the bank.

    input  wire        install,  // A line enters its set's oldest way at this edge.
    input  wire [14:0] install_key,  // Bank, then line.
    input  wire        install_keep,  // The line may be kept.
    output wire        install_way  // The way that it takes.
);
    localparam [1:0] CMD_INVALIDATE_CONST = 2'd2;  // invalidate the constant cache
    reg  [3:0]  below_end;
    wire [31:0] bank_table_base;
    wire [16:0] bank_table_size;
    wire        bank_table_valid;
    wire        bank_table_takes;
    wire        bank_table_refused;
    wire [1:0]  sets_hit_ways;
    wire        sets_hit_way;
    wire        sets_oldest_way;
    reg         full_q;
    // The opposite, but for the cycle after a reset, in which nothing is offered: those before it learn from it whether
    // it is free.
    reg         vacant_q;
    reg         holds_pass_q;  // It holds a pass, not a command.
    reg  [63:0] held_q;
    reg  [23:0] offset_held_q;

    // Fields of pass (LdcPass).
    wire       pass_is_command = pass[13];  // It is a command.
    wire [4:0] pass_bank       = pass[45:41];  // Bank of the group.
    wire [9:0] pass_line       = pass[55:46];  // Line of the group: address bits 15 to 6.

    // Fields of held_q (LdcPass).
    wire [7:0]  held_tag        = held_q[7:0];  // Names the operation.
    wire [4:0]  held_named_bank = held_q[12:8];  // Bank named by the instruction; of a constant load its own.
    wire        held_is_command = held_q[13];  // It is a command.
    wire [1:0]  held_cmd        = held_q[15:14];  // Which command.
    wire [23:0] held_result     = held_q[39:16];  // What it writes.
    wire        held_has_group  = held_q[40];  // The pass has a group (else it needs no line).
    wire [4:0]  held_bank       = held_q[45:41];  // Bank of the group.
    wire [9:0]  held_line       = held_q[55:46];  // Line of the group: address bits 15 to 6.
    wire [3:0]  held_group      = held_q[59:56];  // Lanes of the group.
    wire [3:0]  held_ride       = held_q[63:60];  // Lanes that get 0 with this pass.

    // Rule ENTRY-FREE: tag moves when everything that its content could need is there.
    wire is_free_to = !install & !replay_waits & miss_ready;  // Nothing but data holds back a pass.
    wire pass_moves = full_q & !held_is_command & is_free_to & data_ready;

    // The same, but for data, for those before it: of a register of their own, or synthesis sends both the longer way.
    assign may_move = holds_pass_q & is_free_to;
    assign to_done = full_q & held_is_command & !install & done_ready;
    wire moves = pass_moves | to_done;

    // Whether data is free is known last.
    assign free_anyway = vacant_q | to_done;
    assign pass_ready = !full_q | moves;
    assign kills = to_done & (held_cmd == CMD_INVALIDATE_CONST);

    // Rule LINE, LDC-7, LDC-8: one look-up for the whole pass; a bank's size is a multiple of 16 bytes.
    assign cfg_takes = bank_table_takes;
    assign cfg_refused = bank_table_refused;
    // The bank ends behind the line; or in it; and each lane's quarter of a line begins before that end.
    wire line_is_inside = {1'b0, held_line} < bank_table_size[16:6];
    wire line_is_last = {1'b0, held_line} == bank_table_size[16:6];
    assign is_short = !line_is_inside & (bank_table_size[5:4] != 2'd3);
    assign line_address = bank_table_base + ({22'd0, held_line} << 6);

    // Which lanes of the group are in bounds.
    assign offset = offset_held_q;

    always @(*) begin : below_end_logic
        integer i;
        below_end = 4'd0;
        for (i = 0; i < 4; i = i + 1) begin
            if (offset_held_q[(i * 6) + 4 +: 2] < bank_table_size[5:4]) below_end[i] = 1'b1;
        end
    end

    wire [3:0] in_bounds =
        line_is_inside ? held_group :
        line_is_last ? (held_group & below_end) :
        4'd0;

    // The group of a line that lies inside has a lane, if the pass has a group: no need to look at them.
    wire needs_line = bank_table_valid & ((line_is_inside & held_has_group) |
      (line_is_last & (|(held_group & below_end))));
    wire [3:0] data_write = held_group | held_ride;  // Lanes that the pass writes.
    // Lanes among them that take data from the line; the others get 0.
    wire [3:0] data_value = bank_table_valid ? in_bounds : 4'd0;
    wire [4:0] data_segment = held_bank - held_named_bank;  // The line's bank, less that named by the instruction.

    // Rule LOOK-UP.
    assign key = ({10'd0, held_bank} << 10) | {5'd0, held_line};
    wire [12:0] set_key = key[14:2];
    wire [1:0] sets_read_set = pass_line[1:0];
    wire [1:0] sets_set = held_line[1:0];
    wire [1:0] sets_install_set = install_key[1:0];
    wire [12:0] sets_install_key = install_key[14:2];
    wire found = |sets_hit_ways;
    assign way = sets_hit_way;
    assign install_way = sets_oldest_way;
    assign hits = pass_moves & needs_line & found;
    assign to_miss = pass_moves & needs_line & !found;
    assign to_data = pass_moves & (!needs_line | found);

    assign holds = full_q;
    assign data = {data_segment, data_value, data_write, held_result, held_tag};

    lsu_bank_table bank_table (
        .clk        (clk),
        .rst        (rst),
        .write      (cfg_bank),
        .reads      (pass_ready),
        .read_index (pass_bank),
        .base       (bank_table_base),
        .size       (bank_table_size),
        .valid      (bank_table_valid),
        .takes      (bank_table_takes),
        .refused    (bank_table_refused)
    );

    lsu_constant_set sets (
        .clk          (clk),
        .rst          (rst),
        .reads        (pass_ready),
        .read_set     (sets_read_set),
        .holds        (full_q),
        .set          (sets_set),
        .key          (set_key),
        .hit_ways     (sets_hit_ways),
        .touch        (pass_moves),
        .touch_counts (needs_line),
        .install      (install),
        .install_set  (sets_install_set),
        .install_key  (sets_install_key),
        .install_keep (install_keep),
        .hit_way      (sets_hit_way),
        .oldest_way   (sets_oldest_way),
        .flush        (kills)
    );

    always @(posedge clk) begin
        if (rst) begin
            {full_q, vacant_q, holds_pass_q, held_q, offset_held_q} <= 91'd0;
        end else begin
            if (pass_ready) begin
                full_q <= pass_valid;
                vacant_q <= !pass_valid;
                holds_pass_q <= pass_valid & !pass_is_command;
                held_q <= pass;
                offset_held_q <= pass_offset;
            end
        end
    end

    // Bits that nothing reads.
    wire unused = &{1'b0, bank_table_size[3:0], pass_line[9:2]};

`ifdef LSU_CONTRACTS  // What this module relies on, or promises.

    wire contract_install = !install | !moves;  // Nothing leaves tag in the cycle of an install.

    reg contracts_begun;  // rst has been 1.
    initial contracts_begun = 1'b0;
    always @(posedge clk) begin
        contracts_begun <= contracts_begun | rst;
        if (contracts_begun && !rst) begin
            if (contract_install !== 1'b1) begin
                $display("contract of lsu_tag_stage broken in %m:",
                  " Nothing leaves tag in the cycle of an install.");
                $stop;
            end
        end
    end
`endif
endmodule

// lsu_bank_table: The constant banks that exist: base, size and valid bit of each of 18.
module lsu_bank_table (
    input  wire        clk,  // Clock.
    input  wire        rst,  // Synchronous reset: every entry invalid.
    input  wire [55:0] write,  // A write at this edge.
    input  wire        reads,  // An entry is read at this edge, and stays.
    input  wire [4:0]  read_index,  // Entry to read, 0 to 17.
    output wire [31:0] base,  // Byte address of the bank that was read last.
    output wire [16:0] size,  // Its bytes.
    output wire        valid,  // It may be used: the valid bits are few, and are looked at behind the registers.
    output wire        takes,  // A write is taken at this edge.
    output wire        refused  // Sticky: a write was refused.
);
    reg  [31:0] valids_next;
    wire [31:0] bases_read_data;
    wire [16:0] sizes_read_data;
    reg  [31:0] valids_q;
    reg  [31:0] base_read_q;
    reg  [16:0] size_read_q;
    reg  [4:0]  index_read_q;
    reg         refused_held_q;

    // Fields of write (BankWrite).
    wire        write_write = write[0];  // The entry index is written at this edge.
    wire [4:0]  write_index = write[5:1];  // Entry to write, 0 to 17.
    wire [31:0] write_base  = write[37:6];  // Byte address of the bank in memory, a multiple of 64.
    wire [16:0] write_size  = write[54:38];  // Bytes, a multiple of 16, at most 65,536.
    wire        write_valid = write[55];  // The entry may be used.

    wire acceptable = (write_index < 5'd18) & (write_size <= 17'h10000) & !(|write_size[3:0]) & !(|write_base[5:0]);
    assign takes = write_write & acceptable;

    always @(*) begin : valids_next_logic
        integer i;
        valids_next = valids_q;
        for (i = 0; i < 18; i = i + 1) begin
            if (takes & (write_index == i[4:0])) valids_next[i] = write_valid;
        end
    end

    assign base = base_read_q;
    assign size = size_read_q;
    assign valid = valids_q[index_read_q];
    assign refused = refused_held_q;

    lsu_memory #(.ADDRESS_BITS(5), .WIDTH(32)) bases (
        .clk           (clk),
        .read_address  (read_index),
        .read_data     (bases_read_data),
        .write_enable  (takes),
        .write_address (write_index),
        .write_data    (write_base)
    );

    lsu_memory #(.ADDRESS_BITS(5), .WIDTH(17)) sizes (
        .clk           (clk),
        .read_address  (read_index),
        .read_data     (sizes_read_data),
        .write_enable  (takes),
        .write_address (write_index),
        .write_data    (write_size)
    );

    always @(posedge clk) begin
        if (rst) begin
            {valids_q, base_read_q, size_read_q, index_read_q, refused_held_q} <= 87'd0;
        end else begin
            valids_q <= valids_next;
            if (write_write & !acceptable) refused_held_q <= 1'b1;
            if (reads) begin
                base_read_q <= bases_read_data;
                size_read_q <= sizes_read_data;
                index_read_q <= read_index;
            end
        end
    end
endmodule

// lsu_memory: asynchronous read, synchronous write, zero at power-up; in the form that synthesis maps to distributed
// RAM.
module lsu_memory #(
    parameter ADDRESS_BITS = 1,  // The memory has 2**ADDRESS_BITS words.
    parameter WIDTH        = 1  // Bits of a word.
) (
    input  wire                    clk,  // Rising edge writes.
    input  wire [ADDRESS_BITS-1:0] read_address,  // Word to read.
    output wire [WIDTH-1:0]        read_data,  // The word at read_address, in the same cycle.
    input  wire                    write_enable,  // Write write_data at the next edge.
    input  wire [ADDRESS_BITS-1:0] write_address,  // Word to write.
    input  wire [WIDTH-1:0]        write_data  // Value to write.
);
    localparam WORDS = 1 << ADDRESS_BITS;
    reg [WIDTH-1:0] words [0:WORDS-1];

    initial begin : power_up
        integer i;
        for (i = 0; i < WORDS; i = i + 1) begin
            words[i] = {WIDTH{1'b0}};
        end
    end

    assign read_data = words[read_address];

    always @(posedge clk) begin
        if (write_enable) begin
            words[write_address] <= write_data;
        end
    end
endmodule

// lsu_constant_set: Tags, valid bits and order of use of the 4 sets.
module lsu_constant_set (
    input  wire        clk,  // Clock.
    input  wire        rst,  // Synchronous reset: all ways invalid, way 0 of each set oldest.
    input  wire        reads,  // Tags of a set are read at this edge, to be looked at from the next cycle on.
    input  wire [1:0]  read_set,  // That set.
    // What was read is looked up, and in the cycle of an install stays: known sooner than reads.
    input  wire        holds,
    input  wire [1:0]  set,  // Set that is looked up: the one that was read last.
    input  wire [12:0] key,  // Bank, then line bits 9 to 2, looked up.
    output reg  [1:0]  hit_ways,  // The valid way that holds key, one bit at most.
    input  wire        touch,  // The hit way, if there is one and touch_counts, becomes youngest.
    input  wire        touch_counts,  // Known later than touch.
    input  wire        install,  // The oldest way of install_set takes install_key.
    input  wire [1:0]  install_set,  // Set of the arriving line.
    input  wire [12:0] install_key,  // Its key.
    input  wire        install_keep,  // The arriving line may be kept; otherwise its way becomes invalid.
    output reg         hit_way,  // Number of the hit way; 0 without a hit.
    output reg         oldest_way,  // Number of the oldest way of install_set: the next victim.
    input  wire        flush  // All ways become invalid.
);
    reg  [1:0]  set_valid;
    reg  [1:0]  youth;  // Order of that set. [2 x bit]
    reg         used_youth;
    reg  [1:0]  next_order;  // [2 x bit]
    reg  [1:0]  install_youth;  // [2 x bit]
    reg  [1:0]  oldest;
    reg  [7:0]  valid_q;
    wire [25:0] tag_read_data;
    reg  [1:0]  tag_write_enable;
    reg  [25:0] set_tag_q;  // Of the set that was read last, with what is installed there meanwhile.
    // By set, then way. Registers reset to 0, but youth must reset to a permutation: kept is youth ^ way, so that way 0
    // resets to oldest and that of the youngest is the complement of its number.
    reg  [7:0]  order_q;
    // The way that the cycle before touched, or installed to be kept, one bit at most; and its set.
    reg  [1:0]  used_q;
    reg  [1:0]  used_set_q;

    // The install is one of the set whose tags are held after this edge.
    wire learns = holds ? (install & (install_set == set)) : (install & (install_set == read_set));

    // What is younger than the way that was used grows older by one.
    always @(*) begin : used_youth_logic
        integer i;
        used_youth = 1'b0;
        for (i = 0; i < 2; i = i + 1) begin
            if (used_q[i]) used_youth = used_youth | youth[i];
        end
    end

    always @(*) begin : youth_logic
        integer i, j;
        for (i = 0; i < 2; i = i + 1) begin
            youth[i] = i[0];
            for (j = 0; j < 4; j = j + 1) begin
                if (used_set_q == j[1:0]) youth[i] = order_q[(j * 2) + i] ^ i[0];
            end
        end
    end

    always @(*) begin : next_order_logic
        integer i;
        for (i = 0; i < 2; i = i + 1) begin
            next_order[i] = youth[i] ^ i[0];
            if (used_q[i]) begin
                next_order[i] = !i[0];
            end else if (youth[i] > used_youth) begin
                next_order[i] = (youth[i] - 1'b1) ^ i[0];
            end
        end
    end

    // What there is of the set that is looked up, and the order of the one that a line comes into.
    // Youth of the next victim of install_set: 1 if the oldest way is the one that was used.
    wire victim_youth = ((|used_q) & (used_set_q == install_set) & !(|used_youth)) ? 1'b1 : 1'b0;

    always @(*) begin : set_valid_logic
        integer j;
        set_valid = 2'd0;
        for (j = 0; j < 4; j = j + 1) begin
            if (set == j[1:0]) set_valid = set_valid | valid_q[j * 2 +: 2];
        end
    end

    always @(*) begin : hit_ways_logic
        integer i;
        hit_ways = 2'd0;
        for (i = 0; i < 2; i = i + 1) begin
            if (set_valid[i] & (set_tag_q[i * 13 +: 13] == key)) hit_ways[i] = 1'b1;
        end
    end

    always @(*) begin : hit_way_logic
        integer i;
        hit_way = 1'b0;
        for (i = 0; i < 2; i = i + 1) begin
            if (set_valid[i] & (set_tag_q[i * 13 +: 13] == key)) hit_way = hit_way | i[0];
        end
    end

    always @(*) begin : oldest_logic
        integer i;
        oldest = 2'd0;
        for (i = 0; i < 2; i = i + 1) begin
            if (install_youth[i] == victim_youth) oldest[i] = 1'b1;
        end
    end

    always @(*) begin : oldest_way_logic
        integer i;
        oldest_way = 1'b0;
        for (i = 0; i < 2; i = i + 1) begin
            if (install_youth[i] == victim_youth) oldest_way = oldest_way | i[0];
        end
    end

    always @(*) begin : install_youth_logic
        integer i, j;
        for (i = 0; i < 2; i = i + 1) begin
            install_youth[i] = i[0];
            for (j = 0; j < 4; j = j + 1) begin
                if (install_set == j[1:0]) install_youth[i] = order_q[(j * 2) + i] ^ i[0];
            end
        end
    end

    always @(*) begin : tag_write_enable_logic
        integer i;
        for (i = 0; i < 2; i = i + 1) begin
            tag_write_enable[i] = install & oldest[i];
        end
    end

    genvar index;
    generate
        for (index = 0; index < 2; index = index + 1) begin : tag
            lsu_memory #(.ADDRESS_BITS(2), .WIDTH(13)) unit (
                .clk           (clk),
                .read_address  (read_set),
                .read_data     (tag_read_data[index * 13 +: 13]),
                .write_enable  (tag_write_enable[index]),
                .write_address (install_set),
                .write_data    (install_key)
            );
        end
    endgenerate

    always @(posedge clk) begin : register_logic
        integer i, j;
        if (rst) begin
            {valid_q, set_tag_q, order_q, used_q, used_set_q} <= 46'd0;
        end else begin
            for (i = 0; i < 2; i = i + 1) begin
                for (j = 0; j < 4; j = j + 1) begin
                    if ((|used_q) & (used_set_q == j[1:0])) order_q[(j * 2) + i] <= next_order[i];
                end
            end
            for (i = 0; i < 2; i = i + 1) begin
                if (reads) set_tag_q[i * 13 +: 13] <= tag_read_data[i * 13 +: 13];
                if (learns & oldest[i]) set_tag_q[i * 13 +: 13] <= install_key;
            end
            used_q <= 2'd0;
            if (touch & touch_counts) used_q <= hit_ways;
            used_set_q <= set;
            if (install) begin
                used_set_q <= install_set;
                if (install_keep) used_q <= oldest;
            end
            for (j = 0; j < 4; j = j + 1) begin
                if (install & (install_set == j[1:0])) begin
                    valid_q[j * 2 +: 2] <= valid_q[j * 2 +: 2] & ~oldest;
                    if (install_keep) valid_q[j * 2 +: 2] <= valid_q[j * 2 +: 2] | oldest;
                end
                if (flush) valid_q[j * 2 +: 2] <= 2'd0;
            end
        end
    end

`ifdef LSU_CONTRACTS  // What this module relies on, or promises.

    // At most one of touch, install and flush is 1 in a cycle.
    wire contract_one_change = !(touch & install) & !(touch & flush) & !(install & flush);

    reg contracts_begun;  // rst has been 1.
    initial contracts_begun = 1'b0;
    always @(posedge clk) begin
        contracts_begun <= contracts_begun | rst;
        if (contracts_begun && !rst) begin
            if (contract_one_change !== 1'b1) begin
                $display("contract of lsu_constant_set broken in %m:",
                  " At most one of touch, install and flush is 1 in a cycle.");
                $stop;
            end
        end
    end
`endif
endmodule

// lsu_misses: Miss entries, fetch queue, response register.
module lsu_misses (
    input  wire         clk,  // Clock.
    input  wire         rst,  // Synchronous reset: no entry, no fetch.

    input  wire         allocate,  // Take the pass at this edge.
    output wire         has_empty,  // At least one entry is empty.
    output wire         idle,  // No entry is in use.
    input  wire [14:0]  allocate_key,  // Bank, then line, of the pass.
    input  wire [31:0]  allocate_address,  // Byte address of its line in memory.
    input  wire         allocate_short,  // Its second sector is not fetched.
    input  wire [44:0]  allocate_pass,  // The rest of it.
    input  wire [23:0]  allocate_offset,  // Byte in the line, for each lane. [4 x 6 bits]
    input  wire         kill,  // Every waiting entry is killed.

    output wire         replay_valid,  // A pass whose line has arrived is offered to data.
    input  wire         replay_ready,  // It is taken at this edge.
    output wire [44:0]  replay,  // The pass.
    output wire [23:0]  replay_offset,  // Byte in the line, for each lane. [4 x 6 bits]
    output reg  [9:0]   replay_line,  // Line (address bits 15 to 6).
    output reg  [3:0]   replay_failed,  // Its lanes whose sector came back with an error.
    input  wire         data_is_replay,  // data holds a replayed pass.
    input  wire [7:0]   data_tag,  // Operation in data.
    output reg          holds_data_tag,  // An entry holds another pass of that operation.

    // A line is complete and enters the cache at this edge; nothing leaves tag in this cycle.
    output wire         install,
    output wire [14:0]  install_key,  // Bank, then line, of the arriving line.
    output wire         install_keep,  // No sector failed and the fetch is not killed.
    // The sector in install_data; in the cycle after the install it is the other one.
    output wire         install_sector,
    output wire [255:0] install_data,  // A sector of the line, word 0 lowest. [8 x 32 bits]

    output wire         mem_req_valid,  // A sector is asked for.
    input  wire         mem_req_ready,  // Taken at this edge.
    output wire [5:0]   mem_req_id,  // 2 x entry + sector.
    output wire [31:0]  mem_req_addr,  // Sector-aligned byte address.
    input  wire         mem_rsp_valid,  // A sector came back.
    output wire         mem_rsp_ready,  // Taken at this edge.
    input  wire [5:0]   mem_rsp_id,  // The request's id.
    input  wire [255:0] mem_rsp_data,  // The sector, word 0 lowest. [8 x 32 bits]
    input  wire         mem_rsp_error  // The memory side failed.
);
    reg          taken_index;
    reg          joins;
    reg          joined;
    reg          replayed_index;
    wire         is_last_sector;
    reg  [1:0]   sector_error;
    reg  [1:0]   woken;
    reg  [1:0]   response_entry;
    reg  [14:0]  next_key;
    reg  [1:0]   valid_q;
    reg  [1:0]   ready_q;
    reg  [1:0]   replayed_q;  // The lowest of them: known from the start, as what is read of a pass hangs on it.
    reg  [1:0]   killed_q;
    // Of a fetch, under its first entry's number: one sector has arrived. The second one of a short line counts as
    // arrived from the start.
    reg  [1:0]   arrived_q;
    reg  [1:0]   first_error_q;  // Of a fetch: the sector that arrived first had an error.
    reg  [1:0]   fetch_q;
    reg  [29:0]  key_q;
    reg  [15:0]  tag_q;
    wire [44:0]  held_read_data;
    wire [23:0]  held_offset_read_data;
    wire         queue_entry_read_data;
    wire [31:0]  queue_address_read_data;
    reg          read_queue_head_q;
    reg          read_queue_tail_q;
    // The queue is not empty; with it set, read_queue_head == read_queue_tail means full.
    reg          read_queue_used_q;
    reg          read_queue_sector_q;
    reg          response_full_q;
    reg  [5:0]   response_id_q;
    reg          response_error_q;
    reg  [14:0]  response_key_q;  // Bank, then line: known from the start, as the way that is filled hangs on it.
    // response holds the second sector of its line: known from the start of the cycle, as the whole path waits for an
    // install.
    reg          response_completes_q;
    wire [255:0] sectors_read_data;
    reg  [1:0]   fill_error_q;

    // Fields of allocate_pass (DataPass).
    wire [7:0] allocate_pass_tag = allocate_pass[7:0];  // Names the operation.

    // Fields of replay (DataPass).
    wire [3:0] replay_value = replay[39:36];  // Lanes among them that take data from the line; the others get 0.

    // Allocation: the lowest empty entry; x & -x keeps the lowest 1.
    wire [1:0] empty = ~valid_q;
    assign has_empty = |empty;
    assign idle = !(|valid_q);
    wire [1:0] taken = empty & (valid_q + 2'd1);
    wire [1:0] taken_now = allocate ? taken : 2'd0;

    always @(*) begin : taken_index_logic
        integer i;
        taken_index = 1'b0;
        for (i = 0; i < 2; i = i + 1) begin
            if (taken[i]) taken_index = taken_index | i[0];
        end
    end

    always @(*) begin : joins_logic
        integer i;
        joins = 1'b0;
        for (i = 0; i < 2; i = i + 1) begin
            if (valid_q[i] & !ready_q[i] & !killed_q[i] & (key_q[i * 15 +: 15] == allocate_key)) begin
                // Rule SHARE: all entries that match wait for the same fetch, whose number their or is.
                joins = 1'b1;
            end
        end
    end

    always @(*) begin : joined_logic
        integer i;
        joined = 1'b0;
        for (i = 0; i < 2; i = i + 1) begin
            if (valid_q[i] & !ready_q[i] & !killed_q[i] & (key_q[i * 15 +: 15] == allocate_key)) begin
                joined = joined | fetch_q[i];
            end
        end
    end

    wire starts = allocate & !joins;

    // Rule REPLAY: the lowest ready entry.
    assign replay_valid = |ready_q;
    wire [1:0] rest = ready_q & ~replayed_q;
    wire [1:0] leaves = replay_ready ? replayed_q : 2'd0;

    always @(*) begin : replayed_index_logic
        integer i;
        replayed_index = 1'b0;
        for (i = 0; i < 2; i = i + 1) begin
            if (replayed_q[i]) replayed_index = replayed_index | i[0];
        end
    end

    always @(*) begin : replay_line_logic
        integer i;
        replay_line = 10'd0;
        for (i = 0; i < 2; i = i + 1) begin
            if (replayed_q[i]) replay_line = replay_line | key_q[i * 15 +: 10];
        end
    end

    always @(*) begin : holds_data_tag_logic
        integer i;
        holds_data_tag = 1'b0;
        for (i = 0; i < 2; i = i + 1) begin
            if (valid_q[i] & (tag_q[i * 8 +: 8] == data_tag)) holds_data_tag = 1'b1;
        end
    end

    // The rest of a pass is only stored and read back. While no entry is empty taken_index names none.
    assign replay = held_read_data;
    assign replay_offset = held_offset_read_data;

    // Bit 5 of the offset names the sector.
    always @(*) begin : replay_failed_logic
        integer i;
        replay_failed = 4'd0;
        for (i = 0; i < 4; i = i + 1) begin
            if (replay_value[i] & ((replay_offset[(i * 6) + 5] & fill_error_q[1]) |
              (!replay_offset[(i * 6) + 5] & fill_error_q[0]))) begin
                replay_failed[i] = 1'b1;
            end
        end
    end

    // Rule FETCH: the queue's head asks for sector 0, then sector 1. The queue has as many places as there are entries,
    // so it never overflows, and while an entry is empty its tail is a free place.
    assign mem_req_valid = read_queue_used_q;
    assign mem_req_id = (({5'd0, queue_entry_read_data} << 1) & ~(6'd1 << 0)) | ({5'd0, read_queue_sector_q} << 0);
    assign mem_req_addr = read_queue_sector_q ? (queue_address_read_data | 32'd32) : queue_address_read_data;
    wire request_done = (read_queue_used_q & mem_req_ready) ? is_last_sector : 1'b0;

    // Nothing of a line has come before its sector 0 is asked for: what has arrived then says that it is short.
    assign is_last_sector = read_queue_sector_q | arrived_q[queue_entry_read_data];

    // Rule INSTALL: response holds one sector.
    wire response_fetch = response_id_q[1];
    wire response_sector = response_id_q[0];
    assign install = response_full_q & response_completes_q & !replay_valid & !data_is_replay;
    wire consumes = install | (response_full_q & !response_completes_q);
    assign mem_rsp_ready = !response_full_q | consumes;
    wire next_fetch = mem_rsp_id[1];

    always @(*) begin : next_key_logic
        integer i;
        next_key = 15'd0;
        for (i = 0; i < 2; i = i + 1) begin
            if (next_fetch == i[0]) next_key = next_key | key_q[i * 15 +: 15];
        end
    end

    assign install_key = response_key_q;

    always @(*) begin : response_entry_logic
        integer i;
        response_entry = 2'd0;
        for (i = 0; i < 2; i = i + 1) begin
            if (response_fetch == i[0]) response_entry[i] = 1'b1;
        end
    end

    always @(*) begin : woken_logic
        integer i;
        woken = 2'd0;
        for (i = 0; i < 2; i = i + 1) begin
            if (valid_q[i] & (fetch_q[i] == response_fetch)) woken[i] = 1'b1;
        end
    end

    // Each sector is kept when it comes. What is read: beside response the other sector of its line, which an install
    // so finds there, and after an install the sector of response itself.
    wire response_taken = mem_rsp_valid & mem_rsp_ready;
    wire [3:0] sector_strobe = response_taken ? 4'd15 : 4'd0;
    wire [5:0] sector_address =
        install ? response_id_q :
        mem_rsp_ready ? (mem_rsp_id ^ 6'd1) :
        response_id_q ^ 6'd1;
    assign install_data = sectors_read_data;
    assign install_sector = !response_sector;
    wire first_failed = first_error_q[response_fetch];

    always @(*) begin
        sector_error = 2'd0;
        if (response_sector) begin
            sector_error = ({response_error_q, sector_error[0]} & ~(2'd1 << 0)) | ({1'b0, first_failed} << 0);
        end else begin
            sector_error = ({sector_error[1], response_error_q} & ~(2'd1 << 1)) | ({1'b0, first_failed} << 1);
        end
    end

    assign install_keep = !(|sector_error) & !killed_q[response_fetch];

    // The fetch's own record stands under its first entry's number.
    wire [1:0] arrives = (response_full_q & !response_completes_q) ? response_entry : 2'd0;
    wire [1:0] arrived_now = arrived_q | arrives;
    wire [1:0] arrived_next = allocate_short ? (arrived_q | arrives | taken_now) : ((arrived_q | arrives) & ~taken_now);

    // What becomes of the entries. Rule KILL: those that wait are killed.
    wire [1:0] killed_next = kill ? (killed_q | (valid_q & ~ready_q)) : (killed_q & ~taken_now);

    lsu_memory #(.ADDRESS_BITS(1), .WIDTH(45)) held (
        .clk           (clk),
        .read_address  (replayed_index),
        .read_data     (held_read_data),
        .write_enable  (has_empty),
        .write_address (taken_index),
        .write_data    (allocate_pass)
    );

    genvar index;
    generate
        for (index = 0; index < 4; index = index + 1) begin : held_offset
            lsu_memory #(.ADDRESS_BITS(1), .WIDTH(6)) unit (
                .clk           (clk),
                .read_address  (replayed_index),
                .read_data     (held_offset_read_data[index * 6 +: 6]),
                .write_enable  (has_empty),
                .write_address (taken_index),
                .write_data    (allocate_offset[index * 6 +: 6])
            );
        end
    endgenerate

    lsu_memory #(.ADDRESS_BITS(1), .WIDTH(1)) queue_entry (
        .clk           (clk),
        .read_address  (read_queue_head_q),
        .read_data     (queue_entry_read_data),
        .write_enable  (has_empty),
        .write_address (read_queue_tail_q),
        .write_data    (taken_index)
    );

    lsu_memory #(.ADDRESS_BITS(1), .WIDTH(32)) queue_address (
        .clk           (clk),
        .read_address  (read_queue_head_q),
        .read_data     (queue_address_read_data),
        .write_enable  (has_empty),
        .write_address (read_queue_tail_q),
        .write_data    (allocate_address)
    );

    // By the id: sectors that came back.
    generate
        for (index = 0; index < 8; index = index + 1) begin : sectors
            lsu_strobe_memory #(.ADDRESS_BITS(6), .READS(1)) unit (
                .clk           (clk),
                .read_enable   (1'b1),
                .read_address  (sector_address),
                .read_data     (sectors_read_data[index * 32 +: 32]),
                .write_strobe  (sector_strobe),
                .write_address (mem_rsp_id),
                .write_data    (mem_rsp_data[index * 32 +: 32])
            );
        end
    endgenerate

    always @(posedge clk) begin : register_logic
        integer i;
        if (rst) begin
            {valid_q, ready_q, replayed_q, killed_q, arrived_q, first_error_q, fetch_q, key_q, tag_q, read_queue_head_q,
              read_queue_tail_q, read_queue_used_q, read_queue_sector_q, response_full_q, response_id_q,
              response_error_q, response_key_q, response_completes_q, fill_error_q} <= 90'd0;
        end else begin
            // What an entry holds is loaded as long as it would be the next to be taken: whether it is taken comes late
            // in the cycle.
            for (i = 0; i < 2; i = i + 1) begin
                if (taken[i]) begin
                    key_q[i * 15 +: 15] <= allocate_key;
                    tag_q[i * 8 +: 8] <= allocate_pass_tag;
                    fetch_q[i] <= taken_index;
                    if (joins) fetch_q[i] <= joined;
                end
            end
            if (replay_ready) begin
                ready_q <= rest;
                replayed_q <= rest & (~rest + 2'd1);
            end
            if (read_queue_used_q & mem_req_ready) read_queue_sector_q <= !is_last_sector;
            if (request_done) begin
                read_queue_head_q <= read_queue_head_q + 1'b1;
                // Empty unless something else is queued: head meets tail exactly when this was the last.
                read_queue_used_q <= (read_queue_head_q + 1'b1) != read_queue_tail_q;
            end
            if (starts) begin
                read_queue_tail_q <= read_queue_tail_q + 1'b1;
                read_queue_used_q <= 1'b1;
            end
            if (mem_rsp_ready) begin
                response_full_q <= mem_rsp_valid;
                response_id_q <= mem_rsp_id;
                response_error_q <= mem_rsp_error;
                response_key_q <= next_key;
            end
            if (install) fill_error_q <= sector_error;
            arrived_q <= arrived_next;
            if (response_error_q) begin
                first_error_q <= (first_error_q | arrives) & ~taken_now;
            end else begin
                first_error_q <= first_error_q & ~arrives & ~taken_now;
            end
            if (mem_rsp_ready) begin
                // No entry is taken under whose number a response is still to come.
                response_completes_q <= arrived_now[next_fetch];
            end
            valid_q <= (valid_q | taken_now) & ~leaves;
            killed_q <= killed_next;
            if (install) begin
                ready_q <= woken;
                replayed_q <= woken & (~woken + 2'd1);
            end
        end
    end

`ifdef LSU_CONTRACTS  // What this module relies on, or promises.
    reg  [63:0] contract_open_q;  // By the id: requests without a response.
    reg  [5:0]  contract_read_id_q;  // The sector that was read.

    // response_completes says whether the other sector of the line in response has arrived.
    wire contract_completes = !response_full_q | (response_completes_q == arrived_q[response_fetch]);
    // In an install the sector that was read is the other one of the line in response.
    wire contract_read = !install | (contract_read_id_q == (response_id_q ^ 6'd1));
    // No sector is read at the edge that keeps it.
    wire contract_kept = !response_taken | (sector_address != mem_rsp_id);
    // While an entry is empty the read queue is not full.
    wire contract_queue = !has_empty | !read_queue_used_q | (read_queue_head_q != read_queue_tail_q);
    wire contract_empty = !allocate | has_empty;  // A pass comes only while has_empty.
    // A pass comes only while no entry is ready and no line is installed.
    wire contract_allocate = !allocate | (!replay_valid & !install);
    wire contract_install = !install | !replay_valid;  // A line is installed only while no entry is ready.
    // A response answers a request that has had none.
    wire contract_response = !mem_rsp_valid | contract_open_q[mem_rsp_id];

    always @(posedge clk) begin
        if (rst) begin
            {contract_open_q, contract_read_id_q} <= 70'd0;
        end else begin
            contract_read_id_q <= sector_address;
            if (mem_rsp_valid & mem_rsp_ready) begin
                contract_open_q <= (contract_open_q & ~(64'd1 << mem_rsp_id)) | ({63'd0, 1'b0} << mem_rsp_id);
                if (mem_req_valid & mem_req_ready) begin
                    contract_open_q <= (((contract_open_q & ~(64'd1 << mem_rsp_id)) | ({63'd0, 1'b0} << mem_rsp_id)) &
                      ~(64'd1 << mem_req_id)) | ({63'd0, 1'b1} << mem_req_id);
                end
            end else if (mem_req_valid & mem_req_ready) begin
                contract_open_q <= (contract_open_q & ~(64'd1 << mem_req_id)) | ({63'd0, 1'b1} << mem_req_id);
            end
        end
    end

    reg contracts_begun;  // rst has been 1.
    initial contracts_begun = 1'b0;
    always @(posedge clk) begin
        contracts_begun <= contracts_begun | rst;
        if (contracts_begun && !rst) begin
            if (contract_empty !== 1'b1) begin
                $display("contract of lsu_misses broken in %m:",
                  " A pass comes only while has_empty.");
                $stop;
            end
            if (contract_allocate !== 1'b1) begin
                $display("contract of lsu_misses broken in %m:",
                  " A pass comes only while no entry is ready and no line is installed.");
                $stop;
            end
            if (contract_install !== 1'b1) begin
                $display("contract of lsu_misses broken in %m:",
                  " A line is installed only while no entry is ready.");
                $stop;
            end
            if (contract_response !== 1'b1) begin
                $display("contract of lsu_misses broken in %m:",
                  " A response answers a request that has had none.");
                $stop;
            end
            if (contract_completes !== 1'b1) begin
                $display("contract of lsu_misses broken in %m:",
                  " response_completes says whether the other sector of the line in response has arrived.");
                $stop;
            end
            if (contract_read !== 1'b1) begin
                $display("contract of lsu_misses broken in %m:",
                  " In an install the sector that was read is the other one of the line in response.");
                $stop;
            end
            if (contract_queue !== 1'b1) begin
                $display("contract of lsu_misses broken in %m:",
                  " While an entry is empty the read queue is not full.");
                $stop;
            end
            if (contract_kept !== 1'b1) begin
                $display("contract of lsu_misses broken in %m:",
                  " No sector is read at the edge that keeps it.");
                $stop;
            end
        end
    end
`endif
endmodule

// lsu_strobe_memory: words of 32 bits with byte strobes, registered reads, zero at power-up; in the form that synthesis
// maps to block RAM, one for each read port. Nobody needs a byte that is read at the edge that writes it (contracts of
// its owner say so), so synthesis adds no logic for that case.
module lsu_strobe_memory #(
    parameter ADDRESS_BITS = 1,  // The memory has 2**ADDRESS_BITS words.
    parameter READS        = 1  // Words that are read at once.
) (
    input  wire                          clk,  // Rising edge reads and writes.
    input  wire                          read_enable,  // Load read_data at the next edge.
    input  wire [READS*ADDRESS_BITS-1:0] read_address,  // Word to read at each port.
    output reg  [READS*32-1:0]           read_data,  // The word read last at each.
    input  wire [3:0]                    write_strobe,  // Bytes to write at the next edge.
    input  wire [ADDRESS_BITS-1:0]       write_address,  // Word to write.
    input  wire [31:0]                   write_data  // Value to write.
);
    localparam WORDS = 1 << ADDRESS_BITS;
    (* ram_style = "block", no_rw_check *) reg [31:0] words [0:WORDS-1];

    initial begin : power_up
        integer i;
        for (i = 0; i < WORDS; i = i + 1) begin
            words[i] = 32'd0;
        end
    end

    initial read_data = {READS{32'd0}};

    always @(posedge clk) begin : read_logic
        integer i;
        if (read_enable) begin
            for (i = 0; i < READS; i = i + 1) begin
                read_data[i * 32 +: 32] <= words[read_address[i * ADDRESS_BITS +: ADDRESS_BITS]];
            end
        end
    end

    always @(posedge clk) begin
        if (write_strobe[0]) begin
            words[write_address][7:0] <= write_data[7:0];
        end
        if (write_strobe[1]) begin
            words[write_address][15:8] <= write_data[15:8];
        end
        if (write_strobe[2]) begin
            words[write_address][23:16] <= write_data[23:16];
        end
        if (write_strobe[3]) begin
            words[write_address][31:24] <= write_data[31:24];
        end
    end
endmodule

// lsu_data_stage: Place data of the constant path, the line memory and register wb.
module lsu_data_stage (
    input  wire         clk,  // Clock.
    input  wire         rst,  // Synchronous reset; the line memory keeps its content.
    input  wire         in_valid,  // A pass is offered.
    output wire         in_ready,  // data is free at this edge.
    input  wire         in_is_replay,  // The pass comes from a miss entry and reads the line installed last.
    input  wire [44:0]  in_pass,  // The pass.
    input  wire [23:0]  in_offset,  // Byte in the line, for each lane. [4 x 6 bits]
    input  wire [9:0]   in_line,  // Line: address bits 15 to 6.
    input  wire         in_way,  // Way that holds the line, for a pass that hit.
    input  wire [3:0]   in_failed,  // Lanes of a replayed pass whose sector came back with an error.

    input  wire         install,  // A line arrives.
    input  wire [1:0]   install_set,  // Its set.
    input  wire         install_way,  // The way that it takes.
    // The sector in install_data; in the cycle after the install it is the other one.
    input  wire         install_sector,
    input  wire [255:0] install_data,  // A sector of the line, word 0 lowest. [8 x 32 bits]

    output wire         is_replay,  // data holds a pass that came from a miss entry.
    output wire         holds,  // data holds a pass.
    output wire [7:0]   tag,  // Operation in data.
    input  wire         has_more,  // Another place holds a pass of that operation.

    output wire         fault_valid,  // A memory_error record is offered; only when data moves with it.
    input  wire         fault_ready,  // fault is free at this edge.
    output wire [46:0]  fault,  // The record.

    output wire         wb_valid,  // A register is offered.
    input  wire         wb_ready,  // Taken at this edge.
    output wire [20:0]  wb,  // All of it but the values.
    output wire [127:0] wb_data  // Values; 0 in lanes that are not written. [4 x 32 bits]
);
    localparam [2:0] CAUSE_MEMORY_ERROR = 3'd5;  // memory_error
    localparam [2:0] SIZE_8 = 3'd0;  // elements of 8 bits
    localparam [2:0] SIZE_32 = 3'd2;  // elements of 32 bits
    localparam [2:0] SIZE_64 = 3'd3;  // elements of 64 bits
    wire [23:0]  in_result;
    wire [23:0]  result;
    reg  [4:0]   in_last;
    reg  [5:0]   failed_offset;
    wire         sends;
    reg  [1:0]   quad_index;
    reg  [2:0]   pair_index;
    reg  [31:0]  picked;
    reg  [127:0] lane_word;  // [4 x 32 bits]
    reg          full_q;
    // What frees data at this edge, as those before it ask last: wb, where its pass is at its last register; fault and
    // wb, where that has failed lanes to report; both bits where it holds none. In the cycle after a reset, in which
    // nothing is offered, neither.
    reg          frees_with_wb_q;
    reg          frees_with_fault_q;
    reg          is_replay_held_q;
    reg  [44:0]  held_q;
    reg  [23:0]  offset_q;
    // Byte in its 16 where each lane reads for this register: known from the start, so that no logic stands before the
    // line's multiplexers.
    reg  [15:0]  at_q;
    reg  [3:0]   position_q;  // Bytes from where a lane begins to there.
    reg  [9:0]   line_q;
    reg  [2:0]   slot_q;
    reg  [4:0]   index_q;  // Number of the register that is sent, and of the last.
    reg  [4:0]   next_index_q;  // index + 1.
    reg  [4:0]   last_index_q;
    reg  [3:0]   failed_q;  // Lanes whose sector failed, and whether a record of them is due before the first beat.
    reg          is_due_q;
    // The register of this cycle takes data, in those of the pass's lanes that have some; the element is sunk: known
    // from the start, as all of wb hangs on them.
    reg          takes_q;
    reg          is_sunk_q;
    // The register of this cycle is the last of the pass: known from its start, as the whole path waits for it.
    reg          at_last_q;
    // Where the line installed last is, and the sector that came in that cycle; its other one is written in the next.
    reg  [2:0]   fill_slot_q;
    reg          fill_sector_q;
    reg          fills_rest_q;
    wire [511:0] word_read_data;
    reg  [15:0]  word_write_enable;
    reg  [511:0] word_write_data;
    wire [3:0]   extract_negative;
    wire [127:0] extract_value;
    reg          wb_full_q;
    reg  [20:0]  wb_held_q;
    reg  [127:0] wb_word_q;
    reg  [7:0]   wb_byte_q;
    reg  [2:0]   wb_size_q;
    reg          wb_sign_q;
    reg  [3:0]   wb_fill_q;  // Lanes in which all bits are the sign of the register before.

    // Fields of in_pass (DataPass).
    wire [23:0] in_pass_result = in_pass[31:8];  // What its operation writes.

    // Fields of in_result (LdcResult).
    wire [2:0] in_result_registers = in_result[7:5];  // log2 of the registers.
    wire [7:0] in_result_sink      = in_result[23:16];  // Elements that are not written.

    // Fields of result (LdcResult).
    wire [2:0] result_size     = result[2:0];  // log2 of an element's bytes.
    wire       result_sign     = result[3];  // Sign-extend.
    wire       result_extended = result[4];  // An element of at most 32 bits fills two registers.
    wire [7:0] result_rd       = result[15:8];  // First destination register.
    wire [7:0] result_sink     = result[23:16];  // Elements that are not written.

    // Fields of held_q (DataPass).
    wire [7:0]  held_tag     = held_q[7:0];  // Names the operation.
    wire [23:0] held_result  = held_q[31:8];  // What its operation writes.
    wire [3:0]  held_write   = held_q[35:32];  // Lanes that the pass writes.
    wire [3:0]  held_value   = held_q[39:36];  // Lanes among them that take data from the line; the others get 0.
    wire [4:0]  held_segment = held_q[44:40];  // The line's bank, less that named by the instruction.

    // Fields of wb_held_q (Writeback).
    wire [7:0] wb_held_tag  = wb_held_q[7:0];  // Its operation.
    wire [7:0] wb_held_rd   = wb_held_q[15:8];  // The register.
    wire [3:0] wb_held_mask = wb_held_q[19:16];  // Lanes written.
    wire       wb_held_last = wb_held_q[20];  // Ends the operation.

    wire [7:0] wb_held_d_tag = sends ? held_tag : wb_held_tag;  // Its operation.
    wire [7:0] wb_held_d_rd = sends ? (result_rd + {3'd0, index_q}) : wb_held_rd;  // The register.
    // Lanes written.
    wire [3:0] wb_held_d_mask =
        !sends ? wb_held_mask :
        !is_sunk_q ? (held_write & ~failed_q) :
        4'd0;
    wire wb_held_d_last = sends ? (at_last_q & !has_more) : wb_held_last;  // Ends the operation.

    wire [3:0] lowest_failed = failed_q & (~failed_q + 4'd1);

    always @(*) begin : failed_offset_logic
        integer i;
        failed_offset = 6'd0;
        for (i = 0; i < 4; i = i + 1) begin
            if (lowest_failed[i]) failed_offset = failed_offset | offset_q[i * 6 +: 6];
        end
    end

    wire [2:0] fault_cause = CAUSE_MEMORY_ERROR;  // Why.
    wire [31:0] failed_address = ({27'd0, held_segment} << 16) | ({22'd0, line_q} << 6) | {26'd0, failed_offset};
    assign fault = {failed_address, failed_q, fault_cause, held_tag};

    // Rule BEAT: a register goes to wb when wb is free, and the first of a pass with failed lanes when fault is free
    // too.
    wire wb_free = !wb_full_q | wb_ready;
    assign sends = full_q & wb_free & (!is_due_q | fault_ready);
    assign fault_valid = full_q & wb_free & is_due_q;
    wire leaves = sends & at_last_q;  // What data holds ends at this edge.
    assign in_ready = (frees_with_wb_q & (wb_free | frees_with_fault_q)) | (frees_with_fault_q & wb_free & fault_ready);

    // Rule BEAT: which register comes next, of which element, and where its bytes are.
    assign result = held_result;
    assign in_result = in_pass_result;

    always @(*) begin : in_last_logic
        integer i;
        for (i = 0; i < 5; i = i + 1) begin
            in_last[i] = in_result_registers > i[2:0];
        end
    end

    wire ends_at_once = !(|in_result_registers);
    wire next_is_upper = result_extended & !index_q[0];
    wire next_is_last = next_index_q == last_index_q;
    wire is_upper = result_extended & index_q[0];
    wire [1:0] unit = (result_size < SIZE_32) ? result_size[1:0] : 2'd2;
    wire [3:0] next_position =
        next_is_upper ? position_q :
        (unit == 2'd0) ? (position_q + 4'd1) :
        (unit == 2'd1) ? (position_q + 4'd2) :
        position_q + 4'd4;
    wire [2:0] next_element =
        (result_size > SIZE_64) ? next_index_q[4:2] :
        (result_extended | (result_size == SIZE_64)) ? next_index_q[3:1] :
        next_index_q[2:0];
    wire next_is_sunk = result_sink[next_element];
    wire [3:0] served = takes_q ? (held_value & ~failed_q) : 4'd0;
    assign holds = full_q;
    assign is_replay = full_q & is_replay_held_q;
    assign tag = held_tag;

    // Line memory.
    wire [2:0] install_slot = ({2'd0, install_way} << 2) | {1'b0, install_set};
    wire writes = install | fills_rest_q;
    wire [2:0] write_slot = fills_rest_q ? fill_slot_q : install_slot;
    wire write_sector = fills_rest_q ? !fill_sector_q : install_sector;
    wire [511:0] line_word = word_read_data;  // [16 x 32 bits]

    always @(*) begin : word_write_enable_logic
        integer i;
        for (i = 0; i < 8; i = i + 1) begin
            word_write_enable[i] = writes & !write_sector;
            word_write_enable[i + 8] = writes & write_sector;
        end
    end

    always @(*) begin : word_write_data_logic
        integer i;
        for (i = 0; i < 8; i = i + 1) begin
            word_write_data[i * 32 +: 32] = install_data[i * 32 +: 32];
            word_write_data[(i + 8) * 32 +: 32] = install_data[i * 32 +: 32];
        end
    end

    // Each lane's word: or-ing pairs of words of which all but one are masked takes fewer LUTs than a tree of
    // multiplexers.
    always @(*) begin : quad_index_logic
        integer i, j;
        for (i = 0; i < 4; i = i + 1) begin
            quad_index = offset_q[(i * 6) + 4 +: 2];
            pair_index = (({1'b0, quad_index} << 1) & ~(3'd1 << 0)) | ({2'd0, at_q[(i * 4) + 3]} << 0);
            lane_word[i * 32 +: 32] = 32'd0;
            for (j = 0; j < 8; j = j + 1) begin
                picked = 32'd0;
                if (pair_index == j[2:0]) begin
                    picked = line_word[(j * 2) * 32 +: 32];
                    if (at_q[(i * 4) + 2]) picked = line_word[((j * 2) + 1) * 32 +: 32];
                end
                lane_word[i * 32 +: 32] = lane_word[i * 32 +: 32] | picked;
            end
        end
    end

    // wb.
    assign wb_valid = wb_full_q;
    assign wb = wb_held_q;
    assign wb_data = extract_value;

    genvar element;
    generate
        for (element = 0; element < 16; element = element + 1) begin : word
            lsu_memory #(.ADDRESS_BITS(3), .WIDTH(32)) unit (
                .clk           (clk),
                .read_address  (slot_q),
                .read_data     (word_read_data[element * 32 +: 32]),
                .write_enable  (word_write_enable[element]),
                .write_address (write_slot),
                .write_data    (word_write_data[element * 32 +: 32])
            );
        end
    endgenerate

    lsu_ldc_extract extract (
        .word       (wb_word_q),
        .byte_index (wb_byte_q),
        .size       (wb_size_q),
        .sign       (wb_sign_q),
        .fill       (wb_fill_q),
        .negative   (extract_negative),
        .value      (extract_value)
    );

    always @(posedge clk) begin : register_logic
        integer i;
        if (rst) begin
            {full_q, frees_with_wb_q, frees_with_fault_q, is_replay_held_q, held_q, offset_q, at_q, position_q, line_q,
              slot_q, index_q, next_index_q, last_index_q, failed_q, is_due_q, takes_q, is_sunk_q, at_last_q,
              fill_slot_q, fill_sector_q, fills_rest_q, wb_full_q, wb_held_q, wb_word_q, wb_byte_q, wb_size_q,
              wb_sign_q, wb_fill_q} <= 300'd0;
        end else begin
            if (sends) begin
                index_q <= next_index_q;
                next_index_q <= next_index_q + 5'd1;
                // The upper register of an extended element takes nothing but the sign of the lower one.
                takes_q <= !next_is_sunk & !next_is_upper;
                is_sunk_q <= next_is_sunk;
                position_q <= next_position;
                is_due_q <= 1'b0;
                at_last_q <= next_is_last;
                frees_with_wb_q <= next_is_last;
                frees_with_fault_q <= 1'b0;
                // A lane begins at a multiple of all that it reads: or-ing is adding.
                for (i = 0; i < 4; i = i + 1) begin
                    at_q[i * 4 +: 4] <= offset_q[i * 6 +: 4] | next_position;
                end
            end
            if (!full_q | leaves) begin
                full_q <= in_valid;
                frees_with_wb_q <= !in_valid | (ends_at_once & !(|in_failed));
                frees_with_fault_q <= !in_valid | (ends_at_once & (|in_failed));
                is_replay_held_q <= in_is_replay;
                held_q <= in_pass;
                line_q <= in_line;
                slot_q <= ({2'd0, in_way} << 2) | (in_line[2:0] & 3'd3);
                if (in_is_replay) slot_q <= fill_slot_q;
                failed_q <= in_failed;
                is_due_q <= |in_failed;
                is_sunk_q <= in_result_sink[0];
                takes_q <= !in_result_sink[0];
                at_last_q <= ends_at_once;
                index_q <= 5'd0;
                next_index_q <= 5'd1;
                last_index_q <= in_last;
                position_q <= 4'd0;
                for (i = 0; i < 4; i = i + 1) begin
                    offset_q[i * 6 +: 6] <= in_offset[i * 6 +: 6];
                    at_q[i * 4 +: 4] <= in_offset[i * 6 +: 4];
                end
            end
            if (install) begin
                fill_slot_q <= install_slot;
                fill_sector_q <= install_sector;
            end
            fills_rest_q <= install;
            if (wb_free) wb_full_q <= sends;
            if (sends) begin
                wb_size_q <= result_size;
                wb_sign_q <= result_sign;
                wb_fill_q <= 4'd0;
                if (is_upper) begin
                    wb_size_q <= SIZE_8;
                    wb_fill_q <= extract_negative;
                end
                for (i = 0; i < 4; i = i + 1) begin
                    wb_word_q[i * 32 +: 32] <= lane_word[i * 32 +: 32];
                    if (!served[i]) wb_word_q[i * 32 +: 32] <= 32'd0;
                    wb_byte_q[i * 2 +: 2] <= at_q[i * 4 +: 2];
                end
            end
            wb_held_q <= {wb_held_d_last, wb_held_d_mask, wb_held_d_rd, wb_held_d_tag};
        end
    end

    // Bits that nothing reads.
    wire unused = &{1'b0, in_result, result, in_result_sink[7:1]};

`ifdef LSU_CONTRACTS  // What this module relies on, or promises.
    reg  contract_aligned;  // A lane that takes data begins at a multiple of all that it reads.

    // Fields of result (LdcResult).
    wire [2:0] result_registers = result[7:5];  // log2 of the registers.

    // Only a replayed pass is offered while data is not free.
    wire contract_pass = !in_valid | in_is_replay | in_ready;
    // A line is installed only while data does not hold a replayed pass.
    wire contract_install = !install | !is_replay;
    // Nothing is written into the line that the pass in data reads.
    wire contract_slot = !writes | !full_q | !(|held_value) | (write_slot != slot_q);

    always @(*) begin : contract_aligned_logic
        integer i, j;
        contract_aligned = 1'b1;
        for (i = 0; i < 4; i = i + 1) begin
            for (j = 0; j < 4; j = j + 1) begin
                if (full_q & held_value[i] & offset_q[(i * 6) + j] &
                  (({1'b0, result_registers} + {2'd0, unit}) > j[3:0]) &
                  (!result_extended | ((({1'b0, result_registers} + {2'd0, unit}) - 4'd1) > j[3:0]))) begin
                    contract_aligned = 1'b0;
                end
            end
        end
    end

    reg contracts_begun;  // rst has been 1.
    initial contracts_begun = 1'b0;
    always @(posedge clk) begin
        contracts_begun <= contracts_begun | rst;
        if (contracts_begun && !rst) begin
            if (contract_pass !== 1'b1) begin
                $display("contract of lsu_data_stage broken in %m:",
                  " Only a replayed pass is offered while data is not free.");
                $stop;
            end
            if (contract_install !== 1'b1) begin
                $display("contract of lsu_data_stage broken in %m:",
                  " A line is installed only while data does not hold a replayed pass.");
                $stop;
            end
            if (contract_slot !== 1'b1) begin
                $display("contract of lsu_data_stage broken in %m:",
                  " Nothing is written into the line that the pass in data reads.");
                $stop;
            end
            if (contract_aligned !== 1'b1) begin
                $display("contract of lsu_data_stage broken in %m:",
                  " A lane that takes data begins at a multiple of all that it reads.");
                $stop;
            end
        end
    end
`endif
endmodule

// lsu_ldc_extract: One register of every lane, extended to 32 bits.
module lsu_ldc_extract (
    // Word in which each lane's access begins; 0 for a lane that takes no data. [4 x 32 bits]
    input  wire [127:0] word,
    // Byte in that word where each lane's access begins: a multiple of the access size. [4 x 2 bits]
    input  wire [7:0]   byte_index,
    input  wire [2:0]   size,  // log2 of the access size in bytes.
    input  wire         sign,  // Sign-extend.
    // Lanes in whose upper register of an extended element every bit is 1; the word is 0 there, and the size SIZE_8.
    input  wire [3:0]   fill,
    output reg  [3:0]   negative,  // Lanes whose value is extended with 1.
    output reg  [127:0] value  // The register of each lane. [4 x 32 bits]
);
    localparam [2:0] SIZE_8 = 3'd0;  // elements of 8 bits
    localparam [2:0] SIZE_16 = 3'd1;  // elements of 16 bits
    reg  [7:0]  lowest;
    reg         is_negative;
    reg  [7:0]  ones;
    reg  [15:0] picked_half;
    reg  [7:0]  picked_byte;
    reg         top_bit;
    reg  [7:0]  middle;
    reg  [15:0] upper;

    wire is_byte = size == SIZE_8;
    wire is_short = is_byte | (size == SIZE_16);

    always @(*) begin : negative_logic
        integer i;
        for (i = 0; i < 4; i = i + 1) begin
            // The low byte is the one at the index, whatever the size: what is longer begins at a multiple of its size.
            picked_half = word[i * 32 +: 16];
            if (byte_index[(i * 2) + 1]) picked_half = word[(i * 32) + 16 +: 16];
            picked_byte = picked_half[7:0];
            if (byte_index[i * 2]) picked_byte = picked_half[15:8];
            top_bit = word[(i * 32) + 31];
            if (is_short) top_bit = picked_half[15];
            if (is_byte) top_bit = picked_byte[7];
            // LDC-12: a signed byte or half-word is extended by its top bit.
            is_negative = sign & top_bit;
            negative[i] = is_negative;
            ones = 8'd0;
            if (fill[i]) ones = 8'hff;
            lowest = picked_byte | ones;
            middle = picked_half[15:8];
            if (is_byte) begin
                middle = 8'd0;
                if (is_negative | fill[i]) middle = 8'hff;
            end
            upper = word[(i * 32) + 16 +: 16];
            if (is_short) begin
                upper = 16'd0;
                if (is_negative | fill[i]) upper = 16'hffff;
            end
            value[i * 32 +: 32] = ({16'd0, upper} << 16) | ({24'd0, middle} << 8) | {24'd0, lowest};
        end
    end
endmodule

// lsu_fault_register: Place fault of either path: one fault record.
module lsu_fault_register (
    input  wire        clk,  // Clock.
    input  wire        rst,  // Synchronous reset.
    output wire        free,  // fault is free at this edge.
    // Failed lanes are to be reported before what issue offers, in this cycle or a later one.
    input  wire        failed_waits,
    input  wire        failed_valid,  // It reports them at this edge.
    input  wire [46:0] failed,  // The record.
    input  wire        issue_valid,  // issue offers a fault.
    output wire        issue_ready,  // It is taken at this edge.
    input  wire [46:0] issue,  // The record.
    output wire        fault_valid,  // A record is offered.
    input  wire        fault_ready,  // It is taken at this edge.
    output wire [46:0] fault  // The record.
);
    reg         full_q;
    reg  [46:0] held_q;

    assign free = !full_q | fault_ready;
    assign issue_ready = free & !failed_waits;
    assign fault_valid = full_q;
    assign fault = held_q;

    always @(posedge clk) begin
        if (rst) begin
            {full_q, held_q} <= 48'd0;
        end else begin
            if (free) begin
                full_q <= failed_valid | (issue_valid & !failed_waits);
                held_q <= issue;
                if (failed_valid) held_q <= failed;
            end
        end
    end

`ifdef LSU_CONTRACTS  // What this module relies on, or promises.

    wire contract_free = !failed_valid | free;  // A failed pass reports only while free.

    reg contracts_begun;  // rst has been 1.
    initial contracts_begun = 1'b0;
    always @(posedge clk) begin
        contracts_begun <= contracts_begun | rst;
        if (contracts_begun && !rst) begin
            if (contract_free !== 1'b1) begin
                $display("contract of lsu_fault_register broken in %m:",
                  " A failed pass reports only while free.");
                $stop;
            end
        end
    end
`endif
endmodule

// lsu_event_counter: Counts the cycles of an event.
module lsu_event_counter (
    input  wire        clk,  // Clock.
    input  wire        rst,  // Synchronous reset: 0.
    input  wire        happens,  // It happens in this cycle.
    output wire [31:0] count  // Cycles before this one in which it happened.
);
    reg         happened_q;
    reg  [31:0] held_q;  // The count, but for the last cycle.

    wire step = happened_q ? 1'b1 : 1'b0;
    assign count = held_q + {31'd0, step};

    always @(posedge clk) begin
        if (rst) begin
            {happened_q, held_q} <= 33'd0;
        end else begin
            happened_q <= happens;
            held_q <= count;
        end
    end
endmodule

// lsu_sticky: A bit that stays set until reset.
module lsu_sticky (
    input  wire clk,  // Clock.
    input  wire rst,  // Synchronous reset: 0.
    input  wire set,  // Becomes 1 at this edge.
    output wire value  // 1 since it was set.
);
    reg  held_q;

    assign value = held_q;

    always @(posedge clk) begin
        if (rst) begin
            held_q <= 1'b0;
        end else begin
            if (set) held_q <= 1'b1;
        end
    end
endmodule

// lsu_global_path: The global path: loads and stores of global and local memory through L1 and the read-only cache, and
// of the cluster's shared memory.
module lsu_global_path (
    input  wire         clk,  // Clock.
    input  wire         rst,  // Synchronous reset.
    input  wire         req_valid,  // An operation of this path is offered.
    output wire         req_ready,  // It is taken at this edge.
    input  wire [143:0] req,  // Its fields from the pins; the decoded ones are not looked at.
    input  wire [1:0]   req_dst_width,  // Bits of a destination register: 16, 32 or 64.
    input  wire [3:0]   req_mask,  // Active lanes.
    input  wire [3:0]   req_wide,  // Lanes whose register operand does not fit.
    input  wire [127:0] req_addr,  // Register operand of each lane. [4 x 32 bits]
    input  wire [31:0]  req_imm,  // Signed immediate.
    input  wire [127:0] window_base,  // First byte of each generic window: shared, local, const, param. [4 x 32 bits]
    input  wire [127:0] window_size,  // Bytes of each window. [4 x 32 bits]
    input  wire [9:0]   req_shared_base,  // First byte of the CTA's window in shared memory.
    input  wire [9:0]   req_shared_size,  // Bytes of that window.
    input  wire [7:0]   cluster_rank,  // The own CTA's rank in the cluster.
    input  wire [15:0]  param_offset,  // Where kernel parameters begin in bank 0.
    input  wire         bank_writes,  // The bank table takes a write at this edge.
    input  wire [55:0]  bank_write,  // Which.
    input  wire         wdata_valid,  // Store data is offered.
    output wire         wdata_ready,  // It is taken at this edge.
    input  wire [7:0]   wdata_tag,  // The store that it is sent for.
    output wire         wrong_tag,  // A beat is taken at this edge that was sent for another store.
    input  wire [127:0] wdata_data,  // Store data of each lane. [4 x 32 bits]
    output wire         wb_valid,  // A register is offered.
    input  wire         wb_ready,  // Taken at this edge.
    output wire [20:0]  wb,  // All of it but the values.
    output wire [127:0] wb_data,  // Values; 0 in lanes that are not written. [4 x 32 bits]
    output wire         fault_valid,  // A fault record is offered.
    input  wire         fault_ready,  // It is taken at this edge.
    output wire [46:0]  fault,  // The record.
    output wire         done_valid,  // A store or command has taken effect.
    input  wire         done_ready,  // It is taken at this edge.
    output wire [7:0]   done_tag,  // Its tag.
    output wire         mem_req_valid,  // A sector is asked for or written.
    input  wire         mem_req_ready,  // Taken at this edge.
    output wire [7:0]   mem_req_id,  // 64 + 4 x MSHR + sector.
    output wire         mem_req_write,  // Write instead of read.
    output wire [31:0]  mem_req_addr,  // Sector-aligned byte address.
    output wire [31:0]  mem_req_strb,  // Bytes written, or asked for.
    output reg  [255:0] mem_req_data,  // Write data, word 0 lowest; 0 for reads. [8 x 32 bits]
    output wire [76:0]  mem_req_attributes,  // What the other side is told of the operation.
    input  wire         mem_rsp_valid,  // A response of this path came.
    output wire         mem_rsp_blocked,  // No response may be taken in this cycle, whoever asked for it.
    input  wire [7:0]   mem_rsp_id,  // The request's id.
    input  wire [255:0] mem_rsp_data,  // The sector, word 0 lowest. [8 x 32 bits]
    input  wire         mem_rsp_error,  // The access failed; the data means nothing.
    output wire         cluster_req_valid,  // A sector of another CTA's shared memory is asked for or written.
    input  wire         cluster_req_ready,  // Taken at this edge.
    output wire [5:0]   cluster_req_id,  // 4 x MSHR + sector.
    output wire         cluster_req_write,  // Write instead of read.
    output wire [31:0]  cluster_req_addr,  // Sector-aligned offset in the window of that CTA.
    output wire [7:0]   cluster_req_rank,  // Its rank.
    output wire [31:0]  cluster_req_strb,  // Bytes written, or asked for.
    output reg  [255:0] cluster_req_data,  // Write data, word 0 lowest; 0 for reads. [8 x 32 bits]
    output wire [76:0]  cluster_req_attributes,  // What the other side is told of the operation.
    input  wire         cluster_rsp_valid,  // A response from the cluster came.
    output wire         cluster_rsp_ready,  // It is taken at this edge.
    input  wire [5:0]   cluster_rsp_id,  // The request's id.
    input  wire [255:0] cluster_rsp_data,  // The sector, word 0 lowest. [8 x 32 bits]
    input  wire         cluster_rsp_error,  // The access failed; the data means nothing.
    input  wire         serve_req_valid,  // Another CTA asks for a sector of shared memory.
    output wire         serve_req_ready,  // It is taken at this edge.
    input  wire [5:0]   serve_req_id,  // Returned with the response.
    input  wire [7:0]   serve_req_rank,  // Rank of the CTA that asks; returned with the response.
    input  wire         serve_req_write,  // Write instead of read.
    input  wire [31:0]  serve_req_addr,  // Byte offset in the window of the CTA; the low five bits are not looked at.
    input  wire [31:0]  serve_req_strb,  // Bytes written; of a read, not looked at.
    input  wire [255:0] serve_req_data,  // Write data, word 0 lowest. [8 x 32 bits]
    output wire         serve_rsp_valid,  // The response is offered.
    input  wire         serve_rsp_ready,  // It is taken at this edge.
    output wire [5:0]   serve_rsp_id,  // The request's id.
    output wire [7:0]   serve_rsp_rank,  // The CTA that asked.
    output wire [255:0] serve_rsp_data,  // The sector, word 0 lowest; 0 for a write and for an error. [8 x 32 bits]
    output wire         serve_rsp_error,  // The address lies beyond the window; nothing was written.
    input  wire [9:0]   cluster_base,  // First byte of the own CTA's window, as others see it.
    input  wire [9:0]   cluster_size,  // Its bytes.
    input  wire         rst_mem,  // With reset: what others asked for is forgotten, too.
    output wire         write_back_error,  // Memory has refused what was written back, and says so at this edge.
    output wire         idle,  // Nothing is in flight on this path.
    input  wire         stalls_memory,  // A memory request of the whole unit waits, for the counter.
    input  wire [31:0]  local_memory,  // Where local memory lies in memory.
    output wire [383:0] counts  // The counters.
);
    wire [143:0]  issued;
    wire [143:0]  merged;
    wire [143:0]  in_tag;
    reg  [11:0]   holds;
    wire          intake_req_ready;
    wire          intake_valid;
    wire [183:0]  intake_addressed;
    wire [127:0]  intake_address;
    wire [127:0]  intake_bank_address;
    wire          check_in_ready;
    wire          check_valid;
    wire [143:0]  check_operation;
    wire [2:0]    check_cause;
    wire [3:0]    check_lanes;
    wire [3:0]    check_fault_lanes;
    wire [3:0]    check_leader;
    wire [31:0]   check_leader_address;
    wire [3:0]    check_shared;
    wire [4:0]    check_shared_shift;
    wire [3:0]    check_local_lanes;
    wire [127:0]  check_address;
    wire          issue_in_ready;
    wire          issue_wdata_ready;
    wire          issue_wrong_tag;
    wire          issue_beat_write;
    wire [2:0]    issue_beat_index;
    wire          issue_load_valid;
    wire          issue_bank_valid;
    wire          issue_store_valid;
    wire [180:0]  issue_pass;
    wire          issue_holds;
    wire          issue_empty;
    wire [27:0]   issue_offset;
    wire [7:0]    issue_shared_row;
    wire [19:0]   issue_place;
    wire [4:0]    issue_leader_byte;
    wire          issue_issues;
    wire          issue_replays;
    wire          issue_fault_valid;
    wire [46:0]   issue_fault;
    wire          issue_fault_is_windowed;
    wire          merge_in_ready;
    wire          merge_empty;
    wire          merge_valid;
    wire [180:0]  merge_pass;
    wire [27:0]   merge_offset;
    wire [19:0]   merge_place;
    wire [31:0]   merge_strobe;
    wire [255:0]  merge_data;
    wire          tag_in_ready;
    wire          tag_writes_back;
    wire          tag_dirty_way;
    wire [1:0]    tag_dirty_sector;
    wire          tag_looked_set;
    wire [26:0]   tag_write_back_line;
    wire          tag_full;
    wire          tag_second_full;
    wire [7:0]    tag_second_tag;
    wire [143:0]  tag_operation;
    wire          tag_waits_for_bank;
    wire [26:0]   tag_line;
    wire          tag_next_comes;
    wire [26:0]   tag_next_line;
    wire          tag_next_is_same;
    wire          tag_next_is_beside_l1;
    wire          tag_next_is_beside_ro;
    wire          tag_next_has_line;
    wire          tag_next_has_lanes;
    wire [143:0]  tag_next_operation;
    wire [3:0]    tag_need;
    wire [27:0]   tag_offset;
    wire [4:0]    tag_leader_byte;
    wire [19:0]   tag_place;
    wire [31:0]   tag_strobe;
    wire [255:0]  tag_data;
    wire          tag_to_hit;
    wire          tag_to_ro_read;
    wire [186:0]  tag_hit_pass;
    wire [7:0]    tag_l1_reads;
    wire [7:0]    tag_ro_reads;
    wire          tag_allocates;
    wire [3:0]    tag_miss;
    wire [3:0]    tag_miss_lanes;
    wire          tag_keeps;
    wire          tag_l1_forbids;
    wire          tag_ro_forbids;
    wire [1:0]    tag_l1_ways;
    wire [1:0]    tag_ro_ways;
    wire [3:0]    tag_row;
    wire          tag_drop_line;
    wire          tag_flush_l1;
    wire          tag_flush_ro;
    wire          tag_to_store;
    wire          tag_store_hits;
    wire          tag_to_local;
    wire          tag_to_shared;
    wire          tag_holds_shared;
    wire          tag_counts_l1;
    wire          tag_counts_ro;
    wire [3:0]    tag_hit;
    wire          tag_stalls_order;
    wire          tag_stalls_misses;
    wire          tag_stalls_data;
    wire          misses_conflict;
    wire          misses_full;
    wire          misses_has_waiter;
    wire          misses_empty;
    wire          misses_holds_local;
    wire          misses_holds_write_back;
    wire [1:0]    misses_l1_reserved;
    wire [1:0]    misses_ro_reserved;
    wire [1:0]    misses_l1_lost;
    wire [1:0]    misses_ro_lost;
    wire [1:0]    misses_l1_named;
    wire [1:0]    misses_ro_named;
    wire          misses_has_mshr;
    wire          misses_free_index;
    wire [3:0]    misses_ask;
    wire          misses_asks;
    wire          misses_mshr;
    wire          misses_row_fill;
    wire [3:0]    misses_fill_row;
    wire [31:0]   misses_fill_strobe;
    wire [3:0]    misses_l1_dirties;
    wire          misses_write_back_error;
    wire [3:0]    misses_l1_fill;
    wire [3:0]    misses_ro_fill;
    wire [3:0]    misses_l1_undo;
    wire [26:0]   misses_fill_line;
    wire [1:0]    misses_l1_fill_ways;
    wire [1:0]    misses_ro_fill_ways;
    wire          misses_ready_valid;
    wire [186:0]  misses_ready_pass;
    wire [27:0]   misses_ready_offset;
    wire          misses_acquired;
    reg  [31:0]   misses_asked_tag;
    wire [3:0]    misses_holds_tag;
    wire          read_queue_valid;
    wire          read_queue_cluster_valid;
    wire [76:0]   read_queue_attributes;
    wire          read_queue_request_mshr;
    wire [1:0]    read_queue_request_sector;
    wire [31:0]   read_queue_address;
    wire [31:0]   read_queue_strobe;
    wire          write_free;
    reg  [255:0]  write_write_back_data;
    wire          write_valid;
    wire          write_cluster_valid;
    wire [76:0]   write_attributes;
    wire          write_request_mshr;
    wire [1:0]    write_request_sector;
    wire [31:0]   write_address;
    wire [31:0]   write_request_strobe;
    wire [255:0]  write_request_data;
    wire          write_updates;
    wire          write_update_is_shared;
    wire          write_rests;
    wire [31:0]   write_update_strobe;
    wire [255:0]  write_update_data;
    wire [19:0]   write_update_place;
    wire [1:0]    write_update_sector;
    wire [3:0]    write_update_row;
    wire          write_back_full;
    wire          write_back_full_next;
    wire          write_back_way;
    wire [3:0]    write_back_row;
    wire [1:0]    write_back_sector;
    wire          write_back_reads;
    wire          write_back_lands;
    wire          write_back_mshr;
    wire          places_hit_free;
    wire          places_ro_read_free;
    wire          places_ready_take;
    wire          places_bank_free;
    wire          places_bank_holds;
    wire [186:0]  places_bank_pass;
    wire [8:0]    places_holds;
    wire [71:0]   places_tag;
    wire [27:0]   places_row;
    wire [27:0]   places_sectors;
    wire          places_serve_goes;
    wire          places_write_back_goes;
    wire          places_acquired;
    wire          places_bank_precedes;
    wire          places_may_read;
    wire          places_read_goes;
    wire [3:0]    places_read_row;
    wire [3:0]    places_read_sectors;
    wire          places_read_is_shared;
    wire [7:0]    places_read_shared_row;
    wire [7:0]    places_read_sector;
    wire [143:0]  places_read_operation;
    wire [1:0]    places_read_number;
    wire [3:0]    places_read_lanes;
    wire          places_read_last;
    wire [27:0]   places_read_offset;
    wire          places_finishes;
    wire [7:0]    places_picked_tag;
    wire          places_has_failed;
    wire          places_reports;
    wire [46:0]   places_failed_record;
    reg  [95:0]   census_tag;
    wire          census_ahead;
    wire [3:0]    census_last;
    wire [7:0]    readers_l1;
    wire [7:0]    readers_ro;
    wire [1:0]    readers_own;
    wire [1023:0] rows_word;
    wire [3:0]    rows_write_sectors;
    wire [3:0]    rows_write_row;
    wire          reads_free;
    wire          reads_read_holds;
    wire [7:0]    reads_read_tag;
    wire          reads_valid;
    wire          reads_landed_is_same;
    wire [143:0]  reads_landed_operation;
    wire [1:0]    reads_landed_number;
    wire [3:0]    reads_landed_lanes;
    wire          reads_landed_last;
    wire [15:0]   reads_landed_byte;
    wire [511:0]  reads_landed_word;
    wire          collector_full;
    wire [7:0]    collector_tag;
    wire [1:0]    collector_number;
    wire          collector_is_local;
    wire          collector_stands;
    wire          collector_sends_last;
    wire          collector_read_ready;
    wire          collector_wb_valid;
    wire [20:0]   collector_wb;
    wire [127:0]  collector_wb_data;
    wire          fault_register_free;
    wire          fault_register_issue_ready;
    wire          fault_register_fault_valid;
    wire [46:0]   fault_register_fault;
    reg           fault_is_windowed_q;  // The address of its record counts from where the local window begins.
    reg  [31:0]   fault_window_q;  // That beginning.
    wire          memory_arbiter_first_ready;
    wire          memory_arbiter_second_ready;
    wire          memory_arbiter_valid;
    wire          memory_arbiter_is_second;
    wire          cluster_arbiter_first_ready;
    wire          cluster_arbiter_second_ready;
    wire          cluster_arbiter_valid;
    wire          cluster_arbiter_is_second;
    wire          answer_cluster_rsp_ready;
    wire          answer_full;
    wire          answer_is_source;
    wire          answer_mshr;
    wire [1:0]    answer_sector;
    wire          answer_error;
    wire [255:0]  answer_data;
    wire          serve_serve_req_ready;
    wire          serve_full;
    wire          serve_writes;
    wire          serve_write_goes;
    wire [31:0]   serve_strobe;
    wire [255:0]  serve_data;
    wire          serve_reads;
    wire [3:0]    serve_row;
    wire [1:0]    serve_sector;
    wire          serve_lands;
    wire          serve_part;
    wire          serve_ends;
    wire [5:0]    serve_id;
    wire [7:0]    serve_rank;
    wire          serve_error;
    reg  [255:0]  reply_word;
    wire          reply_full;
    wire          reply_stays;
    wire          reply_serve_rsp_valid;
    wire [5:0]    reply_serve_rsp_id;
    wire [7:0]    reply_serve_rsp_rank;
    wire [255:0]  reply_serve_rsp_data;
    wire          reply_serve_rsp_error;
    wire [383:0]  counters_counts;
    reg           done_full_q;
    reg  [7:0]    done_held_q;

    // Fields of issued (Operation).
    wire [7:0] issued_tag = issued[7:0];  // Names the operation.

    // Fields of merged (Operation).
    wire [7:0] merged_tag = merged[7:0];  // Names the operation.

    // Fields of in_tag (Operation).
    wire [7:0] in_tag_tag      = in_tag[7:0];  // Names the operation.
    wire       in_tag_is_store = in_tag[8];  // Store.
    wire       in_tag_is_local = in_tag[140];  // The pass's lanes are local.

    // Fields of issue_pass (Pass).
    wire [143:0] issue_pass_operation = issue_pass[143:0];  // Its operation.
    wire [3:0]   issue_pass_group     = issue_pass[176:173];  // Lanes of the pass.

    // Fields of merge_pass (Pass).
    wire [143:0] merge_pass_operation = merge_pass[143:0];  // Its operation.

    // Fields of tag_operation (Operation).
    wire tag_operation_warp    = tag_operation[118];  // Slot of its warp.
    wire tag_operation_release = tag_operation[136];  // A store that waits for everything before it.

    // Fields of fault_register_fault (FaultRecord).
    wire [7:0]  fault_register_fault_tag     = fault_register_fault[7:0];  // Its operation.
    wire [2:0]  fault_register_fault_cause   = fault_register_fault[10:8];  // Why.
    wire [3:0]  fault_register_fault_lanes   = fault_register_fault[14:11];  // Every faulting lane.
    wire [31:0] fault_register_fault_address = fault_register_fault[46:15];  // Address of the lowest.

    // intake, check.
    assign req_ready = intake_req_ready;

    // issue: what check lets through becomes passes. The data of a store, which it counts, go past it to merge.
    assign wdata_ready = issue_wdata_ready;
    assign wrong_tag = issue_wrong_tag;

    // tag.
    wire tag_store_comes = !merge_empty;
    wire tag_store_comes_next = merge_in_ready ? issue_store_valid : !merge_empty;
    wire tag_conflict = misses_conflict | places_bank_precedes;
    wire tag_acquired = misses_acquired | places_acquired;

    // Waiters and MSHRs.
    assign write_back_error = misses_write_back_error;

    always @(*) begin : misses_asked_tag_logic
        integer i;
        for (i = 0; i < 4; i = i + 1) begin
            misses_asked_tag[i * 8 +: 8] = places_tag[i * 8 +: 8];
        end
    end

    // Rule RESPONSE: while answer is full nothing is taken at the memory port.
    wire may_respond = write_rests & !serve_writes;  // Neither an update nor serve writes: a response may act.
    wire misses_rsp_valid = (mem_rsp_valid | answer_full) & may_respond;
    wire misses_memory_mshr = mem_rsp_id[2];
    wire [1:0] misses_memory_sector = mem_rsp_id[1:0];
    wire misses_rsp_mshr = answer_full ? answer_mshr : mem_rsp_id[2];
    wire [1:0] misses_rsp_sector = answer_full ? answer_sector : mem_rsp_id[1:0];
    wire misses_rsp_error = answer_full ? answer_error : mem_rsp_error;
    assign mem_rsp_blocked = write_updates | serve_writes | answer_full;
    assign cluster_rsp_ready = answer_cluster_rsp_ready;

    // serve, reply: their registers have a reset of their own.
    wire forgets = rst & rst_mem;
    assign serve_req_ready = serve_serve_req_ready;

    always @(*) begin : reply_word_logic
        integer i;
        for (i = 0; i < 8; i = i + 1) begin
            reply_word[i * 32 +: 32] = rows_word[i * 32 +: 32];
        end
    end

    assign serve_rsp_valid = reply_serve_rsp_valid;
    assign serve_rsp_id = reply_serve_rsp_id;
    assign serve_rsp_rank = reply_serve_rsp_rank;
    assign serve_rsp_data = reply_serve_rsp_data;
    assign serve_rsp_error = reply_serve_rsp_error;

    // Memory port.
    assign in_tag = tag_operation;
    wire asks = tag_next_comes & (tag_allocates & (!in_tag_is_store | in_tag_is_local) & misses_asks);
    wire [180:0] read_queue_pushed = {tag_leader_byte, misses_mshr, tag_line, misses_ask, tag_operation};

    // A store joins no MSHR: it is told the lowest free one.
    // The write of write: its bytes, of whichever port.
    wire [31:0] write_strobe = {28'd0, write_request_strobe[3:0]} | ({28'd0, write_request_strobe[7:4]} << 4) |
      ({28'd0, write_request_strobe[11:8]} << 8) | ({28'd0, write_request_strobe[15:12]} << 12) |
      ({28'd0, write_request_strobe[19:16]} << 16) | ({28'd0, write_request_strobe[23:20]} << 20) |
      ({28'd0, write_request_strobe[27:24]} << 24) | ({28'd0, write_request_strobe[31:28]} << 28);

    // write_back: a sector of the row that was read, as serve reads one.
    always @(*) begin : write_write_back_data_logic
        integer i;
        for (i = 0; i < 8; i = i + 1) begin
            write_write_back_data[i * 32 +: 32] = rows_word[i * 32 +: 32];
        end
    end

    assign mem_req_valid = memory_arbiter_valid;
    assign mem_req_write = memory_arbiter_is_second;

    always @(*) begin : mem_req_data_logic
        integer i;
        for (i = 0; i < 8; i = i + 1) begin
            mem_req_data[i * 32 +: 32] = 32'd0;
            if (memory_arbiter_is_second) mem_req_data[i * 32 +: 32] = write_request_data[i * 32 +: 32];
        end
    end

    assign mem_req_id =
        memory_arbiter_is_second ? (({7'd0, write_request_mshr} << 2) | {6'd0, write_request_sector} | 8'h40) :
        ({7'd0, read_queue_request_mshr} << 2) | {6'd0, read_queue_request_sector} | 8'h40;
    assign mem_req_addr = memory_arbiter_is_second ? write_address : read_queue_address;
    assign mem_req_strb = memory_arbiter_is_second ? write_strobe : read_queue_strobe;
    assign mem_req_attributes = memory_arbiter_is_second ? write_attributes : read_queue_attributes;

    // Cluster port.
    assign cluster_req_valid = cluster_arbiter_valid;
    assign cluster_req_write = cluster_arbiter_is_second;

    always @(*) begin : cluster_req_data_logic
        integer i;
        for (i = 0; i < 8; i = i + 1) begin
            cluster_req_data[i * 32 +: 32] = 32'd0;
            if (cluster_arbiter_is_second) cluster_req_data[i * 32 +: 32] = write_request_data[i * 32 +: 32];
        end
    end

    assign cluster_req_id =
        cluster_arbiter_is_second ? (({5'd0, write_request_mshr} << 2) | {4'd0, write_request_sector}) :
        ({5'd0, read_queue_request_mshr} << 2) | {4'd0, read_queue_request_sector};
    assign cluster_req_strb = cluster_arbiter_is_second ? write_strobe : read_queue_strobe;
    assign cluster_req_attributes = cluster_arbiter_is_second ? write_attributes : read_queue_attributes;
    wire [31:0] cluster_address = cluster_arbiter_is_second ? write_address : read_queue_address;
    assign cluster_req_rank = cluster_address[31:24];
    assign cluster_req_addr = {8'd0, cluster_address[23:0]};

    // hit, ro_read, ro_hit, resume, bank.
    wire [3:0] places_bank_pass_row = 4'd0;  // Row of the row store that they are in.
    wire [3:0] places_bank_pass_sectors = 4'd0;  // Sectors of the row that are to be read; none for a store.
    wire [26:0] places_bank_pass_line = 27'd0;  // Number of its line; only resume needs it.
    // Sectors that failed, of those that it waited for; only resume has any.
    wire [3:0] places_bank_pass_failed = 4'd0;
    assign places_bank_pass = {places_bank_pass_failed, places_bank_pass_line, places_bank_pass_sectors,
      places_bank_pass_row, issue_pass_group, issue_pass_operation};

    // What is where.
    assign issued = issue_pass_operation;
    assign merged = merge_pass_operation;

    always @(*) begin
        holds = {3'd0, places_holds};
        holds[9] = issue_holds;
        holds[10] = tag_full;
        holds[11] = tag_second_full;
    end

    always @(*) begin : census_tag_logic
        integer i;
        for (i = 0; i < 9; i = i + 1) begin
            census_tag[i * 8 +: 8] = places_tag[i * 8 +: 8];
        end
        census_tag[79:72] = issued_tag;
        census_tag[87:80] = in_tag_tag;
        census_tag[95:88] = tag_second_tag;
    end

    wire census_merge_holds = !merge_empty;

    // rows.
    wire rows_reads = places_read_goes | places_serve_goes | places_write_back_goes;

    // read, landing, collect, emit.
    assign wb_valid = collector_wb_valid;
    assign wb = collector_wb;
    assign wb_data = collector_wb_data;

    // Rule FAULT: which lane the address is of is known late in the cycle before.
    assign fault_valid = fault_register_fault_valid;
    // Address of the lowest.
    wire [31:0] fault_address =
        fault_is_windowed_q ? (fault_register_fault_address + fault_window_q) :
        fault_register_fault_address;
    assign fault = {fault_address, fault_register_fault_lanes, fault_register_fault_cause, fault_register_fault_tag};
    wire done_free = !done_full_q | done_ready;
    assign done_valid = done_full_q;
    assign done_tag = done_held_q;

    // What is in the read queue or in write has a waiter or is a write-back's; an update, a waiter or a pass in hit.
    assign idle = !intake_valid & !check_valid & issue_empty & merge_empty & !tag_full & misses_empty & !(|places_holds)
      & !reads_read_holds & !reads_valid & !collector_full & !collector_wb_valid & !fault_register_fault_valid &
      !done_full_q & !serve_full & !reply_full & !write_back_full;

    // Counters.
    wire counters_reads = read_queue_valid & memory_arbiter_first_ready;
    wire counters_writes = write_valid & memory_arbiter_second_ready;
    assign counts = counters_counts;

    lsu_address_unit intake (
        .clk             (clk),
        .rst             (rst),
        .req_valid       (req_valid),
        .req_ready       (intake_req_ready),
        .req             (req),
        .req_dst_width   (req_dst_width),
        .req_mask        (req_mask),
        .req_wide        (req_wide),
        .req_addr        (req_addr),
        .req_imm         (req_imm),
        .window_base     (window_base),
        .window_size     (window_size),
        .req_shared_base (req_shared_base),
        .req_shared_size (req_shared_size),
        .cluster_rank    (cluster_rank),
        .param_offset    (param_offset),
        .bank_writes     (bank_writes),
        .bank_write      (bank_write),
        .valid           (intake_valid),
        .next_ready      (check_in_ready),
        .addressed       (intake_addressed),
        .address         (intake_address),
        .bank_address    (intake_bank_address)
    );

    lsu_operation_check check (
        .clk             (clk),
        .rst             (rst),
        .in_valid        (intake_valid),
        .in_ready        (check_in_ready),
        .in_addressed    (intake_addressed),
        .in_address      (intake_address),
        .in_bank_address (intake_bank_address),
        .valid           (check_valid),
        .next_ready      (issue_in_ready),
        .operation       (check_operation),
        .cause           (check_cause),
        .lanes           (check_lanes),
        .fault_lanes     (check_fault_lanes),
        .leader          (check_leader),
        .leader_address  (check_leader_address),
        .shared          (check_shared),
        .shared_shift    (check_shared_shift),
        .local_lanes     (check_local_lanes),
        .address         (check_address)
    );

    // fault: what issue and the first pass of resume report; and done.
    lsu_coalescer issue (
        .clk                (clk),
        .rst                (rst),
        .in_valid           (check_valid),
        .in_ready           (issue_in_ready),
        .in_operation       (check_operation),
        .in_cause           (check_cause),
        .in_lanes           (check_lanes),
        .in_fault_lanes     (check_fault_lanes),
        .in_leader          (check_leader),
        .in_leader_address  (check_leader_address),
        .in_address         (check_address),
        .in_shared          (check_shared),
        .in_shared_shift    (check_shared_shift),
        .in_local_lanes     (check_local_lanes),
        .local_memory       (local_memory),
        .wdata_valid        (wdata_valid),
        .wdata_ready        (issue_wdata_ready),
        .wdata_tag          (wdata_tag),
        .wrong_tag          (issue_wrong_tag),
        .beat_write         (issue_beat_write),
        .beat_index         (issue_beat_index),
        .merge_empty        (merge_empty),
        .load_valid         (issue_load_valid),
        .load_ready         (tag_in_ready),
        .shared_store_waits (tag_holds_shared),
        .bank_valid         (issue_bank_valid),
        .bank_ready         (places_bank_free),
        .store_valid        (issue_store_valid),
        .store_ready        (merge_in_ready),
        .pass               (issue_pass),
        .holds              (issue_holds),
        .empty              (issue_empty),
        .offset             (issue_offset),
        .shared_row         (issue_shared_row),
        .place              (issue_place),
        .leader_byte        (issue_leader_byte),
        .issues             (issue_issues),
        .replays            (issue_replays),
        .fault_valid        (issue_fault_valid),
        .fault_ready        (fault_register_issue_ready),
        .fault              (issue_fault),
        .fault_is_windowed  (issue_fault_is_windowed)
    );

    // merge.
    lsu_store_merge merge (
        .clk        (clk),
        .rst        (rst),
        .beat_write (issue_beat_write),
        .beat_index (issue_beat_index),
        .beat_data  (wdata_data),
        .in_valid   (issue_store_valid),
        .in_ready   (merge_in_ready),
        .in_pass    (issue_pass),
        .in_offset  (issue_offset),
        .in_place   (issue_place),
        .empty      (merge_empty),
        .valid      (merge_valid),
        .next_ready (tag_in_ready),
        .pass       (merge_pass),
        .offset     (merge_offset),
        .place      (merge_place),
        .strobe     (merge_strobe),
        .data       (merge_data)
    );

    lsu_global_tag_stage tag (
        .clk                    (clk),
        .rst                    (rst),
        .store_valid            (merge_valid),
        .store_comes            (tag_store_comes),
        .store_comes_next       (tag_store_comes_next),
        .store_pass             (merge_pass),
        .store_offset           (merge_offset),
        .store_place            (merge_place),
        .store_strobe           (merge_strobe),
        .store_data             (merge_data),
        .load_valid             (issue_load_valid),
        .load_pass              (issue_pass),
        .load_offset            (issue_offset),
        .load_leader_byte       (issue_leader_byte),
        .in_ready               (tag_in_ready),
        .conflict               (tag_conflict),
        .miss_full              (misses_full),
        .hit_free               (places_hit_free),
        .bank_holds             (places_bank_holds),
        .ro_read_free           (places_ro_read_free),
        .store_free             (write_free),
        .serve_writes           (serve_writes),
        .l1_reserved            (misses_l1_reserved),
        .ro_reserved            (misses_ro_reserved),
        .l1_lost                (misses_l1_lost),
        .ro_lost                (misses_ro_lost),
        .l1_named               (misses_l1_named),
        .ro_named               (misses_ro_named),
        .l1_to_read             (readers_l1),
        .ro_to_read             (readers_ro),
        .acquired               (tag_acquired),
        .l1_fill                (misses_l1_fill),
        .l1_dirties             (misses_l1_dirties),
        .ro_fill                (misses_ro_fill),
        .l1_undo                (misses_l1_undo),
        .fill_line              (misses_fill_line),
        .l1_fill_ways           (misses_l1_fill_ways),
        .ro_fill_ways           (misses_ro_fill_ways),
        .misses_hold_local      (misses_holds_local),
        .misses_hold_write_back (misses_holds_write_back),
        .write_back_full        (write_back_full),
        .write_back_full_next   (write_back_full_next),
        .write_back_way         (write_back_way),
        .writes_back            (tag_writes_back),
        .dirty_way              (tag_dirty_way),
        .dirty_sector           (tag_dirty_sector),
        .looked_set             (tag_looked_set),
        .write_back_line        (tag_write_back_line),
        .full                   (tag_full),
        .second_full            (tag_second_full),
        .second_tag             (tag_second_tag),
        .operation              (tag_operation),
        .waits_for_bank         (tag_waits_for_bank),
        .line                   (tag_line),
        .next_comes             (tag_next_comes),
        .next_line              (tag_next_line),
        .next_is_same           (tag_next_is_same),
        .next_is_beside_l1      (tag_next_is_beside_l1),
        .next_is_beside_ro      (tag_next_is_beside_ro),
        .next_has_line          (tag_next_has_line),
        .next_has_lanes         (tag_next_has_lanes),
        .next_operation         (tag_next_operation),
        .need                   (tag_need),
        .offset                 (tag_offset),
        .leader_byte            (tag_leader_byte),
        .place                  (tag_place),
        .strobe                 (tag_strobe),
        .data                   (tag_data),
        .to_hit                 (tag_to_hit),
        .to_ro_read             (tag_to_ro_read),
        .hit_pass               (tag_hit_pass),
        .l1_reads               (tag_l1_reads),
        .ro_reads               (tag_ro_reads),
        .allocates              (tag_allocates),
        .miss                   (tag_miss),
        .miss_lanes             (tag_miss_lanes),
        .keeps                  (tag_keeps),
        .l1_forbids             (tag_l1_forbids),
        .ro_forbids             (tag_ro_forbids),
        .l1_ways                (tag_l1_ways),
        .ro_ways                (tag_ro_ways),
        .row                    (tag_row),
        .drop_line              (tag_drop_line),
        .flush_l1               (tag_flush_l1),
        .flush_ro               (tag_flush_ro),
        .to_store               (tag_to_store),
        .store_hits             (tag_store_hits),
        .to_local               (tag_to_local),
        .to_shared              (tag_to_shared),
        .holds_shared           (tag_holds_shared),
        .counts_l1              (tag_counts_l1),
        .counts_ro              (tag_counts_ro),
        .hit                    (tag_hit),
        .stalls_order           (tag_stalls_order),
        .stalls_misses          (tag_stalls_misses),
        .stalls_data            (tag_stalls_data)
    );

    lsu_miss_table misses (
        .clk               (clk),
        .rst               (rst),
        .operation         (tag_operation),
        .line              (tag_line),
        .need              (tag_need),
        .next_comes        (tag_next_comes),
        .next_has_line     (tag_next_has_line),
        .next_has_lanes    (tag_next_has_lanes),
        .next_line         (tag_next_line),
        .next_is_same      (tag_next_is_same),
        .next_is_beside_l1 (tag_next_is_beside_l1),
        .next_is_beside_ro (tag_next_is_beside_ro),
        .next_operation    (tag_next_operation),
        .conflict          (misses_conflict),
        .full              (misses_full),
        .has_waiter        (misses_has_waiter),
        .empty             (misses_empty),
        .holds_local       (misses_holds_local),
        .holds_write_back  (misses_holds_write_back),
        .l1_reserved       (misses_l1_reserved),
        .ro_reserved       (misses_ro_reserved),
        .l1_lost           (misses_l1_lost),
        .ro_lost           (misses_ro_lost),
        .l1_named          (misses_l1_named),
        .ro_named          (misses_ro_named),
        .own_to_read       (readers_own),
        .allocates         (tag_allocates),
        .miss              (tag_miss),
        .lanes             (tag_miss_lanes),
        .offset            (tag_offset),
        .l1_forbids        (tag_l1_forbids),
        .ro_forbids        (tag_ro_forbids),
        .keeps             (tag_keeps),
        .l1_ways           (tag_l1_ways),
        .ro_ways           (tag_ro_ways),
        .drop_line         (tag_drop_line),
        .flush_l1          (tag_flush_l1),
        .flush_ro          (tag_flush_ro),
        .strobe            (tag_strobe),
        .write_back_full   (write_back_full),
        .write_back_goes   (places_write_back_goes),
        .write_back_line   (tag_write_back_line),
        .write_back_sector (write_back_sector),
        .has_mshr          (misses_has_mshr),
        .free_index        (misses_free_index),
        .ask               (misses_ask),
        .asks              (misses_asks),
        .mshr              (misses_mshr),
        .rsp_valid         (misses_rsp_valid),
        .rsp_mshr          (misses_rsp_mshr),
        .rsp_sector        (misses_rsp_sector),
        .rsp_error         (misses_rsp_error),
        .rsp_is_remote     (answer_full),
        .answer_mshr       (answer_mshr),
        .memory_mshr       (misses_memory_mshr),
        .memory_sector     (misses_memory_sector),
        .memory_error      (mem_rsp_error),
        .row_fill          (misses_row_fill),
        .fill_row          (misses_fill_row),
        .fill_strobe       (misses_fill_strobe),
        .l1_dirties        (misses_l1_dirties),
        .write_back_error  (misses_write_back_error),
        .l1_fill           (misses_l1_fill),
        .ro_fill           (misses_ro_fill),
        .l1_undo           (misses_l1_undo),
        .fill_line         (misses_fill_line),
        .l1_fill_ways      (misses_l1_fill_ways),
        .ro_fill_ways      (misses_ro_fill_ways),
        .ready_valid       (misses_ready_valid),
        .ready_take        (places_ready_take),
        .ready_pass        (misses_ready_pass),
        .ready_offset      (misses_ready_offset),
        .acquired          (misses_acquired),
        .asked_tag         (misses_asked_tag),
        .holds_tag         (misses_holds_tag)
    );

    lsu_read_queue read_queue (
        .clk            (clk),
        .rst            (rst),
        .has_place      (misses_has_waiter),
        .push           (asks),
        .pushed         (read_queue_pushed),
        .valid          (read_queue_valid),
        .ready          (memory_arbiter_first_ready),
        .cluster_valid  (read_queue_cluster_valid),
        .cluster_ready  (cluster_arbiter_first_ready),
        .attributes     (read_queue_attributes),
        .request_mshr   (read_queue_request_mshr),
        .request_sector (read_queue_request_sector),
        .address        (read_queue_address),
        .strobe         (read_queue_strobe)
    );

    lsu_store_port write (
        .clk               (clk),
        .rst               (rst),
        .push              (tag_to_store),
        .free              (write_free),
        .operation         (tag_operation),
        .line              (tag_line),
        .need              (tag_need),
        .push_shared       (tag_to_shared),
        .place             (tag_place),
        .strobe            (tag_strobe),
        .data              (tag_data),
        .mshr              (misses_free_index),
        .hits              (tag_store_hits),
        .row               (tag_row),
        .write_back        (write_back_lands),
        .write_back_line   (tag_write_back_line),
        .write_back_sector (write_back_sector),
        .write_back_mshr   (write_back_mshr),
        .write_back_data   (write_write_back_data),
        .push_local        (tag_to_local),
        .valid             (write_valid),
        .ready             (memory_arbiter_second_ready),
        .cluster_valid     (write_cluster_valid),
        .cluster_ready     (cluster_arbiter_second_ready),
        .attributes        (write_attributes),
        .request_mshr      (write_request_mshr),
        .request_sector    (write_request_sector),
        .address           (write_address),
        .request_strobe    (write_request_strobe),
        .request_data      (write_request_data),
        .updates           (write_updates),
        .update_is_shared  (write_update_is_shared),
        .rests             (write_rests),
        .update_strobe     (write_update_strobe),
        .update_data       (write_update_data),
        .update_place      (write_update_place),
        .update_sector     (write_update_sector),
        .update_row        (write_update_row)
    );

    lsu_write_back write_back (
        .clk          (clk),
        .rst          (rst),
        .takes        (tag_writes_back),
        .dirty_way    (tag_dirty_way),
        .dirty_sector (tag_dirty_sector),
        .set          (tag_looked_set),
        .full         (write_back_full),
        .full_next    (write_back_full_next),
        .way          (write_back_way),
        .row          (write_back_row),
        .sector       (write_back_sector),
        .write_free   (write_free),
        .has_mshr     (misses_has_mshr),
        .reads        (write_back_reads),
        .goes         (places_write_back_goes),
        .free_mshr    (misses_free_index),
        .lands        (write_back_lands),
        .mshr         (write_back_mshr)
    );

    lsu_pick_stage places (
        .clk               (clk),
        .rst               (rst),
        .to_hit            (tag_to_hit),
        .hit_free          (places_hit_free),
        .to_ro_read        (tag_to_ro_read),
        .ro_read_free      (places_ro_read_free),
        .tag_pass          (tag_hit_pass),
        .tag_offset        (tag_offset),
        .ready_valid       (misses_ready_valid),
        .ready_take        (places_ready_take),
        .ready_pass        (misses_ready_pass),
        .ready_offset      (misses_ready_offset),
        .bank_valid        (issue_bank_valid),
        .bank_free         (places_bank_free),
        .bank_holds        (places_bank_holds),
        .bank_pass         (places_bank_pass),
        .bank_offset       (issue_offset),
        .bank_shared_row   (issue_shared_row),
        .holds             (places_holds),
        .tag               (places_tag),
        .row               (places_row),
        .sectors           (places_sectors),
        .serve_reads       (serve_reads),
        .serve_goes        (places_serve_goes),
        .serve_row         (serve_row),
        .serve_sector      (serve_sector),
        .write_back_reads  (write_back_reads),
        .write_back_goes   (places_write_back_goes),
        .write_back_row    (write_back_row),
        .write_back_sector (write_back_sector),
        .serve_writes      (serve_writes),
        .acquired          (places_acquired),
        .tag_waits         (tag_waits_for_bank),
        .tag_releases      (tag_operation_release),
        .tag_warp          (tag_operation_warp),
        .bank_precedes     (places_bank_precedes),
        .last              (census_last),
        .read_free         (reads_free),
        .may_read          (places_may_read),
        .read_goes         (places_read_goes),
        .read_row          (places_read_row),
        .read_sectors      (places_read_sectors),
        .read_is_shared    (places_read_is_shared),
        .read_shared_row   (places_read_shared_row),
        .read_sector       (places_read_sector),
        .read_operation    (places_read_operation),
        .read_number       (places_read_number),
        .read_lanes        (places_read_lanes),
        .read_last         (places_read_last),
        .read_offset       (places_read_offset),
        .finishes          (places_finishes),
        .picked_tag        (places_picked_tag),
        .done_free         (done_free),
        .has_failed        (places_has_failed),
        .reports           (places_reports),
        .fault_free        (fault_register_free),
        .failed_record     (places_failed_record)
    );

    lsu_census census (
        .holds        (holds),
        .tag          (census_tag),
        .merge_holds  (census_merge_holds),
        .merge_tag    (merged_tag),
        .waiter_holds (misses_holds_tag),
        .read_holds   (reads_read_holds),
        .read_tag     (reads_read_tag),
        .collect_tag  (collector_tag),
        .ahead        (census_ahead),
        .last         (census_last)
    );

    lsu_row_readers readers (
        .clk           (clk),
        .rst           (rst),
        .row           (places_row),
        .sectors       (places_sectors),
        .line          (tag_line),
        .shifts        (tag_next_comes),
        .next_line     (tag_next_line),
        .l1_reads      (tag_l1_reads),
        .ro_reads      (tag_ro_reads),
        .l1            (readers_l1),
        .ro            (readers_ro),
        .own           (readers_own),
        .write_sectors (rows_write_sectors),
        .write_row     (rows_write_row)
    );

    lsu_row_store rows (
        .clk              (clk),
        .rst              (rst),
        .reads            (rows_reads),
        .may_read         (places_may_read),
        .read_row         (places_read_row),
        .read_sectors     (places_read_sectors),
        .read_is_shared   (places_read_is_shared),
        .read_shared_row  (places_read_shared_row),
        .read_sector      (places_read_sector),
        .word             (rows_word),
        .fills            (misses_row_fill),
        .fill_sector      (misses_rsp_sector),
        .fill_row         (misses_fill_row),
        .fill_strobe      (misses_fill_strobe),
        .fill_data        (mem_rsp_data),
        .fill_is_answer   (answer_is_source),
        .answer_data      (answer_data),
        .serves           (serve_write_goes),
        .serve_sector     (serve_sector),
        .serve_row        (serve_row),
        .serve_strobe     (serve_strobe),
        .serve_data       (serve_data),
        .updates          (write_updates),
        .update_sector    (write_update_sector),
        .update_row       (write_update_row),
        .update_strobe    (write_update_strobe),
        .update_data      (write_update_data),
        .update_is_shared (write_update_is_shared),
        .update_place     (write_update_place),
        .write_sectors    (rows_write_sectors),
        .write_row        (rows_write_row)
    );

    lsu_read_stage reads (
        .clk              (clk),
        .rst              (rst),
        .goes             (places_read_goes),
        .free             (reads_free),
        .operation        (places_read_operation),
        .number           (places_read_number),
        .lanes            (places_read_lanes),
        .last             (places_read_last),
        .offset           (places_read_offset),
        .word             (rows_word),
        .read_holds       (reads_read_holds),
        .read_tag         (reads_read_tag),
        .valid            (reads_valid),
        .ready            (collector_read_ready),
        .stands           (collector_stands),
        .sends_last       (collector_sends_last),
        .collect_tag      (collector_tag),
        .collect_number   (collector_number),
        .collect_is_local (collector_is_local),
        .landed_is_same   (reads_landed_is_same),
        .landed_operation (reads_landed_operation),
        .landed_number    (reads_landed_number),
        .landed_lanes     (reads_landed_lanes),
        .landed_last      (reads_landed_last),
        .landed_byte      (reads_landed_byte),
        .landed_word      (reads_landed_word)
    );

    lsu_collector collector (
        .clk            (clk),
        .rst            (rst),
        .full           (collector_full),
        .tag            (collector_tag),
        .number         (collector_number),
        .is_local       (collector_is_local),
        .ahead          (census_ahead),
        .read_valid     (reads_valid),
        .stands         (collector_stands),
        .sends_last     (collector_sends_last),
        .read_ready     (collector_read_ready),
        .read_operation (reads_landed_operation),
        .read_is_same   (reads_landed_is_same),
        .read_number    (reads_landed_number),
        .read_lanes     (reads_landed_lanes),
        .read_last      (reads_landed_last),
        .read_byte      (reads_landed_byte),
        .read_word      (reads_landed_word),
        .wb_valid       (collector_wb_valid),
        .wb_ready       (wb_ready),
        .wb             (collector_wb),
        .wb_data        (collector_wb_data)
    );

    lsu_fault_register fault_register (
        .clk          (clk),
        .rst          (rst),
        .free         (fault_register_free),
        .failed_waits (places_has_failed),
        .failed_valid (places_reports),
        .failed       (places_failed_record),
        .issue_valid  (issue_fault_valid),
        .issue_ready  (fault_register_issue_ready),
        .issue        (issue_fault),
        .fault_valid  (fault_register_fault_valid),
        .fault_ready  (fault_ready),
        .fault        (fault_register_fault)
    );

    lsu_arbiter memory_arbiter (
        .clk          (clk),
        .rst          (rst),
        .first_valid  (read_queue_valid),
        .first_ready  (memory_arbiter_first_ready),
        .second_valid (write_valid),
        .second_ready (memory_arbiter_second_ready),
        .valid        (memory_arbiter_valid),
        .is_second    (memory_arbiter_is_second),
        .ready        (mem_req_ready)
    );

    lsu_arbiter cluster_arbiter (
        .clk          (clk),
        .rst          (rst),
        .first_valid  (read_queue_cluster_valid),
        .first_ready  (cluster_arbiter_first_ready),
        .second_valid (write_cluster_valid),
        .second_ready (cluster_arbiter_second_ready),
        .valid        (cluster_arbiter_valid),
        .is_second    (cluster_arbiter_is_second),
        .ready        (cluster_req_ready)
    );

    lsu_answer answer (
        .clk               (clk),
        .rst               (rst),
        .cluster_rsp_valid (cluster_rsp_valid),
        .cluster_rsp_ready (answer_cluster_rsp_ready),
        .cluster_rsp_id    (cluster_rsp_id),
        .cluster_rsp_data  (cluster_rsp_data),
        .cluster_rsp_error (cluster_rsp_error),
        .goes              (may_respond),
        .full              (answer_full),
        .is_source         (answer_is_source),
        .mshr              (answer_mshr),
        .sector            (answer_sector),
        .error             (answer_error),
        .data              (answer_data)
    );

    lsu_serve serve (
        .clk                 (clk),
        .rst                 (forgets),
        .read_is_lost        (rst),
        .serve_req_valid     (serve_req_valid),
        .serve_req_ready     (serve_serve_req_ready),
        .serve_req_id        (serve_req_id),
        .serve_req_rank      (serve_req_rank),
        .serve_req_write     (serve_req_write),
        .serve_req_addr      (serve_req_addr),
        .serve_req_strb      (serve_req_strb),
        .serve_req_data      (serve_req_data),
        .cluster_base        (cluster_base),
        .cluster_size        (cluster_size),
        .updates             (write_updates),
        .updates_shared_next (tag_to_shared),
        .reply_full          (reply_full),
        .reply_stays         (reply_stays),
        .full                (serve_full),
        .writes              (serve_writes),
        .write_goes          (serve_write_goes),
        .strobe              (serve_strobe),
        .data                (serve_data),
        .reads               (serve_reads),
        .read_goes           (places_serve_goes),
        .row                 (serve_row),
        .sector              (serve_sector),
        .lands               (serve_lands),
        .part                (serve_part),
        .ends                (serve_ends),
        .id                  (serve_id),
        .rank                (serve_rank),
        .error               (serve_error)
    );

    lsu_reply reply (
        .clk             (clk),
        .rst             (forgets),
        .lands           (serve_lands),
        .part            (serve_part),
        .word            (reply_word),
        .ends            (serve_ends),
        .id              (serve_id),
        .rank            (serve_rank),
        .error           (serve_error),
        .full            (reply_full),
        .stays           (reply_stays),
        .serve_rsp_valid (reply_serve_rsp_valid),
        .serve_rsp_ready (serve_rsp_ready),
        .serve_rsp_id    (reply_serve_rsp_id),
        .serve_rsp_rank  (reply_serve_rsp_rank),
        .serve_rsp_data  (reply_serve_rsp_data),
        .serve_rsp_error (reply_serve_rsp_error)
    );

    lsu_counters counters (
        .clk           (clk),
        .rst           (rst),
        .counts_l1     (tag_counts_l1),
        .counts_ro     (tag_counts_ro),
        .hits          (tag_hit),
        .misses        (tag_miss),
        .issues        (issue_issues),
        .replays       (issue_replays),
        .reads         (counters_reads),
        .writes        (counters_writes),
        .stalls_order  (tag_stalls_order),
        .stalls_misses (tag_stalls_misses),
        .stalls_data   (tag_stalls_data),
        .stalls_memory (stalls_memory),
        .counts        (counters_counts)
    );

    always @(posedge clk) begin
        if (rst) begin
            {fault_is_windowed_q, fault_window_q, done_full_q, done_held_q} <= 42'd0;
        end else begin
            if (fault_register_free) begin
                fault_is_windowed_q <= issue_fault_is_windowed & !places_reports;
                fault_window_q <= {4'd0, window_base[63:36]} << 4;
            end
            if (done_free) begin
                done_full_q <= places_finishes;
                done_held_q <= places_picked_tag;
            end
        end
    end

    // Bits that nothing reads.
    wire unused = &{1'b0, mem_rsp_id[7:3], issued, merged, in_tag};
endmodule

// lsu_address_unit: Place intake of the global path: decodes the operation and adds the immediate in every lane.
module lsu_address_unit (
    input  wire         clk,  // Clock.
    input  wire         rst,  // Synchronous reset.
    input  wire         req_valid,  // An operation of this path is offered.
    output wire         req_ready,  // It is taken at this edge.
    input  wire [143:0] req,  // Its fields from the pins; the decoded ones are not looked at.
    input  wire [1:0]   req_dst_width,  // Bits of a destination register: 16, 32 or 64.
    input  wire [3:0]   req_mask,  // Active lanes.
    input  wire [3:0]   req_wide,  // Lanes whose register operand does not fit.
    input  wire [127:0] req_addr,  // Register operand of each lane. [4 x 32 bits]
    input  wire [31:0]  req_imm,  // Signed immediate.
    input  wire [127:0] window_base,  // First byte of each generic window: shared, local, const, param. [4 x 32 bits]
    input  wire [127:0] window_size,  // Bytes of each window. [4 x 32 bits]
    input  wire [9:0]   req_shared_base,  // First byte of the CTA's window in shared memory.
    input  wire [9:0]   req_shared_size,  // Bytes of that window.
    input  wire [7:0]   cluster_rank,  // The own CTA's rank in the cluster.
    input  wire [15:0]  param_offset,  // Where kernel parameters begin in bank 0.
    input  wire         bank_writes,  // The bank table takes a write at this edge.
    input  wire [55:0]  bank_write,  // Which.

    output wire         valid,  // An operation is offered to check.
    input  wire         next_ready,  // It is taken at this edge.
    output wire [183:0] addressed,  // The operation.
    output reg  [127:0] address,  // Low bits of each lane's sum, or where a local lane begins. [4 x 32 bits]
    output wire [127:0] bank_address  // The address in memory of each windowed lane. [4 x 32 bits]
);
    localparam [2:0] CAUSE_NONE = 3'd0;  // no fault
    localparam [2:0] CAUSE_MISALIGNED_REGISTER = 3'd1;  // misaligned_register
    localparam [2:0] CAUSE_ILLEGAL_INSTRUCTION = 3'd2;  // illegal_instruction
    localparam [2:0] CAUSE_MISALIGNED_ADDRESS = 3'd3;  // misaligned_address
    localparam [2:0] COP_CA = 3'd1;  // cache at all levels
    localparam [2:0] COP_CG = 3'd2;  // cache at the second level
    localparam [2:0] COP_CS = 3'd3;  // streaming, evict first
    localparam [2:0] COP_LU = 3'd4;  // last use
    localparam [2:0] COP_CV = 3'd5;  // do not cache, fetch again
    localparam [1:0] DST_WIDTH_64 = 2'd2;  // destination of 64 bits
    localparam [5:0] GRANULES = 6'd32;
    localparam [2:0] L1_EVICT_UNCHANGED = 3'd1;  // evict_unchanged
    localparam [2:0] L1_EVICT_FIRST = 3'd2;  // evict_first
    localparam [2:0] L1_EVICT_LAST = 3'd3;  // evict_last
    localparam [2:0] L1_EVICT_NO_ALLOCATE = 3'd4;  // no_allocate
    localparam [1:0] L2_EVICT_FIRST = 2'd1;  // evict_first
    localparam [1:0] SCOPE_CTA = 2'd0;  // threads of the CTA
    localparam [2:0] SEM_RELAXED = 3'd1;  // relaxed
    localparam [2:0] SEM_ACQUIRE = 3'd2;  // acquire
    localparam [2:0] SEM_RELEASE = 3'd3;  // release
    localparam [2:0] SEM_VOLATILE = 3'd4;  // volatile
    localparam [2:0] SEM_MMIO_ACQUIRE = 3'd6;  // mmio with acquire
    localparam [2:0] SEM_MMIO_RELEASE = 3'd7;  // mmio with release
    localparam [2:0] SIZE_8 = 3'd0;  // elements of 8 bits
    localparam [2:0] SIZE_16 = 3'd1;  // elements of 16 bits
    localparam [2:0] SIZE_32 = 3'd2;  // elements of 32 bits
    localparam [2:0] SIZE_64 = 3'd3;  // elements of 64 bits
    localparam [2:0] SIZE_128 = 3'd4;  // elements of 128 bits
    localparam [2:0] SPACE_GENERIC = 3'd0;  // generic address
    localparam [2:0] SPACE_GLOBAL = 3'd1;  // global memory
    localparam [2:0] SPACE_SHARED = 3'd2;  // shared memory of the own CTA
    localparam [2:0] SPACE_SHARED_CLUSTER = 3'd3;  // shared memory of the cluster
    localparam [2:0] SPACE_LOCAL = 3'd4;  // local memory
    localparam [2:0] SPACE_CONST = 3'd5;  // constant memory
    localparam [2:0] SPACE_PARAM_ENTRY = 3'd6;  // parameters of the kernel
    localparam [2:0] SPACE_PARAM_FUNC = 3'd7;  // parameters of a function
    wire [127:0] shown_base;  // [4 x 32 bits]
    wire [131:0] shown_end;  // [4 x 33 bits]
    reg          illegal;
    wire [143:0] operation;
    wire [3:0]   in_bank_window;
    wire         is_last_use;
    reg  [4:0]   align_mask;
    reg  [3:0]   sunk_words;
    reg          full_q;
    reg  [143:0] held_q;
    reg  [1:0]   dst_width_q;
    reg  [3:0]   total_held_q;  // log2 of the bytes of each lane.
    reg  [1:0]   element_registers_q;  // log2 of the registers of an element.
    reg  [3:0]   mask_held_q;
    reg  [3:0]   wide_q;
    // What rule FAULT finds of the operation's fields and of alignment: every lane's address hangs on that.
    reg  [2:0]   cause_q;
    reg  [3:0]   lanes_q;  // Lanes that make passes, or that this fault names.
    reg  [35:0]  bank_end_q;  // Where what is shown of bank 3 and of bank 0 ends, of the low 17 bits, and a carry.
    // First granule of the CTA's window in shared memory, minus that of the shared window.
    reg  [4:0]   shared_shift_q;
    reg  [9:0]   own_end_q;  // Where the CTA's window ends, of the bits of an address there, and a carry.
    wire [3:0]   lane_misaligned;
    wire [127:0] lane_address;
    wire [3:0]   lane_wraps;
    wire [3:0]   lane_in_shared;
    wire [3:0]   lane_in_local;
    wire [3:0]   lane_in_const;
    wire [3:0]   lane_in_param;
    wire [3:0]   lane_in_own;
    wire [3:0]   lane_beyond;
    wire [127:0] lane_local_address;
    wire [3:0]   lane_below_bank;
    wire [127:0] lane_bank_address;
    reg          refuses_q;  // Neither shared nor local memory, nor a window of a bank, serves it.
    wire         destination_misaligned;
    wire         destination_all_sunk;
    wire [31:0]  banks_const_base;
    wire [12:0]  banks_const_granules;
    wire [31:0]  banks_param_base;
    wire [12:0]  banks_param_granules;
    // Lanes whose operand or sum does not fit, or that are beyond shared memory, of whichever CTA, or local memory.
    reg  [3:0]   addressed_outside;

    // Fields of req (Operation).
    wire       req_is_store   = req[8];  // Store.
    wire       req_is_command = req[9];  // Command.
    wire [2:0] req_space      = req[14:12];  // State space.
    wire [2:0] req_sem        = req[17:15];  // Memory semantics.
    wire [2:0] req_cop        = req[22:20];  // Cache operator.
    wire       req_nc         = req[95];  // Non-coherent load.
    wire [2:0] req_size       = req[98:96];  // log2 of an element's bytes.
    wire [1:0] req_vec        = req[100:99];  // log2 of the element count.
    wire [7:0] req_sink       = req[108:101];  // Elements that are not written.
    wire [7:0] req_rd         = req[117:110];  // First destination register.

    // Fields of held_q (Operation).
    wire [7:0]  held_tag        = held_q[7:0];  // Names the operation.
    wire        held_is_store   = held_q[8];  // Store.
    wire        held_is_command = held_q[9];  // Command.
    wire [1:0]  held_cmd        = held_q[11:10];  // Which command.
    wire [2:0]  held_space      = held_q[14:12];  // State space.
    wire [2:0]  held_sem        = held_q[17:15];  // Memory semantics.
    wire [1:0]  held_scope      = held_q[19:18];  // Scope.
    wire [2:0]  held_cop        = held_q[22:20];  // Cache operator.
    wire [2:0]  held_l1_evict   = held_q[25:23];  // L1 eviction priority.
    wire [1:0]  held_l2_evict   = held_q[27:26];  // L2 eviction priority.
    wire [1:0]  held_prefetch   = held_q[29:28];  // Prefetch size.
    wire        held_policy_en  = held_q[30];  // The policy counts.
    wire [63:0] held_policy     = held_q[94:31];  // L2 cache policy.
    wire        held_nc         = held_q[95];  // Non-coherent load.
    wire [2:0]  held_size       = held_q[98:96];  // log2 of an element's bytes.
    wire [1:0]  held_vec        = held_q[100:99];  // log2 of the element count.
    wire [7:0]  held_sink       = held_q[108:101];  // Elements that are not written.
    wire        held_sign       = held_q[109];  // Sign-extend.
    wire [7:0]  held_rd         = held_q[117:110];  // First destination register.
    wire        held_warp       = held_q[118];  // Slot of its warp.

    wire [31:0] ones = 32'hffffffff;
    wire [31:0] req_addend = req_imm[31] ? (req_imm | ~ones) : req_imm;

    // Rule SHARED: what of the CTA's window lies in shared memory.
    wire [5:0] first_granule = req_shared_base[9:4];
    wire [5:0] granules = req_shared_size[9:4];
    wire [5:0] granules_left = (first_granule > GRANULES) ? 6'd0 : (GRANULES - first_granule);
    // Granules of the CTA's window that lie in shared memory.
    wire [5:0] shared_limit = (granules_left < granules) ? granules_left : granules;

    // Rules SHARED, LOCAL, WINDOW: where each window begins, and where what it shows ends.
    wire [31:0] shared_window = (req_space == SPACE_GENERIC) ? ({4'd0, window_base[31:4]} << 4) : 32'd0;
    wire [31:0] local_window = (req_space == SPACE_GENERIC) ? ({4'd0, window_base[63:36]} << 4) : 32'd0;
    assign shown_base[31:0] = shared_window;
    assign shown_base[63:32] = local_window;
    assign shown_base[95:64] = {4'd0, window_base[95:68]} << 4;
    assign shown_base[127:96] = {4'd0, window_base[127:100]} << 4;
    assign shown_end[32:0] = {1'b0, shared_window} + {1'b0, window_size[31:0]};
    assign shown_end[65:33] = {1'b0, local_window} + ({8'd0, window_size[60:36]} << 4);
    assign shown_end[98:66] = {1'b0, shown_base[95:64]} + {1'b0, {4'd0, window_size[95:68]} << 4};
    assign shown_end[131:99] = {1'b0, shown_base[127:96]} + {1'b0, {4'd0, window_size[127:100]} << 4};

    wire [3:0] req_total = {1'b0, req_size} + {2'd0, req_vec};

    always @(*) begin : align_mask_logic
        integer i;
        for (i = 0; i < 5; i = i + 1) begin
            align_mask[i] = req_total > i[3:0];
        end
    end

    assign req_ready = !full_q | next_ready;
    wire is_coming_cluster = req_space == SPACE_SHARED_CLUSTER;
    wire [3:0] req_misaligned = lane_misaligned;

    wire [1:0] req_element_registers =
        (req_size == SIZE_64) ? 2'd1 :
        !(req_size < SIZE_64) ? 2'd2 :
        (!req_is_store & !req_is_command & (req_dst_width == DST_WIDTH_64)) ? 2'd1 :
        2'd0;

    // Rule FAULT: what shared and local memory do not serve, and what no space does.
    wire reads = !req_is_store;  // It is no store.
    wire req_refuses = req_nc | (req_sem > SEM_VOLATILE) | (req_total == 4'd5);

    always @(*) begin
        illegal = (req_size > SIZE_128) | (req_total > 4'd5) | (req_space == SPACE_CONST) |
          (req_space == SPACE_PARAM_ENTRY) | ((req_space > SPACE_GLOBAL) & req_refuses) |
          ((req_sem > SEM_VOLATILE) & (|req_vec));
        if (reads) begin
            if ((req_cop > COP_CV) | (req_sem == SEM_RELEASE) | (req_sem == SEM_MMIO_RELEASE)) illegal = 1'b1;
            if (req_nc & ((|req_sem) | (req_cop == COP_LU) | (req_cop == COP_CV))) illegal = 1'b1;
        end else if ((req_cop == COP_CA) | (req_cop == COP_LU) | (req_cop == COP_CV) | (req_sem == SEM_ACQUIRE) |
          (req_sem == SEM_MMIO_ACQUIRE) | req_nc) begin
            illegal = 1'b1;
        end
    end

    wire [2:0] destination_registers = {1'b0, req_element_registers} + {1'b0, req_vec};

    assign valid = full_q;
    wire [11:0] banks_skipped = param_offset[15:4];

    // Decode.
    wire is_load = !held_is_store & !held_is_command;
    wire is_wide_scope = held_scope != SCOPE_CTA;
    wire is_mmio = held_sem > SEM_VOLATILE;
    wire is_strong = (held_sem > SEM_RELEASE) | (is_wide_scope &
      ((held_sem == SEM_RELAXED) | (held_sem == SEM_ACQUIRE)));
    wire ordered_load = is_load & (is_strong | (held_cop == COP_CV));

    // Rule CLUSTER: no cache holds what is remote, and nothing looks for what is shared.
    wire is_cluster = held_space == SPACE_SHARED_CLUSTER;  // The operation is of the cluster's shared memory.
    wire looked_up = is_load & !ordered_load & (held_cop != COP_CG) & !is_cluster;

    wire [1:0] operation_l2_evict = is_last_use ? L2_EVICT_FIRST : held_l2_evict;  // L2 eviction priority.
    // An element of at most 32 bits fills two registers.
    wire operation_extended = is_load & (held_size < SIZE_64) & (dst_width_q == DST_WIDTH_64);
    wire [1:0] operation_element_registers = element_registers_q;  // log2 of the registers of an element.
    // log2 of the bytes that one register moves, at most 4.
    wire [1:0] operation_unit = (held_size < SIZE_32) ? held_size[1:0] : 2'd2;
    // Two reads (or none for a store): the total is 32 bytes.
    wire operation_two_reads = is_load & (total_held_q == 4'd5) & (held_size <= SIZE_128);
    // Number of the last word of 4 bytes of each lane: 0, 1 or 3.
    wire [1:0] operation_last_word =
        (total_held_q > 4'd3) ? 2'd3 :
        (total_held_q > 4'd2) ? 2'd1 :
        2'd0;
    wire [3:0] operation_sunk_words = is_load ? sunk_words : 4'd0;  // Words of a load of which every element is sunk.
    wire operation_mmio = is_mmio;  // One transaction for each lane.
    wire operation_ordered = held_is_store | ordered_load;  // A store, or a load that is strong or has operator cv.
    wire operation_looked_up = looked_up;  // A load that may be served by a cache.
    // A looked-up load whose misses are kept.
    wire operation_kept = looked_up & (held_l1_evict != L1_EVICT_NO_ALLOCATE);
    // A load before which L1 is stale.
    wire operation_acquire = is_load & (((held_sem == SEM_ACQUIRE) & is_wide_scope) | (held_sem == SEM_MMIO_ACQUIRE));
    // A store that waits for everything before it.
    wire operation_release = held_is_store & ((held_sem == SEM_RELEASE) | (held_sem == SEM_MMIO_RELEASE));
    // Renews age and class of its line.
    wire operation_touches = (held_l1_evict != L1_EVICT_UNCHANGED) & (held_l1_evict != L1_EVICT_NO_ALLOCATE);
    wire operation_evict_first = is_last_use ? 1'b1 : (held_l1_evict == L1_EVICT_FIRST);  // Its line is evict_first.
    wire operation_evict_last = held_l1_evict == L1_EVICT_LAST;  // Its line is evict_last.
    wire operation_is_local = 1'b0;  // The pass's lanes are local.
    wire [1:0] operation_word = 2'd0;  // Number of the word of a local pass; else 0.
    // Operator cs or lu; from issue on, too: the pass is a local load that reads words whole for the last time.
    wire operation_last_use = is_last_use;

    // Rule PASS: words of which every element is sunk. An element of 128 bits is the only one: if it is, there are no
    // lanes.
    always @(*) begin : sunk_words_logic
        integer i;
        i = 0;
        sunk_words = 4'd0;
        if (held_size == SIZE_8) begin
            for (i = 0; i < 2; i = i + 1) begin
                sunk_words[i] = held_sink[i * 4 +: 4] == 4'd15;
            end
        end
        if (held_size == SIZE_16) begin
            for (i = 0; i < 4; i = i + 1) begin
                sunk_words[i] = held_sink[i * 2 +: 2] == 2'd3;
            end
        end
        if (held_size == SIZE_32) sunk_words = held_sink[3:0];
        if (held_size == SIZE_64) begin
            for (i = 0; i < 2; i = i + 1) begin
                sunk_words[i * 2] = held_sink[i];
                sunk_words[(i * 2) + 1] = held_sink[i];
            end
        end
    end

    assign is_last_use = (held_cop == COP_CS) | (held_cop == COP_LU);
    assign operation = {operation_last_use, operation_word, operation_is_local, operation_evict_last,
      operation_evict_first, operation_touches, operation_release, operation_acquire, operation_kept,
      operation_looked_up, operation_ordered, operation_mmio, operation_sunk_words, operation_last_word,
      operation_two_reads, operation_unit, operation_element_registers, operation_extended, held_warp, held_rd,
      held_sign, held_sink, held_vec, held_size, held_nc, held_policy, held_policy_en, held_prefetch,
      operation_l2_evict, held_l1_evict, held_cop, held_scope, held_sem, held_space, held_cmd, held_is_command,
      held_is_store, held_tag};

    // Addresses: the immediate is signed, the operand is not.
    wire [3:0] addressed_mask = held_is_command ? 4'd0 : mask_held_q;  // Active lanes; none for a command.
    wire [3:0] wraps = lane_wraps;
    wire [3:0] in_shared = lane_in_shared;
    wire [3:0] in_local = lane_in_local;
    wire [3:0] in_const = lane_in_const;
    wire [3:0] in_param = lane_in_param;
    wire [3:0] in_own = lane_in_own;  // Lanes whose rank is that of the own CTA.
    wire [3:0] beyond = lane_beyond;
    wire [3:0] below_bank = lane_below_bank;
    assign bank_address = lane_bank_address;
    wire [3:0] outside = wide_q | wraps;  // Lanes whose sum is no address of this width.
    // Lanes whose generic address lies in a window that does not serve the operation.
    wire [3:0] addressed_refused =
        !(held_space == SPACE_GENERIC) ? 4'd0 :
        refuses_q ? (in_bank_window | ((in_shared | in_local) & ~outside)) :
        held_is_store ? in_bank_window :
        4'd0;
    assign in_bank_window = (in_const | in_param) & ~in_shared & ~in_local & ~outside;
    // Shared lanes.
    wire [3:0] addressed_shared =
        is_cluster ? in_own :
        (held_space == SPACE_SHARED) ? mask_held_q :
        (held_space == SPACE_GENERIC) ? (in_shared & ~outside) :
        4'd0;

    always @(*) begin
        addressed_outside = outside;
        if (held_space == SPACE_GENERIC) addressed_outside = outside | (in_shared & beyond);
        if (held_space == SPACE_SHARED) addressed_outside = outside | beyond;
        if (is_cluster) addressed_outside = outside | beyond;
        if ((held_space == SPACE_LOCAL) | (held_space == SPACE_PARAM_FUNC)) addressed_outside = outside | ~in_local;
    end

    // Lanes whose generic address lies in a window of a bank, and beyond that: told apart, as it is known last.
    wire [3:0] addressed_beyond_bank = (held_space == SPACE_GENERIC) ? (in_bank_window & ~below_bank) : 4'd0;
    wire [3:0] local_lanes =
        ((held_space == SPACE_LOCAL) | (held_space == SPACE_PARAM_FUNC)) ? (in_local & ~outside) :
        (held_space == SPACE_GENERIC) ? (in_local & ~in_shared & ~outside) :
        4'd0;

    // A fault names a lane's own address. What makes one of lanes is found later, but those are no lanes that a window
    // serves.
    // Lanes of an operation without a fault that a window serves.
    wire [3:0] addressed_windowed =
        ((held_space == SPACE_GENERIC) & !refuses_q & !held_is_store & (cause_q == CAUSE_NONE)) ?
          (in_bank_window & below_bank) :
        4'd0;
    assign addressed = {local_lanes, shared_shift_q, addressed_shared, addressed_windowed, addressed_refused,
      addressed_beyond_bank, addressed_outside, lanes_q, cause_q, addressed_mask, operation};

    // Rule LOCAL.
    always @(*) begin : address_logic
        integer i;
        for (i = 0; i < 4; i = i + 1) begin
            address[i * 32 +: 32] = lane_address[i * 32 +: 32];
            if (local_lanes[i]) begin
                address[i * 32 +: 32] = lane_local_address[i * 32 +: 32] | ({31'd0, held_warp} << 4) | (i << 2);
            end
        end
    end

    genvar index;
    generate
        for (index = 0; index < 4; index = index + 1) begin : lane
            lsu_lane_address unit (
                .clk           (clk),
                .rst           (rst),
                .takes         (req_ready),
                .operand       (req_addr[index * 32 +: 32]),
                .addend        (req_addend),
                .window_base   (shown_base),
                .window_end    (shown_end),
                .is_cluster    (is_coming_cluster),
                .align_mask    (align_mask),
                .misaligned    (lane_misaligned[index]),
                .own_end       (own_end_q),
                .cluster_rank  (cluster_rank),
                .const_base    (banks_const_base),
                .param_base    (banks_param_base),
                .bank_end      (bank_end_q),
                .address       (lane_address[index * 32 +: 32]),
                .wraps         (lane_wraps[index]),
                .in_shared     (lane_in_shared[index]),
                .in_local      (lane_in_local[index]),
                .in_const      (lane_in_const[index]),
                .in_param      (lane_in_param[index]),
                .in_own        (lane_in_own[index]),
                .beyond        (lane_beyond[index]),
                .local_address (lane_local_address[index * 32 +: 32]),
                .below_bank    (lane_below_bank[index]),
                .bank_address  (lane_bank_address[index * 32 +: 32])
            );
        end
    endgenerate

    lsu_load_destination destination (
        .rd         (req_rd),
        .registers  (destination_registers),
        .vec        (req_vec),
        .sink       (req_sink),
        .misaligned (destination_misaligned),
        .all_sunk   (destination_all_sunk)
    );

    // What the windows of constants and of parameters show.
    lsu_window_banks banks (
        .clk            (clk),
        .rst            (rst),
        .writes         (bank_writes),
        .write          (bank_write),
        .skipped        (banks_skipped),
        .const_base     (banks_const_base),
        .const_granules (banks_const_granules),
        .param_base     (banks_param_base),
        .param_granules (banks_param_granules)
    );

    always @(posedge clk) begin
        if (rst) begin
            {full_q, held_q, dst_width_q, total_held_q, element_registers_q, mask_held_q, wide_q, cause_q, lanes_q,
              bank_end_q, shared_shift_q, own_end_q, refuses_q} <= 220'd0;
        end else begin
            if (req_ready) begin
                full_q <= req_valid;
                held_q <= req;
                dst_width_q <= req_dst_width;
                // What faults hang on is known from the start.
                total_held_q <= req_total;
                element_registers_q <= req_element_registers;
                refuses_q <= req_refuses;
                cause_q <= CAUSE_NONE;
                lanes_q <= req_mask;
                if (req_is_command) begin
                    lanes_q <= 4'd0;
                end else if (|req_mask) begin
                    if (reads & destination_misaligned) begin
                        cause_q <= CAUSE_MISALIGNED_REGISTER;
                    end else if (illegal) begin
                        cause_q <= CAUSE_ILLEGAL_INSTRUCTION;
                    end else if (|(req_misaligned & req_mask)) begin
                        cause_q <= CAUSE_MISALIGNED_ADDRESS;
                        lanes_q <= req_misaligned & req_mask;
                    end else if (reads & destination_all_sunk) begin
                        // A load whose elements are all sunk needs nothing.
                        lanes_q <= 4'd0;
                    end
                end
                mask_held_q <= req_mask;
                wide_q <= req_wide;
                bank_end_q[17:0] <= {1'b0, shown_base[80:64]} + ({5'd0, banks_const_granules} << 4);
                bank_end_q[35:18] <= {1'b0, shown_base[112:96]} + ({5'd0, banks_param_granules} << 4);
                own_end_q <= {1'b0, shown_base[8:0]} + ({4'd0, shared_limit} << 4);
                shared_shift_q <= first_granule[4:0] - shown_base[8:4];
            end
        end
    end

    // Bits that nothing reads.
    wire unused = &{
        1'b0, window_base[3:0], window_base[35:32], window_base[67:64], window_base[99:96], window_size[35:32],
        window_size[67:61], window_size[99:96], req_shared_base[3:0], req_shared_size[3:0], param_offset[3:0], held_q
    };
endmodule

// lsu_lane_address: One lane in place intake: the sum of its operand and the immediate, and where that lies.
module lsu_lane_address (
    input  wire         clk,  // Clock.
    input  wire         rst,  // Synchronous reset.
    input  wire         takes,  // intake takes what is there.
    input  wire [31:0]  operand,  // Register operand.
    input  wire [31:0]  addend,  // The immediate, as wide as an address.
    input  wire [127:0] window_base,  // First byte of each window: shared, local, const, param. [4 x 32 bits]
    input  wire [131:0] window_end,  // Its end, and a carry. [4 x 33 bits]
    input  wire         is_cluster,  // The operation is of the cluster's shared memory.
    input  wire [4:0]   align_mask,  // Low address bits that must be 0.
    output wire         misaligned,  // One of them is not.

    input  wire [9:0]   own_end,  // Of the operation that was taken: where the CTA's window ends, and a carry.
    input  wire [7:0]   cluster_rank,  // The own CTA's rank in the cluster.
    input  wire [31:0]  const_base,  // First byte of what is shown of bank 3.
    input  wire [31:0]  param_base,  // The same of bank 0.
    input  wire [35:0]  bank_end,  // Where that ends, of the low 17 bits, and a carry. [2 x 18 bits]
    output wire [31:0]  address,  // Low bits of the sum.
    output wire         wraps,  // The sum does not fit.
    output wire         in_shared,  // It lies in the window of shared memory.
    output wire         in_local,  // It lies in the window of local memory.
    output wire         in_const,  // It lies in the window of constants.
    output wire         in_param,  // It lies in the window of parameters.
    output wire         in_own,  // Its rank is that of the own CTA.
    output wire         beyond,  // Its offset in the window of shared memory lies beyond the CTA's.
    output wire [31:0]  local_address,  // Where it lies in memory of the local memory of lane 0 of slot 0.
    output wire         below_bank,  // The bank of its window has it.
    output wire [31:0]  bank_address  // Where it lies in memory then.
);
    reg  [131:0] difference;  // [4 x 33 bits]
    reg  [32:0]  end_difference;
    reg  [31:0]  first;
    reg  [3:0]   windows;
    reg  [31:0]  held_q;
    reg          has_wrapped_q;
    reg  [3:0]   in_windows_q;
    // The offset in the window of shared memory is none of an address there; else its borrow counts.
    reg          is_far_q;
    reg          own_borrow_q;
    reg  [31:0]  local_offset_q;
    // Low bits of the offset in the window of constants, or else in that of parameters; and all above those and one
    // more are 0.
    reg  [15:0]  bank_offset_q;
    reg          is_near_q;
    reg          bank_borrow_q;

    wire [31:0] sum = operand + addend;
    assign misaligned = |(sum[4:0] & align_mask);

    always @(*) begin : end_difference_logic
        integer j;
        for (j = 0; j < 4; j = j + 1) begin
            end_difference = {1'b0, sum} - window_end[j * 33 +: 33];
            windows[j] = difference[(j * 33) + 32] ^ end_difference[32];
        end
    end

    always @(*) begin : difference_logic
        integer j;
        for (j = 0; j < 4; j = j + 1) begin
            first = window_base[j * 32 +: 32];
            difference[j * 33 +: 33] = {1'b0, sum} - {1'b0, first};
        end
    end

    // Rule CLUSTER: the rank is no part of the offset, but what lies above it is.
    wire [31:0] rank_bits = 32'hff000000;
    wire [31:0] shared_offset = is_cluster ? (difference[31:0] & ~rank_bits) : difference[31:0];
    wire [31:0] own_borrows = sum ^ window_base[31:0] ^ difference[31:0];

    // Rule WINDOW: a bank has at most 64 KB.
    wire [31:0] coming_offset = windows[2] ? difference[97:66] : difference[130:99];
    wire [31:0] bank_borrows = windows[2] ? window_base[95:64] : window_base[127:96];

    assign address = held_q;
    assign wraps = has_wrapped_q;
    assign in_shared = in_windows_q[0];
    assign in_local = in_windows_q[1];
    assign in_const = in_windows_q[2];
    assign in_param = in_windows_q[3];
    assign in_own = held_q[31:24] == cluster_rank;

    // Rule SHARED: whether the CTA's window has it.
    wire [9:0] own_difference = {1'b0, held_q[8:0]} - own_end;
    assign beyond = is_far_q | (own_borrow_q == own_difference[9]);

    // Rule LOCAL: the words of a thread lie as far from each other as there are threads.
    assign local_address = ({5'd0, local_offset_q[28:2]} << 5) | (local_offset_q & 32'd3);

    // Rule WINDOW: whether the bank has it, and where.
    wire [17:0] shown_end = in_const ? bank_end[17:0] : bank_end[35:18];
    wire [31:0] shown_base = in_const ? const_base : param_base;
    wire [17:0] bank_difference = {1'b0, held_q[16:0]} - shown_end;
    assign below_bank = is_near_q & (bank_borrow_q ^ bank_difference[17]);
    assign bank_address = shown_base + {16'd0, bank_offset_q};

    always @(posedge clk) begin
        if (rst) begin
            {held_q, has_wrapped_q, in_windows_q, is_far_q, own_borrow_q, local_offset_q, bank_offset_q, is_near_q,
              bank_borrow_q} <= 89'd0;
        end else begin
            if (takes) begin
                held_q <= sum;
                // Past the top, or below zero: the sum went round. The immediate is less than half of the range, so
                // that the top bits tell.
                has_wrapped_q <= (operand[31] != sum[31]) & (sum[31] == addend[31]);
                in_windows_q <= windows;
                is_far_q <= |{9'd0, shared_offset[31:9]};
                own_borrow_q <= own_borrows[9];
                local_offset_q <= difference[64:33];
                bank_offset_q <= coming_offset[15:0];
                is_near_q <= !(|{17'd0, coming_offset[31:17]});
                bank_borrow_q <= sum[17] ^ coming_offset[17] ^ bank_borrows[17];
            end
        end
    end

    // Bits that nothing reads.
    wire unused = &{
        1'b0, end_difference[31:0], shared_offset[8:0], coming_offset[16], own_borrows[8:0], own_borrows[31:10],
        bank_borrows[16:0], bank_borrows[31:18], own_difference[8:0], bank_difference[16:0]
    };
endmodule

// lsu_window_banks: The constant banks as generic windows show them.
module lsu_window_banks (
    input  wire        clk,  // Clock.
    input  wire        rst,  // Synchronous reset: no bank has a valid entry.
    input  wire        writes,  // The bank table takes write at this edge.
    input  wire [55:0] write,  // A write of the bank table, of whichever bank.
    input  wire [11:0] skipped,  // Granules of 16 bytes of bank 0 that lie before the kernel parameters.
    output wire [31:0] const_base,  // Byte address of bank 3.
    output wire [12:0] const_granules,  // Its granules; 0 if it has no valid entry.
    output wire [31:0] param_base,  // Byte address of the kernel parameters.
    output wire [12:0] param_granules  // Granules of bank 0 from there on; 0 if it has no valid entry.
);
    reg  [31:0] const_at_q;
    reg  [12:0] const_holds_q;
    reg  [31:0] param_at_q;
    reg  [12:0] param_holds_q;
    reg  [31:0] shown_at_q;

    // Fields of write (BankWrite).
    wire [4:0]  write_index = write[5:1];  // Entry to write, 0 to 17.
    wire [31:0] write_base  = write[37:6];  // Byte address of the bank in memory, a multiple of 64.
    wire [16:0] write_size  = write[54:38];  // Bytes, a multiple of 16, at most 65,536.
    wire        write_valid = write[55];  // The entry may be used.

    wire [12:0] written = write_valid ? write_size[16:4] : 13'd0;  // Granules that the bank written has.
    assign const_base = const_at_q;
    assign const_granules = const_holds_q;
    assign param_base = shown_at_q;
    assign param_granules = (param_holds_q > {1'b0, skipped}) ? (param_holds_q - {1'b0, skipped}) : 13'd0;

    always @(posedge clk) begin
        if (rst) begin
            {const_at_q, const_holds_q, param_at_q, param_holds_q, shown_at_q} <= 122'd0;
        end else begin
            if (writes & (write_index == 5'd3)) begin
                const_at_q <= write_base;
                const_holds_q <= written;
            end
            if (writes & (write_index == 5'd0)) begin
                param_at_q <= write_base;
                param_holds_q <= written;
            end
            shown_at_q <= param_at_q + ({20'd0, skipped} << 4);
        end
    end

    // Bits that nothing reads.
    wire unused = &{1'b0, write, write_size[3:0]};
endmodule

// lsu_operation_check: Place check of the global path: faults in their order of precedence, and the first leader.
module lsu_operation_check (
    input  wire         clk,  // Clock.
    input  wire         rst,  // Synchronous reset.
    input  wire         in_valid,  // An operation is offered.
    output wire         in_ready,  // check holds fewer than two: the operation is taken at this edge.
    input  wire [183:0] in_addressed,  // The operation.
    input  wire [127:0] in_address,  // Address of each lane. [4 x 32 bits]
    input  wire [127:0] in_bank_address,  // The same in memory, of windowed lanes. [4 x 32 bits]

    output wire         valid,  // An operation is offered to issue.
    input  wire         next_ready,  // It is taken at this edge.
    output wire [143:0] operation,  // The operation.
    output wire [2:0]   cause,  // Fault cause, 0 for none.
    output wire [3:0]   lanes,  // Lanes that make passes, if there is no fault.
    output wire [3:0]   fault_lanes,  // Lanes that the fault names, if there is one.
    output wire [3:0]   leader,  // The lowest of those that make passes, if any does.
    output reg  [31:0]  leader_address,  // Its address.
    output wire [3:0]   shared,  // Shared lanes.
    output wire [4:0]   shared_shift,  // From a shared lane's address to its shared address, in granules.
    output wire [3:0]   local_lanes,  // Local lanes that are not beyond local memory.
    output wire [127:0] address  // Address of each lane. [4 x 32 bits]
);
    localparam [2:0] CAUSE_NONE = 3'd0;  // no fault
    localparam [2:0] CAUSE_ILLEGAL_INSTRUCTION = 3'd2;  // illegal_instruction
    localparam [2:0] CAUSE_MISALIGNED_ADDRESS = 3'd3;  // misaligned_address
    localparam [2:0] CAUSE_ADDRESS_OUT_OF_RANGE = 3'd4;  // address_out_of_range
    wire [35:0]  coming;
    reg          has_lower;
    reg  [3:0]   first_leader;
    reg          full_q;
    reg  [35:0]  held_q;  // The elder.
    reg  [143:0] held_operation_q;
    reg  [127:0] held_address_q;
    reg          second_full_q;  // The other.
    reg  [35:0]  second_d;
    reg  [35:0]  second_q;
    reg  [143:0] second_operation_d;
    reg  [143:0] second_operation_q;
    reg  [127:0] second_address_d;
    reg  [127:0] second_address_q;

    // Fields of in_addressed (AddressedOperation).
    wire [143:0] in_addressed_operation    = in_addressed[143:0];  // The operation, decoded.
    wire [3:0]   in_addressed_mask         = in_addressed[147:144];  // Active lanes; none for a command.
    // Fault cause, unless a lane's address says otherwise.
    wire [2:0]   in_addressed_cause        = in_addressed[150:148];
    wire [3:0]   in_addressed_lanes        = in_addressed[154:151];  // Lanes that make passes, or that the fault names.
    // Lanes whose operand or sum does not fit, or that are beyond shared memory, of whichever CTA, or local memory.
    wire [3:0]   in_addressed_outside      = in_addressed[158:155];
    // Lanes whose generic address lies in a window of a bank, and beyond that: told apart, as it is known last.
    wire [3:0]   in_addressed_beyond_bank  = in_addressed[162:159];
    // Lanes whose generic address lies in a window that does not serve the operation.
    wire [3:0]   in_addressed_refused      = in_addressed[166:163];
    // Lanes of an operation without a fault that a window serves.
    wire [3:0]   in_addressed_windowed     = in_addressed[170:167];
    wire [3:0]   in_addressed_shared       = in_addressed[174:171];  // Shared lanes.
    // From a shared lane's address to its shared address, in granules.
    wire [4:0]   in_addressed_shared_shift = in_addressed[179:175];
    wire [3:0]   in_addressed_local_lanes  = in_addressed[183:180];  // Local lanes that are not beyond local memory.

    // Fields of held_q (CheckedOperation).
    wire [2:0] held_cause        = held_q[2:0];  // Fault cause, unless a lane's address says otherwise.
    wire [3:0] held_lanes        = held_q[6:3];  // Lanes that make passes, or that the fault names.
    wire [3:0] held_leader       = held_q[10:7];  // The lowest active lane, which leads if there is no fault.
    // Active lanes in a window that does not serve the operation: in rule FAULT after registers and instruction.
    wire [3:0] held_refused      = held_q[14:11];
    // Active lanes out of range, of which rule FAULT asks if there is no other cause; those beyond their bank apart.
    wire [3:0] held_outside      = held_q[18:15];
    wire [3:0] held_beyond_bank  = held_q[22:19];
    wire [3:0] held_shared       = held_q[26:23];  // Shared lanes.
    wire [4:0] held_shared_shift = held_q[31:27];  // From a shared lane's address to its shared address, in granules.
    wire [3:0] held_local_lanes  = held_q[35:32];  // Local lanes that are not beyond local memory.

    always @(*) begin
        second_d = second_q;
        // While no other waits its place takes what is there: whether that is an operation is known beside it.
        if (in_ready) second_d = coming;
    end

    always @(*) begin
        second_operation_d = second_operation_q;
        if (in_ready) second_operation_d = in_addressed_operation;
    end

    always @(*) begin : second_address_d_logic
        integer i;
        i = 0;
        second_address_d = second_address_q;
        if (in_ready) begin
            for (i = 0; i < 4; i = i + 1) begin
                // Rule WINDOW.
                second_address_d[i * 32 +: 32] = in_address[i * 32 +: 32];
                if (in_addressed_windowed[i]) second_address_d[i * 32 +: 32] = in_bank_address[i * 32 +: 32];
            end
        end
    end

    assign in_ready = !second_full_q;
    assign valid = full_q;
    wire shifts = !full_q | next_ready;
    wire comes = second_full_q | in_valid;
    assign operation = held_operation_q;
    assign address = held_address_q;

    // Rule FAULT: sums and windows are known last: which of them counts is told a place later.
    // Active lanes in a window that does not serve the operation: in rule FAULT after registers and instruction.
    wire [3:0] coming_refused = in_addressed_refused & in_addressed_mask;
    // Active lanes out of range, of which rule FAULT asks if there is no other cause; those beyond their bank apart.
    wire [3:0] coming_outside = in_addressed_outside & in_addressed_mask;
    wire [3:0] coming_beyond_bank = in_addressed_beyond_bank & in_addressed_mask;

    // The lowest of the lanes that make passes, if any does.
    always @(*) begin : has_lower_logic
        integer i;
        has_lower = 1'b0;
        for (i = 0; i < 4; i = i + 1) begin
            first_leader[i] = in_addressed_mask[i] & !has_lower;
            has_lower = has_lower | in_addressed_mask[i];
        end
    end

    assign coming = {in_addressed_local_lanes, in_addressed_shared_shift, in_addressed_shared, coming_beyond_bank,
      coming_outside, coming_refused, first_leader, in_addressed_lanes, in_addressed_cause};

    wire [3:0] outside = held_outside | held_beyond_bank;
    wire has_refused = ((held_cause == CAUSE_NONE) | (held_cause == CAUSE_MISALIGNED_ADDRESS)) & (|held_refused);
    wire has_outside = (held_cause == CAUSE_NONE) & (|outside);
    assign cause =
        has_refused ? CAUSE_ILLEGAL_INSTRUCTION :
        has_outside ? CAUSE_ADDRESS_OUT_OF_RANGE :
        held_cause;

    // Which lanes make passes is known from the start of the cycle, whether there is a fault later.
    assign lanes = held_lanes;
    assign fault_lanes =
        has_refused ? held_refused :
        has_outside ? outside :
        held_lanes;
    assign leader = held_leader;
    assign shared = held_shared;
    assign shared_shift = held_shared_shift;
    assign local_lanes = held_local_lanes;

    always @(*) begin : leader_address_logic
        integer i;
        leader_address = 32'd0;
        for (i = 0; i < 4; i = i + 1) begin
            if (leader[i]) leader_address = leader_address | address[i * 32 +: 32];
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            {full_q, held_q, held_operation_q, held_address_q, second_full_q, second_q, second_operation_q,
              second_address_q} <= 618'd0;
        end else begin
            second_q <= second_d;
            second_operation_q <= second_operation_d;
            second_address_q <= second_address_d;
            second_full_q <= comes & !shifts;
            if (shifts) begin
                full_q <= comes;
                // What waits, or else what would.
                held_q <= second_d;
                held_operation_q <= second_operation_d;
                held_address_q <= second_address_d;
            end
        end
    end
endmodule

// lsu_coalescer: Place issue of the global path: one pass a cycle.
module lsu_coalescer (
    input  wire         clk,  // Clock.
    input  wire         rst,  // Synchronous reset.
    input  wire         in_valid,  // An operation is offered.
    output wire         in_ready,  // It is taken at this edge.
    input  wire [143:0] in_operation,  // The operation.
    input  wire [2:0]   in_cause,  // Fault cause, 0 for none.
    input  wire [3:0]   in_lanes,  // Lanes that make passes, if there is no fault.
    input  wire [3:0]   in_fault_lanes,  // Lanes that the fault names, if there is one.
    input  wire [3:0]   in_leader,  // The lowest of those that make passes, if any does.
    input  wire [31:0]  in_leader_address,  // Its address.
    input  wire [127:0] in_address,  // Address of each lane. [4 x 32 bits]
    input  wire [3:0]   in_shared,  // Shared lanes.
    input  wire [4:0]   in_shared_shift,  // From a shared lane's address to its shared address, in granules.
    input  wire [3:0]   in_local_lanes,  // Local lanes that are not beyond local memory.
    input  wire [31:0]  local_memory,  // Where local memory lies in memory.

    input  wire         wdata_valid,  // Store data is offered.
    output wire         wdata_ready,  // It is taken at this edge.
    input  wire [7:0]   wdata_tag,  // The store that the environment sends it for.
    output wire         wrong_tag,  // A beat is taken at this edge that was sent for another store.
    output wire         beat_write,  // The beat is stored at this edge, as the register beat_index.
    output wire [2:0]   beat_index,  // Register of the store.
    input  wire         merge_empty,  // merge holds no pass.

    output wire         load_valid,  // A load's pass that is not shared, or a command, is offered to tag.
    input  wire         load_ready,  // It is taken at this edge.
    input  wire         shared_store_waits,  // tag holds a shared store's pass.
    output wire         bank_valid,  // A shared load's pass is offered to bank.
    input  wire         bank_ready,  // It is taken at this edge.
    output wire         store_valid,  // A store's pass is offered to merge.
    input  wire         store_ready,  // It is taken at this edge.
    output wire [180:0] pass,  // The pass; its operation is the one in issue.
    output wire         holds,  // issue holds passes of it (and no fault).
    output wire         empty,  // issue holds nothing.
    output reg  [27:0]  offset,  // Offset in the line, or in 128 bytes of shared memory, of each lane. [4 x 7 bits]
    output wire [7:0]   shared_row,  // Row of shared memory in which each lane of a shared pass lies. [4 x 2 bits]
    output wire [19:0]  place,  // Word of each bank that a shared pass needs. [4 x 5 bits]
    output wire [4:0]   leader_byte,  // Byte in its sector of the lowest lane.
    output wire         issues,  // A pass, not a command, leaves at this edge.
    output wire         replays,  // It is not its operation's first.

    output wire         fault_valid,  // A fault record is offered.
    input  wire         fault_ready,  // It is taken at this edge.
    output wire [46:0]  fault,  // The record.
    output wire         fault_is_windowed  // Its address counts from where the local window begins.
);
    localparam [2:0] CAUSE_NONE = 3'd0;  // no fault
    localparam [2:0] COP_DEFAULT = 3'd0;  // no cache operator
    localparam [2:0] L1_EVICT_NO_ALLOCATE = 3'd4;  // no_allocate
    localparam [2:0] SEM_WEAK = 3'd0;  // weak
    localparam [2:0] SPACE_GENERIC = 3'd0;  // generic address
    localparam [2:0] SPACE_SHARED_CLUSTER = 3'd3;  // shared memory of the cluster
    wire [143:0] served;  // The operation as the pass has it.
    reg  [26:0]  coming_memory;  // The line that comes, by its number in memory, and by that.
    reg  [26:0]  line_kind;  // What says in a line's number that it is remote, or local.
    reg  [3:0]   need;
    reg  [5:0]   beats;
    reg  [3:0]   next_leader;
    reg          has_lower;
    // Whether any lane is left below each node of a tree: node n is above 2n and 2n + 1, and lanes are leaves.
    reg  [7:0]   left_of;
    reg  [255:0] first_of;  // [8 x 32 bits]
    reg  [7:0]   local_of;  // Whether that lane is local, and whether it is shared; neither if none is left.
    reg  [7:0]   shared_of;
    reg          full_q;
    // The opposite, but for the cycle after a reset, in which nothing is offered: check learns from it whether issue is
    // free.
    reg          vacant_q;
    reg  [143:0] held_q;
    reg  [2:0]   cause_q;
    // issue holds passes of a load or a command; or of a store; or a fault: said once more than full, held and cause
    // say it, to be known at once.
    reg          loads_q;
    reg          stores_q;
    reg          faulty_q;
    reg  [3:0]   group_q;  // Lanes that the pass is made for; a fault has none.
    reg          is_shared_q;  // They are shared.
    reg          is_local_q;  // They are local.
    reg  [1:0]   word_q;  // Then the pass's word; else 0.
    reg          is_sunk_q;  // Every element of that word is sunk, so that the pass is empty.
    reg          word_follows_q;  // The group makes another pass, of the next word.
    reg  [3:0]   local_lanes_q;  // Local lanes of the operation.
    reg  [3:0]   shared_q;  // Shared lanes of the operation, and what their addresses have in common.
    reg  [4:0]   shared_shift_q;
    reg  [15:0]  same_banks_q;
    reg  [15:0]  same_block_q;
    reg  [3:0]   rest_q;  // Lanes that are left for later passes, or those that the fault names.
    reg          continues_q;  // The present pass is not its operation's last.
    reg  [24:0]  line_q;  // Line of the pass, but for what makes it local or remote.
    reg  [4:0]   leader_offset_q;
    reg  [127:0] address_q;
    reg  [2:0]   beats_taken_q;
    reg  [5:0]   beats_left_q;
    reg          has_data_q;  // All beats are there.
    reg          is_later_q;
    wire [3:0]   first_same;
    wire         first_differs;
    wire [3:0]   following_same;
    wire         following_differs;
    wire [15:0]  pairs_same_banks;
    wire [15:0]  pairs_same_block;
    wire [3:0]   first_blocks_group;
    wire         first_blocks_differs;
    wire [3:0]   following_blocks_group;
    wire         following_blocks_differs;
    wire [27:0]  places_offset;
    wire [7:0]   places_shared_row;
    wire [19:0]  places_place;
    wire [26:0]  coming_line_other;
    // Operator cs or lu; from issue on, too: the pass is a local load that reads words whole for the last time.
    reg          served_last_use;

    // Fields of in_operation (Operation).
    wire       in_operation_is_store          = in_operation[8];  // Store.
    wire [1:0] in_operation_vec               = in_operation[100:99];  // log2 of the element count.
    wire [1:0] in_operation_element_registers = in_operation[121:120];  // log2 of the registers of an element.
    // Number of the last word of 4 bytes of each lane: 0, 1 or 3.
    wire [1:0] in_operation_last_word         = in_operation[126:125];
    // Words of a load of which every element is sunk.
    wire [3:0] in_operation_sunk_words        = in_operation[130:127];
    wire       in_operation_mmio              = in_operation[131];  // One transaction for each lane.

    // Fields of held_q (Operation).
    wire [7:0]  held_tag               = held_q[7:0];  // Names the operation.
    wire        held_is_store          = held_q[8];  // Store.
    wire        held_is_command        = held_q[9];  // Command.
    wire [1:0]  held_cmd               = held_q[11:10];  // Which command.
    wire [2:0]  held_space             = held_q[14:12];  // State space.
    wire [2:0]  held_sem               = held_q[17:15];  // Memory semantics.
    wire [1:0]  held_scope             = held_q[19:18];  // Scope.
    wire [2:0]  held_cop               = held_q[22:20];  // Cache operator.
    wire [2:0]  held_l1_evict          = held_q[25:23];  // L1 eviction priority.
    wire [1:0]  held_l2_evict          = held_q[27:26];  // L2 eviction priority.
    wire [1:0]  held_prefetch          = held_q[29:28];  // Prefetch size.
    wire        held_policy_en         = held_q[30];  // The policy counts.
    wire [63:0] held_policy            = held_q[94:31];  // L2 cache policy.
    wire        held_nc                = held_q[95];  // Non-coherent load.
    wire [2:0]  held_size              = held_q[98:96];  // log2 of an element's bytes.
    wire [1:0]  held_vec               = held_q[100:99];  // log2 of the element count.
    wire [7:0]  held_sink              = held_q[108:101];  // Elements that are not written.
    wire        held_sign              = held_q[109];  // Sign-extend.
    wire [7:0]  held_rd                = held_q[117:110];  // First destination register.
    wire        held_warp              = held_q[118];  // Slot of its warp.
    wire        held_extended          = held_q[119];  // An element of at most 32 bits fills two registers.
    wire [1:0]  held_element_registers = held_q[121:120];  // log2 of the registers of an element.
    wire [1:0]  held_unit              = held_q[123:122];  // log2 of the bytes that one register moves, at most 4.
    wire        held_two_reads         = held_q[124];  // Two reads (or none for a store): the total is 32 bytes.
    // Number of the last word of 4 bytes of each lane: 0, 1 or 3.
    wire [1:0]  held_last_word         = held_q[126:125];
    wire [3:0]  held_sunk_words        = held_q[130:127];  // Words of a load of which every element is sunk.
    wire        held_mmio              = held_q[131];  // One transaction for each lane.
    wire        held_ordered           = held_q[132];  // A store, or a load that is strong or has operator cv.
    wire        held_looked_up         = held_q[133];  // A load that may be served by a cache.
    wire        held_kept              = held_q[134];  // A looked-up load whose misses are kept.
    wire        held_acquire           = held_q[135];  // A load before which L1 is stale.
    wire        held_release           = held_q[136];  // A store that waits for everything before it.
    wire        held_touches           = held_q[137];  // Renews age and class of its line.
    wire        held_evict_first       = held_q[138];  // Its line is evict_first.
    wire        held_evict_last        = held_q[139];  // Its line is evict_last.
    // Operator cs or lu; from issue on, too: the pass is a local load that reads words whole for the last time.
    wire        held_last_use          = held_q[143];

    // Rule BEATS: what is missing is counted down, so that no arithmetic stands before the choice of the pass.
    assign wdata_ready = full_q & !has_data_q & merge_empty;
    assign beat_write = wdata_ready & wdata_valid;
    assign wrong_tag = beat_write & (wdata_tag != held_tag);
    assign beat_index = beats_taken_q;

    // Rule PASS: of a local load's word that is sunk the pass is empty.
    wire [3:0] lanes = is_sunk_q ? 4'd0 : group_q;  // Lanes of the pass.

    // The sectors of the pass's lanes. A word's number may lie among the bits of a sector's.
    // What a word's number adds to an address, and what going on to the next one changes in it.
    wire [31:0] word_bits = {30'd0, word_q} << 5;

    always @(*) begin : need_logic
        integer i, j;
        need = 4'd0;
        for (i = 0; i < 4; i = i + 1) begin
            for (j = 0; j < 4; j = j + 1) begin
                if (lanes[i] & ((address_q[(i * 32) + 5 +: 2] | word_bits[6:5]) == j[1:0])) need[j] = 1'b1;
            end
        end
    end

    always @(*) begin : offset_logic
        integer i;
        for (i = 0; i < 4; i = i + 1) begin
            offset[i * 7 +: 7] = places_offset[i * 7 +: 7] | word_bits[6:0];
        end
    end

    assign shared_row = places_shared_row;
    assign place = places_place;

    // Rules CLUSTER, LOCAL: a line that is remote, or local, is no other's.
    always @(*) begin
        line_kind = 27'd0;
        line_kind[25] = held_space == SPACE_SHARED_CLUSTER;
        line_kind[26] = is_local_q;
    end

    wire pass_has_line = (|lanes) & !is_shared_q;  // It has lanes, and these a line.
    wire [26:0] pass_line = {2'd0, line_q} | line_kind;  // Line of the pass.
    assign leader_byte = leader_offset_q;

    // Rule LOCAL: no other thread sees local memory, so that nothing of a local pass is ordered but with its own.
    wire [2:0] served_sem = is_local_q ? SEM_WEAK : held_sem;  // Memory semantics.
    wire [2:0] served_cop = (is_local_q & !held_last_use) ? COP_DEFAULT : held_cop;  // Cache operator.
    // A store, or a load that is strong or has operator cv.
    wire served_ordered = is_local_q ? held_is_store : held_ordered;
    wire served_looked_up = is_local_q ? !held_is_store : held_looked_up;  // A load that may be served by a cache.
    // A looked-up load whose misses are kept.
    wire served_kept =
        is_local_q ? (!held_is_store & (held_l1_evict != L1_EVICT_NO_ALLOCATE) & !held_last_use) :
        held_kept;
    wire served_acquire = is_local_q ? 1'b0 : held_acquire;  // A load before which L1 is stale.
    wire served_is_local = is_local_q;  // The pass's lanes are local.
    wire [1:0] served_word = word_q;  // Number of the word of a local pass; else 0.

    always @(*) begin
        served_last_use = 1'b0;
        if (is_local_q) begin
            // Rule LAST-USE: lanes with whole words.
            served_last_use = !held_is_store & held_last_use &
              ((|held_size[2:1]) | held_vec[1] | (held_size[0] & held_vec[0]));
        end
    end

    assign served = {served_last_use, served_word, served_is_local, held_evict_last, held_evict_first, held_touches,
      held_release, served_acquire, served_kept, served_looked_up, served_ordered, held_mmio, held_sunk_words,
      held_last_word, held_two_reads, held_unit, held_element_registers, held_extended, held_warp, held_rd, held_sign,
      held_sink, held_vec, held_size, held_nc, held_policy, held_policy_en, held_prefetch, held_l2_evict, held_l1_evict,
      served_cop, held_scope, served_sem, held_space, held_cmd, held_is_command, held_is_store, held_tag};
    assign pass = {need, lanes, pass_line, is_shared_q, pass_has_line, served};

    // The next leader.
    // Lanes left for later passes, unless there is a fault: never lane 0, which leads the first pass if it is active.
    wire [3:0] left = {rest_q[3:1], 1'b0};

    always @(*) begin : next_leader_logic
        integer i;
        has_lower = 1'b0;
        for (i = 0; i < 4; i = i + 1) begin
            next_leader[i] = left[i] & !has_lower;
            has_lower = has_lower | left[i];
        end
    end

    // Its address: of two nodes the one with the lower lanes, if any of those is left.
    always @(*) begin : first_of_logic
        integer i;
        first_of[31:0] = 32'd0;
        for (i = 0; i < 4; i = i + 1) begin
            first_of[(4 + i) * 32 +: 32] = address_q[i * 32 +: 32];
        end
        for (i = 1; i < 4; i = i + 1) begin
            first_of[(4 - i) * 32 +: 32] = first_of[(((4 - i) * 2) + 1) * 32 +: 32];
            if (left_of[(4 - i) * 2]) first_of[(4 - i) * 32 +: 32] = first_of[((4 - i) * 2) * 32 +: 32];
        end
    end

    always @(*) begin : left_of_logic
        integer i;
        left_of = 8'd0;
        for (i = 0; i < 4; i = i + 1) begin
            left_of[4 + i] = left[i];
        end
        for (i = 1; i < 4; i = i + 1) begin
            left_of[4 - i] = left_of[(4 - i) * 2] | left_of[((4 - i) * 2) + 1];
        end
    end

    always @(*) begin : local_of_logic
        integer i;
        local_of = 8'd0;
        for (i = 0; i < 4; i = i + 1) begin
            local_of[4 + i] = left[i] & local_lanes_q[i];
        end
        for (i = 1; i < 4; i = i + 1) begin
            local_of[4 - i] = local_of[((4 - i) * 2) + 1];
            if (left_of[(4 - i) * 2]) local_of[4 - i] = local_of[(4 - i) * 2];
        end
    end

    always @(*) begin : shared_of_logic
        integer i;
        shared_of = 8'd0;
        for (i = 0; i < 4; i = i + 1) begin
            shared_of[4 + i] = left[i] & shared_q[i];
        end
        for (i = 1; i < 4; i = i + 1) begin
            shared_of[4 - i] = shared_of[((4 - i) * 2) + 1];
            if (left_of[(4 - i) * 2]) shared_of[4 - i] = shared_of[(4 - i) * 2];
        end
    end

    wire [31:0] next_address = first_of[63:32];

    // Rule PASS: the lanes of the pass that comes. Each of the two that may come has a comparison of its own, which
    // need not wait for the choice.
    wire in_faulty = in_cause != CAUSE_NONE;
    wire in_begins = in_valid & !in_faulty;
    wire first_is_shared = |(in_leader & in_shared & in_lanes);
    wire following_is_shared = shared_of[1];
    wire first_is_local = |(in_leader & in_local_lanes & in_lanes);
    wire following_is_local = local_of[1];

    // Rule BANK: the same of a shared leader.
    wire pairs_any = |in_shared;
    wire [3:0] first_blocks_lanes = in_lanes & in_shared;
    wire [3:0] following_blocks_lanes = left & shared_q;

    // Whether it is asked of the one or the other is known before what the leader has in common with which lanes.
    // Lanes that may be of the pass that comes, if none is shared: of the one or of the other.
    wire [3:0] may_begin = (in_begins & !continues_q & !first_is_shared) ? (in_lanes & ~in_shared) : 4'd0;
    wire [3:0] may_follow = (continues_q & !following_is_shared) ? (left & ~shared_q) : 4'd0;
    // Lanes of the pass that comes, if it is shared.
    wire [3:0] shared_group =
        (continues_q & following_is_shared) ? following_blocks_group :
        (in_begins & !continues_q & first_is_shared) ? first_blocks_group :
        4'd0;
    wire [3:0] coming_group = (may_begin & first_same) | (may_follow & following_same) | shared_group;

    // Beats of the operation that comes.
    wire [2:0] registers = {1'b0, in_operation_element_registers} + {1'b0, in_operation_vec};

    always @(*) begin : beats_logic
        integer i;
        i = 0;
        beats = 6'd0;
        if (in_operation_is_store) begin
            for (i = 0; i < 6; i = i + 1) begin
                beats[i] = registers == i[2:0];
            end
        end
    end

    assign holds = loads_q | stores_q;
    assign empty = !full_q;
    assign load_valid = loads_q & merge_empty & !is_shared_q;

    // Rule BANK-ORDER: behind the shared stores before it.
    assign bank_valid = loads_q & merge_empty & is_shared_q & !shared_store_waits;
    assign store_valid = stores_q & has_data_q;
    assign fault_valid = faulty_q & has_data_q;
    wire sends = (load_valid & load_ready) | (bank_valid & bank_ready) | (store_valid & store_ready);
    wire drops = fault_valid & fault_ready;
    assign issues = sends & !held_is_command;
    assign replays = issues & is_later_q;

    // Rule FAULT: a local lane's own address. A fault may name lane 0, too.
    // The lane that a fault record takes its address from.
    wire fault_lane_is_local = rest_q[0] ? local_lanes_q[0] : following_is_local;
    wire [31:0] fault_lane_address = rest_q[0] ? address_q[31:0] : next_address;
    assign fault_is_windowed = fault_lane_is_local & (held_space == SPACE_GENERIC);
    // Address of the lowest.
    wire [31:0] fault_address =
        fault_lane_is_local ? (({5'd0, fault_lane_address[31:5]} << 2) | (fault_lane_address & 32'd3)) :
        fault_lane_address;
    assign fault = {fault_address, rest_q, cause_q, held_tag};

    // What comes into issue does not hang on whether anything does: its own next pass, or else another operation.
    wire changes = !full_q | sends | drops;
    // Lanes of which it is made, or those that the fault names.
    wire [3:0] coming_lanes =
        continues_q ? left :
        !in_faulty ? in_lanes :
        in_fault_lanes;
    wire [3:0] next_rest = coming_lanes & ~coming_group;

    // Whether any are left is not asked of those that are: which lanes the pass has is known last.
    // Lanes are left behind the pass that comes, if it is the one or the other; and behind the one that comes indeed.
    wire first_splits =
        first_is_shared ? (first_blocks_differs | (|(in_lanes & ~in_shared))) :
        first_differs | (|(in_lanes & in_shared));
    wire following_splits =
        following_is_shared ? (following_blocks_differs | (|(left & ~shared_q))) :
        following_differs | (|(left & shared_q));
    wire others_left = continues_q ? following_splits : (in_begins & first_splits);
    wire [31:0] coming_address = continues_q ? next_address : in_leader_address;
    wire coming_is_local = continues_q ? following_is_local : (first_is_local & !in_faulty);
    wire coming_has_words =
        continues_q ? (following_is_local & (|held_last_word)) :
        first_is_local & in_begins & (|in_operation_last_word);
    wire coming_is_sunk =
        continues_q ? (following_is_local & held_sunk_words[0]) :
        first_is_local & in_operation_sunk_words[0];
    wire [1:0] next_word = word_q + 2'd1;
    wire next_follows = next_word != held_last_word;
    wire [31:0] word_step = {30'd0, word_q ^ next_word} << 5;

    // Rule HIT: what the next word changes in the number of a local line, too.
    wire [24:0] line_step = word_step[31:7] ^ {24'd0, word_step[8]};

    always @(*) begin
        coming_memory = {2'd0, coming_address[31:7]};
        if (coming_is_local) begin
            coming_memory = coming_memory ^ {2'd0, local_memory[31:7]};
            coming_memory[26] = 1'b1;
        end
    end

    assign in_ready = vacant_q | drops | (sends & !continues_q);
    wire takes = !full_q | drops | (sends & !continues_q);

    // The pass that begins an operation, and the one that follows the present pass.
    lsu_same_line first (
        .lanes           (in_lanes),
        .local_lanes     (in_local_lanes),
        .leader          (in_leader),
        .leader_is_local (first_is_local),
        .leader_address  (in_leader_address),
        .address         (in_address),
        .is_store        (in_operation_is_store),
        .mmio            (in_operation_mmio),
        .same            (first_same),
        .differs         (first_differs)
    );

    lsu_same_line following (
        .lanes           (left),
        .local_lanes     (local_lanes_q),
        .leader          (next_leader),
        .leader_is_local (following_is_local),
        .leader_address  (next_address),
        .address         (address_q),
        .is_store        (held_is_store),
        .mmio            (held_mmio),
        .same            (following_same),
        .differs         (following_differs)
    );

    lsu_bank_pairs pairs (
        .any        (pairs_any),
        .address    (in_address),
        .same_banks (pairs_same_banks),
        .same_block (pairs_same_block)
    );

    lsu_same_blocks first_blocks (
        .lanes      (first_blocks_lanes),
        .same_banks (pairs_same_banks),
        .same_block (pairs_same_block),
        .group      (first_blocks_group),
        .differs    (first_blocks_differs)
    );

    lsu_same_blocks following_blocks (
        .lanes      (following_blocks_lanes),
        .same_banks (same_banks_q),
        .same_block (same_block_q),
        .group      (following_blocks_group),
        .differs    (following_blocks_differs)
    );

    lsu_bank_places places (
        .clk        (clk),
        .rst        (rst),
        .is_shared  (is_shared_q),
        .shift      (shared_shift_q),
        .last_word  (held_last_word),
        .group      (group_q),
        .address    (address_q),
        .offset     (places_offset),
        .shared_row (places_shared_row),
        .place      (places_place)
    );

    lsu_local_line coming_line (
        .line  (coming_memory),
        .other (coming_line_other)
    );

    always @(posedge clk) begin
        if (rst) begin
            {full_q, vacant_q, held_q, cause_q, loads_q, stores_q, faulty_q, group_q, is_shared_q, is_local_q, word_q,
              is_sunk_q, word_follows_q, local_lanes_q, shared_q, shared_shift_q, same_banks_q, same_block_q, rest_q,
              continues_q, line_q, leader_offset_q, address_q, beats_taken_q, beats_left_q, has_data_q, is_later_q} <=
              381'd0;
        end else begin
            if (changes) begin
                is_later_q <= continues_q;
                if (word_follows_q) begin
                    word_q <= next_word;
                    is_sunk_q <= held_sunk_words[next_word];
                    word_follows_q <= next_follows;
                    line_q <= line_q ^ line_step;
                    continues_q <= (|left) | next_follows;
                end else begin
                    group_q <= coming_group;
                    is_shared_q <= first_is_shared & !in_faulty;
                    if (continues_q) is_shared_q <= following_is_shared;
                    is_local_q <= coming_is_local;
                    word_q <= 2'd0;
                    is_sunk_q <= coming_is_sunk;
                    word_follows_q <= coming_has_words;
                    line_q <= coming_line_other[24:0];
                    leader_offset_q <= coming_address[4:0];
                    rest_q <= next_rest;
                    continues_q <= others_left | coming_has_words;
                end
            end
            if (takes) begin
                full_q <= in_valid;
                vacant_q <= !in_valid;
                loads_q <= in_begins & !in_operation_is_store;
                stores_q <= in_begins & in_operation_is_store;
                faulty_q <= in_valid & in_faulty;
                held_q <= in_operation;
                cause_q <= in_cause;
                shared_q <= in_shared;
                shared_shift_q <= in_shared_shift;
                local_lanes_q <= in_local_lanes;
                same_banks_q <= pairs_same_banks;
                same_block_q <= pairs_same_block;
                address_q <= in_address;
            end
            // No operation comes while data do.
            if (takes | beat_write) begin
                beats_taken_q <= 3'd0;
                beats_left_q <= beats;
                has_data_q <= !in_operation_is_store;
                if (beat_write) begin
                    beats_taken_q <= beats_taken_q + 3'd1;
                    beats_left_q <= beats_left_q - 6'd1;
                    has_data_q <= beats_left_q == 6'd1;
                end
            end
        end
    end

    // Bits that nothing reads.
    wire unused = &{
        1'b0, local_memory[6:0], coming_address[6:5], word_bits[31:7], word_step[6:0], left_of[1:0], first_of[31:0],
        local_of[0], shared_of[0], held_q, coming_line_other[26:25], in_operation_sunk_words[3:1]
    };

`ifdef LSU_CONTRACTS  // What this module relies on, or promises.
    reg  contract_word;  // The first word of a local lane has a number that is a multiple of the words of its access.

    always @(*) begin : contract_word_logic
        integer i;
        contract_word = 1'b1;
        for (i = 0; i < 4; i = i + 1) begin
            if (is_local_q & group_q[i] & (|(address_q[(i * 32) + 5 +: 2] & held_last_word))) contract_word = 1'b0;
        end
    end

    reg contracts_begun;  // rst has been 1.
    initial contracts_begun = 1'b0;
    always @(posedge clk) begin
        contracts_begun <= contracts_begun | rst;
        if (contracts_begun && !rst) begin
            if (contract_word !== 1'b1) begin
                $display("contract of lsu_coalescer broken in %m:",
                  " The first word of a local lane has a number that is a multiple of the words of its access.");
                $stop;
            end
        end
    end
`endif
endmodule

// lsu_same_line: The lanes that make a pass together.
module lsu_same_line (
    input  wire [3:0]   lanes,  // Lanes without a pass so far.
    input  wire [3:0]   local_lanes,  // Those that are local.
    input  wire [3:0]   leader,  // The lowest lane without a pass, if there is any.
    input  wire         leader_is_local,  // It is local.
    input  wire [31:0]  leader_address,  // Its address.
    input  wire [127:0] address,  // Address of each lane. [4 x 32 bits]
    input  wire         is_store,  // The operation is a store.
    input  wire         mmio,  // One transaction for each lane.
    // Lanes that make a pass with the leader, if they have none so far and neither it nor they are shared: those of its
    // kind on its line or in its sector.
    output reg  [3:0]   same,
    // Some of lanes, if none is shared, do not: known sooner than which, as the leader is one of them.
    output wire         differs
);
    reg  [31:0] difference;
    reg  [31:0] ones;  // Bits of an address that are 1 in one of lanes, and those that are 0 in one.
    reg  [31:0] zeros;
    reg  [1:0]  number_ones;  // The same of the numbers of lanes.
    reg  [1:0]  number_zeros;

    always @(*) begin : same_logic
        integer i;
        same = 4'd0;
        for (i = 0; i < 4; i = i + 1) begin
            difference = address[i * 32 +: 32] ^ leader_address;
            if ((!mmio | leader[i]) & (leader_is_local == local_lanes[i]) & !(|difference[31:7]) &
              (!is_store | !(|difference[6:5]))) begin
                same[i] = 1'b1;
            end
        end
    end

    always @(*) begin : ones_logic
        integer i;
        ones = 32'd0;
        for (i = 0; i < 4; i = i + 1) begin
            if (lanes[i]) ones = ones | address[i * 32 +: 32];
        end
    end

    always @(*) begin : zeros_logic
        integer i;
        zeros = 32'd0;
        for (i = 0; i < 4; i = i + 1) begin
            if (lanes[i]) zeros = zeros | ~address[i * 32 +: 32];
        end
    end

    always @(*) begin : number_ones_logic
        integer i;
        number_ones = 2'd0;
        for (i = 0; i < 4; i = i + 1) begin
            if (lanes[i]) number_ones = number_ones | i[1:0];
        end
    end

    always @(*) begin : number_zeros_logic
        integer i;
        number_zeros = 2'd0;
        for (i = 0; i < 4; i = i + 1) begin
            if (lanes[i]) number_zeros = number_zeros | ~i[1:0];
        end
    end

    wire [31:0] differing = ones & zeros;
    assign differs = (|differing[31:7]) | (is_store & (|differing[6:5])) |
      ((|(lanes & local_lanes)) & (|(lanes & ~local_lanes))) | (mmio & (|(number_ones & number_zeros)));

    // Bits that nothing reads.
    wire unused = &{1'b0, difference[4:0], differing[4:0]};
endmodule

// lsu_bank_pairs: Pairs of lanes: each with those below it.
module lsu_bank_pairs (
    input  wire         any,  // Any lane is shared: otherwise nobody asks.
    input  wire [127:0] address,  // Address of each lane. [4 x 32 bits]
    output reg  [15:0]  same_banks,  // For each lane, those below it that need the same banks. [4 x 4 bits]
    output reg  [15:0]  same_block  // Those of them that need the same block. [4 x 4 bits]
);
    reg  [8:0] difference;
    reg        banks_agree;

    always @(*) begin : same_banks_logic
        integer i, j;
        i = 0; j = 0;
        difference = 9'd0;
        banks_agree = 1'b0;
        for (i = 0; i < 4; i = i + 1) begin
            same_banks[i * 4 +: 4] = 4'd0;
            same_block[i * 4 +: 4] = 4'd0;
        end
        if (any) begin
            for (i = 0; i < 4; i = i + 1) begin
                for (j = 0; j < 4; j = j + 1) begin
                    if (j < i) begin
                        difference = address[i * 32 +: 9] ^ address[j * 32 +: 9];
                        banks_agree = !(|difference[3:2]);
                        same_banks[(i * 4) + j] = banks_agree;
                        same_block[(i * 4) + j] = banks_agree & !(|difference[8:4]);
                    end
                end
            end
        end
    end

    // Bits that nothing reads.
    wire unused = &{1'b0, address[31:9], address[63:41], address[95:73], address[127:105], difference[1:0]};
endmodule

// lsu_same_blocks: The shared lanes that make a pass together.
module lsu_same_blocks (
    input  wire [3:0]  lanes,  // Shared lanes without a pass so far.
    input  wire [15:0] same_banks,  // For each lane, those below it that need the same banks. [4 x 4 bits]
    input  wire [15:0] same_block,  // Those of them that need the same block. [4 x 4 bits]
    output reg  [3:0]  group,  // Those that make a pass together.
    // Some of lanes do not, as two of them need different blocks of the same banks: known sooner than which.
    output wire        differs
);
    reg  [3:0] first;
    reg  [3:0] clashing;  // Lanes that need another block than one above them.

    always @(*) begin : first_logic
        integer i;
        first = lanes;
        for (i = 1; i < 4; i = i + 1) begin
            if (|(lanes & same_banks[i * 4 +: 4])) first[i] = 1'b0;
        end
    end

    always @(*) begin : clashing_logic
        integer i;
        clashing = 4'd0;
        for (i = 1; i < 4; i = i + 1) begin
            if (lanes[i]) clashing = clashing | (lanes & same_banks[i * 4 +: 4] & ~same_block[i * 4 +: 4]);
        end
    end

    assign differs = |clashing;

    always @(*) begin : group_logic
        integer i;
        group = first;
        for (i = 1; i < 4; i = i + 1) begin
            if (|(first & same_block[i * 4 +: 4])) group[i] = lanes[i];
        end
    end

    // Bits that nothing reads.
    wire unused = &{1'b0, same_banks[3:0], same_block[3:0]};
endmodule

// lsu_bank_places: Where the lanes of a pass lie.
module lsu_bank_places (
    input  wire         clk,  // Clock.
    input  wire         rst,  // Synchronous reset.
    input  wire         is_shared,  // The pass is shared.
    input  wire [4:0]   shift,  // From a shared lane's address to its shared address, in granules.
    input  wire [1:0]   last_word,  // Number of the last word of each lane.
    input  wire [3:0]   group,  // Lanes of the pass.
    input  wire [127:0] address,  // Address of each lane. [4 x 32 bits]
    output reg  [27:0]  offset,  // Offset of each lane in its line, or in 128 bytes of shared memory. [4 x 7 bits]
    output reg  [7:0]   shared_row,  // Row of shared memory in which each lane of a shared pass lies. [4 x 2 bits]
    output reg  [19:0]  place  // Word of each bank that a shared pass needs; 0 where it needs none. [4 x 5 bits]
);
    localparam [1:0] LAST_BANK = 2'd3;
    reg  [4:0]  granule;
    reg  [35:0] shared_address;  // [4 x 9 bits]

    wire [4:0] granule_shift = is_shared ? shift : 5'd0;
    wire [1:0] bank_mask = LAST_BANK & ~last_word;

    always @(*) begin : offset_logic
        integer i;
        for (i = 0; i < 4; i = i + 1) begin
            offset[i * 7 +: 7] = shared_address[i * 9 +: 7];
        end
    end

    always @(*) begin : shared_row_logic
        integer i;
        for (i = 0; i < 4; i = i + 1) begin
            shared_row[i * 2 +: 2] = shared_address[(i * 9) + 7 +: 2];
        end
    end

    always @(*) begin : granule_logic
        integer i;
        for (i = 0; i < 4; i = i + 1) begin
            granule = address[(i * 32) + 4 +: 5] + granule_shift;
            shared_address[i * 9 +: 9] = ({4'd0, granule} << 4) | (address[i * 32 +: 9] & 9'd15);
        end
    end

    always @(*) begin : place_logic
        integer i, j;
        i = 0; j = 0;
        for (i = 0; i < 4; i = i + 1) begin
            place[i * 5 +: 5] = 5'd0;
        end
        if (is_shared) begin
            for (i = 0; i < 4; i = i + 1) begin
                for (j = 0; j < 4; j = j + 1) begin
                    if (group[j] & !(|((shared_address[(j * 9) + 2 +: 2] ^ i[1:0]) & bank_mask))) begin
                        place[i * 5 +: 5] = place[i * 5 +: 5] | shared_address[(j * 9) + 4 +: 5];
                    end
                end
            end
        end
    end

    // Bits that nothing reads.
    wire unused = &{1'b0, clk, rst, address[31:9], address[63:41], address[95:73], address[127:105]};

`ifdef LSU_CONTRACTS  // What this module relies on, or promises.
    reg  contract_one_word;  // The lanes of a shared pass that need the same bank need the same word of it.

    always @(*) begin : contract_one_word_logic
        integer i, j;
        i = 0; j = 0;
        contract_one_word = 1'b1;
        if (is_shared) begin
            for (j = 0; j < 4; j = j + 1) begin
                if (group[j]) begin
                    for (i = 0; i < 4; i = i + 1) begin
                        if (!(|((shared_address[(j * 9) + 2 +: 2] ^ i[1:0]) & bank_mask)) &
                          (shared_address[(j * 9) + 4 +: 5] != place[i * 5 +: 5])) begin
                            contract_one_word = 1'b0;
                        end
                    end
                end
            end
        end
    end

    reg contracts_begun;  // rst has been 1.
    initial contracts_begun = 1'b0;
    always @(posedge clk) begin
        contracts_begun <= contracts_begun | rst;
        if (contracts_begun && !rst) begin
            if (contract_one_word !== 1'b1) begin
                $display("contract of lsu_bank_places broken in %m:",
                  " The lanes of a shared pass that need the same bank need the same word of it.");
                $stop;
            end
        end
    end
`endif
endmodule

// lsu_local_line: The number of a local line, from that in memory, and back.
module lsu_local_line (
    input  wire [26:0] line,  // Line, by either number.
    output reg  [26:0] other  // By the other one, if it is local.
);

    always @(*) begin
        other = line;
        if (line[26]) other[0] = line[0] ^ line[1];
    end
endmodule

// lsu_store_merge: Place merge of the global path: a store's registers become the bytes of one sector, or of a word of
// each bank.
module lsu_store_merge (
    input  wire         clk,  // Clock.
    input  wire         rst,  // Synchronous reset.
    input  wire         beat_write,  // Store data is kept at this edge.
    input  wire [2:0]   beat_index,  // As this register of the store.
    input  wire [127:0] beat_data,  // Store data of each lane. [4 x 32 bits]

    input  wire         in_valid,  // A store's pass is offered.
    output wire         in_ready,  // It is taken at this edge.
    input  wire [180:0] in_pass,  // The pass.
    input  wire [27:0]  in_offset,  // Offset in the line, or in 128 bytes of shared memory, of each lane. [4 x 7 bits]
    input  wire [19:0]  in_place,  // Word of each bank that a shared pass writes. [4 x 5 bits]

    output wire         empty,  // merge holds no pass.
    output wire         valid,  // A merged pass is offered to tag.
    input  wire         next_ready,  // It is taken at this edge.
    output wire [180:0] pass,  // The pass.
    output wire [27:0]  offset,  // Offset in the line, or in 128 bytes of shared memory, of each lane. [4 x 7 bits]
    output wire [19:0]  place,  // Word of each bank that a shared pass writes. [4 x 5 bits]
    output reg  [31:0]  strobe,  // Bytes that are written, four for each word. [8 x 4 bits]
    // The sector, in the first eight words, or the words of the banks; 0 where nothing is written. [8 x 32 bits]
    output reg  [255:0] data
);
    localparam [4:0] LAST_MERGE_WORD = 5'd7;
    wire [143:0] in_operation;
    wire [143:0] operation;
    reg  [2:0]   own_registers;  // Registers of a lane that the pass stores: of a local one those of its word.
    reg  [2:0]   last_index;
    reg  [3:0]   winners;
    reg  [31:0]  in_lanes;  // [8 x 4 bits]
    reg  [15:0]  in_bytes;  // [4 x 4 bits]
    reg  [127:0] repeated;  // [4 x 32 bits]
    reg  [15:0]  written;  // [4 x 4 bits]
    reg  [31:0]  byte_mask;
    reg  [127:0] lane_word;  // [4 x 32 bits]
    reg  [31:0]  joining;
    reg  [15:0]  byte_lanes;  // [4 x 4 bits]
    wire [127:0] store_data_read_data;
    reg          full_q;
    reg  [180:0] held_q;
    reg  [27:0]  offset_held_q;
    reg  [19:0]  place_held_q;
    reg  [2:0]   register_index_q;
    // Last register of the pass, and whether register_index is there: known from the start of the cycle, as issue waits
    // for it.
    reg  [2:0]   last_q;
    reg          at_last_q;
    reg  [3:0]   winner_q;  // Lanes of the group that no higher one overwrites.
    reg  [31:0]  word_lanes_q;  // For each word: lanes that are there in this cycle.
    reg  [15:0]  lane_bytes_q;  // Bytes of its word at which each lane is in this cycle.
    // The same of a lane at the beginning of a word: its last byte says that all lanes go on to the next word.
    reg  [3:0]   first_bytes_q;
    reg  [31:0]  merged_strobe_q;
    reg  [255:0] merged_data_q;

    // Fields of in_pass (Pass).
    wire [143:0] in_pass_operation = in_pass[143:0];  // Its operation.
    wire         in_pass_is_shared = in_pass[145];  // It has lanes, and these are shared.
    wire [3:0]   in_pass_group     = in_pass[176:173];  // Lanes of the pass.

    // Fields of in_operation (Operation).
    wire [1:0] in_operation_vec               = in_operation[100:99];  // log2 of the element count.
    wire [1:0] in_operation_element_registers = in_operation[121:120];  // log2 of the registers of an element.
    // log2 of the bytes that one register moves, at most 4.
    wire [1:0] in_operation_unit              = in_operation[123:122];
    // Number of the last word of 4 bytes of each lane: 0, 1 or 3.
    wire [1:0] in_operation_last_word         = in_operation[126:125];
    wire       in_operation_is_local          = in_operation[140];  // The pass's lanes are local.
    wire [1:0] in_operation_word              = in_operation[142:141];  // Number of the word of a local pass; else 0.

    // Fields of operation (Operation).
    wire [1:0] operation_unit = operation[123:122];  // log2 of the bytes that one register moves, at most 4.

    // Fields of held_q (Pass).
    wire [143:0] held_operation = held_q[143:0];  // Its operation.

    assign in_operation = in_pass_operation;
    assign operation = held_operation;
    wire [2:0] registers = {1'b0, in_operation_element_registers} + {1'b0, in_operation_vec};

    // Rule MERGE: a word's registers are those of four bytes.
    always @(*) begin
        own_registers = registers;
        if (in_operation_is_local) begin
            if (|in_operation_last_word) begin
                own_registers = 3'd2;
                if (in_operation_unit == 2'd1) own_registers = 3'd1;
                if (in_operation_unit == 2'd2) own_registers = 3'd0;
            end
        end
    end

    wire [2:0] first_index =
        !in_operation_is_local ? 3'd0 :
        (in_operation_unit == 2'd2) ? {1'b0, in_operation_word} :
        (in_operation_unit == 2'd1) ? ({1'b0, in_operation_word} << 1) :
        {1'b0, in_operation_word} << 2;

    always @(*) begin : last_index_logic
        integer i;
        last_index = first_index;
        for (i = 0; i < 3; i = i + 1) begin
            if (own_registers > i[2:0]) last_index[i] = 1'b1;
        end
    end

    // A register is kept with its low byte, or its low half, repeated over the word: then each byte of it stands where
    // a sector can take it.
    assign offset = offset_held_q;
    assign place = place_held_q;

    always @(*) begin : repeated_logic
        integer i;
        for (i = 0; i < 4; i = i + 1) begin
            repeated[i * 32 +: 32] = beat_data[i * 32 +: 32];
            if (in_operation_unit == 2'd0) begin
                repeated[i * 32 +: 32] = (beat_data[i * 32 +: 32] & 32'hffff00ff) |
                  ((beat_data[i * 32 +: 32] & 32'hff) << 8);
            end
            if (!in_operation_unit[1]) begin
                repeated[i * 32 +: 32] = (repeated[i * 32 +: 32] & 32'hffff) | (repeated[i * 32 +: 32] << 16);
            end
        end
    end

    // Rule MERGE: a lane wins unless a higher one of the group is at the same place.
    always @(*) begin : winners_logic
        integer i, j;
        i = 0; j = 0;
        winners = in_pass_group;
        if (in_valid) begin
            for (i = 0; i < 4; i = i + 1) begin
                for (j = 0; j < 4; j = j + 1) begin
                    if (j > i) begin
                        if (in_pass_group[j] & (in_offset[i * 7 +: 5] == in_offset[j * 7 +: 5])) winners[i] = 1'b0;
                    end
                end
            end
        end
    end

    // Where each lane's first register goes.
    wire [3:0] unit_bytes =
        (in_operation_unit == 2'd1) ? 4'd3 :
        (in_operation_unit == 2'd0) ? 4'd1 :
        4'd15;

    always @(*) begin : in_bytes_logic
        integer i;
        for (i = 0; i < 4; i = i + 1) begin
            in_bytes[i * 4 +: 4] = unit_bytes;
            if (in_offset[i * 7]) in_bytes[i * 4 +: 4] = in_bytes[i * 4 +: 4] << 1;
            if (in_offset[(i * 7) + 1]) in_bytes[i * 4 +: 4] = in_bytes[i * 4 +: 4] << 2;
        end
    end

    // Of a sector there are eight words.
    wire [4:0] word_mask = in_pass_is_shared ? LAST_MERGE_WORD : 5'd7;

    always @(*) begin : in_lanes_logic
        integer i, j;
        for (i = 0; i < 8; i = i + 1) begin
            in_lanes[i * 4 +: 4] = 4'd0;
        end
        for (i = 0; i < 8; i = i + 1) begin
            for (j = 0; j < 4; j = j + 1) begin
                if ((in_offset[(j * 7) + 2 +: 5] & word_mask) == i[4:0]) in_lanes[(i * 4) + j] = 1'b1;
            end
        end
    end

    // Rule MERGE: the winners' registers at their places in the sector; words behind its eight are a shared pass's
    // alone. No two of them write the same byte, so that or-ing is a choice.
    always @(*) begin : written_logic
        integer i;
        for (i = 0; i < 4; i = i + 1) begin
            written[i * 4 +: 4] = 4'd0;
            if (winner_q[i]) written[i * 4 +: 4] = lane_bytes_q[i * 4 +: 4];
        end
    end

    always @(*) begin : byte_mask_logic
        integer i;
        for (i = 0; i < 4; i = i + 1) begin
            byte_mask = 32'd0;
            if (written[i * 4]) byte_mask = byte_mask | 32'hff;
            if (written[(i * 4) + 1]) byte_mask = byte_mask | 32'hff00;
            if (written[(i * 4) + 2]) byte_mask = byte_mask | 32'hff0000;
            if (written[(i * 4) + 3]) byte_mask = byte_mask | 32'hff000000;
            lane_word[i * 32 +: 32] = store_data_read_data[i * 32 +: 32] & byte_mask;
        end
    end

    always @(*) begin : byte_lanes_logic
        integer i, j;
        for (i = 0; i < 4; i = i + 1) begin
            byte_lanes[i * 4 +: 4] = 4'd0;
            for (j = 0; j < 4; j = j + 1) begin
                byte_lanes[(i * 4) + j] = written[(j * 4) + i];
            end
        end
    end

    always @(*) begin : strobe_logic
        integer i, j;
        for (i = 0; i < 8; i = i + 1) begin
            strobe[i * 4 +: 4] = merged_strobe_q[i * 4 +: 4];
            for (j = 0; j < 4; j = j + 1) begin
                if (|(word_lanes_q[i * 4 +: 4] & byte_lanes[j * 4 +: 4])) strobe[(i * 4) + j] = 1'b1;
            end
        end
    end

    always @(*) begin : data_logic
        integer i, j;
        for (i = 0; i < 8; i = i + 1) begin
            data[i * 32 +: 32] = merged_data_q[i * 32 +: 32];
            for (j = 0; j < 4; j = j + 1) begin
                joining = 32'd0;
                if (word_lanes_q[(i * 4) + j]) joining = lane_word[j * 32 +: 32];
                data[i * 32 +: 32] = data[i * 32 +: 32] | joining;
            end
        end
    end

    assign empty = !full_q;
    assign valid = full_q & at_last_q;
    assign pass = held_q;
    assign in_ready = !full_q | (valid & next_ready);

    genvar index;
    generate
        for (index = 0; index < 4; index = index + 1) begin : store_data
            lsu_memory #(.ADDRESS_BITS(3), .WIDTH(32)) unit (
                .clk           (clk),
                .read_address  (register_index_q),
                .read_data     (store_data_read_data[index * 32 +: 32]),
                .write_enable  (beat_write),
                .write_address (beat_index),
                .write_data    (repeated[index * 32 +: 32])
            );
        end
    endgenerate

    always @(posedge clk) begin : register_logic
        integer i;
        if (rst) begin
            {full_q, held_q, offset_held_q, place_held_q, register_index_q, last_q, at_last_q, winner_q, word_lanes_q,
              lane_bytes_q, first_bytes_q, merged_strobe_q, merged_data_q} <= 581'd0;
        end else begin
            if (full_q & !valid) begin
                register_index_q <= register_index_q + 3'd1;
                at_last_q <= (register_index_q + 3'd1) == last_q;
                // The next register's bytes stand above this one's: in the next word after a word's last byte.
                if (first_bytes_q[3]) begin
                    word_lanes_q[3:0] <= 4'd0;
                    for (i = 1; i < 8; i = i + 1) begin
                        word_lanes_q[i * 4 +: 4] <= word_lanes_q[(i - 1) * 4 +: 4];
                    end
                end
                if (operation_unit == 2'd0) begin
                    first_bytes_q <= (first_bytes_q << 1) | {3'd0, first_bytes_q[3]};
                    for (i = 0; i < 4; i = i + 1) begin
                        lane_bytes_q[i * 4 +: 4] <= (lane_bytes_q[i * 4 +: 4] << 1) | {3'd0, lane_bytes_q[(i * 4) + 3]};
                    end
                end
                if (operation_unit == 2'd1) begin
                    first_bytes_q <= (first_bytes_q << 2) | {2'd0, first_bytes_q[3:2]};
                    for (i = 0; i < 4; i = i + 1) begin
                        lane_bytes_q[i * 4 +: 4] <= (lane_bytes_q[i * 4 +: 4] << 2) |
                          {2'd0, lane_bytes_q[(i * 4) + 2 +: 2]};
                    end
                end
                merged_data_q <= data;
                merged_strobe_q <= strobe;
            end
            if (in_ready) begin
                full_q <= in_valid;
                held_q <= in_pass;
                register_index_q <= first_index;
                last_q <= last_index;
                at_last_q <= !(|own_registers);
                offset_held_q <= in_offset;
                place_held_q <= in_place;
                winner_q <= winners;
                first_bytes_q <= unit_bytes;
                lane_bytes_q <= in_bytes;
                for (i = 0; i < 8; i = i + 1) begin
                    word_lanes_q[i * 4 +: 4] <= in_lanes[i * 4 +: 4];
                    merged_data_q[i * 32 +: 32] <= 32'd0;
                    merged_strobe_q[i * 4 +: 4] <= 4'd0;
                end
            end
        end
    end

    // Bits that nothing reads.
    wire unused = &{1'b0, in_operation, operation};

`ifdef LSU_CONTRACTS  // What this module relies on, or promises.
    reg        contract_aligned;  // Each lane of a pass begins at a multiple of all the bytes that it writes.
    reg        contract_once;  // No byte of the sector is written twice in a pass.
    reg  [1:0] contract_kept_unit_q;  // The unit of the operation that was offered when the last register was kept.

    // The registers of a pass were kept while its operation was the one offered.
    wire contract_unit = !in_valid | !(|in_pass_group) | (in_operation_unit == contract_kept_unit_q);

    always @(*) begin : contract_aligned_logic
        integer i, j;
        i = 0; j = 0;
        contract_aligned = 1'b1;
        if (in_valid) begin
            for (i = 0; i < 4; i = i + 1) begin
                for (j = 0; j < 5; j = j + 1) begin
                    if (in_pass_group[i] & in_offset[(i * 7) + j] &
                      (({1'b0, own_registers} + {2'd0, in_operation_unit}) > j[3:0])) begin
                        contract_aligned = 1'b0;
                    end
                end
            end
        end
    end

    always @(*) begin : contract_once_logic
        integer i, j;
        i = 0; j = 0;
        contract_once = 1'b1;
        if (full_q) begin
            for (i = 0; i < 8; i = i + 1) begin
                for (j = 0; j < 4; j = j + 1) begin
                    if ((merged_strobe_q[(i * 4) + j] & (|(word_lanes_q[i * 4 +: 4] & byte_lanes[j * 4 +: 4]))) |
                      (|(word_lanes_q[i * 4 +: 4] & byte_lanes[j * 4 +: 4] &
                      ((word_lanes_q[i * 4 +: 4] & byte_lanes[j * 4 +: 4]) - 4'd1)))) begin
                        contract_once = 1'b0;
                    end
                end
            end
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            contract_kept_unit_q <= 2'd0;
        end else begin
            if (beat_write) contract_kept_unit_q <= in_operation_unit;
        end
    end

    reg contracts_begun;  // rst has been 1.
    initial contracts_begun = 1'b0;
    always @(posedge clk) begin
        contracts_begun <= contracts_begun | rst;
        if (contracts_begun && !rst) begin
            if (contract_aligned !== 1'b1) begin
                $display("contract of lsu_store_merge broken in %m:",
                  " Each lane of a pass begins at a multiple of all the bytes that it writes.");
                $stop;
            end
            if (contract_unit !== 1'b1) begin
                $display("contract of lsu_store_merge broken in %m:",
                  " The registers of a pass were kept while its operation was the one offered.");
                $stop;
            end
            if (contract_once !== 1'b1) begin
                $display("contract of lsu_store_merge broken in %m:",
                  " No byte of the sector is written twice in a pass.");
                $stop;
            end
        end
    end
`endif
endmodule

// lsu_global_tag_stage: Place tag of the global path: order, and the tags of L1 and of the read-only cache.
module lsu_global_tag_stage (
    input  wire         clk,  // Clock.
    input  wire         rst,  // Synchronous reset.
    input  wire         store_valid,  // A store's merged pass is offered.
    input  wire         store_comes,  // merge holds a pass: issue offers nothing.
    input  wire         store_comes_next,  // It does after this edge.
    input  wire [180:0] store_pass,  // The pass.
    // Offset in the line, or in 128 bytes of shared memory, of each lane. [4 x 7 bits]
    input  wire [27:0]  store_offset,
    input  wire [19:0]  store_place,  // Word of each bank that a shared pass writes. [4 x 5 bits]
    input  wire [31:0]  store_strobe,  // Bytes that are written, four for each word. [8 x 4 bits]
    input  wire [255:0] store_data,  // The sector, or the words of the banks. [8 x 32 bits]
    input  wire         load_valid,  // A load's pass or a command is offered.
    input  wire [180:0] load_pass,  // The pass.
    input  wire [27:0]  load_offset,  // Offset in the line of each lane. [4 x 7 bits]
    input  wire [4:0]   load_leader_byte,  // Byte in its sector of the lowest lane.
    output wire         in_ready,  // tag holds fewer than two: it takes what is offered.

    input  wire         conflict,  // Something in flight comes before the pass.
    input  wire         miss_full,  // No waiter is free, or no MSHR can be taken.
    input  wire         hit_free,  // hit is free.
    input  wire         bank_holds,  // bank holds a pass.
    input  wire         ro_read_free,  // ro_read is free.
    input  wire         store_free,  // write is free.
    input  wire         serve_writes,  // serve writes: no store moves.
    input  wire [1:0]   l1_reserved,  // Ways of the line's L1 set that an MSHR reserves.
    input  wire [1:0]   ro_reserved,  // Ways of the line's RO set that an MSHR reserves.
    input  wire [1:0]   l1_lost,  // Ways of the line's L1 set whose row an MSHR names that has lost keep.
    input  wire [1:0]   ro_lost,  // The same of the line's RO set.
    input  wire [1:0]   l1_named,  // Ways of the line's L1 set whose row an MSHR named in the cycle before.
    input  wire [1:0]   ro_named,  // The same of the line's RO set.
    // Sectors that are to be read in each way of the line's L1 set: those of the cycle before, and what the pass before
    // hit. [2 x 4 bits]
    input  wire [7:0]   l1_to_read,
    input  wire [7:0]   ro_to_read,  // The same of the line's RO set. [2 x 4 bits]
    input  wire         acquired,  // An acquire's value has come, or has been read from shared memory: L1 is emptied.
    input  wire [3:0]   l1_fill,  // A sector enters L1; 0 for none.
    input  wire [3:0]   l1_dirties,  // It is dirty; 0 if it is not.
    input  wire [3:0]   ro_fill,  // A sector enters RO; 0 for none.
    input  wire [3:0]   l1_undo,  // A failed store's sector leaves L1; 0 for none.
    input  wire [26:0]  fill_line,  // Its line.
    input  wire [1:0]   l1_fill_ways,  // Its way, one bit for each of L1's; none if it is RO's.
    input  wire [1:0]   ro_fill_ways,  // One bit for each of RO's ways; none if it is L1's.

    input  wire         misses_hold_local,  // An MSHR in use has a local line, and is no write-back's.
    input  wire         misses_hold_write_back,  // An MSHR in use is a write-back's.
    input  wire         write_back_full,  // write_back is full.
    input  wire         write_back_full_next,  // It is after this edge.
    input  wire         write_back_way,  // With a sector of this way of the set that is looked at.
    output wire         writes_back,  // write_back takes a dirty sector of that set at this edge.
    output wire         dirty_way,  // Of this way.
    output wire [1:0]   dirty_sector,  // Which of its sectors.
    output wire         looked_set,  // The set that is looked at.
    output wire [26:0]  write_back_line,  // Line of the way in write_back.

    output wire         full,  // tag holds a pass or a command.
    output wire         second_full,  // tag holds a second one.
    output wire [7:0]   second_tag,  // Its operation.
    output wire [143:0] operation,  // The operation in tag.
    // It is a load, not of RO, or a release, and the pass has a line: rules ACQUIRE and RELEASE ask what is in bank.
    output wire         waits_for_bank,
    output wire [26:0]  line,  // Line of the pass.
    output wire         next_comes,  // It moves at this edge, or there is none: what comes takes its place.
    output wire [26:0]  next_line,  // Line of that one.
    output wire         next_is_same,  // It is that of the pass in tag.
    output wire         next_is_beside_l1,  // It lies in the same set of L1.
    output wire         next_is_beside_ro,  // It lies in the same set of RO.
    output wire         next_has_line,  // It comes indeed, and has one.
    output wire         next_has_lanes,  // It comes indeed, and has lanes: with a line, or shared.
    output wire [143:0] next_operation,  // Its operation.
    output wire [3:0]   need,  // Its sectors.
    output wire [27:0]  offset,  // Offset in the line of each lane. [4 x 7 bits]
    output wire [4:0]   leader_byte,  // Byte in its sector of the lowest lane.
    output wire [19:0]  place,  // Word of each bank that a shared store writes. [4 x 5 bits]
    output wire [31:0]  strobe,  // Bytes that are written, four for each word. [8 x 4 bits]
    output wire [255:0] data,  // The sector of a store, or its words of the banks. [8 x 32 bits]

    output wire         to_hit,  // hit takes hit_pass at this edge.
    output wire         to_ro_read,  // ro_read takes hit_pass at this edge.
    output wire [186:0] hit_pass,  // The lanes in hit sectors, with their row.
    // Sectors that the pass reads in each way of the L1 set of the line that comes, if it moves. [2 x 4 bits]
    output wire [7:0]   l1_reads,
    output wire [7:0]   ro_reads,  // The same of its RO set. [2 x 4 bits]
    output wire         allocates,  // The pass has lanes that wait, and a waiter takes them as it moves.
    output wire [3:0]   miss,  // Sectors that wait.
    output reg  [3:0]   miss_lanes,  // Lanes in those sectors.
    output wire         keeps,  // A new MSHR has its line, or its store's bytes, in a cache.
    output wire         l1_forbids,  // What misses may not enter the row of L1 in which the line was found.
    output wire         ro_forbids,  // The same of RO.
    output wire [1:0]   l1_ways,  // Way for the line, one bit for each of L1's; none if it is RO's, or not kept.
    output wire [1:0]   ro_ways,  // One bit for each of RO's ways; none if it is L1's, or not kept.
    output wire [3:0]   row,  // Row of the way of L1 that has the line, or could take it.
    output wire         drop_line,  // An ordered load moves.
    output wire         flush_l1,  // L1 is emptied of all lines but local ones.
    output wire         flush_ro,  // RO is emptied.
    output wire         to_store,  // write takes the store at this edge.
    output wire         store_hits,  // L1 takes its bytes.
    output wire         to_local,  // L1 takes a local store's bytes in the next cycle.
    output wire         to_shared,  // Shared memory takes a shared store's bytes in the next cycle.
    output wire         holds_shared,  // tag holds a shared store's pass.
    output wire         counts_l1,  // A looked-up load moves, not of RO.
    output wire         counts_ro,  // One of RO moves.
    output wire [3:0]   hit,  // Sectors that need not wait.
    output wire         stalls_order,  // tag waits for what comes before it.
    output wire         stalls_misses,  // tag waits for a waiter, an MSHR, a way or a write-back.
    output wire         stalls_data  // tag waits for the next place.
);
    localparam [1:0] CMD_INVALIDATE_L1 = 2'd0;  // invalidate the L1
    localparam [1:0] CMD_INVALIDATE_RO = 2'd1;  // invalidate the read-only cache
    localparam [1:0] CMD_WRITE_BACK_LOCAL = 2'd3;  // write back local memory
    localparam [2:0] COP_CG = 3'd2;  // cache at the second level
    reg  [27:0]  coming_offset;  // [4 x 7 bits]
    wire [143:0] waiting_operation;
    reg          store_fills;
    wire         moves;  // What tag holds moves, or it holds nothing: no register that holds a pass back is 1 then.
    reg  [3:0]   hit_lanes;
    reg          in_hit;
    wire         comes;
    wire [180:0] coming;
    wire [180:0] next_pass;
    reg  [26:0]  read_line;  // The line that comes, once more, for the memories that are read with it.
    // Where the lines of the second pass, of a store and of a load differ from that in tag. [3 x 27 bits]
    wire [80:0]  differences;
    reg  [2:0]   is_same;
    reg  [2:0]   is_beside_l1;
    reg  [2:0]   is_beside_ro;
    wire [1:0]   l1_matching_ways;
    wire         l1_found;
    wire [3:0]   l1_found_valid;
    wire [1:0]   l1_found_ways;
    wire [1:0]   l1_victim;
    wire [1:0]   l1_kept_ways;
    wire         l1_has_victim;
    wire         l1_not_kept;
    wire         l1_read_first;
    wire [7:0]   l1_hit_sectors;
    wire [26:0]  l1_asked_line;
    wire [7:0]   l1_set_valid;
    wire [1:0]   l1_set_local;
    wire [1:0]   ro_matching_ways;
    wire         ro_found;
    wire [3:0]   ro_found_valid;
    wire [1:0]   ro_found_ways;
    wire [1:0]   ro_victim;
    wire [1:0]   ro_kept_ways;
    wire         ro_has_victim;
    wire         ro_not_kept;
    wire         ro_read_first;
    wire [7:0]   ro_hit_sectors;
    wire [26:0]  ro_asked_line;
    wire [7:0]   ro_set_valid;
    wire [1:0]   ro_set_local;
    wire         l1_dirty_at_last;
    wire         l1_dirty_looked_set;
    wire         l1_dirty_is_dirty;
    wire         l1_dirty_way;
    wire [1:0]   l1_dirty_sector;
    wire [7:0]   l1_dirty_way_dirty;
    wire [3:0]   l1_found_row_row;
    wire [3:0]   ro_found_row_row;
    wire [3:0]   l1_row_row;
    reg          occupied_q;
    reg  [180:0] held_q;
    reg          second_occupied_q;
    // The opposite, but for the cycle after a reset, in which nothing is offered: half of what hangs on either.
    reg          has_room_q;
    wire [180:0] second_d;
    reg  [180:0] second_q;
    // merge holds no pass: the opposite of store_comes, but for the cycle after a reset. It chooses the line that
    // comes, and nothing else.
    reg          load_comes_q;
    // Whose line the memories are read with: the second pass's, a store's or a load's. None while write_back is full,
    // as nothing moves then.
    reg          reads_second_q;
    reg          reads_store_q;
    reg          reads_load_q;
    // The set that is looked at then, in which the line of what is written back is read; 0 else.
    reg          back_set_q;
    // What is only passed on does not move up: what comes goes where the elder's is not.
    reg          elder_is_right_q;
    reg  [27:0]  left_offset_q;
    reg  [4:0]   left_leader_byte_q;
    reg  [19:0]  left_place_q;
    reg  [31:0]  left_strobe_q;
    reg  [255:0] left_data_q;
    // A store there writes all of its sector: known from the start, as whether it waits hangs on it.
    reg          left_fills_q;
    reg  [27:0]  right_offset_q;
    reg  [4:0]   right_leader_byte_q;
    reg  [19:0]  right_place_q;
    reg  [31:0]  right_strobe_q;
    reg  [255:0] right_data_q;
    reg          right_fills_q;
    // tag holds a pass that has a line; and then it is a load's, or a store's: said once more than held says it, to be
    // known at once.
    reg          has_line_q;
    reg          is_load_q;
    reg          is_store_q;  // Of a store whose line is not local, and of one whose line is.
    reg          is_local_store_q;
    reg          is_any_store_q;  // tag holds a store's pass, whether or not it has a line.
    // It is a load's of RO; or of L1; or one that a pass in bank may hold back; or a store's that would change a row of
    // L1.
    reg          is_ro_q;
    reg          is_l1_q;
    reg          asks_bank_q;
    reg          is_update_q;
    reg          asks_hit_q;  // It needs hit to be free: all but a load of RO and a store that goes to write.
    // It waits whatever is hit: a store that is not local, or a load that is not looked up.
    reg          waits_anyway_q;
    reg          is_shared_store_q;  // It is a shared store's pass, which has no line.
    reg          looks_in_l1_q;  // It is a looked-up load's, of L1 or of RO.
    reg          looks_in_ro_q;
    reg          empties_l1_q;  // It is a command that empties L1, or RO: those wait for nothing but hit.
    reg          empties_ro_q;
    reg          walks_q;  // It is the command that writes back.
    reg          enters_l1_q;  // Its line takes a way of L1 if it is not found.
    reg          enters_ro_q;  // Or of RO.
    reg  [143:0] held_d_operation;  // Its operation.

    // Fields of store_pass (Pass).
    wire [26:0] store_pass_line = store_pass[172:146];  // Line of the pass.

    // Fields of load_pass (Pass).
    wire [26:0] load_pass_line = load_pass[172:146];  // Line of the pass.

    // Fields of operation (Operation).
    wire [2:0] operation_cop         = operation[22:20];  // Cache operator.
    wire       operation_nc          = operation[95];  // Non-coherent load.
    wire       operation_mmio        = operation[131];  // One transaction for each lane.
    wire       operation_ordered     = operation[132];  // A store, or a load that is strong or has operator cv.
    wire       operation_looked_up   = operation[133];  // A load that may be served by a cache.
    wire       operation_kept        = operation[134];  // A looked-up load whose misses are kept.
    wire       operation_touches     = operation[137];  // Renews age and class of its line.
    wire       operation_evict_first = operation[138];  // Its line is evict_first.
    wire       operation_evict_last  = operation[139];  // Its line is evict_last.
    // Operator cs or lu; from issue on, too: the pass is a local load that reads words whole for the last time.
    wire       operation_last_use    = operation[143];

    // Fields of next_operation (Operation).
    wire       next_operation_is_store   = next_operation[8];  // Store.
    wire       next_operation_is_command = next_operation[9];  // Command.
    wire [1:0] next_operation_cmd        = next_operation[11:10];  // Which command.
    wire [2:0] next_operation_cop        = next_operation[22:20];  // Cache operator.
    wire       next_operation_nc         = next_operation[95];  // Non-coherent load.
    wire       next_operation_mmio       = next_operation[131];  // One transaction for each lane.
    wire       next_operation_looked_up  = next_operation[133];  // A load that may be served by a cache.
    wire       next_operation_kept       = next_operation[134];  // A looked-up load whose misses are kept.
    wire       next_operation_release    = next_operation[136];  // A store that waits for everything before it.
    wire       next_operation_is_local   = next_operation[140];  // The pass's lanes are local.

    // Fields of waiting_operation (Operation).
    wire [7:0] waiting_operation_tag = waiting_operation[7:0];  // Names the operation.

    // Fields of next_pass (Pass).
    wire [143:0] next_pass_operation = next_pass[143:0];  // Its operation.
    wire         next_pass_has_line  = next_pass[144];  // It has lanes, and these a line.
    wire         next_pass_is_shared = next_pass[145];  // It has lanes, and these are shared.

    // Fields of held_q (Pass).
    wire [143:0] held_operation = held_q[143:0];  // Its operation.
    wire         held_has_line  = held_q[144];  // It has lanes, and these a line.
    wire         held_is_shared = held_q[145];  // It has lanes, and these are shared.
    wire [26:0]  held_line      = held_q[172:146];  // Line of the pass.
    wire [3:0]   held_group     = held_q[176:173];  // Lanes of the pass.
    wire [3:0]   held_need      = held_q[180:177];  // Their sectors.

    // Fields of second_d (Pass).
    wire [143:0] second_d_operation = second_d[143:0];  // Its operation.
    wire         second_d_has_line  = second_d[144];  // It has lanes, and these a line.
    wire         second_d_is_shared = second_d[145];  // It has lanes, and these are shared.
    wire [3:0]   second_d_group     = second_d[176:173];  // Lanes of the pass.
    wire [3:0]   second_d_need      = second_d[180:177];  // Their sectors.

    // Fields of second_q (Pass).
    wire [143:0] second_operation = second_q[143:0];  // Its operation.
    wire         second_is_shared = second_q[145];  // It has lanes, and these are shared.
    wire [26:0]  second_line      = second_q[172:146];  // Line of the pass.

    always @(*) begin
        held_d_operation = held_operation;
        if (moves) begin
            // What the second place holds, or else what it would take.
            held_d_operation = second_d_operation;
        end
    end

    wire held_d_has_line = moves ? second_d_has_line : held_has_line;  // It has lanes, and these a line.
    wire held_d_is_shared = moves ? second_d_is_shared : held_is_shared;  // It has lanes, and these are shared.
    wire [26:0] held_d_line = moves ? next_line : held_line;  // Line of the pass.
    wire [3:0] held_d_group = moves ? second_d_group : held_group;  // Lanes of the pass.
    wire [3:0] held_d_need = moves ? second_d_need : held_need;  // Their sectors.
    wire second_occupied_d = comes & !moves;
    assign second_d = !second_occupied_q ? coming : second_q;
    wire is_store_d = moves ? (next_has_line & next_operation_is_store & !next_operation_is_local) : is_store_q;
    wire is_ro_d = moves ? (next_has_line & !next_operation_is_store & next_operation_nc) : is_ro_q;

    assign full = occupied_q;
    assign second_full = second_occupied_q;
    assign waiting_operation = second_operation;
    assign second_tag = waiting_operation_tag;
    assign line = held_line;
    assign need = held_need;
    assign leader_byte = elder_is_right_q ? right_leader_byte_q : left_leader_byte_q;
    assign offset = elder_is_right_q ? right_offset_q : left_offset_q;
    assign place = elder_is_right_q ? right_place_q : left_place_q;
    assign strobe = elder_is_right_q ? right_strobe_q : left_strobe_q;
    assign data = elder_is_right_q ? right_data_q : left_data_q;
    wire fills_sector = elder_is_right_q ? right_fills_q : left_fills_q;
    assign operation = held_operation;

    // Rule STALL: tag moves when everything that its content could need is there.
    wire place_busy = (asks_hit_q & !hit_free) | (is_ro_q & !ro_read_free) | (is_store_q & !store_free) |
      (is_any_store_q & serve_writes);
    wire store_drops = (operation_cop == COP_CG) | operation_mmio;

    // Rule BANK-ORDER: what was asked of shared memory before a store must not see it.
    // Its row, or its banks, are still to be read; a command's local misses are in flight; it lacks a waiter or an
    // MSHR; it is not at its last set.
    wire row_is_read = is_update_q & l1_read_first;
    wire bank_is_read = is_shared_store_q & bank_holds;
    wire awaits_local = walks_q & misses_hold_local;
    wire held_back = conflict | row_is_read | bank_is_read | awaits_local;

    // Rule WRITE-BACK: what is dirty leaves before another line enters its set, and before the command goes on.
    wire is_clean = !l1_dirty_is_dirty & !write_back_full;
    // It may take a line out of L1, or looks for what is dirty: held until nothing is.
    wire holds_dirty = enters_l1_q & !l1_found;
    wire walk_ends = is_clean & l1_dirty_at_last & !misses_hold_write_back;
    // Of these, because of the set of its line.
    wire held_by_line = (holds_dirty & !is_clean) | (is_local_store_q & !l1_found & !l1_has_victim);
    wire lacks_miss = has_line_q & miss_full;
    wire walks_on = walks_q & !walk_ends;
    wire held_by_misses = lacks_miss | held_by_line | walks_on;  // Rule STALL: it is held because of misses.
    assign writes_back = (holds_dirty | walks_q) & !held_back & l1_dirty_is_dirty & !write_back_full;
    assign stalls_order = held_back;
    assign stalls_misses = !held_back & held_by_misses;
    assign stalls_data = place_busy & !held_by_misses & !held_back;

    // The same once more, and of nothing as of a pass that moves: what hangs on the line, and on what is in flight of
    // it, is known last.
    // Nothing holds it but for what is in flight before it, and the set of its line.
    wire may_move = !place_busy & !bank_is_read & !awaits_local & !lacks_miss & !walks_on;
    wire goes = !conflict & !row_is_read & !held_by_line;  // Nor does that.
    assign moves = may_move & goes;

    assign in_ready = has_room_q;
    wire in_valid = store_valid | load_valid;
    assign comes = second_occupied_q | in_valid;
    assign coming = store_comes ? store_pass : load_pass;

    always @(*) begin : coming_offset_logic
        integer i;
        for (i = 0; i < 4; i = i + 1) begin
            coming_offset[i * 7 +: 7] = load_offset[i * 7 +: 7];
            if (store_comes) coming_offset[i * 7 +: 7] = store_offset[i * 7 +: 7];
        end
    end

    always @(*) begin : store_fills_logic
        integer i;
        store_fills = 1'b1;
        for (i = 0; i < 8; i = i + 1) begin
            if (store_strobe[i * 4 +: 4] != 4'd15) store_fills = 1'b0;
        end
    end

    // What comes, for those who compare with it: the same that held takes, chosen with a register that chooses nothing
    // else.
    assign next_pass = has_room_q ? coming : second_q;
    assign next_line =
        !has_room_q ? second_line :
        load_comes_q ? load_pass_line :
        store_pass_line;

    // One of the three comes: joined, they go through fewer gates than chosen one after the other.
    always @(*) begin
        read_line = 27'd0;
        if (reads_second_q) read_line = second_line;
        if (reads_store_q) read_line = read_line | store_pass_line;
        if (reads_load_q) read_line = read_line | load_pass_line;
    end

    // Compared before the choice.
    assign differences[26:0] = second_line ^ held_line;
    assign differences[53:27] = store_pass_line ^ held_line;
    assign differences[80:54] = load_pass_line ^ held_line;

    always @(*) begin : is_same_logic
        integer i;
        for (i = 0; i < 3; i = i + 1) begin
            is_same[i] = !(|differences[i * 27 +: 27]);
        end
    end

    always @(*) begin : is_beside_l1_logic
        integer i;
        for (i = 0; i < 3; i = i + 1) begin
            is_beside_l1[i] = !(|differences[i * 27]);
        end
    end

    always @(*) begin : is_beside_ro_logic
        integer i;
        for (i = 0; i < 3; i = i + 1) begin
            is_beside_ro[i] = !(|differences[i * 27]);
        end
    end

    assign next_is_same =
        !has_room_q ? is_same[0] :
        load_comes_q ? is_same[2] :
        is_same[1];
    assign next_is_beside_l1 =
        !has_room_q ? is_beside_l1[0] :
        load_comes_q ? is_beside_l1[2] :
        is_beside_l1[1];
    assign next_is_beside_ro =
        !has_room_q ? is_beside_ro[0] :
        load_comes_q ? is_beside_ro[2] :
        is_beside_ro[1];
    assign next_operation = next_pass_operation;
    assign next_has_line = comes & next_pass_has_line;
    assign next_has_lanes = comes & (next_pass_has_line | next_pass_is_shared);
    assign waits_for_bank = asks_bank_q;

    // Rule HIT: look-up.
    assign next_comes = moves;

    // While tag waits for what is written back, that way's line is read.
    wire l1_read_set = read_line[0] | back_set_q;
    assign write_back_line = l1_asked_line;
    wire ro_read_set = read_line[0];
    wire [3:0] found_valid = operation_nc ? ro_found_valid : l1_found_valid;
    assign l1_forbids = l1_not_kept;
    assign ro_forbids = ro_not_kept;
    assign hit = operation_looked_up ? (found_valid & held_need) : 4'd0;
    assign miss = held_need & ~hit;

    always @(*) begin : miss_lanes_logic
        integer i, j;
        for (i = 0; i < 4; i = i + 1) begin
            in_hit = 1'b0;
            for (j = 0; j < 4; j = j + 1) begin
                if ((offset[(i * 7) + 5 +: 2] == j[1:0]) & hit[j]) in_hit = 1'b1;
            end
            hit_lanes[i] = held_group[i] & in_hit;
            miss_lanes[i] = held_group[i] & !in_hit;
        end
    end

    // Rule UPDATE: a local store waits for what it does not write of its sector, unless that is there.
    wire store_found = |(l1_found_valid & held_need);
    wire asks_rest = is_local_store_q & !fills_sector & !store_found;
    assign to_hit = moves & ((occupied_q & !has_line_q) | (looks_in_l1_q & (|hit)) | (is_local_store_q & !asks_rest));
    assign to_ro_read = moves & (looks_in_ro_q & (|hit));
    // Row of the row store that they are in.
    wire [3:0] hit_pass_row = operation_nc ? ro_found_row_row : l1_found_row_row;
    wire [26:0] hit_pass_line = 27'd0;  // Number of its line; only resume needs it.
    wire [3:0] hit_pass_failed = 4'd0;  // Sectors that failed, of those that it waited for; only resume has any.
    assign hit_pass = {hit_pass_failed, hit_pass_line, hit, hit_pass_row, hit_lanes, operation};
    wire l1_misses = |(held_need & ~l1_found_valid);  // Some of its sectors are not valid in L1, or in RO.
    wire ro_misses = |(held_need & ~ro_found_valid);
    assign allocates = waits_anyway_q | (looks_in_l1_q & l1_misses) | (looks_in_ro_q & ro_misses) | asks_rest;
    assign counts_l1 = moves & looks_in_l1_q;
    assign counts_ro = moves & looks_in_ro_q;

    // Rules DROP, TOUCH, UPDATE: what the pass does to the tags when it moves.
    wire drops = is_load_q & operation_ordered;
    assign drop_line = moves & drops;
    assign to_store = moves & is_store_q;
    assign to_local = moves & is_local_store_q;
    assign to_shared = moves & is_shared_store_q;
    assign holds_shared = is_shared_store_q | (second_occupied_q & second_is_shared);
    assign store_hits = store_found & !store_drops;
    wire l1_keeps = l1_found ? !l1_not_kept : l1_has_victim;
    wire ro_keeps = ro_found ? !ro_not_kept : ro_has_victim;
    assign keeps = (is_store_q & store_hits) | is_local_store_q | (enters_l1_q & l1_keeps) | (enters_ro_q & ro_keeps);
    wire touches = is_load_q & operation_kept & operation_touches;
    wire l1_touch = (touches & !operation_nc) | (is_local_store_q & operation_touches);
    wire l1_touch_valid = is_update_q & !is_local_store_q & operation_touches;
    wire ro_touch = touches & operation_nc;

    // Each cache's own outcome, before the choice between them: the tag memories' write enables are the longest way.
    wire l1_allocate = enters_l1_q & !l1_found;
    wire ro_allocate = enters_ro_q & !ro_found;
    wire line_may_move = !place_busy & !miss_full;  // A pass with a line may move, but for the same.
    wire l1_moves = goes & (line_may_move & is_l1_q);  // A pass moves that has a line, not of RO.
    wire ro_moves = goes & (line_may_move & is_ro_q);
    assign l1_reads = l1_hit_sectors;
    assign ro_reads = ro_hit_sectors;
    wire l1_evict_first = operation_evict_first & operation_touches;
    wire ro_evict_first = operation_evict_first & operation_touches;

    // Rule LAST-USE: a lane of such a pass has one word, and eight lanes beside each other have a sector.
    wire [3:0] whole = 4'd0;  // Sectors all of whose words the pass has.
    // Of these, those that are used for the last time; and have been hit.
    wire [3:0] last_uses = operation_last_use ? (held_need & whole) : 4'd0;
    wire [3:0] last_used = hit & last_uses;
    wire [3:0] l1_clear = (drops | (is_store_q & store_drops)) ? held_need : last_used;

    // What keeps says, cache by cache, and which way it is: there is one if the line is found, or may take one.
    assign l1_ways =
        (enters_l1_q & !l1_found) ? l1_victim :
        ((is_store_q & store_hits) | is_local_store_q | (enters_l1_q & !l1_not_kept)) ? l1_found_ways :
        2'd0;
    assign ro_ways =
        (enters_ro_q & !ro_found) ? ro_victim :
        (enters_ro_q & !ro_not_kept) ? ro_found_ways :
        2'd0;
    assign row = l1_row_row;
    assign flush_l1 = acquired | (empties_l1_q & hit_free);
    assign flush_ro = empties_ro_q & hit_free;
    wire l1_flush_local = walks_q & walk_ends & hit_free & !misses_hold_local;

    // What local stores leave in L1.
    wire [3:0] l1_store = (is_local_store_q & fills_sector) ? held_need : 4'd0;
    wire [3:0] l1_dirty_stores = (is_local_store_q & (fills_sector | store_found)) ? held_need : 4'd0;
    wire [3:0] l1_dirty_new_stores = (is_local_store_q & (fills_sector & !l1_found)) ? held_need : 4'd0;
    wire l1_dirty_set = held_line[0];
    wire l1_dirty_read_set = read_line[0];
    wire l1_dirty_enters = holds_dirty & l1_has_victim;
    wire l1_dirty_fill_set = fill_line[0];

    // The command waits for nothing else that comes before a pass.
    wire l1_dirty_may_step = !write_back_full & !awaits_local;
    assign dirty_way = l1_dirty_way;
    assign dirty_sector = l1_dirty_sector;
    assign looked_set = l1_dirty_looked_set;

    // Fills.
    wire l1_fill_set = fill_line[0];
    wire ro_fill_set = fill_line[0];

    lsu_cache_tags l1 (
        .clk            (clk),
        .rst            (rst),
        .line           (held_line),
        .shifts         (moves),
        .next_line      (next_line),
        .read_set       (l1_read_set),
        .next_is_same   (next_is_same),
        .next_is_beside (next_is_beside_l1),
        .reserved       (l1_reserved),
        .lost           (l1_lost),
        .named          (l1_named),
        .to_read        (l1_to_read),
        .matching_ways  (l1_matching_ways),
        .found          (l1_found),
        .found_valid    (l1_found_valid),
        .found_ways     (l1_found_ways),
        .victim         (l1_victim),
        .kept_ways      (l1_kept_ways),
        .has_victim     (l1_has_victim),
        .not_kept       (l1_not_kept),
        .read_first     (l1_read_first),
        .moves          (l1_moves),
        .looks_up       (looks_in_l1_q),
        .hit_sectors    (l1_hit_sectors),
        .clear          (l1_clear),
        .touch          (l1_touch),
        .touch_valid    (l1_touch_valid),
        .need           (held_need),
        .allocate       (l1_allocate),
        .evict_first    (l1_evict_first),
        .evict_last     (operation_evict_last),
        .store          (l1_store),
        .flush          (flush_l1),
        .flush_local    (l1_flush_local),
        .fill           (l1_fill),
        .undo           (l1_undo),
        .fill_set       (l1_fill_set),
        .fill_ways      (l1_fill_ways),
        .asked_way      (write_back_way),
        .asked_line     (l1_asked_line),
        .set_valid      (l1_set_valid),
        .set_local      (l1_set_local)
    );

    lsu_cache_tags ro (
        .clk            (clk),
        .rst            (rst),
        .line           (held_line),
        .shifts         (moves),
        .next_line      (next_line),
        .read_set       (ro_read_set),
        .next_is_same   (next_is_same),
        .next_is_beside (next_is_beside_ro),
        .reserved       (ro_reserved),
        .lost           (ro_lost),
        .named          (ro_named),
        .to_read        (ro_to_read),
        .matching_ways  (ro_matching_ways),
        .found          (ro_found),
        .found_valid    (ro_found_valid),
        .found_ways     (ro_found_ways),
        .victim         (ro_victim),
        .kept_ways      (ro_kept_ways),
        .has_victim     (ro_has_victim),
        .not_kept       (ro_not_kept),
        .read_first     (ro_read_first),
        .moves          (ro_moves),
        .looks_up       (looks_in_ro_q),
        .hit_sectors    (ro_hit_sectors),
        .clear          (4'd0),
        .touch          (ro_touch),
        .touch_valid    (1'b0),
        .need           (held_need),
        .allocate       (ro_allocate),
        .evict_first    (ro_evict_first),
        .evict_last     (operation_evict_last),
        .store          (4'd0),
        .flush          (flush_ro),
        .flush_local    (1'b0),
        .fill           (ro_fill),
        .undo           (4'd0),
        .fill_set       (ro_fill_set),
        .fill_ways      (ro_fill_ways),
        .asked_way      (1'b0),
        .asked_line     (ro_asked_line),
        .set_valid      (ro_set_valid),
        .set_local      (ro_set_local)
    );

    lsu_dirty_sectors l1_dirty (
        .clk            (clk),
        .rst            (rst),
        .set            (l1_dirty_set),
        .shifts         (moves),
        .read_set       (l1_dirty_read_set),
        .next_is_beside (next_is_beside_l1),
        .moves          (l1_moves),
        .matching_ways  (l1_matching_ways),
        .found_ways     (l1_found_ways),
        .victim         (l1_victim),
        .enters         (l1_dirty_enters),
        .stores         (l1_dirty_stores),
        .new_stores     (l1_dirty_new_stores),
        .clears         (last_uses),
        .fill           (l1_dirties),
        .fill_set       (l1_dirty_fill_set),
        .fill_ways      (l1_fill_ways),
        .walks          (walks_q),
        .may_step       (l1_dirty_may_step),
        .at_last        (l1_dirty_at_last),
        .looked_set     (l1_dirty_looked_set),
        .is_dirty       (l1_dirty_is_dirty),
        .way            (l1_dirty_way),
        .sector         (l1_dirty_sector),
        .takes          (writes_back),
        .way_dirty      (l1_dirty_way_dirty)
    );

    lsu_l1_found_row_way_row l1_found_row (
        .line (held_line),
        .ways (l1_found_ways),
        .row  (l1_found_row_row)
    );

    lsu_ro_found_row_way_row ro_found_row (
        .line (held_line),
        .ways (ro_found_ways),
        .row  (ro_found_row_row)
    );

    lsu_l1_found_row_way_row l1_row (
        .line (held_line),
        .ways (l1_kept_ways),
        .row  (l1_row_row)
    );

    always @(posedge clk) begin : register_logic
        integer i;
        if (rst) begin
            {occupied_q, held_q, second_occupied_q, has_room_q, second_q, load_comes_q, reads_second_q, reads_store_q,
              reads_load_q, back_set_q, elder_is_right_q, left_offset_q, left_leader_byte_q, left_place_q,
              left_strobe_q, left_data_q, left_fills_q, right_offset_q, right_leader_byte_q, right_place_q,
              right_strobe_q, right_data_q, right_fills_q, has_line_q, is_load_q, is_store_q, is_local_store_q,
              is_any_store_q, is_ro_q, is_l1_q, asks_bank_q, is_update_q, asks_hit_q, waits_anyway_q, is_shared_store_q,
              looks_in_l1_q, looks_in_ro_q, empties_l1_q, empties_ro_q, walks_q, enters_l1_q, enters_ro_q} <= 1074'd0;
        end else begin
            second_occupied_q <= second_occupied_d;
            second_q <= second_d;
            is_store_q <= is_store_d;
            is_ro_q <= is_ro_d;
            has_room_q <= !comes | moves;
            for (i = 0; i < 4; i = i + 1) begin
                if (has_room_q) begin
                    if (elder_is_right_q) begin
                        left_offset_q[i * 7 +: 7] <= coming_offset[i * 7 +: 7];
                    end else begin
                        right_offset_q[i * 7 +: 7] <= coming_offset[i * 7 +: 7];
                    end
                end
            end
            if (has_room_q) begin
                if (elder_is_right_q) begin
                    left_fills_q <= store_fills;
                    left_leader_byte_q <= load_leader_byte;
                    left_place_q <= store_place;
                    left_strobe_q <= store_strobe;
                    left_data_q <= store_data;
                end else begin
                    right_fills_q <= store_fills;
                    right_leader_byte_q <= load_leader_byte;
                    right_place_q <= store_place;
                    right_strobe_q <= store_strobe;
                    right_data_q <= store_data;
                end
            end
            load_comes_q <= !store_comes_next;
            reads_second_q <= second_occupied_d & !write_back_full_next;
            reads_store_q <= !second_occupied_d & store_comes_next & !write_back_full_next;
            reads_load_q <= !second_occupied_d & !store_comes_next & !write_back_full_next;
            back_set_q <= 1'b0;
            if (write_back_full_next) back_set_q <= l1_dirty_looked_set;
            if (moves) begin
                occupied_q <= comes;
                elder_is_right_q <= !elder_is_right_q;
                has_line_q <= next_has_line;
                is_load_q <= next_has_line & !next_operation_is_store;
                is_local_store_q <= next_has_line & next_operation_is_store & next_operation_is_local;
                enters_l1_q <= next_has_line & ((next_operation_kept & !next_operation_nc) |
                  (next_operation_is_store & next_operation_is_local));
                enters_ro_q <= next_has_line & next_operation_kept & next_operation_nc;
                walks_q <= comes & next_operation_is_command & (next_operation_cmd == CMD_WRITE_BACK_LOCAL);
                is_any_store_q <= comes & next_operation_is_store;
                is_shared_store_q <= comes & next_pass_is_shared;
                asks_hit_q <= comes & !(is_ro_d | is_store_d);
                waits_anyway_q <= next_has_line & !next_operation_is_local & next_operation_is_store;
                if (!next_operation_is_store & !next_operation_looked_up) waits_anyway_q <= next_has_line;
                is_l1_q <= next_has_line & !next_operation_nc;
                asks_bank_q <= next_has_line & !next_operation_nc & (!next_operation_is_store | next_operation_release);
                is_update_q <= next_has_line & next_operation_is_store & !next_operation_mmio &
                  (next_operation_cop != COP_CG);
                looks_in_l1_q <= next_has_line & next_operation_looked_up & !next_operation_nc;
                looks_in_ro_q <= next_has_line & next_operation_looked_up & next_operation_nc;
                empties_l1_q <= comes & next_operation_is_command & (next_operation_cmd == CMD_INVALIDATE_L1);
                empties_ro_q <= comes & next_operation_is_command & (next_operation_cmd == CMD_INVALIDATE_RO);
            end
            held_q <= {held_d_need, held_d_group, held_d_line, held_d_is_shared, held_d_has_line, held_d_operation};
        end
    end

    // Bits that nothing reads.
    wire unused = &{
        1'b0, fill_line[26:1], waiting_operation, next_pass, l1_set_valid, l1_set_local, ro_matching_ways, ro_kept_ways,
        ro_read_first, ro_asked_line, ro_set_valid, ro_set_local, l1_dirty_way_dirty
    };

`ifdef LSU_CONTRACTS  // What this module relies on, or promises.
    reg  contract_dirty;  // What is dirty in the set of the line in tag is valid, and its way's line is local.

    // The command that writes back comes with the number of the first set.
    wire contract_walk = !walks_q | !(|held_line[0]);

    always @(*) begin : contract_dirty_logic
        integer i;
        contract_dirty = 1'b1;
        for (i = 0; i < 2; i = i + 1) begin
            if (!walks_q & (|(l1_dirty_way_dirty[i * 4 +: 4] & ~l1_set_valid[i * 4 +: 4]))) contract_dirty = 1'b0;
            if (!walks_q & (|l1_dirty_way_dirty[i * 4 +: 4]) & !l1_set_local[i]) contract_dirty = 1'b0;
        end
    end

    // The command that writes back waits for no pass before it but for local misses.
    wire contract_command = !walks_q | !(conflict | row_is_read | bank_is_read);
    wire contract_room = !has_room_q | !second_occupied_q;  // While a second pass waits, in_ready is 0.
    wire contract_stays = !(write_back_full & moves);  // Nothing comes to tag while write_back is full.

    reg contracts_begun;  // rst has been 1.
    initial contracts_begun = 1'b0;
    always @(posedge clk) begin
        contracts_begun <= contracts_begun | rst;
        if (contracts_begun && !rst) begin
            if (contract_room !== 1'b1) begin
                $display("contract of lsu_global_tag_stage broken in %m:",
                  " While a second pass waits, in_ready is 0.");
                $stop;
            end
            if (contract_dirty !== 1'b1) begin
                $display("contract of lsu_global_tag_stage broken in %m:",
                  " What is dirty in the set of the line in tag is valid, and its way's line is local.");
                $stop;
            end
            if (contract_command !== 1'b1) begin
                $display("contract of lsu_global_tag_stage broken in %m:",
                  " The command that writes back waits for no pass before it but for local misses.");
                $stop;
            end
            if (contract_walk !== 1'b1) begin
                $display("contract of lsu_global_tag_stage broken in %m:",
                  " The command that writes back comes with the number of the first set.");
                $stop;
            end
            if (contract_stays !== 1'b1) begin
                $display("contract of lsu_global_tag_stage broken in %m:",
                  " Nothing comes to tag while write_back is full.");
                $stop;
            end
        end
    end
`endif
endmodule

// lsu_cache_tags: Tags of a cache of SETS x WAYS lines. SECTORS is 4 x WAYS, PAIRS is WAYS x WAYS.
module lsu_cache_tags (
    input  wire        clk,  // Clock.
    input  wire        rst,  // Synchronous reset: nothing is valid, way 0 of each set is the oldest.
    input  wire [26:0] line,  // Line in tag.
    input  wire        shifts,  // tag takes another pass at this edge.
    input  wire [26:0] next_line,  // Its line.
    input  wire        read_set,  // Its set, once more, to read with.
    input  wire        next_is_same,  // Its line is the one in tag.
    input  wire        next_is_beside,  // Its set is the one in tag.
    input  wire [1:0]  reserved,  // Ways of the set of the line in tag that an MSHR reserves.
    input  wire [1:0]  lost,  // Ways of the set of the line in tag whose row an MSHR names that has lost keep.
    input  wire [1:0]  named,  // Ways of the set of the line in tag whose row an MSHR named in the cycle before.
    // Sectors of each way's row that were to be read in the cycle before, and what the pass before hit. [2 x 4 bits]
    input  wire [7:0]  to_read,
    output wire [1:0]  matching_ways,  // Ways that have the line's tag, present or not.
    output reg         found,  // A way that is present holds the line.
    output reg  [3:0]  found_valid,  // Its valid sectors.
    output reg  [1:0]  found_ways,  // That way, one bit for each.
    output reg  [1:0]  victim,  // The one that the line could take, if there is one.
    output wire [1:0]  kept_ways,  // The way found, or else the one that the line could take.
    output reg         has_victim,  // There is a way that the line could take.
    output reg         not_kept,  // What misses may not enter the found way's row.
    output reg         read_first,  // A sector of need is to be read in the row of a way that has the line.
    input  wire        moves,  // tag moves a pass that looks for its line here.
    input  wire        looks_up,  // It is a load's that may be served from here.
    // Sectors that it reads then in each way, if that is one of the set of the line that comes. [2 x 4 bits]
    output reg  [7:0]  hit_sectors,

    // What the pass in `tag` does when it moves; 0 if there is none.
    input  wire [3:0]  clear,  // tag clears these sectors of the found way.
    input  wire        touch,  // The found way becomes youngest and takes the class.
    input  wire        touch_valid,  // The same, if one of the sectors of need is valid in it.
    input  wire [3:0]  need,  // Sectors that the pass in tag needs.
    input  wire        allocate,  // The victim, if there is one, takes the line, becomes youngest and takes the class.
    input  wire        evict_first,  // Class evict_first.
    input  wire        evict_last,  // Class evict_last.
    // Sectors of the found way, or else of the victim, that become valid as tag stores all of their bytes.
    input  wire [3:0]  store,
    input  wire        flush,  // All sectors of lines that are not local become invalid.
    input  wire        flush_local,  // All sectors of local lines become invalid.

    input  wire [3:0]  fill,  // This sector of the fill's line becomes valid; 0 for no fill.
    input  wire [3:0]  undo,  // This sector of the same line becomes invalid; 0 for none.
    input  wire        fill_set,  // Its set.
    input  wire [1:0]  fill_ways,  // Its way, one bit for each.

    input  wire        asked_way,  // A way of the set read_set, while no other line is read.
    output reg  [26:0] asked_line,  // The line that it holds.
    output wire [7:0]  set_valid,  // Valid sectors of each way of the set of the line in tag. [2 x 4 bits]
    output wire [1:0]  set_local  // Ways of it whose line is local.
);
    reg  [3:0]  coming_valid;
    reg  [1:0]  coming_local;
    reg  [3:0]  staying_valid;
    reg  [3:0]  staying_kept;  // All bits of what a flush leaves.
    reg  [3:0]  coming_kept;
    wire        fills_here;  // The fill is one of the set that is in tag, or of that which comes.
    wire        fills_there;
    reg  [1:0]  firsts_then;
    reg  [1:0]  lasts_then;
    reg  [3:0]  laters_then;
    reg  [1:0]  next_matches;
    reg  [1:0]  needed;
    reg  [1:0]  pinned;
    reg  [1:0]  absent;
    reg  [1:0]  lowest_class;  // Ways of the class of which a line leaves first, whether or not they are pinned.
    reg  [1:0]  oldest;
    reg  [1:0]  used;
    // Of each sector of a set: the sets in which it is valid, with what happened at the last edge, but for the fill of
    // this cycle. [8 x 2 bits]
    reg  [15:0] settled;
    wire [53:0] tag_read_data;
    reg  [1:0]  tag_write_enable;
    reg  [1:0]  matches_q;  // Ways whose line number is that of the line in tag.
    reg  [1:0]  fresh_q;  // The way that the pass before found or took, if it is one of this set.
    reg  [15:0] valid_q;
    // Sectors of each way that the pass before cleared, and its set, which is that one bit of as many as there are.
    reg  [7:0]  cleared_q;
    reg  [1:0]  in_cleared_set_q;
    reg  [7:0]  stored_q;  // Sectors that it made valid.
    reg  [1:0]  entered_q;  // The way that its line took, and whether that is local.
    reg         entered_is_local_q;
    reg  [3:0]  local_q;  // Of each way: the sets in which its line is local.
    reg         flushed_q;  // Lines that are not local were emptied in the cycle before, and local ones.
    reg         flushed_local_q;
    reg         moved_q;  // A pass moved in the cycle before: only then is anything cleared or stored.
    reg  [1:0]  written_q;  // Sets whose words in the next three memories count; those of the others are 0.
    wire [1:0]  first_read_data;
    wire [1:0]  last_read_data;
    wire [3:0]  later_read_data;
    reg  [7:0]  way_valid_d;
    // What these say of the set of the line in tag, as bits of ways or pairs of ways: read, like the tags, when the
    // pass comes to tag, and kept up with what changes meanwhile.
    reg  [7:0]  way_valid_q;
    reg  [1:0]  way_local_q;
    reg  [1:0]  firsts_q;
    reg  [1:0]  lasts_q;
    reg  [3:0]  laters_q;
    reg  [1:0]  coming_valid_selected;

    always @(*) begin : coming_valid_logic
        integer i, j;
        coming_valid_selected = 2'd0;
        for (i = 0; i < 2; i = i + 1) begin
            staying_valid = way_valid_q[i * 4 +: 4];
            coming_valid = 4'd0;
            for (j = 0; j < 4; j = j + 1) begin
                coming_valid_selected = settled[((i * 4) + j) * 2 +: 2];
                coming_valid[j] = coming_valid_selected[read_set];
            end
            if (fill_ways[i]) begin
                if (fills_here) staying_valid = (staying_valid | fill) & ~undo;
                if (fills_there) coming_valid = (coming_valid | fill) & ~undo;
            end
            if (next_is_beside & matches_q[i]) coming_valid = coming_valid & ~clear;
            if (next_is_beside & allocate & victim[i]) coming_valid = 4'd0;
            if (next_is_beside & kept_ways[i]) coming_valid = coming_valid | store;
            // Rule FLUSH, of either: what moves is known as late as what is flushed.
            staying_kept = 4'd0;
            coming_kept = 4'd0;
            for (j = 0; j < 4; j = j + 1) begin
                staying_kept[j] = !((flush & !way_local_q[i]) | (flush_local & way_local_q[i]));
                coming_kept[j] = !((flush & !coming_local[i]) | (flush_local & coming_local[i]));
            end
            way_valid_d[i * 4 +: 4] = staying_valid & staying_kept;
            if (shifts) way_valid_d[i * 4 +: 4] = coming_valid & coming_kept;
        end
    end

    wire set = line[0];
    // The first set, the one of the line in tag, and that of the fill, as one bit of as many as there are: sets are
    // marked with them, as an index on the left of an assignment would cost a shifter each.
    wire [1:0] in_first_set = 2'd1;
    wire [1:0] in_set = in_first_set << set;
    wire [1:0] in_fill_set = in_first_set << fill_set;
    wire next_set = next_line[0];

    // Look-up.
    assign matching_ways = matches_q;

    always @(*) begin : found_logic
        integer i;
        found = 1'b0;
        for (i = 0; i < 2; i = i + 1) begin
            if (matches_q[i] & ((|way_valid_q[i * 4 +: 4]) | reserved[i])) found = 1'b1;
        end
    end

    always @(*) begin : found_valid_logic
        integer i;
        found_valid = 4'd0;
        for (i = 0; i < 2; i = i + 1) begin
            // A way that is not present has none: what reserves a way need not be known.
            if (matches_q[i]) found_valid = found_valid | way_valid_q[i * 4 +: 4];
        end
    end

    always @(*) begin : found_ways_logic
        integer i;
        found_ways = 2'd0;
        for (i = 0; i < 2; i = i + 1) begin
            if (matches_q[i] & ((|way_valid_q[i * 4 +: 4]) | reserved[i])) found_ways[i] = 1'b1;
        end
    end

    always @(*) begin : not_kept_logic
        integer i;
        not_kept = 1'b0;
        for (i = 0; i < 2; i = i + 1) begin
            // Rule NOT-KEPT.
            if (found_ways[i] & (lost[i] | (|(need & ~way_valid_q[i * 4 +: 4] & to_read[i * 4 +: 4])))) not_kept = 1'b1;
        end
    end

    always @(*) begin : read_first_logic
        integer i;
        read_first = 1'b0;
        for (i = 0; i < 2; i = i + 1) begin
            // Rule READ-FIRST: a row that is to be read is pinned, so that its way's tag is still that of its line.
            if (matches_q[i] & (|(need & to_read[i * 4 +: 4]))) read_first = 1'b1;
        end
    end

    always @(*) begin : asked_line_logic
        integer i;
        asked_line = 27'd0;
        for (i = 0; i < 2; i = i + 1) begin
            if (asked_way == i[0]) asked_line = asked_line | tag_read_data[i * 27 +: 27];
        end
    end

    assign set_local = way_local_q;
    assign set_valid = way_valid_q;

    always @(*) begin : needed_logic
        integer i;
        for (i = 0; i < 2; i = i + 1) begin
            needed[i] = |(way_valid_q[i * 4 +: 4] & need);
        end
    end

    always @(*) begin : pinned_logic
        integer i;
        pinned = named | fresh_q;
        for (i = 0; i < 2; i = i + 1) begin
            // Rule PINNED.
            if (|to_read[i * 4 +: 4]) pinned[i] = 1'b1;
        end
    end

    always @(*) begin : has_victim_logic
        integer i;
        absent = 2'd0;
        for (i = 0; i < 2; i = i + 1) begin
            // What is reserved is pinned, too.
            if (!(|way_valid_q[i * 4 +: 4])) absent[i] = 1'b1;
        end
        has_victim = |((absent | lowest_class) & ~pinned);
        absent = absent & ~pinned;
    end

    always @(*) begin : hit_sectors_logic
        integer i;
        for (i = 0; i < 2; i = i + 1) begin
            hit_sectors[i * 4 +: 4] = 4'd0;
            if (looks_up & next_is_beside & matches_q[i]) hit_sectors[i * 4 +: 4] = way_valid_q[i * 4 +: 4] & need;
        end
    end

    // Rule VICTIM: an absent way, else the oldest of evict_first, or else of normal, or else of evict_last, but none
    // that is pinned. Of absent ways x & -x keeps the lowest.
    always @(*) begin
        lowest_class = 2'd0;
        lowest_class = ~lowest_class;
        if (|firsts_q) begin
            lowest_class = firsts_q;
        end else if (|(~lasts_q)) begin
            lowest_class = ~lasts_q;
        end
    end

    wire [1:0] candidates = lowest_class & ~pinned;

    always @(*) begin : oldest_logic
        integer i, j;
        oldest = candidates;
        for (i = 0; i < 2; i = i + 1) begin
            for (j = 0; j < 2; j = j + 1) begin
                if (i < j) begin
                    if (laters_q[(i * 2) + j]) begin
                        if (candidates[j]) oldest[i] = 1'b0;
                    end else if (candidates[i]) begin
                        oldest[j] = 1'b0;
                    end
                end
            end
        end
    end

    always @(*) begin
        victim = absent & (~absent + 2'd1);
        if (!(|absent)) victim = victim | oldest;
    end

    assign kept_ways = found ? found_ways : victim;

    // The pass that tag takes.
    always @(*) begin : next_matches_logic
        integer i;
        for (i = 0; i < 2; i = i + 1) begin
            if (allocate & victim[i] & next_is_beside) begin
                next_matches[i] = next_is_same;
            end else begin
                next_matches[i] = tag_read_data[i * 27 +: 27] == next_line;
            end
        end
    end

    wire [1:0] fresh_next = allocate ? victim : found_ways;

    // Rules TOUCH, DROP, FLUSH: what tag does to the set.
    always @(*) begin
        used = 2'd0;
        if (touch) used = found_ways;
        // Of the three one at most: a line that takes a way was not found, and no way has anything of it.
        if (touch_valid) used = used | (matches_q & needed);
        if (allocate) used = used | victim;
    end

    always @(*) begin : firsts_then_logic
        integer i;
        firsts_then = firsts_q;
        for (i = 0; i < 2; i = i + 1) begin
            if (used[i]) firsts_then[i] = evict_first;
        end
    end

    always @(*) begin : lasts_then_logic
        integer i;
        lasts_then = lasts_q;
        for (i = 0; i < 2; i = i + 1) begin
            if (used[i]) lasts_then[i] = evict_last & !evict_first;
        end
    end

    always @(*) begin : laters_then_logic
        integer i, j;
        laters_then = laters_q;
        for (i = 0; i < 2; i = i + 1) begin
            for (j = 0; j < 2; j = j + 1) begin
                if (i < j) begin
                    if (used[j]) laters_then[(i * 2) + j] = 1'b0;
                    if (used[i]) laters_then[(i * 2) + j] = 1'b1;
                end
            end
        end
    end

    // Into first, last and later a pass that uses no way writes what is there.
    always @(*) begin : tag_write_enable_logic
        integer i;
        for (i = 0; i < 2; i = i + 1) begin
            tag_write_enable[i] = moves & allocate & victim[i];
        end
    end

    always @(*) begin : settled_logic
        integer i, j;
        for (i = 0; i < 2; i = i + 1) begin
            for (j = 0; j < 4; j = j + 1) begin
                settled[((i * 4) + j) * 2 +: 2] = valid_q[((i * 4) + j) * 2 +: 2];
                if (flushed_q) settled[((i * 4) + j) * 2 +: 2] = settled[((i * 4) + j) * 2 +: 2] & local_q[i * 2 +: 2];
                if (flushed_local_q) begin
                    settled[((i * 4) + j) * 2 +: 2] = settled[((i * 4) + j) * 2 +: 2] & ~local_q[i * 2 +: 2];
                end
                if (cleared_q[(i * 4) + j]) begin
                    settled[((i * 4) + j) * 2 +: 2] = settled[((i * 4) + j) * 2 +: 2] & ~in_cleared_set_q;
                end
                if (stored_q[(i * 4) + j]) begin
                    settled[((i * 4) + j) * 2 +: 2] = settled[((i * 4) + j) * 2 +: 2] | in_cleared_set_q;
                end
            end
        end
    end

    // What is told of the set that is in tag after this edge: of this one if the pass stays, and nothing but a fill or
    // a flush changes it then; or of that which comes, and what the pass in tag does to that, as it moves then. Which
    // of them counts is known last.
    assign fills_here = fill_set == set;
    assign fills_there = fill_set == next_set;
    wire [1:0] coming_firsts =
        next_is_beside ? firsts_then :
        written_q[read_set] ? first_read_data :
        2'd0;
    wire [1:0] coming_lasts =
        next_is_beside ? lasts_then :
        written_q[read_set] ? last_read_data :
        2'd0;
    wire [3:0] coming_laters =
        next_is_beside ? laters_then :
        written_q[read_set] ? later_read_data :
        4'd0;

    always @(*) begin : coming_local_logic
        integer i;
        for (i = 0; i < 2; i = i + 1) begin
            coming_local[i] = tag_read_data[(i * 27) + 26];
            if (next_is_beside & allocate & victim[i]) coming_local[i] = line[26];
        end
    end

    genvar index;
    generate
        for (index = 0; index < 2; index = index + 1) begin : tag
            lsu_memory #(.ADDRESS_BITS(1), .WIDTH(27)) unit (
                .clk           (clk),
                .read_address  (read_set),
                .read_data     (tag_read_data[index * 27 +: 27]),
                .write_enable  (tag_write_enable[index]),
                .write_address (set),
                .write_data    (line)
            );
        end
    endgenerate

    lsu_memory #(.ADDRESS_BITS(1), .WIDTH(2)) first (
        .clk           (clk),
        .read_address  (read_set),
        .read_data     (first_read_data),
        .write_enable  (moves),
        .write_address (set),
        .write_data    (firsts_then)
    );

    lsu_memory #(.ADDRESS_BITS(1), .WIDTH(2)) last (
        .clk           (clk),
        .read_address  (read_set),
        .read_data     (last_read_data),
        .write_enable  (moves),
        .write_address (set),
        .write_data    (lasts_then)
    );

    // Bit i x WAYS + j, for i < j: way i was used later than way j.
    lsu_memory #(.ADDRESS_BITS(1), .WIDTH(4)) later (
        .clk           (clk),
        .read_address  (read_set),
        .read_data     (later_read_data),
        .write_enable  (moves),
        .write_address (set),
        .write_data    (laters_then)
    );

    always @(posedge clk) begin : register_logic
        integer i, j;
        if (rst) begin
            {matches_q, fresh_q, valid_q, cleared_q, in_cleared_set_q, stored_q, entered_q, entered_is_local_q, local_q,
              flushed_q, flushed_local_q, moved_q, written_q, way_valid_q, way_local_q, firsts_q, lasts_q, laters_q} <=
              68'd0;
        end else begin
            way_valid_q <= way_valid_d;
            if (shifts) matches_q <= next_matches;
            fresh_q <= 2'd0;
            if (moves & next_is_beside) fresh_q <= fresh_next;
            if (moves) written_q <= written_q | in_set;
            in_cleared_set_q <= in_set;
            entered_q <= 2'd0;
            if (moves & allocate) entered_q <= victim;
            entered_is_local_q <= line[26];
            flushed_q <= flush;
            flushed_local_q <= flush_local;
            for (i = 0; i < 2; i = i + 1) begin
                cleared_q[i * 4 +: 4] <= 4'd0;
                if (moves) begin
                    if (matches_q[i]) cleared_q[i * 4 +: 4] <= clear;
                    if (allocate & victim[i]) cleared_q[i * 4 +: 4] <= 4'd15;
                end
                stored_q[i * 4 +: 4] <= 4'd0;
                if (moves & kept_ways[i]) stored_q[i * 4 +: 4] <= store;
                if (entered_q[i]) begin
                    local_q[i * 2 +: 2] <= local_q[i * 2 +: 2] & ~in_cleared_set_q;
                    if (entered_is_local_q) local_q[i * 2 +: 2] <= local_q[i * 2 +: 2] | in_cleared_set_q;
                end
            end
            moved_q <= moves;
            if (moved_q | flushed_q | flushed_local_q | (|(fill | undo))) begin
                for (i = 0; i < 2; i = i + 1) begin
                    for (j = 0; j < 4; j = j + 1) begin
                        valid_q[((i * 4) + j) * 2 +: 2] <= settled[((i * 4) + j) * 2 +: 2];
                        if (fill[j] & fill_ways[i]) begin
                            valid_q[((i * 4) + j) * 2 +: 2] <= settled[((i * 4) + j) * 2 +: 2] | in_fill_set;
                        end
                        if (undo[j] & fill_ways[i]) begin
                            valid_q[((i * 4) + j) * 2 +: 2] <= settled[((i * 4) + j) * 2 +: 2] & ~in_fill_set;
                        end
                    end
                end
            end
            if (shifts) way_local_q <= coming_local;
            if (shifts) begin
                firsts_q <= coming_firsts;
                lasts_q <= coming_lasts;
                laters_q <= coming_laters;
            end
        end
    end

`ifdef LSU_CONTRACTS  // What this module relies on, or promises.

    // At most one of the ways that are present holds a line.
    wire contract_one_way = !(|(found_ways & (found_ways - 2'd1)));

    reg contracts_begun;  // rst has been 1.
    initial contracts_begun = 1'b0;
    always @(posedge clk) begin
        contracts_begun <= contracts_begun | rst;
        if (contracts_begun && !rst) begin
            if (contract_one_way !== 1'b1) begin
                $display("contract of lsu_cache_tags broken in %m:",
                  " At most one of the ways that are present holds a line.");
                $stop;
            end
        end
    end
`endif
endmodule

// lsu_dirty_sectors: Sectors of the L1 that are written and valid.
module lsu_dirty_sectors (
    input  wire       clk,  // Clock.
    input  wire       rst,  // Synchronous reset: nothing is dirty.
    input  wire       set,  // Set of the line in tag.
    input  wire       shifts,  // tag takes another pass at this edge.
    input  wire       read_set,  // Set of the line that comes, to read with.
    input  wire       next_is_beside,  // It is the one in tag.
    input  wire       moves,  // tag moves a pass that looks for its line in the L1.
    input  wire [1:0] matching_ways,  // Ways with the line's tag.
    input  wire [1:0] found_ways,  // The way that was found, if there is one.
    input  wire [1:0] victim,  // The way that the line could take, if there is one.
    input  wire       enters,  // The line takes that way when the pass moves.
    input  wire [3:0] stores,  // Sectors that a local store leaves dirty in the way that was found.
    input  wire [3:0] new_stores,  // The same where the line was not found and enters: in the way that it takes.
    input  wire [3:0] clears,  // Sectors of the line that are not dirty then, wherever they are.
    input  wire [3:0] fill,  // This sector of the fill's line becomes dirty; 0 for none.
    input  wire       fill_set,  // Its set.
    input  wire [1:0] fill_ways,  // Its way, one bit for each.

    input  wire       walks,  // tag holds a command that looks at all sets.
    input  wire       may_step,  // It looks at the next one if nothing is dirty in this one.
    output wire       at_last,  // It looks at the last one.
    output wire       looked_set,  // The set that is looked at: that of the line in tag, or the command's.
    output wire       is_dirty,  // Something in it is dirty.
    output reg        way,  // Lowest way in which something is.
    output reg  [1:0] sector,  // Lowest dirty sector of that.
    input  wire       takes,  // write_back takes it at this edge.
    output wire [7:0] way_dirty  // Dirty sectors of each way of that set.
);
    wire [1:0]  in_read_set;
    wire [1:0]  in_step_set;
    wire [1:0]  in_fill_set;
    reg  [7:0]  stored;
    reg  [7:0]  cleared;
    reg  [7:0]  filled;
    reg  [7:0]  lowest;
    reg         lower;  // A sector before it is dirty.
    reg  [7:0]  stepping;
    reg  [7:0]  staying;
    reg  [7:0]  coming;
    reg  [1:0]  dirty_next;
    reg  [1:0]  any_of;  // Sets that have a dirty sector.
    // Something is dirty in the set that is looked at after this edge, but for what is filled.
    reg         staying_any;
    reg  [15:0] dirty_d;
    reg  [15:0] dirty_q;  // Of each sector of a set: the sets in which it is dirty.
    // Sectors that changed at the last edge, and their set: that one bit of as many as there are.
    reg  [7:0]  dirtied_q;
    reg  [7:0]  cleaned_q;
    reg  [1:0]  in_changed_set_q;
    reg  [7:0]  looked_dirty_q;
    reg         looked_any_q;  // Any of these.
    reg         walk_set_q;

    always @(*) begin : stepping_logic
        integer i;
        any_of = 2'd0;
        for (i = 0; i < 8; i = i + 1) begin
            dirty_next = dirty_q[i * 2 +: 2];
            if (cleaned_q[i]) dirty_next = dirty_next & ~in_changed_set_q;
            if (dirtied_q[i]) dirty_next = dirty_next | in_changed_set_q;
            coming[i] = |(dirty_next & in_read_set);
            stepping[i] = |(dirty_next & in_step_set);
            any_of = any_of | dirty_next;
            if (filled[i]) dirty_next = dirty_next | in_fill_set;
            dirty_d[i * 2 +: 2] = dirty_next;
        end
        if (next_is_beside) coming = (coming & ~cleared) | stored;
    end

    // The set that is looked at, and the one that is looked at after this edge if tag keeps what it holds.
    assign at_last = !(|(!walk_set_q));
    wire steps = walks & !at_last & may_step & !looked_any_q;
    assign looked_set = walks ? walk_set_q : set;
    // The first set, the one that is looked at, that of the line that comes, the one that is stepped to, and that of
    // the fill: one bit of as many as there are.
    wire [1:0] in_first_set = 2'd1;
    wire [1:0] in_looked_set = in_first_set << looked_set;
    assign in_read_set = in_first_set << read_set;
    assign in_fill_set = in_first_set << fill_set;
    // The set that is looked at after this edge if tag keeps what it holds.
    wire stay_set = steps ? (walk_set_q + 1'b1) : looked_set;
    assign in_step_set = steps ? (in_looked_set << 1) : 2'd0;

    // Rule WRITE-BACK: the lowest dirty sector of the lowest dirty way.
    assign is_dirty = looked_any_q;
    assign way_dirty = looked_dirty_q;

    always @(*) begin : way_logic
        integer i, j;
        lowest = 8'd0;
        lower = 1'b0;
        way = 1'b0;
        sector = 2'd0;
        for (i = 0; i < 2; i = i + 1) begin
            for (j = 0; j < 4; j = j + 1) begin
                if (looked_dirty_q[(i * 4) + j] & !lower) begin
                    lowest[(i * 4) + j] = 1'b1;
                    way = way | i[0];
                    sector = sector | j[1:0];
                end
                lower = lower | looked_dirty_q[(i * 4) + j];
            end
        end
    end

    // What changes: by the pass in tag as it moves, by a fill, or by what is taken. What is not dirty is not cleaned: a
    // fill may be just coming.
    always @(*) begin : stored_logic
        integer i, j;
        for (i = 0; i < 2; i = i + 1) begin
            for (j = 0; j < 4; j = j + 1) begin
                stored[(i * 4) + j] = (found_ways[i] & stores[j]) | (victim[i] & new_stores[j]);
            end
        end
    end

    always @(*) begin : cleared_logic
        integer i, j;
        for (i = 0; i < 2; i = i + 1) begin
            for (j = 0; j < 4; j = j + 1) begin
                cleared[(i * 4) + j] = matching_ways[i] & clears[j];
            end
        end
    end

    always @(*) begin : filled_logic
        integer i, j;
        for (i = 0; i < 2; i = i + 1) begin
            for (j = 0; j < 4; j = j + 1) begin
                filled[(i * 4) + j] = fill_ways[i] & fill[j];
            end
        end
    end

    // Of the set that is looked at after this edge, if tag keeps what it holds: of one that is stepped from nothing is
    // dirty.
    always @(*) begin
        staying = looked_dirty_q;
        if (takes) staying = looked_dirty_q & ~lowest;
        staying = staying | stepping;
    end

    always @(*) begin
        staying_any = looked_any_q;
        if (takes) staying_any = |(looked_dirty_q & ~lowest);
        staying_any = staying_any | (|(any_of & in_step_set));
    end

    // If it takes another: whether any is dirty is asked of every set before it is known which one it is. If it is the
    // same one, its bits are those that are looked at, but for what the pass does that moves.
    wire coming_any =
        !next_is_beside ? (|(any_of & in_read_set)) :
        (|stores) ? 1'b1 :
        (!walks & !(|(looked_dirty_q & ~cleared))) ? 1'b0 :
        |(any_of & in_read_set);

    // What is filled is known last, and is neither cleared nor taken at the same edge: a sector is dirty only when it
    // has arrived.
    // The fill is one of that set.
    wire fills_looked = (!shifts & (fill_set == stay_set)) | (shifts & (fill_set == read_set));
    wire [7:0] filled_there = fills_looked ? filled : 8'd0;

    always @(posedge clk) begin
        if (rst) begin
            {dirty_q, dirtied_q, cleaned_q, in_changed_set_q, looked_dirty_q, looked_any_q, walk_set_q} <= 44'd0;
        end else begin
            dirty_q <= dirty_d;
            if (steps) walk_set_q <= walk_set_q + 1'b1;
            if (shifts) walk_set_q <= 1'b0;
            dirtied_q <= 8'd0;
            cleaned_q <= 8'd0;
            if (takes) cleaned_q <= lowest;
            if (moves) begin
                dirtied_q <= stored;
                cleaned_q <= cleared & looked_dirty_q;
            end
            in_changed_set_q <= in_looked_set;
            looked_dirty_q <= staying | filled_there;
            looked_any_q <= staying_any | (fills_looked & ((|fill) & (|fill_ways)));
            if (shifts) begin
                looked_dirty_q <= coming | filled_there;
                looked_any_q <= coming_any | (fills_looked & ((|fill) & (|fill_ways)));
            end
        end
    end

    // Bits that nothing reads.
    wire unused = &{1'b0, enters};

`ifdef LSU_CONTRACTS  // What this module relies on, or promises.

    wire contract_takes = !takes | looked_any_q;  // What is taken is dirty.
    // A store that dirties has a way.
    wire contract_stores = !(moves & (|stores)) | (|found_ways) | ((|new_stores) & (|victim));
    wire contract_enters = !(moves & enters & looked_any_q);  // No line enters a set in which something is dirty.

    reg contracts_begun;  // rst has been 1.
    initial contracts_begun = 1'b0;
    always @(posedge clk) begin
        contracts_begun <= contracts_begun | rst;
        if (contracts_begun && !rst) begin
            if (contract_takes !== 1'b1) begin
                $display("contract of lsu_dirty_sectors broken in %m:",
                  " What is taken is dirty.");
                $stop;
            end
            if (contract_stores !== 1'b1) begin
                $display("contract of lsu_dirty_sectors broken in %m:",
                  " A store that dirties has a way.");
                $stop;
            end
            if (contract_enters !== 1'b1) begin
                $display("contract of lsu_dirty_sectors broken in %m:",
                  " No line enters a set in which something is dirty.");
                $stop;
            end
        end
    end
`endif
endmodule

// lsu_l1_found_row_way_row: Row of a way of the cache whose rows begin at FIRST.
module lsu_l1_found_row_way_row (
    input  wire [26:0] line,  // The line; its low bits are its set.
    input  wire [1:0]  ways,  // Its way, one bit for each.
    output reg  [3:0]  row  // The row.
);
    reg  way;

    always @(*) begin : way_logic
        integer i;
        way = 1'b0;
        for (i = 0; i < 2; i = i + 1) begin
            if (ways[i]) way = way | i[0];
        end
    end

    always @(*) begin
        row = 4'd0;
        row[0] = line[0];
        row[1] = way;
    end

    // Bits that nothing reads.
    wire unused = &{1'b0, line[26:1]};
endmodule

// lsu_ro_found_row_way_row: Row of a way of the cache whose rows begin at FIRST.
module lsu_ro_found_row_way_row (
    input  wire [26:0] line,  // The line; its low bits are its set.
    input  wire [1:0]  ways,  // Its way, one bit for each.
    output reg  [3:0]  row  // The row.
);
    reg  way;

    always @(*) begin : way_logic
        integer i;
        way = 1'b0;
        for (i = 0; i < 2; i = i + 1) begin
            if (ways[i]) way = way | i[0];
        end
    end

    always @(*) begin
        row = 4'd4;
        row[0] = line[0];
        row[1] = way;
    end

    // Bits that nothing reads.
    wire unused = &{1'b0, line[26:1]};
endmodule

// lsu_miss_table: Lines in flight (MISSES MSHRs) and the passes that wait for them (as many waiters).
module lsu_miss_table (
    input  wire         clk,  // Clock.
    input  wire         rst,  // Synchronous reset.
    input  wire [143:0] operation,  // The operation in tag.
    input  wire [26:0]  line,  // Line of the pass in tag.
    input  wire [3:0]   need,  // Sectors that it needs.
    // tag moves at this edge, and takes another pass if one comes: known last, so that everything that asks it is told
    // before what follows.
    input  wire         next_comes,
    input  wire         next_has_line,  // It comes indeed, and has a line.
    input  wire         next_has_lanes,  // It has lanes: with a line, or shared.
    input  wire [26:0]  next_line,  // Line of that one.
    input  wire         next_is_same,  // It is that of the pass in tag.
    input  wire         next_is_beside_l1,  // It lies in the same set of L1.
    input  wire         next_is_beside_ro,  // It lies in the same set of RO.
    input  wire [143:0] next_operation,  // Its operation.
    output wire         conflict,  // Something in flight comes before the pass.
    output wire         full,  // No waiter is free, or no MSHR can be taken.
    output wire         has_waiter,  // A waiter is free.
    output wire         empty,  // No waiter is in use, and nothing awaits that it has been written back.
    output wire         holds_local,  // An MSHR in use has a local line, and is no write-back's.
    output wire         holds_write_back,  // An MSHR in use is a write-back's.
    output reg  [1:0]   l1_reserved,  // Ways of the line's L1 set that an MSHR reserves.
    output reg  [1:0]   ro_reserved,  // Ways of the line's RO set that an MSHR reserves.
    output reg  [1:0]   l1_lost,  // Ways of the line's L1 set whose row an MSHR names that has lost keep.
    output reg  [1:0]   ro_lost,  // The same of the line's RO set.
    output wire [1:0]   l1_named,  // Ways of the line's L1 set whose row an MSHR in use named in the cycle before.
    output wire [1:0]   ro_named,  // The same of the line's RO set.
    input  wire [1:0]   own_to_read,  // MSHRs whose own row is to be read.

    input  wire         allocates,  // The pass in tag has lanes that wait: it hands them over as it moves.
    input  wire [3:0]   miss,  // For these sectors.
    input  wire [3:0]   lanes,  // Those lanes.
    input  wire [27:0]  offset,  // Offset in the line of each lane. [4 x 7 bits]
    input  wire         l1_forbids,  // Rule NOT-KEPT forbids to join an MSHR of L1.
    input  wire         ro_forbids,  // The same of RO.
    input  wire         keeps,  // A new MSHR has its line, or its store's bytes, in a cache.
    input  wire [1:0]   l1_ways,  // In this way, one bit for each of L1's; none if it is RO's, or not kept.
    input  wire [1:0]   ro_ways,  // One bit for each of RO's ways; none if it is L1's, or not kept.
    input  wire         drop_line,  // tag moves an ordered load: MSHRs of L1 with the line lose their place.
    input  wire         flush_l1,  // All MSHRs of L1 but those of local lines lose their place.
    input  wire         flush_ro,  // All MSHRs of RO lose their place.
    input  wire [31:0]  strobe,  // Bytes that the store in tag writes, four for each word of its sector. [8 x 4 bits]
    input  wire         write_back_full,  // write_back is full: what takes an MSHR is what it holds.
    input  wire         write_back_goes,  // It does at this edge.
    input  wire [26:0]  write_back_line,  // Its line.
    input  wire [1:0]   write_back_sector,  // Its sector.
    output wire         has_mshr,  // An MSHR can be taken.
    output reg          free_index,  // The lowest one.
    output wire [3:0]   ask,  // Sectors to ask for.
    output wire         asks,  // There are any.
    output reg          mshr,  // The pass's MSHR.

    input  wire         rsp_valid,  // A response of this path is taken.
    input  wire         rsp_mshr,  // Its MSHR.
    input  wire [1:0]   rsp_sector,  // Its sector.
    input  wire         rsp_error,  // The access failed.
    input  wire         rsp_is_remote,  // It came from the cluster.
    input  wire         answer_mshr,  // MSHR of one that did.
    input  wire         memory_mshr,  // MSHR of a response that did not: rule CLUSTER, no cache takes any other.
    input  wire [1:0]   memory_sector,  // Its sector.
    input  wire         memory_error,  // That access failed.
    output wire         row_fill,  // A read's response is taken: its sector is written.
    output reg  [3:0]   fill_row,  // Into this row.
    // These bytes, four for each word: of a local store's sector those that it did not write. [8 x 4 bits]
    output reg  [31:0]  fill_strobe,
    output wire [3:0]   l1_dirties,  // The sector that becomes valid in L1 is dirty; 0 if it is not.
    output wire         write_back_error,  // The memory side has not taken what was written back.
    output wire [3:0]   l1_fill,  // The response's sector becomes valid in L1; 0 if it does not.
    output wire [3:0]   ro_fill,  // The response's sector becomes valid in RO; 0 if it does not.
    output wire [3:0]   l1_undo,  // A store failed whose bytes L1 holds: this sector becomes invalid; 0 for none.
    output reg  [26:0]  fill_line,  // Its line.
    output reg  [1:0]   l1_fill_ways,  // Its way, one bit for each of L1's; none if it is RO's.
    output reg  [1:0]   ro_fill_ways,  // One bit for each of RO's ways; none if it is L1's.

    output wire         ready_valid,  // A waiter whose sectors have arrived is offered to resume.
    input  wire         ready_take,  // It is taken at this edge.
    output wire [186:0] ready_pass,  // The pass.
    output wire [27:0]  ready_offset,  // Offset in the line of each lane. [4 x 7 bits]
    output wire         acquired,  // It is an acquire and leaves at this edge.
    input  wire [31:0]  asked_tag,  // Tags that are asked about. [4 x 8 bits]
    output reg  [3:0]   holds_tag  // For each, a waiter holds a pass of that tag.
);
    localparam [3:0] FIRST_OWN_ROW = 4'd8;
    reg  [1:0]   next_matches;
    reg  [1:0]   next_orders;
    reg  [1:0]   next_precedes;
    reg          is_ordered;
    reg          is_l1;
    reg          acquires;
    reg          is_older;  // A waiter's operation is another one of the same warp.
    reg  [1:0]   next_beside_l1;
    reg  [1:0]   next_beside_ro;
    reg  [1:0]   l1_named_here;  // Ways that MSHRs name in the set of tag's line, and in that of the line that comes.
    reg  [1:0]   ro_named_here;
    reg  [1:0]   l1_named_there;
    reg  [1:0]   ro_named_there;
    reg          line_is_same;
    reg          line_is_beside_l1;
    reg          line_is_beside_ro;
    reg  [1:0]   referred;
    wire [1:0]   joined;  // The MSHR that is joined by the pass that moves, or the one that it takes.
    wire [1:0]   taken;
    // Ways that one of them names in the set that is told of, and those that it names in the set of the line that
    // comes.
    reg  [1:0]   l1_names;
    reg  [1:0]   ro_names;
    reg  [1:0]   l1_joined_names;
    reg  [1:0]   ro_joined_names;
    reg  [3:0]   joined_asked;
    reg  [3:0]   joined_arrived;
    reg          taken_index;
    reg          order_conflict;
    reg  [1:0]   ready_next;
    reg  [7:0]   still_awaited;  // [2 x 4 bits]
    reg  [26:0]  ready_line;
    reg  [3:0]   ready_failed;
    reg  [3:0]   ready_row;
    reg  [3:0]   ready_sectors;
    reg          picked_index;
    reg  [1:0]   picked_mshr;
    reg  [1:0]   answered;  // The MSHR that the response names, whether or not there is one; and that of a response.
    reg  [3:0]   sector;
    reg  [1:0]   from_memory;  // The same of a response at the memory port.
    reg  [1:0]   from_cluster;
    reg  [3:0]   cache_sector;
    reg  [1:0]   lines_local;
    reg  [3:0]   taken_asked;
    reg  [1:0]   keep_next;
    reg  [1:0]   flushes_l1;  // MSHRs that a flush of L1 concerns.
    reg  [1:0]   waiter_valid_q;
    reg  [7:0]   waiter_needs_q;
    reg  [7:0]   waiter_awaits_q;  // Those of them that have not arrived.
    reg  [3:0]   waiter_refers_q;
    reg  [1:0]   ready_q;  // Those in use that await none.
    reg  [15:0]  waiter_tag_q;
    reg  [1:0]   waiter_warp_q;
    // Waiters in use for which the pass in tag waits (rules ACQUIRE, RELEASE): compared one edge early.
    reg  [1:0]   precedes_q;
    reg  [1:0]   is_acquire_q;
    wire [143:0] held_operation_read_data;
    wire [3:0]   held_lanes_read_data;
    wire [27:0]  held_offset_read_data;
    reg  [53:0]  mshr_line_q;
    // Known a cycle after the MSHR has been taken: nobody asks sooner, as no response comes in that cycle.
    reg  [7:0]   mshr_row_q;
    wire [7:0]   l1_row_row;
    wire [7:0]   ro_row_row;
    // The way whose row that is, one bit for each of L1's and of RO's; none of an MSHR that has its own row.
    reg  [3:0]   names_l1_q;
    reg  [3:0]   names_ro_q;
    reg  [7:0]   asked_q;
    reg  [7:0]   arrived_q;
    reg  [7:0]   failed_q;
    reg  [1:0]   ordered_q;
    reg  [1:0]   is_ro_q;
    reg  [1:0]   is_write_q;
    // Those of local stores, to which the rest of their sector comes, and the bytes that the store wrote; none of any
    // other.
    reg  [1:0]   fills_rest_q;
    wire [31:0]  stored_read_data;
    reg  [31:0]  stored_write_data;
    reg  [1:0]   writes_back_q;  // Those of write-backs whose response is awaited.
    reg  [1:0]   keep_q;
    reg  [1:0]   matches_q;  // MSHRs in use whose line is that of the pass in tag: compared one edge early.
    // Those in use for which the pass in tag waits if they were asked for its sectors (rule ORDER).
    reg  [1:0]   orders_q;
    reg  [3:0]   l1_names_here_d;
    reg  [3:0]   l1_names_here_q;  // Ways that each MSHR in use names in the set of the pass in tag.
    reg  [3:0]   ro_names_here_d;
    reg  [3:0]   ro_names_here_q;
    reg  [1:0]   l1_named_before_q;
    reg  [1:0]   ro_named_before_q;
    // A waiter refers to these, or the response to what they write back is awaited; or it was so in the cycle before.
    reg  [1:0]   in_use_q;
    reg  [1:0]   closed_q;  // Those, and the ones whose own row is to be read.
    reg          waiters_full_q;  // No waiter is free; and every MSHR is closed: whether tag moves hangs on either.
    reg          mshrs_full_q;
    reg          local_held_q;  // What holds_local and holds_write_back say.
    reg          write_back_held_q;

    // Fields of operation (Operation).
    wire [7:0] operation_tag      = operation[7:0];  // Names the operation.
    wire       operation_is_store = operation[8];  // Store.
    wire       operation_nc       = operation[95];  // Non-coherent load.
    wire       operation_warp     = operation[118];  // Slot of its warp.
    wire       operation_ordered  = operation[132];  // A store, or a load that is strong or has operator cv.
    wire       operation_kept     = operation[134];  // A looked-up load whose misses are kept.
    wire       operation_acquire  = operation[135];  // A load before which L1 is stale.
    wire       operation_is_local = operation[140];  // The pass's lanes are local.

    // Fields of next_operation (Operation).
    wire [7:0] next_operation_tag      = next_operation[7:0];  // Names the operation.
    wire       next_operation_is_store = next_operation[8];  // Store.
    wire       next_operation_nc       = next_operation[95];  // Non-coherent load.
    wire       next_operation_warp     = next_operation[118];  // Slot of its warp.
    wire       next_operation_ordered  = next_operation[132];  // A store, or a load that is strong or has operator cv.
    wire       next_operation_release  = next_operation[136];  // A store that waits for everything before it.

    always @(*) begin : l1_names_logic
        integer i;
        for (i = 0; i < 2; i = i + 1) begin
            // Ways that it names in the set that is told of.
            l1_names = l1_names_here_q[i * 2 +: 2];
            l1_joined_names = 2'd0;
            if (next_beside_l1[i]) l1_joined_names = names_l1_q[i * 2 +: 2];
            if (next_comes) l1_names = l1_joined_names;
            if (!referred[i]) l1_names = 2'd0;
            if (joined[i]) l1_names = l1_names | l1_joined_names;
            if (taken[i] & next_is_beside_l1) l1_names = l1_names | l1_ways;
            l1_names_here_d[i * 2 +: 2] = l1_names;
        end
    end

    always @(*) begin : ro_names_logic
        integer i;
        for (i = 0; i < 2; i = i + 1) begin
            ro_names = ro_names_here_q[i * 2 +: 2];
            ro_joined_names = 2'd0;
            if (next_beside_ro[i]) ro_joined_names = names_ro_q[i * 2 +: 2];
            if (next_comes) ro_names = ro_joined_names;
            if (!referred[i]) ro_names = 2'd0;
            if (joined[i]) ro_names = ro_names | ro_joined_names;
            if (taken[i] & next_is_beside_ro) ro_names = ro_names | ro_ways;
            ro_names_here_d[i * 2 +: 2] = ro_names;
        end
    end

    // Rule ORDER: what is in flight.
    always @(*) begin : order_conflict_logic
        integer i;
        order_conflict = 1'b0;
        for (i = 0; i < 2; i = i + 1) begin
            if (orders_q[i] & (|(asked_q[i * 4 +: 4] & need))) order_conflict = 1'b1;
        end
    end

    always @(*) begin : l1_reserved_logic
        integer i;
        l1_reserved = 2'd0;
        for (i = 0; i < 2; i = i + 1) begin
            if (keep_q[i]) l1_reserved = l1_reserved | l1_names_here_q[i * 2 +: 2];
        end
    end

    always @(*) begin : ro_reserved_logic
        integer i;
        ro_reserved = 2'd0;
        for (i = 0; i < 2; i = i + 1) begin
            if (keep_q[i]) ro_reserved = ro_reserved | ro_names_here_q[i * 2 +: 2];
        end
    end

    always @(*) begin : l1_lost_logic
        integer i;
        l1_lost = 2'd0;
        for (i = 0; i < 2; i = i + 1) begin
            if (!keep_q[i]) l1_lost = l1_lost | l1_names_here_q[i * 2 +: 2];
        end
    end

    always @(*) begin : ro_lost_logic
        integer i;
        ro_lost = 2'd0;
        for (i = 0; i < 2; i = i + 1) begin
            if (!keep_q[i]) ro_lost = ro_lost | ro_names_here_q[i * 2 +: 2];
        end
    end

    always @(*) begin : holds_tag_logic
        integer i, j;
        j = 0;
        holds_tag = 4'd0;
        for (i = 0; i < 2; i = i + 1) begin
            if (waiter_valid_q[i]) begin
                for (j = 0; j < 4; j = j + 1) begin
                    if (waiter_tag_q[i * 8 +: 8] == asked_tag[j * 8 +: 8]) holds_tag[j] = 1'b1;
                end
            end
        end
    end

    assign conflict = order_conflict | (|precedes_q);

    // Rules MISS, JOIN: the lowest free waiter, and an MSHR joined or the lowest that can be taken; x & -x keeps the
    // lowest 1.
    assign full = waiters_full_q | mshrs_full_q;
    assign has_waiter = !waiters_full_q;
    assign empty = !(|waiter_valid_q) & !(|writes_back_q);
    wire [1:0] free_waiter = ~waiter_valid_q & (waiter_valid_q + 2'd1);
    assign has_mshr = !mshrs_full_q;
    wire [1:0] free_mshr = ~closed_q & (closed_q + 2'd1);
    wire [1:0] joinable = operation_nc ? (matches_q & keep_q & is_ro_q) : (matches_q & keep_q & ~is_ro_q & ~ordered_q);
    wire may_join = operation_kept & (|joinable);
    wire joins = (may_join & !operation_nc & !l1_forbids) | (may_join & operation_nc & !ro_forbids);
    wire [1:0] chosen = joins ? joinable : free_mshr;

    always @(*) begin : joined_asked_logic
        integer i;
        joined_asked = 4'd0;
        for (i = 0; i < 2; i = i + 1) begin
            if (joinable[i]) joined_asked = joined_asked | asked_q[i * 4 +: 4];
        end
    end

    always @(*) begin : joined_arrived_logic
        integer i;
        joined_arrived = 4'd0;
        for (i = 0; i < 2; i = i + 1) begin
            if (joinable[i]) joined_arrived = joined_arrived | arrived_q[i * 4 +: 4];
        end
    end

    always @(*) begin : mshr_logic
        integer i;
        mshr = 1'b0;
        for (i = 0; i < 2; i = i + 1) begin
            if (chosen[i]) mshr = mshr | i[0];
        end
    end

    always @(*) begin : free_index_logic
        integer i;
        free_index = 1'b0;
        for (i = 0; i < 2; i = i + 1) begin
            if (free_mshr[i]) free_index = free_index | i[0];
        end
    end

    always @(*) begin : taken_index_logic
        integer i;
        taken_index = 1'b0;
        for (i = 0; i < 2; i = i + 1) begin
            if (free_waiter[i]) taken_index = taken_index | i[0];
        end
    end

    // Whether the waiter joins is known last.
    assign ask = joins ? (miss & ~joined_asked) : miss;
    assign asks = joins ? (|(miss & ~joined_asked)) : 1'b1;

    // Rule READY: the lowest ready waiter.
    assign ready_valid = |ready_q;
    wire [1:0] picked = ready_q & (~ready_q + 2'd1);
    wire [1:0] leaves = ready_take ? picked : 2'd0;

    always @(*) begin : picked_index_logic
        integer i;
        picked_index = 1'b0;
        for (i = 0; i < 2; i = i + 1) begin
            if (picked[i]) picked_index = picked_index | i[0];
        end
    end

    always @(*) begin : picked_mshr_logic
        integer i;
        picked_mshr = 2'd0;
        for (i = 0; i < 2; i = i + 1) begin
            if (picked[i]) picked_mshr = picked_mshr | waiter_refers_q[i * 2 +: 2];
        end
    end

    always @(*) begin : ready_sectors_logic
        integer i;
        ready_sectors = 4'd0;
        for (i = 0; i < 2; i = i + 1) begin
            if (picked[i]) ready_sectors = ready_sectors | waiter_needs_q[i * 4 +: 4];
        end
    end

    always @(*) begin : ready_row_logic
        integer i;
        ready_row = 4'd0;
        for (i = 0; i < 2; i = i + 1) begin
            if (picked_mshr[i]) ready_row = ready_row | mshr_row_q[i * 4 +: 4];
        end
    end

    always @(*) begin : ready_line_logic
        integer i;
        ready_line = 27'd0;
        for (i = 0; i < 2; i = i + 1) begin
            if (picked_mshr[i]) ready_line = ready_line | mshr_line_q[i * 27 +: 27];
        end
    end

    always @(*) begin : ready_failed_logic
        integer i;
        ready_failed = 4'd0;
        for (i = 0; i < 2; i = i + 1) begin
            if (picked_mshr[i]) ready_failed = ready_failed | failed_q[i * 4 +: 4];
        end
    end

    // Nothing is read for a store.
    // Sectors of the row that are to be read; none for a store.
    wire [3:0] ready_pass_sectors = (|(picked_mshr & (is_write_q | fills_rest_q))) ? 4'd0 : ready_sectors;
    // Sectors that failed, of those that it waited for; only resume has any.
    wire [3:0] ready_pass_failed = ready_failed & ready_sectors;
    assign acquired = |(leaves & is_acquire_q);

    // The rest of a pass is only stored and read back. A free waiter takes whatever is in tag: whether that waits is
    // known last.
    assign ready_pass = {ready_pass_failed, ready_line, ready_pass_sectors, ready_row, held_lanes_read_data,
      held_operation_read_data};
    assign ready_offset = held_offset_read_data;

    // Rule RESPONSE.
    always @(*) begin : sector_logic
        integer i;
        sector = 4'd0;
        for (i = 0; i < 4; i = i + 1) begin
            if (rsp_valid & (rsp_sector == i[1:0])) sector[i] = 1'b1;
        end
    end

    wire [1:0] response = rsp_valid ? answered : 2'd0;

    always @(*) begin : answered_logic
        integer i;
        answered = 2'd0;
        for (i = 0; i < 2; i = i + 1) begin
            if (rsp_mshr == i[0]) answered[i] = 1'b1;
        end
    end

    always @(*) begin : fill_row_logic
        integer i;
        fill_row = 4'd0;
        for (i = 0; i < 2; i = i + 1) begin
            if (answered[i]) fill_row = fill_row | mshr_row_q[i * 4 +: 4];
        end
    end

    assign write_back_error = (|(response & writes_back_q)) & rsp_error;

    // Of either response whether it is that of a read, before it is known which there is.
    always @(*) begin : from_memory_logic
        integer i;
        from_memory = 2'd0;
        for (i = 0; i < 2; i = i + 1) begin
            if (memory_mshr == i[0]) from_memory[i] = 1'b1;
        end
    end

    always @(*) begin : from_cluster_logic
        integer i;
        from_cluster = 2'd0;
        for (i = 0; i < 2; i = i + 1) begin
            if (answer_mshr == i[0]) from_cluster[i] = 1'b1;
        end
    end

    assign row_fill =
        rsp_is_remote ? (rsp_valid & (|(from_cluster & ~is_write_q))) :
        rsp_valid & (|(from_memory & ~is_write_q));

    // What the caches take of it. Whether there is a response is known last.
    always @(*) begin : cache_sector_logic
        integer i;
        cache_sector = 4'd0;
        for (i = 0; i < 4; i = i + 1) begin
            if (rsp_valid & !rsp_is_remote & (memory_sector == i[1:0])) cache_sector[i] = 1'b1;
        end
    end

    always @(*) begin : fill_line_logic
        integer i;
        fill_line = 27'd0;
        for (i = 0; i < 2; i = i + 1) begin
            if (from_memory[i]) fill_line = fill_line | mshr_line_q[i * 27 +: 27];
        end
    end

    always @(*) begin : l1_fill_ways_logic
        integer i;
        l1_fill_ways = 2'd0;
        for (i = 0; i < 2; i = i + 1) begin
            if (from_memory[i]) l1_fill_ways = l1_fill_ways | names_l1_q[i * 2 +: 2];
        end
    end

    always @(*) begin : ro_fill_ways_logic
        integer i;
        ro_fill_ways = 2'd0;
        for (i = 0; i < 2; i = i + 1) begin
            if (from_memory[i]) ro_fill_ways = ro_fill_ways | names_ro_q[i * 2 +: 2];
        end
    end

    // MSHRs that have a place in L1, or in RO, for what is read; and those that have one for a store's bytes.
    wire [1:0] fills_l1 = keep_q & ~is_write_q & ~is_ro_q;
    wire [1:0] fills_ro = keep_q & ~is_write_q & is_ro_q;
    wire [1:0] holds_stored = keep_q & is_write_q;
    assign l1_fill = ((|(from_memory & fills_l1)) & !memory_error) ? cache_sector : 4'd0;
    assign ro_fill = ((|(from_memory & fills_ro)) & !memory_error) ? cache_sector : 4'd0;
    assign l1_undo = ((|(from_memory & holds_stored)) & memory_error) ? cache_sector : 4'd0;
    assign l1_dirties = ((|(from_memory & fills_l1 & fills_rest_q)) & !memory_error) ? cache_sector : 4'd0;

    // Which bytes the store in tag has written is kept whether or not it takes the MSHR.
    wire is_local_store = operation_is_store & operation_is_local;

    always @(*) begin : fill_strobe_logic
        integer i;
        for (i = 0; i < 8; i = i + 1) begin
            fill_strobe[i * 4 +: 4] = ~stored_read_data[i * 4 +: 4];
        end
    end

    always @(*) begin : stored_write_data_logic
        integer i;
        for (i = 0; i < 8; i = i + 1) begin
            stored_write_data[i * 4 +: 4] = 4'd0;
            if (is_local_store) stored_write_data[i * 4 +: 4] = strobe[i * 4 +: 4];
        end
    end

    // What takes an MSHR: the pass in tag, or what is written back while that waits.
    // What is loaded into the MSHR that could be taken.
    wire [26:0] taken_line = write_back_full ? write_back_line : line;
    wire taken_is_local = line[26] | write_back_full;  // It is local, as all that is written back is.

    always @(*) begin : taken_asked_logic
        integer i;
        i = 0;
        taken_asked = miss;
        if (write_back_full) begin
            taken_asked = 4'd0;
            for (i = 0; i < 4; i = i + 1) begin
                if (write_back_sector == i[1:0]) taken_asked[i] = 1'b1;
            end
        end
    end

    wire taken_keeps = write_back_full ? 1'b0 : keeps;
    wire taken_is_write = write_back_full ? 1'b1 : (operation_is_store & !operation_is_local);
    wire taken_is_ordered = write_back_full ? 1'b1 : operation_ordered;

    // What becomes of the waiters and of the MSHRs.
    wire [3:0] first_own_row = FIRST_OWN_ROW;

    // What would be taken is loaded in any case: only whether it counts hangs on whether tag moves.
    wire [1:0] waiting = waiter_valid_q & ~leaves;

    always @(*) begin : referred_logic
        integer i;
        referred = writes_back_q;
        for (i = 0; i < 2; i = i + 1) begin
            if (waiter_valid_q[i]) referred = referred | waiter_refers_q[i * 2 +: 2];
        end
    end

    always @(*) begin : lines_local_logic
        integer i;
        for (i = 0; i < 2; i = i + 1) begin
            lines_local[i] = mshr_line_q[(i * 27) + 26];
        end
    end

    wire [1:0] waiting_more = allocates ? (waiting | free_waiter) : waiting;
    // The same with the pass in tag, if it hands over lanes: what counts if it moves.
    wire [1:0] referred_more = allocates ? (referred | chosen) : referred;

    // What becomes of the MSHRs is decided for both ways of taking one: which of them it is, is known late.
    // All are closed if tag takes none, takes one, joins one, takes a new one.
    wire full_if_stayed = !(|(~(referred | own_to_read)));
    wire full_if_joined = !(|(~(referred | joinable | own_to_read)));
    wire full_if_new = !(|(~(referred | free_mshr | own_to_read)));
    wire full_if_taken = joins ? full_if_joined : full_if_new;

    // Of the MSHRs with a local line those of write-backs are the only writes, and no waiter refers to one.
    assign holds_local = local_held_q;
    assign holds_write_back = write_back_held_q;
    // Sectors of the joined MSHR that have not come.
    wire [3:0] still_to_come = (|(response & joinable)) ? (miss & ~joined_arrived & ~sector) : (miss & ~joined_arrived);
    wire [3:0] awaited = joins ? still_to_come : miss;

    // Only of an MSHR that is joined all sectors may have come.
    wire is_ready = allocates & joins & !(|still_to_come);  // The waiter that is taken awaits nothing.

    always @(*) begin : ready_next_logic
        integer i;
        for (i = 0; i < 2; i = i + 1) begin
            ready_next[i] = waiting[i] & !(|still_awaited[i * 4 +: 4]);
            if (next_comes & (is_ready & free_waiter[i])) ready_next[i] = 1'b1;
        end
    end

    always @(*) begin : flushes_l1_logic
        integer i;
        for (i = 0; i < 2; i = i + 1) begin
            // Rule FLUSH: it acts last: an acquire may empty L1 as a store that hits it is allocated.
            flushes_l1[i] = !is_ro_q[i] & !mshr_line_q[(i * 27) + 26];
            if (free_mshr[i]) flushes_l1[i] = !operation_nc & !taken_is_local;
        end
    end

    always @(*) begin : keep_next_logic
        integer i;
        keep_next = keep_q;
        for (i = 0; i < 2; i = i + 1) begin
            // Rule KEEP-LOST: the place in the cache is dropped, or the cache is emptied.
            if (drop_line & matches_q[i] & !is_ro_q[i] & !ordered_q[i]) keep_next[i] = 1'b0;
            if (flush_ro & is_ro_q[i]) keep_next[i] = 1'b0;
            if (free_mshr[i]) keep_next[i] = taken_keeps;
        end
    end

    always @(*) begin : still_awaited_logic
        integer i;
        for (i = 0; i < 2; i = i + 1) begin
            still_awaited[i * 4 +: 4] = waiter_awaits_q[i * 4 +: 4];
            if (|(response & waiter_refers_q[i * 2 +: 2])) begin
                still_awaited[i * 4 +: 4] = waiter_awaits_q[i * 4 +: 4] & ~sector;
            end
        end
    end

    wire [1:0] flushed = flush_l1 ? flushes_l1 : 2'd0;

    // The pass that tag takes, against the lines as they are after this edge.
    always @(*) begin : next_matches_logic
        integer i;
        for (i = 0; i < 2; i = i + 1) begin
            line_is_same = mshr_line_q[i * 27 +: 27] == next_line;
            if (free_mshr[i]) line_is_same = next_is_same;
            // Rule ORDER.
            is_l1 = !is_ro_q[i];
            is_ordered = ordered_q[i];
            if (free_mshr[i]) begin
                is_l1 = !operation_nc;
                is_ordered = operation_ordered;
            end
            next_orders[i] = line_is_same & next_has_line & is_l1 & !next_operation_nc &
              (next_operation_ordered | is_ordered);
            next_matches[i] = line_is_same;
        end
    end

    always @(*) begin : next_precedes_logic
        integer i;
        for (i = 0; i < 2; i = i + 1) begin
            // Rules ACQUIRE, RELEASE. A waiter that is taken is one of the operation in tag.
            acquires = is_acquire_q[i];
            is_older = (waiter_warp_q[i] == next_operation_warp) & (waiter_tag_q[i * 8 +: 8] != next_operation_tag);
            if (free_waiter[i]) begin
                acquires = operation_acquire;
                is_older = (operation_warp == next_operation_warp) & (operation_tag != next_operation_tag);
            end
            next_precedes[i] = next_has_lanes & !next_operation_nc &
              ((is_older & acquires & !next_operation_is_store) | (is_older & next_operation_release));
        end
    end

    always @(*) begin : next_beside_l1_logic
        integer i;
        l1_named_there = 2'd0;
        for (i = 0; i < 2; i = i + 1) begin
            line_is_beside_l1 = mshr_line_q[i * 27] == next_line[0];
            if (in_use_q[i]) begin
                if (line_is_beside_l1) l1_named_there = l1_named_there | names_l1_q[i * 2 +: 2];
            end
            if (free_mshr[i]) line_is_beside_l1 = next_is_beside_l1;
            next_beside_l1[i] = line_is_beside_l1;
        end
    end

    always @(*) begin : next_beside_ro_logic
        integer i;
        ro_named_there = 2'd0;
        for (i = 0; i < 2; i = i + 1) begin
            line_is_beside_ro = mshr_line_q[i * 27] == next_line[0];
            if (in_use_q[i]) begin
                if (line_is_beside_ro) ro_named_there = ro_named_there | names_ro_q[i * 2 +: 2];
            end
            if (free_mshr[i]) line_is_beside_ro = next_is_beside_ro;
            next_beside_ro[i] = line_is_beside_ro;
        end
    end

    always @(*) begin : l1_named_here_logic
        integer i;
        l1_named_here = 2'd0;
        for (i = 0; i < 2; i = i + 1) begin
            // Rule PINNED: ways named in either set, before it is known whether the pass comes.
            l1_named_here = l1_named_here | l1_names_here_q[i * 2 +: 2];
        end
    end

    always @(*) begin : ro_named_here_logic
        integer i;
        ro_named_here = 2'd0;
        for (i = 0; i < 2; i = i + 1) begin
            ro_named_here = ro_named_here | ro_names_here_q[i * 2 +: 2];
        end
    end

    assign l1_named = l1_named_before_q;
    assign ro_named = ro_named_before_q;

    // What leaves counts no more; what is taken counts as another pass comes. Which of both ways it is taken in is
    // known as late as that.
    assign joined = (next_comes & allocates & joins) ? joinable : 2'd0;
    assign taken =
        !(next_comes & allocates) ? 2'd0 :
        joins ? 2'd0 :
        free_mshr;
    wire [1:0] matches_then = next_comes ? next_matches : matches_q;  // For the next cycle, before that one is added.
    wire [1:0] orders_then = next_comes ? next_orders : orders_q;

    lsu_memory #(.ADDRESS_BITS(1), .WIDTH(144)) held_operation (
        .clk           (clk),
        .read_address  (picked_index),
        .read_data     (held_operation_read_data),
        .write_enable  (has_waiter),
        .write_address (taken_index),
        .write_data    (operation)
    );

    lsu_memory #(.ADDRESS_BITS(1), .WIDTH(4)) held_lanes (
        .clk           (clk),
        .read_address  (picked_index),
        .read_data     (held_lanes_read_data),
        .write_enable  (has_waiter),
        .write_address (taken_index),
        .write_data    (lanes)
    );

    genvar index;
    generate
        for (index = 0; index < 4; index = index + 1) begin : held_offset
            lsu_memory #(.ADDRESS_BITS(1), .WIDTH(7)) unit (
                .clk           (clk),
                .read_address  (picked_index),
                .read_data     (held_offset_read_data[index * 7 +: 7]),
                .write_enable  (has_waiter),
                .write_address (taken_index),
                .write_data    (offset[index * 7 +: 7])
            );
        end
    endgenerate

    generate
        for (index = 0; index < 2; index = index + 1) begin : l1_row
            lsu_l1_found_row_way_row unit (
                .line (mshr_line_q[index * 27 +: 27]),
                .ways (names_l1_q[index * 2 +: 2]),
                .row  (l1_row_row[index * 4 +: 4])
            );
        end
    endgenerate

    generate
        for (index = 0; index < 2; index = index + 1) begin : ro_row
            lsu_ro_found_row_way_row unit (
                .line (mshr_line_q[index * 27 +: 27]),
                .ways (names_ro_q[index * 2 +: 2]),
                .row  (ro_row_row[index * 4 +: 4])
            );
        end
    endgenerate

    generate
        for (index = 0; index < 8; index = index + 1) begin : stored
            lsu_memory #(.ADDRESS_BITS(1), .WIDTH(4)) unit (
                .clk           (clk),
                .read_address  (rsp_mshr),
                .read_data     (stored_read_data[index * 4 +: 4]),
                .write_enable  (has_mshr),
                .write_address (free_index),
                .write_data    (stored_write_data[index * 4 +: 4])
            );
        end
    endgenerate

    always @(posedge clk) begin : register_logic
        integer i;
        if (rst) begin
            {waiter_valid_q, waiter_needs_q, waiter_awaits_q, waiter_refers_q, ready_q, waiter_tag_q, waiter_warp_q,
              precedes_q, is_acquire_q, mshr_line_q, mshr_row_q, names_l1_q, names_ro_q, asked_q, arrived_q, failed_q,
              ordered_q, is_ro_q, is_write_q, fills_rest_q, writes_back_q, keep_q, matches_q, orders_q, l1_names_here_q,
              ro_names_here_q, l1_named_before_q, ro_named_before_q, in_use_q, closed_q, waiters_full_q, mshrs_full_q,
              local_held_q, write_back_held_q} <= 176'd0;
        end else begin
            l1_names_here_q <= l1_names_here_d;
            ro_names_here_q <= ro_names_here_d;
            for (i = 0; i < 2; i = i + 1) begin
                mshr_row_q[i * 4 +: 4] <= first_own_row | i[3:0];
                if (|names_l1_q[i * 2 +: 2]) mshr_row_q[i * 4 +: 4] <= l1_row_row[i * 4 +: 4];
                if (|names_ro_q[i * 2 +: 2]) mshr_row_q[i * 4 +: 4] <= ro_row_row[i * 4 +: 4];
            end
            waiter_valid_q <= waiting;
            in_use_q <= referred;
            closed_q <= referred | own_to_read;
            waiters_full_q <= !(|(~waiting));
            mshrs_full_q <= full_if_stayed;
            if (next_comes) begin
                waiter_valid_q <= waiting_more;
                waiters_full_q <= !(|(~waiting_more));
                in_use_q <= referred_more;
                closed_q <= referred_more | own_to_read;
            end
            writes_back_q <= writes_back_q & ~response;
            if (write_back_goes) begin
                writes_back_q <= (writes_back_q & ~response) | free_mshr;
                in_use_q <= referred | free_mshr;
                closed_q <= referred | free_mshr | own_to_read;
                mshrs_full_q <= full_if_new;
            end
            if (next_comes & allocates) mshrs_full_q <= full_if_taken;
            local_held_q <= (|(referred & lines_local & ~is_write_q)) | (next_comes & allocates & line[26]);
            write_back_held_q <= (|writes_back_q) | write_back_goes;
            for (i = 0; i < 2; i = i + 1) begin
                waiter_awaits_q[i * 4 +: 4] <= still_awaited[i * 4 +: 4];
                if (free_waiter[i]) begin
                    waiter_awaits_q[i * 4 +: 4] <= awaited;
                    waiter_needs_q[i * 4 +: 4] <= miss;
                    waiter_refers_q[i * 2 +: 2] <= chosen;
                    waiter_tag_q[i * 8 +: 8] <= operation_tag;
                    waiter_warp_q[i] <= operation_warp;
                    is_acquire_q <= (is_acquire_q & ~(2'd1 << i)) | ({1'b0, operation_acquire} << i);
                end
                if (response[i]) begin
                    arrived_q[i * 4 +: 4] <= arrived_q[i * 4 +: 4] | sector;
                    if (rsp_error) failed_q[i * 4 +: 4] <= failed_q[i * 4 +: 4] | sector;
                end
                if (next_comes & (allocates & joins & joinable[i])) asked_q[i * 4 +: 4] <= asked_q[i * 4 +: 4] | miss;
                if (free_mshr[i]) begin
                    mshr_line_q[i * 27 +: 27] <= taken_line;
                    names_l1_q[i * 2 +: 2] <= 2'd0;
                    names_ro_q[i * 2 +: 2] <= 2'd0;
                    if (!write_back_full) begin
                        names_l1_q[i * 2 +: 2] <= l1_ways;
                        names_ro_q[i * 2 +: 2] <= ro_ways;
                    end
                    is_write_q <= (is_write_q & ~(2'd1 << i)) | ({1'b0, taken_is_write} << i);
                    fills_rest_q <= (fills_rest_q & ~(2'd1 << i)) | ({1'b0, is_local_store & !write_back_full} << i);
                    asked_q[i * 4 +: 4] <= taken_asked;
                    arrived_q[i * 4 +: 4] <= 4'd0;
                    failed_q[i * 4 +: 4] <= 4'd0;
                    ordered_q <= (ordered_q & ~(2'd1 << i)) | ({1'b0, taken_is_ordered} << i);
                    is_ro_q <= (is_ro_q & ~(2'd1 << i)) | ({1'b0, operation_nc} << i);
                end
            end
            keep_q <= keep_next & ~flushed;
            ready_q <= ready_next;
            l1_named_before_q <= l1_named_here;
            ro_named_before_q <= ro_named_here;
            precedes_q <= precedes_q & waiting;
            if (next_comes) begin
                precedes_q <= next_precedes & waiting_more;
                l1_named_before_q <= l1_named_there;
                ro_named_before_q <= ro_named_there;
            end
            matches_q <= (matches_then & referred) | (next_matches & (joined | taken));
            orders_q <= (orders_then & referred) | (next_orders & (joined | taken));
        end
    end

    // Bits that nothing reads.
    wire unused = &{1'b0, next_operation};

`ifdef LSU_CONTRACTS  // What this module relies on, or promises.
    // A response names an MSHR in use, of a line of the port that it came from, and a sector that was asked for and has
    // not arrived.
    reg  contract_response;
    reg  contract_keep;  // No MSHR of a remote line keeps: the caches take no response from the cluster.

    // A pass and a write-back do not take an MSHR at the same edge, and none is taken while there is none.
    wire contract_one_takes = !(next_comes & allocates & write_back_full) & (!write_back_goes | has_mshr);

    always @(*) begin : contract_keep_logic
        integer i;
        contract_keep = 1'b1;
        for (i = 0; i < 2; i = i + 1) begin
            if (in_use_q[i] & keep_q[i] & mshr_line_q[(i * 27) + 25]) contract_keep = 1'b0;
        end
    end

    always @(*) begin : contract_response_logic
        integer i;
        contract_response = 1'b1;
        for (i = 0; i < 2; i = i + 1) begin
            if (response[i] & !(in_use_q[i] & (mshr_line_q[(i * 27) + 25] == rsp_is_remote) &
              (|(sector & asked_q[i * 4 +: 4] & ~arrived_q[i * 4 +: 4])))) begin
                contract_response = 1'b0;
            end
        end
    end

    reg contracts_begun;  // rst has been 1.
    initial contracts_begun = 1'b0;
    always @(posedge clk) begin
        contracts_begun <= contracts_begun | rst;
        if (contracts_begun && !rst) begin
            if (contract_response !== 1'b1) begin
                $display("contract of lsu_miss_table broken in %m:",
                  " A response names an MSHR in use, of a line of the port that it came from, and a sector that was",
                  " asked for and has not arrived.");
                $stop;
            end
            if (contract_one_takes !== 1'b1) begin
                $display("contract of lsu_miss_table broken in %m:",
                  " A pass and a write-back do not take an MSHR at the same edge, and none is taken while there is",
                  " none.");
                $stop;
            end
            if (contract_keep !== 1'b1) begin
                $display("contract of lsu_miss_table broken in %m:",
                  " No MSHR of a remote line keeps: the caches take no response from the cluster.");
                $stop;
            end
        end
    end
`endif
endmodule

// lsu_read_queue: A queue of 2^ENTRY_BITS passes: read requests in the order in which they left tag.
module lsu_read_queue (
    input  wire         clk,  // Clock.
    input  wire         rst,  // Synchronous reset.
    // A waiter is free, and so is a place here: it takes what is there, whether or not that comes.
    input  wire         has_place,
    input  wire         push,  // A pass asks for sectors.
    input  wire [180:0] pushed,  // Which.

    output wire         valid,  // A sector of memory is asked for.
    input  wire         ready,  // Taken at this edge, if there is one.
    output wire         cluster_valid,  // A sector of another CTA's shared memory is asked for.
    input  wire         cluster_ready,  // Taken at this edge, if there is one.
    output wire [76:0]  attributes,  // What memory is told of the head's operation.
    output wire         request_mshr,  // MSHR of the head.
    output reg  [1:0]   request_sector,  // The sector.
    output wire [31:0]  address,  // Sector-aligned byte address.
    output wire [31:0]  strobe  // Bytes asked for: all, or those of an mmio element.
);
    localparam [2:0] SIZE_16 = 3'd1;  // elements of 16 bits
    localparam [2:0] SIZE_32 = 3'd2;  // elements of 32 bits
    localparam [2:0] SIZE_64 = 3'd3;  // elements of 64 bits
    localparam [2:0] SIZE_128 = 3'd4;  // elements of 128 bits
    wire [143:0] operation;
    reg  [31:0]  element;
    wire [180:0] requests_read_data;
    wire [26:0]  memory_line_other;
    reg          head_q;
    reg          tail_q;
    reg          used_q;
    reg  [3:0]   sent_q;

    // Fields of operation (Operation).
    wire [2:0]  operation_sem       = operation[17:15];  // Memory semantics.
    wire [1:0]  operation_scope     = operation[19:18];  // Scope.
    wire [2:0]  operation_cop       = operation[22:20];  // Cache operator.
    wire [1:0]  operation_l2_evict  = operation[27:26];  // L2 eviction priority.
    wire [1:0]  operation_prefetch  = operation[29:28];  // Prefetch size.
    wire        operation_policy_en = operation[30];  // The policy counts.
    wire [63:0] operation_policy    = operation[94:31];  // L2 cache policy.
    wire [2:0]  operation_size      = operation[98:96];  // log2 of an element's bytes.
    wire        operation_mmio      = operation[131];  // One transaction for each lane.

    // Fields of requests_read_data (ReadRequest).
    wire [143:0] requests_read_data_operation   = requests_read_data[143:0];  // Its operation.
    wire [3:0]   requests_read_data_ask         = requests_read_data[147:144];  // Sectors.
    wire [26:0]  requests_read_data_line        = requests_read_data[174:148];  // Of this line.
    wire         requests_read_data_mshr        = requests_read_data[175];  // For this MSHR.
    // Byte in its sector of the lowest lane.
    wire [4:0]   requests_read_data_leader_byte = requests_read_data[180:176];

    // Rule REQUEST: the lowest sector that has not been sent; x & -x keeps the lowest 1.
    wire [3:0] left = requests_read_data_ask & ~sent_q;
    wire [3:0] lowest = left & (~left + 4'd1);
    wire is_last = !(|(left & ~lowest));

    always @(*) begin : request_sector_logic
        integer i;
        request_sector = 2'd0;
        for (i = 1; i < 4; i = i + 1) begin
            if (lowest[i]) request_sector = i[1:0];
        end
    end

    wire is_remote = requests_read_data_line[25];
    assign valid = used_q & !is_remote;
    assign cluster_valid = used_q & is_remote;
    wire goes = is_remote ? cluster_ready : ready;
    assign operation = requests_read_data_operation;
    assign attributes = {operation_policy, operation_policy_en, operation_prefetch, operation_l2_evict, operation_cop,
      operation_scope, operation_sem};
    assign request_mshr = requests_read_data_mshr;
    assign address = ({5'd0, memory_line_other} << 7) | ({30'd0, request_sector} << 5);

    always @(*) begin
        element = 32'd1;
        if (operation_size == SIZE_16) element = 32'd3;
        if (operation_size == SIZE_32) element = 32'd15;
        if (operation_size == SIZE_64) element = 32'hff;
        if (operation_size == SIZE_128) element = 32'hffff;
    end

    assign strobe = operation_mmio ? (element << requests_read_data_leader_byte) : 32'hffffffff;

    lsu_memory #(.ADDRESS_BITS(1), .WIDTH(181)) requests (
        .clk           (clk),
        .read_address  (head_q),
        .read_data     (requests_read_data),
        .write_enable  (has_place),
        .write_address (tail_q),
        .write_data    (pushed)
    );

    lsu_local_line memory_line (
        .line  (requests_read_data_line),
        .other (memory_line_other)
    );

    always @(posedge clk) begin
        if (rst) begin
            {head_q, tail_q, used_q, sent_q} <= 7'd0;
        end else begin
            if (used_q & goes) begin
                sent_q <= sent_q | lowest;
                if (is_last) begin
                    sent_q <= 4'd0;
                    head_q <= head_q + 1'b1;
                    // Empty unless something else is queued: head meets tail exactly when this was the last.
                    used_q <= (head_q + 1'b1) != tail_q;
                end
            end
            if (push) begin
                tail_q <= tail_q + 1'b1;
                used_q <= 1'b1;
            end
        end
    end

    // Bits that nothing reads.
    wire unused = &{1'b0, operation};
endmodule

// lsu_store_port: Place write of the global path: up to two sectors, of stores or written back, on their way to memory,
// and the update of a row.
module lsu_store_port (
    input  wire         clk,  // Clock.
    input  wire         rst,  // Synchronous reset.
    input  wire         push,  // tag hands over a store's pass.
    output wire         free,  // write holds fewer than two.
    input  wire [143:0] operation,  // Its operation.
    input  wire [26:0]  line,  // Its line.
    input  wire [3:0]   need,  // Its sector, one of four.
    input  wire         push_shared,  // tag moves a shared store's pass, which writes these words of the banks.
    input  wire [19:0]  place,  // Word of each bank. [4 x 5 bits]
    input  wire [31:0]  strobe,  // Bytes that are written, four for each word. [8 x 4 bits]
    input  wire [255:0] data,  // The sector, or the words of the banks. [8 x 32 bits]
    input  wire         mshr,  // Its MSHR.
    input  wire         hits,  // L1 holds the sector and takes the bytes.
    input  wire [3:0]   row,  // In this row.

    input  wire         write_back,  // A sector that is written back comes from read at this edge instead.
    input  wire [26:0]  write_back_line,  // Its line.
    input  wire [1:0]   write_back_sector,  // Which of that line's sectors.
    input  wire         write_back_mshr,  // Its MSHR.
    input  wire [255:0] write_back_data,  // Its bytes, word 0 lowest. [8 x 32 bits]
    // tag moves a local store's pass, whose row takes its bytes: nothing goes to memory.
    input  wire         push_local,

    output wire         valid,  // A write of memory is offered.
    input  wire         ready,  // Taken at this edge, if there is one.
    output wire         cluster_valid,  // A write of another CTA's shared memory is offered.
    input  wire         cluster_ready,  // Taken at this edge, if there is one.
    output wire [76:0]  attributes,  // What memory is told of its operation.
    output wire         request_mshr,  // Its MSHR.
    output wire [1:0]   request_sector,  // Its sector.
    output wire [31:0]  address,  // Sector-aligned byte address.
    output wire [31:0]  request_strobe,  // Bytes that are written, four for each word. [8 x 4 bits]
    output wire [255:0] request_data,  // The sector; 0 where nothing is written. [8 x 32 bits]
    // The row, or shared memory, takes the bytes of the store that came last at this edge.
    output wire         updates,
    output wire         update_is_shared,  // It is shared memory that does: only if anything does.
    output wire         rests,  // The opposite of updates, for those who take a response.
    output wire [31:0]  update_strobe,  // Bytes of the update, four for each word. [8 x 4 bits]
    output wire [255:0] update_data,  // Its data. [8 x 32 bits]
    output wire [19:0]  update_place,  // Its word of each bank. [4 x 5 bits]
    output wire [1:0]   update_sector,  // Its sector.
    output wire [3:0]   update_row  // Of this row.
);
    reg  [1:0]   need_sector;
    wire [76:0]  coming_attributes;
    wire [26:0]  coming_line;
    wire [1:0]   coming_sector;
    wire         coming_mshr;
    reg  [31:0]  coming_strobe;  // [8 x 4 bits]
    reg  [255:0] coming_data;  // [8 x 32 bits]
    reg          full_q;
    reg  [76:0]  held_q;
    reg  [26:0]  line_held_q;
    reg  [1:0]   sector_q;
    reg          mshr_held_q;
    reg  [31:0]  strobe_held_q;
    reg  [255:0] data_held_q;
    reg          second_full_q;
    // The opposite, but for the cycle after a reset, in which nothing comes: half of what hangs on either.
    reg          vacant_q;
    reg  [76:0]  second_q;
    reg  [26:0]  second_line_q;
    reg  [1:0]   second_sector_q;
    reg          second_mshr_q;
    reg  [31:0]  second_strobe_q;
    reg  [255:0] second_data_q;
    reg          update_q;
    // The opposite, but for the cycle after a reset, in which nothing has been asked for: half of what hangs on either.
    reg          pause_q;
    reg          is_shared_q;  // It is one of shared memory.
    reg  [3:0]   row_held_q;
    reg  [1:0]   sector_held_q;
    reg  [19:0]  place_last_q;  // What came last, wherever it went.
    reg  [31:0]  strobe_last_q;
    reg  [255:0] data_last_q;
    wire [26:0]  memory_line_other;

    // Fields of operation (Operation).
    wire [2:0]  operation_sem       = operation[17:15];  // Memory semantics.
    wire [1:0]  operation_scope     = operation[19:18];  // Scope.
    wire [2:0]  operation_cop       = operation[22:20];  // Cache operator.
    wire [1:0]  operation_l2_evict  = operation[27:26];  // L2 eviction priority.
    wire [1:0]  operation_prefetch  = operation[29:28];  // Prefetch size.
    wire        operation_policy_en = operation[30];  // The policy counts.
    wire [63:0] operation_policy    = operation[94:31];  // L2 cache policy.

    wire [76:0] second_d = second_full_q ? second_q : coming_attributes;
    wire [26:0] second_line_d = second_full_q ? second_line_q : coming_line;
    wire [1:0] second_sector_d = second_full_q ? second_sector_q : coming_sector;
    wire second_mshr_d = second_full_q ? second_mshr_q : coming_mshr;
    wire [31:0] second_strobe_d = second_full_q ? second_strobe_q : coming_strobe;
    wire [255:0] second_data_d = second_full_q ? second_data_q : coming_data;

    always @(*) begin : need_sector_logic
        integer i;
        need_sector = 2'd0;
        for (i = 1; i < 4; i = i + 1) begin
            if (need[i]) need_sector = i[1:0];
        end
    end

    // What comes: a store, or else, with the properties of no operation, what is written back.
    wire coming = push | write_back;
    wire [2:0] coming_attributes_sem = write_back ? 3'd0 : operation_sem;  // Memory semantics.
    wire [1:0] coming_attributes_scope = write_back ? 2'd0 : operation_scope;  // Scope.
    wire [2:0] coming_attributes_cop = write_back ? 3'd0 : operation_cop;  // Cache operator.
    wire [1:0] coming_attributes_l2_evict = write_back ? 2'd0 : operation_l2_evict;  // L2 eviction priority.
    wire [1:0] coming_attributes_prefetch = write_back ? 2'd0 : operation_prefetch;  // Prefetch size.
    wire coming_attributes_policy_en = write_back ? 1'b0 : operation_policy_en;  // The policy counts.
    wire [63:0] coming_attributes_policy = write_back ? 64'd0 : operation_policy;  // L2 cache policy.
    assign coming_line = write_back ? write_back_line : line;
    assign coming_sector = write_back ? write_back_sector : need_sector;
    assign coming_mshr = write_back ? write_back_mshr : mshr;

    always @(*) begin : coming_strobe_logic
        integer i;
        i = 0;
        coming_strobe = strobe;
        if (write_back) begin
            for (i = 0; i < 8; i = i + 1) begin
                coming_strobe[i * 4 +: 4] = 4'd15;
            end
        end
    end

    always @(*) begin : coming_data_logic
        integer i;
        i = 0;
        coming_data = data;
        if (write_back) begin
            for (i = 0; i < 8; i = i + 1) begin
                coming_data[i * 32 +: 32] = write_back_data[i * 32 +: 32];
            end
        end
    end

    assign coming_attributes = {coming_attributes_policy, coming_attributes_policy_en, coming_attributes_prefetch,
      coming_attributes_l2_evict, coming_attributes_cop, coming_attributes_scope, coming_attributes_sem};
    assign free = vacant_q;
    wire is_remote = line_held_q[25];
    wire goes = is_remote ? cluster_ready : ready;
    wire shifts = !full_q | goes;
    assign valid = full_q & !is_remote;
    assign cluster_valid = full_q & is_remote;
    assign attributes = held_q;
    assign request_mshr = mshr_held_q;
    assign request_sector = sector_q;
    assign address = ({5'd0, memory_line_other} << 7) | ({30'd0, sector_q} << 5);

    // Rule UPDATE.
    wire changes_row = (push & hits) | push_local | push_shared;
    assign rests = pause_q;
    assign updates = update_q;
    assign update_is_shared = is_shared_q;
    assign update_row = row_held_q;
    assign update_sector = sector_held_q;
    assign update_place = place_last_q;
    assign update_strobe = strobe_last_q;
    assign update_data = data_last_q;
    assign request_strobe = strobe_held_q;
    assign request_data = data_held_q;

    lsu_local_line memory_line (
        .line  (line_held_q),
        .other (memory_line_other)
    );

    always @(posedge clk) begin
        if (rst) begin
            {full_q, held_q, line_held_q, sector_q, mshr_held_q, strobe_held_q, data_held_q, second_full_q, vacant_q,
              second_q, second_line_q, second_sector_q, second_mshr_q, second_strobe_q, second_data_q, update_q,
              pause_q, is_shared_q, row_held_q, sector_held_q, place_last_q, strobe_last_q, data_last_q} <= 1110'd0;
        end else begin
            second_q <= second_d;
            second_line_q <= second_line_d;
            second_sector_q <= second_sector_d;
            second_mshr_q <= second_mshr_d;
            second_strobe_q <= second_strobe_d;
            second_data_q <= second_data_d;
            if (second_full_q) begin
                second_full_q <= !shifts;
                vacant_q <= shifts;
            end else begin
                second_full_q <= coming & !shifts;
                vacant_q <= !coming | shifts;
            end
            if (shifts) begin
                full_q <= second_full_q | coming;
                // What the second place holds, or else what it would take.
                held_q <= second_d;
                line_held_q <= second_line_d;
                sector_q <= second_sector_d;
                mshr_held_q <= second_mshr_d;
                strobe_held_q <= second_strobe_d;
                data_held_q <= second_data_d;
            end
            update_q <= changes_row;
            pause_q <= !changes_row;
            is_shared_q <= push_shared;
            row_held_q <= row;
            sector_held_q <= need_sector;
            place_last_q <= place;
            strobe_last_q <= strobe;
            data_last_q <= data;
        end
    end

    // Bits that nothing reads.
    wire unused = &{1'b0, operation, need[0]};

`ifdef LSU_CONTRACTS  // What this module relies on, or promises.

    // Something comes only while free, and only one thing.
    wire contract_room = (!coming | !second_full_q) & !(push & write_back);

    reg contracts_begun;  // rst has been 1.
    initial contracts_begun = 1'b0;
    always @(posedge clk) begin
        contracts_begun <= contracts_begun | rst;
        if (contracts_begun && !rst) begin
            if (contract_room !== 1'b1) begin
                $display("contract of lsu_store_port broken in %m:",
                  " Something comes only while free, and only one thing.");
                $stop;
            end
        end
    end
`endif
endmodule

// lsu_write_back: Place write_back of the global path: a dirty sector of the L1 on its way to write.
module lsu_write_back (
    input  wire       clk,  // Clock.
    input  wire       rst,  // Synchronous reset.
    input  wire       takes,  // It takes a dirty sector at this edge.
    input  wire       dirty_way,  // The way that has it.
    input  wire [1:0] dirty_sector,  // Which of that way's sectors.
    input  wire       set,  // Set of the way, while write_back is full.
    output wire       full,  // write_back is full.
    output wire       full_next,  // It is after this edge.
    output wire       way,  // The way.
    output wire [3:0] row,  // Its row.
    output wire [1:0] sector,  // The sector.

    input  wire       write_free,  // write is free.
    input  wire       has_mshr,  // An MSHR can be taken.
    output wire       reads,  // The sector may be picked to be read.
    input  wire       goes,  // It is, goes to read, and takes an MSHR at this edge.
    input  wire       free_mshr,  // The MSHR.
    output wire       lands,  // It goes from read to write at this edge.
    output wire       mshr  // Its MSHR.
);
    localparam [3:0] FIRST_L1_ROW = 4'd0;
    reg        occupied_q;
    reg        held_way_q;
    reg  [1:0] held_sector_q;
    reg        in_read_q;
    reg        waits_q;  // It is full, and nothing of it in read: who is picked hangs on it.
    reg        held_mshr_q;

    assign full = occupied_q;
    assign way = held_way_q;
    assign sector = held_sector_q;
    assign row = FIRST_L1_ROW | {3'd0, set} | ({3'd0, held_way_q} << 1);
    assign reads = waits_q & write_free & has_mshr;
    assign lands = in_read_q;
    assign mshr = held_mshr_q;

    assign full_next = takes | (occupied_q & !in_read_q);

    always @(posedge clk) begin
        if (rst) begin
            {occupied_q, held_way_q, held_sector_q, in_read_q, waits_q, held_mshr_q} <= 7'd0;
        end else begin
            if (!occupied_q) begin
                held_way_q <= dirty_way;
                held_sector_q <= dirty_sector;
            end
            if (!in_read_q) held_mshr_q <= free_mshr;
            occupied_q <= full_next;
            in_read_q <= goes;
            waits_q <= full_next & !goes;
        end
    end

`ifdef LSU_CONTRACTS  // What this module relies on, or promises.

    wire contract_empty = !(takes & occupied_q);  // A sector comes only while it is empty.
    wire contract_goes = !goes | reads;  // It is picked only while it may be.

    reg contracts_begun;  // rst has been 1.
    initial contracts_begun = 1'b0;
    always @(posedge clk) begin
        contracts_begun <= contracts_begun | rst;
        if (contracts_begun && !rst) begin
            if (contract_empty !== 1'b1) begin
                $display("contract of lsu_write_back broken in %m:",
                  " A sector comes only while it is empty.");
                $stop;
            end
            if (contract_goes !== 1'b1) begin
                $display("contract of lsu_write_back broken in %m:",
                  " It is picked only while it may be.");
                $stop;
            end
        end
    end
`endif
endmodule

// lsu_pick_stage: Places hit, ro_read, ro_hit, resume and bank of the global path, and which of their passes is read.
module lsu_pick_stage (
    input  wire         clk,  // Clock.
    input  wire         rst,  // Synchronous reset.

    input  wire         to_hit,  // tag hands its pass to hit.
    output wire         hit_free,  // hit holds fewer than two passes.
    input  wire         to_ro_read,  // tag hands its pass to ro_read.
    output wire         ro_read_free,  // ro_read is empty or moves on.
    input  wire [186:0] tag_pass,  // The lanes of tag's pass that hit, or a pass or command without a line.
    input  wire [27:0]  tag_offset,  // Offset in the line of each lane. [4 x 7 bits]

    input  wire         ready_valid,  // A waiter is ready.
    output wire         ready_take,  // resume takes it at this edge.
    input  wire [186:0] ready_pass,  // The pass.
    input  wire [27:0]  ready_offset,  // Offset in the line of each lane. [4 x 7 bits]

    input  wire         bank_valid,  // issue offers a shared load's pass.
    output wire         bank_free,  // bank holds fewer than two, and takes it.
    output wire         bank_holds,  // bank holds a pass.
    input  wire [186:0] bank_pass,  // The pass.
    input  wire [27:0]  bank_offset,  // Offset in 128 bytes of each lane. [4 x 7 bits]
    input  wire [7:0]   bank_shared_row,  // Row of shared memory of each lane. [4 x 2 bits]

    // Places that hold a pass: the first of resume, hit, ro_hit and bank, the second of each, ro_read.
    output wire [8:0]   holds,
    output reg  [71:0]  tag,  // The tag of each. [9 x 8 bits]
    // The row of the first of resume, hit and ro_hit, the second of each, ro_read. [7 x 4 bits]
    output reg  [27:0]  row,
    output reg  [27:0]  sectors,  // Sectors of it that are to be read; 0 where no load's pass is. [7 x 4 bits]
    input  wire         serve_reads,  // A part of serve's sector may be picked to be read.
    output wire         serve_goes,  // It is, and goes to read at this edge.
    input  wire [3:0]   serve_row,  // Its row.
    input  wire [1:0]   serve_sector,  // Its sector.
    input  wire         write_back_reads,  // The sector in write_back may be picked to be read.
    output wire         write_back_goes,  // It is, and goes to read at this edge.
    input  wire [3:0]   write_back_row,  // Its row.
    input  wire [1:0]   write_back_sector,  // Which of the row's.
    input  wire         serve_writes,  // serve writes: bank is not picked.
    output wire         acquired,  // An acquire leaves bank at this edge.
    input  wire         tag_waits,  // The pass in tag is one that waits for acquires, or a release.
    input  wire         tag_releases,  // It is a release, which waits for every pass of its warp.
    input  wire         tag_warp,  // Its warp.
    output wire         bank_precedes,  // The pass in tag waits for one in bank.

    input  wire [3:0]   last,  // For the first of resume, hit, ro_hit and bank: it is its operation's last pass.

    input  wire         read_free,  // read is free.
    output wire         may_read,  // One may be made at this edge: read is free, and something waits.
    output wire         read_goes,  // A read is made at this edge.
    output reg  [3:0]   read_row,  // Its row.
    output reg  [3:0]   read_sectors,  // Sectors of it in which the pass has lanes.
    output wire         read_is_shared,  // Of shared memory instead: in a row of its own for each lane.
    output wire [7:0]   read_shared_row,  // Which of it. [4 x 2 bits]
    output reg  [7:0]   read_sector,  // Sector that each lane reads; without lanes lane 0's is the pass's. [4 x 2 bits]
    output wire [143:0] read_operation,  // Its operation.
    output wire [1:0]   read_number,  // Its number: that of a local pass's word, or 1 of the second of two.
    output wire [3:0]   read_lanes,  // Its lanes, without failed ones.
    output wire         read_last,  // It ends its operation.
    output reg  [27:0]  read_offset,  // Offset in the row of each lane. [4 x 7 bits]

    output wire         finishes,  // A store or command that is last leaves at this edge.
    output wire [7:0]   picked_tag,  // Its tag.
    input  wire         done_free,  // done is free at this edge.
    output wire         has_failed,  // The pass in resume has failed lanes.
    output wire         reports,  // It reports them at this edge.
    input  wire         fault_free,  // fault is free at this edge.
    output wire [46:0]  failed_record  // The record.
);
    localparam [2:0] CAUSE_MEMORY_ERROR = 3'd5;  // memory_error
    reg  [5:0]   left;  // What leaves, or is as if it had; and whether any of it did so far.
    reg          one_left;
    reg  [35:0]  next_goes_before;
    reg  [5:0]   waiting;  // Places of which one may be picked.
    reg          is_before;  // One place comes before another.
    reg  [5:0]   blocked;  // Places before which one comes that waits, whether or not write_back does.
    wire [1:0]   lone_sector;  // The sector that is read for serve or for write_back.
    reg  [3:0]   failed;
    wire [3:0]   lowest_failed;
    reg  [6:0]   failed_offset;
    wire [143:0] ro_read_operation;
    wire [186:0] picked_pass;
    reg  [3:0]   own_load;
    reg  [3:0]   own_two_reads;
    reg  [3:0]   own_second;
    reg  [3:0]   own_may_report;
    wire         hit_has_room;
    wire         hit_full;
    wire [186:0] hit_first_pass;
    wire [27:0]  hit_first_offset;
    wire [143:0] hit_first_operation;
    wire [143:0] hit_second_operation;
    wire         hit_second_full;
    wire [15:0]  hit_tag;
    wire [7:0]   hit_row;
    wire [7:0]   hit_sectors;
    wire         hit_shifts;
    reg          hit_second_q;
    reg          ro_read_full_q;
    reg          ro_read_vacant_q;  // The opposite, but for the cycle after a reset: whether tag moves hangs on it.
    reg  [186:0] ro_read_pass_q;
    reg  [27:0]  ro_read_offset_q;
    wire         ro_hit_has_room;
    wire         ro_hit_full;
    wire [186:0] ro_hit_first_pass;
    wire [27:0]  ro_hit_first_offset;
    wire [143:0] ro_hit_first_operation;
    wire [143:0] ro_hit_second_operation;
    wire         ro_hit_second_full;
    wire [15:0]  ro_hit_tag;
    wire [7:0]   ro_hit_row;
    wire [7:0]   ro_hit_sectors;
    wire         ro_hit_shifts;
    reg          ro_hit_second_q;
    wire         resume_has_room;
    wire         resume_full;
    wire [186:0] resume_first_pass;
    wire [27:0]  resume_first_offset;
    wire [143:0] resume_first_operation;
    wire [143:0] resume_second_operation;
    wire         resume_second_full;
    wire [15:0]  resume_tag;
    wire [7:0]   resume_row;
    wire [7:0]   resume_sectors;
    wire         resume_shifts;
    reg          resume_second_q;
    wire         bank_has_room;
    wire         bank_full;
    wire [186:0] bank_first_pass;
    wire [27:0]  bank_first_offset;
    wire [143:0] bank_first_operation;
    wire [143:0] bank_second_operation;
    wire         bank_second_full;
    wire [15:0]  bank_tag;
    wire [7:0]   bank_row;
    wire [7:0]   bank_sectors;
    wire         bank_shifts;
    // One of them is between its two reads, and the next in turn: said once more than their own registers say it, to be
    // known at once.
    reg          between_q;
    reg  [7:0]   bank_first_row_q;  // Row of each lane of its first and its second pass.
    reg  [7:0]   bank_second_row_q;
    // Bit i x PICKED + j, for j < i: place i goes before place j, as what was left last is j or lies between them. The
    // places are resume (0), hit, ro_hit, bank, serve, write_back.
    reg  [35:0]  goes_before_q;
    wire [26:0]  memory_line_other;

    // Fields of read_operation (Operation).
    wire [7:0] read_operation_tag  = read_operation[7:0];  // Names the operation.
    wire [1:0] read_operation_word = read_operation[142:141];  // Number of the word of a local pass; else 0.

    // Fields of ro_read_operation (Operation).
    wire [7:0] ro_read_operation_tag = ro_read_operation[7:0];  // Names the operation.

    // Fields of picked_pass (RowPass).
    wire [143:0] picked_pass_operation = picked_pass[143:0];  // Its operation.
    wire [3:0]   picked_pass_lanes     = picked_pass[147:144];  // Its lanes.
    // Sectors of the row that are to be read; none for a store.
    wire [3:0]   picked_pass_sectors   = picked_pass[155:152];

    // Fields of hit_first_operation (Operation).
    wire hit_first_operation_is_store   = hit_first_operation[8];  // Store.
    wire hit_first_operation_is_command = hit_first_operation[9];  // Command.
    // Two reads (or none for a store): the total is 32 bytes.
    wire hit_first_operation_two_reads  = hit_first_operation[124];

    // Fields of ro_read_pass_q (RowPass).
    wire [143:0] ro_read_pass_operation = ro_read_pass_q[143:0];  // Its operation.
    wire [3:0]   ro_read_pass_row       = ro_read_pass_q[151:148];  // Row of the row store that they are in.
    // Sectors of the row that are to be read; none for a store.
    wire [3:0]   ro_read_pass_sectors   = ro_read_pass_q[155:152];

    // Fields of ro_hit_first_operation (Operation).
    // Two reads (or none for a store): the total is 32 bytes.
    wire ro_hit_first_operation_two_reads = ro_hit_first_operation[124];

    // Fields of resume_first_pass (RowPass).
    wire [3:0]  resume_first_pass_lanes  = resume_first_pass[147:144];  // Its lanes.
    wire [26:0] resume_first_pass_line   = resume_first_pass[182:156];  // Number of its line; only resume needs it.
    // Sectors that failed, of those that it waited for; only resume has any.
    wire [3:0]  resume_first_pass_failed = resume_first_pass[186:183];

    // Fields of resume_first_operation (Operation).
    wire resume_first_operation_is_store  = resume_first_operation[8];  // Store.
    // Two reads (or none for a store): the total is 32 bytes.
    wire resume_first_operation_two_reads = resume_first_operation[124];

    // Fields of bank_first_operation (Operation).
    wire bank_first_operation_warp    = bank_first_operation[118];  // Slot of its warp.
    wire bank_first_operation_acquire = bank_first_operation[135];  // A load before which L1 is stale.

    // Fields of bank_second_operation (Operation).
    wire bank_second_operation_warp    = bank_second_operation[118];  // Slot of its warp.
    wire bank_second_operation_acquire = bank_second_operation[135];  // A load before which L1 is stale.

    wire [7:0] bank_second_row_d = !bank_second_full ? bank_shared_row : bank_second_row_q;

    // What each place holds.
    assign holds[0] = resume_full;
    assign holds[1] = hit_full;
    assign holds[2] = ro_hit_full;
    assign holds[3] = bank_full;
    assign holds[4] = resume_second_full;
    assign holds[5] = hit_second_full;
    assign holds[6] = ro_hit_second_full;
    assign holds[7] = bank_second_full;
    assign holds[8] = ro_read_full_q;

    always @(*) begin : tag_logic
        integer i;
        for (i = 0; i < 2; i = i + 1) begin
            tag[(i * 4) * 8 +: 8] = resume_tag[i * 8 +: 8];
            tag[((i * 4) + 1) * 8 +: 8] = hit_tag[i * 8 +: 8];
            tag[((i * 4) + 2) * 8 +: 8] = ro_hit_tag[i * 8 +: 8];
            tag[((i * 4) + 3) * 8 +: 8] = bank_tag[i * 8 +: 8];
        end
        tag[71:64] = ro_read_operation_tag;
    end

    always @(*) begin : row_logic
        integer i;
        for (i = 0; i < 2; i = i + 1) begin
            row[(i * 3) * 4 +: 4] = resume_row[i * 4 +: 4];
            row[((i * 3) + 1) * 4 +: 4] = hit_row[i * 4 +: 4];
            row[((i * 3) + 2) * 4 +: 4] = ro_hit_row[i * 4 +: 4];
        end
        row[27:24] = ro_read_pass_row;
    end

    always @(*) begin : sectors_logic
        integer i;
        for (i = 0; i < 2; i = i + 1) begin
            sectors[(i * 3) * 4 +: 4] = resume_sectors[i * 4 +: 4];
            sectors[((i * 3) + 1) * 4 +: 4] = hit_sectors[i * 4 +: 4];
            sectors[((i * 3) + 2) * 4 +: 4] = ro_hit_sectors[i * 4 +: 4];
        end
        sectors[27:24] = 4'd0;
        if (ro_read_full_q) sectors[27:24] = ro_read_pass_sectors;
    end

    assign ro_read_operation = ro_read_pass_operation;

    // Rule PICK: the next in turn, which is the one between its two reads, if there is one.
    always @(*) begin
        own_second = 4'd0;
        own_second[0] = resume_second_q;
        own_second[1] = hit_second_q;
        own_second[2] = ro_hit_second_q;
    end

    always @(*) begin
        waiting = holds[5:0];
        waiting[3] = bank_full & !serve_writes;
        waiting[4] = serve_reads;
        waiting[5] = write_back_reads;
    end

    assign may_read = (|waiting) & read_free;

    // Which of two places goes first is known at once, and of each place whether it waits.
    always @(*) begin : is_before_logic
        integer i, j;
        blocked = 6'd0;
        for (i = 0; i < 6; i = i + 1) begin
            for (j = 0; j < 5; j = j + 1) begin
                is_before = goes_before_q[(j * 6) + i];
                if (j < i) is_before = !goes_before_q[(i * 6) + j];
                if (waiting[j] & is_before) blocked[i] = 1'b1;
            end
        end
    end

    wire [4:0] first_picked = waiting[4:0] & ~blocked[4:0];  // What is picked unless write_back is.
    wire write_back_first = !blocked[5];  // write_back is picked if it waits.
    wire pick_write_back = write_back_reads & write_back_first;
    wire pick_serve = first_picked[4];
    wire [3:0] picks = !pick_write_back ? first_picked[3:0] : 4'd0;
    wire pick_resume = first_picked[0];
    wire pick_hit = first_picked[1];
    wire pick_ro_hit = first_picked[2];
    wire pick_bank = first_picked[3];

    // Rule REPORT: lanes of resume whose sector failed.
    always @(*) begin : failed_logic
        integer i, j;
        failed = 4'd0;
        for (i = 0; i < 4; i = i + 1) begin
            for (j = 0; j < 4; j = j + 1) begin
                if (resume_first_pass_failed[j] & (resume_first_offset[(i * 7) + 5 +: 2] == j[1:0])) begin
                    failed[i] = resume_first_pass_lanes[i];
                end
            end
        end
    end

    always @(*) begin : failed_offset_logic
        integer i;
        failed_offset = 7'd0;
        for (i = 0; i < 4; i = i + 1) begin
            if (lowest_failed[i]) failed_offset = failed_offset | resume_first_offset[i * 7 +: 7];
        end
    end

    assign lowest_failed = failed & (~failed + 4'd1);
    wire [2:0] failed_record_cause = CAUSE_MEMORY_ERROR;  // Why.
    wire [7:0] failed_record_tag = tag[7:0];  // Its operation.
    // Address of the lowest.
    wire [31:0] failed_record_address = ({5'd0, memory_line_other} << 7) | {25'd0, failed_offset};
    assign failed_record = {failed_record_address, failed, failed_record_cause, failed_record_tag};

    // There is a lane in every sector that a pass in resume needed.
    assign has_failed = resume_full & (|resume_first_pass_failed);

    // The picked one.
    assign picked_pass =
        pick_bank ? bank_first_pass :
        pick_ro_hit ? ro_hit_first_pass :
        pick_resume ? resume_first_pass :
        hit_first_pass;
    assign read_operation = picked_pass_operation;
    assign read_is_shared = pick_bank & !pick_write_back;
    assign read_shared_row = bank_first_row_q;

    // What goes to the addresses of the row store is joined, not chosen by one after the other: one at most is picked.
    always @(*) begin
        read_row = 4'd0;
        if (pick_resume) read_row = row[3:0];
        if (pick_hit) read_row = read_row | row[7:4];
        if (pick_ro_hit) read_row = read_row | row[11:8];
        if (pick_serve) read_row = read_row | serve_row;
        if (pick_write_back) read_row = write_back_row;
    end

    always @(*) begin : read_sectors_logic
        integer i;
        i = 0;
        read_sectors = picked_pass_sectors;
        if (pick_serve | pick_write_back) begin
            read_sectors = 4'd0;
            for (i = 0; i < 4; i = i + 1) begin
                if (lone_sector == i[1:0]) read_sectors[i] = 1'b1;
            end
        end
    end

    // A part of a sector of shared memory lies in one row: serve reads all of it.
    assign lone_sector = pick_write_back ? write_back_sector : serve_sector;
    assign serve_goes = pick_serve & !pick_write_back & read_free;
    assign write_back_goes = pick_write_back & read_free;
    assign read_lanes = pick_resume ? (picked_pass_lanes & ~failed) : picked_pass_lanes;
    assign picked_tag = read_operation_tag;

    always @(*) begin : read_sector_logic
        integer i;
        for (i = 0; i < 4; i = i + 1) begin
            read_sector[i * 2 +: 2] = read_offset[(i * 7) + 5 +: 2];
        end
        if (pick_serve | pick_write_back) read_sector[1:0] = lone_sector;
    end

    always @(*) begin : read_offset_logic
        integer i;
        for (i = 0; i < 4; i = i + 1) begin
            read_offset[i * 7 +: 7] = 7'd0;
            if (pick_resume) read_offset[i * 7 +: 7] = resume_first_offset[i * 7 +: 7];
            if (pick_hit) read_offset[i * 7 +: 7] = read_offset[i * 7 +: 7] | hit_first_offset[i * 7 +: 7];
            if (pick_ro_hit) read_offset[i * 7 +: 7] = read_offset[i * 7 +: 7] | ro_hit_first_offset[i * 7 +: 7];
            if (pick_bank) read_offset[i * 7 +: 7] = read_offset[i * 7 +: 7] | bank_first_offset[i * 7 +: 7];
        end
    end

    // What the first pass of resume (0), hit (1), ro_hit (2) and bank (3) would do if it were picked.
    wire may_report = !has_failed | resume_second_q | fault_free;

    always @(*) begin
        own_may_report = 4'd14;
        own_may_report[0] = may_report;
    end

    always @(*) begin
        own_load = 4'd12;
        own_load[0] = !resume_first_operation_is_store;
        own_load[1] = !hit_first_operation_is_store & !hit_first_operation_is_command;
    end

    always @(*) begin
        own_two_reads = 4'd0;
        own_two_reads[0] = resume_first_operation_two_reads;
        own_two_reads[1] = hit_first_operation_two_reads;
        own_two_reads[2] = ro_hit_first_operation_two_reads;
    end

    // Whether read is free is known last.
    wire [3:0] own_reads = own_load & own_may_report;
    wire [3:0] own_last_reads = own_reads & (~own_two_reads | own_second);
    wire [3:0] own_ends = done_free ? (~own_load & own_may_report) : 4'd0;

    // What the picked one does.
    assign read_number = between_q ? 2'd1 : read_operation_word;
    assign read_goes = (|(picks & own_reads)) & read_free;
    wire [3:0] leaving = read_free ? (picks & (own_last_reads | own_ends)) : (picks & own_ends);
    wire leaves = |leaving;
    wire [3:0] last_leaving = leaving & last;
    assign read_last = |last_leaving;
    assign finishes = |(last_leaving & ~own_load);
    assign reports = picks[0] & has_failed & !resume_second_q & ((own_reads[0] & read_free) | own_ends[0]);

    // Those behind the one that leaves have their turn. One does at most; or one reads the first of two times, and has
    // its turn again: as if the one before it had left.
    // What reads the first of two times.
    wire [3:0] starting = read_free ? (picks & own_reads & ~own_last_reads) : 4'd0;

    always @(*) begin
        left = {2'd0, leaving | {1'b0, starting[3:1]}};
        left[4] = serve_goes;
        left[5] = write_back_goes | starting[0];
    end

    always @(*) begin : one_left_logic
        integer i, j;
        next_goes_before = 36'd0;
        for (j = 0; j < 6; j = j + 1) begin
            one_left = 1'b0;
            for (i = 0; i < 6; i = i + 1) begin
                if (j < i) next_goes_before[(i * 6) + j] = one_left;
                if (j <= i) one_left = one_left | left[i];
            end
        end
    end

    // If none leaves nothing changes: or-ed, as what leaves is known last, and all of it would have to be asked before
    // an enable.
    wire [35:0] stays_before = !(|left) ? goes_before_q : 36'd0;

    // hit.
    assign hit_free = hit_has_room;
    wire hit_leaves = leaving[1];

    // ro_read, then ro_hit.
    wire moves_on = ro_read_full_q & ro_hit_has_room;
    assign ro_read_free = ro_read_vacant_q | ro_hit_has_room;
    wire ro_read_loads = !ro_read_full_q | !ro_hit_second_full;
    wire ro_hit_leaves = leaving[2];

    // resume.
    assign ready_take = ready_valid & resume_has_room;
    wire resume_leaves = leaving[0];

    // bank.
    assign bank_free = bank_has_room;
    assign bank_holds = bank_full;
    wire bank_push = bank_valid & bank_has_room;
    wire bank_leaves = leaving[3];

    // Rules ACQUIRE, FLUSH, RELEASE: an acquire that leaves bank, and what that holds of the warp in tag.
    assign acquired = leaving[3] & bank_first_operation_acquire;
    wire first_precedes = bank_full & (bank_first_operation_acquire | tag_releases) &
      (bank_first_operation_warp == tag_warp);
    wire second_precedes = bank_second_full & (bank_second_operation_acquire | tag_releases) &
      (bank_second_operation_warp == tag_warp);
    assign bank_precedes = tag_waits & (first_precedes | second_precedes);

    lsu_pass_queue hit (
        .clk              (clk),
        .rst              (rst),
        .push             (to_hit),
        .has_room         (hit_has_room),
        .pass             (tag_pass),
        .offset           (tag_offset),
        .full             (hit_full),
        .first_pass       (hit_first_pass),
        .first_offset     (hit_first_offset),
        .first_operation  (hit_first_operation),
        .second_operation (hit_second_operation),
        .second_full      (hit_second_full),
        .tag              (hit_tag),
        .row              (hit_row),
        .sectors          (hit_sectors),
        .leaves           (hit_leaves),
        .shifts           (hit_shifts)
    );

    lsu_pass_queue ro_hit (
        .clk              (clk),
        .rst              (rst),
        .push             (moves_on),
        .has_room         (ro_hit_has_room),
        .pass             (ro_read_pass_q),
        .offset           (ro_read_offset_q),
        .full             (ro_hit_full),
        .first_pass       (ro_hit_first_pass),
        .first_offset     (ro_hit_first_offset),
        .first_operation  (ro_hit_first_operation),
        .second_operation (ro_hit_second_operation),
        .second_full      (ro_hit_second_full),
        .tag              (ro_hit_tag),
        .row              (ro_hit_row),
        .sectors          (ro_hit_sectors),
        .leaves           (ro_hit_leaves),
        .shifts           (ro_hit_shifts)
    );

    lsu_pass_queue resume (
        .clk              (clk),
        .rst              (rst),
        .push             (ready_take),
        .has_room         (resume_has_room),
        .pass             (ready_pass),
        .offset           (ready_offset),
        .full             (resume_full),
        .first_pass       (resume_first_pass),
        .first_offset     (resume_first_offset),
        .first_operation  (resume_first_operation),
        .second_operation (resume_second_operation),
        .second_full      (resume_second_full),
        .tag              (resume_tag),
        .row              (resume_row),
        .sectors          (resume_sectors),
        .leaves           (resume_leaves),
        .shifts           (resume_shifts)
    );

    lsu_pass_queue bank (
        .clk              (clk),
        .rst              (rst),
        .push             (bank_push),
        .has_room         (bank_has_room),
        .pass             (bank_pass),
        .offset           (bank_offset),
        .full             (bank_full),
        .first_pass       (bank_first_pass),
        .first_offset     (bank_first_offset),
        .first_operation  (bank_first_operation),
        .second_operation (bank_second_operation),
        .second_full      (bank_second_full),
        .tag              (bank_tag),
        .row              (bank_row),
        .sectors          (bank_sectors),
        .leaves           (bank_leaves),
        .shifts           (bank_shifts)
    );

    lsu_local_line memory_line (
        .line  (resume_first_pass_line),
        .other (memory_line_other)
    );

    always @(posedge clk) begin : register_logic
        integer i;
        if (rst) begin
            {hit_second_q, ro_read_full_q, ro_read_vacant_q, ro_read_pass_q, ro_read_offset_q, ro_hit_second_q,
              resume_second_q, between_q, bank_first_row_q, bank_second_row_q, goes_before_q} <= 273'd0;
        end else begin
            bank_second_row_q <= bank_second_row_d;
            goes_before_q <= next_goes_before | stays_before;
            if (read_goes) between_q <= !leaves;
            if (pick_resume & read_goes) resume_second_q <= !leaves;
            if (pick_hit & read_goes) hit_second_q <= !leaves;
            if (pick_ro_hit & read_goes) ro_hit_second_q <= !leaves;
            if (ro_read_loads) begin
                ro_read_full_q <= to_ro_read;
                ro_read_vacant_q <= !to_ro_read;
                ro_read_pass_q <= tag_pass;
            end
            if (bank_shifts) bank_first_row_q <= bank_second_row_d;
            for (i = 0; i < 4; i = i + 1) begin
                if (ro_read_loads) ro_read_offset_q[i * 7 +: 7] <= tag_offset[i * 7 +: 7];
            end
        end
    end

    // Bits that nothing reads.
    wire unused = &{
        1'b0, ro_read_operation, picked_pass, hit_first_operation, hit_second_operation, hit_shifts,
        ro_hit_first_operation, ro_hit_second_operation, ro_hit_shifts, resume_first_operation, resume_second_operation,
        resume_shifts, bank_first_operation, bank_second_operation, bank_row, bank_sectors
    };

`ifdef LSU_CONTRACTS  // What this module relies on, or promises.

    // What one of the places says of its two reads is said once more.
    wire contract_between = between_q == (|own_second);

    reg contracts_begun;  // rst has been 1.
    initial contracts_begun = 1'b0;
    always @(posedge clk) begin
        contracts_begun <= contracts_begun | rst;
        if (contracts_begun && !rst) begin
            if (contract_between !== 1'b1) begin
                $display("contract of lsu_pick_stage broken in %m:",
                  " What one of the places says of its two reads is said once more.");
                $stop;
            end
        end
    end
`endif
endmodule

// lsu_pass_queue: A queue of two passes that know their row: place hit, ro_hit, resume or bank of the global path.
module lsu_pass_queue (
    input  wire         clk,  // Clock.
    input  wire         rst,  // Synchronous reset.
    input  wire         push,  // A pass comes in at this edge.
    output wire         has_room,  // It holds fewer than two.
    input  wire [186:0] pass,  // The pass that comes.
    input  wire [27:0]  offset,  // Offset in the line of each lane. [4 x 7 bits]

    output wire         full,  // It holds a pass.
    output wire [186:0] first_pass,  // The first pass.
    output wire [27:0]  first_offset,  // Offset in the line of each lane. [4 x 7 bits]
    output wire [143:0] first_operation,  // Its operation.
    output wire [143:0] second_operation,  // Operation of the second.
    output wire         second_full,  // It holds a second pass.
    output wire [15:0]  tag,  // Tags of the first and the second pass. [2 x 8 bits]
    output wire [7:0]   row,  // Their rows. [2 x 4 bits]
    output reg  [7:0]   sectors,  // Sectors of these that are to be read; 0 where there is no pass. [2 x 4 bits]
    input  wire         leaves,  // The first pass leaves at this edge.
    // The first place takes what the second holds, or else what comes: for those who keep more of a pass beside it.
    output wire         shifts
);
    reg          first_occupied_q;
    reg  [186:0] first_q;
    reg  [27:0]  first_offset_held_q;
    reg          second_occupied_q;
    // The opposite, but for the cycle after a reset, in which nothing comes: half of what hangs on either.
    reg          vacant_q;
    reg  [186:0] second_q;
    reg  [27:0]  second_offset_q;

    // Fields of first_operation (Operation).
    wire [7:0] first_operation_tag = first_operation[7:0];  // Names the operation.

    // Fields of second_operation (Operation).
    wire [7:0] second_operation_tag = second_operation[7:0];  // Names the operation.

    // Fields of first_q (RowPass).
    wire [143:0] first_q_operation = first_q[143:0];  // Its operation.
    wire [3:0]   first_row         = first_q[151:148];  // Row of the row store that they are in.
    wire [3:0]   first_sectors     = first_q[155:152];  // Sectors of the row that are to be read; none for a store.

    // Fields of second_q (RowPass).
    wire [143:0] second_q_operation = second_q[143:0];  // Its operation.
    wire [3:0]   second_row         = second_q[151:148];  // Row of the row store that they are in.
    wire [3:0]   second_sectors     = second_q[155:152];  // Sectors of the row that are to be read; none for a store.

    wire [186:0] second_d = second_occupied_q ? second_q : pass;
    wire [27:0] second_offset_d = second_occupied_q ? second_offset_q : offset;
    assign full = first_occupied_q;
    assign first_pass = first_q;
    assign second_full = second_occupied_q;
    assign first_operation = first_q_operation;
    assign second_operation = second_q_operation;
    assign tag[7:0] = first_operation_tag;
    assign tag[15:8] = second_operation_tag;
    assign row[3:0] = first_row;
    assign row[7:4] = second_row;

    always @(*) begin
        sectors[3:0] = 4'd0;
        sectors[7:4] = 4'd0;
        if (first_occupied_q) sectors[3:0] = first_sectors;
        if (second_occupied_q) sectors[7:4] = second_sectors;
    end

    assign has_room = vacant_q;
    assign shifts = !first_occupied_q | leaves;
    assign first_offset = first_offset_held_q;

    always @(posedge clk) begin
        if (rst) begin
            {first_occupied_q, first_q, first_offset_held_q, second_occupied_q, vacant_q, second_q, second_offset_q} <=
              433'd0;
        end else begin
            second_q <= second_d;
            second_offset_q <= second_offset_d;
            if (second_occupied_q) begin
                second_occupied_q <= !shifts;
                vacant_q <= shifts;
            end else begin
                second_occupied_q <= push & !shifts;
                vacant_q <= !push | shifts;
            end
            if (shifts) begin
                first_occupied_q <= second_occupied_q | push;
                // What the second place holds, or else what it would take.
                first_q <= second_d;
                first_offset_held_q <= second_offset_d;
            end
        end
    end

`ifdef LSU_CONTRACTS  // What this module relies on, or promises.

    wire contract_room = !push | has_room;  // A pass comes in only while has_room.

    reg contracts_begun;  // rst has been 1.
    initial contracts_begun = 1'b0;
    always @(posedge clk) begin
        contracts_begun <= contracts_begun | rst;
        if (contracts_begun && !rst) begin
            if (contract_room !== 1'b1) begin
                $display("contract of lsu_pass_queue broken in %m:",
                  " A pass comes in only while has_room.");
                $stop;
            end
        end
    end
`endif
endmodule

// lsu_census: Whether anything of an operation is ahead, and whether a pass is its operation's last.
module lsu_census (
    // The places that count for both questions hold a pass: first the candidates resume, hit, ro_hit, bank.
    input  wire [11:0] holds,
    input  wire [95:0] tag,  // Its tag. [12 x 8 bits]
    input  wire        merge_holds,  // merge holds a pass.
    input  wire [7:0]  merge_tag,  // Its tag.
    input  wire [3:0]  waiter_holds,  // For each candidate, a waiter holds a pass of its tag.
    input  wire        read_holds,  // read holds a read.
    input  wire [7:0]  read_tag,  // Its tag.
    input  wire [7:0]  collect_tag,  // Tag in collect.
    output reg         ahead,  // A pass of collect's tag is ahead.
    output reg  [3:0]  last  // For each candidate: it is its operation's last pass.
);

    // Rule AHEAD.
    always @(*) begin : ahead_logic
        integer i;
        ahead = read_holds & (read_tag == collect_tag);
        for (i = 0; i < 12; i = i + 1) begin
            if (holds[i] & (tag[i * 8 +: 8] == collect_tag)) ahead = 1'b1;
        end
    end

    // Rule LAST.
    always @(*) begin : last_logic
        integer i, j;
        last = ~waiter_holds;
        for (i = 0; i < 4; i = i + 1) begin
            if (merge_holds & (merge_tag == tag[i * 8 +: 8])) last[i] = 1'b0;
            for (j = 0; j < 12; j = j + 1) begin
                if (i != j) begin
                    if (holds[j] & (tag[j * 8 +: 8] == tag[i * 8 +: 8])) last[i] = 1'b0;
                end
            end
        end
    end
endmodule

// lsu_row_readers: Which sectors of which rows are to be read.
module lsu_row_readers (
    input  wire        clk,  // Clock.
    input  wire        rst,  // Synchronous reset.
    input  wire [27:0] row,  // Row of each pass that has one and is still to be read. [7 x 4 bits]
    input  wire [27:0] sectors,  // Sectors in which its lanes lie; 0 where no load's pass is. [7 x 4 bits]
    input  wire [26:0] line,  // Line of the pass in tag.
    input  wire        shifts,  // tag takes another pass at this edge.
    input  wire [26:0] next_line,  // Its line.
    // Sectors that the pass in tag hits in each way of the set of L1 of the line that comes, if it moves. [2 x 4 bits]
    input  wire [7:0]  l1_reads,
    input  wire [7:0]  ro_reads,  // The same of its set of RO. [2 x 4 bits]
    // Sectors that were to be read in each way of the set of L1 of tag's line, and those that the pass before hit. [2 x
    // 4 bits]
    output wire [7:0]  l1,
    output wire [7:0]  ro,  // The same of its set of RO. [2 x 4 bits]
    output reg  [1:0]  own,  // MSHRs whose own row is to be read.

    input  wire [3:0]  write_sectors,  // Sectors that the row store writes at this edge.
    input  wire [3:0]  write_row  // Of this row.
);
    // What is to be read in the set of the line in tag, and in that of the line that comes: which of them counts is
    // known last. [2 x 4 bits]
    reg  [7:0] l1_here;
    reg  [7:0] l1_there;  // [2 x 4 bits]
    reg  [7:0] ro_here;  // [2 x 4 bits]
    reg  [7:0] ro_there;  // [2 x 4 bits]
    reg  [1:0] region;
    reg        l1_set;
    reg        ro_set;
    reg  [7:0] l1_before_q;
    reg  [7:0] ro_before_q;

    assign l1 = l1_before_q;
    assign ro = ro_before_q;

    always @(*) begin : own_logic
        integer i, j;
        j = 0;
        own = 2'd0;
        for (j = 0; j < 2; j = j + 1) begin
            l1_here[j * 4 +: 4] = 4'd0;
            l1_there[j * 4 +: 4] = l1_reads[j * 4 +: 4];
        end
        for (j = 0; j < 2; j = j + 1) begin
            ro_here[j * 4 +: 4] = 4'd0;
            ro_there[j * 4 +: 4] = ro_reads[j * 4 +: 4];
        end
        for (i = 0; i < 7; i = i + 1) begin
            region = row[(i * 4) + 2 +: 2];
            l1_set = row[i * 4];
            ro_set = row[i * 4];
            if (region == 2'd0) begin
                for (j = 0; j < 2; j = j + 1) begin
                    if (row[(i * 4) + 1] == j[0]) begin
                        if (l1_set == line[0]) l1_here[j * 4 +: 4] = l1_here[j * 4 +: 4] | sectors[i * 4 +: 4];
                        if (l1_set == next_line[0]) l1_there[j * 4 +: 4] = l1_there[j * 4 +: 4] | sectors[i * 4 +: 4];
                    end
                end
            end
            if (region == 2'd1) begin
                for (j = 0; j < 2; j = j + 1) begin
                    if (row[(i * 4) + 1] == j[0]) begin
                        if (ro_set == line[0]) ro_here[j * 4 +: 4] = ro_here[j * 4 +: 4] | sectors[i * 4 +: 4];
                        if (ro_set == next_line[0]) ro_there[j * 4 +: 4] = ro_there[j * 4 +: 4] | sectors[i * 4 +: 4];
                    end
                end
            end
            for (j = 0; j < 2; j = j + 1) begin
                if ((region == 2'd2) & (|sectors[i * 4 +: 4]) & (row[i * 4] == j[0])) own[j] = 1'b1;
            end
        end
    end

    always @(posedge clk) begin : register_logic
        integer j;
        if (rst) begin
            {l1_before_q, ro_before_q} <= 16'd0;
        end else begin
            for (j = 0; j < 2; j = j + 1) begin
                l1_before_q[j * 4 +: 4] <= l1_here[j * 4 +: 4];
                if (shifts) l1_before_q[j * 4 +: 4] <= l1_there[j * 4 +: 4];
            end
            for (j = 0; j < 2; j = j + 1) begin
                ro_before_q[j * 4 +: 4] <= ro_here[j * 4 +: 4];
                if (shifts) ro_before_q[j * 4 +: 4] <= ro_there[j * 4 +: 4];
            end
        end
    end

    // Bits that nothing reads.
    wire unused = &{1'b0, line[26:1], next_line[26:1], write_sectors, write_row};

`ifdef LSU_CONTRACTS  // What this module relies on, or promises.
    reg  contract_kept;  // Nothing is written into a sector that is to be read.

    always @(*) begin : contract_kept_logic
        integer i;
        contract_kept = 1'b1;
        for (i = 0; i < 7; i = i + 1) begin
            if ((row[i * 4 +: 4] == write_row) & (|(sectors[i * 4 +: 4] & write_sectors))) contract_kept = 1'b0;
        end
    end

    reg contracts_begun;  // rst has been 1.
    initial contracts_begun = 1'b0;
    always @(posedge clk) begin
        contracts_begun <= contracts_begun | rst;
        if (contracts_begun && !rst) begin
            if (contract_kept !== 1'b1) begin
                $display("contract of lsu_row_readers broken in %m:",
                  " Nothing is written into a sector that is to be read.");
                $stop;
            end
        end
    end
`endif
endmodule

// lsu_row_store: Rows of 128 bytes in COLUMNS memories of words, each with a write port and a read port for each lane.
module lsu_row_store (
    input  wire          clk,  // Clock.
    input  wire          rst,  // Synchronous reset; the memories keep their content.

    input  wire          reads,  // A row is read at this edge.
    // One may be, and what comes out is looked at only if it is: known sooner than whether it is. Always with reads.
    input  wire          may_read,
    input  wire [3:0]    read_row,  // Which; 0 if it is of shared memory.
    input  wire [3:0]    read_sectors,  // Sectors of it in which the lanes lie that it is read for.
    input  wire          read_is_shared,  // Of shared memory instead: in a row of its own for each lane.
    input  wire [7:0]    read_shared_row,  // Which of it. [4 x 2 bits]
    input  wire [7:0]    read_sector,  // Sector of its row that each lane reads. [4 x 2 bits]
    output reg  [1023:0] word,  // The sector read last for each lane, word 0 lowest. [32 x 32 bits]

    input  wire          fills,  // A read's response is written at this edge, from the memory port or from answer.
    input  wire [1:0]    fill_sector,  // Into this sector.
    input  wire [3:0]    fill_row,  // Of this row.
    input  wire [31:0]   fill_strobe,  // Its bytes, four for each word. [8 x 4 bits]
    input  wire [255:0]  fill_data,  // The sector that came from the memory port, word 0 lowest. [8 x 32 bits]
    input  wire          fill_is_answer,  // answer is full: it has the sector.
    input  wire [255:0]  answer_data,  // The sector in answer. [8 x 32 bits]
    input  wire          serves,  // A part of a sector of shared memory is written at this edge for another CTA.
    input  wire [1:0]    serve_sector,  // Into this sector.
    input  wire [3:0]    serve_row,  // Of this row.
    input  wire [31:0]   serve_strobe,  // Its bytes, four for each word. [8 x 4 bits]
    input  wire [255:0]  serve_data,  // The sector. [8 x 32 bits]
    input  wire          updates,  // A store's bytes are written at this edge.
    input  wire [1:0]    update_sector,  // Into this sector.
    input  wire [3:0]    update_row,  // Of this row.
    input  wire [31:0]   update_strobe,  // Its bytes, four for each word. [8 x 4 bits]
    input  wire [255:0]  update_data,  // Its data. [8 x 32 bits]
    // They are of shared memory instead: of a word of each bank. Only with updates.
    input  wire          update_is_shared,
    input  wire [19:0]   update_place,  // Which of each. [4 x 5 bits]
    // What is written at this edge but for banks of shared memory: one sector, or none.
    output reg  [3:0]    write_sectors,
    output wire [3:0]    write_row  // Of this row.
);
    localparam [3:0] FIRST_SHARED_ROW = 4'd12;
    localparam [1:0] LAST_COLUMN_SECTOR = 2'd0;
    reg  [31:0]   strobe;  // [8 x 4 bits]
    reg  [255:0]  data;  // [8 x 32 bits]
    // Bytes of each column that an update or a part for another CTA writes; and with those of a response. [8 x 4 bits]
    reg  [31:0]   column_stored;
    reg  [31:0]   column_strobe;  // [8 x 4 bits]
    reg  [255:0]  column_data;  // [8 x 32 bits]
    reg  [4:0]    bank_place;
    reg  [1:0]    lane_shared_row;
    reg  [3:0]    lane_row;
    reg  [1:0]    lane_sector;
    reg  [23:0]   lane_word;  // Word of every column that each lane reads. [4 x 6 bits]
    reg  [23:0]   bank_word;  // Word of its columns that is written of each bank. [4 x 6 bits]
    wire [1023:0] memory_read_data;
    reg  [47:0]   memory_write_address;
    // Sector of the row that each lane read last: where sectors lie side by side, which of these.
    reg  [7:0]    sector_read_q;

    // Rule ROW: at one edge one sector is written, and sectors of one row are read.
    wire [1:0] sector =
        updates ? update_sector :
        serves ? serve_sector :
        fill_sector;
    assign write_row =
        updates ? update_row :
        serves ? serve_row :
        fill_row;

    always @(*) begin : write_sectors_logic
        integer i;
        write_sectors = 4'd0;
        for (i = 0; i < 4; i = i + 1) begin
            if ((fills | serves | (updates & !update_is_shared)) & (sector == i[1:0])) write_sectors[i] = 1'b1;
        end
    end

    // Of the three no two write at once; whether a response does is known last, and joined last.
    always @(*) begin : strobe_logic
        integer i;
        for (i = 0; i < 8; i = i + 1) begin
            strobe[i * 4 +: 4] = 4'd0;
            if (serves) strobe[i * 4 +: 4] = serve_strobe[i * 4 +: 4];
            if (updates) strobe[i * 4 +: 4] = update_strobe[i * 4 +: 4];
        end
    end

    always @(*) begin : data_logic
        integer i;
        for (i = 0; i < 8; i = i + 1) begin
            data[i * 32 +: 32] = fill_data[i * 32 +: 32];
            if (fill_is_answer) data[i * 32 +: 32] = answer_data[i * 32 +: 32];
            if (serves) data[i * 32 +: 32] = serve_data[i * 32 +: 32];
            if (updates) data[i * 32 +: 32] = update_data[i * 32 +: 32];
        end
    end

    always @(*) begin : column_stored_logic
        integer j;
        for (j = 0; j < 8; j = j + 1) begin
            column_stored[j * 4 +: 4] = 4'd0;
            if ((sector & LAST_COLUMN_SECTOR) == 2'd0) column_stored[j * 4 +: 4] = strobe[j * 4 +: 4];
        end
        if (updates & update_is_shared) column_stored = update_strobe;
    end

    always @(*) begin : column_data_logic
        integer j;
        for (j = 0; j < 8; j = j + 1) begin
            column_data[j * 32 +: 32] = data[j * 32 +: 32];
        end
        if (updates & update_is_shared) column_data = update_data;
    end

    always @(*) begin : column_strobe_logic
        integer j;
        for (j = 0; j < 8; j = j + 1) begin
            column_strobe[j * 4 +: 4] = column_stored[j * 4 +: 4];
            if (fills & ((fill_sector & LAST_COLUMN_SECTOR) == 2'd0)) begin
                column_strobe[j * 4 +: 4] = column_stored[j * 4 +: 4] | fill_strobe[j * 4 +: 4];
            end
        end
    end

    // Where it lies in its column: of shared memory each bank's own word is written, and each lane's own row is read.
    wire [3:0] first_shared_row = FIRST_SHARED_ROW;
    wire [5:0] first_shared_word = {2'd0, first_shared_row} << 2;
    wire [5:0] write_word = ({2'd0, write_row} << 2) | {4'd0, sector};

    always @(*) begin : bank_place_logic
        integer i;
        for (i = 0; i < 4; i = i + 1) begin
            bank_place = {1'b0, update_place[(i * 5) + 1 +: 4]};
            bank_word[i * 6 +: 6] = write_word;
            if (update_is_shared) bank_word[i * 6 +: 6] = first_shared_word | {1'b0, bank_place};
        end
    end

    always @(*) begin : lane_shared_row_logic
        integer i;
        for (i = 0; i < 4; i = i + 1) begin
            lane_shared_row = read_shared_row[i * 2 +: 2];
            // Joined, not chosen: no other row is read then.
            lane_row = read_row;
            if (read_is_shared) lane_row = read_row | first_shared_row | {2'd0, lane_shared_row};
            lane_sector = read_sector[i * 2 +: 2];
            lane_word[i * 6 +: 6] = ({2'd0, lane_row} << 2) | {4'd0, lane_sector};
        end
    end

    always @(*) begin : memory_write_address_logic
        integer i, j;
        for (i = 0; i < 2; i = i + 1) begin
            for (j = 0; j < 4; j = j + 1) begin
                memory_write_address[((i * 4) + j) * 6 +: 6] = bank_word[j * 6 +: 6];
            end
        end
    end

    // Each lane's sector: of those that lie side by side the one that it asked for.
    always @(*) begin : word_logic
        integer i, j;
        for (i = 0; i < 4; i = i + 1) begin
            for (j = 0; j < 8; j = j + 1) begin
                word[((i * 8) + j) * 32 +: 32] = memory_read_data[((j * 4) + i) * 32 +: 32];
            end
        end
    end

    genvar index;
    generate
        for (index = 0; index < 8; index = index + 1) begin : memory
            lsu_strobe_memory #(.ADDRESS_BITS(6), .READS(4)) unit (
                .clk           (clk),
                .read_enable   (may_read),
                .read_address  (lane_word),
                .read_data     (memory_read_data[index * 128 +: 128]),
                .write_strobe  (column_strobe[index * 4 +: 4]),
                .write_address (memory_write_address[index * 6 +: 6]),
                .write_data    (column_data[index * 32 +: 32])
            );
        end
    endgenerate

    always @(posedge clk) begin
        if (rst) begin
            sector_read_q <= 8'd0;
        end else begin
            if (may_read) sector_read_q <= read_sector;
        end
    end

    // Bits that nothing reads.
    wire unused = &{
        1'b0, reads, read_sectors, update_place[0], update_place[5], update_place[10], update_place[15], sector_read_q
    };

`ifdef LSU_CONTRACTS  // What this module relies on, or promises.

    // Of a response, an update and a part for another CTA no two come in one cycle.
    wire contract_one_write = !(fills & updates) & !(fills & serves) & !(updates & serves);
    wire contract_one_row = !read_is_shared | !(|read_row);  // What is read of shared memory is of no other row.
    wire contract_may_read = !reads | may_read;  // What is read may be.
    // No sector that is read for a lane is written at the same edge.
    wire contract_apart = !reads | (read_row != write_row) | !(|(read_sectors & write_sectors));
    // No word of shared memory is read at an edge at which one is written.
    wire contract_banks_apart = !(reads & (read_is_shared | (read_row >= first_shared_row))) |
      !((updates & update_is_shared) | serves);

    reg contracts_begun;  // rst has been 1.
    initial contracts_begun = 1'b0;
    always @(posedge clk) begin
        contracts_begun <= contracts_begun | rst;
        if (contracts_begun && !rst) begin
            if (contract_one_write !== 1'b1) begin
                $display("contract of lsu_row_store broken in %m:",
                  " Of a response, an update and a part for another CTA no two come in one cycle.");
                $stop;
            end
            if (contract_one_row !== 1'b1) begin
                $display("contract of lsu_row_store broken in %m:",
                  " What is read of shared memory is of no other row.");
                $stop;
            end
            if (contract_may_read !== 1'b1) begin
                $display("contract of lsu_row_store broken in %m:",
                  " What is read may be.");
                $stop;
            end
            if (contract_apart !== 1'b1) begin
                $display("contract of lsu_row_store broken in %m:",
                  " No sector that is read for a lane is written at the same edge.");
                $stop;
            end
            if (contract_banks_apart !== 1'b1) begin
                $display("contract of lsu_row_store broken in %m:",
                  " No word of shared memory is read at an edge at which one is written.");
                $stop;
            end
        end
    end
`endif
endmodule

// lsu_read_stage: Places read and landing of the global path.
module lsu_read_stage (
    input  wire          clk,  // Clock.
    input  wire          rst,  // Synchronous reset.
    input  wire          goes,  // A read is picked and enters read at this edge.
    output wire          free,  // read is empty or moves on.
    input  wire [143:0]  operation,  // Its operation.
    input  wire [1:0]    number,  // Its number: that of a local pass's word, or 1 of the second of two.
    input  wire [3:0]    lanes,  // Its lanes, without failed ones.
    input  wire          last,  // It ends its operation.
    input  wire [27:0]   offset,  // Offset in the row of each lane. [4 x 7 bits]
    input  wire [1023:0] word,  // The row store's output: the sector of each lane of the read in read. [32 x 32 bits]

    output wire          read_holds,  // read holds a read.
    output wire [7:0]    read_tag,  // Its operation.
    output wire          valid,  // landing holds a read.
    input  wire          ready,  // It moves to collect at this edge, if there is one.
    input  wire          stands,  // collect and emit are full.
    input  wire          sends_last,  // emit, if it is full, sends its last register at this edge.
    input  wire [7:0]    collect_tag,  // Operation in collect.
    input  wire [1:0]    collect_number,  // Number of the read in collect.
    input  wire          collect_is_local,  // It is of local passes.
    // The read in landing is of the same operation, number and kind, if collect is full.
    output wire          landed_is_same,
    output wire [143:0]  landed_operation,  // Its operation.
    output wire [1:0]    landed_number,  // Its number.
    output wire [3:0]    landed_lanes,  // Its lanes.
    output wire          landed_last,  // It ends its operation.
    output wire [15:0]   landed_byte,  // Byte in the quad where each lane's value begins. [4 x 4 bits]
    output wire [511:0]  landed_word  // The quad of each lane: four words. [16 x 32 bits]
);
    wire [143:0] operation_in_read;
    wire [143:0] operation_in_landing;
    reg          read_full_q;
    reg  [143:0] read_operation_q;
    reg  [1:0]   read_number_q;
    reg  [3:0]   read_lanes_q;
    reg          read_last_q;
    reg  [27:0]  read_offset_q;
    reg          landing_full_q;
    reg  [143:0] landing_operation_q;
    reg  [1:0]   landing_number_q;
    reg  [3:0]   landing_lanes_q;
    reg          landing_last_q;
    reg  [15:0]  landing_byte_q;
    reg  [511:0] landing_word_q;
    // What is in landing and what is in collect belong together: compared as it comes to landing.
    reg          is_same_q;

    // Fields of operation_in_read (Operation).
    wire [7:0] operation_in_read_tag      = operation_in_read[7:0];  // Names the operation.
    wire       operation_in_read_is_local = operation_in_read[140];  // The pass's lanes are local.

    // Fields of operation_in_landing (Operation).
    wire [7:0] operation_in_landing_tag      = operation_in_landing[7:0];  // Names the operation.
    wire       operation_in_landing_is_local = operation_in_landing[140];  // The pass's lanes are local.

    // Rule FREE.
    wire landing_free = !landing_full_q | ready;
    wire moves = !read_full_q | landing_free;

    // The same for those who pick, said from the registers of all four places: what comes last passes one gate on its
    // way to them.
    assign free = !(read_full_q & landing_full_q & stands & !is_same_q) | sends_last;
    assign read_holds = read_full_q;
    assign operation_in_read = read_operation_q;
    assign read_tag = operation_in_read_tag;
    assign operation_in_landing = landing_operation_q;

    // landing.
    assign landed_is_same = is_same_q;

    // Rule PICK: the second of two reads takes the quad after the first, which is the first of its sector.
    wire is_second = read_number_q[0] & !operation_in_read_is_local;
    assign valid = landing_full_q;
    assign landed_operation = landing_operation_q;
    assign landed_number = landing_number_q;
    assign landed_lanes = landing_lanes_q;
    assign landed_last = landing_last_q;
    assign landed_byte = landing_byte_q;
    assign landed_word = landing_word_q;

    always @(posedge clk) begin : register_logic
        integer i, j;
        if (rst) begin
            {read_full_q, read_operation_q, read_number_q, read_lanes_q, read_last_q, read_offset_q, landing_full_q,
              landing_operation_q, landing_number_q, landing_lanes_q, landing_last_q, landing_byte_q, landing_word_q,
              is_same_q} <= 861'd0;
        end else begin
            if (moves) begin
                read_full_q <= goes;
                read_operation_q <= operation;
                read_number_q <= number;
                read_lanes_q <= lanes;
                read_last_q <= last;
                read_offset_q <= offset;
            end
            if (landing_free) begin
                landing_full_q <= read_full_q;
                landing_operation_q <= read_operation_q;
                landing_number_q <= read_number_q;
                landing_lanes_q <= read_lanes_q;
                landing_last_q <= read_last_q;
                // Rule SAME, with what is in collect after this edge.
                is_same_q <= (read_tag == collect_tag) & (read_number_q == collect_number) &
                  (operation_in_read_is_local == collect_is_local);
                if (landing_full_q) begin
                    is_same_q <= (read_tag == operation_in_landing_tag) & (read_number_q == landing_number_q) &
                      (operation_in_read_is_local == operation_in_landing_is_local);
                end
            end
            if (landing_free) begin
                for (i = 0; i < 4; i = i + 1) begin
                    landing_byte_q[i * 4 +: 4] <= read_offset_q[i * 7 +: 4];
                    for (j = 0; j < 4; j = j + 1) begin
                        landing_word_q[((i * 4) + j) * 32 +: 32] <= word[((i * 8) + j) * 32 +: 32];
                        if (read_offset_q[(i * 7) + 4] | is_second) begin
                            landing_word_q[((i * 4) + j) * 32 +: 32] <= word[(((i * 8) + 4) + j) * 32 +: 32];
                        end
                    end
                end
            end
        end
    end

    // Bits that nothing reads.
    wire unused = &{
        1'b0, operation_in_read, operation_in_landing, read_offset_q[6:5], read_offset_q[13:12], read_offset_q[20:19],
        read_offset_q[27:26]
    };

`ifdef LSU_CONTRACTS  // What this module relies on, or promises.

    wire contract_moves = free == moves;  // What free says is whether read is empty or moves on.
    wire contract_free = !goes | free;  // A read comes only while free.

    reg contracts_begun;  // rst has been 1.
    initial contracts_begun = 1'b0;
    always @(posedge clk) begin
        contracts_begun <= contracts_begun | rst;
        if (contracts_begun && !rst) begin
            if (contract_free !== 1'b1) begin
                $display("contract of lsu_read_stage broken in %m:",
                  " A read comes only while free.");
                $stop;
            end
            if (contract_moves !== 1'b1) begin
                $display("contract of lsu_read_stage broken in %m:",
                  " What free says is whether read is empty or moves on.");
                $stop;
            end
        end
    end
`endif
endmodule

// lsu_collector: Places collect and emit of the global path: from quads to registers.
module lsu_collector (
    input  wire         clk,  // Clock.
    input  wire         rst,  // Synchronous reset.
    output wire         full,  // collect holds something.
    output wire [7:0]   tag,  // Its operation.
    output wire [1:0]   number,  // Number of its read.
    output wire         is_local,  // It is of local passes.
    input  wire         ahead,  // A pass of that operation is ahead of landing.
    input  wire         read_valid,  // landing holds a read.
    // collect and emit are full: nothing but what joins collect enters it, unless sends_last.
    output wire         stands,
    output wire         sends_last,  // emit, if it is full, sends its last register at this edge.
    output wire         read_ready,  // It enters collect at this edge, if there is one.
    input  wire [143:0] read_operation,  // Its operation.
    input  wire         read_is_same,  // It is of collect's tag, number and kind, if both are full.
    input  wire [1:0]   read_number,  // Its number.
    input  wire [3:0]   read_lanes,  // Its lanes.
    input  wire         read_last,  // It ends its operation.
    input  wire [15:0]  read_byte,  // Byte in the quad where each lane's value begins. [4 x 4 bits]
    input  wire [511:0] read_word,  // The quad of each lane: four words. [16 x 32 bits]

    output wire         wb_valid,  // A register is offered.
    input  wire         wb_ready,  // Taken at this edge.
    output wire [20:0]  wb,  // All of it but the values.
    output reg  [127:0] wb_data  // Values; 0 in lanes that are not written. [4 x 32 bits]
);
    localparam [7:0] RD_RZ = 8'hff;  // no register: the result is dropped
    reg  [4:0]   coming_last_index;
    reg  [4:0]   coming_whole_index;
    reg  [31:0]  picked_word;
    reg  [15:0]  picked_half;
    reg  [7:0]   picked_byte;
    reg          negative;
    reg  [31:0]  value;
    reg          collect_full_q;
    reg  [143:0] collect_operation_q;
    reg  [1:0]   collect_number_q;
    reg  [3:0]   collect_lanes_q;
    reg          collect_last_q;
    reg  [15:0]  collect_byte_q;
    reg  [511:0] collect_word_q;
    reg          emit_full_q;
    // The opposite, but for the cycle after a reset, in which collect is empty: what is picked hangs on it alone.
    reg          emit_vacant_q;
    reg  [143:0] emit_operation_q;
    reg  [3:0]   emit_lanes_q;
    reg          emit_last_q;
    reg  [15:0]  emit_place_q;  // Byte in the quad where the value that is sent begins.
    reg  [511:0] emit_word_q;
    reg  [4:0]   emit_index_q;  // Register that is sent, within this read.
    reg  [4:0]   whole_index_q;  // The same, within all reads.
    reg  [4:0]   last_index_q;  // Number of the last one within this read.
    // It is that. Known from the start of the cycle: whether emit is free decides about all that is behind it.
    reg          is_last_index_q;

    // Fields of collect_operation_q (Operation).
    wire [7:0] collect_operation_tag               = collect_operation_q[7:0];  // Names the operation.
    wire [1:0] collect_operation_vec               = collect_operation_q[100:99];  // log2 of the element count.
    // log2 of the registers of an element.
    wire [1:0] collect_operation_element_registers = collect_operation_q[121:120];
    // Two reads (or none for a store): the total is 32 bytes.
    wire       collect_operation_two_reads         = collect_operation_q[124];
    // Number of the last word of 4 bytes of each lane: 0, 1 or 3.
    wire [1:0] collect_operation_last_word         = collect_operation_q[126:125];
    wire       collect_operation_is_local          = collect_operation_q[140];  // The pass's lanes are local.

    // Fields of emit_operation_q (Operation).
    wire [7:0] emit_operation_tag               = emit_operation_q[7:0];  // Names the operation.
    wire [7:0] emit_operation_sink              = emit_operation_q[108:101];  // Elements that are not written.
    wire       emit_operation_sign              = emit_operation_q[109];  // Sign-extend.
    wire [7:0] emit_operation_rd                = emit_operation_q[117:110];  // First destination register.
    // An element of at most 32 bits fills two registers.
    wire       emit_operation_extended          = emit_operation_q[119];
    wire [1:0] emit_operation_element_registers = emit_operation_q[121:120];  // log2 of the registers of an element.
    // log2 of the bytes that one register moves, at most 4.
    wire [1:0] emit_operation_unit              = emit_operation_q[123:122];

    assign full = collect_full_q;
    assign tag = collect_operation_tag;
    assign number = collect_number_q;
    assign is_local = collect_operation_is_local;

    // Rule EMIT.
    wire [2:0] registers = {1'b0, collect_operation_element_registers} + {1'b0, collect_operation_vec};

    // All five bits are set only for an operation without lanes: nobody checks it.
    always @(*) begin : coming_last_index_logic
        integer i;
        for (i = 0; i < 5; i = i + 1) begin
            coming_last_index[i] = registers > i[2:0];
        end
        // A part of them for each of two reads, or for each word of local passes.
        if (collect_operation_two_reads | (collect_operation_is_local & collect_operation_last_word[0])) begin
            coming_last_index = {1'b0, coming_last_index[4:1]};
        end
        if (collect_operation_is_local & collect_operation_last_word[1]) begin
            coming_last_index = {1'b0, coming_last_index[4:1]};
        end
    end

    // The number of registers is a power of two, so that or-ing adds its multiples.
    wire [4:0] coming_registers = coming_last_index + 5'd1;

    always @(*) begin
        coming_whole_index = 5'd0;
        if (collect_number_q[0]) coming_whole_index = coming_registers;
        if (collect_number_q[1]) coming_whole_index = coming_whole_index | (coming_registers << 1);
    end

    assign sends_last = wb_ready & is_last_index_q;
    wire emit_free = !emit_full_q | sends_last;
    assign stands = collect_full_q & !emit_vacant_q;

    // Rule SAME: what has landed joins what is there. Rule AHEAD: otherwise collect moves, unless more may still come.
    wire same = collect_full_q & read_valid & read_is_same;
    wire moves = collect_full_q & emit_free & !same & (read_valid | !ahead);

    // With a read in landing, collect moves whenever emit is free: what is ahead does not matter to it.
    assign read_ready = !collect_full_q | read_is_same | emit_free;

    // emit. The next register's value lies behind this one's; the upper half of an extended element has none.
    wire [3:0] advance =
        (emit_operation_extended & !emit_index_q[0]) ? 4'd0 :
        (emit_operation_unit == 2'd2) ? 4'd4 :
        (emit_operation_unit == 2'd1) ? 4'd2 :
        4'd1;

    // The register that is sent.
    assign wb_valid = emit_full_q;
    wire [7:0] wb_rd = emit_operation_rd + {3'd0, whole_index_q};  // The register.
    wire wb_last = emit_last_q & is_last_index_q;  // Ends the operation.
    wire [2:0] element =
        (emit_operation_element_registers == 2'd2) ? whole_index_q[4:2] :
        (emit_operation_element_registers == 2'd1) ? whole_index_q[3:1] :
        whole_index_q[2:0];
    // Lanes written.
    wire [3:0] wb_mask = ((emit_operation_rd == RD_RZ) | emit_operation_sink[element]) ? 4'd0 : emit_lanes_q;
    assign wb = {wb_last, wb_mask, wb_rd, emit_operation_tag};
    wire is_extension = emit_operation_extended & emit_index_q[0];

    always @(*) begin : wb_data_logic
        integer i, j;
        for (i = 0; i < 4; i = i + 1) begin
            picked_word = 32'd0;
            for (j = 0; j < 4; j = j + 1) begin
                if (emit_place_q[(i * 4) + 2 +: 2] == j[1:0]) begin
                    picked_word = picked_word | emit_word_q[((i * 4) + j) * 32 +: 32];
                end
            end
            // What is wider is aligned: the half of a word and the byte of a half or word are at its beginning.
            picked_half = picked_word[15:0];
            if (emit_place_q[(i * 4) + 1]) picked_half = picked_word[31:16];
            picked_byte = picked_half[7:0];
            if (emit_place_q[i * 4]) picked_byte = picked_half[15:8];
            negative = picked_word[31];
            if (emit_operation_unit == 2'd0) negative = picked_byte[7];
            if (emit_operation_unit == 2'd1) negative = picked_half[15];
            value = 32'd0;
            if (emit_operation_sign & negative) value = 32'hffffffff;
            if (!is_extension) begin
                value = (value & 32'hffffff00) | {24'd0, picked_byte};
                if (emit_operation_unit != 2'd0) value = (value & 32'hffff00ff) | {16'd0, picked_half & 16'hff00};
                if (emit_operation_unit == 2'd2) value = (value & 32'hffff) | (picked_word & 32'hffff0000);
            end
            wb_data[i * 32 +: 32] = 32'd0;
            if (wb_mask[i]) wb_data[i * 32 +: 32] = value;
        end
    end

    always @(posedge clk) begin : register_logic
        integer i, j;
        if (rst) begin
            {collect_full_q, collect_operation_q, collect_number_q, collect_lanes_q, collect_last_q, collect_byte_q,
              collect_word_q, emit_full_q, emit_vacant_q, emit_operation_q, emit_lanes_q, emit_last_q, emit_place_q,
              emit_word_q, emit_index_q, whole_index_q, last_index_q, is_last_index_q} <= 1375'd0;
        end else begin
            // collect.
            if (moves) begin
                collect_full_q <= 1'b0;
                collect_lanes_q <= 4'd0;
                collect_last_q <= 1'b0;
            end
            if (read_valid & read_ready) begin
                collect_full_q <= 1'b1;
                collect_operation_q <= read_operation;
                collect_number_q <= read_number;
                if (same) begin
                    collect_lanes_q <= collect_lanes_q | read_lanes;
                    collect_last_q <= collect_last_q | read_last;
                end else begin
                    collect_lanes_q <= read_lanes;
                    collect_last_q <= read_last;
                end
                for (i = 0; i < 4; i = i + 1) begin
                    if (read_lanes[i]) begin
                        collect_byte_q[i * 4 +: 4] <= read_byte[i * 4 +: 4];
                        for (j = 0; j < 4; j = j + 1) begin
                            collect_word_q[((i * 4) + j) * 32 +: 32] <= read_word[((i * 4) + j) * 32 +: 32];
                        end
                    end
                end
            end
            if (wb_ready) begin
                emit_index_q <= emit_index_q + 5'd1;
                whole_index_q <= whole_index_q + 5'd1;
                is_last_index_q <= (emit_index_q + 5'd1) == last_index_q;
                for (i = 0; i < 4; i = i + 1) begin
                    emit_place_q[i * 4 +: 4] <= emit_place_q[i * 4 +: 4] + advance;
                end
            end
            if (emit_free) begin
                emit_index_q <= 5'd0;
                whole_index_q <= coming_whole_index;
                last_index_q <= coming_last_index;
                is_last_index_q <= coming_last_index == 5'd0;
                emit_full_q <= moves;
                emit_vacant_q <= !moves;
                emit_operation_q <= collect_operation_q;
                emit_lanes_q <= collect_lanes_q;
                emit_last_q <= collect_last_q;
                for (i = 0; i < 4; i = i + 1) begin
                    emit_place_q[i * 4 +: 4] <= collect_byte_q[i * 4 +: 4];
                    for (j = 0; j < 4; j = j + 1) begin
                        emit_word_q[((i * 4) + j) * 32 +: 32] <= collect_word_q[((i * 4) + j) * 32 +: 32];
                    end
                end
            end
        end
    end

    // Bits that nothing reads.
    wire unused = &{1'b0, emit_operation_q};
endmodule

// lsu_arbiter: Chooses between two sources.
module lsu_arbiter (
    input  wire clk,  // Clock.
    input  wire rst,  // Synchronous reset.
    input  wire first_valid,  // The first source offers.
    output wire first_ready,  // It is taken at this edge, if it offers.
    input  wire second_valid,  // The second source offers.
    output wire second_ready,  // It is taken at this edge, if it offers.
    output wire valid,  // One of them is presented.
    output wire is_second,  // It is the second one.
    input  wire ready  // What is presented is taken at this edge.
);
    reg  waits_q;
    reg  presented_q;
    reg  first_was_last_q;

    assign valid = first_valid | second_valid;
    assign is_second = waits_q ? presented_q : (second_valid & (!first_valid | first_was_last_q));

    // Rule ARBITER. What each is told does not ask whether it offers: it knows, and much hangs on it.
    wire first_waits = waits_q ? presented_q : (second_valid & first_was_last_q);
    wire second_waits = waits_q ? !presented_q : (first_valid & !first_was_last_q);
    assign first_ready = ready & !first_waits;
    assign second_ready = ready & !second_waits;

    always @(posedge clk) begin
        if (rst) begin
            {waits_q, presented_q, first_was_last_q} <= 3'd0;
        end else begin
            waits_q <= valid & !ready;
            presented_q <= is_second;
            if (valid & ready) first_was_last_q <= !is_second;
        end
    end
endmodule

// lsu_answer: Place answer of the global path: a response from the cluster.
module lsu_answer (
    input  wire         clk,  // Clock.
    input  wire         rst,  // Synchronous reset.
    input  wire         cluster_rsp_valid,  // A response to a request that the unit knows is offered.
    output wire         cluster_rsp_ready,  // It is taken at this edge.
    input  wire [5:0]   cluster_rsp_id,  // The request's id.
    input  wire [255:0] cluster_rsp_data,  // The sector, word 0 lowest. [8 x 32 bits]
    input  wire         cluster_rsp_error,  // The access failed; the data means nothing.

    input  wire         goes,  // Nothing else writes the row store in this cycle: what is in answer acts.
    output wire         full,  // answer is full.
    // The same, but for the cycle after a reset, in which nothing is written: for those who choose the sector.
    output wire         is_source,
    output wire         mshr,  // MSHR of the response.
    output wire [1:0]   sector,  // Its sector.
    output wire         error,  // The access failed.
    output wire [255:0] data  // The sector, word 0 lowest. [8 x 32 bits]
);
    reg          holds_q;
    reg          vacant_q;  // The opposite, but for the cycle after a reset: half of what hangs on either.
    reg  [5:0]   held_id_q;
    reg          held_error_q;
    reg  [255:0] held_data_q;

    assign cluster_rsp_ready = !holds_q;
    assign full = holds_q;
    assign is_source = !vacant_q;
    assign mshr = held_id_q[2];
    assign sector = held_id_q[1:0];
    assign error = held_error_q;
    assign data = held_data_q;

    always @(posedge clk) begin
        if (rst) begin
            {holds_q, vacant_q, held_id_q, held_error_q, held_data_q} <= 265'd0;
        end else begin
            if (holds_q) begin
                holds_q <= !goes;
                vacant_q <= goes;
            end else begin
                // While it is empty it takes whatever is there.
                holds_q <= cluster_rsp_valid;
                vacant_q <= !cluster_rsp_valid;
                held_id_q <= cluster_rsp_id;
                held_error_q <= cluster_rsp_error;
                held_data_q <= cluster_rsp_data;
            end
        end
    end

    // Bits that nothing reads.
    wire unused = &{1'b0, held_id_q[5:3]};
endmodule

// lsu_serve: Place serve of the global path: a request of another CTA for a sector of shared memory.
module lsu_serve (
    input  wire         clk,  // Clock.
    input  wire         rst,  // Synchronous reset that forgets the requests of others.
    input  wire         read_is_lost,  // Everything else is reset at this edge, read with it.
    input  wire         serve_req_valid,  // A request is offered.
    output wire         serve_req_ready,  // It is taken at this edge.
    input  wire [5:0]   serve_req_id,  // Returned with the response.
    input  wire [7:0]   serve_req_rank,  // Rank of the CTA that asks; returned with the response.
    input  wire         serve_req_write,  // Write instead of read.
    input  wire [31:0]  serve_req_addr,  // Byte offset in the window of the CTA; the low five bits are not looked at.
    input  wire [31:0]  serve_req_strb,  // Bytes written; of a read, not looked at.
    input  wire [255:0] serve_req_data,  // Write data, word 0 lowest. [8 x 32 bits]
    input  wire [9:0]   cluster_base,  // First byte of the CTA's window in shared memory.
    input  wire [9:0]   cluster_size,  // Bytes of that window.

    input  wire         updates,  // The row store takes a store's bytes at this edge.
    // It does in the next cycle, into shared memory, unless everything else is reset.
    input  wire         updates_shared_next,
    input  wire         reply_full,  // reply is full.
    input  wire         reply_stays,  // What it holds stays there at this edge.
    output wire         full,  // serve is full.
    output wire         writes,  // It holds a write, and reply is empty.
    output wire         write_goes,  // The row store takes a part at this edge.
    output reg  [31:0]  strobe,  // Bytes of it, four for each word of the sector. [8 x 4 bits]
    output wire [255:0] data,  // The sector that is written. [8 x 32 bits]
    output wire         reads,  // A part may be picked to be read.
    input  wire         read_goes,  // It is, and goes to read at this edge.
    output wire [3:0]   row,  // Row of the sector.
    output wire [1:0]   sector,  // Which of the row's.

    output wire         lands,  // A part that was read goes from read to reply at this edge.
    output wire         part,  // The part that is read or written.
    output wire         ends,  // reply has the whole response after this edge, and serve is empty.
    output wire [5:0]   id,  // The request's id.
    output wire [7:0]   rank,  // Who asked.
    output wire         error  // The address lies beyond the window.
);
    localparam [3:0] FIRST_SHARED_ROW = 4'd12;
    localparam LAST_PART = 1'b1;
    wire         is_beyond_low;
    reg          holds_read_q;
    reg          holds_write_q;
    reg  [5:0]   held_id_q;
    reg  [7:0]   held_rank_q;
    reg  [3:0]   held_sector_q;
    reg          is_beyond_q;
    reg  [31:0]  held_strobe_q;
    reg  [255:0] held_data_q;
    reg          part_index_q;  // Parts before this one are done.
    reg          in_read_q;  // A part is in read.
    // It holds a write, or a read of which no part is in read, and reply is empty: who may do what hangs on it.
    reg          may_write_q;
    reg          may_store_q;  // It may write, and lies in the window.
    reg          may_read_q;
    // It may read, and shared memory takes no store's bytes: known from the start, as who is picked hangs on it.
    reg          offers_read_q;

    wire holds_read_d =
        ends ? 1'b0 :
        !full ? (serve_req_valid & !serve_req_write) :
        holds_read_q;
    wire holds_write_d =
        ends ? 1'b0 :
        !full ? (serve_req_valid & serve_req_write) :
        holds_write_q;
    wire is_beyond_d = !full ? (is_beyond_low | (|{10'd0, serve_req_addr[31:10]})) : is_beyond_q;
    wire in_read_d = read_goes & !read_is_lost;
    wire may_read_d = holds_read_d & !in_read_d & !reply_stays;

    // Rule SERVE. Taken: which sector is known at once, and whether it lies in the window. The bits of its address
    // below it count as 0.
    assign full = holds_read_q | holds_write_q;
    assign serve_req_ready = !full;
    wire [5:0] window_granules = cluster_size[9:4];
    wire [5:0] granule = {1'b0, serve_req_addr[9:5]} << 1;
    assign is_beyond_low = granule >= window_granules;
    wire [3:0] first_row = FIRST_SHARED_ROW;
    assign row = first_row | {2'd0, held_sector_q[3:2]};
    assign sector = held_sector_q[1:0];
    assign id = held_id_q;
    assign rank = held_rank_q;
    assign error = is_beyond_q;

    // A write.
    assign writes = may_write_q;
    assign write_goes = may_store_q & !updates;

    always @(*) begin : strobe_logic
        integer i, j;
        for (i = 0; i < 2; i = i + 1) begin
            for (j = 0; j < 4; j = j + 1) begin
                strobe[((i * 4) + j) * 4 +: 4] = 4'd0;
                if (part_index_q == i[0]) strobe[((i * 4) + j) * 4 +: 4] = held_strobe_q[((i * 4) + j) * 4 +: 4];
            end
        end
    end

    assign data = held_data_q;

    // A read.
    assign reads = offers_read_q;
    assign lands = in_read_q & !read_is_lost;

    // Its parts.
    assign part = part_index_q;
    wire is_last = part_index_q == LAST_PART;
    wire steps = lands | (writes & !updates);
    assign ends = steps & is_last;

    always @(posedge clk) begin
        if (rst) begin
            {holds_read_q, holds_write_q, held_id_q, held_rank_q, held_sector_q, is_beyond_q, held_strobe_q,
              held_data_q, part_index_q, in_read_q, may_write_q, may_store_q, may_read_q, offers_read_q} <= 315'd0;
        end else begin
            holds_read_q <= holds_read_d;
            holds_write_q <= holds_write_d;
            is_beyond_q <= is_beyond_d;
            in_read_q <= in_read_d;
            may_read_q <= may_read_d;
            if (!full) begin
                held_id_q <= serve_req_id;
                held_rank_q <= serve_req_rank;
                held_sector_q <= cluster_base[8:5] + serve_req_addr[8:5];
                held_strobe_q <= serve_req_strb;
                held_data_q <= serve_req_data;
            end
            if (steps) part_index_q <= part_index_q + 1'b1;
            if (ends) part_index_q <= 1'b0;
            // reply becomes full only as serve becomes empty.
            may_write_q <= holds_write_d & !reply_stays;
            may_store_q <= holds_write_d & !reply_stays & !is_beyond_d;
            offers_read_q <= may_read_d & !(updates_shared_next & !read_is_lost);
        end
    end

    // Bits that nothing reads.
    wire unused = &{
        1'b0, serve_req_addr[4:0], cluster_base[4:0], cluster_base[9], cluster_size[3:0], reply_full, may_read_q
    };

`ifdef LSU_CONTRACTS  // What this module relies on, or promises.
    reg  contract_wrote_q;

    // There is an update in the first cycle in which serve writes, at most.
    wire contract_update = !(writes & contract_wrote_q & updates);
    wire contract_read = !read_goes | reads;  // A part is read only while it may be.
    wire contract_reply = !(may_write_q | may_read_q) | !reply_full;  // Nothing is read or written while reply is full.

    always @(posedge clk) begin
        if (rst) begin
            contract_wrote_q <= 1'b0;
        end else begin
            contract_wrote_q <= writes;
        end
    end

    reg contracts_begun;  // rst has been 1.
    initial contracts_begun = 1'b0;
    always @(posedge clk) begin
        contracts_begun <= contracts_begun | rst;
        if (contracts_begun && !rst) begin
            if (contract_update !== 1'b1) begin
                $display("contract of lsu_serve broken in %m:",
                  " There is an update in the first cycle in which serve writes, at most.");
                $stop;
            end
            if (contract_read !== 1'b1) begin
                $display("contract of lsu_serve broken in %m:",
                  " A part is read only while it may be.");
                $stop;
            end
            if (contract_reply !== 1'b1) begin
                $display("contract of lsu_serve broken in %m:",
                  " Nothing is read or written while reply is full.");
                $stop;
            end
        end
    end
`endif
endmodule

// lsu_reply: Place reply of the global path: the response to a request of another CTA.
module lsu_reply (
    input  wire         clk,  // Clock.
    input  wire         rst,  // Synchronous reset that forgets the requests of others.
    input  wire         lands,  // A part that was read comes at this edge.
    input  wire         part,  // Which.
    input  wire [255:0] word,  // The row store's output: the sector, word 0 lowest. [8 x 32 bits]
    input  wire         ends,  // The response is whole after this edge.
    input  wire [5:0]   id,  // The request's id.
    input  wire [7:0]   rank,  // Who asked.
    input  wire         error,  // The address lies beyond the window.
    output wire         full,  // reply is full.
    output wire         stays,  // What it holds stays there at this edge.

    output wire         serve_rsp_valid,  // A response is offered.
    input  wire         serve_rsp_ready,  // It is taken at this edge.
    output wire [5:0]   serve_rsp_id,  // The request's id.
    output wire [7:0]   serve_rsp_rank,  // The CTA that asked.
    output wire [255:0] serve_rsp_data,  // The sector, word 0 lowest; 0 for a write and for an error. [8 x 32 bits]
    output wire         serve_rsp_error  // The address lies beyond the window; nothing was written.
);
    reg          holds_q;
    reg  [5:0]   held_id_q;
    reg  [7:0]   held_rank_q;
    reg          held_error_q;
    reg  [255:0] held_data_q;

    wire leaves = holds_q & serve_rsp_ready;
    assign full = holds_q;
    assign stays = holds_q & !serve_rsp_ready;
    assign serve_rsp_valid = holds_q;
    assign serve_rsp_id = held_id_q;
    assign serve_rsp_rank = held_rank_q;
    assign serve_rsp_error = held_error_q;
    assign serve_rsp_data = held_data_q;

    always @(posedge clk) begin : register_logic
        integer i, j;
        if (rst) begin
            {holds_q, held_id_q, held_rank_q, held_error_q, held_data_q} <= 272'd0;
        end else begin
            if (!holds_q) begin
                holds_q <= ends;
                held_id_q <= id;
                held_rank_q <= rank;
                held_error_q <= error;
            end
            if (lands & !error) begin
                for (i = 0; i < 2; i = i + 1) begin
                    for (j = 0; j < 4; j = j + 1) begin
                        if (part == i[0]) held_data_q[((i * 4) + j) * 32 +: 32] <= word[((i * 4) + j) * 32 +: 32];
                    end
                end
            end
            if (leaves) begin
                holds_q <= 1'b0;
                for (i = 0; i < 8; i = i + 1) begin
                    held_data_q[i * 32 +: 32] <= 32'd0;
                end
            end
        end
    end

`ifdef LSU_CONTRACTS  // What this module relies on, or promises.

    wire contract_empty = !(lands | ends) | !holds_q;  // A part comes only while it is empty.

    reg contracts_begun;  // rst has been 1.
    initial contracts_begun = 1'b0;
    always @(posedge clk) begin
        contracts_begun <= contracts_begun | rst;
        if (contracts_begun && !rst) begin
            if (contract_empty !== 1'b1) begin
                $display("contract of lsu_reply broken in %m:",
                  " A part comes only while it is empty.");
                $stop;
            end
        end
    end
`endif
endmodule

// lsu_counters: Counts what happens on the global path.
module lsu_counters (
    input  wire         clk,  // Clock.
    input  wire         rst,  // Synchronous reset.
    input  wire         counts_l1,  // A looked-up load moves, not of the read-only cache.
    input  wire         counts_ro,  // One of the read-only cache moves.
    input  wire [3:0]   hits,  // Sectors that hit.
    input  wire [3:0]   misses,  // Sectors that miss.
    input  wire         issues,  // A pass leaves issue.
    input  wire         replays,  // It is not its operation's first.
    input  wire         reads,  // A read request is taken.
    input  wire         writes,  // A write request is taken.
    input  wire         stalls_order,  // tag waits for what comes before it.
    input  wire         stalls_misses,  // tag waits for a waiter, an MSHR, a way or a write-back.
    input  wire         stalls_data,  // tag waits for the next place.
    input  wire         stalls_memory,  // A memory request waits.
    output wire [383:0] counts  // The counters.
);
    reg  [2:0]  hit_count;
    reg  [2:0]  miss_count;
    wire [31:0] wavefront_counter_count;
    wire [31:0] replay_counter_count;
    wire [31:0] read_counter_count;
    wire [31:0] write_counter_count;
    wire [31:0] order_counter_count;
    wire [31:0] misses_counter_count;
    wire [31:0] data_counter_count;
    wire [31:0] memory_counter_count;
    reg         l1_looked_up_q;  // The sectors looked up in the last cycle.
    reg         ro_looked_up_q;
    reg  [3:0]  sectors_hit_q;
    reg  [3:0]  sectors_missed_q;
    reg  [31:0] l1_hits_q;  // All before them.
    reg  [31:0] l1_misses_q;
    reg  [31:0] ro_hits_q;
    reg  [31:0] ro_misses_q;

    // Sectors.
    always @(*) begin : hit_count_logic
        integer i;
        hit_count = 3'd0;
        for (i = 0; i < 4; i = i + 1) begin
            if (sectors_hit_q[i]) hit_count = hit_count + 3'd1;
        end
    end

    always @(*) begin : miss_count_logic
        integer i;
        miss_count = 3'd0;
        for (i = 0; i < 4; i = i + 1) begin
            if (sectors_missed_q[i]) miss_count = miss_count + 3'd1;
        end
    end

    wire [2:0] l1_hit_count = l1_looked_up_q ? hit_count : 3'd0;
    wire [2:0] l1_miss_count = l1_looked_up_q ? miss_count : 3'd0;
    wire [2:0] ro_hit_count = ro_looked_up_q ? hit_count : 3'd0;
    wire [2:0] ro_miss_count = ro_looked_up_q ? miss_count : 3'd0;
    wire [31:0] counts_l1_hits = l1_hits_q + {29'd0, l1_hit_count};  // Sectors that hit L1.
    wire [31:0] counts_l1_misses = l1_misses_q + {29'd0, l1_miss_count};  // Sectors that missed L1.
    wire [31:0] counts_ro_hits = ro_hits_q + {29'd0, ro_hit_count};  // Sectors that hit the read-only cache.
    wire [31:0] counts_ro_misses = ro_misses_q + {29'd0, ro_miss_count};  // Sectors that missed it.
    assign counts = {memory_counter_count, data_counter_count, misses_counter_count, order_counter_count,
      write_counter_count, read_counter_count, replay_counter_count, wavefront_counter_count, counts_ro_misses,
      counts_ro_hits, counts_l1_misses, counts_l1_hits};

    // Events.
    lsu_event_counter wavefront_counter (
        .clk     (clk),
        .rst     (rst),
        .happens (issues),
        .count   (wavefront_counter_count)
    );

    lsu_event_counter replay_counter (
        .clk     (clk),
        .rst     (rst),
        .happens (replays),
        .count   (replay_counter_count)
    );

    lsu_event_counter read_counter (
        .clk     (clk),
        .rst     (rst),
        .happens (reads),
        .count   (read_counter_count)
    );

    lsu_event_counter write_counter (
        .clk     (clk),
        .rst     (rst),
        .happens (writes),
        .count   (write_counter_count)
    );

    lsu_event_counter order_counter (
        .clk     (clk),
        .rst     (rst),
        .happens (stalls_order),
        .count   (order_counter_count)
    );

    lsu_event_counter misses_counter (
        .clk     (clk),
        .rst     (rst),
        .happens (stalls_misses),
        .count   (misses_counter_count)
    );

    lsu_event_counter data_counter (
        .clk     (clk),
        .rst     (rst),
        .happens (stalls_data),
        .count   (data_counter_count)
    );

    lsu_event_counter memory_counter (
        .clk     (clk),
        .rst     (rst),
        .happens (stalls_memory),
        .count   (memory_counter_count)
    );

    always @(posedge clk) begin
        if (rst) begin
            {l1_looked_up_q, ro_looked_up_q, sectors_hit_q, sectors_missed_q, l1_hits_q, l1_misses_q, ro_hits_q,
              ro_misses_q} <= 138'd0;
        end else begin
            l1_looked_up_q <= counts_l1;
            ro_looked_up_q <= counts_ro;
            sectors_hit_q <= hits;
            sectors_missed_q <= misses;
            l1_hits_q <= counts_l1_hits;
            l1_misses_q <= counts_l1_misses;
            ro_hits_q <= counts_ro_hits;
            ro_misses_q <= counts_ro_misses;
        end
    end
endmodule

// lsu_drain: Counts unanswered requests, and stands between the unit and both ports while answers to forgotten ones
// come.
module lsu_drain (
    input  wire clk,  // Clock.
    input  wire rst,  // Synchronous reset of everything else.
    input  wire rst_mem,  // With it: nothing is unanswered any more.
    input  wire asks,  // A request for memory is presented.
    output wire mem_req_valid,  // It is offered to the memory side.
    input  wire mem_req_ready,  // The memory side takes one at this edge.
    output wire sends,  // What is presented is taken at this edge.
    input  wire mem_rsp_valid,  // A response came.
    output wire answers,  // To a request that the unit knows.
    input  wire takes,  // The unit takes such a one at this edge.
    output wire mem_rsp_ready,  // Whatever came is taken at this edge.
    input  wire cluster_asks,  // A request for shared memory of another CTA is presented.
    output wire cluster_req_valid,  // It is offered to the cluster.
    input  wire cluster_req_ready,  // The cluster takes one at this edge.
    output wire cluster_sends,  // What is presented is taken at this edge.
    input  wire cluster_rsp_valid,  // A response came.
    output wire cluster_answers,  // To a request that the unit knows.
    input  wire cluster_takes,  // The unit takes such a one at this edge.
    output wire cluster_rsp_ready,  // Whatever came is taken at this edge.
    output wire drains  // The unit drains.
);
    wire memory_any_next;
    wire cluster_any_next;
    reg  draining_q;

    // Rule DRAIN. These registers have a reset of their own.
    wire forgets = rst & rst_mem;

    assign drains = draining_q;
    assign mem_req_valid = asks & !draining_q;
    assign sends = mem_req_ready & !draining_q;
    assign answers = mem_rsp_valid & !draining_q;
    assign mem_rsp_ready = takes | draining_q;
    assign cluster_req_valid = cluster_asks & !draining_q;
    assign cluster_sends = cluster_req_ready & !draining_q;
    assign cluster_answers = cluster_rsp_valid & !draining_q;
    assign cluster_rsp_ready = cluster_takes | draining_q;

    wire memory_asked = asks & sends;
    wire cluster_asked = cluster_asks & cluster_sends;

    lsu_memory_unanswered memory (
        .clk       (clk),
        .rst       (forgets),
        .asked     (memory_asked),
        .rsp_valid (mem_rsp_valid),
        .rsp_ready (mem_rsp_ready),
        .any_next  (memory_any_next)
    );

    lsu_cluster_unanswered cluster (
        .clk       (clk),
        .rst       (forgets),
        .asked     (cluster_asked),
        .rsp_valid (cluster_rsp_valid),
        .rsp_ready (cluster_rsp_ready),
        .any_next  (cluster_any_next)
    );

    always @(posedge clk) begin
        if (forgets) begin
            draining_q <= 1'b0;
        end else begin
            draining_q <= (draining_q | rst) & (memory_any_next | cluster_any_next);
        end
    end
endmodule

// lsu_memory_unanswered: Counts the unanswered requests of a port with COUNT ids.
module lsu_memory_unanswered (
    input  wire clk,  // Clock.
    input  wire rst,  // Synchronous reset: nothing is unanswered any more.
    input  wire asked,  // A request is taken at this edge.
    input  wire rsp_valid,  // A response came.
    input  wire rsp_ready,  // It is taken at this edge, if there is one.
    output wire any_next  // After this edge any are unanswered.
);
    reg  [3:0] count_q;

    wire answered = rsp_valid & rsp_ready;

    // A response that nobody asked for must not make a later reset wait for ever.
    // What the count becomes with a response, and without one: which of them it is, is known last.
    wire [3:0] less = (!asked & (|count_q)) ? (count_q - 4'd1) : count_q;
    wire [3:0] more = !asked ? count_q : (count_q + 4'd1);

    // Not asked of the sums, for the same reason.
    assign any_next =
        (asked & !answered) ? 1'b1 :
        (answered & !asked & (count_q == 4'd1)) ? 1'b0 :
        |count_q;

    always @(posedge clk) begin
        if (rst) begin
            count_q <= 4'd0;
        end else begin
            count_q <= more;
            if (answered) count_q <= less;
        end
    end

`ifdef LSU_CONTRACTS  // What this module relies on, or promises.

    wire contract_answer = !rsp_valid | (|count_q);  // A response comes only while a request is unanswered.
    wire contract_ids = count_q <= 4'd12;  // No more requests are unanswered than there are ids.

    reg contracts_begun;  // rst has been 1.
    initial contracts_begun = 1'b0;
    always @(posedge clk) begin
        contracts_begun <= contracts_begun | rst;
        if (contracts_begun && !rst) begin
            if (contract_answer !== 1'b1) begin
                $display("contract of lsu_memory_unanswered broken in %m:",
                  " A response comes only while a request is unanswered.");
                $stop;
            end
            if (contract_ids !== 1'b1) begin
                $display("contract of lsu_memory_unanswered broken in %m:",
                  " No more requests are unanswered than there are ids.");
                $stop;
            end
        end
    end
`endif
endmodule

// lsu_cluster_unanswered: Counts the unanswered requests of a port with COUNT ids.
module lsu_cluster_unanswered (
    input  wire clk,  // Clock.
    input  wire rst,  // Synchronous reset: nothing is unanswered any more.
    input  wire asked,  // A request is taken at this edge.
    input  wire rsp_valid,  // A response came.
    input  wire rsp_ready,  // It is taken at this edge, if there is one.
    output wire any_next  // After this edge any are unanswered.
);
    reg  [3:0] count_q;

    wire answered = rsp_valid & rsp_ready;

    // A response that nobody asked for must not make a later reset wait for ever.
    // What the count becomes with a response, and without one: which of them it is, is known last.
    wire [3:0] less = (!asked & (|count_q)) ? (count_q - 4'd1) : count_q;
    wire [3:0] more = !asked ? count_q : (count_q + 4'd1);

    // Not asked of the sums, for the same reason.
    assign any_next =
        (asked & !answered) ? 1'b1 :
        (answered & !asked & (count_q == 4'd1)) ? 1'b0 :
        |count_q;

    always @(posedge clk) begin
        if (rst) begin
            count_q <= 4'd0;
        end else begin
            count_q <= more;
            if (answered) count_q <= less;
        end
    end

`ifdef LSU_CONTRACTS  // What this module relies on, or promises.

    wire contract_answer = !rsp_valid | (|count_q);  // A response comes only while a request is unanswered.
    wire contract_ids = count_q <= 4'd8;  // No more requests are unanswered than there are ids.

    reg contracts_begun;  // rst has been 1.
    initial contracts_begun = 1'b0;
    always @(posedge clk) begin
        contracts_begun <= contracts_begun | rst;
        if (contracts_begun && !rst) begin
            if (contract_answer !== 1'b1) begin
                $display("contract of lsu_cluster_unanswered broken in %m:",
                  " A response comes only while a request is unanswered.");
                $stop;
            end
            if (contract_ids !== 1'b1) begin
                $display("contract of lsu_cluster_unanswered broken in %m:",
                  " No more requests are unanswered than there are ids.");
                $stop;
            end
        end
    end
`endif
endmodule
