//! Every rule broken on purpose in the description: the rule's own program must notice.

use lsu_cosim::lockstep;
use lsu_cosim::mutate::Breakable;
use lsu_model::preset::FPGA8;

use crate::planting::{Bug, breakable, bug};
use crate::trace::Shown;

/// Each rule, and a bug against it, or several.
const BROKEN: &[(&str, Bug)] = &[
    (
        "FREE",
        bug(
            "global_tag_stage",
            "`tag` takes a pass only while it is empty",
            "in_ready = has_room_q;",
            "has_room_q & !occupied_q",
        ),
    ),
    (
        "PATH",
        bug(
            "lsu",
            "an LDC waits until the global path is idle",
            "req_ready = to_constant ? intake_req_ready : global_path_req_ready;",
            "to_constant ? (intake_req_ready & global_path_idle) : global_path_req_ready",
        ),
    ),
    (
        "FAULT",
        bug(
            "operation_check",
            "an address out of range comes before a misaligned one",
            "(held_cause == CAUSE_NONE) & (|outside)",
            "((held_cause == CAUSE_NONE) | (held_cause == CAUSE_MISALIGNED_ADDRESS)) & (|outside)",
        ),
    ),
    ("PASS", bug("same_line", "a store's pass has lanes of two sectors", "(!is_store | !(|difference[6:5]))", "1'b1")),
    (
        "BEATS",
        bug(
            "coalescer",
            "beats are taken while `merge` is not empty",
            "full_q & !has_data_q & merge_empty",
            "full_q & !has_data_q",
        ),
    ),
    ("MERGE", bug("coalescer", "a load leaves `issue` while `merge` is not empty", "loads_q & merge_empty", "loads_q")),
    ("STALL", bug("global_tag_stage", "`tag` moves without a free waiter", "has_line_q & miss_full", "1'b0")),
    (
        "ORDER",
        bug(
            "miss_table",
            "a load does not wait for a store to its sector",
            "(next_operation_ordered | is_ordered)",
            "next_operation_ordered",
        ),
    ),
    (
        "ACQUIRE",
        bug("miss_table", "loads overtake an acquire", "(is_older & acquires & !next_operation_is_store)", "1'b0"),
    ),
    ("RELEASE", bug("miss_table", "a release does not wait", "(is_older & next_operation_release)", "1'b0")),
    (
        "RELEASE",
        bug(
            "pick_stage",
            "a release does not wait for loads of shared memory",
            "(bank_first_operation_acquire | tag_releases)",
            "bank_first_operation_acquire",
        ),
    ),
    (
        "DRAIN",
        bug("drain", "the unit does not drain", "(draining_q | rst) & (memory_any_next | cluster_any_next)", "1'b0"),
    ),
    (
        "HIT",
        bug(
            "global_tag_stage",
            "a pass hits with all of its sectors or with none",
            "(found_valid & held_need)",
            "(((found_valid & held_need) == held_need) ? held_need : 4'd0)",
        ),
    ),
    (
        "MISS",
        bug(
            "miss_table",
            "the first MSHR taken is number 1",
            "~closed_q & (closed_q + 4'd1)",
            "(closed_q == 4'd0) ? 4'd2 : (~closed_q & (closed_q + 4'd1))",
        ),
    ),
    ("JOIN", bug("miss_table", "a joined sector is asked for again", "miss & ~joined_asked", "miss")),
    ("VICTIM", bug("l1_cache_tags", "evict_first lines are not the first victims", "(|firsts_q)", "1'b0")),
    ("ROW", bug("miss_table", "all MSHRs have one own row", "first_own_row | i[6:0]", "first_own_row")),
    (
        "READ-FIRST",
        bug("global_tag_stage", "a store changes what is to be read", "is_update_q & l1_read_first", "1'b0"),
    ),
    (
        "NOT-KEPT",
        bug(
            "l1_cache_tags",
            "an MSHR without `keep` does not close its row",
            "lost[i] | (|(need & ~way_valid_q[i * 4 +: 4] & to_read[i * 4 +: 4]))",
            "(|(need & ~way_valid_q[i * 4 +: 4] & to_read[i * 4 +: 4]))",
        ),
    ),
    ("PINNED", bug("l1_cache_tags", "a way that is to be read can be a victim", "(|to_read[i * 4 +: 4])", "1'b0")),
    ("KEEP-LOST", bug("miss_table", "a strong load takes nothing from an MSHR", "drop_line & matches_q[i]", "1'b0")),
    (
        "DROP",
        bug(
            "global_tag_stage",
            "a strong load leaves its sector valid",
            "drops = is_load_q & operation_ordered;",
            "1'b0",
        ),
    ),
    (
        "TOUCH",
        bug(
            "global_tag_stage",
            "a hit does not renew its way",
            "is_load_q & operation_kept & operation_touches",
            "1'b0",
        ),
    ),
    ("UPDATE", bug("global_tag_stage", "a store leaves L1 as it is", "store_found & !store_drops", "1'b0")),
    ("WRITE-BACK", bug("global_tag_stage", "a line enters a dirty set", "(holds_dirty & !is_clean)", "1'b0")),
    (
        "LAST-USE",
        bug(
            "global_tag_stage",
            "what is not needed again stays",
            "operation_last_use ? (held_need & whole) : 4'd0",
            "4'd0",
        ),
    ),
    (
        "FLUSH",
        bug(
            "miss_table",
            "a store keeps its way when an acquire empties L1 at the same edge",
            "!operation_nc & !taken_is_local",
            "1'b0",
        ),
    ),
    (
        "REQUEST",
        bug(
            "read_queue",
            "the highest sector is asked for first",
            "left & (~left + 4'd1)",
            "left[3] ? 4'd8 : left[2] ? 4'd4 : left[1] ? 4'd2 : left",
        ),
    ),
    (
        "ARBITER",
        bug(
            "arbiter",
            "the second source waits as long as the first one wants",
            "second_valid & (!first_valid | first_was_last_q)",
            "second_valid & !first_valid",
        ),
    ),
    ("RESPONSE", bug("miss_table", "what arrives does not enter L1", "(|(from_memory & fills_l1))", "1'b0")),
    (
        "READY",
        bug(
            "miss_table",
            "the highest ready waiter goes first",
            "ready_q & (~ready_q + 4'd1)",
            "ready_q[3] ? 4'd8 : ready_q[2] ? 4'd4 : ready_q[1] ? 4'd2 : ready_q",
        ),
    ),
    (
        "PICK",
        bug(
            "pick_stage",
            "a place does not wait for those behind it whose turn it is",
            "goes_before_q[(j * 6) + i]",
            "1'b0",
        ),
    ),
    ("SHARED", bug("address_unit", "the CTA's window has no end", "outside | beyond", "outside")),
    (
        "CLUSTER",
        bug(
            "coalescer",
            "a remote line is that of global memory at the same address",
            "line_kind[25] = held_space == SPACE_SHARED_CLUSTER;",
            "1'b0",
        ),
    ),
    (
        "SERVE",
        bug("serve", "a request is not taken while `reply` is full", "serve_req_ready = !full;", "!full & !reply_full"),
    ),
    (
        "LOCAL",
        bug("address_unit", "the warps of all slots have one local memory", "({29'd0, held_warp} << 5)", "32'd0"),
    ),
    (
        "WINDOW",
        bug(
            "lane_address",
            "the window of constants shows the bank from its second line on",
            "in_const ? const_base : param_base",
            "in_const ? (const_base + 32'd64) : param_base",
        ),
    ),
    ("BANK", bug("same_blocks", "the lanes of a block go one by one", "|(first & same_block[i * 8 +: 8])", "1'b0")),
    (
        "BANK-ORDER",
        bug(
            "global_tag_stage",
            "a shared store does not wait for the loads before it",
            "is_shared_store_q & bank_holds",
            "1'b0",
        ),
    ),
    (
        "REPORT",
        bug(
            "pick_stage",
            "the record names all lanes",
            "{failed_record_address, failed, failed_record_cause, failed_record_tag}",
            "{failed_record_address, 8'hff, failed_record_cause, failed_record_tag}",
        ),
    ),
    ("SAME", bug("collector", "every pass goes to `emit` alone", "read_valid & read_is_same", "1'b0")),
    ("AHEAD", bug("census", "`collect` waits for no pass", "ahead = 1'b1;", "1'b0")),
    ("LAST", bug("census", "passes that wait are forgotten", "~waiter_holds", "4'd15")),
    (
        "EMIT",
        bug(
            "collector",
            "every register of a last read is marked last",
            "emit_last_q & is_last_index_q",
            "emit_last_q",
        ),
    ),
    (
        "ADVANCE",
        bug("lane_groups", "`group` takes nothing at the edge at which it moves", "!full_q | next_takes", "!full_q"),
    ),
    (
        "ENTRY-FREE",
        bug(
            "tag_stage",
            "a pass that needs no line asks for no empty miss entry",
            "!install & !replay_waits & miss_ready",
            "!install & !replay_waits & (miss_ready | !needs_line)",
        ),
    ),
    (
        "REGISTERS",
        bug(
            "intake",
            "a vector has the registers of one element",
            "{1'b0, element_registers} + {1'b0, vec}",
            "{1'b0, element_registers}",
        ),
    ),
    (
        "CONST",
        bug(
            "intake",
            "all bits of `cfg_param_offset` count",
            "req_displacement + ({22'd0, param_offset[15:4]} << 4)",
            "req_displacement + {18'd0, param_offset}",
        ),
    ),
    (
        "GROUP",
        bug("issue", "all lanes but the lowest lead first", "candidates[i] & !has_lower", "candidates[i] & has_lower"),
    ),
    (
        "LINE",
        bug(
            "tag_stage",
            "a pass beyond its bank needs its line",
            "((line_is_inside & held_has_group) | (line_is_last & (|(held_group & below_end))))",
            "1'b1",
        ),
    ),
    ("LOOK-UP", bug("constant_set", "a hit does not renew its way", "touch & touch_counts", "1'b0")),
    ("SHARE", bug("misses", "an entry that joins starts a fetch, too", "allocate & !joins", "allocate")),
    (
        "KILL",
        bug("misses", "a killed line is kept", "!(|sector_error) & !killed_q[response_fetch]", "!(|sector_error)"),
    ),
    (
        "FETCH",
        bug(
            "misses",
            "sector 0 is asked for again and again",
            "(read_queue_used_q & mem_req_ready)",
            "(read_queue_used_q & mem_req_ready & read_queue_sector_q)",
        ),
    ),
    (
        "INSTALL",
        bug(
            "misses",
            "a line is installed while `data` reads one that has just come",
            "!replay_valid & !data_is_replay",
            "!replay_valid",
        ),
    ),
    ("REPLAY", bug("tag_stage", "a pass leaves `tag` while an entry is ready", "!replay_waits", "1'b1")),
    ("BEAT", bug("data_stage", "`data` is free after the first beat", "sends & at_last_q", "sends")),
    (
        "WB-LAST",
        bug(
            "constant_cache",
            "the miss entries are forgotten",
            "(tag_holds & (tag_data_tag == data_tag)) | miss_holds_data_tag",
            "(tag_holds & (tag_data_tag == data_tag))",
        ),
    ),
];

