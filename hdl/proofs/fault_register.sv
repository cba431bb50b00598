// The fault register loses no record, copies none and keeps each as it is until it is taken: a record that enters is
// the next that is offered, unchanged until taken, and nothing is offered that has not entered. One is told that it was
// taken only if it was, and a pass's report goes before an operation's.
//
// Assumes: a failed pass reports only while the register is free, and has said that it waits (the block's contract).
module fault_register (
    input clk, input rst, input failed_waits, input failed_valid, input [46:0] failed, input issue_valid,
    input [46:0] issue, input fault_ready
);
    wire free, issue_ready, fault_valid;
    wire [46:0] fault;

    lsu_fault_register unit (
        .clk(clk), .rst(rst), .free(free), .failed_waits(failed_waits), .failed_valid(failed_valid), .failed(failed),
        .issue_valid(issue_valid), .issue_ready(issue_ready), .issue(issue), .fault_valid(fault_valid),
        .fault_ready(fault_ready), .fault(fault)
    );

    reg begun = 0, holds = 0;
    reg [46:0] held;
    wire enters = failed_valid | (issue_valid & issue_ready);

    always @(posedge clk) begin
        begun <= 1;
        if (enters) held <= failed_valid ? failed : issue;
        holds <= !rst & (enters | (holds & !fault_ready));
    end

    always @(*) begin
        if (!begun) assume (rst);
        if (begun & !rst) begin
            assume (!failed_valid | (free & failed_waits));
            offers: assert (fault_valid == holds);
            if (holds) unchanged: assert (fault == held);
            room: assert (!enters | !holds | fault_ready);
            one: assert (!(failed_valid & issue_valid & issue_ready));
        end
    end
endmodule
