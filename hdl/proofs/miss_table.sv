// Waiters and MSHRs (rules MISS, JOIN, RESPONSE, READY) with the queue of reads behind them. They never overflow: a
// pass that is handed over finds a waiter, as many are in use as were handed over and have not left, and while one is
// free there is a place in the queue of reads. No request is made twice: an id is asked for only while nothing is under
// way for it, so that each is answered once and by its own answer (the block's contract: a response names a sector that
// was asked for and has not arrived). No pass is lost or copied: two tracked tokens, each of which leaves at most once,
// with its lanes, not before every sector that it waits for has come, and is offered from then on, unless another one
// is.
//
// What is written back takes an MSHR in which nothing is under way, and no waiter.
//
// Assumes: what tag does: a pass is handed over only while `full` is low, with a sector to wait for, a store with one;
// a load's MSHR gets a place in a cache only if the load is kept and NOT-KEPT does not forbid it; none is handed over
// while write_back is full, which takes an MSHR only while there is one. And that memory and the cluster answer what they
// were asked, once, each at its own port. Lines have two bits, the port's, and that of local ones: they are only compared.
// The two tokens are told from others by two bits of the offset of lane 0, which are only stored.
module miss_table (
    input clk, input rst, input comes, input [143:0] next_operation, input next_has_line,
    input next_has_lanes, input [26:0] next_line, input [3:0] next_need, input [1:0] own_to_read, input [3:0] hit,
    input [3:0] lanes, input [27:0] offset, input not_kept, input keeps, input [1:0] l1_ways,
    input [1:0] ro_ways, input drop_line, input flush_l1, input flush_ro, input rsp_valid,
    input write_back_full, input write_back_goes, input [26:0] write_back_line, input [1:0] write_back_sector,
    input [31:0] strobe, input [2:0] rsp_id, input rsp_error, input ready_take, input [31:0] asked_tag, input sends_read,
    input sends_remote_read, input sends_write, input [2:0] write_id
);
    // The pass in tag.
    reg [143:0] operation;
    reg [26:0] line;
    reg [3:0] need;
    reg has_line;
    (* hierconn *) wire \unit.operation_is_store ;
    (* hierconn *) wire \unit.operation_kept ;
    (* hierconn *) wire \unit.operation_is_local ;
    wire is_store = \unit.operation_is_store , is_kept = \unit.operation_kept ;
    // A local store asks for the rest of its sector.
    wire writes = is_store & ! \unit.operation_is_local ;
    wire [3:0] miss = is_store ? need : need & ~hit;
    wire allocates = has_line & miss != 0;
    wire allocate = comes & allocates;

    wire conflict, full, has_waiter, empty, asks, mshr, row_fill, ready_valid, acquired;
    wire [1:0] l1_reserved, ro_reserved, l1_lost, ro_lost, l1_named, ro_named;
    wire [3:0] ask, fill_row, l1_fill, ro_fill, l1_undo, holds_tag;
    wire [26:0] fill_line;
    wire [186:0] ready_pass;
    wire has_mshr, free_index;
    wire [27:0] ready_offset;

    lsu_miss_table unit (
        .clk(clk), .rst(rst), .operation(operation), .line(line), .need(need), .next_comes(comes),
        .next_has_line(next_has_line), .next_has_lanes(next_has_lanes), .next_line(next_line),
        .next_is_same(next_line == line), .next_is_beside_l1(next_line[0] == line[0]),
        .next_is_beside_ro(next_line[0] == line[0]), .next_operation(next_operation), .conflict(conflict),
        .full(full), .has_waiter(has_waiter), .empty(empty), .l1_reserved(l1_reserved), .ro_reserved(ro_reserved),
        .l1_lost(l1_lost), .ro_lost(ro_lost), .l1_named(l1_named), .ro_named(ro_named), .own_to_read(own_to_read),
        .allocates(allocates), .miss(miss), .lanes(lanes), .offset(offset), .l1_forbids(not_kept),
        .ro_forbids(not_kept), .keeps(keeps), .l1_ways(l1_ways), .ro_ways(ro_ways), .drop_line(drop_line),
        .flush_l1(flush_l1), .flush_ro(flush_ro), .ask(ask), .asks(asks), .mshr(mshr), .rsp_valid(rsp_valid),
        .rsp_mshr(rsp_id[2]), .rsp_sector(rsp_id[1:0]), .rsp_error(rsp_error), .answer_mshr(rsp_id[2]), .memory_mshr(rsp_id[2]), .memory_sector(rsp_id[1:0]), .memory_error(rsp_error),
        .rsp_is_remote(is_remote[rsp_id]),
        .row_fill(row_fill), .fill_row(fill_row), .l1_fill(l1_fill), .ro_fill(ro_fill), .l1_undo(l1_undo),
        .fill_line(fill_line), .strobe(strobe), .write_back_full(write_back_full), .write_back_goes(write_back_goes),
        .write_back_line(write_back_line), .write_back_sector(write_back_sector), .has_mshr(has_mshr),
        .free_index(free_index),
        .ready_valid(ready_valid), .ready_take(ready_take), .ready_pass(ready_pass),
        .ready_offset(ready_offset), .acquired(acquired), .asked_tag(asked_tag), .holds_tag(holds_tag)
    );

    wire push = allocate & !writes & asks;
    wire read_valid, remote_read_valid, read_mshr;
    wire [1:0] read_sector;
    wire [2:0] read_id = {read_mshr, read_sector};
    lsu_read_queue reads (
        .clk(clk), .rst(rst), .has_place(has_waiter), .push(push), .pushed({5'd0, mshr, line, ask, operation}),
        .valid(read_valid), .ready(sends_read), .cluster_valid(remote_read_valid), .cluster_ready(sends_remote_read),
        .request_mshr(read_mshr), .request_sector(read_sector)
    );

    // By id (MSHR, sector): what waits to be asked for, what was asked for and not answered, and at which port.
    reg [7:0] reads_wait, writes_wait, unanswered, is_remote, written_back;
    wire [7:0] back_now = write_back_goes ? 1 << {free_index, write_back_sector} : 0;
    wire [7:0] asked_now = allocate & (writes | asks) ? {4'd0, ask} << (4 * mshr) : back_now;
    wire reads_one = read_valid | remote_read_valid;
    wire [7:0] read_now = (read_valid & sends_read) | (remote_read_valid & sends_remote_read) ? 1 << read_id : 0;
    wire [7:0] write_now = sends_write ? 1 << write_id : 0;
    wire [7:0] answered_now = rsp_valid ? 1 << rsp_id : 0;
    wire [7:0] under_way = reads_wait | writes_wait | unanswered;
    wire leaves = ready_valid & ready_take;
    reg [1:0] waiters, queued;  // In use; passes in the queue of reads.
    reg begun = 0;

    always @(posedge clk) begin
        begun <= 1;
        if (comes) begin
            operation <= next_operation;
            line <= next_line;
            need <= next_need;
            has_line <= next_has_line;
        end
        reads_wait <= (reads_wait | (allocate & !writes ? asked_now : 8'd0)) & ~read_now;
        writes_wait <= (writes_wait | (allocate & !writes ? 8'd0 : asked_now)) & ~write_now;
        written_back <= (written_back | back_now) & ~answered_now;
        is_remote <= line[25] & allocate ? is_remote | asked_now : is_remote & ~asked_now;
        unanswered <= (unanswered | read_now | write_now) & ~answered_now;
        waiters <= waiters + allocate - leaves;
        if (rst) begin
            has_line <= 0;
            reads_wait <= 0;
            written_back <= 0;
            writes_wait <= 0;
            unanswered <= 0;
            waiters <= 0;
        end
    end

    // The tokens: offset 1 and 2 of lane 0; all others have 0.
    reg [1:0] lives;
    reg [7:0] awaits_1, awaits_2;
    reg [3:0] lanes_1, lanes_2;
    wire [1:0] token = offset[1:0], token_out = ready_offset[1:0];
    wire [7:0] waits_for = {4'd0, miss} << (4 * mshr);
    (* hierconn *) wire [3:0] \unit.held_lanes_read_data ;

    always @(posedge clk) begin
        if (leaves & token_out == 1) lives[0] <= 0;
        if (leaves & token_out == 2) lives[1] <= 0;
        awaits_1 <= awaits_1 & ~answered_now;
        awaits_2 <= awaits_2 & ~answered_now;
        if (allocate & token == 1) begin
            lives[0] <= 1;
            awaits_1 <= waits_for & (under_way | asked_now) & ~answered_now;
            lanes_1 <= lanes;
        end
        if (allocate & token == 2) begin
            lives[1] <= 1;
            awaits_2 <= waits_for & (under_way | asked_now) & ~answered_now;
            lanes_2 <= lanes;
        end
        if (rst) lives <= 0;
    end

    always @(*) begin
        if (!begun) assume (rst);
        assume (next_line[24:2] == 0 & line[24:2] == 0 & next_need != 0);
        assume (write_back_line[25:2] == 0 & write_back_line[26]);
        assume (line[26] == \unit.operation_is_local & !(line[26] & line[25]));
        if (write_back_full) assume (!comes);
        assume (!write_back_goes | (write_back_full & has_mshr));
        if (allocate) assume (!full);
        // Rule CLUSTER.
        if (line[25]) assume (!keeps);
        if (has_line) begin
            if (is_store) assume (!is_kept & (need == 1 || need == 2 || need == 4 || need == 8));
            else assume (!keeps | (is_kept & !not_kept));
        end
        assume (!rsp_valid | unanswered[rsp_id]);
        assume (!sends_write | writes_wait[write_id]);
        assume (token != 3 & !(lives[0] & token == 1) & !(lives[1] & token == 2));
        if (begun & !rst) begin
            if (allocate) finds_a_waiter: assert (has_waiter);
            number: assert (waiters <= 2 & has_waiter == (waiters < 2) & empty == (waiters == 0 & written_back == 0));
            none_to_leave: assert (!ready_valid | waiters != 0);
            place: assert (!(has_waiter & reads_one & reads_full));
            once: assert ((asked_now & under_way) == 0);
            own: assert (!reads_one | (reads_wait[read_id] & is_remote[read_id] == remote_read_valid));
            if (leaves) not_copied: assert (token_out == 0 | (token_out == 1 & lives[0]) | (token_out == 2 & lives[1]));
            not_lost: assert (waiters >= lives[0] + lives[1]);
            if (leaves & token_out == 1) whole_1: assert (awaits_1 == 0 & \unit.held_lanes_read_data == lanes_1);
            if (leaves & token_out == 2) whole_2: assert (awaits_2 == 0 & \unit.held_lanes_read_data == lanes_2);
            if (lives[0] & awaits_1 == 0) offered_1: assert (ready_valid);
            if (lives[1] & awaits_2 == 0) offered_2: assert (ready_valid);
        end
    end

    (* hierconn *) wire \reads.head_q ;
    (* hierconn *) wire \reads.tail_q ;
    wire reads_full = \reads.head_q == \reads.tail_q ;
endmodule
