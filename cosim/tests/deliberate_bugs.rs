//! Bugs planted in the emitted Verilog, all in one model behind a selector: the default budget of `lsu check` finds every one, in the case that
//! `cosim/docs/deliberate_bugs.md` names.
//!
//! `LSU_ACCEPT_DOCS=1 cargo test --release -p lsu-cosim --test deliberate_bugs` looks for the first case of each and writes the page's table
//! anew, in ten times the time.

#[path = "planting/bugs.rs"]
mod bugs;
#[path = "planting/found.rs"]
mod found;
mod planting;

use std::fmt::Write as _;
use std::path::Path;

use bugs::BUGS;
use found::{fails_in, found};
use lsu_cosim::generate::DEFAULT_CASES;
use lsu_cosim::lockstep::Failure;
use lsu_cosim::mutate::Breakable;
use lsu_hdl::verilog::CONTRACTS;
use lsu_model::preset::{FPGA8, TINY4};
use planting::{Bug, breakable};

const BEGIN: &str = "<!-- planted bugs -->\n";
const END: &str = "<!-- end of planted bugs -->\n";
const HEADING: &str = "| block and bug | case | first difference |\n|---|---|---|\n";

/// Bugs that only programs meet in which two warps set out together, or memory stalls. In `tiny4`, whose queues and MSHRs hold the least,
/// that is other programs than in `fpga8`: here, the cases that were meant for them. That a way is not pinned only a contract sees there.
const TOGETHER: [(&str, u64); 3] = [
    ("an MSHR that is joined as L1 is emptied stays (KEEP-LOST)", 1_663),
    ("a way that is taken as L1 is emptied is not pinned (PINNED)", 1_664),
    ("a failed store is not undone as another one leaves `tag` (RESPONSE)", 1_666),
];

/// How the unit fails in `case` because of its bug `place`, and of that alone.
fn because_of(unit: &Breakable, place: usize, case: u64) -> Option<Failure> {
    assert!(case < DEFAULT_CASES, "case {case} is none of the default's");
    assert_eq!(fails_in(unit, 0, case), None, "case {case} fails without a bug");
    fails_in(unit, unit.mutants()[place].id, case)
}

fn row(bug: &Bug, case: u64, failure: &Failure) -> String {
    format!("| {}: {} | {case} | `{failure}` |\n", bug.module, bug.what)
}

/// The case that a line of the table names.
fn case_of(line: &str) -> u64 {
    let cell = line.rsplit(" | ").nth(1).expect("three cells");
    cell.parse().expect("a case")
}

#[test]
fn what_has_to_meet_does_so_in_the_smallest_preset() {
    // Both caches have the same numbers there, and so one module.
    let tags = |module: &'static str| if module.ends_with("cache_tags") { "cache_tags" } else { module };
    let bugs = TOGETHER.map(|(what, _)| BUGS.iter().find(|bug| bug.what == what).expect("one of the bugs"));
    let bugs = bugs.map(|bug| Bug { module: tags(bug.module), ..*bug });
    let unit = breakable(TINY4, &format!("`define {CONTRACTS}\n"), &bugs);
    for (place, (what, case)) in TOGETHER.into_iter().enumerate() {
        assert!(because_of(&unit, place, case).is_some(), "not found in case {case}: {what}");
    }
}

#[test]
fn every_planted_bug_is_found_and_the_page_says_where() {
    let unit = breakable(FPGA8, "", BUGS);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/deliberate_bugs.md");
    let page = std::fs::read_to_string(&path).expect("the page");
    let (before, rest) = page.split_once(BEGIN).expect("the table's beginning");
    let (kept, after) = rest.split_once(END).expect("the table's end");
    if std::env::var_os("LSU_ACCEPT_DOCS").is_some() {
        let mut table = String::from(HEADING);
        for (bug, found) in BUGS.iter().zip(found(&unit)) {
            let (case, failure) = found.unwrap_or_else(|| panic!("not found in {DEFAULT_CASES} cases: {}", bug.what));
            table += &row(bug, case, &failure);
        }
        std::fs::write(&path, format!("{before}{BEGIN}{table}{END}{after}")).expect("the page can be written");
        return;
    }
    let rows: Vec<&str> = kept.strip_prefix(HEADING).expect("the table's heading").lines().collect();
    assert_eq!(rows.len(), BUGS.len(), "a line for each bug; write them with LSU_ACCEPT_DOCS=1");
    let mut wrong = String::new();
    for (place, (bug, &line)) in BUGS.iter().zip(&rows).enumerate() {
        let case = case_of(line);
        let said = because_of(&unit, place, case).map(|failure| row(bug, case, &failure));
        if said.as_deref().map(str::trim_end) != Some(line) {
            writeln!(wrong, "{line}\nis now: {}", said.as_deref().unwrap_or("not found in that case")).expect("text");
        }
    }
    assert!(wrong.is_empty(), "the table is out of date; accept with LSU_ACCEPT_DOCS=1\n{wrong}");
}
