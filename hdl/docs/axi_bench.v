// A bench of lsu_axi, preset fpga8: stores, loads and LDCs in flight together, against a memory behind AXI4 that takes and answers what it
// likes when it likes, in any order; errors, a device that is read with .mmio, and resets in the middle of traffic. What AXI asks
// of a master is checked in every cycle, what is loaded against what was stored.
//
//   iverilog -g2005 -o bench hdl/docs/axi_bench.v hdl/verilog/lsu_axi_fpga8.v hdl/verilog/lsu_fpga8.v && vvp bench
//
//   verilator --binary --timing -Wno-fatal -Wno-lint -Wno-style -o bench hdl/docs/axi_bench.v hdl/verilog/lsu_axi_fpga8.v hdl/verilog/lsu_fpga8.v && obj_dir/bench
//
// It ends with "passed", or with the first thing that is wrong.
`timescale 1ns / 1ps
module axi_bench;
    localparam ROUNDS = 12;
    localparam FLIGHT = 12;  // Operations in flight together.
    localparam SECTORS = 1024;  // Of memory: 32 KB, more than the caches hold.
    localparam DEVICE = 32'h0010_0000;  // From here on answers a device, which takes note of how it is read.
    localparam NOWHERE = 32'h0020_0000;  // From here on nobody answers but with an error.

    reg clk = 0;
    always #5 clk = !clk;
    reg rst = 1, rst_mem = 1;
    integer seed = 1;

    function [31:0] dice(input unused);
        dice = $random(seed);
    endfunction

    task check(input what, input [511:0] name);
        if (what !== 1'b1) begin
            $display("wrong at %0t: %0s", $time, name);
            $finish;
        end
    endtask

    reg          req_valid = 0;
    wire         req_ready;
    reg  [7:0]   req_tag = 0;
    reg  [1:0]   req_op = 0;
    reg  [2:0]   req_sem = 0;
    reg  [7:0]   req_mask = 8'hff;
    reg  [255:0] req_addr = 0;
    reg          wdata_valid = 0;
    wire         wdata_ready;
    reg  [7:0]   wdata_tag = 0;
    reg  [255:0] wdata_data = 0;
    wire         wb_valid, wb_last, fault_valid, done_valid, status_wdata_wrong_tag, status_idle;
    wire [7:0]   wb_tag, wb_mask, done_tag, fault_tag;
    wire [255:0] wb_data;
    wire [2:0]   fault_cause;
    reg          cfg_bank_write = 0;

    wire         awvalid, awlock, wvalid, wlast, arvalid, arlock, bready, rready;
    wire [7:0]   awid, awlen, arid, arlen;
    wire [31:0]  awaddr, araddr, wstrb;
    wire [2:0]   awsize, awprot, arsize, arprot;
    wire [1:0]   awburst, arburst;
    wire [3:0]   awcache, awqos, arcache, arqos;
    wire [76:0]  awuser, aruser;
    wire [255:0] wdata;
    reg          awready = 0, wready = 0, arready = 0, bvalid = 0, rvalid = 0;
    reg  [7:0]   bid = 0, rid = 0;
    reg  [1:0]   bresp = 0, rresp = 0;
    reg  [255:0] rdata = 0;

    lsu_axi dut (
        .clk(clk), .rst(rst), .rst_mem(rst_mem),
        .req_valid(req_valid), .req_ready(req_ready), .req_tag(req_tag), .req_op(req_op), .req_cmd(2'd0),
        .req_space(3'd1), .req_sem(req_sem), .req_scope(2'd3), .req_cop(3'd0), .req_l1_evict(3'd0), .req_l2_evict(2'd0),
        .req_prefetch(2'd0), .req_policy_en(1'b0), .req_policy(64'd0), .req_nc(1'b0),
        .req_size(3'd2), .req_vec(2'd0), .req_sink(8'd0), .req_sign(1'b0), .req_dst_width(2'd1), .req_rd(8'd4),
        .req_mask(req_mask), .req_addr(req_addr), .req_imm(32'd0), .req_bank(5'd3), .req_mode(2'd0), .req_ra_is_rz(1'b0),
        .req_wide(8'd0), .req_warp(3'd0), .req_shared_base(13'd0), .req_shared_size(13'd0),
        .wdata_valid(wdata_valid), .wdata_ready(wdata_ready), .wdata_tag(wdata_tag), .wdata_data(wdata_data),
        .wb_valid(wb_valid), .wb_ready(1'b1), .wb_tag(wb_tag), .wb_rd(), .wb_mask(wb_mask), .wb_data(wb_data),
        .wb_last(wb_last),
        .fault_valid(fault_valid), .fault_ready(1'b1), .fault_tag(fault_tag), .fault_cause(fault_cause), .fault_lanes(),
        .fault_addr(),
        .done_valid(done_valid), .done_ready(1'b1), .done_tag(done_tag),
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
        .status_stall_data(), .status_stall_memory(),
        .m_axi_awvalid(awvalid), .m_axi_awready(awready), .m_axi_awid(awid), .m_axi_awaddr(awaddr), .m_axi_awlen(awlen),
        .m_axi_awsize(awsize), .m_axi_awburst(awburst), .m_axi_awlock(awlock), .m_axi_awcache(awcache), .m_axi_awprot(awprot),
        .m_axi_awqos(awqos), .m_axi_awuser(awuser),
        .m_axi_wvalid(wvalid), .m_axi_wready(wready), .m_axi_wdata(wdata), .m_axi_wstrb(wstrb), .m_axi_wlast(wlast),
        .m_axi_bvalid(bvalid), .m_axi_bready(bready), .m_axi_bid(bid), .m_axi_bresp(bresp),
        .m_axi_arvalid(arvalid), .m_axi_arready(arready), .m_axi_arid(arid), .m_axi_araddr(araddr), .m_axi_arlen(arlen),
        .m_axi_arsize(arsize), .m_axi_arburst(arburst), .m_axi_arlock(arlock), .m_axi_arcache(arcache), .m_axi_arprot(arprot),
        .m_axi_arqos(arqos), .m_axi_aruser(aruser),
        .m_axi_rvalid(rvalid), .m_axi_rready(rready), .m_axi_rid(rid), .m_axi_rdata(rdata), .m_axi_rresp(rresp), .m_axi_rlast(1'b1)
    );

    // Memory. A request waits in a place of its own, by its id, until its turn comes: only then is memory read or written.
    reg  [255:0] sectors [0:SECTORS-1];
    reg          reads [0:255], writes [0:255];
    reg  [31:0]  read_at [0:255], write_at [0:255], strobes [0:255];
    reg  [255:0] beats [0:255];
    // Addresses and data of writes come one by one, in the same order.
    reg  [39:0]  addresses [0:3];
    reg  [287:0] waiting [0:3];
    integer      address_count = 0, beat_count = 0, device_reads = 0, device_writes = 0;
    integer      i, turn;
    initial begin
        for (i = 0; i < SECTORS; i = i + 1) sectors[i] = {8{32'h0c00_0000 + i}};
        for (i = 0; i < 256; i = i + 1) {reads[i], writes[i]} = 0;
    end
    always @(posedge clk) begin
        arready <= dice(0);
        awready <= (dice(0) & 1) && address_count < 2;
        wready <= (dice(0) & 1) && beat_count < 2;
        if (rst && rst_mem) begin
            for (i = 0; i < 256; i = i + 1) {reads[i], writes[i]} = 0;
            {address_count, beat_count} = 0;
            {arready, awready, wready, rvalid, bvalid} <= 0;
        end else begin
            if (rvalid && rready) rvalid <= 0;
            if (bvalid && bready) bvalid <= 0;
            if (arvalid && arready) begin
                check(!reads[arid] && !writes[arid], "an id that is in use");
                reads[arid] = 1;
                read_at[arid] = araddr;
                if (araddr >= DEVICE && araddr < NOWHERE) begin
                    check(arsize == 2 && arcache == 0 && araddr[1:0] == 0, "the read of a device");
                    device_reads = device_reads + 1;
                end else check(arsize == 5 && arcache == 2 && araddr[4:0] == 0, "the read of a sector");
            end
            if (awvalid && awready) begin
                if (awaddr >= DEVICE && awaddr < NOWHERE) begin
                    check(awsize == 2 && awcache == 0 && awaddr[1:0] == 0, "the write of a device");
                    device_writes = device_writes + 1;
                end else check(awsize == 5 && awcache == 2 && awaddr[4:0] == 0, "the write of a sector");
                addresses[address_count] = {awid, awaddr};
                address_count = address_count + 1;
            end
            if (wvalid && wready) begin
                waiting[beat_count] = {wstrb, wdata};
                beat_count = beat_count + 1;
            end
            if (address_count > 0 && beat_count > 0) begin
                i = addresses[0][39:32];
                check(!reads[i] && !writes[i], "an id that is in use");
                writes[i] = 1;
                write_at[i] = addresses[0][31:0];
                {strobes[i], beats[i]} = waiting[0];
                addresses[0] = addresses[1];
                waiting[0] = waiting[1];
                address_count = address_count - 1;
                beat_count = beat_count - 1;
            end
            // From a place by chance on, the first that waits.
            turn = dice(0) & 255;
            for (i = 0; i < 256 && !reads[(turn + i) & 255]; i = i + 1);
            if (i < 256 && (!rvalid || rready) && (dice(0) & 3) == 0) begin
                turn = (turn + i) & 255;
                reads[turn] = 0;
                rvalid <= 1;
                rid <= turn;
                rresp <= read_at[turn] >= NOWHERE ? 2 : 0;
                rdata <= read_at[turn] >= DEVICE ? {8{32'hde00_0000 | read_at[turn][15:0]}} : sectors[read_at[turn] / 32];
            end
            turn = dice(0) & 255;
            for (i = 0; i < 256 && !writes[(turn + i) & 255]; i = i + 1);
            if (i < 256 && (!bvalid || bready) && (dice(0) & 3) == 0) begin
                turn = (turn + i) & 255;
                writes[turn] = 0;
                bvalid <= 1;
                bid <= turn;
                bresp <= write_at[turn] >= NOWHERE ? 3 : 0;
                for (i = 0; i < 32; i = i + 1)
                    if (write_at[turn] < DEVICE && strobes[turn][i]) sectors[write_at[turn] / 32][8 * i +: 8] = beats[turn][8 * i +: 8];
            end
        end
    end

    // What AXI asks of a master: what is offered stays as it is until it is taken, through resets that the memory does not share.
    reg         read_waits = 0, write_waits = 0, beat_waits = 0;
    reg [119:0] read_was, write_was;
    reg [287:0] beat_was;
    always @(posedge clk) begin
        if (read_waits) check(arvalid && {aruser, arcache, araddr, arsize} == read_was, "AR changed while it waited");
        if (write_waits) check(awvalid && {awuser, awcache, awaddr, awsize} == write_was, "AW changed while it waited");
        if (beat_waits) check(wvalid && {wstrb, wdata} == beat_was, "W changed while it waited");
        if (!rst) begin
            check(arlen == 0 && awlen == 0 && arburst == 1 && awburst == 1 && wlast && !arlock && !awlock, "a burst of one beat");
            check({arvalid, awvalid, wvalid, rready, bready} !== 5'bx, "unknown handshakes");
        end
        read_waits <= arvalid && !arready && !(rst && rst_mem);
        write_waits <= awvalid && !awready && !(rst && rst_mem);
        beat_waits <= wvalid && !wready && !(rst && rst_mem);
        read_was <= {aruser, arcache, araddr, arsize};
        write_was <= {awuser, awcache, awaddr, awsize};
        beat_was <= {wstrb, wdata};
    end

    // Results. A tag's operation is known by what is expected of it.
    reg  [255:0] expected [0:255];
    reg          open [0:255], fails [0:255], failed [0:255];
    reg  [7:0]   came [0:255];
    integer      part, open_count = 0, loads = 0, stores = 0, errors = 0;
    always @(negedge clk) begin
        if (!rst && wb_valid) begin
            check(open[wb_tag] && !(came[wb_tag] & wb_mask), "wb of an operation that is not open");
            // Lanes of different lines come in parts.
            for (part = 0; part < 8; part = part + 1)
                check(!wb_mask[part] || wb_data[32 * part +: 32] == expected[wb_tag][32 * part +: 32], "loaded data");
            came[wb_tag] = came[wb_tag] | wb_mask;
        end
        if (!rst && wb_valid && wb_last) begin
            check(came[wb_tag] == (fails[wb_tag] ? 8'h00 : 8'hff), "loaded lanes");
            open[wb_tag] = 0;
            open_count = open_count - 1;
            loads = loads + 1;
        end
        if (!rst && done_valid) begin
            check(open[done_tag], "done of an operation that is not open");
            open[done_tag] = 0;
            open_count = open_count - 1;
            stores = stores + 1;
        end
        if (!rst && fault_valid) begin
            check(fails[fault_tag] && fault_cause == 5, "a fault");
            failed[fault_tag] = 1;
            errors = errors + 1;
        end
    end

    // Pins change after the rising edge; transfers are looked at just before it, at the falling one.
    task request(input [7:0] tag, input [1:0] op, input [255:0] words);
        begin
            req_tag = tag;
            req_op = op;  // Before req_ready is looked at: it depends on this.
            expected[tag] = words;
            {open[tag], fails[tag], failed[tag], came[tag]} = {1'b1, req_addr[31:0] >= NOWHERE, 9'd0};
            open_count = open_count + 1;
            req_valid = 1;
            @(negedge clk);
            while (!req_ready) @(negedge clk);
            @(posedge clk) #1 req_valid = 0;
            if (op == 1) begin
                wdata_tag = tag;
                wdata_data = words;
                wdata_valid = 1;
                @(negedge clk);
                while (!wdata_ready) @(negedge clk);
                @(posedge clk) #1 wdata_valid = 0;
            end
        end
    endtask

    task finish_all;
        begin
            while (open_count > 0) @(negedge clk);
            // A record may be taken after the operation's end.
            repeat (4) @(negedge clk);
            for (lane = 0; lane < 256; lane = lane + 1) check(fails[lane] === failed[lane], "no fault");
            @(posedge clk) #1;
        end
    endtask

    task forget_all;
        begin
            for (lane = 0; lane < 256; lane = lane + 1) {open[lane], fails[lane], failed[lane]} = 0;
            open_count = 0;
        end
    endtask

    integer round, number, which, lane, stride;
    reg [31:0]  word;
    reg [31:0]  base [0:FLIGHT-1];
    reg [255:0] stored [0:FLIGHT-1];
    // The addresses of an operation: a word of each lane, side by side or in sectors of their own.
    task addresses_of(input integer place);
        for (lane = 0; lane < 8; lane = lane + 1) req_addr[32 * lane +: 32] = base[place] + stride * lane;
    endtask

    initial #300000 check(0, "no end");
    initial begin
        forget_all;
        repeat (3) @(posedge clk);
        #1 {rst, rst_mem} = 0;
        cfg_bank_write = 1;  // Idle: the bank table may be written.
        @(posedge clk) #1 cfg_bank_write = 0;
        for (round = 0; round < ROUNDS; round = round + 1) begin
            // Stores to places of their own, all in flight; then the loads of the same words, in another order.
            stride = round % 3 == 0 ? 4 : round % 3 == 1 ? 16 : 36;
            for (number = 0; number < FLIGHT; number = number + 1) begin
                base[number] = 32'h1000 + 512 * ((number + round * 5) % 56) + 32 * (round % 4);
                for (lane = 0; lane < 8; lane = lane + 1) stored[number][32 * lane +: 32] = dice(0);
                addresses_of(number);
                request(number, 1, stored[number]);
            end
            finish_all;
            for (number = 0; number < FLIGHT; number = number + 1) begin
                which = (number * 5 + round) % FLIGHT;
                addresses_of(which);
                request(8'h40 + which, 0, stored[which]);
                // A reset of the unit alone: what was under way is forgotten, and what is offered on AXI is not.
                if (round % 4 == 1 && number == 7) begin
                    repeat (round) @(posedge clk);
                    #1 rst = 1;
                    forget_all;
                    @(posedge clk) #1 rst = 0;
                    cfg_bank_write = 1;
                    @(posedge clk) #1 cfg_bank_write = 0;
                end
            end
            finish_all;
            // LDCs of bank 3, whose memory nobody writes; a device by .mmio, one lane at a time; an address that nobody has.
            for (lane = 0; lane < 8; lane = lane + 1) req_addr[32 * lane +: 32] = 64 * (round % 16) + 4 * lane;
            word = 32'h0c00_0040 + 2 * (round % 16);
            request(8'h80, 2, {8{word}});
            req_sem = 5;
            for (lane = 0; lane < 8; lane = lane + 1) begin
                req_addr[32 * lane +: 32] = DEVICE + 4 * (lane + round);
                stored[0][32 * lane +: 32] = 32'hde00_0000 | (4 * (lane + round));
            end
            request(8'h81, 0, stored[0]);
            request(8'h82, 1, stored[0]);
            req_sem = 0;
            if (round % 10 == 3) begin
                for (lane = 0; lane < 8; lane = lane + 1) req_addr[32 * lane +: 32] = NOWHERE + 32 * round + 4 * lane;
                request(8'h83, 0, 0);
                request(8'h84, 1, 0);
            end
            finish_all;
        end
        repeat (200) @(negedge clk);
        check(status_idle && !status_wdata_wrong_tag, "status");
        check(device_reads == 8 * ROUNDS && device_writes == 8 * ROUNDS, "accesses of the device");
        check(errors == 2 * ((ROUNDS + 6) / 10) && stores > ROUNDS * FLIGHT && loads > ROUNDS * 8, "counts");
        $display("%0d loads, %0d stores, %0d errors in %0d cycles", loads, stores, errors, $time / 10);
        $display("passed");
        $finish;
    end
endmodule
