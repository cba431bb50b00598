// The queue of reads (place read_queue, rule REQUEST) asks once for every sector of every pass that comes in, the
// lowest first, and for nothing else, and passes in the order in which they came: two tracked tokens. A request is
// offered to the one port that it is for, and stays as it is until it is taken there: nothing is written over a pass
// that waits.
//
// Assumes: a pass comes only with a sector to ask for, and only while fewer than two are here; and the place that comes
// next is written only then (`has_place`). The miss table sees to that: each pass here has a waiter of its own, and it
// says `has_place` while one is free.
`include "tokens.svh"
module read_queue (
    input clk, input rst, input has_place, input push, input [180:0] pushed,
    input ready, input cluster_ready
);
    wire valid, cluster_valid, request_mshr;
    wire [76:0] attributes;
    wire [1:0] request_sector;
    wire [31:0] address, strobe;
    wire [3:0] count;

    lsu_read_queue unit (
        .clk(clk), .rst(rst), .has_place(has_place), .push(push), .pushed(pushed), .valid(valid), .ready(ready),
        .cluster_valid(cluster_valid), .cluster_ready(cluster_ready), .attributes(attributes),
        .request_mshr(request_mshr), .request_sector(request_sector), .address(address),
        .strobe(strobe)
    );

    // What comes, as its description says: its operation, of which memory is told a part, the sectors, their line, the MSHR and a byte for
    // mmio.
    wire [76:0] entering = {pushed[94:26], pushed[22:15]};
    wire [3:0] ask = pushed[147:144];
    wire [26:0] line = pushed[174:148];
    wire mshr = pushed[175];

    // The port that it is for is a bit above an address of the line, and so is that it is local: then its lowest bit, its
    // set, is exclusive-or the next one (rule HIT).
    wire [25:0] in_memory = {line[25:1], line[0] ^ (line[26] & line[1])};
    wire offers_one = valid | cluster_valid;
    wire taken = (valid & ready) | (cluster_valid & cluster_ready);

    // Sectors to ask for: of the pass that asks, and of the one behind it.
    reg [3:0] left = 0, left_behind = 0;
    wire [3:0] lowest = left & -left;
    wire asks_last = taken & left == lowest;
    reg begun = 0, waited = 0;
    reg [31:0] strobe_before;

    always @(posedge clk) begin
        begun <= 1;
        waited <= !rst & offers_one & !taken;
        strobe_before <= strobe;
        if (taken) left <= left & ~lowest;
        if (asks_last) begin
            left <= left_behind;
            left_behind <= 0;
        end
        if (push) begin
            if (count - asks_last == 0) left <= ask;
            else left_behind <= ask;
        end
        if (rst) {left, left_behind} <= 0;
    end

    tokens #(.WIDTH(77 + 1 + 26)) follow (
        .clk(clk), .rst(rst), .enters(push), .entering({entering, mshr, in_memory}), .leaves(asks_last),
        .leaving({attributes, request_mshr, cluster_valid, address[31:7]}), .count(count)
    );

    always @(*) begin
        if (push) assume (has_place & ask != 0);
        if (has_place) assume (count < 2);
        if (begun & !rst) begin
            offers: assert (offers_one == (count != 0));
            to_one_port: assert (!(valid & cluster_valid));
            asked_once: assert (offers_one == (left != 0));
            if (offers_one) begin
                sector: assert (left[request_sector] & lowest == 1 << request_sector);
                its_address: assert (address[6:0] == {request_sector, 5'd0});
            end
            // The rest is tracked.
            if (waited) unchanged: assert (strobe == strobe_before);
        end
    end
endmodule
