// Who owns a row (rules ROW, PINNED, NOT-KEPT, READ-FIRST, MISS, SERVE): no sector that is to be read for a pass is
// written between the edge at which the pass gets its row and that at which it is read, nor at that edge itself; and a
// response, an update and a part of another CTA's write never come at one edge. That it holds at the edge of the read
// makes `no_rw_check` legal: of a memory that is read and written at one edge at one address nothing is used. All of it
// are contracts of the blocks of the global path (lsu_row_store, lsu_row_readers, lsu_cache_tags, lsu_miss_table,
// lsu_pass_queue, lsu_global_tag_stage, lsu_serve, lsu_reply).
//
// Assumes: memory and the cluster answer what they were asked, once; other CTAs ask whatever they like. What comes to
// tag is free, but for what intake and issue say of every operation (below, one line each). Lines have three bits and
// the port's: they are only compared. What is read may go on whenever it likes.
module rows (
    input clk, input rst, input rst_mem, input done_ready, input mem_req_ready, input mem_rsp_valid,
    input [7:0] mem_rsp_id, input mem_rsp_error, input cluster_req_ready, input cluster_rsp_valid,
    input [5:0] cluster_rsp_id, input cluster_rsp_error, input serve_req_valid, input serve_req_write,
    input [31:0] serve_req_addr, input [31:0] serve_req_strb, input serve_rsp_ready
);
    wire mem_req_valid, mem_rsp_blocked, cluster_req_valid, cluster_rsp_ready;
    wire [7:0] mem_req_id;
    wire [5:0] cluster_req_id;

    lsu_global_path unit (
        .clk(clk), .rst(rst), .rst_mem(rst_mem), .done_ready(done_ready),
        .mem_req_valid(mem_req_valid), .mem_req_ready(mem_req_ready), .mem_req_id(mem_req_id),
        .mem_rsp_valid(mem_rsp_valid), .mem_rsp_blocked(mem_rsp_blocked), .mem_rsp_id(mem_rsp_id),
        .mem_rsp_error(mem_rsp_error), .cluster_req_valid(cluster_req_valid), .cluster_req_ready(cluster_req_ready),
        .cluster_req_id(cluster_req_id), .cluster_rsp_valid(cluster_rsp_valid),
        .cluster_rsp_ready(cluster_rsp_ready), .cluster_rsp_id(cluster_rsp_id), .cluster_rsp_error(cluster_rsp_error),
        .serve_req_valid(serve_req_valid), .serve_req_write(serve_req_write), .serve_req_addr(serve_req_addr),
        .serve_req_strb(serve_req_strb), .serve_rsp_ready(serve_rsp_ready)
    );

    (* hierconn *) wire \unit.issue_load_valid ;
    (* hierconn *) wire \unit.issue_bank_valid ;
    (* hierconn *) wire \unit.merge_valid ;
    (* hierconn *) wire \unit.merge_empty ;
    (* hierconn *) wire \unit.tag_store_comes_next ;
    (* hierconn *) wire \unit.tag_holds_shared ;
    (* hierconn *) wire \unit.tag.has_room_q ;
    (* hierconn *) wire [26:0] \unit.tag.next_line ;
    (* hierconn *) wire \unit.tag.next_operation_is_local ;
    (* hierconn *) wire \unit.tag.next_operation_kept ;
    (* hierconn *) wire \unit.tag.next_operation_mmio ;
    (* hierconn *) wire [2:0] \unit.tag.next_operation_cop ;
    (* hierconn *) wire \unit.tag.next_operation_is_store ;
    (* hierconn *) wire \unit.tag.next_operation_is_command ;
    (* hierconn *) wire \unit.tag.next_operation_nc ;
    (* hierconn *) wire \unit.tag.next_operation_looked_up ;
    (* hierconn *) wire \unit.misses.next_operation_ordered ;
    (* hierconn *) wire \unit.tag.next_pass_has_line ;
    (* hierconn *) wire \unit.tag.next_pass_is_shared ;
    (* hierconn *) wire \unit.tag.operation_kept ;
    (* hierconn *) wire \unit.tag.operation_looked_up ;
    (* hierconn *) wire \unit.tag.occupied_q ;
    (* hierconn *) wire \unit.misses.operation_ordered ;
    (* hierconn *) wire \unit.misses.operation_acquire ;
    (* hierconn *) wire \unit.misses.operation_is_store ;
    (* hierconn *) wire \unit.tag.has_line_q ;
    (* hierconn *) wire [3:0] \unit.tag_need ;
    wire [3:0] need = \unit.tag_need ;
    wire is_store = \unit.tag.next_operation_is_store , is_nc = \unit.tag.next_operation_nc ;
    wire is_looked_up = \unit.tag.next_operation_looked_up , is_ordered = \unit.misses.next_operation_ordered ;
    wire is_remote = \unit.tag.next_line [25];
    wire has_line = \unit.tag.next_pass_has_line , is_shared = \unit.tag.next_pass_is_shared ;

    reg begun = 0, merge_comes = 0;
    reg [7:0] unanswered = 0, unanswered_remote = 0;

    always @(posedge clk) begin
        begun <= 1;
        merge_comes <= !rst & \unit.tag_store_comes_next ;
        if (mem_rsp_valid & !mem_rsp_blocked) unanswered[mem_rsp_id[2:0]] <= 0;
        if (mem_req_valid & mem_req_ready) unanswered[mem_req_id[2:0]] <= 1;
        if (cluster_rsp_valid & cluster_rsp_ready) unanswered_remote[cluster_rsp_id[2:0]] <= 0;
        if (cluster_req_valid & cluster_req_ready) unanswered_remote[cluster_req_id[2:0]] <= 1;
        if (rst) {unanswered, unanswered_remote} <= 0;
    end

    // Who owns a sector. Rows 0 to 3 are the ways of L1, 4 to 7 those of RO (2 x way + set), 8 and 9 the MSHRs' own.
    (* hierconn *) wire [15:0] \unit.tag.l1.valid_q ;
    (* hierconn *) wire [7:0] \unit.tag.l1.cleared_q ;
    (* hierconn *) wire [7:0] \unit.tag.l1.stored_q ;
    (* hierconn *) wire \unit.tag.l1.cleared_set_q ;
    (* hierconn *) wire [15:0] \unit.tag.ro.valid_q ;
    (* hierconn *) wire [7:0] \unit.tag.ro.cleared_q ;
    (* hierconn *) wire [7:0] \unit.tag.ro.stored_q ;
    (* hierconn *) wire \unit.tag.ro.cleared_set_q ;
    (* hierconn *) wire [1:0] \unit.misses.in_use_q ;
    (* hierconn *) wire [1:0] \unit.misses.is_write_q ;
    (* hierconn *) wire [7:0] \unit.misses.asked_q ;
    (* hierconn *) wire [7:0] \unit.misses.arrived_q ;
    (* hierconn *) wire [7:0] \unit.misses.mshr_row_q ;
    (* hierconn *) wire \unit.misses.next_comes ;
    (* hierconn *) wire \unit.misses.write_back_full ;
    (* hierconn *) wire [26:0] \unit.misses.write_back_line ;
    (* hierconn *) wire [26:0] \unit.misses.line ;
    (* hierconn *) wire [27:0] \unit.readers.row ;
    (* hierconn *) wire [27:0] \unit.readers.sectors ;
    // One sector of one row, whichever the solver picks.
    (* anyconst *) wire [3:0] row;
    (* anyconst *) wire [1:0] sector;
    wire [2:0] in_way = {row[1], sector};
    wire in_l1 = row[3:2] == 0, in_ro = row[3:2] == 1;
    // What a pass changed at the last edge is written one cycle later.
    wire in_l1_now = \unit.tag.l1.cleared_set_q == row[0], in_ro_now = \unit.tag.ro.cleared_set_q == row[0];
    wire l1_valid = \unit.tag.l1.valid_q [{in_way, row[0]}] & !(in_l1_now & \unit.tag.l1.cleared_q [in_way])
        | (in_l1_now & \unit.tag.l1.stored_q [in_way]);
    wire ro_valid = \unit.tag.ro.valid_q [{in_way, row[0]}] & !(in_ro_now & \unit.tag.ro.cleared_q [in_way])
        | (in_ro_now & \unit.tag.ro.stored_q [in_way]);
    wire tag_owns = (in_l1 & l1_valid) | (in_ro & ro_valid);
    wire [1:0] mshr_owns = \unit.misses.in_use_q & ~ \unit.misses.is_write_q
        & {\unit.misses.mshr_row_q [7:4] == row, \unit.misses.mshr_row_q [3:0] == row}
        & {\unit.misses.asked_q [{1'b1, sector}], \unit.misses.asked_q [{1'b0, sector}]}
        & ~{\unit.misses.arrived_q [{1'b1, sector}], \unit.misses.arrived_q [{1'b0, sector}]};
    reg queue_owns;
    always @(*) begin : queued
        integer pass;
        queue_owns = 0;
        for (pass = 0; pass < 7; pass = pass + 1)
            if (\unit.readers.row [4 * pass +: 4] == row & \unit.readers.sectors [4 * pass + sector]) queue_owns = 1;
        if (begun & !rst) begin
            one_owner: assert (mshr_owns == 0 | (mshr_owns != 3 & !tag_owns & !queue_owns));
            // What miss_rules assumes.
            if (\unit.misses.write_back_full )
                written_back: assert (! \unit.misses.next_comes
                    & !(\unit.tag.has_line_q & \unit.misses.write_back_line == \unit.misses.line ));
        end
    end

    always @(*) begin
        if (!begun) assume (rst & rst_mem);
        // Memory and the cluster; after a reset the unit forgets (rule DRAIN, proof drain).
        if (mem_rsp_valid) assume (mem_rsp_id[7:3] == 8 & unanswered[mem_rsp_id[2:0]]);
        if (cluster_rsp_valid) assume (cluster_rsp_id[5:3] == 0 & unanswered_remote[cluster_rsp_id[2:0]]);
        // Rule PASS: merge comes before issue, and a store of shared memory before the loads behind it.
        assume (\unit.merge_empty == !merge_comes);
        if (\unit.merge_valid ) assume (merge_comes);
        if (\unit.issue_load_valid ) assume (!merge_comes);
        if (\unit.issue_bank_valid ) assume (!merge_comes & !\unit.tag_holds_shared );
        // What comes: a store is ordered and never looked up, nor is what else is ordered; of RO nothing is ordered;
        // what is remote is neither looked up nor RO's; a command has no lanes, and of shared passes only stores come,
        // without a line.
        assume (\unit.tag.next_line [24:3] == 0);
        assume (! \unit.tag.next_line [26] | ! \unit.tag.next_line [25]);
        if (\unit.tag.has_room_q & (\unit.merge_valid | \unit.issue_load_valid )) begin
            assume (is_store == \unit.merge_valid );
            if (\unit.tag.next_operation_is_command )
                assume (!is_store & !has_line & !is_shared & \unit.tag.next_line == 0);
            if (has_line) assume (\unit.tag.next_operation_is_local == \unit.tag.next_line [26]);
            // Rule LOCAL: it is neither mmio nor past L1.
            if (has_line & \unit.tag.next_operation_is_local )
                assume (!is_nc & is_looked_up == !is_store & ! \unit.tag.next_operation_mmio
                    & \unit.tag.next_operation_cop != 2);
            if (has_line & is_store) assume (! \unit.tag.next_operation_kept );
            if (is_shared) assume (is_store & !has_line);
            if (is_store) assume (!is_looked_up);
            if (has_line & is_remote) assume (!is_looked_up & !is_nc);
            if (has_line & is_store) assume (is_ordered & !is_nc);
            if (has_line & is_nc) assume (!is_ordered);
            if (has_line & is_looked_up) assume (!is_ordered);
        end
        // The same of the pass in tag: only what is looked up is kept, only what is ordered an acquire; its sectors.
        if (\unit.tag.has_line_q ) begin
            assume (need != 0);
            if (\unit.tag.operation_kept ) assume (\unit.tag.operation_looked_up );
            if (\unit.misses.operation_acquire )
                assume (\unit.misses.operation_ordered & !\unit.misses.operation_is_store );
            if (\unit.misses.operation_is_store ) assume (need == 1 || need == 2 || need == 4 || need == 8);
        end else if (\unit.tag.occupied_q & !\unit.misses.operation_is_store ) assume (need == 0);
    end
endmodule
