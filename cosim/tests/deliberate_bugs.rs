//! Bugs planted in the emitted Verilog, all in one model behind a selector: the default budget of `lsu check` finds every one.
//!
//! `LSU_ACCEPT_DOCS=1 cargo test --release -p lsu-cosim --test deliberate_bugs` writes the table of
//! `cosim/docs/deliberate_bugs.md` anew.

#[path = "planting/found.rs"]
mod found;
mod planting;

use std::fmt::Write as _;
use std::path::Path;

use found::found;
use lsu_cosim::generate::DEFAULT_CASES;
use planting::{Bug, breakable, bug};

const BEGIN: &str = "<!-- planted bugs -->\n";
const END: &str = "<!-- end of planted bugs -->\n";

const L1_TAGS: &str = "l1_cache_tags";
const RO_TAGS: &str = "ro_cache_tags";

const BUGS: &[Bug] = &[
    bug(
        "ldc_address",
        "IL uses the segment of Ra, not of the sum (LDC-4)",
        "{16'd0, sum[31:16]}",
        "{16'd0, ra[31:16]}",
    ),
    bug("ldc_address", "ISL allows bank 14 (LDC-6)", "bank_sum > 17'd13", "bank_sum > 17'd14"),
    bug("ldc_address", "the address of IS wraps at 16 bits (LDC-5)", "overflows = sum[16] ^ ra[16];", "1'b0"),
    bug(
        "tag_stage",
        "the last line of a bank is never needed (LDC-8)",
        "(line_is_last & (|(group & below_end)))",
        "1'b0",
    ),
    bug("tag_stage", "a fetch for lanes out of bounds", "(|(group & below_end))", "|bank_table_size[5:4]"),
    bug("tag_stage", "a short line is fetched whole", "!line_is_inside & (bank_table_size[5:4] != 2'd3)", "1'b0"),
    bug("constant_set", "a hit does not renew its way", "touch | (install & install_keep)", "install & install_keep"),
    bug("misses", "a killed fetch is kept", "!(|sector_error) & !killed_q[response_fetch]", "!(|sector_error)"),
    bug(
        "misses",
        "a line with a failed sector is kept",
        "!(|sector_error) & !killed_q[response_fetch]",
        "!killed_q[response_fetch]",
    ),
    bug(
        "misses",
        "a killed entry can be joined",
        "valid_q[i] & !ready_q[i] & !killed_q[i] & (key_q[i * 15 +: 15] == allocate_key)",
        "valid_q[i] & !ready_q[i] & (key_q[i * 15 +: 15] == allocate_key)",
    ),
    bug(
        "misses",
        "an install does not wait for ready entries",
        "response_full_q & response_completes_q & !replay_valid & !data_is_replay",
        "response_full_q & response_completes_q & !data_is_replay",
    ),
    bug(
        "constant_cache",
        "`wb_last` ignores the miss entries",
        "(tag_holds & (tag_data_tag == data_tag)) | miss_holds_data_tag",
        "(tag_holds & (tag_data_tag == data_tag))",
    ),
    bug("data_stage", "the record names an address that is no lane's", "failed_q & (~failed_q + 8'd1)", "failed_q"),
    bug("data_stage", "the record of an LDC has lost its bank", "({27'd0, held_segment} << 16)", "32'd0"),
    bug("ldc_extract", "half-words are not sign-extended (LDC-12)", "top_bit = picked_half[15];", "1'b0"),
    bug("address_unit", "a wide lane is in range", "outside = wide_q;", "8'd0"),
    bug(
        "address_unit",
        "a sum below 0 is in range",
        "(sum[(i * 32) + 31] == addend_q[31])",
        "!(sum[(i * 32) + 31] | addend_q[31])",
    ),
    bug(
        "address_unit",
        "the last byte of a window lies outside it",
        "window_offset < window_size[j * 32 +: 32]",
        "(window_offset + 32'd1) < window_size[j * 32 +: 32]",
    ),
    bug("load_destination", "a vector may end in R255", "rd > 8'hfb", "rd > 8'hfc"),
    bug("same_line", "lanes on lines 1 MB apart make one pass", "!(|difference[31:7])", "!(|difference[19:7])"),
    bug("same_line", "a store's pass has lanes of two sectors", "(!is_store | !(|difference[6:5]))", "1'b1"),
    bug(
        "store_merge",
        "the strobes of upper half-words lie a byte too low",
        "in_bytes[i * 4 +: 4] << 2",
        "in_bytes[i * 4 +: 4] << 1",
    ),
    bug(
        L1_TAGS,
        "L1 ignores the top bit of the address",
        "tag_read_data[i * 27 +: 27] == next_line",
        "{tag_read_data[(i * 27) + 25 +: 2], tag_read_data[i * 27 +: 24]} == {next_line[26:25], next_line[23:0]}",
    ),
    bug(
        RO_TAGS,
        "the read-only cache ignores the top bit of the address",
        "tag_read_data[i * 27 +: 27] == next_line",
        "{tag_read_data[(i * 27) + 25 +: 2], tag_read_data[i * 27 +: 24]} == {next_line[26:25], next_line[23:0]}",
    ),
    bug(L1_TAGS, "a way just taken is not seen by the next look-up", "allocate & victim[i] & next_is_beside", "1'b0"),
    bug(L1_TAGS, "evict_first lines are not the first victims", "(|firsts_q)", "1'b0"),
    bug(L1_TAGS, "a way that is still to be read can be a victim", "(|to_read[i * 4 +: 4])", "1'b0"),
    bug(L1_TAGS, "a way whose row an MSHR names can be a victim", "named | fresh_q", "fresh_q"),
    bug(L1_TAGS, "a way that the pass before took can be a victim", "named | fresh_q", "named"),
    bug(
        "row_readers",
        "what the pass before hit is not to be read",
        "l1_there[j * 4 +: 4] = l1_reads[j * 4 +: 4];",
        "4'd0",
    ),
    bug(
        L1_TAGS,
        "a line is fetched again into a row that an older fetch still writes",
        "lost[i] | (|(need & ~way_valid_q[i * 4 +: 4] & to_read[i * 4 +: 4]))",
        "(|(need & ~way_valid_q[i * 4 +: 4] & to_read[i * 4 +: 4]))",
    ),
    bug(
        L1_TAGS,
        "a line is fetched again into a row that is still to be read",
        "lost[i] | (|(need & ~way_valid_q[i * 4 +: 4] & to_read[i * 4 +: 4]))",
        "lost[i]",
    ),
    bug(
        "miss_table",
        "MSHRs ignore the top bit of the line",
        "mshr_line_q[i * 27 +: 27] == next_line",
        "{mshr_line_q[(i * 27) + 25 +: 2], mshr_line_q[i * 27 +: 24]} == {next_line[26:25], next_line[23:0]}",
    ),
    bug(
        "coalescer",
        "a remote line is that of global memory at the same address (CLUSTER)",
        "line_kind[25] = held_space == SPACE_SHARED_CLUSTER;",
        "1'b0",
    ),
    bug(
        "coalescer",
        "a local line is that of global memory at the same address (LOCAL)",
        "line_kind[26] = is_local_q;",
        "1'b0",
    ),
    bug("local_line", "sets are those of the lines in memory (HIT)", "line[i] ^ line[i + 4]", "line[i]"),
    bug(
        "miss_table",
        "the rest of a sector overwrites what was stored (RESPONSE)",
        "stored_write_data[i * 4 +: 4] = strobe[i * 4 +: 4];",
        "4'd0",
    ),
    bug("miss_table", "what comes to a local store is not written back", "l1_dirties = fill;", "4'd0"),
    bug(
        "miss_table",
        "an acquire leaves a local store no place in L1",
        "!is_ro_q[i] & !mshr_line_q[(i * 27) + 26]",
        "!is_ro_q[i]",
    ),
    bug("miss_table", "a write-back's MSHR is free before its response", "referred = writes_back_q;", "4'd0"),
    bug("miss_table", "an error of a write-back is not told", "(|(response & writes_back_q)) & rsp_error", "1'b0"),
    bug(L1_TAGS, "an acquire empties local lines, too", "valid_next = valid_next & local_next;", "16'd0"),
    bug("global_tag_stage", "a store of a whole sector leaves it invalid", "l1_store = held_need;", "4'd0"),
    bug(
        "global_tag_stage",
        "what was used last is written back (LAST-USE)",
        "operation_last_use ? (hit & whole) : 4'd0",
        "4'd0",
    ),
    bug(
        "global_tag_stage",
        "what was used last goes with half a warp (LAST-USE)",
        "whole[i] = &held_group;",
        "&held_group[3:0]",
    ),
    bug("global_tag_stage", "the command does not await the last response", "!misses_hold_write_back", "1'b1"),
    bug("global_tag_stage", "the command does not wait for fills", "(walks_q & misses_hold_local)", "1'b0"),
    bug(
        "dirty_sectors",
        "the command leaves out the last set",
        "at_last = !(|(~walk_set_q));",
        "!(|(~walk_set_q[3:1]))",
    ),
    bug(
        "store_port",
        "a write-back carries the operation's policy",
        "write_back ? 64'd0 : operation_policy",
        "operation_policy",
    ),
    bug("pick_stage", "`resume` comes after `serve` (PICK)", "6'd32", "6'd0"),
    bug(
        "address_unit",
        "the top bit of a rank is ignored (CLUSTER)",
        "sum[(i * 32) + 24 +: 8] == cluster_rank",
        "sum[(i * 32) + 24 +: 7] == cluster_rank[6:0]",
    ),
    bug(
        "address_unit",
        "remote loads are looked up (CLUSTER)",
        "(held_cop != COP_CG) & !is_cluster",
        "(held_cop != COP_CG)",
    ),
    bug("serve", "a write beyond the window writes (SERVE)", "writes & !updates & !is_beyond_q", "writes & !updates"),
    bug("serve", "the window has 16 bytes more (SERVE)", "granule >= window_granules", "granule > window_granules"),
    bug(
        "serve",
        "the window begins with shared memory (SERVE)",
        "cluster_base[11:5] + serve_req_addr[11:5]",
        "serve_req_addr[11:5]",
    ),
    bug("serve", "a write has all strobes (SERVE)", "strobe[j * 4 +: 4] = held_strobe_q[j * 4 +: 4];", "4'hf"),
    bug(
        "serve",
        "a sector is read while an update writes it (SERVE)",
        "holds_read_q & !in_read_q & !reply_full & !updates_shared",
        "holds_read_q & !in_read_q & !reply_full",
    ),
    bug("pick_stage", "`bank` is picked while `serve` writes (PICK)", "bank_full & !serve_writes", "bank_full"),
    bug(
        "pick_stage",
        "loads overtake an acquire in `bank` (ACQUIRE)",
        "tag_waits & (first_precedes | second_precedes)",
        "1'b0",
    ),
    bug(
        "pick_stage",
        "the second acquire in `bank` holds back every warp (ACQUIRE)",
        "(bank_second_operation_warp == tag_warp)",
        "1'b1",
    ),
    bug("global_tag_stage", "stores leave while `serve` writes (STALL)", "is_any_store_q & serve_writes", "1'b0"),
    bug(
        "drain",
        "the unit does not wait for the cluster (DRAIN)",
        "(draining_q | rst) & (memory_any_next | cluster_any_next)",
        "(draining_q | rst) & memory_any_next",
    ),
    bug(
        "miss_table",
        "a load does not wait for a store to its sector (order)",
        "(next_operation_ordered | is_ordered)",
        "next_operation_ordered",
    ),
    bug("miss_table", "loads overtake an acquire", "(is_older & acquires & !next_operation_is_store)", "1'b0"),
    bug(
        "miss_table",
        "an acquire holds back every warp",
        "is_older & acquires",
        "(waiter_tag_q[i * 8 +: 8] != next_operation_tag) & acquires",
    ),
    bug("miss_table", "a release does not wait", "(is_older & next_operation_release)", "1'b0"),
    bug(
        "miss_table",
        "a release waits for other warps",
        "is_older & next_operation_release",
        "(waiter_tag_q[i * 8 +: 8] != next_operation_tag) & next_operation_release",
    ),
    bug(
        "miss_table",
        "an `.nc` load joins a fetch of L1",
        "matches_q & keep_q & is_ro_q",
        "matches_q & keep_q & ~ordered_q",
    ),
    bug("miss_table", "a joined sector is asked for again", "miss & ~joined_asked", "miss"),
    bug("miss_table", "an acquire leaves L1 valid", "|(leaves & is_acquire_q)", "1'b0"),
    bug(
        "miss_table",
        "a store keeps its way of L1 when an acquire empties L1 at the same edge",
        "taken_keeps & (operation_nc | taken_line[26] | !flush_l1)",
        "taken_keeps",
    ),
    bug("miss_table", "a strong load leaves an MSHR its place in L1", "drop_line & matches_q[i]", "1'b0"),
    bug(
        "row_readers",
        "an MSHR is taken while its own row is still to be read",
        "(region == 2'd2) & (|sectors[i * 4 +: 4])",
        "1'b0",
    ),
    bug(
        "miss_table",
        "an MSHR is let go with its last waiter",
        "referred = referred | waiter_refers_q[i * 4 +: 4];",
        "leaves[i] ? referred : (referred | waiter_refers_q[i * 4 +: 4])",
    ),
    bug("miss_table", "all MSHRs have one own row", "first_own_row | i[6:0]", "first_own_row"),
    bug("global_tag_stage", "a store changes what is still to be read", "(is_update_q & l1_read_first)", "1'b0"),
    bug("miss_table", "a failed store's bytes stay in L1", "l1_undo = sector;", "4'd0"),
    bug(
        "global_tag_stage",
        "st.cg keeps its sector in L1",
        "(operation_cop == COP_CG) | operation_mmio",
        "operation_mmio",
    ),
    bug(
        "global_tag_stage",
        "evict_unchanged renews its way",
        "is_load_q & operation_kept & operation_touches",
        "is_load_q & operation_kept",
    ),
    bug("collector", "`.b64` elements share a sink", "element = whole_index_q[3:1];", "whole_index_q[2:0]"),
    bug(
        "read_queue",
        "mmio asks for the whole sector",
        "operation_mmio ? (element << requests_read_data_leader_byte) : 32'hffffffff",
        "32'hffffffff",
    ),
    bug("drain", "a request leaves while the unit drains", "mem_req_valid = asks & !draining_q;", "asks"),
    bug("drain", "rst forgets what is unanswered", "rst & rst_mem", "rst"),
    bug(
        "arbiter",
        "the second source waits as long as the first one wants",
        "second_valid & (!first_valid | first_was_last_q)",
        "second_valid & !first_valid",
    ),
];

#[test]
fn every_planted_bug_is_found_and_the_page_says_where() {
    let unit = breakable(BUGS);
    let mut table = String::from("| block and bug | case | first difference |\n|---|---|---|\n");
    let mut missed = vec![];
    for (bug, found) in BUGS.iter().zip(found(&unit)) {
        let Some((case, failure)) = found else {
            missed.push(bug.what);
            continue;
        };
        writeln!(table, "| {}: {} | {case} | `{failure}` |", bug.module, bug.what).expect("text");
    }
    assert!(missed.is_empty(), "not found in {DEFAULT_CASES} cases: {missed:#?}");

    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/deliberate_bugs.md");
    let page = std::fs::read_to_string(&path).expect("the page");
    let (before, rest) = page.split_once(BEGIN).expect("the table's beginning");
    let (kept, after) = rest.split_once(END).expect("the table's end");
    if std::env::var_os("LSU_ACCEPT_DOCS").is_some() {
        std::fs::write(&path, format!("{before}{BEGIN}{table}{END}{after}")).expect("the page can be written");
    } else {
        assert!(kept == table, "the table is out of date; accept with LSU_ACCEPT_DOCS=1. It should be:\n{table}");
    }
}
