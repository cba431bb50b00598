//! Each rule has one name: on its page, at the code of the description and of the golden model, and in a program that shows it.
//! `hdl/docs/rules.md` is written from there: the places of each rule, and its program's run, cycle by cycle.
//!
//! `LSU_ACCEPT_DOCS=1 cargo test --release --test contract` accepts a change.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use lsu_cosim::engine::EngineKind;
use lsu_model::preset::FPGA8;

use crate::broken::Broken;
use crate::harness::engines;
use crate::page::{PAGES, Page, read, root};
use crate::picture::{svg, wavedrom};
use crate::trace::{self, Shown};

/// The page that is written here.
const RULES: &str = "hdl/docs/rules.md";
/// The folder of its pictures.
const PICTURES: &str = "hdl/docs/rules";

/// Characters in a line of the page.
const WIDTH: usize = 160;

/// What the page begins with.
const HEAD: &str = "\
# Rules of the timing contract, shown

Each rule of the pages [global path](global_path.md) and [constant cache](constant_cache.md) has a name. It stands under this name on its page, at the code of
the description and of the golden model, and in a program whose run is shown here, and which notices when the rule is broken in the description. What LDC
computes has its [own rules](ldc_rules.md). Which sentences of NVIDIA's pages the rules hold, [another page](sources.md) says. This page is written by a test,
which also fails when a rule loses one of its places:

```sh
cargo test --release --workspace --test contract                    # compares
LSU_ACCEPT_DOCS=1 cargo test --release --workspace --test contract  # writes this page and its pictures
cargo run --release -- run cosim/programs/global/rules/join.toml    # runs one of the programs on RTL and model
```

A row is a place, a column a cycle, as in the waves of the golden model (`model.places`). The programs run on preset `fpga8`, with a memory side that answers
after 4 cycles (DRAIN: 12). Cycle 0 is the one in which the first operation shown is accepted. That one is `a`, the next one `b`, and so on.

* Two letters in a queue of two are the elder and the one behind it; in `mshr` they are those that wait for it (`a+`: `a` and at least two more).
* `*` is an update; a number in `read_queue` is its length.
* At a port stands what is transferred in the cycle; `!` marks `wb_last`.
* At `mem_req` and `mem_rsp`, and in `response`, this is the number of the MSHR (of the miss entry) and the sector: `02` is sector 2 of MSHR 0. So it is at
  `cluster_req` and `cluster_rsp`, and in `answer`; at `serve_req` and `serve_rsp`, and in `serve` and `reply`, of the unit that asks.
* The cycle of a first difference counts from the reset, as in every report.

";

/// All files below `folder` that end in `.rs`, by their paths from the root.
pub fn files(folder: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("a file").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).expect("text");
                let name = path.strip_prefix(root()).expect("below the root").to_string_lossy().into_owned();
                found.insert(name, text);
            }
        }
    }
    found
}

/// The rules that a text quotes in its comments: names in capitals behind the word *Rule* or *Rules*.
fn quoted(text: &str) -> BTreeSet<String> {
    let comments = text.lines().filter_map(|line| Some(line.split_once("//")?.1));
    let lists = comments.flat_map(|line| {
        let behind = line.split("Rule ").skip(1).chain(line.split("Rules ").skip(1));
        behind.map(str::to_owned).collect::<Vec<_>>()
    });
    lists
        .flat_map(|list| {
            let names = list.split(", ").map(|name| {
                let end =
                    name.find(|letter: char| !letter.is_ascii_uppercase() && letter != '-' && !letter.is_ascii_digit());
                (name[..end.unwrap_or(name.len())].to_owned(), end.is_some())
            });
            let mut names_of_list = Vec::new();
            for (name, is_last) in names {
                names_of_list.push(name);
                if is_last {
                    break;
                }
            }
            names_of_list
        })
        .filter(|name| name.len() > 1 && !name.starts_with("LDC-"))
        .collect()
}

/// Where each rule is quoted in a folder.
pub fn places(folder: &str) -> BTreeMap<String, Vec<String>> {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (path, text) in files(folder) {
        for rule in quoted(&text) {
            places.entry(rule).or_default().push(path.clone());
        }
    }
    places
}

/// The programs of a page, in the order of its rules.
fn programs(page: &Page) -> Vec<(String, Shown)> {
    let file = |rule: &String| format!("{}/{}.toml", page.programs, rule.to_lowercase());
    page.rules().iter().map(|rule| (file(rule), Shown::read(&root().join(file(rule)), page.wave))).collect()
}

/// A link to a file, from the page.
pub fn link(path: &str) -> String {
    let name = Path::new(path).file_name().expect("a file").to_string_lossy();
    match path.strip_prefix("hdl/") {
        Some(path) => format!("[`{name}`](../{path})"),
        None => format!("[`{name}`](../../{path})"),
    }
}

/// `text` in lines of the page's width.
pub fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() + 1 + word.chars().count() <= WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

/// A file that is written here: what it should hold.
struct Written {
    path: String,
    text: String,
}

