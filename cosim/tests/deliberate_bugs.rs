//! Bugs planted in the emitted Verilog, all in one model behind a selector: the default budget of `lsu check` finds every one.
//!
//! `LSU_ACCEPT_DOCS=1 cargo test --release -p lsu-cosim --test deliberate_bugs` writes the table of
//! `cosim/docs/deliberate_bugs.md` anew.

#[path = "planting/bugs.rs"]
mod bugs;
#[path = "planting/found.rs"]
mod found;
mod planting;

use std::fmt::Write as _;
use std::path::Path;

use bugs::BUGS;
use found::found;
use lsu_cosim::generate::DEFAULT_CASES;
use lsu_hdl::verilog::CONTRACTS;
use lsu_model::preset::{FPGA8, TINY4};
use planting::{Bug, breakable};

const BEGIN: &str = "<!-- planted bugs -->\n";
const END: &str = "<!-- end of planted bugs -->\n";

/// Bugs that only programs meet in which two warps set out together, or memory stalls. In `tiny4`, whose queues and MSHRs hold the least,
/// that is other programs than in `fpga8`. That a way is not pinned only a contract sees there.
const TOGETHER: [&str; 3] = [
    "an MSHR that is joined as L1 is emptied stays (KEEP-LOST)",
    "a way that is taken as L1 is emptied is not pinned (PINNED)",
    "a failed store is not undone as another one leaves `tag` (RESPONSE)",
];

#[test]
fn what_has_to_meet_does_so_in_the_smallest_preset() {
    // Both caches have the same numbers there, and so one module.
    let tags = |module: &'static str| if module.ends_with("cache_tags") { "cache_tags" } else { module };
    let bugs = BUGS.iter().filter(|bug| TOGETHER.contains(&bug.what));
    let bugs: Vec<Bug> = bugs.map(|bug| Bug { module: tags(bug.module), ..*bug }).collect();
    assert_eq!(bugs.len(), TOGETHER.len());
    let head = format!("`define {CONTRACTS}\n");
    for (bug, found) in bugs.iter().zip(found(&breakable(TINY4, &head, &bugs))) {
        assert!(found.is_some(), "not found in {DEFAULT_CASES} cases: {}", bug.what);
    }
}

#[test]
fn every_planted_bug_is_found_and_the_page_says_where() {
    let unit = breakable(FPGA8, "", BUGS);
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
