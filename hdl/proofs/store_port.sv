// The stores, and what is written back, on their way to memory and to the cluster (place write) are a queue of two that
// never overflows, and loses, copies and reorders nothing: two tracked tokens. A write is offered to the one port that it
// is for, and stays as it is until it is taken there; one that is written back tells memory nothing of an operation
// (rule WRITE-BACK). A store that L1 takes, or one of shared memory, has exactly one update, in the next cycle, with its bytes,
// its row and its sector (rule UPDATE); and no response is taken in that cycle.
//
// Assumes: a store, or what is written back, comes only while the queue has room, one of them at a time, with one sector,
// and none in the first cycle after a reset (which is what free says then).
`include "tokens.svh"
module store_port (
    input clk, input rst, input push, input [143:0] operation, input [26:0] line, input [3:0] need,
    input write_back, input [26:0] write_back_line, input [1:0] write_back_sector, input write_back_mshr,
    input [255:0] write_back_data, input push_local, input push_shared, input [19:0] place, input [31:0] strobe, input [255:0] data, input mshr, input hits,
    input [3:0] row, input ready, input cluster_ready
);
    wire free, valid, cluster_valid, request_mshr, updates, update_is_shared, rests;
    wire [76:0] attributes;
    wire [1:0] request_sector, update_sector;
    wire [31:0] address, request_strobe, update_strobe;
    wire [255:0] request_data, update_data;
    wire [19:0] update_place;
    wire [3:0] update_row, count;

    lsu_store_port unit (
        .clk(clk), .rst(rst), .push(push), .free(free), .operation(operation), .line(line), .need(need),
        .push_shared(push_shared), .place(place), .strobe(strobe), .data(data), .mshr(mshr), .hits(hits), .row(row),
        .write_back(write_back), .write_back_line(write_back_line), .write_back_sector(write_back_sector),
        .write_back_mshr(write_back_mshr), .write_back_data(write_back_data), .push_local(push_local),
        .valid(valid), .ready(ready), .cluster_valid(cluster_valid), .cluster_ready(cluster_ready),
        .attributes(attributes), .request_mshr(request_mshr), .request_sector(request_sector), .address(address),
        .request_strobe(request_strobe),
        .request_data(request_data), .updates(updates), .update_is_shared(update_is_shared), .rests(rests),
        .update_strobe(update_strobe), .update_data(update_data), .update_place(update_place),
        .update_sector(update_sector), .update_row(update_row)
    );

    wire [1:0] sector = need[3] ? 3 : need[2] ? 2 : need[1] ? 1 : 0;
    wire one_sector = need == 1 || need == 2 || need == 4 || need == 8;

    // The port that it is for is a bit above an address of the line, and so is that it is local: then its lowest bit, its
    // set, is exclusive-or the next one (rule HIT).
    function [25:0] in_memory(input [26:0] line);
        in_memory = {line[25:1], line[0] ^ (line[26] & line[1])};
    endfunction
    // Of the operation: policy, prefetch, l2_evict, and cop, scope and sem.
    wire [76:0] entering = {operation[94:26], operation[22:15]};
    wire leaves = (valid & ready) | (cluster_valid & cluster_ready);
    wire [400:0] second;
    tokens #(.WIDTH(401), .SEES_SECOND(1)) follow (
        .clk(clk), .rst(rst), .enters(push | write_back),
        .entering(write_back ? {77'd0, write_back_mshr, write_back_sector, in_memory(write_back_line), write_back_sector,
            5'd0, 32'hffffffff, write_back_data} :
            {entering, mshr, sector, in_memory(line), sector, 5'd0, strobe, data}),
        .leaves(leaves),
        .leaving({attributes, request_mshr, request_sector, cluster_valid, address, request_strobe, request_data}),
        .count(count), .second(second)
    );

    // Where the second one stands, for the induction: a token there is the one that came.
    (* hierconn *) wire [76:0] \unit.second_q ;
    (* hierconn *) wire [26:0] \unit.second_line_q ;
    (* hierconn *) wire [1:0] \unit.second_sector_q ;
    (* hierconn *) wire \unit.second_mshr_q ;
    (* hierconn *) wire [31:0] \unit.second_strobe_q ;
    (* hierconn *) wire [255:0] \unit.second_data_q ;
    (* hierconn *) wire \unit.second_full_q ;
    assign second = {\unit.second_q , \unit.second_mshr_q , \unit.second_sector_q , in_memory(\unit.second_line_q ),
        \unit.second_sector_q , 5'd0, \unit.second_strobe_q , \unit.second_data_q };

    reg begun = 0, reset_before = 1, updates_now = 0, shared_now;
    reg [3:0] row_now;
    reg [1:0] sector_now;
    reg [31:0] strobe_now;
    reg [255:0] data_now;
    reg [19:0] place_now;

    always @(posedge clk) begin
        begun <= 1;
        reset_before <= rst;
        updates_now <= !rst & ((push & hits) | push_local | push_shared);
        {shared_now, row_now, sector_now, strobe_now, data_now, place_now} <=
            {push_shared, row, sector, strobe, data, place};
    end

    always @(*) begin
        if (push) assume (free & one_sector);
        if (write_back) assume (free);
        assume (push + push_local + push_shared < 2 & !(push & write_back));
        if (begun & !rst) begin
            holds: assert (\unit.second_full_q == (count == 2));
            offers: assert ((valid | cluster_valid) == (count != 0));
            to_one_port: assert (!(valid & cluster_valid));
            room: assert (free == (count < 2 & !reset_before));
            updated: assert (updates == updates_now);
            alone: assert (rests == (!updates_now & !reset_before));
            if (updates_now) begin
                which: assert (update_is_shared == shared_now);
                what: assert (update_strobe == strobe_now & update_data == data_now);
                where: assert (shared_now ? update_place == place_now
                                          : update_row == row_now & update_sector == sector_now);
            end
        end
    end
endmodule
