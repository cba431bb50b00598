// The miss table equal to the model of its rules, below, in every output that says which MSHR is joined or taken, what is
// asked for, what waits for what, and what becomes of a response (rules MISS, JOIN, ORDER, ACQUIRE, RELEASE, PINNED,
// KEEP-LOST, FLUSH, RESPONSE, READY). The model keeps what the page says of waiters and MSHRs, and asks it anew in every
// cycle; the block compares lines one edge early, counts down what each waiter awaits, and knows at the start of a cycle
// whether it is full.
//
// Assumes: what miss_table assumes and shows: a pass is handed over only while `full` is low, a response names a sector
// that was asked for and has not arrived. `rest` of a pass is only stored: tags have two bits, lines two, the port's, and
// that of local ones.
module miss_rules (
    input clk, input rst, input comes, input [143:0] next_operation, input next_has_line,
    input next_has_lanes, input [26:0] next_line, input [3:0] next_need, input [1:0] own_to_read, input [3:0] hit,
    input [3:0] lanes, input not_kept, input other_not_kept, input keeps, input way, input drop_line, input flush_l1, input flush_ro,
    input rsp_valid, input rsp_mshr, input [1:0] rsp_sector, input rsp_error, input write_back_full,
    input write_back_goes, input [26:0] write_back_line, input [1:0] write_back_sector, input ready_take
);
    // The pass in tag, and of its operation what counts here.
    reg [143:0] operation;
    reg [26:0] line;
    reg [3:0] need;
    reg has_line, has_lanes;
    (* hierconn *) wire [7:0] \unit.operation_tag ;
    (* hierconn *) wire \unit.operation_warp ;
    (* hierconn *) wire \unit.operation_is_store ;
    (* hierconn *) wire \unit.operation_nc ;
    (* hierconn *) wire \unit.operation_ordered ;
    (* hierconn *) wire \unit.operation_kept ;
    (* hierconn *) wire \unit.operation_acquire ;
    (* hierconn *) wire \unit.operation_is_local ;
    (* hierconn *) wire \unit.next_operation_release ;
    wire [7:0] tag = \unit.operation_tag ;
    wire warp = \unit.operation_warp , is_store = \unit.operation_is_store , is_nc = \unit.operation_nc ;
    wire is_ordered = \unit.operation_ordered , is_kept = \unit.operation_kept ;
    wire is_acquire = \unit.operation_acquire , is_local = \unit.operation_is_local ;
    reg is_release;
    wire [3:0] miss = is_store ? need : need & ~hit;
    wire allocates = has_line & miss != 0, allocate = comes & allocates;
    // The way that it finds or takes, and its row: 0 to 3 are those of L1, 4 to 7 those of RO, 8 and 9 the MSHRs' own.
    wire [1:0] ways = 1 << way;
    wire [3:0] row = {1'b0, is_nc, way, line[0]};

    // The model. Waiters: which, of which MSHR, for what.
    reg [1:0] waits, of_mshr, acquires, of_warp;
    reg [7:0] needs;  // Four bits each.
    reg [3:0] its_lanes [0:1];
    reg [7:0] of_tag [0:1];
    // MSHRs.
    reg [26:0] lines [0:1];
    reg [3:0] rows [0:1], asked [0:1], arrived [0:1], failed [0:1];
    reg [1:0] ro, ordered, stores, rests, write_backs, keep, ways_row, its_way;
    // In the cycle before: referred to, own row to be read, in use, and what it named then.
    reg [1:0] taken_before, referred_before, own_before, used_before, named_before, set_before, way_before, ro_before;
    reg begun = 0;

    wire [1:0] referred = write_backs | (waits[0] ? 1 << of_mshr[0] : 0) | (waits[1] ? 1 << of_mshr[1] : 0);
    wire [1:0] in_use = referred | referred_before;
    // MISS: the lowest waiter and MSHR that can be taken.
    wire [1:0] closed = in_use | own_before;
    wire waiter = waits[0], lowest = closed[0];
    wire model_full = waits == 3 | closed == 3;
    // JOIN.
    wire [1:0] same = in_use & {lines[1] == line, lines[0] == line};
    wire [1:0] joinable = same & keep & (is_nc ? ro : ~ro & ~ordered);
    wire joins = is_kept & joinable != 0 & !not_kept;
    wire model_mshr = joins ? joinable[1] : lowest;
    wire [3:0] model_ask = joins ? miss & ~asked[joinable[1]] : miss;
    // ORDER; ACQUIRE, RELEASE.
    wire [1:0] shares = {(asked[1] & need) != 0, (asked[0] & need) != 0};
    wire held = has_line & !is_nc & (same & ~ro & shares & ({2{is_ordered}} | ordered)) != 0;
    wire [1:0] older = waits & {of_warp[1] == warp & of_tag[1] != tag, of_warp[0] == warp & of_tag[0] != tag};
    wire waits_for = has_lanes & !is_nc & ((!is_store & (older & acquires) != 0) | (is_release & older != 0));
    // Ways of the set of the pass's line that are reserved, lost, and were named (PINNED).
    wire [1:0] beside = in_use & ways_row & {lines[1][0] == line[0], lines[0][0] == line[0]};
    wire [1:0] way_0 = 1 << its_way[0], way_1 = 1 << its_way[1];
    wire [1:0] were = named_before & used_before & {set_before[1] == line[0], set_before[0] == line[0]};
    wire [1:0] had_0 = 1 << way_before[0], had_1 = 1 << way_before[1];
    // RESPONSE, READY.
    wire [3:0] sector = rsp_valid ? 1 << rsp_sector : 0;
    wire reads = rsp_valid & !stores[rsp_mshr], places = keep[rsp_mshr];
    wire [1:0] ready = waits & {(needs[7:4] & ~arrived[of_mshr[1]]) == 0, (needs[3:0] & ~arrived[of_mshr[0]]) == 0};
    wire picked = !ready[0], from = of_mshr[picked];

    integer i;
    always @(posedge clk) begin
        begun <= 1;
        referred_before <= referred;
        taken_before <= write_back_goes | (allocate & !joins) ? 1 << lowest : 0;
        own_before <= own_to_read;
        used_before <= in_use;
        named_before <= ways_row;
        set_before <= {lines[1][0], lines[0][0]};
        way_before <= its_way;
        ro_before <= ro;
        if (ready_take & ready != 0) waits[picked] <= 0;
        if (rsp_valid) begin
            arrived[rsp_mshr] <= arrived[rsp_mshr] | sector;
            if (rsp_error) failed[rsp_mshr] <= failed[rsp_mshr] | sector;
            write_backs[rsp_mshr] <= 0;
        end
        // KEEP-LOST.
        for (i = 0; i < 2; i = i + 1) begin
            if (drop_line & same[i] & !ro[i] & !ordered[i]) keep[i] <= 0;
            if (ro[i] ? flush_ro : flush_l1 & !lines[i][26]) keep[i] <= 0;
        end
        if (allocate) begin
            waits[waiter] <= 1;
            of_mshr[waiter] <= model_mshr;
            needs[4 * waiter +: 4] <= miss;
            its_lanes[waiter] <= lanes;
            of_tag[waiter] <= tag;
            of_warp[waiter] <= warp;
            acquires[waiter] <= is_acquire;
            if (joins) asked[model_mshr] <= asked[model_mshr] | miss;
        end
        if (write_back_goes | (allocate & !joins)) begin
            lines[lowest] <= write_back_goes ? write_back_line : line;
            asked[lowest] <= write_back_goes ? 1 << write_back_sector : miss;
            arrived[lowest] <= 0;
            failed[lowest] <= 0;
            write_backs[lowest] <= write_back_goes;
            stores[lowest] <= write_back_goes | (is_store & !is_local);
            rests[lowest] <= !write_back_goes & is_store & is_local;
            ordered[lowest] <= write_back_goes | is_ordered;
            ro[lowest] <= is_nc;
            // FLUSH acts after what comes.
            keep[lowest] <= !write_back_goes & keeps & (is_nc | line[26] | !flush_l1);
            ways_row[lowest] <= !write_back_goes & keeps;
            its_way[lowest] <= way;
            rows[lowest] <= !write_back_goes & keeps ? row : {3'd4, lowest};
        end
        if (comes) begin
            operation <= next_operation;
            line <= next_line;
            need <= next_need;
            has_line <= next_has_line;
            has_lanes <= next_has_lanes;
            is_release <= \unit.next_operation_release ;
        end
        if (rst) begin
            waits <= 0;
            write_backs <= 0;
            {taken_before, referred_before, own_before, used_before, has_line, has_lanes} <= 0;
        end
    end

    wire conflict, full, has_waiter, empty, asks, mshr, row_fill, ready_valid, acquired, has_mshr, free_index;
    wire holds_local, holds_write_back, write_back_error;
    wire [1:0] l1_fill_ways, ro_fill_ways, l1_reserved, ro_reserved, l1_lost, ro_lost, l1_named, ro_named;
    wire [3:0] ask, fill_row, l1_fill, ro_fill, l1_undo, l1_dirties;
    wire [26:0] fill_line;
    wire [186:0] ready_pass;

    lsu_miss_table unit (
        .clk(clk), .rst(rst), .operation(operation), .line(line), .need(need), .next_comes(comes),
        .next_has_line(next_has_line), .next_has_lanes(next_has_lanes), .next_line(next_line),
        .next_is_same(next_line == line), .next_is_beside_l1(next_line[0] == line[0]),
        .next_is_beside_ro(next_line[0] == line[0]), .next_operation(next_operation), .conflict(conflict),
        .full(full), .has_waiter(has_waiter), .empty(empty), .holds_local(holds_local),
        .holds_write_back(holds_write_back), .l1_reserved(l1_reserved), .ro_reserved(ro_reserved),
        .l1_lost(l1_lost), .ro_lost(ro_lost), .l1_named(l1_named), .ro_named(ro_named), .own_to_read(own_to_read),
        .allocates(allocates), .miss(miss), .lanes(lanes), .keeps(keeps),
        .l1_forbids(is_nc ? other_not_kept : not_kept), .ro_forbids(is_nc ? not_kept : other_not_kept),
        .l1_ways(keeps & !is_nc ? ways : 2'd0), .ro_ways(keeps & is_nc ? ways : 2'd0),
        .drop_line(drop_line),
        .flush_l1(flush_l1), .flush_ro(flush_ro), .ask(ask), .asks(asks), .mshr(mshr), .rsp_valid(rsp_valid),
        .rsp_mshr(rsp_mshr), .rsp_sector(rsp_sector), .rsp_error(rsp_error), .answer_mshr(rsp_mshr), .memory_mshr(rsp_mshr), .memory_sector(rsp_sector), .memory_error(rsp_error),
        .rsp_is_remote(lines[rsp_mshr][25]),
        .row_fill(row_fill), .fill_row(fill_row), .l1_dirties(l1_dirties), .write_back_error(write_back_error),
        .l1_fill(l1_fill), .ro_fill(ro_fill), .l1_undo(l1_undo), .fill_line(fill_line), .l1_fill_ways(l1_fill_ways), .ro_fill_ways(ro_fill_ways),
        .write_back_full(write_back_full), .write_back_goes(write_back_goes), .write_back_line(write_back_line),
        .write_back_sector(write_back_sector), .has_mshr(has_mshr), .free_index(free_index),
        .ready_valid(ready_valid), .ready_take(ready_take), .ready_pass(ready_pass), .acquired(acquired)
    );
    (* hierconn *) wire [3:0] \unit.held_lanes_read_data ;
    (* hierconn *) wire [3:0] \unit.ready_row ;
    (* hierconn *) wire [3:0] \unit.ready_pass_sectors ;
    (* hierconn *) wire [26:0] \unit.ready_line ;
    (* hierconn *) wire [3:0] \unit.ready_pass_failed ;

    always @(*) begin
        if (!begun) assume (rst);
        assume (next_line[24:2] == 0 & line[24:2] == 0 & !(line[26] & line[25]) & next_need != 0);
        assume (write_back_line[25:2] == 0 & write_back_line[26]);
        assume (next_operation[7:2] == 0);
        assume (line[26] == is_local);
        // What tag does: STALL, MISS, WRITE-BACK, and rules UPDATE and NOT-KEPT of what is kept.
        assume (!next_has_line | next_has_lanes);
        if (write_back_full) assume (!comes & !(has_line & write_back_line == line));
        assume (!write_back_goes | (write_back_full & closed != 3));
        if (allocate) assume (!model_full);
        if (has_line) begin
            if (is_store) assume (is_ordered & (need == 1 || need == 2 || need == 4 || need == 8));
            else assume (!keeps | (is_kept & !not_kept));
            if (is_ordered | is_local | line[25]) assume (!is_nc);
            if (is_ordered | line[25]) assume (!is_kept);
            if (line[25]) assume (!keeps);
        end
        // No answer comes in the cycle after the edge at which the MSHR was taken: its request is presented in that one.
        if (rsp_valid) assume (!taken_before[rsp_mshr] & referred[rsp_mshr] & (sector & asked[rsp_mshr] & ~arrived[rsp_mshr]) != 0);
        if (begun & !rst) begin
            is_full: assert (full == model_full);
            waiters: assert (has_waiter == (waits != 3) & empty == (waits == 0 & write_backs == 0));
            free: assert (has_mshr == (closed != 3));
            if (closed != 3) lowest_one: assert (free_index == lowest);
            if (allocates & (joins | closed != 3)) which: assert (mshr == model_mshr);
            if (allocates) asked_for: assert (ask == model_ask & asks == (model_ask != 0));
            orders: assert (conflict == (held | waits_for));
            reserved: assert (l1_reserved == ((beside[0] & keep[0] & !ro[0] ? way_0 : 2'd0)
                | (beside[1] & keep[1] & !ro[1] ? way_1 : 2'd0)));
            reserved_ro: assert (ro_reserved == ((beside[0] & keep[0] & ro[0] ? way_0 : 2'd0)
                | (beside[1] & keep[1] & ro[1] ? way_1 : 2'd0)));
            lost: assert (l1_lost == ((beside[0] & !keep[0] & !ro[0] ? way_0 : 2'd0)
                | (beside[1] & !keep[1] & !ro[1] ? way_1 : 2'd0)));
            lost_ro: assert (ro_lost == ((beside[0] & !keep[0] & ro[0] ? way_0 : 2'd0)
                | (beside[1] & !keep[1] & ro[1] ? way_1 : 2'd0)));
            named: assert (l1_named == ((were[0] & !ro_before[0] ? had_0 : 2'd0) | (were[1] & !ro_before[1] ? had_1 : 2'd0)));
            named_ro: assert (ro_named == ((were[0] & ro_before[0] ? had_0 : 2'd0) | (were[1] & ro_before[1] ? had_1 : 2'd0)));
            if (rsp_valid) begin
                fills: assert (row_fill == reads & fill_row == rows[rsp_mshr] & fill_line == lines[rsp_mshr]);
                makes_valid: assert (l1_fill == (reads & places & !rsp_error & !ro[rsp_mshr] ? sector : 4'd0)
                    & ro_fill == (reads & places & !rsp_error & ro[rsp_mshr] ? sector : 4'd0));
                dirty: assert (l1_dirties == (rests[rsp_mshr] ? l1_fill : 4'd0));
                undoes: assert (l1_undo == (!reads & places & rsp_error ? sector : 4'd0));
                in_way: assert (l1_fill_ways == (ways_row[rsp_mshr] & !ro[rsp_mshr] ? 1 << its_way[rsp_mshr] : 0)
                    & ro_fill_ways == (ways_row[rsp_mshr] & ro[rsp_mshr] ? 1 << its_way[rsp_mshr] : 0));
                refused: assert (write_back_error == (write_backs[rsp_mshr] & rsp_error));
            end else nothing: assert (!row_fill & !write_back_error & (l1_fill | ro_fill | l1_undo | l1_dirties) == 0);
            offered: assert (ready_valid == (ready != 0));
            if (ready_valid) begin
                pass: assert (\unit.ready_row == rows[from] & \unit.ready_line == lines[from]);
                of_it: assert (\unit.held_lanes_read_data == its_lanes[picked] & ready_pass[7:0] == of_tag[picked]);
                to_read: assert (\unit.ready_pass_sectors == (stores[from] | rests[from] ? 4'd0 : needs[4 * picked +: 4]));
                failures: assert (\unit.ready_pass_failed == (failed[from] & needs[4 * picked +: 4]));
            end
            acquire: assert (acquired == (ready_take & ready != 0 & acquires[picked]));
            local_line: assert (holds_local == ((in_use & ~stores & {lines[1][26], lines[0][26]}) != 0));
            back: assert (holds_write_back == ((in_use & stores & {lines[1][26], lines[0][26]}) != 0));
        end
    end
endmodule
