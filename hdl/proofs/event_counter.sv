// A counter counts: it is the number of cycles before this one, since the last reset, in which the event happened.
module event_counter (input clk, input rst, input happens);
    wire [31:0] count;

    lsu_event_counter unit (.clk(clk), .rst(rst), .happens(happens), .count(count));

    reg begun = 0;
    reg [31:0] number;

    always @(posedge clk) begin
        begun <= 1;
        number <= rst ? 0 : number + happens;
    end

    always @(*) begin
        if (!begun) assume (rst);
        if (begun) counts: assert (count == number);
    end
endmodule
