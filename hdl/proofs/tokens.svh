// Follows two tokens through a queue: two of the entries that come in, whichever the solver picks. Each leaves once, as
// it came, and in its turn; no more are in the queue than have room, and nothing leaves that has not come in.
module tokens #(parameter WIDTH = 1, parameter CAPACITY = 2, parameter SEES_SECOND = 0) (
    input clk, input rst,
    input enters, input [WIDTH-1:0] entering,  // An entry comes in at this edge.
    input leaves, input [WIDTH-1:0] leaving,  // The first one leaves at this edge; what it is, whether or not it does.
    input [WIDTH-1:0] second,  // The one behind it, if SEES_SECOND: what an induction must know.
    output reg [3:0] count  // How many are in.
);
    (* anyseq *) reg follow;
    reg [1:0] lives, was;
    reg [3:0] first_place, second_place;  // How many leave before it.
    reg [WIDTH-1:0] first_token, second_token;
    wire [3:0] place = count - leaves;
    wire picks_first = enters & follow & !was[0];
    wire picks_second = enters & follow & was[0] & !was[1];

    always @(posedge clk) begin
        count <= place + enters;
        first_place <= first_place - leaves;
        second_place <= second_place - leaves;
        if (leaves & first_place == 0) lives[0] <= 0;
        if (leaves & second_place == 0) lives[1] <= 0;
        if (picks_first) begin
            {was[0], lives[0], first_place, first_token} <= {1'b1, 1'b1, place, entering};
        end
        if (picks_second) begin
            {was[1], lives[1], second_place, second_token} <= {1'b1, 1'b1, place, entering};
        end
        if (rst) {count, was, lives} <= 0;
    end

    reg begun = 0;
    always @(posedge clk) begun <= 1;
    always @(*) begin
        if (!begun) assume (rst);
        if (begun & !rst) begin
            never_too_many: assert (count <= CAPACITY);
            nothing_else: assert (!leaves | count != 0);
            not_lost: assert ((!lives[0] | first_place < count) & (!lives[1] | second_place < count));
            in_order: assert (!(lives == 3) | first_place < second_place);
            if (lives[0] & first_place == 0) first_as_it_came: assert (leaving == first_token);
            if (lives[1] & second_place == 0) second_as_it_came: assert (leaving == second_token);
            if (SEES_SECOND) begin
                if (lives[0] & first_place == 1) first_behind: assert (second == first_token);
                if (lives[1] & second_place == 1) second_behind: assert (second == second_token);
                followed: assert (was != 2 & (lives & ~was) == 0);
            end
        end
    end
endmodule
