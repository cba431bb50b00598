// The tags of a cache (tiny4: two sets of two ways) are equal to the model below, which is the page's rules HIT,
// PINNED, VICTIM, TOUCH, DROP, UPDATE, LAST-USE, FLUSH and NOT-KEPT in a few lines: what is found and valid, which way a line
// could take, and what that says to the pass in tag. A way that is present is never taken while it is reserved, and a
// line is in at most one way.
//
// Assumes: what tag and the miss table say: tag takes another pass when its own moves; a pass that does not move does
// nothing, and allocates only if nothing is found; sectors come into reserved ways alone; a way is reserved by the pass
// that found or took it, and pinned as long as it is; rows are to be read only of ways that were taken; a store makes
// valid what it found or took, of a local line, and not at an edge at which local lines are emptied. Lines have
// three bits (one of them the set) and the one that says that they are local: they are only compared.
module cache_tags (
    input clk, input rst, input shifts, input [26:0] next_line, input [1:0] lost, input [1:0] named,
    input [7:0] to_read, input moves, input looks_up, input [3:0] clear, input touch, input touch_valid,
    input [3:0] need, input allocate, input evict_first, input evict_last, input flush, input [3:0] fill,
    input [3:0] store, input flush_local, input asked_way,
    input [3:0] undo, input fill_set, input fill_way, input reserves, input [3:0] keeps_reserved
);
    reg [26:0] line;
    wire set = line[0];

    // The model: for each set and way. Way = 2 x set + way.
    reg [26:0] lines [0:3];
    reg [15:0] valid, valid_then;  // Sectors, and those after this edge.
    reg is_local;
    integer i;
    reg [3:0] taken;  // Ever, since the last reset.
    reg [3:0] first, last;  // Class.
    reg [1:0] youngest;  // Of each set.
    reg [3:0] reserved_ways;
    reg [3:0] fresh;  // Found or taken by the pass that moved at the last edge.
    reg begun = 0, known;  // A pass has come since the last reset.

    wire [1:0] reserved = {reserved_ways[{set, 1'b1}], reserved_ways[{set, 1'b0}]};
    wire [1:0] same =
        {taken[{set, 1'b1}] & lines[{set, 1'b1}] == line, taken[{set, 1'b0}] & lines[{set, 1'b0}] == line};
    wire [3:0] valid_0 = valid[8 * set +: 4], valid_1 = valid[8 * set + 4 +: 4];
    wire [1:0] present = {valid_1 != 0, valid_0 != 0} | reserved;
    // HIT.
    wire [1:0] found_ways = same & present;
    wire model_found = found_ways != 0, model_way = found_ways[1];
    wire [3:0] model_valid = (found_ways[0] ? valid_0 : 0) | (found_ways[1] ? valid_1 : 0);
    // PINNED.
    wire [1:0] pinned = {to_read[7:4] != 0, to_read[3:0] != 0} | named | fresh[2 * set +: 2];
    // VICTIM.
    wire [1:0] absent = ~present & ~pinned;
    wire [1:0] firsts = first[2 * set +: 2], lasts = last[2 * set +: 2];
    wire [1:0] least = firsts != 0 ? firsts : lasts != 3 ? ~lasts : 2'd3;
    wire [1:0] free = absent != 0 ? absent : least & ~pinned;
    wire model_has_victim = free != 0;
    wire model_victim = free == 3 ? (absent != 0 ? 1'b0 : !youngest[set]) : free[1];
    // NOT-KEPT, READ-FIRST.
    wire [1:0] waits = {(need & ~valid_1 & to_read[7:4]) != 0, (need & ~valid_0 & to_read[3:0]) != 0};
    wire [1:0] reads = {(need & to_read[7:4]) != 0, (need & to_read[3:0]) != 0};

    // TOUCH, UPDATE: which way becomes youngest and takes the class.
    wire takes = allocate & model_has_victim;
    wire used = moves & (takes | (model_found & (touch | (touch_valid & (model_valid & need) != 0))));
    wire [1:0] at = {set, takes ? model_victim : model_way};

    always @(posedge clk) begin
        begun <= 1;
        if (shifts) line <= next_line;
        known <= known | shifts;
        fresh <= 0;
        // RESPONSE, then what tag moves, then FLUSH.
        valid_then = valid;
        valid_then[4 * {fill_set, fill_way} +: 4] = (valid[4 * {fill_set, fill_way} +: 4] | fill) & ~undo;
        if (moves & model_found) valid_then[4 * at +: 4] = valid_then[4 * at +: 4] & ~clear;
        if (moves & takes) begin
            valid_then[4 * at +: 4] = 0;
            lines[at] <= line;
            taken[at] <= 1;
        end
        if (moves & (takes | model_found)) valid_then[4 * at +: 4] = valid_then[4 * at +: 4] | store;
        for (i = 0; i < 4; i = i + 1) begin
            is_local = moves & takes & at == i ? line[26] : lines[i][26];
            if (is_local ? flush_local : flush) valid_then[4 * i +: 4] = 0;
        end
        valid <= valid_then;
        if (moves & (takes | (model_found & !allocate))) fresh[at] <= 1;
        if (used) begin
            youngest[set] <= at[0];
            first[at] <= evict_first;
            last[at] <= evict_last & !evict_first;
        end
        reserved_ways <= reserved_ways & keeps_reserved;
        if (moves & (takes | model_found) & reserves) reserved_ways[at] <= 1;
        if (rst) begin
            valid <= 0;
            taken <= 0;
            first <= 0;
            last <= 0;
            youngest <= 3;
            reserved_ways <= 0;
            fresh <= 0;
            known <= 0;
        end
    end

    wire found, has_victim, not_kept, read_first;
    wire [1:0] ways_found, victim;
    wire [3:0] found_valid;
    wire [1:0] kept_ways;
    wire [7:0] hit_sectors, set_valid;
    wire [1:0] set_local;
    wire [26:0] asked_line;

    lsu_cache_tags unit (
        .clk(clk), .rst(rst), .line(line), .shifts(shifts), .next_line(next_line), .read_set(next_line[0]),
        .next_is_same(next_line == line), .next_is_beside(next_line[0] == line[0]), .reserved(reserved), .lost(lost),
        .named(named), .to_read(to_read), .found(found), .found_ways(ways_found), .found_valid(found_valid),
        .kept_ways(kept_ways), .has_victim(has_victim), .victim(victim), .not_kept(not_kept),
        .read_first(read_first), .moves(moves), .looks_up(looks_up), .hit_sectors(hit_sectors), .clear(clear),
        .touch(touch), .touch_valid(touch_valid), .need(need), .allocate(allocate), .evict_first(evict_first),
        .evict_last(evict_last), .store(store), .flush(flush), .flush_local(flush_local), .asked_way(asked_way),
        .asked_line(asked_line), .set_valid(set_valid), .set_local(set_local), .fill(fill), .undo(undo), .fill_set(fill_set), .fill_ways(2'd1 << fill_way)
    );

    always @(*) begin
        if (!begun) assume (rst);
        assume (next_line[25:3] == 0 & line[25:3] == 0);
        if (store != 0) assume (moves & line[26] & clear == 0 & !flush_local & (takes | model_found));
        assume (!moves | (shifts & known));
        if (!moves) assume (!(clear != 0 | touch | touch_valid | allocate));
        assume (!(touch & touch_valid) & !(touch_valid & allocate) & !(allocate & model_found));
        assume ((fill | undo) == 0 | reserved_ways[{fill_set, fill_way}]);
        assume (fill == 0 | undo == 0);
        assume ((reserved & ~pinned) == 0);
        assume (to_read[3:0] == 0 | taken[{set, 1'b0}]);
        assume (to_read[7:4] == 0 | taken[{set, 1'b1}]);
        if (begun & !rst & known) begin
            one_way: assert (found_ways != 3);
            is_found: assert (found == model_found);
            sectors: assert (found_valid == model_valid);
            which: assert (ways_found == found_ways);
            could_take: assert (has_victim == model_has_victim);
            of_victim: assert (victim == (has_victim ? 2'd1 << model_victim : 2'd0));
            if (found | has_victim)
                kept: assert (kept_ways == 1 << (found ? model_way : model_victim));
            keeps_out: assert (not_kept == ((found_ways & (lost | waits)) != 0));
            reads_first: assert (read_first == ((same & reads) != 0));
            of_the_set: assert (set_valid == {valid_1, valid_0});
            if (taken[{set, 1'b0}]) local_0: assert (set_local[0] == lines[{set, 1'b0}][26]);
            if (taken[{set, 1'b1}]) local_1: assert (set_local[1] == lines[{set, 1'b1}][26]);
            if (taken[{next_line[0], asked_way}]) told: assert (asked_line == lines[{next_line[0], asked_way}]);
            hits: assert (hit_sectors[3:0] == (looks_up & next_line[0] == set & found_ways[0] ? valid_0 & need : 0));
            hits_1: assert (hit_sectors[7:4] == (looks_up & next_line[0] == set & found_ways[1] ? valid_1 & need : 0));
        end
    end
endmodule
