//! The public documents of the instructions, sentence by sentence: `hdl/docs/sources.toml` says what each asks and what holds it,
//! `hdl/docs/sources.md` is written from there. What it names must exist, and the instructions that it quotes are judged here.
//!
//! `LSU_ACCEPT_DOCS=1 cargo test --release --test contract` accepts a change.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde::Deserialize;

use crate::page::{PAGES, read, root};
use crate::probes;
use crate::rules::{assert_narrow, files, link, places, wrapped};

/// What the sentences ask.
const DATA: &str = "hdl/docs/sources.toml";
/// The page that is written here.
const PAGE: &str = "hdl/docs/sources.md";

/// What the page begins with.
const HEAD: &str = "\
# The documents, sentence by sentence

What NVIDIA's public pages ask of these instructions, and where it is held. Each sentence has a row, and so has each item of a list, each line of a syntax or of
an example that says something and each sentence of a table. Headings, captions, links on their own and words that only lead to a list have none. The rows
follow the order of the pages and are numbered within their sections; what a sentence asks stands here in other words, so have its page beside you.

This page is written by a test from [`sources.toml`](sources.toml). It fails when a rule, a file, a test or a judgement that a row names is not there, when a
sentence is left out, and when nothing holds one. The instructions that the data quote are judged as the documents do (`lsu lint --strict FILE.ptx`): those that
must be legal, those that must be refused and by which rule, and what the legal ones become.

```sh
cargo test --release --workspace --test contract sentences                    # compares
LSU_ACCEPT_DOCS=1 cargo test --release --workspace --test contract sentences  # writes this page
```

* A rule in capitals is one of the [global path](global_path.md), the [constant cache](constant_cache.md) or [LDC](ldc_rules.md); its program is checked on RTL
  and golden model. A rule in small letters is one of the [judgement of instructions](../../cosim/docs/lint.md): what it refuses never reaches the unit.
* A sentence that only the judgement holds has *front end only* in the column of the description; where no rule refuses anything, *grammar* in that of the
  rules.
* *Nothing* is what a sentence asks of a unit that only says how others behave, or which page to read.
* *Open* is what the unit refuses or does in another way.

";

/// A cell of the row of a sentence that asks nothing; no other row has one.
const NONE: &str = "–";

/// The data.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sources {
    document: Vec<Document>,
    sentence: Vec<Sentence>,
}

/// A document.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    /// Its name here.
    name: String,
    title: String,
    /// Where it is published.
    url: Option<String>,
    /// Its sections, and how many sentences each has.
    sections: Vec<(String, usize)>,
}

/// A sentence.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
#[derive(Default)]
pub struct Sentence {
    /// `document, section number`.
    at: String,
    /// What it asks.
    asks: String,
    /// The sentence that it repeats.
    same: Option<String>,
    /// Why it asks nothing of a unit.
    nothing: Option<String>,
    /// What is not held.
    open: Option<String>,
    /// Rules of the timing contract and of LDC.
    rules: Vec<String>,
    /// Programs beside those of the rules.
    programs: Vec<String>,
    /// `file::function`.
    tests: Vec<String>,
    /// Instructions that the documents allow.
    pub legal: Vec<String>,
    /// Instructions that they refuse, each with the rule of judgement.
    pub refused: BTreeMap<String, String>,
    /// Legal instructions, and the least version and target that they need.
    pub needs: BTreeMap<String, String>,
    /// Legal instructions, and what is in their micro-ops.
    pub carries: BTreeMap<String, String>,
    /// Legal instructions that the unit does not serve.
    pub unserved: Vec<String>,
}

impl Sentence {
    /// Its document, its section and its number.
    fn place(&self) -> Option<(&str, &str, usize)> {
        let (document, rest) = self.at.split_once(", ")?;
        let (section, number) = rest.rsplit_once(' ')?;
        Some((document, section, number.parse().ok()?))
    }

    /// Whether instructions are judged for it.
    fn is_judged(&self) -> bool {
        self.texts() > 0
    }

    /// Instructions that are judged for it.
    fn texts(&self) -> usize {
        self.legal.len() + self.refused.len() + self.needs.len() + self.carries.len() + self.unserved.len()
    }

