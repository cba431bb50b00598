// The count of unanswered requests (rule DRAIN) is right, and while answers to requests from before a reset are still
// to come no request is sent and no answer reaches the unit: so every request is answered at most once, and never to
// one who did not ask. A request is sent exactly when the memory side takes one; every answer is taken while draining.
//
// Assumes: the memory side answers a request at most once, and no more are unanswered than there are ids (12).
module drain (
    input clk, input rst, input rst_mem, input asks, input mem_req_ready, input mem_rsp_valid, input takes
);
    wire mem_req_valid, sends, answers, mem_rsp_ready, drains;

    lsu_drain unit (
        .clk(clk), .rst(rst), .rst_mem(rst_mem), .asks(asks), .mem_req_valid(mem_req_valid),
        .mem_req_ready(mem_req_ready), .sends(sends), .mem_rsp_valid(mem_rsp_valid), .answers(answers), .takes(takes),
        .mem_rsp_ready(mem_rsp_ready), .drains(drains)
    );

    reg begun = 0;
    // Requests that wait for their answer: those of the unit as it is, and those that a reset made it forget.
    reg [7:0] known = 0, forgotten = 0;
    wire request = mem_req_valid & mem_req_ready, answer = mem_rsp_valid & mem_rsp_ready;
    wire [7:0] known_next = known + request - (answer & forgotten == 0);
    wire [7:0] forgotten_next = forgotten - (answer & forgotten != 0);

    always @(posedge clk) begin
        begun <= 1;
        if (rst & rst_mem) begin
            known <= 0;
            forgotten <= 0;
        end else if (rst) begin
            known <= 0;
            forgotten <= known_next + forgotten_next;
        end else begin
            known <= known_next;
            forgotten <= forgotten_next;
        end
    end

    always @(*) begin
        if (!begun) assume (rst & rst_mem);
        else begin
            assume (!mem_rsp_valid | known + forgotten != 0);
            assume (!request | known + forgotten < 12);
            waits: assert (drains == (forgotten != 0));
            apart: assert (forgotten == 0 | known == 0);
            silent: assert (!drains | (!mem_req_valid & !sends & !answers & mem_rsp_ready));
            asked: assert (drains | (mem_req_valid == asks & sends == mem_req_ready));
            answered: assert (drains | (answers == mem_rsp_valid & mem_rsp_ready == takes));
        end
    end
endmodule
