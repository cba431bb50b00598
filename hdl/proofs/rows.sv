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

    // ---- invariants
    (* hierconn *) wire \unit.tag.second_occupied_q ;
    (* hierconn *) wire [180:0] \unit.tag.held_q ;
    (* hierconn *) wire [180:0] \unit.tag.second_q ;
    (* hierconn *) wire \unit.tag.load_comes_q ;
    (* hierconn *) wire \unit.tag.is_load_q ;
    (* hierconn *) wire \unit.tag.is_store_q ;
    (* hierconn *) wire \unit.tag.is_local_store_q ;
    (* hierconn *) wire \unit.tag.is_any_store_q ;
    (* hierconn *) wire \unit.tag.is_ro_q ;
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
    (* hierconn *) wire [3:0] \unit.tag.l1.local_q ;
    (* hierconn *) wire [7:0] \unit.tag.l1.way_valid_q ;
    (* hierconn *) wire [1:0] \unit.tag.l1.way_local_q ;
    (* hierconn *) wire [1:0] \unit.tag.l1.in_cleared_set_q ;
    (* hierconn *) wire [26:0] \unit.tag.l1.tag[0].unit.words[0] ;
    (* hierconn *) wire [26:0] \unit.tag.l1.tag[0].unit.words[1] ;
    (* hierconn *) wire [26:0] \unit.tag.l1.tag[1].unit.words[0] ;
    (* hierconn *) wire [26:0] \unit.tag.l1.tag[1].unit.words[1] ;
    (* hierconn *) wire [1:0] \unit.tag.ro.matches_q ;
    (* hierconn *) wire [1:0] \unit.tag.ro.fresh_q ;
    (* hierconn *) wire [1:0] \unit.tag.ro.entered_q ;
    (* hierconn *) wire \unit.tag.ro.entered_is_local_q ;
    (* hierconn *) wire [3:0] \unit.tag.ro.local_q ;
    (* hierconn *) wire [7:0] \unit.tag.ro.way_valid_q ;
    (* hierconn *) wire [1:0] \unit.tag.ro.way_local_q ;
    (* hierconn *) wire [1:0] \unit.tag.ro.in_cleared_set_q ;
    (* hierconn *) wire [26:0] \unit.tag.ro.tag[0].unit.words[0] ;
    (* hierconn *) wire [26:0] \unit.tag.ro.tag[0].unit.words[1] ;
    (* hierconn *) wire [26:0] \unit.tag.ro.tag[1].unit.words[0] ;
    (* hierconn *) wire [26:0] \unit.tag.ro.tag[1].unit.words[1] ;
    (* hierconn *) wire [15:0] \unit.tag.l1_dirty.dirty_q ;
    (* hierconn *) wire [7:0] \unit.tag.l1_dirty.dirtied_q ;
    (* hierconn *) wire [7:0] \unit.tag.l1_dirty.cleaned_q ;
    (* hierconn *) wire \unit.tag.l1_dirty.changed_set_q ;
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
    (* hierconn *) wire [53:0] \unit.misses.mshr_line_q ;
    (* hierconn *) wire [1:0] \unit.misses.mshr_way_q ;
    (* hierconn *) wire [3:0] \unit.misses.names_l1_q ;
    (* hierconn *) wire [3:0] \unit.misses.names_ro_q ;
    (* hierconn *) wire [1:0] \unit.misses.ordered_q ;
    (* hierconn *) wire [1:0] \unit.misses.is_ro_q ;
    (* hierconn *) wire [1:0] \unit.misses.fills_rest_q ;
    (* hierconn *) wire [1:0] \unit.misses.writes_back_q ;
    (* hierconn *) wire [1:0] \unit.misses.keep_q ;
    (* hierconn *) wire [1:0] \unit.misses.matches_q ;
    (* hierconn *) wire [1:0] \unit.misses.orders_q ;
    (* hierconn *) wire [1:0] \unit.misses.beside_l1_q ;
    (* hierconn *) wire [1:0] \unit.misses.beside_ro_q ;
    (* hierconn *) wire [1:0] \unit.misses.l1_named_before_q ;
    (* hierconn *) wire [1:0] \unit.misses.ro_named_before_q ;
    (* hierconn *) wire [1:0] \unit.misses.closed_q ;
    (* hierconn *) wire [1:0] \unit.misses.precedes_q ;
    (* hierconn *) wire \unit.misses.is_full_q ;
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
    (* hierconn *) wire \unit.write_back.held_mshr_q ;
    (* hierconn *) wire \unit.places.hit_second_q ;
    (* hierconn *) wire \unit.places.ro_hit_second_q ;
    (* hierconn *) wire \unit.places.resume_second_q ;
    (* hierconn *) wire \unit.places.ro_read_full_q ;
    (* hierconn *) wire \unit.places.ro_read_vacant_q ;
    (* hierconn *) wire [186:0] \unit.places.ro_read_pass_q ;
    (* hierconn *) wire \unit.places.hit.vacant_q ;
    (* hierconn *) wire \unit.places.hit.first_occupied_q ;
    (* hierconn *) wire \unit.places.hit.second_occupied_q ;
    (* hierconn *) wire [186:0] \unit.places.hit.first_q ;
    (* hierconn *) wire [186:0] \unit.places.hit.second_q ;
    (* hierconn *) wire \unit.places.ro_hit.vacant_q ;
    (* hierconn *) wire \unit.places.ro_hit.first_occupied_q ;
    (* hierconn *) wire \unit.places.ro_hit.second_occupied_q ;
    (* hierconn *) wire [186:0] \unit.places.ro_hit.first_q ;
    (* hierconn *) wire [186:0] \unit.places.ro_hit.second_q ;
    (* hierconn *) wire \unit.places.resume.vacant_q ;
    (* hierconn *) wire \unit.places.resume.first_occupied_q ;
    (* hierconn *) wire \unit.places.resume.second_occupied_q ;
    (* hierconn *) wire [186:0] \unit.places.resume.first_q ;
    (* hierconn *) wire [186:0] \unit.places.resume.second_q ;
    (* hierconn *) wire \unit.places.bank.vacant_q ;
    (* hierconn *) wire \unit.places.bank.first_occupied_q ;
    (* hierconn *) wire \unit.places.bank.second_occupied_q ;
    (* hierconn *) wire [186:0] \unit.places.bank.first_q ;
    (* hierconn *) wire [186:0] \unit.places.bank.second_q ;
    (* hierconn *) wire [8:0] \unit.places_holds ;
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
    (* hierconn *) wire \unit.serve.contract_wrote_q ;
    (* hierconn *) wire \unit.reply.holds_q ;

    reg [1:0] after = 0;  // The cycle after a reset, and the next one.
    reg [1:0] queued_by = 0;  // Whose sectors each place of the queue of reads asks for.
    always @(posedge clk) begin
        after <= {after[0] & !rst, rst};
        if (\unit.read_queue.push ) queued_by[ \unit.read_queue.tail_q ] <= \unit.misses.taken_index ;
    end
    wire settled = after == 0;

    // tag
    wire [180:0] held = \unit.tag.held_q ;
    wire [26:0] held_line = held[172:146];
    wire set = held_line[0];
    wire full_tag = \unit.tag.occupied_q & !after[1];
    wire line_there = full_tag & held[144];
    function may_come(input [180:0] p);
        reg st, cm, hl, sh, lo, nc, lu, od, ke, rem;
        begin
            st = p[8]; cm = p[9]; hl = p[144]; sh = p[145]; lo = p[140]; nc = p[95]; lu = p[133]; od = p[132]; ke = p[134];
            rem = p[171];
            may_come = !(p[172] & p[171])
                & (!cm | (!st & !hl & !sh & p[172:146] == 0))
                & (!hl | lo == p[172])
                & (!hl | !lo | (!nc & lu == !st & !p[131] & p[22:20] != 2))
                & (!hl | !st | !ke)
                & (!sh | (st & !hl))
                & (!st | !lu)
                & (!hl | !rem | (!lu & !nc))
                & (!hl | !st | (od & !nc))
                & (!hl | !nc | !od)
                & (!hl | !lu | !od);
        end
    endfunction

    // Rows of ways 0 to 7.
    reg [31:0] valid;
    reg [15:0] dirty;
    reg [7:0] is_local_way, pins;
    reg [31:0] to_read;
    wire [26:0] lines [0:7];
    assign lines[0] = \unit.tag.l1.tag[0].unit.words[0] ;
    assign lines[1] = \unit.tag.l1.tag[0].unit.words[1] ;
    assign lines[2] = \unit.tag.l1.tag[1].unit.words[0] ;
    assign lines[3] = \unit.tag.l1.tag[1].unit.words[1] ;
    assign lines[4] = \unit.tag.ro.tag[0].unit.words[0] ;
    assign lines[5] = \unit.tag.ro.tag[0].unit.words[1] ;
    assign lines[6] = \unit.tag.ro.tag[1].unit.words[0] ;
    assign lines[7] = \unit.tag.ro.tag[1].unit.words[1] ;
    wire [31:0] all_valid = { \unit.tag.ro.valid_q , \unit.tag.l1.valid_q };
    wire [15:0] all_cleared = { \unit.tag.ro.cleared_q , \unit.tag.l1.cleared_q };
    wire [15:0] all_stored = { \unit.tag.ro.stored_q , \unit.tag.l1.stored_q };
    wire [1:0] all_set = { \unit.tag.ro.cleared_set_q , \unit.tag.l1.cleared_set_q };
    wire [7:0] all_local = { \unit.tag.ro.local_q , \unit.tag.l1.local_q };
    wire [3:0] all_entered = { \unit.tag.ro.entered_q , \unit.tag.l1.entered_q };
    wire [1:0] all_entered_local = { \unit.tag.ro.entered_is_local_q , \unit.tag.l1.entered_is_local_q };
    wire [3:0] all_matches = { \unit.tag.ro.matches_q , \unit.tag.l1.matches_q };
    wire [3:0] all_fresh = { \unit.tag.ro.fresh_q , \unit.tag.l1.fresh_q };
    wire [15:0] all_way_valid = { \unit.tag.ro.way_valid_q , \unit.tag.l1.way_valid_q };
    wire [3:0] all_way_local = { \unit.tag.ro.way_local_q , \unit.tag.l1.way_local_q };
    wire [3:0] all_named = { \unit.misses.ro_named_before_q , \unit.misses.l1_named_before_q };
    wire [15:0] all_before = { \unit.readers.ro_before_q , \unit.readers.l1_before_q };
    wire looked = \unit.tag.l1_dirty.looked_set ;
    integer r, k;
    reg [2:0] rr;
    reg local_agrees, way_valid_agrees, way_local_agrees, matches_agrees, dirty_is_valid, looked_agrees, one_present;
    reg [7:0] present, named_row;
    always @(*) begin
        local_agrees = 1; way_valid_agrees = 1; way_local_agrees = 1; matches_agrees = 1;
        dirty_is_valid = 1; looked_agrees = 1; one_present = 1;
        dirty = 0;
        for (r = 0; r < 8; r = r + 1) begin
            rr = r;
            for (k = 0; k < 4; k = k + 1) begin
                valid[4 * r + k] = all_valid[16 * rr[2] + (4 * rr[1] + k) * 2 + rr[0]];
                if (all_set[rr[2]] == rr[0])
                    valid[4 * r + k] = (valid[4 * r + k] & !all_cleared[8 * rr[2] + 4 * rr[1] + k])
                        | all_stored[8 * rr[2] + 4 * rr[1] + k];
                if (r < 4) begin
                    dirty[4 * r + k] = \unit.tag.l1_dirty.dirty_q [(4 * rr[1] + k) * 2 + rr[0]];
                    if ( \unit.tag.l1_dirty.changed_set_q == rr[0])
                        dirty[4 * r + k] = (dirty[4 * r + k] & ! \unit.tag.l1_dirty.cleaned_q [4 * rr[1] + k])
                            | \unit.tag.l1_dirty.dirtied_q [4 * rr[1] + k];
                end
            end
            is_local_way[r] = all_local[4 * rr[2] + 2 * rr[1] + rr[0]];
            if (all_set[rr[2]] == rr[0] & all_entered[2 * rr[2] + rr[1]]) is_local_way[r] = all_entered_local[rr[2]];
            named_row[r] = (in_use[0] & row_0 == r) | (in_use[1] & row_1 == r);
            present[r] = valid[4 * r +: 4] != 0 | (in_use[0] & keep[0] & row_0 == r) | (in_use[1] & keep[1] & row_1 == r);
            if ((valid[4 * r +: 4] != 0 | named_row[r]) & (is_local_way[r] != lines[r][26] | lines[r][25])) local_agrees = 0;
            if (rr[0] == set) begin
                if (all_way_valid[8 * rr[2] + 4 * rr[1] +: 4] != valid[4 * r +: 4]) way_valid_agrees = 0;
                if (all_way_local[2 * rr[2] + rr[1]] != lines[r][26]) way_local_agrees = 0;
                if (all_matches[2 * rr[2] + rr[1]] != (lines[r] == held_line)) matches_agrees = 0;
            end
            if (r < 4) begin
                if ((dirty[4 * r +: 4] & ~valid[4 * r +: 4]) != 0 | (dirty[4 * r +: 4] != 0 & !lines[r][26])) dirty_is_valid = 0;
                if (looked == rr[0] & \unit.tag.l1_dirty.looked_dirty_q [4 * rr[1] +: 4] != dirty[4 * r +: 4]) looked_agrees = 0;
            end
            if (!rr[1] & present[r] & lines[r] == lines[r | 2] & (valid[4 * (r | 2) +: 4] != 0
                | (in_use[0] & keep[0] & row_0 == (r | 2)) | (in_use[1] & keep[1] & row_1 == (r | 2)))) one_present = 0;
        end
    end

    // MSHRs
    wire [1:0] in_use = \unit.misses.in_use_q , keep = \unit.misses.keep_q , writes = \unit.misses.is_write_q ;
    wire [1:0] rests = \unit.misses.fills_rest_q , ordered = \unit.misses.ordered_q , is_ro = \unit.misses.is_ro_q ;
    wire [1:0] backs = \unit.misses.writes_back_q , closed = \unit.misses.closed_q ;
    wire [7:0] asked = \unit.misses.asked_q , arrived = \unit.misses.arrived_q ;
    wire [7:0] pending = asked & ~arrived & {{4{in_use[1]}}, {4{in_use[0]}}};
    wire [7:0] pending_read = pending & ~{{4{writes[1]}}, {4{writes[0]}}};
    wire [3:0] row_0 = \unit.misses.mshr_row_q [3:0], row_1 = \unit.misses.mshr_row_q [7:4];
    wire [26:0] line_0 = \unit.misses.mshr_line_q [26:0], line_1 = \unit.misses.mshr_line_q [53:27];
    wire [1:0] waits = \unit.misses.waiter_valid_q ;
    integer m, p, w;
    reg [3:0] mrow;
    reg [26:0] mline;
    reg shape, names_right, holds_line, not_valid, pinned_named, awaited, compared, waiter_right;
    reg queue_apart, queue_pinned, queue_rows, update_apart;
    reg [3:0] qrow, qsec;
    reg [7:0] awaits_of;
    reg covered;
    integer s;
    always @(*) begin
        shape = 1; holds_line = 1; not_valid = 1; pinned_named = 1; awaited = 1; compared = 1; waiter_right = 1;
        queue_apart = 1; queue_pinned = 1; queue_rows = 1; update_apart = 1;
        awaits_of = 0;
        for (w = 0; w < 2; w = w + 1) begin
            if (waits[w]) begin
                for (m = 0; m < 2; m = m + 1)
                    if ( \unit.misses.waiter_refers_q [2 * w + m]) begin
                        awaits_of[4 * m +: 4] = awaits_of[4 * m +: 4] | \unit.misses.waiter_awaits_q [4 * w +: 4];
                        if (!in_use[m] | backs[m] | ( \unit.misses.waiter_needs_q [4 * w +: 4] & ~asked[4 * m +: 4]) != 0
                            | \unit.misses.waiter_awaits_q [4 * w +: 4] != ( \unit.misses.waiter_needs_q [4 * w +: 4] & ~arrived[4 * m +: 4])
                            | \unit.misses.waiter_needs_q [4 * w +: 4] == 0)
                            waiter_right = 0;
                    end
                if ( \unit.misses.waiter_refers_q [2 * w +: 2] != 1 & \unit.misses.waiter_refers_q [2 * w +: 2] != 2) waiter_right = 0;
            end
            if ( \unit.misses.ready_q [w] != (waits[w] & \unit.misses.waiter_awaits_q [4 * w +: 4] == 0)) waiter_right = 0;
        end
        for (m = 0; m < 2; m = m + 1) begin
            mrow = m ? row_1 : row_0;
            mline = m ? line_1 : line_0;
            if (in_use[m]) begin
                if (mrow[3] ? (mrow != {3'd4, m[0]} | keep[m] | \unit.misses.names_l1_q [2 * m +: 2] != 0 | \unit.misses.names_ro_q [2 * m +: 2] != 0)
                    : (mrow[2] != is_ro[m] | mrow[0] != mline[0] | mrow[1] != \unit.misses.mshr_way_q [m]
                        | \unit.misses.names_l1_q [2 * m +: 2] != (is_ro[m] ? 0 : 1 << mrow[1])
                        | \unit.misses.names_ro_q [2 * m +: 2] != (is_ro[m] ? 1 << mrow[1] : 0))) shape = 0;
                if (rests[m] & (writes[m] | !ordered[m] | !mline[26] | !keep[m])) shape = 0;
                if (writes[m] & (!ordered[m] | (mline[26] & (!mrow[3] | !backs[m] & 0)))) shape = 0;
                if (ordered[m] & is_ro[m] & !(writes[m] & mrow[3])) shape = 0;
                if (ordered[m] & !mrow[3] & !writes[m] & !rests[m]) shape = 0;
                if (mline[26] & mline[25]) shape = 0;
                if (mline[25] & !mrow[3]) shape = 0;
                if (asked[4 * m +: 4] == 0 | (arrived[4 * m +: 4] & ~asked[4 * m +: 4]) != 0) shape = 0;
                if (!mrow[3] & lines[mrow[2:0]] != mline) holds_line = 0;
                if (!mrow[3] & (pending_read[4 * m +: 4] & valid[4 * mrow[2:0] +: 4]) != 0) not_valid = 0;
                if (!mrow[3] & mrow[0] == set & !all_named[2 * mrow[2] + mrow[1]] & !all_fresh[2 * mrow[2] + mrow[1]]) pinned_named = 0;
                if ((pending[4 * m +: 4] & ~awaits_of[4 * m +: 4]) != 0 & !backs[m]) awaited = 0;
            end
            if (backs[m] & (!in_use[m] | !writes[m] | keep[m] | mrow != {3'd4, m[0]} | !mline[26] | is_ro[m] & 0
                | (asked[4 * m +: 4] != 1 & asked[4 * m +: 4] != 2 & asked[4 * m +: 4] != 4 & asked[4 * m +: 4] != 8)
                | arrived[4 * m +: 4] != 0)) shape = 0;
            if ( \unit.misses.matches_q [m] != (in_use[m] & mline == held_line)) compared = 0;
            if ( \unit.misses.beside_l1_q [m] ? !in_use[m] | mline[0] != set : in_use[m] & !mrow[3] & mline[0] == set) compared = 0;
            if ( \unit.misses.beside_ro_q [m] ? !in_use[m] | mline[0] != set : in_use[m] & !mrow[3] & mline[0] == set) compared = 0;
            if ( \unit.misses.orders_q [m] != (in_use[m] & mline == held_line & line_there & !is_ro[m] & !held[95] & (held[132] | ordered[m]))) compared = 0;
        end
        for (p = 0; p < 7; p = p + 1) begin
            qrow = \unit.readers.row [4 * p +: 4];
            qsec = \unit.readers.sectors [4 * p +: 4];
            if ( \unit.places_holds [p == 6 ? 8 : p + p / 3] & qrow > 9) queue_rows = 0;
            if (qsec != 0) begin
                for (m = 0; m < 2; m = m + 1)
                    if ((m ? row_1 : row_0) == qrow & (pending_read[4 * m +: 4] & qsec) != 0) queue_apart = 0;
                if (qrow[3]) begin
                    if (!closed[qrow[0]]) queue_pinned = 0;
                    if (in_use[qrow[0]] & ((qrow[0] ? row_1 : row_0) != qrow | (qsec & ~(arrived[4 * qrow[0] +: 4] & asked[4 * qrow[0] +: 4])) != 0)) queue_pinned = 0;
                end else if (qrow[0] == set) begin
                    for (s = 0; s < 4; s = s + 1) begin
                        covered = all_before[8 * qrow[2] + 4 * qrow[1] + s];
                        for (m = 0; m < 2; m = m + 1)
                            if (in_use[m] & (m ? row_1 : row_0) == qrow & !writes[m] & !ordered[m] & !rests[m] & asked[4 * m + s] & arrived[4 * m + s]) covered = 1;
                        if (qsec[s] & !covered) queue_pinned = 0;
                    end
                end
                if ( \unit.write.update_q & ! \unit.write.is_shared_q & \unit.write.row_held_q == qrow & qsec[ \unit.write.sector_held_q ]) update_apart = 0;
            end
        end
    end

    // Requests under way.
    wire [180:0] entry_0 = \unit.read_queue.requests.words[0] , entry_1 = \unit.read_queue.requests.words[1] ;
    wire head = \unit.read_queue.head_q , used = \unit.read_queue.used_q ;
    wire both = used & head == \unit.read_queue.tail_q ;
    wire [3:0] left_0 = used & (!head | both) ? entry_0[147:144] & ~(head ? 0 : \unit.read_queue.sent_q ) : 0;
    wire [3:0] left_1 = used & (head | both) ? entry_1[147:144] & ~(head ? \unit.read_queue.sent_q : 0) : 0;
    wire [7:0] reads_0 = left_0 << (4 * entry_0[175]), reads_1 = left_1 << (4 * entry_1[175]);
    wire [7:0] write_first = \unit.write.full_q ? 1 << { \unit.write.mshr_held_q , \unit.write.sector_q } : 0;
    wire [7:0] write_second = \unit.write.second_full_q ? 1 << { \unit.write.second_mshr_q , \unit.write.second_sector_q } : 0;
    wire [7:0] write_third = \unit.write_back.in_read_q ? 1 << { \unit.write_back.held_mshr_q , \unit.write_back.held_sector_q } : 0;
    wire [7:0] answered = \unit.answer.holds_q ? 1 << \unit.answer.held_id_q [2:0] : 0;
    wire [7:0] remote_ids = {{4{line_1[25]}}, {4{line_0[25]}}};
    wire [7:0] write_ids = {{4{writes[1]}}, {4{writes[0]}}};
    wire [7:0] waits_0 = \unit.misses.waiter_awaits_q [3:0], waits_1 = \unit.misses.waiter_awaits_q [7:4];

    always @(*) if (begun) begin
        // Reset.
        if (after[0]) i_reset_0: assert ( \unit.tag.second_q == 0 & ! \unit.tag.occupied_q & ! \unit.tag.has_room_q & all_valid == 0 & all_cleared == 0 & all_stored == 0 & all_entered == 0
            & \unit.tag.l1_dirty.dirty_q == 0 & \unit.tag.l1_dirty.dirtied_q == 0 & \unit.tag.l1_dirty.cleaned_q == 0);
        if (after != 0) i_reset_1: assert (in_use == 0 & closed == 0 & \unit.misses.precedes_q == 0 & waits == 0 & valid == 0 & ! \unit.write.update_q & ! \unit.tag.second_occupied_q
            & ! \unit.write.full_q & ! \unit.write_back.occupied_q & ! \unit.read_queue.used_q & ! \unit.answer.holds_q
            & ! \unit.places.hit.first_occupied_q & ! \unit.places.ro_hit.first_occupied_q & ! \unit.places.resume.first_occupied_q
            & ! \unit.places.bank.first_occupied_q & ! \unit.places.ro_read_full_q & dirty == 0);
        i_not_twice: assert (after != 3);
        // Queues of two.
        i_queue_tag: assert (( ! \unit.tag.second_occupied_q | \unit.tag.occupied_q )
            & (after[0] | \unit.tag.has_room_q == ! \unit.tag.second_occupied_q ));
        i_queue_hit: assert ((! \unit.places.hit.second_occupied_q | \unit.places.hit.first_occupied_q )
            & \unit.places.hit.vacant_q == (! \unit.places.hit.second_occupied_q & !after[0]));
        i_queue_ro_hit: assert ((! \unit.places.ro_hit.second_occupied_q | \unit.places.ro_hit.first_occupied_q )
            & \unit.places.ro_hit.vacant_q == (! \unit.places.ro_hit.second_occupied_q & !after[0]));
        i_queue_resume: assert ((! \unit.places.resume.second_occupied_q | \unit.places.resume.first_occupied_q )
            & \unit.places.resume.vacant_q == (! \unit.places.resume.second_occupied_q & !after[0]));
        i_queue_bank: assert ((! \unit.places.bank.second_occupied_q | \unit.places.bank.first_occupied_q )
            & \unit.places.bank.vacant_q == (! \unit.places.bank.second_occupied_q & !after[0]));
        i_queue_ro_read: assert ( \unit.places.ro_read_vacant_q == (! \unit.places.ro_read_full_q & !after[0]));
        i_queue_write: assert ((! \unit.write.second_full_q | \unit.write.full_q )
            & \unit.write.vacant_q == (! \unit.write.second_full_q & !after[0]) & \unit.write.pause_q == (! \unit.write.update_q & !after[0]));
        i_second_reads: assert ( \unit.places.hit_second_q + \unit.places.ro_hit_second_q + \unit.places.resume_second_q <= 1
            & (! \unit.places.hit_second_q | ( \unit.places.hit.first_occupied_q & \unit.places.hit.first_q [9:8] == 0 & \unit.places.hit.first_q [124]))
            & (! \unit.places.ro_hit_second_q | ( \unit.places.ro_hit.first_occupied_q & \unit.places.ro_hit.first_q [124]))
            & (! \unit.places.resume_second_q | ( \unit.places.resume.first_occupied_q & ! \unit.places.resume.first_q [8] & \unit.places.resume.first_q [124])));
        // tag.
        i_flags: assert ( \unit.tag.has_line_q == line_there & \unit.tag.is_load_q == (line_there & !held[8])
            & \unit.tag.is_store_q == (line_there & held[8] & !held[140]) & \unit.tag.is_local_store_q == (line_there & held[8] & held[140])
            & \unit.tag.enters_l1_q == (line_there & ((held[134] & !held[95]) | (held[8] & held[140])))
            & \unit.tag.walks_q == (full_tag & held[9] & held[11:10] == 3)
            & \unit.tag.is_any_store_q == (full_tag & held[8]) & \unit.tag.is_shared_store_q == (full_tag & held[145])
            & \unit.tag.is_ro_q == (line_there & !held[8] & held[95])
            & \unit.tag.is_update_q == (line_there & held[8] & !held[131] & held[22:20] != 2)
            & \unit.tag.looks_in_l1_q == (line_there & held[133] & !held[95])
            & \unit.tag.looks_in_ro_q == (line_there & held[133] & held[95])
            & \unit.tag.empties_l1_q == (full_tag & held[9] & held[11:10] == 0)
            & \unit.tag.empties_ro_q == (full_tag & held[9] & held[11:10] == 1));
        i_load_comes: assert (after[0] | \unit.tag.load_comes_q == !merge_comes);
        i_came: assert ((!full_tag | may_come(held)) & (! \unit.tag.second_occupied_q | may_come( \unit.tag.second_q )));
        // Tags.
        i_sets: assert ( \unit.tag.l1.in_cleared_set_q == (after[0] ? 0 : 1 << all_set[0]) & \unit.tag.ro.in_cleared_set_q == (after[0] ? 0 : 1 << all_set[1])
            & \unit.tag.l1_dirty.in_changed_set_q == (after[0] ? 0 : 1 << \unit.tag.l1_dirty.changed_set_q ));
        i_local: assert (local_agrees);
        i_way_valid: assert (way_valid_agrees);
        if (settled) i_way_local: assert (way_local_agrees);
        if (settled) i_matches: assert (matches_agrees);
        i_one_present: assert (one_present);
        i_dirty: assert (dirty_is_valid);
        i_looked: assert (looked_agrees & \unit.tag.l1_dirty.looked_any_q == ( \unit.tag.l1_dirty.looked_dirty_q != 0));
        if ( \unit.tag.walks_q & \unit.tag.l1_dirty.walk_set_q )
            i_walk: assert (dirty[3:0] == 0 & dirty[11:8] == 0 & !(in_use[0] & line_0[26] & !writes[0]) & !(in_use[1] & line_1[26] & !writes[1]));
        // MSHRs.
        i_shape: assert (shape);
        i_holds_line: assert (holds_line);
        i_not_valid: assert (not_valid);
        i_pinned_named: assert (pinned_named);
        i_awaited: assert (awaited);
        i_compared: assert (compared);
        i_waiter: assert (waiter_right);
        i_closed: assert ((in_use & ~closed) == 0 & ( \unit.misses.referred & ~in_use) == 0 & \unit.misses.is_full_q == (waits == 3 | closed == 3) );
        i_one_fetch: assert (!(in_use == 3 & !writes[0] & !writes[1] & row_0 == row_1 & (asked[3:0] & asked[7:4]) != 0));
        i_one_join: assert (!(in_use == 3 & keep == 3 & ordered == 0 & line_0 == line_1 & is_ro[0] == is_ro[1]));
        // What is to be read.
        i_queue_rows: assert (queue_rows);
        i_queue_apart: assert (queue_apart);
        i_queue_pinned: assert (queue_pinned);
        i_update_apart: assert (update_apart & ! \unit.write.row_held_q [3]);
        i_bank: assert (!( \unit.write.update_q & \unit.write.is_shared_q & \unit.places.bank.first_occupied_q ));
        i_bank_pass: assert ( \unit.places.bank.first_q [155:148] == 0 & \unit.places.bank.second_q [155:148] == 0);
        // write_back.
        if ( \unit.write_back.occupied_q )
            i_write_back: assert (valid[{ \unit.write_back.held_way_q , looked, \unit.write_back.held_sector_q }]
                & lines[{1'b0, \unit.write_back.held_way_q , looked}][26]
                & !( \unit.write.update_q ) & (( \unit.tag.enters_l1_q & ! \unit.tag.l1_found ) | \unit.tag.walks_q ));
        if ( \unit.write_back.in_read_q )
            i_write_back_read: assert ( \unit.write_back.occupied_q & \unit.write.vacant_q & backs[ \unit.write_back.held_mshr_q ]
                & (pending & write_third) != 0
                & lines[{1'b0, \unit.write_back.held_way_q , looked}] == ( \unit.write_back.held_mshr_q ? line_1 : line_0));
        // Requests.
        i_reads: assert ((used | (head == \unit.read_queue.tail_q & \unit.read_queue.sent_q == 0))
            & (!(used & (!head | both)) | (left_0 != 0 & waits[queued_by[0]] & \unit.misses.waiter_refers_q [2 * queued_by[0] + entry_0[175]]
                & (left_0 & ~(queued_by[0] ? waits_1 : waits_0)) == 0 & entry_0[174:148] == (entry_0[175] ? line_1 : line_0)))
            & (!(used & (head | both)) | (left_1 != 0 & waits[queued_by[1]] & \unit.misses.waiter_refers_q [2 * queued_by[1] + entry_1[175]]
                & (left_1 & ~(queued_by[1] ? waits_1 : waits_0)) == 0 & entry_1[174:148] == (entry_1[175] ? line_1 : line_0)))
            & (!both | queued_by[0] != queued_by[1]));
        i_writes: assert ((! \unit.write.full_q | \unit.write.line_held_q == ( \unit.write.mshr_held_q ? line_1 : line_0))
            & (! \unit.write.second_full_q | \unit.write.second_line_q == ( \unit.write.second_mshr_q ? line_1 : line_0)));
        i_under_way: assert (((reads_0 | reads_1 | write_first | write_second | write_third | unanswered | unanswered_remote | answered) & ~pending) == 0);
        i_kind: assert (((write_first | write_second | write_third) & ~write_ids) == 0 & ((reads_0 | reads_1) & write_ids) == 0);
        i_port: assert ((unanswered & remote_ids) == 0 & ((unanswered_remote | answered) & ~remote_ids) == 0);
        i_once: assert ((reads_0 & reads_1) == 0 & ((reads_0 | reads_1) & (unanswered | unanswered_remote | answered)) == 0
            & (write_first & write_second) == 0 & ((write_first | write_second) & write_third) == 0
            & ((write_first | write_second | write_third) & (unanswered | unanswered_remote | answered)) == 0
            & (unanswered_remote & answered) == 0);
        i_arbiters: assert ((! \unit.memory_arbiter.waits_q | ( \unit.memory_arbiter.presented_q ? \unit.write_valid : \unit.read_queue_valid ))
            & (! \unit.cluster_arbiter.waits_q | ( \unit.cluster_arbiter.presented_q ? \unit.write_cluster_valid : \unit.read_queue_cluster_valid )));
        // serve.
        i_serve: assert (!( \unit.serve.holds_read_q & \unit.serve.holds_write_q ) & (! \unit.serve.in_read_q | ( \unit.serve.holds_read_q & ! \unit.reply.holds_q ))
            & (! \unit.serve.contract_wrote_q | ! \unit.write.update_q ));
    end
endmodule
