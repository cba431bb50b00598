// The count of unanswered requests (rule DRAIN) is right, of the memory port and of the cluster port, and while answers
// to requests from before a reset are still to come, from either, no request is sent and no answer reaches the unit: so
// every request is answered at most once, and never to one who did not ask. A request is sent exactly when the other
// side takes one; every answer is taken while draining.
//
// Assumes: the other side of a port answers a request at most once, and no more are unanswered than there are ids (12
// of memory, 8 of the cluster).
module drain (
    input clk, input rst, input rst_mem, input asks, input mem_req_ready, input mem_rsp_valid, input takes,
    input cluster_asks, input cluster_req_ready, input cluster_rsp_valid, input cluster_takes
);
    wire mem_req_valid, sends, answers, mem_rsp_ready, drains;
    wire cluster_req_valid, cluster_sends, cluster_answers, cluster_rsp_ready;

    lsu_drain unit (
        .clk(clk), .rst(rst), .rst_mem(rst_mem), .asks(asks), .mem_req_valid(mem_req_valid),
        .mem_req_ready(mem_req_ready), .sends(sends), .mem_rsp_valid(mem_rsp_valid), .answers(answers), .takes(takes),
        .mem_rsp_ready(mem_rsp_ready), .cluster_asks(cluster_asks), .cluster_req_valid(cluster_req_valid),
        .cluster_req_ready(cluster_req_ready), .cluster_sends(cluster_sends), .cluster_rsp_valid(cluster_rsp_valid),
        .cluster_answers(cluster_answers), .cluster_takes(cluster_takes), .cluster_rsp_ready(cluster_rsp_ready),
        .drains(drains)
    );

    wire memory_waits, memory_forgot, cluster_waits, cluster_forgot;
    port #(.IDS(12)) memory (
        .clk(clk), .rst(rst), .rst_mem(rst_mem), .drains(drains), .asks(asks), .req_valid(mem_req_valid),
        .req_ready(mem_req_ready), .sends(sends), .rsp_valid(mem_rsp_valid), .rsp_ready(mem_rsp_ready),
        .answers(answers), .takes(takes), .waits(memory_waits), .forgot(memory_forgot)
    );
    port #(.IDS(8)) cluster (
        .clk(clk), .rst(rst), .rst_mem(rst_mem), .drains(drains), .asks(cluster_asks), .req_valid(cluster_req_valid),
        .req_ready(cluster_req_ready), .sends(cluster_sends), .rsp_valid(cluster_rsp_valid),
        .rsp_ready(cluster_rsp_ready), .answers(cluster_answers), .takes(cluster_takes), .waits(cluster_waits),
        .forgot(cluster_forgot)
    );

    reg begun = 0;
    always @(posedge clk) begun <= 1;
    always @(*) begin
        if (!begun) assume (rst & rst_mem);
        else begin
            waits: assert (drains == (memory_forgot | cluster_forgot));
            apart: assert (!drains | !(memory_waits | cluster_waits));
        end
    end
endmodule

// One port: the requests that wait for their answer, those of the unit as it is and those that a reset made it forget.
module port #(parameter IDS = 1) (
    input clk, input rst, input rst_mem, input drains, input asks, input req_valid, input req_ready, input sends,
    input rsp_valid, input rsp_ready, input answers, input takes, output waits, output forgot
);
    reg begun = 0;
    reg [4:0] known = 0, forgotten = 0;
    wire request = req_valid & req_ready, answer = rsp_valid & rsp_ready;
    wire [4:0] known_next = known + request - (answer & !forgot);
    wire [4:0] forgotten_next = forgotten - (answer & forgot);
    assign waits = known != 0, forgot = forgotten != 0;

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

    always @(*) if (begun) begin
        assume (!rsp_valid | waits | forgot);
        assume (!request | known + forgotten < IDS);
        silent: assert (!drains | (!req_valid & !sends & !answers & rsp_ready));
        asked: assert (drains | (req_valid == asks & sends == req_ready));
        answered: assert (drains | (answers == rsp_valid & rsp_ready == takes));
    end
endmodule