/// The page and its pictures.
fn page() -> Vec<Written> {
    let (description, model) = (places("hdl/src"), places("model/src"));
    let both = engines(FPGA8, &[EngineKind::Model, EngineKind::Verilator]);
    let alone = engines(FPGA8, &[EngineKind::Model]);
    let broken = Broken::new();
    let mut text = HEAD.to_owned();
    let mut pictures = Vec::new();
    let mut sections = String::new();
    let links = |places: &BTreeMap<String, Vec<String>>, rule: &str| {
        places.get(rule).into_iter().flatten().map(|path| link(path)).collect::<Vec<_>>().join(", ")
    };
    for page in &PAGES {
        let name = Path::new(page.path).file_name().expect("a file").to_string_lossy();
        writeln!(text, "| rule of [{name}]({name}) | description | golden model | program |\n|---|---|---|---|")
            .expect("text");
        for (file, shown) in programs(page) {
            let rule = &shown.rule;
            let anchor = rule.to_lowercase();
            let (description, model) = (links(&description, rule), links(&model, rule));
            writeln!(text, "| [{rule}](#{anchor}) | {description} | {model} | {} |", link(&file)).expect("text");
            let rows = trace::run(&shown, &both, &alone);
            let says = wrapped(&format!("[The rule]({name}#{anchor}). {}", shown.text.join(" ")));
            writeln!(sections, "## {rule}\n{says}\n").expect("text");
            writeln!(sections, "```text\n{}\n```\n", trace::text(&rows)).expect("text");
            writeln!(sections, "{}\n", wrapped(&broken.difference(&shown))).expect("text");
            if shown.is_drawn {
                let drawn = format!("{PICTURES}/{anchor}");
                writeln!(sections, "![{rule}](rules/{anchor}.svg) ([WaveDrom](rules/{anchor}.json))\n").expect("text");
                pictures.push(Written { path: format!("{drawn}.svg"), text: svg(rule, &rows) });
                pictures.push(Written { path: format!("{drawn}.json"), text: wavedrom(rule, &rows) });
            }
        }
        text.push('\n');
    }
    text.push_str(sections.trim_end());
    text.push('\n');
    pictures.push(Written { path: RULES.to_owned(), text });
    pictures
}

#[test]
fn every_rule_stands_on_its_page_in_the_description_in_the_model_and_in_a_program() {
    let mut wrong = Vec::new();
    let mut known = BTreeSet::new();
    let code = [("hdl/src", places("hdl/src")), ("model/src", places("model/src"))];
    for page in &PAGES {
        for rule in page.rules() {
            for (folder, places) in &code {
                if !places.contains_key(&rule) {
                    wrong.push(format!(
                        "{rule} ({}) is quoted nowhere in {folder}: write `Rule {rule}` at its code",
                        page.path
                    ));
                }
            }
            let path = format!("{}/{}.toml", page.programs, rule.to_lowercase());
            let text = std::fs::read_to_string(root().join(&path)).unwrap_or_default();
            if !text.starts_with(&format!("# {rule}: ")) {
                wrong.push(format!("{path} does not begin with `# {rule}: `"));
            }
            if !known.insert(rule.clone()) {
                wrong.push(format!("two rules are called {rule}"));
            }
        }
        for file in std::fs::read_dir(root().join(page.programs)).expect("a folder") {
            let name = file.expect("a file").file_name().to_string_lossy().to_uppercase();
            if !page.rules().iter().any(|rule| format!("{rule}.TOML") == name) {
                wrong.push(format!("{}/{} shows no rule of {}", page.programs, name.to_lowercase(), page.path));
            }
        }
    }
    for (folder, places) in &code {
        for (rule, files) in places.iter().filter(|(rule, _)| !known.contains(*rule)) {
            wrong.push(format!("{files:?} of {folder} quote a rule {rule} that is on no page"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_rule_of_ldc_stands_in_the_description_in_the_model_and_in_a_program() {
    let page = read("hdl/docs/ldc_rules.md");
    let rules: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("| LDC-")?.split(" |").next()).collect();
    assert!(!rules.is_empty());
    let code = [("hdl/src", files("hdl/src")), ("model/src/golden", files("model/src/golden"))];
    let mut wrong = Vec::new();
    for rule in rules {
        let names = |text: &str| {
            let behind = text.split("LDC-").skip(1);
            behind.map(|text| text.split(|letter: char| !letter.is_ascii_digit()).next()).any(|name| name == Some(rule))
        };
        let missing = code.iter().filter(|(_, files)| !files.values().any(|text| names(text)));
        wrong.extend(missing.map(|(folder, _)| format!("LDC-{rule} is quoted nowhere in {folder}")));
        if !root().join(format!("cosim/programs/rules/ldc-{rule}.toml")).exists() {
            wrong.push(format!("LDC-{rule} has no program"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Asserts that no line of `text` is wider than a page, tables aside.
pub fn assert_narrow(path: &str, text: &str) {
    let lines = text.lines().filter(|line| !line.starts_with('|'));
    let long: Vec<&str> = lines.filter(|line| line.chars().count() > WIDTH).collect();
    assert!(long.is_empty(), "{path}: lines of more than {WIDTH} characters: {long:#?}");
}

#[test]
fn no_line_of_the_pages_is_too_long() {
    PAGES.iter().for_each(|page| assert_narrow(page.path, &read(page.path)));
}

#[test]
fn the_page_shows_a_run_of_every_rule() {
    let written = page();
    let mut stale = Vec::new();
    let wanted: BTreeSet<&str> = written.iter().map(|file| file.path.as_str()).collect();
    let accepts = std::env::var_os("LSU_ACCEPT_DOCS").is_some();
    for Written { path, text } in &written {
        if path == RULES {
            assert_narrow(path, text);
        }
        let file = root().join(path);
        if accepts {
            std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            std::fs::write(&file, text).expect("the file can be written");
        }
        if std::fs::read_to_string(&file).unwrap_or_default() != *text {
            stale.push(path.clone());
        }
    }
    for picture in std::fs::read_dir(root().join(PICTURES)).expect("the pictures") {
        let path = format!("{PICTURES}/{}", picture.expect("a file").file_name().to_string_lossy());
        if !wanted.contains(path.as_str()) {
            stale.push(format!("{path} (of no rule)"));
        }
    }
    assert!(stale.is_empty(), "not what the programs do, accept with LSU_ACCEPT_DOCS=1: {stale:#?}");
}
