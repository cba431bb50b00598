// Rule SERVE: each request of another CTA that is taken on serve_req is answered exactly once on serve_rsp, with its id
// and its rank, in the order in which they came, and nothing else is ever answered: two tracked requests, through any
// resets that come without rst_mem. (Once, but not how soon: until it is answered it is in serve, or in reply.) An
// answer is an error exactly if the address lies beyond the window; it stays as it is until it is taken. Of a read each
// part of the answer is what the row store gave for that part, read from the request's sector; the data of a write's
// and of an error's answer are 0. Of a write each part is written once, with the bytes that it has, into the request's
// sector, before it is answered; of a write in error nothing. A read is picked only while serve offers one (rule PICK),
// as proof ports assumes.
//
// Assumes: nothing. What is not named of the pick stage is whatever it likes.
`include "tokens.svh"
module serve (
    input clk, input rst, input rst_mem, input serve_req_valid, input [5:0] serve_req_id, input [7:0] serve_req_rank,
    input serve_req_write, input [31:0] serve_req_addr, input [31:0] serve_req_strb, input [255:0] serve_req_data,
    input serve_rsp_ready, input [9:0] cluster_base, input [9:0] cluster_size, input updates,
    input updates_shared_next, input [1023:0] word, input read_free
);
    wire forgets = rst & rst_mem;
    wire serve_req_ready, full, writes, write_goes, reads, read_goes, lands, part, ends, error, reply_full, reply_stays;
    wire [31:0] strobe;
    wire [255:0] data, serve_rsp_data;
    wire [3:0] row, read_row, read_sectors;
    wire [1:0] sector;
    wire [5:0] id, serve_rsp_id;
    wire [7:0] rank, serve_rsp_rank;
    wire serve_rsp_valid, serve_rsp_error, read_is_shared;

    lsu_serve unit (
        .clk(clk), .rst(forgets), .read_is_lost(rst), .serve_req_valid(serve_req_valid),
        .serve_req_ready(serve_req_ready), .serve_req_id(serve_req_id), .serve_req_rank(serve_req_rank),
        .serve_req_write(serve_req_write), .serve_req_addr(serve_req_addr), .serve_req_strb(serve_req_strb),
        .serve_req_data(serve_req_data), .cluster_base(cluster_base), .cluster_size(cluster_size), .updates(updates),
        .updates_shared_next(updates_shared_next), .reply_full(reply_full), .reply_stays(reply_stays), .full(full),
        .writes(writes), .write_goes(write_goes), .strobe(strobe), .data(data), .reads(reads), .read_goes(read_goes), .row(row),
        .sector(sector), .lands(lands), .part(part), .ends(ends), .id(id), .rank(rank), .error(error)
    );
    // The row store: what it has in the sector that was asked for at lane 0.
    wire [7:0] read_sector;
    reg [1:0] sector_read;
    always @(posedge clk) if (read_goes) sector_read <= read_sector[1:0];
    wire [255:0] chosen = word[256 * sector_read +: 256];
    lsu_reply reply (
        .clk(clk), .rst(forgets), .lands(lands), .part(part), .word(chosen), .ends(ends), .id(id), .rank(rank), .error(error), .full(reply_full), .stays(reply_stays), .serve_rsp_valid(serve_rsp_valid),
        .serve_rsp_ready(serve_rsp_ready), .serve_rsp_id(serve_rsp_id), .serve_rsp_rank(serve_rsp_rank),
        .serve_rsp_data(serve_rsp_data), .serve_rsp_error(serve_rsp_error)
    );
    lsu_pick_stage places (
        .clk(clk), .rst(rst), .serve_reads(reads), .serve_goes(read_goes), .serve_row(row), .serve_sector(sector),
        .serve_writes(writes), .read_free(read_free), .read_row(read_row), .read_sectors(read_sectors),
        .read_sector(read_sector), .read_is_shared(read_is_shared)
    );

    // What comes, as the page says; shared memory has 16 sectors.
    wire enters = serve_req_valid & serve_req_ready, leaves = serve_rsp_valid & serve_rsp_ready;
    wire is_beyond = {serve_req_addr[31:5], 5'd0} >= {cluster_size[9:4], 4'd0};
    wire [3:0] sector_number = cluster_base[8:5] + serve_req_addr[8:5];

    wire [3:0] count;
    wire [14:0] in_serve = {id, rank, error}, in_reply = {serve_rsp_id, serve_rsp_rank, serve_rsp_error};
    tokens #(.WIDTH(15), .SEES_SECOND(1)) follow (
        .clk(clk), .rst(forgets), .enters(enters), .entering({serve_req_id, serve_req_rank, is_beyond}),
        .leaves(leaves), .leaving(serve_rsp_valid ? in_reply : in_serve), .second(in_serve), .count(count)
    );

    // The request in serve, how many of its parts are done, whether the one in reply was a write, and the answer's
    // data.
    reg is_write, is_error, was_write;
    reg [3:0] its_sector;
    reg [31:0] its_strobe;
    reg [255:0] its_data, answer;
    reg [1:0] parts;
    wire [255:0] given = word[256 * its_sector[1:0] +: 256];
    reg begun = 0;

    always @(posedge clk) begin
        begun <= 1;
        if (enters) begin
            {is_write, is_error, its_sector} <= {serve_req_write, is_beyond, sector_number};
            {its_strobe, its_data, parts} <= {serve_req_strb, serve_req_data, 2'd0};
        end
        if (lands | write_goes) parts <= parts + 1;
        if (ends) was_write <= is_write;
        if (lands & !is_error) answer[128 * part +: 128] <= given[128 * part +: 128];
        if (leaves | forgets) answer <= 0;
    end

    reg waited = 0;
    reg [14:0] said;
    always @(posedge clk) begin
        waited <= !forgets & serve_rsp_valid & !serve_rsp_ready;
        said <= in_reply;
    end

    (* hierconn *) wire \unit.holds_read_q ;
    (* hierconn *) wire \unit.holds_write_q ;
    (* hierconn *) wire \unit.in_read_q ;
    (* hierconn *) wire \unit.may_read_q ;
    (* hierconn *) wire \unit.offers_read_q ;
    (* hierconn *) wire \unit.may_store_q ;
    (* hierconn *) wire \unit.is_beyond_q ;
    (* hierconn *) wire \unit.may_write_q ;
    (* hierconn *) wire [31:0] \unit.held_strobe_q ;

    always @(*) begin
        if (!begun) assume (forgets);
        if (begun) begin
            only_offered: assert (!read_goes | reads);
            if (read_goes) reads_it: assert (read_row == {2'd3, its_sector[3:2]} & !read_is_shared
                & read_sectors == 1 << its_sector[1:0] & !is_write);
            if (write_goes) begin
                writes_it: assert (row == {2'd3, its_sector[3:2]} & sector == its_sector[1:0] & is_write & !is_error);
                its_bytes: assert (data == its_data & strobe == (its_strobe & (part ? 32'hffff0000 : 32'h0000ffff)));
            end
            if (lands | write_goes) each_part: assert (parts == part);
            if (ends & !(is_write & is_error)) all_parts: assert (parts + (lands | write_goes) == 2);
            empty: assert (!(lands | ends) | !reply_full);
            answers: assert (serve_rsp_data == answer);
            if (serve_rsp_valid & (was_write | serve_rsp_error)) no_data: assert (answer == 0);
            if (waited) stays: assert (serve_rsp_valid & in_reply == said);
            holds: assert (count == full + reply_full & serve_rsp_valid == reply_full);

            // For the induction.
            may: assert (\unit.may_write_q == (\unit.holds_write_q & !reply_full)
                & \unit.may_read_q == (\unit.holds_read_q & ! \unit.in_read_q & !reply_full)
                & (! \unit.offers_read_q | \unit.may_read_q )
                & \unit.may_store_q == (\unit.may_write_q & ! \unit.is_beyond_q ));
            kind: assert (\unit.holds_read_q == (full & !is_write) & \unit.holds_write_q == (full & is_write));
            if (\unit.in_read_q ) comes: assert (full & !is_write & !reply_full & sector_read == its_sector[1:0]);
            if (full) begin
                held: assert (row == {2'd3, its_sector[3:2]} & sector == its_sector[1:0] & error == is_error
                    & data == its_data & \unit.held_strobe_q == its_strobe);
                if (!(is_write & is_error)) part_of: assert (parts == part);
            end else none: assert (part == 0);
            if (!reply_full & (!full | is_write | is_error)) no_data_yet: assert (answer == 0);
        end
    end
endmodule
