// An arbiter of two sources (rule ARBITER). It presents one of those that offer, and if one offers it presents one; at
// most one is told that it is taken, the one that is presented, and only when it is; what is presented stays until it
// is taken; and a source that keeps offering is taken as one of the next two.
//
// Assumes: a source that offers keeps offering until it is taken (each source's own proof).
module arbiter (
    input clk, input rst, input first_valid, input second_valid, input ready
);
    wire first_ready, second_ready, valid, is_second;
    wire first_taken = first_valid & first_ready, second_taken = second_valid & second_ready;

    lsu_arbiter unit (
        .clk(clk), .rst(rst), .first_valid(first_valid), .first_ready(first_ready), .second_valid(second_valid),
        .second_ready(second_ready), .valid(valid), .is_second(is_second), .ready(ready)
    );

    reg begun = 0, first_waited = 0, second_waited = 0;
    // What was presented and not taken.
    reg waited = 0, waited_second = 0;
    // How many others were taken since a source began to offer.
    reg [1:0] before_first = 0, before_second = 0;

    always @(posedge clk) begin
        begun <= 1;
        first_waited <= !rst & first_valid & !first_taken;
        second_waited <= !rst & second_valid & !second_taken;
        waited <= !rst & valid & !ready;
        waited_second <= is_second;
        before_first <= before_first + (valid & ready);
        before_second <= before_second + (valid & ready);
        if (rst | !first_valid | first_taken) before_first <= 0;
        if (rst | !second_valid | second_taken) before_second <= 0;
    end

    always @(*) begin
        if (!begun) assume (rst);
        if (begun & !rst) begin
            if (first_waited) assume (first_valid);
            if (second_waited) assume (second_valid);
            presents: assert (valid == (first_valid | second_valid));
            offers: assert (!valid | (is_second ? second_valid : first_valid));
            one_hot: assert (!(first_taken & second_taken));
            taken: assert ((first_taken | second_taken) == (valid & ready));
            told: assert (!(valid & ready) | (is_second ? second_taken : first_taken));
            if (waited) stays: assert (is_second == waited_second);
            fair_first: assert (before_first < 2);
            fair_second: assert (before_second < 2);
        end
    end
endmodule
