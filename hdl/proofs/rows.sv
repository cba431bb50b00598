// Who owns a row (rules ROW, PINNED, NOT-KEPT, READ-FIRST, MISS, SERVE): no sector that is to be read for a pass is
// written between the edge at which the pass gets its row and that at which it is read, nor at that edge itself; and a
// response, an update and a part of another CTA's write never come at one edge. That it holds at the edge of the read
// makes `no_rw_check` legal: of a memory that is read and written at one edge at one address nothing is used. All of it
// are contracts of the blocks of the global path (lsu_row_store, lsu_row_readers, lsu_cache_tags, lsu_miss_table,
// lsu_pass_queue, lsu_global_tag_stage, lsu_serve, lsu_reply).
//
// It is proven by an induction of one step: what is asserted in a cycle makes all of it hold in the next one, whatever
// comes. For that the second half asserts what else is true in every state: what the tags, the MSHRs, the waiters and
// the queues say of one another. Nothing of it is assumed but in that step's first cycle.
//
// Assumes: memory and the cluster answer what they were asked, once; other CTAs ask whatever they like. What comes to
// tag is free, but for what intake and issue say of every operation (below, one line each). Lines are whole, with all
// of their bits. What is read may go on whenever it likes.
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
    (* hierconn *) wire [1:0] \unit.tag.l1.in_cleared_set_q ;
    (* hierconn *) wire [15:0] \unit.tag.ro.valid_q ;
    (* hierconn *) wire [7:0] \unit.tag.ro.cleared_q ;
    (* hierconn *) wire [7:0] \unit.tag.ro.stored_q ;
    (* hierconn *) wire [1:0] \unit.tag.ro.in_cleared_set_q ;
    (* hierconn *) wire [1:0] \unit.misses.in_use_q ;
    (* hierconn *) wire [1:0] \unit.misses.is_write_q ;
    (* hierconn *) wire [7:0] \unit.misses.asked_q ;
    (* hierconn *) wire [7:0] \unit.misses.arrived_q ;
    (* hierconn *) wire [7:0] \unit.misses.mshr_row_q ;
    (* hierconn *) wire [53:0] \unit.misses.mshr_line_q ;
    (* hierconn *) wire [3:0] \unit.misses.names_l1_q ;
    (* hierconn *) wire [3:0] \unit.misses.names_ro_q ;
    (* hierconn *) wire \unit.misses.next_comes ;
    (* hierconn *) wire \unit.misses.write_back_full ;
    (* hierconn *) wire [26:0] \unit.misses.write_back_line ;
    (* hierconn *) wire [26:0] \unit.misses.line ;
    (* hierconn *) wire [27:0] \unit.readers.row ;
    (* hierconn *) wire [27:0] \unit.readers.sectors ;
    // The row that each MSHR has; mshr_row says it a cycle later.
    wire [3:0] row_0 = \unit.misses.names_ro_q [1:0] != 0 ? {2'd1, \unit.misses.names_ro_q [1], \unit.misses.mshr_line_q [0]}
        : \unit.misses.names_l1_q [1:0] != 0 ? {2'd0, \unit.misses.names_l1_q [1], \unit.misses.mshr_line_q [0]} : 4'd8;
    wire [3:0] row_1 = \unit.misses.names_ro_q [3:2] != 0 ? {2'd1, \unit.misses.names_ro_q [3], \unit.misses.mshr_line_q [27]}
        : \unit.misses.names_l1_q [3:2] != 0 ? {2'd0, \unit.misses.names_l1_q [3], \unit.misses.mshr_line_q [27]} : 4'd9;
    reg [7:0] rows_before = 0;
    always @(posedge clk) rows_before <= rst ? 8'd0 : {row_1, row_0};
    // One sector of one row, whichever the solver picks.
    (* anyconst *) wire [3:0] row;
    (* anyconst *) wire [1:0] sector;
    wire [2:0] in_way = {row[1], sector};
    wire in_l1 = row[3:2] == 0, in_ro = row[3:2] == 1;
    // What a flush empties, and then what a pass changed at the last edge, is written one cycle later.
    (* hierconn *) wire \unit.tag.l1.flushed_q ;
    (* hierconn *) wire \unit.tag.l1.flushed_local_q ;
    (* hierconn *) wire \unit.tag.l1.moved_q ;
    (* hierconn *) wire [3:0] \unit.tag.l1.local_q ;
    (* hierconn *) wire \unit.tag.ro.flushed_q ;
    (* hierconn *) wire \unit.tag.ro.flushed_local_q ;
    (* hierconn *) wire \unit.tag.ro.moved_q ;
    (* hierconn *) wire [3:0] \unit.tag.ro.local_q ;
    wire l1_emptied = \unit.tag.l1.local_q [row[1:0]] ? \unit.tag.l1.flushed_local_q : \unit.tag.l1.flushed_q ;
    wire ro_emptied = \unit.tag.ro.local_q [row[1:0]] ? \unit.tag.ro.flushed_local_q : \unit.tag.ro.flushed_q ;
    wire in_l1_now = \unit.tag.l1.in_cleared_set_q [row[0]], in_ro_now = \unit.tag.ro.in_cleared_set_q [row[0]];
    wire l1_valid = \unit.tag.l1.valid_q [{in_way, row[0]}] & !l1_emptied & !(in_l1_now & \unit.tag.l1.cleared_q [in_way])
        | (in_l1_now & \unit.tag.l1.stored_q [in_way]);
    wire ro_valid = \unit.tag.ro.valid_q [{in_way, row[0]}] & !ro_emptied & !(in_ro_now & \unit.tag.ro.cleared_q [in_way])
        | (in_ro_now & \unit.tag.ro.stored_q [in_way]);
    wire tag_owns = (in_l1 & l1_valid) | (in_ro & ro_valid);
    wire [1:0] mshr_owns = \unit.misses.in_use_q & ~ \unit.misses.is_write_q
        & {row_1 == row, row_0 == row}
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
        if (\unit.issue_bank_valid ) assume (!merge_comes & !\unit.tag_holds_shared );
        // What comes: a store is ordered and never looked up, nor is what else is ordered; of RO nothing is ordered;
        // what is remote is not looked up; a command is no store and has no line, nor has a shared pass: only stores come so.
        assume (! \unit.tag.next_line [26] | ! \unit.tag.next_line [25]);
        if (\unit.tag.has_room_q & (\unit.merge_valid | \unit.issue_load_valid )) begin
            if (\unit.tag.next_operation_is_command ) assume (!has_line & !is_store & \unit.tag.next_line == 0);
            if (has_line) assume (\unit.tag.next_operation_is_local == \unit.tag.next_line [26]);
            // Rule LOCAL: it is neither mmio nor past L1.
            if (has_line & \unit.tag.next_operation_is_local )
                assume (!is_nc & is_looked_up == !is_store & ! \unit.tag.next_operation_mmio
                    & \unit.tag.next_operation_cop != 2);
            if (is_shared) assume (is_store & !has_line);
            if (is_store) assume (!is_looked_up);
            if (has_line & is_remote) assume (!is_looked_up);
            if (has_line & is_store) assume (is_ordered & !is_nc);
            if (has_line & is_nc) assume (!is_ordered);
            if (has_line & is_looked_up) assume (!is_ordered);
        end
        // The same of the pass in tag: only what is looked up is kept; its sectors, of which it has some.
        if (\unit.tag.has_line_q ) begin
            assume (need != 0);
            if (\unit.tag.operation_kept ) assume (\unit.tag.operation_looked_up );
            if (\unit.misses.operation_is_store ) assume (need == 1 || need == 2 || need == 4 || need == 8);
        end else if (\unit.tag.occupied_q & !\unit.misses.operation_is_store ) assume (need == 0);
    end

    // What holds besides, in every state.
    //
    // Names of what is in the blocks. Each cache is one half of a vector: L1 the low one, RO the high one.
    (* hierconn *) wire \unit.tag.second_occupied_q ;
    (* hierconn *) wire [180:0] \unit.tag.held_q ;
    (* hierconn *) wire [180:0] \unit.tag.second_q ;
    (* hierconn *) wire \unit.tag.load_comes_q ;
    (* hierconn *) wire \unit.tag.reads_second_q ;
    (* hierconn *) wire \unit.tag.reads_store_q ;
    (* hierconn *) wire \unit.tag.reads_load_q ;
    (* hierconn *) wire \unit.tag.back_set_q ;
    (* hierconn *) wire \unit.tag.is_load_q ;
    (* hierconn *) wire \unit.tag.is_store_q ;
    (* hierconn *) wire \unit.tag.is_local_store_q ;
    (* hierconn *) wire \unit.tag.is_any_store_q ;
    (* hierconn *) wire \unit.tag.is_ro_q ;
    (* hierconn *) wire \unit.tag.is_l1_q ;
    (* hierconn *) wire \unit.tag.asks_bank_q ;
    (* hierconn *) wire \unit.tag.asks_hit_q ;
    (* hierconn *) wire \unit.tag.waits_anyway_q ;
    (* hierconn *) wire \unit.tag.enters_ro_q ;
    (* hierconn *) wire \unit.tag.is_update_q ;
    (* hierconn *) wire \unit.tag.is_shared_store_q ;
    (* hierconn *) wire \unit.tag.looks_in_l1_q ;
    (* hierconn *) wire \unit.tag.looks_in_ro_q ;
    (* hierconn *) wire \unit.tag.empties_l1_q ;
    (* hierconn *) wire \unit.tag.empties_ro_q ;
    (* hierconn *) wire \unit.tag.walks_q ;
    (* hierconn *) wire \unit.tag.enters_l1_q ;
    (* hierconn *) wire \unit.tag.l1_found ;
    (* hierconn *) wire [1:0] \unit.tag.l1.matches_q ;
    (* hierconn *) wire [1:0] \unit.tag.l1.fresh_q ;
    (* hierconn *) wire [1:0] \unit.tag.l1.entered_q ;
    (* hierconn *) wire \unit.tag.l1.entered_is_local_q ;
    (* hierconn *) wire [7:0] \unit.tag.l1.way_valid_q ;
    (* hierconn *) wire [1:0] \unit.tag.l1.way_local_q ;
    (* hierconn *) wire [26:0] \unit.tag.l1.tag[0].unit.words[0] ;
    (* hierconn *) wire [26:0] \unit.tag.l1.tag[0].unit.words[1] ;
    (* hierconn *) wire [26:0] \unit.tag.l1.tag[1].unit.words[0] ;
    (* hierconn *) wire [26:0] \unit.tag.l1.tag[1].unit.words[1] ;
    (* hierconn *) wire [1:0] \unit.tag.ro.matches_q ;
    (* hierconn *) wire [1:0] \unit.tag.ro.fresh_q ;
    (* hierconn *) wire [1:0] \unit.tag.ro.entered_q ;
    (* hierconn *) wire \unit.tag.ro.entered_is_local_q ;
    (* hierconn *) wire [7:0] \unit.tag.ro.way_valid_q ;
    (* hierconn *) wire [1:0] \unit.tag.ro.way_local_q ;
    (* hierconn *) wire [26:0] \unit.tag.ro.tag[0].unit.words[0] ;
    (* hierconn *) wire [26:0] \unit.tag.ro.tag[0].unit.words[1] ;
    (* hierconn *) wire [26:0] \unit.tag.ro.tag[1].unit.words[0] ;
    (* hierconn *) wire [26:0] \unit.tag.ro.tag[1].unit.words[1] ;
    (* hierconn *) wire [15:0] \unit.tag.l1_dirty.dirty_q ;
    (* hierconn *) wire [7:0] \unit.tag.l1_dirty.dirtied_q ;
    (* hierconn *) wire [7:0] \unit.tag.l1_dirty.cleaned_q ;
    (* hierconn *) wire [1:0] \unit.tag.l1_dirty.in_changed_set_q ;
    (* hierconn *) wire [7:0] \unit.tag.l1_dirty.looked_dirty_q ;
    (* hierconn *) wire \unit.tag.l1_dirty.looked_any_q ;
    (* hierconn *) wire \unit.tag.l1_dirty.walk_set_q ;
    (* hierconn *) wire \unit.tag.l1_dirty.looked_set ;
    (* hierconn *) wire [1:0] \unit.misses.waiter_valid_q ;
    (* hierconn *) wire [7:0] \unit.misses.waiter_needs_q ;
    (* hierconn *) wire [7:0] \unit.misses.waiter_awaits_q ;
    (* hierconn *) wire [3:0] \unit.misses.waiter_refers_q ;
    (* hierconn *) wire [1:0] \unit.misses.ready_q ;
    (* hierconn *) wire \unit.misses.taken_index ;
    (* hierconn *) wire \unit.misses.local_held_q ;
    (* hierconn *) wire \unit.misses.write_back_held_q ;
    (* hierconn *) wire [1:0] \unit.misses.ordered_q ;
    (* hierconn *) wire [1:0] \unit.misses.is_ro_q ;
    (* hierconn *) wire [1:0] \unit.misses.fills_rest_q ;
    (* hierconn *) wire [1:0] \unit.misses.writes_back_q ;
    (* hierconn *) wire [1:0] \unit.misses.keep_q ;
    (* hierconn *) wire [1:0] \unit.misses.matches_q ;
    (* hierconn *) wire [1:0] \unit.misses.orders_q ;
    (* hierconn *) wire [3:0] \unit.misses.l1_names_here_q ;
    (* hierconn *) wire [3:0] \unit.misses.ro_names_here_q ;
    (* hierconn *) wire [1:0] \unit.misses.l1_named_before_q ;
    (* hierconn *) wire [1:0] \unit.misses.ro_named_before_q ;
    (* hierconn *) wire [1:0] \unit.misses.closed_q ;
    (* hierconn *) wire [1:0] \unit.misses.precedes_q ;
    (* hierconn *) wire \unit.misses.waiters_full_q ;
    (* hierconn *) wire \unit.misses.mshrs_full_q ;
    (* hierconn *) wire [1:0] \unit.misses.referred ;
    (* hierconn *) wire [7:0] \unit.readers.l1_before_q ;
    (* hierconn *) wire [7:0] \unit.readers.ro_before_q ;
    (* hierconn *) wire \unit.read_queue.head_q ;
    (* hierconn *) wire \unit.read_queue.tail_q ;
    (* hierconn *) wire \unit.read_queue.used_q ;
    (* hierconn *) wire [3:0] \unit.read_queue.sent_q ;
    (* hierconn *) wire \unit.read_queue.push ;
    (* hierconn *) wire [180:0] \unit.read_queue.requests.words[0] ;
    (* hierconn *) wire [180:0] \unit.read_queue.requests.words[1] ;
    (* hierconn *) wire \unit.write.full_q ;
    (* hierconn *) wire \unit.write.second_full_q ;
    (* hierconn *) wire \unit.write.vacant_q ;
    (* hierconn *) wire \unit.write.update_q ;
    (* hierconn *) wire \unit.write.pause_q ;
    (* hierconn *) wire \unit.write.is_shared_q ;
    (* hierconn *) wire [3:0] \unit.write.row_held_q ;
    (* hierconn *) wire [1:0] \unit.write.sector_held_q ;
    (* hierconn *) wire [26:0] \unit.write.line_held_q ;
    (* hierconn *) wire [1:0] \unit.write.sector_q ;
    (* hierconn *) wire \unit.write.mshr_held_q ;
    (* hierconn *) wire [26:0] \unit.write.second_line_q ;
    (* hierconn *) wire [1:0] \unit.write.second_sector_q ;
    (* hierconn *) wire \unit.write.second_mshr_q ;
    (* hierconn *) wire \unit.write_back.occupied_q ;
    (* hierconn *) wire \unit.write_back.held_way_q ;
    (* hierconn *) wire [1:0] \unit.write_back.held_sector_q ;
    (* hierconn *) wire \unit.write_back.in_read_q ;
    (* hierconn *) wire \unit.write_back.waits_q ;
    (* hierconn *) wire \unit.write_back.held_mshr_q ;
    (* hierconn *) wire [8:0] \unit.places.holds ;
    (* hierconn *) wire \unit.places.hit_second_q ;
    (* hierconn *) wire \unit.places.ro_hit_second_q ;
    (* hierconn *) wire \unit.places.resume_second_q ;
    (* hierconn *) wire \unit.places.between_q ;
    (* hierconn *) wire [35:0] \unit.places.goes_before_q ;
    (* hierconn *) wire \unit.places.ro_read_vacant_q ;
    (* hierconn *) wire \unit.places.hit.vacant_q ;
    (* hierconn *) wire [186:0] \unit.places.hit.first_q ;
    (* hierconn *) wire \unit.places.ro_hit.vacant_q ;
    (* hierconn *) wire [186:0] \unit.places.ro_hit.first_q ;
    (* hierconn *) wire \unit.places.resume.vacant_q ;
    (* hierconn *) wire [186:0] \unit.places.resume.first_q ;
    (* hierconn *) wire \unit.places.bank.vacant_q ;
    (* hierconn *) wire [186:0] \unit.places.bank.first_q ;
    (* hierconn *) wire [186:0] \unit.places.bank.second_q ;
    (* hierconn *) wire \unit.memory_arbiter.waits_q ;
    (* hierconn *) wire \unit.memory_arbiter.presented_q ;
    (* hierconn *) wire \unit.cluster_arbiter.waits_q ;
    (* hierconn *) wire \unit.cluster_arbiter.presented_q ;
    (* hierconn *) wire \unit.read_queue_valid ;
    (* hierconn *) wire \unit.read_queue_cluster_valid ;
    (* hierconn *) wire \unit.write_valid ;
    (* hierconn *) wire \unit.write_cluster_valid ;
    (* hierconn *) wire \unit.answer.holds_q ;
    (* hierconn *) wire [5:0] \unit.answer.held_id_q ;
    (* hierconn *) wire \unit.serve.holds_read_q ;
    (* hierconn *) wire \unit.serve.holds_write_q ;
    (* hierconn *) wire \unit.serve.in_read_q ;
    (* hierconn *) wire \unit.serve.may_store_q ;
    (* hierconn *) wire \unit.serve.is_beyond_q ;
    (* hierconn *) wire \unit.serve.may_read_q ;
    (* hierconn *) wire \unit.serve.offers_read_q ;
    (* hierconn *) wire \unit.serve.may_write_q ;
    (* hierconn *) wire \unit.serve.contract_wrote_q ;
    (* hierconn *) wire \unit.reply.holds_q ;

    // tag. In the cycle after a reset it has no room: nothing comes then from issue. Here something may; it is taken
    // without what is said of it once more, and finds everything empty in the next cycle, in which it leaves.
    reg [1:0] after = 0;  // The cycle after a reset, and the next one.
    always @(posedge clk) after <= {after[0] & !rst, rst};
    wire [180:0] held = \unit.tag.held_q ;
    wire [26:0] line = held[172:146];
    wire set = line[0], holds = \unit.tag.occupied_q & !after[1], holds_line = holds & held[144];
    wire holds_store = holds_line & held[8], holds_local = held[140], holds_nc = held[95];
    // Whether that may be a pass that has come: what is assumed of those that come. Fields are the bits that they are in
    // the Verilog: if one moves there, what is said of it here is wrong, and not proven.
    function may_be(input [180:0] pass);
        reg [26:0] its_line;
        reg stores, commands, loads_nc, is_ordered, looks_up, in_local, lined, shared;
        begin
            its_line = pass[172:146];
            {stores, commands, loads_nc, is_ordered, looks_up} = {pass[8], pass[9], pass[95], pass[132], pass[133]};
            {in_local, lined, shared} = {pass[140], pass[144], pass[145]};
            may_be = !(its_line[26] & its_line[25]) & (!commands | !(lined | stores | its_line != 0))
                & (!shared | (stores & !lined)) & (!stores | !looks_up)
                & (!lined | (in_local == its_line[26] & !(stores & (!is_ordered | loads_nc)) & !(loads_nc & is_ordered)
                    & !(looks_up & is_ordered) & !(its_line[25] & looks_up)
                    & (!in_local | (!loads_nc & looks_up == !stores & !pass[131] & pass[22:20] != 2))));
        end
    endfunction
    wire flags = \unit.tag.has_line_q == holds_line & \unit.tag.is_load_q == (holds_line & !held[8])
        & \unit.tag.is_store_q == (holds_store & !holds_local) & \unit.tag.is_local_store_q == (holds_store & holds_local)
        & \unit.tag.enters_l1_q == ((holds_line & held[134] & !holds_nc) | (holds_store & holds_local))
        & \unit.tag.is_any_store_q == (holds & held[8]) & \unit.tag.is_shared_store_q == (holds & held[145])
        & \unit.tag.is_ro_q == (holds_line & !held[8] & holds_nc)
        & \unit.tag.is_l1_q == (holds_line & !holds_nc) & \unit.tag.asks_bank_q == (holds_line & !holds_nc & (!held[8] | held[136]))
        & \unit.tag.enters_ro_q == (holds_line & held[134] & holds_nc)
        & \unit.tag.is_update_q == (holds_store & !held[131] & held[22:20] != 2)
        & \unit.tag.looks_in_l1_q == (holds_line & held[133] & !holds_nc)
        & \unit.tag.looks_in_ro_q == (holds_line & held[133] & holds_nc)
        & \unit.tag.walks_q == (holds & held[9] & held[11:10] == 3)
        & \unit.tag.empties_l1_q == (holds & held[9] & held[11:10] == 0)
        & \unit.tag.asks_hit_q == ( \unit.tag.occupied_q & !(holds_line & !held[8] & holds_nc) & !(holds_store & !holds_local))
        & \unit.tag.waits_anyway_q == ((holds_store & !holds_local) | (holds_line & !held[8] & !held[133]))
        & \unit.tag.empties_ro_q == (holds & held[9] & held[11:10] == 1);

    // MSHRs.
    wire [1:0] in_use = \unit.misses.in_use_q , keep = \unit.misses.keep_q , writes = \unit.misses.is_write_q ;
    wire [1:0] rests = \unit.misses.fills_rest_q , ordered = \unit.misses.ordered_q , of_ro = \unit.misses.is_ro_q ;
    wire [1:0] backs = \unit.misses.writes_back_q , closed = \unit.misses.closed_q ;
    wire [3:0] rows [0:1], asked [0:1], arrived [0:1], pending [0:1];
    wire [26:0] lines [0:1];
    genvar index;
    generate
        for (index = 0; index < 2; index = index + 1) begin
            assign rows[index] = index ? row_1 : row_0;
            assign asked[index] = \unit.misses.asked_q [4 * index +: 4];
            assign arrived[index] = \unit.misses.arrived_q [4 * index +: 4];
            assign lines[index] = \unit.misses.mshr_line_q [27 * index +: 27];
            assign pending[index] = in_use[index] ? asked[index] & ~arrived[index] : 0;
        end
    endgenerate

    // Ways, by their rows: 4 x cache + 2 x way + set.
    wire [26:0] tags [0:7];
    assign tags[0] = \unit.tag.l1.tag[0].unit.words[0] , tags[1] = \unit.tag.l1.tag[0].unit.words[1] ;
    assign tags[2] = \unit.tag.l1.tag[1].unit.words[0] , tags[3] = \unit.tag.l1.tag[1].unit.words[1] ;
    assign tags[4] = \unit.tag.ro.tag[0].unit.words[0] , tags[5] = \unit.tag.ro.tag[0].unit.words[1] ;
    assign tags[6] = \unit.tag.ro.tag[1].unit.words[0] , tags[7] = \unit.tag.ro.tag[1].unit.words[1] ;
    wire [31:0] valid_q = { \unit.tag.ro.valid_q , \unit.tag.l1.valid_q };
    wire [15:0] cleared = { \unit.tag.ro.cleared_q , \unit.tag.l1.cleared_q };
    wire [15:0] stored = { \unit.tag.ro.stored_q , \unit.tag.l1.stored_q };
    wire [1:0] changed_set = { \unit.tag.ro.in_cleared_set_q [1], \unit.tag.l1.in_cleared_set_q [1]};
    wire [1:0] flushed = { \unit.tag.ro.flushed_q , \unit.tag.l1.flushed_q };
    wire [1:0] flushed_local = { \unit.tag.ro.flushed_local_q , \unit.tag.l1.flushed_local_q };
    wire [7:0] local_q = { \unit.tag.ro.local_q , \unit.tag.l1.local_q };
    wire [3:0] entered = { \unit.tag.ro.entered_q , \unit.tag.l1.entered_q };
    wire [1:0] entered_local = { \unit.tag.ro.entered_is_local_q , \unit.tag.l1.entered_is_local_q };
    wire [3:0] matches = { \unit.tag.ro.matches_q , \unit.tag.l1.matches_q };
    wire [3:0] fresh = { \unit.tag.ro.fresh_q , \unit.tag.l1.fresh_q };
    wire [15:0] way_valid = { \unit.tag.ro.way_valid_q , \unit.tag.l1.way_valid_q };
    wire [3:0] way_local = { \unit.tag.ro.way_local_q , \unit.tag.l1.way_local_q };
    wire [3:0] named_before = { \unit.misses.ro_named_before_q , \unit.misses.l1_named_before_q };
    wire [15:0] read_before = { \unit.readers.ro_before_q , \unit.readers.l1_before_q };
    wire looked = \unit.tag.l1_dirty.looked_set ;
    // Valid and dirty sectors of each row, and whether its line is local, with what the pass before changed; and what would be valid but
    // for a flush at the last edge.
    reg [3:0] valid [0:7], dirty [0:3], unflushed;
    reg [7:0] of_local, present, named;
    reg local_lines, kept_up, kept_up_local, compared_tags, one_way, dirty_valid, looked_at;
    integer r, s, m, w, p;
    reg [1:0] c, cw;  // Of a row: its cache; and its way there, of four in both.
    always @(*) begin
        {local_lines, kept_up, kept_up_local, compared_tags, one_way, dirty_valid, looked_at} = 7'd127;
        for (r = 0; r < 8; r = r + 1) begin
            c = r / 4;
            cw = r / 2;
            for (s = 0; s < 4; s = s + 1) begin
                unflushed[s] = valid_q[8 * cw + 2 * s + r % 2];
                valid[r][s] = unflushed[s] & !(local_q[2 * cw + r % 2] ? flushed_local[c] : flushed[c]);
                if (changed_set[c] == r % 2) begin
                    unflushed[s] = (unflushed[s] & !cleared[4 * cw + s]) | stored[4 * cw + s];
                    valid[r][s] = (valid[r][s] & !cleared[4 * cw + s]) | stored[4 * cw + s];
                end
                if (r < 4) begin
                    dirty[r][s] = \unit.tag.l1_dirty.dirty_q [8 * cw + 2 * s + r % 2];
                    if ( \unit.tag.l1_dirty.in_changed_set_q [r % 2])
                        dirty[r][s] = (dirty[r][s] & ! \unit.tag.l1_dirty.cleaned_q [4 * cw + s])
                            | \unit.tag.l1_dirty.dirtied_q [4 * cw + s];
                end
            end
            of_local[r] = changed_set[c] == r % 2 & entered[cw] ? entered_local[c] : local_q[2 * cw + r % 2];
            named[r] = (in_use[0] & rows[0] == r) | (in_use[1] & rows[1] == r);
            present[r] = valid[r] != 0 | (in_use[0] & keep[0] & rows[0] == r) | (in_use[1] & keep[1] & rows[1] == r);
            // A way that a line enters is cleared at that edge.
            if (changed_set[c] == r % 2 & entered[cw] & cleared[4 * cw +: 4] != 15) local_lines = 0;
            if ((unflushed != 0 | named[r]) & (of_local[r] != tags[r][26] | tags[r][25])) local_lines = 0;
            if (r % 2 == set) begin
                if (way_valid[4 * cw +: 4] != valid[r]) kept_up = 0;
                if (way_local[cw] != tags[r][26]) kept_up_local = 0;
                if (matches[cw] != (tags[r] == line)) compared_tags = 0;
            end
            if (r < 4) begin
                if ((dirty[r] & ~valid[r]) != 0 | (dirty[r] != 0 & !tags[r][26])) dirty_valid = 0;
                if (looked == r % 2 & \unit.tag.l1_dirty.looked_dirty_q [4 * cw +: 4] != dirty[r]) looked_at = 0;
            end
        end
        for (r = 0; r < 8; r = r + 1)
            if (r % 4 < 2 & present[r] & present[(r + 2) % 8] & tags[r] == tags[(r + 2) % 8]) one_way = 0;
    end

    // What MSHRs, waiters and passes say of one another and of the ways.
    reg shape, in_the_way, not_valid, pinned, awaited, compared, waiters;
    reg pass_rows, pass_apart, pass_pinned, update_apart, arrives;
    reg [3:0] its_row, its_sectors, its_needs, its_awaits, awaits [0:1];
    always @(*) begin
        {shape, in_the_way, not_valid, pinned, awaited, compared, waiters} = 7'd127;
        {pass_rows, pass_apart, pass_pinned, update_apart} = 4'd15;
        awaits[0] = 0;
        awaits[1] = 0;
        for (w = 0; w < 2; w = w + 1) begin
            its_needs = \unit.misses.waiter_needs_q [4 * w +: 4];
            its_awaits = \unit.misses.waiter_awaits_q [4 * w +: 4];
            if ( \unit.misses.waiter_valid_q [w]) begin
                if (its_needs == 0 | ^ \unit.misses.waiter_refers_q [2 * w +: 2] == 0) waiters = 0;
                for (m = 0; m < 2; m = m + 1)
                    if ( \unit.misses.waiter_refers_q [2 * w + m]) begin
                        awaits[m] = awaits[m] | its_awaits;
                        if (!in_use[m] | backs[m] | (writes[m] & lines[m][26]) | (its_needs & ~asked[m]) != 0 | its_awaits != (its_needs & ~arrived[m]))
                            waiters = 0;
                    end
            end
            if ( \unit.misses.ready_q [w] != ( \unit.misses.waiter_valid_q [w] & its_awaits == 0)) waiters = 0;
        end
        for (m = 0; m < 2; m = m + 1) begin
            its_row = rows[m];
            if (in_use[m]) begin
                if (its_row[3] ? keep[m] : its_row[2] != of_ro[m]) shape = 0;
                if ( \unit.misses.names_l1_q [2 * m +: 2] != (its_row < 4 ? 1 << its_row[1] : 0)
                    | \unit.misses.names_ro_q [2 * m +: 2] != (its_row[3:2] == 1 ? 1 << its_row[1] : 0)) shape = 0;
                if (asked[m] == 0 | (arrived[m] & ~asked[m]) != 0) shape = 0;
                if (rests[m] & (writes[m] | !ordered[m] | !lines[m][26] | !keep[m])) shape = 0;
                if (writes[m] & (!ordered[m] | (lines[m][26] & !its_row[3]))) shape = 0;
                if (ordered[m] & of_ro[m] & !(writes[m] & its_row[3])) shape = 0;
                if (ordered[m] & !its_row[3] & !writes[m] & !rests[m]) shape = 0;
                if (lines[m][25] & (lines[m][26] | !its_row[3])) shape = 0;
                if (!its_row[3]) begin
                    if (tags[its_row[2:0]] != lines[m]) in_the_way = 0;
                    if (!writes[m] & (pending[m] & valid[its_row[2:0]]) != 0) not_valid = 0;
                    if (its_row[0] == set & !named_before[its_row[2:1]] & !fresh[its_row[2:1]]) pinned = 0;
                end
                if (!backs[m] & (pending[m] & ~awaits[m]) != 0) awaited = 0;
            end
            if (backs[m] & (!in_use[m] | !writes[m] | its_row != 8 + m | !lines[m][26] | asked[m] == 0
                | (asked[m] & (asked[m] - 4'd1)) != 0 | arrived[m] != 0)) shape = 0;
            if ( \unit.misses.matches_q [m] != (in_use[m] & lines[m] == line)) compared = 0;
            if ( \unit.misses.orders_q [m] != (in_use[m] & lines[m] == line & holds_line & !of_ro[m] & !holds_nc
                & (held[132] | ordered[m]))) compared = 0;
            if ( \unit.misses.l1_names_here_q [2 * m +: 2]
                    != (in_use[m] & lines[m][0] == set ? \unit.misses.names_l1_q [2 * m +: 2] : 2'd0)
                | \unit.misses.ro_names_here_q [2 * m +: 2]
                    != (in_use[m] & lines[m][0] == set ? \unit.misses.names_ro_q [2 * m +: 2] : 2'd0)) compared = 0;
        end
        for (p = 0; p < 7; p = p + 1) begin
            its_row = \unit.readers.row [4 * p +: 4];
            its_sectors = \unit.readers.sectors [4 * p +: 4];
            if ( \unit.places.holds [p == 6 ? 8 : p + p / 3] & its_row > 9) pass_rows = 0;
            for (m = 0; m < 2; m = m + 1)
                if (rows[m] == its_row & !writes[m] & (pending[m] & its_sectors) != 0) pass_apart = 0;
            if ( \unit.write.update_q & ! \unit.write.is_shared_q & \unit.write.row_held_q == its_row
                & its_sectors[ \unit.write.sector_held_q ]) update_apart = 0;
            for (s = 0; s < 4; s = s + 1)
                if (its_sectors[s]) begin
                    arrives = 0;
                    for (m = 0; m < 2; m = m + 1)
                        if (in_use[m] & rows[m] == its_row & !writes[m] & !ordered[m] & asked[m][s] & arrived[m][s])
                            arrives = 1;
                    if (its_row[3] ? !closed[its_row[0]] | (in_use[its_row[0]] & !(rows[its_row[0]] == its_row
                            & asked[its_row[0]][s] & arrived[its_row[0]][s]))
                        : its_row[0] == set & !read_before[4 * its_row[2:1] + s] & !arrives) pass_pinned = 0;
                end
        end
    end

    // Requests under way, each bit that of an id: to be asked for by each place of the queue of reads, to be written.
    reg [1:0] queued_by = 0;  // The waiter that came with each place of the queue.
    always @(posedge clk)
        if ( \unit.read_queue.push ) queued_by[ \unit.read_queue.tail_q ] <= \unit.misses.taken_index ;
    wire [180:0] entries [0:1];
    assign entries[0] = \unit.read_queue.requests.words[0] , entries[1] = \unit.read_queue.requests.words[1] ;
    wire head = \unit.read_queue.head_q , both = head == \unit.read_queue.tail_q ;
    reg [3:0] left;
    reg [7:0] to_ask [0:1];
    reg queue_right;
    integer e;
    always @(*) begin
        queue_right = \unit.read_queue.used_q ? !both | queued_by[0] != queued_by[1] : both & \unit.read_queue.sent_q == 0;
        for (e = 0; e < 2; e = e + 1) begin
            to_ask[e] = 0;
            if ( \unit.read_queue.used_q & (both | head == e)) begin
                left = entries[e][147:144] & ~(head == e ? \unit.read_queue.sent_q : 0);
                to_ask[e] = left << (4 * entries[e][175]);
                if (left == 0 | ! \unit.misses.waiter_valid_q [queued_by[e]]
                    | ! \unit.misses.waiter_refers_q [2 * queued_by[e] + entries[e][175]]
                    | (left & ~ \unit.misses.waiter_awaits_q [4 * queued_by[e] +: 4]) != 0
                    | entries[e][174:148] != lines[entries[e][175]]) queue_right = 0;
            end
        end
    end
    wire [7:0] first_write = \unit.write.full_q ? 1 << { \unit.write.mshr_held_q , \unit.write.sector_q } : 0;
    wire [7:0] second_write = \unit.write.second_full_q ? 1 << { \unit.write.second_mshr_q , \unit.write.second_sector_q } : 0;
    wire [7:0] landing = \unit.write_back.in_read_q ? 1 << { \unit.write_back.held_mshr_q , \unit.write_back.held_sector_q } : 0;
    wire [7:0] answered = \unit.answer.holds_q ? 1 << \unit.answer.held_id_q [2:0] : 0;
    wire [7:0] to_write = first_write | second_write | landing, to_read = to_ask[0] | to_ask[1];
    wire [7:0] asked_for = unanswered | unanswered_remote | answered;
    wire [7:0] remote_ids = {{4{lines[1][25]}}, {4{lines[0][25]}}}, write_ids = {{4{writes[1]}}, {4{writes[0]}}};

    wire [1:0] is_late = {rows_before[7:4] != row_1, rows_before[3:0] != row_0};
    wire [35:0] turn = \unit.places.goes_before_q ;
    wire [2:0] back_row = { \unit.write_back.held_way_q , looked};

    always @(*) if (begun) begin
        // After a reset nothing is anywhere, but what came too early.
        if (after[0]) is_reset: assert (! \unit.tag.occupied_q & \unit.tag.second_q == 0 & valid_q == 0 & cleared == 0
            & stored == 0 & entered == 0 & flushed == 0 & flushed_local == 0 & \unit.tag.l1_dirty.dirty_q == 0 & \unit.tag.l1_dirty.dirtied_q == 0
            & \unit.tag.l1_dirty.cleaned_q == 0);
        if (after != 0) is_empty: assert (after != 3 & ! \unit.tag.second_occupied_q & in_use == 0 & closed == 0
            & \unit.misses.waiter_valid_q == 0 & \unit.misses.precedes_q == 0 & \unit.places.holds == 0
            & ! \unit.write.full_q & ! \unit.write.update_q & ! \unit.write_back.occupied_q
            & ! \unit.read_queue.used_q & ! \unit.answer.holds_q & {valid[0], valid[1], valid[2], valid[3], valid[4],
            valid[5], valid[6], valid[7], dirty[0], dirty[1], dirty[2], dirty[3]} == 0);
        // Queues: the second place is full only while the first is, and the register that says that there is room is
        // right. (holds: resume, hit, ro_hit, bank, then the second of each, then ro_read.)
        tag_room: assert ((! \unit.tag.second_occupied_q | \unit.tag.occupied_q )
            & \unit.tag.has_room_q == (! \unit.tag.second_occupied_q & !after[0]));
        // Nothing that came before holds back a pass that is not there, or has no lanes.
        is_free: assert ( \unit.tag.has_line_q | \unit.tag.is_shared_store_q | \unit.misses.precedes_q == 0);
        room: assert (( \unit.places.holds [7:4] & ~ \unit.places.holds [3:0]) == 0
            & { \unit.places.ro_read_vacant_q , \unit.places.bank.vacant_q , \unit.places.ro_hit.vacant_q ,
            \unit.places.hit.vacant_q , \unit.places.resume.vacant_q } == (after[0] ? 5'd0 : ~ \unit.places.holds [8:4]));
        write_room: assert ((! \unit.write.second_full_q | \unit.write.full_q )
            & \unit.write.vacant_q == (! \unit.write.second_full_q & !after[0])
            & \unit.write.pause_q == (! \unit.write.update_q & !after[0]));
        // Between its two reads is at most one pass, a load's that has two.
        second_read: assert ( \unit.places.hit_second_q + \unit.places.ro_hit_second_q + \unit.places.resume_second_q < 2
            & (! \unit.places.hit_second_q | ( \unit.places.holds [1] & \unit.places.hit.first_q [9:8] == 0
                & \unit.places.hit.first_q [124]))
            & (! \unit.places.ro_hit_second_q | ( \unit.places.holds [2] & \unit.places.ro_hit.first_q [124]))
            & (! \unit.places.resume_second_q | ( \unit.places.holds [0] & ! \unit.places.resume.first_q [8]
                & \unit.places.resume.first_q [124])));
        between: assert ( \unit.places.between_q
            == ( \unit.places.hit_second_q | \unit.places.ro_hit_second_q | \unit.places.resume_second_q ));
        // It is the next in turn: bit 6 x i + j says that place i goes before place j, which comes before it else.
        if ( \unit.places.resume_second_q ) resume_again: assert (!turn[6] & !turn[12] & !turn[18] & !turn[24] & !turn[30]);
        if ( \unit.places.hit_second_q ) hit_again: assert (turn[6] & !turn[13] & !turn[19] & !turn[25] & !turn[31]);
        if ( \unit.places.ro_hit_second_q ) ro_hit_again: assert (turn[12] & turn[13] & !turn[20] & !turn[26] & !turn[32]);
        // bank reads no row; nothing writes shared memory before it has read.
        bank_rows: assert ( \unit.places.bank.first_q [155:148] == 0 & \unit.places.bank.second_q [155:148] == 0);
        bank_first: assert (!( \unit.write.update_q & \unit.write.is_shared_q & \unit.places.holds [3]));
        // tag says once more what its pass is; what has come is what may come.
        said_again: assert (flags);
        who_comes: assert (after[0] | \unit.tag.load_comes_q == !merge_comes);
        came: assert ((!holds | may_be(held)) & (! \unit.tag.second_occupied_q | may_be( \unit.tag.second_q )));
        // The set of what changed at the last edge, as a number and as one bit of two.
        changed_sets: assert (after[0] | (^ \unit.tag.l1.in_cleared_set_q & ^ \unit.tag.ro.in_cleared_set_q
            & ^ \unit.tag.l1_dirty.in_changed_set_q ));
        // Only where a pass has moved is anything cleared or stored.
        moved: assert (( \unit.tag.l1.moved_q | ({cleared[7:0], stored[7:0]} == 0))
            & ( \unit.tag.ro.moved_q | ({cleared[15:8], stored[15:8]} == 0)));
        // What is valid or named has a line of memory, and is known to be local if that is.
        is_local: assert (local_lines);
        // What tag reads of its set as a pass comes is kept up.
        set_valid: assert (kept_up);
        if (after == 0) set_local: assert (kept_up_local);
        if (after == 0) set_matches: assert (compared_tags);
        // Of two ways that are present one holds a line (HIT).
        in_one_way: assert (one_way);
        // What is dirty is valid, and local (UPDATE); the set that is looked at is kept up.
        dirty_sectors: assert (dirty_valid);
        looked_dirty: assert (looked_at & \unit.tag.l1_dirty.looked_any_q == ( \unit.tag.l1_dirty.looked_dirty_q != 0));
        // A walk leaves nothing behind it (WRITE-BACK).
        if ( \unit.tag.walks_q & \unit.tag.l1_dirty.walk_set_q ) walked: assert (dirty[0] == 0 & dirty[2] == 0
            & !(in_use[0] & lines[0][26] & !writes[0]) & !(in_use[1] & lines[1][26] & !writes[1]));
        // Its row is told a cycle late, before a response to it can come and before a waiter of it is ready.
        told: assert ( \unit.misses.mshr_row_q == rows_before);
        in_time: assert ((asked_for[3:0] == 0 | !is_late[0]) & (asked_for[7:4] == 0 | !is_late[1]));
        ready_in_time: assert ((( \unit.misses.ready_q [0] ? \unit.misses.waiter_refers_q [1:0] & is_late : 2'd0)
            | ( \unit.misses.ready_q [1] ? \unit.misses.waiter_refers_q [3:2] & is_late : 2'd0)) == 0);
        // What MSHRs with local lines there are.
        counts_local: assert ( \unit.misses.local_held_q == ((in_use & ~writes & {lines[1][26], lines[0][26]}) != 0)
            & \unit.misses.write_back_held_q == ((in_use & writes & {lines[1][26], lines[0][26]}) != 0));
        // An MSHR's row is its own, without keep, or its way's; what its kind says of its line, its row and its sectors.
        kind: assert (shape);
        // An MSHR's row is a way's only while that holds its line (PINNED); what it waits for is not valid there.
        holds_its_line: assert (in_the_way);
        not_there: assert (not_valid);
        // A way that an MSHR names is pinned: it did so before, or the pass before took it.
        is_pinned: assert (pinned);
        // What has not come some waiter waits for: an MSHR is in use until all has come.
        is_awaited: assert (awaited);
        // What is compared as a pass comes is kept up, and so is what a waiter awaits.
        is_compared: assert (compared);
        of_waiters: assert (waiters);
        is_closed: assert ((( \unit.misses.referred | in_use) & ~closed) == 0 & ( \unit.misses.referred & ~in_use) == 0
            & \unit.misses.waiters_full_q == ( \unit.misses.waiter_valid_q == 3) & \unit.misses.mshrs_full_q == (closed == 3));
        // No two MSHRs ask for one sector of a row (ORDER, JOIN, NOT-KEPT), and no two could be joined.
        one_fetch: assert (in_use != 3 | writes != 0 | rows[0] != rows[1] | (asked[0] & asked[1]) == 0);
        one_to_join: assert (in_use != 3 | keep != 3 | ordered != 0 | lines[0] != lines[1] | of_ro[0] != of_ro[1]);
        // A pass has a row of a cache or an MSHR; nobody waits for what it reads, and no store changes that (READ-FIRST).
        of_a_row: assert (pass_rows);
        is_apart: assert (pass_apart);
        no_update: assert (update_apart & ! \unit.write.row_held_q [3]);
        // What it reads is known to be read, or its MSHR is still in use (PINNED, NOT-KEPT).
        known_to_read: assert (pass_pinned);
        // What is written back is valid, and tag stands; in read it has an MSHR with its line, and room in write.
        if ( \unit.write_back.occupied_q ) goes_back: assert (valid[back_row][ \unit.write_back.held_sector_q ]
            & tags[back_row][26] & ! \unit.write.update_q
            & (( \unit.tag.enters_l1_q & ! \unit.tag.l1_found ) | \unit.tag.walks_q ));
        if ( \unit.write_back.in_read_q ) lands_back: assert ( \unit.write_back.occupied_q & \unit.write.vacant_q
            & backs[ \unit.write_back.held_mshr_q ] & tags[back_row] == lines[ \unit.write_back.held_mshr_q ]);
        // A place in the queue of reads has a waiter that still awaits what it asks for: as many places are enough.
        of_reads: assert (queue_right);
        of_writes: assert ((! \unit.write.full_q | \unit.write.line_held_q == lines[ \unit.write.mshr_held_q ])
            & (! \unit.write.second_full_q | \unit.write.second_line_q == lines[ \unit.write.second_mshr_q ]));
        // What is under way was asked for and has not come; it is in one place, and at its port.
        under_way: assert (((to_read | to_write | asked_for) & ~{pending[1], pending[0]}) == 0);
        reads_or_writes: assert ((to_write & ~write_ids) == 0 & (to_read & write_ids) == 0);
        at_its_port: assert ((unanswered & remote_ids) == 0 & ((unanswered_remote | answered) & ~remote_ids) == 0);
        in_one_place: assert ((to_ask[0] & to_ask[1]) == 0 & ((to_read | to_write) & asked_for) == 0
            & (first_write & second_write) == 0 & ((first_write | second_write) & landing) == 0
            & (unanswered_remote & answered) == 0);
        // An arbiter that presented somebody in vain still has that one.
        presented: assert ((! \unit.memory_arbiter.waits_q
                | ( \unit.memory_arbiter.presented_q ? \unit.write_valid : \unit.read_queue_valid ))
            & (! \unit.cluster_arbiter.waits_q
                | ( \unit.cluster_arbiter.presented_q ? \unit.write_cluster_valid : \unit.read_queue_cluster_valid )));
        // serve holds a read or a write; reply is empty while a part is in read; no store moved while it wrote (SERVE);
        // it knows at once what it may do.
        serves: assert (!( \unit.serve.holds_read_q & \unit.serve.holds_write_q )
            & (! \unit.serve.in_read_q | ( \unit.serve.holds_read_q & ! \unit.reply.holds_q ))
            & !( \unit.serve.contract_wrote_q & \unit.write.update_q ));
        may_write: assert ( \unit.serve.may_write_q == ( \unit.serve.holds_write_q & ! \unit.reply.holds_q ));
        may_store: assert ( \unit.serve.may_store_q == ( \unit.serve.may_write_q & ! \unit.serve.is_beyond_q ));
        may_read: assert ( \unit.serve.may_read_q
            == ( \unit.serve.holds_read_q & ! \unit.serve.in_read_q & ! \unit.reply.holds_q ));
        offers_read: assert ( \unit.serve.offers_read_q == ( \unit.serve.may_read_q & ! \unit.write.is_shared_q ));
        waits: assert ( \unit.write_back.waits_q == ( \unit.write_back.occupied_q & ! \unit.write_back.in_read_q ));
        who_is_read: assert ({ \unit.tag.reads_second_q , \unit.tag.reads_store_q , \unit.tag.reads_load_q }
            == (after[0] | \unit.write_back.occupied_q ? 0 : \unit.tag.second_occupied_q ? 4 : merge_comes ? 2 : 1));
        back_set: assert ( \unit.tag.back_set_q == ( \unit.write_back.occupied_q & looked));
    end
endmodule
