// Rule ACQUIRE, of the passes in bank: the pass in tag is held by them in exactly those cycles in which it is a load
// that waits for acquires and one of them is an acquire of another tag and of its warp.
//
// Assumes: what comes to tag comes as its pass moves or while there is none; bank is a queue of two (proof pass_queue).
module bank_acquires (
    input clk, input rst, input push, input [9:0] pushed, input leaves, input next_comes, input next_waits,
    input [9:0] next_operation
);
    // Acquire, warp, tag: of the passes in bank, and of the one in tag.
    reg [9:0] first, second, operation;
    reg holds_first, holds_second, waits;
    wire shifts = !holds_first | leaves, conflict;

    lsu_bank_acquires unit (
        .clk(clk), .rst(rst), .holds_first(holds_first), .holds_second(holds_second), .first(first), .second(second),
        .push(push), .pushed(pushed), .shifts(shifts), .waits(waits), .operation(operation), .next_comes(next_comes),
        .next_waits(next_waits), .next_operation(next_operation), .conflict(conflict)
    );

    reg begun = 0;
    always @(posedge clk) begin
        begun <= 1;
        if (shifts) begin
            first <= holds_second ? second : pushed;
            holds_first <= holds_second | push;
            holds_second <= 0;
        end else if (push) begin
            second <= pushed;
            holds_second <= 1;
        end
        if (next_comes) {waits, operation} <= {next_waits, next_operation};
        if (rst) {holds_first, holds_second, waits} <= 0;
    end

    wire by_first = holds_first & first[9] & first[8] == operation[8] & first[7:0] != operation[7:0];
    wire by_second = holds_second & second[9] & second[8] == operation[8] & second[7:0] != operation[7:0];

    always @(*) begin
        if (!begun) assume (rst);
        assume (!push | !holds_second);
        assume (!leaves | holds_first);
        if (begun) held: assert (conflict == (waits & (by_first | by_second)));
    end
endmodule
