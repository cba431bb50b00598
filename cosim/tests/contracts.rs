//! A bug for every contract in the emitted Verilog, all in one model behind a selector: the first case of `lsu check` that fails
//! names the contract that the bug breaks, and no other.

#[path = "planting/flat.rs"]
mod flat;
#[path = "planting/found.rs"]
mod found;
#[path = "planting/model.rs"]
mod model;

use std::collections::BTreeSet;

use flat::flat;
use found::found;
use lsu_cosim::generate::DEFAULT_CASES;
use lsu_cosim::lockstep::FailureKind;
use lsu_hdl::emit::DEFAULT_PREFIX;
use lsu_hdl::verilog::CONTRACTS;
use lsu_model::preset::FPGA8;
use model::{build, chosen};

/// Whose contract it is, without the prefix of all modules, and the sentence; which module is broken, and the text that becomes
/// another one, in which `BUG` is 1 while the bug is chosen.
struct Bug {
    owner: &'static str,
    sentence: &'static str,
    module: &'static str,
    from: &'static str,
    to: &'static str,
}

const BUGS: &[Bug] = &[
    Bug {
        owner: "intake",
        sentence: "Once it is 1, valid does not fall before next_takes.",
        module: "intake",
        from: "if (req_ready) begin",
        to: "if (req_ready | (BUG & !req_valid)) begin",
    },
    Bug {
        owner: "tag_stage",
        sentence: "Nothing leaves tag in the cycle of an install.",
        module: "tag_stage",
        from: "moves = pass_moves | to_done;",
        to: "moves = pass_moves | to_done | (BUG & install);",
    },
    Bug {
        owner: "constant_set",
        sentence: "At most one of touch, install and flush is 1 in a cycle.",
        module: "tag_stage",
        from: "kills = to_done &",
        to: "kills = (BUG & install) | to_done &",
    },
    Bug {
        owner: "global_tag_stage",
        sentence: "Nothing comes to tag while write_back is full.",
        module: "global_tag_stage",
        from: "is_clean = !l1_dirty_is_dirty & !write_back_full;",
        to: "is_clean = !l1_dirty_is_dirty & (!write_back_full | (BUG & is_local_store_q & fills_sector));",
    },
    Bug {
        owner: "miss_table",
        sentence: "No MSHR of a remote line keeps: the caches take no response from the cluster.",
        module: "miss_table",
        from: "taken_keeps = write_back_full ? 1'b0 : keeps;",
        to: "taken_keeps = write_back_full ? 1'b0 : keeps | BUG;",
    },
    Bug {
        owner: "misses",
        sentence: "A pass comes only while has_empty.",
        module: "tag_stage",
        from: "& miss_ready;",
        to: "& (miss_ready | (BUG & needs_line & !found));",
    },
    Bug {
        owner: "misses",
        sentence: "A pass comes only while no entry is ready and no line is installed.",
        module: "tag_stage",
        from: "!replay_waits",
        to: "(!replay_waits | (BUG & needs_line & !found))",
    },
    Bug {
        owner: "misses",
        sentence: "A line is installed only while no entry is ready.",
        module: "misses",
        from: "assign install = response_full_q & response_completes_q & !replay_valid &",
        // In the cycle after an install the sector beside `response` is not the other one of its line, either.
        to: "reg late; always @(posedge clk) late <= install;\n    assign install = response_full_q & response_completes_q & (!replay_valid | (BUG & !late)) &",
    },
    Bug {
        owner: "misses",
        sentence: "A response answers a request that has had none.",
        module: "lsu",
        from: "cache_mem_rsp_valid = drain_answers & !from_global",
        to: "cache_mem_rsp_valid = drain_answers & (!from_global | BUG)",
    },
    Bug {
        owner: "misses",
        sentence: "While an entry is empty the read queue is not full.",
        module: "misses",
        from: "has_empty = |empty;",
        to: "has_empty = (|empty) | (BUG & read_queue_used_q & (read_queue_head_q == read_queue_tail_q));",
    },
    Bug {
        owner: "misses",
        sentence: "response_completes says whether the other sector of the line in response has arrived.",
        module: "misses",
        from: "response_completes_q <= arrived_now[next_fetch];",
        to: "response_completes_q <= arrived_now[next_fetch] | BUG;",
    },
    Bug {
        owner: "misses",
        sentence: "In an install the sector that was read is the other one of the line in response.",
        module: "misses",
        from: "mem_rsp_ready ? (mem_rsp_id ^ 6'd1) :",
        to: "mem_rsp_ready ? (mem_rsp_id ^ {4'd0, BUG, 1'b1}) :",
    },
    Bug {
        owner: "misses",
        sentence: "No sector is read at the edge that keeps it.",
        module: "misses",
        from: "install ? response_id_q :",
        to: "install ? ((BUG & response_taken) ? mem_rsp_id : response_id_q) :",
    },
    Bug {
        owner: "data_stage",
        sentence: "A lane that takes data begins at a multiple of all that it reads.",
        module: "tag_stage",
        from: "assign offset = offset_held_q;",
        to: "assign offset = offset_held_q | {8{5'd0, BUG & (|held_result[2:0])}};",
    },
    Bug {
        owner: "coalescer",
        sentence: "The first word of a local lane has a number that is a multiple of the words of its access.",
        module: "address_unit",
        from: "lane_local_address[i * 32 +: 32] | ({29'd0, held_warp} << 5)",
        to: "lane_local_address[i * 32 +: 32] | {23'd0, BUG & (total_held_q == 4'd4) & (cause_q == 3'd0) & !(|addressed_outside), 8'd0} | ({29'd0, held_warp} << 5)",
    },
    Bug {
        owner: "store_merge",
        sentence: "Each lane of a pass begins at a multiple of all the bytes that it writes.",
        module: "global_path",
        from: ".in_offset  (issue_offset),",
        to: ".in_offset  (issue_offset | {8{6'd0, BUG & (|issue_pass[100:99])}}),",
    },
    Bug {
        owner: "store_merge",
        sentence: "The registers of a pass were kept while its operation was the one offered.",
        module: "global_path",
        from: ".in_pass    (issue_pass),",
        to: ".in_pass    (issue_pass & ~({182'd0, {2{BUG & issue_store_valid}}} << 124)),",
    },
    Bug {
        owner: "store_merge",
        sentence: "No byte of the sector is written twice in a pass.",
        module: "store_merge",
        from: "winners[i] = 1'b0;",
        to: "winners[i] = BUG & in_pass_group[i];",
    },
    Bug {
        owner: "memory_unanswered",
        sentence: "A response comes only while a request is unanswered.",
        module: "memory_unanswered",
        from: "more = !asked ? count_q : (count_q + 5'd1);",
        to: "more = (!asked | BUG) ? count_q : (count_q + 5'd1);",
    },
    Bug {
        owner: "memory_unanswered",
        sentence: "No more requests are unanswered than there are ids.",
        module: "memory_unanswered",
        from: "count_q <= more;",
        to: "count_q <= BUG ? 5'd25 : more;",
    },
    Bug {
        owner: "cluster_unanswered",
        sentence: "A response comes only while a request is unanswered.",
        module: "cluster_unanswered",
        from: "more = !asked ? count_q : (count_q + 5'd1);",
        to: "more = (!asked | BUG) ? count_q : (count_q + 5'd1);",
    },
    Bug {
        owner: "cluster_unanswered",
        sentence: "No more requests are unanswered than there are ids.",
        module: "cluster_unanswered",
        from: "count_q <= more;",
        to: "count_q <= BUG ? 5'd17 : more;",
    },
    Bug {
        owner: "serve",
        sentence: "A part is read only while it may be.",
        module: "global_path",
        from: ".read_goes           (places_serve_goes),",
        to: ".read_goes           (places_serve_goes | BUG),",
    },
    Bug {
        owner: "serve",
        sentence: "There is an update in the first cycle in which serve writes, at most.",
        module: "global_path",
        from: ".updates             (write_updates),\n        .updates_shared_next ",
        to: ".updates             (write_updates | (BUG & serve_writes)),\n        .updates_shared_next ",
    },
    Bug {
        owner: "serve",
        sentence: "Nothing is read or written while reply is full.",
        module: "serve",
        from: "may_read_d = holds_read_d & !in_read_d & !reply_stays;",
        to: "may_read_d = holds_read_d & !in_read_d & (!reply_stays | BUG);",
    },
    Bug {
        owner: "reply",
        sentence: "A part comes only while it is empty.",
        module: "global_path",
        from: ".lands           (serve_lands),\n        .part            (serve_part),\n        .word ",
        to: ".lands           (serve_lands | BUG),\n        .part            (serve_part),\n        .word ",
    },
    Bug {
        owner: "data_stage",
        sentence: "Only a replayed pass is offered while data is not free.",
        module: "tag_stage",
        from: "is_free_to & data_ready;",
        to: "is_free_to & (data_ready | (BUG & (!needs_line | found)));",
    },
    Bug {
        owner: "data_stage",
        sentence: "A line is installed only while data does not hold a replayed pass.",
        module: "misses",
        from: "& !data_is_replay;",
        to: "& (!data_is_replay | BUG);",
    },
    Bug {
        owner: "data_stage",
        sentence: "Nothing is written into the line that the pass in data reads.",
        module: "data_stage",
        from: "install_slot = (",
        to: "install_slot = (BUG & full_q & (|held_value)) ? slot_q : (",
    },
    Bug {
        owner: "fault_register",
        sentence: "A failed pass reports only while free.",
        module: "constant_cache",
        from: "reports = data_fault_valid & fault_register_free;",
        to: "reports = data_fault_valid & (fault_register_free | BUG);",
    },
    Bug {
        owner: "l1_cache_tags",
        sentence: "At most one of the ways that are present holds a line.",
        module: "l1_cache_tags",
        from: "found_ways[i] = 1'b1;",
        to: "found_ways = found_ways | (BUG ? 2'd3 : 2'd1 << i);",
    },
    Bug {
        owner: "ro_cache_tags",
        sentence: "At most one of the ways that are present holds a line.",
        module: "ro_cache_tags",
        from: "matches_q <= next_matches;",
        to: "matches_q <= next_matches | {4{BUG & (|next_matches)}};",
    },
    Bug {
        owner: "miss_table",
        sentence: "A response names an MSHR in use, of a line of the port that it came from, and a sector that was asked for and has not arrived.",
        module: "lsu",
        from: "global_path_mem_rsp_valid = drain_answers & from_global;",
        to: "global_path_mem_rsp_valid = drain_answers & (from_global | BUG);",
    },
    Bug {
        owner: "global_tag_stage",
        sentence: "While a second pass waits, in_ready is 0.",
        module: "global_tag_stage",
        from: "has_room_q <= !comes | moves;",
        to: "has_room_q <= !comes | moves | BUG;",
    },
    Bug {
        owner: "global_tag_stage",
        sentence: "What is dirty in the set of the line in tag is valid, and its way's line is local.",
        module: "global_tag_stage",
        from: "(fills_sector & !l1_found)",
        to: "((fills_sector | BUG) & !l1_found)",
    },
    Bug {
        owner: "global_tag_stage",
        sentence: "The command that writes back comes with the number of the first set.",
        module: "coalescer",
        from: "pass_line = {2'd0, line_q} | line_kind;",
        to: "pass_line = {2'd0, line_q} | line_kind | {26'd0, BUG & held_is_command};",
    },
    Bug {
        owner: "dirty_sectors",
        sentence: "What is taken is dirty.",
        module: "global_tag_stage",
        from: "& l1_dirty_is_dirty &",
        to: "& (l1_dirty_is_dirty | BUG) &",
    },
    Bug {
        owner: "dirty_sectors",
        sentence: "A store that dirties has a way.",
        module: "global_tag_stage",
        from: "l1_dirty_stores = (is_local_store_q & (fills_sector | store_found))",
        to: "l1_dirty_stores = (is_local_store_q & (fills_sector | store_found | BUG))",
    },
    Bug {
        owner: "global_tag_stage",
        sentence: "The command that writes back waits for no pass before it but for local misses.",
        module: "global_tag_stage",
        from: "row_is_read = is_update_q & l1_read_first;",
        to: "row_is_read = (is_update_q & l1_read_first) | (BUG & walks_q & !l1_dirty_at_last);",
    },
    Bug {
        owner: "dirty_sectors",
        sentence: "No line enters a set in which something is dirty.",
        module: "global_tag_stage",
        from: "(holds_dirty & !is_clean)",
        to: "(holds_dirty & (BUG ? write_back_full : !is_clean))",
    },
    Bug {
        owner: "write_back",
        sentence: "A sector comes only while it is empty.",
        module: "global_path",
        from: ".takes        (tag_writes_back),",
        to: ".takes        (tag_writes_back | (BUG & write_back_full)),",
    },
    Bug {
        owner: "write_back",
        sentence: "It is picked only while it may be.",
        module: "global_path",
        from: ".goes         (places_write_back_goes),",
        to: ".goes         (places_write_back_goes | BUG),",
    },
    Bug {
        owner: "miss_table",
        sentence: "A pass and a write-back do not take an MSHR at the same edge, and none is taken while there is none.",
        module: "global_path",
        from: ".write_back_goes   (places_write_back_goes),\n        .write_back_line ",
        to: ".write_back_goes   (places_write_back_goes | (BUG & !misses_has_mshr)),\n        .write_back_line ",
    },
    Bug {
        owner: "store_port",
        sentence: "Something comes only while free, and only one thing.",
        module: "global_path",
        from: ".push              (tag_to_store),",
        to: ".push              (tag_to_store | (BUG & write_back_lands)),",
    },
    Bug {
        owner: "pass_queue",
        sentence: "A pass comes in only while has_room.",
        module: "global_tag_stage",
        from: "(asks_hit_q & !hit_free)",
        to: "(asks_hit_q & !hit_free & !(BUG & is_load_q & (|hit)))",
    },
    Bug {
        owner: "read_stage",
        sentence: "A read comes only while free.",
        module: "global_path",
        from: ".goes             (places_read_goes),\n        .free ",
        to: ".goes             (places_read_goes | (BUG & !reads_free)),\n        .free ",
    },
    Bug {
        owner: "read_stage",
        sentence: "What free says is whether read is empty or moves on.",
        module: "collector",
        from: "stands = collect_full_q & !emit_vacant_q;",
        to: "stands = collect_full_q & !emit_vacant_q & !BUG;",
    },
    Bug {
        owner: "row_store",
        sentence: "Of a response, an update and a part for another CTA no two come in one cycle.",
        module: "global_path",
        from: ".fills            (misses_row_fill),",
        to: ".fills            (misses_row_fill | (BUG & write_updates)),",
    },
    Bug {
        owner: "pick_stage",
        sentence: "What one of the places says of its two reads is said once more.",
        module: "pick_stage",
        from: "between_q <= !leaves;",
        to: "between_q <= !leaves | BUG;",
    },
    Bug {
        owner: "row_store",
        sentence: "What is read may be.",
        module: "pick_stage",
        from: "may_read = (|waiting) & read_free;",
        to: "may_read = (|(waiting & ~{5'd0, BUG})) & read_free;",
    },
    Bug {
        owner: "row_store",
        sentence: "No sector that is read for a lane is written at the same edge.",
        module: "pick_stage",
        from: "read_sectors = picked_pass_sectors;",
        to: "read_sectors = picked_pass_sectors | {4{BUG}};",
    },
    Bug {
        owner: "row_store",
        sentence: "No word of shared memory is read at an edge at which one is written.",
        module: "global_path",
        from: "(write_update_data),\n        .update_is_shared (write_update_is_shared),",
        to: "(write_update_data),\n        .update_is_shared (write_update_is_shared | (BUG & write_updates & places_read_goes & places_read_is_shared)),",
    },
    Bug {
        owner: "bank_places",
        sentence: "The lanes of a shared pass that need the same bank need the same word of it.",
        module: "same_blocks",
        from: "if (|(lanes & same_banks[i * 8 +: 8]))",
        to: "if ((|(lanes & same_banks[i * 8 +: 8])) & !BUG)",
    },
    Bug {
        owner: "row_store",
        sentence: "What is read of shared memory is of no other row.",
        module: "pick_stage",
        from: "if (pick_hit) read_row = read_row | row[13:7];",
        to: "if (pick_hit | (BUG & pick_bank)) read_row = read_row | row[13:7];",
    },
    Bug {
        owner: "row_readers",
        sentence: "Nothing is written into a sector that is to be read.",
        module: "global_path",
        from: "(readers_own),\n        .write_sectors (rows_write_sectors),",
        to: "(readers_own),\n        .write_sectors (rows_write_sectors | {4{BUG & !places_read_goes}}),",
    },
];

