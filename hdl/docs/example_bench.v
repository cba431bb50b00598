// A bench that connects the preset fpga8 by what ports.md says, and no more: a store, the load that reads it back, an LDC.
//
//   iverilog -g2005 -o bench hdl/docs/example_bench.v hdl/verilog/lsu_fpga8.v && vvp bench
//
//   verilator --binary --timing -Wno-fatal -Wno-lint -Wno-style -o bench hdl/docs/example_bench.v hdl/verilog/lsu_fpga8.v && obj_dir/bench
//
// It ends with "passed", or with the first thing that is wrong.
`timescale 1ns / 1ps
module example_bench;
    reg clk = 0;
    always #5 clk = !clk;
    reg rst = 1;

    // Operations: what does not count for one keeps any value.
    reg          req_valid = 0;
    wire         req_ready;
    reg  [7:0]   req_tag = 0;
    reg  [1:0]   req_op = 0;
    reg  [255:0] req_addr = 0;
    reg          wdata_valid = 0;
    wire         wdata_ready;
    reg  [7:0]   wdata_tag = 0;
    reg  [255:0] wdata_data = 0;
    wire         wb_valid, wb_last, fault_valid, done_valid, status_wdata_wrong_tag, status_idle;
    wire [7:0]   wb_tag, wb_rd, wb_mask, done_tag;
    wire [255:0] wb_data;
    wire [2:0]   fault_cause;
    reg          cfg_bank_write = 0;

    // Memory: 4 KB, one request at a time, every one answered with its id, writes too.
    wire         mem_req_valid, mem_req_write;
    wire [7:0]   mem_req_id;
    wire [31:0]  mem_req_addr, mem_req_strb;
    wire [255:0] mem_req_data;
    reg          mem_rsp_valid = 0;
    wire         mem_rsp_ready;
    reg  [7:0]   mem_rsp_id = 0;
    reg  [255:0] mem_rsp_data = 0;
    wire         mem_req_ready = !mem_rsp_valid;
    reg  [255:0] sectors [0:127];
    integer      i;
    initial for (i = 0; i < 128; i = i + 1) sectors[i] = {8{32'h0c00_0000 + i}};
    always @(posedge clk) begin
        if (mem_rsp_valid && mem_rsp_ready) mem_rsp_valid <= 0;
        if (!rst && mem_req_valid && mem_req_ready) begin
            mem_rsp_valid <= 1;
            mem_rsp_id <= mem_req_id;
            mem_rsp_data <= sectors[mem_req_addr[11:5]];
            for (i = 0; i < 32; i = i + 1)
                if (mem_req_write && mem_req_strb[i]) sectors[mem_req_addr[11:5]][8 * i +: 8] <= mem_req_data[8 * i +: 8];
        end
    end

    lsu dut (
        .clk(clk), .rst(rst), .rst_mem(rst),
        .req_valid(req_valid), .req_ready(req_ready), .req_tag(req_tag), .req_op(req_op), .req_cmd(2'd0),
        .req_space(3'd1), .req_sem(3'd0), .req_scope(2'd0), .req_cop(3'd0), .req_l1_evict(3'd0), .req_l2_evict(2'd0),
        .req_prefetch(2'd0), .req_policy_en(1'b0), .req_policy(64'd0), .req_nc(1'b0),
        .req_size(3'd2), .req_vec(2'd0), .req_sink(8'd0), .req_sign(1'b0), .req_dst_width(2'd1), .req_rd(8'd4),
        .req_mask(8'hff), .req_addr(req_addr), .req_imm(32'd0), .req_bank(5'd3), .req_mode(2'd0), .req_ra_is_rz(1'b0),
        .req_wide(8'd0), .req_warp(3'd0), .req_shared_base(13'd0), .req_shared_size(13'd0),
        .wdata_valid(wdata_valid), .wdata_ready(wdata_ready), .wdata_tag(wdata_tag), .wdata_data(wdata_data),
        .wb_valid(wb_valid), .wb_ready(1'b1), .wb_tag(wb_tag), .wb_rd(wb_rd), .wb_mask(wb_mask), .wb_data(wb_data),
        .wb_last(wb_last),
        .fault_valid(fault_valid), .fault_ready(1'b1), .fault_tag(), .fault_cause(fault_cause), .fault_lanes(),
        .fault_addr(),
        .done_valid(done_valid), .done_ready(1'b1), .done_tag(done_tag),
        .mem_req_valid(mem_req_valid), .mem_req_ready(mem_req_ready), .mem_req_id(mem_req_id),
        .mem_req_write(mem_req_write), .mem_req_addr(mem_req_addr), .mem_req_strb(mem_req_strb),
        .mem_req_data(mem_req_data), .mem_req_l2_evict(), .mem_req_policy_en(), .mem_req_policy(), .mem_req_prefetch(),
        .mem_req_cop(), .mem_req_sem(), .mem_req_scope(),
        .mem_rsp_valid(mem_rsp_valid), .mem_rsp_ready(mem_rsp_ready), .mem_rsp_id(mem_rsp_id),
        .mem_rsp_data(mem_rsp_data), .mem_rsp_error(1'b0),
        // Tied off.
        .cluster_req_valid(), .cluster_req_ready(1'b0), .cluster_req_id(), .cluster_req_write(), .cluster_req_addr(),
        .cluster_req_strb(), .cluster_req_data(), .cluster_req_l2_evict(), .cluster_req_policy_en(),
        .cluster_req_policy(), .cluster_req_prefetch(), .cluster_req_cop(), .cluster_req_sem(), .cluster_req_scope(),
        .cluster_req_rank(), .cluster_rsp_valid(1'b0), .cluster_rsp_ready(), .cluster_rsp_id(6'd0),
        .cluster_rsp_data(256'd0), .cluster_rsp_error(1'b0),
        .serve_req_valid(1'b0), .serve_req_ready(), .serve_req_id(6'd0), .serve_req_rank(8'd0), .serve_req_write(1'b0),
        .serve_req_addr(32'd0), .serve_req_strb(32'd0), .serve_req_data(256'd0), .serve_rsp_valid(),
        .serve_rsp_ready(1'b0), .serve_rsp_id(), .serve_rsp_rank(), .serve_rsp_data(), .serve_rsp_error(),
        .cfg_bank_write(cfg_bank_write), .cfg_bank_index(5'd3), .cfg_bank_base(32'h0000_0800), .cfg_bank_size(17'h400),
        .cfg_bank_valid(1'b1), .cfg_compute(1'b1),
        .cfg_shared_base(32'd0), .cfg_shared_size(32'd0), .cfg_local_base(32'd0), .cfg_local_size(32'd0), .cfg_local_memory(32'd0),
        .cfg_const_base(32'd0), .cfg_const_size(32'd0), .cfg_param_base(32'd0), .cfg_param_size(32'd0),
        .cfg_param_offset(16'd0), .cfg_cluster_base(13'd0), .cfg_cluster_size(13'd0), .cfg_rank(8'd0),
        .status_ldc_unpredictable(), .status_write_back_error(), .status_cfg_refused(), .status_wdata_wrong_tag(status_wdata_wrong_tag),
        .status_idle(status_idle), .status_ldc_passes(), .status_ldc_hits(), .status_ldc_misses(), .status_l1_hits(),
        .status_l1_misses(), .status_ro_hits(), .status_ro_misses(), .status_wavefronts(), .status_replays(),
        .status_sectors_read(), .status_sectors_written(), .status_stall_order(), .status_stall_misses(),
        .status_stall_data(), .status_stall_memory()
    );

    // Pins change after the rising edge; transfers are looked at just before it, at the falling one.
    task request(input [7:0] tag, input [1:0] op);
        begin
            req_tag = tag;
            req_op = op;  // Before req_ready is looked at: it depends on this.
            req_valid = 1;
            @(negedge clk);
            while (!req_ready) @(negedge clk);
            @(posedge clk) #1 req_valid = 0;
        end
    endtask

    task check(input what, input [255:0] name);
        if (!what) begin
            $display("wrong: %0s", name);
            $finish;
        end
    endtask

    // Lane l reads or writes the word at 0x100 + 4 * l; register R4 gets what is expected.
    task expect_words(input [7:0] tag, input [255:0] words);
        begin
            while (!wb_valid) @(negedge clk);
            check(wb_tag == tag && wb_rd == 4 && wb_mask == 8'hff && wb_last, "wb");
            check(wb_data == words, "data");
            @(posedge clk) #1;
        end
    endtask

    always @(negedge clk) if (!rst && fault_valid) check(0, "a fault");
    initial #20000 check(0, "no answer");

    integer lane;
    initial begin
        // Before the first reset no output means anything.
        repeat (2) @(posedge clk);
        #1 rst = 0;
        check({req_ready, mem_rsp_ready, status_idle} === 3'b111, "ready after reset");
        check({wdata_ready, wb_valid, fault_valid, done_valid, mem_req_valid} === 5'd0, "valid after reset");
        cfg_bank_write = 1;  // Idle: the bank table may be written.
        @(posedge clk) #1 cfg_bank_write = 0;
        for (lane = 0; lane < 8; lane = lane + 1) begin
            req_addr[32 * lane +: 32] = 32'h100 + 4 * lane;
            wdata_data[32 * lane +: 32] = 32'h5000 + lane;
        end

        // A store and its one beat, which waits on its pins until the unit comes to it.
        wdata_tag = 8'h21;
        wdata_valid = 1;
        request(8'h21, 2'd1);
        while (!wdata_ready) @(negedge clk);
        @(posedge clk) #1 wdata_valid = 0;
        while (!done_valid) @(negedge clk);
        check(done_tag == 8'h21, "done");
        @(posedge clk) #1;

        // The load of the same words, under the same tag, which is free again.
        request(8'h21, 2'd0);
        expect_words(8'h21, wdata_data);

        // An LDC of bank 3 at the same offsets: memory from 0x900 on.
        request(8'h22, 2'd2);
        expect_words(8'h22, {8{32'h0c00_0048}});

        repeat (2) @(negedge clk);
        check(status_idle && !status_wdata_wrong_tag, "status");
        $display("passed");
        $finish;
    end
endmodule
