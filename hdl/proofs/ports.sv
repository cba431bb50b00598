// Every output port of the whole unit keeps the handshake of hdl/docs/ports.md: once valid is high, neither it nor what
// is offered changes until ready, whatever the unit's other pins do: wb, fault, done, mem_req, cluster_req, serve_rsp.
// All of tiny4 with all its pins.
//
// The blocks that are far from the ports are cut out: their outputs are whatever they like, but for what is assumed.
//
// Assumes: rst and rst_mem in the first cycle, later as they like (a reset takes back what is offered, but only one
// with rst_mem what serve_rsp offers); what proof miss_table shows: a pass that asks for sectors has a waiter, and
// while a waiter is free there is a free place in read_queue, so that no pass that waits there is overwritten; the same
// of the constant cache, which proof constant_misses shows; what proof serve shows: serve is picked only while it
// offers a read; and that a store, and a report of failed lanes, come only while there is room for them (rules STALL,
// REPORT).
module ports (
    input clk,
    input rst,
    input rst_mem,
    input req_valid,
    input [7:0] req_tag,
    input [1:0] req_op,
    input [1:0] req_cmd,
    input [2:0] req_space,
    input [2:0] req_sem,
    input [1:0] req_scope,
    input [2:0] req_cop,
    input [2:0] req_l1_evict,
    input [1:0] req_l2_evict,
    input [1:0] req_prefetch,
    input req_policy_en,
    input [63:0] req_policy,
    input req_nc,
    input [2:0] req_size,
    input [1:0] req_vec,
    input [7:0] req_sink,
    input req_sign,
    input [1:0] req_dst_width,
    input [7:0] req_rd,
    input [3:0] req_mask,
    input [127:0] req_addr,
    input [31:0] req_imm,
    input [4:0] req_bank,
    input [1:0] req_mode,
    input req_ra_is_rz,
    input [3:0] req_wide,
    input req_warp,
    input [9:0] req_shared_base,
    input [9:0] req_shared_size,
    input wdata_valid,
    input [7:0] wdata_tag,
    input [127:0] wdata_data,
    input wb_ready,
    input fault_ready,
    input done_ready,
    input mem_req_ready,
    input mem_rsp_valid,
    input [7:0] mem_rsp_id,
    input [255:0] mem_rsp_data,
    input mem_rsp_error,
    input cluster_req_ready,
    input cluster_rsp_valid,
    input [5:0] cluster_rsp_id,
    input [255:0] cluster_rsp_data,
    input cluster_rsp_error,
    input cfg_bank_write,
    input [4:0] cfg_bank_index,
    input [31:0] cfg_bank_base,
    input [16:0] cfg_bank_size,
    input cfg_bank_valid,
    input cfg_compute,
    input [31:0] cfg_shared_base,
    input [31:0] cfg_shared_size,
    input [31:0] cfg_local_base,
    input [31:0] cfg_local_size,
    input [31:0] cfg_local_memory,
    input [31:0] cfg_const_base,
    input [31:0] cfg_const_size,
    input [31:0] cfg_param_base,
    input [31:0] cfg_param_size,
    input [15:0] cfg_param_offset,
    input [7:0] cfg_rank,
    input serve_req_valid,
    input [5:0] serve_req_id,
    input [7:0] serve_req_rank,
    input serve_req_write,
    input [31:0] serve_req_addr,
    input [31:0] serve_req_strb,
    input [255:0] serve_req_data,
    input serve_rsp_ready,
    input [9:0] cfg_cluster_base,
    input [9:0] cfg_cluster_size
);
    wire wb_valid;
    wire [7:0] wb_tag;
    wire [7:0] wb_rd;
    wire [3:0] wb_mask;
    wire [127:0] wb_data;
    wire wb_last;
    wire fault_valid;
    wire [7:0] fault_tag;
    wire [2:0] fault_cause;
    wire [3:0] fault_lanes;
    wire [31:0] fault_addr;
    wire done_valid;
    wire [7:0] done_tag;
    wire mem_req_valid;
    wire [7:0] mem_req_id;
    wire mem_req_write;
    wire [31:0] mem_req_addr;
    wire [31:0] mem_req_strb;
    wire [255:0] mem_req_data;
    wire [1:0] mem_req_l2_evict;
    wire mem_req_policy_en;
    wire [63:0] mem_req_policy;
    wire [1:0] mem_req_prefetch;
    wire [2:0] mem_req_cop;
    wire [2:0] mem_req_sem;
    wire [1:0] mem_req_scope;
    wire cluster_req_valid;
    wire [5:0] cluster_req_id;
    wire cluster_req_write;
    wire [31:0] cluster_req_addr;
    wire [31:0] cluster_req_strb;
    wire [255:0] cluster_req_data;
    wire [1:0] cluster_req_l2_evict;
    wire cluster_req_policy_en;
    wire [63:0] cluster_req_policy;
    wire [1:0] cluster_req_prefetch;
    wire [2:0] cluster_req_cop;
    wire [2:0] cluster_req_sem;
    wire [1:0] cluster_req_scope;
    wire [7:0] cluster_req_rank;
    wire serve_rsp_valid;
    wire [5:0] serve_rsp_id;
    wire [7:0] serve_rsp_rank;
    wire [255:0] serve_rsp_data;
    wire serve_rsp_error;

    lsu unit (
        .clk(clk),
        .rst(rst),
        .rst_mem(rst_mem),
        .req_valid(req_valid),
        .req_tag(req_tag),
        .req_op(req_op),
        .req_cmd(req_cmd),
        .req_space(req_space),
        .req_sem(req_sem),
        .req_scope(req_scope),
        .req_cop(req_cop),
        .req_l1_evict(req_l1_evict),
        .req_l2_evict(req_l2_evict),
        .req_prefetch(req_prefetch),
        .req_policy_en(req_policy_en),
        .req_policy(req_policy),
        .req_nc(req_nc),
        .req_size(req_size),
        .req_vec(req_vec),
        .req_sink(req_sink),
        .req_sign(req_sign),
        .req_dst_width(req_dst_width),
        .req_rd(req_rd),
        .req_mask(req_mask),
        .req_addr(req_addr),
        .req_imm(req_imm),
        .req_bank(req_bank),
        .req_mode(req_mode),
        .req_ra_is_rz(req_ra_is_rz),
        .req_wide(req_wide),
        .req_warp(req_warp),
        .req_shared_base(req_shared_base),
        .req_shared_size(req_shared_size),
        .wdata_valid(wdata_valid),
        .wdata_tag(wdata_tag),
        .wdata_data(wdata_data),
        .wb_ready(wb_ready),
        .fault_ready(fault_ready),
        .done_ready(done_ready),
        .mem_req_ready(mem_req_ready),
        .mem_rsp_valid(mem_rsp_valid),
        .mem_rsp_id(mem_rsp_id),
        .mem_rsp_data(mem_rsp_data),
        .mem_rsp_error(mem_rsp_error),
        .cluster_req_ready(cluster_req_ready),
        .cluster_rsp_valid(cluster_rsp_valid),
        .cluster_rsp_id(cluster_rsp_id),
        .cluster_rsp_data(cluster_rsp_data),
        .cluster_rsp_error(cluster_rsp_error),
        .cfg_bank_write(cfg_bank_write),
        .cfg_bank_index(cfg_bank_index),
        .cfg_bank_base(cfg_bank_base),
        .cfg_bank_size(cfg_bank_size),
        .cfg_bank_valid(cfg_bank_valid),
        .cfg_compute(cfg_compute),
        .cfg_shared_base(cfg_shared_base),
        .cfg_shared_size(cfg_shared_size),
        .cfg_local_base(cfg_local_base),
        .cfg_local_size(cfg_local_size),
        .cfg_local_memory(cfg_local_memory),
        .cfg_const_base(cfg_const_base),
        .cfg_const_size(cfg_const_size),
        .cfg_param_base(cfg_param_base),
        .cfg_param_size(cfg_param_size),
        .cfg_param_offset(cfg_param_offset),
        .cfg_rank(cfg_rank),
        .cfg_cluster_base(cfg_cluster_base),
        .cfg_cluster_size(cfg_cluster_size),
        .serve_req_valid(serve_req_valid),
        .serve_req_id(serve_req_id),
        .serve_req_rank(serve_req_rank),
        .serve_req_write(serve_req_write),
        .serve_req_addr(serve_req_addr),
        .serve_req_strb(serve_req_strb),
        .serve_req_data(serve_req_data),
        .serve_rsp_ready(serve_rsp_ready),
        .serve_rsp_valid(serve_rsp_valid),
        .serve_rsp_id(serve_rsp_id),
        .serve_rsp_rank(serve_rsp_rank),
        .serve_rsp_data(serve_rsp_data),
        .serve_rsp_error(serve_rsp_error),
        .wb_valid(wb_valid),
        .wb_tag(wb_tag),
        .wb_rd(wb_rd),
        .wb_mask(wb_mask),
        .wb_data(wb_data),
        .wb_last(wb_last),
        .fault_valid(fault_valid),
        .fault_tag(fault_tag),
        .fault_cause(fault_cause),
        .fault_lanes(fault_lanes),
        .fault_addr(fault_addr),
        .done_valid(done_valid),
        .done_tag(done_tag),
        .mem_req_valid(mem_req_valid),
        .mem_req_id(mem_req_id),
        .mem_req_write(mem_req_write),
        .mem_req_addr(mem_req_addr),
        .mem_req_strb(mem_req_strb),
        .mem_req_data(mem_req_data),
        .mem_req_l2_evict(mem_req_l2_evict),
        .mem_req_policy_en(mem_req_policy_en),
        .mem_req_policy(mem_req_policy),
        .mem_req_prefetch(mem_req_prefetch),
        .mem_req_cop(mem_req_cop),
        .mem_req_sem(mem_req_sem),
        .mem_req_scope(mem_req_scope),
        .cluster_req_valid(cluster_req_valid),
        .cluster_req_id(cluster_req_id),
        .cluster_req_write(cluster_req_write),
        .cluster_req_addr(cluster_req_addr),
        .cluster_req_strb(cluster_req_strb),
        .cluster_req_data(cluster_req_data),
        .cluster_req_l2_evict(cluster_req_l2_evict),
        .cluster_req_policy_en(cluster_req_policy_en),
        .cluster_req_policy(cluster_req_policy),
        .cluster_req_prefetch(cluster_req_prefetch),
        .cluster_req_cop(cluster_req_cop),
        .cluster_req_sem(cluster_req_sem),
        .cluster_req_scope(cluster_req_scope),
        .cluster_req_rank(cluster_req_rank)
    );

    handshake #(.WIDTH(149)) wb (
        .clk(clk), .rst(rst), .valid(wb_valid), .ready(wb_ready),
        .payload({wb_tag, wb_rd, wb_mask, wb_data, wb_last})
    );

    handshake #(.WIDTH(47)) fault (
        .clk(clk), .rst(rst), .valid(fault_valid), .ready(fault_ready),
        .payload({fault_tag, fault_cause, fault_lanes, fault_addr})
    );

    handshake #(.WIDTH(8)) done (
        .clk(clk), .rst(rst), .valid(done_valid), .ready(done_ready),
        .payload({done_tag})
    );

    handshake #(.WIDTH(406)) mem_req (
        .clk(clk), .rst(rst), .valid(mem_req_valid), .ready(mem_req_ready),
        .payload({
            mem_req_id, mem_req_write, mem_req_addr, mem_req_strb, mem_req_data, mem_req_l2_evict,
            mem_req_policy_en, mem_req_policy, mem_req_prefetch, mem_req_cop, mem_req_sem, mem_req_scope
        })
    );

    handshake #(.WIDTH(412)) cluster_req (
        .clk(clk), .rst(rst), .valid(cluster_req_valid), .ready(cluster_req_ready),
        .payload({
            cluster_req_id, cluster_req_write, cluster_req_addr, cluster_req_strb, cluster_req_data,
            cluster_req_l2_evict, cluster_req_policy_en, cluster_req_policy, cluster_req_prefetch,
            cluster_req_cop, cluster_req_sem, cluster_req_scope, cluster_req_rank
        })
    );

    handshake #(.WIDTH(271)) serve_rsp (
        .clk(clk), .rst(rst & rst_mem), .valid(serve_rsp_valid), .ready(serve_rsp_ready),
        .payload({serve_rsp_id, serve_rsp_rank, serve_rsp_data, serve_rsp_error})
    );

    reg begun = 0;
    always @(posedge clk) begun <= 1;

    (* hierconn *) wire \unit.global_path.misses_has_waiter ;
    (* hierconn *) wire \unit.global_path.read_queue.used_q ;
    (* hierconn *) wire \unit.global_path.read_queue.head_q ;
    (* hierconn *) wire \unit.global_path.read_queue.tail_q ;
    (* hierconn *) wire \unit.cache.miss.has_empty ;
    (* hierconn *) wire \unit.cache.miss.allocate ;
    (* hierconn *) wire \unit.cache.miss.read_queue_used_q ;
    (* hierconn *) wire \unit.cache.miss.read_queue_head_q ;
    (* hierconn *) wire \unit.cache.miss.read_queue_tail_q ;
    (* hierconn *) wire \unit.global_path.asks ;
    (* hierconn *) wire \unit.global_path.tag_to_store ;
    (* hierconn *) wire \unit.global_path.write_free ;
    (* hierconn *) wire \unit.global_path.places_reports ;
    (* hierconn *) wire \unit.global_path.fault_register_free ;

    (* hierconn *) wire \unit.wb_arbiter.waits_q ;
    (* hierconn *) wire \unit.wb_arbiter.presented_q ;
    (* hierconn *) wire \unit.wb_arbiter.first_valid ;
    (* hierconn *) wire \unit.wb_arbiter.second_valid ;
    (* hierconn *) wire \unit.fault_arbiter.waits_q ;
    (* hierconn *) wire \unit.fault_arbiter.presented_q ;
    (* hierconn *) wire \unit.fault_arbiter.first_valid ;
    (* hierconn *) wire \unit.fault_arbiter.second_valid ;
    (* hierconn *) wire \unit.done_arbiter.waits_q ;
    (* hierconn *) wire \unit.done_arbiter.presented_q ;
    (* hierconn *) wire \unit.done_arbiter.first_valid ;
    (* hierconn *) wire \unit.done_arbiter.second_valid ;
    (* hierconn *) wire \unit.memory_arbiter.waits_q ;
    (* hierconn *) wire \unit.memory_arbiter.presented_q ;
    (* hierconn *) wire \unit.memory_arbiter.first_valid ;
    (* hierconn *) wire \unit.memory_arbiter.second_valid ;
    (* hierconn *) wire \unit.global_path.memory_arbiter.waits_q ;
    (* hierconn *) wire \unit.global_path.memory_arbiter.presented_q ;
    (* hierconn *) wire \unit.global_path.memory_arbiter.first_valid ;
    (* hierconn *) wire \unit.global_path.memory_arbiter.second_valid ;
    (* hierconn *) wire \unit.global_path.cluster_arbiter.waits_q ;
    (* hierconn *) wire \unit.global_path.cluster_arbiter.presented_q ;
    (* hierconn *) wire \unit.global_path.cluster_arbiter.first_valid ;
    (* hierconn *) wire \unit.global_path.cluster_arbiter.second_valid ;

    (* hierconn *) wire \unit.global_path.places_serve_goes ;
    (* hierconn *) wire \unit.global_path.serve_reads ;
    (* hierconn *) wire \unit.global_path.serve.holds_read_q ;
    (* hierconn *) wire \unit.global_path.serve.holds_write_q ;
    (* hierconn *) wire \unit.global_path.serve.in_read_q ;
    (* hierconn *) wire \unit.global_path.reply_full ;

    always @(*) begin
        if (!begun) assume (rst & rst_mem);
        // For the induction: an arbiter that waits presents what is still offered.
        if (begun & \unit.wb_arbiter.waits_q )
            assert (\unit.wb_arbiter.presented_q ? \unit.wb_arbiter.second_valid : \unit.wb_arbiter.first_valid );
        if (begun & \unit.fault_arbiter.waits_q )
            assert (\unit.fault_arbiter.presented_q ? \unit.fault_arbiter.second_valid
                : \unit.fault_arbiter.first_valid );
        if (begun & \unit.done_arbiter.waits_q )
            assert (\unit.done_arbiter.presented_q ? \unit.done_arbiter.second_valid : \unit.done_arbiter.first_valid );
        if (begun & \unit.memory_arbiter.waits_q )
            assert (\unit.memory_arbiter.presented_q ? \unit.memory_arbiter.second_valid
                : \unit.memory_arbiter.first_valid );
        if (begun & \unit.global_path.memory_arbiter.waits_q )
            assert (\unit.global_path.memory_arbiter.presented_q ? \unit.global_path.memory_arbiter.second_valid
                : \unit.global_path.memory_arbiter.first_valid );
        if (begun & \unit.global_path.cluster_arbiter.waits_q )
            assert (\unit.global_path.cluster_arbiter.presented_q ? \unit.global_path.cluster_arbiter.second_valid
                : \unit.global_path.cluster_arbiter.first_valid );
        // And serve holds a read or a write; a part comes to reply only while that is empty.
        if (begun) assert (!(\unit.global_path.serve.holds_read_q & \unit.global_path.serve.holds_write_q ));
        if (begun & \unit.global_path.serve.in_read_q )
            assert (\unit.global_path.serve.holds_read_q & !\unit.global_path.reply_full );
        if (\unit.global_path.places_serve_goes ) assume (\unit.global_path.serve_reads );
        if (\unit.cache.miss.has_empty & \unit.cache.miss.read_queue_used_q )
            assume (\unit.cache.miss.read_queue_head_q != \unit.cache.miss.read_queue_tail_q );
        if (\unit.cache.miss.allocate ) assume (\unit.cache.miss.has_empty );
        if (\unit.global_path.asks ) assume (\unit.global_path.misses_has_waiter );
        if (\unit.global_path.tag_to_store ) assume (\unit.global_path.write_free );
        if (\unit.global_path.places_reports ) assume (\unit.global_path.fault_register_free );
        if (\unit.global_path.misses_has_waiter & \unit.global_path.read_queue.used_q )
            assume (\unit.global_path.read_queue.head_q != \unit.global_path.read_queue.tail_q );
    end
endmodule

module handshake #(parameter WIDTH = 1) (
    input clk, input rst, input valid, input ready, input [WIDTH-1:0] payload
);
    reg waits = 0;
    reg [WIDTH-1:0] offered;

    always @(posedge clk) begin
        waits <= valid & !ready & !rst;
        offered <= payload;
    end

    always @(*) if (waits) begin
        stays: assert (valid);
        unchanged: assert (payload == offered);
    end
endmodule
