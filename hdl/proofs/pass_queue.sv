// A queue of two passes (places hit, ro_hit, resume, bank; rule FREE) never overflows, and loses, copies and reorders
// nothing: two tracked tokens. Whether it holds a pass, a second one and whether it has room is what it says; and what
// it says of the second pass (operation, tag, row, sectors to be read) is what it says of it as the first.
//
// Assumes: a pass comes only while there is room (the block's contract), and leaves only if there is one.
`include "tokens.svh"
module pass_queue (
    input clk, input rst, input push, input [186:0] pass, input [27:0] offset, input leaves
);
    wire has_room, full, second_full, shifts;
    wire [186:0] first_pass;
    wire [27:0] first_offset;
    wire [143:0] first_operation, second_operation;
    wire [15:0] tag;
    wire [7:0] row, sectors;
    wire [3:0] count;

    lsu_pass_queue unit (
        .clk(clk), .rst(rst), .push(push), .has_room(has_room), .pass(pass), .offset(offset), .full(full),
        .first_pass(first_pass), .first_offset(first_offset), .first_operation(first_operation),
        .second_operation(second_operation), .second_full(second_full), .tag(tag), .row(row),
        .sectors(sectors), .leaves(leaves), .shifts(shifts)
    );

    tokens #(.WIDTH(215)) follow (
        .clk(clk), .rst(rst), .enters(push), .entering({pass, offset}), .leaves(leaves),
        .leaving({first_pass, first_offset}), .count(count)
    );

    reg begun = 0, moved_up = 0, reset_before = 0;
    reg [15:0] said;
    reg [143:0] said_operation;

    always @(posedge clk) begin
        begun <= 1;
        reset_before <= rst;
        moved_up <= !rst & leaves & second_full;
        said <= {tag[15:8], row[7:4], sectors[7:4]};
        said_operation <= second_operation;
    end

    always @(*) begin
        assume (!push | has_room);
        assume (!leaves | full);
        if (begun & !rst) begin
            first: assert (full == (count != 0));
            second: assert (second_full == (count == 2));
            room: assert (has_room == (count < 2 & !reset_before));
            up: assert (shifts == (!full | leaves));
            none: assert ((full | sectors[3:0] == 0) & (second_full | sectors[7:4] == 0));
            if (moved_up) begin
                same: assert ({tag[7:0], row[3:0], sectors[3:0]} == said);
                same_operation: assert (first_operation == said_operation);
            end
        end
    end
endmodule