    /// Whether something holds it, or it says why nothing does.
    fn is_answered(&self) -> bool {
        let is_held = !self.rules.is_empty() || !self.programs.is_empty() || !self.tests.is_empty() || self.is_judged();
        is_held || self.nothing.is_some() || self.same.is_some()
    }
}

/// Where a rule stands.
#[derive(Clone, Default)]
struct Held {
    /// The rule with a link to its page.
    rule: String,
    description: BTreeSet<String>,
    model: BTreeSet<String>,
    programs: BTreeSet<String>,
}

/// Every rule by its name.
fn rules() -> BTreeMap<String, Held> {
    let mut rules = BTreeMap::new();
    let (description, model) = (places("hdl/src"), places("model/src"));
    let of = |places: &BTreeMap<String, Vec<String>>, rule: &str| {
        places.get(rule).into_iter().flatten().cloned().collect::<BTreeSet<_>>()
    };
    for page in &PAGES {
        let name = page.path.strip_prefix("hdl/docs/").expect("a page beside this one");
        for rule in page.rules() {
            let lower = rule.to_lowercase();
            let held = Held {
                rule: format!("[{rule}]({name}#{lower})"),
                description: of(&description, &rule),
                model: of(&model, &rule),
                programs: BTreeSet::from([format!("{}/{lower}.toml", page.programs)]),
            };
            rules.insert(rule, held);
        }
    }
    let programs = std::fs::read_dir(root().join("cosim/programs/rules")).expect("a folder");
    let programs: Vec<String> =
        programs.map(|file| file.expect("a file").file_name().to_string_lossy().into_owned()).collect();
    let code = [files("hdl/src"), files("model/src/golden")];
    let page = read("hdl/docs/ldc_rules.md");
    for number in page.lines().filter_map(|line| line.strip_prefix("| LDC-")?.split(" |").next()) {
        let names = |text: &str| {
            let behind = text.split("LDC-").skip(1);
            behind
                .map(|text| text.split(|letter: char| !letter.is_ascii_digit()).next())
                .any(|name| name == Some(number))
        };
        let quoting = |files: &BTreeMap<String, String>| {
            files.iter().filter(|(_, text)| names(text)).map(|(path, _)| path.clone()).collect()
        };
        let beginnings = [format!("ldc-{number}."), format!("ldc-{number}-")];
        let of_rule = programs.iter().filter(|name| beginnings.iter().any(|beginning| name.starts_with(beginning)));
        let held = Held {
            rule: format!("[LDC-{number}](ldc_rules.md)"),
            description: quoting(&code[0]),
            model: quoting(&code[1]),
            programs: of_rule.map(|name| format!("cosim/programs/rules/{name}")).collect(),
        };
        rules.insert(format!("LDC-{number}"), held);
    }
    rules
}

/// The data, and everything that they may name.
struct Known {
    sources: Sources,
    rules: BTreeMap<String, Held>,
    /// The front end's files, in which its rules stand.
    front_end: BTreeMap<String, String>,
}

impl Known {
    fn read(data: &str) -> Self {
        let sources: Sources = toml::from_str(data).unwrap_or_else(|error| panic!("{DATA}: {error}"));
        let mut front_end = files("model/src/ptx");
        front_end.extend(files("model/src/sass"));
        Self { sources, rules: rules(), front_end }
    }

    fn find(&self, at: &str) -> Option<&Sentence> {
        self.sources.sentence.iter().find(|sentence| sentence.at == at)
    }

    /// The files of the front end in which `rule` is given.
    fn judged_in(&self, rule: &str) -> BTreeSet<String> {
        let quoted = format!("\"{rule}\"");
        let giving = self.front_end.iter().filter(|(_, text)| text.contains(&quoted));
        giving.map(|(path, _)| path.clone()).collect()
    }

    /// What is wrong with the numbers: every section has all of its sentences, in their order.
    fn misnumbered(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut sentences = self.sources.sentence.iter();
        for document in &self.sources.document {
            for (section, count) in &document.sections {
                for number in 1..=*count {
                    let wanted = format!("{}, {section} {number}", document.name);
                    match sentences.next() {
                        Some(sentence) if sentence.at == wanted => {}
                        found => {
                            let found = found.map_or("the end", |sentence| &sentence.at);
                            wrong.push(format!("{wanted} is left out: {found} stands in its place"));
                            return wrong;
                        }
                    }
                }
            }
        }
        wrong.extend(sentences.map(|sentence| format!("{} is in no section", sentence.at)));
        wrong
    }

