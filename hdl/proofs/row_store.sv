// `no_rw_check` of the row store's memories is legal: of a memory that is read at an edge at which the word of its read
// address is written, nothing is used. So no word that is wanted, one in a sector in which the pass has lanes or any of
// a shared read, is both read and written at one edge, in any of the 32 memories; and what a response, or another CTA,
// writes is of one sector of one row.
//
// Assumes: the block's contracts, which proof rows shows of the global path, at its ports: no two of a fill, an update
// and a part for another CTA at one edge, no sector written that is read for a lane, no word of shared memory read
// beside one that is written; that an update said to be of shared memory is one; and that rows of the caches and MSHRs
// (tiny4: 0 to 9) are below those of shared memory (12 to 15), which only other CTAs name by their row.
module row_store (
    input clk, input reads, input [3:0] read_row, input [3:0] read_sectors, input read_is_shared,
    input [19:0] read_place, input fills, input [1:0] fill_sector, input [3:0] fill_row, input [31:0] fill_strobe,
    input [255:0] fill_data,
    input fill_is_answer, input [255:0] answer_data, input serves, input [1:0] serve_sector, input [3:0] serve_row,
    input [31:0] serve_strobe, input [255:0] serve_data,
    input updates, input [1:0] update_sector, input [3:0] update_row, input [31:0] update_strobe,
    input [255:0] update_data, input update_is_shared, input [19:0] update_place
);
    wire [3:0] write_sectors, write_row;

    lsu_row_store unit (
        .clk(clk), .rst(1'b0), .reads(reads), .read_row(read_row), .read_sectors(read_sectors),
        .read_is_shared(read_is_shared), .read_place(read_place), .fills(fills), .fill_sector(fill_sector),
        .fill_row(fill_row), .fill_strobe(fill_strobe), .fill_data(fill_data),
        .fill_is_answer(fill_is_answer), .answer_data(answer_data), .serves(serves), .serve_sector(serve_sector),
        .serve_row(serve_row), .serve_strobe(serve_strobe), .serve_data(serve_data), .updates(updates),
        .update_sector(update_sector),
        .update_row(update_row), .update_strobe(update_strobe), .update_data(update_data),
        .update_is_shared(update_is_shared), .update_place(update_place), .write_sectors(write_sectors),
        .write_row(write_row)
    );

    (* hierconn *) wire [127:0] \unit.memory_read_address ;
    (* hierconn *) wire [127:0] \unit.memory_write_address ;
    (* hierconn *) wire [127:0] \unit.word_strobe ;
    wire [127:0] read_addresses = \unit.memory_read_address , write_addresses = \unit.memory_write_address ;
    wire [127:0] strobes = \unit.word_strobe ;

    always @(*) begin
        assume (fills + updates + serves < 2);
        assume (!update_is_shared | updates);
        assume (!reads | read_row != write_row | (read_sectors & write_sectors) == 0);
        assume (!(reads & (read_is_shared | read_row >= 12)) | !((updates & update_is_shared) | serves));
        assume ((read_row < 10 | read_row >= 12) & fill_row < 10 & update_row < 10 & serve_row >= 12);
    end

    // By word: it is read, wanted and written at one address; and whether it is written as its sector's fill, or the
    // part for another CTA, says.
    reg [31:0] clashes, fills_wrong, serves_wrong;
    reg written;

    always @(*) begin : words
        integer word;
        for (word = 0; word < 32; word = word + 1) begin
            written = strobes[4 * word +: 4] != 0;
            clashes[word] = reads & (read_is_shared | read_sectors[word / 8]) & written
                & read_addresses[4 * word +: 4] == write_addresses[4 * word +: 4];
            fills_wrong[word] = fills & (strobes[4 * word +: 4]
                != (fill_sector == word / 8 ? fill_strobe[4 * (word % 8) +: 4] : 4'd0)
                | write_addresses[4 * word +: 4] != fill_row);
            serves_wrong[word] = serves & (strobes[4 * word +: 4]
                != (serve_sector == word / 8 ? serve_strobe[4 * (word % 8) +: 4] : 4'd0)
                | write_addresses[4 * word +: 4] != serve_row);
        end
        apart: assert (clashes == 0);
        fills_its_sector: assert (fills_wrong == 0);
        serves_its_sector: assert (serves_wrong == 0);
    end
endmodule
