// `no_rw_check` of the row store's memories is legal: of a memory that is read and written at one edge at one address,
// nothing is used. So no sector that is wanted, one in which the pass has lanes or any of a shared read, is both read
// and written at one edge, in any column, at any lane's port. What is written is one sector of one row, or a word of
// each bank; and each lane reads the sector that it asks for, of the row that is read or of its own.
//
// Assumes: the block's contracts, which proof rows shows of the global path, at its ports: no two of a fill, an update
// and a part for another CTA at one edge, no sector written that is read for a lane, no word of shared memory read
// beside one that is written; that an update said to be of shared memory is one; and that rows of the caches and MSHRs
// (tiny4: 0 to 9) are below those of shared memory (12 to 15), which only other CTAs name by their row.
module row_store (
    input clk, input reads, input [3:0] read_row, input [3:0] read_sectors, input read_is_shared,
    input [7:0] read_shared_row, input [7:0] read_sector, input fills, input [1:0] fill_sector, input [3:0] fill_row,
    input [31:0] fill_strobe, input [255:0] fill_data,
    input fill_is_answer, input [255:0] answer_data, input serves, input [1:0] serve_sector, input [3:0] serve_row,
    input [31:0] serve_strobe, input [255:0] serve_data,
    input updates, input [1:0] update_sector, input [3:0] update_row, input [31:0] update_strobe,
    input [255:0] update_data, input update_is_shared, input [19:0] update_place
);
    wire [3:0] write_sectors, write_row;

    lsu_row_store unit (
        .clk(clk), .rst(1'b0), .reads(reads), .read_row(read_row), .read_sectors(read_sectors),
        .read_is_shared(read_is_shared), .read_shared_row(read_shared_row), .read_sector(read_sector), .fills(fills),
        .fill_sector(fill_sector), .fill_row(fill_row), .fill_strobe(fill_strobe), .fill_data(fill_data),
        .fill_is_answer(fill_is_answer), .answer_data(answer_data), .serves(serves), .serve_sector(serve_sector),
        .serve_row(serve_row), .serve_strobe(serve_strobe), .serve_data(serve_data), .updates(updates),
        .update_sector(update_sector),
        .update_row(update_row), .update_strobe(update_strobe), .update_data(update_data),
        .update_is_shared(update_is_shared), .update_place(update_place), .write_sectors(write_sectors),
        .write_row(write_row)
    );

    (* hierconn *) wire [23:0] \unit.lane_word ;
    (* hierconn *) wire [47:0] \unit.memory_write_address ;
    (* hierconn *) wire [31:0] \unit.column_strobe ;
    wire [23:0] read_addresses = \unit.lane_word ;
    wire [47:0] write_addresses = \unit.memory_write_address ;
    wire [31:0] strobes = \unit.column_strobe ;

    always @(*) begin
        assume (fills + updates + serves < 2);
        assume (!update_is_shared | updates);
        assume (!reads | read_row != write_row | (read_sectors & write_sectors) == 0);
        assume (!(reads & (read_is_shared | read_row >= 12)) | !((updates & update_is_shared) | serves));
        assume (!read_is_shared | read_row == 0);
        assume ((read_row < 10 | read_row >= 12) & fill_row < 10 & update_row < 10 & serve_row >= 12);
    end

    // By column: it is read for a lane, wanted and written at one address; and whether it is written as the sector's
    // fill, its update or the part for another CTA, says, or as its bank's word: byte 4 x word of shared memory, which
    // begins at row 12, is that of word (place x 4 + bank). By lane: whether it reads what it asks for.
    reg [7:0] clashes, fills_wrong, updates_wrong, serves_wrong, banks_wrong;
    reg [3:0] reads_wrong;
    reg [1:0] sector;
    reg [9:0] shared_word;

    always @(*) begin : columns
        integer column;
        integer lane;
        clashes = 0;
        for (lane = 0; lane < 4; lane = lane + 1) begin
            sector = read_sector[2 * lane +: 2];
            reads_wrong[lane] = read_addresses[6 * lane +: 6]
                != {read_is_shared ? {2'd3, read_shared_row[2 * lane +: 2]} : read_row, sector};
            for (column = 0; column < 8; column = column + 1)
                if (reads & (read_is_shared | read_sectors[sector]) & strobes[4 * column +: 4] != 0
                    & read_addresses[6 * lane +: 6] == write_addresses[6 * column +: 6]) clashes[column] = 1;
        end
        for (column = 0; column < 8; column = column + 1) begin
            fills_wrong[column] = fills & (strobes[4 * column +: 4] != fill_strobe[4 * column +: 4]
                | write_addresses[6 * column +: 6] != {fill_row, fill_sector});
            updates_wrong[column] = updates & !update_is_shared
                & (strobes[4 * column +: 4] != update_strobe[4 * column +: 4]
                    | write_addresses[6 * column +: 6] != {update_row, update_sector});
            serves_wrong[column] = serves & (strobes[4 * column +: 4] != serve_strobe[4 * column +: 4]
                | write_addresses[6 * column +: 6] != {serve_row, serve_sector});
            shared_word = 12 * 32 + update_place[5 * (column % 4) +: 5] * 4 + column % 4;
            // Of a bank's two columns the one that its word lies in, and only there the store writes.
            banks_wrong[column] = update_is_shared & shared_word % 8 == column
                & (strobes[4 * column +: 4] != update_strobe[4 * column +: 4]
                    | write_addresses[6 * column +: 6] != shared_word / 8);
        end
        apart: assert (clashes == 0);
        fills_its_sector: assert (fills_wrong == 0);
        updates_its_sector: assert (updates_wrong == 0);
        serves_its_sector: assert (serves_wrong == 0);
        writes_its_banks: assert (banks_wrong == 0);
        reads_its_sectors: assert (reads_wrong == 0);
    end
endmodule
