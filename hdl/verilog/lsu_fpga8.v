/* verilator lint_off DECLFILENAME */
// lsu: The load/store unit of one multiprocessor.
module lsu (
    input  wire         clk,  // Clock.
    input  wire         rst,  // Synchronous, active high.
    input  wire         req_valid,  // From the warp scheduler: an operation is offered.
    output wire         req_ready,  // It is taken at this edge.
    input  wire [7:0]   req_tag,  // Names the operation on wb, fault and done; not reused while it is in flight.
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
    input  wire [7:0]   req_mask,  // Active lanes.
    input  wire [255:0] req_addr,  // Register operand of each lane. [8 x 32 bits]
    input  wire [31:0]  req_imm,  // Signed immediate; LDC uses the low 16 bits.
    input  wire [4:0]   req_bank,  // LDC: bank named by the instruction.
    input  wire [1:0]   req_mode,  // LDC: 0 IA, 1 IL, 2 IS, 3 ISL.
    input  wire         req_ra_is_rz,  // LDC: no register operand.
    input  wire         wdata_valid,  // Store data is offered.
    output wire         wdata_ready,  // It is taken at this edge.
    input  wire [255:0] wdata_data,  // Store data of each lane. [8 x 32 bits]
    output wire         wb_valid,  // To the register file: one register of a warp is offered; held until wb_ready.
    input  wire         wb_ready,  // It is taken at this edge.
    output wire [7:0]   wb_tag,  // Its operation.
    output wire [7:0]   wb_rd,  // The register.
    output wire [7:0]   wb_mask,  // Lanes written.
    output reg  [255:0] wb_data,  // Values; 0 in lanes that are not written. [8 x 32 bits]
    output wire         wb_last,  // Ends the operation.
    output wire         fault_valid,  // A fault record is offered; held until fault_ready.
    input  wire         fault_ready,  // It is taken at this edge.
    output wire [7:0]   fault_tag,  // Its operation.
    // 1 misaligned_register, 2 illegal_instruction, 3 misaligned_address, 4 address_out_of_range, 5 memory_error.
    output wire [2:0]   fault_cause,
    output wire [7:0]   fault_lanes,  // Every faulting lane.
    output wire [31:0]  fault_addr,  // Address of the lowest faulting lane.
    output wire         done_valid,  // A store or command has taken effect; held until done_ready.
    input  wire         done_ready,  // It is taken at this edge.
    output wire [7:0]   done_tag,  // Its tag.
    output wire         mem_req_valid,  // Memory side: a 32-byte sector request is offered; held until mem_req_ready.
    input  wire         mem_req_ready,  // It is taken at this edge.
    output wire [5:0]   mem_req_id,  // Returned with the response.
    output wire         mem_req_write,  // Write instead of read.
    output wire [31:0]  mem_req_addr,  // Sector-aligned byte address.
    output wire [31:0]  mem_req_strb,  // Bytes written, or asked for.
    output wire [255:0] mem_req_data,  // Write data, word 0 lowest. [8 x 32 bits]
    output wire [1:0]   mem_req_l2_evict,  // L2 eviction priority.
    output wire         mem_req_policy_en,  // The policy counts.
    output wire [63:0]  mem_req_policy,  // L2 cache policy.
    output wire [1:0]   mem_req_prefetch,  // Prefetch size.
    output wire [2:0]   mem_req_cop,  // Cache operator.
    output wire [2:0]   mem_req_sem,  // Memory semantics.
    output wire [1:0]   mem_req_scope,  // Scope.
    input  wire         mem_rsp_valid,  // Memory side: a sector came back, in any order, after any delay.
    output wire         mem_rsp_ready,  // It is taken at this edge.
    input  wire [5:0]   mem_rsp_id,  // The request's id.
    input  wire [255:0] mem_rsp_data,  // The sector, word 0 lowest. [8 x 32 bits]
    input  wire         mem_rsp_error,  // The access failed; the data means nothing.
    // Cluster network: a 32-byte sector request is offered; held until cluster_req_ready.
    output wire         cluster_req_valid,
    input  wire         cluster_req_ready,  // It is taken at this edge.
    output wire [5:0]   cluster_req_id,  // Returned with the response.
    output wire         cluster_req_write,  // Write instead of read.
    output wire [31:0]  cluster_req_addr,  // Sector-aligned byte address.
    output wire [31:0]  cluster_req_strb,  // Bytes written, or asked for.
    output wire [255:0] cluster_req_data,  // Write data, word 0 lowest. [8 x 32 bits]
    output wire [1:0]   cluster_req_l2_evict,  // L2 eviction priority.
    output wire         cluster_req_policy_en,  // The policy counts.
    output wire [63:0]  cluster_req_policy,  // L2 cache policy.
    output wire [1:0]   cluster_req_prefetch,  // Prefetch size.
    output wire [2:0]   cluster_req_cop,  // Cache operator.
    output wire [2:0]   cluster_req_sem,  // Memory semantics.
    output wire [1:0]   cluster_req_scope,  // Scope.
    output wire [7:0]   cluster_req_rank,  // CTA rank that owns the address.
    input  wire         cluster_rsp_valid,  // Cluster network: a sector came back, in any order, after any delay.
    output wire         cluster_rsp_ready,  // It is taken at this edge.
    input  wire [5:0]   cluster_rsp_id,  // The request's id.
    input  wire [255:0] cluster_rsp_data,  // The sector, word 0 lowest. [8 x 32 bits]
    input  wire         cluster_rsp_error,  // The access failed; the data means nothing.
    // Writes one entry of the constant-bank table; only while no operation is in flight.
    input  wire         cfg_bank_write,
    input  wire [4:0]   cfg_bank_index,  // Entry, 0 to 17.
    input  wire [31:0]  cfg_bank_base,  // Byte address of the bank in memory, a multiple of 64.
    input  wire [16:0]  cfg_bank_size,  // Bytes, a multiple of 16, at most 65,536.
    input  wire         cfg_bank_valid,  // The entry may be used.
    input  wire         cfg_compute,  // 1 compute mode (8 banks), 0 graphics mode (18 banks).
    input  wire [31:0]  cfg_shared_base,  // Generic window of shared memory: first byte.
    input  wire [31:0]  cfg_shared_size,  // Its bytes.
    input  wire [31:0]  cfg_local_base,  // Generic window of local memory: first byte.
    input  wire [31:0]  cfg_local_size,  // Its bytes.
    input  wire [31:0]  cfg_const_base,  // Generic window of constant memory: first byte.
    input  wire [31:0]  cfg_const_size,  // Its bytes.
    input  wire [31:0]  cfg_param_base,  // Generic window of kernel parameters: first byte.
    input  wire [31:0]  cfg_param_size,  // Its bytes.
    input  wire [15:0]  cfg_param_offset,  // Where kernel parameters begin in bank 0.
    input  wire [7:0]   cfg_rank,  // Own CTA rank in the cluster.
    output wire         status_ldc_unpredictable,  // Sticky: a lane used bank 8 or more in compute mode.
    output wire         status_cfg_refused,  // Sticky: a bank-table write was refused.
    output wire [31:0]  status_ldc_passes,  // Passes issued; wraps.
    output wire [31:0]  status_ldc_hits,  // Passes that hit; wraps.
    output wire [31:0]  status_ldc_misses  // Passes that missed; wraps.
);
    wire         intake_req_ready;
    wire [15:0]  intake_req_imm;
    wire         intake_valid;
    wire [7:0]   intake_tag;
    wire         intake_is_command;
    wire [1:0]   intake_cmd;
    wire [2:0]   intake_cause;
    wire [7:0]   intake_fault_lanes;
    wire [2:0]   intake_size;
    wire         intake_sign;
    wire [7:0]   intake_rd;
    wire [7:0]   intake_grouped;
    wire [7:0]   intake_ride;
    wire         intake_unpredictable;
    wire [255:0] intake_address;
    wire [39:0]  intake_bank;
    wire         groups_in_ready;
    wire         groups_valid;
    wire [7:0]   groups_tag;
    wire         groups_is_command;
    wire [1:0]   groups_cmd;
    wire [2:0]   groups_cause;
    wire [7:0]   groups_fault_lanes;
    wire [2:0]   groups_size;
    wire         groups_sign;
    wire [7:0]   groups_rd;
    wire [7:0]   groups_grouped;
    wire [7:0]   groups_leaders;
    wire [7:0]   groups_ride;
    wire [255:0] groups_address;
    wire [39:0]  groups_bank;
    wire         groups_unpredictable;
    wire         cache_in_ready;
    wire         cache_cfg_refused;
    wire         cache_mem_req_valid;
    wire [5:0]   cache_mem_req_id;
    wire [31:0]  cache_mem_req_addr;
    wire         cache_mem_rsp_ready;
    wire         cache_wb_valid;
    wire [7:0]   cache_wb_tag;
    wire [7:0]   cache_wb_rd;
    wire [7:0]   cache_wb_mask;
    wire [255:0] cache_wb_data;
    wire         cache_wb_last;
    wire         cache_fault_valid;
    wire [7:0]   cache_fault_tag;
    wire [2:0]   cache_fault_cause;
    wire [7:0]   cache_fault_lanes;
    wire [31:0]  cache_fault_addr;
    wire         cache_done_valid;
    wire [7:0]   cache_done_tag;
    wire [31:0]  cache_passes;
    wire [31:0]  cache_hits;
    wire [31:0]  cache_misses;
    wire         sticky_value;

    assign intake_req_imm = req_imm[15:0];

    assign req_ready = intake_req_ready;

    assign wb_valid = cache_wb_valid;

    assign wb_tag = cache_wb_tag;

    assign wb_rd = cache_wb_rd;

    assign wb_mask = cache_wb_mask;

    assign wb_last = cache_wb_last;

    assign fault_valid = cache_fault_valid;

    assign fault_tag = cache_fault_tag;

    assign fault_cause = cache_fault_cause;

    assign fault_lanes = cache_fault_lanes;

    assign fault_addr = cache_fault_addr;

    assign done_valid = cache_done_valid;

    assign done_tag = cache_done_tag;

    always @(*) begin : wb_data_logic
        integer i;
        for (i = 0; i < 8; i = i + 1) begin
            wb_data[i * 32 +: 32] = cache_wb_data[i * 32 +: 32];
        end
    end

    assign mem_req_valid = cache_mem_req_valid;

    assign mem_req_id = cache_mem_req_id;

    assign mem_req_addr = cache_mem_req_addr;

    assign mem_req_strb = 32'hffffffff;

    assign mem_rsp_ready = cache_mem_rsp_ready;

    assign mem_req_data = 256'd0;

    assign cluster_req_data = 256'd0;

    assign mem_req_write = 1'b0;

    assign mem_req_l2_evict = 2'd0;

    assign mem_req_policy_en = 1'b0;

    assign mem_req_policy = 64'd0;

    assign mem_req_prefetch = 2'd0;

    assign mem_req_cop = 3'd0;

    assign mem_req_sem = 3'd0;

    assign mem_req_scope = 2'd0;

    assign wdata_ready = 1'b0;

    assign cluster_req_valid = 1'b0;

    assign cluster_req_id = 6'd0;

    assign cluster_req_write = 1'b0;

    assign cluster_req_addr = 32'd0;

    assign cluster_req_strb = 32'd0;

    assign cluster_req_l2_evict = 2'd0;

    assign cluster_req_policy_en = 1'b0;

    assign cluster_req_policy = 64'd0;

    assign cluster_req_prefetch = 2'd0;

    assign cluster_req_cop = 3'd0;

    assign cluster_req_sem = 3'd0;

    assign cluster_req_scope = 2'd0;

    assign cluster_req_rank = 8'd0;

    assign cluster_rsp_ready = 1'b0;

    assign status_ldc_unpredictable = sticky_value;

    assign status_cfg_refused = cache_cfg_refused;

    assign status_ldc_passes = cache_passes;

    assign status_ldc_hits = cache_hits;

    assign status_ldc_misses = cache_misses;

    intake intake (
        .clock         (clk),
        .reset         (rst),
        .req_valid     (req_valid),
        .req_ready     (intake_req_ready),
        .req_tag       (req_tag),
        .req_op        (req_op),
        .req_cmd       (req_cmd),
        .req_size      (req_size),
        .req_sign      (req_sign),
        .req_rd        (req_rd),
        .req_mask      (req_mask),
        .req_addr      (req_addr),
        .req_imm       (intake_req_imm),
        .req_bank      (req_bank),
        .req_mode      (req_mode),
        .req_ra_is_rz  (req_ra_is_rz),
        .compute       (cfg_compute),
        .valid         (intake_valid),
        .next_ready    (groups_in_ready),
        .tag           (intake_tag),
        .is_command    (intake_is_command),
        .cmd           (intake_cmd),
        .cause         (intake_cause),
        .fault_lanes   (intake_fault_lanes),
        .size          (intake_size),
        .sign          (intake_sign),
        .rd            (intake_rd),
        .grouped       (intake_grouped),
        .ride          (intake_ride),
        .unpredictable (intake_unpredictable),
        .address       (intake_address),
        .bank          (intake_bank)
    );

    lane_groups groups (
        .clock            (clk),
        .reset            (rst),
        .in_valid         (intake_valid),
        .in_ready         (groups_in_ready),
        .in_tag           (intake_tag),
        .in_is_command    (intake_is_command),
        .in_cmd           (intake_cmd),
        .in_cause         (intake_cause),
        .in_fault_lanes   (intake_fault_lanes),
        .in_size          (intake_size),
        .in_sign          (intake_sign),
        .in_rd            (intake_rd),
        .in_grouped       (intake_grouped),
        .in_ride          (intake_ride),
        .in_unpredictable (intake_unpredictable),
        .in_address       (intake_address),
        .in_bank          (intake_bank),
        .valid            (groups_valid),
        .next_ready       (cache_in_ready),
        .tag              (groups_tag),
        .is_command       (groups_is_command),
        .cmd              (groups_cmd),
        .cause            (groups_cause),
        .fault_lanes      (groups_fault_lanes),
        .size             (groups_size),
        .sign             (groups_sign),
        .rd               (groups_rd),
        .grouped          (groups_grouped),
        .leaders          (groups_leaders),
        .ride             (groups_ride),
        .address          (groups_address),
        .bank             (groups_bank),
        .unpredictable    (groups_unpredictable)
    );

    constant_cache cache (
        .clock          (clk),
        .reset          (rst),
        .in_valid       (groups_valid),
        .in_ready       (cache_in_ready),
        .in_tag         (groups_tag),
        .in_is_command  (groups_is_command),
        .in_cmd         (groups_cmd),
        .in_cause       (groups_cause),
        .in_fault_lanes (groups_fault_lanes),
        .in_size        (groups_size),
        .in_sign        (groups_sign),
        .in_rd          (groups_rd),
        .in_grouped     (groups_grouped),
        .in_leaders     (groups_leaders),
        .in_ride        (groups_ride),
        .in_address     (groups_address),
        .in_bank        (groups_bank),
        .cfg_bank_write (cfg_bank_write),
        .cfg_bank_index (cfg_bank_index),
        .cfg_bank_base  (cfg_bank_base),
        .cfg_bank_size  (cfg_bank_size),
        .cfg_bank_valid (cfg_bank_valid),
        .cfg_refused    (cache_cfg_refused),
        .mem_req_valid  (cache_mem_req_valid),
        .mem_req_ready  (mem_req_ready),
        .mem_req_id     (cache_mem_req_id),
        .mem_req_addr   (cache_mem_req_addr),
        .mem_rsp_valid  (mem_rsp_valid),
        .mem_rsp_ready  (cache_mem_rsp_ready),
        .mem_rsp_id     (mem_rsp_id),
        .mem_rsp_data   (mem_rsp_data),
        .mem_rsp_error  (mem_rsp_error),
        .wb_valid       (cache_wb_valid),
        .wb_ready       (wb_ready),
        .wb_tag         (cache_wb_tag),
        .wb_rd          (cache_wb_rd),
        .wb_mask        (cache_wb_mask),
        .wb_data        (cache_wb_data),
        .wb_last        (cache_wb_last),
        .fault_valid    (cache_fault_valid),
        .fault_ready    (fault_ready),
        .fault_tag      (cache_fault_tag),
        .fault_cause    (cache_fault_cause),
        .fault_lanes    (cache_fault_lanes),
        .fault_addr     (cache_fault_addr),
        .done_valid     (cache_done_valid),
        .done_ready     (done_ready),
        .done_tag       (cache_done_tag),
        .passes         (cache_passes),
        .hits           (cache_hits),
        .misses         (cache_misses)
    );

    sticky sticky (
        .clock (clk),
        .reset (rst),
        .set   (groups_unpredictable),
        .value (sticky_value)
    );

    // Bits that nothing reads.
    wire unused = &{
        1'b0, req_space, req_sem, req_scope, req_cop, req_l1_evict, req_l2_evict, req_prefetch, req_policy_en,
        req_policy, req_nc, req_vec, req_sink, req_dst_width, req_imm[31:16], wdata_valid, wdata_data,
        cluster_req_ready, cluster_rsp_valid, cluster_rsp_id, cluster_rsp_data, cluster_rsp_error, cfg_shared_base,
        cfg_shared_size, cfg_local_base, cfg_local_size, cfg_const_base, cfg_const_size, cfg_param_base, cfg_param_size,
        cfg_param_offset, cfg_rank
    };
