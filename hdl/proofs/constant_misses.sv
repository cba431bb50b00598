// The misses of the constant cache keep their contracts: while an entry is empty the read queue is not full, so that no
// request is lost or overwritten; a line is installed only while no entry is ready; whether a response completes its
// line, and which sector is read beside it, is right; and no sector is read at the edge that keeps it, which makes
// `no_rw_check` legal for the memory of sectors. What is said early is right: the lowest ready entry, and the key of the
// line in `response`. A request is made only for what is not under way: each is answered once. And while entries wait, a request, its answer or a response is under way: none waits for what has been lost.
//
// Assumes: a pass comes only while an entry is empty, none is ready and no line is installed (the contracts of what
// stands before it); and memory answers what it was asked, once. Keys have two bits: they are only compared.
module constant_misses (
    input clk, input rst, input allocate, input [14:0] allocate_key, input [31:0] allocate_address,
    input allocate_short, input [44:0] allocate_pass, input kill, input replay_ready, input data_is_replay,
    input [7:0] data_tag, input mem_req_ready, input mem_rsp_valid, input [5:0] mem_rsp_id, input mem_rsp_error
);
    wire has_empty, idle, replay_valid, install, mem_req_valid, mem_rsp_ready;
    wire [5:0] mem_req_id;

    lsu_misses unit (
        .clk(clk), .rst(rst), .allocate(allocate), .has_empty(has_empty), .idle(idle), .allocate_key(allocate_key),
        .allocate_address(allocate_address), .allocate_short(allocate_short), .allocate_pass(allocate_pass),
        .kill(kill), .replay_valid(replay_valid), .replay_ready(replay_ready), .data_is_replay(data_is_replay),
        .data_tag(data_tag), .install(install), .mem_req_valid(mem_req_valid), .mem_req_ready(mem_req_ready),
        .mem_req_id(mem_req_id), .mem_rsp_valid(mem_rsp_valid), .mem_rsp_ready(mem_rsp_ready),
        .mem_rsp_id(mem_rsp_id), .mem_rsp_error(mem_rsp_error)
    );

    (* hierconn *) wire \unit.response_full_q ;
    (* hierconn *) wire [5:0] \unit.response_id_q ;
    (* hierconn *) wire [14:0] \unit.response_key_q ;
    (* hierconn *) wire [29:0] \unit.key_q ;
    (* hierconn *) wire [1:0] \unit.ready_q ;
    (* hierconn *) wire [1:0] \unit.replayed_q ;
    reg begun = 0;
    reg [3:0] unanswered = 0;

    always @(posedge clk) begin
        begun <= 1;
        if (mem_rsp_valid & mem_rsp_ready) unanswered[mem_rsp_id[1:0]] <= 0;
        if (mem_req_valid & mem_req_ready) unanswered[mem_req_id[1:0]] <= 1;
        if (rst) unanswered <= 0;
    end

    always @(*) begin
        if (!begun) assume (rst);
        assume (allocate_key < 4);
        if (allocate) assume (has_empty & !replay_valid & !install);
        if (mem_rsp_valid) assume (mem_rsp_id < 4 & unanswered[mem_rsp_id[1:0]]);
        if (begun & !rst) begin
            ids: assert (!mem_req_valid | mem_req_id < 4);
            once: assert (!mem_req_valid | !unanswered[mem_req_id[1:0]]);
            waits: assert (idle | replay_valid | mem_req_valid | unanswered != 0 | \unit.response_full_q );
            lowest: assert (\unit.replayed_q == (\unit.ready_q & -\unit.ready_q ));
            key: assert (!\unit.response_full_q |
              \unit.response_key_q == (\unit.response_id_q [1] ? \unit.key_q [29:15] : \unit.key_q [14:0]));
            idle_has_all: assert (!idle | (has_empty & !mem_req_valid & unanswered == 0));
        end
    end
endmodule