/// The Verilog in which each rule can be broken.
pub struct Broken(Breakable);

impl Broken {
    /// Builds it.
    pub fn new() -> Self {
        let bugs: Vec<Bug> = BROKEN.iter().map(|(_, bug)| *bug).collect();
        Self(breakable(FPGA8, "", &bugs))
    }

    /// How the rule of `shown` is broken, and the first difference that its program then makes: a sentence of each for every bug.
    ///
    /// # Panics
    /// There is no bug against the rule, or the program does not notice.
    pub fn difference(&self, shown: &Shown) -> String {
        let rule = &shown.rule;
        let difference =
            |number| lockstep::run(&shown.program, &self.0.broken(number), &mut ()).expect("the engines run").failure;
        assert_eq!(difference(0), None, "{rule}: without a bug the selector changes nothing");
        let bugs = (1..).zip(BROKEN).filter(|(_, (name, _))| name == rule);
        let sentences = bugs.map(|(number, (_, Bug { what, module, .. }))| {
            let failure = difference(number);
            let failure = failure.unwrap_or_else(|| panic!("the program of {rule} does not notice: {what} ({module})"));
            format!("Broken on purpose: {what} (`{module}`). First difference of its program: `{failure}`.")
        });
        let sentences: Vec<String> = sentences.collect();
        assert!(!sentences.is_empty(), "no bug against {rule}: add one to broken.rs");
        sentences.join(" ")
    }
}
