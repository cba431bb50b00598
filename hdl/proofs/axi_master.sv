// The memory port as an AXI4 master. Every request that is taken is offered once: a read on AR, a write on AW and on W,
// in the order in which they came, with its id, bytes and attributes; what is offered stays as it is until it is taken,
// through resets of the unit alone. Every answer is given once, in the order of its channel, with its id, error and data,
// and stays until it is taken. A request of `.mmio` asks for its element and nothing else.
//
// Assumes: the strobes of `.mmio` are those of an element: 1 to 16 bytes, aligned to their number.
`include "tokens.svh"

module axi_master (
    input clk, input rst, input rst_mem,
    input mem_req_valid, input [7:0] mem_req_id, input mem_req_write, input [31:0] mem_req_addr, input [31:0] mem_req_strb,
    input [255:0] mem_req_data, input [1:0] mem_req_l2_evict, input mem_req_policy_en, input [63:0] mem_req_policy,
    input [1:0] mem_req_prefetch, input [2:0] mem_req_cop, input [2:0] mem_req_sem, input [1:0] mem_req_scope,
    input mem_rsp_ready, input m_axi_awready, input m_axi_wready, input m_axi_arready,
    input m_axi_bvalid, input [7:0] m_axi_bid, input [1:0] m_axi_bresp,
    input m_axi_rvalid, input [7:0] m_axi_rid, input [255:0] m_axi_rdata, input [1:0] m_axi_rresp, input m_axi_rlast,
    input [2:0] element, input [4:0] first
);
    wire mem_req_ready, mem_rsp_valid, mem_rsp_error;
    wire [7:0] mem_rsp_id;
    wire [255:0] mem_rsp_data;
    wire m_axi_awvalid, m_axi_awlock, m_axi_wvalid, m_axi_wlast, m_axi_bready, m_axi_arvalid, m_axi_arlock, m_axi_rready;
    wire [7:0] m_axi_awid, m_axi_awlen, m_axi_arid, m_axi_arlen;
    wire [31:0] m_axi_awaddr, m_axi_araddr, m_axi_wstrb;
    wire [2:0] m_axi_awsize, m_axi_arsize, m_axi_awprot, m_axi_arprot;
    wire [1:0] m_axi_awburst, m_axi_arburst;
    wire [3:0] m_axi_awcache, m_axi_arcache, m_axi_awqos, m_axi_arqos;
    wire [76:0] m_axi_awuser, m_axi_aruser;
    wire [255:0] m_axi_wdata;
    lsu_axi_master unit (.*);
    (* hierconn *) wire \unit.responses_is_second ;
    (* hierconn *) wire \unit.read_answered_q ;
    (* hierconn *) wire \unit.write_answered_q ;
    (* hierconn *) wire \unit.read_answer_error ;
    (* hierconn *) wire [7:0] \unit.read_answer_id ;
    (* hierconn *) wire \unit.write_answer_error ;
    (* hierconn *) wire [7:0] \unit.write_answer_id ;

    // A request as the address channels should say it.
    wire mmio = mem_req_sem >= 5;
    wire [31:0] bytes = (32'd1 << (6'd1 << element)) - 1;
    wire [76:0] user =
        {mem_req_policy, mem_req_policy_en, mem_req_prefetch, mem_req_l2_evict, mem_req_cop, mem_req_scope, mem_req_sem};
    wire [123:0] request = {user, mmio ? 4'd0 : 4'd2, mmio ? element : 3'd5, mem_req_addr + (mmio ? first : 0), mem_req_id};
    wire [123:0] read = {m_axi_aruser, m_axi_arcache, m_axi_arsize, m_axi_araddr, m_axi_arid};
    wire [123:0] write = {m_axi_awuser, m_axi_awcache, m_axi_awsize, m_axi_awaddr, m_axi_awid};
    wire [287:0] beat = {m_axi_wstrb, m_axi_wdata};
    wire [8:0] answer = {mem_rsp_error, mem_rsp_id};

    wire forgets = rst & rst_mem;
    wire [3:0] reads_held, writes_held, beats_held, read_answers_held, write_answers_held;
    wire takes = mem_req_valid & mem_req_ready;
    wire answers = mem_rsp_valid & mem_rsp_ready;
    wire is_write = \unit.responses_is_second ;
    wire [8:0] held_read = {\unit.read_answer_error , \unit.read_answer_id };
    wire [8:0] held_write = {\unit.write_answer_error , \unit.write_answer_id };
    tokens #(.WIDTH(124), .CAPACITY(1), .SEES_SECOND(1)) reads (
        .clk(clk), .rst(forgets), .enters(takes & !mem_req_write), .entering(request),
        .leaves(m_axi_arvalid & m_axi_arready), .leaving(read), .second(124'd0), .count(reads_held)
    );
    tokens #(.WIDTH(124), .CAPACITY(1), .SEES_SECOND(1)) writes (
        .clk(clk), .rst(forgets), .enters(takes & mem_req_write), .entering(request),
        .leaves(m_axi_awvalid & m_axi_awready), .leaving(write), .second(124'd0), .count(writes_held)
    );
    tokens #(.WIDTH(288), .CAPACITY(1), .SEES_SECOND(1)) beats (
        .clk(clk), .rst(forgets), .enters(takes & mem_req_write), .entering({mem_req_strb, mem_req_data}),
        .leaves(m_axi_wvalid & m_axi_wready), .leaving(beat), .second(288'd0), .count(beats_held)
    );
    tokens #(.WIDTH(265), .CAPACITY(1), .SEES_SECOND(1)) read_answers (
        .clk(clk), .rst(forgets), .enters(m_axi_rvalid & m_axi_rready),
        .entering({m_axi_rdata, m_axi_rresp != 0, m_axi_rid}), .leaves(answers & !is_write),
        .leaving({mem_rsp_data, held_read}),
        .second(265'd0), .count(read_answers_held)
    );
    tokens #(.WIDTH(9), .CAPACITY(1), .SEES_SECOND(1)) write_answers (
        .clk(clk), .rst(forgets), .enters(m_axi_bvalid & m_axi_bready), .entering({m_axi_bresp != 0, m_axi_bid}),
        .leaves(answers & is_write), .leaving(held_write), .second(9'd0), .count(write_answers_held)
    );

    // What was offered, and not taken, in the cycle before.
    reg begun = 0;
    reg waits_read, waits_write, waits_beat, waits_response, waits_is_write;
    reg [123:0] read_before, write_before;
    reg [287:0] beat_before;
    reg [264:0] answer_before;
    always @(posedge clk) begin
        begun <= 1;
        waits_read <= !forgets & m_axi_arvalid & !m_axi_arready;
        waits_write <= !forgets & m_axi_awvalid & !m_axi_awready;
        waits_beat <= !forgets & m_axi_wvalid & !m_axi_wready;
        waits_response <= !forgets & mem_rsp_valid & !mem_rsp_ready;
        waits_is_write <= is_write;
        read_before <= read;
        write_before <= write;
        beat_before <= beat;
        answer_before <= {mem_rsp_data, answer};
    end

    always @(*) begin
        assume (!mmio | (element < 5 & (first & ((5'd1 << element) - 1)) == 0 & mem_req_strb == bytes << first));
        assume (mem_req_addr[4:0] == 0);
        if (begun) begin
            read_stays: assert (!waits_read | (m_axi_arvalid & read == read_before));
            write_stays: assert (!waits_write | (m_axi_awvalid & write == write_before));
            beat_stays: assert (!waits_beat | (m_axi_wvalid & beat == beat_before));
            offered: assert (m_axi_arvalid == reads_held & m_axi_awvalid == writes_held & m_axi_wvalid == beats_held);
            held: assert (\unit.read_answered_q == read_answers_held & \unit.write_answered_q == write_answers_held);
            presented: assert (!mem_rsp_valid | (is_write ? write_answers_held : read_answers_held) != 0);
            answer_is_held: assert (answer == (is_write ? held_write : held_read));
            answer_stays: assert (!waits_response |
                (mem_rsp_valid & is_write == waits_is_write & answer == answer_before[8:0]));
            data_stay: assert (!waits_response | is_write | mem_rsp_data == answer_before[264:9]);
            apart: assert (!(m_axi_arvalid & (m_axi_awvalid | m_axi_wvalid)));
            one_beat: assert (m_axi_arlen == 0 & m_axi_awlen == 0 & m_axi_wlast & m_axi_arburst == 1 & m_axi_awburst == 1);
            plain: assert (!m_axi_arlock & !m_axi_awlock & m_axi_arprot == 0 & m_axi_awprot == 0 & m_axi_arqos == 0 &
                m_axi_awqos == 0);
        end
    end
endmodule