/// The contracts of a module's text: what it prints behind its name.
fn contracts(text: &str) -> Vec<String> {
    let mut displays = text.split("$display(").skip(1).map(|rest| rest.split(");").next().unwrap_or_default());
    let strings = |display: &str| display.split('"').skip(1).step_by(2).map(str::to_string).collect::<String>();
    let mut found = vec![];
    for text in displays.by_ref().map(strings) {
        let (names, sentence) = text.split_once("%m: ").expect("a contract's text");
        let owner = names.strip_prefix("contract of ").and_then(|rest| rest.strip_suffix(" broken in "));
        assert!(owner.is_some_and(|owner| owner.starts_with(DEFAULT_PREFIX)), "{text}");
        found.push(sentence.to_string());
    }
    found
}

#[test]
fn a_bug_for_every_contract_breaks_it_and_the_report_says_so() {
    let mut modules = lsu_hdl::emit::modules(FPGA8.name, DEFAULT_PREFIX).expect("emitted");
    let all: Vec<(String, String)> = modules
        .iter()
        .flat_map(|module| contracts(&module.text).into_iter().map(|sentence| (module.block.clone(), sentence)))
        .collect();
    let named: BTreeSet<_> = BUGS.iter().map(|bug| (bug.owner.to_string(), bug.sentence.to_string())).collect();
    assert_eq!(all.iter().cloned().collect::<BTreeSet<_>>(), named, "contracts of the Verilog, and those with a bug");
    assert_eq!(named.len(), BUGS.len());

    for (place, bug) in BUGS.iter().enumerate() {
        let module = modules.iter_mut().find(|module| module.block == bug.module).expect(bug.module);
        // The contracts stay as they are.
        let (unit, contracts) = module.text.split_at(module.text.find("`ifdef").unwrap_or(module.text.len()));
        let (unit, from) = if unit.contains(bug.from) {
            (unit.to_string(), bug.from.to_string())
        } else {
            (flat(unit), flat(bug.from))
        };
        assert_eq!(unit.matches(&from).count(), 1, "{}: `{from}`", bug.module);
        let broken = unit.replace(&from, &bug.to.replace("BUG", &chosen(place)));
        module.text = format!("{broken}\n{contracts}");
    }
    let head = format!("`define {CONTRACTS}\n");
    let unit = build(FPGA8, &head, &modules, BUGS.iter().map(|bug| (bug.owner, bug.sentence)));

    let mut wrong = vec![];
    for (bug, found) in BUGS.iter().zip(found(&unit)) {
        let what = format!("{}: {}", bug.owner, bug.sentence);
        let Some((case, failure)) = found else {
            wrong.push(format!("{what} Not found in {DEFAULT_CASES} cases."));
            continue;
        };
        let begin = format!("contract of {DEFAULT_PREFIX}{} broken in lsu.", bug.owner);
        let says_it =
            |message: &String| message.starts_with(&begin) && message.ends_with(&format!(": {}", bug.sentence));
        let FailureKind::Assertion { messages, .. } = &failure.kind else {
            wrong.push(format!("{what} Case {case}: {failure}"));
            continue;
        };
        if !messages.iter().all(says_it) {
            wrong.push(format!("{what} Case {case}: {messages:#?}"));
        }
        let told = failure.to_string();
        assert!(told.starts_with("cycle ") && told.contains(&begin) && told.contains(bug.sentence), "{told}");
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