endmodule

// intake: Place I and the operation's checks.
module intake (
    input  wire         clock,  // Clock.
    input  wire         reset,  // Synchronous reset.
    input  wire         req_valid,  // An operation is offered.
    output wire         req_ready,  // It is taken at this edge.
    input  wire [7:0]   req_tag,  // Names the operation.
    input  wire [1:0]   req_op,  // 0 load, 1 store, 2 ldc, 3 command.
    input  wire [1:0]   req_cmd,  // Which command.
    input  wire [2:0]   req_size,  // log2 of the access size in bytes; 5 to 7 are no size.
    input  wire         req_sign,  // Sign-extend.
    input  wire [7:0]   req_rd,  // Destination register, 255 is RZ.
    input  wire [7:0]   req_mask,  // Active lanes.
    input  wire [255:0] req_addr,  // Register operand of each lane; LDC uses the low 32 bits. [8 x 32 bits]
    input  wire [15:0]  req_imm,  // Immediate; LDC uses the low 16 bits.
    input  wire [4:0]   req_bank,  // Bank named by the instruction.
    input  wire [1:0]   req_mode,  // 0 IA, 1 IL, 2 IS, 3 ISL.
    input  wire         req_ra_is_rz,  // No register operand.
    input  wire         compute,  // Compute mode; static while operations are in flight.
    output wire         valid,  // An addressed operation is offered.
    input  wire         next_ready,  // It is taken at this edge.
    output wire [7:0]   tag,  // Names the operation.
    output wire         is_command,  // The operation is a command.
    output wire [1:0]   cmd,  // Which command.
    output reg  [2:0]   cause,  // Fault cause, 0 for none.
    output reg  [7:0]   fault_lanes,  // Lanes the fault names.
    output wire [2:0]   size,  // log2 of the access size in bytes.
    output wire         sign,  // Sign-extend.
    output wire [7:0]   rd,  // Destination register.
    output reg  [7:0]   grouped,  // Lanes that need a line.
    output reg  [7:0]   ride,  // Lanes that get 0 with the first pass.
    output wire         unpredictable,  // An active lane uses bank 8 or more in compute mode.
    output reg  [255:0] address,  // Byte address of each lane inside its bank. [8 x 32 bits]
    output reg  [39:0]  bank  // Bank of each lane; means nothing where the lane is unsupported. [8 x 5 bits]
);
    reg  [3:0]   align_mask;
    reg  [7:0]   misaligned;
    reg  [7:0]   unsupported;
    reg  [7:0]   upper_bank;
    reg          register_misaligned;
    wire         is_ldc;
    wire         writes;
    reg          full_d;
    reg          full_q;
    reg  [7:0]   tag_held_d;
    reg  [7:0]   tag_held_q;
    reg  [1:0]   op_d;
    reg  [1:0]   op_q;
    reg  [1:0]   cmd_held_d;
    reg  [1:0]   cmd_held_q;
    reg  [2:0]   size_held_d;
    reg  [2:0]   size_held_q;
    reg          sign_held_d;
    reg          sign_held_q;
    reg  [7:0]   rd_held_d;
    reg  [7:0]   rd_held_q;
    reg  [7:0]   mask_d;
    reg  [7:0]   mask_q;
    reg  [255:0] ra_d;
    reg  [255:0] ra_q;
    reg  [15:0]  imm_d;
    reg  [15:0]  imm_q;
    reg  [4:0]   bank_held_d;
    reg  [4:0]   bank_held_q;
    reg  [1:0]   mode_d;
    reg  [1:0]   mode_q;
    reg          ra_is_rz_d;
    reg          ra_is_rz_q;
    wire [255:0] lane_address;
    wire [39:0]  lane_bank_low;
    wire [7:0]   lane_unsupported;
    wire [7:0]   lane_upper_bank;

    always @(*) begin
        full_d = full_q;
        if (req_ready) begin
            full_d = req_valid;
        end
    end

    always @(*) begin
        tag_held_d = tag_held_q;
        if (req_ready) begin
            tag_held_d = req_tag;
        end
    end

    always @(*) begin
        op_d = op_q;
        if (req_ready) begin
            op_d = req_op;
        end
    end

    always @(*) begin
        cmd_held_d = cmd_held_q;
        if (req_ready) begin
            cmd_held_d = req_cmd;
        end
    end

    always @(*) begin
        size_held_d = size_held_q;
        if (req_ready) begin
            size_held_d = req_size;
        end
    end

    always @(*) begin
        sign_held_d = sign_held_q;
        if (req_ready) begin
            sign_held_d = req_sign;
        end
    end

    always @(*) begin
        rd_held_d = rd_held_q;
        if (req_ready) begin
            rd_held_d = req_rd;
        end
    end

    always @(*) begin
        mask_d = mask_q;
        if (req_ready) begin
            mask_d = req_mask;
        end
    end

    always @(*) begin : ra_d_logic
        integer i;
        i = 0;
        ra_d = ra_q;
        if (req_ready) begin
            for (i = 0; i < 8; i = i + 1) begin
                ra_d[i * 32 +: 32] = req_addr[i * 32 +: 32];
            end
        end
    end

    always @(*) begin
        imm_d = imm_q;
        if (req_ready) begin
            imm_d = req_imm;
        end
    end

    always @(*) begin
        bank_held_d = bank_held_q;
        if (req_ready) begin
            bank_held_d = req_bank;
        end
    end

    always @(*) begin
        mode_d = mode_q;
        if (req_ready) begin
            mode_d = req_mode;
        end
    end

    always @(*) begin
        ra_is_rz_d = ra_is_rz_q;
        if (req_ready) begin
            ra_is_rz_d = req_ra_is_rz;
        end
    end

    assign req_ready = !full_q | next_ready;

    assign valid = full_q;

    assign tag = tag_held_q;

    assign cmd = cmd_held_q;

    assign size = size_held_q;

    assign sign = sign_held_q;

    assign rd = rd_held_q;

    assign is_command = op_q == 2'd3;

    assign is_ldc = op_q == 2'd2;

    always @(*) begin
        align_mask = 4'd15;
        if (size_held_q == 3'd0) begin
            align_mask = 4'd0;
        end
        if (size_held_q == 3'd1) begin
            align_mask = 4'd1;
        end
        if (size_held_q == 3'd2) begin
            align_mask = 4'd3;
        end
        if (size_held_q == 3'd3) begin
            align_mask = 4'd7;
        end
    end

    always @(*) begin : misaligned_logic
        integer i;
        for (i = 0; i < 8; i = i + 1) begin
            misaligned[i] = |(lane_address[i * 32 +: 4] & align_mask);
        end
    end

    always @(*) begin : unsupported_logic
        integer i;
        for (i = 0; i < 8; i = i + 1) begin
            unsupported[i] = lane_unsupported[i];
        end
    end

    always @(*) begin : upper_bank_logic
        integer i;
        for (i = 0; i < 8; i = i + 1) begin
            upper_bank[i] = lane_upper_bank[i];
        end
    end

    always @(*) begin : address_logic
        integer i;
        for (i = 0; i < 8; i = i + 1) begin
            address[i * 32 +: 32] = lane_address[i * 32 +: 32];
        end
    end

    always @(*) begin : bank_logic
        integer i;
        for (i = 0; i < 8; i = i + 1) begin
            bank[i * 5 +: 5] = lane_bank_low[i * 5 +: 5];
        end
    end

    always @(*) begin
        register_misaligned = 1'b0;
        if (rd_held_q != 8'hff) begin
            if (size_held_q == 3'd3) begin
                register_misaligned = rd_held_q[0] | (rd_held_q == 8'hfe);
            end
            if (size_held_q == 3'd4) begin
                register_misaligned = (|rd_held_q[1:0]) | (rd_held_q > 8'hfb);
            end
        end
    end

    always @(*) begin
        cause = 3'd0;
        if ((|mask_q) & !is_command) begin
            if (is_ldc & register_misaligned) begin
                cause = 3'd1;
            end else if (!is_ldc | (size_held_q > 3'd4)) begin
                cause = 3'd2;
            end else if (|(misaligned & mask_q)) begin
                cause = 3'd3;
            end
        end
    end

    always @(*) begin
        fault_lanes = mask_q;
        if ((|mask_q) & !is_command) begin
            if (!(is_ldc & register_misaligned)) begin
                if (!(!is_ldc | (size_held_q > 3'd4))) begin
                    if (|(misaligned & mask_q)) begin
                        fault_lanes = misaligned & mask_q;
                    end
                end
            end
        end
    end

    assign writes = (rd_held_q != 8'hff) & !is_command;

    always @(*) begin
        grouped = 8'd0;
        if (writes) begin
            grouped = mask_q & ~unsupported;
        end
    end

    always @(*) begin
        ride = 8'd0;
        if (writes) begin
            ride = mask_q & unsupported;
        end
    end

    assign unpredictable = compute & is_ldc & (cause == 3'd0) & (|(mask_q & upper_bank));

    genvar index;
    generate
        for (index = 0; index < 8; index = index + 1) begin : lane
            ldc_address unit (
                .ra          (ra_q[index * 32 +: 32]),
                .ra_is_rz    (ra_is_rz_q),
                .imm         (imm_q),
                .bank        (bank_held_q),
                .mode        (mode_q),
                .compute     (compute),
                .address     (lane_address[index * 32 +: 32]),
                .bank_low    (lane_bank_low[index * 5 +: 5]),
                .unsupported (lane_unsupported[index]),
                .upper_bank  (lane_upper_bank[index])
            );
        end
    endgenerate

    always @(posedge clock) begin
        if (reset) begin
            full_q <= 1'b0;
            tag_held_q <= 8'd0;
            op_q <= 2'd0;
            cmd_held_q <= 2'd0;
            size_held_q <= 3'd0;
            sign_held_q <= 1'b0;
            rd_held_q <= 8'd0;
            mask_q <= 8'd0;
            ra_q <= 256'd0;
            imm_q <= 16'd0;
            bank_held_q <= 5'd0;
            mode_q <= 2'd0;
            ra_is_rz_q <= 1'b0;
        end else begin
            full_q <= full_d;
            tag_held_q <= tag_held_d;
            op_q <= op_d;
            cmd_held_q <= cmd_held_d;
            size_held_q <= size_held_d;
            sign_held_q <= sign_held_d;
            rd_held_q <= rd_held_d;
            mask_q <= mask_d;
            ra_q <= ra_d;
            imm_q <= imm_d;
            bank_held_q <= bank_held_d;
            mode_q <= mode_d;
            ra_is_rz_q <= ra_is_rz_d;
        end
    end
endmodule

// ldc_address: Bank and byte address of one lane.
module ldc_address (
    input  wire [31:0] ra,  // Register operand, an unsigned byte address.
    input  wire        ra_is_rz,  // No register operand: imm is an unsigned 16-bit address (LDC-1).
    input  wire [15:0] imm,  // Immediate, signed unless ra_is_rz.
    input  wire [4:0]  bank,  // Bank named by the instruction.
    input  wire [1:0]  mode,  // 0 IA, 1 IL, 2 IS, 3 ISL.
    input  wire        compute,  // Compute mode: 8 banks exist; else graphics mode: 18.
    output reg  [31:0] address,  // Byte address inside the bank; all 32 bits count.
    output wire [4:0]  bank_low,  // Low bits of the bank sum; the bank itself while unsupported is low.
    output wire        unsupported,  // The result is 0 whatever the bank table says (LDC-3, LDC-5, LDC-6, LDC-7).
    output wire        upper_bank  // Bank 8 or more, which the source calls unpredictable in compute mode (LDC-7).
);
    wire        segmented;
    reg  [31:0] base;
    reg  [31:0] segment;
    reg  [31:0] offset;
    wire [31:0] sum;
    wire [16:0] bank_sum;

    always @(*) begin
        offset = {16'd0, imm};
        if (imm[15] & !ra_is_rz) begin
            offset = {16'd0, imm} | 32'hffff0000;
        end
    end

    assign segmented = mode[1];

    always @(*) begin
        base = ra;
        if (segmented) begin
            base = ra & 32'hffff;
        end
        if (ra_is_rz) begin
            base = 32'd0;
        end
    end

    assign sum = base + offset;

    always @(*) begin
        address = sum;
        if (mode == 2'd1) begin
            address = sum & 32'hffff;
        end
    end

    always @(*) begin
        segment = 32'd0;
        if (mode == 2'd1) begin
            segment = {16'd0, sum[31:16]};
        end
        if (segmented) begin
            if (!ra_is_rz) begin
                segment = {16'd0, ra[31:16]};
            end
        end
    end

    assign bank_sum = {12'd0, bank} + segment[16:0];

    assign bank_low = bank_sum[4:0];

    assign upper_bank = bank_sum > 17'd7;

    assign unsupported = (bank_sum > 17'd17) | (compute & (bank_sum > 17'd7)) | ((mode == 2'd3) & (bank_sum > 17'd13)) |
      (address > 32'hffff);

    // Bits that nothing reads.
    wire unused = &{
        1'b0, segment[31:17]
    };
endmodule

// lane_groups: Place A and the comparison of lanes.
module lane_groups (
    input  wire         clock,  // Clock.
    input  wire         reset,  // Synchronous reset.
    input  wire         in_valid,  // An addressed operation is offered.
    output wire         in_ready,  // It is taken at this edge.
    input  wire [7:0]   in_tag,  // Names the operation.
    input  wire         in_is_command,  // The operation is a command.
    input  wire [1:0]   in_cmd,  // Which command.
    input  wire [2:0]   in_cause,  // Fault cause, 0 for none.
    input  wire [7:0]   in_fault_lanes,  // Lanes the fault names.
    input  wire [2:0]   in_size,  // log2 of the access size in bytes.
    input  wire         in_sign,  // Sign-extend.
    input  wire [7:0]   in_rd,  // Destination register.
    input  wire [7:0]   in_grouped,  // Lanes that need a line.
    input  wire [7:0]   in_ride,  // Lanes that get 0 with the first pass.
    input  wire         in_unpredictable,  // An active lane uses bank 8 or more in compute mode.
    input  wire [255:0] in_address,  // Byte address of each lane. [8 x 32 bits]
    input  wire [39:0]  in_bank,  // Bank of each lane. [8 x 5 bits]
    output wire         valid,  // A grouped operation is offered.
    input  wire         next_ready,  // It is taken at this edge.
    output wire [7:0]   tag,  // Names the operation.
    output wire         is_command,  // The operation is a command.
    output wire [1:0]   cmd,  // Which command.
    output wire [2:0]   cause,  // Fault cause, 0 for none.
    output wire [7:0]   fault_lanes,  // Lanes the fault names.
    output wire [2:0]   size,  // log2 of the access size in bytes.
    output wire         sign,  // Sign-extend.
    output wire [7:0]   rd,  // Destination register.
    output wire [7:0]   grouped,  // Lanes that need a line.
    output wire [7:0]   leaders,  // The lowest lane of each group.
    output wire [7:0]   ride,  // Lanes that get 0 with the first pass.
    output reg  [255:0] address,  // Byte address of each lane. [8 x 32 bits]
    output reg  [39:0]  bank,  // Bank of each lane. [8 x 5 bits]
    // Sets the sticky status bit: the operation moves on and is unpredictable (LDC-7).
    output wire         unpredictable
);
    reg  [7:0]   followers;
    reg          full_d;
    reg          full_q;
    reg  [7:0]   tag_held_d;
    reg  [7:0]   tag_held_q;
    reg          is_command_held_d;
    reg          is_command_held_q;
    reg  [1:0]   cmd_held_d;
    reg  [1:0]   cmd_held_q;
    reg  [2:0]   cause_held_d;
    reg  [2:0]   cause_held_q;
    reg  [7:0]   fault_lanes_held_d;
    reg  [7:0]   fault_lanes_held_q;
    reg  [2:0]   size_held_d;
    reg  [2:0]   size_held_q;
    reg          sign_held_d;
    reg          sign_held_q;
    reg  [7:0]   rd_held_d;
    reg  [7:0]   rd_held_q;
    reg  [7:0]   grouped_held_d;
    reg  [7:0]   grouped_held_q;
    reg  [7:0]   ride_held_d;
    reg  [7:0]   ride_held_q;
    reg          unpredictable_held_d;
    reg          unpredictable_held_q;
    reg  [255:0] address_held_d;
    reg  [255:0] address_held_q;
    reg  [39:0]  bank_held_d;
    reg  [39:0]  bank_held_q;

    always @(*) begin
        full_d = full_q;
        if (in_ready) begin
            full_d = in_valid;
        end
    end

    always @(*) begin
        tag_held_d = tag_held_q;
        if (in_ready) begin
            tag_held_d = in_tag;
        end
    end

    always @(*) begin
        is_command_held_d = is_command_held_q;
        if (in_ready) begin
            is_command_held_d = in_is_command;
        end
    end

    always @(*) begin
        cmd_held_d = cmd_held_q;
        if (in_ready) begin
            cmd_held_d = in_cmd;
        end
    end

    always @(*) begin
        cause_held_d = cause_held_q;
        if (in_ready) begin
            cause_held_d = in_cause;
        end
    end

    always @(*) begin
        fault_lanes_held_d = fault_lanes_held_q;
        if (in_ready) begin
            fault_lanes_held_d = in_fault_lanes;
        end
    end

    always @(*) begin
        size_held_d = size_held_q;
        if (in_ready) begin
            size_held_d = in_size;
        end
    end

    always @(*) begin
        sign_held_d = sign_held_q;
        if (in_ready) begin
            sign_held_d = in_sign;
        end
    end

    always @(*) begin
        rd_held_d = rd_held_q;
        if (in_ready) begin
            rd_held_d = in_rd;
        end
    end

    always @(*) begin
        grouped_held_d = grouped_held_q;
        if (in_ready) begin
            grouped_held_d = in_grouped;
        end
    end

    always @(*) begin
        ride_held_d = ride_held_q;
        if (in_ready) begin
            ride_held_d = in_ride;
        end
    end

    always @(*) begin
        unpredictable_held_d = unpredictable_held_q;
        if (in_ready) begin
            unpredictable_held_d = in_unpredictable;
        end
    end

    always @(*) begin : address_held_d_logic
        integer i;
        i = 0;
        address_held_d = address_held_q;
        if (in_ready) begin
            for (i = 0; i < 8; i = i + 1) begin
                address_held_d[i * 32 +: 32] = in_address[i * 32 +: 32];
            end
        end
    end

    always @(*) begin : bank_held_d_logic
        integer i;
        i = 0;
        bank_held_d = bank_held_q;
        if (in_ready) begin
            for (i = 0; i < 8; i = i + 1) begin
                bank_held_d[i * 5 +: 5] = in_bank[i * 5 +: 5];
            end
        end
    end

    assign in_ready = !full_q | next_ready;

    always @(*) begin : followers_logic
        integer i;
        integer j;
        followers = 8'd0;
        for (i = 0; i < 8; i = i + 1) begin
            for (j = 0; j < 8; j = j + 1) begin
                if (j < i) begin
                    if (grouped_held_q[j] & (bank_held_q[i * 5 +: 5] == bank_held_q[j * 5 +: 5]) &
                      (address_held_q[(i * 32) + 6 +: 10] == address_held_q[(j * 32) + 6 +: 10])) begin
                        followers[i] = 1'b1;
                    end
                end
            end
        end
    end

    always @(*) begin : address_logic
        integer i;
        for (i = 0; i < 8; i = i + 1) begin
            address[i * 32 +: 32] = address_held_q[i * 32 +: 32];
        end
    end

    always @(*) begin : bank_logic
        integer i;
        for (i = 0; i < 8; i = i + 1) begin
            bank[i * 5 +: 5] = bank_held_q[i * 5 +: 5];
        end
    end

    assign valid = full_q;

    assign tag = tag_held_q;

    assign is_command = is_command_held_q;

    assign cmd = cmd_held_q;

    assign cause = cause_held_q;

    assign fault_lanes = fault_lanes_held_q;

    assign size = size_held_q;

    assign sign = sign_held_q;

    assign rd = rd_held_q;

    assign grouped = grouped_held_q;

    assign leaders = grouped_held_q & ~followers;

    assign ride = ride_held_q;

    assign unpredictable = full_q & next_ready & unpredictable_held_q;

    always @(posedge clock) begin
        if (reset) begin
            full_q <= 1'b0;
            tag_held_q <= 8'd0;
            is_command_held_q <= 1'b0;
            cmd_held_q <= 2'd0;
            cause_held_q <= 3'd0;
            fault_lanes_held_q <= 8'd0;
            size_held_q <= 3'd0;
            sign_held_q <= 1'b0;
            rd_held_q <= 8'd0;
            grouped_held_q <= 8'd0;
            ride_held_q <= 8'd0;
            unpredictable_held_q <= 1'b0;
            address_held_q <= 256'd0;
            bank_held_q <= 40'd0;
        end else begin
            full_q <= full_d;
            tag_held_q <= tag_held_d;
            is_command_held_q <= is_command_held_d;
            cmd_held_q <= cmd_held_d;
            cause_held_q <= cause_held_d;
            fault_lanes_held_q <= fault_lanes_held_d;
            size_held_q <= size_held_d;
            sign_held_q <= sign_held_d;
            rd_held_q <= rd_held_d;
            grouped_held_q <= grouped_held_d;
            ride_held_q <= ride_held_d;
            unpredictable_held_q <= unpredictable_held_d;
            address_held_q <= address_held_d;
            bank_held_q <= bank_held_d;
        end
    end
endmodule

// constant_cache: The constant cache from place S on.
module constant_cache (
    input  wire         clock,  // Clock.
    input  wire         reset,  // Synchronous reset.
    input  wire         in_valid,  // A grouped operation is offered.
    output wire         in_ready,  // It is taken at this edge.
    input  wire [7:0]   in_tag,  // Names the operation.
    input  wire         in_is_command,  // The operation is a command.
    input  wire [1:0]   in_cmd,  // Which command.
    input  wire [2:0]   in_cause,  // Fault cause, 0 for none.
    input  wire [7:0]   in_fault_lanes,  // Lanes the fault names.
    input  wire [2:0]   in_size,  // log2 of the access size in bytes.
    input  wire         in_sign,  // Sign-extend.
    input  wire [7:0]   in_rd,  // Destination register.
    input  wire [7:0]   in_grouped,  // Lanes that need a line.
    input  wire [7:0]   in_leaders,  // The lowest lane of each group.
    input  wire [7:0]   in_ride,  // Lanes that get 0 with the first pass.
    input  wire [255:0] in_address,  // Byte address of each lane. [8 x 32 bits]
    input  wire [39:0]  in_bank,  // Bank of each lane. [8 x 5 bits]
    input  wire         cfg_bank_write,  // Write to the bank table.
    input  wire [4:0]   cfg_bank_index,  // Entry, 0 to 17.
    input  wire [31:0]  cfg_bank_base,  // Byte address of the bank, a multiple of 64.
    input  wire [16:0]  cfg_bank_size,  // Bytes, a multiple of 16, at most 65,536.
    input  wire         cfg_bank_valid,  // The entry may be used.
    output wire         cfg_refused,  // Sticky: a table write was refused.
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
    output wire [7:0]   wb_tag,  // Its operation.
    output wire [7:0]   wb_rd,  // The register.
    output wire [7:0]   wb_mask,  // Lanes written.
    output reg  [255:0] wb_data,  // Values; 0 in lanes that are not written. [8 x 32 bits]
    output wire         wb_last,  // Ends the operation.
    output wire         fault_valid,  // A record is offered.
    input  wire         fault_ready,  // Taken at this edge.
    output wire [7:0]   fault_tag,  // Its operation.
    // 1 misaligned_register, 2 illegal_instruction, 3 misaligned_address, 5 memory_error.
    output wire [2:0]   fault_cause,
    output wire [7:0]   fault_lanes,  // Faulting lanes.
    output wire [31:0]  fault_addr,  // Address of the lowest one.
    output wire         done_valid,  // A command has taken effect.
    input  wire         done_ready,  // Taken at this edge.
    output wire [7:0]   done_tag,  // Its tag.
    output wire [31:0]  passes,  // Passes issued; wraps.
    output wire [31:0]  hits,  // Passes that hit; wraps.
    output wire [31:0]  misses  // Passes that missed; wraps.
);
    wire         done_free;
    wire         replay;
    wire         issue_in_ready;
    wire         issue_pass_valid;
    wire [7:0]   issue_pass_tag;
    wire         issue_pass_is_command;
    wire [1:0]   issue_pass_cmd;
    wire [2:0]   issue_pass_size;
    wire         issue_pass_sign;
    wire [7:0]   issue_pass_rd;
    wire         issue_pass_has_group;
    wire [4:0]   issue_pass_bank;
    wire [9:0]   issue_pass_line;
    wire [7:0]   issue_pass_grouped;
    wire [7:0]   issue_pass_ride;
    wire [127:0] issue_pass_address;
    wire [39:0]  issue_pass_bank_of;
    wire         issue_fault_valid;
    wire [2:0]   issue_fault_cause;
    wire [7:0]   issue_fault_lanes;
    wire [31:0]  issue_fault_address;
    wire         tag_stage_cfg_refused;
    wire         tag_stage_pass_ready;
    wire         tag_stage_to_data;
    wire         tag_stage_to_miss;
    wire         tag_stage_to_done;
    wire         tag_stage_kills;
    wire         tag_stage_hits;
    wire         tag_stage_holds;
    wire [7:0]   tag_stage_tag;
    wire [7:0]   tag_stage_rd;
    wire [2:0]   tag_stage_size;
    wire         tag_stage_sign;
    wire [7:0]   tag_stage_write;
    wire [7:0]   tag_stage_value;
    wire [47:0]  tag_stage_offset;
    wire [14:0]  tag_stage_key;
    wire [1:0]   tag_stage_way;
    wire [31:0]  tag_stage_line_address;
    wire [1:0]   tag_stage_install_way;
    wire         miss_has_empty;
    wire         miss_replay_valid;
    wire [7:0]   miss_replay_tag;
    wire [7:0]   miss_replay_rd;
    wire [2:0]   miss_replay_size;
    wire         miss_replay_sign;
    wire [7:0]   miss_replay_write;
    wire [7:0]   miss_replay_value;
    wire [47:0]  miss_replay_offset;
    wire [9:0]   miss_replay_line;
    wire [1:0]   miss_replay_error;
    wire         miss_holds_data_tag;
    wire         miss_install;
    wire [14:0]  miss_install_key;
    wire         miss_install_keep;
    wire [511:0] miss_install_data;
    wire         miss_mem_req_valid;
    wire [5:0]   miss_mem_req_id;
    wire [31:0]  miss_mem_req_addr;
    wire         miss_mem_rsp_ready;
    wire         data_in_valid;
    wire         data_in_ready;
    reg  [7:0]   data_in_tag;
    reg  [7:0]   data_in_rd;
    reg  [2:0]   data_in_size;
    reg          data_in_sign;
    reg  [7:0]   data_in_write;
    reg  [7:0]   data_in_value;
    reg  [47:0]  data_in_offset;
    reg  [9:0]   data_in_line;
    wire [1:0]   data_install_set;
    wire         data_is_replay;
    wire [7:0]   data_tag;
    wire         data_has_more;
    wire         data_fault_valid;
    wire [7:0]   data_fault_lanes;
    wire [15:0]  data_fault_address;
    wire         data_wb_valid;
    wire [7:0]   data_wb_tag;
    wire [7:0]   data_wb_rd;
    wire [7:0]   data_wb_mask;
    wire [255:0] data_wb_data;
    wire         data_wb_last;
    wire         fault_data_valid;
    wire         fault_data_ready;
    wire         fault_issue_ready;
    wire         fault_fault_valid;
    wire [7:0]   fault_fault_tag;
    wire [2:0]   fault_fault_cause;
    wire [7:0]   fault_fault_lanes;
    wire [31:0]  fault_fault_addr;
    reg          done_full_d;
    reg          done_full_q;
    reg  [7:0]   done_held_d;
    reg  [7:0]   done_held_q;
    reg  [31:0]  pass_count_d;
    reg  [31:0]  pass_count_q;
    reg  [31:0]  hit_count_d;
    reg  [31:0]  hit_count_q;
    reg  [31:0]  miss_count_d;
    reg  [31:0]  miss_count_q;

    always @(*) begin
        done_full_d = done_full_q;
        if (done_free) begin
            done_full_d = tag_stage_to_done;
        end
    end

    always @(*) begin
        done_held_d = done_held_q;
        if (done_free) begin
            done_held_d = tag_stage_tag;
        end
    end

    always @(*) begin
        pass_count_d = pass_count_q;
        if (issue_pass_valid & tag_stage_pass_ready & !issue_pass_is_command) begin
            pass_count_d = pass_count_q + 32'd1;
        end
    end

    always @(*) begin
        hit_count_d = hit_count_q;
        if (tag_stage_hits) begin
            hit_count_d = hit_count_q + 32'd1;
        end
    end

    always @(*) begin
        miss_count_d = miss_count_q;
        if (tag_stage_to_miss) begin
            miss_count_d = miss_count_q + 32'd1;
        end
    end

    assign in_ready = issue_in_ready;

    assign cfg_refused = tag_stage_cfg_refused;

    assign mem_req_valid = miss_mem_req_valid;

    assign mem_req_id = miss_mem_req_id;

    assign mem_req_addr = miss_mem_req_addr;

    assign mem_rsp_ready = miss_mem_rsp_ready;

    assign replay = miss_replay_valid;

    assign data_in_valid = replay | tag_stage_to_data;

    always @(*) begin
        if (replay) begin
            data_in_tag = miss_replay_tag;
        end else begin
            data_in_tag = tag_stage_tag;
        end
    end

    always @(*) begin
        if (replay) begin
            data_in_rd = miss_replay_rd;
        end else begin
            data_in_rd = tag_stage_rd;
        end
    end

    always @(*) begin
        if (replay) begin
            data_in_size = miss_replay_size;
        end else begin
            data_in_size = tag_stage_size;
        end
    end

    always @(*) begin
        if (replay) begin
            data_in_sign = miss_replay_sign;
        end else begin
            data_in_sign = tag_stage_sign;
        end
    end

    always @(*) begin
        if (replay) begin
            data_in_write = miss_replay_write;
        end else begin
            data_in_write = tag_stage_write;
        end
    end

    always @(*) begin
        if (replay) begin
            data_in_value = miss_replay_value;
        end else begin
            data_in_value = tag_stage_value;
        end
    end

    always @(*) begin
        if (replay) begin
            data_in_line = miss_replay_line;
        end else begin
            data_in_line = tag_stage_key[9:0];
        end
    end

    always @(*) begin : data_in_offset_logic
        integer i;
        for (i = 0; i < 8; i = i + 1) begin
            if (replay) begin
                data_in_offset[i * 6 +: 6] = miss_replay_offset[i * 6 +: 6];
            end else begin
                data_in_offset[i * 6 +: 6] = tag_stage_offset[i * 6 +: 6];
            end
        end
    end

    assign data_install_set = miss_install_key[1:0];

    assign data_has_more = (issue_pass_valid & (issue_pass_tag == data_tag)) |
      (tag_stage_holds & (tag_stage_tag == data_tag)) | miss_holds_data_tag;

    assign wb_valid = data_wb_valid;

    assign wb_tag = data_wb_tag;

    assign wb_rd = data_wb_rd;

    assign wb_mask = data_wb_mask;

    assign wb_last = data_wb_last;

    always @(*) begin : wb_data_logic
        integer i;
        for (i = 0; i < 8; i = i + 1) begin
            wb_data[i * 32 +: 32] = data_wb_data[i * 32 +: 32];
        end
    end

    assign fault_data_valid = data_fault_valid & fault_data_ready;

    assign fault_valid = fault_fault_valid;

    assign fault_tag = fault_fault_tag;

    assign fault_cause = fault_fault_cause;

    assign fault_lanes = fault_fault_lanes;

    assign fault_addr = fault_fault_addr;

    assign done_free = !done_full_q | done_ready;

    assign done_valid = done_full_q;

    assign done_tag = done_held_q;

    assign passes = pass_count_q;

    assign hits = hit_count_q;

    assign misses = miss_count_q;

    issue issue (
        .clock           (clock),
        .reset           (reset),
        .in_valid        (in_valid),
        .in_ready        (issue_in_ready),
        .in_tag          (in_tag),
        .in_is_command   (in_is_command),
        .in_cmd          (in_cmd),
        .in_cause        (in_cause),
        .in_fault_lanes  (in_fault_lanes),
        .in_size         (in_size),
        .in_sign         (in_sign),
        .in_rd           (in_rd),
        .in_grouped      (in_grouped),
        .in_leaders      (in_leaders),
        .in_ride         (in_ride),
        .in_address      (in_address),
        .in_bank         (in_bank),
        .pass_valid      (issue_pass_valid),
        .pass_ready      (tag_stage_pass_ready),
        .pass_tag        (issue_pass_tag),
        .pass_is_command (issue_pass_is_command),
        .pass_cmd        (issue_pass_cmd),
        .pass_size       (issue_pass_size),
        .pass_sign       (issue_pass_sign),
        .pass_rd         (issue_pass_rd),
        .pass_has_group  (issue_pass_has_group),
        .pass_bank       (issue_pass_bank),
        .pass_line       (issue_pass_line),
        .pass_grouped    (issue_pass_grouped),
        .pass_ride       (issue_pass_ride),
        .pass_address    (issue_pass_address),
        .pass_bank_of    (issue_pass_bank_of),
        .fault_valid     (issue_fault_valid),
        .fault_ready     (fault_issue_ready),
        .fault_cause     (issue_fault_cause),
        .fault_lanes     (issue_fault_lanes),
        .fault_address   (issue_fault_address)
    );

    tag_stage tag_stage (
        .clock           (clock),
        .reset           (reset),
        .cfg_bank_write  (cfg_bank_write),
        .cfg_bank_index  (cfg_bank_index),
        .cfg_bank_base   (cfg_bank_base),
        .cfg_bank_size   (cfg_bank_size),
        .cfg_bank_valid  (cfg_bank_valid),
        .cfg_refused     (tag_stage_cfg_refused),
        .pass_valid      (issue_pass_valid),
        .pass_ready      (tag_stage_pass_ready),
        .pass_tag        (issue_pass_tag),
        .pass_is_command (issue_pass_is_command),
        .pass_cmd        (issue_pass_cmd),
        .pass_size       (issue_pass_size),
        .pass_sign       (issue_pass_sign),
        .pass_rd         (issue_pass_rd),
        .pass_has_group  (issue_pass_has_group),
        .pass_bank       (issue_pass_bank),
        .pass_line       (issue_pass_line),
        .pass_grouped    (issue_pass_grouped),
        .pass_ride       (issue_pass_ride),
        .pass_address    (issue_pass_address),
        .pass_bank_of    (issue_pass_bank_of),
        .data_ready      (data_in_ready),
        .replay_waits    (miss_replay_valid),
        .miss_ready      (miss_has_empty),
        .done_ready      (done_free),
        .to_data         (tag_stage_to_data),
        .to_miss         (tag_stage_to_miss),
        .to_done         (tag_stage_to_done),
        .kills           (tag_stage_kills),
        .hits            (tag_stage_hits),
        .holds           (tag_stage_holds),
        .tag             (tag_stage_tag),
        .rd              (tag_stage_rd),
        .size            (tag_stage_size),
        .sign            (tag_stage_sign),
        .write           (tag_stage_write),
        .value           (tag_stage_value),
        .offset          (tag_stage_offset),
        .key             (tag_stage_key),
        .way             (tag_stage_way),
        .line_address    (tag_stage_line_address),
        .install         (miss_install),
        .install_key     (miss_install_key),
        .install_keep    (miss_install_keep),
        .install_way     (tag_stage_install_way)
    );

    misses miss (
        .clock            (clock),
        .reset            (reset),
        .allocate         (tag_stage_to_miss),
        .has_empty        (miss_has_empty),
        .allocate_key     (tag_stage_key),
        .allocate_address (tag_stage_line_address),
        .allocate_tag     (tag_stage_tag),
        .allocate_rd      (tag_stage_rd),
        .allocate_size    (tag_stage_size),
        .allocate_sign    (tag_stage_sign),
        .allocate_write   (tag_stage_write),
        .allocate_value   (tag_stage_value),
        .allocate_offset  (tag_stage_offset),
        .kill             (tag_stage_kills),
        .replay_valid     (miss_replay_valid),
        .replay_ready     (data_in_ready),
        .replay_tag       (miss_replay_tag),
        .replay_rd        (miss_replay_rd),
        .replay_size      (miss_replay_size),
        .replay_sign      (miss_replay_sign),
        .replay_write     (miss_replay_write),
        .replay_value     (miss_replay_value),
        .replay_offset    (miss_replay_offset),
        .replay_line      (miss_replay_line),
        .replay_error     (miss_replay_error),
        .data_is_replay   (data_is_replay),
        .data_tag         (data_tag),
        .holds_data_tag   (miss_holds_data_tag),
        .install          (miss_install),
        .install_key      (miss_install_key),
        .install_keep     (miss_install_keep),
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

    data_stage data (
        .clock         (clock),
        .reset         (reset),
        .in_valid      (data_in_valid),
        .in_ready      (data_in_ready),
        .in_is_replay  (replay),
        .in_tag        (data_in_tag),
        .in_rd         (data_in_rd),
        .in_size       (data_in_size),
        .in_sign       (data_in_sign),
        .in_write      (data_in_write),
        .in_value      (data_in_value),
        .in_offset     (data_in_offset),
        .in_line       (data_in_line),
        .in_way        (tag_stage_way),
        .in_error      (miss_replay_error),
        .install       (miss_install),
        .install_set   (data_install_set),
        .install_way   (tag_stage_install_way),
        .install_data  (miss_install_data),
        .is_replay     (data_is_replay),
        .tag           (data_tag),
        .has_more      (data_has_more),
        .fault_valid   (data_fault_valid),
        .fault_ready   (fault_data_ready),
        .fault_lanes   (data_fault_lanes),
        .fault_address (data_fault_address),
        .wb_valid      (data_wb_valid),
        .wb_ready      (wb_ready),
        .wb_tag        (data_wb_tag),
        .wb_rd         (data_wb_rd),
        .wb_mask       (data_wb_mask),
        .wb_data       (data_wb_data),
        .wb_last       (data_wb_last)
    );

    fault_port fault (
        .clock         (clock),
        .reset         (reset),
        .data_valid    (fault_data_valid),
        .data_ready    (fault_data_ready),
        .data_tag      (data_tag),
        .data_lanes    (data_fault_lanes),
        .data_address  (data_fault_address),
        .issue_valid   (issue_fault_valid),
        .issue_ready   (fault_issue_ready),
        .issue_tag     (issue_pass_tag),
        .issue_cause   (issue_fault_cause),
        .issue_lanes   (issue_fault_lanes),
        .issue_address (issue_fault_address),
        .fault_valid   (fault_fault_valid),
        .fault_ready   (fault_ready),
        .fault_tag     (fault_fault_tag),
        .fault_cause   (fault_fault_cause),
        .fault_lanes   (fault_fault_lanes),
        .fault_addr    (fault_fault_addr)
    );

    always @(posedge clock) begin
        if (reset) begin
            done_full_q <= 1'b0;
            done_held_q <= 8'd0;
            pass_count_q <= 32'd0;
            hit_count_q <= 32'd0;
            miss_count_q <= 32'd0;
        end else begin
            done_full_q <= done_full_d;
            done_held_q <= done_held_d;
            pass_count_q <= pass_count_d;
            hit_count_q <= hit_count_d;
            miss_count_q <= miss_count_d;
        end
    end
endmodule

// issue: Place S and the choice of the next pass.
module issue (
    input  wire         clock,  // Clock.
    input  wire         reset,  // Synchronous reset.
    input  wire         in_valid,  // A grouped operation is offered.
    output wire         in_ready,  // It is taken at this edge.
    input  wire [7:0]   in_tag,  // Names the operation.
    input  wire         in_is_command,  // The operation is a command.
    input  wire [1:0]   in_cmd,  // Which command.
    input  wire [2:0]   in_cause,  // Fault cause, 0 for none.
    input  wire [7:0]   in_fault_lanes,  // Lanes the fault names.
    input  wire [2:0]   in_size,  // log2 of the access size in bytes.
    input  wire         in_sign,  // Sign-extend.
    input  wire [7:0]   in_rd,  // Destination register.
    input  wire [7:0]   in_grouped,  // Lanes that need a line.
    input  wire [7:0]   in_leaders,  // The lowest lane of each group.
    input  wire [7:0]   in_ride,  // Lanes that get 0 with the first pass.
    input  wire [255:0] in_address,  // Byte address of each lane. [8 x 32 bits]
    input  wire [39:0]  in_bank,  // Bank of each lane. [8 x 5 bits]
    output wire         pass_valid,  // A pass or a command is offered to T.
    input  wire         pass_ready,  // It is taken at this edge.
    output wire [7:0]   pass_tag,  // Names the operation; also names what S holds, for wb_last.
    output wire         pass_is_command,  // It is a command.
    output wire [1:0]   pass_cmd,  // Which command.
    output wire [2:0]   pass_size,  // log2 of the access size in bytes.
    output wire         pass_sign,  // Sign-extend.
    output wire [7:0]   pass_rd,  // Destination register.
    output wire         pass_has_group,  // The pass has a group (else it needs no line).
    output reg  [4:0]   pass_bank,  // Bank of the group.
    output reg  [9:0]   pass_line,  // Line of the group: address bits 15 to 6.
    output wire [7:0]   pass_grouped,  // Lanes of the operation that need some line.
    output wire [7:0]   pass_ride,  // Lanes that get 0 with this pass.
    output reg  [127:0] pass_address,  // Byte address of each lane inside its bank. [8 x 16 bits]
    output reg  [39:0]  pass_bank_of,  // Bank of each lane. [8 x 5 bits]
    output wire         fault_valid,  // A fault record is offered.
    input  wire         fault_ready,  // It is taken at this edge.
    output wire [2:0]   fault_cause,  // Why.
    output wire [7:0]   fault_lanes,  // Every faulting lane.
    output reg  [31:0]  fault_address  // Address of the lowest faulting lane.
);
    wire [7:0]   leader;
    wire [7:0]   rest;
    wire [7:0]   lowest_fault;
    wire         is_faulty;
    wire         sends;
    reg          full_d;
    reg          full_q;
    reg  [7:0]   tag_d;
    reg  [7:0]   tag_q;
    reg          is_command_d;
    reg          is_command_q;
    reg  [1:0]   cmd_d;
    reg  [1:0]   cmd_q;
    reg  [2:0]   cause_d;
    reg  [2:0]   cause_q;
    reg  [7:0]   fault_lanes_held_d;
    reg  [7:0]   fault_lanes_held_q;
    reg  [2:0]   size_d;
    reg  [2:0]   size_q;
    reg          sign_d;
    reg          sign_q;
    reg  [7:0]   rd_d;
    reg  [7:0]   rd_q;
    reg  [7:0]   grouped_d;
    reg  [7:0]   grouped_q;
    reg  [7:0]   leaders_d;
    reg  [7:0]   leaders_q;
    reg  [7:0]   ride_d;
    reg  [7:0]   ride_q;
    reg  [255:0] address_d;
    reg  [255:0] address_q;
    reg  [39:0]  bank_d;
    reg  [39:0]  bank_q;

    always @(*) begin
        full_d = full_q;
        if (in_ready) begin
            full_d = in_valid;
        end
    end

    always @(*) begin
        tag_d = tag_q;
        if (in_ready) begin
            tag_d = in_tag;
        end
    end

    always @(*) begin
        is_command_d = is_command_q;
        if (in_ready) begin
            is_command_d = in_is_command;
        end
    end

    always @(*) begin
        cmd_d = cmd_q;
        if (in_ready) begin
            cmd_d = in_cmd;
        end
    end

    always @(*) begin
        cause_d = cause_q;
        if (in_ready) begin
            cause_d = in_cause;
        end
    end

    always @(*) begin
        fault_lanes_held_d = fault_lanes_held_q;
        if (in_ready) begin
            fault_lanes_held_d = in_fault_lanes;
        end
    end

    always @(*) begin
        size_d = size_q;
        if (in_ready) begin
            size_d = in_size;
        end
    end

    always @(*) begin
        sign_d = sign_q;
        if (in_ready) begin
            sign_d = in_sign;
        end
    end

    always @(*) begin
        rd_d = rd_q;
        if (in_ready) begin
            rd_d = in_rd;
        end
    end

    always @(*) begin
        grouped_d = grouped_q;
        if (in_ready) begin
            grouped_d = in_grouped;
        end
    end

    always @(*) begin
        leaders_d = leaders_q;
        if (sends) begin
            leaders_d = rest;
        end
        if (in_ready) begin
            leaders_d = in_leaders;
        end
    end

    always @(*) begin
        ride_d = ride_q;
        if (sends) begin
            ride_d = 8'd0;
        end
        if (in_ready) begin
            ride_d = in_ride;
        end
    end

    always @(*) begin : address_d_logic
        integer i;
        i = 0;
        address_d = address_q;
        if (in_ready) begin
            for (i = 0; i < 8; i = i + 1) begin
                address_d[i * 32 +: 32] = in_address[i * 32 +: 32];
            end
        end
    end

    always @(*) begin : bank_d_logic
        integer i;
        i = 0;
        bank_d = bank_q;
        if (in_ready) begin
            for (i = 0; i < 8; i = i + 1) begin
                bank_d[i * 5 +: 5] = in_bank[i * 5 +: 5];
            end
        end
    end

    assign leader = leaders_q & (~leaders_q + 8'd1);

    assign rest = leaders_q & ~leader;

    assign is_faulty = cause_q != 3'd0;

    assign pass_valid = full_q & !is_faulty;

    assign fault_valid = full_q & is_faulty;

    assign sends = pass_valid & pass_ready;

    assign in_ready = !full_q | (sends & !(|rest)) | (fault_valid & fault_ready);

    assign pass_tag = tag_q;

    assign pass_is_command = is_command_q;

    assign pass_cmd = cmd_q;

    assign pass_size = size_q;

    assign pass_sign = sign_q;

    assign pass_rd = rd_q;

    assign pass_has_group = |leaders_q;

    assign pass_grouped = grouped_q;

    assign pass_ride = ride_q;

    assign fault_cause = cause_q;

    assign fault_lanes = fault_lanes_held_q;

    assign lowest_fault = fault_lanes_held_q & (~fault_lanes_held_q + 8'd1);

    always @(*) begin : pass_bank_logic
        integer i;
        pass_bank = 5'd0;
        for (i = 0; i < 8; i = i + 1) begin
            if (leader[i]) begin
                pass_bank = pass_bank | bank_q[i * 5 +: 5];
            end
        end
    end

    always @(*) begin : pass_line_logic
        integer i;
        pass_line = 10'd0;
        for (i = 0; i < 8; i = i + 1) begin
            if (leader[i]) begin
                pass_line = pass_line | address_q[(i * 32) + 6 +: 10];
            end
        end
    end

    always @(*) begin : fault_address_logic
        integer i;
        fault_address = 32'd0;
        for (i = 0; i < 8; i = i + 1) begin
            if (lowest_fault[i]) begin
                fault_address = fault_address | address_q[i * 32 +: 32];
            end
        end
    end

    always @(*) begin : pass_address_logic
        integer i;
        for (i = 0; i < 8; i = i + 1) begin
            pass_address[i * 16 +: 16] = address_q[i * 32 +: 16];
        end
    end

    always @(*) begin : pass_bank_of_logic
        integer i;
        for (i = 0; i < 8; i = i + 1) begin
            pass_bank_of[i * 5 +: 5] = bank_q[i * 5 +: 5];
        end
    end

    always @(posedge clock) begin
        if (reset) begin
            full_q <= 1'b0;
            tag_q <= 8'd0;
            is_command_q <= 1'b0;
            cmd_q <= 2'd0;
            cause_q <= 3'd0;
            fault_lanes_held_q <= 8'd0;
            size_q <= 3'd0;
            sign_q <= 1'b0;
            rd_q <= 8'd0;
            grouped_q <= 8'd0;
            leaders_q <= 8'd0;
            ride_q <= 8'd0;
            address_q <= 256'd0;
            bank_q <= 40'd0;
        end else begin
            full_q <= full_d;
            tag_q <= tag_d;
            is_command_q <= is_command_d;
            cmd_q <= cmd_d;
            cause_q <= cause_d;
            fault_lanes_held_q <= fault_lanes_held_d;
            size_q <= size_d;
            sign_q <= sign_d;
            rd_q <= rd_d;
            grouped_q <= grouped_d;
            leaders_q <= leaders_d;
            ride_q <= ride_d;
            address_q <= address_d;
            bank_q <= bank_d;
        end
    end
endmodule

// tag_stage: Place T, the bank table and the tags.
module tag_stage (
    input  wire         clock,  // Clock.
    input  wire         reset,  // Synchronous reset.
    input  wire         cfg_bank_write,  // Write to the bank table.
    input  wire [4:0]   cfg_bank_index,  // Entry, 0 to 17.
    input  wire [31:0]  cfg_bank_base,  // Byte address of the bank, a multiple of 64.
    input  wire [16:0]  cfg_bank_size,  // Bytes, a multiple of 16, at most 65,536.
    input  wire         cfg_bank_valid,  // The entry may be used.
    output wire         cfg_refused,  // Sticky: a table write was refused.
    input  wire         pass_valid,  // A pass or a command is offered.
    output wire         pass_ready,  // It is taken at this edge.
    input  wire [7:0]   pass_tag,  // Names the operation.
    input  wire         pass_is_command,  // It is a command.
    input  wire [1:0]   pass_cmd,  // Which command.
    input  wire [2:0]   pass_size,  // log2 of the access size in bytes.
    input  wire         pass_sign,  // Sign-extend.
    input  wire [7:0]   pass_rd,  // Destination register.
    input  wire         pass_has_group,  // The pass has a group.
    input  wire [4:0]   pass_bank,  // Bank of the group.
    input  wire [9:0]   pass_line,  // Line of the group: address bits 15 to 6.
    input  wire [7:0]   pass_grouped,  // Lanes of the operation that need some line.
    input  wire [7:0]   pass_ride,  // Lanes that get 0 with this pass.
    input  wire [127:0] pass_address,  // Byte address of each lane inside its bank. [8 x 16 bits]
    input  wire [39:0]  pass_bank_of,  // Bank of each lane. [8 x 5 bits]
    input  wire         data_ready,  // D is free at this edge.
    input  wire         replay_waits,  // A ready miss entry goes first.
    input  wire         miss_ready,  // A miss entry is empty.
    input  wire         done_ready,  // X is free at this edge.
    output wire         to_data,  // The pass enters D.
    output wire         to_miss,  // The pass takes a miss entry.
    output wire         to_done,  // A command took effect: X takes tag.
    output wire         kills,  // It invalidated the constant cache.
    output wire         hits,  // The pass that moves hit a line (for the counter).
    output wire         holds,  // T holds a pass of the operation tag.
    output wire [7:0]   tag,  // Operation in T.
    output wire [7:0]   rd,  // Destination register.
    output wire [2:0]   size,  // log2 of the access size in bytes.
    output wire         sign,  // Sign-extend.
    output wire [7:0]   write,  // Lanes that the pass writes.
    output reg  [7:0]   value,  // Lanes among them that take data from the line; the others get 0.
    output reg  [47:0]  offset,  // Byte in the line, for each lane. [8 x 6 bits]
    output wire [14:0]  key,  // Bank, then line.
    output reg  [1:0]   way,  // Way that holds the line.
    output wire [31:0]  line_address,  // Byte address of the line in memory.
    input  wire         install,  // A line enters its set's oldest way at this edge.
    input  wire [14:0]  install_key,  // Bank, then line.
    input  wire         install_keep,  // The line may be kept.
    output reg  [1:0]   install_way  // The way that it takes.
);
    wire [12:0]  set_key;
    wire [12:0]  install_set_key;
    reg          found;
    wire         needs_line;
    wire         line_is_inside;
    wire         line_is_last;
    reg  [7:0]   group;
    reg  [7:0]   in_bounds;
    wire         moves;
    wire         pass_moves;
    wire [31:0]  bank_table_base;
    wire [16:0]  bank_table_size;
    wire         bank_table_valid;
    wire         bank_table_refused;
    wire [15:0]  set_hit_ways;
    reg  [3:0]   set_touch;
    reg  [3:0]   set_install;
    wire [7:0]   set_hit_way;
    wire [7:0]   set_oldest_way;
    reg          full_d;
    reg          full_q;
    reg  [7:0]   tag_held_d;
    reg  [7:0]   tag_held_q;
    reg          is_command_d;
    reg          is_command_q;
    reg  [1:0]   cmd_d;
    reg  [1:0]   cmd_q;
    reg  [2:0]   size_held_d;
    reg  [2:0]   size_held_q;
    reg          sign_held_d;
    reg          sign_held_q;
    reg  [7:0]   rd_held_d;
    reg  [7:0]   rd_held_q;
    reg          has_group_d;
    reg          has_group_q;
    reg  [4:0]   bank_d;
    reg  [4:0]   bank_q;
    reg  [9:0]   line_d;
    reg  [9:0]   line_q;
    reg  [7:0]   grouped_d;
    reg  [7:0]   grouped_q;
    reg  [7:0]   ride_d;
    reg  [7:0]   ride_q;
    reg  [127:0] address_d;
    reg  [127:0] address_q;
    reg  [39:0]  bank_of_d;
    reg  [39:0]  bank_of_q;

    always @(*) begin
        full_d = full_q;
        if (pass_ready) begin
            full_d = pass_valid;
        end
    end

    always @(*) begin
        tag_held_d = tag_held_q;
        if (pass_ready) begin
            tag_held_d = pass_tag;
        end
    end

    always @(*) begin
        is_command_d = is_command_q;
        if (pass_ready) begin
            is_command_d = pass_is_command;
        end
    end

    always @(*) begin
        cmd_d = cmd_q;
        if (pass_ready) begin
            cmd_d = pass_cmd;
        end
    end

    always @(*) begin
        size_held_d = size_held_q;
        if (pass_ready) begin
            size_held_d = pass_size;
        end
    end

    always @(*) begin
        sign_held_d = sign_held_q;
        if (pass_ready) begin
            sign_held_d = pass_sign;
        end
    end

    always @(*) begin
        rd_held_d = rd_held_q;
        if (pass_ready) begin
            rd_held_d = pass_rd;
        end
    end

    always @(*) begin
        has_group_d = has_group_q;
        if (pass_ready) begin
            has_group_d = pass_has_group;
        end
    end

    always @(*) begin
        bank_d = bank_q;
        if (pass_ready) begin
            bank_d = pass_bank;
        end
    end

    always @(*) begin
        line_d = line_q;
        if (pass_ready) begin
            line_d = pass_line;
        end
    end

    always @(*) begin
        grouped_d = grouped_q;
        if (pass_ready) begin
            grouped_d = pass_grouped;
        end
    end

    always @(*) begin
        ride_d = ride_q;
        if (pass_ready) begin
            ride_d = pass_ride;
        end
    end

    always @(*) begin : address_d_logic
        integer i;
        i = 0;
        address_d = address_q;
        if (pass_ready) begin
            for (i = 0; i < 8; i = i + 1) begin
                address_d[i * 16 +: 16] = pass_address[i * 16 +: 16];
            end
        end
    end

    always @(*) begin : bank_of_d_logic
        integer i;
        i = 0;
        bank_of_d = bank_of_q;
        if (pass_ready) begin
            for (i = 0; i < 8; i = i + 1) begin
                bank_of_d[i * 5 +: 5] = pass_bank_of[i * 5 +: 5];
            end
        end
    end

    assign pass_moves = full_q & !is_command_q & !install & data_ready & !replay_waits & miss_ready;

    assign to_done = full_q & is_command_q & !install & done_ready;

    assign moves = pass_moves | to_done;

    assign pass_ready = !full_q | moves;

    assign kills = to_done & (cmd_q == 2'd2);

    assign cfg_refused = bank_table_refused;

    assign line_is_inside = {1'b0, line_q} < bank_table_size[16:6];

    assign line_is_last = {1'b0, line_q} == bank_table_size[16:6];

    assign needs_line = has_group_q & bank_table_valid & (line_is_inside | (line_is_last & (|bank_table_size[5:4])));

    assign line_address = bank_table_base + ({22'd0, line_q} << 6);

    always @(*) begin : group_logic
        integer i;
        group = 8'd0;
        for (i = 0; i < 8; i = i + 1) begin
            if (grouped_q[i] & (bank_of_q[i * 5 +: 5] == bank_q) & (address_q[(i * 16) + 6 +: 10] == line_q)) begin
                group[i] = 1'b1;
            end
        end
    end

    always @(*) begin : in_bounds_logic
        integer i;
        in_bounds = 8'd0;
        for (i = 0; i < 8; i = i + 1) begin
            if (line_is_inside | (line_is_last & (address_q[(i * 16) + 4 +: 2] < bank_table_size[5:4]))) begin
                in_bounds[i] = 1'b1;
            end
        end
    end

    always @(*) begin : offset_logic
        integer i;
        for (i = 0; i < 8; i = i + 1) begin
            offset[i * 6 +: 6] = address_q[i * 16 +: 6];
        end
    end

    assign write = group | ride_q;

    always @(*) begin
        value = 8'd0;
        if (bank_table_valid) begin
            value = group & in_bounds;
        end
    end

    assign key = ({10'd0, bank_q} << 10) | {5'd0, line_q};

    assign set_key = key[14:2];

    assign install_set_key = install_key[14:2];

    always @(*) begin : found_logic
        integer i;
        found = 1'b0;
        for (i = 0; i < 4; i = i + 1) begin
            if (line_q[1:0] == i[1:0]) begin
                found = found | (|set_hit_ways[i * 4 +: 4]);
            end
        end
    end

    always @(*) begin : way_logic
        integer i;
        way = 2'd0;
        for (i = 0; i < 4; i = i + 1) begin
            if (line_q[1:0] == i[1:0]) begin
                way = way | set_hit_way[i * 2 +: 2];
            end
        end
    end

    always @(*) begin : install_way_logic
        integer i;
        install_way = 2'd0;
        for (i = 0; i < 4; i = i + 1) begin
            if (install_key[1:0] == i[1:0]) begin
                install_way = install_way | set_oldest_way[i * 2 +: 2];
            end
        end
    end

    always @(*) begin : set_touch_logic
        integer i;
        for (i = 0; i < 4; i = i + 1) begin
            set_touch[i] = 1'b0;
            if (line_q[1:0] == i[1:0]) begin
                set_touch[i] = pass_moves & needs_line & (|set_hit_ways[i * 4 +: 4]);
            end
        end
    end

    always @(*) begin : set_install_logic
        integer i;
        for (i = 0; i < 4; i = i + 1) begin
            set_install[i] = 1'b0;
            if (install_key[1:0] == i[1:0]) begin
                set_install[i] = install;
            end
        end
    end

    assign hits = pass_moves & needs_line & found;

    assign to_miss = pass_moves & needs_line & !found;

    assign to_data = pass_moves & (!needs_line | found);

    assign holds = full_q;

    assign tag = tag_held_q;

    assign rd = rd_held_q;

    assign size = size_held_q;

    assign sign = sign_held_q;

    bank_table bank_table (
        .clock       (clock),
        .reset       (reset),
        .write       (cfg_bank_write),
        .write_index (cfg_bank_index),
        .write_base  (cfg_bank_base),
        .write_size  (cfg_bank_size),
        .write_valid (cfg_bank_valid),
        .read_index  (bank_q),
        .base        (bank_table_base),
        .size        (bank_table_size),
        .valid       (bank_table_valid),
        .refused     (bank_table_refused)
    );

    genvar index;
    generate
        for (index = 0; index < 4; index = index + 1) begin : set
            constant_set unit (
                .clock        (clock),
                .reset        (reset),
                .key          (set_key),
                .hit_ways     (set_hit_ways[index * 4 +: 4]),
                .touch        (set_touch[index]),
                .install      (set_install[index]),
                .install_key  (install_set_key),
                .install_keep (install_keep),
                .hit_way      (set_hit_way[index * 2 +: 2]),
                .oldest_way   (set_oldest_way[index * 2 +: 2]),
                .flush        (kills)
            );
        end
    endgenerate

    always @(posedge clock) begin
        if (reset) begin
            full_q <= 1'b0;
            tag_held_q <= 8'd0;
            is_command_q <= 1'b0;
            cmd_q <= 2'd0;
            size_held_q <= 3'd0;
            sign_held_q <= 1'b0;
            rd_held_q <= 8'd0;
            has_group_q <= 1'b0;
            bank_q <= 5'd0;
            line_q <= 10'd0;
            grouped_q <= 8'd0;
            ride_q <= 8'd0;
            address_q <= 128'd0;
            bank_of_q <= 40'd0;
        end else begin
            full_q <= full_d;
            tag_held_q <= tag_held_d;
            is_command_q <= is_command_d;
            cmd_q <= cmd_d;
            size_held_q <= size_held_d;
            sign_held_q <= sign_held_d;
            rd_held_q <= rd_held_d;
            has_group_q <= has_group_d;
            bank_q <= bank_d;
            line_q <= line_d;
            grouped_q <= grouped_d;
            ride_q <= ride_d;
            address_q <= address_d;
            bank_of_q <= bank_of_d;
        end
    end

    // Bits that nothing reads.
    wire unused = &{
        1'b0, bank_table_size[3:0]
    };
endmodule

// bank_table: The bank table.
module bank_table (
    input  wire        clock,  // Clock.
    input  wire        reset,  // Synchronous reset: every entry invalid.
    input  wire        write,  // Write the entry write_index at this edge.
    input  wire [4:0]  write_index,  // Entry to write, 0 to 17.
    input  wire [31:0] write_base,  // Byte address of the bank in memory, a multiple of 64.
    input  wire [16:0] write_size,  // Bytes, a multiple of 16, at most 65,536.
    input  wire        write_valid,  // The entry may be used.
    input  wire [4:0]  read_index,  // Entry to read, 0 to 17.
    output wire [31:0] base,  // Byte address of that bank.
    output wire [16:0] size,  // Its bytes.
    output wire        valid,  // It may be used.
    output wire        refused  // Sticky: a write was refused.
);
    reg  [31:0] valids_next;
    wire        acceptable;
    wire [31:0] bases_read_data;
    wire        bases_write_enable;
    wire [16:0] sizes_read_data;
    wire        sizes_write_enable;
    wire [31:0] valids_d;
    reg  [31:0] valids_q;
    reg         refused_held_d;
    reg         refused_held_q;

    assign valids_d = valids_next;

    always @(*) begin
        refused_held_d = refused_held_q;
        if (write & !acceptable) begin
            refused_held_d = 1'b1;
        end
    end

    assign acceptable = (write_index < 5'd18) & (write_size <= 17'h10000) & !(|write_size[3:0]) & !(|write_base[5:0]);

    assign bases_write_enable = write & acceptable;

    assign sizes_write_enable = write & acceptable;

    always @(*) begin : valids_next_logic
        integer i;
        valids_next = valids_q;
        for (i = 0; i < 18; i = i + 1) begin
            if (write & acceptable & (write_index == i[4:0])) begin
                valids_next[i] = write_valid;
            end
        end
    end

    assign base = bases_read_data;

    assign size = sizes_read_data;

    assign valid = valids_q[read_index];

    assign refused = refused_held_q;

    memory_32x32 bases (
        .clock         (clock),
        .read_address  (read_index),
        .read_data     (bases_read_data),
        .write_enable  (bases_write_enable),
        .write_address (write_index),
        .write_data    (write_base)
    );

    memory_32x17 sizes (
        .clock         (clock),
        .read_address  (read_index),
        .read_data     (sizes_read_data),
        .write_enable  (sizes_write_enable),
        .write_address (write_index),
        .write_data    (write_size)
    );

    always @(posedge clock) begin
        if (reset) begin
            valids_q <= 32'd0;
            refused_held_q <= 1'b0;
        end else begin
            valids_q <= valids_d;
            refused_held_q <= refused_held_d;
        end
    end
endmodule

// memory_32x32: asynchronous read, synchronous write, zero at power-up.
module memory_32x32 (
    input  wire clock,  // Rising edge writes.
    input  wire [4:0] read_address,  // Word to read.
    output wire [31:0] read_data,  // The word at read_address, in the same cycle.
    input  wire write_enable,  // Write write_data at the next edge.
    input  wire [4:0] write_address,  // Word to write.
    input  wire [31:0] write_data  // Value to write.
);
    reg [31:0] words [0:31];

    initial begin : power_up
        integer i;
        for (i = 0; i < 32; i = i + 1) begin
            words[i] = 32'd0;
        end
    end

    assign read_data = words[read_address];

    always @(posedge clock) begin
        if (write_enable) begin
            words[write_address] <= write_data;
        end
    end
endmodule

// memory_32x17: asynchronous read, synchronous write, zero at power-up.
module memory_32x17 (
    input  wire clock,  // Rising edge writes.
    input  wire [4:0] read_address,  // Word to read.
    output wire [16:0] read_data,  // The word at read_address, in the same cycle.
    input  wire write_enable,  // Write write_data at the next edge.
    input  wire [4:0] write_address,  // Word to write.
    input  wire [16:0] write_data  // Value to write.
);
    reg [16:0] words [0:31];

    initial begin : power_up
        integer i;
        for (i = 0; i < 32; i = i + 1) begin
            words[i] = 17'd0;
        end
    end

    assign read_data = words[read_address];

    always @(posedge clock) begin
        if (write_enable) begin
            words[write_address] <= write_data;
        end
    end
endmodule

// constant_set: One set: tags, valid bits, order of use.
module constant_set (
    input  wire        clock,  // Clock.
    input  wire        reset,  // Synchronous reset: all ways invalid, way 0 oldest.
    input  wire [12:0] key,  // Bank, then line bits 9 to 2, looked up.
    output reg  [3:0]  hit_ways,  // The valid way that holds key, one bit at most.
    input  wire        touch,  // The hit way becomes youngest.
    input  wire        install,  // The oldest way takes install_key.
    input  wire [12:0] install_key,  // Key of the arriving line.
    input  wire        install_keep,  // The arriving line may be kept; otherwise its way becomes invalid.
    output reg  [1:0]  hit_way,  // Number of the hit way; 0 without a hit.
    output reg  [1:0]  oldest_way,  // Number of the oldest way: the next victim.
    input  wire        flush  // All ways become invalid.
);
    localparam [1:0] YOUNGEST = 2'd3;
    reg  [7:0]  youth;  // [4 x 2 bits]
    reg  [3:0]  oldest;
    reg  [3:0]  used;
    reg  [1:0]  used_youth;
    wire        renews;
    reg  [3:0]  valid_next;
    wire [3:0]  valid_d;
    reg  [3:0]  valid_q;
    reg  [51:0] tag_d;
    reg  [51:0] tag_q;
    reg  [7:0]  order_d;
    // Registers reset to 0, but youth must reset to a permutation: kept is youth ^ way, so that way 0 resets to oldest.
    reg  [7:0]  order_q;

    assign valid_d = valid_next;

    always @(*) begin : tag_d_logic
        integer i;
        tag_d = tag_q;
        for (i = 0; i < 4; i = i + 1) begin
            if (install & oldest[i]) begin
                tag_d[i * 13 +: 13] = install_key;
            end
        end
    end

    always @(*) begin : order_d_logic
        integer i;
        order_d = order_q;
        for (i = 0; i < 4; i = i + 1) begin
            if (renews) begin
                if (used[i]) begin
                    order_d[i * 2 +: 2] = YOUNGEST ^ i[1:0];
                end else if (youth[i * 2 +: 2] > used_youth) begin
                    order_d[i * 2 +: 2] = (youth[i * 2 +: 2] - 2'd1) ^ i[1:0];
                end
            end
        end
    end

    always @(*) begin : hit_ways_logic
        integer i;
        hit_ways = 4'd0;
        for (i = 0; i < 4; i = i + 1) begin
            if (valid_q[i] & (tag_q[i * 13 +: 13] == key)) begin
                hit_ways[i] = 1'b1;
            end
        end
    end

    always @(*) begin : hit_way_logic
        integer i;
        hit_way = 2'd0;
        for (i = 0; i < 4; i = i + 1) begin
            if (valid_q[i] & (tag_q[i * 13 +: 13] == key)) begin
                hit_way = hit_way | i[1:0];
            end
        end
    end

    always @(*) begin : oldest_logic
        integer i;
        oldest = 4'd0;
        for (i = 0; i < 4; i = i + 1) begin
            if (!(|youth[i * 2 +: 2])) begin
                oldest[i] = 1'b1;
            end
        end
    end

    always @(*) begin : oldest_way_logic
        integer i;
        oldest_way = 2'd0;
        for (i = 0; i < 4; i = i + 1) begin
            if (!(|youth[i * 2 +: 2])) begin
                oldest_way = oldest_way | i[1:0];
            end
        end
    end

    always @(*) begin : youth_logic
        integer i;
        for (i = 0; i < 4; i = i + 1) begin
            youth[i * 2 +: 2] = order_q[i * 2 +: 2] ^ i[1:0];
        end
    end

    always @(*) begin
        used = hit_ways;
        if (install) begin
            used = oldest;
        end
    end

    always @(*) begin : used_youth_logic
        integer i;
        used_youth = 2'd0;
        for (i = 0; i < 4; i = i + 1) begin
            if (used[i]) begin
                used_youth = used_youth | youth[i * 2 +: 2];
            end
        end
    end

    assign renews = touch | (install & install_keep);

    always @(*) begin
        valid_next = valid_q;
        if (install) begin
            valid_next = valid_q & ~oldest;
            if (install_keep) begin
                valid_next = valid_q | oldest;
            end
        end
        if (flush) begin
            valid_next = 4'd0;
        end
    end

    always @(posedge clock) begin
        if (reset) begin
            valid_q <= 4'd0;
            tag_q <= 52'd0;
            order_q <= 8'd0;
        end else begin
            valid_q <= valid_d;
            tag_q <= tag_d;
            order_q <= order_d;
        end
    end
endmodule

// misses: Miss entries, fetch queue, response register.
module misses (
    input  wire         clock,  // Clock.
    input  wire         reset,  // Synchronous reset: no entry, no fetch.
    input  wire         allocate,  // Take the pass at this edge.
    output wire         has_empty,  // At least one entry is empty.
    input  wire [14:0]  allocate_key,  // Bank, then line, of the pass.
    input  wire [31:0]  allocate_address,  // Byte address of its line in memory.
    input  wire [7:0]   allocate_tag,  // Its operation.
    input  wire [7:0]   allocate_rd,  // Its destination register.
    input  wire [2:0]   allocate_size,  // Its access size.
    input  wire         allocate_sign,  // Sign-extend.
    input  wire [7:0]   allocate_write,  // Lanes it writes.
    input  wire [7:0]   allocate_value,  // Lanes among them that take data from the line; the others get 0.
    input  wire [47:0]  allocate_offset,  // Byte in the line, for each lane. [8 x 6 bits]
    input  wire         kill,  // Every waiting entry is killed.
    output wire         replay_valid,  // A pass whose line has arrived is offered to D.
    input  wire         replay_ready,  // It is taken at this edge.
    output reg  [7:0]   replay_tag,  // Its operation.
    output wire [7:0]   replay_rd,  // Its destination register.
    output wire [2:0]   replay_size,  // Its access size.
    output wire         replay_sign,  // Sign-extend.
    output wire [7:0]   replay_write,  // Lanes it writes.
    output wire [7:0]   replay_value,  // Lanes among them that take data from the line.
    output reg  [47:0]  replay_offset,  // Byte in the line, for each lane. [8 x 6 bits]
    output reg  [9:0]   replay_line,  // Line (address bits 15 to 6).
    output wire [1:0]   replay_error,  // Which sectors of its line came back with an error.
    input  wire         data_is_replay,  // D holds a replayed pass.
    input  wire [7:0]   data_tag,  // Operation in D.
    output reg          holds_data_tag,  // An entry holds another pass of that operation.
    // A line is complete and enters the cache at this edge; nothing leaves T in this cycle.
    output wire         install,
    output reg  [14:0]  install_key,  // Bank, then line, of the arriving line.
    output wire         install_keep,  // No sector failed and the fetch is not killed.
    output reg  [511:0] install_data,  // The line, word 0 lowest. [16 x 32 bits]
    output wire         mem_req_valid,  // A sector is asked for.
    input  wire         mem_req_ready,  // Taken at this edge.
    output wire [5:0]   mem_req_id,  // 2 x entry + sector.
    output reg  [31:0]  mem_req_addr,  // Sector-aligned byte address.
    input  wire         mem_rsp_valid,  // A sector came back.
    output wire         mem_rsp_ready,  // Taken at this edge.
    input  wire [5:0]   mem_rsp_id,  // The request's id.
    input  wire [255:0] mem_rsp_data,  // The sector, word 0 lowest. [8 x 32 bits]
    input  wire         mem_rsp_error  // The memory side failed.
);
    wire [3:0]   empty;
    wire [3:0]   taken;
    reg  [1:0]   taken_index;
    reg          joins;
    reg  [1:0]   joined;
    wire         starts;
    wire [3:0]   replayed;
    reg  [1:0]   replayed_index;
    reg  [3:0]   leaves;
    reg          request_done;
    wire [1:0]   response_fetch;
    wire         response_sector;
    wire         response_completes;
    wire         consumes;
    reg  [3:0]   arrives;
    reg  [1:0]   sector_error;
    reg  [3:0]   woken;
    reg  [3:0]   response_entry;
    reg  [3:0]   taken_now;
    reg  [3:0]   killed_next;
    wire [3:0]   valid_d;
    reg  [3:0]   valid_q;
    reg  [3:0]   ready_d;
    reg  [3:0]   ready_q;
    wire [3:0]   killed_d;
    reg  [3:0]   killed_q;
    wire [3:0]   arrived_d;
    reg  [3:0]   arrived_q;  // Of a fetch, under its first entry's number: one sector has arrived.
    reg  [3:0]   first_error_d;
    reg  [3:0]   first_error_q;  // Of a fetch: the sector that arrived first had an error.
    reg  [7:0]   fetch_d;
    reg  [7:0]   fetch_q;
    reg  [59:0]  key_d;
    reg  [59:0]  key_q;
    reg  [31:0]  tag_d;
    reg  [31:0]  tag_q;
    wire [7:0]   held_rd_read_data;
    wire [2:0]   held_size_read_data;
    wire         held_sign_read_data;
    wire [7:0]   held_write_read_data;
    wire [7:0]   held_value_read_data;
    wire [47:0]  held_offset_read_data;
    wire [1:0]   queue_entry_read_data;
    wire [31:0]  queue_address_read_data;
    reg  [1:0]   queue_head_d;
    reg  [1:0]   queue_head_q;
    reg  [1:0]   queue_tail_d;
    reg  [1:0]   queue_tail_q;
    reg          queue_used_d;
    reg          queue_used_q;  // The queue is not empty; with it set, queue_head == queue_tail means full.
    reg          queue_sector_d;
    reg          queue_sector_q;
    reg          response_full_d;
    reg          response_full_q;
    reg  [5:0]   response_id_d;
    reg  [5:0]   response_id_q;
    reg  [255:0] response_data_d;
    reg  [255:0] response_data_q;
    reg          response_error_d;
    reg          response_error_q;
    wire [255:0] first_sector_read_data;
    reg  [7:0]   first_sector_write_enable;
    reg  [1:0]   fill_error_d;
    reg  [1:0]   fill_error_q;

    assign valid_d = (valid_q | taken_now) & ~leaves;

    always @(*) begin
        ready_d = ready_q & ~leaves;
        if (install) begin
            ready_d = woken;
        end
    end

    assign killed_d = killed_next;

    assign arrived_d = (arrived_q | arrives) & ~taken_now;

    always @(*) begin
        if (response_error_q) begin
            first_error_d = (first_error_q | arrives) & ~taken_now;
        end else begin
            first_error_d = first_error_q & ~arrives & ~taken_now;
        end
    end

    always @(*) begin : fetch_d_logic
        integer i;
        fetch_d = fetch_q;
        for (i = 0; i < 4; i = i + 1) begin
            if (taken_now[i]) begin
                fetch_d[i * 2 +: 2] = taken_index;
                if (joins) begin
                    fetch_d[i * 2 +: 2] = joined;
                end
            end
        end
    end

    always @(*) begin : key_d_logic
        integer i;
        key_d = key_q;
        for (i = 0; i < 4; i = i + 1) begin
            if (taken_now[i]) begin
                key_d[i * 15 +: 15] = allocate_key;
            end
        end
    end

    always @(*) begin : tag_d_logic
        integer i;
        tag_d = tag_q;
        for (i = 0; i < 4; i = i + 1) begin
            if (taken_now[i]) begin
                tag_d[i * 8 +: 8] = allocate_tag;
            end
        end
    end

    always @(*) begin
        queue_head_d = queue_head_q;
        if (request_done) begin
            queue_head_d = queue_head_q + 2'd1;
        end
    end

    always @(*) begin
        queue_tail_d = queue_tail_q;
        if (starts) begin
            queue_tail_d = queue_tail_q + 2'd1;
        end
    end

    always @(*) begin
        queue_used_d = queue_used_q;
        if (request_done) begin
            queue_used_d = (queue_head_q + 2'd1) != queue_tail_q;
        end
        if (starts) begin
            queue_used_d = 1'b1;
        end
    end

    always @(*) begin
        queue_sector_d = queue_sector_q;
        if (queue_used_q & mem_req_ready) begin
            queue_sector_d = !queue_sector_q;
        end
    end

    always @(*) begin
        response_full_d = response_full_q;
        if (mem_rsp_ready) begin
            response_full_d = mem_rsp_valid;
        end
    end

    always @(*) begin
        response_id_d = response_id_q;
        if (mem_rsp_ready) begin
            response_id_d = mem_rsp_id;
        end
    end

    always @(*) begin : response_data_d_logic
        integer i;
        i = 0;
        response_data_d = response_data_q;
        if (mem_rsp_ready) begin
            for (i = 0; i < 8; i = i + 1) begin
                response_data_d[i * 32 +: 32] = mem_rsp_data[i * 32 +: 32];
            end
        end
    end

    always @(*) begin
        response_error_d = response_error_q;
        if (mem_rsp_ready) begin
            response_error_d = mem_rsp_error;
        end
    end

    always @(*) begin
        fill_error_d = fill_error_q;
        if (install) begin
            fill_error_d = sector_error;
        end
    end

    assign empty = ~valid_q;

    assign has_empty = |empty;

    assign taken = empty & (valid_q + 4'd1);

    always @(*) begin
        taken_now = 4'd0;
        if (allocate) begin
            taken_now = taken;
        end
    end

    always @(*) begin : taken_index_logic
        integer i;
        taken_index = 2'd0;
        for (i = 0; i < 4; i = i + 1) begin
            if (taken[i]) begin
                taken_index = taken_index | i[1:0];
            end
        end
    end

    always @(*) begin : joins_logic
        integer i;
        joins = 1'b0;
        for (i = 0; i < 4; i = i + 1) begin
            if (valid_q[i] & !ready_q[i] & !killed_q[i] & (key_q[i * 15 +: 15] == allocate_key)) begin
                joins = 1'b1;
            end
        end
    end

    always @(*) begin : joined_logic
        integer i;
        joined = 2'd0;
        for (i = 0; i < 4; i = i + 1) begin
            if (valid_q[i] & !ready_q[i] & !killed_q[i] & (key_q[i * 15 +: 15] == allocate_key)) begin
                joined = joined | fetch_q[i * 2 +: 2];
            end
        end
    end

    assign starts = allocate & !joins;

    assign replay_valid = |ready_q;

    assign replayed = ready_q & (~ready_q + 4'd1);

    always @(*) begin
        leaves = 4'd0;
        if (replay_ready) begin
            leaves = replayed;
        end
    end

    always @(*) begin : replayed_index_logic
        integer i;
        replayed_index = 2'd0;
        for (i = 0; i < 4; i = i + 1) begin
            if (replayed[i]) begin
                replayed_index = replayed_index | i[1:0];
            end
        end
    end

    always @(*) begin : replay_tag_logic
        integer i;
        replay_tag = 8'd0;
        for (i = 0; i < 4; i = i + 1) begin
            if (replayed[i]) begin
                replay_tag = replay_tag | tag_q[i * 8 +: 8];
            end
        end
    end

    always @(*) begin : replay_line_logic
        integer i;
        replay_line = 10'd0;
        for (i = 0; i < 4; i = i + 1) begin
            if (replayed[i]) begin
                replay_line = replay_line | key_q[i * 15 +: 10];
            end
        end
    end

    always @(*) begin : holds_data_tag_logic
        integer i;
        holds_data_tag = 1'b0;
        for (i = 0; i < 4; i = i + 1) begin
            if (valid_q[i] & (tag_q[i * 8 +: 8] == data_tag)) begin
                holds_data_tag = 1'b1;
            end
        end
    end

    assign replay_error = fill_error_q;

    assign replay_rd = held_rd_read_data;

    assign replay_size = held_size_read_data;

    assign replay_sign = |held_sign_read_data;

    assign replay_write = held_write_read_data;

    assign replay_value = held_value_read_data;

    always @(*) begin : replay_offset_logic
        integer i;
        for (i = 0; i < 8; i = i + 1) begin
            replay_offset[i * 6 +: 6] = held_offset_read_data[i * 6 +: 6];
        end
    end

    assign mem_req_valid = queue_used_q;

    assign mem_req_id = (({4'd0, queue_entry_read_data} << 1) & ~(6'd1 << 0)) | ({5'd0, queue_sector_q} << 0);

    always @(*) begin
        mem_req_addr = queue_address_read_data;
        if (queue_sector_q) begin
            mem_req_addr = queue_address_read_data | 32'd32;
        end
    end

    always @(*) begin
        request_done = 1'b0;
        if (queue_used_q & mem_req_ready) begin
            request_done = queue_sector_q;
        end
    end

    assign response_fetch = response_id_q[2:1];

    assign response_sector = response_id_q[0];

    assign response_completes = arrived_q[response_fetch];

    assign install = response_full_q & response_completes & !replay_valid & !data_is_replay;

    assign consumes = install | (response_full_q & !response_completes);

    assign mem_rsp_ready = !response_full_q | consumes;

    always @(*) begin : response_entry_logic
        integer i;
        response_entry = 4'd0;
        for (i = 0; i < 4; i = i + 1) begin
            if (response_fetch == i[1:0]) begin
                response_entry[i] = 1'b1;
            end
        end
    end

    always @(*) begin : woken_logic
        integer i;
        woken = 4'd0;
        for (i = 0; i < 4; i = i + 1) begin
            if (valid_q[i] & (fetch_q[i * 2 +: 2] == response_fetch)) begin
                woken[i] = 1'b1;
            end
        end
    end

    always @(*) begin : install_key_logic
        integer i;
        install_key = 15'd0;
        for (i = 0; i < 4; i = i + 1) begin
            if (response_fetch == i[1:0]) begin
                install_key = install_key | key_q[i * 15 +: 15];
            end
        end
    end

    always @(*) begin : install_data_logic
        integer i;
        for (i = 0; i < 8; i = i + 1) begin
            install_data[i * 32 +: 32] = response_data_q[i * 32 +: 32];
            install_data[(i + 8) * 32 +: 32] = first_sector_read_data[i * 32 +: 32];
            if (response_sector) begin
                install_data[i * 32 +: 32] = first_sector_read_data[i * 32 +: 32];
                install_data[(i + 8) * 32 +: 32] = response_data_q[i * 32 +: 32];
            end
        end
    end

    always @(*) begin : first_sector_write_enable_logic
        integer i;
        for (i = 0; i < 8; i = i + 1) begin
            first_sector_write_enable[i] = response_full_q & !response_completes;
        end
    end

    always @(*) begin
        sector_error = 2'd0;
        if (response_sector) begin
            sector_error = ({response_error_q, sector_error[0]} & ~(2'd1 << 0)) |
              ({1'b0, first_error_q[response_fetch]} << 0);
        end else begin
            sector_error = ({sector_error[1], response_error_q} & ~(2'd1 << 1)) |
              ({1'b0, first_error_q[response_fetch]} << 1);
        end
    end

    assign install_keep = !(|sector_error) & !killed_q[response_fetch];

    always @(*) begin
        arrives = 4'd0;
        if (response_full_q & !response_completes) begin
            arrives = response_entry;
        end
    end

    always @(*) begin
        killed_next = killed_q & ~taken_now;
        if (kill) begin
            killed_next = killed_q | (valid_q & ~ready_q);
        end
    end

    memory_4x8 held_rd (
        .clock         (clock),
        .read_address  (replayed_index),
        .read_data     (held_rd_read_data),
        .write_enable  (allocate),
        .write_address (taken_index),
        .write_data    (allocate_rd)
    );

    memory_4x3 held_size (
        .clock         (clock),
        .read_address  (replayed_index),
        .read_data     (held_size_read_data),
        .write_enable  (allocate),
        .write_address (taken_index),
        .write_data    (allocate_size)
    );

    memory_4x1 held_sign (
        .clock         (clock),
        .read_address  (replayed_index),
        .read_data     (held_sign_read_data),
        .write_enable  (allocate),
        .write_address (taken_index),
        .write_data    (allocate_sign)
    );

    memory_4x8 held_write (
        .clock         (clock),
        .read_address  (replayed_index),
        .read_data     (held_write_read_data),
        .write_enable  (allocate),
        .write_address (taken_index),
        .write_data    (allocate_write)
    );

    memory_4x8 held_value (
        .clock         (clock),
        .read_address  (replayed_index),
        .read_data     (held_value_read_data),
        .write_enable  (allocate),
        .write_address (taken_index),
        .write_data    (allocate_value)
    );

    genvar index;
    generate
        for (index = 0; index < 8; index = index + 1) begin : held_offset
            memory_4x6 unit (
                .clock         (clock),
                .read_address  (replayed_index),
                .read_data     (held_offset_read_data[index * 6 +: 6]),
                .write_enable  (allocate),
                .write_address (taken_index),
                .write_data    (allocate_offset[index * 6 +: 6])
            );
        end
    endgenerate

    memory_4x2 queue_entry (
        .clock         (clock),
        .read_address  (queue_head_q),
        .read_data     (queue_entry_read_data),
        .write_enable  (starts),
        .write_address (queue_tail_q),
        .write_data    (taken_index)
    );

    memory_4x32 queue_address (
        .clock         (clock),
        .read_address  (queue_head_q),
        .read_data     (queue_address_read_data),
        .write_enable  (starts),
        .write_address (queue_tail_q),
        .write_data    (allocate_address)
    );

    genvar index_2;
    generate
        for (index_2 = 0; index_2 < 8; index_2 = index_2 + 1) begin : first_sector
            memory_4x32 unit (
                .clock         (clock),
                .read_address  (response_fetch),
                .read_data     (first_sector_read_data[index_2 * 32 +: 32]),
                .write_enable  (first_sector_write_enable[index_2]),
                .write_address (response_fetch),
                .write_data    (response_data_q[index_2 * 32 +: 32])
            );
        end
    endgenerate

    always @(posedge clock) begin
        if (reset) begin
            valid_q <= 4'd0;
            ready_q <= 4'd0;
            killed_q <= 4'd0;
            arrived_q <= 4'd0;
            first_error_q <= 4'd0;
            fetch_q <= 8'd0;
            key_q <= 60'd0;
            tag_q <= 32'd0;
            queue_head_q <= 2'd0;
            queue_tail_q <= 2'd0;
            queue_used_q <= 1'b0;
            queue_sector_q <= 1'b0;
            response_full_q <= 1'b0;
            response_id_q <= 6'd0;
            response_data_q <= 256'd0;
            response_error_q <= 1'b0;
            fill_error_q <= 2'd0;
        end else begin
            valid_q <= valid_d;
            ready_q <= ready_d;
            killed_q <= killed_d;
            arrived_q <= arrived_d;
            first_error_q <= first_error_d;
            fetch_q <= fetch_d;
            key_q <= key_d;
            tag_q <= tag_d;
            queue_head_q <= queue_head_d;
            queue_tail_q <= queue_tail_d;
            queue_used_q <= queue_used_d;
            queue_sector_q <= queue_sector_d;
            response_full_q <= response_full_d;
            response_id_q <= response_id_d;
            response_data_q <= response_data_d;
            response_error_q <= response_error_d;
            fill_error_q <= fill_error_d;
        end
    end
endmodule

// memory_4x8: asynchronous read, synchronous write, zero at power-up.
module memory_4x8 (
    input  wire clock,  // Rising edge writes.
    input  wire [1:0] read_address,  // Word to read.
    output wire [7:0] read_data,  // The word at read_address, in the same cycle.
    input  wire write_enable,  // Write write_data at the next edge.
    input  wire [1:0] write_address,  // Word to write.
    input  wire [7:0] write_data  // Value to write.
);
    reg [7:0] words [0:3];

    initial begin : power_up
        integer i;
        for (i = 0; i < 4; i = i + 1) begin
            words[i] = 8'd0;
        end
    end

    assign read_data = words[read_address];

    always @(posedge clock) begin
        if (write_enable) begin
            words[write_address] <= write_data;
        end
    end
endmodule

// memory_4x3: asynchronous read, synchronous write, zero at power-up.
module memory_4x3 (
    input  wire clock,  // Rising edge writes.
    input  wire [1:0] read_address,  // Word to read.
    output wire [2:0] read_data,  // The word at read_address, in the same cycle.
    input  wire write_enable,  // Write write_data at the next edge.
    input  wire [1:0] write_address,  // Word to write.
    input  wire [2:0] write_data  // Value to write.
);
    reg [2:0] words [0:3];

    initial begin : power_up
        integer i;
        for (i = 0; i < 4; i = i + 1) begin
            words[i] = 3'd0;
        end
    end

    assign read_data = words[read_address];

    always @(posedge clock) begin
        if (write_enable) begin
            words[write_address] <= write_data;
        end
    end
endmodule

// memory_4x1: asynchronous read, synchronous write, zero at power-up.
module memory_4x1 (
    input  wire clock,  // Rising edge writes.
    input  wire [1:0] read_address,  // Word to read.
    output wire read_data,  // The word at read_address, in the same cycle.
    input  wire write_enable,  // Write write_data at the next edge.
    input  wire [1:0] write_address,  // Word to write.
    input  wire write_data  // Value to write.
);
    reg words [0:3];

    initial begin : power_up
        integer i;
        for (i = 0; i < 4; i = i + 1) begin
            words[i] = 1'b0;
        end
    end

    assign read_data = words[read_address];

    always @(posedge clock) begin
        if (write_enable) begin
            words[write_address] <= write_data;
        end
    end
endmodule

// memory_4x6: asynchronous read, synchronous write, zero at power-up.
module memory_4x6 (
    input  wire clock,  // Rising edge writes.
    input  wire [1:0] read_address,  // Word to read.
    output wire [5:0] read_data,  // The word at read_address, in the same cycle.
    input  wire write_enable,  // Write write_data at the next edge.
    input  wire [1:0] write_address,  // Word to write.
    input  wire [5:0] write_data  // Value to write.
);
    reg [5:0] words [0:3];

    initial begin : power_up
        integer i;
        for (i = 0; i < 4; i = i + 1) begin
            words[i] = 6'd0;
        end
    end

    assign read_data = words[read_address];

    always @(posedge clock) begin
        if (write_enable) begin
            words[write_address] <= write_data;
        end
    end
endmodule

// memory_4x2: asynchronous read, synchronous write, zero at power-up.
module memory_4x2 (
    input  wire clock,  // Rising edge writes.
    input  wire [1:0] read_address,  // Word to read.
    output wire [1:0] read_data,  // The word at read_address, in the same cycle.
    input  wire write_enable,  // Write write_data at the next edge.
    input  wire [1:0] write_address,  // Word to write.
    input  wire [1:0] write_data  // Value to write.
);
    reg [1:0] words [0:3];

    initial begin : power_up
        integer i;
        for (i = 0; i < 4; i = i + 1) begin
            words[i] = 2'd0;
        end
    end

    assign read_data = words[read_address];

    always @(posedge clock) begin
        if (write_enable) begin
            words[write_address] <= write_data;
        end
    end
endmodule

// memory_4x32: asynchronous read, synchronous write, zero at power-up.
module memory_4x32 (
    input  wire clock,  // Rising edge writes.
    input  wire [1:0] read_address,  // Word to read.
    output wire [31:0] read_data,  // The word at read_address, in the same cycle.
    input  wire write_enable,  // Write write_data at the next edge.
    input  wire [1:0] write_address,  // Word to write.
    input  wire [31:0] write_data  // Value to write.
);
    reg [31:0] words [0:3];

    initial begin : power_up
        integer i;
        for (i = 0; i < 4; i = i + 1) begin
            words[i] = 32'd0;
        end
    end

    assign read_data = words[read_address];

    always @(posedge clock) begin
        if (write_enable) begin
            words[write_address] <= write_data;
        end
    end
endmodule

// data_stage: Place D, the line memory and register W.
module data_stage (
    input  wire         clock,  // Clock.
    input  wire         reset,  // Synchronous reset; the line memory keeps its content.
    input  wire         in_valid,  // A pass is offered; only while in_ready.
    output wire         in_ready,  // D is free at this edge.
    input  wire         in_is_replay,  // The pass comes from a miss entry and reads the line installed last.
    input  wire [7:0]   in_tag,  // Names the operation.
    input  wire [7:0]   in_rd,  // Destination register.
    input  wire [2:0]   in_size,  // log2 of the access size in bytes.
    input  wire         in_sign,  // Sign-extend.
    input  wire [7:0]   in_write,  // Lanes that the pass writes.
    input  wire [7:0]   in_value,  // Lanes among them that take data from the line; the others get 0.
    input  wire [47:0]  in_offset,  // Byte in the line, for each lane. [8 x 6 bits]
    input  wire [9:0]   in_line,  // Line: address bits 15 to 6.
    input  wire [1:0]   in_way,  // Way that holds the line, for a pass that hit.
    input  wire [1:0]   in_error,  // Sectors that came back with an error, for a replayed pass.
    input  wire         install,  // A line arrives.
    input  wire [1:0]   install_set,  // Its set.
    input  wire [1:0]   install_way,  // The way that it takes.
    input  wire [511:0] install_data,  // Word 0 lowest. [16 x 32 bits]
    output wire         is_replay,  // D holds a pass that came from a miss entry.
    output wire [7:0]   tag,  // Operation in D.
    input  wire         has_more,  // Another place holds a pass of that operation.
    output wire         fault_valid,  // A memory_error record is offered; only when D moves with it.
    input  wire         fault_ready,  // F is free at this edge.
    output wire [7:0]   fault_lanes,  // Failed lanes of the pass.
    output wire [15:0]  fault_address,  // Address of the lowest one inside its bank.
    output wire         wb_valid,  // A register is offered.
    input  wire         wb_ready,  // Taken at this edge.
    output wire [7:0]   wb_tag,  // Its operation.
    output wire [7:0]   wb_rd,  // The register.
    output wire [7:0]   wb_mask,  // Lanes written.
    output reg  [255:0] wb_data,  // Values; 0 in lanes that are not written. [8 x 32 bits]
    output wire         wb_last  // Ends the operation.
);
    wire         out_ready;
    reg          is_last_beat;
    reg  [7:0]   failed;
    wire [7:0]   lowest_failed;
    reg  [5:0]   failed_offset;
    wire         reports;
    wire         sends;
    wire [3:0]   install_slot;
    reg  [511:0] line_word;  // [16 x 32 bits]
    reg  [3:0]   picked_index;
    reg  [255:0] lane_word;  // [8 x 32 bits]
    reg          full_d;
    reg          full_q;
    reg          is_replay_held_d;
    reg          is_replay_held_q;
    reg  [7:0]   tag_held_d;
    reg  [7:0]   tag_held_q;
    reg  [7:0]   rd_d;
    reg  [7:0]   rd_q;
    reg  [2:0]   size_d;
    reg  [2:0]   size_q;
    reg          sign_d;
    reg          sign_q;
    reg  [7:0]   write_d;
    reg  [7:0]   write_q;
    reg  [7:0]   value_d;
    reg  [7:0]   value_q;
    reg  [47:0]  offset_d;
    reg  [47:0]  offset_q;
    reg  [31:0]  word_index_d;
    // Word that each lane reads in this beat: counted here so that no logic stands before the line's multiplexers.
    reg  [31:0]  word_index_q;
    reg  [9:0]   line_d;
    reg  [9:0]   line_q;
    reg  [3:0]   slot_d;
    reg  [3:0]   slot_q;
    reg  [1:0]   error_d;
    reg  [1:0]   error_q;
    reg  [1:0]   beat_d;
    reg  [1:0]   beat_q;
    reg  [1:0]   fill_way_d;
    reg  [1:0]   fill_way_q;
    wire [511:0] word_read_data;
    wire [255:0] extract_value;
    reg          out_full_d;
    reg          out_full_q;
    reg  [7:0]   out_tag_d;
    reg  [7:0]   out_tag_q;
    reg  [7:0]   out_rd_d;
    reg  [7:0]   out_rd_q;
    reg  [7:0]   out_mask_d;
    reg  [7:0]   out_mask_q;
    reg  [255:0] out_word_d;
    reg  [255:0] out_word_q;
    reg  [15:0]  out_byte_d;
    reg  [15:0]  out_byte_q;
    reg  [7:0]   out_served_d;
    reg  [7:0]   out_served_q;
    reg  [2:0]   out_size_d;
    reg  [2:0]   out_size_q;
    reg          out_sign_d;
    reg          out_sign_q;
    reg          out_last_d;
    reg          out_last_q;

    always @(*) begin
        full_d = full_q;
        if (in_ready) begin
            full_d = in_valid;
        end
    end

    always @(*) begin
        is_replay_held_d = is_replay_held_q;
        if (in_ready) begin
            is_replay_held_d = in_is_replay;
        end
    end

    always @(*) begin
        tag_held_d = tag_held_q;
        if (in_ready) begin
            tag_held_d = in_tag;
        end
    end

    always @(*) begin
        rd_d = rd_q;
        if (in_ready) begin
            rd_d = in_rd;
        end
    end

    always @(*) begin
        size_d = size_q;
        if (in_ready) begin
            size_d = in_size;
        end
    end

    always @(*) begin
        sign_d = sign_q;
        if (in_ready) begin
            sign_d = in_sign;
        end
    end

    always @(*) begin
        write_d = write_q;
        if (in_ready) begin
            write_d = in_write;
        end
    end

    always @(*) begin
        value_d = value_q;
        if (in_ready) begin
            value_d = in_value;
        end
    end

    always @(*) begin : offset_d_logic
        integer i;
        i = 0;
        offset_d = offset_q;
        if (in_ready) begin
            for (i = 0; i < 8; i = i + 1) begin
                offset_d[i * 6 +: 6] = in_offset[i * 6 +: 6];
            end
        end
    end

    always @(*) begin : word_index_d_logic
        integer i;
        i = 0;
        word_index_d = word_index_q;
        if (sends) begin
            for (i = 0; i < 8; i = i + 1) begin
                word_index_d[i * 4 +: 4] = word_index_q[i * 4 +: 4] + 4'd1;
            end
        end
        if (in_ready) begin
            for (i = 0; i < 8; i = i + 1) begin
                word_index_d[i * 4 +: 4] = in_offset[(i * 6) + 2 +: 4];
            end
        end
    end

    always @(*) begin
        line_d = line_q;
        if (in_ready) begin
            line_d = in_line;
        end
    end

    always @(*) begin
        slot_d = slot_q;
        if (in_ready) begin
            slot_d = ({2'd0, in_way} << 2) | (in_line[3:0] & 4'd3);
            if (in_is_replay) begin
                slot_d = ({2'd0, fill_way_q} << 2) | (in_line[3:0] & 4'd3);
            end
        end
    end

    always @(*) begin
        error_d = error_q;
        if (in_ready) begin
            error_d = 2'd0;
            if (in_is_replay) begin
                error_d = in_error;
            end
        end
    end

    always @(*) begin
        beat_d = beat_q;
        if (sends) begin
            beat_d = beat_q + 2'd1;
        end
        if (in_ready) begin
            beat_d = 2'd0;
        end
    end

    always @(*) begin
        fill_way_d = fill_way_q;
        if (install) begin
            fill_way_d = install_way;
        end
    end

    always @(*) begin
        out_full_d = out_full_q;
        if (out_ready) begin
            out_full_d = sends;
        end
    end

    always @(*) begin
        out_tag_d = out_tag_q;
        if (sends) begin
            out_tag_d = tag_held_q;
        end
    end

    always @(*) begin
        out_rd_d = out_rd_q;
        if (sends) begin
            out_rd_d = rd_q + {6'd0, beat_q};
        end
    end

    always @(*) begin
        out_mask_d = out_mask_q;
        if (sends) begin
            out_mask_d = write_q & ~failed;
        end
    end

    always @(*) begin : out_word_d_logic
        integer i;
        i = 0;
        out_word_d = out_word_q;
        if (sends) begin
            for (i = 0; i < 8; i = i + 1) begin
                out_word_d[i * 32 +: 32] = lane_word[i * 32 +: 32];
            end
        end
    end

    always @(*) begin : out_byte_d_logic
        integer i;
        i = 0;
        out_byte_d = out_byte_q;
        if (sends) begin
            for (i = 0; i < 8; i = i + 1) begin
                out_byte_d[i * 2 +: 2] = offset_q[i * 6 +: 2];
            end
        end
    end

    always @(*) begin
        out_served_d = out_served_q;
        if (sends) begin
            out_served_d = value_q & ~failed;
        end
    end

    always @(*) begin
        out_size_d = out_size_q;
        if (sends) begin
            out_size_d = size_q;
        end
    end

    always @(*) begin
        out_sign_d = out_sign_q;
        if (sends) begin
            out_sign_d = sign_q;
        end
    end

    always @(*) begin
        out_last_d = out_last_q;
        if (sends) begin
            out_last_d = is_last_beat & !has_more;
        end
    end

    always @(*) begin : failed_logic
        integer i;
        failed = 8'd0;
        for (i = 0; i < 8; i = i + 1) begin
            if (value_q[i] & ((offset_q[(i * 6) + 5] & error_q[1]) | (!offset_q[(i * 6) + 5] & error_q[0]))) begin
                failed[i] = 1'b1;
            end
        end
    end

    assign lowest_failed = failed & (~failed + 8'd1);

    always @(*) begin : failed_offset_logic
        integer i;
        failed_offset = 6'd0;
        for (i = 0; i < 8; i = i + 1) begin
            if (lowest_failed[i]) begin
                failed_offset = failed_offset | offset_q[i * 6 +: 6];
            end
        end
    end

    assign fault_lanes = failed;

    assign fault_address = ({6'd0, line_q} << 6) | {10'd0, failed_offset};

    assign reports = (beat_q == 2'd0) & (|failed);

    assign out_ready = !out_full_q | wb_ready;

    assign sends = full_q & out_ready & (!reports | fault_ready);

    assign fault_valid = full_q & out_ready & reports;

    always @(*) begin
        is_last_beat = 1'b1;
        if (size_q == 3'd3) begin
            is_last_beat = beat_q == 2'd1;
        end
        if (size_q == 3'd4) begin
            is_last_beat = beat_q == 2'd3;
        end
    end

    assign in_ready = !full_q | (sends & is_last_beat);

    assign is_replay = full_q & is_replay_held_q;

    assign tag = tag_held_q;

    assign install_slot = ({2'd0, install_way} << 2) | {2'd0, install_set};

    always @(*) begin : line_word_logic
        integer i;
        for (i = 0; i < 16; i = i + 1) begin
            line_word[i * 32 +: 32] = word_read_data[i * 32 +: 32];
        end
    end

    always @(*) begin : picked_index_logic
        integer i;
        for (i = 0; i < 8; i = i + 1) begin
            picked_index = word_index_q[i * 4 +: 4];
            lane_word[i * 32 +: 32] = line_word[{picked_index, 5'd0} +: 32];
        end
    end

    assign wb_valid = out_full_q;

    assign wb_tag = out_tag_q;

    assign wb_rd = out_rd_q;

    assign wb_mask = out_mask_q;

    assign wb_last = out_last_q;

    always @(*) begin : wb_data_logic
        integer i;
        for (i = 0; i < 8; i = i + 1) begin
            wb_data[i * 32 +: 32] = extract_value[i * 32 +: 32];
        end
    end

    genvar index;
    generate
        for (index = 0; index < 16; index = index + 1) begin : word
            memory_16x32 unit (
                .clock         (clock),
                .read_address  (slot_q),
                .read_data     (word_read_data[index * 32 +: 32]),
                .write_enable  (install),
                .write_address (install_slot),
                .write_data    (install_data[index * 32 +: 32])
            );
        end
    endgenerate

    ldc_extract extract (
        .word       (out_word_q),
        .byte_index (out_byte_q),
        .served     (out_served_q),
        .size       (out_size_q),
        .sign       (out_sign_q),
        .value      (extract_value)
    );

    always @(posedge clock) begin
        if (reset) begin
            full_q <= 1'b0;
            is_replay_held_q <= 1'b0;
            tag_held_q <= 8'd0;
            rd_q <= 8'd0;
            size_q <= 3'd0;
            sign_q <= 1'b0;
            write_q <= 8'd0;
            value_q <= 8'd0;
            offset_q <= 48'd0;
            word_index_q <= 32'd0;
            line_q <= 10'd0;
            slot_q <= 4'd0;
            error_q <= 2'd0;
            beat_q <= 2'd0;
            fill_way_q <= 2'd0;
            out_full_q <= 1'b0;
            out_tag_q <= 8'd0;
            out_rd_q <= 8'd0;
            out_mask_q <= 8'd0;
            out_word_q <= 256'd0;
            out_byte_q <= 16'd0;
            out_served_q <= 8'd0;
            out_size_q <= 3'd0;
            out_sign_q <= 1'b0;
            out_last_q <= 1'b0;
        end else begin
            full_q <= full_d;
            is_replay_held_q <= is_replay_held_d;
            tag_held_q <= tag_held_d;
            rd_q <= rd_d;
            size_q <= size_d;
            sign_q <= sign_d;
            write_q <= write_d;
            value_q <= value_d;
            offset_q <= offset_d;
            word_index_q <= word_index_d;
            line_q <= line_d;
            slot_q <= slot_d;
            error_q <= error_d;
            beat_q <= beat_d;
            fill_way_q <= fill_way_d;
            out_full_q <= out_full_d;
            out_tag_q <= out_tag_d;
            out_rd_q <= out_rd_d;
            out_mask_q <= out_mask_d;
            out_word_q <= out_word_d;
            out_byte_q <= out_byte_d;
            out_served_q <= out_served_d;
            out_size_q <= out_size_d;
            out_sign_q <= out_sign_d;
            out_last_q <= out_last_d;
        end
    end
endmodule

// memory_16x32: asynchronous read, synchronous write, zero at power-up.
module memory_16x32 (
    input  wire clock,  // Rising edge writes.
    input  wire [3:0] read_address,  // Word to read.
    output wire [31:0] read_data,  // The word at read_address, in the same cycle.
    input  wire write_enable,  // Write write_data at the next edge.
    input  wire [3:0] write_address,  // Word to write.
    input  wire [31:0] write_data  // Value to write.
);
    reg [31:0] words [0:15];

    initial begin : power_up
        integer i;
        for (i = 0; i < 16; i = i + 1) begin
            words[i] = 32'd0;
        end
    end

    assign read_data = words[read_address];

    always @(posedge clock) begin
        if (write_enable) begin
            words[write_address] <= write_data;
        end
    end
endmodule

// ldc_extract: One register of every lane, extended to 32 bits.
module ldc_extract (
    input  wire [255:0] word,  // Word in which each lane's access begins. [8 x 32 bits]
    input  wire [15:0]  byte_index,  // Byte in that word where an 8- or 16-bit access begins. [8 x 2 bits]
    input  wire [7:0]   served,  // Lanes that take data; the others are 0.
    input  wire [2:0]   size,  // log2 of the access size in bytes.
    input  wire         sign,  // Sign-extend 8 and 16 bits.
    output reg  [255:0] value  // The register of each lane. [8 x 32 bits]
);
    reg  [15:0] picked_half;
    reg  [7:0]  picked_byte;

    always @(*) begin : value_logic
        integer i;
        for (i = 0; i < 8; i = i + 1) begin
            picked_half = word[i * 32 +: 16];
            if (byte_index[(i * 2) + 1]) begin
                picked_half = word[(i * 32) + 16 +: 16];
            end
            picked_byte = picked_half[7:0];
            if (byte_index[i * 2]) begin
                picked_byte = picked_half[15:8];
            end
            value[i * 32 +: 32] = word[i * 32 +: 32];
            if (size == 3'd1) begin
                value[i * 32 +: 32] = {16'd0, picked_half};
                if (sign & picked_half[15]) begin
                    value[i * 32 +: 32] = {16'd0, picked_half} | 32'hffff0000;
                end
            end
            if (size == 3'd0) begin
                value[i * 32 +: 32] = {24'd0, picked_byte};
                if (sign & picked_byte[7]) begin
                    value[i * 32 +: 32] = {24'd0, picked_byte} | 32'hffffff00;
                end
            end
            if (!served[i]) begin
                value[i * 32 +: 32] = 32'd0;
            end
        end
    end
endmodule

// fault_port: Register F and its two sources.
module fault_port (
    input  wire        clock,  // Clock.
    input  wire        reset,  // Synchronous reset.
    input  wire        data_valid,  // D sends a memory_error record; only while data_ready.
    output wire        data_ready,  // F is free at this edge.
    input  wire [7:0]  data_tag,  // Operation in D.
    input  wire [7:0]  data_lanes,  // Failed lanes.
    input  wire [15:0] data_address,  // Address of the lowest one.
    input  wire        issue_valid,  // S offers the record of a faulty operation.
    output wire        issue_ready,  // F is free at this edge and D sends nothing.
    input  wire [7:0]  issue_tag,  // Operation in S.
    input  wire [2:0]  issue_cause,  // Why.
    input  wire [7:0]  issue_lanes,  // Faulting lanes.
    input  wire [31:0] issue_address,  // Address of the lowest one.
    output wire        fault_valid,  // A record is offered.
    input  wire        fault_ready,  // Taken at this edge.
    output wire [7:0]  fault_tag,  // Its operation.
    // 1 misaligned_register, 2 illegal_instruction, 3 misaligned_address, 5 memory_error.
    output wire [2:0]  fault_cause,
    output wire [7:0]  fault_lanes,  // Faulting lanes.
    output wire [31:0] fault_addr  // Address of the lowest one.
);
    reg         full_d;
    reg         full_q;
    reg  [7:0]  tag_d;
    reg  [7:0]  tag_q;
    reg  [2:0]  cause_d;
    reg  [2:0]  cause_q;
    reg  [7:0]  lanes_d;
    reg  [7:0]  lanes_q;
    reg  [31:0] address_d;
    reg  [31:0] address_q;

    always @(*) begin
        full_d = full_q;
        if (data_ready) begin
            full_d = data_valid | issue_valid;
        end
    end

    always @(*) begin
        tag_d = tag_q;
        if (data_ready) begin
            if (data_valid) begin
                tag_d = data_tag;
            end else begin
                tag_d = issue_tag;
            end
        end
    end

    always @(*) begin
        cause_d = cause_q;
        if (data_ready) begin
            if (data_valid) begin
                cause_d = 3'd5;
            end else begin
                cause_d = issue_cause;
            end
        end
    end

    always @(*) begin
        lanes_d = lanes_q;
        if (data_ready) begin
            if (data_valid) begin
                lanes_d = data_lanes;
            end else begin
                lanes_d = issue_lanes;
            end
        end
    end

    always @(*) begin
        address_d = address_q;
        if (data_ready) begin
            if (data_valid) begin
                address_d = {16'd0, data_address};
            end else begin
                address_d = issue_address;
            end
        end
    end

    assign data_ready = !full_q | fault_ready;

    assign issue_ready = data_ready & !data_valid;

    assign fault_valid = full_q;

    assign fault_tag = tag_q;

    assign fault_cause = cause_q;

    assign fault_lanes = lanes_q;

    assign fault_addr = address_q;

    always @(posedge clock) begin
        if (reset) begin
            full_q <= 1'b0;
            tag_q <= 8'd0;
            cause_q <= 3'd0;
            lanes_q <= 8'd0;
            address_q <= 32'd0;
        end else begin
            full_q <= full_d;
            tag_q <= tag_d;
            cause_q <= cause_d;
            lanes_q <= lanes_d;
            address_q <= address_d;
        end
    end
endmodule

// sticky: A bit that stays set until reset.
module sticky (
    input  wire clock,  // Clock.
    input  wire reset,  // Synchronous reset: 0.
    input  wire set,  // Becomes 1 at this edge.
    output wire value  // 1 since it was set.
);
    reg  held_d;
    reg  held_q;

    always @(*) begin
        held_d = held_q;
        if (set) begin
            held_d = 1'b1;
        end
    end

    assign value = held_q;

    always @(posedge clock) begin
        if (reset) begin
            held_q <= 1'b0;
        end else begin
            held_q <= held_d;
        end
    end
endmodule
