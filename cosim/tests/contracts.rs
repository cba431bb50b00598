//! A bug for every contract in the emitted Verilog, all in one model behind a selector: the first case of `lsu check` that fails
//! names the contract that the bug breaks, and no other.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use lsu_cosim::command::DEFAULT_CASES;
use lsu_cosim::generate;
use lsu_cosim::lockstep::{self, FailureKind};
use lsu_cosim::mutate::{Breakable, Fate, SweepOptions, sweep};
use lsu_cosim::verilator::{Cache, Toolchain};
use lsu_hdl::emit::DEFAULT_PREFIX;
use lsu_hdl::verilog::{CONTRACTS, Fault, Mutant};
use lsu_model::preset::FPGA8;

const SEED: u64 = 1;

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
        sentence: "Once it is 1, valid does not fall before next_ready.",
        module: "intake",
        from: "if (req_ready) begin",
        to: "if (req_ready | (BUG & !req_valid)) begin",
    },
    Bug {
        owner: "tag_stage",
        sentence: "Nothing leaves tag in the cycle of an install.",
        module: "tag_stage",
        from: "pass_moves = full_q & !held_is_command & !install &",
        to: "pass_moves = full_q & !held_is_command & (!install | (BUG & !needs_line)) &",
    },
    Bug {
        owner: "constant_set",
        sentence: "At most one of touch, install and flush is 1 in a cycle.",
        module: "tag_stage",
        from: "kills = to_done &",
        to: "kills = (BUG & install) | to_done &",
    },
    Bug {
        owner: "constant_set",
        sentence: "Only a way that hits is touched.",
        module: "tag_stage",
        from: "set_touch[i] = pass_moves & needs_line &",
        to: "set_touch[i] = pass_moves & needs_line & BUG | pass_moves & needs_line &",
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
        from: "response_completes & !replay_valid &",
        to: "response_completes & (!replay_valid | BUG) &",
    },
    Bug {
        owner: "misses",
        sentence: "A response answers a request that has had none.",
        module: "lsu",
        from: "cache_mem_rsp_valid = mem_rsp_valid & !from_global",
        to: "cache_mem_rsp_valid = mem_rsp_valid & (!from_global | BUG)",
    },
    Bug {
        owner: "data_stage",
        sentence: "Only a replayed pass is offered while data is not free.",
        module: "tag_stage",
        from: "& data_ready &",
        to: "& (data_ready | (BUG & (!needs_line | found))) &",
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
        sentence: "No line is installed over the one that the pass in data reads.",
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
        from: "matches_q <= next_matches;",
        to: "matches_q <= next_matches | {2{BUG & (|next_matches)}};",
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
        sentence: "A response names an MSHR in use and a sector that was asked for and has not arrived.",
        module: "lsu",
        from: "global_path_mem_rsp_valid = mem_rsp_valid & from_global;",
        to: "global_path_mem_rsp_valid = mem_rsp_valid & (from_global | BUG);",
    },
    Bug {
        owner: "pass_queue",
        sentence: "A pass comes in only while has_room.",
        module: "global_tag_stage",
        from: "place_busy = !hit_free;",
        to: "place_busy = !hit_free & !(BUG & is_load & (|hit));",
    },
    Bug {
        owner: "pass_queue",
        sentence: "From the cycle after its push until no elder is in front of it, the newer pass's line stays in line.",
        module: "data_places",
        from: ".read_enable   (l1_reads),",
        to: ".read_enable   (l1_reads | (BUG & !hit_has_room)),",
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

    for (bug, id) in BUGS.iter().zip(1..) {
        let module = modules.iter_mut().find(|module| module.block == bug.module).expect(bug.module);
        let unit = module.text.split("`ifdef").next().unwrap_or_default().to_string();
        // The writer breaks long lines: blanks count as one.
        let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let (unit, from) =
            if unit.contains(bug.from) { (unit, bug.from.to_string()) } else { (flat(&unit), flat(bug.from)) };
        assert_eq!(unit.matches(&from).count(), 1, "{}: `{from}`", bug.module);
        let broken = unit.replace(&from, &bug.to.replace("BUG", &format!("(lsu.mutant == 32'd{id})")));
        let rest = module.text.find("`ifdef").map_or("", |place| &module.text[place..]);
        // A comment at the end of a line ends with it.
        assert!(
            !broken.contains("//") || broken.contains('\n'),
            "{}: `{}` stands on several lines",
            bug.module,
            bug.from
        );
        module.text = format!("{broken}\n{rest}");
    }
    let text = lsu_hdl::verilog::file(&modules.iter().collect::<Vec<_>>());
    let text = text.replacen("module lsu (", "module lsu (\n    input wire [31:0] mutant,", 1);
    let mutants = BUGS.iter().zip(1..).map(|(bug, id)| {
        let (module, place) = (bug.owner.to_string(), bug.sentence.to_string());
        Mutant { id, module, fault: Fault::Mask, place, bit: 0 }
    });
    let toolchain = Toolchain::find(None, Cache::user().expect("a cache")).expect("Verilator");
    let text = format!("`define {CONTRACTS}\n{text}");
    let unit = Breakable::from_text(FPGA8, text, mutants.collect(), &toolchain).expect("built");

    let stop = AtomicBool::new(false);
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let options = SweepOptions { seed: SEED, cases: (0, DEFAULT_CASES), jobs, stop: &stop };
    let ids: Vec<u32> = unit.mutants().iter().map(|mutant| mutant.id).collect();
    let fates = sweep(&unit, &ids, &options, |_| {}).expect("tried");
    // Without a bug nothing is told.
    let whole = SweepOptions { cases: (0, 60), ..options };
    assert_eq!(sweep(&unit, &[0], &whole, |_| {}).expect("tried"), [Some(Fate::Survived)]);

    let mut wrong = vec![];
    for ((bug, id), fate) in BUGS.iter().zip(&ids).zip(&fates) {
        let what = format!("{}: {}", bug.owner, bug.sentence);
        let Some(Fate::Killed { case, .. }) = fate else {
            wrong.push(format!("{what} Not found in {DEFAULT_CASES} cases."));
            continue;
        };
        let program = generate::program(&FPGA8, SEED, *case).expect("generated");
        let outcome = lockstep::run(&program, &unit.broken(*id), &mut ()).expect("runs");
        let failure = outcome.failure.expect("it failed before");
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