    /// What is wrong with a sentence.
    fn objections(&self, sentence: &Sentence) -> Vec<String> {
        let mut wrong = Vec::new();
        if !sentence.is_answered() {
            wrong.push("nothing holds it, and nothing says why".to_owned());
        }
        if sentence.asks.is_empty() && sentence.same.is_none() {
            wrong.push("it does not say what is asked".to_owned());
        }
        match sentence.same.as_deref().map(|same| (same, self.find(same))) {
            Some((same, None)) => wrong.push(format!("there is no sentence {same}")),
            Some((same, Some(other))) if other.same.is_some() => {
                wrong.push(format!("{same} stands for another one itself"));
            }
            _ => {}
        }
        if sentence.nothing.is_some() && sentence.open.is_some() {
            wrong.push("what asks nothing cannot be open".to_owned());
        }
        if !sentence.unserved.is_empty() && sentence.open.is_none() {
            wrong.push("what is not served is open".to_owned());
        }
        let unknown = sentence.rules.iter().filter(|rule| !self.rules.contains_key(*rule));
        wrong.extend(unknown.map(|rule| format!("there is no rule {rule}")));
        let of_rules = sentence.rules.iter().filter_map(|rule| self.rules.get(rule)).flat_map(|held| &held.programs);
        let absent = of_rules.chain(&sentence.programs).filter(|program| !root().join(program).is_file());
        wrong.extend(absent.map(|program| format!("there is no program {program}")));
        let outside = sentence.programs.iter().filter(|program| !program.starts_with("cosim/programs/"));
        wrong.extend(outside.map(|program| format!("{program} is not run by any test")));
        for test in &sentence.tests {
            let found = test.split_once("::").is_some_and(|(path, name)| {
                let text = std::fs::read_to_string(root().join(path)).unwrap_or_default();
                text.contains("#[test]") && text.contains(&format!("fn {name}("))
            });
            if !found {
                wrong.push(format!("there is no test {test}"));
            }
        }
        let unheard = sentence.refused.values().filter(|rule| self.judged_in(rule).is_empty());
        wrong.extend(unheard.map(|rule| format!("no judgement is called {rule}")));
        let document = sentence.place().map_or("", |(document, ..)| document);
        wrong.extend(probes::wrong(document, sentence));
        if sentence.nothing.is_none() && sentence.same.is_none() && self.cells(sentence).iter().any(|cell| cell == NONE)
        {
            wrong.push("a cell of its row is empty".to_owned());
        }
        wrong.into_iter().map(|what| format!("{}: {what}", sentence.at)).collect()
    }

    /// What is open of a sentence, its own words first.
    fn open(&self, sentence: &Sentence) -> Option<String> {
        let sentence = sentence.same.as_deref().and_then(|same| self.find(same)).unwrap_or(sentence);
        sentence.open.clone()
    }

    /// Where a sentence is held, cell by cell: rules, description, model or front end, programs and tests.
    fn cells(&self, sentence: &Sentence) -> [String; 4] {
        let mut rules = Vec::new();
        let (mut description, mut model, mut programs) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let mut add = |held: &Held| {
            description.extend(held.description.iter().cloned());
            model.extend(held.model.iter().cloned());
            programs.extend(held.programs.iter().cloned());
        };
        for rule in &sentence.rules {
            if let Some(held) = self.rules.get(rule) {
                add(held);
                rules.push(held.rule.clone());
            }
        }
        let judgements: BTreeSet<&String> = sentence.refused.values().collect();
        for rule in judgements {
            model.extend(self.judged_in(rule));
            if !sentence.rules.contains(rule) {
                rules.push(format!("`{rule}`"));
            }
        }
        if !sentence.needs.is_empty() {
            rules.push("`gate-version`, `gate-target`".to_owned());
        }
        if rules.is_empty() && sentence.is_judged() {
            rules.push("grammar".to_owned());
        }
        let is_sass = sentence.place().is_some_and(|(document, ..)| document == probes::SASS);
        model.extend(probes::places(sentence, is_sass).into_iter().map(str::to_owned));
        programs.extend(sentence.programs.iter().cloned());
        let links = |paths: BTreeSet<String>| paths.iter().map(|path| link(path)).collect::<Vec<_>>();
        let mut shown = links(programs);
        shown.extend(sentence.tests.iter().filter_map(|test| {
            let (path, name) = test.split_once("::")?;
            Some(format!("{} {}", link(path), name.replace('_', " ")))
        }));
        match sentence.texts() {
            0 => {}
            1 => shown.push("[1 text](sources.toml)".to_owned()),
            texts => shown.push(format!("[{texts} texts](sources.toml)")),
        }
        let cell = |parts: Vec<String>, empty: &str| if parts.is_empty() { empty.to_owned() } else { parts.join(", ") };
        let without = if sentence.nothing.is_some() { NONE } else { "front end only" };
        [cell(rules, NONE), cell(links(description), without), cell(links(model), NONE), cell(shown, NONE)]
    }

