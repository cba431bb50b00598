// The sets of the constant cache equal the model of their rules (LOOK-UP, INSTALL, KILL), which keeps its tags by itself: which
// way hits, its number, and the next victim. So what was read of a set as a pass came is the set's even when a line is
// installed at that edge or later.
//
// Assumes: the set that is looked up is the one that was read last; one of touch, install and flush at a time, and in the
// cycle of an install tags are read only if none are held (the contracts of `tag`); and what is kept is in no other way of
// its set (SHARE). Keys have three bits: they are only compared.
module constant_set (
    input clk, input rst, input reads, input holds, input [1:0] read_set, input [12:0] key, input touch, input touch_counts,
    input install, input [1:0] install_set, input [12:0] install_key, input install_keep, input flush
);
    wire [1:0] hit_ways;
    wire hit_way, oldest_way;
    reg [1:0] set = 0;

    lsu_constant_set unit (
        .clk(clk), .rst(rst), .reads(reads), .holds(holds), .read_set(read_set), .set(set), .key(key),
        .hit_ways(hit_ways), .touch(touch), .touch_counts(touch_counts), .install(install), .install_set(install_set), .install_key(install_key),
        .install_keep(install_keep), .hit_way(hit_way), .oldest_way(oldest_way), .flush(flush)
    );

    reg begun = 0;
    reg [2:0] tags [0:7];
    reg [7:0] valid = 0;
    reg [3:0] oldest = 0;
    wire victim = oldest[install_set];
    wire other = !victim;
    wire first_hits = valid[{set, 1'b0}] & tags[{set, 1'b0}] == key;
    wire second_hits = valid[{set, 1'b1}] & tags[{set, 1'b1}] == key;

    always @(posedge clk) begin
        begun <= 1;
        if (reads) set <= read_set;
        if (touch & touch_counts & first_hits) oldest[set] <= 1;
        if (touch & touch_counts & second_hits) oldest[set] <= 0;
        if (install) begin
            tags[{install_set, victim}] <= install_key;
            valid[{install_set, victim}] <= install_keep;
            if (install_keep) oldest[install_set] <= other;
        end
        if (flush) valid <= 0;
        if (rst) begin
            set <= 0;
            valid <= 0;
            oldest <= 0;
        end
    end

    always @(*) begin
        if (!begun) assume (rst);
        assume (key < 8 & install_key < 8);
        assume (touch + install + flush <= 1);
        if (install) assume (reads != holds);
        if (install & install_keep) assume (!valid[{install_set, other}] | tags[{install_set, other}] != install_key);
        if (begun & !rst) begin
            hits: assert (hit_ways == {second_hits, first_hits});
            number: assert (hit_way == second_hits);
            victims: assert (oldest_way == victim);
        end
    end
endmodule
