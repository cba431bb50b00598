// SPDX-License-Identifier: MIT OR Apache-2.0
//
// lsu 0.1.0, an open GPU load/store unit. Top module: lsu_board. What is below it stands in lsu_tiny4.v.
// Preset tiny4: LANES 4, ADDR 32 (bits of an address), MSHRs 2, slots for warps 2,
//   L1 2 sets x 2 ways x 128 bytes = 512 bytes,
//   read-only cache 2 sets x 2 ways x 128 bytes = 512 bytes,
//   constant cache 4 sets x 2 ways x 64 bytes = 512 bytes, with 2 misses.
// Written by: lsu verilog --preset tiny4 --top lsu_board
// Contracts of the blocks stand under the macro LSU_CONTRACTS: define it in simulation, and each that is
//   broken prints its sentence and stops. Synthesis needs no macro.
// Generated, do not edit: `lsu verilog` overwrites this file as long as the checksum below holds.
// No timescale is set, on purpose: there are no delays here, so that of your own files holds.
// sha256 of all other lines: bca056a530dab7d169d8dca0f657f91a2ab761f5b0518174339a7eff90a2dc3c
/* verilator lint_off DECLFILENAME */
`ifdef SYNTHESIS
`undef LSU_CONTRACTS
`endif
// lsu_board: The load/store unit on a board, where a host drives its pins over a serial line, a cycle a frame.
module lsu_board (
    input  wire        clk,  // Clock.
    input  wire        rst,  // Synchronous reset: between frames. It does not reset the unit.

    // The serial line.
    input  wire        rx,  // From the host.
    output wire        tx,  // To the host.
    input  wire [15:0] clocks_per_bit  // Clocks in a bit, at least 4; constant.
);
    // Between link and unit.
    wire       unit_clock;  // The unit's clock.
    wire [7:0] input_byte;  // The next byte of the unit's inputs.
    wire       input_shift;  // It comes at this edge.
    wire       output_load;  // The unit's outputs are to be kept at this edge.
    wire       output_shift;  // It goes at this edge.

    // The unit's inputs, in order of their names, the first one lowest: bytes come in at the top.
    reg  [1717:0] inputs;
    // Its outputs before the edge, in the same order: bytes go out at the bottom.
    reg  [1788:0] outputs;
    wire [31:0]  cluster_req_addr;  // Sector-aligned byte offset in the window of that CTA.
    wire [2:0]   cluster_req_cop;  // Cache operator.
    wire [255:0] cluster_req_data;  // Write data, word 0 lowest. [8 x 32 bits]
    wire [5:0]   cluster_req_id;  // Returned with the response.
    wire [1:0]   cluster_req_l2_evict;  // L2 eviction priority.
    wire [63:0]  cluster_req_policy;  // L2 cache policy.
    wire         cluster_req_policy_en;  // The policy counts.
    wire [1:0]   cluster_req_prefetch;  // Prefetch size.
    wire [7:0]   cluster_req_rank;  // Rank of the CTA that owns the address.
    wire [1:0]   cluster_req_scope;  // Scope.
    wire [2:0]   cluster_req_sem;  // Memory semantics.
    wire [31:0]  cluster_req_strb;  // Bytes written, or asked for.
    // Cluster network: a 32-byte sector request is offered; held until cluster_req_ready.
    wire         cluster_req_valid;
    wire         cluster_req_write;  // Write instead of read.
    wire         cluster_rsp_ready;  // It is taken at this edge.
    wire [7:0]   done_tag;  // Its tag.
    wire         done_valid;  // A store or command has taken effect; held until done_ready.
    wire [31:0]  fault_addr;  // Address of the lowest faulting lane.
    // 1 misaligned_register, 2 illegal_instruction, 3 misaligned_address, 4 address_out_of_range, 5 memory_error.
    wire [2:0]   fault_cause;
    wire [3:0]   fault_lanes;  // Every faulting lane.
    wire [7:0]   fault_tag;  // Its operation.
    wire         fault_valid;  // A fault record is offered; held until fault_ready.
    wire [31:0]  mem_req_addr;  // Sector-aligned byte address.
    wire [2:0]   mem_req_cop;  // Cache operator.
    wire [255:0] mem_req_data;  // Write data, word 0 lowest. [8 x 32 bits]
    wire [7:0]   mem_req_id;  // Returned with the response.
    wire [1:0]   mem_req_l2_evict;  // L2 eviction priority.
    wire [63:0]  mem_req_policy;  // L2 cache policy.
    wire         mem_req_policy_en;  // The policy counts.
    wire [1:0]   mem_req_prefetch;  // Prefetch size.
    wire [1:0]   mem_req_scope;  // Scope.
    wire [2:0]   mem_req_sem;  // Memory semantics.
    wire [31:0]  mem_req_strb;  // Bytes written, or asked for.
    wire         mem_req_valid;  // Memory side: a 32-byte sector request is offered; held until mem_req_ready.
    wire         mem_req_write;  // Write instead of read.
    wire         mem_rsp_ready;  // It is taken at this edge.
    wire         req_ready;  // It is taken at this edge.
    wire         serve_req_ready;  // It is taken at this edge.
    wire [255:0] serve_rsp_data;  // The sector, word 0 lowest; 0 for a write and for an error. [8 x 32 bits]
    wire         serve_rsp_error;  // The address lies beyond the window; nothing was written.
    wire [5:0]   serve_rsp_id;  // The request's id.
    wire [7:0]   serve_rsp_rank;  // The CTA that asked.
    // Cluster network: the response to a request of another CTA is offered; held until serve_rsp_ready.
    wire         serve_rsp_valid;
    wire         status_cfg_refused;  // Sticky: a bank-table write was refused.
    wire         status_idle;  // Nothing is in flight in this cycle.
    wire [31:0]  status_l1_hits;  // Sectors that hit L1; wraps.
    wire [31:0]  status_l1_misses;  // Sectors that missed L1; wraps.
    wire [31:0]  status_ldc_hits;  // Passes that hit; wraps.
    wire [31:0]  status_ldc_misses;  // Passes that missed; wraps.
    wire [31:0]  status_ldc_passes;  // Passes of the constant cache issued; wraps.
    wire         status_ldc_unpredictable;  // Sticky: a lane used bank 8 or more in compute mode.
    wire [31:0]  status_replays;  // Passes after their operation's first; wraps.
    wire [31:0]  status_ro_hits;  // Sectors that hit the read-only cache; wraps.
    wire [31:0]  status_ro_misses;  // Sectors that missed the read-only cache; wraps.
    wire [31:0]  status_sectors_read;  // Sectors that the global path asked the memory side for; wraps.
    wire [31:0]  status_sectors_written;  // Sectors written; wraps.
    wire [31:0]  status_stall_data;  // Cycles in which a pass waited for the next place; wraps.
    wire [31:0]  status_stall_memory;  // Cycles in which a memory request waited; wraps.
    // Cycles in which a pass waited for a waiter, an MSHR, a way or a write-back; wraps.
    wire [31:0]  status_stall_misses;
    wire [31:0]  status_stall_order;  // Cycles in which a pass waited for what comes before it; wraps.
    wire [31:0]  status_wavefronts;  // Passes of loads and stores issued; wraps.
    // Sticky: a beat of store data was taken for a store of another tag than wdata_tag.
    wire         status_wdata_wrong_tag;
    // Memory has refused a sector of local memory that was written back; sticky until reset.
    wire         status_write_back_error;
    wire [127:0] wb_data;  // Values; 0 in lanes that are not written. [4 x 32 bits]
    wire         wb_last;  // Ends the operation.
    wire [3:0]   wb_mask;  // Lanes written.
    wire [7:0]   wb_rd;  // The register.
    wire [7:0]   wb_tag;  // Its operation.
    wire         wb_valid;  // To the register file: one register of a warp is offered; held until wb_ready.
    wire         wdata_ready;  // It is taken at this edge.

    always @(posedge clk) begin
        if (input_shift) inputs <= {input_byte, inputs[1717:8]};
        if (output_shift) outputs <= {8'd0, outputs[1788:8]};
        if (output_load) begin
            outputs <= {
                wdata_ready,
                wb_valid,
                wb_tag,
                wb_rd,
                wb_mask,
                wb_last,
                wb_data,
                status_write_back_error,
                status_wdata_wrong_tag,
                status_wavefronts,
                status_stall_order,
                status_stall_misses,
                status_stall_memory,
                status_stall_data,
                status_sectors_written,
                status_sectors_read,
                status_ro_misses,
                status_ro_hits,
                status_replays,
                status_ldc_unpredictable,
                status_ldc_passes,
                status_ldc_misses,
                status_ldc_hits,
                status_l1_misses,
                status_l1_hits,
                status_idle,
                status_cfg_refused,
                serve_rsp_valid,
                serve_rsp_rank,
                serve_rsp_id,
                serve_rsp_error,
                serve_rsp_data,
                serve_req_ready,
                req_ready,
                mem_rsp_ready,
                mem_req_write,
                mem_req_valid,
                mem_req_strb,
                mem_req_sem,
                mem_req_scope,
                mem_req_prefetch,
                mem_req_policy_en,
                mem_req_policy,
                mem_req_l2_evict,
                mem_req_id,
                mem_req_data,
                mem_req_cop,
                mem_req_addr,
                fault_valid,
                fault_tag,
                fault_lanes,
                fault_cause,
                fault_addr,
                done_valid,
                done_tag,
                cluster_rsp_ready,
                cluster_req_write,
                cluster_req_valid,
                cluster_req_strb,
                cluster_req_sem,
                cluster_req_scope,
                cluster_req_rank,
                cluster_req_prefetch,
                cluster_req_policy_en,
                cluster_req_policy,
                cluster_req_l2_evict,
                cluster_req_id,
                cluster_req_data,
                cluster_req_cop,
                cluster_req_addr
            };
        end
    end

    lsu_board_link link (
        .clk            (clk),
        .rst            (rst),
        .rx             (rx),
        .tx             (tx),
        .clocks_per_bit (clocks_per_bit),
        .input_bytes    (12'd215),
        .output_bytes   (12'd224),
        .identity       (32'hcf9b36f5),
        .unit_clock     (unit_clock),
        .input_byte     (input_byte),
        .input_shift    (input_shift),
        .output_load    (output_load),
        .output_byte    (outputs[7:0]),
        .output_shift   (output_shift)
    );

    lsu unit (
        .clk                      (unit_clock),
        .rst                      (inputs[1241]),
        .rst_mem                  (inputs[1242]),
        .req_valid                (inputs[1233]),
        .req_ready                (req_ready),
        .req_tag                  (inputs[1232:1225]),
        .req_op                   (inputs[1108:1107]),
        .req_cmd                  (inputs[1057:1056]),
        .req_space                (inputs[1224:1222]),
        .req_sem                  (inputs[1189:1187]),
        .req_scope                (inputs[1186:1185]),
        .req_cop                  (inputs[1060:1058]),
        .req_l1_evict             (inputs[1097:1095]),
        .req_l2_evict             (inputs[1099:1098]),
        .req_prefetch             (inputs[1175:1174]),
        .req_policy_en            (inputs[1173]),
        .req_policy               (inputs[1172:1109]),
        .req_nc                   (inputs[1106]),
        .req_size                 (inputs[1221:1219]),
        .req_vec                  (inputs[1235:1234]),
        .req_sink                 (inputs[1218:1211]),
        .req_sign                 (inputs[1210]),
        .req_dst_width            (inputs[1062:1061]),
        .req_rd                   (inputs[1184:1177]),
        .req_mask                 (inputs[1103:1100]),
        .req_addr                 (inputs[1050:923]),
        .req_imm                  (inputs[1094:1063]),
        .req_bank                 (inputs[1055:1051]),
        .req_mode                 (inputs[1105:1104]),
        .req_ra_is_rz             (inputs[1176]),
        .req_wide                 (inputs[1240:1237]),
        .req_warp                 (inputs[1236]),
        .req_shared_base          (inputs[1199:1190]),
        .req_shared_size          (inputs[1209:1200]),
        .wdata_valid              (inputs[1717]),
        .wdata_ready              (wdata_ready),
        .wdata_tag                (inputs[1716:1709]),
        .wdata_data               (inputs[1708:1581]),
        .wb_valid                 (wb_valid),
        .wb_ready                 (inputs[1580]),
        .wb_tag                   (wb_tag),
        .wb_rd                    (wb_rd),
        .wb_mask                  (wb_mask),
        .wb_data                  (wb_data),
        .wb_last                  (wb_last),
        .fault_valid              (fault_valid),
        .fault_ready              (inputs[655]),
        .fault_tag                (fault_tag),
        .fault_cause              (fault_cause),
        .fault_lanes              (fault_lanes),
        .fault_addr               (fault_addr),
        .done_valid               (done_valid),
        .done_ready               (inputs[654]),
        .done_tag                 (done_tag),
        .mem_req_valid            (mem_req_valid),
        .mem_req_ready            (inputs[656]),
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
        .mem_rsp_valid            (inputs[922]),
        .mem_rsp_ready            (mem_rsp_ready),
        .mem_rsp_id               (inputs[921:914]),
        .mem_rsp_data             (inputs[912:657]),
        .mem_rsp_error            (inputs[913]),
        .cluster_req_valid        (cluster_req_valid),
        .cluster_req_ready        (inputs[389]),
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
        .cluster_rsp_valid        (inputs[653]),
        .cluster_rsp_ready        (cluster_rsp_ready),
        .cluster_rsp_id           (inputs[652:647]),
        .cluster_rsp_data         (inputs[645:390]),
        .cluster_rsp_error        (inputs[646]),
        .serve_req_valid          (inputs[1577]),
        .serve_req_ready          (serve_req_ready),
        .serve_req_id             (inputs[1536:1531]),
        .serve_req_rank           (inputs[1544:1537]),
        .serve_req_write          (inputs[1578]),
        .serve_req_addr           (inputs[1274:1243]),
        .serve_req_strb           (inputs[1576:1545]),
        .serve_req_data           (inputs[1530:1275]),
        .serve_rsp_valid          (serve_rsp_valid),
        .serve_rsp_ready          (inputs[1579]),
        .serve_rsp_id             (serve_rsp_id),
        .serve_rsp_rank           (serve_rsp_rank),
        .serve_rsp_data           (serve_rsp_data),
        .serve_rsp_error          (serve_rsp_error),
        .cfg_bank_write           (inputs[55]),
        .cfg_bank_index           (inputs[36:32]),
        .cfg_bank_base            (inputs[31:0]),
        .cfg_bank_size            (inputs[53:37]),
        .cfg_bank_valid           (inputs[54]),
        .cfg_compute              (inputs[76]),
        .cfg_shared_base          (inputs[356:325]),
        .cfg_shared_size          (inputs[388:357]),
        .cfg_local_base           (inputs[172:141]),
        .cfg_local_size           (inputs[236:205]),
        .cfg_local_memory         (inputs[204:173]),
        .cfg_const_base           (inputs[108:77]),
        .cfg_const_size           (inputs[140:109]),
        .cfg_param_base           (inputs[268:237]),
        .cfg_param_size           (inputs[316:285]),
        .cfg_param_offset         (inputs[284:269]),
        .cfg_cluster_base         (inputs[65:56]),
        .cfg_cluster_size         (inputs[75:66]),
        .cfg_rank                 (inputs[324:317]),
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
endmodule

// lsu_board_link: Moves a unit on by frames.
module lsu_board_link (
    input  wire        clk,  // Clock.
    input  wire        rst,  // Synchronous reset: between frames. It does not reset the unit.

    // The serial line.
    input  wire        rx,  // From the host.
    output wire        tx,  // To the host.
    input  wire [15:0] clocks_per_bit,  // Clocks in a bit, at least 4; constant.

    // What the unit is.
    input  wire [11:0] input_bytes,  // Bytes of the unit's inputs; constant.
    input  wire [11:0] output_bytes,  // Bytes of the unit's outputs; constant.
    input  wire [31:0] identity,  // Tells one unit from another; constant.

    // The unit's pins.
    output wire        unit_clock,  // The unit's clock.
    output wire [7:0]  input_byte,  // The next byte of the unit's inputs.
    output wire        input_shift,  // It comes at this edge.
    output wire        output_load,  // The unit's outputs are to be kept at this edge.
    input  wire [7:0]  output_byte,  // The next byte of what was kept.
    output wire        output_shift  // It goes at this edge.
);
    localparam [1:0] CHECKSUM = 2'd2;  // Bytes of a checksum.
    localparam [12:0] CHECKSUM_AS_13_BITS = 13'd2;
    localparam [7:0] IDENTIFY = 8'h49;  // Begins a frame that asks what is here: I.
    localparam [11:0] IDENTITY_BYTES = 12'd4;  // Bytes of the identity.
    localparam [7:0] IDENTITY = 8'h69;  // Begins the answer to the second: i.
    // The last clock in which the unit is moved on: in the first its outputs are kept, behind the others its clock is
    // 1.
    localparam [3:0] LAST_CLOCK = 4'd15;
    localparam [7:0] REFUSED = 8'h65;  // Begins the answer to a frame whose checksum is wrong: e.
    localparam [7:0] STEP = 8'h53;  // Begins a frame with the inputs of a cycle: S.
    localparam [7:0] STEPPED = 8'h73;  // Begins the answer to the first: s.
    reg  [7:0]  says;
    wire        receiver_came;
    wire [7:0]  receiver_data;
    wire [15:0] received_checksum_with_data;
    wire        transmitter_ready;
    wire        transmitter_tx;
    wire [15:0] sent_checksum_with_data;
    reg         is_coming_q;  // A frame has begun.
    reg  [7:0]  asked_q;  // How it began.
    reg  [12:0] to_come_q;  // Bytes of it that are still to come.
    reg  [15:0] checksum_q;  // Checksum of those that have come.
    reg         is_complete_q;  // A whole frame waits for what is sent, or for the unit.
    reg  [3:0]  phase_q;  // Clock of those in which the unit is moved on.
    reg         raised_q;
    reg         sends_q;  // An answer is sent.
    reg         begins_q;  // Its first byte is still to be sent.
    reg  [7:0]  answer_q;
    reg  [11:0] to_send_q;  // Bytes between the first one and the checksum that are still to be sent.
    reg  [1:0]  checksum_left_q;  // Bytes of the checksum that are still to be sent.
    reg  [15:0] answer_checksum_q;
    reg  [31:0] told_q;  // What is still to be sent of the identity.

    assign tx = transmitter_tx;

    // A frame comes: how it begins, what belongs to it, and its checksum. Between frames, all bytes but two are
    // nothing.
    wire begins_frame = receiver_came & !is_coming_q & !is_complete_q &
      ((receiver_data == STEP) | (receiver_data == IDENTIFY));
    wire [15:0] received_checksum_so_far = !is_coming_q ? 16'd0 : checksum_q;
    assign input_byte = receiver_data;
    assign input_shift = (receiver_came & is_coming_q) ? ((asked_q == STEP) & (to_come_q > CHECKSUM_AS_13_BITS)) : 1'b0;

    // A whole frame is acted upon when the answer before it has gone. That of a step moves the unit on by a cycle.
    wire acts = is_complete_q & !sends_q;
    wire is_step = (asked_q == STEP) & !(|checksum_q);
    assign output_load = (acts & is_step) ? (phase_q == 4'd0) : 1'b0;
    assign unit_clock = raised_q;

    // An answer goes: how it begins, what belongs to it, and its checksum, high byte first.
    always @(*) begin
        says = answer_checksum_q[7:0];
        if (checksum_left_q == CHECKSUM) says = answer_checksum_q[15:8];
        if (|to_send_q) begin
            says = told_q[7:0];
            if (answer_q == STEPPED) says = output_byte;
        end
        if (begins_q) says = answer_q;
    end

    wire [15:0] sent_checksum_so_far = begins_q ? 16'd0 : answer_checksum_q;
    wire sent = sends_q & transmitter_ready;
    assign output_shift = (sent & (!begins_q & (|to_send_q))) ? 1'b1 : 1'b0;

    lsu_serial_receiver receiver (
        .clk            (clk),
        .rst            (rst),
        .rx             (rx),
        .clocks_per_bit (clocks_per_bit),
        .came           (receiver_came),
        .data           (receiver_data)
    );

    lsu_crc16 received_checksum (
        .so_far    (received_checksum_so_far),
        .data      (receiver_data),
        .with_data (received_checksum_with_data)
    );

    lsu_serial_transmitter transmitter (
        .clk            (clk),
        .rst            (rst),
        .valid          (sends_q),
        .ready          (transmitter_ready),
        .data           (says),
        .clocks_per_bit (clocks_per_bit),
        .tx             (transmitter_tx)
    );

    lsu_crc16 sent_checksum (
        .so_far    (sent_checksum_so_far),
        .data      (says),
        .with_data (sent_checksum_with_data)
    );

    always @(posedge clk) begin
        if (rst) begin
            {is_coming_q, asked_q, to_come_q, checksum_q, is_complete_q, phase_q, raised_q, sends_q, begins_q, answer_q,
              to_send_q, checksum_left_q, answer_checksum_q, told_q} <= 116'd0;
        end else begin
            if (begins_frame) begin
                is_coming_q <= 1'b1;
                asked_q <= receiver_data;
                to_come_q <= CHECKSUM_AS_13_BITS;
                if (receiver_data == STEP) to_come_q <= {1'b0, input_bytes} + CHECKSUM_AS_13_BITS;
                checksum_q <= received_checksum_with_data;
            end
            if (receiver_came & is_coming_q) begin
                to_come_q <= to_come_q - 13'd1;
                checksum_q <= received_checksum_with_data;
                if (to_come_q == 13'd1) begin
                    is_coming_q <= 1'b0;
                    is_complete_q <= 1'b1;
                end
            end
            raised_q <= 1'b0;
            if (acts & is_step) begin
                phase_q <= phase_q + 4'd1;
                raised_q <= phase_q != 4'd0;
            end
            if (acts & (!is_step | (phase_q == LAST_CLOCK))) begin
                is_complete_q <= 1'b0;
                sends_q <= 1'b1;
                begins_q <= 1'b1;
                checksum_left_q <= CHECKSUM;
                answer_q <= REFUSED;
                to_send_q <= 12'd0;
                told_q <= identity;
                if (is_step) begin
                    answer_q <= STEPPED;
                    to_send_q <= output_bytes;
                end else if (!(|checksum_q)) begin
                    answer_q <= IDENTITY;
                    to_send_q <= IDENTITY_BYTES;
                end
            end
            if (sent) begin
                begins_q <= 1'b0;
                if (begins_q | (|to_send_q)) answer_checksum_q <= sent_checksum_with_data;
                if (!begins_q & (|to_send_q)) begin
                    to_send_q <= to_send_q - 12'd1;
                    told_q <= {8'd0, told_q[31:8]};
                end
                if (!begins_q & !(|to_send_q)) begin
                    checksum_left_q <= checksum_left_q - 2'd1;
                    if (checksum_left_q == 2'd1) sends_q <= 1'b0;
                end
            end
        end
    end

`ifdef LSU_CONTRACTS  // What this module relies on, or promises.

    wire contract_waits = !(receiver_came & is_complete_q);  // No byte comes while a whole frame waits.

    reg contracts_begun;  // rst has been 1.
    initial contracts_begun = 1'b0;
    always @(posedge clk) begin
        contracts_begun <= contracts_begun | rst;
        if (contracts_begun && !rst) begin
            if (contract_waits !== 1'b1) begin
                $display("contract of lsu_board_link broken in %m:",
                  " No byte comes while a whole frame waits.");
                $stop;
            end
        end
    end
`endif
endmodule

// lsu_serial_receiver: Bytes from a serial line.
module lsu_serial_receiver (
    input  wire        clk,  // Clock.
    input  wire        rst,  // Synchronous reset: waits for a start bit.
    input  wire        rx,  // The line; 1 while nothing is sent. It need not be synchronous to the clock.
    input  wire [15:0] clocks_per_bit,  // Clocks in a bit, at least 4; constant.
    output wire        came,  // A byte has come; for one cycle.
    output wire [7:0]  data  // This one.
);
    localparam [3:0] FRAME = 4'd10;  // Bits of a frame: start, eight, stop.
    reg         early_q;  // The line is 0, as it was a clock ago.
    reg         low_q;  // The line is 0, as it was two clocks ago.
    reg  [3:0]  left_q;  // Bits of the frame that are still to come; 0 between frames.
    reg  [15:0] clocks_q;  // Clocks to the middle of the next one, counted down to 1.
    reg  [7:0]  bits_q;
    reg         is_complete_q;

    wire samples = (left_q != 4'd0) & (clocks_q == 16'd1);  // The line is looked at.
    assign came = is_complete_q;
    assign data = bits_q;

    always @(posedge clk) begin
        if (rst) begin
            {early_q, low_q, left_q, clocks_q, bits_q, is_complete_q} <= 31'd0;
        end else begin
            // The line is kept upside down, so that after reset it is at rest.
            early_q <= !rx;
            low_q <= early_q;
            is_complete_q <= 1'b0;
            clocks_q <= clocks_q - 16'd1;
            if (samples) begin
                clocks_q <= clocks_per_bit;
                left_q <= left_q - 4'd1;
                if (left_q == 4'd1) begin
                    is_complete_q <= !low_q;
                end else begin
                    bits_q <= ({1'b0, bits_q[7:1]} & ~(8'd1 << 7)) | ({7'd0, !low_q} << 7);
                end
                // What was too short for a start bit is none.
                if ((left_q == FRAME) & !low_q) left_q <= 4'd0;
            end
            if ((left_q == 4'd0) & low_q) begin
                left_q <= FRAME;
                clocks_q <= {1'b0, clocks_per_bit[15:1]};
            end
        end
    end

`ifdef LSU_CONTRACTS  // What this module relies on, or promises.

    wire contract_clocks = clocks_per_bit >= 16'd4;  // A bit takes at least 4 clocks.

    reg contracts_begun;  // rst has been 1.
    initial contracts_begun = 1'b0;
    always @(posedge clk) begin
        contracts_begun <= contracts_begun | rst;
        if (contracts_begun && !rst) begin
            if (contract_clocks !== 1'b1) begin
                $display("contract of lsu_serial_receiver broken in %m:",
                  " A bit takes at least 4 clocks.");
                $stop;
            end
        end
    end
`endif
endmodule

// lsu_crc16: The checksum of a frame, a byte further.
module lsu_crc16 (
    input  wire [15:0] so_far,  // Checksum of the bytes before.
    input  wire [7:0]  data,  // The next byte.
    output wire [15:0] with_data  // Checksum with it.
);
    localparam [15:0] POLYNOMIAL = 16'h1021;  // x^12 + x^5 + 1; x^16 is what a shift loses.
    reg  [15:0] remainder;

    always @(*) begin : remainder_logic
        integer i;
        remainder = so_far;
        for (i = 0; i < 8; i = i + 1) begin
            if (remainder[15] ^ data[7 - i]) begin
                remainder = (remainder << 1) ^ POLYNOMIAL;
            end else begin
                remainder = remainder << 1;
            end
        end
    end

    assign with_data = remainder;
endmodule

// lsu_serial_transmitter: Bytes to a serial line.
module lsu_serial_transmitter (
    input  wire        clk,  // Clock.
    input  wire        rst,  // Synchronous reset: nothing is sent.
    input  wire        valid,  // A byte is offered.
    output wire        ready,  // It is taken at this edge.
    input  wire [7:0]  data,  // The byte.
    input  wire [15:0] clocks_per_bit,  // Clocks in a bit, at least 1; constant.
    output wire        tx  // The line; 1 while nothing is sent.
);
    localparam [3:0] FRAME = 4'd10;  // Bits of a frame: start, eight, stop.
    reg  [3:0]  left_q;  // Bits of the frame that are still to be sent; 0 between frames.
    reg  [15:0] clocks_q;  // Clocks to the end of the one on the line, counted down to 1.
    reg  [8:0]  low_q;  // What is 0 on the line, the lowest bit now, the others later.

    assign ready = left_q == 4'd0;
    assign tx = !low_q[0];

    always @(posedge clk) begin
        if (rst) begin
            {left_q, clocks_q, low_q} <= 29'd0;
        end else begin
            clocks_q <= clocks_q - 16'd1;
            if (clocks_q == 16'd1) begin
                clocks_q <= clocks_per_bit;
                left_q <= left_q - 4'd1;
                low_q <= {1'b0, low_q[8:1]};
            end
            if (left_q == 4'd0) begin
                left_q <= 4'd0;
                if (valid) begin
                    left_q <= FRAME;
                    clocks_q <= clocks_per_bit;
                    // The start bit is 0; behind the last bit the line rests at 1.
                    low_q <= (({1'b0, ~data} << 1) & ~(9'd1 << 0)) | ({8'd0, 1'b1} << 0);
                end
            end
        end
    end
endmodule