    /// The page.
    fn page(&self) -> String {
        let mut text = HEAD.to_owned();
        let referred: BTreeSet<&str> =
            self.sources.sentence.iter().filter_map(|sentence| sentence.same.as_deref()).collect();
        text.push_str(
            "| document | sentences | held by rules of the unit | by the front end | ask nothing | of all, open |\n",
        );
        text.push_str("|---|---|---|---|---|---|\n");
        let mut open_rows = String::new();
        let mut sections = String::new();
        for document in &self.sources.document {
            let (mut all, mut by_rules, mut by_front_end, mut nothing, mut open_ones) = (0, 0, 0, 0, 0);
            writeln!(sections, "## {}\n{}\n", document.name, heading(document)).expect("text");
            for (section, _) in &document.sections {
                writeln!(sections, "### {}, {section}\n", document.name).expect("text");
                sections.push_str("| | what it asks | rule | description | model or front end | program, test |\n");
                sections.push_str("|---|---|---|---|---|---|\n");
                for sentence in &self.sources.sentence {
                    let Some((name, of, number)) = sentence.place() else { continue };
                    if name != document.name || of != section {
                        continue;
                    }
                    let other = sentence.same.as_deref().and_then(|same| self.find(same));
                    let holder = other.unwrap_or(sentence);
                    let open = self.open(sentence);
                    all += 1;
                    open_ones += usize::from(open.is_some());
                    match (&holder.nothing, holder.rules.is_empty()) {
                        (Some(_), _) => nothing += 1,
                        (None, false) => by_rules += 1,
                        (None, true) => by_front_end += 1,
                    }
                    let mut asks = match other {
                        Some(other) => format!("as [{}](#{}): {}", other.at, anchor(&other.at), other.asks),
                        None => sentence.asks.clone(),
                    };
                    if let Some(why) = &holder.nothing {
                        write!(asks, " *Nothing:* {why}").expect("text");
                    }
                    if let Some(open) = &open {
                        write!(asks, " *Open:* {open}").expect("text");
                        let at = &sentence.at;
                        if other.is_none() {
                            writeln!(open_rows, "| [{at}](#{}) | {} | {open} |", anchor(at), sentence.asks)
                                .expect("text");
                        }
                    }
                    let mark = if referred.contains(sentence.at.as_str()) || open.is_some() {
                        format!("<a id=\"{}\"></a>", anchor(&sentence.at))
                    } else {
                        String::new()
                    };
                    let cells = self.cells(holder).join(" | ");
                    writeln!(sections, "| {mark}{number} | {asks} | {cells} |").expect("text");
                }
                sections.push('\n');
            }
            let name = &document.name;
            writeln!(
                text,
                "| [{name}](#{}) | {all} | {by_rules} | {by_front_end} | {nothing} | {open_ones} |",
                name.to_lowercase().replace('.', "").replace(' ', "-")
            )
            .expect("text");
        }
        if !open_rows.is_empty() {
            text.push_str("\n## Open\n| sentence | what it asks | what is open |\n|---|---|---|\n");
            text.push_str(&open_rows);
        }
        text.push('\n');
        text.push_str(sections.trim_end());
        text.push('\n');
        text
    }
}

/// What stands below the name of a document.
fn heading(document: &Document) -> String {
    match &document.url {
        Some(url) => format!("[{}]({url}).", document.title),
        None => wrapped(&format!("{}.", document.title)),
    }
}

/// The place of a sentence on the page.
fn anchor(at: &str) -> String {
    let words = at.to_lowercase();
    words.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

#[test]
fn every_sentence_of_the_documents_is_held() {
    let known = Known::read(&read(DATA));
    let mut wrong = known.misnumbered();
    wrong.extend(known.sources.sentence.iter().flat_map(|sentence| known.objections(sentence)));
    assert!(wrong.is_empty(), "{DATA}: {wrong:#?}");
}

#[test]
fn the_page_of_sentences_shows_what_holds_them() {
    let text = Known::read(&read(DATA)).page();
    assert_narrow(PAGE, &text);
    let file = root().join(PAGE);
    if std::env::var_os("LSU_ACCEPT_DOCS").is_some() {
        std::fs::write(&file, &text).expect("the page can be written");
    }
    let found = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(found == text, "{PAGE} is not what {DATA} says, accept with LSU_ACCEPT_DOCS=1");
}

/// The check itself can fail.
#[test]
fn what_holds_nothing_is_noticed() {
    let document = "[[document]]\nname = \"ld\"\ntitle = \"t\"\nsections = [[\"Notes\", 1]]\n";
    let objections = |sentence: &str| {
        let known = Known::read(&format!("{document}[[sentence]]\nat = \"ld, Notes 1\"\nasks = \"it\"\n{sentence}"));
        assert_eq!(known.misnumbered(), Vec::<String>::new());
        known.sources.sentence.iter().flat_map(|sentence| known.objections(sentence)).collect::<Vec<_>>()
    };
    for (sentence, expected) in [
        ("", "nothing holds it"),
        ("rules = [\"NO-RULE\"]", "there is no rule NO-RULE"),
        ("rules = [\"LDC-99\"]", "there is no rule LDC-99"),
        ("programs = [\"cosim/programs/no.toml\"]", "there is no program"),
        ("programs = [\"hdl/docs/sources.toml\"]", "is not run by any test"),
        ("tests = [\"model/tests/front_end/served.rs::nobody\"]", "there is no test"),
        ("tests = [\"model/tests/nowhere.rs::no_space_is_forgotten\"]", "there is no test"),
        ("same = \"ld, Notes 2\"", "there is no sentence ld, Notes 2"),
        ("nothing = \"so\"\nopen = \"so\"", "what asks nothing cannot be open"),
        ("legal = [\"ld.global.u32 %r1, [%rd1\"]", "is refused: syntax"),
        ("legal = [\"ld.global.v8.b64 %r1, [%rd1];\"]", "is refused: vector-width"),
        ("refused = { \"ld.global.u32 %r1, [%rd1];\" = \"vector-width\" }", "is legal"),
        ("refused = { \"ld.global.u32 _, [%rd1];\" = \"vector-width\" }", "is refused by sink-scalar"),
        ("refused = { \"ld.global.u32 _, [%rd1];\" = \"no-such\" }", "no judgement is called no-such"),
        ("needs = { \"ld.relaxed.cluster.u32 %r1, [%rd1];\" = \"7.8 sm_80\" }", "PTX 7.8 for sm_80"),
        ("needs = { \"ld.shared::cta.u32 %r1, [%rd1];\" = \"7.7 sm_30\" }", "PTX 7.7 for sm_30"),
        ("carries = { \"ld.u32 %r1, [%rd1];\" = \"space: Global\" }", "has no `space: Global`"),
        ("unserved = [\"ld.shared::cluster.u32 %r1, [%rd1];\"]", "what is not served is open"),
        ("open = \"so\"\nunserved = [\"ld.global.u32 %r1, [%rd1];\"]", "is served"),
        ("tests = [\"model/tests/front_end/served.rs::no_space_is_forgotten\"]", "a cell of its row is empty"),
    ] {
        let found = objections(sentence);
        assert!(found.iter().any(|what| what.contains(expected)), "{sentence}: {found:?}");
    }
    assert_eq!(objections("nothing = \"so\""), Vec::<String>::new());
    // A gap.
    let gap = Known::read(&format!("{document}[[sentence]]\nat = \"ld, Notes 2\"\nasks = \"it\"\nnothing = \"so\"\n"));
    assert_eq!(gap.misnumbered(), ["ld, Notes 1 is left out: ld, Notes 2 stands in its place"]);
}
